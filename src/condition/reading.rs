//! What a phrase says before any game's convention: which numbers it mentions, what they are about, which of them
//! are conditions.
//!
//! The phrase is cut into clauses. In each, numeric expressions ([`super::amount`]) and comparisons of two
//! quantities are found, then what each is about. Every word that can change the meaning of a number
//! ([`super::words`]) must have been used by one of them: what is left over is kept in [`Clause::leftover`], and no
//! answer may rest on such a clause.

use super::amount::{Claim, ClaimFault, read_amount};
use super::lexer::{Token, lex};
use super::numbers::{Condition, Order};
use super::relation::{Relation, Sum};
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

/// The most words of a clause that is read.
const MAX_CLAUSE: usize = 200;

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
        if end > start {
            let before_colon = tokens.get(end).is_some_and(|token| token.word == Word::Colon);
            let clause = ClauseReader::new(text, &tokens[start..end], before_colon, conditional);
            let first = reading.mentions.len();
            let leads = tokens[start].word;
            conditional = clause.read(&mut reading);
            if start > 0 && tokens[start - 1].word == Word::Comma {
                let joined = join_across(&mut reading.mentions, first, leads);
                // The word that joins is understood.
                if joined && let Some(clause) = reading.clauses.last_mut() {
                    clause
                        .leftover
                        .retain(|leftover| leftover.span != tokens[start].span);
                }
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
        if tokens.get(end).is_some_and(|token| token.word != Word::Comma) {
            conditional = None;
        }
        start = end + 1;
    }
    reading
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

/// What is named once is meant twice: "at least 2 but fewer than 6 tokens".
fn share_noun(before: &mut Mention, after: &mut Mention) {
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
fn bounds_from_both_sides(left: &Mention, right: &Mention) -> bool {
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

/// Which marker governs a clause that continues another: "if A, and B".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Governed {
    unless: bool,
}

struct ClauseReader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    used: Vec<bool>,
    before_colon: bool,
    /// The marker of the clause before, where this one goes on with "and" or "or".
    inherited: Option<Governed>,
    /// Where the marker of this clause stands.
    marker: Option<usize>,
    unless: bool,
    /// Where 的场合 ends the condition.
    case: Option<usize>,
    /// Words that nobody writes twice in a row.
    doubled: Vec<Range<usize>>,
}

impl<'t> ClauseReader<'t> {
    fn new(text: &'t str, tokens: &[Token], before_colon: bool, inherited: Option<Governed>) -> Self {
        let mut tokens = tokens.to_vec();
        // "正好操控2个" is "操控正好2个".
        for idx in 1..tokens.len() {
            let comparison = matches!(
                tokens[idx - 1].word,
                Word::Exactly | Word::Only | Word::Before(_) | Word::UpTo
            );
            let number_next = tokens.get(idx + 1).is_some_and(Token::is_number);
            let verb = matches!(
                tokens[idx].word,
                Word::Have | Word::Is | Word::Plain | Word::Choose | Word::Act
            );
            if comparison && verb && number_next {
                tokens.swap(idx - 1, idx);
            }
        }
        for idx in 1..tokens.len() {
            // "Whose total levels equal 8".
            if tokens[idx - 1].text == "equal" && tokens[idx].is_number() {
                tokens[idx - 1].word = Word::Equals;
            }
        }
        let doubled = tokens
            .windows(2)
            .filter(|pair| {
                pair[0].is_number() && pair[1].is_number()
                    || pair[0].word == pair[1].word
                        && pair[0].text == pair[1].text
                        && is_meaningful(pair[0].word)
            })
            .map(|pair| pair[0].span.start..pair[1].span.end)
            .chain(fragments(&tokens))
            .collect();
        let marker = tokens
            .iter()
            .position(|token| matches!(token.word, Word::If | Word::Unless));
        let unless = marker.is_some_and(|idx| tokens[idx].word == Word::Unless);
        let case = tokens.iter().rposition(|token| token.word == Word::Case);
        let continues = matches!(
            tokens.first().map(|t| t.word),
            Some(Word::And | Word::Or | Word::But)
        );
        ClauseReader {
            text,
            used: vec![false; tokens.len()],
            tokens,
            before_colon,
            inherited: inherited.filter(|_| continues),
            marker,
            unless,
            case,
            doubled,
        }
    }

    fn word(&self, idx: usize) -> Option<Word> {
        self.tokens.get(idx).map(|token| token.word)
    }

    fn span(&self, range: Range<usize>) -> Range<usize> {
        match &self.tokens[range] {
            [] => 0..0,
            tokens => {
                let start = tokens.iter().map(|t| t.span.start).min().unwrap_or(0);
                start..tokens.iter().map(|t| t.span.end).max().unwrap_or(start)
            }
        }
    }

    fn use_range(&mut self, range: Range<usize>) {
        self.used[range].fill(true);
    }

    /// True where the words at `idx` stand under a condition.
    fn governed(&self, idx: usize) -> bool {
        self.marker.is_some_and(|marker| marker < idx)
            || self.case.is_some_and(|case| idx < case)
            || self.inherited.is_some()
    }

    fn under_unless(&self, idx: usize) -> bool {
        self.unless && self.marker.is_some_and(|marker| marker < idx)
            || self.inherited.is_some_and(|governed| governed.unless)
    }

    /// Reads the clause into `reading`; returns the marker that the next clause may continue.
    fn read(mut self, reading: &mut Reading) -> Option<Governed> {
        let clause = reading.clauses.len();
        let first = reading.mentions.len();
        if self.tokens.len() > MAX_CLAUSE {
            // Nobody writes such a clause, and reading it would take time that grows with its square.
            let span = self.span(0..self.tokens.len());
            let leftover = vec![Leftover {
                span: span.clone(),
                kind: LeftoverKind::Other,
            }];
            reading.clauses.push(Clause { span, leftover });
            return None;
        }
        if !self.read_relation(clause, reading) {
            self.read_mentions(clause, reading);
        }
        self.join_mentions(&mut reading.mentions[first..]);
        let leftover = self.leftover(&reading.mentions[first..]);
        let span = self.span(0..self.tokens.len());
        reading.clauses.push(Clause { span, leftover });
        if self.marker.is_some() || self.case.is_some() {
            Some(Governed { unless: self.unless })
        } else {
            self.inherited
        }
    }

    /// Finds numeric expressions and what they are about.
    fn read_mentions(&mut self, clause: usize, reading: &mut Reading) {
        let mut idx = 0;
        let mut previous_end = 0;
        while idx < self.tokens.len() {
            if let Some(mention) = self
                .parity(idx, clause)
                .or_else(|| self.existence(idx, clause, previous_end))
            {
                let end = mention.1;
                self.add(mention.0, idx, reading);
                idx = end;
                previous_end = end;
                continue;
            }
            let Some(amount) = read_amount(&self.tokens[idx..]) else {
                idx += 1;
                continue;
            };
            let mut end = idx + amount.taken;
            let mut claim = amount.claim;
            self.use_range(idx..end);
            if amount.open_ended
                && let Some((bound_at, bounded)) = self.bound_after_noun(end, &claim)
            {
                claim = bounded;
                self.used[bound_at] = true;
            }
            if claim == Claim::Fault(ClaimFault::OpenRange)
                && let Some((at, range)) = self.inclusion_after_noun(end)
            {
                claim = range;
                self.used[at] = true;
            }
            // "May have only one": an upper bound to some, exactly one to others.
            let only = self.tokens[idx..idx + amount.taken]
                .iter()
                .any(|token| token.word == Word::Only);
            let allowed = self.tokens[..idx]
                .iter()
                .any(|token| token.word == Word::May || matches!(token.text.as_str(), "can" | "could"));
            if only && allowed {
                self.doubled.push(self.span(idx..idx + amount.taken));
            }
            let chosen = self.tokens[..idx].iter().any(|token| token.word == Word::Choose);
            if matches!(self.word(end), Some(Word::Of)) && matches!(claim, Claim::Bare(1)) && !chosen {
                // "one of": a pronoun.
                idx = end;
                continue;
            }
            let mention = self.mention(idx..end, claim, amount.trait_classifier, clause);
            if self.word(end) == Some(Word::De) {
                end += 1;
            }
            self.add(mention, idx, reading);
            previous_end = idx + amount.taken;
            idx = end;
        }
        let described = reading
            .mentions
            .iter()
            .filter(|mention| mention.clause == clause)
            .count()
            > 0
            && reading
                .mentions
                .iter()
                .filter(|mention| mention.clause == clause)
                .all(|mention| mention.subject == Subject::Trait);
        if described && let Some(mention) = self.described_existence(clause) {
            for described in reading
                .mentions
                .iter_mut()
                .filter(|mention| mention.clause == clause)
            {
                described.role = Role::Filter;
            }
            self.add(mention, 0, reading);
        }
        if reading
            .mentions
            .last()
            .is_none_or(|mention| mention.clause != clause)
        {
            if let Some(mention) = self.ordinal(clause) {
                self.add(mention, 0, reading);
            } else if let Some(mention) = self.bare_existence(clause) {
                self.add(mention, 0, reading);
            }
        }
    }

    fn add(&mut self, mention: Mention, _at: usize, reading: &mut Reading) {
        reading.mentions.push(mention);
    }

    /// "Three tokens or more", "three tokens at least": the comparison after the noun.
    fn bound_after_noun(&self, from: usize, claim: &Claim) -> Option<(usize, Claim)> {
        let Claim::Bare(value) = claim else { return None };
        let mut at = from;
        while matches!(
            self.word(at),
            Some(Word::Content | Word::Trait | Word::Masked | Word::Stats | Word::Other | Word::Plain)
        ) && at < from + 6
        {
            at += 1;
        }
        if at == from {
            return None;
        }
        let last = at + 1 >= self.tokens.len()
            || matches!(
                self.word(at + 1),
                Some(Word::Plain | Word::Case | Word::De | Word::If | Word::With)
            );
        match self.word(at)? {
            Word::Exactly if last => Some((at, Claim::Set(Condition::compare(Order::Equal, *value)))),
            Word::After(order) => Some((at, Claim::Set(Condition::compare(order, *value)))),
            Word::AfterOpen(order) => Some((at, Claim::Open(order, *value))),
            Word::Before(order @ (Order::AtLeast | Order::AtMost)) if last => {
                Some((at, Claim::Set(Condition::compare(order, *value))))
            }
            _ => None,
        }
    }

    /// "Between 2 and 4 gems inclusive": what settles the ends stands after the noun.
    fn inclusion_after_noun(&self, from: usize) -> Option<(usize, Claim)> {
        let at = (from..self.tokens.len()).find(|at| self.tokens[*at].word != Word::Content)?;
        let (Word::Number(low), Word::Number(high)) = ({
            let mut numbers = self.tokens[..from].iter().rev().filter(|token| token.is_number());
            let high = numbers.next()?.word;
            (numbers.next()?.word, high)
        }) else {
            return None;
        };
        (self.tokens[at].word == Word::Inclusive && low <= high)
            .then(|| (at, Claim::Set(Condition::between(Some(low), Some(high)))))
    }

    /// The nearest word to the left that is no filler, from `idx` on.
    fn left(&self, idx: usize) -> Option<usize> {
        (0..idx).rev().find(|at| {
            !matches!(
                self.tokens[*at].word,
                Word::Plain
                    | Word::At
                    | Word::Modal
                    | Word::Is
                    | Word::Not
                    | Word::De
                    | Word::Of
                    | Word::Total
            )
        })
    }

    fn mention(&self, range: Range<usize>, claim: Claim, trait_classifier: bool, clause: usize) -> Mention {
        let left = self.left(range.start);
        let copular = (0..range.start)
            .rev()
            .find(|at| !matches!(self.tokens[*at].word, Word::Plain | Word::Not))
            .is_some_and(|at| self.tokens[at].word == Word::Is);
        let right = self.word(range.end);
        let trait_right = {
            let mut at = range.end;
            while matches!(self.word(at), Some(Word::De)) {
                at += 1;
            }
            let mut stop = at;
            while self.word(stop) == Some(Word::Trait) {
                stop += 1;
            }
            // 3-Cost: a hyphen binds the number to what it measures.
            let bound = stop > at && self.text[..self.tokens[at].span.start].ends_with('-');
            (stop > at && (bound || self.ends_trait(stop))).then_some(at..stop)
        };
        let trait_left = left.filter(|at| {
            self.tokens[*at].word == Word::Trait
                // In English a number after "of" belongs to a trait only where the trait is named before it.
                && (*at + 1..range.start).all(|between| self.tokens[between].word != Word::De)
        });
        // "The total cost of that card is 4".
        let trait_left = trait_left.or_else(|| copular.then(|| self.trait_of(range.start)).flatten());
        let letter_left = left.filter(|at| matches!(self.tokens[*at].word, Word::Letter(_)));
        let subject = if trait_classifier || trait_left.is_some() || trait_right.is_some() {
            Subject::Trait
        } else if letter_left.is_some() {
            Subject::Letter
        } else {
            Subject::Count
        };
        let noun_range = match subject {
            Subject::Trait => trait_left
                .map(|at| at..at + 1)
                .or(trait_right)
                .unwrap_or(range.start..range.end),
            Subject::Letter => letter_left.map_or(range.clone(), |at| at..at + 1),
            _ => self.counted(&range),
        };
        let total = self.is_total(&range);
        let role = self.role(&range, subject, &claim);
        let mut mention = Mention {
            says: Says::Claim(claim),
            subject,
            role,
            negations: 0,
            unless: self.under_unless(range.start),
            span: self.span(range.clone()),
            nouns: self.noun_words(&noun_range),
            verb: self.tokens[..range.start]
                .iter()
                .rev()
                .find(|token| token.word == Word::Act)
                .map(|token| token.text.clone()),
            context: self.context(),
            noun_span: self.span(noun_range),
            copular,
            total,
            addends: Vec::new(),
            clause,
            joint: None,
            time: None,
        };
        match left.map(|at| self.tokens[at].word) {
            Some(Word::Formerly) => mention.time = Some(Time::Old),
            Some(Word::Become) => mention.time = Some(Time::New),
            _ => {}
        }
        let _ = right;
        mention
    }

    /// The tokens of what is counted: after the number, or before it where nothing follows.
    fn counted(&self, range: &Range<usize>) -> Range<usize> {
        let noun = |word| {
            matches!(
                word,
                Word::Content
                    | Word::Masked
                    | Word::Stats
                    | Word::Other
                    | Word::Different
                    | Word::Trait
                    | Word::Person
                    | Word::Target
                    | Word::NameNumber
                    | Word::Even
                    | Word::Odd
            )
        };
        let mut start = range.end;
        while matches!(self.word(start), Some(Word::De | Word::Of | Word::Plain)) {
            start += 1;
        }
        let mut end = start;
        while self.word(end).is_some_and(noun) {
            // "2 Level 4 monsters": what is counted stands behind its characteristic.
            if self.word(end) == Some(Word::Trait) && self.tokens.get(end + 1).is_some_and(Token::is_number) {
                let mut next = end + 2;
                next += usize::from(matches!(
                    self.word(next),
                    Some(Word::After(_) | Word::AfterOpen(_) | Word::De)
                ));
                if self.word(next).is_some_and(noun) {
                    start = next;
                    end = next;
                    continue;
                }
                break;
            }
            end += 1;
        }
        // A Chinese noun may be narrowed by what stands before 的: 两个总费用为3的生物.
        if let Some(de) = (end..self.tokens.len())
            .rev()
            .find(|at| self.word(*at) == Some(Word::De))
            && self.tokens[de].han
            && self.word(de + 1).is_some_and(noun)
            && (range.end..de).all(|at| !matches!(self.word(at), Some(Word::Have | Word::And | Word::Or)))
        {
            let mut stop = de + 1;
            while self.word(stop).is_some_and(noun) {
                stop += 1;
            }
            return de + 1..stop;
        }
        if end > start {
            return start..end;
        }
        // Nothing follows: what stands before it, up to the marker.
        let mut stop = range.start;
        while stop > 0
            && matches!(
                self.tokens[stop - 1].word,
                Word::Is
                    | Word::Plain
                    | Word::Modal
                    | Word::Not
                    | Word::De
                    | Word::Have
                    | Word::NumberOf
                    | Word::Total
                    | Word::Formerly
                    | Word::Become
                    | Word::Exactly
                    | Word::Only
            )
        {
            stop -= 1;
        }
        let mut from = stop;
        while from > 0
            && (noun(self.tokens[from - 1].word)
                || matches!(
                    self.tokens[from - 1].word,
                    Word::De | Word::Plain | Word::Of | Word::NumberOf | Word::And | Word::Comma
                ))
        {
            from -= 1;
        }
        if from < stop {
            from..stop
        } else {
            range.start..range.start
        }
    }

    fn noun_words(&self, range: &Range<usize>) -> Vec<String> {
        self.tokens[range.clone()]
            .iter()
            .filter(|token| {
                !matches!(token.word, Word::De | Word::Plain | Word::Of) && !token.text.is_empty()
            })
            .map(|token| token.text.clone())
            .collect()
    }

    /// The characteristic of "the power of that creature is", where the number at `idx` follows.
    fn trait_of(&self, idx: usize) -> Option<usize> {
        let of = (0..idx).rev().find(|at| {
            !matches!(
                self.tokens[*at].word,
                Word::Content
                    | Word::Plain
                    | Word::Person
                    | Word::Target
                    | Word::Masked
                    | Word::Other
                    | Word::Is
                    | Word::Not
            )
        })?;
        (of > 0 && self.tokens[of].word == Word::Of && self.tokens[of - 1].word == Word::Trait)
            .then(|| of - 1)
    }

    /// True where a characteristic named after its number ends: "2000 or more ATK", but not "three life cards" and
    /// not 2个总费用为3的生物.
    fn ends_trait(&self, at: usize) -> bool {
        let open = !matches!(
            self.word(at),
            Some(
                Word::Content
                    | Word::Masked
                    | Word::Stats
                    | Word::NameNumber
                    | Word::Classifier
                    | Word::Is
                    | Word::Exactly
                    | Word::Equals
                    | Word::Only
                    | Word::Even
                    | Word::Odd
                    | Word::Not
                    | Word::UpTo
                    | Word::Number(_)
                    | Word::Bad(_)
                    | Word::Letter(_)
            )
        );
        let compared = matches!(self.word(at), Some(Word::Before(_)))
            && self.tokens.get(at + 1).is_some_and(Token::is_number);
        open && !compared
    }

    /// The words of the clause that hold no meaning of their own.
    fn context(&self) -> Vec<String> {
        self.tokens
            .iter()
            .filter(|token| matches!(token.word, Word::Content | Word::Trait | Word::Person))
            .map(|token| token.text.clone())
            .collect()
    }

    /// What the expression does in the clause.
    fn role(&self, range: &Range<usize>, subject: Subject, claim: &Claim) -> Role {
        let governed = self.governed(range.start);
        let before = &self.tokens[..range.start];
        let choosing = before
            .iter()
            .rposition(|token| token.word == Word::Choose)
            .filter(|at| self.word(at + 1) != Some(Word::To));
        let acting = before.iter().rposition(|token| token.word == Word::Act);
        let having = before.iter().rposition(|token| {
            matches!(
                token.word,
                Word::Have | Word::There | Word::With | Word::Is | Word::Trait
            )
        });
        let modal = before
            .iter()
            .any(|token| matches!(token.word, Word::Modal | Word::Not));
        let may = before.iter().any(|token| token.word == Word::May);
        let targets = self.tokens[range.end..]
            .iter()
            .take(3)
            .any(|token| token.word == Word::Target)
            || matches!(before, [.., may, target] if target.word == Word::Target && may.word == Word::May)
            || matches!(before, [target] if target.word == Word::Target);
        if subject == Subject::Trait {
            // A characteristic is a condition on a thing, unless it is what an effect changes.
            let bare = matches!(claim, Claim::Bare(_));
            let acted_on = acting.is_some_and(|act| {
                // "Pay a cost of 2 life": what is paid.
                let measured = |have: usize| bare && self.tokens[have].word == Word::Trait;
                having.is_none_or(|have| have < act || measured(have))
            });
            let changes = acted_on && !governed && (!modal || bare);
            return if changes {
                Role::Instruction
            } else {
                Role::Condition
            };
        }
        let picks = matches!(claim, Claim::UpTo(_) | Claim::AnyNumber);
        let direct = |verb: Option<usize>| verb.is_some_and(|verb| having.is_none_or(|have| have < verb));
        if !governed && direct(choosing) {
            return Role::Choice;
        }
        if !governed && targets && !matches!(claim, Claim::Bare(_)) {
            return Role::Choice;
        }
        if picks && !governed {
            let bounded = having.is_some_and(|have| acting.is_none_or(|act| act < have));
            // "Set up to 1 of your cards": any verb at the head of its clause.
            let ordered = before
                .first()
                .is_some_and(|verb| verb.word == Word::Content && !verb.han)
                && having.is_none()
                && !modal;
            let objects = self.tokens[range.end..].iter().any(|token| token.text == "对象");
            if direct(acting) || may && !bounded || ordered || objects {
                return Role::Choice;
            }
        }
        if self.before_colon && !governed {
            return Role::Instruction;
        }
        if direct(acting) && !governed && !modal {
            return Role::Instruction;
        }
        // "Flip 2 coins": a verb that is not known, at the head of its clause.
        let imperative = matches!(before, [verb] if verb.word == Word::Content && !verb.han);
        if imperative && matches!(claim, Claim::Bare(_)) && !governed {
            return Role::Instruction;
        }
        if before.iter().any(|token| token.word == Word::Instead) && !governed {
            return Role::Instruction;
        }
        // Words before the marker are the effect: "draw two cards if …".
        if let Some(marker) = self.marker
            && range.start < marker
            && self.case.is_none()
            && !self.governed(range.start)
        {
            return Role::Instruction;
        }
        Role::Condition
    }

    /// Even or odd, where it says what a number is and does not only describe a noun.
    fn parity(&self, idx: usize, clause: usize) -> Option<(Mention, usize)> {
        let set = match self.word(idx)? {
            Word::Even => Condition::even(),
            Word::Odd => Condition::odd(),
            _ => return None,
        };
        let mut end = idx + 1;
        let counts = matches!(self.word(end), Some(Word::NumberOf | Word::Classifier));
        let says = counts
            || matches!(self.word(end), Some(Word::Trait))
            || self
                .left(idx)
                .is_some_and(|at| self.tokens[at].word == Word::Trait)
            || idx > 0 && matches!(self.tokens[idx - 1].word, Word::Is)
            // "The number of gems isn't even".
            || idx > 0
                && self.tokens[idx - 1].word == Word::Not
                && self.tokens[..idx].iter().any(|token| token.word == Word::NumberOf);
        if !says {
            return None;
        }
        if counts {
            end += 1;
        }
        let mut mention = self.mention(idx..end, Claim::Set(set), false, clause);
        if counts {
            mention.subject = Subject::Count;
        }
        if mention.role == Role::Instruction && !self.before_colon {
            mention.role = Role::Condition;
        }
        Some((mention, end))
    }

    /// "No cards", "a Swamp", "another Goblin", "both coins are": how many without a number.
    fn existence(&self, idx: usize, clause: usize, _previous: usize) -> Option<(Mention, usize)> {
        let noun_next = |at: usize| {
            matches!(
                self.word(at),
                Some(
                    Word::Content | Word::Masked | Word::Stats | Word::Other | Word::Trait | Word::Different
                )
            )
        };
        let listed = idx > 0
            && matches!(self.tokens[idx - 1].word, Word::And | Word::Or)
            && self.tokens[..idx]
                .iter()
                .any(|token| matches!(token.word, Word::Have | Word::There))
            && self.tokens[..idx]
                .iter()
                .any(|token| matches!(token.word, Word::Article | Word::Another));
        let before = (0..idx).rev().find(|at| {
            !matches!(
                self.tokens[*at].text.as_str(),
                "also" | "now" | "still" | "already" | "currently"
            )
        });
        // Directly after the verb: "gain control of another player" has nobody.
        let had = listed
            || before.is_some_and(|at| match self.tokens[at].word {
                Word::Have | Word::There | Word::With => true,
                Word::Is => at > 0 && self.tokens[at - 1].word == Word::There,
                _ => false,
            });
        let set = |order, n| Claim::Set(Condition::compare(order, n));
        if self.word(idx) == Some(Word::Choose) {
            // "Choose a number", 选择一个数字.
            let length = match (self.word(idx + 1)?, self.word(idx + 2)) {
                (Word::Article, Some(Word::NumberOf)) => 3,
                (Word::Number(1), Some(Word::NumberOf)) => 3,
                (Word::Number(1), Some(Word::Classifier)) if self.word(idx + 3) == Some(Word::NumberOf) => 4,
                (Word::NumberOf, _) => 2,
                _ => return None,
            };
            let mut mention = self.mention(idx..idx + length, Claim::AnyNumber, false, clause);
            mention.says = Says::ChooseNumber;
            mention.role = Role::Choice;
            return Some((mention, idx + length));
        }
        let (claim, taken) = match self.word(idx)? {
            Word::No | Word::Without => {
                let any = usize::from(self.word(idx + 1) == Some(Word::Any));
                if !noun_next(idx + 1 + any) {
                    return None;
                }
                (set(Order::Equal, 0), 1 + any)
            }
            Word::Any if had && noun_next(idx + 1) => (set(Order::AtLeast, 1), 1),
            // "A cost of 3" measures; "a power counter" counts.
            Word::Article if had && self.word(idx + 1) == Some(Word::Trait) && !noun_next(idx + 2) => {
                return None;
            }
            Word::Article if self.word(idx + 1) == Some(Word::Different) => return None,
            Word::Article if had && noun_next(idx + 1) => (set(Order::AtLeast, 1), 1),
            Word::Another
                if had
                    // "If you've cast another spell this turn".
                    || self.governed(idx) && before.is_some_and(|at| self.tokens[at].word == Word::Act) =>
            {
                (
                    set(Order::AtLeast, 1),
                    1 + usize::from(self.word(idx + 1) == Some(Word::Classifier)),
                )
            }
            Word::Both
                if self.word(idx + 1) == Some(Word::Of)
                    && self.tokens[idx..].iter().any(|token| token.word == Word::Is) =>
            {
                (set(Order::Equal, 2), 1)
            }
            Word::Both
                if self.tokens[idx..].iter().any(|token| token.word == Word::Is) && noun_next(idx + 1) =>
            {
                (set(Order::Equal, 2), 1)
            }
            _ => return None,
        };
        // 没有两个 negates its number and is handled as a negation.
        let mut mention = self.mention(idx..idx + taken, claim, false, clause);
        mention.subject = Subject::Count;
        mention.nouns = self.noun_words(&self.counted(&(idx..idx + taken)));
        Some((mention, idx + taken))
    }

    /// "Your second card": which one in order.
    fn ordinal(&mut self, clause: usize) -> Option<Mention> {
        let idx = self
            .tokens
            .iter()
            .position(|token| matches!(token.word, Word::Ordinal(_)))?;
        let Some(Word::Ordinal(value)) = self.word(idx) else {
            return None;
        };
        if !self.governed(idx) {
            return None;
        }
        self.used[idx] = true;
        let mut mention = self.mention(
            idx..idx + 1,
            Claim::Set(Condition::compare(Order::Equal, value)),
            false,
            clause,
        );
        mention.subject = Subject::Ordinal;
        mention.role = Role::Condition;
        Some(mention)
    }

    /// 若你操控沼泽: a thing that is there at all, without a number.
    fn bare_existence(&mut self, clause: usize) -> Option<Mention> {
        let have = self
            .tokens
            .iter()
            .position(|token| token.word == Word::Have && token.han)?;
        if !self.governed(have)
            || !matches!(
                self.word(have + 1),
                Some(Word::Content | Word::Masked | Word::Other | Word::Any)
            )
        {
            return None;
        }
        // 具有个: a number is missing.
        let classifier = |c| {
            matches!(
                c,
                '个' | '张' | '只' | '点' | '名' | '位' | '颗' | '枚' | '种' | '项'
            )
        };
        if self.tokens[have + 1].text.chars().next().is_some_and(classifier) {
            return None;
        }
        if self.word(have + 1) == Some(Word::Any) {
            self.used[have + 1] = true;
        }
        let claim = Claim::Set(Condition::compare(Order::AtLeast, 1));
        let mut mention = self.mention(have..have + 1, claim, false, clause);
        mention.subject = Subject::Count;
        mention.role = Role::Condition;
        Some(mention)
    }

    /// 若你操控力量等于或大于4的生物: a thing that is there at all, told by its characteristic.
    fn described_existence(&self, clause: usize) -> Option<Mention> {
        let have = self
            .tokens
            .iter()
            .position(|token| token.word == Word::Have && token.han)?;
        let number = self.tokens.iter().position(Token::is_number)?;
        let de = self.tokens.iter().rposition(|token| token.word == Word::De)?;
        let starts = matches!(self.word(have + 1), Some(Word::Trait)) && have < number && number < de;
        let noun = de + 1..self.tokens.len();
        let named = matches!(
            self.word(de + 1),
            Some(Word::Content | Word::Masked | Word::Other)
        );
        if !self.governed(have) || !starts || !named {
            return None;
        }
        let claim = Claim::Set(Condition::compare(Order::AtLeast, 1));
        let mut mention = self.mention(have..have + 1, claim, false, clause);
        mention.subject = Subject::Count;
        mention.role = Role::Condition;
        mention.nouns = self.noun_words(&noun);
        mention.noun_span = self.span(noun);
        Some(mention)
    }

    /// Counts negations, tells filters from what they narrow, and notes how conditions are joined.
    fn join_mentions(&mut self, mentions: &mut [Mention]) {
        let place = |tokens: &[Token], byte: usize| {
            tokens
                .iter()
                .position(|token| token.span.start >= byte)
                .unwrap_or(tokens.len())
        };
        // What stands before the marker is the effect: its negations are not the condition's.
        let mut from = self.marker.map_or(0, |marker| marker + 1);
        for idx in 0..mentions.len() {
            let at = place(&self.tokens, mentions[idx].span.start);
            if idx == 0 {
                from = from.min(at);
            }
            let mut negations = 0;
            let mut joint = None;
            for between in from..at {
                match self.tokens[between].word {
                    // "Can't be blocked by creatures with power 2 or less": which creatures is not negated.
                    Word::Not
                        if mentions[idx].subject == Subject::Trait
                            && self.tokens[between + 1..at]
                                .iter()
                                .any(|token| token.word == Word::With)
                            && self.tokens[between + 1..at].iter().all(|token| {
                                !matches!(token.word, Word::Have | Word::Is | Word::Person)
                                    || token.text == "be"
                            }) =>
                    {
                        self.used[between] = true;
                    }
                    // "Are not objects and have no text": what follows "and" is not negated.
                    Word::Not
                        if self.tokens[between..at]
                            .iter()
                            .any(|token| matches!(token.word, Word::And | Word::Or | Word::But)) => {}
                    Word::Not | Word::ItIsNotTrue => {
                        negations += 1;
                        self.used[between] = true;
                    }
                    // 没有 before a number negates it.
                    Word::No if self.tokens[between].han && !self.used[between] => {
                        negations += 1;
                        self.used[between] = true;
                    }
                    Word::And | Word::But if between + 1 >= from => {
                        joint = Some((Joint::And, between));
                    }
                    Word::Or => joint = Some((Joint::Or, between)),
                    _ => {}
                }
            }
            let filter = idx > 0 && {
                let narrow = self.tokens[from.min(at)..at]
                    .iter()
                    .any(|token| matches!(token.word, Word::With | Word::De))
                    || mentions[idx].subject == Subject::Trait
                        && self.tokens[at..]
                            .iter()
                            .any(|token| token.word == Word::De && token.han);
                narrow && joint.is_none() && mentions[idx].role == Role::Condition
            };
            if filter {
                mentions[idx].role = Role::Filter;
                // A negation between what is counted and its filter belongs to the filter.
            }
            mentions[idx].negations += negations;
            if (idx > 0 || self.inherited.is_some())
                && mentions[idx].role == Role::Condition
                && let Some((joint, token)) = joint
            {
                mentions[idx].joint = Some(joint);
                self.used[token] = true;
            }
            // 至少3个至多5个, 3以上5以下: two bounds side by side.
            let beside = idx > 0 && at > 0 && mentions[idx - 1].span.end == self.tokens[at].span.start;
            if beside
                && mentions[idx].joint.is_none()
                && bounds_from_both_sides(&mentions[idx - 1], &mentions[idx])
            {
                mentions[idx].joint = Some(Joint::And);
            }
            if idx > 0 && mentions[idx].joint.is_some() {
                let (before, after) = mentions.split_at_mut(idx);
                share_noun(&mut before[idx - 1], &mut after[0]);
            }
            let end = mentions[idx].span.end;
            from = place(&self.tokens, end).max(at);
            for covered in at..from {
                self.used[covered] = true;
            }
        }
        // "A ruler with a warden side that has 0 or less DEF": the first only describes.
        if let [first, rest @ ..] = mentions
            && rest
                .iter()
                .any(|mention| mention.role == Role::Condition && mention.joint.is_none())
            && first.role == Role::Condition
        {
            let at = place(&self.tokens, first.span.start);
            if at > 0 && self.tokens[at - 1].word == Word::With {
                first.role = Role::Filter;
            }
        }
    }

    /// True where a numeric expression begins after `idx`.
    fn amount_next(&self, idx: usize) -> bool {
        matches!(
            self.word(idx + 1),
            Some(Word::Before(_) | Word::UpTo | Word::Exactly)
        ) || self.tokens.get(idx + 1).is_some_and(Token::is_number)
    }

    /// True where the number is a total over several things: "total … is 8", "8 in all".
    fn is_total(&self, range: &Range<usize>) -> bool {
        let before = self.tokens[..range.start]
            .iter()
            .rev()
            .take_while(|token| {
                !token.is_number() && !matches!(token.word, Word::With | Word::If | Word::Unless)
            })
            .any(|token| token.word == Word::Total);
        let after = (range.end..self.tokens.len())
            .find(|at| self.tokens[*at].word == Word::Total)
            .is_some_and(|at| {
                self.tokens[range.end..at].iter().all(|token| !token.is_number())
                    && matches!(
                        self.word(at + 1),
                        None | Some(Word::Case | Word::Plain | Word::If)
                    )
            });
        before || after
    }

    /// Words that can change a meaning and that nothing used.
    fn leftover(&self, mentions: &[Mention]) -> Vec<Leftover> {
        let traits = !mentions.is_empty() && mentions.iter().all(|mention| mention.subject == Subject::Trait);
        let mut found: Vec<Leftover> = self
            .doubled
            .iter()
            .map(|span| Leftover {
                span: span.clone(),
                kind: LeftoverKind::Other,
            })
            .collect();
        let effect = self.marker.filter(|marker| {
            self.tokens[..*marker]
                .iter()
                .any(|token| matches!(token.word, Word::Act | Word::Content | Word::Masked))
        });
        for (idx, token) in self.tokens.iter().enumerate() {
            // The effect before the marker is not part of the condition.
            if self.used[idx] || effect.is_some_and(|marker| idx < marker) {
                continue;
            }
            let joined = |at: Option<usize>| {
                at.and_then(|at| self.word(at)).is_some_and(|word| {
                    matches!(
                        word,
                        Word::Content
                            | Word::Masked
                            | Word::Trait
                            | Word::Person
                            | Word::Plain
                            | Word::Target
                            | Word::Article
                            | Word::Other
                            | Word::Have
                            | Word::Act
                            | Word::De
                            | Word::Stats
                            | Word::NumberOf
                    )
                })
            };
            let number_beside = idx > 0 && self.tokens[idx - 1].is_number()
                || self.tokens.get(idx + 1).is_some_and(Token::is_number);
            let kind = match token.word {
                Word::All if traits => continue,
                Word::Not
                    if traits
                        && self.tokens[..idx].iter().any(|token| token.word == Word::With)
                        && token.text.starts_with('c') =>
                {
                    continue;
                }
                Word::Vague | Word::All => LeftoverKind::Vague,
                Word::Half => LeftoverKind::Fraction,
                Word::ForEach => LeftoverKind::ForEach,
                Word::Bad(Fault::Fraction) => LeftoverKind::Fraction,
                Word::Bad(fault) => LeftoverKind::Number(fault),
                Word::Letter(_) if mentions.iter().any(|mention| mention.subject == Subject::Letter) => {
                    continue;
                }
                Word::Letter(_) => LeftoverKind::Letter,
                Word::Or | Word::And if joined(idx.checked_sub(1)) && joined(Some(idx + 1)) => continue,
                Word::To | Word::From if !number_beside => continue,
                // "Two or more times", "exactly three times".
                Word::Times
                    if !token.han
                        && idx > 0
                        && self.used[idx - 1]
                        && !self
                            .tokens
                            .iter()
                            .any(|other| matches!(other.word, Word::AsMany | Word::ThatMany)) =>
                {
                    continue;
                }
                Word::Any if idx > 0 && self.tokens[idx - 1].word == Word::Choose => continue,
                Word::ThatMany | Word::Multiple(_) | Word::Times => LeftoverKind::Reference,
                Word::Up => LeftoverKind::Other,
                Word::At if self.amount_next(idx) => LeftoverKind::Other,
                Word::Only if self.word(idx + 1) == Some(Word::If) => continue,
                Word::Any | Word::Even | Word::Odd if joined(Some(idx + 1)) && !number_beside => continue,
                Word::Total | Word::Different if !mentions.is_empty() => continue,
                Word::As
                    if !number_beside
                        && !self
                            .tokens
                            .iter()
                            .any(|other| matches!(other.word, Word::AsMany | Word::Alike)) =>
                {
                    continue;
                }
                Word::AsMany | Word::As | Word::SameNumber | Word::Alike => LeftoverKind::Other,
                Word::Before(_)
                | Word::After(_)
                | Word::AfterOpen(_)
                | Word::UpTo
                | Word::Comparative(_)
                | Word::Than
                | Word::Compared
                | Word::Exactly
                | Word::Only
                | Word::Equals
                | Word::Not
                | Word::No
                | Word::Without
                | Word::Any
                | Word::AnyNumber
                | Word::Or
                | Word::And
                | Word::But
                | Word::To
                | Word::From
                | Word::Between
                | Word::Within
                | Word::Inclusive
                | Word::Exclusive
                | Word::Even
                | Word::Odd
                | Word::Both
                | Word::ItIsNotTrue
                | Word::Dangling
                | Word::Number(_)
                | Word::Ordinal(_) => LeftoverKind::Other,
                Word::Formerly | Word::Become if mentions.iter().all(|mention| mention.time.is_none()) => {
                    LeftoverKind::Other
                }
                _ => continue,
            };
            found.push(Leftover {
                span: token.span.clone(),
                kind,
            });
        }
        found
    }

    /// Tries to read the clause as a comparison of two quantities.
    fn read_relation(&mut self, clause: usize, reading: &mut Reading) -> bool {
        let start = self.marker.map_or(0, |marker| marker + 1);
        let end = self.case.unwrap_or(self.tokens.len());
        if start >= end {
            return false;
        }
        let Some(found) = relation(&self.tokens[start..end]) else {
            return false;
        };
        let negations = self.tokens[start..start + found.from]
            .iter()
            .filter(|token| matches!(token.word, Word::Not | Word::ItIsNotTrue))
            .count();
        let a = self.text[self.span(start + found.left.start..start + found.left.end)]
            .trim()
            .to_owned();
        let b = self.text[self.span(start + found.right.start..start + found.right.end)]
            .trim()
            .to_owned();
        let span = self.span(start..end);
        let nouns = self.noun_words(&(start..end));
        // "Put a number of counters on it equal to its power" is done, not asked.
        let acts = !self.governed(start + found.from)
            && self.tokens[..start + found.from]
                .iter()
                .any(|token| token.word == Word::Act)
            && !self.tokens[..start + found.from]
                .iter()
                .any(|token| matches!(token.word, Word::Not | Word::Modal | Word::With));
        reading.mentions.push(Mention {
            says: Says::Relation(found.relation, [a, b]),
            subject: Subject::Count,
            role: if acts { Role::Instruction } else { Role::Condition },
            negations,
            unless: self.under_unless(start),
            noun_span: span.clone(),
            verb: None,
            context: self.context(),
            span,
            nouns,
            copular: false,
            total: false,
            addends: Vec::new(),
            clause,
            joint: None,
            time: None,
        });
        self.use_range(start..end);
        true
    }
}

/// A comparison of two quantities, with token ranges.
struct Compared {
    relation: Relation,
    left: Range<usize>,
    right: Range<usize>,
    /// Where the words that compare begin: a negation before them negates the comparison.
    from: usize,
}

/// Pieces of Chinese comparisons around a number, which are no words: 好3个, 5星上的, 不不少于3个.
fn fragments(tokens: &[Token]) -> impl Iterator<Item = Range<usize>> + '_ {
    const BEFORE: &str = "正好至少多大小低高于等过满超刚恰仅最";
    const AFTER: &str = "以上下更或少多内间起及余";
    const COUNTED: &str = "个张只点名位颗枚种项";
    const ONCE: &str = "不没未非无至超达满少于大小高低等除若多";
    let touches = |left: &Token, right: &Token| left.span.end == right.span.start;
    let pairs = tokens.windows(2).filter(move |pair| {
        let [left, right] = pair else { return false };
        let (last, first) = (left.text.chars().last(), right.text.chars().next());
        let ends = |set: &str| last.is_some_and(|c| set.contains(c));
        let begins = |set: &str| first.is_some_and(|c| set.contains(c));
        let bounds = matches!(
            right.word,
            Word::Before(_) | Word::Equals | Word::Exactly | Word::UpTo | Word::Only
        );
        let counted = left.is_number() || matches!(left.word, Word::Classifier | Word::TraitClassifier);
        left.word == Word::Content
            && left.han
            && touches(left, right)
            && (ends(BEFORE) && (right.is_number() || bounds) || ends(COUNTED) && right.is_number())
            || counted && right.word == Word::Content && right.han && touches(left, right) && begins(AFTER)
            || left.word == Word::Not && left.han && right.is_number() && !ends("是非")
            || last == first && touches(left, right) && begins(ONCE)
    });
    let unjoined = tokens
        .windows(3)
        .filter(|run| run[0].is_number() && run[1].word == Word::Classifier && run[2].is_number());
    pairs
        .map(|pair| pair[0].span.start..pair[1].span.end)
        .chain(unjoined.map(|run| run[0].span.start..run[2].span.end))
}

