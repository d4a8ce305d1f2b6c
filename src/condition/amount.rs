//! Numeric expressions: the words that say how many.
//!
//! ```text
//! amount   = "between" number "and" number [ "inclusive" | "exclusive" ]
//!          | [ "from" ] number "to" number [ "inclusive" ]
//!          | exactly list | before number | before before number
//!          | list
//! list     = item { ( "," | "or" | ", or" ) item }
//! item     = number [ after ]
//! number   = digits | number words | letter, with a classifier where there is one
//! ```
//!
//! `before` and `after` are comparisons; both around one number contradict each other.

use super::lexer::Token;
use super::numbers::{Condition, Order};
use super::words::{Fault, Word};
use winnow::combinator::{alt, opt, peek, preceded, repeat};
use winnow::error::{ContextError, ErrMode};
use winnow::prelude::*;
use winnow::token::any;

/// What a numeric expression says of the number it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The numbers that meet it.
    Set(Condition),
    /// A plain number: what it means is a convention.
    Bare(i64),
    /// A list of plain numbers: one of them, unless a convention reads plain numbers otherwise.
    List(Condition),
    /// 以上 and the like alone: whether the bound belongs to it is a convention.
    Open(Order, i64),
    /// Up to so many.
    UpTo(i64),
    /// Any number.
    AnyNumber,
    /// A bound that is a letter: X or less.
    Letter(Order, char),
    /// It cannot be used.
    Fault(ClaimFault),
}

/// Why an expression cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimFault {
    /// A number is bad.
    Number(Fault),
    /// Comparisons contradict each other.
    Contradiction,
    /// Not said whether the ends of a range belong to it.
    OpenRange,
    /// The ends are the wrong way round.
    EmptyRange,
}

/// An expression and how many tokens it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Amount {
    /// What it says.
    pub claim: Claim,
    /// How many tokens it took.
    pub taken: usize,
    /// True where its number carries a classifier that names what is measured: 5星.
    pub trait_classifier: bool,
    /// True where a comparison after the number may still stand behind the noun: "three tokens or more".
    pub open_ended: bool,
}

type Input<'a> = &'a [Token];
type Parsed<T> = Result<T, ErrMode<ContextError>>;

/// Reads an expression at the front of `tokens`.
pub(super) fn read_amount(tokens: &[Token]) -> Option<Amount> {
    let mut input = tokens;
    let (claim, open_ended) = amount.parse_next(&mut input).ok()?;
    let taken = tokens.len() - input.len();
    let trait_classifier = tokens[..taken]
        .iter()
        .any(|token| token.word == Word::TraitClassifier);
    Some(Amount {
        claim,
        taken,
        trait_classifier,
        open_ended,
    })
}

/// A number of a list, with the comparisons after it and whether each is open.
type Item = (Number, Vec<(Order, bool)>);

/// A number with its classifier.
#[derive(Clone, Copy)]
enum Number {
    Good(i64),
    Letter(char),
    Bad(Fault),
}

fn word<'a, T>(pick: impl Fn(Word) -> Option<T>) -> impl Parser<Input<'a>, T, ErrMode<ContextError>> {
    any.verify_map(move |token: Token| pick(token.word))
}

fn is<'a>(wanted: Word) -> impl Parser<Input<'a>, (), ErrMode<ContextError>> {
    word(move |word| (word == wanted).then_some(()))
}

fn number(input: &mut Input<'_>) -> Parsed<Number> {
    let number = word(|word| match word {
        Word::Number(value) => Some(Number::Good(value)),
        Word::Letter(letter) => Some(Number::Letter(letter)),
        Word::Bad(fault) => Some(Number::Bad(fault)),
        _ => None,
    })
    .parse_next(input)?;
    opt(alt((is(Word::Classifier), is(Word::TraitClassifier)))).parse_next(input)?;
    Ok(number)
}

fn before(input: &mut Input<'_>) -> Parsed<Order> {
    word(|word| match word {
        Word::Before(order) => Some(order),
        _ => None,
    })
    .parse_next(input)
}

fn after(input: &mut Input<'_>) -> Parsed<(Order, bool)> {
    // 3个（含）以上, 3个以上（含）.
    let included = opt(is(Word::Inclusive)).parse_next(input)?.is_some();
    let (order, open) = word(|word| match word {
        Word::After(order) => Some((order, false)),
        Word::AfterOpen(order) => Some((order, true)),
        _ => None,
    })
    .parse_next(input)?;
    let included = included || opt(is(Word::Inclusive)).parse_next(input)?.is_some();
    if open && opt(is(Word::Exclusive)).parse_next(input)?.is_some() {
        let strict = if order == Order::AtLeast {
            Order::Greater
        } else {
            Order::Less
        };
        return Ok((strict, false));
    }
    Ok((order, open && !included))
}

fn is_bound(input: &mut Input<'_>) -> Parsed<()> {
    alt((before.void(), after.void(), is(Word::UpTo), is(Word::Exactly))).parse_next(input)
}

