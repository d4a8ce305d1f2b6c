//! Cuts a folded text into the pieces that index and queries are made of. The one file that names jieba-rs.
//!
//! [`runs`] splits off what no dictionary may touch: Latin words, figures and rule numbers, groups of symbols.
//! What is left is Chinese, and a [`Segmenter`] cuts it into words.
//!
//! A segmenter is a map from word to frequency and nothing else, so that a query can use it straight from a
//! mapped file: loading jieba's own dictionary costs a hundred times more than everything else a query does.
//! [`build_dictionary`] asks jieba, when an index is built, for every dictionary word that occurs in the texts
//! of the library, and adds the library's own terms. A dictionary word that stands in no text can match nothing
//! and is left out; on the library's texts the cut is exactly jieba's (without its guessing of unknown words,
//! which would hide terms: 生物进战场时横置 would end in 时横置).
//!
//! # Example
//!
//! ```
//! use shiyi::segment::{Segmenter, build_dictionary};
//!
//! let dictionary = build_dictionary(["横置一个生物"], &["生物".to_owned(), "横置".to_owned()])?;
//! let segmenter = Segmenter::new(dictionary)?;
//! assert_eq!(segmenter.segments("J-ruler横置702.3a-1"), ["J-ruler", "横置", "702.3a-1"]);
//! # Ok::<(), shiyi::segment::DictionaryError>(())
//! ```

use crate::citation::RuleNumber;
use crate::fold::{Folded, QUOTE, is_han};
use fst::raw::Fst;
use jieba_rs::Jieba;
use std::collections::BTreeSet;
use std::ops::Range;

/// What kind of characters a run consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunKind {
    /// Han characters.
    Han,
    /// Letters and digits of other scripts, with the hyphens and apostrophes inside: `j-ruler`, `t2`, `player's`.
    Latin,
    /// A figure or rule number: `3`, `702.3a-1`, `2024-06-07`.
    Number,
    /// Symbols that mean something only together: `{2}{w}`, `+1/+1`.
    Symbol,
    /// Blanks and punctuation, one character each.
    Other,
}

/// A run in a folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it consists of.
    pub kind: RunKind,
    /// Its characters, counted from the start of the folded text.
    pub chars: Range<usize>,
}

/// The runs of a folded text, in order and without gaps.
pub fn runs(chars: &[char]) -> impl Iterator<Item = Run> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == chars.len() {
            return None;
        }
        let run = run_at(chars, at);
        at = run.chars.end;
        Some(run)
    })
}

/// The run that begins at some character, where one begins.
pub fn run_at(chars: &[char], at: usize) -> Run {
    let (kind, length) = kind_and_length(chars, at);
    Run {
        kind,
        chars: at..at + length,
    }
}

fn kind_and_length(chars: &[char], at: usize) -> (RunKind, usize) {
    let rest = &chars[at..];
    let first = rest[0];
    if is_han(first) {
        return (RunKind::Han, rest.iter().take_while(|c| is_han(**c)).count());
    }
    // Most runs are these, and begin no symbol and no figure.
    match first {
        ' ' => return (RunKind::Other, 1),
        'a'..='w' => {
            let length = plain_word(rest).unwrap_or_else(|| word_length(rest));
            return (RunKind::Latin, length);
        }
        _ => {}
    }
    // A sign belongs to a figure only where it does not join it to a word before: `type-1/2`.
    let joined = at > 0 && is_word(chars[at - 1]);
    if let Some(length) = symbol_length(rest).filter(|_| !joined) {
        return (RunKind::Symbol, length);
    }
    if first.is_ascii_digit()
        && let Some(length) = number_length(rest)
    {
        return (RunKind::Number, length);
    }
    if is_word(first) {
        return (RunKind::Latin, word_length(rest));
    }
    (RunKind::Other, 1)
}

/// A letter or digit that is no Han character.
fn is_word(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric(),
        false => c.is_alphanumeric() && !is_han(c),
    }
}

