//! Markdown as blocks of source text.
//!
//! The one place that knows how Markdown is parsed (crate `pulldown-cmark`, CommonMark with tables). It says
//! which bytes are a heading, a paragraph, a list or code, and what a document is in HTML; what those blocks *mean* is
//! for others: [`super::authored`] reads entries out of them, a FAQ document its directives.
//!
//! The text of a block is the source's own, with only the markup of emphasis, line prefixes (`> `, indents) and
//! escapes taken off. Markdown's own output would lose what rules texts are full of: the numbers of ordered
//! lists, and brackets (`[Pierce]`, `[Drain](2)`) that look like links.

use crate::entry::Lang;
use crate::fold::is_han;
use crate::source::Span;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// A heading, with its level from 1 to 6.
    Heading(u8),
    /// A paragraph, or the text of a list item that is no paragraph of its own.
    Paragraph,
    /// A block quote; holds blocks.
    Quote,
    /// A numbered list; holds items.
    OrderedList,
    /// A bulleted list; holds items.
    BulletList,
    /// An item of a list; holds blocks.
    Item,
    /// A fenced or indented code block.
    Code,
    /// A block of HTML, comments included.
    Html,
    /// A table.
    Table,
    /// A horizontal rule (`---`).
    Separator,
}

impl BlockKind {
    /// True for blocks that hold other blocks.
    pub fn is_container(self) -> bool {
        matches!(
            self,
            BlockKind::Quote | BlockKind::OrderedList | BlockKind::BulletList | BlockKind::Item
        )
    }
}

/// A block of a Markdown document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// The bytes it takes up in the document, markup included.
    pub span: Span,
    /// The text of a heading or paragraph, its soft line ends joined; of code, HTML and tables the source as it
    /// stands; empty for the rest.
    pub text: String,
    /// The blocks inside a quote, list or item.
    pub children: Vec<Block>,
}

impl Block {
    fn new(kind: BlockKind, span: Span) -> Self {
        Block {
            kind,
            span,
            text: String::new(),
            children: Vec::new(),
        }
    }
}

/// Containers within containers beyond this depth are not told apart: a bound against hostile input.
const MAX_DEPTH: usize = 16;

/// The blocks of `text`, which is the document without its front matter.
///
/// # Example
///
/// ```
/// use shiyi::parse::markdown::{BlockKind, blocks};
///
/// let text = "Read this:\n\n```\n{{rule demo 1.1}}\n```\n";
/// let kinds: Vec<_> = blocks(text).iter().map(|block| block.kind).collect();
/// assert_eq!(kinds, [BlockKind::Paragraph, BlockKind::Code]);
/// ```
pub fn blocks(text: &str) -> Vec<Block> {
    let mut tree = Tree {
        source: text,
        done: Vec::new(),
        open: Vec::new(),
        ignored: 0,
        taken: false,
        inline: None,
    };
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        tree.event(event, Span::new(range.start, range.end));
    }
    tree.end_inline();
    while !tree.open.is_empty() {
        tree.close();
    }
    tree.done
}

/// The blocks that hold text, at any depth, in the order of the document.
pub fn leaves(blocks: &[Block]) -> Vec<&Block> {
    // No recursion to guard: the depth is bounded.
    blocks
        .iter()
        .flat_map(|block| {
            if block.kind.is_container() {
                leaves(&block.children)
            } else {
                vec![block]
            }
        })
        .collect()
}

/// The document in HTML: the parts of a page's body. Each heading, paragraph and item says which language it is in.
///
/// What is to stand in the document as HTML of its own is given in `inserts`, in order, each with the byte at which a
/// comment alone on its lines (`<!---->`) keeps its place.
///
/// # Example
///
/// ```
/// use shiyi::parse::markdown::html;
///
/// let page = html("# 问\n\n<!---->\n", &[(7, "<p>答</p>\n".to_owned())]);
/// assert_eq!(page, "<h1 lang=\"zh\">问</h1>\n<p>答</p>\n");
/// ```
pub fn html(text: &str, inserts: &[(usize, String)]) -> String {
    let mut inserts = inserts.iter().peekable();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    let events = events.map(|(event, range)| {
        // Only a block of HTML can be a comment that keeps a place.
        if let Event::Html(_) = event
            && let Some((_, insert)) = inserts.next_if(|(at, _)| range.contains(at))
        {
            return Event::Html(CowStr::from(insert.as_str()));
        }
        let opened = |name: &str| {
            let inside = &text[range.clone()];
            let lang = inside.chars().any(char::is_alphabetic).then(|| Lang::of(inside));
            let lang = lang.map(|lang| format!(" lang=\"{}\"", lang.as_str()));
            Event::Html(CowStr::from(format!("<{name}{}>", lang.unwrap_or_default())))
        };
        match event {
            Event::Start(Tag::Paragraph) => opened("p"),
            Event::End(TagEnd::Paragraph) => Event::Html(CowStr::from("</p>\n")),
            Event::Start(Tag::Heading { level, .. }) => opened(&level.to_string()),
            Event::Start(Tag::Item) => opened("li"),
            event => event,
        }
    });
    let mut page = String::with_capacity(text.len() * 2);
    pulldown_cmark::html::push_html(&mut page, events);
    page
}

