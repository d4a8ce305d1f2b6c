//! Which edition of a document is the older one?
//!
//! An edition is called by what its publisher calls it: a version or a date. Of two versions the numbers tell, of two
//! dates as well; of a version and a date what the text of the version says of its own date
//! ([`Entry::issued`]). Where it says nothing, a version is taken to be as old as the next lower one that does, and
//! older than every date where there is none: that is assumed, and said.

use super::{Damaged, Entries, Key};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::Entry;
use crate::name::Name;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// Compares editions as their publishers name them: dates and versions part by part, numbers by value
/// (`12.7` before `12.10`, `2011-02-04` before `2026-04-17`).
pub fn compare_editions(a: &str, b: &str) -> Ordering {
    fn parts(text: &str) -> impl Iterator<Item = (u64, &str)> {
        text.split(['.', '-', ' ', '_'])
            .filter(|part| !part.is_empty())
            .map(|part| {
                let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                (part[..digits].parse().unwrap_or(0), &part[digits..])
            })
    }
    parts(a).cmp(parts(b)).then_with(|| a.cmp(b))
}

/// The edition that is meant by a name as somebody types it: its whole name, or the beginning of one, the parts of a date
/// or version before any other beginning (`1` is `1.2` before it is `12.7`, `2026-4` is `2026-04-17`).
///
/// # Errors
///
/// Those that it may mean, in their order, when they are several; none when no edition is called so.
///
/// # Example
///
/// ```
/// use shiyi::corpus::editions::edition_called;
///
/// let editions = ["2025-11-14", "2026-04-17", "2026-08-07"];
/// assert_eq!(edition_called("2025", editions), Ok("2025-11-14"));
/// assert_eq!(edition_called("20260417", editions), Ok("2026-04-17"));
/// assert_eq!(edition_called("2026", editions), Err(vec!["2026-04-17", "2026-08-07"]));
/// ```
pub fn edition_called<'e>(
    typed: &str,
    editions: impl IntoIterator<Item = &'e str>,
) -> Result<&'e str, Vec<&'e str>> {
    // As publishers name their files: 20260417.
    let typed = typed.trim();
    let is_run = matches!(typed.len(), 6 | 8) && typed.bytes().all(|b| b.is_ascii_digit());
    let dashed = match is_run {
        true => format!("{}-{}-{}", &typed[..4], &typed[4..6], &typed[6..]),
        false => typed.to_owned(),
    };
    let typed = dashed.trim_end_matches('-');
    let mut known: Vec<&str> = editions.into_iter().collect();
    known.sort_by(|a, b| compare_editions(a, b));
    known.dedup();
    if let Some(whole) = known.iter().find(|known| known.eq_ignore_ascii_case(typed)) {
        return Ok(whole);
    }
    if typed.is_empty() {
        return Err(Vec::new());
    }
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(['.', '-', ' ', '_']).filter(|part| !part.is_empty());
        let value = |part: &str| part.trim_start_matches('0').to_ascii_lowercase();
        parts.map(value).collect()
    };
    let begins_parts = |known: &&str| !parts(typed).is_empty() && parts(known).starts_with(&parts(typed));
    let begins = |known: &&str| {
        let start = known.get(..typed.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(typed))
    };
    let of_parts: Vec<&str> = known.iter().copied().filter(begins_parts).collect();
    let meant = match of_parts.is_empty() {
        true => known.into_iter().filter(begins).collect(),
        false => of_parts,
    };
    match meant.as_slice() {
        [one] => Ok(one),
        _ => Err(meant),
    }
}

/// True for a name that is a date, `YYYY-MM-DD`.
fn is_date(name: &str) -> bool {
    let part = |range: std::ops::Range<usize>| {
        name.get(range)
            .is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name.len() == 10
        && [4, 7].iter().all(|&dash| name.as_bytes()[dash] == b'-')
        && part(0..4)
        && part(5..7)
        && part(8..10)
}

/// In which order the editions of one document stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditionOrder {
    /// Since when each version holds, where the document has dates, too. No version holds since before a lower one.
    since: HashMap<Name, Name>,
}

impl EditionOrder {
    /// The order of the editions of a document that is loaded.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when the keys cannot be read.
    pub fn of(entries: &dyn Entries, game: &str, document: &str) -> Result<EditionOrder, Damaged> {
        let prefix = Key::issued_prefix(game, document);
        let mut since = HashMap::new();
        for (key, _) in entries.with_prefix(&prefix, usize::MAX)? {
            if let Some((edition, date)) = key[prefix.len()..].split_once('\u{1f}') {
                since.insert(edition.into(), date.into());
            }
        }
        Ok(EditionOrder { since })
    }