/// The length of a run that is nothing but a Latin word of plain letters, at the start of some characters with which a
/// run begins; none where it takes a closer look to say what stands there.
#[inline]
pub fn plain_word(chars: &[char]) -> Option<usize> {
    // With the other two a symbol may begin (`x/x`).
    if !matches!(chars.first(), Some('a'..='w' | 'z')) {
        return None;
    }
    let length = chars.iter().take_while(|c| c.is_ascii_lowercase()).count();
    let ends = match chars.get(length) {
        Some(next) => next.is_ascii() && !next.is_ascii_alphanumeric() && !matches!(next, '-' | '\'' | '_'),
        None => true,
    };
    ends.then_some(length)
}

fn word_length(chars: &[char]) -> usize {
    let is_letter = |c: &&char| c.is_ascii_lowercase();
    let mut length = chars.iter().take_while(is_letter).count();
    while length < chars.len() {
        let joint = matches!(chars[length], '-' | '\'' | '_') && length > 0;
        let inside = joint && chars.get(length + 1).is_some_and(|c| is_word(*c));
        if !is_word(chars[length]) && !inside {
            break;
        }
        // `cr702.19b` is a word and a rule number, `t2` a word.
        if chars[length].is_ascii_digit()
            && chars[..length].last().is_some_and(|c| c.is_alphabetic())
            && number_length(&chars[length..])
                .is_some_and(|number| chars[length..length + number].contains(&'.'))
        {
            break;
        }
        length += 1;
    }
    length
}

/// The length of a figure or rule number; none where letters make a word of it (`3rd`, `5cards`).
fn number_length(chars: &[char]) -> Option<usize> {
    let mut text = [0; 64];
    let mut length = 0;
    for (byte, c) in text.iter_mut().zip(chars.iter().take_while(|c| c.is_ascii())) {
        *byte = *c as u8;
        length += 1;
    }
    let text = std::str::from_utf8(&text[..length]).unwrap_or_default();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length = RuleNumber::read_prefix(text).map_or(digits, |(_, read)| read);
    // Digits past what a rule number may hold stay with it, a letter after it makes it a word.
    let length = length + chars[length..].iter().take_while(|c| c.is_ascii_digit()).count();
    match chars.get(length) {
        Some(c) if is_word(*c) => None,
        _ => Some(length),
    }
}

/// The longest group of symbols in braces: hostile input must not make one of a whole text.
const MAX_BRACES: usize = 16;

fn symbol_length(chars: &[char]) -> Option<usize> {
    match chars[0] {
        // Most characters begin no symbol.
        c if !matches!(c, '{' | QUOTE | '+' | '-' | '*' | 'x' | 'y' | '0'..='9') => None,
        '{' => {
            let mut length = 0;
            while let Some(group) = braces_length(&chars[length..]) {
                length += group;
            }
            Some(length).filter(|length| *length > 0)
        }
        QUOTE => {
            // `[-100/-100]`, whose brackets have become quotes.
            let inside = ratio_length(&chars[1..])?;
            (chars.get(1 + inside) == Some(&QUOTE)).then_some(inside + 2)
        }
        _ => ratio_length(chars),
    }
}

/// `{2}`, `{w/u}`.
fn braces_length(chars: &[char]) -> Option<usize> {
    if chars.first() != Some(&'{') {
        return None;
    }
    let inside = chars[1..]
        .iter()
        .take(MAX_BRACES)
        .take_while(|c| !matches!(c, '{' | '}' | ' ') && !c.is_control() && !is_han(**c))
        .count();
    (inside > 0 && chars.get(1 + inside) == Some(&'}')).then_some(inside + 2)
}

/// `+1/+1`, `-100/-100`, `2/2`, `*/x`.
fn ratio_length(chars: &[char]) -> Option<usize> {
    let side = |from: usize| {
        let rest = chars.get(from..)?;
        let sign = usize::from(matches!(rest.first(), Some('+' | '-')));
        let digits = rest[sign..].iter().take_while(|c| c.is_ascii_digit()).count();
        let length = match rest.get(sign) {
            _ if digits > 0 => digits,
            Some('*' | 'x' | 'y') => 1,
            _ => return None,
        };
        Some(sign + length)
    };
    let first = side(0)?;
    if chars.get(first) != Some(&'/') {
        return None;
    }
    let length = first + 1 + side(first + 1)?;
    (!chars.get(length).is_some_and(|c| is_word(*c) || *c == '/')).then_some(length)
}

