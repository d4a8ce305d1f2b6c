//! What a search must know of an entry to let it through and to rank it, so that no text is decoded for an entry
//! that is not shown: eight bytes that every candidate is asked for, and apart from them what only filters want,
//! so that a query touches few blocks.

use crate::corpus::{Damaged, is_of_its_edition};
use crate::entry::{Entry, Kind, Lang, ProvenanceClass};
use crate::hash::FastMap;
use crate::index::codec::Interner;
use crate::index::pack::Section;

/// The size of a [`Row`] and of its [`Facts`], in bytes.
const ROW: usize = 8;
const FACTS: usize = 20;

/// A string that fits no row: look into the entry.
const TOO_MANY: u16 = u16::MAX;

/// No such string.
const NONE: u16 = u16::MAX - 1;

/// The number that stands for no entry.
const NO_ENTRY: u32 = u32::MAX;

/// A string that few entries differ in, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// There is none.
    None,
    /// The string of that number.
    Number(u16),
    /// There are too many to number: only the entry itself knows.
    Unknown,
}

/// What every candidate is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    bytes: [u8; ROW],
}

impl Row {
    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    /// How many words or Chinese characters its texts in that language have.
    pub fn length(&self, lang: Lang) -> u16 {
        self.u16(2 * lang as usize)
    }

    /// How many entries cite it.
    pub fn n_citing(&self) -> u16 {
        self.u16(4)
    }

    /// Its kind.
    pub fn kind(&self) -> Option<Kind> {
        Kind::ALL.get(usize::from(self.bytes[6])).copied()
    }

    /// True when it is of a current edition.
    pub fn is_current(&self) -> bool {
        self.bytes[7] & 1 != 0
    }

    /// True when it has a text in that language.
    pub fn has(&self, lang: Lang) -> bool {
        self.bytes[7] & (2 << lang as u8) != 0
    }
}

/// What only some filters ask for.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    bytes: [u8; FACTS],
}

impl Facts {
    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from(self.u16(at)) | (u32::from(self.u16(at + 2)) << 16)
    }

    fn label(&self, at: usize) -> Label {
        match self.u16(at) {
            TOO_MANY => Label::Unknown,
            NONE => Label::None,
            number => Label::Number(number),
        }
    }

    /// The game and document.
    pub fn document(&self) -> Label {
        self.label(0)
    }

    /// The edition of the text in that language, unless an older one lent it.
    pub fn edition(&self, lang: Lang) -> Label {
        self.label(2 + 2 * lang as usize)
    }

    /// The raw tag of who words the text in that language.
    pub fn tag(&self, lang: Lang) -> Label {
        self.label(6 + 2 * lang as usize)
    }

    /// Its date as the number `YYYYMMDD`; 0 where it has none.
    pub fn date(&self) -> u32 {
        self.u32(10)
    }

    /// The entry above it.
    pub fn parent(&self) -> Option<u32> {
        Some(self.u32(14)).filter(|parent| *parent != NO_ENTRY)
    }

    /// Who words the text in that language.
    pub fn class(&self, lang: Lang) -> Option<ProvenanceClass> {
        let class = (self.bytes[18] >> (4 * lang as u8)) & 0xf;
        ProvenanceClass::ALL
            .get(usize::from(class).checked_sub(1)?)
            .copied()
    }
}

/// `2024-06-07` as 20240607; 0 for anything else.
pub fn date_number(date: &str) -> u32 {
    let digits: String = date.chars().filter(char::is_ascii_digit).collect();
    match digits.len() {
        8 => digits.parse().unwrap_or_default(),
        _ => 0,
    }
}

/// What [`Row::document`] numbers.
pub fn document_label(game: &str, document: &str) -> String {
    format!("{game}\u{1f}{document}")
}

/// The stored rows and facts.
#[derive(Debug, Clone)]
pub struct Columns {
    rows: Section,
    facts: Section,
}

impl Columns {
    /// Rows and facts in these sections.
    pub fn new(rows: Section, facts: Section) -> Self {
        Self { rows, facts }
    }

    /// The row of an entry.
    ///
    /// # Errors
    ///
    /// When there is none or it is damaged.
    pub fn row(&self, idx: u32) -> Result<Row, Damaged> {
        let mut row = Row { bytes: [0; ROW] };
        row.bytes.copy_from_slice(stored(&self.rows, idx, ROW)?);
        Ok(row)
    }

    /// The facts of an entry.
    ///
    /// # Errors
    ///
    /// When there are none or they are damaged.
    pub fn facts(&self, idx: u32) -> Result<Facts, Damaged> {
        let mut facts = Facts { bytes: [0; FACTS] };
        facts.bytes.copy_from_slice(stored(&self.facts, idx, FACTS)?);
        Ok(facts)
    }
}

