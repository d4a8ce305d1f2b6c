//! How entries are stored: their texts first, as they are, so that an exact search reads them without decoding
//! the rest; then everything else, with each id as a number into one table, and what the entries of a document have in
//! common as a number into another.
//!
//! ```text
//! record  := n { field-and-language u8, length, bytes }      its texts, as [`Entry::texts`] gives them
//!            id kind number head …                            see `encode`
//! head    := game document editions provenances sources      without the lines of the sources
//! strings := rows of up to 8: { shared with the string before, length, bytes of the rest }
//! ```
//!
//! Numbers are LEB128; `0` stands for nothing where a value may be absent.

use crate::citation::RuleNumber;
use crate::corpus::{Damaged, Heading};
use crate::entry::{
    After, Behind, Bilingual, CardRef, Entry, Field, Kind, Lag, Lang, Note, NoteClass, PairedBy, Pairing,
    Provenance, ProvenanceClass, SourceRef,
};
use crate::index::pack::Section;
use crate::index::vocabulary::Vocabulary;
use crate::name::Name;
use std::io::{self, Write};

const FIELDS: [Field; 8] = [
    Field::Title,
    Field::Alias,
    Field::Text,
    Field::Example,
    Field::Item,
    Field::Note,
    Field::Card,
    Field::Tag,
];
const NOTE_CLASSES: [NoteClass; 3] = [NoteClass::Commentary, NoteClass::Format, NoteClass::Translator];
const PAIRED_BY: [PairedBy; 5] = [
    PairedBy::Number,
    PairedBy::Order,
    PairedBy::Position,
    PairedBy::FrontMatter,
    PairedBy::Content,
];

fn place<T: PartialEq>(all: &[T], value: &T) -> u8 {
    // Every value of these enums stands in its list.
    all.iter().position(|one| one == value).unwrap_or_default() as u8
}

/// The strings that repeat, each with a number.
#[derive(Debug, Default)]
pub struct Interner {
    strings: Vocabulary,
}

impl Interner {
    /// The number of a string.
    pub fn number(&mut self, string: &str) -> u32 {
        self.bytes(string.as_bytes())
    }

    /// The number of a byte string.
    pub fn bytes(&mut self, string: &[u8]) -> u32 {
        self.strings.number(string)
    }

    /// Writes the table.
    ///
    /// # Errors
    ///
    /// As for [`write_table`].
    pub fn write(self, out: &mut impl Write) -> io::Result<()> {
        write_table(self.strings.terms.iter(), out)
    }

    /// Writes the table of [`Strings`].
    ///
    /// # Errors
    ///
    /// As for [`write_table`].
    pub fn write_shared(self, out: &mut impl Write) -> io::Result<()> {
        let mut table = TableWriter::default();
        let mut row = Writer::default();
        let mut before: &[u8] = &[];
        for (number, string) in self.strings.terms.iter().enumerate() {
            if number % STRINGS == 0 && number > 0 {
                table.row(&std::mem::take(&mut row).finish(), out)?;
                before = &[];
            }
            let shared = before.iter().zip(string).take_while(|(a, b)| a == b).count();
            row.number(shared as u64);
            row.bytes(&string[shared..]);
            before = string;
        }
        if !row.is_empty() {
            table.row(&row.finish(), out)?;
        }
        table.finish(out).map(drop)
    }
}

/// Strings of a row: more share more, and take longer to read.
const STRINGS: usize = 8;

/// Stored strings by number, mostly ids: neighbours differ in little, and only that is stored.
#[derive(Debug, Clone)]
pub struct Strings(pub Table);

impl Strings {
    /// The string of that number.
    fn text(&self, number: usize) -> Result<Name, Damaged> {
        let mut row = Reader::new(self.0.row(number / STRINGS)?);
        let mut string = Vec::new();
        for _ in 0..=number % STRINGS {
            string.truncate(row.number()?);
            string.extend_from_slice(row.bytes()?);
        }
        match std::str::from_utf8(&string) {
            Ok(string) => Ok(string.into()),
            Err(_) => Err(Damaged("a stored text is not UTF-8".to_owned())),
        }
    }
}

