//! The one fold of everything people do not care about when they search: width, case, accents, the shape of
//! quotes, brackets and dashes, traditional and simplified characters, blanks between Chinese and Latin, and
//! the scars that PDF extraction leaves.
//!
//! Index, query, highlights and suggestions all use it, so that what is indexed is what is asked for. It never
//! touches a stored text: [`Folded`] keeps, for each folded character, the bytes it stands for.
//!
//! A character folds to one character ([`fold_char`]); a text may lose characters (blanks, soft hyphens,
//! combining marks) and, for Latin ligatures only (`ﬁ`, `Æ`), gain one. Chinese numerals are not folded into
//! digits: `三张` and `3张` are alternatives for a query to weigh, not the same word.
//!
//! # Example
//!
//! ```
//! use shiyi::fold::{Folded, fold_key};
//!
//! assert_eq!(fold_key("Ｊ－ｒｕｌｅｒ 進場"), fold_key("j-ruler进场"));
//! let text = "a face- down card";
//! let folded = Folded::new(text);
//! assert_eq!(folded.to_string(), "a face-down card");
//! let place = folded.bytes(2..11);
//! assert_eq!(&text[place], "face- down");
//! ```

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use unicode_normalization::char::decompose_compatible;

include!(concat!(env!("OUT_DIR"), "/script_classes.rs"));

/// What every quotation mark and bracket folds to, opening or closing: `【调查】`, `[调查]`, `「调查」` and
/// `“调查”` are the same words.
pub const QUOTE: char = '"';

/// The key of a character: the same for characters that a search takes for the same.
///
/// Folding a key gives the key again. A Latin ligature is its own key here; [`Folded`] writes it out.
pub fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return char::from(fold_ascii(c as u8));
    }
    if is_unified_han(c) {
        return script_class(c);
    }
    // What Chinese texts are full of: ASCII in full width.
    if let '\u{ff01}'..='\u{ff5e}' = c {
        return char::from(fold_ascii((c as u32 - 0xfee0) as u8));
    }
    match punctuation(c) {
        Some(key) => key,
        None => compatible(c),
    }
}

/// The key of an ASCII character.
fn fold_ascii(byte: u8) -> u8 {
    match byte {
        b'\t'..=b'\r' => b' ',
        _ => fold_graphic(byte),
    }
}

/// The key of an ASCII character that is no control.
fn fold_graphic(byte: u8) -> u8 {
    let byte = if byte == b'[' || byte == b']' {
        QUOTE as u8
    } else {
        byte
    };
    let byte = if byte == b'`' { b'\'' } else { byte };
    byte.to_ascii_lowercase()
}

/// How many bytes from `at` on are ASCII characters that each fold to one, none of them lost: all but what blanks
/// do at the ends, beside each other and after a hyphen.
fn plain_length(bytes: &[u8], at: usize) -> usize {
    let is_letter = |byte: u8| byte.is_ascii_graphic() && byte != b'-';
    let stays = |end: usize| {
        let byte = bytes[end];
        byte.is_ascii_graphic()
            || byte == b' '
                && end > at
                && is_letter(bytes[end - 1])
                && bytes.get(end + 1).is_some_and(u8::is_ascii_graphic)
    };
    // One by one to the first letter and past what is no plain piece, else piece by piece.
    let (mut end, mut stop) = (at, at + 1);
    while end < bytes.len() {
        if !stays(end) {
            break;
        }
        end += 1;
        if end >= stop && is_letter(bytes[end - 1]) {
            end += plain_chunks(&bytes[end..]);
            stop = end + 16;
        }
    }
    end - at
}

/// How many bytes, in pieces of sixteen, are letters with single blanks between, after a letter; each piece ends with
/// a letter. Looked at without a branch for each byte.
fn plain_chunks(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<16>();
    let is_plain = |chunk: &&[u8; 16]| {
        let mut plain = chunk[15] != b' ';
        for (byte, next) in chunk.iter().zip(&chunk[1..]) {
            plain &= (*byte != b' ') | (*next != b' ');
        }
        chunk.iter().fold(plain, |plain, byte| {
            plain & matches!(byte, b' '..=b'~') & (*byte != b'-')
        })
    };
    16 * chunks.iter().take_while(is_plain).count()
}

