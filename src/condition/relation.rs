//! A condition over two or more named quantities.

use super::notation;
use super::numbers::{Condition, Order};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A quantity's value: a whole number, or `None` for a value greater than any number.
pub type Amount = Option<i64>;

/// A sum of scaled quantities and a number: `2 * a + b + 3`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Sum {
    /// Factor and name of each quantity, in the order written.
    pub terms: Vec<(i64, String)>,
    /// The number added to them.
    pub plus: i64,
}

impl Sum {
    /// One quantity.
    pub fn of(name: &str) -> Sum {
        Sum::scaled(1, name)
    }

    /// One quantity, so many times.
    pub fn scaled(factor: i64, name: &str) -> Sum {
        Sum {
            terms: vec![(factor, name.to_owned())],
            plus: 0,
        }
    }

    /// A number.
    pub fn number(plus: i64) -> Sum {
        Sum {
            terms: Vec::new(),
            plus,
        }
    }

    /// The sum's value, `None` where a quantity is not given; infinite if one of them is.
    fn value(&self, values: &BTreeMap<String, Amount>) -> Option<Option<i128>> {
        let mut total = Some(i128::from(self.plus));
        for (factor, name) in &self.terms {
            let value = values.get(name)?;
            total = match (total, value) {
                (Some(total), Some(value)) => Some(total + i128::from(*factor) * i128::from(*value)),
                _ => None,
            };
        }
        Some(total)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut joint = "";
        for (factor, name) in &self.terms {
            match factor {
                1 => write!(f, "{joint}{name}")?,
                _ => write!(f, "{joint}{factor} * {name}")?,
            }
            joint = " + ";
        }
        match (self.terms.is_empty(), self.plus) {
            (false, 0) => Ok(()),
            (false, plus) if plus < 0 => write!(f, " - {}", plus.unsigned_abs()),
            (_, plus) => write!(f, "{joint}{plus}"),
        }
    }
}

/// A condition over several quantities, known by name.
///
/// # Example
///
/// ```
/// use shiyi::condition::{Relation, Value};
///
/// let twice: Relation = "a >= 2 * b".parse()?;
/// let Value::Named(values) = "a=6,b=3".parse()? else { unreachable!() };
/// assert_eq!(twice.holds(&values), Some(true));
/// assert_eq!(twice.negated().to_string(), "a < 2 * b");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Two sums compared.
    Compare(Sum, Order, Sum),
    /// One quantity meets a condition.
    Meets(String, Condition),
    /// All of them hold.
    All(Vec<Relation>),
    /// At least one of them holds.
    Any(Vec<Relation>),
}

impl Relation {
    /// Whether these values meet it; none where a quantity it needs is not among them.
    pub fn holds(&self, values: &BTreeMap<String, Amount>) -> Option<bool> {
        match self {
            Relation::Compare(left, order, right) => {
                let ordering = match (left.value(values)?, right.value(values)?) {
                    (Some(left), Some(right)) => left.cmp(&right),
                    (None, None) => Ordering::Equal,
                    (None, _) => Ordering::Greater,
                    (_, None) => Ordering::Less,
                };
                Some(order.admits(ordering))
            }
            Relation::Meets(name, condition) => Some(match values.get(name)? {
                Some(value) => condition.holds(*value),
                None => condition.holds_infinite(),
            }),
            Relation::All(parts) => {
                let held: Option<Vec<bool>> = parts.iter().map(|part| part.holds(values)).collect();
                Some(held?.into_iter().all(|held| held))
            }
            Relation::Any(parts) => {
                let held: Option<Vec<bool>> = parts.iter().map(|part| part.holds(values)).collect();
                Some(held?.into_iter().any(|held| held))
            }
        }
    }

    /// The relation that holds exactly where this one does not.
    pub fn negated(&self) -> Relation {
        match self {
            Relation::Compare(left, order, right) => {
                Relation::Compare(left.clone(), order.negated(), right.clone())
            }
            Relation::Meets(name, condition) => Relation::Meets(name.clone(), condition.negated()),
            Relation::All(parts) => Relation::Any(parts.iter().map(Relation::negated).collect()),
            Relation::Any(parts) => Relation::All(parts.iter().map(Relation::negated).collect()),
        }
    }

    /// The names of its quantities, in order of first mention.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let mut add = |name| {
            if !names.contains(&name) {
                names.push(name);
            }
        };
        match self {
            Relation::Compare(left, _, right) => {
                left.terms
                    .iter()
                    .chain(&right.terms)
                    .for_each(|(_, name)| add(name.as_str()));
            }
            Relation::Meets(name, _) => add(name),
            Relation::All(parts) | Relation::Any(parts) => {
                parts.iter().flat_map(Relation::names).for_each(add);
            }
        }
        names
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, joint) = match self {
            Relation::Compare(left, order, right) => return write!(f, "{left} {} {right}", order.as_str()),
            Relation::Meets(name, condition) => return f.write_str(&condition.write_with(name)),
            Relation::All(parts) => (parts, " and "),
            Relation::Any(parts) => (parts, " or "),
        };
        for (idx, part) in parts.iter().enumerate() {
            if idx > 0 {
                f.write_str(joint)?;
            }
            let written = part.to_string();
            let simple = matches!(part, Relation::Compare(..))
                || matches!(part, Relation::Meets(..)) && !written.contains(" or ");
            if simple || parts.len() == 1 {
                f.write_str(&written)?
            } else {
                write!(f, "({written})")?
            }
        }
        Ok(())
    }
}

impl FromStr for Relation {
    type Err = notation::ConditionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        notation::parse_relation(text)
    }
}
