//! Citations: numbers as people type them, over several editions and every game's numbering; and who cites whom.

use crate::real_data::shared;
use shiyi::corpus::{Corpus, Entries, Key};
use shiyi::entry::{DEFAULT_DOCUMENT, Entry};
use shiyi::game::Games;
use shiyi::library::Embedded;
use shiyi::library::sources::{Declared, games, read_bytes};
use shiyi::lookup::{Citing, Extent, Mode, Options, Via, resolve};
use shiyi::pair::pair;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

const CASES: &str = include_str!("../cases/citations.tsv");

/// Texts of real rules: several editions, several numberings, both languages.
const TEXTS: [&str; 13] = [
    "mtg/cr-en/2011-02-04.txt",
    "mtg/cr-en/2015-01-23.txt",
    "mtg/cr-en/2019-01-25.txt",
    "mtg/cr-en/2019-08-23.txt",
    "mtg/cr-en/2022-06-10.txt",
    "mtg/cr-en/2024-06-07.txt",
    "mtg/cr-en/2025-11-14.txt",
    "mtg/cr-en/2026-08-07.txt",
    "fow/cr-en/12.7.txt",
    "fab/cr-en/2.10.1.txt",
    "one-piece/cr-en/1.2.0.md",
    "lorcana/cr-en/2025-08-22.md",
    "riftbound/cr-en/1.3.md",
];

/// The real rules, or none where they are absent.
fn real() -> Option<&'static (Games, Corpus)> {
    static REAL: OnceLock<Option<(Games, Corpus)>> = OnceLock::new();
    let read = || {
        let folder = shared("data")?;
        let (games, _) = games(None, &Embedded);
        let parsed = TEXTS.map(|text| {
            let path = folder.join(text);
            let bytes = std::fs::read(&path).unwrap();
            read_bytes(&path.to_string_lossy(), &bytes, &Declared::default(), &games)
        });
        let (entries, _) = pair(parsed.into(), &games);
        let (corpus, _) = Corpus::build(entries, &games);
        Some((games, corpus))
    };
    REAL.get_or_init(read).as_ref()
}

/// What the program ships.
fn shipped() -> &'static (Games, Corpus) {
    static SHIPPED: OnceLock<(Games, Corpus)> = OnceLock::new();
    SHIPPED.get_or_init(|| {
        let (games, _) = games(None, &Embedded);
        let texts = Embedded
            .texts()
            .map(|(path, text)| read_bytes(path, text.as_bytes(), &Declared::default(), &games));
        let (entries, _) = pair(texts.collect(), &games);
        let (corpus, _) = Corpus::build(entries, &games);
        (games, corpus)
    })
}

/// The rules that an input names in a game, and those that it may have been in older editions.
fn named(input: &str, game: &str, (games, corpus): &(Games, Corpus)) -> (Vec<String>, Vec<String>) {
    let game = [game.to_owned()];
    let options = Options {
        games: &game,
        document: None,
        edition: None,
        mode: Mode::Show,
        extent: Extent::Only,
        context: 0,
        expand: 0,
        citing: Citing::Hide,
    };
    let answer = resolve(input, corpus, games, &options)
        .unwrap()
        .unwrap_or_default();
    let numbers = |wanted: &dyn Fn(u32, Option<Via>) -> bool| {
        let found = answer.found.iter().filter(|found| wanted(found.depth, found.via));
        found.map(|found| found.entry.id.to_string()).collect()
    };
    (
        numbers(&|depth, _| depth == 0),
        numbers(&|_, via| via == Some(Via::Moved)),
    )
}

