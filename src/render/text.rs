//! What people read at a terminal: entries, hits, in either language, wrapped by display width.

use super::message::Ui;
use super::sanitize::{push_line, sanitize, sanitize_line};
use crate::card::{self, Card};
use crate::entry::{Behind, Bilingual, CardRef, Entry, Field, Kind, Lag, Lang, Provenance};
use crate::evaluate::calc::Calc;
use crate::evaluate::{Because, Status, Verdict};
use crate::faq::check::Finding;
use crate::history::{Change, Place, Words};
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use std::ops::Range;

/// How to lay text out.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// Columns to wrap at; none for no wrapping.
    pub width: Option<usize>,
    /// True to write colours.
    pub colour: Colour,
    /// The language of the program's own words.
    pub ui: Ui,
}

/// Whether escape codes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// They are.
    On,
    /// They are not.
    Off,
}

/// A stretch of one text of an entry that is set off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The field.
    pub field: Field,
    /// Which of a list, from 0.
    pub item: usize,
    /// The language.
    pub lang: Lang,
    /// Bytes of the field's text.
    pub bytes: Range<usize>,
}

const NUMBER: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));
const TITLE: Style = Style::new().bold();
const MARK: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
const MACHINE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Magenta)));
const OLD: Style = Style::new()
    .strikethrough()
    .fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));
const NEW: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
const DIM: Style = Style::new().dimmed();

impl Layout {
    fn style(&self, style: Style, text: &str) -> String {
        match self.colour {
            Colour::On if !text.is_empty() => format!("{style}{text}{style:#}"),
            _ => text.to_owned(),
        }
    }

    /// Appends what `write` writes, set off where there are colours.
    fn set_off(&self, out: &mut String, style: Style, write: impl FnOnce(&mut String)) {
        match self.colour {
            Colour::On => {
                let mut text = String::new();
                write(&mut text);
                out.push_str(&self.style(style, &text));
            }
            Colour::Off => write(out),
        }
    }

    /// Appends a paragraph, each line indented.
    fn paragraph(&self, out: &mut String, text: &str, indent: usize, hanging: usize) {
        self.paragraph_of(out, indent, hanging, |out| out.push_str(text));
    }

    /// Appends what `write` writes as a paragraph, each line indented. Nothing is copied where nothing is wrapped.
    fn paragraph_of(&self, out: &mut String, indent: usize, hanging: usize, write: impl FnOnce(&mut String)) {
        match self.width {
            Some(width) => {
                let mut text = String::new();
                write(&mut text);
                let (first, rest) = (" ".repeat(indent), " ".repeat(indent + hanging));
                // Each line takes what fits. Lines of even length cost five times the search that found them.
                let options = textwrap::Options::new(width.max(indent + hanging + 10))
                    .initial_indent(&first)
                    .subsequent_indent(&rest)
                    .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
                    // Lines may break after a hyphen anyway, but not within `702.3a-1`.
                    .word_splitter(textwrap::WordSplitter::NoHyphenation)
                    .break_words(true);
                for line in textwrap::wrap(&text, options) {
                    out.push_str(line.trim_end());
                    out.push('\n');
                }
            }
            None => {
                out.extend(std::iter::repeat_n(' ', indent));
                let start = out.len();
                write(out);
                out.truncate(start + out[start..].trim_end().len());
                out.push('\n');
            }
        }
    }

    /// Appends a text made safe, its marked stretches set off.
    fn marked(&self, out: &mut String, text: &str, marks: &[Range<usize>]) {
        let (on, off) = match self.colour {
            Colour::On if !marks.is_empty() => (MARK.to_string(), format!("{MARK:#}")),
            _ => Default::default(),
        };
        let mut at = 0;
        for mark in marks {
            let (Some(before), Some(inside)) = (text.get(at..mark.start), text.get(mark.clone())) else {
                continue;
            };
            out.push_str(&sanitize(before));
            out.push_str(&on);
            out.push_str(&sanitize(inside));
            out.push_str(&off);
            at = mark.end;
        }
        out.push_str(&sanitize(text.get(at..).unwrap_or_default()));
    }

