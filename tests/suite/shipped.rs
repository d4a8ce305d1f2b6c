//! What the repository ships in `rules/` and `rulings/`: our own wording, and a profile for every game.

use crate::real_data::shared;
use proptest::prelude::*;
use shiyi::citation::RuleNumber;
use shiyi::entry::{Bilingual, Entry, Field, Kind, Lang, NoteClass, ProvenanceClass};
use shiyi::fold::is_han;
use shiyi::game::{Game, Games, file};
use shiyi::name::Name;
use shiyi::parse::{Hints, parse};
use shiyi::source::SourceFile;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The repository, which is itself a library.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn folders(parent: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(parent)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    Games::new(folders(&root().join("rules")).iter().map(|folder| {
        let path = root().join("rules").join(folder).join("game.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let game = Game::from_toml(&text).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        assert_eq!(&game.id, folder);
        game
    }))
});

#[test]
fn every_game_has_a_profile_of_its_own() {
    let games = &*GAMES;
    assert_eq!(games.iter().count(), 13);
    for game in games.iter() {
        for name in [Some(&game.names.en), game.names.zh.as_ref()]
            .into_iter()
            .flatten()
            .chain(&game.aliases)
        {
            assert_eq!(
                games.find(name).map(|found| &found.id),
                Some(&game.id),
                "`{name}` is taken"
            );
        }
        assert!(game.document("cr").is_some(), "{}", game.id);
    }
    for (word, id) in [
        ("ygo", "yugioh"),
        ("one-piece", "onepiece"),
        ("grand-archive", "grandarchive"),
        ("万智牌", "mtg"),
        ("MTG", "mtg"),
        ("力之意志", "fow"),
        ("游戏王", "yugioh"),
        ("航海王", "onepiece"),
    ] {
        assert_eq!(games.find(word).map(|game| game.id.as_str()), Some(id), "{word}");
    }
}

#[test]
fn numbers_fit_their_game_and_no_other_shape() {
    let games = &*GAMES;
    let fits = |game: &str, document: Option<&str>, number: &str| {
        let number: RuleNumber = number.parse().unwrap();
        games
            .get(game)
            .unwrap()
            .numbering(document)
            .unwrap()
            .fits(&number)
    };
    for (game, document, number) in [
        ("mtg", None, "7"),
        ("mtg", None, "702.19b"),
        ("mtg", None, "704.5aa"),
        ("mtg", Some("mtr"), "6.3"),
        ("mtg", Some("ipg"), "2.1"),
        ("fow", None, "1014.4"),
        ("fow", None, "702.3a-1"),
        ("onepiece", None, "5-2-1-5-1"),
        ("gundam", None, "3-6-4-1"),
        ("digimon", None, "1-2-1"),
        ("fab", None, "1.0.1a"),
        ("lorcana", None, "1.6.1.3"),
        ("riftbound", None, "103.1.b.1"),
        ("riftbound", None, "001"),
    ] {
        assert!(fits(game, document, number), "{game} {number}");
    }
    for (game, number) in [
        ("mtg", "1014.4"),
        ("mtg", "702.3a-1"),
        ("fow", "7"),
        ("onepiece", "1.2"),
        ("fab", "1-2"),
    ] {
        assert!(!fits(game, None, number), "{game} {number}");
    }
}

/// Every Markdown file of the library but the pages that explain it, in order of name.
fn files() -> Vec<String> {
    let mut files = Vec::new();
    for top in ["rules", "rulings"] {
        for game in folders(&root().join(top)) {
            for file in fs::read_dir(root().join(top).join(&game)).unwrap() {
                let name = file.unwrap().file_name().into_string().unwrap();
                if name.ends_with(".md") && name != "README.md" {
                    files.push(format!("{top}/{game}/{name}"));
                }
            }
        }
    }
    files.sort();
    files
}

/// The entries of one file, which has nothing to complain about.
fn entries_of(file: &str) -> Vec<Entry> {
    let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let source = SourceFile::new(file, text);
    let parsed = parse(&source, &GAMES, &Hints::from_path(file, &GAMES));
    let told: Vec<String> = parsed
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.to_text())
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    parsed.entries
}

