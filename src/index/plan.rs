//! From a query to what is looked up: groups of words, each with what may stand in its place.

use crate::corpus::Damaged;
use crate::entry::Lang;
use crate::fold::{Folded, is_han};
use crate::index::search::Matched;
use crate::index::terms::{LONGEST, Terms};
use crate::index::tokens::{Column, Stems, latin_words, number_terms, symbol_terms};
use crate::query::numerals::{is_numeral, spelt, value};
use crate::query::{Clause, Query};
use crate::segment::{RunKind, Segmenter, runs};
use std::ops::Range;

/// A word that is looked up.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// Where.
    pub column: Column,
    /// The word.
    pub term: String,
    /// How much it counts.
    pub weight: f32,
}

/// A phrase that may stand in the place of a group.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// What a hit by it is called.
    pub how: Matched,
    /// How much it counts against the words themselves.
    pub weight: f32,
    /// Its words.
    pub phrase: Phrase,
}

/// Words at fixed distances.
#[derive(Debug, Clone, Default)]
pub struct Phrase {
    /// The folded characters.
    pub chars: Vec<char>,
    /// Each word with its distance from the start; none where positions are not known.
    pub words: Vec<(Column, String, Option<u32>)>,
}

/// Words that belong together: all of them must be found, or one of the alternatives.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// The words.
    pub units: Vec<Unit>,
    /// What else will do.
    pub alternatives: Vec<Alternative>,
    /// False for words that need not be found (`the`).
    pub required: bool,
    /// True when part of a phrase in quotes.
    pub quoted: bool,
    /// True for a Chinese word that only asks.
    pub asks: bool,
}

/// What is looked up for a query.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// What must be found.
    pub groups: Vec<Group>,
    /// Phrases whose words standing together are worth more than apart.
    pub phrases: Vec<Phrase>,
    /// Folded phrases that a text must contain.
    pub quoted: Vec<Vec<char>>,
}

impl Plan {
    /// How many groups must be found.
    pub fn n_required(&self) -> usize {
        self.groups.iter().filter(|group| group.required).count()
    }

    /// How many words must be found: those of an English name each.
    pub fn n_words(&self) -> usize {
        let required = self.groups.iter().filter(|group| group.required);
        let words = required.map(|group| match group.units.as_slice() {
            [unit, ..] if unit.column == Column::En => group.units.len(),
            _ => 1,
        });
        words.sum()
    }

    /// The language of most of its words: Chinese where there is any.
    pub fn lang(&self) -> Lang {
        let mut units = self.groups.iter().flat_map(|group| &group.units);
        match units.any(|unit| unit.column != Column::En) {
            true => Lang::Zh,
            false => Lang::En,
        }
    }

    /// How many folded characters a passage has: about those of a long rule with an example. A Han character says as much
    /// as three letters.
    pub fn passage(&self) -> u32 {
        match self.lang() {
            Lang::En => 1000,
            Lang::Zh => 300,
        }
    }

    /// How many folded characters the words of a question take up where they are said together: those of a few sentences.
    pub fn together(&self) -> u32 {
        match self.lang() {
            Lang::En => 400,
            Lang::Zh => 120,
        }
    }
}

/// From so many words on a query is a sentence: what has most of it is shown too, and marked.
pub const SENTENCE: usize = 6;

/// English words that say little. There are none for Chinese: 不, 非 and 的 are searched for like all others.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "get", "gets", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it",
    "its", "my", "of", "on", "or", "should", "so", "than", "that", "the", "their", "them", "then", "there",
    "they", "this", "to", "was", "were", "what", "when", "where", "which", "while", "who", "why", "will",
    "with", "would", "you", "your", "happen", "happens",
];

/// Chinese words that only ask; folded, longer ones before those that begin them.
const ASKING: &[&str] = &[
    "请问",
    "是什么意思",
    "什么意思",
    "是什么",
    "什么是",
    "什么",
    "怎么办",
    "怎么样",
    "怎么",
    "怎样",
    "为什么",
    "能不能",
    "可不可以",
    "会不会",
    "是不是",
    "吗",
    "呢",
];

