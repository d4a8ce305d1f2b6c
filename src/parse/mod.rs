//! Source text in, entries and diagnostics out.
//!
//! A parser never stops at the first problem and never panics: what it cannot place is a diagnostic, and every
//! line that is not blank ends up somewhere ([`Parsed::lines`]). There is one file per shape of source:
//!
//! * [`authored`]: Markdown with front matter (the shape of the shipped library), read through [`markdown`],
//! * [`numbered`]: rulebooks with numbered rules, in one language or with translations between the rules,
//! * [`rulings`]: dated rulings under bullets,
//! * [`statements`]: unnumbered statements with examples and ordered lists,
//! * `terms`: lists of terms in both languages,
//! * `tables`: tables of cards, and of their rulings.
//!
//! [`detect`] says which shape a text has, and of which game, document, language and edition it is.
//!
//! Entries leave here with their `parent` as their number has it, whether or not that rule is loaded, and without
//! `children`: who is there is known only when all texts are.

mod audit;
pub mod authored;
mod build;
mod contents;
mod date;
mod detect;
mod examples;
mod front_matter;
mod glossary;
mod json;
pub mod markdown;
mod markup;
mod notes;
pub mod numbered;
mod paragraph;
mod references;
pub mod rulings;
pub mod statements;
mod tables;
mod terms;
mod translation;
mod wrap;

pub(crate) use build::join_languages;
pub use contents::Lacking;
pub use detect::{Because, Detected, Detection, Format, detect};
pub(crate) use tables::DOCUMENT as CARDS;
pub(crate) use translation::{is_partial, unlikeness};

use crate::card::CardRow;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Bilingual, CardRef, Entry, Field, Kind, Lang, Provenance};
use crate::game::{Game, Games};
use crate::source::SourceFile;
use paragraph::View;

/// What is known of a source before it is read: from the folder it stands in, options, or `sources.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// The game, by id, name or alias.
    pub game: Option<String>,
    /// The folder `rules/<folder>/` or `rulings/<folder>/` that it stands in, where that is no known game's.
    pub unknown_folder: Option<String>,
    /// The document inside the game: `mtr`.
    pub document: Option<String>,
    /// What its entries are.
    pub kind: Option<Kind>,
    /// Its one language.
    pub lang: Option<Lang>,
    /// Its edition, whatever the text says.
    pub edition: Option<String>,
    /// The card its rulings are about, where the text names none.
    pub card: Option<CardRef>,
    /// Who words it, for texts that carry no tag of their own.
    pub provenance: Bilingual<Provenance>,
}

impl Hints {
    /// What the place of a file in a library says: `rules/<game>/…` and `rulings/<game>/…`, `rules/<game>/<document>/…`.
    pub fn from_path(path: &str, games: &Games) -> Hints {
        let mut folders = path.split('/').rev().skip(1).collect::<Vec<_>>();
        folders.reverse();
        let mut hints = Hints::default();
        let mut steps = folders
            .iter()
            .skip_while(|name| !matches!(**name, "rules" | "rulings"));
        if steps.next() == Some(&"rulings") {
            hints.kind = Some(Kind::Ruling);
        }
        let folder = steps.next();
        let game = folder.and_then(|name| games.find(name));
        hints.game = game.map(|game| game.id.clone());
        hints.unknown_folder = folder.filter(|_| game.is_none()).map(|name| (*name).to_owned());
        // A folder below may be called after a document; the one next to the file counts.
        hints.document = game.and_then(|game| {
            let called = steps.filter_map(|name| game.document_called(name));
            called.last().map(|document| document.id.clone())
        });
        hints
    }

    /// These hints, completed by `other` where they say nothing.
    #[must_use]
    pub fn or(self, other: Hints) -> Hints {
        Hints {
            game: self.game.or(other.game),
            unknown_folder: self.unknown_folder.or(other.unknown_folder),
            document: self.document.or(other.document),
            kind: self.kind.or(other.kind),
            lang: self.lang.or(other.lang),
            edition: self.edition.or(other.edition),
            card: self.card.or(other.card),
            provenance: Bilingual {
                en: self.provenance.en.or(other.provenance.en),
                zh: self.provenance.zh.or(other.provenance.zh),
            },
        }
    }
}

/// Where a line of a source went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Into a field of an entry.
    Entry {
        /// Which of [`Parsed::entries`].
        entry_idx: usize,
        /// Which field.
        field: Field,
        /// The field's language.
        lang: Lang,
    },
    /// Into a card of a table.
    Card {
        /// Which of [`Parsed::cards`].
        row_idx: usize,
    },
    /// Nowhere: it belongs to the printed page or to the document as a whole, and this is what it is.
    Furniture(Furniture),
    /// Nowhere: a diagnostic says why.
    Reported(Code),
}

