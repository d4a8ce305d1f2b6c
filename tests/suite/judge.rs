//! What a judge at a table sees first: the text that was asked for, in the wanted language, and nothing in its way.

use crate::harness::Sandbox;

const HEAD: &str = "+++\ngame = \"fow\"\nkind = \"rule\"\nedition = ";

const ABOVE: &str = "## 702 Abilities / 异能\n\n";

/// Two editions: in the second a keyword was put before another, which moved, and the last rule is gone.
fn two_editions() -> Sandbox {
    let sandbox = Sandbox::new();
    let swift = |section: u32| {
        format!(
            "## 702.{section} Swift / 迅捷\n\n## 702.{section}a\n\nA swift unit may strike in the turn in which it arrives.\n\n迅捷单位可于抵达的回合攻击。\n\n"
        )
    };
    let armour = "## 702.1 Armour Plated Hide / 重甲厚皮\n\n## 702.1a\n\nA plated unit ignores the first wound that it takes.\n\n重甲单位忽略其受到的第一处伤口。\n\n";
    let gone = "## 702.2 Dusk / 黄昏\n\n## 702.2a\n\nLanterns are lit when evening falls over the board.\n\n夜幕降临时点亮灯笼。\n\n";
    sandbox.write(
        "library/rules/fow/old.md",
        format!("{HEAD}\"1\"\n+++\n\n{ABOVE}{}{gone}", swift(1)),
    );
    sandbox.write(
        "library/rules/fow/new.md",
        format!("{HEAD}\"2\"\n+++\n\n{ABOVE}{armour}{}", swift(2)),
    );
    sandbox.in_library(["ingest"]).expect(0);
    sandbox
}

#[test]
fn an_undated_text_stands_beside_a_dated_one_not_in_it() {
    let sandbox = Sandbox::new();
    let rules = |edition: &str, word: &str| {
        format!(
            "+++\ngame = \"fow\"\nkind = \"rule\"\n{edition}+++\n\n## 702 Abilities\n\n## 702.1 Swift\n\n## 702.1a\n\nSwift units {word}.\n"
        )
    };
    sandbox.write(
        "library/rules/fow/a.md",
        rules("edition = \"2\"\n", "strike at once"),
    );
    sandbox.write("library/rules/fow/b.md", rules("", "struck at once, formerly"));
    sandbox.in_library(["ingest"]).expect(0);
    let (lines, _) = seen(&sandbox, &["702.1"], 0);
    let texts: Vec<&str> = lines
        .iter()
        .filter(|line| line.contains("Swift units"))
        .map(|line| line.trim())
        .collect();
    assert_eq!(
        texts,
        [
            "Swift units strike at once.",
            "Swift units struck at once, formerly."
        ]
    );
}

/// The lines of an answer, and what was said beside it.
fn seen(sandbox: &Sandbox, args: &[&str], code: i32) -> (Vec<String>, String) {
    let ran = sandbox.in_library(args).expect(code);
    (ran.stdout.lines().map(str::to_owned).collect(), ran.stderr)
}

#[test]
fn an_old_meaning_takes_a_line_below_the_answer() {
    let sandbox = two_editions();
    let (lines, _) = seen(&sandbox, &["702.1a", "--lang", "en"], 0);
    assert_eq!(
        lines,
        [
            "702.1 Armour Plated Hide",
            "702.1a  [fow cr 2, source unknown]",
            "  A plated unit ignores the first wound that it takes.",
            "  in older editions 702.1a was another rule's number:",
            "    until 1  702.2a  Swift  A swift unit may strike in the turn in which it arrives.",
        ]
    );
    let (lines, _) = seen(&sandbox, &["702.1", "--lang", "zh", "--ui-lang", "zh"], 0);
    assert!(lines[0].starts_with("702.1  重甲厚皮"), "{lines:#?}");
    assert_eq!(
        lines[lines.len() - 2..],
        ["  702.1 在旧版中是另一条规则的编号：", "    至 1  702.2  迅捷"]
    );
    for line in seen(&sandbox, &["702.1a", "--width", "40"], 0).0 {
        assert!(line.chars().count() <= 40, "{line}");
    }
    let ran = sandbox.in_library(["702.1a", "--json"]).expect(0);
    assert_eq!(ran.json()[1]["via"], "moved");
    assert_eq!(ran.json()[1]["until"], "1");
}

#[test]
fn words_beside_a_number_bring_what_was_meant() {
    let sandbox = two_editions();
    let (lines, _) = seen(&sandbox, &["702.1a", "swift", "unit", "--lang", "en"], 0);
    assert_eq!(
        lines[1],
        "the words with it are those of 702.2a, which had this number until 1 (below)"
    );
    assert_eq!(
        lines[4..6],
        ["  by the words with it:", "  702.2a  [2, source unknown]"]
    );
}