/// The tree while it grows.
struct Tree<'a> {
    source: &'a str,
    done: Vec<Block>,
    open: Vec<Block>,
    /// How many containers too deep to be told apart are open.
    ignored: usize,
    /// True inside code, HTML and tables, whose source is taken whole.
    taken: bool,
    /// The paragraph or heading that is being read.
    inline: Option<Inline>,
}

/// Running text while it is read.
struct Inline {
    block: Block,
    /// True where the text stands in a list item without a paragraph of its own and ends with the next block.
    implicit: bool,
    /// How many links are open whose source has been taken as it stands, brackets included.
    verbatim: usize,
}

impl Tree<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) {
        let source = self.source;
        match event {
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Table) => self.taken = false,
            _ if self.taken => {}
            Event::Start(tag) => self.start(&tag, span),
            Event::End(end) => self.end(end),
            Event::Code(_) => self.push(source[span.range()].trim_matches('`'), span),
            Event::InlineHtml(text) if text.starts_with("<!--") => {}
            Event::Text(text) | Event::InlineHtml(text) => self.push(&text, span),
            Event::SoftBreak => self.push("\n", span),
            Event::HardBreak => self.push(HARD_BREAK, span),
            Event::Rule => self.leaf(BlockKind::Separator, span),
            // The rest needs options that are off.
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, span: Span) {
        match tag {
            Tag::Link { .. } | Tag::Image { .. } => {
                // `[Pierce]` and `[Investigate] (2)` are keywords even where Markdown makes them links.
                let source = self.source;
                self.push(&source[span.range()], span);
                if let Some(inline) = &mut self.inline {
                    inline.verbatim += 1;
                }
            }
            Tag::Paragraph => self.begin_inline(BlockKind::Paragraph, span, false),
            Tag::Heading { level, .. } => {
                self.begin_inline(BlockKind::Heading(*level as u8), span, false);
            }
            Tag::CodeBlock(_) => self.leaf(BlockKind::Code, span),
            Tag::HtmlBlock => self.leaf(BlockKind::Html, span),
            Tag::Table(_) => self.leaf(BlockKind::Table, span),
            Tag::BlockQuote(_) => self.open(BlockKind::Quote, span),
            Tag::List(Some(_)) => self.open(BlockKind::OrderedList, span),
            Tag::List(None) => self.open(BlockKind::BulletList, span),
            Tag::Item => self.open(BlockKind::Item, span),
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Link | TagEnd::Image => {
                if let Some(inline) = &mut self.inline {
                    inline.verbatim = inline.verbatim.saturating_sub(1);
                }
            }
            TagEnd::Paragraph | TagEnd::Heading(_) => self.end_inline(),
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => {
                self.end_inline();
                if self.ignored > 0 {
                    self.ignored -= 1;
                } else {
                    self.close();
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, kind: BlockKind, span: Span) {
        self.end_inline();
        if self.open.len() >= MAX_DEPTH {
            self.ignored += 1;
        } else {
            self.open.push(Block::new(kind, span));
        }
    }

    fn close(&mut self) {
        if let Some(block) = self.open.pop() {
            self.place(block);
        }
    }

    fn place(&mut self, block: Block) {
        match self.open.last_mut() {
            Some(parent) => parent.children.push(block),
            None => self.done.push(block),
        }
    }

    /// A block whose source is taken as it stands.
    fn leaf(&mut self, kind: BlockKind, span: Span) {
        self.end_inline();
        let mut block = Block::new(kind, span);
        if kind != BlockKind::Separator {
            block.text = self.source[span.range()].trim_end().to_owned();
            self.taken = true;
        }
        self.place(block);
    }

    fn begin_inline(&mut self, kind: BlockKind, span: Span, implicit: bool) {
        self.end_inline();
        self.inline = Some(Inline {
            block: Block::new(kind, span),
            implicit,
            verbatim: 0,
        });
    }

    fn push(&mut self, text: &str, span: Span) {
        if self.inline.is_none() {
            self.begin_inline(BlockKind::Paragraph, span, true);
        }
        if let Some(inline) = &mut self.inline
            && inline.verbatim == 0
        {
            inline.block.text.push_str(text);
            if inline.implicit {
                inline.block.span.end = inline.block.span.end.max(span.end);
            }
        }
    }

    fn end_inline(&mut self) {
        if let Some(Inline { mut block, .. }) = self.inline.take() {
            block.text = joined(&without_stray_emphasis(&block.text));
            self.place(block);
        }
    }
}

/// Stands for a line end that the author asked for, until the soft ones are gone.
const HARD_BREAK: &str = "\u{2028}";

/// Running text with its soft line ends taken out: a blank between Latin words, nothing beside Chinese.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n').map(str::trim).filter(|line| !line.is_empty()) {
        let beside_chinese =
            out.chars().next_back().is_none_or(is_chinese) || line.chars().next().is_none_or(is_chinese);
        if !beside_chinese {
            out.push(' ');
        }
        out.push_str(line);
    }
    let lines: Vec<&str> = out.split(HARD_BREAK).map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}

