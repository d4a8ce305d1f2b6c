//! Unnumbered statements, with their examples and ordered lists.
//!
//! ```text
//! file      := ( heading | statement )*
//! statement := paragraph ( example | item )*
//! example   := '如：' … | 'Example:' …
//! item      := '1.' …
//! heading   := a short line that is no sentence
//! ```
//!
//! A heading is the title of all statements that follow it, up to the next heading. Lines under bullets that go on with a
//! statement (`A player wins when:`) belong to its text, bullets and all. In a text of both languages, equally many statements of one and then of the other translate each other.

use super::build::Builder;
use super::examples::{example, is_bulleted, list_item};
use super::notes::take_aside;
use super::paragraph::{Paragraph, View};
use super::translation::is_partial;
use super::{Detection, Furniture, Hints, Parsed, detect};
use crate::entry::{Field, Kind, Lang, Note, PairedBy, Pairing, text_id};
use crate::game::Game;
use crate::source::SourceFile;

/// A statement being collected: its paragraphs, each with the field it goes to.
struct Draft<'a> {
    lang: Lang,
    heading: Option<usize>,
    parts: Vec<(Field, &'a str, &'a Paragraph<'a>)>,
}

impl Draft<'_> {
    fn text(&self) -> String {
        let texts: Vec<&str> = self
            .parts
            .iter()
            .filter(|(field, ..)| *field == Field::Text)
            .map(|(_, text, _)| *text)
            .collect();
        texts.join("\n")
    }

    /// True when a line is one of a list that the statement announces or has begun.
    fn lists(&self, line: &str) -> bool {
        let goes_on = |(field, text, _): &(Field, &str, &Paragraph<'_>)| {
            let text = text.trim_end();
            *field == Field::Text
                && (text.ends_with([':', '：'])
                    || is_bulleted(text) && (self.is_list() || !detect::is_sentence(text)))
        };
        is_bulleted(line) && self.parts.last().is_some_and(goes_on)
    }

    /// True when what it says is followed by a list.
    fn is_list(&self) -> bool {
        self.parts.first().is_some_and(|(_, text, _)| !is_bulleted(text))
    }

    fn shape(&self) -> impl Iterator<Item = Field> {
        self.parts
            .iter()
            .map(|(field, ..)| *field)
            .filter(|field| *field != Field::Text)
    }
}

/// Reads statements.
pub(super) fn read(
    source: &SourceFile,
    game: &Game,
    detection: Detection,
    hints: &Hints,
    view: &View<'_>,
) -> Parsed {
    let langs = detection
        .langs
        .as_ref()
        .map_or_else(Vec::new, |langs| langs.value.clone());
    let only = match langs.as_slice() {
        [lang] => Some(*lang),
        _ => None,
    };
    let mut builder = Builder::new(source, game, detection, hints, view);
    let paragraphs = &view.paragraphs;
    let drafts = collect(&mut builder, paragraphs, only);
    let mut heading_used = vec![false; paragraphs.len()];
    for (draft, translation) in paired(&drafts) {
        let (id, line) = (
            text_id(&game.id, Kind::Statement, None, &draft.text()),
            draft
                .parts
                .first()
                .map_or(1, |(.., paragraph)| paragraph.lines.first),
        );
        let entry_idx = builder.add(id, Kind::Statement, line);
        for draft in [Some(draft), translation].into_iter().flatten() {
            if let Some(heading) = draft.heading {
                let text = &paragraphs[heading];
                if heading_used[heading] {
                    *builder.entries[entry_idx].title.get_mut(draft.lang) =
                        Some(title(text.text()).to_owned());
                } else {
                    heading_used[heading] = true;
                    builder.put(
                        entry_idx,
                        Field::Title,
                        draft.lang,
                        title(text.text()),
                        text.lines,
                    );
                }
            }
        }
        write(&mut builder, entry_idx, draft, translation);
    }
    for (heading, _) in heading_used.iter().enumerate().filter(|(_, used)| !**used) {
        if drafts_skip(&drafts, heading) && is_heading(paragraphs, heading) {
            builder.furniture(paragraphs[heading].lines, Furniture::Heading);
        }
    }
    builder.finish()
}

