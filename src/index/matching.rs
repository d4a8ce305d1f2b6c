//! Which entries match a plan, and how well their words do: BM25 over postings, word by word.
//!
//! Scores are our own, not tantivy's: lengths are counted per language, what titles and the titles above an
//! entry say counts with the text (BM25F), and `b` is low, because rules are short and their length says little.

use crate::corpus::Damaged;
use crate::entry::Lang;
use crate::index::columns::{Columns, Row};
use crate::index::dictionary::Dictionary;
use crate::index::plan::{Alternative, Group, Phrase, Plan, Unit};
use crate::index::rank::split_best;
use crate::index::search::{Matched, unreadable};
use crate::index::tokens::Column;
use crate::index::write::Fields;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, SegmentReader, TERMINATED};

const K1: f32 = 1.0;
const B: f32 = 0.35;

/// What a word in a title above an entry counts against one in the entry.
const CONTEXT_WEIGHT: f32 = 0.5;

/// What words count that stand as they do in the query, against the words themselves.
const PHRASE_WEIGHT: f32 = 0.6;

/// The part of a query's words that is most of them.
const MOST: f32 = 0.7;

/// What the words of a fallback hit that has fewer must be worth, against the best one.
const WORTH: f32 = 0.4;

/// Candidates of which long ones are read for their best passage.
const MAX_PASSAGES: usize = 64;

/// How many times as long as others an entry is that has passages.
const LONG: f32 = 2.0;

/// An entry that matches.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Which.
    pub idx: u32,
    /// What ranking asks of it.
    pub row: Row,
    /// How well.
    pub score: f32,
    /// How.
    pub how: Matched,
}

impl Candidate {
    /// The better before the worse; of equally good ones the first in reading order.
    pub fn order(&self, other: &Candidate) -> Ordering {
        other.score.total_cmp(&self.score).then(self.idx.cmp(&other.idx))
    }
}

/// What matching reads.
#[derive(Debug, Clone, Copy)]
pub struct Matcher<'a> {
    /// Where the postings of a word are.
    pub dictionary: &'a Dictionary,
    /// The postings.
    pub segment: &'a SegmentReader,
    /// Their fields.
    pub fields: Fields,
    /// The rows of entries.
    pub columns: &'a Columns,
    /// The average length of an entry in each language.
    pub averages: [f32; 2],
}

/// Postings with the block of them that is read, which take two kilobytes: they stay where they are.
type BoxedPostings = Box<SegmentPostings>;

/// A word's postings, read forwards.
struct Cursor {
    postings: BoxedPostings,
    context: Option<BoxedPostings>,
    idf: f32,
    lang: Lang,
}

/// Moves on to the first document that is not before `idx`.
fn advance_to(postings: &mut SegmentPostings, idx: u32) -> u32 {
    match postings.doc() {
        doc if doc < idx => postings.seek(idx),
        doc => doc,
    }
}

/// Moves on to a document; true if it is there.
fn seek(postings: &mut SegmentPostings, idx: u32) -> bool {
    advance_to(postings, idx) == idx
}

/// The first document from `from` on that stands in all of some postings, [`TERMINATED`] where there is none. The
/// postings move on to it together, so that they need not be read again for what else is asked of it.
fn meet<T>(all: &mut [T], from: u32, postings: impl Fn(&mut T) -> &mut SegmentPostings) -> u32 {
    let rarest = (0..all.len()).min_by_key(|at| postings(&mut all[*at]).doc_freq());
    let Some(rarest) = rarest else {
        return TERMINATED;
    };
    let mut idx = advance_to(postings(&mut all[rarest]), from);
    while idx != TERMINATED {
        let mut docs = all.iter_mut().map(|one| advance_to(postings(one), idx));
        match docs.find(|doc| *doc > idx) {
            None => break,
            Some(later) => idx = advance_to(postings(&mut all[rarest]), later),
        }
    }
    idx
}

impl Cursor {
    /// The score of the word in an entry that has it.
    fn score(&mut self, idx: u32, row: &Row, averages: [f32; 2]) -> f32 {
        let mut tf = self.postings.term_freq() as f32;
        if let Some(context) = &mut self.context
            && seek(context, idx)
        {
            tf += CONTEXT_WEIGHT * context.term_freq() as f32;
        }
        let length = f32::from(row.length(self.lang)) / averages[self.lang as usize];
        self.idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length))
    }
}

