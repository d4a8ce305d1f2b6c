//! What scripts rely on: JSON objects that keep to the committed schema, and `batch`.

use crate::harness::{Ran, Sandbox};
use serde_json::{Value, json};

pub fn schema() -> jsonschema::Validator {
    let text = include_str!("../../schema/shiyi.schema.json");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

#[track_caller]
pub fn keeps_to_the_schema(validator: &jsonschema::Validator, object: &Value) {
    let faults: Vec<String> = validator
        .iter_errors(object)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}\n{object:#}");
}

#[test]
fn every_type_of_object_keeps_to_the_schema() {
    let sandbox = Sandbox::new();
    let validator = schema();
    let mut types = std::collections::BTreeSet::new();
    for args in [
        vec!["show", "fow", "712.3; 713.3; 702.99"],
        vec!["show", "fow:statement:bare-number"],
        vec!["search", "initiative"],
        vec!["search", "先制", "-n", "50"],
        vec!["search", "qwertyuiop"],
        vec!["term", "mulligan"],
        vec!["card", "kozilek"],
        vec!["eval", "--game", "fow", "2 power counters", "--value", "3"],
        vec!["eval", "exactly 5, 10 or 15 counters", "--value", "inf"],
        vec!["eval", "2 power counters"],
        vec!["eval", "an even number of counters"],
        vec![
            "calc",
            "value_change",
            "what=life",
            "old=1000",
            "new=500",
            "--game",
            "fow",
        ],
        vec![
            "calc",
            "value_change",
            "what=life",
            "old=1",
            "new=5",
            "--game",
            "vtes",
        ],
        vec!["export", "--game", "fow", "--card", "堕落王国的魔女"],
        vec!["export", "-n", "5"],
        vec!["status"],
        vec!["doctor"],
        vec!["doctor", "--rules"],
    ] {
        let ran = sandbox.run(args.iter().chain(&["--json"]));
        assert!(matches!(ran.code, Some(0 | 1 | 3)), "{args:?}: {ran:#?}");
        for object in ran.json() {
            keeps_to_the_schema(&validator, &object);
            types.insert(object["type"].as_str().unwrap().to_owned());
        }
    }
    let two = |text: &str, edition: &str| {
        format!(
            "+++\ngame = \"fow\"\nkind = \"rule\"\nedition = \"{edition}\"\n+++\n\n## 101.1\n\nA player {text} two cards.\n"
        )
    };
    sandbox.write("library/rules/fow/old.md", two("draws", "1"));
    sandbox.write("library/rules/fow/new.md", two("draws at most", "2"));
    sandbox.write("cited.md", "Rule 101.1z says so.\n");
    sandbox.write(
        "faq.md",
        "# A\n\n{{rule fow 101.1}}\n\n{{rule fow 101.1 edition=1}}\n\n{{rule fow 101.9}}\n\n{{eval fow \"2 counters\"}}\n",
    );
    sandbox.in_library(["faq", "build", "faq.md"]).expect(1);
    let lock = std::fs::read_to_string(sandbox.path("faq.md.lock")).unwrap();
    let lock = lock.replacen("hash = \"", "hash = \"0", 1);
    sandbox.write("faq.md.lock", lock);
    for args in [
        vec!["diff", "1", "2"],
        vec!["history", "fow", "101.1"],
        vec!["cite", "check", "cited.md"],
        vec!["faq", "check", "faq.md"],
        vec!["faq", "build", "faq.md"],
    ] {
        for object in sandbox.in_library(args.iter().chain(&["--json"])).json() {
            keeps_to_the_schema(&validator, &object);
            types.insert(object["type"].as_str().unwrap().to_owned());
        }
    }
    let text = sandbox.write("fow.md", two("keeps", "3"));
    for object in sandbox
        .in_library(["add", text.to_str().unwrap(), "--json"])
        .expect(0)
        .json()
    {
        keeps_to_the_schema(&validator, &object);
        types.insert(object["type"].as_str().unwrap().to_owned());
    }
    let ran = sandbox.run(["--json", "--game", "nosuch", "fow"]).expect(2);
    let error: Value = serde_json::from_str(ran.stderr.trim()).unwrap();
    keeps_to_the_schema(&validator, &error);
    types.insert(error["type"].as_str().unwrap().to_owned());
    let all = [
        "added",
        "audit",
        "block",
        "calc",
        "card",
        "change",
        "check",
        "diagnostic",
        "entry",
        "finding",
        "hit",
        "miss",
        "stale",
        "status",
        "summary",
        "verdict",
    ];
    assert_eq!(types.iter().map(String::as_str).collect::<Vec<_>>(), all);
}

fn batch(sandbox: &Sandbox, requests: &[String]) -> (Ran, Vec<Value>) {
    let ran = sandbox.run_with(["batch"], &(requests.join("\n") + "\n"));
    let answers = ran.json();
    (ran, answers)
}

#[test]
fn a_batch_answers_in_order() {
    let sandbox = Sandbox::new();
    let requests = [
        json!({"id": 1, "do": "show", "query": "702.3a-1", "game": "fow"}),
        json!({"id": "two", "do": "search", "query": "先制", "limit": 2, "kind": "ruling"}),
        json!({"id": 3, "do": "eval", "text": "2 power counters", "game": "fow", "value": 3}),
        json!({"id": 4, "do": "eval", "text": "2 power counters"}),
        json!({"id": 5, "do": "show", "query": "fow 702.99"}),
        json!({"id": 6, "do": "show", "query": "713.3", "game": ["fow"], "only": true}),
        json!({"id": 7, "do": "term", "query": "mulligan", "lang": "zh"}),
        json!({"id": 8, "do": "card", "query": "寇基雷"}),
    ];
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let (ran, answers) = batch(&sandbox, &lines);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(
        ids,
        [
            &json!(1),
            &json!("two"),
            &json!(3),
            &json!(4),
            &json!(5),
            &json!(6),
            &json!(7),
            &json!(8)
        ]
    );
    let codes: Vec<u64> = answers
        .iter()
        .map(|answer| answer["code"].as_u64().unwrap())
        .collect();
    assert_eq!(codes, [0, 0, 0, 3, 1, 0, 0, 0]);
    assert_eq!(answers[0]["results"][0]["id"], "fow:rule:702.3a-1");
    assert_eq!(
        answers[1]["results"].as_array().unwrap().len(),
        3,
        "two hits and a summary"
    );
    assert_eq!(answers[2]["results"][0]["holds"], true);
    assert_eq!(answers[5]["results"].as_array().unwrap().len(), 1);
    let validator = schema();
    for object in answers
        .iter()
        .flat_map(|answer| answer["results"].as_array().unwrap())
    {
        keeps_to_the_schema(&validator, object);
    }
    assert!(
        ran.stdout.lines().all(|line| line.starts_with("{\"id\":")),
        "{ran:#?}"
    );
}

#[test]
fn a_bad_request_is_answered_in_its_place() {
    let sandbox = Sandbox::new();
    let lines = [
        r#"{"id":1,"do":"show","query":"fow 702.3a","colour":"red"}"#,
        "not json",
        r#"{"id":3,"do":"dance"}"#,
        r#"{"id":4,"do":"eval","text":"2 counters","value":[1]}"#,
        r#"{"id":5,"do":"show"}"#,
        r#"{"id":6,"do":"show","query":"702.3a","game":"nosuch"}"#,
        "",
        r#"{"id":7,"do":"show","query":"fow 702.3a","only":true}"#,
    ]
    .map(str::to_owned);
    let (ran, answers) = batch(&sandbox, &lines);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    let oks: Vec<bool> = answers
        .iter()
        .map(|answer| answer["ok"].as_bool().unwrap())
        .collect();
    assert_eq!(oks, [false, false, false, false, false, false, true]);
    assert!(
        answers[0]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("colour")
    );
    assert_eq!(answers[0]["id"], 1);
    assert_eq!(answers[1]["id"], Value::Null);
    let validator = schema();
    for answer in &answers[..6] {
        assert_eq!(answer["code"], 2);
        keeps_to_the_schema(&validator, &answer["error"]);
    }
}

#[test]
fn the_same_answer_alone_and_in_a_batch() {
    let sandbox = Sandbox::new();
    let alone = sandbox.run(["show", "fow", "713.3", "--json"]).json();
    let (_, answers) = batch(
        &sandbox,
        &[json!({"id": 1, "do": "show", "query": "fow 713.3"}).to_string()],
    );
    assert_eq!(answers[0]["results"], Value::Array(alone));
}

#[test]
fn what_a_batch_is_given_holds_for_every_request() {
    let sandbox = Sandbox::new();
    let predicate = |args: &[&str], settings: &str, game: Option<&str>, request: &str| {
        sandbox.write("config/shiyi/config.toml", settings);
        let game = game.map_or(String::new(), |game| format!("SHIYI_GAME={game} "));
        let line = format!("echo '{request}' | {game}shiyi batch {}", args.join(" "));
        let answer = sandbox.shell(&line).expect(0).json().remove(0);
        let result = &answer["results"][0];
        (result["game"].clone(), result["status"].clone())
    };
    let bare = r#"{"do":"eval","text":"2 power counters"}"#;
    let fow = (json!("fow"), json!("condition"));
    assert_eq!(predicate(&[], "", Some("fow"), bare), fow);
    assert_eq!(predicate(&[], "default_game = \"fow\"\n", None, bare), fow);
    assert_eq!(predicate(&["--game", "fow"], "", None, bare), fow);
    assert_eq!(predicate(&["--game", "fow"], "", Some("mtg"), bare), fow);
    let other = r#"{"do":"eval","text":"2 power counters","game":"any"}"#;
    assert_eq!(
        predicate(&["--game", "fow"], "", Some("fow"), other).1,
        "undecided"
    );

    let hits = |request: &str| {
        let ran = sandbox
            .run_with(["batch", "-n", "2", "--lang", "en"], request)
            .expect(0);
        let answer = ran.json().remove(0);
        let hits: Vec<Value> = answer["results"].as_array().unwrap().clone();
        let hits = hits.into_iter().filter(|hit| hit["type"] == "hit");
        hits.collect::<Vec<Value>>()
    };
    let two = hits(r#"{"do":"search","query":"card"}"#);
    assert!(two.len() == 2 && two[0]["text"]["zh"].is_null(), "{two:?}");
    let own = hits(r#"{"do":"search","query":"card","limit":3,"lang":"both"}"#);
    assert!(
        own.len() == 3 && own.iter().any(|hit| hit["text"]["zh"].is_string()),
        "{own:?}"
    );
}

#[test]
fn a_count_that_is_none_is_said_so() {
    let sandbox = Sandbox::new();
    for count in ["-1", "\"3\"", "1.5"] {
        let request = format!(r#"{{"do":"search","query":"card","limit":{count}}}"#);
        let answer = sandbox.run_with(["batch"], &request).expect(2).json().remove(0);
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!(message, format!("`{count}` is no number from 0"));
    }
}