/// True when one of some folded characters stands in a text, without folding it.
///
/// A ligature may stand for any of its letters.
pub fn has_any(text: &str, folded: &[char]) -> bool {
    let mut keys = text.chars().map(fold_char);
    keys.any(|key| folded.contains(&key) || (!key.is_ascii() && ligature(key).is_some()))
}

/// True for a Han character (unified ideographs, their extensions and compatibility forms, `〇`).
pub fn is_han(c: char) -> bool {
    // Nothing before these is one; most of an English text is told by one comparison.
    c >= '々'
        && (is_unified_han(c)
            || matches!(c, '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}' | '〇' | '々'))
}

/// The plain blocks of Han characters, which no normalisation touches.
pub fn is_unified_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{2f7ff}' | '\u{30000}'..='\u{323af}')
}

/// The form that stands for a character in every script: simplified, where there is one.
#[inline]
fn script_class(c: char) -> char {
    let code = c as u32;
    if code < 0x10000 {
        let page = PAGE_OF_BLOCK[(code >> 8) as usize];
        if page == 0 {
            return c;
        }
        let key = PAGES[usize::from(page) - 1][(code & 0xff) as usize];
        if key != 0 {
            return char::from_u32(u32::from(key)).unwrap_or(c);
        }
    }
    match OTHER_FOLDS.binary_search_by_key(&c, |pair| pair.0) {
        Ok(i) => OTHER_FOLDS[i].1,
        Err(_) => c,
    }
}

/// The class of a punctuation mark outside ASCII, where it is more than a matter of width.
fn punctuation(c: char) -> Option<char> {
    Some(match c {
        // Apostrophes keep a class of their own: they stand inside words.
        '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | '＇' | '´' | '｀' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '‹' | '›' | '〝' | '〞' | '〟' | '＂' => {
            QUOTE
        }
        '「' | '」' | '『' | '』' | '｢' | '｣' | '﹁' | '﹂' | '﹃' | '﹄' => QUOTE,
        '【' | '】' | '〖' | '〗' | '〔' | '〕' | '〘' | '〙' | '〚' | '〛' | '［' | '］' => {
            QUOTE
        }
        '《' | '》' | '〈' | '〉' | '⟨' | '⟩' | '⟪' | '⟫' => QUOTE,
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '－' | '﹣' | '﹘' | '⁃' | '─' => '-',
        '～' | '〜' | '∼' => '~',
        '。' | '｡' | '．' => '.',
        '、' | '､' => ',',
        '·' | '•' | '・' | '･' | '‧' | '∙' | '●' | '⋅' => '·',
        '\u{2028}' | '\u{2029}' | '\u{85}' => ' ',
        _ if c.is_whitespace() => ' ',
        _ => return None,
    })
}

/// Width, compatibility forms, accents and case: the one character that is left of the decomposition, or the
/// character itself where several are (`½`, `…`, a syllable of Hangul).
fn compatible(c: char) -> char {
    let mut base = None;
    let mut single = true;
    decompose_compatible(c, |part| match base {
        None => base = Some(part),
        Some(_) => single &= is_accent(part),
    });
    let base = base.filter(|_| single).unwrap_or(c);
    let mut lower = base.to_lowercase();
    let key = lower.next().unwrap_or(base);
    if key == c {
        return script_class(c);
    }
    // What is left may fold further: a compatibility ideograph has a simplified form, a full-width quote is a quote.
    fold_char(key)
}

/// A combining mark that Latin, Greek and Cyrillic letters carry. Others, as the voicing marks of kana, tell
/// words apart.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// True for a character that nobody types and that must not part what it stands in: soft hyphen, zero-width
/// and direction marks, variation selectors, accents that follow their letter.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
        || is_accent(c)
}

/// True for a character that is nothing where a number or a name is typed or pasted: what [`fold_key`] leaves out,
/// but for the accents of letters.
pub fn is_nothing(c: char) -> bool {
    !c.is_ascii() && is_invisible(c) && !is_accent(c)
}

/// A text without the characters that are nothing ([`is_nothing`]).
pub fn without_nothings(text: &str) -> Cow<'_, str> {
    match text.contains(is_nothing) {
        true => Cow::Owned(text.chars().filter(|c| !is_nothing(*c)).collect()),
        false => Cow::Borrowed(text),
    }
}

/// The key of a Latin ligature written out.
fn ligature(key: char) -> Option<&'static str> {
    Some(match key {
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        _ => return None,
    })
}

