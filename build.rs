//! Writes what the program shall not have to work out at every start: the table of Chinese script classes that
//! `src/fold.rs` includes, and the embedded library that `src/library` does.
//!
//! A converter is asked, once, when the crate is built, for the simplified form of every Han character, by the
//! mainland, Taiwan and Hong Kong conventions; whatever any of them equates is one class. The program itself
//! only reads a static table and pays nothing at its start.

use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// Classes the converter leaves apart when it sees a character alone, the form that stands for the class first.
const OWN_CLASSES: &[&str] = &[
    "着著",
    "么幺麼麽",
    "了瞭",
    "借藉",
    "它牠",
    "你妳",
    "注註",
    "干乾幹榦",
    "里裡裏",
    "后後",
    "占佔",
    "并並併竝",
    "只隻祇",
    "余餘",
    "台臺檯颱",
    "征徵",
    "面麵",
    "系係繫",
    "钟鐘鍾",
    "制製",
    "复復複覆",
    "发發髮",
    "范範",
    "准準",
    "谷穀",
    "丑醜",
    "斗鬥鬭",
    "松鬆",
    "当當噹",
    "云雲",
    "采採寀",
    "升昇陞",
    "布佈",
    "志誌",
    "尽盡儘",
    "周週賙",
    "群羣",
    "峰峯",
    "床牀",
    "为為爲",
    "麻蔴",
    "迹跡蹟",
    "线線綫",
    "伪偽僞",
    "污汙",
    "泄洩",
    "凶兇",
    "唇脣",
    "才纔",
    "吁籲",
    "岩巖",
    "奸姦",
    "奔犇",
    "杯盃",
    "游遊",
    "泛氾",
    "烟煙菸",
    "炮砲礮",
    "咨諮",
    "仇讎讐",
    "効效傚",
];

const RANGES: [(u32, u32); 4] = [
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0xf900, 0xfaff),
    (0x20000, 0x323af),
];

fn main() {
    write_embedded_library();
    link_for_a_quick_start();
    println!("cargo::rerun-if-changed=build.rs");
    let converters = [BuiltinConfig::T2s, BuiltinConfig::Tw2s, BuiltinConfig::Hk2s]
        .map(|config| OpenCC::from_config(config).expect("the converter's own tables load"));

    // Whatever a converter equates is one class: union-find over characters.
    let mut above: BTreeMap<char, char> = BTreeMap::new();
    let mut simplified_of_none: BTreeMap<char, usize> = BTreeMap::new();
    for c in RANGES
        .iter()
        .flat_map(|&(first, last)| first..=last)
        .filter_map(char::from_u32)
    {
        let alone = c.to_string();
        for converter in &converters {
            let converted = converter.convert(&alone);
            let mut chars = converted.chars();
            if let (Some(simplified), None) = (chars.next(), chars.next())
                && simplified != c
            {
                union(&mut above, simplified, c);
                *simplified_of_none.entry(c).or_default() += 1;
            }
        }
    }
    let mut preferred = Vec::new();
    for class in OWN_CLASSES {
        let mut members = class.chars();
        let first = members.next().expect("a class has members");
        members.for_each(|c| union(&mut above, first, c));
        preferred.push(first);
    }

    // A class is known by a form of it that is simplified already; where there are several, by the first.
    let members: Vec<char> = above.keys().copied().collect();
    let mut key: BTreeMap<char, char> = BTreeMap::new();
    for &c in &members {
        let changes = |c: &char| {
            (
                !preferred.contains(c),
                simplified_of_none.get(c).copied().unwrap_or(0),
                *c,
            )
        };
        let root = find(&above, c);
        let best = key.entry(root).or_insert(c);
        if changes(&c) < changes(best) {
            *best = c;
        }
    }
    let folds: Vec<(char, char)> = members
        .iter()
        .map(|&c| (c, key[&find(&above, c)]))
        .filter(|(c, key)| c != key)
        .collect();
    let out =
        PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("script_classes.rs");
    std::fs::write(out, table(&folds)).expect("OUT_DIR can be written");
}

