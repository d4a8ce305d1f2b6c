//! Which cards are there, and which entries speak of each?
//!
//! A ruling names a card by an id, a name in one language, or both. It is the card that a table has under that id, else
//! the one that is called so; names that the ruling does not have are given to it, so that it is found by them. What no
//! table has is a card, too, by the name that rulings give it.

use super::Key;
use crate::card::{Card, faces};
use crate::entry::{CardRef, Entry};
use crate::fold::fold_key;
use crate::hash::FastMap;
use crate::name::Name;
use std::collections::{BTreeMap, BTreeSet};

/// Every card, and under which names each is found.
#[derive(Debug, Clone, Default)]
pub(super) struct Shelf {
    pub cards: Vec<Card>,
    /// By name, folded, and game (see [`key`]); those of faces among them.
    pub names: BTreeMap<String, Vec<u32>>,
}

/// The key of a card's name in a game.
pub fn key(folded: &str, game: &str) -> String {
    [folded, "\u{1f}", game].concat()
}

/// Finds the cards while the entries are gone through.
struct Finder {
    cards: Vec<Card>,
    by_id: FastMap<(Name, String), usize>,
    by_en: FastMap<String, Vec<usize>>,
    by_zh: FastMap<String, Vec<usize>>,
    by_face: FastMap<String, Vec<usize>>,
}

/// Brings together what tables and entries say of cards. The cards of an entry get the names that they lack.
pub(super) fn arrange(cards: Vec<Card>, entries: &mut [Entry]) -> Shelf {
    let mut finder = Finder {
        cards: Vec::new(),
        by_id: FastMap::default(),
        by_en: FastMap::default(),
        by_zh: FastMap::default(),
        by_face: FastMap::default(),
    };
    cards.into_iter().for_each(|card| finder.add(card));
    // Where the Chinese name alone is given, it is the card of the one English name that has it; so those with more
    // come first.
    let mut found: Vec<BTreeMap<u32, usize>> = Vec::new();
    for alone in [false, true] {
        for (idx, entry) in entries.iter_mut().enumerate() {
            if entry.cards.is_empty() {
                continue;
            }
            let n_cards = entry.cards.len();
            let game = entry.game.clone();
            for named in &mut entry.cards {
                if (named.en.is_none() && named.id.is_none()) != alone {
                    continue;
                }
                let Some(at) = finder.find_or_add(&game, named) else {
                    continue;
                };
                if found.len() <= at {
                    found.resize_with(at + 1, BTreeMap::new);
                }
                found[at].insert(idx as u32, n_cards);
            }
        }
    }
    let mut cards = finder.cards;
    for (card, of_card) in cards.iter_mut().zip(found) {
        let mut of_card: Vec<(u32, usize)> = of_card.into_iter().collect();
        of_card.sort_unstable_by_key(|(idx, n)| (*n > 1, *idx));
        card.entries = of_card.into_iter().map(|(idx, _)| idx).collect();
    }
    let mut order: Vec<usize> = (0..cards.len()).collect();
    order.sort_by_cached_key(|at| {
        let card = &cards[*at];
        let name = card.names().next().map(|name| fold_key(name));
        (card.game.clone(), name, card.database_id.clone(), *at)
    });
    let mut place = vec![0u32; cards.len()];
    for (to, at) in order.iter().enumerate() {
        place[*at] = to as u32;
    }
    let mut sorted: Vec<(u32, Card)> = place.into_iter().zip(cards).collect();
    sorted.sort_unstable_by_key(|(to, _)| *to);
    let cards: Vec<Card> = sorted.into_iter().map(|(_, card)| card).collect();
    Shelf {
        names: names(&cards),
        cards,
    }
}

impl Shelf {
    /// Adds the keys by which the entries of cards are found.
    pub fn add_keys(&self, keys: &mut BTreeMap<String, Vec<u32>>) {
        for (name, cards) in &self.names {
            let entries = cards.iter().flat_map(|card| &self.cards[*card as usize].entries);
            let entries: BTreeSet<u32> = entries.copied().collect();
            if let (Some((name, game)), false) = (name.rsplit_once('\u{1f}'), entries.is_empty()) {
                keys.insert(Key::Card(name, game).encode(), entries.into_iter().collect());
            }
        }
    }
}

/// Under which names cards are found.
fn names(cards: &[Card]) -> BTreeMap<String, Vec<u32>> {
    let mut names: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (at, card) in (0u32..).zip(cards) {
        let mut folded: BTreeSet<String> = BTreeSet::new();
        for name in card.names() {
            folded.insert(fold_key(name));
            if name.contains("//") {
                folded.extend(faces(name).map(fold_key));
            }
        }
        for name in folded.into_iter().filter(|name| !name.is_empty()) {
            names.entry(key(&name, &card.game)).or_default().push(at);
        }
    }
    names
}

