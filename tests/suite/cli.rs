//! The command line's contract: spellings, exit codes, filters, languages.

use crate::harness::Sandbox;

#[test]
fn a_rule_by_number_in_both_languages() {
    let ran = Sandbox::new().run(["fow", "702.3a-1"]).expect(0);
    assert!(ran.stdout.starts_with("702.3a-1"), "{ran:#?}");
    assert!(ran.stdout.contains("own words, after official"), "{ran:#?}");
    let entry = &Sandbox::new().run(["fow", "702.3a-1", "--json"]).expect(0).json()[0];
    assert_eq!(entry["id"], "fow:rule:702.3a-1");
    assert_eq!(entry["depth"], 0);
    for lang in ["en", "zh"] {
        assert!(
            entry["text"][lang].as_str().is_some_and(|text| text.len() > 20),
            "{entry}"
        );
        assert_eq!(entry["provenance"][lang]["class"], "own-words");
    }
}

#[test]
fn a_rule_comes_with_its_subrules_unless_it_shall_not() {
    let sandbox = Sandbox::new();
    let ids = |args: &[&str]| -> Vec<String> {
        let ran = sandbox.run(args.iter().chain(&["--json"])).expect(0);
        ran.objects("entry")
            .iter()
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&["fow", "713.3"]).len(), 4);
    assert_eq!(ids(&["show", "fow", "713.3", "--only"]), ["fow:rule:713.3"]);
    assert_eq!(ids(&["show", "fow", "713.3a-c"]).len(), 3);
    assert_eq!(
        ids(&["show", "fow", "702.3a-1; 1014.4"]),
        ["fow:rule:702.3a-1", "fow:rule:1014.4"]
    );
}

#[test]
fn every_spelling_of_a_number() {
    let sandbox = Sandbox::new();
    for words in [
        vec!["fow", "702.3a-1"],
        vec!["fow:702.3a-1"],
        vec!["702.3a-1", "--game", "力之意志"],
        vec!["--game", "force-of-will", "show", "rule", "702.3A-1."],
        vec!["fow", "§702.3a-1"],
        vec!["fow", "第702.3a-1条"],
        vec!["fow", "规则702.3a-1"],
        vec!["fow", "７０２．３ａ－１"],
        vec!["fow:rule:702.3a-1"],
    ] {
        let ran = sandbox.run(words.iter().chain(&["--json"])).expect(0);
        assert_eq!(ran.json()[0]["id"], "fow:rule:702.3a-1", "{words:?}");
    }
}

#[test]
fn the_traps_of_the_contract() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "L/rules/fow/a.md",
        "+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 101.1\n\nAlpha beta.\n",
    );
    let ran = sandbox.run(["--library", "L", "show", "fow", "101.1"]).expect(0);
    assert!(ran.stdout.contains("Alpha beta."), "{ran:#?}");
    sandbox.run(["card", "--json", "-n", "3"]).expect(2);
    let ran = sandbox.run(["players", "--json", "-n", "3"]).expect(0);
    assert!(
        ran.objects("hit").len() <= 3 && ran.objects("summary").len() == 1,
        "{ran:#?}"
    );
    sandbox.run(["--", "-1/-1"]).expect(1);
    // Words that are commands win, wherever options stand; others never do.
    let ran = sandbox.run(["add", "a", "counter"]).expect(2);
    assert!(
        ran.stderr.contains("cannot be read") && ran.stderr.contains("shiyi search add a"),
        "{ran:#?}"
    );
    let ran = sandbox.run(["card", "advantage"]).expect(1);
    assert!(ran.stderr.contains("advantage"), "{ran:#?}");
    sandbox.run(["search", "status"]).expect(1);
    let ran = sandbox.run(["face-down", "card"]).expect(0);
    assert!(ran.stdout.starts_with("1. "), "{ran:#?}");
    let ran = sandbox.run(["serach", "face-down"]);
    assert!(ran.stderr.contains("`search`"), "{ran:#?}");
}

