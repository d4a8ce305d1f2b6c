//! Tables of cards: what a card is called and says, whichever table has it, joined with the rulings that name it.

use crate::harness::Sandbox;
use crate::real_data::shared;
use serde_json::{Value, json};

/// Names, texts and rulings of cards that nobody prints, each in a table of another make.
fn library() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "library/rulings/mtg/names.tsv",
        "oracle_id\ten\tzh-Hans\tzh-Hant\n\
         11111111-aaaa\tInk Pot\t墨壶 | 墨罐\t墨壺\n\
         22222222-bbbb\tEbb // Flow\t涨 // 落\t\n\
         33333333-cccc\tQuill of the Deep\t\t\n",
    );
    sandbox.write(
        "library/rulings/mtg/texts.json",
        "[\n{\"oracle_id\":\"11111111-aaaa\",\"name\":\"Ink Pot\",\"type_line\":\"Artifact — Vessel\",\"oracle_text\":\"{T}: Spill.\\nDraw.\"},\n\
         {\"oracle_id\":\"22222222-bbbb\",\"name\":\"Ebb // Flow\",\"type_line\":\"Instant // Sorcery\",\"card_faces\":[\
         {\"name\":\"Ebb\",\"type_line\":\"Instant\",\"oracle_text\":\"It goes.\"},{\"name\":\"Flow\",\"type_line\":\"Sorcery\",\"oracle_text\":\"It comes.\"}]}\n]\n",
    );
    sandbox.write(
        "library/rulings/mtg/printed.jsonl",
        "{\"oracle_id\":\"11111111-aaaa\",\"side\":\"a\",\"lang\":\"zh-Hant\",\"printed_name\":\"墨壺\",\"printed_type_line\":\"神器\",\"printed_text\":\"{T}：灑。\"}\n\
         {\"oracle_id\":\"11111111-aaaa\",\"side\":\"a\",\"lang\":\"zh-Hans\",\"printed_name\":\"墨壶\",\"printed_type_line\":\"神器～壶\",\"printed_text\":\"{T}：洒。\"}\n\
         {\"oracle_id\":\"22222222-bbbb\",\"side\":\"b\",\"lang\":\"zh-Hans\",\"printed_name\":\"落\",\"printed_type_line\":\"法术\",\"printed_text\":\"它来。\"}\n",
    );
    sandbox.write(
        "library/rulings/mtg/sources.toml",
        "[\"printed.jsonl\"]\nprovenance = \"official\"\n",
    );
    sandbox.write(
        "library/rulings/mtg/rulings.json",
        "[\n{\"oracle_id\":\"11111111-aaaa\",\"source\":\"wotc\",\"published_at\":\"2021-03-04\",\"comment\":\"The pot holds one measure.\"},\n\
         {\"oracle_id\":\"22222222-bbbb\",\"source\":\"wotc\",\"published_at\":\"2021-03-04\",\"comment\":\"The tide has no colour.\"}\n]\n",
    );
    sandbox.write(
        "library/rulings/mtg/notes.txt",
        "# Ink Pot\n\n• (2022-03-04 official)\n\n  The pot is never full.\n\n# 墨罐\n\n• (2023-03-04 official)\n\n  此壶很重。\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    sandbox
}

fn card(sandbox: &Sandbox, name: &str) -> Vec<Value> {
    sandbox.in_library(["card", name, "--json"]).expect(0).json()
}

#[test]
fn a_card_says_what_its_tables_say() {
    let sandbox = library();
    let objects = card(&sandbox, "Ink Pot");
    let shown = &objects[0];
    assert_eq!(
        shown["names"],
        json!({"en": ["Ink Pot"], "zh": ["墨壶", "墨罐", "墨壺"]})
    );
    assert_eq!(
        shown["text"],
        json!({"en": "{T}: Spill.\nDraw.", "zh": "{T}：洒。"})
    );
    assert_eq!(shown["type_line"], "Artifact — Vessel");
    assert_eq!(shown["type_lines"]["zh"], "神器～壶");
    assert_eq!(shown["provenance"]["en"]["class"], "unknown");
    assert_eq!(shown["provenance"]["zh"]["class"], "official");
    assert_eq!(
        (&shown["database_id"], &shown["rulings"]),
        (&json!("11111111-aaaa"), &json!(3))
    );
    let texts: Vec<&str> = objects[1..]
        .iter()
        .map(|entry| {
            entry["text"]["en"]
                .as_str()
                .or(entry["text"]["zh"].as_str())
                .unwrap()
        })
        .collect();
    assert_eq!(texts.len(), 3);
    // One is known by the card's id, one by its English name, one by another of its Chinese names.
    for text in [
        "The pot holds one measure.",
        "The pot is never full.",
        "此壶很重。",
    ] {
        assert!(texts.contains(&text), "{texts:?}");
    }
    for entry in &objects[1..] {
        assert_eq!(entry["cards"][0]["en"], "Ink Pot");
        assert!(["墨壶", "墨罐"].contains(&entry["cards"][0]["zh"].as_str().unwrap()));
    }
    for name in ["墨壶", "墨壺", "墨罐", "ink pot", "mtg 墨壶", "mtg:card:ink-pot"] {
        assert_eq!(card(&sandbox, name), objects, "{name}");
    }
}

