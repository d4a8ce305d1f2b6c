//! Markdown with front matter: the shape of the shipped library.

use super::{Hints, Parsed};
use crate::game::Games;
use crate::source::SourceFile;

/// Reads Markdown with front matter.
pub fn parse(_source: &SourceFile, _games: &Games, _hints: &Hints) -> Parsed {
    Parsed::default()
}
