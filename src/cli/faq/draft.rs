//! `shiyi faq new`: a document to begin with, a heading and a directive for each thing that was named or found.

use super::super::args::{FaqNew, Format};
use super::super::ask::{AskError, Asker, Reply, Request};
use super::super::files::replace;
use super::super::{FOUND, Failure, NOTHING, Session};
use super::answer::entries;
use crate::entry::{DEFAULT_DOCUMENT, Entry, Kind, Lang};
use crate::faq::{Ask, Directive};
use crate::index::Matched;
use crate::library::Need;
use crate::lookup::{Found, Mode, Via, take_game};
use crate::render::markdown::escape;
use crate::render::sanitize::sanitize_line;
use std::collections::HashSet;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The widest heading made of a text's first words, in columns for each language.
const EXCERPT: usize = 56;

impl Session {
    /// Drafts a document; the exit code is 1 when there is nothing to put into it.
    pub(super) fn faq_new(&mut self, new: &FaqNew) -> Result<u8, Failure> {
        if !matches!(self.format(), Format::Text | Format::Md) {
            let hint = "leave the other form out; `faq build` has several";
            return Err(AskError::usage("format", "a draft is Markdown", hint).into());
        }
        if let Some(output) = new
            .output
            .as_ref()
            .filter(|output| output.symlink_metadata().is_ok())
        {
            let message = format!("`{}` is there already", output.display());
            return Err(AskError::usage("same-file", message, "write to another name with -o").into());
        }
        let asker = self.asker()?;
        let request = self.request(&asker, new.words.join(" "))?;
        let (title, drafted) = self.drafted(&asker, &request)?;
        self.say_notices(&asker);
        if drafted.is_empty() {
            return Ok(NOTHING);
        }
        let mut text = format!("# {}\n", escape(&sanitize_line(&title)));
        for (found, directive) in &drafted {
            let heading = self.draft_heading(&asker, found)?;
            text.push_str(&format!(
                "\n## {}\n\n{directive}\n",
                escape(&sanitize_line(&heading))
            ));
        }
        match &new.output {
            Some(output) => replace(output, &text)?,
            None => self.out.write(&text)?,
        }
        Ok(FOUND)
    }

    /// What the document is called, and what is in it, each with its directive.
    fn drafted(
        &mut self,
        asker: &Asker,
        request: &Request,
    ) -> Result<(String, Vec<(Found, Directive)>), Failure> {
        // The limit is one of hits: of what is named, nothing is left out.
        let whole = Request {
            limit: None,
            ..request.clone()
        };
        let named = asker.show(&whole, Mode::Guess)?;
        let (mut chosen, mut by_name) = (Vec::new(), named.is_none());
        let mut shown: HashSet<String> = HashSet::new();
        if let Some(reply) = &named {
            shown.extend(entries(reply).into_iter().map(|entry| entry.id.to_string()));
            if let Reply::Show(answer) = reply {
                by_name = answer.by_name;
                let is_chosen = |found: &&Found| found.depth == 0 || found.via == Some(Via::Defines);
                chosen.extend(answer.found.iter().filter(is_chosen).cloned());
            }
            self.say_misses(reply, &request.text);
        }
        if by_name {
            let reply = asker.search(request)?;
            let Reply::Search { hits, .. } = &reply else {
                return Ok((String::new(), Vec::new()));
            };
            if named.is_none() {
                self.say_misses(&reply, &request.text);
                if !hits.is_empty() && hits.iter().all(|hit| hit.matched == Matched::Fallback) {
                    self.out.notice(self.ui.fallback());
                }
            }
            // Beside what is called so, a part of the name says nothing.
            let hits = hits
                .iter()
                .filter(|hit| named.is_none() || hit.matched != Matched::Fallback);
            let new = hits.filter(|hit| !shown.contains(hit.entry.id.as_str()));
            chosen.extend(new.map(|hit| Found::new(hit.idx, hit.entry.clone(), 0, None)));
        }
        let games = &asker.opened(Need::Lookup)?.games;
        let words = match request.games.is_empty() {
            true => take_game(&request.text, games).1,
            false => request.text.clone(),
        };
        let title = match chosen.first().filter(|_| by_name && named.is_some()) {
            Some(found) if !found.entry.title.is_empty() => titles(&found.entry),
            _ => words,
        };
        let mut seen = HashSet::new();
        chosen.retain(|found| seen.insert(found.entry.id.clone()));
        let mut drafted = Vec::new();
        for found in chosen {
            let directive = self.directive_for(asker, request, &found.entry)?;
            drafted.push((found, directive));
        }
        Ok((title, drafted))
    }

