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

/// A rule that a text cites, with the place of the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// The rule's number.
    pub number: RuleNumber,
    /// The byte where it is cited; the same for all rules of a range.
    pub at: usize,
    /// True for a rule that a range covers and the text does not spell out.
    pub implied: bool,
}

/// Longest run of subrules that a range is taken to cover.
const LONGEST_RANGE: usize = 60;

/// Every rule that `text` cites, in order, repetitions included.
pub(super) fn references(text: &str, numbering: &Numbering) -> Vec<Reference> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // Where the last reference ended: what follows it may be a list or a range.
    let mut list: Option<usize> = None;
    let mut at = 0;
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
            && let Some(first) = found.last().map(|reference: &Reference| reference.number.clone())
        {
            found.extend(
                between(&first, &number, numbering)
                    .into_iter()
                    .map(|number| Reference {
                        number,
                        at: start,
                        implied: true,
                    }),
            );
        }
        found.push(Reference {
            number,
            at: start,
            implied: false,
        });
        list = Some(end);
        // `702.19b–d`, `100.1a-c`: a range to a letter.
        if let Some((number, length)) = letter_range(&text[end..], &found[found.len() - 1].number, numbering)
        {
            let first = found[found.len() - 1].number.clone();
            found.extend(
                between(&first, &number, numbering)
                    .into_iter()
                    .map(|number| Reference {
                        number,
                        at: start,
                        implied: true,
                    }),
            );
            found.push(Reference {
                number,
                at: start,
                implied: false,
            });
            at = end + length;
            list = Some(at);
        }
    }
    found
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

/// `–f` after `603.7d`: the number it leads to, with the bytes read.
fn letter_range(rest: &str, first: &RuleNumber, numbering: &Numbering) -> Option<(RuleNumber, usize)> {
    let Some(Part::Letters(from)) = first.parts().last() else {
        return None;
    };
    let dash = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '–' | '—' | '-' | '~' | '～' | '至' | '到'))?;
    let after = &rest[dash.len_utf8()..];
    let letters = after.bytes().take_while(u8::is_ascii_lowercase).count();
    let to = &after[..letters];
    let ends = !after[letters..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    if !(1..=2).contains(&letters) || !ends || !(to.len(), to).gt(&(from.len(), from.as_str())) {
        return None;
    }
    let last = first.with_last(to)?;
    numbering.fits(&last).then_some((last, dash.len_utf8() + letters))
}

/// The subrules between two of one rule, both left out; nothing for other ranges, which only a whole corpus
/// can spell out.
fn between(first: &RuleNumber, last: &RuleNumber, numbering: &Numbering) -> Vec<RuleNumber> {
    let (Some(Part::Letters(from)), Some(Part::Letters(to))) = (first.parts().last(), last.parts().last())
    else {
        return Vec::new();
    };
    if first.parent() != last.parent() {
        return Vec::new();
    }
    let mut letters = from.clone();
    let mut numbers = Vec::new();
    while numbers.len() < LONGEST_RANGE {
        letters = next_letters(&letters, &numbering.skip_letters);
        if (letters.len(), &letters) >= (to.len(), to) {
            break;
        }
        numbers.extend(first.with_last(&letters));
    }
    numbers
}

/// The letters that follow: `k` then `m` where `l` is left out, `z` then `aa`.
pub(super) fn next_letters(letters: &str, skip: &str) -> String {
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
            .map(|reference| reference.number.to_string())
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
