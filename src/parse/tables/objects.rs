//! The objects of a file of JSON: of its lists, however deep in other objects, or one after the other (JSON lines).
//!
//! Only where they begin and end is found here, in one pass; each is read by itself. So one that is broken is left out
//! and the next goes on: at a line that begins as the broken one did, since within a string there is no line end, and
//! within an object every line is deeper or closes it.

use crate::source::{SourceFile, Span};

/// How deep in other objects lists are looked for.
const DEEPEST: usize = 5;

/// The longest object, in bytes, that is read where the lines of a text begin without indents.
const LONGEST_UNINDENTED: usize = 64 << 10;

/// Where objects stand.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// The name under which each list stands; empty for what has none.
    pub lists: Vec<String>,
    /// Each object with its list, by place.
    pub objects: Vec<(usize, Span)>,
    /// What is broken, and was left out.
    pub broken: Vec<Span>,
    /// Behind what last stands there, where the file ends within a list or an object of lists.
    pub cut: Option<usize>,
}

/// Finds them.
pub(super) fn objects(source: &SourceFile) -> Objects {
    let text = source.text();
    let mut scanner = Scanner {
        text: text.as_bytes(),
        source: text,
        found: Objects::default(),
    };
    let at = scanner.blanks(if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    });
    match scanner.byte(at) {
        Some(b'[') => drop(scanner.list(at + 1, "", true)),
        Some(b'{') if scanner.has_lines(at) => drop(scanner.list(at, "", false)),
        Some(b'{') => {
            scanner.members(at + 1, 0);
            if scanner.found.objects.is_empty() && scanner.found.broken.is_empty() {
                scanner.list(at, "", false);
            }
        }
        _ => {}
    }
    scanner.found
}

/// Finds the objects that are members of the whole, or of its members: a list for each object that holds some.
pub(super) fn members(source: &SourceFile) -> Objects {
    let text = source.text();
    let mut scanner = Scanner {
        text: text.as_bytes(),
        source: text,
        found: Objects::default(),
    };
    let at = scanner.blanks(0);
    if scanner.byte(at) == Some(b'{') {
        scanner.found.lists.push(String::new());
        scanner.own_members(at + 1, 0);
        let own: Vec<(usize, Span)> = scanner.found.objects.clone();
        for (_, span) in own {
            let list = scanner.found.lists.len();
            scanner.found.lists.push(String::new());
            scanner.own_members(span.start + 1, list);
        }
    }
    scanner.found
}

struct Scanner<'s> {
    text: &'s [u8],
    source: &'s str,
    found: Objects,
}

