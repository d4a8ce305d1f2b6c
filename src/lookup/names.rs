//! Entries by what they are called: titles, keywords, terms, initials, tables of contents.

use super::{Answer, Extent, Found, Looker, Miss, Mode, Options, Reason, Via, asked_game, loaded_games};
use crate::corpus::{Damaged, Entries, Key};
use crate::entry::{DEFAULT_DOCUMENT, Entry, Kind, rule_id_prefix};
use crate::fold::{fold_key, is_han, singulars};
use crate::game::{Document, Game, Games};

/// What people call a table of contents; folded.
const CONTENTS: [&str; 4] = ["toc", "contents", "table of contents", "目录"];

/// How many words a name has that is known by its initials.
const INITIALS: std::ops::RangeInclusive<usize> = 3..=6;

/// The figures, spelt.
const FIGURES: [&str; 10] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];

/// The part of a folded name whose words have these initials, each its own; a number may be its figure.
fn part_with_initials<'n>(name: &'n str, initials: &str) -> Option<&'n str> {
    let is_joint = |c: char| !c.is_alphanumeric() && c != '\'';
    let is_figure = |word: &str, figure: char| {
        let figure = figure
            .to_digit(10)
            .and_then(|figure| FIGURES.get(figure as usize));
        figure.is_some_and(|figure| *figure == word)
    };
    let mut rest = name;
    for initial in initials.chars() {
        rest = rest.trim_start_matches(is_joint);
        let (word, after) = rest.split_at(rest.find(is_joint).unwrap_or(rest.len()));
        if !word.starts_with(initial) && !is_figure(word, initial) {
            return None;
        }
        rest = after;
    }
    Some(&name[..name.len() - rest.len()])
}

/// A name that has initials, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initialled {
    /// The name.
    pub name: String,
    /// The words of it that have them: all, or all but the last.
    pub words: String,
}

/// The folded names of several words that have these initials, in the games that pass: `sba` for `state-based action`,
/// `3pt` for `three-pole tent`. Where there are none, those that have one word more (`three-pole tent rules`). It reads
/// every name.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn names_with_initials(
    text: &str,
    entries: &dyn Entries,
    is_asked: impl Fn(&str) -> bool,
) -> Result<Vec<Initialled>, Damaged> {
    let folded = fold_key(text);
    // The plural is written with a small letter: `SBAs`.
    let singular = folded.strip_suffix('s').filter(|_| text.ends_with('s'));
    let is_initials = |text: &&str| {
        INITIALS.contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            && text.bytes().any(|b| b.is_ascii_lowercase())
    };
    let wanted: Vec<&str> = std::iter::once(folded.as_str())
        .chain(singular)
        .filter(is_initials)
        .collect();
    let (mut whole, mut longer): (Vec<Initialled>, Vec<Initialled>) = (Vec::new(), Vec::new());
    if wanted.is_empty() {
        return Ok(whole);
    }
    for (key, _) in entries.with_prefix("name:", usize::MAX)? {
        let Some((name, game)) = key["name:".len()..].split_once('\u{1f}') else {
            continue;
        };
        let Some(words) = wanted
            .iter()
            .find_map(|initials| part_with_initials(name, initials))
        else {
            continue;
        };
        let names = match name[words.len()..].split_whitespace().count() {
            0 => &mut whole,
            1 => &mut longer,
            _ => continue,
        };
        let found = Initialled {
            name: name.to_owned(),
            words: words.to_owned(),
        };
        match names.iter_mut().find(|known| is_spelt_like(&known.name, name)) {
            // With its hyphens, as texts have it.
            Some(known) if name.contains('-') => *known = found,
            None if is_asked(game) => names.push(found),
            _ => {}
        }
    }
    Ok(if whole.is_empty() { longer } else { whole })
}

/// True for names that differ in hyphens for blanks at most.
fn is_spelt_like(name: &str, other: &str) -> bool {
    name.len() == other.len() && name.replace('-', " ") == other.replace('-', " ")
}

/// How many near names are given at most.
const NEAR_NAMES: usize = 4;

/// The titles, keywords and terms that are spelt nearly as `text` is or begin with it, nearest first. It reads every name.
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
        let begins_so = name
            .strip_prefix(&folded)
            .is_some_and(|rest| !folded.is_ascii() || rest.starts_with([' ', '-']));
        let is_as_long = name.chars().count().abs_diff(length) <= slips;
        if !(begins_so || is_as_long) || !games.iter().any(|known| known.id == game) {
            continue;
        }
        let distance = match begins_so {
            true => slips,
            false => strsim::osa_distance(name, &folded),
        };
        if distance > slips {
            continue;
        }
        match near.iter_mut().find(|(.., known)| is_spelt_like(known, name)) {
            // With its hyphens, as texts have it.
            Some((.., known)) if name.contains('-') => *known = name.to_owned(),
            Some(_) => {}
            None => {
                // Fewer slip at the first character than later.
                let first_differs = name.chars().next() != folded.chars().next();
                near.push((distance, first_differs, name.to_owned()));
            }
        }
    }
    near.sort();
    Ok(near.into_iter().take(NEAR_NAMES).map(|(.., name)| name).collect())
}

/// The most words that a name is looked for in, beside a number.
const LONGEST_NAME: usize = 4;

/// The longest run of Han characters that names are looked for in, beside a number.
const LONGEST_HAN_RUN: usize = 12;

/// The shortest Latin word that is taken for a name beside a number.
const SHORTEST_NAME: usize = 4;

/// How many names that start with a word are looked at.
const MOST_NAMES: usize = 8;

