//! Tables of cards that nobody prints, in every form.

use super::*;
use crate::parse::parse;
use proptest::prelude::*;

fn games() -> Games {
    let game =
        Game::from_toml("id = \"demo\"\nnames = { en = \"Demo\" }\n[[document]]\nid = \"cr\"\n").unwrap();
    Games::new([game])
}

fn read(path: &str, text: &str) -> Parsed {
    let source = SourceFile::new(format!("rulings/demo/{path}"), text);
    let games = games();
    let parsed = parse(&source, &games, &Hints::from_path(source.path(), &games));
    let mut placed: Vec<u32> = parsed.lines.iter().map(|(line, _)| *line).collect();
    placed.dedup();
    let lines = source.lines().filter(|line| !is_blank(line.text));
    assert_eq!(placed, lines.map(|line| line.number).collect::<Vec<_>>());
    for (_, place) in &parsed.lines {
        match place {
            Place::Card { row_idx } => assert!(*row_idx < parsed.cards.len()),
            Place::Entry { entry_idx, .. } => assert!(*entry_idx < parsed.entries.len()),
            Place::Furniture(_) | Place::Reported(_) => {}
        }
    }
    parsed
}

/// The cards, each on a line: `id: names | types | texts`.
fn cards(parsed: &Parsed) -> Vec<String> {
    let said = |all: &[(Tongue, String)]| {
        let all = all.iter().map(|(tongue, text)| {
            let code = match tongue {
                Tongue::English => "en",
                Tongue::Simplified => "zh",
                Tongue::Traditional => "zt",
                Tongue::Other(code) => code,
            };
            format!("{code} {}", text.replace('\n', "/"))
        });
        all.collect::<Vec<_>>().join(", ")
    };
    let cards = parsed.cards.iter().map(|card| {
        let id = card
            .id
            .as_ref()
            .map_or(String::new(), |id| format!("{}={}: ", id.kind, id.id));
        let faces = card.faces.iter().map(|face| {
            let parts = [said(&face.names), said(&face.types), said(&face.texts)];
            format!("{} {}", face.at, parts.join(" | "))
        });
        format!(
            "{id}{} # {}",
            said(&card.names),
            faces.collect::<Vec<_>>().join(" # ")
        )
    });
    cards.collect()
}

fn codes(parsed: &Parsed) -> Vec<(Code, Option<u32>)> {
    let diagnostics = parsed.diagnostics.iter();
    diagnostics
        .map(|diagnostic| (diagnostic.code, diagnostic.position.map(|at| at.line)))
        .collect()
}

#[test]
fn names_in_columns_of_every_order() {
    let expected = [
        "oracleid=a1: en Ink Pot, zh 墨壶, zh 墨罐, zt 墨壺 # 0  |  | ",
        "oracleid=b2: en Ebb // Flow, zh 涨 // 落 # 0  |  | ",
        "oracleid=c3: en \"Ach!\" # 0  |  | ",
    ];
    let table = "oracle_id\ten\tzh-Hans\tzh-Hant\na1\tInk Pot\t墨壶 | 墨罐\t墨壺\nb2\tEbb // Flow\t涨 // 落\t\nc3\t\"Ach!\"\t\t\n";
    assert_eq!(cards(&read("a.tsv", table)), expected);
    let table = "英文卡名;简体中文;繁體中文;Oracle ID\nInk Pot;墨壶 | 墨罐;墨壺;a1\nEbb // Flow;涨 // 落;;b2\n\"\"\"Ach!\"\"\";;;c3\n";
    assert_eq!(cards(&read("a.csv", table)), expected);
    let parsed = read(
        "a.tsv",
        "konami_id\tpassword\ten\tzh-CN\tja\n0\t7\tInk\t墨\tインク\n0\t\tPen\tPen\tペン\n",
    );
    assert_eq!(
        cards(&parsed),
        [
            "password=7: en Ink, zh 墨, ja インク # 0  |  | ",
            "en Pen, ja ペン # 0  |  | "
        ]
    );
    assert_eq!(
        parsed
            .detection
            .document
            .map(|document| document.value)
            .as_deref(),
        Some("cards")
    );
}

