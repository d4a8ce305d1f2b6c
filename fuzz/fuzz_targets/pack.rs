//! A packed index, whatever its bytes are: no panic, and no other answer than the sound one gives.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shiyi::corpus::{Corpus, Entries};
use shiyi::game::{Game, Games};
use shiyi::index::{Index, build};
use shiyi::pair::pair;
use shiyi::parse::{self, Hints};
use shiyi::query::Search;
use shiyi::source::SourceFile;
use std::sync::LazyLock;

const TEXT: &str = "100. Cards\n\n100.1. There are cards.\n\n100.2. There are owls 猫头鹰.\n\n100.2a Owls fly.\n";

static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let demo = include_str!("../../tests/cases/parse/game.toml");
    let games = Games::new([Game::from_toml(demo).expect("the made-up game is well-formed")]);
    let source = SourceFile::new("rules/demo/a.txt", TEXT);
    let parsed = parse::parse(&source, &games, &Hints::from_path(source.path(), &games));
    let (corpus, _) = Corpus::build(pair(vec![parsed], &games).0, &games);
    build(&corpus, &[]).expect("an index of a small text")
});

static SAID: LazyLock<Option<(usize, Vec<String>, usize)>> = LazyLock::new(|| read(SOUND.clone()));

/// What an index says, all of it; none where it says that it is damaged.
fn read(bytes: Vec<u8>) -> Option<(usize, Vec<String>, usize)> {
    let index = Index::from_bytes(bytes).ok()?;
    if !index.damages().is_empty() {
        return None;
    }
    let ids: Result<Vec<String>, _> =
        (0..index.len() as u32).map(|idx| index.entry(idx).map(|entry| entry.id.to_string())).collect();
    let found = index.search(&Search::new("owls").ok()?).ok()?;
    Some((index.len(), ids.ok()?, found.total))
}

fuzz_target!(|data: &[u8]| {
    read(data.to_vec());
    // Three bytes each: where, and what is there instead.
    let mut bytes = SOUND.clone();
    for change in data.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) * 7 % bytes.len();
        bytes[at] = change[2];
    }
    let found = read(bytes);
    assert!(found.is_none() || found == *SAID);
});
