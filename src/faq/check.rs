//! What has changed of what a document quoted?
//!
//! A document's directives are answered anew, and each quote is compared with its lock, language by language. Where a rule
//! no longer says what was quoted, [`crate::history`] tells whether it was edited or its number is another rule's now; where
//! the edition that was quoted is not loaded any more, the words in the lock are matched with the rules as they are.

use super::Directive;
use super::lock::{Lock, Locked, Quote, Quoted};
use crate::citation::RuleNumber;
use crate::corpus::likeness::Matcher;
use crate::corpus::moves::{Rule, Rules, align};
use crate::corpus::{Damaged, Entries, Key};
use crate::entry::{Bilingual, DEFAULT_DOCUMENT, Entry, Kind, Lang, rule_id, rule_id_prefix};
use crate::history::{Edition, Words, editions, places, words, words_exactly};
use crate::lookup::{Miss, Reason};
use crate::segment::Cutter;
use std::collections::{HashMap, HashSet, VecDeque};

/// What is to be said of a quote or a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The words have changed.
    Edited,
    /// Quotes, dashes, case or width have changed, and no word.
    Typography,
    /// The rule has another number now, and no rule has the one that was quoted.
    Moved,
    /// The rule has another number now, and the one that was quoted is another rule's.
    ChangedMeaning,
    /// The rule is gone, and its number is another one's now.
    Replaced,
    /// It is no longer there.
    Gone,
    /// It is quoted as well now.
    Added,
    /// It is there, but the directive does not quote it any more.
    Dropped,
    /// The directive means several things.
    Ambiguous,
    /// The directive finds nothing.
    NotFound,
    /// The directive is not in the lock.
    Unlocked,
    /// There is no lock.
    NoLock,
}

impl What {
    /// A stable code.
    pub fn as_str(self) -> &'static str {
        match self {
            What::Edited => "edited",
            What::Typography => "typography",
            What::Moved => "moved",
            What::ChangedMeaning => "changed-meaning",
            What::Replaced => "replaced",
            What::Gone => "gone",
            What::Added => "added",
            What::Dropped => "dropped",
            What::Ambiguous => "ambiguous",
            What::NotFound => "not-found",
            What::Unlocked => "unlocked",
            What::NoLock => "no-lock",
        }
    }
}

/// Something that the author of a document should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The directive, as it prints; none for what is said of the whole document.
    pub directive: Option<String>,
    /// Which of the document's directives it is, from 0; none for what is said of the whole document.
    pub at: Option<usize>,
    /// The id of what was quoted; none where nothing was.
    pub id: Option<String>,
    /// What was asked for and is not there, or is there several times.
    pub input: Option<String>,
    /// What is to be said.
    pub what: What,
    /// The number of the rule now, where it has another; the id of what was reworded and has no number.
    pub now: Option<String>,
    /// The editions that were quoted.
    pub from: Bilingual<String>,
    /// The editions that would be quoted now.
    pub to: Bilingual<String>,
    /// What changed, in each language in which something did.
    pub words: Bilingual<Vec<Words>>,
    /// What is near what was not found, or what an ambiguous directive may mean.
    pub nearest: Vec<String>,
}

/// A directive, answered anew.
#[derive(Debug, Clone)]
pub struct Fresh<'d> {
    /// The directive.
    pub directive: &'d Directive,
    /// What it quotes now.
    pub quotes: Vec<Quote>,
    /// What it asks for and is not there.
    pub misses: Vec<Miss>,
    /// The games that have what it asks for, where it does not say which is meant and several have it.
    pub several_games: Vec<String>,
}

