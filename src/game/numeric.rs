//! How a game reads numbers: its conventions, each with the rule that justifies it.
//!
//! All of it is data of `game.toml`, under `[numeric]`. A convention names the rule that settles it; one without a
//! rule is a *template*, a wording that the game uses throughout. What is not there is not settled, and questions
//! that turn on it stay undecided. Where editions differ, a convention is a list, the newest first:
//!
//! ```toml
//! [numeric]
//! bare-count = [{ reads = "at-least", rule = "104.7", statement = "plain-number" }]
//! bare-trait = [{ reads = "exactly" }]
//! ```

use serde::Deserialize;

/// A game's numeric conventions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Profile {
    /// A plain count: "if you control two fairies".
    pub bare_count: Vec<Convention>,
    /// A plain count after "is": 手牌是2张的场合. Where absent it is a plain count like any other.
    pub bare_copula: Vec<Convention>,
    /// A plain zero, where it is read otherwise than other plain counts.
    pub bare_zero: Vec<Convention>,
    /// A plain characteristic: "power 3".
    pub bare_trait: Vec<Convention>,
    /// A plain total over several things.
    pub bare_total: Vec<Convention>,
    /// A plain value of a letter: "if X is 3".
    pub bare_letter: Vec<Convention>,
    /// Characteristics that are read otherwise than others.
    pub traits: Vec<Named>,
    /// An explicit "exactly": what says so, where a rule does.
    pub exactly: Vec<Convention>,
    /// An explicit "or more" or "or less" of a characteristic or total: what says so, where a rule does.
    pub or_more: Vec<Convention>,
    /// 以上 alone; where absent, the language's reading (the bound belongs to it) unless `open-undecided`.
    pub open_above: Vec<Convention>,
    /// 以下 and 以内 alone.
    pub open_below: Vec<Convention>,
    /// True where 以上 and 以下 have no settled reading save by the two conventions above.
    pub open_undecided: bool,
    /// The least number of a choice of "up to" so many, where it is settled.
    pub up_to: Vec<Least>,
    /// The least number of a choice of "any number", where it is settled.
    pub any_number: Vec<Least>,
    /// The least number when told to choose a number, where it is settled.
    pub choose_number: Vec<Least>,
    /// Words and keywords that stand for a condition: "dual-attribute", `[Seal] (N)`.
    pub phrases: Vec<Phrase>,
}

/// How a wording is read, and what settles it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Convention {
    /// What it means.
    pub reads: Reads,
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

/// What settles a convention.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The number of the rule; none for a template.
    pub rule: Option<&'a str>,
    /// The label of a shipped statement that says the same.
    pub statement: Option<&'a str>,
    /// The editions it is known to hold in; none for every edition.
    pub editions: &'a [String],
}

impl Source<'_> {
    /// True when it holds in that edition, or in the newest where none is asked for.
    pub fn holds_in(&self, edition: Option<&str>) -> bool {
        self.editions.is_empty()
            || edition.is_none_or(|asked| self.editions.iter().any(|known| known == asked))
    }
}

/// What carries its source.
pub trait Sourced {
    /// What settles it.
    fn source(&self) -> Source<'_>;
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

sourced!(Convention, Named, Least, Phrase);

/// What a plain number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reads {
    /// That many, no more, no fewer.
    Exactly,
    /// That many or more.
    AtLeast,
    /// That many or fewer.
    AtMost,
    /// More than that.
    MoreThan,
    /// Fewer than that.
    LessThan,
}

/// A convention for characteristics of certain names.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Named {
    /// The names, in any language.
    pub names: Vec<String>,
    /// What it means.
    pub reads: Reads,
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

/// A least number, and what settles it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Least {
    /// The number.
    pub least: i64,
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

/// Words that stand for a condition.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Phrase {
    /// The words; `(N)` stands for a number.
    pub words: Vec<String>,
    /// The condition over `x`; `N` is the number of the words.
    pub predicate: String,
    /// What `x` is.
    pub quantity: String,
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

/// The entry of a list, newest first, that holds in `edition`.
pub fn in_force<'a, T: Sourced>(list: &'a [T], edition: Option<&str>) -> Option<&'a T> {
    list.iter().find(|entry| entry.source().holds_in(edition))
}
