//! Every entry that was loaded: which editions are shown, what stands above and below what, and the keys by
//! which entries are found without a search.
//!
//! Several editions of one document live side by side. The newest is *current*, per game, document and
//! language; an undated text is always current. Where the newest edition of one language has no partner, the
//! newest text of the other language joins it, with its own date (see [`Corpus::build`]).
//!
//! [`Entries`] is what a reader of entries needs; [`Corpus`] answers it from memory, the packed index from a
//! mapped file.

pub mod cards;
mod copies;
pub mod editions;
pub mod likeness;
mod loans;
pub mod moves;

use crate::card::Card;
use crate::citation::RuleNumber;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Bilingual, DEFAULT_DOCUMENT, Entry, Kind, Lang, rule_id, rule_id_prefix};
use crate::fold::fold_key;
use crate::game::Games;
use crate::hash::{FastMap, FastSet};
use crate::jobs;
use crate::name::Name;
use crate::source::Position;
use editions::EditionOrders;
use moves::{Rule, Rules, SAME_RULE, follow};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::convert::Infallible;
use std::num::NonZeroUsize;

/// Stored entries could not be read: the store is damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the index is damaged: {0}")]
pub struct Damaged(pub String);

/// Entries in reading order, found by key. An entry's place in that order is its `idx`, from 0.
pub trait Entries {
    /// How many entries there are, over all editions.
    fn len(&self) -> usize;

    /// True when there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry at that place.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when it cannot be read, or there is none.
    fn entry(&self, idx: u32) -> Result<Entry, Damaged>;

    /// What the entry at that place is called.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when it cannot be read, or there is none.
    fn heading(&self, idx: u32) -> Result<Heading, Damaged> {
        let Entry { citation, title, .. } = self.entry(idx)?;
        Ok(Heading { citation, title })
    }

    /// True when the entry is shown where no edition is asked for.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when it cannot be read, or there is none.
    fn is_current(&self, idx: u32) -> Result<bool, Damaged>;

    /// The entry above an entry: of the same edition if there is one.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when it cannot be read.
    fn parent(&self, idx: u32) -> Result<Option<u32>, Damaged> {
        let entry = self.entry(idx)?;
        let Some(parent) = &entry.parent else {
            return Ok(None);
        };
        let versions = self.find(&Key::Id(parent).encode())?;
        for version in &versions {
            if is_of_its_edition(&entry, &self.entry(*version)?) {
                return Ok(Some(*version));
            }
        }
        Ok(versions.first().copied())
    }

    /// The entries under exactly that key (see [`Key`]), in reading order.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when they cannot be read.
    fn find(&self, key: &str) -> Result<Vec<u32>, Damaged>;

    /// The keys that start so, in order of key, each with its entries; at most `limit` keys.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when they cannot be read.
    fn with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<(String, Vec<u32>)>, Damaged>;

    /// The card of that number.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when it cannot be read, or there is none.
    fn card(&self, number: u32) -> Result<Card, Damaged>;

    /// Gives the names of cards that start so ([`cards::key`]), in order, each with what reads the numbers of its cards.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when they cannot be read, or what `each` returns.
    fn cards_called(&self, prefix: &str, each: &mut EachName<'_>) -> Result<(), Damaged>;
}

/// What an entry is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heading {
    /// Its number; rulings and statements have none.
    pub citation: Option<RuleNumber>,
    /// Its title, in each language that has one.
    pub title: Bilingual<String>,
}

/// Takes a name, and what reads the numbers of the cards that have it.
pub type EachName<'f> = dyn FnMut(&str, &dyn Fn() -> Result<Vec<u32>, Damaged>) -> Result<(), Damaged> + 'f;

/// What the key of every [`Key::Game`] starts with.
const GAME_PREFIX: &str = "game:";

/// The ids of the games that have entries, in order.
///
/// # Errors
///
/// [`Damaged`] when they cannot be read.
pub fn games_of(entries: &dyn Entries) -> Result<Vec<String>, Damaged> {
    let keys = entries.with_prefix(GAME_PREFIX, usize::MAX)?;
    let ids = keys.iter().filter_map(|(key, _)| key.strip_prefix(GAME_PREFIX));
    Ok(ids.map(str::to_owned).collect())
}

