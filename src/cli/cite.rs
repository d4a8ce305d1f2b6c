//! `shiyi cite`: the citations of documents that a new edition made stale, and their new numbers.

use super::args::{CiteCheck, CiteCommand, CiteUpgrade, Format};
use super::ask::{AskError, Asker, Request, full_edition};
use super::files::replace;
use super::{FOUND, Failure, NOTHING, Session};
use crate::cite::{Between, Checker, Stale, Why, rewritten};
use crate::corpus::editions::compare_editions;
use crate::entry::Lang;
use crate::game::Game;
use crate::history::editions;
use crate::library::Need;
use crate::lookup::loaded_games;
use crate::render::sanitize::sanitize_line;
use crate::render::{json, markdown};
use crate::source::decode;
use std::io::Read as _;
use std::path::Path;

/// What stands for stdin among files.
const STDIN: &str = "-";

impl Session {
    pub(super) fn cite(&mut self, command: &CiteCommand) -> Result<u8, Failure> {
        match command {
            CiteCommand::Check(check) => self.cite_check(check),
            CiteCommand::Upgrade(upgrade) => self.cite_upgrade(upgrade),
        }
    }

    /// Says which citations are stale; the exit code is 1 when some are.
    fn cite_check(&mut self, check: &CiteCheck) -> Result<u8, Failure> {
        let mut texts = Vec::new();
        for file in &check.files {
            let bytes = read(file)?;
            let decoded = decode(&bytes, None).map_err(|error| not_text(file, &error.to_string()))?;
            texts.push(decoded.text);
        }
        let asker = self.asker()?;
        let request = self.request(&asker, String::new())?;
        let between = Between {
            from: request.edition.as_deref(),
            to: None,
        };
        let (stale, compared) = asker.repairing(|| checked(&asker, &request, between, &texts))?;
        self.say_notices(&asker);
        self.say_cuts(&asker, &stale, &compared)?;
        let mut code = FOUND;
        for (file, stale) in check.files.iter().zip(&stale) {
            for stale in stale {
                self.say_stale(file, stale, None)?;
                code = NOTHING;
            }
        }
        if request.edition.is_none() && self.format() != Format::Json {
            for (from, to) in compared {
                let text = sanitize_line(&self.ui.cited_between(&from, &to));
                self.notice("compared", &text);
            }
        }
        Ok(code)
    }

    /// Rewrites the citations that can be; the exit code is 1 when some cannot.
    fn cite_upgrade(&mut self, upgrade: &CiteUpgrade) -> Result<u8, Failure> {
        if upgrade.files.iter().any(|file| file == Path::new(STDIN)) {
            let message = "`-` cannot be rewritten";
            return Err(AskError::usage("usage", message, "name a file; `cite check -` reads stdin").into());
        }
        let mut texts = Vec::new();
        for file in &upgrade.files {
            // What would have to be written in another encoding is not written.
            let text = String::from_utf8(read(file)?).map_err(|error| not_text(file, &error.to_string()))?;
            texts.push(text);
        }
        let asker = self.asker()?;
        let request = self.request(&asker, String::new())?;
        let between = Between {
            from: Some(&upgrade.from),
            to: upgrade.to.as_deref(),
        };
        let (all, compared) = asker.repairing(|| checked(&asker, &request, between, &texts))?;
        self.say_notices(&asker);
        self.say_cuts(&asker, &all, &compared)?;
        let mut code = FOUND;
        for ((file, text), stale) in upgrade.files.iter().zip(&texts).zip(&all) {
            let new = rewritten(text, stale);
            if !upgrade.dry_run && new != *text {
                replace(file, &new)?;
            }
            for stale in stale {
                let done = stale.rewrite.is_some();
                self.say_stale(file, stale, Some(done))?;
                if !done {
                    code = NOTHING;
                }
            }
        }
        Ok(code)
    }