impl Finder {
    fn add(&mut self, card: Card) {
        let at = self.cards.len();
        if let Some(id) = &card.database_id {
            self.by_id.entry((card.game.clone(), id.clone())).or_insert(at);
        }
        for name in &card.en {
            add_to(&mut self.by_en, key(&fold_key(name), &card.game), at);
        }
        for name in &card.zh {
            add_to(&mut self.by_zh, key(&fold_key(name), &card.game), at);
        }
        for name in card.en.iter().chain(&card.zh).filter(|name| name.contains("//")) {
            for face in faces(name) {
                add_to(&mut self.by_face, key(&fold_key(face), &card.game), at);
            }
        }
        self.cards.push(card);
    }

    /// The card that an entry names, which is given to the entry in full; none of what has no name at all.
    fn find_or_add(&mut self, game: &Name, named: &mut CardRef) -> Option<usize> {
        if let Some(at) = self.find(game, named) {
            let card = &mut self.cards[at];
            for (names, name) in [(&mut card.en, &named.en), (&mut card.zh, &named.zh)] {
                let Some(name) = name else { continue };
                let folded = fold_key(name);
                if !names
                    .iter()
                    .any(|own| fold_key(own) == folded || face_of(own, &folded).is_some())
                {
                    names.push(name.clone());
                }
            }
            let translated = |name: &Option<String>, of: &[String], into: &[String]| {
                // Of one face, that face's.
                let folded = name.as_deref().map(fold_key);
                let face = folded.and_then(|folded| of.iter().find_map(|whole| face_of(whole, &folded)));
                let whole = into.first()?;
                face.and_then(|face| faces(whole).nth(face).map(str::to_owned))
                    .or_else(|| Some(whole.clone()))
            };
            if named.en.is_none() {
                named.en = translated(&named.zh, &card.zh, &card.en);
            } else if named.zh.is_none() {
                named.zh = translated(&named.en, &card.en, &card.zh);
            }
            if named.zh.is_none() {
                named.zh = translated(&None, &[], &card.zh);
            }
            if named.id.is_none() {
                named.id.clone_from(&card.database_id);
            }
            // What a later one may name it by.
            let zh = named.zh.as_ref().map(|name| key(&fold_key(name), game));
            let en = named.en.as_ref().map(|name| key(&fold_key(name), game));
            zh.into_iter().for_each(|zh| add_to(&mut self.by_zh, zh, at));
            en.into_iter().for_each(|en| add_to(&mut self.by_en, en, at));
            return Some(at);
        }
        if named.en.is_none() && named.zh.is_none() {
            return None;
        }
        self.add(Card {
            game: game.clone(),
            database_id: named.id.clone(),
            en: named.en.iter().cloned().collect(),
            zh: named.zh.iter().cloned().collect(),
            ..Card::default()
        });
        Some(self.cards.len() - 1)
    }

    fn find(&self, game: &Name, named: &CardRef) -> Option<usize> {
        let by_id = named
            .id
            .as_ref()
            .and_then(|id| self.by_id.get(&(game.clone(), id.clone())).copied());
        // Ids of two kinds may look alike; then the names do not.
        if let Some(at) = by_id.filter(|at| self.may_be(*at, named)) {
            return Some(at);
        }
        let find = |map: &FastMap<String, Vec<usize>>, name: &Option<String>| {
            let name = name.as_ref()?;
            map.get(&key(&fold_key(name), game)).cloned()
        };
        if named.en.is_some() {
            let whole = find(&self.by_en, &named.en);
            return whole
                .or_else(|| find(&self.by_face, &named.en))
                .and_then(|cards| cards.first().copied());
        }
        let only = |cards: Option<Vec<usize>>| match cards?.as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        only(find(&self.by_zh, &named.zh)).or_else(|| only(find(&self.by_face, &named.zh)))
    }

    fn may_be(&self, at: usize, named: &CardRef) -> bool {
        let card = &self.cards[at];
        let fits = |names: &[String], name: &Option<String>| {
            name.as_ref().is_none_or(|name| {
                let folded = fold_key(name);
                names.is_empty()
                    || names
                        .iter()
                        .any(|own| fold_key(own) == folded || face_of(own, &folded).is_some())
                    || faces(name).any(|face| names.iter().any(|own| fold_key(own) == fold_key(face)))
            })
        };
        fits(&card.en, &named.en)
    }
}

/// Which face of a card that is called so has that name.
fn face_of(whole: &str, folded: &str) -> Option<usize> {
    let has_faces = whole.contains("//");
    has_faces
        .then(|| faces(whole).position(|face| fold_key(face) == folded))
        .flatten()
}

fn add_to(map: &mut FastMap<String, Vec<usize>>, key: String, at: usize) {
    let cards = map.entry(key).or_default();
    if !cards.contains(&at) {
        cards.push(at);
    }
}
