//! What can be found: a rule, section, chapter, ruling, glossary term or statement, in English and Chinese.
//!
//! Entries are plain data. They know their own ids (a function of what they are, never of edition, card or
//! provenance) and nothing about other entries beyond ids.

use crate::citation::RuleNumber;
use crate::fold::is_han;
use crate::name::Name;
use serde::{Deserialize, Serialize};

/// A language that shiyi reads. Chinese means either script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    En,
    /// Chinese, simplified or traditional.
    Zh,
}

impl Lang {
    /// Both, in the order of output.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// `en` or `zh`.
    pub fn as_str(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// The other one.
    pub fn other(self) -> Lang {
        match self {
            Lang::En => Lang::Zh,
            Lang::Zh => Lang::En,
        }
    }

    /// The language a text is written in: Chinese if at least one of its letters in five is a Han character
    /// (a Chinese rule full of English names is Chinese, an English rule that names one Chinese card is not).
    pub fn of(text: &str) -> Lang {
        let (mut han, mut letters) = (0usize, 0usize);
        for c in text.chars() {
            // Every Han character is a letter.
            let is_han = is_han(c);
            han += usize::from(is_han);
            letters += usize::from(is_han || c.is_alphabetic());
        }
        if han > 0 && han * 5 >= letters {
            Lang::Zh
        } else {
            Lang::En
        }
    }
}

/// A value for each language that has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bilingual<T> {
    /// The English one.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub en: Option<T>,
    /// The Chinese one.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub zh: Option<T>,
}

fn none<T>() -> Option<T> {
    None
}

impl<T> Default for Bilingual<T> {
    fn default() -> Self {
        Self { en: None, zh: None }
    }
}

impl<T> Bilingual<T> {
    /// A value in one language only.
    pub fn one(lang: Lang, value: T) -> Self {
        let mut bilingual = Self::default();
        *bilingual.get_mut(lang) = Some(value);
        bilingual
    }

    /// A value in each.
    pub fn both(en: T, zh: T) -> Self {
        Self {
            en: Some(en),
            zh: Some(zh),
        }
    }

    /// The value in that language.
    pub fn get(&self, lang: Lang) -> Option<&T> {
        match lang {
            Lang::En => self.en.as_ref(),
            Lang::Zh => self.zh.as_ref(),
        }
    }

    /// The place of the value in that language.
    pub fn get_mut(&mut self, lang: Lang) -> &mut Option<T> {
        match lang {
            Lang::En => &mut self.en,
            Lang::Zh => &mut self.zh,
        }
    }

    /// True when neither language has a value.
    pub fn is_empty(&self) -> bool {
        self.en.is_none() && self.zh.is_none()
    }

    /// The values that are there, English first.
    pub fn iter(&self) -> impl Iterator<Item = (Lang, &T)> {
        Lang::ALL
            .into_iter()
            .filter_map(|lang| Some((lang, self.get(lang)?)))
    }
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The heading of a chapter: `7. Additional Rules`.
    Chapter,
    /// The heading of a section: `702. Keyword Abilities`.
    Section,
    /// A numbered rule or subrule.
    Rule,
    /// A glossary term.
    Term,
    /// An unnumbered statement about the rules.
    Statement,
    /// A dated statement about a card or mechanic.
    Ruling,
}

impl Kind {
    /// Every kind, in the order of output.
    pub const ALL: [Kind; 6] = [
        Kind::Chapter,
        Kind::Section,
        Kind::Rule,
        Kind::Term,
        Kind::Statement,
        Kind::Ruling,
    ];

    /// True for what carries a rule number: rules and their headings.
    pub fn is_numbered(self) -> bool {
        matches!(self, Kind::Chapter | Kind::Section | Kind::Rule)
    }

    /// The word that is printed: `rule`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Chapter => "chapter",
            Kind::Section => "section",
            Kind::Rule => "rule",
            Kind::Term => "term",
            Kind::Statement => "statement",
            Kind::Ruling => "ruling",
        }
    }
}

