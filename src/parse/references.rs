//! The rules that a text cites.
//!
//! ```text
//! reference := word? number ( separator number )*
//! word      := 'rule' | 'rules' | 'section' | 'chapter' | '规则' | '第' | '参见' …
//! separator := ',' | 'and' | 'or' | 'through' | '–' | '-' | '、' | '和' | '与' | '及' | '至' | '到' …
//! ```
//!
//! A long number is a reference wherever it stands; a short one (of a single part, or of two where the first
//! can have one digit) needs a word before it or brackets around it, as `(404)`.

use crate::citation::{Part, RuleNumber};
use crate::game::Numbering;

/// Most rules that a range is taken to cover.
const LONGEST_RANGE: usize = 60;

/// Every rule that `text` cites, in order, repetitions included.
pub(super) fn references(text: &str, numbering: &Numbering) -> Vec<RuleNumber> {
    let bytes = text.as_bytes();
    let mut found: Vec<RuleNumber> = Vec::new();
    // Where the last reference ended: what follows it may be a list or a range.
    let mut list: Option<usize> = None;
    let mut at = own_label(text, numbering);
    while let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + digit;
        let before = &text[..start];
        let starts_word = !before
            .ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '{' | '+' | '/' | '$'));
        let read = starts_word
            .then(|| read_number(&text[start..], numbering))
            .flatten();
        let Some((number, length)) = read else {
            at = start + bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
            continue;
        };
        let end = start + length;
        let joint = list.and_then(|end| separator(&text[end..start]));
        // `1-2` or `2.5` can be anything; `702.3` and `1-2-1` are numbers of rules.
        let single = number.depth() == 1 || number.depth() == 2 && numbering.digits[0] < 3;
        let cited = match joint {
            // A rule and a chapter make no list.
            Some(_) if single && numbering.is_chapter(&number) => {
                found.last().is_some_and(|last| numbering.is_chapter(last)) && !counts_things(&text[end..])
            }
            Some(_) if single => !counts_things(&text[end..]),
            Some(_) => true,
            None if single => {
                announced(before, &text[end..])
                    || before.ends_with(['(', '（'])
                        && text[end..].trim_start_matches('.').starts_with([')', '）'])
                        && !numbering.is_chapter(&number)
            }
            None => true,
        };
        at = end;
        if !cited {
            list = None;
            continue;
        }
        if joint == Some(Separator::Range)
            && let Some(first) = found.last().cloned()
        {
            found.extend(between(&first, &number, numbering));
        }
        // `702.19b–d`, `100.1a-c`, `712.9–10`: a range to a last part.
        let short = short_range(&text[end..], &number, numbering);
        found.push(number);
        if let Some((last, length)) = short {
            let first = found[found.len() - 1].clone();
            found.extend(between(&first, &last, numbering));
            found.push(last);
            at = end + length;
        }
        list = Some(at);
    }
    found
}

/// How many bytes of `text` are a label of its own, `201.2c-i.`: a number with more behind it than this numbering
/// has. It cites nothing.
fn own_label(text: &str, numbering: &Numbering) -> usize {
    let Some((_, length)) = numbering.read_prefix(text) else {
        return 0;
    };
    let rest = &text[length..];
    let letters = rest.bytes().skip(1).take_while(u8::is_ascii_lowercase).count();
    let is_label =
        rest.starts_with('-') && (1..=5).contains(&letters) && rest[1 + letters..].starts_with(". ");
    if is_label { length + 1 + letters } else { 0 }
}

/// True for letters that can only be a Roman numeral below a lettered rule: no list goes from `c` to `ii`.
fn is_roman_pair(from: &str, to: &str) -> bool {
    to == "ii" && from.len() == 1
}

/// A number of that numbering, or of a chapter, that nothing but its own full stop continues.
fn read_number(text: &str, numbering: &Numbering) -> Option<(RuleNumber, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, length) = match numbering.read_prefix(text) {
        Some(read) => read,
        None => {
            let number: RuleNumber = text[..digits].parse().ok()?;
            if !numbering.is_chapter(&number) {
                return None;
            }
            (number, digits)
        }
    };
    if !goes_on(&text[length..]) {
        return Some((number, length));
    }
    // In `704.5a-704.5c` the dash is no part of the first number.
    let shorter = number.prefix(number.depth() - 1)?;
    text.strip_prefix(shorter.as_str())
        .is_some_and(|rest| rest.starts_with('-'))
        .then(|| (shorter.clone(), shorter.as_str().len()))
}

