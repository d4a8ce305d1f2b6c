//! A game is data: its `game.toml`, read.
//!
//! Names and aliases, documents with their numbering, the words that mark parts of a text, and the numeric
//! conventions with the rule that justifies each ([`numeric`]). No code anywhere asks which game it is.

pub mod calculation;
pub mod file;
pub mod numeric;
pub mod stored;

use crate::citation::{Part, RuleNumber};
use crate::entry::{Bilingual, DEFAULT_DOCUMENT, Kind, Lang, ProvenanceClass};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::ops::{Deref, Range};
use std::sync::OnceLock;
use stored::Stored;

/// A game, as its `game.toml` describes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Game {
    /// Short, lower-case: `mtg`. Matches `[a-z0-9][a-z0-9-]{0,31}`; it is also the folder's name.
    pub id: String,
    /// Its name in each language.
    pub names: Names,
    /// Other names, accepted wherever an id is.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The languages its texts are published or translated in, as far as shiyi reads them.
    #[serde(default)]
    pub languages: Vec<Lang>,
    /// Its numbered documents.
    #[serde(default, rename = "document")]
    pub documents: Vec<Document>,
    /// How it reads numbers.
    #[serde(default)]
    pub numeric: Deferred<numeric::Profile>,
    /// What its rules say about the other numeric questions.
    #[serde(default)]
    pub calc: Deferred<calculation::Calculation>,
}

/// A part of a game that is read when it is first needed: a lookup needs no numeric conventions.
#[derive(Clone, Default)]
pub struct Deferred<T> {
    json: Text,
    value: OnceLock<T>,
}

/// A text that may never be read.
#[derive(Clone)]
enum Text {
    Read(Cow<'static, str>),
    /// It stands there in what an index keeps.
    Stored(stored::Bytes, Range<usize>),
}

impl Default for Text {
    fn default() -> Self {
        Text::Read(Cow::default())
    }
}

impl Text {
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Read(text) => text.as_bytes(),
            Text::Stored(bytes, range) => (**bytes).as_ref().get(range.clone()).unwrap_or_default(),
        }
    }
}

/// Names, in an order that means something.
#[derive(Clone, Default)]
pub struct Words {
    /// Each on a line.
    lines: Text,
}

impl Words {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        // Whoever stored them had them as text.
        let lines = std::str::from_utf8(self.lines.bytes()).unwrap_or_default();
        lines.split_terminator('\n')
    }
}

impl<S: AsRef<str>> FromIterator<S> for Words {
    fn from_iter<I: IntoIterator<Item = S>>(words: I) -> Self {
        let mut lines = String::new();
        for word in words {
            lines.push_str(word.as_ref());
            lines.push('\n');
        }
        Words {
            lines: Text::Read(lines.into()),
        }
    }
}

impl Debug for Words {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Default + DeserializeOwned> Deref for Deferred<T> {
    type Target = T;

    /// The part; what it is by default where it cannot be read, which a test rules out.
    fn deref(&self) -> &T {
        let read = || serde_json::from_slice(self.json.bytes()).unwrap_or_default();
        self.value.get_or_init(read)
    }
}

impl<T: Default + DeserializeOwned + Debug> Debug for Deferred<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&**self, f)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Deferred<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Deferred::known)
    }
}

/// A name in each language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// English.
    pub en: String,
    /// Chinese.
    #[serde(default)]
    pub zh: Option<String>,
}

/// A document of a game: its comprehensive rules, tournament rules and so on.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "WrittenDocument")]
pub struct Document {
    /// `cr`, `mtr`, …; `cr` is the default document of every game.
    pub id: String,
    /// What people call it, in any language, the shortest first: `CR`, `完整规则`.
    pub names: Words,
    /// How its rules are numbered; none for a document without numbers.
    pub numbering: Option<Numbering>,
    /// How its texts are known and read.
    pub print: Deferred<Print>,
}

/// What is known of the files of a document; a lookup needs none of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Print {
    /// Phrases in a text's first lines that give it away as this document.
    pub signatures: Vec<String>,
    /// Lines that begin the glossary; the last such line of a text counts.
    pub glossary: Vec<String>,
    /// Lines that end what is numbered or defined: credits, change logs.
    pub back_matter: Vec<String>,
    /// Who words a text that its signature shows to be this document, where the text does not say: the publisher
    /// in one language, perhaps its players in the other.
    pub provenance: Bilingual<ProvenanceClass>,
    /// Where its official files are published.
    pub published: Vec<Published>,
}

