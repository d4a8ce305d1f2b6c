//! Numbered rules in both languages as JSON: objects with a number and a text in each language, one inside
//! another.
//!
//! ```text
//! rule     := { "chapter": "100.1.", "en": …, "zh": …, "extras": [ text … ], "subrules": [ rule … ] }
//! text     := { "en": …, "zh": … }                an example or a further paragraph
//! term     := { "enname": …, "zhname": …, "en": …, "zh": … }
//! ```
//!
//! What else the document holds (an introduction, credits) is furniture.

use super::build::{Builder, Lines, is_blank};
use super::detect::rule_number;
use super::examples::example;
use super::paragraph::View;
use super::translation::is_partial;
use super::{Detected, Detection, Format, Furniture, Hints, Parsed, Place};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Field, Kind, Lang, PairedBy, Pairing, term_id};
use crate::game::{Document, Game};
use crate::source::{SourceFile, Span};
use serde_json::{Map, Value};

/// The names under which a rule's number is found.
const NUMBER_KEYS: [&str; 2] = ["chapter", "number"];

/// True for JSON that holds such rules.
pub(super) fn detected(source: &SourceFile) -> Option<Detected<Format>> {
    let text = source.text().trim_start();
    let is_json = text.starts_with(['{', '[']) && source.path().to_ascii_lowercase().ends_with(".json");
    let holds_rules =
        NUMBER_KEYS.iter().any(|key| text.contains(&format!("\"{key}\""))) && text.contains("\"zh\"");
    (is_json && holds_rules)
        .then(|| Detected::sure(Format::Json, "it is JSON with numbered texts in both languages"))
}

/// What is wrong with a file of JSON that is none, and nothing of which can be read.
pub(super) fn fault(source: &SourceFile) -> Option<Diagnostic> {
    let text = source.text().trim_start_matches('\u{feff}');
    let is_json = source.path().to_ascii_lowercase().ends_with(".json") && !is_blank(text);
    let error = is_json.then(|| serde_json::from_str::<serde::de::IgnoredAny>(text).err())??;
    let (malformed, _) = malformed(source, &error);
    Some(malformed.hint(WHOLE_COPY))
}

/// What to do where nothing of a file was loaded.
const WHOLE_COPY: &str = "none of the file was loaded; get a whole copy of it";

/// The diagnostic of an error, and where the text stands that it is about.
fn malformed(source: &SourceFile, error: &serde_json::Error) -> (Diagnostic, usize) {
    let line = u32::try_from(error.line()).unwrap_or(1);
    let span = source.line(line).map_or(Span::new(0, 0), |line| line.span);
    let message = format!("this is no JSON: {error}");
    let at = span.range().start + error.column().saturating_sub(1);
    (Diagnostic::at(Code::Malformed, source, span, message), at)
}

struct Reader<'a, 's> {
    builder: Builder<'a>,
    document: &'a Document,
    source: &'s SourceFile,
    /// Where the last number or headword stands: the next one comes later.
    at: usize,
    /// The line that each entry begins at.
    begins: Vec<(u32, usize)>,
}

/// Reads such rules.
pub(super) fn read(source: &SourceFile, game: &Game, detection: Detection, hints: &Hints) -> Parsed {
    let mut builder = Builder::new(source, game, detection, hints, &View::default());
    // The line from which on nothing could be read.
    let mut lost: Option<u32> = None;
    let value: Value = match serde_json::from_str(source.text()) {
        Ok(value) => value,
        Err(error) => {
            let (said, at) = malformed(source, &error);
            let Some((value, end)) = mended(source.text(), at) else {
                let mut parsed = super::unknown(source, Some(game), Detection::default(), hints);
                parsed.diagnostics = vec![said.hint(WHOLE_COPY)];
                return parsed;
            };
            let from = source.position(end).line;
            builder.diagnostics.push(said.hint(format!(
                "what stands up to line {from} was loaded; get a whole copy of the file"
            )));
            lost = Some(from);
            value
        }
    };
    let Some(document) = game.document(&builder.document) else {
        return builder.finish();
    };
    let mut reader = Reader {
        builder,
        document,
        source,
        at: 0,
        begins: Vec::new(),
    };
    reader.walk(&value);
    let Reader {
        mut builder, begins, ..
    } = reader;
    for line in source.lines().filter(|line| !is_blank(line.text)) {
        let after = begins.partition_point(|(first, _)| *first <= line.number);
        let lines = Lines::one(line.number);
        if lost.is_some_and(|lost| lost < line.number) {
            builder.place(lines, Place::Reported(Code::Malformed));
            continue;
        }
        match after.checked_sub(1).map(|idx| begins[idx].1) {
            Some(entry_idx) => {
                let lang = if line.text.contains("\"zh") {
                    Lang::Zh
                } else {
                    Lang::En
                };
                let field = Field::Text;
                builder.place(
                    lines,
                    Place::Entry {
                        entry_idx,
                        field,
                        lang,
                    },
                );
            }
            None => builder.furniture(lines, Furniture::Introduction),
        }
    }
    builder.finish()
}

/// What can be read of JSON that cannot be read as a whole: what stands before the last comma before `at`, where the fault
/// was found, its brackets closed. With the byte at which it ends.
fn mended(text: &str, at: usize) -> Option<(Value, usize)> {
    let bytes = text.as_bytes();
    let mut open: Vec<u8> = Vec::new();
    // Where the last value ended, and what was open there.
    let mut last: Option<(usize, Vec<u8>)> = None;
    let (mut in_string, mut escaped) = (false, false);
    for (at, &byte) in bytes.iter().enumerate().take(at) {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = byte == b'\\' && !escaped;
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop();
            }
            b',' => last = Some((at, open.clone())),
            _ => {}
        }
    }
    let (end, open) = last?;
    let closed: String = open.iter().rev().map(|byte| char::from(*byte)).collect();
    let value = serde_json::from_str(&(text.get(..end)?.to_owned() + &closed)).ok()?;
    Some((value, end))
}

