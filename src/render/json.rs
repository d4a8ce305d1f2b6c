//! What programs read: one object a line. The wire types live only here; CLI.md's names are fixed.

use super::sanitize::escape_json;
use crate::card::Card;
use crate::cite::Stale;
use crate::condition::{self, Amount, Interval};
use crate::diagnostic::{Diagnostic, Severity};
use crate::entry::{
    Behind, Bilingual, CardRef, Entry, Field, Kind, Lang, Note, Pairing, Provenance, SourceRef,
};
use crate::evaluate::calc::Calc;
use crate::evaluate::{Because, Verdict};
use crate::faq::check::Finding;
use crate::history::{Change, Place, Words};
use crate::index::Expansion;
use crate::library::StatusRow;
use crate::library::audit::Audit;
use crate::library::doctor::Check;
use crate::lookup::cards::Fit;
use crate::lookup::{Found, Miss, Via};
use crate::name::Name;
use crate::parse::markdown::{Block, BlockKind};
use crate::parse::{Detected, Detection};
use crate::source::Position;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The version of the shapes; see `schema/shiyi.schema.json`.
pub const SCHEMA: u32 = 1;

/// One object on one line, without the line end.
pub fn line<T: Serialize>(object: &T) -> String {
    match serde_json::to_string(object) {
        Ok(json) => escape_json(&json).into_owned(),
        // Every wire type is made of strings, numbers, lists and structs; none of them can fail.
        Err(error) => format!("{{\"schema\":{SCHEMA},\"type\":\"error\",\"message\":\"{error}\"}}"),
    }
}

/// Any object of an answer.
#[derive(Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "each is the object of that type")]
pub enum Object<'a> {
    Entry(Box<EntryObject<'a>>),
    Miss(MissObject<'a>),
    Hit(Box<HitObject<'a>>),
    Summary(SummaryObject<'a>),
    Verdict(Box<VerdictObject<'a>>),
    Calc(CalcObject<'a>),
    Change(ChangeObject<'a>),
    Card(Box<CardObject<'a>>),
}

/// The answer to a request of a batch.
#[derive(Serialize)]
pub struct BatchAnswer<'a> {
    /// The request's id, as it was given.
    pub id: &'a Value,
    /// True when the request could be answered.
    pub ok: bool,
    /// The exit code that the command would have had.
    pub code: u8,
    /// The objects of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<Object<'a>>>,
    /// What was wrong with the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<DiagnosticObject<'a>>,
}

/// The fields of an entry, as `entry` and `hit` objects hold them.
#[derive(Serialize)]
pub struct EntryFields<'a> {
    id: &'a str,
    game: &'a str,
    document: &'a str,
    kind: Kind,
    citation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    title: &'a Bilingual<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    aliases: &'a [String],
    edition: &'a Bilingual<Name>,
    text: &'a Bilingual<String>,
    examples: &'a [Bilingual<String>],
    items: &'a [Bilingual<String>],
    notes: Vec<WireNote<'a>>,
    provenance: Bilingual<WireProvenance<'a>>,
    cards: &'a [CardRef],
    date: Option<&'a str>,
    parent: Option<&'a str>,
    children: &'a [Name],
    references: &'a [Name],
    pairing: Option<Pairing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    behind: Option<&'a Behind>,
    sources: &'a [SourceRef],
}

#[derive(Serialize)]
struct WireNote<'a> {
    lang: Lang,
    text: &'a str,
    class: crate::entry::NoteClass,
    tag: Option<&'a str>,
    covers: &'a [Name],
}

#[derive(Serialize)]
struct WireProvenance<'a> {
    class: crate::entry::ProvenanceClass,
    tag: Option<&'a str>,
    after: Option<&'a crate::entry::After>,
}

impl<'a> WireProvenance<'a> {
    fn of(provenance: &'a Provenance) -> Self {
        Self {
            class: provenance.class,
            tag: provenance.tag.as_deref(),
            after: provenance.after.as_deref(),
        }
    }
}

fn wire(provenance: &Bilingual<Provenance>) -> Bilingual<WireProvenance<'_>> {
    Bilingual {
        en: provenance.en.as_ref().map(WireProvenance::of),
        zh: provenance.zh.as_ref().map(WireProvenance::of),
    }
}

impl<'a> EntryFields<'a> {
    /// The fields of `entry`.
    pub fn of(entry: &'a Entry) -> Self {
        Self {
            id: &entry.id,
            game: &entry.game,
            document: &entry.document,
            kind: entry.kind,
            citation: entry.citation.as_ref().map(|number| number.as_str()),
            label: entry.label.as_deref(),
            title: &entry.title,
            aliases: &entry.aliases,
            edition: &entry.edition,
            text: &entry.text,
            examples: &entry.examples,
            items: &entry.items,
            notes: entry
                .notes
                .iter()
                .map(
                    |Note {
                         lang,
                         text,
                         class,
                         tag,
                         covers,
                     }| WireNote {
                        lang: *lang,
                        text,
                        class: *class,
                        tag: tag.as_deref(),
                        covers,
                    },
                )
                .collect(),
            provenance: wire(&entry.provenance),
            cards: &entry.cards,
            date: entry.date.as_deref(),
            parent: entry.parent.as_deref(),
            children: &entry.children,
            references: &entry.references,
            pairing: entry.pairing,
            behind: entry.behind.as_ref(),
            sources: &entry.sources,
        }
    }
}

/// An `entry` object.
#[derive(Serialize)]
pub struct EntryObject<'a> {
    schema: u32,
    r#type: &'static str,
    #[serde(flatten)]
    fields: EntryFields<'a>,
    depth: u32,
    via: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<&'a str>,
}

impl<'a> EntryObject<'a> {
    /// The object of an entry that was looked up.
    pub fn of(found: &'a Found) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "entry",
            fields: EntryFields::of(&found.entry),
            depth: found.depth,
            via: found.via.map(Via::as_str),
            until: found.meant.as_ref().and_then(|meant| meant.until.as_deref()),
        }
    }

    /// The object of an entry that stands for itself.
    pub fn plain(entry: &'a Entry) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "entry",
            fields: EntryFields::of(entry),
            depth: 0,
            via: None,
            until: None,
        }
    }
}

