//! Glossary terms meet by their place.
//!
//! A translated glossary keeps the order of the original, so the terms of two glossaries of one edition meet
//! by position. Translators and editors swap neighbours, though; what the definitions cite shows it. Where
//! the rules that two terms in the same place cite differ, they are matched to neighbours that cite the same.
//! Glossaries of unequal length are aligned first, by what their definitions cite and by length.

use super::edition;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Entry, Kind, Lang, PairedBy, Pairing};
use crate::name::Name;
use crate::parse;
use std::collections::{HashMap, HashSet};

/// Where a glossary is: the source, and the places of its terms among the source's entries.
struct Glossary {
    source: usize,
    terms: Vec<usize>,
}

/// Two terms that translate each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Match {
    en: usize,
    zh: usize,
    how: PairedBy,
    certain: bool,
}

/// Gives each Chinese term the id of the English term it translates, and says how they met.
pub(super) fn pair(sources: &mut [Vec<Entry>], diagnostics: &mut Vec<Diagnostic>) {
    for (key, glossaries) in glossaries(sources, Lang::Zh) {
        let english = glossaries_of(sources, Lang::En, &key);
        for chinese in glossaries {
            // The one with as many terms, else the first.
            let same = english
                .iter()
                .find(|english| english.terms.len() == chinese.terms.len());
            let Some(english) = same.or(english.first()) else {
                continue;
            };
            let of = |glossary: &Glossary| -> Vec<&Entry> {
                glossary
                    .terms
                    .iter()
                    .map(|&idx| &sources[glossary.source][idx])
                    .collect()
            };
            let (en, zh) = (of(english), of(&chinese));
            let matches = match_terms(&en, &zh);
            let ids: Vec<Name> = matches.iter().map(|m| en[m.en].id.clone()).collect();
            let alone = zh.len() - matches.len();
            let first = zh.first().map(|term| (*term).clone());
            for (found, id) in matches.iter().zip(ids) {
                let term = &mut sources[chinese.source][chinese.terms[found.zh]];
                term.id = id;
                term.pairing = Some(Pairing {
                    how: found.how,
                    certain: found.certain,
                    partial: false,
                });
            }
            if let Some(term) = first.filter(|_| alone > 0) {
                let message = format!(
                    "{alone} of {} terms have no English term beside them",
                    chinese.terms.len()
                );
                diagnostics.push(
                    super::about(&term, Code::Unpaired, message)
                        .hint("compare the glossary with the English one of the same edition"),
                );
            }
        }
    }
}

/// Game, document and edition.
type Key = (Name, Name, Option<Name>);

fn key(entry: &Entry) -> Key {
    let edition = edition(entry).cloned();
    (entry.game.clone(), entry.document.clone(), edition)
}

/// The glossaries that are in that language alone, by game, document and edition, in the order of the sources.
fn glossaries(sources: &[Vec<Entry>], lang: Lang) -> Vec<(Key, Vec<Glossary>)> {
    let mut found: Vec<(Key, Vec<Glossary>)> = Vec::new();
    for (source, entries) in sources.iter().enumerate() {
        let mut terms: HashMap<Key, Vec<usize>> = HashMap::new();
        for (idx, entry) in entries.iter().enumerate() {
            let alone = entry.title.get(lang).is_some() && entry.title.get(lang.other()).is_none();
            if entry.kind == Kind::Term && alone && entry.label.is_none() {
                terms.entry(key(entry)).or_default().push(idx);
            }
        }
        let mut terms: Vec<_> = terms.into_iter().collect();
        terms.sort();
        for (key, terms) in terms {
            let glossary = Glossary { source, terms };
            match found.iter_mut().find(|(known, _)| *known == key) {
                Some((_, glossaries)) => glossaries.push(glossary),
                None => found.push((key, vec![glossary])),
            }
        }
    }
    found
}

fn glossaries_of(sources: &[Vec<Entry>], lang: Lang, wanted: &Key) -> Vec<Glossary> {
    glossaries(sources, lang)
        .into_iter()
        .find(|(key, _)| key == wanted)
        .map_or_else(Vec::new, |(_, glossaries)| glossaries)
}