fn stored(section: &Section, idx: u32, size: usize) -> Result<&[u8], Damaged> {
    let start = (idx as usize).saturating_mul(size);
    section.bytes(start..start.saturating_add(size))
}

/// Words of English and characters of Chinese of an entry.
pub type Lengths = [u32; 2];

/// Rows and facts on their way into the file.
#[derive(Debug, Default)]
pub struct Written {
    /// The section of rows.
    pub rows: Vec<u8>,
    /// The section of facts.
    pub facts: Vec<u8>,
    /// For each entry the entry above it.
    pub parents: Vec<Option<u32>>,
}

impl Written {
    /// Says how long the texts of an entry are.
    pub fn set_lengths(&mut self, idx: usize, lengths: Lengths) {
        let row = &mut self.rows[idx * ROW..];
        for (slot, length) in row.chunks_mut(2).zip(lengths) {
            slot.copy_from_slice(&u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
        }
    }
}

/// The rows, their lengths still empty, and the facts of all entries. `labels` numbers the strings in them.
pub fn write(entries: &[Entry], current: &[bool], labels: &mut Interner) -> Written {
    let mut by_id: FastMap<&str, Vec<u32>> = FastMap::default();
    let mut n_citing: FastMap<&str, u16> = FastMap::default();
    for ((idx, entry), current) in (0u32..).zip(entries).zip(current) {
        by_id.entry(&entry.id).or_default().push(idx);
        if *current {
            for cited in entry.references.iter().filter(|cited| **cited != entry.id) {
                let n = n_citing.entry(cited).or_default();
                *n = n.saturating_add(1);
            }
        }
    }
    let mut written = Written {
        rows: Vec::with_capacity(entries.len() * ROW),
        facts: Vec::with_capacity(entries.len() * FACTS),
        parents: Vec::with_capacity(entries.len()),
    };
    let Written { rows, facts, parents } = &mut written;
    for (entry, current) in entries.iter().zip(current) {
        let has = |lang| u8::from(entry.text.get(lang).is_some() || entry.title.get(lang).is_some());
        rows.extend([0; 4]);
        rows.extend(
            n_citing
                .get(entry.id.as_str())
                .copied()
                .unwrap_or_default()
                .to_le_bytes(),
        );
        rows.push(position(&Kind::ALL, &entry.kind));
        rows.push(u8::from(*current) | (has(Lang::En) << 1) | (has(Lang::Zh) << 2));

        let mut label = |label: Option<&str>| match label.map(|label| labels.number(label)) {
            None => NONE,
            Some(number) => u16::try_from(number)
                .ok()
                .filter(|n| *n < NONE)
                .unwrap_or(TOO_MANY),
        };
        let document = document_label(&entry.game, &entry.document);
        let own_edition = |lang| {
            let edition = entry.edition.get(lang).filter(|_| entry.lent != Some(lang));
            edition.map(|edition| edition.as_str())
        };
        let provenance = |lang| entry.provenance.get(lang);
        let tag = |lang| provenance(lang).and_then(|provenance| provenance.tag.as_deref());
        let class = |lang| {
            let class = provenance(lang)
                .map(|provenance| provenance.class)
                .unwrap_or_default();
            position(&ProvenanceClass::ALL, &class) + 1
        };
        for number in [
            label(Some(&document)),
            label(own_edition(Lang::En)),
            label(own_edition(Lang::Zh)),
            label(tag(Lang::En)),
            label(tag(Lang::Zh)),
        ] {
            facts.extend(number.to_le_bytes());
        }
        facts.extend(entry.date.as_deref().map_or(0, date_number).to_le_bytes());
        let parent = parent(entry, entries, &by_id);
        facts.extend(parent.unwrap_or(NO_ENTRY).to_le_bytes());
        facts.push(class(Lang::En) | (class(Lang::Zh) << 4));
        facts.push(0);
        parents.push(parent);
    }
    written
}

/// The place of a value in the list of all its kind has; each of these lists is complete.
fn position<T: PartialEq>(all: &[T], value: &T) -> u8 {
    all.iter().position(|one| one == value).unwrap_or_default() as u8
}

/// The entry above an entry: of the same edition if there is one.
fn parent(entry: &Entry, entries: &[Entry], by_id: &FastMap<&str, Vec<u32>>) -> Option<u32> {
    let versions = by_id.get(entry.parent.as_deref()?)?;
    let same = versions
        .iter()
        .find(|idx| is_of_its_edition(entry, &entries[**idx as usize]));
    same.or(versions.first()).copied()
}
