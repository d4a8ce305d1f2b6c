//! The numeric evaluator: the shared cases and scenarios against their targets, phrases of our own, phrases with a
//! word dropped, doubled or exchanged, conditional sentences of real rules, and the time long texts take.

use crate::real_data::shared;
use serde_json::{Map, Value as Json};
use shiyi::condition::{Condition, Domain, Predicate, Relation};
use shiyi::evaluate::calc::{Task, calculate};
use shiyi::evaluate::{Question, Status, Verdict, evaluate};
use shiyi::game::{Game, Games};
use std::path::Path;
use std::time::Instant;

/// The games of this repository's `rules/`.
fn games() -> Games {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let files = std::fs::read_dir(folder).unwrap();
    Games::new(files.filter_map(|file| {
        let text = std::fs::read_to_string(file.unwrap().path().join("game.toml")).ok()?;
        Some(Game::from_toml(&text).unwrap())
    }))
}

fn ask(games: &Games, game: &str, text: &str, noun: &str, edition: Option<&str>) -> Verdict {
    let question = Question {
        text,
        game: games.get(game),
        edition,
        noun: (!noun.is_empty()).then_some(noun),
        value: None,
    };
    evaluate(&question, &|_| None)
}

/// The lines of a table in `tests/cases/numeric`, without remarks, cut at tabs.
fn table(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases/numeric")
        .join(name);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

/// True when a verdict says what `expected` says, or declines where it says `unknown`.
fn says(verdict: &Verdict, expected: &str, domain: Domain) -> bool {
    let Some(predicate) = &verdict.predicate else {
        return expected == "unknown";
    };
    match (predicate, expected.parse::<Predicate>()) {
        (Predicate::Condition(got), Ok(Predicate::Condition(expected))) => {
            got.within(domain) == expected.within(domain)
        }
        (Predicate::Relation(got), Ok(Predicate::Relation(expected))) => same_relation(got, &expected),
        (got, Ok(expected)) => *got == expected,
        (_, Err(_)) => false,
    }
}

/// Two relations are the same when they agree on a grid of values.
fn same_relation(left: &Relation, right: &Relation) -> bool {
    let mut names: Vec<&str> = left.names();
    names.extend(right.names());
    names.sort_unstable();
    names.dedup();
    let [a, b] = names[..] else { return false };
    (0..14).all(|x| {
        (0..14).all(|y| {
            let values = [(a.to_owned(), Some(x)), (b.to_owned(), Some(y))].into();
            left.holds(&values) == right.holds(&values)
        })
    })
}

fn shown(verdict: &Verdict) -> String {
    match (&verdict.predicate, verdict.reason) {
        (Some(predicate), _) => predicate.to_string(),
        (None, reason) => format!("undecided: {}", reason.map_or("-", |reason| reason.code())),
    }
}

#[test]
fn phrases_of_our_own() {
    let games = games();
    let mut wrong = Vec::new();
    for row in table("phrases.tsv") {
        let [game, text, noun, expected] = &row[..] else {
            panic!("{row:?}")
        };
        let verdict = ask(&games, game, text, noun, None);
        if !says(&verdict, expected, Domain::Count) {
            wrong.push(format!(
                "{game}: {text} [{noun}]: {expected}, got {}",
                shown(&verdict)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shared_cases() {
    let Some(path) = shared("eval/numeric-cases.jsonl") else {
        return;
    };
    let games = games();
    let (mut right, mut wrong, mut all) = (0, Vec::new(), 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let field = |key: &str| case[key].as_str().unwrap_or("");
        let verdict = ask(
            &games,
            field("game"),
            field("text"),
            field("noun"),
            case["edition"].as_str(),
        );
        let domain = if field("domain") == "value" {
            Domain::Value
        } else {
            Domain::Count
        };
        all += 1;
        let expected = field("predicate");
        if says(&verdict, expected, domain) {
            right += 1;
        } else if verdict.status != Status::Undecided {
            assert_ne!(
                expected,
                "unknown",
                "answers {} where it must decline",
                field("id")
            );
            wrong.push(field("id").to_owned());
        }
        // The samples are the expected predicate, spelt out: what holds has to agree with them too.
        if let (Some(Predicate::Condition(got)), Some(samples)) =
            (&verdict.predicate, case["samples"].as_array())
        {
            for sample in samples {
                let holds = match &sample[0] {
                    Json::String(_) => got.holds_infinite(),
                    number => got.holds(number.as_i64().unwrap()),
                };
                assert_eq!(
                    Some(holds),
                    sample[1].as_bool(),
                    "{} at {}",
                    field("id"),
                    sample[0]
                );
            }
        }
    }
    assert!(right * 100 >= all * 97, "{right} of {all} right");
    assert!(wrong.len() * 200 <= all, "wrong: {wrong:?}");
}

#[test]
fn shared_scenarios() {
    const REQUIRED: [&str; 13] = [
        "value_change",
        "exchange",
        "damage",
        "is_prevention",
        "round",
        "deck_size",
        "investigate",
        "cancel_counters",
        "become_zero_counters",
        "guidance",
        "infinity",
        "choose_number",
        "cumulative_keyword",
    ];
    let Some(path) = shared("eval/numeric-scenarios.jsonl") else {
        return;
    };
    let games = games();
    let (mut right, mut all) = (0, 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let op = case["op"].as_str().unwrap();
        if !REQUIRED.contains(&op) {
            continue;
        }
        let task = Task {
            op,
            input: case["input"].as_object().unwrap(),
            game: games.get(case["game"].as_str().unwrap()),
            edition: case["edition"].as_str(),
        };
        let calc = calculate(&task, &|_| None).unwrap();
        let declines = case["expect"]["result"] == "unknown";
        all += 1;
        right += usize::from(match &calc.result {
            None => declines,
            Some(result) => Json::Object(result.clone()) == case["expect"],
        });
    }
    assert!(right * 100 >= all * 97, "{right} of {all} right");
}

#[test]
fn every_operation_is_undecided_where_no_rule_is_known() {
    let games = Games::new([Game::from_toml("id = \"plain\"\nnames = { en = \"Plain\" }").unwrap()]);
    let inputs = [
        ("value_change", r#"{"what":"life","old":1,"new":2}"#),
        ("exchange", r#"{"what":"life","a":1,"b":2}"#),
        ("damage", r#"{"base":3,"modifiers":["double"]}"#),
        ("is_prevention", r#"{"text":"prevent that damage"}"#),
        ("round", r#"{"what":"life","value":7,"operation":"half"}"#),
        ("deck_size", r#"{"deck":"main","cards":60}"#),
        ("investigate", r#"{"triggers":[1,2],"deck":9}"#),
        ("cancel_counters", r#"{"+1/+1":1,"-1/-1":1}"#),
        ("become_zero_counters", r#"{"[+100/+100]":2}"#),
        ("guidance", r#"{"old":0,"new":2,"thresholds":[1]}"#),
        ("infinity", r#"{"left":"inf","op":">","right":5}"#),
        ("choose_number", r#"{"number":0}"#),
        ("cumulative_keyword", r#"{"keyword":"Mana","have":1,"gain":1}"#),
    ];
    for (op, input) in inputs {
        let input: Map<String, Json> = serde_json::from_str(input).unwrap();
        for game in [games.get("plain"), None] {
            let task = Task {
                op,
                input: &input,
                game,
                edition: None,
            };
            let calc = calculate(&task, &|_| None).unwrap();
            assert!(calc.result.is_none() && calc.reason.is_some(), "{op}: {calc:?}");
        }
    }
}

/// The numbers of a statement's worked example, for both languages of seed 004.
#[test]
fn a_bare_number_is_a_convention() {
    let games = games();
    for text in ["if it has two power counters on it", "如果其上具有2个力量指示物"] {
        let force = ask(&games, "fow", text, "", None);
        let Some(Predicate::Condition(condition)) = &force.predicate else {
            panic!("{force:?}")
        };
        assert_eq!(
            (1..=4).map(|n| condition.holds(n)).collect::<Vec<_>>(),
            [false, true, true, true]
        );
        assert_eq!(force.because[0].citation.as_deref(), Some("104.7"));
        for game in ["mtg", "any"] {
            let open = ask(&games, game, text, "", None);
            assert_eq!(open.status, Status::Undecided);
            let readings: Vec<String> = open.candidates.iter().map(Predicate::to_string).collect();
            assert_eq!(readings, ["x >= 2", "x == 2"], "{game}");
        }
    }
    // What the language settles is the same in every game.
    for game in games.iter() {
        for (text, expected) in [("2个或更多指示物", "x >= 2"), ("正好2个指示物", "x == 2")] {
            assert_eq!(
                shown(&ask(&games, &game.id, text, "", None)),
                expected,
                "{}",
                game.id
            );
        }
    }
}

#[test]
fn an_edition_without_the_rule_is_undecided() {
    let games = games();
    let text = "if you control three clues";
    assert_eq!(shown(&ask(&games, "fow", text, "clues", Some("12.7"))), "x >= 3");
    assert_eq!(
        ask(&games, "fow", text, "clues", Some("8.01")).status,
        Status::Undecided
    );
}

/// Each row: game, a phrase with a word dropped, doubled or exchanged, noun, and what may be answered.
#[test]
fn mutated_phrases_get_no_wrong_answer() {
    let games = games();
    let mut wrong = Vec::new();
    let rows = table("mutations.tsv");
    assert!(rows.len() >= 200);
    for row in rows {
        let [game, text, noun, expected, ..] = &row[..] else {
            panic!("{row:?}")
        };
        let verdict = ask(&games, game, text, noun, None);
        if verdict.status != Status::Undecided && !says(&verdict, expected, Domain::Count) {
            wrong.push(format!(
                "{game}: {text} [{noun}]: {expected}, got {}",
                shown(&verdict)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sentence of a rule that holds `words`, read from the real text.
fn sentence(rules: &[(String, String)], number: &str, words: &str) -> Option<String> {
    let ends = |text: &str, at: usize| {
        text[at..].starts_with(['.', '!', '?', '”'])
            && text[at..].chars().nth(1) == Some(' ')
            && text[at..]
                .chars()
                .nth(2)
                .is_some_and(|c| c.is_ascii_uppercase() || matches!(c, '“' | '(' | '['))
    };
    rules
        .iter()
        .filter(|(known, _)| known == number)
        .find_map(|(_, text)| {
            let mut start = 0;
            for (at, c) in text.char_indices() {
                if ends(text, at) || at + c.len_utf8() == text.len() {
                    let sentence = text[start..at + c.len_utf8()].trim();
                    if sentence.contains(words) {
                        return Some(sentence.to_owned());
                    }
                    start = at + c.len_utf8();
                }
            }
            None
        })
}

/// Rules of a text whose lines begin with their numbers: number and text, continuation lines joined.
fn numbered_rules(text: &str) -> Vec<(String, String)> {
    let mut rules: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = first.trim_end_matches('.');
        let is_number = number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit());
        if is_number && number.parse::<shiyi::citation::RuleNumber>().is_ok() && !rest.contains("....") {
            rules.push((number.to_owned(), rest.to_owned()));
            open = true;
        } else if line.is_empty() || line.starts_with("Ex") || line.starts_with('•') || rest.is_empty() {
            open = false;
        } else if let Some((_, text)) = rules.last_mut().filter(|_| open) {
            text.push(' ');
            text.push_str(line);
        }
    }
    rules
}

#[test]
fn conditional_sentences_of_real_rules() {
    for (game, file) in [
        ("mtg", "data/mtg/cr-en/2026-04-17.txt"),
        ("fow", "data/fow/cr-en/12.7.txt"),
    ] {
        let Some(path) = shared(file) else { continue };
        let rules = numbered_rules(&std::fs::read_to_string(path).unwrap());
        let games = games();
        let (mut right, mut wrong, mut lost) = (0, Vec::new(), Vec::new());
        let rows: Vec<Vec<String>> = table("sentences.tsv")
            .into_iter()
            .filter(|row| row[0] == game)
            .collect();
        for row in &rows {
            let [_, number, words, noun, expected] = &row[..] else {
                panic!("{row:?}")
            };
            let Some(sentence) = sentence(&rules, number, words) else {
                lost.push(format!("{number}: {words}"));
                continue;
            };
            let verdict = ask(&games, game, &sentence, noun, None);
            if says(&verdict, expected, Domain::Value) || says(&verdict, expected, Domain::Count) {
                right += 1;
            } else if verdict.status != Status::Undecided {
                wrong.push(format!("{number}: {words}: {expected}, got {}", shown(&verdict)));
            }
        }
        assert!(rows.len() >= 100, "{game}: {} rows", rows.len());
        assert!(lost.is_empty(), "{game}: not found: {lost:?}");
        assert!(wrong.is_empty(), "{game}: {wrong:#?}");
        assert!(
            right * 4 >= rows.len() * 3,
            "{game}: {right} of {} right",
            rows.len()
        );
    }
}

/// A time is no verdict on code: `.ci/long` runs this on a quiet machine.
#[test]
#[ignore = "measures time; run by .ci/long"]
fn long_texts_take_linear_time() {
    let games = games();
    let phrase = "if you control two or more 生物且至少3个指示物";
    let time = |bytes: usize, joint: &str| {
        let text = format!("{phrase}{joint}").repeat(bytes / 50);
        (0..if bytes > 10_000 { 2 } else { 5 })
            .map(|_| {
                let start = Instant::now();
                let _ = ask(&games, "fow", &text, "", None);
                start.elapsed()
            })
            .min()
            .unwrap()
    };
    for joint in [" ", "。", ", and "] {
        let (short, long) = (time(2_000, joint), time(100_000, joint));
        assert!(
            long < short * 80,
            "{joint:?}: {long:?} for 100 kB, {short:?} for 2 kB"
        );
    }
}

#[test]
fn odd_input_is_no_panic() {
    let games = games();
    for text in [
        "",
        " ",
        "(",
        "((((((",
        "[",
        "《",
        "一",
        "第",
        "-",
        "+",
        "至",
        "或",
        "，，，",
        "\u{0}",
        "x\u{301}y",
        "🂡 3 🂡",
    ] {
        for game in ["any", "fow", "mtg"] {
            let verdict = ask(&games, game, text, "", None);
            assert_eq!(verdict.status == Status::Undecided, verdict.predicate.is_none());
        }
    }
    let _: Condition = "x >= 0".parse().unwrap();
}
