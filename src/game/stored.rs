//! Games as an index keeps them: which there are and what they are called can be seen without reading any, and one
//! is read without reading the others. A lookup among a hundred games costs what it costs among two.
//!
//! ```text
//! stored := games u32, names u32
//!           for each game, where its row ends (u32), in order of id
//!           for each name, where it ends (u32), in order of name
//!           for each name, the place of the game that is called so (u32)
//!           the rows, the names
//! row    := id, shipped u8, [numeric] and [calc] as JSON unless shipped, what else there is (see `write_game`)
//! ```
//!
//! Texts follow their length, numbers are LEB128. It is written and read by one and the same program; the index
//! says which, and that it is sound.

use super::{Deferred, Document, Game, Level, Names, Numbering, Text, Unread, Words};
use crate::entry::{Kind, Lang};
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Bytes that somebody else keeps: a mapped file.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// What of a user's game is read when it is needed, as JSON: its `[numeric]` and its `[calc]`.
pub type Parts = [String; 2];

/// The stored form of games, which are in order of id; with the parts of those that are not shipped.
pub fn write<'g>(games: impl Iterator<Item = &'g Game>, own: &HashMap<String, Parts>) -> Vec<u8> {
    let (mut rows, mut row_ends) = (Writer::default(), Vec::new());
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for (place, game) in (0u32..).zip(games) {
        rows.text(&game.id);
        let parts = own.get(&game.id);
        rows.number(usize::from(parts.is_none()));
        parts.into_iter().flatten().for_each(|part| rows.text(part));
        write_game(game, &mut rows);
        row_ends.push(rows.0.len() as u32);
        for name in game.words() {
            // Of two games with one name the first is meant.
            names.entry(name).or_insert(place);
        }
    }
    let mut stored = Vec::new();
    let mut add = |number: u32| stored.extend(number.to_le_bytes());
    add(row_ends.len() as u32);
    add(names.len() as u32);
    row_ends.iter().for_each(|end| add(*end));
    let mut end = 0;
    for name in names.keys() {
        end += name.len() as u32;
        add(end);
    }
    names.values().for_each(|place| add(*place));
    stored.extend(rows.0);
    names.keys().for_each(|name| stored.extend(name.as_bytes()));
    stored
}

/// Stored games.
#[derive(Clone)]
pub struct Stored {
    bytes: Bytes,
    n_names: usize,
    /// Where the rows begin, and the names.
    rows: usize,
    names: usize,
    shipped: fn(&str) -> Option<Unread>,
    read: Vec<OnceLock<Option<Box<Game>>>>,
}

impl Debug for Stored {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries((0..self.len()).map(|place| self.id(place)))
            .finish()
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
}

impl Stored {
    /// Games that [`write()`] wrote; none where it did not. `shipped` gives the shipped ones.
    pub fn new(bytes: Bytes, shipped: fn(&str) -> Option<Unread>) -> Option<Stored> {
        let stored = bytes.as_ref().as_ref();
        let (n, n_names) = (u32_at(stored, 0)?, u32_at(stored, 4)?);
        let rows = 8 + 4 * (n + 2 * n_names);
        let names = rows + if n == 0 { 0 } else { u32_at(stored, 4 + 4 * n)? };
        (names <= stored.len()).then(|| Stored {
            n_names,
            rows,
            names,
            shipped,
            read: vec![OnceLock::new(); n],
            bytes,
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.read.len()
    }

    /// Where the bytes are whose ends stand from `ends` on, after `start`; nowhere where it is not so.
    fn piece(&self, ends: usize, start: usize, place: usize) -> Range<usize> {
        let bytes = (*self.bytes).as_ref();
        let piece = || {
            let first = match place {
                0 => 0,
                _ => u32_at(bytes, ends + 4 * (place - 1))?,
            };
            let piece = start + first..start + u32_at(bytes, ends + 4 * place)?;
            bytes.get(piece.clone()).map(|_| piece)
        };
        piece().unwrap_or_default()
    }

    fn row(&self, place: usize) -> Reader<'_> {
        let Range { start, end } = self.piece(8, self.rows, place);
        Reader {
            kept: &self.bytes,
            bytes: &(*self.bytes).as_ref()[..end],
            at: start,
        }
    }

    /// The id of the game at a place.
    pub(super) fn id(&self, place: usize) -> &str {
        self.row(place).text().unwrap_or_default()
    }

    /// The place of the game with that id.
    pub(super) fn with_id(&self, id: &str) -> Option<usize> {
        search(self.len(), |place| self.id(place).cmp(id))
    }

    /// The place of the game that [`loose`] makes that name of.
    pub(super) fn called(&self, name: &str) -> Option<usize> {
        let ends = 8 + 4 * self.len();
        let found = search(self.n_names, |at| {
            (*self.bytes).as_ref()[self.piece(ends, self.names, at)].cmp(name.as_bytes())
        })?;
        u32_at((*self.bytes).as_ref(), ends + 4 * (self.n_names + found))
    }

    /// The game at a place.
    pub(super) fn game(&self, place: usize) -> Option<&Game> {
        let read = || self.read_game(place).map(Box::new);
        self.read.get(place)?.get_or_init(read).as_deref()
    }

    fn read_game(&self, place: usize) -> Option<Game> {
        let mut row = self.row(place);
        let id = row.text()?;
        let (numeric, calc) = match row.number()? {
            0 => {
                let (numeric, calc) = (row.unread()?, row.unread()?);
                (Deferred::of(numeric), Deferred::of(calc))
            }
            _ => {
                let shipped = (self.shipped)(id)?;
                (shipped.numeric(), shipped.calc())
            }
        };
        let game = Game {
            id: id.to_owned(),
            ..read_game(&mut row, numeric, calc)?
        };
        (row.at == row.bytes.len()).then_some(game)
    }
}

/// Where in an order of `n` things the one is that compares as equal.
fn search(n: usize, compare: impl Fn(usize) -> std::cmp::Ordering) -> Option<usize> {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(middle) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend(bytes);
    }

