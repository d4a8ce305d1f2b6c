//! From a query to what is looked up: groups of words, each with what may stand in its place.

use crate::corpus::Damaged;
use crate::entry::Lang;
use crate::fold::Folded;
use crate::index::search::Matched;
use crate::index::terms::{LONGEST, Terms};
use crate::index::tokens::{Column, Stems, latin_words, number_terms, symbol_terms};
use crate::query::numerals::{is_numeral, spelt, value};
use crate::query::{Clause, Query};
use crate::segment::{RunKind, Segmenter, runs};

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

/// English words that say little. There are none for Chinese: 不, 非 and 的 are searched for like all others.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "get", "gets", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it",
    "its", "my", "of", "on", "or", "should", "so", "than", "that", "the", "their", "them", "then", "there",
    "they", "this", "to", "was", "were", "what", "when", "where", "which", "while", "who", "why", "will",
    "with", "would", "you", "your", "happen", "happens",
];

/// The weight of a Han character on its own, and of a pair that is no word: they are for finding more than for
/// ranking.
const SINGLE_WEIGHT: f32 = 0.3;
const PAIR_WEIGHT: f32 = 0.7;

/// The weight of a figure spelt the other way, of another name in the same language, of a name in the other.
const NUMERAL_WEIGHT: f32 = 0.6;
const ALIAS_WEIGHT: f32 = 0.7;
const CROSS_WEIGHT: f32 = 0.6;

/// The words of a phrase with their distances.
pub fn phrase(chars: &[char], stems: &mut Stems) -> Phrase {
    let mut words = Vec::new();
    for run in runs(chars) {
        let at = run.chars.start as u32;
        let text = || chars[run.chars.clone()].iter().collect::<String>();
        match run.kind {
            RunKind::Other => {}
            RunKind::Latin => {
                for word in latin_words(chars, &run.chars) {
                    let stem = stems.stem(&chars[word.clone()].iter().collect::<String>());
                    words.push((Column::En, stem, Some(word.start as u32)));
                }
            }
            RunKind::Number => words.extend(
                number_terms(&text())
                    .into_iter()
                    .take(1)
                    .map(|t| (Column::En, t, Some(at))),
            ),
            RunKind::Symbol => words.extend(symbol_terms(&text()).pop().map(|t| (Column::En, t, Some(at)))),
            RunKind::Han if run.chars.len() == 1 => words.push((Column::Han, text(), None)),
            RunKind::Han => {
                // Pairs that touch, and one that overlaps where the number of characters is odd.
                let pairs = run.chars.len() - 1;
                for pair in (0..pairs).filter(|pair| pair % 2 == 0 || pair + 1 == pairs) {
                    let start = run.chars.start + pair;
                    let term = chars[start..start + 2].iter().collect();
                    words.push((Column::Zh, term, Some(start as u32)));
                }
            }
        }
    }
    Phrase {
        chars: chars.to_vec(),
        words,
    }
}

/// How closely Chinese is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// As words.
    Words,
    /// As pairs of characters: finds what was cut otherwise than it was meant.
    Pairs,
}

/// Reads a query against the dictionary and the names of a library.
///
/// # Errors
///
/// When those are damaged.
pub fn plan<B: AsRef<[u8]>>(
    query: &Query,
    cut: Cut,
    segmenter: &Segmenter<B>,
    terms: &Terms,
    stems: &mut Stems,
) -> Result<Plan, Damaged> {
    let mut plan = Plan::default();
    for clause in &query.clauses {
        if clause.quoted {
            plan.quoted.push(clause.chars.clone());
            let words = phrase(&clause.chars, stems).words;
            plan.groups
                .extend(words.into_iter().map(|(column, term, _)| Group {
                    units: vec![unit(column, term)],
                    alternatives: Vec::new(),
                    required: true,
                    quoted: true,
                }));
        } else {
            read_clause(clause, cut, segmenter, terms, stems, &mut plan)?;
        }
    }
    join_names(&mut plan, terms, stems)?;
    if plan.groups.iter().all(|group| !group.required) {
        plan.groups.iter_mut().for_each(|group| group.required = true);
    }
    let whole = Folded::new(&query.text);
    let whole = phrase(whole.chars(), stems);
    if whole.words.len() > 1 {
        plan.phrases.push(whole);
    }
    Ok(plan)
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
        quoted: false,
    }
}

