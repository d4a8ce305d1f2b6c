//! How alike two texts are.
//!
//! Texts are compared as sets of words (English words without their endings, pairs of Han characters), each weighing
//! as much as it is rare (inverse document frequency); numbers and asides that only refer are left out, since a
//! renumbered reference is no change. The likeness of two texts is the weighted Jaccard index of their sets, from 0 to
//! 1; what of one is held in the other is known as well, since rules are added to, merged and split.

use crate::fold::{Folded, is_han};
use crate::hash::{FastMap, FastSet};
use std::borrow::Cow;

/// Texts that can be asked which of them is most like another.
#[derive(Debug, Default)]
pub struct Matcher {
    words: FastMap<String, u32>,
    weights: Vec<f64>,
    texts: Vec<Vec<u32>>,
    /// What the words of each text weigh together.
    totals: Vec<f64>,
    postings: Vec<Vec<u32>>,
}

impl Matcher {
    /// Learns the texts; each is known by its place.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Matcher {
        Matcher::of(texts.into_iter().map(|text| Wording::of(text).stems))
    }

    /// Learns the stems of the texts.
    pub(super) fn of(texts: impl IntoIterator<Item = Vec<String>>) -> Matcher {
        let mut matcher = Matcher::default();
        for stems in texts {
            let number = matcher.texts.len() as u32;
            let mut set: Vec<u32> = Vec::with_capacity(stems.len());
            for word in stems {
                let next = matcher.words.len() as u32;
                let word = *matcher.words.entry(word).or_insert(next);
                if word == next {
                    matcher.postings.push(Vec::new());
                }
                set.push(word);
            }
            set.sort_unstable();
            set.dedup();
            set.shrink_to_fit();
            for word in &set {
                matcher.postings[*word as usize].push(number);
            }
            matcher.texts.push(set);
        }
        let n_texts = matcher.texts.len() as f64;
        matcher.weights = matcher
            .postings
            .iter()
            .map(|texts| (1.0 + n_texts / texts.len() as f64).ln())
            .collect();
        matcher.totals = matcher.texts.iter().map(|text| matcher.weight(text)).collect();
        matcher
    }

    fn weight(&self, text: &[u32]) -> f64 {
        text.iter().map(|word| self.weights[*word as usize]).sum()
    }

    /// What a word weighs that is in none of the texts.
    fn unknown(&self) -> f64 {
        (1.0 + self.texts.len() as f64).ln()
    }

    /// How like the text at that place is to `text`.
    pub fn likeness(&self, place: usize, text: &str) -> f64 {
        let set = self.set(text);
        let known = self.texts.get(place);
        known.map_or(0.0, |own| self.jaccard(own, self.totals[place], &set))
    }

    /// The place of the text most like `text`, and how like it is; the first of several. None where no text
    /// shares a word with it.
    pub fn best(&self, text: &str) -> Option<(usize, f64)> {
        self.best_of(text, 1).into_iter().next()
    }

    /// The places of the `limit` texts most like `text`, and how like each is; best first.
    pub fn best_of(&self, text: &str, limit: usize) -> Vec<(usize, f64)> {
        self.best_of_set(&self.set(text), limit)
    }

    fn best_of_set(&self, set: &[(Option<u32>, f64)], limit: usize) -> Vec<(usize, f64)> {
        // What the words weigh that a text shares, and the texts that share any.
        let mut shared = vec![0.0; self.texts.len()];
        let mut sharing: Vec<u32> = Vec::new();
        for (word, weight) in set {
            // A word of half the texts tells none of them apart; an unknown one is in none.
            let Some(postings) = word.and_then(|word| self.postings.get(word as usize)) else {
                continue;
            };
            if postings.len() * 2 > self.texts.len().max(8) {
                continue;
            }
            for text in postings {
                let shared = &mut shared[*text as usize];
                if *shared == 0.0 {
                    sharing.push(*text);
                }
                *shared += weight;
            }
        }
        let sharing = sharing.into_iter().map(|text| (text, shared[text as usize]));
        let mut candidates: Vec<(u32, f64)> = sharing.collect();
        let best_first = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        let n_candidates = CANDIDATES.max(limit);
        if candidates.len() > n_candidates {
            candidates.select_nth_unstable_by(n_candidates, best_first);
            candidates.truncate(n_candidates);
        }
        candidates.sort_unstable_by(best_first);
        let mut best: Vec<(usize, f64)> = candidates
            .into_iter()
            .map(|(place, _)| {
                let place = place as usize;
                (place, self.jaccard(&self.texts[place], self.totals[place], set))
            })
            .collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(limit);
        best
    }

    /// The distinct words of a text, known or not, each with its weight.
    fn set(&self, text: &str) -> Vec<(Option<u32>, f64)> {
        let mut seen: FastSet<String> = FastSet::default();
        let weighed = Wording::of(text).stems.into_iter().filter_map(|word| {
            let weighed = match self.words.get(&word) {
                Some(&word) => (Some(word), self.weights[word as usize]),
                None => (None, self.unknown()),
            };
            seen.insert(word).then_some(weighed)
        });
        weighed.collect()
    }

    fn jaccard(&self, own: &[u32], weight: f64, other: &[(Option<u32>, f64)]) -> f64 {
        let (mut both, mut only) = (0.0, 0.0);
        for (word, weight) in other {
            match word {
                Some(word) if own.binary_search(word).is_ok() => both += weight,
                _ => only += weight,
            }
        }
        let union = weight + only;
        if union > 0.0 { both / union } else { 1.0 }
    }
}

