//! `shiyi history` and `shiyi diff`.

use super::args::{Diff, Format};
use super::ask::{AskError, Asker, Reply, Request, asks_something, by_edition, full_edition, named_game};
use super::{FOUND, Failure, NOTHING, Session};
use crate::citation::RuleNumber;
use crate::corpus::Key;
use crate::entry::{DEFAULT_DOCUMENT, Lang, rule_id};
use crate::game::Game;
use crate::history::{Change, Edition, History, What, diff, editions, history};
use crate::library::Need;
use crate::lookup::citation::{Citation, read_citations_of};
use crate::lookup::{Answer, Miss, Mode, Reason, loaded_games};
use crate::render::sanitize::sanitize_line;
use crate::render::{json, markdown};

/// Which of the changes to show.
struct Page {
    left_out: usize,
    room: usize,
}

impl Page {
    /// The page that a request is for; it is taken out of it.
    fn of(request: &mut Request) -> Page {
        Page {
            left_out: std::mem::take(&mut request.offset),
            room: request.limit.take().unwrap_or(usize::MAX),
        }
    }

    /// Those of the next changes that are on it.
    fn take<'c>(&mut self, changes: &'c [Change]) -> &'c [Change] {
        let (before, changes) = changes.split_at(self.left_out.min(changes.len()));
        let shown = &changes[..self.room.min(changes.len())];
        self.left_out -= before.len();
        self.room -= shown.len();
        shown
    }
}

/// The number of the first rule below a mere heading.
fn first_below(asker: &Asker, id: &str) -> Result<Option<String>, AskError> {
    let opened = asker.opened(Need::Lookup)?;
    let entries = opened.loaded.entries();
    let Some(&idx) = entries.find(&Key::Id(id).encode())?.first() else {
        return Ok(None);
    };
    let entry = entries.entry(idx)?;
    // A rule that is nothing but its title has it for its text, too.
    let is_heading = entry
        .text
        .iter()
        .all(|(lang, text)| entry.title.get(lang) == Some(text));
    let Some(child) = entry.children.first().filter(|_| is_heading) else {
        return Ok(None);
    };
    let Some(&idx) = entries.find(&Key::Id(child).encode())?.first() else {
        return Ok(None);
    };
    Ok(entries.heading(idx)?.citation.map(|number| number.to_string()))
}

/// Two editions of a document, compared.
struct Compared {
    game: String,
    document: String,
    old: String,
    new: String,
    changes: Vec<Change>,
}

impl Session {
    /// One rule through the editions, newest change first.
    pub(super) fn history(&mut self, words: &[String]) -> Result<u8, Failure> {
        let asker = self.asker()?;
        let mut request = self.request(&asker, words.join(" "))?;
        asks_something(&request.text)?;
        // Of the changes, not of the rules that the words name.
        let mut page = Page::of(&mut request);
        let mut found = Vec::new();
        for (text, edition) in by_edition(&request.text) {
            let asked = Request {
                text,
                edition: edition.or_else(|| request.edition.clone()),
                ..request.clone()
            };
            let asked = asker.of_full_edition(&asked)?.unwrap_or(asked);
            found.extend(asker.repairing(|| self.followed(&asker, &asked))?);
        }
        if found.is_empty() {
            let shown = asker.show(&request, Mode::Show)?;
            let misses = without_history(shown, &request.text);
            let reply = Reply::Show(Answer {
                misses,
                ..Answer::default()
            });
            return self.reply(&asker, &reply, &request.text);
        }
        self.say_notices(&asker);
        let is_gone = |(_, followed): &(String, History)| {
            followed
                .changes
                .iter()
                .any(|change| matches!(change.what, What::Gone | What::Replaced))
        };
        if found.iter().any(is_gone) {
            let games: Vec<&str> = found.iter().filter_map(|(id, _)| id.split(':').next()).collect();
            for cut in asker.cuts(&games)? {
                self.say_cut(&cut);
            }
        }
        let several = found.len() > 1;
        for (at, (id, followed)) in found.into_iter().enumerate() {
            if several && self.format() == Format::Text {
                if at > 0 {
                    self.out.line("")?;
                }
                let text = self.layout().remark(&sanitize_line(&id), 0);
                self.out.write(&text)?;
            }
            self.say_changes(page.take(&followed.changes))?;
            if self.format() == Format::Text {
                let since = self.ui.since(&followed.since.citation, &followed.since.edition);
                let text = self.layout().remark(&sanitize_line(&since), 0);
                self.out.write(&text)?;
                if let Some(below) = first_below(&asker, &id)? {
                    let hint = self.ui.heading_only(&sanitize_line(&below));
                    let text = self.layout().remark(&hint, 0);
                    self.out.write(&text)?;
                }
            }
        }
        Ok(FOUND)
    }

