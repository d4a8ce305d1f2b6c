//! Words of a query that hardly a text has: two words written as one (`firststrike`) or one as two (`death touch`), the
//! initials of a name (`sba`), a slip (`trampel`).
//!
//! It is asked only where a query finds little, for it reads much: where a word may be cut, every name, the words that
//! begin as it does. What it finds stands beside the words as they were typed, so that nothing is lost by it.

use crate::corpus::{Damaged, Entries as _};
use crate::entry::Lang;
use crate::hash::FastMap;
use crate::index::Index;
use crate::index::filter::Filter;
use crate::index::matching::Matcher;
use crate::index::plan::{Alternative, Group, Phrase, Plan, Planner};
use crate::index::search::{Expansion, Matched};
use crate::index::tokens::{Column, latin_words, number_terms};
use crate::lookup::names_with_initials;
use crate::query::Query;
use crate::query::numerals::is_numeral;
use crate::segment::RunKind;
use std::ops::ControlFlow;

/// The shortest words that are cut, and that others are glued to; in letters.
const SHORTEST_GLUED: usize = 6;

/// The longest word that is looked at, in letters.
const LONGEST: usize = 32;

/// The shortest part of a word that is cut.
const SHORTEST_PART: usize = 2;

/// A word that so many entries have is meant as it is typed, whatever has it for initials.
const COMMON: u32 = 10;

/// Names with the same initials that are looked up at most.
const MOST_NAMES: usize = 4;

/// The shortest word with a slip that is taken for one that is no name: of shorter ones a letter makes another word.
const SHORTEST_SLIP: usize = 6;

/// How much initials and slips count, against the words as they are typed.
const INITIALS_WEIGHT: f32 = 0.7;
const SLIP_WEIGHT: f32 = 0.7;

