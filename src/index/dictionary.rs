//! Where the postings of each word are.
//!
//! tantivy reads the whole dictionary of a field before it looks up the first word, and all of it must be compared
//! with its checksums; so a search would cost the more the more words there are. This one is read where a word
//! stands:
//!
//! ```text
//! leaves := rows of up to 32 words each, all in order of field and word
//! row    := n { shared with the word before, length, bytes: the field and the word
//!               entries that have it
//!               where its postings begin, their length
//!               where its positions begin, their length }
//! firsts := the first word of each leaf
//! ```
//!
//! Numbers are LEB128. Where something begins is 0 if that of the word before ends there, else 1 more than it is.

use crate::corpus::Damaged;
use crate::index::codec::{Reader, Table, Writer};
use crate::index::terms::lower_bound;
use std::io;
use std::ops::Range;
use tantivy::SegmentReader;
use tantivy::postings::TermInfo;
use tantivy::schema::Field;

/// Words of a leaf.
const LEAF: usize = 32;

/// A word with its field before it, so that words of all fields have one order.
fn key_of(field: Field, word: &[u8]) -> Vec<u8> {
    let mut key = vec![field.field_id() as u8];
    key.extend(word);
    key
}

/// The rows of both tables, leaves and firsts.
#[derive(Debug, Default)]
pub struct Rows {
    /// The leaves.
    pub leaves: Vec<Vec<u8>>,
    /// The first word of each.
    pub firsts: Vec<Vec<u8>>,
}

/// Makes the dictionary of what tantivy wrote.
///
/// # Errors
///
/// When that cannot be read.
pub fn write(segment: &SegmentReader, fields: &[Field]) -> io::Result<Rows> {
    let mut rows = Rows::default();
    for field in fields {
        let inverted = segment.inverted_index(*field).map_err(io::Error::other)?;
        let mut words = inverted.terms().stream()?;
        let mut leaf: Vec<(Vec<u8>, TermInfo)> = Vec::new();
        while words.advance() {
            leaf.push((key_of(*field, words.key()), words.value().clone()));
            if leaf.len() == LEAF {
                rows.add(&mut leaf);
            }
        }
        rows.add(&mut leaf);
    }
    Ok(rows)
}

impl Rows {
    fn add(&mut self, words: &mut Vec<(Vec<u8>, TermInfo)>) {
        let Some((first, _)) = words.first() else {
            return;
        };
        self.firsts.push(first.clone());
        let mut leaf = Writer::default();
        leaf.number(words.len() as u64);
        let mut before: &[u8] = &[];
        let (mut postings, mut positions) = (0, 0);
        for (key, info) in &*words {
            let shared = before.iter().zip(key).take_while(|(a, b)| a == b).count();
            leaf.number(shared as u64);
            leaf.bytes(&key[shared..]);
            leaf.number(u64::from(info.doc_freq));
            for (range, end) in [
                (&info.postings_range, &mut postings),
                (&info.positions_range, &mut positions),
            ] {
                leaf.number(if range.start == *end {
                    0
                } else {
                    range.start as u64 + 1
                });
                leaf.number(range.len() as u64);
                *end = range.end;
            }
            before = key;
        }
        self.leaves.push(leaf.finish());
        words.clear();
    }
}

/// A stored dictionary.
#[derive(Debug, Clone)]
pub struct Dictionary {
    /// The words with their postings.
    pub leaves: Table,
    /// The first word of each leaf.
    pub firsts: Table,
}

impl Dictionary {
    /// Where the postings of a word are; none where no text has it.
    ///
    /// # Errors
    ///
    /// When what is read of it is damaged.
    pub fn find(&self, field: Field, word: &str) -> Result<Option<TermInfo>, Damaged> {
        let wanted = key_of(field, word.as_bytes());
        let next = lower_bound(&self.firsts, &wanted)?;
        let is_first = next < self.firsts.len() && self.firsts.row(next)? == wanted;
        let Some(leaf) = next.checked_sub(usize::from(!is_first)) else {
            return Ok(None);
        };
        let mut leaf = Reader::new(self.leaves.row(leaf)?);
        let mut key = Vec::new();
        let (mut postings, mut positions) = (0, 0);
        for _ in 0..leaf.number()? {
            key.truncate(leaf.number()?);
            key.extend(leaf.bytes()?);
            let doc_freq = leaf.number()?;
            let postings_range = range(&mut leaf, &mut postings)?;
            let positions_range = range(&mut leaf, &mut positions)?;
            if key >= wanted {
                return Ok((key == wanted).then(|| TermInfo {
                    doc_freq: u32::try_from(doc_freq).unwrap_or(u32::MAX),
                    postings_range,
                    positions_range,
                }));
            }
        }
        Ok(None)
    }
}

/// The next range of a leaf, after the end of the one before.
fn range(leaf: &mut Reader<'_>, end: &mut usize) -> Result<Range<usize>, Damaged> {
    let start = leaf.number()?.checked_sub(1).unwrap_or(*end);
    *end = start.saturating_add(leaf.number()?);
    Ok(start..*end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::codec::write_table;
    use crate::index::pack::{Pack, Packer};
    use std::io::Cursor;
    use tantivy::directory::{OwnedBytes, RamDirectory};
    use tantivy::indexer::SingleSegmentIndexWriter;
    use tantivy::schema::{STRING, Schema, TEXT};
    use tantivy::{IndexBuilder, TantivyDocument, Term};

    fn table(rows: &[Vec<u8>]) -> Table {
        let mut packer = Packer::new(Cursor::new(Vec::new())).unwrap();
        packer.begin("rows").unwrap();
        write_table(rows.iter().map(Vec::as_slice), &mut packer).unwrap();
        let file = packer.finish().unwrap().into_inner();
        let pack = Pack::open(OwnedBytes::new(file)).unwrap();
        Table::new(pack.expect("rows").unwrap()).unwrap()
    }

    #[test]
    fn words_are_where_tantivy_says() {
        let mut schema = Schema::builder();
        let fields = [
            schema.add_text_field("placed", TEXT),
            schema.add_text_field("plain", STRING),
        ];
        let mut writer: SingleSegmentIndexWriter = IndexBuilder::new()
            .schema(schema.build())
            .single_segment_index_writer(RamDirectory::create(), 15_000_000)
            .unwrap();
        for i in 0..300 {
            let mut document = TantivyDocument::default();
            document.add_text(fields[0], format!("word{i} all word{} 规则{i}", i / 2));
            document.add_text(fields[1], format!("w{}", i % 64));
            writer.add_document(document).unwrap();
        }
        let index = writer.finalize().unwrap();
        let segment = SegmentReader::open(&index.searchable_segments().unwrap()[0]).unwrap();
        let rows = write(&segment, &fields).unwrap();
        let dictionary = Dictionary {
            leaves: table(&rows.leaves),
            firsts: table(&rows.firsts),
        };
        for field in fields {
            let inverted = segment.inverted_index(field).unwrap();
            for word in [
                "all", "word7", "word299", "w63", "w", "", "zzz", "规则1", "规", "word2990",
            ]
            .map(str::to_owned)
            .into_iter()
            .chain((0..300).map(|i| format!("word{i}")))
            {
                let expected = inverted
                    .get_term_info(&Term::from_field_text(field, &word))
                    .unwrap();
                assert_eq!(dictionary.find(field, &word).unwrap(), expected, "{word}");
            }
        }
        let none = Dictionary {
            leaves: table(&[]),
            firsts: table(&[]),
        };
        assert_eq!(none.find(fields[0], "all").unwrap(), None);
    }
}
