//! Directives in a Markdown document: found, read, and where they stand.
//!
//! A directive is a line of its own outside code: `{{rule mtg 702.19b}}`, `{{ruling mtg:ruling:…}}`,
//! `{{statement fow:statement:…}}`, `{{term fow 践踏}}`, `{{search mtg "显化 双面牌" limit=3}}`,
//! `{{eval fow "2 power counters" value=3}}`. Options are `lang=`, `edition=`, `limit=`, `value=`, `noun=` and
//! `only`. What a directive expands to is for others to say; this module knows no corpus.

use crate::diagnostic::{Code, Diagnostic};
use crate::parse::markdown::{BlockKind, blocks, leaves};
use crate::source::{Line, SourceFile, Span};

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
    const ALL: [(&'static str, Ask); 6] = [
        ("rule", Ask::Rule),
        ("ruling", Ask::Ruling),
        ("statement", Ask::Statement),
        ("term", Ask::Term),
        ("search", Ask::Search),
        ("eval", Ask::Eval),
    ];
}

/// A directive, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// What it asks for.
    pub ask: Ask,
    /// Its words, without options. The first may name a game.
    pub words: Vec<String>,
    /// Its options, in order.
    pub options: Vec<(String, String)>,
    /// True for `only`: rules without their subrules.
    pub only: bool,
    /// Where it stands in the document.
    pub span: Span,
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
    let code: Vec<Span> = leaves(&tree)
        .into_iter()
        .filter(|block| matches!(block.kind, BlockKind::Code | BlockKind::Html))
        .map(|block| block.span)
        .collect();
    let mut pieces = Vec::new();
    let mut diagnostics = Vec::new();
    let mut text_from = 0;
    for line in source.lines() {
        let in_code = code
            .iter()
            .any(|span| span.start < line.span.end && line.span.start < span.end);
        let trimmed = line.text.trim();
        if in_code || !trimmed.starts_with("{{") {
            continue;
        }
        match read(trimmed, &line) {
            Ok(directive) => {
                if text_from < line.span.start {
                    pieces.push(Piece::Text(Span::new(text_from, line.span.start)));
                }
                text_from = line.span.end;
                pieces.push(Piece::Directive(directive));
            }
            Err((message, hint)) => {
                diagnostics.push(Diagnostic::at(Code::BadDirective, source, line.span, message).hint(hint));
            }
        }
    }
    if text_from < source.text().len() {
        pieces.push(Piece::Text(Span::new(text_from, source.text().len())));
    }
    (pieces, diagnostics)
}

fn read(text: &str, line: &Line<'_>) -> Result<Directive, (String, String)> {
    let names: Vec<&str> = Ask::ALL.iter().map(|(name, _)| *name).collect();
    let example = || "write `{{rule mtg 702.19b}}` on a line of its own".to_owned();
    let Some(inner) = text.strip_prefix("{{").and_then(|text| text.strip_suffix("}}")) else {
        return Err(("a directive is not closed on its line".to_owned(), example()));
    };
    let mut tokens = tokens(inner).into_iter();
    let Some(Token { text: name, .. }) = tokens.next() else {
        return Err(("an empty directive".to_owned(), example()));
    };
    let Some((_, ask)) = Ask::ALL.into_iter().find(|(known, _)| *known == name) else {
        return Err((
            format!("there is no directive `{name}`"),
            format!("known: {}", names.join(", ")),
        ));
    };
    let mut directive = Directive {
        ask,
        words: Vec::new(),
        options: Vec::new(),
        only: false,
        span: line.span,
    };
    if inner.matches('"').count() % 2 == 1 || inner.matches('“').count() != inner.matches('”').count() {
        return Err((
            "a quote is not closed".to_owned(),
            "close it, or leave it out".to_owned(),
        ));
    }
    for token in tokens {
        match token.text.split_once('=') {
            _ if token.quoted => directive.words.push(token.text),
            Some((key, value)) if OPTIONS.contains(&key) => {
                directive.options.push((key.to_owned(), value.to_owned()))
            }
            None if token.text == "only" => directive.only = true,
            _ => directive.words.push(token.text),
        }
    }
    if directive.words.is_empty() {
        return Err((format!("`{name}` of what?"), example()));
    }
    Ok(directive)
}

/// The options of directives.
const OPTIONS: &[&str] = &["lang", "edition", "limit", "value", "noun", "document", "kind"];

struct Token {
    text: String,
    quoted: bool,
}

/// Words at blanks; `"…"` and `“…”` are one word, and so is `key="…"`.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    let mut closing = None;
    for c in text.chars() {
        match (closing, c) {
            (Some(end), c) if c == end => closing = None,
            (Some(_), c) => word.push(c),
            (None, '"') => (closing, quoted) = (Some('"'), quoted || word.is_empty()),
            (None, '“') => (closing, quoted) = (Some('”'), quoted || word.is_empty()),
            (None, c) if c.is_whitespace() => {
                if quoted || !word.is_empty() {
                    tokens.push(Token {
                        text: std::mem::take(&mut word),
                        quoted,
                    });
                }
                quoted = false;
            }
            (None, c) => word.push(c),
        }
    }
    if quoted || !word.is_empty() {
        tokens.push(Token { text: word, quoted });
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_outside_code() {
        let source = SourceFile::new(
            "faq.md",
            "# Q\n\n{{rule demo 702.9b lang=zh only}}\n\n```\n{{rule demo 1}}\n```\n\n    {{rule demo 2}}\n\ntext {{rule demo 3}}\n\n{{search demo \"显化 双面牌\" limit=3}}\n",
        );
        let (pieces, diagnostics) = pieces(&source);
        assert!(diagnostics.is_empty());
        let directives: Vec<&Directive> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Directive(directive) => Some(directive),
                Piece::Text(_) => None,
            })
            .collect();
        assert_eq!(directives.len(), 2);
        assert_eq!(directives[0].words, ["demo", "702.9b"]);
        assert_eq!(directives[0].options, [("lang".to_owned(), "zh".to_owned())]);
        assert!(directives[0].only);
        assert_eq!(directives[1].words, ["demo", "显化 双面牌"]);
        let rebuilt: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(span) => source.slice(*span),
                Piece::Directive(directive) => source.slice(directive.span),
            })
            .collect();
        assert_eq!(rebuilt, source.text());
    }

    #[test]
    fn faults_are_located() {
        let source = SourceFile::new("faq.md", "a\n\n{{rul mtg 1}}\n\n{{rule}}\n\n{{rule mtg\n");
        let (_, diagnostics) = pieces(&source);
        let places: Vec<_> = diagnostics.iter().map(Diagnostic::location).collect();
        assert_eq!(places, ["faq.md:3:1", "faq.md:5:1", "faq.md:7:1"]);
    }
}