/// What is to be done with the line that follows, for Elasticsearch's bulk interface.
#[derive(Serialize)]
pub struct BulkAction<'a> {
    index: BulkId<'a>,
}

#[derive(Serialize)]
struct BulkId<'a> {
    _id: &'a str,
}

impl<'a> BulkAction<'a> {
    /// The document of that id is put in the place of the one that has it.
    pub fn index(id: &'a str) -> Self {
        Self {
            index: BulkId { _id: id },
        }
    }
}

/// A `card` object; its rulings follow it.
#[derive(Serialize)]
pub struct CardObject<'a> {
    schema: u32,
    r#type: &'static str,
    id: String,
    kind: &'static str,
    game: &'a str,
    database_id: Option<&'a str>,
    name: &'a str,
    names: CardNames<'a>,
    cost: Option<&'a str>,
    facts: Vec<FactObject<'a>>,
    text: Bilingual<&'a str>,
    type_line: Option<&'a str>,
    type_lines: Bilingual<&'a str>,
    provenance: Bilingual<WireProvenance<'a>>,
    sources: &'a [SourceRef],
    matched: &'static str,
    rulings: usize,
}

/// A property of a card.
#[derive(Serialize)]
struct FactObject<'a> {
    key: &'static str,
    value: &'a str,
}

#[derive(Serialize)]
struct CardNames<'a> {
    en: &'a [String],
    zh: &'a [String],
    /// In other languages, by their codes.
    #[serde(flatten)]
    others: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> CardObject<'a> {
    /// The object of a card, and how its name fits what was asked for.
    pub fn of(card: &'a Card, fit: Fit) -> Self {
        let mut others: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (code, name) in &card.others {
            others.entry(code).or_default().push(name);
        }
        let borrowed = |texts: &'a Bilingual<String>| Bilingual {
            en: texts.en.as_deref(),
            zh: texts.zh.as_deref(),
        };
        let type_lines = borrowed(&card.type_line);
        Self {
            schema: SCHEMA,
            r#type: "card",
            id: card.id(),
            kind: "card",
            game: &card.game,
            database_id: card.database_id.as_deref(),
            name: card.names().next().map_or("", String::as_str),
            cost: card.cost(),
            facts: card
                .facts
                .iter()
                .map(|(property, value)| FactObject {
                    key: property.as_str(),
                    value,
                })
                .collect(),
            names: CardNames {
                en: &card.en,
                zh: &card.zh,
                others,
            },
            text: borrowed(&card.text),
            type_line: type_lines.en.or(type_lines.zh),
            type_lines,
            provenance: wire(&card.provenance),
            sources: &card.sources,
            matched: fit.as_str(),
            rulings: card.entries.len(),
        }
    }
}

