//! The packed index: built once from a corpus, opened at every call. The one folder that names tantivy.
//!
//! A generation is one read-only file ([`pack`]). Looking an entry up reads only its tables; the search index,
//! the dictionary of words and the table of names that mean the same are opened when a query first needs them.
//!
//! | section | what |
//! |---|---|
//! | `extra/…` | what the builder gave, as it is |
//! | `entries`, `strings`, `heads` | the entries ([`codec`]), the ids in them, and what those of a document share |
//! | `keys`, `key-firsts` | every key of [`crate::corpus::Key`], and the entries under each ([`sorted`]) |
//! | `rows`, `facts`, `labels`, `averages` | what filters and ranking need of an entry ([`columns`]) |
//! | `cards`, `card-heads`, `card-names`, `card-firsts` | the cards and their names ([`cards`]) |
//! | `terms`, `term-firsts` | names that mean the same ([`terms`]) |
//! | `words` | the dictionary of [`crate::segment`] |
//! | `posting-words`, `posting-firsts` | where the postings of each word are ([`dictionary`]) |
//! | `tantivy/…` | the postings ([`tokens`] says of what, [`postings`] how they are collected) |

mod cards;
mod codec;
mod columns;
mod dictionary;
mod directory;
mod filter;
mod highlight;
mod map;
mod matching;
mod pack;
mod plan;
mod postings;
mod rank;
mod respell;
mod search;
mod sorted;
mod terms;
mod tokens;
mod vocabulary;
mod write;

pub use self::pack::{FORMAT, OpenError};
pub use self::search::{Expansion, Highlight, Hit, Hits, Matched};
pub use self::write::{BuildError, Extra, build, build_to};

use self::cards::Shelf;
use self::codec::{Reader, Stored, Strings, Table};
use self::columns::Columns;
use self::filter::Filter;
use self::pack::{Pack, Packer};
use self::search::Searcher;
use self::sorted::SortedMap;
use self::write::EXTRA;
use crate::card::Card;
use crate::corpus::{Damaged, EachName, Entries, Heading, Key};
use crate::entry::Entry;
use crate::query::{Filters, Search};
use crate::segment::{Cutter, Segmenter};
use std::io::{Read, Seek, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tantivy::directory::OwnedBytes;

/// What is searched for to see that the search index, its dictionary and its tables open: words of both languages.
const SEARCHED: &str = "rule 规则";

/// An index, opened.
///
/// # Example
///
/// ```
/// use shiyi::corpus::{Corpus, Entries};
/// use shiyi::index::{Index, build};
/// use shiyi::query::Search;
///
/// let index = Index::from_bytes(build(&Corpus::default(), &[])?)?;
/// assert_eq!(index.len(), 0);
/// assert_eq!(index.search(&Search::new("trample")?)?.total, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Index {
    pack: Pack,
    entries: Table,
    shared: Stored,
    keys: SortedMap,
    columns: Columns,
    searcher: OnceLock<Result<Searcher, Damaged>>,
    shelf: OnceLock<Result<Shelf, Damaged>>,
}

impl Index {
    /// Opens a packed file. Nothing is read but its header, until it is asked for.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is of another format, or is damaged.
    pub fn open(path: &Path) -> Result<Index, OpenError> {
        Self::from_pack(Pack::open(map::map(path)?)?)
    }

    /// An index that was never written to a file.
    ///
    /// # Errors
    ///
    /// As for [`Index::open`].
    pub fn from_bytes(file: Vec<u8>) -> Result<Index, OpenError> {
        Self::from_pack(Pack::open(OwnedBytes::new(file))?)
    }

    fn from_pack(pack: Pack) -> Result<Index, OpenError> {
        let table = |name| Table::new(pack.expect(name)?);
        Ok(Index {
            entries: table("entries")?,
            shared: Stored {
                strings: Strings(table("strings")?),
                heads: table("heads")?,
            },
            keys: SortedMap::new(pack.expect("keys")?, pack.expect("key-firsts")?)?,
            columns: Columns::new(pack.expect("rows")?, pack.expect("facts")?),
            searcher: OnceLock::new(),
            shelf: OnceLock::new(),
            pack,
        })
    }