    /// Says which of the editions that citations were looked up in are cut, where one is called gone.
    fn say_cuts(
        &mut self,
        asker: &Asker,
        stale: &[Vec<Stale>],
        compared: &[(String, String)],
    ) -> Result<(), Failure> {
        if stale.iter().flatten().any(|stale| stale.why == Why::Gone) {
            for cut in asker.cuts(&[])? {
                let name = format!("{} {} ", cut.game, cut.document);
                let is_compared = |(from, to): &(String, String)| {
                    from.starts_with(&name) && cut.edition.as_ref() == Some(to)
                };
                if compared.iter().any(is_compared) {
                    self.say_cut(&cut);
                }
            }
        }
        Ok(())
    }

    fn say_stale(&mut self, file: &Path, stale: &Stale, rewritten: Option<bool>) -> Result<(), Failure> {
        let file = file.display().to_string();
        match self.format() {
            Format::Json | Format::Csv => self.object(&json::StaleObject::of(&file, stale, rewritten))?,
            Format::Ids => self.out.line(&stale.citation)?,
            Format::Text | Format::Md | Format::Html | Format::EsBulk => {
                let why = self.ui.stale_citation(stale, rewritten);
                let line = sanitize_line(&format!("{file}:{}:{}: {why}", stale.line, stale.column));
                match self.format() {
                    Format::Md => self.out.line(&format!("- {}", markdown::escape(&line)))?,
                    _ => self.out.line(&line)?,
                }
            }
        }
        Ok(())
    }
}

/// The stale citations of each text, and the editions that were compared.
type Checked = (Vec<Vec<Stale>>, Vec<(String, String)>);

fn checked(
    asker: &Asker,
    request: &Request,
    between: Between<'_>,
    texts: &[String],
) -> Result<Checked, AskError> {
    let opened = asker.opened(Need::Lookup)?;
    let entries = opened.loaded.entries();
    let games: Vec<&Game> = match request.games.is_empty() {
        true => loaded_games(entries, &opened.games)?,
        false => request
            .games
            .iter()
            .filter_map(|id| opened.games.get(id))
            .collect(),
    };
    let mut known: Vec<String> = Vec::new();
    for game in games.iter().filter(|_| between.from.or(between.to).is_some()) {
        for document in &game.documents {
            for lang in Lang::ALL {
                let editions = editions(entries, &game.id, &document.id, lang)?;
                known.extend(editions.iter().map(|edition| edition.name().to_owned()));
            }
        }
    }
    known.sort_by(|a, b| compare_editions(a, b));
    known.dedup();
    let known: Vec<(&str, &str)> = known
        .iter()
        .map(|edition| (edition.as_str(), edition.as_str()))
        .collect();
    let full = |typed: Option<&str>| typed.map(|typed| full_edition(typed, &known)).transpose();
    let between = Between {
        from: full(between.from)?,
        to: full(between.to)?,
    };
    let mut checker = Checker::new(entries, games, between);
    let mut stale = Vec::new();
    for text in texts {
        stale.push(checker.check(text)?);
    }
    let mut compared: Vec<(String, String)> = checker
        .compared()
        .into_iter()
        .map(|(game, document, from, to)| (format!("{game} {document} {from}"), to.to_owned()))
        .collect();
    compared.dedup();
    Ok((stale, compared))
}

/// The bytes of a file; `-` is stdin.
fn read(file: &Path) -> Result<Vec<u8>, AskError> {
    let bytes = match file == Path::new(STDIN) {
        true => {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => std::fs::read(file),
    };
    bytes.map_err(|error| {
        AskError::usage(
            "io",
            format!("`{}` cannot be read: {error}", file.display()),
            "check the file's name",
        )
    })
}

fn not_text(file: &Path, error: &str) -> AskError {
    AskError::usage(
        "not-text",
        format!("`{}`: {error}", file.display()),
        "give a text in UTF-8",
    )
}
