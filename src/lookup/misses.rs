//! Why there is no such entry, and what is near.

use super::citation::{Citation, read_citations};
use super::{Answer, Looker, Miss, Reason};
use crate::citation::{Part, RuleNumber};
use crate::corpus::{Damaged, Key, name_keys};
use crate::entry::{DEFAULT_DOCUMENT, rule_id, rule_id_prefix};
use crate::fold::fold_key;
use crate::game::Game;

/// How many numbers before one that is not there are named, and how many behind it.
const NEAR_ON_A_SIDE: usize = 2;

impl Looker<'_> {
    pub(super) fn miss(&self, game: &Game, citation: &Citation) -> Result<Miss, Damaged> {
        let document = self.document(citation);
        let number = &citation.first;
        let skipped = game
            .numbering(Some(document))
            .map_or("", |numbering| &numbering.skip_letters);
        let in_editions = self
            .entries
            .find(&Key::Id(&rule_id(&game.id, document, number)).encode())?;
        let reason = match number.parts().last() {
            _ if !in_editions.is_empty() => Reason::OtherEdition(self.editions_of(&in_editions)?),
            Some(Part::Letters(letters)) if letters.as_str().chars().any(|c| skipped.contains(c)) => {
                Reason::SkippedLetter(skipped.to_owned())
            }
            _ => match self.last_below(game, document, number)? {
                Some(last) => Reason::PastTheLast(last),
                None if !self.is_loaded(game, document)? => Reason::NotLoaded(document.to_uppercase()),
                None => Reason::NoSuchNumber,
            },
        };
        let range = citation
            .last
            .as_ref()
            .map(|last| format!("–{last}"))
            .unwrap_or_default();
        let named = if document == DEFAULT_DOCUMENT {
            String::new()
        } else {
            document.to_uppercase() + " "
        };
        let nearest = self.nearest(game, document, number)?;
        Ok(Miss {
            input: format!("{named}{number}{range}"),
            game: Some(game.id.clone()),
            reason,
            nearest: nearest.into_iter().map(|near| format!("{named}{near}")).collect(),
            moved_to: self.moved_to(&rule_id(&game.id, document, number))?,
            elsewhere: self.elsewhere(game, document, number)?,
            after: 0,
        })
    }

    /// True when a game has a numbered text of a document.
    pub(super) fn is_loaded(&self, game: &Game, document: &str) -> Result<bool, Damaged> {
        let prefix = format!("id:{}", rule_id_prefix(&game.id, document));
        Ok(!self.entries.with_prefix(&prefix, 1)?.is_empty())
    }

    /// The last rule right below the one above a number, where the number is past it.
    pub(super) fn last_below(
        &self,
        game: &Game,
        document: &str,
        number: &RuleNumber,
    ) -> Result<Option<String>, Damaged> {
        let Some(above) = number.parent() else {
            return Ok(None);
        };
        let matches = self
            .entries
            .find(&Key::Id(&rule_id(&game.id, document, &above)).encode())?;
        let Some(&idx) = self.of_edition(matches, self.options.edition)?.first() else {
            return Ok(None);
        };
        let children = self.entries.entry(idx)?.children;
        let below = children
            .iter()
            .filter_map(|id| id.rsplit(':').next()?.parse::<RuleNumber>().ok());
        let mut below: Vec<RuleNumber> = below.filter(|below| below.depth() == number.depth()).collect();
        below.sort();
        while let Some(last) = below.pop() {
            if self.is_there(game, document, &last)? {
                return Ok((last < *number).then(|| last.to_string()));
            }
        }
        Ok(None)
    }

    /// True when a number is in the edition that was asked for.
    fn is_there(&self, game: &Game, document: &str, number: &RuleNumber) -> Result<bool, Damaged> {
        let matches = self
            .entries
            .find(&Key::Id(&rule_id(&game.id, document, number)).encode())?;
        Ok(!self.of_edition(matches, self.options.edition)?.is_empty())
    }

    /// The first of `numbers` that are in the edition that was asked for.
    fn first_there<'n>(
        &self,
        game: &Game,
        document: &str,
        numbers: impl Iterator<Item = &'n RuleNumber>,
    ) -> Result<Vec<String>, Damaged> {
        let mut there = Vec::new();
        for number in numbers {
            if there.len() == NEAR_ON_A_SIDE {
                break;
            }
            if self.is_there(game, document, number)? {
                there.push(number.to_string());
            }
        }
        Ok(there)
    }

    /// What is called so in other editions only than the one that was asked for: a miss for each game that has it.
    pub(super) fn former(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let folded = fold_key(text);
        let mut answer = Answer::default();
        for game in candidates {
            let matches = self.versions_called(&folded, game)?;
            let editions = self.editions_of(&matches)?;
            if !editions.is_empty() {
                answer.misses.push(Miss {
                    reason: Reason::OtherEdition(editions),
                    ..Miss::no_such_name(text.trim().to_owned(), Some(game))
                });
            }
        }
        Ok(Some(answer).filter(|answer| !answer.misses.is_empty()))
    }

    /// The entries of every edition that are called so.
    pub(super) fn versions_called(&self, folded: &str, game: &Game) -> Result<Vec<u32>, Damaged> {
        // Names lead to current entries; the same entries in other editions have the same ids, but a number may have
        // been another rule's.
        let mut versions = Vec::new();
        for idx in self.entries.find(&Key::Name(folded, &game.id).encode())? {
            let id = self.entries.entry(idx)?.id;
            for version in self.entries.find(&Key::Id(&id).encode())? {
                let entry = self.entries.entry(version)?;
                let titles = entry.title.iter().map(|(_, title)| title).chain(&entry.aliases);
                let mut names = titles.flat_map(|title| name_keys(title));
                if names.any(|name| name == folded) {
                    versions.push(version);
                }
            }
        }
        versions.extend(self.entries.find(&Key::FormerName(folded, &game.id).encode())?);
        versions.sort_unstable();
        versions.dedup();
        Ok(versions)
    }

    /// The other documents of a game, and the other games, that have a number.
    pub(super) fn elsewhere(
        &self,
        game: &Game,
        document: &str,
        number: &RuleNumber,
    ) -> Result<Vec<String>, Damaged> {
        let mut elsewhere = Vec::new();
        let mut look = |game: &Game, document: &str, name: String| -> Result<(), Damaged> {
            let id = rule_id(&game.id, document, number);
            if !self
                .of_edition(self.entries.find(&Key::Id(&id).encode())?, None)?
                .is_empty()
            {
                elsewhere.push(format!("{name} {number}"));
            }
            Ok(())
        };
        for other in game.documents.iter().filter(|other| other.id != document) {
            look(game, &other.id, other.id.to_uppercase())?;
        }
        for other in self.games.ids().filter_map(|id| self.games.get(id)) {
            if other.id != game.id && document == DEFAULT_DOCUMENT {
                look(other, DEFAULT_DOCUMENT, other.id.clone())?;
            }
        }
        Ok(elsewhere)
    }

    /// What a number says that no numbering of a game's first document has, but that of another: `2.5` of a game whose
    /// tournament rules have it.
    pub(super) fn other_documents(
        &self,
        text: &str,
        candidates: &[&Game],
    ) -> Result<Option<Answer>, Damaged> {
        let mut answer = Answer::default();
        for game in candidates {
            let mut elsewhere = Vec::new();
            for document in game
                .documents
                .iter()
                .filter(|document| document.id != DEFAULT_DOCUMENT)
            {
                let reading = read_citations(&format!("{} {text}", document.id), game);
                if !reading.nothing_else {
                    continue;
                }
                for citation in reading
                    .citations
                    .iter()
                    .filter(|citation| citation.document == document.id)
                {
                    if !self.cited(game, citation)?.is_empty() {
                        elsewhere.push(format!("{} {}", document.id.to_uppercase(), citation.first));
                    }
                }
            }
            if !elsewhere.is_empty() {
                answer.misses.push(Miss {
                    reason: Reason::NoSuchNumber,
                    elsewhere,
                    ..Miss::no_such_name(text.trim().to_owned(), Some(game))
                });
            }
        }
        Ok(Some(answer).filter(|answer| !answer.misses.is_empty()))
    }

    /// Numbers near one that is not there: those around its place below the nearest rule above it that is.
    pub(super) fn nearest(
        &self,
        game: &Game,
        document: &str,
        number: &RuleNumber,
    ) -> Result<Vec<String>, Damaged> {
        let mut siblings: Vec<RuleNumber> = Vec::new();
        for above in std::iter::successors(number.parent(), RuleNumber::parent) {
            let matches = self
                .entries
                .find(&Key::Id(&rule_id(&game.id, document, &above)).encode())?;
            let Some(&idx) = self.of_edition(matches, self.options.edition)?.first() else {
                continue;
            };
            let parent = self.entries.entry(idx)?;
            siblings = parent
                .children
                .iter()
                .filter_map(|id| id.rsplit(':').next()?.parse().ok())
                .collect();
            siblings.insert(0, above);
            break;
        }
        if siblings.is_empty() {
            let prefix = format!("id:{}", rule_id_prefix(&game.id, document));
            let keys = self.entries.with_prefix(&prefix, usize::MAX)?;
            let numbers = keys
                .iter()
                .filter_map(|(key, _)| key.rsplit(':').next()?.parse::<RuleNumber>().ok());
            siblings = numbers
                .filter(|near| near.depth() == 1 || number.depth() > 1)
                .collect();
            siblings.sort();
            // Of a document of which only some rules are there, what stands in the same section comes first.
            let same: Vec<_> = siblings
                .iter()
                .filter(|near| near.prefix(1) == number.prefix(1))
                .cloned()
                .collect();
            if !same.is_empty() {
                siblings = same;
            }
        }
        // Children are of every edition, and the number itself may be of another one.
        let at = siblings.partition_point(|near| near < number);
        let mut near = self.first_there(game, document, siblings[..at].iter().rev())?;
        near.reverse();
        let after = siblings[at..].iter().filter(|near| *near != number);
        near.extend(self.first_there(game, document, after)?);
        Ok(near)
    }
}