fn all_entries() -> Vec<Entry> {
    files().iter().flat_map(|file| entries_of(file)).collect()
}

const RULES: &str = "rules/fow/comprehensive-rules.md";
const STATEMENTS: &str = "rules/fow/statements-t2.md";
const RULINGS: [&str; 2] = ["rulings/mtg/manifest.md", "rulings/mtg/initiative.md"];

#[test]
fn everything_is_there_in_both_languages_and_in_our_own_words() {
    let entries = all_entries();
    assert!(entries.len() >= 15 + 22 + 24);
    for entry in &entries {
        let name = (&entry.id, &entry.label);
        let pairs = [&entry.text, &entry.title]
            .into_iter()
            .chain(&entry.examples)
            .chain(&entry.items);
        for pair in pairs {
            assert!(pair.en.is_some() && pair.zh.is_some(), "{name:?}: {pair:?}");
        }
        let notes = |lang: Lang| entry.notes.iter().filter(move |note| note.lang == lang).count();
        assert_eq!(notes(Lang::En), notes(Lang::Zh), "{name:?}");
        for lang in Lang::ALL {
            let provenance = entry.provenance.get(lang).unwrap();
            assert_eq!(provenance.class, ProvenanceClass::OwnWords, "{name:?}");
        }
        assert!(entry.pairing.unwrap().certain, "{name:?}");
        // A language's field holds that language.
        for (field, lang, text) in entry.texts().filter(|(field, ..)| *field != Field::Alias) {
            assert_eq!(Lang::of(text), lang, "{name:?} {field:?}: {text}");
        }
    }
    let ids: HashSet<&Name> = entries.iter().map(|entry| &entry.id).collect();
    assert_eq!(ids.len(), entries.len(), "ids are unique");
    let labels: Vec<&Name> = entries.iter().filter_map(|entry| entry.label.as_ref()).collect();
    assert_eq!(
        labels.iter().collect::<HashSet<_>>().len(),
        labels.len(),
        "labels are unique"
    );
}

#[test]
fn fifteen_rules_under_their_numbers() {
    let rules = entries_of(RULES);
    let numbers: Vec<_> = rules
        .iter()
        .map(|rule| rule.citation.as_ref().unwrap().as_str())
        .collect();
    assert_eq!(
        numbers,
        [
            "206.5", "209.4", "303.2", "403.5a", "702.3a", "702.3a-1", "712.3", "712.3a", "712.3b", "713.3",
            "713.3a", "713.3b", "713.3c", "1014.4", "1175.3"
        ]
    );
    for rule in &rules {
        assert_eq!((rule.kind, rule.document.as_str()), (Kind::Rule, "cr"));
        assert!(rule.edition.is_empty(), "{}", rule.id);
    }
    let covers = |number: &str| {
        let rule = rules
            .iter()
            .find(|rule| rule.id == format!("fow:rule:{number}"))
            .unwrap();
        let notes: Vec<_> = rule
            .notes
            .iter()
            .map(|note| (note.class, note.tag.as_deref()))
            .collect();
        assert_eq!(notes, [(NoteClass::Format, Some("ABC")); 2], "{number}");
        assert_eq!(rule.notes[0].covers, rule.notes[1].covers);
        rule.notes[0].covers.clone()
    };
    assert_eq!(covers("712.3"), ["fow:rule:712.3a", "fow:rule:712.3b"]);
    assert_eq!(
        covers("713.3"),
        ["fow:rule:713.3a", "fow:rule:713.3b", "fow:rule:713.3c"]
    );
}

#[test]
fn twenty_two_statements_with_their_examples_and_items() {
    let statements = entries_of(STATEMENTS);
    assert_eq!(statements.len(), 22);
    let count = |of: fn(&Entry) -> usize| statements.iter().map(of).sum::<usize>();
    assert_eq!(count(|entry| entry.examples.len()), 11);
    assert_eq!(count(|entry| entry.items.len()), 7);
    for statement in &statements {
        assert_eq!(statement.kind, Kind::Statement);
        assert!(statement.label.is_some(), "{}", statement.id);
        assert_eq!(statement.edition, Bilingual::both("T2".into(), "T2".into()));
    }
}

