//! Markup around rules: what Markdown, HTML and DokuWiki pages of rules put between the words.
//!
//! This is no reader of those languages: it takes their marks off a line, so that numbers stand where they do
//! in print, and says where a line holds several paragraphs.

use super::paragraph::{trim, trim_start};
use crate::fold::is_han;
use crate::source::{Line, SourceFile};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Which marks a source uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Markup {
    tags: bool,
    pub markdown: bool,
    wiki: bool,
    rst: bool,
}

/// A paragraph on a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub text: Cow<'a, str>,
    /// Its bytes in the line, marks included.
    pub range: Range<usize>,
    /// True inside what the page folds away.
    pub aside: bool,
    /// True for what the page sets as a heading.
    pub heading: bool,
}

impl Piece<'_> {
    /// The same, of a line of which something was taken away before it was read: it is somewhere in that line.
    pub fn owned(self, line: &str) -> Piece<'static> {
        Piece {
            text: Cow::Owned(self.text.into_owned()),
            range: line.len() - trim_start(line).len()..line.len(),
            aside: self.aside,
            heading: self.heading,
        }
    }
}

/// What the makers of a text wrote for each other: lines that begin with a `%` as in TeX, and with markup `<!-- … -->`,
/// which may go on over lines, and the link to nowhere (`[//]: # (…)`) that Markdown has in place of comments.
pub(super) struct Comments {
    /// Of those between marks, where they stand in the text, in order. One without an end is none.
    spans: Vec<Range<usize>>,
    percent: HashSet<u32>,
    markdown: bool,
}

impl Comments {
    /// The comments of a source.
    pub fn of(source: &SourceFile, markup: Markup) -> Comments {
        const OPEN: &str = "<!--";
        const CLOSE: &str = "-->";
        let text = source.text();
        let mut spans: Vec<Range<usize>> = Vec::new();
        if markup.tags || markup.markdown || markup.wiki {
            for (at, _) in text.match_indices(OPEN) {
                if spans.last().is_some_and(|last| at < last.end) {
                    continue;
                }
                let Some(length) = text[at..].find(CLOSE) else {
                    break;
                };
                spans.push(at..at + length + CLOSE.len());
            }
        }
        let mut percent = HashSet::new();
        let mut after_figure = false;
        for line in source.lines() {
            let text = trim(line.text);
            // A line of print may go on with the sign of the figure before it.
            if !after_figure
                && text
                    .strip_prefix('%')
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            {
                percent.insert(line.number);
            }
            after_figure = text.ends_with(|c: char| c.is_ascii_digit());
        }
        Comments {
            spans,
            percent,
            markdown: markup.markdown,
        }
    }

    /// A line without its comments; none where it has none.
    pub fn taken_from(&self, line: Line<'_>) -> Option<String> {
        let is_link = || {
            let text = line.text.trim_start();
            self.markdown && (text.starts_with("[//]: #") || text.starts_with("[comment]: "))
        };
        if self.percent.contains(&line.number) || is_link() {
            return Some(String::new());
        }
        let (start, end) = (line.span.start, line.span.start + line.text.len());
        let first = self.spans.partition_point(|comment| comment.end <= start);
        let mut comments = self.spans[first..]
            .iter()
            .take_while(|comment| comment.start < end)
            .peekable();
        comments.peek()?;
        let mut rest = String::with_capacity(line.text.len());
        let mut at = 0;
        for comment in comments {
            rest.push_str(&line.text[at..comment.start.max(start) - start]);
            at = comment.end.min(end) - start;
        }
        rest.push_str(&line.text[at..]);
        Some(rest)
    }
}

impl Markup {
    /// The marks of a source, by its name and by what it holds.
    pub fn of(source: &SourceFile) -> Markup {
        const MANY_TAGS: usize = 5;
        let path = source.path().to_ascii_lowercase();
        let markdown = path.ends_with(".md") || path.ends_with(".markdown");
        let text = source.text();
        let tags = text.contains("</")
            && text
                .match_indices('<')
                .filter(|(at, _)| tag(&text[*at..]).is_some())
                .nth(MANY_TAGS)
                .is_some();
        let wiki = source.lines().any(|line| {
            let line = line.text.trim();
            line.contains("<BOOKMARK:")
                || line.starts_with("=====") && line.ends_with("=====") && line.len() > 10
        });
        let rst = path.ends_with(".rst");
        Markup {
            tags: tags && !rst || wiki,
            markdown: markdown && !wiki,
            wiki,
            rst,
        }
    }

