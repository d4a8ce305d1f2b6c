//! Which citations of a document lead elsewhere now, or nowhere?
//!
//! A document was written for one edition of the rules and is read under another. [`Checker`] reads its citations line
//! by line and says of each that is stale where its rule stands now. What is certain only: a number that is the same
//! rule's in both editions is fine, whatever it was before.
//!
//! A number that no edition has is wrong where it is a citation: where something before it says so (`rule`, `CR`, `§`,
//! `第…条`), or where it would stand below a rule that is there and looks like no other figure. Prices, versions, dates and
//! shares are no citations, whatever numbers they are written with.

use crate::citation::{Part, RuleNumber};
use crate::corpus::editions::EditionOrder;
use crate::corpus::{Damaged, Entries, Key};
use crate::entry::{Lang, rule_id, rule_id_prefix};
use crate::game::Game;
use crate::history::{Edition, editions, places};
use crate::lookup::citation::{Citation, Written, read_citations};
use crate::lookup::near_numbers;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Why a citation is stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The rule is no longer there, and neither is its number.
    Gone,
    /// The rule has another number, and no rule has that one.
    Moved,
    /// The number is another rule's.
    ChangedMeaning,
    /// No edition has the number.
    NoSuchNumber,
}

impl Why {
    /// A stable code.
    pub fn as_str(self) -> &'static str {
        match self {
            Why::Gone => "gone",
            Why::Moved => "moved",
            Why::ChangedMeaning => "changed-meaning",
            Why::NoSuchNumber => "no-such-number",
        }
    }
}

/// A citation that no longer means what it meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// The document's id.
    pub document: String,
    /// The number, as rules are cited.
    pub citation: String,
    /// Why.
    pub why: Why,
    /// The number of its rule now, where it has one.
    pub now: Option<String>,
    /// The numbers near one that no edition has.
    pub nearest: Vec<String>,
    /// What to write instead and where, in bytes of the document; none where nothing can be written in its place or it
    /// was not written plainly.
    pub rewrite: Option<(Range<usize>, String)>,
}

/// The editions that documents are checked between.
#[derive(Debug, Clone, Copy, Default)]
pub struct Between<'a> {
    /// The edition that they were written for; none for the one before the other.
    pub from: Option<&'a str>,
    /// The edition that they are read under; none for the newest.
    pub to: Option<&'a str>,
}

/// Where the rules of one edition of a document stand in another.
#[derive(Debug)]
struct Mapping {
    from: String,
    to: String,
    places: HashMap<String, Option<String>>,
    there: HashSet<String>,
}

/// Checks documents against the rules of some games.
pub struct Checker<'e> {
    entries: &'e dyn Entries,
    games: Vec<&'e Game>,
    between: Between<'e>,
    mappings: HashMap<(String, String), Option<Mapping>>,
    /// Whether a document of a game is loaded.
    loaded: HashMap<(String, String), bool>,
    /// The games that the documents were of.
    cited: HashSet<String>,
}

/// What is known of a cited number.
enum Known {
    /// It means what it meant.
    Fine,
    /// It does not.
    Stale(Why, Option<String>),
    /// No edition has it; true where one has what it would stand below.
    Never(bool),
}