#[test]
fn a_search_for_a_card_s_name_says_that_it_is_one() {
    let sandbox = library();
    for name in ["Ink Pot", "墨罐"] {
        let ran = sandbox.in_library([name]);
        assert!(
            ran.stderr.contains(&format!("shiyi card {name}")),
            "{}",
            ran.stderr
        );
    }
    assert!(!sandbox.in_library(["Ink"]).stderr.contains("shiyi card"));
}

#[test]
fn a_card_has_faces() {
    let sandbox = library();
    let objects = card(&sandbox, "Ebb // Flow");
    assert_eq!(objects[0]["type_line"], "Instant // Sorcery");
    assert_eq!(objects[0]["text"]["en"], "It goes.\n//\nIt comes.");
    assert_eq!(objects[0]["text"]["zh"], "\n//\n它来。");
    assert_eq!(objects.len(), 2);
    for name in ["ebb", "Flow", "落", "涨", "涨//落", "flow mtg"] {
        let found = sandbox.in_library(["card", name, "--json"]).expect(0).json();
        assert_eq!(found, objects, "{name}");
    }
    let part = card(&sandbox, "quill");
    assert_eq!(
        (&part[0]["matched"], &part[0]["rulings"], part.len()),
        (&json!("partial"), &json!(0), 1)
    );
}