    /// True for a line that makes the one above it a heading.
    pub fn underlines(self, line: &str) -> bool {
        self.rst && is_rule(line.trim())
    }

    /// A reader of this source's lines, in order.
    pub fn reader(self) -> MarkupReader {
        MarkupReader {
            markup: self,
            folded: false,
        }
    }
}

/// Reads the lines of one source, in order.
pub(super) struct MarkupReader {
    markup: Markup,
    /// Inside what a wiki page folds away.
    folded: bool,
}

impl MarkupReader {
    /// The paragraphs on a line; none for a line of nothing but marks.
    pub fn pieces<'a>(&mut self, line: &'a str) -> Vec<Piece<'a>> {
        let Markup {
            tags,
            markdown,
            wiki,
            rst,
        } = self.markup;
        if rst {
            return marked_rst(line).into_iter().collect();
        }
        if !(tags || markdown || wiki) {
            return plain(line, 0, false).into_iter().collect();
        }
        let mut pieces = Vec::new();
        for part in blocks(line, tags) {
            if wiki {
                self.wiki(line, part, &mut pieces);
            } else {
                pieces.extend(marked(line, part, tags, markdown));
            }
        }
        pieces
    }

    /// The paragraphs of a DokuWiki line: `\\` breaks lines, `++shown|folded++` folds.
    fn wiki<'a>(&mut self, line: &'a str, part: Range<usize>, pieces: &mut Vec<Piece<'a>>) {
        if is_links(line) {
            return;
        }
        let mut start = part.start;
        let text = &line[part.clone()];
        for (at, mark) in text.match_indices(['\\', '+', '|']) {
            let (at, rest) = (part.start + at, &text[at..]);
            let in_link = line[..at]
                .rfind("[[")
                .is_some_and(|open| !line[open..at].contains("]]"));
            if at < start || in_link {
                continue;
            }
            let (length, folded) = match mark {
                "\\" if rest.starts_with("\\\\") => (2, self.folded),
                "+" if rest.starts_with("++") => (2, false),
                "|" if !self.folded && line[..at].contains("++") => (1, true),
                _ => continue,
            };
            pieces.extend(marked_wiki(line, start..at, self.folded));
            start = at + length;
            self.folded = folded;
        }
        pieces.extend(marked_wiki(line, start..part.end, self.folded));
    }
}

/// A piece without marks.
fn plain(line: &str, start: usize, aside: bool) -> Option<Piece<'_>> {
    let text = trim(line);
    let at = line.len() - trim_start(line).len();
    (!text.is_empty()).then(|| Piece {
        text: Cow::Borrowed(text),
        range: start + at..start + at + text.len(),
        aside,
        heading: false,
    })
}

/// True for a line of one mark again and again.
fn is_rule(text: &str) -> bool {
    let first = text.chars().next();
    text.len() >= 3
        && first.is_some_and(|first| "=-~^*+#\"'`".contains(first) && text.chars().all(|c| c == first))
}

/// A line of reStructuredText: `| ` keeps line ends, `` `words <address>`__ `` links, `.. ` directs.
fn marked_rst(line: &str) -> Option<Piece<'_>> {
    let piece = plain(line, 0, false)?;
    let mut text = piece.text.as_ref();
    if is_rule(text) || text.starts_with(".. ") {
        return None;
    }
    for mark in ["- ", "* ", "| "] {
        text = text.strip_prefix(mark).unwrap_or(text).trim_start();
    }
    let mut words = String::with_capacity(text.len());
    for (idx, part) in text.replace("\\ ", "").split('`').enumerate() {
        if idx % 2 == 1 {
            words.push_str(part.split(" <").next().unwrap_or(part));
        } else {
            words.push_str(if idx > 0 {
                part.trim_start_matches('_')
            } else {
                part
            });
        }
    }
    (!trim(&words).is_empty() && words != "|").then(|| Piece {
        text: Cow::Owned(trim(&words).to_owned()),
        ..piece
    })
}

