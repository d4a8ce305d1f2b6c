//! Markdown with front matter: the shape of the shipped library, made to be written by hand.
//!
//! ````markdown
//! +++
//! game = "demo"
//! kind = "rule"                 # rule, statement, ruling or term
//! edition = "2.1"               # left out where the texts are undated
//! languages = ["en", "zh"]      # the first is the one that ids of rulings and statements are made from
//! provenance = { class = "own-words", after = { class = "official", date = "2024-01-31" } }
//! +++
//!
//! # Whatever stands under a first-level heading, before an entry, is an introduction and no entry
//!
//! ## 12.3a Drawing / 抓牌
//!
//! - edition.zh: 2.0
//! - rules: 12.1, 14
//!
//! The turn player draws a card.
//!
//! 回合玩家抓一张牌。
//!
//! Example: …                    (a paragraph that starts with the word, or a block quote)
//!
//! 例：…
//!
//! 1. An item of an ordered list,
//!
//!    or 其中文，in a paragraph of its own, or in a second list of as many items.
//!
//! Note: a remark.   注：…   Translator's note: …   译注：…   Format note (NAME): …   赛制注（NAME）：…
//! ````
//!
//! A heading of the second level or deeper is an entry: a rule's number with or without a title, a term's headword, a
//! title for a statement or ruling; the two languages stand on either side of ` / `. `{#label}` at its end is a
//! statement's label, and a heading of just lower-case letters, digits and hyphens is one too. A ruling's heading may
//! begin with its date. A bulleted list right under it whose items are `key: value` sets [fields](super) for this entry
//! alone; the front matter's are the defaults. Paragraphs go to the language they are written in. A format note
//! speaks of its rule and of all rules below it in the file. HTML comments and lines of dashes are nothing; anything
//! else is text as it stands.

use super::build::is_blank;
use super::front_matter::{self, Fields};
use super::markdown::{Block, BlockKind, blocks};
use super::references::references;
use super::{Detected, Format, Furniture, Hints, Parsed, Place, rulings};
use crate::citation::RuleNumber;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{
    Bilingual, DEFAULT_DOCUMENT, Entry, Field, Kind, Lang, Note, NoteClass, PairedBy, Pairing, SourceRef,
    rule_id, term_id, text_id,
};
use crate::game::{Game, Games};
use crate::name::Name;
use crate::source::{SourceFile, Span};
use std::collections::{BTreeMap, HashMap};

/// Reads Markdown with front matter.
pub fn parse(source: &SourceFile, games: &Games, hints: &Hints) -> Parsed {
    let mut fields = Fields::from_hints(hints);
    let mut diagnostics = Vec::new();
    let front = front_matter::find(source.text());
    match front {
        Some(front) => {
            for fault in front_matter::read(source.text(), front, &mut fields) {
                let mut diagnostic = Diagnostic::at(Code::Malformed, source, fault.span, fault.message);
                diagnostic.hint = fault.hint;
                diagnostics.push(diagnostic);
            }
        }
        None if source.text().starts_with("+++") || source.text().starts_with("---") => diagnostics.push(
            Diagnostic::at(
                Code::Malformed,
                source,
                Span::new(0, 3),
                "the front matter has no end",
            )
            .hint("close it with a line like the first"),
        ),
        None => {}
    }
    // What is said of the text from outside wins.
    if let Some(edition) = &hints.edition {
        for (_, other) in fields
            .edition
            .iter()
            .filter(|(_, other)| *other != edition)
            .take(1)
        {
            diagnostics.push(super::detect::contradicted(source, edition, other, other));
        }
        for lang in Lang::ALL {
            *fields.edition.get_mut(lang) = Some(edition.clone());
        }
    }
    let game = fields.game.as_deref().and_then(|name| games.find(name));
    let (Some(game), Some(kind)) = (game, fields.kind) else {
        return unknown(source, &fields, diagnostics);
    };
    let mut reader = Reader {
        source,
        game,
        kind,
        defaults: fields,
        parsed: Parsed {
            diagnostics,
            ..Parsed::default()
        },
        lines: BTreeMap::new(),
        seen: HashMap::new(),
        under: Under::Introduction,
    };
    let body = front.map_or(0, |front| front.end);
    reader.lines_of(Span::new(0, body), Place::Furniture(Furniture::Markup));
    reader.read(body);
    reader.finish()
}