/// True for a word that can change a number's meaning.
fn is_meaningful(word: Word) -> bool {
    !matches!(
        word,
        Word::Content
            | Word::Plain
            | Word::Masked
            | Word::Stats
            | Word::Person
            | Word::Classifier
            | Word::TraitClassifier
            | Word::De
            | Word::Comma
            | Word::Have
            | Word::Is
            | Word::Modal
            | Word::NameNumber
            | Word::Named
            | Word::Act
            | Word::Other
            | Word::Article
            | Word::With
            | Word::Of
            | Word::Trait
            | Word::Target
            | Word::There
    )
}

/// True for tokens that name a quantity and hold no number or comparison.
fn is_quantity(tokens: &[Token]) -> bool {
    let names = tokens.iter().any(|token| {
        matches!(
            token.word,
            Word::Content
                | Word::Trait
                | Word::Letter(_)
                | Word::Person
                | Word::Masked
                | Word::Target
                | Word::Stats
        )
    });
    names
        && tokens.iter().all(|token| {
            matches!(
                token.word,
                Word::Content
                    | Word::Trait
                    | Word::Letter(_)
                    | Word::Person
                    | Word::Masked
                    | Word::Target
                    | Word::Stats
                    | Word::Plain
                    | Word::At
                    | Word::Have
                    | Word::There
                    | Word::With
                    | Word::Of
                    | Word::De
                    | Word::Is
                    | Word::NumberOf
                    | Word::Article
                    | Word::Other
                    | Word::Another
                    | Word::Modal
                    | Word::Act
                    | Word::Not
                    | Word::ItIsNotTrue
            )
        })
}