/// Where an alternative stands, read forwards.
struct AlternativeCursor<'p> {
    alternative: &'p Alternative,
    /// The entries it stands in, each with how often.
    docs: Vec<(u32, u32)>,
    at: usize,
    idf: f32,
}

/// A group, read forwards.
struct GroupCursor<'p> {
    /// None where a word is nowhere.
    units: Option<Vec<Cursor>>,
    alternatives: Vec<AlternativeCursor<'p>>,
    df: usize,
    required: bool,
}

impl AlternativeCursor<'_> {
    /// The first entry from `idx` on in which it stands, with how often.
    fn advance_to(&mut self, idx: u32) -> Option<(u32, u32)> {
        while self.docs.get(self.at).is_some_and(|(doc, _)| *doc < idx) {
            self.at += 1;
        }
        self.docs.get(self.at).copied()
    }
}

impl GroupCursor<'_> {
    /// The first entry from `from` on that the group matches, [`TERMINATED`] where there is none.
    fn next(&mut self, from: u32) -> u32 {
        let units = self.units.as_mut();
        let words = units.map_or(TERMINATED, |units| meet(units, from, |unit| &mut unit.postings));
        let others = self.alternatives.iter_mut();
        let others = others.filter_map(|other| Some(other.advance_to(from)?.0));
        others.fold(words, u32::min)
    }

    /// How well the group matches an entry, if it does. Entries must be asked for in rising order.
    fn at(&mut self, idx: u32, row: &Row, averages: [f32; 2]) -> Option<(f32, Matched)> {
        let mut best: Option<(f32, Matched)> = None;
        if let Some(units) = &mut self.units
            && units.iter_mut().all(|unit| seek(&mut unit.postings, idx))
        {
            let score = units.iter_mut().map(|unit| unit.score(idx, row, averages)).sum();
            best = Some((score, Matched::Exact));
        }
        for cursor in &mut self.alternatives {
            if let Some((doc, tf)) = cursor.advance_to(idx)
                && doc == idx
            {
                let tf = tf as f32;
                let score = cursor.alternative.weight * cursor.idf * tf * (K1 + 1.0) / (tf + K1);
                let how = best.map_or(cursor.alternative.how, |(_, how)| how);
                best = Some((best.map_or(score, |(other, _)| other.max(score)), how));
            }
        }
        best
    }
}

