//! Entries as Markdown, for documents: each text a quote, with id, edition and provenance.

use super::message::Ui;
use super::sanitize::{sanitize, sanitize_line};
use super::text::types_of;
use super::text::{card_name, doubts};
use crate::card::Card;
use crate::entry::{Entry, Kind, Lang, Provenance};
use crate::evaluate::calc::Calc;
use crate::evaluate::{Because, Verdict};
use crate::history::{Change, Words};
use crate::name::Name;
use std::fmt::Write as _;

/// Writes a text so that Markdown shows it as it is.
///
/// # Example
///
/// ```
/// use shiyi::render::markdown::escape;
///
/// assert_eq!(escape("[调查] 2*3 <b>"), "\\[调查\\] 2\\*3 \\<b\\>");
/// assert_eq!(escape("1. first"), "1\\. first");
/// ```
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let safe = sanitize(text);
    for (idx, line) in safe.split('\n').enumerate() {
        if idx > 0 {
            out.push('\n');
        }
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        for (at, c) in line.char_indices() {
            let starts_a_block = at == 0 && matches!(c, '#' | '+' | '-' | '=' | ':')
                || (digits > 0
                    && at == digits
                    && matches!(c, '.' | ')')
                    && !line[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
            if starts_a_block
                || matches!(
                    c,
                    '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '{' | '}' | '$'
                )
            {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

/// One entry: a bold heading, its texts as a quote, and a line that says where they are from.
pub fn entry(entry: &Entry, ui: Ui) -> String {
    let mut lines = vec![heading(entry, ui)];
    lines.extend(texts(entry, ui));
    lines.push(origin(entry, ui));
    quote(&lines)
}

/// What happened to a rule: a bold heading, and its text as a quote in which what went is struck out.
pub fn change(change: &Change, ui: Ui) -> String {
    let places: Vec<String> = [&change.from, &change.to]
        .into_iter()
        .flatten()
        .map(|place| escape(&sanitize_line(&format!("{} ({})", place.citation, place.edition))))
        .collect();
    let mut lines = vec![format!("**{}** {}", ui.what(change.what), places.join(" → "))];
    let mut text = String::new();
    for words in &change.words {
        let _ = match words {
            Words::Same(same) => write!(text, "{}", escape(same)),
            Words::Old(old) => write!(text, "<del>{}</del>", escape(&old.replace('\n', " "))),
            Words::New(new) => write!(text, "<ins>{}</ins>", escape(&new.replace('\n', " "))),
        };
    }
    lines.extend(text.split('\n').map(str::to_owned));
    quote(&lines)
}

/// The heading of a card, with its names, its type line, and what it says.
pub fn card(card: &Card, ui: Ui) -> String {
    let names: Vec<String> = card.names().map(|name| escape(&sanitize_line(name))).collect();
    let cost = card
        .cost()
        .map(|cost| format!("  {}", escape(&sanitize_line(cost))));
    let mut out = format!("## {}{}\n", names.join(" · "), cost.unwrap_or_default());
    let mut lines: Vec<String> = Vec::new();
    let types = types_of(card);
    if !types.is_empty() {
        lines.push(format!("*{}*", escape(&sanitize_line(&types))));
    }
    let stats = ui.stats(card);
    if !stats.is_empty() {
        lines.push(escape(&sanitize_line(&stats)));
    }
    for (lang, text) in card.text.iter() {
        let mark = mark_of_machine(card.provenance.get(lang), ui);
        paragraphs(&mut lines, &mark, text);
    }
    if !lines.is_empty() {
        let says: Vec<String> = card
            .text
            .iter()
            .map(|(lang, _)| {
                let provenance = card.provenance.get(lang).cloned().unwrap_or_default();
                escape(&sanitize_line(&format!(
                    "{} {}",
                    lang.as_str(),
                    ui.provenance(&provenance)
                )))
            })
            .collect();
        if !says.is_empty() {
            lines.push(format!("<sub>{}</sub>", says.join(" · ")));
        }
        out.push('\n');
        out.push_str(&quote(&lines));
    }
    out
}

/// What an entry says: a paragraph for each of its texts, with what is doubtful about them.
fn texts(entry: &Entry, ui: Ui) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (lang, text) in entry.text.iter() {
        if entry.title.get(lang) != Some(text) {
            paragraphs(&mut lines, &machine_mark(entry, lang, ui), text);
        }
    }
    for (idx, item) in entry.items.iter().enumerate() {
        for (_, text) in item.iter() {
            paragraphs(&mut lines, &format!("{}\\. ", idx + 1), text);
        }
    }
    for example in &entry.examples {
        for (lang, text) in example.iter() {
            paragraphs(&mut lines, &format!("*{}* ", Ui::example(lang).trim_end()), text);
        }
    }
    for note in &entry.notes {
        let tag = note
            .tag
            .as_deref()
            .map(|tag| format!("{} ", escape(&format!("[{tag}]"))))
            .unwrap_or_default();
        paragraphs(
            &mut lines,
            &format!("*{}* {tag}", Ui::note(note.lang, note.class).trim_end()),
            &note.text,
        );
    }
    lines.extend(
        doubts(entry, ui)
            .iter()
            .map(|doubt| format!("*{}*", escape(doubt))),
    );
    lines
}

/// A selection of entries as one document to read: a heading for each document, chapter, section and named rule, and for
/// the cards of rulings; under it the rules by number. Who words them stands where that changes, ids where there is no
/// number.
#[derive(Debug, Default)]
pub struct Digest {
    place: Option<(Name, Name)>,
    words: String,
    cards: String,
}

impl Digest {
    /// What the next entry, in reading order, adds to the document. `name` is what its game and document are called.
    pub fn entry(&mut self, entry: &Entry, name: &str, ui: Ui) -> String {
        let mut lines = Vec::new();
        let place = (entry.game.clone(), entry.document.clone());
        if self.place.as_ref() != Some(&place) {
            lines.push(format!("# {}", escape(&sanitize_line(name))));
            *self = Digest {
                place: Some(place),
                ..Digest::default()
            };
        }
        let titles = titles(entry);
        let words = words(entry, ui).join(" · ");
        let said = format!("<sub>{words}</sub>");
        let mut texts = texts(entry, ui).into_iter();
        match (&entry.citation, entry.kind) {
            (Some(number), kind) if !titles.is_empty() => {
                let level = match kind {
                    Kind::Chapter => "##",
                    Kind::Section => "###",
                    _ => "####",
                };
                lines.push(format!("{level} {} {titles}", escape(number.as_str())));
            }
            (Some(number), _) => {
                let first = texts.next().unwrap_or_default();
                lines.push(format!("**{}** {first}", escape(number.as_str())));
            }
            (None, Kind::Term) => lines.push(format!("**{titles}**")),
            (None, kind) => {
                let cards: Vec<String> = entry.cards.iter().map(|card| escape(&card_name(card))).collect();
                let cards = cards.join(" · ");
                if cards != self.cards && !cards.is_empty() {
                    lines.push(format!("### {cards}"));
                }
                self.cards = cards;
                let date = entry.date.as_deref().unwrap_or_default();
                let name = match titles.is_empty() {
                    true => String::new(),
                    false => format!("**{titles}** "),
                };
                let what = format!("{} {}", ui.kind(kind), escape(&sanitize_line(date)));
                lines.push(format!(
                    "{name}*{}* <sub>`{}` · {words}</sub>",
                    what.trim_end(),
                    code(&entry.id)
                ));
            }
        }
        lines.extend(texts);
        if entry.citation.is_some() || entry.kind == Kind::Term {
            if self.words != words {
                lines.push(said);
            }
            self.words = words;
        }
        let mut out = String::new();
        for line in lines {
            let _ = writeln!(out, "{line}\n");
        }
        out
    }
}

/// Paragraphs as one block quote.
fn quote(lines: &[String]) -> String {
    let mut out = String::new();
    for (idx, line) in lines.iter().enumerate() {
        if idx > 0 {
            out.push_str(">\n");
        }
        for part in line.split('\n') {
            let _ = writeln!(out, "> {part}");
        }
    }
    out
}

/// A numeric verdict as a quote: the condition, the answer, what it rests on, and the open readings where there is
/// none.
pub fn verdict(verdict: &Verdict, ui: Ui) -> String {
    let asked = escape(&sanitize_line(&format!("“{}”", verdict.text.trim())));
    let mut lines = vec![format!(
        "{asked} **{}**",
        escape_around_code(&ui.verdict(verdict))
    )];
    if verdict.value.is_some() {
        lines.extend(verdict.predicate.iter().map(|predicate| format!("`{predicate}`")));
    }
    lines.extend(verdict.reason.map(|reason| escape(reason.text().get(ui.0))));
    lines.extend(
        verdict
            .candidates
            .iter()
            .map(|candidate| format!("{}`{candidate}`", ui.reading())),
    );
    if !verdict.boundary.is_empty() {
        let row = verdict
            .boundary
            .iter()
            .map(|(number, holds)| format!("{number} {}", ui.yes_no(*holds)));
        lines.push(escape(&row.collect::<Vec<_>>().join(" · ")));
    }
    lines.extend(ui.met_by_all(verdict).map(escape));
    lines.extend(verdict.because.iter().map(|because| because_line(because, ui)));
    quote(&lines)
}

/// Escapes what stands outside `` `code` ``: the program's own remarks hold predicates that way.
fn escape_around_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let whole = parts.len() % 2 == 1;
    let written = parts.iter().enumerate().map(|(idx, part)| match idx % 2 {
        1 if whole => format!("`{part}`"),
        _ => escape(part),
    });
    written.collect::<Vec<_>>().join(if whole { "" } else { "\\`" })
}

/// The answer to another numeric question, as a quote.
pub fn calc(calc: &Calc, ui: Ui) -> String {
    let mut lines = Vec::new();
    match &calc.result {
        Some(result) => lines.extend(result.iter().map(|(key, value)| {
            format!(
                "**{}** {}",
                escape(&sanitize_line(key)),
                escape(&sanitize_line(&value.to_string()))
            )
        })),
        None => lines.push(format!("**{}**", escape(ui.undecided()))),
    }
    lines.extend(
        calc.reason
            .iter()
            .map(|reason| escape(&sanitize_line(reason.get(ui.0)))),
    );
    lines.extend(calc.because.iter().map(|because| because_line(because, ui)));
    quote(&lines)
}

fn because_line(because: &Because, ui: Ui) -> String {
    let basis = ui.basis(because);
    let basis = if basis.is_empty() {
        String::new()
    } else {
        format!(" ({basis})")
    };
    let words = escape(&sanitize_line(&format!("“{}” — ", because.words)));
    let meaning = escape_around_code(&sanitize_line(because.meaning.get(ui.0)));
    format!("{words}{meaning}{}", escape(&sanitize_line(&basis)))
}

fn paragraphs(lines: &mut Vec<String>, lead: &str, text: &str) {
    for (idx, paragraph) in text.split('\n').enumerate() {
        lines.push(format!(
            "{}{}",
            if idx == 0 { lead } else { "" },
            escape(paragraph)
        ));
    }
}

/// An entry's names, in each language.
fn titles(entry: &Entry) -> String {
    let titles = entry.title.iter();
    let titles: Vec<String> = titles.map(|(_, title)| escape(&sanitize_line(title))).collect();
    titles.join(" · ")
}

fn heading(entry: &Entry, ui: Ui) -> String {
    let titles = titles(entry);
    let name = match (&entry.citation, entry.kind) {
        (Some(number), _) => number.to_string(),
        (None, Kind::Term) => String::new(),
        (None, kind) => {
            let date = entry
                .date
                .as_deref()
                .map(|date| format!(" {date}"))
                .unwrap_or_default();
            format!("{}{}", ui.kind(kind), escape(&date))
        }
    };
    let cards: Vec<String> = entry.cards.iter().map(|card| escape(&card_name(card))).collect();
    let parts: Vec<String> = [name, titles, cards.join(" · ")]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    format!("**{}**", parts.join(" "))
}

fn machine_mark(entry: &Entry, lang: Lang, ui: Ui) -> String {
    mark_of_machine(entry.provenance.get(lang), ui)
}

fn mark_of_machine(provenance: Option<&Provenance>, ui: Ui) -> String {
    match provenance {
        Some(provenance) if provenance.class == crate::entry::ProvenanceClass::Machine => {
            format!("**{}** ", escape(&format!("[{}]", ui.provenance(provenance))))
        }
        _ => String::new(),
    }
}

/// `` `mtg:rule:702.19b` · en 2026-04-17, official · zh 2026-04-17, community ``
fn origin(entry: &Entry, ui: Ui) -> String {
    let mut parts = vec![format!("`{}`", code(&entry.id))];
    parts.extend(words(entry, ui));
    format!("<sub>{}</sub>", parts.join(" · "))
}

/// A text that stands between backticks.
fn code(text: &str) -> String {
    sanitize_line(text).replace('`', "'")
}

/// Who words an entry, in each language that it has: `en 2026-04-17, official`.
fn words(entry: &Entry, ui: Ui) -> Vec<String> {
    let mut parts = Vec::new();
    for lang in Lang::ALL {
        if entry.text.get(lang).or(entry.title.get(lang)).is_some() {
            let provenance = entry.provenance.get(lang).cloned().unwrap_or_default();
            let edition = entry
                .edition
                .get(lang)
                .map(|edition| format!("{edition}, "))
                .unwrap_or_default();
            parts.push(escape(&sanitize_line(&format!(
                "{} {edition}{}",
                lang.as_str(),
                ui.provenance(&provenance)
            ))));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Bilingual, SourceRef};

    #[test]
    fn an_entry_is_a_quote() {
        let source = SourceRef {
            file: "a".into(),
            line: 1,
            lang: None,
        };
        let mut rule = Entry::new("demo:rule:702.9", "demo", "cr", Kind::Rule, source);
        rule.citation = "702.9".parse().ok();
        rule.text = Bilingual::both("One [X].\nTwo.".into(), "一。".into());
        rule.examples.push(Bilingual::one(Lang::En, "Three.".into()));
        rule.edition.en = Some("12.7".into());
        assert_eq!(
            entry(&rule, Ui(Lang::En)),
            "> **702.9**\n>\n> One \\[X\\].\n>\n> Two.\n>\n> 一。\n>\n> *Example:* Three.\n>\n\
             > <sub>`demo:rule:702.9` · en 12.7, source unknown · zh source unknown</sub>\n"
        );
    }
}
