//! The rulebooks of the other games, and the other forms of the Magic rules: counted, and accounted for line
//! by line.

use crate::real_data::shared;
use crate::texts::{games, read_as};
use shiyi::diagnostic::Severity;
use shiyi::entry::{Entry, Kind};
use shiyi::library::sources::{Declared, read_bytes};
use shiyi::parse::{Furniture, Parsed, Place};
use shiyi::source::decode;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    for (line, place) in &parsed.lines {
        let Place::Furniture(Furniture::Heading | Furniture::Title) = place else {
            continue;
        };
        let text = source.lines().nth(*line as usize - 1).unwrap().text;
        assert!(
            !says_something(text),
            "{file}:{line} is said to be a heading: {text}"
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

/// True for a line that cannot be a mere heading: a sentence, or one of a list.
fn says_something(line: &str) -> bool {
    let line = line.trim();
    let n_words = line.split_whitespace().count();
    let is_sentence = n_words > 5 && line.ends_with(['.', ';', ','])
        || line.chars().count() > 15 && line.ends_with(['。', '；', '，']);
    is_sentence || line.starts_with('•')
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
        "52 numbers end in a Roman numeral (201.2c-i), which the game no longer has: they stay in the text above, as \
         those of 6.3a, 7.0 and 7.2 do (23, 27 and 47), where the README does not count them either",
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

/// Where rules texts stand below `data/`, and the game of each folder's name.
pub const FOLDERS: [(&str, &str); 10] = [
    ("fab", "fab"),
    ("fow", "fow"),
    ("grand-archive", "grandarchive"),
    ("gundam", "gundam"),
    ("lorcana", "lorcana"),
    ("mtg", "mtg"),
    ("one-piece", "onepiece"),
    ("riftbound", "riftbound"),
    ("vtes", "vtes"),
    ("ygo", "yugioh"),
];

/// Every rules text of a game's folder: comprehensive rules in any form and language, policies, pages of rules.
pub fn rules_texts(folder: &Path) -> Vec<PathBuf> {
    fn walk(folder: &Path, inside: bool, found: &mut Vec<PathBuf>) {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        for path in entries {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let rules = ["cr-", "policy", "rules-"]
                .iter()
                .any(|start| name.starts_with(start));
            if path.is_dir() {
                walk(&path, inside || rules, found);
            } else if inside {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, false, &mut found);
    found
}

#[test]
fn every_line_of_every_text_is_accounted_for() {
    let (mut n, mut unknown, mut lacking) = (0, Vec::new(), Vec::new());
    for (folder, game) in FOLDERS {
        let Some(data) = shared("data") else { return };
        for path in rules_texts(&data.join(folder)) {
            let file = path.strip_prefix(&data).unwrap().to_string_lossy().into_owned();
            // Fails where a line is lost.
            let Some(parsed) = read(&file, game) else { return };
            let name = path.file_name().unwrap().to_str().unwrap();
            for diagnostic in &parsed.diagnostics {
                assert!(diagnostic.file.ends_with(name), "{diagnostic:?}");
            }
            let texts = parsed.entries.iter().flat_map(Entry::texts);
            for (_, _, text) in texts {
                assert!(
                    !text.lines().any(|line| line == "%" || line.starts_with("% ")),
                    "{file}: {text}"
                );
            }
            if let Some(found) = &parsed.lacking {
                lacking.push(format!("{file}: {}", found.diagnostic.message));
            }
            if parsed.entries.is_empty() {
                unknown.push(file);
            }
            n += 1;
        }
    }
    assert!(n >= 160, "{n}");
    assert_eq!(unknown, WITHOUT_ENTRIES);
    // One text stops after its sixth section, as the README of the data says; all others are whole.
    assert_eq!(
        lacking,
        ["lorcana/cr-en/2025-08-22.md: the text ends here, but its contents name `7. ABILITIES` and 37 more"]
    );
}

/// Texts with a table of contents, and the first and last of sixteen places at which a cut is to be noticed: before, the
/// contents are not read to their end; behind, nothing is missing that the contents name.
const CUTS: [(&str, &str, usize, usize); 7] = [
    ("mtg/cr-en/2026-08-07.txt", "mtg", 1, 15),
    ("mtg/cr-zh/2026-04-17.txt", "mtg", 1, 15),
    ("mtg/cr-en/2011-02-04.txt", "mtg", 1, 15),
    ("fow/cr-en/7.0.txt", "fow", 1, 14),
    ("lorcana/cr-en/2025-05-27.md", "lorcana", 2, 12),
    ("one-piece/cr-en/1.1.8.md", "onepiece", 1, 14),
    ("gundam/cr-en/1.0.md", "gundam", 1, 12),
];

#[test]
#[ignore = "reads seven rulebooks sixteen times"]
fn a_text_that_is_cut_lacks_something() {
    for (file, game, first, last) in CUTS {
        let Some(path) = shared(&format!("data/{file}")) else {
            return;
        };
        let text = decode(&std::fs::read(&path).unwrap(), None).unwrap().text;
        for part in first..=last {
            let at = text.floor_char_boundary(text.len() * part / 16);
            let name = format!("rules/{game}/{}", path.file_name().unwrap().to_str().unwrap());
            let parsed = read_bytes(&name, &text.as_bytes()[..at], &Declared::default(), &games());
            // Little more than contents is no rulebook, which is said as well.
            let is_told = parsed.lacking.is_some() || parsed.entries.is_empty();
            assert!(is_told, "{file} cut at {part}/16");
        }
    }
}

/// Texts of which nothing is loaded, which is said of each of them: tables of contents, a table of terms, and one page
/// most of whose steps end without a full stop.
const WITHOUT_ENTRIES: [&str; 4] = [
    "grand-archive/rules-zh/SUMMARY.md",
    "grand-archive/rules-zh/tong-yong-gui-ze/tong-yong-gui-ze-ka-pai-lei-xing/README.md",
    "grand-archive/rules-zh/tong-yong-gui-ze/tong-yong-gui-ze-you-xi-kai-shi.md",
    "mtg/cr-zh-markdown/index.md",
];

/// Lists of terms hold one in each line or object, and each is in both languages.
#[test]
fn lists_of_terms() {
    for (file, terms) in [
        ("mtg/terms/translatedterms.json", 68),
        ("mtg/terms/translatedterms.txt", 49),
        ("mtg/cr-zh-markdown/translatedterms.md", 68),
    ] {
        let Some(parsed) = read(file, "mtg") else { continue };
        let in_both =
            |entry: &Entry| entry.kind == Kind::Term && entry.title.en.is_some() && entry.title.zh.is_some();
        assert_eq!(
            (count(&parsed, in_both), parsed.entries.len()),
            (terms, terms),
            "{file}"
        );
        assert_eq!(parsed.diagnostics, [], "{file}");
    }
}

/// A chapter that speaks of other documents is still one of its own.
#[test]
fn chapters_of_the_penalty_guide() {
    for n in 1..=4 {
        let file = format!("mtg/policy-bilingual/ipg/chapter_{n}.md");
        let Some(parsed) = read(&file, "mtg") else {
            continue;
        };
        let document = parsed.detection.document.clone().map(|document| document.value);
        assert_eq!(document.as_deref(), Some("ipg"), "{file}");
        assert!(count(&parsed, |entry| entry.citation.is_some()) > 0, "{file}");
    }
}
