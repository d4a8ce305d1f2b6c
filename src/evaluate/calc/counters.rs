//! Counters, thresholds, decks, reveals and keywords with a number.

use super::{Outcome, TOO_LARGE, Work, object, whole};
use crate::condition::Condition;
use crate::evaluate::text;
use crate::fold::fold_key;
use crate::game::calculation::Deck;
use crate::game::numeric::Sourced;
use serde_json::{Map, Value, json};

/// Whether a deck of that size is legal.
pub(super) fn deck_size(work: &mut Work<'_>) -> Outcome {
    let name = fold_key(work.words("deck")?);
    let cards = work.whole("cards")?;
    let format = work.get("format").and_then(Value::as_str).map(fold_key);
    let held = work
        .rules()
        .map(|rules| rules.deck.as_slice())
        .unwrap_or_default();
    let named: Vec<&Deck> = held
        .iter()
        .filter(|deck| deck.source().holds_in(work.task.edition))
        .filter(|deck| deck.names.iter().any(|other| is_deck(&name, &fold_key(other))))
        .filter(|deck| {
            let known = |format: &String| deck.formats.iter().any(|other| fold_key(other) == *format);
            deck.formats.is_empty() || format.as_ref().is_none_or(known)
        })
        .collect();
    // Without a format, an answer holds only where all formats agree; the newest rule of a format counts.
    let mut answers: Vec<bool> = Vec::new();
    let mut seen: Vec<&[String]> = Vec::new();
    for deck in named {
        if seen.contains(&deck.formats.as_slice()) {
            continue;
        }
        seen.push(&deck.formats);
        let Ok(size) = deck.size.parse::<Condition>() else {
            return Ok(None);
        };
        let mut legal = size.holds(cards);
        work.note(
            &deck.names[0],
            text("how many cards it may have", "其张数"),
            deck.source(),
        );
        if let Some(need) = &deck.needs {
            let Ok(otherwise) = need.otherwise.parse::<Condition>() else {
                return Ok(None);
            };
            match work.get(&need.key).map(truth) {
                Some(Some(true)) => {}
                None if need.assumed => {}
                Some(Some(false)) => {
                    work.note(
                        &need.key,
                        text("what it needs is missing", "缺少所需条件"),
                        need.source(),
                    );
                    legal = otherwise.holds(cards);
                }
                _ if legal == otherwise.holds(cards) => {}
                _ => return work.undecided("it depends on a fact that is not given", "取决于未给出的事实"),
            }
        }
        answers.push(legal);
    }
    match answers[..] {
        [first, ref others @ ..] if others.iter().all(|other| *other == first) => {
            Ok(Some(object([("legal", json!(first))])))
        }
        [] => Ok(None),
        _ => work.undecided("it depends on the format", "取决于赛制"),
    }
}

