//! What a number is about, and what it does in its clause.

use super::amount::Claim;
use super::clause::ClauseReader;
use super::lexer::Token;
use super::reading::{Mention, Role, Says, Subject, Time};
use super::words::Word;
use std::ops::Range;

impl ClauseReader<'_> {
    /// The nearest word to the left that is no filler, from `idx` on.
    pub(super) fn left(&self, idx: usize) -> Option<usize> {
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

    pub(super) fn mention(
        &self,
        range: Range<usize>,
        claim: Claim,
        trait_classifier: bool,
        clause: usize,
    ) -> Mention {
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
                // "A cost of 8 or more", but not "the ATK of up to two resonators".
                && (*at + 1..range.start).all(|between| match self.tokens[between].word {
                    Word::De => false,
                    Word::Of => !matches!(right, Some(Word::Content | Word::Target)),
                    _ => true,
                })
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
        let unsure = subject == Subject::Count
            && copular
            && self.tokens[..range.start]
                .iter()
                .any(|token| token.word == Word::Trait)
            && !self.tokens[..range.start]
                .iter()
                .any(|token| matches!(token.word, Word::With | Word::NumberOf | Word::Total));
        let held = trait_right.is_some()
            && trait_left.is_none()
            && left.is_some_and(|at| self.tokens[at].word == Word::Have);
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
            held,
            unsure,
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
    pub(super) fn counted(&self, range: &Range<usize>) -> Range<usize> {
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

    pub(super) fn noun_words(&self, range: &Range<usize>) -> Vec<String> {
        self.tokens[range.clone()]
            .iter()
            .filter(|token| {
                !matches!(token.word, Word::De | Word::Plain | Word::Of) && !token.text.is_empty()
            })
            .map(|token| token.text.clone())
            .collect()
    }

    /// The characteristic of "the power of that creature is", where the number at `idx` follows.
    pub(super) fn trait_of(&self, idx: usize) -> Option<usize> {
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
    pub(super) fn ends_trait(&self, at: usize) -> bool {
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
            && (self.tokens.get(at + 1).is_some_and(Token::is_number)
                || matches!(self.word(at + 1), Some(Word::Letter(_))));
        open && !compared
    }

    /// The words of the clause that hold no meaning of their own.
    pub(super) fn context(&self) -> Vec<String> {
        self.tokens
            .iter()
            .filter(|token| matches!(token.word, Word::Content | Word::Trait | Word::Person))
            .map(|token| token.text.clone())
            .collect()
    }

    /// What the expression does in the clause.
    pub(super) fn role(&self, range: &Range<usize>, subject: Subject, claim: &Claim) -> Role {
        let governed = self.governed(range.start);
        let before = &self.tokens[..range.start];
        let choosing = before
            .iter()
            .rposition(|token| token.word == Word::Choose)
            // "Choose a player who cast three or more spells": which player, not how many.
            .filter(|at| {
                self.word(at + 1) != Some(Word::To)
                    && !before[at + 1..]
                        .iter()
                        .any(|token| matches!(token.text.as_str(), "who" | "that" | "which" | "whose"))
            });
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
        let paid_trait = matches!(claim, Claim::Bare(_))
            && self.under_unless(range.start)
            && before
                .iter()
                .any(|token| token.text.starts_with("pay") || token.text == "支付");
        if subject == Subject::Trait && paid_trait {
            return Role::Instruction;
        }
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
            // 将至多一张牌移回手上: what is done stands behind.
            let moved = before
                .iter()
                .any(|token| matches!(token.text.as_str(), "将" | "把"));
            if direct(acting) || may && !bounded || ordered || objects || moved {
                return Role::Choice;
            }
        }
        // "Unless you pay 3 life": a cost.
        let paid = acting.is_some_and(|act| {
            let verb = &before[act].text;
            verb.starts_with("pay") || verb == "支付"
        });
        if paid && matches!(claim, Claim::Bare(_)) && self.under_unless(range.start) {
            return Role::Instruction;
        }
        if self.before_colon && !governed {
            return Role::Instruction;
        }
        if direct(acting) && !governed && !modal {
            return Role::Instruction;
        }
        // "Its power becomes 3", 变成500: an effect, unless a change from an old value is told.
        let changed = before.iter().any(|token| token.word == Word::Become)
            && !self.tokens.iter().any(|token| token.word == Word::Formerly);
        // "Target player mills two cards", 产生2点魔力: what stands right before a plain number is a verb.
        let verb = before.last().is_some_and(|token| token.word == Word::Content)
            && having.is_none()
            && !before
                .iter()
                .any(|token| matches!(token.word, Word::Exactly | Word::NumberOf | Word::Total));
        if (changed || verb && matches!(claim, Claim::Bare(_))) && !governed {
            return Role::Instruction;
        }
        // 将两个衍生物放进战场: what is moved.
        let moved = before
            .iter()
            .any(|token| matches!(token.text.as_str(), "将" | "把"));
        if moved && matches!(claim, Claim::Bare(_)) && !governed {
            return Role::Instruction;
        }
        // "[Limit] (5)": a keyword with its number.
        let keyword = before.last().is_some_and(|token| token.word == Word::Masked)
            && self.text[self.tokens[range.start].span.clone()].starts_with(['(', '（']);
        if keyword && matches!(claim, Claim::Bare(_)) {
            return Role::Instruction;
        }
        // "Flip 2 coins": a verb that is not known, at the head of its clause.
        let imperative = matches!(before, [verb] if verb.word == Word::Content && !verb.han);
        if imperative && matches!(claim, Claim::Bare(_)) && !governed {
            return Role::Instruction;
        }
        if self.tokens.iter().any(|token| token.word == Word::Instead) && !governed {
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

    /// True where the number is a total over several things: "total … is 8", "8 in all".
    pub(super) fn is_total(&self, range: &Range<usize>) -> bool {
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
}
