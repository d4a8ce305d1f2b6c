//! `faq`: documents built in three forms, their locks, what has changed since, and drafts.
//!
//! `cases/faq/` holds a made-up library of two editions, and for each case a document (`faq.md`) with what it becomes under
//! the first (`built.md`, `built.html`, `built.json`, `lock.toml`), what is said of it then (`said.txt`) and, checked
//! under both, what has changed (`changed.txt`, `changed.zh.txt`). `UPDATE_GOLDEN=1` writes what comes out now; review it.

use crate::harness::{Ran, Sandbox};
use crate::real_data::shared;
use proptest::prelude::*;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/faq")
}

/// A library with the case library's first edition, and all of it that has no edition.
fn library() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.copy(
        &cases().join("../parse/game.toml"),
        "library/rules/demo/game.toml",
    );
    for text in [
        "rules/demo/1.md",
        "rules/demo/terms.md",
        "rules/demo/statements.md",
        "rulings/demo/lanterns.md",
    ] {
        sandbox.copy(&cases().join(text), &format!("library/{text}"));
    }
    sandbox.in_library(["ingest"]).expect(0);
    sandbox
}

/// Adds the second edition.
fn next_edition(sandbox: &Sandbox) {
    sandbox.copy(&cases().join("rules/demo/2.md"), "library/rules/demo/2.md");
    sandbox.in_library(["ingest"]).expect(0);
}

fn golden(faults: &mut Vec<String>, case: &str, name: &str, text: &str) {
    let path = cases().join(case).join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    if expected != text {
        faults.push(format!("{case}/{name} is otherwise:\n{text}"));
    }
}

#[test]
fn each_case_builds_in_each_form_and_says_what_changed() {
    let mut faults = Vec::new();
    let sandbox = library();
    let names = ["all", "apart", "wrong"];
    for case in names {
        let document = format!("{case}/faq.md");
        sandbox.copy(&cases().join(&document), &document);
        let lock = format!("{case}/faq.md.lock");
        for form in ["md", "html", "json"] {
            let out = format!("{case}/built.{form}");
            let ran = sandbox.in_library(["faq", "build", &document, "-o", &out]);
            assert_eq!(ran.code, Some(if case == "wrong" { 2 } else { 0 }), "{ran:#?}");
            let built = std::fs::read_to_string(sandbox.path(&out)).unwrap();
            let again = sandbox.in_library(["faq", "build", &document, "--format", form]);
            assert_eq!(again.stdout, built, "{case} {form}");
            golden(&mut faults, case, &format!("built.{form}"), &built);
            golden(&mut faults, case, "said.txt", &ran.stderr);
        }
        let locked = std::fs::read_to_string(sandbox.path(&lock)).unwrap();
        golden(&mut faults, case, "lock.toml", &locked);
        if case != "wrong" {
            let ran = sandbox.in_library(["faq", "check", &document]).expect(0);
            assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
        }
    }
    next_edition(&sandbox);
    for case in names {
        let document = format!("{case}/faq.md");
        let code = if case == "wrong" { 2 } else { 1 };
        let ran = sandbox.in_library(["faq", "check", &document]).expect(code);
        golden(&mut faults, case, "changed.txt", &ran.stdout);
        let ran = sandbox
            .in_library(["faq", "check", &document, "--ui-lang", "zh"])
            .expect(code);
        golden(&mut faults, case, "changed.zh.txt", &ran.stdout);
    }
    // Built again, nothing has changed.
    sandbox.in_library(["faq", "build", "all/faq.md", "-q"]).expect(0);
    sandbox.in_library(["faq", "check", "all/faq.md"]).expect(0);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

fn findings(ran: &Ran) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let said = |object: Value| {
        let words = |lang: &str| -> String {
            let words = object["words"][lang].as_array().cloned().unwrap_or_default();
            let changed = words.iter().filter(|words| words["op"] != "same");
            let changed =
                changed.map(|words| format!("{}{}", &text(&words["op"])[..1], text(&words["text"])));
            changed.collect::<Vec<_>>().join(" ")
        };
        let parts = [
            object["line"].to_string(),
            text(&object["id"]),
            text(&object["what"]),
            text(&object["now"]),
            words("en"),
            words("zh"),
        ];
        parts.join("|")
    };
    ran.objects("finding").into_iter().map(said).collect()
}