#[test]
fn texts_and_types_in_cells() {
    let table = "Name\tSet\tType\tSubtype/Race\tCost\tRarity\tCardtext\n\
        Ink Pot\t1\tThing\tVessel\t2\tC\tDraw. <br />{Rest}: Spill &amp; run.\n\
        Scribe\t1\tRuler\t\t\tR\t\"Say \"\"ink\"\".//[Pierce]\"\n";
    assert_eq!(
        cards(&read("a.tsv", table)),
        [
            "en Ink Pot # 0  | en Thing — Vessel | en Draw./{Rest}: Spill & run.",
            "en Scribe # 0  | en Ruler | en Say \"ink\".////[Pierce]",
        ]
    );
    let table = "卡号,卡名,类型,效果\nA-1,墨壶,道具,抽一张牌。\nA-2,笔,道具,\"写，\n画。\"\n";
    assert_eq!(
        cards(&read("a.csv", table)),
        [
            "卡号=A-1: zh 墨壶 # 0  | zh 道具 | zh 抽一张牌。",
            "卡号=A-2: zh 笔 # 0  | zh 道具 | zh 写，/画。"
        ]
    );
}

#[test]
fn objects_as_databases_write_them() {
    let bulk = r#"[
{"object":"card","oracle_id":"a1","name":"Ink Pot","mana_cost":"{2}","type_line":"Artifact","oracle_text":"Draw.\nSpill."},
{"object":"card","oracle_id":"b2","name":"Ebb // Flow","type_line":"Instant // Sorcery","card_faces":[{"name":"Ebb","type_line":"Instant","oracle_text":"Go."},{"name":"Flow","type_line":"Sorcery","oracle_text":"Come."}]}
]"#;
    assert_eq!(
        cards(&read("a.json", bulk)),
        [
            "oracleid=a1: en Ink Pot # 0  | en Artifact | en Draw./Spill.",
            "oracleid=b2: en Ebb // Flow # 0 en Ebb | en Instant | en Go. # 1 en Flow | en Sorcery | en Come.",
        ]
    );
    let printed = "{\"oracle_id\":\"b2\",\"side\":\"b\",\"lang\":\"zh-Hant\",\"printed_name\":\"落\",\"printed_type_line\":\"巫術\",\
        \"printed_text\":\"來。\",\"released\":\"2020-01-02\"}\n{\"oracle_id\":\"a1\",\"side\":\"a\",\"lang\":\"zhs\",\
        \"printed_name\":\"墨壶\",\"printed_text\":\"抽。\"}\n";
    let parsed = read("a.jsonl", printed);
    assert_eq!(
        cards(&parsed),
        [
            "oracleid=b2:  # 1 zt 落 | zt 巫術 | zt 來。",
            "oracleid=a1:  # 0 zh 墨壶 |  | zh 抽。"
        ]
    );
    assert_eq!(parsed.cards[0].released.as_deref(), Some("2020-01-02"));
}

#[test]
fn objects_under_names_of_their_own() {
    let expected = [
        "en Ink # 0  | en Thing | en Draw.",
        "en Pen # 0  | en Thing | en Write.",
    ];
    let by_id = r#"{"i1": {"name": "Ink", "type": "Thing", "text": "Draw."}, "p2": {"name": "Pen", "type": "Thing", "text": "Write."}}"#;
    assert_eq!(cards(&read("a.json", by_id)), expected);
    let below = format!("{{\"meta\": {{\"version\": \"1\"}}, \"data\": {by_id}}}");
    assert_eq!(cards(&read("a.json", &below)), expected);
    let faces = r#"{"e": {"name": "Ebb // Flow", "type": "Spell", "card_faces": [{"name": "Ebb", "type": "A"}, {"name": "Flow", "type": "B"}],
        "foreignData": [{"language": "German", "name": "Ebbe", "type": "X"}]}, "i": {"name": "Ink", "type": "Thing",
        "foreignData": [{"language": "German", "name": "Tinte", "type": "Y"}]}}"#;
    assert_eq!(
        cards(&read("a.json", faces)),
        [
            "en Ebb // Flow, de Ebbe # 0 en Ebb | en A |  # 1 en Flow | en B | ",
            "en Ink, de Tinte # 0  | en Thing | "
        ]
    );
    let atomic = r#"{"data": {"Ink": [{"name": "Ink", "type": "Thing", "text": "Draw."}], "Pen": [{"name": "Pen", "type": "Thing", "text": "Write."}]}}"#;
    assert_eq!(cards(&read("a.json", atomic)), expected);
    let by_language = r#"[{"id": 3, "name": {"en": "Ink", "zh-CN": "墨"}, "text": {"en": "Draw.", "zh-CN": "抽。"}, "type": {"en": "Thing"}}]"#;
    assert_eq!(
        cards(&read("a.json", by_language)),
        ["id=3: en Ink, zh 墨 # 0  | en Thing | en Draw., zh 抽。"]
    );
}

