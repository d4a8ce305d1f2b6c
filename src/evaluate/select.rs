//! Which of the numbers of a phrase is asked about.

use crate::condition::{Mention, Role};
use crate::fold::fold_char;

/// The noun of a question, cut into what can be compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// One part for each quantity asked about.
    pub parts: Vec<Part>,
}

/// What is asked about: its head and all its words.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    /// As given.
    pub text: String,
    head: Vec<String>,
    words: Vec<String>,
    /// Its words as written, among which a verb may be.
    verbs: Vec<String>,
}

impl Asked {
    /// Reads a noun: `power`, `cards in your hand`, `Level; counters`.
    pub fn new(noun: Option<&str>) -> Asked {
        let parts = noun
            .unwrap_or("")
            .split([';', '；'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(Part::new)
            .collect();
        Asked { parts }
    }
}

impl Part {
    fn new(text: &str) -> Part {
        let key: String = text.chars().map(fold_char).collect();
        // English names the head before its prepositions, Chinese after the last 的.
        let head = match key.rsplit_once('的') {
            Some((_, head)) if !head.is_empty() => head.to_owned(),
            _ => english_head(&key),
        };
        Part {
            text: text.to_owned(),
            head: words(&head),
            words: words(&key),
            verbs: verbs(&key),
        }
    }

    /// True where the clause of a mention names what is asked about, and the mention is about something else.
    pub fn is_beside(&self, mention: &Mention) -> bool {
        let nouns: Vec<String> = mention.nouns.iter().flat_map(|noun| words(noun)).collect();
        let context: Vec<String> = mention.context.iter().flat_map(|word| words(word)).collect();
        // One common character is enough in Chinese: 手牌 and 牌 are one thing.
        let han = |text: &str| {
            text.chars()
                .filter(|c| crate::fold::is_han(*c))
                .collect::<Vec<char>>()
        };
        let named = han(&mention.nouns.concat());
        if han(&self.text)
            .iter()
            .any(|c| named.contains(&crate::fold::fold_char(*c)))
        {
            return false;
        }
        let among = |list: &[String]| {
            self.words
                .iter()
                .any(|word| list.iter().any(|other| alike(word, other)))
        };
        let head_among = |list: &[String]| {
            self.head
                .iter()
                .any(|word| list.iter().any(|other| alike(word, other)))
        };
        !nouns.is_empty() && !among(&nouns) && head_among(&context)
    }

    /// How well a mention fits: 0 not at all.
    pub fn fit(&self, mention: &Mention) -> usize {
        let nouns: Vec<String> = mention.nouns.iter().flat_map(|noun| words(noun)).collect();
        let heads = self
            .head
            .iter()
            .filter(|word| nouns.iter().any(|noun| alike(word, noun)))
            .count();
        let all = self
            .words
            .iter()
            .filter(|word| nouns.iter().any(|noun| alike(word, noun)))
            .count();
        // The last word of the head says what it is: "Life cards" are cards.
        let last = self
            .head
            .last()
            .is_some_and(|word| nouns.last().is_some_and(|noun| alike(word, noun)));
        // "Cards drawn" are those of "draw two cards".
        let verb = mention
            .verb
            .as_ref()
            .is_some_and(|verb| self.verbs.iter().any(|word| same_verb(word, verb)));
        let context: Vec<String> = mention.context.iter().flat_map(|word| words(word)).collect();
        let around = self
            .words
            .iter()
            .filter(|word| context.iter().any(|other| alike(word, other)))
            .count();
        (heads * 4 + usize::from(last) * 4 + all * 2 + usize::from(verb) * 6) * 8 + around
    }
}

fn english_head(key: &str) -> String {
    let mut rest = key;
    for lead in [
        "the ",
        "sum of ",
        "total of ",
        "number of ",
        "amount of ",
        "ordinal of ",
        "distinct ",
        "potential ",
        "revealed ",
    ] {
        rest = rest.strip_prefix(lead).unwrap_or(rest);
    }
    let stop = [
        " with ",
        " in ",
        " on ",
        " of ",
        " you ",
        " that ",
        " from ",
        " among ",
        " they ",
        " controlled ",
        " drawn",
        " chosen",
        " picked",
        " cast ",
        " revealed",
    ]
    .iter()
    .filter_map(|word| rest.find(word))
    .min()
    .unwrap_or(rest.len());
    rest[..stop].to_owned()
}

/// Words of a noun; Chinese in pairs of characters, so that parts of a compound are found.
fn words(key: &str) -> Vec<String> {
    let mut found = Vec::new();
    for run in key.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '+' && c != '/') {
        if run.is_empty()
            || matches!(
                run,
                "the" | "a" | "an" | "you" | "your" | "of" | "on" | "in" | "with" | "that" | "it" | "its"
            )
        {
            continue;
        }
        if run.chars().any(crate::fold::is_han) {
            let chars: Vec<char> = run.chars().collect();
            if let [one] = chars[..] {
                found.push(one.to_string());
            }
            found.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else {
            found.push(stem(run));
        }
    }
    found
}

/// The words of a noun among which a verb may be; of Chinese, every run of two characters and its first one.
fn verbs(key: &str) -> Vec<String> {
    let mut found: Vec<String> = key
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 2 && word.is_ascii())
        .map(str::to_owned)
        .collect();
    if let Some(first) = key.chars().next().filter(|c| crate::fold::is_han(*c)) {
        found.push(first.to_string());
    }
    found
}

/// True for forms of one verb: draw, drawn; 抽, 抽取.
fn same_verb(left: &str, right: &str) -> bool {
    if !left.is_ascii() {
        return right.starts_with(left);
    }
    let shared = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    shared >= 3 && shared + 3 >= left.len().max(right.len())
}

/// An English noun without its plural.
fn stem(word: &str) -> String {
    if let Some(base) = word.strip_suffix("ies") {
        return format!("{base}y");
    }
    for ending in ["'s", "s"] {
        if let Some(base) = word.strip_suffix(ending)
            && base.len() > 2
            && !base.ends_with('s')
        {
            return base.to_owned();
        }
    }
    word.to_owned()
}

fn alike(left: &str, right: &str) -> bool {
    left == right
}

/// The mentions that may answer, of `mentions`: those that fit the noun best. A mention that is an instruction wins
/// only where it fits better than any other, and then nothing may be answered.
pub(super) fn best<'m>(part: Option<&Part>, mentions: &[&'m Mention]) -> Vec<&'m Mention> {
    let fit = |mention: &Mention| part.map_or(0, |part| part.fit(mention));
    let Some(most) = mentions.iter().map(|mention| fit(mention)).max() else {
        return Vec::new();
    };
    let close: Vec<&Mention> = mentions
        .iter()
        .copied()
        .filter(|mention| fit(mention) == most)
        .collect();
    // Among equals a condition comes before a filter, a filter before an instruction.
    let rank = |mention: &Mention| match mention.role {
        Role::Condition | Role::Choice => 0,
        Role::Filter => 1,
        Role::Instruction => 2,
    };
    let first = close.iter().map(|mention| rank(mention)).min().unwrap_or(0);
    close
        .into_iter()
        .filter(|mention| rank(mention) == first)
        .collect()
}

/// True for the same thing, in whichever number: `card` and `cards`. What is not named is the same as anything.
pub(super) fn same_noun(left: &[String], right: &[String]) -> bool {
    let words = |nouns: &[String]| nouns.iter().flat_map(|noun| words(noun)).collect::<Vec<String>>();
    left.is_empty() || right.is_empty() || words(left) == words(right)
}