/// Reads a factor before a quantity: half, twice, three times. The pair is (times the left, times the right).
fn factor(tokens: &[Token]) -> Option<((i64, i64), usize)> {
    match tokens {
        [first, ..] if first.word == Word::Half => Some(((2, 1), 1)),
        [first, ..] => match (first.word, tokens.get(1).map(|token| token.word)) {
            (Word::Multiple(times), _) => Some(((1, times), 1)),
            (Word::Number(times), Some(Word::Times)) if times > 0 => Some(((1, times), 2)),
            _ => None,
        },
        [] => None,
    }
}

/// Reads a factor after a quantity: 的两倍, 的一半.
fn trailing_factor(tokens: &[Token]) -> ((i64, i64), usize) {
    match tokens {
        [.., number, times] if times.word == Word::Times => match number.word {
            Word::Number(value) if value > 0 => ((1, value), 2),
            _ => ((1, 1), 0),
        },
        [.., last] => match last.word {
            Word::Half => ((2, 1), 1),
            Word::Multiple(times) => ((1, times), 1),
            _ => ((1, 1), 0),
        },
        [] => ((1, 1), 0),
    }
}

fn compare(order: Order, (left, right): (i64, i64), plus: i64) -> Relation {
    let mut other = Sum::scaled(right, "b");
    other.plus = plus;
    Relation::Compare(Sum::scaled(left, "a"), order, other)
}

