//! Which rule of one edition is which rule of another: by its text, not by its number.
//!
//! How alike two texts are, [`super::likeness`] says; [`align`] says what else counts.

use super::is_name;
use super::likeness::{Alike, Between, Matcher, Said, Wording};
use crate::citation::RuleNumber;
use crate::entry::Kind;
use crate::jobs;
use std::collections::HashMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;

/// Likeness from which two texts are taken for the same rule, edited.
pub const SAME_RULE: f64 = 0.5;

/// A rule as matching sees it.
#[derive(Debug, Clone, Copy)]
pub struct Rule<'t> {
    /// Its number.
    pub number: &'t RuleNumber,
    /// What it is: a section never becomes a rule.
    pub kind: Kind,
    /// What it says.
    pub text: &'t str,
    /// The number of what it stands below, where its own does not say so: a section's chapter. Empty where there is none.
    pub above: &'t str,
}

/// The rules of one edition in one language, ready to be compared with those of another.
#[derive(Debug, Default)]
pub struct Rules<'t> {
    rules: Vec<Rule<'t>>,
    keys: Vec<Said>,
    /// How many rules say what one says.
    n_with_key: HashMap<Said, usize>,
    by_number: HashMap<&'t str, usize>,
    parents: Vec<Option<usize>>,
    children: HashMap<Option<usize>, Vec<usize>>,
    /// The place of each among the rules below the same one.
    ranks: Vec<usize>,
    matcher: Matcher,
}