/// How many slips there may be in a word of so many letters: none in short ones, which are all alike.
fn slips_in(n_letters: usize) -> usize {
    match n_letters {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

/// A word as it was typed, folded, and under what it is looked up.
struct Typed {
    word: String,
    term: String,
    /// Which clause of the query it is of.
    clause: usize,
    /// True for a word with a capital inside a query, which is a name more often than a slip.
    is_capital: bool,
}

/// The Latin words of a query that stand in no quotes, figures with letters among them (`2hg`).
fn typed<B: AsRef<[u8]>>(query: &Query, planner: &mut Planner<'_, B>) -> Vec<Typed> {
    let mut typed = Vec::new();
    for (number, clause) in query.clauses.iter().enumerate() {
        if clause.quoted {
            continue;
        }
        let is_capital =
            clause.span.start > 0 && query.text[clause.span.start..].starts_with(char::is_uppercase);
        let mut add = |word: String, term: String| {
            typed.push(Typed {
                word,
                term,
                clause: number,
                is_capital,
            });
        };
        for run in &clause.runs {
            let chars = clause.run(run);
            match run.kind {
                RunKind::Latin => {
                    for word in latin_words(chars, &(0..chars.len())) {
                        let word: String = chars[word].iter().collect();
                        let term = planner.stems.stem(&word);
                        add(word, term);
                    }
                }
                RunKind::Number => {
                    let word: String = chars.iter().collect();
                    let term = number_terms(&word).swap_remove(0);
                    add(word, term);
                }
                RunKind::Han | RunKind::Symbol | RunKind::Other => {}
            }
        }
    }
    typed
}

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Closely {
    /// Words that hardly a text has: what they are cut into, whose initials they are.
    UnknownWords,
    /// Two words side by side, too: whether they are one.
    Words,
    /// Unknown words, too, that may have a slip in them.
    Slips,
}

/// Looks for what else the words of a query may be meant for.
pub struct Respeller<'a, 'p, B> {
    /// The index.
    pub index: &'a Index,
    /// Which games may be meant.
    pub filter: &'a Filter<'a>,
    /// Where words stand.
    pub matcher: &'a Matcher<'a>,
    /// Stems and names.
    pub planner: &'a mut Planner<'p, B>,
}

impl<B: AsRef<[u8]>> Respeller<'_, '_, B> {
    /// Gives the groups of a plan whose words hardly stand anywhere what else may be meant; returns what that is.
    ///
    /// # Errors
    ///
    /// When the index is damaged.
    pub fn respell(
        &mut self,
        query: &Query,
        closely: Closely,
        plan: &mut Plan,
    ) -> Result<Vec<Expansion>, Damaged> {
        let typed = typed(query, self.planner);
        let mut respelt = Vec::new();
        if closely >= Closely::Words {
            self.join(&typed, plan, &mut respelt)?;
        }
        for group in plan.groups.iter_mut().filter(|group| is_plain_word(group)) {
            let Some(typed) = typed.iter().find(|typed| typed.term == group.units[0].term) else {
                continue;
            };
            let n = self.matcher.n_docs(Column::En, &typed.term)?;
            if n >= COMMON {
                continue;
            }
            let mut others = Vec::new();
            if n == 0 {
                others = self.cut(&typed.word)?;
            }
            if others.is_empty() {
                others = self.named_by_initials(&typed.word)?;
            }
            if others.is_empty() && n == 0 && closely == Closely::Slips && !typed.is_capital {
                others = self.without_slip(typed)?;
            }
            for other in &others {
                respelt.push(expansion(&typed.word, other));
                let names = self.other_names(other)?;
                group.alternatives.extend(names);
            }
            group.alternatives.extend(others);
        }
        Ok(respelt)
    }

    /// The other names of what was meant.
    fn other_names(&mut self, meant: &Alternative) -> Result<Vec<Alternative>, Damaged> {
        let words = meant.phrase.words.iter().map(|(_, stem, _)| stem.as_str());
        let key = words.collect::<Vec<_>>().join(" ");
        let mut names = self.planner.other_names(&key, Lang::En)?;
        names
            .iter_mut()
            .for_each(|name| name.how = name.how.max(meant.how));
        Ok(names)
    }

    /// Words side by side that texts have as one.
    fn join(
        &mut self,
        typed: &[Typed],
        plan: &mut Plan,
        respelt: &mut Vec<Expansion>,
    ) -> Result<(), Damaged> {
        // Parts of a word between hyphens are looked up apart already.
        for pair in typed.windows(2).filter(|pair| pair[0].clause != pair[1].clause) {
            let whole = [pair[0].word.as_str(), &pair[1].word].concat();
            let at = plan.groups.windows(2).position(|groups| {
                let mut both = groups.iter().zip(pair);
                both.all(|(group, typed)| is_plain_word(group) && group.units[0].term == typed.term)
            });
            let (Some(at), SHORTEST_GLUED..=LONGEST, true) = (at, whole.len(), whole.is_ascii()) else {
                continue;
            };
            let stem = self.planner.stems.stem(&whole);
            if self.matcher.n_docs(Column::En, &stem)? == 0 {
                continue;
            }
            let other = self.alternative(Matched::Folded, 1.0, &whole);
            respelt.push(expansion(
                &[pair[0].word.as_str(), &pair[1].word].join(" "),
                &other,
            ));
            let second = plan.groups.remove(at + 1);
            plan.groups[at].units.extend(second.units);
            plan.groups[at].alternatives.push(other);
        }
        Ok(())
    }

    /// A word as two or three that stand side by side in some text: those that do so in the most entries.
    fn cut(&mut self, word: &str) -> Result<Vec<Alternative>, Damaged> {
        if !(SHORTEST_GLUED..=LONGEST).contains(&word.len()) || !word.bytes().all(|b| b.is_ascii_lowercase())
        {
            return Ok(Vec::new());
        }
        let mut known: FastMap<&str, bool> = FastMap::default();
        let mut is_word = |this: &mut Self, from: usize, to: usize| -> Result<bool, Damaged> {
            let part = &word[from..to];
            if let Some(known) = known.get(part) {
                return Ok(*known);
            }
            let stem = this.planner.stems.stem(part);
            let there = this.matcher.n_docs(Column::En, &stem)? > 0;
            known.insert(part, there);
            Ok(there)
        };
        let end = word.len();
        let mut cuts: Vec<Vec<&str>> = Vec::new();
        for at in SHORTEST_PART..=end - SHORTEST_PART {
            if is_word(self, 0, at)? && is_word(self, at, end)? {
                cuts.push(vec![&word[..at], &word[at..]]);
            }
        }
        let mut best = self.commonest(&cuts)?;
        if best.is_none() {
            cuts.clear();
            for first in SHORTEST_PART..end.saturating_sub(2 * SHORTEST_PART) {
                if !is_word(self, 0, first)? {
                    continue;
                }
                for second in first + SHORTEST_PART..=end - SHORTEST_PART {
                    if is_word(self, second, end)? && is_word(self, first, second)? {
                        cuts.push(vec![&word[..first], &word[first..second], &word[second..]]);
                    }
                }
            }
            best = self.commonest(&cuts)?;
        }
        let spaced = best.map(|words| words.join(" "));
        Ok(spaced
            .map(|words| self.alternative(Matched::Folded, 1.0, &words))
            .into_iter()
            .collect())
    }

    /// The words that stand side by side in the most entries; none where none do.
    fn commonest<'w>(&mut self, cuts: &[Vec<&'w str>]) -> Result<Option<Vec<&'w str>>, Damaged> {
        let mut best: Option<(usize, &Vec<&str>)> = None;
        for words in cuts {
            let phrase = self.phrase(&words.join(" "));
            let n = self.matcher.n_with_phrase(&phrase)?;
            if n > best.map_or(0, |(n, _)| n) {
                best = Some((n, words));
            }
        }
        Ok(best.map(|(_, words)| words.clone()))
    }

    /// The names with these initials.
    fn named_by_initials(&mut self, word: &str) -> Result<Vec<Alternative>, Damaged> {
        let is_asked = |game: &str| self.filter.is_of_game(game);
        let names = names_with_initials(word, self.index, is_asked)?;
        let mut others = Vec::new();
        for name in names.iter().take(MOST_NAMES) {
            others.push(self.alternative(Matched::Alias, INITIALS_WEIGHT, &name.words));
        }
        Ok(others)
    }

    /// The word that is meant by one with a slip in it: of the nearest, the one that the most entries have.
    fn without_slip(&mut self, typed: &Typed) -> Result<Vec<Alternative>, Damaged> {
        let n_letters = typed.word.len();
        let slips = slips_in(n_letters);
        let is_plain = typed.word.bytes().all(|b| b.is_ascii_lowercase());
        if slips == 0 || n_letters > LONGEST || !is_plain {
            return Ok(Vec::new());
        }
        // Names are whole words; those of texts are kept as stems.
        let mut near: FastMap<String, (usize, String)> = FastMap::default();
        for (key, _) in self.index.with_prefix("name:", usize::MAX)? {
            let Some((name, game)) = key["name:".len()..].split_once('\u{1f}') else {
                continue;
            };
            let words = name.split(|c: char| !c.is_ascii_alphabetic());
            for word in
                words.filter(|word| word.len().abs_diff(n_letters) <= slips && word.len() >= n_letters.min(4))
            {
                let distance = strsim::osa_distance(word, &typed.word);
                if distance <= slips && self.filter.is_of_game(game) {
                    let found = (distance, word.to_owned());
                    let nearest = near.entry(self.planner.stems.stem(word)).or_insert(found.clone());
                    *nearest = found.min(nearest.clone());
                }
            }
        }
        let first = &typed.term[..1];
        self.matcher.each_word(Column::En, first, |term| {
            if !term.starts_with(first) {
                return ControlFlow::Break(());
            }
            let is_word = n_letters >= SHORTEST_SLIP && term.bytes().all(|b| b.is_ascii_lowercase());
            if is_word && term.len().abs_diff(typed.term.len()) <= slips {
                let distance = strsim::osa_distance(term, &typed.term);
                if distance <= slips {
                    near.entry(term.to_owned())
                        .or_insert_with(|| (distance, term.to_owned()));
                }
            }
            ControlFlow::Continue(())
        })?;
        let mut best: Option<(usize, u32, String)> = None;
        for (stem, (distance, word)) in near {
            let n = self.matcher.n_docs(Column::En, &stem)?;
            let is_better = |(d, m, other): &(usize, u32, String)| {
                (distance, std::cmp::Reverse(n), &word) < (*d, std::cmp::Reverse(*m), other)
            };
            if n > 0 && best.as_ref().is_none_or(is_better) {
                best = Some((distance, n, word));
            }
        }
        let meant = best.map(|(_, _, word)| self.alternative(Matched::Fallback, SLIP_WEIGHT, &word));
        Ok(meant.into_iter().collect())
    }

    fn phrase(&mut self, words: &str) -> Phrase {
        let chars: Vec<char> = words.chars().collect();
        self.planner.phrase(&chars)
    }

    fn alternative(&mut self, how: Matched, weight: f32, words: &str) -> Alternative {
        Alternative {
            how,
            weight,
            phrase: self.phrase(words),
        }
    }
}

/// True for a group that is one Latin word or figure and nothing else.
fn is_plain_word(group: &Group) -> bool {
    let is_one = matches!(group.units.as_slice(), [unit] if unit.column == Column::En);
    is_one && !group.quoted && group.required && group.alternatives.is_empty()
}

fn expansion(typed: &str, other: &Alternative) -> Expansion {
    Expansion {
        from: typed.to_owned(),
        to: other.phrase.chars.iter().collect(),
        how: other.how,
    }
}

/// True where a query is one short run of Han characters, which may stand apart in a text: 昼夜 for 白昼 and 黑夜. A number
/// and what it counts stand together.
pub fn is_short_han(query: &Query) -> bool {
    let [clause] = query.clauses.as_slice() else {
        return false;
    };
    let [run] = clause.runs.as_slice() else {
        return false;
    };
    let mut chars = clause.run(run).iter();
    run.kind == RunKind::Han && (2..=MOST_APART).contains(&run.chars.len()) && !chars.any(|c| is_numeral(*c))
}

/// The longest run of Han characters that is looked for as characters that stand apart.
const MOST_APART: usize = 4;
