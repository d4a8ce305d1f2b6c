//! Glossaries: terms between blank lines, headword first, definition below.

use super::build::Builder;
use super::notes::take_translator_notes;
use super::paragraph::Paragraph;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Field, Kind, Lang, term_id};
use std::collections::HashMap;

/// Reads the paragraphs of a glossary.
pub(super) fn read(builder: &mut Builder<'_>, paragraphs: &[Paragraph<'_>], lang: Lang) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut current = None;
    for paragraph in paragraphs {
        let entry_idx = match current {
            Some(entry_idx) if !paragraph.after_blank => entry_idx,
            _ => {
                let (headword, _) = take_translator_notes(paragraph.text);
                let line = paragraph.lines.first;
                let id = term_id(&builder.game.id, headword.trim());
                if let Some(first) = seen.get(&id) {
                    let message = format!("the term `{}` stands twice in the glossary", headword.trim());
                    builder.diagnostics.push(
                        Diagnostic::at(Code::DuplicateTerm, builder.source, paragraph.span, message)
                            .note(format!("first at {}:{first}:1", builder.source.path()))
                            .hint("its definition is kept with the first one; give one of them another headword"),
                    );
                }
                seen.entry(id.clone()).or_insert(line);
                let entry_idx = builder.add(id, Kind::Term, line);
                builder.put(entry_idx, Field::Title, lang, paragraph.text, paragraph.lines);
                builder.entries[entry_idx].aliases = other_names(headword.trim());
                current = Some(entry_idx);
                continue;
            }
        };
        builder.put(entry_idx, Field::Text, lang, paragraph.text, paragraph.lines);
    }
}

/// The names in a headword that gives several: `You, Your`, `反击/指示物`.
fn other_names(headword: &str) -> Vec<String> {
    let names: Vec<&str> = headword
        .split([',', '，', '、', '/', '／'])
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    if names.len() < 2 {
        return Vec::new();
    }
    names.into_iter().map(str::to_owned).collect()
}
