//! Rulebooks with numbered rules.
//!
//! ```text
//! file     := front contents? body glossary? back
//! body     := ( heading | rule | example | paragraph | remark )*
//! heading  := chapter number '.' title | section number '.' title
//! rule     := number '.'? text
//! example  := 'Example:' … | '例如：' …
//! remark   := 'ABC专用 - ' …
//! ```
//!
//! A paragraph without a number goes on with the rule above. Where it is in the other language, it translates:
//! a run of rules and the run of such paragraphs after it (or before it) are matched by order, see
//! [`super::translation`]. A rule that has a number in both languages is matched by number.
//!
//! A table of contents is the headings that come again later with rules under them.

use super::audit;
use super::build::Builder;
use super::contents::{Contents, Item, is_contents_heading};
use super::detect::{is_title, rule_number};
use super::examples::example;
use super::notes::{format_remark, take_aside};
use super::paragraph::{Paragraph, View};
use super::references::following;
use super::translation::{Nearest, align, bilingual, is_partial};
use super::wrap;
use super::{Detection, Furniture, Hints, Parsed, Place, glossary};
use crate::citation::RuleNumber;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Field, Kind, Lang, Note, NoteClass, PairedBy, Pairing};
use crate::fold::is_han;
use crate::game::{Document, Game, Numbering};
use crate::name::Name;
use crate::source::SourceFile;
use std::collections::HashMap;

/// Reads numbered rules.
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
    let builder = Builder::new(source, game, detection, hints, view);
    let document = game.document(&builder.document);
    let Some((document, numbering)) =
        document.and_then(|document| Some((document, document.numbering.as_ref()?)))
    else {
        return builder.finish();
    };
    let paragraphs = wrap::paragraphs(view, document);
    let numbers = numbers(&paragraphs, document, numbering);
    let parts = Parts::of(&paragraphs, &numbers, document);
    let mut reader = Reader {
        lang: match langs.as_slice() {
            [lang] => Some(*lang),
            _ => None,
        },
        rules: HashMap::new(),
        order: Vec::new(),
        builder,
        numbering,
        paragraphs: &paragraphs,
        numbers: &numbers,
        run: Run::default(),
        nearest: Nearest::Last,
        current: None,
        in_example: false,
        after_heading: false,
    };
    let contents = Contents::of(
        &paragraphs[..parts.body],
        &numbers,
        document,
        numbering,
        |paragraph| listed_number(paragraph, document, numbering),
    );
    reader.front(..parts.body);
    reader.body(parts.body, parts.glossary);
    let mut builder = reader.builder;
    if parts.glossary < parts.back {
        builder.furniture(paragraphs[parts.glossary].lines, Furniture::Heading);
        let lang = reader
            .lang
            .unwrap_or_else(|| Lang::of(paragraphs[parts.glossary].text()));
        glossary::read(&mut builder, &paragraphs[parts.glossary + 1..parts.back], lang);
    }
    for paragraph in &paragraphs[parts.back..] {
        builder.furniture(paragraph.lines, Furniture::BackMatter);
    }
    audit::numbers(&mut builder, numbering, &reader.order);
    let lacking = contents.lacking(&builder, &paragraphs, langs, |item| match item {
        Item::Heading(number) => reader.rules.contains_key(number),
        Item::Glossary => parts.glossary < parts.back,
        Item::BackMatter => parts.back < paragraphs.len(),
    });
    Parsed {
        lacking,
        ..builder.finish()
    }
}

/// The number of a heading, as a line of a table of contents begins with it.
fn listed_number(
    paragraph: &Paragraph<'_>,
    document: &Document,
    numbering: &Numbering,
) -> Option<RuleNumber> {
    let (number, text) =
        rule_number(paragraph.text(), document).or_else(|| chapter_number(paragraph.text(), numbering))?;
    let is_heading = numbering.kind(&number) != Kind::Rule;
    (is_heading && is_dotted(paragraph, text)).then_some(number)
}

/// A number at the start of a paragraph.
#[derive(Debug, Clone)]
pub(super) struct Numbered {
    number: RuleNumber,
    /// Where the text behind it starts, in bytes of the paragraph.
    text: usize,
    kind: Kind,
}

