//! Numeric conditions as values, and the grammar that reads them.
//!
//! A phrase such as "two or more creatures" or 3个以上指示物 is read in two steps. This module finds what the
//! *language* settles: which words are numbers, comparisons, negations, and what they are about. What a bare number
//! means is a convention of each game and is added by [`crate::evaluate`].

mod amount;
mod choice;
mod clause;
mod comparison;
mod leftover;
mod lexer;
mod notation;
mod numbers;
mod numeral;
mod predicate;
mod reading;
mod relation;
mod subject;
mod words;

pub use amount::{Claim, ClaimFault};
pub use choice::Choice;
pub use notation::ConditionError;
pub use numbers::{Condition, Domain, Interval, Order};
pub(crate) use numeral::read_chinese;
pub use predicate::{Predicate, Value, ValueError};
pub use reading::{
    Clause, Joint, Leftover, LeftoverKind, MAX_TEXT_BYTES, Mention, Reading, Role, Says, Subject, Time, read,
};
pub use relation::{Amount, Relation, Sum};
pub use words::Fault;
