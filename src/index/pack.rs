//! The packed file: named sections behind one header, with a checksum for each block.
//!
//! ```text
//! header      magic (8 bytes), format (u32), sections (u32), length of the file (u64),
//!             checksum of the sections' table (u32), checksum of all header bytes before this one (u32),
//!             where the tables begin (u64)
//! data        from byte 1024: blocks of 1024 bytes; each section starts a block
//! tables      where they begin (u64), again;
//!             for each section: length of its name (u32), name, offset (u64), length (u64);
//!             then the checksum (u32) of each block of the data
//! ```
//!
//! All numbers are little-endian. A checksum is the lower half of XXH3-64: it needs no look at what the processor
//! can do, which in a virtual machine costs more than all checksums of a lookup. The first 32 bytes keep their
//! form in every format, so that a file of another format is told from a damaged one. The tables come last, so
//! that sections are written as they are made. A block's checksum is compared when the block is first touched;
//! nothing that was not compared is ever handed out. A damaged checksum shows as a damaged block, so that the
//! checksums need none of their own and opening a large file costs no more than a small one. What is between two
//! sections is zero and belongs to the block before it.

use crate::corpus::Damaged;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tantivy::directory::{AntiCallToken, OwnedBytes, TerminatingWrite};

/// The format that this program writes, and the only one it reads. It stands for everything that decides what
/// the sections hold: layout, fold, runs, dictionary, tantivy's own format.
pub const FORMAT: u32 = 18;

const MAGIC: &[u8; 8] = b"shiyi\0\x1a\n";
const HEADER: usize = 32;
/// Where the tables begin, after the header.
const TABLES: Range<usize> = HEADER..HEADER + 8;
/// What is read at one place is less than this; a larger block would be summed up for nothing.
const BLOCK: usize = 1024;
/// Bytes that are collected before they are written.
const BUFFER: usize = 256 * BLOCK;

fn checksum(bytes: &[u8]) -> u32 {
    xxhash_rust::xxh3::xxh3_64(bytes) as u32
}

/// Why a packed file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be read at all.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An older program wrote it: it must be built anew.
    #[error("the index has format {0}, older than {FORMAT}; it must be built again")]
    OlderFormat(u32),
    /// A newer program wrote it: it must be left alone.
    #[error("the index has format {0}, newer than {FORMAT}, the newest that this program reads")]
    NewerFormat(u32),
    /// It is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

/// Writes a packed file, section by section.
#[derive(Debug)]
pub struct Packer<F> {
    file: F,
    sections: Vec<(String, Range<u64>)>,
    checksums: Vec<u8>,
    /// What is not written yet; it starts a block.
    buffer: Vec<u8>,
    /// Where the buffer goes.
    written: u64,
}

impl<F: Read + Write + Seek> Packer<F> {
    /// A packed file without sections, from the start of an empty file.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn new(mut file: F) -> io::Result<Self> {
        // Without a header it is no index yet.
        file.write_all(&[0; BLOCK])?;
        Ok(Self {
            file,
            sections: Vec::new(),
            checksums: Vec::new(),
            buffer: Vec::with_capacity(BUFFER + BLOCK),
            written: BLOCK as u64,
        })
    }

    /// Ends the section that was begun, and begins another; returns where it starts.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn begin(&mut self, name: impl Into<String>) -> io::Result<u64> {
        self.buffer.resize(self.buffer.len().next_multiple_of(BLOCK), 0);
        self.write_blocks()?;
        let start = self.written;
        self.sections.push((name.into(), start..start));
        Ok(start)
    }

    /// Adds a whole section.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn add(&mut self, name: impl Into<String>, bytes: &[u8]) -> io::Result<()> {
        self.begin(name)?;
        self.write_all(bytes)
    }

    /// Reads again what was written, from a place on. The section that was begun has ended.
    ///
    /// # Errors
    ///
    /// When that was not written, or reading or writing fails.
    pub fn read_back(&mut self, place: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.buffer.resize(self.buffer.len().next_multiple_of(BLOCK), 0);
        self.write_blocks()?;
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(bytes)?;
        self.file.seek(SeekFrom::Start(self.written)).map(drop)
    }

    /// Writes the blocks that are full.
    fn write_blocks(&mut self) -> io::Result<()> {
        let full = self.buffer.len() / BLOCK * BLOCK;
        for block in self.buffer[..full].chunks(BLOCK) {
            self.checksums.extend(checksum(block).to_le_bytes());
        }
        self.file.write_all(&self.buffer[..full])?;
        self.written += full as u64;
        self.buffer.drain(..full);
        Ok(())
    }

    /// Writes the tables and the header; returns the file.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn finish(mut self) -> io::Result<F> {
        self.buffer.resize(self.buffer.len().next_multiple_of(BLOCK), 0);
        self.write_blocks()?;
        let place = self.written.to_le_bytes();
        let mut tables = place.to_vec();
        for (name, range) in &self.sections {
            tables.extend((name.len() as u32).to_le_bytes());
            tables.extend(name.as_bytes());
            tables.extend(range.start.to_le_bytes());
            tables.extend((range.end - range.start).to_le_bytes());
        }
        let tables_sum = checksum(&tables);
        tables.append(&mut self.checksums);
        self.file.write_all(&tables)?;

        let mut head = [0; TABLES.end];
        head[..8].copy_from_slice(MAGIC);
        head[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        head[12..16].copy_from_slice(&(self.sections.len() as u32).to_le_bytes());
        head[16..24].copy_from_slice(&(self.written + tables.len() as u64).to_le_bytes());
        head[24..28].copy_from_slice(&tables_sum.to_le_bytes());
        let header_sum = checksum(&head[..28]);
        head[28..HEADER].copy_from_slice(&header_sum.to_le_bytes());
        head[TABLES].copy_from_slice(&place);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&head)?;
        self.file.flush()?;
        Ok(self.file)
    }
}

