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
fn a_changed_game_is_read_again_and_a_changed_setting_is_noticed() {
    let sandbox = Sandbox::new();
    let toml = |name: &str, level: &str| {
        format!(
            "id = \"demo\"\nnames = {{ en = \"Demo\" }}\naliases = [\"{name}\"]\n\
             [[document]]\nid = \"cr\"\nnumbering = {{ levels = [\"n\", \"{level}\"], digits = [3, 3] }}\n"
        )
    };
    sandbox.write("library/rules/demo/game.toml", toml("first", ".n"));
    sandbox.write("library/rules/demo/a.md", RULES.replace("fow", "demo"));
    sandbox.in_library(["ingest"]).expect(0);
    for asked in ["first:101.1", "demo 101.1"] {
        let ran = sandbox.in_library(["show", asked]).expect(0);
        assert!(ran.stdout.contains("Alpha") && ran.stderr.is_empty(), "{ran:#?}");
    }
    sandbox.write("library/rules/demo/game.toml", toml("second", "-n"));
    let ran = sandbox.in_library(["show", "second:101-1"]).expect(1);
    assert!(ran.stderr.contains("shiyi ingest"), "{ran:#?}");
    sandbox.in_library(["show", "first:101.1"]).expect(1);
    // A new sources.toml is noticed as well.
    sandbox.write("library/rules/demo/game.toml", toml("second", ".n"));
    sandbox.in_library(["ingest"]).expect(0);
    assert!(
        sandbox
            .in_library(["show", "second:101.1"])
            .expect(0)
            .stderr
            .is_empty()
    );
    sandbox.write("library/rules/demo/sources.toml", "[\"a.md\"]\nedition = \"2\"\n");
    let ran = sandbox.in_library(["show", "second:101.1"]).expect(0);
    assert!(ran.stderr.contains("shiyi ingest"), "{ran:#?}");
}

#[test]
fn an_answer_says_that_its_own_sources_changed() {
    let sandbox = Sandbox::new();
    let edition = |name: &str| RULES.replace("kind", &format!("edition = \"{name}\"\nkind"));
    sandbox.write("library/rules/fow/1.md", edition("1"));
    sandbox.write("library/rules/fow/2.md", edition("2"));
    sandbox.write(
        "library/rules/mtg/a.md",
        RULES.replace("fow", "mtg").replace("101", "102"),
    );
    sandbox.in_library(["ingest"]).expect(0);
    let changed = |asked: &[&str]| {
        let ran = sandbox.in_library(asked);
        ran.stderr.contains("shiyi ingest")
    };
    // An older edition concerns whoever asks for editions.
    sandbox.write(
        "library/rules/fow/1.md",
        edition("1") + "\n## 101.2\n\nBeta text.\n",
    );
    for asked in [
        &["101.1"][..],
        &["102.1"],
        &["search", "alpha"],
        &["eval", "2 counters"],
    ] {
        assert!(!changed(asked), "{asked:?}");
    }
    for asked in [
        &["history", "101.1"][..],
        &["diff", "1", "2"],
        &["show", "101.1@1"],
        &["show", "101.1", "--edition", "1"],
        &["status"],
    ] {
        assert!(changed(asked), "{asked:?}");
    }
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.write(
        "library/rules/fow/2.md",
        edition("2") + "\n## 101.3\n\nGamma text.\n",
    );
    assert!(!changed(&["102.1"]));
    for asked in [&["101.1"][..], &["search", "alpha"], &["102.1,101.1"], &["101.9"]] {
        assert!(changed(asked), "{asked:?}");
    }
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
    // Written again, with the same bytes: nothing is new, and the index is the same.
    sandbox.write("library/rules/fow/a.md", RULES);
    assert!(sandbox.in_library(["fow", "101.1"]).expect(0).stderr.is_empty());
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

/// A made-up game in a numbered layout of its own.
const QUILL: &str = "id = \"quill\"\nnames = { en = \"Quill Duel\" }\n[[document]]\nid = \"cr\"\n\
    numbering = { levels = [\"n\", \".n\", \"(a)\"], digits = [1, 2] }\nsignatures = [\"Quill Duel Code\"]\n\
    [[document]]\nid = \"tr\"\nnames = [\"TR\"]\nnumbering = { levels = [\"n\", \".n\"], digits = [1, 2] }\n";

fn quill(edition: &str) -> String {
    format!(
        "Quill Duel Code\n{edition}\n\n§ 4 Duels\n\n§ 4.1 Two scribes duel with ink.\n\n§ 4.2 A duel ends when:\n\n\
         § 4.2(a) one scribe has no ink;\n\n§ 4.2(b) both agree, see § 4.1.\n\n§ 5 Ink\n\n§ 5.1 Ink is black.\n"
    )
}

#[test]
fn a_new_game_takes_one_file() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/quill/game.toml", QUILL);
    let text = sandbox.write("code.txt", quill("Revised January 5, 2026"));
    let ran = sandbox.in_library(["add", text.to_str().unwrap()]).expect(0);
    assert!(
        ran.stderr.contains("quill cr en 2026-01-05, 7 entries"),
        "{ran:#?}"
    );
    for citation in ["4.2a", "4.2(a)", "§ 4.2(a)"] {
        let ran = sandbox
            .in_library(["show", "--game", "quill", citation, "--json"])
            .expect(0);
        assert_eq!(
            ran.json()[0]["text"]["en"],
            "one scribe has no ink;",
            "{citation}"
        );
    }
    let entry = &sandbox.in_library(["quill", "4.2b", "--json"]).expect(0).json()[0];
    assert_eq!(entry["references"][0], "quill:rule:4.1");
}

