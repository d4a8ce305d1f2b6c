//! Cards as a judge remembers them: a name in either language, half of one, a face's, with slips of the fingers.

use crate::harness::Sandbox;
use crate::real_data::shared;
use serde_json::Value;

/// Rulings of cards that nobody prints, in the layout of bulleted rulings.
fn library() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut text = String::new();
    for (card, rulings) in [
        (
            "守灯人之刃 / Lantern-Keeper’s Blade",
            &["The blade is dull by day.", "The blade is never lent."][..],
        ),
        (
            "月下欧鲁 / Oru, the Moonlit",
            &["Oru sees each card that is drawn."],
        ),
        ("自由的欧鲁 / Oru Unbound", &["Oru leaves when nobody looks."]),
        ("欧鲁之怒 / Oru's Fury", &["The fury hits once."]),
        ("涨落 / Ebb // Flow", &["Flow may be cast alone."]),
        ("Winch of the Deep // Deepest Winch", &["It turns at dusk."]),
        ("Webbed Feet", &["They swim."]),
        ("力意 / Force of Will", &["It may be cast for no mana."]),
    ] {
        text.push_str(&format!("# {card}\n\n"));
        for ruling in rulings {
            text.push_str(&format!("• (2021-03-04 official)\n\n  {ruling}\n\n"));
        }
    }
    for reef in ["Crab", "Eel", "Ray", "Star"] {
        text.push_str(&format!(
            "# Reef {reef}\n\n• (2021-03-04 official)\n\n  The {reef} swims.\n\n"
        ));
    }
    // Of one card only the Chinese name is given here, and another shares a ruling with it.
    text.push_str("# 守灯人之刃\n\n• (2022-03-04 official)\n\n  此刃在夜里发光。\n\n");
    text.push_str("# Oru's Fury\n\n• (2021-03-04 official)\n\n  Oru sees each card that is drawn.\n\n");
    sandbox.write("library/rulings/mtg/cards.txt", text);
    sandbox.in_library(["ingest"]).expect(0);
    sandbox
}

/// The English names of the cards of an answer, and how they fit.
fn found(objects: &[Value]) -> (Vec<&str>, &str) {
    let cards: Vec<&Value> = objects.iter().filter(|object| object["type"] == "card").collect();
    let names = cards
        .iter()
        .map(|card| card["names"]["en"][0].as_str().unwrap_or_default());
    (
        names.collect(),
        cards.first().map_or("", |card| card["matched"].as_str().unwrap()),
    )
}

#[test]
fn a_card_comes_first_and_then_its_rulings() {
    let sandbox = library();
    let objects = sandbox
        .in_library(["card", "lantern-keeper's blade", "--json"])
        .expect(0)
        .json();
    let card = &objects[0];
    assert_eq!(card["type"], "card");
    assert_eq!(card["id"], "mtg:card:lantern-keepers-blade");
    assert_eq!(
        card["names"],
        serde_json::json!({"en": ["Lantern-Keeper’s Blade"], "zh": ["守灯人之刃"]})
    );
    assert_eq!(
        (&card["text"], &card["type_line"]),
        (&serde_json::json!({}), &Value::Null)
    );
    // One of them stands under the Chinese name alone.
    assert_eq!(card["rulings"], 3);
    let rulings: Vec<&str> = objects[1..]
        .iter()
        .map(|entry| entry["kind"].as_str().unwrap())
        .collect();
    assert_eq!(rulings, ["ruling"; 3]);
    let by_id = sandbox
        .in_library(["card", "mtg:card:lantern-keepers-blade", "--json"])
        .expect(0);
    assert_eq!(by_id.json(), objects);
    let by_id = sandbox
        .in_library(["show", "mtg:card:lantern-keepers-blade", "--json"])
        .expect(0);
    assert_eq!(by_id.json(), objects);
    // Fewer when fewer are asked for, and those of a time alone.
    let page = sandbox
        .in_library(["card", "守灯人之刃", "-n", "1", "--offset", "1", "--json"])
        .expect(0);
    assert_eq!(page.json()[1..], objects[2..3]);
    let since = sandbox
        .in_library(["card", "守灯人之刃", "--since", "2022", "--json"])
        .expect(0);
    assert_eq!(since.json().len(), 2);
}

#[test]
fn names_as_people_type_them() {
    let sandbox = library();
    let blade = &["Lantern-Keeper’s Blade"][..];
    for (typed, names, fit) in [
        ("LANTERN KEEPERS BLADE", blade, "exact"),
        ("lantern-keeper's blade", blade, "exact"),
        ("守燈人之刃", blade, "exact"),
        ("「守灯人之刃」", blade, "exact"),
        ("mtg 守灯人之刃", blade, "exact"),
        ("万智牌 守灯人之刃", blade, "exact"),
        ("lantern", blade, "partial"),
        ("keepers", blade, "partial"),
        ("blade keeper's", blade, "partial"),
        ("守灯", blade, "partial"),
        ("lantren keepers blade", blade, "nearest"),
        ("守灯人之刀", blade, "nearest"),
        ("ebb", &["Ebb // Flow"], "exact"),
        ("Flow", &["Ebb // Flow"], "exact"),
        ("ebb/flow", &["Ebb // Flow"], "exact"),
        ("ebb // flow", &["Ebb // Flow"], "exact"),
        ("涨落", &["Ebb // Flow"], "exact"),
        ("漲落", &["Ebb // Flow"], "exact"),
        ("deepest winch", &["Winch of the Deep // Deepest Winch"], "exact"),
        ("winch", &["Winch of the Deep // Deepest Winch"], "partial"),
        ("oru", &["Oru, the Moonlit"], "partial"),
        ("Oru the moonlit", &["Oru, the Moonlit"], "exact"),
        ("欧鲁", &["Oru Unbound", "Oru, the Moonlit"], "partial"),
        ("歐魯之", &["Oru's Fury"], "partial"),
        // What is a game's name, too.
        ("force of will", &["Force of Will"], "exact"),
        ("Force of Wil", &["Force of Will"], "partial"),
    ] {
        let ran = sandbox.in_library(["card", typed, "--json"]).expect(0);
        assert_eq!(found(&ran.json()), (names.to_vec(), fit), "{typed}");
    }
    let ran = sandbox.in_library(["card", "nobody at all"]).expect(1);
    assert!(
        ran.stderr.contains("nothing is called `nobody at all`"),
        "{ran:#?}"
    );
}

