//! "This is a card's name, or what I remember of it: which card is it?"
//!
//! Names are compared as readers compare them: without case, width, accents, apostrophes and whatever else stands between
//! letters; Chinese in either script.

use crate::card::Card;
use crate::corpus::{Damaged, Entries, cards::key};
use crate::entry::{CardRef, Lang};
use crate::fold::{fold_key, is_han};
use std::collections::{BTreeMap, BTreeSet};

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

/// The fewest letters that tell of a name though they stand inside a word of it.
const FEWEST_LETTERS: usize = 4;

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
    if wanted.folded.is_empty() {
        return Ok(None);
    }
    let is_asked = |game: &str| is_asked(game) && of_game.is_none_or(|of_game| of_game == game);
    // The name as it stands costs one step; anything else is compared with every name.
    let mut fitting = wanted.among(&key(&wanted.folded, ""), entries, &is_asked)?;
    if fitting.is_empty() && !wanted.bare.is_empty() {
        fitting = wanted.among("", entries, &is_asked)?;
    }
    let Some((fit, best)) = fitting.pop_first() else {
        return Ok(None);
    };
    // A few letters inside a word are no more than an accident; Chinese writes no words.
    fitting.retain(|fit, _| match fit {
        Fit::Name | Fit::Short | Fit::Start | Fit::Words => true,
        Fit::Part => wanted.bare.len() >= FEWEST_LETTERS || text.chars().any(is_han),
        Fit::Scattered | Fit::Near => false,
    });
    let cards: Vec<Card> = best
        .iter()
        .map(|number| entries.card(*number))
        .collect::<Result<_, Damaged>>()?;
    let lang = Lang::of(text);
    let mut others: Vec<String> = Vec::new();
    let is_shown = |name: &String| cards.iter().any(|card| card.names().any(|shown| shown == name));
    for number in fitting.into_values().flatten() {
        if others.len() == MAX_OTHERS {
            break;
        }
        if best.contains(&number) {
            continue;
        }
        let card = entries.card(number)?;
        let name = card
            .name_in(lang)
            .filter(|name| !is_shown(name) && !others.contains(*name));
        others.extend(name.cloned());
    }
    Ok(Some(Cards { fit, cards, others }))
}

/// True when this is one of the card's names as an entry holds them.
pub fn is_called(card: &Card, named: &CardRef) -> bool {
    let has = |names: &[String], name: &Option<String>| {
        name.as_ref().is_some_and(|name| {
            let folded = fold_key(name);
            names
                .iter()
                .flat_map(|own| own.split(BETWEEN_FACES).chain([own.as_str()]))
                .any(|own| fold_key(own) == folded)
        })
    };
    has(&card.en, &named.en) || named.en.is_none() && has(&card.zh, &named.zh)
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

    /// The cards that have names which start so, by how they fit; where none does, those that are spelt nearly so, the
    /// nearest.
    fn among(
        &self,
        prefix: &str,
        entries: &dyn Entries,
        is_asked: &dyn Fn(&str) -> bool,
    ) -> Result<BTreeMap<Fit, BTreeSet<u32>>, Damaged> {
        let mut fitting: BTreeMap<Fit, BTreeSet<u32>> = BTreeMap::new();
        // A name of the games that are asked.
        let asked = |key: &str| {
            let (name, game) = key.rsplit_once('\u{1f}')?;
            is_asked(game).then_some(name.len())
        };
        let mut letters = String::new();
        entries.cards_called(prefix, &mut |key, cards| {
            if let Some(length) = asked(key)
                && let Some(fit) = self.fit(&key[..length], &mut letters)
            {
                fitting.entry(fit).or_default().extend(cards()?);
            }
            Ok(())
        })?;
        if fitting.is_empty() {
            let (mut nearest, mut near) = (usize::MAX, BTreeSet::new());
            entries.cards_called(prefix, &mut |key, cards| {
                let slips = asked(key).and_then(|length| self.distance(&key[..length]));
                if let Some(slips) = slips.filter(|slips| *slips <= nearest) {
                    if slips < nearest {
                        near.clear();
                    }
                    nearest = slips;
                    near.extend(cards()?);
                }
                Ok(())
            })?;
            if !near.is_empty() {
                fitting.insert(Fit::Near, near);
            }
        }
        // What fits in two ways does so in the better one.
        let mut known: BTreeSet<u32> = BTreeSet::new();
        for cards in fitting.values_mut() {
            cards.retain(|card| known.insert(*card));
        }
        Ok(fitting)
    }

    /// How a folded name fits.
    fn fit(&self, name: &str, letters: &mut String) -> Option<Fit> {
        // Nearly all names end here.
        letters.clear();
        letters.extend(name.chars().filter(|c| c.is_alphanumeric()));
        if !letters.contains(&self.bare) {
            let is_scattered = self.words.len() > 1 && {
                let of_name = words(name);
                let begins = |word: &String| of_name.iter().any(|own| own.starts_with(word.as_str()));
                self.words.iter().all(begins)
            };
            return is_scattered.then_some(Fit::Scattered);
        }
        let mut faces = name.split(BETWEEN_FACES);
        if *letters == self.bare || faces.any(|face| bare(face) == self.bare) {
            return Some(Fit::Name);
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

    /// How far from a name it is: of as many slips, the whole name is nearer than some of its words.
    fn distance(&self, name: &str) -> Option<usize> {
        let whole = self.slips(name).map(|slips| 2 * slips);
        whole.or_else(|| Some(2 * self.slips_in_words(name)? + 1))
    }

    /// How many slips away from words of a name its words are, or from how those begin; none where a word is like none,
    /// or in Chinese, which writes no words.
    fn slips_in_words(&self, name: &str) -> Option<usize> {
        const SHORTEST: usize = 4;
        if self.bare.len() <= SHORTEST || self.bare.chars().any(is_han) {
            return None;
        }
        let of_name = words(name);
        let mut all = 0;
        for word in &self.words {
            let length = word.chars().count();
            let most = if length < SHORTEST { 0 } else { 1 };
            let slips = of_name.iter().filter_map(|own| {
                if own.starts_with(word.as_str()) {
                    return Some(0);
                }
                let is_like = most > 0 && own.chars().count().abs_diff(length) <= most;
                is_like
                    .then(|| strsim::osa_distance(own, word))
                    .filter(|slips| *slips <= most)
            });
            all += slips.min()?;
        }
        (all <= 2).then_some(all)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(typed: &str, name: &str) -> Option<Fit> {
        Wanted::new(typed).fit(&fold_key(name), &mut String::new())
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
        let words = |typed: &str, name: &str| Wanted::new(typed).slips_in_words(&fold_key(name));
        assert_eq!(words("old lantren", "Lantern, the Old"), Some(1));
        assert_eq!(words("kepers lantren", "The Keeper’s Lantern"), Some(2));
        assert_eq!(words("lantrens", "Keeper’s Lantern"), None);
        assert_eq!(words("olt lantern", "Lantern, the Old"), None);
        let distance = |typed: &str, name: &str| Wanted::new(typed).distance(&fold_key(name));
        assert!(distance("lantren", "Lantern // Dusk") < distance("lantren", "Keeper’s Lantern"));
    }
}