    /// The rules that a request names, by number or by name, each by its id and followed through the editions.
    fn followed(&self, asker: &Asker, request: &Request) -> Result<Vec<(String, History)>, AskError> {
        let opened = asker.opened(Need::Lookup)?;
        let entries = opened.loaded.entries();
        let cut = opened.loaded.cutter()?;
        let (game, text) = named_game(request, &opened.games);
        let candidates: Vec<&Game> = match game {
            Some(game) => vec![game],
            None if request.games.is_empty() => loaded_games(entries, &opened.games)?,
            None => request
                .games
                .iter()
                .filter_map(|id| opened.games.get(id))
                .collect(),
        };
        let mut named: Vec<(String, String, String)> = Vec::new();
        for game in candidates {
            let reading = read_citations_of(&text, game, request.document.as_deref());
            for citation in reading.citations {
                let document = document_of(&citation, request);
                let id = rule_id(&game.id, &document, &citation.first);
                named.push((game.id.clone(), document, id));
            }
        }
        if named.is_empty()
            && let Some(Reply::Show(answer)) = asker.show(request, Mode::Show)?
        {
            let rules = answer.found.into_iter().map(|found| found.entry);
            let rules = rules.filter(|entry| entry.kind.is_numbered() && entry.citation.is_some());
            named.extend(
                rules
                    .take(1)
                    .map(|entry| (entry.game.into(), entry.document.into(), entry.id.into())),
            );
        }
        let mut found: Vec<(String, History)> = Vec::new();
        for (game, document, id) in named {
            for lang in self.languages() {
                if let Some(followed) = history(
                    entries,
                    &game,
                    &document,
                    &id,
                    request.edition.as_deref(),
                    lang,
                    &cut,
                )? {
                    found.push((id, followed));
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Two editions compared: a summary first, then each change. The exit code is 1 when there are differences.
    pub(super) fn diff(&mut self, wanted: &Diff) -> Result<u8, Failure> {
        let asker = self.asker()?;
        let mut request = self.request(&asker, String::new())?;
        let mut page = Page::of(&mut request);
        let Compared {
            game,
            document,
            old,
            new,
            changes,
        } = asker.repairing(|| self.compared(&asker, &request, wanted))?;
        self.say_notices(&asker);
        for cut in asker.cuts(&[&game])? {
            let compared = cut.edition.as_ref().is_some_and(|cut| *cut == old || *cut == new);
            if cut.document == document && compared {
                self.say_cut(&cut);
            }
        }
        if matches!(self.format(), Format::Text | Format::Md) {
            let count = |what| (what, changes.iter().filter(|change| change.what == what).count());
            let counts: Vec<(What, usize)> = What::ALL
                .into_iter()
                .map(count)
                .filter(|(_, count)| *count > 0)
                .collect();
            let mut line = sanitize_line(&self.ui.changes(&old, &new, &counts));
            if self.format() == Format::Md {
                line = markdown::escape(&line);
            }
            self.out.line(&line)?;
            self.out.line("")?;
        }
        self.say_changes(page.take(&changes))?;
        Ok(if changes.is_empty() { FOUND } else { NOTHING })
    }

    /// What changed between two editions of the first document, in order of game, that has both in one language.
    fn compared(&self, asker: &Asker, request: &Request, wanted: &Diff) -> Result<Compared, AskError> {
        let opened = asker.opened(Need::Lookup)?;
        let entries = opened.loaded.entries();
        let document = request.document.as_deref().unwrap_or(DEFAULT_DOCUMENT);
        let candidates: Vec<&Game> = match request.games.is_empty() {
            true => loaded_games(entries, &opened.games)?,
            false => request
                .games
                .iter()
                .filter_map(|id| opened.games.get(id))
                .collect(),
        };
        let mut known = Vec::new();
        let mut unsure = None;
        for game in candidates {
            for lang in self.languages() {
                let editions = editions(entries, &game.id, document, lang)?;
                let names: Vec<(String, &str)> = editions
                    .iter()
                    .map(|edition| {
                        (
                            format!("{} {document} {}", game.id, edition.name()),
                            edition.name(),
                        )
                    })
                    .collect();
                let names: Vec<(&str, &str)> = names
                    .iter()
                    .map(|(shown, name)| (shown.as_str(), *name))
                    .collect();
                let typed = [wanted.old.as_str(), wanted.new.as_str()];
                let [old, new] = typed.map(|typed| full_edition(typed, &names));
                let is_exact = [&old, &new]
                    .iter()
                    .zip(typed)
                    .all(|(name, typed)| name.as_ref().is_ok_and(|name| name.eq_ignore_ascii_case(typed)));
                let is_there = |name: &Result<&str, AskError>| match name {
                    Ok(_) => true,
                    Err(error) => error.code() == "several-editions",
                };
                if unsure.is_none() && is_there(&old) && is_there(&new) {
                    unsure = old.as_ref().err().or(new.as_ref().err()).map(|error| {
                        let hint = error.hint().unwrap_or_default();
                        AskError::usage("several-editions", error.to_string(), hint)
                    });
                }
                let position = |name: &str| editions.iter().position(|edition| edition.name() == name);
                let found = old.ok().and_then(position).zip(new.ok().and_then(position));
                if let Some((old, new)) = found.filter(|_| unsure.is_none() || is_exact) {
                    let mut span: Vec<&Edition> = editions[old.min(new)..=old.max(new)].iter().collect();
                    if old > new {
                        span.reverse();
                    }
                    let changes = diff(&span, &opened.loaded.cutter()?);
                    return Ok(Compared {
                        changes: within(changes, request, game, document)?,
                        game: game.id.clone(),
                        document: document.to_owned(),
                        old: editions[old].name().to_owned(),
                        new: editions[new].name().to_owned(),
                    });
                }
                if unsure.is_some() {
                    // What one language leaves open, the other does not settle.
                    break;
                }
                known.extend(
                    editions.iter().map(|edition| {
                        format!("{} {document} {} ({})", game.id, edition.name(), lang.as_str())
                    }),
                );
            }
        }
        if let Some(error) = unsure {
            return Err(error);
        }
        let hint = if known.is_empty() {
            "no editions are loaded".to_owned()
        } else {
            format!("loaded: {}", known.join(", "))
        };
        let message = format!(
            "no document has both the editions `{}` and `{}`",
            wanted.old, wanted.new
        );
        Err(AskError::usage("no-such-edition", message, hint))
    }

    fn say_changes(&mut self, changes: &[Change]) -> Result<(), Failure> {
        let layout = self.layout();
        for change in changes {
            match self.format() {
                Format::Json | Format::Csv => self.object(&json::ChangeObject::of(change))?,
                Format::Ids => self.out.line(change.citation())?,
                Format::Md => {
                    let text = markdown::change(change, self.ui);
                    self.out.line(&text)?;
                }
                Format::Text | Format::Html | Format::EsBulk => self.out.write(&layout.change(change))?,
            }
        }
        Ok(())
    }

    /// The languages to look in: the one asked for, else English and then Chinese.
    fn languages(&self) -> Vec<Lang> {
        match self.options.selection.lang.and_then(super::LangChoice::one) {
            Some(lang) => vec![lang],
            None => Lang::ALL.to_vec(),
        }
    }
}

/// Why there is no history of what a lookup gives: it is not there, or only in a text that names no edition.
fn without_history(shown: Option<Reply>, asked: &str) -> Vec<Miss> {
    let miss = Miss::no_such_name(asked.to_owned(), None);
    let Some(Reply::Show(answer)) = shown else {
        return vec![miss];
    };
    if !answer.misses.is_empty() {
        let misses = answer.misses.into_iter();
        return misses.map(|miss| Miss { after: 0, ..miss }).collect();
    }
    let Some(found) = answer.found.first() else {
        return vec![miss];
    };
    let entry = &found.entry;
    let input = match &entry.citation {
        Some(number) if entry.document == DEFAULT_DOCUMENT => number.to_string(),
        Some(number) => format!("{} {number}", entry.document.to_uppercase()),
        None => asked.to_owned(),
    };
    let editions = entry.own_editions().map(|edition| edition.to_string()).collect();
    vec![Miss {
        input,
        game: Some(entry.game.to_string()),
        reason: Reason::OtherEdition(editions),
        ..miss
    }]
}

/// The document that a citation is of: the one asked for, unless the citation names another.
fn document_of(citation: &Citation, request: &Request) -> String {
    match &request.document {
        Some(document) if citation.document == DEFAULT_DOCUMENT => document.clone(),
        _ => citation.document.clone(),
    }
}

/// Those of the changes that a request with `--in` is about.
fn within(
    mut changes: Vec<Change>,
    request: &Request,
    game: &Game,
    document: &str,
) -> Result<Vec<Change>, AskError> {
    if let Some(text) = &request.within {
        let places = read_citations_of(text, game, Some(document)).citations;
        if places.is_empty() {
            return Err(AskError::usage(
                "bad-citation",
                format!("`{text}` names no chapter, section or range"),
                "write a number such as 702 or 613-616",
            ));
        }
        changes.retain(|change| is_within(change, &places, game, document));
    }
    Ok(changes)
}

/// True for a change of a rule that stands, or stood, in one of the places.
fn is_within(change: &Change, places: &[Citation], game: &Game, document: &str) -> bool {
    let numbering = game.numbering(Some(document));
    let numbers = [&change.from, &change.to].into_iter().flatten();
    let mut numbers = numbers.filter_map(|place| place.citation.parse::<RuleNumber>().ok());
    numbers.any(|number| {
        places.iter().any(|place| match &place.last {
            Some(last) => (number >= place.first && number <= *last) || last.contains(&number),
            None => {
                let chapter = numbering.and_then(|numbering| numbering.chapter_of(&number));
                place.first.contains(&number) || chapter.as_ref() == Some(&place.first)
            }
        })
    })
}