    /// The order of these editions, each with the date that its text names, if it names one; and those versions of
    /// which it had to be assumed.
    fn new(editions: &BTreeMap<Name, Option<Name>>) -> (EditionOrder, Vec<Name>) {
        let mut order = EditionOrder::default();
        let mut assumed = Vec::new();
        let mut versions: Vec<(&Name, &Option<Name>)> =
            editions.iter().filter(|(name, _)| !is_date(name)).collect();
        if versions.is_empty() || versions.len() == editions.len() {
            return (order, assumed);
        }
        versions.sort_by(|(a, _), (b, _)| compare_editions(a, b));
        let mut latest: Option<Name> = None;
        for (name, issued) in versions {
            match issued {
                Some(date) if latest.as_ref().is_none_or(|latest| latest < date) => {
                    latest = Some(date.clone());
                }
                Some(_) => {}
                None => assumed.push(name.clone()),
            }
            if let Some(latest) = &latest {
                order.since.insert(name.clone(), latest.clone());
            }
        }
        (order, assumed)
    }

    /// Which of two editions is older.
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        if self.since.is_empty() || is_date(a) == is_date(b) {
            return compare_editions(a, b);
        }
        let date = |name| {
            if is_date(name) {
                Some(name)
            } else {
                self.since.get(name).map(Name::as_str)
            }
        };
        // On one day, the date is that of the version before it.
        date(a).cmp(&date(b)).then_with(|| is_date(b).cmp(&is_date(a)))
    }

    /// Each version that stands among dates, and since when it holds.
    pub(super) fn versions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.since
            .iter()
            .map(|(version, date)| (version.as_str(), date.as_str()))
    }
}

/// The order of every document's editions.
#[derive(Debug, Default)]
pub(super) struct EditionOrders(HashMap<(Name, Name), EditionOrder>);

