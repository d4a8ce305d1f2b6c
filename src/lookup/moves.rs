//! Where a number was once another rule's: where that rule is now, and which one was meant.

use super::citation::Citation;
use super::{Answer, Extent, Found, Looker, Meant, Via};
use crate::citation::{Part, RuleNumber};
use crate::corpus::editions::EditionOrder;
use crate::corpus::{Damaged, Key};
use crate::entry::{Entry, Kind, rule_id, rule_id_prefix};
use crate::fold::fold_key;
use crate::game::Game;

impl Looker<'_> {
    /// Adds the rules that older editions had under the number that was asked for: those first that the words beside it
    /// are about, then those that had it last.
    pub(super) fn add_moved(
        &self,
        answer: &mut Answer,
        game: &Game,
        citation: &Citation,
        words: &[String],
    ) -> Result<(), Damaged> {
        if citation.last.is_some() || self.options.edition.is_some() {
            return Ok(());
        }
        let id = rule_id(&game.id, self.document(citation), &citation.first);
        let mut moved = Vec::new();
        for (until, idx) in self.moved(&id)? {
            let entry = self.entries.entry(idx)?;
            let n_words = self.n_words_in(&entry, words)?;
            moved.push((std::cmp::Reverse(n_words), until, idx, entry));
        }
        if moved.is_empty() {
            return Ok(());
        }
        moved.sort_by_key(|(n_words, ..)| *n_words);
        let current = answer
            .found
            .iter()
            .find(|found| found.entry.id == id && found.depth == 0);
        let n_of_current = match current {
            Some(found) => Some(self.n_words_in(&found.entry, words)?),
            None => None,
        };
        for (n_words, until, idx, entry) in moved {
            let meant = Meant {
                until: Some(until),
                likely: n_of_current.is_none_or(|n| n_words.0 > n),
            };
            self.add_elsewhere(answer, idx, entry, meant)?;
        }
        Ok(())
    }

    /// Adds a rule that was meant though it stands at another place; with its subrules where it is but a name.
    pub(super) fn add_elsewhere(
        &self,
        answer: &mut Answer,
        idx: u32,
        entry: Entry,
        meant: Meant,
    ) -> Result<(), Damaged> {
        if answer.found.iter().any(|found| found.idx == idx) {
            return Ok(());
        }
        let mut found = Found::new(idx, entry.clone(), 1, Some(Via::Moved));
        found.meant = Some(meant);
        answer.found.push(found);
        if self.options.extent != Extent::Only && entry.kind == Kind::Rule && !entry.title.is_empty() {
            self.add_children(answer, &entry, 2, u32::MAX)?;
        }
        Ok(())
    }

    /// How many of the words are in an entry's texts or its names, or in the names of what it stands below.
    pub(super) fn n_words_in(&self, entry: &Entry, words: &[String]) -> Result<usize, Damaged> {
        if words.is_empty() {
            return Ok(0);
        }
        let mut said: Vec<String> = entry.text.iter().map(|(_, text)| fold_key(text)).collect();
        let mut above = Some(entry.clone());
        while let Some(entry) = above {
            said.extend(entry.title.iter().map(|(_, title)| fold_key(title)));
            above = match &entry.parent {
                Some(id) => {
                    let parents = self.of_edition(self.entries.find(&Key::Id(id).encode())?, None)?;
                    parents.first().map(|&idx| self.entries.entry(idx)).transpose()?
                }
                None => None,
            };
        }
        let is_said = |word: &&String| said.iter().any(|text| text.contains(word.as_str()));
        Ok(words.iter().filter(is_said).count())
    }

    /// Adds the rule that the words beside a number name, where the number is of another rule of the same section: it
    /// was most likely written when the numbers there were others (`702.84a cascade`).
    pub(super) fn add_meant(
        &self,
        answer: &mut Answer,
        game: &Game,
        citation: &Citation,
        words: &[String],
    ) -> Result<(), Damaged> {
        let number = &citation.first;
        if citation.last.is_some() || self.options.edition.is_some() || number.depth() < 2 {
            return Ok(());
        }
        let own = rule_id_prefix(&game.id, self.document(citation));
        let mut named: Vec<RuleNumber> = Vec::new();
        for idx in self.named_in(words, game)? {
            let entry = self.entries.entry(idx)?;
            let ids = match entry.kind {
                Kind::Term => entry.references,
                _ => vec![entry.id],
            };
            named.extend(
                ids.iter()
                    .filter_map(|id| id.strip_prefix(&own)?.parse::<RuleNumber>().ok()),
            );
        }
        let family = |other: &RuleNumber| other.contains(number) || number.contains(other);
        if named.iter().any(family) {
            return Ok(());
        }
        named.retain(|other| other.depth() > 1 && other.prefix(1) == number.prefix(1));
        for other in named {
            // The subrule of the same letter, where the words name the rule above it.
            let subrule = number
                .parts()
                .last()
                .filter(|_| number.depth() == other.depth() + 1);
            let subrule = match subrule {
                Some(Part::Letters(letters)) => format!("{other}{}", letters.as_str()).parse().ok(),
                _ => None,
            };
            for wanted in subrule.iter().chain([&other]) {
                let id = format!("{own}{}", wanted.plain());
                let shown = self.of_edition(self.entries.find(&Key::Id(&id).encode())?, None)?;
                let Some(&idx) = shown.first() else { continue };
                let is_there = answer.found.iter().any(|found| {
                    found.via.is_some()
                        && found
                            .entry
                            .citation
                            .as_ref()
                            .is_some_and(|found| other.contains(found))
                });
                if !is_there {
                    let meant = Meant {
                        until: None,
                        likely: true,
                    };
                    self.add_elsewhere(answer, idx, self.entries.entry(idx)?, meant)?;
                }
                break;
            }
        }
        Ok(())
    }

    /// The current rules that older editions had under an id, each with the last one that did; the newest first.
    pub(super) fn moved(&self, id: &str) -> Result<Vec<(String, u32)>, Damaged> {
        let prefix = Key::moved_prefix(id);
        let mut moved = Vec::new();
        for (key, matches) in self.entries.with_prefix(&prefix, usize::MAX)? {
            let until = &key[prefix.len()..];
            moved.extend(matches.into_iter().map(|idx| (until.to_owned(), idx)));
        }
        if let [(_, idx), _, ..] = moved.as_slice() {
            let entry = self.entries.entry(*idx)?;
            let order = EditionOrder::of(self.entries, &entry.game, &entry.document)?;
            moved.sort_by(|(a, _), (b, _)| order.compare(b, a));
        }
        Ok(moved)
    }

    /// The numbers under which the rules stand now that an older edition had under an id.
    pub(super) fn moved_to(&self, id: &str) -> Result<Vec<String>, Damaged> {
        let mut numbers = Vec::new();
        for (_, idx) in self.moved(id)? {
            numbers.extend(self.entries.entry(idx)?.citation.map(|number| number.to_string()));
        }
        Ok(numbers)
    }
}