/// What has changed since a document was built, in the order of its directives.
///
/// Words are what `cut` makes of the texts. The id of a ruling or statement is made of its words, so that it has another
/// when it is reworded: `reworded` says what such a quote that is gone may be now.
///
/// # Errors
///
/// [`Damaged`] when entries cannot be read.
pub fn check(
    entries: &dyn Entries,
    cut: &Cutter<'_>,
    lock: Option<&Lock>,
    fresh: &[Fresh<'_>],
    reworded: &dyn Fn(&Quote) -> Vec<Quote>,
) -> Result<Vec<Finding>, Damaged> {
    let mut findings = Vec::new();
    if lock.is_none() && !fresh.is_empty() {
        findings.push(Finding::new(None, None, What::NoLock));
    }
    let empty = Lock::default();
    let mut unused: HashMap<&str, VecDeque<&Locked>> = HashMap::new();
    for locked in &lock.unwrap_or(&empty).directives {
        unused.entry(&locked.written).or_default().push_back(locked);
    }
    let mut checker = Checker {
        entries,
        cut,
        reworded,
        lock: lock.unwrap_or(&empty),
        editions: HashMap::new(),
        by_wording: HashMap::new(),
    };
    for (at, fresh) in fresh.iter().enumerate() {
        let written = fresh.directive.to_string();
        // One that stands there twice was locked twice.
        let locked = unused.get_mut(written.as_str()).and_then(VecDeque::pop_front);
        let n_before = findings.len();
        if let Some(locked) = locked {
            checker.compare(locked, fresh, &mut findings)?;
        } else if lock.is_some() {
            findings.push(Finding::new(None, None, What::Unlocked));
        }
        let lost = findings[n_before..].iter().any(Finding::is_lost);
        findings.extend(unanswered(fresh, lost));
        for finding in &mut findings[n_before..] {
            finding.directive = Some(written.clone());
            finding.at = Some(at);
        }
    }
    Ok(findings)
}

/// What a directive asks for and is not there, or is there several times. What was quoted and is `lost` has been said.
fn unanswered<'f>(fresh: &'f Fresh<'_>, lost: bool) -> impl Iterator<Item = Finding> + use<'f> {
    let several = (fresh.several_games.len() > 1).then(|| Finding {
        nearest: fresh.several_games.clone(),
        ..Finding::new(None, None, What::Ambiguous)
    });
    let misses = fresh.misses.iter().filter_map(move |miss| {
        let what = match miss.reason {
            Reason::AmbiguousId => What::Ambiguous,
            _ if lost => return None,
            _ => What::NotFound,
        };
        Some(Finding {
            input: Some(miss.input.clone()),
            nearest: miss.nearest.clone(),
            now: miss.moved_to.first().cloned(),
            ..Finding::new(None, None, what)
        })
    });
    several.into_iter().chain(misses)
}

impl Finding {
    fn new(id: Option<String>, quote: Option<&Quote>, what: What) -> Finding {
        Finding {
            directive: None,
            at: None,
            id,
            input: None,
            what,
            now: None,
            from: quote.map(editions_of).unwrap_or_default(),
            to: Bilingual::default(),
            words: Bilingual::default(),
            nearest: Vec::new(),
        }
    }

    /// True when what was quoted has no place under its id any more.
    fn is_lost(&self) -> bool {
        use What::{ChangedMeaning, Gone, Moved, Replaced};
        self.now.is_some() || matches!(self.what, Moved | ChangedMeaning | Gone | Replaced)
    }
}

fn editions_of(quote: &Quote) -> Bilingual<String> {
    let mut editions = Bilingual::default();
    for (lang, quoted) in quote.texts.iter() {
        *editions.get_mut(lang) = quoted.edition.clone();
    }
    editions
}

/// How alike two rulings are at least of which one is the other reworded: half of their words, by weight.
const REWORDED: f64 = 0.5;

/// Where the rule stands that was quoted under a number.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// Where it stood.
    Here,
    /// Under another number.
    At(String),
    /// Nowhere.
    Nowhere,
}

/// Where each rule of an older edition, or of a lock, stands now.
type Places = HashMap<String, Option<String>>;

struct Checker<'e> {
    entries: &'e dyn Entries,
    cut: &'e Cutter<'e>,
    reworded: &'e dyn Fn(&Quote) -> Vec<Quote>,
    lock: &'e Lock,
    /// From an edition of a game's document in a language to the newest: none where one of the two is not loaded.
    editions: HashMap<(String, String, Lang, String), Option<Places>>,
    /// From the words in the lock to the rules of a game's document in a language.
    by_wording: HashMap<(String, String, Lang), Places>,
}

