//! The one way of a foreign character to a terminal or a text pipe.
//!
//! Texts from files, card names, queries and file names are data. Whatever in them could steer a terminal or
//! reorder what is read (C0 and C1 controls, DEL, bidirectional controls, zero-width characters, the byte order
//! mark, line separators) is shown, not sent: `␛` for ESC, `\u{202e}` for the rest.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Makes a text safe to print. Line feeds and tabs stay; every other control character becomes visible.
///
/// # Example
///
/// ```
/// use shiyi::render::sanitize::sanitize;
///
/// assert_eq!(sanitize("a\u{1b}[31mb"), "a␛[31mb");
/// assert_eq!(sanitize("x\u{202e}y"), "x\\u{202e}y");
/// assert_eq!(sanitize("规则 702.19b"), "规则 702.19b");
/// ```
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if is_safe(text) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // A joiner between two emoji makes one picture of them and hides nothing.
        let joins_emoji = c == '\u{200d}'
            && before.is_some_and(is_pictograph)
            && chars.peek().copied().is_some_and(is_pictograph);
        match c {
            _ if !is_unsafe(c) || joins_emoji => safe.push(c),
            '\0'..='\u{1f}' => safe.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\u{7f}' => safe.push('␡'),
            _ => {
                let _ = write!(safe, "\\u{{{:x}}}", c as u32);
            }
        }
        before = Some(c);
    }
    Cow::Owned(safe)
}

/// The same for a text that must stay on one line: line feeds and tabs become blanks.
pub fn sanitize_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    push_line(&mut line, text);
    line
}

/// Appends a text as [`sanitize_line`] makes it.
pub fn push_line(out: &mut String, text: &str) {
    if text.bytes().any(|byte| matches!(byte, b'\n' | b'\t' | b'\r')) {
        out.push_str(&sanitize(&text.replace(['\n', '\t', '\r'], " ")));
    } else {
        out.push_str(&sanitize(text));
    }
}

/// True when no character of a text is unsafe. Nearly all texts are told by their bytes.
fn is_safe(text: &str) -> bool {
    // English goes sixteen bytes at a time, without a branch between them.
    let (chunks, _) = text.as_bytes().as_chunks::<16>();
    let is_plain = |chunk: &&[u8; 16]| {
        chunk
            .iter()
            .fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'))
    };
    let mut at = 16 * chunks.iter().take_while(is_plain).count();
    // The last of them may be followed by the rest of a character, but none begins before it.
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        if BEGINS_UNSAFE[usize::from(*byte)] && text[at..].chars().next().is_some_and(is_unsafe) {
            return false;
        }
        at += 1;
    }
    true
}

/// The bytes that an unsafe character begins with: controls, and the first bytes of the others in UTF-8.
const BEGINS_UNSAFE: [bool; 256] = {
    let mut begins = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        begins[byte] = matches!(byte, 0..=0x1f | 0x7f | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf3);
        byte += 1;
    }
    begins
};

/// True for a character that is never sent to a terminal as it is.
pub fn is_unsafe(c: char) -> bool {
    // Nearly all text: told by two comparisons.
    if matches!(c, ' '..='~' | '\u{3000}'..='\u{d7ff}') {
        return false;
    }
    matches!(c,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{2190}'..='\u{21ff}')
}

/// Writes the unsafe characters of a JSON text as `\u` escapes. In JSON they can only stand inside strings, so
/// the value stays the same.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    if is_safe(json) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unsafe(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_control_becomes_visible() {
        for code in (0..0x20).chain(0x7f..0xa0) {
            let c = char::from_u32(code).unwrap();
            if c != '\n' && c != '\t' {
                assert!(!sanitize(&c.to_string()).contains(c), "{code:x}");
            }
        }
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            assert_eq!(is_safe(&c.to_string()), !is_unsafe(c), "{:x}", c as u32);
        }
        assert_eq!(sanitize("👩\u{200d}💻"), "👩\u{200d}💻");
        assert_eq!(sanitize("a\u{200d}b"), "a\\u{200d}b");
        assert_eq!(sanitize_line("a\nb\u{9b}31m"), "a b\\u{9b}31m");
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left(text in "\\PC*[\\x00-\\x1f\\x7f-\\u{9f}\\u{200b}-\\u{202e}]{0,4}\\PC*") {
            let safe = sanitize(&text).into_owned();
            prop_assert!(safe.chars().all(|c| !is_unsafe(c) || c == '\u{200d}'), "{safe:?}");
            prop_assert_eq!(sanitize(&safe).into_owned(), safe.clone());
        }

        #[test]
        fn json_keeps_its_value(text in "\\PC{0,8}[\\x00-\\x1f\\x7f-\\u{9f}\\u{200b}-\\u{202e}\\u{e0001}]{0,6}") {
            let json = serde_json::to_string(&text).unwrap();
            let escaped = escape_json(&json);
            prop_assert!(!escaped.chars().any(is_unsafe));
            prop_assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
        }
    }
}