/// Text that is not an entry's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Furniture {
    /// The document's title.
    Title,
    /// The line that names the edition.
    Edition,
    /// What stands before the first entry: an introduction.
    Introduction,
    /// A table of contents.
    Contents,
    /// A page number, a running head or foot, a rule of dashes.
    Page,
    /// The heading of a part (`Glossary`).
    Heading,
    /// The line that opens a ruling: its bullet with date and tag.
    Bullet,
    /// Credits, legal text, a change log.
    BackMatter,
    /// Markup and front matter.
    Markup,
}

/// One source, read.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// Its entries, in the order of the text.
    pub entries: Vec<Entry>,
    /// What a table says of cards, row by row.
    pub cards: Vec<CardRow>,
    /// What was found wrong or had to be guessed.
    pub diagnostics: Vec<Diagnostic>,
    /// What kind of source it was found to be.
    pub detection: Detection,
    /// Where each line went that is not blank, by line number in rising order.
    pub lines: Vec<(u32, Place)>,
    /// What it does not have of what its table of contents names; another file of its edition may have it.
    pub lacking: Option<Lacking>,
    /// True for a form made from another, such as JSON or a page: where texts disagree, plain text comes first.
    pub derived: bool,
}

/// Reads one source.
///
/// A source of no known game or kind gives no entries and an `unknown-kind` warning.
pub fn parse(source: &SourceFile, games: &Games, hints: &Hints) -> Parsed {
    if is_authored(source) {
        return authored::parse(source, games, hints);
    }
    if let Some(table) = tables::find(source, hints) {
        return table.read(source, games, hints);
    }
    let view = View::of(source);
    let detection = detect::detect_in(&view, source, games, hints);
    let guesses = detection.guesses(source, hints);
    let game = detection.game.as_ref().and_then(|game| games.get(&game.value));
    let format = detection.format.as_ref().map(|format| format.value);
    let mut parsed = match (game, format) {
        (Some(game), Some(Format::Numbered)) => numbered::read(source, game, detection, hints, &view),
        (Some(game), Some(Format::Rulings)) => rulings::read(source, game, detection, hints, &view),
        (Some(game), Some(Format::Statements)) => statements::read(source, game, detection, hints, &view),
        (Some(game), Some(Format::Glossary)) => glossary::read_headed(source, game, detection, hints, &view),
        (Some(game), Some(Format::Terms)) => terms::read(source, game, detection, hints),
        (Some(game), Some(Format::Json)) => json::read(source, game, detection, hints),
        (game, _) => unknown(source, game, detection, hints),
    };
    parsed.derived = view.marked_up || format == Some(Format::Json);
    parsed.diagnostics.extend(guesses);
    parsed.diagnostics.sort_by_key(|diagnostic| diagnostic.position);
    parsed
}

/// The games that number their rules as a source of no known game does, to compare it with. That alone makes it no text
/// of any of them.
pub fn games_like<'g>(source: &SourceFile, games: &'g Games) -> Vec<&'g Game> {
    detect::like(source, games)
}

/// True for Markdown with front matter of ours. Pages of other makes have front matter too, without a kind.
fn is_authored(source: &SourceFile) -> bool {
    let fenced = matches!(
        source.text().lines().next().map(str::trim_end),
        Some("+++" | "---")
    );
    if !fenced || !source.path().to_ascii_lowercase().ends_with(".md") {
        return false;
    }
    let Some(front) = front_matter::find(source.text()) else {
        return true;
    };
    source.slice(front).lines().any(|line| {
        let key = line.split(['=', ':']).next().unwrap_or_default().trim();
        matches!(key, "game" | "kind")
    })
}