impl Matcher<'_> {
    fn postings(
        &self,
        field: Field,
        term: &str,
        with: IndexRecordOption,
    ) -> Result<Option<BoxedPostings>, Damaged> {
        let Some(place) = self.dictionary.find(field, term)? else {
            return Ok(None);
        };
        let inverted = self.segment.inverted_index(field).map_err(unreadable)?;
        let postings = inverted.read_postings_from_terminfo(&place, with);
        Ok(Some(Box::new(postings.map_err(unreadable)?)))
    }

    fn idf(&self, df: usize) -> f32 {
        let n = self.segment.max_doc() as f32;
        let df = df as f32;
        (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
    }

    fn cursor(&self, unit: &Unit) -> Result<Option<Cursor>, Damaged> {
        let field = self.fields.of(unit.column);
        let Some(postings) = self.postings(field, &unit.term, IndexRecordOption::WithFreqs)? else {
            return Ok(None);
        };
        let context = match unit.column {
            Column::Han => None,
            _ => self.postings(self.fields.context, &unit.term, IndexRecordOption::WithFreqs)?,
        };
        Ok(Some(Cursor {
            idf: unit.weight * self.idf(postings.doc_freq() as usize),
            postings,
            context,
            lang: match unit.column {
                Column::En => Lang::En,
                Column::Zh | Column::Han => Lang::Zh,
            },
        }))
    }

    fn group<'p>(&self, group: &'p Group) -> Result<GroupCursor<'p>, Damaged> {
        let units = group
            .units
            .iter()
            .map(|unit| self.cursor(unit))
            .collect::<Result<Option<Vec<_>>, _>>()?;
        let mut df = units
            .as_ref()
            .and_then(|units| units.iter().map(|unit| unit.postings.doc_freq() as usize).min());
        let mut alternatives = Vec::new();
        for alternative in &group.alternatives {
            let docs = self.phrase_docs(&alternative.phrase)?;
            *df.get_or_insert(0) += docs.len();
            alternatives.push(AlternativeCursor {
                idf: self.idf(docs.len()),
                alternative,
                docs,
                at: 0,
            });
        }
        Ok(GroupCursor {
            units,
            alternatives,
            df: df.unwrap_or(0),
            required: group.required,
        })
    }

    /// The entries under a word of the `en` field.
    pub fn docs_of(&self, term: &str) -> Result<Vec<u32>, Damaged> {
        self.docs_with_all(&[(Column::En, term.to_owned(), None)])
    }

    /// How many entries have a word.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn n_docs(&self, column: Column, term: &str) -> Result<u32, Damaged> {
        let place = self.dictionary.find(self.fields.of(column), term)?;
        Ok(place.map_or(0, |place| place.doc_freq))
    }

    /// How many entries have a phrase.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn n_with_phrase(&self, phrase: &Phrase) -> Result<usize, Damaged> {
        Ok(self.phrase_docs(phrase)?.len())
    }

    /// Goes through the words that are not before `from`, in order, until `each` breaks off.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn each_word(
        &self,
        column: Column,
        from: &str,
        each: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), Damaged> {
        self.dictionary.each_word(self.fields.of(column), from, each)
    }

    /// How many characters of an entry the words of a plan take up where they stand closest; none where that is not
    /// known. What a title says is said of every word below it.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn span(&self, plan: &Plan, idx: u32) -> Result<Option<u32>, Damaged> {
        let mut places: Vec<(u32, usize)> = Vec::new();
        let mut positions = Vec::new();
        let mut n_groups = 0;
        for group in plan.groups.iter().filter(|group| group.required) {
            // Several words of a group are a name, and stand together. Single Han characters have no places.
            let Some(unit) = group.units.iter().find(|unit| unit.column != Column::Han) else {
                continue;
            };
            let with = IndexRecordOption::WithFreqsAndPositions;
            let postings = self.postings(self.fields.of(unit.column), &unit.term, with)?;
            let Some(mut postings) = postings else {
                return Ok(None);
            };
            if !seek(&mut postings, idx) {
                return Ok(None);
            }
            postings.positions(&mut positions);
            // A title's words stand several times at one place.
            if positions.windows(2).any(|pair| pair[0] == pair[1]) {
                continue;
            }
            places.extend(positions.iter().map(|place| (*place, n_groups)));
            n_groups += 1;
        }
        places.sort_unstable();
        Ok(Some(closest(&places, n_groups)))
    }

    /// Lowers the scores of long entries among the best to what the best passage of each is worth: what has the words of a
    /// question in many places seldom answers it.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn by_passage(&self, plan: &Plan, found: &mut [Candidate]) -> Result<(), Damaged> {
        let best = split_best(found, MAX_PASSAGES).0;
        best.sort_unstable_by_key(|candidate| candidate.idx);
        let (lang, passage) = (plan.lang(), plan.passage());
        let mut words = Vec::new();
        for unit in plan.groups.iter().flat_map(|group| &group.units) {
            let with = IndexRecordOption::WithFreqsAndPositions;
            let is_placed = unit.column != Column::Han;
            if let Some(postings) = is_placed
                .then(|| self.postings(self.fields.of(unit.column), &unit.term, with))
                .transpose()?
                .flatten()
            {
                let worth = unit.weight * self.idf(postings.doc_freq() as usize);
                words.push((postings, worth));
            }
        }
        let (mut positions, mut places) = (Vec::new(), Vec::new());
        for candidate in best {
            if f32::from(candidate.row.length(lang)) <= LONG * self.averages[lang as usize] {
                continue;
            }
            places.clear();
            let (mut all, mut anywhere) = (0.0, 0.0);
            for (word, (postings, worth)) in words.iter_mut().enumerate() {
                if !seek(postings, candidate.idx) {
                    continue;
                }
                postings.positions(&mut positions);
                all += *worth;
                // A title's words stand several times at one place, and are said of every word below it.
                match positions.windows(2).any(|pair| pair[0] == pair[1]) {
                    true => anywhere += *worth,
                    false => places.extend(positions.iter().map(|place| (*place, word))),
                }
            }
            places.sort_unstable();
            let there = anywhere + best_passage(&places, passage, words.len(), |word| words[word].1);
            if all > 0.0 {
                candidate.score *= (there / all).min(1.0);
            }
        }
        Ok(())
    }

    /// The entries that have all words, wherever they stand, in order.
    pub fn docs_with_all(&self, words: &[(Column, String, Option<u32>)]) -> Result<Vec<u32>, Damaged> {
        let mut all = Vec::with_capacity(words.len());
        for (column, term, _) in words {
            match self.postings(self.fields.of(*column), term, IndexRecordOption::Basic)? {
                Some(postings) => all.push(postings),
                None => return Ok(Vec::new()),
            }
        }
        let mut docs = Vec::new();
        let mut idx = meet(&mut all, 0, |postings| postings);
        while idx != TERMINATED {
            docs.push(idx);
            idx = meet(&mut all, idx + 1, |postings| postings);
        }
        Ok(docs)
    }

    /// The entries in which a phrase stands, in order, each with how often.
    fn phrase_docs(&self, phrase: &Phrase) -> Result<Vec<(u32, u32)>, Damaged> {
        let mut docs = Vec::new();
        if let [(column, term, _)] = phrase.words.as_slice() {
            let with = IndexRecordOption::WithFreqs;
            if let Some(mut postings) = self.postings(self.fields.of(*column), term, with)? {
                while postings.doc() != TERMINATED {
                    docs.push((postings.doc(), postings.term_freq()));
                    postings.advance();
                }
            }
            return Ok(docs);
        }
        let mut reader = PhraseReader::new(self, phrase)?;
        let mut idx = reader.next(0);
        while idx != TERMINATED {
            match reader.count(idx) {
                0 => {}
                n => docs.push((idx, n)),
            }
            idx = reader.next(idx + 1);
        }
        Ok(docs)
    }

    /// The entries that match every required group and pass.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn all(
        &self,
        plan: &Plan,
        mut passes: impl FnMut(u32, &Row) -> Result<bool, Damaged>,
    ) -> Result<Vec<Candidate>, Damaged> {
        let mut groups = plan
            .groups
            .iter()
            .map(|group| self.group(group))
            .collect::<Result<Vec<_>, _>>()?;
        let rarest = (0..groups.len())
            .filter(|at| groups[*at].required)
            .min_by_key(|at| groups[*at].df);
        let Some(rarest) = rarest.filter(|rarest| groups[*rarest].df > 0) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let mut idx = groups[rarest].next(0);
        while idx != TERMINATED {
            found.extend(self.candidate(plan, &mut groups, idx, &mut passes)?);
            idx = groups[rarest].next(idx + 1);
        }
        Ok(found)
    }

    /// An entry, if it matches every required group and passes.
    fn candidate(
        &self,
        plan: &Plan,
        groups: &mut [GroupCursor<'_>],
        idx: u32,
        mut passes: impl FnMut(u32, &Row) -> Result<bool, Damaged>,
    ) -> Result<Option<Candidate>, Damaged> {
        let row = self.columns.row(idx)?;
        // Filters cost less than scores, phrases that must be read in the text cost more.
        if plan.quoted.is_empty() && !passes(idx, &row)? {
            return Ok(None);
        }
        let mut candidate = Candidate {
            idx,
            row,
            score: 0.0,
            how: Matched::Exact,
        };
        for group in groups {
            match group.at(idx, &row, self.averages) {
                Some((score, how)) => {
                    candidate.score += score;
                    candidate.how = candidate.how.max(how);
                }
                None if group.required => return Ok(None),
                None => {}
            }
        }
        Ok((plan.quoted.is_empty() || passes(idx, &row)?).then_some(candidate))
    }

    /// The entries that match some of the groups and pass, the better the more: those that have [`MOST`] of the
    /// words, and those whose words are worth at least [`WORTH`] of what the best ones' are. Only an entry that
    /// has them all is no fallback.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn most(
        &self,
        plan: &Plan,
        mut passes: impl FnMut(u32, &Row) -> Result<bool, Damaged>,
    ) -> Result<Vec<Candidate>, Damaged> {
        let n = self.segment.max_doc() as usize;
        let (mut scores, mut counts) = (vec![0.0f32; n], vec![0u16; n]);
        let mut n_required = 0u16;
        for group in &plan.groups {
            let mut cursor = self.group(group)?;
            n_required += u16::from(group.required);
            let mut idx = cursor.next(0);
            while idx != TERMINATED {
                let row = self.columns.row(idx)?;
                if let Some((score, _)) = cursor.at(idx, &row, self.averages)
                    && let (Some(sum), Some(count)) =
                        (scores.get_mut(idx as usize), counts.get_mut(idx as usize))
                {
                    *sum += score;
                    *count += u16::from(group.required);
                }
                idx = cursor.next(idx + 1);
            }
        }
        let mut best = 0.0f32;
        let mut found = Vec::new();
        for (idx, (score, count)) in (0u32..).zip(scores.iter().zip(&counts)) {
            // Most entries fall short of the best so far; only the others are looked at closely.
            let has_most = f32::from(*count) >= MOST * f32::from(n_required);
            if *count == 0 || !(has_most || *score >= WORTH * best) {
                continue;
            }
            let row = self.columns.row(idx)?;
            if passes(idx, &row)? {
                best = best.max(*score);
                let how = if *count == n_required {
                    Matched::Folded
                } else {
                    Matched::Fallback
                };
                found.push((
                    has_most,
                    Candidate {
                        idx,
                        row,
                        score: *score,
                        how,
                    },
                ));
            }
        }
        found.retain(|(has_most, candidate)| *has_most || candidate.score >= WORTH * best);
        Ok(found.into_iter().map(|(_, candidate)| candidate).collect())
    }

    /// Adds what the phrases of a plan are worth to the candidates to which it `matters`, given the most that it may be;
    /// returns the most that it may be to any. Leaves them in order of their entries.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn add_phrases(
        &self,
        plan: &Plan,
        found: &mut [Candidate],
        matters: impl Fn(&Candidate, f32) -> bool,
    ) -> Result<f32, Damaged> {
        found.sort_unstable_by_key(|candidate| candidate.idx);
        let readers = plan.phrases.iter().map(|phrase| PhraseReader::new(self, phrase));
        let mut readers = readers.collect::<Result<Vec<_>, _>>()?;
        let all: f32 = readers.iter().map(|reader| reader.worth(u32::MAX)).sum();
        let mut left = all;
        for reader in &mut readers {
            left -= reader.worth(u32::MAX);
            for candidate in &mut *found {
                let most = reader.most(candidate.idx);
                if most > 0 && matters(candidate, (reader.worth(most) + left) * (1.0 + ROUNDING)) {
                    let n = reader.count(candidate.idx);
                    candidate.score += reader.worth(n);
                }
            }
        }
        Ok(all * (1.0 + ROUNDING))
    }
}

