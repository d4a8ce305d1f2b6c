//! Citations in a document that a new edition made stale.

use crate::harness::{Ran, Sandbox};

/// An edition of a rulebook: numbers, each with what it says.
fn edition(name: &str, rules: &[(&str, &str)]) -> String {
    let mut text = format!("+++\ngame = \"fow\"\nkind = \"rule\"\nedition = \"{name}\"\n+++\n");
    for (number, says) in rules {
        text.push_str(&format!("\n## {number}\n\n{says}\n"));
    }
    text
}

const SWIFT: &str = "A swift unit may strike in the turn in which it arrives.";
const DUSK: &str = "Lanterns are lit when evening falls over the board.";
const HIDE: &str = "A plated unit ignores the first wound that it takes.";
const DRAW: &str = "Each player draws five cards before the first turn.";
const TIDE: &str = "When the tide turns, harbours open their gates again.";

/// Three editions. From the second to the third: 702.1a moved to 702.2a and its number is another rule's, 702.3a moved
/// to 702.4a and nobody has its number, 702.5a is gone, 101.1 is what it was. 702.6a was in the first only.
fn library() -> Sandbox {
    let sandbox = Sandbox::new();
    let first = [
        ("101.1", DRAW),
        ("702.6a", "Once there was a well in the middle of the board."),
        ("703", "Wells"),
        ("703.1", "Whoever stands at the well may drink from it."),
    ];
    let second = [
        ("101.1", DRAW),
        ("702.1a", SWIFT),
        ("702.3a", TIDE),
        ("702.5a", DUSK),
    ];
    let third = [
        ("101.1", DRAW),
        ("702.1a", HIDE),
        ("702.2a", SWIFT),
        ("702.4a", TIDE),
    ];
    for (name, rules) in [("1", &first[..]), ("2", &second), ("3", &third)] {
        sandbox.write(&format!("library/rules/fow/{name}.md"), edition(name, rules));
    }
    sandbox.in_library(["ingest"]).expect(0);
    sandbox
}

const DOCUMENT: &str = "# 释疑\n\nDraw five (rule 101.1), then see 702.1a.\n潮水见规则702.3a；灯笼见第702.5a条。\n\nNot cited: 1.5 times, 2019-01-25, 702.99z. [702.3A]\n";

fn stale(ran: &Ran) -> Vec<String> {
    let said = |object: serde_json::Value| {
        format!(
            "{}:{} {} {} {}",
            object["line"],
            object["column"],
            object["citation"].as_str().unwrap(),
            object["why"].as_str().unwrap(),
            object["now"].as_str().unwrap_or("-")
        )
    };
    ran.objects("stale").into_iter().map(said).collect()
}

