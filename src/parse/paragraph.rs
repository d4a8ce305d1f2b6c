//! A source as paragraphs: what a reader of rules goes through, whatever markup or page breaks stand between.

use super::build::{Lines, is_blank};
use crate::source::{SourceFile, Span};

/// A paragraph of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph<'a> {
    /// Its text, blanks around it left out.
    pub text: &'a str,
    /// Where the text stands.
    pub span: Span,
    /// The lines it takes.
    pub lines: Lines,
    /// True when a blank line stands before it, or nothing at all.
    pub after_blank: bool,
}

/// The paragraphs of a text in which each line is one.
pub(super) fn by_line(source: &SourceFile) -> Vec<Paragraph<'_>> {
    let mut after_blank = true;
    let mut paragraphs = Vec::new();
    for line in source.lines() {
        if is_blank(line.text) {
            after_blank = true;
            continue;
        }
        let text = line
            .text
            .trim_start_matches(|c: char| is_blank(c.encode_utf8(&mut [0; 4])));
        let start = line.span.end - text.len();
        let text = text.trim_end_matches(|c: char| is_blank(c.encode_utf8(&mut [0; 4])));
        paragraphs.push(Paragraph {
            text,
            span: Span::new(start, start + text.len()),
            lines: Lines::one(line.number),
            after_blank,
        });
        after_blank = false;
    }
    paragraphs
}
