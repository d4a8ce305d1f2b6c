//! From what a phrase says to what it means under a game's conventions.

use super::select::{Asked, best, same_noun};
use super::{Basis, Because, Find, Question, Reason, Status, Text, Unused, Verdict, text};
use crate::condition::{
    self, Choice, Claim, ClaimFault, Condition, Domain, Fault, Joint, LeftoverKind, Mention, Order,
    Predicate, Reading, Relation, Role, Says, Subject, Sum, Time,
};
use crate::entry::{DEFAULT_DOCUMENT, rule_id};
use crate::fold::{fold_char, fold_key, is_han};
use crate::game::numeric::{Profile, Reads, Source, Sourced, in_force};
use std::borrow::Cow;
use std::ops::Range;

/// Works one question out.
pub(super) struct Resolver<'a> {
    question: &'a Question<'a>,
    find: Find<'a>,
    profile: Option<&'a Profile>,
    because: Vec<Because>,
    unused: Vec<Unused>,
    candidates: Vec<Predicate>,
    vars: Vec<(String, String)>,
    domain: Domain,
    noun: Option<String>,
}

/// A condition in the notation of the answers, as somebody types it: `x>=3`, `n≥3`, `5≤x≤7`.
fn written(text: &str) -> Option<Condition> {
    if !text.contains(['<', '>', '=', '≥', '≧', '≤', '≦', '≠', '%', '＜', '＞', '＝']) {
        return None;
    }
    let mut plain = String::new();
    for c in text.chars().map(fold_char) {
        match c {
            '≥' | '≧' => plain.push_str(">="),
            '≤' | '≦' => plain.push_str("<="),
            '≠' => plain.push_str("!="),
            'n' => plain.push('x'),
            '=' if !plain.ends_with(['<', '>', '!', '=']) => plain.push_str("=="),
            '=' if plain.ends_with("==") => {}
            _ => plain.push(c),
        }
    }
    plain.contains('x').then(|| plain.parse().ok()).flatten()
}

/// What came out, or why nothing did.
type Outcome = Result<Predicate, Reason>;

impl<'a> Resolver<'a> {
    pub fn new(question: &'a Question<'a>, find: Find<'a>) -> Self {
        Resolver {
            question,
            find,
            profile: question.game.map(|game| &*game.numeric),
            because: Vec::new(),
            unused: Vec::new(),
            candidates: Vec::new(),
            vars: Vec::new(),
            domain: Domain::Count,
            noun: question
                .noun
                .map(str::to_owned)
                .filter(|noun| !noun.trim().is_empty()),
        }
    }

    /// The verdict.
    pub fn answer(mut self) -> Verdict {
        let outcome = self.work_out();
        let (predicate, reason) = match outcome {
            Ok(predicate) => (Some(predicate), None),
            Err(reason) => (None, Some(reason)),
        };
        if reason.is_some() {
            self.because.clear();
        }
        let status = match &predicate {
            None => Status::Undecided,
            Some(Predicate::Choice(_)) => Status::Choice,
            Some(_) => Status::Condition,
        };
        let shown = match &predicate {
            Some(Predicate::Condition(condition)) => Some(condition.within(self.domain)),
            Some(Predicate::Choice(Choice::Range { low: Some(low), high })) => {
                Some(Condition::between(Some(*low), *high))
            }
            Some(Predicate::Choice(Choice::OneOf(numbers))) => Some(Condition::one_of(numbers)),
            _ => None,
        };
        let boundary = shown
            .as_ref()
            .map_or_else(Vec::new, |set| set.boundary_table(self.domain, MAX_ROWS));
        let value = self.question.value.cloned();
        let holds = match (&predicate, &value) {
            (Some(predicate), Some(value)) => predicate.holds(value),
            _ => None,
        };
        self.candidates.dedup();
        Verdict {
            text: self.question.text.to_owned(),
            game: self.question.game.map(|game| game.id.clone()),
            status,
            predicate,
            domain: self.domain,
            values: shown.as_ref().map_or_else(Vec::new, Condition::intervals),
            value,
            holds,
            noun: self.noun,
            vars: self.vars,
            because: self.because,
            unused: self.unused,
            reason,
            candidates: self.candidates,
            boundary,
        }
    }

    fn work_out(&mut self) -> Outcome {
        let text = self.question.text;
        if text.trim().is_empty() {
            return Err(Reason::Empty);
        }
        if text.len() > condition::MAX_TEXT_BYTES {
            return Err(Reason::Unparseable);
        }
        if let Some(condition) = written(text) {
            self.note(text.trim().to_owned(), format_meaning(&condition), LANGUAGE);
            return Ok(Predicate::Condition(condition));
        }
        let reading = condition::read(text);
        if let Some(predicate) = self.phrase(&reading) {
            return Ok(predicate);
        }
        let asked = Asked::new(self.question.noun);
        match asked.parts.len() {
            0 | 1 => self.one_quantity(&reading, &asked),
            _ => self.several(&reading, &asked),
        }
    }

