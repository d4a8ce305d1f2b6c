//! What other modules say in English, in Chinese: diagnostics, the reasons of `add`, errors.
//!
//! They say it in English once, where the fault is found; an index keeps it so. [`chinese`] reads it back by the form
//! of its sentence. A test over every kind of diagnostic fails when one has no Chinese.

use std::borrow::Cow;

/// The Chinese of something that the program says in English, what stands in it of a text kept as it is; the English
/// where there is none.
///
/// # Example
///
/// ```
/// use shiyi::render::phrases::chinese;
///
/// assert_eq!(chinese("there is no edition `3`"), "没有版本“3”");
/// assert_eq!(chinese("Take two."), "Take two.");
/// ```
pub fn chinese(english: &str) -> Cow<'_, str> {
    // Nothing nests deeper: a sentence, a reason in it, a word in that.
    translated(english, 3).map_or(Cow::Borrowed(english), Cow::Owned)
}

fn translated(english: &str, depth: usize) -> Option<String> {
    PHRASES.iter().find_map(|(form, chinese)| {
        let found = captures(form, english)?;
        let mut out = String::with_capacity(chinese.len() + english.len());
        let mut rest = *chinese;
        while let Some(at) = rest.find('{') {
            out.push_str(&rest[..at]);
            let number = rest
                .as_bytes()
                .get(at + 1)
                .map_or(0, |digit| usize::from(digit.wrapping_sub(b'0')));
            if let Some((quoted, text)) = found.get(number) {
                let own = match *quoted || depth == 0 {
                    true => None,
                    false => translated(text, depth - 1),
                };
                out.push_str(own.as_deref().unwrap_or(text));
            }
            rest = rest.get(at + 3..).unwrap_or_default();
        }
        out.push_str(rest);
        Some(out)
    })
}

/// What stands in the holes of a sentence's form, and whether it stands there in backticks; none where the sentence has
/// another form. The last hole takes as much as it can, the others as little.
fn captures<'a>(form: &str, text: &'a str) -> Option<Vec<(bool, &'a str)>> {
    let mut parts = form.split("{}");
    let first = parts.next()?;
    let mut rest = text.strip_prefix(first)?;
    let mut found = Vec::new();
    let mut before = first;
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            None if part.is_empty() => rest.len(),
            None => rest
                .len()
                .checked_sub(part.len())
                .filter(|at| rest.get(*at..) == Some(part))?,
            Some(_) => rest.find(part)?,
        };
        let (inside, after) = rest.split_at_checked(at)?;
        found.push((before.ends_with('`'), inside));
        rest = &after[part.len()..];
        before = part;
    }
    rest.is_empty().then_some(found)
}

