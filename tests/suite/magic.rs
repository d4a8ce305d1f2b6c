//! The Magic comprehensive rules: every edition counted, one compared with an independent parse.

use crate::real_data::shared;
use crate::texts::{games, read_as};
use serde_json::Value;
use shiyi::diagnostic::{Code, Severity};
use shiyi::entry::{Bilingual, Entry, Kind, Lang, PairedBy};
use shiyi::pair::pair;
use shiyi::parse::Parsed;
use std::collections::{BTreeMap, BTreeSet};

fn edition(folder: &str, date: &str) -> Option<Parsed> {
    let path = shared(&format!("data/mtg/{folder}/{date}.txt"))?;
    // The name says nothing, so that the edition comes from the text.
    let (source, parsed) = read_as(&path, &format!("rules/mtg/{folder}.txt"), &games());
    let accounted: BTreeSet<u32> = parsed.lines.iter().map(|(line, _)| *line).collect();
    for line in source.lines() {
        let blank = line.text.chars().all(|c| c.is_whitespace() || c.is_control());
        assert!(
            blank || accounted.contains(&line.number),
            "{folder}/{date}:{}",
            line.number
        );
    }
    Some(parsed)
}

fn count(parsed: &Parsed, kind: Kind) -> usize {
    parsed.entries.iter().filter(|entry| entry.kind == kind).count()
}

/// Date, sections, rules, examples and terms of each edition, as the README of the data counts them.
const ENGLISH: [(&str, usize, usize, usize, usize); 13] = [
    ("2011-02-04", 120, 1781, 207, 449),
    ("2012-10-01", 124, 1908, 220, 470),
    ("2015-01-23", 126, 2026, 223, 500),
    ("2016-09-30", 129, 2153, 241, 524),
    ("2019-01-25", 130, 2328, 243, 554),
    ("2019-08-23", 131, 2367, 245, 560),
    ("2022-06-10", 138, 2668, 266, 625),
    ("2022-10-07", 140, 2760, 270, 642),
    ("2022-11-18", 141, 2791, 271, 647),
    ("2024-06-07", 144, 2967, 278, 683),
    ("2025-11-14", 146, 3109, 276, 725),
    ("2026-04-17", 147, 3138, 277, 730),
    ("2026-08-07", 147, 3162, 277, 739),
];

/// The README counts 628 terms for 2022-06-10, with the heading of the list of provisional terms.
const CHINESE: [(&str, usize, usize, usize, usize); 4] = [
    ("2022-06-10", 138, 2667, 266, 627),
    ("2024-06-07", 144, 2967, 277, 683),
    ("2025-11-14", 146, 3109, 275, 725),
    ("2026-04-17", 147, 3138, 276, 730),
];

#[test]
fn every_edition_has_its_counts() {
    for (folder, editions) in [("cr-en", ENGLISH.as_slice()), ("cr-zh", CHINESE.as_slice())] {
        for &(date, sections, rules, examples, terms) in editions {
            let Some(parsed) = edition(folder, date) else {
                return;
            };
            let found = parsed
                .detection
                .edition
                .as_ref()
                .map(|edition| edition.value.as_str());
            assert_eq!(found, Some(date), "{folder}");
            let of_each =
                [Kind::Chapter, Kind::Section, Kind::Rule, Kind::Term].map(|kind| count(&parsed, kind));
            assert_eq!(of_each, [9, sections, rules, terms], "{folder}/{date}");
            let found: usize = parsed.entries.iter().map(|entry| entry.examples.len()).sum();
            assert_eq!(found, examples, "{folder}/{date}");
            assert!(
                parsed
                    .diagnostics
                    .iter()
                    .all(|found| found.severity < Severity::Error)
            );
        }
    }
}

#[test]
fn the_audit_finds_what_is_wrong_and_nothing_else() {
    let codes = |folder: &str, date: &str| {
        let parsed = edition(folder, date)?;
        let mut codes: Vec<_> = parsed
            .diagnostics
            .iter()
            .filter(|diagnostic| !matches!(diagnostic.code, Code::DuplicateTerm))
            .map(|found| {
                (
                    found.code,
                    found.position.map_or(0, |position| position.line),
                    found.hint.clone(),
                )
            })
            .collect();
        codes.sort();
        Some(codes)
    };
    for (date, ..) in ENGLISH {
        let Some(codes) = codes("cr-en", date) else { return };
        assert_eq!(codes, [], "{date}");
    }
    for (date, ..) in &CHINESE[1..] {
        assert_eq!(codes("cr-zh", date), Some(vec![]), "{date}");
    }
    let Some(codes) = codes("cr-zh", "2022-06-10") else {
        return;
    };
    let [(Code::DuplicateNumber, 3379, Some(hint))] = codes.as_slice() else {
        panic!("{codes:?}");
    };
    assert!(hint.contains("701.42b"), "{hint}");
}

