//! How many a player may pick.

use super::notation;
use std::fmt;
use std::str::FromStr;

/// The numbers a player may choose from.
///
/// # Example
///
/// ```
/// use shiyi::condition::Choice;
///
/// let up_to_two: Choice = "choice 0..=2".parse()?;
/// assert_eq!(up_to_two.allows(0), Some(true));
/// // Where only the upper bound is settled, whether fewer may be picked is open.
/// assert_eq!("choice ..=2".parse::<Choice>()?.allows(0), None);
/// # Ok::<(), shiyi::condition::ConditionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    /// From `low` to `high`, both included. A missing `high` is no upper bound; a missing `low` means that no rule
    /// settles the lower bound, save that the upper bound itself may be chosen.
    Range {
        /// The least number that may be chosen.
        low: Option<i64>,
        /// The greatest number that may be chosen.
        high: Option<i64>,
    },
    /// One of these numbers, sorted.
    OneOf(Vec<i64>),
}

impl Choice {
    /// The choice between these numbers: a range where they follow on each other.
    pub fn of(numbers: &[i64]) -> Choice {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        match (sorted.first(), sorted.last()) {
            (Some(low), Some(high)) if high.abs_diff(*low) == sorted.len() as u64 - 1 => Choice::Range {
                low: Some(*low),
                high: Some(*high),
            },
            _ => Choice::OneOf(sorted),
        }
    }

    /// Whether `number` may be chosen; none where no rule settles it.
    pub fn allows(&self, number: i64) -> Option<bool> {
        match self {
            Choice::OneOf(numbers) => Some(numbers.contains(&number)),
            Choice::Range { high: Some(high), .. } if number > *high => Some(false),
            Choice::Range { low: Some(low), .. } => Some(number >= *low),
            Choice::Range { low: None, high } if *high == Some(number) => Some(true),
            Choice::Range { low: None, .. } if number < 0 => Some(false),
            Choice::Range { low: None, .. } => None,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Range { low, high } => {
                f.write_str("choice ")?;
                if let Some(low) = low {
                    write!(f, "{low}")?;
                }
                f.write_str("..")?;
                match high {
                    Some(high) => write!(f, "={high}"),
                    None => Ok(()),
                }
            }
            Choice::OneOf(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                write!(f, "choice {{{}}}", numbers.join(","))
            }
        }
    }
}

impl FromStr for Choice {
    type Err = notation::ConditionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        notation::parse_choice(text)
    }
}