/// The keys under which entries are found. A key is a string, so that a map on disk can hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key<'a> {
    /// By id, or by the shipped label in an id's place (`fow:statement:bare-number`).
    Id(&'a str),
    /// By the 16 hex digits of a ruling or statement.
    Hex(&'a str),
    /// By title, headword or alias, folded; in that game.
    Name(&'a str, &'a str),
    /// By a title, headword or alias, folded, that entries of older editions have and the current ones with their ids
    /// have not; in that game.
    FormerName(&'a str, &'a str),
    /// The entries that name a card, by one of its names or a face's, folded; in that game.
    Card(&'a str, &'a str),
    /// The entries whose texts cite the entry of that id.
    Citing(&'a str),
    /// The current rules that older editions, up to that one, had under that id, when it means another rule now or
    /// none.
    Moved(&'a str, &'a str),
    /// The first entry of an edition that is a version in a document that has dates, too: the game, the document, the
    /// edition, and since when it holds.
    Issued(&'a str, &'a str, &'a str, &'a str),
    /// The first entry of a game.
    Game(&'a str),
}

impl Key<'_> {
    /// The stored form. Names carry the game last, so that one prefix finds a name in every game.
    pub fn encode(self) -> String {
        match self {
            Key::Id(id) => ["id:", id].concat(),
            Key::Hex(hex) => format!("hex:{hex}"),
            Key::Name(name, game) => format!("name:{name}\u{1f}{game}"),
            Key::FormerName(name, game) => format!("former:{name}\u{1f}{game}"),
            Key::Card(name, game) => format!("card:{}", cards::key(name, game)),
            Key::Citing(id) => format!("citing:{id}"),
            Key::Moved(id, until) => format!("moved:{id}\u{1f}{until}"),
            Key::Issued(game, document, edition, date) => {
                let prefix = Key::issued_prefix(game, document);
                format!("{prefix}{edition}\u{1f}{date}")
            }
            Key::Game(id) => format!("{GAME_PREFIX}{id}"),
        }
    }

    /// What all keys of a name start with, whatever the game.
    pub fn name_prefix(folded: &str) -> String {
        format!("name:{folded}\u{1f}")
    }

    /// What all keys of the rules that had an id once start with, whatever the edition.
    pub fn moved_prefix(id: &str) -> String {
        format!("moved:{id}\u{1f}")
    }

    /// What all keys of a document's editions start with that are versions among dates.
    pub fn issued_prefix(game: &str, document: &str) -> String {
        format!("issued:{game}:{document}\u{1f}")
    }

    /// What all keys of a card's name start with, whatever the game.
    pub fn card_prefix(folded: &str) -> String {
        format!("card:{folded}\u{1f}")
    }
}

/// Every entry that was loaded.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    entries: Vec<Entry>,
    current: Vec<bool>,
    keys: BTreeMap<String, Vec<u32>>,
    shelf: cards::Shelf,
}

/// What a [`Corpus`] is made of.
#[derive(Debug)]
pub struct Parts {
    /// The entries, in reading order.
    pub entries: Vec<Entry>,
    /// Which of them are current.
    pub current: Vec<bool>,
    /// The keys with their entries.
    pub keys: BTreeMap<String, Vec<u32>>,
    /// The cards.
    pub cards: Vec<Card>,
    /// The names of cards ([`cards::key`]) with their numbers.
    pub card_names: BTreeMap<String, Vec<u32>>,
}

impl Corpus {
    /// Arranges entries (one for each id and edition, as [`crate::pair`] leaves them) in reading order, joins
    /// the newest texts of the two languages, links parents and children, and checks references.
    ///
    /// Nothing is refused: what is wrong is a diagnostic.
    pub fn build(entries: Vec<Entry>, games: &Games) -> (Corpus, Vec<Diagnostic>) {
        Self::build_with(jobs::ONE, entries, Vec::new(), games)
    }

    /// The same, with the cards of tables, and with so many jobs at once.
    pub fn build_with(
        jobs: NonZeroUsize,
        mut entries: Vec<Entry>,
        cards: Vec<Card>,
        games: &Games,
    ) -> (Corpus, Vec<Diagnostic>) {
        for entry in &mut entries {
            title_from_text(entry);
        }
        let (orders, mut diagnostics) = EditionOrders::of(&entries);
        let newest = newest_editions(&entries, &orders);
        loans::join_languages(&mut entries, &newest, &orders);
        sort(&mut entries, games, &orders);
        copies::join(&mut entries, |entry| is_current(entry, &newest, &orders));
        let current: Vec<bool> = entries
            .iter()
            .map(|entry| is_current(entry, &newest, &orders))
            .collect();
        link(&mut entries, &current, games);
        diagnostics.extend(dangling(&mut entries));
        let shelf = cards::arrange(cards, &mut entries);
        let mut keys = keys(&entries, &current);
        shelf.add_keys(&mut keys);
        add_orders(&mut keys, &entries, &orders);
        add_moves(&mut keys, &entries, &current, &orders, jobs);
        (
            Corpus {
                entries,
                current,
                keys,
                shelf,
            },
            diagnostics,
        )
    }

    /// Every entry of every edition, in reading order: by game, document, kind and number; of one rule the
    /// newest edition first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Every card, in order of game and name.
    pub fn cards(&self) -> &[Card] {
        &self.shelf.cards
    }

    /// What it is made of.
    pub fn into_parts(self) -> Parts {
        Parts {
            entries: self.entries,
            current: self.current,
            keys: self.keys,
            cards: self.shelf.cards,
            card_names: self.shelf.names,
        }
    }

    /// Every key with its entries, in order of key (bytes).
    pub fn keys(&self) -> impl Iterator<Item = (&str, &[u32])> {
        self.keys
            .iter()
            .map(|(key, entries)| (key.as_str(), entries.as_slice()))
    }
}

impl Entries for Corpus {
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn entry(&self, idx: u32) -> Result<Entry, Damaged> {
        self.entries
            .get(idx as usize)
            .cloned()
            .ok_or_else(|| Damaged(format!("there is no entry {idx}")))
    }

    fn is_current(&self, idx: u32) -> Result<bool, Damaged> {
        self.current
            .get(idx as usize)
            .copied()
            .ok_or_else(|| Damaged(format!("there is no entry {idx}")))
    }

    fn find(&self, key: &str) -> Result<Vec<u32>, Damaged> {
        Ok(self.keys.get(key).cloned().unwrap_or_default())
    }

    fn with_prefix(&self, prefix: &str, limit: usize) -> Result<Vec<(String, Vec<u32>)>, Damaged> {
        Ok(starting_so(&self.keys, prefix).take(limit).collect())
    }

    fn card(&self, number: u32) -> Result<Card, Damaged> {
        let card = self.shelf.cards.get(number as usize);
        card.cloned()
            .ok_or_else(|| Damaged(format!("there is no card {number}")))
    }

    fn cards_called(&self, prefix: &str, each: &mut EachName<'_>) -> Result<(), Damaged> {
        for (name, cards) in starting_so(&self.shelf.names, prefix) {
            each(&name, &|| Ok(cards.clone()))?;
        }
        Ok(())
    }
}

/// The keys that start so, with what is under each.
fn starting_so<'m>(
    map: &'m BTreeMap<String, Vec<u32>>,
    prefix: &'m str,
) -> impl Iterator<Item = (String, Vec<u32>)> + 'm {
    let range = map
        .range(prefix.to_owned()..)
        .take_while(move |(key, _)| key.starts_with(prefix));
    range.map(|(key, under)| (key.clone(), under.clone()))
}