#[test]
fn exit_codes() {
    let sandbox = Sandbox::new();
    for (args, code) in [
        (vec!["fow", "702.3a"], 0),
        (vec!["fow", "702.99"], 1),
        (vec!["show", "fow", "702.3a; 702.99"], 1),
        (vec!["search", "调度"], 0),
        (vec!["search", "qwertyuiop"], 1),
        (
            vec!["eval", "--game", "fow", "2 power counters", "--value", "2"],
            0,
        ),
        (
            vec!["eval", "--game", "fow", "2 power counters", "--value", "1"],
            1,
        ),
        (vec!["eval", "2 power counters"], 3),
        (vec!["--no-such-option"], 2),
        (vec!["fow", "702.3a", "--game", "nosuchgame"], 2),
        (vec!["--library", "nowhere", "status"], 2),
        (vec!["search", "\""], 2),
        (vec!["--help"], 0),
        (vec!["--version"], 0),
        (vec![], 2),
        (vec!["status"], 0),
    ] {
        let ran = sandbox.run(&args);
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:#?}");
    }
    assert!(
        sandbox
            .run(["--help"])
            .stdout
            .contains("0 found or yes, 1 nothing found or no, 2 error, 3 undecided")
    );
}

#[test]
fn a_quiet_run_says_nothing() {
    let sandbox = Sandbox::new();
    for (args, code) in [
        (["-q", "fow", "702.3a"], 0),
        (["-q", "fow", "702.99"], 1),
        (["-q", "--library", "x"], 2),
    ] {
        let ran = sandbox.run(args).expect(code);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""), "{args:?}");
    }
}

#[test]
fn a_name_shows_what_it_names() {
    let sandbox = Sandbox::new();
    for name in ["mulligan", "Mulligan", "手牌调度"] {
        let ran = sandbox.run(["--game", "fow", name, "--json"]).expect(0);
        let first = &ran.json()[0];
        assert_eq!(first["type"], "entry", "{name}: {first}");
        assert!(ran.stdout.contains("fow:rule:403.5a"), "{name}: {ran:#?}");
    }
    let ran = sandbox.run(["term", "mulligan", "--json"]).expect(0);
    assert_eq!(ran.json()[0]["kind"], "term");
}

#[test]
fn a_miss_helps() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["fow", "702.3b"]).expect(1);
    assert!(
        ran.stdout.is_empty() && ran.stderr.contains("702.3b") && ran.stderr.contains("702.3a"),
        "{ran:#?}"
    );
    let miss = &sandbox.run(["fow", "702.3b", "--json"]).expect(1).json()[0];
    assert_eq!(
        (&miss["type"], &miss["reason"]),
        (&"miss".into(), &"no-such-number".into())
    );
    let ran = sandbox.run(["show", "fow:statement:ffffff"]).expect(1);
    assert!(ran.stderr.contains("ffffff"), "{ran:#?}");
}

#[test]
fn one_language_of_both() {
    let sandbox = Sandbox::new();
    let both = sandbox.run(["fow", "206.5"]).expect(0).stdout;
    let en = sandbox.run(["fow", "206.5", "--lang", "en"]).expect(0).stdout;
    let zh = sandbox.run(["fow", "206.5", "--lang", "zh"]).expect(0).stdout;
    let han = |text: &str| text.chars().filter(|c| ('一'..='龥').contains(c)).count();
    assert!(
        han(&both) > 10 && han(&en) == 0 && han(&zh) == han(&both),
        "{both}{en}{zh}"
    );
}

#[test]
fn messages_in_the_user_s_language() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["fow", "702.99", "--ui-lang", "zh"]).expect(1);
    assert!(ran.stderr.contains("没有规则 702.99"), "{ran:#?}");
    let ran = sandbox
        .command(["fow", "702.99"])
        .env("LC_ALL", "zh_CN.UTF-8")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&ran.stderr).contains("没有规则"));
}

#[test]
fn filters_of_a_search() {
    let sandbox = Sandbox::new();
    let hits = |args: &[&str]| {
        sandbox
            .run(args.iter().chain(&["--json", "-n", "200"]))
            .objects("hit")
    };
    let all = hits(&["search", "initiative"]);
    assert!(all.len() > 5, "{}", all.len());
    let rulings = hits(&["search", "initiative", "--kind", "ruling"]);
    assert!(!rulings.is_empty() && rulings.iter().all(|hit| hit["kind"] == "ruling"));
    assert!(
        hits(&["search", "initiative", "--game", "fow"])
            .iter()
            .all(|hit| hit["game"] == "fow")
    );
    assert!(hits(&["search", "initiative", "--source", "official"]).is_empty());
    assert_eq!(
        hits(&["search", "initiative", "--source", "own-words"]).len(),
        all.len()
    );
    let early = hits(&["search", "initiative", "--until", "2022"]);
    assert!(
        early
            .iter()
            .all(|hit| hit["date"].as_str().unwrap() <= "2022-12-31"),
        "{early:#?}"
    );
    let card = hits(&["search", "trigger", "--card", "Kozilek, the Broken Reality"]);
    assert!(
        !card.is_empty()
            && card
                .iter()
                .all(|hit| hit["cards"][0]["en"] == "Kozilek, the Broken Reality")
    );
    assert!(
        hits(&["search", "counters", "--in", "712-713", "--game", "fow"])
            .iter()
            .all(|hit| hit["citation"].as_str().unwrap().starts_with("71"))
    );
}