    /// One entry: a heading with number, title, edition and provenance, its texts, examples, items and notes.
    ///
    /// `depth` indents; `rank` numbers a hit; `marks` are set off, in rising order.
    pub fn entry(&self, entry: &Entry, depth: usize, rank: Option<usize>, marks: &[Mark]) -> String {
        let length = entry.texts().map(|(_, _, text)| text.len()).sum::<usize>();
        let mut out = String::with_capacity(length + 256);
        let indent = (depth * 2).min(16);
        self.paragraph_of(&mut out, indent, 2, |out| {
            if let Some(rank) = rank {
                let _ = write!(out, "{rank}. ");
            }
            self.heading(out, entry, depth);
        });
        let indent = indent + 2;
        let of = |field: Field, item: usize, lang: Lang| -> Vec<Range<usize>> {
            let here = marks
                .iter()
                .filter(|mark| mark.field == field && mark.item == item && mark.lang == lang);
            here.map(|mark| mark.bytes.clone()).collect()
        };
        for (lang, text) in entry.text.iter() {
            if entry.title.get(lang) == Some(text) {
                continue;
            }
            self.text(
                &mut out,
                &self.machine_mark(&entry.provenance, lang),
                text,
                &of(Field::Text, 0, lang),
                indent,
                0,
            );
        }
        for (idx, item) in entry.items.iter().enumerate() {
            for (lang, text) in item.iter() {
                let number = format!("{}. ", idx + 1);
                self.text(&mut out, &number, text, &of(Field::Item, idx, lang), indent, 3);
            }
        }
        for (idx, example) in entry.examples.iter().enumerate() {
            for (lang, text) in example.iter() {
                self.text(
                    &mut out,
                    Ui::example(lang),
                    text,
                    &of(Field::Example, idx, lang),
                    indent,
                    2,
                );
            }
        }
        for (idx, note) in entry.notes.iter().enumerate() {
            let tag = note
                .tag
                .as_deref()
                .map(|tag| format!("[{}] ", sanitize_line(tag)))
                .unwrap_or_default();
            let lead = format!("{}{tag}", Ui::note(note.lang, note.class));
            self.text(
                &mut out,
                &lead,
                &note.text,
                &of(Field::Note, idx, note.lang),
                indent,
                2,
            );
            if !note.covers.is_empty() {
                let ids = note
                    .covers
                    .iter()
                    .map(|id| short_id(id))
                    .collect::<Vec<_>>()
                    .join(", ");
                self.paragraph(
                    &mut out,
                    &self.style(DIM, &format!("({}{ids})", self.ui.covers())),
                    indent + 2,
                    0,
                );
            }
        }
        for remark in self.remarks(entry) {
            self.paragraph(&mut out, &self.style(DIM, &remark), indent, 2);
        }
        out
    }

    /// A card: `Kozilek, the Great Distortion · 无际曲相寇基雷  [mtg, unknown]  3 rulings`, below it its type line and what it
    /// says.
    pub fn card(&self, card: &Card) -> String {
        let mut out = self.card_heading(card);
        let is_called_otherwise = !card.en.is_empty() || !card.zh.is_empty();
        if is_called_otherwise && !card.others.is_empty() {
            let others = card
                .others
                .iter()
                .map(|(code, name)| sanitize_line(&format!("{code} {name}")));
            let others: Vec<String> = others.collect();
            self.paragraph(&mut out, &self.style(DIM, &others.join(" · ")), 2, 2);
        }
        let types = types_of(card);
        if !types.is_empty() {
            self.paragraph(&mut out, &self.style(DIM, &sanitize_line(&types)), 2, 2);
        }
        let stats = self.ui.stats(card);
        if !stats.is_empty() {
            self.paragraph(&mut out, &self.style(DIM, &sanitize_line(&stats)), 2, 2);
        }
        for (lang, text) in card.text.iter() {
            let mut mark = self.machine_mark(&card.provenance, lang);
            for (face, part) in text.split(card::BETWEEN_TEXTS).enumerate() {
                if face > 0 {
                    self.paragraph(&mut out, &self.style(DIM, "//"), 2, 2);
                }
                // What a face says may be known of the other alone.
                for line in part.split('\n').filter(|line| !line.is_empty()) {
                    let line = format!("{}{}", std::mem::take(&mut mark), sanitize_line(line));
                    self.paragraph(&mut out, &line, 2, 2);
                }
            }
        }
        out
    }

