//! Damage and what changes it.

use super::{Outcome, TOO_LARGE, Work, object};
use crate::evaluate::text;
use crate::fold::fold_key;
use crate::game::calculation::{Damage, Modifier, Prevention};
use crate::game::numeric::Sourced;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A change to a damage: its kind, and its number where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Double,
    Triple,
    Plus(i64),
    /// None for all of it.
    Prevent(Option<i64>),
    AtMost(i64),
    Becomes(i64),
}

impl Change {
    fn parse(text: &str) -> Option<Change> {
        let text = text.trim().to_lowercase();
        let number = |words: &[&str]| {
            words
                .iter()
                .find_map(|word| text.strip_prefix(word)?.trim().parse::<i64>().ok())
                .filter(|number| *number >= 0)
        };
        match text.as_str() {
            "double" | "双倍" | "翻倍" => Some(Change::Double),
            "triple" | "三倍" => Some(Change::Triple),
            "prevent all" | "prevent" | "防止所有" => Some(Change::Prevent(None)),
            _ => number(&["plus", "+", "加"])
                .map(Change::Plus)
                .or_else(|| number(&["prevent", "防止"]).map(|n| Change::Prevent(Some(n))))
                .or_else(|| number(&["at most", "至多", "最多"]).map(Change::AtMost))
                .or_else(|| number(&["becomes", "become", "变成", "变为"]).map(Change::Becomes)),
        }
    }

    fn kind(self) -> Modifier {
        match self {
            Change::Double => Modifier::Double,
            Change::Triple => Modifier::Triple,
            Change::Plus(_) => Modifier::Plus,
            Change::Prevent(_) => Modifier::Prevent,
            Change::AtMost(_) => Modifier::AtMost,
            Change::Becomes(_) => Modifier::Becomes,
        }
    }

    fn increases(self) -> bool {
        matches!(self, Change::Double | Change::Triple | Change::Plus(_))
    }

    fn apply(self, damage: i64) -> Option<i64> {
        match self {
            Change::Double => damage.checked_mul(2),
            Change::Triple => damage.checked_mul(3),
            Change::Plus(by) => damage.checked_add(by),
            Change::Prevent(None) => Some(0),
            Change::Prevent(Some(by)) => Some(damage.saturating_sub(by).max(0)),
            Change::AtMost(most) => Some(damage.min(most)),
            Change::Becomes(number) => Some(number),
        }
    }
}

/// More changes than any game has at once: each one more doubles the work.
const MAX_CHANGES: usize = 10;

/// Every total that a legal order of the changes gives.
pub(super) fn damage(work: &mut Work<'_>) -> Outcome {
    let base = work.whole("base")?;
    let Some(rule) = work.rule(|rules| &rules.damage) else {
        return Ok(None);
    };
    let mut changes = Vec::new();
    for item in work.list("modifiers")? {
        let change = item.as_str().and_then(Change::parse);
        changes.push(change.ok_or_else(|| {
            work.wants("`modifiers`: `double`, `triple`, `plus n`, `prevent n`, `at most n`, `becomes n`")
        })?);
    }
    if changes.len() > MAX_CHANGES || base < 0 {
        return work.undecided("more changes than can be worked out", "修正过多，无法计算");
    }
    let orders = Orders {
        rule,
        ends_at_zero: rule.ends_at_zero,
    };
    let mut possible = BTreeSet::new();
    let mut choosers: BTreeSet<String> = BTreeSet::new();
    for (kept, picked) in one_of(&changes, &rule.one_of) {
        let Some((totals, names)) = orders.totals(base, &kept) else {
            return work.undecided(TOO_LARGE.0, TOO_LARGE.1);
        };
        possible.extend(totals);
        choosers.extend(names);
        if picked {
            // Who orders the changes of that step also picks which of them is the one.
            let step = rule
                .steps
                .iter()
                .find(|step| rule.one_of.iter().any(|kind| step.kinds.contains(kind)));
            choosers.insert(step.map_or_else(|| rule.chooser.clone(), |step| step.chooser.clone()));
        }
    }
    work.note(
        "modifiers",
        text("the order in which they are applied", "各修正的执行次序"),
        rule.source(),
    );
    let choosers: Vec<String> = choosers.into_iter().collect();
    let chooser = if possible.len() > 1 {
        json!(choosers.join("; "))
    } else {
        Value::Null
    };
    let possible: Vec<i64> = possible.into_iter().collect();
    Ok(Some(object([
        ("possible", json!(possible)),
        ("order_chosen_by", chooser),
    ])))
}

