//! Searching: a plan is matched against the postings, the best are read and highlighted.
//!
//! A query is tried as typed first: every word must be found. If nothing is, its Chinese is looked up as pairs of
//! characters, and if there is still nothing, most of its words will do; hits of these two are marked
//! [`Matched::Fallback`]. Where few hits have every word of a question, those that have a part of it follow, so marked.

use crate::corpus::{Damaged, Entries as _};
use crate::entry::{Entry, Field, Lang};
use crate::fold::{Folded, is_han};
use crate::index::codec::{self, Table};
use crate::index::columns::Row;
use crate::index::dictionary::Dictionary;
use crate::index::directory::PackedDirectory;
use crate::index::filter::Filter;
use crate::index::highlight::Highlighter;
use crate::index::matching::{Candidate, Matcher};
use crate::index::pack::Pack;
use crate::index::plan::{Cut, Plan, Planner, SENTENCE};
use crate::index::rank::{Ranking, kind_weight};
use crate::index::respell::{Closely, Respeller, is_short_han};
use crate::index::sorted::SortedMap;
use crate::index::terms::Terms;
use crate::index::tokens::Stems;
use crate::index::write::{Fields, SEGMENT};
use crate::index::{Index, highlight};
use crate::query::{Query, Search, Wanted};
use crate::segment::Segmenter;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};
use tantivy::SegmentReader;
use tantivy::directory::OwnedBytes;
use tantivy::index::SegmentId;

/// How a hit came to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matched {
    /// The words stand there as typed.
    Exact,
    /// But for case, width, script, inflection, the spelling of a number.
    Folded,
    /// By another name in the same language.
    Alias,
    /// By the name in the other language.
    CrossLanguage,
    /// Not all that was asked for is there.
    Fallback,
}

impl Matched {
    /// The word that is printed: `cross-language`.
    pub fn as_str(self) -> &'static str {
        match self {
            Matched::Exact => "exact",
            Matched::Folded => "folded",
            Matched::Alias => "alias",
            Matched::CrossLanguage => "cross-language",
            Matched::Fallback => "fallback",
        }
    }
}

/// A place in a text of an entry that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// Which field.
    pub field: Field,
    /// The language of the text.
    pub lang: Lang,
    /// Which of the field's values, from 0: the third example, the second card.
    pub item: usize,
    /// The bytes of the text; on grapheme boundaries.
    pub byte: Range<usize>,
    /// The same in characters.
    pub char: Range<usize>,
}

/// An entry that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its place in reading order.
    pub idx: u32,
    /// The entry.
    pub entry: Entry,
    /// How good it is, among the hits of this search only.
    pub score: f64,
    /// How it came to match.
    pub matched: Matched,
    /// What matches, by field, language, item and place; empty where the search does not ask for it.
    pub highlights: Vec<Highlight>,
}

/// What another name brought into a search, for `--explain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// The words of the query, as they are looked up.
    pub from: String,
    /// What else was looked up in their place, folded.
    pub to: String,
    /// Why.
    pub how: Matched,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Hits {
    /// How many there are, over all pages, with those that are marked [`Matched::Fallback`].
    pub total: usize,
    /// Those of the page asked for, best first; of equally good ones the first in reading order.
    pub hits: Vec<Hit>,
    /// What else was looked up.
    pub expansions: Vec<Expansion>,
    /// What was looked up beside words that hardly a text has: two words for one, a name for its initials, a word for one
    /// with a slip in it ([`Matched::Fallback`]).
    pub respelt: Vec<Expansion>,
}

/// What of an index only a search needs.
pub struct Searcher {
    dictionary: Dictionary,
    segment: Option<SegmentReader>,
    fields: Fields,
    labels: Table,
    terms: Terms,
    words: OnceLock<Result<Segmenter<OwnedBytes>, Damaged>>,
    pack: Pack,
    stems: Mutex<Stems>,
    averages: [f32; 2],
}

impl std::fmt::Debug for Searcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher")
            .field("averages", &self.averages)
            .finish_non_exhaustive()
    }
}

/// What tantivy says when it cannot read.
pub fn unreadable(error: impl std::fmt::Display) -> Damaged {
    Damaged(error.to_string())
}

