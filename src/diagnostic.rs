//! Located remarks about sources: what was found, where, and what to do.
//!
//! A [`Diagnostic`] is plain data. Its layout for people is [`Diagnostic::to_text`]; the one for programs is
//! in [`crate::render`]. Codes are stable: scripts match on them. `DIAGNOSTICS.md` says of each what it means and what to
//! do, and `tests/cases/diagnostics/` shows it.

use crate::source::{Position, SourceFile, Span};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

/// How bad it is. An error makes a run exit with 2; a warning does not, unless `--strict` is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something a text gets wrong about itself; the entries stand.
    Warning,
    /// Something that could not be read at all.
    Error,
}

impl Severity {
    /// The word that is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $code:literal, $severity:ident;)+) => {
        /// What a diagnostic is about. The printed form is stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($(#[doc = $doc])+ #[serde(rename = $code)] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The stable spelling: `duplicate-number`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $code),+ }
            }

            /// The severity that a diagnostic of this kind has.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity),+ }
            }
        }
    };
}

codes! {
    /// A file could not be opened or read.
    UnreadableFile = "unreadable-file", Error;
    /// A file is binary, or its wanted encoding does not exist.
    NotText = "not-text", Error;
    /// The encoding was guessed.
    EncodingGuessed = "encoding-guessed", Warning;
    /// Bytes that the encoding cannot hold; each is shown as U+FFFD.
    BadByte = "bad-byte", Warning;
    /// A file of no known kind; none of its text was loaded.
    UnknownKind = "unknown-kind", Warning;
    /// The game, language or edition was guessed from the text or the file's name.
    Guessed = "guessed", Warning;
    /// A rule number stands twice in one edition.
    DuplicateNumber = "duplicate-number", Warning;
    /// A number that its neighbours call for is not there.
    MissingNumber = "missing-number", Warning;
    /// A text ends before all is there that its table of contents names, or within a list.
    CutShort = "cut-short", Warning;
    /// A number stands before a smaller one.
    Unsorted = "unsorted", Warning;
    /// A rule cites a number that no loaded edition has.
    DanglingReference = "dangling-reference", Warning;
    /// Two sources of one edition disagree about a text.
    ConflictingText = "conflicting-text", Warning;
    /// Text that belongs to no entry.
    Unplaced = "unplaced", Warning;
    /// A ruling without a date.
    MissingDate = "missing-date", Warning;
    /// A date, number or field that cannot be read.
    Malformed = "malformed", Warning;
    /// A row of a table of cards or rulings that cannot be read.
    BadRow = "bad-row", Warning;
    /// A glossary headword stands twice.
    DuplicateTerm = "duplicate-term", Warning;
    /// Texts of the two languages that could not be matched.
    Unpaired = "unpaired", Warning;
    /// A `game.toml` or `sources.toml` that cannot be read.
    BadConfiguration = "bad-configuration", Error;
    /// A `sources.toml` speaks of a file that is not there.
    MissingSource = "missing-source", Warning;
    /// Two different entries have one id.
    IdClash = "id-clash", Error;
    /// A directive of a document that cannot be read.
    BadDirective = "bad-directive", Error;
    /// A directive of a document asks for something that is not there.
    NotFound = "not-found", Warning;
    /// A directive of a document that does not say which of several games it means.
    Ambiguous = "ambiguous", Warning;
    /// A number is written unlike the others of its kind: with or without a full stop or a blank (audits only).
    OddNumber = "odd-number", Warning;
    /// A glossary term without a definition, or out of the alphabet's order (audits only).
    OddTerm = "odd-term", Warning;
    /// An entry of a document in two languages that is there in one (audits only).
    OneLanguage = "one-language", Warning;
    /// A word that a page broke in two and that was not joined again: `lan- tern` (audits only).
    PdfHyphen = "pdf-hyphen", Warning;
    /// The sources hold no entries at all.
    EmptyLibrary = "empty-library", Warning;
}

/// The line that a diagnostic shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The source line, cut to a readable length.
    pub line: String,
    /// Where the carets start, in characters from 0.
    pub start: usize,
    /// How many characters they underline, at least 1.
    pub length: usize,
}

/// A located remark about a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What it is about.
    pub code: Code,
    /// What was found: lower case, user text in backticks, no full stop.
    pub message: String,
    /// Further facts, such as where the first of two stands.
    pub notes: Vec<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// The file, as its [`SourceFile`] is called; empty when it is about no file.
    pub file: String,
    /// The place, when there is one.
    pub position: Option<Position>,
    /// The line, when there is one.
    pub excerpt: Option<Excerpt>,
}

