//! "This is a card's name, or what I remember of it: which card is it?"
//!
//! A card is known by the rulings that name it: there is no list of cards. Names are compared as readers compare them:
//! without case, width, accents, apostrophes and whatever else stands between letters; Chinese in either script.

use crate::corpus::{Damaged, Entries, Key};
use crate::entry::{CardRef, Entry, Lang, card_id};
use crate::fold::{fold_key, is_han};
use std::collections::{BTreeMap, BTreeSet};

/// A card that the loaded texts speak of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// `mtg:card:kozilek-the-great-distortion`: of its English name if it has one.
    pub id: String,
    /// Its game.
    pub game: String,
    /// Its English names, as the texts spell them; of several faces as the texts join them.
    pub en: Vec<String>,
    /// Its Chinese names.
    pub zh: Vec<String>,
    /// The entries that name it: those about it alone before those that it shares, each in reading order.
    pub entries: Vec<u32>,
}

/// How a card's name fits what was typed, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is the name, or one face's.
    Name,
    /// It is what stands before the name's comma, or where Chinese puts it, at the end: `Kozilek`, `寇基雷`.
    Short,
    /// The name begins so.
    Start,
    /// Words of the name, together.
    Words,
    /// A part of the name.
    Part,
    /// Each word begins a word of the name, in whatever order.
    Scattered,
    /// The name is spelt nearly so.
    Near,
}

impl Fit {
    /// The word that is printed: `exact`, `partial` or `nearest`.
    pub fn as_str(self) -> &'static str {
        match self {
            Fit::Name => "exact",
            Fit::Short | Fit::Start | Fit::Words | Fit::Part | Fit::Scattered => "partial",
            Fit::Near => "nearest",
        }
    }
}

/// The cards that a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cards {
    /// How their names fit; the same for all.
    pub fit: Fit,
    /// Those that fit best, in order of name.
    pub cards: Vec<Card>,
    /// Names of others, which fit less well but hold what was typed.
    pub others: Vec<String>,
}

/// How many names of others are told.
const MAX_OTHERS: usize = 5;

/// What stands between the names of two faces.
const BETWEEN_FACES: &str = "//";

/// Finds the cards that `text` means, in the games that pass; none where nothing is like it.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn cards(
    text: &str,
    entries: &dyn Entries,
    is_asked: &dyn Fn(&str) -> bool,
) -> Result<Option<Cards>, Damaged> {
    // An id is a name, too: `mtg:card:kozilek-the-great-distortion`.
    let (of_game, text) = match text.trim().split_once(":card:") {
        Some((game, name)) => (Some(game), name),
        None => (None, text.trim()),
    };
    let wanted = Wanted::new(text);
    if wanted.bare.is_empty() {
        return Ok(None);
    }
    let is_asked = |game: &str| is_asked(game) && of_game.is_none_or(|of_game| of_game == game);
    // The name as it stands costs one step; anything else is compared with every name.
    let mut fitting = wanted.among(&Key::card_prefix(&wanted.folded), entries, &is_asked)?;
    if fitting.is_empty() {
        fitting = wanted.among(CARD, entries, &is_asked)?;
    }
    let Some((fit, best)) = fitting.pop_first() else {
        return Ok(None);
    };
    // Letters inside a word are no more than an accident; Chinese writes no words.
    fitting.retain(|fit, _| match fit {
        Fit::Name | Fit::Short | Fit::Start | Fit::Words => true,
        Fit::Part => text.chars().any(is_han),
        Fit::Scattered | Fit::Near => false,
    });
    let cards = gather(&best, entries)?;
    let lang = Lang::of(text);
    let mut others = Vec::new();
    for place in fitting.into_values().flatten() {
        if others.len() == MAX_OTHERS {
            break;
        }
        let is_shown = |name: &String| cards.iter().any(|card| card.names().any(|shown| shown == name));
        for card in gather(&[place], entries)? {
            let name = card
                .name_in(lang)
                .filter(|name| !is_shown(name) && !others.contains(*name));
            others.extend(name.cloned());
        }
    }
    Ok(Some(Cards { fit, cards, others }))
}

