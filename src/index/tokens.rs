//! The words under which a text is found, the same for index, query and highlights.
//!
//! | field | what | positions |
//! |---|---|---|
//! | `en` | stems of Latin words, figures, rule numbers and their beginnings, symbol groups | yes |
//! | `zh` | pairs of Han characters, dictionary words of three and more, a figure with the character after it | yes |
//! | `han` | single Han characters | no |
//! | `context` | all of the above but pairs across words, from the titles above an entry | no |
//!
//! A position is the ordinal of a character in the folded text, so that words which stand apart as they do in a
//! phrase *are* the phrase. The texts of an entry follow each other at a distance that no phrase spans.

use crate::citation::RuleNumber;
use crate::hash::FastMap;
use crate::segment::{Lexicon, Run, RunKind, plain_word, run_at, runs};
use std::ops::Range;
use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer, TokenStream};

/// Which of the indexed fields a word stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// Latin words, figures and symbols.
    En,
    /// Chinese of two or more characters.
    Zh,
    /// Single Han characters.
    Han,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Where it is found.
    pub column: Column,
    /// The word, stemmed if it is Latin.
    pub term: String,
    /// Its characters in the folded text.
    pub chars: Range<usize>,
}

/// English stems, remembered.
pub struct Stems {
    analyzer: TextAnalyzer,
    known: FastMap<String, String>,
}

impl Default for Stems {
    fn default() -> Self {
        let analyzer = TextAnalyzer::builder(RawTokenizer::default()).filter(Stemmer::new(Language::English));
        Self {
            analyzer: analyzer.build(),
            known: FastMap::default(),
        }
    }
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stems").field("known", &self.known.len()).finish()
    }
}

/// Stems that are remembered at most.
const MAX_STEMS: usize = 1 << 16;

impl Stems {
    /// The stem of a folded word.
    pub fn stem(&mut self, word: &str) -> String {
        self.with_stem(word, str::to_owned)
    }

    /// What is made of the stem of a folded word.
    fn with_stem<R>(&mut self, word: &str, make: impl FnOnce(&str) -> R) -> R {
        if !word.is_ascii() {
            return make(word);
        }
        if let Some(stem) = self.known.get(word) {
            return make(stem);
        }
        let mut stream = self.analyzer.token_stream(word);
        let mut stem = String::new();
        stream.process(&mut |token| stem.push_str(&token.text));
        drop(stream);
        let made = make(&stem);
        if self.known.len() < MAX_STEMS {
            self.known.insert(word.to_owned(), stem);
        }
        made
    }
}

/// The longest word that is indexed, in bytes.
const MAX_TERM: usize = 128;

/// The words of a Latin run: parts between hyphens, as ranges of the folded text.
pub fn latin_words(chars: &[char], run: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = run.start;
    let parts = chars[run.clone()].split(|c| matches!(c, '-' | '_'));
    parts
        .map(move |part| {
            let word = at..at + part.len();
            at = word.end + 1;
            word
        })
        .filter(|word| !word.is_empty())
}

/// The figure itself, and the beginnings of it that are rule numbers of two or more parts: 702.3a-1, 702.3a, 702.3.
pub fn number_terms(text: &str) -> Vec<String> {
    let mut terms = vec![text.to_owned()];
    if let Ok(number) = text.parse::<RuleNumber>() {
        // As the number prints itself: `07.1` is found as `7.1`.
        terms[0] = number.to_string();
        terms.extend((2..number.depth()).filter_map(|depth| Some(number.prefix(depth)?.to_string())));
    }
    terms
}

/// The symbol group without the brackets around it, and each group in braces of a row of them.
pub fn symbol_terms(text: &str) -> Vec<String> {
    let whole = text.trim_matches(crate::fold::QUOTE).to_owned();
    let mut terms = Vec::new();
    if whole.matches('{').count() > 1 {
        terms.extend(whole.split_inclusive('}').map(str::to_owned));
        terms.sort();
        terms.dedup();
    }
    terms.push(whole);
    terms
}

/// The text of some characters, in a string that is used again and again.
fn spell<'b>(chars: &[char], buffer: &'b mut String) -> &'b str {
    buffer.clear();
    buffer.extend(chars);
    buffer
}

/// Every word of a folded text, in order of where it starts.
pub fn tokens(chars: &[char], lexicon: &mut impl Lexicon, stems: &mut Stems) -> Vec<Token> {
    let mut tokens = Vec::new();
    for_each_token(chars, lexicon, stems, |column, term, chars| {
        tokens.push(token(column, term, chars));
    });
    tokens.sort_by_key(|token| token.chars.start);
    tokens
}

