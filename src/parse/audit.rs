//! What a rulebook's numbers get wrong about themselves: numbers that stand twice, are missing, or come in the
//! wrong order. (Whether a cited rule is there is known only when all texts are.)

use super::build::Builder;
use super::references::following;
use crate::citation::{Part, RuleNumber};
use crate::diagnostic::{Code, Diagnostic};
use crate::game::Numbering;
use crate::hash::FastSet;
use crate::source::Span;
use std::collections::HashMap;

/// A number as it comes in the text.
pub(super) struct Found {
    pub number: RuleNumber,
    /// The paragraph that it begins.
    pub span: Span,
    /// The line where it stood before, if it did.
    pub again: Option<u32>,
}

/// A text with a larger share of gaps (one in so many numbers) is an excerpt: what it leaves out is no mistake.
const GAPS_OF_AN_EXCERPT: usize = 50;

/// How far before a gap its number is looked for, in bytes.
const NEAR: usize = 4000;

/// Reports what is wrong with the numbers of a text.
pub(super) fn numbers(builder: &mut Builder<'_>, numbering: &Numbering, found: &[Found]) {
    let known: FastSet<&RuleNumber> = found.iter().map(|found| &found.number).collect();
    let mut diagnostics = Vec::new();
    let source = builder.source;
    let at = |code: Code, found: &Found, message: String| {
        let start = found.span.start;
        let end = (start + found.number.as_str().len()).min(found.span.end);
        Diagnostic::at(code, source, Span::new(start, end), message)
    };
    // The highest number so far, and the one before it: a number that only the highest is too high for shows
    // that the highest is the one out of place.
    let (mut highest, mut before): (Option<&Found>, Option<&Found>) = (None, None);
    for found in found {
        let number = &found.number;
        if let Some(first) = found.again {
            let duplicate = at(
                Code::DuplicateNumber,
                found,
                format!("rule number `{number}` is used twice"),
            )
            .note(format!("first used at {}:{first}:1", source.path()));
            let next = following(number, numbering).filter(|next| !known.contains(next));
            diagnostics.push(
                duplicate.hint(match next {
                    Some(next) => {
                        format!("number this one `{next}`, or place it under the first if it goes on with it")
                    }
                    None => {
                        "give this one a number of its own, or place it under the first if it goes on with it"
                            .into()
                    }
                }),
            );
            continue;
        }
        if numbering.is_chapter(number) {
            continue;
        }
        match highest {
            Some(top) if *number < top.number => {
                let misplaced = match before {
                    Some(before) if *number > before.number => {
                        let message = format!("rule number `{}` stands before `{number}`", top.number);
                        highest = Some(found);
                        (top, message)
                    }
                    _ => (
                        found,
                        format!("rule number `{number}` stands after `{}`", top.number),
                    ),
                };
                diagnostics.push(
                    at(Code::Unsorted, misplaced.0, misplaced.1)
                        .hint("check the number; it is kept as it is written"),
                );
            }
            _ => (before, highest) = (highest, Some(found)),
        }
    }
    let mut gaps = gaps(found, numbering);
    // One that stands elsewhere is out of place or there twice, which is said of it.
    gaps.retain(|(missing, _)| !known.contains(missing));
    let excerpt = gaps.len() * GAPS_OF_AN_EXCERPT > known.len();
    // Where a missing number stands in running text right before the one that shows the gap.
    let inside = |missing: &RuleNumber, found: &Found| {
        let before = source.text().get(..found.span.start)?;
        let near = before.len().saturating_sub(NEAR);
        let near = (near..).find(|at| before.is_char_boundary(*at))?;
        let at = near + before[near..].rfind(&format!(" {missing}. "))?;
        Some(source.position(at + 1).line)
    };
    if !excerpt {
        for (missing, found) in gaps {
            diagnostics.push(
                at(
                    Code::MissingNumber,
                    found,
                    format!("rule number `{missing}` is missing before `{}`", found.number),
                )
                .hint(match inside(&missing, found) {
                    Some(line) => format!(
                        "it seems to stand inside the text at line {line}: put it on a line of its own"
                    ),
                    None => "check whether the rule is in the file under another number".to_owned(),
                }),
            );
        }
    }
    builder.diagnostics.extend(diagnostics);
}

/// The numbers that are missing, each with the one that shows it. Sections may leave numbers out.
fn gaps<'f>(found: &'f [Found], numbering: &Numbering) -> Vec<(RuleNumber, &'f Found)> {
    let mut last: HashMap<RuleNumber, &RuleNumber> = HashMap::new();
    let mut gaps = Vec::new();
    for found in found.iter().filter(|found| found.again.is_none()) {
        let Some(parent) = found.number.parent() else {
            continue;
        };
        let expected = match last.get(&parent) {
            Some(before) => following(before, numbering),
            None => first_below(&found.number),
        };
        if let Some(expected) = expected
            && expected < found.number
        {
            gaps.push((expected, found));
        }
        last.insert(parent, &found.number);
    }
    gaps
}

/// The first number of the list that this one belongs to.
fn first_below(number: &RuleNumber) -> Option<RuleNumber> {
    match number.parts().last()? {
        // Some documents begin to count at 0. What is the first has none before it.
        Part::Number(0 | 1) => None,
        Part::Number(_) => number.with_last("1"),
        Part::Letters(letters) if letters.as_str() == "a" => None,
        Part::Letters(_) => number.with_last("a"),
    }
}