/// A stored dictionary could not be made or read.
#[derive(Debug, thiserror::Error)]
#[error("the dictionary of words cannot be used: {0}")]
pub struct DictionaryError(String);

impl From<fst::Error> for DictionaryError {
    fn from(error: fst::Error) -> Self {
        Self(error.to_string())
    }
}

/// Bytes before the map: the total of all frequencies, little-endian.
const TOTAL: usize = 8;

/// Cuts Chinese into words.
///
/// It reads a stored dictionary in place: `B` may be a vector or a part of a mapped file.
pub struct Segmenter<B> {
    words: Fst<Tail<B>>,
    log_total: f64,
}

/// The bytes behind the total.
struct Tail<B>(B);

impl<B: AsRef<[u8]>> AsRef<[u8]> for Tail<B> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref().get(TOTAL..).unwrap_or_default()
    }
}

impl<B: AsRef<[u8]>> Segmenter<B> {
    /// Reads a dictionary that [`build_dictionary`] made.
    ///
    /// # Errors
    ///
    /// When the bytes are no such dictionary. Bytes that were changed since are the business of whoever stores
    /// them.
    pub fn new(dictionary: B) -> Result<Self, DictionaryError> {
        let total = dictionary
            .as_ref()
            .first_chunk::<TOTAL>()
            .ok_or_else(|| DictionaryError("it is too short".to_owned()))?;
        let log_total = (u64::from_le_bytes(*total) as f64).ln();
        Ok(Self {
            words: Fst::new(Tail(dictionary))?,
            log_total,
        })
    }

    /// Every dictionary word of two or more characters in a run of Han characters, as ranges of the run: by
    /// start, then by end.
    pub fn words(&self, han: &[char]) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        self.for_each_word(han, |word| words.push(word));
        words
    }

    /// Calls back with each of [`Segmenter::words`].
    pub fn for_each_word(&self, han: &[char], mut found: impl FnMut(Range<usize>)) {
        for start in 0..han.len() {
            self.words_at(han, start, |end, _| {
                if end > start + 1 {
                    found(start..end);
                }
            });
        }
    }

    /// Calls back for each word that starts there, shortest first, with its end and frequency.
    fn words_at(&self, han: &[char], start: usize, mut found: impl FnMut(usize, u64)) {
        let mut node = self.words.root();
        let mut output = fst::raw::Output::zero();
        let mut utf8 = [0; 4];
        for (i, c) in han[start..].iter().enumerate() {
            for byte in c.encode_utf8(&mut utf8).bytes() {
                let Some(step) = node.find_input(byte) else {
                    return;
                };
                let step = node.transition(step);
                output = output.cat(step.out);
                node = self.words.node(step.addr);
            }
            if node.is_final() {
                found(start + i + 1, output.cat(node.final_output()).value());
            }
        }
    }

    /// The most probable cut of a run of Han characters, as ranges of the run: joined, they are the run.
    ///
    /// Of two equally probable cuts the one whose first word is longer wins.
    pub fn cut(&self, han: &[char]) -> Vec<Range<usize>> {
        // From the end: the best cut of what follows each character, and where its first word ends.
        let mut best = vec![(0.0f64, han.len()); han.len() + 1];
        for start in (0..han.len()).rev() {
            let mut choice: Option<(f64, usize)> = None;
            self.words_at(han, start, |end, frequency| {
                let probability = (frequency as f64).ln() - self.log_total + best[end].0;
                if choice.is_none_or(|(other, _)| probability >= other) {
                    choice = Some((probability, end));
                }
            });
            best[start] = choice.unwrap_or((0.0 - self.log_total + best[start + 1].0, start + 1));
        }
        let mut words = Vec::new();
        let mut at = 0;
        while at < han.len() {
            let end = best[at].1;
            words.push(at..end);
            at = end;
        }
        words
    }

    /// The pieces of a text: words, numbers and symbol groups whole, and what stands between. Joined, they are
    /// the text.
    pub fn segments<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let folded = Folded::new(text);
        let mut segments = Vec::new();
        let mut at = 0;
        let mut push = |range: Range<usize>| {
            // What the fold drops (blanks, accents) is a piece of its own.
            if at < range.start {
                segments.push(&text[at..range.start]);
            }
            if range.end > at {
                segments.push(&text[range.start.max(at)..range.end]);
                at = range.end;
            }
        };
        for run in runs(folded.chars()) {
            match run.kind {
                RunKind::Han => {
                    for word in self.cut(&folded.chars()[run.chars.clone()]) {
                        push(folded.bytes(run.chars.start + word.start..run.chars.start + word.end));
                    }
                }
                _ => push(folded.bytes(run.chars)),
            }
        }
        push(text.len()..text.len());
        segments
    }
}

