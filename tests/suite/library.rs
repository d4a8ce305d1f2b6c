//! Bringing texts in: ingest, add, status, and input that is wrong.

use crate::harness::Sandbox;

const RULES: &str = "+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 101.1\n\nAlpha text.\n\n甲文。\n";

#[test]
fn a_library_of_the_user_s_own_hides_the_embedded_entries_of_its_games_only() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    let ran = sandbox.in_library(["ingest"]).expect(0);
    assert!(ran.stdout.contains("1 rules"), "{ran:#?}");
    sandbox.in_library(["fow", "101.1"]).expect(0);
    sandbox.in_library(["fow", "702.3a"]).expect(1);
    let ran = sandbox.in_library(["search", "initiative", "--json"]).expect(0);
    assert!(ran.objects("hit").iter().all(|hit| hit["game"] == "mtg"));
}

#[test]
fn without_an_index_one_is_built_and_a_change_is_noticed() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("library/rules/fow/a.md", RULES);
    sandbox.in_library(["search", "alpha"]).expect(0);
    assert!(sandbox.library().join("index/CURRENT").exists());
    let text = std::fs::read_to_string(&path)
        .unwrap()
        .replace("Alpha", "Gamma ray");
    std::fs::write(&path, text).unwrap();
    let ran = sandbox.in_library(["search", "alpha"]).expect(0);
    assert!(ran.stderr.contains("shiyi ingest"), "{ran:#?}");
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.in_library(["search", "alpha", "--exact"]).expect(1);
    let ran = sandbox.in_library(["search", "gamma"]).expect(0);
    assert!(ran.stderr.is_empty(), "{ran:#?}");
}

#[test]
fn one_generation_at_a_time() {
    let sandbox = Sandbox::new();
    for text in ["One text.", "Two texts.", "Three texts."] {
        sandbox.write("library/rules/fow/a.md", RULES.replace("Alpha text.", text));
        sandbox.in_library(["ingest"]).expect(0);
    }
    let mut names: Vec<String> = std::fs::read_dir(sandbox.library().join("index"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["CURRENT", "generation-3.shiyi", "lock"]);
}

#[test]
fn nothing_is_done_where_nothing_has_changed() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("library/rules/fow/a.md", RULES);
    sandbox.in_library(["ingest"]).expect(0);
    let generations = || -> Vec<(String, Vec<u8>)> {
        let index = std::fs::read_dir(sandbox.library().join("index")).unwrap();
        index
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "shiyi"))
            .map(|path| (path.display().to_string(), std::fs::read(&path).unwrap()))
            .collect()
    };
    let first = generations();
    let is_unchanged = || {
        let ran = sandbox.in_library(["ingest"]).expect(0);
        ran.stdout.contains("nothing has changed")
    };
    assert!(is_unchanged());
    assert_eq!(generations(), first);
    // Written again, with the same bytes: readers are told so, and the index is the same.
    sandbox.write("library/rules/fow/a.md", RULES);
    assert!(!sandbox.in_library(["fow", "101.1"]).expect(0).stderr.is_empty());
    assert!(is_unchanged());
    assert!(sandbox.in_library(["fow", "101.1"]).expect(0).stderr.is_empty());
    assert!(is_unchanged());
    // As many bytes on the same date are another text all the same when the date is not the known one.
    std::fs::write(&path, RULES.replace("Alpha", "Gamma")).unwrap();
    assert!(!is_unchanged());
    sandbox.in_library(["search", "gamma", "--exact"]).expect(1);
    sandbox.in_library(["search", "Gamma", "--exact"]).expect(0);
    // What describes the texts counts, and so does a new text.
    sandbox.write(
        "library/rules/fow/sources.toml",
        "[\"a.md\"]\nprovenance = \"community\"\n",
    );
    assert!(!is_unchanged());
    sandbox.write("library/rules/fow/b.md", RULES.replace("101.1", "101.2"));
    assert!(!is_unchanged());
    assert!(is_unchanged());
    // A damaged index is built again though every text is as it was.
    let (path, mut bytes) = generations().remove(0);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(path, bytes).unwrap();
    assert!(!is_unchanged());
    assert!(is_unchanged());
}

#[test]
fn a_second_ingest_is_refused_while_one_runs() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    sandbox.in_library(["ingest"]).expect(0);
    let lock = std::fs::File::options()
        .write(true)
        .open(sandbox.library().join("index/lock"))
        .unwrap();
    lock.lock().unwrap();
    let ran = sandbox.in_library(["ingest"]).expect(2);
    assert!(ran.stderr.contains("another ingest"), "{ran:#?}");
    sandbox.in_library(["fow", "101.1"]).expect(0);
    // Not merely dropped: a child that another test is starting may hold the descriptor for a moment.
    lock.unlock().unwrap();
    sandbox.in_library(["ingest"]).expect(0);
}

