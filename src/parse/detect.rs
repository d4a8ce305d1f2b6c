//! What a source is: game, document, languages, edition, shape.

use super::Hints;
use crate::entry::Lang;
use crate::game::Games;
use crate::source::SourceFile;

/// Something found out about a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected<T> {
    /// What was found.
    pub value: T,
    /// What gave it away, for people: ``the text says `ver. 12.7` ``.
    pub why: String,
    /// True when it is a guess that a person should confirm.
    pub guessed: bool,
}

/// The shape of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown with front matter.
    Markdown,
    /// Numbered rules.
    Numbered,
    /// Dated rulings.
    Rulings,
    /// Unnumbered statements.
    Statements,
}

/// What a source was found to be. What could not be found out is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Detection {
    /// The game's id.
    pub game: Option<Detected<String>>,
    /// The document's id inside the game.
    pub document: Option<Detected<String>>,
    /// Its languages, English first.
    pub langs: Option<Detected<Vec<Lang>>>,
    /// Its edition, as its publisher names it.
    pub edition: Option<Detected<String>>,
    /// Its shape.
    pub format: Option<Detected<Format>>,
}

/// Finds out what a source is. An edition comes from the text, else from the hints, else from the file's name.
pub fn detect(_source: &SourceFile, _games: &Games, _hints: &Hints) -> Detection {
    Detection::default()
}
