//! Comparisons of two quantities: "fewer creatures than that player", 红宝石至少为蓝宝石的两倍.

use super::lexer::Token;
use super::numbers::Order;
use super::relation::{Relation, Sum};
use super::words::Word;
use std::ops::Range;

/// A comparison of two quantities, with token ranges.
pub(super) struct Compared {
    /// What has to hold of `a` and `b`.
    pub relation: Relation,
    /// What `a` is.
    pub left: Range<usize>,
    /// What `b` is.
    pub right: Range<usize>,
    /// Where the words that compare begin: a negation before them negates the comparison.
    pub from: usize,
}

/// True for tokens that name a quantity and hold no number or comparison.
fn is_quantity(tokens: &[Token]) -> bool {
    let names = tokens.iter().any(|token| {
        matches!(
            token.word,
            Word::Content
                | Word::Trait
                | Word::Letter(_)
                | Word::Person
                | Word::Masked
                | Word::Target
                | Word::Stats
        )
    });
    names
        && tokens.iter().all(|token| {
            matches!(
                token.word,
                Word::Content
                    | Word::Trait
                    | Word::Letter(_)
                    | Word::Person
                    | Word::Masked
                    | Word::Target
                    | Word::Stats
                    | Word::Plain
                    | Word::At
                    | Word::Have
                    | Word::There
                    | Word::With
                    | Word::Of
                    | Word::De
                    | Word::Is
                    | Word::NumberOf
                    | Word::Article
                    | Word::Other
                    | Word::Another
                    | Word::Modal
                    | Word::Act
                    | Word::Not
                    | Word::ItIsNotTrue
            )
        })
}

/// What things have and what is no number.
const NO_NUMBERS: &[&str] = &[
    "name",
    "color",
    "colour",
    "type",
    "controller",
    "owner",
    "名称",
    "名字",
    "卡名",
    "颜色",
    "类别",
    "种类",
    "操控者",
    "拥有者",
    "属性",
    "种族",
];

/// Reads a factor before a quantity: half, twice, three times. The pair is (times the left, times the right).
fn factor(tokens: &[Token]) -> Option<((i64, i64), usize)> {
    match tokens {
        [first, ..] if first.word == Word::Half => Some(((2, 1), 1)),
        [first, ..] => match (first.word, tokens.get(1).map(|token| token.word)) {
            (Word::Multiple(times), _) => Some(((1, times), 1)),
            (Word::Number(times), Some(Word::Times)) if times > 0 => Some(((1, times), 2)),
            _ => None,
        },
        [] => None,
    }
}

/// Reads a factor after a quantity: 的两倍, 的一半.
fn trailing_factor(tokens: &[Token]) -> ((i64, i64), usize) {
    match tokens {
        [.., number, times] if times.word == Word::Times => match number.word {
            Word::Number(value) if value > 0 => ((1, value), 2),
            _ => ((1, 1), 0),
        },
        [.., last] => match last.word {
            Word::Half => ((2, 1), 1),
            Word::Multiple(times) => ((1, times), 1),
            _ => ((1, 1), 0),
        },
        [] => ((1, 1), 0),
    }
}

fn compare(order: Order, (left, right): (i64, i64), plus: i64) -> Relation {
    let mut other = Sum::scaled(right, "b");
    other.plus = plus;
    Relation::Compare(Sum::scaled(left, "a"), order, other)
}

/// Finds a comparison of two quantities in the tokens of a condition.
pub(super) fn relation(tokens: &[Token]) -> Option<Compared> {
    // A negation inside of the comparison negates something else.
    find(tokens).filter(|found| {
        tokens[found.from..]
            .iter()
            .all(|token| !matches!(token.word, Word::Not | Word::ItIsNotTrue))
    })
}

