//! `shiyi faq check`: what has changed of what documents quoted.

use super::super::args::{FaqFiles, Format};
use super::super::ask::{AskError, Asker};
use super::super::{ERROR, FOUND, Failure, NOTHING, Session};
use super::Document;
use super::answer::{Answered, Part};
use crate::diagnostic::Severity;
use crate::faq::check::{Finding, Fresh, check};
use crate::library::Need;
use crate::render::sanitize::sanitize_line;
use crate::render::{json, markdown};
use crate::source::Position;
use std::path::Path;

impl Session {
    /// Says what has changed; the exit code is 1 when something has.
    pub(super) fn faq_check(&mut self, check: &FaqFiles) -> Result<u8, Failure> {
        let asker = self.asker()?;
        let mut code = FOUND;
        for path in &check.files {
            match self.check_one(&asker, path) {
                Ok(checked) => code = code.max(checked),
                // What is wrong with one document is not wrong with the others.
                Err(Failure::Ask(error @ AskError::Usage { .. })) => {
                    self.error(&error);
                    code = ERROR;
                }
                Err(other) => return Err(other),
            }
        }
        self.say_notices(&asker);
        Ok(code)
    }

    fn check_one(&mut self, asker: &Asker, path: &Path) -> Result<u8, Failure> {
        let document = Document::read(path)?;
        let lock = document.lock()?;
        let (parts, diagnostics) = self.answered(asker, &document.source)?;
        let mut code = FOUND;
        // What is not there, or there several times, is a finding.
        for diagnostic in diagnostics.iter().filter(|one| one.severity == Severity::Error) {
            self.say_diagnostic(diagnostic);
            code = ERROR;
        }
        let answers: Vec<&Answered> = parts
            .iter()
            .filter_map(|part| match part {
                Part::Answer(answered) => Some(answered),
                Part::Text(_) => None,
            })
            .filter(|answered| answered.reply.is_some())
            .collect();
        let fresh: Vec<Fresh<'_>> = answers.iter().map(|answered| answered.fresh()).collect();
        let findings = asker.repairing(|| {
            let loaded = &asker.opened(Need::Lookup)?.loaded;
            Ok(check(loaded.entries(), &loaded.cutter()?, lock.as_ref(), &fresh)?)
        })?;
        for finding in &findings {
            let at = finding.at.and_then(|at| answers.get(at));
            let at = at.map_or(0, |answered| answered.directive.span.start);
            self.say_finding(path, document.source.position(at), finding)?;
            code = code.max(NOTHING);
        }
        Ok(code)
    }

    fn say_finding(&mut self, path: &Path, at: Position, finding: &Finding) -> Result<(), Failure> {
        let file = path.display().to_string();
        match self.format() {
            Format::Json | Format::Csv => self.object(&json::FindingObject::of(&file, at, finding))?,
            Format::Ids => {
                if let Some(id) = &finding.id {
                    self.out.line(&sanitize_line(id))?;
                }
            }
            Format::Text | Format::Md | Format::Html | Format::EsBulk => {
                let place = sanitize_line(&format!("{file}:{}: ", at.line));
                let layout = self.layout();
                for line in layout.finding(finding) {
                    match self.format() {
                        Format::Md => self
                            .out
                            .line(&format!("- {}", markdown::escape(&(place.clone() + &line))))?,
                        _ => self.out.line(&(place.clone() + &line))?,
                    }
                }
            }
        }
        Ok(())
    }
}