#[test]
fn sets_with_foreign_names_and_rulings() {
    let set = r#"{"meta": {"date": "2020-01-01"}, "data": {"name": "Inks", "type": "expansion", "code": "INK", "cards": [
      {"name": "Ink Pot", "type": "Artifact", "text": "Draw.", "identifiers": {"scryfallOracleId": "a1"},
       "foreignData": [{"language": "German", "name": "Tintenfass", "text": "Zieh."}, {"language": "Chinese Simplified", "name": "墨壶", "text": "抽。", "type": "神器"}],
       "rulings": [{"date": "2020-02-03", "text": "It spills but once."}]},
      {"name": "Ebb // Flow", "faceName": "Flow", "side": "b", "type": "Sorcery", "text": "Come."}
    ], "tokens": [{"name": "Blot", "type": "Token", "text": ""}]}}"#;
    let parsed = read("a.json", set);
    assert_eq!(
        cards(&parsed),
        [
            "oracleid=a1: en Ink Pot, de Tintenfass, zh 墨壶 # 0  | en Artifact, zh 神器 | en Draw., zh 抽。",
            "en Ebb // Flow # 1 en Flow | en Sorcery | en Come.",
        ]
    );
    let ruling = &parsed.entries[0];
    assert_eq!(
        (parsed.entries.len(), ruling.kind, ruling.document.as_str()),
        (1, Kind::Ruling, "rulings")
    );
    assert_eq!(
        (ruling.date.as_deref(), ruling.text.en.as_deref()),
        (Some("2020-02-03"), Some("It spills but once."))
    );
    assert_eq!(ruling.cards[0].zh.as_deref(), Some("墨壶"));
    let old = r#"{"name": "Inks", "cards": [
      {"name": "Flow", "names": ["Ebb", "Flow"], "type": "Sorcery", "text": "Come.", "originalText": "来。",
       "foreignNames": [{"language": "Chinese Traditional", "name": "落"}]}]}"#;
    assert_eq!(
        cards(&read("a.json", old)),
        ["en Ebb // Flow # 1 en Flow, zt 落 | en Sorcery | zh 来。, en Come."]
    );
}

#[test]
fn rulings_of_every_form() {
    let rulings = |parsed: &Parsed| -> Vec<String> {
        let rulings = parsed.entries.iter().map(|entry| {
            let card = &entry.cards[0];
            let part = |part: &Option<String>| part.clone().unwrap_or_default();
            format!(
                "{}|{}|{}|{}|{}|{}",
                part(&card.id),
                part(&card.en),
                part(&card.zh),
                entry.date.as_deref().unwrap_or_default(),
                part(&entry.text.en),
                part(&entry.text.zh)
            )
        });
        rulings.collect()
    };
    let bulk = "[\n{\"object\":\"ruling\",\"oracle_id\":\"a1\",\"source\":\"wotc\",\"published_at\":\"2020-02-03\",\"comment\":\"It spills.\"}\n]";
    let parsed = read("a.json", bulk);
    assert_eq!(rulings(&parsed), ["a1|||2020-02-03|It spills.|"]);
    let provenance = parsed.entries[0].provenance.en.clone().unwrap();
    assert_eq!(
        (provenance.class, provenance.tag.as_deref()),
        (ProvenanceClass::Official, Some("wotc"))
    );
    let pairs = "{\"set\":\"X\",\"oracle_id\":\"a1\",\"card_en\":\"Ink Pot\",\"card_zh\":\"墨壶\",\"date\":\"2020-02-03\",\"en\":\"It spills.\",\"zh\":\"它会洒。\"}\n";
    let parsed = read("a.jsonl", pairs);
    assert_eq!(
        rulings(&parsed),
        ["a1|Ink Pot|墨壶|2020-02-03|It spills.|它会洒。"]
    );
    assert!(parsed.entries[0].pairing.is_some() && parsed.diagnostics.is_empty());
    let undated = "{\"card_zh\":\"墨壶\",\"card_en\":null,\"n\":1,\"comment_zh\":\"它会洒。\"}\n";
    let parsed = read("a.jsonl", undated);
    assert_eq!(
        (rulings(&parsed), codes(&parsed)[0].0),
        (vec!["||墨壶|||它会洒。".to_owned()], Code::MissingDate)
    );
    let table = "卡名\t日期\t裁定\n墨壶\t2020年2月3日\t它会洒。\n墨壶\t昨天\t它很重。\n";
    let parsed = read("a.tsv", table);
    assert_eq!(
        rulings(&parsed),
        ["||墨壶|2020-02-03||它会洒。", "||墨壶|||它很重。"]
    );
    assert_eq!(codes(&parsed), [(Code::BadRow, Some(3))]);
}