fn find(tokens: &[Token]) -> Option<Compared> {
    let position = |word: fn(Word) -> bool| tokens.iter().position(|token| word(token.word));
    comparison_by_than(tokens)
        .or_else(|| as_many(tokens))
        .or_else(|| {
            // The same number of red and blue tokens.
            let same = position(|word| word == Word::SameNumber)?;
            let joint =
                (same + 1..tokens.len()).find(|at| matches!(tokens[*at].word, Word::And | Word::As))?;
            let (left, right) = (same + 1..joint, joint + 1..tokens.len());
            let fits = is_quantity(&tokens[left.clone()])
                && is_quantity(&tokens[right.clone()])
                && tokens[..same].iter().all(|token| !token.is_number());
            fits.then(|| Compared {
                relation: compare(Order::Equal, (1, 1), 0),
                left,
                right,
                from: same,
            })
        })
        .or_else(|| {
            // A different number of red and blue tokens.
            let other = tokens
                .windows(2)
                .position(|pair| pair[0].word == Word::Different && pair[1].word == Word::NumberOf)?;
            let joint = (other + 2..tokens.len()).find(|at| tokens[*at].word == Word::And)?;
            let (left, right) = (other + 2..joint, joint + 1..tokens.len());
            let fits = is_quantity(&tokens[left.clone()])
                && is_quantity(&tokens[right.clone()])
                && tokens[..other].iter().all(|token| !token.is_number());
            fits.then_some(Compared {
                relation: compare(Order::Unequal, (1, 1), 0),
                left,
                right,
                from: other,
            })
        })
        .or_else(|| {
            // A and B are equal, A与B数量相同.
            let differ = tokens.len().checked_sub(1).filter(|last| {
                tokens[*last].word == Word::Different && *last > 0 && tokens[*last - 1].word == Word::NumberOf
            });
            let order = if differ.is_some() {
                Order::Unequal
            } else {
                Order::Equal
            };
            let alike = differ.or_else(|| position(|word| word == Word::Alike))?;
            // What is no number can be alike, too.
            let names = |token: &Token| NO_NUMBERS.iter().any(|word| token.text.contains(word));
            if tokens.iter().any(names) && tokens.iter().all(|token| token.word != Word::NumberOf) {
                return None;
            }
            let joint = (0..alike).find(|at| tokens[*at].word == Word::And)?;
            let mut stop = alike;
            while stop > joint
                && matches!(
                    tokens[stop - 1].word,
                    Word::Is | Word::De | Word::NumberOf | Word::Not
                )
            {
                stop -= 1;
            }
            let (left, right) = (0..joint, joint + 1..stop);
            let fits = is_quantity(&tokens[left.clone()])
                && is_quantity(&tokens[right.clone()])
                && tokens[alike + 1..].is_empty();
            fits.then(|| Compared {
                relation: compare(order, (1, 1), 0),
                left,
                right,
                from: alike,
            })
        })
        .or_else(|| compared_with(tokens))
        .or_else(|| by_order(tokens))
}