impl<'e> Checker<'e> {
    /// A checker of citations of those games.
    pub fn new(entries: &'e dyn Entries, games: Vec<&'e Game>, between: Between<'e>) -> Checker<'e> {
        Checker {
            entries,
            games,
            between,
            mappings: HashMap::new(),
            loaded: HashMap::new(),
            cited: HashSet::new(),
        }
    }

    /// The stale citations of a document, in order. Of several games it is of the one that has most of its citations.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when entries cannot be read.
    pub fn check(&mut self, text: &str) -> Result<Vec<Stale>, Damaged> {
        let mut best: (usize, Vec<Stale>) = (0, Vec::new());
        let mut of = None;
        for game in self.games.clone() {
            let mut found = (0, Vec::new());
            let mut start = 0;
            for (number, line) in text.split_inclusive('\n').enumerate() {
                let mut column = 0;
                for part in in_parts(line) {
                    // What has no figure cites nothing.
                    if part.chars().any(char::is_numeric) {
                        self.check_line(game, part, (number + 1, column, start), &mut found)?;
                    }
                    column += part.chars().count();
                    start += part.len();
                }
            }
            // A game of which nothing is known says at least which numbers it does not have.
            if found.0 > best.0 || of.is_none() && !found.1.is_empty() {
                (best, of) = (found, Some(game.id.clone()));
            }
        }
        self.cited.extend(of);
        Ok(best.1)
    }

    /// The editions that were compared: of each game and document that was cited, the older and the newer.
    pub fn compared(&self) -> Vec<(&str, &str, &str, &str)> {
        let mut compared: Vec<_> = self
            .mappings
            .iter()
            .filter(|((game, _), _)| self.cited.contains(game))
            .filter_map(|((game, document), mapping)| {
                let mapping = mapping.as_ref()?;
                Some((
                    game.as_str(),
                    document.as_str(),
                    mapping.from.as_str(),
                    mapping.to.as_str(),
                ))
            })
            .collect();
        compared.sort_unstable();
        compared
    }

    /// Adds what a line cites to how many citations are known, and to those that are stale. The line's number, how many
    /// of its characters stand before, and where it starts are given.
    fn check_line(
        &mut self,
        game: &Game,
        line: &str,
        (line_number, column, start): (usize, usize, usize),
        (n_known, stale): &mut (usize, Vec<Stale>),
    ) -> Result<(), Damaged> {
        let offsets: Vec<usize> = line
            .char_indices()
            .map(|(at, _)| at)
            .chain([line.len()])
            .collect();
        let reading = read_citations(line, game);
        let mut before: Option<RuleNumber> = None;
        for (citation, written) in reading.citations.iter().zip(&reading.written) {
            for (number, at) in ends(citation, written) {
                let span = offsets.get(at.start).zip(offsets.get(at.end));
                let span = span.map(|(from, to)| *from..*to).unwrap_or_default();
                let document = &citation.document;
                let is_short = has_short_sections(game, document);
                // `1-2` and `3 cards` name no section.
                let is_bare = is_short && number.depth() == 1 && !written.named;
                if is_bare || is_other_figure(&line[..span.start], &line[span.end..], written, is_short) {
                    continue;
                }
                let mut nearest = Vec::new();
                let (why, now) = match self.known(game, document, number)? {
                    Known::Fine => {
                        *n_known += 1;
                        before = Some(number.clone());
                        continue;
                    }
                    Known::Stale(why, now) => {
                        *n_known += 1;
                        (why, now)
                    }
                    Known::Never(has_above) => {
                        if !self.is_cited(game, document, number, written, has_above)? {
                            continue;
                        }
                        nearest = near_numbers(self.entries, game, document, number)?;
                        (Why::NoSuchNumber, None)
                    }
                };
                let now: Option<RuleNumber> = now.and_then(|now| now.parse().ok());
                let new = now
                    .as_ref()
                    .and_then(|now| instead(&line[span.clone()], number, now, before.as_ref()));
                stale.push(Stale {
                    line: line_number,
                    column: column + at.start + 1,
                    document: document.clone(),
                    citation: number.to_string(),
                    why,
                    now: now.as_ref().map(ToString::to_string),
                    nearest,
                    rewrite: new.map(|new| (start + span.start..start + span.end, new)),
                });
                before = now.or(before);
            }
        }
        Ok(())
    }

    /// What became of a number.
    fn known(&mut self, game: &Game, document: &str, number: &RuleNumber) -> Result<Known, Damaged> {
        let (entries, between) = (self.entries, self.between);
        let key = (game.id.clone(), document.to_owned());
        if !self.mappings.contains_key(&key) {
            let mapping = mapping(entries, &game.id, document, between)?;
            self.mappings.insert(key.clone(), mapping);
        }
        let id = rule_id(&game.id, document, number);
        let matches = entries.find(&Key::Id(&id).encode())?;
        let mapping = self.mappings.get(&key).and_then(Option::as_ref);
        let there = match mapping {
            Some(mapping) => mapping.there.contains(number.as_str()),
            None => {
                let mut current = false;
                for &idx in &matches {
                    current |= entries.is_current(idx)?;
                }
                current
            }
        };
        let place = mapping.and_then(|mapping| mapping.places.get(number.as_str()));
        Ok(match place {
            Some(Some(now)) if now == number.as_str() => Known::Fine,
            Some(now) if there => Known::Stale(Why::ChangedMeaning, now.clone()),
            Some(Some(now)) => Known::Stale(Why::Moved, Some(now.clone())),
            Some(None) => Known::Stale(Why::Gone, None),
            None if there => Known::Fine,
            None => {
                let now = self.moved(&id)?.filter(|_| between.from.is_none());
                let above = number.parent().map(|above| rule_id(&game.id, document, &above));
                let has_above = match above {
                    Some(above) => !entries.find(&Key::Id(&above).encode())?.is_empty(),
                    None => false,
                };
                match now {
                    Some(now) => Known::Stale(Why::Moved, Some(now)),
                    None if !matches.is_empty() => Known::Stale(Why::Gone, None),
                    None => Known::Never(has_above),
                }
            }
        })
    }

    /// True when a number that no edition has is a citation all the same.
    fn is_cited(
        &mut self,
        game: &Game,
        document: &str,
        number: &RuleNumber,
        written: &Written,
        has_above: bool,
    ) -> Result<bool, Damaged> {
        let looks_so = written.named || has_above && !has_short_sections(game, document);
        let is_year = matches!(number.parts().next(), Some(Part::Number(1900..=2199)));
        if !looks_so || written.goes_on || is_year && !has_above {
            return Ok(false);
        }
        let key = (game.id.clone(), document.to_owned());
        if let Some(loaded) = self.loaded.get(&key) {
            return Ok(*loaded);
        }
        let prefix = format!("id:{}", rule_id_prefix(&game.id, document));
        let loaded = !self.entries.with_prefix(&prefix, 1)?.is_empty();
        self.loaded.insert(key, loaded);
        Ok(loaded)
    }

    /// Where the rule stands now that an older edition had under an id last.
    fn moved(&self, id: &str) -> Result<Option<String>, Damaged> {
        let prefix = Key::moved_prefix(id);
        let moved = self.entries.with_prefix(&prefix, usize::MAX)?;
        let order = match moved.as_slice() {
            [(_, matches), _, ..] if !matches.is_empty() => {
                let entry = self.entries.entry(matches[0])?;
                EditionOrder::of(self.entries, &entry.game, &entry.document)?
            }
            _ => EditionOrder::default(),
        };
        let last = moved
            .iter()
            .max_by(|(a, _), (b, _)| order.compare(&a[prefix.len()..], &b[prefix.len()..]));
        let Some(&idx) = last.and_then(|(_, matches)| matches.first()) else {
            return Ok(None);
        };
        Ok(self.entries.entry(idx)?.citation.map(|number| number.to_string()))
    }
}

/// True where a document's sections have one figure or two, as most other things have that are numbered.
fn has_short_sections(game: &Game, document: &str) -> bool {
    let numbering = game.numbering(Some(document));
    numbering.is_none_or(|numbering| numbering.digits[0] < 3)
}

/// The longest part of a line that is read at a time, in characters: less than the reader of citations takes.
const LONGEST_PART: usize = 3500;

/// A line in parts that can be read, cut between words where that can be done.
fn in_parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((room, _)) = rest.char_indices().nth(LONGEST_PART) {
        let between = |c: char| c.is_whitespace() || matches!(c, '。' | '，' | '；' | '、');
        let cut = rest[..room].rfind(between).filter(|at| *at > 0).unwrap_or(room);
        let (part, after) = rest.split_at(cut);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// What is counted and measured with figures that may look like a rule's number: abbreviations and words.
const UNITS: &[&str] = &[
    "kg", "g", "mg", "km", "m", "cm", "mm", "l", "ml", "kb", "mb", "gb", "hz", "mhz", "ghz", "ms", "s",
    "sec", "min", "h", "usd", "eur", "gbp", "jpy", "cny", "rmb", "dollars", "euros", "pounds", "yen", "yuan",
    "percent", "points", "pts", "times", "seconds", "minutes", "hours", "inches", "px", "pt",
];

/// The same in Chinese.
const HAN_UNITS: &[&str] = &[
    "公斤",
    "千克",
    "克",
    "公里",
    "千米",
    "厘米",
    "毫米",
    "米",
    "升",
    "毫升",
    "美元",
    "欧元",
    "日元",
    "人民币",
    "块",
    "分钟",
    "秒",
    "倍",
    "次",
    "张",
    "点",
    "兆",
];

/// True for a figure that is no rule's number whatever it is written like: a price, a share, a part of an address, and,
/// without a name, a version, a page and what goes on as no number does (`192.168.1.1`). Where sections have one figure
/// or two (`is_short`), so has much that letters stand right before.
fn is_other_figure(before: &str, after: &str, written: &Written, is_short: bool) -> bool {
    const MONEY: [char; 12] = ['$', '＄', '€', '£', '¥', '￥', '₩', '₽', '₹', '₺', '฿', '¢'];
    const BEHIND: [char; 8] = ['%', '％', '‰', '元', '°', '℃', '€', '£'];
    let after = after.trim_start_matches(' ');
    // 元素 is a word of its own.
    let is_amount = after.starts_with(BEHIND) && !after.starts_with("元素");
    // An address would lead nowhere with another number in it.
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let in_address = word.contains("://") || word.starts_with("www.");
    // 1,310.8
    let in_thousands = before
        .strip_suffix([',', '，'])
        .is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
    if before.trim_end().ends_with(MONEY) || is_amount || in_address || in_thousands {
        return true;
    }
    if written.named {
        return false;
    }
    let unit = after
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    if UNITS.contains(&unit.to_lowercase().as_str()) || HAN_UNITS.iter().any(|unit| after.starts_with(unit)) {
        return true;
    }
    let words = before.trim_end_matches([' ', '.', ':', '：']);
    let is_version = ["版", "版本"].iter().any(|version| words.ends_with(version)) || {
        let word = words
            .rsplit(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        [
            "v", "ver", "version", "edition", "release", "p", "pp", "page", "pages",
        ]
        .contains(&word.to_lowercase().as_str())
    };
    let is_joined = before.ends_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    written.goes_on || is_version || is_short && is_joined
}

/// The numbers that a citation names, each with where it is written.
fn ends<'c>(citation: &'c Citation, written: &'c Written) -> Vec<(&'c RuleNumber, &'c Range<usize>)> {
    let mut ends = vec![(&citation.first, &written.first)];
    ends.extend(citation.last.as_ref().zip(written.last.as_ref()));
    ends
}

/// What to write for a number in place of what was written for it: in full where that was in full, and the last part
/// alone (`601.2f–h`) where the number before, as it is now, says the rest. None for what was not written plainly.
fn instead(written: &str, old: &RuleNumber, new: &RuleNumber, before: Option<&RuleNumber>) -> Option<String> {
    let plain = written.to_lowercase();
    if plain == old.as_str() {
        return Some(new.to_string());
    }
    let short = |number: &RuleNumber| {
        let above = number.parent()?;
        let rest = number.as_str().strip_prefix(above.as_str())?;
        Some(rest.trim_start_matches(['.', '-']).to_owned())
    };
    if short(old)? != plain {
        return None;
    }
    if before.and_then(RuleNumber::parent) == new.parent() {
        short(new)
    } else {
        Some(new.to_string())
    }
}

/// How one edition of a document maps to another, in the first language that has both; none where there are not two.
fn mapping(
    entries: &dyn Entries,
    game: &str,
    document: &str,
    between: Between<'_>,
) -> Result<Option<Mapping>, Damaged> {
    for lang in Lang::ALL {
        let editions = editions(entries, game, document, lang)?;
        let named = |name: &str| editions.iter().position(|edition| edition.name() == name);
        let to = match between.to {
            Some(name) => named(name),
            None => editions.len().checked_sub(1),
        };
        let from = match between.from {
            Some(name) => named(name),
            None => to.and_then(|to| to.checked_sub(1)),
        };
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        let mut span: Vec<&Edition> = editions[from.min(to)..=from.max(to)].iter().collect();
        if from > to {
            span.reverse();
        }
        let there = editions[to].numbers().map(str::to_owned).collect();
        return Ok(Some(Mapping {
            from: editions[from].name().to_owned(),
            to: editions[to].name().to_owned(),
            places: places(&span).into_iter().collect(),
            there,
        }));
    }
    Ok(None)
}

/// A document with its stale citations rewritten, where that can be done.
pub fn rewritten(text: &str, stale: &[Stale]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for (span, instead) in stale.iter().filter_map(|stale| stale.rewrite.as_ref()) {
        if span.start < at {
            continue;
        }
        new.push_str(&text[at..span.start]);
        new.push_str(instead);
        at = span.end;
    }
    new.push_str(&text[at..]);
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_citation_whatever_it_looks_like() {
        let is_other = |before: &str, after: &str, named: bool, is_short: bool| {
            let written = Written {
                first: 0..1,
                last: None,
                named,
                goes_on: false,
            };
            is_other_figure(before, after, &written, is_short)
        };
        for (before, after) in [("$", ""), ("costs € ", " each"), ("", "%"), ("", " 元")] {
            for (named, is_short) in [(true, true), (false, false)] {
                assert!(is_other(before, after, named, is_short), "{before}_{after}");
            }
        }
        for after in [" kg", " points", "公斤", " 次"] {
            assert!(
                is_other("", after, false, false) && !is_other("", after, true, false),
                "{after}"
            );
        }
        for before in ["v", "Version ", "ver. ", "版本", "see the release ", "p. "] {
            assert!(
                is_other(before, "", false, true) && is_other(before, "", false, false),
                "{before}"
            );
            assert!(!is_other(before, "", true, true), "{before}");
        }
        assert!(is_other("SM", "", false, true) && !is_other("SM", "", false, false));
        for before in ["https://example.org/rules/", "sold 1,"] {
            assert!(is_other(before, "", true, false), "{before}");
        }
        for (before, after) in [("see ", ""), ("见", "。"), ("", "元素"), ("(", ")")] {
            assert!(!is_other(before, after, false, true), "{before}_{after}");
        }
    }

    proptest! {
        #[test]
        fn the_parts_of_a_line_are_the_line(
            line in "[a甲 。]{0,9}", n in 0usize..2000,
        ) {
            let line = line.repeat(n);
            let parts = in_parts(&line);
            prop_assert_eq!(&parts.concat(), &line);
            prop_assert!(parts.iter().all(|part| part.chars().count() <= LONGEST_PART));
        }
    }

    #[test]
    fn a_number_is_written_as_it_was() {
        let number = |text: &str| -> RuleNumber { text.parse().unwrap() };
        let check = |written: &str, old: &str, new: &str, before: Option<&str>| {
            instead(written, &number(old), &number(new), before.map(number).as_ref())
        };
        assert_eq!(
            check("702.19b", "702.19b", "702.20b", None).as_deref(),
            Some("702.20b")
        );
        assert_eq!(
            check("702.19B", "702.19b", "702.20b", None).as_deref(),
            Some("702.20b")
        );
        assert_eq!(
            check("h", "601.2h", "601.3i", Some("601.3f")).as_deref(),
            Some("i")
        );
        assert_eq!(
            check("h", "601.2h", "602.1a", Some("601.3f")).as_deref(),
            Some("602.1a")
        );
        assert_eq!(
            check("22", "702.22", "702.23", Some("702.20")).as_deref(),
            Some("23")
        );
        assert_eq!(check("702 19 b", "702.19b", "702.20b", None), None);
    }
}
