//! `shiyi ingest` and `shiyi status`.

use super::args::{Format, Ingest};
use super::{ERROR, FOUND, Failure, Session};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::library::{Counts, Notice, Report, StatusRow};
use crate::render::json;
use crate::render::sanitize::sanitize_line;
use std::collections::BTreeSet;

/// The exit code of an ingest: an error fails it, and with `strict` a warning does, too.
pub(super) fn ingest_code(report: &Report, strict: bool) -> u8 {
    if report.has_errors() || strict && !report.diagnostics.is_empty() {
        ERROR
    } else {
        FOUND
    }
}

impl Session {
    pub(super) fn ingest(&mut self, ingest: &Ingest) -> Result<u8, Failure> {
        let mut library = self.library()?;
        if let Some(jobs) = ingest.jobs {
            library = library.with_jobs(jobs);
        }
        let report = library.ingest()?;
        self.say_report(&report)?;
        Ok(ingest_code(&report, ingest.strict))
    }

    pub(super) fn status(&mut self) -> Result<u8, Failure> {
        let library = self.library()?;
        let (report, notices) = library.status()?;
        self.say_rows(&report)?;
        self.say_library_notices(&notices);
        // What is missing of a text is part of what there is.
        let cut = |diagnostic: &&Diagnostic| diagnostic.code == Code::CutShort;
        for diagnostic in report.diagnostics.iter().filter(cut) {
            self.say_diagnostic(diagnostic);
        }
        Ok(FOUND)
    }

    /// What a person should know of the library that is spoken of.
    pub(super) fn say_library_notices(&mut self, notices: &[Notice]) {
        for notice in notices {
            match notice {
                Notice::Embedded => {
                    let text = self.ui.embedded();
                    self.notice("embedded", text);
                }
                notice => self.say_notice(notice),
            }
        }
    }

    /// What an ingest found: diagnostics on stderr, what is loaded on stdout.
    pub(super) fn say_report(&mut self, report: &Report) -> Result<(), Failure> {
        for diagnostic in &report.diagnostics {
            self.say_diagnostic(diagnostic);
        }
        self.say_loaded(report)
    }

    /// The same after texts were added: of the warnings, those about them and what is said of them; how many others
    /// there are is said once.
    pub(super) fn say_report_on(&mut self, report: &Report, added: &[String]) -> Result<(), Failure> {
        let folders: BTreeSet<&str> = added
            .iter()
            .flat_map(|path| {
                std::iter::successors(Some(path.as_str()), |path| Some(path.rsplit_once('/')?.0))
            })
            .collect();
        let is_setting = |file: &str| match file.rsplit_once('/') {
            Some((folder, _)) => file.ends_with(".toml") && folders.contains(folder),
            None => false,
        };
        let (of_added, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            report.diagnostics.iter().partition(|diagnostic| {
                diagnostic.severity == Severity::Error
                    || diagnostic.file.is_empty()
                    || added.contains(&diagnostic.file)
                    || is_setting(&diagnostic.file)
            });
        for diagnostic in of_added {
            self.say_diagnostic(diagnostic);
        }
        if !others.is_empty() {
            let text = self.ui.other_remarks(others.len());
            self.notice("other-remarks", &text);
        }
        self.say_loaded(report)
    }

    fn say_loaded(&mut self, report: &Report) -> Result<(), Failure> {
        self.say_rows(report)?;
        if self.format() == Format::Text {
            let count = |severity| {
                report
                    .diagnostics
                    .iter()
                    .filter(|diagnostic| diagnostic.severity == severity)
                    .count()
            };
            let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
            let summary = match report.unchanged {
                true => self.ui.unchanged(report.files, errors, warnings),
                false => self.ui.ingested(report.files, errors, warnings),
            };
            self.out.line(&summary)?;
        }
        Ok(())
    }

    fn say_rows(&mut self, report: &Report) -> Result<(), Failure> {
        let ingested = jiff::Timestamp::from_second(i64::try_from(report.ingested).unwrap_or(0))
            .map(|time| time.to_string())
            .unwrap_or_default();
        match self.format() {
            Format::Json => {
                for row in &report.rows {
                    self.object(&json::StatusObject::of(row, &ingested, report.format))?;
                }
            }
            _ => {
                for row in &report.rows {
                    let line = self.row(row);
                    self.out.line(&line)?;
                }
            }
        }
        Ok(())
    }

    /// `mtg cr 2026-04-17 (en, zh): 9 chapters, 147 sections, 3138 rules, …; 3138 pairs`
    fn row(&self, row: &StatusRow) -> String {
        let Counts {
            chapters,
            sections,
            rules,
            examples,
            terms,
            rulings,
            statements,
            cards,
        } = row.counts;
        let counts = self.ui.counts(
            [
                chapters, sections, rules, terms, statements, rulings, examples, cards,
            ],
            row.pairs,
        );
        sanitize_line(&format!("{}: {counts}", row_name(row)))
    }
}

/// `mtg cr 2026-04-17 (en, zh)`
pub(super) fn row_name(row: &StatusRow) -> String {
    let langs: Vec<&str> = row.lang.iter().map(|lang| lang.as_str()).collect();
    let edition = row
        .edition
        .as_deref()
        .map(|edition| format!(" {edition}"))
        .unwrap_or_default();
    format!("{} {}{edition} ({})", row.game, row.document, langs.join(", "))
}
