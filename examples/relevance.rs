//! Measures how well a search finds the rule that answers a question: nDCG@10 of the questions in
//! `../shared/eval` over Magic's comprehensive rules of 2026-04-17, both languages.
//!
//! ```text
//! cargo run --release --example relevance [-- --each]
//! ```
//!
//! A primary rule gains 2, a secondary one 1, a parent or direct child of either half as much. `--each` prints a
//! line for each question. The questions are also typed in traditional characters, which must change nothing.
#![allow(clippy::print_stdout, reason = "it is what this program is for")]

use anyhow::{Context, Result};
use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use serde::Deserialize;
use shiyi::citation::RuleNumber;
use shiyi::corpus::Corpus;
use shiyi::entry::Kind;
use shiyi::game::{Game, Games};
use shiyi::index::{Index, build};
use shiyi::pair::pair;
use shiyi::parse::{Hints, parse};
use shiyi::query::Search;
use shiyi::source::SourceFile;
use std::fs;
use std::path::Path;
use std::time::Instant;

const EDITION: &str = "2026-04-17";

/// A question with the rules that answer it.
#[derive(Debug, Deserialize)]
struct Question {
    id: String,
    query: String,
    primary: Vec<RuleNumber>,
    secondary: Vec<RuleNumber>,
}

fn main() -> Result<()> {
    let each = std::env::args().any(|argument| argument == "--each");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared");
    let index = index(root, &shared)?;
    for set in ["en-qa", "zh-qa"] {
        let path = shared.join("eval").join(format!("{set}.jsonl"));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let questions = text
            .lines()
            .map(serde_json::from_str)
            .collect::<serde_json::Result<Vec<Question>>>()?;
        let start = Instant::now();
        let mut sum = 0.0;
        for question in &questions {
            let found = find(&index, &question.query)?;
            let score = ndcg(&found, question);
            sum += score;
            if each {
                let found: Vec<_> = found.iter().map(RuleNumber::as_str).collect();
                println!(
                    "{score:.3} {} {} -> {}",
                    question.id,
                    question.query,
                    found.join(" ")
                );
            }
        }
        let (n, took) = (questions.len(), start.elapsed());
        println!(
            "{set}: {} answers differ in other scripts",
            differing(&index, &questions)?
        );
        println!(
            "{set}: nDCG@10 {:.3} over {n} questions, {:?} each",
            sum / n as f64,
            took / n as u32
        );
    }
    Ok(())
}

/// The rules of the edition in both languages, indexed.
fn index(root: &Path, shared: &Path) -> Result<Index> {
    let game = Game::from_toml(&fs::read_to_string(root.join("rules/mtg/game.toml"))?)?;
    let games = Games::new([game]);
    let mut parsed = Vec::new();
    for lang in ["en", "zh"] {
        let path = shared.join(format!("data/mtg/cr-{lang}/{EDITION}.txt"));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let source = SourceFile::new(format!("rules/mtg/cr-{lang}-{EDITION}.txt"), text);
        parsed.push(parse(&source, &games, &Hints::from_path(source.path(), &games)));
    }
    let (entries, _) = pair(parsed, &games);
    let (corpus, _) = Corpus::build(entries, &games);
    let start = Instant::now();
    let file = build(&corpus, &[])?;
    let (n, bytes) = (corpus.entries().len(), file.len());
    println!(
        "{n} entries, {bytes} bytes of index built in {:?}",
        start.elapsed()
    );
    Ok(Index::from_bytes(file)?)
}

/// How many questions have other hits when they are typed in another script: simplified, or traditional as in
/// Taiwan, Hong Kong or neither.
fn differing(index: &Index, questions: &[Question]) -> Result<usize> {
    let scripts = [
        BuiltinConfig::T2s,
        BuiltinConfig::S2t,
        BuiltinConfig::S2tw,
        BuiltinConfig::S2hk,
    ];
    let mut n = 0;
    for script in scripts {
        let converter = OpenCC::from_config(script)?;
        for question in questions {
            let typed = converter.convert(&question.query);
            n += usize::from(find(index, &typed)? != find(index, &question.query)?);
        }
    }
    Ok(n)
}

/// The ten best rules for a question.
fn find(index: &Index, query: &str) -> Result<Vec<RuleNumber>> {
    let mut search = Search::new(query)?;
    search.filters.kinds = vec![Kind::Rule, Kind::Section, Kind::Chapter];
    let hits = index.search(&search)?.hits;
    Ok(hits.into_iter().filter_map(|hit| hit.entry.citation).collect())
}

fn ndcg(found: &[RuleNumber], question: &Question) -> f64 {
    let mut judged: Vec<(&RuleNumber, f64)> = question.primary.iter().map(|rule| (rule, 2.0)).collect();
    judged.extend(question.secondary.iter().map(|rule| (rule, 1.0)));
    let gain = |rule: &RuleNumber| {
        let near = |other: &RuleNumber| {
            rule.parent().as_ref() == Some(other) || other.parent().as_ref() == Some(rule)
        };
        let gains = judged.iter().map(|(other, gain)| match *other {
            other if other == rule => *gain,
            other if near(other) => gain / 2.0,
            _ => 0.0,
        });
        gains.fold(0.0, f64::max)
    };
    let discounted = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
        gains
            .take(10)
            .zip(2..)
            .map(|(gain, rank)| gain / f64::from(rank).log2())
            .sum()
    };
    let ideal = discounted(&mut judged.iter().map(|(_, gain)| *gain));
    (discounted(&mut found.iter().map(gain)) / ideal).min(1.0)
}
