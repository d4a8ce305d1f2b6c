//! What a game's rules say about the other numeric questions: value changes, damage, deck sizes, rounding, counters.
//!
//! Data of `game.toml` under `[calc]`. Each list holds the newest edition first; what is absent is undecided.

use super::numeric::{Source, Sourced};
use serde::Deserialize;

/// A game's rules for the operations of `calc`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Calculation {
    /// What a rise or fall of a value counts as.
    pub change: Vec<Change>,
    /// What settles an exchange of two values; where absent, each is a change like any other.
    pub exchange: Vec<Settled>,
    /// In which order changes to one damage are applied.
    pub damage: Vec<Damage>,
    /// Which wordings prevent damage.
    pub prevention: Vec<Prevention>,
    /// "So much for each" is dealt at once.
    pub for_each: Vec<Settled>,
    /// Values that are rounded to a multiple.
    pub settle: Vec<Settle>,
    /// The least that a value can be.
    pub floor: Vec<Floor>,
    /// How a part of a number is rounded when the text does not say.
    pub fraction: Vec<Fraction>,
    /// An explicit "rounded up": what says so, where a rule does.
    pub rounding: Vec<Settled>,
    /// What an undefined number is in a calculation.
    pub undefined: Vec<Undefined>,
    /// How many cards a deck may have.
    pub deck: Vec<Deck>,
    /// Reveals of the top cards that do not add up: the longest counts.
    pub investigate: Vec<Settled>,
    /// Counters that cancel each other.
    pub counters: Vec<Counters>,
    /// Thresholds that one event crosses upward.
    pub thresholds: Vec<Settled>,
    /// Values greater than any number.
    pub infinity: Vec<Infinity>,
    /// Keywords with a number that add up.
    pub cumulative: Vec<Cumulative>,
    /// An action done no times or fewer is not done.
    pub repeat: Vec<Settled>,
    /// A total cost is one for each symbol and the free cost; a letter is 0 where it is not being paid.
    pub total_cost: Vec<Settled>,
}

impl Calculation {
    /// The keys of the facts that decks need.
    pub fn deck_facts(&self) -> Vec<&str> {
        let needs = self.deck.iter().filter_map(|deck| deck.needs.as_ref());
        let mut facts: Vec<&str> = needs.map(|need| need.key.as_str()).collect();
        facts.sort_unstable();
        facts.dedup();
        facts
    }

    /// What counters that cancel each other are called.
    pub fn counter_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for counters in &self.counters {
            let zero = counters.zero.as_deref();
            for name in [counters.plus.as_str(), &counters.minus].into_iter().chain(zero) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// A rule that settles a question by itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settled {
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// What a rise or fall counts as.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Change {
    /// The values it is about; none for all others.
    #[serde(default)]
    pub names: Vec<String>,
    /// What a rise counts as.
    #[serde(default)]
    pub rise: Vec<String>,
    /// What a fall counts as.
    #[serde(default)]
    pub fall: Vec<String>,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// A kind of change to a damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Modifier {
    /// Twice as much.
    Double,
    /// Three times as much.
    Triple,
    /// So much more.
    Plus,
    /// So much less.
    Prevent,
    /// At most so much.
    AtMost,
    /// So much, whatever it was.
    Becomes,
}

/// In which order changes to one damage are applied.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Damage {
    /// Kinds of changes in the order in which they are applied; those of one step in any order. None for any order
    /// throughout.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Of the changes of these kinds only one is applied.
    #[serde(default)]
    pub one_of: Vec<Modifier>,
    /// The steps are followed only where a change increases the damage; else any order is legal.
    #[serde(default)]
    pub steps_need_increase: bool,
    /// Who picks where any order is legal.
    pub chooser: String,
    /// A damage of 0 is no damage: nothing changes it any more.
    #[serde(default)]
    pub ends_at_zero: bool,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// Changes that are applied together.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Step {
    /// Their kinds.
    pub kinds: Vec<Modifier>,
    /// Who picks their order.
    pub chooser: String,
}

/// Which wordings prevent damage.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Prevention {
    /// Words of the wordings, in any language.
    pub words: Vec<String>,
    /// Whether they prevent.
    pub prevents: bool,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// Values that are rounded up to a multiple.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settle {
    /// The values.
    pub names: Vec<String>,
    /// Of what they become a multiple, upward.
    pub multiple: i64,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// The least that a value can be.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Floor {
    /// The values; none for all others.
    #[serde(default)]
    pub names: Vec<String>,
    /// The least; none where they may be negative.
    #[serde(default)]
    pub least: Option<i64>,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// Which way a part of a number is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// To the next greater whole number.
    Up,
    /// To the next smaller whole number.
    Down,
    /// Towards zero.
    TowardsZero,
}

/// How a part of a number is rounded when the text does not say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fraction {
    /// Words of the operations it is about; none for all others.
    #[serde(default)]
    pub words: Vec<String>,
    /// Which way.
    pub direction: Direction,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// What an undefined number is.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Undefined {
    /// The number used instead.
    pub value: i64,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// How many cards a deck may have.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Deck {
    /// What the deck is called.
    pub names: Vec<String>,
    /// The formats it is about; none for every format.
    #[serde(default)]
    pub formats: Vec<String>,
    /// The legal sizes, over `x`.
    pub size: String,
    /// A fact that has to be true for cards in it at all.
    #[serde(default)]
    pub needs: Option<Need>,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// A fact that a deck needs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Need {
    /// The key that says whether it is true.
    pub key: String,
    /// The legal sizes where it is not, over `x`.
    pub otherwise: String,
    /// True where it goes without saying: only an explicit "false" counts.
    #[serde(default)]
    pub assumed: bool,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// Counters that cancel each other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Counters {
    /// The counter that adds.
    pub plus: String,
    /// The counter that takes away.
    pub minus: String,
    /// The counter that either may become, which changes nothing.
    #[serde(default)]
    pub zero: Option<String>,
    /// How much one counter changes, where that is asked for.
    #[serde(default)]
    pub step: Option<i64>,
    /// The rule about counters that become another.
    #[serde(default)]
    pub zero_rule: Option<String>,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// Values greater than any number.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Infinity {
    /// The rule about comparing one with a number.
    pub compare: String,
    /// The rule about comparing two of them.
    pub equal: String,
    /// The rule about changing one.
    pub change: String,
    /// The rule that forbids choosing it.
    pub choose: String,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

/// Keywords with a number that add up.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cumulative {
    /// Those that do; all others are gained once.
    pub keywords: Vec<String>,
    /// The rule about the others.
    pub once_rule: String,
    /// The number of the rule that settles it; none for a template.
    #[serde(default)]
    pub rule: Option<String>,
    /// The label of a shipped statement that says the same.
    #[serde(default)]
    pub statement: Option<String>,
    /// The editions it is known to hold in; none for every edition.
    #[serde(default)]
    pub editions: Vec<String>,
}

macro_rules! sourced {
    ($($name:ident),*) => {$(
        impl Sourced for $name {
            fn source(&self) -> Source<'_> {
                Source {
                    rule: self.rule.as_deref(),
                    statement: self.statement.as_deref(),
                    editions: &self.editions,
                }
            }
        }
    )*};
}

sourced!(
    Settled, Change, Damage, Prevention, Settle, Floor, Fraction, Undefined, Deck, Need, Counters, Infinity,
    Cumulative
);