#[test]
fn why_it_is_missing_comes_before_what_was_meant() {
    let sandbox = two_editions();
    sandbox.write(
        "library/rules/fow/new.md",
        std::fs::read_to_string(sandbox.path("library/rules/fow/new.md"))
            .unwrap()
            .replace("702.1", "702.8")
            .replace("702.2", "702.9"),
    );
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox
        .shell("SHIYI_LIBRARY=library shiyi show 702.1a --lang en 2>&1")
        .expect(1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[0].starts_with("fow: 702.1a is only in 1 (ask with --edition); it is now 702.9a"),
        "{lines:#?}"
    );
    assert_eq!(lines[1], "  702.9a  [2, source unknown]");
    // For programs, too; what is near is what the edition has, never the number itself.
    let ran = sandbox
        .in_library(["show", "702.9", "702.1a", "--only", "--json"])
        .expect(1);
    let objects = ran.json();
    let kinds: Vec<_> = objects.iter().map(|object| object["type"].clone()).collect();
    assert_eq!(kinds, ["entry", "miss", "entry"], "{ran:#?}");
    assert_eq!(
        objects[1]["nearest"],
        serde_json::json!(["702", "702.8", "702.9"])
    );
    assert_eq!(objects[2]["via"], "moved");
}

#[test]
fn a_name_that_only_an_older_edition_has_is_said_to_be_there() {
    let sandbox = two_editions();
    for args in [&["dusk"][..], &["fow", "黄昏"], &["show", "What is Dusk?"]] {
        let ran = sandbox.in_library(args).expect(1);
        assert!(
            ran.stderr.contains("is only in 1 (ask with --edition)"),
            "{ran:#?}"
        );
    }
    let ran = sandbox.in_library(["dusk", "--json"]).expect(1);
    assert_eq!(ran.json()[0]["reason"], "other-edition");
    let (lines, _) = seen(&sandbox, &["dusk", "--edition", "1"], 0);
    assert!(lines[0].starts_with("702.2  Dusk"), "{lines:#?}");
    let ran = sandbox
        .in_library(["show", "armour plated hide", "--edition", "1"])
        .expect(1);
    assert!(ran.stderr.contains("is only in 2"), "{ran:#?}");
    let (lines, _) = seen(&sandbox, &["swift", "--edition", "1"], 0);
    assert!(lines[0].starts_with("702.1  Swift"), "{lines:#?}");
}

/// A term that the edition in force has no more, with another that says what it is called now.
#[test]
fn a_term_that_only_an_older_edition_has_is_said_to_be_there() {
    let sandbox = Sandbox::new();
    let glossary = |edition: &str, terms: &[(&str, &str)]| {
        let mut text = format!("+++\ngame = \"fow\"\nkind = \"term\"\nedition = \"{edition}\"\n+++\n");
        for (en, zh) in terms {
            text.push_str(&format!("\n## {en} / {zh}\n\nWhat {en} means.\n\n释义。\n"));
        }
        sandbox.write(&format!("library/rules/fow/{edition}.md"), text);
    };
    glossary(
        "1",
        &[("Dusk Fire", "暮火"), ("Lantern-Light (Obsolete)", "灯光")],
    );
    glossary("2", &[("Lantern-Light (Obsolete)", "灯光")]);
    sandbox.in_library(["ingest"]).expect(0);
    for args in [
        &["term", "dusk fire"][..],
        &["term", "fow", "暮火"],
        &["term", "Dusk Fires"],
        &["term", "dusk-fire"],
    ] {
        let ran = sandbox.in_library(args).expect(1);
        assert!(
            ran.stderr.contains("is only in 1 (ask with --edition)"),
            "{ran:#?}"
        );
        let ran = sandbox
            .in_library(args.iter().chain(&["--ui-lang", "zh"]))
            .expect(1);
        assert!(ran.stderr.contains("只见于 1"), "{ran:#?}");
        let miss = sandbox
            .in_library(args.iter().chain(&["--json"]))
            .expect(1)
            .json()
            .remove(0);
        assert_eq!(
            (&miss["type"], &miss["reason"]),
            (&"miss".into(), &"other-edition".into())
        );
        let (lines, _) = seen(&sandbox, &[args, &["--edition", "1"]].concat(), 0);
        assert!(lines[0].starts_with("Dusk Fire"), "{lines:#?}");
    }
    // Without the remark, without the hyphen, in the plural.
    for name in ["lantern-light", "Lantern Lights", "lantern light (obsolete)"] {
        let (lines, _) = seen(&sandbox, &["term", name], 0);
        assert!(lines[0].starts_with("Lantern-Light"), "{lines:#?}");
    }
    // What begins so is near.
    let ran = sandbox.in_library(["term", "lantern"]).expect(1);
    assert!(ran.stderr.contains("nearest: lantern-light"), "{ran:#?}");
}