/// A `miss` object.
#[derive(Serialize)]
pub struct MissObject<'a> {
    schema: u32,
    r#type: &'static str,
    input: &'a str,
    game: Option<&'a str>,
    reason: &'static str,
    nearest: &'a [String],
    moved_to: &'a [String],
    elsewhere: &'a [String],
}

impl<'a> MissObject<'a> {
    /// The object of something that is not there.
    pub fn of(miss: &'a Miss) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "miss",
            input: &miss.input,
            game: miss.game.as_deref(),
            reason: miss.reason.as_str(),
            nearest: &miss.nearest,
            moved_to: &miss.moved_to,
            elsewhere: &miss.elsewhere,
        }
    }
}

/// Where a hit holds what was asked for.
#[derive(Serialize)]
pub struct HighlightObject {
    /// The field: `text`.
    pub field: Field,
    /// Which of a list of examples, items, notes or cards, from 0; none for a single field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// The language.
    pub lang: Lang,
    /// From and to, in bytes of the field's text.
    pub byte: [usize; 2],
    /// The same in characters.
    pub char: [usize; 2],
}

/// A `hit` object.
#[derive(Serialize)]
pub struct HitObject<'a> {
    /// Always [`SCHEMA`].
    pub schema: u32,
    /// Always `hit`.
    pub r#type: &'static str,
    /// The entry.
    #[serde(flatten)]
    pub fields: EntryFields<'a>,
    /// From 1.
    pub rank: usize,
    /// The score it was ranked by.
    pub score: f64,
    /// Where it holds what was asked for.
    pub highlights: Vec<HighlightObject>,
    /// `exact`, `folded`, `alias`, `cross-language` or `fallback`.
    pub matched: &'a str,
}

/// The last line of a search.
#[derive(Serialize)]
pub struct SummaryObject<'a> {
    schema: u32,
    r#type: &'static str,
    total: usize,
    shown: usize,
    took_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expansions: Option<Vec<ExpansionObject<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    respelt: Vec<ExpansionObject<'a>>,
}

/// What another name brought into a search.
#[derive(Serialize)]
struct ExpansionObject<'a> {
    from: &'a str,
    to: &'a str,
    how: &'static str,
}

impl<'a> SummaryObject<'a> {
    /// How many hits there are, how many were shown, how long it took in microseconds, where that was asked for, what
    /// else was looked up, and what was for words that hardly a text has.
    pub fn new(
        total: usize,
        shown: usize,
        took_us: u64,
        expansions: Option<&'a [Expansion]>,
        respelt: &'a [Expansion],
    ) -> Self {
        let object = |expansion: &'a Expansion| ExpansionObject {
            from: &expansion.from,
            to: &expansion.to,
            how: expansion.how.as_str(),
        };
        Self {
            schema: SCHEMA,
            r#type: "summary",
            total,
            shown,
            took_us,
            expansions: expansions.map(|expansions| expansions.iter().map(object).collect()),
            respelt: respelt.iter().map(object).collect(),
        }
    }
}

/// A `diagnostic` object.
#[derive(Serialize)]
pub struct DiagnosticObject<'a> {
    schema: u32,
    r#type: &'static str,
    severity: &'static str,
    code: &'a str,
    message: &'a str,
    hint: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
}

impl<'a> DiagnosticObject<'a> {
    /// The object of a diagnostic.
    pub fn of(diagnostic: &'a Diagnostic) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "diagnostic",
            severity: diagnostic.severity.as_str(),
            code: diagnostic.code.as_str(),
            message: &diagnostic.message,
            hint: diagnostic.hint.as_deref(),
            file: Some(diagnostic.file.as_str()).filter(|file| !file.is_empty()),
            line: diagnostic.position.map(|position| position.line),
            column: diagnostic.position.map(|position| position.column),
        }
    }

    /// The object of an error that is about no source.
    pub fn error(code: &'a str, message: &'a str, hint: Option<&'a str>) -> Self {
        Self::about_nothing(Severity::Error, code, message, hint)
    }

    /// The object of what a person should know of an answer that stands.
    pub fn notice(code: &'a str, message: &'a str) -> Self {
        Self::about_nothing(Severity::Warning, code, message, None)
    }

    fn about_nothing(severity: Severity, code: &'a str, message: &'a str, hint: Option<&'a str>) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "diagnostic",
            severity: severity.as_str(),
            code,
            message,
            hint,
            file: None,
            line: None,
            column: None,
        }
    }
}

