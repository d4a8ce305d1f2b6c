//! From a corpus to the packed file.

use crate::corpus::{Corpus, Damaged};
use crate::entry::{Entry, Field, Kind, Lang};
use crate::fold::{Folded, is_han};
use crate::index::codec::{self, Interner, TableWriter, write_table};
use crate::index::columns::{self, Lengths};
use crate::index::dictionary;
use crate::index::directory::PREFIX;
use crate::index::pack::Packer;
use crate::index::terms;
use crate::index::tokens::{Column, Stems, for_each_token, tokens};
use crate::jobs;
use crate::segment::{DictionaryBuilder, DictionaryError, Segmenter};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Cursor, Read, Seek, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use tantivy::directory::{OwnedBytes, RamDirectory};
use tantivy::index::SegmentComponent;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::schema::{Field as IndexField, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TokenStream, Tokenizer, TokenizerManager};
use tantivy::{Directory, IndexBuilder, SegmentReader, TantivyDocument};

/// Why an index could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The dictionary of words.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// The search index.
    #[error("the search index cannot be built: {0}")]
    Search(#[from] tantivy::TantivyError),
    /// An entry that the corpus lists is not there.
    #[error(transparent)]
    Corpus(#[from] Damaged),
    /// The file.
    #[error("the index cannot be written: {0}")]
    Io(#[from] io::Error),
}

/// The indexed fields.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// See [`Column::En`].
    pub en: IndexField,
    /// See [`Column::Zh`].
    pub zh: IndexField,
    /// See [`Column::Han`].
    pub han: IndexField,
    /// Words of the titles above an entry.
    pub context: IndexField,
}

impl Fields {
    /// The schema, and the fields in it.
    pub fn schema() -> (Schema, Fields) {
        let options = |record| {
            // Lengths stand in our own columns.
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(TOKENIZER)
                .set_fieldnorms(false);
            TextOptions::default().set_indexing_options(indexing.set_index_option(record))
        };
        let mut schema = Schema::builder();
        let fields = Fields {
            en: schema.add_text_field("en", options(IndexRecordOption::WithFreqsAndPositions)),
            zh: schema.add_text_field("zh", options(IndexRecordOption::WithFreqsAndPositions)),
            han: schema.add_text_field("han", options(IndexRecordOption::WithFreqs)),
            context: schema.add_text_field("context", options(IndexRecordOption::WithFreqs)),
        };
        (schema.build(), fields)
    }

    /// All of them.
    pub fn all(self) -> [IndexField; 4] {
        [self.en, self.zh, self.han, self.context]
    }

    /// The field of a column.
    pub fn of(self, column: Column) -> IndexField {
        match column {
            Column::En => self.en,
            Column::Zh => self.zh,
            Column::Han => self.han,
        }
    }
}

/// What a word of an entry's own number is called, so that its number finds it before those that cite it.
pub fn own_number_term(number: &str) -> String {
    format!("\u{1}{number}")
}

/// Characters between two texts of an entry: a hole that no phrase has. Wider ones would cost bits in every
/// position.
const GAP: usize = 16;

/// How often the words of a title count.
const TITLE_WEIGHT: usize = 3;

/// Memory for postings when they begin to be collected, in bytes; it grows with the texts.
const POSTINGS_MEMORY: usize = 8 << 20;

/// Something that is kept beside the entries: its name and its bytes.
pub type Extra<'a> = (&'a str, &'a [u8]);

/// What the sections of extras are called: this and the extra's name.
pub const EXTRA: &str = "extra/";

/// Builds the packed file in memory, from a copy of the corpus; see [`build_to`].
///
/// # Errors
///
/// As for [`build_to`].
pub fn build(corpus: &Corpus, extras: &[Extra<'_>]) -> Result<Vec<u8>, BuildError> {
    let file = build_to(corpus.clone(), extras, jobs::ONE, Cursor::default())?;
    Ok(file.into_inner())
}

/// Builds the packed file in an empty file, which it returns. The extras are kept as they are, for whoever opens it.
///
/// Entries go into the file first and leave memory; their texts are read back for what is made of them. The result
/// does not depend on the number of jobs.
///
/// # Errors
///
/// When writing fails or there is too much text; never because of what a text says.
pub fn build_to<F: Read + Write + Seek>(
    corpus: Corpus,
    extras: &[Extra<'_>],
    jobs: NonZeroUsize,
    file: F,
) -> Result<F, BuildError> {
    let mut packer = Packer::new(file)?;
    for (name, bytes) in extras {
        packer.add(format!("{EXTRA}{name}"), bytes)?;
    }
    let (entries, current, keys) = corpus.into_parts();
    write_keys(keys, &mut packer)?;

    let own_words = own_words(&entries);
    let (term_keys, term_rows) = terms::write(&entries, &mut Stems::default());
    packer.begin("terms")?;
    write_table(term_keys.iter().map(String::as_bytes), &mut packer)?;
    packer.begin("term-rows")?;
    write_table(term_rows.iter().map(Vec::as_slice), &mut packer)?;
    drop((term_keys, term_rows));
    let mut labels = Interner::default();
    let mut columns = columns::write(&entries, &current, &mut labels);
    let above = Above::of(&entries, std::mem::take(&mut columns.parents));
    let mut records = Records::write(entries, &mut packer)?;

    let dictionary = records.dictionary(&own_words, jobs, &mut packer)?;
    packer.add("words", &dictionary)?;
    let segmenter = Segmenter::new(dictionary.as_slice())?;
    let lengths = write_postings(&mut records, &above, &segmenter, jobs, &mut packer)?;
    let mut averages = Vec::new();
    for lang in Lang::ALL {
        let having = lengths
            .iter()
            .map(|length| u64::from(length[lang as usize]))
            .filter(|length| *length > 0);
        let average = having.clone().sum::<u64>() as f32 / having.count().max(1) as f32;
        averages.extend(average.to_le_bytes());
    }
    for (idx, lengths) in lengths.into_iter().enumerate() {
        columns.set_lengths(idx, lengths);
    }
    packer.add("rows", &columns.rows)?;
    packer.add("facts", &columns.facts)?;
    packer.begin("labels")?;
    labels.write(&mut packer)?;
    packer.add("averages", &averages)?;
    Ok(packer.finish()?)
}

/// Writes the keys and what each of them leads to.
fn write_keys<F: Read + Write + Seek>(
    keys: BTreeMap<String, Vec<u32>>,
    packer: &mut Packer<F>,
) -> io::Result<()> {
    packer.begin("keys")?;
    write_table(keys.keys().map(String::as_bytes), packer)?;
    packer.begin("key-entries")?;
    let mut table = TableWriter::default();
    for entries in keys.into_values() {
        let mut row = codec::Writer::default();
        entries.iter().for_each(|idx| row.number(u64::from(*idx)));
        table.row(&row.finish(), packer)?;
    }
    table.finish(packer).map(drop)
}

/// The entries in the file, to be read back.
struct Records {
    /// Where the first one is.
    start: u64,
    /// Where each of them ends, counted from there.
    ends: Vec<u32>,
}

/// Some records: the first one's number, and where each of them is in the bytes.
struct Batch {
    first: usize,
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Batch {
    fn records(&self) -> impl Iterator<Item = (usize, &[u8])> {
        (self.first..).zip(self.places.iter().map(|place| &self.bytes[place.clone()]))
    }
}

/// Bytes of records that are read back at once.
const BATCH: usize = 256 << 10;

impl Records {
    /// Writes the sections of entries and of their strings. Each entry leaves memory when it is written.
    fn write<F: Read + Write + Seek>(entries: Vec<Entry>, packer: &mut Packer<F>) -> io::Result<Records> {
        let start = packer.begin("entries")?;
        let mut strings = Interner::default();
        let mut table = TableWriter::default();
        for entry in entries {
            table.row(&codec::encode(&entry, &mut strings), packer)?;
        }
        let ends = table.finish(packer)?;
        packer.begin("strings")?;
        strings.write(packer)?;
        Ok(Records { start, ends })
    }

    /// All records in order, batch by batch, and an error where they end if they cannot be read.
    fn batches<F: Read + Write + Seek>(
        &self,
        packer: &mut Packer<F>,
        failed: &mut io::Result<()>,
    ) -> impl Iterator<Item = Batch> {
        let mut first = 0usize;
        std::iter::from_fn(move || {
            let start = first
                .checked_sub(1)
                .map_or(0, |before| self.ends[before] as usize);
            let mut places = Vec::new();
            let mut end = 0;
            for record_end in &self.ends[first..] {
                places.push(end..*record_end as usize - start);
                end = *record_end as usize - start;
                if end >= BATCH {
                    break;
                }
            }
            if places.is_empty() {
                return None;
            }
            let mut bytes = vec![0; end];
            *failed = packer.read_back(self.start + start as u64, &mut bytes);
            failed.is_ok().then(|| {
                first += places.len();
                Batch {
                    first: first - places.len(),
                    bytes,
                    places,
                }
            })
        })
    }

    /// Makes the dictionary of the words in all texts.
    fn dictionary<F: Read + Write + Seek>(
        &self,
        own_words: &[String],
        jobs: NonZeroUsize,
        packer: &mut Packer<F>,
    ) -> Result<Vec<u8>, BuildError> {
        let dictionary = DictionaryBuilder::new(own_words);
        let mut read = Ok(());
        let mut found = HashSet::new();
        jobs::in_order(
            jobs,
            self.batches(packer, &mut read),
            || {
                |batch: Batch| -> Result<Vec<String>, Damaged> {
                    let mut words = dictionary.words();
                    for (_, record) in batch.records() {
                        for (_, _, text) in codec::texts(record)? {
                            words.add(text);
                        }
                    }
                    Ok(words.finish())
                }
            },
            |words| {
                found.extend(words?);
                Ok::<(), BuildError>(())
            },
        )?;
        read?;
        Ok(dictionary.finish(found)?)
    }
}

/// Terms, aliases and card names, which the dictionary must know.
fn own_words(entries: &[Entry]) -> Vec<String> {
    let mut words = BTreeSet::new();
    for entry in entries {
        let is_name = matches!(entry.kind, Kind::Term | Kind::Rule);
        for (field, _, text) in entry.texts() {
            let wanted = match field {
                Field::Title => is_name,
                Field::Alias | Field::Card => true,
                _ => false,
            };
            if wanted && text.contains(is_han) && text.chars().count() <= LONGEST_NAME {
                words.insert(text.to_owned());
            }
        }
    }
    words.into_iter().collect()
}

/// The longest name that is a word, in characters.
const LONGEST_NAME: usize = 24;

/// What stands above the entries, and what it is called.
struct Above {
    parents: Vec<Option<u32>>,
    /// The titles of those that something stands below.
    titles: HashMap<u32, Vec<String>>,
}

/// Words of titles, each with its field.
type TitleWords = Vec<(Column, String)>;

impl Above {
    fn of(entries: &[Entry], parents: Vec<Option<u32>>) -> Self {
        let mut titles = HashMap::new();
        for parent in parents.iter().flatten() {
            titles.entry(*parent).or_insert_with(|| {
                let titles = entries[*parent as usize].title.iter();
                titles.map(|(_, title)| title.clone()).collect()
            });
        }
        Self { parents, titles }
    }

    /// The entries above an entry, the nearest first.
    fn of_entry(&self, idx: usize) -> impl Iterator<Item = u32> {
        let above = |idx: u32| self.parents.get(idx as usize).copied().flatten();
        std::iter::successors(above(idx as u32), move |idx| above(*idx)).take(MAX_DEPTH)
    }
}

fn write_postings<F: Read + Write + Seek>(
    records: &mut Records,
    above: &Above,
    segmenter: &Segmenter<&[u8]>,
    jobs: NonZeroUsize,
    packer: &mut Packer<F>,
) -> Result<Vec<Lengths>, BuildError> {
    let (schema, fields) = Fields::schema();
    let files = RamDirectory::create();
    let tokenizers = TokenizerManager::new();
    tokenizers.register(TOKENIZER, Unpacking);
    let mut writer: SingleSegmentIndexWriter = IndexBuilder::new()
        .schema(schema)
        .tokenizers(tokenizers)
        .single_segment_index_writer(files.clone(), POSTINGS_MEMORY)?;
    let mut lengths = Vec::with_capacity(records.ends.len());
    let mut read = Ok(());
    // Words are found by all jobs; postings are collected by one, in the order of the entries.
    jobs::in_order(
        jobs,
        records.batches(packer, &mut read),
        || {
            let mut stems = Stems::default();
            let mut titles = HashMap::new();
            move |batch: Batch| -> Result<Vec<(TantivyDocument, Lengths)>, Damaged> {
                let mut documents = Vec::with_capacity(batch.places.len());
                for (idx, record) in batch.records() {
                    let mut document = Document::default();
                    document.add_record(record, segmenter, &mut stems)?;
                    document.add_context(idx, above, &mut titles, segmenter, &mut stems);
                    let lengths = document.lengths;
                    documents.push((document.finish(fields), lengths));
                }
                Ok(documents)
            }
        },
        |documents| {
            for (document, length) in documents? {
                lengths.push(length);
                writer.add_document(document)?;
            }
            Ok::<(), BuildError>(())
        },
    )?;
    read?;
    let index = writer.finalize()?;
    // Ours is read in its place, see `dictionary`.
    let mut words = dictionary::Rows::default();
    for segment in index.searchable_segments()? {
        words = dictionary::write(&SegmentReader::open(&segment)?, &fields.all())?;
    }
    packer.begin("posting-words")?;
    write_table(words.leaves.iter().map(Vec::as_slice), packer)?;
    packer.begin("posting-firsts")?;
    write_table(words.firsts.iter().map(Vec::as_slice), packer)?;
    drop(words);
    // tantivy names files by a random number; a fixed one makes the same texts the same file.
    for meta in index.searchable_segment_metas()? {
        let id = meta.id();
        for component in COMPONENTS {
            let is_words = component == SegmentComponent::Terms;
            let path = meta.relative_path(component);
            if files.exists(&path).map_err(tantivy::TantivyError::from)? {
                let name = path.to_string_lossy().replace(&id.uuid_string(), SEGMENT);
                let name = format!("{PREFIX}{name}");
                match is_words {
                    true => packer.add(name, &stub_of_terms()?)?,
                    false => packer.add(name, &read_file(&files, &path)?)?,
                }
                // Only to have the memory back.
                let _ = files.delete(&path);
            }
        }
        let meta_json = read_file(&files, Path::new("meta.json"))?;
        let meta_json = String::from_utf8_lossy(&meta_json).into_owned();
        let hyphenated = hyphenated(&id.uuid_string());
        let meta_json = meta_json
            .replace(&hyphenated, SEGMENT_ID)
            .replace(&id.uuid_string(), SEGMENT);
        packer.add(format!("{PREFIX}meta.json"), meta_json.as_bytes())?;
    }
    Ok(lengths)
}

/// A file of dictionaries that hold next to nothing: tantivy wants one for each field, and reads it whole.
fn stub_of_terms() -> Result<Vec<u8>, BuildError> {
    let (schema, fields) = Fields::schema();
    let files = RamDirectory::create();
    let tokenizers = TokenizerManager::new();
    tokenizers.register(TOKENIZER, Unpacking);
    let mut writer: SingleSegmentIndexWriter = IndexBuilder::new()
        .schema(schema)
        .tokenizers(tokenizers)
        .single_segment_index_writer(files.clone(), POSTINGS_MEMORY)?;
    let mut document = TantivyDocument::default();
    let mut word = Packed::default();
    word.push("-", 0, 1);
    for field in fields.all() {
        document.add_text(field, &word.0);
    }
    writer.add_document(document)?;
    let segments = writer.finalize()?.searchable_segment_metas()?;
    let path = segments
        .first()
        .map(|meta| meta.relative_path(SegmentComponent::Terms));
    Ok(read_file(&files, &path.unwrap_or_default())?.to_vec())
}

/// The files that a segment without deletions has.
const COMPONENTS: [SegmentComponent; 6] = [
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::Terms,
    SegmentComponent::FieldNorms,
    SegmentComponent::FastFields,
    SegmentComponent::Store,
];

/// The name of the one segment, and the same as tantivy's `meta.json` spells it.
pub const SEGMENT: &str = "00000000000000000000000000000001";
const SEGMENT_ID: &str = "00000000-0000-0000-0000-000000000001";

fn hyphenated(id: &str) -> String {
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| id.get(part).unwrap_or_default());
    parts.join("-")
}

fn read_file(files: &RamDirectory, path: &Path) -> Result<OwnedBytes, BuildError> {
    if let Ok(bytes) = files.atomic_read(path) {
        return Ok(OwnedBytes::new(bytes));
    }
    let file = files.open_read(path).map_err(tantivy::TantivyError::from)?;
    Ok(file.read_bytes().map_err(tantivy::TantivyError::from)?)
}

/// What our tokenizer is called in the schema.
const TOKENIZER: &str = "packed";

/// The words of one entry, collected: for each field the words with their positions, see [`Packed`].
#[derive(Default)]
struct Document {
    en: Packed,
    zh: Packed,
    han: Packed,
    context: Packed,
    /// Where the next text starts.
    position: usize,
    lengths: Lengths,
}

/// Words with positions, on their way through tantivy, which takes texts and cuts them itself: the position, the
/// word, a mark. (Its own form of words already cut goes through JSON, which costs more than all else.)
///
/// A position is written in base 32, lowest digit first, as characters of one byte.
#[derive(Default)]
struct Packed(String);

/// A mark that no folded word has.
const AFTER_WORD: char = '\u{3}';

/// The last digit of a position, and those before it, begin here.
const LAST_DIGIT: u8 = 0x40;
const DIGIT: u8 = 0x60;

impl Packed {
    fn push(&mut self, term: &str, position: usize, times: usize) {
        for _ in 0..times {
            let mut rest = position;
            while rest >= 32 {
                self.0.push(char::from(DIGIT | (rest % 32) as u8));
                rest /= 32;
            }
            self.0.push(char::from(LAST_DIGIT | rest as u8));
            self.0.push_str(term);
            self.0.push(AFTER_WORD);
        }
    }
}

/// Reads what [`Packed`] wrote.
#[derive(Clone, Default)]
struct Unpacking;

/// The words of one [`Packed`].
struct Unpacked<'p> {
    rest: &'p str,
    token: tantivy::tokenizer::Token,
}

impl Tokenizer for Unpacking {
    type TokenStream<'p> = Unpacked<'p>;

    fn token_stream<'p>(&'p mut self, text: &'p str) -> Unpacked<'p> {
        Unpacked {
            rest: text,
            token: tantivy::tokenizer::Token::default(),
        }
    }
}

impl TokenStream for Unpacked<'_> {
    fn advance(&mut self) -> bool {
        let Some((word, rest)) = self.rest.split_once(AFTER_WORD) else {
            return false;
        };
        self.rest = rest;
        let (mut position, mut shift, mut digits) = (0usize, 0, 0);
        for byte in word.bytes() {
            digits += 1;
            position |= usize::from(byte & 31) << shift;
            shift += 5;
            if byte < DIGIT {
                break;
            }
        }
        self.token.position = position;
        self.token.text.clear();
        self.token.text.push_str(&word[digits..]);
        true
    }

    fn token(&self) -> &tantivy::tokenizer::Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut tantivy::tokenizer::Token {
        &mut self.token
    }
}

impl Document {
    /// The number and the texts of a record.
    fn add_record(
        &mut self,
        record: &[u8],
        segmenter: &Segmenter<&[u8]>,
        stems: &mut Stems,
    ) -> Result<(), Damaged> {
        let (texts, number) = codec::texts_and_number(record)?;
        if !number.is_empty() {
            let mut terms = crate::index::tokens::number_terms(number);
            terms.push(own_number_term(number));
            for term in terms {
                self.en.push(&term, 0, 1);
            }
            self.position += GAP;
        }
        for (field, lang, text) in texts {
            let weight = match field {
                Field::Title | Field::Alias => TITLE_WEIGHT,
                _ => 1,
            };
            self.add_text(text, lang, weight, segmenter, stems);
        }
        Ok(())
    }

    fn add_text(
        &mut self,
        text: &str,
        lang: Lang,
        weight: usize,
        segmenter: &Segmenter<&[u8]>,
        stems: &mut Stems,
    ) {
        let folded = Folded::new(text);
        let mut n_words = 0;
        for_each_token(folded.chars(), segmenter, stems, |column, term, chars| {
            let column = match column {
                Column::En => {
                    n_words += u32::from(lang == Lang::En);
                    &mut self.en
                }
                Column::Zh => &mut self.zh,
                Column::Han => {
                    n_words += u32::from(lang == Lang::Zh);
                    &mut self.han
                }
            };
            column.push(term, self.position + chars.start, weight);
        });
        self.lengths[lang as usize] += n_words;
        self.position += folded.chars().len() + GAP;
    }

    /// The titles of what stands above an entry: the nearest counts twice. `known` remembers the words of titles.
    fn add_context(
        &mut self,
        idx: usize,
        above: &Above,
        known: &mut HashMap<u32, TitleWords>,
        segmenter: &Segmenter<&[u8]>,
        stems: &mut Stems,
    ) {
        for (depth, parent) in above.of_entry(idx).enumerate() {
            let words = known.entry(parent).or_insert_with(|| {
                let mut words = TitleWords::new();
                for title in above.titles.get(&parent).into_iter().flatten() {
                    let folded = Folded::new(title);
                    words.extend(
                        tokens(folded.chars(), segmenter, stems)
                            .into_iter()
                            .map(|token| (token.column, token.term)),
                    );
                }
                words
            });
            for (column, term) in words.iter() {
                if *column != Column::Han {
                    self.context.push(term, 0, if depth == 0 { 2 } else { 1 });
                }
            }
        }
    }

    fn finish(self, fields: Fields) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        for (field, Packed(words)) in [
            (fields.en, self.en),
            (fields.zh, self.zh),
            (fields.han, self.han),
            (fields.context, self.context),
        ] {
            if !words.is_empty() {
                document.add_text(field, words);
            }
        }
        document
    }
}

/// Entries above an entry whose titles count: numbers are not nested deeper, and a loop must end.
const MAX_DEPTH: usize = 8;
