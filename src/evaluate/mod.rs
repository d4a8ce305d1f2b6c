//! A numeric phrase, under a game's conventions: condition text and game in; a verdict, and the rule that decides
//! it, out.
//!
//! It fails closed: wording that is not known, two readings, or a convention the game does not have give an
//! undecided verdict with the open readings, never a guess.

pub mod calc;
mod resolve;
mod select;

use crate::condition::{Condition, Domain, Interval, Predicate, Value};
use crate::entry::Lang;
use crate::game::Game;
use std::borrow::Cow;

/// What is asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Question<'a> {
    /// The phrase, or a whole sentence that holds it.
    pub text: &'a str,
    /// The game whose conventions count; without one only the language decides.
    pub game: Option<&'a Game>,
    /// The edition of the rules, where a convention changed between editions; none for the newest.
    pub edition: Option<&'a str>,
    /// What is counted or measured: it tells which number of a sentence is meant.
    pub noun: Option<&'a str>,
    /// The value to check.
    pub value: Option<&'a Value>,
}

/// Finds an entry that is loaded: given the id of a rule (`fow:rule:104.7`) or a statement's label
/// (`fow:statement:bare-number`), its id if an entry answers to it.
pub type Find<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The answer to a [`Question`].
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The phrase, as given.
    pub text: String,
    /// The id of the game whose conventions were used.
    pub game: Option<String>,
    /// What kind of answer this is.
    pub status: Status,
    /// What the phrase says; none when undecided.
    pub predicate: Option<Predicate>,
    /// Which numbers the quantity can have.
    pub domain: Domain,
    /// The numbers that meet a condition on one quantity, or may be chosen.
    pub values: Vec<Interval>,
    /// The value asked about.
    pub value: Option<Value>,
    /// Whether that value meets it; none without a value, or where it is not settled.
    pub holds: Option<bool>,
    /// What is counted or measured, as asked or else as the phrase names it.
    pub noun: Option<String>,
    /// What each variable of a relation stands for.
    pub vars: Vec<(String, String)>,
    /// Which words gave what, in the order of the phrase.
    pub because: Vec<Because>,
    /// Numbers and words that were not used, and why.
    pub unused: Vec<Unused>,
    /// Why it is undecided.
    pub reason: Option<Reason>,
    /// The readings that are open when it is undecided.
    pub candidates: Vec<Predicate>,
    /// The numbers around each bound and whether they meet the condition.
    pub boundary: Vec<(i64, bool)>,
}

impl Verdict {
    /// Whether every number that there can be meets the condition, or none does; none for one that some meet, and for
    /// what is no condition.
    pub fn is_met_by_all(&self) -> Option<bool> {
        if self.status != Status::Condition || !matches!(self.predicate, Some(Predicate::Condition(_))) {
            return None;
        }
        let all = match self.domain {
            Domain::Count => Condition::between(Some(0), None),
            Domain::Value => Condition::between(None, None),
        };
        match self.values.is_empty() {
            true => Some(false),
            false => (self.values == all.intervals()).then_some(true),
        }
    }
}

/// What kind of answer a verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// True or false for a number.
    Condition,
    /// A player picks how many.
    Choice,
    /// No answer may be given.
    Undecided,
}

impl Status {
    /// The name scripts know it by.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Condition => "condition",
            Status::Choice => "choice",
            Status::Undecided => "undecided",
        }
    }
}

/// A step of the answer: some words, what they mean, and what says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Because {
    /// The words of the phrase.
    pub words: String,
    /// What they mean.
    pub meaning: Text,
    /// What decides it.
    pub basis: Basis,
    /// The number of the deciding rule, where there is one.
    pub citation: Option<String>,
    /// The edition that rule number is of, where it is not the newest one.
    pub edition: Option<String>,
    /// The id of the entry that decides: one that is loaded, else that of the rule.
    pub id: Option<String>,
    /// True when the entry of that id is loaded.
    pub loaded: bool,
}

/// What decides a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Basis {
    /// A rule of the game or an official answer.
    Rule,
    /// The fixed wording of the game's cards.
    Template,
    /// Plain English or Chinese.
    Language,
}

impl Basis {
    /// The name scripts know it by.
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Rule => "rule",
            Basis::Template => "template",
            Basis::Language => "language",
        }
    }
}

/// Words that were not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    /// The words.
    pub words: String,
    /// Why they were not used.
    pub why: Text,
}

/// A remark for people in each language of the interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// English.
    pub en: Cow<'static, str>,
    /// Chinese.
    pub zh: Cow<'static, str>,
}

impl Text {
    /// The remark in that language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }
}

/// A remark that is known when the program is built.
const fn text(en: &'static str, zh: &'static str) -> Text {
    Text {
        en: Cow::Borrowed(en),
        zh: Cow::Borrowed(zh),
    }
}

