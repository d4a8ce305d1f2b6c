//! Predicates as scripts write them: `x >= 2`, `x in {0,5}`, `a >= 2 * b`, `choice 0..=2`.
//!
//! ```text
//! expression  = conjunction { "or" conjunction }
//! conjunction = atom { "and" atom }
//! atom        = "(" expression ")" | "true" | "false"
//!             | name "in" "{" number { "," number } "}"
//!             | name "%" "2" "==" ("0" | "1")
//!             | sum order sum [ order sum ]
//! sum         = term { ("+" | "-") term }
//! term        = number [ "*" name ] | name
//! choice      = "choice" ( [number] ".." [ "=" number ] | "{" number { "," number } "}" )
//! ```

use super::choice::Choice;
use super::numbers::{Condition, Order};
use super::relation::{Relation, Sum};
use winnow::ascii::{digit1, multispace0};
use winnow::combinator::{alt, cut_err, delimited, opt, preceded, repeat, separated};
use winnow::prelude::*;
use winnow::token::take_while;

/// A predicate that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no predicate: unexpected {found} at character {}, write one such as `x >= 2`", .at + 1)]
pub struct ConditionError {
    /// What was given.
    pub text: String,
    /// What stands where reading stopped.
    found: String,
    /// Characters before the place where reading stopped.
    pub at: usize,
}

/// How deep brackets may nest, and how long a predicate may be: more is no honest predicate.
const MAX_DEPTH: usize = 64;
const MAX_BYTES: usize = 4096;

type Input<'a> = winnow::stream::Stateful<&'a str, usize>;

/// Reads a predicate over `x`.
pub(super) fn parse_condition(text: &str) -> Result<Condition, ConditionError> {
    let relation = parse_relation(text)?;
    single(&relation, "x").ok_or_else(|| error_at(text, text.len()))
}

/// Reads a predicate over any names.
pub(super) fn parse_relation(text: &str) -> Result<Relation, ConditionError> {
    whole(text, expression)
}

/// Reads a choice.
pub(super) fn parse_choice(text: &str) -> Result<Choice, ConditionError> {
    whole(text, choice)
}

fn whole<'a, T>(
    text: &'a str,
    parser: impl FnOnce(&mut Input<'a>) -> ModalResult<T>,
) -> Result<T, ConditionError> {
    if text.len() > MAX_BYTES {
        return Err(error_at(text, MAX_BYTES));
    }
    let mut input = Input {
        input: text,
        state: 0,
    };
    let parsed = parser(&mut input);
    let _ = space(&mut input);
    match parsed {
        Ok(value) if input.input.is_empty() => Ok(value),
        _ => Err(error_at(text, text.len() - input.input.len())),
    }
}

fn error_at(text: &str, byte: usize) -> ConditionError {
    let rest = text.get(byte..).unwrap_or("");
    ConditionError {
        text: text.chars().take(80).collect(),
        found: rest
            .chars()
            .next()
            .map_or_else(|| "end".to_owned(), |c| format!("`{c}`")),
        at: text.get(..byte).unwrap_or(text).chars().count(),
    }
}

/// The condition on one quantity that a relation amounts to, if it is about `name` alone.
fn single(relation: &Relation, name: &str) -> Option<Condition> {
    match relation {
        Relation::Meets(other, condition) => (other == name || other.is_empty()).then(|| condition.clone()),
        Relation::Compare(..) => None,
        Relation::All(parts) => parts.iter().try_fold(Condition::always(), |all, part| {
            Some(all.and(&single(part, name)?))
        }),
        Relation::Any(parts) => parts
            .iter()
            .try_fold(Condition::never(), |any, part| Some(any.or(&single(part, name)?))),
    }
}

/// Joins parts; those about one quantity become one condition on it.
fn join(parts: Vec<Relation>, all: bool) -> Relation {
    let mut joined: Vec<Relation> = Vec::with_capacity(parts.len());
    for part in parts {
        let known = joined.iter_mut().find_map(|known| match (known, &part) {
            (Relation::Meets(name, known), Relation::Meets(other, condition)) if name == other => {
                Some((known, condition))
            }
            _ => None,
        });
        match known {
            Some((known, condition)) if all => *known = known.and(condition),
            Some((known, condition)) => *known = known.or(condition),
            None => joined.push(part),
        }
    }
    match joined.len() {
        1 => joined.remove(0),
        _ if all => Relation::All(joined),
        _ => Relation::Any(joined),
    }
}

fn space(input: &mut Input<'_>) -> ModalResult<()> {
    multispace0.void().parse_next(input)
}

fn sign<'a>(
    text: &'static str,
) -> impl Parser<Input<'a>, &'a str, winnow::error::ErrMode<winnow::error::ContextError>> {
    preceded(multispace0, text)
}

fn name<'a>(input: &mut Input<'a>) -> ModalResult<&'a str> {
    preceded(
        multispace0,
        take_while(1.., |c: char| c.is_alphabetic() || c == '_'),
    )
    .verify(|name: &str| !matches!(name, "and" | "or" | "in" | "true" | "false" | "choice"))
    .parse_next(input)
}