    /// The first line of a card: its names, its game, who words it, and how many rulings it has.
    pub fn card_heading(&self, card: &Card) -> String {
        let mut out = String::new();
        let names = card.en.iter().chain(&card.zh).map(|name| sanitize_line(name));
        let mut names: Vec<String> = names.collect();
        if names.is_empty() {
            names.extend(card.names().map(|name| sanitize_line(name)));
        }
        let n_rulings = self.ui.rulings(card.entries.len());
        let said = |lang: Lang| {
            card.text.get(lang).or(card.type_line.get(lang)).map(|_| {
                let provenance = card.provenance.get(lang).cloned().unwrap_or_default();
                self.ui.provenance(&provenance)
            })
        };
        let origin = match (said(Lang::En), said(Lang::Zh)) {
            (Some(en), Some(zh)) if en != zh => format!(", en {en} · zh {zh}"),
            (Some(said), _) | (None, Some(said)) => format!(", {said}"),
            (None, None) => String::new(),
        };
        let cost = card.cost().map(|cost| format!("  {}", sanitize_line(cost)));
        let heading = format!(
            "{}{}  {}",
            self.style(TITLE, &names.join(" · ")),
            cost.unwrap_or_default(),
            self.style(
                DIM,
                &format!(
                    "[{}]  {n_rulings}",
                    sanitize_line(&format!("{}{origin}", card.game))
                )
            )
        );
        self.paragraph(&mut out, &heading, 0, 2);
        out
    }

    /// The heading of an entry alone; of one without a name, how its text begins.
    pub fn entry_heading(&self, entry: &Entry, depth: usize) -> String {
        let mut out = String::new();
        let indent = (depth * 2).min(16);
        self.paragraph_of(&mut out, indent, 2, |out| self.heading(out, entry, depth));
        if entry.title.is_empty() {
            let first = [self.ui.0, self.ui.0.other()];
            let says = first.into_iter().find_map(|lang| entry.text.get(lang));
            let columns = self
                .width
                .unwrap_or(ONE_LINE)
                .min(ONE_LINE)
                .saturating_sub(indent + 2);
            let says = clipped(&sanitize_line(says.map_or("", String::as_str)), columns);
            self.paragraph(&mut out, &says, indent + 2, 0);
        }
        out
    }

    fn text(
        &self,
        out: &mut String,
        lead: &str,
        text: &str,
        marks: &[Range<usize>],
        indent: usize,
        hanging: usize,
    ) {
        let mut start = 0;
        for paragraph in text.split('\n') {
            let end = start + paragraph.len();
            let here: Vec<Range<usize>> = marks
                .iter()
                .filter(|mark| mark.start < end && mark.end > start)
                .map(|mark| mark.start.saturating_sub(start)..mark.end.min(end) - start)
                .collect();
            let lead = if start == 0 { lead } else { "" };
            self.paragraph_of(out, indent, hanging, |out| {
                out.push_str(lead);
                self.marked(out, paragraph, &here);
            });
            start = end + 1;
        }
    }

