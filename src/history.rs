//! How did a rule come to be as it is? Two editions compared, and one rule followed through all of them.
//!
//! Rules are matched by their text, not by their number ([`crate::corpus::moves`]): of a pair of editions, first
//! what says the same under the same number, then what says the same under another one (moved), then the most
//! alike of what is left (edited, perhaps moved too). Typography and renumbered references are no change. The
//! words that changed come from the crate `similar`, over words as the library's dictionary cuts them.

use crate::corpus::editions::EditionOrder;
use crate::corpus::likeness::wording_key;
use crate::corpus::moves::{Rules, align};
use crate::corpus::{Damaged, Entries, as_rule, wording};
use crate::entry::{Entry, Lang, rule_id_prefix};
use crate::fold::fold_char;
use crate::name::Name;
use crate::segment::Cutter;
use std::collections::{BTreeMap, HashMap};

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
) -> Result<Vec<Edition>, Damaged> {
    let mut editions: BTreeMap<Name, BTreeMap<Name, Entry>> = BTreeMap::new();
    for (_, matches) in entries.with_prefix(&format!("id:{}", rule_id_prefix(game, document)), usize::MAX)? {
        for idx in matches {
            let entry = entries.entry(idx)?;
            let Some(edition) = entry.edition.get(lang) else {
                continue;
            };
            // A text lent to a newer edition of the other language stands in its own as well.
            if entry.lent == Some(lang) || wording(&entry, lang).is_empty() {
                continue;
            }
            let rules = editions.entry(edition.clone()).or_default();
            rules.entry(entry.id.clone()).or_insert(entry);
        }
    }
    let mut editions: Vec<Edition> = editions
        .into_iter()
        .map(|(name, rules)| Edition::new(name.into(), lang, rules.into_values().collect()))
        .collect();
    let order = EditionOrder::of(entries, game, document)?;
    editions.sort_by(|a, b| order.compare(&a.name, &b.name));
    Ok(editions)
}

/// The numbered entries of one edition with their texts in one language, in order of number.
#[derive(Debug)]
pub struct Edition {
    name: String,
    lang: Lang,
    rules: Vec<Entry>,
    by_id: HashMap<Name, usize>,
}

impl Edition {
    fn new(name: String, lang: Lang, mut rules: Vec<Entry>) -> Edition {
        rules.retain(|entry| entry.citation.is_some());
        rules.sort_by(|a, b| (&a.citation, a.kind).cmp(&(&b.citation, b.kind)));
        let by_id = rules
            .iter()
            .enumerate()
            .map(|(place, entry)| (entry.id.clone(), place))
            .collect();
        Edition {
            name,
            lang,
            rules,
            by_id,
        }
    }

    /// The name of the edition: a version or a date.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The numbers of its rules, in order.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(citation)
    }

    fn text(&self, place: usize) -> &str {
        wording(&self.rules[place], self.lang)
    }

    fn place(&self, at: usize) -> Place {
        Place {
            edition: self.name.clone(),
            citation: citation(&self.rules[at]).to_owned(),
        }
    }

    fn comparable(&self) -> Rules<'_> {
        let rules = self.rules.iter();
        Rules::new(rules.filter_map(|entry| as_rule(entry, self.lang)).collect())
    }
}

fn citation(entry: &Entry) -> &str {
    entry.citation.as_ref().map_or("", |number| number.as_str())
}

/// The number of each rule of the first of some editions, and the one that it has in the last, if it is still there.
pub fn places(span: &[&Edition]) -> Vec<(String, Option<String>)> {
    let (Some(old), Some(new)) = (span.first(), span.last()) else {
        return Vec::new();
    };
    let rules: Vec<Rules<'_>> = span.iter().map(|edition| edition.comparable()).collect();
    let to_new = align(&rules.iter().collect::<Vec<_>>());
    let number = |edition: &Edition, at: usize| citation(&edition.rules[at]).to_owned();
    let pairs = to_new.into_iter().enumerate();
    pairs
        .map(|(from, to)| (number(old, from), to.map(|to| number(new, to))))
        .collect()
}

