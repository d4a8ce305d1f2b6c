//! Whatever happens to an ingest or to what it wrote, an answer is that of one generation, or there is none.
//!
//! Each test has a small form that always runs and a long one that `.ci/long` runs; what the long ones found stands in
//! `benches/README.md`.

use crate::harness::{Ran, Sandbox};
use shiyi::corpus::Entries as _;
use shiyi::library::{Fault, Library, Loaded, Need, Notice};
use shiyi::query::Search;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A rulebook in which each of twenty rules names its version in both languages.
fn rulebook(version: usize) -> String {
    let mut text = String::from("+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n");
    for number in 101..121 {
        text.push_str(&format!(
            "\n## {number}.1 Marker {number} / 标记{number}\n\nThe marker stands here in version{version}.\n\n标记在此，版本{version}号。\n"
        ));
    }
    text
}

/// The same as an edition of that name.
fn edition(name: &str, version: usize) -> String {
    let kind = "kind = \"rule\"\n";
    rulebook(version).replace(kind, &format!("{kind}edition = \"{name}\"\n"))
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % n
    }
}

/// Writes a file so that no reader sees a part of it.
fn replace(path: &Path, text: &str) {
    let passing = path.with_extension("new");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&passing, text).unwrap();
    fs::rename(passing, path).unwrap();
}

/// The one version that an answer speaks of.
#[track_caller]
fn version_of(texts: &[String]) -> usize {
    let versions: BTreeSet<usize> = texts
        .iter()
        .map(|text| {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            digits.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
        })
        .collect();
    assert_eq!((texts.len(), versions.len()), (20, 1), "{texts:?}");
    versions.into_iter().next().unwrap()
}

/// What the program says which version of the rulebook answers.
#[track_caller]
fn version_in(ran: &Ran) -> usize {
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let texts: Vec<String> = ran
        .objects("hit")
        .iter()
        .map(|hit| hit["text"]["en"].as_str().unwrap().to_owned())
        .collect();
    version_of(&texts)
}

const SEARCH: [&str; 6] = ["search", "stands here", "--game", "fow", "--json", "-n100"];

/// The files in a library's index, without the lock.
fn index_files(library: &Path) -> Vec<String> {
    let entries = fs::read_dir(library.join("index")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "lock")
        .collect();
    names.sort();
    names
}

#[track_caller]
fn is_tidy(library: &Path) {
    let files = index_files(library);
    assert!(
        matches!(files.as_slice(), [current, generation]
            if current == "CURRENT" && generation.starts_with("generation-")),
        "{files:?}"
    );
}

/// Which version answers, asked of the library in this process; it must not have to be built.
#[track_caller]
fn version_answering(root: &Path) -> usize {
    let library = Library::locate(Some(root)).unwrap().with_cache(None);
    let opened = library.open(Need::Search).unwrap();
    let built = |notice: &Notice| matches!(notice, Notice::Built { .. });
    assert!(!opened.notices.iter().any(built), "{:?}", opened.notices);
    let Loaded::Index(index) = &opened.loaded else {
        panic!("no index");
    };
    index.check().unwrap();
    let mut search = Search::new("stands here").unwrap();
    search.filters.games = vec!["fow".into()];
    search.limit = 100;
    let hits = index.search(&search).unwrap().hits;
    let texts: Vec<String> = hits.iter().filter_map(|hit| hit.entry.text.en.clone()).collect();
    let version = version_of(&texts);
    // The tables say the same as the postings.
    let found = index.find("id:fow:rule:120.1").unwrap();
    let entry = index.entry(found[0]).unwrap();
    assert!(entry.text.en.unwrap().ends_with(&format!("version{version}.")));
    version
}

