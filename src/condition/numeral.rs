//! Numerals: digits of several scripts, English and Chinese number words.

use super::words::Fault;

/// The value of a decimal digit of the scripts whose digits stand in order from zero, full width included.
pub(super) fn digit(c: char) -> Option<i64> {
    const ZEROS: [char; 12] = [
        '0', '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}',
        '\u{e50}', '\u{ed0}', '\u{ff10}',
    ];
    ZEROS
        .iter()
        .map(|zero| (c as i64) - (*zero as i64))
        .find(|value| (0..=9).contains(value))
}

/// True for a character that stands for a number and is not read: `½`, `①`, `Ⅳ`, `²`.
pub(super) fn is_unread(c: char) -> bool {
    c.is_numeric() && digit(c).is_none() && !is_chinese(c)
}

/// Reads digits with an optional grouping in thousands: `1,000,000`.
///
/// `run` starts with a digit and holds digits, commas, full stops and the letters and signs that touch them.
pub(super) fn read_digits(run: &[char]) -> Result<i64, Fault> {
    if run.iter().any(|c| c.is_alphabetic()) {
        return Err(Fault::Unsupported);
    }
    if run.iter().any(|c| matches!(c, '.' | '。')) {
        return Err(Fault::NonInteger);
    }
    let groups: Vec<&[char]> = run.split(|c| *c == ',').collect();
    let grouped = groups.len() > 1;
    if grouped && (groups[0].len() > 3 || groups[0].is_empty() || groups[1..].iter().any(|g| g.len() != 3)) {
        return Err(Fault::Malformed);
    }
    run.iter()
        .filter(|c| **c != ',')
        .try_fold(0_i64, |value, c| value.checked_mul(10)?.checked_add(digit(*c)?))
        .ok_or(Fault::TooLarge)
}

/// The value of an English number word below a hundred, and of the words that scale.
fn english_word(word: &str) -> Option<(i64, bool)> {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    const SCALES: [(&str, i64); 4] = [
        ("dozen", 12),
        ("hundred", 100),
        ("thousand", 1000),
        ("million", 1_000_000),
    ];
    let small = SMALL.iter().position(|w| *w == word).map(|n| (n as i64, false));
    let tens = || {
        TENS.iter()
            .position(|w| *w == word)
            .map(|n| ((n as i64 + 2) * 10, false))
    };
    let scale = || SCALES.iter().find(|(w, _)| *w == word).map(|(_, n)| (*n, true));
    small.or_else(tens).or_else(scale)
}

/// Reads English number words from the front of `words`: the value and how many words it took.
///
/// `a hundred` is one too, so `words` may start with the article.
pub(super) fn read_english(words: &[&str]) -> Option<(Result<i64, Fault>, usize)> {
    let mut total = 0_i64;
    let mut group: Option<i64> = None;
    let mut taken = 0;
    let mut ceiling = i64::MAX;
    let start = usize::from(
        matches!(words, ["a" | "an", next, ..] if english_word(next).is_some_and(|(_, scale)| scale)),
    );
    if start == 1 {
        group = Some(1);
    }
    let mut idx = start;
    while let Some(word) = words.get(idx) {
        let mut parts = 0;
        if *word == "and" {
            // "one hundred and five": only between a scale and what is smaller.
            let joins = idx > start
                && group.is_some_and(|group| group % 100 == 0)
                && words.get(idx + 1).is_some_and(|next| {
                    next.split('-')
                        .next()
                        .and_then(english_word)
                        .is_some_and(|(n, scale)| !scale && n > 0)
                });
            if !joins {
                break;
            }
            idx += 1;
            continue;
        }
        let before = (total, group);
        let mut fits = true;
        for part in word.split('-') {
            parts += 1;
            let Some((value, scale)) = english_word(part) else {
                fits = false;
                break;
            };
            match (scale, group) {
                (true, Some(count)) if value == 12 => group = count.checked_mul(12),
                (true, Some(count)) if value == 100 && count < 100 => group = Some(count * 100),
                (true, Some(count)) if value >= 1000 && value < ceiling => {
                    total += count * value;
                    ceiling = value;
                    group = None;
                }
                (true, None) if value == 12 && idx == 0 => group = Some(12),
                (false, None) if total == 0 || value > 0 => group = Some(value),
                (false, Some(count)) if count >= 20 && count % 10 == 0 && (1..10).contains(&value) => {
                    group = Some(count + value);
                }
                (false, Some(count)) if count >= 100 && count % 100 == 0 && (10..100).contains(&value) => {
                    group = Some(count + value);
                }
                _ => {
                    fits = false;
                    break;
                }
            }
        }
        if !fits {
            (total, group) = before;
            if parts > 1 {
                return (taken > 0).then(|| (Ok(total + group.unwrap_or(0)), taken));
            }
            break;
        }
        idx += 1;
        taken = idx;
    }
    (taken > 0).then(|| (Ok(total + group.unwrap_or(0)), taken))
}

