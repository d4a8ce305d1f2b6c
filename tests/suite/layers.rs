//! The source follows the order in which data flows: no module uses a later one, and each big dependency is
//! named in one place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file below `src/`, relative to it, with its code: comments and doc comments taken out.
fn files() -> BTreeMap<String, String> {
    fn walk(folder: &Path, root: &Path, files: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).expect("src can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, root, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path
                    .strip_prefix(root)
                    .expect("below src")
                    .to_string_lossy()
                    .replace('\\', "/");
                let text = std::fs::read_to_string(&path).expect("a text");
                let code: Vec<&str> = text
                    .lines()
                    .map(|line| line.split("//").next().unwrap_or(""))
                    .collect();
                files.insert(name, code.join("\n"));
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(&src(), &src(), &mut all);
    all
}

/// The modules in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let lib = std::fs::read_to_string(src().join("lib.rs")).expect("lib.rs");
    let names = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_owned).collect()
}

fn module_of(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

/// The modules that a file names as `crate::module` (also inside `use crate::{a, b::c}`).
fn used(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let mut name = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => used.push(std::mem::take(&mut name)),
                        _ if depth == 0 => name.push(c),
                        _ => {}
                    }
                }
                used.push(name);
            }
            None => used.push(
                rest.chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect(),
            ),
        }
    }
    used.iter()
        .map(|name| name.trim().split("::").next().unwrap_or("").trim().to_owned())
        .collect()
}

#[test]
fn no_module_uses_a_later_one() {
    let order = modules();
    assert!(order.len() > 12, "{order:?}");
    let place = |name: &str| order.iter().position(|module| module == name);
    let mut faults = Vec::new();
    for (file, code) in files() {
        if matches!(file.as_str(), "lib.rs" | "main.rs") {
            continue;
        }
        let own = place(module_of(&file)).unwrap_or_else(|| panic!("{file} is in no module of lib.rs"));
        for name in used(&code) {
            if place(&name).is_some_and(|other| other > own) {
                faults.push(format!("{file} uses the later module {name}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn each_big_dependency_is_named_in_one_place() {
    for (dependency, place) in [
        ("pulldown_cmark", "parse/markdown.rs"),
        ("jieba_rs", "segment.rs"),
        ("tantivy", "index/"),
        ("clap", "cli/"),
        ("memmap2", "index/map.rs"),
    ] {
        let naming: Vec<String> = files()
            .into_iter()
            .filter(|(_, code)| {
                let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                words.into_iter().any(|word| word == dependency)
            })
            .map(|(file, _)| file)
            .collect();
        assert!(!naming.is_empty(), "{dependency} is named nowhere");
        assert!(
            naming.iter().all(|file| file.starts_with(place)),
            "{dependency}: {naming:?}"
        );
    }
}

#[test]
fn no_code_asks_which_game_it_is() {
    let ids: Vec<String> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules"))
        .expect("rules/")
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(ids.len() >= 13);
    for (file, code) in files() {
        // Tests may name a game; what runs may not.
        let runs = code.split("#[cfg(test)]").next().unwrap_or_default();
        for id in &ids {
            assert!(!runs.contains(&format!("\"{id}\"")), "{file} names the game {id}");
        }
    }
}

#[test]
fn used_modules_are_found() {
    assert_eq!(
        used("use crate::{a::{b, c}, d};\nlet x = crate::e::f();"),
        ["a", "d", "e"]
    );
}