/// The most that words are worth which stand within so many characters, each counted once.
fn best_passage(places: &[(u32, usize)], length: u32, n_words: usize, worth: impl Fn(usize) -> f32) -> f32 {
    let mut counts = vec![0usize; n_words];
    let (mut first, mut sum, mut most) = (0, 0.0, 0.0f32);
    for (place, word) in places {
        if counts[*word] == 0 {
            sum += worth(*word);
        }
        counts[*word] += 1;
        while place - places[first].0 > length {
            let gone = places[first].1;
            counts[gone] -= 1;
            if counts[gone] == 0 {
                sum -= worth(gone);
            }
            first += 1;
        }
        most = most.max(sum);
    }
    most
}

/// The least from first to last among places of which each is some group's, so that every group has one of them.
fn closest(places: &[(u32, usize)], n_groups: usize) -> u32 {
    let mut counts = vec![0usize; n_groups];
    let (mut first, mut n_there, mut least) = (0, 0, u32::MAX);
    for (last, group) in places {
        n_there += usize::from(counts[*group] == 0);
        counts[*group] += 1;
        while n_there == n_groups {
            let (from, group) = places[first];
            least = least.min(last - from);
            counts[group] -= 1;
            n_there -= usize::from(counts[group] == 0);
            first += 1;
        }
    }
    if n_groups == 0 { 0 } else { least }
}

