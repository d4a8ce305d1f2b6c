//! The other numeric questions of the rules: value changes, damage, deck sizes, rounding, counters.
//!
//! Every operation reads its input, asks the game's profile for the rule, and works out the result. Where the
//! profile says nothing the answer is undecided.

mod counters;
mod damage;
mod values;

use super::{Basis, Because, Find, Text, text};
use crate::entry::{DEFAULT_DOCUMENT, rule_id};
use crate::game::Game;
use crate::game::calculation::Calculation;
use crate::game::numeric::{Source, Sourced, in_force};
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
    pub reason: Option<Text>,
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
    /// A key that the operation does not have.
    #[error("`{op}` has no `{key}`; it has {known}")]
    UnknownKey {
        /// The operation.
        op: String,
        /// The key.
        key: String,
        /// The keys that it has.
        known: String,
    },
}

/// The operations, as scripts name them.
pub const OPERATIONS: [&str; 17] = [
    "value_change",
    "exchange",
    "damage",
    "is_prevention",
    "for_each_damage",
    "round",
    "deck_size",
    "investigate",
    "cancel_counters",
    "become_zero_counters",
    "guidance",
    "saga",
    "infinity",
    "choose_number",
    "cumulative_keyword",
    "repeat",
    "total_cost",
];

/// Works out a task.
///
/// # Errors
///
/// [`CalcError`] when there is no such operation or its input lacks something.
pub fn calculate(task: &Task<'_>, find: Find<'_>) -> Result<Calc, CalcError> {
    let mut work = Work {
        task,
        find,
        because: Vec::new(),
        reason: None,
    };
    let op = task.op.replace('-', "_");
    let operation = match op.as_str() {
        "value_change" => values::value_change,
        "exchange" => values::exchange,
        "round" => values::round,
        "infinity" => values::infinity,
        "choose_number" => values::choose_number,
        "repeat" => values::repeat,
        "damage" => damage::damage,
        "is_prevention" => damage::is_prevention,
        "for_each_damage" => damage::for_each,
        "deck_size" => counters::deck_size,
        "investigate" => counters::investigate,
        "cancel_counters" => counters::cancel,
        "become_zero_counters" => counters::become_zero,
        "guidance" | "saga" => counters::thresholds,
        "cumulative_keyword" => counters::cumulative,
        "total_cost" => counters::total_cost,
        _ => return Err(CalcError::UnknownOperation(task.op.to_owned())),
    };
    check_keys(task, &op)?;
    let result = operation(&mut work)?;
    if result.is_none() {
        work.because.clear();
        work.reason.get_or_insert(NO_RULE);
    }
    Ok(Calc {
        op: task.op.to_owned(),
        game: task.game.map(|game| game.id.clone()),
        reason: if result.is_some() { None } else { work.reason },
        result,
        because: work.because,
    })
}

/// What the input of an operation may have, but for what a game names itself.
pub fn keys(op: &str) -> &'static [&'static str] {
    match op {
        "value_change" => &["what", "old", "new"],
        "exchange" => &["what", "a", "b"],
        "round" => &["what", "value", "operation"],
        "infinity" => &["left", "op", "right"],
        "choose_number" => &["number"],
        "repeat" => &["times"],
        "damage" => &["base", "modifiers"],
        "is_prevention" => &["text"],
        "for_each_damage" => &["per", "count"],
        "deck_size" => &["deck", "cards", "format"],
        "investigate" => &["triggers", "deck"],
        "guidance" | "saga" => &["old", "new", "thresholds", "chapters"],
        "cumulative_keyword" => &["keyword", "have", "gain"],
        "total_cost" => &["attribute", "free", "zone", "x"],
        _ => &[],
    }
}

/// That the input has no key that the operation would not look at.
fn check_keys(task: &Task<'_>, op: &str) -> Result<(), CalcError> {
    let of_game = match (op, task.game.map(|game| &*game.calc)) {
        // Which facts a deck needs, and what counters are called, each game says.
        ("deck_size", Some(rules)) => rules.deck_facts(),
        ("cancel_counters" | "become_zero_counters", Some(rules)) if !rules.counters.is_empty() => {
            rules.counter_names()
        }
        ("deck_size" | "cancel_counters" | "become_zero_counters", _) => return Ok(()),
        _ => Vec::new(),
    };
    let known: Vec<&str> = keys(op).iter().copied().chain(of_game).collect();
    match task.input.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(CalcError::UnknownKey {
            op: task.op.to_owned(),
            key: key.clone(),
            known: known
                .iter()
                .map(|key| format!("`{key}`"))
                .collect::<Vec<_>>()
                .join(", "),
        }),
    }
}

/// What an operation gives: its result, or none where no rule settles it.
type Outcome = Result<Option<Map<String, Value>>, CalcError>;

const NO_RULE: Text = text(
    "nothing is known of a rule of this game and edition that settles it",
    "未知该游戏该版本中有可判定此问题的规则",
);