    fn list<T>(&mut self, all: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(all.len());
        all.iter().for_each(|one| write(self, one));
    }

    fn texts(&mut self, all: &[String]) {
        self.list(all, |out, text| out.text(text));
    }

    fn optional<T>(&mut self, value: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        self.number(usize::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// A value of a list that has them all.
    fn one_of<T: PartialEq>(&mut self, all: &[T], value: &T) {
        self.number(all.iter().position(|one| one == value).unwrap_or_default());
    }
}

/// A row, read from its start on.
struct Reader<'r> {
    kept: &'r Bytes,
    /// What is kept up to where the row ends.
    bytes: &'r [u8],
    at: usize,
}

impl<'r> Reader<'r> {
    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes.get(self.at)?;
            self.at += 1;
            number |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if *byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }

    /// Where the next text is.
    fn range(&mut self) -> Option<Range<usize>> {
        let end = self.number()?.checked_add(self.at)?;
        let range = self.at..end;
        self.at = end;
        (end <= self.bytes.len()).then_some(range)
    }

    fn text(&mut self) -> Option<&'r str> {
        let range = self.range()?;
        std::str::from_utf8(&self.bytes[range]).ok()
    }

    /// A text that is left where it is.
    fn unread(&mut self) -> Option<Text> {
        Some(Text::Stored(self.kept.clone(), self.range()?))
    }

    fn string(&mut self) -> Option<String> {
        self.text().map(str::to_owned)
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = self.number()?;
        // Each takes a byte at least.
        let mut all = Vec::with_capacity(n.min(self.bytes.len() - self.at));
        for _ in 0..n {
            all.push(read(self)?);
        }
        Some(all)
    }

    fn strings(&mut self) -> Option<Vec<String>> {
        self.list(Self::string)
    }

    fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.number()? {
            0 => Some(None),
            _ => read(self).map(Some),
        }
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.number()?).copied()
    }
}

/// All of a game but its id and what is deferred.
fn write_game(game: &Game, out: &mut Writer) {
    // No `..`: what is added to games must be stored.
    let Game {
        id: _,
        names: Names { en, zh },
        aliases,
        languages,
        documents,
        numeric: _,
        calc: _,
    } = game;
    out.text(en);
    out.optional(zh.as_ref(), |out, zh| out.text(zh));
    out.texts(aliases);
    out.list(languages, |out, lang| out.one_of(&Lang::ALL, lang));
    out.list(documents, write_document);
}

fn read_game(
    row: &mut Reader<'_>,
    numeric: Deferred<super::numeric::Profile>,
    calc: Deferred<super::calculation::Calculation>,
) -> Option<Game> {
    Some(Game {
        id: String::new(),
        names: Names {
            en: row.string()?,
            zh: row.optional(Reader::string)?,
        },
        aliases: row.strings()?,
        languages: row.list(|row| row.one_of(&Lang::ALL))?,
        documents: row.list(read_document)?,
        numeric,
        calc,
    })
}

