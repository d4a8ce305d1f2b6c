//! Whatever somebody types: every game reads it without a panic, what was read reads back as itself, and looking it up
//! gives an answer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::corpus::Corpus;
use shiyi::game::Games;
use shiyi::library::Embedded;
use shiyi::library::sources::{Declared, games, read_bytes};
use shiyi::lookup::citation::read_citations;
use shiyi::lookup::{Citing, Extent, Mode, Options, resolve};
use shiyi::pair::pair;
use std::sync::LazyLock;

static SHIPPED: LazyLock<(Games, Corpus)> = LazyLock::new(|| {
    let (games, _) = games(None, &Embedded);
    let texts = Embedded.texts();
    let parsed = texts.map(|(path, text)| read_bytes(path, text.as_bytes(), &Declared::default(), &games));
    let (entries, _) = pair(parsed.collect(), &games);
    let (corpus, _) = Corpus::build(entries, &games);
    (games, corpus)
});

fuzz_target!(|input: &str| {
    let (games, corpus) = &*SHIPPED;
    for game in games.ids().filter_map(|id| games.get(id)) {
        for citation in read_citations(input, game).citations {
            if let Some(last) = &citation.last {
                assert!(citation.first < *last, "{citation:?}");
            }
            let document = if citation.document == "cr" { "" } else { &citation.document };
            let again = read_citations(&format!("{document} {}", citation.first), game).citations;
            assert!(
                again.len() == 1 && again[0].first == citation.first && again[0].document == citation.document,
                "{}: {citation:?} reads back as {again:?}",
                game.id
            );
        }
    }
    for mode in [Mode::Guess, Mode::Show] {
        let options = Options {
            games: &[],
            document: None,
            edition: None,
            mode,
            extent: Extent::Subrules,
            context: 1,
            expand: 1,
            citing: Citing::Show,
        };
        let answer = resolve(input, corpus, games, &options).expect("nothing is damaged");
        assert!(mode == Mode::Guess || answer.is_some());
    }
});