#[test]
fn a_history_that_is_not_there_says_why() {
    let sandbox = two_editions();
    let ran = sandbox.in_library(["history", "702.5", "--json"]).expect(1);
    assert_eq!(ran.json().len(), 1, "{ran:#?}");
    assert_eq!(ran.json()[0]["type"], "miss");
    assert_eq!(ran.json()[0]["input"], "702.5");
    let undated = Sandbox::new();
    undated.write(
        "library/rules/fow/a.md",
        "+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 702 Abilities\n\n## 702.1 Swift\n\n## 702.1a\n\nSwift.\n",
    );
    undated.in_library(["ingest"]).expect(0);
    let ran = undated.in_library(["history", "702.1a"]).expect(1);
    assert!(
        ran.stderr.contains("only in a text that names no edition"),
        "{ran:#?}"
    );
    let ran = undated.in_library(["history", "702.1a", "--json"]).expect(1);
    assert_eq!(ran.json()[0]["type"], "miss");
}

#[test]
fn a_number_with_too_many_figures_is_a_miss() {
    let sandbox = two_editions();
    for number in ["702.99999999", "702.19999999999999999999b", "702.1a-123456"] {
        for args in [&[number][..], &["show", number]] {
            let ran = sandbox.in_library(args).expect(1);
            assert!(ran.stdout.is_empty() && ran.stderr.contains(number), "{ran:#?}");
        }
    }
    for pasted in [
        "702\u{200b}.1a",
        "\u{feff}702.\u{ad}1a",
        "fow702.1a",
        "力量之意志第702.1a条",
    ] {
        let (lines, _) = seen(&sandbox, &[pasted, "--only"], 0);
        assert!(lines[1].starts_with("702.1a  ["), "{pasted:?} {lines:#?}");
    }
}

#[test]
fn an_unknown_edition_is_named_with_those_there_are() {
    let sandbox = two_editions();
    for args in [
        &["702.1", "--edition", "3"][..],
        &["show", "fow", "702.1", "--edition", "3"],
        &["search", "unit", "--edition", "3"],
        &["term", "swift", "--edition", "3"],
    ] {
        let ran = sandbox.in_library(args).expect(2);
        assert!(
            ran.stderr.contains("there is no edition `3`") && ran.stderr.contains("fow cr 1, fow cr 2"),
            "{ran:#?}"
        );
    }
    sandbox.in_library(["show", "702.1", "--edition", "1"]).expect(0);
    // The edition is there, the rule is not.
    let ran = sandbox.in_library(["show", "702.1b", "--edition", "1"]).expect(1);
    assert!(ran.stderr.contains("there is no rule 702.1b"), "{ran:#?}");
}

#[test]
fn a_document_that_is_not_loaded_is_called_so() {
    let ran = Sandbox::new().run(["show", "MTR 2.5"]).expect(1);
    assert!(ran.stderr.contains("no text of MTR is loaded"), "{ran:#?}");
    let ran = Sandbox::new().run(["show", "MTR 2.5", "--json"]).expect(1);
    assert_eq!(ran.json()[0]["reason"], "not-loaded");
}

#[test]
fn a_name_is_known_by_its_initials() {
    let sandbox = two_editions();
    for args in [&["aph"][..], &["show", "APH"]] {
        let (lines, _) = seen(&sandbox, args, 0);
        assert!(lines[0].starts_with("702.1  Armour Plated Hide"), "{lines:#?}");
    }
    sandbox.in_library(["apx"]).expect(1);
}

#[test]
fn a_term_is_known_by_its_initials() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "library/rules/fow/terms.md",
        "+++\ngame = \"fow\"\nkind = \"term\"\n+++\n\n## Tide of Lanterns / 灯潮\n\nWhat happens at dusk.\n\n黄昏时发生的事。\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    for typed in ["tol", "TOL", "TOLs", "fow tol"] {
        let (lines, _) = seen(&sandbox, &["term", typed], 0);
        assert!(
            lines[0].starts_with("Tide of Lanterns · 灯潮"),
            "{typed}: {lines:#?}"
        );
    }
    sandbox.in_library(["term", "tox"]).expect(1);
}

