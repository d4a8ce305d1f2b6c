//! `shiyi doctor`: what is damaged is found and repaired; `doctor --rules`: what rulebooks get wrong about themselves.

use crate::harness::Sandbox;
use crate::real_data::shared;
use serde_json::Value;
use std::path::PathBuf;

/// The bytes that share a checksum.
const BLOCK: usize = 1024;

const RULES: &str = "+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 101.1\n\nAlpha text.\n\n甲文。\n";

fn library() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.in_library(["doctor"]).expect(0);
    sandbox
}

/// The state of each part that has another than `sound`, with its name.
fn states(sandbox: &Sandbox, code: i32) -> Vec<(String, String)> {
    let ran = sandbox.in_library(["doctor", "--json"]).expect(code);
    let word = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
    ran.objects("check")
        .iter()
        .map(|check| (word(check, "name"), word(check, "state")))
        .filter(|(_, state)| state != "sound")
        .collect()
}

fn one(name: &str, state: &str) -> Vec<(String, String)> {
    vec![(name.to_owned(), state.to_owned())]
}

fn generation(sandbox: &Sandbox) -> PathBuf {
    let index = sandbox.library().join("index");
    let current = std::fs::read_to_string(index.join("CURRENT")).unwrap();
    index.join(current.trim())
}

#[test]
fn a_sound_library() {
    let sandbox = library();
    let ran = sandbox.in_library(["doctor"]).expect(0);
    assert!(ran.stdout.contains("nothing wrong"), "{ran:#?}");
    let ran = sandbox.in_library(["doctor", "--ui-lang", "zh"]).expect(0);
    assert!(ran.stdout.contains("没有问题"), "{ran:#?}");
    let before = std::fs::read(generation(&sandbox)).unwrap();
    assert_eq!(states(&sandbox, 0), []);
    assert_eq!(std::fs::read(generation(&sandbox)).unwrap(), before);
    // Where there is no library of the user's, the built-in one is looked at.
    Sandbox::new().run(["doctor"]).expect(0);
    Sandbox::new().run(["doctor", "--rules"]).expect(0);
}

#[test]
fn every_block_is_looked_at_and_damage_is_repaired() {
    let sandbox = library();
    let length = std::fs::metadata(generation(&sandbox)).unwrap().len() as usize;
    let step = (length / BLOCK / 16).max(1);
    for block in (0..length / BLOCK).step_by(step) {
        let path = generation(&sandbox);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[block * BLOCK + 7] ^= 0x40;
        std::fs::write(&path, bytes).unwrap();
        let name = format!("index/{}", path.file_name().unwrap().to_string_lossy());
        assert_eq!(states(&sandbox, 1), one(&name, "damaged"), "block {block}");
        assert_eq!(states(&sandbox, 0), [], "block {block}");
        sandbox.in_library(["fow", "101.1"]).expect(0);
    }
}

#[test]
fn every_kind_of_damage_is_said_in_plain_words() {
    let sandbox = library();
    let index = sandbox.library().join("index");
    let repaired = |what: &str| {
        let ran = sandbox.in_library(["doctor"]).expect(1);
        assert!(
            ran.stdout.contains("damaged") && ran.stdout.contains("built again"),
            "{what}: {ran:#?}"
        );
        sandbox.in_library(["doctor"]).expect(0);
    };
    std::fs::write(generation(&sandbox), "").unwrap();
    repaired("empty");
    let path = generation(&sandbox);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    repaired("cut");
    std::fs::remove_file(generation(&sandbox)).unwrap();
    repaired("no generation");
    std::fs::remove_file(index.join("CURRENT")).unwrap();
    repaired("no CURRENT");
    std::fs::write(index.join("CURRENT"), "../evil\n").unwrap();
    repaired("bad CURRENT");
    std::fs::write(index.join("CURRENT"), [0xff, 0xfe]).unwrap();
    repaired("CURRENT is no text");
    // No index is no damage; it is built.
    std::fs::remove_dir_all(&index).unwrap();
    assert_eq!(states(&sandbox, 0), one("index", "missing"));
    assert_eq!(states(&sandbox, 0), []);
    // A newer program's index is refused and left alone.
    let mut bytes = std::fs::read(generation(&sandbox)).unwrap();
    bytes[8..12].copy_from_slice(&4_000_000u32.to_le_bytes());
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..28]) as u32;
    bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(generation(&sandbox), &bytes).unwrap();
    assert_eq!(states(&sandbox, 2)[0].1, "newer");
    assert_eq!(std::fs::read(generation(&sandbox)).unwrap(), bytes);
}

