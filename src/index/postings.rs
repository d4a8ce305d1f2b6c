//! Which words stand in which entries, and where.
//!
//! Entries come in batches, in order. An [`Inverter`], one for each thread, finds the words of a batch and sorts them
//! into a [`Block`]: for each word the entries it stands in, counted from the batch's first. [`Postings`] takes the
//! blocks in the order of their batches; a word's postings are then its pieces of all blocks, one after the other, so
//! that nothing is merged and the result is the same for any number of threads. At the end they are handed to
//! tantivy's own serializer, each field by itself.
//!
//! ```text
//! piece := length in bytes, { entry, less the one before, doubled, and 1 more if times follow;
//!          times, where they are more than one;
//!          for each time, if the field has positions: position, less the one before }
//! ```
//!
//! Numbers are LEB128. The pieces are most of what an ingest then keeps in memory.

use crate::corpus::Damaged;
use crate::entry::{Field, Lang};
use crate::fold::{Folded, is_han};
use crate::hash::FastMap;
use crate::index::codec;
use crate::index::columns::Lengths;
use crate::index::tokens::{Column, Stems, for_each_token, number_terms, tokens};
use crate::index::vocabulary::{Terms, Vocabulary};
use crate::index::write::{Above, Fields, own_number_term};
use crate::segment::{DictionaryBuilder, DictionaryWords};
use std::io;
use std::ops::Range;
use tantivy::directory::{CompositeWrite, FileSlice};
use tantivy::postings::FieldSerializer;
use tantivy::schema::IndexRecordOption;
use tantivy::termdict::TermDictionary;

/// The indexed fields, in the order of the schema.
const FIELDS: usize = 4;
const EN: usize = 0;
const ZH: usize = 1;
const HAN: usize = 2;
const CONTEXT: usize = 3;

/// What is kept of where the words of each field stand.
const RECORDED: [IndexRecordOption; FIELDS] = [
    IndexRecordOption::WithFreqsAndPositions,
    IndexRecordOption::WithFreqsAndPositions,
    IndexRecordOption::WithFreqs,
    IndexRecordOption::WithFreqs,
];

/// Characters between two texts of an entry: a hole that no phrase has. Wider ones would cost bits in every
/// position.
const GAP: usize = 16;

/// How often the words of a title count.
const TITLE_WEIGHT: usize = 3;

/// Entries in the order of the index: their records, one after the other.
#[derive(Debug, Default)]
pub struct Batch {
    /// The number of the first entry.
    pub first: usize,
    /// The records ([`codec`]).
    pub bytes: Vec<u8>,
    /// Where each record is.
    pub places: Vec<Range<usize>>,
}

impl Batch {
    fn records(&self) -> impl Iterator<Item = (usize, &[u8])> {
        (self.first..).zip(self.places.iter().map(|place| &self.bytes[place.clone()]))
    }
}

/// A word that stands somewhere.
#[derive(Debug, Clone, Copy, Default)]
struct Occurrence {
    term: u32,
    /// Counted from the first entry of the batch.
    entry: u32,
    position: u32,
}

/// One field of the batch that is looked at, and the words of all before it.
#[derive(Default)]
struct Inverted {
    vocabulary: Vocabulary,
    /// How many words were handed over.
    told: usize,
    occurrences: Vec<Occurrence>,
}

/// The words of one field of a batch.
#[derive(Debug, Default)]
struct FieldBlock {
    /// The words that its thread had not met before.
    new: Terms,
    /// The words that occur, by their number in that thread, in order.
    terms: Vec<u32>,
    /// The piece of each of them.
    pieces: Vec<u8>,
    n_occurrences: u64,
}

/// The words of a batch.
#[derive(Debug)]
pub struct Block {
    thread: u32,
    first: u32,
    fields: [FieldBlock; FIELDS],
    lengths: Vec<Lengths>,
}

fn write_number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if *byte < 0x80 {
            break;
        }
    }
    number
}

impl Inverted {
    fn push(&mut self, term: &str, entry: u32, position: usize, times: usize) {
        let term = self.vocabulary.number(term.as_bytes());
        self.push_number(term, entry, position, times);
    }

    fn push_number(&mut self, term: u32, entry: u32, position: usize, times: usize) {
        for _ in 0..times {
            self.occurrences.push(Occurrence {
                term,
                entry,
                position: position as u32,
            });
        }
    }

