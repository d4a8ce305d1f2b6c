//! What every reader does with what it finds: entries grow paragraph by paragraph, and each line is accounted
//! for.

use super::notes::{may_have_translator_note, take_translator_notes};
use super::paragraph::View;
use super::references::{may_cite, references};
use super::{Detection, Furniture, Hints, Parsed, Place};
use crate::citation::RuleNumber;
use crate::diagnostic::Diagnostic;
use crate::entry::{
    Bilingual, DEFAULT_DOCUMENT, Entry, Field, Kind, Lang, Note, Provenance, SourceRef, rule_id,
};
use crate::game::{Game, Numbering};
use crate::hash::FastSet;
use crate::name::Name;
use crate::source::SourceFile;
use std::collections::HashSet;

/// A parsed source in the making.
pub(super) struct Builder<'a> {
    pub source: &'a SourceFile,
    pub game: &'a Game,
    pub document: Name,
    pub edition: Option<Name>,
    issued: Option<Name>,
    pub hints: &'a Hints,
    pub entries: Vec<Entry>,
    pub diagnostics: Vec<Diagnostic>,
    lines: Vec<(u32, Place)>,
    /// Lines between the paragraphs, such as page numbers.
    taken_out: HashSet<u32>,
    detection: Detection,
    file: Name,
    game_id: Name,
    /// The ids of entries and of what they cite.
    ids: FastSet<Name>,
    /// The document that numbers without a document's name mean, with its numbering.
    cites: Option<(&'a str, &'a Numbering)>,
}

impl<'a> Builder<'a> {
    pub fn new(
        source: &'a SourceFile,
        game: &'a Game,
        detection: Detection,
        hints: &'a Hints,
        view: &View<'_>,
    ) -> Self {
        let document = detection
            .document
            .as_ref()
            .map_or(DEFAULT_DOCUMENT, |document| document.value.as_str());
        let cites = [document, DEFAULT_DOCUMENT].into_iter().find_map(|id| {
            let document = game.document(id)?;
            Some((document.id.as_str(), document.numbering.as_ref()?))
        });
        Self {
            source,
            game,
            document: document.into(),
            edition: detection
                .edition
                .as_ref()
                .map(|edition| edition.value.as_str().into()),
            issued: detection.issued.as_deref().map(Name::from),
            hints,
            entries: Vec::new(),
            diagnostics: Vec::new(),
            lines: view
                .furniture
                .iter()
                .map(|(lines, what)| (lines.first, Place::Furniture(*what)))
                .collect(),
            taken_out: view.furniture.iter().map(|(lines, _)| lines.first).collect(),
            detection,
            file: source.path().into(),
            game_id: game.id.as_str().into(),
            ids: FastSet::default(),
            cites,
        }
    }

    /// A new entry without text; returns its place among the entries.
    pub fn add(&mut self, id: String, kind: Kind, line: u32) -> usize {
        let id = self.id(id);
        self.entries.push(Entry::new(
            id,
            &self.game_id,
            &self.document,
            kind,
            SourceRef {
                file: self.file.clone(),
                line,
                lang: None,
            },
        ));
        self.entries.len() - 1
    }

    /// An id, which is kept once however often it is named.
    pub fn id(&mut self, id: String) -> Name {
        if let Some(known) = self.ids.get(id.as_str()) {
            return known.clone();
        }
        let id = Name::from(id);
        self.ids.insert(id.clone());
        id
    }

    /// The id that a rule of this document has.
    pub fn rule_id(&self, number: &RuleNumber) -> String {
        rule_id(&self.game.id, &self.document, number)
    }

    /// Puts a paragraph into a field of an entry, its translators' notes into the entry's notes.
    pub fn put(&mut self, entry_idx: usize, field: Field, lang: Lang, text: &str, lines: Lines) {
        self.place(
            lines,
            Place::Entry {
                entry_idx,
                field,
                lang,
            },
        );
        let (mut text, mut notes) = (text.trim().to_owned(), Vec::new());
        if may_have_translator_note(&text) {
            (text, notes) = take_translator_notes(&text);
            text.truncate(text.trim_end().len());
        }
        for note in notes {
            self.note(entry_idx, note, lines);
        }
        self.mark_language(entry_idx, lang);
        if field != Field::Title {
            self.cite(entry_idx, &text);
        }
        let entry_text = match field {
            Field::Title => self.entries[entry_idx].title.get_mut(lang),
            Field::Text => self.entries[entry_idx].text.get_mut(lang),
            Field::Example => return self.entries[entry_idx].examples.push(Bilingual::one(lang, text)),
            Field::Item => return self.entries[entry_idx].items.push(Bilingual::one(lang, text)),
            Field::Alias => return self.entries[entry_idx].aliases.push(text),
            Field::Note | Field::Tag | Field::Card => return,
        };
        match entry_text {
            Some(before) if !text.is_empty() => {
                if !before.is_empty() {
                    before.push('\n');
                }
                before.push_str(&text);
            }
            Some(_) => {}
            // A number with nothing behind it: the text is yet to come.
            None if text.is_empty() => {}
            None => *entry_text = Some(text),
        }
    }