#[test]
fn changed_sources_and_leftovers() {
    let sandbox = library();
    sandbox.write("library/rules/fow/b.md", RULES.replace("101.1", "102.1"));
    assert_eq!(states(&sandbox, 1), one("rules/fow/b.md", "new"));
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.write("library/rules/fow/b.md", RULES.replace("101.1", "103.1a"));
    assert_eq!(states(&sandbox, 1), one("rules/fow/b.md", "changed"));
    sandbox.in_library(["ingest"]).expect(0);
    std::fs::remove_file(sandbox.library().join("rules/fow/b.md")).unwrap();
    assert_eq!(states(&sandbox, 1), one("rules/fow/b.md", "gone"));
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.write("library/rules/fow/b.txt", [0u8, 1, 2, 0, 3]);
    sandbox.in_library(["ingest"]).expect(2);
    assert_eq!(states(&sandbox, 1), one("rules/fow/b.txt", "unreadable"));
    std::fs::remove_file(sandbox.library().join("rules/fow/b.txt")).unwrap();
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.write("library/index/generation-1.shiyi", "old");
    sandbox.write("library/index/.writing-abc", "half");
    let found = states(&sandbox, 1);
    assert_eq!(
        found,
        [
            ("index/.writing-abc".to_owned(), "removed".to_owned()),
            ("index/generation-1.shiyi".to_owned(), "removed".to_owned()),
        ]
    );
    assert_eq!(states(&sandbox, 0), []);
    sandbox.write("library/rules/broken/game.toml", "id = \n");
    let found = states(&sandbox, 1);
    assert_eq!(found, one("rules/broken/game.toml", "unreadable"));
}

#[test]
fn nothing_is_repaired_while_an_ingest_runs() {
    let sandbox = library();
    let path = sandbox.library().join("index/lock");
    let lock = std::fs::File::options().write(true).open(path).unwrap();
    lock.lock().unwrap();
    sandbox.write("library/index/.writing-abc", "half");
    assert_eq!(states(&sandbox, 0), one("index/lock", "held"));
    assert!(sandbox.library().join("index/.writing-abc").exists());
    // Not merely dropped: a child that another test is starting may hold the descriptor for a moment.
    lock.unlock().unwrap();
    assert_eq!(states(&sandbox, 1), one("index/.writing-abc", "removed"));
}

/// A rulebook of an edition, with chapters, sections and a few dozen rules, in the shape of the real ones.
fn rulebook(change: impl Fn(&str) -> String) -> String {
    let mut text = String::from(
        "Made-up Rules\n\nThese rules are effective as of March 3, 2031.\n\nContents\n\n1. First Things\n100. Start\n101. End\nGlossary\nCredits\n\n1. First Things\n\n",
    );
    for section in 100..=101 {
        text.push_str(&format!("{section}. Part {section}\n\n"));
        for rule in 1..=60 {
            text.push_str(&change(&format!("{section}.{rule}. A text about thing {rule}.")));
            text.push_str("\n\n");
        }
    }
    text.push_str(
        "Glossary\n\nApple\nA fruit. See rule 100.1.\n\nBean\nNo fruit.\n\nCorn\nNo fruit.\n\nLeaf\nNo fruit.\n\nPear\nAnother fruit.\n\nCredits\n\nNobody.\n",
    );
    text
}

fn audited(text: &str) -> (Vec<(String, String)>, i32) {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/mtg/made-up.txt", text);
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(["doctor", "--rules", "--json"]);
    assert_eq!(ran.objects("audit").len(), 1, "{ran:#?}");
    let mut found: Vec<(String, String)> = ran
        .objects("diagnostic")
        .iter()
        .map(|object| {
            let file = object["file"].as_str().unwrap();
            let place = format!("{file}:{}:{}", object["line"], object["column"]);
            (object["code"].as_str().unwrap().to_owned(), place)
        })
        .collect();
    found.sort();
    (found, ran.code.unwrap())
}

#[test]
fn a_made_up_rulebook_is_audited() {
    let clean = rulebook(str::to_owned);
    let (found, code) = audited(&clean);
    let left: Vec<_> = found.iter().filter(|(code, _)| code != "guessed").collect();
    assert!(left.is_empty() && code <= 1, "{code} {left:?}");
    let line = |start: &str, nth: usize| {
        let mut numbers = (1..)
            .zip(clean.lines())
            .filter(|(_, line)| line.starts_with(start));
        numbers.nth(nth).unwrap().0
    };
    for (from, to, code, column) in [
        ("100.31. ", "100.30. ", "duplicate-number", 1),
        ("100.31. ", "100.31 ", "odd-number", 1),
        ("100.31. ", "100.31.", "odd-number", 1),
        (
            "100.31. A text",
            "100.31. A text (see rule 999.9)",
            "dangling-reference",
            26,
        ),
    ] {
        let (found, ended) = audited(&clean.replace(from, to));
        let place = format!("rules/mtg/made-up.txt:{}:{column}", line("100.31. ", 0));
        assert!(found.contains(&(code.to_owned(), place)), "{to}: {found:?}");
        assert_eq!(ended, 1);
    }
    let (found, _) = audited(&clean.replace("100.31. A text about thing 31.", "Something else."));
    let place = format!("rules/mtg/made-up.txt:{}:1", line("100.32. ", 0));
    assert!(found.contains(&("missing-number".to_owned(), place)), "{found:?}");
    let (found, _) = audited(
        &clean
            .replace("100.31. ", "100.3x. ")
            .replace("100.3x. ", "100.71. "),
    );
    assert!(found.iter().any(|(code, _)| code == "unsorted"), "{found:?}");
    let (found, _) = audited(&clean.replace("Pear\nAnother fruit.", "Pear"));
    assert!(found.iter().any(|(code, _)| code == "odd-term"), "{found:?}");
}

