//! Remarks inside texts: asides, translators' notes, remarks about one format of play.

use crate::entry::{Lang, Note, NoteClass};
use std::ops::Range;

/// A bracket group: its bytes with the brackets, and without.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    outer: Range<usize>,
    inner: Range<usize>,
}

const OPENING: [char; 2] = ['（', '('];
const CLOSING: [char; 2] = ['）', ')'];

/// The outermost bracket groups of `text`, in order. A bracket without a partner is text.
fn groups(text: &str) -> Vec<Group> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text.char_indices() {
        if OPENING.contains(&c) {
            open.push((at, at + c.len_utf8()));
        } else if CLOSING.contains(&c)
            && let Some((outer, inner)) = open.pop()
        {
            // A group swallows those inside it, also when an unpaired bracket stands before it.
            while found
                .last()
                .is_some_and(|group: &Group| group.outer.start > outer)
            {
                found.pop();
            }
            found.push(Group {
                outer: outer..at + c.len_utf8(),
                inner: inner..at,
            });
        }
    }
    found
}

/// Takes translators' notes (`（译注：…）`) out of `text`; returns what is left and the notes.
pub(super) fn take_translator_notes(text: &str) -> (String, Vec<Note>) {
    let mut rest = String::with_capacity(text.len());
    let mut notes = Vec::new();
    let mut kept = 0;
    for group in groups(text) {
        let inner = text[group.inner.clone()].trim();
        let Some((tag, remark)) = inner.split_once(['：', ':']) else {
            continue;
        };
        if !is_translator_tag(tag) {
            continue;
        }
        rest.push_str(&text[kept..group.outer.start]);
        kept = group.outer.end;
        let remark = remark.trim();
        notes.push(Note {
            lang: Lang::of(remark),
            text: remark.to_owned(),
            class: NoteClass::Translator,
            tag: Some(tag.trim().to_owned()),
            covers: Vec::new(),
        });
    }
    rest.push_str(&text[kept..]);
    (rest, notes)
}

/// True for `译注` and its relatives, and `translator's note`.
fn is_translator_tag(tag: &str) -> bool {
    let tag = tag.trim();
    let lower = tag.to_lowercase();
    tag.chars().count() <= 8
        && ["译注", "譯註", "译者注", "譯者註", "譯注"]
            .iter()
            .any(|end| tag.ends_with(end))
        || matches!(
            lower.as_str(),
            "translator's note" | "translator’s note" | "tn" | "t/n"
        )
}

/// True when `text` may hold a translator's note: a quick test before the search.
pub(super) fn may_have_translator_note(text: &str) -> bool {
    text.contains(['译', '譯']) || text.contains("ranslator") || text.contains("T/N") || text.contains("TN")
}

/// The closing bracket group of a paragraph. None when there is none, or when the whole paragraph is one.
fn closing_group(text: &str) -> Option<Closing<'_>> {
    let text = text.trim_end();
    let end = text.trim_end_matches(['。', '.', '！', '!', '？', '?']).len();
    let group = groups(&text[..end])
        .pop()
        .filter(|group| group.outer.end == end)?;
    let before = text[..group.outer.start].trim_end();
    (!before.is_empty()).then(|| Closing {
        before,
        inner: text[group.inner].trim(),
        stop: &text[end..],
    })
}

/// A paragraph with a closing bracket group.
#[derive(Debug, PartialEq, Eq)]
struct Closing<'a> {
    before: &'a str,
    inner: &'a str,
    /// The full stop after the group, if any.
    stop: &'a str,
}

/// Takes the closing bracket group off a paragraph whose translation has none: an aside, not part of the text.
pub(super) fn take_aside(text: &str, partner: &str) -> Option<(String, Note)> {
    if closing_group(partner).is_some() {
        return None;
    }
    let closing = closing_group(text)?;
    Some((
        format!("{}{}", closing.before, closing.stop),
        Note {
            lang: Lang::of(closing.inner),
            text: closing.inner.to_owned(),
            class: NoteClass::Commentary,
            tag: None,
            covers: Vec::new(),
        },
    ))
}

/// Reads a remark about one format of play: `ABC专用 - …`, `ABC only: …`.
pub(super) fn format_remark(text: &str) -> Option<Note> {
    const LONGEST_TAG: usize = 20;
    let text = text.trim();
    let (dash, width) = text
        .char_indices()
        .find(|(_, c)| matches!(c, '-' | '–' | '—' | ':' | '：'))
        .map(|(at, c)| (at, c.len_utf8()))?;
    let tag = text[..dash].trim();
    let lower = tag.to_lowercase();
    let marked = ["专用", "專用", "限定"].iter().any(|word| tag.ends_with(word))
        || lower.ends_with(" only")
        || lower.ends_with("-only");
    let remark = text[dash + width..].trim_start_matches(['-', '–', '—']).trim();
    (marked && tag.chars().count() <= LONGEST_TAG && !remark.is_empty()).then(|| Note {
        lang: Lang::of(remark),
        text: remark.to_owned(),
        class: NoteClass::Format,
        tag: Some(tag.to_owned()),
        covers: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translators_notes_leave_the_text() {
        let (text, notes) = take_translator_notes("甲（乙）丙（译注：丁（戊）己）。(中文版译注：庚。)辛");
        assert_eq!(text, "甲（乙）丙。辛");
        let notes: Vec<_> = notes.iter().map(|note| note.text.as_str()).collect();
        assert_eq!(notes, ["丁（戊）己", "庚。"]);
        assert_eq!(take_translator_notes("甲）（译注：乙").0, "甲）（译注：乙");
        assert_eq!(take_translator_notes("a (b: c) d").1, []);
    }

    #[test]
    fn asides_close_a_paragraph() {
        let parts = |text| closing_group(text).map(|closing| (closing.before, closing.inner, closing.stop));
        assert_eq!(parts("共有三个（其实四个）"), Some(("共有三个", "其实四个", "")));
        assert_eq!(
            parts("共有三个（其实四个）。"),
            Some(("共有三个", "其实四个", "。"))
        );
        assert_eq!(parts("（其实四个）"), None);
        assert_eq!(parts("共有（其实）三个"), None);
        assert_eq!(parts("a (b (c) d)"), Some(("a", "b (c) d", "")));
        assert!(take_aside("甲（乙）", "a (b)").is_none());
        assert_eq!(take_aside("甲（乙）", "a [b]").unwrap().1.text, "乙");
    }

    #[test]
    fn format_remarks() {
        let note = format_remark("XYZ专用 - 关于旗帜，如此这般。").unwrap();
        assert_eq!(
            (note.tag.as_deref(), note.text.as_str()),
            (Some("XYZ专用"), "关于旗帜，如此这般。")
        );
        assert_eq!(format_remark("Draft only: pick two.").unwrap().text, "pick two.");
        assert_eq!(format_remark("专用的牌 - 关于"), None);
        assert_eq!(format_remark("如果1个玩家只能使用一个：甲"), None);
    }
}
