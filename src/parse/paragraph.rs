//! A source as paragraphs: what a reader of rules goes through, whatever markup or page breaks stand between.
//!
//! Each line is a paragraph, unless markup says otherwise ([`super::markup`]). Page numbers and running heads
//! are taken out. Lines that a page was too narrow for are joined by the reader of numbered rules, which knows
//! where a rule begins.

use super::Furniture;
use super::build::{Lines, is_blank};
use super::front_matter;
use super::markup::{Comments, Markup, Piece};
use crate::fold::is_han;
use crate::source::{SourceFile, Span};
use std::borrow::Cow;
use std::collections::HashMap;

/// A paragraph of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph<'a> {
    /// Its text, markup and the blanks around it left out.
    pub words: Cow<'a, str>,
    /// Where it stands, markup included.
    pub span: Span,
    /// The lines it takes.
    pub lines: Lines,
    /// True when a blank line stands before it, or nothing at all.
    pub after_blank: bool,
    /// True when a page ends before it.
    pub after_page: bool,
    /// True when the source's markup sets it apart as an explanation of what stands above.
    pub aside: bool,
    /// True when the source's markup makes it a heading.
    pub heading: bool,
    /// How many numbers back the one stands whose text this is, where a page was torn; else 0.
    pub numbers_back: usize,
}

impl<'a> Paragraph<'a> {
    /// Its text.
    pub fn text(&self) -> &str {
        &self.words
    }

    /// Goes on with another paragraph: one line of print after another.
    pub fn join(&mut self, next: &Paragraph<'a>) {
        let words = self.words.to_mut();
        let han = |c: Option<char>| {
            c.is_some_and(|c| is_han(c) || matches!(c, '，' | '。' | '、' | '；' | '：' | '（' | '）'))
        };
        // A hyphen at a line's end stays: whether the page or the word has it, nobody can tell.
        let without_blank =
            words.ends_with('-') || han(words.chars().next_back()) && han(next.words.chars().next());
        if !without_blank {
            words.push(' ');
        }
        words.push_str(&next.words);
        self.lines.last = next.lines.last;
        self.span.end = next.span.end;
    }
}

/// A source as its readers see it.
#[derive(Debug, Default)]
pub(super) struct View<'a> {
    /// What there is to read.
    pub paragraphs: Vec<Paragraph<'a>>,
    /// What was taken out.
    pub furniture: Vec<(Lines, Furniture)>,
    /// True for Markdown, whose paragraphs may go on after a blank line where a page was cut.
    pub markdown: bool,
    /// True when there is markup of any kind.
    pub marked_up: bool,
}

