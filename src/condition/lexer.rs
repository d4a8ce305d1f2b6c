//! Cuts a phrase into words that carry numeric meaning and words that do not.

use super::numeral;
use super::words::{CHINESE, ENGLISH, Fault, Word};
use crate::fold::{fold_char, is_han};
use std::ops::Range;

/// A piece of the phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// What it does.
    pub word: Word,
    /// Its bytes in the phrase.
    pub span: Range<usize>,
    /// What it says, folded; empty for numbers.
    pub text: String,
    /// True for Chinese.
    pub han: bool,
}

impl Token {
    /// True for a number, good or bad.
    pub fn is_number(&self) -> bool {
        matches!(self.word, Word::Number(_) | Word::Bad(_))
    }
}

/// A character with its place and its folded form.
struct Char {
    at: usize,
    original: char,
    key: char,
}

/// Cuts `text` into tokens. Nothing is lost but blanks.
pub(super) fn lex(text: &str) -> Vec<Token> {
    let chars: Vec<Char> = text
        .char_indices()
        .map(|(at, original)| Char {
            at,
            original,
            key: fold(original),
        })
        .collect();
    let title_case = is_title_case(text);
    let mut lexer = Lexer {
        text,
        chars,
        at: 0,
        tokens: Vec::new(),
        title_case,
    };
    while lexer.at < lexer.chars.len() {
        lexer.next();
    }
    lexer.tokens
}

/// The form of a character that words are compared in. Brackets and quotes stay what they are.
fn fold(c: char) -> char {
    match c {
        '［' => '[',
        '］' => ']',
        '’' | '‘' | '＇' => '\'',
        '“' | '”' | '「' | '」' | '『' | '』' | '《' | '》' | '«' | '»' | '【' | '】' | '[' | ']' | '〈'
        | '〉' => c,
        '≥' | '≧' | '≤' | '≦' | '≠' | '…' | '∞' | '。' | '、' => c,
        '−' | '－' | '–' | '‐' | '‑' => '-',
        '—' | '―' => '—',
        '～' | '〜' | '∼' => '~',
        c if numeral::is_unread(c) => c,
        c => fold_char(c),
    }
}

/// True for a text whose words all begin with a capital, so that capitals say nothing about names.
fn is_title_case(text: &str) -> bool {
    let mut words = text
        .split_whitespace()
        .filter_map(|word| word.chars().next())
        .filter(|c| c.is_ascii_alphabetic());
    words.all(|c| c.is_ascii_uppercase())
}

struct Lexer<'t> {
    text: &'t str,
    chars: Vec<Char>,
    at: usize,
    tokens: Vec<Token>,
    title_case: bool,
}

