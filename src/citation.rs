//! Rule numbers, and how people cite them.
//!
//! A [`RuleNumber`] is the address of a rule: `702.3a-1`. One grammar serves all games; the numbering of a
//! document (in its `game.toml`) says which of these numbers it uses, see [`crate::game::Numbering`].
//!
//! ```text
//! number    := digits ( joint? part )*
//! joint     := '.' | '-'          part := digits | letters
//! ```
//!
//! Two digits parts never touch without a joint, and a letters part needs none: `702.19b`, `704.5aa`,
//! `7-1-4-1`, `103.1.b.1`, `1.0.1a`, `702.3a-1`.

use crate::name::Name;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// One step of a rule number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// A number, with what joins it to the part before.
    Number(u32),
    /// One lower-case letter or two.
    Letters(Letters),
}

/// See [`Part::Letters`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Letters {
    /// The second is zero where there is one letter.
    ascii: [u8; 2],
}

impl Letters {
    /// The letters.
    pub fn as_str(&self) -> &str {
        let n = if self.ascii[1] == 0 { 1 } else { 2 };
        std::str::from_utf8(&self.ascii[..n]).unwrap_or_default()
    }
}

impl Ord for Part {
    /// Numbers by value, letters by length and then alphabet (`z` before `aa`), numbers before letters.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Part::Number(a), Part::Number(b)) => a.cmp(b),
            (Part::Letters(a), Part::Letters(b)) => {
                let (a, b) = (a.as_str(), b.as_str());
                a.len().cmp(&b.len()).then_with(|| a.cmp(b))
            }
            (Part::Number(_), Part::Letters(_)) => Ordering::Less,
            (Part::Letters(_), Part::Number(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The number of a rule, as players cite it: `702.3a-1`.
///
/// Numbers sort in reading order: `702.9` before `702.10`, a rule before its own subrules, `704.5z` before
/// `704.5aa`. Parsing accepts the full stop that rules texts print after a number, and capitals; printing
/// writes neither. Leading zeros are printed as they were written, and make no difference: `053.1` is `53.1`.
///
/// # Example
///
/// ```
/// use shiyi::citation::RuleNumber;
///
/// let rule: RuleNumber = "702.9.".parse()?;
/// let subrule: RuleNumber = "702.10A".parse()?;
/// assert!(rule < subrule);
/// assert_eq!(subrule.to_string(), "702.10a");
/// assert_eq!(subrule.parent().unwrap().to_string(), "702.10");
/// # Ok::<(), shiyi::citation::RuleNumberError>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RuleNumber {
    /// The printed form, of which the parts are read when they are asked for: a library holds a great many numbers.
    text: Name,
}

/// Why a text is no rule number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rule number")]
pub struct RuleNumberError(pub String);

/// The longest number that is read, in bytes: a bound against hostile input.
const MAX_LENGTH: usize = 64;

impl RuleNumber {
    /// Its parts, from the section down.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        self.parts_with_ends().map(|(part, _)| part)
    }

    /// Each part with the byte in `text` where it ends.
    fn parts_with_ends(&self) -> impl Iterator<Item = (Part, usize)> {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        std::iter::from_fn(move || {
            at += usize::from(matches!(bytes.get(at), Some(b'.' | b'-')));
            let rest = bytes.get(at..)?;
            let length = |wanted: fn(&u8) -> bool| rest.iter().take_while(|byte| wanted(byte)).count();
            let part = match *rest.first()? {
                b'0'..=b'9' => {
                    let digits = &rest[..length(u8::is_ascii_digit)];
                    at += digits.len();
                    Part::Number(
                        digits
                            .iter()
                            .fold(0, |number, digit| 10 * number + u32::from(digit - b'0')),
                    )
                }
                first => {
                    let letters = length(u8::is_ascii_alphabetic).max(1);
                    at += letters;
                    Part::Letters(Letters {
                        ascii: [first, if letters > 1 { rest[1] } else { 0 }],
                    })
                }
            };
            Some((part, at))
        })
    }

    /// The printed form.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The form without leading zeros: one and the same for every way to print the number.
    pub fn plain(&self) -> Cow<'_, str> {
        // Nearly none has such a zero.
        let mut before = b'.';
        let mut is_padded = false;
        for pair in self.text.as_bytes().windows(2) {
            is_padded |= pair[0] == b'0' && pair[1].is_ascii_digit() && !before.is_ascii_digit();
            before = pair[0];
        }
        if !is_padded {
            return Cow::Borrowed(&self.text);
        }
        let mut plain = String::new();
        let mut start = 0;
        for (part, end) in self.parts_with_ends() {
            let printed = &self.text[start..end];
            start = end;
            let digits = printed.trim_start_matches(['.', '-']);
            plain.push_str(&printed[..printed.len() - digits.len()]);
            match part {
                Part::Number(number) => plain.push_str(&number.to_string()),
                Part::Letters(_) => plain.push_str(digits),
            }
        }
        Cow::Owned(plain)
    }

