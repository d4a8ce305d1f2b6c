//! Lists of terms in both languages, without definitions: one term a line, or an object of JSON.
//!
//! ```text
//! term := english ( ':' | '：' | '=' | TAB ) chinese          in either order
//!       | '|' english '|' chinese '|'                         a row of a table
//!       | { "…": english, "…": chinese }                      JSON
//! ```
//!
//! What else a list holds (a title, a remark, the rule of a table) is furniture.

use super::build::{Builder, Lines, is_blank};
use super::paragraph::View;
use super::{Detected, Detection, Format, Furniture, Hints, Parsed, Place, glossary};
use crate::entry::{Field, Kind, Lang, PairedBy, Pairing, term_id};
use crate::fold::is_han;
use crate::game::Game;
use crate::source::SourceFile;
use serde_json::Value;
use std::collections::HashMap;

/// How many terms make a list, where nobody says that it is one.
const FEWEST: usize = 5;

/// The most characters of a term; a definition is longer.
const LONGEST: usize = 80;

/// One term and the line it stands in.
struct Term {
    en: String,
    zh: String,
    lines: Lines,
}

/// Says whether a source is a list of terms: most of its lines, or of its JSON's objects, are.
pub(super) fn detected(source: &SourceFile, hints: &Hints) -> Option<Detected<Format>> {
    if !matches!(hints.kind, None | Some(Kind::Term)) {
        return None;
    }
    let fewest = if hints.kind == Some(Kind::Term) { 1 } else { FEWEST };
    let (terms, others) = match is_json(source) {
        true => json_terms(source),
        false => {
            let mut found = (Vec::new(), 0);
            for line in source.lines().filter(|line| !is_blank(line.text)) {
                match pair_in(line.text) {
                    Some((en, zh)) => found.0.push(term(en, zh, Lines::one(line.number))),
                    // A heading and the head of a table are no terms, and belong to a list.
                    None if line.text.starts_with(['#', '|']) => {}
                    None => found.1 += 1,
                }
            }
            found
        }
    };
    let terms = terms.len();
    (terms >= fewest && terms > others * 2).then(|| {
        Detected::sure(
            Format::Terms,
            format!(
                "{terms} of {} lines or objects are a term in both languages",
                terms + others
            ),
        )
    })
}

/// Reads such a list.
pub(super) fn read(source: &SourceFile, game: &Game, detection: Detection, hints: &Hints) -> Parsed {
    let mut builder = Builder::new(source, game, detection, hints, &View::default());
    let mut terms = match is_json(source) {
        true => json_terms(source).0,
        false => source
            .lines()
            .filter_map(|line| pair_in(line.text).map(|(en, zh)| term(en, zh, Lines::one(line.number))))
            .collect(),
    };
    terms.sort_by_key(|term| term.lines.first);
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut line = 1;
    for Term { en, zh, lines } in &terms {
        others(&mut builder, line..lines.first);
        line = lines.last + 1;
        let id = term_id(&game.id, en);
        if let Some(&entry_idx) = known.get(&id) {
            // The same word with another translation, or simply again.
            if builder.entries[entry_idx].title.zh.as_ref() == Some(zh) {
                let (field, lang) = (Field::Title, Lang::Zh);
                builder.place(
                    *lines,
                    Place::Entry {
                        entry_idx,
                        field,
                        lang,
                    },
                );
            } else {
                builder.put(entry_idx, Field::Alias, Lang::Zh, zh, *lines);
            }
            continue;
        }
        let entry_idx = builder.add(id.clone(), Kind::Term, lines.first);
        builder.put(entry_idx, Field::Title, Lang::En, en, Lines::one(lines.first));
        builder.put(entry_idx, Field::Title, Lang::Zh, zh, *lines);
        let entry = &mut builder.entries[entry_idx];
        for name in [en, zh] {
            entry.aliases.extend(aliases(name));
        }
        entry.pairing = Some(Pairing {
            how: PairedBy::Order,
            certain: true,
            partial: false,
        });
        known.insert(id, entry_idx);
    }
    others(&mut builder, line..u32::MAX);
    builder.finish()
}

/// Names the lines that are no terms.
fn others(builder: &mut Builder<'_>, range: std::ops::Range<u32>) {
    let source = builder.source;
    for line in source
        .lines()
        .filter(|line| range.contains(&line.number) && !is_blank(line.text))
    {
        let what = if is_json(source) || is_rule(line.text) {
            Furniture::Markup
        } else if line.text.starts_with(['#', '|']) {
            Furniture::Heading
        } else {
            Furniture::Introduction
        };
        builder.furniture(Lines::one(line.number), what);
    }
}