/// A text as searches see it, with the way back to the text it was made from.
///
/// Runs of white space are one blank; none is left at the ends, beside a Han character, or after a hyphen that
/// a line break tore off its word.
#[derive(Debug, Clone)]
pub struct Folded<'t> {
    original: &'t str,
    chars: Vec<char>,
    /// For each folded character, the bytes of the original it stands for.
    spans: Vec<(u32, u32)>,
}

impl<'t> Folded<'t> {
    /// Folds a text. Of a text of more than 4 GiB only the start is read.
    pub fn new(original: &'t str) -> Self {
        // A text that begins in Chinese has three bytes to most of its characters.
        let capacity = match original.chars().take(8).all(|c| c.is_ascii()) {
            true => original.len(),
            false => original.len() / 2,
        };
        let mut folded = Self {
            original,
            chars: Vec::with_capacity(capacity),
            spans: Vec::with_capacity(capacity),
        };
        // As far as offsets go that fit a span.
        let bytes = &original.as_bytes()[..original.len().min(u32::MAX as usize - 4)];
        let mut blank: Option<(u32, u32)> = None;
        let mut after_soft_hyphen = false;
        let mut at = 0;
        while at < bytes.len() {
            // Nearly every character of a text is one of these and stands for itself.
            if blank.is_none() {
                let plain = plain_length(bytes, at);
                if plain > 0 {
                    folded.push_ascii(&bytes[at..at + plain], at as u32);
                    after_soft_hyphen = false;
                    at += plain;
                    continue;
                }
            }
            if blank.is_none() {
                let before = at;
                at += folded.push_han(&bytes[at..], at as u32);
                if at > before {
                    after_soft_hyphen = false;
                    continue;
                }
            }
            let Some(c) = original[at..].chars().next() else {
                break;
            };
            let span = (at as u32, (at + c.len_utf8()) as u32);
            at += c.len_utf8();
            if blank.is_none() && is_unified_han(c) {
                after_soft_hyphen = false;
                folded.push(script_class(c), span);
                continue;
            }
            if !c.is_ascii() && is_invisible(c) {
                after_soft_hyphen |= c == '\u{ad}';
                if let (None, Some(last)) = (blank, folded.spans.last_mut()) {
                    last.1 = span.1;
                }
                continue;
            }
            let key = fold_char(c);
            if key == ' ' {
                blank = Some((blank.map_or(span.0, |blank| blank.0), span.1));
                continue;
            }
            if let Some(span) = blank.take()
                && !after_soft_hyphen
                && folded.keeps_blank_before(key)
            {
                folded.push(' ', span);
            }
            after_soft_hyphen = false;
            match ligature(key).filter(|_| !key.is_ascii()) {
                Some(letters) => letters.chars().for_each(|key| folded.push(key, span)),
                None => folded.push(key, span),
            }
        }
        folded
    }

    /// Adds characters that each fold to one.
    fn push_ascii(&mut self, plain: &[u8], at: u32) {
        let keys = plain.iter().map(|byte| char::from(fold_graphic(*byte)));
        self.chars.extend(keys);
        let starts = at..at + plain.len() as u32;
        self.spans.extend(starts.map(|start| (start, start + 1)));
    }

    /// Adds the Han characters that a text of a place goes on with; how many bytes they are.
    fn push_han(&mut self, bytes: &[u8], at: u32) -> usize {
        let mut length = 0;
        // Those of the first plane that come in numbers have three bytes and begin so.
        while let Some(&[first @ 0xe4..=0xe9, second, third]) = bytes[length..].first_chunk::<3>() {
            let code = u32::from(first & 0xf) << 12 | u32::from(second & 0x3f) << 6 | u32::from(third & 0x3f);
            match char::from_u32(code) {
                Some(c) if is_unified_han(c) => {
                    let start = at + length as u32;
                    self.push(script_class(c), (start, start + 3));
                }
                _ => break,
            }
            length += 3;
        }
        length
    }

    fn push(&mut self, key: char, span: (u32, u32)) {
        self.chars.push(key);
        self.spans.push(span);
    }

    fn keeps_blank_before(&self, next: char) -> bool {
        match self.chars.as_slice() {
            [] => false,
            [.., last] if is_han(*last) || is_han(next) => false,
            [.., letter, '-'] => !(letter.is_alphabetic() && next.is_alphabetic()),
            _ => true,
        }
    }