#[test]
fn what_cannot_be_read_is_alone() {
    let table = "id\tname\ttype\ttext\n1\tInk\tThing\tDraw.\n2\tPen\tThing\n3\tNib\tThing\tCut.\textra\n4\t\tThing\tNo name.\n\
        5\t\"Cap\tThing\tClose.\n6\tBlot\tThing\t\"Say \"\"oh\"\".\"\n";
    let parsed = read("a.tsv", &table.replace("type", "Card Type"));
    let names: Vec<&str> = parsed
        .cards
        .iter()
        .flat_map(|card| &card.names)
        .map(|(_, name)| name.as_str())
        .collect();
    assert_eq!(names, ["Ink", "\"Cap", "Blot"]);
    // The card without a name has an id by which another table may name it.
    assert_eq!(
        codes(&parsed),
        [
            (Code::BadRow, Some(3)),
            (Code::BadRow, Some(4)),
            (Code::BadRow, Some(6))
        ]
    );
    let lines = "{\"oracle_id\":\"a\",\"name\":\"Ink\",\"type_line\":\"Thing\"}\n{\"oracle_id\":\"b\",\"name\":\"Pen\n\
        {\"oracle_id\":\"c\",\"name\":\"Nib\",\"type_line\":\"Thing\"}\n{\"oracle_id\":\"d\",\"name\":\"Ca";
    let parsed = read("a.jsonl", lines);
    assert_eq!(
        (parsed.cards.len(), codes(&parsed)),
        (2, vec![(Code::BadRow, Some(2)), (Code::BadRow, Some(4))])
    );
}

#[test]
fn plain_tables_are_known_by_their_columns() {
    let n_cards = |path: &str, text: &str| {
        let source = SourceFile::new(format!("rules/demo/{path}"), text);
        let parsed = parse(&source, &games(), &Hints::from_path(source.path(), &games()));
        parsed.cards.len()
    };
    for (path, text) in [
        (
            "a.json",
            "[{\"name\": \"Ink\", \"oracle_text\": \"Draw.\"}, {\"name\": \"Pen\", \"oracle_text\": \"Write.\"}]",
        ),
        ("a.csv", "oracle_text,name\nDraw.,Ink\nWrite.,Pen\n"),
        ("a.csv", "name,text\nInk,Draw.\nPen,\"Write, then rest.\"\n"),
        ("a.csv", "name_en,name_zh,text_zh\nInk,墨,抽。\nPen,笔,写。\n"),
        ("a.csv", "中文名,效果\n墨,抽。\n笔,写。\n"),
        (
            "a.tsv",
            "英文名\t中文名\t规则文字\nInk\t墨\t抽。\nPen\t笔\t写。\n",
        ),
        ("a.csv", "英文名,中文名\nInk,墨\nPen,笔\n"),
        ("cards.csv", "英文,中文\nInk,墨\nPen,笔\n"),
        ("卡牌.csv", "英文,中文\nInk,墨\nPen,笔\n"),
    ] {
        assert_eq!(n_cards(path, text), 2, "{path} {text}");
    }
    for (path, text) in [
        ("a.csv", "英文,中文\nInk,墨\nPen,笔\n"),
        ("terms.csv", "name,text\nInk,What is drawn.\nPen,What draws.\n"),
        ("a.csv", "英文名词,中文名词\nInk,墨\nPen,笔\n"),
        ("a.csv", "术语名,规则文字\n墨,抽。\n笔,写。\n"),
        ("a.csv", "name,description\nInk,What is drawn.\nPen,What draws.\n"),
        ("a.csv", "name,text\n100.1. Ink,Draw.\n100.2. Pen,Write.\n"),
        (
            "a.json",
            "[{\"enname\": \"Ink\", \"zhname\": \"墨\", \"en\": \"What is drawn.\", \"zh\": \"抽的。\"}]",
        ),
        ("a.csv", "chapter,name,text\n1,Ink,Draw.\n2,Pen,Write.\n"),
        (
            "a.json",
            "[{\"number\": \"1\", \"name\": \"Ink\", \"text\": \"Draw.\"}]",
        ),
    ] {
        assert_eq!(n_cards(path, text), 0, "{path} {text}");
    }
}