#[test]
fn odd_numbers_are_read() {
    let has = |parsed: &Parsed, number: &str| {
        let id = format!("mtg:rule:{number}");
        parsed.entries.iter().any(|entry| entry.id == id)
    };
    let Some(parsed) = edition("cr-en", "2026-08-07") else {
        return;
    };
    assert!(has(&parsed, "704.5aa") && has(&parsed, "704.5a") && has(&parsed, "606.5"));
    let Some(parsed) = edition("cr-en", "2022-10-07") else {
        return;
    };
    let rule = parsed
        .entries
        .iter()
        .find(|entry| entry.id == "mtg:rule:901.4")
        .unwrap();
    assert!(rule.text.en.as_deref().unwrap().starts_with("All plane"));
}

#[test]
fn editions_pair_by_number() {
    for (date, ..) in CHINESE {
        let (Some(en), Some(zh)) = (edition("cr-en", date), edition("cr-zh", date)) else {
            return;
        };
        let (entries, diagnostics) = pair(vec![en, zh], &games());
        let alone: Vec<_> = entries.iter().filter(|entry| entry.pairing.is_none()).collect();
        let rules: Vec<_> = alone
            .iter()
            .filter(|entry| entry.kind != Kind::Term)
            .map(|entry| entry.id.as_str())
            .collect();
        // One rule of this edition carries its neighbour's number in Chinese.
        let expected: &[&str] = if date == "2022-06-10" {
            &["mtg:rule:701.42b"]
        } else {
            &[]
        };
        assert_eq!(rules, expected, "{date}");
        // And two terms of its Chinese glossary, one of them there twice, are not in the English one.
        assert_eq!(
            alone.len() - rules.len(),
            if date == "2022-06-10" { 2 } else { 0 },
            "{date}"
        );
        assert!(diagnostics.iter().all(|found| found.severity < Severity::Error));
        let partial = entries
            .iter()
            .filter(|entry| entry.pairing.is_some_and(|pairing| pairing.partial));
        assert_eq!(partial.count(), usize::from(date == "2022-06-10"), "{date}");
    }
}

/// Terms that the other parse has only as the tail of their neighbour's definition.
const SWALLOWED: [(&str, &str); 3] = [
    (
        "Color Indicator",
        "in Color Identity: the Chinese glossary has the three in another order",
    ),
    ("Colorless", "in Color Identity, likewise"),
    (
        "Exile",
        "in Exhaust: the Chinese glossary has the two the other way round",
    ),
];

/// Neighbours that stand the other way round in the Chinese glossary. The other parse pairs them by place; by
/// the rules they cite, each belongs to another.
const SWAPPED: [&[&str]; 16] = [
    &["Alternate Name", "Alternating Teams Variant", "Alternative Cost"],
    &["Basic Land Type", "Basic Landcycling"],
    &["Characteristic-Defining Ability", "Characteristics"],
    &["Color Identity"],
    &["Continuous Artifact (Obsolete)", "Continuous Effect"],
    &["Excess Damage", "Exchange", "Exert"],
    &["Exhaust"],
    &["Free-for-All", "Freerunning", "Frenzy"],
    &["Keyword Action", "Keyword Counter"],
    &["Legend Rule", "Legendary"],
    &["Respond", "Restart the Game"],
    &["State Trigger", "State-Based Actions"],
    &["Tap Symbol", "Tapped"],
    &["Team vs. Team Variant", "Teammate"],
    &["Trigger Event", "Triggered Ability"],
    &["Turn Markers", "Turn-Based Actions"],
];

/// Rules and terms whose translators' notes are notes here and text there. (Rule 732.1b keeps its note in the
/// text: it shares its brackets with words of the rule.)
const WITH_TRANSLATORS_NOTES: [&str; 37] = [
    "mtg:rule:111.9",
    "mtg:rule:205.1b",
    "mtg:rule:205.3b",
    "mtg:rule:301.3",
    "mtg:rule:302.3",
    "mtg:rule:303.3",
    "mtg:rule:303.4b",
    "mtg:rule:303.4m",
    "mtg:rule:304.3",
    "mtg:rule:305.5",
    "mtg:rule:306.3",
    "mtg:rule:307.3",
    "mtg:rule:308.2",
    "mtg:rule:310.3",
    "mtg:rule:311.3",
    "mtg:rule:505.6a",
    "mtg:rule:607.2d",
    "mtg:rule:701.18c",
    "mtg:rule:702.11g",
    "mtg:rule:702.124m",
    "mtg:rule:702.16g",
    "mtg:rule:702.16h",
    "mtg:rule:707.1",
    "mtg:rule:719.3",
    "mtg:rule:731.1",
    "mtg:term:amass",
    "mtg:term:counter",
    "mtg:term:discover",
    "mtg:term:draft",
    "mtg:term:draw",
    "mtg:term:endure",
    "mtg:term:enter",
    "mtg:term:monstrosity",
    "mtg:term:monstrous",
    "mtg:term:phase",
    "mtg:term:placed",
    "mtg:term:play",
];

