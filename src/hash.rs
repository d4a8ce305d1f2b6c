//! How is looked up what is looked up very often? An ingest asks its maps for every word of every text.
//!
//! Hashing several times as fast as the standard library's, and seeded like it, so that no text can be written to
//! make it slow.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher};

/// A map that is looked up very often. Its order means nothing.
pub type FastMap<K, V> = HashMap<K, V, Seed>;

/// A set that is looked up very often. Its order means nothing.
pub type FastSet<T> = HashSet<T, Seed>;

/// What the hashes of one map start from.
#[derive(Debug, Clone)]
pub struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0))
    }
}

impl BuildHasher for Seed {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding(self.0)
    }
}

/// Multiplies what is hashed, eight bytes at a time, and folds the product's halves together.
#[derive(Debug)]
pub struct Folding(u64);

/// Half of its bits are set, in no pattern: the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Folding {
    fn add(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(FACTOR);
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(number));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }
}