/// What entries share, on its way into the file.
#[derive(Debug, Default)]
pub struct Shared {
    /// The ids.
    pub strings: Interner,
    /// What the entries of a document have in common.
    pub heads: Interner,
    head: Writer,
}

/// What entries share, stored.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The ids.
    pub strings: Strings,
    /// What the entries of a document have in common.
    pub heads: Table,
}

/// Byte strings by number, on their way into a section: the bytes, where each ends (u32), and how many there are
/// (u32).
#[derive(Debug, Default)]
pub struct TableWriter {
    ends: Vec<u32>,
}

impl TableWriter {
    /// Writes the next row.
    ///
    /// # Errors
    ///
    /// When writing fails, or there is more than a table can hold.
    pub fn row(&mut self, row: &[u8], out: &mut impl Write) -> io::Result<()> {
        let end = self.ends.last().map_or(0, |end| *end as usize) + row.len();
        let end = u32::try_from(end).map_err(|_| {
            io::Error::new(
                io::ErrorKind::FileTooLarge,
                "there is more text than one index can hold",
            )
        })?;
        self.ends.push(end);
        out.write_all(row)
    }

    /// Writes what follows the rows; returns where each of them ends, counted from the first.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn finish(self, out: &mut impl Write) -> io::Result<Vec<u32>> {
        for end in &self.ends {
            out.write_all(&end.to_le_bytes())?;
        }
        out.write_all(&(self.ends.len() as u32).to_le_bytes())?;
        Ok(self.ends)
    }
}

/// Writes a table.
///
/// # Errors
///
/// When writing fails, or there is more than a table can hold.
pub fn write_table<'b>(rows: impl Iterator<Item = &'b [u8]>, out: &mut impl Write) -> io::Result<()> {
    let mut table = TableWriter::default();
    for row in rows {
        table.row(row, out)?;
    }
    table.finish(out).map(drop)
}

/// A stored table (see [`TableWriter`]).
#[derive(Debug, Clone)]
pub struct Table {
    section: Section,
    n: usize,
    /// Where the rows end and their ends begin.
    ends: usize,
}

impl Table {
    /// Reads its length.
    ///
    /// # Errors
    ///
    /// When the section is damaged.
    pub fn new(section: Section) -> Result<Table, Damaged> {
        let cut = || Damaged("a table is cut off".to_owned());
        let last = section.len().checked_sub(4).ok_or_else(cut)?;
        let n = section.u32(last)? as usize;
        let ends = last.checked_sub(n.saturating_mul(4)).ok_or_else(cut)?;
        Ok(Table { section, n, ends })
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.n
    }

    /// The row of that number.
    ///
    /// # Errors
    ///
    /// When there is none or it is damaged.
    pub fn row(&self, number: usize) -> Result<&[u8], Damaged> {
        if number >= self.n {
            return Err(Damaged(format!("row {number} of {} is asked for", self.n)));
        }
        // Where the row before ends and where this one does, in one look.
        let at = self.ends + 4 * number;
        let ends = self.section.bytes(at - if number == 0 { 0 } else { 4 }..at + 4)?;
        let end = |bytes: Option<&[u8; 4]>| bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        let start = if number == 0 { 0 } else { end(ends.first_chunk()) };
        self.section.bytes(start..end(ends.last_chunk()))
    }

    /// The row of that number as text.
    ///
    /// # Errors
    ///
    /// As for [`Table::row`].
    pub fn text(&self, number: usize) -> Result<&str, Damaged> {
        std::str::from_utf8(self.row(number)?).map_err(|_| Damaged("a stored text is not UTF-8".to_owned()))
    }
}