/// True when no statement stands under that heading.
fn drafts_skip(drafts: &[Draft<'_>], heading: usize) -> bool {
    drafts.iter().all(|draft| draft.heading != Some(heading))
}

/// The text of a heading without its marks.
fn title(text: &str) -> &str {
    text.trim_start_matches('#').trim()
}

fn collect<'a>(
    builder: &mut Builder<'_>,
    paragraphs: &'a [Paragraph<'a>],
    only: Option<Lang>,
) -> Vec<Draft<'a>> {
    // Where blank lines part the paragraphs, a line without one before it goes on with its statement.
    let apart = paragraphs
        .iter()
        .filter(|paragraph| paragraph.after_blank)
        .count()
        * 2
        > paragraphs.len();
    let mut drafts: Vec<Draft<'a>> = Vec::new();
    let mut heading = None;
    let mut open = false;
    // After the word for examples on a line of its own: what follows, up to a blank line, are examples.
    let mut listing = false;
    for (idx, paragraph) in paragraphs.iter().enumerate() {
        let text = paragraph.text();
        let lang = only.unwrap_or_else(|| Lang::of(text));
        listing &= !paragraph.after_blank;
        if listing && let Some(draft) = drafts.last_mut() {
            draft.parts.push((Field::Example, text, paragraph));
            continue;
        }
        if open && example(text) == Some("") {
            listing = true;
            builder.furniture(paragraph.lines, Furniture::Heading);
            continue;
        }
        let part = drafts.last_mut().filter(|_| open).and_then(|draft| {
            if let Some(example) = example(text) {
                return Some((draft, Field::Example, example));
            }
            let items = draft
                .parts
                .iter()
                .filter(|(field, ..)| *field == Field::Item)
                .count();
            match list_item(text) {
                Some((number, item)) if number as usize == items + 1 => Some((draft, Field::Item, item)),
                _ if draft.lang == lang && (apart && !paragraph.after_blank || draft.lists(text)) => {
                    Some((draft, Field::Text, text))
                }
                _ => None,
            }
        });
        if let Some((draft, field, text)) = part {
            draft.parts.push((field, text, paragraph));
        } else if is_heading(paragraphs, idx) {
            heading = Some(idx);
            open = false;
        } else if super::detect::names_document(text, builder.game) && !detect::is_sentence(text) {
            builder.furniture(paragraph.lines, Furniture::Title);
        } else {
            drafts.push(Draft {
                lang,
                heading,
                parts: vec![(Field::Text, text, paragraph)],
            });
            open = true;
        }
    }
    drafts
}

