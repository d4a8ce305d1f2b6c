//! What is shown beside an entry: what stands below, above and next to it, what it cites and what cites it.

use super::{Answer, Citing, Extent, Found, Looker, Via};
use crate::corpus::{Damaged, Key, is_of_its_edition};
use crate::entry::{Entry, Kind};
use std::collections::BTreeSet;

/// How far below a rule others are looked for.
const DEEPEST: u32 = 16;

impl Looker<'_> {
    /// Adds what was asked for, with what stands below and around it.
    pub(super) fn add(&self, answer: &mut Answer, idx: u32) -> Result<(), Damaged> {
        if answer
            .found
            .iter()
            .any(|found| found.idx == idx && found.depth == 0)
        {
            return Ok(());
        }
        let entry = self.entries.entry(idx)?;
        answer.found.push(Found::new(idx, entry.clone(), 0, None));
        let levels = match (self.options.extent, entry.kind) {
            (Extent::Only, _) => 0,
            (Extent::Subrules, Kind::Section | Kind::Chapter) => 1,
            (Extent::Subrules | Extent::Tree, _) => u32::MAX,
        };
        self.add_children(answer, &entry, 1, levels)?;
        if self.options.context > 0 {
            for (idx, entry) in self.above(&entry)? {
                answer.found.push(Found::new(idx, entry, 1, Some(Via::Above)));
            }
            for (idx, entry) in self.neighbours(&entry)? {
                answer.found.push(Found::new(idx, entry, 1, Some(Via::Context)));
            }
        }
        if self.options.expand > 0 {
            self.add_cited(answer)?;
        }
        if self.options.citing == Citing::Show {
            self.add_citing(answer, &entry)?;
        }
        Ok(())
    }

    pub(super) fn add_children(
        &self,
        answer: &mut Answer,
        entry: &Entry,
        depth: u32,
        levels: u32,
    ) -> Result<(), Damaged> {
        if depth > levels || depth > DEEPEST {
            return Ok(());
        }
        for child in &entry.children {
            for (idx, child) in self.child(entry, child)? {
                answer
                    .found
                    .push(Found::new(idx, child.clone(), depth, Some(Via::Subrule)));
                self.add_children(answer, &child, depth + 1, levels)?;
            }
        }
        Ok(())
    }

    /// The entries of an id that stand below an entry: those of its own editions where there are any. An undated text
    /// is shown beside a dated one, but each with what stands below it; what is below an undated copy of the entry is
    /// below the entry.
    pub(super) fn child(&self, entry: &Entry, id: &str) -> Result<Vec<(u32, Entry)>, Damaged> {
        let matches = self.of_edition(self.entries.find(&Key::Id(id).encode())?, self.options.edition)?;
        let mut children = Vec::new();
        for idx in matches {
            children.push((idx, self.entries.entry(idx)?));
        }
        let of_its_edition = |(_, child): &(u32, Entry)| is_of_its_edition(entry, child);
        if children.len() > 1 && children.iter().any(of_its_edition) {
            let is_undated = |(_, child): &(u32, Entry)| child.edition.is_empty();
            let keeps_undated = children.iter().any(is_undated) && !self.has_undated(&entry.id)?;
            children.retain(|child| of_its_edition(child) || keeps_undated && is_undated(child));
        }
        Ok(children)
    }

    /// True when there is an undated entry of that id.
    fn has_undated(&self, id: &str) -> Result<bool, Damaged> {
        for idx in self.entries.find(&Key::Id(id).encode())? {
            if self.entries.entry(idx)?.edition.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What an entry stands below, outermost first.
    pub(super) fn above(&self, entry: &Entry) -> Result<Vec<(u32, Entry)>, Damaged> {
        let mut above = Vec::new();
        let mut parent = entry.parent.clone();
        while let Some(id) = parent {
            let matches = self.entries.find(&Key::Id(&id).encode())?;
            let Some(&idx) = self.of_edition(matches, self.options.edition)?.first() else {
                break;
            };
            let entry = self.entries.entry(idx)?;
            parent = entry.parent.clone();
            above.insert(0, (idx, entry));
        }
        Ok(above)
    }

    /// The neighbours of an entry below the same parent, as many before and after as the options ask for.
    pub(super) fn neighbours(&self, entry: &Entry) -> Result<Vec<(u32, Entry)>, Damaged> {
        let mut neighbours = Vec::new();
        let Some(parent) = &entry.parent else {
            return Ok(neighbours);
        };
        let parents = self.entries.find(&Key::Id(parent).encode())?;
        if let Some(&parent) = self.of_edition(parents, self.options.edition)?.first() {
            let siblings = self.entries.entry(parent)?.children;
            let own = siblings.iter().position(|id| *id == entry.id).unwrap_or(0);
            let from = own.saturating_sub(self.options.context);
            let to = own
                .saturating_add(self.options.context)
                .saturating_add(1)
                .min(siblings.len());
            for (_, id) in siblings
                .iter()
                .enumerate()
                .take(to)
                .skip(from)
                .filter(|(at, _)| *at != own)
            {
                let sibling = self.entries.find(&Key::Id(id).encode())?;
                if let Some(&idx) = self.of_edition(sibling, self.options.edition)?.first() {
                    neighbours.push((idx, self.entries.entry(idx)?));
                }
            }
        }
        Ok(neighbours)
    }

    /// Adds the rules that the entries of the answer cite, step by step, none twice.
    pub(super) fn add_cited(&self, answer: &mut Answer) -> Result<(), Damaged> {
        let mut known: BTreeSet<u32> = answer.found.iter().map(|found| found.idx).collect();
        let mut step: Vec<Entry> = answer.found.iter().map(|found| found.entry.clone()).collect();
        for depth in 1..=self.options.expand.min(8) {
            let mut next = Vec::new();
            for id in step.iter().flat_map(|entry| &entry.references) {
                for idx in self.of_edition(self.entries.find(&Key::Id(id).encode())?, self.options.edition)? {
                    if known.insert(idx) {
                        let entry = self.entries.entry(idx)?;
                        next.push(entry.clone());
                        answer
                            .found
                            .push(Found::new(idx, entry, depth as u32, Some(Via::Cited)));
                    }
                }
            }
            step = next;
        }
        Ok(())
    }

    /// Adds the entries whose texts cite an entry.
    pub(super) fn add_citing(&self, answer: &mut Answer, entry: &Entry) -> Result<(), Damaged> {
        for idx in self.of_edition(
            self.entries.find(&Key::Citing(&entry.id).encode())?,
            self.options.edition,
        )? {
            let entry = self.entries.entry(idx)?;
            answer.found.push(Found::new(idx, entry, 1, Some(Via::Citing)));
        }
        Ok(())
    }

    /// Adds the sections below an entry; with [`Extent::Tree`] every rule that has a name as well.
    pub(super) fn add_headings(&self, answer: &mut Answer, entry: &Entry, depth: u32) -> Result<(), Damaged> {
        if self.options.extent == Extent::Only || depth > DEEPEST {
            return Ok(());
        }
        for id in &entry.children {
            for (idx, child) in self.child(entry, id)? {
                // Where there are no chapters, sections stand in their place.
                let is_heading = match child.kind {
                    Kind::Chapter | Kind::Section => true,
                    _ if child.title.is_empty() => false,
                    _ => depth == 1 && entry.kind == Kind::Section || self.options.extent == Extent::Tree,
                };
                if is_heading {
                    answer
                        .found
                        .push(Found::new(idx, child.clone(), depth, Some(Via::Subrule)));
                    self.add_headings(answer, &child, depth + 1)?;
                }
            }
        }
        Ok(())
    }
}
