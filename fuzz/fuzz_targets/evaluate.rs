//! Reads any text as a numeric phrase, with and without a game's conventions: no panic, and an answer exactly where
//! the verdict is not undecided.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::evaluate::{Question, Status, evaluate};
use shiyi::game::Game;

const GAMES: [&str; 3] = [
    include_str!("../../rules/fow/game.toml"),
    include_str!("../../rules/mtg/game.toml"),
    include_str!("../../rules/yugioh/game.toml"),
];

fuzz_target!(|text: &str| {
    thread_local! {
        static KNOWN: Vec<Game> = GAMES.iter().filter_map(|text| Game::from_toml(text).ok()).collect();
    }
    KNOWN.with(|games| {
        for game in games.iter().map(Some).chain([None]) {
            let (phrase, noun) = text.split_once('|').unwrap_or((text, ""));
            let question = Question { text: phrase, game, edition: None, noun: Some(noun), value: None };
            let verdict = evaluate(&question, &|_| None);
            assert_eq!(verdict.status == Status::Undecided, verdict.predicate.is_none());
            if let Some(predicate) = &verdict.predicate {
                let printed = predicate.to_string();
                let parsed = printed.parse().map(|parsed: shiyi::condition::Predicate| parsed.to_string());
                assert_eq!(parsed, Ok(printed));
            }
        }
    });
});
