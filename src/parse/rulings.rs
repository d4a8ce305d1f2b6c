//! Dated rulings under bullets.
//!
//! ```text
//! file    := title? ( card | ruling )*
//! card    := '#' Chinese name '/' English name
//! ruling  := bullet '(' date tag? ')' paragraph*
//! bullet  := '•' | '·' | '●' | '*' | '＊' | '-' | nothing, where the brackets have a line of their own
//! ```
//!
//! Paragraphs are of either language, in either order; several of one language make one text. The tag is the
//! provenance of the wording: a machine's where both languages are there means the Chinese one, as the
//! official text is what it translates.

use super::build::{Builder, Lines};
use super::date::find_date;
use super::notes::take_aside;
use super::paragraph::{Paragraph, View};
use super::translation::is_partial;
use super::{Detection, Furniture, Hints, Parsed};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{
    Bilingual, CardRef, Field, Kind, Lang, Note, PairedBy, Pairing, Provenance, ProvenanceClass, text_id,
};
use crate::game::Game;
use crate::name::Name;
use crate::source::{SourceFile, Span};

/// The document that rulings belong to where nothing else is said.
pub(super) const DOCUMENT: &str = "rulings";

const BULLETS: [char; 7] = ['•', '·', '●', '∙', '*', '＊', '-'];

/// The line that opens a ruling.
struct Opening<'a> {
    /// What the brackets hold, if there are brackets.
    label: Option<&'a str>,
    /// What follows on the same line.
    rest: &'a str,
}

/// Reads a ruling's opening line.
fn opening(text: &str) -> Option<Opening<'_>> {
    let after_bullet = text.strip_prefix(BULLETS);
    let rest = after_bullet.unwrap_or(text).trim_start();
    let labelled = rest.strip_prefix(['(', '（']).and_then(|inner| {
        let end = inner.find([')', '）'])?;
        let label = inner[..end].trim();
        is_label(label).then(|| (label, inner[end..].trim_start_matches([')', '）']).trim()))
    });
    match (labelled, after_bullet) {
        (Some((label, rest)), Some(_)) => Some(Opening {
            label: Some(label),
            rest,
        }),
        (Some((label, "")), None) => Some(Opening {
            label: Some(label),
            rest: "",
        }),
        (None, Some(after)) if after.is_empty() || after.starts_with(char::is_whitespace) => {
            Some(Opening { label: None, rest })
        }
        _ => None,
    }
}

/// True for what may stand in the brackets after a bullet: a date, something like one, or a known tag.
fn is_label(label: &str) -> bool {
    const LONGEST: usize = 60;
    label.len() <= LONGEST
        && (find_date(label).is_some()
            || label
                .split_whitespace()
                .any(|word| is_like_a_date(word) || ProvenanceClass::from_tag(word).is_some()))
}

/// True for figures joined as in a date, whatever they say: three of them, and no rule's number.
fn is_like_a_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
    let is_figure = |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_figure)
}

/// True for a line that opens a ruling, dated or not.
pub(super) fn opens_ruling(text: &str) -> bool {
    opening(text).is_some()
}

/// True for a line that opens a ruling and carries a date or a tag.
pub(super) fn opens_dated_ruling(text: &str) -> bool {
    opening(text).is_some_and(|opening| opening.label.is_some())
}

/// A ruling being collected.
struct Draft<'a> {
    span: Span,
    lines: Lines,
    date: Option<String>,
    tag: Option<String>,
    undated: bool,
    paragraphs: Vec<(Lang, &'a str, Lines)>,
}

