//! What can be trusted: a text that is cut says so, a library that was copied does not call itself changed, what cannot
//! be an id is refused, an edition goes by the beginning of its name, and what is said beside an answer can be read by
//! programs.

use crate::harness::{Ran, Sandbox};
use std::path::Path;
use std::time::{Duration, SystemTime};

const RULEBOOK: &str = include_str!("../cases/diagnostics/cut-short/corrected/rules/demo/text.txt");

/// A sandbox with a made-up game.
fn demo() -> Sandbox {
    let sandbox = Sandbox::new();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/parse");
    sandbox.copy(&cases.join("game.toml"), "library/rules/demo/game.toml");
    sandbox
}

/// The rulebook as an edition.
fn edition(name: &str, text: &str) -> (String, String) {
    (
        format!("library/rules/demo/{name}.txt"),
        text.replace(
            "Rulebook\n",
            &format!("Rulebook\n\nThese rules are effective as of {name}.\n"),
        ),
    )
}

/// Its text up to some words of the body.
fn up_to(words: &str) -> &'static str {
    &RULEBOOK[..RULEBOOK.rfind(words).unwrap()]
}

/// The objects on stderr, each of which must be a diagnostic.
fn said(ran: &Ran) -> Vec<serde_json::Value> {
    let object = |line: &str| -> serde_json::Value {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
    };
    let objects: Vec<_> = ran.stderr.lines().map(object).collect();
    assert!(
        objects.iter().all(|object| object["type"] == "diagnostic"),
        "{ran:#?}"
    );
    objects
}

#[test]
fn a_text_that_is_cut_says_where() {
    for (text, message) in [
        (
            up_to("101. Ink"),
            "the text ends here, but its contents name `101. Ink` and 5 more",
        ),
        (
            up_to("200.1."),
            "the text ends here, but its contents name `201. Ties` and 2 more",
        ),
        (
            up_to("201.1."),
            "the text ends here, but its contents name `Glossary` and 1 more",
        ),
        (
            up_to("Ink\nWhat"),
            "the text ends here, but its contents name `Credits`",
        ),
    ] {
        let sandbox = demo();
        sandbox.write("library/rules/demo/a.txt", text);
        let ran = sandbox.in_library(["ingest", "--json"]).expect(0);
        let said = said(&ran);
        let cut: Vec<_> = said
            .iter()
            .filter(|object| object["code"] == "cut-short")
            .collect();
        assert_eq!(cut.len(), 1, "{text}\n{ran:#?}");
        assert_eq!(cut[0]["message"], message, "{text}");
        assert!(cut[0]["line"].as_u64() > Some(1), "{ran:#?}");
        let ran = sandbox.in_library(["status"]).expect(0);
        assert!(ran.stderr.contains("[cut-short]"), "{ran:#?}");
        let ran = sandbox.in_library(["doctor"]).expect(1);
        assert!(ran.stdout.contains(message), "{ran:#?}");
    }
}

#[test]
fn a_document_in_several_files_is_whole() {
    let sandbox = demo();
    let at = RULEBOOK.rfind("2. The Duel").unwrap();
    let glossary = RULEBOOK.rfind("Glossary\n\nInk").unwrap();
    sandbox.write("library/rules/demo/1.txt", &RULEBOOK[..at]);
    sandbox.write("library/rules/demo/2.txt", &RULEBOOK[at..glossary]);
    let said = |sandbox: &Sandbox| sandbox.in_library(["ingest"]).expect(0).stderr;
    assert!(said(&sandbox).contains("cut-short"), "the glossary is nowhere");
    sandbox.write(
        "library/rules/demo/3.txt",
        format!(
            "Demo Duel Rulebook\n\n201. Ties\n\n201.1. A tie is played again.\n\n{}",
            &RULEBOOK[glossary..]
        ),
    );
    let text = said(&sandbox);
    assert!(!text.contains("cut-short"), "{text}");
}

