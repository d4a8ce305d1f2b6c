//! Glossaries, behind rules and as pages of their own, in both languages: no panic, and no line is lost.

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

const EN: &str = "100. Cards\n\n100.1. There are cards.\n\n100.2. There are owls.\n\nGlossary\n\n";
const ZH: &str = "100. 牌\n\n100.1. 游戏中有灯笼牌。\n\n100.2. 游戏中有猫头鹰。\n\n词汇表\n\n";

fuzz_target!(|text: &str| {
    let parsed = [
        ("en.txt", format!("{EN}{text}")),
        ("zh.txt", format!("{ZH}{text}")),
        ("page.md", format!("# Glossary\n\n## Owl / 猫头鹰\n\n{text}")),
    ]
    .map(|(name, text)| {
        let source = SourceFile::new(format!("rules/demo/{name}"), text);
        let parsed = parse::parse(&source, &GAMES, &Hints::from_path(source.path(), &GAMES));
        for line in source.lines().filter(|line| line.text.chars().any(char::is_alphanumeric)) {
            let is_there = parsed.lines.binary_search_by_key(&line.number, |(number, _)| *number).is_ok();
            assert!(is_there, "{name}: line {}", line.number);
        }
        parsed
    });
    pair(parsed.into(), &GAMES);
});