    /// A keyword or word that stands for a condition by the game's own definition.
    fn phrase(&mut self, reading: &Reading) -> Option<Predicate> {
        let profile = self.profile?;
        let key = fold_key(self.question.text);
        for phrase in &profile.phrases {
            if !phrase.source().holds_in(self.question.edition) {
                continue;
            }
            for words in &phrase.words {
                let Some(number) = matches_phrase(&key, words) else {
                    continue;
                };
                // A number of the text's own outweighs a word that stands for one.
                let article = |mention: &Mention| mention.says == Says::Claim(Claim::Bare(1));
                let others = reading
                    .mentions
                    .iter()
                    .any(|mention| mention.role != Role::Instruction && !article(mention));
                // "Add ten mana of any one color": what is done says nothing about what is.
                let done = reading
                    .mentions
                    .iter()
                    .any(|mention| mention.role == Role::Instruction);
                if number.is_none() && (others || done || !self.is_about(&phrase.quantity)) {
                    continue;
                }
                let predicate = match number {
                    Some(number) => phrase.predicate.replace('N', &number.to_string()),
                    None => phrase.predicate.clone(),
                };
                let predicate: Predicate = predicate.parse().ok()?;
                self.note(words.clone(), meaning(&predicate), Some(phrase.source()));
                self.noun.get_or_insert_with(|| phrase.quantity.clone());
                return Some(predicate);
            }
        }
        None
    }

    /// True where a word that stands for a condition on `quantity` may be what is asked about: the noun shares a word
    /// with it, or there is no noun and the text is no more than a phrase.
    fn is_about(&self, quantity: &str) -> bool {
        let key = fold_key(quantity);
        match &self.noun {
            None => self.question.text.chars().count() <= MAX_PHRASE,
            Some(noun) => {
                let noun = fold_key(noun);
                noun.chars().any(crate::fold::is_han)
                    || noun
                        .split(|c: char| !c.is_alphanumeric())
                        .any(|word| word.len() > 3 && key.contains(word.trim_end_matches('s')))
            }
        }
    }

    fn one_quantity(&mut self, reading: &Reading, asked: &Asked) -> Outcome {
        let part = asked.parts.first();
        let mentions: Vec<&Mention> = reading.mentions.iter().collect();
        let mut chosen = best(part, &mentions);
        if part.is_none() {
            let n_chosen = chosen.len();
            chosen.retain(|mention| !self.is_article(reading, mention));
            if chosen.is_empty() && n_chosen == 1 {
                chosen = reading
                    .mentions
                    .iter()
                    .filter(|mention| mention.subject == Subject::Trait)
                    .collect();
            }
        }
        let Some(first) = chosen.first().copied() else {
            return Err(self.nothing(reading));
        };
        // What is asked about is named, and no number is about it.
        if let Some(part) = part
            && chosen
                .iter()
                .all(|mention| mention.subject == Subject::Trait && part.is_beside(mention))
        {
            return Err(Reason::NotACondition);
        }
        if chosen.len() > MAX_CHOSEN {
            return Err(Reason::TwoConditions);
        }
        if first.role == Role::Instruction {
            return Err(self
                .leftover_reason(reading, first)
                .unwrap_or(Reason::NotACondition));
        }
        if let Some(reason) = self.leftover_reason(reading, first) {
            return Err(reason);
        }
        // A broken expression beside the one asked about may belong to it.
        let broken = |mention: &&Mention| {
            mention.clause == first.clause && matches!(mention.says, Says::Claim(Claim::Fault(_)))
        };
        if let Some(Says::Claim(claim)) = reading
            .mentions
            .iter()
            .find(broken)
            .map(|mention| mention.says.clone())
        {
            return self.claim(first, &claim).map(Predicate::Condition);
        }
        // Old and new are two quantities under one noun.
        if let Some(change) = self.change(reading) {
            return change;
        }
        for mention in reading.mentions.iter().take(MAX_ROWS) {
            if !chosen.iter().any(|c| std::ptr::eq(*c, mention)) {
                self.leave(mention);
            }
        }
        let mut result = self.predicate(first)?;
        // "More than 9223372036854775807": no number is left that could be told.
        let past_all = [(Order::Greater, i64::MAX), (Order::Less, i64::MIN)];
        if let Predicate::Condition(condition) = &result
            && past_all
                .iter()
                .any(|(order, bound)| *condition == Condition::compare(*order, *bound))
        {
            return Err(Reason::NumberTooLarge);
        }
        for mention in &chosen[1..] {
            let other = self.predicate(mention)?;
            if let Some(reason) = self.leftover_reason(reading, mention) {
                return Err(reason);
            }
            let joint = mention
                .joint
                .filter(|_| mention.clause.abs_diff(first.clause) <= 1);
            result = match (result, other, joint) {
                (Predicate::Condition(left), Predicate::Condition(right), Some(Joint::And)) => {
                    Predicate::Condition(left.and(&right))
                }
                (Predicate::Condition(left), Predicate::Condition(right), Some(Joint::Or)) => {
                    Predicate::Condition(left.or(&right))
                }
                _ => return Err(Reason::TwoConditions),
            };
            let same = same_noun(&mention.nouns, &first.nouns);
            if !same {
                return Err(Reason::TwoConditions);
            }
        }
        if let Predicate::Condition(condition) = &result
            && chosen.len() > 1
        {
            let possible = condition.within(self.domain);
            if possible == Condition::never() || possible == Condition::always().within(self.domain) {
                return Err(Reason::ContradictoryOperators);
            }
        }
        // Two conditions side by side that nothing joins were not understood.
        let beside = reading.mentions.iter().any(|mention| {
            mention.clause == first.clause
                && mention.role == Role::Condition
                && first.role == Role::Condition
                && mention.joint.is_none()
                // 一个 is an article.
                && mention.says != Says::Claim(Claim::Bare(1))
                && !chosen.iter().any(|c| std::ptr::eq(*c, mention))
                && (mention.span.start > first.span.start
                    || first.joint.is_none() && first.subject == Subject::Count)
        });
        if beside {
            return Err(Reason::Unparseable);
        }
        if let Some(other) = self.joined_elsewhere(reading, &chosen) {
            if asked.parts.is_empty() {
                return self.pair(first, other);
            }
            return Err(Reason::TwoConditions);
        }
        if self.noun.is_none() && !first.nouns.is_empty() {
            self.noun = Some(self.question.text[first.noun_span.clone()].trim().to_owned());
        }
        if let Predicate::Relation(relation) = &result
            && first_letter_only(relation, &self.vars)
            && self.question.noun.is_some()
        {
            return Err(Reason::UnboundVariable);
        }
        Ok(result)
    }