/// Finds a comparison of two quantities in the tokens of a condition.
fn relation(tokens: &[Token]) -> Option<Compared> {
    let position = |word: fn(Word) -> bool| tokens.iter().position(|token| word(token.word));
    comparison_by_than(tokens)
        .or_else(|| as_many(tokens))
        .or_else(|| {
            // The same number of red and blue tokens.
            let same = position(|word| word == Word::SameNumber)?;
            let joint =
                (same + 1..tokens.len()).find(|at| matches!(tokens[*at].word, Word::And | Word::As))?;
            let (left, right) = (same + 1..joint, joint + 1..tokens.len());
            let fits = is_quantity(&tokens[left.clone()])
                && is_quantity(&tokens[right.clone()])
                && tokens[..same].iter().all(|token| !token.is_number());
            fits.then(|| Compared {
                relation: compare(Order::Equal, (1, 1), 0),
                left,
                right,
                from: same,
            })
        })
        .or_else(|| {
            // A different number of red and blue tokens.
            let other = tokens
                .windows(2)
                .position(|pair| pair[0].word == Word::Different && pair[1].word == Word::NumberOf)?;
            let joint = (other + 2..tokens.len()).find(|at| tokens[*at].word == Word::And)?;
            let (left, right) = (other + 2..joint, joint + 1..tokens.len());
            let fits = is_quantity(&tokens[left.clone()])
                && is_quantity(&tokens[right.clone()])
                && tokens[..other].iter().all(|token| !token.is_number());
            fits.then_some(Compared {
                relation: compare(Order::Unequal, (1, 1), 0),
                left,
                right,
                from: other,
            })
        })
        .or_else(|| {
            // A and B are equal, A与B数量相同.
            let differ = tokens.len().checked_sub(1).filter(|last| {
                tokens[*last].word == Word::Different && *last > 0 && tokens[*last - 1].word == Word::NumberOf
            });
            let order = if differ.is_some() {
                Order::Unequal
            } else {
                Order::Equal
            };
            let alike = differ.or_else(|| position(|word| word == Word::Alike))?;
            let joint = (0..alike).find(|at| tokens[*at].word == Word::And)?;
            let mut stop = alike;
            while stop > joint
                && matches!(
                    tokens[stop - 1].word,
                    Word::Is | Word::De | Word::NumberOf | Word::Not
                )
            {
                stop -= 1;
            }
            let (left, right) = (0..joint, joint + 1..stop);
            let fits = is_quantity(&tokens[left.clone()])
                && is_quantity(&tokens[right.clone()])
                && tokens[alike + 1..].is_empty();
            fits.then(|| Compared {
                relation: compare(order, (1, 1), 0),
                left,
                right,
                from: alike,
            })
        })
        .or_else(|| compared_with(tokens))
        .or_else(|| by_order(tokens))
}

