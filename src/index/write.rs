//! From a corpus to the packed file.

use crate::corpus::{Corpus, Damaged, Parts};
use crate::entry::{Entry, Field, Kind, Lang};
use crate::fold::is_han;
use crate::index::cards;
use crate::index::codec::{self, Interner, TableWriter};
use crate::index::columns;
use crate::index::dictionary;
use crate::index::directory::PREFIX;
use crate::index::pack::Packer;
use crate::index::postings::{Batch, FieldWriter, Inverter, Postings};
use crate::index::sorted::MapWriter;
use crate::index::terms;
use crate::index::tokens::{Column, Stems};
use crate::jobs;
use crate::segment::{DictionaryBuilder, DictionaryError};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Cursor, Read, Seek, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use tantivy::directory::{CompositeWrite, OwnedBytes, RamDirectory, TerminatingWrite as _};
use tantivy::index::SegmentComponent;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::schema::{Field as IndexField, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::termdict::TermDictionary;
use tantivy::{Directory, IndexBuilder, TantivyDocument};

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
            // Words are found by our own reader, and lengths stand in our own columns.
            let indexing = TextFieldIndexing::default()
                .set_tokenizer("raw")
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

    /// All of them, in order.
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

/// Memory for tantivy's own collector, in bytes. It collects nothing.
const COLLECTOR_MEMORY: usize = 1 << 20;

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
    let Parts {
        entries,
        current,
        keys,
        cards,
        card_names,
    } = corpus.into_parts();
    write_keys(keys, &mut packer)?;

    let own_words = own_words(&entries);
    terms::write(&entries, &cards, &mut Stems::default(), &mut packer)?;
    cards::write(cards, card_names, &mut packer)?;
    let mut labels = Interner::default();
    let mut columns = columns::write(&entries, &current, &mut labels);
    let above = Above::of(&entries, std::mem::take(&mut columns.parents));
    // The dictionary takes the place that the first half of the entries leaves.
    let half = entries.len() / 2;
    let mut writer = RecordWriter::begin(entries, &mut packer)?;
    writer.write(half, &mut packer)?;
    let (mut dictionary, records) = jobs::both(jobs, DictionaryBuilder::load, || {
        writer.write(0, &mut packer)?;
        writer.finish(&mut packer)
    });
    let records = records?;
    dictionary.teach(&own_words)?;

    let postings = find_words(&records, &dictionary, &above, jobs, &mut packer)?;
    let words = postings.words(&dictionary);
    packer.add("words", &dictionary.finish(words)?)?;
    let (_, fields) = Fields::schema();
    let (writers, lengths) = postings.into_fields(fields);
    write_postings(writers, lengths.len(), jobs, &mut packer)?;

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
    let mut map = MapWriter::begin("keys", packer)?;
    for (key, entries) in keys {
        let mut row = codec::Writer::default();
        entries.iter().for_each(|idx| row.number(u64::from(*idx)));
        map.key(key.as_bytes(), packer)?.0.bytes(&row.finish());
    }
    map.finish("key-firsts", packer)
}

/// The entries in the file, to be read back.
struct Records {
    /// Where the first one is.
    start: u64,
    /// Where each of them ends, counted from there.
    ends: Vec<u32>,
}

/// Bytes of records whose words are found at once.
const BATCH: usize = 256 << 10;

/// After so many entries the memory of their list is given back.
const LEFT: usize = 4096;

/// Writes the sections of entries and of their strings. Each entry leaves memory when it is written.
struct RecordWriter {
    /// What is not written yet, the next one last.
    left: Vec<Entry>,
    start: u64,
    shared: codec::Shared,
    table: TableWriter,
    record: Vec<u8>,
}

impl RecordWriter {
    fn begin<F: Read + Write + Seek>(mut entries: Vec<Entry>, packer: &mut Packer<F>) -> io::Result<Self> {
        entries.reverse();
        Ok(Self {
            left: entries,
            start: packer.begin("entries")?,
            shared: codec::Shared::default(),
            table: TableWriter::default(),
            record: Vec::new(),
        })
    }

    /// Writes entries until no more than so many are left.
    fn write<F: Read + Write + Seek>(&mut self, left: usize, packer: &mut Packer<F>) -> io::Result<()> {
        while self.left.len() > left
            && let Some(entry) = self.left.pop()
        {
            self.record.clear();
            codec::encode(&entry, &mut self.shared, &mut self.record);
            self.table.row(&self.record, packer)?;
            if self.left.len().is_multiple_of(LEFT) {
                self.left.shrink_to_fit();
            }
        }
        Ok(())
    }

    fn finish<F: Read + Write + Seek>(self, packer: &mut Packer<F>) -> io::Result<Records> {
        let ends = self.table.finish(packer)?;
        packer.begin("strings")?;
        self.shared.strings.write_shared(packer)?;
        packer.begin("heads")?;
        self.shared.heads.write(packer)?;
        Ok(Records {
            start: self.start,
            ends,
        })
    }
}

impl Records {
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
}