/// The changes that are left where of some kinds only one applies, and whether that is a pick between different ones.
fn one_of(changes: &[Change], kinds: &[Modifier]) -> Vec<(Vec<Change>, bool)> {
    let (exclusive, others): (Vec<Change>, Vec<Change>) =
        changes.iter().partition(|change| kinds.contains(&change.kind()));
    let distinct: BTreeSet<Change> = exclusive.into_iter().collect();
    let picked = distinct.len() > 1;
    if distinct.is_empty() {
        return vec![(others, false)];
    }
    distinct
        .into_iter()
        .map(|change| {
            (
                std::iter::once(change).chain(others.iter().copied()).collect(),
                picked,
            )
        })
        .collect()
}

struct Orders<'a> {
    rule: &'a Damage,
    ends_at_zero: bool,
}

impl Orders<'_> {
    /// The totals of every legal order, and who picks where orders differ; none on overflow.
    fn totals(&self, base: i64, changes: &[Change]) -> Option<(BTreeSet<i64>, BTreeSet<String>)> {
        let stepped = !self.rule.steps.is_empty()
            && (!self.rule.steps_need_increase || changes.iter().any(|change| change.increases()));
        let mut totals = BTreeSet::from([base]);
        let mut choosers = BTreeSet::new();
        if !stepped {
            let after = self.any_order(base, changes)?;
            if after.len() > 1 {
                choosers.insert(self.rule.chooser.clone());
            }
            return Some((after, choosers));
        }
        for step in &self.rule.steps {
            let now: Vec<Change> = changes
                .iter()
                .copied()
                .filter(|change| step.kinds.contains(&change.kind()))
                .collect();
            let mut after = BTreeSet::new();
            for total in totals {
                let reached = self.any_order(total, &now)?;
                if reached.len() > 1 {
                    choosers.insert(step.chooser.clone());
                }
                after.extend(reached);
            }
            totals = after;
        }
        Some((totals, choosers))
    }

    /// The totals of every order of some changes, each applied once.
    fn any_order(&self, base: i64, changes: &[Change]) -> Option<BTreeSet<i64>> {
        let full = (1_usize << changes.len()) - 1;
        let mut reached: Vec<BTreeSet<i64>> = vec![BTreeSet::new(); full + 1];
        reached[0].insert(base);
        for mask in 0..full {
            for damage in std::mem::take(&mut reached[mask]) {
                if self.ends_at_zero && damage == 0 {
                    // A damage of 0 is no damage: nothing is left to change.
                    reached[full].insert(0);
                    continue;
                }
                for (idx, change) in changes
                    .iter()
                    .enumerate()
                    .filter(|(idx, _)| mask & (1 << idx) == 0)
                {
                    reached[mask | (1 << idx)].insert(change.apply(damage)?);
                }
            }
        }
        Some(std::mem::take(&mut reached[full]))
    }
}

/// Whether a wording counts as preventing damage.
pub(super) fn is_prevention(work: &mut Work<'_>) -> Outcome {
    let wording = fold_key(work.words("text")?);
    let held = work
        .rules()
        .map(|rules| rules.prevention.as_slice())
        .unwrap_or_default();
    let mut matched: Vec<(String, &Prevention)> = Vec::new();
    for rule in held
        .iter()
        .filter(|rule| rule.source().holds_in(work.task.edition))
    {
        let words = rule.words.iter().map(|word| fold_key(word));
        matched.extend(
            words
                .filter(|word| wording.contains(word.as_str()))
                .map(|word| (word, rule)),
        );
    }
    // "Can't be prevented" outweighs the "prevent" inside of it.
    let found: Vec<&Prevention> = matched
        .iter()
        .filter(|(word, _)| {
            !matched
                .iter()
                .any(|(other, _)| other != word && other.contains(word.as_str()))
        })
        .map(|(_, rule)| *rule)
        .collect();
    match found[..] {
        [rule, ref others @ ..] if others.iter().all(|other| other.prevents == rule.prevents) => {
            work.note(
                "text",
                text("whether such a wording prevents", "此类用语是否为防止"),
                rule.source(),
            );
            Ok(Some(object([("prevents", json!(rule.prevents))])))
        }
        [] => Ok(None),
        _ => work.undecided("the wording says both", "用语兼有两种"),
    }
}

/// "So much damage for each": one event or many.
pub(super) fn for_each(work: &mut Work<'_>) -> Outcome {
    let (per, count) = (work.whole("per")?, work.whole("count")?);
    let Some(rule) = work.rule(|rules| &rules.for_each) else {
        return Ok(None);
    };
    work.note("for each", text("dealt all at once", "一次性造成"), rule.source());
    match per.checked_mul(count) {
        Some(amount) => Ok(Some(object([("events", json!(1)), ("amount", json!(amount))]))),
        None => work.undecided(TOO_LARGE.0, TOO_LARGE.1),
    }
}