#[test]
fn what_a_cut_edition_lacks_is_not_simply_gone() {
    let sandbox = demo();
    let (old, text) = edition("2024-06-07", RULEBOOK);
    sandbox.write(&old, text);
    let (new, text) = edition("2025-02-07", up_to("200.1."));
    sandbox.write(&new, text);
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox
        .in_library(["diff", "2024", "2025", "--game", "demo"])
        .expect(1);
    assert!(
        ran.stderr.contains("demo cr 2025-02-07 seems to be missing"),
        "{ran:#?}"
    );
    let ran = sandbox.in_library(["show", "demo", "201.1"]).expect(1);
    assert!(
        ran.stderr.contains("demo cr 2025-02-07 seems to be missing"),
        "{ran:#?}"
    );
    let ran = sandbox.in_library(["history", "demo", "201.1"]).expect(0);
    assert!(
        ran.stderr.contains("demo cr 2025-02-07 seems to be missing"),
        "{ran:#?}"
    );
    sandbox.write("a.md", "See rule 201.1.\n");
    let ran = sandbox
        .in_library(["cite", "check", "a.md", "--game", "demo", "--edition", "2024"])
        .expect(1);
    assert!(
        ran.stderr.contains("demo cr 2025-02-07 seems to be missing"),
        "{ran:#?}"
    );
    let ran = sandbox.in_library(["show", "demo", "201.1", "--json"]).expect(1);
    assert!(
        said(&ran).iter().any(|object| object["code"] == "cut-short"),
        "{ran:#?}"
    );
    let ran = sandbox.in_library(["show", "demo", "100.1"]).expect(0);
    assert_eq!(ran.stderr, "");
    // With the whole text, nothing is said.
    let (new, text) = edition("2025-02-07", RULEBOOK);
    sandbox.write(&new, text);
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox
        .in_library(["diff", "2024", "2025", "--game", "demo"])
        .expect(0);
    assert_eq!(ran.stderr, "");
}

/// Sets the time of every file below a folder.
fn touch(folder: &Path, time: SystemTime) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            touch(&path, time);
        } else {
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(time).unwrap();
        }
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

#[test]
fn a_library_that_was_copied_or_touched_has_not_changed() {
    let sandbox = demo();
    let (new, text) = edition("2025-02-07", RULEBOOK);
    let text_path = sandbox.write(&new, &text);
    sandbox.write(
        "library/rules/demo/sources.toml",
        "[\"2025-02-07.txt\"]\nprovenance = \"community\"\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    let asked: [&[&str]; 5] = [
        &["demo", "100.1"],
        &["search", "lanterns"],
        &["show", "100.1", "--edition", "2025-02-07"],
        &["status"],
        &["doctor"],
    ];
    let is_silent = || {
        for asked in asked {
            let ran = sandbox.in_library(asked).expect(0);
            assert_eq!(ran.stderr, "", "{asked:?}");
        }
    };
    is_silent();
    // Copied: every file and folder has another time.
    copy(&sandbox.library(), &sandbox.path("copy"));
    std::fs::remove_dir_all(sandbox.library()).unwrap();
    copy(&sandbox.path("copy"), &sandbox.library());
    let past = SystemTime::now() - Duration::from_secs(3600);
    touch(&sandbox.library().join("rules"), past);
    is_silent();
    // Once the folders are at rest, it is remembered.
    let remembered = sandbox.library().join("index/touched");
    std::thread::sleep(Duration::from_millis(2100));
    is_silent();
    assert!(remembered.is_file());
    let before = std::fs::metadata(&remembered).unwrap().modified().unwrap();
    is_silent();
    assert_eq!(
        std::fs::metadata(&remembered).unwrap().modified().unwrap(),
        before
    );
    // What is remembered hides no change: of as many bytes, or of what describes texts.
    std::fs::write(&text_path, text.replace("four lanterns", "five lanterns")).unwrap();
    let ran = sandbox.in_library(["demo", "100.1"]).expect(0);
    assert!(ran.stderr.contains("shiyi ingest"), "{ran:#?}");
    sandbox.in_library(["doctor"]).expect(1);
    std::fs::write(&text_path, &text).unwrap();
    is_silent();
    sandbox.write(
        "library/rules/demo/sources.toml",
        "[\"2025-02-07.txt\"]\nprovenance = \"official\"\n",
    );
    let ran = sandbox.in_library(["demo", "100.1"]).expect(0);
    assert!(ran.stderr.contains("shiyi ingest"), "{ran:#?}");
    // Another generation has its own memory.
    sandbox.in_library(["ingest"]).expect(0);
    is_silent();
    // What is damaged is not believed.
    std::fs::write(&remembered, b"nonsense").unwrap();
    touch(&sandbox.library().join("rules"), past);
    is_silent();
}