    /// How many parts it has: 1 for `702`, 2 for `702.9`, 3 for `702.9b`.
    pub fn depth(&self) -> usize {
        self.parts().count()
    }

    /// The number with the last part taken off; none for a number of one part.
    pub fn parent(&self) -> Option<RuleNumber> {
        self.prefix(self.depth().checked_sub(1)?)
    }

    /// The first `depth` parts; none when that is nothing or more than there are.
    pub fn prefix(&self, depth: usize) -> Option<RuleNumber> {
        let (_, end) = self.parts_with_ends().nth(depth.checked_sub(1)?)?;
        Some(RuleNumber {
            text: self.text[..end].into(),
        })
    }

    /// True when `other` is this number or stands below it: `702.9` holds `702.9b`, not `702.90`.
    pub fn contains(&self, other: &RuleNumber) -> bool {
        let mut parts = other.parts();
        self.parts().all(|part| parts.next() == Some(part))
    }

    /// The number with its last part replaced, joined as it was: `702.9a` and `c` give `702.9c`.
    pub fn with_last(&self, last: &str) -> Option<RuleNumber> {
        let (mut start, mut end) = (0, 0);
        for (_, end_of_part) in self.parts_with_ends() {
            (start, end) = (end, end_of_part);
        }
        let joint = self.text[start..end].trim_start_matches(['.', '-']);
        let kept = &self.text[..end - joint.len()];
        [kept, last].concat().parse().ok()
    }

    /// Reads the longest rule number at the start of `text`; returns it with its length in bytes.
    /// A joint that nothing follows is not taken: `702.9.` reads as `702.9` and five bytes.
    pub fn read_prefix(text: &str) -> Option<(RuleNumber, usize)> {
        let bytes = text.as_bytes();
        let mut after_number = false;
        let mut at = 0;
        while at < bytes.len() && at < MAX_LENGTH {
            let joint = usize::from(at > 0 && matches!(bytes[at], b'.' | b'-'));
            let start = at + joint;
            let run = |wanted: fn(&u8) -> bool| bytes[start..].iter().take_while(|b| wanted(b)).count();
            let (digits, letters) = (run(u8::is_ascii_digit), run(u8::is_ascii_alphabetic));
            let length = if digits > 0 && (joint > 0 || !after_number) {
                // Past nine digits it is no rule number but some other figure.
                if digits > 9 {
                    break;
                }
                digits
            } else if letters > 0 && letters <= 2 && after_number {
                letters
            } else {
                break;
            };
            after_number = digits > 0;
            at = start + length;
        }
        let read = &text[..at];
        if !read.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let text = match read.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => read.to_ascii_lowercase().into(),
            false => read.into(),
        };
        Some((RuleNumber { text }, at))
    }
}

