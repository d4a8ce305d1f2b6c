//! What the newest edition of one language borrows from the other, whose newest edition is older.
//!
//! A translation is usually one release late. Its rules are those of an older edition that is mostly loaded in the
//! newer one's language, too; so what tells which of them still holds is that language alone.

use super::editions::EditionOrders;
use super::likeness::{Matcher, wording_key};
use super::moves::{Rules, SAME_RULE, align};
use super::{Newest, as_rule, editions_in, wording};
use crate::entry::{Behind, Entry, Kind, Lag, Lang, PairedBy, Pairing};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

/// Where the newest edition of one language lacks a partner, lends each of its entries the text that the newest edition
/// of the other language has of it.
///
/// Rules are followed by their wording (see [`align`]), other entries by id and wording. Where the wording is the same,
/// under this number or another, the pairing is certain; where it was edited it is not, and the entry says so
/// ([`Behind`]). Where the number meant another rule, or there was none, nothing is lent, and the entry says that. An
/// older edition that is loaded in the other language alone is lent by number, uncertainly.
pub(super) fn join_languages(entries: &mut [Entry], newest: &Newest, orders: &EditionOrders) {
    let documents: BTreeSet<_> = newest
        .keys()
        .map(|(game, document, _)| (game.clone(), document.clone()))
        .collect();
    for (game, document) in documents {
        let edition = |lang| newest.get(&(game.clone(), document.clone(), lang));
        let (Some(en), Some(zh)) = (edition(Lang::En), edition(Lang::Zh)) else {
            continue;
        };
        let (newer, lent, older) = match orders.compare(&game, &document, en, zh) {
            Ordering::Equal => continue,
            Ordering::Less => (zh.as_str(), Lang::En, en.as_str()),
            Ordering::Greater => (en.as_str(), Lang::Zh, zh.as_str()),
        };
        let members: Vec<usize> = (0..entries.len())
            .filter(|&idx| entries[idx].game == game && entries[idx].document == document)
            .collect();
        let late = Late {
            own: lent.other(),
            newer,
            lent,
            older,
            is_between: &|edition| {
                let compare = |other| orders.compare(&game, &document, edition, other);
                compare(older).is_ge() && compare(newer).is_le()
            },
            orders,
        };
        for (to, loan) in late.loans(entries, &members) {
            let behind = loan.why.map(|why| Behind {
                lang: lent,
                edition: older.into(),
                why,
            });
            if let Some((from, pairing)) = loan.of {
                let lender = entries[from].clone();
                lend(&mut entries[to], &lender, lent, pairing);
            }
            entries[to].behind = behind;
        }
    }
}

/// Two languages of a document, of which one is late.
struct Late<'e> {
    own: Lang,
    newer: &'e str,
    lent: Lang,
    older: &'e str,
    /// True for an edition from the older to the newer.
    is_between: &'e dyn Fn(&str) -> bool,
    orders: &'e EditionOrders,
}

/// What one entry gets: the entry whose text it is lent, and why that is not the whole truth.
struct Loan {
    of: Option<(usize, Pairing)>,
    why: Option<Lag>,
}

