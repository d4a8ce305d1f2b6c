//! What rulebooks get wrong about themselves, document by document and edition by edition: what ingest reported,
//! and what is too small to be said at every ingest.

use super::doctor::stored;
use super::sources::Declared;
use super::{
    EMBEDDED_PREFIX, Embedded, Library, LibraryError, Loaded, Need, Notice, Report, StatusRow, sources,
};
use crate::citation::{Part, RuleNumber};
use crate::corpus::Entries as _;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Entry, Kind, Lang, rule_id_prefix};
use crate::fold::fold_key;
use crate::name::Name;
use crate::source::{Position, SourceFile, Span, decode};
use std::collections::{BTreeMap, BTreeSet};

/// What was found in one edition of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// What the edition holds.
    pub row: StatusRow,
    /// What was found, in order of file and line.
    pub diagnostics: Vec<Diagnostic>,
}

impl Audit {
    /// How many were found of each kind, the kinds in the order of their documentation.
    pub fn counts(&self) -> Vec<(Code, usize)> {
        let count = |code| self.diagnostics.iter().filter(|found| found.code == code).count();
        Code::ALL
            .iter()
            .map(|&code| (code, count(code)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}

/// How many in a hundred numbers of a kind may be written another way before that is just another way.
const ODD_PERCENT: usize = 2;

/// Where more than one in so many entries lacks a language, the translation is a part of the document, and what
/// it leaves out is counted and not listed.
const PART: usize = 4;

/// Where so many citations, and more than one in so many entries, lead nowhere, the text is a part of its document.
const MANY_GONE: usize = 20;
const GONE_FROM_A_PART: usize = 20;

/// How many lines below its first a citation of an entry is looked for.
const LINES_OF_AN_ENTRY: u32 = 200;

impl Library {
    /// Audits every rulebook that `wanted` lets through: what the newest ingest reported of it, citations of
    /// rules that its own edition does not have, numbers that are written unlike the others, entries that lack
    /// one of its languages, and glossary terms that are empty or out of order. Of a library of the user's, the
    /// built-in texts are left out.
    ///
    /// # Errors
    ///
    /// As [`Library::open`].
    pub fn audit(
        &self,
        wanted: impl Fn(&StatusRow) -> bool,
    ) -> Result<(Vec<Audit>, Vec<Notice>), LibraryError> {
        let opened = self.open(Need::Search)?;
        let notices = opened.notices;
        let Loaded::Index(index) = &opened.loaded else {
            return Ok((Vec::new(), notices));
        };
        let report = match opened.report {
            Some(report) => report,
            None => stored(index)?.1,
        };
        let mut entries: BTreeMap<RowKey, Vec<Entry>> = BTreeMap::new();
        for idx in 0..index.len() as u32 {
            let entry = index.entry(idx)?;
            entries.entry(key_of(&entry)).or_default().push(entry);
        }
        let Report {
            rows, diagnostics, ..
        } = report;
        let declared = match self.root() {
            Some(root) => sources::declared(root, &sources::list(root).0).0,
            None => BTreeMap::new(),
        };
        let mut audits = Vec::new();
        let mut told: BTreeSet<usize> = BTreeSet::new();
        for mut row in rows {
            let is_rulebook = row.counts.rules + row.counts.sections + row.counts.terms > 0;
            let built_in = row.files.iter().all(|file| file.starts_with(EMBEDDED_PREFIX));
            if !is_rulebook || built_in && self.root().is_some() || !wanted(&row) {
                continue;
            }
            let key = (
                row.game.as_str().into(),
                row.document.as_str().into(),
                row.edition.as_deref().map(Name::from),
            );
            let mut entries = entries.remove(&key).unwrap_or_default();
            narrow(&mut row, &mut entries);
            let mut found = Vec::new();
            for (idx, diagnostic) in diagnostics.iter().enumerate() {
                // A citation may lead into another edition; below, this one alone counts.
                let here = row.files.contains(&diagnostic.file) && diagnostic.code != Code::DanglingReference;
                // A file that holds two documents is reported with the first.
                if here && told.insert(idx) {
                    found.push(diagnostic.clone());
                }
            }
            let texts = Texts(self.texts_of(&row, &declared));
            found.extend(dangling(&entries, &texts));
            found.extend(odd_numbers(&entries, &texts));
            found.extend(one_language(&entries, &row, &texts));
            found.extend(odd_terms(&entries, &texts));
            found.extend(hyphens(&entries, &texts));
            found.sort_by(|a, b| (&a.file, a.position, a.code).cmp(&(&b.file, b.position, b.code)));
            audits.push(Audit {
                row,
                diagnostics: found,
            });
        }
        Ok((audits, notices))
    }

    /// The texts that a row was read from, as far as they can still be read.
    fn texts_of(
        &self,
        row: &StatusRow,
        declared: &BTreeMap<String, Declared>,
    ) -> BTreeMap<String, SourceFile> {
        let mut texts = BTreeMap::new();
        for file in &row.files {
            let text = match file.strip_prefix(EMBEDDED_PREFIX) {
                Some(path) => Embedded
                    .texts()
                    .find(|(embedded, _)| *embedded == path)
                    .map(|(_, text)| text.to_owned()),
                None => self.root().and_then(|root| {
                    let bytes = std::fs::read(root.join(file)).ok()?;
                    let encoding = declared
                        .get(file)
                        .and_then(|declared| declared.encoding.as_deref());
                    Some(decode(&bytes, encoding).ok()?.text)
                }),
            };
            if let Some(text) = text {
                texts.insert(file.clone(), SourceFile::new(file, text));
            }
        }
        texts
    }
}

/// Game, document and edition, as a [`StatusRow`] names them.
type RowKey = (Name, Name, Option<Name>);

fn key_of(entry: &Entry) -> RowKey {
    let edition = entry.edition.en.clone().or_else(|| entry.edition.zh.clone());
    (entry.game.clone(), entry.document.clone(), edition)
}

/// Leaves out what a row shows of another edition, until there is a translation of its own.
fn narrow(row: &mut StatusRow, entries: &mut [Entry]) {
    row.lang
        .retain(|&lang| entries.iter().any(|entry| has(entry, lang, &row.edition)));
    for entry in entries.iter_mut() {
        let edition = &entry.edition;
        let own = |lang: Lang| edition.get(lang).map(Name::as_str) == row.edition.as_deref();
        entry.sources.retain(|place| place.lang.is_none_or(own));
    }
    let places = entries.iter().flat_map(|entry| &entry.sources);
    let files: BTreeSet<&str> = places.map(|place| place.file.as_str()).collect();
    row.files.retain(|file| files.contains(file.as_str()));
}

/// The texts of a document, by path.
struct Texts(BTreeMap<String, SourceFile>);

impl Texts {
    /// A diagnostic about an entry: at the first of some words in its lines, else at its first line.
    fn at(&self, code: Code, entry: &Entry, words: &str, message: String) -> Diagnostic {
        let found = entry.sources.iter().find_map(|place| {
            let source = self.0.get(place.file.as_str())?;
            let lines = place.line..place.line.saturating_add(LINES_OF_AN_ENTRY);
            lines.map_while(|number| source.line(number)).find_map(|line| {
                let start = line.span.start + find_word(line.text, words)?;
                Some((source, Span::new(start, start + words.len())))
            })
        });
        if let Some((source, span)) = found {
            return Diagnostic::at(code, source, span, message);
        }
        let place = entry.sources.first();
        let file = place.map(|place| place.file.to_string()).unwrap_or_default();
        let mut diagnostic = Diagnostic::about_file(code, file, message);
        diagnostic.position = place.map(|place| Position {
            line: place.line,
            column: 1,
        });
        diagnostic
    }
}

/// Where a number or word stands in a line as a whole: `101.1` is no part of `101.1a`.
fn find_word(line: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return Some(0);
    }
    line.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        !joins(before) && !joins(after)
    })
}