/// True for a short line that is no sentence and has something else than an example or a list below it.
fn is_heading(paragraphs: &[Paragraph<'_>], idx: usize) -> bool {
    const LONGEST_ZH: usize = 24;
    const LONGEST_EN: usize = 60;
    let text = paragraphs[idx].text();
    if paragraphs[idx].heading && !detect::is_sentence(text) {
        return true;
    }
    let longest = match Lang::of(text) {
        Lang::En => LONGEST_EN,
        Lang::Zh => LONGEST_ZH,
    };
    let stands_above_text = paragraphs
        .get(idx + 1)
        .is_some_and(|next| example(next.text()).is_none() && list_item(next.text()).is_none());
    stands_above_text
        && paragraphs[idx].after_blank
        && text.chars().count() <= longest
        && !detect::is_sentence(text)
        && example(text).is_none()
        && list_item(text).is_none()
        && !is_bulleted(text)
}

/// Each statement with its translation, in the order of the text.
fn paired<'d, 'a>(drafts: &'d [Draft<'a>]) -> Vec<(&'d Draft<'a>, Option<&'d Draft<'a>>)> {
    let runs: Vec<&[Draft<'a>]> = drafts.chunk_by(|a, b| a.lang == b.lang).collect();
    let mut pairs = Vec::new();
    let mut at = 0;
    while at < runs.len() {
        let translations = runs.get(at + 1).filter(|next| next.len() == runs[at].len());
        pairs.extend(
            runs[at]
                .iter()
                .enumerate()
                .map(|(idx, draft)| (draft, translations.map(|translations| &translations[idx]))),
        );
        at += 1 + usize::from(translations.is_some());
    }
    pairs
}

/// Puts a statement and its translation into one entry; examples and items match by their order.
fn write(builder: &mut Builder<'_>, entry_idx: usize, draft: &Draft<'_>, translation: Option<&Draft<'_>>) {
    let mut asides: Vec<Note> = Vec::new();
    let mut aside_lines = Vec::new();
    for (draft, partner) in [(Some(draft), translation), (translation, Some(draft))] {
        let Some(draft) = draft else { continue };
        let last_text = draft.parts.iter().rposition(|(field, ..)| *field == Field::Text);
        for (idx, (field, text, paragraph)) in draft.parts.iter().enumerate() {
            let aside = partner
                .filter(|_| Some(idx) == last_text)
                .and_then(|partner| take_aside(text, &partner.text()));
            match aside {
                Some((rest, note)) => {
                    builder.put(entry_idx, *field, draft.lang, &rest, paragraph.lines);
                    asides.push(note);
                    aside_lines.push(paragraph.lines);
                }
                None => builder.put(entry_idx, *field, draft.lang, text, paragraph.lines),
            }
        }
    }
    for (note, lines) in asides.into_iter().zip(aside_lines) {
        builder.note(entry_idx, note, lines);
    }
    let Some(translation) = translation else { return };
    let same_shape = draft.shape().eq(translation.shape());
    let entry = &mut builder.entries[entry_idx];
    if same_shape {
        super::build::join_languages(&mut entry.examples);
        super::build::join_languages(&mut entry.items);
    }
    if let (Some(en), Some(zh)) = (&entry.text.en, &entry.text.zh) {
        entry.pairing = Some(Pairing {
            how: PairedBy::Order,
            certain: same_shape,
            partial: is_partial(en, zh),
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{Game, Games};
    use crate::parse::{Hints, parse};
    use crate::source::SourceFile;

    #[test]
    fn a_list_belongs_to_what_announces_it() {
        let game = "id = \"demo\"\nnames = { en = \"Demo\" }\n\
                    [[document]]\nid = \"cr\"\nsignatures = [\"Demo Game\"]\n";
        let games = Games::new([Game::from_toml(game).unwrap()]);
        let text = "Demo Game\n\nEnding\n\nDemo Game is a game that ends at some time.\n\n\
                    A player wins when:\n\n• All lamps are out, OR\n\n• The others gave up.\n\n\
                    A game is a draw when:\n\n• They say so, OR\n\n• Nobody is left.\n\n\
                    Afterwards, the lamps are lit again.\n";
        let source = SourceFile::new("rules/demo/a.txt", text);
        let hints = Hints {
            kind: Some(crate::entry::Kind::Statement),
            ..Hints::from_path("rules/demo/a.txt", &games)
        };
        let parsed = parse(&source, &games, &hints);
        let said: Vec<(&str, &str)> = parsed
            .entries
            .iter()
            .map(|entry| {
                let title = entry.title.en.as_deref().unwrap_or_default();
                (title, entry.text.en.as_deref().unwrap_or_default())
            })
            .collect();
        assert_eq!(
            said,
            [
                ("Ending", "Demo Game is a game that ends at some time."),
                (
                    "Ending",
                    "A player wins when:\n• All lamps are out, OR\n• The others gave up."
                ),
                (
                    "Ending",
                    "A game is a draw when:\n• They say so, OR\n• Nobody is left."
                ),
                ("Ending", "Afterwards, the lamps are lit again."),
            ]
        );
    }
}