impl Scanner<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn blanks(&self, mut at: usize) -> usize {
        while self.byte(at).is_some_and(|byte| byte.is_ascii_whitespace()) {
            at += 1;
        }
        at
    }

    /// True where the object there ends in its line and another begins in the next, or it does not end and another
    /// begins as it does: JSON lines.
    fn has_lines(&self, at: usize) -> bool {
        let end_of_line = self.end_of_line(at);
        let next = self.blanks(end_of_line);
        let is_next = self.byte(next) == Some(b'{') && next > end_of_line;
        let is_line = |end: usize| {
            self.source
                .get(end..end_of_line)
                .is_some_and(|rest| rest.trim().is_empty())
        };
        is_next && self.value(at).map_or(true, is_line)
    }

    /// How the line begins that `at` is the first of, blanks and its byte; none where something stands before it.
    fn lead(&self, at: usize) -> Option<&[u8]> {
        let before = self.text.get(..at)?;
        let n_blanks = before
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let begins = matches!(before.get(..at - n_blanks)?.last(), None | Some(b'\n' | b'\r'));
        self.text.get(at - n_blanks..=at).filter(|_| begins)
    }

    /// Keeps where the text breaks off.
    fn ends_early(&mut self) {
        self.found.cut = Some(self.source.trim_end().len());
    }

    fn end_of_line(&self, at: usize) -> usize {
        let rest = &self.text[at.min(self.text.len())..];
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        at + length.unwrap_or(rest.len())
    }

    /// Takes the objects of a list from its first element on; returns where the list ends. A list that is closed ends
    /// at its bracket, another where the text does.
    fn list(&mut self, from: usize, name: &str, closed: bool) -> usize {
        let list = self.found.lists.len();
        self.found.lists.push(name.to_owned());
        let mut at = from;
        loop {
            at = self.blanks(at);
            match self.byte(at) {
                None => {
                    if closed {
                        self.ends_early();
                    }
                    return at;
                }
                Some(b']') if closed => return at + 1,
                Some(b'{') => match self.value(at) {
                    Ok(end) => {
                        self.found.objects.push((list, Span::new(at, end)));
                        at = end;
                    }
                    Err(_) => {
                        self.found.broken.push(Span::new(at, self.end_of_line(at)));
                        at = self.next_like(at);
                    }
                },
                Some(b',') => at += 1,
                Some(b'[' | b'"') => match self.value(at) {
                    Ok(end) => at = end,
                    Err(_) => at = self.next_like(at),
                },
                Some(byte) => {
                    // A figure or a word; anything else is a fault.
                    let is_word = byte.is_ascii_alphanumeric() || byte == b'-';
                    let end = self.text[at..]
                        .iter()
                        .position(|byte| matches!(byte, b',' | b']' | b'\n' | b'\r' | b'{'));
                    let end = at + end.unwrap_or(self.text.len() - at).max(1);
                    if !is_word || !closed {
                        self.found
                            .broken
                            .push(Span::new(at, end.min(self.end_of_line(at))));
                    }
                    at = end;
                }
            }
        }
    }

    /// Goes through the members of an object, and takes the objects of its lists; returns where it ends.
    fn members(&mut self, from: usize, depth: usize) -> usize {
        let mut at = from;
        loop {
            at = self.blanks(at);
            match self.byte(at) {
                Some(b'"') => {
                    let Ok(end) = self.string(at) else {
                        self.ends_early();
                        return self.text.len();
                    };
                    let name = self.source[at + 1..end - 1].to_owned();
                    at = self.blanks(end);
                    if self.byte(at) != Some(b':') {
                        continue;
                    }
                    at = self.blanks(at + 1);
                    let inner = self.byte(self.blanks(at + 1));
                    at = match (self.byte(at), inner) {
                        (Some(b'['), Some(b'{')) => self.list(at + 1, &name, true),
                        (Some(b'{'), _) if depth < DEEPEST => self.members(at + 1, depth + 1),
                        (Some(_), _) => match self.value(at) {
                            Ok(end) => end,
                            Err(_) => {
                                self.ends_early();
                                return self.text.len();
                            }
                        },
                        (None, _) => {
                            self.ends_early();
                            return at;
                        }
                    };
                }
                Some(b'}') => return at + 1,
                None => {
                    self.ends_early();
                    return at;
                }
                Some(_) => at += 1,
            }
        }
    }

    /// Takes the members of an object that are objects as those of a list.
    fn own_members(&mut self, from: usize, list: usize) {
        let mut at = from;
        while let Some(byte) = self.byte(self.blanks(at)) {
            at = self.blanks(at);
            match byte {
                b'}' => return,
                b'"' => {
                    let Ok(end) = self.string(at) else { return };
                    let after = self.blanks(end);
                    if self.byte(after) != Some(b':') {
                        at = end;
                        continue;
                    }
                    let value = self.blanks(after + 1);
                    match self.value(value) {
                        Ok(end) if self.byte(value) == Some(b'{') => {
                            self.found.objects.push((list, Span::new(value, end)));
                            at = end;
                        }
                        Ok(end) => at = end.max(value + 1),
                        Err(_) => return,
                    }
                }
                _ => at += 1,
            }
        }
    }

    /// The next line after that of `at` that begins as it does, with the same byte behind as many blanks; the end where
    /// there is none.
    fn next_like(&self, at: usize) -> usize {
        let Some(lead) = self.lead(at) else {
            return self.text.len();
        };
        let mut line = self.end_of_line(at);
        while line < self.text.len() {
            line += 1;
            if self.text[line..].starts_with(lead) {
                return line + lead.len() - 1;
            }
            line = self.end_of_line(line);
        }
        self.text.len()
    }

    /// Where a value ends that begins there; an error with the place where it breaks off: at the end, within a string
    /// at a line's end, or where a line begins as its own does and the whole is no JSON.
    fn value(&self, at: usize) -> Result<usize, usize> {
        match self.value_within(at, self.text.len(), true) {
            Err(here) if self.byte(here).is_some_and(|byte| matches!(byte, b'\n' | b'\r')) => {
                // Lines of a text without indents begin alike.
                let end = self.value_within(at, (at + LONGEST_UNINDENTED).min(self.text.len()), false);
                let is_whole = |end: &usize| {
                    let value = self.text.get(at..*end).unwrap_or_default();
                    serde_json::from_slice::<serde::de::IgnoredAny>(value).is_ok()
                };
                end.ok().filter(is_whole).ok_or(here)
            }
            found => found,
        }
    }

    fn value_within(&self, at: usize, limit: usize, by_line: bool) -> Result<usize, usize> {
        let lead = self.lead(at).filter(|_| by_line);
        let is_next = |here: usize| lead.is_some_and(|lead| self.text[here + 1..].starts_with(lead));
        let mut depth = 0usize;
        let mut here = at;
        while here < limit {
            match self.text[here] {
                b'"' => {
                    here = self.string(here)?;
                    if depth == 0 {
                        return Ok(here);
                    }
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return Ok(here),
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(here + 1);
                    }
                }
                b',' if depth == 0 => return Ok(here),
                b'\n' | b'\r' if depth > 0 && is_next(here) => return Err(here),
                _ => {}
            }
            here += 1;
        }
        if depth == 0 && here > at {
            Ok(here)
        } else {
            Err(here)
        }
    }

    /// Where a string ends that begins there.
    fn string(&self, at: usize) -> Result<usize, usize> {
        let mut here = at + 1;
        while let Some(byte) = self.byte(here) {
            match byte {
                b'"' => return Ok(here + 1),
                b'\\' if !matches!(self.byte(here + 1), Some(b'\n' | b'\r')) => here += 2,
                b'\n' | b'\r' => return Err(here),
                _ => here += 1,
            }
        }
        Err(here.min(self.text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> (Vec<String>, usize) {
        let source = SourceFile::new("a.json", text);
        let Objects {
            lists,
            objects,
            broken,
            cut: _,
        } = objects(&source);
        let objects = objects
            .iter()
            .map(|(list, span)| format!("{}{}", lists[*list], source.slice(*span)));
        (objects.collect(), broken.len())
    }

    #[test]
    fn lists_of_every_kind() {
        let of = |all: &[&str]| (all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>(), 0);
        assert_eq!(
            found("[\n{\"a\":1},\n{\"b\":\"}\\\"\"}\n]"),
            of(&["{\"a\":1}", "{\"b\":\"}\\\"\"}"])
        );
        assert_eq!(found("{\"a\":1}\n\n{\"a\":2}\n"), of(&["{\"a\":1}", "{\"a\":2}"]));
        assert_eq!(
            found("{\"n\":[1,2],\"x\":{\"cards\":[{\"a\":1}, {\"a\":2}]}}"),
            of(&["cards{\"a\":1}", "cards{\"a\":2}"])
        );
        assert_eq!(
            found("{\"name\": \"a\", \"faces\": 2}"),
            of(&["{\"name\": \"a\", \"faces\": 2}"])
        );
        assert_eq!(found("[1, \"a\", [2], {\"a\":1}, null]"), of(&["{\"a\":1}"]));
    }

    #[test]
    fn a_broken_object_is_alone() {
        let good = ["{\"a\":1}", "{\"a\":9}"];
        for broken in [
            "{\"a\":2",
            "{\"a\":\"2}",
            "{\"a\":[2}",
            "{\"a\":2}}",
            "{\"a\":2} x",
            "x",
            "}",
        ] {
            let lines = format!("{}\n{broken}\n{}\n", good[0], good[1]);
            let (lines, n) = found(&lines);
            assert!(
                n > 0 || lines.contains(&broken.to_owned()) || lines.len() == 3,
                "{broken}: {lines:?}"
            );
            assert!(
                good.iter().all(|one| lines.contains(&(*one).to_owned())),
                "{broken}: {lines:?}"
            );
            let list = format!("[\n{},\n{broken},\n{}\n]\n", good[0], good[1]);
            let (list, _) = found(&list);
            assert!(
                good.iter().all(|one| list.contains(&(*one).to_owned())),
                "{broken}: {list:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn whatever_comes_is_scanned(text in "(?s)[{}\\[\\]\":,\\\\ab1 \n规]{0,120}") {
            let source = SourceFile::new("a.json", text.clone());
            let found = objects(&source);
            let mut at = 0;
            for (list, span) in found.objects {
                prop_assert!(list < found.lists.len() && span.start >= at && span.end > span.start);
                at = span.end;
            }
        }
    }
}
