//! Here is what somebody typed: which entries does it name?
//!
//! [`resolve`] answers for a citation in any spelling ([`citation`]), an id or a unique prefix of one, and a
//! title, keyword or term that matches in full. It reads entries through [`Entries`] and knows no index; what
//! it cannot find is a [`Miss`] with the reason and the nearest numbers.

pub mod cards;
pub mod citation;

use crate::citation::{Part, RuleNumber};
use crate::corpus::{Damaged, Entries, Key, compare_editions, games_of, is_of_its_edition};
use crate::entry::{DEFAULT_DOCUMENT, Entry, Kind, rule_id, rule_id_prefix};
use crate::fold::{fold_key, is_han};
use crate::game::{Document, Game, Games};
use citation::{Citation, Reading, read_citations, read_citations_of};
use std::collections::BTreeSet;

/// How hard to look for a citation in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The input may be a search instead: only what is nothing but a citation or a name counts, and a pasted
    /// rule that opens with its number.
    Guess,
    /// The input is meant to name entries: every citation in it counts.
    Show,
}

/// How much is shown around what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// The entry alone.
    Only,
    /// A rule with all its subrules; a section or chapter with what stands right below it.
    Subrules,
    /// Everything below it.
    Tree,
}

/// What to look for, and where.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The games to look in, by id; empty for all that are loaded.
    pub games: &'a [String],
    /// The document that numbers without a document's name are of.
    pub document: Option<&'a str>,
    /// The edition to show instead of the current one.
    pub edition: Option<&'a str>,
    /// How hard to look.
    pub mode: Mode,
    /// How much to show.
    pub extent: Extent,
    /// How many neighbours before and after each rule to show as well, with what the rule stands below.
    pub context: usize,
    /// How many steps of cited rules to show as well.
    pub expand: usize,
    /// Whether to show who cites what was asked for.
    pub citing: Citing,
}

/// Whether the entries that cite a rule are shown with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Citing {
    /// They are.
    Show,
    /// They are not.
    Hide,
}

/// Why an entry stands in an answer it was not asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// It stands below an entry that was asked for.
    Subrule,
    /// It stands above one.
    Above,
    /// It stands beside one.
    Context,
    /// It is cited by one.
    Cited,
    /// It defines the term that was asked for.
    Defines,
    /// It cites one.
    Citing,
    /// An older edition had it under the number that was asked for.
    Moved,
}

impl Via {
    /// The word that is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Via::Subrule => "subrule",
            Via::Above => "above",
            Via::Context => "context",
            Via::Cited => "cited",
            Via::Defines => "defines",
            Via::Citing => "citing",
            Via::Moved => "moved",
        }
    }
}

/// One entry of an answer.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its place in reading order.
    pub idx: u32,
    /// The entry.
    pub entry: Entry,
    /// 0 for what was asked for, more for what stands below or around it.
    pub depth: u32,
    /// Why it is there, when it was not asked for.
    pub via: Option<Via>,
    /// How it is known that it was meant, when an older edition had it under the number that was asked for.
    pub meant: Option<Meant>,
}

impl Found {
    /// An entry that was asked for (`depth` 0), or one that stands around such an entry, and why.
    pub fn new(idx: u32, entry: Entry, depth: u32, via: Option<Via>) -> Found {
        Found {
            idx,
            entry,
            depth,
            via,
            meant: None,
        }
    }
}

/// How it is known that a number was written for a rule that has another one now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The last edition that had the rule under that number, where one that is loaded had.
    pub until: Option<String>,
    /// True when the words beside the number are this rule's rather than those of the rule that has the number now,
    /// or when no rule has it now.
    pub likely: bool,
}

/// Why something was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// There is no such number in that document.
    NoSuchNumber,
    /// No text of that document is loaded.
    NotLoaded(String),
    /// The rules below the one above end before it, with that number.
    PastTheLast(String),
    /// The document leaves out that letter.
    SkippedLetter(String),
    /// The number is there, but in other editions only.
    OtherEdition(Vec<String>),
    /// No id starts so.
    NoSuchId,
    /// Several ids start so.
    AmbiguousId,
    /// No rule, term or title is called so.
    NoSuchName,
}

impl Reason {
    /// A stable code.
    pub fn as_str(&self) -> &'static str {
        match self {
            Reason::NoSuchNumber => "no-such-number",
            Reason::NotLoaded(_) => "not-loaded",
            Reason::PastTheLast(_) => "past-the-last",
            Reason::SkippedLetter(_) => "skipped-letter",
            Reason::OtherEdition(_) => "other-edition",
            Reason::NoSuchId => "no-such-id",
            Reason::AmbiguousId => "ambiguous-id",
            Reason::NoSuchName => "no-such-name",
        }
    }
}

/// Something that was asked for and is not there.
#[derive(Debug, Clone)]
pub struct Miss {
    /// What was asked for, as it was understood.
    pub input: String,
    /// The game it was looked for in, where there was one.
    pub game: Option<String>,
    /// Why it is not there.
    pub reason: Reason,
    /// Numbers or names near it.
    pub nearest: Vec<String>,
    /// Where the rule that had this number has gone.
    pub moved_to: Vec<String>,
    /// Other documents and other games that have the number, each as it can be asked for.
    pub elsewhere: Vec<String>,
}

impl Miss {
    /// Nothing is called so, in that game or in any.
    pub fn no_such_name(input: String, game: Option<&Game>) -> Miss {
        Miss {
            input,
            game: game.map(|game| game.id.clone()),
            reason: Reason::NoSuchName,
            nearest: Vec::new(),
            moved_to: Vec::new(),
            elsewhere: Vec::new(),
        }
    }
}

/// What an input named.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The entries, in the order they were asked for.
    pub found: Vec<Found>,
    /// What was asked for and is not there.
    pub misses: Vec<Miss>,
    /// True when what was asked for is a name: a search may find more.
    pub by_name: bool,
    /// True for a table of contents: it is the headings that were asked for.
    pub contents: bool,
    /// The games the answer is from, when none was asked for and there are several.
    pub several_games: Vec<String>,
}

/// Takes a game's name off the start or end of what somebody typed: `fow 702.3a-1`, `mtg:702.19b`,
/// `万智牌 践踏`. An input that is nothing but the name stays.
pub fn take_game<'g>(text: &str, games: &'g Games) -> (Option<&'g Game>, String) {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some((name, rest)) = words.first().and_then(|word| word.split_once([':', '：'])) {
        let rest_is_id = rest.contains(':');
        if let Some(game) = games.find(name).filter(|_| !rest.is_empty() && !rest_is_id) {
            let tail = words[1..].iter().copied();
            return (
                Some(game),
                std::iter::once(rest).chain(tail).collect::<Vec<_>>().join(" "),
            );
        }
    }
    for length in (1..=words.len().saturating_sub(1).min(4)).rev() {
        let (head, tail) = (words[..length].join(" "), words[words.len() - length..].join(" "));
        if let Some(game) = games.find(&head) {
            return (Some(game), words[length..].join(" "));
        }
        if let Some(game) = games.find(&tail) {
            return (Some(game), words[..words.len() - length].join(" "));
        }
    }
    (None, text.trim().to_owned())
}

