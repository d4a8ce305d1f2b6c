//! Which text translates which, how we know, how sure.

use crate::diagnostic::Diagnostic;
use crate::entry::Entry;
use crate::game::Games;
use crate::parse::Parsed;

/// Merges what several sources say of one thing: the texts of one id and edition become one entry.
///
/// The order of `parsed` decides where two sources of one edition disagree. Texts of different editions stay
/// apart.
pub fn pair(parsed: Vec<Parsed>, _games: &Games) -> (Vec<Entry>, Vec<Diagnostic>) {
    let (mut entries, mut diagnostics) = (Vec::new(), Vec::new());
    for source in parsed {
        entries.extend(source.entries);
        diagnostics.extend(source.diagnostics);
    }
    (entries, diagnostics)
}
