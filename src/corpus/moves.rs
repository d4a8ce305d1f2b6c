//! Which rule of one edition is which rule of another: by its text, not by its number.
//!
//! Texts are compared as sets of words (Latin words, pairs of Han characters), each weighing as much as it is
//! rare (inverse document frequency); numbers are left out, since a renumbered reference is no change. The
//! likeness of two texts is the weighted Jaccard index of their sets, from 0 to 1.

use crate::fold::{Folded, is_han};
use std::collections::HashMap;

/// Likeness from which two texts are taken for the same rule, edited.
pub const SAME_RULE: f64 = 0.5;

/// Texts that can be asked which of them is most like another.
#[derive(Debug, Default)]
pub struct Matcher {
    words: HashMap<String, u32>,
    weights: Vec<f64>,
    texts: Vec<Vec<u32>>,
    postings: Vec<Vec<u32>>,
}

impl Matcher {
    /// Learns the texts; each is known by its place.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Matcher {
        let mut matcher = Matcher::default();
        for text in texts {
            let number = matcher.texts.len() as u32;
            let mut set: Vec<u32> = Vec::new();
            for word in words(text) {
                let next = matcher.words.len() as u32;
                let word = *matcher.words.entry(word).or_insert(next);
                if word == next {
                    matcher.postings.push(Vec::new());
                }
                set.push(word);
            }
            set.sort_unstable();
            set.dedup();
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
        matcher
    }

    /// How like the text at that place is to `text`.
    pub fn likeness(&self, place: usize, text: &str) -> f64 {
        let set = self.set(text);
        self.texts.get(place).map_or(0.0, |own| self.jaccard(own, &set))
    }

    /// How much of the text at that place `later` still says: 1 where it was only added to.
    pub fn kept(&self, place: usize, later: &str) -> f64 {
        let own = self.texts.get(place).map_or(&[][..], Vec::as_slice);
        let weight: f64 = own.iter().map(|word| self.weights[*word as usize]).sum();
        let set = self.set(later);
        let known = set
            .iter()
            .filter(|(word, _)| word.is_some_and(|word| own.binary_search(&word).is_ok()));
        let both: f64 = known.map(|(_, weight)| weight).sum();
        if weight > 0.0 { both / weight } else { 0.0 }
    }

    /// The place of the text most like `text`, and how like it is; the first of several. None where no text
    /// shares a word with it.
    pub fn best(&self, text: &str) -> Option<(usize, f64)> {
        self.best_of(text, 1).into_iter().next()
    }

    /// The places of the `limit` texts most like `text`, and how like each is; best first.
    pub fn best_of(&self, text: &str, limit: usize) -> Vec<(usize, f64)> {
        let set = self.set(text);
        let mut shared: HashMap<u32, f64> = HashMap::new();
        for (word, weight) in &set {
            // A word of half the texts tells none of them apart; an unknown one is in none.
            let Some(postings) = word.and_then(|word| self.postings.get(word as usize)) else {
                continue;
            };
            if postings.len() * 2 > self.texts.len().max(8) {
                continue;
            }
            for text in postings {
                *shared.entry(*text).or_default() += weight;
            }
        }
        let mut candidates: Vec<(u32, f64)> = shared.into_iter().collect();
        candidates.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut best: Vec<(usize, f64)> = candidates
            .into_iter()
            .take(CANDIDATES.max(limit))
            .map(|(place, _)| (place as usize, self.jaccard(&self.texts[place as usize], &set)))
            .collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(limit);
        best
    }

    /// The distinct words of a text, known or not, each with its weight.
    fn set(&self, text: &str) -> Vec<(Option<u32>, f64)> {
        let unknown = (1.0 + self.texts.len() as f64).ln();
        let mut seen = std::collections::HashSet::new();
        words(text)
            .filter(|word| seen.insert(word.clone()))
            .map(|word| match self.words.get(&word) {
                Some(&word) => (Some(word), self.weights[word as usize]),
                None => (None, unknown),
            })
            .collect()
    }

    fn jaccard(&self, own: &[u32], other: &[(Option<u32>, f64)]) -> f64 {
        let weight: f64 = own.iter().map(|word| self.weights[*word as usize]).sum();
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

/// What a text says, for comparison: its words without numbers, punctuation and typography.
pub fn wording_key(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// The words of a text that say what it is about: Latin words and pairs of Han characters, no numbers.
fn words(text: &str) -> impl Iterator<Item = String> {
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
    found.into_iter()
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
        assert!(likeness > SAME_RULE, "{likeness}");
        assert_eq!(
            matcher.best("Flying is an evasion ability. See rule 509.1b."),
            Some((0, 1.0))
        );
        assert_eq!(matcher.best("飞行是躲避式异能").unwrap().0, 2);
        assert!(matcher.likeness(0, "Haste") < 0.1);
        let added = "In short, haste is a static ability that lets a creature attack at once or later.";
        assert!(matcher.kept(1, added) > 0.99);
        assert_eq!(matcher.kept(0, "潜行"), 0.0);
        assert_eq!(matcher.best("1 2 3"), None);
        assert_eq!(Matcher::new([]).best("anything"), None);
    }
}