/// A document as `game.toml` has it, all in one table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenDocument {
    id: String,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    numbering: Option<Numbering>,
    #[serde(default)]
    signatures: Vec<String>,
    #[serde(default)]
    glossary: Vec<String>,
    #[serde(default)]
    back_matter: Vec<String>,
    #[serde(default)]
    provenance: Bilingual<ProvenanceClass>,
    #[serde(default)]
    published: Vec<Published>,
}

impl From<WrittenDocument> for Document {
    fn from(written: WrittenDocument) -> Self {
        Document {
            id: written.id,
            names: written.names.iter().collect(),
            numbering: written.numbering,
            print: Deferred::known(Print {
                signatures: written.signatures,
                glossary: written.glossary,
                back_matter: written.back_matter,
                provenance: written.provenance,
                published: written.published,
            }),
        }
    }
}

/// A place where official files are published.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Its address.
    pub url: String,
    /// The language of the text there.
    pub lang: Lang,
    /// A remark: who publishes it, in which form.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a document numbers its rules.
///
/// `levels` lists the parts of a number from the section down: an optional joint (`.` or `-`), then `n` for a
/// number or `a` for letters; or either in brackets. Magic is `["n", ".n", "a"]`, Force of Will
/// `["n", ".n", "a", "-n"]`. [`mod@file`] says what contradicts itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Numbering {
    /// The parts of a number, from the section down.
    pub levels: Vec<Level>,
    /// What a number of one, two, … parts is; the last of the list serves for all deeper ones.
    #[serde(default = "default_kinds")]
    pub kinds: Vec<Kind>,
    /// How many digits the first part has, least and most.
    #[serde(default = "default_digits")]
    pub digits: [usize; 2],
    /// Where chapters have numbers of their own, which a section's number starts with (702 stands in chapter
    /// 7): how many sections a chapter spans.
    #[serde(default)]
    pub chapter_size: Option<u32>,
    /// Letters that the document leaves out (`lo` in Magic).
    #[serde(default)]
    pub skip_letters: String,
}

fn default_kinds() -> Vec<Kind> {
    vec![Kind::Section, Kind::Rule]
}

fn default_digits() -> [usize; 2] {
    [1, 4]
}

/// One part of a number, as `levels` writes it: `.n`, `a`, `-n`, `(a)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Level {
    /// `.` or `-`, where one stands before the part. A number in brackets is cited with a `.`: `4.2(1)` is
    /// 4.2.1, as `4.2(a)` is 4.2a.
    pub joint: Option<char>,
    /// True for letters, false for a number.
    pub letters: bool,
    /// True where the text prints the part in brackets.
    pub bracketed: bool,
}

impl TryFrom<String> for Level {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (joint, letters, bracketed) = match text.as_str() {
            "n" => (None, false, false),
            ".n" => (Some('.'), false, false),
            "-n" => (Some('-'), false, false),
            "(n)" => (Some('.'), false, true),
            "a" => (None, true, false),
            ".a" => (Some('.'), true, false),
            "-a" => (Some('-'), true, false),
            "(a)" => (None, true, true),
            _ => {
                return Err(format!(
                    "`{text}` is no level of a rule number: write `n`, `.n`, `-n` or `(n)` for figures, `a`, `.a`, `-a` \
                     or `(a)` for letters"
                ));
            }
        };
        Ok(Level {
            joint,
            letters,
            bracketed,
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let part = if self.letters { 'a' } else { 'n' };
        match self.joint {
            _ if self.bracketed => write!(f, "({part})"),
            Some(joint) => write!(f, "{joint}{part}"),
            None => write!(f, "{part}"),
        }
    }
}

impl Level {
    /// How many bytes at the start are a part of this level.
    fn run(&self, rest: &[u8]) -> usize {
        if !self.letters {
            return rest.iter().take_while(|b| b.is_ascii_digit()).count();
        }
        match rest.iter().take_while(|b| b.is_ascii_lowercase()).count() {
            1 => 1,
            2 if rest[0] == rest[1] => 2,
            _ => 0,
        }
    }