    /// `702.19b  Trample · 践踏  [mtg cr 2026-04-17, official · zh community]`
    fn heading(&self, out: &mut String, entry: &Entry, depth: usize) {
        let mut n_parts = 0;
        let mut part = |out: &mut String, style: Option<Style>, write: &dyn Fn(&mut String)| {
            if n_parts > 0 {
                out.push_str("  ");
            }
            n_parts += 1;
            match style {
                Some(style) => self.set_off(out, style, write),
                None => write(out),
            }
        };
        match (&entry.citation, entry.kind) {
            (Some(number), _) => part(out, Some(NUMBER), &|out| out.push_str(number.as_str())),
            (None, Kind::Term) => {}
            (None, kind) => part(out, Some(NUMBER), &|out| {
                let hex = entry.id.rsplit(':').next().unwrap_or_default();
                out.push_str(self.ui.kind(kind));
                out.push(' ');
                push_line(out, entry.label.as_deref().unwrap_or(hex));
            }),
        }
        if !entry.title.is_empty() {
            part(out, Some(TITLE), &|out| {
                for (n, (_, title)) in entry.title.iter().enumerate() {
                    out.push_str(if n > 0 { " · " } else { "" });
                    push_line(out, title);
                }
            });
        }
        if entry.kind == Kind::Term {
            part(out, Some(DIM), &|out| out.push_str(self.ui.kind(Kind::Term)));
        }
        if let Some(date) = &entry.date {
            part(out, None, &|out| push_line(out, date));
        }
        part(out, Some(DIM), &|out| {
            out.push('[');
            push_line(out, &self.origin(entry, depth));
            out.push(']');
        });
    }

    /// Where a text is from and who words it: `mtg cr 2026-04-17, official · zh community`.
    fn origin(&self, entry: &Entry, depth: usize) -> String {
        let say = |lang: Lang| {
            let mut said = String::with_capacity(32);
            if let Some(edition) = entry.edition.get(lang) {
                said.push_str(edition);
                said.push_str(", ");
            }
            let provenance = entry.provenance.get(lang);
            match provenance {
                Some(provenance) => said.push_str(&self.ui.provenance(provenance)),
                None => said.push_str(&self.ui.provenance(&Provenance::default())),
            }
            said
        };
        let mut origin = String::with_capacity(64);
        if depth == 0 {
            origin.push_str(&entry.game);
            origin.push(' ');
            if matches!(entry.kind, Kind::Rule | Kind::Section | Kind::Chapter) {
                origin.push_str(&entry.document);
                origin.push(' ');
            }
        }
        match Lang::ALL.map(|lang| has_text(entry, lang)) {
            [true, true] => {
                let (en, zh) = (say(Lang::En), say(Lang::Zh));
                if en == zh {
                    origin.push_str(&en);
                } else {
                    let _ = write!(origin, "en {en} · zh {zh}");
                }
            }
            [false, true] => origin.push_str(&say(Lang::Zh)),
            [_, false] => origin.push_str(&say(Lang::En)),
        }
        origin
    }

    /// What stands before a text that a machine made: never shown without.
    fn machine_mark(&self, provenance: &Bilingual<Provenance>, lang: Lang) -> String {
        match provenance.get(lang) {
            Some(provenance) if provenance.class == crate::entry::ProvenanceClass::Machine => {
                let mark = format!("[{}] ", sanitize_line(&self.ui.provenance(provenance)));
                self.style(MACHINE, &mark)
            }
            _ => String::new(),
        }
    }

    /// What is said below the texts: cards, the pairing's doubts, cited rules.
    fn remarks(&self, entry: &Entry) -> Vec<String> {
        let mut remarks = Vec::new();
        let cards: Vec<String> = entry
            .cards
            .iter()
            .map(card_name)
            .filter(|name| !name.is_empty())
            .collect();
        if !cards.is_empty() {
            let more = cards.len().saturating_sub(MOST_CARDS);
            let shown = cards[..cards.len() - more].join(" · ");
            let more = if more > 0 {
                self.ui.more_cards(more)
            } else {
                String::new()
            };
            remarks.push(format!("{}{shown}{more}", self.ui.card()));
        }
        remarks.extend(doubts(entry, self.ui));
        if !entry.references.is_empty() {
            let mut cited = self.ui.see().to_owned();
            for (n, id) in entry.references.iter().enumerate() {
                cited.push_str(if n > 0 { ", " } else { "" });
                cited.push_str(short_id(id));
            }
            remarks.push(cited);
        }
        remarks
    }