/// Writes records.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// What was written.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A text with its length.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Bytes with their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend(bytes);
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn string(&mut self, strings: &mut Interner, string: &str) {
        self.number(u64::from(strings.number(string)) + 1);
    }

    fn optional(&mut self, strings: &mut Interner, string: Option<impl AsRef<str>>) {
        match string {
            Some(string) => self.string(strings, string.as_ref()),
            None => self.byte(0),
        }
    }

    fn strings(&mut self, strings: &mut Interner, all: &[Name]) {
        self.number(all.len() as u64);
        all.iter().for_each(|one| self.string(strings, one));
    }

    fn presence<T>(&mut self, all: &[Bilingual<T>]) {
        self.number(all.len() as u64);
        for one in all {
            self.byte(u8::from(one.en.is_some()) | u8::from(one.zh.is_some()) << 1);
        }
    }

    /// A text that may be absent, as it is.
    pub fn inline(&mut self, text: Option<&str>) {
        self.byte(u8::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    /// Who words a text.
    pub fn provenance(&mut self, provenance: Option<&Provenance>) {
        let Some(Provenance { class, tag, after }) = provenance else {
            return self.byte(0);
        };
        self.byte(place(&ProvenanceClass::ALL, class) + 1);
        self.inline(tag.as_deref());
        let Some(After { class, tag, date }) = after.as_deref() else {
            return self.byte(0);
        };
        self.byte(place(&ProvenanceClass::ALL, class) + 1);
        self.inline(tag.as_deref());
        self.inline(date.as_deref());
    }

    /// The language of a source.
    pub fn lang(&mut self, lang: Option<Lang>) {
        self.byte(lang.map_or(0, |lang| 1 + place(&Lang::ALL, &lang)));
    }
}

/// Appends the record of an entry to others.
pub fn encode(entry: &Entry, shared: &mut Shared, records: &mut Vec<u8>) {
    // No `..`: a field that is added to entries must be stored.
    let Entry {
        id,
        game,
        document,
        kind,
        citation,
        label,
        title: _,
        aliases: _,
        edition,
        // The order of editions is kept as keys.
        issued: _,
        text: _,
        examples,
        items,
        notes,
        provenance,
        cards,
        date,
        parent,
        children,
        references,
        pairing,
        lent,
        behind,
        sources,
    } = entry;
    let Shared { strings, heads, head } = shared;
    head.bytes.clear();
    head.text(game);
    head.text(document);
    head.inline(edition.en.as_deref());
    head.inline(edition.zh.as_deref());
    head.provenance(provenance.en.as_ref());
    head.provenance(provenance.zh.as_ref());
    head.number(sources.len() as u64);
    for SourceRef { file, line: _, lang } in sources {
        head.text(file);
        head.lang(*lang);
    }

    let mut out = Writer {
        bytes: std::mem::take(records),
    };
    out.number(entry.texts().count() as u64);
    for (field, lang, text) in entry.texts() {
        out.byte(place(&FIELDS, &field) | place(&Lang::ALL, &lang) << 4);
        out.text(text);
    }
    out.string(strings, id);
    out.byte(place(&Kind::ALL, kind));
    out.text(citation.as_ref().map_or("", |citation| citation.as_str()));
    out.number(u64::from(heads.bytes(&head.bytes)));
    out.optional(strings, label.as_ref());
    out.presence(examples);
    out.presence(items);
    out.number(notes.len() as u64);
    for Note {
        lang: _,
        text: _,
        class,
        tag,
        covers,
    } in notes
    {
        out.byte(place(&NOTE_CLASSES, class));
        out.optional(strings, tag.as_ref());
        out.strings(strings, covers);
    }
    out.number(cards.len() as u64);
    for CardRef { en, zh, id, inferred } in cards {
        out.byte(u8::from(en.is_some()) | u8::from(zh.is_some()) << 1 | u8::from(*inferred) << 2);
        out.optional(strings, id.as_ref());
    }
    out.optional(strings, date.as_ref());
    out.optional(strings, parent.as_ref());
    out.strings(strings, children);
    out.strings(strings, references);
    let paired = match pairing {
        Some(Pairing {
            how,
            certain,
            partial,
        }) => (1 + place(&PAIRED_BY, how)) | (u8::from(*certain) << 3) | (u8::from(*partial) << 4),
        None => 0,
    };
    let lent = lent.map_or(0, |lent| 1 + place(&Lang::ALL, &lent));
    out.byte(paired | (u8::from(behind.is_some()) << 5) | (lent << 6));
    if let Some(Behind { lang, edition, why }) = behind {
        out.byte(place(&Lang::ALL, lang) | place(&Lag::ALL, why) << 4);
        out.string(strings, edition);
    }
    for SourceRef { line, .. } in sources {
        out.number(u64::from(*line));
    }
    *records = out.finish();
}

/// Reads a record.
#[derive(Debug, Clone)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Starts at the first of some bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// True when all was read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What is said of a record that is too short.
    pub fn cut() -> Damaged {
        Damaged("a record ends too soon".to_owned())
    }

    fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.bytes.split_first().ok_or_else(Self::cut)?;
        self.bytes = rest;
        Ok(*first)
    }

    /// A number.
    ///
    /// # Errors
    ///
    /// When the record ends within it.
    pub fn number(&mut self) -> Result<usize, Damaged> {
        let mut number = 0u64;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return usize::try_from(number).map_err(|_| Self::cut());
            }
        }
        Err(Self::cut())
    }

    /// A count: never more than there are bytes left, so that memory stays bounded.
    ///
    /// # Errors
    ///
    /// When the record ends within it, or has fewer bytes.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let n = self.number()?;
        if n > self.bytes.len() {
            return Err(Self::cut());
        }
        Ok(n)
    }

    /// A text with its length.
    ///
    /// # Errors
    ///
    /// When the record ends within it or it is no UTF-8.
    pub fn text(&mut self) -> Result<&'b str, Damaged> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Damaged("a stored text is not UTF-8".to_owned()))
    }

    /// Bytes with their length.
    ///
    /// # Errors
    ///
    /// When the record ends within them.
    pub fn bytes(&mut self) -> Result<&'b [u8], Damaged> {
        let length = self.number()?;
        let (bytes, rest) = self.bytes.split_at_checked(length).ok_or_else(Self::cut)?;
        self.bytes = rest;
        Ok(bytes)
    }

    fn value<T: Copy>(&mut self, all: &[T]) -> Result<T, Damaged> {
        let at = usize::from(self.byte()?);
        all.get(at).copied().ok_or_else(Self::cut)
    }

    fn optional<S: From<Name>>(&mut self, strings: &Strings) -> Result<Option<S>, Damaged> {
        match self.number()? {
            0 => Ok(None),
            number => Ok(Some(strings.text(number - 1)?.into())),
        }
    }

    /// A text that may be absent, as it is.
    ///
    /// # Errors
    ///
    /// As for [`Reader::text`].
    pub fn inline<S: From<&'b str>>(&mut self) -> Result<Option<S>, Damaged> {
        match self.byte()? {
            0 => Ok(None),
            _ => Ok(Some(self.text()?.into())),
        }
    }

    /// The language of a source.
    ///
    /// # Errors
    ///
    /// When the record ends here, or has no such language.
    pub fn lang(&mut self) -> Result<Option<Lang>, Damaged> {
        match usize::from(self.byte()?) {
            0 => Ok(None),
            at => Ok(Some(*Lang::ALL.get(at - 1).ok_or_else(Self::cut)?)),
        }
    }

    fn string(&mut self, strings: &Strings) -> Result<Name, Damaged> {
        self.optional(strings)?.ok_or_else(Self::cut)
    }

    fn strings(&mut self, strings: &Strings) -> Result<Vec<Name>, Damaged> {
        (0..self.count()?).map(|_| self.string(strings)).collect()
    }

    /// Who words a text.
    ///
    /// # Errors
    ///
    /// When the record ends within it, or has no such class.
    pub fn provenance(&mut self) -> Result<Option<Provenance>, Damaged> {
        let Some(class) = self.class()? else {
            return Ok(None);
        };
        let tag = self.inline()?;
        let after = match self.class()? {
            None => None,
            Some(class) => Some(Box::new(After {
                class,
                tag: self.inline()?,
                date: self.inline()?,
            })),
        };
        Ok(Some(Provenance { class, tag, after }))
    }

    fn class(&mut self) -> Result<Option<ProvenanceClass>, Damaged> {
        match usize::from(self.byte()?) {
            0 => Ok(None),
            at => ProvenanceClass::ALL
                .get(at - 1)
                .map(|class| Some(*class))
                .ok_or_else(Self::cut),
        }
    }
}

