//! How did a rule come to be as it is? Two editions compared, and one rule followed through all of them.
//!
//! Rules are matched by their text, not by their number ([`crate::corpus::moves`]): of a pair of editions, first
//! what says the same under the same number, then what says the same under another one (moved), then the most
//! alike of what is left (edited, perhaps moved too). Typography and renumbered references are no change. The
//! words that changed come from the crate `similar`, over Latin words, figures and single Han characters.

use crate::corpus::moves::{Matcher, SAME_RULE, wording_key};
use crate::corpus::{Damaged, Entries, compare_editions};
use crate::entry::{Entry, Kind, Lang, rule_id_prefix};
use crate::fold::is_han;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What happened to a rule between two editions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// It is new, under a new number.
    Created,
    /// Its text changed.
    Edited,
    /// It has another number; its text may have changed too.
    Moved,
    /// It is no longer there, and neither is its number.
    Gone,
    /// It is no longer there, and its number means another rule now.
    Replaced,
}

impl What {
    /// Every kind of change.
    pub const ALL: [What; 5] = [
        What::Created,
        What::Edited,
        What::Moved,
        What::Gone,
        What::Replaced,
    ];

    /// The word that is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            What::Created => "created",
            What::Edited => "edited",
            What::Moved => "moved",
            What::Gone => "gone",
            What::Replaced => "replaced",
        }
    }
}

/// A stretch of a word-level difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// In both texts.
    Same(String),
    /// In the older text only.
    Old(String),
    /// In the newer text only.
    New(String),
}

/// A rule in one edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The edition.
    pub edition: String,
    /// The number there.
    pub citation: String,
}

/// What happened to one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The game's id.
    pub game: String,
    /// The document's id.
    pub document: String,
    /// What happened.
    pub what: What,
    /// Where it was; none for a new rule.
    pub from: Option<Place>,
    /// Where it is; none for one that is gone.
    pub to: Option<Place>,
    /// The language of the texts compared.
    pub lang: Lang,
    /// What changed in its text; one stretch when nothing did.
    pub words: Vec<Words>,
}

impl Change {
    /// The number to call it by: where it is, else where it was.
    pub fn citation(&self) -> &str {
        self.to
            .as_ref()
            .or(self.from.as_ref())
            .map_or("", |place| &place.citation)
    }
}

/// Every edition of a document that has texts in a language, oldest first.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn editions(
    entries: &dyn Entries,
    game: &str,
    document: &str,
    lang: Lang,
) -> Result<Vec<String>, Damaged> {
    let mut editions = BTreeSet::new();
    for (_, matches) in entries.with_prefix(&format!("id:{}", rule_id_prefix(game, document)), usize::MAX)? {
        for idx in matches {
            editions.extend(entries.entry(idx)?.edition.get(lang).cloned());
        }
    }
    let mut editions: Vec<String> = editions.into_iter().collect();
    editions.sort_by(|a, b| compare_editions(a, b));
    Ok(editions)
}

/// The numbered entries of one edition with their texts in one language, in order of number.
#[derive(Debug, Default)]
pub struct Edition {
    name: String,
    lang: Option<Lang>,
    rules: Vec<Entry>,
    by_id: HashMap<String, usize>,
}

impl Edition {
    /// Reads an edition.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when entries cannot be read.
    pub fn read(
        entries: &dyn Entries,
        game: &str,
        document: &str,
        name: &str,
        lang: Lang,
    ) -> Result<Edition, Damaged> {
        let mut rules = Vec::new();
        for (_, matches) in
            entries.with_prefix(&format!("id:{}", rule_id_prefix(game, document)), usize::MAX)?
        {
            for idx in matches {
                let entry = entries.entry(idx)?;
                if entry.edition.get(lang).is_some_and(|edition| edition == name)
                    && !text(&entry, lang).is_empty()
                {
                    rules.push(entry);
                    break;
                }
            }
        }
        rules.sort_by(|a, b| (&a.citation, a.kind).cmp(&(&b.citation, b.kind)));
        let by_id = rules
            .iter()
            .enumerate()
            .map(|(place, entry)| (entry.id.clone(), place))
            .collect();
        Ok(Edition {
            name: name.to_owned(),
            lang: Some(lang),
            rules,
            by_id,
        })
    }

