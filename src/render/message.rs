//! What the program says in its own words, in English and Chinese.
//!
//! Keys, ids and codes are never translated; everything a person reads of the program's own is here, so that a
//! missing translation is an error of the compiler.

use crate::card::{Card, Property};
use crate::cite::{Stale, Why};
use crate::condition::Domain;
use crate::diagnostic::{Diagnostic, Labels};
use crate::entry::{After, DEFAULT_DOCUMENT, Kind, Lag, Lang, NoteClass, Provenance, ProvenanceClass};
use crate::evaluate::{Basis, Because, Status, Verdict};
use crate::faq::check::{self as faq, Finding};
use crate::history::What;
use crate::index::{Expansion, Matched};
use crate::library::Cut;
use crate::library::doctor::{Check, State};
use crate::lookup::{Miss, Reason, Via};
use crate::render::phrases::chinese;
use std::borrow::Cow;

/// The words around a diagnostic.
const IN_CHINESE: Labels = Labels {
    warning: "警告：",
    error: "错误：",
    note: "说明：",
    help: "建议：",
};

/// The language of the program's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ui(pub Lang);

impl Ui {
    /// One of two wordings.
    fn pick<'a>(self, en: &'a str, zh: &'a str) -> &'a str {
        match self.0 {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    /// What another module says of a text or a request, in this language.
    pub fn said(self, english: &str) -> Cow<'_, str> {
        match self.0 {
            Lang::En => Cow::Borrowed(english),
            Lang::Zh => chinese(english),
        }
    }

    /// An error in a line, and what to do about it in another.
    pub fn error(self, message: &str, hint: Option<&str>) -> String {
        let hint = hint.map(|hint| format!("\n  = {}{}", self.pick("help: ", "建议："), self.said(hint)));
        format!(
            "{}{}{}",
            self.pick("error: ", "错误："),
            self.said(message),
            hint.unwrap_or_default()
        )
    }

    /// A diagnostic as people read it.
    pub fn diagnostic(self, diagnostic: &Diagnostic) -> String {
        match self.0 {
            Lang::En => diagnostic.to_text(),
            Lang::Zh => diagnostic.laid_out(&IN_CHINESE, |english| chinese(english)),
        }
    }

    /// What kind of entry.
    pub fn kind(self, kind: Kind) -> &'static str {
        match kind {
            Kind::Chapter => self.pick("chapter", "章"),
            Kind::Section => self.pick("section", "节"),
            Kind::Rule => self.pick("rule", "规则"),
            Kind::Term => self.pick("term", "术语"),
            Kind::Statement => self.pick("statement", "说明"),
            Kind::Ruling => self.pick("ruling", "释疑"),
        }
    }

