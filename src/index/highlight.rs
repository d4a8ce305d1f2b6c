//! Where the words of a plan stand in the texts of an entry: matched again, folded, and mapped back.

use crate::entry::{Entry, Field, Lang};
use crate::fold::{Folded, char_offset, has_any, is_han, is_unified_han};
use crate::index::plan::{Alternative, Plan};
use crate::index::search::Highlight;
use crate::index::tokens::{Column, LatinWords, Stems};
use std::ops::Range;
use unicode_segmentation::GraphemeCursor;

/// The texts of an entry with the number of each among those of its field.
fn numbered(entry: &Entry) -> Vec<(Field, Lang, usize, &str)> {
    let mut texts = Vec::new();
    let both = |text: &crate::entry::Bilingual<String>, lang| text.get(lang).is_some();
    let mut examples = entry
        .examples
        .iter()
        .enumerate()
        .flat_map(|(i, one)| Lang::ALL.map(|lang| (i, both(one, lang))));
    let mut items = entry
        .items
        .iter()
        .enumerate()
        .flat_map(|(i, one)| Lang::ALL.map(|lang| (i, both(one, lang))));
    let mut cards = entry
        .cards
        .iter()
        .enumerate()
        .flat_map(|(i, card)| [(i, card.en.is_some()), (i, card.zh.is_some())]);
    let mut tags = entry
        .notes
        .iter()
        .enumerate()
        .map(|(i, note)| (i, note.tag.is_some()));
    let (mut alias, mut note) = (0.., 0..);
    for (field, lang, text) in entry.texts() {
        let item = match field {
            Field::Title | Field::Text => 0,
            Field::Alias => alias.next().unwrap_or_default(),
            Field::Note => note.next().unwrap_or_default(),
            Field::Tag => next(&mut tags),
            Field::Example => next(&mut examples),
            Field::Item => next(&mut items),
            Field::Card => next(&mut cards),
        };
        texts.push((field, lang, item, text));
    }
    texts
}

/// The number of the next value that is there.
fn next(mut places: impl Iterator<Item = (usize, bool)>) -> usize {
    places.find(|(_, there)| *there).map_or(0, |(i, _)| i)
}

/// What is looked for in the texts of hits, made ready once for all of them.
#[derive(Debug)]
pub struct Highlighter<'p> {
    plan: &'p Plan,
    /// What words and alternatives are, each once.
    needles: Vec<Needle>,
    /// The Latin words among them.
    latin: LatinWords<'p>,
    /// What any of it begins with.
    firsts: Vec<char>,
}

/// Something to be found in a folded text.
#[derive(Debug, PartialEq)]
enum Needle {
    /// A Latin word, by its number.
    Word(usize),
    /// Characters that stand together.
    Run(Vec<char>),
    /// Latin words by number, each with its distance from the start: they may be inflected.
    Phrase(Vec<(usize, usize)>),
}

impl<'p> Highlighter<'p> {
    /// Looks for what matches a plan.
    pub fn new(plan: &'p Plan) -> Self {
        let mut latin = LatinWords::default();
        let mut needles = Vec::new();
        let mut add = |needle| {
            if !needles.contains(&needle) {
                needles.push(needle);
            }
        };
        for group in &plan.groups {
            for unit in group.units.iter().filter(|_| !group.quoted) {
                add(match unit.column {
                    Column::En => Needle::Word(latin.add(&unit.term)),
                    Column::Zh | Column::Han => Needle::Run(unit.term.chars().collect()),
                });
            }
            for Alternative { phrase, .. } in &group.alternatives {
                if phrase.chars.iter().copied().any(is_han) {
                    add(Needle::Run(phrase.chars.clone()));
                    continue;
                }
                let words = phrase.words.iter();
                let placed = words.filter_map(|(_, term, at)| Some((latin.add(term), (*at)? as usize)));
                add(Needle::Phrase(placed.collect()));
            }
        }
        Self {
            plan,
            needles,
            latin,
            firsts: first_characters(plan),
        }
    }

    /// What of an entry matches.
    pub fn highlights(&self, entry: &Entry, stems: &mut Stems) -> Vec<Highlight> {
        let mut highlights = Vec::new();
        for (field, lang, item, text) in numbered(entry) {
            // A Chinese text holds nothing of most English questions, and needs no folding to say so.
            if !has_any(text, &self.firsts) {
                continue;
            }
            let folded = Folded::new(text);
            let places = self.places(folded.chars(), stems);
            if places.is_empty() {
                continue;
            }
            let places = hyphenated(folded.chars(), places);
            let places = places.into_iter().map(|place| folded.bytes(place)).collect();
            highlights.extend(located(field, lang, item, text, joined(text, places)));
        }
        highlights
    }

    /// Where what matches stands in a folded text, in any order.
    fn places(&self, chars: &[char], stems: &mut Stems) -> Vec<Range<usize>> {
        let words = self.latin.find(chars, stems);
        let mut places = Vec::new();
        for needle in &self.needles {
            match needle {
                Needle::Word(wanted) => {
                    let found = words.iter().filter(|(word, _)| word == wanted);
                    places.extend(found.map(|(_, place)| place.clone()));
                }
                Needle::Run(run) => {
                    let mut from = 0;
                    while let Some(place) = phrase_at(chars, run, from) {
                        from = place.start + 1;
                        places.push(place);
                    }
                }
                Needle::Phrase(phrase) => places.extend(phrase_places(&words, phrase)),
            }
        }
        for phrase in &self.plan.quoted {
            let mut from = 0;
            while let Some(place) = phrase_at(chars, phrase, from) {
                from = place.end;
                places.push(place);
            }
        }
        places
    }
}