/// What the key of every card's name starts with.
const CARD: &str = "card:";

impl Card {
    /// Its names, English first.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.en.iter().chain(&self.zh)
    }

    /// Its first name in that language, or in the other where it has none.
    fn name_in(&self, lang: Lang) -> Option<&String> {
        let (own, other) = match lang {
            Lang::En => (&self.en, &self.zh),
            Lang::Zh => (&self.zh, &self.en),
        };
        own.first().or(other.first())
    }

    /// True when this is one of the card's names as an entry holds them.
    pub fn is(&self, card: &CardRef) -> bool {
        let has = |names: &[String], name: &Option<String>| {
            name.as_ref()
                .is_some_and(|name| names.iter().any(|own| own == name))
        };
        has(&self.en, &card.en) || card.en.is_none() && has(&self.zh, &card.zh)
    }
}

/// What was typed, in the forms in which names are compared with it.
struct Wanted {
    folded: String,
    /// Letters and digits alone.
    bare: String,
    words: Vec<String>,
}

/// The letters and digits of a folded name.
fn bare(folded: &str) -> String {
    folded.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The words of a folded name; what an apostrophe parts is one word.
fn words(folded: &str) -> Vec<String> {
    let parts = folded.split(|c: char| c.is_whitespace() || matches!(c, '/' | '-' | ',' | '·'));
    parts.map(bare).filter(|word| !word.is_empty()).collect()
}

impl Wanted {
    fn new(text: &str) -> Wanted {
        let folded = fold_key(text);
        Wanted {
            bare: bare(&folded),
            words: words(&folded),
            folded,
        }
    }

    /// The names under the keys that start so, each with its game, by how they fit; of those that are spelt nearly so
    /// the nearest.
    fn among(
        &self,
        prefix: &str,
        entries: &dyn Entries,
        is_asked: &dyn Fn(&str) -> bool,
    ) -> Result<BTreeMap<Fit, Vec<(String, String)>>, Damaged> {
        let mut fitting: BTreeMap<Fit, Vec<(String, String)>> = BTreeMap::new();
        let mut nearest = usize::MAX;
        for (key, _) in entries.with_prefix(prefix, usize::MAX)? {
            let place = key.strip_prefix(CARD).and_then(|rest| rest.split_once('\u{1f}'));
            let Some((name, game)) = place.filter(|(_, game)| is_asked(game)) else {
                continue;
            };
            let place = (name.to_owned(), game.to_owned());
            if let Some(fit) = self.fit(name) {
                fitting.entry(fit).or_default().push(place);
            } else if let Some(slips) = self.slips(name).filter(|slips| *slips <= nearest) {
                let near = fitting.entry(Fit::Near).or_default();
                if slips < nearest {
                    near.clear();
                }
                nearest = slips;
                near.push(place);
            }
        }
        Ok(fitting)
    }

    /// How a folded name fits.
    fn fit(&self, name: &str) -> Option<Fit> {
        let whole = bare(name);
        let mut faces = name.split(BETWEEN_FACES);
        if whole == self.bare || faces.any(|face| bare(face) == self.bare) {
            return Some(Fit::Name);
        }
        if !whole.contains(&self.bare) {
            let of_name = words(name);
            let begins = |word: &String| of_name.iter().any(|own| own.starts_with(word.as_str()));
            let scattered = self.words.len() > 1 && self.words.iter().all(begins);
            return scattered.then_some(Fit::Scattered);
        }
        let n_chars = self.bare.chars().count();
        let is_chinese = self.bare.chars().any(is_han);
        for face in name.split(BETWEEN_FACES) {
            let short = face.split_once(',').map(|(short, _)| bare(short));
            if short.as_ref() == Some(&self.bare)
                || is_chinese && n_chars > 1 && bare(face).ends_with(&self.bare)
            {
                return Some(Fit::Short);
            }
        }
        let mut faces = name.split(BETWEEN_FACES).map(bare);
        if faces.any(|face| face.starts_with(&self.bare)) {
            return Some(Fit::Start);
        }
        let of_name = words(name);
        let together = of_name
            .windows(self.words.len().max(1))
            .any(|own| own == self.words);
        Some(if together { Fit::Words } else { Fit::Part })
    }

    /// How many slips of the fingers away from a name it is, or from a face's name, what stands before its comma or how
    /// it begins; none when that is too many to mean it.
    fn slips(&self, name: &str) -> Option<usize> {
        let length = self.bare.chars().count();
        let most: usize = match (self.bare.chars().any(is_han), length) {
            (true, ..3) | (false, ..4) => return None,
            (true, ..6) | (false, ..7) => 1,
            (true, _) | (false, ..14) => 2,
            (false, _) => 3,
        };
        let is_chinese = self.bare.chars().any(is_han);
        let faces = name.split(BETWEEN_FACES);
        let slips = faces.flat_map(|face| {
            let whole = bare(face);
            // Half a name is typed with slips, too, but many names begin nearly so: of few Han characters, too many.
            let begin: String = whole.chars().take(length).collect();
            let begin = (!is_chinese).then(|| (begin, most.saturating_sub(1).max(1)));
            let short = face.split_once(',').map(|(short, _)| (bare(short), most));
            [Some((whole, most)), short, begin]
        });
        let slips = slips.flatten().filter_map(|(form, most)| {
            if form.chars().count().abs_diff(length) > most {
                return None;
            }
            Some(strsim::osa_distance(&form, &self.bare)).filter(|slips| *slips <= most)
        });
        slips.min()
    }
}

/// The cards of these names, each with all its names and entries.
fn gather(places: &[(String, String)], entries: &dyn Entries) -> Result<Vec<Card>, Damaged> {
    let mut found: BTreeMap<(String, String), Gathered> = BTreeMap::new();
    let mut read: BTreeSet<(String, String)> = BTreeSet::new();
    for (name, game) in places {
        let first = read_name(name, game, entries, &mut read)?;
        // Where the Chinese name alone is given, it is the card of the one English name that has it.
        let english: BTreeSet<String> = first
            .iter()
            .filter_map(|(_, card)| card.en.as_deref().map(fold_key))
            .collect();
        // Other texts may know it by the name in the other language alone.
        let names = first.iter().flat_map(|(_, card)| card.en.iter().chain(&card.zh));
        let names: BTreeSet<String> = names.map(|name| fold_key(name)).collect();
        for (idx, card) in first {
            add(&mut found, game, &english, idx, card);
        }
        for other in names {
            for (idx, card) in read_name(&other, game, entries, &mut read)? {
                let own = card.en.as_deref().map(fold_key);
                if own.is_none_or(|own| found.contains_key(&(own, game.clone()))) {
                    add(&mut found, game, &english, idx, card);
                }
            }
        }
    }
    let cards = found.into_iter().map(|((_, game), gathered)| {
        let name = gathered
            .en
            .first()
            .or(gathered.zh.first())
            .map_or("", String::as_str);
        let mut of_card: Vec<(usize, u32)> = gathered.entries.into_iter().map(|(idx, n)| (n, idx)).collect();
        of_card.sort_unstable_by_key(|(n, idx)| (*n > 1, *idx));
        Card {
            id: card_id(&game, name),
            game,
            en: gathered.en,
            zh: gathered.zh,
            entries: of_card.into_iter().map(|(_, idx)| idx).collect(),
        }
    });
    Ok(cards.collect())
}

/// What is known of a card so far: its names, and its entries with how many cards each is about.
#[derive(Default)]
struct Gathered {
    en: Vec<String>,
    zh: Vec<String>,
    entries: BTreeMap<u32, usize>,
}

/// An entry under a name, with how many cards it is about, and the card of that name as the entry has it.
type Named = ((u32, usize), CardRef);

fn read_name(
    name: &str,
    game: &str,
    entries: &dyn Entries,
    read: &mut BTreeSet<(String, String)>,
) -> Result<Vec<Named>, Damaged> {
    let mut named = Vec::new();
    if !read.insert((name.to_owned(), game.to_owned())) {
        return Ok(named);
    }
    for idx in entries.find(&Key::Card(name, game).encode())? {
        let entry: Entry = entries.entry(idx)?;
        let n_cards = entry.cards.len();
        let has_name = |card: &CardRef| card.en.iter().chain(&card.zh).any(|own| fold_key(own) == name);
        let cards = entry.cards.into_iter().filter(has_name);
        named.extend(cards.map(|card| ((idx, n_cards), card)));
    }
    Ok(named)
}

/// Adds what an entry says of a card to the card of its English name; where it has none, to that of the one English
/// name that others give.
fn add(
    found: &mut BTreeMap<(String, String), Gathered>,
    game: &str,
    english: &BTreeSet<String>,
    (idx, n_cards): (u32, usize),
    card: CardRef,
) {
    let own = card.en.as_deref().map(fold_key);
    let only = english.first().filter(|_| english.len() == 1).cloned();
    let name = own.or(only).or_else(|| card.zh.as_deref().map(fold_key));
    let gathered = found
        .entry((name.unwrap_or_default(), game.to_owned()))
        .or_default();
    let lists = [(&mut gathered.en, card.en), (&mut gathered.zh, card.zh)];
    for (names, name) in lists {
        names.extend(
            name.filter(|name| !names.contains(name))
                .into_iter()
                .collect::<Vec<_>>(),
        );
    }
    gathered.entries.insert(idx, n_cards);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(typed: &str, name: &str) -> Option<Fit> {
        Wanted::new(typed).fit(&fold_key(name))
    }

    #[test]
    fn how_names_fit() {
        for (typed, name, expected) in [
            ("KEEPERS LANTERN", "Keeper’s Lantern", Some(Fit::Name)),
            ("keeper's-lantern", "Keeper’s Lantern", Some(Fit::Name)),
            ("ebb", "Ebb // Flow", Some(Fit::Name)),
            ("ebb/flow", "Ebb // Flow", Some(Fit::Name)),
            ("落潮", "涨潮 // 落潮", Some(Fit::Name)),
            ("oru", "Oru, the Tide", Some(Fit::Short)),
            ("歐魯", "潮汐欧鲁", Some(Fit::Short)),
            ("潮汐", "潮汐欧鲁", Some(Fit::Start)),
            ("keeper", "Keeper’s Lantern", Some(Fit::Start)),
            ("lantern", "Keeper’s Lantern", Some(Fit::Words)),
            ("ante", "Keeper’s Lantern", Some(Fit::Part)),
            ("tide oru", "Oru, the Tide", Some(Fit::Scattered)),
            ("reef", "Keeper’s Lantern", None),
        ] {
            assert_eq!(fit(typed, name), expected, "{typed} {name}");
        }
    }

    #[test]
    fn slips_of_the_fingers() {
        let slips = |typed: &str, name: &str| Wanted::new(typed).slips(&fold_key(name));
        assert_eq!(slips("kepers lantern", "Keeper’s Lantern"), Some(1));
        assert_eq!(slips("lantren", "Lantern // Dusk"), Some(1));
        assert_eq!(slips("lantren", "Lantern, the Old"), Some(1));
        assert_eq!(slips("守燈者", "守灯人"), Some(1));
        assert_eq!(slips("灯", "人"), None);
        assert_eq!(slips("tide", "Reef"), None);
    }
}