/// Characters a rule's text may have at most to serve as its title.
const LONGEST_TITLE: usize = 60;

/// True for a text that is a mere name: `Trample`, `践踏`.
fn is_name(text: &str) -> bool {
    let ends_a_sentence = text
        .trim_end()
        .ends_with(['.', '。', ':', '：', '!', '?', ')', '）', '”', '"', ';', '；']);
    !ends_a_sentence && !text.contains('\n') && text.chars().count() <= LONGEST_TITLE
}

/// Gives a rule whose text is a mere name (`Trample`, `践踏`), in each language it has, that name as its title.
fn title_from_text(entry: &mut Entry) {
    if entry.kind != Kind::Rule || !entry.text.iter().all(|(_, text)| is_name(text)) {
        return;
    }
    for lang in Lang::ALL {
        if let (None, Some(text)) = (entry.title.get(lang), entry.text.get(lang)) {
            *entry.title.get_mut(lang) = Some(text.clone());
        }
    }
}

/// The newest edition of each document in each language.
type Newest = HashMap<(Name, Name, Lang), Name>;

fn newest_editions(entries: &[Entry], orders: &EditionOrders) -> Newest {
    let mut newest = Newest::new();
    for entry in entries {
        for (lang, edition) in entry.edition.iter() {
            let slot = newest.entry((entry.game.clone(), entry.document.clone(), lang));
            slot.and_modify(|known| {
                if orders.compare(&entry.game, &entry.document, edition, known) == Ordering::Greater {
                    known.clone_from(edition);
                }
            })
            .or_insert_with(|| edition.clone());
        }
    }
    newest
}

/// True when the entry is undated, or of the newest edition of its document in a language of its own. A text
/// of the newest Chinese edition that the newer English one has dropped is not current.
fn is_current(entry: &Entry, newest: &Newest, orders: &EditionOrders) -> bool {
    if entry.edition.is_empty() {
        return true;
    }
    let newest_in = |lang| {
        newest
            .get(&(entry.game.clone(), entry.document.clone(), lang))
            .map(Name::as_str)
    };
    let latest = match (newest_in(Lang::En), newest_in(Lang::Zh)) {
        (Some(en), Some(zh)) => {
            if orders.compare(&entry.game, &entry.document, en, zh) == Ordering::Less {
                zh
            } else {
                en
            }
        }
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => return true,
    };
    // A term that is there in the older language alone has no number that could say whether it is gone.
    let alone = entry.kind == Kind::Term
        && Lang::ALL.into_iter().any(|lang| {
            entry.title.get(lang.other()).is_none()
                && entry.edition.get(lang).map(Name::as_str) == newest_in(lang)
        });
    alone || entry.edition.iter().any(|(_, edition)| edition == latest)
}

/// Brings entries into reading order, in place: they are what most of the memory holds.
fn sort(entries: &mut [Entry], games: &Games, orders: &EditionOrders) {
    let mut keyed: Vec<(OrderKey<'_>, usize)> = entries
        .iter()
        .enumerate()
        .map(|(idx, entry)| (OrderKey::of(entry, games, orders), idx))
        .collect();
    keyed.sort();
    // For each place, where its entry is now.
    let mut from: Vec<usize> = keyed.into_iter().map(|(_, idx)| idx).collect();
    for start in 0..from.len() {
        let mut at = start;
        while from[at] != start {
            let next = from[at];
            entries.swap(at, next);
            from[at] = at;
            at = next;
        }
        from[at] = at;
    }
}

/// What reading order compares.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OrderKey<'e> {
    game: &'e str,
    document: (bool, &'e str),
    /// Rules, sections and chapters stand together, in order of number.
    group: u8,
    chapter: Option<RuleNumber>,
    number: Option<(bool, &'e RuleNumber)>,
    headword: &'e str,
    /// Newest edition first; undated last.
    edition: std::cmp::Reverse<EditionKey<'e>>,
    place: Option<(&'e str, u32)>,
    id: &'e str,
}

/// An edition in its document's order; only those of one document are compared.
struct EditionKey<'e> {
    edition: Option<&'e str>,
    entry: &'e Entry,
    orders: &'e EditionOrders,
}

impl Ord for EditionKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.edition, other.edition) {
            (Some(a), Some(b)) => self.orders.compare(&self.entry.game, &self.entry.document, a, b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        }
    }
}

impl PartialEq for EditionKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.edition == other.edition
    }
}

impl Eq for EditionKey<'_> {}