/// Calls back with every word of a folded text and its characters: those of one spelling in order of where they
/// start, which is what postings want.
pub fn for_each_token(
    chars: &[char],
    lexicon: &mut impl Lexicon,
    stems: &mut Stems,
    mut found: impl FnMut(Column, &str, Range<usize>),
) {
    let mut found = |column, term: &str, chars| {
        if term.len() <= MAX_TERM && !term.is_empty() {
            found(column, term, chars);
        }
    };
    let mut buffer = String::new();
    let mut before: Option<Run> = None;
    for run in runs(chars) {
        match run.kind {
            RunKind::Han => {
                let number = before.filter(|before| before.kind == RunKind::Number);
                chinese_words(chars, &run.chars, number, lexicon, &mut buffer, &mut found);
            }
            _ => latin_run(chars, &run, stems, |_| true, &mut buffer, &mut found),
        }
        before = Some(run);
    }
}

/// What a folded word and its stem have in common: the first two letters, `y` counting as `i` (`dying` is `die`).
fn opening(mut word: impl Iterator<Item = char>) -> Opening {
    [word.next(), word.next().map(|c| if c == 'y' { 'i' } else { c })]
}

/// See [`opening`].
type Opening = [Option<char>; 2];

/// True when a word that opens so may have a stem that opens so; a stem of one letter may have lost the second.
fn may_become(word: Opening, stem: Opening) -> bool {
    word[0] == stem[0] && (stem[1].is_none() || word[1] == stem[1])
}

/// Words of the `en` field that are looked for in texts, each with a number.
#[derive(Debug, Default)]
pub struct LatinWords<'w> {
    terms: Vec<&'w str>,
    openings: Vec<Opening>,
    /// A bit for each ASCII character that one of them begins with: most words of a text begin with another.
    firsts: u128,
    /// Whether a figure or symbol may be one of them. A figure's terms may begin with another digit than it (`07.1`),
    /// a symbol's behind its bracket.
    figures: bool,
    symbols: bool,
}

/// The bit of an ASCII character.
fn bit(c: char) -> u128 {
    1u128.checked_shl(c as u32).unwrap_or(0)
}

impl<'w> LatinWords<'w> {
    /// The number of a word.
    pub fn add(&mut self, term: &'w str) -> usize {
        if let Some(number) = self.number(term) {
            return number;
        }
        if let Some(first) = term.chars().next() {
            self.firsts |= bit(first);
            self.figures |= first.is_ascii_digit();
            self.symbols |= !first.is_alphabetic() || matches!(first, 'x' | 'y');
        }
        self.openings.push(opening(term.chars()));
        self.terms.push(term);
        self.terms.len() - 1
    }

    fn number(&self, term: &str) -> Option<usize> {
        self.terms.iter().position(|wanted| *wanted == term)
    }

    /// True when a folded word may have one of them as its stem.
    #[inline]
    fn may_be(&self, word: &[char]) -> bool {
        if word
            .first()
            .is_none_or(|first| first.is_ascii() && self.firsts & bit(*first) == 0)
        {
            return false;
        }
        let word = opening(word.iter().copied());
        self.openings.iter().any(|stem| may_become(word, *stem))
    }

    /// Where they stand in a folded text, each with its number.
    pub fn find(&self, chars: &[char], stems: &mut Stems) -> Vec<(usize, Range<usize>)> {
        let mut found = Vec::new();
        if self.terms.is_empty() {
            return found;
        }
        let mut buffer = String::new();
        let mut at = 0;
        while at < chars.len() {
            // Most of a text is words of plain letters and what parts them, and most of them are not wanted.
            if let Some(length) = plain_word(&chars[at..]) {
                let word = at..at + length;
                at = word.end;
                if self.may_be(&chars[word.clone()]) {
                    let number =
                        stems.with_stem(spell(&chars[word.clone()], &mut buffer), |stem| self.number(stem));
                    found.extend(number.map(|number| (number, word)));
                }
                continue;
            }
            if matches!(chars[at], ' ' | ',' | '.' | '(' | ')') {
                at += 1;
                continue;
            }
            let run = run_at(chars, at);
            at = run.chars.end;
            let wanted = match run.kind {
                RunKind::Latin => true,
                RunKind::Number => self.figures,
                RunKind::Symbol => self.symbols,
                RunKind::Other | RunKind::Han => false,
            };
            if !wanted {
                continue;
            }
            let mut add = |_: Column, term: &str, chars| {
                found.extend(self.number(term).map(|number| (number, chars)));
            };
            latin_run(
                chars,
                &run,
                stems,
                |word| self.may_be(word),
                &mut buffer,
                &mut add,
            );
        }
        found
    }
}