    /// True for 1个 as an article: of what opens its clause and does or has what the rest of it counts
    /// (1个玩家操控2个或更多领主, "a player who controls").
    fn is_article(&self, reading: &Reading, mention: &Mention) -> bool {
        let text = &self.question.text;
        let opens = reading.clauses.get(mention.clause).is_some_and(|clause| {
            let before = text
                .get(clause.span.start..mention.span.start)
                .unwrap_or_default();
            ["", "如果", "若", "当", "假如"].contains(&before.trim())
        });
        let goes_on = |other: &Mention| {
            let between = text
                .get(mention.noun_span.end..other.span.start)
                .unwrap_or_default()
                .trim();
            other.clause == mention.clause
                && other.joint.is_none()
                && ["操控", "控制", "具有", "有", "拥有", "含有", "包含"].contains(&between)
        };
        // 1个总费用2或更少的生物: what it measures is said of it.
        let is_measured = |other: &Mention| {
            let between = text.get(mention.span.end..other.span.start);
            other.clause == mention.clause
                && other.subject == Subject::Trait
                && between.is_some_and(|between| !between.contains(['有', '控']))
                && text[other.span.end..].starts_with('的')
        };
        mention.says == Says::Claim(Claim::Bare(1))
            && mention.negations == 0
            && text[mention.span.clone()].chars().any(is_han)
            && (opens && reading.mentions.iter().any(goes_on)
                || text.trim_start().starts_with(&text[mention.span.clone()])
                    && reading.mentions.iter().any(is_measured))
    }

