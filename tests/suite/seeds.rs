//! The four texts that the project grew from, line by line.
//!
//! The tables were written by hand, from reading the texts: `line  entry  field`, one row for each field that a
//! line goes to. Rules go by their number, statements and rulings by their order. `-` is no entry, and what
//! the line is instead.

use crate::real_data::shared;
use crate::texts::{games, read_as};
use shiyi::diagnostic::Severity;
use shiyi::entry::{Entry, Field, Kind, Lang, NoteClass, PairedBy, ProvenanceClass};
use shiyi::pair::pair;
use shiyi::parse::{Furniture, Parsed, Place};
use shiyi::source::SourceFile;
use std::fs;
use std::path::PathBuf;

const RULES: &str = "
1   206.5     text en
3   206.5     text zh
3   206.5     note zh
5   209.4     text en
7   209.4     text zh
9   303.2     text en
11  303.2     text zh
13  403.5a    text en
15  403.5a    text zh
17  702.3a    text en
19  702.3a-1  text en
21  702.3a    text zh
23  702.3a-1  text zh
25  712.3     text en
27  712.3a    text en
29  712.3b    text en
31  712.3     note zh
33  713.3     text en
35  713.3a    text en
37  713.3b    text en
39  713.3c    text en
41  713.3     note zh
43  1014.4    text en
45  1014.4    text zh
45  1014.4    note zh
47  1175.3    text en
49  1175.3    text zh
";

const MANIFEST: &str = "
1   -   title
3   -   bullet
5   1   text zh
7   1   text en
9   -   bullet
11  2   text zh
13  2   text en
15  -   bullet
17  3   text zh
19  3   text en
21  -   bullet
23  4   text zh
25  4   text en
27  -   bullet
29  5   text zh
31  5   text en
33  -   bullet
35  6   text zh
37  6   text en
39  -   bullet
41  7   text zh
43  7   text en
45  -   bullet
47  8   text zh
49  8   text en
51  -   bullet
53  9   text zh
55  9   text en
57  -   bullet
59  10  text zh
61  10  text en
63  -   bullet
65  11  text zh
67  11  text en
69  -   bullet
71  12  text zh
73  12  text en
75  -   bullet
77  13  text zh
79  13  text en
81  -   bullet
83  14  text zh
85  14  text en
";

const INITIATIVE: &str = "
1   -   title
3   -   bullet
5   1   text zh
7   1   text en
9   -   bullet
11  2   text zh
13  2   text en
15  -   bullet
17  3   text zh
19  3   text en
21  -   bullet
23  4   text zh
25  4   text en
27  -   bullet
29  5   text zh
31  5   text en
33  -   bullet
35  6   text zh
37  6   text en
39  -   bullet
41  7   text zh
43  7   text en
45  -   bullet
47  8   text zh
49  8   text en
51  -   bullet
53  9   text zh
55  9   text en
57  -   bullet
59  10  text zh
61  10  text en
";

const STATEMENTS: &str = "
1   1   text zh
3   2   text zh
5   3   text zh
7   3   example zh
9   4   text zh
11  4   example zh
13  5   text zh
15  5   example zh
17  5   example zh
19  6   text zh
21  7   text zh
23  8   text zh
25  9   text zh
27  9   item zh
29  9   item zh
31  9   item zh
33  10  title zh
35  10  text zh
37  11  text zh
39  11  example zh
41  11  example zh
43  12  text zh
45  12  item zh
47  12  item zh
49  12  item zh
51  12  item zh
53  12  example zh
55  13  text zh
57  14  text zh
59  15  text zh
61  16  text zh
63  16  example zh
65  17  text zh
67  18  text zh
69  19  text zh
71  19  example zh
73  19  example zh
75  19  example zh
77  20  text zh
79  21  text zh
81  22  text zh
";