impl Checker<'_> {
    /// Adds what is to be said of what a directive quoted and quotes now.
    fn compare(
        &mut self,
        locked: &Locked,
        fresh: &Fresh<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Damaged> {
        let pinned = fresh.directive.option("edition").is_some();
        let mut known: HashSet<String> = locked.quotes.iter().map(|quote| quote.id.clone()).collect();
        for old in &locked.quotes {
            let quoted = fresh.quotes.iter().find(|new| new.id == old.id);
            let there = match quoted {
                Some(new) => Some(new.clone()),
                None => self.current(&old.id)?,
            };
            let finding = match &there {
                Some(new) if changed(old, new).is_empty() => match quoted {
                    Some(_) => continue,
                    None => Finding {
                        to: editions_of(new),
                        ..Finding::new(Some(old.id.clone()), Some(old), What::Dropped)
                    },
                },
                _ => self.changed(old, there.as_ref(), pinned, &mut known)?,
            };
            findings.push(finding);
        }
        for new in fresh.quotes.iter().filter(|new| !known.contains(&new.id)) {
            findings.push(Finding {
                to: editions_of(new),
                ..Finding::new(Some(new.id.clone()), None, What::Added)
            });
        }
        Ok(())
    }

    /// What became of a quote that no longer says what it said. The id of the rule that it is now becomes `known`.
    fn changed(
        &mut self,
        old: &Quote,
        there: Option<&Quote>,
        pinned: bool,
        known: &mut HashSet<String>,
    ) -> Result<Finding, Damaged> {
        let place = match there {
            // Of an edition that the directive names, or with a text that is what it was, it is the same rule.
            Some(new) if pinned || changed(old, new).len() < old.texts.iter().count() => Place::Here,
            _ => self.place(old, there.is_some())?,
        };
        let mut finding = Finding::new(Some(old.id.clone()), Some(old), What::Edited);
        let mut now = there.cloned();
        match (place, there) {
            (Place::Here, Some(_)) => {}
            (Place::At(number), _) => {
                finding.what = match there {
                    Some(_) => What::ChangedMeaning,
                    None => What::Moved,
                };
                if let Some(id) = moved_id(&old.id, &number) {
                    now = self.current(&id)?;
                    known.insert(id);
                }
                finding.now = Some(number);
            }
            (_, Some(_)) => finding.what = What::Replaced,
            (_, None) => {
                finding.what = What::Gone;
                now = self.most_alike(old);
                if let Some(now) = &now {
                    finding.what = What::Edited;
                    finding.now = Some(now.id.clone());
                    known.insert(now.id.clone());
                }
            }
        }
        let now = now.as_ref();
        finding.to = now.map(editions_of).unwrap_or_default();
        let mut texts: Vec<(Lang, String, &str)> = Vec::new();
        for (lang, quoted) in old.texts.iter() {
            let new = now.and_then(|now| now.texts.get(lang));
            if new.is_some_and(|new| new.hash == quoted.hash) {
                continue;
            }
            if let Some(before) = self.words(&old.id, lang, quoted)? {
                texts.push((lang, before, new.and_then(Quoted::words).unwrap_or_default()));
            }
        }
        for (lang, before, after) in &texts {
            *finding.words.get_mut(*lang) = Some(words(before, after, self.cut));
        }
        let is_same = |words: &Vec<Words>| words.iter().all(|words| matches!(words, Words::Same(_)));
        let is_typography = !texts.is_empty() && finding.words.iter().all(|(_, words)| is_same(words));
        if finding.what == What::Edited && is_typography {
            finding.what = What::Typography;
            for (lang, before, after) in &texts {
                *finding.words.get_mut(*lang) = Some(words_exactly(before, after, self.cut));
            }
        }
        Ok(finding)
    }

    /// What a quote without a number, which is gone, says now: the most alike of what it may be, if it is alike enough.
    fn most_alike(&self, old: &Quote) -> Option<Quote> {
        if numbered(&old.id).is_some() {
            return None;
        }
        let mut best: Option<(f64, Quote)> = None;
        for new in (self.reworded)(old) {
            let likeness = old.texts.iter().filter_map(|(lang, quoted)| {
                let now = new.texts.get(lang)?.words()?;
                Some(Matcher::new([now]).likeness(0, quoted.words()?))
            });
            let likeness = likeness.fold(0.0, f64::max);
            if likeness >= REWORDED && best.as_ref().is_none_or(|(so_far, _)| likeness > *so_far) {
                best = Some((likeness, new));
            }
        }
        best.map(|(_, new)| new)
    }

    /// The entry that an id leads to today, as it would be quoted.
    fn current(&self, id: &str) -> Result<Option<Quote>, Damaged> {
        for idx in self.entries.find(&Key::Id(id).encode())? {
            if self.entries.is_current(idx)? {
                return Ok(Some(Quote::of(&self.entries.entry(idx)?)));
            }
        }
        Ok(None)
    }

    /// The words that were quoted: those in the lock, else those of the edition, where it is loaded.
    fn words(&self, id: &str, lang: Lang, quoted: &Quoted) -> Result<Option<String>, Damaged> {
        if let Some(words) = quoted.words() {
            return Ok(Some(words.to_owned()));
        }
        for idx in self.entries.find(&Key::Id(id).encode())? {
            let quote = Quote::of(&self.entries.entry(idx)?);
            if let Some(same) = quote.texts.get(lang).filter(|own| own.hash == quoted.hash) {
                return Ok(same.text.clone());
            }
        }
        Ok(None)
    }

    /// Where the rule stands that was quoted; `is_there` when its id still leads somewhere.
    fn place(&mut self, old: &Quote, is_there: bool) -> Result<Place, Damaged> {
        let unnumbered = if is_there { Place::Here } else { Place::Nowhere };
        let Some((game, document, number)) = numbered(&old.id) else {
            return Ok(unnumbered);
        };
        let named: Vec<(Lang, &str)> = old
            .texts
            .iter()
            .filter_map(|(lang, quoted)| Some((lang, quoted.edition.as_deref()?)))
            .collect();
        // A translation is late: what has become of its rule is then seen in the other language.
        let of_other = named.iter().map(|(lang, edition)| (lang.other(), *edition));
        let candidates: Vec<(Lang, &str)> = named.iter().copied().chain(of_other).collect();
        let mut found = None;
        for (lang, edition) in candidates {
            let key = (game.to_owned(), document.to_owned(), lang, edition.to_owned());
            if !self.editions.contains_key(&key) {
                let places = since(self.entries, game, document, lang, edition)?;
                self.editions.insert(key.clone(), places);
            }
            let places = self.editions.get(&key).and_then(Option::as_ref);
            if let Some(now) = places.and_then(|places| places.get(number.as_str())) {
                found = Some(now.clone());
                break;
            }
        }
        if found.is_none() {
            // What one language does not find, the other may.
            for (lang, _) in old.texts.iter() {
                let now = self.by_wording(game, document, lang, number.as_str())?;
                found = match (found, now) {
                    (None | Some(None), Some(Some(now))) => Some(Some(now)),
                    (found, now) => found.or(now),
                };
            }
        }
        // Where nothing tells, it is taken to be where it was.
        let Some(now) = found else {
            return Ok(unnumbered);
        };
        Ok(match now {
            Some(now) if now == number.as_str() => unnumbered,
            Some(now) => Place::At(now),
            None => Place::Nowhere,
        })
    }

    /// Where the rule stands whose words the lock holds under a number; none where it does not hold them.
    fn by_wording(
        &mut self,
        game: &str,
        document: &str,
        lang: Lang,
        number: &str,
    ) -> Result<Option<Option<String>>, Damaged> {
        let key = (game.to_owned(), document.to_owned(), lang);
        if !self.by_wording.contains_key(&key) {
            let places = matched(self.entries, self.lock, game, document, lang)?;
            self.by_wording.insert(key.clone(), places);
        }
        Ok(self.by_wording[&key].get(number).cloned())
    }
}

