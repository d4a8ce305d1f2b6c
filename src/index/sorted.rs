//! Sorted maps: keys with values, read where a key stands.
//!
//! ```text
//! leaves := rows of up to 32 keys, all in order: { shared with the key before, length, bytes of the rest; value }
//! firsts := the first key of each leaf
//! ```
//!
//! So a key is found in a few blocks of the file, however many there are: some of the firsts, and one leaf. Numbers are
//! LEB128. What a value is, who makes a map says.

use crate::corpus::Damaged;
use crate::index::codec::{Reader, Table, TableWriter, Writer, write_table};
use crate::index::pack::{Packer, Section};
use std::cmp::Ordering;
use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;

/// Keys of a leaf.
const LEAF: usize = 32;

/// A map on its way into a file, key by key in ascending order.
#[derive(Debug, Default)]
pub struct MapWriter {
    table: TableWriter,
    firsts: Vec<Vec<u8>>,
    leaf: Writer,
    n_keys: usize,
    last: Vec<u8>,
}

impl MapWriter {
    /// Begins the section of the leaves.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn begin<F: Read + Write + Seek>(name: &str, packer: &mut Packer<F>) -> io::Result<Self> {
        packer.begin(name)?;
        Ok(Self::default())
    }

    /// Writes the next key; returns where its value goes, and whether the key is the first of a leaf.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn key(&mut self, key: &[u8], out: &mut impl Write) -> io::Result<(&mut Writer, bool)> {
        let is_first = self.n_keys.is_multiple_of(LEAF);
        if is_first {
            self.finish_leaf(out)?;
            self.firsts.push(key.to_vec());
        }
        let shared = self.last.iter().zip(key).take_while(|(a, b)| a == b).count();
        self.leaf.number(shared as u64);
        self.leaf.bytes(&key[shared..]);
        self.last.truncate(shared);
        self.last.extend(&key[shared..]);
        self.n_keys += 1;
        Ok((&mut self.leaf, is_first))
    }

    fn finish_leaf(&mut self, out: &mut impl Write) -> io::Result<()> {
        let leaf = std::mem::take(&mut self.leaf).finish();
        self.last.clear();
        match leaf.is_empty() {
            true => Ok(()),
            false => self.table.row(&leaf, out),
        }
    }

    /// Ends the section of the leaves, and writes that of their first keys.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn finish<F: Read + Write + Seek>(mut self, firsts: &str, packer: &mut Packer<F>) -> io::Result<()> {
        self.finish_leaf(packer)?;
        self.table.finish(packer)?;
        packer.begin(firsts)?;
        write_table(self.firsts.iter().map(Vec::as_slice), packer)
    }
}

/// A stored map.
#[derive(Debug, Clone)]
pub struct SortedMap {
    leaves: Table,
    firsts: Table,
}

impl SortedMap {
    /// Reads how many rows its two tables have.
    ///
    /// # Errors
    ///
    /// When they are damaged.
    pub fn new(leaves: Section, firsts: Section) -> Result<Self, Damaged> {
        Ok(Self {
            leaves: Table::new(leaves)?,
            firsts: Table::new(firsts)?,
        })
    }

    /// The value of a key; none where it is not there. Values are read from that of the first key of its leaf on.
    ///
    /// # Errors
    ///
    /// When what is read of it is damaged.
    pub fn find<'a, V>(
        &'a self,
        wanted: &[u8],
        value: impl FnMut(&mut Reader<'a>) -> Result<V, Damaged>,
    ) -> Result<Option<V>, Damaged> {
        let Some(leaf) = self.leaf_of(wanted)? else {
            return Ok(None);
        };
        let found = self.read_leaf(leaf, value, |key, value| match key.cmp(wanted) {
            Ordering::Less => ControlFlow::Continue(()),
            Ordering::Equal => ControlFlow::Break(Some(value)),
            Ordering::Greater => ControlFlow::Break(None),
        })?;
        Ok(found.break_value().flatten())
    }

    /// Goes through the keys that are not before `from`, in order, until `each` breaks off.
    ///
    /// # Errors
    ///
    /// As for [`SortedMap::find`].
    pub fn scan<'a, V>(
        &'a self,
        from: &[u8],
        mut value: impl FnMut(&mut Reader<'a>) -> Result<V, Damaged>,
        mut each: impl FnMut(&[u8], V) -> ControlFlow<()>,
    ) -> Result<(), Damaged> {
        for leaf in self.leaf_of(from)?.unwrap_or_default()..self.leaves.len() {
            let went = self.read_leaf(leaf, &mut value, |key, value| match key < from {
                true => ControlFlow::Continue(()),
                false => each(key, value),
            })?;
            if went.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The leaf in which a key stands if it stands anywhere; none where it is before all.
    fn leaf_of(&self, wanted: &[u8]) -> Result<Option<usize>, Damaged> {
        let (mut low, mut high) = (0, self.firsts.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.firsts.row(middle)? <= wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low.checked_sub(1))
    }

    /// Gives the keys of a leaf with their values, in order.
    fn read_leaf<'a, V, B>(
        &'a self,
        leaf: usize,
        mut value: impl FnMut(&mut Reader<'a>) -> Result<V, Damaged>,
        mut each: impl FnMut(&[u8], V) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Damaged> {
        let mut reader = Reader::new(self.leaves.row(leaf)?);
        let mut key = Vec::new();
        while !reader.is_empty() {
            key.truncate(reader.number()?);
            key.extend(reader.bytes()?);
            let value = value(&mut reader)?;
            let went = each(&key, value);
            if went.is_break() {
                return Ok(went);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::index::pack::Pack;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::io::Cursor;
    use tantivy::directory::OwnedBytes;

    /// A map, written by `write` and opened.
    pub fn stored(write: impl FnOnce(&mut MapWriter, &mut Packer<Cursor<Vec<u8>>>)) -> SortedMap {
        let mut packer = Packer::new(Cursor::new(Vec::new())).unwrap();
        let mut map = MapWriter::begin("leaves", &mut packer).unwrap();
        write(&mut map, &mut packer);
        map.finish("firsts", &mut packer).unwrap();
        let pack = Pack::open(OwnedBytes::new(packer.finish().unwrap().into_inner())).unwrap();
        SortedMap::new(pack.expect("leaves").unwrap(), pack.expect("firsts").unwrap()).unwrap()
    }

    proptest! {
        #[test]
        fn a_map_answers_as_a_tree_does(
            map in prop::collection::btree_map("[ab规]{0,6}", any::<u32>(), 0..200),
            asked in prop::collection::vec("[ab规]{0,7}", 20),
        ) {
            let stored = stored(|writer, packer| {
                for (key, value) in &map {
                    writer.key(key.as_bytes(), packer).unwrap().0.number(u64::from(*value));
                }
            });
            let number = |reader: &mut Reader<'_>| reader.number();
            for key in map.keys().chain(&asked) {
                let expected = map.get(key).map(|value| *value as usize);
                prop_assert_eq!(stored.find(key.as_bytes(), number).unwrap(), expected);
                let mut found = BTreeMap::new();
                stored.scan(key.as_bytes(), number, |key, value| {
                    found.insert(String::from_utf8(key.to_vec()).unwrap(), value as u32);
                    ControlFlow::Continue(())
                }).unwrap();
                let rest: BTreeMap<_, _> = map.range(key.clone()..).map(|(k, v)| (k.clone(), *v)).collect();
                prop_assert_eq!(found, rest);
            }
        }
    }
}