#[test]
fn add_says_what_is_wrong_with_what_it_adds() {
    let sandbox = demo();
    sandbox.write("library/rules/demo/old.txt", up_to("200.1."));
    sandbox.in_library(["ingest"]).expect(0);
    let (name, text) = edition("2025-02-07", RULEBOOK);
    let path = sandbox.write(&name.replace("library/rules/demo", "new"), text);
    let ran = sandbox.in_library(["add", path.to_str().unwrap()]).expect(0);
    assert!(!ran.stderr.contains("old.txt"), "{ran:#?}");
    assert!(ran.stderr.contains("1 warning about another text"), "{ran:#?}");
    let path = sandbox.write("new/cut.txt", edition("2026-02-07", up_to("201.1.")).1);
    let ran = sandbox
        .in_library(["add", path.to_str().unwrap(), "--json"])
        .expect(0);
    let said = said(&ran);
    let codes: Vec<_> = said
        .iter()
        .map(|object| object["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["cut-short", "other-remarks"], "{ran:#?}");
}

#[test]
fn what_cannot_be_an_id_is_refused() {
    let long = "x".repeat(65);
    for options in [
        ["--document", "../x"],
        ["--document", ""],
        ["--document", "a/b"],
        ["--document", "a\u{1b}[31m"],
        ["--document", "rule"],
        ["--document", &long],
        ["--document=-x", "--quiet=false"],
        ["--edition", "../x"],
        ["--edition", ""],
        ["--edition", " "],
        ["--edition", "1\u{7}"],
        ["--edition", "1@2"],
        ["--edition", ".."],
        ["--edition", "2026-02-30"],
        ["--edition", &long],
        ["--edition=-1", ""],
        ["--game", "../demo"],
        ["--game", ""],
        ["--game", "de\u{1b}mo"],
        ["--card", ""],
        ["--card", "a\u{1b}b"],
        ["--provenance", ""],
    ] {
        let sandbox = demo();
        let path = sandbox.write("new/text.txt", RULEBOOK);
        let mut args = vec!["add", path.to_str().unwrap()];
        args.extend(options.iter().filter(|option| **option != "--quiet=false"));
        if options[0].contains('=') {
            args.retain(|arg| !arg.is_empty());
        }
        let ran = sandbox.in_library(&args).expect(2);
        assert!(ran.stderr.starts_with("error: "), "{args:?} {ran:#?}");
        assert!(!ran.stderr.contains('\u{1b}'), "{args:?} {ran:#?}");
        let kept = std::fs::read_dir(sandbox.library().join("rules/demo")).unwrap();
        assert_eq!(kept.count(), 1, "{args:?}");
        assert!(!sandbox.library().join("index").exists(), "{args:?}");
    }
    // What a text says of itself is held to the same, and the rest of it is read.
    let sandbox = demo();
    sandbox.write(
        "library/rules/demo/a.md",
        "---\ngame: demo\nkind: rule\ndocument: ../x\nedition: a/b\n---\n\n## 100.1\n\nText.\n",
    );
    let ran = sandbox.in_library(["ingest"]).expect(0);
    assert!(ran.stderr.contains("`../x` is no document id"), "{ran:#?}");
    assert!(
        ran.stderr.contains("`a/b` cannot be the name of an edition"),
        "{ran:#?}"
    );
    sandbox.in_library(["show", "demo", "100.1"]).expect(0);
    // A document goes by its names, too.
    let path = sandbox.write("new/text.txt", RULEBOOK);
    let ran = sandbox
        .in_library([
            "add",
            path.to_str().unwrap(),
            "--document",
            "CR",
            "--edition",
            "1 (beta)",
        ])
        .expect(0);
    assert!(ran.stdout.contains("demo cr 1 (beta)"), "{ran:#?}");
}

#[test]
fn an_edition_goes_by_the_beginning_of_its_name() {
    let sandbox = demo();
    for (name, word) in [
        ("2024-06-07", "green"),
        ("2025-02-07", "red"),
        ("2025-11-14", "blue"),
    ] {
        let (path, text) = edition(name, &RULEBOOK.replace("four", word));
        sandbox.write(&path, text);
    }
    let (path, text) = edition("2023-01-01", RULEBOOK);
    sandbox.write(&path.replace("2023-01-01", "demo 12.7"), text);
    sandbox.write(
        "library/rules/demo/sources.toml",
        "[\"demo 12.7.txt\"]\nedition = \"12.7\"\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    let text_of = |args: &[&str]| sandbox.in_library(args).expect(0).stdout;
    for args in [
        &["show", "demo", "100.1", "--edition", "2024"][..],
        &["show", "demo", "100.1@2024-06"],
        &["demo", "100.1@2024"],
        &["show", "demo:rule:100.1@2024"],
        &["search", "lanterns", "--game", "demo", "--edition", "2024"],
        &["export", "--game", "demo", "--edition", "2024"],
        &["export", "--game", "demo", "--edition", "2024-6"],
    ] {
        let text = text_of(args);
        assert!(text.contains("begins with green lanterns"), "{args:?} {text}");
        assert!(!text.contains("blue") && !text.contains("red"), "{args:?} {text}");
    }
    let text = text_of(&["show", "demo", "100.1", "--edition", "12"]);
    assert!(text.contains("begins with four lanterns"), "{text}");
    let ran = sandbox
        .in_library(["diff", "2024", "2025-11", "--game", "demo"])
        .expect(1);
    assert!(ran.stdout.contains("2025-11-14"), "{ran:#?}");
    let ran = sandbox
        .in_library(["diff", "12", "2024", "--game", "demo"])
        .expect(1);
    assert!(ran.stdout.contains("12.7"), "{ran:#?}");
    sandbox.write("a.md", "See rule 100.1.\n");
    sandbox
        .in_library([
            "cite", "upgrade", "a.md", "--from", "2024", "--to", "2025-11", "--game", "demo",
        ])
        .expect(0);
    sandbox.in_library(["doctor", "--rules", "--game", "demo", "--edition", "2024"]);
    // Of a history it names the text that is followed.
    for args in [
        &["history", "demo", "100.1@2024"][..],
        &["history", "demo", "100.1", "--edition", "2024"],
    ] {
        let ran = sandbox.in_library(args).expect(0);
        assert!(ran.stdout.contains("2024-06-07"), "{args:?} {ran:#?}");
    }
    let eval =
        |edition: &str| sandbox.in_library(["eval", "2 or more", "--game", "demo", "--edition", edition]);
    eval("2024").expect(0);
    eval("1999").expect(0);
    eval("2025").expect(2);
    sandbox.in_library(["history", "demo", "100.1@2019"]).expect(2);
    sandbox.in_library(["history", "demo", "100.1@2025"]).expect(2);
    // What is open in one language, the other does not settle.
    let (path, text) = edition("2025-02-07", RULEBOOK);
    let text = text.replace(
        "Each player begins with four lanterns.",
        "每位牌手开始时有四盏灯。",
    );
    sandbox.write(&path.replace(".txt", "-zh.txt"), text);
    sandbox.write(
        "library/rules/demo/sources.toml",
        "[\"demo 12.7.txt\"]\nedition = \"12.7\"\n[\"2025-02-07-zh.txt\"]\nlang = \"zh\"\n",
    );
    sandbox.in_library(["ingest"]);
    // Which of several is meant, nobody can tell; one that is not there has no beginning.
    for args in [
        &["show", "demo", "100.1@2025"][..],
        &["search", "lanterns", "--game", "demo", "--edition", "2025"],
        &["diff", "2024", "2025", "--game", "demo"],
        &["cite", "upgrade", "a.md", "--from", "2025", "--game", "demo"],
        &["export", "--game", "demo", "--edition", "2025"],
    ] {
        let ran = sandbox.in_library(args).expect(2);
        assert!(
            ran.stderr.contains("2025-02-07") && ran.stderr.contains("2025-11-14"),
            "{args:?} {ran:#?}"
        );
        assert!(!ran.stderr.contains("12.7"), "{args:?} {ran:#?}");
    }
    let ran = sandbox.in_library(["show", "demo", "100.1@2019"]).expect(2);
    assert!(ran.stderr.contains("there is no edition"), "{ran:#?}");
}

#[test]
fn what_is_said_beside_an_answer_is_for_programs_too() {
    let sandbox = demo();
    sandbox.write("library/rules/demo/a.txt", RULEBOOK);
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.write("library/rules/demo/b.txt", RULEBOOK);
    for (args, code, expected) in [
        (&["show", "demo", "100.1"][..], 0, "stale"),
        (&["demo", "100.1", "-v"], 0, "circumstances"),
        (&["serach", "lantern"], 0, "near-command"),
        (&["lantenr"], 1, "near-names"),
        (&["show", ""], 2, "bad-query"),
        (&["diff", "1", "2"], 2, "no-such-edition"),
        (&["--no-such-option"], 2, "usage"),
    ] {
        let mut with_json = args.to_vec();
        with_json.push("--json");
        let ran = sandbox.in_library(&with_json);
        let said = said(&ran);
        let codes: Vec<_> = said
            .iter()
            .map(|object| object["code"].as_str().unwrap())
            .collect();
        if expected != "near-command" && expected != "near-names" {
            assert!(codes.contains(&expected), "{args:?} {ran:#?}");
            assert_eq!(ran.code, Some(code), "{args:?} {ran:#?}");
        }
        let validator = crate::script::schema();
        for object in &said {
            crate::script::keeps_to_the_schema(&validator, object);
        }
        with_json.push("-q");
        let ran = sandbox.in_library(&with_json);
        assert_eq!((ran.stderr.as_str(), ran.stdout.as_str()), ("", ""), "{args:?}");
    }
    // Without a library, too.
    let ran = sandbox.run(["status", "--json"]).expect(0);
    assert_eq!(said(&ran)[0]["code"], "embedded");
}

#[test]
fn nothing_asked_is_an_error() {
    let sandbox = demo();
    for command in ["show", "search", "term", "card", "history", "eval"] {
        for words in ["", " ", "\t\n", "\u{3000}", "\u{200b}\u{feff}"] {
            for (ui, message) in [("en", "nothing was asked for"), ("zh", "没有可查询的内容")] {
                let ran = sandbox.run([command, words, "--ui-lang", ui]).expect(2);
                assert!(ran.stderr.contains(message), "{command} {words:?} {ran:#?}");
                let hint = if ui == "en" { "= help: " } else { "= 建议：" };
                assert!(ran.stderr.contains(hint), "{command} {words:?} {ran:#?}");
                assert_eq!(ran.stdout, "");
            }
        }
    }
    let ran = sandbox.run([""]).expect(2);
    assert!(ran.stderr.contains("nothing was asked for"), "{ran:#?}");
    let ran = sandbox
        .run_with(["batch"], "{\"id\":1,\"do\":\"show\",\"query\":\" \"}\n")
        .expect(0);
    assert!(ran.stdout.contains("\"code\":2"), "{ran:#?}");
}

#[test]
fn numbers_at_the_edge_have_a_table_that_says_something() {
    let sandbox = Sandbox::new();
    for (text, predicate, boundary, remark) in [
        (
            "at most -1",
            "x <= -1",
            "[[0,false]]",
            Some("no number from 0 up"),
        ),
        ("至多-1", "x <= -1", "[[0,false]]", Some("no number from 0 up")),
        (
            "至少－3",
            "x >= -3",
            "[[0,true],[1,true]]",
            Some("every number from 0 up"),
        ),
        (
            "fewer than 0",
            "x <= -1",
            "[[0,false]]",
            Some("no number from 0 up"),
        ),
        ("少于零", "x <= -1", "[[0,false]]", Some("no number from 0 up")),
        ("小于-5", "x <= -6", "[[0,false]]", Some("no number from 0 up")),
        (
            "at least 0",
            "x >= 0",
            "[[0,true],[1,true]]",
            Some("every number from 0 up"),
        ),
        ("exactly 0", "x == 0", "[[0,true],[1,false]]", None),
        (
            "at least 9223372036854775806",
            "x >= 9223372036854775806",
            "[[9223372036854775805,false],[9223372036854775806,true],[9223372036854775807,true]]",
            None,
        ),
    ] {
        let ran = sandbox.run(["eval", text, "--json"]).expect(0);
        let object = &ran.json()[0];
        assert_eq!(object["predicate"], predicate, "{text}");
        assert_eq!(object["boundary"].to_string(), boundary, "{text}");
        let none = remark.is_some_and(|remark| remark.starts_with("no "));
        assert_eq!(object["values"].as_array().unwrap().is_empty(), none, "{text}");
        let ran = sandbox.run(["eval", text]).expect(0);
        assert_eq!(
            remark.is_some(),
            ran.stdout.contains("from 0 up"),
            "{text} {ran:#?}"
        );
        assert!(ran.stdout.contains(remark.unwrap_or_default()), "{text} {ran:#?}");
    }
    for text in [
        "exactly 99999999999999999999",
        "至少99999999999999999999个",
        "-99999999999999999999 or more",
    ] {
        let ran = sandbox.run(["eval", "--json", "--", text]).expect(3);
        assert_eq!(ran.json()[0]["reason"], "number-too-large", "{text}");
    }
}

#[test]
fn comments_of_a_source_are_no_text() {
    let sandbox = demo();
    sandbox.write(
        "library/rules/demo/a.txt",
        RULEBOOK
            .replace("Ink\nWhat", "Ink\n% look at this again\nWhat")
            .replace("101.1. ", "%\n101.1. "),
    );
    sandbox.write(
        "library/rules/demo/b.md",
        "---\ngame: demo\nkind: rule\n// made by a program\n% on a Monday\n---\n\n<!-- made\nin haste -->\n## 300.1\n\n\
         Some <!-- no --> text.\n",
    );
    let ran = sandbox.in_library(["ingest"]).expect(0);
    assert_eq!(ran.stderr, "");
    let text = sandbox.in_library(["export", "--game", "demo"]).expect(0).stdout;
    for word in ["look at this", "Monday", "haste", "%"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    assert!(text.contains("What a card costs."), "{text}");
}

#[test]
fn a_heading_s_history_leads_to_what_stands_below_it() {
    let sandbox = Sandbox::new();
    let rules = |text: &str| {
        format!("Demo Rules\n\n7. Lamps\n\n702. Kinds of Lamps\n\n702.1. Wicks\n\n702.1a {text}\n")
    };
    sandbox.write(
        "library/rules/demo/game.toml",
        "id = \"demo\"\nnames = { en = \"Demo\" }\n[[document]]\nid = \"cr\"\nsignatures = [\"Demo Rules\"]\n\
         numbering = { levels = [\"n\", \".n\", \"a\"], digits = [3, 3], chapter-size = 100 }\n",
    );
    for (edition, text) in [
        ("2024-01-01", "A wick is trimmed at dusk."),
        ("2025-01-01", "A wick is trimmed at dawn."),
    ] {
        sandbox.write(&format!("library/rules/demo/{edition}.txt"), rules(text));
    }
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox
        .in_library(["history", "702.1", "--game", "demo"])
        .expect(0);
    assert!(ran.stdout.contains("shiyi history 702.1a"), "{}", ran.stdout);
    let ran = sandbox
        .in_library(["history", "702.1a", "--game", "demo"])
        .expect(0);
    assert!(!ran.stdout.contains("shiyi history"), "{}", ran.stdout);
}