impl Searcher {
    /// Opens what searching in so many entries needs.
    ///
    /// # Errors
    ///
    /// When it is damaged.
    pub fn open(pack: &Pack, n_entries: u32) -> Result<Searcher, Damaged> {
        let index = tantivy::Index::open(PackedDirectory::new(pack.clone())).map_err(unreadable)?;
        // There is one segment, with a document for each entry; tantivy would read its list of segments again.
        let id = SegmentId::from_uuid_string(SEGMENT).map_err(unreadable)?;
        let segment = (n_entries > 0).then(|| index.segment(index.new_segment_meta(id, n_entries)));
        let segment = segment.as_ref().map(SegmentReader::open);
        let segment = segment.transpose().map_err(unreadable)?;
        let (_, fields) = Fields::schema();
        let averages = pack.expect("averages")?;
        let average =
            |lang: Lang| Ok::<_, Damaged>(f32::from_bits(averages.u32(4 * lang as usize)?).max(1.0));
        let map = |leaves, firsts| SortedMap::new(pack.expect(leaves)?, pack.expect(firsts)?);
        Ok(Searcher {
            dictionary: Dictionary(map("posting-words", "posting-firsts")?),
            segment,
            fields,
            labels: Table::new(pack.expect("labels")?)?,
            terms: Terms(map("terms", "term-firsts")?),
            words: OnceLock::new(),
            pack: pack.clone(),
            stems: Mutex::new(Stems::default()),
            averages: [average(Lang::En)?, average(Lang::Zh)?],
        })
    }

    fn planner<'a>(&'a self, stems: &'a mut Stems) -> Result<Planner<'a, OwnedBytes>, Damaged> {
        let words = self.words.get_or_init(|| {
            let section = self.pack.expect("words")?;
            Segmenter::new(section.owned(0..section.len())?).map_err(unreadable)
        });
        Ok(Planner {
            segmenter: words.as_ref().map_err(Clone::clone)?,
            terms: &self.terms,
            stems,
        })
    }