#[test]
fn the_first_screen() {
    let sandbox = library();
    let ran = sandbox
        .in_library(["card", "墨壶", "--lang", "zh", "--ui-lang", "zh"])
        .expect(0);
    assert!(
        ran.stdout.starts_with(
            "Ink Pot · 墨壶 · 墨罐 · 墨壺  [mtg, 官方]  3 条释疑\n  神器～壶\n  {T}：洒。\n  释疑"
        ),
        "{}",
        ran.stdout
    );
    let ran = sandbox.in_library(["card", "flow", "--ui-lang", "en"]).expect(0);
    assert!(
        ran.stdout.starts_with(
            "Ebb // Flow · 涨 // 落  [mtg, en source unknown · zh official]  1 ruling\n  Instant // Sorcery · 法术\n  It goes.\n  //\n  It comes.\n"
        ),
        "{}",
        ran.stdout
    );
    let ran = sandbox
        .in_library(["card", "ink pot", "--format", "md", "--ui-lang", "en"])
        .expect(0);
    assert!(
        ran.stdout.contains(": Spill.") && ran.stdout.contains("zh official"),
        "{}",
        ran.stdout
    );
    // A machine's text never goes without its mark.
    sandbox.write(
        "library/rulings/mtg/machine.tsv",
        "oracle_id\tname_zh\ttext_zh\tsource\n33333333-cccc\t深渊羽笔\t写。\tgpt\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox
        .in_library(["card", "深渊羽笔", "--ui-lang", "en"])
        .expect(0);
    assert!(ran.stdout.contains("[machine (gpt)] 写。"), "{}", ran.stdout);
}

#[test]
fn rulings_are_found_by_every_name() {
    let sandbox = library();
    let found = |args: &[&str]| -> Vec<String> {
        let ran = sandbox.in_library(args.iter().chain(&["--json"]));
        let hits = ran.objects("hit").into_iter();
        hits.map(|hit| hit["text"]["en"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    for name in ["墨壶", "墨壺", "Ink Pot"] {
        let hits = found(&["search", name, "holds"]);
        assert_eq!(hits[0], "The pot holds one measure.", "{name}");
        assert!(found(&["search", name]).len() >= 2, "{name}");
    }
    assert_eq!(
        found(&["search", "measure", "--card", "墨罐"]),
        ["The pot holds one measure."]
    );
    assert_eq!(
        found(&["search", "colour", "--card", "落"]),
        ["The tide has no colour."]
    );
    assert!(found(&["search", "colour", "--card", "墨壶"]).is_empty());
    // What a card says is no rule and no ruling.
    assert!(
        found(&["search", "Spill"])
            .iter()
            .all(|text| !text.contains("Spill"))
    );
}

#[test]
fn a_table_alone() {
    let sandbox = Sandbox::new();
    let table = sandbox.write(
        "cards.csv",
        "卡号,卡名,英文卡名,类型,效果\nA-1,墨壶,Ink Pot,道具,抽一张牌。\nA-2,笔,Pen,道具,写。\n",
    );
    let table = table.to_str().unwrap();
    let ran = sandbox
        .in_library(["add", table, "--game", "fow", "--json"])
        .expect(0);
    let added = &ran.objects("added")[0];
    assert_eq!(
        (&added["path"], &added["cards"], &added["entries"]),
        (&json!("rulings/fow/cards.csv"), &json!(2), &json!(0))
    );
    assert_eq!(added["document"], "cards");
    let status = sandbox
        .in_library(["status", "--json"])
        .expect(0)
        .objects("status");
    let row = status.iter().find(|row| row["document"] == "cards").unwrap();
    assert_eq!(
        (&row["counts"]["cards"], &row["pairs"], &row["lang"]),
        (&json!(2), &json!(2), &json!(["en", "zh"]))
    );
    let shown = card(&sandbox, "pen");
    assert_eq!(
        (&shown[0]["text"]["zh"], &shown[0]["rulings"]),
        (&json!("写。"), &json!(0))
    );
    // The built-in rules of the game still answer.
    sandbox.in_library(["fow", "702.3a-1", "--json"]).expect(0);
    // Without a game nobody can say whose cards they are.
    let ran = sandbox.in_library(["add", table]).expect(2);
    assert!(ran.stderr.contains("--game"), "{}", ran.stderr);
}

#[test]
fn costs_and_figures_are_told() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "library/rulings/mtg/a.json",
        "[{\"oracle_id\":\"a\",\"name\":\"Ink Drake\",\"mana_cost\":\"{1}{U}\",\"type_line\":\"Creature\",\"power\":\"*\",\"toughness\":2},\
         {\"oracle_id\":\"b\",\"name\":\"Ebb // Flow\",\"mana_cost\":\"{U} // {R}\",\"type_line\":\"Instant\",\"card_faces\":[\
         {\"name\":\"Ebb\",\"mana_cost\":\"{U}\",\"oracle_text\":\"Go.\"},{\"name\":\"Flow\",\"mana_cost\":\"{R}\",\"oracle_text\":\"Come.\"}]},\
         {\"oracle_id\":\"c\",\"name\":\"Scribe\",\"mana_cost\":\"\",\"type_line\":\"Planeswalker\",\"loyalty\":\"3\"}]\n",
    );
    sandbox.write(
        "library/rulings/fow/a.tsv",
        "卡名\t费用\t总费用\t攻击力\t守备力\t属性\t效果\n墨龙\t{U}{1}\t2\t0//1500\t0//800\t水\t抽。\n墨壶\t-\t\t\t\t\t洒。\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    let drake = card(&sandbox, "Ink Drake");
    assert_eq!(
        (&drake[0]["cost"], &drake[0]["name"], &drake[0]["facts"]),
        (
            &json!("{1}{U}"),
            &json!("Ink Drake"),
            &json!([{"key": "cost", "value": "{1}{U}"}, {"key": "power", "value": "*"}, {"key": "toughness", "value": "2"}])
        )
    );
    assert_eq!(card(&sandbox, "flow")[0]["cost"], "{U} // {R}");
    assert_eq!(card(&sandbox, "墨壶")[0]["facts"], json!([]));
    for (name, form, parts) in [
        ("Ink Drake", "text", &["Ink Drake  {1}{U}  [mtg", "\n  */2\n"][..]),
        ("Scribe", "text", &["\n  loyalty 3\n"]),
        (
            "墨龙",
            "text",
            &["墨龙  {U}{1}  [fow", "attribute 水 · 0/0 // 1500/800"],
        ),
        ("Scribe", "md", &["> loyalty 3"]),
    ] {
        let ran = sandbox
            .in_library(["card", name, "--format", form, "--ui-lang", "en"])
            .expect(0);
        for part in parts {
            assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
        }
    }
    let ids = sandbox
        .in_library(["card", "scribe", "--format", "ids"])
        .expect(0);
    assert_eq!(ids.stdout, "mtg:card:scribe\n");
    let csv = sandbox
        .in_library(["card", "scribe", "--format", "csv"])
        .expect(0);
    assert!(
        csv.stdout.contains("\nmtg:card:scribe,mtg,,card,,Scribe,"),
        "{}",
        csv.stdout
    );
    let line = sandbox
        .in_library(["card", "ink drake", "--template", "{{ name }} {{ cost }}"])
        .expect(0);
    assert_eq!(line.stdout, "Ink Drake {1}{U}\n");
    // What tables say of cards is exported where it is asked for.
    let cards = sandbox
        .in_library(["export", "--game", "mtg", "--document", "cards"])
        .expect(0)
        .objects("card");
    let names: Vec<&str> = cards.iter().filter_map(|card| card["name"].as_str()).collect();
    assert_eq!(names, ["Ebb // Flow", "Ink Drake", "Scribe"]);
}

#[test]
fn rulings_in_the_language_that_is_asked_for_come_first() {
    let sandbox = library();
    let objects = sandbox
        .in_library(["card", "Ink Pot", "--lang", "zh", "--json"])
        .expect(0)
        .json();
    assert_eq!(objects[1]["text"]["zh"], "此壶很重。");
    let objects = sandbox
        .in_library(["card", "Ink Pot", "--lang", "en", "--json"])
        .expect(0)
        .json();
    assert_eq!(objects[3]["text"]["zh"], "此壶很重。");
    // A name in the other language is no text in it.
    let ran = sandbox
        .in_library(["search", "measure", "--ui-lang", "en"])
        .expect(0);
    assert!(ran.stdout.contains("[mtg official (wotc)]"), "{}", ran.stdout);
}

#[test]
fn names_with_slips_and_halves_of_words() {
    let sandbox = library();
    let ran = sandbox.in_library(["card", "qiull deep", "--json"]).expect(0);
    assert_eq!(ran.json()[0]["matched"], "nearest");
    sandbox.write(
        "library/rulings/fow/a.tsv",
        "name\tcost\ttext\nRake of Ink\t1\tFly.\nMandrake\t1\tCry.\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox
        .in_library(["card", "rake", "--game", "fow", "--ui-lang", "en"])
        .expect(0);
    assert!(
        ran.stdout.starts_with("Rake of Ink") && ran.stdout.contains("also in the name of Mandrake"),
        "{}",
        ran.stdout
    );
}

#[test]
fn rows_in_any_order_give_the_same_cards() {
    let names = "id\tname\t中文名\tcard type\n7\tInk Pot\t墨壶\tThing\n8\tPen\t笔\tThing\n";
    let texts = "[{\"id\": 8, \"card_text\": \"Write.\"}, {\"id\": 7, \"card_text\": \"Draw.\"}]";
    let mut answers = Vec::new();
    for (first, second) in [("a", "b"), ("b", "a")] {
        let sandbox = Sandbox::new();
        sandbox.write(&format!("library/rulings/fow/{first}.tsv"), names);
        sandbox.write(&format!("library/rulings/fow/{second}.json"), texts);
        sandbox.in_library(["ingest"]).expect(0);
        let mut shown = card(&sandbox, "pen");
        shown[0]["sources"] = Value::Null;
        answers.push(shown);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(
        (&answers[0][0]["text"]["en"], &answers[0][0]["names"]["zh"]),
        (&json!("Write."), &json!(["笔"]))
    );
}

#[test]
fn two_texts_in_one_table_are_reported() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "library/rulings/fow/a.tsv",
        "name\tcost\ttext\nInk\t1\tDraw.\nPen\t1\tWrite.\nInk\t1\tSpill.\nPen\t1\tWrite.\n",
    );
    let ran = sandbox.in_library(["ingest", "--ui-lang", "en"]).expect(0);
    assert!(
        ran.stderr.contains(
            "another text of the card `Ink` in the same table [conflicting-text]\n  --> rulings/fow/a.tsv:4:1"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!(card(&sandbox, "ink")[0]["text"]["en"], "Draw.");
}

/// Adds real files to a library of their own.
fn real(game: &str, files: &[&str]) -> Option<Sandbox> {
    let sandbox = Sandbox::new();
    for file in files {
        let path = shared(&format!("data/{file}"))?;
        let name = path.file_name()?.to_str()?.to_owned();
        sandbox.copy(&path, &format!("library/rulings/{game}/{name}"));
    }
    sandbox.in_library(["ingest"]).expect(0);
    Some(sandbox)
}

fn n_cards(sandbox: &Sandbox) -> u64 {
    let status = sandbox
        .in_library(["status", "--json"])
        .expect(0)
        .objects("status");
    status
        .iter()
        .filter_map(|row| row["counts"]["cards"].as_u64())
        .sum()
}

#[test]
fn real_names_and_texts() {
    let files = [
        "mtg/card-names/cards.tsv",
        "mtg/card-texts/oracle-cards.json",
        "mtg/card-texts/printed-zh.jsonl",
    ];
    let Some(sandbox) = real("mtg", &files) else {
        return;
    };
    assert_eq!(n_cards(&sandbox), 23_738);
    let bolt = card(&sandbox, "Lightning Bolt");
    assert_eq!(
        bolt[0]["names"],
        json!({"en": ["Lightning Bolt"], "zh": ["闪电击", "閃電擊"]})
    );
    assert_eq!(
        (&bolt[0]["type_line"], &bolt[0]["type_lines"]["zh"]),
        (&json!("Instant"), &json!("瞬间"))
    );
    assert!(bolt[0]["text"]["en"].is_string() && bolt[0]["text"]["zh"].is_string());
    assert_eq!(card(&sandbox, "闪电击"), bolt);
    let delver = card(&sandbox, "Insectile Aberration");
    assert_eq!(
        delver[0]["names"]["en"],
        json!(["Delver of Secrets // Insectile Aberration"])
    );
    assert_eq!(delver[0]["names"]["zh"][0], "掘密师 // 昆虫变体");
    assert_eq!(
        delver[0]["text"]["zh"]
            .as_str()
            .unwrap()
            .matches("\n//\n")
            .count(),
        1
    );
    // Two cards have this Chinese name.
    let cards = sandbox
        .in_library(["card", "折磨", "--json"])
        .expect(0)
        .objects("card");
    assert_eq!(cards.len(), 2);
}

#[test]
fn real_cards_of_other_games() {
    if let Some(sandbox) = real("yugioh", &["ygo/card-names/en-zhcn-zhtw-ja.tsv"]) {
        // 14,187 rows, of which three are of cards that stand there already.
        assert_eq!(n_cards(&sandbox), 14_184);
        let dragon = card(&sandbox, "青眼白龙");
        assert_eq!(dragon[0]["names"]["en"], json!(["Blue-Eyes White Dragon"]));
        assert_eq!(card(&sandbox, "青眼の白龍"), dragon);
    }
    if let Some(sandbox) = real("fow", &["fow/cards-en/cards.tsv"]) {
        // 1,004 rows, of which five are printed again.
        assert_eq!(n_cards(&sandbox), 999);
        let ruler = card(&sandbox, "Arthur, the King of Knights");
        let text = ruler[0]["text"]["en"].as_str().unwrap();
        assert!(text.contains("\n//\n") && !text.contains('<'), "{text}");
        assert_eq!(
            card(&sandbox, "Wandering Knight")[0]["type_line"],
            "Resonator — Knight"
        );
    }
}

#[test]
fn real_sets_and_rulings() {
    let files = [
        "mtg/sets-mtgjson5/WWK.json",
        "mtg/sets-mtgjson3/ISD.json",
        "mtg/sets-mtgjson3/ISD.cn.json",
    ];
    let Some(sandbox) = real("mtg", &files) else {
        return;
    };
    assert_eq!(n_cards(&sandbox), 407);
    let youth = card(&sandbox, "渎圣邪鬼");
    assert_eq!(
        youth[0]["names"]["en"],
        json!(["Cloistered Youth // Unholy Fiend"])
    );
    assert!(youth[0]["text"]["zh"].is_string() && youth[0]["rulings"] == 1);
    let files = ["mtg/rulings-bilingual/pairs.jsonl", "mtg/card-names/cards.tsv"];
    let Some(sandbox) = real("mtg", &files) else {
        return;
    };
    let status = sandbox
        .in_library(["status", "--json"])
        .expect(0)
        .objects("status");
    let rulings = status.iter().find(|row| row["document"] == "rulings").unwrap();
    assert_eq!(
        (&rulings["counts"]["rulings"], &rulings["pairs"]),
        (&json!(9644), &json!(9644))
    );
    let objects = card(&sandbox, "Bandage");
    assert_eq!(
        (&objects[0]["names"]["zh"][0], &objects[1]["cards"][0]["zh"]),
        (&json!("包扎"), &json!("包扎"))
    );
}