/// True when a number goes on in what follows: more letters or digits, a decimal, a score or a price.
fn goes_on(rest: &str) -> bool {
    let mut next = rest.chars();
    match next.next() {
        Some(c) if c.is_ascii_alphanumeric() => true,
        Some('.' | '/' | '%' | ',') => next.next().is_some_and(|c| c.is_ascii_digit()),
        Some('}') => true,
        _ => false,
    }
}

/// True when a word before says that a rule, section or chapter is cited, or one after does in Chinese.
fn announced(before: &str, after: &str) -> bool {
    let trimmed = before.trim_end_matches([' ', '\u{a0}', '(', '（', '“', '"']);
    let word_start = trimmed.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| {
        at + trimmed[at..].chars().next().map_or(1, char::len_utf8)
    });
    let word = trimmed[word_start..].to_ascii_lowercase();
    if matches!(
        word.as_str(),
        "rule" | "rules" | "section" | "sections" | "chapter" | "chapters" | "subrule" | "subrules" | "cr"
    ) {
        return true;
    }
    if trimmed.ends_with('§')
        || ["规则", "規則", "章节", "章節", "条目"]
            .iter()
            .any(|w| trimmed.ends_with(w))
    {
        return true;
    }
    trimmed.ends_with('第')
        && after
            .trim_start()
            .starts_with(['章', '节', '節', '条', '條', '款'])
}

/// True when what follows a bare number shows it to count things: `rule 603.2 and 3 cards`.
fn counts_things(after: &str) -> bool {
    let after = after.trim_start_matches(['.']);
    after.starts_with(' ')
        && after.trim_start().starts_with(|c: char| c.is_ascii_lowercase())
        && ![
            "and", "or", "for", "to", "through", "if", "in", "is", "are", "apply", "applies",
        ]
        .iter()
        .any(|word| {
            after
                .trim_start()
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        })
        || after.starts_with(['张', '个', '点', '名', '枚'])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    List,
    Range,
}

/// What stands between two numbers, when it makes them a list or a range.
fn separator(between: &str) -> Option<Separator> {
    let mut rest = between.trim_start_matches('.');
    let mut kind = Separator::List;
    let mut any = false;
    loop {
        rest = rest.trim_start_matches([' ', '\u{a0}']);
        if rest.is_empty() {
            return any.then_some(kind);
        }
        let word_length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (taken, range) = match &rest[..word_length] {
            "and" | "or" | "rule" | "rules" | "section" | "sections" => (word_length, false),
            "through" | "to" => (word_length, true),
            "" => match rest.chars().next() {
                Some(c @ ('–' | '—' | '-' | '~' | '～' | '至' | '到')) => (c.len_utf8(), true),
                Some(c @ (',' | '，' | '、' | ';' | '；' | '和' | '与' | '與' | '及' | '或' | '&')) => {
                    (c.len_utf8(), false)
                }
                Some(_) if rest.starts_with("以及") => ("以及".len(), false),
                Some(_) if rest.starts_with("规则") => ("规则".len(), false),
                _ => return None,
            },
            _ => return None,
        };
        // `rules 603.7d–f, 704` stays a list after the range; a comma alone joins no sentence.
        any |= !matches!(&rest[..taken], "rule" | "rules" | "section" | "sections" | "规则");
        kind = if range { Separator::Range } else { kind };
        rest = &rest[taken..];
    }
}

/// `–f` after `603.7d`, `-10` after `712.9`: the number it leads to, with the bytes read.
fn short_range(rest: &str, first: &RuleNumber, numbering: &Numbering) -> Option<(RuleNumber, usize)> {
    let dash = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '–' | '—' | '-' | '~' | '～' | '至' | '到'))?;
    let after = &rest[dash.len_utf8()..];
    let (to, later) = match first.parts().last()? {
        Part::Letters(from) => {
            let letters = after.bytes().take_while(u8::is_ascii_lowercase).count();
            let to = &after[..letters];
            // Two letters are one letter twice, as lists go on after `z`; `iv` is a Roman numeral.
            let is_letter = to.len() == 1 || to.len() == 2 && to.as_bytes()[0] == to.as_bytes()[1];
            (
                to,
                is_letter
                    && (to.len(), to) > (from.as_str().len(), from.as_str())
                    && !is_roman_pair(from.as_str(), to),
            )
        }
        Part::Number(from) => {
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let to = &after[..digits];
            (to, first.depth() > 1 && to.parse().is_ok_and(|to: u32| to > from))
        }
    };
    let ends = !to.is_empty() && !goes_on(&after[to.len()..]);
    let last = first.with_last(to).filter(|_| later && ends)?;
    numbering
        .fits(&last)
        .then_some((last, dash.len_utf8() + to.len()))
}