fn word<'a>(
    text: &'static str,
) -> impl Parser<Input<'a>, &'a str, winnow::error::ErrMode<winnow::error::ContextError>> {
    preceded(multispace0, take_while(1.., char::is_alphabetic)).verify(move |word: &str| word == text)
}

fn number(input: &mut Input<'_>) -> ModalResult<i64> {
    preceded(multispace0, (opt('-'), digit1).take())
        .try_map(str::parse)
        .parse_next(input)
}

fn order(input: &mut Input<'_>) -> ModalResult<Order> {
    preceded(
        multispace0,
        alt((
            "<=".value(Order::AtMost),
            ">=".value(Order::AtLeast),
            "==".value(Order::Equal),
            "!=".value(Order::Unequal),
            "<".value(Order::Less),
            ">".value(Order::Greater),
        )),
    )
    .parse_next(input)
}

fn set(input: &mut Input<'_>) -> ModalResult<Vec<i64>> {
    delimited(sign("{"), separated(1.., number, sign(",")), sign("}")).parse_next(input)
}

fn term(input: &mut Input<'_>) -> ModalResult<Sum> {
    alt((
        (number, sign("*"), name).map(|(factor, _, name)| Sum::scaled(factor, name)),
        number.map(Sum::number),
        name.map(Sum::of),
    ))
    .parse_next(input)
}

fn sum(input: &mut Input<'_>) -> ModalResult<Sum> {
    let first = term.parse_next(input)?;
    let more: Vec<(&str, Sum)> = repeat(0.., (alt((sign("+"), sign("-"))), term)).parse_next(input)?;
    more.into_iter().try_fold(first, |mut sum, (joint, term)| {
        let scale = if joint == "-" { -1 } else { 1 };
        let plus = term
            .plus
            .checked_mul(scale)
            .and_then(|plus| sum.plus.checked_add(plus));
        sum.plus = plus.ok_or_else(backtrack)?;
        sum.terms.extend(
            term.terms
                .into_iter()
                .map(|(factor, name)| (factor.saturating_mul(scale), name)),
        );
        Ok(sum)
    })
}

fn backtrack() -> winnow::error::ErrMode<winnow::error::ContextError> {
    winnow::error::ErrMode::Backtrack(winnow::error::ContextError::new())
}

fn comparison(input: &mut Input<'_>) -> ModalResult<Relation> {
    let (left, first, middle) = (sum, order, sum).parse_next(input)?;
    let left = compare(left, first, middle.clone());
    Ok(match opt((order, sum)).parse_next(input)? {
        Some((second, right)) => join(vec![left, compare(middle, second, right)], true),
        None => left,
    })
}

fn compare(left: Sum, order: Order, right: Sum) -> Relation {
    match (&left.terms[..], &right.terms[..]) {
        ([(1, name)], []) if left.plus == 0 => {
            Relation::Meets(name.clone(), Condition::compare(order, right.plus))
        }
        ([], [(1, name)]) if right.plus == 0 => {
            Relation::Meets(name.clone(), Condition::compare(order.flipped(), left.plus))
        }
        _ => Relation::Compare(left, order, right),
    }
}

fn atom(input: &mut Input<'_>) -> ModalResult<Relation> {
    let parity = alt((
        sign("0").value(Condition::even()),
        sign("1").value(Condition::odd()),
    ));
    alt((
        delimited(sign("("), nested, cut_err(sign(")"))),
        word("true").map(|_| Relation::Meets(String::new(), Condition::always())),
        word("false").map(|_| Relation::Meets(String::new(), Condition::never())),
        (name, word("in"), set)
            .map(|(name, _, set)| Relation::Meets(name.to_owned(), Condition::one_of(&set))),
        (name, sign("%"), sign("2"), sign("=="), parity)
            .map(|(name, _, _, _, parity)| Relation::Meets(name.to_owned(), parity)),
        comparison,
    ))
    .parse_next(input)
}

fn nested(input: &mut Input<'_>) -> ModalResult<Relation> {
    if input.state >= MAX_DEPTH {
        return Err(backtrack().cut());
    }
    input.state += 1;
    let inner = expression(input);
    input.state -= 1;
    inner
}

fn expression(input: &mut Input<'_>) -> ModalResult<Relation> {
    let conjunction = |input: &mut Input<'_>| {
        separated(1.., atom, word("and"))
            .map(|parts| join(parts, true))
            .parse_next(input)
    };
    separated(1.., conjunction, word("or"))
        .map(|parts| join(parts, false))
        .parse_next(input)
}

fn choice(input: &mut Input<'_>) -> ModalResult<Choice> {
    word("choice").parse_next(input)?;
    let range = (opt(number), sign(".."), opt(preceded(sign("="), number)))
        .verify(|(low, _, high)| low.is_some() || high.is_some())
        .map(|(low, _, high)| Choice::Range { low, high });
    alt((set.map(Choice::OneOf), range)).parse_next(input)
}