    /// What occurred since the last time, sorted by word. `sorted` and `counts` are only there to be used again.
    fn block(
        &mut self,
        has_positions: bool,
        sorted: &mut Vec<Occurrence>,
        counts: &mut Vec<u32>,
    ) -> FieldBlock {
        let mut block = FieldBlock {
            n_occurrences: self.occurrences.len() as u64,
            ..FieldBlock::default()
        };
        for term in self.told..self.vocabulary.terms.len() {
            block.new.push(self.vocabulary.terms.get(term));
        }
        self.told = self.vocabulary.terms.len();

        // Where the occurrences of each word begin; those of one word keep their order.
        counts.clear();
        counts.resize(self.told + 1, 0);
        for occurrence in &self.occurrences {
            counts[occurrence.term as usize + 1] += 1;
        }
        for term in 0..self.told {
            if counts[term + 1] > 0 {
                block.terms.push(term as u32);
            }
            counts[term + 1] += counts[term];
        }
        sorted.clear();
        sorted.resize(self.occurrences.len(), Occurrence::default());
        for occurrence in self.occurrences.drain(..) {
            let place = &mut counts[occurrence.term as usize];
            sorted[*place as usize] = occurrence;
            *place += 1;
        }

        let mut piece = Vec::new();
        for of_term in sorted.chunk_by(|a, b| a.term == b.term) {
            piece.clear();
            let mut before = 0;
            for of_entry in of_term.chunk_by(|a, b| a.entry == b.entry) {
                let (entry, times) = (of_entry[0].entry, of_entry.len() as u32);
                write_number((entry - before) << 1 | u32::from(times > 1), &mut piece);
                before = entry;
                if times > 1 {
                    write_number(times, &mut piece);
                }
                if has_positions {
                    let mut before = 0;
                    for occurrence in of_entry {
                        write_number(occurrence.position - before, &mut piece);
                        before = occurrence.position;
                    }
                }
            }
            write_number(piece.len() as u32, &mut block.pieces);
            block.pieces.extend_from_slice(&piece);
        }
        block
    }
}

/// Finds the words of entries.
pub struct Inverter<'d> {
    thread: u32,
    words: DictionaryWords<'d>,
    stems: Stems,
    fields: [Inverted; FIELDS],
    /// The words of titles that something stands below, by the title's entry.
    titles: FastMap<u32, Vec<u32>>,
    /// For each character of the basic plane, its number as a word plus one; 0 where it has none yet.
    characters: Vec<u32>,
    sorted: Vec<Occurrence>,
    counts: Vec<u32>,
}

