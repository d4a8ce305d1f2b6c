//! Glossaries: terms between blank lines, headword first, definition below; or under headings that give the
//! headword in both languages, as pages have them.

use super::build::Builder;
use super::detect::is_sentence;
use super::examples::list_item;
use super::notes::take_translator_notes;
use super::paragraph::{Paragraph, View};
use super::{Detection, Furniture, Hints, Parsed};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Field, Kind, Lang, PairedBy, Pairing, term_id};
use crate::game::{Document, Game};
use crate::source::SourceFile;
use std::collections::HashMap;

/// Reads the paragraphs of a glossary.
pub(super) fn read(builder: &mut Builder<'_>, paragraphs: &[Paragraph<'_>], lang: Lang) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut current = None;
    let by_blanks = blanks_tell(paragraphs);
    for (idx, paragraph) in paragraphs.iter().enumerate() {
        // Blank lines around the end of a page set nothing apart: what goes on there is a sentence, or follows a
        // headword alone.
        let goes_on = |entry_idx: usize| {
            if !by_blanks {
                return !stands_as_headword(paragraphs, idx);
            }
            let begun = &builder.entries[entry_idx];
            !paragraph.after_blank
                || paragraph.after_page && (begun.text.get(lang).is_none() || is_sentence(paragraph.text()))
        };
        let entry_idx = match current {
            Some(entry_idx) if goes_on(entry_idx) => entry_idx,
            _ => {
                let (headword, _) = take_translator_notes(paragraph.text());
                let line = paragraph.lines.first;
                let id = term_id(&builder.game.id, headword.trim());
                // A translation may have one word for two: whether these are two is known only beside the original.
                if let Some(first) = seen.get(&id).filter(|_| lang == Lang::En) {
                    let message = format!("the term `{}` stands twice in the glossary", headword.trim());
                    builder.diagnostics.push(
                        Diagnostic::at(Code::DuplicateTerm, builder.source, paragraph.span, message)
                            .note(format!("first at {}:{first}:1", builder.source.path()))
                            .hint("its definition is kept with the first one; give one of them another headword"),
                    );
                }
                seen.entry(id.clone()).or_insert(line);
                let entry_idx = builder.add(id, Kind::Term, line);
                builder.put(entry_idx, Field::Title, lang, paragraph.text(), paragraph.lines);
                builder.entries[entry_idx].aliases = other_names(headword.trim());
                current = Some(entry_idx);
                continue;
            }
        };
        builder.put(entry_idx, Field::Text, lang, paragraph.text(), paragraph.lines);
    }
}

/// Of so many paragraphs of a glossary at most one opens a term, and as many do not: fewer after blank lines, or hardly
/// any without one before it, and blank lines say nothing.
const MOST_PARAGRAPHS: usize = 16;

/// True where blank lines set the terms apart: some paragraphs have one before them, and some have none.
fn blanks_tell(paragraphs: &[Paragraph<'_>]) -> bool {
    let n_apart = paragraphs
        .iter()
        .filter(|paragraph| paragraph.after_blank)
        .count();
    let n_others = paragraphs.len() - n_apart;
    paragraphs.len() < MOST_PARAGRAPHS || n_apart.min(n_others) * MOST_PARAGRAPHS > paragraphs.len()
}

/// True for a short line that is no sentence, between the end of one and a definition.
fn stands_as_headword(paragraphs: &[Paragraph<'_>], idx: usize) -> bool {
    const LONGEST: usize = 80;
    let text = paragraphs[idx].text();
    let before = idx.checked_sub(1).map(|before| paragraphs[before].text());
    text.chars().count() <= LONGEST
        // `Start Your Engines!` is a name.
        && (!is_sentence(text) || text.ends_with(['!', '！']))
        && list_item(text).is_none()
        && before.is_none_or(is_sentence)
        && paragraphs
            .get(idx + 1)
            .is_some_and(|next| is_sentence(next.text()))
}

/// The headword of a term in both languages, English first: `Ability / 异能`.
fn headwords<'p>(paragraph: &'p Paragraph<'_>) -> Option<(&'p str, &'p str)> {
    let (a, b) = paragraph.text().split_once(" / ").filter(|_| paragraph.heading)?;
    match (Lang::of(a), Lang::of(b)) {
        (Lang::En, Lang::Zh) => Some((a.trim(), b.trim())),
        (Lang::Zh, Lang::En) => Some((b.trim(), a.trim())),
        // A word that both languages write alike, or one that is half English: the order of the others.
        _ => Some((a.trim(), b.trim())),
    }
}

/// True for a heading that gives a headword in both languages.
pub(super) fn is_headword(paragraph: &Paragraph<'_>) -> bool {
    headwords(paragraph).is_some_and(|(en, zh)| Lang::of(en) != Lang::of(zh))
}

/// True for a page whose first heading says that it is the glossary.
pub(super) fn is_page(paragraphs: &[Paragraph<'_>], document: &Document) -> bool {
    let mut headings = paragraphs.iter().filter(|paragraph| paragraph.heading);
    let first = headings.next();
    first.is_some_and(|first| document.print.glossary.iter().any(|mark| mark == first.text()))
        && headings.next().is_some()
}

/// Reads a glossary whose headings are terms, in both languages or in one.
pub(super) fn read_headed(
    source: &SourceFile,
    game: &Game,
    detection: Detection,
    hints: &Hints,
    view: &View<'_>,
) -> Parsed {
    let mut builder = Builder::new(source, game, detection, hints, view);
    let in_both = view.paragraphs.iter().any(is_headword);
    let mut current = None;
    for (idx, paragraph) in view.paragraphs.iter().enumerate() {
        if !in_both && idx > 0 && paragraph.heading && paragraph.text().chars().nth(1).is_some() {
            let entry_idx = builder.add(
                term_id(&game.id, paragraph.text()),
                Kind::Term,
                paragraph.lines.first,
            );
            let lang = Lang::of(paragraph.text());
            builder.put(entry_idx, Field::Title, lang, paragraph.text(), paragraph.lines);
            builder.entries[entry_idx].aliases = other_names(paragraph.text());
            current = Some(entry_idx);
            continue;
        }
        if let Some((en, zh)) = headwords(paragraph).filter(|_| in_both) {
            let entry_idx = builder.add(term_id(&game.id, en), Kind::Term, paragraph.lines.first);
            builder.put(entry_idx, Field::Title, Lang::En, en, paragraph.lines);
            builder.put(entry_idx, Field::Title, Lang::Zh, zh, paragraph.lines);
            let mut aliases = other_names(en);
            aliases.extend(other_names(zh));
            builder.entries[entry_idx].aliases = aliases;
            builder.entries[entry_idx].pairing = Some(Pairing {
                how: PairedBy::Order,
                certain: true,
                partial: false,
            });
            current = Some(entry_idx);
            continue;
        }
        match current {
            Some(entry_idx) if !paragraph.heading => {
                let lang = Lang::of(paragraph.text());
                builder.put(entry_idx, Field::Text, lang, paragraph.text(), paragraph.lines);
            }
            _ => {
                current = None;
                builder.furniture(paragraph.lines, Furniture::Heading);
            }
        }
    }
    builder.finish()
}

/// The names in a headword that gives several: `You, Your`, `反击/指示物`.
pub(super) fn other_names(headword: &str) -> Vec<String> {
    let names: Vec<&str> = headword
        .split([',', '，', '、', '/', '／'])
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    if names.len() < 2 {
        return Vec::new();
    }
    names.into_iter().map(str::to_owned).collect()
}