/// Links a release at a fixed address. Every call is a new process, and moving the program to a random address means
/// writing to thousands of its pointers first: a quarter of a lookup's instructions (`benches/README.md`). What that
/// would protect is a program with memory faults that reads foreign input; this one has no unsafe code but a mapping.
fn link_for_a_quick_start() {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

fn find(above: &BTreeMap<char, char>, mut c: char) -> char {
    while let Some(&up) = above.get(&c)
        && up != c
    {
        c = up;
    }
    c
}

fn union(above: &mut BTreeMap<char, char>, a: char, b: char) {
    above.entry(a).or_insert(a);
    above.entry(b).or_insert(b);
    let (a, b) = (find(above, a), find(above, b));
    if a != b {
        above.insert(b, a);
    }
}

/// The folds as Rust: pages of 256 for the pairs inside the basic plane, a sorted list for the few others.
fn table(folds: &[(char, char)]) -> String {
    let mut pages: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut others = Vec::new();
    for &(c, key) in folds {
        let (code, key_code) = (c as u32, key as u32);
        if code.max(key_code) > 0xffff {
            others.push((c, key));
        }
        if code <= 0xffff {
            let block = code >> 8;
            let page = pages
                .entry(block)
                .or_insert_with(|| (block << 8..(block + 1) << 8).collect());
            page[(code & 0xff) as usize] = if key_code <= 0xffff { key_code } else { 0 };
        }
    }
    let mut numbers = [0usize; 256];
    for (i, page) in pages.keys().enumerate() {
        numbers[*page as usize] = i + 1;
    }
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/// Which page a block of 256 has, from 1; 0 where none of it folds."
    );
    let _ = writeln!(out, "static PAGE_OF_BLOCK: [u8; 256] = {numbers:?};");
    let _ = writeln!(
        out,
        "/// The keys of a block; 0 where the pair stands in `OTHER_FOLDS`."
    );
    let _ = writeln!(
        out,
        "static PAGES: [[u16; 256]; {}] = {:?};",
        pages.len(),
        pages.values().collect::<Vec<_>>()
    );
    let _ = writeln!(out, "/// Pairs outside the basic plane, sorted.");
    let _ = writeln!(
        out,
        "static OTHER_FOLDS: [(char, char); {}] = {others:?};",
        others.len()
    );
    out
}

/// Lists the texts of `rules/` and `rulings/`, with a stamp that changes when one of them does, and the names of
/// the games: a call about one game need not read the files of all others.
fn write_embedded_library() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    for folder in ["rules", "rulings"] {
        println!("cargo::rerun-if-changed={folder}");
        collect(&root, folder, &mut files);
    }
    files.sort();
    let mut list = String::new();
    let mut names = String::new();
    let mut hasher = DefaultHasher::new();
    for path in &files {
        println!("cargo::rerun-if-changed={path}");
        let text = std::fs::read_to_string(root.join(path)).expect("a text of the library");
        (path, &text).hash(&mut hasher);
        let _ = writeln!(
            list,
            "    ({path:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{path}\"))),"
        );
        if path.ends_with("/game.toml") {
            let mut game: toml::Table = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
            let mut all: Vec<&str> = game["names"]
                .as_table()
                .into_iter()
                .flatten()
                .filter_map(|(_, name)| name.as_str())
                .collect();
            all.extend(
                game.get("aliases")
                    .and_then(|aliases| aliases.as_array())
                    .into_iter()
                    .flatten()
                    .filter_map(|name| name.as_str()),
            );
            let all: Vec<String> = all.into_iter().map(loose).collect();
            let id = game["id"].as_str().expect("an id").to_owned();
            // JSON is read several times as fast as TOML; a lookup does not need the numeric parts.
            let json = |table: &toml::Table| serde_json::to_string(table).expect("a table is JSON");
            let [numeric, calc] = ["numeric", "calc"].map(|key| match game.remove(key) {
                Some(toml::Value::Table(table)) => json(&table),
                _ => "{}".to_owned(),
            });
            let _ = writeln!(
                names,
                "    ({id:?}, &{all:?}, [{:?}, {numeric:?}, {calc:?}]),",
                json(&game)
            );
        }
    }
    let code = format!(
        "/// Every embedded file: its path and its text, in order of path.\n\
         static FILES: &[(&str, &str)] = &[\n{list}];\n\n\
         /// Every shipped game: its id, its names without what people vary, its file as JSON: all but the numeric\n\
         /// parts, `[numeric]`, `[calc]`.\n\
         static GAMES: &[(&str, &[&str], [&str; 3])] = &[\n{names}];\n\n\
         /// Changes when an embedded file does.\n\
         const STAMP: &str = \"{:016x}\";\n",
        hasher.finish()
    );
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("embedded_library.rs"), code).expect("the build folder can be written");
}

/// A name as `src/game/mod.rs` compares it.
fn loose(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn collect(root: &Path, folder: &str, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(root.join(folder))
        .expect("a folder of the library")
        .flatten()
    {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(root, &path, files);
        } else if path.ends_with("/game.toml") || (path.ends_with(".md") && !path.ends_with("README.md")) {
            files.push(path);
        }
    }
}
