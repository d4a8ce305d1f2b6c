//! Documents that quote the rules: their directives, what was quoted, and what has changed since.
//!
//! A directive is a line of its own outside code: `{{rule mtg 702.19b}}`, `{{ruling mtg:ruling:…}}`,
//! `{{statement fow:statement:…}}`, `{{term fow 践踏}}`, `{{search mtg "显化 双面牌" limit=3}}`,
//! `{{eval fow "2 power counters" value=3}}`. Words stand between blanks; `"…"` and `“…”` make one word of several. An
//! option is a word `KEY=VALUE` with one of the keys that the directive has ([`Ask::options`]); `only` leaves out what
//! stands below a rule or defines a term.
//!
//! This module reads directives and knows no corpus; [`lock`] is what a document quoted when it was built, and [`check`]
//! compares that with what it would quote now.

pub mod check;
pub mod lock;

use crate::diagnostic::{Code, Diagnostic};
use crate::parse::markdown::{Block, BlockKind, blocks};
use crate::source::{Line, SourceFile, Span};
use std::fmt;

/// What a directive asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Rules by number.
    Rule,
    /// A ruling by id.
    Ruling,
    /// A statement by id or label.
    Statement,
    /// A glossary term.
    Term,
    /// The best hits of a search.
    Search,
    /// A numeric verdict.
    Eval,
}

impl Ask {
    /// Every one.
    pub const ALL: [Ask; 6] = [
        Ask::Rule,
        Ask::Ruling,
        Ask::Statement,
        Ask::Term,
        Ask::Search,
        Ask::Eval,
    ];

    /// How it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Ask::Rule => "rule",
            Ask::Ruling => "ruling",
            Ask::Statement => "statement",
            Ask::Term => "term",
            Ask::Search => "search",
            Ask::Eval => "eval",
        }
    }

    /// The keys of the options that it has.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Ask::Rule => &["lang", "edition", "document", "kind", "limit"],
            Ask::Ruling | Ask::Statement => &["lang", "edition"],
            Ask::Term => &["lang", "edition", "limit"],
            Ask::Search => &["lang", "edition", "document", "kind", "limit"],
            Ask::Eval => &["value", "noun", "lang", "edition"],
        }
    }

    /// True where `only` means something; elsewhere it is a word like others.
    fn has_only(self) -> bool {
        !matches!(self, Ask::Search | Ask::Eval)
    }

    /// A directive of this kind, for hints.
    fn example(self) -> &'static str {
        match self {
            Ask::Rule => "{{rule mtg 702.19b}}",
            Ask::Ruling => "{{ruling mtg:ruling:0123456789abcdef}}",
            Ask::Statement => "{{statement fow:statement:bare-number}}",
            Ask::Term => "{{term fow 践踏}}",
            Ask::Search => "{{search mtg \"显化 双面牌\" limit=3}}",
            Ask::Eval => "{{eval fow \"2 power counters\" value=3}}",
        }
    }
}

/// A directive, read. It prints as it is best written, whatever blanks and quotes it was written with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// What it asks for.
    pub ask: Ask,
    /// Its words, without options. The first may name a game.
    pub words: Vec<String>,
    /// Its options, in order, each key once.
    pub options: Vec<(String, String)>,
    /// True for `only`: rules without their subrules.
    pub only: bool,
    /// The line that it takes up in the document, line end left out.
    pub line: Span,
    /// Where it stands on that line, from the first brace to the last.
    pub span: Span,
    /// What each line of what it becomes begins with: the blanks before it where it stands in an item of a list.
    pub indent: Span,
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{{{}", self.ask.as_str())?;
        for word in &self.words {
            let plain = !word.contains('=') && (word != "only" || !self.ask.has_only());
            write!(f, " {}", quoted(word, plain))?;
        }
        for (key, value) in &self.options {
            write!(f, " {key}={}", quoted(value, true))?;
        }
        f.write_str(if self.only { " only}}" } else { "}}" })
    }
}

/// A word as a directive writes it: as it is where that is read as one word and, being `plain`, as no option.
pub fn quoted(word: &str, plain: bool) -> String {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '"' | '“' | '”' | '}');
    if plain && !word.is_empty() && !word.contains(is_special) {
        return word.to_owned();
    }
    // What holds the one quote stands between the other two.
    let parts: Vec<String> = word.split('"').map(|part| format!("\"{part}\"")).collect();
    match word.contains('"') && !word.contains('”') {
        true => format!("“{word}”"),
        false => parts.join("“\"”"),
    }
}

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text that stays as it is, line ends included.
    Text(Span),
    /// A directive in place of its line; the line end stays.
    Directive(Directive),
}