/// A sentence in English, with `{}` for what it says of, and in Chinese, with `{0}` for the first of those. Where two
/// forms fit a sentence, the first one counts.
#[rustfmt::skip]
const PHRASES: &[(&str, &str)] = &[
    // Why a text was taken for what it is.
    ("the caller says so", "由选项或 sources.toml 指定"),
    ("Markdown with front matter", "带文件头的 Markdown"), ("numbered rules", "编号规则"), ("rulings", "释疑"),
    ("statements", "说明"), ("a glossary", "术语表"), ("a list of terms", "术语列表"), ("numbered rules as JSON", "JSON 编号规则"),
    ("a table of cards", "牌表"),
    ("its columns are called {}", "各列名为 {0}"),
    ("{} objects have a card's names or texts", "有 {0} 个对象写有牌名或牌文"),
    ("it holds cards or their rulings", "内容是牌或其释疑"),
    ("its names and texts are", "由其牌名与牌文可知"),
    ("the folder or an option says `{}`", "文件夹或选项写明“{0}”"),
    ("the text says `{}`", "文本写有“{0}”"),
    ("the file is called `{}`", "文件名为“{0}”"),
    ("{} lines begin with a number of its shape", "有 {0} 行以此形式的编号开头"),
    ("{} lines begin with a rule's number", "有 {0} 行以规则编号开头"),
    ("{} headings begin with a rule's number", "有 {0} 个标题以规则编号开头"),
    ("{} lines are English, {} Chinese", "英文 {0} 行，中文 {1} 行"),
    ("{} lines are a ruling's bullet with a date", "有 {0} 行是带日期的释疑条目"),
    ("{} lines are a ruling's bullet", "有 {0} 行是释疑条目"),
    ("{} headings name a term in both languages, or the page says so", "有 {0} 个标题是双语术语，或页面写明是术语表"),
    ("{} of {} paragraphs are sentences", "{1} 段中有 {0} 段是完整的句子"),
    ("{} of {} lines or objects are a term in both languages", "{1} 行（或对象）中有 {0} 个是双语术语"),
    ("it is JSON with numbered texts in both languages", "是带编号的双语 JSON 文本"),
    ("its front matter or its place says `{}`", "文件头或所在位置写明“{0}”"),
    ("it is Markdown with front matter", "是带文件头的 Markdown"),
    ("its paragraphs are written so", "段落如此书写"),
    ("it holds rulings", "内容是释疑"),
    ("a byte order mark", "有字节顺序标记"),
    ("a guess from its bytes", "由字节推测"),
    ("all its bytes are", "所有字节均符合"),

    // What was guessed.
    ("the folder `{}` is no known game's; the game was taken to be `{}`: {}", "文件夹“{0}”不是已知的游戏；游戏视为“{1}”：{2}"),
    ("the {} was taken to be `{}`: {}", "{0}视为“{1}”：{2}"),
    ("game", "游戏"), ("document", "文档"), ("edition", "版本"), ("kind of text", "文本类型"),
    ("if it is not, say so with `--{}` or in `sources.toml`", "若不对，请用 --{0} 或在 sources.toml 中指定"),
    ("the edition is `{}`, as was said of the text, which itself says `{}`", "按所指定的，版本是“{0}”，但文本自身写有“{1}”"),
    ("if the text is right, say `{}`, or nothing, with `--edition` or in `sources.toml`", "若以文本为准，请在 --edition 或 sources.toml 中写“{0}”，或不写"),

    // Files.
    ("cannot be read: {}", "无法读取：{0}"),
    ("`{}` cannot be read: {}", "无法读取“{0}”：{1}"),
    ("`{}` cannot be written: {}", "无法写入“{0}”：{1}"),
    ("stdin cannot be read: {}", "无法读取标准输入：{0}"),
    ("the answer could not be written: {}", "无法写出结果：{0}"),
    ("check that the file is there and that you may read it", "请检查文件是否存在、是否有权读取"),
    ("check the file's name", "请检查文件名"),
    ("check the file's name; to search for these words, write `shiyi search add {}`", "请检查文件名；若要搜索这些词，请写 shiyi search add {0}"),
    ("check the folder", "请检查文件夹"),
    ("this is not a regular file", "这不是普通文件"),
    ("move it out of the library", "请将其移出规则库"),
    ("take it out of the library, or fetch it again from where it came", "请移出规则库，或重新获取"),
    ("the file is empty", "文件是空的"),
    ("the file is larger than 1 GiB", "文件大于 1 GiB"),
    ("split it", "请拆分"),
    ("there is no text in this folder", "此文件夹中没有文本"),
    ("name the texts themselves, or a folder that holds some", "请指定文本本身，或含有文本的文件夹"),
    ("there are too many files called `{}`", "名为“{0}”的文件太多"),
    ("remove some", "请删去一些"),
    ("this is a binary file, not a text", "这是二进制文件，不是文本"),
    ("convert it to text first; for a PDF use `pdftotext -layout`", "请先转换为文本；PDF 可用 pdftotext -layout"),
    ("no encoding is called `{}`", "没有名为“{0}”的编码"),
    ("use a name such as UTF-8, GB18030, Big5 or windows-1252", "可用的名称如 UTF-8、GB18030、Big5、windows-1252"),
    ("read as {}: nothing in the file says so", "按 {0} 读取，但文件中没有任何说明"),
    ("if the text looks wrong, name the encoding with `--encoding` or in `sources.toml`", "若文本有误，请用 --encoding 或在 sources.toml 中指定编码"),
    ("a byte is no {}; it is shown as `{}`", "有一个字节不合 {0} 编码，显示为“{1}”"),
    ("{} bytes are no {}; each is shown as `{}`", "有 {0} 个字节不合 {1} 编码，各显示为“{2}”"),
    ("repair the file, or name its encoding with `--encoding`", "请修复文件，或用 --encoding 指定编码"),
    ("the game of this text is not known", "不知道此文本属于哪个游戏"),
    ("put the file in a folder `rules/<game>/` or `rulings/<game>/`, or name the game with `--game`; a new game is described by `rules/<game>/game.toml` (see rules/README.md)", "请将文件放入 rules/<游戏>/ 或 rulings/<游戏>/，或用 --game 指定游戏；新的游戏由 rules/<游戏>/game.toml 描述（见 rules/README.md）"),
    ("the game of this text is not known: the folder `{}` is no known game's", "不知道此文本属于哪个游戏：文件夹“{0}”不是已知的游戏"),
    ("call the folder as its game is called; a new game is described by a `game.toml` in it (see rules/README.md)", "请以游戏的名称命名文件夹；新的游戏由其中的 game.toml 描述（见 rules/README.md）"),
    ("{} of its rules are worded as in other texts of that game", "有 {0} 条规则与该游戏的其他文本字句相同"),
    ("if it is not, take the text out of the library, and say so with `--game`", "若不对，请将文本移出规则库，并用 --game 指定"),
    ("no rules, rulings or statements were found in this text", "此文本中没有找到规则、释疑或说明"),
    ("say what it is with `--kind`, or take it out of the library", "请用 --kind 指定类型，或移出规则库"),
    ("the library holds no rules or rulings yet", "规则库中还没有规则或释疑"),
    ("bring texts in with `shiyi add FILE`; until then the built-in library answers", "请用 shiyi add FILE 添加文本；在此之前由内置规则库作答"),

    // Rulebooks.
    (
        "the edition `{}` is taken to be {}, since its text names no date",
        "版本 {0} 的文本未写日期，因此视为{1}",
    ),
    ("not older than {}", "不早于 {0}"),
    ("older than every edition that is named by a date", "早于所有以日期命名的版本"),
    (
        "name the edition by its date with `--edition` or in `sources.toml`",
        "请用 `--edition` 或在 `sources.toml` 中以日期说明该版本",
    ),
    ("`{}` is cited, but there is no such rule", "引用了 {0}，但没有这条规则"),
    ("look for a misprint, or add the edition that has it", "请检查是否有误，或添加含有它的版本"),
    ("`{}` is cited, but this edition has no such rule", "引用了 {0}，但此版本没有这条规则"),
    ("look for a misprint, or compare with the edition before this one", "请检查是否有误，或与前一版本比较"),
    ("rule number `{}` is used twice", "规则编号 {0} 用了两次"),
    ("first used at {}", "首次出现在 {0}"),
    ("first at {}", "首次出现在 {0}"),
    ("number this one `{}`, or place it under the first if it goes on with it", "请将此条改编为 {0}；若是前一条的续文，请放在其下"),
    ("give this one a number of its own, or place it under the first if it goes on with it", "请为此条另编一号；若是前一条的续文，请放在其下"),
    ("rule number `{}` stands before `{}`", "规则编号 {0} 排在 {1} 之前"),
    ("rule number `{}` stands after `{}`", "规则编号 {0} 排在 {1} 之后"),
    ("check the number; it is kept as it is written", "请检查编号；现按原样保留"),
    ("rule number `{}` is missing before `{}`", "{1} 之前缺少规则编号 {0}"),
    ("it seems to stand inside the text at line {}: put it on a line of its own", "它似乎混在第 {0} 行的文字里，请使其独占一行"),
    ("the text ends here, but its contents name `{}` and {} more", "文本到此为止，但其目录还列有“{0}”等另外 {1} 项"),
    ("the text ends here, but its contents name `{}`", "文本到此为止，但其目录还列有“{0}”"),
    ("the contents name `{}` and {} more, and the text goes on without", "目录列有“{0}”等另外 {1} 项，但正文没有"),
    ("the contents name `{}`, and the text goes on without", "目录列有“{0}”，但正文没有"),
    ("the text has a table of contents and no rules", "文本只有目录，没有规则"),
    ("named at {}", "列于 {0}"),
    ("fetch the file again from where it came: a part of it seems to be missing", "请从原处重新获取此文件：似乎缺少一部分"),
    ("check whether the rule is in the file under another number", "请检查该规则是否以别的编号出现在文件中"),
    ("without the full stop of", "缺少句点，不同于"),
    ("with a full stop, unlike", "带有句点，不同于"),
    ("without the blank of", "缺少空格，不同于"),
    ("with a blank, unlike", "带有空格，不同于"),
    ("rule number `{}` is written without the full stop of the {} others of its form", "规则编号 {0} 没有句点，其余 {1} 个同形编号都有"),
    ("rule number `{}` is written with a full stop, unlike the {} others of its form", "规则编号 {0} 带有句点，其余 {1} 个同形编号都没有"),
    ("rule number `{}` is written without the blank of the {} others of its form", "规则编号 {0} 之后没有空格，其余 {1} 个同形编号都有"),
    ("rule number `{}` is written with a blank, unlike the {} others of its form", "规则编号 {0} 之后有空格，其余 {1} 个同形编号都没有"),
    ("it is read all the same", "不影响读取"),
    ("{} of {} entries have no {} text", "{1} 个条目中有 {0} 个没有{2}文本"),
    ("`{}` has no {} text", "{0} 没有{1}文本"),
    ("English", "英文"), ("Chinese", "中文"),
    ("the first of them is here", "第一个在此"),
    ("add the rest of the translation, if there is one", "若有译文，请补全"),
    ("compare the texts of both languages around it", "请对照此处前后的双语文本"),
    ("`{}` seems to be `{}`, torn at the end of a line", "“{0}”似乎是在行末断开的“{1}”"),
    ("both are found by a search for the whole word; join it if you like", "按整词搜索两者都能找到；也可将其接合"),
    ("the term `{}` has no definition", "术语“{0}”没有释义"),
    ("look for a blank line between the term and its definition", "请检查术语与释义之间是否有空行"),
    ("the term `{}` stands after `{}`", "术语“{0}”排在“{1}”之后"),
    ("check the order of the glossary", "请检查术语表的顺序"),
    ("the term `{}` stands twice in the glossary", "术语“{0}”在术语表中出现了两次"),
    ("its definition is kept with the first one; give one of them another headword", "其释义归入第一个；请为其中之一改用别的词头"),
    ("another text of `{}` in the same edition", "同一版本中 {0} 另有不同的文本"),
    ("the text that is kept is at {}", "保留的文本在 {0}"),
    ("say in `sources.toml` which source comes first, or take one out", "请在 sources.toml 中指定以哪个来源为先，或移除其一"),
    ("`{}` is the id of two different texts", "{0} 是两个不同文本的 id"),
    ("the other one is at {}", "另一个在 {0}"),
    ("change a word of one of them, or take one out; the second is left out", "请改动其中之一的一个词，或移除其一；第二个未载入"),
    ("{} of {} terms have no English term beside them", "{1} 个术语中有 {0} 个没有对应的英文术语"),
    ("compare the glossary with the English one of the same edition", "请与同一版本的英文术语表对照"),
    ("a paragraph in the other language with no rule beside it", "另一语言的段落旁没有对应的规则"),
    ("place it under the rule that it translates, or give it the rule's number", "请放在所译规则之下，或写上该规则的编号"),

    // Rulings.
    ("{} rulings without a date, this one the first", "有 {0} 条释疑没有日期，这是第一条"),
    ("a ruling without a date", "释疑没有日期"),
    ("this ruling has no date", "这条释疑没有日期"),
    ("write its date after the bullet: `{}`", "请在条目符号后写明日期：{0}"),
    ("`{}` is no date", "“{0}”不是日期"),
    ("write it as year, month and day: `{}`", "请按年、月、日书写：{0}"),
    ("write it as 2024-06-07, 2024-06 or 2024", "请写作 2024-06-07、2024-06 或 2024"),
    ("write it as `{}`", "请写作 {0}"),
    ("a ruling without a text", "释疑没有正文"),
    ("write its text below the bullet, or take the bullet out", "请在条目符号下写明正文，或去掉条目符号"),
    ("this is no JSON: {}", "这不是 JSON：{0}"),
    ("none of the file was loaded; get a whole copy of it", "文件未载入；请取得完整的副本"),
    ("what stands up to line {} was loaded; get a whole copy of the file", "已载入第 {0} 行以前的内容；请取得完整的副本"),

    // Tables of cards.
    ("a quote that is never closed", "引号没有闭合"),
    ("a row of {} cells, where the table has {}", "此行有 {0} 格，而表有 {1} 列"),
    ("an object that is no JSON", "此对象不是 JSON"),
    ("an object that is no JSON: {}", "此对象不是 JSON：{0}"),
    ("a ruling without a card or a text", "释疑没有写明是哪张牌，或没有正文"),
    ("a card without a name", "牌没有名称"),
    ("correct it, or take it out; the rows around it were loaded", "请改正或移除；其前后各行已载入"),
    ("the file ends within a list, behind {} rows", "文件在列表中途结束，此前有 {0} 行"),
    ("what stands there was loaded; get a whole copy of the file", "此前的内容已载入；请取得完整的副本"),
    ("{} more rows are at fault", "另有 {0} 行有误"),
    ("another text of the card `{}` in the same table", "同一张表中，牌“{0}”另有不同的文本"),
    ("take one of them out, or give each card an id", "请移除其一，或为每张牌写上编号"),
    ("{} more texts are left out so", "另有 {0} 段文本因此未载入"),

    // Our own Markdown.
    ("the front matter has no end", "文件头没有结束"),
    ("close it with a line like the first", "请用与首行相同的一行结束"),
    ("the game `{}` is not known, and nothing of this file was read", "不认识游戏“{0}”，此文件未读取"),
    ("nothing says which game this is, and nothing of it was read", "没有写明是哪个游戏，此文件未读取"),
    ("nothing says what kind of entries this file holds, and nothing of it was read", "没有写明是哪类条目，此文件未读取"),
    ("write `game` and `kind` in its front matter, or give `--game` and `--kind`", "请在文件头写明 game 与 kind，或用 --game 与 --kind 指定"),
    ("the heading `{}` has no rule number", "标题“{0}”没有规则编号"),
    ("`{}` is not how the document `{}` of {} numbers its rules", "“{0}”不合 {2} 的 {1} 文档的编号方式"),
    ("write a number such as `{}`", "请写编号，如 {0}"),
    ("this term has no headword", "此术语没有词头"),
    ("write it as the heading", "请写作标题"),
    ("this {} has no text", "此条目没有正文"),
    ("write it under the heading, as a paragraph", "请在标题下另起一段书写"),
    ("write `- date: 2024-06-07` under its heading, or `date` in the front matter", "请在标题下写 - date: 2024-06-07，或在文件头写 date"),
    ("`{}` is used twice", "“{0}”用了两次"),
    ("this line was not read", "此行未读取"),
    ("Markdown takes `{}` for the address of a link; write it differently", "Markdown 会把 {0} 当作链接地址，请换一种写法"),
    ("`{}` is the same for a whole file", "“{0}”对整个文件只能有一个值"),
    ("write it in the front matter", "请写在文件头"),
    ("`{}` is no field", "“{0}”不是字段"),
    ("write `key: value`, or TOML between lines of `+++`", "请写 key: value，或在两行 +++ 之间写 TOML"),
    ("write `key: value`", "请写 key: value"),
    ("`{}` has no value", "“{0}”没有值"),
    ("`{}` is no kind of entry", "“{0}”不是条目类型"),
    ("write one of `{}`", "请写其一：{0}"),
    ("write one of `{}`, then the source's own tag if there is one", "请写其一：{0}，其后可加来源自己的标记"),
    ("`{}` is no language", "“{0}”不是语言"),
    ("write `en` or `zh`", "请写 en 或 zh"),
    ("did you mean `{}`?", "是否想写 {0}？"),
    ("the keys are `{}`", "可用的键：{0}"),
    ("`{}` is no key", "“{0}”不是键"),
    ("`{}` is no class of provenance", "“{0}”不是出处类别"),
    ("the front matter is no TOML: {}", "文件头不是 TOML：{0}"),
    ("`{}` is an entry's own", "“{0}”属于各条目自身"),
    ("write it under the entry's heading", "请写在该条目的标题下"),

    // game.toml and sources.toml.
    ("write it as a TOML file in UTF-8", "请写成 UTF-8 的 TOML 文件"),
    ("not UTF-8 from here", "从此处起不是 UTF-8"),
    ("save it as UTF-8", "请存为 UTF-8"),
    ("an edition without a name", "版本没有名称"),
    ("the edition's name is longer than {} characters", "版本名称超过 {0} 个字符"),
    ("`{}` cannot be the name of an edition", "“{0}”不能作为版本名称"),
    ("write it as the publisher does: letters, figures, blanks and any of . - _ + ( )", "请照发行商的写法：可用文字、数字、空格及 . - _ + ( )"),
    ("{} is empty, too long, or has characters that cannot be seen", "{0} 为空、过长，或含有不可见的字符"),
    ("write a name", "请写一个名称"),
    ("nothing was asked for: there are no words", "没有可查询的内容：未写任何文字"),
    ("write a number, a name or words, such as `702.19b`, `trample` or `card advantage`", "请写编号、名称或词语，如 702.19b、trample、践踏"),
    ("write a condition, such as `3 or more` or `at least 2`", "请写一个条件，如 3 or more、至少2个"),
    ("it speaks of `{}`, which is not there", "其中提到的“{0}”不存在"),
    ("correct the name, or remove the section", "请改正名称，或删去该段"),
    ("write `{}` and below it document, kind, lang, edition, encoding, card or provenance", "请写 {0}，其下写 document、kind、lang、edition、encoding、card 或 provenance"),
    ("nothing of the file is used until it is correct TOML", "改成正确的 TOML 之前，整个文件都不使用"),
    ("this whole part of the file is left out until it is corrected", "改正之前，文件的这一整部分都不使用"),
    ("this document is left out until it is corrected", "改正之前，此文档不使用"),
    ("`document` is no list of documents", "document 不是文档列表"),
    ("head each document with `{}`", "请在每个文档之前写 {0}"),
    ("unknown field `{}`", "未知的字段“{0}”"),
    ("a game has {}; take it out", "游戏只有 {0}；请去掉它"),
    ("the game has no `{}`", "游戏没有 {0}"),
    ("write `{}`: what its folder is called", "请写 {0}，与文件夹同名"),
    ("write `{}`, or rename the folder to `{}`", "请写 {0}，或把文件夹改名为 {1}"),
    ("use up to 32 of a-z, 0-9 and `-`, and call the folder the same", "请用至多 32 个 a-z、0-9 或 -，并使文件夹同名"),
    ("use up to 32 of a-z, 0-9 and `-`: `cr`", "请用至多 32 个 a-z、0-9 或 -，如 cr"),
    ("`{}` is no game id", "“{0}”不能作为游戏的 id"),
    ("the game's id is `{}`, but its folder is called `{}`", "游戏的 id 是“{0}”，文件夹却名为“{1}”"),
    ("`{}` is no document id", "“{0}”不能作为文档的 id"),
    ("the game has two documents `{}`", "游戏有两个文档“{0}”"),
    ("give each document an id of its own, or make one of the two", "请为每个文档各取一个 id，或合二为一"),
    ("an empty text among the `{}`", "{0} 中有空文本"),
    ("take it out", "请去掉"),
    ("`{}` already means the game `{}`", "“{0}”已指游戏“{1}”"),
    ("choose another word, or take it out", "请换一个词，或去掉"),
    ("a numbering without levels", "编号没有层级"),
    ("write one for each part of a number, `{}`; leave `numbering` out for a document without numbers", "请为编号的每一部分各写一级：{0}；没有编号的文档不写 numbering"),
    ("a rule's number cannot begin with `{}`", "规则编号不能以“{0}”开头"),
    ("`{}` after `{}`: letters cannot follow letters", "“{1}”之后是“{0}”：字母之后不能再是字母"),
    ("put a level of numbers between them", "请在其间加一级数字"),
    ("`{}` after `{}`: nothing tells the one number from the next", "“{1}”之后是“{0}”：无法区分前后两个数字"),
    ("write what joins them: `{}`, `{}` or `{}`", "请写明连接符：{0}、{1} 或 {2}"),
    ("no number has at least {} and at most {} digits", "没有数字至少 {0} 位而至多 {1} 位"),
    ("write the least first and then the most, each from 1 to 9: `{}`", "请先写最小再写最大，各为 1 至 9：{0}"),
    ("{} kinds for {} levels", "{1} 个层级却有 {0} 种类型"),
    ("a number is no {}", "编号不能是 {0}"),
    ("use `chapter`, `section` and `rule`", "请用 chapter、section 与 rule"),
    ("a chapter of no more than one section", "每章至多一节"),
    ("`{}` is no letter that a number can have", "“{0}”不是编号可用的字母"),

    // Documents with directives.
    ("a directive is not closed on its line", "指令没有在同一行结束"),
    ("an empty directive", "空的指令"),
    ("`{}` of what?", "指令“{0}”没有内容"),
    ("there is no directive `{}`", "没有指令“{0}”"),
    ("known: {}", "可用：{0}"),
    ("write `{}` on a line of its own", "请独占一行书写 {0}"),
    ("a quote is not closed", "引号没有结束"),
    ("nothing answers `{}`", "“{0}”没有答案"),
    ("correct the directive, or add the text that has it", "请改正指令，或添加含有它的文本"),
    ("several documents need a folder to be written to", "多个文档须写到一个文件夹"),
    ("name it with -o FOLDER", "请用 -o 指定文件夹"),
    ("`{}` has no option `{}=`", "“{0}”没有选项 {1}="),
    ("it has {}; a word with `=` stands in quotes", "可用：{0}；含有 = 的词请加引号"),
    ("`{}=` is given twice", "{0}= 给了两次"),
    ("leave one of them out", "请去掉其中之一"),
    ("not all of `{}` is there", "“{0}”只找到一部分"),
    ("`{}` is in several games: {}", "“{0}”在多个游戏中都有：{1}"),
    ("name one: `{}`", "请指定其一：{0}"),
    ("a document is built as Markdown, HTML or JSON", "文档可生成 Markdown、HTML 或 JSON"),
    ("write --format md, html or json", "请写 --format md、html 或 json"),
    ("--format html is for `faq build` only", "--format html 只用于 faq build"),
    ("write `shiyi faq build FILE --format html`", "请写 shiyi faq build FILE --format html"),
    ("`{}` is not UTF-8 from line {} on", "“{0}”从第 {1} 行起不是 UTF-8"),
    ("`{}`: the lock file was written by a newer shiyi (version {}; this one reads {})", "“{0}”：锁定文件由更新版本的 shiyi 写成（版本 {1}；本程序可读 {2}）"),
    ("`{}`: this is no lock file: {}", "“{0}”不是锁定文件：{1}"),
    ("update shiyi", "请更新 shiyi"),
    ("build the document again; that writes it anew", "请重新生成文档，锁定文件会随之重写"),
    ("two documents would be written to `{}`", "两个文档会写到同一个文件“{0}”"),
    ("build them one by one, or give them different names", "请逐一生成，或改用不同的文件名"),
    ("a draft is Markdown", "草稿只能是 Markdown"),
    ("leave the other form out; `faq build` has several", "请去掉其他格式；faq build 可用多种格式"),
    ("`{}` is there already", "“{0}”已存在"),
    ("check the folder; what was there before is left as it was", "请检查文件夹；原有内容保持不变"),
    ("write the document in UTF-8", "请用 UTF-8 书写文档"),
    ("give a text in UTF-8", "请提供 UTF-8 文本"),
    ("`{}` or its lock would be overwritten", "“{0}”或其锁定文件会被覆盖"),
    ("write to another name or folder with -o", "请用 -o 另取一名，或写到别的文件夹"),
    ("write to another name with -o", "请用 -o 另取一名"),
    ("write lang=zh, lang=en or lang=both", "请写 lang=zh、lang=en 或 lang=both"),
    ("`{}` is no number", "“{0}”不是数字"),
    ("write limit=3", "请写 limit=3"),
    ("write kind=rule, kind=ruling, …", "请写 kind=rule、kind=ruling 等"),

    // What was asked for.
    ("no game is called `{}`", "没有名为“{0}”的游戏"),
    ("known games: {}; a new one is described by `rules/<game>/game.toml` in the library (see rules/README.md)", "已知的游戏：{0}；新的游戏由规则库中的 rules/<游戏>/game.toml 描述（见 rules/README.md）"),
    ("known games: {}", "已知的游戏：{0}"),
    ("there is no document `{}`", "没有文档“{0}”"),
    ("did you mean `{}`? known: {}", "是否想写 {0}？已有：{1}"),
    ("there is no edition `{}`", "没有版本“{0}”"),
    ("`{}` may be any of {} editions", "“{0}”可指 {1} 个版本"),
    ("write one of these: {}", "请写其一：{0}"),
    ("no document has both the editions `{}` and `{}`", "没有文档同时有“{0}”与“{1}”两个版本"),
    ("loaded: {}", "已载入：{0}"),
    ("no text that is loaded names its edition", "已载入的文本都没有注明版本"),
    ("no editions are loaded", "没有载入任何版本"),
    ("`{}` names no chapter, section or range", "“{0}”不是章、节或范围"),
    ("write a number such as 702 or 613-616", "请写编号，如 702 或 613-616"),
    ("{} (character {} of the query)", "{0}（查询的第 {1} 个字符）"),
    ("the query is longer than {} bytes", "查询超过 {0} 字节"),
    ("the query has more than {} words", "查询超过 {0} 个词"),
    ("there is nothing to search for in it", "其中没有可搜索的内容"),
    ("see `shiyi {} --help`", "参见 shiyi {0} --help"),
    ("see `shiyi --help`", "参见 shiyi --help"),
    ("`{}` is no value: write a whole number, `inf`, or `a=2,b=1` for two quantities", "“{0}”不是数值：请写整数、inf，或两个数量 a=2,b=1"),
    ("`{}` is no value", "“{0}”不是数值"),
    ("write an integer, `inf`, or `a=2,b=1` for two quantities", "请写整数、inf，或两个数量 a=2,b=1"),
    ("a numeric question is about one game", "数字问题只能针对一个游戏"),
    ("a text is of one game", "一个文本只属于一个游戏"),
    ("name one with --game", "请用 --game 指定一个"),
    ("there is no operation `{}`", "没有运算“{0}”"),
    ("`{}` needs {}", "“{0}”需要 {1}"),
    ("`{}` has no `{}`; it has {}", "“{0}”没有“{1}”；可用：{2}"),
    ("`{}` does not answer with --format {}", "“{0}”不能以 --format {1} 作答"),
    ("`-` cannot be rewritten", "“-”不能改写"),
    ("name a file; `cite check -` reads stdin", "请写明文件；cite check - 读取标准输入"),
    ("`{}`, a whole number", "{0}（整数）"),
    ("`{}`, in words", "{0}（文字）"),
    ("`{}`, a list of whole numbers", "{0}（整数列表）"),
    ("`{}`, a list", "{0}（列表）"),
    ("the number is too large", "数太大"),
    ("`{}` is no KEY=VALUE", "“{0}”不是 KEY=VALUE"),
    ("write it as old=1 new=3", "请写作 old=1 new=3"),
    ("`{}` is given twice", "“{0}”给了两次"),
    ("give each KEY once; a list is written with commas: triggers=1,2", "每个 KEY 只给一次；列表用逗号书写：triggers=1,2"),
    ("--input is no JSON object: {}", "--input 不是 JSON 对象：{0}"),
    ("write it as '{}'", "请写作 '{0}'"),
    ("give the condition as UTF-8 text", "请用 UTF-8 文本给出条件"),
    ("nothing was added: {} of {} files were refused", "没有添加任何文件：{1} 个文件中有 {0} 个被拒绝"),
    ("leave those files out, or leave --strict out to add the others", "请去掉这些文件，或去掉 --strict 以添加其余文件"),
    ("--format es-bulk is for `export` only", "--format es-bulk 只用于 export"),
    ("write `shiyi export --format es-bulk`, with options for what to export", "请写 shiyi export --format es-bulk，并用选项指定导出内容"),
    ("write `{}`, or take the file away", "请写 {0}，或移走此文件"),
    ("the template is wrong (line {}): {}", "模板有误（第 {0} 行）：{1}"),
    ("the template is wrong: {}", "模板有误：{0}"),
    ("write the fields of the JSON objects: {}", "请写 JSON 对象的字段：{0}"),
    ("there is no command `{}`", "没有命令“{0}”"),
    ("a command stands before all other words", "命令须写在其他词之前"),

    // Libraries.
    ("there is no library at `{}`", "“{0}”处没有规则库"),
    ("make the folder, or let `shiyi add FILE` make one", "请建立该文件夹，或由 shiyi add FILE 建立"),
    ("no folder for a library is known", "不知道规则库所在的文件夹"),
    ("name one with `--library DIR` or `SHIYI_LIBRARY`", "请用 --library DIR 或 SHIYI_LIBRARY 指定"),
    ("another ingest of this library is running (process {})", "此规则库正在导入（进程 {0}）"),
    ("another ingest of this library is running", "此规则库正在导入"),
    ("wait for it to end, then try again", "请等待其结束后重试"),
    ("the index was written by a newer shiyi (format {}; this one reads {})", "索引由更新版本的 shiyi 写成（格式 {0}；本版本可读 {1}）"),
    ("update shiyi, or run `shiyi ingest` to rebuild the index with this one", "请更新 shiyi，或运行 shiyi ingest 以本版本重建索引"),
    ("run `shiyi ingest` to rebuild the index", "请运行 shiyi ingest 重建索引"),
    ("the index is damaged: {}", "索引已损坏：{0}"),
    ("the index cannot be written here", "此处无法写入索引"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_sentence_is_kept() {
        for (english, expected) in [
            (
                "rule number `12.3a` stands before `12.2`",
                "规则编号 12.3a 排在 12.2 之前",
            ),
            (
                "the edition was taken to be `12.7`: the file is called `a 12.7.txt`",
                "版本视为“12.7”：文件名为“a 12.7.txt”",
            ),
            // Words of a text are never taken for the program's own.
            ("`split it` is no date", "“split it”不是日期"),
            ("3 of 4 paragraphs are sentences", "4 段中有 3 段是完整的句子"),
            ("it is `what` it is", "it is `what` it is"),
        ] {
            assert_eq!(chinese(english), expected);
        }
    }

    #[test]
    fn forms_are_distinct_and_use_what_they_hold() {
        let mut forms: Vec<&str> = PHRASES.iter().map(|(form, _)| *form).collect();
        forms.sort_unstable();
        forms.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1]));
        for (form, chinese) in PHRASES {
            let holes = form.matches("{}").count();
            for number in 0..9 {
                let used = chinese.contains(&format!("{{{number}}}"));
                // `this {} has no text` says less in Chinese.
                assert!(!used || number < holes, "{form}");
            }
        }
    }
}