/// Who words a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProvenanceClass {
    /// The publisher.
    Official,
    /// A machine translation.
    Machine,
    /// Players or judges.
    Community,
    /// This project.
    OwnWords,
    /// Nobody said.
    #[default]
    Unknown,
}

impl ProvenanceClass {
    /// Every class.
    pub const ALL: [ProvenanceClass; 5] = [
        ProvenanceClass::Official,
        ProvenanceClass::Machine,
        ProvenanceClass::Community,
        ProvenanceClass::OwnWords,
        ProvenanceClass::Unknown,
    ];

    /// The word that is printed: `own-words`.
    pub fn as_str(self) -> &'static str {
        match self {
            ProvenanceClass::Official => "official",
            ProvenanceClass::Machine => "machine",
            ProvenanceClass::Community => "community",
            ProvenanceClass::OwnWords => "own-words",
            ProvenanceClass::Unknown => "unknown",
        }
    }

    /// The class that a raw tag of a source stands for (`gpt` is a machine), if the tag is a known one.
    pub fn from_tag(tag: &str) -> Option<ProvenanceClass> {
        Some(match tag.to_ascii_lowercase().as_str() {
            "official" | "wotc" | "publisher" => ProvenanceClass::Official,
            "gpt" | "gpt-4" | "chatgpt" | "machine" | "mt" | "ai" | "llm" | "deepl" | "google" => {
                ProvenanceClass::Machine
            }
            "community" | "fan" | "judge" | "volunteer" => ProvenanceClass::Community,
            "own-words" => ProvenanceClass::OwnWords,
            "unknown" => ProvenanceClass::Unknown,
            _ => return None,
        })
    }
}

/// What our own words restate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct After {
    /// The class of the text that is restated.
    pub class: ProvenanceClass,
    /// Its raw tag as its source wrote it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tag: Option<String>,
    /// Its date, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
}

/// Where the wording of a text comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// Who words it.
    pub class: ProvenanceClass,
    /// The tag as its source wrote it: `gpt`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tag: Option<String>,
    /// For our own words, what they restate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<Box<After>>,
}

/// What kind of remark a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteClass {
    /// An aside of whoever wrote or taught the text.
    Commentary,
    /// A remark about one format of play.
    Format,
    /// A translator's note (译注).
    Translator,
}

/// A remark that belongs to an entry and is no translation of anything.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Note {
    /// Its language.
    pub lang: Lang,
    /// Its text, brackets and tag taken off.
    pub text: String,
    /// What kind of remark.
    pub class: NoteClass,
    /// The tag it carried in the source (`ABC专用`), if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tag: Option<String>,
    /// The other entries it speaks of, by id.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub covers: Vec<Name>,
}

/// A card that a ruling is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct CardRef {
    /// English name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub en: Option<String>,
    /// Chinese name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub zh: Option<String>,
    /// The publisher's or a database's id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// True when the source does not say so and the text gave it away.
    #[serde(default)]
    pub inferred: bool,
}

/// How two texts were found to be translations of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairedBy {
    /// Both carry the number.
    Number,
    /// By their order inside a numbered group, or inside one ruling.
    Order,
    /// By their place in two parallel glossaries.
    Position,
    /// The source's front matter or `sources.toml` says so.
    FrontMatter,
    /// By likeness of content (figures, symbols, length).
    Content,
}

/// Which text translates which, and how we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// How it was made.
    pub how: PairedBy,
    /// True when nothing else was possible.
    pub certain: bool,
    /// True when one text renders only a part of the other.
    pub partial: bool,
}

/// Why an entry of the newest edition of one language has no sure text in the other, whose newest edition is older.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lag {
    /// It has one, but what that translates has been reworded since, or may have been.
    Reworded,
    /// The older edition does not have it.
    New,
    /// What the older edition has under its number is another rule.
    OtherRule,
}

impl Lag {
    /// Every reason.
    pub const ALL: [Lag; 3] = [Lag::Reworded, Lag::New, Lag::OtherRule];
}

