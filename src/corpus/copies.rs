//! An undated text that says what a dated one says is another copy of it, not another text.
//!
//! An undated text is never hidden by a dated one; but where both word a rule alike, it is one entry with both sources,
//! so that nobody is told it twice.

use crate::entry::{Bilingual, Entry, Lang, Note};
use crate::fold::fold_key;

/// Joins undated entries to the current ones that have their id and their wording. Those of one id are adjacent, the dated
/// ones first.
pub(super) fn join(entries: &mut Vec<Entry>, is_current: impl Fn(&Entry) -> bool) {
    let mut joined: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries.drain(..) {
        let of_its_id = joined.iter_mut().rev().take_while(|before| before.id == entry.id);
        let twin = match entry.edition.is_empty() {
            true => of_its_id
                .filter(|before| !before.edition.is_empty() && is_current(before))
                .find(|before| says(before, &entry)),
            false => None,
        };
        match twin {
            Some(twin) => twin.sources.extend(entry.sources),
            None => joined.push(entry),
        }
    }
    *entries = joined;
}

/// True when one entry says all that another does, in the same words.
fn says(one: &Entry, other: &Entry) -> bool {
    let langs = |lang: &Lang| other.text.get(*lang).is_some() || other.title.get(*lang).is_some();
    let noted = |note: &Note| {
        let text = fold_key(&note.text);
        one.notes.iter().any(|its| fold_key(&its.text) == text)
    };
    other.notes.iter().all(noted)
        && Lang::ALL.into_iter().filter(langs).all(|lang| {
            let alike = |a: &Bilingual<String>, b: &Bilingual<String>| match (a.get(lang), b.get(lang)) {
                (Some(a), Some(b)) => a == b || fold_key(a) == fold_key(b),
                (_, b) => b.is_none(),
            };
            let each_alike = |all: &[Bilingual<String>], others: &[Bilingual<String>]| {
                let has = |one: &&Bilingual<String>| one.get(lang).is_some();
                let (all, others): (Vec<_>, Vec<_>) = (
                    all.iter().filter(has).collect(),
                    others.iter().filter(has).collect(),
                );
                others.is_empty()
                    || all.len() == others.len() && all.iter().zip(others).all(|(a, b)| alike(a, b))
            };
            alike(&one.title, &other.title)
                && alike(&one.text, &other.text)
                && each_alike(&one.examples, &other.examples)
                && each_alike(&one.items, &other.items)
        })
}