    fn lang(&self) -> Lang {
        self.lang.unwrap_or(Lang::En)
    }

    fn text(&self, place: usize) -> &str {
        text(&self.rules[place], self.lang())
    }

    /// The rule that a rule stands below, where the edition has it.
    fn parent(&self, at: usize) -> Option<usize> {
        self.by_id.get(self.rules[at].parent.as_ref()?).copied()
    }

    /// The rules right below a rule.
    fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        let below = self.rules[at].children.iter();
        below.filter_map(|id| self.by_id.get(id).copied())
    }

    fn place(&self, at: usize) -> Place {
        Place {
            edition: self.name.clone(),
            citation: citation(&self.rules[at]).to_owned(),
        }
    }

    fn matcher(&self) -> Matcher {
        Matcher::new((0..self.rules.len()).map(|place| self.text(place)))
    }
}

fn text(entry: &Entry, lang: Lang) -> &str {
    entry
        .text
        .get(lang)
        .or(entry.title.get(lang))
        .map_or("", String::as_str)
}

fn citation(entry: &Entry) -> &str {
    entry.citation.as_ref().map_or("", |number| number.as_str())
}

/// What happened to each rule between two editions, in order of number; rules that did not change are left out.
pub fn diff(old: &Edition, new: &Edition) -> Vec<Change> {
    let lang = new.lang();
    let old_keys: Vec<String> = (0..old.rules.len())
        .map(|place| wording_key(old.text(place)))
        .collect();
    let new_keys: Vec<String> = (0..new.rules.len())
        .map(|place| wording_key(new.text(place)))
        .collect();
    let mut to_new: Vec<Option<usize>> = vec![None; old.rules.len()];
    let mut to_old: Vec<Option<usize>> = vec![None; new.rules.len()];
    let mut join = |from: usize, to: usize| {
        let free = to_new[from].is_none() && to_old[to].is_none();
        if free {
            (to_new[from], to_old[to]) = (Some(to), Some(from));
        }
        free
    };
    // The same wording under the same number.
    for (from, rule) in old.rules.iter().enumerate() {
        if let Some(&to) = new
            .by_id
            .get(&rule.id)
            .filter(|&&to| new_keys[to] == old_keys[from])
        {
            join(from, to);
        }
    }
    // The same wording under another number; of several, in order. A mere word says too little.
    let mut free: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (to, key) in new_keys.iter().enumerate().rev() {
        free.entry(key).or_default().push(to);
    }
    for (from, key) in old_keys.iter().enumerate() {
        let places = free.get(key.as_str()).map_or(&[][..], Vec::as_slice);
        for &to in places.iter().rev() {
            if old.rules[from].kind == new.rules[to].kind && join(from, to) {
                break;
            }
        }
    }
    // The most alike of what is left, best first; a rule keeps its number where two are as good.
    let (old_matcher, matcher) = (old.matcher(), new.matcher());
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (from, rule) in old
        .rules
        .iter()
        .enumerate()
        .filter(|(from, _)| to_new[*from].is_none())
    {
        let same_number = new.by_id.get(&rule.id).copied();
        let likest = matcher
            .best_of(old.text(from), MOST_LIKE)
            .into_iter()
            .map(|(to, _)| to);
        // Below a rule that moved word for word, its subrule of the same letter.
        let followed = old
            .parent(from)
            .and_then(|above| to_new[above])
            .and_then(|above| {
                let part = rule.citation.as_ref()?.parts().last()?;
                new.children(above).find(|to| {
                    new.rules[*to]
                        .citation
                        .as_ref()
                        .and_then(|number| number.parts().last())
                        == Some(part)
                })
            });
        let followed = followed.filter(|to| Some(*to) != same_number);
        for to in same_number
            .into_iter()
            .chain(followed)
            .chain(likest.filter(|to| Some(*to) != same_number && Some(*to) != followed))
        {
            let mut likeness = matcher.likeness(to, old.text(from));
            // A rule that kept its number and was only added to is edited, however much was added.
            if Some(to) == same_number && old_matcher.kept(from, new.text(to)) >= ADDED_TO {
                likeness = likeness.max(SAME_RULE - KEPT_NUMBER);
            }
            let kept = match Some(to) {
                to if to == same_number => KEPT_NUMBER,
                to if to == followed => FOLLOWED,
                _ => 0.0,
            };
            if likeness + kept >= SAME_RULE && new.rules[to].kind == rule.kind {
                pairs.push((likeness + kept, from, to));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, from, to) in pairs {
        if to_new[from].is_none() && to_old[to].is_none() {
            (to_new[from], to_old[to]) = (Some(to), Some(from));
        }
    }
    let mut changes = Vec::new();
    for (from, to) in to_new.iter().enumerate() {
        let Some(to) = *to else {
            let what = if new.by_id.contains_key(&old.rules[from].id) {
                What::Replaced
            } else {
                What::Gone
            };
            changes.push(change(
                &old.rules[from],
                what,
                Some(old.place(from)),
                None,
                lang,
                words(old.text(from), ""),
            ));
            continue;
        };
        let moved = old.rules[from].id != new.rules[to].id;
        if moved || old_keys[from] != new_keys[to] {
            let what = if moved { What::Moved } else { What::Edited };
            let words = words(old.text(from), new.text(to));
            changes.push(change(
                &new.rules[to],
                what,
                Some(old.place(from)),
                Some(new.place(to)),
                lang,
                words,
            ));
        }
    }
    for to in (0..new.rules.len()).filter(|to| to_old[*to].is_none()) {
        let words = words("", new.text(to));
        changes.push(change(
            &new.rules[to],
            What::Created,
            None,
            Some(new.place(to)),
            lang,
            words,
        ));
    }
    let number = |change: &Change| change.citation().parse::<crate::citation::RuleNumber>().ok();
    changes.sort_by_key(|change| (number(change), change.what));
    changes
}

/// How many of the most alike texts are weighed for each rule that is left.
const MOST_LIKE: usize = 4;

/// What a kept number is worth beside likeness.
const KEPT_NUMBER: f64 = 0.1;

/// How much of a rule must still be there for it to have been added to rather than replaced.
const ADDED_TO: f64 = 0.75;

/// What it is worth to stand at the same place below a rule that is known to have moved.
const FOLLOWED: f64 = 0.2;

fn change(
    rule: &Entry,
    what: What,
    from: Option<Place>,
    to: Option<Place>,
    lang: Lang,
    words: Vec<Words>,
) -> Change {
    Change {
        game: rule.game.clone(),
        document: rule.document.clone(),
        what,
        from,
        to,
        lang,
        words,
    }
}

/// A rule's way through the editions that are loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// Its changes, newest first.
    pub changes: Vec<Change>,
    /// The oldest edition that it was followed to, and its number there. When that is the oldest edition loaded,
    /// nothing says when the rule was made.
    pub since: Place,
}

/// Follows the rule that is called `id` in the newest edition that has it back through the editions; none when no
/// edition has it.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn history(
    entries: &dyn Entries,
    game: &str,
    document: &str,
    id: &str,
    lang: Lang,
) -> Result<Option<History>, Damaged> {
    let names = editions(entries, game, document, lang)?;
    let mut changes = Vec::new();
    let mut newer: Option<(Edition, usize)> = None;
    let mut without: Option<Edition> = None;
    for name in names.iter().rev() {
        let edition = Edition::read(entries, game, document, name, lang)?;
        let Some((after, place)) = &newer else {
            // Not there yet in what was read so far: the newest edition that has the number starts.
            match edition.by_id.get(id).copied() {
                Some(place) => {
                    if without.is_some() {
                        let words = words(edition.text(place), "");
                        let from = Some(edition.place(place));
                        changes.push(change(&edition.rules[place], What::Gone, from, None, lang, words));
                    }
                    newer = Some((edition, place));
                }
                None => without = Some(edition),
            }
            continue;
        };
        let rule = &after.rules[*place];
        let Some(before) = counterpart(after, *place, &edition) else {
            let words = words("", after.text(*place));
            changes.push(change(
                rule,
                What::Created,
                None,
                Some(after.place(*place)),
                lang,
                words,
            ));
            return Ok(Some(History {
                changes,
                since: after.place(*place),
            }));
        };
        let moved = edition.rules[before].id != rule.id;
        let (old, new) = (edition.text(before), after.text(*place));
        if moved || wording_key(old) != wording_key(new) {
            let what = if moved { What::Moved } else { What::Edited };
            let (from, to) = (edition.place(before), after.place(*place));
            changes.push(change(rule, what, Some(from), Some(to), lang, words(old, new)));
        }
        newer = Some((edition, before));
    }
    Ok(newer.map(|(oldest, place)| History {
        changes,
        since: oldest.place(place),
    }))
}