#[test]
fn a_part_of_a_rulebook_is_not_blamed_for_the_rest() {
    // Every rule cites a chapter that is not there, and one a rule of its own section.
    let part = rulebook(|rule| {
        let number = rule.split(". ").next().unwrap();
        format!("{rule} See rule 2{}.", &number[1..])
    });
    let (found, _) = audited(&part);
    assert!(
        found.iter().all(|(code, _)| code != "dangling-reference"),
        "{found:?}"
    );
    let (found, _) = audited(&part.replace("See rule 200.31.", "See rule 100.99."));
    let dangling = found.iter().filter(|(code, _)| code == "dangling-reference");
    assert_eq!(dangling.count(), 1, "{found:?}");
}

/// The findings of an audit of some editions: (code, file, what the message names first).
fn audit_of(files: &[&str]) -> Option<Vec<(String, String, String)>> {
    let sandbox = Sandbox::new();
    for file in files {
        let path = shared(&format!("data/mtg/cr-{file}.txt"))?;
        sandbox.copy(
            &path,
            &format!("library/rules/mtg/{}.txt", file.replace('/', "-")),
        );
    }
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(["doctor", "--rules", "--game", "mtg", "--json"]);
    let found = ran.objects("diagnostic").into_iter().map(|object| {
        assert_eq!(object["severity"], "warning", "{object}");
        let named = object["message"].as_str().unwrap().split('`').nth(1);
        let text = |key: &str| object[key].as_str().unwrap().to_owned();
        (text("code"), text("file"), named.unwrap_or_default().to_owned())
    });
    Some(found.collect())
}

#[test]
fn the_newest_english_rules_are_audited() {
    let Some(found) = audit_of(&["en/2026-08-07"]) else {
        return;
    };
    let named = |code: &str| -> Vec<&str> {
        let of_code = found.iter().filter(|(found, ..)| found == code);
        of_code.map(|(_, _, named)| named.as_str()).collect()
    };
    // `704.5aa` is no second `704.5a`, and no letter is missing before it.
    assert_eq!(named("duplicate-number"), Vec::<&str>::new());
    assert_eq!(named("missing-number"), Vec::<&str>::new());
    assert_eq!(named("odd-number"), ["119.1d", "606.5"]);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn what_is_odd_in_older_rules_is_found() {
    let Some(found) = audit_of(&["en/2022-06-10", "zh/2022-06-10", "en/2022-10-07"]) else {
        return;
    };
    let has = |code: &str, file: &str, named: &str| {
        let wanted = (code.to_owned(), format!("rules/mtg/{file}.txt"), named.to_owned());
        assert!(found.contains(&wanted), "{wanted:?}: {found:#?}");
    };
    has("duplicate-number", "zh-2022-06-10", "701.42a");
    has("one-language", "en-2022-06-10", "701.42b");
    has("odd-number", "en-2022-10-07", "901.4");
    has("odd-number", "en-2022-10-07", "606.5");
    has("odd-number", "en-2022-06-10", "119.1d");
    has("odd-number", "zh-2022-06-10", "100.6b");
    has("dangling-reference", "zh-2022-06-10", "704.5x");
    let zh_odd = |(code, file, _): &&(String, String, String)| code == "odd-number" && file.contains("zh");
    // The ten rules whose text follows the number at once.
    assert_eq!(found.iter().filter(zh_odd).count(), 10);
}

#[test]
fn newer_pairs_have_no_number_twice() {
    for date in ["2024-06-07", "2025-11-14", "2026-04-17"] {
        let Some(found) = audit_of(&[&format!("en/{date}"), &format!("zh/{date}")]) else {
            return;
        };
        let numbers =
            |(code, ..): &&(String, String, String)| code.ends_with("-number") || code == "unsorted";
        assert_eq!(found.iter().filter(numbers).count(), 0, "{date}: {found:?}");
        assert!(found.len() <= 1, "{date}: {found:?}");
    }
}