/// Citations of rules that this edition does not have. A document without sections is a part of one, and says
/// nothing about the rest.
fn dangling(entries: &[Entry], texts: &Texts) -> Vec<Diagnostic> {
    if entries.iter().all(|entry| entry.kind != Kind::Section) {
        return Vec::new();
    }
    let ids: BTreeSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    let mut gone: Vec<(&Entry, String)> = Vec::new();
    for entry in entries {
        let own = rule_id_prefix(&entry.game, &entry.document);
        let numbers = entry.references.iter().filter(|id| !ids.contains(id.as_str()));
        gone.extend(numbers.filter_map(|id| Some((entry, id.strip_prefix(&own)?.to_owned()))));
    }
    // Some chapters of a rulebook cite the others; only what they say about themselves can be judged.
    if gone.len() >= MANY_GONE && gone.len() * GONE_FROM_A_PART > entries.len() {
        let section = |number: &str| number.parse::<RuleNumber>().ok()?.prefix(1);
        let there: BTreeSet<RuleNumber> = entries
            .iter()
            .filter_map(|entry| entry.citation.as_ref()?.prefix(1))
            .collect();
        gone.retain(|(_, number)| section(number).is_some_and(|section| there.contains(&section)));
    }
    gone.into_iter()
        .map(|(entry, number)| {
            let message = format!("`{number}` is cited, but this edition has no such rule");
            texts
                .at(Code::DanglingReference, entry, &number, message)
                .hint("look for a misprint, or compare with the edition before this one")
        })
        .collect()
}