/// A is less than or equal to B, A高于B, A至少为B的两倍.
fn by_order(tokens: &[Token]) -> Option<Compared> {
    for (idx, token) in tokens.iter().enumerate() {
        let order = match token.word {
            // "A phase other than their main phase" compares no numbers.
            Word::Before(Order::Unequal) if !token.han && token.text.contains(' ') => continue,
            Word::Before(order) => order,
            Word::UpTo => Order::AtMost,
            Word::Equals => Order::Equal,
            Word::Exactly => Order::Equal,
            _ => continue,
        };
        let mut next = idx + 1;
        if tokens.get(next).is_some_and(|token| token.word == Word::Is) {
            next += 1;
        }
        let (mut scale, taken) = factor(&tokens[next..]).unwrap_or(((1, 1), 0));
        next += taken;
        let mut end = tokens.len();
        if taken == 0 {
            let (trailing, length) = trailing_factor(&tokens[next..]);
            scale = trailing;
            end -= length;
        }
        if tokens.get(next).is_none_or(|token| token.is_number()) {
            return None;
        }
        let mut stop = idx;
        while stop > 0
            && matches!(
                tokens[stop - 1].word,
                Word::Is | Word::Plain | Word::Modal | Word::Not
            )
        {
            stop -= 1;
        }
        let (left, right) = (0..stop, next..end);
        let plain = !matches!(token.word, Word::Exactly | Word::UpTo) || scale != (1, 1);
        if tokens.get(next).is_some_and(|token| token.word == Word::De)
            || tokens[next..end]
                .iter()
                .all(|token| token.text.chars().count() < 2 && token.han)
        {
            return None;
        }
        let hangs = |word| matches!(word, Word::With | Word::Have | Word::Of | Word::De | Word::Act);
        if stop > 0 && hangs(tokens[stop - 1].word) {
            return None;
        }
        if next >= end
            || !plain
            || !is_quantity(&tokens[left.clone()])
            || !is_quantity(&tokens[right.clone()])
        {
            return None;
        }
        return Some(Compared {
            relation: compare(order, scale, 0),
            left,
            right,
            from: idx,
        });
    }
    None
}

