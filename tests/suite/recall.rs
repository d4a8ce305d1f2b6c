//! What a search must find: everything the eye can see, whatever the spelling, and nothing else.

use crate::real_data::shared;
use crate::texts::{games, read_as};
use proptest::prelude::*;
use shiyi::corpus::{Corpus, Entries, Key};
use shiyi::entry::{Bilingual, CardRef, Entry, Kind, Lang, ProvenanceClass, SourceRef};
use shiyi::fold::is_han;
use shiyi::index::{Hits, Index, Matched, OpenError, build};
use shiyi::pair::pair;
use shiyi::query::{Filters, Search, SourceFilter, Within};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::LazyLock;

fn entry(id: &str, kind: Kind, en: &str, zh: &str) -> Entry {
    let source = SourceRef {
        file: "rules/demo/a.txt".into(),
        line: 1,
        lang: None,
    };
    let mut entry = Entry::new(id, "demo", "cr", kind, source);
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    entry.text = Bilingual {
        en: text(en),
        zh: text(zh),
    };
    if let Some(number) = id.strip_prefix("demo:rule:") {
        entry.citation = number.parse().ok();
    }
    entry
}

fn term(id: &str, en: &str, zh: &str, text_en: &str, text_zh: &str) -> Entry {
    let mut entry = entry(&format!("demo:term:{id}"), Kind::Term, text_en, text_zh);
    entry.title = Bilingual {
        en: (!en.is_empty()).then(|| en.to_owned()),
        zh: (!zh.is_empty()).then(|| zh.to_owned()),
    };
    entry
}

/// A library of invented rules, one for each point the tests make.
fn demo_entries() -> Vec<Entry> {
    let mut entries = vec![
        entry("demo:rule:700", Kind::Section, "", "附加规则"),
        entry(
            "demo:rule:702.3",
            Kind::Rule,
            "Put the card into play, see rule 5.1.",
            "把牌放进战场。",
        ),
        entry(
            "demo:rule:702.3a",
            Kind::Rule,
            "A face- down card stays hidden.",
            "牌面朝下的牌不公开。",
        ),
        entry(
            "demo:rule:702.3a-1",
            Kind::Rule,
            "Otherwise bury it.",
            "否则埋葬之。",
        ),
        entry(
            "demo:rule:702.30",
            Kind::Rule,
            "Rule 1702.3 says 300.",
            "抽三百张牌，或300张。",
        ),
        entry("demo:rule:703.1", Kind::Rule, "", "抽三张牌。"),
        entry("demo:rule:703.2", Kind::Rule, "", "抽3张牌，不得弃牌。"),
        entry(
            "demo:rule:704.1",
            Kind::Rule,
            "",
            "琥珀可以抵消【调查】。{耗竭}：同上。",
        ),
        entry(
            "demo:rule:704.2",
            Kind::Rule,
            "A J-ruler entering the field gets +1/+1 and {2}{W}.",
            "Ｊ－ｒｕｌｅｒ进场时得到[-100/-100]。",
        ),
        entry(
            "demo:rule:704.3",
            Kind::Rule,
            "",
            "強制佔領後，玩家檢視裏面的牌並發動效果。",
        ),
        entry(
            "demo:rule:704.4",
            Kind::Rule,
            "",
            "T2格式的牌，CR702.19b践踏，生物creature。",
        ),
        entry(
            "demo:rule:704.5",
            Kind::Rule,
            "Creatures dying count as naïve “quoted words” here.",
            "他买了小化妆包。",
        ),
        entry(
            "demo:rule:704.6",
            Kind::Rule,
            "An overrun deals damage with trample.",
            "",
        ),
        entry(
            "demo:rule:704.7",
            Kind::Rule,
            "",
            "具有践踏的牌横置，生物进战场时横置。",
        ),
        term(
            "trample",
            "Trample",
            "践踏",
            "A keyword about damage.",
            "关于伤害的关键词。",
        ),
        term(
            "first-strike",
            "First Strike",
            "先攻",
            "It strikes first.",
            "先造成伤害。",
        ),
        term("grab", "", "抓", "", "拿走一张牌。"),
    ];
    entries.last_mut().unwrap().aliases = vec!["擒拿".into(), "Two-Headed Catch".into()];
    let mut ruling = entry(
        "demo:ruling:0123456789abcdef",
        Kind::Ruling,
        "It may be grabbed twice.",
        "它可以被抓两次。",
    );
    ruling.date = Some("2024-06-07".into());
    ruling.cards = vec![CardRef {
        en: Some("Old Badger".into()),
        zh: Some("𫜰老獾".into()),
        ..CardRef::default()
    }];
    ruling.provenance.en = Some(shiyi::entry::Provenance {
        class: ProvenanceClass::Official,
        ..Default::default()
    });
    ruling.provenance.zh = Some(shiyi::entry::Provenance {
        class: ProvenanceClass::Machine,
        tag: Some("gpt".into()),
        after: None,
    });
    ruling.examples = vec![
        Bilingual::one(Lang::Zh, "例一".into()),
        Bilingual::both("two".into(), "例二".into()),
    ];
    entries.push(ruling);
    entries
}

