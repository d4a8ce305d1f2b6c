//! Here is what somebody typed: which entries does it name?
//!
//! [`resolve`] answers for a citation in any spelling ([`citation`]), an id or a unique prefix of one, and a
//! title, keyword or term that matches in full. It reads entries through [`Entries`] and knows no index; what
//! it cannot find is a [`Miss`] with the reason and the nearest numbers.

mod around;
pub mod cards;
pub mod citation;
mod misses;
mod moves;
mod names;
mod numbers;

pub use names::{names_with_initials, near_names, term};

use crate::citation::RuleNumber;
use crate::corpus::{Damaged, Entries, games_of};
use crate::entry::Entry;
use crate::fold::{fold_char, without_nothings};
use crate::game::{Game, Games};

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
    /// How many of the entries of the answer stand before it: those of what was asked for before it.
    pub after: usize,
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
            after: 0,
        }
    }
}

/// One of what stands in an answer, see [`Answer::in_order`].
#[derive(Debug, Clone, Copy)]
pub enum Line<'a> {
    /// An entry.
    Found(&'a Found),
    /// What is not there.
    Miss(&'a Miss),
}

/// What an input named.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The entries, in the order they were asked for.
    pub found: Vec<Found>,
    /// How many entries were found beside those: before and behind the page that was asked for.
    pub left_out: usize,
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
    for (at, word) in words.iter().enumerate() {
        if let Some((game, rest)) = glued_game(word, games) {
            let mut words = words.clone();
            words[at] = rest;
            return (Some(game), words.join(" "));
        }
    }
    (None, text.trim().to_owned())
}

/// Takes the names of a game off what somebody typed, as [`take_game`] does, once and again (`万智牌 万智牌702.19b`). Where
/// games were asked for apart, only their names are: then none is returned, since it is known.
pub fn asked_game<'g>(text: &str, games: &'g Games, asked: &[String]) -> (Option<&'g Game>, String) {
    let (first, mut rest) = take_game(text, games);
    let Some(game) = first.filter(|game| asked.is_empty() || asked.contains(&game.id)) else {
        return (None, text.trim().to_owned());
    };
    while let (Some(again), shorter) = take_game(&rest, games)
        && again.id == game.id
    {
        rest = shorter;
    }
    (Some(game).filter(|_| asked.is_empty()), rest)
}

/// A game whose name is written right before a number (`fow702.3a`, `万智牌第702.19b条`), and what follows the name.
fn glued_game<'g, 'w>(word: &'w str, games: &'g Games) -> Option<(&'g Game, &'w str)> {
    let starts_a_name = word.chars().next().is_some_and(char::is_alphabetic);
    if !starts_a_name || !word.contains(|c| fold_char(c).is_ascii_digit()) {
        return None;
    }
    let ends = word
        .char_indices()
        .skip(1)
        .take(LONGEST_GLUED_NAME)
        .collect::<Vec<_>>();
    ends.into_iter().rev().find_map(|(at, next)| {
        let before = word[..at].chars().next_back()?;
        let is_one_word = before.is_ascii_alphabetic() && next.is_ascii_alphabetic()
            || before.is_ascii_digit() && next.is_ascii_digit();
        if is_one_word || !before.is_alphanumeric() || !next.is_alphanumeric() {
            return None;
        }
        let game = games.find(&word[..at])?;
        let reading = citation::read_citations(&word[at..], game);
        // A chapter's bare number is some other figure (`magic10`).
        let (first, numbering) = (&reading.citations.first()?.first, game.numbering(None)?);
        let is_number = reading.nothing_else || reading.opens_with_number;
        (is_number && !numbering.is_chapter(first)).then_some((game, &word[at..]))
    })
}

/// The longest name of a game that is looked for right before a number, in characters.
const LONGEST_GLUED_NAME: usize = 32;

/// The games that have entries, in order of id.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn loaded_games<'g>(entries: &dyn Entries, games: &'g Games) -> Result<Vec<&'g Game>, Damaged> {
    let ids = games_of(entries)?;
    Ok(ids.iter().filter_map(|id| games.get(id)).collect())
}