/// True for what is set without blanks around it.
fn is_chinese(c: char) -> bool {
    is_han(c) || matches!(c, '\u{2028}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}')
}

/// Takes off pairs of `**` that CommonMark does not read as emphasis because they stand between Chinese
/// punctuation and a letter (`**先制。**然后`).
fn without_stray_emphasis(text: &str) -> std::borrow::Cow<'_, str> {
    let marks = text.matches("**").count();
    if marks > 0 && marks.is_multiple_of(2) {
        text.replace("**", "").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The blocks in one line: `P(text)`, `Q[…]`.
    fn shape(blocks: &[Block]) -> String {
        let one = |block: &Block| {
            let inner = shape(&block.children);
            match block.kind {
                BlockKind::Heading(level) => format!("H{level}({})", block.text),
                BlockKind::Paragraph => format!("P({})", block.text),
                BlockKind::Quote => format!("Q[{inner}]"),
                BlockKind::OrderedList => format!("OL[{inner}]"),
                BlockKind::BulletList => format!("UL[{inner}]"),
                BlockKind::Item => format!("I[{inner}]"),
                BlockKind::Code => format!("C({})", block.text),
                BlockKind::Html => format!("X({})", block.text),
                BlockKind::Table => format!("T({})", block.text),
                BlockKind::Separator => "-".to_owned(),
            }
        };
        blocks.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(shape(&blocks(text)), expected);
    }

    #[test]
    fn structure() {
        check("# A\n\ntext\n\n---\n", "H1(A) P(text) -");
        check("1. one\n2. two\n\n   二\n", "OL[I[P(one)] I[P(two) P(二)]]");
        check("- a\n- b\n", "UL[I[P(a)] I[P(b)]]");
        check("> a\n> b\n>\n> c", "Q[P(a b) P(c)]");
        check("```\n# no\n```\n", "C(```\n# no\n```)");
        check("- ```\n  code\n  ```\n", "UL[I[C(```\n  code\n  ```)]]");
        check("<!-- x -->\n\ny", "X(<!-- x -->) P(y)");
        check("| a |\n|---|\n| *b* |\n", "T(| a |\n|---|\n| *b* |)");
    }

    #[test]
    fn text_is_the_source_s() {
        check("a [Pierce] {3} «M» 《咒语》", "P(a [Pierce] {3} «M» 《咒语》)");
        check("[Pierce] x\n\n[Pierce]: y", "P([Pierce] x)");
        check("[调查](+1) <a@b.c>", "P([调查](+1) <a@b.c>)");
        check("[a [b][Pierce] c](d)\n\n[Pierce]: y", "P([a [b][Pierce] c](d))");
        check("a *b* **c** \\*d `e`", "P(a b c *d e)");
        check("**先制。**然后", "P(先制。然后)");
        check("702.3a-1 and 2 ** 3", "P(702.3a-1 and 2 ** 3)");
        check("一行\n二行\nthree\nfour", "P(一行二行three four)");
        check("a  \nb", "P(a\nb)");
    }

    #[test]
    fn leaves_are_found_at_any_depth() {
        let text = "> - ```\n>   x\n>   ```\n\ny";
        let kinds: Vec<_> = leaves(&blocks(text)).iter().map(|block| block.kind).collect();
        assert_eq!(kinds, [BlockKind::Code, BlockKind::Paragraph]);
        let deep = format!("{}x", "> ".repeat(5000));
        assert_eq!(leaves(&blocks(&deep)).len(), 1);
    }

    proptest! {
        #[test]
        fn spans_lie_in_the_text_and_in_order(text in "([-#>*`|<\\[\\]_ 0-9.a甲：]|\r?\n){0,80}") {
            fn within(blocks: &[Block], mut from: usize, end: usize) -> Result<(), TestCaseError> {
                for block in blocks {
                    prop_assert!(from <= block.span.start && block.span.start <= block.span.end);
                    prop_assert!(block.span.end <= end);
                    within(&block.children, block.span.start, block.span.end)?;
                    from = block.span.end;
                }
                Ok(())
            }
            within(&blocks(&text), 0, text.len())?;
        }
    }
}
