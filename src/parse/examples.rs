//! The words that introduce an example, and the marks of an ordered list.

/// What introduces an example, longest first where one begins another.
const EXAMPLE_WORDS: [&str; 13] = [
    "Examples:",
    "Example:",
    "EXAMPLE:",
    "For example:",
    "Ex.",
    "Ex:",
    "E.g.:",
    "例如：",
    "例如:",
    "如：",
    "如:",
    "例：",
    "例:",
];

/// The text of an example, the word that introduces it taken off.
pub(super) fn example(text: &str) -> Option<&str> {
    let word = EXAMPLE_WORDS.iter().find(|word| text.starts_with(**word))?;
    let rest = &text[word.len()..];
    // `Ex.` may be the beginning of a word with a stop in it.
    (!word.ends_with('.') || !rest.starts_with(|c: char| c.is_ascii_alphanumeric())).then(|| rest.trim())
}

/// An item of an ordered list: its number and its text. `1. …`, `1) …`, `1、…`, `（1）…`, `(1) …`, `①…`.
pub(super) fn list_item(text: &str) -> Option<(u32, &str)> {
    let first = text.chars().next()?;
    if let circled @ '①'..='⑳' = first {
        let number = u32::from(circled) - u32::from('①') + 1;
        return Some((number, text[first.len_utf8()..].trim()));
    }
    let bracketed = matches!(first, '(' | '（');
    let digits = if bracketed {
        &text[first.len_utf8()..]
    } else {
        text
    };
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let number = (1..=2)
        .contains(&length)
        .then(|| digits[..length].parse().ok())??;
    let rest = &digits[length..];
    let mark = rest.chars().next()?;
    let closes = if bracketed {
        matches!(mark, ')' | '）')
    } else {
        matches!(mark, '.' | '、' | ')' | '）' | '．')
    };
    let item = &rest[mark.len_utf8()..];
    let blank = item.starts_with(char::is_whitespace);
    // `2.5` and `1.a` are no items; Chinese marks need no blank behind them.
    (closes && (blank || mark != '.' || item.starts_with(crate::fold::is_han)) && !item.trim().is_empty())
        .then(|| (number, item.trim()))
}

/// True for a line under a bullet: `• …`, `- …`.
pub(super) fn is_bulleted(text: &str) -> bool {
    let rest = text.strip_prefix(['•', '‣', '▪', '●', '◦', '○', '■', '·', '・', '*', '-', '–', '—']);
    // `-1/-1` and `—X—` are no items.
    rest.is_some_and(|rest| rest.starts_with(char::is_whitespace) && !rest.trim().is_empty())
        || text
            .strip_prefix(['•', '‣', '▪', '●'])
            .is_some_and(|rest| !rest.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        for text in ["• One,", "•一", "- One", "* One"] {
            assert!(is_bulleted(text), "{text}");
        }
        for text in ["-1/-1", "—", "• ", "One", "**One**"] {
            assert!(!is_bulleted(text), "{text}");
        }
        assert_eq!(example("如：甲。"), Some("甲。"));
        assert_eq!(example("Example: If so."), Some("If so."));
        assert_eq!(example("Ex. If so."), Some("If so."));
        assert_eq!(example("如果：甲。"), None);
        assert_eq!(example("例如，甲。"), None);
        assert_eq!(list_item("1. 如果"), Some((1, "如果")));
        assert_eq!(list_item("2、如果"), Some((2, "如果")));
        assert_eq!(list_item("（3）如果"), Some((3, "如果")));
        assert_eq!(list_item("②如果"), Some((2, "如果")));
        assert_eq!(list_item("2.5 damage"), None);
        assert_eq!(list_item("702. Rules"), None);
        assert_eq!(list_item("1个符文"), None);
    }
}