#[test]
fn an_index_of_another_format() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    sandbox.in_library(["ingest"]).expect(0);
    let generation = sandbox.library().join("index/generation-1.shiyi");
    let bytes = std::fs::read(&generation).unwrap();
    // The header keeps its form in every format: the format is at 8, and the header's checksum at 28.
    let with_format = |format: u32| {
        let mut bytes = bytes.clone();
        bytes[8..12].copy_from_slice(&format.to_le_bytes());
        let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..28]) as u32;
        bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
        std::fs::write(&generation, bytes).unwrap();
    };
    with_format(4_000_000);
    let ran = sandbox.in_library(["fow", "101.1"]).expect(2);
    assert!(
        ran.stderr.contains("newer") && ran.stderr.contains("help:"),
        "{ran:#?}"
    );
    // Older, or damaged in whatever way: built again.
    with_format(0);
    sandbox.in_library(["fow", "101.1"]).expect(0);
    std::fs::write(sandbox.library().join("index/CURRENT"), "generation-99.shiyi\n").unwrap();
    sandbox.in_library(["fow", "101.1"]).expect(0);
    std::fs::write(sandbox.library().join("index/CURRENT"), "../../evil\n").unwrap();
    sandbox.in_library(["fow", "101.1"]).expect(0);
}

#[test]
fn an_empty_library_says_so_and_answers_from_the_built_in_one() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.library()).unwrap();
    let ran = sandbox.in_library(["ingest"]).expect(0);
    assert!(
        ran.stderr.contains("empty-library") && ran.stderr.contains("shiyi add"),
        "{ran:#?}"
    );
    sandbox.in_library(["fow", "702.3a"]).expect(0);
    sandbox.in_library(["ingest", "--strict"]).expect(2);
}

#[test]
fn bad_input_is_located_and_the_rest_loads() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    sandbox.write(
        "library/rules/fow/twice.md",
        "+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 102.1\n\nOne.\n\n## 102.1\n\nTwo.\n",
    );
    sandbox.write("library/rules/fow/binary.txt", b"\x7fELF\0\0\0".as_slice());
    sandbox.write(
        "library/rules/fow/bad.md",
        [
            b"+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 103.1\n\nGood \xff bad.\n\n".as_slice(),
            "文字".repeat(40).as_bytes(),
        ]
        .concat(),
    );
    sandbox.write(
        "library/rulings/fow/undated.md",
        "+++\ngame = \"fow\"\nkind = \"ruling\"\n+++\n\n## A ruling\n\nNo date here.\n",
    );
    sandbox.write("library/rules/fow/unknown.txt", "just some words\n");
    sandbox.write("library/rules/broken/game.toml", "id = \"broken\"\ncolour = 3\n");
    let ran = sandbox.in_library(["ingest"]).expect(2);
    for (code, place) in [
        ("duplicate-number", "rules/fow/twice.md:10:"),
        ("not-text", "rules/fow/binary.txt"),
        ("bad-byte", "rules/fow/bad.md:8:6"),
        ("missing-date", "rulings/fow/undated.md:6:"),
        ("unknown-kind", "rules/fow/unknown.txt"),
        ("bad-configuration", "rules/broken/game.toml:2:1"),
    ] {
        assert!(ran.stderr.contains(code), "{code}: {ran:#?}");
        assert!(ran.stderr.contains(place), "{place}: {ran:#?}");
    }
    assert!(ran.stderr.matches("= help:").count() >= 6, "{ran:#?}");
    for number in ["101.1", "102.1", "103.1"] {
        sandbox.in_library(["fow", number]).expect(0);
    }
    let ran = sandbox.in_library(["ingest", "--json"]).expect(2);
    for line in ran.stderr.lines() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(object["type"], "diagnostic");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_library_is_not_read() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    let made = std::process::Command::new("mkfifo")
        .arg(sandbox.library().join("rules/fow/pipe.txt"))
        .status();
    if made.is_ok_and(|status| status.success()) {
        let ran = sandbox.in_library(["ingest"]).expect(2);
        assert!(ran.stderr.contains("not a regular file"), "{ran:#?}");
    }
    sandbox.in_library(["fow", "101.1"]).expect(0);
}