/// The outcome for a file whose game or kind is not known.
fn unknown(source: &SourceFile, fields: &Fields, mut diagnostics: Vec<Diagnostic>) -> Parsed {
    let message = match (&fields.game, fields.kind) {
        (Some(game), Some(_)) => format!("the game `{game}` is not known, and nothing of this file was read"),
        (_, Some(_)) => "nothing says which game this is, and nothing of it was read".to_owned(),
        _ => "nothing says what kind of entries this file holds, and nothing of it was read".to_owned(),
    };
    diagnostics.push(
        Diagnostic::about_file(Code::UnknownKind, source.path(), message)
            .hint("write `game` and `kind` in its front matter, or give `--game` and `--kind`"),
    );
    let lines = source.lines().filter(|line| !is_blank(line.text));
    Parsed {
        diagnostics,
        lines: lines
            .map(|line| (line.number, Place::Reported(Code::UnknownKind)))
            .collect(),
        ..Parsed::default()
    }
}

/// What the blocks that come next stand under.
enum Under {
    /// No entry yet, or a heading that groups entries.
    Introduction,
    /// An entry.
    Entry(Box<Draft>),
    /// A heading that should have been an entry and could not be read.
    Unread,
}

/// An entry while it is read.
struct Draft {
    heading: Span,
    fields: Fields,
    kind: Kind,
    number: Option<RuleNumber>,
    title: Bilingual<String>,
    text: Bilingual<String>,
    examples: Vec<Bilingual<String>>,
    items: Vec<Bilingual<String>>,
    notes: Vec<Note>,
    /// For each language, from where on an example may lack it.
    alone: [usize; Lang::ALL.len()],
    /// Where the last ordered list starts in `items`.
    last_list: usize,
    /// Where its lines go.
    lines: Vec<(Span, Option<(Field, Lang)>)>,
}

struct Reader<'a> {
    source: &'a SourceFile,
    game: &'a Game,
    kind: Kind,
    defaults: Fields,
    parsed: Parsed,
    lines: BTreeMap<u32, Place>,
    /// Where each id and label was first used.
    seen: HashMap<String, Span>,
    under: Under,
}