/// Cuts a text into pieces: joined, they are the text.
pub type Cutter<'c> = Box<dyn for<'t> Fn(&'t str) -> Vec<&'t str> + 'c>;

/// The pieces of a text without a dictionary: words, figures, single Han characters and what stands between. Joined,
/// they are the text.
pub fn characters(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let kind = |c: char| match c {
        _ if is_han(c) => 0,
        _ if c.is_alphanumeric() => 1,
        _ => 2,
    };
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|before| kind(before) != kind(c) || kind(c) != 1) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(c);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

/// What knows the words that a run of Han characters is indexed by.
pub trait Lexicon {
    /// Calls back with each word of three or more characters in a run, by start, then by end. Pairs are indexed
    /// whether they are words or not.
    fn for_each_long_word(&mut self, han: &[char], found: impl FnMut(Range<usize>));
}

impl<B: AsRef<[u8]>> Lexicon for &Segmenter<B> {
    fn for_each_long_word(&mut self, han: &[char], mut found: impl FnMut(Range<usize>)) {
        self.for_each_word(han, |word| {
            if word.len() > 2 {
                found(word);
            }
        });
    }
}

/// Makes the dictionary of a library; see [`DictionaryBuilder`].
///
/// # Errors
///
/// As for [`DictionaryBuilder::finish`].
pub fn build_dictionary<'t>(
    texts: impl IntoIterator<Item = &'t str>,
    own_words: &[String],
) -> Result<Vec<u8>, DictionaryError> {
    let mut builder = DictionaryBuilder::load();
    builder.teach(own_words)?;
    let mut words = BTreeSet::new();
    for run in texts.into_iter().flat_map(han_runs) {
        for token in builder.jieba.cut_all(&run) {
            if !words.contains(token.word) {
                words.insert(token.word.to_owned());
            }
        }
    }
    builder.finish(words)
}

/// Makes the dictionary of a library: every word of jieba's dictionary that occurs in its texts, and the
/// library's own words (terms, aliases, card names), of which each run of Han characters counts.
///
/// The result depends on what texts and words there are, not on their order.
pub struct DictionaryBuilder {
    jieba: Jieba,
    own: Vec<String>,
    /// Own words that jieba does not find in a text: a character of theirs is none that it takes for Chinese.
    unseen: Option<Segmenter<Vec<u8>>>,
}

impl DictionaryBuilder {
    /// Loads jieba's dictionary, which takes a while.
    pub fn load() -> Self {
        Self {
            jieba: Jieba::new(),
            own: Vec::new(),
            unseen: None,
        }
    }

    /// Teaches it the library's own words.
    ///
    /// # Errors
    ///
    /// When memory runs out.
    pub fn teach(&mut self, own_words: &[String]) -> Result<(), DictionaryError> {
        let own: BTreeSet<String> = own_words.iter().flat_map(|word| han_runs(word)).collect();
        // Frequencies that make each word hold together, all asked of the untouched dictionary: each word added
        // changes what the next would be given.
        let own: Vec<(String, usize)> = own
            .into_iter()
            .filter(|word| word.chars().nth(1).is_some())
            .map(|word| {
                let frequency = self.jieba.suggest_freq(&word);
                (word, frequency)
            })
            .collect();
        for (word, frequency) in &own {
            self.jieba.add_word(word, Some(*frequency), None);
        }
        self.own = own.into_iter().map(|(word, _)| word).collect();
        let mut unseen = self
            .own
            .iter()
            .filter(|own| {
                self.jieba
                    .cut_all(own)
                    .iter()
                    .all(|token| token.word != own.as_str())
            })
            .peekable();
        if unseen.peek().is_some() {
            let mut map = fst::MapBuilder::memory();
            unseen.try_for_each(|word| map.insert(word, 1))?;
            let mut bytes = vec![1; TOTAL];
            bytes.extend(map.into_inner()?);
            self.unseen = Some(Segmenter::new(bytes)?);
        }
        Ok(())
    }

