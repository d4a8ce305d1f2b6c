//! Words that can change which numbers are meant and that nothing used: no answer may rest on a clause that has one.

use super::clause::ClauseReader;
use super::lexer::Token;
use super::reading::{Leftover, LeftoverKind, Mention, Subject};
use super::words::{Fault, Word};
use std::ops::Range;

impl ClauseReader<'_> {
    /// True where a numeric expression begins after `idx`.
    pub(super) fn amount_next(&self, idx: usize) -> bool {
        matches!(
            self.word(idx + 1),
            Some(Word::Before(_) | Word::UpTo | Word::Exactly)
        ) || self.tokens.get(idx + 1).is_some_and(Token::is_number)
    }

    /// Words that can change a meaning and that nothing used.
    pub(super) fn leftover(&self, mentions: &[Mention]) -> Vec<Leftover> {
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
                Word::All | Word::Both if traits => continue,
                Word::Not
                    if traits
                        && self.tokens[..idx].iter().any(|token| token.word == Word::With)
                        && token.text.starts_with('c') =>
                {
                    continue;
                }
                // "Permanents you don't own": which ones are counted.
                Word::Not
                    if idx > 0
                        && self.tokens[idx - 1].word == Word::Person
                        && matches!(self.word(idx + 1), Some(Word::Have | Word::Content))
                        && mentions.iter().any(|mention| {
                            let person = &self.tokens[idx - 1].span;
                            (person.start.saturating_sub(1)..=person.end).contains(&mention.noun_span.end)
                        }) =>
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
                Word::Before(_)
                    if !number_beside
                        && matches!(token.text.as_str(), "over" | "under" | "above" | "below") =>
                {
                    continue;
                }
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
                // "Cards with the same name": which cards, not how many.
                Word::Alike
                    if !mentions.is_empty()
                        && idx > 0
                        && matches!(self.tokens[idx - 1].word, Word::With | Word::Of | Word::Content)
                        && matches!(
                            self.word(idx + 1),
                            Some(Word::Content | Word::De | Word::NumberOf | Word::Named)
                        ) =>
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
}

/// Pieces of Chinese comparisons around a number, which are no words: 好3个, 5星上的, 不不少于3个.
pub(super) fn fragments(tokens: &[Token]) -> impl Iterator<Item = Range<usize>> + '_ {
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
pub(super) fn is_meaningful(word: Word) -> bool {
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