/// The seeds by their first three digits, each with a place in a library and its table.
const SEEDS: [(&str, &str, &str); 4] = [
    ("000", "rules/fow", RULES),
    ("001", "rulings/mtg", MANIFEST),
    ("002", "rulings/mtg", INITIATIVE),
    ("004", "rules/fow", STATEMENTS),
];

fn seed(number: &str) -> Option<PathBuf> {
    let folder = shared("seeds")?;
    let mut files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let path = files.find(|path| path.file_name().unwrap().to_string_lossy().starts_with(number));
    Some(path.unwrap_or_else(|| panic!("no seed {number}")))
}

fn read(number: &str) -> Option<(SourceFile, Parsed)> {
    let (_, folder, _) = SEEDS.iter().find(|(seed, ..)| *seed == number)?;
    let path = seed(number)?;
    let place = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
    Some(read_as(&path, &place, &games()))
}

/// A row of a table as the program has it.
fn row(parsed: &Parsed, line: u32, place: &Place) -> (u32, String, String) {
    match place {
        Place::Entry {
            entry_idx,
            field,
            lang,
        } => {
            let entry = &parsed.entries[*entry_idx];
            let name = match &entry.citation {
                Some(number) => number.to_string(),
                None => (entry_idx + 1).to_string(),
            };
            let field = match field {
                Field::Title => "title",
                Field::Text => "text",
                Field::Example => "example",
                Field::Item => "item",
                Field::Note => "note",
                Field::Tag => "tag",
                Field::Alias | Field::Card => "other",
            };
            (line, name, format!("{field} {}", lang.as_str()))
        }
        Place::Furniture(Furniture::Title) => (line, "-".into(), "title".into()),
        Place::Furniture(Furniture::Bullet) => (line, "-".into(), "bullet".into()),
        place => (line, "-".into(), format!("{place:?}")),
    }
}

#[test]
fn every_line_of_every_seed_is_where_it_belongs() {
    for (number, _, table) in SEEDS {
        let Some((source, parsed)) = read(number) else {
            return;
        };
        let expected: Vec<_> = table
            .lines()
            .filter(|row| !row.is_empty())
            .map(|row| {
                let mut words = row.split_whitespace();
                let mut next = || words.next().unwrap_or_default().to_owned();
                let (line, entry) = (next().parse::<u32>().unwrap(), next());
                let rest = [next(), next()].join(" ");
                (line, entry, rest.trim_end().to_owned())
            })
            .collect();
        let found: Vec<_> = parsed
            .lines
            .iter()
            .map(|(line, place)| row(&parsed, *line, place))
            .collect();
        assert_eq!(found, expected, "seed {number}");
        // The tables are complete, and the words themselves arrived.
        for line in source.lines().filter(|line| !line.text.trim().is_empty()) {
            assert!(
                expected.iter().any(|row| row.0 == line.number),
                "{number}:{}",
                line.number
            );
        }
        for (line, place) in &parsed.lines {
            if let Place::Entry { entry_idx, .. } = place {
                let line = source.line(*line).unwrap().text.trim();
                let entry = &parsed.entries[*entry_idx];
                assert!(
                    entry.texts().any(|(_, _, text)| line.contains(text)),
                    "{number}: {line} is not in {}",
                    entry.id
                );
            }
        }
    }
}

fn by_number<'a>(entries: &'a [Entry], number: &str) -> &'a Entry {
    entries
        .iter()
        .find(|entry| {
            entry
                .citation
                .as_ref()
                .is_some_and(|citation| citation.as_str() == number)
        })
        .unwrap_or_else(|| panic!("no rule {number}"))
}