    /// A condition on something else that is joined to the chosen ones.
    fn joined_elsewhere<'m>(&self, reading: &'m Reading, chosen: &[&Mention]) -> Option<&'m Mention> {
        let is_chosen = |mention: &Mention| chosen.iter().any(|c| std::ptr::eq(*c, mention));
        let conditions: Vec<&Mention> = reading
            .mentions
            .iter()
            .filter(|mention| mention.role == Role::Condition)
            .collect();
        conditions.windows(2).find_map(|pair| {
            let joined = pair[1].joint.is_some() && pair[1].clause - pair[0].clause <= 1;
            match (joined, is_chosen(pair[0]), is_chosen(pair[1])) {
                (true, true, false) => Some(pair[1]),
                (true, false, true) => Some(pair[0]),
                _ => None,
            }
        })
    }

    /// Two conditions on different things, where it is not said which is asked about: both.
    fn pair(&mut self, first: &Mention, other: &Mention) -> Outcome {
        let (one, two) = if first.span.start < other.span.start {
            (first, other)
        } else {
            (other, first)
        };
        let Some(joint) = two.joint else {
            return Err(Reason::TwoConditions);
        };
        let mut parts = Vec::new();
        self.because.clear();
        self.unused.clear();
        for (mention, name) in [(one, "a"), (two, "b")] {
            let Predicate::Condition(condition) = self.predicate(mention)? else {
                return Err(Reason::TwoConditions);
            };
            parts.push(Relation::Meets(name.to_owned(), condition));
            self.vars.push((name.to_owned(), self.words(&mention.noun_span)));
        }
        Ok(Predicate::Relation(match joint {
            Joint::And => Relation::All(parts),
            Joint::Or => Relation::Any(parts),
        }))
    }

    /// A value before and after one event.
    fn change(&mut self, reading: &Reading) -> Option<Outcome> {
        let at = |time| reading.mentions.iter().find(|mention| mention.time == Some(time));
        let (old, new) = (at(Time::Old)?, at(Time::New)?);
        let mut parts = Vec::new();
        for (name, mention) in [("old", old), ("new", new)] {
            match self.predicate(mention) {
                Ok(Predicate::Condition(condition)) => {
                    parts.push(Relation::Meets(name.to_owned(), condition))
                }
                Ok(_) => return Some(Err(Reason::Unparseable)),
                Err(reason) => return Some(Err(reason)),
            }
            self.vars.push((
                name.to_owned(),
                self.question.text[mention.span.clone()].to_owned(),
            ));
        }
        Some(Ok(Predicate::Relation(Relation::All(parts))))
    }

    /// Two quantities asked about at once.
    fn several(&mut self, reading: &Reading, asked: &Asked) -> Outcome {
        if let Some(change) = self.change(reading) {
            return change;
        }
        let conditions: Vec<&Mention> = reading
            .mentions
            .iter()
            .filter(|mention| matches!(mention.role, Role::Condition))
            .collect();
        let Some(first) = conditions.first().copied() else {
            return Err(self.nothing(reading));
        };
        for mention in &conditions {
            if let Some(reason) = self.leftover_reason(reading, mention) {
                return Err(reason);
            }
        }
        let names = ["a", "b", "c", "d"];
        if asked.parts.len() > 2 {
            return Err(Reason::TwoConditions);
        }
        self.vars = names
            .iter()
            .zip(&asked.parts)
            .map(|(name, part)| ((*name).to_owned(), part.text.clone()))
            .collect();
        match (&first.says, &conditions[..]) {
            (Says::Relation(..), [_]) => self.predicate(first),
            (Says::Claim(Claim::Letter(order, _)), [_]) if first.subject == Subject::Trait => {
                let order = if first.negations % 2 == 1 {
                    order.negated()
                } else {
                    *order
                };
                Ok(Predicate::Relation(Relation::Compare(
                    Sum::of("a"),
                    order,
                    Sum::of("b"),
                )))
            }
            (Says::Claim(claim), [_]) if first.total => {
                let condition = self.claim(first, claim)?;
                let Some((order, bound)) = single_bound(&condition) else {
                    return Err(Reason::Unparseable);
                };
                let sum = Sum {
                    terms: vec![(1, "a".to_owned()), (1, "b".to_owned())],
                    plus: 0,
                };
                Ok(Predicate::Relation(Relation::Compare(
                    sum,
                    order,
                    Sum::number(bound),
                )))
            }
            (_, [one, other]) => {
                let (Some(left), Some(right)) = (asked.parts.first(), asked.parts.get(1)) else {
                    return Err(Reason::TwoConditions);
                };
                let straight = left.fit(one) + right.fit(other);
                let crossed = left.fit(other) + right.fit(one);
                let order = if crossed > straight {
                    ["b", "a"]
                } else {
                    ["a", "b"]
                };
                let Some(joint) = other.joint else {
                    return Err(Reason::TwoConditions);
                };
                let mut parts = Vec::new();
                for (mention, name) in [(one, order[0]), (other, order[1])] {
                    match self.predicate(mention)? {
                        Predicate::Condition(condition) => {
                            parts.push(Relation::Meets(name.to_owned(), condition))
                        }
                        _ => return Err(Reason::Unparseable),
                    }
                }
                if order[0] == "b" {
                    parts.reverse();
                }
                Ok(Predicate::Relation(match joint {
                    Joint::And => Relation::All(parts),
                    Joint::Or => Relation::Any(parts),
                }))
            }
            _ => Err(Reason::TwoConditions),
        }
    }

    /// Why nothing can be said where no number was found.
    fn nothing(&self, reading: &Reading) -> Reason {
        let kinds = || {
            reading
                .clauses
                .iter()
                .flat_map(|clause| &clause.leftover)
                .map(|leftover| leftover.kind)
        };
        if let Some(reason) = kinds()
            .map(reason_of)
            .find(|reason| *reason != Reason::Unparseable)
        {
            return reason;
        }
        if !reading.in_names.is_empty() {
            return Reason::NumberInName;
        }
        if kinds().next().is_some() {
            Reason::Unparseable
        } else {
            Reason::NoNumber
        }
    }

    /// Why the clause of a mention may not be answered.
    fn leftover_reason(&self, reading: &Reading, mention: &Mention) -> Option<Reason> {
        let leftover = &reading.clauses.get(mention.clause)?.leftover;
        let reasons: Vec<Reason> = leftover.iter().map(|leftover| reason_of(leftover.kind)).collect();
        reasons
            .iter()
            .copied()
            .find(|reason| *reason != Reason::Unparseable)
            .or(reasons.first().copied())
    }

    /// What a mention means.
    fn predicate(&mut self, mention: &Mention) -> Outcome {
        match &mention.says {
            Says::Relation(relation, names) => {
                let odd = (mention.negations + usize::from(mention.unless)) % 2 == 1;
                let relation = if odd { relation.negated() } else { relation.clone() };
                if self.vars.is_empty() {
                    self.vars = vec![
                        ("a".to_owned(), names[0].clone()),
                        ("b".to_owned(), names[1].clone()),
                    ];
                }
                self.note(
                    self.words(&mention.span),
                    Text {
                        en: Cow::Owned(format!("`{relation}`")),
                        zh: Cow::Owned(format!("`{relation}`")),
                    },
                    LANGUAGE,
                );
                Ok(Predicate::Relation(relation))
            }
            Says::ChooseNumber => self.choose_number(mention),
            Says::Claim(claim) if mention.role == Role::Choice => self.choice(mention, claim),
            Says::Claim(claim) => {
                let condition = self.claim(mention, claim)?;
                let mut condition = condition;
                if mention.negations % 2 == 1 {
                    condition = condition.negated();
                    self.note(self.words(&mention.span), text("negated", "被否定"), LANGUAGE);
                }
                if mention.unless {
                    condition = condition.negated();
                    self.note(
                        self.words(&mention.span),
                        text(
                            "after \"unless\": the effect applies when this does not hold",
                            "“除非”之后：不满足时才生效",
                        ),
                        LANGUAGE,
                    );
                }
                if matches!(mention.subject, Subject::Trait | Subject::Letter) {
                    self.domain = Domain::Value;
                }
                Ok(Predicate::Condition(condition))
            }
        }
    }

    /// The numbers that meet a claim, before negations.
    fn claim(&mut self, mention: &Mention, claim: &Claim) -> Result<Condition, Reason> {
        match claim {
            Claim::Set(set) => {
                self.note_explicit(mention, set);
                Ok(set.clone())
            }
            Claim::Bare(number) => self.bare(mention, *number),
            Claim::List(set) => self.list(mention, set),
            Claim::Open(order, number) => self.open(mention, *order, *number),
            Claim::UpTo(number) => {
                let set = Condition::compare(Order::AtMost, *number);
                self.note(self.words(&mention.span), format_meaning(&set), LANGUAGE);
                Ok(set)
            }
            Claim::AnyNumber => Err(Reason::NoNumber),
            Claim::Letter(..) => Err(Reason::UnboundVariable),
            Claim::Fault(fault) => Err(match fault {
                ClaimFault::Contradiction => Reason::ContradictoryOperators,
                ClaimFault::OpenRange => Reason::BoundInclusionUnstated,
                ClaimFault::EmptyRange => Reason::EmptyRange,
                ClaimFault::Number(fault) => reason_of(LeftoverKind::Number(*fault)),
            }),
        }
    }

    /// A plain number: only a convention says what it means.
    fn bare(&mut self, mention: &Mention, number: i64) -> Result<Condition, Reason> {
        if mention.nouns.is_empty() && mention.subject == Subject::Count && !mention.total {
            self.open_readings(mention, number);
            return Err(Reason::BareCountUndefined);
        }
        if mention.unsure {
            self.open_readings(mention, number);
            return Err(Reason::BareCountUndefined);
        }
        let found = self.convention(mention, number);
        let counts = mention.subject == Subject::Count;
        match found {
            Some((Reads::AtLeast, _)) if number == 0 && counts => {
                self.open_readings(mention, number);
                Err(Reason::DegenerateBareZero)
            }
            Some((reads, source)) => {
                let set = reads_as(reads, number);
                self.note(self.words(&mention.span), plain_number(reads, &set), Some(source));
                Ok(set)
            }
            // None of a thing is none in any language.
            None if number == 0 && counts => {
                let set = Condition::compare(Order::Equal, 0);
                self.note(self.words(&mention.span), format_meaning(&set), LANGUAGE);
                Ok(set)
            }
            None => {
                self.open_readings(mention, number);
                Err(Reason::BareCountUndefined)
            }
        }
    }

    /// The game's convention for a plain number about what a mention is about.
    fn convention(&self, mention: &Mention, number: i64) -> Option<(Reads, Source<'a>)> {
        let edition = self.question.edition;
        self.profile.and_then(|profile: &'a Profile| {
            let convention = |list: &'a [crate::game::numeric::Convention]| {
                in_force(list, edition).map(|c| (c.reads, c.source()))
            };
            let named = profile.traits.iter().find(|named| {
                named.source().holds_in(edition) && mention.subject == Subject::Trait && {
                    let nouns: String = mention.nouns.concat();
                    named.names.iter().any(|name| fold_key(name) == fold_key(&nouns))
                }
            });
            if let Some(named) = named {
                return Some((named.reads, named.source()));
            }
            let total = || mention.total.then(|| convention(&profile.bare_total)).flatten();
            match mention.subject {
                Subject::Letter => convention(&profile.bare_letter),
                Subject::Trait if !mention.held => total().or_else(|| convention(&profile.bare_trait)),
                _ => total()
                    .or_else(|| (number == 0).then(|| convention(&profile.bare_zero)).flatten())
                    .or_else(|| {
                        mention
                            .copular
                            .then(|| convention(&profile.bare_copula))
                            .flatten()
                    })
                    .or_else(|| convention(&profile.bare_count)),
            }
        })
    }

    /// One of several plain numbers. Where a plain number means that many or more, so might each of these.
    fn list(&mut self, mention: &Mention, set: &Condition) -> Result<Condition, Reason> {
        let least = set.intervals().first().and_then(|interval| interval.low);
        let plain = self.convention(mention, least.unwrap_or(1));
        let at_least = plain.is_some_and(|(reads, _)| reads != Reads::Exactly);
        if let (true, Some(least)) = (at_least, least) {
            self.candidates
                .push(Predicate::Condition(Condition::compare(Order::AtLeast, least)));
            self.candidates.push(Predicate::Condition(set.clone()));
            return Err(Reason::BareCountUndefined);
        }
        self.note(self.words(&mention.span), format_meaning(set), LANGUAGE);
        Ok(set.clone())
    }

    fn open_readings(&mut self, mention: &Mention, number: i64) {
        let negated = (mention.negations + usize::from(mention.unless)) % 2 == 1;
        for order in [Order::AtLeast, Order::Equal] {
            let order = if negated { order.negated() } else { order };
            self.candidates
                .push(Predicate::Condition(Condition::compare(order, number)));
        }
    }

    /// 以上 or 以下 alone.
    fn open(&mut self, mention: &Mention, order: Order, number: i64) -> Result<Condition, Reason> {
        let edition = self.question.edition;
        let convention = self.profile.and_then(|profile| {
            let list = if order == Order::AtLeast {
                &profile.open_above
            } else {
                &profile.open_below
            };
            in_force(list, edition)
        });
        if let Some(convention) = convention {
            let set = reads_as(convention.reads, number);
            self.note(
                self.words(&mention.span),
                format_meaning(&set),
                Some(convention.source()),
            );
            return Ok(set);
        }
        if self.profile.is_some_and(|profile| profile.open_undecided) {
            let strict = if order == Order::AtLeast {
                Order::Greater
            } else {
                Order::Less
            };
            for order in [order, strict] {
                self.candidates
                    .push(Predicate::Condition(Condition::compare(order, number)));
            }
            return Err(Reason::BoundInclusionUnstated);
        }
        let set = Condition::compare(order, number);
        self.note(self.words(&mention.span), format_meaning(&set), LANGUAGE);
        Ok(set)
    }

    /// What a player may pick.
    fn choice(&mut self, mention: &Mention, claim: &Claim) -> Outcome {
        let edition = self.question.edition;
        let lowest = |list: fn(&Profile) -> &Vec<crate::game::numeric::Least>| {
            self.profile.map(|profile| {
                in_force(list(profile), edition).map(|least| (least.least, Some(least.source())))
            })
        };
        let (choice, source) = match claim {
            Claim::UpTo(high) => {
                // With a game, its rules say whether none may be picked; the language alone allows it.
                let low = match lowest(|profile| &profile.up_to) {
                    None => Some((0, LANGUAGE)),
                    Some(found) => found,
                };
                let source = low.map_or(LANGUAGE, |(_, source)| source);
                (
                    Choice::Range {
                        low: low.map(|(low, _)| low),
                        high: Some(*high),
                    },
                    source,
                )
            }
            Claim::AnyNumber => match lowest(|profile| &profile.any_number) {
                None => (
                    Choice::Range {
                        low: Some(0),
                        high: None,
                    },
                    LANGUAGE,
                ),
                Some(Some((low, source))) => (
                    Choice::Range {
                        low: Some(low),
                        high: None,
                    },
                    source,
                ),
                Some(None) => {
                    for low in [0, 1] {
                        self.candidates.push(Predicate::Choice(Choice::Range {
                            low: Some(low),
                            high: None,
                        }));
                    }
                    return Err(Reason::LowerBoundUnstated);
                }
            },
            Claim::Bare(number) => (Choice::of(&[*number]), LANGUAGE),
            Claim::List(set) => (choice_of(set).ok_or(Reason::Unparseable)?, LANGUAGE),
            Claim::Open(..) | Claim::Set(_) => {
                let set = self.claim(mention, claim)?;
                (choice_of(&set).ok_or(Reason::Unparseable)?, LANGUAGE)
            }
            Claim::Letter(..) | Claim::Fault(_) => {
                return Err(self.claim(mention, claim).err().unwrap_or(Reason::Unparseable));
            }
        };
        if mention.negations > 0 || mention.unless {
            return Err(Reason::Unparseable);
        }
        self.note(
            self.words(&mention.span),
            Text {
                en: Cow::Owned(format!("a choice: `{choice}`")),
                zh: Cow::Owned(format!("由玩家选择：`{choice}`")),
            },
            source,
        );
        Ok(Predicate::Choice(choice))
    }

    fn choose_number(&mut self, mention: &Mention) -> Outcome {
        let least = self
            .profile
            .and_then(|profile| in_force(&profile.choose_number, self.question.edition));
        let Some(least) = least else {
            return Err(Reason::LowerBoundUnstated);
        };
        let choice = Choice::Range {
            low: Some(least.least),
            high: None,
        };
        self.note(
            self.words(&mention.span),
            Text {
                en: Cow::Owned(format!("a choice: `{choice}`")),
                zh: Cow::Owned(format!("由玩家选择：`{choice}`")),
            },
            Some(least.source()),
        );
        Ok(Predicate::Choice(choice))
    }

    /// Notes an explicit comparison, with the rule that confirms it where the game has one.
    fn note_explicit(&mut self, mention: &Mention, set: &Condition) {
        let edition = self.question.edition;
        let exact = single_bound(set).is_some_and(|(order, _)| order == Order::Equal);
        let convention = self.profile.and_then(|profile| {
            let list = if exact { &profile.exactly } else { &profile.or_more };
            in_force(list, edition)
        });
        let source = convention.map(Sourced::source);
        self.note(self.words(&mention.span), format_meaning(set), source);
    }

    fn words(&self, span: &Range<usize>) -> String {
        self.question
            .text
            .get(span.clone())
            .unwrap_or("")
            .trim()
            .to_owned()
    }

    fn leave(&mut self, mention: &Mention) {
        let why = match mention.role {
            Role::Filter => text("narrows what is counted", "限定计数对象"),
            Role::Instruction => text("says what is done, not a condition", "这是要执行的动作，不是条件"),
            Role::Condition | Role::Choice => text("is about something else", "说的是另一项"),
        };
        self.unused.push(Unused {
            words: self.words(&mention.span),
            why,
        });
    }

    fn note(&mut self, words: String, meaning: Text, source: Option<Source<'_>>) {
        let basis = match source {
            None => Basis::Language,
            Some(source) if source.rule.is_some() || source.statement.is_some() => Basis::Rule,
            Some(_) => Basis::Template,
        };
        let (id, loaded) = source.map_or((None, false), |source| self.entry(source));
        self.because.push(Because {
            words,
            meaning,
            basis,
            citation: source.and_then(|source| source.rule).map(str::to_owned),
            edition: source.and_then(|source| source.editions.first().cloned()),
            id,
            loaded,
        });
    }

    /// The entry that decides: the rule if it is loaded, else a shipped statement that says the same, else the
    /// rule's id though nothing answers to it.
    fn entry(&self, source: Source<'_>) -> (Option<String>, bool) {
        let Some(game) = self.question.game else {
            return (None, false);
        };
        let rule = source
            .rule
            .and_then(|rule| rule.parse().ok())
            .map(|number| rule_id(&game.id, DEFAULT_DOCUMENT, &number));
        let statement = source
            .statement
            .map(|label| format!("{}:statement:{label}", game.id));
        for id in rule.iter().chain(&statement) {
            if let Some(found) = (self.find)(id) {
                return (Some(found), true);
            }
        }
        (rule.or(statement), false)
    }
}