    /// Answers a search.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn search(&self, index: &Index, search: &Search) -> Result<Hits, Damaged> {
        let Some(segment) = &self.segment else {
            return Ok(Hits::default());
        };
        let filter = Filter::new(index, &self.labels, &search.filters)?;
        let mut stems = self.stems.lock().unwrap_or_else(PoisonError::into_inner);
        let matcher = Matcher {
            dictionary: &self.dictionary,
            segment,
            fields: self.fields,
            columns: &index.columns,
            averages: self.averages,
        };
        match &search.wanted {
            Wanted::Exact(text) => self.exact(index, search, text, &filter, &matcher, &mut stems),
            Wanted::Query(query) => self.query(index, search, query, &filter, &matcher, &mut stems),
        }
    }

    fn query(
        &self,
        index: &Index,
        search: &Search,
        query: &Query,
        filter: &Filter<'_>,
        matcher: &Matcher<'_>,
        stems: &mut Stems,
    ) -> Result<Hits, Damaged> {
        let passes = |plan: &Plan, idx: u32, row: &Row| {
            Ok(filter.passes(idx, row)? && holds_phrases(index, idx, &plan.quoted)?)
        };
        let mut first = self.candidates(index, query, filter, matcher, stems, passes)?;
        let ranking = Ranking::new(index, query, &first.respelt, first.plan(), matcher)?;
        let mut followers = None;
        if !ranking.knows_what_is_meant() {
            followers = self.partial(query, &mut first, matcher, stems, passes)?;
        }
        let is_followed = followers.is_some();
        let mut answer = Hits {
            expansions: expansions(first.plan()),
            respelt: first.respelt,
            ..Hits::default()
        };
        let mut tiers = vec![(first.other.unwrap_or(first.words), first.found)];
        tiers.extend(followers);
        let mut ceiling = f32::INFINITY;
        for (plan, found) in &mut tiers {
            let [start, end] = [search.offset, search.offset.saturating_add(search.limit)]
                .map(|at| at.saturating_sub(answer.total));
            // What others follow has whole scores on whatever page it is shown: they are measured against the last.
            ranking.score(plan, matcher, found, if is_followed { end.max(FEW) } else { end })?;
            if is_followed {
                ceiling = lower(found, ceiling);
            }
            answer.total += found.len();
            let highlighter = search.marks.then(|| Highlighter::new(plan));
            for candidate in page(found, start..end) {
                let entry = index.entry(candidate.idx)?;
                let matched = candidate.how.max(as_typed(&entry, query));
                let highlighter = highlighter.as_ref();
                let highlights = highlighter.map(|highlighter| highlighter.highlights(&entry, stems));
                answer.hits.push(Hit {
                    idx: candidate.idx,
                    score: f64::from(candidate.score),
                    matched,
                    highlights: highlights.unwrap_or_default(),
                    entry,
                });
            }
        }
        Ok(answer)
    }

    /// What follows where only few have all of a query, with the plan by which it does: what has a part of a question,
    /// and what has the characters of a short Chinese word apart. What has all of a question, but scattered over a long
    /// text, is moved there.
    fn partial(
        &self,
        query: &Query,
        first: &mut First,
        matcher: &Matcher<'_>,
        stems: &mut Stems,
        passes: impl Fn(&Plan, u32, &Row) -> Result<bool, Damaged>,
    ) -> Result<Option<(Plan, Vec<Candidate>)>, Damaged> {
        // Quotes ask for just that, and what stands in them would be looked for in most texts.
        if !(1..FEW).contains(&first.found.len()) || query.clauses.iter().any(|clause| clause.quoted) {
            return Ok(None);
        }
        let (plan, mut partial) = if is_short_han(query) {
            let plan = self.planner(stems)?.plan(query, Cut::Singles)?;
            let found = matcher.all(&plan, |idx, row| passes(&plan, idx, row))?;
            (plan, as_fallback(found))
        } else {
            let plan = first.words.clone();
            if plan.n_words() < QUESTION || plan.n_required() >= SENTENCE {
                return Ok(None);
            }
            let mut partial = matcher.most(&plan, |idx, row| passes(&plan, idx, row))?;
            matcher.by_passage(&plan, &mut partial)?;
            (plan, partial)
        };
        let mut near = Vec::new();
        for candidate in std::mem::take(&mut first.found) {
            let span = matcher.span(first.plan(), candidate.idx)?;
            if span.is_none_or(|span| span <= first.plan().together()) {
                near.push(candidate);
            }
        }
        first.found = near;
        partial.retain(|candidate| first.found.iter().all(|other| other.idx != candidate.idx));
        Ok((!partial.is_empty()).then_some((plan, partial)))
    }

    /// What matches a query, with the plan by which it does.
    fn candidates(
        &self,
        index: &Index,
        query: &Query,
        filter: &Filter<'_>,
        matcher: &Matcher<'_>,
        stems: &mut Stems,
        passes: impl Fn(&Plan, u32, &Row) -> Result<bool, Damaged>,
    ) -> Result<First, Damaged> {
        let mut planner = self.planner(stems)?;
        let all = |plan: &Plan| matcher.all(plan, |idx, row| passes(plan, idx, row));
        let most = |plan: &Plan| {
            let mut found = matcher.most(plan, |idx, row| passes(plan, idx, row))?;
            matcher.by_passage(plan, &mut found)?;
            Ok::<_, Damaged>(found)
        };
        let mut words = planner.plan(query, Cut::Words)?;
        let find = |words: &Plan| match words.n_required() < SENTENCE {
            true => all(words),
            false => most(words),
        };
        let mut found = find(&words)?;
        let mut respelt = Vec::new();
        if found.len() < FEW || words.n_required() >= SENTENCE {
            let mut respeller = Respeller {
                index,
                filter,
                matcher,
                planner: &mut planner,
            };
            let closely = match (found.is_empty(), words.n_required() < SENTENCE) {
                (true, true) => Closely::Slips,
                (false, true) => Closely::Words,
                // An unknown word is a name more often than a slip there, and other words say enough.
                (_, false) => Closely::UnknownWords,
            };
            respelt = respeller.respell(query, closely, &mut words)?;
            if !respelt.is_empty() {
                found = find(&words)?;
            }
        }
        let mut first = First {
            words,
            other: None,
            found,
            respelt,
        };
        if !first.found.is_empty() || query.clauses.iter().all(|clause| clause.quoted) {
            return Ok(first);
        }
        let pairs = planner.plan(query, Cut::Pairs)?;
        first.found = as_fallback(all(&pairs)?);
        if !first.found.is_empty() {
            first.other = Some(pairs);
            return Ok(first);
        }
        if is_short_han(query) {
            let singles = planner.plan(query, Cut::Singles)?;
            first.found = as_fallback(all(&singles)?);
            if !first.found.is_empty() {
                first.other = Some(singles);
                return Ok(first);
            }
        }
        first.found = as_fallback(most(&first.words)?);
        if first.found.is_empty() {
            first.found = as_fallback(most(&pairs)?);
            first.other = Some(pairs);
        }
        Ok(first)
    }

    /// Every entry with a text that contains these very characters.
    fn exact(
        &self,
        index: &Index,
        search: &Search,
        wanted: &str,
        filter: &Filter<'_>,
        matcher: &Matcher<'_>,
        stems: &mut Stems,
    ) -> Result<Hits, Damaged> {
        // Pairs of Han characters narrow the search. Anything else may be a part of a word that is indexed whole.
        let folded = Folded::new(wanted);
        let mut words = self.planner(stems)?.phrase(folded.chars()).words;
        words.retain(|(_, term, _)| term.chars().all(is_han));
        let candidates = match words.is_empty() {
            true => (0..index.len() as u32).collect(),
            false => matcher.docs_with_all(&words)?,
        };
        let mut found = Vec::new();
        for idx in candidates {
            let row = index.columns.row(idx)?;
            if !filter.passes(idx, &row)? {
                continue;
            }
            let mut score = 0.0f32;
            for (field, _, text) in codec::texts(index.record(idx)?)? {
                let n = text.matches(wanted).count();
                if n > 0 {
                    let weight = match field {
                        Field::Title | Field::Alias | Field::Card if text == wanted => 8.0,
                        Field::Title | Field::Alias => 4.0,
                        Field::Card => 2.0,
                        _ => 1.0,
                    };
                    score = score.max(weight + 0.1 * n.min(9) as f32);
                }
            }
            if score > 0.0 {
                let score = score * kind_weight(row.kind());
                found.push(Candidate {
                    idx,
                    row,
                    score,
                    how: Matched::Exact,
                });
            }
        }
        let total = found.len();
        let mut hits = Vec::new();
        let end = search.offset.saturating_add(search.limit);
        for candidate in page(&mut found, search.offset..end) {
            let entry = index.entry(candidate.idx)?;
            let highlights = search.marks.then(|| highlight::of_characters(&entry, wanted));
            hits.push(Hit {
                idx: candidate.idx,
                entry,
                score: f64::from(candidate.score),
                matched: Matched::Exact,
                highlights: highlights.unwrap_or_default(),
            });
        }
        Ok(Hits {
            total,
            hits,
            ..Hits::default()
        })
    }
}

