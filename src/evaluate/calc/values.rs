//! Values that change, are exchanged, rounded, chosen, or greater than any number.

use super::{Outcome, TOO_LARGE, Work, object};
use crate::evaluate::text;
use crate::game::calculation::Direction;
use crate::game::numeric::{Sourced, in_force};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// A value becomes another: which way, by how much, and what that counts as.
pub(super) fn value_change(work: &mut Work<'_>) -> Outcome {
    let what = work.words("what")?;
    let (old, new) = (work.amount("old")?, work.amount("new")?);
    let Some(mut result) = change(work, what, old, new) else {
        return Ok(None);
    };
    let amount = match (old, new) {
        (Some(old), Some(new)) => match i64::try_from(i128::from(old).abs_diff(i128::from(new))) {
            Ok(amount) => json!(amount),
            Err(_) => return work.undecided(TOO_LARGE.0, TOO_LARGE.1),
        },
        (None, None) => json!(0),
        _ => json!("inf"),
    };
    result.insert("amount".to_owned(), amount);
    Ok(Some(result))
}

/// Which way a value went, and what that counts as; none where no rule says.
fn change(work: &mut Work<'_>, what: &str, old: Option<i64>, new: Option<i64>) -> Option<Map<String, Value>> {
    let rule = work.rule_about(|rules| &rules.change, |change| &change.names, what)?;
    let order = match (old, new) {
        (Some(old), Some(new)) => new.cmp(&old),
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
    };
    let (direction, counts_as) = match order {
        Ordering::Greater => ("increase", rule.rise.as_slice()),
        Ordering::Less => ("decrease", rule.fall.as_slice()),
        Ordering::Equal => ("none", [].as_slice()),
    };
    work.note(
        what,
        text("what a rise or fall of it counts as", "其增减视为什么"),
        rule.source(),
    );
    Some(object([
        ("direction", json!(direction)),
        ("counts_as", json!(counts_as)),
    ]))
}

/// Two values change places.
pub(super) fn exchange(work: &mut Work<'_>) -> Outcome {
    let what = work.words("what")?;
    let (a, b) = (work.amount("a")?, work.amount("b")?);
    if let Some(rule) = work.rule(|rules| &rules.exchange) {
        work.note(
            what,
            text("an exchange is a change of each", "交换即各自的变化"),
            rule.source(),
        );
    }
    let mut result = Map::new();
    for (key, old, new) in [("a", a, b), ("b", b, a)] {
        let Some(mut side) = change(work, what, old, new) else {
            return Ok(None);
        };
        side.insert(
            "new".to_owned(),
            new.map_or_else(|| json!("inf"), |new| json!(new)),
        );
        result.insert(key.to_owned(), Value::Object(side));
    }
    work.because.dedup();
    Ok(Some(result))
}

/// A number rounded, floored, or halved.
pub(super) fn round(work: &mut Work<'_>) -> Outcome {
    let what = work.words("what")?;
    let operation = work.words("operation")?.to_lowercase();
    let undefined = what == "undefined"
        || work
            .get("value")
            .is_none_or(|value| matches!(value.as_str(), Some("None" | "none" | "undefined" | "null")));
    if undefined {
        let Some(rule) = work.rule(|rules| &rules.undefined) else {
            return Ok(None);
        };
        work.note(
            "undefined",
            text("an undefined number is this one", "不确定的数字视为此数"),
            rule.source(),
        );
        return Ok(Some(object([("result", json!(rule.value))])));
    }
    let value = work.whole("value")?;
    let result = if operation == "settle" {
        let Some(rule) = work.rule_about(|rules| &rules.settle, |settle| &settle.names, what) else {
            return Ok(None);
        };
        work.note(
            what,
            text("rounded up to a multiple", "向上取整到倍数"),
            rule.source(),
        );
        let multiple = i128::from(rule.multiple.max(1));
        Some(-(-i128::from(value)).div_euclid(multiple) * multiple)
    } else if let Some((sign, by)) = step(&operation) {
        return floored(
            work,
            what,
            i128::from(value) + i128::from(sign) * i128::from(by),
            &operation,
        );
    } else if let Some(divisor) = divisor(&operation) {
        return part(work, value, divisor, &operation);
    } else {
        return work.undecided("the operation is not known", "不认识的运算");
    };
    answer(work, result)
}

