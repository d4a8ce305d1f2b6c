//! Entries by id and by number.

use super::citation::{Citation, Reading, Typed};
use super::{Answer, Looker, Miss, Mode, Reason};
use crate::citation::{Part, RuleNumber};
use crate::corpus::{Damaged, Key};
use crate::entry::{DEFAULT_DOCUMENT, rule_id, rule_id_prefix};
use crate::game::Game;

/// Hex digits that a shortened id must have at least.
const SHORTEST_ID: usize = 6;

/// Members of a range that are named one by one where none of them is loaded.
const LONGEST_RANGE: u32 = 50;

impl Looker<'_> {
    /// By ids, one or several: `mtg:rule:702.19b`, `fow:statement:0123ab`, `mtg:rule:702.19b@2026-04-17`, bare hex
    /// digits.
    pub(super) fn by_ids(&self, text: &str) -> Result<Option<Answer>, Damaged> {
        let mut answer = Answer::default();
        for word in text.split_whitespace() {
            if !self.by_id(word, &mut answer)? {
                return Ok(None);
            }
        }
        Ok(Some(answer).filter(|_| !text.trim().is_empty()))
    }

    /// Adds what one id names; false for what is no id.
    pub(super) fn by_id(&self, text: &str, answer: &mut Answer) -> Result<bool, Damaged> {
        let (id, edition) = match text.rsplit_once('@') {
            Some((id, edition)) if id.contains(':') => (id, Some(edition)),
            _ => (text, None),
        };
        let edition = edition.or(self.options.edition);
        let hex = id.rsplit(':').next().unwrap_or(id);
        let shortened = hex.len() >= SHORTEST_ID && hex.bytes().all(|b| b.is_ascii_hexdigit());
        // No address: `https://example.org/cr:7#cr702-19`.
        let is_id =
            !id.contains("//") && id.split(':').count() >= 3 && id.split(':').all(|part| !part.is_empty());
        // Bare hex digits are an id only if there is a figure among them: `facade` is a word.
        let bare_hex = shortened && !id.contains(':') && hex.bytes().any(|b| b.is_ascii_digit());
        if !is_id && !bare_hex {
            return Ok(false);
        }
        let mut matches = if is_id {
            self.entries.find(&Key::Id(id).encode())?
        } else {
            Vec::new()
        };
        let mut reason = Reason::NoSuchId;
        if matches.is_empty() && shortened {
            let lower = hex.to_ascii_lowercase();
            let key = if is_id { Key::Id(id) } else { Key::Hex(&lower) };
            let mut keys = self.entries.with_prefix(&key.encode(), 2)?;
            if keys.len() == 1 {
                matches = keys.remove(0).1;
            } else if keys.len() > 1 {
                reason = Reason::AmbiguousId;
            }
        }
        let shown = self.of_edition(matches.clone(), edition)?;
        if shown.is_empty() {
            if !is_id && reason == Reason::NoSuchId {
                return Ok(false);
            }
            if !matches.is_empty() {
                reason = Reason::OtherEdition(self.editions_of(&matches)?);
            }
            answer.misses.push(Miss {
                input: id.to_owned(),
                game: None,
                reason,
                nearest: Vec::new(),
                moved_to: Vec::new(),
                elsewhere: Vec::new(),
                after: answer.found.len(),
            });
        }
        for idx in shown {
            self.add(answer, idx)?;
        }
        Ok(true)
    }

    /// The editions that entries are of, each once.
    pub(super) fn editions_of(&self, matches: &[u32]) -> Result<Vec<String>, Damaged> {
        let mut editions = Vec::new();
        for &idx in matches {
            for edition in self.entries.entry(idx)?.own_editions() {
                if !editions.iter().any(|known| known == edition) {
                    editions.push(edition.to_owned());
                }
            }
        }
        Ok(editions)
    }

    pub(super) fn by_number(&self, text: &str, candidates: &[&Game]) -> Result<Option<Answer>, Damaged> {
        let mut answer = Answer::default();
        let typed = Typed::new(text);
        let mut hits: Vec<(&Game, Reading, Vec<Vec<u32>>)> = Vec::new();
        let mut misses = Vec::new();
        for &game in candidates {
            let reading = typed.citations(game, self.options.document);
            let wanted = match self.options.mode {
                Mode::Show => !reading.citations.is_empty(),
                Mode::Guess => {
                    reading.nothing_else
                        || reading.opens_with_number
                        || reading.citations.iter().any(is_unmistakable)
                }
            };
            if !wanted {
                continue;
            }
            let citations = reading.citations.iter();
            let cited = citations
                .map(|citation| self.cited(game, citation))
                .collect::<Result<Vec<_>, _>>()?;
            if cited.iter().any(|entries| !entries.is_empty()) {
                hits.push((game, reading, cited));
            } else if reading.nothing_else || self.options.mode == Mode::Show {
                misses.push((game, reading, cited));
            }
        }
        // A game whose numbering has no place for a part of what was typed was not meant, if another one's has.
        if hits.iter().any(|(_, reading, _)| !reading.strained) {
            hits.retain(|(_, reading, _)| !reading.strained);
        }
        if hits.len() > 1 {
            answer.several_games = hits.iter().map(|(game, _, _)| game.id.clone()).collect();
        }
        if hits.is_empty() {
            // The games that come nearest to having it say why they do not.
            let mut nearness = Vec::with_capacity(misses.len());
            for (game, reading, _) in &misses {
                let mut nearest = 0;
                for citation in &reading.citations {
                    nearest = nearest.max(self.nearness(game, citation)?);
                }
                nearness.push(nearest);
            }
            let nearest = nearness.iter().max();
            let with_nearness = nearness.iter().zip(misses);
            hits.extend(
                with_nearness
                    .filter(|(near, _)| Some(*near) == nearest)
                    .map(|(_, miss)| miss),
            );
        }
        if hits.is_empty() {
            return Ok(None);
        }
        for (game, reading, cited) in hits {
            for ((citation, written), cited) in reading.citations.iter().zip(&reading.written).zip(cited) {
                if cited.is_empty() {
                    for citation in each_of(citation) {
                        let after = answer.found.len();
                        let mut miss = self.miss(game, &citation)?;
                        if let Some(as_typed) = written.cut(text) {
                            miss.input = as_typed;
                        }
                        answer.misses.push(Miss { after, ..miss });
                    }
                }
                for idx in cited {
                    self.add(&mut answer, idx)?;
                }
                self.add_moved(&mut answer, game, citation, &reading.words)?;
            }
            if let ([citation], [_, ..]) = (reading.citations.as_slice(), reading.words.as_slice()) {
                self.add_meant(&mut answer, game, citation, &reading.words)?;
            }
        }
        Ok(Some(answer))
    }

    /// How many parts of a number a game has: 2 for `702.19zz` where 702.19 is there.
    pub(super) fn nearness(&self, game: &Game, citation: &Citation) -> Result<usize, Damaged> {
        let document = self.document(citation);
        for number in std::iter::successors(Some(citation.first.clone()), RuleNumber::parent) {
            if !self
                .entries
                .find(&Key::Id(&rule_id(&game.id, document, &number)).encode())?
                .is_empty()
            {
                return Ok(number.depth());
            }
        }
        Ok(0)
    }

    /// The document a citation is of: its own, unless it named none and the caller asks for another.
    pub(super) fn document<'c>(&'c self, citation: &'c Citation) -> &'c str {
        match self.options.document {
            Some(document) if citation.document == DEFAULT_DOCUMENT => document,
            _ => &citation.document,
        }
    }

    /// The entries that a citation names, in reading order.
    pub(super) fn cited(&self, game: &Game, citation: &Citation) -> Result<Vec<u32>, Damaged> {
        let document = self.document(citation);
        let Some(last) = &citation.last else {
            let key = Key::Id(&rule_id(&game.id, document, &citation.first)).encode();
            let matches = self.entries.find(&key)?;
            return self.of_edition(matches, self.options.edition);
        };
        let in_range = |number: &RuleNumber| {
            number.depth() <= citation.first.depth().max(last.depth())
                && ((*number >= citation.first && number <= last) || last == number)
                && !(number.depth() < citation.first.depth() && citation.first.depth() == last.depth())
        };
        // Numbers of one section share its digits; a range over sections reads them all.
        let shared = match (citation.first.prefix(1), last.prefix(1)) {
            (Some(a), Some(b)) if a == b && citation.first.depth() > 1 => a.plain().into_owned(),
            _ => String::new(),
        };
        let prefix = format!("id:{}{shared}", rule_id_prefix(&game.id, document));
        let mut numbered: Vec<(RuleNumber, Vec<u32>)> = Vec::new();
        for (key, matches) in self.entries.with_prefix(&prefix, usize::MAX)? {
            let Some(number) = key
                .rsplit(':')
                .next()
                .and_then(|number| number.parse::<RuleNumber>().ok())
            else {
                continue;
            };
            let same_level = citation.first.depth() > 1 || number.depth() == 1;
            if in_range(&number) && same_level {
                numbered.push((number, matches));
            }
        }
        numbered.sort_by(|a, b| a.0.cmp(&b.0));
        let mut shown = Vec::new();
        for (_, matches) in numbered {
            shown.extend(self.of_edition(matches, self.options.edition)?);
        }
        Ok(shown)
    }

    /// Those of `matches` that are of the wanted edition, or current where none is wanted.
    pub(super) fn of_edition(&self, matches: Vec<u32>, edition: Option<&str>) -> Result<Vec<u32>, Damaged> {
        let mut shown = Vec::new();
        for idx in matches {
            let wanted = match edition {
                None => self.entries.is_current(idx)?,
                Some(edition) => self.entries.entry(idx)?.is_of_edition(edition),
            };
            if wanted {
                shown.push(idx);
            }
        }
        Ok(shown)
    }
}

/// A range of numbers with one parent as its members; anything else as it is.
pub(super) fn each_of(citation: &Citation) -> Vec<Citation> {
    let members = || -> Option<Vec<Citation>> {
        let last = citation.last.as_ref()?;
        let (Part::Number(from), Part::Number(to)) = (citation.first.parts().last()?, last.parts().last()?)
        else {
            return None;
        };
        if citation.first.parent() != last.parent() || to.saturating_sub(from) > LONGEST_RANGE {
            return None;
        }
        let numbers = (from..=to).map(|part| citation.first.with_last(&part.to_string()));
        let one = |first: RuleNumber| Citation {
            document: citation.document.clone(),
            first,
            last: None,
        };
        numbers.map(|number| number.map(one)).collect()
    };
    members().unwrap_or_else(|| vec![citation.clone()])
}

/// True for what is a rule's number and nothing else, wherever it stands: 702.19b in a sentence.
fn is_unmistakable(citation: &Citation) -> bool {
    /// Figures of a section that no count, price or version has so often.
    const FIGURES: usize = 3;
    let number = citation.first.as_str();
    let figures = number.bytes().take_while(u8::is_ascii_digit).count();
    citation.first.depth() > 1 && figures >= FIGURES
}
