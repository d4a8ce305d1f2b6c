//! A condition over one quantity, as the set of whole numbers that meet it.

use super::notation;
use std::fmt;
use std::str::FromStr;

/// The set of whole numbers that meet a condition: sorted disjoint intervals, which may be restricted to the
/// even or the odd numbers.
///
/// Two conditions are equal exactly when the same numbers meet them, however they were written. Whether a bare
/// number on a card means *exactly* or *at least* differs between games and is settled before a `Condition`
/// exists.
///
/// Even and odd members are held apart, as runs of halved numbers (`2k` and `2k + 1` are both `k`), so that every
/// set the grammar can name, its union, intersection and complement have one form.
///
/// # Example
///
/// ```
/// use shiyi::condition::Condition;
///
/// let at_least_two: Condition = "x >= 2".parse()?;
/// assert!(at_least_two.holds(3));
/// assert!(!"x == 2".parse::<Condition>()?.holds(3));
/// assert_eq!(at_least_two, "x > 1".parse()?);
/// # Ok::<(), shiyi::condition::ConditionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Condition {
    even: Runs,
    odd: Runs,
}

/// Whole numbers from `low` to `high`, both included; `None` is unbounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The least number, or none where there is no lower bound.
    pub low: Option<i64>,
    /// The greatest number, or none where there is no upper bound.
    pub high: Option<i64>,
    /// 1 where every number between the bounds belongs to it, 2 where only every other one does (bounds
    /// included; without bounds, `parity` tells which).
    pub step: u8,
    /// 0 for even, 1 for odd: of the members where `step` is 2, else 0.
    pub parity: u8,
}

/// Which numbers a quantity can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Domain {
    /// How many there are: whole numbers from 0.
    #[default]
    Count,
    /// A value such as power or life: any whole number.
    Value,
}

impl Domain {
    /// `count` or `value`.
    pub fn as_str(self) -> &'static str {
        match self {
            Domain::Count => "count",
            Domain::Value => "value",
        }
    }
}

/// How a number is compared with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

impl Order {
    /// The sign, as predicates write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Order::Less => "<",
            Order::AtMost => "<=",
            Order::Equal => "==",
            Order::Unequal => "!=",
            Order::AtLeast => ">=",
            Order::Greater => ">",
        }
    }

    /// The comparison that holds exactly where this one does not.
    pub fn negated(self) -> Order {
        match self {
            Order::Less => Order::AtLeast,
            Order::AtMost => Order::Greater,
            Order::Equal => Order::Unequal,
            Order::Unequal => Order::Equal,
            Order::AtLeast => Order::Less,
            Order::Greater => Order::AtMost,
        }
    }

    /// The comparison with its sides exchanged: `a < b` is `b > a`.
    pub fn flipped(self) -> Order {
        match self {
            Order::Less => Order::Greater,
            Order::AtMost => Order::AtLeast,
            Order::AtLeast => Order::AtMost,
            Order::Greater => Order::Less,
            same => same,
        }
    }

    /// True when two things that compare so meet it.
    pub fn admits(self, ordering: std::cmp::Ordering) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            Order::Less => ordering == Less,
            Order::AtMost => ordering != Greater,
            Order::Equal => ordering == Equal,
            Order::Unequal => ordering != Equal,
            Order::AtLeast => ordering != Less,
            Order::Greater => ordering == Greater,
        }
    }
}

impl Condition {
    /// No number meets it.
    pub fn never() -> Condition {
        Condition {
            even: Runs::default(),
            odd: Runs::default(),
        }
    }

    /// Every number meets it.
    pub fn always() -> Condition {
        Condition::never().negated()
    }

    /// Numbers that compare so with `bound`.
    pub fn compare(order: Order, bound: i64) -> Condition {
        match order {
            Order::Equal => Condition::between(Some(bound), Some(bound)),
            Order::Unequal => Condition::compare(Order::Equal, bound).negated(),
            Order::AtLeast => Condition::between(Some(bound), None),
            Order::AtMost => Condition::between(None, Some(bound)),
            Order::Greater => Condition::compare(Order::AtMost, bound).negated(),
            Order::Less => Condition::compare(Order::AtLeast, bound).negated(),
        }
    }