impl Lexer<'_> {
    fn key(&self, idx: usize) -> Option<char> {
        self.chars.get(idx).map(|c| c.key)
    }

    fn byte(&self, idx: usize) -> usize {
        self.chars.get(idx).map_or(self.text.len(), |c| c.at)
    }

    fn last(&self) -> Option<Word> {
        self.tokens.last().map(|token| token.word)
    }

    /// True where no word of this clause stands yet.
    fn at_clause_start(&self) -> bool {
        matches!(self.last(), None | Some(Word::Stop | Word::Comma | Word::Colon))
    }

    /// Takes the characters up to `end` as one token.
    fn push(&mut self, word: Word, end: usize) {
        let han = self.key(self.at).is_some_and(is_han);
        let after = self.byte(end);
        let text: String = match word {
            Word::Number(_) | Word::Bad(_) => String::new(),
            _ => self.chars[self.at..end].iter().map(|c| c.key).collect(),
        };
        // Neighbouring characters that mean nothing are one piece of content.
        if let (Word::Content, Some(last)) = (word, self.tokens.last_mut())
            && han
            && last.word == Word::Content
            && last.han
            && last.span.end == self.chars[self.at].at
        {
            last.text.push_str(&text);
            last.span.end = after;
        } else {
            let span = self.byte(self.at)..after;
            self.tokens.push(Token {
                word,
                span,
                text,
                han,
            });
        }
        self.at = end;
    }

    fn next(&mut self) {
        let Some(c) = self.key(self.at) else { return };
        if c.is_whitespace() {
            self.at += 1;
        } else if self.chars[self.at].original.is_ascii_digit() || numeral::digit(c).is_some() {
            self.number(false);
        } else if is_han(c) {
            self.han();
        } else if c.is_alphabetic() {
            self.letters();
        } else {
            self.sign(c);
        }
    }

    /// Where the bracket that opens here closes, if it does within a short distance.
    fn closing(&self, close: char) -> Option<usize> {
        (self.at + 1..self.chars.len().min(self.at + 400)).find(|idx| self.key(*idx) == Some(close))
    }

    fn sign(&mut self, c: char) {
        if let Some(end) = self.stats(self.at) {
            return self.push(Word::Stats, end);
        }
        let two = |a, b| c == a && self.key(self.at + 1) == Some(b);
        use super::numbers::Order;
        let order = match c {
            _ if two('>', '=') || two('=', '>') => Some((Order::AtLeast, 2)),
            _ if two('<', '=') || two('=', '<') => Some((Order::AtMost, 2)),
            _ if two('!', '=') || two('<', '>') => Some((Order::Unequal, 2)),
            '≥' | '≧' => Some((Order::AtLeast, 1)),
            '≤' | '≦' => Some((Order::AtMost, 1)),
            '≠' => Some((Order::Unequal, 1)),
            _ => None,
        };
        if let Some((order, length)) = order {
            return self.push(Word::Before(order), self.at + length);
        }
        match c {
            '>' if two('>', '>') => self.push(
                Word::Stop,
                self.at + 2 + usize::from(self.key(self.at + 2) == Some('>')),
            ),
            '>' => self.push(Word::Before(Order::Greater), self.at + 1),
            // <Name> is a name.
            '<' if self.key(self.at + 1).is_some_and(char::is_alphabetic)
                && self.closing('>').is_some_and(|end| end < self.at + 40) =>
            {
                self.masked('>');
            }
            '<' => self.push(Word::Before(Order::Less), self.at + 1),
            '=' if two('=', '=') => self.push(Word::Equals, self.at + 2),
            '=' => self.push(Word::Equals, self.at + 1),
            '"' => self.masked('"'),
            '“' | '”' => self.masked('”'),
            '「' => self.masked('」'),
            '『' => self.masked('』'),
            '《' => self.masked('》'),
            '«' => self.masked('»'),
            '〈' => self.masked('〉'),
            '【' => self.masked('】'),
            '[' => self.masked(']'),
            '{' => self.masked('}'),
            '(' => self.parenthesis(),
            ',' | '、' => self.push(Word::Comma, self.at + 1),
            // 3..5 is no way to write a range that everybody reads alike.
            '.' if self.key(self.at + 1) == Some('.') => self.push(Word::Dangling, self.at + 2),
            '.' | '。' | ';' | '!' | '?' | '…' | '—' => self.push(Word::Stop, self.at + 1),
            ':' => self.push(Word::Colon, self.at + 1),
            '-' if self.last_touches() => self.at += 1,
            '-' | '~' => self.dash(),
            '+' => {
                let mut digits = self.at + 1;
                while self.key(digits).is_some_and(|c| numeral::digit(c).is_some()) {
                    digits += 1;
                }
                match self.last() {
                    Some(Word::Number(_)) => self.push(Word::After(Order::AtLeast), self.at + 1),
                    // A bonus: +2000.
                    _ if digits > self.at + 1 => self.push(Word::Stats, digits),
                    _ => self.push(Word::Dangling, self.at + 1),
                }
            }
            '/' | '·' | '\'' | '&' | '*' | '•' => self.at += 1,
            '%' => self.push(Word::Bad(Fault::Fraction), self.at + 1),
            c if numeral::is_unread(c) => self.push(Word::Bad(Fault::Unsupported), self.at + 1),
            _ => self.push(Word::Dangling, self.at + 1),
        }
    }

    /// True where the last token was an even or odd and touches this place: `even-cost`.
    fn last_touches(&self) -> bool {
        self.tokens.last().is_some_and(|token| {
            matches!(token.word, Word::Even | Word::Odd) && token.span.end == self.byte(self.at)
        })
    }

    fn masked(&mut self, close: char) {
        match self.closing(close) {
            Some(end) => self.push(Word::Masked, end + 1),
            None => self.push(Word::Dangling, self.at + 1),
        }
    }

    /// `(5)` is a number, `(inclusive)` a word, any other parenthesis an aside.
    fn parenthesis(&mut self) {
        let Some(end) = self.closing(')') else {
            return self.push(Word::Dangling, self.at + 1);
        };
        let inner = self.at + 1..end;
        let inside: String = self.chars[inner.clone()].iter().map(|c| c.key).collect();
        let start = self.at;
        match inside.trim() {
            digits if !digits.is_empty() && digits.chars().all(|c| numeral::digit(c).is_some()) => {
                let run: Vec<char> = digits.chars().collect();
                let word = numeral::read_digits(&run).map_or_else(Word::Bad, Word::Number);
                self.push(word, end + 1);
            }
            "x" | "y" | "z" => {
                let letter = inside.trim().chars().next().unwrap_or('x').to_ascii_uppercase();
                self.push(Word::Letter(letter), end + 1);
            }
            "inclusive" | "含" | "包含" | "含两端" | "包含两端" | "包括两端" | "含端点" | "both included" =>
            {
                self.push(Word::Inclusive, end + 1);
            }
            "exclusive" | "不含" | "不含两端" | "不包含" | "不包含两端" => {
                self.push(Word::Exclusive, end + 1)
            }
            aside => {
                let settles = |mark: &[&str]| {
                    let rest = mark.iter().find_map(|mark| aside.strip_prefix(mark));
                    rest.is_some_and(|rest| lex(rest).iter().all(is_figure))
                };
                let word = if settles(&["含", "包含", "包括"]) {
                    Word::Inclusive
                } else if settles(&["不含", "不包含", "不包括"]) {
                    Word::Exclusive
                } else {
                    aside_word(&lex(aside))
                };
                self.push(word, end + 1);
            }
        }
        debug_assert!(self.at > start);
    }

    /// A minus sign, a range, or a stray dash.
    fn dash(&mut self) {
        let after_number = self.tokens.last().is_some_and(|token| {
            matches!(
                token.word,
                Word::Number(_) | Word::Classifier | Word::TraitClassifier
            )
        });
        let mut next = self.at + 1;
        while self.key(next).is_some_and(char::is_whitespace) {
            next += 1;
        }
        let digit_next = self
            .key(next)
            .is_some_and(|c| numeral::digit(c).is_some() || numeral::is_chinese(c));
        // 至多-1: a comparison stands before a number, whatever touches it.
        let compares = self.tokens.last().is_some_and(|token| {
            matches!(
                token.word,
                Word::Before(_) | Word::UpTo | Word::Exactly | Word::Only | Word::Equals | Word::Than
            )
        });
        // Link-4 is no negative number.
        let attached = !compares
            && self.at > 0
            && self.key(self.at - 1).is_some_and(char::is_alphabetic)
            && self.key(self.at + 1).is_some_and(|c| numeral::digit(c).is_some());
        // 3-Cost: the number is the cost.
        let names = after_number
            && self
                .tokens
                .last()
                .is_some_and(|token| token.span.end == self.byte(self.at))
            && self.key(self.at + 1).is_some_and(char::is_alphabetic);
        if attached || names && !digit_next {
            self.at += 1;
        } else if after_number && digit_next {
            self.push(Word::To, self.at + 1);
        } else if self.key(self.at) == Some('-')
            && self.key(self.at + 1).is_some_and(|c| numeral::digit(c).is_some())
        {
            self.at += 1;
            self.number(true);
        } else {
            self.push(Word::Dangling, self.at + 1);
        }
    }

    /// The end of `2/2`, `+1/+1`, `-X/-X` if it starts here.
    fn stats(&self, from: usize) -> Option<usize> {
        let part = |mut at: usize, signed: bool| {
            let start = at;
            if matches!(self.key(at), Some('+' | '-')) {
                at += 1;
            } else if signed {
                return None;
            }
            let digits = at;
            while self
                .key(at)
                .is_some_and(|c| numeral::digit(c).is_some() || matches!(c, 'x' | '*'))
            {
                at += 1;
            }
            (at > digits && at > start).then_some(at)
        };
        let signed = matches!(self.key(from), Some('+' | '-'));
        let middle = part(from, signed)?;
        if self.key(middle) != Some('/') {
            return None;
        }
        let end = part(middle + 1, signed)?;
        (!self.key(end).is_some_and(|c| c.is_ascii_alphanumeric())).then_some(end)
    }

    /// A number that starts with a digit here.
    fn number(&mut self, negative: bool) {
        if !negative && let Some(end) = self.stats(self.at) {
            return self.push(Word::Stats, end);
        }
        let start = self.at;
        let mut end = start;
        let is_digit = |idx: usize| self.key(idx).is_some_and(|c| numeral::digit(c).is_some());
        while let Some(c) = self.key(end) {
            let inside = match c {
                '.' => is_digit(end + 1),
                // A comma groups digits only where three of them follow; of others it is a list, unless it is
                // plain ASCII, where it is a slip.
                ',' => {
                    let three = (1..=3).all(|step| is_digit(end + step)) && !is_digit(end + 4);
                    is_digit(end + 1) && (three || self.chars[end].original == ',')
                }
                _ => numeral::digit(c).is_some(),
            };
            if !inside {
                break;
            }
            end += 1;
        }
        let latin = |idx: usize| self.key(idx).is_some_and(|c| c.is_ascii_alphabetic());
        if latin(end) {
            let mut stop = end;
            while self.key(stop).is_some_and(|c| c.is_ascii_alphanumeric()) {
                stop += 1;
            }
            let suffix: String = self.chars[end..stop].iter().map(|c| c.key).collect();
            let run: Vec<char> = self.chars[start..end].iter().map(|c| c.key).collect();
            let word = match (suffix.as_str(), numeral::read_digits(&run)) {
                ("st" | "nd" | "rd" | "th", Ok(value)) => Word::Ordinal(value),
                ("x", Ok(_)) => Word::Bad(Fault::Unsupported),
                _ => Word::Bad(Fault::Unsupported),
            };
            return self.push(word, stop);
        }
        // Digits before a Chinese unit are one numeral with it: 1万2千.
        let mut stop = end;
        while self
            .key(stop)
            .is_some_and(|c| numeral::is_chinese(c) || numeral::digit(c).is_some())
        {
            stop += 1;
        }
        let run: Vec<char> = self.chars[start..stop].iter().map(|c| c.key).collect();
        let value = if stop > end {
            numeral::read_chinese(&run)
        } else {
            numeral::read_digits(&run)
        };
        let word = match value {
            Ok(value) if negative => Word::Number(-value),
            Ok(value) => Word::Number(value),
            Err(fault) => Word::Bad(fault),
        };
        if negative {
            self.at = start - 1;
        }
        self.push(word, stop);
    }

    /// English words from here: a number, a known phrase, or one word.
    fn letters(&mut self) {
        const LOOK_AHEAD: usize = 12;
        let mut words: Vec<(String, usize, bool)> = Vec::new();
        let mut at = self.at;
        let mut wanted = 1;
        while words.len() < wanted {
            let Some((word, end, capital)) = self.word(at) else {
                break;
            };
            if words.is_empty() && may_begin_phrase(&word) {
                wanted = LOOK_AHEAD;
            } else if words.is_empty() {
                // One more tells whether a name goes on.
                wanted = 2;
            }
            words.push((word, end, capital));
            at = end;
            while self.key(at) == Some(' ') {
                at += 1;
            }
        }
        let plain: Vec<&str> = words.iter().map(|(word, _, _)| word.as_str()).collect();
        let Some(first) = words.first() else {
            return self.push(Word::Content, self.at + 1);
        };
        if matches!(self.last(), Some(Word::Named)) && first.2 {
            return self.name();
        }
        if let Some((value, taken)) = numeral::read_english(&plain) {
            let capital = words[taken - 1].2 && taken == 1 && !self.title_case;
            let after_name = self.tokens.last().is_some_and(|token| {
                self.text[token.span.clone()].starts_with(|c: char| c.is_uppercase())
                    && token.word == Word::Content
            });
            let before_name = !self.at_clause_start() && words.get(1).is_some_and(|next| next.2);
            let word = match value {
                // "Another Six sages": nobody counts what is another.
                _ if capital && (after_name || before_name || self.last() == Some(Word::Another)) => {
                    Word::NameNumber
                }
                Ok(value) => Word::Number(value),
                Err(fault) => Word::Bad(fault),
            };
            return self.push(word, words[taken - 1].1);
        }
        if plain[0].chars().count() == 1 && matches!(plain[0], "x" | "y" | "z" | "n") {
            let letter = plain[0].chars().next().unwrap_or('x').to_ascii_uppercase();
            return self.push(Word::Letter(letter), first.1);
        }
        let known = ENGLISH
            .iter()
            .filter(|(phrase, _)| phrase.starts_with(plain[0]))
            .filter_map(|(phrase, word)| {
                let mut count = 0;
                let fits = phrase.split(' ').all(|part| {
                    count += 1;
                    plain.get(count - 1).is_some_and(|have| *have == part)
                });
                // "Fewer than 2 or more than 6": the "or" joins.
                let joins = matches!(word, Word::After(_)) && plain.get(count) == Some(&"than");
                (fits && !joins).then_some((count, *word))
            })
            .max_by_key(|(count, _)| *count);
        if let Some((count, word)) = known {
            // Attack, with a capital inside a sentence, is what a minion has.
            let named = first.2 && !self.title_case && !self.at_clause_start();
            let word = if word == Word::Act && named && plain[0] == "attack" {
                Word::Trait
            } else {
                word
            };
            return self.push(word, words[count - 1].1);
        }
        if let Some(value) = numeral::read_ordinal(plain[0]) {
            return self.push(Word::Ordinal(value), first.1);
        }
        // An unknown adverb before a number may change it: nearly, barely, roughly.
        let word = if plain[0].ends_with("ly") && plain[0].len() > 4 && !is_ly_noun(plain[0]) {
            Word::Vague
        } else {
            Word::Content
        };
        self.push(word, first.1);
    }

    /// The English word at `from`: its folded letters, where it ends, whether it begins with a capital.
    fn word(&self, from: usize) -> Option<(String, usize, bool)> {
        let mut end = from;
        while let Some(c) = self.key(end) {
            let joins =
                matches!(c, '\'' | '-') && self.key(end + 1).is_some_and(|c| c.is_alphabetic() && !is_han(c));
            let letter = c.is_alphabetic() && !is_han(c);
            if !(letter || joins && end > from) {
                break;
            }
            end += 1;
        }
        // A name may end in exclamation marks: DON!!
        if end > from && self.key(end) == Some('!') && self.key(end + 1) == Some('!') {
            end += 2;
        }
        // Abbreviations that keep their stop: Lv., K.O.
        let text = |end: usize| self.chars[from..end].iter().map(|c| c.key).collect::<String>();
        for dotted in ["lv.", "k.o.", "no."] {
            let length = dotted.len();
            if from + length <= self.chars.len() && text(from + length) == dotted {
                let number_next = dotted != "no."
                    || self
                        .key(from + length)
                        .is_some_and(|c| numeral::digit(c).is_some());
                if number_next {
                    end = from + length;
                }
            }
        }
        if text(end) == "and" && text((end + 3).min(self.chars.len())) == "and/or" {
            end += 3;
        }
        // Even-Cost: parity of what the second half names.
        for prefix in ["even-", "odd-"] {
            if end - from > prefix.len() && text(from + prefix.len()) == prefix {
                end = from + prefix.len() - 1;
            }
        }
        let capital = self.chars.get(from)?.original.is_uppercase();
        (end > from).then(|| (text(end), end, capital))
    }

    /// A name: capitalised words and the small words between them.
    fn name(&mut self) {
        let mut end = self.at;
        let mut at = self.at;
        while let Some((word, stop, capital)) = self.word(at) {
            if !capital && !matches!(word.as_str(), "of" | "the" | "and" | "in" | "to" | "a" | "for") {
                break;
            }
            if capital {
                end = stop;
            }
            at = stop;
            while self.key(at) == Some(' ') {
                at += 1;
            }
        }
        self.push(Word::Masked, end.max(self.at + 1));
    }

    /// Chinese from here: a known word, a numeral, or a character without meaning.
    fn han(&mut self) {
        let known = self.known_han(self.at);
        let first = self.key(self.at).unwrap_or(' ');
        if first == '第' {
            let mut end = self.at + 1;
            while self
                .key(end)
                .is_some_and(|c| numeral::is_chinese(c) || numeral::digit(c).is_some())
            {
                end += 1;
            }
            if end > self.at + 1 {
                let run: Vec<char> = self.chars[self.at + 1..end].iter().map(|c| c.key).collect();
                let value = numeral::read_chinese(&run);
                return self.push(value.map_or_else(Word::Bad, Word::Ordinal), end);
            }
        }
        let long = known.is_some_and(|(length, _)| length >= 2);
        if numeral::is_chinese(first) && !long {
            return self.han_number();
        }
        match known {
            Some((length, word)) => {
                let end = self.at + length;
                let word = if length == 1 {
                    self.in_context(first, word, end)
                } else {
                    word
                };
                self.push(word, end);
                if word == Word::Named {
                    self.han_name();
                }
            }
            None => self.push(Word::Content, self.at + 1),
        }
    }

    fn known_han(&self, at: usize) -> Option<(usize, Word)> {
        let first = self.key(at)?;
        // The last byte of a character tells it from most others.
        let mut bytes = [0; 4];
        let bytes = first.encode_utf8(&mut bytes).as_bytes();
        let last = bytes.len() - 1;
        CHINESE
            .iter()
            .filter(|(phrase, _)| phrase.as_bytes().get(last) == bytes.last() && phrase.starts_with(first))
            .filter_map(|(phrase, word)| {
                let mut length = 0;
                let fits = phrase.chars().all(|c| {
                    length += 1;
                    self.key(at + length - 1) == Some(c)
                });
                fits.then_some((length, *word))
            })
            .max_by_key(|(length, _)| *length)
    }

    /// A name after 名为: up to the next 的 or punctuation.
    fn han_name(&mut self) {
        let mut end = self.at;
        while self.key(end).is_some_and(|c| is_han(c) && c != '的') {
            end += 1;
        }
        if end > self.at {
            self.push(Word::Masked, end);
        }
    }

    /// A run of Chinese numerals: a number where something counts or compares it, else a part of a name.
    fn han_number(&mut self) {
        let mut end = self.at;
        while self
            .key(end)
            .is_some_and(|c| numeral::is_chinese(c) || numeral::digit(c).is_some())
        {
            // A known word may begin inside the run: 三万智牌.
            if end > self.at && self.known_han(end).is_some_and(|(length, _)| length >= 2) {
                break;
            }
            end += 1;
        }
        let mut next = end;
        while self.key(next).is_some_and(char::is_whitespace) {
            next += 1;
        }
        let counted = match self.key(next) {
            None => true,
            Some(c) if is_han(c) => self.known_han(next).is_some_and(|(_, word)| {
                matches!(
                    word,
                    Word::Classifier
                        | Word::TraitClassifier
                        | Word::After(_)
                        | Word::AfterOpen(_)
                        | Word::To
                        | Word::Or
                        | Word::Times
                        | Word::Bad(_)
                        | Word::Case
                        | Word::De
                        | Word::Within
                        | Word::And
                )
            }),
            Some(c) => !c.is_alphabetic() || c.is_ascii(),
        };
        let led = matches!(
            self.last(),
            Some(
                Word::Before(_)
                    | Word::UpTo
                    | Word::Exactly
                    | Word::Equals
                    | Word::Is
                    | Word::Between
                    | Word::To
                    | Word::Trait
            )
        );
        let run: Vec<char> = self.chars[self.at..end].iter().map(|c| c.key).collect();
        let word = if counted || led {
            numeral::read_chinese(&run).map_or_else(Word::Bad, Word::Number)
        } else {
            Word::NameNumber
        };
        self.push(word, end);
    }

    /// What a character that has a meaning of its own only in places means here.
    fn in_context(&self, c: char, word: Word, next: usize) -> Word {
        let number_before = self.tokens.last().is_some_and(Token::is_number);
        let counted_before =
            number_before || matches!(self.last(), Some(Word::Classifier | Word::TraitClassifier));
        let number_next = self
            .key(next)
            .is_some_and(|c| numeral::digit(c).is_some() || numeral::is_chinese(c));
        let clause_ends = match self.key(next) {
            None => true,
            Some(c) => matches!(c, ',' | '、' | '。' | '.' | ':' | ';' | ' '),
        };
        let classifier_next = self
            .known_han(next)
            .is_some_and(|(_, word)| word == Word::Classifier);
        let keep = match word {
            Word::Classifier | Word::TraitClassifier if c == '只' && !number_before => return Word::Only,
            Word::Classifier | Word::TraitClassifier => {
                number_before
                    || matches!(
                        self.last(),
                        Some(Word::Vague | Word::Even | Word::Odd | Word::Another)
                    )
            }
            Word::Comparative(_) => self
                .tokens
                .iter()
                .rev()
                .take(200)
                .take_while(|token| token.word != Word::Stop)
                .any(|token| token.word == Word::Compared),
            Word::Case => clause_ends,
            Word::If if c == '当' => self.at_clause_start(),
            Word::Before(_) if matches!(c, '满' | '达') => number_next,
            Word::Vague => match c {
                '除' => self.at_clause_start(),
                '约' | '近' => number_next,
                '余' | '起' | '来' => counted_before,
                '几' | '数' => classifier_next,
                _ => true,
            },
            Word::No if c == '无' => {
                self.at_clause_start()
                    || matches!(
                        self.last(),
                        Some(Word::If | Word::Unless | Word::Person | Word::And)
                    )
            }
            // 非 and 除 alone are pieces of 除非 or part of a noun.
            Word::Not if c == '非' => {
                return if self.at_clause_start() {
                    Word::Dangling
                } else {
                    Word::Content
                };
            }
            Word::To if number_next && !counted_before => return Word::Dangling,
            // 施放过: an aspect, behind a verb.
            Word::Plain if c == '过' => {
                let is_aspect = self.tokens.last().is_some_and(|token| {
                    token.han && matches!(token.word, Word::Act | Word::Content | Word::Have | Word::Choose)
                });
                return if is_aspect || !number_next {
                    Word::Plain
                } else {
                    Word::Vague
                };
            }
            // 总生命都为10: of each of them. 这三个都有 says which three.
            Word::All if c == '都' => {
                let says = self.known_han(next).is_some_and(|(_, word)| {
                    matches!(
                        word,
                        Word::Is | Word::Have | Word::Equals | Word::Before(_) | Word::No | Word::Exactly
                    )
                });
                let clause = self
                    .tokens
                    .iter()
                    .rev()
                    .take_while(|token| token.word != Word::Stop);
                let is_plain = says
                    && clause
                        .take(200)
                        .all(|token| !token.is_number() && token.word != Word::Not);
                return if is_plain { Word::Plain } else { Word::All };
            }
            // 每3颗: once for every three.
            Word::Plain if c == '每' && number_next => return Word::ForEach,
            Word::To => counted_before,
            Word::From => number_next,
            Word::Inclusive => false,
            Word::Half => true,
            _ => true,
        };
        if keep {
            word
        } else if matches!(word, Word::To) {
            Word::Plain
        } else {
            Word::Content
        }
    }
}

