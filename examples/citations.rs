//! Measures how many citations are read as their authors meant them.
//!
//! `cargo run --example citations -- FILE RULES…`: FILE holds one JSON object a line with `input`, `kind` and
//! `expect` (rule numbers in order), and `moved_to` where the rule has gone; RULES are texts of the rules, any
//! number of editions. Prints right and wrong by kind, and every wrong one.

use serde_json::Value;
use shiyi::corpus::Corpus;
use shiyi::library::Embedded;
use shiyi::library::sources::{Declared, games, read_bytes};
use shiyi::lookup::{Citing, Extent, Mode, Options, resolve};
use shiyi::pair::pair;
use std::collections::BTreeMap;
use std::io::Write as _;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let cases = args
        .next()
        .ok_or_else(|| anyhow::anyhow!("name a file of cases and texts of the rules"))?;
    let (games, _) = games(None, &Embedded);
    let mut parsed = Vec::new();
    for path in args {
        parsed.push(read_bytes(
            &path,
            &std::fs::read(&path)?,
            &Declared::default(),
            &games,
        ));
    }
    let (entries, _) = pair(parsed, &games);
    let (corpus, _) = Corpus::build(entries, &games);
    let mut out = std::io::stdout().lock();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for line in std::fs::read_to_string(&cases)?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let list = |key: &str| -> Vec<String> {
            case[key]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|v| Some(v.as_str()?.to_owned()))
                .collect()
        };
        let game = [text("game")];
        let options = Options {
            games: &game,
            document: None,
            edition: None,
            mode: Mode::Show,
            extent: Extent::Only,
            context: 0,
            expand: 0,
            citing: Citing::Hide,
        };
        let answer = resolve(&text("input"), &corpus, &games, &options)?.unwrap_or_default();
        let external = text("kind") == "external";
        let mut shown: Vec<String> = answer
            .found
            .iter()
            .filter(|found| found.depth == 0)
            .filter_map(|found| found.entry.citation.as_ref().map(ToString::to_string))
            .collect();
        if external {
            shown.extend(answer.misses.iter().map(|miss| miss.input.clone()));
        }
        let moved: Vec<String> = answer
            .found
            .iter()
            .filter(|found| found.via.is_some_and(|via| via.as_str() == "moved"))
            .filter_map(|found| found.entry.citation.as_ref().map(ToString::to_string))
            .collect();
        let moves_shown = match &case["moved_to"] {
            Value::String(number) => moved.contains(number),
            Value::Array(_) => list("moved_to").iter().all(|number| moved.contains(number)),
            _ => true,
        };
        let right = shown == list("expect") && moves_shown;
        let count = counts.entry(text("kind")).or_default();
        if right {
            count.0 += 1;
        } else {
            count.1 += 1;
            writeln!(
                out,
                "{} | {} | expected {:?} moved {} | shown {shown:?} moved {moved:?}",
                text("kind"),
                text("input"),
                list("expect"),
                case["moved_to"]
            )?;
        }
    }
    let (mut right, mut wrong) = (0, 0);
    for (kind, (r, w)) in counts {
        writeln!(out, "{kind:10} right {r:3} wrong {w:3}")?;
        right += r;
        wrong += w;
    }
    writeln!(
        out,
        "all        right {right:3} wrong {wrong:3}  {:.1} %",
        100.0 * right as f64 / (right + wrong).max(1) as f64
    )?;
    Ok(())
}