    /// Finds words in texts; each thread has its own.
    pub fn words(&self) -> DictionaryWords<'_> {
        DictionaryWords {
            builder: self,
            run: String::new(),
        }
    }

    /// True for a word of the dictionary.
    pub fn has_word(&self, word: &str) -> bool {
        self.jieba.has_word(word)
    }

    /// The dictionary of the words that occur.
    ///
    /// # Errors
    ///
    /// When jieba is not the version this was written for, or memory runs out.
    pub fn finish(self, words: impl IntoIterator<Item = String>) -> Result<Vec<u8>, DictionaryError> {
        let mut jieba = self.jieba;
        let words: BTreeSet<String> = words.into_iter().chain(self.own).collect();
        let total = total_frequency(&jieba)?;
        let mut rest = total;
        let mut map = fst::MapBuilder::memory();
        for word in words {
            if !jieba.has_word(&word) {
                // jieba also gives characters that stand in no dictionary.
                continue;
            }
            // It tells no frequency; taken away, a word leaves the total smaller by its own.
            jieba.add_word(&word, Some(0), None);
            let before = std::mem::replace(&mut rest, total_frequency(&jieba)?);
            map.insert(&word, before - rest)?;
        }
        let mut bytes = total.to_le_bytes().to_vec();
        bytes.extend(map.into_inner()?);
        Ok(bytes)
    }
}

/// The words of the whole dictionary in texts. Those that a dictionary of the same texts has are found, in the same
/// places.
pub struct DictionaryWords<'d> {
    builder: &'d DictionaryBuilder,
    /// The run that is looked at, as jieba takes it.
    run: String,
}

impl Lexicon for DictionaryWords<'_> {
    fn for_each_long_word(&mut self, han: &[char], mut found: impl FnMut(Range<usize>)) {
        if han.len() < 3 {
            return;
        }
        self.run.clear();
        self.run.extend(han);
        for token in self.builder.jieba.cut_all(&self.run) {
            if token.end - token.start > 2 {
                found(token.start..token.end);
            }
        }
        if let Some(mut unseen) = self.builder.unseen.as_ref() {
            unseen.for_each_long_word(han, found);
        }
    }
}

/// The folded runs of Han characters of a text.
fn han_runs(text: &str) -> Vec<String> {
    let folded = Folded::new(text);
    folded
        .chars()
        .split(|c| !is_han(*c))
        .filter(|run| !run.is_empty())
        .map(|run| run.iter().collect())
        .collect()
}