/// More numbers about one thing than any phrase has.
const MAX_CHOSEN: usize = 8;

/// A phrase of more characters is a sentence, in which a word need not be what is asked about.
const MAX_PHRASE: usize = 60;

/// Rows of a boundary table at most.
const MAX_ROWS: usize = 24;

/// The source of what plain language says: none.
const LANGUAGE: Option<Source<'static>> = None;

fn meaning(predicate: &Predicate) -> Text {
    Text {
        en: Cow::Owned(format!("`{predicate}`")),
        zh: Cow::Owned(format!("`{predicate}`")),
    }
}

fn format_meaning(set: &Condition) -> Text {
    Text {
        en: Cow::Owned(format!("`{set}`")),
        zh: Cow::Owned(format!("`{set}`")),
    }
}

/// What a plain number means by a convention.
fn plain_number(reads: Reads, set: &Condition) -> Text {
    let (en, zh) = match reads {
        Reads::Exactly => ("exactly that many", "正好该数"),
        Reads::AtLeast => ("that many or more", "该数或更多"),
        Reads::AtMost => ("that many or fewer", "该数或更少"),
        Reads::MoreThan => ("more than that", "多于该数"),
        Reads::LessThan => ("fewer than that", "少于该数"),
    };
    Text {
        en: Cow::Owned(format!("a plain number here means {en}: `{set}`")),
        zh: Cow::Owned(format!("此处只写数字表示“{zh}”：`{set}`")),
    }
}