/// A text of an entry, and where it stands.
pub type Text<'b> = (Field, Lang, &'b str);

/// The texts of a record, in the order of [`Entry::texts`].
///
/// # Errors
///
/// When the record is damaged.
pub fn texts(record: &[u8]) -> Result<Vec<Text<'_>>, Damaged> {
    read_texts(&mut Reader::new(record))
}

/// The texts of a record, and the number of its entry; empty where it has none.
///
/// # Errors
///
/// When the record is damaged.
pub fn texts_and_number(record: &[u8]) -> Result<(Vec<Text<'_>>, &str), Damaged> {
    let mut reader = Reader::new(record);
    let texts = read_texts(&mut reader)?;
    // Id and kind stand before it.
    reader.number()?;
    reader.byte()?;
    Ok((texts, reader.text()?))
}

/// What the entry of a record is called, without reading the rest of it.
///
/// # Errors
///
/// When the record is damaged.
pub fn heading(record: &[u8]) -> Result<Heading, Damaged> {
    let (texts, number) = texts_and_number(record)?;
    let mut title = Bilingual::default();
    for (_, lang, text) in texts.iter().filter(|(field, _, _)| *field == Field::Title) {
        *title.get_mut(*lang) = Some((*text).to_owned());
    }
    Ok(Heading {
        citation: citation(number)?,
        title,
    })
}