#[test]
fn twenty_four_rulings_with_dates_and_what_they_restate() {
    let [manifest, initiative] = RULINGS.map(entries_of);
    assert_eq!((manifest.len(), initiative.len()), (14, 10));
    let mut classes = Vec::new();
    for (rulings, date) in [(&manifest, "2024-06-07"), (&initiative, "2022-06-10")] {
        for ruling in rulings {
            assert_eq!((ruling.kind, ruling.date.as_deref()), (Kind::Ruling, Some(date)));
            assert_eq!(ruling.provenance.en, ruling.provenance.zh);
            let after = ruling.provenance.zh.clone().unwrap().after.unwrap();
            assert_eq!(after.date.as_deref(), Some(date));
            classes.push((after.class, after.tag));
        }
    }
    let n_machine = classes
        .iter()
        .filter(|class| **class == (ProvenanceClass::Machine, Some("gpt".to_owned())))
        .count();
    let n_official = classes
        .iter()
        .filter(|class| **class == (ProvenanceClass::Official, None))
        .count();
    assert_eq!((n_official, n_machine), (21, 3));
    assert!(
        initiative.iter().all(|ruling| ruling.cards.is_empty()),
        "no card is invented"
    );
}

/// Figures of the facts that are restated: what stands in the English text, and in the Chinese one. A rule is
/// named by its number, all else by its label.
const FIGURES: &[(&str, &[&str], &[&str])] = &[
    ("206.5", &["319"], &["319"]),
    ("712.3a", &["three or more", "X"], &["3名或更多", "X"]),
    ("712.3b", &["three or more"], &["3名或更多"]),
    ("713.3b", &["three or more"], &["3名或更多"]),
    ("713.3c", &["three or more"], &["3名或更多"]),
    (
        "bare-number",
        &["2 power", "2, 3, 4 or more"],
        &["2个力量", "2个、3个、4个或更多"],
    ),
    (
        "exact-number",
        &["exactly 5", "exactly 10", "exactly 15"],
        &["正好5个", "正好10个", "正好15个"],
    ),
    (
        "combined-number",
        &["number of 0", "total cost is 2", "to be 2"],
        &["合计数量为0", "总费用为2", "只能是2"],
    ),
    (
        "rune-deck-size",
        &["exactly 0", "exactly 5"],
        &["正好0张", "正好5张"],
    ),
    ("game-start-order", &["turn 1"], &["第1回合"]),
    ("first-draw-phase", &["first draw phase"], &["第1个抽牌阶段"]),
    (
        "game-start-once-per-name",
        &[
            "more than once",
            "2 times",
            "just 1",
            "2 different",
            "1 more",
            "only 1",
        ],
        &[
            "超过1次",
            "2张",
            "其中1张",
            "2个不同",
            "2个都",
            "另外1个",
            "只有其中1个",
        ],
    ),
    (
        "game-start-trigger-order",
        &["first draw phase", "1 Rogue", "1 Solaria", "1 Accursed"],
        &[
            "第1个抽牌阶段",
            "1张“流氓观众”",
            "1张“索拉里亚之风”",
            "1张“被诅咒的冰之碎片”",
        ],
    ),
    (
        "damage-replacement-order",
        &[
            "2 or more",
            "at least 1",
            "[-100/-100]",
            "becoming 0",
            "at most 800",
        ],
        &["2个或更多", "至少有1个", "[-100/-100]", "变成0", "最多800"],
    ),
    (
        "double-damage-once",
        &["only 1", "2 Raging", "1 Thunder", "1000", "2000"],
        &["其中1个", "2个“狂怒", "1张“天雷", "1000点", "2000点"],
    ),
    (
        "investigate-stacking",
        &[
            "(+1)",
            "1 [Investigate] (1)",
            "1 [Investigate] (2)",
            "2 copies",
            "2 [Investigate] (2)",
            "2 cards on top",
        ],
        &[
            "(+1)",
            "1个[调查](1)",
            "1个[调查](2)",
            "第1张",
            "第2张",
            "2张“医学",
            "2个[调查](2)",
            "牌库顶的2张",
        ],
    ),
    (
        "zero-counters",
        &["[+100/+100]", "[-100/-100]", "[0/0]"],
        &["[+100/+100]", "[-100/-100]", "[0/0]"],
    ),
    (
        "solo-mode",
        &["2 or more", "1 ruler", "1 ordered"],
        &["2个或更多", "1个带", "1个被指令"],
    ),
    ("race-count", &["314", "T2"], &["314", "T2"]),
    ("kozilek-one-card", &["just one card"], &["一张牌"]),
    ("manifest", &["2/2", "mana value of 0"], &["2/2", "法术力值为0"]),
    (
        "initiative-rules",
        &["Two rules", "one or more"],
        &["两条规则", "一个或数个"],
    ),
    ("initiative-one-player", &["one player at a time"], &["一位牌手"]),
    ("undercity-not-in-dungeon", &["first room"], &["第一个房间"]),
];

