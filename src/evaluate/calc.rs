//! The other numeric questions of the rules: value changes, damage, deck sizes, rounding, counters.

use super::{Because, Find};
use crate::game::Game;
use serde_json::{Map, Value};

/// What is to be worked out.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The operation: `damage`, `deck_size`, …
    pub op: &'a str,
    /// What it works on.
    pub input: &'a Map<String, Value>,
    /// The game whose rules count.
    pub game: Option<&'a Game>,
    /// The edition of the rules, where they changed between editions; none for the newest.
    pub edition: Option<&'a str>,
}

/// The answer to a [`Task`].
#[derive(Debug, Clone, PartialEq)]
pub struct Calc {
    /// The operation.
    pub op: String,
    /// The id of the game whose rules were used.
    pub game: Option<String>,
    /// What came out; none when undecided.
    pub result: Option<Map<String, Value>>,
    /// The rules that decide.
    pub because: Vec<Because>,
    /// Why it is undecided.
    pub reason: Option<super::Text>,
}

/// A task that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CalcError {
    /// There is no such operation.
    #[error("there is no operation `{0}`")]
    UnknownOperation(String),
    /// A key is missing, or its value is of the wrong kind.
    #[error("`{op}` needs {what}")]
    Input {
        /// The operation.
        op: String,
        /// What it needs.
        what: String,
    },
}

/// Works out a task.
///
/// # Errors
///
/// [`CalcError`] when there is no such operation or its input lacks something.
pub fn calculate(task: &Task<'_>, find: Find<'_>) -> Result<Calc, CalcError> {
    let _ = find;
    Ok(Calc {
        op: task.op.to_owned(),
        game: task.game.map(|game| game.id.clone()),
        result: None,
        because: Vec::new(),
        reason: None,
    })
}
