//! The help texts in Chinese. clap makes them of the English beside each option and command in [`super::args`]; a test
//! fails when one of those has no Chinese here.

use super::args;
use clap::Command;
use std::ffi::OsString;

/// The help that the arguments ask for, in Chinese.
pub fn in_chinese(arguments: &[OsString]) -> String {
    let mut command = translated(args::whole());
    command.build();
    // `shiyi cite check --help` is about `check`.
    for word in args::words_of(arguments) {
        match command.find_subcommand(&word) {
            Some(found) => command = found.clone(),
            None => break,
        }
    }
    let mut text = command.render_help().to_string();
    for (english, chinese) in CLAPS_OWN {
        text = text.replace(english, chinese);
    }
    text
}

fn translated(command: Command) -> Command {
    let about = command
        .get_about()
        .map(|about| chinese(&about.to_string()).to_owned());
    let after = command.get_after_help().map(|_| match command.get_name() {
        "calc" => args::calc_keys("运算及其键：", "每个名称一个数量"),
        _ => AFTER.to_owned(),
    });
    let mut command = command.mut_args(|arg| match arg.get_help().map(ToString::to_string) {
        Some(help) => arg.help(chinese(&help).to_owned()),
        None => arg,
    });
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(after) = after {
        command = command.after_help(after);
    }
    command.mut_subcommands(translated)
}

fn chinese(english: &str) -> &str {
    let known = HELP.iter().find(|(own, _)| *own == english);
    known.map_or(english, |(_, chinese)| chinese)
}

/// What clap says itself.
const CLAPS_OWN: &[(&str, &str)] = &[
    ("Usage: ", "用法："),
    ("Commands:", "命令："),
    ("Arguments:", "参数："),
    ("Options:", "选项："),
    ("[possible values: ", "[可用的值："),
    ("[env: ", "[环境变量："),
    ("Print help (see more with '--help')", "显示帮助"),
    ("Print help", "显示帮助"),
    ("Print version", "显示版本"),
];

/// What stands below the help of the program.
const AFTER: &str = "不是命令的词，按规则编号、关键字或术语查找，否则用于搜索：\n  \
    shiyi fow 702.3a-1\n  shiyi 践踏\n  shiyi 显化 双面牌\n  shiyi eval --game fow \"2个力量指示物\" --value 3\n\n\
    退出码：0 找到或“是”，1 没找到或“否”，2 出错，3 无法判定。管道关闭为 0。";