/// A `verdict` object.
#[derive(Serialize)]
pub struct VerdictObject<'a> {
    schema: u32,
    r#type: &'static str,
    text: &'a str,
    game: Option<&'a str>,
    status: &'static str,
    predicate: Option<String>,
    domain: &'static str,
    values: Vec<IntervalObject>,
    value: Option<Value>,
    holds: Option<bool>,
    noun: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    vars: Map<String, Value>,
    because: Vec<BecauseObject<'a>>,
    unused: Vec<UnusedObject<'a>>,
    reason: Option<&'static str>,
    candidates: Vec<String>,
    boundary: Vec<(i64, bool)>,
}

#[derive(Serialize)]
struct BecauseObject<'a> {
    words: &'a str,
    meaning: &'a str,
    basis: &'static str,
    citation: Option<&'a str>,
    edition: Option<&'a str>,
    id: Option<&'a str>,
    loaded: bool,
}

impl<'a> BecauseObject<'a> {
    fn of(because: &'a Because) -> Self {
        Self {
            words: &because.words,
            meaning: because.meaning.get(Lang::En),
            basis: because.basis.as_str(),
            citation: because.citation.as_deref(),
            edition: because.edition.as_deref(),
            id: because.id.as_deref(),
            loaded: because.loaded,
        }
    }
}

#[derive(Serialize)]
struct UnusedObject<'a> {
    words: &'a str,
    why: &'a str,
}

impl<'a> VerdictObject<'a> {
    /// The object of a verdict.
    pub fn of(verdict: &'a Verdict) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "verdict",
            text: &verdict.text,
            game: verdict.game.as_deref(),
            status: verdict.status.as_str(),
            predicate: verdict.predicate.as_ref().map(ToString::to_string),
            domain: verdict.domain.as_str(),
            values: verdict.values.iter().map(IntervalObject::of).collect(),
            value: verdict.value.as_ref().map(value_of),
            holds: verdict.holds,
            noun: verdict.noun.as_deref(),
            vars: verdict
                .vars
                .iter()
                .map(|(name, what)| (name.clone(), Value::from(what.as_str())))
                .collect(),
            because: verdict.because.iter().map(BecauseObject::of).collect(),
            unused: verdict
                .unused
                .iter()
                .map(|unused| UnusedObject {
                    words: &unused.words,
                    why: unused.why.get(Lang::En),
                })
                .collect(),
            reason: verdict.reason.map(|reason| reason.code()),
            candidates: verdict.candidates.iter().map(ToString::to_string).collect(),
            boundary: verdict.boundary.clone(),
        }
    }
}

/// Whole numbers from one to another, both included; no bound is null. With `step` 2 only the even (`parity` 0)
/// or the odd ones (1).
#[derive(Serialize)]
struct IntervalObject {
    from: Option<i64>,
    to: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parity: Option<u8>,
}

impl IntervalObject {
    fn of(interval: &Interval) -> Self {
        let every_other = interval.step == 2;
        Self {
            from: interval.low,
            to: interval.high,
            step: every_other.then_some(interval.step),
            parity: every_other.then_some(interval.parity),
        }
    }
}

fn value_of(value: &condition::Value) -> Value {
    let amount = |amount: &Amount| amount.map_or_else(|| Value::from("inf"), Value::from);
    match value {
        condition::Value::Number(number) => Value::from(*number),
        condition::Value::Infinite => Value::from("inf"),
        condition::Value::Named(named) => Value::Object(
            named
                .iter()
                .map(|(name, value)| (name.clone(), amount(value)))
                .collect(),
        ),
    }
}

/// A `calc` object.
#[derive(Serialize)]
pub struct CalcObject<'a> {
    schema: u32,
    r#type: &'static str,
    op: &'a str,
    game: Option<&'a str>,
    status: &'static str,
    result: Option<&'a Map<String, Value>>,
    because: Vec<BecauseObject<'a>>,
    reason: Option<&'a str>,
}

impl<'a> CalcObject<'a> {
    /// The object of an operation's answer.
    pub fn of(calc: &'a Calc) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "calc",
            op: &calc.op,
            game: calc.game.as_deref(),
            status: if calc.result.is_some() {
                "decided"
            } else {
                "undecided"
            },
            result: calc.result.as_ref(),
            because: calc.because.iter().map(BecauseObject::of).collect(),
            reason: calc.reason.as_ref().map(|reason| reason.get(Lang::En)),
        }
    }
}