#[test]
fn highlights_are_where_they_say() {
    let sandbox = Sandbox::new();
    for query in ["调度", "mulligan", "face-down", "正面朝下", "ABC"] {
        let hits = sandbox.run(["search", query, "--json"]).objects("hit");
        assert!(!hits.is_empty(), "{query}");
        for hit in hits {
            for mark in hit["highlights"].as_array().unwrap() {
                let lang = mark["lang"].as_str().unwrap();
                let item = mark["item"].as_u64().unwrap_or(0) as usize;
                let text = match mark["field"].as_str().unwrap() {
                    "title" => &hit["title"][lang],
                    "text" => &hit["text"][lang],
                    "example" => &hit["examples"][item][lang],
                    "item" => &hit["items"][item][lang],
                    "note" => &hit["notes"][item]["text"],
                    "tag" => &hit["notes"][item]["tag"],
                    "alias" => &hit["aliases"][item],
                    "card" => &hit["cards"][item][lang],
                    other => panic!("{other}"),
                };
                let text = text.as_str().unwrap_or_else(|| panic!("{mark}: {hit}"));
                let range = |key: &str, at: usize| mark[key][at].as_u64().unwrap() as usize;
                let bytes = &text[range("byte", 0)..range("byte", 1)];
                let chars: String = text
                    .chars()
                    .skip(range("char", 0))
                    .take(range("char", 1) - range("char", 0))
                    .collect();
                assert!(!bytes.is_empty() && bytes == chars, "{query}: {mark}");
            }
        }
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let sandbox = Sandbox::new();
    let coloured = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = sandbox.command(args);
        for (name, value) in env {
            command.env(name, value);
        }
        command.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!coloured(&["fow", "702.3a"], &[]));
    assert!(coloured(
        &["fow", "702.3a", "--color", "always"],
        &[("NO_COLOR", "1")]
    ));
    assert!(coloured(&["fow", "702.3a"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(
        &["fow", "702.3a"],
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    ));
}

#[test]
fn text_wraps_by_display_width() {
    use unicode_width::UnicodeWidthStr as _;
    let ran = Sandbox::new().run(["fow", "713.3", "--width", "40"]).expect(0);
    assert!(ran.stdout.lines().count() > 20);
    for line in ran.stdout.lines() {
        assert!(line.width() <= 40, "{line}");
    }
}

#[test]
fn other_forms_of_an_answer() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["show", "fow", "713.3", "--format", "ids"]).expect(0);
    assert_eq!(ran.stdout.lines().next(), Some("fow:rule:713.3"));
    let ran = sandbox.run(["show", "fow", "713.3", "--format", "md"]).expect(0);
    assert!(
        ran.stdout.starts_with("> **713.3") && ran.stdout.contains("`fow:rule:713.3`"),
        "{ran:#?}"
    );
    let ran = sandbox.run(["search", "调度", "--format", "md"]).expect(0);
    assert!(ran.stdout.starts_with("> **"), "{ran:#?}");
}

