//! The same texts give the same index and the same answers, whatever the number of jobs and the order in which the
//! files were made.

use crate::harness::Sandbox;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

/// Makes a library of files, in that order, ingests it with that many jobs, and asks it; returns the bytes of the
/// generation and the answers without the time they took.
fn ask(files: &[(String, Vec<u8>)], jobs: &str, requests: &str) -> (Vec<u8>, Vec<serde_json::Value>) {
    let sandbox = Sandbox::new();
    for (name, bytes) in files {
        let path = sandbox.write(&format!("library/{name}"), bytes);
        let date = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        fs::File::options()
            .append(true)
            .open(path)
            .unwrap()
            .set_modified(date)
            .unwrap();
    }
    let ingested = sandbox
        .command(["ingest", "--jobs", jobs])
        .env("SHIYI_LIBRARY", sandbox.library())
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(matches!(ingested.code(), Some(0 | 2)));
    let library = sandbox.library();
    let ran = sandbox.run_with(["--library", library.to_str().unwrap(), "batch"], requests);
    let mut answers = ran.json();
    for answer in &mut answers {
        without_time(answer);
    }
    (
        fs::read(library.join("index/generation-1.shiyi")).unwrap(),
        answers,
    )
}

fn without_time(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.remove("took_us");
            fields.values_mut().for_each(without_time);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(without_time),
        _ => {}
    }
}

/// Requests made of pieces of the texts themselves.
fn requests(files: &[(String, Vec<u8>)], n: usize) -> String {
    let texts: Vec<String> = files
        .iter()
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let lines: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.chars().count() > 12)
        .collect();
    let mut requests = String::new();
    for i in 0..n {
        let line = lines[i * 7_919 % lines.len()];
        let query: String = match i % 5 {
            0 => line.chars().skip(i % 6).take(4).collect(),
            1 => line
                .split_whitespace()
                .skip(1)
                .take(2)
                .collect::<Vec<_>>()
                .join(" "),
            2 => line.split_whitespace().take(1).collect(),
            3 => line
                .chars()
                .filter(|c| !c.is_ascii())
                .skip(i % 4)
                .take(3)
                .collect(),
            _ => line
                .split_whitespace()
                .skip(2)
                .take(3)
                .collect::<Vec<_>>()
                .join(" "),
        };
        let what = if i % 5 == 2 { "show" } else { "search" };
        let request = serde_json::json!({"id": i, "do": what, "query": query, "limit": 20});
        requests.push_str(&format!("{request}\n"));
    }
    requests
}

fn is_one_index(mut files: Vec<(String, Vec<u8>)>, n: usize) {
    files.sort();
    let requests = requests(&files, n);
    let (bytes, answers) = ask(&files, "1", &requests);
    assert_eq!(answers.len(), n);
    let (again, same) = ask(&files, "2", &requests);
    assert!(again == bytes, "another file with two jobs");
    assert_eq!(same, answers);
    // An order that has nothing to do with names.
    files.sort_by_key(|(name, bytes)| (bytes.len() % 7, bytes.len(), name.clone()));
    files.reverse();
    let (again, same) = ask(&files, "5", &requests);
    assert!(again == bytes, "another file from another order");
    assert_eq!(same, answers);
    let _ = writeln!(
        std::io::stderr(),
        "determinism: {n} questions, the same answers and the same {} bytes for 1, 2 and 5 jobs and shuffled files",
        bytes.len()
    );
}

#[test]
fn jobs_and_order_change_nothing() {
    let mut files = Vec::new();
    for file in 0..7 {
        let mut text = format!(
            "+++\ngame = \"fow\"\nkind = \"rule\"\nedition = \"{}\"\n+++\n",
            1 + file % 3
        );
        for rule in 1..30 {
            text.push_str(&format!(
                "\n## {}.{rule} Name {rule} / 名称{rule}\n\nRule {rule} of part {file} speaks of cards and counters.\n\n第{file}部分的规则{rule}说的是牌与指示物。\n",
                101 + file / 2
            ));
        }
        files.push((format!("rules/fow/{file}.md"), text.into_bytes()));
        let rulings = format!(
            "+++\ngame = \"mtg\"\nkind = \"ruling\"\n+++\n\n## One {file}\n\n- date: 2024-01-0{}\n- card: Card / 牌\n\nThe ruling {file}.\n\n裁定{file}。\n\n## Same\n\n- date: 2024-01-01\n- card: Card {file}\n\nThe same ruling everywhere.\n",
            1 + file
        );
        files.push((format!("rulings/mtg/{file}.md"), rulings.into_bytes()));
    }
    is_one_index(files, 60);
}

/// Every file below a folder.
fn collect(folder: &Path, name: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (
            entry.path(),
            format!("{name}/{}", entry.file_name().to_string_lossy()),
        );
        if path.is_dir() {
            collect(&path, &name, files);
        } else {
            files.push((name, fs::read(path).unwrap()));
        }
    }
}

#[test]
#[ignore = "minutes; run by .ci/long"]
fn jobs_and_order_change_nothing_in_five_hundred_answers() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    if !data.is_dir() {
        assert!(
            std::env::var_os("REQUIRE_REAL_DATA").is_none(),
            "../shared/data not found"
        );
        let _ = writeln!(std::io::stderr(), "skipped: ../shared/data not found");
        return;
    }
    let mut files = Vec::new();
    for game in fs::read_dir(&data)
        .unwrap()
        .flatten()
        .filter(|game| game.path().is_dir())
    {
        collect(
            &game.path(),
            &format!("rules/{}", game.file_name().to_string_lossy()),
            &mut files,
        );
    }
    is_one_index(files, 500);
}