    /// The part in brackets that stands at `at`, with the byte behind them.
    fn read_bracketed<'t>(&self, text: &'t str, at: usize) -> Option<(&'t str, usize)> {
        let inside = text.get(at..)?.strip_prefix(['(', '（'])?;
        let (part, rest) = inside.split_at_checked(self.run(inside.as_bytes()))?;
        let rest = rest.strip_prefix([')', '）']).filter(|_| !part.is_empty())?;
        Some((part, text.len() - rest.len()))
    }
}

impl Numbering {
    /// Reads the longest number of this numbering at the start of `text`, with its length in bytes. Only
    /// lower-case letters are read, so that `901.4.All` is 901.4 and `100.6bA` is 100.6b; of two letters only
    /// a doubled one (`aa`) is a part.
    pub fn read_prefix(&self, text: &str) -> Option<(RuleNumber, usize)> {
        let mut at = 0;
        // The number without its brackets, as far as one was read that has some.
        let mut plain: Option<String> = None;
        for (depth, level) in self.levels.iter().enumerate() {
            if level.bracketed
                && let Some((part, end)) = level.read_bracketed(text, at)
            {
                let number = plain.get_or_insert_with(|| text[..at].to_owned());
                number.extend(level.joint);
                number.push_str(part);
                at = end;
                continue;
            }
            let start = match level.joint {
                Some(joint) if text.as_bytes().get(at) == Some(&(joint as u8)) => at + 1,
                Some(_) => break,
                None => at,
            };
            let length = level.run(&text.as_bytes()[start..]);
            if length == 0 || (depth == 0 && !(self.digits[0]..=self.digits[1]).contains(&length)) {
                break;
            }
            if let Some(plain) = &mut plain {
                plain.push_str(&text[at..start + length]);
            }
            at = start + length;
        }
        let number = plain.as_deref().or(text.get(..at))?.parse().ok()?;
        Some((number, at))
    }

    /// Reads a part in brackets at the start of `text`, `(a)`, as the number of a rule below `above` or beside it, with
    /// its length in bytes.
    pub fn read_below(&self, text: &str, above: &RuleNumber) -> Option<(RuleNumber, usize)> {
        let deepest = above.depth().min(self.levels.len().checked_sub(1)?);
        (1..=deepest).rev().find_map(|depth| {
            let level = self.levels[depth];
            let (part, length) = level.read_bracketed(text, 0).filter(|_| level.bracketed)?;
            let mut number = above.prefix(depth)?.to_string();
            number.extend(level.joint);
            number.push_str(part);
            Some((number.parse().ok()?, length))
        })
    }

    /// True when `number` has the shape of this numbering, whatever the case it was typed in.
    pub fn fits(&self, number: &RuleNumber) -> bool {
        matches!(self.read_prefix(number.as_str()), Some((_, read)) if read == number.as_str().len())
            || self.chapter_of(number).is_none() && self.is_chapter(number)
    }

    /// True when `number` can be a chapter's own number.
    pub fn is_chapter(&self, number: &RuleNumber) -> bool {
        self.chapter_size.is_some() && number.depth() == 1 && number.as_str().len() < self.digits[0]
    }

    /// The chapter in which a section stands, where chapters have numbers of their own.
    pub fn chapter_of(&self, number: &RuleNumber) -> Option<RuleNumber> {
        let size = self.chapter_size?;
        match number.parts().next()? {
            Part::Number(section) if section >= size => (section / size).to_string().parse().ok(),
            _ => None,
        }
    }

    /// True when `next` stands under the heading with that number.
    pub fn leads(&self, heading: &RuleNumber, next: &RuleNumber) -> bool {
        heading.contains(next) || self.chapter_of(next).as_ref() == Some(heading)
    }

    /// What a number of this shape is.
    pub fn kind(&self, number: &RuleNumber) -> Kind {
        if self.is_chapter(number) {
            return Kind::Chapter;
        }
        let idx = (number.depth() - 1).min(self.kinds.len().saturating_sub(1));
        self.kinds.get(idx).copied().unwrap_or(Kind::Rule)
    }
}

/// What is wrong with a `game.toml`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GameError {
    /// What was found.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// The bytes it is about, when they are known.
    pub span: Option<std::ops::Range<usize>>,
}