    /// A numeric verdict: the answer, which words gave it, the table around each bound, what decides, what was
    /// not used, and the open readings where there is no answer.
    pub fn verdict(&self, verdict: &Verdict, deciding: &[Entry]) -> String {
        let mut out = String::new();
        let mut headline = self.ui.verdict(verdict).replace('`', "");
        if let (Some(_), Some(predicate)) = (&verdict.value, &verdict.predicate) {
            headline.push_str(&format!("  {predicate}"));
        }
        let style = match (verdict.status, verdict.holds) {
            (Status::Undecided, _) => MACHINE,
            (_, Some(false)) => TITLE,
            _ => NUMBER,
        };
        self.paragraph(&mut out, &self.style(style, &sanitize_line(&headline)), 0, 2);
        for (name, quantity) in &verdict.vars {
            self.paragraph(&mut out, &sanitize_line(&format!("{name}: {quantity}")), 2, 4);
        }
        if let Some(reason) = verdict.reason {
            self.paragraph(&mut out, reason.text().get(self.ui.0), 2, 2);
        }
        for candidate in &verdict.candidates {
            self.paragraph(&mut out, &format!("{}{candidate}", self.ui.reading()), 2, 2);
        }
        if !verdict.boundary.is_empty() {
            let row: Vec<String> = verdict
                .boundary
                .iter()
                .map(|(number, holds)| format!("{number} {}", self.ui.yes_no(*holds)))
                .collect();
            self.paragraph(&mut out, &row.join("   "), 2, 0);
        }
        if let Some(text) = self.ui.met_by_all(verdict) {
            self.paragraph(&mut out, text, 2, 2);
        }
        for because in &verdict.because {
            self.paragraph(&mut out, &self.because(because), 2, 4);
        }
        for unused in &verdict.unused {
            let text = format!(
                "{}“{}” — {}",
                self.ui.unused(),
                unused.words,
                unused.why.get(self.ui.0)
            );
            self.paragraph(&mut out, &self.style(DIM, &sanitize_line(&text)), 2, 4);
        }
        for entry in deciding {
            out.push_str(&self.entry(entry, 1, None, &[]));
        }
        out
    }

    /// `“2 power counters” — at least 2 (rule 104.7, not loaded)`
    fn because(&self, because: &Because) -> String {
        let mut text = format!("“{}” — {}", because.words, because.meaning.get(self.ui.0));
        let basis = self.ui.basis(because);
        if !basis.is_empty() {
            text.push_str(&format!(" ({basis})"));
        }
        sanitize_line(&text)
    }

    /// The answer to another numeric question: each field of the result, and what decides it.
    pub fn calc(&self, calc: &Calc) -> String {
        let mut out = String::new();
        match &calc.result {
            Some(result) => {
                for (key, value) in result {
                    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let line = format!(
                        "{} {}",
                        self.style(NUMBER, &format!("{}:", sanitize_line(key))),
                        sanitize_line(&value)
                    );
                    self.paragraph(&mut out, &line, 0, 2);
                }
            }
            None => self.paragraph(&mut out, &self.style(MACHINE, self.ui.undecided()), 0, 2),
        }
        if let Some(reason) = &calc.reason {
            self.paragraph(&mut out, &sanitize_line(reason.get(self.ui.0)), 2, 2);
        }
        for because in &calc.because {
            self.paragraph(&mut out, &self.because(because), 2, 4);
        }
        out
    }

    /// What happened to a rule between two editions, with its words: `[-old-]`, `{+new+}`, in colours where there
    /// are any.
    pub fn change(&self, change: &Change) -> String {
        let mut out = String::new();
        let place = |place: &Option<Place>| {
            place
                .as_ref()
                .map(|place| sanitize_line(&format!("{} ({})", place.citation, place.edition)))
        };
        let places: Vec<String> = [place(&change.from), place(&change.to)]
            .into_iter()
            .flatten()
            .collect();
        let heading = format!(
            "{}  {}",
            self.style(NUMBER, self.ui.what(change.what)),
            places.join(" → ")
        );
        self.paragraph(&mut out, &heading, 0, 2);
        for paragraph in self.words(&change.words).split('\n') {
            self.paragraph(&mut out, paragraph, 2, 0);
        }
        out
    }

