//! Which names mean the same: a term's headwords in both languages, its aliases, the two names of a card.
//!
//! A sorted map: the names, as [`name_key`] spells them; for each, the other names of what it names.

use crate::card::Card;
use crate::corpus::Damaged;
use crate::entry::{Entry, Kind, Lang};
use crate::fold::{Folded, is_han};
use crate::index::codec::{Reader, Writer};
use crate::index::pack::Packer;
use crate::index::sorted::{MapWriter, SortedMap};
use crate::index::tokens::{Stems, latin_words};
use crate::segment::{RunKind, runs};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, Write};

/// The longest name that a query is searched for, in words or Han characters.
pub const LONGEST: usize = 8;

/// A name as the table spells it: Han characters as they are, Latin words stemmed with one blank between; none
/// for a name that is too long or has figures or symbols in it.
pub fn name_key(folded: &[char], stems: &mut Stems) -> Option<String> {
    let runs: Vec<_> = runs(folded).filter(|run| run.kind != RunKind::Other).collect();
    match runs.as_slice() {
        [run] if run.kind == RunKind::Han && run.chars.len() <= LONGEST => {
            Some(folded[run.chars.clone()].iter().collect())
        }
        [_, ..] if runs.iter().all(|run| run.kind == RunKind::Latin) => {
            let words: Vec<String> = runs
                .iter()
                .flat_map(|run| latin_words(folded, &run.chars))
                .map(|word| stems.stem(&folded[word].iter().collect::<String>()))
                .collect();
            (words.len() <= LONGEST).then(|| words.join(" "))
        }
        _ => None,
    }
}

/// Writes the names, and what each stands beside.
///
/// # Errors
///
/// When writing fails.
pub fn write<F: Read + Write + Seek>(
    entries: &[Entry],
    cards: &[Card],
    stems: &mut Stems,
    packer: &mut Packer<F>,
) -> io::Result<()> {
    let mut others: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut relate = |names: &[&str], stems: &mut Stems| {
        let folded: Vec<(String, Option<String>)> = names
            .iter()
            .map(|name| {
                let folded = Folded::new(name);
                (folded.key(), name_key(folded.chars(), stems))
            })
            .collect();
        for (i, (_, key)) in folded.iter().enumerate() {
            let Some(key) = key else { continue };
            for (j, (other, other_key)) in folded.iter().enumerate() {
                if i != j && other_key.as_ref() != Some(key) && other_key.is_some() {
                    others.entry(key.clone()).or_default().insert(other.clone());
                }
            }
        }
    };
    for entry in entries {
        if matches!(
            entry.kind,
            Kind::Term | Kind::Rule | Kind::Section | Kind::Chapter
        ) {
            let mut names: Vec<&str> = entry.title.iter().map(|(_, title)| title.as_str()).collect();
            names.extend(entry.aliases.iter().map(String::as_str));
            relate(&names, stems);
        }
    }
    // What no entry speaks of is found under none of its names.
    for card in cards.iter().filter(|card| !card.entries.is_empty()) {
        let names: Vec<&str> = card.en.iter().chain(&card.zh).map(String::as_str).collect();
        relate(&names, stems);
    }
    let mut map = MapWriter::begin("terms", packer)?;
    for (key, names) in others {
        let mut row = Writer::default();
        // The first few in order of text: one name may belong to many things.
        names.iter().take(MAX_OTHERS).for_each(|name| row.text(name));
        map.key(key.as_bytes(), packer)?.0.bytes(&row.finish());
    }
    map.finish("term-firsts", packer)
}

/// Names that one name brings into a query at most.
const MAX_OTHERS: usize = 8;

/// The stored map.
#[derive(Debug, Clone)]
pub struct Terms(pub SortedMap);

impl Terms {
    /// The other names of what a name stands for, folded, each with its language.
    ///
    /// # Errors
    ///
    /// When the map is damaged.
    pub fn others(&self, key: &str) -> Result<Vec<(Lang, String)>, Damaged> {
        let row = self.0.find(key.as_bytes(), Reader::bytes)?;
        let mut row = Reader::new(row.unwrap_or_default());
        let mut others = Vec::new();
        while !row.is_empty() {
            let name = row.text()?;
            let lang = if name.contains(is_han) { Lang::Zh } else { Lang::En };
            others.push((lang, name.to_owned()));
        }
        Ok(others)
    }
}