impl Game {
    /// Reads a `game.toml` that has no fault.
    ///
    /// # Errors
    ///
    /// [`GameError`] for the first thing that is wrong with it: it is no TOML, lacks a field or has an unknown one, or
    /// contradicts itself. [`file::read`] says everything that is wrong, and gives what is right.
    pub fn from_toml(text: &str) -> Result<Game, GameError> {
        let reading = file::read(text, None);
        match reading.faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => reading.game.ok_or(GameError {
                message: "no game".to_owned(),
                hint: String::new(),
                span: None,
            }),
        }
    }

    /// The document whose signature stands in `opening`, the first lines of a text.
    pub fn signed_document(&self, opening: &str) -> Option<&Document> {
        // Titles may be emphasised: `_Magic: The Gathering_ Comprehensive Rules`.
        let opening = opening.replace(['_', '*'], "");
        let signs = |document: &&Document| {
            document
                .print
                .signatures
                .iter()
                .any(|phrase| opening.contains(phrase))
        };
        self.documents.iter().find(signs)
    }

    /// The document of that id.
    pub fn document(&self, id: &str) -> Option<&Document> {
        self.documents.iter().find(|document| document.id == id)
    }

    /// The document that is called so, by id or name; case, blanks and punctuation do not matter.
    pub fn document_called(&self, word: &str) -> Option<&Document> {
        let wanted = loose(word);
        let is_called = |document: &&Document| {
            let mut names = document.names.iter().chain([&*document.id]);
            !wanted.is_empty() && names.any(|name| loose(name) == wanted)
        };
        self.documents.iter().find(is_called)
    }

    /// The numbering of a document, the default one's if `id` is none.
    pub fn numbering(&self, id: Option<&str>) -> Option<&Numbering> {
        self.document(id.unwrap_or(DEFAULT_DOCUMENT))?.numbering.as_ref()
    }

    /// Its name in that language, English where there is no other.
    pub fn name(&self, lang: Lang) -> &str {
        match (lang, &self.names.zh) {
            (Lang::Zh, Some(name)) => name,
            _ => &self.names.en,
        }
    }

    /// True when `word` is its id, a name or an alias; case, blanks, hyphens and underscores do not matter.
    pub fn is_called(&self, word: &str) -> bool {
        let wanted = loose(word);
        !wanted.is_empty() && self.calls().any(|name| loose(name) == wanted)
    }

    /// What it is called, in lower case and without blanks and punctuation.
    pub fn words(&self) -> impl Iterator<Item = String> {
        self.calls()
            .map(|name| loose(name))
            .filter(|name| !name.is_empty())
    }

    /// What it is called: its id, its names and aliases.
    fn calls(&self) -> impl Iterator<Item = &String> {
        let others = self.aliases.iter().chain([&self.names.en]).chain(&self.names.zh);
        std::iter::once(&self.id).chain(others)
    }
}

/// True for the shape of a game's id. Ids become folder names, so nothing else is accepted.
pub fn is_game_id(id: &str) -> bool {
    (1..=32).contains(&id.len())
        && id
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !id.starts_with('-')
}

/// True for what can be the id of a document: as a game's, and no word that ids have for kinds of entries.
pub fn is_document_id(id: &str) -> bool {
    const KINDS: [&str; 6] = ["rule", "term", "ruling", "statement", "card", "key"];
    is_game_id(id) && !KINDS.contains(&id)
}

/// A name without what people vary: case, blanks, punctuation.
fn loose(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// A game whose `game.toml` is read when it is first needed.
#[derive(Debug, Clone, Copy)]
pub struct Unread {
    /// Its id.
    pub id: &'static str,
    /// Its names and aliases, in lower case and without blanks and punctuation.
    pub names: &'static [&'static str],
    /// What its `game.toml` says, as JSON, without the next two.
    pub json: &'static str,
    /// Its `[numeric]` as JSON.
    pub numeric: &'static str,
    /// Its `[calc]` as JSON.
    pub calc: &'static str,
}

impl<T> Deferred<T> {
    fn known(value: T) -> Self {
        Deferred {
            json: Text::default(),
            value: OnceLock::from(value),
        }
    }

    fn of(json: Text) -> Self {
        Deferred {
            json,
            value: OnceLock::new(),
        }
    }
}

impl Unread {
    fn numeric(&self) -> Deferred<numeric::Profile> {
        Deferred::of(Text::Read(self.numeric.into()))
    }

    fn calc(&self) -> Deferred<calculation::Calculation> {
        Deferred::of(Text::Read(self.calc.into()))
    }

