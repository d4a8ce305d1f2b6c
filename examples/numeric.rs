//! Scores the numeric evaluator on a file of cases or scenarios (JSON Lines): right, missed and wrong by game,
//! language and kind.
//!
//! ```text
//! cargo run --example numeric -- FILE [--list] [--rules DIR]
//! ```

use serde_json::{Map, Value as Json};
use shiyi::condition::{Condition, Domain, Predicate};
use shiyi::evaluate::calc::{Task, calculate};
use shiyi::evaluate::{Question, Status, Verdict, evaluate};
use shiyi::game::{Game, Games};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// How one case came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Score {
    Right,
    Missed,
    Wrong,
}

fn main() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut files = Vec::new();
    let mut list = false;
    let mut rules = concat!(env!("CARGO_MANIFEST_DIR"), "/rules").to_owned();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => list = true,
            "--rules" => rules = words.next().unwrap_or(rules),
            _ => files.push(word),
        }
    }
    anyhow::ensure!(!files.is_empty(), "name a file of cases");
    let games = load(Path::new(&rules))?;
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let mut table: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        let mut total = [0_usize; 3];
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let case: Json = serde_json::from_str(line)?;
            let scenario = case.get("op").is_some();
            let (score, got) = if scenario {
                score_scenario(&games, &case)
            } else {
                score_case(&games, &case)
            };
            total[score as usize] += 1;
            let field = |key: &str| case[key].as_str().unwrap_or("-").to_owned();
            let kinds = if scenario {
                ["game", "op", "op"]
            } else {
                ["game", "lang", "kind"]
            };
            for kind in &kinds[..if scenario { 2 } else { 3 }] {
                table.entry(format!("{kind} {}", field(kind))).or_default()[score as usize] += 1;
            }
            if list && score != Score::Right {
                let asked = if scenario {
                    case["input"].to_string()
                } else {
                    field("text")
                };
                let expected = if scenario {
                    case["expect"].to_string()
                } else {
                    field("predicate")
                };
                writeln!(
                    out,
                    "{score:?}\t{}\t{}\t{asked}\t[{}]\texpected {expected}\tgot {got}",
                    field("id"),
                    field("game"),
                    field("noun")
                )?;
            }
        }
        writeln!(out, "{:<28}{:>7}{:>8}{:>7}", "", "right", "missed", "wrong")?;
        for (name, counts) in &table {
            writeln!(out, "{name:<28}{:>7}{:>8}{:>7}", counts[0], counts[1], counts[2])?;
        }
        let all: usize = total.iter().sum();
        writeln!(out, "{:<28}{:>7}{:>8}{:>7}", "all", total[0], total[1], total[2])?;
        let share = |n: usize| n as f64 * 100.0 / all.max(1) as f64;
        writeln!(
            out,
            "right {:.1} %, missed {:.1} %, wrong {:.1} %",
            share(total[0]),
            share(total[1]),
            share(total[2])
        )?;
    }
    Ok(())
}

/// Every game of a rules folder.
fn load(rules: &Path) -> anyhow::Result<Games> {
    let mut games = Vec::new();
    for entry in std::fs::read_dir(rules)? {
        let file = entry?.path().join("game.toml");
        if file.exists() {
            games.push(Game::from_toml(&std::fs::read_to_string(&file)?)?);
        }
    }
    Ok(Games::new(games))
}

fn score_case(games: &Games, case: &Json) -> (Score, String) {
    let game = case["game"].as_str().filter(|game| *game != "any");
    let question = Question {
        text: case["text"].as_str().unwrap_or(""),
        game: game.and_then(|game| games.find(game)),
        edition: case["edition"].as_str(),
        noun: case["noun"].as_str(),
        value: None,
    };
    let verdict = evaluate(&question, &|_| None);
    let got = verdict.predicate.as_ref().map_or_else(
        || format!("undecided: {}", verdict.reason.map_or("", |reason| reason.code())),
        Predicate::to_string,
    );
    let expected = case["predicate"].as_str().unwrap_or("");
    let score = match (verdict.status, expected) {
        (Status::Undecided, "unknown") => Score::Right,
        (Status::Undecided, _) => Score::Missed,
        (_, "unknown") => Score::Wrong,
        _ if same(&verdict, expected, case) => Score::Right,
        _ => Score::Wrong,
    };
    (score, got)
}

/// Whether a verdict says the same as the expected predicate.
fn same(verdict: &Verdict, expected: &str, case: &Json) -> bool {
    let domain = if case["domain"] == "value" {
        Domain::Value
    } else {
        Domain::Count
    };
    match &verdict.predicate {
        Some(Predicate::Condition(got)) => expected
            .parse::<Condition>()
            .is_ok_and(|expected| expected.within(domain) == got.within(domain)),
        Some(Predicate::Choice(got)) => got.to_string() == expected,
        Some(Predicate::Relation(got)) => case["samples"].as_array().is_some_and(|samples| {
            samples.iter().all(|sample| {
                let values = sample[0].as_object().map(|object| {
                    object
                        .iter()
                        .map(|(name, value)| (name.clone(), value.as_i64()))
                        .collect()
                });
                values.is_some_and(|values| got.holds(&values) == sample[1].as_bool())
            })
        }),
        None => false,
    }
}

fn score_scenario(games: &Games, case: &Json) -> (Score, String) {
    let empty = Map::new();
    let task = Task {
        op: case["op"].as_str().unwrap_or(""),
        input: case["input"].as_object().unwrap_or(&empty),
        game: case["game"].as_str().and_then(|game| games.find(game)),
        edition: case["edition"].as_str(),
    };
    let expected = &case["expect"];
    let declines = expected["result"] == "unknown";
    match calculate(&task, &|_| None) {
        Err(error) => (Score::Missed, error.to_string()),
        Ok(calc) => {
            let got = calc.result.map(Json::Object);
            let score = match &got {
                None if declines => Score::Right,
                None => Score::Missed,
                Some(_) if declines => Score::Wrong,
                Some(got) if got == expected => Score::Right,
                Some(_) => Score::Wrong,
            };
            (
                score,
                got.map_or_else(|| "undecided".to_owned(), |got| got.to_string()),
            )
        }
    }
}