#[test]
fn numeric_questions() {
    let sandbox = Sandbox::new();
    let holding = |game: &[&str], text: &str| -> Vec<i64> {
        let yes = |value: &i64| {
            let value = value.to_string();
            let args = ["eval", text, "--value", &value, "-q"];
            match sandbox.run(game.iter().copied().chain(args)).code {
                Some(0) => true,
                Some(1) => false,
                other => panic!("{text} with {value}: {other:?}"),
            }
        };
        (0..=6).filter(yes).collect()
    };
    let fow = ["--game", "fow"];
    assert_eq!(holding(&fow, "this card has 2 power counters"), [2, 3, 4, 5, 6]);
    assert_eq!(holding(&fow, "此牌具有2个力量指示物"), [2, 3, 4, 5, 6]);
    assert_eq!(holding(&fow, "its total cost is 2"), [2]);
    assert_eq!(holding(&fow, "合计数量为0"), [0]);
    assert_eq!(holding(&fow, "正好1个，3个或5个指示物"), [1, 3, 5]);
    assert_eq!(holding(&fow, "1个符文牌库具有正好0张或5张牌"), [0, 5]);
    assert_eq!(holding(&fow, "如果1个玩家操控2个或更多领主"), [2, 3, 4, 5, 6]);
    for game in [&fow[..], &["--game", "mtg"], &["--game", "any"], &[]] {
        assert_eq!(holding(game, "2个或更多指示物"), [2, 3, 4, 5, 6], "{game:?}");
        assert_eq!(holding(game, "正好2个指示物"), [2], "{game:?}");
    }
    for game in [&["--game", "mtg"][..], &[]] {
        let ran = sandbox
            .run(game.iter().copied().chain(["eval", "2 power counters", "--json"]))
            .expect(3);
        assert_eq!(
            ran.json()[0]["candidates"],
            serde_json::json!(["x >= 2", "x == 2"]),
            "{game:?}"
        );
    }
    let ran = sandbox
        .run(["eval", "--game", "fow", "2 power counters", "--json"])
        .expect(0);
    assert_eq!(ran.json()[0]["because"][0]["citation"], "104.7");
    assert_eq!(ran.json()[0]["because"][0]["loaded"], true);
}

/// A Chinese locale, or the option, has the whole of a message in Chinese: of the command line's faults, of requests'.
#[test]
fn faults_are_said_in_chinese() {
    let sandbox = Sandbox::new();
    for (args, expected) in [
        (&["show"][..], "错误：缺少 <WORDS>"),
        (
            &["show", "1", "--documnt", "x"],
            "错误：没有选项 --documnt\n  是否想写 --document\n",
        ),
        (
            &["show", "1", "--kind", "foo"],
            "错误：“foo”不能用作 --kind <KIND> 的值\n  可用的值：rule、",
        ),
        (
            &["show", "1", "--only", "--tree"],
            "错误：--only 不能与 --tree 一起使用\n",
        ),
        (
            &["show", "1", "--limit", "x"],
            "错误：“x”不能用作 --limit <N> 的值\n",
        ),
        (
            &["x", "search", "y", "--color=", "1"],
            "错误：--color <WHEN> 需要一个值\n",
        ),
        (
            &["--game", "nosuch", "1"],
            "错误：没有名为“nosuch”的游戏\n  = 建议：已知的游戏：digimon",
        ),
        (
            &["show", "1", "--document", "nosuch"],
            "错误：没有文档“nosuch”\n  = 建议：可用：",
        ),
        (
            &["search", "?!"],
            "错误：其中没有可搜索的内容（查询的第 1 个字符）\n",
        ),
        (&["eval", "2", "--value", "y"], "错误：“y”不是数值"),
        (&["add", "nowhere.txt"], "错误：无法读取："),
    ] {
        let ran = sandbox.run(args.iter().chain(&["--ui-lang", "zh"])).expect(2);
        assert!(ran.stderr.starts_with(expected), "{args:?}: {ran:#?}");
        let mut command = sandbox.command(args);
        let output = command.env("LC_ALL", "zh_CN.UTF-8").output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(expected), "{args:?}: {stderr}");
        let english = sandbox.run(args).expect(2).stderr;
        assert!(english.starts_with("error: "), "{english}");
    }
}

#[test]
fn why_a_text_was_taken_for_something_is_said_in_chinese() {
    let sandbox = Sandbox::new();
    sandbox.write("fow 2.txt", "Force of Will Comprehensive Rules ver. 2.0\n\n101. Start\n\n101.1. Draw two cards, then draw three.\n");
    let ran = sandbox
        .in_library(["add", "fow 2.txt", "--ui-lang", "zh"])
        .expect(0);
    for reason in [
        "游戏、文档：文本写有“",
        "版本：文本写有“ver. 2.0”",
        "体例 编号规则：有 ",
        "编码 UTF-8：所有字节均符合",
    ] {
        assert!(ran.stderr.contains(reason), "{reason}: {ran:#?}");
    }
}

