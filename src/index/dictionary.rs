//! Where the postings of each word are.
//!
//! tantivy reads the whole dictionary of a field before it looks up the first word, and all of it must be compared
//! with its checksums; so a search would cost the more the more words there are. This one is read where a word
//! stands. It is a sorted map ([`sorted`]): the keys are words, each with its field before it, and
//!
//! ```text
//! value := entries that have it
//!          where its postings begin, their length
//!          where its positions begin, their length
//! ```
//!
//! Where something begins is 0 if that of the word before, in the same leaf, ends there, else 1 more than it is.
//!
//! [`sorted`]: super::sorted

use crate::corpus::Damaged;
use crate::index::codec::Reader;
use crate::index::sorted::{MapWriter, SortedMap};
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use tantivy::postings::TermInfo;
use tantivy::schema::Field;
use tantivy::termdict::TermDictionary;

/// A word with its field before it, so that words of all fields have one order.
fn key_of(field: Field, word: &[u8]) -> Vec<u8> {
    let mut key = vec![field.field_id() as u8];
    key.extend(word);
    key
}

/// Writes the dictionary of what tantivy wrote of each field.
///
/// # Errors
///
/// When that cannot be read, or writing fails.
pub fn write<'w>(
    fields: impl IntoIterator<Item = (Field, &'w TermDictionary)>,
    map: &mut MapWriter,
    out: &mut impl Write,
) -> io::Result<()> {
    let (mut postings, mut positions) = (0, 0);
    for (field, words) in fields {
        let mut words = words.stream()?;
        while words.advance() {
            let info: &TermInfo = words.value();
            let (value, is_first) = map.key(&key_of(field, words.key()), out)?;
            if is_first {
                (postings, positions) = (0, 0);
            }
            value.number(u64::from(info.doc_freq));
            for (range, end) in [
                (&info.postings_range, &mut postings),
                (&info.positions_range, &mut positions),
            ] {
                value.number(if range.start == *end {
                    0
                } else {
                    range.start as u64 + 1
                });
                value.number(range.len() as u64);
                *end = range.end;
            }
        }
    }
    Ok(())
}

/// A stored dictionary.
#[derive(Debug, Clone)]
pub struct Dictionary(pub SortedMap);

impl Dictionary {
    /// Where the postings of a word are; none where no text has it.
    ///
    /// # Errors
    ///
    /// When what is read of it is damaged.
    pub fn find(&self, field: Field, word: &str) -> Result<Option<TermInfo>, Damaged> {
        let (mut postings, mut positions) = (0, 0);
        self.0.find(&key_of(field, word.as_bytes()), |value| {
            Ok(TermInfo {
                doc_freq: u32::try_from(value.number()?).unwrap_or(u32::MAX),
                postings_range: range(value, &mut postings)?,
                positions_range: range(value, &mut positions)?,
            })
        })
    }
}

impl Dictionary {
    /// Goes through the words of a field that are not before `from`, in order, until `each` breaks off.
    ///
    /// # Errors
    ///
    /// As for [`Dictionary::find`].
    pub fn each_word(
        &self,
        field: Field,
        from: &str,
        mut each: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), Damaged> {
        let skip = |value: &mut Reader<'_>| (0..VALUE).try_for_each(|_| value.number().map(|_| ()));
        self.0.scan(&key_of(field, from.as_bytes()), skip, |key, ()| {
            match key.split_first() {
                Some((id, word)) if *id == field.field_id() as u8 => {
                    std::str::from_utf8(word).map_or(ControlFlow::Continue(()), &mut each)
                }
                _ => ControlFlow::Break(()),
            }
        })
    }
}

/// The numbers of a value.
const VALUE: usize = 5;

/// The next range of a leaf, after the end of the one before.
fn range(leaf: &mut Reader<'_>, end: &mut usize) -> Result<Range<usize>, Damaged> {
    let start = leaf.number()?.checked_sub(1).unwrap_or(*end);
    *end = start.saturating_add(leaf.number()?);
    Ok(start..*end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::sorted::tests::stored;
    use tantivy::directory::RamDirectory;
    use tantivy::indexer::SingleSegmentIndexWriter;
    use tantivy::schema::{STRING, Schema, TEXT};
    use tantivy::{IndexBuilder, SegmentReader, TantivyDocument, Term};

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
        let inverted = fields.map(|field| segment.inverted_index(field).unwrap());
        let words = fields
            .into_iter()
            .zip(inverted.iter().map(|inverted| inverted.terms()));
        let dictionary = Dictionary(stored(|map, out| write(words, map, out).unwrap()));
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
        let mut from_z = Vec::new();
        let each = |word: &str| {
            from_z.push(word.to_owned());
            ControlFlow::Continue(())
        };
        dictionary.each_word(fields[0], "word98", each).unwrap();
        assert_eq!(from_z[..2], ["word98", "word99"]);
        assert!(from_z[2..].iter().all(|word| word.starts_with('规')) && from_z.len() == 302);
        let none = Dictionary(stored(|_, _| ()));
        assert_eq!(none.find(fields[0], "all").unwrap(), None);
    }
}