/// What happened to each rule between the first and the last of some editions, in order of number; rules that did not
/// change are left out. The editions between help to follow what was reworded more than once.
///
/// Words are what `cut` makes of the texts.
pub fn diff(span: &[&Edition], cut: &Cutter<'_>) -> Vec<Change> {
    let (Some(old), Some(new)) = (span.first(), span.last()) else {
        return Vec::new();
    };
    let rules: Vec<Rules<'_>> = span.iter().map(|edition| edition.comparable()).collect();
    let to_new = align(&rules.iter().collect::<Vec<_>>());
    let mut to_old: Vec<Option<usize>> = vec![None; new.rules.len()];
    for (from, to) in to_new.iter().enumerate() {
        if let Some(to) = *to {
            to_old[to] = Some(from);
        }
    }
    let mut changes = Vec::new();
    for (from, to) in to_new.iter().enumerate() {
        match to {
            Some(to) => changes.extend(kept(old, from, new, *to, cut)),
            None => changes.push(lost(old, from, new, cut)),
        }
    }
    changes.extend(
        (0..new.rules.len())
            .filter(|to| to_old[*to].is_none())
            .map(|to| made(new, to, cut)),
    );
    let number = |change: &Change| change.citation().parse::<crate::citation::RuleNumber>().ok();
    changes.sort_by_key(|change| (number(change), change.what));
    changes
}

/// What happened to a rule that is in both editions; none when nothing did.
fn kept(old: &Edition, from: usize, new: &Edition, to: usize, cut: &Cutter<'_>) -> Option<Change> {
    let moved = old.rules[from].id != new.rules[to].id;
    let what = if moved { What::Moved } else { What::Edited };
    if !moved && wording_key(old.text(from)) == wording_key(new.text(to)) {
        return None;
    }
    let (before, after) = (Some(old.place(from)), Some(new.place(to)));
    let words = words(old.text(from), new.text(to), cut);
    Some(change(&new.rules[to], what, before, after, new.lang, words))
}

/// What happened to a rule that the newer edition no longer has.
fn lost(old: &Edition, from: usize, new: &Edition, cut: &Cutter<'_>) -> Change {
    let what = if new.by_id.contains_key(&old.rules[from].id) {
        What::Replaced
    } else {
        What::Gone
    };
    let words = words(old.text(from), "", cut);
    change(
        &old.rules[from],
        what,
        Some(old.place(from)),
        None,
        old.lang,
        words,
    )
}

/// What happened to a rule that the older edition did not have yet.
fn made(new: &Edition, to: usize, cut: &Cutter<'_>) -> Change {
    let words = words("", new.text(to), cut);
    change(
        &new.rules[to],
        What::Created,
        None,
        Some(new.place(to)),
        new.lang,
        words,
    )
}

fn change(
    rule: &Entry,
    what: What,
    from: Option<Place>,
    to: Option<Place>,
    lang: Lang,
    words: Vec<Words>,
) -> Change {
    Change {
        game: rule.game.to_string(),
        document: rule.document.to_string(),
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

/// Follows a rule through the editions: the one that is called `id` in that edition, or, where none is named, in the
/// newest that has that number, back to where it came from, and on to where it went when newer editions no longer have the number. None when no edition
/// has it.
///
/// Rules are matched as [`diff`] matches them, one pair of neighbouring editions after the other.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn history(
    entries: &dyn Entries,
    game: &str,
    document: &str,
    id: &str,
    named: Option<&str>,
    lang: Lang,
    cut: &Cutter<'_>,
) -> Result<Option<History>, Damaged> {
    let editions = editions(entries, game, document, lang)?;
    let Some((newest, start)) = editions
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, edition)| named.is_none_or(|named| named == edition.name))
        .find_map(|(at, edition)| Some((at, *edition.by_id.get(id)?)))
    else {
        return Ok(None);
    };
    let mut changes = Vec::new();
    let mut place = start;
    for pair in editions[newest..].windows(2) {
        let (old, new) = (&pair[0], &pair[1]);
        let Some(to) = align(&[&old.comparable(), &new.comparable()])[place] else {
            changes.push(lost(old, place, new, cut));
            break;
        };
        if let Some(change) = kept(old, place, new, to, cut) {
            changes.push(change);
        }
        place = to;
    }
    changes.reverse();
    let mut place = start;
    for at in (0..newest).rev() {
        let (old, new) = (&editions[at], &editions[at + 1]);
        let found = align(&[&old.comparable(), &new.comparable()]);
        let Some(from) = found.iter().position(|to| *to == Some(place)) else {
            changes.push(made(new, place, cut));
            return Ok(Some(History {
                changes,
                since: new.place(place),
            }));
        };
        if let Some(change) = kept(old, from, new, place, cut) {
            changes.push(change);
        }
        place = from;
    }
    Ok(editions.first().map(|oldest| History {
        changes,
        since: oldest.place(place),
    }))
}