    /// What changed in a text: what went as `[-…-]`, what came as `{+…+}`, and what did not change in part.
    fn words(&self, words: &[Words]) -> String {
        let mut text = String::new();
        for words in words {
            match words {
                Words::Same(same) => text.push_str(&sanitize(&shortened(same))),
                Words::Old(old) => {
                    let old = sanitize(old).replace('\n', " ");
                    text.push_str(&self.style(OLD, &format!("[-{old}-]")));
                }
                Words::New(new) => {
                    let new = sanitize(new).replace('\n', " ");
                    text.push_str(&self.style(NEW, &format!("{{+{new}+}}")));
                }
            }
        }
        text
    }

    /// What is to be said of a quote: a line for each language in which words changed, else one.
    pub fn finding(&self, finding: &Finding) -> Vec<String> {
        let subject = finding.id.as_deref().or(finding.input.as_deref());
        let subject = subject.or(finding.directive.as_deref());
        let subject = subject.map(|subject| format!("{}: ", self.style(NUMBER, &sanitize_line(subject))));
        let subject = subject.unwrap_or_default();
        let what = sanitize_line(&self.ui.finding(finding));
        let mut changed = finding.words.iter().peekable();
        if changed.peek().is_none() {
            return vec![format!("{subject}{what}")];
        }
        let mut lines = Vec::new();
        for (lang, words) in changed {
            let edition = |editions: &Bilingual<String>| editions.get(lang).map(|name| sanitize_line(name));
            let editions = match (edition(&finding.from), edition(&finding.to)) {
                (Some(from), Some(to)) if from != to => format!(" {from} → {to}"),
                (Some(edition), _) | (None, Some(edition)) => format!(" {edition}"),
                (None, None) => String::new(),
            };
            let words = self.words(words).replace('\n', " ");
            lines.push(format!("{subject}{what}: {}{editions}: {words}", lang.as_str()));
        }
        lines
    }

    /// A rule that had a number once, on one indented line: until when, where it stands now, and how it begins.
    pub fn once(&self, entry: &Entry, heading: Option<&str>, until: Option<&str>) -> String {
        let now = entry.citation.as_ref().map_or("", |number| number.as_str());
        let until = until.map(|until| self.ui.until(until)).unwrap_or_default();
        let titles: Vec<String> = entry
            .title
            .iter()
            .map(|(_, title)| sanitize_line(title))
            .collect();
        let first = [self.ui.0, self.ui.0.other()];
        let says = match titles.as_slice() {
            [] => first.into_iter().find_map(|lang| entry.text.get(lang)),
            _ => None,
        };
        let mut parts = vec![sanitize_line(&until), now.to_owned()];
        parts.extend(heading.map(sanitize_line));
        parts.extend((!titles.is_empty()).then(|| titles.join(" · ")));
        parts.extend(says.map(|text| sanitize_line(text)));
        parts.retain(|part| !part.is_empty());
        let columns = self.width.unwrap_or(ONE_LINE).min(ONE_LINE).saturating_sub(4);
        let line = clipped(&parts.join("  "), columns);
        format!("    {}\n", self.style(DIM, &line))
    }

    /// Something that the program says itself: a paragraph, indented and dimmed.
    pub fn remark(&self, text: &str, indent: usize) -> String {
        let mut out = String::new();
        self.paragraph(&mut out, &self.style(DIM, text), indent, 2);
        out
    }
}

/// Characters of unchanged text shown on each side of a change.
const UNCHANGED: usize = 60;

/// Columns that a rule has which is only pointed to.
const ONE_LINE: usize = 100;

/// The type lines of a card, in each language; those of faces that are known.
pub(super) fn types_of(card: &Card) -> String {
    let types = card.type_line.iter().map(|(_, line)| {
        let faces: Vec<&str> = card::faces(line).collect();
        faces.join(card::BETWEEN_FACES)
    });
    types.collect::<Vec<_>>().join(" · ")
}

/// Cards of one ruling that are named; of more, how many.
const MOST_CARDS: usize = 8;