#[test]
fn the_first_screen() {
    let sandbox = library();
    let shown = |args: &[&str]| {
        let ran = sandbox.in_library(std::iter::once(&"card").chain(args)).expect(0);
        (ran.stdout, ran.stderr)
    };
    let (stdout, stderr) = shown(&["oru"]);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines[0], "Oru, the Moonlit · 月下欧鲁  [mtg]  1 ruling");
    assert_eq!(lines[1], "  also in the name of Oru Unbound · Oru's Fury");
    assert!(
        lines[2].starts_with("  ruling ") && lines[2].ends_with("  2021-03-04  [official]"),
        "{stdout}"
    );
    assert_eq!(lines[3], "    Oru sees each card that is drawn.");
    // The card is named above; the other that shares the ruling is named with it.
    assert_eq!(lines[4..], ["    card Oru's Fury"]);
    assert_eq!(stderr, "");
    let (stdout, stderr) = shown(&["lantren", "--ui-lang", "zh"]);
    assert!(
        stderr.contains("没有名为“lantren”的牌；以下是最接近的"),
        "{stderr}"
    );
    assert!(
        stdout.starts_with("Lantern-Keeper’s Blade · 守灯人之刃  [mtg]  3 条释疑\n"),
        "{stdout}"
    );
    // Letters inside the words of another name are an accident.
    assert!(!shown(&["ebb"]).0.contains("also in the name"));
    let markdown = shown(&["涨落", "--format", "md"]).0;
    assert!(
        markdown.starts_with("## Ebb // Flow · 涨落\n\n> **ruling 2021-03-04"),
        "{markdown}"
    );
    // Of many cards the names alone.
    let (stdout, stderr) = shown(&["reef"]);
    assert!(
        stdout.lines().all(|line| line.contains("[mtg]")) && stdout.lines().count() == 4,
        "{stdout}"
    );
    assert!(stderr.contains("4 cards; type more of a name"), "{stderr}");
}

#[test]
fn half_a_name_narrows_a_search() {
    let sandbox = library();
    for card in ["lantern", "守燈人", "lantern-keepers blade"] {
        let ran = sandbox
            .in_library(["search", "blade", "--card", card, "--json"])
            .expect(0);
        // One has the card's Chinese name alone, and is of the card all the same.
        assert_eq!(ran.objects("hit").len(), 3, "{card}");
        let ran = sandbox
            .in_library(["export", "--card", card, "--format", "ids"])
            .expect(0);
        assert_eq!(ran.stdout.lines().count(), 3, "{card}");
    }
    sandbox.in_library(["search", "blade", "--card", "ebb"]).expect(1);
    sandbox
        .in_library(["search", "blade", "--card", "no such card"])
        .expect(1);
}

/// Real rulings with real names: each lookup, and the card that it means.
#[test]
fn real_cards() {
    let Some(file) = shared("data/mtg/rulings-bilingual/NEO-seed-layout.txt") else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.copy(&file, "library/rulings/mtg/neo.txt");
    sandbox.in_library(["ingest"]).expect(0);
    for (typed, name) in [
        ("Acquisition Octopus", "Acquisition Octopus"),
        ("octopus", "Acquisition Octopus"),
        ("aquisition octopus", "Acquisition Octopus"),
        ("窃物八爪械", "Acquisition Octopus"),
        ("竊物八爪械", "Acquisition Octopus"),
        ("八爪", "Acquisition Octopus"),
        ("JIN-GITAXIAS", "Jin-Gitaxias, Progress Tyrant"),
        ("jin gitaxias progress tyrant", "Jin-Gitaxias, Progress Tyrant"),
        ("progress tyrant", "Jin-Gitaxias, Progress Tyrant"),
        ("金吉塔厦", "Jin-Gitaxias, Progress Tyrant"),
        ("ninjas kunai", "Ninja's Kunai"),
        ("Ninja’s Kunai", "Ninja's Kunai"),
        ("忍者苦無", "Ninja's Kunai"),
        ("isshin", "Isshin, Two Heavens as One"),
        ("二天一流", "Isshin, Two Heavens as One"),
        ("light paws", "Light-Paws, Emperor's Voice"),
        ("emperor's voice", "Light-Paws, Emperor's Voice"),
        ("帝皇玉音", "Light-Paws, Emperor's Voice"),
        ("spirit sisters call", "Spirit-Sister's Call"),
        ("raiyu", "Raiyuu, Storm's Edge"),
        ("雷遊", "Raiyuu, Storm's Edge"),
        ("tezzeret betrayer", "Tezzeret, Betrayer of Flesh"),
        ("tezeret", "Tezzeret, Betrayer of Flesh"),
        ("泰茲瑞", "Tezzeret, Betrayer of Flesh"),
        ("tamiyo", "Tamiyo's Compleation"),
        ("多美代完化", "Tamiyo's Compleation"),
    ] {
        let ran = sandbox.in_library(["card", typed, "--json"]).expect(0);
        assert_eq!(found(&ran.json()).0, [name], "{typed}");
    }
}