    /// A directive that quotes an entry: by its number or name, where that leads to it, else by its id.
    fn directive_for(&self, asker: &Asker, request: &Request, entry: &Entry) -> Result<Directive, Failure> {
        let game = entry.game.to_string();
        let (ask, name) = match (entry.kind, &entry.citation) {
            (Kind::Rule | Kind::Section | Kind::Chapter, Some(number)) => (Ask::Rule, number.to_string()),
            (Kind::Term, _) => {
                let name = entry.title.iter().next().map(|(_, title)| title.clone());
                (Ask::Term, name.unwrap_or_default())
            }
            (Kind::Ruling, _) => (Ask::Ruling, String::new()),
            _ => (
                Ask::Statement,
                entry.label.as_deref().unwrap_or_default().to_owned(),
            ),
        };
        let mut options = Vec::new();
        if ask == Ask::Rule && entry.document != DEFAULT_DOCUMENT {
            options.push(("document".to_owned(), entry.document.to_string()));
        }
        options.extend(
            request
                .lang
                .map(|lang| ("lang".to_owned(), lang.as_str().to_owned())),
        );
        options.extend(
            request
                .edition
                .clone()
                .map(|edition| ("edition".to_owned(), edition)),
        );
        // The rules that define a term have directives of their own.
        let only = ask == Ask::Term || request.only && ask == Ask::Rule;
        let by_id = Directive::new(ask, vec![entry.id.to_string()], options.clone(), only);
        if name.is_empty() || name != sanitize_line(&name) {
            return Ok(by_id);
        }
        let by_name = Directive::new(ask, vec![game, name], options, only);
        Ok(match self.quotes(asker, &by_name, entry) {
            true => by_name,
            false => by_id,
        })
    }

    /// What an entry is called in a draft: its number and names in each language, or how it begins.
    fn draft_heading(&self, asker: &Asker, found: &Found) -> Result<String, Failure> {
        let entry = &found.entry;
        let own = titles(entry);
        let Some(number) = &entry.citation else {
            return Ok(match own.is_empty() {
                true => beginning(entry),
                false => own,
            });
        };
        let number = match entry.document == DEFAULT_DOCUMENT {
            true => number.to_string(),
            false => format!("{} {number}", entry.document.to_uppercase()),
        };
        let name = match own.is_empty() {
            true => {
                let above = asker.heading_above(found)?.unwrap_or_default();
                above
                    .split_once(' ')
                    .map_or(String::new(), |(_, name)| name.to_owned())
            }
            false => own,
        };
        Ok(format!("{number} {name}").trim_end().to_owned())
    }
}

/// An entry's names, in each language.
fn titles(entry: &Entry) -> String {
    let titles: Vec<&str> = entry.title.iter().map(|(_, title)| title.as_str()).collect();
    titles.join(" · ")
}

/// How an entry begins, in each language.
fn beginning(entry: &Entry) -> String {
    let texts: Vec<String> = entry
        .text
        .iter()
        .map(|(lang, text)| excerpt(text, lang))
        .collect();
    texts.join(" · ")
}

/// The first sentence of a text, or as much of it as a heading has room for.
fn excerpt(text: &str, lang: Lang) -> String {
    let paragraph = text.trim().lines().next().unwrap_or_default();
    let ends = ["。", "！", "？", ". ", "! ", "? "];
    let end = ends.iter().filter_map(|end| paragraph.find(end)).min();
    let sentence = paragraph[..end.unwrap_or(paragraph.len())].trim_end_matches(['.', ' ']);
    if sentence.width() <= EXCERPT {
        return sentence.to_owned();
    }
    let mut width = 0;
    let room = sentence
        .char_indices()
        .find(|(_, c)| {
            width += c.width().unwrap_or_default();
            width > EXCERPT
        })
        .map_or(sentence.len(), |(at, _)| at);
    let cut = match (lang, sentence[..room].rfind(' ')) {
        (Lang::En, Some(blank)) => blank,
        _ => room,
    };
    format!("{}…", sentence[..cut].trim_end_matches([',', '，', '、', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_how_a_text_begins() {
        assert_eq!(excerpt("One. Two.", Lang::En), "One");
        assert_eq!(excerpt("一。二。\n三", Lang::Zh), "一");
        let long = "A lantern that is lit while the evening falls over the board, stays lit";
        assert_eq!(
            excerpt(long, Lang::En),
            "A lantern that is lit while the evening falls over the…"
        );
        let long = "灯笼".repeat(20);
        assert_eq!(excerpt(&long, Lang::Zh), format!("{}…", "灯笼".repeat(14)));
        assert_eq!(excerpt("", Lang::En), "");
    }
}