#[test]
fn each_stale_citation_has_its_place_and_reason() {
    let sandbox = library();
    sandbox.write("faq.md", DOCUMENT);
    let ran = sandbox
        .in_library(["cite", "check", "faq.md", "--json"])
        .expect(1);
    assert_eq!(
        stale(&ran),
        [
            "3:34 702.1a changed-meaning 702.2a",
            "4:6 702.3a moved 702.4a",
            "4:17 702.5a gone -",
            "6:45 702.3a moved 702.4a",
        ]
    );
    let ran = sandbox.in_library(["cite", "check", "faq.md"]).expect(1);
    assert!(
        ran.stdout
            .starts_with("faq.md:3:34: 702.1a: the number is another rule's; now 702.2a\n"),
        "{ran:#?}"
    );
    assert!(
        ran.stderr.contains("checked as written for fow cr 2, against 3"),
        "{ran:#?}"
    );
    // Written for the newest edition, all is well, but for what is not there at all.
    let ran = sandbox
        .in_library(["cite", "check", "faq.md", "--edition", "3", "--json"])
        .expect(1);
    assert_eq!(stale(&ran).len(), 3, "{ran:#?}");
    sandbox.write("fine.md", "See 101.1 and 702.2a.\n");
    let ran = sandbox
        .in_library(["cite", "check", "fine.md", "--edition", "3"])
        .expect(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    let ran = sandbox
        .in_library(["cite", "check", "fine.md", "--edition", "4"])
        .expect(2);
    assert!(
        ran.stderr.contains("there is no edition `4`") && ran.stderr.contains("1, 2, 3"),
        "{ran:#?}"
    );
    sandbox.in_library(["cite", "check", "nosuch.md"]).expect(2);
}

/// One edition of the rules and one of the tournament rules, as two games may have them.
fn with_tournament_rules() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = |document: &str, rules: &[(&str, &str)]| {
        let text = edition("2", rules);
        text.replace("\"fow\"", &format!("\"mtg\"\ndocument = \"{document}\""))
    };
    let rules = [
        ("702", "Keywords"),
        ("702.19", "Swift"),
        ("702.19a", SWIFT),
        ("702.19b", HIDE),
        ("702.20", TIDE),
    ];
    sandbox.write("library/rules/mtg/cr.md", text("cr", &rules));
    let policy = [("2", "Rounds"), ("2.4", DUSK), ("2.5", DRAW)];
    sandbox.write("library/rules/mtg/mtr.md", text("mtr", &policy));
    let other = edition("1", &[("702.19a", TIDE), ("101.1", DRAW)]);
    sandbox.write("library/rules/fow/1.md", other);
    sandbox.in_library(["ingest"]).expect(0);
    sandbox
}

#[test]
fn a_number_that_never_was_is_told_from_other_figures() {
    let sandbox = with_tournament_rules();
    let check = |text: &str| {
        sandbox.write("a.md", text);
        let ran = sandbox.in_library(["cite", "check", "a.md", "--game", "mtg", "--json"]);
        assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
        stale(&ran)
    };
    for (text, expected) in [
        ("CR 999.9z", "1:4 999.9z no-such-number -"),
        ("see 702.19zz.", "1:5 702.19zz no-such-number -"),
        ("Rules 702.19a and 702.21.", "1:19 702.21 no-such-number -"),
        ("规则999.9说", "1:3 999.9 no-such-number -"),
        ("第702.19l条", "1:2 702.19l no-such-number -"),
        ("§ 702.77", "1:3 702.77 no-such-number -"),
        ("MTR 2.9, or 702.19d", "1:5 2.9 no-such-number -"),
        ("MTR 2.5 says more than 702.19d", "1:24 702.19d no-such-number -"),
    ] {
        let found = check(text);
        assert!(found.contains(&expected.to_owned()), "{text}: {found:?}");
    }
    for text in [
        "MTR 2.5 and MTR 2.4, rule 702.19b, 702.20",
        "IPG 3.1 is not loaded",
        "v1.2.3, version 2.9 and $3.50; 3.50 € or ￥2.9, 2.9%",
        "On 2024.11.03, 2024-11-03, 11.03.2024, at 12.30, in 3.5 of 702 cases",
        "MTR 2.5: a deck of $2.90, v2.9, 2.75 times, 60.5 cards; a score of 3-4, in 7 rounds",
        "192.168.0.1 and 702.500.1.2, 702.75 points, 702.75公斤, 999.9",
        "CR 2026-04-17 and CR of 2024.11.03",
    ] {
        assert_eq!(check(text), [""; 0], "{text}");
    }
    sandbox.write("a.md", "See 702.19zz.\n");
    let ran = sandbox
        .in_library(["cite", "check", "a.md", "--game", "mtg"])
        .expect(1);
    assert_eq!(
        ran.stdout,
        "a.md:1:5: 702.19zz: no edition that is loaded has this number; nearest: 702.19a, 702.19b\n"
    );
    sandbox.write("a.md", "MTR 2.9\n");
    let ran = sandbox
        .in_library(["cite", "check", "a.md", "--game", "mtg", "--ui-lang", "zh"])
        .expect(1);
    assert_eq!(
        ran.stdout,
        "a.md:1:5: MTR 2.9：已载入的版本中都没有此编号；相近：2.4、2.5\n"
    );
    // Of several games it is of the one whose numbers it has.
    sandbox.write("a.md", "See 702.19b, 702.20, 702.19zz.\n");
    let ran = sandbox.in_library(["cite", "check", "a.md", "--json"]).expect(1);
    assert_eq!(stale(&ran), ["1:22 702.19zz no-such-number -"]);
    // A line of any length is read to its end, and says where.
    let long = "word ".repeat(2000);
    assert_eq!(
        check(&format!("{long}702.19zz")),
        ["1:10001 702.19zz no-such-number -"]
    );
    // What cannot be rewritten is left.
    let path = sandbox.write("a.md", "See rule 702.19zz.\n");
    let upgrade = ["cite", "upgrade", "a.md", "--from", "2", "--game", "mtg"];
    sandbox.in_library(upgrade).expect(1);
    assert_eq!(std::fs::read_to_string(path).unwrap(), "See rule 702.19zz.\n");
}