#[test]
fn a_template_writes_each_object() {
    let sandbox = Sandbox::new();
    let ran = sandbox
        .run([
            "show",
            "fow",
            "702.3a-1; 713.3",
            "-t",
            "{{ citation }}: {{ game }}{{ date }}",
            "--only",
        ])
        .expect(0);
    assert_eq!(ran.stdout, "702.3a-1: fow\n713.3: fow\n");
    sandbox.write(
        "line.txt",
        "{% if type == 'hit' %}{{ rank }} {{ matched }}\n{% endif %}",
    );
    let ran = sandbox
        .run(["search", "initiative", "-n", "2", "--template-file", "line.txt"])
        .expect(0);
    let ranks: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(ranks, ["1", "2"]);
    // What is not there is said beside the answer, and the exit code knows.
    let ran = sandbox
        .run(["show", "fow", "999.9", "--template={{ citation }}"])
        .expect(1);
    assert!(
        ran.stdout.is_empty() && ran.stderr.contains("there is no rule 999.9"),
        "{ran:#?}"
    );
    for (template, fault) in [
        ("{{ citation", "the template is wrong (line 1): "),
        ("{{ citation | nosuch }}", "unknown"),
    ] {
        let ran = sandbox.run(["show", "fow", "713.3", "-t", template]).expect(2);
        assert!(
            ran.stderr.contains(fault) && ran.stderr.contains("= help: "),
            "{ran:#?}"
        );
    }
    let ran = sandbox.run(["search", "qwertyuiop", "-t", "x"]).expect(1);
    assert!(ran.stderr.contains("nothing found for `qwertyuiop`"), "{ran:#?}");
    sandbox
        .run(["show", "fow", "713.3", "-t", "x", "--json"])
        .expect(2);
    sandbox
        .run(["show", "fow", "713.3", "--template-file", "nowhere.txt"])
        .expect(2);
    let ran = sandbox
        .run(["export", "--game", "fow", "--in", "713.3", "-t", "{{ id }}"])
        .expect(0);
    assert!(ran.stdout.starts_with("fow:rule:713.3\n"), "{ran:#?}");
}

#[test]
fn a_table_of_values() {
    let sandbox = Sandbox::new();
    for args in [
        &["show", "fow", "713.3; 999.9", "--format", "csv"][..],
        &["search", "initiative", "-n", "3", "--format", "csv"],
        &["export", "--game", "fow", "-n", "3", "--format", "csv"],
    ] {
        let ran = sandbox.run(args);
        assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
        let (names, rows) = ran.stdout.split_once('\n').unwrap();
        assert!(
            names.starts_with("id,game,document,kind,citation,title_en,title_zh,"),
            "{names}"
        );
        assert!(rows.lines().count() >= 2 && rows.contains(','), "{rows}");
        assert_eq!(ran.code == Some(1), ran.stderr.contains("999.9"), "{ran:#?}");
    }
    let ran = sandbox.run(["status", "--format", "csv"]).expect(0);
    assert!(
        ran.stdout
            .starts_with("game,document,edition,lang,counts_chapters,"),
        "{ran:#?}"
    );
    let ran = sandbox
        .run(["eval", "exactly 5 counters", "--format", "csv"])
        .expect(0);
    assert!(ran.stdout.starts_with("text,game,status,predicate,"), "{ran:#?}");
}

#[test]
fn a_search_explains_itself() {
    let sandbox = Sandbox::new();
    let args = ["search", "先制", "-n", "1", "--explain"];
    let ran = sandbox.run(args).expect(0);
    assert!(ran.stdout.contains("\n  score "), "{ran:#?}");
    let json = sandbox.run(args.iter().chain(&["--json"])).expect(0).json();
    assert!(json.last().unwrap()["expansions"].is_array(), "{json:#?}");
    let plain = sandbox
        .run(["search", "先制", "-n", "1", "--json"])
        .expect(0)
        .json();
    assert!(plain.last().unwrap().get("expansions").is_none());
}