impl EditionOrders {
    /// What the entries of a library say of their editions; with a remark on each edition whose place is assumed.
    pub(super) fn of(entries: &[Entry]) -> (EditionOrders, Vec<Diagnostic>) {
        type Editions<'e> = BTreeMap<Name, (Option<Name>, &'e Entry)>;
        let mut documents: BTreeMap<(&Name, &Name), Editions<'_>> = BTreeMap::new();
        for entry in entries {
            for (lang, edition) in entry.edition.iter() {
                let editions = documents.entry((&entry.game, &entry.document)).or_default();
                let (issued, _) = editions.entry(edition.clone()).or_insert((None, entry));
                // Of two translations of one edition either may name the date.
                if let (None, Some(date)) = (&issued, entry.issued.get(lang)) {
                    *issued = Some(date.clone());
                }
            }
        }
        let (mut orders, mut diagnostics) = (HashMap::new(), Vec::new());
        for ((game, document), editions) in documents {
            let names = editions
                .iter()
                .map(|(name, (issued, _))| (name.clone(), issued.clone()));
            let (order, assumed) = EditionOrder::new(&names.collect());
            for name in assumed {
                let file = editions[&name]
                    .1
                    .sources
                    .first()
                    .map(|source| source.file.to_string());
                let place = match order.since.get(&name) {
                    Some(date) => format!("not older than {date}"),
                    None => "older than every edition that is named by a date".to_owned(),
                };
                diagnostics.push(
                    Diagnostic::about_file(
                        Code::Guessed,
                        file.unwrap_or_default(),
                        format!("the edition `{name}` is taken to be {place}, since its text names no date"),
                    )
                    .hint("name the edition by its date with `--edition` or in `sources.toml`"),
                );
            }
            if !order.since.is_empty() {
                orders.insert((game.clone(), document.clone()), order);
            }
        }
        (EditionOrders(orders), diagnostics)
    }

    /// Which of two editions of a document is older.
    pub(super) fn compare(&self, game: &Name, document: &Name, a: &str, b: &str) -> Ordering {
        // Nearly no library has a document that is named both ways.
        if self.0.is_empty() {
            return compare_editions(a, b);
        }
        match self.0.get(&(game.clone(), document.clone())) {
            Some(order) => order.compare(a, b),
            None => compare_editions(a, b),
        }
    }

    /// The game and document of each order that is kept, with it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Name, &Name, &EditionOrder)> {
        self.0
            .iter()
            .map(|((game, document), order)| (game, document, order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn order(editions: &[(&str, Option<&str>)]) -> (Vec<String>, Vec<Name>) {
        let editions: BTreeMap<Name, Option<Name>> = editions
            .iter()
            .map(|(name, date)| ((*name).into(), date.map(Name::from)))
            .collect();
        let (order, assumed) = EditionOrder::new(&editions);
        let mut names: Vec<String> = editions.keys().map(ToString::to_string).collect();
        names.sort_by(|a, b| order.compare(a, b));
        (names, assumed)
    }

    #[test]
    fn the_beginning_of_an_edition_names_it() {
        let editions = [
            "2011-02-04",
            "2025-11-14",
            "2026-04-17",
            "2026-08-07",
            "1.1.8",
            "1.2.0",
            "12.7",
            "6.3a",
        ];
        for (typed, meant) in [
            ("2011", &["2011-02-04"][..]),
            ("2025-11", &["2025-11-14"]),
            ("2025-1", &["2025-11-14"]),
            ("2026-4", &["2026-04-17"]),
            ("2026", &["2026-04-17", "2026-08-07"]),
            ("12", &["12.7"]),
            ("12.7", &["12.7"]),
            ("1", &["1.1.8", "1.2.0"]),
            ("6.3A", &["6.3a"]),
            ("6.3", &["6.3a"]),
            (" 1.2 ", &["1.2.0"]),
            ("2", &["2011-02-04", "2025-11-14", "2026-04-17", "2026-08-07"]),
            ("7", &[]),
            ("", &[]),
            ("-", &[]),
            ("版", &[]),
        ] {
            let found = match edition_called(typed, editions) {
                Ok(one) => vec![one],
                Err(several) => several,
            };
            assert_eq!(found, meant, "{typed}");
        }
        assert_eq!(edition_called("2011", ["2011", "2011-02-04"]), Ok("2011"));
    }

    #[test]
    fn editions_compare_by_value() {
        assert_eq!(compare_editions("12.7", "12.10"), Ordering::Less);
        assert_eq!(compare_editions("2026-04-17", "2011-02-04"), Ordering::Greater);
        assert_eq!(compare_editions("6.3a", "6.3"), Ordering::Greater);
        assert_eq!(compare_editions("T2", "T2"), Ordering::Equal);
    }

    #[test]
    fn a_version_stands_among_dates_where_its_text_says() {
        let (names, assumed) = order(&[("1.3", Some("2026-03-30")), ("2025-06-02", Some("2025-06-02"))]);
        assert_eq!(names, ["2025-06-02", "1.3"]);
        assert!(assumed.is_empty());
        let (names, _) = order(&[("1.3", Some("2024-03-30")), ("2025-06-02", None)]);
        assert_eq!(names, ["1.3", "2025-06-02"]);
        // Versions alone go by their numbers, whatever their texts say.
        let (names, assumed) = order(&[
            ("1.10", Some("2024-01-01")),
            ("1.9", Some("2025-01-01")),
            ("2.0", None),
        ]);
        assert_eq!(names, ["1.9", "1.10", "2.0"]);
        assert!(assumed.is_empty());
    }

    #[test]
    fn a_version_without_a_date_is_assumed_to_follow_the_one_before() {
        let (names, assumed) = order(&[
            ("1.0", None),
            ("1.1", Some("2025-01-01")),
            ("1.2", None),
            ("2024-05-05", None),
            ("2025-05-05", None),
        ]);
        assert_eq!(names, ["1.0", "2024-05-05", "1.1", "1.2", "2025-05-05"]);
        assert_eq!(assumed, ["1.0", "1.2"]);
    }

    proptest! {
        #[test]
        fn every_three_editions_have_an_order(editions in proptest::collection::btree_map(
            "[1-3]\\.[0-9]|202[0-3]-0[1-9]-01",
            proptest::option::of("202[0-3]-0[1-9]-01"),
            3..7,
        )) {
            let editions: BTreeMap<Name, Option<Name>> = editions
                .into_iter()
                .map(|(name, date)| (Name::from(name.as_str()), date.map(|date| Name::from(date.as_str()))))
                .collect();
            let (order, _) = EditionOrder::new(&editions);
            let names: Vec<&Name> = editions.keys().collect();
            for a in &names {
                for b in &names {
                    prop_assert_eq!(order.compare(a, b), order.compare(b, a).reverse());
                    for c in &names {
                        if order.compare(a, b).is_le() && order.compare(b, c).is_le() {
                            prop_assert!(order.compare(a, c).is_le(), "{a} {b} {c}");
                        }
                    }
                }
            }
        }
    }
}
