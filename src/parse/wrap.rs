//! Lines that a page was too narrow for, joined to paragraphs again.
//!
//! In such a text a citation can come to stand at the start of a line (`903.2m and apply that rule.`), where it
//! looks like a rule. What begins a rule is told by what comes before it and by the order of numbers.

use super::detect::{is_sentence, is_title, rule_number};
use super::examples::{example, list_item};
use super::paragraph::{Paragraph, View};
use super::references::following;
use crate::citation::{Part, RuleNumber};
use crate::game::{Document, Numbering};

/// The paragraphs of a view, with the lines of print that belong together joined.
pub(super) fn paragraphs<'a>(view: &View<'a>, document: &Document) -> Vec<Paragraph<'a>> {
    let Some(numbering) = &document.numbering else {
        return view.paragraphs.clone();
    };
    let wrapped = is_wrapped(&view.paragraphs, document);
    if !wrapped && !view.markdown {
        return view.paragraphs.clone();
    }
    let mut joined: Vec<Paragraph<'a>> = Vec::with_capacity(view.paragraphs.len());
    let mut previous: Option<RuleNumber> = None;
    // The last paragraph is a heading, which no line of print goes on with.
    let mut after_heading = true;
    // How many numbers without a text stand at the end of what is joined, and how many of the paragraphs that
    // follow are their texts.
    let (mut bare, mut torn) = (0, 0);
    let mut in_glossary = false;
    for (idx, paragraph) in view.paragraphs.iter().enumerate() {
        let ended = after_heading || joined.last().is_none_or(|last| is_sentence(last.text()));
        let number = rule_number(paragraph.text(), document);
        let begins = number.filter(|(number, text)| {
            let leads = || {
                let below = view.paragraphs[idx + 1..].iter().take(2);
                let next = below.filter_map(|next| rule_number(next.text(), document)).next();
                next.is_some_and(|(next, _)| numbering.leads(number, &next))
            };
            !wrapped
                || begins_rule(paragraph, *text, number, previous.as_ref(), ended, numbering)
                || number.depth() == 1
                    && previous.as_ref().is_none_or(|previous| previous < number)
                    && is_title(&paragraph.text()[*text..])
                    && leads()
        });
        if let Some((number, text)) = begins {
            after_heading = number.depth() == 1 && !is_sentence(&paragraph.text()[text..]);
            previous = Some(number);
            bare = if paragraph.text().len() == text {
                bare + 1
            } else {
                0
            };
            torn = 0;
            joined.push(paragraph.clone());
            continue;
        }
        if bare > 1 && wrapped {
            let follow = view.paragraphs[idx..].iter().take(bare + 1);
            let texts = follow
                .take_while(|next| rule_number(next.text(), document).is_none())
                .count();
            torn = if texts == bare { bare } else { 0 };
        }
        bare = 0;
        if torn > 0 {
            // Columns of a page that were read one after the other: first the numbers, then their texts.
            joined.push(Paragraph {
                numbers_back: torn,
                ..paragraph.clone()
            });
            torn -= 1;
            after_heading = torn == 0;
            continue;
        }
        let goes_on = if wrapped {
            let apart = paragraph.after_blank && (ended || !paragraph.after_page);
            let is_item = in_glossary && ended && list_item(paragraph.text()).is_some();
            !apart && !is_item && !starts_anew(paragraph.text(), document)
        } else {
            !ended && !paragraph.heading && starts_in_mid_sentence(paragraph.text())
        };
        match joined.last_mut() {
            Some(last) if goes_on && !after_heading => last.join(paragraph),
            _ => {
                joined.push(paragraph.clone());
                let marks = |marks: &[String]| marks.iter().any(|mark| mark == paragraph.text());
                in_glossary |= marks(&document.print.glossary);
                // A headword has a line of its own.
                let apart = paragraph.after_blank && !(paragraph.after_page && is_sentence(paragraph.text()));
                let is_headword = in_glossary && apart;
                after_heading = paragraph.heading || is_headword || is_mark(paragraph.text(), document);
            }
        }
    }
    joined
}

/// True when the lines of a text are lines of print: many begin in mid-sentence.
fn is_wrapped(paragraphs: &[Paragraph<'_>], document: &Document) -> bool {
    const FEWEST: usize = 10;
    const SHARE: usize = 4;
    let (mut lines, mut in_mid_sentence) = (0usize, 0usize);
    for paragraph in paragraphs.iter().filter(|paragraph| !paragraph.after_blank) {
        if rule_number(paragraph.text(), document).is_none() {
            lines += 1;
            in_mid_sentence += usize::from(starts_in_mid_sentence(paragraph.text()));
        }
    }
    in_mid_sentence >= FEWEST && in_mid_sentence * SHARE >= lines
}

fn starts_in_mid_sentence(text: &str) -> bool {
    text.starts_with(|c: char| c.is_lowercase() || matches!(c, ',' | ';' | ')' | '，' | '。' | '；' | '）'))
}

/// True for a line that begins something else than the rest of a sentence.
fn starts_anew(text: &str, document: &Document) -> bool {
    text.starts_with(['•', '●', '◦', '▪', '‣'])
        || example(text).is_some()
        || is_mark(text, document)
        || begins_below_a_rule(text, document)
}

/// True for a line with a number that goes on below the document's own: `705.3a-i. …`. It is a paragraph of its rule.
fn begins_below_a_rule(text: &str, document: &Document) -> bool {
    let numbering = document.numbering.as_ref();
    let Some((_, length)) = numbering.and_then(|numbering| numbering.read_prefix(text)) else {
        return false;
    };
    let Some(below) = text[length..].strip_prefix('-') else {
        return false;
    };
    let letters = below.bytes().take_while(u8::is_ascii_lowercase).count();
    letters > 0 && below[letters..].starts_with(". ")
}

/// True for the line that begins the glossary or what comes after the rules.
fn is_mark(text: &str, document: &Document) -> bool {
    let marks = document.print.glossary.iter().chain(&document.print.back_matter);
    marks.into_iter().any(|mark| mark == text)
}

/// True when a number at the start of a line begins a rule, and is not cited by the line before.
fn begins_rule(
    paragraph: &Paragraph<'_>,
    behind: usize,
    number: &RuleNumber,
    previous: Option<&RuleNumber>,
    ended: bool,
    numbering: &Numbering,
) -> bool {
    let (before, text) = paragraph.text().split_at(behind);
    let dotted = before.trim_end().ends_with(['.', '．']);
    let lower = text.starts_with(char::is_lowercase);
    let apart = ended || paragraph.after_blank || paragraph.after_page;
    let Some(previous) = previous else { return true };
    if number.depth() == 1 {
        let next = previous
            .prefix(1)
            .and_then(|section| following(&section, numbering));
        return dotted && !lower && (apart || !text.is_empty() && next.as_ref() == Some(number));
    }
    if lower && !(dotted && ended) {
        return false;
    }
    is_next(previous, number, numbering) || ended && number > previous
}

/// True when one number can follow another without a gap: the first below it, or the next at any level.
fn is_next(previous: &RuleNumber, number: &RuleNumber, numbering: &Numbering) -> bool {
    if number.parent().as_ref() == Some(previous) {
        return match number.parts().last() {
            Some(Part::Number(number)) => number <= 1,
            Some(Part::Letters(letters)) => letters.as_str() == "a",
            None => false,
        };
    }
    (1..=previous.depth())
        .filter_map(|depth| previous.prefix(depth))
        .any(|above| following(&above, numbering).as_ref() == Some(number))
}