fn write_document(out: &mut Writer, document: &Document) {
    let Document {
        id,
        names,
        numbering,
        print,
    } = document;
    out.text(id);
    out.bytes(names.lines.bytes());
    out.optional(numbering.as_ref(), write_numbering);
    // Texts and lists of them are JSON.
    out.text(&serde_json::to_string(&**print).unwrap_or_default());
}

fn read_document(row: &mut Reader<'_>) -> Option<Document> {
    Some(Document {
        id: row.string()?,
        names: Words { lines: row.unread()? },
        numbering: row.optional(read_numbering)?,
        print: Deferred::of(row.unread()?),
    })
}

/// The joints of a level; see [`Level`].
const JOINTS: [Option<char>; 3] = [None, Some('.'), Some('-')];

fn write_numbering(out: &mut Writer, numbering: &Numbering) {
    let Numbering {
        levels,
        kinds,
        digits,
        chapter_size,
        skip_letters,
    } = numbering;
    out.list(levels, |out, level| {
        let Level {
            joint,
            letters,
            bracketed,
        } = level;
        out.one_of(&JOINTS, joint);
        out.number(usize::from(*letters) + 2 * usize::from(*bracketed));
    });
    out.list(kinds, |out, kind| out.one_of(&Kind::ALL, kind));
    digits.iter().for_each(|n| out.number(*n));
    out.optional(chapter_size.as_ref(), |out, size| out.number(*size as usize));
    out.text(skip_letters);
}

fn read_numbering(row: &mut Reader<'_>) -> Option<Numbering> {
    Some(Numbering {
        levels: row.list(|row| {
            let joint = row.one_of(&JOINTS)?;
            let form = row.number()?;
            Some(Level {
                joint,
                letters: form & 1 != 0,
                bracketed: form & 2 != 0,
            })
        })?,
        kinds: row.list(|row| row.one_of(&Kind::ALL))?,
        digits: [row.number()?, row.number()?],
        chapter_size: row.optional(|row| u32::try_from(row.number()?).ok())?,
        skip_letters: row.string()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Games;

    const OWN: &str = r#"
        id = "demo"
        names = { en = "Demo Game", zh = "示范" }
        aliases = ["dg"]
        languages = ["zh"]
        [[document]]
        id = "cr"
        names = ["CR", "规则"]
        signatures = ["Demo Rules"]
        glossary = ["Glossary"]
        back-matter = ["Credits"]
        provenance = { en = "official", zh = "community" }
        published = [{ url = "https://example.org", lang = "en", note = "a page" }]
        numbering = { levels = ["n", ".n", "a", "-n"], digits = [3, 4], chapter-size = 100, skip-letters = "lo" }
        [[document]]
        id = "notes"
        [numeric]
        bare-count = [{ reads = "at-least", rule = "104.7" }]
    "#;

    #[test]
    fn games_are_read_as_they_were_written() {
        let own = Game::from_toml(OWN).unwrap();
        let other = Game::from_toml("id = \"a\"\nnames = { en = \"DG\" }").unwrap();
        let games = Games::new([own, other]);
        let parts = |toml| crate::game::file::read(toml, None).parts;
        let own = HashMap::from([("demo".to_owned(), parts(OWN)), ("a".to_owned(), parts(""))]);
        let stored = Games::stored(Arc::new(write(games.iter(), &own)), |_| None).unwrap();
        assert_eq!(stored.ids().collect::<Vec<_>>(), ["a", "demo"]);
        for id in ["a", "demo"] {
            assert_eq!(format!("{:?}", stored.get(id)), format!("{:?}", games.get(id)));
        }
        for word in ["demo", "Demo game", "示范", "dg", "none", "", "a"] {
            let id = |games: &Games| games.find(word).map(|game| game.id.clone());
            assert_eq!(id(&stored), id(&games), "{word}");
        }
    }

    #[test]
    fn no_games_and_other_bytes() {
        let none = Games::stored(Arc::new(write([].into_iter(), &HashMap::new())), |_| None).unwrap();
        assert_eq!(none.ids().count(), 0);
        assert!(none.find("demo").is_none());
        assert!(Games::stored(Arc::new(b"other".to_vec()), |_| None).is_none());
    }
}
