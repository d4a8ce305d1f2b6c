//! What a phrase says before any game's convention: which numbers it mentions, what they are about, which of them
//! are conditions.
//!
//! The phrase is cut into clauses. In each, numeric expressions ([`super::amount`]) and comparisons of two
//! quantities are found, then what each is about. Every word that can change the meaning of a number
//! ([`super::words`]) must have been used by one of them: what is left over is kept in [`Clause::leftover`], and no
//! answer may rest on such a clause.

use super::amount::Claim;
use super::clause::ClauseReader;
use super::lexer::{Token, lex};
use super::numbers::{Condition, Order};
use super::relation::Relation;
use super::words::{Fault, Word};
use std::ops::Range;

/// Everything a phrase says about numbers.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// What is said, in the order of the phrase.
    pub mentions: Vec<Mention>,
    /// The clauses, in order.
    pub clauses: Vec<Clause>,
    /// Numbers that were taken for parts of names.
    pub in_names: Vec<Range<usize>>,
}

/// A part of the phrase between stops or commas.
#[derive(Debug, Clone, Default)]
pub struct Clause {
    /// Its bytes.
    pub span: Range<usize>,
    /// Words that can change a number's meaning and were not understood.
    pub leftover: Vec<Leftover>,
}

/// A word that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Its bytes.
    pub span: Range<usize>,
    /// What kind of word it is.
    pub kind: LeftoverKind,
}

/// What kind of word was not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftoverKind {
    /// Several, about.
    Vague,
    /// That many, twice.
    Reference,
    /// Half, a third.
    Fraction,
    /// X, with nothing said about it.
    Letter,
    /// For each.
    ForEach,
    /// A bad number.
    Number(Fault),
    /// Any other.
    Other,
}

/// Something the phrase says about a number.
#[derive(Debug, Clone)]
pub struct Mention {
    /// What it says.
    pub says: Says,
    /// What it is about.
    pub subject: Subject,
    /// What it does in the phrase.
    pub role: Role,
    /// Negations over it.
    pub negations: usize,
    /// True when "unless" governs it.
    pub unless: bool,
    /// Bytes of the words that say it.
    pub span: Range<usize>,
    /// The nouns it is about, the most specific last.
    pub nouns: Vec<String>,
    /// The verb that acts on it, where one does: drawn, discarded.
    pub verb: Option<String>,
    /// Other words of its clause.
    pub context: Vec<String>,
    /// Bytes of the nouns.
    pub noun_span: Range<usize>,
    /// True where "is" or 为 stands before the number.
    pub copular: bool,
    /// True where another characteristic stands before the number, so that it may be about that one.
    pub unsure: bool,
    /// True for so much that one has: "you have 5 life", not "a creature with 5 power".
    pub held: bool,
    /// True where a total over several things is meant.
    pub total: bool,
    /// The things that are added up, where the phrase names two.
    pub addends: Vec<String>,
    /// The clause it stands in.
    pub clause: usize,
    /// How it is joined to the mention before it in the same condition.
    pub joint: Option<Joint>,
    /// Before or after an event.
    pub time: Option<Time>,
}

/// What a mention says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Says {
    /// A number is compared.
    Claim(Claim),
    /// Two quantities, named `a` and `b` in the order of the phrase, are compared.
    Relation(Relation, [String; 2]),
    /// A player chooses a number freely.
    ChooseNumber,
}

/// What a number is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// How many of something.
    Count,
    /// A characteristic: power, cost.
    Trait,
    /// A letter: X.
    Letter,
    /// Which one in order: the second.
    Ordinal,
}

/// What a mention does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is a condition.
    Condition,
    /// It narrows which things another counts.
    Filter,
    /// It says what is done: no condition.
    Instruction,
    /// A player picks.
    Choice,
}

/// How two conditions are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// Both have to hold.
    And,
    /// One is enough.
    Or,
}

/// Before or after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Before it.
    Old,
    /// After it.
    New,
}

/// The longest phrase that is read; more is no phrase.
pub const MAX_TEXT_BYTES: usize = 256 * 1024;

/// Reads a phrase.
///
/// Quotations are names and are not read, unless nothing outside of them holds a number: then the longest that is
/// more than a name is read, as in `[Keyword] means "as long as …"`.
pub fn read(text: &str) -> Reading {
    let reading = read_outside_quotes(text);
    if !reading.mentions.is_empty() || text.len() > MAX_TEXT_BYTES {
        return reading;
    }
    let Some(quote) = longest_quote(text) else {
        return reading;
    };
    // Blanks for what stands outside: the places of the words stay what they are.
    let blanked: String = text
        .char_indices()
        .flat_map(|(at, c)| {
            let kept = if quote.contains(&at) { c } else { ' ' };
            let width = if quote.contains(&at) { 1 } else { c.len_utf8() };
            std::iter::repeat_n(kept, width)
        })
        .collect();
    let inner = read_outside_quotes(&blanked);
    if inner.mentions.is_empty() { reading } else { inner }
}

