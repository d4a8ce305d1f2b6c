//! Markdown with front matter: no panic, and every line that is not blank is accounted for, in order.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::game::{Game, Games};
use shiyi::parse::{Hints, authored, markdown};
use shiyi::source::SourceFile;
use std::sync::LazyLock;

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    Games::new(Game::from_toml(
        r#"
        id = "demo"
        names = { en = "Demo" }
        [[document]]
        id = "cr"
        numbering = { levels = ["n", ".n", "a", "-n"], digits = [1, 4] }
        "#,
    ))
});

fuzz_target!(|text: &str| {
    markdown::leaves(&markdown::blocks(text));
    let source = SourceFile::new("rules/demo/a.md", text);
    for kind in shiyi::entry::Kind::ALL {
        let hints = Hints {
            game: Some("demo".to_owned()),
            kind: Some(kind),
            ..Hints::default()
        };
        let parsed = authored::parse(&source, &GAMES, &hints);
        let numbers: Vec<u32> = parsed.lines.iter().map(|(number, _)| *number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b));
        for line in source.lines().filter(|line| line.text.chars().any(char::is_alphanumeric)) {
            assert!(numbers.binary_search(&line.number).is_ok(), "line {}", line.number);
        }
    }
});