fn answer(work: &mut Work<'_>, result: Option<i128>) -> Outcome {
    match result.and_then(|result| i64::try_from(result).ok()) {
        Some(result) => Ok(Some(object([("result", json!(result))]))),
        None => work.undecided(TOO_LARGE.0, TOO_LARGE.1),
    }
}

/// `plus 3`, `minus 5`, `+3`, `-5`.
fn step(operation: &str) -> Option<(i64, i64)> {
    let signs = [
        ("plus", 1),
        ("minus", -1),
        ("add", 1),
        ("subtract", -1),
        ("+", 1),
        ("-", -1),
        ("加", 1),
        ("减", -1),
    ];
    signs.iter().find_map(|(word, sign)| {
        let by: i64 = operation.strip_prefix(word)?.trim().parse().ok()?;
        (by >= 0).then_some((*sign, by))
    })
}

/// Into how many parts a number is cut.
fn divisor(operation: &str) -> Option<i64> {
    let has = |word: &str| operation.contains(word);
    match () {
        () if has("half") || has("halve") || has("1/2") || has("一半") => Some(2),
        () if has("third") || has("1/3") || has("三分之一") => Some(3),
        () if has("quarter") || has("fourth") || has("1/4") || has("四分之一") => Some(4),
        () if has("fifth") || has("1/5") => Some(5),
        () if has("tenth") || has("1/10") => Some(10),
        () => None,
    }
}

/// A part of a number, rounded as the operation or else the game says.
fn part(work: &mut Work<'_>, value: i64, divisor: i64, operation: &str) -> Outcome {
    let (value, divisor) = (i128::from(value), i128::from(divisor));
    if value % divisor == 0 {
        return answer(work, Some(value / divisor));
    }
    let said = match () {
        () if operation.contains("up") || operation.contains("进位") || operation.contains("向上") => {
            Some(Direction::Up)
        }
        () if operation.contains("down") || operation.contains("舍去") || operation.contains("向下") => {
            Some(Direction::Down)
        }
        () => None,
    };
    let direction = match said {
        Some(direction) => {
            if let Some(rule) = work.rule(|rules| &rules.rounding) {
                work.note(
                    operation,
                    text("the text says which way to round", "文字已说明取整方向"),
                    rule.source(),
                );
            }
            direction
        }
        None => {
            let held = work
                .rules()
                .map(|rules| rules.fraction.as_slice())
                .unwrap_or_default();
            let named = held
                .iter()
                .filter(|rule| rule.source().holds_in(work.task.edition))
                .find(|rule| {
                    rule.words.is_empty()
                        || rule
                            .words
                            .iter()
                            .any(|word| operation.contains(&word.to_lowercase()))
                });
            let Some(rule) = named else {
                return work.undecided("it is not said which way to round", "未说明取整方向");
            };
            work.note(
                operation,
                text("which way it is rounded", "取整方向"),
                rule.source(),
            );
            rule.direction
        }
    };
    let down = value.div_euclid(divisor);
    answer(
        work,
        Some(match direction {
            Direction::Down => down,
            Direction::Up => down + 1,
            Direction::TowardsZero => value / divisor,
        }),
    )
}

/// The result of a step, raised to the least the value can be.
fn floored(work: &mut Work<'_>, what: &str, result: i128, operation: &str) -> Outcome {
    let Some(rule) = work.rule_about(|rules| &rules.floor, |floor| &floor.names, what) else {
        // Nothing negative came of it, so no floor is needed.
        return if result >= 0 && work.task.game.is_some() {
            answer(work, Some(result))
        } else {
            Ok(None)
        };
    };
    work.note(
        operation,
        text("the least that it can be", "其最小值"),
        rule.source(),
    );
    answer(
        work,
        Some(rule.least.map_or(result, |least| result.max(i128::from(least)))),
    )
}