impl<'a> View<'a> {
    /// The paragraphs of a source.
    pub fn of(source: &'a SourceFile) -> View<'a> {
        let markup = Markup::of(source);
        let pages = PageMarks::of(source);
        let mut view = View {
            markdown: markup.markdown,
            marked_up: markup != Markup::default(),
            ..View::default()
        };
        let mut after_page = false;
        let mut reader = markup.reader();
        let mut after_blank = true;
        let front = front_matter::find(source.text()).filter(|_| markup.markdown);
        let comments = Comments::of(source, markup);
        for line in source.lines() {
            if is_blank(line.text) {
                after_blank = true;
                continue;
            }
            let lines = Lines::one(line.number);
            if front.is_some_and(|front| line.span.start < front.end) {
                view.furniture.push((lines, Furniture::Markup));
                continue;
            }
            if markup.underlines(line.text)
                && let Some(above) = view.paragraphs.last_mut()
                && above.lines.last + 1 == line.number
            {
                above.heading = true;
            }
            if pages.is_mark(line.text) {
                view.furniture.push((lines, Furniture::Page));
                after_page = true;
                continue;
            }
            let without = comments.taken_from(line);
            if without.as_deref().is_some_and(is_blank) {
                // What stands around a comment stays together.
                view.furniture.push((lines, Furniture::Markup));
                continue;
            }
            let pieces = match &without {
                Some(text) => reader
                    .pieces(text)
                    .into_iter()
                    .map(|piece| piece.owned(line.text))
                    .collect(),
                None => reader.pieces(line.text),
            };
            let mut found = false;
            for Piece {
                text,
                range,
                aside,
                heading,
            } in pieces
            {
                found = true;
                view.paragraphs.push(Paragraph {
                    words: narrowed(&text).map_or(text, Cow::Owned),
                    span: Span::new(line.span.start + range.start, line.span.start + range.end),
                    lines,
                    after_blank,
                    after_page,
                    aside,
                    heading,
                    numbers_back: 0,
                });
                (after_blank, after_page) = (false, false);
            }
            if !found {
                view.furniture.push((lines, Furniture::Markup));
                after_blank = true;
            }
        }
        view
    }
}

/// Lines that belong to the printed page: numbers alone on a line, and short lines that come back on many pages.
struct PageMarks {
    numbers: bool,
    heads: Vec<String>,
}

impl PageMarks {
    fn of(source: &SourceFile) -> Self {
        /// A text with fewer numbered pages than this may have other reasons for numbers on lines of their own.
        const FEWEST_PAGES: usize = 5;
        const LONGEST_HEAD: usize = 60;
        let numbers = source.lines().filter(|line| is_page_number(line.text)).count();
        if numbers < FEWEST_PAGES {
            return Self {
                numbers: false,
                heads: Vec::new(),
            };
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for line in source.lines() {
            let text = trim(line.text);
            if !text.is_empty() && text.chars().count() <= LONGEST_HEAD && !is_page_number(text) {
                *counts.entry(text).or_default() += 1;
            }
        }
        // A running head comes on most of the pages that have a number.
        let mut heads: Vec<String> = counts
            .into_iter()
            .filter(|(_, count)| *count >= FEWEST_PAGES && *count * 2 > numbers)
            .map(|(text, _)| text.to_owned())
            .collect();
        heads.sort();
        Self { numbers: true, heads }
    }

    fn is_mark(&self, line: &str) -> bool {
        self.numbers
            && (is_page_number(line)
                || self
                    .heads
                    .binary_search_by(|head| head.as_str().cmp(trim(line)))
                    .is_ok())
    }
}

/// True for a line with nothing but a page's number on it, in any of the ways of writing one: `7`, `- 7 -`, `Page 7 of
/// 300`, `7/300`, `第 7 页 共 300 页`.
fn is_page_number(line: &str) -> bool {
    const LONGEST: usize = 40;
    const WORDS: [&str; 8] = ["page", "p", "pg", "of", "第", "页", "頁", "共"];
    let text = trim(line);
    if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let mut numbers = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = match (digits, letters) {
            (1..=4, _) => digits,
            (0, 1..) => letters,
            _ => c.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        if digits > 0 {
            numbers += 1;
        } else if !WORDS.contains(&word.to_ascii_lowercase().as_str())
            && !matches!(
                c,
                '-' | '–' | '—' | '―' | '－' | '/' | '|' | '·' | '•' | ' ' | '\u{3000}'
            )
        {
            return false;
        }
        rest = after;
    }
    // A rule's number has no blank in it: `702-19`.
    (1..=2).contains(&numbers) && (numbers == 1 || !is_figure(text))
}

/// True for digits joined by nothing but dashes.
fn is_figure(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// A line whose number is written with full-width digits or dots, with the usual ones: `７０２．１９` for `702.19`.
fn narrowed(text: &str) -> Option<String> {
    let wide = |c: char| ('\u{ff10}'..='\u{ff19}').contains(&c);
    if !text.starts_with(|c: char| wide(c) || c.is_ascii_digit()) {
        return None;
    }
    let narrow = |c: char| match c {
        '０'..='９' | 'ａ'..='ｚ' | '．' | '－' => char::from_u32(c as u32 - 0xfee0),
        '0'..='9' | 'a'..='z' | '.' | '-' => Some(c),
        _ => None,
    };
    let length = text.find(|c| narrow(c).is_none()).unwrap_or(text.len());
    // The dot that ends a number is read either way, and what stands in a sentence stays as it is.
    let number = text[..length].trim_end_matches('．');
    let is_wide = number.contains(|c: char| !c.is_ascii());
    is_wide.then(|| number.chars().filter_map(narrow).collect::<String>() + &text[number.len()..])
}

/// A line without what cannot be seen at its ends.
pub(super) fn trim(line: &str) -> &str {
    trim_start(line).trim_end_matches(is_unseen)
}

/// A line without what cannot be seen at its start.
pub(super) fn trim_start(line: &str) -> &str {
    line.trim_start_matches(is_unseen)
}

fn is_unseen(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers() {
        for line in [
            "7",
            " - 12 - ",
            "— 12 —",
            "Page 5 of 300",
            "page 5",
            "5/300",
            "第 5 页",
            "第5页 共300页",
            "| 5 |",
        ] {
            assert!(is_page_number(line), "{line}");
        }
        for line in [
            "702.19", "100.1a", "5.", "12345", "5 cards", "1-2-3", "of", "—", "第5章", "p", "7 7 7",
        ] {
            assert!(!is_page_number(line), "{line}");
        }
    }

    #[test]
    fn full_width_numbers() {
        for (text, number) in [
            ("７０２．１９ｂ 践踏", Some("702.19b 践踏")),
            ("702．19b 践踏", Some("702.19b 践踏")),
            ("１－２－３．抽牌", Some("1-2-3．抽牌")),
            ("702.19b 践踏", None),
            ("100．总则", None),
            ("２张牌", Some("2张牌")),
            ("践踏７", None),
        ] {
            assert_eq!(narrowed(text).as_deref(), number, "{text}");
        }
    }
}