/// A rulebook of no known game, in numbers that many games have.
const ARENA: &str = "Spellbound Arena\nHouse rules\n\n1 The arena\n\n1.1 Two mages meet in the arena and cast in turn.\n\n\
    1.2 A mage falls when:\n\n1.2.a no spell is left in the book, and none is bound to the staff;\n\n\
    1.2.b the other mage has bound three of the five seals.\n\n2 Seals\n\n2.1 A seal is bound once.\n";

#[test]
fn a_numbering_alone_makes_no_text_of_a_game() {
    let sandbox = Sandbox::new();
    let text = sandbox.write("arena.txt", ARENA);
    let file = text.to_str().unwrap();
    let ran = sandbox.in_library(["add", file]).expect(2);
    for said in [
        "the game of this text is not known",
        "--game",
        "game.toml",
        "rules/README.md",
    ] {
        assert!(ran.stderr.contains(said), "{said}: {ran:#?}");
    }
    assert!(!sandbox.library().exists(), "{ran:#?}");
    let ran = sandbox.in_library(["add", file, "--ui-lang", "zh"]).expect(2);
    assert!(
        ran.stderr.contains("新的游戏由 rules/<游戏>/game.toml 描述"),
        "{ran:#?}"
    );
    // A game that is named has to be known, and how it becomes so is said.
    let ran = sandbox.in_library(["add", file, "--game", "arena"]).expect(2);
    assert!(ran.stderr.contains("no game is called `arena`"), "{ran:#?}");
    assert!(ran.stderr.contains("rules/<game>/game.toml"), "{ran:#?}");
}

#[test]
fn a_folder_of_no_known_game_is_no_other_games() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/arena/book.txt", ARENA);
    let ran = sandbox.in_library(["ingest"]).expect(0);
    assert!(
        ran.stderr.contains("the folder `arena` is no known game's"),
        "{ran:#?}"
    );
    sandbox.in_library(["show", "1.2.a"]).expect(1);
    // A description that cannot be read makes none known, either.
    sandbox.write("library/rules/arena/game.toml", "id = arena\n");
    let ran = sandbox.in_library(["ingest"]).expect(2);
    assert!(
        ran.stderr.contains("the folder `arena` is no known game's"),
        "{ran:#?}"
    );
    sandbox.in_library(["show", "1.2.a"]).expect(1);
    // A text that names another game is that game's, which is said.
    sandbox.write("library/rules/quill/game.toml", QUILL);
    sandbox.write("library/rules/arena/book.txt", quill("Revised January 5, 2026"));
    let ran = sandbox.in_library(["ingest"]).expect(2);
    let said = "the folder `arena` is no known game's; the game was taken to be `quill`: the text says `Quill Duel Code`";
    assert!(ran.stderr.contains(said), "{ran:#?}");
    sandbox.in_library(["quill", "4.2(a)"]).expect(0);
    let ran = sandbox.in_library(["ingest", "--ui-lang", "zh"]).expect(2);
    assert!(
        ran.stderr
            .contains("文件夹“arena”不是已知的游戏；游戏视为“quill”"),
        "{ran:#?}"
    );
}