fn index_of(entries: Vec<Entry>) -> (Corpus, Index) {
    let (corpus, _) = Corpus::build(entries, &games());
    let index = Index::from_bytes(build(&corpus, &[("note", b"kept")]).unwrap()).unwrap();
    (corpus, index)
}

static DEMO: LazyLock<(Corpus, Index)> = LazyLock::new(|| index_of(demo_entries()));

fn search(query: &str) -> Hits {
    DEMO.1.search(&Search::new(query).unwrap()).unwrap()
}

/// The numbers (or ids) of what is found, best first.
fn found(query: &str) -> Vec<String> {
    names(&search(query))
}

fn names(hits: &Hits) -> Vec<String> {
    let name = |entry: &Entry| {
        entry
            .citation
            .as_ref()
            .map_or_else(|| entry.id.to_string(), |number| number.to_string())
    };
    hits.hits.iter().map(|hit| name(&hit.entry)).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

#[track_caller]
fn finds(query: &str, expected: &[&str]) {
    let hits = search(query);
    assert_eq!(sorted(names(&hits)), expected, "{query}");
    assert_eq!(hits.total, expected.len(), "{query}");
    assert!(
        hits.hits.iter().all(|hit| hit.matched != Matched::Fallback),
        "{query}"
    );
}

#[test]
fn a_number_finds_itself_and_what_stands_below() {
    finds("702.3", &["702.3", "702.3a", "702.3a-1"]);
    finds("702.3a-1", &["702.3a-1"]);
    finds("７０２．３ａ", &["702.3a", "702.3a-1"]);
    finds("1702.3", &["702.30"]);
    finds("300", &["702.30"]);
    assert_eq!(found("702.3")[0], "702.3");
    finds("CR702.19b践踏", &["704.4"]);
}

#[test]
fn spelling_does_not_matter() {
    for query in [
        "face-down",
        "Face down",
        "face–down",
        "FACE- DOWN",
        "ｆａｃｅ-down",
    ] {
        finds(query, &["702.3a"]);
    }
    for query in ["[调查]", "【調查】", "「调查」", "调查", "調查"] {
        finds(query, &["704.1"]);
    }
    for query in [
        "强制占领",
        "強制佔領",
        "强制占領",
        "里面的牌并发动",
        "裡面的牌併發動",
    ] {
        finds(query, &["704.3"]);
    }
    finds("生物creature", &["704.4"]);
    finds("生物 creature", &["704.4"]);
    finds("creature生物", &["704.4"]);
    finds("T2格式", &["704.4"]);
    finds("J-ruler进场", &["704.2"]);
    finds("naive", &["704.5"]);
    finds("creature dies", &["704.5"]);
    finds("-100/-100", &["704.2"]);
    finds("{2}{W}", &["704.2"]);
    finds("+1/+1", &["704.2"]);
}

#[test]
fn one_character_and_parts_of_words() {
    finds("珀", &["704.1"]);
    finds("小化妆", &["704.5"]);
    finds("不得", &["703.2"]);
    assert_eq!(found("抓")[0], "demo:term:grab");
    finds("老獾", &["demo:ruling:0123456789abcdef"]);
    finds("齾老", &["demo:ruling:0123456789abcdef"]);
}

#[test]
fn figures_and_numerals_ask_the_same() {
    assert_eq!(found("3张"), ["703.2", "703.1"]);
    assert_eq!(found("三张"), ["703.1", "703.2"]);
    assert_eq!(search("3张").hits[1].matched, Matched::Folded);
}

#[test]
fn a_name_in_one_language_finds_the_other() {
    let hits = search("trample");
    assert_eq!(hits.hits[0].entry.id, "demo:term:trample");
    let by = |number: &str| {
        let hit = hits
            .hits
            .iter()
            .find(|hit| hit.entry.citation.as_ref().is_some_and(|c| c.as_str() == number));
        hit.map(|hit| hit.matched)
    };
    assert_eq!(by("704.6"), Some(Matched::Exact));
    assert_eq!(by("704.7"), Some(Matched::CrossLanguage));
    assert!(hits.expansions.iter().any(|expansion| expansion.to == "践踏"));
    assert!(found("践踏").contains(&"704.6".to_owned()));
    finds("first strike", &["demo:term:first-strike"]);
    finds("擒拿", &["demo:ruling:0123456789abcdef", "demo:term:grab"]);
    let hits = search("擒拿");
    assert_eq!(hits.hits[1].matched, Matched::Alias);
}

#[test]
fn quotes_are_exact_but_for_spelling() {
    finds("\"quoted words\"", &["704.5"]);
    finds("“Quoted Words”", &["704.5"]);
    assert_eq!(search("\"quoted word\"").total, 0);
    assert_eq!(search("\"words quoted\"").total, 0);
    finds("「生物进战场」", &["704.7"]);
    finds("\"物進戰場\"", &["704.7"]);
    assert_eq!(search("「生物战场」").total, 0);
}

#[test]
fn what_is_not_all_there_is_marked() {
    let hits = search("践踏如何抵消琥珀");
    assert!(hits.total > 0);
    assert!(hits.hits.iter().all(|hit| hit.matched == Matched::Fallback));
    assert_eq!(search("珊瑚").total, 0);
    assert_eq!(search("zzyzx").total, 0);
}

#[test]
fn a_plural_finds_what_is_called_so() {
    let rule = entry("demo:rule:900.1", Kind::Rule, "Guard tokens guard tokens.", "");
    let token = term(
        "guard-token",
        "Guard Token",
        "",
        "What keeps watch, with much else to be said of it.",
        "",
    );
    let (_, index) = index_of(vec![rule, token]);
    for query in ["guard token", "Guard Tokens"] {
        let hits = index.search(&Search::new(query).unwrap()).unwrap();
        assert_eq!(names(&hits), ["demo:term:guard-token", "900.1"], "{query}");
    }
}

/// What a search of some entries finds.
fn search_in(index: &Index, query: &str) -> Hits {
    index.search(&Search::new(query).unwrap()).unwrap()
}

#[test]
fn words_that_hardly_a_text_has_are_respelt() {
    let respelt = |query: &str| -> Vec<String> {
        let respelt = search(query).respelt;
        respelt
            .iter()
            .map(|other| format!("{}={}", other.from, other.to))
            .collect()
    };
    // Two words written as one, one as two, the initials of a name: the same words to a reader.
    for (query, meant, expected) in [
        ("firststrike", "first strike", "firststrike=first strike"),
        ("FirstStrikes", "first strike", "firststrikes=first strikes"),
        ("over run", "overrun", "over run=overrun"),
        ("2HC", "Two-Headed Catch", "2hc=two-headed catch"),
        ("thc", "Two-Headed Catch", "thc=two-headed catch"),
    ] {
        let hits = search(query);
        assert_eq!(names(&hits)[0], found(meant)[0], "{query}");
        assert_ne!(hits.hits[0].matched, Matched::Fallback, "{query}");
        assert_eq!(respelt(query), [expected], "{query}");
    }
    // A slip may be another word: what it finds is marked.
    for (query, meant, expected) in [
        ("trampel", "trample", &["trampel=trample"][..]),
        (
            "overun damgae",
            "overrun damage",
            &["overun=overrun", "damgae=damag"],
        ),
    ] {
        let hits = search(query);
        assert_eq!(names(&hits)[0], found(meant)[0], "{query}");
        assert!(
            hits.hits.iter().all(|hit| hit.matched == Matched::Fallback),
            "{query}"
        );
        assert_eq!(respelt(query), expected, "{query}");
    }
    // Nothing is made of what is found as it stands, of short words, of names inside a question, of nonsense.
    for query in [
        "first strike",
        "trample",
        "brw",
        "damage Trampel",
        "zzyzx",
        "践塔",
    ] {
        assert!(respelt(query).is_empty(), "{query}: {:?}", respelt(query));
    }
}

#[test]
fn chinese_numerals_and_ordinals_in_any_spelling() {
    let texts = [
        ("层7：改变大小的效应生效。", "900.1"),
        ("第三层的效应生效。", "900.2"),
        ("移去两个标记。", "900.3"),
        ("移去2个标记。", "900.4"),
        ("第二阶段开始。", "900.5"),
        ("每个阶段有2步。", "900.6"),
        ("第五层的效应。", "900.7"),
    ];
    let entries = texts.map(|(text, number)| entry(&format!("demo:rule:{number}"), Kind::Rule, "", text));
    let (_, index) = index_of(entries.to_vec());
    for (query, expected) in [
        ("第七层", &["900.1"][..]),
        ("第7层", &["900.1"]),
        ("层7", &["900.1"]),
        ("层３", &["900.2"]),
        ("第3层", &["900.2"]),
        ("第３層 效應", &["900.2"]),
        ("层五", &[]),
        ("二个标记", &["900.3", "900.4"]),
        ("兩個標記", &["900.3", "900.4"]),
        ("2个标记", &["900.3", "900.4"]),
        ("第二阶段", &["900.5"]),
        ("第2阶段", &["900.5"]),
    ] {
        let hits = search_in(&index, query);
        let full = hits.hits.iter().filter(|hit| hit.matched != Matched::Fallback);
        let full: Vec<String> = full
            .map(|hit| hit.entry.citation.as_ref().unwrap().to_string())
            .collect();
        assert_eq!(sorted(full), expected, "{query}");
    }
}

#[test]
fn characters_that_stand_apart_follow_a_short_word() {
    let entries = vec![
        entry("demo:rule:900.1", Kind::Section, "", "白昼与黑夜"),
        entry("demo:rule:900.2", Kind::Rule, "", "夜晚没有光。"),
        entry("demo:rule:900.3", Kind::Rule, "", "白昼的规则。"),
    ];
    let (_, index) = index_of(entries.clone());
    for query in ["昼夜", "晝夜"] {
        let hits = search_in(&index, query);
        assert_eq!(names(&hits), ["900.1"], "{query}");
        assert_eq!(hits.hits[0].matched, Matched::Fallback);
    }
    let said = entry("demo:rule:900.4", Kind::Rule, "", "昼夜交替。");
    let (_, index) = index_of([entries, vec![said]].concat());
    let hits = search_in(&index, "昼夜");
    assert_eq!(names(&hits), ["900.4", "900.1"]);
    assert_ne!(hits.hits[0].matched, Matched::Fallback);
    assert_eq!(hits.hits[1].matched, Matched::Fallback);
    assert_eq!(search_in(&index, "\"昼夜\"").total, 1);
}

#[test]
fn what_only_asks_need_not_be_found() {
    for (query, meant) in [
        ("调查怎么办", "调查"),
        ("请问什么是小化妆包", "小化妆包"),
        ("調查是什麼意思", "调查"),
    ] {
        let hits = search(query);
        assert_eq!(names(&hits)[0], found(meant)[0], "{query}");
    }
    let hits = search("小化妆包怎么办");
    assert_eq!(
        (names(&hits), hits.hits[0].matched),
        (vec!["704.5".into()], Matched::Folded)
    );
    // Alone it is what is asked for.
    assert_eq!(search("怎么办").total, 0);
}

/// A name counts as the words that it has.
#[test]
fn a_name_and_a_word_are_a_question() {
    let (_, index) = index_of(vec![
        term(
            "slow-tide",
            "Slow Tide",
            "缓潮",
            "A tide that takes long.",
            "慢慢到来的潮。",
        ),
        entry("demo:rule:900.1", Kind::Rule, "A slow tide earns a warning.", ""),
        entry("demo:rule:900.2", Kind::Rule, "Nothing else is slow.", ""),
    ]);
    let hits = search_in(&index, "slow tide warning");
    assert_eq!(names(&hits), ["900.1", "demo:term:slow-tide"]);
    assert_eq!(hits.hits[1].matched, Matched::Fallback);
}

/// Words that are scattered over a long passage are not said together: it does not come before rules that have a part of a
/// question in one place.
#[test]
fn a_long_passage_with_scattered_words_comes_after() {
    let filler = "Nobody may leave the table before the round is over and the papers are signed. ".repeat(8);
    let long = format!("Owls sleep. {filler} Guards watch. {filler} Storms may come.");
    let zh_filler = "任何人不得在本轮结束并签字之前离开牌桌，裁判另有说明的除外。".repeat(8);
    let zh_long = format!("猫头鹰在睡。{zh_filler}卫兵看守。{zh_filler}风暴会来。");
    let mut entries = vec![
        entry("demo:rule:900.1", Kind::Rule, &long, &zh_long),
        entry(
            "demo:rule:900.2",
            Kind::Rule,
            "Owls guard each gate.",
            "猫头鹰卫兵守门。",
        ),
    ];
    entries.extend((0..30).map(|n| {
        let (en, zh) = [
            ("A tower stands.", "塔。"),
            ("Storms rest.", "风暴停了。"),
            ("A face.", "面。"),
        ][n % 3];
        entry(&format!("demo:rule:{}", 901 + n), Kind::Rule, en, zh)
    }));
    let (_, index) = index_of(entries);
    for query in ["how do owls guard storms", "猫头鹰 卫兵 风暴"] {
        let hits = search_in(&index, query);
        assert_eq!(names(&hits)[0], "900.2", "{query}");
        let place = names(&hits).iter().position(|name| name == "900.1").unwrap();
        assert_ne!(hits.hits[place].matched, Matched::Fallback, "{query}");
    }
}

/// A long passage with every word of a question does not keep away the rule that answers it.
#[test]
fn parts_of_a_question_follow_the_few_that_have_all_of_it() {
    let long =
        "The judge of storms may rest; the owls that guard no tower are told which face is up. ".repeat(9);
    let mut entries = vec![entry("demo:rule:900.1", Kind::Rule, &long, "")];
    entries.push(entry("demo:rule:900.2", Kind::Rule, "Owls guard each gate.", ""));
    entries.extend((0..30).map(|n| {
        let text = ["A tower stands.", "Storms rest.", "They guard a face."][n % 3];
        entry(&format!("demo:rule:{}", 901 + n), Kind::Rule, text, "")
    }));
    let (_, index) = index_of(entries);
    let answer = |query: &str, offset, limit| {
        let mut search = Search::new(query).unwrap();
        (search.offset, search.limit) = (offset, limit);
        index.search(&search).unwrap()
    };
    let query = "how do owls guard storms";
    let whole = answer(query, 0, 100);
    assert_eq!(names(&whole)[..2], ["900.1", "900.2"]);
    assert_eq!(whole.total, whole.hits.len());
    let marked: Vec<bool> = whole
        .hits
        .iter()
        .map(|hit| hit.matched == Matched::Fallback)
        .collect();
    assert!(!marked[0] && marked[1..].iter().all(|marked| *marked));
    assert!(whole.hits.is_sorted_by(|a, b| a.score >= b.score));
    for (offset, limit) in [(0, 1), (1, 1), (0, 2), (1, 4), (5, 3), (0, 0), (100, 5)] {
        let page = answer(query, offset, limit);
        let rest = whole.hits.get(offset..).unwrap_or_default();
        assert_eq!(page.hits, rest[..limit.min(rest.len())], "{offset} {limit}");
        assert_eq!(page.total, whole.total);
    }
    // Half of two words is another question, and quotes ask for just that.
    assert_eq!(answer("judge owls", 0, 10).total, 1);
    assert_eq!(answer("\"judge of storms\" owls guard", 0, 10).total, 1);
}

#[test]
fn every_ascii_character_gets_an_answer() {
    for c in (0x21u8..0x7f).map(char::from) {
        for text in [
            c.to_string(),
            format!("a{c}b"),
            format!("牌{c}"),
            format!("{c}{c}{c}1"),
            format!("{c}践踏{c}"),
        ] {
            if let Ok(search) = Search::new(&text) {
                DEMO.1.search(&search).unwrap();
            }
            DEMO.1.search(&Search::exact(&text).unwrap()).unwrap();
        }
    }
}

#[test]
fn the_longest_queries_are_answered() {
    for text in [
        "牌面朝下的牌不公开".repeat(50),
        "creature-".repeat(450),
        "3张".repeat(30),
    ] {
        assert!(search(&text).total > 0, "{text}");
    }
    for text in ["牌".repeat(1365), "a-".repeat(2048), "\"牌\"".repeat(64)] {
        search(&text);
    }
    // A whole text finds itself first.
    for entry in DEMO.0.entries() {
        for (_, text) in entry.text.iter() {
            let hits = search(text);
            assert_eq!(hits.hits[0].entry.id, entry.id, "{text}");
        }
    }
}

#[test]
fn filters_let_through_what_fits() {
    let total = |change: &dyn Fn(&mut Filters)| {
        let mut search = Search::new("牌").unwrap();
        search.limit = 100;
        change(&mut search.filters);
        names(&DEMO.1.search(&search).unwrap()).len()
    };
    let all = total(&|_| {});
    assert!(all > 5);
    assert_eq!(total(&|f| f.games = vec!["demo".into()]), all);
    assert_eq!(total(&|f| f.games = vec!["other".into()]), 0);
    assert_eq!(total(&|f| f.documents = vec!["mtr".into()]), 0);
    assert_eq!(total(&|f| f.kinds = vec![Kind::Term]), 1);
    assert_eq!(
        total(&|f| f.within = vec![Within::Range("703.1".parse().unwrap(), "703".parse().unwrap())]),
        2
    );
    let ruling = |change: &dyn Fn(&mut Filters)| {
        let mut search = Search::new("两次").unwrap();
        change(&mut search.filters);
        DEMO.1.search(&search).unwrap().total
    };
    assert_eq!(ruling(&|f| f.sources = vec![SourceFilter::parse("GPT")]), 1);
    assert_eq!(ruling(&|f| f.sources = vec![SourceFilter::parse("official")]), 1);
    assert_eq!(ruling(&|f| f.sources = vec![SourceFilter::parse("community")]), 0);
    assert_eq!(
        ruling(&|f| {
            f.sources = vec![SourceFilter::parse("official")];
            f.langs = vec![Lang::Zh];
        }),
        0
    );
    assert_eq!(ruling(&|f| f.cards = vec!["old badger".into()]), 1);
    assert_eq!(ruling(&|f| f.cards = vec!["new badger".into()]), 0);
    assert_eq!(ruling(&|f| f.since = Some("2024-06-07".into())), 1);
    assert_eq!(ruling(&|f| f.since = Some("2024-06-08".into())), 0);
    assert_eq!(ruling(&|f| f.until = Some("2024-06-06".into())), 0);
    assert_eq!(ruling(&|f| f.editions = vec!["1.0".into()]), 0);
}

#[test]
fn pages_continue_each_other() {
    let page = |offset, limit| {
        let mut search = Search::new("牌").unwrap();
        (search.offset, search.limit) = (offset, limit);
        let hits = DEMO.1.search(&search).unwrap();
        (hits.total, names(&hits))
    };
    let (total, all) = page(0, 100);
    assert_eq!(total, all.len());
    let pages: Vec<String> = (0..total)
        .step_by(2)
        .flat_map(|offset| page(offset, 2).1)
        .collect();
    assert_eq!(pages, all);
}

#[test]
fn highlights_cover_what_matched() {
    let marked = |query: &str| -> Vec<String> {
        let hits = search(query);
        let hit = &hits.hits[0];
        let mut marked = Vec::new();
        for highlight in &hit.highlights {
            let all: Vec<_> = hit
                .entry
                .texts()
                .filter(|(f, l, _)| (*f, *l) == (highlight.field, highlight.lang))
                .collect();
            let text = all[highlight.item.min(all.len() - 1)].2;
            let by_char: String = text
                .chars()
                .skip(highlight.char.start)
                .take(highlight.char.len())
                .collect();
            assert_eq!(text[highlight.byte.clone()], by_char);
            marked.push(by_char);
        }
        marked
    };
    assert_eq!(marked("face-down"), ["face- down"]);
    assert_eq!(marked("强制占领"), ["強制佔領"]);
    assert_eq!(marked("creature dies"), ["Creatures", "dying"]);
    assert_eq!(marked("齾老"), ["𫜰老"]);
    assert_eq!(marked("\"quoted words\""), ["quoted words"]);
    assert_eq!(marked("702.19"), ["702.19b"]);
    assert_eq!(marked("例二"), ["例二"]);
    let hits = search("例二");
    assert_eq!(hits.hits[0].highlights[0].item, 1);
}

#[test]
fn lookups_are_those_of_the_corpus() {
    let (corpus, index) = &*DEMO;
    assert_eq!(index.len(), corpus.len());
    for (idx, entry) in (0u32..).zip(corpus.entries()) {
        assert_eq!(&index.entry(idx).unwrap(), entry);
        assert_eq!(index.is_current(idx).unwrap(), corpus.is_current(idx).unwrap());
    }
    for (key, entries) in corpus.keys() {
        assert_eq!(index.find(key).unwrap(), entries);
    }
    for prefix in [
        "",
        "id:",
        "name:",
        "name:践",
        "card:",
        "z",
        &Key::name_prefix("trample"),
    ] {
        assert_eq!(
            index.with_prefix(prefix, 7).unwrap(),
            corpus.with_prefix(prefix, 7).unwrap()
        );
    }
    assert!(index.find("id:none").unwrap().is_empty());
    assert!(index.entry(corpus.len() as u32).is_err());
    assert_eq!(index.extra("note").unwrap(), b"kept");
    assert!(index.extra("none").is_err());
    assert!(index.check().is_ok());
}

#[test]
fn the_same_texts_give_the_same_file() {
    let (corpus, _) = &*DEMO;
    assert_eq!(build(corpus, &[]).unwrap(), build(corpus, &[]).unwrap());
    let mut shuffled = demo_entries();
    shuffled.reverse();
    let (corpus, _) = Corpus::build(shuffled, &games());
    assert_eq!(build(&corpus, &[]).unwrap(), build(&DEMO.0, &[]).unwrap());
}

/// The queries that damage is tried with.
const QUERIES: [&str; 5] = [
    "trample",
    "抽三张牌",
    "\"face-down\"",
    "702.3",
    "践踏如何抵消琥珀",
];

/// What an index answers: none where it reports damage.
fn answers(file: Vec<u8>) -> Vec<Option<String>> {
    let index = match Index::from_bytes(file) {
        Ok(index) => index,
        Err(OpenError::Damaged(_)) => return vec![None; 2 * QUERIES.len()],
        Err(error) => panic!("{error}"),
    };
    let answer = |search: Search| index.search(&search).ok().map(|hits| format!("{hits:?}"));
    QUERIES
        .iter()
        .flat_map(|query| {
            [
                answer(Search::new(query).unwrap()),
                answer(Search::exact(query).unwrap()),
            ]
        })
        .collect()
}

#[test]
fn damage_is_reported_or_harmless() {
    let file = build(&DEMO.0, &[]).unwrap();
    let sound = answers(file.clone());
    assert!(sound.iter().all(Option::is_some));
    let mut damaged = Vec::new();
    for i in 0..60usize {
        let mut flipped = file.clone();
        let at = i * 7919 * 31 % file.len();
        flipped[at] ^= 1 << (i % 8);
        damaged.push(flipped);
        let mut blank = file.clone();
        let from = i * 104_729 % file.len();
        blank[from..(from + 300).min(file.len())].fill(0);
        damaged.push(blank);
        damaged.push(file[..file.len() * i / 60].to_vec());
    }
    for file in damaged {
        for (answer, sound) in answers(file).iter().zip(&sound) {
            assert!(answer.is_none() || answer == sound);
        }
    }
}

/// Every distinct substring of one to eight Han characters in the texts of a corpus.
fn han_substrings(corpus: &Corpus) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (_, _, text) in corpus.entries().iter().flat_map(Entry::texts) {
        for run in text.split(|c| !is_han(c)) {
            let chars: Vec<char> = run.chars().collect();
            for length in 1..=8 {
                all.extend(
                    chars
                        .windows(length)
                        .map(|window| window.iter().collect::<String>()),
                );
            }
        }
    }
    all
}