/// The weight of a Han character on its own, and of a pair that is no word: they are for finding more than for
/// ranking.
const SINGLE_WEIGHT: f32 = 0.3;
const PAIR_WEIGHT: f32 = 0.7;

/// The weight of a figure spelt the other way, of another name in the same language, of a name in the other.
const NUMERAL_WEIGHT: f32 = 0.6;
const ALIAS_WEIGHT: f32 = 0.7;
const CROSS_WEIGHT: f32 = 0.6;

/// How closely Chinese is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// As words.
    Words,
    /// As pairs of characters: finds what was cut otherwise than it was meant.
    Pairs,
    /// As single characters, wherever they stand.
    Singles,
}

/// Reads queries against the dictionary and the names of a library.
pub struct Planner<'a, B> {
    /// The dictionary.
    pub segmenter: &'a Segmenter<B>,
    /// The names.
    pub terms: &'a Terms,
    /// Stems.
    pub stems: &'a mut Stems,
}

impl<B: AsRef<[u8]>> Planner<'_, B> {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// When the table of names is damaged.
    pub fn plan(&mut self, query: &Query, cut: Cut) -> Result<Plan, Damaged> {
        let mut plan = Plan::default();
        for clause in &query.clauses {
            if clause.quoted {
                plan.quoted.push(clause.chars.clone());
                let words = self.phrase(&clause.chars).words;
                plan.groups
                    .extend(words.into_iter().map(|(column, term, _)| Group {
                        quoted: true,
                        ..group(vec![unit(column, term)])
                    }));
            } else {
                self.read_clause(clause, cut, &mut plan)?;
            }
        }
        self.join_names(&mut plan)?;
        // Of a sentence most words will do, whichever they are.
        if plan.n_required() < SENTENCE {
            for group in plan.groups.iter_mut().filter(|group| group.asks) {
                group.required = false;
            }
        }
        if plan.groups.iter().all(|group| !group.required) {
            plan.groups.iter_mut().for_each(|group| group.required = true);
        }
        if plan.groups.iter().map(|group| group.units.len()).sum::<usize>() > 1 {
            plan.phrases.push(self.phrase(Folded::new(&query.text).chars()));
        }
        plan.phrases.retain(|phrase| phrase.words.len() > 1);
        Ok(plan)
    }

    /// The words of a phrase with their distances: together they cover each of its letters.
    pub fn phrase(&mut self, chars: &[char]) -> Phrase {
        let mut words = Vec::new();
        for run in runs(chars) {
            let at = run.chars.start as u32;
            let text = || chars[run.chars.clone()].iter().collect::<String>();
            match run.kind {
                RunKind::Other => {}
                RunKind::Latin => {
                    for word in latin_words(chars, &run.chars) {
                        let stem = self.stems.stem(&chars[word.clone()].iter().collect::<String>());
                        words.push((Column::En, stem, Some(word.start as u32)));
                    }
                }
                RunKind::Number => {
                    let whole = number_terms(&text()).into_iter().next();
                    words.extend(whole.map(|term| (Column::En, term, Some(at))));
                }
                RunKind::Symbol => words.extend(
                    symbol_terms(&text())
                        .pop()
                        .map(|term| (Column::En, term, Some(at))),
                ),
                RunKind::Han if run.chars.len() == 1 => words.push((Column::Han, text(), None)),
                RunKind::Han => {
                    // What the dictionary knows is one word; a character left over goes with a neighbour.
                    let han = &chars[run.chars.clone()];
                    for word in self.segmenter.cut(han) {
                        let word = match word.len() {
                            1 if word.start == 0 => 0..2,
                            1 => word.start - 1..word.end,
                            _ => word,
                        };
                        let at = (run.chars.start + word.start) as u32;
                        words.push((Column::Zh, han[word].iter().collect(), Some(at)));
                    }
                }
            }
        }
        words.dedup();
        Phrase {
            chars: chars.to_vec(),
            words,
        }
    }

    fn read_clause(&mut self, clause: &Clause, cut: Cut, plan: &mut Plan) -> Result<(), Damaged> {
        for (i, run) in clause.runs.iter().enumerate() {
            let chars = clause.run(run);
            let text: String = chars.iter().collect();
            match run.kind {
                RunKind::Other => {}
                RunKind::Latin => {
                    for word in latin_words(chars, &(0..chars.len())) {
                        let word: String = chars[word].iter().collect();
                        let mut words = group(vec![unit(Column::En, self.stems.stem(&word))]);
                        words.required = !STOP_WORDS.contains(&word.as_str());
                        plan.groups.push(words);
                    }
                }
                RunKind::Number => {
                    // What follows without a gap is what is counted.
                    let next = clause
                        .runs
                        .get(i + 1)
                        .filter(|next| next.chars.start == run.chars.end);
                    let counted = next
                        .filter(|next| next.kind == RunKind::Han)
                        .map(|next| clause.run(next)[0]);
                    let number = number_terms(&text)
                        .into_iter()
                        .take(1)
                        .map(|term| unit(Column::En, term));
                    let mut figure = group(number.collect());
                    // What stands right before, where nothing is counted: `层7` is 七层.
                    let before = clause.chars[..run.chars.start].last();
                    let numbered = before
                        .copied()
                        .filter(|c| is_han(*c) && *c != ORDINAL && next.is_none());
                    if let (Some(counted), Ok(number)) = (counted.or(numbered), text.parse::<u64>()) {
                        for numeral in spelt(number) {
                            let chars: Vec<char> = numeral.chars().chain([counted]).collect();
                            figure.alternatives.push(numeral_alternative(self.phrase(&chars)));
                        }
                    }
                    // `第7层` may stand as `层7`, where what is counted is a word of its own.
                    if before == Some(&ORDINAL)
                        && let Some(last) = plan.groups.last_mut()
                        && matches!(last.units.as_slice(), [unit] if unit.term.chars().eq([ORDINAL]))
                        && let Some(next) = next.filter(|next| next.kind == RunKind::Han)
                        && self.segmenter.cut(clause.run(next)).first() == Some(&(0..1))
                    {
                        last.required = false;
                    }
                    plan.groups.push(figure);
                }
                RunKind::Symbol => {
                    let symbol = symbol_terms(&text).pop().map(|term| unit(Column::En, term));
                    plan.groups.push(group(symbol.into_iter().collect()));
                }
                RunKind::Han => {
                    let mut parts = asking_parts(chars);
                    if parts.len() > 1 && !self.terms.others(&text)?.is_empty() {
                        parts = vec![(0..chars.len(), false)];
                    }
                    let start = plan.groups.len();
                    for (part, asks) in parts {
                        let (first, part) = (plan.groups.len(), &chars[part]);
                        self.read_han(part, cut, plan);
                        if asks {
                            plan.groups[first..]
                                .iter_mut()
                                .for_each(|group| group.asks = true);
                        } else {
                            self.name_alternatives(&part.iter().collect::<String>(), first, plan)?;
                        }
                    }
                    if plan.groups.len() - start > 1 {
                        plan.phrases.push(self.phrase(chars));
                    }
                }
            }
        }
        Ok(())
    }

    /// The words of a run of Han characters; what no word covers, as pairs.
    fn read_han(&mut self, chars: &[char], cut: Cut, plan: &mut Plan) {
        let mut pieces: Vec<(Range<usize>, f32)> = Vec::new();
        let pair = |at| (at..at + 2, PAIR_WEIGHT);
        match cut {
            Cut::Pairs if chars.len() > 1 => pieces.extend((0..chars.len() - 1).map(pair)),
            Cut::Pairs => pieces.push((0..1, SINGLE_WEIGHT)),
            Cut::Singles => pieces.extend((0..chars.len()).map(|at| (at..at + 1, SINGLE_WEIGHT))),
            Cut::Words => {
                let words = self.segmenter.cut(chars);
                for same in words.chunk_by(|a, b| a.len() == 1 && b.len() == 1) {
                    match same {
                        [word] if word.len() == 1 => pieces.push((word.clone(), SINGLE_WEIGHT)),
                        [word] => pieces.push((word.clone(), 1.0)),
                        singles => pieces.extend(singles[1..].iter().map(|word| pair(word.start - 1))),
                    }
                }
            }
        }
        for (piece, weight) in pieces {
            let term = chars[piece.clone()].iter().collect();
            let column = if piece.len() == 1 { Column::Han } else { Column::Zh };
            let mut group = group(vec![Unit { column, term, weight }]);
            if cut != Cut::Singles {
                group.alternatives = self.as_figure(chars, &piece);
            }
            plan.groups.push(group);
        }
    }

    /// For a piece of a Han run that is of a numeral, with 第 before it and what it counts behind it or without: how else
    /// texts write that. 三张 may stand as `3张`, 二个 as 两个, and 第七层 as `层7`, too.
    fn as_figure(&mut self, chars: &[char], piece: &Range<usize>) -> Vec<Alternative> {
        let is_ordinal = chars[piece.start] == ORDINAL;
        let inside = piece.start + usize::from(is_ordinal);
        let before = chars[..inside]
            .iter()
            .rev()
            .take_while(|c| is_numeral(**c))
            .count();
        let start = inside - before;
        let end = start + chars[start..].iter().take_while(|c| is_numeral(**c)).count();
        let (Some(counted), Some(number)) = (chars.get(end), value(&chars[start..end])) else {
            return Vec::new();
        };
        if end <= inside && !is_ordinal || end + 1 < piece.end {
            return Vec::new();
        }
        let figure: Vec<char> = number.to_string().chars().collect();
        let phrase: Vec<char> = figure.iter().chain([counted]).copied().collect();
        let mut others = vec![numeral_alternative(Phrase {
            words: vec![(Column::Zh, phrase.iter().collect(), None)],
            chars: phrase,
        })];
        for numeral in spelt(number).iter().map(|numeral| numeral.chars()) {
            if !numeral.clone().eq(chars[start..end].iter().copied()) {
                let phrase: Vec<char> = numeral.chain([*counted]).collect();
                others.push(numeral_alternative(self.phrase(&phrase)));
            }
        }
        // What is counted stands as a word of its own: 层, not the first half of 阶段.
        if start.checked_sub(1).is_some_and(|at| chars[at] == ORDINAL)
            && self.segmenter.cut(chars).iter().any(|word| word.end == end + 1)
        {
            let phrase: Vec<char> = [*counted].into_iter().chain(figure).collect();
            others.push(numeral_alternative(self.phrase(&phrase)));
        }
        others
    }

    /// Gives each group of a Han run the other names of what it names; a run that is a name as a whole becomes
    /// one group.
    fn name_alternatives(&mut self, text: &str, first: usize, plan: &mut Plan) -> Result<(), Damaged> {
        let whole = self.other_names(text, Lang::Zh)?;
        if !whole.is_empty() {
            let mut all = group(plan.groups.drain(first..).flat_map(|group| group.units).collect());
            all.alternatives = whole;
            plan.groups.push(all);
            return Ok(());
        }
        for group in &mut plan.groups[first..] {
            if let [unit] = group.units.as_slice() {
                group.alternatives.extend(self.other_names(&unit.term, Lang::Zh)?);
            }
        }
        Ok(())
    }

    /// The other names of what a name stands for, as alternatives.
    ///
    /// # Errors
    ///
    /// When the table of names is damaged.
    pub fn other_names(&mut self, key: &str, lang: Lang) -> Result<Vec<Alternative>, Damaged> {
        let mut alternatives = Vec::new();
        for (other, name) in self.terms.others(key)? {
            let chars: Vec<char> = name.chars().collect();
            let (how, weight) = match other == lang {
                true => (Matched::Alias, ALIAS_WEIGHT),
                false => (Matched::CrossLanguage, CROSS_WEIGHT),
            };
            let phrase = self.phrase(&chars);
            if !phrase.words.is_empty() {
                alternatives.push(Alternative { how, weight, phrase });
            }
        }
        Ok(alternatives)
    }

    /// Joins Latin words that are a name together (`first strike`), the longest first, and gives them their other
    /// names.
    fn join_names(&mut self, plan: &mut Plan) -> Result<(), Damaged> {
        let mut at = 0;
        while at < plan.groups.len() {
            let is_word = |group: &&Group| {
                !group.quoted && matches!(group.units.as_slice(), [unit] if unit.column == Column::En)
            };
            let words = plan.groups[at..].iter().take(LONGEST).take_while(is_word).count();
            for n in (1..=words).rev() {
                let parts = &plan.groups[at..at + n];
                let key: Vec<&str> = parts.iter().map(|group| group.units[0].term.as_str()).collect();
                let names = self.other_names(&key.join(" "), Lang::En)?;
                if names.is_empty() {
                    continue;
                }
                let required = parts.iter().any(|part| part.required);
                let parts = plan.groups.splice(at..at + n, [Group::default()]);
                let kept = parts.filter(|part| part.required == required);
                plan.groups[at] = Group {
                    units: kept.flat_map(|part| part.units).collect(),
                    alternatives: names,
                    required,
                    ..Group::default()
                };
                break;
            }
            at += 1;
        }
        Ok(())
    }
}

