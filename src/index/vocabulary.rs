//! Words, each with a number: in the order in which they were first met.

use crate::hash::Seed;
use std::hash::{BuildHasher, Hasher};

/// Words by number, one after the other.
#[derive(Debug, Default)]
pub struct Terms {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Terms {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds one.
    pub fn push(&mut self, term: &[u8]) {
        self.bytes.extend_from_slice(term);
        self.ends.push(self.bytes.len());
    }

    /// The one of that number.
    pub fn get(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.get(number))
    }
}

/// Numbers words.
///
/// A table with open addressing, because an ingest looks up every word of every text: where a word is short, as nearly
/// all are, finding it touches one place in memory.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The words.
    pub terms: Terms,
    slots: Vec<Slot>,
    seed: Seed,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// See [`Vocabulary::key`]; 0 where there is no word.
    key: u64,
    number: u32,
}

/// The first byte of the keys of long words.
const LONG: u64 = 0xff;

/// The longest word that is its own key, in bytes.
const SHORT: usize = 7;

/// How large a table is at first.
const SMALLEST: usize = 64;

impl Vocabulary {
    /// The number of a word, which gets one if it has none.
    pub fn number(&mut self, term: &[u8]) -> u32 {
        // At most five slots in eight are taken.
        if 5 * self.slots.len() <= 8 * self.terms.len() {
            self.grow();
        }
        let key = self.key(term);
        let mut at = self.start(key);
        loop {
            let slot = &mut self.slots[at];
            if slot.key == 0 {
                let number = self.terms.len() as u32;
                *slot = Slot { key, number };
                self.terms.push(term);
                return number;
            }
            if slot.key == key && (key >> 56 != LONG || self.terms.get(slot.number as usize) == term) {
                return slot.number;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// A short word's bytes behind their count, or the hash of a long one, which several may have.
    fn key(&self, term: &[u8]) -> u64 {
        if term.len() <= SHORT {
            let mut bytes = [0; 8];
            bytes[..term.len()].copy_from_slice(term);
            return u64::from_le_bytes(bytes) | (1 + term.len() as u64) << 56;
        }
        let mut hasher = self.seed.build_hasher();
        hasher.write(term);
        hasher.finish() | LONG << 56
    }

    /// Where the search for a key begins.
    fn start(&self, key: u64) -> usize {
        let mut hasher = self.seed.build_hasher();
        hasher.write_u64(key);
        hasher.finish() as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); (2 * self.slots.len()).max(SMALLEST)];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.key != 0 {
                let mut at = self.start(slot.key);
                while self.slots[at].key != 0 {
                    at = (at + 1) & (self.slots.len() - 1);
                }
                self.slots[at] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn each_word_has_one_number(words in proptest::collection::vec("[ab\0]{0,9}|\\PC{0,12}", 0..400)) {
            let mut vocabulary = Vocabulary::default();
            let mut known: HashMap<&str, u32> = HashMap::new();
            for word in &words {
                let next = known.len() as u32;
                let expected = *known.entry(word).or_insert(next);
                prop_assert_eq!(vocabulary.number(word.as_bytes()), expected);
                prop_assert_eq!(vocabulary.terms.get(expected as usize), word.as_bytes());
            }
            prop_assert_eq!(vocabulary.terms.iter().count(), known.len());
        }
    }
}