#[track_caller]
fn exact_is_a_plain_scan(corpus: &Corpus, index: &Index) -> usize {
    let substrings = han_substrings(corpus);
    for (i, wanted) in substrings.iter().enumerate() {
        let scan = (0u32..)
            .zip(corpus.entries())
            .filter(|(idx, _)| corpus.is_current(*idx).unwrap())
            .filter(|(_, entry)| entry.texts().any(|(_, _, text)| text.contains(wanted.as_str())))
            .count();
        let mut search = Search::exact(wanted).unwrap();
        search.limit = 1;
        let hits = index.search(&search).unwrap();
        assert_eq!(hits.total, scan, "{wanted}");
        assert!(!hits.hits[0].highlights.is_empty(), "{wanted}");
        // As a query it finds at least that much.
        if i % 7 == 0 {
            let found = index.search(&Search::new(wanted).unwrap()).unwrap();
            assert!(found.total >= scan, "{wanted}");
        }
    }
    substrings.len()
}

#[test]
fn every_substring_of_the_demo_is_found() {
    let (corpus, index) = &*DEMO;
    assert!(exact_is_a_plain_scan(corpus, index) > 200);
    for wanted in ["face- d", "rample", "é", "CR7", "2}{", "。", " "] {
        let scan = corpus
            .entries()
            .iter()
            .filter(|entry| entry.texts().any(|(_, _, text)| text.contains(wanted)));
        let hits = index.search(&Search::exact(wanted).unwrap()).unwrap();
        assert_eq!(hits.total, scan.count(), "{wanted}");
    }
}