/// The number of an entry, as it is stored.
fn citation(stored: &str) -> Result<Option<RuleNumber>, Damaged> {
    match stored {
        "" => Ok(None),
        number => match number.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(Damaged(format!("`{number}` is stored as a number"))),
        },
    }
}

fn read_texts<'b>(reader: &mut Reader<'b>) -> Result<Vec<Text<'b>>, Damaged> {
    let n = reader.count()?;
    let mut texts = Vec::with_capacity(n);
    for _ in 0..n {
        let tag = reader.byte()?;
        let field = FIELDS.get(usize::from(tag & 0xf)).ok_or_else(Reader::cut)?;
        let lang = Lang::ALL.get(usize::from(tag >> 4)).ok_or_else(Reader::cut)?;
        texts.push((*field, *lang, reader.text()?));
    }
    Ok(texts)
}

/// The entry of a record.
///
/// # Errors
///
/// When the record is damaged.
pub fn decode(record: &[u8], shared: &Stored) -> Result<Entry, Damaged> {
    let Stored { strings, heads } = shared;
    let mut reader = Reader::new(record);
    let texts = read_texts(&mut reader)?;
    let of = |wanted: Field| {
        let texts = texts.iter().filter(move |(field, _, _)| *field == wanted);
        texts.map(|(_, lang, text)| (*lang, (*text).to_owned()))
    };
    let whole = |field| {
        let mut whole = Bilingual::default();
        of(field).for_each(|(lang, text)| *whole.get_mut(lang) = Some(text));
        whole
    };
    let (title, text) = (whole(Field::Title), whole(Field::Text));
    let aliases = of(Field::Alias).map(|(_, text)| text).collect();
    let (mut example_texts, mut item_texts) = (of(Field::Example), of(Field::Item));
    let (mut note_texts, mut card_texts) = (of(Field::Note), of(Field::Card));

    let id = reader.string(strings)?;
    let kind = reader.value(&Kind::ALL)?;
    let citation = citation(reader.text()?)?;
    let mut head = Reader::new(heads.row(reader.number()?)?);
    let game = head.text()?.into();
    let document = head.text()?.into();
    let edition = Bilingual {
        en: head.inline()?,
        zh: head.inline()?,
    };
    let provenance = Bilingual {
        en: head.provenance()?,
        zh: head.provenance()?,
    };
    let label = reader.optional(strings)?;
    let presence = |reader: &mut Reader<'_>, texts: &mut dyn Iterator<Item = (Lang, String)>| {
        let n = reader.count()?;
        let mut all = Vec::with_capacity(n);
        for _ in 0..n {
            let mask = reader.byte()?;
            let mut next = |there: u8| match mask & there {
                0 => Ok(None),
                _ => texts.next().map(|(_, text)| Some(text)).ok_or_else(Reader::cut),
            };
            all.push(Bilingual {
                en: next(1)?,
                zh: next(2)?,
            });
        }
        Ok::<_, Damaged>(all)
    };
    let examples = presence(&mut reader, &mut example_texts)?;
    let items = presence(&mut reader, &mut item_texts)?;
    let mut notes = Vec::new();
    for _ in 0..reader.count()? {
        let (lang, text) = note_texts.next().ok_or_else(Reader::cut)?;
        notes.push(Note {
            lang,
            text,
            class: reader.value(&NOTE_CLASSES)?,
            tag: reader.optional(strings)?,
            covers: reader.strings(strings)?,
        });
    }
    let mut cards = Vec::new();
    for _ in 0..reader.count()? {
        let mask = reader.byte()?;
        let mut next = |there: u8| match mask & there {
            0 => Ok(None),
            _ => card_texts
                .next()
                .map(|(_, text)| Some(text))
                .ok_or_else(Reader::cut),
        };
        cards.push(CardRef {
            en: next(1)?,
            zh: next(2)?,
            id: reader.optional(strings)?,
            inferred: mask & 4 != 0,
        });
    }
    let date = reader.optional(strings)?;
    let parent = reader.optional(strings)?;
    let children = reader.strings(strings)?;
    let references = reader.strings(strings)?;
    let packed = reader.byte()?;
    let pairing = match usize::from(packed & 7).checked_sub(1) {
        None => None,
        Some(how) => Some(Pairing {
            how: PAIRED_BY.get(how).copied().ok_or_else(Reader::cut)?,
            certain: packed & 0x08 != 0,
            partial: packed & 0x10 != 0,
        }),
    };
    let lent = match usize::from(packed >> 6).checked_sub(1) {
        None => None,
        Some(lang) => Some(Lang::ALL.get(lang).copied().ok_or_else(Reader::cut)?),
    };
    let behind = match packed & 0x20 {
        0 => None,
        _ => {
            let packed = usize::from(reader.byte()?);
            Some(Behind {
                lang: Lang::ALL.get(packed & 0xf).copied().ok_or_else(Reader::cut)?,
                edition: reader.string(strings)?,
                why: Lag::ALL.get(packed >> 4).copied().ok_or_else(Reader::cut)?,
            })
        }
    };
    let mut sources = Vec::new();
    for _ in 0..head.count()? {
        sources.push(SourceRef {
            file: head.text()?.into(),
            line: u32::try_from(reader.number()?).map_err(|_| Reader::cut())?,
            lang: head.lang()?,
        });
    }
    Ok(Entry {
        id,
        game,
        document,
        kind,
        citation,
        label,
        title,
        aliases,
        edition,
        issued: Bilingual::default(),
        text,
        examples,
        items,
        notes,
        provenance,
        cards,
        date,
        parent,
        children,
        references,
        pairing,
        lent,
        behind,
        sources,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::pack::{Pack, Packer};
    use proptest::prelude::*;
    use tantivy::directory::OwnedBytes;

    fn stored(shared: Shared) -> Stored {
        let mut packer = Packer::new(io::Cursor::new(Vec::new())).unwrap();
        packer.begin("strings").unwrap();
        shared.strings.write_shared(&mut packer).unwrap();
        packer.begin("heads").unwrap();
        shared.heads.write(&mut packer).unwrap();
        let file = packer.finish().unwrap().into_inner();
        let pack = Pack::open(OwnedBytes::new(file)).unwrap();
        let table = |name| Table::new(pack.expect(name).unwrap()).unwrap();
        Stored {
            strings: Strings(table("strings")),
            heads: table("heads"),
        }
    }

    fn example() -> Entry {
        let source = |line, lang| SourceRef {
            file: "rules/demo/a.txt".into(),
            line,
            lang,
        };
        let both = |en: &str, zh: &str| Bilingual::both(en.to_owned(), zh.to_owned());
        Entry {
            id: "demo:rule:702.3a".into(),
            game: "demo".into(),
            document: "cr".into(),
            kind: Kind::Rule,
            citation: "702.3a".parse().ok(),
            label: Some("bare-number".into()),
            title: both("Title", "标题"),
            aliases: vec!["别名".into(), "alias".into()],
            edition: Bilingual::both("1.2".into(), "1.1".into()),
            issued: Bilingual::default(),
            text: both("Text", "正文"),
            examples: vec![
                both("one", "一"),
                Bilingual::one(Lang::Zh, "二".into()),
                both("three", "三"),
            ],
            items: vec![Bilingual::one(Lang::En, "first".into())],
            notes: vec![Note {
                lang: Lang::Zh,
                text: "旁注".into(),
                class: NoteClass::Translator,
                tag: Some("译注".into()),
                covers: vec!["demo:rule:1".into()],
            }],
            provenance: Bilingual {
                en: Some(Provenance {
                    class: ProvenanceClass::OwnWords,
                    tag: None,
                    after: Some(Box::new(After {
                        class: ProvenanceClass::Machine,
                        tag: Some("gpt".into()),
                        date: Some("2024-01-02".into()),
                    })),
                }),
                zh: Some(Provenance::default()),
            },
            cards: vec![
                CardRef {
                    en: Some("Card".into()),
                    zh: None,
                    id: Some("c1".into()),
                    inferred: true,
                },
                CardRef {
                    zh: Some("卡牌".into()),
                    ..CardRef::default()
                },
            ],
            date: Some("2024-01-02".into()),
            parent: Some("demo:rule:702.3".into()),
            children: vec!["demo:rule:702.3a-1".into()],
            references: vec!["demo:rule:1".into()],
            pairing: Some(Pairing {
                how: PairedBy::Content,
                certain: false,
                partial: true,
            }),
            lent: Some(Lang::Zh),
            behind: Some(Behind {
                lang: Lang::Zh,
                edition: "1.1".into(),
                why: Lag::OtherRule,
            }),
            sources: vec![source(7, Some(Lang::Zh)), source(700_000, None)],
        }
    }

    #[test]
    fn an_entry_survives() {
        let mut shared = Shared::default();
        let bare = Entry::new(
            "demo:rule:1",
            "demo",
            "cr",
            Kind::Term,
            example().sources[0].clone(),
        );
        for entry in [example(), bare] {
            let mut record = Vec::new();
            encode(&entry, &mut shared, &mut record);
            let Heading { citation, title } = heading(&record).unwrap();
            assert_eq!((citation, title), (entry.citation.clone(), entry.title.clone()));
            let table = stored(std::mem::take(&mut shared));
            assert_eq!(decode(&record, &table).unwrap(), entry);
            let given: Vec<_> = entry.texts().collect();
            assert_eq!(texts(&record).unwrap(), given);
        }
    }

    #[test]
    fn strings_are_read_by_number() {
        let all: Vec<String> = (0..20u32).map(|i| format!("demo:rule:{}", i * i * i)).collect();
        let mut shared = Shared::default();
        for (number, string) in (0..).zip(&all) {
            assert_eq!(shared.strings.number(string), number);
        }
        let Stored { strings, .. } = stored(shared);
        for (number, string) in all.iter().enumerate() {
            assert_eq!(strings.text(number).unwrap(), *string);
        }
        assert!(strings.text(20).is_err() && strings.text(24).is_err());
    }

    proptest! {
        #[test]
        fn damage_is_an_error_or_an_entry(at in 0usize..400, with in any::<u8>(), cut in 0usize..400) {
            // Checksums catch damage before this; still, nothing may panic or ask for endless memory.
            let mut shared = Shared::default();
            let mut record = Vec::new();
            encode(&example(), &mut shared, &mut record);
            let table = stored(shared);
            let length = record.len();
            record[at % length] = with;
            record.truncate(cut.max(1));
            let _ = decode(&record, &table);
        }
    }
}