/// Each text of the command line, and its Chinese.
#[rustfmt::skip]
const HELP: &[(&str, &str)] = &[
    ("Look up rules by number, search rules and rulings in Chinese or English, settle numeric questions. Offline.", "释疑：按编号查规则，用中文或英文搜索规则与释疑，判断数字条件。离线运行。"),
    ("A rule number, a keyword, or words to search for", "规则编号、关键字或要搜索的词"),
    ("Show rules by number (any spelling, ranges, lists, a pasted sentence), a term, or an id", "按编号显示规则（任何写法、范围、列表、整句粘贴），或显示术语、id"),
    ("Search rules, rulings, terms and statements, in either language", "用任一语言搜索规则、释疑、术语与说明"),
    ("Show a card and its rulings, by a name in either language, half of one, or one of its faces", "显示一张牌及其释疑：任一语言的牌名、半个牌名或其中一面"),
    ("Show a glossary term: both languages, aliases, the rules that define it", "显示术语：双语、别名、定义它的规则"),
    ("Say which numbers meet a condition; with --value, whether that one does", "哪些数满足条件；加 --value 则判断该数"),
    ("Answer another numeric question: OP KEY=VALUE… or OP --input JSON", "回答其他数字问题：OP KEY=VALUE… 或 OP --input JSON"),
    ("Follow one rule through the editions that are loaded", "一条规则在已载入各版本中的变化"),
    ("Compare two editions: what is new, edited, moved, gone; narrow it with --in", "比较两个版本：新增、修改、移动、删除；可用 --in 缩小范围"),
    ("Find the citations of documents that a new edition made stale, and rewrite them", "找出文档中因换版而失效的编号，并可改写"),
    ("Write documents that quote the rules: draft one, expand its directives, say which quotes have changed since", "编写引用规则的文档：起草、展开指令、检查引文是否已变"),
    ("Answer requests on stdin, one JSON object a line. An option holds for every request that does not name it", "从标准输入读请求，每行一个 JSON 对象；请求未写明的选项以命令行所给为准"),
    ("Write out the library, or what --game, --document, --kind, --card, --in … leave of it, in reading order: as JSON lines, as Markdown, or as requests for Elasticsearch's bulk interface (--format ndjson, md, es-bulk). What tables say of cards is written with --document cards", "按阅读顺序导出规则库，或 --game、--document、--kind、--card、--in 等所选的部分：JSON 行、Markdown 或 Elasticsearch 批量请求（--format ndjson、md、es-bulk）。牌表的内容用 --document cards 导出"),
    ("Write what completes commands and options in a shell", "写出供 shell 补全命令与选项的脚本"),
    ("Write a page of the manual", "写出手册页"),
    ("Copy texts into the library and ingest it", "把文本复制进规则库并建立索引"),
    ("Build the index from the library's texts", "由规则库的文本建立索引"),
    ("Say what is loaded", "已载入的内容"),
    ("Check the library, its texts and its index, and repair the index; with --rules, audit the rulebooks", "检查规则库、文本与索引，并修复索引；加 --rules 则审核规则书"),
    ("What to look for", "要查找的内容"),
    ("The condition, as a card or rule words it; `-` reads it from stdin", "条件，照牌或规则的写法；- 表示从标准输入读取"),
    ("The value to check: an integer, `inf`, or `a=2,b=1` for two quantities", "要判断的数值：整数、inf，或两个数量 a=2,b=1"),
    ("What is counted, where the text holds several numbers", "文本含有多个数字时，所数的是什么"),
    ("The operation: `value_change`, `damage`, `deck_size`, …", "运算：value_change、damage、deck_size 等"),
    ("Its input", "其输入"),
    ("Its input as one JSON object", "其输入，写成一个 JSON 对象"),
    ("The older edition, as its publisher names it", "旧版本，照发行商的写法"),
    ("The newer edition", "新版本"),
    ("Say which are gone, moved or another rule's now; --edition names the edition that the documents were written for [default: the one before the newest]", "指出哪些已删除、移动或成为另一条规则的编号；--edition 指定文档所依据的版本 [默认：最新版的前一版]"),
    ("Write the number that a rule has now in place of the one that it had, and say so of each", "把规则原来的编号改写为现在的编号，并逐一说明"),
    ("Texts in which rules are cited", "引用了规则的文本"),
    ("Texts in which rules are cited; `-` reads one from stdin", "引用了规则的文本；“-”从标准输入读取"),
    ("The edition that they were written for", "所依据的版本"),
    ("The edition that they are to cite [default: the newest]", "改为引用的版本 [默认：最新版]"),
    ("Change no file", "不改动文件"),
    ("Write the documents with their directives expanded, as Markdown, HTML or JSON (--format md, html, json; by the name of OUT, else Markdown), and keep what was quoted in FILE.lock", "写出展开指令之后的文档：Markdown、HTML 或 JSON（--format md、html、json；不写则依 OUT 的文件名，否则为 Markdown），并把引文记入 FILE.lock"),
    ("Say which quotes are no longer what FILE.lock holds, word by word", "逐词指出哪些引文与 FILE.lock 所记不同"),
    ("Draft a document: a heading and a directive for each rule, term and ruling that the words name or find", "起草文档：对所指或搜到的每条规则、术语、释疑各写一个标题与一条指令"),
    ("Rule numbers, a name, or what to search for", "规则编号、名称或要搜索的内容"),
    ("A new file to write to. Without it, stdout", "写到哪个新文件。不写则为标准输出"),
    ("Markdown documents", "Markdown 文档"),
    ("Where to write; a folder for several files. Without it, stdout", "写到何处；多个文件时须为文件夹。不写则为标准输出"),
    ("Which shell: `shiyi completions bash` writes to stdout what its start-up file reads", "哪种 shell：shiyi completions bash 写出供其启动文件读取的脚本"),
    ("A command; without one, the page is about the program. `shiyi man search | man -l -` shows it", "命令；不写则为整个程序的手册页。用 shiyi man search | man -l - 查看"),
    ("Texts as their publisher gives them, or folders of such texts", "发行商的原文本，或装有此类文本的文件夹"),
    ("Their encoding, where it is guessed wrong: `GB18030`, `Big5`, `windows-1252`", "编码，在识别有误时指定：GB18030、Big5、windows-1252"),
    ("Who words them: `official`, `community`, `machine`, or a tag of your own", "出处：official、community、machine，或自己的标记"),
    ("Add none where one is refused, and exit with 2 when there is a warning, too", "有一个被拒绝则都不添加；有警告时退出码也为 2"),
    ("Audit the rulebooks instead: numbers that stand twice, are missing or out of order, citations that lead nowhere, entries in one language only. Narrow it with --game, --document, --edition", "改为审核规则书：重复、缺失或乱序的编号，无所指的引用，只有一种语言的条目。可用 --game、--document、--edition 缩小范围"),
    ("Exit with 2 when there is a warning, too", "有警告时退出码也为 2"),
    ("How many texts to read at once [default: one for each core]", "同时读取几个文本 [默认：每个处理器核心一个]"),
    ("The library's folder", "规则库的文件夹"),
    ("A game, by id or name; may be given several times", "游戏，用 id 或名称；可多次指定"),
    ("Which texts to show; for a search, which language must be there", "显示哪种语言的文本；搜索时为必须有的语言"),
    ("A document of the game: `cr`, `mtr`, …", "游戏的文档：cr、mtr 等"),
    ("An edition, as its publisher names it: `12.7`, `2026-04-17`", "版本，照发行商的写法：12.7、2026-04-17"),
    ("What kind of entry", "条目类型"),
    ("Who words it: official, machine, community, own-words, unknown, or a raw tag", "出处：official、machine、community、own-words、unknown，或原有标记"),
    ("A card whose rulings to search", "只搜索此牌的释疑"),
    ("The earliest date of a ruling", "释疑的最早日期"),
    ("The latest date of a ruling", "释疑的最晚日期"),
    ("Search inside a chapter, section or range", "只在某章、某节或某范围内搜索"),
    ("How many hits, entries or changes to show", "显示几条结果、条目或改动"),
    ("How many of the first to leave out [default: 0]", "略过前几条 [默认：0]"),
    ("The characters as typed: no folding, no aliases, no segmentation", "与输入的字符完全一致：不折叠、不用别名、不分词"),
    ("Rules without their subrules", "规则不含子规则"),
    ("Everything below a section or chapter", "章节以下的全部内容"),
    ("How many neighbours to show on each side, with what the rule stands below [default: 0]", "前后各显示几条相邻规则，连同上级规则 [默认：0]"),
    ("How many steps of cited rules to show [default: 0]", "展开几层所引用的规则 [默认：0]"),
    ("Who cites what was asked for, as well", "一并显示引用它的条目"),
    ("For a search, what else was looked up, and how each hit matches and is ranked", "搜索时一并说明还查找了什么，以及各结果如何符合、如何排序"),
    ("The form of the answer", "回答的形式"),
    ("The same as --format json", "同 --format json"),
    ("Writes each object of the answer so: '{{ citation }} {{ text.zh }}'", "按模板写出每个对象：'{{ citation }} {{ text.zh }}'"),
    ("The same, with a template of several lines", "同上，模板写在文件里，可有多行"),
    ("When to use colours [default: auto]", "何时使用颜色 [默认：auto]"),
    ("Columns to wrap at", "按此列数折行"),
    ("Say nothing; the exit code answers", "不作输出，只以退出码回答"),
    ("Say on stderr which library answers, and how long it takes", "在标准错误上说明由哪个规则库作答、用时多少"),
    ("The language of messages; default from the locale", "消息的语言；默认依系统区域设置"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_its_chinese() {
        fn missing(command: &Command, faults: &mut Vec<String>) {
            let helps = command.get_arguments().filter_map(clap::Arg::get_help);
            for text in helps.chain(command.get_about()).map(ToString::to_string) {
                if chinese(&text) == text {
                    faults.push(text);
                }
            }
            command
                .get_subcommands()
                .for_each(|command| missing(command, faults));
        }
        let mut faults = Vec::new();
        missing(&args::whole(), &mut faults);
        assert!(faults.is_empty(), "{faults:#?}");
    }
}
