//! `shiyi faq check`: what has changed of what documents quoted.

use super::super::args::{FaqFiles, Format};
use super::super::ask::{AskError, Asker, Reply, Request};
use super::super::{ERROR, FOUND, Failure, NOTHING, Session};
use super::Document;
use super::answer::{Answered, Part, entries};
use crate::diagnostic::Severity;
use crate::entry::Kind;
use crate::faq::check::{Finding, Fresh, check};
use crate::faq::lock::Quote;
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
            let reworded = |quote: &Quote| alike(asker, quote);
            let cut = loaded.cutter()?;
            Ok(check(loaded.entries(), &cut, lock.as_ref(), &fresh, &reworded)?)
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

/// How many hits are looked at for what a ruling may be now.
const ALIKE: usize = 8;

/// The most words of a ruling that are searched for.
const SEARCHED: usize = 24;

/// Rulings or statements that have most of the words of one that is gone. What cannot be searched for is like nothing.
fn alike(asker: &Asker, quote: &Quote) -> Vec<Quote> {
    let mut id = quote.id.split(':');
    let (Some(game), Some(kind)) = (id.next(), id.next()) else {
        return Vec::new();
    };
    let Some(kind) = [Kind::Ruling, Kind::Statement]
        .into_iter()
        .find(|own| own.as_str() == kind)
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (_, quoted) in quote.texts.iter() {
        let words = quoted.words().unwrap_or_default();
        let plain = words.replace(|c: char| !c.is_alphanumeric(), " ");
        let words: Vec<&str> = plain.split_whitespace().take(SEARCHED).collect();
        let request = Request {
            text: words.join(" "),
            games: vec![game.to_owned()],
            kinds: vec![kind],
            limit: Some(ALIKE),
            ..Request::default()
        };
        if let Ok(reply @ Reply::Search { .. }) = asker.search(&request) {
            found.extend(entries(&reply).into_iter().map(Quote::of));
        }
    }
    found
}