impl PartialOrd for EditionKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'e> OrderKey<'e> {
    fn of(entry: &'e Entry, games: &Games, orders: &'e EditionOrders) -> Self {
        let numbering = games
            .get(&entry.game)
            .and_then(|game| game.numbering(Some(&entry.document)));
        let numbered = matches!(entry.kind, Kind::Chapter | Kind::Section | Kind::Rule);
        let number = entry.citation.as_ref();
        let chapter = number.and_then(|number| match (entry.kind, numbering) {
            (Kind::Chapter, _) => Some(number.clone()),
            (_, Some(numbering)) => numbering.chapter_of(number),
            (_, None) => None,
        });
        OrderKey {
            game: &entry.game,
            document: (entry.document != DEFAULT_DOCUMENT, &entry.document),
            group: if numbered { 0 } else { entry.kind as u8 + 1 },
            chapter,
            number: number.map(|number| (entry.kind != Kind::Chapter, number)),
            headword: match entry.kind {
                Kind::Term => &entry.id,
                _ => "",
            },
            edition: std::cmp::Reverse(EditionKey {
                edition: entry.own_editions().next(),
                entry,
                orders,
            }),
            place: entry
                .sources
                .first()
                .map(|source| (source.file.as_str(), source.line)),
            id: &entry.id,
        }
    }
}

/// Fills in parents and children, each within its own edition (current entries among themselves).
fn link(entries: &mut [Entry], current: &[bool], games: &Games) {
    let mut views: HashMap<(Name, Name, Option<Name>), Vec<usize>> = HashMap::new();
    for (idx, entry) in entries.iter_mut().enumerate() {
        if entry.citation.is_some() {
            // Parsers name the parent that the number has; what counts is which one is loaded.
            entry.parent = None;
            let view = if current[idx] {
                None
            } else {
                entry
                    .edition
                    .get(Lang::En)
                    .or(entry.edition.get(Lang::Zh))
                    .cloned()
            };
            views
                .entry((entry.game.clone(), entry.document.clone(), view))
                .or_default()
                .push(idx);
        }
    }
    for ((game, document, _), members) in views {
        let numbering = games.get(&game).and_then(|game| game.numbering(Some(&document)));
        let ids: FastMap<&str, usize> = members
            .iter()
            .rev()
            .map(|&idx| (entries[idx].id.as_str(), idx))
            .collect();
        let mut links: Vec<(usize, usize)> = Vec::new();
        for &idx in &members {
            let Some(number) = &entries[idx].citation else {
                continue;
            };
            if entries[idx].kind == Kind::Chapter {
                continue;
            }
            let above = std::iter::successors(number.parent(), RuleNumber::parent);
            let chapter = numbering.and_then(|numbering| numbering.chapter_of(number));
            let parent = above
                .chain(chapter)
                .find_map(|number| ids.get(rule_id(&game, &document, &number).as_str()));
            if let Some(&parent) = parent.filter(|&&parent| parent != idx) {
                links.push((parent, idx));
            }
        }
        let mut children: FastMap<Name, Vec<Name>> = FastMap::default();
        for (parent, child) in links {
            let (parent_id, child_id) = (entries[parent].id.clone(), entries[child].id.clone());
            let siblings = children.entry(parent_id.clone()).or_default();
            // Two current texts of one rule (a dated and an undated one) are one child.
            if !siblings.contains(&child_id) {
                siblings.push(child_id);
            }
            entries[child].parent = Some(parent_id);
        }
        for idx in members {
            if let Some(children) = children.get(&entries[idx].id) {
                entries[idx].children.clone_from(children);
            }
        }
    }
}

/// Drops references an entry makes to itself, and reports those that lead nowhere in a document that is
/// loaded as a whole: a document of which only a few rules are there cannot be judged.
fn dangling(entries: &mut [Entry]) -> Vec<Diagnostic> {
    for entry in entries.iter_mut() {
        let Entry { id, references, .. } = entry;
        references.retain(|reference| reference != id);
    }
    let mut diagnostics = Vec::new();
    let ids: FastSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    let sectioned: HashSet<(&str, &str)> = entries
        .iter()
        .filter(|entry| entry.kind == Kind::Section)
        .map(|entry| (entry.game.as_str(), entry.document.as_str()))
        .collect();
    let mut seen = HashSet::new();
    for entry in entries.iter() {
        if !sectioned.contains(&(entry.game.as_str(), entry.document.as_str())) {
            continue;
        }
        let own = rule_id_prefix(&entry.game, &entry.document);
        for reference in &entry.references {
            let same_document = reference.starts_with(&own);
            if same_document && !ids.contains(reference.as_str()) && seen.insert((&entry.id, reference)) {
                let source = entry.sources.first();
                let number = &reference[own.len()..];
                let mut diagnostic = Diagnostic::about_file(
                    Code::DanglingReference,
                    source.map(|source| source.file.to_string()).unwrap_or_default(),
                    format!("`{number}` is cited, but there is no such rule"),
                )
                .hint("look for a misprint, or add the edition that has it");
                diagnostic.position = source.map(|source| Position {
                    line: source.line,
                    column: 1,
                });
                diagnostics.push(diagnostic);
            }
        }
    }
    diagnostics
}