/// Why no answer may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A plain number, and no rule that says how to read it.
    BareCountUndefined,
    /// A plain zero where a plain number means at least that many.
    DegenerateBareZero,
    /// A quantity without a number: several, many, about five.
    VagueQuantity,
    /// A letter whose value is not given.
    UnboundVariable,
    /// It refers to a number that is not given: that many, twice the counters.
    UnboundReference,
    /// A range of which it is not said whether its ends belong to it.
    BoundInclusionUnstated,
    /// A choice of which the lower bound is not settled.
    LowerBoundUnstated,
    /// Comparisons that contradict each other.
    ContradictoryOperators,
    /// Two conditions, of which it is not said which is meant.
    TwoConditions,
    /// An instruction or a cost, or no condition at all.
    NotACondition,
    /// No number in it.
    NoNumber,
    /// The only number is part of a name.
    NumberInName,
    /// Nothing that can be counted or measured.
    NoMeasurableNoun,
    /// A number that is not whole.
    NonInteger,
    /// A part of a whole that is not given.
    FractionNeedsWhole,
    /// A number that is written wrongly.
    MalformedNumber,
    /// A number beyond 64 bits.
    NumberTooLarge,
    /// A way to write numbers that is not read.
    UnsupportedNotation,
    /// A range whose ends are the wrong way round.
    EmptyRange,
    /// Wording that is not known.
    Unparseable,
    /// Nothing was given.
    Empty,
}

impl Reason {
    /// Its code, as scripts know it.
    pub fn code(self) -> &'static str {
        match self {
            Reason::BareCountUndefined => "bare-count-undefined",
            Reason::DegenerateBareZero => "degenerate-bare-zero",
            Reason::VagueQuantity => "vague-quantity",
            Reason::UnboundVariable => "unbound-variable",
            Reason::UnboundReference => "unbound-reference",
            Reason::BoundInclusionUnstated => "bound-inclusion-unstated",
            Reason::LowerBoundUnstated => "lower-bound-unstated",
            Reason::ContradictoryOperators => "contradictory-operators",
            Reason::TwoConditions => "two-conditions",
            Reason::NotACondition => "not-a-condition",
            Reason::NoNumber => "no-number",
            Reason::NumberInName => "number-in-name",
            Reason::NoMeasurableNoun => "no-measurable-noun",
            Reason::NonInteger => "non-integer",
            Reason::FractionNeedsWhole => "fraction-needs-whole",
            Reason::MalformedNumber => "malformed-number",
            Reason::NumberTooLarge => "number-too-large",
            Reason::UnsupportedNotation => "unsupported-notation",
            Reason::EmptyRange => "empty-range",
            Reason::Unparseable => "unparseable",
            Reason::Empty => "empty",
        }
    }

    /// What it means, for people.
    pub fn text(self) -> Text {
        let (en, zh) = match self {
            Reason::BareCountUndefined => (
                "a plain number, and no rule says whether it means exactly or at least that many",
                "只写了数字，没有规则说明是正好还是至少",
            ),
            Reason::DegenerateBareZero => (
                "a plain zero: read as \"that many or more\" it would always hold",
                "只写了零：若按“或更多”理解，则总是满足",
            ),
            Reason::VagueQuantity => ("the quantity is vague", "数量含糊"),
            Reason::UnboundVariable => ("the value of the letter is not given", "字母代表的数值未给出"),
            Reason::UnboundReference => ("it refers to a number that is not given", "所指的数值未给出"),
            Reason::BoundInclusionUnstated => (
                "it is not said whether the ends belong to the range",
                "未说明范围是否包含两端",
            ),
            Reason::LowerBoundUnstated => (
                "no rule settles whether none may be chosen",
                "没有规则说明能否一个都不选",
            ),
            Reason::ContradictoryOperators => ("the comparisons contradict each other", "比较用语互相矛盾"),
            Reason::TwoConditions => (
                "two conditions: name the one that is meant",
                "有两个条件：请指明要问哪一个",
            ),
            Reason::NotACondition => (
                "an instruction or a cost, not a condition",
                "这是指示或费用，不是条件",
            ),
            Reason::NoNumber => ("there is no number in it", "其中没有数字"),
            Reason::NumberInName => ("the number is part of a name", "数字是名称的一部分"),
            Reason::NoMeasurableNoun => (
                "nothing that can be counted or measured",
                "没有可以计数或衡量的对象",
            ),
            Reason::NonInteger => ("the number is not whole", "不是整数"),
            Reason::FractionNeedsWhole => (
                "a part of a whole that is not given",
                "只给出部分，未给出整体的数值",
            ),
            Reason::MalformedNumber => ("the number is malformed", "数字写法有误"),
            Reason::NumberTooLarge => ("the number is too large", "数字过大"),
            Reason::UnsupportedNotation => ("this way to write a number is not read", "不支持这种数字写法"),
            Reason::EmptyRange => ("the ends of the range are the wrong way round", "范围的两端颠倒"),
            Reason::Unparseable => ("the wording is not known", "无法识别的用语"),
            Reason::Empty => ("nothing was given", "没有内容"),
        };
        Text {
            en: Cow::Borrowed(en),
            zh: Cow::Borrowed(zh),
        }
    }
}

/// Answers a numeric question.
pub fn evaluate(question: &Question<'_>, find: Find<'_>) -> Verdict {
    resolve::Resolver::new(question, find).answer()
}