/// Reads rulings.
pub(super) fn read(
    source: &SourceFile,
    game: &Game,
    mut detection: Detection,
    hints: &Hints,
    view: &View<'_>,
) -> Parsed {
    if detection.document.is_none() {
        detection.document = Some(super::Detected {
            value: DOCUMENT.to_owned(),
            why: "it holds rulings".to_owned(),
            guessed: false,
        });
    }
    let mut builder = Builder::new(source, game, detection, hints, view);
    // An edition is a rulebook's; a ruling has its date.
    builder.edition = hints.edition.as_deref().map(Name::from);
    let paragraphs = &view.paragraphs;
    let bare_bullets_count = !paragraphs
        .iter()
        .any(|paragraph| opens_dated_ruling(paragraph.text()));
    let mut card = hints.card.clone();
    let mut card_lines = None;
    let mut draft: Option<Draft<'_>> = None;
    let mut undated = Vec::new();
    for paragraph in paragraphs {
        let text = paragraph.text();
        let opened =
            opening(text).filter(|opening| opening.label.is_some() || bare_bullets_count || text.len() < 4);
        if let Some(opening) = opened {
            close(&mut builder, draft.take(), &card, &mut card_lines, hints);
            builder.furniture(paragraph.lines, Furniture::Bullet);
            draft = Some(open(&mut builder, paragraph, &opening));
            undated.extend(
                draft
                    .as_ref()
                    .filter(|draft| draft.undated)
                    .map(|draft| draft.span),
            );
            if let (Some(draft), false) = (&mut draft, opening.rest.is_empty()) {
                draft
                    .paragraphs
                    .push((language(opening.rest, hints), opening.rest, paragraph.lines));
            }
        } else if let Some(name) = card_line(text) {
            close(&mut builder, draft.take(), &card, &mut card_lines, hints);
            if let Some(lines) = card_lines.replace(paragraph.lines) {
                builder.furniture(lines, Furniture::Title);
            }
            card = Some(name);
        } else if let Some(draft) = &mut draft {
            draft
                .paragraphs
                .push((language(text, hints), text, paragraph.lines));
        } else {
            builder.furniture(paragraph.lines, Furniture::Title);
        }
    }
    close(&mut builder, draft.take(), &card, &mut card_lines, hints);
    if let Some(lines) = card_lines {
        builder.furniture(lines, Furniture::Title);
    }
    report_undated(&mut builder, &undated);
    builder.finish()
}

/// Reports rulings without a date: each of a few, or all at once.
pub(super) fn report_undated(builder: &mut Builder<'_>, undated: &[Span]) {
    const FEW: usize = 5;
    let all_at_once = undated.len() > FEW;
    for &span in undated.iter().take(if all_at_once { 1 } else { FEW }) {
        let message = if all_at_once {
            format!("{} rulings without a date, this one the first", undated.len())
        } else {
            "a ruling without a date".to_owned()
        };
        builder.diagnostics.push(
            Diagnostic::at(Code::MissingDate, builder.source, span, message)
                .hint("write its date after the bullet: `• (2024-06-07 official)`"),
        );
    }
}

fn language(text: &str, hints: &Hints) -> Lang {
    hints.lang.unwrap_or_else(|| Lang::of(text))
}

/// The card that a heading names: `# 中文名 / English name`, or a name in one language.
fn card_line(text: &str) -> Option<CardRef> {
    let names = text.strip_prefix('#')?.trim_start_matches('#').trim();
    if names.is_empty() {
        return None;
    }
    let mut card = CardRef::default();
    for name in names.split(" / ").flat_map(|part| part.split('／')) {
        let name = name.trim().to_owned();
        match Lang::of(&name) {
            Lang::En if card.en.is_none() => card.en = Some(name),
            Lang::Zh if card.zh.is_none() => card.zh = Some(name),
            _ => {}
        }
    }
    Some(card)
}

fn open<'a>(builder: &mut Builder<'_>, paragraph: &Paragraph<'a>, opening: &Opening<'_>) -> Draft<'a> {
    let label = opening.label.unwrap_or("");
    let found = find_date(label);
    let rest = match &found {
        Some((_, range)) => format!("{} {}", &label[..range.start], &label[range.end..]),
        None => label.to_owned(),
    };
    let mut words = rest
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | ';'))
        .filter(|word| !word.is_empty());
    let mut tag: Vec<&str> = Vec::new();
    let mut malformed = false;
    for word in &mut words {
        if found.is_none() && is_like_a_date(word) {
            malformed = true;
            builder.diagnostics.push(
                Diagnostic::at(
                    Code::Malformed,
                    builder.source,
                    paragraph.span,
                    format!("`{word}` is no date"),
                )
                .hint("write it as year, month and day: `2024-06-07`"),
            );
        } else {
            tag.push(word);
        }
    }
    Draft {
        undated: found.is_none() && !malformed,
        span: paragraph.span,
        lines: paragraph.lines,
        date: found.map(|(date, _)| date.to_string()),
        tag: (!tag.is_empty()).then(|| tag.join(" ")),
        paragraphs: Vec::new(),
    }
}

