//! Tables of cards and their rulings, as cells and as objects: no panic, every line is accounted for in order, and a
//! good row before what comes is never lost.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::corpus::Corpus;
use shiyi::game::{Game, Games};
use shiyi::jobs;
use shiyi::pair::Pairer;
use shiyi::parse::{self, Hints};
use shiyi::source::SourceFile;
use std::sync::LazyLock;

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let demo = include_str!("../../tests/cases/parse/game.toml");
    Games::new([Game::from_toml(demo).expect("the made-up game is well-formed")])
});

fuzz_target!(|text: &str| {
    let cells = format!("oracle_id\tname\tzh\ttype\ttext\n1\tInk\t墨\tThing\tDraw.\n{text}");
    let objects = format!("[\n{{\"oracle_id\":\"1\",\"name\":\"Ink\",\"type_line\":\"Thing\"}},\n{text}");
    let lines = format!("{{\"oracle_id\":\"1\",\"card_en\":\"Ink\",\"comment_en\":\"It dries.\"}}\n{text}");
    for text in [text, &cells, &objects, &lines] {
        let source = SourceFile::new("rulings/demo/fuzz.json", text);
        let parsed = parse::parse(&source, &GAMES, &Hints::from_path(source.path(), &GAMES));
        assert!(parsed.lines.is_sorted_by_key(|(line, _)| *line));
        let mut pairer = Pairer::default();
        pairer.add(parsed);
        let paired = pairer.finish();
        let (corpus, _) = Corpus::build_with(jobs::ONE, paired.entries, paired.cards, &GAMES);
        for card in corpus.cards() {
            assert!(card.names().next().is_some());
        }
    }
});