/// A `status` object: what is loaded of one game, document and edition.
#[derive(Serialize)]
pub struct StatusObject<'a> {
    schema: u32,
    r#type: &'static str,
    #[serde(flatten)]
    row: &'a StatusRow,
    ingested: &'a str,
    format: u32,
}

/// A text that was brought in: where it is kept, what it was taken for, and why.
#[derive(Serialize)]
pub struct AddedObject<'a> {
    schema: u32,
    r#type: &'static str,
    file: &'a str,
    path: &'a str,
    game: &'a str,
    document: Option<&'a str>,
    lang: &'a [Lang],
    edition: Option<&'a str>,
    format: Option<&'a str>,
    encoding: Option<&'a str>,
    entries: usize,
    cards: usize,
    because: Vec<AddedBecause<'a>>,
}

/// Why a text was taken for something.
#[derive(Serialize)]
struct AddedBecause<'a> {
    what: &'a str,
    why: &'a str,
    guessed: bool,
}

impl<'a> AddedObject<'a> {
    /// The object of a text that was named as `file` and is kept at `path` of the library, with so many entries, and
    /// rows about cards.
    pub fn of(
        file: &'a str,
        path: &'a str,
        game: &'a str,
        [entries, cards]: [usize; 2],
        detection: &'a Detection,
    ) -> Self {
        let value = |found: &'a Option<Detected<String>>| found.as_ref().map(|found| found.value.as_str());
        let because = detection.because().map(|because| AddedBecause {
            what: because.what,
            why: because.why,
            guessed: because.guessed,
        });
        Self {
            schema: SCHEMA,
            r#type: "added",
            file,
            path,
            game,
            document: value(&detection.document),
            lang: detection.langs.as_ref().map_or(&[], |langs| &langs.value),
            edition: value(&detection.edition),
            format: detection.format.as_ref().map(|format| format.value.as_str()),
            encoding: value(&detection.encoding),
            entries,
            cards,
            because: because.collect(),
        }
    }
}

impl<'a> StatusObject<'a> {
    /// The object of a row, ingested at that time (RFC 3339), in an index of that format.
    pub fn of(row: &'a StatusRow, ingested: &'a str, format: u32) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "status",
            row,
            ingested,
            format,
        }
    }
}

/// A `check` object: a part of a library, and how `doctor` found it.
#[derive(Serialize)]
pub struct CheckObject<'a> {
    schema: u32,
    r#type: &'static str,
    part: &'static str,
    name: &'a str,
    state: &'static str,
    message: &'a str,
    hint: Option<&'a str>,
    diagnostics: usize,
}

impl<'a> CheckObject<'a> {
    /// The object of a check, with what it is in words and what to do about it.
    pub fn of(check: &'a Check, message: &'a str, hint: Option<&'a str>) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "check",
            part: check.part.as_str(),
            name: &check.name,
            state: check.state.as_str(),
            message,
            hint,
            diagnostics: check.diagnostics,
        }
    }
}

/// An `audit` object: what `doctor --rules` found in one edition of a document, counted.
#[derive(Serialize)]
pub struct AuditObject<'a> {
    schema: u32,
    r#type: &'static str,
    game: &'a str,
    document: &'a str,
    edition: Option<&'a str>,
    lang: &'a [Lang],
    files: &'a [String],
    counts: BTreeMap<&'static str, usize>,
}

impl<'a> AuditObject<'a> {
    /// The object of an audit.
    pub fn of(audit: &'a Audit) -> Self {
        let StatusRow {
            game,
            document,
            edition,
            lang,
            files,
            ..
        } = &audit.row;
        let counts = audit.counts().into_iter();
        Self {
            schema: SCHEMA,
            r#type: "audit",
            game,
            document,
            edition: edition.as_deref(),
            lang,
            files,
            counts: counts.map(|(code, count)| (code.as_str(), count)).collect(),
        }
    }
}

/// A `stale` object: a citation of a document that no longer means what it meant.
#[derive(Serialize)]
pub struct StaleObject<'a> {
    schema: u32,
    r#type: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    document: &'a str,
    citation: &'a str,
    why: &'static str,
    now: Option<&'a str>,
    nearest: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    rewritten: Option<bool>,
}

impl<'a> StaleObject<'a> {
    /// The object of a stale citation in that file; `rewritten` where it was asked to be.
    pub fn of(file: &'a str, stale: &'a Stale, rewritten: Option<bool>) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "stale",
            file,
            line: stale.line,
            column: stale.column,
            document: &stale.document,
            citation: &stale.citation,
            why: stale.why.as_str(),
            now: stale.now.as_deref(),
            nearest: &stale.nearest,
            rewritten,
        }
    }
}