fn unit(column: Column, term: String) -> Unit {
    let weight = if column == Column::Han { SINGLE_WEIGHT } else { 1.0 };
    Unit { column, term, weight }
}

fn group(units: Vec<Unit>) -> Group {
    Group {
        units,
        alternatives: Vec::new(),
        required: true,
        ..Group::default()
    }
}

/// What makes a numeral say which: 第七.
const ORDINAL: char = '第';

fn numeral_alternative(phrase: Phrase) -> Alternative {
    Alternative {
        how: Matched::Folded,
        weight: NUMERAL_WEIGHT,
        phrase,
    }
}

/// The parts of a Han run, each with whether it only asks.
fn asking_parts(chars: &[char]) -> Vec<(Range<usize>, bool)> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < chars.len() {
        let here = |word: &&&str| {
            let mut rest = chars[at..].iter();
            word.chars().all(|c| rest.next() == Some(&c))
        };
        let Some(word) = ASKING.iter().find(here) else {
            at += 1;
            continue;
        };
        if start < at {
            parts.push((start..at, false));
        }
        let end = at + word.chars().count();
        parts.push((at..end, true));
        (start, at) = (end, end);
    }
    if start < chars.len() {
        parts.push((start..chars.len(), false));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold_key;

    #[test]
    fn what_only_asks() {
        for word in ASKING {
            assert_eq!(fold_key(word), *word);
        }
        let parts = |text: &str| -> Vec<String> {
            let chars: Vec<char> = text.chars().collect();
            let part = |(part, asks): (Range<usize>, bool)| {
                let text: String = chars[part].iter().collect();
                if asks { format!("?{text}") } else { text }
            };
            asking_parts(&chars).into_iter().map(part).collect()
        };
        assert_eq!(parts("潮汐"), ["潮汐"]);
        assert_eq!(parts("请问潮汐是什么意思"), ["?请问", "潮汐", "?是什么意思"]);
        assert_eq!(parts("潮汐能不能叠加吗"), ["潮汐", "?能不能", "叠加", "?吗"]);
        assert_eq!(parts("怎么办"), ["?怎么办"]);
    }
}