#[test]
fn a_part_that_names_no_game_is_known_by_its_wording() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/quill/game.toml", QUILL);
    let rules = |section: usize, first: usize| -> String {
        let rules = (first..first + 12).map(|n| {
            format!(
                "{section}.{n} A scribe with ink of colour {n} writes {n} lines before the other scribe.\n\n"
            )
        });
        rules.collect()
    };
    let whole = sandbox.write("whole.txt", format!("{}{}", quill(""), rules(7, 1)));
    let part = sandbox.write("part.txt", rules(8, 1));
    let other = sandbox.write("other.txt", rules(8, 50));
    // By itself it is of no game; beside what it shares its words with, or in a library that has it, it is.
    let [whole, part, other] = [&whole, &part, &other].map(|path| path.to_str().unwrap());
    sandbox.in_library(["add", part]).expect(2);
    let ran = sandbox.in_library(["add", part, whole]).expect(0);
    assert!(
        ran.stderr
            .contains("12 of its rules are worded as in other texts"),
        "{ran:#?}"
    );
    sandbox.in_library(["quill", "8.3"]).expect(0);
    sandbox.in_library(["add", part]).expect(0);
    sandbox.in_library(["add", other]).expect(2);
}

#[test]
fn chapters_may_be_headed_in_words() {
    let sandbox = Sandbox::new();
    let toml = QUILL.replace("\".n\", \"(a)\"", "\"-n\", \"(n)\"");
    sandbox.write("library/rules/quill/game.toml", toml);
    let text = "Quill Duel Code\n2025年3月1日版\n\n第一章 游戏准备\n\n1-1 每位玩家准备四十张牌。\n\n1-1(1) 同名牌最多三张。\n（2）墨点牌不限。\n\n\
        第十二章 其他\n\n12-1 第一章所述的牌不算在内。\n";
    let text = sandbox.write("code.txt", text);
    let ran = sandbox.in_library(["add", text.to_str().unwrap()]).expect(0);
    assert!(ran.stderr.contains("2025-03-01, 6 entries"), "{ran:#?}");
    for (number, kind, text) in [
        ("1", "section", "游戏准备"),
        ("12", "section", "其他"),
        ("1-1(1)", "rule", "同名牌最多三张。"),
        ("1-1(2)", "rule", "墨点牌不限。"),
        ("12-1", "rule", "第一章所述的牌不算在内。"),
    ] {
        let entry = &sandbox
            .in_library(["show", "--game", "quill", number, "--json"])
            .expect(0)
            .json()[0];
        let said = if kind == "rule" {
            &entry["text"]["zh"]
        } else {
            &entry["title"]["zh"]
        };
        assert_eq!(
            (entry["kind"].as_str(), said.as_str()),
            (Some(kind), Some(text)),
            "{entry}"
        );
    }
}