    fn read(&self) -> Option<Game> {
        let mut game: Game = serde_json::from_str(self.json).ok()?;
        game.numeric = self.numeric();
        game.calc = self.calc();
        Some(game)
    }
}

#[derive(Debug, Clone)]
struct Slot {
    id: String,
    unread: Option<Unread>,
    game: OnceLock<Option<Box<Game>>>,
}

impl Slot {
    fn game(&self) -> Option<&Game> {
        let read = || self.unread?.read().map(Box::new);
        self.game.get_or_init(read).as_deref()
    }

    /// True when `word`, which [`loose`] made of `typed`, calls it.
    fn is_called(&self, word: &str, typed: &str) -> bool {
        match self.unread {
            Some(unread) => unread.names.contains(&word) || loose(unread.id) == word,
            None => self.game().is_some_and(|game| game.is_called(typed)),
        }
    }
}

/// All games that are known, in order of id.
#[derive(Debug, Clone)]
pub struct Games {
    shelf: Shelf,
}

/// Where the games stand.
#[derive(Debug, Clone)]
enum Shelf {
    /// One after the other, in order of id.
    Listed(Vec<Slot>),
    /// In an index.
    Stored(Stored),
}

impl Default for Games {
    fn default() -> Self {
        Games::new([])
    }
}

impl Games {
    /// The given games. Of two with one id the later wins: a user's `game.toml` replaces the shipped one.
    pub fn new(games: impl IntoIterator<Item = Game>) -> Self {
        Games::over([], games)
    }

    /// Shipped games that are read when they are needed, with a user's own games over them.
    pub fn over(shipped: impl IntoIterator<Item = Unread>, own: impl IntoIterator<Item = Game>) -> Self {
        let shipped = shipped.into_iter().map(|unread| Slot {
            id: unread.id.to_owned(),
            unread: Some(unread),
            game: OnceLock::new(),
        });
        let own = own.into_iter().map(|game| Slot {
            id: game.id.clone(),
            unread: None,
            game: OnceLock::from(Some(Box::new(game))),
        });
        let mut slots: Vec<Slot> = shipped.chain(own).collect();
        // The sort is stable: of those with one id the latest comes first, and stays.
        slots.reverse();
        slots.sort_by(|a, b| a.id.cmp(&b.id));
        slots.dedup_by(|earlier, kept| earlier.id == kept.id);
        Games {
            shelf: Shelf::Listed(slots),
        }
    }

    /// Games as an index keeps them; none where the bytes are no such thing. `shipped` gives the shipped ones.
    pub fn stored(bytes: stored::Bytes, shipped: fn(&str) -> Option<Unread>) -> Option<Self> {
        let shelf = Shelf::Stored(Stored::new(bytes, shipped)?);
        Some(Games { shelf })
    }

    /// Every game; reads them all.
    pub fn iter(&self) -> impl Iterator<Item = &Game> {
        (0..self.len()).filter_map(|place| self.at(place))
    }