/// How many texts that share the most are compared in full.
const CANDIDATES: usize = 12;

/// How alike two texts are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alike {
    /// From 0 to 1.
    pub(super) likeness: f64,
    /// How much of what the older one says is in the newer one.
    pub(super) kept: f64,
    /// The same, if the older one is not too short to mean anything; else nothing.
    pub(super) kept_at_length: f64,
    /// How much of what one of them says is in the other, of one that is not too short.
    pub(super) held: f64,
}

/// The texts of one matcher against those of another.
#[derive(Debug)]
pub(super) struct Between<'m> {
    old: &'m Matcher,
    new: &'m Matcher,
    /// Each word of the old texts in the new ones.
    translated: Vec<Option<u32>>,
}

/// How many different words a text has at least that is looked for in a longer one.
const ENOUGH_WORDS: usize = 8;

impl<'m> Between<'m> {
    pub(super) fn new(old: &'m Matcher, new: &'m Matcher) -> Self {
        let mut translated = vec![None; old.words.len()];
        for (word, &number) in &old.words {
            translated[number as usize] = new.words.get(word).copied();
        }
        Between { old, new, translated }
    }

    /// How alike the old text at `from` and the new one at `to` are.
    pub(super) fn alike(&self, from: usize, to: usize) -> Alike {
        let Between { old, new, translated } = self;
        let (own, other) = (&old.texts[from], &new.texts[to]);
        let (mut kept, mut shared, mut only) = (0.0, 0.0, 0.0);
        for &word in own {
            match translated[word as usize] {
                Some(known) if other.binary_search(&known).is_ok() => {
                    kept += old.weights[word as usize];
                    shared += new.weights[known as usize];
                }
                Some(known) => only += new.weights[known as usize],
                None => only += new.unknown(),
            }
        }
        let part = |part: f64, of: f64| if of > 0.0 { part / of } else { 0.0 };
        // Short texts share their words with too many others.
        let enough = |words: &[u32]| words.len() >= ENOUGH_WORDS;
        let kept = part(kept, old.totals[from]);
        let said = part(shared, new.totals[to]);
        let union = new.totals[to] + only;
        Alike {
            likeness: if union > 0.0 { shared / union } else { 1.0 },
            kept,
            kept_at_length: if enough(own) { kept } else { 0.0 },
            held: f64::max(
                if enough(own) { kept } else { 0.0 },
                if enough(other) { said } else { 0.0 },
            ),
        }
    }

    /// The places of the `limit` new texts most like the old one at `from`; best first.
    pub(super) fn likest(&self, from: usize, limit: usize) -> Vec<usize> {
        let Between { old, new, translated } = self;
        let own = old.texts[from].iter();
        let words = own.map(|&word| match translated[word as usize] {
            Some(word) => (Some(word), new.weights[word as usize]),
            None => (None, new.unknown()),
        });
        let places = new.best_of_set(&words.collect::<Vec<_>>(), limit);
        places.into_iter().map(|(to, _)| to).collect()
    }
}

/// What a text says, for comparison: its words without numbers, punctuation and typography. Blanks are typography, too:
/// texts taken from printed pages lose some at the ends of lines.
pub fn wording_key(text: &str) -> String {
    words(text).concat()
}

/// A text's [`wording_key`], hashed: many editions are compared at once, and their texts would be in memory twice more.
pub(super) type Said = [u8; 16];

/// What is known of a text for comparison.
pub(super) struct Wording {
    /// What it says.
    pub(super) said: Said,
    /// The words by which it is compared.
    pub(super) stems: Vec<String>,
}

impl Wording {
    pub(super) fn of(text: &str) -> Wording {
        let all = words(text);
        let mut hasher = blake3::Hasher::new();
        for word in &all {
            hasher.update(word.as_bytes());
        }
        let said = *hasher.finalize().as_bytes().first_chunk().unwrap_or(&[0; 16]);
        let stems = match without_references(text) {
            Cow::Borrowed(_) => stems(all),
            Cow::Owned(rest) => stems(words(&rest)),
        };
        Wording { said, stems }
    }
}