impl Reader<'_> {
    fn read(&mut self, body: usize) {
        for block in blocks(&self.source.text()[body..]) {
            let block = moved(block, body);
            match block.kind {
                BlockKind::Heading(level) => self.heading(&block, level),
                _ => self.body_block(&block),
            }
        }
        self.end_entry();
    }

    fn heading(&mut self, block: &Block, level: u8) {
        self.end_entry();
        let numbered = self.kind.is_numbered() && block.text.starts_with(|c: char| c.is_ascii_digit());
        if level == 1 && !numbered {
            let furniture = if self.parsed.entries.is_empty() {
                Furniture::Title
            } else {
                Furniture::Heading
            };
            self.lines_of(block.span, Place::Furniture(furniture));
            return;
        }
        match self.draft(block) {
            Ok(draft) => self.under = Under::Entry(Box::new(draft)),
            Err(message) => {
                self.report(block.span, Code::Malformed, message);
                self.under = Under::Unread;
            }
        }
    }

    /// An entry from its heading.
    fn draft(&mut self, block: &Block) -> Result<Draft, String> {
        let mut fields = self.defaults.clone();
        let mut text = block.text.as_str();
        if let Some((before, label)) = text.strip_suffix('}').and_then(|text| text.rsplit_once("{#")) {
            fields.label = Some(label.trim().to_owned());
            text = before.trim_end();
        }
        let mut number = None;
        match self.kind {
            Kind::Rule | Kind::Section | Kind::Chapter => {
                let (read, length) = RuleNumber::read_prefix(text)
                    .ok_or_else(|| format!("the heading `{text}` has no rule number"))?;
                text = text[length..]
                    .trim_start_matches(['.', '。', ':', '：'])
                    .trim_start();
                number = Some(read);
            }
            Kind::Ruling => {
                if let Some(date) = text.get(..10).and_then(|start| front_matter::date(start).ok()) {
                    fields.date = Some(date);
                    text = text[10..].trim_start();
                }
            }
            Kind::Statement | Kind::Term => {}
        }
        if self.kind != Kind::Term && fields.label.is_none() && is_label(text) {
            fields.label = Some(text.to_owned());
            text = "";
        }
        let title = front_matter::titles(text);
        let place = match self.kind.is_numbered() {
            true => Field::Text,
            false => Field::Title,
        };
        let lang = title.iter().next().map_or(Lang::En, |(lang, _)| lang);
        Ok(Draft {
            heading: block.span,
            fields,
            kind: self.kind,
            number,
            lines: vec![(
                block.span,
                Some((if title.is_empty() { place } else { Field::Title }, lang)),
            )],
            title,
            text: Bilingual::default(),
            examples: Vec::new(),
            items: Vec::new(),
            notes: Vec::new(),
            alone: [0; Lang::ALL.len()],
            last_list: 0,
        })
    }

    fn body_block(&mut self, block: &Block) {
        let comment = block.kind == BlockKind::Html && block.text.starts_with("<!--");
        if comment || block.kind == BlockKind::Separator {
            self.lines_of(block.span, Place::Furniture(Furniture::Markup));
            return;
        }
        match &mut self.under {
            Under::Introduction => {
                self.lines_of(block.span, Place::Furniture(Furniture::Introduction));
            }
            Under::Unread => self.lines_of(block.span, Place::Reported(Code::Malformed)),
            Under::Entry(draft) => {
                let faults = if draft.lines.len() == 1 && is_field_list(block) {
                    draft.set_fields(block)
                } else {
                    draft.add(block, self.source);
                    Vec::new()
                };
                for (span, message, hint) in faults {
                    let mut diagnostic = Diagnostic::at(Code::Malformed, self.source, span, message);
                    diagnostic.hint = hint;
                    self.parsed.diagnostics.push(diagnostic);
                }
            }
        }
    }

    /// Makes an entry of what has been read since its heading.
    fn end_entry(&mut self) {
        let Under::Entry(draft) = std::mem::replace(&mut self.under, Under::Introduction) else {
            return;
        };
        let draft = *draft;
        let heading = draft.heading;
        let lines = draft.lines.clone();
        match self.entry(draft) {
            Ok(entry) => {
                let entry_idx = self.parsed.entries.len();
                self.note_duplicates(&entry, heading);
                self.parsed.entries.push(entry);
                for (span, target) in lines {
                    let place = match target {
                        Some((field, lang)) => Place::Entry {
                            entry_idx,
                            field,
                            lang,
                        },
                        None => Place::Furniture(Furniture::Markup),
                    };
                    self.lines_of(span, place);
                }
            }
            Err((message, hint)) => {
                self.parsed
                    .diagnostics
                    .push(Diagnostic::at(Code::Malformed, self.source, heading, message).hint(hint));
                for (span, _) in lines {
                    self.lines_of(span, Place::Reported(Code::Malformed));
                }
            }
        }
    }

    fn entry(&mut self, draft: Draft) -> Result<Entry, (String, &'static str)> {
        let Draft {
            heading,
            fields,
            number,
            title,
            text,
            ..
        } = draft;
        let document = fields.document.as_deref().unwrap_or(match draft.kind {
            Kind::Ruling => rulings::DOCUMENT,
            _ => DEFAULT_DOCUMENT,
        });
        let numbering = self.game.numbering(Some(document));
        let mut kind = draft.kind;
        if let (Some(number), Some(numbering)) = (&number, numbering) {
            kind = numbering.kind(number);
            if !numbering.fits(number) {
                let message = format!(
                    "`{number}` is not how the document `{document}` of {} numbers its rules",
                    self.game.names.en
                );
                self.report(heading, Code::Malformed, message);
            }
        }
        let id = match (&number, kind) {
            (Some(number), _) => rule_id(&self.game.id, document, number),
            (None, Kind::Term) => {
                let headword = title.iter().next();
                let (_, headword) = headword
                    .ok_or(("this term has no headword", "write it as the heading"))
                    .map_err(|(message, hint)| (message.to_owned(), hint))?;
                term_id(&self.game.id, headword)
            }
            (None, _) => {
                let first = self.defaults.languages.first().copied();
                let hashed = first
                    .and_then(|lang| text.get(lang))
                    .or_else(|| text.iter().next().map(|(_, text)| text));
                let hashed = hashed.ok_or_else(|| {
                    (
                        format!("this {} has no text", kind.as_str()),
                        "write it under the heading, as a paragraph",
                    )
                })?;
                text_id(&self.game.id, kind, fields.date.as_deref(), hashed)
            }
        };
        if text.is_empty() && title.is_empty() {
            return Err((
                "this rule has no text".to_owned(),
                "write it under the heading, as a paragraph",
            ));
        }
        if kind == Kind::Ruling && fields.date.is_none() {
            self.parsed.diagnostics.push(
                Diagnostic::at(Code::MissingDate, self.source, heading, "this ruling has no date")
                    .hint("write `- date: 2024-06-07` under its heading, or `date` in the front matter"),
            );
        }
        let langs: Vec<Lang> = Lang::ALL
            .into_iter()
            .filter(|lang| text.get(*lang).or(title.get(*lang)).is_some())
            .collect();
        let place = SourceRef {
            file: self.source.path().into(),
            line: self.source.position(heading.start).line,
            lang: if let [lang] = langs[..] { Some(lang) } else { None },
        };
        let mut entry = Entry::new(id, &self.game.id, document, kind, place);
        for lang in langs {
            *entry.edition.get_mut(lang) = fields.edition.get(lang).map(Name::from);
            let provenance = fields.provenance.get(lang).cloned().unwrap_or_default();
            *entry.provenance.get_mut(lang) = Some(provenance);
        }
        let parent = number
            .as_ref()
            .and_then(|number| number.parent().or_else(|| numbering?.chapter_of(number)));
        entry.parent = parent.map(|parent| rule_id(&self.game.id, document, &parent).into());
        entry.pairing = (text.en.is_some() && text.zh.is_some()).then_some(Pairing {
            how: PairedBy::FrontMatter,
            certain: true,
            partial: false,
        });
        entry.citation = number;
        entry.label = fields.label.map(Name::from);
        entry.title = title;
        entry.aliases = fields.aliases;
        entry.text = text;
        entry.examples = draft.examples;
        entry.items = draft.items;
        entry.notes = draft.notes;
        entry.cards = fields.cards;
        entry.date = fields.date.map(Name::from);
        entry.references = self.cited(&entry, &fields.rules);
        Ok(entry)
    }

    /// The ids of the rules that an entry rests on: those its fields name, then those its texts cite. Numbers
    /// without a document's name mean the entry's own document, else the rules.
    fn cited(&self, entry: &Entry, stated: &[RuleNumber]) -> Vec<Name> {
        let numbered = [entry.document.as_str(), DEFAULT_DOCUMENT]
            .into_iter()
            .find_map(|document| Some((document, self.game.numbering(Some(document))?)));
        let Some((document, numbering)) = numbered else {
            return Vec::new();
        };
        let in_texts = entry
            .texts()
            .filter(|(field, _, _)| *field != Field::Title)
            .flat_map(|(_, _, text)| references(text, numbering));
        let mut ids: Vec<Name> = Vec::new();
        for number in stated.iter().cloned().chain(in_texts) {
            let id = Name::from(rule_id(&self.game.id, document, &number));
            if id != entry.id && !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }

    /// Reports an id or a label that an earlier entry of the file has.
    fn note_duplicates(&mut self, entry: &Entry, heading: Span) {
        let code = match entry.kind {
            Kind::Rule | Kind::Section | Kind::Chapter => Code::DuplicateNumber,
            Kind::Term => Code::DuplicateTerm,
            Kind::Statement | Kind::Ruling => Code::Malformed,
        };
        let label = entry
            .label
            .as_ref()
            .map(|label| (format!("#{label}"), Code::Malformed));
        for (name, code) in [(entry.id.to_string(), code)].into_iter().chain(label) {
            match self.seen.get(&name) {
                Some(first) => {
                    let line = self.source.position(first.start).line;
                    let message = format!("`{name}` is used twice");
                    self.parsed.diagnostics.push(
                        Diagnostic::at(code, self.source, heading, message)
                            .note(format!("first used at {}:{line}", self.source.path())),
                    );
                }
                None => {
                    self.seen.insert(name, heading);
                }
            }
        }
    }

    fn report(&mut self, span: Span, code: Code, message: impl Into<String>) {
        let diagnostic = Diagnostic::at(code, self.source, span, message);
        self.parsed.diagnostics.push(diagnostic);
        self.lines_of(span, Place::Reported(code));
    }

    /// Says where the lines of `span` went.
    fn lines_of(&mut self, span: Span, place: Place) {
        let mut number = self.source.position(span.start).line;
        while let Some(line) = self.source.line(number) {
            if line.span.start >= span.end {
                break;
            }
            if !is_blank(line.text) {
                self.lines.insert(number, place.clone());
            }
            number += 1;
        }
    }

    fn finish(mut self) -> Parsed {
        self.link_format_notes();
        for line in self.source.lines() {
            let read = self.lines.contains_key(&line.number) || is_blank(line.text);
            if read {
                continue;
            }
            // What is left is the markup of quotes and lists, or what Markdown takes for the target of a link.
            let place = if line.text.chars().any(char::is_alphanumeric) {
                self.parsed.diagnostics.push(
                    Diagnostic::at(Code::Unplaced, self.source, line.span, "this line was not read")
                        .hint("Markdown takes `[name]: …` for the address of a link; write it differently"),
                );
                Place::Reported(Code::Unplaced)
            } else {
                Place::Furniture(Furniture::Markup)
            };
            self.lines.insert(line.number, place);
        }
        let stated = |what: &str| format!("its front matter or its place says `{what}`");
        let detection = &mut self.parsed.detection;
        detection.game = Some(Detected {
            why: stated(&self.game.id),
            value: self.game.id.clone(),
            guessed: false,
        });
        detection.format = Some(Detected {
            value: Format::Markdown,
            why: "it is Markdown with front matter".to_owned(),
            guessed: false,
        });
        detection.document = self.defaults.document.clone().map(|value| Detected {
            why: stated(&value),
            value,
            guessed: false,
        });
        detection.edition = self.defaults.edition.iter().next().map(|(_, edition)| Detected {
            value: edition.clone(),
            why: stated(edition),
            guessed: false,
        });
        let langs: Vec<Lang> = Lang::ALL
            .into_iter()
            .filter(|lang| {
                self.parsed
                    .entries
                    .iter()
                    .any(|entry| entry.text.get(*lang).is_some())
            })
            .collect();
        detection.langs = (!langs.is_empty()).then(|| Detected {
            value: langs,
            why: "its paragraphs are written so".to_owned(),
            guessed: false,
        });
        self.parsed.lines = self.lines.into_iter().collect();
        self.parsed
    }

    /// A format note speaks of the rules below its own as well.
    fn link_format_notes(&mut self) {
        let numbers: BTreeMap<(Name, RuleNumber), Name> = self
            .parsed
            .entries
            .iter()
            .filter_map(|entry| {
                Some((
                    (entry.document.clone(), entry.citation.clone()?),
                    entry.id.clone(),
                ))
            })
            .collect();
        for entry in &mut self.parsed.entries {
            let Some(head) = &entry.citation else { continue };
            for note in entry
                .notes
                .iter_mut()
                .filter(|note| note.class == NoteClass::Format)
            {
                // In reading order, what stands below a rule follows it.
                note.covers = numbers
                    .range((entry.document.clone(), head.clone())..)
                    .skip(1)
                    .take_while(|((document, number), _)| {
                        *document == entry.document && head.contains(number)
                    })
                    .map(|(_, id)| id.clone())
                    .collect();
            }
        }
    }
}