/// The games that have entries, in order of id.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn loaded_games<'g>(entries: &dyn Entries, games: &'g Games) -> Result<Vec<&'g Game>, Damaged> {
    let ids = games_of(entries)?;
    Ok(ids.iter().filter_map(|id| games.get(id)).collect())
}

/// Finds what `text` names; none when it names nothing and may be a search instead.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn resolve(
    text: &str,
    entries: &dyn Entries,
    games: &Games,
    options: &Options<'_>,
) -> Result<Option<Answer>, Damaged> {
    let looker = Looker {
        entries,
        games,
        options,
    };
    if let Some(answer) = looker.by_ids(text)? {
        return Ok(Some(answer));
    }
    let (game, rest) = if options.games.is_empty() {
        take_game(text, games)
    } else {
        (None, text.to_owned())
    };
    let candidates: Vec<&Game> = match game {
        Some(game) => vec![game],
        None if options.games.is_empty() => loaded_games(entries, games)?,
        None => options.games.iter().filter_map(|id| games.get(id)).collect(),
    };
    if let Some(answer) = looker.by_number(&rest, &candidates)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = looker.by_name(&rest, &candidates)? {
        return Ok(Some(answer));
    }
    // The game's word may have been meant as a word: `magic` is a game, `Magic` may be a term.
    if game.is_some()
        && let Some(answer) = looker.by_name(text, &candidates)?
    {
        return Ok(Some(answer));
    }
    // `what is trample?` asks for what `trample` does.
    let asked = citation::without_fillers(&rest);
    if asked != rest
        && let Some(answer) = looker.by_name(&asked, &candidates)?
    {
        return Ok(Some(answer));
    }
    if let Some(answer) = looker.contents(text, &rest, game, &candidates)? {
        return Ok(Some(answer));
    }
    if options.mode == Mode::Guess {
        return Ok(None);
    }
    if let Some(answer) = looker.by_initials(&rest, &candidates)? {
        return Ok(Some(answer));
    }
    if let Some(answer) = looker.other_documents(&rest, &candidates)? {
        return Ok(Some(answer));
    }
    let nearest = near_names(&rest, entries, &candidates)?;
    let miss = Miss {
        nearest,
        ..Miss::no_such_name(rest, game)
    };
    Ok(Some(Answer {
        misses: vec![miss],
        ..Answer::default()
    }))
}

/// How far below a rule others are looked for.
const DEEPEST: u32 = 16;

/// What people call a table of contents; folded.
const CONTENTS: [&str; 4] = ["toc", "contents", "table of contents", "目录"];

/// How many words a name has that is known by its initials.
const INITIALS: std::ops::RangeInclusive<usize> = 3..=6;

/// True when a folded name consists of as many words as there are initials, each starting with its own.
fn has_initials(name: &str, initials: &str) -> bool {
    let words = name
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    words
        .map(|word| word.chars().next())
        .eq(initials.chars().map(Some))
}

/// The folded names of several words that have these initials, in the games that pass: `sba` for `state-based action`.
/// It reads every name.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn names_with_initials(
    text: &str,
    entries: &dyn Entries,
    is_asked: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Damaged> {
    let folded = fold_key(text);
    // The plural is written with a small letter: `SBAs`.
    let singular = folded.strip_suffix('s').filter(|_| text.ends_with('s'));
    let is_initials =
        |text: &&str| INITIALS.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase());
    let wanted: Vec<&str> = std::iter::once(folded.as_str())
        .chain(singular)
        .filter(is_initials)
        .collect();
    let mut names: Vec<String> = Vec::new();
    if wanted.is_empty() {
        return Ok(names);
    }
    for (key, _) in entries.with_prefix("name:", usize::MAX)? {
        let Some((name, game)) = key["name:".len()..].split_once('\u{1f}') else {
            continue;
        };
        let has_them = wanted.iter().any(|initials| has_initials(name, initials));
        if has_them && is_asked(game) && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// How many near names are given at most.
const NEAR_NAMES: usize = 4;

/// The titles, keywords and terms that are spelt nearly as `text` is, nearest first. It reads every name.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn near_names(text: &str, entries: &dyn Entries, games: &[&Game]) -> Result<Vec<String>, Damaged> {
    let folded = fold_key(text);
    let length = folded.chars().count();
    // One slip in a short name, two in a longer one; of two or three Han characters one may be another.
    let is_short = length < if folded.chars().any(is_han) { 4 } else { 7 };
    let slips = if is_short { 1 } else { 2 };
    if length < if folded.is_ascii() { 4 } else { 2 } {
        return Ok(Vec::new());
    }
    let mut near: Vec<(usize, bool, String)> = Vec::new();
    for (key, _) in entries.with_prefix("name:", usize::MAX)? {
        let Some((name, game)) = key["name:".len()..].split_once('\u{1f}') else {
            continue;
        };
        if name.chars().count().abs_diff(length) > slips || !games.iter().any(|known| known.id == game) {
            continue;
        }
        let distance = strsim::osa_distance(name, &folded);
        if distance <= slips && !near.iter().any(|(.., known)| known == name) {
            // Fewer slip at the first character than later.
            let first_differs = name.chars().next() != folded.chars().next();
            near.push((distance, first_differs, name.to_owned()));
        }
    }
    near.sort();
    Ok(near.into_iter().take(NEAR_NAMES).map(|(.., name)| name).collect())
}

struct Looker<'a> {
    entries: &'a dyn Entries,
    games: &'a Games,
    options: &'a Options<'a>,
}

/// Hex digits that a shortened id must have at least.
const SHORTEST_ID: usize = 6;

