//! A `game.toml` or `sources.toml` of the user's: no panic, and a game that is read can read a text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::game::{Game, Games};
use shiyi::library::sources::Declared;
use shiyi::parse::{self, Hints};
use shiyi::source::SourceFile;
use std::collections::BTreeMap;

const TEXT: &str = "1. A\n\n100. B\n\n100.1. C\n\n100.1a D, see rule 100.1b-c.\n\n1-2-3. E\n\n103.1.b.1. F\n\nGlossary\n\nG\nH\n";

fuzz_target!(|text: &str| {
    let _ = toml::from_str::<BTreeMap<String, Declared>>(text);
    if let Ok(game) = Game::from_toml(text) {
        let place = format!("rules/{}/a.txt", game.id);
        let games = Games::new([game]);
        let hints = Hints::from_path(&place, &games);
        let parsed = parse::parse(&SourceFile::new(place, TEXT), &games, &hints);
        assert!(parsed.lines.is_sorted_by_key(|(line, _)| *line));
    }
});