#[test]
fn old_numbers_and_odd_spellings() {
    let Some(real) = real() else { return };
    let mut wrong = Vec::new();
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let ids = |column: &str| -> Vec<String> {
            let numbers = column.split(' ').filter(|number| *number != "-");
            numbers.map(|number| format!("mtg:rule:{number}")).collect()
        };
        let (found, moved) = named(columns[0], "mtg", real);
        if found != ids(columns[1]) || !ids(columns[2]).iter().all(|id| moved.contains(id)) {
            wrong.push(format!("{line}: {found:?}, moved {moved:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The ways of writing a rule number that mean the same in every numbering.
fn spellings(number: &str, names: &[String]) -> Vec<String> {
    let wide: String = number
        .chars()
        .map(|c| match c {
            '!'..='~' => char::from_u32(c as u32 + 0xFEE0).unwrap_or(c),
            _ => c,
        })
        .collect();
    let mut forms = vec![
        number.to_owned(),
        number.to_uppercase(),
        format!("{number}."),
        format!("  {number} "),
        format!("rule {number}"),
        format!("§{number}"),
        format!("[{number}]"),
        format!("（{number}）"),
        format!("see rules {number}."),
        format!("what does rule {number} say?"),
        format!("规则{number}"),
        format!("規則{number}"),
        format!("第{number}条"),
        format!("参见规则{number}。"),
        format!("{number} ex"),
        format!("{number}例"),
        wide.clone(),
        format!("第{wide}條"),
        number.replace('-', "–"),
    ];
    for name in names {
        forms.extend([
            format!("{name} {number}"),
            format!("{name}{number}"),
            format!("{name}第{number}条"),
        ]);
    }
    forms
}

/// Fails unless a rule is found by each spelling of its number, given its game and (for another than the first) its
/// document.
fn check_round_trip(entry: &Entry, library: &(Games, Corpus)) {
    let (Some(number), Some(game)) = (&entry.citation, library.0.get(&entry.game)) else {
        return;
    };
    let Some(document) = game
        .documents
        .iter()
        .find(|document| document.id == entry.document)
    else {
        return;
    };
    if document.numbering.is_none() {
        return;
    }
    let first = entry.document == DEFAULT_DOCUMENT;
    let names: Vec<String> = match first {
        true => Vec::new(),
        false => document.names.iter().map(str::to_owned).collect(),
    };
    let forms = match first {
        true => spellings(number.as_str(), &names),
        false => spellings(number.as_str(), &names).split_off(19),
    };
    for form in forms {
        let (found, _) = named(&form, &entry.game, library);
        assert_eq!(found, std::slice::from_ref(&entry.id), "`{form}` of {}", entry.id);
    }
}

/// The entries that are shown by default, each id once.
fn current(corpus: &Corpus) -> Vec<&Entry> {
    let mut seen = BTreeSet::new();
    let all = (0..).zip(corpus.entries());
    let current = all
        .filter(|(idx, _)| corpus.is_current(*idx).unwrap())
        .map(|(_, entry)| entry);
    current.filter(|entry| seen.insert(&entry.id)).collect()
}

#[test]
fn every_shipped_number_in_every_spelling() {
    let entries = current(&shipped().1);
    assert!(entries.len() > 50);
    for entry in entries {
        check_round_trip(entry, shipped());
    }
}

#[test]
fn every_real_number_in_every_spelling() {
    let Some(real) = real() else { return };
    let entries = current(&real.1);
    assert!(entries.len() > 6000, "{}", entries.len());
    for entry in entries {
        check_round_trip(entry, real);
    }
}

/// Who cites an entry, as `--refs` answers, is exactly who has it among the references.
fn check_inverse(corpus: &Corpus) {
    let mut cited: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut n_references = 0;
    for (idx, entry) in (0..).zip(corpus.entries()) {
        for id in &entry.references {
            n_references += 1;
            cited.entry(id).or_default().insert(idx);
        }
    }
    assert!(n_references > 20, "{n_references}");
    let keys = corpus.with_prefix(&Key::Citing("").encode(), usize::MAX).unwrap();
    let inverse: BTreeMap<&str, BTreeSet<u32>> = keys
        .iter()
        .map(|(key, entries)| {
            (
                &key[Key::Citing("").encode().len()..],
                entries.iter().copied().collect(),
            )
        })
        .collect();
    for (id, entries) in &cited {
        assert_eq!(inverse.get(id), Some(entries), "{id}");
    }
    assert_eq!(cited.len(), inverse.len());
}

#[test]
fn who_cites_is_the_exact_inverse_of_what_is_cited() {
    check_inverse(&shipped().1);
    if let Some(real) = real() {
        check_inverse(&real.1);
        // Every member of a range in a text is cited: 702.26's "601.2f–h" of the newest edition.
        let ranged = current(&real.1).into_iter().find(|entry| {
            entry
                .text
                .en
                .as_deref()
                .is_some_and(|text| text.contains("601.2f–h"))
        });
        let references = &ranged.expect("a text with a range").references;
        for letter in ["f", "g", "h"] {
            let id = format!("mtg:rule:601.2{letter}");
            assert!(references.iter().any(|cited| *cited == id), "{references:?}");
        }
    }
}