#[test]
fn verbose_says_which_library_answers() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["fow", "713.3", "-v"]).expect(0);
    assert!(
        ran.stderr.contains("library: the one that is built in; ") && ran.stderr.contains(" ms"),
        "{ran:#?}"
    );
    sandbox.run(["fow", "713.3", "-v", "-q"]).expect(2);
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let sandbox = Sandbox::new();
    let commands = [
        "show", "search", "card", "term", "eval", "cite", "faq", "export", "doctor",
    ];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.run(["completions", shell]).expect(0).stdout;
        for word in commands.iter().chain(&["ui-lang", "es-bulk"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let script = sandbox.run(["completions", "bash"]).expect(0).stdout;
    let path = sandbox.write("shiyi.bash", &script);
    sandbox.shell(&format!("bash -n {}", path.display())).expect(0);
    sandbox.run(["completions", "nosuch"]).expect(2);
    let page = sandbox.run(["man"]).expect(0).stdout;
    assert!(page.contains(".TH shiyi 1"), "{page}");
    for command in commands {
        assert!(page.contains(&format!("shiyi\\-{command}(1)")), "{command}");
        let page = sandbox.run(["man", command]).expect(0).stdout;
        assert!(
            page.contains(&format!(".TH shiyi\\-{command} 1"))
                || page.contains(&format!(".TH shiyi-{command} 1")),
            "{page}"
        );
    }
    let ran = sandbox.run(["man", "nosuch"]).expect(2);
    assert!(ran.stderr.contains("known: show, search"), "{ran:#?}");
}

/// The game that is meant: the option, else a word of the query, else `SHIYI_GAME`, else the settings.
#[test]
fn which_game_is_meant() {
    let sandbox = Sandbox::new();
    for (game, text) in [("fow", "Lanterns are lit."), ("mtg", "Lanterns are put out.")] {
        sandbox.write(
            &format!("library/rules/{game}/rules.md"),
            format!("+++\ngame = \"{game}\"\nkind = \"rule\"\nedition = \"1\"\n+++\n\n## 702 Lanterns\n\n## 702.1\n\n{text}\n"),
        );
    }
    sandbox.in_library(["ingest"]).expect(0);
    let asked = |env: Option<&str>, args: &[&str]| {
        let mut command = sandbox.command(args.iter().chain(&["--json"]));
        command.env("SHIYI_LIBRARY", sandbox.library());
        if let Some(game) = env {
            command.env("SHIYI_GAME", game);
        }
        let output = command.output().unwrap();
        let objects = String::from_utf8(output.stdout).unwrap();
        let games = objects.lines().map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            object["game"].as_str().unwrap_or_default().to_owned()
        });
        games.filter(|game| !game.is_empty()).collect::<Vec<_>>()
    };
    let both = ["fow", "mtg"];
    assert_eq!(asked(None, &["702.1"]), both);
    assert_eq!(asked(Some("mtg"), &["702.1"]), ["mtg"]);
    sandbox.write("config/shiyi/config.toml", "default_game = \"Force of Will\"\n");
    assert_eq!(asked(None, &["702.1"]), ["fow"]);
    assert_eq!(asked(None, &["mtg", "702.1"]), ["mtg"]);
    assert_eq!(asked(None, &["702.1", "--game", "mtg"]), ["mtg"]);
    for command in ["show", "search"] {
        assert_eq!(asked(Some("mtg"), &[command, "702.1"]), ["mtg"], "{command}");
        assert_eq!(
            asked(Some("mtg"), &[command, "fow", "702.1"]),
            ["fow"],
            "{command}"
        );
        assert_eq!(
            asked(Some("mtg"), &[command, "702.1", "--game", "fow"]),
            ["fow"],
            "{command}"
        );
    }
    sandbox.write("config/shiyi/config.toml", "default_gam = 1\n");
    let ran = sandbox.in_library(["702.1"]).expect(2);
    assert!(
        ran.stderr.contains("config.toml` cannot be read: unknown field"),
        "{ran:#?}"
    );
}

#[test]
fn help_in_chinese() {
    let sandbox = Sandbox::new();
    let han = |text: &str| text.chars().filter(|c| ('一'..='龥').contains(c)).count();
    for (args, expected) in [
        (&["--help"][..], "释疑：按编号查规则"),
        (
            &["search", "--help"],
            "用任一语言搜索规则、释疑、术语与说明\n\n用法：",
        ),
        (&["--json", "cite", "check", "-h"], "指出哪些已删除、移动"),
        (&["export", "-h"], "按阅读顺序导出规则库"),
    ] {
        let ran = sandbox.run(args.iter().chain(&["--ui-lang", "zh"])).expect(0);
        assert!(ran.stdout.starts_with(expected), "{args:?}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("选项：") && han(&ran.stdout) > 200,
            "{}",
            ran.stdout
        );
        for english in ["Usage:", "Options:", "Print help", "possible values"] {
            assert!(!ran.stdout.contains(english), "{args:?}: {english}");
        }
        assert!(sandbox.run(args).expect(0).stdout.contains("Usage:"));
    }
    let ran = sandbox.run(["--ui-lang", "zh"]).expect(2);
    assert!(
        ran.stdout.contains("用法：shiyi") && ran.stdout.contains("退出码："),
        "{ran:#?}"
    );
}