    /// Numbers from `low` to `high`, both included; none where they are the wrong way round.
    pub fn between(low: Option<i64>, high: Option<i64>) -> Condition {
        // The least k with 2k + r >= low, the greatest with 2k + r <= high.
        let from = |r: i64| low.map_or(FIRST, |low| low.div_euclid(2) + i64::from(low.rem_euclid(2) > r));
        let to = |r: i64| {
            high.map_or(LAST, |high| {
                high.div_euclid(2) - i64::from(high.rem_euclid(2) < r)
            })
        };
        Condition {
            even: Runs::one(from(0), to(0)),
            odd: Runs::one(from(1), to(1)),
        }
    }

    /// Exactly the given numbers.
    pub fn one_of(numbers: &[i64]) -> Condition {
        numbers.iter().fold(Condition::never(), |set, n| {
            set.or(&Condition::compare(Order::Equal, *n))
        })
    }

    /// The even numbers.
    pub fn even() -> Condition {
        Condition {
            even: Runs::all(),
            odd: Runs::default(),
        }
    }

    /// The odd numbers. A negative number is odd when its absolute value is.
    pub fn odd() -> Condition {
        Condition {
            even: Runs::default(),
            odd: Runs::all(),
        }
    }

    /// Returns true if `value` meets this condition.
    pub fn holds(&self, value: i64) -> bool {
        let runs = if value.rem_euclid(2) == 0 {
            &self.even
        } else {
            &self.odd
        };
        runs.contains(value.div_euclid(2))
    }

    /// Returns true if a value greater than any number meets this condition: infinity is neither even nor odd and
    /// equal to no number.
    pub fn holds_infinite(&self) -> bool {
        self.even.reaches_up() && self.odd.reaches_up()
    }

    /// The condition that holds exactly where this one does not.
    pub fn negated(&self) -> Condition {
        Condition {
            even: self.even.complement(),
            odd: self.odd.complement(),
        }
    }

    /// Both conditions at once.
    pub fn and(&self, other: &Condition) -> Condition {
        self.negated().or(&other.negated()).negated()
    }

    /// At least one of the two conditions.
    pub fn or(&self, other: &Condition) -> Condition {
        Condition {
            even: self.even.union(&other.even),
            odd: self.odd.union(&other.odd),
        }
    }

    /// The members that a quantity of that domain can have.
    pub fn within(&self, domain: Domain) -> Condition {
        match domain {
            Domain::Count => self.and(&Condition::between(Some(0), None)),
            Domain::Value => self.clone(),
        }
    }

    /// Its members as sorted disjoint intervals, as few as parity allows.
    pub fn intervals(&self) -> Vec<Interval> {
        let mut whole: Vec<(i128, i128)> = Vec::new();
        // An even member beside an odd one belongs to a run of consecutive numbers: stretch the runs of each
        // parity by one number at both ends, and the numbers common to both are those runs.
        for even in self.even.stretched(0) {
            for odd in self.odd.stretched(1) {
                let run = (even.0.max(odd.0), even.1.min(odd.1));
                if run.0 <= run.1 {
                    whole.push(run);
                }
            }
        }
        let mut found: Vec<(i128, Interval)> = whole
            .iter()
            .map(|run| {
                (
                    run.0,
                    Interval {
                        low: bound(run.0),
                        high: bound(run.1),
                        step: 1,
                        parity: 0,
                    },
                )
            })
            .collect();
        let covered = whole.iter().fold(Condition::never(), |set, run| {
            set.or(&Condition::between(bound(run.0), bound(run.1)))
        });
        let rest = self.and(&covered.negated());
        for (parity, runs) in [(0, &rest.even), (1, &rest.odd)] {
            for (low, high) in runs.numbers(parity) {
                // A short list is easier to read one by one.
                if high - low <= 2 * MAX_LISTED {
                    let single = |n: i128| Interval {
                        low: bound(n),
                        high: bound(n),
                        step: 1,
                        parity: 0,
                    };
                    let members = (0..=(high - low) / 2).map(|k| low + 2 * k);
                    found.extend(members.map(|n| (n, single(n))));
                    continue;
                }
                let interval = Interval {
                    low: bound(low),
                    high: bound(high),
                    step: 2,
                    parity: parity as u8,
                };
                found.push((low, interval));
            }
        }
        found.sort_by_key(|(low, interval)| (*low, interval.parity));
        found.into_iter().map(|(_, interval)| interval).collect()
    }