/// Writes into the section that was begun last.
impl<F: Read + Write + Seek> Write for Packer<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if let Some((_, range)) = self.sections.last_mut() {
            range.end += bytes.len() as u64;
        }
        if self.buffer.len() >= BUFFER {
            self.write_blocks()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// So that tantivy can write a file of its own as a section.
impl<F: Read + Write + Seek> TerminatingWrite for &mut Packer<F> {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        Ok(())
    }
}

/// A packed file, opened. Clones share it.
#[derive(Clone)]
pub struct Pack {
    shared: Arc<Shared>,
}

struct Shared {
    file: OwnedBytes,
    sections: Vec<Listed>,
    /// Where the checksums begin, and of how many blocks they are.
    checksums: usize,
    n_blocks: usize,
    /// A bit for each block that was compared.
    compared: Vec<AtomicU64>,
}

/// Where in the file a section is, and its name.
struct Listed {
    name: Range<usize>,
    range: Range<usize>,
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

impl Pack {
    /// Opens a packed file: reads its header and tables, and nothing else.
    ///
    /// # Errors
    ///
    /// When it is of another format or damaged.
    pub fn open(file: OwnedBytes) -> Result<Pack, OpenError> {
        let damaged = |what: &str| Damaged(what.to_owned());
        let header = file
            .first_chunk::<HEADER>()
            .ok_or_else(|| damaged("it is shorter than its header"))?;
        if !header.starts_with(MAGIC) {
            return Err(damaged("it does not begin as an index does").into());
        }
        if u32_at(header, 28) != Some(checksum(&header[..28])) {
            return Err(damaged("its header does not match its checksum").into());
        }
        match u32_at(header, 8).unwrap_or_default() {
            format if format < FORMAT => return Err(OpenError::OlderFormat(format)),
            format if format > FORMAT => return Err(OpenError::NewerFormat(format)),
            _ => {}
        }
        if u64_at(header, 16) != Some(file.len()) {
            return Err(damaged("it is cut off").into());
        }
        let n_sections = u32_at(header, 12).unwrap_or_default();
        let tables_sum = u32_at(header, 24).unwrap_or_default();
        let pack = Self::read_tables(file, n_sections, tables_sum)
            .ok_or_else(|| damaged("its tables do not match their checksum"))?;
        Ok(pack)
    }