type FieldFault = (Span, String, Option<String>);

impl Draft {
    /// Sets the fields of a list that [`is_field_list`].
    fn set_fields(&mut self, list: &Block) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        for item in &list.children {
            let text = item
                .children
                .first()
                .map_or("", |paragraph| paragraph.text.as_str());
            let outcome = match front_matter::split_field(text) {
                Some((key @ ("game" | "kind" | "languages"), _)) => Err((
                    format!("`{key}` is the same for a whole file"),
                    Some("write it in the front matter".to_owned()),
                )),
                Some((key, value)) => self.fields.set(key, value),
                None => Err((
                    format!("`{text}` is no field"),
                    Some("write `key: value`".to_owned()),
                )),
            };
            if let Err((message, hint)) = outcome {
                faults.push((trimmed(item.span, item, list), message, hint));
            }
        }
        self.lines.push((list.span, None));
        faults
    }

    fn add(&mut self, block: &Block, source: &SourceFile) {
        match block.kind {
            BlockKind::OrderedList => self.add_list(block, source),
            BlockKind::Quote => self.add_quote(block, source),
            _ => {
                for (text, span) in paragraphs(block, source) {
                    self.add_paragraph(&text, span);
                }
            }
        }
    }

    fn add_paragraph(&mut self, text: &str, span: Span) {
        let (role, rest) = role(text);
        let lang = Lang::of(rest);
        let field = match role {
            Role::Text => {
                append(self.text.get_mut(lang), rest);
                Field::Text
            }
            Role::Example => {
                self.add_example(Bilingual::one(lang, rest.to_owned()));
                Field::Example
            }
            Role::Note(class, tag) => {
                self.notes.push(Note {
                    lang,
                    text: rest.to_owned(),
                    class,
                    tag: tag.map(str::to_owned),
                    covers: Vec::new(),
                });
                Field::Note
            }
        };
        self.lines.push((span, Some((field, lang))));
    }

    /// Adds an example; one in a single language joins the first that lacks that language.
    fn add_example(&mut self, example: Bilingual<String>) {
        let langs: Vec<Lang> = example.iter().map(|(lang, _)| lang).collect();
        if let [lang] = langs[..] {
            let first = self.alone[lang as usize];
            let partner = self.examples[first..]
                .iter()
                .position(|other| other.get(lang).is_none());
            self.alone[lang as usize] = partner.map_or(self.examples.len(), |offset| first + offset + 1);
            if let Some(offset) = partner {
                *self.examples[first + offset].get_mut(lang) = example.get(lang).cloned();
                return;
            }
        }
        self.examples.push(example);
    }

    /// A block quote is an example; a paragraph in it that says so starts another.
    fn add_quote(&mut self, quote: &Block, source: &SourceFile) {
        let mut example: Bilingual<String> = Bilingual::default();
        for (text, span) in paragraphs(quote, source) {
            let (role, rest) = role(&text);
            let lang = Lang::of(rest);
            if role == Role::Example && example.get(lang).is_some() {
                self.add_example(std::mem::take(&mut example));
            }
            append(example.get_mut(lang), rest);
            self.lines.push((span, Some((Field::Example, lang))));
        }
        if !example.is_empty() {
            self.add_example(example);
        }
    }

    /// The items of an ordered list; a list in the other language joins the one before it, item by item.
    fn add_list(&mut self, list: &Block, source: &SourceFile) {
        let mut items = Vec::new();
        for item in &list.children {
            let mut texts: Bilingual<String> = Bilingual::default();
            for (text, span) in item.children.iter().flat_map(|block| paragraphs(block, source)) {
                let lang = Lang::of(&text);
                append(texts.get_mut(lang), &text);
                self.lines.push((span, Some((Field::Item, lang))));
            }
            if !texts.is_empty() {
                items.push(texts);
            }
        }
        let last = &mut self.items[self.last_list..];
        let translates = |lang: Lang| {
            items.len() == last.len()
                && items.iter().all(|item| item.get(lang.other()).is_none())
                && last.iter().all(|item| item.get(lang).is_none())
        };
        match Lang::ALL.into_iter().find(|lang| translates(*lang)) {
            Some(lang) if !last.is_empty() => {
                for (item, translation) in last.iter_mut().zip(items) {
                    *item.get_mut(lang) = translation.get(lang).cloned();
                }
            }
            _ => {
                self.last_list = self.items.len();
                self.items.extend(items);
            }
        }
    }
}