/// The value of an English ordinal word, `second`, or none.
pub(super) fn read_ordinal(word: &str) -> Option<i64> {
    const WORDS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    WORDS.iter().position(|w| *w == word).map(|n| n as i64 + 1)
}

/// The value of a Chinese digit.
fn chinese_digit(c: char) -> Option<i64> {
    Some(match c {
        '零' | '〇' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '贰' => 2,
        '三' | '叁' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

/// The value of a Chinese unit below ten thousand.
fn chinese_unit(c: char) -> Option<i64> {
    Some(match c {
        '十' | '拾' => 10,
        '百' | '佰' => 100,
        '千' | '仟' => 1000,
        _ => return None,
    })
}

/// The value of a Chinese unit from ten thousand on.
fn chinese_myriad(c: char) -> Option<i64> {
    match c {
        '万' => Some(10_000),
        '亿' => Some(100_000_000),
        _ => None,
    }
}

/// Two or three tens in one character: 廿, 卅.
fn chinese_tens(c: char) -> Option<i64> {
    match c {
        '廿' => Some(20),
        '卅' => Some(30),
        '卌' => Some(40),
        _ => None,
    }
}

/// True for a character of Chinese numerals, folded.
pub(super) fn is_chinese(c: char) -> bool {
    chinese_digit(c).is_some()
        || chinese_unit(c).is_some()
        || chinese_myriad(c).is_some()
        || chinese_tens(c).is_some()
}

/// Reads a whole run of Chinese numerals, which may start with digits: 一百零五, 廿, 1万2千, 二〇.
pub(crate) fn read_chinese(run: &[char]) -> Result<i64, Fault> {
    let digit_of = |c: char| chinese_digit(c).or_else(|| digit(c));
    // Digits alone: one, or several in places (二〇二六). Two of them side by side without a nought are "three or
    // four".
    if run.iter().all(|c| digit_of(*c).is_some()) {
        let vague = run.len() > 1 && run.iter().all(|c| chinese_digit(*c).is_some_and(|n| n > 0));
        if vague && run.len() == 2 {
            return Err(Fault::Vague);
        }
        return run
            .iter()
            .try_fold(0_i64, |value, c| {
                value.checked_mul(10)?.checked_add(digit_of(*c)?)
            })
            .ok_or(Fault::TooLarge);
    }
    let mut total = 0_i64;
    let mut section = 0_i64;
    let mut pending: Option<i64> = None;
    let mut nought = false;
    let mut last_unit = i64::MAX;
    let mut last_myriad = i64::MAX;
    for (idx, c) in run.iter().enumerate() {
        if let Some(value) = digit(*c) {
            // Latin digits before a unit: 12万.
            let so_far = if idx > 0 && digit(run[idx - 1]).is_some() {
                pending.unwrap_or(0)
            } else {
                0
            };
            pending = Some(
                so_far
                    .checked_mul(10)
                    .and_then(|n| n.checked_add(value))
                    .ok_or(Fault::TooLarge)?,
            );
        } else if let Some(value) = chinese_digit(*c) {
            if pending.is_some() {
                return Err(if nought { Fault::Malformed } else { Fault::Vague });
            }
            if value == 0 {
                nought = true;
            } else {
                pending = Some(value);
            }
        } else if let Some(value) = chinese_tens(*c) {
            if pending.is_some() || last_unit <= 10 {
                return Err(Fault::Malformed);
            }
            section += value;
            last_unit = 10;
        } else if let Some(unit) = chinese_unit(*c) {
            if unit >= last_unit || (pending.is_none() && unit != 10) {
                return Err(Fault::Malformed);
            }
            section += pending
                .take()
                .unwrap_or(1)
                .checked_mul(unit)
                .ok_or(Fault::TooLarge)?;
            last_unit = unit;
            nought = false;
        } else if let Some(myriad) = chinese_myriad(*c) {
            section += pending.take().unwrap_or(0);
            if section == 0 || myriad >= last_myriad {
                return Err(Fault::Malformed);
            }
            total += section.checked_mul(myriad).ok_or(Fault::TooLarge)?;
            section = 0;
            last_unit = i64::MAX;
            last_myriad = myriad;
            nought = false;
        } else {
            return Err(Fault::Malformed);
        }
    }
    if let Some(value) = pending {
        // 一百五 is short for 150 to one speaker and a slip to another; 一百零五 and 十五 are plain.
        let smallest = last_unit.min(last_myriad);
        if smallest > 10 && !nought {
            return Err(Fault::Malformed);
        }
        section += value;
    } else if nought {
        return Err(Fault::Malformed);
    }
    total.checked_add(section).ok_or(Fault::TooLarge)
}