/// The bytes inside the longest quotation that is a sentence, not a name.
fn longest_quote(text: &str) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    for (open, close) in [('“', '”'), ('"', '"'), ('「', '」')] {
        let mut from = 0;
        while let Some(start) = text[from..].find(open).map(|at| from + at + open.len_utf8()) {
            let Some(end) = text[start..].find(close).map(|at| start + at) else {
                break;
            };
            let inner = &text[start..end];
            let sentence = inner.split_whitespace().count() >= 5
                || inner.chars().filter(|c| crate::fold::is_han(*c)).count() >= 8;
            if sentence && found.as_ref().is_none_or(|longest| longest.len() < end - start) {
                found = Some(start..end);
            }
            from = end + close.len_utf8();
        }
    }
    found
}

fn read_outside_quotes(text: &str) -> Reading {
    let mut reading = Reading::default();
    if text.len() > MAX_TEXT_BYTES {
        return reading;
    }
    let tokens = lex(text);
    reading.in_names = tokens
        .iter()
        .filter(|token| token.word == Word::NameNumber)
        .map(|token| token.span.clone())
        .collect();
    let mut start = 0;
    let mut conditional = None;
    // True where the comma before a clause parts what looks like one list of numbers.
    let mut torn = false;
    let mut previous = 0;
    for end in 0..=tokens.len() {
        let ends = match tokens.get(end).map(|token| token.word) {
            None | Some(Word::Stop | Word::Colon) => true,
            Some(Word::Comma) => !joins_numbers(&tokens, end),
            _ => false,
        };
        if !ends {
            continue;
        }
        let tears = tears_numbers(&tokens, end);
        let before = std::mem::replace(&mut previous, start);
        if end > start {
            let before_colon = tokens.get(end).is_some_and(|token| token.word == Word::Colon);
            let mut clause = ClauseReader::new(text, &tokens[start..end], before_colon, conditional);
            clause.after_condition = conditional.is_some();
            let first = reading.mentions.len();
            let leads = tokens[start].word;
            let clause_before = before;
            conditional = clause.read(&mut reading);
            if start > 0 && tokens[start - 1].word == Word::Comma {
                let joined = join_across(&mut reading.mentions, first, leads);
                // The word that joins is understood.
                if joined && let Some(clause) = reading.clauses.last_mut() {
                    clause
                        .leftover
                        .retain(|leftover| leftover.span != tokens[start].span);
                }
                spread_leftover(&mut reading.clauses, &tokens[clause_before..end]);
            }
            if (torn || tears)
                && let Some(clause) = reading.clauses.last_mut()
            {
                clause.leftover.push(Leftover {
                    span: clause.span.clone(),
                    kind: LeftoverKind::Other,
                });
            }
        }
        torn = tears;
        join_parity(&mut reading);
        if tokens.get(end).is_some_and(|token| token.word != Word::Comma) {
            conditional = None;
        }
        start = end + 1;
    }
    reading
}

/// "At least 4 tokens, an even number": a bound and a parity of one thing are one condition. Where they may be of two
/// things, neither is read alone.
fn join_parity(reading: &mut Reading) {
    let is_parity = |mention: &Mention| {
        let Says::Claim(Claim::Set(set)) = &mention.says else {
            return false;
        };
        *set == Condition::even() || *set == Condition::odd()
    };
    let [.., before, after] = &mut reading.mentions[..] else {
        return;
    };
    let counts = |mention: &Mention| mention.subject == Subject::Count && mention.role != Role::Instruction;
    let beside = after.clause <= before.clause + 1 && after.clause + 1 == reading.clauses.len();
    if !counts(before)
        || !counts(after)
        || !beside
        || after.joint.is_some()
        || is_parity(before) == is_parity(after)
    {
        return;
    }
    if after.nouns.is_empty() && before.clause != after.clause {
        after.joint = Some(Joint::And);
        share_noun(before, after);
        return;
    }
    for clause in [before.clause, after.clause] {
        let span = reading.clauses[clause].span.clone();
        let kind = LeftoverKind::Other;
        reading.clauses[clause].leftover.push(Leftover { span, kind });
    }
}