/// What the words and phrases of a plan begin with.
fn first_characters(plan: &Plan) -> Vec<char> {
    let groups = || plan.groups.iter();
    let units = groups()
        .flat_map(|group| &group.units)
        .map(|unit| unit.term.as_str());
    let phrases = groups()
        .flat_map(|group| &group.alternatives)
        .map(|other| &other.phrase);
    let words = phrases
        .clone()
        .flat_map(|phrase| &phrase.words)
        .map(|(_, term, _)| term.as_str());
    let runs = phrases.map(|phrase| &phrase.chars).chain(&plan.quoted);
    let firsts = units.chain(words).filter_map(|term| term.chars().next());
    firsts
        .chain(runs.filter_map(|run| run.first().copied()))
        .collect()
}

/// Where exactly these characters stand.
pub fn of_characters(entry: &Entry, wanted: &str) -> Vec<Highlight> {
    let mut highlights = Vec::new();
    for (field, lang, item, text) in numbered(entry) {
        let places = text
            .match_indices(wanted)
            .map(|(at, found)| at..at + found.len())
            .collect();
        highlights.extend(located(field, lang, item, text, joined(text, places)));
    }
    highlights
}

/// Highlights at places of a text, which are in order.
fn located<'t>(
    field: Field,
    lang: Lang,
    item: usize,
    text: &'t str,
    places: Vec<Range<usize>>,
) -> impl Iterator<Item = Highlight> + 't {
    let (mut byte_at, mut char_at) = (0, 0);
    let mut char_of = move |byte: usize| {
        char_at += char_offset(&text[byte_at..], byte - byte_at);
        byte_at = byte;
        char_at
    };
    places.into_iter().map(move |byte| Highlight {
        field,
        lang,
        item,
        char: char_of(byte.start)..char_of(byte.end),
        byte,
    })
}

/// The places of a phrase of Latin words, among those that were found.
fn phrase_places(words: &[(usize, Range<usize>)], phrase: &[(usize, usize)]) -> Vec<Range<usize>> {
    let Some(((first, offset), others)) = phrase.split_first() else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for (_, place) in words.iter().filter(|(word, _)| word == first) {
        let Some(start) = place.start.checked_sub(*offset) else {
            continue;
        };
        let mut end = place.end;
        let whole = others.iter().all(|(other, distance)| {
            let next = words
                .iter()
                .find(|(word, place)| word == other && place.start == start + distance);
            end = next.map_or(end, |(_, next)| next.end);
            next.is_some()
        });
        if whole {
            places.push(place.start..end);
        }
    }
    places
}

/// The first place of a folded phrase from some character on. Where it begins or ends with a letter or digit of
/// another script than Han, so must a word.
pub fn phrase_at(chars: &[char], phrase: &[char], from: usize) -> Option<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() && !is_han(c);
    let (first, last) = (*phrase.first()?, *phrase.last()?);
    let mut from = from;
    while let Some(next) = chars.get(from..)?.iter().position(|c| *c == first) {
        let start = from + next;
        from = start + 1;
        if !chars[start..].starts_with(phrase) {
            continue;
        }
        let end = start + phrase.len();
        let cuts_before = is_word(first) && start > 0 && is_word(chars[start - 1]);
        let cuts_after = is_word(last) && chars.get(end).copied().is_some_and(is_word);
        if !cuts_before && !cuts_after {
            return Some(start..end);
        }
    }
    None
}

/// Joins the places of two words of a compound, which only a hyphen parts.
fn hyphenated(chars: &[char], mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if last.end + 1 == place.start && chars.get(last.end) == Some(&'-') => {
                last.end = place.end
            }
            _ => joined.push(place),
        }
    }
    joined
}

/// True where two characters meet, at the start or at the end, that every grapheme ends before and after: told
/// without the tables that know all others.
fn parts_graphemes(text: &str, at: usize) -> bool {
    let stands_alone = |c: char| matches!(c, ' '..='~') || is_unified_han(c);
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    before.chars().next_back().is_none_or(stands_alone) && after.chars().next().is_none_or(stands_alone)
}

/// Places widened to whole graphemes, in order, touching ones joined.
fn joined(text: &str, mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.retain(|place| !place.is_empty());
    places
        .iter_mut()
        .for_each(|place| *place = on_graphemes(text, place.clone()));
    places.sort_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
            _ => joined.push(place),
        }
    }
    joined
}

fn on_graphemes(text: &str, place: Range<usize>) -> Range<usize> {
    let is_boundary = |at| {
        parts_graphemes(text, at)
            || GraphemeCursor::new(at, text.len(), true)
                .is_boundary(text, 0)
                .unwrap_or(true)
    };
    let start = match is_boundary(place.start) {
        true => place.start,
        false => GraphemeCursor::new(place.start, text.len(), true)
            .prev_boundary(text, 0)
            .ok()
            .flatten()
            .unwrap_or(0),
    };
    let end = match is_boundary(place.end) {
        true => place.end,
        false => {
            let next = GraphemeCursor::new(place.end, text.len(), true).next_boundary(text, 0);
            next.ok().flatten().unwrap_or(text.len())
        }
    };
    start..end
}