fn read_clause<B: AsRef<[u8]>>(
    clause: &Clause,
    cut: Cut,
    segmenter: &Segmenter<B>,
    terms: &Terms,
    stems: &mut Stems,
    plan: &mut Plan,
) -> Result<(), Damaged> {
    for (i, run) in clause.runs.iter().enumerate() {
        let chars = clause.run(run);
        let text: String = chars.iter().collect();
        // What follows without a gap.
        let next = clause
            .runs
            .get(i + 1)
            .filter(|next| next.chars.start == run.chars.end);
        match run.kind {
            RunKind::Other => {}
            RunKind::Latin => {
                for word in latin_words(chars, &(0..chars.len())) {
                    let word: String = chars[word].iter().collect();
                    let mut words = group(vec![unit(Column::En, stems.stem(&word))]);
                    words.required = !STOP_WORDS.contains(&word.as_str());
                    plan.groups.push(words);
                }
            }
            RunKind::Number => {
                let mut figure = group(
                    number_terms(&text)
                        .into_iter()
                        .take(1)
                        .map(|t| unit(Column::En, t))
                        .collect(),
                );
                let counted = next
                    .filter(|next| next.kind == RunKind::Han)
                    .map(|next| clause.run(next)[0]);
                if let (Some(counted), Ok(number)) = (counted, text.parse::<u64>()) {
                    for numeral in spelt(number) {
                        let chars: Vec<char> = numeral.chars().chain([counted]).collect();
                        figure
                            .alternatives
                            .push(alternative(&chars, Matched::Folded, NUMERAL_WEIGHT, stems));
                    }
                }
                plan.groups.push(figure);
            }
            RunKind::Symbol => {
                plan.groups.push(group(
                    symbol_terms(&text)
                        .pop()
                        .map(|t| unit(Column::En, t))
                        .into_iter()
                        .collect(),
                ));
            }
            RunKind::Han => {
                let first = plan.groups.len();
                read_han(chars, cut, segmenter, plan);
                name_alternatives(&text, first, terms, stems, plan)?;
                if plan.groups.len() - first > 1 {
                    plan.phrases.push(phrase(chars, stems));
                }
            }
        }
    }
    Ok(())
}

/// The words of a run of Han characters; what no word covers, as pairs.
fn read_han<B: AsRef<[u8]>>(chars: &[char], cut: Cut, segmenter: &Segmenter<B>, plan: &mut Plan) {
    let mut pieces: Vec<std::ops::Range<usize>> = Vec::new();
    match cut {
        Cut::Pairs if chars.len() > 1 => pieces.extend((0..chars.len() - 1).map(|at| at..at + 2)),
        Cut::Pairs => pieces.push(0..chars.len()),
        Cut::Words => {
            let words = segmenter.cut(chars);
            let mut i = 0;
            while i < words.len() {
                let singles = words[i..].iter().take_while(|word| word.len() == 1).count();
                match singles {
                    0 => pieces.push(words[i].clone()),
                    1 => pieces.push(words[i].clone()),
                    _ => pieces.extend((words[i].start..words[i + singles - 1].start).map(|at| at..at + 2)),
                }
                i += singles.max(1);
            }
        }
    }
    for piece in pieces {
        let text: String = chars[piece.clone()].iter().collect();
        let mut word = match piece.len() {
            1 => unit(Column::Han, text),
            _ => unit(Column::Zh, text),
        };
        let is_word = cut == Cut::Words
            && segmenter
                .words(&chars[piece.clone()])
                .iter()
                .any(|word| word.len() == piece.len());
        if piece.len() == 2 && !is_word {
            word.weight = PAIR_WEIGHT;
        }
        let mut group = group(vec![word]);
        // 三张 may stand as 3张.
        let numerals = chars[piece.start..]
            .iter()
            .take_while(|c| is_numeral(**c))
            .count();
        let starts_one = piece.start == 0 || !is_numeral(chars[piece.start - 1]);
        if numerals > 0
            && numerals + 1 >= piece.len()
            && starts_one
            && let Some(number) = value(&chars[piece.start..piece.start + numerals])
            && let Some(counted) = chars.get(piece.start + numerals)
        {
            let spelt: Vec<char> = number.to_string().chars().chain([*counted]).collect();
            group.alternatives.push(Alternative {
                how: Matched::Folded,
                weight: NUMERAL_WEIGHT,
                phrase: Phrase {
                    words: vec![(Column::Zh, spelt.iter().collect(), None)],
                    chars: spelt,
                },
            });
        }
        plan.groups.push(group);
    }
}