#[test]
fn every_substring_of_the_seeds_is_found() {
    let Some(folder) = shared("seeds") else { return };
    let games = games();
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let parsed = files
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            read_as(path, &format!("rules/fow/{name}"), &games).1
        })
        .collect();
    let (entries, _) = pair(parsed, &games);
    let (corpus, index) = index_of(entries);
    assert!(exact_is_a_plain_scan(&corpus, &index) > 10_000);
    let hits = index.search(&Search::new("face-down").unwrap()).unwrap();
    assert!(
        names(&hits).contains(&"303.2".to_owned()),
        "a scar of the page hides nothing"
    );
}

/// Phrases are looked for in those candidates only that they may bring onto the page; where all are shown, in all of them.
#[test]
fn a_page_is_a_part_of_the_whole_answer() {
    let words = ["owls", "guard", "a", "tower", "face", "storms", "rest"];
    let entries = (0..600usize).map(|n| {
        // The words stand together in some rules and apart in others, in rules of many lengths.
        let text: Vec<&str> = (0..7 + n % 23)
            .map(|at| words[(at * (1 + n % 6) + n / 7) % 7])
            .collect();
        let mut entry = entry(&format!("demo:rule:{}", 100 + n), Kind::Rule, &text.join(" "), "");
        entry.references = (0..n % 3).map(|_| "demo:rule:107".into()).collect();
        entry
    });
    let (_, index) = index_of(entries.collect());
    for query in [
        "guard tower",
        "owls guard a tower",
        "storms rest face",
        "tower face",
        "rest owls storms guard",
    ] {
        let answer = |offset, limit| {
            let mut search = Search::new(query).unwrap();
            (search.offset, search.limit) = (offset, limit);
            let hits = index.search(&search).unwrap().hits.into_iter();
            hits.map(|hit| (hit.idx, hit.score)).collect::<Vec<_>>()
        };
        let whole = answer(0, 1000);
        assert!(whole.len() >= 410, "{query}: {}", whole.len());
        for (offset, limit) in [(0, 1), (0, 3), (0, 10), (5, 10), (20, 30), (400, 10)] {
            assert_eq!(answer(offset, limit), whole[offset..offset + limit], "{query}");
        }
    }
}