/// Where the rule at a place of a newer edition stands in an older one.
fn counterpart(newer: &Edition, place: usize, older: &Edition) -> Option<usize> {
    let rule = &newer.rules[place];
    let text = newer.text(place);
    let key = wording_key(text);
    let same_number = older.by_id.get(&rule.id).copied();
    if same_number.is_some_and(|at| wording_key(older.text(at)) == key) {
        return same_number;
    }
    let matcher = older.matcher();
    let same_kind = |at: usize| older.rules[at].kind == rule.kind || rule.kind == Kind::Rule;
    let here = same_number.map(|at| (at, matcher.likeness(at, text) + KEPT_NUMBER));
    let elsewhere = matcher.best(text).filter(|(at, _)| same_kind(*at));
    let best = match (here, elsewhere) {
        (Some(here), Some(elsewhere)) => Some(if here.1 >= elsewhere.1 { here } else { elsewhere }),
        (here, elsewhere) => here.or(elsewhere),
    };
    best.filter(|(_, likeness)| *likeness >= SAME_RULE)
        .map(|(at, _)| at)
}

/// What changed between two texts, word by word; a Han character is a word.
pub fn words(old: &str, new: &str) -> Vec<Words> {
    let (old, new) = (tokens(old), tokens(new));
    let mut stretches = Vec::new();
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new);
    for op in ops {
        let (tag, from, to) = op.as_tag_tuple();
        let (removed, added) = (old[from].concat(), new[to].concat());
        match tag {
            similar::DiffTag::Equal => stretches.push(Words::Same(removed)),
            _ => {
                stretches
                    .extend(Some(Words::Old(removed)).filter(|words| *words != Words::Old(String::new())));
                stretches.extend(Some(Words::New(added)).filter(|words| *words != Words::New(String::new())));
            }
        }
    }
    stretches
}