fn marked_wiki(line: &str, range: Range<usize>, aside: bool) -> Option<Piece<'_>> {
    let piece = plain(&line[range.clone()], range.start, aside)?;
    let mut text = without_tags(&piece.text);
    let heading = text.trim().starts_with("==");
    text = without_italics(&wiki_links(text.trim().trim_matches('=').trim()).replace("**", ""));
    (!trim(&text).is_empty()).then(|| Piece {
        text: Cow::Owned(trim(&text).to_owned()),
        heading,
        ..piece
    })
}

/// True for a DokuWiki line of nothing but links: they lead to other pages.
fn is_links(line: &str) -> bool {
    let mut rest = line.trim();
    while let Some((_, after)) = rest.strip_prefix("[[").and_then(|link| link.split_once("]]")) {
        rest = after.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[');
        if rest.is_empty() {
            return true;
        }
    }
    false
}

/// A DokuWiki text with each link as its words, and its address behind them where it leads out of the wiki.
fn wiki_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find("[[") {
        let inside = &rest[open + 2..];
        let Some(end) = inside.find("]]") else { break };
        plain.push_str(&rest[..open]);
        let (address, words) = inside[..end].split_once('|').unwrap_or((&inside[..end], ""));
        let (address, words) = (address.trim(), words.trim());
        match (words.is_empty(), address.contains("://")) {
            (true, _) => plain.push_str(address),
            (false, true) => plain.push_str(&format!("{words} ({address})")),
            (false, false) => plain.push_str(words),
        }
        rest = &inside[end + 2..];
    }
    plain.push_str(rest);
    plain
}

/// A DokuWiki text without the marks of italics: two strokes, but those of an address.
fn without_italics(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("//") {
        let ends = |c: char| c.is_whitespace() || matches!(c, ')' | '|' | ']') || is_han(c);
        let address = rest[..at]
            .ends_with(':')
            .then(|| rest[at..].find(ends).unwrap_or(rest.len() - at));
        plain.push_str(&rest[..at + address.unwrap_or(0)]);
        rest = &rest[at + address.unwrap_or(2)..];
    }
    plain.push_str(rest);
    plain
}

/// A piece with its marks taken off; none when nothing else is there.
fn marked(line: &str, range: Range<usize>, tags: bool, markdown: bool) -> Option<Piece<'_>> {
    let piece = plain(&line[range.clone()], range.start, false)?;
    if tags && is_jump(&piece.text) {
        return None;
    }
    let mut text = piece.text.clone();
    let heading = markdown && text.starts_with('#');
    if tags {
        text = Cow::Owned(without_tags(&text));
    }
    if markdown {
        text = Cow::Owned(without_marks(&text));
    }
    let trimmed = trim(&text);
    if trimmed.is_empty() {
        return None;
    }
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
        Cow::Owned(ref text) => Cow::Owned(trim(text).to_owned()),
    };
    Some(Piece {
        text,
        heading,
        ..piece
    })
}

/// True for nothing but a link to another place of the page.
fn is_jump(text: &str) -> bool {
    text.starts_with("<a ") && text.contains("href=\"#") && without_tags(text).chars().count() <= 12 && {
        let words = without_tags(text);
        !words.chars().any(|c| c.is_ascii_digit())
    }
}

/// The elements of HTML that a page of text may hold, and those of DokuWiki's extensions. Words in angle brackets that
/// are none of them are the text's own: `<cost>`. (`object`, `base`, `data`, `time` and the like are both; rules mean
/// the word.)
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "big",
    "blockquote",
    "body",
    "bookmark",
    "br",
    "button",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "color",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "li",
    "link",
    "main",
    "meta",
    "nav",
    "noscript",
    "o",
    "ol",
    "p",
    "path",
    "pre",
    "q",
    "s",
    "samp",
    "script",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
    "wrap",
];

/// A tag at the start of `text`: its name in lower case, and its length in bytes.
fn tag(text: &str) -> Option<(String, usize)> {
    const LONGEST: usize = 400;
    let rest = text.strip_prefix('<')?;
    let name_start = usize::from(rest.starts_with('/'));
    let name: String = rest[name_start..]
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let end = text.bytes().take(LONGEST).position(|b| b == b'>')?;
    let follows = rest[name_start + name.len()..].starts_with(['>', ' ', '/', ':', '\t']);
    (follows && ELEMENTS.binary_search(&name.as_str()).is_ok()).then_some((name, end + 1))
}