/// What changed between two texts, word by word; `cut` says what a word is. Typography is no change: what is the same
/// is given as the newer text has it.
pub fn words(old: &str, new: &str, cut: &Cutter<'_>) -> Vec<Words> {
    compared(old, new, cut, false)
}

/// The same where typography is a change, too.
pub fn words_exactly(old: &str, new: &str, cut: &Cutter<'_>) -> Vec<Words> {
    compared(old, new, cut, true)
}

fn compared(old: &str, new: &str, cut: &Cutter<'_>, exactly: bool) -> Vec<Words> {
    let (old, new) = (cut(old), cut(new));
    let fold = |c: char| if exactly { c } else { fold_char(c) };
    let folded = |pieces: &[&str]| -> Vec<String> {
        let pieces = pieces.iter().map(|piece| piece.chars().map(fold).collect());
        pieces.collect()
    };
    // `or her` and `orher`
    let same_but_for_blanks = |a: &str, b: &str| {
        let letters = |text: &str| -> String {
            let letters = text.chars().filter(|c| !c.is_whitespace());
            letters.map(fold).collect()
        };
        !exactly && letters(a) == letters(b)
    };
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, &folded(&old), &folded(&new));
    let mut stretches: Vec<(String, String, String)> = Vec::new();
    for op in ops {
        let (tag, from, to) = op.as_tag_tuple();
        let (removed, added) = (old[from].concat(), new[to].concat());
        if tag != similar::DiffTag::Equal && !same_but_for_blanks(&removed, &added) {
            stretches.push((String::new(), removed, added));
            continue;
        }
        match stretches.last_mut() {
            Some((same, removed, changed)) if removed.is_empty() && changed.is_empty() => {
                same.push_str(&added)
            }
            _ => stretches.push((added, String::new(), String::new())),
        }
    }
    let mut words = Vec::new();
    let mut add = |stretch: Words| {
        if !matches!(&stretch, Words::Same(text) | Words::Old(text) | Words::New(text) if text.is_empty()) {
            words.push(stretch);
        }
    };
    let mut at = 0;
    while at < stretches.len() {
        let (same, mut removed, mut added) = std::mem::take(&mut stretches[at]);
        at += 1;
        add(Words::Same(same));
        // A mere blank between two changes does not part them.
        while !(removed.is_empty() && added.is_empty())
            && let Some([(between, _, _), (_, more_removed, more_added)]) = stretches.get(at..at + 2)
            && !between.is_empty()
            && between.chars().all(char::is_whitespace)
        {
            for (text, more) in [(&mut removed, more_removed), (&mut added, more_added)] {
                text.push_str(between);
                text.push_str(more);
            }
            at += 2;
        }
        add(Words::Old(removed));
        add(Words::New(added));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::entry::{Bilingual, Kind, SourceRef, rule_id};
    use crate::game::{Game, Games};
    use proptest::prelude::*;

    fn by_character() -> Cutter<'static> {
        Box::new(crate::segment::characters)
    }

    const DEMO: &str = "id = \"demo\"\nnames = { en = \"Demo\" }\n[[document]]\nid = \"cr\"\n\
                        numbering = { levels = [\"n\", \".n\", \"a\"], digits = [3, 3], chapter-size = 100 }";

    fn corpus(editions: &[(&str, &[(&str, &str)])]) -> Corpus {
        let games = Games::new([Game::from_toml(DEMO).unwrap()]);
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
                entry.edition = Bilingual::one(Lang::En, (*edition).into());
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
    fn a_blank_is_typography() {
        let texts = |text: &'static str| [("702.1", text)];
        let (old, new) = (
            texts("A player wins the game or loses it."),
            texts("A player winsthe game orloses it."),
        );
        let editions_of = corpus(&[("1", &old), ("2", &new)]);
        let read = editions(&editions_of, "demo", "cr", Lang::En).unwrap();
        assert_eq!(diff(&[&read[0], &read[1]], &by_character()), []);
        let cut: Cutter<'_> = Box::new(|text| text.split_inclusive(' ').collect());
        assert_eq!(
            words("wins the game now", "winsthe game then", &cut),
            [
                Words::Same("winsthe game ".to_owned()),
                Words::Old("now".to_owned()),
                Words::New("then".to_owned()),
            ]
        );
    }

    #[test]
    fn a_chapter_is_known_by_its_sections() {
        let edition = |name: &'static str, title: &'static str, edition: &'static str| {
            let mut chapter = Entry::new(
                "demo:rule:7",
                "demo",
                "cr",
                Kind::Chapter,
                SourceRef {
                    file: "a".into(),
                    line: 1,
                    lang: None,
                },
            );
            chapter.citation = "7".parse().ok();
            chapter.title = Bilingual::one(Lang::En, title.to_owned());
            let mut section = Entry::new(
                "demo:rule:702",
                "demo",
                "cr",
                Kind::Section,
                SourceRef {
                    file: "a".into(),
                    line: 2,
                    lang: None,
                },
            );
            section.citation = "702".parse().ok();
            section.title = Bilingual::one(Lang::En, name.to_owned());
            section.parent = Some("demo:rule:7".into());
            for entry in [&mut chapter, &mut section] {
                entry.edition = Bilingual::one(Lang::En, edition.into());
            }
            [chapter, section]
        };
        let games = Games::new([Game::from_toml(DEMO).unwrap()]);
        let entries = [
            edition("Keywords", "Further Matters", "1"),
            edition("Keywords", "Odds and Ends", "2"),
        ];
        let corpus = Corpus::build(entries.concat(), &games).0;
        let read = editions(&corpus, "demo", "cr", Lang::En).unwrap();
        let changes = diff(&[&read[0], &read[1]], &by_character());
        let said: Vec<_> = changes
            .iter()
            .map(|change| (change.citation(), change.what))
            .collect();
        assert_eq!(said, [("7", What::Edited)]);
    }

    #[test]
    fn moves_are_told_from_edits() {
        let corpus = editions_of_a_demo();
        let read = editions(&corpus, "demo", "cr", Lang::En).unwrap();
        let changes = diff(&[&read[0], &read[1]], &by_character());
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
        let followed = history(
            &corpus,
            "demo",
            "cr",
            "demo:rule:702.3",
            None,
            Lang::En,
            &by_character(),
        )
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
        let new = history(
            &corpus,
            "demo",
            "cr",
            "demo:rule:702.2",
            None,
            Lang::En,
            &by_character(),
        )
        .unwrap()
        .unwrap();
        assert_eq!(new.changes[0].what, What::Created);
        assert!(
            history(
                &corpus,
                "demo",
                "cr",
                "demo:rule:702.7",
                None,
                Lang::En,
                &by_character()
            )
            .unwrap()
            .is_none()
        );
        let editions = editions(&corpus, "demo", "cr", Lang::En).unwrap();
        let names: Vec<&str> = editions.iter().map(Edition::name).collect();
        assert_eq!(names, ["1", "2"]);
    }

    /// Each step of a history is a line of the comparison of those two editions, and each such line a step.
    fn histories_are_made_of_differences(corpus: &Corpus) {
        let cut = by_character();
        let editions = editions(corpus, "demo", "cr", Lang::En).unwrap();
        let mut lines: Vec<Change> = Vec::new();
        for pair in editions.windows(2) {
            lines.extend(diff(&[&pair[0], &pair[1]], &cut));
        }
        let mut told: Vec<Change> = Vec::new();
        let ids: std::collections::BTreeSet<&Name> = corpus.entries().iter().map(|entry| &entry.id).collect();
        for id in ids {
            let steps = history(corpus, "demo", "cr", id, None, Lang::En, &cut)
                .unwrap()
                .unwrap()
                .changes;
            for step in steps {
                assert!(lines.contains(&step), "{id}: {step:?}");
                told.push(step);
            }
        }
        let newest = editions.last().map(|edition| edition.name.clone());
        for line in lines {
            // What ends in an edition that is not the newest is told only where its number was not given again.
            let ends_now = line
                .to
                .as_ref()
                .is_some_and(|to| Some(&to.edition) == newest.as_ref());
            assert!(!ends_now || told.contains(&line), "{line:?}");
        }
    }

    #[test]
    fn differences_are_easy_to_read() {
        let shown = |old, new| {
            let stretches = words(old, new, &by_character()).into_iter();
            let shown = stretches.map(|words| match words {
                Words::Same(text) => text,
                Words::Old(text) => format!("[-{text}-]"),
                Words::New(text) => format!("{{+{text}+}}"),
            });
            shown.collect::<String>()
        };
        assert_eq!(
            shown("it changes zones before this", "it moves at last this"),
            "it [-changes zones before-]{+moves at last+} this"
        );
        assert_eq!(
            shown("a player's \"own\" card", "a player’s “own” cards"),
            "a player’s “own” [-card-]{+cards+}"
        );
        assert_eq!(shown("", "new"), "{+new+}");
    }

    proptest! {
        #[test]
        fn history_and_diff_agree(editions in proptest::collection::vec(proptest::collection::vec(0usize..9, 1..6), 2..5)) {
            const TEXTS: [&str; 9] = [
                "Flying lets a creature pass over all others.",
                "Flying lets a creature pass over most of the others.",
                "Haste lets a creature attack in the turn it comes.",
                "Haste lets a creature attack at once in the turn it comes under control.",
                "Banding is hard to explain to anybody.",
                "Reach blocks fliers.",
                "Shroud cannot be the target of anything at all.",
                "More than one is of no use.",
                "More than one is of no use.",
            ];
            const NUMBERS: [&str; 6] = ["702.1", "702.1a", "702.2", "702.2a", "702.2b", "702.3"];
            let rules: Vec<Vec<(&str, &str)>> = editions
                .iter()
                .map(|texts| NUMBERS.into_iter().zip(texts.iter().map(|text| TEXTS[*text])).collect())
                .collect();
            let names = ["1", "2", "3", "4"];
            let editions: Vec<(&str, &[(&str, &str)])> =
                names.into_iter().zip(rules.iter().map(Vec::as_slice)).collect();
            histories_are_made_of_differences(&corpus(&editions));
        }

        #[test]
        fn the_words_give_both_texts_back(old in "[a-c 甲乙，.]{0,20}", new in "[a-c 甲乙，.]{0,20}") {
            let (mut a, mut b) = (String::new(), String::new());
            for words in words(&old, &new, &by_character()) {
                match words {
                    Words::Same(text) => { a.push_str(&text); b.push_str(&text); }
                    Words::Old(text) => a.push_str(&text),
                    Words::New(text) => b.push_str(&text),
                }
            }
            let letters = |text: &str| -> String {
                text.chars().filter(|c| !c.is_whitespace()).map(fold_char).collect()
            };
            prop_assert_eq!(letters(&a), letters(&old));
            prop_assert_eq!(b, new);
        }
    }
}
