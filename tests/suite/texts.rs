//! What tests of parsing share: the shipped games, and one file read.

use shiyi::game::{Game, Games};
use shiyi::parse::{self, Hints, Parsed};
use shiyi::source::{self, SourceFile};
use std::fs;
use std::path::{Path, PathBuf};

/// The games of this repository's `rules/`.
pub fn games() -> Games {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut games = Vec::new();
    for folder in fs::read_dir(root).unwrap() {
        let path = folder.unwrap().path().join("game.toml");
        if path.exists() {
            games.push(Game::from_toml(&fs::read_to_string(path).unwrap()).unwrap());
        }
    }
    Games::new(games)
}

/// Reads a file as if it stood at `place` in a library.
pub fn read_as(path: &Path, place: &str, games: &Games) -> (SourceFile, Parsed) {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = SourceFile::new(place, source::decode(&bytes, None).unwrap().text);
    let parsed = parse::parse(&source, games, &Hints::from_path(place, games));
    (source, parsed)
}