#[test]
fn the_rules_and_their_translations() {
    let Some((_, parsed)) = read("000") else { return };
    let (entries, diagnostics) = pair(vec![parsed], &games());
    assert_eq!(diagnostics, []);
    assert_eq!(entries.len(), 15);
    assert!(
        entries
            .iter()
            .all(|entry| entry.kind == Kind::Rule && entry.text.en.is_some())
    );
    assert!(entries.iter().all(|entry| entry.edition.is_empty()));
    let translated: Vec<_> = entries
        .iter()
        .filter(|entry| entry.text.zh.is_some())
        .map(|entry| {
            let pairing = entry.pairing.unwrap();
            assert_eq!(
                (pairing.how, pairing.certain),
                (PairedBy::Order, true),
                "{}",
                entry.id
            );
            (entry.id.as_str(), pairing.partial)
        })
        .collect();
    assert_eq!(
        translated,
        [
            ("fow:rule:206.5", false),
            ("fow:rule:209.4", false),
            ("fow:rule:303.2", true),
            ("fow:rule:403.5a", false),
            ("fow:rule:702.3a", false),
            ("fow:rule:702.3a-1", false),
            ("fow:rule:1014.4", false),
            ("fow:rule:1175.3", false),
        ]
    );
    let text = |number: &str| by_number(&entries, number).text.zh.as_deref().unwrap();
    assert_eq!(text("206.5"), "更新后种族一共有319个");
    assert!(text("209.4").contains("或4具有"));
    assert!(text("702.3a").starts_with("将1张牌") && text("702.3a").ends_with("参战。"));
    assert!(text("702.3a-1").starts_with("如果该牌没有"));
    assert!(text("1014.4").ends_with("同名的牌。"));
    assert!(
        by_number(&entries, "303.2")
            .text
            .en
            .as_deref()
            .unwrap()
            .contains("face- down")
    );
    assert_eq!(
        by_number(&entries, "702.3a")
            .text
            .zh
            .as_deref()
            .unwrap()
            .matches('\n')
            .count(),
        0
    );
    for (number, class, begins, tag, covers) in [
        ("206.5", NoteClass::Commentary, "但特么", None, vec![]),
        ("1014.4", NoteClass::Commentary, "堕落王国的魔女", None, vec![]),
        (
            "712.3",
            NoteClass::Format,
            "关于指令",
            Some("ABC专用"),
            vec!["712.3a", "712.3b"],
        ),
        (
            "713.3",
            NoteClass::Format,
            "关于契约",
            Some("ABC专用"),
            vec!["713.3a", "713.3b", "713.3c"],
        ),
    ] {
        let [note] = by_number(&entries, number).notes.as_slice() else {
            panic!("{number} has one note");
        };
        let covers: Vec<_> = covers.iter().map(|number| format!("fow:rule:{number}")).collect();
        assert_eq!((note.class, note.lang), (class, Lang::Zh), "{number}");
        assert_eq!(note.covers, covers, "{number}");
        assert_eq!(note.tag.as_deref(), tag);
        assert!(note.text.starts_with(begins), "{}", note.text);
    }
    assert_eq!(entries.iter().filter(|entry| !entry.notes.is_empty()).count(), 4);
}

#[test]
fn the_statements_with_examples_and_items() {
    let Some((_, parsed)) = read("004") else { return };
    let (entries, diagnostics) = pair(vec![parsed], &games());
    assert_eq!(diagnostics, []);
    assert_eq!(entries.len(), 22);
    assert!(
        entries
            .iter()
            .all(|entry| entry.kind == Kind::Statement && entry.citation.is_none())
    );
    assert!(
        entries
            .iter()
            .all(|entry| entry.edition.zh.as_deref() == Some("T2"))
    );
    let counts: Vec<_> = entries
        .iter()
        .map(|entry| (entry.examples.len(), entry.items.len()))
        .collect();
    assert_eq!(counts.iter().map(|(examples, _)| examples).sum::<usize>(), 11);
    assert_eq!(counts.iter().map(|(_, items)| items).sum::<usize>(), 7);
    // The heading is that of what follows it, not of what stands before.
    let titled: Vec<_> = entries.iter().map(|entry| entry.title.zh.as_deref()).collect();
    assert!(titled[..9].iter().all(Option::is_none));
    assert!(titled[9..].iter().all(|title| *title == Some("抽牌阶段")));
    assert!(
        entries[8].items[0]
            .zh
            .as_deref()
            .unwrap()
            .starts_with("如果先攻玩家")
    );
    assert!(
        entries[2].examples[0]
            .zh
            .as_deref()
            .unwrap()
            .starts_with("若“科技巅峰")
    );
    assert!(
        entries[2]
            .text
            .zh
            .as_deref()
            .unwrap()
            .contains("没有使用使用描述")
    );
}