/// Makes every `step`th write, sync, rename and removal of an ingest fail, once and from there on.
fn faults_at_every(step: u64) {
    let sandbox = Sandbox::new();
    let (root, path) = (sandbox.library(), sandbox.path("library/rules/fow/a.md"));
    let (mut version, mut points, mut old, mut new) = (1, 0, 0, 0);
    for make in [Fault::Once as fn(u64) -> Fault, Fault::From] {
        replace(&path, &rulebook(version));
        let library = Library::locate(Some(&root)).unwrap().with_cache(None);
        library.ingest().unwrap();
        let mut point = 1;
        loop {
            version += 1;
            replace(&path, &rulebook(version));
            let failing = library.clone().with_fault(make(point));
            let result = failing.ingest();
            let answers = version_answering(&root);
            assert!(
                answers == version || answers == version - 1,
                "{point}: {answers} of {version}"
            );
            if failing.disk_steps() < point {
                assert!(result.is_ok() && answers == version, "{point}: {result:?}");
                break;
            }
            // A step that does not matter may fail unseen; a failure that is told may have come after the switch.
            assert!(result.is_err() || answers == version, "{point}");
            points += 1;
            *(if answers == version { &mut new } else { &mut old }) += 1;
            library.ingest().unwrap();
            assert_eq!(version_answering(&root), version);
            is_tidy(&root);
            point += step;
        }
    }
    say(&format!(
        "faults: {points} points, the old generation answered after {old} and the new one after {new}"
    ));
}

#[test]
fn a_fault_at_some_points_leaves_one_generation() {
    faults_at_every(6);
}

#[test]
#[ignore = "a minute; run by .ci/long"]
fn a_fault_at_every_point_leaves_one_generation() {
    faults_at_every(1);
}

/// Kills `ingest` at random times.
fn kills(n: u64) {
    let sandbox = Sandbox::new();
    let (root, path) = (sandbox.library(), sandbox.path("library/rules/fow/a.md"));
    replace(&path, &rulebook(1));
    let started = Instant::now();
    sandbox.in_library(["ingest"]).expect(0);
    let whole = started.elapsed().as_micros() as u64 * 3 / 4;
    let mut dice = Dice(7);
    let (mut killed, mut before, mut leftovers) = (0, 1, 0);
    for version in 2..n as usize + 2 {
        replace(&path, &rulebook(version));
        let mut child = sandbox
            .command(["ingest"])
            .env("SHIYI_LIBRARY", &root)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(dice.below(whole)));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        let answers = version_in(&sandbox.in_library(SEARCH));
        assert!(answers == version || answers == before, "{answers} of {version}");
        before = answers;
        // The generation that answers, perhaps one that was about to, and one file that was being written.
        let files = index_files(&root);
        assert!(files.len() <= 4, "{files:?}");
        leftovers = leftovers.max(files.len() - 2);
    }
    sandbox.in_library(["ingest"]).expect(0);
    assert_eq!(version_in(&sandbox.in_library(SEARCH)), n as usize + 1);
    is_tidy(&root);
    say(&format!(
        "kills: {n}, of which {killed} hit a running ingest; at most {leftovers} files were left, none after the next"
    ));
}

#[test]
fn some_kills_leave_one_generation() {
    kills(4);
}

#[test]
#[ignore = "minutes; run by .ci/long"]
fn two_hundred_kills_leave_one_generation() {
    kills(200);
}

