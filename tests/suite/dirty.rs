//! One text in many a dirty form gives the same structure; a text cut short or damaged loses what was cut and
//! nothing else.

use crate::real_data::shared;
use crate::rulebooks::{FOLDERS, rules_texts};
use crate::texts::games;
use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use proptest::prelude::*;
use shiyi::entry::Entry;
use shiyi::game::{Game, Games};
use shiyi::parse::{self, Hints, Parsed};
use shiyi::source::{self, SourceFile};
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/parse")
}

fn demo() -> Games {
    Games::new([Game::from_toml(&fs::read_to_string(folder().join("game.toml")).unwrap()).unwrap()])
}

fn read(bytes: &[u8], games: &Games, place: &str) -> Parsed {
    let source = SourceFile::new(place, source::decode(bytes, None).unwrap().text);
    parse::parse(&source, games, &Hints::from_path(place, games))
}

/// Of an entry: its id, its parent, what it cites, how many paragraphs and how many examples it has.
type Structure = (String, Option<String>, Vec<String>, usize, usize);

/// What must not change: which entries there are, where they stand, what they cite, how many parts they have.
fn structure(parsed: &Parsed) -> Vec<Structure> {
    let paragraphs = |entry: &Entry| entry.text.iter().map(|(_, text)| text.lines().count()).sum();
    parsed
        .entries
        .iter()
        .map(|entry| {
            (
                entry.id.to_string(),
                entry.parent.clone().map(String::from),
                entry.references.iter().map(ToString::to_string).collect(),
                paragraphs(entry),
                entry.examples.len(),
            )
        })
        .collect()
}

#[derive(Debug, Clone)]
struct Dirt {
    encoding: &'static str,
    line_end: &'static str,
    no_dot: bool,
    no_space: bool,
    straight_quotes: bool,
    hyphens: bool,
    blank_lines: bool,
    indent: &'static str,
    trailing: &'static str,
    /// Headings without the full stop behind their number.
    bare_headings: bool,
    /// Numbers in full-width digits.
    wide: bool,
    /// How a page is numbered, with `#` for the number; empty for a text without pages.
    page: &'static str,
}

fn dirt(encodings: Vec<&'static str>) -> impl Strategy<Value = Dirt> {
    (
        prop::sample::select(encodings),
        prop::sample::select(vec!["\n", "\r\n", "\r", "\r\r\n"]),
        any::<[bool; 7]>(),
        prop::sample::select(vec!["", "  ", "\t", "\u{a0}"]),
        prop::sample::select(vec!["", " ", " \t"]),
        prop::sample::select(vec!["", "#", "- # -", "— # —", "Page # of 90", "第 # 页"]),
    )
        .prop_map(
            |(
                encoding,
                line_end,
                [
                    no_dot,
                    no_space,
                    straight_quotes,
                    hyphens,
                    blank_lines,
                    bare_headings,
                    wide,
                ],
                indent,
                trailing,
                page,
            )| Dirt {
                encoding,
                line_end,
                no_dot,
                no_space,
                straight_quotes,
                hyphens,
                blank_lines,
                indent,
                trailing,
                bare_headings,
                // What this encoding has no letters for.
                wide: wide && encoding != "windows-1252",
                page: if encoding == "windows-1252" {
                    page.trim_matches(['第', '页', ' '])
                } else {
                    page
                },
            },
        )
}

/// A number in full-width digits, letters and dots.
fn widened(number: &str) -> String {
    let wide = |c: char| char::from_u32(c as u32 + 0xfee0).unwrap_or(c);
    number.chars().map(wide).collect()
}