#[test]
fn a_list_that_ends_early_is_reported() {
    let list = "[\n{\"oracle_id\":\"a\",\"name\":\"Ink\",\"type_line\":\"Thing\"},\n{\"oracle_id\":\"b\",\"name\":\"Pen\",\"type_line\":\"Thing\"}";
    for (end, expected) in [
        ("\n]\n", vec![]),
        (",\n", vec![(Code::CutShort, Some(3))]),
        (
            ",\n{\"oracle_id\":\"c\",\"na",
            vec![(Code::BadRow, Some(4)), (Code::CutShort, Some(4))],
        ),
    ] {
        let parsed = read("a.json", &format!("{list}{end}"));
        assert_eq!((parsed.cards.len(), codes(&parsed)), (2, expected), "{end}");
    }
    let set = "{\"data\": {\"cards\": [{\"name\":\"Ink\",\"type\":\"Thing\",\"text\":\"Draw.\"}";
    assert_eq!(codes(&read("a.json", set)), [(Code::CutShort, Some(1))]);
    assert_eq!(
        codes(&read("a.json", &format!("{set}]"))),
        [(Code::CutShort, Some(1))]
    );
    assert!(codes(&read("a.json", &format!("{set}]}}}}"))).is_empty());
    for broken in ["[{\"name\": \"Ink\", \"text\"", "{\"name\": ", "["] {
        assert_eq!(
            codes(&read("a.json", broken)),
            [(Code::Malformed, Some(1))],
            "{broken}"
        );
    }
}

#[test]
fn what_is_no_table_is_none() {
    let source = |text: &str| SourceFile::new("rules/demo/a.txt", text);
    for text in [
        "100.1. Draw a card, then stop.\n100.2. Name, type, text.\n",
        "[{\"chapter\": \"100.1.\", \"en\": \"Draw.\", \"zh\": \"抽。\"}]",
        "[{\"title\": \"A\", \"content\": \"B\"}]",
        "{\"English\": \"Ink\", \"Chinese\": \"墨\"}\n{\"English\": \"Pen\", \"Chinese\": \"笔\"}\n",
        "English\t中文\nInk\t墨\nPen\t笔\n",
        "Name a card, its type, and its text.\nThe name, the type, the text.\n",
        "card, type, text\nIt is a card.\nIt has a type.\nIt says something.\n",
        "Example: a card, a type</td><td>Each card, of a type, has its text, and its cost.\nA line.\n",
        "",
        "{",
        "[",
    ] {
        assert!(find(&source(text), &Hints::default()).is_none(), "{text}");
    }
}

/// Pieces that tables are made of.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "name\ttype\ttext\n",
        "oracle_id,en,zh\n",
        "卡名;类型;效果\n",
        "\t",
        ",",
        ";",
        "\n",
        "\"",
        "\"\"",
        " // ",
        " | ",
        "//",
        "Ink",
        "墨",
        "[",
        "]",
        "{",
        "}",
        ":",
        "\"name\":",
        "\"type_line\":\"A\"",
        "\"oracle_id\":\"x\"",
        "\"card_faces\":[",
        "\"foreignData\":[",
        "\"language\":\"Chinese Simplified\"",
        "\"rulings\":[",
        "\"date\":\"2020-01-02\"",
        "\"text\":\"a\"",
        "\"side\":\"b\"",
        "\\",
        "\r\n",
        "<br>",
        "&amp;",
        "\u{feff}",
        "\u{0}",
        "𠮷",
    ])
    .prop_map(str::to_owned);
    prop_oneof![9 => fixed, 1 => any::<String>()]
}

proptest! {
    #[test]
    fn whatever_comes_is_read_and_accounted_for(pieces in prop::collection::vec(piece(), 0..60), head in 0usize..4) {
        let head = ["", "name\ttype\ttext\n", "[{\"name\":\"A\",\"type_line\":\"B\"},\n", "{\"oracle_id\":\"a\",\"name\":\"A\"}\n{"][head];
        read("a.json", &format!("{head}{}", pieces.concat()));
    }
}