/// The sum of all frequencies of a dictionary, which jieba only prints.
fn total_frequency(jieba: &Jieba) -> Result<u64, DictionaryError> {
    let printed = format!("{jieba:?}");
    let figure = printed.split("total_freq: ").nth(1);
    let digits = figure.and_then(|figure| figure.split(|c: char| !c.is_ascii_digit()).next());
    digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| DictionaryError(format!("jieba-rs prints no total: {printed}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    const TEXTS: [&str; 5] = [
        "生物进战场时横置",
        "当1个领主因变革指令翻面变成指令牌，则该牌上的召集指示物会移动至被指令的牌上",
        "地底城中的房间按照箭头的方向前进，牌手每次进入一个房间",
        "如果某张双面牌被显化，那么它会牌面朝下地放进战场",
        "先制攻击与连击在战斗伤害步骤中如何结算",
    ];
    const OWN: [&str; 6] = [
        "横置",
        "先制攻击",
        "【指示物】",
        "地底城",
        "双面牌",
        "J-ruler进场",
    ];

    fn dictionary(texts: &[&str]) -> Segmenter<Vec<u8>> {
        let own = OWN.map(str::to_owned);
        Segmenter::new(build_dictionary(texts.iter().copied(), &own).unwrap()).unwrap()
    }

    fn oracle() -> Jieba {
        let mut jieba = Jieba::new();
        let own = ["横置", "先制攻击", "指示物", "地底城", "双面牌", "进场"];
        let frequencies = own.map(|word| jieba.suggest_freq(word));
        for (word, frequency) in own.iter().zip(frequencies) {
            jieba.add_word(word, Some(frequency), None);
        }
        jieba
    }

    fn cut(segmenter: &Segmenter<Vec<u8>>, text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        segmenter
            .cut(&chars)
            .into_iter()
            .map(|word| chars[word].iter().collect())
            .collect()
    }

    #[test]
    fn numbers_words_and_symbols_stay_whole() {
        let check = |text: &str, expected: &[&str]| {
            let folded = Folded::new(text);
            let found: Vec<String> = runs(folded.chars())
                .filter(|run| run.kind != RunKind::Other)
                .map(|run| folded.chars()[run.chars].iter().collect())
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("CR702.19b践踏", &["cr", "702.19b", "践踏"]);
        check("规则702.3a-1，7-1-4-1", &["规则", "702.3a-1", "7-1-4-1"]);
        check("J-ruler进场", &["j-ruler", "进场"]);
        check("T2格式 5g g5", &["t2", "格式", "5g", "g5"]);
        check("[-100/-100] +1/+1指示物", &["\"-100/-100\"", "+1/+1", "指示物"]);
        check("支付{2}{W}或{W/U}", &["支付", "{2}{w}", "或", "{w/u}"]);
        check("2/2 3rd 1/2/3", &["2/2", "3rd", "1", "2/3"]);
        check("300张 player's", &["300", "张", "player's"]);
        check("{ }{{}", &[]);
        // Words in braces are words.
        check("{2}，{横置}：", &["{2}", "横置"]);
    }

    #[test]
    fn own_terms_are_words() {
        let segmenter = dictionary(&TEXTS);
        assert_eq!(
            cut(&segmenter, "生物进战场时横置"),
            ["生物", "进", "战场", "时", "横置"]
        );
        assert_eq!(cut(&segmenter, "先制攻击"), ["先制攻击"]);
        assert!(cut(&segmenter, "").is_empty());
    }

    #[test]
    fn order_of_texts_does_not_matter() {
        let own = OWN.map(str::to_owned);
        let mut reversed = own.clone();
        reversed.reverse();
        assert_eq!(
            build_dictionary(TEXTS, &own).unwrap(),
            build_dictionary(TEXTS.into_iter().rev(), &reversed).unwrap()
        );
    }

    #[test]
    fn a_dictionary_that_is_none_is_an_error() {
        for bytes in [vec![], vec![0; 7], vec![0; 8], vec![7; 100]] {
            assert!(Segmenter::new(bytes).is_err());
        }
    }

    static ORACLE: LazyLock<Jieba> = LazyLock::new(oracle);

    proptest! {
        #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]
        #[test]
        fn the_cut_is_jieba_s(pieces in proptest::collection::vec((0usize..5, 0usize..40, 1usize..9), 1..60)) {
            // Any text: the dictionary is made from the very text that is cut.
            let text: String = pieces
                .into_iter()
                .flat_map(|(text, start, length)| {
                    TEXTS[text].chars().filter(|c| is_han(*c)).skip(start).take(length)
                })
                .collect();
            let segmenter = dictionary(&[&text]);
            let expected: Vec<_> = ORACLE.cut(&text, false).into_iter().map(|token| token.word.to_owned()).collect();
            prop_assert_eq!(cut(&segmenter, &text), expected);
        }
    }

    static SEGMENTER: LazyLock<Segmenter<Vec<u8>>> = LazyLock::new(|| dictionary(&TEXTS));

    proptest! {
        #[test]
        fn joined_segments_are_the_text(text in "\\PC{0,40}|[生物横置指示物a-z0-9+/{}\\[\\].\\- ﬁ\\u{301}\\u{ad}]{0,40}") {
            prop_assert_eq!(SEGMENTER.segments(&text).concat(), text);
        }
    }
}