/// The same text as somebody else might have saved it.
fn soil(text: &str, dirt: &Dirt) -> Vec<u8> {
    const LINES_OF_A_PAGE: usize = 4;
    let mut out = String::new();
    for (idx, line) in text.lines().enumerate() {
        if !dirt.page.is_empty() && idx % LINES_OF_A_PAGE == LINES_OF_A_PAGE - 1 {
            let number = (idx / LINES_OF_A_PAGE + 1).to_string();
            out += &(dirt.page.replace('#', &number) + dirt.line_end);
        }
        let mut line = line.to_owned();
        // Rules have a number with a point in it; headings keep their full stop.
        let number = line
            .bytes()
            .take_while(|b| b.is_ascii_digit() || *b == b'.' || b.is_ascii_lowercase())
            .count();
        let (number, rest) = line.split_at(number);
        if number.starts_with(|c: char| c.is_ascii_digit()) && number.trim_end_matches('.').contains('.') {
            let number = if dirt.no_dot {
                number.trim_end_matches('.')
            } else {
                number
            };
            let rest = if dirt.no_space { rest.trim_start() } else { rest };
            line = format!(
                "{}{rest}",
                if dirt.wide {
                    widened(number)
                } else {
                    number.to_owned()
                }
            );
        } else if number.ends_with('.') && dirt.bare_headings {
            line = format!("{} {}", number.trim_end_matches('.'), rest.trim_start());
        }
        if dirt.straight_quotes {
            line = line.replace(['“', '”'], "\"").replace('’', "'");
        }
        if dirt.hyphens {
            line = line.replace("forty", "for- ty");
        }
        if line.is_empty() {
            out.push_str(if dirt.blank_lines { dirt.line_end } else { "" });
        } else {
            out.push_str(dirt.indent);
        }
        out.push_str(&line);
        out.push_str(if line.is_empty() { "" } else { dirt.trailing });
        out.push_str(dirt.line_end);
    }
    match dirt.encoding {
        "UTF-8 BOM" => [b"\xef\xbb\xbf", out.as_bytes()].concat(),
        "UTF-16 without a mark" => out.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16LE" => [0xfeff]
            .into_iter()
            .chain(out.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect(),
        "UTF-16BE" => [0xfeff]
            .into_iter()
            .chain(out.encode_utf16())
            .flat_map(u16::to_be_bytes)
            .collect(),
        label => encoding_rs::Encoding::for_label(label.as_bytes())
            .unwrap()
            .encode(&out)
            .0
            .into_owned(),
    }
}

proptest! {
    #[test]
    fn dirt_changes_nothing(english in dirt(vec!["utf-8", "UTF-8 BOM", "UTF-16LE", "UTF-16BE", "UTF-16 without a mark", "windows-1252"]),
                            chinese in dirt(vec!["utf-8", "UTF-8 BOM", "UTF-16LE", "UTF-16BE", "UTF-16 without a mark", "gb18030"])) {
        let games = demo();
        for (name, dirt) in [("rulebook.txt", english), ("rulebook_zh.txt", chinese)] {
            let text = fs::read_to_string(folder().join("ok").join(name)).unwrap();
            let clean = read(text.as_bytes(), &games, "rules/demo/a.txt");
            let dirty = read(&soil(&text, &dirt), &games, "rules/demo/a.txt");
            prop_assert_eq!(structure(&dirty), structure(&clean), "{} {:?}", name, dirt);
        }
    }
}

#[test]
fn a_glossary_is_read_however_blank_lines_stand() {
    const TERMS: [&str; 9] = [
        "Beacon", "Dusk", "Gate", "Herald", "Lamp", "March!", "Square", "Tower", "Watch",
    ];
    let mut lines = vec!["1. Basics".to_owned(), "100. Streets".to_owned()];
    lines.extend((1..9).map(|number| format!("100.{number}. A street of {number} houses has lamps.")));
    lines.push("Glossary".to_owned());
    for term in TERMS {
        lines.push(term.to_owned());
        lines.push("1. A thing that is said of a street, a house or whoever walks there.".to_owned());
        lines.push("2. A card that shows one. See rule 100, “Streets.”".to_owned());
    }
    for separator in ["\n", "\n\n"] {
        let text = format!(
            "Magic: The Gathering Comprehensive Rules\n\nThese rules are effective as of May 2, 2031.\n\n{}\n",
            lines.join(separator)
        );
        let parsed = read(text.as_bytes(), &games(), "rules/mtg/a.txt");
        let terms = parsed
            .entries
            .iter()
            .filter(|entry| entry.kind == shiyi::entry::Kind::Term);
        let terms: Vec<(&str, usize)> = terms
            .map(|term| {
                let text = term.text.en.as_deref().unwrap_or_default();
                (term.title.en.as_deref().unwrap_or_default(), text.lines().count())
            })
            .collect();
        assert_eq!(terms, TERMS.map(|term| (term, 2)), "{:?}", parsed.diagnostics);
    }
}

#[test]
fn chinese_encodings_are_read() {
    let text = fs::read_to_string(folder().join("ok/rulebook_zh.txt")).unwrap();
    let games = demo();
    let clean = structure(&read(text.as_bytes(), &games, "rules/demo/a.txt"));
    let (bytes, _, _) = encoding_rs::GB18030.encode(&text);
    assert_eq!(structure(&read(&bytes, &games, "rules/demo/a.txt")), clean);
    // Traditional letters, as a Big5 file has them; the words that mark parts are those of the game.
    let traditional = text.replace(['规', '则'], "").replace("词汇表", "Glossary");
    let traditional: String = traditional
        .chars()
        .filter(|c| encoding_rs::BIG5.encode(&c.to_string()).2.eq(&false))
        .collect();
    let (bytes, _, _) = encoding_rs::BIG5.encode(&traditional);
    let found = structure(&read(&bytes, &games, "rules/demo/a.txt"));
    assert_eq!(
        found,
        structure(&read(traditional.as_bytes(), &games, "rules/demo/a.txt"))
    );
}

/// A whole rulebook as somebody with a Chinese system would have saved it.
#[test]
fn a_chinese_rulebook_in_other_encodings() {
    let Some(path) = shared("data/mtg/cr-zh/2024-06-07.txt") else {
        return;
    };
    let (games, place) = (games(), "rules/mtg/a.txt");
    let text = fs::read_to_string(path).unwrap();
    let whole = structure(&read(text.as_bytes(), &games, place));
    assert!(whole.len() > 3_500, "{}", whole.len());
    let (bytes, _, lost) = encoding_rs::GB18030.encode(&text);
    assert!(!lost);
    assert!(structure(&read(&bytes, &games, place)) == whole, "GB18030");
    // The same in traditional letters, without the few characters that Big5 has not.
    let converter = OpenCC::from_config(BuiltinConfig::S2t).unwrap();
    let traditional: String = converter
        .convert(&text)
        .chars()
        .filter(|c| !encoding_rs::BIG5.encode(c.encode_utf8(&mut [0; 4])).2)
        .collect();
    let as_utf8 = structure(&read(traditional.as_bytes(), &games, place));
    let (bytes, _, _) = encoding_rs::BIG5.encode(&traditional);
    assert!(structure(&read(&bytes, &games, place)) == as_utf8, "Big5");
    // Rules are rules in either script.
    let rules = |structure: &[Structure]| structure.iter().filter(|(id, ..)| id.contains(":rule:")).count();
    assert_eq!(rules(&as_utf8), rules(&whole));
}

/// Whole rulebooks with every paragraph broken at a page's width, and a page's end now and then.
#[test]
fn lines_of_any_width_are_joined() {
    let games = games();
    for (file, place) in [
        ("data/mtg/cr-en/2024-06-07.txt", "rules/mtg/a.txt"),
        ("data/fab/cr-en/2.10.1.txt", "rules/fab/a.txt"),
        ("data/fow/cr-en/7.2.txt", "rules/fow/a.txt"),
    ] {
        let Some(path) = shared(file) else { return };
        let (bytes, hints) = (fs::read(path).unwrap(), Hints::from_path(place, &games));
        let text = source::decode(&bytes, None).unwrap().text;
        let ids = |text: &str| -> Vec<String> {
            let parsed = parse::parse(&SourceFile::new(place, text), &games, &hints);
            parsed.entries.into_iter().map(|entry| entry.id.into()).collect()
        };
        let whole = ids(&text);
        for width in [72, 90, 120] {
            let lines = text.lines().map(|line| textwrap::fill(line, width));
            let wrapped: String = lines.map(|line| line + "\n").collect();
            let found = ids(&wrapped);
            let first = whole.iter().zip(&found).find(|(a, b)| a != b);
            assert!(found == whole, "{file} at {width} columns: {first:?}");
        }
    }
}

/// Real files of every shape.
const FILES: [(&str, &str); 9] = [
    ("seeds/000_d6dc3697bd13db64.txt", "rules/fow/a.txt"),
    ("seeds/001_96a82a7373c7b9ee.txt", "rulings/mtg/a.txt"),
    ("seeds/004_ff54dcaf294383e6.txt", "rules/fow/a.txt"),
    ("data/fow/cr-en/12.7.txt", "rules/fow/a.txt"),
    ("data/fow/cr-en/8.01.html", "rules/fow/a.html"),
    ("data/one-piece/cr-en/1.2.0.md", "rules/onepiece/a.md"),
    ("data/riftbound/cr-en/2025-06-02-part1.md", "rules/riftbound/a.md"),
    ("data/mtg/cr-zh-dokuwiki/4.txt", "rules/mtg/a.txt"),
    ("data/mtg/policy-bilingual/mtr/chapter_2.md", "rules/mtg/a.md"),
];

/// What every reader must do with bytes that are not as they should be: no panic, and whatever is said names the file
/// and a line that is there. None for bytes that are no text any more, which is said as well.
fn read_damaged(bytes: &[u8], games: &Games, place: &str) -> Option<Parsed> {
    let source = SourceFile::new(place, source::decode(bytes, None).ok()?.text);
    let parsed = parse::parse(&source, games, &Hints::from_path(place, games));
    for diagnostic in &parsed.diagnostics {
        assert_eq!(diagnostic.file, place);
        let line = diagnostic.position.map_or(1, |position| position.line);
        assert!(line as usize <= source.lines().len().max(1), "{diagnostic:?}");
    }
    Some(parsed)
}

/// Cuts a text at each of some 64ths. What has a number and was whole before the cut is still there: the last entry may have lost its
/// end, and a heading its rules.
fn cut(bytes: &[u8], games: &Games, place: &str, parts: impl Iterator<Item = usize>) {
    let ids = |parsed: Parsed| -> Vec<String> {
        let numbered = parsed
            .entries
            .into_iter()
            .filter(|entry| entry.citation.is_some());
        numbered.map(|entry| entry.id.into()).collect()
    };
    let whole = read_damaged(bytes, games, place).map(ids).unwrap_or_default();
    for part in parts {
        let left = &bytes[..bytes.len() * part / 64];
        let found = read_damaged(left, games, place).map(ids).unwrap_or_default();
        // Of a long table of contents alone nothing can be told; this is read for the lack of a panic.
        if part < 10 {
            continue;
        }
        let kept = found.iter().filter(|id| whole.contains(id)).count();
        assert!(
            kept + 2 >= found.len(),
            "{place} at {part}/64: {kept} of {} are those of the whole text",
            found.len()
        );
    }
}

/// Changes a byte of each 256, in one way and another; most of what has a number is still found. (What kind of text
/// unnumbered pages are is told by their sentences, which damage can leave too few of; that is said then.)
fn damage(bytes: &[u8], games: &Games, place: &str) {
    let numbered = |parsed: &Parsed| {
        parsed
            .entries
            .iter()
            .filter(|entry| entry.citation.is_some())
            .count()
    };
    let whole = read_damaged(bytes, games, place).map_or(0, |parsed| numbered(&parsed));
    for (mask, start) in [(0x20, 0), (0x01, 85), (0x80, 170), (0xff, 255)] {
        let mut damaged = bytes.to_owned();
        for at in (start..damaged.len()).step_by(256) {
            damaged[at] ^= mask;
        }
        let Some(parsed) = read_damaged(&damaged, games, place) else {
            continue;
        };
        // Bytes that no encoding has can make another one likelier, in which some other text is read.
        // Of JSON, what stands before the first fault is kept.
        if mask < 0x80 && !place.ends_with(".json") {
            assert!(
                numbered(&parsed) * 2 >= whole.saturating_sub(2),
                "{place} with {mask:#x}: {} of {whole}",
                numbered(&parsed)
            );
        }
    }
}

#[test]
fn a_text_cut_short_keeps_what_is_left() {
    let games = games();
    for (file, place) in FILES {
        let Some(path) = shared(file) else { return };
        let bytes = fs::read(path).unwrap();
        cut(&bytes, &games, place, (1..64).step_by(9));
        damage(&bytes, &games, place);
    }
}

#[test]
fn every_fixture_cut_and_damaged() {
    let games = demo();
    let mut n = 0;
    for kind in ["ok", "err"] {
        for file in fs::read_dir(folder().join(kind)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            let name = path.file_name().unwrap().to_str().unwrap();
            let part = if name.starts_with("ruling") {
                "rulings"
            } else {
                "rules"
            };
            let place = format!("{part}/demo/{name}");
            let bytes = fs::read(&path).unwrap();
            for part in 1..64 {
                read_damaged(&bytes[..bytes.len() * part / 64], &games, &place);
            }
            // They are short: every byte in turn, and not one in 256.
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= [0x20, 0x80, 0xff][at % 3];
                read_damaged(&damaged, &games, &place);
            }
            n += 1;
        }
    }
    assert!(n >= 17, "{n}");
}

#[test]
#[ignore = "long: every rules text, cut at every 1/64"]
fn every_text_cut_and_damaged() {
    let games = games();
    let Some(data) = shared("data") else { return };
    for (folder, game) in FOLDERS {
        for path in rules_texts(&data.join(folder)) {
            let name = path.file_name().unwrap().to_string_lossy();
            let bytes = fs::read(&path).unwrap();
            cut(&bytes, &games, &format!("rules/{game}/{name}"), 1..64);
            damage(&bytes, &games, &format!("rules/{game}/{name}"));
        }
    }
}
