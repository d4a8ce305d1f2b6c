//! Text that knows its file, line and column.
//!
//! A [`SourceFile`] holds the decoded text of one file as it stands. Everything that is later said about
//! that text (an entry's place, a diagnostic) is a [`Span`] of bytes into it, turned into a [`Position`] of
//! line and column only when it is shown.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A range of bytes in the text of one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte, counted from 0.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` up to, but not including, `end`, in bytes.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The same range in the form that slices text.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A place as people name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

/// One line of a source, without its line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Line number, counted from 1.
    pub number: u32,
    /// The line's text, line end left out.
    pub text: &'a str,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// How the bytes of a file became text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text, byte order mark removed.
    pub text: String,
    /// The encoding's name as the WHATWG Encoding Standard spells it: `UTF-8`, `GB18030`.
    pub encoding: &'static str,
    /// True when nothing in the file or the caller's wish said so, and the encoding was guessed.
    pub guessed: bool,
    /// Byte offsets, in `text`, of characters that stand for bytes that could not be read (`U+FFFD`).
    pub unreadable: Vec<usize>,
}

/// Why bytes could not become text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No encoding has that name.
    #[error("no encoding is called `{0}`")]
    UnknownEncoding(String),
    /// Too many bytes are NUL, and it is not UTF-16: it is no text.
    #[error("this is a binary file, not a text")]
    Binary,
}

/// Turns the bytes of a file into text: by `wanted` if given, else by byte order mark, else as UTF-8 if
/// it is valid, else as UTF-16 if it looks like it, else by a guess over the Chinese and Western encodings (crates `encoding_rs`, `chardetng`).
///
/// # Errors
///
/// [`DecodeError`] when the wanted encoding is unknown or the bytes are no text.
///
/// # Example
///
/// ```
/// let decoded = shiyi::source::decode(b"\xef\xbb\xbf702.9b", None)?;
/// assert_eq!((decoded.text.as_str(), decoded.guessed), ("702.9b", false));
/// # Ok::<(), shiyi::source::DecodeError>(())
/// ```
pub fn decode(bytes: &[u8], wanted: Option<&str>) -> Result<Decoded, DecodeError> {
    let (encoding, guessed) = match wanted {
        Some(name) => (
            encoding_rs::Encoding::for_label(name.as_bytes())
                .ok_or_else(|| DecodeError::UnknownEncoding(name.to_owned()))?,
            false,
        ),
        None => match encoding_rs::Encoding::for_bom(bytes) {
            Some((encoding, _)) => (encoding, false),
            None if let Some(encoding) = utf16_without_mark(bytes) => (encoding, true),
            None if is_binary(bytes) => return Err(DecodeError::Binary),
            None if std::str::from_utf8(bytes).is_ok() => (encoding_rs::UTF_8, false),
            None if is_damaged_utf8(bytes) => (encoding_rs::UTF_8, true),
            None => {
                let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
                detector.feed(bytes, true);
                let guess = detector.guess(None, chardetng::Utf8Detection::Allow);
                // Of the languages read here, the only one that a single byte spells is English.
                let is_western = guess.is_single_byte();
                (
                    if is_western {
                        encoding_rs::WINDOWS_1252
                    } else {
                        guess
                    },
                    true,
                )
            }
        },
    };
    let (text, _, had_errors) = encoding.decode(bytes);
    // A NUL in a text is damage, like a byte that stands for nothing.
    let has_nul = text.contains('\0');
    let text = if has_nul {
        text.replace('\0', "\u{fffd}")
    } else {
        text.into_owned()
    };
    let unreadable = if had_errors || has_nul {
        text.match_indices('\u{fffd}').map(|(at, _)| at).collect()
    } else {
        Vec::new()
    };
    Ok(Decoded {
        text,
        encoding: encoding.name(),
        guessed,
        unreadable,
    })
}

