//! In what order candidates are shown: by their words, by the phrases of the query that stand in them, and by what else
//! is known of them.

use crate::corpus::{Damaged, Entries as _, Key};
use crate::entry::Kind;
use crate::fold::{fold_key, singulars};
use crate::index::Index;
use crate::index::matching::{Candidate, Matcher};
use crate::index::plan::Plan;
use crate::index::search::Expansion;
use crate::index::write::own_number_term;
use crate::query::Query;
use crate::segment::RunKind;

/// How much a hit is worth besides its words, where the best words give [`WORDS`].
const WORDS: f32 = 1.7;
const CITED: f32 = 0.14;
const IS_TERM: f32 = 2.0;
const IS_NAMED: f32 = 1.5;
const OWN_NUMBER: f32 = 3.0;

/// Entries of one name that are ranked by it.
const MAX_NAMED: usize = 256;

/// Candidates whose phrases are looked for: the best by words alone.
const MAX_PHRASED: usize = 1000;

/// For each hit that is shown, candidates whose phrases are looked for whatever the others are worth, and how many these
/// are at least.
const FIRST_PER_SHOWN: usize = 4;
const MIN_FIRST: usize = 64;

/// What the words of a ruling count against those of a rule.
pub fn kind_weight(kind: Option<Kind>) -> f32 {
    match kind {
        Some(Kind::Ruling) => 0.75,
        _ => 1.0,
    }
}

/// What is known of entries for a query, besides their words.
#[derive(Debug)]
pub struct Ranking {
    /// Those that are called as the query says, in order.
    named: Vec<u32>,
    /// Those that have a number of the query, in order.
    numbered: Vec<u32>,
}

impl Ranking {
    /// Looks up what the query names.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn new(
        index: &Index,
        query: &Query,
        respelt: &[Expansion],
        plan: &Plan,
        matcher: &Matcher<'_>,
    ) -> Result<Self, Damaged> {
        let mut named = Vec::new();
        let mut name = fold_key(&query.text);
        for Expansion { from, to, .. } in respelt {
            name = name.replace(from, to);
        }
        let mut add = |prefix: String| {
            for (_, entries) in index.with_prefix(&prefix, MAX_NAMED)? {
                named.extend(entries);
            }
            Ok::<_, Damaged>(!named.is_empty())
        };
        let is_name = add(Key::name_prefix(&name))? | add(Key::card_prefix(&name))?;
        if !is_name {
            if name.contains('-') {
                add(Key::name_prefix(&name.replace('-', " ")))?;
            }
            for singular in singulars(&name) {
                add(Key::name_prefix(&singular))?;
            }
        }
        named.sort_unstable();
        let mut numbered = Vec::new();
        for clause in &query.clauses {
            for run in clause.runs.iter().filter(|run| run.kind == RunKind::Number) {
                let number: String = clause.run(run).iter().collect();
                // A plain figure among other words is no citation.
                if plan.groups.len() > 2 && number.bytes().all(|b| b.is_ascii_digit()) {
                    continue;
                }
                numbered.extend(matcher.docs_of(&own_number_term(&number))?);
            }
        }
        numbered.sort_unstable();
        Ok(Self { named, numbered })
    }

    /// True when the query as a whole is a name, or has a number of an entry: it is no question.
    pub fn knows_what_is_meant(&self) -> bool {
        !self.named.is_empty() || !self.numbered.is_empty()
    }

    /// Gives candidates, whose scores are those of their words, their whole scores. Of those that do not come among the
    /// `shown` best it only matters that they do not.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn score(
        &self,
        plan: &Plan,
        matcher: &Matcher<'_>,
        found: &mut [Candidate],
        shown: usize,
    ) -> Result<(), Damaged> {
        if !plan.phrases.is_empty() && !found.is_empty() {
            self.add_phrases(plan, matcher, found, shown.max(1))?;
        }
        let best = best_of(found);
        for candidate in found {
            candidate.score = self.worth(candidate, weighed(candidate, 0.0), best);
        }
        Ok(())
    }

    /// What a candidate is worth for its words and all else, where the best words are worth `best`.
    fn worth(&self, candidate: &Candidate, words: f32, best: f32) -> f32 {
        let row = &candidate.row;
        let mut worth = WORDS * words / best + CITED * (1.0 + f32::from(row.n_citing())).ln();
        if self.named.binary_search(&candidate.idx).is_ok() {
            worth += match row.kind() {
                Some(Kind::Term) => IS_TERM,
                _ => IS_NAMED,
            };
        }
        if self.numbered.binary_search(&candidate.idx).is_ok() {
            worth += OWN_NUMBER;
        }
        worth
    }

    /// Adds what the phrases of the query are worth to those candidates that may be shown for it.
    ///
    /// Where the words of a phrase stand is the dearest thing that a search reads. So it is read of the best by words
    /// first, and of the others only if the phrase would bring them past those.
    fn add_phrases(
        &self,
        plan: &Plan,
        matcher: &Matcher<'_>,
        found: &mut [Candidate],
        shown: usize,
    ) -> Result<(), Damaged> {
        let (phrased, others) = split_best(found, MAX_PHRASED);
        let n_first = shown.saturating_mul(FIRST_PER_SHOWN).max(MIN_FIRST);
        let (first, rest) = split_best(phrased, n_first);
        let most = matcher.add_phrases(plan, first, |_, _| true)?;
        if rest.is_empty() {
            return Ok(());
        }
        // The best words are worth at least `low` and at most `high`; whoever is shown, at least `needed`.
        let low = best_of(first).max(best_of(rest)).max(best_of(others));
        let high = rest
            .iter()
            .map(|candidate| weighed(candidate, most))
            .fold(low, f32::max);
        let worths = first
            .iter()
            .map(|candidate| self.worth(candidate, weighed(candidate, 0.0), high));
        let mut worths: Vec<f32> = worths.collect();
        let (_, needed, _) = worths.select_nth_unstable_by(shown - 1, |a, b| b.total_cmp(a));
        let needed = *needed;
        let matters = |candidate: &Candidate, most: f32| {
            let words = weighed(candidate, most);
            words > low || self.worth(candidate, words, low) >= needed
        };
        let n = to_front(rest, |candidate| matters(candidate, most));
        if n > 0 {
            matcher.add_phrases(plan, &mut rest[..n], matters)?;
        }
        Ok(())
    }
}

/// Moves the candidates that are wanted to the front; returns how many they are.
fn to_front(found: &mut [Candidate], wanted: impl Fn(&Candidate) -> bool) -> usize {
    let mut n = 0;
    for at in 0..found.len() {
        if wanted(&found[at]) {
            found.swap(n, at);
            n += 1;
        }
    }
    n
}

/// What a candidate's words are worth with so much more, by its kind.
fn weighed(candidate: &Candidate, more: f32) -> f32 {
    (candidate.score + more) * kind_weight(candidate.row.kind())
}

/// What the best words are worth.
fn best_of(found: &[Candidate]) -> f32 {
    let words = found.iter().map(|candidate| weighed(candidate, 0.0));
    words.fold(f32::MIN_POSITIVE, f32::max)
}

/// The `n` best candidates by their scores, and the others, each in any order.
pub fn split_best(found: &mut [Candidate], n: usize) -> (&mut [Candidate], &mut [Candidate]) {
    let n = n.min(found.len());
    if n < found.len() {
        found.select_nth_unstable_by(n, Candidate::order);
    }
    found.split_at_mut(n)
}