/// The number each paragraph begins with, if it does.
fn numbers(
    paragraphs: &[Paragraph<'_>],
    document: &Document,
    numbering: &Numbering,
) -> Vec<Option<Numbered>> {
    // `(a)` alone is a number below the one before.
    let mut last: Option<RuleNumber> = None;
    let mut numbers: Vec<Option<Numbered>> = paragraphs
        .iter()
        .map(|paragraph| {
            let (number, text) = rule_number(paragraph.text(), document)
                .or_else(|| chapter_number(paragraph.text(), numbering))
                .or_else(|| below(paragraph.text(), last.as_ref()?, numbering))?;
            last = Some(number.clone());
            let kind = numbering.kind(&number);
            (number.depth() > 1 || is_dotted(paragraph, text) || is_title(&paragraph.text()[text..]))
                .then_some(Numbered { number, text, kind })
        })
        .collect();
    // A short number alone may count a list: it is a heading only where what comes next stands below it.
    let mut next: Option<RuleNumber> = None;
    for (numbered, paragraph) in numbers.iter_mut().zip(paragraphs).rev() {
        let Some(found) = numbered else { continue };
        let digits = paragraph.text().bytes().take_while(u8::is_ascii_digit).count();
        let short = digits < 3 || !is_dotted(paragraph, found.text);
        let short = short && found.number.depth() == 1 && !paragraph.heading;
        let leads = next.as_ref().is_some_and(|next| {
            numbering.leads(&found.number, next)
                || digits >= 3 && following(&found.number, numbering).as_ref() == Some(next)
        });
        // An item of a list is a sentence; a heading is none.
        let is_item = super::detect::is_sentence(&paragraph.text()[found.text..]) && !paragraph.heading;
        if short && (!leads || is_item) {
            *numbered = None;
        } else {
            next = Some(found.number.clone());
        }
    }
    numbers
}

/// True when a dot ends the number before the byte `text` of a paragraph, or stands in it.
fn is_dotted(paragraph: &Paragraph<'_>, text: usize) -> bool {
    paragraph.text()[..text].contains(['.', '．', '第', '§'])
}

/// A number that is only its last part in brackets, `(a) one has no ink`, with the bytes up to the text.
fn below(text: &str, last: &RuleNumber, numbering: &Numbering) -> Option<(RuleNumber, usize)> {
    let (number, length) = numbering.read_below(text, last)?;
    Some((number, text.len() - text[length..].trim_start().len()))
}

/// A chapter's own number, with the bytes up to the title: `7. Additional Rules`.
fn chapter_number(text: &str, numbering: &Numbering) -> Option<(RuleNumber, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: RuleNumber = text.get(..digits)?.parse().ok()?;
    let title = text[digits..].strip_prefix(['.', ' '])?.trim_start();
    (numbering.is_chapter(&number) && !title.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| (number, text.len() - title.len()))
}

/// Where the parts of a rulebook begin, as indices of paragraphs.
struct Parts {
    body: usize,
    /// The glossary's heading; where the back matter begins if there is none.
    glossary: usize,
    back: usize,
}

impl Parts {
    fn of(paragraphs: &[Paragraph<'_>], numbers: &[Option<Numbered>], document: &Document) -> Parts {
        let body = body(numbers);
        let is = |marks: fn(&Document) -> &Vec<String>, idx: &usize| {
            let text = paragraphs[*idx].text();
            marks(document).iter().any(|mark| is_mark(text, mark))
        };
        let glossary = (body..paragraphs.len())
            .rev()
            .find(|idx| is(|document| &document.print.glossary, idx));
        let back = (glossary.unwrap_or(body)..paragraphs.len())
            .find(|idx| is(|document| &document.print.back_matter, idx))
            .unwrap_or(paragraphs.len());
        Parts {
            body,
            glossary: glossary.unwrap_or(back),
            back,
        }
    }
}

/// True when a paragraph is that mark: nothing else, or nothing that could be read as the same word.
fn is_mark(text: &str, mark: &str) -> bool {
    text.strip_prefix(mark)
        .is_some_and(|rest| rest.chars().next().is_none_or(char::is_control))
}

/// Where the rules begin: at the first rule, or at the headings right above it. What headings stand before, out
/// of their order, are the table of contents.
fn body(numbers: &[Option<Numbered>]) -> usize {
    let is_rule =
        |numbered: &Option<Numbered>| numbered.as_ref().is_some_and(|found| found.kind == Kind::Rule);
    let first = numbers
        .iter()
        .position(is_rule)
        .or_else(|| numbers.iter().position(Option::is_some));
    let Some(mut body) = first else {
        return numbers.len();
    };
    let mut below = &numbers[body];
    for (idx, numbered) in numbers.iter().enumerate().take(body).rev() {
        let (Some(above), Some(found)) = (numbered, below) else {
            continue;
        };
        // A heading may be there twice, one right above the other; further away it is in the contents.
        if above.number > found.number || above.number == found.number && idx + 1 < body {
            break;
        }
        (body, below) = (idx, numbered);
    }
    body
}

/// Rules that stand one after another, and the paragraphs of the other language beside them.
#[derive(Default)]
struct Run {
    entries: Vec<usize>,
    /// Indices of paragraphs.
    loose: Vec<usize>,
}

struct Reader<'a, 'p> {
    builder: Builder<'a>,
    numbering: &'a Numbering,
    paragraphs: &'p [Paragraph<'p>],
    numbers: &'p [Option<Numbered>],
    /// The text's one language; none when it has both.
    lang: Option<Lang>,
    /// The entry of each number, with the line of its first text.
    rules: HashMap<RuleNumber, usize>,
    /// Each number as it comes, with its paragraph, for the audit.
    order: Vec<audit::Found>,
    run: Run,
    nearest: Nearest,
    /// The entry that unnumbered paragraphs go on with, and its language.
    current: Option<(usize, Lang)>,
    in_example: bool,
    /// The last numbered paragraph was set as a heading.
    after_heading: bool,
}

impl Reader<'_, '_> {
    /// What stands before the rules.
    fn front(&mut self, front: std::ops::RangeTo<usize>) {
        let mut in_contents = false;
        let translations = self.translations_before(front.end);
        for idx in 0..front.end {
            let paragraph = &self.paragraphs[idx];
            in_contents |= self.numbers[idx].is_some();
            let edition = self.builder.edition.as_deref();
            let what = if in_contents || is_contents_heading(paragraph.text()) {
                in_contents = true;
                Furniture::Contents
            } else if super::detect::names_document(paragraph.text(), self.builder.game) {
                Furniture::Title
            } else if super::detect::names_edition(paragraph.text(), edition) {
                Furniture::Edition
            } else if idx >= translations {
                self.run.loose.push(idx);
                continue;
            } else {
                Furniture::Introduction
            };
            self.builder.furniture(paragraph.lines, what);
        }
    }

    /// Where the paragraphs right before the first rule begin that may translate it: those of the other
    /// language, less a title above them.
    fn translations_before(&self, body: usize) -> usize {
        let Some(rule) = self.paragraphs.get(body).filter(|_| self.lang.is_none()) else {
            return body;
        };
        let lang = Lang::of(rule.text());
        let before = &self.paragraphs[..body];
        let translates = |paragraph: &&Paragraph<'_>| Lang::of(paragraph.text()) != lang;
        let count = before.iter().rev().take_while(translates).count();
        let rules = self.numbers[body..]
            .iter()
            .take_while(|numbered| numbered.is_some())
            .count();
        let first = body - count;
        let has_title = count > rules && !super::detect::is_sentence(self.paragraphs[first].text());
        first + usize::from(has_title)
    }

    fn body(&mut self, start: usize, end: usize) {
        if self.lang.is_none() {
            self.nearest = self.which_comes_first(start, end);
        }
        if self.nearest == Nearest::Last {
            for idx in std::mem::take(&mut self.run.loose) {
                self.builder
                    .furniture(self.paragraphs[idx].lines, Furniture::Introduction);
            }
        }
        for idx in start..end {
            let paragraph = &self.paragraphs[idx];
            match &self.numbers[idx] {
                Some(numbered) => self.rule(idx, numbered),
                None => self.unnumbered(idx, paragraph),
            }
        }
        self.close_run();
    }

    /// The language of a paragraph.
    fn language(&self, text: &str) -> Lang {
        self.lang.unwrap_or_else(|| Lang::of(text))
    }

    /// Whether translations come before their rules or after them, by what the text begins and ends with, and
    /// else by which way more runs have as many paragraphs as rules.
    fn which_comes_first(&self, start: usize, end: usize) -> Nearest {
        let mut runs: Vec<(bool, usize)> = Vec::new();
        let mut push = |numbered: bool| match runs.last_mut() {
            Some((last, length)) if *last == numbered => *length += 1,
            _ => runs.push((numbered, 1)),
        };
        self.run.loose.iter().for_each(|_| push(false));
        let mut rules = Lang::En;
        for idx in start..end {
            let text = self.paragraphs[idx].text();
            if self.numbers[idx].is_some() {
                rules = Lang::of(text);
                push(true);
            } else if Lang::of(text) != rules && example(text).is_none() && format_remark(text).is_none() {
                push(false);
            }
        }
        let matches = |first: bool| {
            let pairs = runs
                .windows(2)
                .filter(|pair| pair[0].0 == first && pair[0].1 == pair[1].1);
            pairs.count()
        };
        match (runs.first(), runs.last()) {
            (Some((false, _)), Some((true, _))) => Nearest::First,
            (Some((true, _)), Some((false, _))) => Nearest::Last,
            _ if matches(false) > matches(true) => Nearest::First,
            _ => Nearest::Last,
        }
    }

    fn rule(&mut self, idx: usize, numbered: &Numbered) {
        let paragraph = &self.paragraphs[idx];
        let text = &paragraph.text()[numbered.text..];
        let lang = self.language(if text.is_empty() { paragraph.text() } else { text });
        self.in_example = false;
        if let Some(&entry_idx) = self.rules.get(&numbered.number) {
            return self.again(idx, numbered, entry_idx, text, lang);
        }
        if self.nearest == Nearest::Last && !self.run.loose.is_empty() {
            self.close_run();
        }
        let id = self.builder.rule_id(&numbered.number);
        let entry_idx = self.builder.add(id, numbered.kind, paragraph.lines.first);
        let above = numbered
            .number
            .parent()
            .or_else(|| self.numbering.chapter_of(&numbered.number));
        let parent = above.map(|number| {
            let id = self.builder.rule_id(&number);
            self.builder.id(id)
        });
        let entry = &mut self.builder.entries[entry_idx];
        entry.citation = Some(numbered.number.clone());
        entry.parent = parent;
        let field = if paragraph.heading {
            Field::Title
        } else {
            field(numbered.kind, text)
        };
        match both_languages(text).filter(|_| field == Field::Title && self.lang.is_none()) {
            Some((en, zh)) => {
                self.builder.put(entry_idx, field, Lang::En, en, paragraph.lines);
                self.builder.put(entry_idx, field, Lang::Zh, zh, paragraph.lines);
                self.builder.entries[entry_idx].pairing = Some(Pairing {
                    how: PairedBy::Number,
                    certain: true,
                    partial: false,
                });
            }
            None => self.builder.put(entry_idx, field, lang, text, paragraph.lines),
        }
        self.order.push(audit::Found {
            number: numbered.number.clone(),
            span: paragraph.span,
            again: None,
        });
        self.rules.insert(numbered.number.clone(), entry_idx);
        self.current = Some((entry_idx, lang));
        if self.lang.is_none() {
            if self.run.loose.is_empty() && self.after_heading {
                // What follows a page's heading is not its translation.
                self.run.entries.clear();
            }
            self.after_heading = paragraph.heading;
            self.run.entries.push(entry_idx);
        }
    }

    /// A number that was there before: the translation of its rule, or a mistake of the text.
    fn again(&mut self, idx: usize, numbered: &Numbered, entry_idx: usize, text: &str, lang: Lang) {
        let paragraph = &self.paragraphs[idx];
        let entry = &self.builder.entries[entry_idx];
        let field = field(numbered.kind, text);
        let there = |lang: Lang| entry.text.get(lang).or(entry.title.get(lang));
        let translates = there(lang).is_none() && there(lang.other()).is_some();
        if there(lang).is_some_and(|before| before == text) {
            // A heading that the page repeats under its anchor.
            let place = Place::Entry {
                entry_idx,
                field,
                lang,
            };
            self.builder.place(paragraph.lines, place);
            self.current = Some((entry_idx, lang));
            return;
        }
        if !translates {
            self.order.push(audit::Found {
                number: numbered.number.clone(),
                span: paragraph.span,
                again: Some(entry.sources[0].line),
            });
        }
        self.builder.put(entry_idx, field, lang, text, paragraph.lines);
        let entry = &mut self.builder.entries[entry_idx];
        if translates {
            let (en, zh) = (
                entry.text.en.as_deref().unwrap_or(""),
                entry.text.zh.as_deref().unwrap_or(""),
            );
            entry.pairing = Some(Pairing {
                how: PairedBy::Number,
                certain: true,
                partial: is_partial(en, zh),
            });
        }
        self.current = Some((entry_idx, lang));
    }

    fn unnumbered(&mut self, idx: usize, paragraph: &Paragraph<'_>) {
        let text = paragraph.text();
        if paragraph.numbers_back > 0
            && let Some(found) = self.order.len().checked_sub(paragraph.numbers_back)
            && let Some(&entry_idx) = self.rules.get(&self.order[found].number)
        {
            return self
                .builder
                .put(entry_idx, Field::Text, self.language(text), text, paragraph.lines);
        }
        if let Some(remark) = format_remark(text) {
            if self.lang.is_some() {
                return self.remark(remark, paragraph);
            }
            // It speaks of the rules that it stands beside, like the translations there.
            return self.loose(idx);
        }
        let lang = self.language(text);
        if let (true, Some((entry_idx, _))) = (paragraph.aside, self.current) {
            let note = Note {
                lang: Lang::of(text),
                text: text.to_owned(),
                class: NoteClass::Commentary,
                tag: None,
                covers: Vec::new(),
            };
            return self.builder.note(entry_idx, note, paragraph.lines);
        }
        let Some((entry_idx, current_lang)) = self.current else {
            // Only translations that come first get here.
            self.run.loose.push(idx);
            return;
        };
        if let Some(example) = example(text) {
            self.builder
                .put(entry_idx, Field::Example, lang, example, paragraph.lines);
            self.in_example = true;
            return;
        }
        if self.lang.is_none() && lang != current_lang {
            return self.loose(idx);
        }
        if self.in_example && !paragraph.after_blank {
            return self
                .builder
                .extend_example(entry_idx, lang, text, paragraph.lines);
        }
        self.in_example = false;
        let entry = &self.builder.entries[entry_idx];
        let untitled = entry.title.get(lang).is_none_or(String::is_empty) && entry.text.get(lang).is_none();
        let field = match entry.kind {
            Kind::Chapter | Kind::Section if untitled => field(entry.kind, text),
            _ => Field::Text,
        };
        self.builder.put(entry_idx, field, lang, text, paragraph.lines);
    }

    /// Keeps a paragraph for the run of rules that it stands beside.
    fn loose(&mut self, idx: usize) {
        if self.nearest == Nearest::First && !self.run.entries.is_empty() {
            self.close_run();
        }
        self.run.loose.push(idx);
    }

    /// Puts a remark about a format on the head of the group of rules before it.
    fn remark(&mut self, mut remark: crate::entry::Note, paragraph: &Paragraph<'_>) {
        let rules: Vec<usize> = (0..self.builder.entries.len()).collect();
        let Some(&group) = self.groups(&rules).last() else {
            return self.builder.furniture(paragraph.lines, Furniture::Introduction);
        };
        let head = rules.len() - group;
        remark.covers = self.builder.entries[head + 1..]
            .iter()
            .map(|entry| entry.id.clone())
            .collect();
        self.builder.note(head, remark, paragraph.lines);
    }

    /// The lengths of the numbered groups in a run of entries: a rule and what stands below it.
    fn groups(&self, entries: &[usize]) -> Vec<usize> {
        let mut groups: Vec<usize> = Vec::new();
        let mut head: Option<&RuleNumber> = None;
        for &entry_idx in entries {
            let entry = &self.builder.entries[entry_idx];
            let number = entry.citation.as_ref();
            let below = head
                .zip(number)
                .is_some_and(|(head, number)| head.contains(number));
            match groups.last_mut() {
                Some(length) if below => *length += 1,
                _ => {
                    groups.push(1);
                    // A whole section is no group: its rules have little to do with each other.
                    head = number.filter(|_| entry.kind == Kind::Rule);
                }
            }
        }
        groups
    }

    /// Matches the loose paragraphs of a run to its rules.
    fn close_run(&mut self) {
        let Run { entries, loose } = std::mem::take(&mut self.run);
        let paragraphs = self.paragraphs;
        if loose.is_empty() {
            return;
        }
        let groups = self.groups(&entries);
        let (mut remarks, mut texts) = (Vec::new(), Vec::new());
        for idx in loose {
            match format_remark(paragraphs[idx].text()) {
                Some(remark) => remarks.push((remark, idx)),
                None => texts.push(idx),
            }
        }
        if entries.is_empty() {
            for idx in texts {
                self.not_matched(idx);
            }
            for (remark, idx) in remarks {
                self.remark(remark, &paragraphs[idx]);
            }
            return;
        }
        self.translate(&entries, &groups, &texts);
        let group = match self.nearest {
            Nearest::Last => &entries[entries.len() - groups.last().copied().unwrap_or(1)..],
            Nearest::First => &entries[..groups.first().copied().unwrap_or(1)],
        };
        let covers: Vec<Name> = group[1..]
            .iter()
            .map(|&idx| self.builder.entries[idx].id.clone())
            .collect();
        for (mut remark, idx) in remarks {
            remark.covers.clone_from(&covers);
            self.builder.note(group[0], remark, paragraphs[idx].lines);
        }
        self.current = entries.last().map(|&last| {
            let lang = self.builder.entries[last]
                .provenance
                .iter()
                .next()
                .map_or(Lang::En, |(lang, _)| lang);
            (last, self.current.map_or(lang, |(_, lang)| lang))
        });
    }

    fn translate(&mut self, entries: &[usize], groups: &[usize], loose: &[usize]) {
        if loose.is_empty() {
            return;
        }
        let paragraphs = self.paragraphs;
        let lang = Lang::of(paragraphs[loose[0]].text());
        let texts: Vec<&str> = loose.iter().map(|&idx| paragraphs[idx].text()).collect();
        let rules: Vec<String> = entries
            .iter()
            .map(|&idx| self.text_in(idx, lang.other()))
            .collect();
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        let aligned = align(&rules, groups, self.nearest, &texts);
        let mut matched = vec![false; loose.len()];
        for (rule, range) in aligned.paragraphs.iter().enumerate() {
            let Some(last) = range.clone().next_back() else {
                continue;
            };
            let entry_idx = entries[rule];
            let mut aside = None;
            for paragraph in range.clone() {
                matched[paragraph] = true;
                let (mut text, lines) = (texts[paragraph].to_owned(), paragraphs[loose[paragraph]].lines);
                if paragraph == last
                    && let Some((rest, note)) = take_aside(&text, rules[rule])
                {
                    text = rest;
                    aside = Some((note, lines));
                }
                let kind = self.builder.entries[entry_idx].kind;
                let titled = self.builder.entries[entry_idx].title.get(lang).is_some();
                let field = if titled { Field::Text } else { field(kind, &text) };
                self.builder.put(entry_idx, field, lang, &text, lines);
            }
            if let Some((note, lines)) = aside {
                self.builder.note(entry_idx, note, lines);
            }
            let translation = self.text_in(entry_idx, lang);
            let (en, zh) = bilingual(lang.other(), rules[rule], &translation);
            self.builder.entries[entry_idx].pairing = Some(Pairing {
                how: PairedBy::Order,
                certain: aligned.certain,
                partial: is_partial(en, zh),
            });
        }
        for (idx, _) in matched.iter().enumerate().filter(|(_, matched)| !**matched) {
            self.not_matched(loose[idx]);
        }
    }

    /// The text of an entry in that language, or its title.
    fn text_in(&self, entry_idx: usize, lang: Lang) -> String {
        let entry = &self.builder.entries[entry_idx];
        let text = entry.text.get(lang).or(entry.title.get(lang));
        text.cloned().unwrap_or_default()
    }

    fn not_matched(&mut self, idx: usize) {
        let paragraph = &self.paragraphs[idx];
        self.builder
            .place(paragraph.lines, super::Place::Reported(Code::Unpaired));
        self.builder.diagnostics.push(
            Diagnostic::at(
                Code::Unpaired,
                self.builder.source,
                paragraph.span,
                "a paragraph in the other language with no rule beside it",
            )
            .hint("place it under the rule that it translates, or give it the rule's number"),
        );
    }
}

/// The two halves of a title in both languages, English first: `区域 Zones`, `Zones 区域`.
fn both_languages(title: &str) -> Option<(&str, &str)> {
    let title = title.trim();
    let first = title.find(is_han)?;
    let (last, c) = title.char_indices().rfind(|(_, c)| is_han(*c))?;
    let english =
        |text: &str| text.chars().filter(|c| c.is_ascii_alphabetic()).count() >= 3 && !text.contains(is_han);
    let (before, after) = (&title[..first], &title[last + c.len_utf8()..]);
    if before.ends_with(' ') && english(before) {
        Some((before.trim(), &title[first..]))
    } else if after.starts_with(' ') && english(after) {
        Some((after.trim(), &title[..title.len() - after.len()]))
    } else {
        None
    }
}

/// Where the first text behind a number goes: a heading's is a title unless it is too long for one.
fn field(kind: Kind, text: &str) -> Field {
    const LONGEST_TITLE: usize = 120;
    match kind {
        Kind::Chapter | Kind::Section if text.chars().count() <= LONGEST_TITLE => Field::Title,
        _ => Field::Text,
    }
}