fn token(column: Column, term: &str, chars: Range<usize>) -> Token {
    Token {
        column,
        term: term.to_owned(),
        chars,
    }
}

fn latin_run(
    chars: &[char],
    run: &Run,
    stems: &mut Stems,
    wanted: impl Fn(&[char]) -> bool,
    buffer: &mut String,
    found: &mut impl FnMut(Column, &str, Range<usize>),
) {
    match run.kind {
        RunKind::Other | RunKind::Han => {}
        RunKind::Latin => {
            for word in latin_words(chars, &run.chars).filter(|word| wanted(&chars[word.clone()])) {
                stems.with_stem(spell(&chars[word.clone()], buffer), |stem| {
                    found(Column::En, stem, word);
                });
            }
        }
        RunKind::Number => {
            for term in number_terms(spell(&chars[run.chars.clone()], buffer)) {
                found(Column::En, &term, run.chars.clone());
            }
        }
        RunKind::Symbol => {
            for term in symbol_terms(spell(&chars[run.chars.clone()], buffer)) {
                found(Column::En, &term, run.chars.clone());
            }
        }
    }
}

fn chinese_words(
    chars: &[char],
    run: &Range<usize>,
    number: Option<Run>,
    lexicon: &mut impl Lexicon,
    buffer: &mut String,
    found: &mut impl FnMut(Column, &str, Range<usize>),
) {
    // A figure with what it counts (`3张`), which a search may also spell `三张`.
    if let Some(number) = number {
        let counted = number.chars.start..run.start + 1;
        found(Column::Zh, spell(&chars[counted.clone()], buffer), counted);
    }
    let han = &chars[run.clone()];
    for at in run.clone() {
        found(Column::Han, spell(&chars[at..at + 1], buffer), at..at + 1);
    }
    for (at, pair) in (run.start..).zip(han.windows(2)) {
        found(Column::Zh, spell(pair, buffer), at..at + 2);
    }
    lexicon.for_each_long_word(han, |word| {
        let word = run.start + word.start..run.start + word.end;
        found(Column::Zh, spell(&chars[word.clone()], buffer), word);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::Folded;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<(Column, String, usize)> {
        let folded = Folded::new(text);
        let none =
            crate::segment::Segmenter::new(crate::segment::build_dictionary([], &[]).unwrap()).unwrap();
        let tokens = tokens(folded.chars(), &mut &none, &mut Stems::default());
        tokens
            .into_iter()
            .map(|token| (token.column, token.term, token.chars.start))
            .collect()
    }

    proptest! {
        #[test]
        fn a_stem_opens_as_its_word(word in "[a-z]{1,3}(ing|ly|ies|ied|es|s|y|ying|ed|[a-z]{0,6})") {
            let stem = Stems::default().stem(&word);
            prop_assert!(may_become(opening(word.chars()), opening(stem.chars())), "{stem}");
        }
    }

    #[test]
    fn each_kind_of_run_has_its_words() {
        let check = |text: &str, expected: &[(Column, &str, usize)]| {
            let expected: Vec<_> = expected
                .iter()
                .map(|(c, t, at)| (*c, (*t).to_owned(), *at))
                .collect();
            assert_eq!(terms(text), expected, "{text}");
        };
        use Column::{En, Han, Zh};
        check(
            "J-rulers dying",
            &[(En, "j", 0), (En, "ruler", 2), (En, "die", 9)],
        );
        check(
            "702.3a-1",
            &[(En, "702.3a-1", 0), (En, "702.3", 0), (En, "702.3a", 0)],
        );
        check("300", &[(En, "300", 0)]);
        check("[+1/+1]", &[(En, "+1/+1", 0)]);
        check("{2}{W}", &[(En, "{2}", 0), (En, "{w}", 0), (En, "{2}{w}", 0)]);
        check("横置", &[(Han, "横", 0), (Zh, "横置", 0), (Han, "置", 1)]);
        check("3张", &[(En, "3", 0), (Zh, "3张", 0), (Han, "张", 1)]);
    }
}
