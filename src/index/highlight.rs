//! Where the words of a plan stand in the texts of an entry: matched again, folded, and mapped back.

use crate::entry::{Entry, Field, Lang};
use crate::fold::{Folded, char_offset, has_any, is_han, is_unified_han};
use crate::index::plan::{Phrase, Plan};
use crate::index::search::Highlight;
use crate::index::tokens::{Column, Opening, Stems, Token, latin_tokens, opening};
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

/// What of an entry matches a plan.
pub fn of_plan(entry: &Entry, plan: &Plan, stems: &mut Stems) -> Vec<Highlight> {
    let mut highlights = Vec::new();
    let words = plan
        .groups
        .iter()
        .flat_map(|group| &group.units)
        .map(|unit| (unit.column, &unit.term));
    let others = plan
        .groups
        .iter()
        .flat_map(|group| &group.alternatives)
        .flat_map(|other| &other.phrase.words);
    let latin = words
        .chain(others.map(|(column, term, _)| (*column, term)))
        .filter(|(column, _)| *column == Column::En);
    // Looking for a word among all others, how they open is enough to leave most of them unstemmed.
    let openings: Vec<Opening> = latin.map(|(_, term)| opening(term.chars())).collect();
    let firsts = first_characters(plan);
    for (field, lang, item, text) in numbered(entry) {
        // A Chinese text holds nothing of most English questions, and needs no folding to say so.
        if !has_any(text, &firsts) {
            continue;
        }
        let folded = Folded::new(text);
        let tokens = match openings.is_empty() {
            true => Vec::new(),
            false => latin_tokens(folded.chars(), stems, &openings),
        };
        let mut places = Vec::new();
        for group in &plan.groups {
            if !group.quoted {
                for unit in &group.units {
                    places.extend(word_places(folded.chars(), &tokens, unit.column, &unit.term));
                }
            }
            for alternative in &group.alternatives {
                places.extend(phrase_places(folded.chars(), &tokens, &alternative.phrase));
            }
        }
        for phrase in &plan.quoted {
            let mut from = 0;
            while let Some(place) = phrase_at(folded.chars(), phrase, from) {
                from = place.end;
                places.push(place);
            }
        }
        let places = hyphenated(folded.chars(), places);
        let places = places.into_iter().map(|place| folded.bytes(place)).collect();
        highlights.extend(located(field, lang, item, text, joined(text, places)));
    }
    highlights
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

fn word_places(chars: &[char], tokens: &[Token], column: Column, term: &str) -> Vec<Range<usize>> {
    match column {
        Column::En => {
            let found = tokens
                .iter()
                .filter(|token| token.column == column && token.term == term);
            found.map(|token| token.chars.clone()).collect()
        }
        Column::Zh | Column::Han => {
            let wanted: Vec<char> = term.chars().collect();
            let mut places = Vec::new();
            let mut from = 0;
            while let Some(place) = phrase_at(chars, &wanted, from) {
                from = place.start + 1;
                places.push(place);
            }
            places
        }
    }
}

/// The places of a phrase whose words may be inflected.
fn phrase_places(chars: &[char], tokens: &[Token], phrase: &Phrase) -> Vec<Range<usize>> {
    if phrase.chars.iter().copied().any(is_han) {
        let text: String = phrase.chars.iter().collect();
        return word_places(chars, tokens, Column::Zh, &text);
    }
    let placed: Vec<_> = phrase
        .words
        .iter()
        .filter_map(|(column, term, at)| Some((*column, term, (*at)? as usize)))
        .collect();
    let Some(((column, first, offset), others)) = placed.split_first() else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for token in tokens
        .iter()
        .filter(|token| token.column == *column && token.term == **first)
    {
        let Some(start) = token.chars.start.checked_sub(*offset) else {
            continue;
        };
        let mut end = token.chars.end;
        let whole = others.iter().all(|(column, term, distance)| {
            let next = tokens.iter().find(|token| {
                token.column == *column && token.term == **term && token.chars.start == start + distance
            });
            end = next.map_or(end, |next| next.chars.end);
            next.is_some()
        });
        if whole {
            places.push(token.chars.start..end);
        }
    }
    places
}

/// The first place of a folded phrase from some character on. Where it begins or ends with a letter or digit of
/// another script than Han, so must a word.
pub fn phrase_at(chars: &[char], phrase: &[char], from: usize) -> Option<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() && !is_han(c);
    let (first, last) = (*phrase.first()?, *phrase.last()?);
    let starts = from..(chars.len() + 1).saturating_sub(phrase.len()).max(from);
    for start in starts {
        if chars[start] != first || !chars[start..].starts_with(phrase) {
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