/// How a number is written: whether a full stop and whether a blank stand behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spelling {
    stop: bool,
    blank: bool,
}

/// A number as a line begins with it.
struct Written<'e> {
    number: &'e str,
    spelling: Spelling,
    span: Span,
}

/// Numbers that are written unlike nearly all others of the same form in the same file.
fn odd_numbers(entries: &[Entry], texts: &Texts) -> Vec<Diagnostic> {
    // By file and form (how many parts, and whether the last is a number), each number with its spelling.
    let mut forms: BTreeMap<(&str, usize, bool), Vec<Written<'_>>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.kind == Kind::Rule) {
        let Some(number) = &entry.citation else { continue };
        for place in &entry.sources {
            let Some(line) = texts
                .0
                .get(place.file.as_str())
                .and_then(|text| text.line(place.line))
            else {
                continue;
            };
            let mark = |c: char| c.is_whitespace() || matches!(c, '#' | '*' | '-' | '\u{feff}');
            let text = line.text.trim_start_matches(mark);
            let Some(rest) = text.strip_prefix(number.as_str()) else {
                continue;
            };
            let stop = rest.starts_with('.');
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            // A number alone on its line has its text on the next.
            let blank = rest.is_empty() || rest.starts_with(char::is_whitespace);
            let start = line.span.start + (line.text.len() - text.len());
            let is_number = matches!(number.parts().last(), Some(Part::Number(_)));
            let form = (place.file.as_str(), number.depth(), is_number);
            let span = Span::new(start, start + number.as_str().len());
            let spelling = Spelling { stop, blank };
            forms.entry(form).or_default().push(Written {
                number: number.as_str(),
                spelling,
                span,
            });
        }
    }
    let mut found = Vec::new();
    for ((file, ..), numbers) in forms {
        let mut counts: BTreeMap<Spelling, usize> = BTreeMap::new();
        for written in &numbers {
            *counts.entry(written.spelling).or_default() += 1;
        }
        let usual = counts.iter().max_by_key(|(_, count)| **count);
        let (Some((usual, n_usual)), Some(source)) = (usual, texts.0.get(file)) else {
            continue;
        };
        for &Written {
            number,
            spelling,
            span,
        } in &numbers
        {
            if spelling == *usual || counts[&spelling] * 100 > numbers.len() * ODD_PERCENT {
                continue;
            }
            let what = match (spelling.stop == usual.stop, usual.stop, usual.blank) {
                (false, true, _) => "without the full stop of",
                (false, false, _) => "with a full stop, unlike",
                (true, _, true) => "without the blank of",
                (true, _, false) => "with a blank, unlike",
            };
            let message =
                format!("rule number `{number}` is written {what} the {n_usual} others of its form");
            let diagnostic = Diagnostic::at(Code::OddNumber, source, span, message);
            found.push(diagnostic.hint("it is read all the same"));
        }
    }
    found
}

/// True for an entry that has a text of that edition in that language.
fn has(entry: &Entry, lang: Lang, edition: &Option<String>) -> bool {
    let there = entry.text.get(lang).is_some() || entry.title.get(lang).is_some();
    there && entry.edition.get(lang).map(Name::as_str) == edition.as_deref()
}