/// Builds a document under the first edition and checks it under both.
fn changed(document: &str) -> Vec<String> {
    let sandbox = library();
    sandbox.write("faq.md", document);
    sandbox.in_library(["faq", "build", "faq.md"]).expect(0);
    next_edition(&sandbox);
    findings(&sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1))
}

#[test]
fn each_change_is_told_from_the_others() {
    assert_eq!(
        changed("{{rule demo 100.1}}\n"),
        ["1|demo:rule:100.1|edited|-|ofive nseven|o五张 n七张"]
    );
    // A rule that came between: those behind it have moved, and one of them was edited.
    assert_eq!(
        changed("# A\n\n{{rule demo 100.2}}\n"),
        [
            "3|demo:rule:100.2a|changed-meaning|100.2b||",
            "3|demo:rule:100.2b|changed-meaning|100.2c|oone coin ntwo coins|o一枚 n两枚",
        ]
    );
    assert_eq!(
        changed("{{rule demo 100.3 lang=zh}}\n"),
        ["1|demo:rule:100.3|changed-meaning|100.6||"]
    );
    let gone = changed("{{rule demo 100.4}}\n");
    assert!(
        gone.len() == 1 && gone[0].starts_with("1|demo:rule:100.4|gone|-|oOnce"),
        "{gone:?}"
    );
    assert_eq!(
        changed("{{rule demo 100.5}}\n"),
        ["1|demo:rule:100.5|typography|-|o\" n“ o\" n”|"]
    );
}

#[test]
fn a_pinned_edition_does_not_change() {
    let sandbox = library();
    sandbox.write(
        "faq.md",
        "{{rule demo 100.1 edition=1}}\n\n{{rule demo 100.2 edition=1}}\n",
    );
    sandbox.in_library(["faq", "build", "faq.md"]).expect(0);
    next_edition(&sandbox);
    sandbox.in_library(["faq", "check", "faq.md"]).expect(0);
    // Until somebody corrects its text.
    let path = sandbox.path("library/rules/demo/1.md");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("draws five", "draws nine")).unwrap();
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    assert_eq!(findings(&ran), ["1|demo:rule:100.1|edited|-|ofive nnine|"]);
}

/// The words in the lock are enough: the texts of the edition that was quoted may be gone.
#[test]
fn an_edition_that_was_replaced_is_compared_by_its_words() {
    let sandbox = library();
    sandbox.write(
        "faq.md",
        "{{rule demo 100.1}}\n\n{{rule demo 100.2}}\n\n{{rule demo 100.3}}\n\n{{rule demo 100.4}}\n",
    );
    sandbox.in_library(["faq", "build", "faq.md"]).expect(0);
    std::fs::remove_file(sandbox.path("library/rules/demo/1.md")).unwrap();
    next_edition(&sandbox);
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    let found = findings(&ran);
    assert_eq!(
        found[..4],
        [
            "1|demo:rule:100.1|edited|-|ofive nseven|o五张 n七张",
            "3|demo:rule:100.2a|changed-meaning|100.2b||",
            "3|demo:rule:100.2b|changed-meaning|100.2c|oone coin ntwo coins|o一枚 n两枚",
            "5|demo:rule:100.3|changed-meaning|100.6||",
        ]
    );
    assert!(found[4].starts_with("7|demo:rule:100.4|gone|"), "{found:?}");
    // Without its words, that something has changed is all that is known.
    let lock = sandbox.path("faq.md.lock");
    let text = std::fs::read_to_string(&lock).unwrap();
    std::fs::write(&lock, text.replace("draws five", "draws six")).unwrap();
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    assert_eq!(findings(&ran)[0], "1|demo:rule:100.1|edited|-||o五张 n七张");
    std::fs::write(
        &lock,
        text.replace("draws five", "draws six")
            .replace("抽五张", "抽六张"),
    )
    .unwrap();
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    assert_eq!(findings(&ran)[0], "1|demo:rule:100.1|edited|-||");
}