/// The pieces of a document, in order, and what is wrong with its directives. A directive that cannot be read
/// stays as text.
pub fn pieces(source: &SourceFile) -> (Vec<Piece>, Vec<Diagnostic>) {
    let tree = blocks(source.text());
    let mut places = Places::default();
    places.add(&tree, source.text());
    let mut pieces = Vec::new();
    let mut diagnostics = Vec::new();
    let mut text_from = 0;
    let mut code = places.code.iter().peekable();
    let mut items = places.items.iter().peekable();
    let mut open: Vec<&Item> = Vec::new();
    for line in source.lines() {
        // Both are in order.
        while code.next_if(|span| span.end <= line.span.start).is_some() {}
        let in_code = code.peek().is_some_and(|span| span.start < line.span.end);
        let text = line.text.trim();
        if in_code || !text.starts_with("{{") {
            continue;
        }
        let start = line.span.start + (line.text.len() - line.text.trim_start().len());
        let span = Span::new(start, start + text.len());
        match read(text, span, &line) {
            Ok(mut directive) => {
                if text_from < line.span.start {
                    pieces.push(Piece::Text(Span::new(text_from, line.span.start)));
                }
                text_from = line.span.end;
                while let Some(item) = items.next_if(|item| item.span.start <= start) {
                    open.retain(|outer| item.span.start < outer.span.end);
                    open.push(item);
                }
                open.retain(|item| start < item.span.end);
                // Further in than the item's own text, it would be code as soon as it stands apart.
                let indent = open
                    .last()
                    .map_or(0, |item| item.indent.min(start - line.span.start));
                directive.indent.end += indent;
                pieces.push(Piece::Directive(directive));
            }
            Err(Fault { at, message, hint }) => {
                diagnostics.push(Diagnostic::at(Code::BadDirective, source, at, message).hint(hint));
            }
        }
    }
    if text_from < source.text().len() {
        pieces.push(Piece::Text(Span::new(text_from, source.text().len())));
    }
    (pieces, diagnostics)
}

/// Where code and HTML stand, and the items of lists; each in order.
#[derive(Default)]
struct Places {
    code: Vec<Span>,
    items: Vec<Item>,
}

/// An item of a list.
struct Item {
    span: Span,
    /// How many bytes stand before its text on its first line.
    indent: usize,
}

impl Places {
    /// No recursion to guard: the depth of blocks is bounded.
    fn add(&mut self, blocks: &[Block], text: &str) {
        for block in blocks {
            match block.kind {
                BlockKind::Code | BlockKind::Html => self.code.push(block.span),
                BlockKind::Item => {
                    let inside = block.children.first().map_or(block.span, |child| child.span);
                    let line = text[..inside.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
                    self.items.push(Item {
                        span: block.span,
                        indent: inside.start - line,
                    });
                }
                _ => {}
            }
            self.add(&block.children, text);
        }
    }
}

/// What is wrong with a directive, where, and what to do.
struct Fault {
    at: Span,
    message: String,
    hint: String,
}

impl Fault {
    fn new(at: Span, message: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault {
            at,
            message: message.into(),
            hint: hint.into(),
        }
    }
}

/// Reads the directive at `span`, which is all of the line but for blanks.
fn read(text: &str, span: Span, line: &Line<'_>) -> Result<Directive, Fault> {
    let example = |ask: Ask| format!("write `{}` on a line of its own", ask.example());
    let Some(inner) = text.strip_prefix("{{").and_then(|text| text.strip_suffix("}}")) else {
        let message = "a directive is not closed on its line";
        return Err(Fault::new(span, message, example(Ask::Rule)));
    };
    let mut tokens = tokens(inner, span.start + 2)?.into_iter();
    let Some(Token {
        text: name, span: at, ..
    }) = tokens.next()
    else {
        return Err(Fault::new(span, "an empty directive", example(Ask::Rule)));
    };
    let Some(ask) = Ask::ALL.into_iter().find(|ask| ask.as_str() == name) else {
        let known: Vec<&str> = Ask::ALL.iter().map(|ask| ask.as_str()).collect();
        let hint = format!("known: {}", known.join(", "));
        return Err(Fault::new(at, format!("there is no directive `{name}`"), hint));
    };
    let mut directive = Directive {
        line: line.span,
        span,
        indent: Span::new(line.span.start, line.span.start),
        ..Directive::new(ask, Vec::new(), Vec::new(), false)
    };
    for token in tokens {
        let (key, value) = match token.text.split_once('=') {
            Some(option) if !token.quoted => option,
            None if !token.quoted && ask.has_only() && token.text == "only" => {
                directive.only = true;
                continue;
            }
            _ => {
                directive.words.push(token.text);
                continue;
            }
        };
        if !ask.options().contains(&key) {
            let known: Vec<String> = ask.options().iter().map(|key| format!("`{key}=`")).collect();
            let hint = format!("it has {}; a word with `=` stands in quotes", known.join(", "));
            let message = format!("`{name}` has no option `{key}=`");
            return Err(Fault::new(token.span, message, hint));
        }
        if directive.option(key).is_some() {
            let message = format!("`{key}=` is given twice");
            return Err(Fault::new(token.span, message, "leave one of them out"));
        }
        directive.options.push((key.to_owned(), value.to_owned()));
    }
    if directive.words.is_empty() {
        return Err(Fault::new(span, format!("`{name}` of what?"), example(ask)));
    }
    Ok(directive)
}

impl Directive {
    /// A directive that stands nowhere yet.
    pub fn new(ask: Ask, words: Vec<String>, options: Vec<(String, String)>, only: bool) -> Directive {
        let nowhere = Span::new(0, 0);
        Directive {
            ask,
            words,
            options,
            only,
            line: nowhere,
            span: nowhere,
            indent: nowhere,
        }
    }