fn close(
    builder: &mut Builder<'_>,
    draft: Option<Draft<'_>>,
    card: &Option<CardRef>,
    card_lines: &mut Option<Lines>,
    hints: &Hints,
) {
    let Some(draft) = draft else { return };
    let Some((first, ..)) = draft.paragraphs.first().copied() else {
        builder.diagnostics.push(
            Diagnostic::at(
                Code::Malformed,
                builder.source,
                draft.span,
                "a ruling without a text",
            )
            .hint("write its text below the bullet, or take the bullet out"),
        );
        return;
    };
    let of = |lang: Lang| {
        let texts: Vec<&str> = draft
            .paragraphs
            .iter()
            .filter(|(l, ..)| *l == lang)
            .map(|(_, text, _)| *text)
            .collect();
        texts.join("\n")
    };
    let id = text_id(&builder.game.id, Kind::Ruling, draft.date.as_deref(), &of(first));
    let entry_idx = builder.add(id, Kind::Ruling, draft.lines.first);
    if let (Some(card), Some(lines)) = (card, card_lines.take()) {
        let langs = [(Lang::Zh, &card.zh), (Lang::En, &card.en)];
        for (lang, _) in langs.iter().filter(|(_, name)| name.is_some()) {
            builder.place(
                lines,
                super::Place::Entry {
                    entry_idx,
                    field: Field::Card,
                    lang: *lang,
                },
            );
        }
    }
    let class = draft.tag.as_deref().map(|tag| {
        let known = tag.split_whitespace().find_map(ProvenanceClass::from_tag);
        known.unwrap_or_default()
    });
    let both = Lang::ALL.map(of).iter().all(|text| !text.is_empty());
    let owned = |(lang, text, lines): &(Lang, &str, Lines)| (*lang, (*text).to_owned(), *lines);
    let mut texts: Vec<Text> = draft.paragraphs.iter().map(owned).collect();
    let mut asides = Vec::new();
    if both && class != Some(ProvenanceClass::Official) {
        asides = take_asides(&mut texts);
    }
    for (lang, text, lines) in &texts {
        builder.put(entry_idx, Field::Text, *lang, text, *lines);
    }
    for (note, lines) in asides {
        builder.note(entry_idx, note, lines);
    }
    let entry = &mut builder.entries[entry_idx];
    entry.date = draft.date.map(Name::from);
    entry.cards.extend(card.clone());
    if let Some(class) = class {
        let tagged = Provenance {
            class,
            tag: draft.tag,
            after: None,
        };
        entry.provenance = match (class, both) {
            (ProvenanceClass::Machine, true) => Bilingual::both(
                hints.provenance.en.clone().unwrap_or(Provenance {
                    class: ProvenanceClass::Official,
                    ..Provenance::default()
                }),
                tagged,
            ),
            (_, true) => Bilingual::both(tagged.clone(), tagged),
            (_, false) => Bilingual::one(first, tagged),
        };
    }
    if let Bilingual {
        en: Some(en),
        zh: Some(zh),
    } = &entry.text
    {
        let of = |lang: Lang| texts.iter().filter(|(l, ..)| *l == lang).count();
        entry.pairing = Some(Pairing {
            how: PairedBy::Order,
            certain: of(Lang::En) == of(Lang::Zh),
            partial: is_partial(en, zh),
        });
    }
}

/// A paragraph of a ruling.
type Text = (Lang, String, Lines);

/// Takes the closing bracket groups off the last paragraph of a language where the other's has none.
fn take_asides(texts: &mut [Text]) -> Vec<(Note, Lines)> {
    let last = |lang: Lang, texts: &[Text]| texts.iter().rposition(|(l, ..)| *l == lang);
    let mut notes = Vec::new();
    for lang in Lang::ALL {
        let (Some(here), Some(there)) = (last(lang, texts), last(lang.other(), texts)) else {
            continue;
        };
        if let Some((rest, note)) = take_aside(&texts[here].1, &texts[there].1) {
            texts[here].1 = rest;
            notes.push((note, texts[here].2));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_opens_a_ruling() {
        for line in [
            "• (2024-02-02 official)",
            "(2024/2/2)",
            "· （2024年2月2日）",
            "• A sentence.",
            "(official)",
        ] {
            assert!(opens_ruling(line), "{line}");
        }
        for line in [
            "(See rule 704.5.1.)",
            "(See rule 100.1.)",
            "(Rules 100.1. and 2.)",
            "702.19b Trample",
            "(x)",
        ] {
            assert!(!opens_ruling(line), "{line}");
        }
    }
}