/// What is said of a source that no reader takes.
fn unknown(source: &SourceFile, game: Option<&Game>, detection: Detection, hints: &Hints) -> Parsed {
    let lines = source.lines().filter(|line| !build::is_blank(line.text));
    let folder = hints.unknown_folder.as_ref().map(|folder| {
        format!("the game of this text is not known: the folder `{folder}` is no known game's")
    });
    let (message, hint) = match game {
        _ if build::is_blank(source.text()) => (
            "the file is empty",
            "take it out of the library, or fetch it again from where it came",
        ),
        None => match &folder {
            Some(message) => (message.as_str(), detect::NAME_THE_FOLDER),
            None => (
                "the game of this text is not known",
                "put the file in a folder `rules/<game>/` or `rulings/<game>/`, or name the game with `--game`; a new \
                 game is described by `rules/<game>/game.toml` (see rules/README.md)",
            ),
        },
        Some(_) => (
            "no rules, rulings or statements were found in this text",
            "say what it is with `--kind`, or take it out of the library",
        ),
    };
    let malformed = game.and_then(|_| json::fault(source));
    let diagnostic = malformed
        .unwrap_or_else(|| Diagnostic::about_file(Code::UnknownKind, source.path(), message).hint(hint));
    let code = diagnostic.code;
    Parsed {
        entries: Vec::new(),
        cards: Vec::new(),
        diagnostics: vec![diagnostic],
        detection,
        lines: lines.map(|line| (line.number, Place::Reported(code))).collect(),
        lacking: None,
        derived: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn games() -> Games {
        let demo = |id: &str, levels: &str, digits: &str| {
            Game::from_toml(&format!(
                "id = \"{id}\"\nnames = {{ en = \"{id}\" }}\n[[document]]\nid = \"cr\"\nsignatures = [\"{id} rules\"]\n\
                 glossary = [\"Glossary\", \"词汇表\"]\nback-matter = [\"Credits\"]\n\
                 numbering = {{ levels = {levels}, digits = {digits} }}\n"
            ))
            .unwrap()
        };
        Games::new([
            demo(
                "dotted",
                r#"["n", ".n", "a", "-n"]"#,
                "[3, 4], chapter-size = 100",
            ),
            demo("dashed", r#"["n", "-n", "-n"]"#, "[1, 2]"),
        ])
    }

    /// Pieces that texts of rules are made of, in good order and in bad.
    fn piece() -> impl Strategy<Value = String> {
        let fixed = prop::sample::select(vec![
            "\n",
            "\n\n",
            "\r",
            "\r\n",
            " ",
            "\t",
            "100.",
            "1. ",
            "1. Basics",
            "702.3a",
            "702.3a-1 ",
            "702.3b.",
            "1-2-3",
            "1-2. ",
            "704.5aa ",
            "Example: ",
            "例如：",
            "如：",
            "• (2024-06-07 official)",
            "• ",
            "* (gpt)",
            "(2024-13-99 x)",
            "# 甲 / Alpha",
            "Glossary",
            "词汇表",
            "Credits",
            "Contents",
            "目录",
            "甲乙丙。",
            "Draw a card.",
            "（译注：丁）",
            "（旁白）",
            "(aside)",
            "（",
            "）",
            "(((",
            "ABC专用 - 注。",
            "规则702.3a–c、",
            "rules 702.3 and 703",
            "section 7",
            "第7章",
            "999999999999.1",
            "702.99999999999",
            "最后更新至T2",
            "dotted rules ver. 1.2",
            "effective as of April 17, 2026",
            "\u{feff}",
            "\u{0}",
            "\u{1b}[31m",
            "𠮷",
            "é",
            "--",
            "<b>",
            "**",
        ])
        .prop_map(str::to_owned);
        prop_oneof![8 => fixed, 1 => any::<String>()]
    }

    fn check(text: &str, path: &str, hints: &Hints) {
        let source = SourceFile::new(path, text);
        let games = games();
        let parsed = parse(&source, &games, &hints.clone().or(Hints::from_path(path, &games)));
        for (line, place) in &parsed.lines {
            assert!(source.line(*line).is_some_and(|line| !build::is_blank(line.text)));
            if let Place::Entry { entry_idx, .. } = place {
                assert!(*entry_idx < parsed.entries.len());
            }
        }
        assert!(parsed.lines.is_sorted_by_key(|(line, _)| *line));
        for line in source.lines().filter(|line| !build::is_blank(line.text)) {
            let found = parsed
                .lines
                .binary_search_by_key(&line.number, |(number, _)| *number);
            assert!(found.is_ok(), "line {} of {text:?} is nowhere", line.number);
        }
    }

    proptest! {
        #[test]
        fn whatever_comes_is_read_and_accounted_for(pieces in prop::collection::vec(piece(), 0..60)) {
            let text = pieces.concat();
            check(&text, "rules/dotted/a.txt", &Hints::default());
            check(&text, "rules/dashed/a.txt", &Hints::default());
            check(&text, "rulings/dotted/a.txt", &Hints::default());
            check(&text, "a.txt", &Hints::default());
            for kind in Kind::ALL {
                let hints = Hints { kind: Some(kind), ..Hints::default() };
                check(&text, "rules/dotted/a.txt", &hints);
            }
        }
    }

    #[test]
    fn folders_say_which_game() {
        let hints = Hints::from_path("some/rulings/dotted/deep/a.txt", &games());
        assert_eq!(
            (hints.game.as_deref(), hints.kind),
            (Some("dotted"), Some(Kind::Ruling))
        );
        assert_eq!(Hints::from_path("dotted/a.txt", &games()), Hints::default());
        let said = Hints {
            game: Some("dashed".into()),
            ..Hints::default()
        };
        assert_eq!(said.or(hints).game.as_deref(), Some("dashed"));
    }
}