    /// Goes on with the last example of an entry.
    pub fn extend_example(&mut self, entry_idx: usize, lang: Lang, text: &str, lines: Lines) {
        let entry = &mut self.entries[entry_idx];
        let last = entry
            .examples
            .last_mut()
            .and_then(|example| example.get_mut(lang).take());
        match last {
            Some(before) => {
                entry.examples.pop();
                self.put(
                    entry_idx,
                    Field::Example,
                    lang,
                    &format!("{before}\n{text}"),
                    lines,
                );
            }
            None => self.put(entry_idx, Field::Text, lang, text, lines),
        }
    }

    /// Adds a remark to an entry.
    pub fn note(&mut self, entry_idx: usize, note: Note, lines: Lines) {
        self.place(
            lines,
            Place::Entry {
                entry_idx,
                field: Field::Note,
                lang: note.lang,
            },
        );
        self.cite(entry_idx, &note.text);
        self.entries[entry_idx].notes.push(note);
    }

    /// Reads what a text of an entry cites.
    fn cite(&mut self, entry_idx: usize, text: &str) {
        let Some((document, numbering)) = self.cites.filter(|_| may_cite(text)) else {
            return;
        };
        for number in references(text, numbering) {
            let id = self.id(rule_id(&self.game.id, document, &number));
            let entry = &mut self.entries[entry_idx];
            if id != entry.id && !entry.references.contains(&id) {
                entry.references.push(id);
            }
        }
    }

    /// Notes that an entry has something in that language: its edition and provenance follow from it.
    fn mark_language(&mut self, entry_idx: usize, lang: Lang) {
        let entry = &mut self.entries[entry_idx];
        if entry.provenance.get(lang).is_none() {
            let provenance = self.hints.provenance.get(lang).cloned();
            *entry.provenance.get_mut(lang) = Some(provenance.unwrap_or_else(Provenance::default));
            entry.edition.get_mut(lang).clone_from(&self.edition);
            entry.issued.get_mut(lang).clone_from(&self.issued);
        }
    }

    /// Says where lines went.
    pub fn place(&mut self, lines: Lines, place: Place) {
        for line in lines.first..=lines.last {
            let text = self.source.line(line).map_or("", |line| line.text);
            if !is_blank(text) && !self.taken_out.contains(&line) {
                self.lines.push((line, place.clone()));
            }
        }
    }

    /// Says that a line belongs to no entry, and what it is.
    pub fn furniture(&mut self, lines: Lines, what: Furniture) {
        self.place(lines, Place::Furniture(what));
    }

    /// Tells which language stands in which source, and hands everything over.
    pub fn finish(mut self) -> Parsed {
        for entry in &mut self.entries {
            entry.shrink();
            let mut langs = entry.provenance.iter().map(|(lang, _)| lang);
            if let (Some(lang), None) = (langs.next(), langs.next()) {
                for source in &mut entry.sources {
                    source.lang = Some(lang);
                }
            }
        }
        // An entry's text is put before its notes are; by line, the order of the text comes back.
        self.lines.sort_by_key(|(line, _)| *line);
        Parsed {
            entries: self.entries,
            cards: Vec::new(),
            diagnostics: self.diagnostics,
            detection: self.detection,
            lines: self.lines,
            lacking: None,
            derived: false,
        }
    }
}

/// Lines by number, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines {
    pub first: u32,
    pub last: u32,
}

impl Lines {
    /// One line.
    pub fn one(line: u32) -> Self {
        Self {
            first: line,
            last: line,
        }
    }
}

/// True for a line with nothing on it that could be read.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}'))
}

/// Joins a list in one language with one as long in the other, item by item. Lists of unequal length stay as
/// they are: which item translates which is not known. Returns true when there is nothing left alone.
pub(crate) fn join_languages(texts: &mut Vec<Bilingual<String>>) -> bool {
    let (en, zh): (Vec<_>, Vec<_>) = texts.iter().cloned().partition(|text| text.en.is_some());
    let alone = |texts: &[Bilingual<String>]| texts.iter().all(|text| text.en.is_none() || text.zh.is_none());
    if en.is_empty() || zh.is_empty() || !alone(texts) {
        return en.is_empty() && zh.is_empty() || !alone(texts);
    }
    if en.len() != zh.len() {
        return false;
    }
    *texts = en
        .into_iter()
        .zip(zh)
        .map(|(en, zh)| Bilingual { en: en.en, zh: zh.zh })
        .collect();
    true
}