/// Two processes ingest and eight read, all the time.
fn crowd(time: Duration) {
    let sandbox = Sandbox::new();
    let path = sandbox.path("library/rules/fow/a.md");
    replace(&path, &rulebook(1));
    sandbox.in_library(["ingest"]).expect(0);
    let (ends, newest) = (Instant::now() + time, AtomicUsize::new(1));
    let (answers, refused, ingested) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let (sandbox, path, newest, refused, ingested) = (&sandbox, &path, &newest, &refused, &ingested);
            scope.spawn(move || {
                while Instant::now() < ends {
                    if writer == 0 {
                        let version = 1 + newest.fetch_add(1, Ordering::SeqCst);
                        replace(path, &rulebook(version));
                    }
                    let ran = sandbox.in_library(["ingest"]);
                    match ran.code {
                        Some(0) => ingested.fetch_add(1, Ordering::SeqCst),
                        _ => {
                            assert!(ran.stderr.contains("another ingest"), "{ran:#?}");
                            refused.fetch_add(1, Ordering::SeqCst)
                        }
                    };
                }
            });
        }
        for _ in 0..8 {
            let (sandbox, newest, answers, done) = (&sandbox, &newest, &answers, &done);
            scope.spawn(move || {
                let mut last = 1;
                while Instant::now() < ends && !done.load(Ordering::SeqCst) {
                    let version = version_in(&sandbox.in_library(SEARCH));
                    assert!(
                        version >= last && version <= newest.load(Ordering::SeqCst),
                        "{version}"
                    );
                    last = version;
                    answers.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
    });
    let n = answers.into_inner();
    assert!(n > 0);
    say(&format!(
        "crowd: {n} answers, each of one generation; {} ingests, {} refused because another was running",
        ingested.into_inner(),
        refused.into_inner()
    ));
}

#[test]
fn readers_see_one_generation_for_some_seconds() {
    crowd(Duration::from_secs(3));
}

#[test]
#[ignore = "a minute; run by .ci/long"]
fn readers_see_one_generation_for_a_minute() {
    crowd(Duration::from_secs(60));
}

/// A small file system of its own, for as long as it lives.
struct Mounted(PathBuf);

impl Mounted {
    fn new(path: PathBuf, megabytes: usize) -> Option<Mounted> {
        fs::create_dir_all(&path).unwrap();
        let size = format!("size={megabytes}m");
        let made = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(&path)
            .output();
        if made.is_ok_and(|made| made.status.success()) {
            return Some(Mounted(path));
        }
        say("skipped: no file system can be mounted here (it takes root)");
        None
    }

    fn make_read_only(&self) {
        let made = std::process::Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(&self.0)
            .status();
        assert!(made.is_ok_and(|made| made.success()));
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

/// Ingests ever more text into an index folder of that size until it is full.
fn fill(megabytes: usize) {
    let sandbox = Sandbox::new();
    let (root, path) = (sandbox.library(), sandbox.path("library/rules/fow/a.md"));
    let Some(_mounted) = Mounted::new(root.join("index"), megabytes) else {
        return;
    };
    let mut dice = Dice(3);
    let mut filler = String::new();
    let mut version = 0;
    let mut answering = None;
    loop {
        version += 1;
        assert!(filler.len() < 64 << 20, "a disk of {megabytes} MB is not filled");
        replace(&path, &rulebook(version));
        sandbox.write(
            "library/rulings/fow/filler.md",
            format!("+++\ngame = \"fow\"\nkind = \"statement\"\n+++\n\n{filler}"),
        );
        let ran = sandbox.in_library(["ingest"]);
        if ran.code == Some(0) {
            answering = Some(version);
        } else {
            assert_eq!(ran.code, Some(2), "{ran:#?}");
            assert!(
                ran.stderr.contains("index") && !ran.stderr.contains("panicked"),
                "{ran:#?}"
            );
            // Where nothing was written before, the answer comes from an index that is kept elsewhere.
            let answers = version_in(&sandbox.in_library(SEARCH));
            assert_eq!(answers, answering.unwrap_or(version), "{megabytes} MB");
            let left = index_files(&root)
                .iter()
                .filter(|name| name.starts_with('.'))
                .count();
            assert_eq!(left, 0, "what did not fit is gone");
            break;
        }
        for n in 0..2_000 * megabytes {
            let word = |dice: &mut Dice| -> String {
                (0..7).map(|_| char::from(b'a' + dice.below(26) as u8)).collect()
            };
            let words: Vec<String> = (0..8).map(|_| word(&mut dice)).collect();
            filler.push_str(&format!("## Statement {version}-{n}\n\n{}.\n\n", words.join(" ")));
        }
    }
    // With room again, all is as it should be.
    fs::remove_file(root.join("rulings/fow/filler.md")).unwrap();
    if answering.is_some() {
        version += 1;
        replace(&path, &rulebook(version));
        sandbox.in_library(["ingest"]).expect(0);
        assert_eq!(version_in(&sandbox.in_library(SEARCH)), version);
        is_tidy(&root);
    }
    say(&format!(
        "full disk of {megabytes} MB: refused after {} generations, which went on answering",
        version - 1
    ));
}

#[test]
fn a_full_disk_leaves_the_old_generation() {
    fill(1);
}

#[test]
#[ignore = "a minute; run by .ci/long"]
fn full_disks_of_several_sizes_leave_the_old_generation() {
    for megabytes in [1, 2, 4, 8] {
        fill(megabytes);
    }
}

#[test]
fn a_read_only_library_answers() {
    let sandbox = Sandbox::new();
    let root = sandbox.library();
    let Some(mounted) = Mounted::new(root.clone(), 32) else {
        return;
    };
    replace(&root.join("rules/fow/a.md"), &rulebook(1));
    // Without an index: it is built elsewhere.
    mounted.make_read_only();
    assert_eq!(version_in(&sandbox.in_library(SEARCH)), 1);
    drop(mounted);

    let Some(mounted) = Mounted::new(root.clone(), 32) else {
        return;
    };
    replace(&root.join("rules/fow/a.md"), &rulebook(2));
    sandbox.in_library(["ingest"]).expect(0);
    mounted.make_read_only();
    assert_eq!(version_in(&sandbox.in_library(SEARCH)), 2);
    is_tidy(&root);
}

/// What the program answers to some questions, without the time that it took.
fn answers(sandbox: &Sandbox) -> Vec<(Option<i32>, Vec<serde_json::Value>)> {
    let questions: [&[&str]; 7] = [
        &SEARCH,
        &["search", "标记在此", "--json"],
        &["search", "标记", "--exact", "--json", "-n100"],
        &["show", "fow", "119.1", "--json"],
        &["eval", "--game", "fow", "2个指示物", "--json"],
        &["history", "fow", "119.1", "--json"],
        &["diff", "1.1", "1.2", "--game", "fow", "--json"],
    ];
    questions
        .iter()
        .map(|question| {
            let ran = sandbox.in_library(*question);
            assert!(!ran.stderr.contains("panicked"), "{ran:#?}");
            let mut objects = ran.json();
            for object in &mut objects {
                object.as_object_mut().unwrap().remove("took_us");
            }
            (ran.code, objects)
        })
        .collect()
}

/// What is done to the bytes of a file.
type Change = Box<dyn Fn(&mut Vec<u8>)>;

/// A damage to the files of an index.
enum Damage {
    Delete(&'static str),
    Write(&'static str, Vec<u8>),
    /// Of the generation.
    Change(Change),
}

/// The sections of a packed file, as ARCHITECTURE.md describes it: name, offset and length.
fn sections(file: &[u8]) -> Vec<(String, usize, usize)> {
    let u32_at = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let u64_at = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    let mut at = u64_at(32) + 8;
    (0..u32_at(12))
        .map(|_| {
            let length = u32_at(at);
            let name = String::from_utf8(file[at + 4..at + 4 + length].to_vec()).unwrap();
            at += 4 + length + 16;
            (name, u64_at(at - 16), u64_at(at - 8))
        })
        .collect()
}

/// The planned damages to an index whose generation has these bytes.
fn damages(file: &[u8]) -> Vec<(String, Damage)> {
    let change = |name: String, change: Change| (name, Damage::Change(change));
    let mut damages: Vec<(String, Damage)> = Vec::new();
    for name in ["CURRENT", "generation-1.shiyi", "lock", "."] {
        damages.push((format!("delete {name}"), Damage::Delete(name)));
    }
    for name in ["CURRENT", "generation-1.shiyi", "lock"] {
        damages.push((format!("empty {name}"), Damage::Write(name, Vec::new())));
    }
    for text in [
        &b"generation-9.shiyi\n"[..],
        b"../generation-1.shiyi",
        b"\xff\xfe",
        b"generation-1",
        b"lock",
    ] {
        damages.push((
            format!("CURRENT is {text:?}"),
            Damage::Write("CURRENT", text.to_vec()),
        ));
    }
    for i in 0..24 {
        let length = file.len() * i / 24 + i % 3;
        damages.push(change(
            format!("cut at {length}"),
            Box::new(move |file| file.truncate(length)),
        ));
    }
    // Each field of the header and the beginning, the middle and the end of the tables.
    let tables = u64::from_le_bytes(file[32..40].try_into().unwrap()) as usize;
    for at in [
        0,
        7,
        8,
        12,
        16,
        24,
        28,
        32,
        tables,
        tables + 8,
        (tables + file.len()) / 2,
        file.len() - 1,
    ] {
        damages.push(change(
            format!("flip at {at}"),
            Box::new(move |file| file[at] ^= 4),
        ));
    }
    for (name, start, length) in sections(file) {
        for (place, at) in [
            ("first", 0),
            ("middle", length / 2),
            ("last", length.saturating_sub(1)),
        ] {
            if length > 0 {
                damages.push(change(
                    format!("flip the {place} byte of {name}"),
                    Box::new(move |file| file[start + at] ^= 0x20),
                ));
            }
        }
    }
    for i in 0..128usize.saturating_sub(damages.len()) {
        let from = file.len() * (2 * i + 1) / 64;
        damages.push(change(
            format!("nothing but zeros from {from}"),
            Box::new(move |file| {
                let end = (from + 5_000).min(file.len());
                file[from..end].fill(0);
            }),
        ));
    }
    damages
}

/// Does each `step`th planned damage to an index, with its texts there and with its texts gone.
fn damage_every(step: usize) {
    let sandbox = Sandbox::new();
    let root = sandbox.library();
    let texts = [
        ("rules/fow/a.md", edition("1.2", 1)),
        ("rules/fow/old.md", edition("1.1", 0)),
    ];
    for (name, text) in &texts {
        replace(&root.join(name), text);
    }
    sandbox.in_library(["ingest"]).expect(0);
    let index = root.join("index");
    let file = fs::read(index.join("generation-1.shiyi")).unwrap();
    let sound = answers(&sandbox);
    assert!(
        sound.iter().all(|(code, _)| matches!(code, Some(0 | 1 | 3))),
        "{sound:#?}"
    );
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let damages = damages(&file);
    let n = damages.len();
    assert!(n >= 128, "{n}");
    let damaged = |damage: &Damage| {
        fs::remove_dir_all(&index).unwrap();
        fs::create_dir_all(&index).unwrap();
        fs::write(index.join("generation-1.shiyi"), &file).unwrap();
        fs::write(index.join("CURRENT"), "generation-1.shiyi\n").unwrap();
        fs::write(index.join("lock"), "").unwrap();
        match damage {
            Damage::Delete(".") => fs::remove_dir_all(&index).unwrap(),
            Damage::Delete(name) => fs::remove_file(index.join(name)).unwrap(),
            Damage::Write(name, bytes) => fs::write(index.join(name), bytes).unwrap(),
            Damage::Change(change) => {
                let mut file = file.clone();
                change(&mut file);
                fs::write(index.join("generation-1.shiyi"), file).unwrap();
            }
        }
    };
    for (name, damage) in damages.iter().step_by(step) {
        damaged(damage);
        assert_eq!(answers(&sandbox), sound, "{name}");
        let is_repaired = index_files(&root).iter().all(|name| name != "generation-1.shiyi")
            || fs::read(index.join("generation-1.shiyi")).unwrap() == file;
        *counts
            .entry(if is_repaired { "built again" } else { "harmless" })
            .or_default() += 1;

        // With its texts gone, an index that was lost as a whole leaves an empty library; a damaged one must not.
        if matches!(damage, Damage::Delete(_)) {
            continue;
        }
        damaged(damage);
        for (name, _) in &texts {
            fs::remove_file(root.join(name)).unwrap();
        }
        let without = answers(&sandbox);
        for (name, text) in &texts {
            fs::write(root.join(name), text).unwrap();
        }
        for (answer, sound) in without.iter().zip(&sound) {
            assert!(
                answer == sound || answer.0 == Some(2),
                "{name}, texts gone: {answer:#?}"
            );
        }
        let refused = without.iter().any(|(code, _)| *code == Some(2));
        *counts
            .entry(if refused {
                "refused, texts gone"
            } else {
                "harmless, texts gone"
            })
            .or_default() += 1;
    }
    say(&format!(
        "damage: {n} planned, every {step}: {counts:?}, no other answer"
    ));
}

#[test]
fn some_planned_damages_are_repaired_or_refused() {
    damage_every(16);
}

#[test]
#[ignore = "minutes; run by .ci/long"]
fn all_planned_damages_are_repaired_or_refused() {
    damage_every(1);
}
