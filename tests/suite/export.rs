//! `shiyi export`: every entry once, in reading order, in each form.

use crate::harness::Sandbox;
use serde_json::Value;
use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

const RULES: &str = "+++\ngame = \"fow\"\nkind = \"rule\"\nedition = ";

/// Two editions of a small rulebook, and rulings in both languages, one of them by a machine.
fn library() -> Sandbox {
    let sandbox = Sandbox::new();
    let rules = |word: &str| {
        format!(
            "## 7 Words / 词\n\n## 702 Abilities / 异能\n\n## 702.1 Swift / 迅捷\n\n## 702.1a\n\nSwift units {word}.\n\n迅捷单位先动。\n\nExample: One [Swift] unit.\n"
        )
    };
    sandbox.write(
        "library/rules/fow/old.md",
        format!("{RULES}\"1\"\n+++\n\n{}", rules("may strike")),
    );
    sandbox.write(
        "library/rules/fow/new.md",
        format!("{RULES}\"2\"\n+++\n\n{}", rules("strike first")),
    );
    for (name, card, date, texts) in [
        (
            "keeper",
            "守灯人 / Lantern Keeper",
            "2021-03-04",
            "The lantern stays lit.\n\n灯一直亮着。\n",
        ),
        (
            "diver",
            "潜礁者 / Reef Diver",
            "2022-03-04",
            "It dives once.\n\n它只潜一次。\n",
        ),
    ] {
        let head = format!(
            "+++\ngame = \"fow\"\nkind = \"ruling\"\ncard = \"{card}\"\ndate = {date}\n\
             provenance = {{ en = \"official\", zh = \"gpt\" }}\n+++\n\n## Briefly / 简言之\n\n"
        );
        sandbox.write(&format!("library/rulings/fow/{name}.md"), head + texts);
    }
    sandbox.in_library(["ingest"]).expect(0);
    sandbox
}

fn ids(objects: &[Value]) -> Vec<&str> {
    objects
        .iter()
        .map(|object| object["id"].as_str().unwrap())
        .collect()
}

#[test]
fn every_entry_comes_once_in_reading_order() {
    let sandbox = library();
    let ran = sandbox
        .in_library(["export", "--game", "fow", "--format", "ndjson"])
        .expect(0);
    let objects = ran.json();
    let numbered: Vec<&str> = objects
        .iter()
        .filter_map(|object| object["citation"].as_str())
        .collect();
    assert_eq!(numbered, ["7", "702", "702.1", "702.1a"]);
    let distinct: HashSet<&str> = ids(&objects).into_iter().collect();
    assert_eq!(distinct.len(), objects.len());
    // The same objects as a lookup gives, and NDJSON is the form where none is named.
    let shown = sandbox
        .in_library(["show", "fow:rule:702.1a", "--json"])
        .expect(0);
    assert!(objects.contains(&shown.json()[0]));
    assert_eq!(
        sandbox
            .in_library(["export", "--game", "fow", "--json"])
            .expect(0)
            .stdout,
        ran.stdout
    );
    assert_eq!(
        sandbox.in_library(["export", "--game", "fow"]).expect(0).stdout,
        ran.stdout
    );
    let only_ids = sandbox
        .in_library(["export", "--game", "fow", "--format", "ids"])
        .expect(0);
    assert_eq!(only_ids.stdout.lines().collect::<Vec<_>>(), ids(&objects));
}

#[test]
fn options_select() {
    let sandbox = library();
    let export = |options: &[&str], code: i32| {
        let ran = sandbox
            .in_library(["export", "--game", "fow"].iter().chain(options))
            .expect(code);
        let objects = ran.json();
        let named = |object: &Value| {
            let name = object["citation"].as_str().or(object["cards"][0]["en"].as_str());
            name.unwrap_or_default().to_owned()
        };
        (objects.iter().map(named).collect::<Vec<_>>(), objects, ran.stderr)
    };
    assert_eq!(export(&["--in", "702.1"], 0).0, ["702.1", "702.1a"]);
    assert_eq!(export(&["--kind", "section"], 0).0, ["7", "702"]);
    assert_eq!(
        export(&["--kind", "ruling"], 0).0,
        ["Reef Diver", "Lantern Keeper"]
    );
    assert_eq!(export(&["--card", "潜礁者"], 0).0, ["Reef Diver"]);
    assert_eq!(export(&["--since", "2022"], 0).0, ["Reef Diver"]);
    assert_eq!(
        export(&["--document", "cr", "--offset", "1", "-n", "2"], 0).0,
        ["702", "702.1"]
    );
    let (_, old, _) = export(&["--edition", "1", "--in", "702.1a"], 0);
    assert_eq!(old[0]["text"]["en"], "Swift units may strike.");
    let (_, chinese, _) = export(&["--lang", "zh", "--in", "702.1a"], 0);
    assert_eq!(chinese[0]["text"], serde_json::json!({"zh": "迅捷单位先动。"}));
    assert_eq!(export(&["--source", "community"], 1).0, Vec::<String>::new());
    let (_, _, stderr) = export(&["--edition", "3"], 2);
    assert!(stderr.contains("there is no edition `3`"), "{stderr}");
}