impl Diagnostic {
    /// A diagnostic about a whole file.
    pub fn about_file(code: Code, file: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: code.severity(),
            code,
            message: message.into(),
            notes: Vec::new(),
            hint: None,
            file: file.into(),
            position: None,
            excerpt: None,
        }
    }

    /// A diagnostic about `span` of `source`.
    pub fn at(code: Code, source: &SourceFile, span: Span, message: impl Into<String>) -> Self {
        let position = source.position(span.start);
        let excerpt = source.line(position.line).map(|line| {
            let line_end = span.end.clamp(span.start, line.span.end.max(span.start));
            let start = position.column as usize - 1;
            let length = source
                .text()
                .get(span.start..line_end)
                .map_or(1, |text| text.chars().count())
                .max(1);
            // A window around the place: rulebooks have lines of several thousand characters.
            let first = start.saturating_sub(EXCERPT_BEFORE);
            let shown: String = line.text.chars().skip(first).take(EXCERPT_LENGTH).collect();
            let room = shown.chars().count().saturating_sub(start - first).max(1);
            Excerpt {
                line: shown,
                start: start - first,
                length: length.min(room),
            }
        });
        Self {
            position: Some(position),
            excerpt,
            ..Self::about_file(code, source.path(), message)
        }
    }

    /// Adds a further fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// `file:line:column`, as far as it is known.
    pub fn location(&self) -> String {
        match self.position {
            Some(Position { line, column }) => format!("{}:{line}:{column}", self.file),
            None => self.file.clone(),
        }
    }

    /// The layout for people: several lines, carets under what is meant, without colour. The texts in it
    /// come from files and are not made safe for a terminal here.
    pub fn to_text(&self) -> String {
        self.laid_out(&Labels::ENGLISH, Cow::Borrowed)
    }

    /// The same with other words around it, and what it says itself as `said` puts it.
    pub fn laid_out<'a>(&'a self, labels: &Labels, said: impl Fn(&'a str) -> Cow<'a, str>) -> String {
        use std::fmt::Write as _;
        let severity = match self.severity {
            Severity::Warning => labels.warning,
            Severity::Error => labels.error,
        };
        let mut out = format!("{severity}{} [{}]", said(&self.message), self.code.as_str());
        if !self.file.is_empty() {
            let _ = write!(out, "\n  --> {}", self.location());
        }
        if let (Some(position), Some(excerpt)) = (self.position, &self.excerpt) {
            let number = position.line.to_string();
            let margin = " ".repeat(number.len());
            let line = excerpt.line.replace('\t', " ");
            let before: String = line.chars().take(excerpt.start).collect();
            let under: String = line.chars().skip(excerpt.start).take(excerpt.length).collect();
            let _ = write!(
                out,
                "\n {margin} |\n {number} | {}\n {margin} | {}{}",
                line.trim_end(),
                " ".repeat(before.width()),
                "^".repeat(under.width().max(1)),
            );
        }
        for note in &self.notes {
            let _ = write!(out, "\n  = {}{}", labels.note, said(note));
        }
        if let Some(hint) = &self.hint {
            let _ = write!(out, "\n  = {}{}", labels.help, said(hint));
        }
        out
    }
}

/// The words around what a diagnostic says.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    /// Before the message of a warning.
    pub warning: &'static str,
    /// Before the message of an error.
    pub error: &'static str,
    /// Before a further fact.
    pub note: &'static str,
    /// Before what to do about it.
    pub help: &'static str,
}

impl Labels {
    /// In English.
    pub const ENGLISH: Labels = Labels {
        warning: "warning: ",
        error: "error: ",
        note: "note: ",
        help: "help: ",
    };
}

/// Characters of a line shown before the place, and in all.
const EXCERPT_BEFORE: usize = 40;
const EXCERPT_LENGTH: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_wide_characters() {
        let source = SourceFile::new("rules/demo/zh.txt", "前言\n规则12.3a. 抽两张牌\n");
        let start = source.text().find("12.3a").unwrap();
        let text = Diagnostic::at(
            Code::DuplicateNumber,
            &source,
            Span::new(start, start + 5),
            "rule number `12.3a` is used twice",
        )
        .note("first used at rules/demo/zh.txt:1:1")
        .hint("number this one `12.3b`")
        .to_text();
        assert_eq!(
            text,
            "warning: rule number `12.3a` is used twice [duplicate-number]\n  --> rules/demo/zh.txt:2:3\n   |\n 2 | 规则12.3a. 抽两张牌\n   |     ^^^^^\n  = note: first used at rules/demo/zh.txt:1:1\n  = help: number this one `12.3b`"
        );
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let source = SourceFile::new("a.txt", format!("{}X{}", "a".repeat(5000), "b".repeat(5000)));
        let excerpt = Diagnostic::at(Code::Unplaced, &source, Span::new(5000, 10_001), "x")
            .excerpt
            .unwrap();
        assert_eq!((excerpt.line.len(), excerpt.start, excerpt.length), (100, 40, 60));
    }

    #[test]
    fn codes_are_distinct() {
        let mut codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Code::ALL.len());
    }
}
