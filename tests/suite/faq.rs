//! `faq build`: directives expanded, code left alone, faults located.

use crate::harness::Sandbox;

const DOCUMENT: &str = "# 释疑 / FAQ

Before the first.

{{rule fow 702.3a-1}}

{{rule fow 713.3 only}}

{{rule fow 403.5a lang=zh}}

{{statement fow:statement:bare-number}}

{{term fow mulligan}}

{{search mtg \"显化 双面牌\" limit=1}}

{{search \"initiative\" limit=2 kind=ruling}}

{{eval fow \"2 power counters\" value=3}}

{{eval fow \"正好5个，10个或15个指示物\"}}

{{rule fow 1014.4}}

```
{{rule fow 702.3a-1}}
```

    {{rule fow 702.3a}}

In a line: {{rule fow 702.3a}}.
";

#[test]
fn ten_directives_build_twice_to_the_same_bytes() {
    let sandbox = Sandbox::new();
    sandbox.write("faq.md", DOCUMENT);
    let first = sandbox.run(["faq", "build", "faq.md"]).expect(0).stdout;
    sandbox.run(["faq", "build", "faq.md", "-o", "out.md"]).expect(0);
    let second = std::fs::read_to_string(sandbox.path("out.md")).unwrap();
    assert_eq!(first, second);
    for kept in [
        "# 释疑 / FAQ",
        "Before the first.",
        "```\n{{rule fow 702.3a-1}}\n```",
        "    {{rule fow 702.3a}}",
        "In a line: {{rule fow 702.3a}}.",
    ] {
        assert!(first.contains(kept), "{kept}: {first}");
    }
    assert_eq!(first.matches("{{").count(), 3, "{first}");
    for quoted in [
        "`fow:rule:702.3a-1`",
        "`fow:rule:713.3`",
        "`fow:rule:1014.4`",
        "own words, after official",
        "zh T2",
        "**3: yes**",
    ] {
        assert!(first.contains(quoted), "{quoted}: {first}");
    }
    assert!(!first.contains("`fow:rule:713.3a`"), "only");
}

#[test]
fn quotes_stand_apart() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "faq.md",
        "Above\n{{rule fow 206.5}}\n{{rule fow 1014.4}}\nBelow\n",
    );
    let built = sandbox.run(["faq", "build", "faq.md"]).expect(0).stdout;
    assert!(built.starts_with("Above\n\n> **206.5"), "{built}");
    assert!(
        built.contains("\n\n> **1014.4") && built.ends_with("\n\nBelow\n"),
        "{built}"
    );
    sandbox.write("crlf.md", "A\r\n\r\n{{rule fow 206.5}}\r\n\r\nB\r\n");
    let built = sandbox.run(["faq", "build", "crlf.md"]).expect(0).stdout;
    assert_eq!(
        built.matches('\n').count(),
        built.matches("\r\n").count(),
        "{built:?}"
    );
    sandbox.write("zh.md", "{{eval fow \"2 power counters\" value=3 lang=zh}}\n");
    let built = sandbox.run(["faq", "build", "zh.md"]).expect(0).stdout;
    assert!(
        built.contains("**3：是**") && built.contains("2 power counters"),
        "{built}"
    );
    sandbox.run(["faq", "build", "zh.md", "-o", "out.html"]).expect(2);
}

#[test]
fn faults_are_located() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "faq.md",
        "# A\n\n{{rule fow 999.9}}\n\nText.\n\n{{rule fow 1014.4}}\n",
    );
    let ran = sandbox.run(["faq", "build", "faq.md"]).expect(1);
    assert!(
        ran.stderr.contains("faq.md:3:1") && ran.stderr.contains("999.9"),
        "{ran:#?}"
    );
    assert!(ran.stdout.contains("`fow:rule:1014.4`"), "{ran:#?}");
    sandbox.write("bad.md", "{{rul fow 1014.4}}\n\n{{search mtg x limit=many}}\n");
    let ran = sandbox.run(["faq", "build", "bad.md"]).expect(2);
    assert!(
        ran.stderr.contains("bad.md:1:1") && ran.stderr.contains("bad.md:3:1"),
        "{ran:#?}"
    );
    sandbox.run(["faq", "build", "missing.md"]).expect(2);
    sandbox.run(["faq", "build", "faq.md", "-o", "faq.md"]).expect(2);
    // A document is no object: the same as with `--format json`.
    let ran = sandbox.run(["faq", "build", "faq.md", "--json"]).expect(2);
    let fault: serde_json::Value = serde_json::from_str(ran.stderr.lines().next().unwrap()).unwrap();
    assert_eq!((&fault["code"], ran.stdout.as_str()), (&"format".into(), ""));
}