/// The parts of a line that block tags set apart, if there are tags.
fn blocks(line: &str, tags: bool) -> Vec<Range<usize>> {
    const BLOCKS: [&str; 16] = [
        "p", "div", "li", "ul", "ol", "tr", "table", "tbody", "thead", "br", "hr", "h1", "h2", "h3", "h4",
        "h5",
    ];
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(found) = line[at..].find('<').filter(|_| tags) {
        let open = at + found;
        match tag(&line[open..]) {
            Some((name, length)) => {
                if BLOCKS.contains(&name.as_str()) {
                    parts.push(start..open);
                    start = open + length;
                }
                at = open + length;
            }
            None => at = open + 1,
        }
    }
    parts.push(start..line.len());
    parts
}

/// The text without tags, entities read. A cell ends in a blank.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '<'
            && let Some((name, length)) = tag(rest)
        {
            if matches!(name.as_str(), "td" | "th") && !rest.starts_with("</") {
                out.push(' ');
            }
            at += length;
        } else if c == '&'
            && let Some((entity, length)) = entity(rest)
        {
            out.push(entity);
            at += length;
        } else {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

/// The text of a table's cell: without tags, entities read; what begins a line in HTML begins one.
pub(super) fn cell_text(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '<'
            && let Some((name, length)) = tag(rest)
        {
            if matches!(name.as_str(), "br" | "p" | "div" | "li" | "tr") {
                out.push('\n');
            }
            at += length;
        } else if c == '&'
            && let Some((entity, length)) = entity(rest)
        {
            out.push(entity);
            at += length;
        } else {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

/// A character entity at the start of `text`, with its length in bytes.
fn entity(text: &str) -> Option<(char, usize)> {
    const LONGEST: usize = 10;
    let end = text.bytes().take(LONGEST).position(|b| b == b';')?;
    let name = &text[1..end];
    let c = match name {
        "quot" => '"',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    Some((c, end + 1))
}

/// The text without Markdown's marks: those of headings, lists and emphasis, and the backslash before a
/// punctuation mark; of a link its text.
fn without_marks(line: &str) -> String {
    let mut text = line.trim_start();
    if text.starts_with('#') {
        text = text.trim_start_matches('#').trim_start();
    }
    text = text.strip_prefix("> ").unwrap_or(text);
    if text.starts_with("{%") && text.trim_end().ends_with("%}") {
        return String::new();
    }
    for bullet in ["- ", "* ", "+ "] {
        text = text.strip_prefix(bullet).unwrap_or(text).trim_start();
    }
    if text
        .chars()
        .all(|c| matches!(c, '-' | '*' | '_' | ' ' | '=' | '|' | ':'))
    {
        return String::new();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.peek() {
                Some((_, next)) if next.is_ascii_punctuation() => {
                    out.push(*next);
                    chars.next();
                }
                _ => out.push(c),
            },
            '*' => {}
            '!' if text[at..].starts_with("![") => {}
            '[' if text[at..].starts_with("[[") && text[at..].contains("]]") => {
                // A reference by label, which the page's maker fills in.
                let length = text[at..].find("]]").map_or(0, |end| end + 2);
                while chars.peek().is_some_and(|(next, _)| *next < at + length) {
                    chars.next();
                }
            }
            '[' => match link(&text[at..]) {
                Some((words, length)) => {
                    out.push_str(words);
                    while chars.peek().is_some_and(|(next, _)| *next < at + length) {
                        chars.next();
                    }
                }
                None => out.push(c),
            },
            _ => out.push(c),
        }
    }
    out
}

/// A link at the start of `text`: its words, and its length in bytes.
fn link(text: &str) -> Option<(&str, usize)> {
    let middle = text.find("](")?;
    let words = &text[1..middle];
    let end = middle + text[middle..].find(')')?;
    (!words.contains(['[', ']'])).then_some((words, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(path: &str, text: &str) -> Vec<String> {
        let source = SourceFile::new(path, text);
        let mut reader = Markup::of(&source).reader();
        let lines: Vec<String> = source.lines().map(|line| line.text.to_owned()).collect();
        lines
            .iter()
            .flat_map(|line| {
                reader
                    .pieces(line)
                    .into_iter()
                    .map(|piece| piece.text.into_owned())
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn comments_are_no_text() {
        let taken = |path: &str, text: &str| -> Vec<String> {
            let source = SourceFile::new(path, text);
            let comments = Comments::of(&source, Markup::of(&source));
            let lines = source.lines();
            lines
                .map(|line| comments.taken_from(line).unwrap_or_else(|| line.text.to_owned()))
                .collect()
        };
        assert_eq!(
            taken(
                "a.md",
                "A <!-- x --> b <!-- y -->c\n<!-- d\ne\n-->f\n[//]: # (g)\n% h\n%\n%i\n<!-- never"
            ),
            ["A  b c", "", "", "f", "", "", "", "%i", "<!-- never"]
        );
        // Without markup, what looks like it is text; and a figure may stand on the line before its sign.
        assert_eq!(
            taken("a.txt", "<!-- a -->\n% b\nlose 50\n% of it"),
            ["<!-- a -->", "", "lose 50", "% of it"]
        );
    }

    #[test]
    fn plain_text_stays() {
        assert_eq!(
            texts("a.txt", " **a** <b> &amp; \\! [x](y) "),
            ["**a** <b> &amp; \\! [x](y)"]
        );
    }

    #[test]
    fn markdown() {
        assert_eq!(
            texts(
                "a.md",
                "## 1. Title\n- 1-2-1. Draw *two*\\!\n**1.2.3. **See [701.3](/x).\n---\n1. ** **Name"
            ),
            ["1. Title", "1-2-1. Draw two!", "1.2.3. See 701.3.", "1.  Name"]
        );
    }

    #[test]
    fn html() {
        assert!(ELEMENTS.is_sorted());
        let rows = "<tr><td>1.</td><td>A &quot;b&#x27;</td></tr><tr><td>2.</td><td>C</td></tr>";
        assert_eq!(
            texts(
                "a.html",
                &format!("{rows}\n<p>x <i>y</i> 3 < 4, <cost>: do</p>\n <a href=\"#a\">Top</a></span>\n")
            ),
            ["1. A \"b'", "2. C", "x y 3 < 4, <cost>: do"]
        );
    }

    #[test]
    fn wiki_links_keep_their_words_and_addresses() {
        let text = "~~NOTOC~~\n====== R 2. Rules ======\n\
                    See //this// [[https://a.example/b//c|page]], [[r:one|rule 1]] and http://b.example/.\n\
                    [[r:one|Rule 1]] says so.\n[[r:one|Back]] | [[r:two|On]]\n\
                    ++See [[https://a.example/|one]].|见[[https://a.example/|此]]。++\n";
        let texts = texts("a.md", text);
        assert!(
            texts.contains(
                &"See this page (https://a.example/b//c), rule 1 and http://b.example/.".to_owned()
            )
        );
        assert!(texts.contains(&"Rule 1 says so.".to_owned()));
        assert!(!texts.iter().any(|text| text.contains("Back")));
        assert!(
            texts.contains(&"See one (https://a.example/).".to_owned()),
            "{texts:?}"
        );
        assert!(
            texts.contains(&"见此 (https://a.example/)。".to_owned()),
            "{texts:?}"
        );
    }

    #[test]
    fn wiki() {
        let text = "====== R 2. Rules ======\n<BOOKMARK:r2>\n**A rule.**\\\\ \n++一条规则。|\\\\ \nWhy so.\\\\ \n为何。\\\\ ++\n";
        assert_eq!(
            texts("a.md", text),
            ["R 2. Rules", "A rule.", "一条规则。", "Why so.", "为何。"]
        );
        let source = SourceFile::new("a.md", text);
        let mut reader = Markup::of(&source).reader();
        let asides: Vec<bool> = source
            .lines()
            .flat_map(|line| {
                reader
                    .pieces(line.text)
                    .into_iter()
                    .map(|piece| piece.aside)
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(asides, [false, false, false, true, true]);
    }
}