#[test]
fn every_figure_is_kept() {
    let entries = all_entries();
    for (name, en, zh) in FIGURES {
        let entry = entries
            .iter()
            .find(|entry| {
                entry.label.as_deref() == Some(*name)
                    || entry.citation.as_ref().is_some_and(|n| n.as_str() == *name)
            })
            .unwrap_or_else(|| panic!("{name}"));
        for (lang, figures) in [(Lang::En, en), (Lang::Zh, zh)] {
            let text: Vec<&str> = entry
                .texts()
                .filter(|(_, l, _)| *l == lang)
                .map(|(.., text)| text)
                .collect();
            for figure in *figures {
                assert!(
                    text.iter().any(|text| text.contains(figure)),
                    "{name}: `{figure}`"
                );
            }
        }
    }
    // In a rule without a title's numbers, the figures of the two languages are the same ones.
    for entry in entries.iter().filter(|entry| entry.kind == Kind::Statement) {
        for pair in [&entry.text]
            .into_iter()
            .chain(&entry.examples)
            .chain(&entry.items)
        {
            let figures = |lang: Lang| -> BTreeSet<String> {
                let text = pair.get(lang).unwrap();
                text.split(|c: char| !c.is_ascii_digit())
                    .filter(|figure| figure.len() > 1)
                    .map(str::to_owned)
                    .collect()
            };
            assert_eq!(figures(Lang::En), figures(Lang::Zh), "{:?}", entry.label);
        }
    }
}

/// Longest runs that a shipped text may share with a text it restates, exclusive.
const HAN_RUN: usize = 12;
const WORD_RUN: usize = 8;

/// Every run of `length` Han characters (nothing else counted) and of English words in a text.
fn runs(text: &str) -> (Vec<String>, Vec<String>) {
    let han: Vec<char> = text.chars().filter(|c| is_han(*c)).collect();
    let words: Vec<String> = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .filter(|word| word.chars().any(|c| c.is_ascii_alphabetic()))
        .map(|word| word.to_lowercase().replace('’', "'"))
        .collect();
    (
        han.windows(HAN_RUN).map(|run| run.iter().collect()).collect(),
        words.windows(WORD_RUN).map(|run| run.join(" ")).collect(),
    )
}

#[test]
fn no_sentence_is_taken_over() {
    let Some(seeds) = shared("seeds") else { return };
    let mut taken = HashSet::new();
    let mut n_seeds = 0;
    for seed in fs::read_dir(seeds).unwrap() {
        let (han, words) = runs(&fs::read_to_string(seed.unwrap().path()).unwrap());
        taken.extend(han.into_iter().chain(words));
        n_seeds += 1;
    }
    assert!(n_seeds >= 4);
    let pages = ["rules/README.md", "rulings/README.md"].map(str::to_owned);
    for file in files().into_iter().chain(pages) {
        let text = fs::read_to_string(root().join(&file)).unwrap();
        for line in text.lines() {
            let (han, words) = runs(line);
            for run in han.into_iter().chain(words) {
                assert!(!taken.contains(&run), "{file}: `{run}`");
            }
        }
    }
}