    fn read_tables(file: OwnedBytes, n_sections: u32, tables_sum: u32) -> Option<Pack> {
        let tables = u64_at(&file, TABLES.start).filter(|at| *at >= BLOCK && at.is_multiple_of(BLOCK))?;
        if u64_at(&file, tables)? != tables {
            return None;
        }
        let mut at = tables + TABLES.len();
        // Each takes 20 bytes and its name.
        let mut sections = Vec::with_capacity((n_sections as usize).min((file.len() - tables) / 20));
        for _ in 0..n_sections {
            let length = u32_at(&file, at)? as usize;
            let name = at + 4..at.checked_add(4)?.checked_add(length)?;
            file.get(name.clone())?;
            at = name.end;
            let (offset, length) = (u64_at(&file, at)?, u64_at(&file, at + 8)?);
            at += 16;
            let end = offset.checked_add(length).filter(|end| *end <= tables)?;
            if offset < BLOCK {
                return None;
            }
            let range = offset..end;
            sections.push(Listed { name, range });
        }
        if checksum(file.get(tables..at)?) != tables_sum {
            return None;
        }
        let n_blocks = (tables - BLOCK) / BLOCK;
        (file.len() - at == 4 * n_blocks).then(|| Pack {
            shared: Arc::new(Shared {
                file,
                sections,
                checksums: at,
                n_blocks,
                compared: (0..n_blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            }),
        })
    }

    /// The names of the sections, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.shared
            .sections
            .iter()
            .map(|section| self.shared.name(section))
    }

    /// The section of that name, if there is one.
    pub fn section(&self, name: &str) -> Option<Section> {
        let mut sections = self.shared.sections.iter();
        let section = sections.find(|section| self.shared.file[section.name.clone()] == *name.as_bytes())?;
        Some(Section {
            pack: self.clone(),
            range: section.range.clone(),
        })
    }

    /// The section of that name.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn expect(&self, name: &str) -> Result<Section, Damaged> {
        self.section(name)
            .ok_or_else(|| Damaged(format!("it has no section `{name}`")))
    }

    /// All of a section, for as long as the pack lives.
    ///
    /// # Errors
    ///
    /// When it does not match its checksums.
    pub fn bytes(&self, section: &Section) -> Result<&[u8], Damaged> {
        self.shared.compare(&section.range)?;
        Ok(&self.shared.file[section.range.clone()])
    }

    /// Compares every checksum.
    ///
    /// # Errors
    ///
    /// Names the section of the first block that does not match.
    pub fn check(&self) -> Result<(), Damaged> {
        for section in &self.shared.sections {
            self.shared.compare(&section.range)?;
        }
        Ok(())
    }

    /// Compares every checksum, whatever was found before; each block that does not match.
    pub fn damages(&self) -> Vec<Damaged> {
        (0..self.n_blocks())
            .filter_map(|block| self.shared.compare_block(block).err())
            .collect()
    }

    /// How many blocks it has.
    pub fn n_blocks(&self) -> usize {
        self.shared.n_blocks
    }
}

impl Shared {
    fn name(&self, section: &Listed) -> &str {
        std::str::from_utf8(&self.file[section.name.clone()]).unwrap_or_default()
    }