#[test]
fn add_copies_detects_and_ingests() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("mine.md", RULES);
    let file = file.to_str().unwrap();
    let ran = sandbox.in_library(["add", file]).expect(0);
    assert!(ran.stderr.contains("fow"), "{ran:#?}");
    sandbox.in_library(["fow", "101.1"]).expect(0);
    // The same file again changes nothing; a misspelt name does nothing at all.
    let before = files(&sandbox);
    sandbox.in_library(["add", file]).expect(0);
    assert_eq!(files(&sandbox), before);
    sandbox.in_library(["add", file, "no-such-file.txt"]).expect(2);
    sandbox
        .in_library(["add", file, "--encoding", "utf-99"])
        .expect(2);
    assert_eq!(files(&sandbox), before);
    let ran = sandbox
        .run(["--library", "nowhere", "add", "no-such-file.txt"])
        .expect(2);
    assert!(!sandbox.path("nowhere").exists(), "{ran:#?}");
    // Another text of the same name is kept beside it.
    std::fs::write(file, RULES.replace("101.1", "101.2")).unwrap();
    sandbox.in_library(["add", file]).expect(0);
    assert_eq!(files(&sandbox).len(), before.len() + 1);
    sandbox.in_library(["fow", "101.2"]).expect(0);
}

#[test]
fn what_add_is_told_is_remembered() {
    let sandbox = Sandbox::new();
    let (text, _, _) = encoding_rs::GB18030
        .encode("101.1. 第一条规则的文字，说明如何开始游戏。\n\n101.2. 第二条规则的文字。\n");
    let file = sandbox.write("zh.txt", &text);
    let args = [
        "add",
        file.to_str().unwrap(),
        "--game",
        "fow",
        "--encoding",
        "GB18030",
        "--edition",
        "12.7",
        "--provenance",
        "community",
    ];
    sandbox.in_library(args).expect(0);
    sandbox.in_library(["ingest"]).expect(0);
    let entry = &sandbox.in_library(["fow", "101.1", "--json"]).expect(0).json()[0];
    assert_eq!(entry["edition"]["zh"], "12.7");
    assert_eq!(entry["provenance"]["zh"]["class"], "community");
    assert!(
        entry["text"]["zh"].as_str().unwrap().starts_with("第一条规则"),
        "{entry}"
    );
}

fn files(sandbox: &Sandbox) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(sandbox.library().join("rules/fow"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn status_says_what_is_loaded() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    let rows = sandbox
        .in_library(["status", "--json"])
        .expect(0)
        .objects("status");
    let fow = rows.iter().find(|row| row["game"] == "fow").unwrap();
    assert_eq!((&fow["counts"]["rules"], &fow["pairs"]), (&1.into(), &1.into()));
    assert_eq!(fow["files"][0], "rules/fow/a.md");
    let ran = Sandbox::new().run(["status"]).expect(0);
    assert!(ran.stderr.contains("built in"), "{ran:#?}");
}

#[test]
fn where_nothing_can_be_written_the_index_is_in_memory() {
    let sandbox = Sandbox::new();
    // A file where the cache folder should be: no one can make a folder there, not even root.
    sandbox.write("cache", "");
    let ran = sandbox.run(["search", "initiative"]).expect(0);
    assert!(ran.stderr.contains("in memory"), "{ran:#?}");
    sandbox.run(["fow", "702.3a"]).expect(0);
}

#[test]
fn strict_makes_a_warning_fail() {
    let sandbox = Sandbox::new();
    // A text that says of itself neither what it is nor what is in it: only a warning, but one.
    let file = sandbox.write(
        "mine.md",
        RULES.replace("## 101.1", "## 101.1\n\nFirst.\n\n## 101.1"),
    );
    let file = file.to_str().unwrap();
    sandbox.in_library(["add", file]).expect(0);
    let ran = sandbox.in_library(["add", "--strict", file]).expect(2);
    assert!(
        ran.stderr.contains("warning") && !ran.stderr.contains("error"),
        "{ran:#?}"
    );
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.in_library(["ingest", "--strict"]).expect(2);
    let clean = Sandbox::new();
    let file = clean.write("mine.md", RULES);
    clean
        .in_library(["add", "--strict", file.to_str().unwrap()])
        .expect(0);
    clean.in_library(["ingest", "--strict"]).expect(0);
}

#[test]
fn whoever_waits_is_told_how_far_it_has_come() {
    use shiyi::library::progress::Progress;
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/fow/a.md", RULES);
    sandbox.write("library/rules/fow/b.md", RULES.replace("101.1", "102.1"));
    let (sender, told) = std::sync::mpsc::channel();
    let library = shiyi::library::Library::locate(Some(&sandbox.library())).unwrap();
    library
        .watched(move |step| sender.send(step).unwrap())
        .ingest()
        .unwrap();
    let told: Vec<Progress> = told.into_iter().collect();
    let n_read = told
        .iter()
        .filter(|step| matches!(step, Progress::Read { total: 2, .. }))
        .count();
    assert_eq!(n_read, 2, "{told:?}");
    assert!(
        matches!(told[told.len() - 2], Progress::Indexing { .. }),
        "{told:?}"
    );
    assert_eq!(told.last(), Some(&Progress::Ended));
    // Where stderr is no terminal nothing is drawn.
    assert_eq!(sandbox.in_library(["ingest"]).expect(0).stderr, "");
}