/// White space aside.
fn packed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The text of the other parse with the translators' notes of the entry taken out.
fn without_notes(entry: &Entry, text: &str) -> String {
    let mut text = packed(text);
    for note in &entry.notes {
        let note = format!("{}：{}", note.tag.as_deref().unwrap_or(""), packed(&note.text));
        for (open, close) in [('（', '）'), ('(', ')')] {
            text = text.replace(&format!("{open}{note}{close}"), "");
        }
    }
    text
}

#[test]
fn one_edition_equals_an_independent_parse() {
    let (Some(en), Some(zh)) = (edition("cr-en", "2026-04-17"), edition("cr-zh", "2026-04-17")) else {
        return;
    };
    let (entries, _) = pair(vec![en, zh], &games());
    let path = shared("data/mtg/cr-bilingual-json/2026-04-17.json").unwrap();
    let other: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut nodes = BTreeMap::new();
    for chapter in other["main"].as_array().unwrap() {
        collect(chapter, &mut nodes);
    }
    let numbered: Vec<_> = entries.iter().filter(|entry| entry.citation.is_some()).collect();
    assert_eq!((nodes.len(), numbered.len()), (3294, 3294));
    let mut annotated = BTreeSet::new();
    for entry in numbered {
        let node = nodes[entry.citation.as_ref().unwrap().as_str()];
        assert_eq!(entry.pairing.unwrap().how, PairedBy::Number);
        for lang in Lang::ALL {
            let (paragraphs, examples) = paragraphs(node, lang);
            let text = entry.text.get(lang).or(entry.title.get(lang)).unwrap();
            let theirs = without_notes(entry, &paragraphs.concat());
            assert_eq!(packed(text), theirs, "{} {lang:?}", entry.id);
            let ours: Vec<_> = entry
                .examples
                .iter()
                .filter_map(|example| example.get(lang))
                .map(|text| packed(text))
                .collect();
            assert_eq!(ours, examples, "{} {lang:?}", entry.id);
            if theirs != packed(&paragraphs.concat()) {
                annotated.insert(entry.id.clone());
            }
        }
    }
    let glossary: BTreeMap<&str, &Value> = other["glossary"]
        .as_array()
        .unwrap()
        .iter()
        .map(|term| (term["enname"].as_str().unwrap(), term))
        .collect();
    let swapped: BTreeSet<&str> = SWAPPED.concat().into_iter().collect();
    let swallowed: BTreeSet<&str> = SWALLOWED.iter().map(|(headword, _)| *headword).collect();
    let (mut missing, mut elsewhere) = (BTreeSet::new(), BTreeSet::new());
    let terms: Vec<_> = entries.iter().filter(|entry| entry.kind == Kind::Term).collect();
    assert_eq!((terms.len(), glossary.len()), (730, 727));
    for entry in &terms {
        let Bilingual {
            en: Some(en),
            zh: Some(zh),
        } = &entry.title
        else {
            panic!("{} has two headwords", entry.id)
        };
        let Some(other) = glossary.get(en.as_str()) else {
            missing.insert(en.as_str());
            continue;
        };
        let theirs = |key: &str| without_notes(entry, other[key].as_str().unwrap());
        if packed(zh) != theirs("zhname") {
            elsewhere.insert(en.as_str());
            continue;
        }
        for (lang, key) in [(Lang::En, "en"), (Lang::Zh, "zh")] {
            assert_eq!(packed(entry.text.get(lang).unwrap()), theirs(key), "{}", entry.id);
        }
        if !entry.notes.is_empty() {
            annotated.insert(entry.id.clone());
        }
    }
    assert_eq!(missing, swallowed);
    assert_eq!(elsewhere, swapped);
    assert_eq!(
        annotated.iter().map(|id| id.as_str()).collect::<Vec<_>>(),
        WITH_TRANSLATORS_NOTES
    );
}

fn collect<'v>(node: &'v Value, nodes: &mut BTreeMap<&'v str, &'v Value>) {
    nodes.insert(node["chapter"].as_str().unwrap().trim_end_matches('.'), node);
    for below in node["subrules"].as_array().into_iter().flatten() {
        collect(below, nodes);
    }
}

/// The paragraphs of a rule and its examples, as the other parse has them, white space aside.
fn paragraphs(node: &Value, lang: Lang) -> (Vec<String>, Vec<String>) {
    let mut paragraphs = vec![packed(node[lang.as_str()].as_str().unwrap())];
    let mut examples = Vec::new();
    for extra in node["extras"].as_array().into_iter().flatten() {
        let text = packed(extra[lang.as_str()].as_str().unwrap());
        match text.strip_prefix("Example:").or(text.strip_prefix("例如：")) {
            Some(example) => examples.push(example.to_owned()),
            None => paragraphs.push(text),
        }
    }
    (paragraphs, examples)
}