/// In which language an entry is not up to date, and why.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Behind {
    /// The language.
    pub lang: Lang,
    /// The newest edition in that language.
    pub edition: Name,
    /// Why.
    pub why: Lag,
}

/// Where a text stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceRef {
    /// The file, relative to its library.
    pub file: Name,
    /// The line, from 1.
    pub line: u32,
    /// Which language's text stands there; none for a text in both.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lang: Option<Lang>,
}

/// One thing that can be found.
///
/// Its `id` is stable across editions: `mtg:rule:702.19b`, `fow:statement:0123456789abcdef`; see [`rule_id`],
/// [`term_id`] and [`text_id`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Stable, printable, free of edition, card and provenance.
    pub id: Name,
    /// The game's id: `mtg`.
    pub game: Name,
    /// The document's id inside the game: `cr`.
    pub document: Name,
    /// What it is.
    pub kind: Kind,
    /// Its rule number; none for terms, rulings and statements.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub citation: Option<RuleNumber>,
    /// A short name that shipped statements carry beside their id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<Name>,
    /// Its heading: a chapter's or section's title, a term's headword, the heading a statement stands under.
    #[serde(skip_serializing_if = "Bilingual::is_empty", default)]
    pub title: Bilingual<String>,
    /// Other names of a term, as written.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub aliases: Vec<String>,
    /// The edition each text is of, as its publisher names it; absent where the source is undated.
    #[serde(skip_serializing_if = "Bilingual::is_empty", default)]
    pub edition: Bilingual<Name>,
    /// The date that the source of each text names as its own, `YYYY-MM-DD`. It is known while a library is built, and
    /// says which of its editions is newer where some are named by versions.
    #[serde(skip)]
    pub issued: Bilingual<Name>,
    /// The text. Paragraphs are separated by `\n`.
    #[serde(skip_serializing_if = "Bilingual::is_empty", default)]
    pub text: Bilingual<String>,
    /// Examples, without the word that introduces them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub examples: Vec<Bilingual<String>>,
    /// Items of an ordered list, without their numbers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub items: Vec<Bilingual<String>>,
    /// Remarks that belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<Note>,
    /// Who words each text.
    #[serde(skip_serializing_if = "Bilingual::is_empty", default)]
    pub provenance: Bilingual<Provenance>,
    /// The cards a ruling is about.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cards: Vec<CardRef>,
    /// A ruling's date, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<Name>,
    /// The id of the entry above it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parent: Option<Name>,
    /// The ids of the entries right below it, in reading order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub children: Vec<Name>,
    /// The ids of the rules it cites, in the order it cites them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub references: Vec<Name>,
    /// How the two texts were paired; none where there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pairing: Option<Pairing>,
    /// The language whose text was lent by an older edition, in which it stands as well.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lent: Option<Lang>,
    /// The language whose newest edition is older and does not say what this entry says; none where the text of that
    /// language, if older, is a translation of an unchanged one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub behind: Option<Behind>,
    /// Every place it was read from.
    pub sources: Vec<SourceRef>,
}

impl Entry {
    /// An entry with an id and a place, and nothing in it yet.
    pub fn new(
        id: impl Into<Name>,
        game: impl Into<Name>,
        document: impl Into<Name>,
        kind: Kind,
        source: SourceRef,
    ) -> Self {
        Self {
            id: id.into(),
            game: game.into(),
            document: document.into(),
            kind,
            citation: None,
            label: None,
            title: Bilingual::default(),
            aliases: Vec::new(),
            edition: Bilingual::default(),
            issued: Bilingual::default(),
            text: Bilingual::default(),
            examples: Vec::new(),
            items: Vec::new(),
            notes: Vec::new(),
            provenance: Bilingual::default(),
            cards: Vec::new(),
            date: None,
            parent: None,
            children: Vec::new(),
            references: Vec::new(),
            pairing: None,
            lent: None,
            behind: None,
            sources: vec![source],
        }
    }