fn keys(entries: &[Entry], current: &[bool]) -> BTreeMap<String, Vec<u32>> {
    // Sorted when all are there, which is quicker.
    let mut keys: FastMap<String, Vec<u32>> = FastMap::default();
    let mut add = |key: Key<'_>, idx: usize| {
        let entries = keys.entry(key.encode()).or_default();
        if entries.last() != Some(&(idx as u32)) {
            entries.push(idx as u32);
        }
    };
    let mut games = BTreeSet::new();
    for (idx, entry) in entries.iter().enumerate() {
        add(Key::Id(&entry.id), idx);
        if games.insert(&entry.game) {
            add(Key::Game(&entry.game), idx);
        }
        if let Some(label) = &entry.label {
            add(
                Key::Id(&format!("{}:{}:{label}", entry.game, entry.kind.as_str())),
                idx,
            );
        }
        if entry.citation.is_none()
            && entry.kind != Kind::Term
            && let Some((_, hex)) = entry.id.rsplit_once(':')
        {
            add(Key::Hex(hex), idx);
        }
        // Names lead to what is shown by default: an old edition is asked for by number.
        if current[idx] && entry.kind != Kind::Ruling && entry.kind != Kind::Statement {
            let titles = entry.title.iter().map(|(_, title)| title);
            for name in titles.chain(&entry.aliases) {
                for folded in name_keys(name) {
                    add(Key::Name(&folded, &entry.game), idx);
                }
            }
        }
        for reference in &entry.references {
            add(Key::Citing(reference), idx);
        }
    }
    add_former_names(&mut keys, entries, current);
    keys.into_iter().collect()
}

/// The names of older editions' entries that are not the names of the current entries with their ids: a keyword that
/// is gone, or that has another number now.
fn add_former_names(keys: &mut FastMap<String, Vec<u32>>, entries: &[Entry], current: &[bool]) {
    // Most are of current entries as well, and stand in edition after edition.
    let mut former: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut known: BTreeSet<(&Name, &str)> = BTreeSet::new();
    let is_current_name = |key: &str, id: &Name| {
        let called = keys.get(key);
        called.is_some_and(|called| called.iter().any(|&idx| entries[idx as usize].id == *id))
    };
    let named = |(idx, entry): &(usize, &Entry)| {
        !current[*idx] && entry.kind != Kind::Ruling && entry.kind != Kind::Statement
    };
    for (idx, entry) in entries.iter().enumerate().filter(named) {
        let titles = entry.title.iter().map(|(_, title)| title.as_str());
        for title in titles.chain(entry.aliases.iter().map(|alias| &**alias)) {
            if known.contains(&(&entry.id, title)) {
                continue;
            }
            let mut is_known = true;
            for folded in name_keys(title) {
                let current_key = Key::Name(&folded, &entry.game).encode();
                if !is_current_name(&current_key, &entry.id) {
                    let key = Key::FormerName(&folded, &entry.game).encode();
                    let entries = former.entry(key).or_default();
                    if entries.last() != Some(&(idx as u32)) {
                        entries.push(idx as u32);
                    }
                    is_known = false;
                }
            }
            if is_known {
                known.insert((&entry.id, title));
            }
        }
    }
    keys.extend(former);
}

/// The versions that stand among dates, each with the date since when it holds.
fn add_orders(keys: &mut BTreeMap<String, Vec<u32>>, entries: &[Entry], orders: &EditionOrders) {
    for (game, document, order) in orders.iter() {
        for (edition, date) in order.versions() {
            let is_of = |entry: &Entry| {
                entry.game == *game && entry.document == *document && entry.is_of_edition(edition)
            };
            let first = entries.iter().position(is_of);
            let key = Key::Issued(game, document, edition, date).encode();
            keys.insert(key, first.map(|idx| idx as u32).into_iter().collect());
        }
    }
}

/// For each number that an older edition gave to another rule: where that rule stands now, and the last edition in
/// which it had that number.
///
/// A rule is followed through the editions of its language, English where there is one: translations are reworded
/// more freely.
fn add_moves(
    keys: &mut BTreeMap<String, Vec<u32>>,
    entries: &[Entry],
    current: &[bool],
    orders: &EditionOrders,
    jobs: NonZeroUsize,
) {
    let mut documents: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (idx, entry) in entries.iter().enumerate() {
        if entry.citation.is_some() && entry.kind.is_numbered() {
            let of_document = documents.entry((&entry.game, &entry.document)).or_default();
            of_document.push(idx);
        }
    }
    for members in documents.into_values() {
        // Where the rules of an edition stand now, by edition and id.
        let mut now: HashMap<(&str, &str), usize> = HashMap::new();
        let mut today: HashMap<&str, usize> = HashMap::new();
        for &idx in members.iter().filter(|&&idx| current[idx]) {
            today.insert(&entries[idx].id, idx);
        }
        let mut in_english: BTreeSet<&str> = BTreeSet::new();
        // Where the rules stand now that had an id once, each with the last edition in which it had it.
        let mut once: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
        for lang in Lang::ALL {
            let editions = editions_in(lang, &members, entries, orders);
            let names: Vec<&str> = editions.iter().map(|(name, _)| *name).collect();
            let mut rules: Vec<Rules<'_>> = Vec::new();
            let several = editions.iter().filter(|_| names.len() > 1);
            let read = || {
                |(_, members): &(&str, Vec<usize>)| {
                    let rules = members.iter().filter_map(|&idx| as_rule(&entries[idx], lang));
                    Rules::new(rules.collect())
                }
            };
            let Ok(()) = jobs::in_order(jobs, several, read, |edition| {
                rules.push(edition);
                Ok::<(), Infallible>(())
            });
            let Some((newest, newest_members)) = editions.last() else {
                continue;
            };
            let places: HashMap<usize, usize> = newest_members.iter().copied().zip(0..).collect();
            let alike = |idx: usize, text: &str| {
                let place = places.get(&idx).filter(|_| !rules.is_empty());
                place.map_or(0.0, |&place| rules[rules.len() - 1].likeness(place, text))
            };
            for (places, (name, members)) in follow(&rules, jobs).into_iter().zip(&editions).rev().skip(1) {
                // Translated editions are followed by their originals.
                if in_english.contains(name) {
                    continue;
                }
                for (&idx, stands) in members.iter().zip(places) {
                    let id = entries[idx].id.as_str();
                    let Some(stands) = stands.map(|stands| entries[newest_members[stands]].id.as_str())
                    else {
                        continue;
                    };
                    let Some(&to) = now.get(&(*newest, stands)).or_else(|| today.get(stands)) else {
                        continue;
                    };
                    if lang == Lang::En {
                        now.insert((*name, id), to);
                    }
                    if entries[to].id == id {
                        continue;
                    }
                    let moved = once.entry(id).or_default();
                    let is_known = |moved: &[(usize, &str)], to| moved.iter().any(|(known, _)| *known == to);
                    if !is_known(moved, to) {
                        moved.push((to, name));
                    }
                    // What it said may stand in two rules now, of which one sends its reader to the other.
                    let text = wording(&entries[idx], lang);
                    for reference in entries[to].references.iter().filter(|reference| *reference != id) {
                        let Some(&other) = today.get(reference.as_str()) else {
                            continue;
                        };
                        let same_kind = entries[other].kind == entries[idx].kind;
                        if same_kind && !is_known(moved, other) && alike(other, text) >= SAME_RULE {
                            moved.push((other, name));
                        }
                    }
                }
            }
            if lang == Lang::En {
                in_english.extend(names);
            }
        }
        for (id, moved) in once {
            for (to, until) in moved {
                let key = Key::Moved(id, until).encode();
                keys.entry(key).or_default().push(to as u32);
            }
        }
    }
}

