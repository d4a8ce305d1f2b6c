//! Whatever bytes come: no panic, and every line is accounted for.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::entry::Kind;
use shiyi::game::{Game, Games};
use shiyi::pair::pair;
use shiyi::parse::{self, Hints};
use shiyi::source::{self, SourceFile};
use std::sync::LazyLock;

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let demo = include_str!("../../tests/cases/parse/game.toml");
    Games::new([Game::from_toml(demo).expect("the made-up game is well-formed")])
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(decoded) = source::decode(bytes, None) else {
        return;
    };
    let source = SourceFile::new("rules/demo/fuzz.txt", decoded.text);
    let hints = Hints {
        kind: Some(Kind::Statement),
        ..Hints::from_path(source.path(), &GAMES)
    };
    let parsed = parse::parse(&source, &GAMES, &hints);
    assert!(parsed.lines.is_sorted_by_key(|(line, _)| *line));
    pair(vec![parsed], &GAMES);
});