/// A text without the asides that only send its reader elsewhere: `(See rule 603, “Handling Triggered Abilities.”)`.
fn without_references(text: &str) -> Cow<'_, str> {
    const SEE: [&str; 4] = ["see ", "See ", "参见", "參見"];
    let mut kept = String::new();
    let mut is_whole = true;
    let mut rest = text;
    while let Some(open) = rest.find(['(', '（']) {
        let inside = rest[open..].trim_start_matches(['(', '（']);
        let end = inside.find([')', '）']);
        let Some(end) = end.filter(|_| SEE.iter().any(|see| inside.starts_with(see))) else {
            let next = rest.len() - inside.len();
            kept.push_str(&rest[..next]);
            rest = inside;
            continue;
        };
        is_whole = false;
        kept.push_str(&rest[..open]);
        rest = inside[end..].trim_start_matches([')', '）']);
    }
    if is_whole {
        return Cow::Borrowed(text);
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The words of a text that say what it is about: Latin words and pairs of Han characters, no numbers.
fn words(text: &str) -> Vec<String> {
    let folded = Folded::new(text);
    let chars = folded.chars();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if is_han(c) {
            let next = chars.get(at + 1).copied().filter(|next| is_han(*next));
            found.push(std::iter::once(c).chain(next).collect());
            at += 1;
        } else if c.is_alphabetic() {
            let end = chars[at..]
                .iter()
                .position(|c| !c.is_alphanumeric() || is_han(*c))
                .map_or(chars.len(), |n| at + n);
            found.push(chars[at..end].iter().collect());
            at = end;
        } else if c.is_numeric() {
            // A number with whatever hangs on it: `702.19b`.
            let end = chars[at..]
                .iter()
                .position(|c| !c.is_alphanumeric() || is_han(*c))
                .map_or(chars.len(), |n| at + n);
            at = end.max(at + 1);
        } else {
            at += 1;
        }
    }
    found
}

/// The words of a text by which it is compared: English ones without their endings, and no ordinals.
fn stems(words: Vec<String>) -> Vec<String> {
    const ORDINALS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ];
    let words = words.into_iter();
    words
        .filter(|word| !ORDINALS.contains(&word.as_str()))
        .map(stem)
        .collect()
}

/// An English word without its ending, as far as is needed to know it again: `enters` and `entered` are `enter`.
fn stem(mut word: String) -> String {
    /// How many letters are left at least.
    const LEFT: usize = 3;
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word;
    }
    if let Some(base) = word.strip_suffix("ies").or_else(|| word.strip_suffix("ied")) {
        if base.len() >= LEFT - 1 {
            let base = base.len();
            word.truncate(base);
            word.push('y');
        }
        return word;
    }
    for ending in ["ing", "ed", "es", "s", "e"] {
        let base = word.len().saturating_sub(ending.len());
        if word.ends_with(ending) && base >= LEFT && !(ending == "s" && word[..base].ends_with('s')) {
            word.truncate(base);
            if word.ends_with('e') && base > LEFT {
                word.pop();
            }
            break;
        }
    }
    // `putting` is `put`, and `spell` may be `spel`.
    let letters = word.as_bytes();
    if letters.len() > LEFT && letters[letters.len() - 1] == letters[letters.len() - 2] {
        word.pop();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_like_text_is_found() {
        let texts = [
            "Flying is an evasion ability. See rule 702.9.",
            "Haste is a static ability that lets a creature attack at once.",
            "飞行是一种躲避式异能。",
        ];
        let matcher = Matcher::new(texts);
        let (place, likeness) = matcher
            .best("Haste is a static ability that lets creatures attack at once.")
            .unwrap();
        assert_eq!(place, 1);
        assert!(likeness > 0.5, "{likeness}");
        assert_eq!(
            matcher.best("Flying is an evasion ability. See rule 509.1b."),
            Some((0, 1.0))
        );
        assert_eq!(matcher.best("飞行是躲避式异能").unwrap().0, 2);
        assert!(matcher.likeness(0, "Haste") < 0.1);
        assert_eq!(matcher.best("1 2 3"), None);
        assert_eq!(Matcher::new([]).best("anything"), None);
    }

    #[test]
    fn english_words_are_known_without_their_endings() {
        let stems = |text: &str| Wording::of(text).stems.join(" ");
        assert_eq!(stems("entered enters enter"), "enter enter enter");
        assert_eq!(stems("abilities putting spells spell"), "ability put spel spel");
        assert_eq!(
            stems("First, lamps are lit. (See rule 603, “Lamps.”)"),
            "lamp are lit"
        );
        assert_eq!(stems("its uses; used"), "its use used");
        assert_eq!(stems("Ünder 践踏"), "under 践踏 踏");
    }
}