/// Matches the terms of two glossaries, in the order of the English one.
fn match_terms(en: &[&Entry], zh: &[&Entry]) -> Vec<Match> {
    let parallel = en.len() == zh.len();
    let places: Vec<(usize, usize)> = if parallel {
        (0..en.len()).map(|idx| (idx, idx)).collect()
    } else {
        align(en, zh)
    };
    let agrees = |&(e, z): &(usize, usize)| same_references(en[e], zh[z]);
    let mut matches: Vec<Match> = places
        .iter()
        .filter(|pair| agrees(pair))
        .map(|&(en, zh)| Match {
            en,
            zh,
            how: if parallel {
                PairedBy::Position
            } else {
                PairedBy::Content
            },
            certain: parallel,
        })
        .collect();
    let disagreeing: Vec<(usize, usize)> = places.iter().copied().filter(|pair| !agrees(pair)).collect();
    let (taken_en, taken_zh): (HashSet<usize>, HashSet<usize>) = matches.iter().map(|m| (m.en, m.zh)).unzip();
    let mut left_en: Vec<usize> = (0..en.len()).filter(|idx| !taken_en.contains(idx)).collect();
    let mut left_zh: Vec<usize> = (0..zh.len()).filter(|idx| !taken_zh.contains(idx)).collect();
    matches.extend(swapped(en, zh, &mut left_en, &mut left_zh));
    // What is still left keeps its place: the texts differ in what they cite, or cite nothing.
    for (e, z) in disagreeing {
        if left_en.contains(&e) && left_zh.contains(&z) {
            left_en.retain(|&idx| idx != e);
            left_zh.retain(|&idx| idx != z);
            matches.push(Match {
                en: e,
                zh: z,
                how: if parallel {
                    PairedBy::Position
                } else {
                    PairedBy::Content
                },
                certain: false,
            });
        }
    }
    // Of a group of swapped terms those that nothing tells apart are left, equally many on each side.
    if parallel {
        let left = left_en
            .into_iter()
            .zip(left_zh)
            .filter(|(e, z)| e.abs_diff(*z) <= WINDOW);
        matches.extend(left.map(|(en, zh)| Match {
            en,
            zh,
            how: PairedBy::Content,
            certain: false,
        }));
    }
    matches.sort_by_key(|m| m.en);
    matches
}

/// How far apart two terms may stand that an editor swapped.
const WINDOW: usize = 8;

/// Matches terms that stand near each other and cite the same rules, where no other near one does.
fn swapped(en: &[&Entry], zh: &[&Entry], left_en: &mut Vec<usize>, left_zh: &mut Vec<usize>) -> Vec<Match> {
    let mut found = Vec::new();
    // Places shift where one glossary has terms that the other lacks.
    let window = WINDOW + en.len().abs_diff(zh.len());
    for &e in &left_en.clone() {
        if en[e].references.is_empty() {
            continue;
        }
        let alike = |candidates: &[usize], term: &Entry, other: &[&Entry], at: usize| -> Vec<usize> {
            candidates
                .iter()
                .copied()
                .filter(|&idx| idx.abs_diff(at) <= window && same_references(term, other[idx]))
                .collect()
        };
        let there = alike(left_zh, en[e], zh, e);
        if let [z] = there.as_slice()
            && alike(left_en, zh[*z], en, *z) == [e]
        {
            found.push(Match {
                en: e,
                zh: *z,
                how: PairedBy::Content,
                // Each is the only one near the other that cites the same rules.
                certain: true,
            });
        }
    }
    for m in &found {
        left_en.retain(|&idx| idx != m.en);
        left_zh.retain(|&idx| idx != m.zh);
    }
    found
}

/// True when two definitions cite the same rules, in whatever order.
fn same_references(a: &Entry, b: &Entry) -> bool {
    a.references.len() == b.references.len() && a.references.iter().all(|id| b.references.contains(id))
}

/// Aligns two glossaries of unequal length, keeping order: pairs of places, the likeliest overall.
fn align(en: &[&Entry], zh: &[&Entry]) -> Vec<(usize, usize)> {
    /// Past this many comparisons a library would wait for seconds.
    const MOST: usize = 8_000_000;
    const ALONE: f64 = 0.9;
    let (n, m) = (en.len(), zh.len());
    if n == 0 || m == 0 || n.saturating_mul(m) > MOST {
        return Vec::new();
    }
    let unlike = |e: usize, z: usize| -> f64 {
        let (a, b) = (&en[e].references, &zh[z].references);
        let shared = a.iter().filter(|id| b.contains(id)).count();
        let all = a.len() + b.len() - shared;
        let cited = if all == 0 {
            0.4
        } else {
            1.5 * (1.0 - shared as f64 / all as f64)
        };
        let text = |entry: &Entry, lang| entry.text.get(lang).cloned().unwrap_or_default();
        // Only what may match is worth a closer look.
        if cited > ALONE {
            cited
        } else {
            cited + 0.3 * parse::unlikeness(&text(en[e], Lang::En), &text(zh[z], Lang::Zh)).min(2.0)
        }
    };
    let mut cost = vec![0.0f64; (n + 1) * (m + 1)];
    let at = |i: usize, j: usize| i * (m + 1) + j;
    for i in 0..=n {
        for j in 0..=m {
            cost[at(i, j)] = match (i, j) {
                (0, 0) => 0.0,
                (i, 0) => i as f64 * ALONE,
                (0, j) => j as f64 * ALONE,
                (i, j) => (cost[at(i - 1, j - 1)] + unlike(i - 1, j - 1))
                    .min(cost[at(i - 1, j)] + ALONE)
                    .min(cost[at(i, j - 1)] + ALONE),
            };
        }
    }
    let (mut i, mut j) = (n, m);
    let mut pairs = Vec::new();
    while i > 0 && j > 0 {
        let here = cost[at(i, j)];
        if here >= cost[at(i - 1, j)] + ALONE {
            i -= 1;
        } else if here >= cost[at(i, j - 1)] + ALONE {
            j -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            pairs.push((i, j));
        }
    }
    pairs.reverse();
    pairs
}