/// True for a word that a number or a phrase of several words may begin with.
/// True for a number and what counts it.
fn is_figure(token: &Token) -> bool {
    token.is_number() || matches!(token.word, Word::Classifier | Word::TraitClassifier)
}

/// What an aside in parentheses does: "(at most 5)" sets a bound, which is not read; a sentence explains.
fn aside_word(tokens: &[Token]) -> Word {
    let bounds = |token: &Token| {
        matches!(
            token.word,
            Word::Before(_)
                | Word::After(_)
                | Word::AfterOpen(_)
                | Word::UpTo
                | Word::Inclusive
                | Word::Exclusive
                | Word::Or
                | Word::Exactly
                | Word::Only
        )
    };
    let sets = tokens.len() <= MAX_ASIDE
        && tokens.iter().any(Token::is_number)
        && tokens.iter().any(bounds)
        && tokens.iter().all(|token| token.word != Word::Stop);
    if sets { Word::Vague } else { Word::Masked }
}

/// The most words of an aside that sets a bound; a longer one explains.
const MAX_ASIDE: usize = 6;

fn may_begin_phrase(word: &str) -> bool {
    let first = word.split('-').next().unwrap_or(word);
    matches!(first, "a" | "an")
        || numeral::read_english(&[first]).is_some()
        || ENGLISH.iter().any(|(phrase, _)| {
            phrase
                .strip_prefix(word)
                .is_some_and(|rest| rest.starts_with(' '))
        })
}

