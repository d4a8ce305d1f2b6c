//! Rules as JSON: no panic, and every line is accounted for in order.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::game::{Game, Games};
use shiyi::pair::pair;
use shiyi::parse::{self, Hints};
use shiyi::source::SourceFile;
use std::sync::LazyLock;

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let demo = include_str!("../../tests/cases/parse/game.toml");
    Games::new([Game::from_toml(demo).expect("the made-up game is well-formed")])
});

fuzz_target!(|text: &str| {
    let inside = format!(
        "[{{\"number\":\"100.1\",\"en\":\"One.\",\"zh\":\"甲。\"}},\n{{\"number\":\"100.2\",\"zh\":\"乙。\",{text}]"
    );
    for text in [text, &inside] {
        let source = SourceFile::new("rules/demo/fuzz.json", text);
        let parsed = parse::parse(&source, &GAMES, &Hints::from_path(source.path(), &GAMES));
        assert!(parsed.lines.is_sorted_by_key(|(line, _)| *line));
        pair(vec![parsed], &GAMES);
    }
});
