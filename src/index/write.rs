//! From a corpus to the packed file.

use crate::corpus::{Corpus, Damaged};
use crate::entry::{Entry, Field, Kind, Lang};
use crate::fold::{Folded, is_han};
use crate::index::codec::{self, Interner, Writer, table};
use crate::index::columns::{self, Lengths};
use crate::index::directory::PREFIX;
use crate::index::pack::Packer;
use crate::index::terms;
use crate::index::tokens::{Column, Stems, Token, tokens};
use crate::segment::{DictionaryError, Segmenter, build_dictionary};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use tantivy::directory::RamDirectory;
use tantivy::index::SegmentComponent;
use tantivy::schema::{Field as IndexField, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TokenStream, Tokenizer, TokenizerManager};
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
    /// There is more than the format can hold.
    #[error("there is more text than one index can hold")]
    TooLarge,
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

/// Memory for postings while they are collected, in bytes.
const POSTINGS_MEMORY: usize = 64 << 20;

/// Something that is kept beside the entries: its name and its bytes.
pub type Extra<'a> = (&'a str, &'a [u8]);

/// What the sections of extras are called: this and the extra's name.
pub const EXTRA: &str = "extra/";

/// Builds the packed file in memory; see [`build_to`].
///
/// # Errors
///
/// As for [`build_to`].
pub fn build(corpus: &Corpus, extras: &[Extra<'_>]) -> Result<Vec<u8>, BuildError> {
    let mut file = Vec::new();
    build_to(corpus, extras, &mut file)?;
    Ok(file)
}

/// Builds the packed file and writes it. The extras are kept as they are, for whoever opens the file.
///
/// # Errors
///
/// When writing fails or there is too much text; never because of what a text says.
pub fn build_to(corpus: &Corpus, extras: &[Extra<'_>], out: &mut impl Write) -> Result<(), BuildError> {
    let mut packer = Packer::default();
    for (name, bytes) in extras {
        packer.add(format!("{EXTRA}{name}"), bytes.to_vec());
    }

    let mut strings = Interner::default();
    let records: Vec<Vec<u8>> = corpus
        .entries()
        .iter()
        .map(|entry| codec::encode(entry, &mut strings))
        .collect();
    if records.iter().map(Vec::len).sum::<usize>() > u32::MAX as usize {
        return Err(BuildError::TooLarge);
    }
    packer.add("entries", table(records.iter().map(Vec::as_slice)));
    drop(records);
    packer.add("strings", strings.finish());
    let keys: Vec<&str> = corpus.keys().map(|(key, _)| key).collect();
    packer.add("keys", table(keys.iter().map(|key| key.as_bytes())));
    let key_entries: Vec<Vec<u8>> = corpus
        .keys()
        .map(|(_, entries)| {
            let mut row = Writer::default();
            entries.iter().for_each(|idx| row.number(u64::from(*idx)));
            row.finish()
        })
        .collect();
    packer.add("key-entries", table(key_entries.iter().map(Vec::as_slice)));

    let chinese = corpus
        .entries()
        .iter()
        .flat_map(Entry::texts)
        .map(|(_, _, text)| text)
        .filter(|text| text.contains(is_han));
    let dictionary = build_dictionary(chinese, &own_words(corpus.entries()))?;
    let segmenter = Segmenter::new(dictionary.as_slice())?;
    let mut stems = Stems::default();
    let (term_keys, term_rows) = terms::write(corpus.entries(), &mut stems);
    packer.add("terms", table(term_keys.iter().map(String::as_bytes)));
    packer.add("term-rows", table(term_rows.iter().map(Vec::as_slice)));

    let lengths = write_postings(corpus, &segmenter, &mut stems, &mut packer)?;
    let mut labels = Interner::default();
    let (rows, facts) = columns::write(corpus, &lengths, &mut labels)?;
    packer.add("rows", rows);
    packer.add("facts", facts);
    packer.add("labels", labels.finish());
    let mut averages = Vec::new();
    for lang in Lang::ALL {
        let having = lengths
            .iter()
            .map(|length| u64::from(length[lang as usize]))
            .filter(|length| *length > 0);
        let average = having.clone().sum::<u64>() as f32 / having.count().max(1) as f32;
        averages.extend(average.to_le_bytes());
    }
    packer.add("averages", averages);
    packer.add("words", dictionary);
    Ok(packer.write(out)?)
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

fn write_postings(
    corpus: &Corpus,
    segmenter: &Segmenter<&[u8]>,
    stems: &mut Stems,
    packer: &mut Packer,
) -> Result<Vec<Lengths>, BuildError> {
    let (schema, fields) = Fields::schema();
    let files = RamDirectory::create();
    let tokenizers = TokenizerManager::new();
    tokenizers.register(TOKENIZER, Unpacking);
    let mut writer = IndexBuilder::new()
        .schema(schema)
        .tokenizers(tokenizers)
        .single_segment_index_writer(files.clone(), POSTINGS_MEMORY)?;
    let entries = corpus.entries();
    let mut by_id: HashMap<&str, Vec<u32>> = HashMap::new();
    for (idx, entry) in (0u32..).zip(entries) {
        by_id.entry(&entry.id).or_default().push(idx);
    }
    let mut lengths = Vec::with_capacity(entries.len());
    for entry in entries {
        let mut document = Document::default();
        document.add_number(entry);
        for (field, lang, text) in entry.texts() {
            let weight = match field {
                Field::Title | Field::Alias => TITLE_WEIGHT,
                _ => 1,
            };
            document.add_text(text, lang, weight, segmenter, stems);
        }
        document.add_context(entry, entries, &by_id, segmenter, stems);
        lengths.push(document.lengths);
        writer.add_document(document.finish(fields))?;
    }
    let index = writer.finalize()?;
    // tantivy names files by a random number; a fixed one makes the same texts the same file.
    for meta in index.searchable_segment_metas()? {
        let id = meta.id();
        for component in COMPONENTS {
            let path = meta.relative_path(component);
            if files.exists(&path).map_err(tantivy::TantivyError::from)? {
                let name = path.to_string_lossy().replace(&id.uuid_string(), SEGMENT);
                packer.add(format!("{PREFIX}{name}"), read(&files, &path)?);
            }
        }
        let meta_json = String::from_utf8_lossy(&read(&files, Path::new("meta.json"))?).into_owned();
        let hyphenated = hyphenated(&id.uuid_string());
        let meta_json = meta_json
            .replace(&hyphenated, SEGMENT_ID)
            .replace(&id.uuid_string(), SEGMENT);
        packer.add(format!("{PREFIX}meta.json"), meta_json.into_bytes());
    }
    Ok(lengths)
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
const SEGMENT: &str = "00000000000000000000000000000001";
const SEGMENT_ID: &str = "00000000-0000-0000-0000-000000000001";

fn hyphenated(id: &str) -> String {
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| id.get(part).unwrap_or_default());
    parts.join("-")
}

fn read(files: &RamDirectory, path: &Path) -> Result<Vec<u8>, BuildError> {
    if let Ok(bytes) = files.atomic_read(path) {
        return Ok(bytes);
    }
    let file = files.open_read(path).map_err(tantivy::TantivyError::from)?;
    let bytes = file.read_bytes().map_err(tantivy::TantivyError::from)?;
    Ok(bytes.to_vec())
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

/// Words with positions, on their way through tantivy, which takes texts and cuts them itself: the position, a
/// mark, the word, a mark. (Its own form of words already cut goes through JSON, which costs more than all else.)
#[derive(Default)]
struct Packed(String);

/// Marks that no folded word has.
const AFTER_POSITION: char = '\u{2}';
const AFTER_WORD: char = '\u{3}';

impl Packed {
    fn push(&mut self, term: &str, position: usize, times: usize) {
        for _ in 0..times {
            // Writing to a string cannot fail.
            let _ = write!(self.0, "{position}{AFTER_POSITION}{term}{AFTER_WORD}");
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
        let Some((position, rest)) = self.rest.split_once(AFTER_POSITION) else {
            return false;
        };
        let Some((word, rest)) = rest.split_once(AFTER_WORD) else {
            return false;
        };
        self.rest = rest;
        self.token.position = position.parse().unwrap_or_default();
        self.token.text.clear();
        self.token.text.push_str(word);
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
    fn add_number(&mut self, entry: &Entry) {
        let Some(number) = &entry.citation else {
            return;
        };
        let mut terms = crate::index::tokens::number_terms(number.as_str());
        terms.push(own_number_term(number.as_str()));
        for term in terms {
            self.en.push(&term, 0, 1);
        }
        self.position += GAP;
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
        for Token { column, term, chars } in tokens(folded.chars(), segmenter, stems) {
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
            column.push(&term, self.position + chars.start, weight);
        }
        self.lengths[lang as usize] += n_words;
        self.position += folded.chars().len() + GAP;
    }

    /// The titles of what stands above an entry: the nearest counts twice.
    fn add_context(
        &mut self,
        entry: &Entry,
        entries: &[Entry],
        by_id: &HashMap<&str, Vec<u32>>,
        segmenter: &Segmenter<&[u8]>,
        stems: &mut Stems,
    ) {
        let mut above = entry;
        for depth in 0..MAX_DEPTH {
            let Some(parent) = columns::parent(above, entries, by_id) else {
                break;
            };
            above = &entries[parent as usize];
            for (_, title) in above.title.iter() {
                let folded = Folded::new(title);
                for token in tokens(folded.chars(), segmenter, stems) {
                    if token.column != Column::Han {
                        self.context.push(&token.term, 0, if depth == 0 { 2 } else { 1 });
                    }
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