/// What is found first.
struct First {
    /// The words of the query.
    words: Plan,
    /// By which plan it is found, where not by its words.
    other: Option<Plan>,
    /// What is.
    found: Vec<Candidate>,
    /// What else its words were taken for.
    respelt: Vec<Expansion>,
}

impl First {
    /// By which plan it is found.
    fn plan(&self) -> &Plan {
        self.other.as_ref().unwrap_or(&self.words)
    }
}

/// The candidates of a page, in order. Only those that are shown are sorted.
fn page(found: &mut [Candidate], shown: Range<usize>) -> &[Candidate] {
    let end = shown.end.min(found.len());
    if end < found.len() {
        found.select_nth_unstable_by(end, Candidate::order);
    }
    let best = &mut found[..end];
    best.sort_unstable_by(Candidate::order);
    best.get(shown.start..).unwrap_or_default()
}

/// Scales scores so that none is above the ceiling; returns the lowest.
fn lower(found: &mut [Candidate], ceiling: f32) -> f32 {
    let best = found.iter().map(|candidate| candidate.score).fold(0.0, f32::max);
    if best > ceiling {
        let scale = ceiling / best;
        found.iter_mut().for_each(|candidate| candidate.score *= scale);
    }
    found
        .iter()
        .map(|candidate| candidate.score)
        .fold(ceiling, f32::min)
}

fn as_fallback(mut found: Vec<Candidate>) -> Vec<Candidate> {
    for candidate in &mut found {
        candidate.how = Matched::Fallback;
    }
    found
}

/// From so many words on, what has a part of a query follows what has all of it, where that is [less than a page](FEW):
/// one long passage that has every word of a question seldom answers it. Of two words, half is another question.
const QUESTION: usize = 3;

/// A page as most see it, whatever page is asked for, so that pages continue each other.
const FEW: usize = 10;

/// True when each phrase stands in some text of the entry. A Latin word must be there whole.
fn holds_phrases(index: &Index, idx: u32, phrases: &[Vec<char>]) -> Result<bool, Damaged> {
    if phrases.is_empty() {
        return Ok(true);
    }
    let texts = codec::texts(index.record(idx)?)?;
    let texts: Vec<Folded<'_>> = texts.iter().map(|(_, _, text)| Folded::new(text)).collect();
    Ok(phrases.iter().all(|phrase| {
        texts
            .iter()
            .any(|text| highlight::phrase_at(text.chars(), phrase, 0).is_some())
    }))
}

/// Exact, if every clause stands in some text of the entry as it was typed or is its number, otherwise folded.
fn as_typed(entry: &Entry, query: &Query) -> Matched {
    let stands = |clause: &crate::query::Clause| {
        let typed = &query.text[clause.span.clone()];
        let is_number = entry
            .citation
            .as_ref()
            .is_some_and(|number| number.as_str() == typed);
        is_number || entry.texts().any(|(_, _, text)| text.contains(typed))
    };
    match query.clauses.iter().all(stands) {
        true => Matched::Exact,
        false => Matched::Folded,
    }
}

fn expansions(plan: &Plan) -> Vec<Expansion> {
    let mut expansions = Vec::new();
    for group in &plan.groups {
        let from: Vec<&str> = group.units.iter().map(|unit| unit.term.as_str()).collect();
        for alternative in &group.alternatives {
            expansions.push(Expansion {
                from: from.join(" "),
                to: alternative.phrase.chars.iter().collect(),
                how: alternative.how,
            });
        }
    }
    expansions
}