/// More than sums of a few numbers lose by rounding, of the whole.
const ROUNDING: f32 = 0.001;

/// Counts a phrase in entries asked for in rising order.
struct PhraseReader {
    /// Postings of its words, those that have positions with their distance from the start. Empty where one is nowhere.
    words: Vec<(BoxedPostings, Option<u32>)>,
    idf: f32,
    starts: Vec<u32>,
    next: Vec<u32>,
}

impl PhraseReader {
    fn new(matcher: &Matcher<'_>, phrase: &Phrase) -> Result<Self, Damaged> {
        let mut reader = Self {
            words: Vec::with_capacity(phrase.words.len()),
            idf: 0.0,
            starts: Vec::new(),
            next: Vec::new(),
        };
        for (column, term, distance) in &phrase.words {
            let with = match distance {
                Some(_) => IndexRecordOption::WithFreqsAndPositions,
                None => IndexRecordOption::WithFreqs,
            };
            let Some(postings) = matcher.postings(matcher.fields.of(*column), term, with)? else {
                reader.words.clear();
                break;
            };
            reader.idf += matcher.idf(postings.doc_freq() as usize);
            reader.words.push((postings, *distance));
        }
        Ok(reader)
    }

    /// What it is worth to an entry in which it stands so often.
    fn worth(&self, n: u32) -> f32 {
        let n = n as f32;
        PHRASE_WEIGHT * self.idf * n * (K1 + 1.0) / (n + K1)
    }

