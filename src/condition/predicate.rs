//! What a numeric phrase says, and what it is asked about.

use super::choice::Choice;
use super::notation::ConditionError;
use super::numbers::Condition;
use super::relation::{Amount, Relation};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What a numeric phrase says: which numbers meet it, how quantities have to compare, or how many may be picked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// A condition on one quantity.
    Condition(Condition),
    /// A condition on several.
    Relation(Relation),
    /// How many a player may pick.
    Choice(Choice),
}

impl Predicate {
    /// Whether `value` meets it; none where that is not settled, or the value is not of its kind.
    pub fn holds(&self, value: &Value) -> Option<bool> {
        match (self, value) {
            (Predicate::Condition(condition), Value::Number(n)) => Some(condition.holds(*n)),
            (Predicate::Condition(condition), Value::Infinite) => Some(condition.holds_infinite()),
            (Predicate::Relation(relation), Value::Named(values)) => relation.holds(values),
            (Predicate::Choice(choice), Value::Number(n)) => choice.allows(*n),
            _ => None,
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Predicate::Condition(condition) => condition.fmt(f),
            Predicate::Relation(relation) => relation.fmt(f),
            Predicate::Choice(choice) => choice.fmt(f),
        }
    }
}

impl FromStr for Predicate {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim_start().starts_with("choice") {
            return text.parse().map(Predicate::Choice);
        }
        match text.parse() {
            Ok(condition) => Ok(Predicate::Condition(condition)),
            Err(_) => text.parse().map(Predicate::Relation),
        }
    }
}

/// The value asked about: `3`, `inf`, or `a=2,b=1` for several quantities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// Greater than any number.
    Infinite,
    /// One value for each name.
    Named(BTreeMap<String, Amount>),
}

/// Text that is no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no value: write a whole number, `inf`, or `a=2,b=1` for two quantities")]
pub struct ValueError(pub String);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |amount: &Amount| amount.map_or_else(|| "inf".to_owned(), |n| n.to_string());
        match self {
            Value::Number(n) => n.fmt(f),
            Value::Infinite => f.write_str("inf"),
            Value::Named(values) => {
                let values: Vec<String> = values
                    .iter()
                    .map(|(name, value)| format!("{name}={}", one(value)))
                    .collect();
                f.write_str(&values.join(","))
            }
        }
    }
}

impl FromStr for Value {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let one = |text: &str| match text.trim() {
            "inf" | "∞" => Some(None),
            number => {
                // As they are typed in Chinese: ５, －3.
                let narrow: String = number.chars().map(crate::fold::fold_char).collect();
                narrow.parse::<i64>().ok().map(Some)
            }
        };
        let error = || ValueError(text.chars().take(80).collect());
        if !text.contains('=') {
            return match one(text).ok_or_else(error)? {
                Some(number) => Ok(Value::Number(number)),
                None => Ok(Value::Infinite),
            };
        }
        let mut values = BTreeMap::new();
        for pair in text.split(',') {
            let (name, value) = pair.split_once('=').ok_or_else(error)?;
            let name = name.trim();
            let known = values.insert(name.to_owned(), one(value).ok_or_else(error)?);
            if name.is_empty() || known.is_some() {
                return Err(error());
            }
        }
        Ok(Value::Named(values))
    }
}