#[test]
fn the_numbers_of_a_section_that_is_gone_are_gone() {
    let sandbox = library();
    sandbox.write("a.md", "See 703.1, 703.9 and section 703.\n");
    let ran = sandbox.in_library(["cite", "check", "a.md", "--json"]).expect(1);
    assert_eq!(
        stale(&ran),
        [
            "1:5 703.1 gone -",
            "1:12 703.9 no-such-number -",
            "1:30 703 gone -"
        ]
    );
}

#[test]
fn an_upgrade_says_what_it_writes_and_leaves_the_rest() {
    let sandbox = library();
    let path = sandbox.write("faq.md", DOCUMENT);
    let upgrade = ["cite", "upgrade", "faq.md", "--from", "2"];
    let ran = sandbox.in_library(upgrade.iter().chain(&["--dry-run"])).expect(1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), DOCUMENT);
    assert_eq!(sandbox.in_library(upgrade).expect(1).stdout, ran.stdout);
    assert_eq!(
        ran.stdout,
        "faq.md:3:34: 702.1a: the number is another rule's; written 702.2a\n\
         faq.md:4:6: 702.3a: the rule has another number; written 702.4a\n\
         faq.md:4:17: 702.5a: there is no such rule any more; left as it is\n\
         faq.md:6:45: 702.3a: the rule has another number; written 702.4a\n"
    );
    let upgraded = DOCUMENT
        .replace("702.1a", "702.2a")
        .replace("702.3a", "702.4a")
        .replace("702.3A", "702.4a");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), upgraded);
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .flatten()
        .map(|file| file.file_name())
        .collect();
    assert!(
        left.iter()
            .all(|name| !name.to_string_lossy().contains("shiyi-new")),
        "{left:?}"
    );
    // And back again.
    let back = ["cite", "upgrade", "faq.md", "--from", "3", "--to", "2", "-q"];
    sandbox.in_library(back).expect(0);
    let again = std::fs::read_to_string(&path).unwrap();
    assert_eq!(again, DOCUMENT.replace("702.3A", "702.3a"));
}

#[test]
fn what_is_not_written_plainly_is_left() {
    let sandbox = library();
    let text = "rule 702 3 a; 702.3(a); rules 702.1a–3a\r\n";
    let path = sandbox.write("faq.md", text);
    let ran = sandbox
        .in_library(["cite", "upgrade", "faq.md", "--from", "2"])
        .expect(1);
    assert!(ran.stdout.contains("left as it is"), "{ran:#?}");
    let now = std::fs::read_to_string(&path).unwrap();
    assert!(
        now.starts_with("rule 702 3 a; 702.3(a); ") && now.ends_with("\r\n"),
        "{now}"
    );
    sandbox.write("latin1.md", b"caf\xe9 702.3a");
    let ran = sandbox
        .in_library(["cite", "upgrade", "latin1.md", "--from", "2"])
        .expect(2);
    assert!(ran.stderr.contains("UTF-8"), "{ran:#?}");
}