    /// The first entry from `from` on that has all of its words.
    fn next(&mut self, from: u32) -> u32 {
        meet(&mut self.words, from, |(postings, _)| postings)
    }

    /// How often it may stand in an entry at most: as often as the rarest of its words. That is known without reading
    /// where they stand, which costs most.
    fn most(&mut self, idx: u32) -> u32 {
        if !self.words.iter_mut().all(|(postings, _)| seek(postings, idx)) {
            return 0;
        }
        let frequencies = self
            .words
            .iter()
            .map(|(postings, distance)| (distance, postings.term_freq()));
        let placed = frequencies.clone().filter(|(distance, _)| distance.is_some());
        let most = placed.map(|(_, n)| n).min();
        most.or(frequencies.map(|(_, n)| n).min()).unwrap_or(0)
    }

    /// How often it stands in an entry.
    fn count(&mut self, idx: u32) -> u32 {
        let most = self.most(idx);
        let placed = self.words.iter_mut();
        let mut placed = placed.filter_map(|(postings, distance)| Some((postings, (*distance)?)));
        let Some((first, distance)) = placed.next().filter(|_| most > 0) else {
            return most;
        };
        first.positions(&mut self.starts);
        // A title's words stand several times at one place.
        self.starts.dedup();
        self.starts
            .iter_mut()
            .for_each(|start| *start = start.wrapping_sub(distance));
        for (postings, distance) in placed {
            postings.positions(&mut self.next);
            let next = &self.next;
            self.starts
                .retain(|start| next.binary_search(&start.wrapping_add(distance)).is_ok());
            if self.starts.is_empty() {
                return 0;
            }
        }
        self.starts.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::{best_passage, closest};

    #[test]
    fn the_closest_places_of_several_words() {
        assert_eq!(closest(&[], 0), 0);
        assert_eq!(closest(&[(3, 0), (9, 0)], 1), 0);
        assert_eq!(closest(&[(1, 0), (40, 1), (45, 0), (90, 1)], 2), 5);
        assert_eq!(closest(&[(1, 0), (2, 1), (60, 2), (70, 1), (75, 0)], 3), 15);
        assert_eq!(closest(&[(1, 0), (2, 0)], 2), u32::MAX);
    }

    #[test]
    fn the_best_passage_of_several_words() {
        let worths = [1.0, 2.0, 4.0];
        let best = |places: &[(u32, usize)]| best_passage(places, 10, 3, |word| worths[word]);
        assert_eq!(best(&[]), 0.0);
        assert_eq!(best(&[(5, 0), (15, 1), (26, 2)]), 4.0);
        assert_eq!(best(&[(5, 0), (15, 1), (25, 2)]), 6.0);
        assert_eq!(best(&[(5, 0), (6, 0), (15, 1), (40, 2), (50, 0), (51, 0)]), 5.0);
    }
}