impl<'d> Inverter<'d> {
    /// One for the thread of that number.
    pub fn new(thread: u32, dictionary: &'d DictionaryBuilder) -> Self {
        Self {
            thread,
            words: dictionary.words(),
            stems: Stems::default(),
            fields: Default::default(),
            titles: FastMap::default(),
            characters: vec![0; 1 << 16],
            sorted: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// The words of a batch.
    ///
    /// # Errors
    ///
    /// When one of its records is damaged.
    pub fn invert(&mut self, batch: &Batch, above: &Above) -> Result<Block, Damaged> {
        let mut lengths = Vec::with_capacity(batch.places.len());
        for ((idx, record), entry) in batch.records().zip(0..) {
            lengths.push(self.add_record(record, entry)?);
            self.add_context(idx, entry, above);
        }
        let mut block = Block {
            thread: self.thread,
            first: batch.first as u32,
            fields: Default::default(),
            lengths,
        };
        for ((field, inverted), recorded) in block.fields.iter_mut().zip(&mut self.fields).zip(RECORDED) {
            *field = inverted.block(recorded.has_positions(), &mut self.sorted, &mut self.counts);
        }
        Ok(block)
    }

    /// The number and the texts of a record; returns how long its texts are.
    fn add_record(&mut self, record: &[u8], entry: u32) -> Result<Lengths, Damaged> {
        let mut lengths = Lengths::default();
        let (texts, number) = codec::texts_and_number(record)?;
        // Where the next text starts.
        let mut position = 0;
        if !number.is_empty() {
            let mut terms = number_terms(number);
            terms.push(own_number_term(number));
            for term in terms {
                self.fields[EN].push(&term, entry, 0, 1);
            }
            position += GAP;
        }
        // Chinese texts are the shorter ones: behind the others their words would have higher positions, which cost more.
        let zh_first = [Lang::Zh, Lang::En].into_iter();
        let texts = zh_first.flat_map(|wanted| texts.iter().filter(move |(_, lang, _)| *lang == wanted));
        for &(field, lang, text) in texts {
            let weight = match field {
                Field::Title | Field::Alias => TITLE_WEIGHT,
                _ => 1,
            };
            let folded = Folded::new(text);
            let mut n_words = 0;
            let (fields, characters) = (&mut self.fields, &mut self.characters);
            for_each_token(
                folded.chars(),
                &mut self.words,
                &mut self.stems,
                |column, term, chars| {
                    let field = match column {
                        Column::En => {
                            n_words += u32::from(lang == Lang::En);
                            EN
                        }
                        Column::Zh => ZH,
                        Column::Han => {
                            n_words += u32::from(lang == Lang::Zh);
                            if let Some(number) = characters.get_mut(folded.chars()[chars.start] as usize) {
                                if *number == 0 {
                                    *number = 1 + fields[HAN].vocabulary.number(term.as_bytes());
                                }
                                return fields[HAN].push_number(*number - 1, entry, 0, weight);
                            }
                            HAN
                        }
                    };
                    fields[field].push(term, entry, position + chars.start, weight);
                },
            );
            lengths[lang as usize] += n_words;
            position += folded.chars().len() + GAP;
        }
        Ok(lengths)
    }

    /// The titles of what stands above an entry: the nearest counts twice.
    fn add_context(&mut self, idx: usize, entry: u32, above: &Above) {
        for (depth, parent) in above.of_entry(idx).enumerate() {
            let field = &mut self.fields[CONTEXT];
            let terms = self.titles.entry(parent).or_insert_with(|| {
                let mut terms = Vec::new();
                for title in above.titles_of(parent) {
                    let folded = Folded::new(title);
                    for token in tokens(folded.chars(), &mut self.words, &mut self.stems) {
                        if token.column != Column::Han {
                            terms.push(field.vocabulary.number(token.term.as_bytes()));
                        }
                    }
                }
                terms
            });
            for term in terms.iter() {
                field.push_number(*term, entry, 0, if depth == 0 { 2 } else { 1 });
            }
        }
    }
}

/// The pieces of one field of a block, on their way.
struct Pieces {
    first: u32,
    terms: Box<[u32]>,
    bytes: Box<[u8]>,
}

impl Pieces {
    /// Where the piece of each word begins.
    fn starts(&self) -> impl Iterator<Item = (u32, usize)> {
        let mut rest = &*self.bytes;
        self.terms.iter().map(move |term| {
            let start = self.bytes.len() - rest.len();
            let length = read_number(&mut rest) as usize;
            rest = rest.get(length..).unwrap_or_default();
            (*term, start)
        })
    }

    /// The piece that begins there.
    fn piece(&self, start: usize) -> &[u8] {
        let mut rest = &self.bytes[start..];
        let length = read_number(&mut rest) as usize;
        &rest[..length]
    }
}

/// One field of all entries.
#[derive(Default)]
struct FieldPostings {
    vocabulary: Vocabulary,
    /// For each thread, the numbers here of the words that it numbered itself.
    numbers: Vec<Vec<u32>>,
    blocks: Vec<Pieces>,
    n_occurrences: u64,
}

/// The words of all entries.
#[derive(Default)]
pub struct Postings {
    fields: [FieldPostings; FIELDS],
    /// How long the texts of each entry are.
    pub lengths: Vec<Lengths>,
}

/// The files of one field, as tantivy reads them.
pub struct FieldFiles {
    /// The words.
    pub words: TermDictionary,
    /// The entries of each.
    pub postings: Vec<u8>,
    /// The places in these.
    pub positions: Vec<u8>,
}

impl Postings {
    /// Adds what comes next in the order of the entries.
    pub fn add(&mut self, block: Block) {
        let thread = block.thread as usize;
        for (field, mut of_block) in self.fields.iter_mut().zip(block.fields) {
            if field.numbers.len() <= thread {
                field.numbers.resize_with(thread + 1, Vec::new);
            }
            for term in of_block.new.iter() {
                field.numbers[thread].push(field.vocabulary.number(term));
            }
            for term in &mut of_block.terms {
                *term = field.numbers[thread][*term as usize];
            }
            field.n_occurrences += of_block.n_occurrences;
            field.blocks.push(Pieces {
                first: block.first,
                terms: of_block.terms.into_boxed_slice(),
                bytes: of_block.pieces.into_boxed_slice(),
            });
        }
        self.lengths.extend(block.lengths);
    }

    /// The words of texts that a dictionary has.
    pub fn words(&self, dictionary: &DictionaryBuilder) -> Vec<String> {
        let terms = [ZH, HAN].map(|field| self.fields[field].vocabulary.terms.iter());
        terms
            .into_iter()
            .flatten()
            .filter_map(|term| std::str::from_utf8(term).ok())
            .filter(|term| term.chars().all(is_han) && dictionary.has_word(term))
            .map(str::to_owned)
            .collect()
    }

    /// The fields, each to be written by itself, and how long each entry's texts are.
    pub fn into_fields(self, fields: Fields) -> (Vec<FieldWriter>, Vec<Lengths>) {
        let writers = self.fields.into_iter().zip(fields.all()).zip(RECORDED);
        let writers = writers.map(|((postings, field), recorded)| FieldWriter {
            postings,
            field,
            recorded,
        });
        (writers.collect(), self.lengths)
    }
}

/// The first bytes of a word, in the order of the words.
fn start_of(word: &[u8]) -> u64 {
    let mut start = [0; 8];
    let length = word.len().min(start.len());
    start[..length].copy_from_slice(&word[..length]);
    u64::from_be_bytes(start)
}

/// One field, to be written.
pub struct FieldWriter {
    postings: FieldPostings,
    field: tantivy::schema::Field,
    recorded: IndexRecordOption,
}

impl FieldWriter {
    /// The files; none for a field without words.
    ///
    /// # Errors
    ///
    /// When there is more than a file can hold.
    pub fn write(self) -> io::Result<(tantivy::schema::Field, Option<FieldFiles>)> {
        let FieldPostings {
            vocabulary: Vocabulary { terms, .. },
            numbers,
            blocks,
            n_occurrences,
        } = self.postings;
        drop(numbers);
        if terms.len() == 0 {
            return Ok((self.field, None));
        }
        // The pieces by word, each as its block and its place there; those of one word keep the order of the blocks.
        let mut starts = vec![0u32; terms.len() + 1];
        for term in blocks.iter().flat_map(|block| &block.terms) {
            starts[*term as usize + 1] += 1;
        }
        for term in 0..terms.len() {
            starts[term + 1] += starts[term];
        }
        let mut pieces = vec![(0u32, 0u32); starts[terms.len()] as usize];
        let mut places = starts.clone();
        for (number, block) in (0u32..).zip(&blocks) {
            for (term, start) in block.starts() {
                let place = &mut places[term as usize];
                pieces[*place as usize] = (number, start as u32);
                *place += 1;
            }
        }
        drop(places);
        // Most words differ in their first bytes, which are compared as one number.
        let mut order: Vec<(u64, u32)> = (0..)
            .zip(terms.iter())
            .map(|(term, bytes)| (start_of(bytes), term))
            .collect();
        order.sort_unstable_by(|(start, term), (other_start, other)| {
            let by_bytes = || terms.get(*term as usize).cmp(terms.get(*other as usize));
            start.cmp(other_start).then_with(by_bytes)
        });

        let (mut words, mut of_words, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut written = [&mut words, &mut of_words, &mut places].map(CompositeWrite::wrap);
        let [of_terms, of_postings, of_positions] = &mut written;
        let mut out = FieldSerializer::create(
            self.recorded,
            n_occurrences,
            of_terms.for_field(self.field),
            of_postings.for_field(self.field),
            of_positions.for_field(self.field),
            None,
        )?;
        let mut positions = Vec::new();
        for term in order.into_iter().map(|(_, term)| term as usize) {
            // How many entries have the word tantivy asks only where it is to weigh it.
            out.new_term(terms.get(term), 0, true)?;
            for (block, start) in &pieces[starts[term] as usize..starts[term + 1] as usize] {
                let block = &blocks[*block as usize];
                let (mut entry, mut piece) = (block.first, block.piece(*start as usize));
                while !piece.is_empty() {
                    let next = read_number(&mut piece);
                    entry += next >> 1;
                    let times = if next & 1 == 1 { read_number(&mut piece) } else { 1 };
                    positions.clear();
                    if self.recorded.has_positions() {
                        positions.extend((0..times).map(|_| read_number(&mut piece)));
                    }
                    out.write_doc(entry, times, &positions);
                }
            }
            out.close_term()?;
        }
        out.close()?;
        drop(written);
        let files = FieldFiles {
            words: TermDictionary::open(FileSlice::from(words))?,
            postings: of_words,
            positions: places,
        };
        Ok((self.field, Some(files)))
    }
}
