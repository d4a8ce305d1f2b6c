//! Small made-up texts, read and compared with what is kept beside them: `ok/NAME.txt` with `NAME.json`,
//! `err/NAME.txt` with `NAME.stderr`. `UPDATE_GOLDEN=1` writes what the program now says; review it.

use serde_json::{Value, json};
use shiyi::game::{Game, Games};
use shiyi::pair::pair;
use shiyi::parse::{self, Hints, Parsed, Place};
use shiyi::source::SourceFile;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases/parse")
}

fn games() -> Games {
    let text = fs::read_to_string(folder().join("game.toml")).unwrap();
    Games::new([Game::from_toml(&text).unwrap()])
}

/// Each text of a folder, by name.
fn cases(kind: &str) -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = fs::read_dir(folder().join(kind))
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}

fn read(path: &Path, games: &Games) -> (SourceFile, Parsed) {
    let name = path.file_name().unwrap().to_string_lossy();
    let part = if name.starts_with("ruling") {
        "rulings"
    } else {
        "rules"
    };
    let source = SourceFile::new(format!("{part}/demo/{name}"), fs::read_to_string(path).unwrap());
    let hints = Hints::from_path(source.path(), games);
    let parsed = parse::parse(&source, games, &hints);
    (source, parsed)
}

/// Compares with the kept text, or keeps this one.
fn check(found: &str, kept: &Path) {
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(kept, found).unwrap();
    }
    let expected = fs::read_to_string(kept).unwrap_or_default();
    assert_eq!(found, expected, "{}", kept.display());
}

/// Where each line went, in short: `12 text.en of demo:rule:100.1`.
fn lines(source: &SourceFile, parsed: &Parsed) -> Vec<Value> {
    let place = |place: &Place| match place {
        Place::Entry {
            entry_idx,
            field,
            lang,
        } => {
            let field = serde_json::to_value(field).unwrap();
            let entry = &parsed.entries[*entry_idx];
            format!("{}.{} of {}", field.as_str().unwrap(), lang.as_str(), entry.id)
        }
        other => format!("{other:?}"),
    };
    for line in source.lines().filter(|line| !line.text.trim().is_empty()) {
        assert!(
            parsed.lines.iter().any(|(number, _)| *number == line.number),
            "line {}",
            line.number
        );
    }
    let lines = parsed.lines.iter();
    lines
        .map(|(number, at)| json!(format!("{number} {}", place(at))))
        .collect()
}

#[test]
fn good_texts_give_their_entries() {
    let games = games();
    for path in cases("ok") {
        let (source, parsed) = read(&path, &games);
        let lines = lines(&source, &parsed);
        let (entries, diagnostics) = pair(vec![parsed], &games);
        let said: Vec<_> = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.to_text())
            .collect();
        assert_eq!(said, Vec::<String>::new(), "{}", path.display());
        let found = json!({ "entries": entries, "lines": lines });
        check(&format!("{found:#}\n"), &path.with_extension("json"));
    }
}

#[test]
fn bad_texts_give_their_diagnostics() {
    let games = games();
    for path in cases("err") {
        let (source, parsed) = read(&path, &games);
        lines(&source, &parsed);
        let (_, diagnostics) = pair(vec![parsed], &games);
        let said: Vec<_> = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.to_text())
            .collect();
        assert!(!said.is_empty(), "{}", path.display());
        check(
            &format!("{}\n", said.join("\n\n")),
            &path.with_extension("stderr"),
        );
    }
}