/// UTF-16 that does not begin with a byte order mark: the halves that ASCII leaves empty are mostly on one side (those of
/// `一` and the ideographic space are on the other), and what the units spell is text.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    const RARE: usize = 64;
    if !bytes.len().is_multiple_of(2) || !bytes.contains(&0) {
        return None;
    }
    let nul_at = |side: usize| bytes.iter().skip(side).step_by(2).filter(|b| **b == 0).count();
    let (high, low) = (nul_at(0), nul_at(1));
    let (encoding, on_side, on_other) = if low > high {
        (encoding_rs::UTF_16LE, low, high)
    } else {
        (encoding_rs::UTF_16BE, high, low)
    };
    if on_side * RARE < bytes.len() || on_other * 2 > on_side {
        return None;
    }
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    let is_text = |c: char| !c.is_control() || c.is_ascii_whitespace();
    (!had_errors && text.chars().all(is_text)).then_some(encoding)
}

/// True when so many bytes are NUL that they cannot be damage to a text.
fn is_binary(bytes: &[u8]) -> bool {
    const RARE: usize = 1000;
    let nul = bytes.iter().filter(|b| **b == 0).count();
    nul * RARE > bytes.len()
}

/// True when the bytes are UTF-8 but for a few places, or for a few stretches: a damaged file, not another encoding.
/// (In GBK or Windows-1252, bytes that are UTF-8 by chance are rarer than those that are not, everywhere.)
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    const STRETCHES: usize = 64;
    let count = |bytes: &[u8]| {
        let (mut multibyte, mut bad) = (0usize, 0usize);
        for chunk in bytes.utf8_chunks() {
            multibyte += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            bad += usize::from(!chunk.invalid().is_empty());
        }
        (multibyte, bad)
    };
    let (multibyte, bad) = count(bytes);
    if multibyte > bad {
        return true;
    }
    let stretches = bytes.chunks(bytes.len().div_ceil(STRETCHES).max(1)).map(count);
    // A stretch may begin and end inside a character.
    let (mut sound, mut spoilt) = (0, 0);
    for (multibyte, bad) in stretches {
        sound += usize::from(multibyte > 2 && bad <= 2);
        spoilt += usize::from(bad > 2);
    }
    sound > spoilt
}

/// The text of one file, with its name and the places where its lines start.
#[derive(Debug, Clone)]
pub struct SourceFile {
    path: String,
    text: String,
    lines: Vec<Span>,
}