fn compare(order: Order, number: Number) -> Claim {
    match number {
        Number::Good(value) => Claim::Set(Condition::compare(order, value)),
        Number::Letter(letter) => Claim::Letter(order, letter),
        Number::Bad(fault) => Claim::Fault(ClaimFault::Number(fault)),
    }
}

const CONTRADICTION: Claim = Claim::Fault(ClaimFault::Contradiction);

/// The claim, and whether a comparison may still follow its noun.
fn amount(input: &mut Input<'_>) -> Parsed<(Claim, bool)> {
    alt((
        between.map(|claim| (claim, false)),
        range.map(|claim| (claim, false)),
        compared.map(|claim| (claim, false)),
        exact.map(|claim| (claim, false)),
        word(|word| (word == Word::AnyNumber).then_some((Claim::AnyNumber, false))),
        list,
    ))
    .parse_next(input)
}

fn between(input: &mut Input<'_>) -> Parsed<Claim> {
    let marked = opt(is(Word::Between)).parse_next(input)?.is_some();
    let from = opt(alt((is(Word::From), is(Word::Plain))))
        .parse_next(input)?
        .is_some();
    let low = number(input)?;
    alt((is(Word::And), is(Word::To))).parse_next(input)?;
    let high = number(input)?;
    let within = opt(is(Word::Within)).parse_next(input)?.is_some();
    let included = opt(word(|word| match word {
        Word::Inclusive => Some(true),
        Word::Exclusive => Some(false),
        _ => None,
    }))
    .parse_next(input)?;
    if !marked && !within || marked && from {
        return Err(ErrMode::Backtrack(ContextError::new()));
    }
    let claim = ends(low, high);
    Ok(match (claim, included) {
        (Claim::Set(set), Some(true)) => Claim::Set(set),
        (Claim::Set(_), Some(false)) => match (low, high) {
            (Number::Good(low), Number::Good(high)) => Claim::Set(
                Condition::compare(Order::Greater, low).and(&Condition::compare(Order::Less, high)),
            ),
            _ => Claim::Fault(ClaimFault::OpenRange),
        },
        (Claim::Set(_), None) => Claim::Fault(ClaimFault::OpenRange),
        (fault, _) => fault,
    })
}

fn ends(low: Number, high: Number) -> Claim {
    match (low, high) {
        (Number::Bad(fault), _) | (_, Number::Bad(fault)) => Claim::Fault(ClaimFault::Number(fault)),
        (Number::Letter(letter), _) | (_, Number::Letter(letter)) => Claim::Letter(Order::Equal, letter),
        (Number::Good(low), Number::Good(high)) if low > high => Claim::Fault(ClaimFault::EmptyRange),
        (Number::Good(low), Number::Good(high)) => Claim::Set(Condition::between(Some(low), Some(high))),
    }
}

fn range(input: &mut Input<'_>) -> Parsed<Claim> {
    opt(is(Word::Exactly)).parse_next(input)?;
    opt(is(Word::From)).parse_next(input)?;
    let low = number(input)?;
    is(Word::To).parse_next(input)?;
    let high = number(input)?;
    let excluded = opt(alt((
        is(Word::Inclusive).value(false),
        is(Word::Exclusive).value(true),
    )))
    .parse_next(input)?;
    if opt(peek(is_bound)).parse_next(input)?.is_some() {
        return Ok(CONTRADICTION);
    }
    match (excluded, low, high) {
        (Some(true), Number::Good(low), Number::Good(high)) => Ok(Claim::Set(
            Condition::compare(Order::Greater, low).and(&Condition::compare(Order::Less, high)),
        )),
        _ => Ok(ends(low, high)),
    }
}

/// A comparison, or several that agree, before the number.
fn compared(input: &mut Input<'_>) -> Parsed<Claim> {
    let mut comparison = alt((
        before.map(|order| (order, false)),
        is(Word::UpTo).value((Order::AtMost, true)),
    ));
    let (order, up_to) = comparison.parse_next(input)?;
    let more: Vec<(Order, bool)> = repeat(0.., comparison).parse_next(input)?;
    let exact = opt(is(Word::Exactly)).parse_next(input)?.is_some();
    let number = number(input)?;
    // Another comparison with a number of its own is another expression: 至少3个至多5个.
    let next = opt(peek((
        alt((before, is(Word::UpTo).value(Order::AtMost))),
        self::number,
    )))
    .parse_next(input)?;
    let other = next.is_some_and(|(next, _)| next != order);
    let bounded = !other && opt(peek(is_bound)).parse_next(input)?.is_some();
    if exact || more.len() > 1 || more.iter().any(|(other, _)| *other != order) {
        return Ok(CONTRADICTION);
    }
    if bounded {
        // "three or more" after a comparison is a second one on the same number.
        let _ = is_bound(input);
        return Ok(CONTRADICTION);
    }
    Ok(match (up_to && more.is_empty(), number) {
        (true, Number::Good(value)) => Claim::UpTo(value),
        _ => compare(order, number),
    })
}