    /// The ids of all games, in order; reads none.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|place| match &self.shelf {
            Shelf::Listed(slots) => slots[place].id.as_str(),
            Shelf::Stored(stored) => stored.id(place),
        })
    }

    /// The game with exactly that id.
    pub fn get(&self, id: &str) -> Option<&Game> {
        let place = match &self.shelf {
            Shelf::Listed(slots) => slots.binary_search_by(|slot| slot.id.as_str().cmp(id)).ok(),
            Shelf::Stored(stored) => stored.with_id(id),
        };
        self.at(place?)
    }

    /// The game that is called so: by id, name or alias.
    pub fn find(&self, word: &str) -> Option<&Game> {
        if let Some(game) = self.get(word) {
            return Some(game);
        }
        let wanted = loose(word);
        if wanted.is_empty() {
            return None;
        }
        let place = match &self.shelf {
            Shelf::Listed(slots) => slots.iter().position(|slot| slot.is_called(&wanted, word)),
            Shelf::Stored(stored) => stored.called(&wanted),
        };
        self.at(place?)
    }

    fn len(&self) -> usize {
        match &self.shelf {
            Shelf::Listed(slots) => slots.len(),
            Shelf::Stored(stored) => stored.len(),
        }
    }

    fn at(&self, place: usize) -> Option<&Game> {
        match &self.shelf {
            Shelf::Listed(slots) => slots.get(place)?.game(),
            Shelf::Stored(stored) => stored.game(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMO: &str = r#"
        id = "demo"
        names = { en = "Demo Game", zh = "示范" }
        aliases = ["dg"]
        languages = ["en", "zh"]
        [[document]]
        id = "cr"
        numbering = { levels = ["n", ".n", "a", "-n"], digits = [3, 4], chapter-size = 100 }
    "#;

    #[test]
    fn numbers_by_the_document_s_own_shape() {
        let game = Game::from_toml(DEMO).unwrap();
        let numbering = game.numbering(None).unwrap();
        let read = |text| {
            numbering
                .read_prefix(text)
                .map(|(number, length)| (number.to_string(), length))
        };
        assert_eq!(read("702.3a-1 If"), Some(("702.3a-1".into(), 8)));
        assert_eq!(read("1014.4. If"), Some(("1014.4".into(), 6)));
        assert_eq!(read("901.4.All"), Some(("901.4".into(), 5)));
        assert_eq!(read("704.5aa. X"), Some(("704.5aa".into(), 7)));
        assert_eq!(read("704.5as X"), Some(("704.5".into(), 5)));
        assert_eq!(read("1. 如果"), None);
        let kind = |text: &str| numbering.kind(&text.parse().unwrap());
        assert_eq!(
            (kind("7"), kind("702"), kind("702.3a")),
            (Kind::Chapter, Kind::Section, Kind::Rule)
        );
        assert_eq!(
            numbering.chapter_of(&"1014.4".parse().unwrap()),
            "10".parse().ok()
        );
    }

    #[test]
    fn parts_in_brackets_are_cited_without_them() {
        let levels = "levels = [\"n\", \".n\", \"(a)\", \"(n)\"]";
        let toml = format!(
            "id = \"x\"\nnames = {{ en = \"X\" }}\n[[document]]\nid = \"cr\"\nnumbering = {{ {levels} }}\n"
        );
        let game = Game::from_toml(&toml).unwrap();
        let numbering = game.numbering(None).unwrap();
        for (text, number, length) in [
            ("4.2(a) one", "4.2a", 6),
            ("4.2（a）甲", "4.2a", 10),
            ("4.2(b)(12) two", "4.2b.12", 10),
            ("4.2b.12", "4.2b.12", 7),
            ("4.2a", "4.2a", 4),
            ("4.2 (a) apart", "4.2", 3),
            ("4.2(A)", "4.2", 3),
            ("4.2(a", "4.2", 3),
            ("4.2()", "4.2", 3),
            ("4(1)", "4", 1),
        ] {
            let read = numbering.read_prefix(text);
            let read = read.map(|(number, length)| (number.to_string(), length));
            assert_eq!(read, Some((number.to_owned(), length)), "{text}");
        }
        for (text, above, number) in [
            ("(c) one", "4.2", Some("4.2c")),
            ("(c) one", "4.2b", Some("4.2c")),
            ("（3）甲", "4.2b.2", Some("4.2b.3")),
            ("(1) one", "4.2b", Some("4.2b.1")),
            ("(1) one", "4.2", None),
            ("(c) one", "4", None),
            ("c) one", "4.2", None),
        ] {
            let read = numbering.read_below(text, &above.parse().unwrap());
            assert_eq!(
                read.map(|(number, _)| number.to_string()).as_deref(),
                number,
                "{text} {above}"
            );
        }
        for (text, level) in [("(a)", ".a"), ("(n)", ".n")] {
            let read = Level::try_from(text.to_owned()).unwrap();
            assert_eq!(read.to_string(), text);
            assert_ne!(Level::try_from(level.to_owned()).unwrap(), read);
        }
    }

    #[test]
    fn a_game_answers_to_its_names() {
        let games = Games::new([Game::from_toml(DEMO).unwrap()]);
        for word in ["demo", "Demo game", "DEMO-GAME", "dg", "示范"] {
            assert!(games.find(word).is_some(), "{word}");
        }
        assert!(games.find("").is_none() && games.find("other").is_none());
    }

    #[test]
    fn faults_are_located() {
        let error = Game::from_toml("id = \"x\"\nnames = { en = \"X\" }\ncolour = 1\n").unwrap_err();
        assert!(
            error.span.is_some() && error.message.contains("colour"),
            "{error:?}"
        );
        assert!(Game::from_toml("id = \"../x\"\nnames = { en = \"X\" }").is_err());
    }
}