/// The languages in which a quote no longer says what it said.
fn changed(old: &Quote, new: &Quote) -> Vec<Lang> {
    let differs = |(lang, quoted): (Lang, &Quoted)| {
        let same = new.texts.get(lang).is_some_and(|now| now.hash == quoted.hash);
        (!same).then_some(lang)
    };
    old.texts.iter().filter_map(differs).collect()
}

/// The game, document and number of an id with a number.
fn numbered(id: &str) -> Option<(&str, &str, RuleNumber)> {
    let (game, rest) = id.split_once(':')?;
    let (document, number) = rest.split_once(':')?;
    let unnumbered = [Kind::Term, Kind::Ruling, Kind::Statement];
    if unnumbered.iter().any(|kind| kind.as_str() == document) {
        return None;
    }
    let document = if document == "rule" {
        DEFAULT_DOCUMENT
    } else {
        document
    };
    Some((game, document, number.parse().ok()?))
}

/// The id of the rule with another number of the same document.
fn moved_id(id: &str, number: &str) -> Option<String> {
    let (game, document, _) = numbered(id)?;
    Some(rule_id(game, document, &number.parse().ok()?))
}

/// Where the rules of an edition stand in the newest; none where there is no newer one, or it is not loaded.
fn since(
    entries: &dyn Entries,
    game: &str,
    document: &str,
    lang: Lang,
    edition: &str,
) -> Result<Option<Places>, Damaged> {
    let editions = editions(entries, game, document, lang)?;
    let from = editions.iter().position(|own| own.name() == edition);
    let span: Vec<&Edition> = match from {
        Some(from) if from + 1 < editions.len() => editions[from..].iter().collect(),
        _ => return Ok(None),
    };
    Ok(Some(places(&span).into_iter().collect()))
}

