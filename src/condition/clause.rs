//! One clause: the numbers it mentions, whether they are conditions, and how they are joined.

use super::amount::{Claim, ClaimFault, read_amount};
use super::comparison::relation;
use super::leftover::{fragments, is_meaningful};
use super::lexer::Token;
use super::numbers::{Condition, Order};
use super::reading::{
    Clause, Joint, Leftover, LeftoverKind, Mention, Reading, Role, Says, Subject, bounds_from_both_sides,
    share_noun,
};
use super::words::Word;
use std::ops::Range;

/// The most words of a clause that is read.
const MAX_CLAUSE: usize = 200;

/// Which marker governs a clause that continues another: "if A, and B".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Governed {
    /// True for "unless".
    pub unless: bool,
}

/// Reads one clause.
pub(super) struct ClauseReader<'t> {
    /// The whole phrase.
    pub(super) text: &'t str,
    /// The words of the clause.
    pub(super) tokens: Vec<Token>,
    /// Which of them were understood.
    pub(super) used: Vec<bool>,
    /// True where a colon ends the clause: what stands before it is a cost.
    pub(super) before_colon: bool,
    /// The marker of the clause before, where this one goes on with "and" or "or".
    pub(super) inherited: Option<Governed>,
    /// Where the marker of this clause stands.
    pub(super) marker: Option<usize>,
    /// True where the marker is "unless".
    pub(super) unless: bool,
    /// Where 的场合 ends the condition.
    pub(super) case: Option<usize>,
    /// True where a clause before it in the sentence is a condition.
    pub(super) after_condition: bool,
    /// Words that nobody writes twice in a row.
    pub(super) doubled: Vec<Range<usize>>,
}

/// Bounds whose words stand in another order than those of others: "but not 5" leaves 5 out, "strictly between" leaves
/// out both ends, 一个也没有 is none.
fn reorder_bounds(tokens: &mut Vec<Token>) {
    let mut idx = 0;
    while idx < tokens.len() {
        let word = |at: usize| tokens.get(at).map(|token| token.word);
        let is_number = |at: usize| matches!(word(at), Some(Word::Number(_)));
        let exactly = usize::from(word(idx + 2) == Some(Word::Exactly));
        if word(idx) == Some(Word::But)
            && word(idx + 1) == Some(Word::Not)
            && is_number(idx + 2 + exactly)
            && !matches!(
                word(idx + 3 + exactly),
                Some(Word::After(_) | Word::AfterOpen(_) | Word::Or | Word::To)
            )
        {
            tokens[idx + 1].word = Word::Before(Order::Unequal);
            tokens.drain(idx + 2..idx + 2 + exactly);
        } else if tokens[idx].text == "strictly"
            && word(idx + 1) == Some(Word::Between)
            && is_number(idx + 2)
            && word(idx + 3) == Some(Word::And)
            && is_number(idx + 4)
        {
            let mut strictly = tokens.remove(idx);
            strictly.word = Word::Exclusive;
            tokens.insert(idx + 4, strictly);
        } else if word(idx) == Some(Word::Number(1))
            && word(idx + 1) == Some(Word::Classifier)
            && let Some(none) = (idx + 2..tokens.len().min(idx + 6)).find(|at| tokens[*at].text == "也没有")
        {
            // 一个指示物也没有 becomes 没有指示物.
            let mut none = tokens.remove(none);
            none.word = Word::No;
            tokens.splice(idx..idx + 2, [none]);
        }
        idx += 1;
    }
}

/// Numbers that only look like others: "no more than twice each turn" counts and multiplies nothing, and "the one
/// chosen" is no number.
fn count_times(text: &str, tokens: &mut [Token]) {
    let each = |token: Option<&Token>| {
        token.is_none_or(|token| {
            matches!(
                token.text.as_str(),
                "each" | "per" | "this" | "that" | "every" | "during" | "in"
            )
        })
    };
    for idx in 0..tokens.len() {
        let said = text[tokens[idx].span.clone()].to_lowercase();
        let compared = idx > 0
            && matches!(
                tokens[idx - 1].word,
                Word::Before(_) | Word::UpTo | Word::Exactly | Word::Only
            );
        match tokens[idx].word {
            Word::Multiple(times) if compared && said == "twice" && each(tokens.get(idx + 1)) => {
                tokens[idx].word = Word::Number(times);
            }
            Word::Content if compared && said == "once" => {
                tokens[idx].word = Word::Number(1);
                // "Only once each turn" allows it and asks for nothing.
                if tokens[idx - 1].word == Word::Only {
                    tokens[idx - 1].word = Word::Before(Order::AtMost);
                }
            }
            Word::Times
                if idx > 0
                    && !tokens[idx].han
                    && tokens[idx - 1].is_number()
                    && each(tokens.get(idx + 1)) =>
            {
                tokens[idx].word = Word::Content;
            }
            Word::Number(1) if said == "one" && idx > 0 => {
                let pronoun = matches!(tokens[idx - 1].text.as_str(), "the" | "chosen" | "this" | "that");
                let ends = tokens.get(idx + 1).is_none_or(|next| {
                    matches!(
                        next.word,
                        Word::Act | Word::Person | Word::With | Word::Of | Word::Is | Word::Modal
                    ) || next.text == "chosen"
                });
                if pronoun && ends {
                    tokens[idx].word = Word::Content;
                    tokens[idx].text = said;
                }
            }
            _ => {}
        }
    }
}