    /// The editions that it is of, English first: not that of a text that an older one lent it.
    pub fn own_editions(&self) -> impl Iterator<Item = &str> {
        let own = self.edition.iter().filter(|(lang, _)| self.lent != Some(*lang));
        own.map(|(_, edition)| edition.as_str())
    }

    /// True when it is of that edition, in whatever case that is written.
    pub fn is_of_edition(&self, edition: &str) -> bool {
        self.own_editions().any(|own| own.eq_ignore_ascii_case(edition))
    }

    /// Gives back memory that its texts and lists grew by but do not fill.
    pub fn shrink(&mut self) {
        let Entry {
            title,
            text,
            aliases,
            examples,
            items,
            notes,
            references,
            cards,
            sources,
            ..
        } = self;
        for text in [title, text]
            .into_iter()
            .flat_map(|both| [&mut both.en, &mut both.zh])
            .flatten()
        {
            text.shrink_to_fit();
        }
        aliases.shrink_to_fit();
        examples.shrink_to_fit();
        items.shrink_to_fit();
        notes.shrink_to_fit();
        references.shrink_to_fit();
        cards.shrink_to_fit();
        sources.shrink_to_fit();
    }

    /// Every text that a search reads, with the name of its field: titles, aliases, text, examples, items,
    /// notes with their tags, and card names.
    pub fn texts(&self) -> impl Iterator<Item = (Field, Lang, &str)> {
        let titles = self.title.iter();
        let titles = titles.map(|(lang, text)| (Field::Title, lang, text.as_str()));
        let aliases = self.aliases.iter();
        let aliases = aliases.map(|text| (Field::Alias, Lang::of(text), text.as_str()));
        let texts = self.text.iter();
        let texts = texts.map(|(lang, text)| (Field::Text, lang, text.as_str()));
        let lists = [(Field::Example, &self.examples), (Field::Item, &self.items)];
        let lists = lists.into_iter().flat_map(|(field, texts)| {
            let texts = texts.iter().flat_map(Bilingual::iter);
            texts.map(move |(lang, text)| (field, lang, text.as_str()))
        });
        let notes = self.notes.iter();
        let notes = notes.map(|note| (Field::Note, note.lang, note.text.as_str()));
        let tags = self.notes.iter().filter_map(|note| note.tag.as_deref());
        let tags = tags.map(|tag| (Field::Tag, Lang::of(tag), tag));
        let cards = self.cards.iter().flat_map(|card| {
            let names = [(Lang::En, &card.en), (Lang::Zh, &card.zh)].into_iter();
            names.filter_map(|(lang, name)| Some((Field::Card, lang, name.as_deref()?)))
        });
        let own = titles.chain(aliases).chain(texts).chain(lists);
        own.chain(notes).chain(tags).chain(cards)
    }
}

/// A searchable field of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// `title`
    Title,
    /// `aliases`
    Alias,
    /// `text`
    Text,
    /// `examples`
    Example,
    /// `items`
    Item,
    /// `notes`
    Note,
    /// `tag` of one of the `notes`
    Tag,
    /// `cards`
    Card,
}

/// The longest name of an edition, in characters.
const LONGEST_EDITION: usize = 64;

/// Why a name cannot be an edition's: it says nothing, could not be typed or stand in a path, or is written as a date
/// that there never was.
pub fn impossible_edition(edition: &str) -> Option<String> {
    if edition.trim().is_empty() {
        return Some("an edition without a name".to_owned());
    }
    if edition.chars().count() > LONGEST_EDITION {
        return Some(format!(
            "the edition's name is longer than {LONGEST_EDITION} characters"
        ));
    }
    let typed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ' | '+' | '(' | ')');
    let begins = |c: char| c.is_alphanumeric();
    if !edition.chars().all(typed) || !edition.starts_with(begins) || edition != edition.trim() {
        return Some(format!("`{edition}` cannot be the name of an edition"));
    }
    let figures: Vec<&str> = edition.split('-').collect();
    let is_figure = |figure: &&str| !figure.is_empty() && figure.bytes().all(|b| b.is_ascii_digit());
    let looks_like_date = figures.len() == 3 && figures[0].len() == 4 && figures.iter().all(is_figure);
    (looks_like_date && edition.parse::<jiff::civil::Date>().is_err())
        .then(|| format!("`{edition}` is no date"))
}