/// Comparing with and changing a value greater than any number.
pub(super) fn infinity(work: &mut Work<'_>) -> Outcome {
    let Some(rule) = work.rule(|rules| &rules.infinity) else {
        return Ok(None);
    };
    let op = work.words("op")?;
    let left = work.amount("left")?;
    if op == "choose" {
        work.note_rule(
            op,
            text("it may not be chosen", "不能选择"),
            &rule.choose,
            &rule.editions,
        );
        return match left {
            None => Ok(Some(object([("result", json!("illegal"))]))),
            Some(_) => work.undecided("the value is not infinite", "该值不是无限"),
        };
    }
    let right = work.amount("right")?;
    let comparison = match op {
        ">" | ">=" | "<" | "<=" | "==" | "=" | "!=" => {
            let order = match (left, right) {
                (None, None) => Ordering::Equal,
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(left), Some(right)) => left.cmp(&right),
            };
            Some(match op {
                ">" => order.is_gt(),
                ">=" => order.is_ge(),
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                "!=" => order.is_ne(),
                _ => order.is_eq(),
            })
        }
        _ => None,
    };
    if let Some(held) = comparison {
        let (cited, en, zh) = if left.is_none() && right.is_none() {
            (&rule.equal, "two infinite values are equal", "两个无限的值相等")
        } else {
            (
                &rule.compare,
                "an infinite value is the greater one",
                "无限的值更大",
            )
        };
        work.note_rule(op, text(en, zh), cited, &rule.editions);
        return Ok(Some(object([("result", json!(held))])));
    }
    let changed = match (op, left, right) {
        ("set" | "becomes" | "become", _, right) => right,
        ("+" | "-" | "plus" | "minus" | "increase" | "decrease" | "add" | "subtract", None, _) => None,
        ("+" | "plus" | "increase" | "add", Some(left), Some(right)) => match left.checked_add(right) {
            Some(sum) => Some(sum),
            None => return work.undecided(TOO_LARGE.0, TOO_LARGE.1),
        },
        ("-" | "minus" | "decrease" | "subtract", Some(left), Some(right)) => match left.checked_sub(right) {
            Some(difference) => Some(difference),
            None => return work.undecided(TOO_LARGE.0, TOO_LARGE.1),
        },
        ("+" | "plus" | "increase" | "add", Some(_), None) => None,
        ("*" | "double" | "times" | "triple", None, _) => None,
        _ => return work.undecided("no rule says what comes of that", "没有规则说明其结果"),
    };
    work.note_rule(
        op,
        text("what an infinite value changes to", "无限的值如何变化"),
        &rule.change,
        &rule.editions,
    );
    Ok(Some(object([(
        "result",
        changed.map_or_else(|| json!("inf"), |number| json!(number)),
    )])))
}

/// Whether a player told to choose a number may choose this one.
pub(super) fn choose_number(work: &mut Work<'_>) -> Outcome {
    let infinity = work.rule(|rules| &rules.infinity);
    let fraction = work
        .get("number")
        .and_then(serde_json::Value::as_f64)
        .is_some_and(|number| number.fract() != 0.0);
    let least = work
        .task
        .game
        .and_then(|game| in_force(&game.numeric.choose_number, work.task.edition));
    let Some(least) = least else { return Ok(None) };
    let legal = if fraction {
        false
    } else {
        match work.amount("number")? {
            Some(number) => number >= least.least,
            None => {
                let Some(rule) = infinity else { return Ok(None) };
                work.note_rule(
                    "inf",
                    text("it may not be chosen", "不能选择"),
                    &rule.choose,
                    &rule.editions,
                );
                false
            }
        }
    };
    work.note(
        "number",
        text("the least that may be chosen", "可选择的最小数"),
        least.source(),
    );
    Ok(Some(object([("legal", json!(legal))])))
}

/// An action done so many times.
pub(super) fn repeat(work: &mut Work<'_>) -> Outcome {
    let times = work.whole("times")?;
    let Some(rule) = work.rule(|rules| &rules.repeat) else {
        return Ok(None);
    };
    work.note(
        "times",
        text("no times or fewer is not at all", "零次或更少即不执行"),
        rule.source(),
    );
    Ok(Some(object([("performed", json!(times.max(0)))])))
}
