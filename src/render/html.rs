//! Entries as HTML, for documents built as pages: each text a paragraph with its language, below them where they are
//! from.

use super::message::Ui;
use super::sanitize::{sanitize, sanitize_line};
use super::text::{card_name, doubts};
use crate::entry::{Entry, Kind, Lang, ProvenanceClass};
use crate::evaluate::Verdict;
use std::fmt::Write as _;

/// What makes a page pleasant to read, and to print, without anything beside it.
const STYLE: &str = "\
body { max-width: 42em; margin: 2em auto; padding: 0 1em; line-height: 1.6; font-family: system-ui, sans-serif; }
figure.quote { margin: 1em 0; padding: .2em 1em; border-left: .3em solid #888; break-inside: avoid; }
figure.quote blockquote { margin: 0; }
figure.quote figcaption { font-size: .8em; opacity: .75; overflow-wrap: anywhere; }
pre { overflow-x: auto; }
table { border-collapse: collapse; }
td, th { border: 1px solid #888; padding: .2em .6em; }
:root { color-scheme: light dark; }
";

/// Writes a text so that HTML shows it as it is, in an element or in an attribute.
///
/// # Example
///
/// ```
/// use shiyi::render::html::escape;
///
/// assert_eq!(escape("<b> & \"x\""), "&lt;b&gt; &amp; &quot;x&quot;");
/// ```
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in sanitize(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// A whole page: its title, the language that it is mostly in, and what it shows.
pub fn page(title: &str, lang: Lang, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{}\n</body>\n</html>\n",
        lang.as_str(),
        escape(&sanitize_line(title)),
        body.trim_end()
    )
}

/// A quoted entry: its number and names, its texts, and a line that says where they are from.
pub fn entry(entry: &Entry, ui: Ui) -> String {
    let mut out = format!(
        "<figure class=\"quote\">\n<blockquote cite=\"{}\">\n",
        address(&entry.id)
    );
    let mut heading: Vec<String> = Vec::new();
    match (&entry.citation, entry.kind) {
        (Some(number), _) => heading.push(escape(number.as_str())),
        (None, Kind::Term) => {}
        (None, kind) => {
            let date = entry.date.as_deref().unwrap_or_default();
            let kind = format!("{} {date}", ui.kind(kind));
            heading.push(escape(&sanitize_line(kind.trim_end())));
        }
    }
    let titles = entry.title.iter().map(|(lang, title)| span(lang, title));
    heading.extend(joined(titles));
    heading.extend(joined(entry.cards.iter().map(|card| escape(&card_name(card)))));
    let _ = writeln!(out, "<p><strong>{}</strong></p>", heading.join(" "));
    for (lang, text) in entry.text.iter() {
        if entry.title.get(lang) != Some(text) {
            paragraphs(&mut out, lang, &machine_mark(entry, lang, ui), text);
        }
    }
    for (idx, item) in entry.items.iter().enumerate() {
        for (lang, text) in item.iter() {
            paragraphs(&mut out, lang, &format!("{}. ", idx + 1), text);
        }
    }
    for example in &entry.examples {
        for (lang, text) in example.iter() {
            let lead = format!("<em>{}</em> ", Ui::example(lang).trim_end());
            paragraphs(&mut out, lang, &lead, text);
        }
    }
    for note in &entry.notes {
        let tag = note.tag.as_deref().map(|tag| format!("[{}] ", escape(tag)));
        let lead = format!(
            "<em>{}</em> {}",
            Ui::note(note.lang, note.class).trim_end(),
            tag.unwrap_or_default()
        );
        paragraphs(&mut out, note.lang, &lead, &note.text);
    }
    for doubt in doubts(entry, ui) {
        let _ = writeln!(
            out,
            "<p lang=\"{}\"><em>{}</em></p>",
            ui.0.as_str(),
            escape(&doubt)
        );
    }
    let mut origin = vec![format!("<cite>{}</cite>", escape(&sanitize_line(&entry.id)))];
    origin.extend(words(entry, ui));
    let _ = write!(
        out,
        "</blockquote>\n<figcaption>{}</figcaption>\n</figure>\n",
        origin.join(" · ")
    );
    out
}

/// A numeric verdict: the condition, the answer and what it rests on.
pub fn verdict(verdict: &Verdict, ui: Ui) -> String {
    let mut lines = vec![format!(
        "{} <strong>{}</strong>",
        span(Lang::of(&verdict.text), &format!("“{}”", verdict.text.trim())),
        coded(&ui.verdict(verdict))
    )];
    if verdict.value.is_some() {
        lines.extend(
            verdict
                .predicate
                .iter()
                .map(|predicate| coded(&format!("`{predicate}`"))),
        );
    }
    lines.extend(verdict.reason.map(|reason| escape(reason.text().get(ui.0))));
    let candidates = verdict.candidates.iter();
    lines.extend(candidates.map(|candidate| format!("{}{}", ui.reading(), coded(&format!("`{candidate}`")))));
    if !verdict.boundary.is_empty() {
        let row = verdict.boundary.iter();
        lines.extend(joined(
            row.map(|(number, holds)| escape(&format!("{number} {}", ui.yes_no(*holds)))),
        ));
    }
    lines.extend(ui.met_by_all(verdict).map(escape));
    for because in &verdict.because {
        let basis = ui.basis(because);
        let basis = match basis.is_empty() {
            true => String::new(),
            false => format!(" ({basis})"),
        };
        let said = format!("“{}” — {}{basis}", because.words, because.meaning.get(ui.0));
        lines.push(coded(&sanitize_line(&said)));
    }
    quote(&lines, ui)
}

/// A directive that nothing answers.
pub fn missing(written: &str, ui: Ui) -> String {
    let written = escape(&sanitize_line(written.trim()));
    let lines = [format!(
        "<strong>{}</strong> <code>{written}</code>",
        escape(ui.missing())
    )];
    quote(&lines, ui)
}

/// Paragraphs of the program's own words as a quote.
fn quote(lines: &[String], ui: Ui) -> String {
    let mut out = "<figure class=\"quote\">\n<blockquote>\n".to_owned();
    for line in lines {
        let _ = writeln!(out, "<p lang=\"{}\">{line}</p>", ui.0.as_str());
    }
    out.push_str("</blockquote>\n</figure>\n");
    out
}

/// Parts in one, where there are any.
fn joined(parts: impl Iterator<Item = String>) -> Option<String> {
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn span(lang: Lang, text: &str) -> String {
    format!(
        "<span lang=\"{}\">{}</span>",
        lang.as_str(),
        escape(&sanitize_line(text))
    )
}

/// A text of the program's own in which predicates stand between backticks.
fn coded(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let written = parts.iter().enumerate().map(|(idx, part)| match idx % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    });
    written.collect()
}

fn paragraphs(out: &mut String, lang: Lang, lead: &str, text: &str) {
    for (idx, paragraph) in text.split('\n').enumerate() {
        let lead = if idx == 0 { lead } else { "" };
        let _ = writeln!(
            out,
            "<p lang=\"{}\">{lead}{}</p>",
            lang.as_str(),
            escape(paragraph)
        );
    }
}

fn machine_mark(entry: &Entry, lang: Lang, ui: Ui) -> String {
    match entry.provenance.get(lang) {
        Some(provenance) if provenance.class == ProvenanceClass::Machine => {
            format!("<strong>[{}]</strong> ", escape(&ui.provenance(provenance)))
        }
        _ => String::new(),
    }
}

/// Who words an entry, in each language that it has: `en 2026-04-17, official`.
fn words(entry: &Entry, ui: Ui) -> Vec<String> {
    let has_own = |lang: &Lang| entry.text.get(*lang).or(entry.title.get(*lang)).is_some();
    let said = |lang: Lang| {
        let provenance = entry.provenance.get(lang).cloned().unwrap_or_default();
        let edition = entry.edition.get(lang).map(|edition| format!("{edition}, "));
        let edition = edition.unwrap_or_default();
        let words = format!("{} {edition}{}", lang.as_str(), ui.provenance(&provenance));
        escape(&sanitize_line(&words))
    };
    Lang::ALL.into_iter().filter(has_own).map(said).collect()
}

/// An id as the address of what is quoted: what an address cannot hold is written in hexadecimal digits.
fn address(id: &str) -> String {
    let mut address = String::new();
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b':' => address.push(byte.into()),
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Bilingual, Provenance, SourceRef};

    #[test]
    fn an_entry_is_a_figure() {
        let source = SourceRef {
            file: "a".into(),
            line: 1,
            lang: None,
        };
        let mut rule = Entry::new("demo:rule:1.1", "demo", "cr", Kind::Rule, source);
        rule.citation = "1.1".parse().ok();
        rule.title = Bilingual::both("Dawn & <dusk>".into(), "黎明".into());
        rule.text = Bilingual::both("\"One\".\nTwo.".into(), "一。".into());
        rule.examples.push(Bilingual::one(Lang::En, "Three.".into()));
        rule.edition.en = Some("12.7".into());
        rule.provenance.zh = Some(Provenance {
            class: ProvenanceClass::Machine,
            ..Provenance::default()
        });
        assert_eq!(
            entry(&rule, Ui(Lang::En)),
            "<figure class=\"quote\">\n<blockquote cite=\"demo:rule:1.1\">\n\
             <p><strong>1.1 <span lang=\"en\">Dawn &amp; &lt;dusk&gt;</span> · <span lang=\"zh\">黎明</span></strong></p>\n\
             <p lang=\"en\">&quot;One&quot;.</p>\n<p lang=\"en\">Two.</p>\n\
             <p lang=\"zh\"><strong>[machine]</strong> 一。</p>\n<p lang=\"en\"><em>Example:</em> Three.</p>\n\
             </blockquote>\n<figcaption><cite>demo:rule:1.1</cite> · en 12.7, source unknown · zh machine</figcaption>\n\
             </figure>\n"
        );
        assert_eq!(address("fow:term:践"), "fow:term:%E8%B7%B5");
    }
}