    /// An extra that the builder gave.
    ///
    /// # Errors
    ///
    /// When there is none of that name, or it is damaged.
    pub fn extra(&self, name: &str) -> Result<&[u8], Damaged> {
        let section = self.pack.expect(&format!("{EXTRA}{name}"))?;
        self.pack.bytes(&section)
    }

    /// An extra that the builder gave, for as long as somebody has it.
    ///
    /// # Errors
    ///
    /// As for [`Index::extra`].
    pub fn shared_extra(&self, name: &str) -> Result<Arc<dyn AsRef<[u8]> + Send + Sync>, Damaged> {
        let section = self.pack.expect(&format!("{EXTRA}{name}"))?;
        Ok(Arc::new(section.owned(0..section.len())?))
    }

    /// Compares every checksum of the file.
    ///
    /// # Errors
    ///
    /// Says where the first damage is.
    pub fn check(&self) -> Result<(), Damaged> {
        self.pack.check()
    }

    /// Looks at everything that is stored: compares every checksum, and reads back every entry, key and table.
    /// Returns what is damaged; nothing when all is sound.
    pub fn damages(&self) -> Vec<Damaged> {
        let mut damages = self.pack.damages();
        // What is not as it was written cannot be expected to be read back.
        if damages.is_empty() {
            damages.extend(self.read_back().err());
        }
        damages
    }

    /// How many blocks with a checksum of their own the file has.
    pub fn n_blocks(&self) -> usize {
        self.pack.n_blocks()
    }

    fn read_back(&self) -> Result<(), Damaged> {
        let n = self.len() as u32;
        for idx in 0..n {
            let id = self.entry(idx)?.id;
            self.columns.row(idx)?;
            self.columns.facts(idx)?;
            if !self.find(&Key::Id(&id).encode())?.contains(&idx) {
                return Err(Damaged(format!("the entry `{id}` is not found under its id")));
            }
        }
        for (key, entries) in self.with_prefix("", usize::MAX)? {
            if entries.iter().any(|idx| *idx >= n) {
                return Err(Damaged(format!("the key `{key}` leads to no entry")));
            }
        }
        let n_cards = self.shelf()?.len() as u32;
        for number in 0..n_cards {
            let card = self.card(number)?;
            if card.entries.iter().any(|idx| *idx >= n) {
                return Err(Damaged(format!("the card `{}` leads to no entry", card.id())));
            }
        }
        self.cards_called(
            "",
            &mut |name, cards| match cards()?.iter().any(|number| *number >= n_cards) {
                true => Err(Damaged(format!("the name `{name}` leads to no card"))),
                false => Ok(()),
            },
        )?;
        self.search(&Search::new(SEARCHED).map_err(|error| Damaged(error.to_string()))?)?;
        Ok(())
    }

    /// Writes the same index to an empty file, with another value for one extra; returns the file.
    ///
    /// # Errors
    ///
    /// When this index is damaged or writing fails.
    pub fn copy_with<F: Read + Write + Seek>(&self, extra: Extra<'_>, file: F) -> Result<F, BuildError> {
        let replaced = format!("{EXTRA}{}", extra.0);
        let mut packer = Packer::new(file)?;
        for name in self.pack.names() {
            if name == replaced {
                packer.add(name, extra.1)?;
            } else {
                packer.add(name, self.pack.bytes(&self.pack.expect(name)?)?)?;
            }
        }
        Ok(packer.finish()?)
    }

