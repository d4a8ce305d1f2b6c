//! What the user typed, read. Plain data that knows no index: the same query can be asked of any.
//!
//! ```text
//! query   := blank* ( clause blank* )*
//! clause  := open phrase close        `"…"`, `“…”`, `「…」`, `『…』`, `＂…＂`
//!          | word                     up to the next blank or opening quote
//! ```
//!
//! There are no operators: `-1/-1`, `{2}{W}` and `c:` are what somebody wants to read about. A quote that is
//! never closed ends with the query. White space, full width included, parts words. Each clause is folded (see
//! [`crate::fold`]) and cut into runs (see [`crate::segment`]); every run must be found, in whatever order.
//!
//! # Example
//!
//! ```
//! use shiyi::query::Query;
//!
//! let query = Query::parse("显化 「双面牌」 face-down")?;
//! assert_eq!(query.clauses.len(), 3);
//! assert!(query.clauses[1].quoted);
//! assert!(Query::parse("?!").is_err());
//! # Ok::<(), shiyi::query::QueryError>(())
//! ```

pub mod numerals;

use crate::citation::RuleNumber;
use crate::entry::{Kind, Lang, ProvenanceClass};
use crate::fold::Folded;
use crate::segment::{Run, RunKind, runs};
use std::ops::Range;

/// The longest query that is read, in bytes.
pub const MAX_BYTES: usize = 4096;

/// The most clauses, and the most runs, that a query may have.
pub const MAX_CLAUSES: usize = 64;

/// A query, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// As it was typed.
    pub text: String,
    /// What must be found, in the order typed.
    pub clauses: Vec<Clause>,
}

/// A word or a quoted phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Where it stands in the query, in bytes, without its quotes.
    pub span: Range<usize>,
    /// True for a phrase in quotes, which must be found as it is (but for case, width and script).
    pub quoted: bool,
    /// Its characters, folded.
    pub chars: Vec<char>,
    /// What to look for in it; never empty. Ranges are of `chars`.
    pub runs: Vec<Run>,
}

/// Why a query cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// It is too long.
    #[error("the query is longer than {MAX_BYTES} bytes")]
    TooLong,
    /// There are too many words in it.
    #[error("the query has more than {MAX_CLAUSES} words")]
    TooManyClauses {
        /// The first that is too many, in bytes of the query.
        at: usize,
    },
    /// There is no letter, digit or symbol group in it.
    #[error("there is nothing to search for in it")]
    Nothing {
        /// The first character that is no blank, in bytes of the query.
        at: usize,
    },
}

impl QueryError {
    /// Where in the query the trouble is, in bytes.
    pub fn at(&self) -> usize {
        match self {
            QueryError::TooLong => MAX_BYTES,
            QueryError::TooManyClauses { at } | QueryError::Nothing { at } => *at,
        }
    }
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// When it is too long, or nothing in it can be searched for.
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        if text.len() > MAX_BYTES {
            return Err(QueryError::TooLong);
        }
        let mut clauses: Vec<Clause> = Vec::new();
        let mut n_runs = 0;
        for (span, quoted) in spans(text) {
            let Some(clause) = Clause::read(text, span, quoted) else {
                continue;
            };
            n_runs += clause.runs.len();
            if clauses.len() == MAX_CLAUSES || n_runs > MAX_CLAUSES {
                return Err(QueryError::TooManyClauses {
                    at: clause.span.start,
                });
            }
            clauses.push(clause);
        }
        if clauses.is_empty() {
            let at = text.len() - text.trim_start().len();
            return Err(QueryError::Nothing { at });
        }
        Ok(Query {
            text: text.to_owned(),
            clauses,
        })
    }
}

impl Clause {
    fn read(text: &str, span: Range<usize>, quoted: bool) -> Option<Clause> {
        let folded = Folded::new(&text[span.clone()]);
        let runs: Vec<Run> = runs(folded.chars())
            .filter(|run| run.kind != RunKind::Other)
            .collect();
        (!runs.is_empty()).then(|| Clause {
            span,
            quoted,
            chars: folded.chars().to_vec(),
            runs,
        })
    }

    /// The characters of one of its runs.
    pub fn run(&self, run: &Run) -> &[char] {
        &self.chars[run.chars.clone()]
    }
}

/// What closes a quote that `open` opens; none where it opens none.
fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' | '＂' => &['"', '＂'],
        '“' | '”' | '„' | '‟' => &['“', '”', '‟', '"'],
        '「' | '｢' => &['」', '｣'],
        '『' => &['』'],
        _ => return None,
    })
}

/// The clauses of a query as byte ranges, with whether each is quoted.
fn spans(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut spans = Vec::new();
    let mut word: Option<usize> = None;
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        if let Some(close) = closing(c) {
            spans.extend(word.take().map(|start| (start..at, false)));
            let start = at + c.len_utf8();
            let end = rest
                .find(|(_, c)| close.contains(c))
                .map_or(text.len(), |(end, _)| end);
            spans.push((start..end, true));
        } else if c.is_whitespace() {
            spans.extend(word.take().map(|start| (start..at, false)));
        } else {
            word.get_or_insert(at);
        }
    }
    spans.extend(word.map(|start| (start..text.len(), false)));
    spans
}

/// Who must have worded a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceFilter {
    /// A class: `official`.
    Class(ProvenanceClass),
    /// A raw tag, as the source wrote it; case does not matter: `gpt`.
    Tag(String),
}

