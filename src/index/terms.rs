//! Which names mean the same: a term's headwords in both languages, its aliases, the two names of a card.
//!
//! Two tables: the names, sorted, as [`name_key`] spells them; and for each, the other names of what it names.

use crate::corpus::Damaged;
use crate::entry::{Entry, Kind, Lang};
use crate::fold::{Folded, is_han};
use crate::index::codec::{Reader, Table, Writer};
use crate::index::tokens::{Stems, latin_words};
use crate::segment::{RunKind, runs};
use std::collections::{BTreeMap, BTreeSet};

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

/// The two tables: names, and what each stands beside.
pub fn write(entries: &[Entry], stems: &mut Stems) -> (Vec<String>, Vec<Vec<u8>>) {
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
        for card in &entry.cards {
            let names: Vec<&str> = [&card.en, &card.zh]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            relate(&names, stems);
        }
    }
    others
        .into_iter()
        .map(|(key, names)| {
            let mut row = Writer::default();
            // The first few in order of text: one name may belong to many things.
            let names: Vec<String> = names.into_iter().take(MAX_OTHERS).collect();
            row.number(names.len() as u64);
            names.iter().for_each(|name| row.text(name));
            (key, row.finish())
        })
        .unzip()
}

/// Names that one name brings into a query at most.
const MAX_OTHERS: usize = 8;

/// The stored tables.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The names.
    pub names: Table,
    /// What each stands beside.
    pub rows: Table,
}

impl Terms {
    /// The other names of what a name stands for, folded, each with its language.
    ///
    /// # Errors
    ///
    /// When the tables are damaged.
    pub fn others(&self, key: &str) -> Result<Vec<(Lang, String)>, Damaged> {
        let Some(number) = find(&self.names, key)? else {
            return Ok(Vec::new());
        };
        let mut row = Reader::new(self.rows.row(number)?);
        let n = row.number()?;
        (0..n.min(MAX_OTHERS))
            .map(|_| {
                let name = row.text()?;
                let lang = if name.contains(is_han) { Lang::Zh } else { Lang::En };
                Ok((lang, name.to_owned()))
            })
            .collect()
    }
}

/// The number of a row in a sorted table.
///
/// # Errors
///
/// When the table is damaged.
pub fn find(table: &Table, wanted: &str) -> Result<Option<usize>, Damaged> {
    let at = lower_bound(table, wanted.as_bytes())?;
    Ok((at < table.len() && table.row(at)? == wanted.as_bytes()).then_some(at))
}

/// The first row of a sorted table that is not before `wanted`.
///
/// # Errors
///
/// When the table is damaged.
pub fn lower_bound(table: &Table, wanted: &[u8]) -> Result<usize, Damaged> {
    let (mut low, mut high) = (0, table.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if table.row(middle)? < wanted {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}