/// Finds the words of all records.
fn find_words<F: Read + Write + Seek>(
    records: &Records,
    dictionary: &DictionaryBuilder,
    above: &Above,
    jobs: NonZeroUsize,
    packer: &mut Packer<F>,
) -> Result<Postings, BuildError> {
    let mut postings = Postings::default();
    let mut read = Ok(());
    let threads = AtomicU32::new(0);
    jobs::in_order(
        jobs,
        records.batches(packer, &mut read),
        || {
            let mut inverter = Inverter::new(threads.fetch_add(1, Ordering::Relaxed), dictionary);
            move |batch: Batch| inverter.invert(&batch, above)
        },
        |block| {
            postings.add(block?);
            Ok::<(), BuildError>(())
        },
    )?;
    read?;
    Ok(postings)
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
pub struct Above {
    parents: Vec<Option<u32>>,
    /// The titles of those that something stands below.
    titles: HashMap<u32, Vec<String>>,
}

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
    pub fn of_entry(&self, idx: usize) -> impl Iterator<Item = u32> {
        let above = |idx: u32| self.parents.get(idx as usize).copied().flatten();
        std::iter::successors(above(idx as u32), move |idx| above(*idx)).take(MAX_DEPTH)
    }

    /// The titles of an entry that something stands below.
    pub fn titles_of(&self, idx: u32) -> impl Iterator<Item = &str> {
        self.titles.get(&idx).into_iter().flatten().map(String::as_str)
    }
}

/// Entries above an entry whose titles count: numbers are not nested deeper, and a loop must end.
const MAX_DEPTH: usize = 8;

/// Writes tantivy's files: those of the words as the fields have them, and the others as tantivy makes them for
/// entries of which it stores nothing.
fn write_postings<F: Read + Write + Seek>(
    writers: Vec<FieldWriter>,
    n_entries: usize,
    jobs: NonZeroUsize,
    packer: &mut Packer<F>,
) -> Result<(), BuildError> {
    let files = RamDirectory::create();
    let mut writer: SingleSegmentIndexWriter = IndexBuilder::new()
        .schema(Fields::schema().0)
        .single_segment_index_writer(files.clone(), COLLECTOR_MEMORY)?;
    for _ in 0..n_entries {
        writer.add_document(TantivyDocument::default())?;
    }
    let index = writer.finalize()?;
    let (mut writers, mut words): (_, Vec<(IndexField, TermDictionary)>) = (Some(writers), Vec::new());
    // There is one: all are of the same writer.
    for segment in index.searchable_segments()? {
        let meta = segment.meta();
        // tantivy names files by a random number; a fixed one makes the same texts the same file.
        let section = |component| {
            let path = meta.relative_path(component);
            let name = path.to_string_lossy().replace(&meta.id().uuid_string(), SEGMENT);
            (path, format!("{PREFIX}{name}"))
        };
        let (_, postings) = section(SegmentComponent::Postings);
        let (positions_path, positions) = section(SegmentComponent::Positions);
        // What ends each file. The checksum in it is never compared: blocks have theirs.
        files
            .delete(&positions_path)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let empty = segment.open_write(SegmentComponent::Positions);
        empty.map_err(tantivy::TantivyError::from)?.terminate()?;
        let footer = read_file(&files, &positions_path)?;

        packer.begin(postings)?;
        let mut file = CompositeWrite::wrap(&mut *packer);
        let mut positions_of: Vec<(IndexField, Vec<u8>)> = Vec::new();
        jobs::in_order(
            jobs,
            writers.take().into_iter().flatten(),
            || FieldWriter::write,
            |written| {
                if let (field, Some(files)) = written? {
                    file.for_field(field).write_all(&files.postings)?;
                    positions_of.push((field, files.positions));
                    words.push((field, files.words));
                }
                Ok::<(), io::Error>(())
            },
        )?;
        file.close()?;
        packer.write_all(&footer)?;

        packer.begin(positions)?;
        let mut file = CompositeWrite::wrap(&mut *packer);
        for (field, positions) in positions_of {
            file.for_field(field).write_all(&positions)?;
        }
        file.close()?;
        packer.write_all(&footer)?;

        // Ours is read in place of tantivy's, see `dictionary`.
        for (component, stub) in stubs()? {
            packer.add(section(component).1, &stub)?;
        }
        for component in AS_TANTIVY_MAKES_THEM {
            let (path, name) = section(component);
            if files.exists(&path).map_err(tantivy::TantivyError::from)? {
                packer.add(name, &read_file(&files, &path)?)?;
            }
        }
        let meta_json = read_file(&files, Path::new("meta.json"))?;
        let meta_json = String::from_utf8_lossy(&meta_json)
            .replace(&hyphenated(&meta.id().uuid_string()), SEGMENT_ID)
            .replace(&meta.id().uuid_string(), SEGMENT);
        packer.add(format!("{PREFIX}meta.json"), meta_json.as_bytes())?;
    }
    let mut map = MapWriter::begin("posting-words", packer)?;
    dictionary::write(
        words.iter().map(|(field, words)| (*field, words)),
        &mut map,
        packer,
    )?;
    Ok(map.finish("posting-firsts", packer)?)
}

/// Files of an index of one entry with one word in each field, in the place of those that are never asked for what
/// they hold: the words, which tantivy would read whole, and what it stores of entries.
fn stubs() -> Result<Vec<(SegmentComponent, OwnedBytes)>, BuildError> {
    let (schema, fields) = Fields::schema();
    let files = RamDirectory::create();
    let mut writer: SingleSegmentIndexWriter = IndexBuilder::new()
        .schema(schema)
        .single_segment_index_writer(files.clone(), COLLECTOR_MEMORY)?;
    let mut document = TantivyDocument::default();
    for field in fields.all() {
        document.add_text(field, "-");
    }
    writer.add_document(document)?;
    let mut stubs = Vec::new();
    for segment in writer.finalize()?.searchable_segment_metas()? {
        for component in [SegmentComponent::Terms, SegmentComponent::Store] {
            let stub = read_file(&files, &segment.relative_path(component.clone()))?;
            stubs.push((component, stub));
        }
    }
    Ok(stubs)
}

/// What is in them is a matter of how many entries there are.
const AS_TANTIVY_MAKES_THEM: [SegmentComponent; 2] =
    [SegmentComponent::FieldNorms, SegmentComponent::FastFields];

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