impl SourceFilter {
    /// Reads `official`, `own-words` … as a class and anything else as a raw tag.
    pub fn parse(text: &str) -> SourceFilter {
        ProvenanceClass::ALL
            .into_iter()
            .find(|class| class.as_str() == text)
            .map_or_else(|| SourceFilter::Tag(text.to_owned()), SourceFilter::Class)
    }
}

/// A part of a document to search in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Within {
    /// The entry with this id and everything that stands below it: a chapter, a section, a rule.
    Below(String),
    /// The rules from one number to another and what stands below the last, in every document asked for.
    Range(RuleNumber, RuleNumber),
}

/// Which entries may be found. An empty list or none lets everything through; of several values in a list one
/// must fit; all fields must.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// Games, by id.
    pub games: Vec<String>,
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Who words the text; either language's will do, if `langs` does not say which.
    pub sources: Vec<SourceFilter>,
    /// Languages: one of the entry's texts must be in one of these.
    pub langs: Vec<Lang>,
    /// Documents, by id.
    pub documents: Vec<String>,
    /// Editions, as they are named; without any, the current ones.
    pub editions: Vec<String>,
    /// Cards, by any of their names.
    pub cards: Vec<String>,
    /// The earliest date, `YYYY-MM-DD`; an entry without a date does not pass.
    pub since: Option<String>,
    /// The latest date, `YYYY-MM-DD`; an entry without a date does not pass.
    pub until: Option<String>,
    /// Parts of documents.
    pub within: Vec<Within>,
}

/// A search: what for, where, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// What to find.
    pub wanted: Wanted,
    /// Where.
    pub filters: Filters,
    /// How many hits to return at most.
    pub limit: usize,
    /// How many of the best to leave out.
    pub offset: usize,
    /// Whether to say where each hit matches. To see that, its texts are folded and cut into words again, which costs as
    /// much as finding them did.
    pub marks: bool,
}

/// What a search is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A query, found whatever the width, case, script and order, with aliases and translations.
    Query(Query),
    /// Exactly these characters, as a plain search for a substring would find them.
    Exact(String),
}

impl Search {
    /// A search for a query, everywhere, for the ten best.
    ///
    /// # Errors
    ///
    /// When the query cannot be read.
    pub fn new(query: &str) -> Result<Search, QueryError> {
        Ok(Search::of(Wanted::Query(Query::parse(query)?)))
    }

    /// A search for exactly these characters.
    ///
    /// # Errors
    ///
    /// When there are too many or none.
    pub fn exact(text: &str) -> Result<Search, QueryError> {
        if text.len() > MAX_BYTES {
            return Err(QueryError::TooLong);
        }
        if text.is_empty() {
            return Err(QueryError::Nothing { at: 0 });
        }
        Ok(Search::of(Wanted::Exact(text.to_owned())))
    }

    fn of(wanted: Wanted) -> Search {
        Search {
            wanted,
            filters: Filters::default(),
            limit: 10,
            offset: 0,
            marks: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<String> {
        let query = Query::parse(text).unwrap();
        let runs = query.clauses.iter().map(|clause| {
            let words: Vec<String> = clause
                .runs
                .iter()
                .map(|run| clause.run(run).iter().collect())
                .collect();
            format!("{}{}", if clause.quoted { "=" } else { "" }, words.join("|"))
        });
        runs.collect()
    }

    #[test]
    fn words_phrases_and_runs() {
        assert_eq!(read("显化 双面牌"), ["显化", "双面牌"]);
        assert_eq!(read("Face-down　顯化的牌"), ["face-down", "显化的牌"]);
        assert_eq!(read("T2格式CR702.19b"), ["t2|格式|cr|702.19b"]);
        assert_eq!(read("-1/-1 {2}{W}: [+1/+1]"), ["-1/-1", "{2}{w}", "\"+1/+1\""]);
        assert_eq!(read("“双面牌”显化「不能转化』"), ["=双面牌", "显化", "=不能转化"]);
        assert_eq!(read("say \"two words"), ["say", "=two|words"]);
        assert_eq!(read("player's"), ["player's"]);
    }

    #[test]
    fn every_ascii_character_alone_is_read_or_refused() {
        for c in (0u8..128).map(char::from) {
            match Query::parse(&c.to_string()) {
                Ok(query) => assert!(c.is_ascii_alphanumeric(), "{c}: {query:?}"),
                Err(error) => assert!(matches!(error, QueryError::Nothing { .. }), "{c}"),
            }
        }
        assert_eq!(Query::parse("  ?"), Err(QueryError::Nothing { at: 2 }));
    }

    #[test]
    fn limits() {
        assert_eq!(Query::parse(&"(".repeat(100_000)), Err(QueryError::TooLong));
        assert_eq!(
            Query::parse(&"a ".repeat(65)),
            Err(QueryError::TooManyClauses { at: 128 })
        );
        assert!(Query::parse(&"a ".repeat(64)).is_ok());
        assert!(Query::parse(&"a牌".repeat(64)).is_err());
    }

    #[test]
    fn sources() {
        assert_eq!(
            SourceFilter::parse("official"),
            SourceFilter::Class(ProvenanceClass::Official)
        );
        assert_eq!(SourceFilter::parse("gpt"), SourceFilter::Tag("gpt".into()));
    }

    proptest! {
        #[test]
        fn nothing_panics_and_spans_are_in_the_text(text in "\\PC{0,60}|[ab牌1.\\-/{}\"“「 ]{0,60}") {
            if let Ok(query) = Query::parse(&text) {
                for clause in &query.clauses {
                    prop_assert!(!text[clause.span.clone()].is_empty());
                    prop_assert!(!clause.runs.is_empty());
                }
            }
        }
    }
}