/// Rules in order of number, ready to be matched with others.
fn comparable(rules: &[(RuleNumber, Kind, String)]) -> Rules<'_> {
    let rules = rules.iter().map(|(number, kind, text)| Rule {
        number,
        kind: *kind,
        text,
        above: "",
    });
    Rules::new(rules.collect())
}

/// Where the rules of a document stand whose words a lock holds.
fn matched(
    entries: &dyn Entries,
    lock: &Lock,
    game: &str,
    document: &str,
    lang: Lang,
) -> Result<Places, Damaged> {
    let mut now: Vec<(RuleNumber, Kind, String)> = Vec::new();
    for (_, matches) in entries.with_prefix(&format!("id:{}", rule_id_prefix(game, document)), usize::MAX)? {
        for idx in matches {
            if !entries.is_current(idx)? {
                continue;
            }
            let entry: Entry = entries.entry(idx)?;
            let quote = Quote::of(&entry);
            let text = quote.texts.get(lang).and_then(Quoted::words).map(str::to_owned);
            now.extend(
                entry
                    .citation
                    .zip(text)
                    .map(|(number, text)| (number, entry.kind, text)),
            );
        }
    }
    let kind_of = |number: &RuleNumber| {
        let own = now.iter().find(|(other, _, _)| other == number);
        own.map_or(Kind::Rule, |(_, kind, _)| *kind)
    };
    let mut then: Vec<(RuleNumber, Kind, String)> = Vec::new();
    for quote in lock.directives.iter().flat_map(|locked| &locked.quotes) {
        let text = quote.texts.get(lang).and_then(Quoted::words);
        let (Some((own_game, own_document, number)), Some(text)) = (numbered(&quote.id), text) else {
            continue;
        };
        if (own_game, own_document) == (game, document) {
            let kind = kind_of(&number);
            then.push((number, kind, text.to_owned()));
        }
    }
    for list in [&mut now, &mut then] {
        list.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        list.dedup_by(|a, b| a.0 == b.0);
    }
    let places = align(&[&comparable(&then), &comparable(&now)]);
    let number = |at: usize| now.get(at).map(|(number, _, _)| number.to_string());
    let pairs = then.iter().zip(places);
    Ok(pairs
        .map(|((old, _, _), to)| (old.to_string(), to.and_then(number)))
        .collect())
}