    /// The value of an option.
    pub fn option(&self, key: &str) -> Option<&str> {
        let mut options = self.options.iter();
        options.find_map(|(own, value)| (own == key).then_some(value.as_str()))
    }

    /// Where an option stands in the document; all of the directive where it cannot be told.
    pub fn option_span(&self, source: &SourceFile, key: &str) -> Span {
        let inner = source.slice(Span::new(self.span.start + 2, self.span.end - 2));
        let tokens = tokens(inner, self.span.start + 2).unwrap_or_default();
        let is_option = |token: &&Token| !token.quoted && token.text.split('=').next() == Some(key);
        let found = tokens.iter().skip(1).find(is_option);
        found.map_or(self.span, |token| token.span)
    }
}

struct Token {
    text: String,
    /// True where it begins with a quote.
    quoted: bool,
    span: Span,
}

/// Words at blanks; `"…"` and `“…”` are one word, and so is `key="…"`. `start` is where the text stands.
fn tokens(text: &str, start: usize) -> Result<Vec<Token>, Fault> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open: Option<Token> = None;
    let mut closing: Option<(char, usize)> = None;
    for (at, c) in text.char_indices() {
        let at = start + at;
        if closing.is_none() && c.is_whitespace() {
            tokens.extend(open.take());
            continue;
        }
        let quote = match c {
            '"' => Some('"'),
            '“' => Some('”'),
            _ => None,
        };
        let token = open.get_or_insert_with(|| Token {
            text: String::new(),
            quoted: quote.is_some(),
            span: Span::new(at, at),
        });
        token.span.end = at + c.len_utf8();
        closing = match (closing, quote) {
            (Some((end, _)), _) if c == end => None,
            (None, Some(end)) => Some((end, at)),
            (closing, _) => {
                token.text.push(c);
                closing
            }
        };
    }
    if let Some((_, at)) = closing {
        let at = Span::new(at, start + text.len());
        return Err(Fault::new(
            at,
            "a quote is not closed",
            "close it, or leave it out",
        ));
    }
    tokens.extend(open);
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn directives(text: &str) -> Vec<Directive> {
        let (pieces, diagnostics) = pieces(&SourceFile::new("faq.md", text));
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
        let directives = pieces.into_iter().filter_map(|piece| match piece {
            Piece::Directive(directive) => Some(directive),
            Piece::Text(_) => None,
        });
        directives.collect()
    }

    fn faults(text: &str) -> Vec<String> {
        let (_, diagnostics) = pieces(&SourceFile::new("faq.md", text));
        let said = |diagnostic: &Diagnostic| {
            let place = diagnostic.position.unwrap();
            format!("{}:{} {}", place.line, place.column, diagnostic.message)
        };
        diagnostics.iter().map(said).collect()
    }