impl<'t> ClauseReader<'t> {
    pub(super) fn new(
        text: &'t str,
        tokens: &[Token],
        before_colon: bool,
        inherited: Option<Governed>,
    ) -> Self {
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
        reorder_bounds(&mut tokens);
        count_times(text, &mut tokens);
        let doubled = tokens
            .windows(2)
            .filter(|pair| {
                pair[0].is_number() && pair[1].is_number()
                    || pair[0].word == pair[1].word
                        && pair[0].text == pair[1].text
                        && (is_meaningful(pair[0].word) || matches!(pair[0].word, Word::Of | Word::With))
                    || pair[0].word == Word::Not && pair[1].text.starts_with("not ")
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
            after_condition: false,
        }
    }

    pub(super) fn word(&self, idx: usize) -> Option<Word> {
        self.tokens.get(idx).map(|token| token.word)
    }

    pub(super) fn span(&self, range: Range<usize>) -> Range<usize> {
        match &self.tokens[range] {
            [] => 0..0,
            tokens => {
                let start = tokens.iter().map(|t| t.span.start).min().unwrap_or(0);
                start..tokens.iter().map(|t| t.span.end).max().unwrap_or(start)
            }
        }
    }

    pub(super) fn use_range(&mut self, range: Range<usize>) {
        self.used[range].fill(true);
    }

    /// True where the words at `idx` stand under a condition.
    pub(super) fn governed(&self, idx: usize) -> bool {
        self.marker.is_some_and(|marker| marker < idx)
            || self.case.is_some_and(|case| idx < case)
            || self.inherited.is_some()
    }

    pub(super) fn under_unless(&self, idx: usize) -> bool {
        self.unless && self.marker.is_some_and(|marker| marker < idx)
            || self.inherited.is_some_and(|governed| governed.unless)
    }

    /// Reads the clause into `reading`; returns the marker that the next clause may continue.
    pub(super) fn read(mut self, reading: &mut Reading) -> Option<Governed> {
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
                reading.mentions.push(mention.0);
                idx = end;
                previous_end = end;
                continue;
            }
            // "X is 5", X等于或大于5: the letter is what is measured.
            let measured = matches!(self.word(idx), Some(Word::Letter(_)))
                && match self.word(idx + 1) {
                    Some(Word::Is) => self.amount_next(idx + 1),
                    Some(Word::Before(_) | Word::Equals) => self.tokens[idx + 1].han && self.amount_next(idx),
                    _ => false,
                };
            let Some(amount) = read_amount(&self.tokens[idx..]).filter(|_| !measured) else {
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
            // "Control WORD five imps": a word between the verb and the number may change it. Participles do not.
            if let [.., have, word] = &self.tokens[..idx]
                && have.word == Word::Have
                && word.word == Word::Content
                && !word.han
                && !["ed", "en", "wn", "pt", "ught", "ung", "ost"]
                    .iter()
                    .any(|ending| word.text.ends_with(ending))
            {
                self.doubled.push(self.span(idx - 1..idx));
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
            let chosen = matches!(
                self.tokens[..idx]
                    .iter()
                    .rev()
                    .map(|token| token.word)
                    .find(|word| *word != Word::Any),
                Some(Word::Choose)
            );
            // "Give −3000 power": what is given.
            let given = matches!(claim, Claim::Bare(value) if value < 0)
                && self.word(end) == Some(Word::Trait)
                && !matches!(
                    idx.checked_sub(1).and_then(|at| self.word(at)),
                    Some(Word::Is | Word::Have | Word::With)
                );
            if given {
                idx = end;
                continue;
            }
            if matches!(self.word(end), Some(Word::Of)) && matches!(claim, Claim::Bare(1)) && !chosen {
                // "one of": a pronoun.
                idx = end;
                continue;
            }
            let mention = self.mention(idx..end, claim, amount.trait_classifier, clause);
            if self.word(end) == Some(Word::De) {
                end += 1;
            }
            reading.mentions.push(mention);
            previous_end = idx + amount.taken;
            idx = end;
        }
        let mut own = reading.mentions.iter().filter(|mention| mention.clause == clause);
        let traits = own.all(|mention| mention.subject == Subject::Trait);
        if let Some(mention) = self.described_existence(clause, traits) {
            for described in reading
                .mentions
                .iter_mut()
                .filter(|mention| mention.clause == clause)
            {
                described.role = Role::Filter;
            }
            reading.mentions.push(mention);
        }
        if reading
            .mentions
            .last()
            .is_none_or(|mention| mention.clause != clause)
        {
            if let Some(mention) = self.ordinal(clause) {
                reading.mentions.push(mention);
            } else if let Some(mention) = self.bare_existence(clause) {
                reading.mentions.push(mention);
            }
        }
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
            // Nothing else is said.
            || self.tokens.len() == 1
            || matches!(self.word(end), Some(Word::Trait))
            || self
                .left(idx)
                .is_some_and(|at| self.tokens[at].word == Word::Trait)
            || idx > 0 && matches!(self.tokens[idx - 1].word, Word::Is)
            // "The number of gems isn't even".
            || idx > 0
                && self.tokens[idx - 1].word == Word::Not
                && (self.tokens[idx].han || self.tokens[..idx].iter().any(|token| token.word == Word::NumberOf));
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
                // "There is a gem", "there isn't a gem".
                Word::Is | Word::Not => at > 0 && self.tokens[at - 1].word == Word::There,
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
                // "Without playing it" says what is not done.
                let doing = self.word(idx) == Some(Word::Without)
                    && self
                        .tokens
                        .get(idx + 1)
                        .is_some_and(|token| token.text.ends_with("ing"));
                if doing || !noun_next(idx + 1 + any) {
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
        // "If it was kicked, it enters with a counter on it": what follows a condition is its effect.
        if self.after_condition && !self.governed(idx) {
            mention.role = Role::Instruction;
        }
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
        // "The second card" is one of them; "your second card" says how many there were.
        let counted = self.tokens[idx].han
            || self.tokens[..idx]
                .iter()
                .any(|token| matches!(token.text.as_str(), "your" | "their" | "his" | "her" | "its"));
        if !self.governed(idx) || !counted {
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
        // +1/+1指示物 are counters.
        let counters = self.word(have + 1) == Some(Word::Stats)
            && self
                .tokens
                .get(have + 2)
                .is_some_and(|token| token.text.starts_with("指示物"));
        if !self.governed(have)
            || !counters
                && !matches!(
                    self.word(have + 1),
                    Some(Word::Content | Word::Masked | Word::Other | Word::Any)
                )
        {
            return None;
        }
        // 具有飞行 is an ability, no count.
        let content = &self.tokens[have + 1 + usize::from(counters)].text;
        let countable = content.contains("指示物") || content.contains('牌') || content.contains('卡');
        if matches!(self.tokens[have].text.as_str(), "具有" | "含有" | "包含") && !countable {
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
        // 若你操控平原或沼泽: one of either will do, and no number of one of them says so.
        if self.tokens[have + 1..].windows(2).any(|pair| {
            pair[0].word == Word::Or && matches!(pair[1].word, Word::Content | Word::Masked | Word::Other)
        }) {
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

    /// 若你操控力量等于或大于4的生物, 若你操控其上有三个或更多指示物的生物: a thing that is there at all, told by what is
    /// said of it.
    fn described_existence(&self, clause: usize, traits: bool) -> Option<Mention> {
        let have = self
            .tokens
            .iter()
            .position(|token| token.word == Word::Have && token.han)?;
        let de = self.tokens.iter().rposition(|token| token.word == Word::De)?;
        if !self.governed(have) || de < have {
            return None;
        }
        // 操控了
        let from = have + 1 + usize::from(self.tokens[have + 1].text == "了");
        let told = self.tokens.get(from..de)?;
        let number = told.iter().position(Token::is_number);
        let is_told = match told.first()?.word {
            Word::Trait => traits && number.is_some(),
            // The thing's own, or on it.
            _ => {
                let on_it = ["其", "上面", "上"].iter().any(|on| told[0].text.starts_with(on));
                let has = told.iter().position(|token| token.word == Word::Have);
                on_it && has.is_some_and(|has| number.is_none_or(|number| has < number))
            }
        };
        let noun = de + 1..self.tokens.len();
        let named = matches!(
            self.word(de + 1),
            Some(Word::Content | Word::Masked | Word::Other)
        );
        if !is_told || !named {
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
                    // 不能被力量等于或小于2的生物阻挡, "a creature you don't control with a counter on it".
                    Word::Not
                        if matches!(
                            self.tokens[between].text.as_str(),
                            "不能" | "不可" | "不会" | "无法" | "不得"
                        ) && mentions[idx].subject == Subject::Trait
                            && self.tokens[at..].iter().any(|token| token.word == Word::De)
                            || at > 0
                                && self.tokens[at - 1].word == Word::With
                                && matches!(self.word(between + 1), Some(Word::Have)) =>
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
        let before = &self.tokens[start..start + found.from];
        let negations = (0..before.len())
            .filter(|idx| match before[*idx].word {
                // "Can't be blocked by creatures with power greater than its own": which creatures is not negated.
                Word::Not => before[*idx..]
                    .iter()
                    .all(|token| token.word != Word::With && !(token.han && token.word == Word::Act)),
                Word::ItIsNotTrue => true,
                _ => false,
            })
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
        let made = self.tokens[..start + found.from]
            .iter()
            .any(|token| token.text == "a number of");
        let acts = !self.governed(start + found.from)
            && self.tokens[..start + found.from]
                .iter()
                .any(|token| token.word == Word::Act)
            && !self.tokens[..start + found.from].iter().any(|token| {
                matches!(token.word, Word::Not | Word::Modal) || token.word == Word::With && !made
            });
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
            held: false,
            unsure: false,
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