impl SourceFile {
    /// A source called `path` (as it shall be shown: relative to its library, with `/`) holding `text`.
    ///
    /// Lines end at LF, CR LF, CR CR LF or a lone CR; form feeds belong to their line.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut lines = Vec::new();
        let mut start = 0;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let end_of_line = match bytes[at] {
                b'\n' => 1,
                b'\r' if bytes[at..].starts_with(b"\r\r\n") => 3,
                b'\r' if bytes[at..].starts_with(b"\r\n") => 2,
                b'\r' => 1,
                _ => 0,
            };
            if end_of_line > 0 {
                lines.push(Span::new(start, at));
                at += end_of_line;
                start = at;
            } else {
                at += 1;
            }
        }
        if start < bytes.len() {
            lines.push(Span::new(start, bytes.len()));
        }
        Self {
            path: path.into(),
            text,
            lines,
        }
    }

    /// The file's name as it is shown.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of `span`.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// Every line in order, line ends left out.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = Line<'_>> + ExactSizeIterator {
        self.lines.iter().enumerate().map(|(idx, &span)| Line {
            number: idx as u32 + 1,
            text: &self.text[span.range()],
            span,
        })
    }

    /// The line with that number, counted from 1.
    pub fn line(&self, number: u32) -> Option<Line<'_>> {
        let span = *self.lines.get((number as usize).checked_sub(1)?)?;
        Some(Line {
            number,
            text: &self.text[span.range()],
            span,
        })
    }

    /// The line of a byte offset, counted from 1. An offset past the end is in the last line.
    pub fn line_number(&self, offset: usize) -> u32 {
        self.lines.partition_point(|line| line.start <= offset).max(1) as u32
    }

    /// Line and column of a byte offset. An offset past the end is the end.
    pub fn position(&self, offset: usize) -> Position {
        let idx = self
            .lines
            .partition_point(|line| line.start <= offset)
            .saturating_sub(1);
        let Some(&line) = self.lines.get(idx) else {
            return Position { line: 1, column: 1 };
        };
        let column = self.text[line.range()]
            .char_indices()
            .take_while(|(at, _)| line.start + at < offset)
            .count();
        Position {
            line: idx as u32 + 1,
            column: column as u32 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_ends_a_line() {
        let source = SourceFile::new("a.txt", "a\nb\r\nc\r\r\nd\re");
        let lines: Vec<_> = source.lines().map(|line| (line.number, line.text)).collect();
        assert_eq!(lines, [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]);
    }

    #[test]
    fn columns_count_characters() {
        let source = SourceFile::new("a.txt", "甲乙\n丙丁702.3");
        assert_eq!(
            source.position("甲乙\n丙丁".len()),
            Position { line: 2, column: 3 }
        );
        assert_eq!(source.position(999), Position { line: 2, column: 8 });
        assert_eq!(
            SourceFile::new("b", "").position(0),
            Position { line: 1, column: 1 }
        );
    }

    #[test]
    fn encodings_are_told_apart() {
        let (gb, _, _) = encoding_rs::GB18030.encode("战场上的永久物翻回正面，触发式异能的操控者决定顺序。");
        let decoded = decode(&gb, None).unwrap();
        assert_eq!((decoded.encoding, decoded.guessed), ("GBK", true));
        assert!(decoded.text.starts_with("战场上的永久物"));
        let western = decode(
            b"\x93The \xc6ther Storm\x94 and Ma\x92r\xfbf, as their cards say",
            None,
        )
        .unwrap();
        assert_eq!(
            (western.encoding, western.text.contains("Æther")),
            ("windows-1252", true)
        );
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("规则".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(decode(&utf16, None).unwrap().text, "规则");
        let western = decode(b"Charlie C\xe1tin\xf2 said \x93so\x94", None).unwrap();
        assert_eq!(
            (western.encoding, western.text.as_str()),
            ("windows-1252", "Charlie Cátinò said “so”")
        );
        assert_eq!(decode(b"\x7fELF\0\0", None), Err(DecodeError::Binary));
        for little in [true, false] {
            let bytes = |unit: u16| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            };
            let utf16: Vec<u8> = "1.1 规则的文字。\n1.2 另一条规则。\n"
                .encode_utf16()
                .flat_map(bytes)
                .collect();
            let decoded = decode(&utf16, None).unwrap();
            let name = if little { "UTF-16LE" } else { "UTF-16BE" };
            assert_eq!(
                (decoded.encoding, decoded.guessed, decoded.text.lines().count()),
                (name, true, 2)
            );
        }
        assert_eq!(
            decode(b"", Some("klingon")),
            Err(DecodeError::UnknownEncoding("klingon".into()))
        );
        let damaged = [b"\xff".as_slice(), "规则的文字，".repeat(20).as_bytes()].concat();
        let decoded = decode(&damaged, None).unwrap();
        assert_eq!((decoded.encoding, decoded.unreadable), ("UTF-8", vec![0]));
        // A NUL, a byte in every line, and a stretch of nothing but such bytes.
        let line = "“A rule’s text,” says the rule’s own text, and that of others.\n";
        for (damaged, bad) in [
            ([line, "\0", line.repeat(20).as_str()].concat().into_bytes(), 1),
            ([line.as_bytes(), b"\xff\x9b\xc3"].concat().repeat(20), 60),
            (
                [
                    line.repeat(80).as_bytes(),
                    &b"\xff\x9b".repeat(500),
                    line.repeat(80).as_bytes(),
                ]
                .concat(),
                1000,
            ),
        ] {
            let decoded = decode(&damaged, None).unwrap();
            assert_eq!((decoded.encoding, decoded.unreadable.len()), ("UTF-8", bad));
        }
    }
}