/// A text cut to that many columns, with a mark where it was cut. No more of it is looked at than there is room for.
fn clipped(text: &str, columns: usize) -> String {
    let (mut used, mut kept) = (0, 0);
    for (at, c) in text.char_indices() {
        used += textwrap::core::display_width(c.encode_utf8(&mut [0; 4]));
        if used > columns {
            return format!("{}…", text[..kept].trim_end());
        }
        // The mark takes a column.
        if used < columns {
            kept = at + c.len_utf8();
        }
    }
    text.to_owned()
}

/// A long stretch of unchanged text without its middle.
fn shortened(text: &str) -> String {
    let n_chars = text.chars().count();
    if n_chars <= 2 * UNCHANGED + 5 {
        return text.to_owned();
    }
    let head: String = text.chars().take(UNCHANGED).collect();
    let tail: String = text.chars().skip(n_chars - UNCHANGED).collect();
    format!("{head} … {tail}")
}

/// The part of an id that people cite: a rule's number, else what follows the game.
pub fn short_id(id: &str) -> &str {
    let Some((_, rest)) = id.split_once(':') else {
        return id;
    };
    match rest.split_once(':') {
        Some(("rule" | "term", name)) => name,
        _ => rest,
    }
}

/// A card's names: `Kozilek / 寇基雷`.
pub fn card_name(card: &CardRef) -> String {
    let names: Vec<String> = card
        .en
        .iter()
        .chain(&card.zh)
        .map(|name| sanitize_line(name))
        .collect();
    names.join(" / ")
}

/// What is doubtful about an entry's texts: one is, or may be, of an older wording than the other, is missing, or may be
/// no translation of it.
pub(super) fn doubts(entry: &Entry, ui: Ui) -> Vec<String> {
    let mut doubts = Vec::new();
    let behind = entry
        .behind
        .as_ref()
        .filter(|behind| behind.why != Lag::Reworded || has_text(entry, behind.lang));
    if let Some(Behind { lang, edition, why }) = behind {
        doubts.push(ui.behind(*lang, &sanitize_line(edition), *why));
    }
    let both = Lang::ALL.into_iter().all(|lang| has_text(entry, lang));
    if let Some(pairing) = entry.pairing.filter(|_| both) {
        if !pairing.certain && behind.is_none() {
            doubts.push(ui.uncertain().to_owned());
        }
        if pairing.partial {
            doubts.push(ui.partial().to_owned());
        }
    }
    doubts
}

fn has_text(entry: &Entry, lang: Lang) -> bool {
    // Names are found by in each language, and no more is said in it for that.
    let is_name = |field: Field| matches!(field, Field::Alias | Field::Tag | Field::Card);
    let mut texts = entry.texts();
    texts.any(|(field, of, _)| of == lang && !is_name(field))
}