#[test]
#[ignore = "minutes"]
fn substrings_of_the_full_rules_are_found() {
    let Some(folder) = shared("data/mtg") else { return };
    let games = games();
    let parsed = ["en", "zh"].map(|lang| {
        let path = folder.join(format!("cr-{lang}/2026-04-17.txt"));
        read_as(&path, &format!("rules/mtg/{lang}.txt"), &games).1
    });
    let (entries, _) = pair(parsed.into(), &games);
    let (corpus, index) = index_of(entries);
    let texts: Vec<Vec<&str>> = (0u32..)
        .zip(corpus.entries())
        .filter(|(idx, _)| corpus.is_current(*idx).unwrap())
        .map(|(_, entry)| entry.texts().map(|(_, _, text)| text).collect())
        .collect();
    let substrings = han_substrings(&corpus);
    // Single characters all, of the longer ones enough for 100,000.
    let step = (substrings.len() / 100_000).max(1);
    let mut n = 0;
    for (i, wanted) in substrings.iter().enumerate() {
        if i % step != 0 && wanted.chars().nth(1).is_some() {
            continue;
        }
        let scan = texts
            .iter()
            .filter(|texts| texts.iter().any(|text| text.contains(wanted.as_str())));
        assert_eq!(
            index.search(&Search::exact(wanted).unwrap()).unwrap().total,
            scan.count(),
            "{wanted}"
        );
        n += 1;
    }
    let _ = writeln!(
        std::io::stderr(),
        "recall: {n} of {} substrings, no difference",
        substrings.len()
    );
}