/// A text as words, figures, single Han characters and what stands between them; joined they are the text.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let kind = |c: char| match c {
        _ if is_han(c) => 0,
        _ if c.is_alphanumeric() => 1,
        _ => 2,
    };
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|before| kind(before) != kind(c) || kind(c) != 1) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(c);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::entry::{Bilingual, SourceRef, rule_id};
    use crate::game::{Game, Games};
    use proptest::prelude::*;

    fn corpus(editions: &[(&str, &[(&str, &str)])]) -> Corpus {
        let demo = "id = \"demo\"\nnames = { en = \"Demo\" }\n[[document]]\nid = \"cr\"\n\
                    numbering = { levels = [\"n\", \".n\", \"a\"], digits = [3, 3], chapter-size = 100 }";
        let games = Games::new([Game::from_toml(demo).unwrap()]);
        let mut entries = Vec::new();
        for (edition, rules) in editions {
            for (number, text) in *rules {
                let number = number.parse().unwrap();
                let source = SourceRef {
                    file: "a".into(),
                    line: 1,
                    lang: None,
                };
                let mut entry = Entry::new(rule_id("demo", "cr", &number), "demo", "cr", Kind::Rule, source);
                entry.citation = Some(number);
                entry.text = Bilingual::one(Lang::En, (*text).to_owned());
                entry.edition = Bilingual::one(Lang::En, (*edition).to_owned());
                entries.push(entry);
            }
        }
        Corpus::build(entries, &games).0
    }

    fn editions_of_a_demo() -> Corpus {
        corpus(&[
            (
                "1",
                &[
                    ("702.1", "Flying lets a creature pass over all others."),
                    ("702.2", "Haste lets a creature attack in the turn it comes."),
                    ("702.3", "Banding is hard to explain to anybody."),
                    ("702.4", "Reach blocks fliers. See rule 702.1."),
                    ("702.5", "Shroud cannot be the target of anything at all."),
                ],
            ),
            (
                "2",
                &[
                    ("702.1", "Flying lets a creature pass over all others."),
                    ("702.2", "Amplify puts counters on what enters."),
                    ("702.3", "Haste lets a creature attack in the turn it comes."),
                    ("702.4", "Reach blocks fliers. See rule 702.9."),
                    ("702.5", "Shroud cannot be the target of anything you do at all."),
                ],
            ),
        ])
    }

    #[test]
    fn moves_are_told_from_edits() {
        let corpus = editions_of_a_demo();
        let read = |name| Edition::read(&corpus, "demo", "cr", name, Lang::En).unwrap();
        let changes = diff(&read("1"), &read("2"));
        let short: Vec<String> = changes
            .iter()
            .map(|change| {
                let at =
                    |place: &Option<Place>| place.as_ref().map_or("-", |place| &place.citation).to_owned();
                format!("{} {}>{}", change.what.as_str(), at(&change.from), at(&change.to))
            })
            .collect();
        assert_eq!(
            short,
            [
                "created ->702.2",
                "moved 702.2>702.3",
                "replaced 702.3>-",
                "edited 702.5>702.5"
            ]
        );
        assert!(
            changes[3].words.contains(&Words::New("you do ".into())),
            "{:?}",
            changes[3].words
        );
    }

    #[test]
    fn a_rule_is_followed_back() {
        let corpus = editions_of_a_demo();
        let followed = history(&corpus, "demo", "cr", "demo:rule:702.3", Lang::En)
            .unwrap()
            .unwrap();
        let steps = followed.changes;
        let what: Vec<What> = steps.iter().map(|change| change.what).collect();
        assert_eq!(what, [What::Moved]);
        assert_eq!(
            followed.since,
            Place {
                edition: "1".into(),
                citation: "702.2".into()
            }
        );
        let new = history(&corpus, "demo", "cr", "demo:rule:702.2", Lang::En)
            .unwrap()
            .unwrap();
        assert_eq!(new.changes[0].what, What::Created);
        assert!(
            history(&corpus, "demo", "cr", "demo:rule:702.7", Lang::En)
                .unwrap()
                .is_none()
        );
        assert_eq!(editions(&corpus, "demo", "cr", Lang::En).unwrap(), ["1", "2"]);
    }

    proptest! {
        #[test]
        fn the_words_give_both_texts_back(old in "[a-c 甲乙，.]{0,20}", new in "[a-c 甲乙，.]{0,20}") {
            let (mut a, mut b) = (String::new(), String::new());
            for words in words(&old, &new) {
                match words {
                    Words::Same(text) => { a.push_str(&text); b.push_str(&text); }
                    Words::Old(text) => a.push_str(&text),
                    Words::New(text) => b.push_str(&text),
                }
            }
            prop_assert_eq!(a, old);
            prop_assert_eq!(b, new);
        }
    }
}