    /// A class of provenance.
    pub fn class(self, class: ProvenanceClass) -> &'static str {
        match class {
            ProvenanceClass::Official => self.pick("official", "官方"),
            ProvenanceClass::Machine => self.pick("machine", "机器翻译"),
            ProvenanceClass::Community => self.pick("community", "社区"),
            ProvenanceClass::OwnWords => self.pick("own words", "本项目措辞"),
            ProvenanceClass::Unknown => self.pick("source unknown", "来源不明"),
        }
    }

    /// A provenance in a few words: `official`, `machine (gpt)`, `own words, after official 2024-06-07`.
    pub fn provenance(self, provenance: &Provenance) -> String {
        let mut words = self.class(provenance.class).to_owned();
        if let Some(tag) = &provenance.tag {
            // The tag `official` of an official text says nothing new.
            if ProvenanceClass::from_tag(tag) != Some(provenance.class) || tag != provenance.class.as_str() {
                words.push_str(&format!(" ({tag})"));
            }
        }
        if let Some(After { class, tag, date }) = provenance.after.as_deref() {
            words.push_str(self.pick(", after ", "，依据"));
            words.push_str(self.class(*class));
            if let Some(tag) = tag.as_deref().filter(|tag| *tag != class.as_str()) {
                words.push_str(&format!(" ({tag})"));
            }
            if let Some(date) = date {
                words.push_str(&format!(" {date}"));
            }
        }
        words
    }

    /// What introduces an example, in the language of the example.
    pub fn example(lang: Lang) -> &'static str {
        Ui(lang).pick("Example: ", "例如：")
    }

    /// What introduces a note, in the language of the note.
    pub fn note(lang: Lang, class: NoteClass) -> &'static str {
        let ui = Ui(lang);
        match class {
            NoteClass::Commentary => ui.pick("Aside: ", "旁注："),
            NoteClass::Format => ui.pick("Format note: ", "赛制说明："),
            NoteClass::Translator => ui.pick("Translator's note: ", "译注："),
        }
    }

    /// What introduces a list of cited rules.
    pub fn see(self) -> &'static str {
        self.pick("see ", "参见 ")
    }

    /// What introduces the rule above.
    pub fn under(self) -> &'static str {
        self.pick("under ", "属于 ")
    }

    /// What introduces the cards of a ruling.
    pub fn card(self) -> &'static str {
        self.pick("card ", "牌 ")
    }

    /// That a ruling is about so many other cards.
    pub fn more_cards(self, n: usize) -> String {
        match self.0 {
            Lang::En => format!(" · and {n} more"),
            Lang::Zh => format!(" 等，另有 {n} 张"),
        }
    }

    /// What a card has beside its cost: `level 4 · 2/3`.
    pub fn stats(self, card: &Card) -> String {
        let stats = card.stats().into_iter().map(|(property, value)| match property {
            Some(property) => format!("{} {value}", self.property(property)),
            None => value,
        });
        stats.collect::<Vec<_>>().join(" · ")
    }

    /// What a property is called.
    fn property(self, property: Property) -> &'static str {
        match property {
            Property::Cost => self.pick("cost", "费用"),
            Property::TotalCost => self.pick("total cost", "总费用"),
            Property::Attribute => self.pick("attribute", "属性"),
            Property::Level => self.pick("level", "等级"),
            Property::Rank => self.pick("rank", "阶级"),
            Property::Power => self.pick("power", "力量"),
            Property::Toughness => self.pick("toughness", "防御力"),
            Property::Attack => self.pick("attack", "攻击力"),
            Property::Defense => self.pick("defense", "防御"),
            Property::Loyalty => self.pick("loyalty", "忠诚"),
            Property::Life => self.pick("life", "生命"),
            Property::Might => self.pick("might", "战力"),
            Property::Energy => self.pick("energy", "能量"),
        }
    }

    /// How many rulings a card has.
    pub fn rulings(self, n: usize) -> String {
        match (self.0, n) {
            (Lang::En, 1) => "1 ruling".to_owned(),
            (Lang::En, n) => format!("{n} rulings"),
            (Lang::Zh, n) => format!("{n} 条释疑"),
        }
    }

    /// Other cards whose names hold what was typed.
    pub fn other_cards(self, names: &[String]) -> String {
        match self.0 {
            Lang::En => format!("also in the name of {}", names.join(" · ")),
            Lang::Zh => format!("牌名中含有此词的还有 {}", names.join(" · ")),
        }
    }

    /// More cards than can be shown in full.
    pub fn many_cards(self, n: usize) -> String {
        match self.0 {
            Lang::En => format!("{n} cards; type more of a name to read its rulings"),
            Lang::Zh => format!("共 {n} 张牌；请输入更完整的牌名以查看释疑"),
        }
    }

    /// No card is called so, but one nearly.
    pub fn nearest_card(self, typed: &str) -> String {
        match self.0 {
            Lang::En => format!("no card is called `{typed}`; this is the nearest"),
            Lang::Zh => format!("没有名为“{typed}”的牌；以下是最接近的"),
        }
    }

    /// What introduces the notes that cover an entry's neighbours.
    pub fn covers(self) -> &'static str {
        self.pick("also covers ", "亦适用于 ")
    }

    /// That the text in one language is of an older edition and may not say what the other says, or is missing.
    pub fn behind(self, lang: Lang, edition: &str, why: Lag) -> String {
        let (name, other) = match lang {
            Lang::En => (self.pick("English", "英文"), self.pick("Chinese", "中文")),
            Lang::Zh => (self.pick("Chinese", "中文"), self.pick("English", "英文")),
        };
        match (self.0, why) {
            (Lang::En, Lag::Reworded) => {
                format!("the {name} is of {edition}; the {other} may have changed since")
            }
            (Lang::Zh, Lag::Reworded) => format!("{name}为 {edition} 版，其后{other}可能已有改动"),
            (Lang::En, Lag::New) => format!("no {name} yet: the newest, of {edition}, does not have this"),
            (Lang::Zh, Lag::New) => format!("尚无{name}：最新的 {edition} 版没有这一条"),
            (Lang::En, Lag::OtherRule) => {
                format!("no {name} yet: in the newest, of {edition}, this number is another rule")
            }
            (Lang::Zh, Lag::OtherRule) => format!("尚无{name}：在最新的 {edition} 版中，此编号是另一条规则"),
        }
    }

    /// A translation that renders a part only.
    pub fn partial(self) -> &'static str {
        self.pick("the translation covers a part only", "译文只含一部分")
    }

    /// A pairing that is a guess.
    pub fn uncertain(self) -> &'static str {
        self.pick("the two texts may not match", "两种文本未必对应")
    }

    /// Search hits beyond those shown.
    pub fn more_hits(self, shown: usize, total: usize) -> String {
        match self.0 {
            Lang::En => format!("{shown} of {total} hits; -n {total} shows all"),
            Lang::Zh => format!("共 {total} 条，显示 {shown} 条；-n {total} 显示全部"),
        }
    }

    /// A page past the last hit.
    pub fn past_the_end(self, total: usize) -> String {
        match self.0 {
            Lang::En => format!("no more hits: there are {total} in all"),
            Lang::Zh => format!("没有更多结果：共 {total} 条"),
        }
    }

    /// Which library answered, the one that is built in where none is named, in how many microseconds.
    pub fn circumstances(self, root: Option<&str>, took_us: u128) -> String {
        let library = root.unwrap_or(self.pick("the one that is built in", "内置"));
        let took = took_us as f64 / 1000.0;
        match self.0 {
            Lang::En => format!("library: {library}; {took:.1} ms"),
            Lang::Zh => format!("规则库：{library}；{took:.1} 毫秒"),
        }
    }

    /// What another name brought into a search.
    pub fn expansion(self, expansion: &Expansion) -> String {
        let Expansion { from, to, how } = expansion;
        let how = self.matched(*how);
        match self.0 {
            Lang::En => format!("for {from}, {to} was looked up, too ({how})"),
            Lang::Zh => format!("{from}：同时查找 {to}（{how}）"),
        }
    }

    /// What was looked up beside a word that hardly a text has.
    pub fn respelt(self, Expansion { from, to, .. }: &Expansion) -> String {
        match self.0 {
            Lang::En => format!("hardly any text has `{from}`: `{to}` was looked up, too"),
            Lang::Zh => format!("几乎没有文本含“{from}”：同时查找“{to}”"),
        }
    }

    /// How a hit was ranked and how it matches.
    pub fn ranked(self, score: f64, how: Matched) -> String {
        let how = self.matched(how);
        match self.0 {
            Lang::En => format!("score {score:.3}, {how}"),
            Lang::Zh => format!("得分 {score:.3}，{how}"),
        }
    }

    fn matched(self, how: Matched) -> &'static str {
        match how {
            Matched::Exact => self.pick("as typed", "与输入一致"),
            Matched::Folded => self.pick(
                "but for case, width, script or inflection",
                "大小写、全半角、繁简或词形不同",
            ),
            Matched::Alias => self.pick("by another name", "别名"),
            Matched::CrossLanguage => self.pick("by its name in the other language", "另一语言的名称"),
            Matched::Fallback => self.pick("a part of it only", "仅部分符合"),
        }
    }

    /// Hits of a search for a name that was shown by lookup.
    pub fn more_by_search(self, more: usize, words: &str) -> String {
        match self.0 {
            Lang::En => format!("{more} more by search: shiyi search {words}"),
            Lang::Zh => format!("搜索另得 {more} 条：shiyi search {words}"),
        }
    }

    /// Hits that hold only a part of what was asked for.
    pub fn fallback(self) -> &'static str {
        self.pick(
            "nothing has all of it; these have a part",
            "没有完全符合的结果，以下为部分符合",
        )
    }

    /// Hits that hold only a part of what was asked for, below those that hold all of it.
    pub fn fallback_follows(self) -> &'static str {
        self.pick("the following have a part of it", "以下为部分符合")
    }

    /// Nothing was found.
    pub fn nothing(self, query: &str) -> String {
        match self.0 {
            Lang::En => format!("nothing found for `{query}`"),
            Lang::Zh => format!("没有找到“{query}”"),
        }
    }

    /// The options leave nothing of the library.
    pub fn nothing_left(self) -> &'static str {
        self.pick(
            "nothing that is loaded is what the options ask for (see `shiyi status`)",
            "已载入的内容中没有符合这些选项的（见 shiyi status）",
        )
    }

    /// An answer from several games.
    pub fn several_games(self, games: &[String]) -> String {
        let games = games.join(", ");
        match self.0 {
            Lang::En => format!("found in several games ({games}); name one with --game"),
            Lang::Zh => format!("多个游戏都有（{games}）；可用 --game 指定"),
        }
    }

    /// Why entries follow that were not asked for; none where their place says it.
    pub fn via(self, via: Via) -> Option<&'static str> {
        Some(match via {
            Via::Subrule => return None,
            Via::Above => self.pick("it stands below:", "上级规则："),
            Via::Context => self.pick("beside it:", "相邻规则："),
            Via::Cited => self.pick("cited there:", "其中引用："),
            Via::Defines => self.pick("defined by:", "定义见："),
            Via::Citing => self.pick("cited by:", "引用此条的："),
            Via::Moved => self.pick("by the words with it:", "依所附的文字："),
        })
    }

    /// Nothing cites what was asked for.
    pub fn no_refs(self) -> &'static str {
        self.pick("nothing that is loaded cites it", "已载入的内容中没有引用此条的")
    }

    /// What was searched for is a card's name.
    pub fn card_called_so(self, name: &str) -> String {
        match self.0 {
            Lang::En => format!("a card is called so: `shiyi card {name}`"),
            Lang::Zh => format!("有牌名为此：`shiyi card {name}`"),
        }
    }

    /// What a heading has no history of.
    pub fn heading_only(self, number: &str) -> String {
        match self.0 {
            Lang::En => format!("it is a heading; ask for what stands below it: `shiyi history {number}`"),
            Lang::Zh => format!("这是标题；请查询其下的规则：`shiyi history {number}`"),
        }
    }

    /// Names that are spelt nearly as what was not found.
    pub fn near_names(self, names: &[String]) -> String {
        match self.0 {
            Lang::En => format!("near it: {}", names.join(", ")),
            Lang::Zh => format!("相近的名称：{}", names.join("、")),
        }
    }

    /// What introduces the rules that had a number once which is another rule's now.
    pub fn once(self, number: &str) -> String {
        match self.0 {
            Lang::En => format!("in older editions {number} was another rule's number:"),
            Lang::Zh => format!("{number} 在旧版中是另一条规则的编号："),
        }
    }

    /// Until which edition something was so.
    pub fn until(self, edition: &str) -> String {
        match self.0 {
            Lang::En => format!("until {edition}"),
            Lang::Zh => format!("至 {edition}"),
        }
    }

    /// The words beside a number are those of another rule than the one that has it now.
    pub fn meant(self, now: &str, until: Option<&str>) -> String {
        match (self.0, until) {
            (Lang::En, Some(until)) => {
                format!("the words with it are those of {now}, which had this number until {until} (below)")
            }
            (Lang::En, None) => format!("the words with it are those of {now} (below)"),
            (Lang::Zh, Some(until)) => format!("所附的文字属于 {now}，该条至 {until} 用此编号（见下）"),
            (Lang::Zh, None) => format!("所附的文字属于 {now}（见下）"),
        }
    }

    /// Why something is not there, and what is near.
    pub fn miss(self, miss: &Miss) -> String {
        let Miss {
            input,
            game,
            reason,
            nearest,
            moved_to,
            elsewhere,
            after: _,
        } = miss;
        let game = game.as_deref().unwrap_or_default();
        let mut text = match (self.0, reason) {
            (Lang::En, Reason::NoSuchNumber) => format!("{game}: there is no rule {input}"),
            (Lang::Zh, Reason::NoSuchNumber) => format!("{game}：没有规则 {input}"),
            (Lang::En, Reason::NotLoaded(document)) => {
                format!(
                    "{game}: {input} cannot be looked up: no text of {document} is loaded (see `shiyi add --help`)"
                )
            }
            (Lang::Zh, Reason::NotLoaded(document)) => {
                format!("{game}：无法查 {input}：未载入 {document} 的文本（参见 shiyi add --help）")
            }
            (Lang::En, Reason::PastTheLast(last)) => {
                format!("{game}: there is no rule {input}: the last one there is {last}")
            }
            (Lang::Zh, Reason::PastTheLast(last)) => {
                format!("{game}：没有规则 {input}：该处最后一条为 {last}")
            }
            (Lang::En, Reason::SkippedLetter(letters)) => format!(
                "{game}: there is no rule {input}: its numbers leave out the letters {}",
                letters.chars().map(String::from).collect::<Vec<_>>().join(", ")
            ),
            (Lang::Zh, Reason::SkippedLetter(letters)) => format!(
                "{game}：没有规则 {input}：编号不使用字母 {}",
                letters.chars().map(String::from).collect::<Vec<_>>().join("、")
            ),
            (Lang::En, Reason::OtherEdition(editions)) if editions.is_empty() => {
                format!("{game}: {input} is there only in a text that names no edition")
            }
            (Lang::Zh, Reason::OtherEdition(editions)) if editions.is_empty() => {
                format!("{game}：{input} 只见于未注明版本的文本")
            }
            (Lang::En, Reason::OtherEdition(editions)) => {
                format!(
                    "{game}: {input} is only in {} (ask with --edition)",
                    span(editions, " to ")
                )
            }
            (Lang::Zh, Reason::OtherEdition(editions)) => {
                format!(
                    "{game}：{input} 只见于 {}（用 --edition 查看）",
                    span(editions, " 至 ")
                )
            }
            (Lang::En, Reason::NoSuchId) => format!("no entry has the id `{input}`"),
            (Lang::Zh, Reason::NoSuchId) => format!("没有 id 为“{input}”的条目"),
            (Lang::En, Reason::AmbiguousId) => format!("several ids start with `{input}`: give more digits"),
            (Lang::Zh, Reason::AmbiguousId) => format!("有多个 id 以“{input}”开头：请多给几位"),
            (Lang::En, Reason::NoSuchName) => {
                format!("nothing is called `{input}`; try `shiyi search {input}`")
            }
            (Lang::Zh, Reason::NoSuchName) => format!("没有名为“{input}”的条目；可试 shiyi search {input}"),
        };
        if !moved_to.is_empty() {
            text.push_str(&format!(
                "{}{}",
                self.pick("; it is now ", "；现为 "),
                moved_to.join(", ")
            ));
        }
        if !elsewhere.is_empty() {
            text.push_str(self.pick("; there is ", "；另有 "));
            text.push_str(&elsewhere.join(", "));
        }
        if !nearest.is_empty() {
            text.push_str(&format!(
                "{}{}",
                self.pick("; nearest: ", "；相近：",),
                nearest.join(", ")
            ));
        }
        text
    }

    /// The embedded library answers because the user has none of their own.
    pub fn embedded(self) -> &'static str {
        self.pick(
            "no library of your own: answering from the small one that is built in (see `shiyi add --help`)",
            "尚无自己的规则库：以内置的小规则库作答（参见 shiyi add --help）",
        )
    }

    /// The index is older than the sources.
    pub fn stale(self) -> &'static str {
        self.pick(
            "the sources are newer than the index: run `shiyi ingest`",
            "规则源文件比索引新：请运行 shiyi ingest",
        )
    }

    /// An edition whose text is cut, where it is compared with others or lacks what was asked for.
    pub fn cut_short(self, cut: &Cut) -> String {
        let Cut {
            game,
            document,
            edition,
            diagnostic,
        } = cut;
        let edition = edition
            .as_ref()
            .map(|edition| format!(" {edition}"))
            .unwrap_or_default();
        let (name, place, why) = (
            format!("{game} {document}{edition}"),
            diagnostic.location(),
            self.said(&diagnostic.message),
        );
        match self.0 {
            Lang::En => format!(
                "a part of {name} seems to be missing: what it lacks may still be in force ({place}: {why})"
            ),
            Lang::Zh => format!("{name} 似乎缺少一部分，其中没有的规则未必已废除（{place}：{why}）"),
        }
    }

    /// A word that is nearly a command.
    pub fn near_command(self, typed: &str, command: &str) -> String {
        match self.0 {
            Lang::En => format!("searching for it; did you mean the command `{command}` (for `{typed}`)?"),
            Lang::Zh => format!("已按搜索处理；“{typed}”是否想用命令 {command}？"),
        }
    }

    /// The index could not be kept.
    pub fn index_in_memory(self) -> &'static str {
        self.pick(
            "the index can be kept neither in the library nor in the cache: it was built in memory for this run",
            "索引无法保存在规则库或缓存目录中：本次在内存中建立",
        )
    }

    /// A directive that nothing answers.
    pub fn missing(self) -> &'static str {
        self.pick("not found:", "未找到：")
    }

    /// What a library holds of one document: chapters, sections, rules, terms, statements, rulings, examples,
    /// cards.
    pub fn counts(self, counts: [usize; 8], pairs: usize) -> String {
        let names = match self.0 {
            Lang::En => [
                "chapters",
                "sections",
                "rules",
                "terms",
                "statements",
                "rulings",
                "examples",
                "cards",
            ],
            Lang::Zh => [
                "章",
                "节",
                "条规则",
                "个术语",
                "条说明",
                "条释疑",
                "个例子",
                "张牌",
            ],
        };
        let there = counts.into_iter().zip(names).filter(|(count, _)| *count > 0);
        let list: Vec<String> = there.map(|(count, name)| format!("{count} {name}")).collect();
        match self.0 {
            Lang::En => format!("{}; {pairs} in both languages", list.join(", ")),
            Lang::Zh => format!("{}；双语 {pairs} 条", list.join("、")),
        }
    }

    /// What introduces how many texts are read.
    pub fn reading_texts(self) -> &'static str {
        self.pick("reading texts", "正在读取文本")
    }

    /// Entries are being indexed.
    pub fn indexing(self, entries: usize) -> String {
        match self.0 {
            Lang::En => format!("indexing {entries} entries"),
            Lang::Zh => format!("正在为 {entries} 个条目建立索引"),
        }
    }

    /// The end of an ingest.
    pub fn ingested(self, files: usize, errors: usize, warnings: usize) -> String {
        match self.0 {
            Lang::En => format!("ingested {files} files: {errors} errors, {warnings} warnings"),
            Lang::Zh => format!("已处理 {files} 个文件：{errors} 个错误，{warnings} 个警告"),
        }
    }

    /// How a part of a library was found.
    pub fn check(self, check: &Check) -> String {
        let remarks = check.diagnostics;
        match (self.0, &check.state) {
            (Lang::En, State::Sound) if remarks > 0 => format!("sound; {remarks} remarks at ingest"),
            (Lang::Zh, State::Sound) if remarks > 0 => format!("正常；导入时有 {remarks} 条提示"),
            (_, State::Sound) => self.pick("sound", "正常").to_owned(),
            (_, State::Changed) => self
                .pick("changed since it was ingested", "导入之后有改动")
                .to_owned(),
            (_, State::New) => self.pick("not ingested yet", "尚未导入").to_owned(),
            (_, State::Gone) => self
                .pick(
                    "no longer there, but still in the index",
                    "文件已不在，但索引中仍有",
                )
                .to_owned(),
            (_, State::CutShort(remark)) => match remark.position {
                Some(at) => format!("{}:{}: {}", at.line, at.column, self.said(&remark.message)),
                None => self.said(&remark.message).into_owned(),
            },
            (Lang::En, State::Unreadable(why)) => format!("cannot be read: {why}"),
            (Lang::Zh, State::Unreadable(why)) => format!("无法读取：{why}"),
            (_, State::Missing) => self.pick("there is no index yet", "尚无索引").to_owned(),
            (_, State::OtherVersion) => self
                .pick("written by another version of shiyi", "由其他版本的 shiyi 写成")
                .to_owned(),
            (Lang::En, State::Newer(format)) => {
                format!("written by a newer shiyi (format {format}); it is left as it is")
            }
            (Lang::Zh, State::Newer(format)) => format!("由更新版本的 shiyi 写成（格式 {format}），保持原样"),
            (lang, State::Damaged(named, n)) => {
                let list: Vec<&str> = named.iter().map(|damaged| damaged.0.as_str()).collect();
                let list = list.join("; ");
                let more = n.saturating_sub(named.len());
                match lang {
                    Lang::En if more > 0 => format!("damaged: {list}; and {more} more"),
                    Lang::En => format!("damaged: {list}"),
                    Lang::Zh if more > 0 => format!("已损坏：{list}；另有 {more} 处"),
                    Lang::Zh => format!("已损坏：{list}"),
                }
            }
            (Lang::En, State::Held(pid)) => {
                let pid = pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
                format!("an ingest is running{pid}")
            }
            (Lang::Zh, State::Held(pid)) => {
                let pid = pid.map(|pid| format!("（进程 {pid}）")).unwrap_or_default();
                format!("正在导入{pid}")
            }
            (_, State::Left) => self
                .pick(
                    "left over from an ingest that did not end, and cannot be removed",
                    "导入中断后的残留文件，无法删除",
                )
                .to_owned(),
            (_, State::Removed) => self
                .pick(
                    "left over from an ingest that did not end; removed",
                    "导入中断后的残留文件，已删除",
                )
                .to_owned(),
        }
    }

    /// What to do about a part of a library.
    pub fn check_hint(self, check: &Check) -> Option<&'static str> {
        Some(match &check.state {
            State::Changed | State::New | State::Gone => {
                self.pick("run `shiyi ingest`", "请运行 shiyi ingest")
            }
            State::Unreadable(_) => self.pick(
                "correct it, or take it out of the library; then run `shiyi ingest`",
                "请改正或移出规则库，再运行 shiyi ingest",
            ),
            State::CutShort(_) => self.pick(
                "fetch the file again from where it came, and add it; or leave it, if it is meant to be a part",
                "请从原处重新获取此文件并添加；若本来就只是一部分，可不处理",
            ),
            State::Newer(_) => self.pick(
                "update shiyi, or run `shiyi ingest` to build the index with this one",
                "请更新 shiyi，或运行 shiyi ingest 以本版本重建索引",
            ),
            State::Damaged(..) | State::OtherVersion => self.pick(
                "nothing: it is built again from the texts, which are never changed",
                "无需处理：将从规则文本重新建立，文本本身不会改动",
            ),
            State::Held(_) => self.pick(
                "wait for it to end, then ask again; nothing was repaired",
                "请等待其结束后重试；本次未作修复",
            ),
            State::Left => self.pick(
                "remove it by hand; no answer depends on it",
                "可手动删除；任何回答都不依赖它",
            ),
            State::Sound | State::Missing | State::Removed => return None,
        })
    }

    /// The sources of a library that are as they should be.
    pub fn sound_sources(self, library: &str, n: usize, remarks: usize) -> String {
        match self.0 {
            Lang::En => {
                let remarks = match remarks {
                    0 => String::new(),
                    n => format!(" ({n} remarks at ingest; `shiyi doctor --rules` shows those on rulebooks)"),
                };
                format!("{library}: {n} texts can be read and are as they were ingested{remarks}")
            }
            Lang::Zh => {
                let remarks = match remarks {
                    0 => String::new(),
                    n => format!("（导入时有 {n} 条提示，其中规则书的可用 shiyi doctor --rules 查看）"),
                };
                format!("{library}：{n} 个文本可读且与导入时一致{remarks}")
            }
        }
    }

    /// An index that is as it should be.
    pub fn sound_index(self, entries: usize, blocks: usize) -> String {
        match self.0 {
            Lang::En => format!("index: {entries} entries read back, {blocks} checksums compared"),
            Lang::Zh => format!("索引：读回 {entries} 个条目，核对 {blocks} 个校验和"),
        }
    }

    /// An index that had to be built.
    pub fn rebuilt(self, entries: usize) -> String {
        match self.0 {
            Lang::En => format!("index: built again, {entries} entries"),
            Lang::Zh => format!("索引：已重新建立，{entries} 个条目"),
        }
    }

    /// How many parts of a library are not as they should be.
    pub fn findings(self, n: usize) -> String {
        match (self.0, n) {
            (Lang::En, 0) => "nothing wrong".to_owned(),
            (Lang::En, 1) => "1 finding".to_owned(),
            (Lang::En, n) => format!("{n} findings"),
            (Lang::Zh, 0) => "没有问题".to_owned(),
            (Lang::Zh, n) => format!("{n} 个问题"),
        }
    }

    /// What was found in one edition of a rulebook: stable codes, with how many of each.
    pub fn audit(self, name: &str, counts: &[(&str, usize)]) -> String {
        let list: Vec<String> = counts
            .iter()
            .map(|(code, count)| format!("{count} {code}"))
            .collect();
        let list = match list.is_empty() {
            true => self.pick("nothing wrong", "没有问题").to_owned(),
            false => list.join(self.pick(", ", "、")),
        };
        format!("{name}{}{list}", self.pick(": ", "："))
    }

    /// There is nothing to audit.
    pub fn no_rulebook(self) -> &'static str {
        self.pick(
            "there is no such rulebook in the library",
            "规则库中没有这样的规则书",
        )
    }

    /// The end of an ingest that found everything as it was.
    pub fn unchanged(self, files: usize, errors: usize, warnings: usize) -> String {
        match self.0 {
            Lang::En => format!("nothing has changed: {files} files, {errors} errors, {warnings} warnings"),
            Lang::Zh => format!("没有变化：{files} 个文件，{errors} 个错误，{warnings} 个警告"),
        }
    }

    /// Remarks about other texts than those just brought in.
    pub fn other_remarks(self, n: usize) -> String {
        match self.0 {
            Lang::En if n == 1 => {
                "1 warning about another text of the library: `shiyi ingest` shows it".to_owned()
            }
            Lang::En => format!("{n} warnings about other texts of the library: `shiyi ingest` shows them"),
            Lang::Zh => format!("规则库的其他文本另有 {n} 个警告：可用 shiyi ingest 查看"),
        }
    }

    /// A text that was brought in, where it is kept, and what it was taken for.
    pub fn added(self, path: &str, what: &str, [entries, cards]: [usize; 2]) -> String {
        let rows = match (cards, self.0) {
            (0, _) => String::new(),
            (_, Lang::En) => format!(", {cards} rows about cards"),
            (_, Lang::Zh) => format!("，{cards} 行牌张数据"),
        };
        let said = match self.0 {
            _ if cards > 0 && entries == 0 => String::new(),
            Lang::En => format!(", {entries} entries"),
            Lang::Zh => format!("，{entries} 个条目"),
        };
        match self.0 {
            Lang::En => format!("{path}: {what}{said}{rows}"),
            Lang::Zh => format!("{path}：{what}{said}{rows}"),
        }
    }

    /// What was found out about a text, as [`crate::parse::Because`] calls it.
    pub fn detected(self, what: &'static str) -> &'static str {
        match (self.0, what) {
            (Lang::En, "lang") => "language",
            (Lang::En, what) => what,
            (Lang::Zh, "game") => "游戏",
            (Lang::Zh, "document") => "文档",
            (Lang::Zh, "lang") => "语言",
            (Lang::Zh, "edition") => "版本",
            (Lang::Zh, "format") => "体例",
            (Lang::Zh, "encoding") => "编码",
            (Lang::Zh, what) => what,
        }
    }

    /// Why a text was taken for these things.
    pub fn reason(self, whats: &[String], why: &str) -> String {
        let whats = whats.join(self.pick(", ", "、"));
        format!("{whats}{}{}", self.pick(": ", "："), self.said(why))
    }

    /// What stands between two such reasons.
    pub fn between_reasons(self) -> &'static str {
        self.pick("; ", "；")
    }

    /// A verdict in one line: the value's answer, or which numbers meet the condition.
    pub fn verdict(self, verdict: &Verdict) -> String {
        let open = || self.undecided().to_owned();
        let answer = match (verdict.status, &verdict.value, verdict.holds) {
            (Status::Undecided, None, _) => return open(),
            (Status::Undecided, Some(_), _) | (_, Some(_), None) => open(),
            (_, Some(_), Some(holds)) => self.yes_no(holds).to_owned(),
            (_, None, _) => {
                return verdict
                    .predicate
                    .as_ref()
                    .map_or_else(open, |predicate| format!("`{predicate}`"));
            }
        };
        let value = verdict
            .value
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        format!("{value}{}{answer}", self.pick(": ", "："))
    }

    /// No answer may be given.
    pub fn undecided(self) -> &'static str {
        self.pick("undecided", "无法判定")
    }

    /// What introduces an open reading.
    pub fn reading(self) -> &'static str {
        self.pick("open reading: ", "可能的读法：")
    }

    /// What introduces words that were not used.
    pub fn unused(self) -> &'static str {
        self.pick("not used: ", "未使用：")
    }

    /// Whether something holds.
    pub fn yes_no(self, holds: bool) -> &'static str {
        if holds {
            self.pick("yes", "是")
        } else {
            self.pick("no", "否")
        }
    }

    /// That every number meets a condition, or none does; none where some do.
    pub fn met_by_all(self, verdict: &Verdict) -> Option<&'static str> {
        Some(match (verdict.is_met_by_all()?, verdict.domain) {
            (true, Domain::Count) => self.pick("every number from 0 up meets it", "从 0 起的任何数都符合"),
            (true, Domain::Value) => self.pick("every number meets it", "任何数都符合"),
            (false, Domain::Count) => self.pick("no number from 0 up meets it", "从 0 起没有数符合"),
            (false, Domain::Value) => self.pick("no number meets it", "没有数符合"),
        })
    }

    /// What a step of a verdict rests on: `rule 104.7, not loaded`.
    pub fn basis(self, because: &Because) -> String {
        let mut parts: Vec<String> = Vec::new();
        match (because.basis, &because.citation) {
            (_, Some(citation)) => parts.push(format!("{} {citation}", self.kind(Kind::Rule))),
            (Basis::Rule, None) => {}
            (Basis::Template, None) => parts.push(
                self.pick("the game's fixed wording", "该游戏的固定用语")
                    .to_owned(),
            ),
            (Basis::Language, None) => {}
        }
        parts.extend(because.edition.clone());
        let shown = because.id.as_deref().filter(|_| because.loaded);
        match (shown, &because.citation) {
            (Some(id), _)
                if because
                    .citation
                    .as_deref()
                    .is_none_or(|citation| !id.ends_with(citation)) =>
            {
                parts.push(id.to_owned())
            }
            (None, Some(_)) => parts.push(self.pick("not loaded", "未载入").to_owned()),
            _ => {}
        }
        parts.join(self.pick(", ", "，"))
    }

    /// What happened to a rule.
    pub fn what(self, what: What) -> &'static str {
        match what {
            What::Created => self.pick("created", "新增"),
            What::Edited => self.pick("edited", "修改"),
            What::Moved => self.pick("moved", "移动"),
            What::Gone => self.pick("gone", "删除"),
            What::Replaced => self.pick("replaced", "被取代"),
        }
    }

    /// The first line of a comparison of two editions: how many rules of each kind of change.
    pub fn changes(self, from: &str, to: &str, counts: &[(What, usize)]) -> String {
        let list: Vec<String> = counts
            .iter()
            .map(|(what, count)| format!("{count} {}", self.what(*what)))
            .collect();
        let list = if list.is_empty() {
            self.pick("no change", "没有改动").to_owned()
        } else {
            list.join(self.pick(", ", "、"))
        };
        format!("{from} → {to}{}{list}", self.pick(": ", "："))
    }

    /// Why a citation is stale, and what it should be.
    pub fn stale_citation(self, stale: &Stale, rewritten: Option<bool>) -> String {
        let why = match stale.why {
            Why::Gone => self.pick("there is no such rule any more", "该条已不存在"),
            Why::Moved => self.pick("the rule has another number", "该条已改编号"),
            Why::ChangedMeaning => self.pick("the number is another rule's", "该编号现为另一条规则"),
            Why::NoSuchNumber => self.pick(
                "no edition that is loaded has this number",
                "已载入的版本中都没有此编号",
            ),
        };
        let document = match stale.document == DEFAULT_DOCUMENT {
            true => String::new(),
            false => format!("{} ", stale.document.to_uppercase()),
        };
        let mut text = format!("{document}{}{}{why}", stale.citation, self.pick(": ", "："));
        match (&stale.now, rewritten) {
            (Some(now), Some(true)) => {
                text.push_str(&format!("{}{now}", self.pick("; written ", "；改写为 ")))
            }
            (Some(now), _) => text.push_str(&format!("{}{now}", self.pick("; now ", "；现为 "))),
            (None, _) => {}
        }
        if !stale.nearest.is_empty() {
            let nearest = stale.nearest.join(self.pick(", ", "、"));
            text.push_str(&format!("{}{nearest}", self.pick("; nearest: ", "；相近：")));
        }
        if rewritten == Some(false) {
            text.push_str(self.pick("; left as it is", "；未改动"));
        }
        text
    }

    /// What is to be said of a quote of a document.
    pub fn finding(self, finding: &Finding) -> String {
        let mut text = match finding.what {
            faq::What::Edited => self.pick("edited", "已修改"),
            faq::What::Typography => self.pick("only its typography has changed", "仅排印有变"),
            faq::What::Moved => self.pick("the rule has another number", "该条已改编号"),
            faq::What::ChangedMeaning => self.pick("the number is another rule's", "该编号现为另一条规则"),
            faq::What::Replaced => self.pick(
                "the rule is gone, and its number is another rule's",
                "该条已不存在，其编号现为另一条规则",
            ),
            faq::What::Gone => self.pick("it is no longer there", "已不存在"),
            faq::What::Added => self.pick("it would be quoted, too", "现在也会被引用"),
            faq::What::Dropped => self.pick(
                "it is there, but the directive does not quote it any more",
                "仍存在，但此指令不再引用它",
            ),
            faq::What::Ambiguous => self.pick("it is ambiguous", "有多种可能"),
            faq::What::NotFound => self.pick("nothing is found", "没有找到"),
            faq::What::Unlocked => self.pick(
                "it has been written since the document was built",
                "文档生成之后才写入",
            ),
            faq::What::NoLock => self.pick(
                "there is no lock yet: run `shiyi faq build`",
                "尚无锁定文件：请运行 shiyi faq build",
            ),
        }
        .to_owned();
        if let Some(now) = &finding.now {
            text.push_str(&format!("{}{now}", self.pick("; now ", "；现为 ")));
        }
        if !finding.nearest.is_empty() {
            let lead = match finding.what {
                faq::What::Ambiguous => self.pick(": ", "："),
                _ => self.pick("; nearest: ", "；相近："),
            };
            text.push_str(&format!("{lead}{}", finding.nearest.join(self.pick(", ", "、"))));
        }
        text
    }

    /// Between which editions documents were checked.
    pub fn cited_between(self, from: &str, to: &str) -> String {
        match self.0 {
            Lang::En => format!("checked as written for {from}, against {to}; --edition names another"),
            Lang::Zh => format!("按为 {from} 版所写、以 {to} 版检查；可用 --edition 指定"),
        }
    }

    /// How far back a rule was followed.
    pub fn since(self, citation: &str, edition: &str) -> String {
        match self.0 {
            Lang::En => format!("followed back to {citation} of {edition}"),
            Lang::Zh => format!("追溯至 {edition} 版的 {citation}"),
        }
    }
}

/// Editions, newest first, as a reader wants to see them: the first and the last where there are many.
fn span(editions: &[String], to: &str) -> String {
    match editions {
        [newest, .., oldest] if editions.len() > 2 => format!("{oldest}{to}{newest}"),
        _ => editions.join(", "),
    }
}