/// A is less than or equal to B, A高于B, A至少为B的两倍.
fn by_order(tokens: &[Token]) -> Option<Compared> {
    for (idx, token) in tokens.iter().enumerate() {
        let order = match token.word {
            // "A phase other than their main phase" compares no numbers.
            Word::Before(Order::Unequal) if !token.han && token.text.contains(' ') => continue,
            // "Under your control" is a place.
            Word::Before(_) if matches!(token.text.as_str(), "over" | "under" | "above" | "below") => {
                continue;
            }
            Word::Before(order) => order,
            Word::UpTo => Order::AtMost,
            Word::Equals => Order::Equal,
            Word::Exactly => Order::Equal,
            _ => continue,
        };
        let mut next = idx + 1;
        if tokens.get(next).is_some_and(|token| token.word == Word::Is) {
            next += 1;
        }
        let (mut scale, taken) = factor(&tokens[next..]).unwrap_or(((1, 1), 0));
        next += taken;
        let mut end = tokens.len();
        if taken == 0 {
            let (trailing, length) = trailing_factor(&tokens[next..]);
            scale = trailing;
            end -= length;
        }
        // "At least 10 greater than": how far apart they are.
        let mut relation = compare(order, scale, 0);
        if let (Some(Word::Number(by)), Some(Word::Before(side))) = (
            tokens.get(next).map(|token| token.word),
            tokens.get(next + 1).map(|token| token.word),
        ) {
            relation = match (order, side) {
                (Order::AtLeast | Order::Equal, Order::Greater) => compare(order, (1, 1), by),
                (Order::AtLeast, Order::Less) => compare(Order::AtMost, (1, 1), -by),
                (Order::Equal, Order::Less) => compare(Order::Equal, (1, 1), -by),
                _ => return None,
            };
            next += 2;
        }
        if tokens.get(next).is_none_or(|token| token.is_number()) {
            return None;
        }
        let mut stop = idx;
        while stop > 0
            && matches!(
                tokens[stop - 1].word,
                Word::Is | Word::Plain | Word::Modal | Word::Not
            )
        {
            stop -= 1;
        }
        let (left, right) = (0..stop, next..end);
        let apart = next > idx + 2;
        let plain = !matches!(token.word, Word::Exactly | Word::UpTo) || scale != (1, 1) || apart;
        if tokens.get(next).is_some_and(|token| token.word == Word::De)
            || tokens[next..end]
                .iter()
                .all(|token| token.text.chars().count() < 2 && token.han)
        {
            return None;
        }
        let hangs = |word| matches!(word, Word::With | Word::Have | Word::Of | Word::De | Word::Act);
        // "The number of creatures you control" ends in a verb and hangs on nothing.
        let told = stop > 2
            && tokens[stop - 1].word == Word::Have
            && tokens[stop - 2].word == Word::Person
            && tokens[..stop].iter().any(|token| token.word == Word::NumberOf);
        if stop > 0 && hangs(tokens[stop - 1].word) && !told {
            return None;
        }
        if next >= end
            || !plain
            || !is_quantity(&tokens[left.clone()])
            || !is_quantity(&tokens[right.clone()])
        {
            return None;
        }
        return Some(Compared {
            relation,
            left,
            right,
            from: idx,
        });
    }
    None
}

/// Fewer creatures than that player, at least two more cards than you.
fn comparison_by_than(tokens: &[Token]) -> Option<Compared> {
    let than = tokens.iter().position(|token| token.word == Word::Than)?;
    let idx = tokens[..than]
        .iter()
        .rposition(|token| matches!(token.word, Word::Comparative(_)))?;
    let Word::Comparative(order) = tokens[idx].word else {
        return None;
    };
    let right = than + 1..tokens.len();
    let mut start = idx;
    let mut relation = compare(order, (1, 1), 0);
    if idx > 0
        && let Word::Number(by) = tokens[idx - 1].word
    {
        // "Two more" alone leaves open whether three more will do.
        let asked = match tokens.get(idx.checked_sub(2)?).map(|token| token.word)? {
            Word::Before(Order::AtLeast) => Order::AtLeast,
            Word::Exactly => Order::Equal,
            _ => return None,
        };
        relation = match (order, asked) {
            (Order::Greater, asked) => compare(asked, (1, 1), by),
            (Order::Less, Order::AtLeast) => compare(Order::AtMost, (1, 1), -by),
            (Order::Less, _) => compare(Order::Equal, (1, 1), -by),
            _ => return None,
        };
        start = idx - 2;
    }
    let left = idx + 1..than;
    let named = is_quantity(&tokens[left.clone()]) || left.is_empty() && is_quantity(&tokens[..start]);
    let before = tokens[..start].is_empty()
        || is_quantity(&tokens[..start])
        || tokens[..start].iter().all(|token| {
            matches!(
                token.word,
                Word::There | Word::Is | Word::Have | Word::Plain | Word::Not | Word::ItIsNotTrue
            )
        });
    if !named || !before || !is_quantity(&tokens[right.clone()]) {
        return None;
    }
    let left = if left.is_empty() { 0..start } else { 0..than };
    Some(Compared {
        relation,
        left,
        right,
        from: start,
    })
}

