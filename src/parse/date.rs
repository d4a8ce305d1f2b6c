//! Dates as rules texts write them, in English and Chinese.

use jiff::civil::Date;
use std::ops::Range;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The first date in `text`, with the bytes it takes: `2024-06-07`, `2024/6/7`, `2024.6.7`, `2026年4月17日`,
/// `April 17, 2026`, `Sep 18th, 2025`, `5 September 2018`.
pub(super) fn find_date(text: &str) -> Option<(Date, Range<usize>)> {
    let mut after_word = false;
    for (at, c) in text.char_indices() {
        let starts_word = c.is_ascii_alphanumeric() && !after_word;
        after_word = c.is_ascii_alphanumeric();
        if starts_word && let Some((date, length)) = read_date(&text[at..]) {
            return Some((date, at..at + length));
        }
    }
    None
}

/// A date at the start of `text`, with its length in bytes.
pub(super) fn read_date(text: &str) -> Option<(Date, usize)> {
    let mut reader = Reader { text, at: 0 };
    let date = if text.starts_with(|c: char| c.is_ascii_digit()) {
        match reader.number()? {
            (year, 4) => {
                let joint = reader.one_of(&['-', '/', '.', '年'])?;
                reader.blanks();
                let (month, _) = reader.number()?;
                reader.blanks();
                match joint {
                    '年' => reader.one_of(&['月'])?,
                    joint => reader.one_of(&[joint])?,
                };
                reader.blanks();
                let (day, _) = reader.number()?;
                reader.blanks_before('日');
                reader.one_of(&['日', '号']);
                Date::new(
                    i16::try_from(year).ok()?,
                    i8::try_from(month).ok()?,
                    i8::try_from(day).ok()?,
                )
            }
            (day, 1 | 2) => {
                reader.ordinal();
                reader.blanks();
                let month = reader.month()?;
                reader.one_of(&['.', ',']);
                reader.blanks();
                Date::new(reader.year()?, month, i8::try_from(day).ok()?)
            }
            _ => return None,
        }
    } else {
        let month = reader.month()?;
        reader.one_of(&['.']);
        reader.blanks();
        let (day, 1 | 2) = reader.number()? else {
            return None;
        };
        reader.ordinal();
        reader.one_of(&[',']);
        reader.blanks();
        Date::new(reader.year()?, month, i8::try_from(day).ok()?)
    };
    let date = date.ok()?;
    let ends = !reader.rest().starts_with(|c: char| c.is_ascii_alphanumeric());
    (ends && (1990..2200).contains(&date.year())).then_some((date, reader.at))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// A number of at most four digits and how many it has.
    fn number(&mut self) -> Option<(u32, usize)> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = (1..=4)
            .contains(&length)
            .then(|| self.rest()[..length].parse().ok())??;
        self.at += length;
        Some((number, length))
    }

    fn year(&mut self) -> Option<i16> {
        match self.number()? {
            (year, 4) => i16::try_from(year).ok(),
            _ => None,
        }
    }

    /// A month's English name, whole or cut to three letters or more.
    fn month(&mut self) -> Option<i8> {
        let length = self.rest().bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = self.rest()[..length].to_ascii_lowercase();
        let idx = MONTHS.iter().position(|month| word.starts_with(month))?;
        self.at += length;
        i8::try_from(idx + 1).ok()
    }

    fn one_of(&mut self, wanted: &[char]) -> Option<char> {
        let c = self.rest().chars().next().filter(|c| wanted.contains(c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn ordinal(&mut self) {
        if ["st", "nd", "rd", "th"]
            .iter()
            .any(|end| self.rest().starts_with(end))
        {
            self.at += 2;
        }
    }

    fn blanks(&mut self) {
        self.at += self
            .rest()
            .bytes()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
    }

    fn blanks_before(&mut self, next: char) {
        if self.rest().trim_start_matches(' ').starts_with(next) {
            self.blanks();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_both_languages() {
        for (text, date) in [
            (
                "These rules are effective as of April 17, 2026.",
                Some("2026-04-17"),
            ),
            ("此规则于2026年4月17日起生效。", Some("2026-04-17")),
            ("Last Update: Sep 18th, 2025", Some("2025-09-18")),
            ("Effective: September 21th, 2018", Some("2018-09-21")),
            ("(2024-06-07 official)", Some("2024-06-07")),
            ("5 September 2018", Some("2018-09-05")),
            ("2022/6/10", Some("2022-06-10")),
            ("2022 年 6 月 10 日", None),
            ("2022年 6 月 10 日", Some("2022-06-10")),
            ("2022-13-10", None),
            ("x2022-12-10", None),
            ("rule 702.10 and 1, 2026", None),
            ("may 2 counters", None),
            ("", None),
        ] {
            assert_eq!(
                find_date(text).map(|(date, _)| date.to_string()).as_deref(),
                date,
                "{text}"
            );
        }
    }
}