/// A deck's name, with or without the word "deck".
fn is_deck(asked: &str, known: &str) -> bool {
    let bare = |name: &str| {
        let name = name
            .strip_suffix("deck")
            .or_else(|| name.strip_suffix("牌库"))
            .unwrap_or(name);
        name.trim().replace(['_', '-'], " ")
    };
    bare(asked) == bare(known)
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => match text.as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Several reveals of the top cards at once: cards face up in the end.
pub(super) fn investigate(work: &mut Work<'_>) -> Outcome {
    let triggers = work.numbers("triggers")?;
    let deck = work.whole("deck")?;
    let Some(rule) = work.rule(|rules| &rules.investigate) else {
        return Ok(None);
    };
    work.note(
        "triggers",
        text("they do not add up: the longest counts", "不叠加：以最多者为准"),
        rule.source(),
    );
    let revealed = triggers.into_iter().max().unwrap_or(0).min(deck).max(0);
    Ok(Some(object([("revealed", json!(revealed))])))
}

/// The number of one kind of counters in the input; none of them where it is not named.
fn count(work: &Work<'_>, name: &str) -> Option<i64> {
    match work.get(name) {
        None => Some(0),
        Some(value) => whole(value).filter(|count| *count >= 0),
    }
}

/// Counters that cancel each other in pairs.
pub(super) fn cancel(work: &mut Work<'_>) -> Outcome {
    let Some(rule) = work.rule(|rules| &rules.counters) else {
        return Ok(None);
    };
    let (Some(plus), Some(minus)) = (count(work, &rule.plus), count(work, &rule.minus)) else {
        return Err(work.wants("one count for each counter name"));
    };
    let pairs = plus.min(minus);
    let mut result = Map::new();
    for (name, left) in [(&rule.plus, plus - pairs), (&rule.minus, minus - pairs)] {
        if left > 0 || work.get(name).is_some() {
            result.insert(name.clone(), json!(left));
        }
    }
    if let Some(zero) = &rule.zero {
        let Some(kept) = count(work, zero) else {
            return Err(work.wants("one count for each counter name"));
        };
        if work.get(zero).is_some() {
            result.insert(zero.clone(), json!(kept));
        }
    }
    work.note(
        "counters",
        text("one of each is removed together", "两种各移除一个"),
        rule.source(),
    );
    if let Some(step) = rule.step {
        match (plus - minus).checked_mul(step) {
            Some(change) => result.insert("atk_def_change".to_owned(), json!(change)),
            None => return work.undecided(TOO_LARGE.0, TOO_LARGE.1),
        };
    }
    Ok(Some(result))
}

/// Counters that become such as change nothing.
pub(super) fn become_zero(work: &mut Work<'_>) -> Outcome {
    let Some(rule) = work.rule(|rules| &rules.counters) else {
        return Ok(None);
    };
    let (Some(zero), Some(cited)) = (&rule.zero, &rule.zero_rule) else {
        return Ok(None);
    };
    let counts = [
        count(work, &rule.plus),
        count(work, &rule.minus),
        count(work, zero),
    ];
    let total = counts
        .into_iter()
        .try_fold(0_i64, |total, count| total.checked_add(count?));
    let Some(total) = total else {
        return Err(work.wants("one count for each counter name"));
    };
    work.note_rule(
        "counters",
        text("they stay and change nothing", "留在原处，不作改变"),
        cited,
        &rule.editions,
    );
    let mut result = Map::new();
    result.insert(zero.clone(), json!(total));
    result.insert("atk_def_change".to_owned(), json!(0));
    Ok(Some(result))
}

/// The thresholds that one event crosses upward.
pub(super) fn thresholds(work: &mut Work<'_>) -> Outcome {
    let (old, new) = (work.whole("old")?, work.whole("new")?);
    let mut thresholds = work.numbers("thresholds").or_else(|_| work.numbers("chapters"))?;
    let Some(rule) = work.rule(|rules| &rules.thresholds) else {
        return Ok(None);
    };
    work.note(
        "thresholds",
        text("fewer before, at least as many after", "之前少于，之后至少"),
        rule.source(),
    );
    thresholds.retain(|threshold| old < *threshold && *threshold <= new);
    thresholds.sort_unstable();
    thresholds.dedup();
    Ok(Some(object([("fires", json!(thresholds))])))
}

/// A keyword with a number is gained again.
pub(super) fn cumulative(work: &mut Work<'_>) -> Outcome {
    let keyword = work.words("keyword")?.trim_matches(['[', ']', ' ']);
    let (have, gain) = (work.whole("have")?, work.whole("gain")?);
    let Some(rule) = work.rule(|rules| &rules.cumulative) else {
        return Ok(None);
    };
    let adds = rule
        .keywords
        .iter()
        .any(|known| fold_key(known) == fold_key(keyword));
    let value = if adds {
        work.note(keyword, text("its numbers add up", "数值累加"), rule.source());
        have.checked_add(gain)
    } else {
        work.note_rule(
            keyword,
            text("it is gained once", "只获得一次"),
            &rule.once_rule,
            &rule.editions,
        );
        Some(if have > 0 { have } else { gain })
    };
    match value {
        Some(value) => Ok(Some(object([("value", json!(value))]))),
        None => work.undecided(TOO_LARGE.0, TOO_LARGE.1),
    }
}

/// What a card costs in all: one for each symbol of a kind of will, and the free cost.
pub(super) fn total_cost(work: &mut Work<'_>) -> Outcome {
    let symbols = work.list("attribute").unwrap_or_default().len();
    let Some(rules) = work.rules().filter(|rules| !rules.total_cost.is_empty()) else {
        return Ok(None);
    };
    let Some(rule) = rules
        .total_cost
        .iter()
        .find(|rule| rule.source().holds_in(work.task.edition))
    else {
        return Ok(None);
    };
    let free = match work.get("free") {
        None => 0,
        Some(Value::String(letter)) if whole(&Value::String(letter.clone())).is_none() => {
            let outside = work
                .get("zone")
                .and_then(Value::as_str)
                .is_some_and(|zone| fold_key(zone) != "chase");
            match (outside, work.get("x").and_then(whole)) {
                (true, _) => 0,
                (false, Some(x)) => x,
                (false, None) => {
                    return work.undecided("the value of the letter is not given", "字母的数值未给出");
                }
            }
        }
        Some(value) => match whole(value) {
            Some(free) => free,
            None => return Err(work.wants("`free`, a whole number or a letter")),
        },
    };
    work.note(
        "cost",
        text(
            "one for each symbol, and the free cost",
            "每个费用符号计一，加上无属性费用",
        ),
        rule.source(),
    );
    match free.checked_add(symbols as i64) {
        Some(total) => Ok(Some(object([("total", json!(total))]))),
        None => work.undecided(TOO_LARGE.0, TOO_LARGE.1),
    }
}