/// The editions in a language with the entries of each in order of number, oldest first.
fn editions_in<'e>(
    lang: Lang,
    members: &[usize],
    entries: &'e [Entry],
    orders: &EditionOrders,
) -> Vec<(&'e str, Vec<usize>)> {
    let mut editions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &idx in members {
        let entry = &entries[idx];
        if let Some(edition) = entry.edition.get(lang)
            && !wording(entry, lang).is_empty()
            && entry.lent != Some(lang)
        {
            editions.entry(edition).or_default().push(idx);
        }
    }
    let mut editions: Vec<(&str, Vec<usize>)> = editions.into_iter().collect();
    editions.sort_by(|(a, of), (b, _)| {
        let entry = &entries[of[0]];
        orders.compare(&entry.game, &entry.document, a, b)
    });
    editions
}

/// A numbered entry as rules are compared in a language.
pub(crate) fn as_rule(entry: &Entry, lang: Lang) -> Option<Rule<'_>> {
    Some(Rule {
        number: entry.citation.as_ref()?,
        kind: entry.kind,
        text: wording(entry, lang),
        // A rule's id ends in its number.
        above: entry
            .parent
            .as_deref()
            .and_then(|id| id.rsplit(':').next())
            .unwrap_or_default(),
    })
}

/// The text of an entry in a language, or its title where it has no text.
pub(crate) fn wording(entry: &Entry, lang: Lang) -> &str {
    entry
        .text
        .get(lang)
        .or(entry.title.get(lang))
        .map_or("", String::as_str)
}

/// True when two entries are of one edition, though one may be there in another language than the other; of undated
/// ones, when both are.
pub fn is_of_its_edition(entry: &Entry, other: &Entry) -> bool {
    match entry.edition.is_empty() {
        true => other.edition.is_empty(),
        false => entry.own_editions().any(|edition| other.is_of_edition(edition)),
    }
}

/// The names that a headword holds, folded: itself, and the parts of a comma list (`You, Your`); each without a remark
/// in brackets behind it (`Bury (Obsolete)`), and with blanks for its hyphens too (`state-based actions`).
pub fn name_keys(headword: &str) -> Vec<String> {
    let parts = headword
        .split([',', '，', '、'])
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let several = headword.contains([',', '，', '、']);
    let mut keys: Vec<String> = Vec::new();
    let mut add = |key: String| {
        if !key.is_empty() && !keys.contains(&key) {
            keys.push(key);
        }
    };
    for name in std::iter::once(headword).chain(parts.filter(|_| several)) {
        for name in std::iter::once(name).chain(without_remark(name)) {
            let folded = fold_key(name);
            let spaced = folded.contains('-').then(|| folded.replace('-', " "));
            add(folded);
            spaced.into_iter().for_each(&mut add);
        }
    }
    keys
}

