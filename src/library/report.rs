//! What is loaded, and what was found wrong with it?

use crate::corpus::Corpus;
use crate::diagnostic::{Diagnostic, Severity};
use crate::entry::{Kind, Lang};
use crate::name::Name;
use crate::parse::CARDS;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is loaded of one game, document and edition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusRow {
    /// The game's id.
    pub game: String,
    /// The document's id.
    pub document: String,
    /// The edition; none for undated texts.
    pub edition: Option<String>,
    /// The languages there are texts in.
    pub lang: Vec<Lang>,
    /// The files they were read from.
    pub files: Vec<String>,
    /// How many entries of each kind, and examples.
    pub counts: Counts,
    /// How many entries have both languages; of cards, how many have names in both.
    pub pairs: usize,
    /// How many remarks about those files.
    pub diagnostics: usize,
}

impl StatusRow {
    /// A row of which nothing is counted yet.
    fn of(game: &str, document: &str, edition: Option<String>) -> StatusRow {
        StatusRow {
            game: game.to_owned(),
            document: document.to_owned(),
            edition,
            lang: Vec::new(),
            files: Vec::new(),
            counts: Counts::default(),
            pairs: 0,
            diagnostics: 0,
        }
    }
}

/// How many of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Chapters.
    pub chapters: usize,
    /// Sections.
    pub sections: usize,
    /// Rules and subrules.
    pub rules: usize,
    /// Examples.
    pub examples: usize,
    /// Glossary terms.
    pub terms: usize,
    /// Rulings.
    pub rulings: usize,
    /// Statements.
    pub statements: usize,
    /// Cards of tables; those that are known by their rulings alone are not counted.
    #[serde(default)]
    pub cards: usize,
}

impl Counts {
    /// How many entries there are in all; examples are parts of entries, and cards are none.
    pub fn entries(&self) -> usize {
        let Counts {
            chapters,
            sections,
            rules,
            examples: _,
            terms,
            rulings,
            statements,
            cards: _,
        } = self;
        chapters + sections + rules + terms + rulings + statements
    }

    fn count(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Chapter => &mut self.chapters,
            Kind::Section => &mut self.sections,
            Kind::Rule => &mut self.rules,
            Kind::Term => &mut self.terms,
            Kind::Statement => &mut self.statements,
            Kind::Ruling => &mut self.rulings,
        }
    }
}

/// What ingest found.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// What is loaded.
    pub rows: Vec<StatusRow>,
    /// Everything that was found wrong or had to be guessed.
    pub diagnostics: Vec<Diagnostic>,
    /// Files read.
    pub files: usize,
    /// Seconds since 1970 at which it ran.
    pub ingested: u64,
    /// The format of the index.
    pub format: u32,
    /// True when nothing had changed since, so that nothing was done.
    #[serde(skip)]
    pub unchanged: bool,
}

impl Report {
    /// True when something could not be read at all.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Counts what a corpus holds, by game, document and edition.
pub(super) fn rows(corpus: &Corpus, diagnostics: &[Diagnostic]) -> Vec<StatusRow> {
    let mut rows: BTreeMap<(Name, Name, Option<Name>), StatusRow> = BTreeMap::new();
    for entry in corpus.entries() {
        let edition = entry.edition.en.clone().or_else(|| entry.edition.zh.clone());
        let key = (entry.game.clone(), entry.document.clone(), edition.clone());
        let row = rows
            .entry(key)
            .or_insert_with(|| StatusRow::of(&entry.game, &entry.document, edition.map(String::from)));
        *row.counts.count(entry.kind) += 1;
        row.counts.examples += entry.examples.len();
        let has = |lang: Lang| entry.text.get(lang).or(entry.title.get(lang)).is_some();
        for lang in Lang::ALL.into_iter().filter(|&lang| has(lang)) {
            if !row.lang.contains(&lang) {
                row.lang.push(lang);
            }
        }
        row.pairs += usize::from(has(Lang::En) && has(Lang::Zh));
        for source in &entry.sources {
            if row.files.iter().all(|file| *file != source.file) {
                row.files.push(source.file.to_string());
            }
        }
    }
    for card in corpus.cards().iter().filter(|card| !card.sources.is_empty()) {
        let key = (card.game.clone(), Name::from(CARDS), None);
        let row = rows
            .entry(key)
            .or_insert_with(|| StatusRow::of(&card.game, CARDS, None));
        row.counts.cards += 1;
        let is_named = [!card.en.is_empty(), !card.zh.is_empty()];
        for (lang, _) in Lang::ALL
            .into_iter()
            .zip(is_named)
            .filter(|(_, is_named)| *is_named)
        {
            if !row.lang.contains(&lang) {
                row.lang.push(lang);
            }
        }
        row.pairs += usize::from(is_named == [true, true]);
        for source in &card.sources {
            if row.files.iter().all(|file| *file != source.file) {
                row.files.push(source.file.to_string());
            }
        }
    }
    for row in rows.values_mut() {
        row.lang.sort();
        row.files.sort();
        row.diagnostics = diagnostics
            .iter()
            .filter(|diagnostic| row.files.contains(&diagnostic.file))
            .count();
    }
    rows.into_values().collect()
}