#[test]
fn the_rulings_with_dates_and_provenance() {
    let (Some((_, manifest)), Some((_, initiative))) = (read("001"), read("002")) else {
        return;
    };
    let (entries, diagnostics) = pair(vec![manifest, initiative], &games());
    assert_eq!(diagnostics, []);
    assert_eq!(entries.len(), 24);
    let mut machine = 0;
    for (idx, entry) in entries.iter().enumerate() {
        assert_eq!(entry.kind, Kind::Ruling);
        assert!(entry.text.en.is_some() && entry.text.zh.is_some());
        assert!(entry.cards.is_empty(), "{:?}", entry.cards);
        let date = if idx < 14 { "2024-06-07" } else { "2022-06-10" };
        assert_eq!(entry.date.as_deref(), Some(date));
        let (en, zh) = (
            entry.provenance.en.as_ref().unwrap(),
            entry.provenance.zh.as_ref().unwrap(),
        );
        assert_eq!(en.class, ProvenanceClass::Official);
        if zh.class == ProvenanceClass::Machine {
            machine += 1;
            assert_eq!(zh.tag.as_deref(), Some("gpt"));
        } else {
            assert_eq!(
                (zh.class, zh.tag.as_deref()),
                (ProvenanceClass::Official, Some("official"))
            );
        }
        let pairing = entry.pairing.unwrap();
        assert_eq!(
            (pairing.how, pairing.certain, pairing.partial),
            (PairedBy::Order, true, false)
        );
    }
    assert_eq!(machine, 3);
}

#[test]
fn a_library_of_the_seeds_alone_has_nothing_wrong_with_it() {
    let mut parsed = Vec::new();
    for (number, ..) in SEEDS {
        let Some((_, seed)) = read(number) else { return };
        parsed.push(seed);
    }
    let (entries, diagnostics) = pair(parsed, &games());
    assert_eq!(entries.len(), 15 + 22 + 24);
    assert!(
        diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity < Severity::Error),
        "{diagnostics:?}"
    );
}

#[test]
fn a_translation_may_come_before_its_rules() {
    let Some((source, parsed)) = read("000") else {
        return;
    };
    // Each run of rules changes places with the run of Chinese paragraphs after it.
    let mut turned: Vec<String> = Vec::new();
    let mut rules: Vec<String> = Vec::new();
    for line in source.lines().filter(|line| !line.text.trim().is_empty()) {
        if Lang::of(line.text) == Lang::En {
            if turned.last().is_some_and(|last| Lang::of(last) == Lang::Zh) {
                turned.append(&mut rules);
            }
            rules.push(line.text.to_owned());
        } else {
            turned.push(line.text.to_owned());
        }
    }
    turned.append(&mut rules);
    let games = games();
    let source = SourceFile::new("rules/fow/turned.txt", turned.join("\n\n"));
    let hints = shiyi::parse::Hints::from_path(source.path(), &games);
    let again = shiyi::parse::parse(&source, &games, &hints);
    assert_eq!(again.diagnostics, []);
    let plain = |parsed: &Parsed| -> Vec<Entry> {
        let mut entries = parsed.entries.clone();
        entries.iter_mut().for_each(|entry| entry.sources.clear());
        entries
    };
    for (again, parsed) in plain(&again).iter().zip(plain(&parsed)) {
        assert_eq!(again, &parsed);
    }
    assert_eq!(again.entries.len(), parsed.entries.len());
}