/// Entries that lack one of the languages of their edition.
fn one_language(entries: &[Entry], row: &StatusRow, texts: &Texts) -> Vec<Diagnostic> {
    if row.lang.len() < Lang::ALL.len() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for lang in Lang::ALL {
        let all: Vec<&Entry> = entries
            .iter()
            .filter(|entry| !matches!(entry.kind, Kind::Statement | Kind::Ruling))
            .collect();
        let lacking: Vec<&Entry> = all
            .iter()
            .copied()
            .filter(|entry| !has(entry, lang, &row.edition))
            .collect();
        let Some(first) = lacking.first() else { continue };
        let name = match lang {
            Lang::En => "English",
            Lang::Zh => "Chinese",
        };
        if lacking.len() * PART > all.len() {
            let message = format!("{} of {} entries have no {name} text", lacking.len(), all.len());
            found.push(
                texts
                    .at(Code::OneLanguage, first, "", message)
                    .note("the first of them is here")
                    .hint("add the rest of the translation, if there is one"),
            );
            continue;
        }
        for entry in lacking {
            let citation = entry.citation.as_ref().map(|citation| citation.as_str());
            let title = entry.title.get(lang.other()).map(String::as_str);
            let called = citation.or(title).unwrap_or(&entry.id);
            let message = format!("`{called}` has no {name} text");
            found.push(
                texts
                    .at(Code::OneLanguage, entry, citation.unwrap_or_default(), message)
                    .hint("compare the texts of both languages around it"),
            );
        }
    }
    found
}

/// Words that a page broke in two, told from `one- and two-card` by the same word standing elsewhere as a whole.
fn hyphens(entries: &[Entry], texts: &Texts) -> Vec<Diagnostic> {
    let english = |entry: &'_ Entry| -> Vec<String> {
        let texts = entry.texts().filter(|(_, lang, _)| *lang == Lang::En);
        texts.map(|(_, _, text)| text.to_owned()).collect()
    };
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let words: BTreeSet<String> = entries
        .iter()
        .flat_map(english)
        .flat_map(|text| {
            let words = text.split(|c| !is_letter(c));
            words.map(str::to_ascii_lowercase).collect::<Vec<_>>()
        })
        .collect();
    let mut found = Vec::new();
    for entry in entries {
        for text in english(entry) {
            for (at, _) in text.match_indices("- ") {
                let (before, after) = (&text[..at], &text[at + 2..]);
                let first = &before[before.trim_end_matches(is_letter).len()..];
                let second = &after[..after.len() - after.trim_start_matches(is_letter).len()];
                let whole = format!("{first}{second}").to_ascii_lowercase();
                if first.is_empty() || second.is_empty() || !words.contains(&whole) {
                    continue;
                }
                let torn = format!("{first}- {second}");
                let message = format!("`{torn}` seems to be `{whole}`, torn at the end of a line");
                let diagnostic = texts.at(Code::PdfHyphen, entry, &torn, message);
                found.push(
                    diagnostic.hint("both are found by a search for the whole word; join it if you like"),
                );
            }
        }
    }
    found
}

/// Terms without a definition, and terms of an alphabetical glossary that are out of its order.
fn odd_terms(entries: &[Entry], texts: &Texts) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let terms = || entries.iter().filter(|entry| entry.kind == Kind::Term);
    let empty: Vec<&Entry> = terms()
        .filter(|entry| entry.text.iter().next().is_none())
        .collect();
    // In a list of words none has a definition.
    let is_list = empty.len() * PART > terms().count();
    for entry in empty.into_iter().filter(|_| !is_list) {
        let name = entry
            .title
            .iter()
            .next()
            .map_or(entry.id.as_str(), |(_, name)| name.as_str());
        let diagnostic = texts.at(
            Code::OddTerm,
            entry,
            "",
            format!("the term `{name}` has no definition"),
        );
        found.push(diagnostic.hint("look for a blank line between the term and its definition"));
    }
    // Only English has one alphabet; each file is in an order of its own.
    let mut by_file: BTreeMap<&str, Vec<(u32, String, &Entry)>> = BTreeMap::new();
    for entry in terms() {
        let Some(title) = &entry.title.en else { continue };
        for place in entry.sources.iter().filter(|place| place.lang != Some(Lang::Zh)) {
            let letters = fold_key(title).chars().filter(|c| c.is_alphanumeric()).collect();
            by_file
                .entry(&place.file)
                .or_default()
                .push((place.line, letters, entry));
        }
    }
    for mut terms in by_file.into_values() {
        terms.sort_by_key(|(line, ..)| *line);
        let unsorted: Vec<_> = terms.windows(2).filter(|pair| pair[0].1 > pair[1].1).collect();
        if unsorted.len() * 100 > terms.len() * ODD_PERCENT {
            continue;
        }
        for pair in unsorted {
            let (before, entry) = (&pair[0].2, pair[1].2);
            let title = |entry: &Entry| entry.title.en.clone().unwrap_or_default();
            let message = format!("the term `{}` stands after `{}`", title(entry), title(before));
            let diagnostic = texts.at(Code::OddTerm, entry, "", message);
            found.push(diagnostic.hint("check the order of the glossary"));
        }
    }
    found
}