impl FromStr for RuleNumber {
    type Err = RuleNumberError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let trimmed = text.trim();
        match RuleNumber::read_prefix(trimmed) {
            Some((number, read)) if matches!(&trimmed[read..], "" | ".") => Ok(number),
            _ => Err(RuleNumberError(text.to_owned())),
        }
    }
}

impl TryFrom<String> for RuleNumber {
    type Error = RuleNumberError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<RuleNumber> for String {
    fn from(number: RuleNumber) -> String {
        number.text.into()
    }
}

impl fmt::Display for RuleNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Ord for RuleNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        // The text last, so that `1.2` and `1-2` stay two numbers.
        self.parts()
            .cmp(other.parts())
            .then_with(|| self.plain().cmp(&other.plain()))
    }
}

impl PartialEq for RuleNumber {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text || self.cmp(other).is_eq()
    }
}

impl Eq for RuleNumber {}

impl Hash for RuleNumber {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.plain().hash(state);
    }
}

impl PartialOrd for RuleNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> RuleNumber {
        text.parse().unwrap()
    }

    #[test]
    fn every_game_s_numbers_read_and_print() {
        for text in [
            "702",
            "702.19",
            "702.19b",
            "704.5aa",
            "1014.4",
            "702.3a-1",
            "7-1-4-1",
            "103.1.b.1",
            "1.0.1a",
        ] {
            assert_eq!(number(text).to_string(), text);
        }
        for text in [
            "",
            "a",
            "702..3",
            ".5",
            "702.3abc",
            "702 3",
            "１",
            "99999999999",
            "5-",
        ] {
            assert!(text.parse::<RuleNumber>().is_err(), "{text}");
        }
    }

    #[test]
    fn reading_order() {
        let mut numbers: Vec<_> = [
            "704.5aa", "704.5z", "702.10", "702.9", "702.9b", "702", "702.3a-1", "702.3b", "702.3a",
        ]
        .map(number)
        .into();
        numbers.sort();
        let printed: Vec<_> = numbers.iter().map(RuleNumber::as_str).collect();
        assert_eq!(
            printed,
            [
                "702", "702.3a", "702.3a-1", "702.3b", "702.9", "702.9b", "702.10", "704.5z", "704.5aa"
            ]
        );
    }

    #[test]
    fn leading_zeros_are_printed_and_make_no_difference() {
        let (padded, bare) = (number("053.1.a"), number("53.1.a"));
        assert_eq!(padded, bare);
        assert_eq!((padded.as_str(), &*padded.plain()), ("053.1.a", "53.1.a"));
        assert_eq!(&*number("000").plain(), "0");
        assert_eq!(&*number("100.01a-007").plain(), "100.1a-7");
        assert_eq!(&*number("10.100.0").plain(), "10.100.0");
        assert_eq!(padded.parent().unwrap().as_str(), "053.1");
        assert!(number("053").contains(&bare) && number("53") < padded && padded < number("100"));
        assert_ne!(number("053-1"), number("053.1"));
    }

    #[test]
    fn a_prefix_stops_where_the_number_does() {
        let read = |text| RuleNumber::read_prefix(text).map(|(number, read)| (number.to_string(), read));
        assert_eq!(read("702.9. Flying"), Some(("702.9".into(), 5)));
        assert_eq!(read("901.4.All plane"), Some(("901.4".into(), 5)));
        assert_eq!(read("100.6b牌手可以"), Some(("100.6b".into(), 6)));
        assert_eq!(read("hello"), None);
    }

    #[test]
    fn family() {
        assert_eq!(number("702.3a-1").parent(), Some(number("702.3a")));
        assert_eq!(number("702").parent(), None);
        assert!(number("702.9").contains(&number("702.9b")) && !number("702.9").contains(&number("702.90")));
        assert_eq!(number("702.9a").with_last("c"), Some(number("702.9c")));
        assert_eq!(number("702.3a-1").with_last("4"), Some(number("702.3a-4")));
    }
}