fn reads_as(reads: Reads, number: i64) -> Condition {
    let order = match reads {
        Reads::Exactly => Order::Equal,
        Reads::AtLeast => Order::AtLeast,
        Reads::AtMost => Order::AtMost,
        Reads::MoreThan => Order::Greater,
        Reads::LessThan => Order::Less,
    };
    Condition::compare(order, number)
}

fn reason_of(kind: LeftoverKind) -> Reason {
    match kind {
        LeftoverKind::Vague | LeftoverKind::Number(Fault::Vague) => Reason::VagueQuantity,
        LeftoverKind::Reference => Reason::UnboundReference,
        LeftoverKind::Fraction | LeftoverKind::Number(Fault::Fraction) => Reason::FractionNeedsWhole,
        LeftoverKind::Letter => Reason::UnboundVariable,
        LeftoverKind::ForEach => Reason::NotACondition,
        LeftoverKind::Number(Fault::NonInteger) => Reason::NonInteger,
        LeftoverKind::Number(Fault::Malformed) => Reason::MalformedNumber,
        LeftoverKind::Number(Fault::TooLarge) => Reason::NumberTooLarge,
        LeftoverKind::Number(Fault::Unsupported) => Reason::UnsupportedNotation,
        LeftoverKind::Other => Reason::Unparseable,
    }
}