fn append(text: &mut Option<String>, more: &str) {
    match text {
        Some(text) => {
            text.push('\n');
            text.push_str(more);
        }
        None => *text = Some(more.to_owned()),
    }
}

/// What a paragraph is to its entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role<'a> {
    Text,
    Example,
    Note(NoteClass, Option<&'a str>),
}

/// The words that introduce a paragraph which is not a rule's own text, lower-cased.
const EXAMPLE: &[&str] = &[
    "example", "examples", "ex.", "e.g.", "例", "例如", "如", "例子", "举例", "示例", "舉例", "範例",
];
const COMMENTARY: &[&str] = &["note", "注", "注意", "备注", "註", "備註"];
const TRANSLATOR: &[&str] = &[
    "translator's note",
    "translator’s note",
    "译注",
    "译者注",
    "譯註",
    "譯注",
];
const FORMAT: &[&str] = &["format note", "赛制注", "賽制註"];

/// The longest introduction, in bytes: further on, a colon is the text's own.
const MAX_INTRODUCTION: usize = 80;

/// What a paragraph is, by its introduction, and its text without it.
fn role(text: &str) -> (Role<'_>, &str) {
    let colon = text
        .char_indices()
        .take_while(|(at, _)| *at < MAX_INTRODUCTION)
        .find(|(_, c)| matches!(c, ':' | '：'));
    let Some((at, colon)) = colon else {
        return (Role::Text, text);
    };
    let rest = text[at + colon.len_utf8()..].trim();
    let (word, tag) = match text[..at].trim().split_once(['(', '（', '[']) {
        Some((word, tag)) => (word, Some(tag.trim_end_matches([')', '）', ']']).trim())),
        None => (&text[..at], None),
    };
    let word = word.trim().to_lowercase();
    let is = |words: &[&str]| words.contains(&word.as_str());
    let role = match tag {
        None if is(EXAMPLE) => Role::Example,
        None if is(COMMENTARY) => Role::Note(NoteClass::Commentary, None),
        None if is(TRANSLATOR) => Role::Note(NoteClass::Translator, None),
        _ if is(FORMAT) => Role::Note(NoteClass::Format, tag),
        _ => return (Role::Text, text),
    };
    if rest.is_empty() {
        (Role::Text, text)
    } else {
        (role, rest)
    }
}