impl Reader<'_, '_> {
    fn walk(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.walk(value)),
            Value::Object(object) => {
                self.object(object);
                // What belongs to a rule has been read with it. The map has lost the order of the text.
                let mut values: Vec<_> = object
                    .iter()
                    .filter(|(key, value)| *key != "extras" && is_nested(value))
                    .collect();
                if values.len() > 1 {
                    let rest = self.source.text().get(self.at..).unwrap_or("");
                    values.sort_by_key(|(key, _)| rest.find(&format!("\"{key}\"")));
                }
                for (_, value) in values {
                    self.walk(value);
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, object: &Map<String, Value>) {
        let number = NUMBER_KEYS.iter().find_map(|key| object.get(*key)?.as_str());
        if let Some(number) = number {
            self.rule(number, object);
        } else if let (Some(en), Some(zh)) = (text(object, "enname"), text(object, "zhname")) {
            self.term(en, zh, object);
        }
    }

    fn rule(&mut self, written: &str, object: &Map<String, Value>) {
        let Some(numbering) = &self.document.numbering else {
            return;
        };
        let number = match rule_number(written, self.document) {
            Some((number, _)) => number,
            None => match written.trim_end_matches('.').parse() {
                Ok(number) if numbering.is_chapter(&number) => number,
                _ => return,
            },
        };
        let line = self.find(written);
        let kind = numbering.kind(&number);
        let entry_idx = self.builder.add(self.builder.rule_id(&number), kind, line);
        self.begins.push((line, entry_idx));
        let above = number.parent().or_else(|| numbering.chapter_of(&number));
        let parent = above.map(|number| self.builder.rule_id(&number));
        let field = if kind == Kind::Rule {
            Field::Text
        } else {
            Field::Title
        };
        for lang in Lang::ALL {
            if let Some(text) = text(object, lang.as_str()) {
                self.fill(entry_idx, field, lang, text);
            }
        }
        for extra in object
            .get("extras")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            for lang in Lang::ALL {
                let Some(text) = extra.as_object().and_then(|extra| text(extra, lang.as_str())) else {
                    continue;
                };
                match example(text) {
                    Some(example) => self.fill(entry_idx, Field::Example, lang, example),
                    None => self.fill(entry_idx, Field::Text, lang, text),
                }
            }
        }
        let parent = parent.map(|parent| self.builder.id(parent));
        let entry = &mut self.builder.entries[entry_idx];
        entry.citation = Some(number);
        entry.parent = parent;
        self.paired(entry_idx, PairedBy::Number);
    }

    fn term(&mut self, en: &str, zh: &str, object: &Map<String, Value>) {
        let line = self.find(en);
        let id = term_id(&self.builder.game.id, en);
        let entry_idx = self.builder.add(id, Kind::Term, line);
        self.begins.push((line, entry_idx));
        self.fill(entry_idx, Field::Title, Lang::En, en);
        self.fill(entry_idx, Field::Title, Lang::Zh, zh);
        for lang in Lang::ALL {
            if let Some(text) = text(object, lang.as_str()) {
                self.fill(entry_idx, Field::Text, lang, text);
            }
        }
        self.paired(entry_idx, PairedBy::Position);
    }

    /// Puts a text into an entry without saying where its line went: that is settled for all lines at the end.
    fn fill(&mut self, entry_idx: usize, field: Field, lang: Lang, text: &str) {
        self.builder
            .put(entry_idx, field, lang, text, Lines { first: 1, last: 0 });
    }

    fn paired(&mut self, entry_idx: usize, how: PairedBy) {
        let entry = &mut self.builder.entries[entry_idx];
        super::join_languages(&mut entry.examples);
        let languages = entry.provenance.iter().count();
        if languages == 2 {
            let partial = match (&entry.text.en, &entry.text.zh) {
                (Some(en), Some(zh)) => is_partial(en, zh),
                _ => false,
            };
            entry.pairing = Some(Pairing {
                how,
                certain: how == PairedBy::Number,
                partial,
            });
        }
    }

    /// The line of a string, searched for from the last one on.
    fn find(&mut self, string: &str) -> u32 {
        let quoted = Value::String(string.to_owned()).to_string();
        let later = self
            .source
            .text()
            .get(self.at..)
            .and_then(|rest| rest.find(&quoted));
        self.at += later.map_or(0, |found| found + quoted.len());
        self.source.position(self.at.saturating_sub(1)).line
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn text<'v>(object: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    object.get(key)?.as_str().filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::mended;

    #[test]
    fn what_stands_before_a_fault_is_read() {
        let text = r#"{"rules": [
            {"chapter": "100.", "en": "One, \" and {", "zh": "一", "subrules": [
                {"chapter": "100.1.", "en": "Two.", "zh": "二。"},
                {"chapter": "100.2.", "en": "Thr"#;
        let (value, end) = mended(text, text.len()).unwrap();
        let section = &value["rules"][0];
        assert_eq!(section["subrules"][0]["zh"], "二。");
        assert_eq!(section["subrules"][1]["chapter"], "100.2.");
        assert!(text[end..].starts_with(", \"en\": \"Thr"));
        for part in 0..text.len() {
            mended(text, part);
        }
        assert_eq!(mended("{", 1), None);
        assert_eq!(mended("no, JSON", 8), None);
    }
}