#[test]
fn add_says_why() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/quill/game.toml", QUILL);
    let bytes = [b"\xef\xbb\xbf".as_slice(), quill("Version 1.2").as_bytes()].concat();
    let text = sandbox.write("code.txt", bytes);
    let text = text.to_str().unwrap();
    let ran = sandbox.in_library(["add", text, "--json"]).expect(0);
    assert_eq!(ran.stderr, "");
    let added = &ran.objects("added")[0];
    assert_eq!(
        (&added["game"], &added["document"]),
        (&"quill".into(), &"cr".into())
    );
    assert_eq!(
        (&added["edition"], &added["encoding"]),
        (&"1.2".into(), &"UTF-8".into())
    );
    assert_eq!(added["path"], "rules/quill/cr-en-1.2.txt");
    let why = |what: &str| {
        let all = added["because"].as_array().unwrap();
        let because = all.iter().find(|because| because["what"] == what).unwrap();
        because["why"].as_str().unwrap().to_owned()
    };
    assert!(
        why("game").contains("Quill Duel Code") && why("edition").contains("Version 1.2"),
        "{added}"
    );
    assert!(
        why("encoding").contains("byte order mark") && why("lang").contains("English"),
        "{added}"
    );
    let ran = sandbox.in_library(["add", text]).expect(0);
    for word in [
        "`Quill Duel Code`",
        "`Version 1.2`",
        "byte order mark",
        "lines are English",
    ] {
        assert!(ran.stderr.contains(word), "{word}: {ran:#?}");
    }
}

#[test]
fn one_bad_file_keeps_no_good_one_out() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "library/rules/fow/game.toml",
        "id = \"fow\"\nnames = { en = \"F\" }\nlevels = 1\n",
    );
    sandbox.write("in/a.md", RULES);
    sandbox.write("in/b.md", RULES.replace("101.1", "102.1"));
    sandbox.write("in/c.bin", b"\x7fELF\0\0\x01");
    sandbox.write("in/d.txt", "");
    sandbox.write("in/e.txt", "Nothing that any game knows.\n");
    sandbox.write("in/deep/f.md", RULES.replace("101.1", "103.1"));
    sandbox.write("in/README.md", "About these files.\n");
    let all = [
        "in/a.md", "in/c.bin", "in/d.txt", "in/e.txt", "in/b.md", "gone.txt",
    ];
    let args = |more: &[&'static str]| [&["add"], all.as_slice(), more].concat();

    // With --strict none is added, and that is said.
    let ran = sandbox.in_library(args(&["--strict"])).expect(2);
    assert!(ran.stderr.contains("nothing was added: 4 of 6"), "{ran:#?}");
    assert!(ran.stderr.contains("rules/fow/game.toml:3:1"), "{ran:#?}");
    assert_eq!(files(&sandbox), ["game.toml"]);

    let ran = sandbox.in_library(args(&["--json"])).expect(2);
    let said: Vec<serde_json::Value> = ran
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    for (file, message) in [
        ("in/c.bin", "binary"),
        ("in/d.txt", "the file is empty"),
        ("in/e.txt", "game of this text is not known"),
        ("gone.txt", "cannot be read"),
    ] {
        let about = said
            .iter()
            .find(|object| object["file"] == file)
            .unwrap_or_else(|| panic!("{file}: {ran:#?}"));
        assert_eq!(about["severity"], "error", "{about}");
        assert!(about["message"].as_str().unwrap().contains(message), "{about}");
    }
    assert_eq!(ran.objects("added").len(), 2);
    sandbox.in_library(["fow", "102.1"]).expect(0);

    // An empty text is refused whatever is said of it, and a folder stands for the texts in it.
    let ran = sandbox.in_library(["add", "--game", "fow", "in/d.txt"]).expect(2);
    assert!(ran.stderr.contains("the file is empty"), "{ran:#?}");
    let ran = sandbox.in_library(["add", "in"]).expect(2);
    assert!(
        ran.stderr.contains("in/d.txt") && !ran.stderr.contains("in/README"),
        "{ran:#?}"
    );
    sandbox.in_library(["fow", "103.1"]).expect(0);
    sandbox.write("bare/README.md", "Nothing else.\n");
    let ran = sandbox.in_library(["add", "bare"]).expect(2);
    assert!(ran.stderr.contains("no text in this folder"), "{ran:#?}");
}

#[test]
fn a_faulty_game_is_named_where_a_text_is_added() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/quill/game.toml", QUILL.replace("[1, 2]", "[2, 1]"));
    let text = sandbox.write("code.txt", quill(""));
    let text = text.to_str().unwrap();
    for args in [vec!["add", text], vec!["add", "--game", "quilt", text]] {
        let ran = sandbox.in_library(&args).expect(2);
        assert!(ran.stderr.contains("rules/quill/game.toml:5:"), "{ran:#?}");
    }
}