/// The numbers near one that a document does not have, as it is now: around its place, at most two on each side.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn near_numbers(
    entries: &dyn Entries,
    game: &Game,
    document: &str,
    number: &RuleNumber,
) -> Result<Vec<String>, Damaged> {
    let looker = Looker {
        entries,
        games: &Games::default(),
        options: &Options {
            games: &[],
            document: None,
            edition: None,
            mode: Mode::Show,
            extent: Extent::Only,
            context: 0,
            expand: 0,
            citing: Citing::Hide,
        },
    };
    looker.nearest(game, document, number)
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
    let text = &*without_nothings(text);
    if let Some(answer) = looker.by_ids(text)? {
        return Ok(Some(answer));
    }
    let (game, rest) = asked_game(text, games, options.games);
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
    if rest != text
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
    for text in [&rest, &asked] {
        if let Some(answer) = looker.former(text, &candidates)? {
            return Ok(Some(answer));
        }
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

struct Looker<'a> {
    entries: &'a dyn Entries,
    games: &'a Games,
    options: &'a Options<'a>,
}

impl Answer {
    /// Adds what else was asked for.
    pub fn extend(&mut self, other: Answer) {
        let n_before = self.found.len();
        self.found.extend(other.found);
        self.misses.extend(other.misses.into_iter().map(|miss| Miss {
            after: n_before + miss.after,
            ..miss
        }));
        self.by_name |= other.by_name;
        for game in other.several_games {
            if !self.several_games.contains(&game) {
                self.several_games.push(game);
            }
        }
    }

    /// Keeps `limit` entries, or all, from the one at `offset` on.
    pub fn keep_page(&mut self, offset: usize, limit: Option<usize>) {
        let before = self.found.len();
        self.found.drain(..offset.min(before));
        self.found.truncate(limit.unwrap_or(before));
        self.left_out += before - self.found.len();
        for miss in &mut self.misses {
            miss.after = miss.after.saturating_sub(offset);
        }
    }

    /// Keeps the entries that pass, and the misses in their places among them.
    pub fn retain(&mut self, is_wanted: impl Fn(&Found) -> bool) {
        for miss in &mut self.misses {
            let before = self.found.iter().take(miss.after);
            miss.after = before.filter(|found| is_wanted(found)).count();
        }
        self.found.retain(is_wanted);
    }

    /// True when something that was asked for is there in another edition.
    pub fn is_of_other_editions(&self) -> bool {
        let is_of_others = |miss: &Miss| matches!(miss.reason, Reason::OtherEdition(_));
        self.misses.iter().any(is_of_others)
    }

    /// The entries and the misses in the order in which they were asked for.
    pub fn in_order(&self) -> impl Iterator<Item = Line<'_>> {
        let mut misses = self.misses.iter().peekable();
        let mut found = self.found.iter().enumerate().peekable();
        std::iter::from_fn(move || {
            let n_before = found.peek().map_or(usize::MAX, |(at, _)| *at);
            match misses.next_if(|miss| miss.after <= n_before) {
                Some(miss) => Some(Line::Miss(miss)),
                None => found.next().map(|(_, found)| Line::Found(found)),
            }
        })
    }

    /// True when everything that was asked for is there.
    pub fn is_complete(&self) -> bool {
        self.misses.is_empty() && self.found.len() + self.left_out > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citation::RuleNumber;
    use crate::corpus::Corpus;
    use crate::entry::{Bilingual, Lang, SourceRef, term_id};
    use crate::entry::{Kind, rule_id};

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
        for spelling in ["Flyings", "fly ing", "FLYING"] {
            assert!(shown(spelling).starts_with("demo:rule:702.9@0"), "{spelling}");
        }
        for slip in ["flyign", "fliyng"] {
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
        // In the order in which they were asked for.
        let mut several = look("demo 702.9a, 702.99 and 702.10", Mode::Show).unwrap();
        let in_order = |answer: &Answer| -> Vec<String> {
            let line = |line| match line {
                Line::Found(found) => found.entry.citation.as_ref().unwrap().to_string(),
                Line::Miss(miss) => format!("{}?", miss.input),
            };
            answer.in_order().map(line).collect()
        };
        assert_eq!(in_order(&several), ["702.9a", "702.99?", "702.10", "702.10a"]);
        several.retain(|found| found.entry.kind == Kind::Rule && found.depth > 0);
        assert_eq!(in_order(&several), ["702.99?", "702.10a"]);
        // No rule has so many figures.
        for (long, unseen) in [("702.99999999", ""), ("702.9999999999999999999b", "\u{200b}")] {
            let answer = look(&format!("demo {unseen}{long}"), Mode::Guess).unwrap();
            assert!(answer.found.is_empty() && answer.misses[0].reason != Reason::NoSuchName);
        }
        assert_eq!(shown("demo 702\u{200b}.9a"), "demo:rule:702.9a@0");
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
        let asked = |text, asked: &[String]| {
            let (game, rest) = asked_game(text, &games, asked);
            (game.map(|game| game.id.as_str()), rest)
        };
        let demo = ["demo".to_owned()];
        for text in [
            "示范702.9b",
            "demo 示范 702.9b",
            "示范 示范702.9b",
            "示范702.9b 示范",
        ] {
            assert_eq!(asked(text, &demo), (None, "702.9b".into()), "{text}");
            assert_eq!(asked(text, &[]), (Some("demo"), "702.9b".into()), "{text}");
        }
        assert_eq!(asked("other 702.9b", &demo), (None, "other 702.9b".into()));
        assert_eq!(taken("践踏 示范"), (Some("demo".into()), "践踏".into()));
        assert_eq!(taken("demo"), (None, "demo".into()));
        for (glued, rest) in [
            ("示范702.9b", "702.9b"),
            ("示范规则702.9b", "规则702.9b"),
            ("示范第702.9b条", "第702.9b条"),
            ("DEMO702.9b", "702.9b"),
            ("see demo702.9b flying", "see 702.9b flying"),
        ] {
            assert_eq!(taken(glued), (Some("demo".into()), rest.into()), "{glued}");
        }
        for word in ["demo12", "示范牌702.9b", "demos702.9b"] {
            assert_eq!(taken(word), (None, word.into()));
        }
        assert_eq!(taken("demo:rule:702.9"), (None, "demo:rule:702.9".into()));
    }
}