/// The texts inside a block, with their places. List items keep their markers, code and tables their source.
fn paragraphs(block: &Block, source: &SourceFile) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    if !block.kind.is_container() {
        if !block.text.is_empty() {
            found.push((block.text.clone(), block.span));
        }
        return found;
    }
    for child in &block.children {
        found.extend(paragraphs(child, source));
    }
    if block.kind == BlockKind::Item
        && let Some((text, _)) = found.first_mut()
    {
        let marker = source.slice(block.span).split_whitespace().next();
        *text = format!("{} {text}", marker.unwrap_or("-"));
    }
    found
}

/// True for a bulleted list of `key: value` whose first key is known.
fn is_field_list(block: &Block) -> bool {
    block.kind == BlockKind::BulletList
        && block
            .children
            .first()
            .and_then(|item| front_matter::split_field(&item.children.first()?.text))
            .is_some_and(|(key, _)| front_matter::is_key(key))
}

/// The place of a list item's text, without the line ends that follow it.
fn trimmed(span: Span, item: &Block, list: &Block) -> Span {
    let inner = item
        .children
        .first()
        .map_or(list.span, |paragraph| paragraph.span);
    Span::new(inner.start.max(span.start), inner.end.max(span.start))
}

/// True for what can be a label: `bare-number`.
fn is_label(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The block with its places counted from further back.
fn moved(mut block: Block, by: usize) -> Block {
    block.span = Span::new(block.span.start + by, block.span.end + by);
    block.children = block.children.into_iter().map(|child| moved(child, by)).collect();
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{CardRef, ProvenanceClass};
    use proptest::prelude::*;

    fn games() -> Games {
        Games::new([Game::from_toml(
            r#"
            id = "demo"
            names = { en = "Demo", zh = "示范" }
            [[document]]
            id = "cr"
            numbering = { levels = ["n", ".n", "a", "-n"], digits = [1, 3] }
            "#,
        )
        .unwrap()])
    }

    fn read(text: &str) -> Parsed {
        parse(
            &SourceFile::new("rules/demo/a.md", text),
            &games(),
            &Hints::default(),
        )
    }

    /// Entries of a file that has nothing to complain about.
    #[track_caller]
    fn entries(text: &str) -> Vec<Entry> {
        let parsed = read(text);
        assert_eq!(parsed.diagnostics, []);
        parsed.entries
    }

    fn both(en: &str, zh: &str) -> Bilingual<String> {
        Bilingual::both(en.to_owned(), zh.to_owned())
    }

    const RULES: &str =
        "+++\ngame = \"demo\"\nkind = \"rule\"\nedition = \"2\"\nprovenance = \"own-words\"\n+++\n\n";

    #[test]
    fn a_rule_in_two_languages() {
        let text = format!(
            "{RULES}# Demo rules\n\nSaid by nobody.\n\n## 12. Cards / 牌\n\n## 12.3a\n\n- rules: 12.1, 4\n- edition.zh: 1\n\n\
             Draw a\ncard.\n\n抓一\n张牌。\n\nTwice.\n\nExample: One.\n\n例：一。\n\n> Two.\n>\n> 二。\n\n\
             Note: careful.\n\n赛制注（三人）：三人时抓两张。\n\n## 12.3a-1. More\n\n更多。\n"
        );
        let [section, rule, sub] = entries(&text).try_into().unwrap();
        assert_eq!(
            (section.kind, section.title),
            (Kind::Section, both("Cards", "牌"))
        );
        assert_eq!(rule.id, "demo:rule:12.3a");
        assert_eq!(rule.parent.as_deref(), Some("demo:rule:12.3"));
        assert_eq!(rule.text, both("Draw a card.\nTwice.", "抓一张牌。"));
        assert_eq!(rule.examples, [both("One.", "一。"), both("Two.", "二。")]);
        assert_eq!(rule.references, ["demo:rule:12.1", "demo:rule:4"]);
        assert_eq!(rule.edition, Bilingual::both("2".into(), "1".into()));
        assert_eq!(rule.provenance.zh.unwrap().class, ProvenanceClass::OwnWords);
        let notes: Vec<_> = rule
            .notes
            .iter()
            .map(|note| (note.class, note.tag.as_deref(), note.text.as_str()))
            .collect();
        assert_eq!(
            notes,
            [
                (NoteClass::Commentary, None, "careful."),
                (NoteClass::Format, Some("三人"), "三人时抓两张。")
            ]
        );
        assert_eq!(rule.notes[1].covers, ["demo:rule:12.3a-1"]);
        assert_eq!(
            (sub.title.en.as_deref(), sub.sources[0].lang),
            (Some("More"), None)
        );
    }

    #[test]
    fn statements_with_items() {
        let head = "---\ngame: 示范\nkind: statement\nlanguages: zh, en\n---\n";
        let text = format!(
            "{head}## 顺序 / Order {{#order}}\n\n按序：\n\nIn order:\n\n1. 甲。\n\n   A.\n2. 乙。\n\n   B.\n\n## two-lists\n\nX\n\n\
             1. A\n2. B\n\n一、\n\n1. 甲\n2. 乙\n3. 丙\n"
        );
        let [order, lists] = entries(&text).try_into().unwrap();
        assert_eq!(order.label.as_deref(), Some("order"));
        assert_eq!(order.title, both("Order", "顺序"));
        assert_eq!(order.items, [both("A.", "甲。"), both("B.", "乙。")]);
        assert_eq!(order.id, text_id("demo", Kind::Statement, None, "按序："));
        assert_eq!(lists.label.as_deref(), Some("two-lists"));
        assert_eq!(
            lists.items.len(),
            5,
            "lists of other lengths do not translate each other"
        );
    }

    #[test]
    fn rulings_and_terms() {
        let head = "+++\ngame = \"demo\"\nkind = \"ruling\"\nafter = \"official\"\n+++\n";
        let text = format!(
            "{head}## 2024-01-02 Order / 顺序\n\n- card: Sun, Rising / 初升之日\n- after: gpt 2024-01-01\n\nFirst come.\n\n先到。\n"
        );
        let [ruling] = entries(&text).try_into().unwrap();
        assert_eq!(ruling.date.as_deref(), Some("2024-01-02"));
        assert_eq!(
            ruling.cards,
            [CardRef {
                en: Some("Sun, Rising".into()),
                zh: Some("初升之日".into()),
                ..CardRef::default()
            }]
        );
        let after = ruling.provenance.zh.unwrap().after.unwrap();
        assert_eq!(
            (after.class, after.tag.as_deref()),
            (ProvenanceClass::Machine, Some("gpt"))
        );
        let [term] = entries(
            "+++\ngame=\"demo\"\nkind=\"term\"\n+++\n## Rising Sun / 旭日\n\n- aliases: sunrise, 日出\n\nIt rises.\n",
        )
        .try_into()
        .unwrap();
        assert_eq!(term.id, "demo:term:rising-sun");
        assert_eq!(term.aliases, ["sunrise", "日出"]);
    }

    /// What a file is told, as `line:column code`.
    fn told(text: &str) -> (Vec<String>, usize) {
        let parsed = read(text);
        let told = parsed.diagnostics.iter().map(|diagnostic| {
            let place = diagnostic.location().replace("rules/demo/a.md", "");
            format!("{place} {}", diagnostic.code.as_str())
        });
        (told.collect(), parsed.entries.len())
    }

    #[test]
    fn faults_are_located_and_the_good_entries_load() {
        let good = "## 1.1\n\nA.\n\n";
        let check = |text: String, expected: &[&str], n_entries: usize| {
            let expected = expected.iter().map(|line| (*line).to_owned()).collect();
            assert_eq!(told(&text), (expected, n_entries), "{text}");
        };
        check(
            format!("{RULES}{good}## Not a number\n\nlost\n"),
            &[":12:1 malformed"],
            1,
        );
        check(
            format!("{RULES}{good}## 1.1\n\nB.\n"),
            &[":12:1 duplicate-number"],
            2,
        );
        check(
            format!("{RULES}{good}## 1.2\n\n- date: 2024\n\nB.\n"),
            &[":14:3 malformed"],
            2,
        );
        check(
            format!("{RULES}{good}## 1.2\n\n- kind: term\n\nB.\n"),
            &[":14:3 malformed"],
            2,
        );
        check(format!("{RULES}{good}## 1.2\n"), &[":12:1 malformed"], 1);
        check(format!("{RULES}{good}## 1-2\n\nB.\n"), &[":12:1 malformed"], 2);
        check(format!("{RULES}{good}[x]: y\n"), &[":12:1 unplaced"], 1);
        check(
            format!("+++\ngame=\"demo\"\nkind=\"rule\"\ncolour=\"x\"\n+++\n{good}"),
            &[":4:8 malformed"],
            1,
        );
        check(
            "---\ngame: demo\nkind: ruling\n---\n## A\n\nB.\n".to_owned(),
            &[":5:1 missing-date"],
            1,
        );
        check(
            "+++\nkind=\"rule\"\n+++\n## 1.1\n\nA.\n".to_owned(),
            &[" unknown-kind"],
            0,
        );
        check(
            format!("+++\ngame=\"demo\"\n{good}"),
            &[":1:1 malformed", " unknown-kind"],
            0,
        );
    }

    proptest! {
        #[test]
        fn every_line_is_accounted_for(
            front in "(\\+\\+\\+\ngame=\"demo\"\nkind=\"(rule|term|statement|ruling)\"\n\\+\\+\\+\n)?",
            body in "((#|##|>|-|1\\.|```|<!--|例：|Note:|date:|[a]: | |\t|x|甲|1\\.2|\\*\\*|\\||\\\\)|\r?\n){0,60}",
        ) {
            let text = front + &body;
            let source = SourceFile::new("rules/demo/a.md", text);
            let hints = Hints { game: Some("demo".into()), kind: Some(Kind::Rule), ..Hints::default() };
            let parsed = parse(&source, &games(), &hints);
            let filled: Vec<u32> = source
                .lines()
                .filter(|line| !is_blank(line.text))
                .map(|line| line.number)
                .collect();
            let placed: Vec<u32> = parsed.lines.iter().map(|(number, _)| *number).collect();
            prop_assert_eq!(filled, placed);
            for (_, place) in &parsed.lines {
                match place {
                    Place::Entry { entry_idx, .. } => prop_assert!(*entry_idx < parsed.entries.len()),
                    Place::Reported(code) => {
                        prop_assert!(parsed.diagnostics.iter().any(|diagnostic| diagnostic.code == *code));
                    }
                    Place::Furniture(_) | Place::Card { .. } => {}
                }
            }
        }
    }
}