/// The rules between two of one list, both left out. Sections, and rules of different lists, only a whole
/// corpus can spell out.
fn between(first: &RuleNumber, last: &RuleNumber, numbering: &Numbering) -> Vec<RuleNumber> {
    if first.parent().is_none() || first.parent() != last.parent() {
        return Vec::new();
    }
    let mut numbers = Vec::new();
    let mut number = first.clone();
    while let Some(next) = following(&number, numbering)
        && next < *last
        && numbers.len() < LONGEST_RANGE
    {
        numbers.push(next.clone());
        number = next;
    }
    numbers
}

/// The number that comes next in the same list: `702.9b` after `702.9a`.
pub(super) fn following(number: &RuleNumber, numbering: &Numbering) -> Option<RuleNumber> {
    let last = match number.parts().last()? {
        Part::Number(number) => number.checked_add(1)?.to_string(),
        Part::Letters(letters) => next_letters(letters.as_str(), &numbering.skip_letters),
    };
    number.with_last(&last)
}

/// The letters that follow: `k` then `m` where `l` is left out, `z` then `aa`.
fn next_letters(letters: &str, skip: &str) -> String {
    let last = letters.bytes().last().unwrap_or(b'`');
    let mut next = last;
    while next < b'z' {
        next += 1;
        if !skip.as_bytes().contains(&next) {
            return (next as char).to_string().repeat(letters.len().max(1));
        }
    }
    "a".repeat(letters.len() + 1)
}

/// True when a number stands in `text` at all: a quick test before the search.
pub(super) fn may_cite(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn game(levels: &str, digits: &str, more: &str) -> Game {
        Game::from_toml(&format!(
            "id = \"demo\"\nnames = {{ en = \"Demo\" }}\n[[document]]\nid = \"cr\"\nnumbering = {{ levels = {levels}, digits = {digits}{more} }}\n"
        ))
        .unwrap()
    }

    fn cited(text: &str) -> Vec<String> {
        let game = game(
            r#"["n", ".n", "a", "-n"]"#,
            "[3, 4]",
            ", chapter-size = 100, skip-letters = \"lo\"",
        );
        references(text, game.numbering(None).unwrap())
            .into_iter()
            .map(|number| number.to_string())
            .collect()
    }

    #[test]
    fn both_languages() {
        assert_eq!(cited("see rule 509.1b."), ["509.1b"]);
        assert_eq!(cited("参见规则704.6b。"), ["704.6b"]);
        assert_eq!(cited("rules 614 and 615"), ["614", "615"]);
        assert_eq!(
            cited("参见规则105，“颜色”，以及规则202，“费用”。"),
            ["105", "202"]
        );
        assert_eq!(cited("See section 6, “Spells.”"), ["6"]);
        assert_eq!(cited("参见第6章，“咒语”。"), ["6"]);
        assert_eq!(
            cited("the field (404) and refer to rule (1102.6.)"),
            ["404", "1102.6"]
        );
        assert_eq!(
            cited("{10} and 404 cards, 100 life, 3/4, 2000 damage, 6 more"),
            [""; 0]
        );
        assert_eq!(cited("第6个，第404张"), [""; 0]);
    }

    #[test]
    fn ranges() {
        assert_eq!(cited("rules 603.7d–f"), ["603.7d", "603.7e", "603.7f"]);
        assert_eq!(
            cited("规则603.7d-f、704.5"),
            ["603.7d", "603.7e", "603.7f", "704.5"]
        );
        assert_eq!(cited("704.5k–n"), ["704.5k", "704.5m", "704.5n"]);
        assert_eq!(cited("rules 704.5a-704.5c"), ["704.5a", "704.5b", "704.5c"]);
        assert_eq!(cited("rules 614 through 616"), ["614", "616"]);
        assert_eq!(cited("规则712.9–11"), ["712.9", "712.10", "712.11"]);
        assert_eq!(
            cited("702.3a-i. See rule 702.3b-ii and 702.3c-iv."),
            ["702.3b", "702.3c"]
        );
        assert_eq!(cited("rules 704.5y–aa"), ["704.5y", "704.5z", "704.5aa"]);
        assert_eq!(cited("规则712.9-8"), ["712.9"]);
        assert_eq!(cited("rule 702.3a-1 and others"), ["702.3a-1"]);
        assert_eq!(cited("rule 702.3a and 3 cards"), ["702.3a"]);
    }

    #[test]
    fn letters_go_on() {
        assert_eq!(next_letters("k", "lo"), "m");
        assert_eq!(next_letters("z", ""), "aa");
        assert_eq!(next_letters("aa", ""), "bb");
    }
}