    /// The text it was made from.
    pub fn original(&self) -> &'t str {
        self.original
    }

    /// The folded characters.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// The bytes of the original that a range of folded characters stands for. A range that reaches past the end
    /// is cut there; an empty one gives the empty range where its character begins.
    pub fn bytes(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.spans.len());
        let Some(&(start, _)) = self.spans.get(range.start) else {
            return self.original.len()..self.original.len();
        };
        let last = end.checked_sub(1).filter(|last| *last >= range.start);
        start as usize..last.map_or(start, |last| self.spans[last].1) as usize
    }

    /// The key of the whole: two texts with the same key are the same to a search. Quotes and brackets around
    /// it are taken off.
    pub fn key(&self) -> String {
        let text = self.to_string();
        text.trim_matches([QUOTE, ' ']).to_owned()
    }
}

impl fmt::Display for Folded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars.iter().try_for_each(|c| write!(f, "{c}"))
    }
}

/// How many characters stand before a byte of a text: turns a byte range into a character range.
///
/// A byte inside a character counts as that character's first.
pub fn char_offset(text: &str, byte: usize) -> usize {
    text.get(..byte).map_or_else(
        || {
            text.char_indices()
                .take_while(|(at, c)| at + c.len_utf8() <= byte)
                .count()
        },
        |before| before.chars().count(),
    )
}

/// The key of a text for maps and comparison; see [`Folded::key`].
pub fn fold_key(text: &str) -> String {
    Folded::new(text).key()
}