#[test]
#[ignore = "minutes"]
fn a_thousand_damages_are_reported_or_harmless() {
    let file = build(&DEMO.0, &[]).unwrap();
    let sound = answers(file.clone());
    let (mut reported, mut harmless) = (0, 0);
    for i in 0..1_000usize {
        let mut damaged = file.clone();
        let at = i.wrapping_mul(2_654_435_761) % file.len();
        match i % 4 {
            0 => damaged[at] ^= 1 << (i / 4 % 8),
            1 => damaged[at..(at + 1 + i % 5_000).min(file.len())].fill(i as u8),
            2 => damaged.truncate(at),
            _ => drop(damaged.drain(at..(at + 1 + i % 64).min(file.len()))),
        }
        let answers = answers(damaged);
        assert!(
            answers
                .iter()
                .zip(&sound)
                .all(|(answer, sound)| answer.is_none() || answer == sound),
            "{i}"
        );
        match answers == sound {
            true => harmless += 1,
            false => reported += 1,
        }
    }
    let _ = writeln!(
        std::io::stderr(),
        "damage: {reported} reported, {harmless} harmless, none answered otherwise"
    );
}

/// The Markdown files of a folder and of those in it, as paths from the repository's root.
fn markdown(folder: &Path, files: &mut Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        return;
    };
    for entry in entries {
        let path = folder.join(entry.unwrap().file_name());
        if root.join(&path).is_dir() {
            markdown(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("README.md")
        {
            files.push(path.to_string_lossy().into_owned());
        }
    }
}

#[test]
fn every_substring_of_the_shipped_library_is_found() {
    let games = games();
    let mut files = Vec::new();
    markdown(Path::new("rules"), &mut files);
    markdown(Path::new("rulings"), &mut files);
    files.sort();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parsed = files
        .iter()
        .map(|file| read_as(&root.join(file), file, &games).1)
        .collect();
    let (entries, _) = pair(parsed, &games);
    let (corpus, index) = index_of(entries);
    let n = exact_is_a_plain_scan(&corpus, &index);
    assert!(n > 1_000 || files.is_empty(), "{n}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn highlights_leave_the_text_alone(query in "\\PC{1,12}|[牌践踏抽三张3face\\- \"down调查]{1,10}") {
        let Ok(mut search) = Search::new(&query) else { return Ok(()) };
        search.limit = 100;
        for hit in DEMO.1.search(&search).unwrap().hits {
            for highlight in &hit.highlights {
                let texts = hit.entry.texts().filter(|(f, l, _)| (*f, *l) == (highlight.field, highlight.lang));
                // Some text of that field has these boundaries.
                let fits = |text: &str| match text.get(highlight.byte.clone()) {
                    Some(marked) => {
                        let parts = [&text[..highlight.byte.start], marked, &text[highlight.byte.end..]];
                        !marked.is_empty() && parts.concat() == text
                    }
                    None => false,
                };
                prop_assert!(texts.into_iter().any(|(_, _, text)| fits(text)));
            }
        }
    }
}