fn term(en: &str, zh: &str, lines: Lines) -> Term {
    Term {
        en: en.to_owned(),
        zh: zh.to_owned(),
        lines,
    }
}

/// Other names that a headword holds: those of several, and what stands without a remark in brackets.
fn aliases(headword: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut depth = 0;
    for c in headword.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth -= 1,
            _ if depth <= 0 => plain.push(c),
            _ => {}
        }
    }
    let plain = plain.trim();
    let mut names = glossary::other_names(plain);
    if names.is_empty() && plain != headword && !plain.is_empty() {
        names.push(plain.to_owned());
    }
    names
}

/// The term that a line gives in both languages, English first.
fn pair_in(line: &str) -> Option<(&str, &str)> {
    // Every line of every text is asked, and most have none of these.
    if !line
        .bytes()
        .any(|byte| matches!(byte, b'|' | b'\t' | b'=' | b':'))
        && !line.contains("：")
    {
        return None;
    }
    let line = line.trim().trim_start_matches(['*', '-', '•']).trim();
    let (a, b) = match line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) {
        Some(row) => row.split_once('|').filter(|(_, rest)| !rest.contains('|'))?,
        None => line
            .split_once('\t')
            .or_else(|| line.split_once(['：', '=']))
            .or_else(|| line.split_once(": "))
            .or_else(|| line.split_once(':'))?,
    };
    english_first(a.trim(), b.trim())
}

/// Two names of one term, where one is in each language.
fn english_first<'t>(a: &'t str, b: &'t str) -> Option<(&'t str, &'t str)> {
    let is_short = |name: &str| name.len() <= 4 * LONGEST && name.chars().count() <= LONGEST;
    let is_name = |name: &str| is_short(name) && !name.ends_with(['。', '.', '；', ';']);
    let is_english = |name: &str| !name.contains(is_han) && name.contains(|c: char| c.is_ascii_alphabetic());
    let is_header = |name: &str| matches!(name.to_ascii_lowercase().as_str(), "english" | "英文" | "英语");
    if !is_name(a) || !is_name(b) || is_header(a) || is_header(b) {
        return None;
    }
    match (is_english(a), is_english(b)) {
        (true, false) if b.contains(is_han) => Some((a, b)),
        (false, true) if a.contains(is_han) => Some((b, a)),
        _ => None,
    }
}