#[test]
fn an_unknown_document_is_an_error_with_the_nearest() {
    let sandbox = two_editions();
    for command in ["show", "search", "term", "card", "history", "export"] {
        let words: &[&str] = if command == "export" { &[] } else { &["702.1"] };
        let args = [command].into_iter().chain(words.iter().copied());
        let ran = sandbox.in_library(args.chain(["--document", "crr"])).expect(2);
        assert!(
            ran.stderr.contains("there is no document `crr`")
                && ran.stderr.contains("did you mean `cr`? known: fow cr"),
            "{ran:#?}"
        );
    }
    let request = r#"{"do":"show","query":"702.1","document":"nosuch"}"#;
    let ran = sandbox
        .run_with(["batch", "--library", "library"], request)
        .expect(0);
    assert_eq!(ran.json()[0]["error"]["code"], "no-such-document");
    // By any of its names, in either language.
    for name in ["cr", "CR", "Comprehensive Rules", "完整规则"] {
        sandbox
            .in_library(["show", "702.1", "--document", name])
            .expect(0);
    }
}

#[test]
fn what_stands_around_a_rule_comes_below_it() {
    let sandbox = two_editions();
    let (lines, _) = seen(&sandbox, &["702.2a", "--context", "1", "--lang", "en"], 0);
    assert_eq!(
        lines,
        [
            "702.2 Swift",
            "702.2a  [fow cr 2, source unknown]",
            "  A swift unit may strike in the turn in which it arrives.",
            "  it stands below:",
            "  702  Abilities  [2, source unknown]",
            "  702.2  Swift  [2, source unknown]",
        ]
    );
    let (lines, _) = seen(
        &sandbox,
        &["702.2", "--context", "1", "--only", "--lang", "en"],
        0,
    );
    assert_eq!(
        lines[3..],
        ["  beside it:", "  702.1  Armour Plated Hide  [2, source unknown]"]
    );
}

#[test]
fn nothing_cites_it_is_said() {
    let sandbox = two_editions();
    let (_, said) = seen(&sandbox, &["702.2a", "--refs"], 0);
    assert_eq!(said, "nothing that is loaded cites it\n");
}

#[test]
fn a_game_or_a_document_shows_its_contents() {
    let sandbox = Sandbox::new();
    for args in [
        &["fow"][..],
        &["力之意志"],
        &["fow", "cr"],
        &["show", "fow", "toc"],
        &["fow", "目录"],
    ] {
        let ran = sandbox.run(args).expect(0);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert!(
            lines.iter().any(|line| line.starts_with("712.3  Resolving")),
            "{args:?}: {lines:#?}"
        );
        assert!(
            lines.iter().all(|line| line.starts_with(char::is_numeric)),
            "{args:?}: {lines:#?}"
        );
    }
}

#[test]
fn a_number_of_another_numbering_is_no_list_of_ranges() {
    // Chapters 7 to 1 and 4 to 1, where numbers are joined otherwise.
    let sandbox = two_editions();
    sandbox.write(
        "library/rules/onepiece/a.md",
        "+++\ngame = \"onepiece\"\nkind = \"rule\"\n+++\n\n## 7-1-4-1\n\nThe stronger card stays, the weaker one leaves.\n",
    );
    sandbox.write(
        "library/rules/lorcana/a.md",
        "+++\ngame = \"lorcana\"\nkind = \"rule\"\n+++\n\n## 1.1\n\nIn the beginning there is ink.\n\n## 4.1\n\nTurns are taken in turn.\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(["7-1-4-1", "--format", "ids"]).expect(0);
    assert_eq!(ran.stdout, "onepiece:rule:7-1-4-1\n");
}

#[test]
fn a_long_answer_is_paged_at_a_terminal_only() {
    let sandbox = two_editions();
    let at_terminal = |words: &str| {
        sandbox.shell(&format!(
            "command -v script >/dev/null || exit 9; PAGER='sed s/^/paged:/' SHIYI_LIBRARY=library script -qec 'shiyi {words}' /dev/null"
        ))
    };
    let long = at_terminal("702.1 702.2 702.1 --context 9 --width 24 --color never");
    if long.code == Some(9) {
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("skipped: no `script` to be a terminal\n"),
        );
        return;
    }
    assert!(long.stdout.contains("paged:702.1"), "{long:#?}");
    assert!(!at_terminal("702.1a").stdout.contains("paged:"));
    let piped = sandbox.shell(
        "PAGER='sed s/^/paged:/' SHIYI_LIBRARY=library shiyi 702.1 702.2 --width 24 --context 9 | cat",
    );
    assert!(!piped.stdout.contains("paged:"), "{piped:#?}");
}

#[test]
fn a_name_is_followed_as_a_number_is() {
    let sandbox = two_editions();
    for args in [["history", "swift"], ["history", "迅捷"], ["history", "702.2"]] {
        let (lines, _) = seen(&sandbox, &args, 0);
        assert_eq!(lines[0], "moved  702.1 (1) → 702.2 (2)", "{args:?}");
    }
    let (lines, said) = seen(&sandbox, &["history", "702.2z"], 1);
    assert!(
        lines.is_empty() && said.contains("there is no rule 702.2z"),
        "{said}"
    );
}