/// At least twice as many red tokens as blue tokens.
fn as_many(tokens: &[Token]) -> Option<Compared> {
    let many = tokens.iter().position(|token| token.word == Word::AsMany)?;
    let joint = (many + 1..tokens.len()).find(|at| tokens[*at].word == Word::As)?;
    let mut start = many;
    let mut scale = (1, 1);
    if start > 0 {
        for length in [2, 1] {
            if let Some(from) = start.checked_sub(length)
                && let Some((found, taken)) = factor(&tokens[from..many])
                && taken == length
            {
                scale = found;
                start = from;
                break;
            }
        }
    }
    // Without "at least" or "exactly" it is open whether more will do.
    let order = match tokens.get(start.checked_sub(1)?)?.word {
        Word::Before(order) => order,
        Word::Exactly => Order::Equal,
        _ => return None,
    };
    let (left, right) = (many + 1..joint, joint + 1..tokens.len());
    let before = &tokens[..start - 1];
    let fits = is_quantity(&tokens[left.clone()])
        && is_quantity(&tokens[right.clone()])
        && (before.is_empty() || is_quantity(before));
    fits.then(|| Compared {
        relation: compare(order, scale, 0),
        left,
        right,
        from: start - 1,
    })
}

/// A比B多, A比B至少多3个.
fn compared_with(tokens: &[Token]) -> Option<Compared> {
    let with = tokens.iter().position(|token| token.word == Word::Compared)?;
    let idx = (with + 1..tokens.len()).find(|at| matches!(tokens[*at].word, Word::Comparative(_)))?;
    let Word::Comparative(order) = tokens[idx].word else {
        return None;
    };
    let mut stop = idx;
    let mut asked = None;
    match tokens[stop - 1].word {
        Word::Before(Order::AtLeast) => asked = Some(Order::AtLeast),
        Word::Exactly => asked = Some(Order::Equal),
        _ => {}
    }
    stop -= usize::from(asked.is_some());
    let mut end = idx + 1;
    // 多至少2颗 is 至少多2颗.
    let inner = match tokens.get(end).map(|token| token.word) {
        Some(Word::Before(Order::AtLeast)) => Some(Order::AtLeast),
        Some(Word::Exactly) => Some(Order::Equal),
        _ => None,
    };
    if let (Some(inner), None) = (inner, asked) {
        asked = Some(inner);
        end += 1;
    }
    let mut by = 0;
    if let Some(Word::Number(value)) = tokens.get(end).map(|token| token.word) {
        by = value;
        end += 1;
        end += usize::from(
            tokens
                .get(end)
                .is_some_and(|token| token.word == Word::Classifier),
        );
        if let Some(Word::After(Order::AtLeast) | Word::AfterOpen(Order::AtLeast)) =
            tokens.get(end).map(|t| t.word)
        {
            if asked.is_some() {
                return None;
            }
            asked = Some(Order::AtLeast);
            end += 1;
        }
        asked?;
    } else if asked.is_some() {
        return None;
    }
    let relation = match (order, asked) {
        (order, None) => compare(order, (1, 1), 0),
        (Order::Greater, Some(asked)) => compare(asked, (1, 1), by),
        (Order::Less, Some(Order::AtLeast)) => compare(Order::AtMost, (1, 1), -by),
        (Order::Less, Some(_)) => compare(Order::Equal, (1, 1), -by),
        _ => return None,
    };
    let (left, right) = (0..with, with + 1..stop);
    let fits = is_quantity(&tokens[left.clone()])
        && is_quantity(&tokens[right.clone()])
        && tokens[end..]
            .iter()
            .all(|token| matches!(token.word, Word::De | Word::Content));
    fits.then_some(Compared {
        relation,
        left,
        right,
        from: with,
    })
}