    /// The numbers at which the answer may change, with their neighbours, and what holds there: what a reader
    /// checks to see where the bound lies. At most `limit` rows, in order.
    pub fn boundary_table(&self, domain: Domain, limit: usize) -> Vec<(i64, bool)> {
        let clipped = self.within(domain);
        let mut numbers: Vec<i64> = Vec::new();
        for bound in clipped.intervals().iter().flat_map(|i| [i.low, i.high]).flatten() {
            numbers.extend((-1..=1).filter_map(|step: i64| bound.checked_add(step)));
        }
        if numbers.is_empty() {
            // Without a bound, one number stands for all.
            numbers.push(0);
        }
        numbers.retain(|n| domain == Domain::Value || *n >= 0);
        numbers.sort_unstable();
        numbers.dedup();
        numbers.truncate(limit);
        numbers.into_iter().map(|n| (n, self.holds(n))).collect()
    }

    /// Writes the condition with `name` for the quantity.
    pub fn write_with(&self, name: &str) -> String {
        let not = self.negated();
        if *self == Condition::never() {
            return "false".to_owned();
        }
        if not == Condition::never() {
            return "true".to_owned();
        }
        if let [
            Interval {
                low: Some(low),
                high: Some(high),
                ..
            },
        ] = not.intervals()[..]
            && low == high
        {
            return format!("{name} != {low}");
        }
        let (single, wide): (Vec<Interval>, Vec<Interval>) = self
            .intervals()
            .into_iter()
            .partition(|interval| interval.low.is_some() && interval.low == interval.high);
        let mut parts: Vec<String> = Vec::new();
        let single: Vec<String> = single
            .iter()
            .filter_map(|i| i.low)
            .map(|n| n.to_string())
            .collect();
        match &single[..] {
            [] => {}
            [one] => parts.push(format!("{name} == {one}")),
            many => parts.push(format!("{name} in {{{}}}", many.join(","))),
        }
        for interval in wide {
            let bounds = match (interval.low, interval.high) {
                (Some(low), Some(high)) => Some(format!("{low} <= {name} <= {high}")),
                (Some(low), None) => Some(format!("{name} >= {low}")),
                (None, Some(high)) => Some(format!("{name} <= {high}")),
                (None, None) => None,
            };
            let parity = (interval.step == 2).then(|| format!("{name} % 2 == {}", interval.parity));
            parts.push(parity.into_iter().chain(bounds).collect::<Vec<_>>().join(" and "));
        }
        parts.join(" or ")
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write_with("x"))
    }
}

impl FromStr for Condition {
    type Err = notation::ConditionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        notation::parse_condition(text)
    }
}

/// Stands for "no lower bound" among halved numbers, which never get near it.
const FIRST: i64 = i64::MIN;
/// Stands for "no upper bound" among halved numbers.
const LAST: i64 = i64::MAX;

/// Every other number of a run is listed one by one up to about this many.
const MAX_LISTED: i128 = 16;

fn bound(number: i128) -> Option<i64> {
    i64::try_from(number).ok()
}

/// Sorted runs of halved numbers, both ends included, with a gap between any two.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Runs(Vec<(i64, i64)>);

impl Runs {
    fn all() -> Runs {
        Runs(vec![(FIRST, LAST)])
    }

    fn one(from: i64, to: i64) -> Runs {
        Runs(if from <= to { vec![(from, to)] } else { Vec::new() })
    }

    fn contains(&self, half: i64) -> bool {
        let after = self.0.partition_point(|run| run.0 <= half);
        after > 0 && half <= self.0[after - 1].1
    }