/// A task being worked out.
struct Work<'a> {
    task: &'a Task<'a>,
    find: Find<'a>,
    because: Vec<Because>,
    reason: Option<Text>,
}

impl<'a> Work<'a> {
    /// The game's rules, if there is a game.
    fn rules(&self) -> Option<&'a Calculation> {
        self.task.game.map(|game| &*game.calc)
    }

    /// The entry of a list of the game's rules that is in force.
    fn rule<T: Sourced>(&self, list: impl Fn(&'a Calculation) -> &'a [T]) -> Option<&'a T> {
        in_force(list(self.rules()?), self.task.edition)
    }

    /// The entry of a list that is in force and is about `name`, else the one that is about all others.
    fn rule_about<T: Sourced>(
        &self,
        list: impl Fn(&'a Calculation) -> &'a [T],
        names: impl Fn(&T) -> &[String],
        name: &str,
    ) -> Option<&'a T> {
        let held: Vec<&T> = list(self.rules()?)
            .iter()
            .filter(|entry| entry.source().holds_in(self.task.edition))
            .collect();
        let key = crate::fold::fold_key(name);
        let named = held.iter().find(|entry| {
            names(entry)
                .iter()
                .any(|other| crate::fold::fold_key(other) == key)
        });
        named
            .or_else(|| held.iter().find(|entry| names(entry).is_empty()))
            .copied()
    }

    /// Notes what settles a step.
    fn note(&mut self, words: &str, meaning: Text, source: Source<'_>) {
        let game = self.task.game;
        let rule = source
            .rule
            .and_then(|rule| rule.parse().ok())
            .zip(game)
            .map(|(number, game)| rule_id(&game.id, DEFAULT_DOCUMENT, &number));
        let statement = source
            .statement
            .zip(game)
            .map(|(label, game)| format!("{}:statement:{label}", game.id));
        let found = rule.iter().chain(&statement).find_map(|id| (self.find)(id));
        self.because.push(Because {
            words: words.to_owned(),
            meaning,
            basis: if source.rule.is_some() || source.statement.is_some() {
                Basis::Rule
            } else {
                Basis::Template
            },
            citation: source.rule.map(str::to_owned),
            edition: source.editions.first().cloned(),
            loaded: found.is_some(),
            id: found.or(rule).or(statement),
        });
    }

    /// Notes a rule that stands beside the main one of its entry.
    fn note_rule(&mut self, words: &str, meaning: Text, rule: &str, editions: &[String]) {
        self.note(
            words,
            meaning,
            Source {
                rule: Some(rule),
                statement: None,
                editions,
            },
        );
    }

    fn wants(&self, what: &str) -> CalcError {
        CalcError::Input {
            op: self.task.op.to_owned(),
            what: what.to_owned(),
        }
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.task.input.get(key).filter(|value| !value.is_null())
    }

    /// A whole number; text that is one counts, as `KEY=VALUE` words give it.
    fn whole(&self, key: &str) -> Result<i64, CalcError> {
        self.get(key)
            .and_then(whole)
            .ok_or_else(|| self.wants(&format!("`{key}`, a whole number")))
    }

    /// A whole number, or `None` for an infinite value.
    fn amount(&self, key: &str) -> Result<Option<i64>, CalcError> {
        match self.get(key) {
            Some(Value::String(text)) if matches!(text.as_str(), "inf" | "∞" | "infinity") => Ok(None),
            _ => self.whole(key).map(Some),
        }
    }

    fn words(&self, key: &str) -> Result<&'a str, CalcError> {
        self.get(key)
            .and_then(Value::as_str)
            .ok_or_else(|| self.wants(&format!("`{key}`, in words")))
    }

    /// A list; words separated by commas count, as `KEY=VALUE` words give them.
    fn list(&self, key: &str) -> Result<Vec<Value>, CalcError> {
        match self.get(key) {
            Some(Value::Array(items)) => Ok(items.clone()),
            Some(Value::String(items)) => Ok(items
                .split([',', '，', '、'])
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(|item| Value::String(item.to_owned()))
                .collect()),
            Some(item @ Value::Number(_)) => Ok(vec![item.clone()]),
            _ => Err(self.wants(&format!("`{key}`, a list"))),
        }
    }

    fn numbers(&self, key: &str) -> Result<Vec<i64>, CalcError> {
        let numbers: Option<Vec<i64>> = self.list(key)?.iter().map(whole).collect();
        numbers.ok_or_else(|| self.wants(&format!("`{key}`, a list of whole numbers")))
    }

    fn undecided(&mut self, en: &'static str, zh: &'static str) -> Outcome {
        self.reason = Some(text(en, zh));
        Ok(None)
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().trim_start_matches('+').parse().ok(),
        _ => None,
    }
}

/// An object of these fields.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// Overflow is no answer.
const TOO_LARGE: (&str, &str) = ("the number is too large", "数字过大");