/// Fewer creatures than that player, at least two more cards than you.
fn comparison_by_than(tokens: &[Token]) -> Option<Compared> {
    let than = tokens.iter().position(|token| token.word == Word::Than)?;
    let idx = tokens[..than]
        .iter()
        .rposition(|token| matches!(token.word, Word::Comparative(_)))?;
    let Word::Comparative(order) = tokens[idx].word else {
        return None;
    };
    let right = than + 1..tokens.len();
    let mut start = idx;
    let mut relation = compare(order, (1, 1), 0);
    if idx > 0
        && let Word::Number(by) = tokens[idx - 1].word
    {
        // "Two more" alone leaves open whether three more will do.
        let asked = match tokens.get(idx.checked_sub(2)?).map(|token| token.word)? {
            Word::Before(Order::AtLeast) => Order::AtLeast,
            Word::Exactly => Order::Equal,
            _ => return None,
        };
        relation = match (order, asked) {
            (Order::Greater, asked) => compare(asked, (1, 1), by),
            (Order::Less, Order::AtLeast) => compare(Order::AtMost, (1, 1), -by),
            (Order::Less, _) => compare(Order::Equal, (1, 1), -by),
            _ => return None,
        };
        start = idx - 2;
    }
    let left = idx + 1..than;
    let named = is_quantity(&tokens[left.clone()]) || left.is_empty() && is_quantity(&tokens[..start]);
    let before = tokens[..start].is_empty()
        || is_quantity(&tokens[..start])
        || tokens[..start].iter().all(|token| {
            matches!(
                token.word,
                Word::There | Word::Is | Word::Have | Word::Plain | Word::Not | Word::ItIsNotTrue
            )
        });
    if !named || !before || !is_quantity(&tokens[right.clone()]) {
        return None;
    }
    let left = if left.is_empty() { 0..start } else { 0..than };
    Some(Compared {
        relation,
        left,
        right,
        from: start,
    })
}

