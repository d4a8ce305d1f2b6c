//! Chinese numerals and the figures they stand for: `三张` and `3张` ask the same.

/// The number that a numeral stands for, if it is one figure or is spelt with 十, 百, 千; none for anything else,
/// as two figures side by side (三四 is "three or four").
pub fn value(numeral: &[char]) -> Option<u64> {
    let mut total = 0u64;
    let mut figure: Option<u64> = None;
    // Units come in falling order.
    let mut last_unit = 10_000;
    for c in numeral {
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            '零' | '〇' if numeral.len() > 1 => continue,
            _ => {
                if figure.is_some() {
                    return None;
                }
                figure = Some(digit(*c)?);
                continue;
            }
        };
        if unit >= last_unit {
            return None;
        }
        last_unit = unit;
        total += figure.take().or((unit == 10 && total == 0).then_some(1))? * unit;
    }
    (!numeral.is_empty()).then(|| total + figure.unwrap_or(0))
}

/// True for a character that numerals are spelt with.
pub fn is_numeral(c: char) -> bool {
    matches!(c, '十' | '百' | '千') || digit(c).is_some()
}

fn digit(c: char) -> Option<u64> {
    Some(match c {
        '零' | '〇' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

/// The numerals that a number up to 9999 is spelt with: two has two.
pub fn spelt(number: u64) -> Vec<String> {
    const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let digit = |n: u64| DIGITS[(n % 10) as usize];
    match number {
        2 => vec!["二".to_owned(), "两".to_owned()],
        0..=9 => vec![digit(number).to_owned()],
        10..=9999 => {
            let mut numeral = String::new();
            let mut gap = false;
            for (unit, name) in [(1000, "千"), (100, "百"), (10, "十"), (1, "")] {
                let figure = number / unit % 10;
                if figure == 0 {
                    gap = !numeral.is_empty();
                    continue;
                }
                if std::mem::take(&mut gap) {
                    numeral.push('零');
                }
                if figure != 1 || unit != 10 || !numeral.is_empty() {
                    numeral.push_str(digit(figure));
                }
                numeral.push_str(name);
            }
            vec![numeral]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for number in 0..=9999 {
            for numeral in spelt(number) {
                let chars: Vec<char> = numeral.chars().collect();
                assert_eq!(value(&chars), Some(number), "{numeral}");
            }
        }
        assert_eq!(spelt(12), ["十二"]);
        assert_eq!(spelt(2005), ["二千零五"]);
        assert!(spelt(10_000).is_empty());
        for none in ["", "三四", "十百", "张", "百"] {
            let chars: Vec<char> = none.chars().collect();
            assert_eq!(value(&chars), None, "{none}");
        }
    }
}
