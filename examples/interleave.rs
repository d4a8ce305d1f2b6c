//! Runs commands in turn, A B C … A B C …, and prints the median time of each and its ratio to the first.
//!
//! ```text
//! interleave RUNS NAME=COMMAND…          each command is one argument, its words parted by blanks; %20 is a blank
//! ```
//!
//! Taking turns makes the ratios hold on a machine that others use too: what slows one down slows all. Output goes
//! nowhere; a command that fails is reported and ends the run.
#![allow(clippy::print_stdout, reason = "it is what this program is for")]

use anyhow::{Context, Result, ensure};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let runs: usize = arguments.next().context("how many runs?")?.parse()?;
    let mut commands = Vec::new();
    for argument in arguments {
        let (name, command) = argument.split_once('=').context("NAME=COMMAND is wanted")?;
        let words: Vec<String> = command.split(' ').map(|word| word.replace("%20", " ")).collect();
        ensure!(!words.is_empty(), "{name}: no command");
        commands.push((name.to_owned(), words, Vec::with_capacity(runs)));
    }
    for run in 0..=runs {
        for (name, words, times) in &mut commands {
            let mut command = Command::new(&words[0]);
            command
                .args(&words[1..])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .stdin(Stdio::null());
            let start = Instant::now();
            let status = command.status().with_context(|| format!("{name}: {words:?}"))?;
            let time = start.elapsed();
            ensure!(status.success(), "{name}: {words:?}: {status}");
            // The first run warms the page cache.
            if run > 0 {
                times.push(time);
            }
        }
    }
    let medians: Vec<Duration> = commands.iter_mut().map(|(_, _, times)| median(times)).collect();
    for ((name, _, _), time) in commands.iter().zip(&medians) {
        let ratio = time.as_secs_f64() / medians[0].as_secs_f64();
        println!("{name:<44} {:>9.3} ms  {ratio:>7.2}", time.as_secs_f64() * 1e3);
    }
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