impl Looker<'_> {
    /// By ids, one or several: `mtg:rule:702.19b`, `fow:statement:0123ab`, `mtg:rule:702.19b@2026-04-17`, bare hex
    /// digits.
    fn by_ids(&self, text: &str) -> Result<Option<Answer>, Damaged> {
        let mut answer = Answer::default();
        for word in text.split_whitespace() {
            if !self.by_id(word, &mut answer)? {
                return Ok(None);
            }
        }
        Ok(Some(answer).filter(|_| !text.trim().is_empty()))
    }

    /// Adds what one id names; false for what is no id.
    fn by_id(&self, text: &str, answer: &mut Answer) -> Result<bool, Damaged> {
        let (id, edition) = match text.rsplit_once('@') {
            Some((id, edition)) if id.contains(':') => (id, Some(edition)),
            _ => (text, None),
        };
        let edition = edition.or(self.options.edition);
        let hex = id.rsplit(':').next().unwrap_or(id);
        let shortened = hex.len() >= SHORTEST_ID && hex.bytes().all(|b| b.is_ascii_hexdigit());
        let is_id = id.split(':').count() >= 3 && id.split(':').all(|part| !part.is_empty());
        // Bare hex digits are an id only if there is a figure among them: `facade` is a word.
        let bare_hex = shortened && !id.contains(':') && hex.bytes().any(|b| b.is_ascii_digit());
        if !is_id && !bare_hex {
            return Ok(false);
        }
        let mut matches = if is_id {
            self.entries.find(&Key::Id(id).encode())?
        } else {
            Vec::new()
        };
        let mut reason = Reason::NoSuchId;
        if matches.is_empty() && shortened {
            let lower = hex.to_ascii_lowercase();
            let key = if is_id { Key::Id(id) } else { Key::Hex(&lower) };
            let mut keys = self.entries.with_prefix(&key.encode(), 2)?;
            if keys.len() == 1 {
                matches = keys.remove(0).1;
            } else if keys.len() > 1 {
                reason = Reason::AmbiguousId;
            }
        }
        let shown = self.of_edition(matches.clone(), edition)?;
        if shown.is_empty() {
            if !is_id && reason == Reason::NoSuchId {
                return Ok(false);
            }
            if !matches.is_empty() {
                reason = Reason::OtherEdition(self.editions_of(&matches)?);
            }
            answer.misses.push(Miss {
                input: id.to_owned(),
                game: None,
                reason,
                nearest: Vec::new(),
                moved_to: Vec::new(),
                elsewhere: Vec::new(),
            });
        }
        for idx in shown {
            self.add(answer, idx)?;
        }
        Ok(true)
    }

    /// The editions that entries are of, each once.
    fn editions_of(&self, matches: &[u32]) -> Result<Vec<String>, Damaged> {
        let mut editions = Vec::new();
        for &idx in matches {
            for edition in self.entries.entry(idx)?.own_editions() {
                if !editions.iter().any(|known| known == edition) {
                    editions.push(edition.to_owned());
                }
            }
        }
        Ok(editions)
    }

    fn by_number(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let mut answer = Answer::default();
        let mut hits: Vec<(&Game, Reading)> = Vec::new();
        let mut misses: Vec<(usize, &Game, Reading)> = Vec::new();
        for game in candidates {
            let reading = read_citations_of(text, game, self.options.document);
            let wanted = match self.options.mode {
                Mode::Show => !reading.citations.is_empty(),
                Mode::Guess => reading.nothing_else || reading.opens_with_number,
            };
            if !wanted {
                continue;
            }
            let mut any = false;
            let mut nearness = 0;
            for citation in &reading.citations {
                any |= !self.cited(game, citation)?.is_empty();
                nearness = nearness.max(self.nearness(game, citation)?);
            }
            if any {
                hits.push((game, reading));
            } else if reading.nothing_else || self.options.mode == Mode::Show {
                misses.push((nearness, game, reading));
            }
        }
        // A game whose numbering has no place for a part of what was typed was not meant, if another one's has.
        if hits.iter().any(|(_, reading)| !reading.strained) {
            hits.retain(|(_, reading)| !reading.strained);
        }
        if hits.len() > 1 {
            answer.several_games = hits.iter().map(|(game, _)| game.id.clone()).collect();
        }
        if hits.is_empty() {
            // The games that come nearest to having it say why they do not.
            let nearest = misses
                .iter()
                .map(|(nearness, _, _)| *nearness)
                .max()
                .unwrap_or_default();
            misses.retain(|(nearness, _, _)| *nearness == nearest);
            hits.extend(misses.into_iter().map(|(_, game, reading)| (game, reading)));
        }
        if hits.is_empty() {
            return Ok(None);
        }
        for (game, reading) in hits {
            for citation in &reading.citations {
                let cited = self.cited(game, citation)?;
                if cited.is_empty() {
                    for citation in each_of(citation) {
                        answer.misses.push(self.miss(game, &citation)?);
                    }
                }
                for idx in cited {
                    self.add(&mut answer, idx)?;
                }
                self.add_moved(&mut answer, game, citation, &reading.words)?;
            }
            if let ([citation], [_, ..]) = (reading.citations.as_slice(), reading.words.as_slice()) {
                self.add_meant(&mut answer, game, citation, &reading.words)?;
            }
        }
        Ok(Some(answer))
    }

    /// How many parts of a number a game has: 2 for `702.19zz` where 702.19 is there.
    fn nearness(&self, game: &Game, citation: &Citation) -> Result<usize, Damaged> {
        let document = self.document(citation);
        for number in std::iter::successors(Some(citation.first.clone()), RuleNumber::parent) {
            if !self
                .entries
                .find(&Key::Id(&rule_id(&game.id, document, &number)).encode())?
                .is_empty()
            {
                return Ok(number.depth());
            }
        }
        Ok(0)
    }

    /// The document a citation is of: its own, unless it named none and the caller asks for another.
    fn document<'c>(&'c self, citation: &'c Citation) -> &'c str {
        match self.options.document {
            Some(document) if citation.document == DEFAULT_DOCUMENT => document,
            _ => &citation.document,
        }
    }

    /// The entries that a citation names, in reading order.
    fn cited(&self, game: &Game, citation: &Citation) -> Result<Vec<u32>, Damaged> {
        let document = self.document(citation);
        let Some(last) = &citation.last else {
            let key = Key::Id(&rule_id(&game.id, document, &citation.first)).encode();
            let matches = self.entries.find(&key)?;
            return self.of_edition(matches, self.options.edition);
        };
        let in_range = |number: &RuleNumber| {
            number.depth() <= citation.first.depth().max(last.depth())
                && ((*number >= citation.first && number <= last) || last == number)
                && !(number.depth() < citation.first.depth() && citation.first.depth() == last.depth())
        };
        // Numbers of one section share its digits; a range over sections reads them all.
        let shared = match (citation.first.prefix(1), last.prefix(1)) {
            (Some(a), Some(b)) if a == b && citation.first.depth() > 1 => a.plain().into_owned(),
            _ => String::new(),
        };
        let prefix = format!("id:{}{shared}", rule_id_prefix(&game.id, document));
        let mut numbered: Vec<(RuleNumber, Vec<u32>)> = Vec::new();
        for (key, matches) in self.entries.with_prefix(&prefix, usize::MAX)? {
            let Some(number) = key
                .rsplit(':')
                .next()
                .and_then(|number| number.parse::<RuleNumber>().ok())
            else {
                continue;
            };
            let same_level = citation.first.depth() > 1 || number.depth() == 1;
            if in_range(&number) && same_level {
                numbered.push((number, matches));
            }
        }
        numbered.sort_by(|a, b| a.0.cmp(&b.0));
        let mut shown = Vec::new();
        for (_, matches) in numbered {
            shown.extend(self.of_edition(matches, self.options.edition)?);
        }
        Ok(shown)
    }

    /// Those of `matches` that are of the wanted edition, or current where none is wanted.
    fn of_edition(&self, matches: Vec<u32>, edition: Option<&str>) -> Result<Vec<u32>, Damaged> {
        let mut shown = Vec::new();
        for idx in matches {
            let wanted = match edition {
                None => self.entries.is_current(idx)?,
                Some(edition) => self.entries.entry(idx)?.is_of_edition(edition),
            };
            if wanted {
                shown.push(idx);
            }
        }
        Ok(shown)
    }

    /// Adds what was asked for, with what stands below and around it.
    fn add(&self, answer: &mut Answer, idx: u32) -> Result<(), Damaged> {
        if answer
            .found
            .iter()
            .any(|found| found.idx == idx && found.depth == 0)
        {
            return Ok(());
        }
        let entry = self.entries.entry(idx)?;
        answer.found.push(Found::new(idx, entry.clone(), 0, None));
        let levels = match (self.options.extent, entry.kind) {
            (Extent::Only, _) => 0,
            (Extent::Subrules, Kind::Section | Kind::Chapter) => 1,
            (Extent::Subrules | Extent::Tree, _) => u32::MAX,
        };
        self.add_children(answer, &entry, 1, levels)?;
        if self.options.context > 0 {
            for (idx, entry) in self.above(&entry)? {
                answer.found.push(Found::new(idx, entry, 1, Some(Via::Above)));
            }
            for (idx, entry) in self.neighbours(&entry)? {
                answer.found.push(Found::new(idx, entry, 1, Some(Via::Context)));
            }
        }
        if self.options.expand > 0 {
            self.add_cited(answer)?;
        }
        if self.options.citing == Citing::Show {
            self.add_citing(answer, &entry)?;
        }
        Ok(())
    }

    fn add_children(
        &self,
        answer: &mut Answer,
        entry: &Entry,
        depth: u32,
        levels: u32,
    ) -> Result<(), Damaged> {
        if depth > levels || depth > DEEPEST {
            return Ok(());
        }
        for child in &entry.children {
            for (idx, child) in self.child(entry, child)? {
                answer
                    .found
                    .push(Found::new(idx, child.clone(), depth, Some(Via::Subrule)));
                self.add_children(answer, &child, depth + 1, levels)?;
            }
        }
        Ok(())
    }

    /// The entries of an id that stand below an entry: those of its own editions where there are any. An undated text
    /// is shown beside a dated one, but each with what stands below it.
    fn child(&self, entry: &Entry, id: &str) -> Result<Vec<(u32, Entry)>, Damaged> {
        let matches = self.of_edition(self.entries.find(&Key::Id(id).encode())?, self.options.edition)?;
        let mut children = Vec::new();
        for idx in matches {
            children.push((idx, self.entries.entry(idx)?));
        }
        let of_its_edition = |(_, child): &(u32, Entry)| is_of_its_edition(entry, child);
        if children.len() > 1 && children.iter().any(of_its_edition) {
            children.retain(of_its_edition);
        }
        Ok(children)
    }

    /// What an entry stands below, outermost first.
    fn above(&self, entry: &Entry) -> Result<Vec<(u32, Entry)>, Damaged> {
        let mut above = Vec::new();
        let mut parent = entry.parent.clone();
        while let Some(id) = parent {
            let matches = self.entries.find(&Key::Id(&id).encode())?;
            let Some(&idx) = self.of_edition(matches, self.options.edition)?.first() else {
                break;
            };
            let entry = self.entries.entry(idx)?;
            parent = entry.parent.clone();
            above.insert(0, (idx, entry));
        }
        Ok(above)
    }

    /// The neighbours of an entry below the same parent, as many before and after as the options ask for.
    fn neighbours(&self, entry: &Entry) -> Result<Vec<(u32, Entry)>, Damaged> {
        let mut neighbours = Vec::new();
        let Some(parent) = &entry.parent else {
            return Ok(neighbours);
        };
        let parents = self.entries.find(&Key::Id(parent).encode())?;
        if let Some(&parent) = self.of_edition(parents, self.options.edition)?.first() {
            let siblings = self.entries.entry(parent)?.children;
            let own = siblings.iter().position(|id| *id == entry.id).unwrap_or(0);
            let from = own.saturating_sub(self.options.context);
            let to = own
                .saturating_add(self.options.context)
                .saturating_add(1)
                .min(siblings.len());
            for (_, id) in siblings
                .iter()
                .enumerate()
                .take(to)
                .skip(from)
                .filter(|(at, _)| *at != own)
            {
                let sibling = self.entries.find(&Key::Id(id).encode())?;
                if let Some(&idx) = self.of_edition(sibling, self.options.edition)?.first() {
                    neighbours.push((idx, self.entries.entry(idx)?));
                }
            }
        }
        Ok(neighbours)
    }

    /// Adds the rules that the entries of the answer cite, step by step, none twice.
    fn add_cited(&self, answer: &mut Answer) -> Result<(), Damaged> {
        let mut known: BTreeSet<u32> = answer.found.iter().map(|found| found.idx).collect();
        let mut step: Vec<Entry> = answer.found.iter().map(|found| found.entry.clone()).collect();
        for depth in 1..=self.options.expand.min(8) {
            let mut next = Vec::new();
            for id in step.iter().flat_map(|entry| &entry.references) {
                for idx in self.of_edition(self.entries.find(&Key::Id(id).encode())?, self.options.edition)? {
                    if known.insert(idx) {
                        let entry = self.entries.entry(idx)?;
                        next.push(entry.clone());
                        answer
                            .found
                            .push(Found::new(idx, entry, depth as u32, Some(Via::Cited)));
                    }
                }
            }
            step = next;
        }
        Ok(())
    }

    /// Adds the entries whose texts cite an entry.
    fn add_citing(&self, answer: &mut Answer, entry: &Entry) -> Result<(), Damaged> {
        for idx in self.of_edition(
            self.entries.find(&Key::Citing(&entry.id).encode())?,
            self.options.edition,
        )? {
            let entry = self.entries.entry(idx)?;
            answer.found.push(Found::new(idx, entry, 1, Some(Via::Citing)));
        }
        Ok(())
    }

    /// By title, keyword, headword or alias. Rules come first, then the term with the rules that define it.
    fn by_name(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let folded = fold_key(text);
        if folded.is_empty() {
            return Ok(None);
        }
        let mut answer = Answer {
            by_name: true,
            ..Answer::default()
        };
        let mut games = Vec::new();
        for game in candidates {
            let mut matches = self.entries.find(&Key::Name(&folded, &game.id).encode())?;
            if self.options.edition.is_some() {
                // Names lead to current entries; the same entries in the wanted edition have the same ids.
                let mut versions = Vec::new();
                for idx in matches {
                    versions.extend(
                        self.entries
                            .find(&Key::Id(&self.entries.entry(idx)?.id).encode())?,
                    );
                }
                matches = versions;
            }
            let shown = self.of_edition(matches, self.options.edition)?;
            if shown.is_empty() {
                continue;
            }
            games.push(game.id.clone());
            let (terms, rules): (Vec<_>, Vec<_>) = shown
                .into_iter()
                .map(|idx| Ok((idx, self.entries.entry(idx)?)))
                .collect::<Result<Vec<_>, Damaged>>()?
                .into_iter()
                .partition(|(_, entry)| entry.kind == Kind::Term);
            let no_rules = rules.is_empty();
            for (idx, _) in rules {
                self.add(&mut answer, idx)?;
            }
            for (idx, term) in terms {
                self.add(&mut answer, idx)?;
                if no_rules && self.options.extent != Extent::Only {
                    self.add_defining(&mut answer, &term)?;
                }
            }
        }
        if games.is_empty() {
            return Ok(None);
        }
        if games.len() > 1 {
            answer.several_games = games;
        }
        Ok(Some(answer))
    }

    /// The table of contents of a document, asked for by its name, its game's name or in so many words.
    fn contents(
        &self,
        text: &str,
        rest: &str,
        named: Option<&Game>,
        candidates: &[&Game],
    ) -> Result<Option<Answer>, Damaged> {
        let asked = fold_key(rest);
        let in_words =
            CONTENTS.contains(&asked.as_str()) && (named.is_some() || self.options.mode == Mode::Show);
        let alone = self.games.find(text);
        let candidates = alone
            .as_slice()
            .iter()
            .chain(candidates.iter().filter(|_| alone.is_none()));
        let mut documents: Vec<(&Game, &str)> = Vec::new();
        for game in candidates {
            let of_name = |document: &&Document| {
                document.id == asked || document.names.iter().any(|name| fold_key(name) == asked)
            };
            let document = match game.documents.iter().find(of_name) {
                Some(document) => &document.id,
                None if in_words || alone.is_some() => self.options.document.unwrap_or(DEFAULT_DOCUMENT),
                None => continue,
            };
            if self.is_loaded(game, document)? {
                documents.push((game, document));
            }
        }
        // Of several rulebooks none was meant.
        let [(game, document)] = documents.as_slice() else {
            return Ok(None);
        };
        let prefix = format!("id:{}", rule_id_prefix(&game.id, document));
        let mut tops: Vec<(u32, Entry)> = Vec::new();
        for (_, matches) in self.entries.with_prefix(&prefix, usize::MAX)? {
            for idx in self.of_edition(matches, self.options.edition)? {
                let entry = self.entries.entry(idx)?;
                if entry.parent.is_none() && entry.kind.is_numbered() {
                    tops.push((idx, entry));
                }
            }
        }
        tops.sort_by_key(|(idx, _)| *idx);
        let mut answer = Answer {
            contents: true,
            ..Answer::default()
        };
        for (idx, entry) in tops {
            answer.found.push(Found::new(idx, entry.clone(), 0, None));
            self.add_headings(&mut answer, &entry, 1)?;
        }
        Ok(Some(answer).filter(|answer| !answer.found.is_empty()))
    }

    /// Adds the sections below an entry; with [`Extent::Tree`] every rule that has a name as well.
    fn add_headings(&self, answer: &mut Answer, entry: &Entry, depth: u32) -> Result<(), Damaged> {
        if self.options.extent == Extent::Only || depth > DEEPEST {
            return Ok(());
        }
        for id in &entry.children {
            for (idx, child) in self.child(entry, id)? {
                // Where there are no chapters, sections stand in their place.
                let is_heading = match child.kind {
                    Kind::Chapter | Kind::Section => true,
                    _ if child.title.is_empty() => false,
                    _ => depth == 1 && entry.kind == Kind::Section || self.options.extent == Extent::Tree,
                };
                if is_heading {
                    answer
                        .found
                        .push(Found::new(idx, child.clone(), depth, Some(Via::Subrule)));
                    self.add_headings(answer, &child, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// By the initials of a name of several words: `sba` for state-based actions. It reads every name.
    fn by_initials(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let is_candidate = |game: &str| candidates.iter().any(|known| known.id == game);
        match names_with_initials(text, self.entries, is_candidate)?.first() {
            Some(name) => self.by_name(name, candidates),
            None => Ok(None),
        }
    }

    /// Adds the rules that a term's entry sends its reader to.
    fn add_defining(&self, answer: &mut Answer, term: &Entry) -> Result<(), Damaged> {
        for id in &term.references {
            for idx in self.of_edition(self.entries.find(&Key::Id(id).encode())?, self.options.edition)? {
                if answer.found.iter().all(|found| found.idx != idx) {
                    let entry = self.entries.entry(idx)?;
                    answer
                        .found
                        .push(Found::new(idx, entry.clone(), 1, Some(Via::Defines)));
                    if entry.kind == Kind::Rule {
                        self.add_children(answer, &entry, 2, u32::MAX)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the rules that older editions had under the number that was asked for: those first that the words beside it
    /// are about, then those that had it last.
    fn add_moved(
        &self,
        answer: &mut Answer,
        game: &Game,
        citation: &Citation,
        words: &[String],
    ) -> Result<(), Damaged> {
        if citation.last.is_some() || self.options.edition.is_some() {
            return Ok(());
        }
        let id = rule_id(&game.id, self.document(citation), &citation.first);
        let mut moved = Vec::new();
        for (until, idx) in self.moved(&id)? {
            let entry = self.entries.entry(idx)?;
            let n_words = self.n_words_in(&entry, words)?;
            moved.push((std::cmp::Reverse(n_words), until, idx, entry));
        }
        if moved.is_empty() {
            return Ok(());
        }
        moved.sort_by_key(|(n_words, ..)| *n_words);
        let current = answer
            .found
            .iter()
            .find(|found| found.entry.id == id && found.depth == 0);
        let n_of_current = match current {
            Some(found) => Some(self.n_words_in(&found.entry, words)?),
            None => None,
        };
        for (n_words, until, idx, entry) in moved {
            let meant = Meant {
                until: Some(until),
                likely: n_of_current.is_none_or(|n| n_words.0 > n),
            };
            self.add_elsewhere(answer, idx, entry, meant)?;
        }
        Ok(())
    }

    /// Adds a rule that was meant though it stands at another place; with its subrules where it is but a name.
    fn add_elsewhere(
        &self,
        answer: &mut Answer,
        idx: u32,
        entry: Entry,
        meant: Meant,
    ) -> Result<(), Damaged> {
        if answer.found.iter().any(|found| found.idx == idx) {
            return Ok(());
        }
        let mut found = Found::new(idx, entry.clone(), 1, Some(Via::Moved));
        found.meant = Some(meant);
        answer.found.push(found);
        if self.options.extent != Extent::Only && entry.kind == Kind::Rule && !entry.title.is_empty() {
            self.add_children(answer, &entry, 2, u32::MAX)?;
        }
        Ok(())
    }

    /// How many of the words are in an entry's texts or its names, or in the names of what it stands below.
    fn n_words_in(&self, entry: &Entry, words: &[String]) -> Result<usize, Damaged> {
        if words.is_empty() {
            return Ok(0);
        }
        let mut said: Vec<String> = entry.text.iter().map(|(_, text)| fold_key(text)).collect();
        let mut above = Some(entry.clone());
        while let Some(entry) = above {
            said.extend(entry.title.iter().map(|(_, title)| fold_key(title)));
            above = match &entry.parent {
                Some(id) => {
                    let parents = self.of_edition(self.entries.find(&Key::Id(id).encode())?, None)?;
                    parents.first().map(|&idx| self.entries.entry(idx)).transpose()?
                }
                None => None,
            };
        }
        let is_said = |word: &&String| said.iter().any(|text| text.contains(word.as_str()));
        Ok(words.iter().filter(is_said).count())
    }

    /// Adds the rule that the words beside a number name, where the number is of another rule of the same section: it
    /// was most likely written when the numbers there were others (`702.84a cascade`).
    fn add_meant(
        &self,
        answer: &mut Answer,
        game: &Game,
        citation: &Citation,
        words: &[String],
    ) -> Result<(), Damaged> {
        let number = &citation.first;
        if citation.last.is_some() || self.options.edition.is_some() || number.depth() < 2 {
            return Ok(());
        }
        let own = rule_id_prefix(&game.id, self.document(citation));
        let mut named: Vec<RuleNumber> = Vec::new();
        for idx in self.named_in(words, game)? {
            let entry = self.entries.entry(idx)?;
            let ids = match entry.kind {
                Kind::Term => entry.references,
                _ => vec![entry.id],
            };
            named.extend(
                ids.iter()
                    .filter_map(|id| id.strip_prefix(&own)?.parse::<RuleNumber>().ok()),
            );
        }
        let family = |other: &RuleNumber| other.contains(number) || number.contains(other);
        if named.iter().any(family) {
            return Ok(());
        }
        named.retain(|other| other.depth() > 1 && other.prefix(1) == number.prefix(1));
        for other in named {
            // The subrule of the same letter, where the words name the rule above it.
            let subrule = number
                .parts()
                .last()
                .filter(|_| number.depth() == other.depth() + 1);
            let subrule = match subrule {
                Some(Part::Letters(letters)) => format!("{other}{}", letters.as_str()).parse().ok(),
                _ => None,
            };
            for wanted in subrule.iter().chain([&other]) {
                let id = format!("{own}{}", wanted.plain());
                let shown = self.of_edition(self.entries.find(&Key::Id(&id).encode())?, None)?;
                let Some(&idx) = shown.first() else { continue };
                let is_there = answer.found.iter().any(|found| {
                    found.via.is_some()
                        && found
                            .entry
                            .citation
                            .as_ref()
                            .is_some_and(|found| other.contains(found))
                });
                if !is_there {
                    let meant = Meant {
                        until: None,
                        likely: true,
                    };
                    self.add_elsewhere(answer, idx, self.entries.entry(idx)?, meant)?;
                }
                break;
            }
        }
        Ok(())
    }

    /// The current entries that the words name: the longest runs of words that are a name, or that a name starts with.
    fn named_in(&self, words: &[String], game: &Game) -> Result<Vec<u32>, Damaged> {
        let mut names: Vec<String> = Vec::new();
        for length in (1..=LONGEST_NAME.min(words.len())).rev() {
            names.extend(words.windows(length).map(|run| run.join(" ")));
        }
        for run in words.iter().filter(|word| word.chars().all(is_han)) {
            let chars: Vec<char> = run.chars().take(LONGEST_HAN_RUN).collect();
            for length in (2..chars.len()).rev() {
                names.extend(chars.windows(length).map(|run| run.iter().collect::<String>()));
            }
        }
        for name in names {
            if name.chars().count() < 2 || name.is_ascii() && name.len() < SHORTEST_NAME {
                continue;
            }
            let singular = name
                .strip_suffix('s')
                .filter(|_| name.is_ascii())
                .unwrap_or(&name)
                .to_owned();
            for name in [&name, &singular] {
                let found = self.entries.find(&Key::Name(name, &game.id).encode())?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
            let mut found = Vec::new();
            let stem = if singular.is_ascii() {
                format!("{singular} ")
            } else {
                singular
            };
            for (key, entries) in self.entries.with_prefix(&format!("name:{stem}"), MOST_NAMES)? {
                if key.ends_with(&format!("\u{1f}{}", game.id)) {
                    found.extend(entries);
                }
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    fn miss(&self, game: &Game, citation: &Citation) -> Result<Miss, Damaged> {
        let document = self.document(citation);
        let number = &citation.first;
        let skipped = game
            .numbering(Some(document))
            .map_or("", |numbering| &numbering.skip_letters);
        let in_editions = self
            .entries
            .find(&Key::Id(&rule_id(&game.id, document, number)).encode())?;
        let reason = match number.parts().last() {
            _ if !in_editions.is_empty() => Reason::OtherEdition(self.editions_of(&in_editions)?),
            Some(Part::Letters(letters)) if letters.as_str().chars().any(|c| skipped.contains(c)) => {
                Reason::SkippedLetter(skipped.to_owned())
            }
            _ => match self.last_below(game, document, number)? {
                Some(last) => Reason::PastTheLast(last),
                None if !self.is_loaded(game, document)? => Reason::NotLoaded(document.to_uppercase()),
                None => Reason::NoSuchNumber,
            },
        };
        let range = citation
            .last
            .as_ref()
            .map(|last| format!("–{last}"))
            .unwrap_or_default();
        let named = if document == DEFAULT_DOCUMENT {
            String::new()
        } else {
            document.to_uppercase() + " "
        };
        let nearest = self.nearest(game, document, number)?;
        Ok(Miss {
            input: format!("{named}{number}{range}"),
            game: Some(game.id.clone()),
            reason,
            nearest: nearest.into_iter().map(|near| format!("{named}{near}")).collect(),
            moved_to: self.moved_to(&rule_id(&game.id, document, number))?,
            elsewhere: self.elsewhere(game, document, number)?,
        })
    }

    /// True when a game has a numbered text of a document.
    fn is_loaded(&self, game: &Game, document: &str) -> Result<bool, Damaged> {
        let prefix = format!("id:{}", rule_id_prefix(&game.id, document));
        Ok(!self.entries.with_prefix(&prefix, 1)?.is_empty())
    }

    /// The last rule right below the one above a number, where the number is past it.
    fn last_below(
        &self,
        game: &Game,
        document: &str,
        number: &RuleNumber,
    ) -> Result<Option<String>, Damaged> {
        let Some(above) = number.parent() else {
            return Ok(None);
        };
        let matches = self
            .entries
            .find(&Key::Id(&rule_id(&game.id, document, &above)).encode())?;
        let Some(&idx) = self.of_edition(matches, self.options.edition)?.first() else {
            return Ok(None);
        };
        let children = self.entries.entry(idx)?.children;
        let below = children
            .iter()
            .filter_map(|id| id.rsplit(':').next()?.parse::<RuleNumber>().ok());
        let last = below.filter(|below| below.depth() == number.depth()).max();
        Ok(last.filter(|last| last < number).map(|last| last.to_string()))
    }

    /// The other documents of a game, and the other games, that have a number.
    fn elsewhere(&self, game: &Game, document: &str, number: &RuleNumber) -> Result<Vec<String>, Damaged> {
        let mut elsewhere = Vec::new();
        let mut look = |game: &Game, document: &str, name: String| -> Result<(), Damaged> {
            let id = rule_id(&game.id, document, number);
            if !self
                .of_edition(self.entries.find(&Key::Id(&id).encode())?, None)?
                .is_empty()
            {
                elsewhere.push(format!("{name} {number}"));
            }
            Ok(())
        };
        for other in game.documents.iter().filter(|other| other.id != document) {
            look(game, &other.id, other.id.to_uppercase())?;
        }
        for other in self.games.ids().filter_map(|id| self.games.get(id)) {
            if other.id != game.id && document == DEFAULT_DOCUMENT {
                look(other, DEFAULT_DOCUMENT, other.id.clone())?;
            }
        }
        Ok(elsewhere)
    }

    /// What a number says that no numbering of a game's first document has, but that of another: `2.5` of a game whose
    /// tournament rules have it.
    fn other_documents(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let mut answer = Answer::default();
        for game in candidates {
            let mut elsewhere = Vec::new();
            for document in game
                .documents
                .iter()
                .filter(|document| document.id != DEFAULT_DOCUMENT)
            {
                let reading = read_citations(&format!("{} {text}", document.id), game);
                if !reading.nothing_else {
                    continue;
                }
                for citation in reading
                    .citations
                    .iter()
                    .filter(|citation| citation.document == document.id)
                {
                    if !self.cited(game, citation)?.is_empty() {
                        elsewhere.push(format!("{} {}", document.id.to_uppercase(), citation.first));
                    }
                }
            }
            if !elsewhere.is_empty() {
                answer.misses.push(Miss {
                    reason: Reason::NoSuchNumber,
                    elsewhere,
                    ..Miss::no_such_name(text.trim().to_owned(), Some(game))
                });
            }
        }
        Ok(Some(answer).filter(|answer| !answer.misses.is_empty()))
    }

    /// The current rules that older editions had under an id, each with the last one that did; the newest first.
    fn moved(&self, id: &str) -> Result<Vec<(String, u32)>, Damaged> {
        let prefix = Key::moved_prefix(id);
        let mut moved = Vec::new();
        for (key, matches) in self.entries.with_prefix(&prefix, usize::MAX)? {
            let until = &key[prefix.len()..];
            moved.extend(matches.into_iter().map(|idx| (until.to_owned(), idx)));
        }
        moved.sort_by(|(a, _), (b, _)| compare_editions(b, a));
        Ok(moved)
    }

    /// The numbers under which the rules stand now that an older edition had under an id.
    fn moved_to(&self, id: &str) -> Result<Vec<String>, Damaged> {
        let mut numbers = Vec::new();
        for (_, idx) in self.moved(id)? {
            numbers.extend(self.entries.entry(idx)?.citation.map(|number| number.to_string()));
        }
        Ok(numbers)
    }

    /// Numbers near one that is not there: those around its place below the nearest rule above it that is.
    fn nearest(&self, game: &Game, document: &str, number: &RuleNumber) -> Result<Vec<String>, Damaged> {
        let mut siblings: Vec<RuleNumber> = Vec::new();
        for above in std::iter::successors(number.parent(), RuleNumber::parent) {
            let matches = self
                .entries
                .find(&Key::Id(&rule_id(&game.id, document, &above)).encode())?;
            let Some(&idx) = self.of_edition(matches, self.options.edition)?.first() else {
                continue;
            };
            let parent = self.entries.entry(idx)?;
            siblings = parent
                .children
                .iter()
                .filter_map(|id| id.rsplit(':').next()?.parse().ok())
                .collect();
            siblings.insert(0, above);
            break;
        }
        if siblings.is_empty() {
            let prefix = format!("id:{}", rule_id_prefix(&game.id, document));
            let keys = self.entries.with_prefix(&prefix, usize::MAX)?;
            let numbers = keys
                .iter()
                .filter_map(|(key, _)| key.rsplit(':').next()?.parse::<RuleNumber>().ok());
            siblings = numbers
                .filter(|near| near.depth() == 1 || number.depth() > 1)
                .collect();
            siblings.sort();
            // Of a document of which only some rules are there, what stands in the same section comes first.
            let same: Vec<_> = siblings
                .iter()
                .filter(|near| near.prefix(1) == number.prefix(1))
                .cloned()
                .collect();
            if !same.is_empty() {
                siblings = same;
            }
        }
        let at = siblings.partition_point(|near| near < number);
        let near = &siblings[at.saturating_sub(2)..(at + 2).min(siblings.len())];
        Ok(near.iter().map(ToString::to_string).collect())
    }
}

/// The most words that a name is looked for in, beside a number.
const LONGEST_NAME: usize = 4;

/// The longest run of Han characters that names are looked for in, beside a number.
const LONGEST_HAN_RUN: usize = 12;

/// The shortest Latin word that is taken for a name beside a number.
const SHORTEST_NAME: usize = 4;

/// How many names that start with a word are looked at.
const MOST_NAMES: usize = 8;

/// Members of a range that are named one by one where none of them is loaded.
const LONGEST_RANGE: u32 = 50;

/// A range of numbers with one parent as its members; anything else as it is.
fn each_of(citation: &Citation) -> Vec<Citation> {
    let members = || -> Option<Vec<Citation>> {
        let last = citation.last.as_ref()?;
        let (Part::Number(from), Part::Number(to)) = (citation.first.parts().last()?, last.parts().last()?)
        else {
            return None;
        };
        if citation.first.parent() != last.parent() || to.saturating_sub(from) > LONGEST_RANGE {
            return None;
        }
        let numbers = (from..=to).map(|part| citation.first.with_last(&part.to_string()));
        let one = |first: RuleNumber| Citation {
            document: citation.document.clone(),
            first,
            last: None,
        };
        numbers.map(|number| number.map(one)).collect()
    };
    members().unwrap_or_else(|| vec![citation.clone()])
}

impl Answer {
    /// Adds what else was asked for.
    pub fn extend(&mut self, other: Answer) {
        self.found.extend(other.found);
        self.misses.extend(other.misses);
        self.by_name |= other.by_name;
        for game in other.several_games {
            if !self.several_games.contains(&game) {
                self.several_games.push(game);
            }
        }
    }

    /// True when everything that was asked for is there.
    pub fn is_complete(&self) -> bool {
        self.misses.is_empty() && !self.found.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::entry::{Bilingual, Lang, SourceRef, term_id};

    fn games() -> Games {
        let demo = r#"
            id = "demo"
            names = { en = "Demo", zh = "示范" }
            aliases = ["the demo game"]
            [[document]]
            id = "cr"
            names = ["CR"]
            numbering = { levels = ["n", ".n", "a", "-n"], digits = [3, 4], chapter-size = 100, skip-letters = "lo" }
        "#;
        let other = demo
            .replace("demo", "other")
            .replace("示范", "别的")
            .replace("Demo", "Other");
        Games::new([Game::from_toml(demo).unwrap(), Game::from_toml(&other).unwrap()])
    }

    fn corpus() -> Corpus {
        let games = games();
        let mut entries = Vec::new();
        for (game, number, en, zh) in [
            ("demo", "702", "Keywords", "关键字"),
            ("demo", "702.9", "Flying", "飞行"),
            ("demo", "702.9a", "Flying is an ability.", "飞行是异能。"),
            ("demo", "702.9b", "It evades.", "它能躲避。"),
            ("demo", "702.9b-1", "A detail.", "细节。"),
            ("demo", "702.10", "Haste", "敏捷"),
            ("demo", "702.10a", "See rule 702.9.", "参见规则702.9。"),
            ("other", "702.9", "Stealth", "潜行"),
            ("other", "713.3", "Alone.", "独自。"),
        ] {
            let number: RuleNumber = number.parse().unwrap();
            let kind = games.get(game).unwrap().numbering(None).unwrap().kind(&number);
            let source = SourceRef {
                file: "a".into(),
                line: 1,
                lang: None,
            };
            let mut entry = Entry::new(rule_id(game, "cr", &number), game, "cr", kind, source);
            if kind == Kind::Section {
                entry.title = Bilingual::both(en.into(), zh.into());
            } else {
                entry.text = Bilingual::both(en.into(), zh.into());
            }
            if en.starts_with("See") {
                entry.references.push("demo:rule:702.9".into());
            }
            entry.citation = Some(number);
            entries.push(entry);
        }
        let source = SourceRef {
            file: "a".into(),
            line: 9,
            lang: None,
        };
        let mut term = Entry::new(term_id("demo", "Evasion"), "demo", "cr", Kind::Term, source);
        term.title = Bilingual::both("Evasion, Evade".into(), "躲避".into());
        term.references.push("demo:rule:702.9".into());
        entries.push(term);
        Corpus::build(entries, &games).0
    }

    fn options(mode: Mode, games: &[String]) -> Options<'_> {
        Options {
            games,
            document: None,
            edition: None,
            mode,
            extent: Extent::Subrules,
            context: 0,
            expand: 0,
            citing: Citing::Hide,
        }
    }

    fn look(text: &str, mode: Mode) -> Option<Answer> {
        resolve(text, &corpus(), &games(), &options(mode, &[])).unwrap()
    }

    fn shown(text: &str) -> String {
        let answer = look(text, Mode::Show).unwrap();
        let found = answer
            .found
            .iter()
            .map(|found| format!("{}@{}", found.entry.id, found.depth));
        let missed = answer
            .misses
            .iter()
            .map(|miss| format!("{}? {}", miss.input, miss.nearest.join(",")));
        found.chain(missed).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_rule_comes_with_its_subrules() {
        assert_eq!(shown("demo 702.9b"), "demo:rule:702.9b@0 demo:rule:702.9b-1@1");
        assert_eq!(shown("demo:702.10"), "demo:rule:702.10@0 demo:rule:702.10a@1");
        assert_eq!(
            shown("demo 702"),
            "demo:rule:702@0 demo:rule:702.9@1 demo:rule:702.10@1"
        );
        assert_eq!(
            shown("示范 702.9a-b"),
            "demo:rule:702.9a@0 demo:rule:702.9b@0 demo:rule:702.9b-1@1"
        );
    }

    #[test]
    fn every_game_that_has_it() {
        let answer = look("702.9", Mode::Guess).unwrap();
        assert_eq!(answer.several_games, ["demo", "other"]);
        assert_eq!(answer.found.iter().filter(|found| found.depth == 0).count(), 2);
        assert_eq!(shown("713.3"), "other:rule:713.3@0");
    }

    #[test]
    fn names_and_terms() {
        assert!(shown("飛行").starts_with("demo:rule:702.9@0"));
        assert!(shown("FLYING").starts_with("demo:rule:702.9@0"));
        assert!(shown("evade").starts_with("demo:term:evasion@0 demo:rule:702.9@1 demo:rule:702.9a@2"));
        for question in [
            "What is flying?",
            "how does flying work",
            "飞行是什么意思？",
            "请问飞行是什么",
            "the Flying rule",
        ] {
            assert!(look(question, Mode::Guess).unwrap().by_name, "{question}");
            assert!(shown(question).starts_with("demo:rule:702.9@0"), "{question}");
        }
        assert!(look("what is", Mode::Guess).is_none());
        assert!(look("flying creatures", Mode::Guess).is_none());
        assert!(look("flying", Mode::Guess).unwrap().by_name);
        for slip in ["flyign", "fliyng", "Flyings"] {
            assert_eq!(
                look(slip, Mode::Show).unwrap().misses[0].nearest,
                ["flying"],
                "{slip}"
            );
        }
        assert_eq!(look("飞航", Mode::Show).unwrap().misses[0].nearest, ["飞行"]);
        assert!(
            look("unheard of", Mode::Show).unwrap().misses[0]
                .nearest
                .is_empty()
        );
    }

    #[test]
    fn ids_and_their_prefixes() {
        assert_eq!(shown("demo:rule:702.9a"), "demo:rule:702.9a@0");
        assert!(shown("demo:rule:999.9").contains('?'));
    }

    #[test]
    fn misses_help() {
        assert_eq!(shown("demo 702.9c"), "702.9c? 702.9a,702.9b");
        let miss = look("demo 702.9l", Mode::Show).unwrap().misses.remove(0);
        assert_eq!(miss.reason, Reason::SkippedLetter("lo".into()));
        let past = look("demo 702.9c", Mode::Show).unwrap().misses.remove(0);
        assert_eq!(past.reason, Reason::PastTheLast("702.9b".into()));
        let other = look("demo 713.3", Mode::Show).unwrap().misses.remove(0);
        assert_eq!(other.elsewhere, ["other 713.3"]);
        assert_eq!(shown("other 713.4"), "713.4? 713.3");
        assert_eq!(
            look("demo 702.99 and 702.9a", Mode::Show).unwrap().misses.len(),
            1
        );
    }

    #[test]
    fn words_beside_a_number_say_what_was_meant() {
        let moved = |text: &str| -> Vec<String> {
            let answer = look(text, Mode::Show).unwrap();
            let moved = answer
                .found
                .into_iter()
                .filter(|found| found.via == Some(Via::Moved));
            moved.map(|found| found.entry.id.into()).collect()
        };
        // Written when flying was 702.10; with the subrule of the same letter.
        assert_eq!(moved("demo 702.10a flying"), ["demo:rule:702.9a"]);
        assert_eq!(moved("demo 702.10a 飞行"), ["demo:rule:702.9a"]);
        // By a term that starts so, in the plural, and the rule its entry sends to.
        assert_eq!(moved("demo 702.10 evasions"), ["demo:rule:702.9"]);
        assert!(moved("demo 702.10a haste").is_empty());
        assert!(moved("demo 702.9a flying and haste").is_empty());
        assert!(moved("demo 702.10a speed").is_empty());
    }

    #[test]
    fn around_a_rule() {
        let games = games();
        let mut wanted = options(Mode::Show, &[]);
        wanted.context = 1;
        wanted.extent = Extent::Only;
        let answer = resolve("demo 702.9a", &corpus(), &games, &wanted)
            .unwrap()
            .unwrap();
        let ids: Vec<_> = answer
            .found
            .iter()
            .map(|found| (found.entry.id.as_str(), found.via))
            .collect();
        assert_eq!(
            ids,
            [
                ("demo:rule:702.9a", None),
                ("demo:rule:702", Some(Via::Above)),
                ("demo:rule:702.9", Some(Via::Above)),
                ("demo:rule:702.9b", Some(Via::Context))
            ]
        );
        wanted.context = 0;
        wanted.expand = 2;
        let answer = resolve("demo 702.10a", &corpus(), &games, &wanted)
            .unwrap()
            .unwrap();
        assert_eq!(answer.found[1].via, Some(Via::Cited));
        assert_eq!(
            answer.found[0].entry.text.get(Lang::En).map(String::as_str),
            Some("See rule 702.9.")
        );
    }

    #[test]
    fn a_game_s_word_is_taken_off() {
        let games = games();
        let taken = |text| {
            let (game, rest) = take_game(text, &games);
            (game.map(|game| game.id.clone()), rest)
        };
        assert_eq!(
            taken("The Demo Game flying"),
            (Some("demo".into()), "flying".into())
        );
        assert_eq!(taken("践踏 示范"), (Some("demo".into()), "践踏".into()));
        assert_eq!(taken("demo"), (None, "demo".into()));
        assert_eq!(taken("demo:rule:702.9"), (None, "demo:rule:702.9".into()));
    }
}
