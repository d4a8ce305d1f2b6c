//! Foreign characters never steer a terminal, and no way of closing the output makes the program fall over.

use crate::harness::{Ran, Sandbox};

/// What could steer a terminal, reorder what is read, or hide it.
const PAYLOADS: [&str; 42] = [
    "\u{1b}[31mred",
    "\u{1b}[2J",
    "\u{1b}[H",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]0;unterminated",
    "\u{1b}]8;;http://evil.example\u{1b}\\link",
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{1b}c",
    "\u{1b}(0",
    "\u{1b}#8",
    "\u{1b}[6n",
    "\u{1b}[?1049h",
    "\u{1b}_apc\u{1b}\\",
    "\u{1b}^pm\u{1b}\\",
    "\u{1b}",
    "\u{9b}31m",
    "\u{9d}0;t\u{9c}",
    "\u{90}x\u{9c}",
    "\u{85}",
    "\u{80}",
    "\u{8}\u{8}\u{8}over",
    "\u{7}",
    "\u{0}nul",
    "\u{c}form",
    "\u{b}vt",
    "\u{e}so\u{f}",
    "\u{7f}del",
    "carriage\rover",
    "\u{202e}evil",
    "\u{202a}a\u{202c}",
    "\u{2066}i\u{2069}",
    "\u{200b}zero",
    "\u{200e}lrm\u{200f}",
    "\u{200d}zwj",
    "\u{feff}bom",
    "\u{2028}ls",
    "\u{2029}ps",
    "\u{61c}alm",
    "\u{ad}shy",
    "\u{e0041}tag",
    "\u{fff9}anno",
];

/// The raw characters of those payloads; `\n` and `\t` are harmless.
fn raw(text: &str) -> Vec<char> {
    text.chars()
        .filter(|&c| {
            matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        })
        .collect()
}

#[track_caller]
fn is_harmless(ran: &Ran, what: &str) {
    assert!(
        raw(&ran.stdout).is_empty(),
        "{what}: {:?} in {:?}",
        raw(&ran.stdout),
        ran.stdout
    );
    assert!(
        raw(&ran.stderr).is_empty(),
        "{what}: {:?} in {:?}",
        raw(&ran.stderr),
        ran.stderr
    );
    assert!(!ran.stderr.contains("panicked"), "{what}: {ran:#?}");
}

/// A library that holds every payload in every field that a text can have.
fn hostile_library() -> Sandbox {
    let sandbox = Sandbox::new();
    // NUL makes a file binary and a lone CR ends a line: as text they are tested in queries.
    let payloads = PAYLOADS.iter().filter(|payload| !payload.contains(['\0', '\r']));
    let mut rules = String::from("+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n");
    let mut rulings = String::from("+++\ngame = \"fow\"\nkind = \"ruling\"\n+++\n\n");
    for (idx, payload) in payloads.enumerate() {
        let number = 101 + idx;
        rules.push_str(&format!(
            "## {number}.1 Title {payload} / 标题{payload}\n\nWord{payload} text.\n\n文字{payload}。\n\n\
             Example: Example {payload}.\n\nFormat note (T{payload}): Note {payload}.\n\n"
        ));
        rulings.push_str(&format!(
            "## Ruling {number}\n\n- date: 2024-01-02\n- card: Card {payload} / 牌{payload}\n- provenance: machine tag{payload}\n\n\
             Ruling word{number} {payload}.\n\n"
        ));
    }
    sandbox.write("library/rules/fow/hostile.md", rules);
    sandbox.write("library/rulings/fow/hostile.md", rulings);
    sandbox.write(
        "library/rules/fow/\u{1b}[31mname\u{202e}.txt",
        "nothing known \u{1b}[2J",
    );
    sandbox
}

#[test]
fn no_text_steers_the_terminal() {
    let sandbox = hostile_library();
    let ran = sandbox.in_library(["ingest"]);
    is_harmless(&ran, "ingest");
    for format in ["text", "json", "md", "ids"] {
        for args in [
            vec!["show", "fow", "101.1-145.1"],
            vec!["search", "word", "-n", "100"],
            vec!["search", "ruling", "-n", "100"],
            vec!["card", "Card"],
            vec!["status"],
            vec!["ingest"],
            vec!["doctor"],
            vec!["doctor", "--rules"],
        ] {
            let ran = sandbox.in_library(args.iter().chain(&["--format", format]));
            is_harmless(&ran, &format!("{args:?} as {format}"));
            if args[0] == "show" && format == "text" {
                assert!(ran.stdout.contains("␛[31mred"), "{ran:#?}");
            }
        }
    }
}

#[test]
fn no_query_steers_the_terminal() {
    let sandbox = Sandbox::new();
    for payload in PAYLOADS.iter().filter(|payload| !payload.contains('\0')) {
        for args in [
            vec![*payload],
            vec!["show", payload],
            vec!["search", payload],
            vec!["term", payload],
            vec!["card", payload],
            vec!["eval", payload],
            vec!["--game", payload, "x"],
            vec!["--library", payload, "status"],
            vec!["--kind", payload, "x"],
            vec!["faq", "build", payload],
            vec!["add", payload],
            vec!["serach", payload],
        ] {
            for json in [false, true] {
                let ran = sandbox.run(args.iter().copied().chain(json.then_some("--json")));
                is_harmless(&ran, &format!("{args:?}"));
            }
        }
    }
}

#[test]
fn no_document_steers_the_terminal() {
    let sandbox = Sandbox::new();
    for (idx, payload) in PAYLOADS
        .iter()
        .filter(|payload| !payload.contains(['\0', '\r']))
        .enumerate()
    {
        // What the author wrote stays; what is said about it is made safe.
        sandbox.write(&format!("{idx}.md"), format!("{{{{rule fow 9{payload}99}}}}\n"));
        let ran = sandbox.run(["faq", "build", &format!("{idx}.md"), "-o", "out.md"]);
        is_harmless(&ran, payload);
    }
}

const COMMANDS: [&str; 11] = [
    "shiyi fow 713.3",
    "shiyi show fow 713.3 --json",
    "shiyi search initiative -n 100",
    "shiyi term mulligan",
    "shiyi card kozilek",
    "shiyi eval --game fow '2 power counters'",
    "shiyi status",
    "shiyi doctor",
    "shiyi --help",
    "shiyi faq build faq.md",
    "echo '{\"id\":1,\"do\":\"show\",\"query\":\"fow 713.3\"}' | shiyi batch",
];

#[test]
fn closed_and_full_outputs() {
    let sandbox = Sandbox::new();
    sandbox.write("faq.md", "# A\n\n{{rule fow 713.3}}\n");
    for command in COMMANDS {
        let ran = sandbox.shell(&format!("set -o pipefail; {command} | head -1 >/dev/null"));
        assert_eq!(ran.code, Some(0), "{command} | head -1: {ran:#?}");
        let ran = sandbox.shell(&format!("set -o pipefail; {command} | true"));
        assert_eq!(ran.code, Some(0), "{command} | true: {ran:#?}");
        let ran = sandbox.shell(&format!("{command} >&-"));
        assert!(
            !ran.stderr.contains("panicked") && ran.code == Some(0),
            "{command} >&-: {ran:#?}"
        );
        if cfg!(target_os = "linux") {
            let ran = sandbox.shell(&format!("{command} >/dev/full"));
            assert_eq!(ran.code, Some(2), "{command} >/dev/full: {ran:#?}");
            assert!(!ran.stderr.contains("panicked"), "{command} >/dev/full: {ran:#?}");
        }
    }
}
