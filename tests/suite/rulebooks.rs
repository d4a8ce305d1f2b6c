//! The rulebooks of the other games, and the other forms of the Magic rules: counted, and accounted for line
//! by line.

use crate::real_data::shared;
use crate::texts::{games, read_as};
use shiyi::diagnostic::Severity;
use shiyi::entry::{Entry, Kind};
use shiyi::parse::Parsed;
use std::collections::BTreeSet;

fn read(file: &str, game: &str) -> Option<Parsed> {
    let path = shared(&format!("data/{file}"))?;
    let name = path.file_name().unwrap().to_string_lossy();
    let (source, parsed) = read_as(&path, &format!("rules/{game}/{name}"), &games());
    let accounted: BTreeSet<u32> = parsed.lines.iter().map(|(line, _)| *line).collect();
    for line in source.lines() {
        let blank = line.text.chars().all(|c| c.is_whitespace() || c.is_control());
        assert!(
            blank || accounted.contains(&line.number),
            "{file}:{}",
            line.number
        );
    }
    assert!(
        parsed
            .diagnostics
            .iter()
            .all(|found| found.severity < Severity::Error),
        "{file}"
    );
    Some(parsed)
}

fn count(parsed: &Parsed, wanted: impl Fn(&Entry) -> bool) -> usize {
    parsed.entries.iter().filter(|entry| wanted(entry)).count()
}

/// How many numbered items a file has, as the README of the data counts them, and how many there are: where
/// the two differ, why.
const ITEMS: [(&str, &str, usize, usize, &str); 16] = [
    ("fow/cr-en/6.3a.txt", "fow", 626, 626, ""),
    ("fow/cr-en/7.0.txt", "fow", 661, 661, ""),
    ("fow/cr-en/7.2.txt", "fow", 700, 700, ""),
    (
        "fow/cr-en/8.01.html",
        "fow",
        819,
        767,
        "52 numbers end in a Roman numeral (201.2c-i): no number of this game today, so they stay in the text above",
    ),
    (
        "fow/cr-en/12.7.txt",
        "fow",
        1443,
        1457,
        "the README leaves out 14 numbers that stand alone on a line, with their text below",
    ),
    ("fow/cr-en/12.7-layout.txt", "fow", 1456, 1457, "likewise, one"),
    ("fab/cr-en/2.10.1.txt", "fab", 1130, 1130, ""),
    ("one-piece/cr-en/1.1.8.md", "onepiece", 447, 447, ""),
    (
        "one-piece/cr-en/1.2.0.md",
        "onepiece",
        456,
        473,
        "17 numbers have a blank before their full stop, or none",
    ),
    ("one-piece/cr-en/old.md", "onepiece", 411, 411, ""),
    ("gundam/cr-en/1.0.md", "gundam", 493, 493, ""),
    (
        "lorcana/cr-en/2025-05-27.md",
        "lorcana",
        391,
        387,
        "four numbers stand only in the contents or in the list of changes",
    ),
    (
        "lorcana/cr-en/2025-08-22.md",
        "lorcana",
        262,
        230,
        "the file stops after section 6; the README counts 32 headings of its contents",
    ),
    ("riftbound/cr-en/1.3.md", "riftbound", 2085, 2085, ""),
    ("riftbound/cr-en/2025-06-02-part1.md", "riftbound", 452, 452, ""),
    ("riftbound/cr-en/2025-06-02-part4.md", "riftbound", 112, 112, ""),
];

#[test]
fn every_rulebook_has_its_items() {
    for (file, game, readme, items, why) in ITEMS {
        let Some(parsed) = read(file, game) else { return };
        // Flesh and Blood's sections, and Force of Will's, are no items; those of the others are.
        let sections_count = !matches!(game, "fow" | "fab");
        let found = count(&parsed, |entry| {
            entry.kind == Kind::Rule || sections_count && entry.kind == Kind::Section
        });
        assert_eq!(found, items, "{file}");
        assert_eq!(readme != items, !why.is_empty(), "{file}: say why");
    }
}

#[test]
fn lines_of_print_are_joined() {
    let Some(parsed) = read("fow/cr-en/12.7.txt", "fow") else {
        return;
    };
    let rule = |number: &str| {
        let id = format!("fow:rule:{number}");
        let entry = parsed.entries.iter().find(|entry| entry.id == id);
        entry
            .unwrap_or_else(|| panic!("{id}"))
            .text
            .en
            .clone()
            .unwrap_or_default()
    };
    // Over two lines, over a page, and in columns that were torn apart.
    assert!(rule("103.2").ends_with("the player not losing the game wins."));
    assert!(rule("303.2").contains("a facedown card is placed"));
    assert!(rule("604.1c").starts_with("Play a card") && rule("604.1f") == "Pass.");
    // A citation at the start of a line is no rule.
    assert_eq!(count(&parsed, |entry| entry.id == "fow:rule:903.2m"), 1);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(
        parsed
            .entries
            .iter()
            .map(|entry| entry.examples.len())
            .sum::<usize>(),
        115
    );
}

#[test]
fn other_forms_of_the_magic_rules() {
    for (file, rules, sections, terms) in [
        ("mtg/cr-zh-markdown/4.md", 78, 9, 0),
        ("mtg/cr-zh-dokuwiki/4.txt", 78, 9, 0),
        ("mtg/cr-zh-markdown/glossary.md", 0, 0, 727),
        ("mtg/cr-bilingual-json/2026-04-17.json", 3138, 147, 727),
    ] {
        let Some(parsed) = read(file, "mtg") else { return };
        let of = |kind: Kind| count(&parsed, |entry| entry.kind == kind);
        assert_eq!(
            (of(Kind::Rule), of(Kind::Section), of(Kind::Term)),
            (rules, sections, terms),
            "{file}"
        );
        // Every one of them in both languages.
        assert_eq!(count(&parsed, |entry| entry.pairing.is_none()), 0, "{file}");
    }
}

#[test]
fn policy_documents_have_their_headings() {
    let mut headings = [0, 0];
    for (file, document) in [
        ("mtr/chapter_1.md", 0),
        ("mtr/chapter_2.md", 0),
        ("mtr/chapter_4.md", 0),
        ("mtr/chapter_5.md", 0),
        ("ipg/chapter_1.md", 1),
        ("ipg/chapter_4.md", 1),
    ] {
        let Some(parsed) = read(&format!("mtg/policy-bilingual/{file}"), "mtg") else {
            return;
        };
        let id = parsed
            .detection
            .document
            .as_ref()
            .map(|document| document.value.as_str());
        assert_eq!(id, Some(["mtr", "ipg"][document]), "{file}");
        assert_eq!(parsed.diagnostics, [], "{file}");
        headings[document] += count(&parsed, |entry| entry.citation.is_some());
        // Explanations that the page folds away are no text of the rules.
        let commentary = parsed.entries.iter().flat_map(|entry| &entry.notes);
        assert!(commentary.count() > 5, "{file}");
    }
    assert_eq!(headings, [44, 2]);
}