/// The entry with one language's texts only, where it has that language; else as it is.
pub fn in_language(entry: &Entry, lang: Lang) -> Entry {
    let wanted = entry.text.get(lang).or(entry.title.get(lang)).is_some();
    let mut entry = entry.clone();
    if !wanted {
        return entry;
    }
    let other = lang.other();
    *entry.title.get_mut(other) = None;
    *entry.text.get_mut(other) = None;
    *entry.edition.get_mut(other) = None;
    *entry.provenance.get_mut(other) = None;
    for texts in entry.examples.iter_mut().chain(&mut entry.items) {
        if texts.get(lang).is_some() {
            *texts.get_mut(other) = None;
        }
    }
    entry.notes.retain(|note| note.lang == lang);
    entry.behind = entry.behind.filter(|behind| behind.lang == lang);
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Note, NoteClass, ProvenanceClass, SourceRef};

    fn layout() -> Layout {
        Layout {
            width: Some(40),
            colour: Colour::Off,
            ui: Ui(Lang::En),
        }
    }

    #[test]
    fn an_outdated_text_is_marked_in_each_language_and_form() {
        let mut entry = sample();
        entry.edition = Bilingual::both("2".into(), "1".into());
        entry.behind = Some(Behind {
            lang: Lang::Zh,
            edition: "1".into(),
            why: Lag::Reworded,
        });
        let ui = Ui(Lang::En);
        let mark = "the Chinese is of 1; the English may have changed since";
        assert_eq!(doubts(&entry, ui), [mark]);
        assert_eq!(doubts(&in_language(&entry, Lang::Zh), ui), [mark]);
        assert!(doubts(&in_language(&entry, Lang::En), ui).is_empty());
        assert!(crate::render::markdown::entry(&entry, ui).contains(mark));
        let json = crate::render::json::line(&crate::render::json::EntryObject::plain(&entry));
        assert!(json.contains(r#""behind":{"lang":"zh","edition":"1","why":"reworded"}"#));
        // Who asks for Chinese that is not there is told why.
        entry.text.zh = None;
        entry.behind.as_mut().unwrap().why = Lag::OtherRule;
        assert_eq!(
            doubts(&in_language(&entry, Lang::Zh), ui),
            ["no Chinese yet: in the newest, of 1, this number is another rule"]
        );
    }

    fn sample() -> Entry {
        let source = SourceRef {
            file: "a".into(),
            line: 1,
            lang: None,
        };
        let mut entry = Entry::new("demo:rule:702.9b", "demo", "cr", Kind::Rule, source);
        entry.citation = "702.9b".parse().ok();
        entry.text = Bilingual::both(
            "A flier is blocked by fliers only, and this line is long.".into(),
            "飞行生物只能被飞行生物阻挡，这一行很长，需要换行。".into(),
        );
        let machine = Provenance {
            class: ProvenanceClass::Machine,
            tag: Some("gpt".into()),
            after: None,
        };
        let official = Provenance {
            class: ProvenanceClass::Official,
            ..Provenance::default()
        };
        entry.provenance = Bilingual::both(official, machine);
        entry.examples.push(Bilingual::one(Lang::Zh, "甲。".into()));
        entry.notes.push(Note {
            lang: Lang::Zh,
            text: "乙\u{1b}[2J".into(),
            class: NoteClass::Format,
            tag: Some("丙".into()),
            covers: vec!["demo:rule:702.9c".into()],
        });
        entry.references.push("demo:rule:702.9".into());
        entry
    }

    #[test]
    fn an_entry_reads_well() {
        assert_eq!(
            layout().entry(&sample(), 0, None, &[]),
            "702.9b  [demo cr en official · zh\n  machine (gpt)]\n\
             \x20 A flier is blocked by fliers only, and\n  this line is long.\n\
             \x20 [machine (gpt)] 飞行生物只能被飞行生物\n  阻挡，这一行很长，需要换行。\n\
             \x20 例如：甲。\n\
             \x20 赛制说明：[丙] 乙␛[2J\n\
             \x20   (also covers 702.9c)\n\
             \x20 see 702.9\n"
        );
    }

    #[test]
    fn no_line_is_wider_than_asked_or_starts_with_a_full_stop() {
        use unicode_width::UnicodeWidthStr;
        for width in 24..80 {
            let text = Layout {
                width: Some(width),
                ..layout()
            }
            .entry(&sample(), 1, Some(3), &[]);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line}");
                assert!(!line.trim_start().starts_with(['，', '。']), "{width}: {line}");
            }
        }
    }

    #[test]
    fn marks_are_set_off_and_nothing_else_changes() {
        let mut coloured = Layout {
            width: None,
            colour: Colour::On,
            ..layout()
        };
        let marks = [Mark {
            field: Field::Text,
            item: 0,
            lang: Lang::Zh,
            bytes: 0..6,
        }];
        let text = coloured.entry(&sample(), 0, None, &marks);
        assert!(text.contains(&format!("{MARK}飞行{MARK:#}生物")), "{text}");
        coloured.colour = Colour::Off;
        assert_eq!(
            coloured.entry(&sample(), 0, None, &marks),
            coloured.entry(&sample(), 0, None, &[])
        );
    }

    #[test]
    fn one_language_of_an_entry() {
        let zh = in_language(&sample(), Lang::Zh);
        assert!(zh.text.en.is_none() && zh.text.zh.is_some());
        let mut english = sample();
        english.text.zh = None;
        assert!(in_language(&english, Lang::Zh).text.en.is_some());
    }
}