/// The glossary terms that `text` names, by headword, alias or initials, with the rules that define them.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn term(
    text: &str,
    entries: &dyn Entries,
    games: &Games,
    options: &Options<'_>,
) -> Result<Answer, Damaged> {
    let looker = Looker {
        entries,
        games,
        options,
    };
    let (game, rest) = asked_game(text, games, options.games);
    let candidates: Vec<&Game> = match game {
        Some(game) => vec![game],
        None if options.games.is_empty() => loaded_games(entries, games)?,
        None => options.games.iter().filter_map(|id| games.get(id)).collect(),
    };
    let spellings = spellings(&fold_key(&rest));
    let mut answer = looker.terms_called(&spellings, &candidates)?;
    if answer.found.is_empty() {
        let is_candidate = |game: &str| candidates.iter().any(|known| known.id == game);
        let names = names_with_initials(&rest, entries, is_candidate)?;
        for Initialled { name, .. } in names {
            answer.extend(looker.terms_called(&[name], &candidates)?);
        }
    }
    for spelling in spellings.iter().filter(|_| answer.found.is_empty()) {
        let misses = looker.former_terms(&rest, spelling, &candidates)?;
        if !misses.is_empty() {
            answer.misses = misses;
            return Ok(answer);
        }
    }
    if answer.found.is_empty() {
        answer.misses.push(Miss {
            nearest: near_names(&rest, entries, &candidates)?,
            ..Miss::no_such_name(rest, game)
        });
    }
    Ok(answer)
}

/// How a name may be spelt that is typed so, folded: as it is, with blanks for its hyphens, in the singular, as one word
/// instead of two.
fn spellings(folded: &str) -> Vec<String> {
    let mut spellings = vec![folded.to_owned()];
    if folded.contains('-') {
        spellings.push(folded.replace('-', " "));
    }
    spellings.extend(singulars(folded));
    if folded.is_ascii() && folded.matches(' ').count() == 1 {
        spellings.push(folded.replace(' ', ""));
    }
    spellings
}

impl Looker<'_> {
    /// By title, keyword, headword or alias. Rules come first, then the term with the rules that define it.
    pub(super) fn by_name(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let folded = fold_key(text);
        for spelling in spellings(&folded).iter().filter(|_| !folded.is_empty()) {
            if let Some(answer) = self.called(spelling, candidates)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// By a folded name in just this spelling, see [`Looker::by_name`].
    fn called(&self, folded: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let mut answer = Answer {
            by_name: true,
            ..Answer::default()
        };
        let mut games = Vec::new();
        for game in candidates {
            let matches = match self.options.edition {
                Some(_) => self.versions_called(folded, game)?,
                None => self.entries.find(&Key::Name(folded, &game.id).encode())?,
            };
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

    /// The terms of the first spelling that is a term's name.
    fn terms_called(&self, spellings: &[String], candidates: &[&Game]) -> Result<Answer, Damaged> {
        let mut answer = Answer {
            by_name: true,
            ..Answer::default()
        };
        for folded in spellings.iter().filter(|folded| !folded.is_empty()) {
            for game in candidates {
                let matches = match self.options.edition {
                    Some(_) => self.versions_called(folded, game)?,
                    None => self.entries.find(&Key::Name(folded, &game.id).encode())?,
                };
                for idx in self.of_edition(matches, self.options.edition)? {
                    let entry = self.entries.entry(idx)?;
                    if entry.kind == Kind::Term {
                        answer.found.push(Found::new(idx, entry.clone(), 0, None));
                        if self.options.extent != Extent::Only {
                            self.add_defining(&mut answer, &entry)?;
                        }
                    }
                }
            }
            if !answer.found.is_empty() {
                break;
            }
        }
        Ok(answer)
    }

    /// A miss for each game in which only other editions than the one asked for have a term of that folded name.
    fn former_terms(&self, typed: &str, folded: &str, candidates: &[&Game]) -> Result<Vec<Miss>, Damaged> {
        let mut misses = Vec::new();
        for game in candidates {
            let mut versions = Vec::new();
            for idx in self.versions_called(folded, game)? {
                if self.entries.entry(idx)?.kind == Kind::Term {
                    versions.push(idx);
                }
            }
            if !versions.is_empty() {
                misses.push(Miss {
                    reason: Reason::OtherEdition(self.editions_of(&versions)?),
                    ..Miss::no_such_name(typed.trim().to_owned(), Some(game))
                });
            }
        }
        Ok(misses)
    }

    /// The table of contents of a document, asked for by its name, its game's name or in so many words.
    pub(super) fn contents(
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

    /// By the initials of a name of several words: `sba` for state-based actions. It reads every name.
    pub(super) fn by_initials(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let is_candidate = |game: &str| candidates.iter().any(|known| known.id == game);
        match names_with_initials(text, self.entries, is_candidate)?.first() {
            Some(Initialled { name, .. }) => self.by_name(name, candidates),
            None => Ok(None),
        }
    }

    /// Adds the rules that a term's entry sends its reader to.
    pub(super) fn add_defining(&self, answer: &mut Answer, term: &Entry) -> Result<(), Damaged> {
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

    /// The current entries that the words name: the longest runs of words that are a name, or that a name starts with.
    pub(super) fn named_in(&self, words: &[String], game: &Game) -> Result<Vec<u32>, Damaged> {
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
            let singulars = singulars(&name);
            let singular = singulars.first().unwrap_or(&name).clone();
            for name in std::iter::once(&name).chain(&singulars) {
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
}