impl Late<'_> {
    /// What each entry of the newer edition gets that has no text in the other language.
    fn loans(&self, entries: &[Entry], members: &[usize]) -> Vec<(usize, Loan)> {
        let of = |idx: &usize, lang, edition: &str| {
            entries[*idx]
                .edition
                .get(lang)
                .is_some_and(|of| of.as_str() == edition)
        };
        let members = || members.iter().copied();
        let receivers = members()
            .filter(|idx| of(idx, self.own, self.newer) && wording(&entries[*idx], self.lent).is_empty());
        let lenders: Vec<usize> = members()
            .filter(|idx| of(idx, self.lent, self.older) && !wording(&entries[*idx], self.lent).is_empty())
            .collect();
        let matcher = Matcher::new(lenders.iter().map(|&idx| wording(&entries[idx], self.own)));
        let by_id: HashMap<&str, usize> = lenders
            .iter()
            .enumerate()
            .map(|(place, &idx)| (entries[idx].id.as_str(), place))
            .collect();
        let mut by_wording: HashMap<String, usize> = HashMap::new();
        for (place, &idx) in lenders.iter().enumerate() {
            let key = wording_key(wording(&entries[idx], self.own));
            if !key.is_empty() {
                by_wording.entry(key).or_insert(place);
            }
        }
        let followed = self.followed(entries, members());
        // Of a document of which only a few rules are there, what is not there says nothing.
        let is_whole = lenders.iter().any(|&idx| entries[idx].kind == Kind::Section);
        let loan = |place: usize, how, certain: bool| Loan {
            of: Some((
                lenders[place],
                Pairing {
                    how,
                    certain,
                    partial: false,
                },
            )),
            why: (!certain).then_some(Lag::Reworded),
        };
        let found = receivers.map(|idx| {
            let entry = &entries[idx];
            let text = wording(entry, self.own);
            let key = wording_key(text);
            let said = |place: usize| wording(&entries[lenders[place]], self.own);
            let here = by_id.get(entry.id.as_str()).copied();
            let same_wording = by_wording.get(&key).copied().filter(|_| !key.is_empty());
            // The same rule in the older edition, whose text it can be lent if it has one.
            let before = followed.get(&idx).and_then(|&before| {
                let place = by_id.get(entries[before].id.as_str()).copied();
                place.filter(|&place| lenders[place] == before)
            });
            let how = |place: usize| {
                if Some(place) == here {
                    PairedBy::Number
                } else {
                    PairedBy::Content
                }
            };
            let likely = |place: &usize| match entry.kind {
                // A headword that stays is the same term, however its entry is worded.
                Kind::Term => true,
                kind => !kind.is_numbered() && matcher.likeness(*place, text) >= SAME_RULE,
            };
            let found = if let Some(place) = before.filter(|&place| wording_key(said(place)) == key) {
                loan(place, how(place), true)
            } else if let Some(place) =
                here.filter(|&place| !key.is_empty() && wording_key(said(place)) == key)
            {
                loan(place, PairedBy::Number, true)
            } else if let Some(place) = same_wording {
                loan(place, PairedBy::Content, true)
            } else if let Some(place) = before {
                loan(place, how(place), false)
            } else if let Some(place) = here.filter(|place| said(*place).is_empty() || likely(place)) {
                loan(place, PairedBy::Number, false)
            } else {
                let why = match (entry.kind, here) {
                    (Kind::Ruling | Kind::Statement, _) => None,
                    (_, Some(_)) => Some(Lag::OtherRule),
                    (_, None) => is_whole.then_some(Lag::New),
                };
                Loan { of: None, why }
            };
            (idx, found)
        });
        found.collect()
    }

    /// The rules of the newer edition, each with the one that it was in the older, told by the newer's language.
    fn followed(&self, entries: &[Entry], members: impl Iterator<Item = usize>) -> HashMap<usize, usize> {
        let mut numbered: Vec<usize> = members
            .filter(|&idx| entries[idx].kind.is_numbered() && entries[idx].citation.is_some())
            .collect();
        numbered.sort_by(|&a, &b| entries[a].citation.cmp(&entries[b].citation));
        let mut editions = editions_in(self.own, &numbered, entries, self.orders);
        editions.retain(|(name, _)| (self.is_between)(name));
        let is_older = |(name, _): &(&str, Vec<usize>)| *name == self.older;
        let (Some((_, old)), Some((_, new))) =
            (editions.first().filter(|first| is_older(first)), editions.last())
        else {
            return HashMap::new();
        };
        let rules: Vec<Rules<'_>> = editions
            .iter()
            .map(|(_, members)| {
                let rules = members.iter().filter_map(|&idx| as_rule(&entries[idx], self.own));
                Rules::new(rules.collect())
            })
            .collect();
        let places = align(&rules.iter().collect::<Vec<_>>());
        let pairs = old
            .iter()
            .zip(places)
            .filter_map(|(&old, place)| Some((new[place?], old)));
        pairs.collect()
    }
}

/// Gives an entry the texts of another in one language.
fn lend(receiver: &mut Entry, lender: &Entry, lang: Lang, pairing: Pairing) {
    *receiver.text.get_mut(lang) = lender.text.get(lang).cloned();
    *receiver.title.get_mut(lang) = lender.title.get(lang).cloned();
    *receiver.edition.get_mut(lang) = lender.edition.get(lang).cloned();
    *receiver.provenance.get_mut(lang) = lender.provenance.get(lang).cloned();
    for (mine, theirs) in [
        (&mut receiver.examples, &lender.examples),
        (&mut receiver.items, &lender.items),
    ] {
        if mine.len() == theirs.len() {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine.get_mut(lang) = theirs.get(lang).cloned();
            }
        }
    }
    receiver
        .notes
        .extend(lender.notes.iter().filter(|note| note.lang == lang).cloned());
    receiver.pairing = Some(pairing);
    receiver.lent = Some(lang);
    let its_sources = lender
        .sources
        .iter()
        .filter(|source| source.lang.is_none_or(|of| of == lang));
    receiver.sources.extend(its_sources.cloned());
}

#[cfg(test)]
mod tests {
    use crate::corpus::{Corpus, Entries as _};
    use crate::entry::{Entry, Kind, Lag, Lang, PairedBy, SourceRef, rule_id, term_id};
    use crate::game::Games;

    const OLD: &str = "2025-01-01";
    const NEW: &str = "2026-01-01";

    fn entry(id: String, kind: Kind, edition: &str, en: &str, zh: Option<&str>) -> Entry {
        let source = SourceRef {
            file: "a.txt".into(),
            line: 1,
            lang: None,
        };
        let number = id.rsplit(':').next().and_then(|number| number.parse().ok());
        let mut entry = Entry::new(id, "demo", "cr", kind, source);
        entry.citation = number.filter(|_| kind.is_numbered());
        entry.text.en = Some(en.to_owned());
        entry.edition.en = Some(edition.into());
        if let Some(zh) = zh {
            entry.text.zh = Some(zh.to_owned());
            entry.edition.zh = Some(edition.into());
        }
        entry
    }