/// At least twice as many red tokens as blue tokens.
fn as_many(tokens: &[Token]) -> Option<Compared> {
    let many = tokens.iter().position(|token| token.word == Word::AsMany)?;
    let joint = (many + 1..tokens.len()).find(|at| tokens[*at].word == Word::As)?;
    let mut start = many;
    let mut scale = (1, 1);
    if start > 0 {
        for length in [2, 1] {
            if let Some(from) = start.checked_sub(length)
                && let Some((found, taken)) = factor(&tokens[from..many])
                && taken == length
            {
                scale = found;
                start = from;
                break;
            }
        }
    }
    // Without "at least" or "exactly" it is open whether more will do.
    let order = match tokens.get(start.checked_sub(1)?)?.word {
        Word::Before(order) => order,
        Word::Exactly => Order::Equal,
        _ => return None,
    };
    let (left, right) = (many + 1..joint, joint + 1..tokens.len());
    let before = &tokens[..start - 1];
    let fits = is_quantity(&tokens[left.clone()])
        && is_quantity(&tokens[right.clone()])
        && (before.is_empty() || is_quantity(before));
    fits.then(|| Compared {
        relation: compare(order, scale, 0),
        left,
        right,
        from: start - 1,
    })
}

/// A比B多, A比B至少多3个.
fn compared_with(tokens: &[Token]) -> Option<Compared> {
    let with = tokens.iter().position(|token| token.word == Word::Compared)?;
    let idx = (with + 1..tokens.len()).find(|at| matches!(tokens[*at].word, Word::Comparative(_)))?;
    let Word::Comparative(order) = tokens[idx].word else {
        return None;
    };
    let mut stop = idx;
    let mut asked = None;
    match tokens[stop - 1].word {
        Word::Before(Order::AtLeast) => asked = Some(Order::AtLeast),
        Word::Exactly => asked = Some(Order::Equal),
        _ => {}
    }
    stop -= usize::from(asked.is_some());
    let mut end = idx + 1;
    // 多至少2颗 is 至少多2颗.
    let inner = match tokens.get(end).map(|token| token.word) {
        Some(Word::Before(Order::AtLeast)) => Some(Order::AtLeast),
        Some(Word::Exactly) => Some(Order::Equal),
        _ => None,
    };
    if let (Some(inner), None) = (inner, asked) {
        asked = Some(inner);
        end += 1;
    }
    let mut by = 0;
    if let Some(Word::Number(value)) = tokens.get(end).map(|token| token.word) {
        by = value;
        end += 1;
        end += usize::from(
            tokens
                .get(end)
                .is_some_and(|token| token.word == Word::Classifier),
        );
        if let Some(Word::After(Order::AtLeast) | Word::AfterOpen(Order::AtLeast)) =
            tokens.get(end).map(|t| t.word)
        {
            if asked.is_some() {
                return None;
            }
            asked = Some(Order::AtLeast);
            end += 1;
        }
        asked?;
    } else if asked.is_some() {
        return None;
    }
    let relation = match (order, asked) {
        (order, None) => compare(order, (1, 1), 0),
        (Order::Greater, Some(asked)) => compare(asked, (1, 1), by),
        (Order::Less, Some(Order::AtLeast)) => compare(Order::AtMost, (1, 1), -by),
        (Order::Less, Some(_)) => compare(Order::Equal, (1, 1), -by),
        _ => return None,
    };
    let (left, right) = (0..with, with + 1..stop);
    let fits = is_quantity(&tokens[left.clone()])
        && is_quantity(&tokens[right.clone()])
        && tokens[end..]
            .iter()
            .all(|token| matches!(token.word, Word::De | Word::Content));
    fits.then_some(Compared {
        relation,
        left,
        right,
        from: with,
    })
}