    fn reaches_up(&self) -> bool {
        self.0.last().is_some_and(|run| run.1 == LAST)
    }

    fn union(&self, other: &Runs) -> Runs {
        let mut all: Vec<(i64, i64)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::with_capacity(all.len());
        for run in all {
            match merged.last_mut() {
                Some(last) if run.0 <= last.1.saturating_add(1) => last.1 = last.1.max(run.1),
                _ => merged.push(run),
            }
        }
        Runs(merged)
    }

    fn complement(&self) -> Runs {
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some(FIRST);
        for run in &self.0 {
            if let Some(from) = next
                && from < run.0
            {
                gaps.push((from, run.0 - 1));
            }
            next = (run.1 != LAST).then(|| run.1 + 1);
        }
        if let Some(from) = next {
            gaps.push((from, LAST));
        }
        Runs(gaps)
    }

    /// The runs as numbers of that parity; unbounded ends lie outside of `i64`.
    fn numbers(&self, parity: i128) -> impl Iterator<Item = (i128, i128)> + '_ {
        let widen = move |half: i64| match half {
            FIRST => i128::from(i64::MIN) * 4 + parity,
            LAST => i128::from(i64::MAX) * 4 + parity,
            half => i128::from(half) * 2 + parity,
        };
        self.0.iter().map(move |run| (widen(run.0), widen(run.1)))
    }

    /// The runs as numbers, one longer at both ends.
    fn stretched(&self, parity: i128) -> impl Iterator<Item = (i128, i128)> + '_ {
        self.numbers(parity).map(|run| (run.0 - 1, run.1 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A condition built up in steps, beside what it means number by number.
    #[derive(Debug, Clone)]
    enum Built {
        Compare(Order, i64),
        Between(i64, i64),
        OneOf(Vec<i64>),
        Even,
        Odd,
        Not(Box<Built>),
        And(Box<Built>, Box<Built>),
        Or(Box<Built>, Box<Built>),
    }

    impl Built {
        fn condition(&self) -> Condition {
            match self {
                Built::Compare(order, n) => Condition::compare(*order, *n),
                Built::Between(low, high) => Condition::between(Some(*low), Some(*high)),
                Built::OneOf(numbers) => Condition::one_of(numbers),
                Built::Even => Condition::even(),
                Built::Odd => Condition::odd(),
                Built::Not(inner) => inner.condition().negated(),
                Built::And(left, right) => left.condition().and(&right.condition()),
                Built::Or(left, right) => left.condition().or(&right.condition()),
            }
        }

        fn holds(&self, x: i64) -> bool {
            match self {
                Built::Compare(order, n) => order.admits(x.cmp(n)),
                Built::Between(low, high) => (*low..=*high).contains(&x),
                Built::OneOf(numbers) => numbers.contains(&x),
                Built::Even => x.abs() % 2 == 0,
                Built::Odd => x.abs() % 2 == 1,
                Built::Not(inner) => !inner.holds(x),
                Built::And(left, right) => left.holds(x) && right.holds(x),
                Built::Or(left, right) => left.holds(x) || right.holds(x),
            }
        }
    }

    fn order() -> impl Strategy<Value = Order> {
        use Order::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        prop::sample::select(vec![Less, AtMost, Equal, Unequal, AtLeast, Greater])
    }

    fn built() -> impl Strategy<Value = Built> {
        let leaf = prop_oneof![
            (order(), -40..150_i64).prop_map(|(order, n)| Built::Compare(order, n)),
            (-40..150_i64, -40..150_i64).prop_map(|(low, high)| Built::Between(low, high)),
            prop::collection::vec(-40..150_i64, 0..4).prop_map(Built::OneOf),
            Just(Built::Even),
            Just(Built::Odd),
        ];
        leaf.prop_recursive(4, 24, 2, |inner| {
            prop_oneof![
                inner.clone().prop_map(|one| Built::Not(Box::new(one))),
                (inner.clone(), inner.clone()).prop_map(|(l, r)| Built::And(Box::new(l), Box::new(r))),
                (inner.clone(), inner).prop_map(|(l, r)| Built::Or(Box::new(l), Box::new(r))),
            ]
        })
    }

    proptest! {
        #[test]
        fn is_what_counting_says(built in built()) {
            let condition = built.condition();
            for x in -50..=200 {
                prop_assert_eq!(condition.holds(x), built.holds(x), "{} at {}", condition, x);
            }
        }

        #[test]
        fn intervals_cover_exactly_the_members(built in built()) {
            let condition = built.condition();
            let intervals = condition.intervals();
            for x in -50..=200 {
                let covering = intervals
                    .iter()
                    .filter(|interval| {
                        interval.low.is_none_or(|low| low <= x)
                            && interval.high.is_none_or(|high| x <= high)
                            && (interval.step == 1 || x.rem_euclid(2) == i64::from(interval.parity))
                    })
                    .count();
                prop_assert_eq!(covering, usize::from(condition.holds(x)), "{} at {}", condition, x);
            }
        }

        #[test]
        fn printing_and_parsing_gives_the_same(built in built()) {
            let condition = built.condition();
            prop_assert_eq!(condition.to_string().parse::<Condition>(), Ok(condition));
        }

        #[test]
        fn equal_sets_have_one_form(left in built(), right in built()) {
            let (left, right) = (left.condition(), right.condition());
            let neither = left.or(&right).negated();
            prop_assert_eq!(neither, left.negated().and(&right.negated()));
            prop_assert_eq!(left.negated().negated(), left);
        }

        #[test]
        fn any_text_is_a_predicate_or_an_error(text in ".{0,60}") {
            let _ = text.parse::<Condition>();
            let _ = text.parse::<crate::condition::Relation>();
            let _ = text.parse::<crate::condition::Choice>();
        }
    }

    #[test]
    fn the_ends_of_the_number_line_hold() {
        for n in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX] {
            for order in [
                Order::Less,
                Order::AtMost,
                Order::Equal,
                Order::AtLeast,
                Order::Greater,
            ] {
                let condition = Condition::compare(order, n);
                assert_eq!(
                    condition.holds(n),
                    order.admits(std::cmp::Ordering::Equal),
                    "{order:?} {n}"
                );
                let _ = (
                    condition.to_string(),
                    condition.intervals(),
                    condition.boundary_table(Domain::Value, 9),
                );
            }
        }
    }

    #[test]
    fn infinity_is_above_every_bound_and_has_no_parity() {
        let holds = |text: &str| text.parse::<Condition>().unwrap().holds_infinite();
        assert!(holds("x >= 3") && holds("x != 3") && holds("x == 1 or x > 9"));
        assert!(!holds("x == 3") && !holds("x <= 3") && !holds("x % 2 == 0") && !holds("x % 2 == 1"));
    }

    #[test]
    fn a_boundary_table_shows_each_bound_with_its_neighbours() {
        let at_least: Condition = "x >= 3".parse().unwrap();
        assert_eq!(
            at_least.boundary_table(Domain::Count, 9),
            [(2, false), (3, true), (4, true)]
        );
        let nothing: Condition = "x == 0".parse().unwrap();
        assert_eq!(nothing.boundary_table(Domain::Count, 9), [(0, true), (1, false)]);
        assert_eq!(
            nothing.boundary_table(Domain::Value, 9),
            [(-1, false), (0, true), (1, false)]
        );
        let below: Condition = "x <= -1".parse().unwrap();
        assert_eq!(below.boundary_table(Domain::Count, 9), [(0, false)]);
        let huge: Condition = format!("x >= {}", i64::MAX).parse().unwrap();
        assert_eq!(
            huge.boundary_table(Domain::Count, 9),
            [(i64::MAX - 1, false), (i64::MAX, true)]
        );
    }

    #[test]
    fn errors_say_where() {
        let error = "x >= ".parse::<Condition>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`x >= ` is no predicate: unexpected end at character 6, write one such as `x >= 2`"
        );
        assert!("(".repeat(3000).parse::<Condition>().is_err());
    }
}