#[test]
fn the_table_of_facts_is_complete_and_in_order() {
    let page = fs::read_to_string(root().join("rules/README.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `0"))
        .map(|line| {
            line.trim_matches('|')
                .split(" | ")
                .map(|cell| cell.trim().trim_matches('`'))
                .collect()
        })
        .collect();
    let table = |seed: &str| -> Vec<(String, String)> {
        rows.iter()
            .filter(|row| row[0] == seed)
            .map(|row| (row[row.len() - 2].to_owned(), row[row.len() - 1].to_owned()))
            .collect()
    };
    let expected = |file: &str| -> Vec<(String, String)> {
        entries_of(file)
            .into_iter()
            .map(|entry| {
                let name = entry
                    .label
                    .map(String::from)
                    .or(entry.citation.map(String::from))
                    .unwrap();
                (name, entry.id.into())
            })
            .collect()
    };
    for (seed, file) in [
        ("000", RULES),
        ("001", RULINGS[0]),
        ("002", RULINGS[1]),
        ("004", STATEMENTS),
    ] {
        assert_eq!(table(seed), expected(file), "{seed}");
    }
}

proptest! {
    /// A shipped file that was cut, or spoilt in one place, still gives its other entries and an account of each line.
    #[test]
    fn a_damaged_file_is_still_accounted_for(
        file in prop::sample::select(files()),
        at in any::<prop::sample::Index>(),
        length in 0usize..40,
        spoilt in "[-#>*`\\[\\]:+ 0-9.{}甲\r\n]{0,6}",
    ) {
        let whole = fs::read_to_string(root().join(&file)).unwrap();
        let places: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
        let start = at.index(places.len());
        let end = places.get(start + length).copied().unwrap_or(whole.len());
        let text = format!("{}{spoilt}{}", &whole[..places[start]], &whole[end..]);
            let source = SourceFile::new(file.as_str(), text);
        let parsed = parse(&source, &GAMES, &Hints::from_path(&file, &GAMES));
        let placed: HashSet<u32> = parsed.lines.iter().map(|(number, _)| *number).collect();
        for line in source.lines().filter(|line| line.text.chars().any(char::is_alphanumeric)) {
            prop_assert!(placed.contains(&line.number), "{file}:{}", line.number);
        }
    }
}

/// The page on `game.toml`: its example is a game without a fault, and it names every key there is.
#[test]
fn the_page_describes_every_key_of_a_game() {
    let page = fs::read_to_string(root().join("rules/README.md")).unwrap();
    let example = page
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let example = example.expect("an example");
    let reading = file::read(example, Some("demo"));
    assert_eq!(reading.faults, []);
    let game = reading.game.expect("a game");
    assert_eq!(game.documents.len(), 2);
    let reads = |document: &str, number: &str| {
        let numbering = game.numbering(Some(document)).unwrap();
        numbering
            .read_prefix(number)
            .map(|(read, length)| (read.to_string(), length))
    };
    assert_eq!(reads("cr", "702.3a-1. If"), Some(("702.3a-1".to_owned(), 8)));
    assert_eq!(reads("tr", "4.2(a) If"), Some(("4.2a".to_owned(), 6)));

    // An unknown key makes the reader list the known ones.
    let mut keys = 0;
    for part in [
        "colour = 1",
        "[[document]]\ncolour = 1",
        "[[document]]\nnumbering = { colour = 1 }",
        "[numeric]\ncolour = 1",
        "[calc]\ncolour = 1",
    ] {
        let faults = file::read(
            &format!("id = \"demo\"\nnames = {{ en = \"D\" }}\n{part}\n"),
            None,
        )
        .faults;
        let said = format!("{} {}", faults[0].message, faults[0].hint);
        let listed = said.split("expected").nth(1).unwrap_or(&said);
        for key in listed
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|key| *key != "colour")
        {
            keys += 1;
            assert!(
                page.contains(&format!("`{key}`")),
                "{part}: `{key}` is not described"
            );
        }
    }
    assert!(keys > 45, "{keys}");
    for key in [
        "id",
        "names",
        "aliases",
        "languages",
        "[[document]]",
        "[numeric]",
        "[calc]",
    ] {
        assert!(page.contains(&format!("`{key}`")), "`{key}` is not described");
    }
}