#[test]
fn bulk_requests_come_in_pairs() {
    let sandbox = library();
    let bulk = |options: &[&str]| {
        let args = ["export", "--game", "fow", "--format", "es-bulk"];
        sandbox.in_library(args.iter().chain(options)).expect(0).json()
    };
    let lines = bulk(&[]);
    assert!(lines.len().is_multiple_of(2));
    let mut seen = HashSet::new();
    for pair in lines.chunks(2) {
        let id = pair[0]["index"]["_id"].as_str().unwrap();
        assert_eq!(pair[0].as_object().unwrap().len(), 1);
        assert_eq!(pair[1]["id"], id);
        assert!(seen.insert(id.to_owned()), "{id} twice");
    }
    // What was asked of an edition has an id of its own, which `show` knows.
    let old = bulk(&["--edition", "1", "--in", "702.1a"]);
    assert_eq!(old[0]["index"]["_id"], "fow:rule:702.1a@1");
    let shown = sandbox
        .in_library(["show", "fow:rule:702.1a@1", "--json"])
        .expect(0);
    assert_eq!(shown.json()[0]["text"], old[1]["text"]);
    let ran = sandbox
        .in_library(["show", "702.1a", "--format", "es-bulk"])
        .expect(2);
    assert!(ran.stderr.contains("shiyi export"), "{ran:#?}");
}

#[test]
fn a_document_to_read() {
    let sandbox = library();
    let markdown = |options: &[&str]| {
        let args = ["export", "--game", "fow", "--format", "md"];
        sandbox.in_library(args.iter().chain(options)).expect(0).stdout
    };
    assert_eq!(
        markdown(&["--document", "cr", "--kind", "section", "--kind", "rule"]),
        "# Force of Will · fow cr\n\n### 7 Words · 词\n\n<sub>en 2, source unknown · zh 2, source unknown</sub>\n\n\
         ### 702 Abilities · 异能\n\n#### 702.1 Swift · 迅捷\n\n\
         **702.1a** Swift units strike first.\n\n迅捷单位先动。\n\n*Example:* One \\[Swift\\] unit.\n\n"
    );
    let rulings = markdown(&["--kind", "ruling", "--ui-lang", "zh"]);
    assert!(
        rulings.contains(
            "### Lantern Keeper / 守灯人\n\n**Briefly · 简言之** *释疑 2021-03-04* <sub>`fow:ruling:"
        ),
        "{rulings}"
    );
    assert!(
        rulings.contains("\n**\\[机器翻译 (gpt)\\]** 灯一直亮着。\n"),
        "{rulings}"
    );
}

#[test]
fn a_reader_may_stop_at_any_time() {
    let sandbox = library();
    // More than a pipe holds, so that the program writes on when nobody reads any more.
    let rules: String = (1..2000)
        .map(|n| format!("## 800.{n}\n\nLanterns of the {n}th night are lit again.\n\n"))
        .collect();
    sandbox.write(
        "library/rules/fow/long.md",
        format!("{RULES}\"3\"\n+++\n\n## 800 Nights\n\n{rules}"),
    );
    sandbox.in_library(["ingest"]).expect(0);
    let mut command = sandbox.command(["export", "--game", "fow"]);
    command.env("SHIYI_LIBRARY", sandbox.library());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert!(first.starts_with("{\"schema\":1,\"type\":\"entry\""), "{first}");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert!(
        ended.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
}