/// A name without the remark in brackets that ends it.
fn without_remark(name: &str) -> Option<&str> {
    let inside = name.trim_end().strip_suffix([')', '）'])?;
    let (before, _) = inside.rsplit_once(['(', '（'])?;
    Some(before.trim_end()).filter(|before| before.chars().any(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Bilingual, SourceRef};
    use crate::game::Game;

    fn games() -> Games {
        let demo = r#"
            id = "demo"
            names = { en = "Demo" }
            [[document]]
            id = "cr"
            numbering = { levels = ["n", ".n", "a", "-n"], digits = [3, 4], chapter-size = 100 }
        "#;
        Games::new([Game::from_toml(demo).unwrap()])
    }

    fn rule(number: &str, lang: Lang, edition: Option<&str>, text: &str) -> Entry {
        let games = games();
        let number: RuleNumber = number.parse().unwrap();
        let kind = games.get("demo").unwrap().numbering(None).unwrap().kind(&number);
        let source = SourceRef {
            file: "a.txt".into(),
            line: 1,
            lang: Some(lang),
        };
        let mut entry = Entry::new(rule_id("demo", "cr", &number), "demo", "cr", kind, source);
        entry.citation = Some(number);
        entry.text = Bilingual::one(lang, text.to_owned());
        entry.edition =
            edition.map_or_else(Bilingual::default, |edition| Bilingual::one(lang, edition.into()));
        entry
    }

    fn current(corpus: &Corpus) -> Vec<(Name, Option<String>, Option<String>)> {
        let shown = corpus
            .entries
            .iter()
            .zip(&corpus.current)
            .filter(|(_, current)| **current);
        shown
            .map(|(entry, _)| (entry.id.clone(), entry.text.en.clone(), entry.text.zh.clone()))
            .collect()
    }

    #[test]
    fn reading_order_and_families() {
        let numbers = [
            "702.10", "7", "702.9b", "702", "702.9", "1014.4", "702.3a-1", "10", "702.3a",
        ];
        let entries = numbers
            .map(|number| rule(number, Lang::En, None, "A text."))
            .into();
        let (corpus, _) = Corpus::build(entries, &games());
        let order: Vec<_> = corpus
            .entries
            .iter()
            .map(|entry| entry.citation.as_ref().unwrap().as_str())
            .collect();
        assert_eq!(
            order,
            [
                "7", "702", "702.3a", "702.3a-1", "702.9", "702.9b", "702.10", "10", "1014.4"
            ]
        );
        let section = &corpus.entries[1];
        assert_eq!(section.parent.as_deref(), Some("demo:rule:7"));
        assert_eq!(
            section.children,
            ["demo:rule:702.3a", "demo:rule:702.9", "demo:rule:702.10"]
        );
        assert_eq!(corpus.entries[3].parent.as_deref(), Some("demo:rule:702.3a"));
        assert_eq!(corpus.find("id:demo:rule:702.9b"), Ok(vec![5]));
    }

    #[test]
    fn the_newest_edition_is_current_and_borrows_the_other_language() {
        let mut old = rule("702.9", Lang::En, Some("2025-01-01"), "Flying works so.");
        old.text.zh = Some("飞行如此。".into());
        old.edition.zh = Some("2025-01-01".into());
        let mut changed = rule("702.10", Lang::En, Some("2025-01-01"), "Haste works so.");
        changed.text.zh = Some("敏捷如此。".into());
        changed.edition.zh = Some("2025-01-01".into());
        let entries = vec![
            old,
            changed,
            rule("702.11", Lang::En, Some("2025-01-01"), "Gone."),
            rule("702.9", Lang::En, Some("2026-01-01"), "Flying  works so."),
            rule("702.10", Lang::En, Some("2026-01-01"), "Haste works otherwise."),
        ];
        let (corpus, _) = Corpus::build(entries, &games());
        let shown = current(&corpus);
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[0].2.as_deref(), Some("飞行如此。"));
        assert!(corpus.entries[0].pairing.unwrap().certain);
        assert_eq!(corpus.entries[0].edition.zh.as_deref(), Some("2025-01-01"));
        let haste = corpus.find("id:demo:rule:702.10").unwrap()[0];
        assert!(!corpus.entries[haste as usize].pairing.unwrap().certain);
    }

    #[test]
    fn a_version_is_newer_than_a_date_if_its_text_says_so() {
        let mut version = rule("702.9", Lang::En, Some("1.3"), "New.");
        version.issued.en = Some("2026-03-30".into());
        let dated = rule("702.9", Lang::En, Some("2025-06-02"), "Old.");
        let shown = |corpus: &Corpus| {
            let texts = current(corpus).into_iter().map(|(_, en, _)| en.unwrap());
            texts.collect::<Vec<_>>()
        };
        let (corpus, diagnostics) = Corpus::build(vec![version.clone(), dated.clone()], &games());
        assert_eq!(shown(&corpus), ["New."]);
        assert!(diagnostics.is_empty());
        let order = editions::EditionOrder::of(&corpus, "demo", "cr").unwrap();
        assert_eq!(order.compare("1.3", "2025-06-02"), Ordering::Greater);
        // Where it does not, that it is the older one is assumed, and said.
        version.issued.en = None;
        let (corpus, diagnostics) = Corpus::build(vec![version, dated], &games());
        assert_eq!(shown(&corpus), ["Old."]);
        assert_eq!(diagnostics.len(), 1);
        assert!(diagnostics[0].message.contains("`1.3`"), "{diagnostics:?}");
    }

    #[test]
    fn an_undated_text_is_never_hidden() {
        let entries = vec![
            rule("702.9", Lang::En, Some("12.7"), "New."),
            rule("702.9", Lang::En, Some("12.6"), "Old."),
            rule("702.9", Lang::En, None, "Undated."),
        ];
        let (corpus, _) = Corpus::build(entries, &games());
        let texts: Vec<_> = current(&corpus)
            .into_iter()
            .map(|(_, en, _)| en.unwrap())
            .collect();
        assert_eq!(texts, ["New.", "Undated."]);
    }

    #[test]
    fn an_undated_copy_is_no_other_text() {
        let entries = vec![
            rule("702.9", Lang::En, Some("12.7"), "It is new."),
            rule("702.9", Lang::En, Some("12.6"), "It is old."),
            rule("702.9", Lang::En, None, "It  is NEW."),
            rule("702.8", Lang::En, Some("12.6"), "It is old."),
            rule("702.8", Lang::En, None, "It is old."),
        ];
        let (corpus, _) = Corpus::build(entries, &games());
        let texts: Vec<_> = current(&corpus)
            .into_iter()
            .map(|(_, en, _)| en.unwrap())
            .collect();
        // What the newest edition has dropped is hidden by no copy of it.
        assert_eq!(texts, ["It is old.", "It is new."]);
        let sources = corpus.entries().iter().map(|entry| entry.sources.len());
        assert_eq!(sources.collect::<Vec<_>>(), [1, 1, 2, 1]);
    }

    #[test]
    fn a_number_that_means_another_rule_leads_to_the_old_one() {
        let rules = |edition, texts: &[(&str, &str)]| -> Vec<Entry> {
            texts
                .iter()
                .map(|(number, text)| rule(number, Lang::En, Some(edition), text))
                .collect()
        };
        let mut entries = rules(
            "1",
            &[
                ("702.9", "Flying creatures fly."),
                ("702.10", "Haste is speed."),
                ("702.11", "Gone for good."),
            ],
        );
        entries.extend(rules(
            "2",
            &[
                ("702.9", "Flying creatures fly high."),
                ("702.10", "Amplify grows things."),
                ("702.12", "Haste is speed."),
            ],
        ));
        let (corpus, _) = Corpus::build(entries, &games());
        let moved = |number: &str| -> Vec<String> {
            let found = corpus
                .find(&Key::Moved(&format!("demo:rule:{number}"), "1").encode())
                .unwrap();
            found
                .iter()
                .map(|&idx| {
                    corpus.entries[idx as usize]
                        .citation
                        .as_ref()
                        .unwrap()
                        .to_string()
                })
                .collect()
        };
        assert_eq!(moved("702.10"), ["702.12"]);
        assert!(moved("702.9").is_empty() && moved("702.11").is_empty());
    }

    #[test]
    fn a_rule_stands_below_one_of_its_own_edition() {
        let both = |number: &str, edition: &str, en: &str, zh: &str| {
            let mut rule = rule(number, Lang::En, Some(edition), en);
            (rule.text.zh, rule.edition.zh) = (Some(zh.to_owned()), Some(edition.into()));
            rule
        };
        let entries = vec![
            both("701.9", "1", "Surveil", "刺探"),
            // It has no translation there.
            rule("701.9a", Lang::En, Some("1"), "To surveil is to look ahead."),
            rule("701.9", Lang::En, Some("2"), "Meld"),
            rule("701.9a", Lang::En, Some("2"), "To meld is to join two halves."),
        ];
        let (corpus, _) = Corpus::build(entries, &games());
        for idx in 0..corpus.len() as u32 {
            if let Some(above) = corpus.parent(idx).unwrap() {
                let (entry, above) = (corpus.entry(idx).unwrap(), corpus.entry(above).unwrap());
                assert_eq!(entry.edition.en, above.edition.en);
            }
        }
    }

    #[test]
    fn a_lent_text_does_not_make_an_entry_one_of_the_older_edition() {
        let mut old = rule("702.9", Lang::En, Some("1"), "Flying works so.");
        (old.text.zh, old.edition.zh) = (Some("飞行如此。".into()), Some("1".into()));
        let entries = vec![old, rule("702.9", Lang::En, Some("2"), "Flying works so.")];
        let (corpus, _) = Corpus::build(entries, &games());
        let lent = &corpus.entries[0];
        assert_eq!(
            (lent.lent, lent.edition.zh.as_deref()),
            (Some(Lang::Zh), Some("1"))
        );
        assert!(lent.is_of_edition("2") && !lent.is_of_edition("1"));
        assert!(corpus.entries[1].is_of_edition("1"));
    }

    #[test]
    fn who_cites_is_the_inverse_of_references() {
        let mut citing = rule("702.9a", Lang::En, None, "See rule 702.10.");
        citing.references.push("demo:rule:702.10".into());
        let (corpus, _) = Corpus::build(vec![citing, rule("702.10", Lang::En, None, "Haste")], &games());
        let citing = corpus.find(&Key::Citing("demo:rule:702.10").encode()).unwrap();
        assert_eq!(citing, corpus.find("id:demo:rule:702.9a").unwrap());
    }

    #[test]
    fn names_lead_to_titles() {
        let mut flying = rule("702.9", Lang::En, None, "Flying");
        flying.text.zh = Some("飞行".into());
        let (corpus, _) = Corpus::build(
            vec![flying, rule("702.9a", Lang::En, None, "Flying is good.")],
            &games(),
        );
        for name in ["flying", "飞行"] {
            assert_eq!(
                corpus.with_prefix(&Key::name_prefix(name), 9).unwrap().len(),
                1,
                "{name}"
            );
        }
        for (headword, expected) in [
            ("You, Your", &["you, your", "you", "your"][..]),
            ("Ebbing (Obsolete)", &["ebbing (obsolete)", "ebbing"]),
            ("退潮（已废止）", &["退潮(已废止)", "退潮"]),
            ("Tide-Borne", &["tide-borne", "tide borne"]),
            ("(X)", &["(x)"]),
        ] {
            assert_eq!(name_keys(headword), expected, "{headword}");
        }
    }
}