/// True for the line between the head of a table and its rows.
fn is_rule(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

fn is_json(source: &SourceFile) -> bool {
    source.text().trim_start().starts_with(['{', '['])
        && source.path().to_ascii_lowercase().ends_with(".json")
}

/// The terms of a file of JSON, with the number of other objects that hold texts.
fn json_terms(source: &SourceFile) -> (Vec<Term>, usize) {
    let Ok(value) = serde_json::from_str::<Value>(source.text()) else {
        return (Vec::new(), 0);
    };
    let mut pairs = Vec::new();
    let mut others = 0;
    collect(&value, &mut pairs, &mut others);
    // The map has lost the order of the text; each name is looked for as it stands there, behind the one before of its
    // spelling.
    let mut behind: HashMap<&str, usize> = HashMap::new();
    let find = |name: &str, range: std::ops::Range<usize>| {
        let written = serde_json::to_string(name).unwrap_or_default();
        source
            .text()
            .get(range.clone())?
            .find(&written)
            .map(|at| range.start + at)
    };
    let end_of_text = source.text().len();
    let terms = pairs.iter().map(|(en, zh)| {
        let from = behind.get(en.as_str()).copied().unwrap_or(0);
        let at = find(en, from..end_of_text).unwrap_or(from);
        behind.insert(en, at + 1);
        let line = source.position(at).line;
        // The other name stands beside it.
        let next = (line..=line + 1)
            .filter_map(|number| source.line(number))
            .find(|line| find(zh, line.span.start..line.span.end).is_some());
        let last = next.map_or(line, |next| next.number);
        term(en, zh, Lines { first: line, last })
    });
    (terms.collect(), others)
}

fn collect(value: &Value, pairs: &mut Vec<(String, String)>, others: &mut usize) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, pairs, others)),
        Value::Object(object) => {
            let texts: Vec<&str> = object.values().filter_map(Value::as_str).collect();
            match texts.as_slice() {
                [] => {}
                [a, b] if object.len() == 2 => match english_first(a.trim(), b.trim()) {
                    Some((en, zh)) => pairs.push((en.to_owned(), zh.to_owned())),
                    None => *others += 1,
                },
                _ => *others += 1,
            }
            object
                .values()
                .filter(|value| value.is_array() || value.is_object())
                .for_each(|value| collect(value, pairs, others));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Games;

    fn read_list(path: &str, text: &str) -> Vec<String> {
        let game =
            Game::from_toml("id = \"demo\"\nnames = { en = \"Demo\" }\n[[document]]\nid = \"cr\"\n").unwrap();
        let games = Games::new([game]);
        let source = SourceFile::new(format!("rules/demo/{path}"), text);
        let parsed = crate::parse::parse(&source, &games, &Hints::from_path(source.path(), &games));
        let mut placed: Vec<u32> = parsed.lines.iter().map(|(line, _)| *line).collect();
        placed.dedup();
        let lines = source.lines().filter(|line| !is_blank(line.text));
        assert_eq!(placed, lines.map(|line| line.number).collect::<Vec<_>>());
        let entries = parsed.entries.iter().map(|entry| {
            let name = |lang: Lang| entry.title.get(lang).map_or("", String::as_str);
            format!(
                "{}={}{:?}@{}",
                name(Lang::En),
                name(Lang::Zh),
                entry.aliases,
                entry.sources[0].line
            )
        });
        entries.collect()
    }

    const READ: [&str; 5] = [
        "Ink=墨[]@",
        "Pen/Pens=笔[\"Pen\", \"Pens\"]@",
        "Blot=墨点（名词）[\"墨点\"]@",
        "Stand up=起立[]@",
        "Draw=画（动作）/抽（牌）[\"画\", \"抽\"]@",
    ];

    #[track_caller]
    fn check(path: &str, text: &str, lines: [u32; 5]) {
        let expected: Vec<String> = READ
            .iter()
            .zip(lines)
            .map(|(read, line)| format!("{read}{line}"))
            .collect();
        assert_eq!(read_list(path, text), expected);
    }

    #[test]
    fn lists_in_every_form() {
        let lines = "名称列表\n\nInk: 墨\nPen/Pens：笔\nBlot：墨点（名词）\nStand up = 起立\n画（动作）/抽（牌）\tDraw\nInk: 墨\n";
        check("a.txt", lines, [3, 4, 5, 6, 7]);
        let table = "# 名称\n\n以下是一些名称。\n\n| English | 中文 |\n| --- | :-- |\n| Ink | 墨 |\n| Pen/Pens | 笔 |\n\
            | Blot | 墨点（名词） |\n| Stand up | 起立 |\n| Draw | 画（动作）/抽（牌） |\n";
        check("a.md", table, [7, 8, 9, 10, 11]);
        let json = "{\n \"main\": [\n  {\"English\": \"Ink\",\n   \"Chinese\": \"墨\"},\n  {\"zh\": \"笔\", \"en\": \"Pen/Pens\"},\n\
            {\"en\": \"Blot\", \"zh\": \"墨点（名词）\"}\n ],\n \"more\": [\n  {\"en\": \"Stand up\", \"zh\": \"起立\"},\n\
            {\"en\": \"Draw\", \"zh\": \"画（动作）/抽（牌）\"}\n ]\n}\n";
        check("a.json", json, [3, 5, 6, 9, 10]);
    }

    #[test]
    fn a_second_translation_is_another_name() {
        let list = "Ink: 墨\nPen: 笔\nBlot: 墨点\nInk: 墨水\nCap: 笔帽\nNib: 笔尖\n";
        let read = read_list("a.txt", list);
        assert_eq!((read.len(), read[0].as_str()), (5, "Ink=墨[\"墨水\"]@1"));
    }

    #[test]
    fn what_is_no_list_is_none() {
        let few = SourceFile::new("a.txt", "Ink: 墨\nPen: 笔\n");
        assert!(detected(&few, &Hints::default()).is_none());
        let said = Hints {
            kind: Some(Kind::Term),
            ..Hints::default()
        };
        assert!(detected(&few, &said).is_some());
        let prose = "Ink: 墨\nThe ink is black, and it dries slowly.\n".repeat(9);
        assert!(detected(&SourceFile::new("a.txt", prose), &Hints::default()).is_none());
        let defined = "Ink: 墨是用来写字的。\n".repeat(9);
        assert!(detected(&SourceFile::new("a.txt", defined), &Hints::default()).is_none());
    }
}
