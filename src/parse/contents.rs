//! Does a rulebook have what its own table of contents names? One that was cut, such as a download that broke off, does
//! not.
//!
//! A document may lie in several files, of which one alone has the contents. So what a file lacks is only noted here;
//! whether its edition has it elsewhere is known when all texts are ([`Lacking::is_made_good`]).

use super::build::{Builder, is_blank};
use super::numbered::Numbered;
use super::paragraph::Paragraph;
use crate::citation::RuleNumber;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Entry, Kind, Lang};
use crate::game::{Document, Numbering};
use crate::name::Name;
use std::cell::OnceCell;
use std::collections::HashSet;

/// What a file does not have of what its table of contents names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lacking {
    /// The game's id.
    pub game: Name,
    /// The document's id.
    pub document: Name,
    /// Its edition; none for an undated text.
    pub edition: Option<Name>,
    /// The languages of the text.
    pub langs: Vec<Lang>,
    /// The ids of the headings that are not there.
    pub headings: Vec<Name>,
    /// No rule at all is there.
    pub all_rules: bool,
    /// The glossary is not there.
    pub glossary: bool,
    /// What is to be said of it if no other file makes up for it.
    pub diagnostic: Diagnostic,
}

impl Lacking {
    /// True when other files of the same edition have what this one lacks, among all entries that there are. What
    /// comes after the rules and the glossary is in no entry, and goes where those go.
    pub fn is_made_good<'e>(&self, entries: impl Iterator<Item = &'e Entry>) -> bool {
        let mut headings: HashSet<&str> = self.headings.iter().map(Name::as_str).collect();
        let (mut rules, mut glossary) = (self.all_rules, self.glossary);
        if headings.is_empty() && !rules && !glossary {
            return false;
        }
        for entry in entries.filter(|entry| self.is_of_edition(entry)) {
            headings.remove(entry.id.as_str());
            rules &= !is_rule(entry);
            glossary &= entry.kind != Kind::Term;
        }
        headings.is_empty() && !rules && !glossary
    }

    /// True for an entry with a text of this edition in one of its languages.
    fn is_of_edition(&self, entry: &Entry) -> bool {
        let has = |lang: Lang| {
            let text = entry.text.get(lang).is_some() || entry.title.get(lang).is_some();
            text && entry.edition.get(lang) == self.edition.as_ref()
        };
        entry.game == self.game && entry.document == self.document && self.langs.iter().any(|lang| has(*lang))
    }
}

/// What a line of a table of contents names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Heading(RuleNumber),
    Glossary,
    BackMatter,
}

/// True for what a rulebook is made of: a rule, or a section that has its text itself.
fn is_rule(entry: &Entry) -> bool {
    entry.kind == Kind::Rule || entry.kind.is_numbered() && entry.text.iter().next().is_some()
}

/// A heading without its number and the page that it stands on, whatever its case.
fn title(paragraph: &Paragraph<'_>) -> String {
    let mark = |c: char| !c.is_alphabetic();
    named(paragraph.text()).trim_start_matches(mark).to_lowercase()
}

/// How many headings in a row make a hole.
const FEWEST_IN_A_HOLE: usize = 3;

/// A table of contents.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// What it names, each with the index of its paragraph, in the order of the text.
    items: Vec<(Item, usize)>,
    /// The paragraph that says that here are the contents.
    heading: Option<usize>,
    /// How many paragraphs stand before the rules.
    n_front: usize,
}