/// A ruling's id is made of its words: one that is reworded has another.
#[test]
fn a_ruling_that_was_reworded_is_found_again() {
    let sandbox = library();
    sandbox.write(
        "faq.md",
        "{{ruling demo:ruling:3ff7ad5b9599e374}}\n\n{{search demo lanterns kind=ruling}}\n",
    );
    sandbox.in_library(["faq", "build", "faq.md"]).expect(0);
    let path = sandbox.path("library/rulings/demo/lanterns.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text
        .replace("同时携带两盏", "同时携带三盏")
        .replace("carry two lanterns", "carry three lanterns");
    std::fs::write(&path, &text).unwrap();
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    let found = findings(&ran);
    let now = ran.objects("finding")[0]["now"].as_str().unwrap().to_owned();
    assert!(now.starts_with("demo:ruling:"), "{found:?}");
    assert_eq!(
        found,
        [
            format!("1|demo:ruling:3ff7ad5b9599e374|edited|{now}|otwo nthree|o两盏 n三盏"),
            format!("3|demo:ruling:3ff7ad5b9599e374|edited|{now}|otwo nthree|o两盏 n三盏"),
        ]
    );
    // What says something else is no wording of it.
    let other = text
        .replace("守灯人可以同时携带三盏灯笼", "棋盘边缘的风车在冬天停转")
        .replace(
            "The keeper may carry three lanterns at a time & put neither down",
            "Windmills stop in winter",
        );
    std::fs::write(&path, other).unwrap();
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    assert!(
        findings(&ran)[0].starts_with("1|demo:ruling:3ff7ad5b9599e374|gone|-|"),
        "{ran:#?}"
    );
}

#[test]
fn a_lock_knows_its_directives() {
    let sandbox = library();
    sandbox.write("faq.md", "{{rule demo 100.1}}\n");
    let ran = sandbox.in_library(["faq", "check", "faq.md"]).expect(1);
    assert_eq!(
        ran.stdout,
        "faq.md:1: there is no lock yet: run `shiyi faq build`\n"
    );
    sandbox.in_library(["faq", "build", "faq.md"]).expect(0);
    // Where it stands and how it is spaced says nothing; what it asks for does.
    sandbox.write(
        "faq.md",
        "# A\n\n{{ rule  demo \"100.1\" }}\n\n{{rule demo 100.5}}\n\n{{rule demo 100.99}}\n",
    );
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    assert_eq!(
        findings(&ran),
        ["5|-|unlocked|-||", "7|-|unlocked|-||", "7|-|not-found|-||",]
    );
    let first = &ran.objects("finding")[0];
    assert_eq!(ran.objects("finding")[2]["input"], "100.99");
    assert_eq!(first["directive"], "{{rule demo 100.5}}");
    assert!(ran.objects("finding")[2]["nearest"].to_string().contains("100.5"));
    sandbox.write("plain.md", "# No directive\n");
    sandbox.in_library(["faq", "check", "plain.md"]).expect(0);
    sandbox.in_library(["faq", "build", "plain.md"]).expect(0);
    assert!(!sandbox.path("plain.md.lock").exists());
    // Two files: what is wrong with one is not wrong with the other.
    let ran = sandbox
        .in_library(["faq", "check", "missing.md", "faq.md"])
        .expect(2);
    assert!(
        ran.stderr.contains("missing.md") && ran.stdout.contains("100.99"),
        "{ran:#?}"
    );
    for broken in ["version = 1\n<<<<<<< ours\n", "x", "version = 99\n"] {
        sandbox.write("faq.md.lock", broken);
        let ran = sandbox.in_library(["faq", "check", "faq.md"]).expect(2);
        assert!(ran.stderr.contains("faq.md.lock"), "{ran:#?}");
        let built = sandbox.in_library(["faq", "build", "faq.md"]);
        let expected = if broken.contains("99") { 2 } else { 1 };
        assert_eq!(built.code, Some(expected), "{built:#?}");
    }
    assert_eq!(
        std::fs::read_to_string(sandbox.path("faq.md.lock")).unwrap(),
        "version = 99\n"
    );
}

#[test]
fn a_search_and_a_verdict_are_locked_too() {
    let sandbox = library();
    sandbox.write(
        "faq.md",
        "{{search demo \"lanterns lit\" kind=rule}}\n\n{{eval fow \"2 power counters\" value=3}}\n",
    );
    sandbox.in_library(["faq", "build", "faq.md"]).expect(0);
    // In whatever language somebody checks.
    sandbox
        .in_library(["faq", "check", "faq.md", "--ui-lang", "zh"])
        .expect(0);
    let lock = std::fs::read_to_string(sandbox.path("faq.md.lock")).unwrap();
    sandbox
        .in_library(["faq", "build", "faq.md", "--ui-lang", "zh"])
        .expect(0);
    assert_eq!(
        lock,
        std::fs::read_to_string(sandbox.path("faq.md.lock")).unwrap()
    );
    let path = sandbox.path("library/rules/demo/1.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("Lanterns are lit when", "Lanterns are blown out when");
    std::fs::write(
        &path,
        text + "\n## 100.7\n\nLanterns of stone are lit by nobody.\n\n石灯笼没有人点亮。\n",
    )
    .unwrap();
    // As though the verdict had been another.
    let (before, verdict) = lock.split_once("id = \"fow:eval\"").unwrap();
    let verdict = verdict.replacen("hash = \"", "hash = \"0", 1);
    sandbox.write("faq.md.lock", format!("{before}id = \"fow:eval\"{verdict}"));
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(["faq", "check", "faq.md", "--json"]).expect(1);
    let found = findings(&ran);
    assert!(
        found
            .iter()
            .any(|one| one.starts_with("1|demo:rule:100.2|edited|"))
            && found.contains(&"1|demo:rule:100.7|added|-||".to_owned())
            && found.iter().any(|one| one.starts_with("3|fow:eval|edited|")),
        "{found:?}"
    );
}

#[test]
fn what_is_several_things_is_said() {
    let sandbox = library();
    sandbox.write(
        "library/rules/fow/a.md",
        "+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 100.1\n\nAnother game's rule.\n",
    );
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.write("faq.md", "{{rule 100.1}}\n");
    let ran = sandbox.in_library(["faq", "build", "faq.md"]).expect(0);
    assert!(
        ran.stderr.contains("faq.md:1:1") && ran.stderr.contains("{{rule demo 100.1}}"),
        "{ran:#?}"
    );
    let ran = sandbox.in_library(["faq", "check", "faq.md"]).expect(1);
    assert_eq!(
        ran.stdout,
        "faq.md:1: {{rule 100.1}}: it is ambiguous: demo, fow\n"
    );
    // Named by an option, there is one.
    sandbox
        .in_library(["faq", "build", "faq.md", "--game", "demo"])
        .expect(0);
    sandbox
        .in_library(["faq", "check", "faq.md", "--game", "demo"])
        .expect(0);
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let sandbox = library();
    let text = "\u{feff}# A\r\n\r\n{{rule demo 100.1 only}}\r\n\r\nB\r\n";
    sandbox.write("faq.md", text);
    sandbox.write("b/faq.md", "# B\n");
    sandbox
        .in_library(["faq", "build", "faq.md", "-o", "out.md"])
        .expect(0);
    let built = std::fs::read_to_string(sandbox.path("out.md")).unwrap();
    assert!(built.starts_with('\u{feff}'), "{built:?}");
    assert_eq!(
        built.matches('\n').count(),
        built.matches("\r\n").count(),
        "{built:?}"
    );
    let mut same = vec!["faq.md", "./faq.md", "faq.md.lock", "b/../faq.md", "."];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("faq.md", sandbox.path("link.md")).unwrap();
        std::os::unix::fs::symlink("faq.md.lock", sandbox.path("locked")).unwrap();
        std::fs::hard_link(sandbox.path("faq.md"), sandbox.path("hard.md")).unwrap();
        same.extend(["link.md", "locked", "hard.md"]);
    }
    let lock = std::fs::read_to_string(sandbox.path("faq.md.lock")).unwrap();
    for output in same {
        let ran = sandbox
            .in_library(["faq", "build", "faq.md", "-o", output])
            .expect(2);
        assert!(ran.stderr.contains("overwritten"), "{output}: {ran:#?}");
        assert_eq!(std::fs::read_to_string(sandbox.path("faq.md")).unwrap(), text);
        assert_eq!(
            std::fs::read_to_string(sandbox.path("faq.md.lock")).unwrap(),
            lock
        );
    }
    // One document is never written over another, nor over what another is read from.
    std::fs::create_dir(sandbox.path("out")).unwrap();
    let both = ["faq", "build", "faq.md", "b/faq.md", "-o"];
    for output in ["out", "b", "out.md"] {
        let ran = sandbox.in_library(both.iter().chain(&[output])).expect(2);
        assert_eq!(
            std::fs::read_dir(sandbox.path("out")).unwrap().count(),
            0,
            "{ran:#?}"
        );
    }
    sandbox
        .in_library(["faq", "build", "faq.md", "b/faq.md"])
        .expect(2);
    sandbox.write("other.md", "# Other\n");
    let two = [
        "faq", "build", "faq.md", "other.md", "-o", "out", "--format", "html",
    ];
    sandbox.in_library(two).expect(0);
    assert!(sandbox.path("out/faq.html").exists() && sandbox.path("out/other.html").exists());
    // Nothing else is left anywhere.
    let left = |folder: &str| std::fs::read_dir(sandbox.path(folder)).unwrap().count();
    assert_eq!((left("out"), left("b")), (2, 1));
    sandbox.write("latin1.md", b"caf\xe9\n\n{{rule demo 100.1}}\n");
    let ran = sandbox.in_library(["faq", "build", "latin1.md"]).expect(2);
    assert!(ran.stderr.contains("UTF-8") && ran.stdout.is_empty(), "{ran:#?}");
}

/// Rows of tags that open and close in turn; those that never close are known.
fn is_balanced(page: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let name = tag.split(['>', ' ', '\n']).next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return false,
            Some(_) => {}
            None if matches!(name, "!DOCTYPE" | "meta" | "hr" | "br") || name.starts_with("!--") => {}
            None => open.push(name),
        }
    }
    open.is_empty()
}

