//! Numeric conditions as values, and the grammar that reads them.
//!
//! A phrase such as "two or more creatures" or 3个以上指示物 is read in two steps. This module finds what the
//! *language* settles: which words are numbers, comparisons, negations, and what they are about. What a bare number
//! means is a convention of each game and is added by [`crate::evaluate`].

mod choice;
mod notation;
mod numbers;
mod predicate;
mod relation;

pub use choice::Choice;
pub use notation::ConditionError;
pub use numbers::{Condition, Domain, Interval, Order};
pub use predicate::{Predicate, Value, ValueError};
pub use relation::{Amount, Relation, Sum};