fn alternative(chars: &[char], how: Matched, weight: f32, stems: &mut Stems) -> Alternative {
    Alternative {
        how,
        weight,
        phrase: phrase(chars, stems),
    }
}

/// Gives each group of a Han run the other names of what it names; a run that is a name as a whole becomes one
/// group.
fn name_alternatives(
    text: &str,
    first: usize,
    terms: &Terms,
    stems: &mut Stems,
    plan: &mut Plan,
) -> Result<(), Damaged> {
    let whole = other_names(text, Lang::Zh, terms, stems)?;
    if !whole.is_empty() {
        let mut all = group(plan.groups.drain(first..).flat_map(|group| group.units).collect());
        all.alternatives = whole;
        plan.groups.push(all);
        return Ok(());
    }
    for group in &mut plan.groups[first..] {
        if let [unit] = group.units.as_slice() {
            let names = other_names(&unit.term.clone(), Lang::Zh, terms, stems)?;
            group.alternatives.extend(names);
        }
    }
    Ok(())
}

fn other_names(key: &str, lang: Lang, terms: &Terms, stems: &mut Stems) -> Result<Vec<Alternative>, Damaged> {
    let others = terms.others(key)?;
    let alternatives = others.into_iter().map(|(other, name)| {
        let chars: Vec<char> = name.chars().collect();
        match other == lang {
            true => alternative(&chars, Matched::Alias, ALIAS_WEIGHT, stems),
            false => alternative(&chars, Matched::CrossLanguage, CROSS_WEIGHT, stems),
        }
    });
    Ok(alternatives
        .filter(|alternative| !alternative.phrase.words.is_empty())
        .collect())
}

/// Joins Latin words that are a name together (`first strike`), the longest first, and gives them their other
/// names.
fn join_names(plan: &mut Plan, terms: &Terms, stems: &mut Stems) -> Result<(), Damaged> {
    let mut at = 0;
    while at < plan.groups.len() {
        let is_word = |group: &Group| {
            !group.quoted && matches!(group.units.as_slice(), [unit] if unit.column == Column::En)
        };
        let words = plan.groups[at..]
            .iter()
            .take(LONGEST)
            .take_while(|group| is_word(group))
            .count();
        for n in (1..=words).rev() {
            let key: Vec<&str> = plan.groups[at..at + n]
                .iter()
                .map(|group| group.units[0].term.as_str())
                .collect();
            let names = other_names(&key.join(" "), Lang::En, terms, stems)?;
            if names.is_empty() {
                continue;
            }
            let parts: Vec<Group> = plan.groups.drain(at..at + n).collect();
            let required: Vec<Unit> = parts
                .iter()
                .filter(|part| part.required)
                .flat_map(|part| part.units.clone())
                .collect();
            let is_required = !required.is_empty();
            let mut all = group(if is_required {
                required
            } else {
                parts.into_iter().flat_map(|part| part.units).collect()
            });
            all.required = is_required;
            all.alternatives = names;
            plan.groups.insert(at, all);
            break;
        }
        at += 1;
    }
    Ok(())
}