impl Contents {
    /// Reads what stands before the rules. `number` is what a paragraph begins with when it is read as a heading,
    /// whether or not it would be one among the rules.
    pub fn of(
        front: &[Paragraph<'_>],
        numbers: &[Option<Numbered>],
        document: &Document,
        numbering: &Numbering,
        number: impl Fn(&Paragraph<'_>) -> Option<RuleNumber>,
    ) -> Contents {
        let mut contents = Contents {
            n_front: front.len(),
            ..Contents::default()
        };
        let mut begun = false;
        for (idx, paragraph) in front.iter().enumerate() {
            if is_contents_heading(paragraph.text()) {
                contents.heading.get_or_insert(idx);
                begun = true;
                continue;
            }
            begun |= numbers[idx].is_some();
            if !begun {
                continue;
            }
            let is = |marks: &[String]| marks.iter().any(|mark| mark == named(paragraph.text()));
            let item = if is(&document.print.glossary) {
                Some(Item::Glossary)
            } else if is(&document.print.back_matter) {
                Some(Item::BackMatter)
            } else {
                number(paragraph).map(Item::Heading)
            };
            contents.items.extend(item.map(|item| (item, idx)));
        }
        // Of columns, a page may have been read line by line; what the text is to have comes in order.
        contents.items.sort_by_cached_key(|(item, _)| match item {
            Item::Heading(number) => {
                let chapter = numbering.chapter_of(number).unwrap_or_else(|| number.clone());
                (0, Some((chapter, number.clone())))
            }
            Item::Glossary => (1, None),
            Item::BackMatter => (2, None),
        });
        contents
    }

    /// What of it a text does not have, whose entries are of these ids; none where it has everything.
    pub fn lacking(
        &self,
        builder: &Builder<'_>,
        paragraphs: &[Paragraph<'_>],
        langs: Vec<Lang>,
        there: impl Fn(&Item) -> bool,
    ) -> Option<Lacking> {
        let source = builder.source;
        let all_rules = self.heading.filter(|_| !builder.entries.iter().any(is_rule));
        // What is printed in a way that is not read is there all the same, if its title is no other's.
        let titles = OnceCell::new();
        let is_printed = |idx: usize| {
            let titles: &HashSet<String> =
                titles.get_or_init(|| paragraphs[self.n_front..].iter().map(title).collect());
            let title = title(&paragraphs[idx]);
            let namesakes = self
                .items
                .iter()
                .filter(|(_, other)| title == self::title(&paragraphs[*other]));
            !title.is_empty() && titles.contains(&title) && namesakes.count() == 1
        };
        let there = |item: &Item, idx: usize| there(item) || is_printed(idx);
        // What is absent at the end was cut off. One heading that is absent before others may be misprinted or written
        // in a way that is not read; several in a row are a hole.
        let runs = self
            .items
            .chunk_by(|(a, at), (b, next)| there(a, *at) == there(b, *next));
        let runs: Vec<&[(Item, usize)]> = runs.collect();
        let is_absent = |run: &&[(Item, usize)]| run.first().is_some_and(|(item, at)| !there(item, *at));
        let tail = runs.last().copied().filter(is_absent);
        let is_hole = |run: &&[(Item, usize)]| is_absent(run) && run.len() >= FEWEST_IN_A_HOLE;
        let absent = tail
            .or_else(|| runs.iter().copied().find(is_hole))
            .unwrap_or_default();
        let place = |idx: usize| paragraphs[idx].span;
        let name = |idx: usize| named(paragraphs[idx].text());
        let more = |n: usize| match n {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let diagnostic = if let Some(idx) = all_rules {
            let message = "the text has a table of contents and no rules";
            Diagnostic::at(Code::CutShort, source, place(idx), message)
        } else if let Some((_, first)) = tail.and_then(<[_]>::first) {
            let first = *first;
            let last = source.lines().rev().find(|line| !is_blank(line.text))?;
            let message = format!(
                "the text ends here, but its contents name `{}`{}",
                name(first),
                more(absent.len())
            );
            let line = source.position(place(first).start).line;
            Diagnostic::at(Code::CutShort, source, last.span, message)
                .note(format!("named at {}:{line}:1", source.path()))
        } else {
            let first = absent.first()?.1;
            let message = format!(
                "the contents name `{}`{}, and the text goes on without",
                name(first),
                more(absent.len())
            );
            Diagnostic::at(Code::CutShort, source, place(first), message)
        };
        let hint = "fetch the file again from where it came: a part of it seems to be missing";
        Some(Lacking {
            game: builder.game.id.as_str().into(),
            document: builder.document.clone(),
            edition: builder.edition.clone(),
            langs,
            headings: absent
                .iter()
                .filter_map(|(item, _)| match item {
                    Item::Heading(number) => Some(builder.rule_id(number).into()),
                    Item::Glossary | Item::BackMatter => None,
                })
                .collect(),
            all_rules: all_rules.is_some(),
            glossary: absent.iter().any(|(item, _)| *item == Item::Glossary),
            diagnostic: diagnostic.hint(hint),
        })
    }
}

/// A line of a table of contents without the dots and the page that it ends with.
fn named(text: &str) -> &str {
    let mark = |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | '…' | '·' | '\t' | '_');
    let text = text.trim();
    let without = text.trim_end_matches(mark);
    // The figures of a title are not a page's: a leader or a gap stands before those.
    let tail = &text[without.len()..];
    let is_page = tail.contains("..") || tail.contains(['…', '\t', '·', '_']) || tail.contains("  ");
    match is_page && !without.is_empty() {
        true => without,
        false => text,
    }
}

/// True for the heading of a table of contents.
pub(super) fn is_contents_heading(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    ["contents", "table of contents", "目录", "目錄", "index"].contains(&text.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_contents_names_a_part() {
        for (line, name) in [
            ("7. Additional Rules", "7. Additional Rules"),
            ("Glossary ........ 212", "Glossary"),
            ("101. General  4", "101. General"),
            ("2. Article 51", "2. Article 51"),
            ("词汇表…………9", "词汇表"),
            ("101.", "101."),
        ] {
            assert_eq!(named(line), name, "{line}");
        }
    }
}