    #[test]
    fn directives_outside_code() {
        let text = "# Q\n\n{{rule demo 702.9b lang=zh only}}\n\n```\n{{rule demo 1}}\n```\n\n    {{rule demo 2}}\n\n\
                    text {{rule demo 3}}\n\n{{search demo \"显化 双面牌\" limit=3}}\n";
        let found = directives(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].words, ["demo", "702.9b"]);
        assert_eq!(found[0].options, [("lang".to_owned(), "zh".to_owned())]);
        assert!(found[0].only);
        assert_eq!(found[1].words, ["demo", "显化 双面牌"]);
    }

    #[test]
    fn code_is_code_wherever_it_stands() {
        for text in [
            "~~~\n{{rule demo 1}}\n~~~\n",
            "```\n{{rule demo 1}}\n",
            "- a\n\n  ```\n  {{rule demo 1}}\n  ```\n",
            "- a\n\n      {{rule demo 1}}\n",
            "1. a\n   - b\n\n     ```\n     {{rule demo 1}}\n     ```\n",
            "> ```\n> {{rule demo 1}}\n> ```\n",
            ">     {{rule demo 1}}\n",
            "\t{{rule demo 1}}\n",
            "<!--\n{{rule demo 1}}\n-->\n",
            "\\{{rule demo 1}}\n",
            "`{{rule demo 1}}`\n",
            "```\r\n{{rule demo 1}}\r\n```\r\n",
        ] {
            assert!(directives(text).is_empty(), "{text}");
        }
        for text in [
            "a\n    {{rule demo 1}}\n",
            "   {{rule demo 1}}  \n",
            "- a\n\n  {{rule demo 1}}\n",
            "```\nx\n```\n{{rule demo 1}}\n",
            "> a\n{{rule demo 1}}\n",
            "| a |\n|---|\n{{rule demo 1}}",
        ] {
            assert_eq!(directives(text).len(), 1, "{text}");
        }
        let indent = |text: &str| directives(text)[0].indent;
        assert_eq!(indent("- a\n\n  {{rule demo 1}}\n"), Span::new(5, 7));
        assert_eq!(indent("a\n  {{rule demo 1}}\n"), Span::new(2, 2));
        // It goes on with the item's paragraph, but set apart at its depth it would be code.
        assert_eq!(indent("- a\n      {{rule demo 1}}\n"), Span::new(4, 6));
        assert_eq!(indent("- a\n  - b\n\n    {{rule demo 1}}\n"), Span::new(11, 15));
        assert_eq!(indent("- a\n\nb\n  {{rule demo 1}}\n"), Span::new(7, 7));
    }

    #[test]
    fn faults_are_located() {
        assert_eq!(
            faults("a\n\n{{rul mtg 1}}\n\n {{rule}}\n\n{{rule mtg\n\n{{}}\n"),
            [
                "3:3 there is no directive `rul`",
                "5:2 `rule` of what?",
                "7:1 a directive is not closed on its line",
                "9:1 an empty directive",
            ]
        );
        assert_eq!(
            faults("{{rule 践踏 limt=3}}\n{{search x value=3}}\n{{rule a lang=zh lang=en}}\n{{rule “a}}\n"),
            [
                "1:11 `rule` has no option `limt=`",
                "2:12 `search` has no option `value=`",
                "3:18 `lang=` is given twice",
                "4:8 a quote is not closed",
            ]
        );
        assert!(faults("{{eval \"x=3\" value=\"a=2,b=1\"}}\n{{search only}}\n").is_empty());
    }

    proptest! {
        #[test]
        fn a_directive_prints_as_it_is_read(
            ask in 0..Ask::ALL.len(),
            words in proptest::collection::vec("[ a甲\"“”=}{.]{0,6}|only", 1..4),
            value in "[ a甲\"“”=}{]{0,6}",
            only in any::<bool>(),
        ) {
            let ask = Ask::ALL[ask];
            let options = vec![(ask.options()[0].to_owned(), value)];
            let made = Directive::new(ask, words, options, only && ask.has_only());
            let line = made.to_string();
            let read = directives(&line).remove(0);
            prop_assert_eq!(&read.to_string(), &line);
            prop_assert_eq!((read.words, read.options, read.only), (made.words, made.options, made.only));
        }

        #[test]
        fn the_pieces_are_the_whole_document(
            text in "([-#>*`|<\\[\\]_ 0-9.a甲\t]|\r?\n|\\{\\{rule a\\}\\}|\\{\\{|```\n){0,60}",
        ) {
            let source = SourceFile::new("a.md", text);
            let mut rebuilt = String::new();
            for piece in pieces(&source).0 {
                rebuilt.push_str(source.slice(match &piece {
                    Piece::Text(span) => *span,
                    Piece::Directive(directive) => directive.line,
                }));
            }
            prop_assert_eq!(rebuilt, source.text());
        }
    }
}