/// Nouns and adjectives in -ly, which say nothing about a number.
fn is_ly_noun(word: &str) -> bool {
    matches!(
        word,
        "ally"
            | "family"
            | "friendly"
            | "early"
            | "elderly"
            | "assembly"
            | "butterfly"
            | "monopoly"
            | "deadly"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::numbers::Order;

    fn words(text: &str) -> Vec<Word> {
        lex(text).into_iter().map(|token| token.word).collect()
    }

    /// A listed word that does not fold to itself would never be found.
    #[test]
    fn listed_words_are_folded() {
        let unfolded: Vec<(&str, String)> = CHINESE
            .iter()
            .chain(ENGLISH)
            .map(|(phrase, _)| (*phrase, phrase.chars().map(fold).collect()))
            .filter(|(phrase, key): &(&str, String)| phrase != key)
            .collect();
        assert!(unfolded.is_empty(), "{unfolded:?}");
    }

    #[test]
    fn no_word_is_listed_twice() {
        for list in [CHINESE, ENGLISH] {
            let mut phrases: Vec<&str> = list.iter().map(|(phrase, _)| *phrase).collect();
            phrases.sort_unstable();
            let twice: Vec<&[&str]> = phrases.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
        }
    }

    #[test]
    fn numbers_of_every_script() {
        for (text, value) in [
            ("12", 12),
            ("１２", 12),
            ("1,250", 1250),
            ("2，500", 2500),
            ("١٢", 12),
            ("twelve", 12),
            ("one hundred and five", 105),
            ("twenty-one", 21),
            ("a dozen", 12),
            ("two thousand five hundred", 2500),
            ("十二个", 12),
            ("一百零五个", 105),
            ("兩千點", 2000),
            ("廿個", 20),
            ("1万2千点", 12_000),
            ("二〇个", 20),
            ("(5)", 5),
            ("-3", -3),
        ] {
            assert_eq!(words(text).first(), Some(&Word::Number(value)), "{text}");
        }
        for text in [
            "1.5",
            "1,25",
            "99999999999999999999",
            "0x10",
            "⑤",
            "½",
            "三四个",
            "一百五个",
            "5%",
        ] {
            assert!(
                words(text).iter().any(|word| matches!(word, Word::Bad(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_number_is_masked() {
        assert_eq!(words("+1/+1"), [Word::Stats]);
        assert_eq!(words("[+100/+100]"), [Word::Masked]);
        assert_eq!(words("{2}{G}"), [Word::Masked, Word::Masked]);
        assert_eq!(words("九头蛇")[0], Word::NameNumber);
        assert_eq!(words("named Squad Seven"), [Word::Named, Word::Masked]);
    }

    #[test]
    fn the_longest_word_wins() {
        assert_eq!(words("no more than")[0], Word::Before(Order::AtMost));
        assert_eq!(words("大於或等於")[0], Word::Before(Order::AtLeast));
        assert_eq!(words("所有")[0], Word::All);
    }
}