    /// Compares the checksums of the blocks of a range that were not compared yet.
    #[inline]
    fn compare(&self, range: &Range<usize>) -> Result<(), Damaged> {
        if range.is_empty() {
            return Ok(());
        }
        // The first block is the header's.
        let (first, last) = (range.start / BLOCK - 1, (range.end - 1) / BLOCK - 1);
        for block in first..=last {
            // Two threads may both compare a block; they come to the same result.
            if self.compared[block / 64].load(Ordering::Relaxed) & (1 << (block % 64)) == 0 {
                self.compare_block(block)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn compare_block(&self, block: usize) -> Result<(), Damaged> {
        let start = (1 + block) * BLOCK;
        let bytes = &self.file[start..start + BLOCK];
        if u32_at(&self.file, self.checksums + 4 * block) != Some(checksum(bytes)) {
            let section = self.sections.iter().find(|section| section.range.end > start);
            let name = section.map_or("", |section| self.name(section));
            return Err(Damaged(format!(
                "a block of `{name}`, at byte {start}, does not match its checksum"
            )));
        }
        self.compared[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        Ok(())
    }
}

/// A part of a packed file.
#[derive(Debug, Clone)]
pub struct Section {
    pack: Pack,
    range: Range<usize>,
}

impl Section {
    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// The place of a part of it in the file.
    #[inline]
    fn place(&self, part: Range<usize>) -> Result<Range<usize>, Damaged> {
        if part.start > part.end || part.end > self.range.len() {
            return Err(Damaged(format!(
                "bytes {part:?} of a section of {} are asked for",
                self.range.len()
            )));
        }
        let place = self.range.start + part.start..self.range.start + part.end;
        self.pack.shared.compare(&place)?;
        Ok(place)
    }

    /// A part of it.
    ///
    /// # Errors
    ///
    /// When that part does not exist or does not match its checksums.
    #[inline]
    pub fn bytes(&self, part: Range<usize>) -> Result<&[u8], Damaged> {
        Ok(&self.pack.shared.file[self.place(part)?])
    }

    /// All of it.
    ///
    /// # Errors
    ///
    /// When it does not match its checksums.
    pub fn all(&self) -> Result<&[u8], Damaged> {
        self.bytes(0..self.len())
    }

    /// A part of it that lives on its own.
    ///
    /// # Errors
    ///
    /// As for [`Section::bytes`].
    pub fn owned(&self, part: Range<usize>) -> Result<OwnedBytes, Damaged> {
        Ok(self.pack.shared.file.slice(self.place(part)?))
    }

    /// The number at a place.
    ///
    /// # Errors
    ///
    /// As for [`Section::bytes`].
    pub fn u32(&self, at: usize) -> Result<u32, Damaged> {
        let bytes = self.bytes(at..at.saturating_add(4))?;
        Ok(u32_at(bytes, 0).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packer() -> Packer<io::Cursor<Vec<u8>>> {
        Packer::new(io::Cursor::default()).unwrap()
    }

    fn written(packer: Packer<io::Cursor<Vec<u8>>>) -> Vec<u8> {
        packer.finish().unwrap().into_inner()
    }

    fn packed() -> Vec<u8> {
        let mut packer = packer();
        packer.add("a", b"one").unwrap();
        packer.add("empty", b"").unwrap();
        let long = packer.begin("long").unwrap();
        for number in 0..10_000u32 {
            packer.write_all(&number.to_le_bytes()).unwrap();
        }
        let mut read = [0; 4];
        packer.read_back(long + 4 * 7_777, &mut read).unwrap();
        assert_eq!(u32::from_le_bytes(read), 7_777);
        written(packer)
    }

    fn open(file: Vec<u8>) -> Result<Pack, OpenError> {
        Pack::open(OwnedBytes::new(file))
    }

    fn read(file: Vec<u8>) -> Option<Vec<Vec<u8>>> {
        let pack = open(file).ok()?;
        ["a", "empty", "long"]
            .map(|name| Some(pack.section(name)?.all().ok()?.to_vec()))
            .into_iter()
            .collect()
    }

    #[test]
    fn sections_come_back() {
        let pack = open(packed()).unwrap();
        assert_eq!(pack.expect("a").unwrap().all().unwrap(), b"one");
        assert_eq!(pack.expect("empty").unwrap().len(), 0);
        assert_eq!(pack.expect("long").unwrap().u32(4 * 9_999).unwrap(), 9_999);
        assert!(pack.expect("long").unwrap().u32(4 * 10_000).is_err());
        assert!(pack.expect("other").is_err());
        assert!(pack.check().is_ok());
        assert!(open(written(packer())).unwrap().check().is_ok());
    }

    #[test]
    fn other_formats_are_told_from_damage() {
        let with_format = |format: u32| {
            let mut file = packed();
            file[8..12].copy_from_slice(&format.to_le_bytes());
            let sum = checksum(&file[..28]);
            file[28..32].copy_from_slice(&sum.to_le_bytes());
            open(file)
        };
        assert!(matches!(with_format(FORMAT + 1), Err(OpenError::NewerFormat(_))));
        assert!(matches!(with_format(FORMAT - 1), Err(OpenError::OlderFormat(_))));
        let mut file = packed();
        file[8] ^= 2;
        assert!(matches!(open(file), Err(OpenError::Damaged(_))));
    }

    #[test]
    fn every_flip_and_cut_is_found_or_harmless() {
        let (file, sound) = (packed(), read(packed()));
        for at in (0..file.len()).filter(|at| *at < 5_000 || at % 97 == 0) {
            let mut flipped = file.clone();
            flipped[at] ^= 0x10;
            let read = read(flipped);
            assert!(read.is_none() || read == sound, "byte {at}");
        }
        for length in (0..file.len()).step_by(61) {
            assert_eq!(read(file[..length].to_vec()), None, "cut at {length}");
        }
    }

    #[test]
    fn one_damaged_block_leaves_the_others() {
        let mut file = packed();
        let last = 11 * BLOCK + 100;
        file[last] ^= 1;
        let pack = open(file).unwrap();
        let long = pack.expect("long").unwrap();
        assert!(long.bytes(0..8_000).is_ok());
        assert!(long.all().is_err());
        assert!(pack.check().unwrap_err().to_string().contains("`long`"));
        assert_eq!(pack.damages(), [pack.check().unwrap_err()]);
    }
}
