//! Every diagnostic is documented in `DIAGNOSTICS.md`, and shown by a pair of made-up libraries in
//! `cases/diagnostics/CODE/`: `faulty/` gives what `said.txt` holds and nothing else, `corrected/` gives nothing.
//! `UPDATE_GOLDEN=1` writes what the program now says; review it.

use crate::harness::{Ran, Sandbox};
use shiyi::diagnostic::Code;
use std::path::{Path, PathBuf};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn copy(from: &Path, sandbox: &Sandbox, to: &str) {
    for entry in std::fs::read_dir(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())) {
        let entry = entry.unwrap();
        let name = format!("{to}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            copy(&entry.path(), sandbox, &name);
        } else {
            sandbox.copy(&entry.path(), &name);
        }
    }
}

/// Codes that only an audit gives.
const AUDITED: [Code; 4] = [Code::OddNumber, Code::OddTerm, Code::OneLanguage, Code::PdfHyphen];

/// Codes that a document gives, and no library.
const OF_DOCUMENTS: [Code; 3] = [Code::BadDirective, Code::NotFound, Code::Ambiguous];

/// What the program says about one side of a case.
fn said(code: Code, side: &str, ui: &str) -> (Ran, String) {
    let sandbox = Sandbox::new();
    sandbox.copy(&cases().join("parse/game.toml"), "library/rules/demo/game.toml");
    let case = cases().join("diagnostics").join(code.as_str());
    copy(&case.join(side), &sandbox, "library");
    #[cfg(unix)]
    if code == Code::UnreadableFile && side == "faulty" {
        // A link to nowhere is no file that a repository can hold.
        std::os::unix::fs::symlink("nowhere.txt", sandbox.library().join("rules/demo/gone.txt")).unwrap();
    }
    let ran = sandbox.in_library(["ingest", "--ui-lang", ui]);
    if AUDITED.contains(&code) {
        let ran = ran.expect(0);
        assert_eq!(ran.stderr, "", "{code:?} {side}");
        let ran = sandbox.in_library(["doctor", "--rules", "--ui-lang", ui]);
        let text = ran.stdout.clone();
        (ran, text)
    } else if OF_DOCUMENTS.contains(&code) {
        ran.expect(0);
        let ran = sandbox.in_library(["faq", "build", "library/faq.md", "--ui-lang", ui]);
        let text = ran.stderr.clone();
        (ran, text)
    } else {
        let text = ran.stderr.clone();
        (ran, text)
    }
}

#[test]
fn each_has_a_faulty_and_a_corrected_text() {
    let mut faults = Vec::new();
    for &code in Code::ALL {
        if code == Code::UnreadableFile && !cfg!(unix) {
            continue;
        }
        let (ran, text) = said(code, "faulty", "en");
        let kept = cases().join("diagnostics").join(code.as_str()).join("said.txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
            std::fs::write(&kept, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&kept).unwrap_or_default();
        if text != expected {
            faults.push(format!(
                "{code:?} says otherwise than {}:\n{text}",
                kept.display()
            ));
        }
        let named: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("warning: ") || line.starts_with("error: "))
            .collect();
        let ends = format!("[{}]", code.as_str());
        if named.is_empty() || named.iter().any(|line| !line.ends_with(&ends)) || !text.contains("= help: ") {
            faults.push(format!(
                "{code:?} alone, with what to do about it:\n{text}{ran:#?}"
            ));
        }
        let (ran, text) = said(code, "corrected", "en");
        let clean = text.is_empty() || AUDITED.contains(&code) && !text.contains(&ends);
        if !clean || ran.code != Some(0) {
            faults.push(format!("{code:?} corrected: {ran:#?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    for folder in std::fs::read_dir(cases().join("diagnostics")).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        assert!(
            Code::ALL.iter().any(|code| code.as_str() == name),
            "{name} is no code"
        );
    }
}

/// True for a sentence in Chinese, whatever it quotes.
fn is_chinese(sentence: &str) -> bool {
    let mut quoted = false;
    sentence.chars().any(|c| {
        quoted = c == '“' || quoted && c != '”';
        !quoted && ('一'..='龥').contains(&c)
    })
}

#[test]
fn each_is_said_in_chinese() {
    let mut faults = Vec::new();
    for &code in Code::ALL {
        if code == Code::UnreadableFile && !cfg!(unix) {
            continue;
        }
        let (_, text) = said(code, "faulty", "zh");
        let sentences = text.lines().filter_map(|line| {
            let leads = ["警告：", "错误：", "  = 说明：", "  = 建议："];
            leads.iter().find_map(|lead| line.strip_prefix(lead))
        });
        let sentences: Vec<&str> = sentences.collect();
        let english = ["warning:", "error:", "note:", "help:"];
        let all_chinese = sentences.len() > 1 && sentences.iter().all(|sentence| is_chinese(sentence));
        if !all_chinese || english.iter().any(|word| text.contains(word)) {
            faults.push(format!("{code:?}:\n{text}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn each_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("DIAGNOSTICS.md");
    let text = std::fs::read_to_string(path).expect("DIAGNOSTICS.md");
    let rows: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split('|');
            Some((cells.next()?.trim().trim_end_matches('`'), cells.next()?.trim()))
        })
        .collect();
    for code in Code::ALL {
        let row = (code.as_str(), code.severity().as_str());
        assert!(rows.contains(&row), "no row for {row:?}");
    }
    let codes = rows
        .iter()
        .filter(|(_, severity)| matches!(*severity, "error" | "warning"));
    assert_eq!(codes.count(), Code::ALL.len(), "a row for a code that is gone");
}