#[test]
fn a_quiet_run_does_not_say_what_is_wrong_with_its_options() {
    let sandbox = Sandbox::new();
    for args in [
        vec!["-q", "--no-such-option"],
        vec!["show", "-q"],
        vec!["--quiet", "--json", "--kind", "x", "y"],
        vec!["-qv", "x"],
    ] {
        let ran = sandbox.run(&args).expect(2);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""), "{args:?}");
    }
    // What follows an option with a value is its value.
    assert!(
        !sandbox
            .run(["-tq", "--no-such-option"])
            .expect(2)
            .stderr
            .is_empty()
    );
}

#[test]
fn what_is_missing_stands_in_the_error() {
    let ran = Sandbox::new().run(["show", "--json"]).expect(2);
    let error: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    let message = error["message"].as_str().unwrap();
    assert!(message.ends_with("<WORDS>..."), "{message}");
}

#[test]
fn a_page_of_an_answer() {
    let sandbox = Sandbox::new();
    let ids = |args: &[&str]| {
        sandbox
            .run(args.iter().chain(&["--format", "ids"]))
            .expect(0)
            .stdout
    };
    let whole = ids(&["show", "fow", "713.3"]);
    let page = ids(&["show", "fow", "713.3", "-n", "2", "--offset", "1"]);
    assert_eq!(
        page.lines().collect::<Vec<_>>(),
        whole.lines().skip(1).take(2).collect::<Vec<_>>()
    );
    assert_eq!(ids(&["show", "fow", "713.3", "-n", "0"]), "");
}

#[test]
fn a_page_of_changes() {
    let sandbox = Sandbox::new();
    for (edition, words) in [("1", "Draw one card."), ("2", "Draw two big cards.")] {
        let rules: String = (1..=4)
            .map(|n| format!("\n## 101.{n}\n\nRule {n}: {words}\n"))
            .collect();
        sandbox.write(
            &format!("library/rules/fow/{edition}.md"),
            format!("+++\ngame = \"fow\"\nkind = \"rule\"\nedition = \"{edition}\"\n+++\n{rules}"),
        );
    }
    let diff = |args: &[&str]| {
        let args = ["diff", "1", "2", "--game", "fow"].iter().chain(args);
        sandbox.in_library(args).expect(1).stdout
    };
    assert_eq!(diff(&["--format", "ids"]), "101.1\n101.2\n101.3\n101.4\n");
    assert_eq!(
        diff(&["--format", "ids", "-n", "2", "--offset", "1"]),
        "101.2\n101.3\n"
    );
    assert_eq!(diff(&["--json", "-n", "1"]).lines().count(), 1);
    let markdown = diff(&["--format", "md", "-n", "1"]);
    assert!(
        markdown.contains("> **edited** 101.1 (1) → 101.1 (2)"),
        "{markdown}"
    );
    assert!(
        markdown.contains("<ins>") && markdown.contains("<del>"),
        "{markdown}"
    );
    let history = sandbox
        .in_library(["history", "fow", "101.2", "--json", "-n", "0"])
        .expect(0);
    assert_eq!(history.stdout, "");
}

#[test]
fn a_form_that_a_command_does_not_have_is_an_error() {
    let sandbox = Sandbox::new();
    for args in [
        ["status", "--format", "ids"],
        ["status", "--format", "md"],
        ["doctor", "--format", "csv"],
        ["batch", "--format", "text"],
    ] {
        let ran = sandbox.run(args).expect(2);
        assert!(
            ran.stdout.is_empty() && ran.stderr.contains("known: "),
            "{ran:#?}"
        );
    }
    sandbox.write("a.md", "{{rule fow 713.3}}\n");
    for form in ["csv", "ids", "es-bulk"] {
        let ran = sandbox.run(["faq", "build", "a.md", "--format", form]).expect(2);
        assert_eq!(ran.stdout, "", "{form}");
    }
    for command in [&["fow", "713.3"][..], &["faq", "check", "a.md"], &["export"]] {
        let ran = sandbox.run(command.iter().chain(&["--format", "html"])).expect(2);
        assert_eq!(ran.stdout, "", "{command:?}");
    }
}