#[test]
fn a_page_needs_nothing_beside_it() {
    let sandbox = library();
    sandbox.copy(&cases().join("all/faq.md"), "faq.md");
    let page = sandbox
        .in_library(["faq", "build", "faq.md", "--format", "html"])
        .expect(0)
        .stdout;
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"") && page.ends_with("</html>\n"));
    assert!(is_balanced(&page), "{page}");
    assert!(!page.contains("src=") && !page.contains("<link") && !page.contains("<script"));
    for part in [
        "<meta charset=\"utf-8\">",
        "<blockquote cite=\"demo:rule:100.1\">",
        "<p lang=\"en\">Each player draws five",
        "<p lang=\"zh\">每位牌手",
        "Keeper of &lt;the&gt; Lantern",
        "at a time &amp; put",
        "<cite>demo:rule:100.1</cite> · en 1, official · zh 1, official",
        "machine (gpt)",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn objects_are_the_document_in_order() {
    let sandbox = library();
    sandbox.write("faq.md", "# A\n\nOne.\n\n{{rule demo 100.1}}\n\n- x\n- y\n");
    let ran = sandbox.in_library(["faq", "build", "faq.md", "--json"]).expect(0);
    let shape: Vec<String> = ran
        .json()
        .iter()
        .map(|object| match object["type"].as_str() {
            Some("block") => format!("{} {}", object["line"], object["kind"].as_str().unwrap()),
            _ => object["id"].as_str().unwrap().to_owned(),
        })
        .collect();
    assert_eq!(
        shape,
        [
            "1 heading",
            "3 paragraph",
            "5 directive",
            "demo:rule:100.1",
            "7 list"
        ]
    );
}

#[test]
fn a_draft_is_built_as_it_is() {
    let sandbox = library();
    let new = |words: &[&str]| {
        let ran = sandbox.in_library(["faq", "new"].iter().chain(words)).expect(0);
        sandbox.write("draft.md", &ran.stdout);
        let built = sandbox.in_library(["faq", "build", "draft.md"]).expect(0);
        assert_eq!(built.stderr, "", "{}", ran.stdout);
        sandbox.in_library(["faq", "check", "draft.md"]).expect(0);
        ran.stdout
    };
    assert_eq!(
        new(&["demo", "100.2a"]),
        "# 100.2a\n\n## 100.2a Lanterns · 灯笼\n\n{{rule demo 100.2a}}\n"
    );
    assert_eq!(
        new(&["--game", "demo", "灯笼", "--lang", "zh"]),
        "# 灯笼\n\n## 100.2 灯笼\n\n{{rule demo 100.2 lang=zh}}\n\n## 灯笼\n\n{{term demo 灯笼 lang=zh only}}\n\n\
         ## 两盏灯笼\n\n{{ruling demo:ruling:3ff7ad5b9599e374 lang=zh}}\n"
    );
    let searched = new(&["--game", "demo", "carry two"]);
    assert!(
        searched.starts_with("# carry two\n\n## Two lanterns · 两盏灯笼\n\n{{ruling "),
        "{searched}"
    );
    assert!(
        new(&["demo", "100.1", "--edition", "1", "--only"]).contains("{{rule demo 100.1 edition=1 only}}")
    );
    sandbox.in_library(["faq", "new", "demo", "zzzz"]).expect(1);
    sandbox
        .in_library(["faq", "new", "demo", "100.1", "-o", "new.md"])
        .expect(0);
    let ran = sandbox
        .in_library(["faq", "new", "demo", "100.2", "-o", "new.md"])
        .expect(2);
    assert!(ran.stderr.contains("there already"), "{ran:#?}");
    assert!(
        std::fs::read_to_string(sandbox.path("new.md"))
            .unwrap()
            .contains("100.1")
    );
}

#[test]
fn ten_directives_of_what_is_built_in() {
    let sandbox = Sandbox::new();
    let document = "# 释疑 / FAQ\n\n{{rule fow 702.3a-1}}\n\n{{rule fow 713.3 only}}\n\n{{rule fow 403.5a lang=zh}}\n\n\
                    {{statement fow:statement:bare-number}}\n\n{{term fow mulligan}}\n\n\
                    {{search mtg \"显化 双面牌\" limit=1}}\n\n{{search \"initiative\" limit=2 kind=ruling}}\n\n\
                    {{eval fow \"2 power counters\" value=3}}\n\n{{eval fow \"正好5个，10个或15个指示物\"}}\n\n\
                    {{rule fow 1014.4}}\n";
    sandbox.write("faq.md", document);
    let built = sandbox.run(["faq", "build", "faq.md"]).expect(0).stdout;
    for quoted in [
        "`fow:rule:702.3a-1`",
        "`fow:rule:713.3`",
        "`fow:rule:1014.4`",
        "own words, after official",
        "zh T2",
        "**3: yes**",
    ] {
        assert!(built.contains(quoted), "{quoted}: {built}");
    }
    assert!(
        !built.contains("`fow:rule:713.3a`") && !built.contains("{{"),
        "{built}"
    );
    let ran = sandbox.run(["faq", "check", "faq.md"]).expect(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Without directives a document comes out as it is, byte for byte; with them, twice the same.
    #[test]
    fn a_document_is_built_the_same_each_time(
        text in "\u{feff}?([-#>*`|<\\[\\]_ 0-9.a甲\t\u{1b}]|\r?\n|\r|\\{\\{x){0,60}",
        quotes in proptest::collection::vec("(\r?\n){0,2} {0,5}\\{\\{(rule fow 1014.4|term fow mulligan)\\}\\}(\r?\n){0,2}", 0..3),
    ) {
        let sandbox = Sandbox::new();
        let build = ["faq", "build", "a.md", "-o", "b.md"];
        sandbox.write("a.md", &text);
        let ran = sandbox.run(build);
        prop_assert!(matches!(ran.code, Some(0 | 2)), "{ran:#?}");
        prop_assert_eq!(std::fs::read(sandbox.path("b.md")).unwrap(), text.as_bytes());
        prop_assert!(!sandbox.path("a.md.lock").exists());
        let whole = quotes.iter().fold(text, |text, quote| text + quote);
        sandbox.write("a.md", &whole);
        let both = [0, 1].map(|_| {
            let ran = sandbox.run(build);
            let read = |name: &str| std::fs::read(sandbox.path(name)).unwrap_or_default();
            (ran.code, ran.stderr, read("b.md"), read("a.md.lock"))
        });
        prop_assert_eq!(&both[0], &both[1]);
        // No quote is lost on the way to a page.
        let page = sandbox.run(["faq", "build", "a.md", "--format", "html"]).stdout;
        let built = String::from_utf8_lossy(&both[0].2).into_owned();
        prop_assert_eq!(page.matches("<figcaption>").count(), built.matches("<sub>`").count(), "{}", page);
        prop_assert_eq!(std::fs::read(sandbox.path("a.md")).unwrap(), whole.as_bytes());
    }
}

/// The whole cycle on real rules: built with one edition, checked against the next in both languages, built again.
#[test]
fn the_next_edition_of_a_real_rulebook() {
    let sandbox = Sandbox::new();
    let add = |edition: &str| -> bool {
        ["en", "zh"].iter().all(|lang| {
            let Some(text) = shared(&format!("data/mtg/cr-{lang}/{edition}.txt")) else {
                return false;
            };
            sandbox.copy(&text, &format!("library/rules/mtg/{lang}-{edition}.txt"));
            true
        })
    };
    if !add("2025-11-14") {
        return;
    }
    sandbox.in_library(["ingest"]).expect(0);
    sandbox.write(
        "faq.md",
        "{{rule mtg 506.3}}\n\n{{rule mtg 508.4 only}}\n\n{{rule mtg 508.4b only}}\n\n{{rule mtg 702.19}}\n",
    );
    let build = ["faq", "build", "faq.md", "-o", "out.md"];
    sandbox.in_library(build).expect(0);
    let check = ["faq", "check", "faq.md", "--json"];
    sandbox.in_library(check).expect(0);
    assert!(add("2026-04-17"));
    sandbox.in_library(["ingest"]).expect(0);
    let ran = sandbox.in_library(check).expect(1);
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let found: Vec<String> = ran
        .objects("finding")
        .iter()
        .map(|one| {
            let langs = ["en", "zh"]
                .into_iter()
                .filter(|lang| one["words"][lang].is_array());
            let langs: Vec<&str> = langs.collect();
            let parts = [
                text(&one["id"]),
                text(&one["what"]),
                text(&one["now"]),
                langs.join("+"),
            ];
            parts.join(" ").trim().to_owned()
        })
        .collect();
    assert_eq!(
        found,
        [
            "mtg:rule:506.3d changed-meaning 506.3e",
            "mtg:rule:506.3e changed-meaning 506.3f",
            "mtg:rule:506.3f changed-meaning 506.3g",
            "mtg:rule:508.4 edited - en+zh",
            "mtg:rule:508.4b edited - zh",
        ]
    );
    sandbox.in_library(build).expect(0);
    sandbox.in_library(check).expect(0);
}
