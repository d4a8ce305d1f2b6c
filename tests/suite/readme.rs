//! Every command that the READMEs show is run, and the two READMEs do not drift apart.

use crate::harness::Sandbox;
use crate::real_data::shared;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The commands in the fenced blocks of that language, without prompts and comments.
fn commands(text: &str, language: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside && line.trim_start_matches('`') == language;
        } else if inside {
            let command = line
                .trim_start_matches("$ ")
                .split("   #")
                .next()
                .unwrap_or_default()
                .trim();
            if !command.is_empty() && !command.starts_with('#') {
                commands.push(command.to_owned());
            }
        }
    }
    commands
}

/// Runs the commands of `sh` blocks in one sandbox, in the order of the document.
#[test]
fn every_command_runs() {
    for readme in ["README.md", "README.zh.md"] {
        let text = read(readme);
        let mut sandbox = Sandbox::new();
        let mut run = 0;
        for command in commands(&text, "sh") {
            // Whoever runs this test has run the test command.
            if command.starts_with("cargo test") || command.starts_with("cargo install") {
                continue;
            }
            let command = command.replace("cargo run --quiet --", "shiyi");
            // A user's own download: the real one, where it is there.
            let mut line = command.clone();
            if command.contains("MagicCompRules") {
                let Some(en) = shared("data/mtg/cr-en/2026-04-17.txt") else {
                    continue;
                };
                let Some(zh) = shared("data/mtg/cr-zh/2026-04-17.txt") else {
                    continue;
                };
                sandbox = Sandbox::new();
                sandbox.copy(&en, "MagicCompRules 20260417.txt");
                sandbox.copy(&zh, "MagicCompRules 20260417 zh.txt");
            }
            if command.contains("oracle-cards.json") {
                // One card will do, in words of our own.
                for (name, row) in [
                    (
                        "oracle-cards.json",
                        r#"[{"oracle_id":"a","name":"Lightning Bolt","type_line":"Instant","oracle_text":"3."}]"#,
                    ),
                    ("cards.tsv", "oracle_id\ten\tzh-Hans\na\tLightning Bolt\t闪电击\n"),
                    (
                        "rulings.json",
                        r#"[{"oracle_id":"a","published_at":"2020-01-02","comment":"It is quick."}]"#,
                    ),
                ] {
                    sandbox.write(name, row);
                }
            }
            if command.contains("faq.md") && !sandbox.path("faq.md").exists() {
                sandbox.write("faq.md", "# FAQ\n\n{{rule fow 702.3a-1}}\n");
            }
            if command.contains("shiyi batch <") {
                sandbox.write(
                    "requests.ndjson",
                    "{\"id\":1,\"do\":\"show\",\"query\":\"fow 702.3a-1\"}\n",
                );
            }
            line.insert_str(0, "set -o pipefail; ");
            let ran = sandbox.shell(&line);
            // A verdict of no or undecided is an answer, too; what is not one is an error or nothing found.
            let undecided = command.contains("eval") && matches!(ran.code, Some(1 | 3));
            assert!(ran.code == Some(0) || undecided, "{readme}: {command}: {ran:#?}");
            assert!(
                !ran.stdout.is_empty() || command.contains("-o "),
                "{readme}: {command}: {ran:#?}"
            );
            run += 1;
        }
        assert!(run >= 5, "{readme}: only {run} commands");
    }
}

/// What the README shows as output is what comes out. `UPDATE_GOLDEN=1` writes what comes out into the README.
#[test]
fn shown_answers_are_real() {
    let mut text = read("README.md");
    let sandbox = Sandbox::new();
    let mut checked = 0;
    for block in read("README.md").split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (command, expected) = block.split_once('\n').unwrap();
        let ran = sandbox.shell(command.trim_start_matches("$ "));
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
            text = text.replace(block, &format!("{command}\n{}\n", ran.stdout.trim_end()));
        } else {
            assert_eq!(ran.stdout.trim_end(), expected.trim_end(), "{command}");
        }
        checked += 1;
    }
    assert!(checked >= 2);
    if text != read("README.md") {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), text).unwrap();
    }
}

/// The set-up commands, the command table and the exit codes are the same in both languages.
#[test]
fn the_chinese_readme_does_not_lag() {
    let (en, zh) = (read("README.md"), read("README.zh.md"));
    assert_eq!(commands(&en, "sh"), commands(&zh, "sh"));
    let headings = |text: &str| text.lines().filter(|line| line.starts_with("## ")).count();
    assert_eq!(headings(&en), headings(&zh));
    let rows = |text: &str| -> Vec<String> {
        text.lines()
            .filter_map(|line| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned()))
            .collect()
    };
    assert_eq!(rows(&en), rows(&zh));
    // Han characters make up most of the Chinese one, and the other way round.
    let han = |text: &str| text.chars().filter(|c| ('一'..='龥').contains(c)).count();
    assert!(han(&zh) > 400 && han(&en) < 300, "{} {}", han(&zh), han(&en));
}

/// The README's test command is the one that CI runs.
#[test]
fn ci_runs_the_readme_s_test_command() {
    let readme = read("README.md");
    let test = commands(&readme, "sh")
        .into_iter()
        .find(|command| command.starts_with("cargo test"))
        .expect("a test command");
    let ci = read(".ci/run");
    assert!(ci.contains("README.md"), "CI takes the command from the README");
    assert_eq!(test, "cargo test --locked");
}
