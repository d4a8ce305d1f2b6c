//! Which entries may be found.

use crate::corpus::{Damaged, Entries as _, Key};
use crate::entry::{Kind, Lang};
use crate::fold::fold_key;
use crate::index::Index;
use crate::index::codec::Table;
use crate::index::columns::{Facts, Label, Row, date_number};
use crate::query::{Filters, SourceFilter, Within};
use std::collections::HashSet;

/// Filters, with every name looked up.
#[derive(Debug)]
pub struct Filter<'a> {
    index: &'a Index,
    filters: &'a Filters,
    /// For each label, whether it is a document asked for, an edition asked for, a tag asked for.
    documents: Option<Vec<bool>>,
    editions: Option<Vec<bool>>,
    tags: Vec<bool>,
    kinds: Option<Vec<Kind>>,
    cards: Option<HashSet<u32>>,
    below: Vec<HashSet<u32>>,
    since: u32,
    until: u32,
}

impl<'a> Filter<'a> {
    /// True for a game that was asked for, and for every game where none was.
    pub fn is_of_game(&self, game: &str) -> bool {
        let asked = &self.filters.games;
        asked.is_empty() || asked.iter().any(|asked| asked == game)
    }

    /// Looks the names up.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn new(index: &'a Index, labels: &Table, filters: &'a Filters) -> Result<Self, Damaged> {
        let marked = |wanted: &dyn Fn(&str) -> bool| {
            (0..labels.len())
                .map(|number| Ok(wanted(labels.text(number)?)))
                .collect::<Result<Vec<bool>, Damaged>>()
        };
        let documents = (!filters.games.is_empty() || !filters.documents.is_empty())
            .then(|| {
                marked(&|label| {
                    let parts = label.split_once('\u{1f}');
                    parts.is_some_and(|(game, document)| is_document(filters, game, document))
                })
            })
            .transpose()?;
        let editions = (!filters.editions.is_empty())
            .then(|| marked(&|label| filters.editions.iter().any(|edition| edition == label)))
            .transpose()?;
        let has_tags = filters
            .sources
            .iter()
            .any(|source| matches!(source, SourceFilter::Tag(_)));
        let tags = match has_tags {
            true => marked(&|label| filters.sources.iter().any(|source| is_tag(source, label)))?,
            false => Vec::new(),
        };
        let mut below = Vec::new();
        for within in &filters.within {
            if let Within::Below(id) = within {
                below.push(index.find(&Key::Id(id).encode())?.into_iter().collect());
            }
        }
        let mut cards = None;
        for card in &filters.cards {
            let set = cards.get_or_insert_with(HashSet::new);
            for (_, entries) in index.with_prefix(&Key::card_prefix(&fold_key(card)), usize::MAX)? {
                set.extend(entries);
            }
        }
        Ok(Self {
            index,
            documents,
            editions,
            tags,
            kinds: (!filters.kinds.is_empty()).then(|| filters.kinds.clone()),
            cards,
            below,
            since: filters.since.as_deref().map_or(0, date_number),
            until: filters.until.as_deref().map_or(u32::MAX, date_number),
            filters,
        })
    }

    /// True when the entry may be found.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn passes(&self, idx: u32, row: &Row) -> Result<bool, Damaged> {
        let filters = self.filters;
        if self.editions.is_none() && !row.is_current() {
            return Ok(false);
        }
        if let Some(kinds) = &self.kinds
            && !row.kind().is_some_and(|kind| kinds.contains(&kind))
        {
            return Ok(false);
        }
        if !filters.langs.is_empty() && !filters.langs.iter().any(|lang| row.has(*lang)) {
            return Ok(false);
        }
        if let Some(cards) = &self.cards
            && !cards.contains(&idx)
        {
            return Ok(false);
        }
        let is_dated = filters.since.is_some() || filters.until.is_some();
        let asks_facts = is_dated
            || self.documents.is_some()
            || self.editions.is_some()
            || !filters.sources.is_empty()
            || !filters.within.is_empty();
        if !asks_facts {
            return Ok(true);
        }
        let facts = self.index.columns.facts(idx)?;
        Ok(
            (!is_dated || (facts.date() != 0 && (self.since..=self.until).contains(&facts.date())))
                && self.is_of_document(idx, &facts)?
                && self.is_of_edition(idx, &facts)?
                && self.is_from(idx, row, &facts)?
                && self.is_within(idx, &facts)?,
        )
    }

    fn is_of_document(&self, idx: u32, facts: &Facts) -> Result<bool, Damaged> {
        let Some(documents) = &self.documents else {
            return Ok(true);
        };
        self.fits(facts.document(), documents, idx, |entry| {
            is_document(self.filters, &entry.game, &entry.document)
        })
    }

    fn is_of_edition(&self, idx: u32, facts: &Facts) -> Result<bool, Damaged> {
        let Some(editions) = &self.editions else {
            return Ok(true);
        };
        for lang in Lang::ALL {
            let fits = self.fits(facts.edition(lang), editions, idx, |entry| {
                let edition = entry.edition.get(lang).filter(|_| entry.lent != Some(lang));
                edition.is_some_and(|edition| self.filters.editions.iter().any(|wanted| wanted == edition))
            })?;
            if fits {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fits(
        &self,
        label: Label,
        wanted: &[bool],
        idx: u32,
        look: impl Fn(&crate::entry::Entry) -> bool,
    ) -> Result<bool, Damaged> {
        Ok(match label {
            Label::None => false,
            Label::Number(number) => wanted.get(usize::from(number)).copied().unwrap_or(false),
            Label::Unknown => look(&self.index.entry(idx)?),
        })
    }

    fn is_from(&self, idx: u32, row: &Row, facts: &Facts) -> Result<bool, Damaged> {
        let filters = self.filters;
        if filters.sources.is_empty() {
            return Ok(true);
        }
        let asked = |lang: &Lang| filters.langs.is_empty() || filters.langs.contains(lang);
        for lang in Lang::ALL.into_iter().filter(|lang| asked(lang) && row.has(*lang)) {
            let class = SourceFilter::Class(facts.class(lang).unwrap_or_default());
            let by_tag = !self.tags.is_empty()
                && self.fits(facts.tag(lang), &self.tags, idx, |entry| {
                    let tag = entry
                        .provenance
                        .get(lang)
                        .and_then(|provenance| provenance.tag.as_deref());
                    tag.is_some_and(|tag| filters.sources.iter().any(|source| is_tag(source, tag)))
                })?;
            if by_tag || filters.sources.contains(&class) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_within(&self, idx: u32, facts: &Facts) -> Result<bool, Damaged> {
        if self.filters.within.is_empty() {
            return Ok(true);
        }
        let mut above = Some(idx);
        // A chain is as deep as rule numbers are; the bound ends a loop in a damaged file.
        for _ in 0..64 {
            let Some(at) = above else { break };
            if self.below.iter().any(|set| set.contains(&at)) {
                return Ok(true);
            }
            above = if at == idx {
                facts.parent()
            } else {
                self.index.columns.facts(at)?.parent()
            };
        }
        let mut ranges = self.filters.within.iter().filter_map(|within| match within {
            Within::Range(from, to) => Some((from, to)),
            Within::Below(_) => None,
        });
        let Some(first) = ranges.next() else {
            return Ok(false);
        };
        let Some(number) = self.index.entry(idx)?.citation else {
            return Ok(false);
        };
        let fits = |(from, to): (&_, &crate::citation::RuleNumber)| {
            number >= *from && (number <= *to || to.contains(&number))
        };
        Ok(fits(first) || ranges.any(fits))
    }
}

fn is_document(filters: &Filters, game: &str, document: &str) -> bool {
    let fits = |wanted: &[String], one: &str| wanted.is_empty() || wanted.iter().any(|name| name == one);
    fits(&filters.games, game) && fits(&filters.documents, document)
}

fn is_tag(source: &SourceFilter, tag: &str) -> bool {
    matches!(source, SourceFilter::Tag(wanted) if wanted.eq_ignore_ascii_case(tag))
}