/// Joins the first mention of a clause to the one before the comma: "at least 3, but fewer than 6".
fn join_across(mentions: &mut [Mention], first: usize, leads: Word) -> bool {
    if first == 0 || first >= mentions.len() {
        return false;
    }
    let (before, after) = mentions.split_at_mut(first);
    let (before, after) = (&mut before[first - 1], &mut after[0]);
    if before.role != Role::Condition || after.role != Role::Condition || before.clause + 1 != after.clause {
        return false;
    }
    let bounds = |says: &Says| {
        matches!(
            says,
            Says::Claim(Claim::Set(_) | Claim::Open(..) | Claim::UpTo(_))
        )
    };
    after.joint = match leads {
        Word::And | Word::But => Some(Joint::And),
        Word::Or => Some(Joint::Or),
        _ if before.nouns.is_empty() && bounds(&before.says) && bounds(&after.says) => Some(Joint::And),
        _ => None,
    };
    if after.joint.is_some() {
        share_noun(before, after);
    }
    after.joint.is_some()
}

/// In a phrase of two pieces, neither of which is a sentence, a word that is not understood in one may belong to the
/// other: "least at 3, at most 5 gems".
fn spread_leftover(clauses: &mut [Clause], tokens: &[Token]) {
    let sentence = tokens.iter().any(|token| {
        matches!(
            token.word,
            Word::Act
                | Word::If
                | Word::Unless
                | Word::Case
                | Word::Person
                | Word::Have
                | Word::Choose
                | Word::Target
                | Word::May
        )
    });
    if let [.., before, after] = clauses
        && !sentence
    {
        if after.leftover.is_empty() {
            after.leftover.clone_from(&before.leftover);
        } else if before.leftover.is_empty() {
            before.leftover.clone_from(&after.leftover);
        }
    }
}

/// What is named once is meant twice: "at least 2 but fewer than 6 tokens".
pub(super) fn share_noun(before: &mut Mention, after: &mut Mention) {
    if before.nouns.is_empty() {
        before.nouns.clone_from(&after.nouns);
        before.noun_span = after.noun_span.clone();
        before.subject = after.subject;
    }
    before.context.extend(after.context.iter().cloned());
    after.context.clone_from(&before.context);
    if after.nouns.is_empty() {
        after.nouns.clone_from(&before.nouns);
        after.noun_span = before.noun_span.clone();
        after.subject = before.subject;
    }
}

/// True for a comma with a number on both sides that parts two clauses: a list that cannot be read.
fn tears_numbers(tokens: &[Token], comma: usize) -> bool {
    if tokens.get(comma).is_none_or(|token| token.word != Word::Comma) {
        return false;
    }
    let classifier = |token: &&Token| matches!(token.word, Word::Classifier | Word::TraitClassifier);
    let before = tokens[..comma].iter().rev().find(|token| !classifier(token));
    let after = tokens[comma + 1..].iter().find(|token| {
        !matches!(
            token.word,
            Word::Or | Word::And | Word::Exactly | Word::Only | Word::Choose
        )
    });
    before.is_some_and(Token::is_number) && after.is_some_and(Token::is_number)
}

/// True for a lower and an upper bound.
pub(super) fn bounds_from_both_sides(left: &Mention, right: &Mention) -> bool {
    let side = |mention: &Mention| match &mention.says {
        Says::Claim(Claim::Open(order, _)) => Some(*order == Order::AtLeast),
        Says::Claim(Claim::UpTo(_)) => Some(false),
        Says::Claim(Claim::Set(set)) => match set.intervals()[..] {
            [interval] if interval.high.is_none() => Some(true),
            [interval] if interval.low.is_none() => Some(false),
            _ => None,
        },
        _ => None,
    };
    matches!((side(left), side(right)), (Some(left), Some(right)) if left != right)
}

/// True for a comma between the numbers of one list.
fn joins_numbers(tokens: &[Token], comma: usize) -> bool {
    let before = tokens[..comma]
        .iter()
        .rev()
        .find(|token| !matches!(token.word, Word::Classifier | Word::TraitClassifier));
    let mut after = tokens[comma + 1..].iter().filter(|token| token.word != Word::Or);
    before.is_some_and(Token::is_number)
        && after.next().is_some_and(Token::is_number)
        && tokens[comma + 1..]
            .iter()
            .take(24)
            .take_while(|token| {
                matches!(
                    token.word,
                    Word::Comma | Word::Or | Word::Classifier | Word::TraitClassifier
                ) || token.is_number()
            })
            .any(|token| token.word == Word::Or)
}