    /// Cuts texts into words by the library's own dictionary.
    ///
    /// # Errors
    ///
    /// When the dictionary is damaged.
    pub fn cutter(&self) -> Result<Cutter<'_>, Damaged> {
        let dictionary = self.pack.expect("words")?;
        let segmenter = Segmenter::new(self.pack.bytes(&dictionary)?.to_vec())
            .map_err(|error| Damaged(error.to_string()))?;
        Ok(Box::new(move |text| segmenter.segments(text)))
    }

    /// Finds what a search is for: the hits of one page, best first, and how many there are in all.
    ///
    /// # Errors
    ///
    /// When what the search touches is damaged.
    pub fn search(&self, search: &Search) -> Result<Hits, Damaged> {
        // Checksums catch damage first; should tantivy still fall over what it reads, that is damage too.
        let found = catch_unwind(AssertUnwindSafe(|| {
            match self
                .searcher
                .get_or_init(|| Searcher::open(&self.pack, self.len() as u32))
            {
                Ok(searcher) => searcher.search(self, search),
                Err(damaged) => Err(damaged.clone()),
            }
        }));
        found.unwrap_or_else(|_| Err(Damaged("the search index cannot be read".to_owned())))
    }

    /// Every entry that passes the filters, in reading order, each read when it is its turn.
    ///
    /// # Errors
    ///
    /// When what it touches is damaged; then the rest is not to be trusted either.
    pub fn select<'a>(
        &'a self,
        filters: &'a Filters,
    ) -> Result<impl Iterator<Item = Result<Entry, Damaged>> + 'a, Damaged> {
        let labels = Table::new(self.pack.expect("labels")?)?;
        let filter = Filter::new(self, &labels, filters)?;
        let passes = move |idx| filter.passes(idx, &self.columns.row(idx)?);
        Ok((0..self.len() as u32).filter_map(move |idx| match passes(idx) {
            Ok(false) => None,
            Ok(true) => Some(self.entry(idx)),
            Err(damaged) => Some(Err(damaged)),
        }))
    }

    /// The cards, opened when one is first asked for.
    fn shelf(&self) -> Result<&Shelf, Damaged> {
        self.shelf
            .get_or_init(|| Shelf::open(&self.pack))
            .as_ref()
            .map_err(Clone::clone)
    }

    /// The stored record of an entry.
    fn record(&self, idx: u32) -> Result<&[u8], Damaged> {
        self.entries.row(idx as usize)
    }
}

/// The entries under a key.
fn read_entries(row: &[u8]) -> Result<Vec<u32>, Damaged> {
    let mut reader = Reader::new(row);
    let mut entries = Vec::with_capacity(row.len());
    while !reader.is_empty() {
        let idx = u32::try_from(reader.number()?);
        entries.push(idx.map_err(|_| Damaged("an entry's number is too large".to_owned()))?);
    }
    Ok(entries)
}

impl Entries for Index {
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn entry(&self, idx: u32) -> Result<Entry, Damaged> {
        codec::decode(self.record(idx)?, &self.shared)
    }

    fn heading(&self, idx: u32) -> Result<Heading, Damaged> {
        codec::heading(self.record(idx)?)
    }

    fn is_current(&self, idx: u32) -> Result<bool, Damaged> {
        Ok(self.columns.row(idx)?.is_current())
    }

    fn parent(&self, idx: u32) -> Result<Option<u32>, Damaged> {
        Ok(self.columns.facts(idx)?.parent())
    }

    fn find(&self, key: &str) -> Result<Vec<u32>, Damaged> {
        let row = self.keys.find(key.as_bytes(), Reader::bytes)?;
        read_entries(row.unwrap_or_default())
    }

    fn with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<(String, Vec<u32>)>, Damaged> {
        let mut rows = Vec::new();
        self.keys.scan(prefix.as_bytes(), Reader::bytes, |key, row| {
            if rows.len() == limit || !key.starts_with(prefix.as_bytes()) {
                return ControlFlow::Break(());
            }
            rows.push((String::from_utf8_lossy(key).into_owned(), row));
            ControlFlow::Continue(())
        })?;
        let entries = rows.into_iter().map(|(key, row)| Ok((key, read_entries(row)?)));
        entries.collect()
    }

    fn card(&self, number: u32) -> Result<Card, Damaged> {
        self.shelf()?.card(number)
    }

    fn cards_called(&self, prefix: &str, each: &mut EachName<'_>) -> Result<(), Damaged> {
        self.shelf()?.called(prefix, each)
    }
}