/// A `finding` object: what has changed of what a document quoted.
#[derive(Serialize)]
pub struct FindingObject<'a> {
    schema: u32,
    r#type: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
    directive: Option<&'a str>,
    id: Option<&'a str>,
    input: Option<&'a str>,
    what: &'static str,
    now: Option<&'a str>,
    from: &'a Bilingual<String>,
    to: &'a Bilingual<String>,
    words: Bilingual<Vec<WordsObject<'a>>>,
    nearest: &'a [String],
}

impl<'a> FindingObject<'a> {
    /// The object of a finding in that file, at that place.
    pub fn of(file: &'a str, at: Position, finding: &'a Finding) -> Self {
        let words = |words: &'a Option<Vec<Words>>| words.as_deref().map(WordsObject::all);
        Self {
            schema: SCHEMA,
            r#type: "finding",
            file,
            line: at.line,
            column: at.column,
            directive: finding.directive.as_deref(),
            id: finding.id.as_deref(),
            input: finding.input.as_deref(),
            what: finding.what.as_str(),
            now: finding.now.as_deref(),
            from: &finding.from,
            to: &finding.to,
            words: Bilingual {
                en: words(&finding.words.en),
                zh: words(&finding.words.zh),
            },
            nearest: &finding.nearest,
        }
    }
}

/// A `block` object: a part of a document that was built.
#[derive(Serialize)]
pub struct BlockObject<'a> {
    schema: u32,
    r#type: &'static str,
    line: u32,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    quotes: Option<usize>,
}

impl<'a> BlockObject<'a> {
    /// The object of a block, which stands as `text` in the source at that line.
    pub fn of(block: &Block, text: &'a str, line: u32) -> Self {
        let (kind, level) = match block.kind {
            BlockKind::Heading(level) => ("heading", Some(level)),
            BlockKind::Paragraph => ("paragraph", None),
            BlockKind::Quote => ("quote", None),
            BlockKind::OrderedList | BlockKind::BulletList | BlockKind::Item => ("list", None),
            BlockKind::Code => ("code", None),
            BlockKind::Html => ("html", None),
            BlockKind::Table => ("table", None),
            BlockKind::Separator => ("separator", None),
        };
        Self {
            schema: SCHEMA,
            r#type: "block",
            line,
            kind,
            level,
            text: text.trim_end(),
            quotes: None,
        }
    }

    /// The object of a directive, which so many objects of its answer follow.
    pub fn directive(written: &'a str, line: u32, quotes: usize) -> Self {
        Self {
            schema: SCHEMA,
            r#type: "block",
            line,
            kind: "directive",
            level: None,
            text: written,
            quotes: Some(quotes),
        }
    }
}

/// A `change` object: what happened to a rule between two editions.
#[derive(Serialize)]
pub struct ChangeObject<'a> {
    schema: u32,
    r#type: &'static str,
    game: &'a str,
    document: &'a str,
    citation: &'a str,
    what: &'static str,
    from: Option<PlaceObject<'a>>,
    to: Option<PlaceObject<'a>>,
    lang: Lang,
    words: Vec<WordsObject<'a>>,
}

#[derive(Serialize)]
struct PlaceObject<'a> {
    edition: &'a str,
    citation: &'a str,
}

/// A stretch of the difference: `op` is `same`, `old` or `new`.
#[derive(Serialize)]
struct WordsObject<'a> {
    op: &'static str,
    text: &'a str,
}

impl<'a> WordsObject<'a> {
    fn all(words: &'a [Words]) -> Vec<Self> {
        let object = |words: &'a Words| match words {
            Words::Same(text) => WordsObject { op: "same", text },
            Words::Old(text) => WordsObject { op: "old", text },
            Words::New(text) => WordsObject { op: "new", text },
        };
        words.iter().map(object).collect()
    }
}

impl<'a> ChangeObject<'a> {
    /// The object of a change.
    pub fn of(change: &'a Change) -> Self {
        fn place(place: &Place) -> PlaceObject<'_> {
            PlaceObject {
                edition: &place.edition,
                citation: &place.citation,
            }
        }
        Self {
            schema: SCHEMA,
            r#type: "change",
            game: &change.game,
            document: &change.document,
            citation: change.citation(),
            what: change.what.as_str(),
            from: change.from.as_ref().map(place),
            to: change.to.as_ref().map(place),
            lang: change.lang,
            words: WordsObject::all(&change.words),
        }
    }
}