#[test]
fn what_add_is_told_wins() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/quill/game.toml", QUILL);
    let text = sandbox.write("code.txt", quill("Version 1.2"));
    let text = text.to_str().unwrap();
    for wrong in ["2026-99-99", " "] {
        sandbox.in_library(["add", text, "--edition", wrong]).expect(2);
    }
    let ran = sandbox
        .in_library(["add", text, "--edition", "2026-02-03"])
        .expect(0);
    assert!(ran.stderr.contains("itself says `Version 1.2`"), "{ran:#?}");
    let entry = &sandbox.in_library(["quill", "4.1", "--json"]).expect(0).json()[0];
    assert_eq!(entry["edition"]["en"], "2026-02-03");
    let own = sandbox.write("own.md", RULES.replace("kind = ", "edition = \"1\"\nkind = "));
    let ran = sandbox
        .in_library(["add", own.to_str().unwrap(), "--edition", "2"])
        .expect(0);
    assert!(ran.stderr.contains("itself says `1`"), "{ran:#?}");
    let entry = &sandbox.in_library(["fow", "101.1", "--json"]).expect(0).json()[0];
    assert_eq!(
        (&entry["edition"]["en"], &entry["edition"]["zh"]),
        (&"2".into(), &"2".into())
    );
    // The same in sources.toml.
    let said = sandbox.path("library/rules/quill/sources.toml");
    let before = std::fs::read_to_string(&said).unwrap();
    std::fs::write(&said, before.replace("= \"2026-02-03\"", "= \"1.3\"")).unwrap();
    sandbox.in_library(["ingest"]).expect(0);
    let entry = &sandbox.in_library(["quill", "4.1", "--json"]).expect(0).json()[0];
    assert_eq!(entry["edition"]["en"], "1.3");
    let broken = before.replace("= \"2026-02-03\"", "= \"2026-02-30\"");
    std::fs::write(&said, &broken).unwrap();
    let ran = sandbox.in_library(["ingest"]).expect(2);
    assert!(
        ran.stderr.contains("`2026-02-30` is no date") && ran.stderr.contains("sources.toml:2:"),
        "{ran:#?}"
    );
    // A sources.toml that cannot be read is not written over.
    let other = sandbox.write("other.txt", quill("Version 1.4").replace("black", "red"));
    let ran = sandbox
        .in_library(["add", other.to_str().unwrap(), "--edition", "1.5"])
        .expect(2);
    assert!(ran.stderr.contains("is not added"), "{ran:#?}");
    assert_eq!(std::fs::read_to_string(&said).unwrap(), broken);
}

#[test]
fn a_kind_that_is_said_wins() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/quill/game.toml", QUILL);
    let text = format!("{}\n• (2024-06-07) This was new then.\n", quill("Version 1.2"));
    let text = sandbox.write("code.txt", text);
    let ran = sandbox
        .in_library(["add", text.to_str().unwrap(), "--kind", "rule"])
        .expect(0);
    assert!(ran.stdout.contains("5 rules"), "{ran:#?}");
}

#[test]
fn a_folder_may_be_called_after_a_document() {
    let sandbox = Sandbox::new();
    sandbox.write("library/rules/quill/game.toml", QUILL);
    let page = |n: u32| format!("{n}.1 The judge decides.\n\n{n}.2 The judge may ask another judge.\n");
    sandbox.write("pages/tr/one.txt", page(1));
    sandbox.write("library/rules/quill/tr/two.txt", page(2));
    let ran = sandbox.in_library(["add", "--game", "quill", "pages"]).expect(0);
    assert!(ran.stderr.contains("rules/quill/tr/one.txt"), "{ran:#?}");
    for number in ["tr 1.1", "tr 2.2"] {
        let ran = sandbox
            .in_library(["show", "--game", "quill", number, "--json"])
            .expect(0);
        assert_eq!(ran.json()[0]["document"], "tr");
    }
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