/// What a folded English name may be the plural of: `tide` of `tides`, `ability` of `abilities`, `match` of `matches`.
/// Not all of them are words; none for what ends otherwise.
pub fn singulars(folded: &str) -> Vec<String> {
    let Some(word) = folded.strip_suffix('s').filter(|_| folded.is_ascii()) else {
        return Vec::new();
    };
    if word.len() < 2 || word.ends_with(['s', '\'']) {
        return Vec::new();
    }
    let mut singulars = vec![word.to_owned()];
    singulars.extend(word.strip_suffix("ie").map(|stem| [stem, "y"].concat()));
    singulars.extend(word.strip_suffix('e').map(str::to_owned));
    singulars
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folded(text: &str) -> String {
        Folded::new(text).to_string()
    }

    #[test]
    fn plurals() {
        for (plural, expected) in [
            ("tides", &["tide", "tid"][..]),
            (
                "mana abilities",
                &["mana abilitie", "mana ability", "mana abiliti"],
            ),
            ("matches", &["matche", "match"]),
            ("toughness", &[]),
            ("tide", &[]),
            ("s", &[]),
            ("潮s", &[]),
        ] {
            assert_eq!(singulars(plural), expected, "{plural}");
        }
    }

    #[test]
    fn what_nobody_cares_about() {
        for (a, b) in [
            ("７０２．１９ｂ", "702.19b"),
            ("Ｊ－ruler", "j-ruler"),
            ("生物creature", "生物 Creature"),
            ("【调查】", "[调查]"),
            ("「调查」", "“調查”"),
            ("face- down", "face–down"),
            ("player’s", "Player's"),
            ("Jötun", "jotun"),
            ("Æther", "aether"),
            ("ﬁrst", "first"),
            ("裡", "裏"),
            ("看著", "看着"),
            ("乾坤幹干", "干坤干干"),
            ("後臺", "后台"),
            ("強制佔領併發", "强制占领并发"),
            ("先制\n攻击", "先制攻击"),
            ("atta\u{ad}\nck", "attack"),
            ("e\u{301}tude", "étude"),
            ("甚麼麽", "甚么么"),
            ("①②", "12"),
            ("⼀", "一"),
            ("702。3", "702.3"),
        ] {
            assert_eq!(folded(a), folded(b), "{a} {b}");
        }
        assert_eq!(fold_key(" 【调查】 "), "调查");
        assert_eq!(folded("…½ が"), "…½ が");
        assert_eq!(folded("two  or\tmore"), "two or more");
    }

    #[test]
    fn numbers_and_symbols_stay() {
        for text in ["+1/+1", "{2}{w}", "702.3a-1", "(3)", "300", "三百"] {
            assert_eq!(folded(text), text);
        }
        assert_eq!(folded("[-100/-100]"), "\"-100/-100\"");
    }

    #[test]
    fn every_key_is_its_own_key() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            let key = fold_char(c);
            assert_eq!(fold_char(key), key, "{c} U+{:04X}", c as u32);
            assert_eq!(is_han(c) && is_han(key), is_han(c), "{c} stays Han");
        }
    }

    #[test]
    fn maps_back_to_what_stood_there() {
        let text = "Ａ ﬁ齾　進 場e\u{301}!";
        let folded = Folded::new(text);
        assert_eq!(folded.to_string(), "a fi𫜰进场e!");
        let at = |range| &text[folded.bytes(range)];
        assert_eq!(at(0..1), "Ａ");
        assert_eq!(at(2..3), "ﬁ");
        assert_eq!(at(4..7), "齾　進 場");
        assert_eq!(at(7..8), "e\u{301}");
        assert_eq!(at(8..90), "!");
        assert_eq!(at(90..91), "");
        assert_eq!(char_offset(text, text.find('進').unwrap()), 5);
    }

    /// The fold without its short cuts: every character by itself, then the blanks.
    fn folded_slowly(text: &str) -> Folded<'_> {
        let mut folded = Folded {
            original: text,
            chars: Vec::new(),
            spans: Vec::new(),
        };
        let (mut blank, mut after_soft_hyphen): (Option<(u32, u32)>, bool) = (None, false);
        for (at, c) in text.char_indices() {
            let (start, end) = (at as u32, (at + c.len_utf8()) as u32);
            if is_invisible(c) {
                after_soft_hyphen |= c == '\u{ad}';
                if let (None, Some(last)) = (blank, folded.spans.last_mut()) {
                    last.1 = end;
                }
                continue;
            }
            let key = match c.is_ascii() || is_unified_han(c) {
                true => fold_char(c),
                false => punctuation(c).unwrap_or_else(|| compatible(c)),
            };
            if key == ' ' {
                blank = Some((blank.map_or(start, |blank| blank.0), end));
                continue;
            }
            if let Some(span) = blank.take().filter(|_| !after_soft_hyphen)
                && folded.keeps_blank_before(key)
            {
                folded.push(' ', span);
            }
            after_soft_hyphen = false;
            let letters = ligature(key).map_or_else(|| key.to_string(), str::to_owned);
            letters.chars().for_each(|key| folded.push(key, (start, end)));
        }
        folded
    }

    proptest! {
        #[test]
        fn short_cuts_change_nothing(
            text in "\\PC{0,40}|[ -~]{0,30}|[a-zA\\[`é 裡进，－Ｆ［—\\-\u{ad}ﬁ“\n\u{301}\u{b}]{0,30}"
        ) {
            let (quick, slow) = (Folded::new(&text), folded_slowly(&text));
            prop_assert_eq!(quick.chars, slow.chars);
            prop_assert_eq!(quick.spans, slow.spans);
        }

        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{0,40}|[a-zé 裡进—\\-\u{ad}ﬁ“\n\u{301}]{0,30}") {
            let once = folded(&text);
            prop_assert_eq!(folded(&once), once.clone());
            prop_assert_eq!(fold_key(&once), fold_key(&text));
        }

        #[test]
        fn spans_are_ordered_and_on_characters(text in "\\PC{0,40}|[a-zé 裡进—\\-\u{ad}ﬁ“\n\u{301}]{0,30}") {
            let folded = Folded::new(&text);
            let mut end = 0;
            for i in 0..folded.chars().len() {
                let span = folded.bytes(i..i + 1);
                prop_assert!(!text[span.clone()].is_empty());
                // The letters of a ligature share a span; all others stand one after the other.
                prop_assert!(span.start >= end || (i > 0 && span.start == folded.bytes(i - 1..i).start));
                end = span.end;
            }
            prop_assert!(folded.chars().len() <= 3 * text.chars().count());
        }

        #[test]
        fn a_folded_text_maps_to_itself(text in "\\PC{0,40}", from in 0usize..40, length in 0usize..9) {
            let once = folded(&text);
            let twice = Folded::new(&once);
            let chars = twice.chars().len();
            let (from, to) = (from.min(chars), (from + length).min(chars));
            let part: String = twice.chars()[from..to].iter().collect();
            prop_assert_eq!(&once[twice.bytes(from..to)], part);
        }
    }
}