    fn rule(number: &str, edition: &str, en: &str, zh: Option<&str>) -> Entry {
        let number = number.parse().expect("a number");
        let kind = if number == "702".parse().expect("a number") {
            Kind::Section
        } else {
            Kind::Rule
        };
        entry(rule_id("demo", "cr", &number), kind, edition, en, zh)
    }

    fn term(name: &str, edition: &str, en: &str, zh: Option<&str>) -> Entry {
        let mut term = entry(term_id("demo", name), Kind::Term, edition, en, zh);
        term.title.en = Some(name.to_owned());
        term
    }

    /// An entry's number or name, its Chinese, how that was found, and why it is behind.
    type Shown = (String, Option<String>, Option<PairedBy>, Option<Lag>);

    /// Each entry of the new edition.
    fn shown(entries: Vec<Entry>) -> Vec<Shown> {
        let (corpus, _) = Corpus::build(entries, &Games::default());
        let current = (0..corpus.len() as u32).filter(|&idx| corpus.is_current(idx).expect("it is there"));
        current
            .map(|idx| corpus.entry(idx).expect("it is there"))
            .map(|entry| {
                let last = entry.id.rsplit(':').next().unwrap_or_default().to_owned();
                let how = entry.pairing.map(|pairing| {
                    assert_eq!(pairing.certain, entry.behind.is_none(), "{last}");
                    pairing.how
                });
                if let Some(behind) = &entry.behind {
                    assert_eq!((behind.lang, behind.edition.as_str()), (Lang::Zh, OLD));
                }
                (last, entry.text.zh, how, entry.behind.map(|behind| behind.why))
            })
            .collect()
    }

    #[test]
    fn a_late_translation_is_lent_and_marked_where_it_may_not_hold() {
        let entries = vec![
            rule("702", OLD, "Keywords", Some("关键词")),
            rule(
                "702.1",
                OLD,
                "Lamps are lit by whoever has one.",
                Some("灯由持有者点亮。"),
            ),
            rule("702.2", OLD, "A herald walks one street.", Some("使者走一条街。")),
            rule(
                "702.3",
                OLD,
                "A beacon is a special kind of banner. It stands where a player put it until the dusk.",
                Some("烽火是一种特殊的旗帜。"),
            ),
            rule("702.4", OLD, "Nobody may count the stars.", Some("不得数星。")),
            term("Herald", OLD, "Somebody who walks.", Some("行走者。")),
            rule("702", NEW, "Keywords", None),
            rule("702.1", NEW, "Lamps are lit by whoever has one.", None),
            // It came between, so that the next one moved.
            rule(
                "702.2",
                NEW,
                "Towers have three floors, each with a window.",
                None,
            ),
            rule("702.3", NEW, "A herald walks one street.", None),
            // Reworded altogether, at another number, below what was before it.
            rule(
                "702.4",
                NEW,
                "Beacon is a keyword for banners. It stands where a player put it until the dusk.",
                None,
            ),
            rule("702.5", NEW, "Gates open at noon.", None),
            term(
                "Herald",
                NEW,
                "A word for one with a horn, a drum or a flag.",
                None,
            ),
        ];
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            shown(entries),
            [
                ("702".into(), text("关键词"), Some(PairedBy::Number), None),
                (
                    "702.1".into(),
                    text("灯由持有者点亮。"),
                    Some(PairedBy::Number),
                    None
                ),
                ("702.2".into(), None, None, Some(Lag::OtherRule)),
                (
                    "702.3".into(),
                    text("使者走一条街。"),
                    Some(PairedBy::Content),
                    None
                ),
                (
                    "702.4".into(),
                    text("烽火是一种特殊的旗帜。"),
                    Some(PairedBy::Content),
                    Some(Lag::Reworded)
                ),
                ("702.5".into(), None, None, Some(Lag::New)),
                (
                    "herald".into(),
                    text("行走者。"),
                    Some(PairedBy::Number),
                    Some(Lag::Reworded)
                ),
            ]
        );
    }

    #[test]
    fn an_older_edition_without_its_original_is_lent_by_number() {
        let mut old = rule("702.1", OLD, "", Some("灯由持有者点亮。"));
        (old.text.en, old.edition.en) = (None, None);
        let entries = vec![
            old,
            rule("702.1", NEW, "Lamps are lit by whoever has one.", None),
            // Only some rules of the older edition are there: that others are not says nothing.
            rule("702.2", NEW, "A herald walks one street.", None),
        ];
        let lent = (
            "702.1".into(),
            Some("灯由持有者点亮。".into()),
            Some(PairedBy::Number),
            Some(Lag::Reworded),
        );
        assert_eq!(shown(entries), [lent, ("702.2".into(), None, None, None)]);
    }
}