/// Exactly one of several numbers.
fn exact(input: &mut Input<'_>) -> Parsed<Claim> {
    let marks: Vec<()> =
        repeat(1..=2, alt((is(Word::Exactly), is(Word::Only), is(Word::Equals)))).parse_next(input)?;
    debug_assert!(!marks.is_empty());
    if opt(peek(before)).parse_next(input)?.is_some() {
        before(input)?;
        number(input)?;
        return Ok(CONTRADICTION);
    }
    let first = number(input)?;
    let rest: Vec<Number> =
        repeat(0.., preceded(joint, preceded(opt(is(Word::Exactly)), number))).parse_next(input)?;
    if opt(after).parse_next(input)?.is_some() {
        return Ok(CONTRADICTION);
    }
    let mut values = Vec::with_capacity(rest.len() + 1);
    for number in std::iter::once(first).chain(rest) {
        match number {
            Number::Good(value) => values.push(value),
            Number::Letter(letter) => return Ok(Claim::Letter(Order::Equal, letter)),
            Number::Bad(fault) => return Ok(Claim::Fault(ClaimFault::Number(fault))),
        }
    }
    Ok(Claim::Set(Condition::one_of(&values)))
}

/// What stands between the numbers of a list.
fn joint(input: &mut Input<'_>) -> Parsed<()> {
    alt(((is(Word::Comma), opt(is(Word::Or))).void(), is(Word::Or))).parse_next(input)
}

/// "Or several", 或数个: after one, that is one or more.
fn or_several(input: &mut Input<'_>) -> Parsed<()> {
    is(Word::Or).parse_next(input)?;
    any.verify(|token: &Token| {
        token.word == Word::Vague
            && matches!(
                token.text.as_str(),
                "several" | "many" | "数" | "几" | "多个" | "多张" | "多只" | "好几"
            )
    })
    .parse_next(input)?;
    opt(is(Word::Classifier)).void().parse_next(input)
}

/// One number, or several of which the last is set off by "or"; each may have a comparison after it.
fn list(input: &mut Input<'_>) -> Parsed<(Claim, bool)> {
    let item = |input: &mut Input<'_>| {
        let number = number(input)?;
        let bounds: Vec<(Order, bool)> = repeat(0.., after).parse_next(input)?;
        Ok((number, bounds))
    };
    let first: Item = item(input)?;
    if let (Number::Good(1), []) = (first.0, &first.1[..])
        && opt(or_several).parse_next(input)?.is_some()
    {
        return Ok((Claim::Set(Condition::compare(Order::AtLeast, 1)), false));
    }
    let start = *input;
    // 3颗及3颗以上: the number is named twice.
    if first.1.is_empty()
        && let Some((number, bounds)) = opt(preceded(is(Word::And), item)).parse_next(input)?
    {
        if let (Number::Good(one), Number::Good(other), [(order, _)]) = (first.0, number, &bounds[..])
            && one == other
        {
            return Ok((Claim::Set(Condition::compare(*order, one)), false));
        }
        *input = start;
    }
    let rest: Vec<Item> = repeat(0.., preceded(joint, item)).parse_next(input)?;
    // A list needs an "or": numbers between commas alone belong to different things.
    let spent = start.len() - input.len();
    let has_or = start[..spent].iter().any(|token| token.word == Word::Or);
    let mut items = vec![first];
    if has_or {
        items.extend(rest);
    } else {
        *input = start;
    }
    if items.iter().any(|(_, bounds)| bounds.len() > 1) {
        return Ok((CONTRADICTION, false));
    }
    // "three, or three or more": the number is named twice.
    if let [(Number::Good(one), none), (Number::Good(other), bound)] = &items[..]
        && one == other
        && none.is_empty()
        && let [(order, _)] = bound[..]
    {
        return Ok((Claim::Set(Condition::compare(order, *one)), false));
    }
    if let [(number, bounds)] = &items[..] {
        return Ok(match (number, &bounds[..]) {
            (Number::Good(value), []) => (Claim::Bare(*value), true),
            (Number::Good(value), [(order, true)]) => (Claim::Open(*order, *value), false),
            (Number::Letter(letter), []) => (Claim::Letter(Order::Equal, *letter), true),
            (Number::Bad(fault), _) => (Claim::Fault(ClaimFault::Number(*fault)), false),
            (number, [(order, _), ..]) => (compare(*order, *number), false),
        });
    }
    let plain = items.iter().all(|(_, bounds)| bounds.is_empty());
    let mut set = Condition::never();
    for (number, bounds) in items {
        let value = match number {
            Number::Good(value) => value,
            Number::Letter(letter) => return Ok((Claim::Letter(Order::Equal, letter), false)),
            Number::Bad(fault) => return Ok((Claim::Fault(ClaimFault::Number(fault)), false)),
        };
        set = match bounds.first() {
            None => set.or(&Condition::compare(Order::Equal, value)),
            Some((order, false)) => set.or(&Condition::compare(*order, value)),
            Some((_, true)) => return Ok((CONTRADICTION, false)),
        };
    }
    if plain {
        Ok((Claim::List(set), false))
    } else {
        Ok((Claim::Set(set), false))
    }
}