#[test]
fn a_word_of_the_texts_is_no_slip() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "library/rules/fow/a.md",
        "+++\ngame = \"fow\"\nkind = \"rule\"\n+++\n\n## 101.1\n\nA statue is carved.\n",
    );
    for (words, hint) in [
        (["statue", "carved"], false),
        (["statux", "carved"], true),
        (["how", "many"], false),
        (["hard", "counter"], false),
    ] {
        let ran = sandbox.in_library(words);
        assert_eq!(
            ran.stderr.contains("did you mean the command"),
            hint,
            "{words:?}: {ran:#?}"
        );
    }
}

#[test]
fn nothing_to_export_is_said() {
    let ran = Sandbox::new()
        .run(["export", "--game", "fow", "--card", "No Such Card"])
        .expect(1);
    assert!(
        ran.stdout.is_empty() && ran.stderr.contains("shiyi status"),
        "{ran:#?}"
    );
}

#[test]
fn a_calculation_knows_its_keys() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run([
        "calc",
        "damage",
        "base=3",
        "modifiers=double",
        "bogus=3",
        "--game",
        "fow",
    ]);
    let ran = ran.expect(2);
    assert!(
        ran.stderr
            .contains("`damage` has no `bogus`; it has `base`, `modifiers`"),
        "{ran:#?}"
    );
}

#[test]
fn a_moved_rule_says_so_in_a_table() {
    let ran = Sandbox::new()
        .run(["show", "fow", "713.3", "--format", "csv"])
        .expect(0);
    assert!(ran.stdout.lines().next().unwrap().ends_with(",via"), "{ran:#?}");
}

#[test]
fn citations_of_stdin() {
    let sandbox = Sandbox::new();
    let named = sandbox.write("a.md", "See 713.3.\n");
    let named = sandbox.run(["cite", "check", named.to_str().unwrap(), "--game", "fow"]);
    let piped = sandbox.run_with(["cite", "check", "-", "--game", "fow"], "See 713.3.\n");
    assert_eq!((piped.code, &piped.stderr), (named.code, &named.stderr));
    let ran = sandbox.run(["cite", "upgrade", "-", "--from", "1"]).expect(2);
    assert!(ran.stderr.contains("cannot be rewritten"), "{ran:#?}");
}

#[test]
fn help_and_version_as_the_only_word_are_no_search() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["help"]).expect(0);
    assert!(ran.stdout.contains("Usage: shiyi"), "{ran:#?}");
    let ran = sandbox.run(["help", "--ui-lang", "zh"]).expect(0);
    assert!(ran.stdout.contains("用法："), "{ran:#?}");
    let ran = sandbox.run(["version"]).expect(0);
    assert_eq!(ran.stdout, sandbox.run(["--version"]).expect(0).stdout);
    // Searched for, they are words like any others.
    let ran = sandbox.run(["search", "help"]);
    assert!(!ran.stdout.contains("Usage: shiyi"), "{ran:#?}");
}

#[test]
fn an_empty_library_variable_names_none() {
    let sandbox = Sandbox::new();
    let output = sandbox
        .command(["fow", "702.3a-1"])
        .env("SHIYI_LIBRARY", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn the_help_of_calc_names_the_keys_of_each_operation() {
    let sandbox = Sandbox::new();
    for (lang, heading) in [("en", "The operations and their keys:"), ("zh", "运算及其键：")] {
        let help = sandbox
            .run(["calc", "--help", "--ui-lang", lang])
            .expect(0)
            .stdout;
        assert!(help.contains(heading), "{help}");
        for op in shiyi::evaluate::calc::OPERATIONS {
            let line = help.lines().find(|line| line.trim_start().starts_with(op));
            let line = line.unwrap_or_else(|| panic!("{op} is not in {help}"));
            for key in shiyi::evaluate::calc::keys(op) {
                assert!(line.contains(key), "{line}");
            }
        }
    }
}