impl<'t> Rules<'t> {
    /// Takes rules in order of number; each is known by its place.
    pub fn new(rules: Vec<Rule<'t>>) -> Rules<'t> {
        let by_number: HashMap<&str, usize> = rules
            .iter()
            .enumerate()
            .map(|(at, rule)| (rule.number.as_str(), at))
            .collect();
        let parents: Vec<Option<usize>> = rules
            .iter()
            .map(|rule| {
                std::iter::successors(rule.number.parent(), RuleNumber::parent)
                    .find_map(|above| by_number.get(above.as_str()).copied())
            })
            .collect();
        let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut ranks = Vec::with_capacity(rules.len());
        for (at, parent) in parents.iter().enumerate() {
            let siblings = children.entry(*parent).or_default();
            ranks.push(siblings.len());
            siblings.push(at);
        }
        let mut keys: Vec<Said> = Vec::with_capacity(rules.len());
        let matcher = Matcher::of(rules.iter().map(|rule| {
            let Wording { said, stems } = Wording::of(rule.text);
            keys.push(said);
            stems
        }));
        let mut n_with_key: HashMap<Said, usize> = HashMap::new();
        for key in &keys {
            *n_with_key.entry(*key).or_default() += 1;
        }
        Rules {
            keys,
            n_with_key,
            matcher,
            by_number,
            parents,
            children,
            ranks,
            rules,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule right at the top that a rule stands below; itself where it stands below none.
    fn section(&self, at: usize) -> usize {
        std::iter::successors(Some(at), |at| self.parents[*at])
            .last()
            .unwrap_or(at)
    }

    /// The rule before (-1) or after (+1) a rule, below the same one.
    fn beside(&self, at: usize, step: isize) -> Option<usize> {
        let siblings = self.children.get(&self.parents[at])?;
        siblings.get(self.ranks[at].checked_add_signed(step)?).copied()
    }

    /// How like a rule is to a text.
    pub fn likeness(&self, at: usize, text: &str) -> f64 {
        self.matcher.likeness(at, text)
    }

    /// True when the rule at `to` of another edition says what the one at `at` says, but for typography and numbers.
    pub fn says_the_same(&self, at: usize, other: &Rules<'_>, to: usize) -> bool {
        self.keys[at] == other.keys[to]
    }

    /// True when no other rule of its edition says the same.
    fn is_alone(&self, at: usize) -> bool {
        self.n_with_key[&self.keys[at]] == 1
    }
}

/// Where each rule of the oldest of several editions, oldest first, stands in the newest; none for one that is no
/// longer there. No two stand at one place.
///
/// First what says the same under the same number. Then what is found step by step through the editions between: from
/// one to the next little changes, and two rules of one of them are never one. Then what says the same under another
/// number, and what is surely alike; then, below each rule that is known, what is left of its family, in its order, so
/// that the pairs are as alike as can be together; then the most alike of what is left: there a kept number counts, and
/// so does standing at the same place, below the same rule and between the same neighbours. What was found so far says
/// what the same place is, so that this is done in rounds. At last, what is the only one of the few left below a known
/// rule that is like another.
pub fn align(editions: &[&Rules<'_>]) -> Vec<Option<usize>> {
    let (Some(old), Some(new)) = (editions.first(), editions.last()) else {
        return Vec::new();
    };
    let mut matching = Matching {
        old,
        new,
        to_new: vec![None; old.len()],
        to_old: vec![None; new.len()],
        until: vec![0; old.len()],
        since: vec![1; new.len()],
        compared: HashMap::new(),
        likest: HashMap::new(),
        texts: Between::new(&old.matcher, &new.matcher),
    };
    matching.same_place();
    if editions.len() > 2 {
        let mut places: Vec<Option<usize>> = (0..old.len()).map(Some).collect();
        let mut since = vec![0; old.len()];
        for (at, step) in editions.windows(2).enumerate() {
            let next = align(step);
            let mut made = vec![at + 1; step[1].len()];
            for (from, to) in next.iter().enumerate() {
                if let Some(to) = *to {
                    made[to] = since[from];
                }
            }
            since = made;
            for (place, until) in places.iter_mut().zip(&mut matching.until) {
                *place = place.and_then(|at| next[at]);
                if place.is_some() {
                    *until = at + 1;
                }
            }
        }
        matching.since = since;
        for (from, to) in places.into_iter().enumerate() {
            if let Some(to) = to {
                matching.join(from, to);
            }
        }
    }
    matching.same_wording(Common::Later);
    matching.families(CERTAIN_IN_FAMILY);
    matching.alike(Common::Later, CERTAIN);
    matching.families(IN_FAMILY);
    matching.alike(Common::Later, SAME_RULE);
    matching.same_wording(Common::InOrder);
    matching.alike(Common::InOrder, SAME_RULE);
    matching.families(IN_FAMILY);
    matching.settle();
    matching.drop_mere_names();
    matching.chapters();
    matching.to_new
}

/// Where each rule of each edition, oldest edition first, stands in the newest, followed from one edition to the next.
///
/// For one that is lost on the way, the most alike in the newest edition, if it is alike enough: it may have come back,
/// or gone into another rule.
pub fn follow(editions: &[Rules<'_>], jobs: NonZeroUsize) -> Vec<Vec<Option<usize>>> {
    let Some(newest) = editions.last() else {
        return Vec::new();
    };
    let likest = |rules: &Rules<'_>, at: usize| {
        let text = rules.rules[at].text;
        let (place, likeness) = newest.matcher.best(text)?;
        // A heading is no text that could come back: it would be another one's.
        if is_name(text)
            && !(rules.says_the_same(at, newest, place) && rules.is_alone(at) && newest.is_alone(place))
        {
            return None;
        }
        (likeness >= SAME_RULE && newest.rules[place].kind == rules.rules[at].kind).then_some(place)
    };
    let mut followed = vec![(0..newest.len()).map(Some).collect::<Vec<_>>()];
    let step = || {
        |pair: &[Rules<'_>]| -> Vec<(Option<usize>, Option<usize>)> {
            let places = align(&[&pair[0], &pair[1]]).into_iter().enumerate();
            places
                .map(|(at, to)| (to, to.is_none().then(|| likest(&pair[0], at)).flatten()))
                .collect()
        }
    };
    let Ok(()) = jobs::in_order(jobs, editions.windows(2).rev(), step, |places| {
        let later = &followed[followed.len() - 1];
        let places = places.into_iter().map(|(to, likest)| match to {
            Some(to) => later[to],
            None => likest,
        });
        followed.push(places.collect());
        Ok::<(), Infallible>(())
    });
    followed.reverse();
    followed
}

/// How many of the most alike texts are weighed for each rule that is left.
const MOST_LIKE: usize = 4;

/// How often what is left is gone through with what was found before.
const ROUNDS: usize = 4;

/// What a kept number is worth beside likeness.
const KEPT_NUMBER: f64 = 0.1;

/// How much of a rule must still be there for it to have been added to rather than replaced.
const ADDED_TO: f64 = 0.75;

/// What it is worth, of one, that all of a rule is still there and not just that much.
const WHOLLY_HELD: f64 = 0.2;

/// Likeness below which what bears the number of a rule now is surely another.
const OTHER_HEAD: f64 = 0.3;

/// How much less the likeness of names is worth than that of texts, where nothing else speaks for it.
const OF_NAMES: f64 = 0.2;

/// How much less like a text is at most that is about as much like it.
const AS_MUCH: f64 = 0.05;

/// What it is worth to bear the same last part below a rule that is known to have moved.
const FOLLOWED: f64 = 0.2;

/// What it is worth to stand before or after the same neighbour, or below what bears the number now.
const BESIDE: f64 = 0.1;

/// What it is worth to stand between the same neighbours, or above the same rules.
const BETWEEN: f64 = 0.25;

/// Score from which two texts are taken for the same rule before anything is known of the rules around them.
const CERTAIN: f64 = 0.75;

/// Likeness from which texts below the same rule are taken for the same, in their order.
const IN_FAMILY: f64 = 0.35;

/// The same, before texts elsewhere are looked at.
const CERTAIN_IN_FAMILY: f64 = 0.7;

/// What a kept number is worth there: it decides between texts that are as alike.
const KEPT_IN_FAMILY: f64 = 0.02;

/// What a known pair is worth in a family: more than many that are alike.
const KNOWN: f64 = 8.0;

/// Likeness from which a rule is taken for the only one that is like it of what is left around it.
const ALONE: f64 = 0.33;

/// The same, where it stands below the same rule, between those that it stood between.
const ALONE_IN_ORDER: f64 = 0.22;

/// How many rules are left below another at most for one of them to be told by the others being less like.
const FEW: usize = 50;

/// By how much it must be more like it than the next.
const CLEARLY: f64 = 0.1;

/// What becomes of wordings that several rules have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Common {
    /// They wait until the rules above them are known.
    Later,
    /// They are paired, if need be in order.
    InOrder,
}

struct Matching<'m, 't> {
    old: &'m Rules<'t>,
    new: &'m Rules<'t>,
    to_new: Vec<Option<usize>>,
    to_old: Vec<Option<usize>>,
    /// Up to which edition each old rule was followed.
    until: Vec<usize>,
    /// Back to which edition each new rule was followed.
    since: Vec<usize>,
    /// What was found out about texts: it does not change from round to round.
    compared: HashMap<(usize, usize), Alike>,
    likest: HashMap<usize, Vec<usize>>,
    texts: Between<'m>,
}

impl Matching<'_, '_> {
    fn join(&mut self, from: usize, to: usize) -> bool {
        let free = self.to_new[from].is_none()
            && self.to_old[to].is_none()
            && self.old.rules[from].kind == self.new.rules[to].kind;
        if free {
            (self.to_new[from], self.to_old[to]) = (Some(to), Some(from));
        }
        free
    }

    /// True for two that can be one rule as far as kinds go and the editions between: no two rules of one of them are.
    fn can_be(&self, from: usize, to: usize) -> bool {
        self.old.rules[from].kind == self.new.rules[to].kind && self.until[from] < self.since[to]
    }

    fn same_number(&self, from: usize) -> Option<usize> {
        self.new
            .by_number
            .get(self.old.rules[from].number.as_str())
            .copied()
    }

    /// True for a wording that several rules have: which is which, only the rules above them can say.
    fn is_common(&self, from: usize) -> bool {
        let key = &self.old.keys[from];
        !self.old.is_alone(from) || self.new.n_with_key.get(key).is_some_and(|n| *n > 1)
    }

    /// The same wording under the same number.
    fn same_place(&mut self) {
        for from in 0..self.old.len() {
            if let Some(to) = self.same_number(from)
                && self.old.says_the_same(from, self.new, to)
                && (!self.is_common(from) || self.same_parent(from, to))
            {
                self.join(from, to);
            }
        }
    }

    /// The same wording under another number; of several, that below the same rule. Where the rules above are of no
    /// help, common wordings are left for later, or at last paired by number and in order.
    fn same_wording(&mut self, common: Common) {
        let (old, new) = (self.old, self.new);
        let mut places: HashMap<&Said, Vec<usize>> = HashMap::new();
        for (to, key) in new.keys.iter().enumerate() {
            if self.to_old[to].is_none() {
                places.entry(key).or_default().push(to);
            }
        }
        let left: Vec<usize> = (0..old.len())
            .filter(|&from| self.to_new[from].is_none())
            .collect();
        for from in left {
            let places = places.get(&old.keys[from]).map_or(&[][..], Vec::as_slice);
            let family = places.iter().filter(|&&to| self.same_parent(from, to));
            let mut wanted: Vec<usize> = family.copied().collect();
            if common == Common::InOrder || !self.is_common(from) {
                wanted.extend(self.same_number(from).filter(|to| places.contains(to)));
                // One of several headings that say `General` may be any of them.
                if !(self.is_common(from) && is_name(self.old.rules[from].text)) {
                    wanted.extend(places);
                }
            }
            // Numbers are no wording, and may be all that tells two rules apart: `Within layer 7`.
            wanted.sort_by_key(|to| old.rules[from].text != new.rules[*to].text);
            for to in wanted {
                if self.join(from, to) {
                    break;
                }
            }
        }
    }

    /// True when both stand below what is known to be the same rule.
    fn same_parent(&self, from: usize, to: usize) -> bool {
        match (self.old.parents[from], self.new.parents[to]) {
            (Some(above), Some(below)) => self.to_new[above] == Some(below),
            _ => false,
        }
    }

    /// True when what stands before (-1) or after (+1) both is known to be the same rule.
    fn same_neighbour(&self, from: usize, to: usize, step: isize) -> bool {
        match (self.old.beside(from, step), self.new.beside(to, step)) {
            (Some(old), Some(new)) => self.to_new[old] == Some(new),
            (None, None) => true,
            _ => false,
        }
    }

    /// What the place of a rule says for another place being its own, beside the likeness of the texts.
    fn support(&self, from: usize, to: usize) -> f64 {
        let mut support: f64 = 0.0;
        if self.same_number(from) == Some(to) {
            support = KEPT_NUMBER;
        }
        if self.same_parent(from, to) {
            let last = |number: &RuleNumber| number.parts().last();
            let same_part = last(self.old.rules[from].number) == last(self.new.rules[to].number);
            if same_part && self.same_number(from) != Some(to) {
                support = support.max(FOLLOWED);
            }
            let (before, after) = (
                self.same_neighbour(from, to, -1),
                self.same_neighbour(from, to, 1),
            );
            support = support.max(match (before, after) {
                (true, true) => BETWEEN,
                (false, false) => 0.0,
                _ => BESIDE,
            });
        }
        if self.above_the_same(from) == Some(to) {
            // A name may be changed altogether; what has a text is told by the text, too.
            support = support.max(if self.are_names(from, to) {
                SAME_RULE
            } else {
                BETWEEN
            });
        }
        support
    }

    /// True when both are mere names, such as titles.
    fn are_names(&self, from: usize, to: usize) -> bool {
        is_name(self.old.rules[from].text) && is_name(self.new.rules[to].text)
    }

    /// The rule of the same level that most of the rules below this one stand below now, if there is one.
    fn above_the_same(&self, from: usize) -> Option<usize> {
        let below = self.old.children.get(&Some(from))?;
        let level = self.old.rules[from].number.depth();
        let above = |to: usize| {
            let mut up = std::iter::successors(self.new.parents[to], |at| self.new.parents[*at]);
            up.find(|at| self.new.rules[*at].number.depth() == level)
        };
        let places: Vec<usize> = below
            .iter()
            .filter_map(|&child| above(self.to_new[child]?))
            .collect();
        let most = |wanted: &&usize| places.iter().filter(|place| place == wanted).count() * 2 > below.len();
        places.iter().find(most).copied()
    }

    /// The places that a rule's own place suggests.
    fn suggested(&self, from: usize) -> Vec<usize> {
        let mut places: Vec<usize> = self.same_number(from).into_iter().collect();
        if let Some(above) = self.old.parents[from].and_then(|above| self.to_new[above]) {
            let part = self.old.rules[from].number.parts().last();
            let below = self.new.children.get(&Some(above)).into_iter().flatten();
            places.extend(below.filter(|&&to| self.new.rules[to].number.parts().last() == part));
        }
        for step in [-1, 1] {
            let beside = self.old.beside(from, step).and_then(|beside| self.to_new[beside]);
            places.extend(beside.and_then(|beside| self.new.beside(beside, -step)));
        }
        places.extend(self.above_the_same(from));
        // What became a part of another rule of its number.
        let below = self
            .same_number(from)
            .and_then(|to| self.new.children.get(&Some(to)));
        places.extend(below.into_iter().flatten());
        places
    }

    /// How alike the texts of two rules are.
    fn alikeness(&mut self, from: usize, to: usize) -> Alike {
        let texts = &self.texts;
        *self
            .compared
            .entry((from, to))
            .or_insert_with(|| texts.alike(from, to))
    }

    /// How sure it is that one rule is the other: from [`SAME_RULE`] it is.
    fn score(&mut self, from: usize, to: usize) -> f64 {
        let mut likeness = self.likeness(from, to);
        let mut support = self.support(from, to);
        if self.is_part_of_its_number(from, to) {
            support = support.max(FOLLOWED);
            if self.same_section(from, to) {
                likeness = likeness.max(SAME_RULE / ADDED_TO * self.alikeness(from, to).kept_at_length);
            }
        }
        // Names have few words: what two of them share they share with others. So may a text that is as much like
        // another one.
        if support == 0.0 && (self.are_names(from, to) || self.is_like_others(from, to)) {
            likeness -= OF_NAMES;
        }
        likeness + support
    }

    /// What the texts say for one rule being the other.
    fn likeness(&mut self, from: usize, to: usize) -> f64 {
        let alike = self.alikeness(from, to);
        let mut likeness = alike.likeness;
        // A rule that kept its number and was only added to is edited, however much was added.
        if alike.kept >= ADDED_TO && self.same_number(from) == Some(to) {
            likeness = likeness.max(SAME_RULE - KEPT_NUMBER);
        }
        // Within a section something may have been added to a rule, or taken out of it and put elsewhere.
        if alike.held >= ADDED_TO && self.same_section(from, to) {
            likeness = likeness.max(SAME_RULE + (alike.held - ADDED_TO) * WHOLLY_HELD);
        }
        likeness
    }

    /// True for a rule below the one that bears the number now, where that one is another.
    fn is_part_of_its_number(&mut self, from: usize, to: usize) -> bool {
        self.same_number(from)
            .is_some_and(|head| self.new.parents[to] == Some(head) && self.likeness(from, head) < OTHER_HEAD)
    }

    fn same_section(&self, from: usize, to: usize) -> bool {
        self.to_new[self.old.section(from)] == Some(self.new.section(to))
    }

    /// The rules below what is known to be the same rule, or below one that some of them stand below now: in their
    /// order, so that they are as alike as can be together, down to a likeness of `least`.
    fn families(&mut self, least: f64) {
        let (old, new) = (self.old, self.new);
        for above in 0..old.len() {
            let Some(olds) = old.children.get(&Some(above)) else {
                continue;
            };
            if olds.iter().all(|&from| self.to_new[from].is_some()) {
                continue;
            }
            let places = olds.iter().filter_map(|&from| new.parents[self.to_new[from]?]);
            let mut places: Vec<usize> = self.to_new[above].into_iter().chain(places).collect();
            let mut seen = std::collections::HashSet::new();
            places.retain(|place| seen.insert(*place));
            for place in places {
                let news = new.children.get(&Some(place)).map_or(&[][..], Vec::as_slice);
                if news.iter().any(|&to| self.to_old[to].is_none()) {
                    self.family(olds, news, least);
                }
            }
        }
    }

    /// Pairs what is left of some rules, in order, with what is left of others.
    fn family(&mut self, olds: &[usize], news: &[usize], least: f64) {
        let width = news.len() + 1;
        // How alike the first of the old are to the first of the new together, at best.
        let mut best = vec![0.0_f64; (olds.len() + 1) * width];
        let mut values = vec![0.0_f64; olds.len() * news.len()];
        for (i, &from) in olds.iter().enumerate() {
            for (j, &to) in news.iter().enumerate() {
                let value = self.worth(from, to, least);
                values[i * news.len() + j] = value;
                let (skipped, pair) = (
                    best[i * width + j + 1].max(best[(i + 1) * width + j]),
                    best[i * width + j] + value,
                );
                best[(i + 1) * width + j + 1] = skipped.max(pair);
            }
        }
        let (mut i, mut j) = (olds.len(), news.len());
        while i > 0 && j > 0 {
            let here = best[i * width + j];
            if here <= best[(i - 1) * width + j] {
                i -= 1;
            } else if here <= best[i * width + j - 1] {
                j -= 1;
            } else {
                (i, j) = (i - 1, j - 1);
                if values[i * news.len() + j] > 0.0 {
                    self.join(olds[i], news[j]);
                }
            }
        }
    }

    /// What a pair is worth in a family: nothing where it cannot be, most where it is known.
    fn worth(&mut self, from: usize, to: usize, least: f64) -> f64 {
        match (self.to_new[from], self.to_old[to]) {
            (Some(known), _) if known == to => KNOWN,
            (None, None) if self.can_be(from, to) && !self.are_names(from, to) => {
                let likeness = self.likeness(from, to);
                let kept = self.same_number(from) == Some(to);
                if likeness + if kept { KEPT_NUMBER } else { 0.0 } < least {
                    return 0.0;
                }
                let kept = if kept { KEPT_IN_FAMILY } else { 0.0 };
                likeness - IN_FAMILY / 2.0 + kept
            }
            _ => 0.0,
        }
    }

    /// True when a rule is about as much like another one of the newer edition, found already or not.
    fn is_like_others(&mut self, from: usize, to: usize) -> bool {
        let others = self.likest(from);
        let mut likeness = |to| [self.alikeness(from, to).likeness, self.likeness(from, to)];
        let [words, all] = likeness(to);
        let mut others = others.into_iter().filter(|&other| other != to).map(likeness);
        others.any(|[other_words, other_all]| other_words > words - AS_MUCH && other_all > all - AS_MUCH)
    }

    /// The places of the most alike texts.
    fn likest(&mut self, from: usize) -> Vec<usize> {
        let texts = &self.texts;
        let places = self.likest.entry(from);
        places.or_insert_with(|| texts.likest(from, MOST_LIKE)).clone()
    }

    /// What is left below a rule that is known, where that is little: a rule there is taken for the one that it is most
    /// like of what is left there, though they are less alike than elsewhere, if no other comes near. So few texts are
    /// rarely alike by chance.
    fn settle(&mut self) {
        let (old, new) = (self.old, self.new);
        let mut left: HashMap<usize, Vec<usize>> = HashMap::new();
        for to in (0..new.len()).filter(|&to| self.to_old[to].is_none()) {
            for above in std::iter::successors(new.parents[to], |above| new.parents[*above]) {
                left.entry(above).or_default().push(to);
            }
        }
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for from in 0..old.len() {
            if self.to_new[from].is_some() {
                continue;
            }
            let above = old.parents[from].and_then(|above| self.to_new[above]);
            let Some(places) = above.and_then(|above| left.get(&above)) else {
                continue;
            };
            if places.len() > FEW {
                continue;
            }
            let mut there: Vec<(f64, usize)> = Vec::new();
            for &to in places {
                if self.can_be(from, to) {
                    there.push((self.alikeness(from, to).likeness, to));
                }
            }
            there.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let next = there.get(1).map_or(0.0, |(likeness, _)| *likeness);
            if let Some(&(likeness, to)) = there.first()
                && likeness - next >= CLEARLY
                && (likeness >= ALONE || likeness >= ALONE_IN_ORDER && self.in_order(from, to))
            {
                pairs.push((likeness, from, to));
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, from, to) in pairs {
            self.join(from, to);
        }
    }

    /// Takes apart headings under different numbers that are somewhat alike, where nothing that stood below the one stands
    /// below the other: `Deck` and `Deck Rules` of another chapter.
    fn drop_mere_names(&mut self) {
        for from in 0..self.old.len() {
            let Some(to) = self.to_new[from] else { continue };
            let is_another = self.same_number(from) != Some(to)
                && self.are_names(from, to)
                && !self.old.says_the_same(from, self.new, to);
            let Some(below) = self.old.children.get(&Some(from)).filter(|_| is_another) else {
                continue;
            };
            let stays = |child: &usize| {
                let mut above = std::iter::successors(self.to_new[*child], |at| self.new.parents[*at]);
                above.any(|at| at == to)
            };
            if !below.iter().any(stays) {
                (self.to_new[from], self.to_old[to]) = (None, None);
            }
        }
    }

    /// Takes what bears a chapter's number for the chapter, whatever it is called now, where most of its sections that are
    /// still there stand below that.
    fn chapters(&mut self) {
        for from in 0..self.old.len() {
            let Some(to) = self.same_number(from).filter(|to| self.can_be(from, *to)) else {
                continue;
            };
            if self.old.rules[from].kind != Kind::Chapter || self.to_new[from].is_some() {
                continue;
            }
            let number = self.old.rules[from].number.as_str();
            let below = (0..self.old.len()).filter(|at| self.old.rules[*at].above == number);
            let known: Vec<usize> = below.filter_map(|at| self.to_new[at]).collect();
            let stay = known.iter().filter(|at| self.new.rules[**at].above == number);
            if stay.count() * 2 > known.len() {
                self.join(from, to);
            }
        }
    }

    /// True when two rules are below the same one, and the nearest known rules before and after stand before and after
    /// both.
    fn in_order(&self, from: usize, to: usize) -> bool {
        let Some(siblings) = self.old.children.get(&self.old.parents[from]) else {
            return false;
        };
        let beside = |at: &usize| self.to_new[*at].filter(|&at| self.new.parents[at] == self.new.parents[to]);
        let (before, after) = siblings.split_at(self.old.ranks[from]);
        self.same_parent(from, to)
            && before
                .iter()
                .rev()
                .find_map(beside)
                .is_none_or(|before| before < to)
            && after.iter().find_map(beside).is_none_or(|after| to < after)
    }

    /// The most alike of what is left, best first, down to a score of `least`.
    fn alike(&mut self, common: Common, least: f64) {
        let old = self.old;
        let left: Vec<usize> = (0..old.len())
            .filter(|&from| self.to_new[from].is_none())
            .filter(|&from| common == Common::InOrder || !self.is_common(from))
            .collect();
        for _ in 0..ROUNDS {
            let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
            for &from in &left {
                if self.to_new[from].is_some() {
                    continue;
                }
                let mut places = self.suggested(from);
                places.extend(self.likest(from));
                places.retain(|&to| self.to_old[to].is_none() && self.can_be(from, to));
                places.sort_unstable();
                places.dedup();
                for to in places {
                    let score = self.score(from, to);
                    if score >= least {
                        pairs.push((score, from, to));
                    }
                }
            }
            pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            let mut found = false;
            for (_, from, to) in pairs {
                found |= self.join(from, to);
            }
            if !found {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(texts: &[(&str, &str)]) -> Vec<(RuleNumber, String)> {
        texts
            .iter()
            .map(|(number, text)| (number.parse().unwrap(), (*text).to_owned()))
            .collect()
    }

    fn rules(texts: &[(RuleNumber, String)]) -> Rules<'_> {
        let rules = texts.iter().map(|(number, text)| Rule {
            number,
            kind: if number.depth() == 1 {
                Kind::Section
            } else {
                Kind::Rule
            },
            text,
            above: "",
        });
        Rules::new(rules.collect())
    }

    #[track_caller]
    fn check(editions: &[&[(&str, &str)]], expected: &str) {
        let texts: Vec<_> = editions.iter().map(|texts| numbers(texts)).collect();
        let editions: Vec<Rules<'_>> = texts.iter().map(|texts| rules(texts)).collect();
        let (old, new) = (&editions[0], &editions[editions.len() - 1]);
        let places = align(&editions.iter().collect::<Vec<_>>());
        let said: Vec<String> = places
            .iter()
            .enumerate()
            .map(|(from, to)| {
                let to = to.map_or("-", |to| new.rules[to].number.as_str());
                format!("{}>{to}", old.rules[from].number)
            })
            .collect();
        assert_eq!(said.join(" "), expected);
    }

    #[test]
    fn a_family_stays_together() {
        // What several rules say alike is told apart by the rule above.
        check(
            &[
                &[
                    ("702", "Keyword Abilities"),
                    ("702.1", "Shadow"),
                    ("702.1a", "More than one on a creature is no use."),
                    ("702.2", "Fear"),
                    ("702.2a", "More than one on a creature is no use."),
                ],
                &[
                    ("702", "Keyword Abilities"),
                    ("702.1", "Fear"),
                    ("702.1a", "More than one on a creature is no use."),
                    ("702.2", "Banding"),
                    ("702.3", "Shadow"),
                    ("702.3a", "More than one on a creature is no use."),
                ],
            ],
            "702>702 702.1>702.3 702.1a>702.3a 702.2>702.1 702.2a>702.1a",
        );
    }

    #[test]
    fn a_reworded_rule_is_known_by_its_neighbours() {
        let old = &[
            ("114", "Targets"),
            ("114.1", "Some spells ask for targets as they are cast."),
            (
                "114.2",
                "What may have no targets has them only where some were chosen.",
            ),
            ("114.3", "The target of a copy is the target of its original."),
        ];
        let new = &[
            ("114", "Emblems"),
            ("114.1", "An emblem stands in the command zone."),
            ("115", "Targets"),
            ("115.1", "Some spells ask for targets as they are cast."),
            (
                "115.2",
                "Players choose whether there are no targets; it has them only where some were chosen.",
            ),
            ("115.3", "The target of a copy is the target of its original."),
        ];
        check(&[old, new], "114>115 114.1>115.1 114.2>115.2 114.3>115.3");
    }

    #[test]
    fn a_new_name_is_known_by_what_stands_below_it() {
        check(
            &[
                &[
                    ("308", "Tribes"),
                    ("308.1", "Each card of a tribe has another card type as well."),
                    ("308.2", "Its subtypes are single words."),
                ],
                &[
                    ("307", "Banners"),
                    ("308", "Kin"),
                    ("308.1", "Each card of a tribe has another card type as well."),
                    ("308.2", "Its subtypes are mostly single words."),
                ],
            ],
            "308>308 308.1>308.1 308.2>308.2",
        );
    }

    #[test]
    fn the_only_one_that_is_like_another_of_the_few_left() {
        let old = &[
            ("503", "Dawn Step"),
            (
                "503.1",
                "First, whatever waits for the dawn goes to the queue. (See rule 603, “Waiting.”)",
            ),
            (
                "503.2",
                "Second, the player whose turn it is gets the move and may act at will.",
            ),
            ("507", "Dusk Step"),
            ("507.1", "Lamps are lit by whoever has one."),
        ];
        let new = &[
            ("503", "Dawn Step"),
            (
                "503.1",
                "There is nothing to do here before the player whose turn it is gets the move.",
            ),
            (
                "503.1a",
                "Whatever waited for the dawn is put in the queue first, in an order of no consequence.",
            ),
            ("507", "Dusk Step"),
            ("507.1", "Lamps are lit by whoever has one."),
            (
                "507.2",
                "Banners may be raised in whichever street a herald has walked.",
            ),
        ];
        check(
            &[old, new],
            "503>503 503.1>503.1a 503.2>503.1 507>507 507.1>507.1",
        );
        // Nothing is like it: it is gone, and the new one is new.
        let other = &[
            ("503", "Dawn Step"),
            (
                "503.1",
                "Banners may be raised in whichever street a herald has walked.",
            ),
        ];
        check(&[&old[..2], other], "503>503 503.1>-");
    }

    #[test]
    fn editions_between_lead_on() {
        let first = &[("1.1", "alpha beta gamma delta epsilon zeta.")];
        let second = &[("1.2", "alpha beta gamma delta eta theta.")];
        let third = &[
            ("1.3", "alpha beta iota kappa eta theta."),
            ("1.1", "lambda mu nu xi."),
        ];
        check(&[first, third], "1.1>-");
        check(&[first, second, third], "1.1>1.3");
    }

    #[test]
    fn a_family_keeps_its_order() {
        // The letter says one thing, the order of all of them another.
        let old = &[
            ("117", "Costs"),
            ("117.7", "What is paid may be lowered by effects."),
            (
                "117.7a",
                "If it is lowered by red mana that it lacks, it falls by generic mana.",
            ),
            (
                "117.7b",
                "If it is lowered by more red mana than it has, its red part is gone.",
            ),
        ];
        let new = &[
            ("117", "Costs"),
            ("117.7", "What is paid may be lowered by effects."),
            (
                "117.7a",
                "What lowers it by generic mana lowers its generic part only.",
            ),
            (
                "117.7b",
                "If it is lowered by red mana that is not in it, it falls by that much generic mana.",
            ),
            (
                "117.7c",
                "If it is lowered by more red mana than is in it, its red part is gone.",
            ),
        ];
        check(&[old, new], "117>117 117.7>117.7 117.7a>117.7b 117.7b>117.7c");
    }

    #[test]
    fn what_differs_in_a_number_is_told_apart_by_it() {
        let old = &[
            ("613", "Layers"),
            ("613.1", "There are seven layers."),
            (
                "613.3",
                "Within layer 7, effects wait for those of its first part.",
            ),
        ];
        let new = &[
            ("613", "Layers"),
            ("613.1", "There are seven layers."),
            (
                "613.2",
                "Within layer 1, effects wait for those of its first part.",
            ),
            (
                "613.4",
                "Within layer 7, effects wait for those of its first part.",
            ),
        ];
        check(&[old, new], "613>613 613.1>613.1 613.3>613.4");
    }

    #[test]
    fn a_rule_becomes_a_part_of_what_bears_its_number() {
        let old = &[
            ("510", "Dusk Step"),
            (
                "510.3",
                "Whatever waited for the lamps to be lit goes to the queue of the herald.",
            ),
        ];
        let new = &[
            ("510", "Dusk Step"),
            ("510.3", "The player whose turn it is gets the move."),
            (
                "510.3a",
                "Whatever waited for the lamps to be lit or for the banners that are raised afterwards is put in the \
                 queue of the herald before anybody gets the move, in an order of no consequence.",
            ),
        ];
        check(&[old, new], "510>510 510.3>510.3a");
    }

    #[test]
    fn two_rules_of_an_edition_between_are_never_one() {
        let first = &[
            ("701", "Proliferate"),
            (
                "701.1",
                "Choose any of the lamps and trim each of them once more.",
            ),
            (
                "701.2",
                "If a lamp has several wicks, the player who trims it chooses which wick.",
            ),
        ];
        let second = &[
            ("701", "Proliferate"),
            (
                "701.1",
                "Choose any of the lamps and trim each of them once more.",
            ),
            (
                "701.2",
                "If a lamp has several wicks, the player who trims it chooses which wick.",
            ),
            (
                "701.3",
                "If a team has several lamps, the player who trims one chooses which lamp.",
            ),
        ];
        let third = &[
            ("701", "Proliferate"),
            (
                "701.1",
                "Choose any of the lamps and trim each of them once more.",
            ),
            (
                "701.2",
                "If a team has several lamps, the player who trims one chooses which lamp.",
            ),
        ];
        check(&[first, third], "701>701 701.1>701.1 701.2>701.2");
        check(&[first, second, third], "701>701 701.1>701.1 701.2>-");
    }
}