/// The one comparison that a set amounts to.
fn single_bound(set: &Condition) -> Option<(Order, i64)> {
    let one = |set: &Condition| match set.intervals()[..] {
        [interval] if interval.step == 1 => Some((interval.low, interval.high)),
        _ => None,
    };
    match one(set) {
        Some((Some(low), Some(high))) if low == high => Some((Order::Equal, low)),
        Some((Some(low), None)) => Some((Order::AtLeast, low)),
        Some((None, Some(high))) => Some((Order::AtMost, high)),
        _ => None,
    }
}

/// A set of numbers as a choice between them.
fn choice_of(set: &Condition) -> Option<Choice> {
    let set = set.within(Domain::Count);
    match &set.intervals()[..] {
        [interval] if interval.step == 1 => Some(Choice::Range {
            low: interval.low,
            high: interval.high,
        }),
        many if many
            .iter()
            .all(|interval| interval.step == 1 && interval.high.is_some()) =>
        {
            let numbers: Vec<i64> = many
                .iter()
                .filter_map(|interval| Some(interval.low?..=interval.high?))
                .flatten()
                .take(64)
                .collect();
            Some(Choice::of(&numbers))
        }
        _ => None,
    }
}

/// True for a relation whose right side is a letter that nothing binds.
fn first_letter_only(relation: &Relation, vars: &[(String, String)]) -> bool {
    let letter = |name: &str| {
        vars.iter().any(|(known, words)| {
            known == name && matches!(words.to_uppercase().trim(), "X" | "Y" | "Z" | "N")
        })
    };
    matches!(relation, Relation::Compare(..)) && letter("b")
}

/// Whether a folded text holds a phrase; the number that stands for `(N)` in it. The outer `None` is no match.
fn matches_phrase(key: &str, words: &str) -> Option<Option<i64>> {
    let pattern: String = words.chars().map(fold_char).collect();
    let Some((before, _)) = pattern.split_once("(n)") else {
        let pattern = fold_key(words);
        let at = key.find(&pattern)?;
        let whole = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() || crate::fold::is_han(c));
        let fits = whole(key[..at].chars().next_back()) && whole(key[at + pattern.len()..].chars().next());
        return fits.then_some(None);
    };
    let before = fold_key(before);
    let at = key.find(before.trim_end())?;
    if key[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    let rest = key[at + before.trim_end().len()..].trim_start_matches([' ', '"', '(']);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    // "1-4" is more than one number.
    let alone = !rest[digits..].starts_with(['-', '~', ',']);
    rest[..digits].parse().ok().filter(|_| alone).map(Some)
}
