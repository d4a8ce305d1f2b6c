//! `shiyi doctor`: checks the library and repairs its index; with `--rules`, audits the rulebooks.

use super::args::Format;
use super::library::row_name;
use super::{ERROR, FOUND, Failure, NOTHING, Session};
use crate::diagnostic::Severity;
use crate::library::doctor::{Check, Checkup, Part, State};
use crate::render::json;
use crate::render::sanitize::{sanitize, sanitize_line};

impl Session {
    pub(super) fn check_up(&mut self) -> Result<u8, Failure> {
        let checkup = self.library()?.check_up()?;
        match self.format() {
            Format::Json => {
                for check in &checkup.checks {
                    let text = self.ui.check(check);
                    let object = json::CheckObject::of(check, &text, self.ui.check_hint(check));
                    self.object(&object)?;
                }
            }
            _ => self.say_checkup(&checkup)?,
        }
        // What a newer program wrote cannot be judged, and is not touched.
        let newer = checkup
            .checks
            .iter()
            .any(|check| matches!(check.state, State::Newer(_)));
        Ok(match checkup.n_findings() {
            _ if newer => ERROR,
            0 => FOUND,
            _ => NOTHING,
        })
    }

    /// What is as it should be in one line, everything else in a line of its own.
    fn say_checkup(&mut self, checkup: &Checkup) -> Result<(), Failure> {
        let (mut sound, mut remarks) = (0, 0);
        for check in &checkup.checks {
            if check.part == Part::Source && check.state == State::Sound {
                sound += 1;
                remarks += check.diagnostics;
            }
            if check.state != State::Sound {
                self.say_check(check)?;
            }
        }
        let library = checkup.checks.iter().find(|check| check.part == Part::Library);
        let name = library
            .map(|check| sanitize_line(&check.name))
            .unwrap_or_default();
        let line = self.ui.sound_sources(&name, sound, remarks);
        self.out.line(&line)?;
        if let Some(index) = checkup.index {
            let line = self.ui.sound_index(index.entries, index.blocks);
            self.out.line(&line)?;
        }
        if let Some(report) = &checkup.rebuilt {
            let line = self
                .ui
                .rebuilt(report.rows.iter().map(|row| row.counts.entries()).sum());
            self.out.line(&line)?;
        }
        let line = self.ui.findings(checkup.n_findings());
        self.out.line(&line)?;
        Ok(())
    }

    fn say_check(&mut self, check: &Check) -> Result<(), Failure> {
        let text = self.ui.check(check);
        self.out
            .line(&sanitize_line(&format!("{}: {text}", check.name)))?;
        if let Some(hint) = self.ui.check_hint(check) {
            self.out.line(&format!("  = help: {hint}"))?;
        }
        Ok(())
    }

    pub(super) fn audit(&mut self) -> Result<u8, Failure> {
        let library = self.library()?;
        let (known, _) = library.games();
        let mut games = Vec::new();
        for game in &self.options.selection.game {
            games.push(super::ask::find_game(&known, game)?.id.clone());
        }
        let document = self.options.selection.document.clone();
        let edition = match &self.options.selection.edition {
            Some(typed) => {
                let (report, _) = library.status()?;
                let known: Vec<(&str, &str)> = report
                    .rows
                    .iter()
                    .filter_map(|row| row.edition.as_deref())
                    .map(|edition| (edition, edition))
                    .collect();
                Some(super::ask::full_edition(typed, &known)?.to_owned())
            }
            None => None,
        };
        let (audits, notices) = library.audit(|row| {
            (games.is_empty() || games.contains(&row.game))
                && document.as_ref().is_none_or(|document| *document == row.document)
                && (edition.is_none() || edition == row.edition)
        })?;
        self.say_library_notices(&notices);
        let json = self.format() == Format::Json;
        for audit in &audits {
            let line = if json {
                json::line(&json::AuditObject::of(audit))
            } else {
                let counts: Vec<(&str, usize)> = audit
                    .counts()
                    .into_iter()
                    .map(|(code, count)| (code.as_str(), count))
                    .collect();
                sanitize_line(&self.ui.audit(&row_name(&audit.row), &counts))
            };
            self.out.line(&line)?;
        }
        let mut worst = None;
        for diagnostic in audits.iter().flat_map(|audit| &audit.diagnostics) {
            worst = worst.max(Some(diagnostic.severity));
            if json {
                self.out
                    .line(&json::line(&json::DiagnosticObject::of(diagnostic)))?;
            } else {
                self.out.line("")?;
                let text = self.ui.diagnostic(diagnostic);
                self.out.line(&sanitize(&text))?;
            }
        }
        if audits.is_empty() {
            let text = self.ui.no_rulebook();
            self.notice("no-rulebook", text);
            return Ok(NOTHING);
        }
        Ok(match worst {
            Some(Severity::Error) => ERROR,
            Some(Severity::Warning) => NOTHING,
            None => FOUND,
        })
    }
}