/// The document that a rule id leaves out.
pub const DEFAULT_DOCUMENT: &str = "cr";

/// The id of a rule, section or chapter: `mtg:rule:702.19b`, in other documents `mtg:mtr:6.3`.
pub fn rule_id(game: &str, document: &str, citation: &RuleNumber) -> String {
    [&*rule_id_prefix(game, document), &citation.plain()].concat()
}

/// What the ids of a document's rules, sections and chapters start with: `mtg:rule:`, `mtg:mtr:`.
pub fn rule_id_prefix(game: &str, document: &str) -> String {
    let document = if document == DEFAULT_DOCUMENT {
        "rule"
    } else {
        document
    };
    [game, ":", document, ":"].concat()
}

/// The id of a term by its headword, English if there is one: `mtg:term:first-strike`.
///
/// Letters and digits of any script stay, lower-cased; whatever stands between them is one hyphen.
pub fn term_id(game: &str, headword: &str) -> String {
    format!("{game}:term:{}", slug(headword))
}

/// The id of a card by its name, English if there is one: `mtg:card:keeper-of-the-lantern`.
pub fn card_id(game: &str, name: &str) -> String {
    format!("{game}:card:{}", slug(name))
}

fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') && c != '’' && c != '\'' {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// The id of a ruling or statement, which have no number: 16 hex digits of BLAKE3 over the game, the date if
/// there is one, and the text in its source's first language with white space made single blanks.
pub fn text_id(game: &str, kind: Kind, date: Option<&str>, text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [game, date.unwrap_or("")] {
        hasher.update(part.as_bytes());
        hasher.update(b"\n");
    }
    for word in text.split_whitespace() {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    format!("{game}:{}:{}", kind.as_str(), &hasher.finalize().to_hex()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_stable() {
        let rule = "702.3a-1".parse().unwrap();
        assert_eq!(rule_id("fow", "cr", &rule), "fow:rule:702.3a-1");
        assert_eq!(rule_id("mtg", "mtr", &"6.3".parse().unwrap()), "mtg:mtr:6.3");
        assert_eq!(term_id("mtg", "Cumulative Upkeep"), "mtg:term:cumulative-upkeep");
        assert_eq!(term_id("mtg", "Assembly-Worker"), "mtg:term:assembly-worker");
        assert_eq!(term_id("fow", "践踏"), "fow:term:践踏");
        // This value is a promise: links and lock files hold it.
        assert_eq!(
            text_id("fow", Kind::Statement, None, " a  b\n"),
            text_id("fow", Kind::Statement, None, "a b")
        );
        assert_ne!(
            text_id("fow", Kind::Ruling, Some("2024-01-01"), "a"),
            text_id("fow", Kind::Ruling, None, "a")
        );
    }

    #[test]
    fn language_of_mixed_text() {
        assert_eq!(Lang::of("Phage the Untouchable 践踏"), Lang::En);
        assert_eq!(Lang::of("J-ruler进场时"), Lang::Zh);
        assert_eq!(Lang::of("702.3a"), Lang::En);
    }

    #[test]
    fn an_entry_survives_storage() {
        let mut entry = Entry::new(
            "fow:rule:702.3a",
            "fow",
            "cr",
            Kind::Rule,
            SourceRef {
                file: "a.txt".into(),
                line: 3,
                lang: Some(Lang::En),
            },
        );
        entry.citation = "702.3a".parse().ok();
        entry.text = Bilingual::both("Put it".into(), "放进".into());
        entry.pairing = Some(Pairing {
            how: PairedBy::Order,
            certain: true,
            partial: false,
        });
        let stored = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<Entry>(&stored).unwrap(), entry);
    }
}
