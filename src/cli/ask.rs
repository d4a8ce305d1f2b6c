//! A request and its answer as values, shared by the commands and by `batch`.

use super::Failure;
use crate::card::Card;
use crate::corpus::editions::edition_called;
use crate::corpus::{Damaged, Entries, Heading, Key, cards};
use crate::diagnostic::Diagnostic;
use crate::entry::{Entry, Kind, Lang, ProvenanceClass};
use crate::evaluate::{self, Question, Verdict, calc};
use crate::fold::fold_key;
use crate::game::{Game, Games};
use crate::index::{Expansion, Hit, Index, Matched};
use crate::library::{Cut, Library, LibraryError, Loaded, Need, Notice, Opened, StatusRow};
use crate::lookup::cards::Fit;
use crate::lookup::{self, Answer, Citing, Extent, Found, Line, Miss, Mode};
use crate::name::Name;
use crate::query::{Filters, Search, SourceFilter, Within};
use crate::render::json;
use crate::render::text::in_language;
use serde_json::{Map, Value};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What to look for and how, whoever asks.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The words, condition or operation.
    pub text: String,
    /// Games, by name until it is [settled](Asker::settled) and then by id; empty for all.
    pub games: Vec<String>,
    /// The one language to show.
    pub lang: Option<Lang>,
    /// The document.
    pub document: Option<String>,
    /// The edition.
    pub edition: Option<String>,
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Who words it.
    pub sources: Vec<String>,
    /// Cards.
    pub cards: Vec<String>,
    /// The earliest date.
    pub since: Option<String>,
    /// The latest date.
    pub until: Option<String>,
    /// Where to search.
    pub within: Option<String>,
    /// How many hits.
    pub limit: Option<usize>,
    /// How many to leave out.
    pub offset: usize,
    /// The characters as typed.
    pub exact: bool,
    /// Where the hits of a search match, for who shows it.
    pub marks: bool,
    /// Without subrules.
    pub only: bool,
    /// Everything below.
    pub tree: bool,
    /// Neighbours.
    pub context: usize,
    /// Steps of cited rules.
    pub expand: usize,
    /// Who cites it.
    pub refs: bool,
    /// How a search came by its hits.
    pub explain: bool,
    /// For a condition, the value to check.
    pub value: Option<String>,
    /// For a condition, what is counted.
    pub noun: Option<String>,
    /// For an operation, its input.
    pub input: Option<Map<String, Value>>,
}

/// Entries above an entry whose names are looked for.
const MAX_DEPTH: usize = 8;

/// Cards that are named where none is called so.
const MAX_NEAREST: usize = 8;

/// Hits shown where the request does not say how many.
const DEFAULT_LIMIT: usize = 10;

/// What was typed, cut behind each `@edition`: `702.19b@2022-06-10 702.19c@12.7` asks in two editions. Several ids stay
/// together, since each says its edition itself.
pub fn by_edition(text: &str) -> Vec<(String, Option<String>)> {
    let mut asked = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let n_words = text.split_whitespace().count();
    for word in text.split_whitespace() {
        let at = word.rsplit_once(['@', '＠']).map(|(what, edition)| {
            (
                what,
                edition.trim_end_matches([',', ';', '.', '，', '；', '。', '、']),
            )
        });
        let is_edition = |edition: &str| edition.bytes().any(|b| b.is_ascii_digit());
        match at {
            Some((what, edition))
                if !what.is_empty()
                    && is_edition(edition)
                    && (n_words == 1 || what.matches(':').count() < 2) =>
            {
                words.push(what);
                asked.push((words.join(" "), Some(edition.to_owned())));
                words.clear();
            }
            _ => words.push(word),
        }
    }
    if asked.is_empty() {
        return vec![(text.to_owned(), None)];
    }
    if !words.is_empty() {
        asked.push((words.join(" "), None));
    }
    asked
}

/// A date that stands beside numbers, and what stands beside it: `704.5a (2024-06-07)`. None where there are several.
fn dated(text: &str) -> Option<(String, String)> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let is_date = |word: &&str| {
        let word = word.trim_matches(is_mark);
        word.len() == 10 && word.parse::<jiff::civil::Date>().is_ok()
    };
    let mut dates = text.split_whitespace().filter(is_date);
    let (date, None) = (dates.next()?, dates.next()) else {
        return None;
    };
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_date(word)).collect();
    let rest = words.join(" ");
    let has_number = rest.bytes().any(|byte| byte.is_ascii_digit());
    has_number.then(|| (rest, date.trim_matches(is_mark).to_owned()))
}

/// Why a request could not be answered. Always exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The library could not be used.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The request itself is wrong.
    #[error("{message}")]
    Usage {
        /// A stable code.
        code: &'static str,
        /// What was found.
        message: String,
        /// What to do.
        hint: Option<String>,
    },
}

impl AskError {
    /// A fault of the request.
    pub fn usage(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        AskError::Usage {
            code,
            message: message.into(),
            hint: Some(hint.into()),
        }
    }

    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            AskError::Library(error) => error.code(),
            AskError::Usage { code, .. } => code,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            AskError::Library(error) => error.hint(),
            AskError::Usage { hint, .. } => hint.as_deref(),
        }
    }
}

impl From<Damaged> for AskError {
    fn from(error: Damaged) -> Self {
        AskError::Library(error.into())
    }
}

/// What was found.
#[derive(Debug)]
pub enum Reply {
    /// Entries by number, name or id.
    Show(Answer),
    /// Cards, with their rulings.
    Cards(CardAnswer),
    /// Hits of a search.
    Search {
        /// The hits, best first.
        hits: Vec<Hit>,
        /// How many there are in all.
        total: usize,
        /// Rank of the first, from 1.
        first_rank: usize,
        /// Microseconds.
        took_us: u64,
        /// What else was looked up, where that was asked for.
        expansions: Option<Vec<Expansion>>,
        /// What was looked up beside words that hardly a text has.
        respelt: Vec<Expansion>,
    },
    /// A numeric verdict, with the entries that decide it where they are loaded.
    Verdict(Box<Verdict>, Vec<Entry>),
    /// The answer to another numeric question.
    Calc(Box<calc::Calc>),
}

/// The cards that a name means.
#[derive(Debug, Default)]
pub struct CardAnswer {
    /// How their names fit; none when none does.
    pub fit: Option<Fit>,
    /// Each with its rulings.
    pub cards: Vec<(Card, Vec<Found>)>,
    /// Names of others, which fit less well.
    pub others: Vec<String>,
    /// Why there is none.
    pub misses: Vec<Miss>,
}

impl Reply {
    /// 0 found or yes, 1 nothing or no, 3 undecided.
    pub fn code(&self) -> u8 {
        match self {
            Reply::Show(answer) => u8::from(!answer.is_complete()),
            Reply::Cards(answer) => u8::from(answer.cards.is_empty()),
            Reply::Search { total, .. } => u8::from(*total == 0),
            Reply::Verdict(verdict, _) => match (verdict.status, verdict.holds) {
                (evaluate::Status::Undecided, _) => 3,
                (_, Some(false)) => 1,
                // A value was asked about and it is not settled whether it may be chosen.
                (_, None) if verdict.value.is_some() => 3,
                _ => 0,
            },
            Reply::Calc(outcome) => {
                if outcome.result.is_some() {
                    0
                } else {
                    3
                }
            }
        }
    }

    /// True when what was asked for is there in another edition.
    pub fn is_of_other_editions(&self) -> bool {
        matches!(self, Reply::Show(answer) if answer.is_of_other_editions())
    }

    /// The objects that programs read.
    pub fn objects(&self) -> Vec<json::Object<'_>> {
        use json::Object;
        match self {
            Reply::Show(answer) => {
                let object = |line| match line {
                    Line::Found(found) => Object::Entry(Box::new(json::EntryObject::of(found))),
                    Line::Miss(miss) => Object::Miss(json::MissObject::of(miss)),
                };
                answer.in_order().map(object).collect()
            }
            Reply::Cards(answer) => {
                let fit = answer.fit.unwrap_or(Fit::Name);
                let cards = answer.cards.iter().flat_map(|(card, rulings)| {
                    let rulings = rulings
                        .iter()
                        .map(|found| Object::Entry(Box::new(json::EntryObject::of(found))));
                    std::iter::once(Object::Card(Box::new(json::CardObject::of(card, fit)))).chain(rulings)
                });
                let misses = answer
                    .misses
                    .iter()
                    .map(|miss| Object::Miss(json::MissObject::of(miss)));
                cards.chain(misses).collect()
            }
            Reply::Search {
                hits,
                total,
                first_rank,
                took_us,
                expansions,
                respelt,
            } => {
                let ranked = hits.iter().zip(*first_rank..);
                let objects = ranked.map(|(hit, rank)| Object::Hit(Box::new(hit_object(hit, rank))));
                let summary = Object::Summary(json::SummaryObject::new(
                    *total,
                    hits.len(),
                    *took_us,
                    expansions.as_deref(),
                    respelt,
                ));
                objects.chain([summary]).collect()
            }
            Reply::Verdict(verdict, _) => vec![Object::Verdict(Box::new(json::VerdictObject::of(verdict)))],
            Reply::Calc(outcome) => vec![Object::Calc(json::CalcObject::of(outcome))],
        }
    }
}

/// The id of the entry that an id leads to today. Damage is put aside: a rule that cannot be read is not one that
/// is not there.
fn current_id(id: &str, entries: &dyn Entries, damaged: &OnceCell<Damaged>) -> Option<String> {
    let find = || -> Result<Option<String>, Damaged> {
        for idx in entries.find(&Key::Id(id).encode())? {
            if entries.is_current(idx)? {
                return Ok(Some(entries.entry(idx)?.id.into()));
            }
        }
        Ok(None)
    };
    find().unwrap_or_else(|error| {
        let _ = damaged.set(error);
        None
    })
}

/// The damage that was put aside, if any.
fn sound(damaged: OnceCell<Damaged>) -> Result<(), Damaged> {
    damaged.into_inner().map_or(Ok(()), Err)
}

/// The wire object of a hit.
fn hit_object(hit: &Hit, rank: usize) -> json::HitObject<'_> {
    json::HitObject {
        schema: json::SCHEMA,
        r#type: "hit",
        fields: json::EntryFields::of(&hit.entry),
        rank,
        score: hit.score,
        highlights: hit
            .highlights
            .iter()
            .map(|mark| json::HighlightObject {
                field: mark.field,
                item: Some(mark.item),
                lang: mark.lang,
                byte: [mark.byte.start, mark.byte.end],
                char: [mark.char.start, mark.char.end],
            })
            .collect(),
        matched: hit.matched.as_str(),
    }
}

/// Answers requests from one library, opened when first needed.
pub struct Asker {
    library: Library,
    lookup: OnceCell<Opened>,
    search: OnceCell<Opened>,
    /// What was built again when one of those was found to be damaged.
    repaired: OnceCell<Opened>,
}

impl Asker {
    /// Answers from that library.
    pub fn new(library: Library) -> Self {
        Self {
            library,
            lookup: OnceCell::new(),
            search: OnceCell::new(),
            repaired: OnceCell::new(),
        }
    }

    /// Asks; where that comes upon damage in the index, builds it again, once, and asks anew, so that an answer is
    /// never made of two indexes.
    ///
    /// # Errors
    ///
    /// Those of `ask`, and [`LibraryError`] when the index cannot be built again.
    pub fn repairing<T>(&self, ask: impl Fn() -> Result<T, AskError>) -> Result<T, AskError> {
        match ask() {
            Err(AskError::Library(LibraryError::Damaged(damaged))) if self.repaired.get().is_none() => {
                let _ = self.repaired.set(self.library.repair(damaged)?);
                ask()
            }
            done => done,
        }
    }

    /// The library, open for that need.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] when it cannot be opened.
    pub fn opened(&self, need: Need) -> Result<&Opened, LibraryError> {
        // What serves a search serves a lookup.
        if let Some(opened) = self.repaired.get().or(self.search.get()) {
            return Ok(opened);
        }
        let cell = match need {
            Need::Lookup => &self.lookup,
            Need::Search => &self.search,
        };
        if cell.get().is_none() {
            let opened = self.library.open(need)?;
            let _ = cell.set(opened);
        }
        cell.get().ok_or(LibraryError::NoPlace)
    }

    /// Whether the files of an answer have changed, where that was not looked at when the library was opened.
    pub fn changes(&self, reply: &Reply) -> Option<Notice> {
        let games = match reply {
            Reply::Show(answer) if answer.is_complete() => {
                let mut games: Vec<Name> = answer
                    .found
                    .iter()
                    .map(|found| found.entry.game.clone())
                    .collect();
                games.dedup();
                Some(games)
            }
            _ => None,
        };
        let opened = self.search.get().or(self.lookup.get())?;
        if self.repaired.get().is_some() || opened.notices.contains(&Notice::Stale) {
            return None;
        }
        self.library.changes(opened, games.as_deref())
    }

    /// What a person should know of the libraries that were opened.
    pub fn notices(&self) -> Vec<Notice> {
        let opened = [&self.lookup, &self.search, &self.repaired];
        let opened = opened.into_iter().filter_map(OnceCell::get);
        let mut notices: Vec<Notice> = opened.flat_map(|opened| opened.notices.clone()).collect();
        notices.dedup();
        notices
    }

    /// The texts of these games, or of all, that are cut. What an answer does not find may be in what they lack.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read.
    pub fn cuts(&self, games: &[&str]) -> Result<Vec<Cut>, AskError> {
        let mut cuts = self.repairing(|| Ok(self.opened(Need::Lookup)?.cuts()?))?;
        cuts.retain(|cut| games.is_empty() || games.contains(&cut.game.as_str()));
        Ok(cuts)
    }

    /// What went wrong while an index had to be built for an answer.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let opened = [&self.lookup, &self.search, &self.repaired];
        let opened = opened.into_iter().filter_map(OnceCell::get);
        opened
            .flat_map(|opened| &opened.report)
            .flat_map(|report| &report.diagnostics)
    }

    /// A request with its games and its document by id. Where neither it nor its words name a game, `usual_game` is
    /// meant.
    ///
    /// # Errors
    ///
    /// [`AskError::Usage`] when there is no such game or document.
    pub fn settled(&self, mut request: Request, usual_game: Option<&str>) -> Result<Request, AskError> {
        if let Some(game) = usual_game
            && request.games.is_empty()
            && !self.names_game(&request.text)?
        {
            request.games.push(game.to_owned());
        }
        if request.games != [ANY_GAME] {
            request.games = self.games(&request.games)?;
        }
        request.document = self.document(&request.games, request.document.as_deref())?;
        Ok(request)
    }

    /// The ids of the games that a request names.
    ///
    /// # Errors
    ///
    /// [`AskError::Usage`] when there is no such game.
    fn games(&self, names: &[String]) -> Result<Vec<String>, AskError> {
        // Without any, what a search needs is not opened for a lookup first.
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let opened = self.opened(Need::Lookup)?;
        names
            .iter()
            .map(|name| find_game(&opened.games, name).map(|game| game.id.clone()))
            .collect()
    }

    /// True when the words name a game among other things: then no other game is meant, whatever the settings say.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read.
    fn names_game(&self, text: &str) -> Result<bool, AskError> {
        Ok(lookup::take_game(text, &self.opened(Need::Lookup)?.games)
            .0
            .is_some())
    }

    /// The id of the document that is called so, in one of these games, or, where none is named, in one that is loaded.
    ///
    /// # Errors
    ///
    /// [`AskError::Usage`] with the documents that there are when none is called so.
    pub fn document(&self, games: &[String], name: Option<&str>) -> Result<Option<String>, AskError> {
        let Some(name) = name else {
            return Ok(None);
        };
        let opened = self.opened(Need::Lookup)?;
        let of_all = games.is_empty() || games == [ANY_GAME];
        let candidates: Vec<&Game> = match of_all {
            true => lookup::loaded_games(opened.loaded.entries(), &opened.games)?,
            false => games.iter().filter_map(|id| opened.games.get(id)).collect(),
        };
        if let Some(document) = candidates.iter().find_map(|game| game.document_called(name)) {
            return Ok(Some(document.id.clone()));
        }
        // A library may hold documents that no game describes.
        let (report, _) = self.library.status()?;
        let rows = report
            .rows
            .iter()
            .filter(|row| of_all || games.contains(&row.game));
        let loaded: Vec<(&str, &str)> = rows
            .map(|row| (row.game.as_str(), row.document.as_str()))
            .collect();
        let mut called = loaded.iter().filter(|(_, id)| id.eq_ignore_ascii_case(name));
        if let Some((_, id)) = called.next() {
            return Ok(Some((*id).to_owned()));
        }
        let described = candidates.iter().flat_map(|game| {
            let ids = game.documents.iter().map(|document| document.id.as_str());
            ids.map(|id| (game.id.as_str(), id))
        });
        let mut known: Vec<(&str, &str)> = loaded.iter().copied().chain(described).collect();
        known.sort_unstable();
        known.dedup();
        let slips = |id: &str| strsim::osa_distance(id, &name.to_lowercase());
        let nearest = known.iter().map(|(_, id)| *id).min_by_key(|id| slips(id));
        let nearest = nearest.filter(|id| slips(id) <= 1 + id.len() / 4);
        let nearest = nearest
            .map(|id| format!("did you mean `{id}`? "))
            .unwrap_or_default();
        let known: Vec<String> = known.iter().map(|(game, id)| format!("{game} {id}")).collect();
        Err(AskError::usage(
            "no-such-document",
            format!("there is no document `{name}`"),
            format!("{nearest}known: {}", known.join(", ")),
        ))
    }

    /// Entries by number, name or id; none, in [`Mode::Guess`], for what may be a search. `702.19b@2022-06-10` asks for
    /// an edition as the option does.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read, or there is no such edition.
    pub fn show(&self, request: &Request, mode: Mode) -> Result<Option<Reply>, AskError> {
        asks_something(&request.text)?;
        // A card is no entry, but it has an id.
        if request.text.contains(":card:") && !request.text.trim().contains(char::is_whitespace) {
            return self.card(request).map(Some);
        }
        let dated = dated(&request.text).filter(|_| request.edition.is_none());
        let without_date = match dated {
            Some((text, date)) => {
                let of_date = Request {
                    text: text.clone(),
                    edition: Some(date),
                    ..request.clone()
                };
                // It may be the day of a tournament.
                let reply = self.in_edition(&of_date, |asked| self.repairing(|| self.show_once(asked, mode)));
                if let Ok(Some(reply)) = reply
                    && reply.code() == 0
                {
                    return Ok(Some(reply));
                }
                &Request {
                    text,
                    ..request.clone()
                }
            }
            None => request,
        };
        let request = without_date;
        let mut whole: Option<Answer> = None;
        for (text, edition) in by_edition(&request.text) {
            let asked = Request {
                text,
                edition: edition.or_else(|| request.edition.clone()),
                ..request.clone()
            };
            let reply = self.in_edition(&asked, |asked| self.repairing(|| self.show_once(asked, mode)))?;
            let Some(Reply::Show(answer)) = reply else {
                return Ok(None);
            };
            match &mut whole {
                None => whole = Some(answer),
                Some(whole) => whole.extend(answer),
            }
        }
        Ok(whole.map(|mut answer| {
            answer.keep_page(request.offset, request.limit);
            Reply::Show(answer)
        }))
    }

    /// Asks; where nothing of that edition is found, looks whether there is one and what it is called in full.
    fn in_edition(
        &self,
        request: &Request,
        ask: impl Fn(&Request) -> Result<Option<Reply>, AskError>,
    ) -> Result<Option<Reply>, AskError> {
        let reply = ask(request)?;
        if request.edition.is_none() || reply.as_ref().is_some_and(|reply| reply.code() == 0) {
            return Ok(reply);
        }
        match self.of_full_edition(request) {
            Ok(Some(request)) => ask(&request),
            // It may be no edition at all: words of a search.
            Err(AskError::Usage { .. }) if reply.is_none() => Ok(reply),
            Ok(None) => Ok(reply),
            Err(error) => Err(error),
        }
    }

    /// The request with the full name of its edition; none where it has that.
    ///
    /// # Errors
    ///
    /// [`AskError::Usage`] when there is no such edition, or several may be meant.
    pub fn of_full_edition(&self, request: &Request) -> Result<Option<Request>, AskError> {
        let Some(wanted) = request.edition.as_deref() else {
            return Ok(None);
        };
        let (named, _) = named_game(request, &self.opened(Need::Lookup)?.games);
        let (report, _) = self.library.status()?;
        let asked = |row: &&StatusRow| {
            let document = request
                .document
                .as_ref()
                .is_none_or(|document| *document == row.document);
            let game = match named {
                Some(game) => game.id == row.game,
                None => request.games.is_empty() || request.games.contains(&row.game),
            };
            document && game
        };
        let known: Vec<(String, &str)> = report
            .rows
            .iter()
            .filter(asked)
            .filter_map(|row| {
                let edition = row.edition.as_deref()?;
                Some((format!("{} {} {edition}", row.game, row.document), edition))
            })
            .collect();
        let known: Vec<(&str, &str)> = known
            .iter()
            .map(|(name, edition)| (name.as_str(), *edition))
            .collect();
        let edition = full_edition(wanted, &known)?;
        Ok((edition != wanted).then(|| Request {
            edition: Some(edition.to_owned()),
            ..request.clone()
        }))
    }

    /// The same for a question that needs no text of its edition: one that is not loaded is taken as it was typed.
    fn of_meant_edition(&self, request: &Request) -> Result<Option<Request>, AskError> {
        if request.edition.is_none() || matches!(self.opened(Need::Lookup)?.loaded, Loaded::Corpus(_)) {
            return Ok(None);
        }
        match self.of_full_edition(request) {
            Err(AskError::Usage {
                code: "no-such-edition",
                ..
            }) => Ok(None),
            full => full,
        }
    }

    fn show_once(&self, request: &Request, mode: Mode) -> Result<Option<Reply>, AskError> {
        let opened = self.opened(Need::Lookup)?;
        let options = lookup_options(request, mode);
        let answer = lookup::resolve(&request.text, opened.loaded.entries(), &opened.games, &options)?;
        let Some(mut answer) = answer else { return Ok(None) };
        if !request.kinds.is_empty() {
            answer.retain(|found| request.kinds.contains(&found.entry.kind));
        }
        if let Some(lang) = request.lang {
            for found in &mut answer.found {
                found.entry = in_language(&found.entry, lang);
            }
        }
        Ok(Some(Reply::Show(answer)))
    }

    /// The nearest rule or section above an entry that has a name: `702.19 Trample · 践踏`.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read.
    pub fn heading_above(&self, found: &Found) -> Result<Option<String>, AskError> {
        let entries = self.opened(Need::Lookup)?.loaded.entries();
        let langs: Vec<Lang> = found.entry.text.iter().map(|(lang, _)| lang).collect();
        let mut above = entries.parent(found.idx)?;
        // Numbers are not nested deeper, and a loop must end.
        for _ in 0..MAX_DEPTH {
            let Some(idx) = above else { break };
            let Heading { citation, title } = entries.heading(idx)?;
            let titles: Vec<&str> = langs
                .iter()
                .filter_map(|lang| title.get(*lang).map(String::as_str))
                .collect();
            if let (Some(number), false) = (citation, titles.is_empty()) {
                return Ok(Some(format!("{number} {}", titles.join(" · "))));
            }
            above = entries.parent(idx)?;
        }
        Ok(None)
    }

    /// True for a word that the texts have, and that is no slip therefore.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the word cannot be looked up.
    pub fn occurs(&self, word: &str, request: &Request) -> Result<bool, AskError> {
        let of_all_kinds = Request {
            text: word.to_owned(),
            games: request.games.clone(),
            limit: Some(1),
            ..Request::default()
        };
        let Reply::Search { hits, .. } = self.search(&of_all_kinds)? else {
            return Ok(false);
        };
        Ok(hits.iter().any(|hit| hit.matched != Matched::Fallback))
    }

    /// Names that are spelt nearly as what was asked for.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read.
    pub fn near_names(&self, request: &Request) -> Result<Vec<String>, AskError> {
        let opened = self.opened(Need::Lookup)?;
        let (named, text) = named_game(request, &opened.games);
        let asked = request.games.iter().filter_map(|id| opened.games.get(id));
        let games: Vec<&Game> = match named {
            Some(game) => vec![game],
            None if request.games.is_empty() => lookup::loaded_games(opened.loaded.entries(), &opened.games)?,
            None => asked.collect(),
        };
        Ok(lookup::near_names(&text, opened.loaded.entries(), &games)?)
    }

    /// A glossary term, with the rules that define it.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read.
    pub fn term(&self, request: &Request) -> Result<Reply, AskError> {
        asks_something(&request.text)?;
        let mut asked = request.clone();
        if let [(text, Some(edition))] = by_edition(&request.text).as_slice() {
            (asked.text, asked.edition) = (text.clone(), Some(edition.clone()));
        }
        let reply = self.in_edition(&asked, |asked| self.repairing(|| self.term_once(asked)).map(Some))?;
        let Some(Reply::Show(mut answer)) = reply else {
            return Ok(Reply::Show(Answer::default()));
        };
        answer.keep_page(asked.offset, asked.limit);
        Ok(Reply::Show(answer))
    }

    fn term_once(&self, request: &Request) -> Result<Reply, AskError> {
        let opened = self.opened(Need::Lookup)?;
        let options = lookup_options(request, Mode::Show);
        let mut answer = lookup::term(&request.text, opened.loaded.entries(), &opened.games, &options)?;
        if let Some(lang) = request.lang {
            for found in &mut answer.found {
                found.entry = in_language(&found.entry, lang);
            }
        }
        Ok(Reply::Show(answer))
    }

    /// True when a card of the games that are asked is called exactly so.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read.
    pub fn is_card(&self, request: &Request) -> Result<bool, AskError> {
        let opened = self.opened(Need::Lookup)?;
        let mut is_one = false;
        let name = cards::key(&fold_key(&request.text), "");
        opened.loaded.entries().cards_called(&name, &mut |key, _| {
            is_one |= key
                .rsplit('\u{1f}')
                .next()
                .is_some_and(|game| is_game_asked(request, game));
            Ok(())
        })?;
        Ok(is_one)
    }

    /// Cards and their rulings: by a name in either language, a face's, a part of one, or one spelt nearly so.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the library cannot be read.
    pub fn card(&self, request: &Request) -> Result<Reply, AskError> {
        asks_something(&request.text)?;
        self.repairing(|| self.card_once(request))
    }

    fn card_once(&self, request: &Request) -> Result<Reply, AskError> {
        let opened = self.opened(Need::Lookup)?;
        let entries = opened.loaded.entries();
        let is_asked = |id: &str| is_game_asked(request, id);
        // A card may be called as a game is: the words are a name before they name a game.
        let (mut game, mut rest) = (None, request.text.trim().to_owned());
        let mut found = lookup::cards::cards(&rest, entries, &is_asked)?;
        let (named, name) = named_game(request, &opened.games);
        if let Some(named) = named.filter(|_| found.as_ref().is_none_or(|found| found.fit != Fit::Name)) {
            found = lookup::cards::cards(&name, entries, &|id| id == named.id)?;
            (game, rest) = (Some(named), name);
        }
        let mut answer = CardAnswer::default();
        let Some(found) = found else {
            answer.misses.push(Miss::no_such_name(rest, game));
            return Ok(Reply::Cards(answer));
        };
        if found.fit == Fit::Near && found.cards.len() > 1 {
            answer.misses.push(Miss {
                nearest: found
                    .cards
                    .iter()
                    .filter_map(|card| card.names().next().cloned())
                    .take(MAX_NEAREST)
                    .collect(),
                ..Miss::no_such_name(rest, game)
            });
            return Ok(Reply::Cards(answer));
        }
        answer.fit = Some(found.fit);
        answer.others = found.others;
        let (mut left_out, mut room) = (request.offset, request.limit.unwrap_or(usize::MAX));
        for mut card in found.cards {
            if let Some(lang) = request.lang {
                *card.text.get_mut(lang.other()) = None;
                *card.type_line.get_mut(lang.other()) = None;
            }
            let mut wanted = Vec::new();
            for idx in &card.entries {
                let entry = entries.entry(*idx)?;
                if is_wanted(&entry, request)? {
                    wanted.push((*idx, entry));
                }
            }
            wanted.sort_by_key(|(_, entry)| last_of_rulings(entry, request.lang));
            let mut rulings = Vec::new();
            for (idx, entry) in wanted {
                if left_out > 0 {
                    left_out -= 1;
                } else if room > 0 {
                    room -= 1;
                    let entry = request
                        .lang
                        .map_or(entry.clone(), |lang| in_language(&entry, lang));
                    rulings.push(Found::new(idx, entry, 0, None));
                }
            }
            answer.cards.push((card, rulings));
        }
        Ok(Reply::Cards(answer))
    }

    /// Hits of a search.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the query cannot be read or the index cannot be used.
    pub fn search(&self, request: &Request) -> Result<Reply, AskError> {
        asks_something(&request.text)?;
        let search = |request: &Request| self.repairing(|| self.search_once(request)).map(Some);
        match self.in_edition(request, search)? {
            Some(reply) => Ok(reply),
            None => self.search_once(request),
        }
    }

    fn search_once(&self, request: &Request) -> Result<Reply, AskError> {
        let opened = self.opened(Need::Search)?;
        let started = std::time::Instant::now();
        let (game, text) = match request.exact {
            false => named_game(request, &opened.games),
            true => (None, request.text.clone()),
        };
        let search = if request.exact {
            Search::exact(&text)
        } else {
            Search::new(&text)
        };
        let mut search = search.map_err(|error| {
            let at = text.get(..error.at()).map_or(0, |before| before.chars().count()) + 1;
            AskError::usage(
                "bad-query",
                format!("{error} (character {at} of the query)"),
                "see `shiyi search --help`",
            )
        })?;
        search.filters = self.filters(request, opened)?;
        search.filters.games.extend(game.map(|game| game.id.clone()));
        search.limit = request.limit.unwrap_or(DEFAULT_LIMIT);
        search.offset = request.offset;
        search.marks = request.marks;
        let mut found = index_of(opened)?.search(&search)?;
        if let Some(lang) = request.lang {
            for hit in &mut found.hits {
                hit.entry = in_language(&hit.entry, lang);
                let kept = |mark: &crate::index::Highlight| mark.lang == lang;
                hit.highlights.retain(kept);
            }
        }
        Ok(Reply::Search {
            hits: found.hits,
            total: found.total,
            first_rank: request.offset + 1,
            took_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
            expansions: request.explain.then_some(found.expansions),
            respelt: found.respelt,
        })
    }

    /// Every entry that the request's options leave, in reading order, each read when it is its turn.
    ///
    /// The whole index is compared with its checksums first, and built again where it is damaged, so that what was
    /// begun is not of another index than what follows.
    ///
    /// # Errors
    ///
    /// [`AskError`] when an option names what is not there, or the index cannot be used.
    pub fn export(
        &self,
        request: &Request,
        mut entry: impl FnMut(Entry, &Games) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        self.repairing(|| Ok(index_of(self.opened(Need::Search)?)?.check()?))?;
        let full = self.of_full_edition(request)?;
        let request = full.as_ref().unwrap_or(request);
        let opened = self.opened(Need::Search)?;
        let filters = self.filters(request, opened)?;
        let selected = index_of(opened)?.select(&filters).map_err(AskError::from)?;
        let mut n = 0;
        for found in selected
            .skip(request.offset)
            .take(request.limit.unwrap_or(usize::MAX))
        {
            let found = found.map_err(AskError::from)?;
            let found = request
                .lang
                .map_or_else(|| found.clone(), |lang| in_language(&found, lang));
            entry(found, &opened.games)?;
            n += 1;
        }
        Ok(n)
    }

    /// Gives the cards of the games that are asked, in order of name; returns how many there are.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the library cannot be read, or what `each` returns.
    pub fn export_cards(
        &self,
        request: &Request,
        mut each: impl FnMut(&Card) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        let opened = self.opened(Need::Search)?;
        let entries = opened.loaded.entries();
        let mut numbers: BTreeSet<u32> = BTreeSet::new();
        let mut take = |key: &str, cards: &dyn Fn() -> Result<Vec<u32>, Damaged>| {
            let is_asked = key
                .rsplit_once('\u{1f}')
                .is_some_and(|(_, game)| is_game_asked(request, game));
            if is_asked {
                numbers.extend(cards()?);
            }
            Ok(())
        };
        entries.cards_called("", &mut take).map_err(AskError::from)?;
        let mut n = 0;
        let limit = request.limit.unwrap_or(usize::MAX);
        for number in numbers.into_iter().skip(request.offset).take(limit) {
            let card = entries.card(number).map_err(AskError::from)?;
            // What is known by its rulings alone is in them.
            if !card.sources.is_empty() {
                each(&card)?;
                n += 1;
            }
        }
        Ok(n)
    }

    /// The options that say which entries may be found.
    fn filters(&self, request: &Request, opened: &Opened) -> Result<Filters, AskError> {
        Ok(Filters {
            games: request.games.clone(),
            kinds: request.kinds.clone(),
            sources: request
                .sources
                .iter()
                .map(|source| SourceFilter::parse(source))
                .collect(),
            langs: request.lang.into_iter().collect(),
            documents: request.document.iter().cloned().collect(),
            editions: request.edition.iter().cloned().collect(),
            cards: cards_named(request, opened)?,
            since: request.since.as_deref().map(check_date).transpose()?,
            until: request.until.as_deref().map(check_date).transpose()?,
            within: self.within(request, opened)?,
        })
    }

    /// The part of a document that `--in` names.
    fn within(&self, request: &Request, opened: &Opened) -> Result<Vec<Within>, AskError> {
        let Some(text) = &request.within else {
            return Ok(Vec::new());
        };
        let mut within = Vec::new();
        for game in opened.games.iter() {
            if !request.games.is_empty() && !request.games.contains(&game.id) {
                continue;
            }
            let reading = lookup::citation::read_citations_of(text, game, request.document.as_deref());
            for citation in reading.citations {
                let document = request.document.as_deref().unwrap_or(&citation.document);
                within.push(match citation.last {
                    Some(last) => Within::Range(citation.first, last),
                    None => Within::Below(crate::entry::rule_id(&game.id, document, &citation.first)),
                });
            }
        }
        if within.is_empty() {
            return Err(AskError::usage(
                "bad-citation",
                format!("`{text}` names no chapter, section or range"),
                "write a number such as 702 or 613-616",
            ));
        }
        Ok(within)
    }

    /// Which numbers meet a condition.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the value cannot be read, there is no such game, or the library cannot be read.
    pub fn eval(&self, request: &Request) -> Result<Reply, AskError> {
        if is_empty(&request.text) {
            return Err(nothing_asked(
                "write a condition, such as `3 or more` or `at least 2`",
            ));
        }
        let full = self.of_meant_edition(request)?;
        let request = full.as_ref().unwrap_or(request);
        self.repairing(|| self.eval_once(request))
    }

    fn eval_once(&self, request: &Request) -> Result<Reply, AskError> {
        let opened = self.opened(Need::Lookup)?;
        let entries = opened.loaded.entries();
        let value = request
            .value
            .as_deref()
            .map(str::parse::<crate::condition::Value>)
            .transpose()
            .map_err(|error| {
                AskError::usage(
                    "bad-value",
                    error.to_string(),
                    "write an integer, `inf`, or `a=2,b=1` for two quantities",
                )
            })?;
        let damaged = OnceCell::new();
        let find = |id: &str| current_id(id, entries, &damaged);
        let (named, text) = named_game(request, &opened.games);
        let verdict = evaluate::evaluate(
            &Question {
                text: &text,
                game: named.or(self.one_game(request, &opened.games)?),
                edition: request.edition.as_deref(),
                noun: request.noun.as_deref(),
                value: value.as_ref(),
            },
            &find,
        );
        sound(damaged)?;
        let mut deciding: Vec<Entry> = Vec::new();
        for because in verdict.because.iter().filter(|because| because.loaded) {
            let Some(id) = &because.id else { continue };
            for idx in entries.find(&Key::Id(id).encode())? {
                if entries.is_current(idx)?
                    && deciding
                        .iter()
                        .all(|entry| Some(entry.id.as_str()) != because.id.as_deref())
                {
                    let entry = entries.entry(idx)?;
                    deciding.push(
                        request
                            .lang
                            .map_or(entry.clone(), |lang| in_language(&entry, lang)),
                    );
                }
            }
        }
        Ok(Reply::Verdict(Box::new(verdict), deciding))
    }

    /// Another numeric question.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the operation or its input cannot be read.
    pub fn calc(&self, request: &Request) -> Result<Reply, AskError> {
        let full = self.of_meant_edition(request)?;
        let request = full.as_ref().unwrap_or(request);
        self.repairing(|| self.calc_once(request))
    }

    fn calc_once(&self, request: &Request) -> Result<Reply, AskError> {
        let opened = self.opened(Need::Lookup)?;
        let entries = opened.loaded.entries();
        let damaged = OnceCell::new();
        let find = |id: &str| current_id(id, entries, &damaged);
        let input = request.input.clone().unwrap_or_default();
        let task = calc::Task {
            op: &request.text,
            input: &input,
            game: self.one_game(request, &opened.games)?,
            edition: request.edition.as_deref(),
        };
        let outcome = calc::calculate(&task, &find)
            .map_err(|error| AskError::usage("bad-input", error.to_string(), "see `shiyi calc --help`"))?;
        sound(damaged)?;
        Ok(Reply::Calc(Box::new(outcome)))
    }

    /// The one game of a numeric question; none for `any` or no game.
    fn one_game<'g>(&self, request: &Request, games: &'g Games) -> Result<Option<&'g Game>, AskError> {
        match request.games.as_slice() {
            [] => Ok(None),
            [any] if any == ANY_GAME => Ok(None),
            [one] => find_game(games, one).map(Some),
            _ => Err(AskError::usage(
                "several-games",
                "a numeric question is about one game",
                "name one with --game",
            )),
        }
    }
}

/// What of a request a lookup goes by.
fn lookup_options(request: &Request, mode: Mode) -> lookup::Options<'_> {
    lookup::Options {
        games: &request.games,
        document: request.document.as_deref(),
        edition: request.edition.as_deref(),
        mode,
        extent: match (request.only, request.tree) {
            (true, _) => Extent::Only,
            (false, true) => Extent::Tree,
            (false, false) => Extent::Subrules,
        },
        context: request.context,
        expand: request.expand,
        citing: if request.refs { Citing::Show } else { Citing::Hide },
    }
}

/// The full names of the cards that `--card` means: of one that is called so, else of all that hold what was typed.
fn cards_named(request: &Request, opened: &Opened) -> Result<Vec<String>, AskError> {
    let mut names = Vec::new();
    let is_asked = |id: &str| is_game_asked(request, id);
    for typed in &request.cards {
        match lookup::cards::cards(typed, opened.loaded.entries(), &is_asked)? {
            Some(found) if found.fit != Fit::Near => {
                names.extend(found.cards.iter().flat_map(|card| card.names().cloned()));
            }
            // Nothing has it; so nothing is found.
            _ => names.push(typed.clone()),
        }
    }
    Ok(names)
}

/// True when the options name that game, or none.
fn is_game_asked(request: &Request, id: &str) -> bool {
    let mut games = request.games.iter();
    request.games.is_empty() || games.any(|asked| asked == id || asked == ANY_GAME)
}

/// True when the options that say which rulings to show let the entry through.
fn is_wanted(entry: &Entry, request: &Request) -> Result<bool, AskError> {
    let since = request.since.as_deref().map(check_date).transpose()?;
    let until = request.until.as_deref().map(check_date).transpose()?;
    let date = entry.date.as_deref();
    let said_so = |source: &String| match SourceFilter::parse(source) {
        SourceFilter::Class(class) => entry.provenance.iter().any(|(_, own)| own.class == class),
        SourceFilter::Tag(tag) => {
            let tags = entry.provenance.iter().filter_map(|(_, own)| own.tag.as_deref());
            tags.into_iter().any(|own| own.eq_ignore_ascii_case(&tag))
        }
    };
    Ok(
        since.is_none_or(|since| date.is_some_and(|date| date >= since.as_str()))
            && until.is_none_or(|until| date.is_some_and(|date| date <= until.as_str()))
            && (request.kinds.is_empty() || request.kinds.contains(&entry.kind))
            && (request.sources.is_empty() || request.sources.iter().any(said_so)),
    )
}

/// What puts a ruling of a card behind others: no text in the language that is asked for, other cards beside it, nobody
/// official who says it, no date.
fn last_of_rulings(entry: &Entry, lang: Option<Lang>) -> [bool; 4] {
    let mut words = entry
        .provenance
        .iter()
        .filter(|(of, _)| lang.is_none_or(|lang| lang == *of));
    let is_official = words.any(|(_, own)| own.class == ProvenanceClass::Official);
    [
        lang.is_some_and(|lang| entry.text.get(lang).is_none()),
        entry.cards.len() > 1,
        !is_official,
        entry.date.is_none(),
    ]
}

/// The index of a library that was opened for searching.
fn index_of(opened: &Opened) -> Result<&Index, LibraryError> {
    match &opened.loaded {
        Loaded::Index(index) => Ok(index),
        Loaded::Corpus(_) => Err(LibraryError::Damaged(Damaged("there is no index".into()))),
    }
}

/// The game that a request's words name, and the other words; none where the request names its games apart.
pub fn named_game<'g>(request: &Request, games: &'g Games) -> (Option<&'g Game>, String) {
    lookup::asked_game(&request.text, games, &request.games)
}

/// The edition that is meant by a name as it was typed, of those that there are, each with how it is shown.
///
/// # Errors
///
/// [`AskError::Usage`] when there is none, or several may be meant; they are named.
pub fn full_edition<'e>(typed: &str, known: &[(&str, &'e str)]) -> Result<&'e str, AskError> {
    edition_called(typed, known.iter().map(|(_, edition)| *edition)).map_err(|several| {
        let mut names: Vec<&str> = known
            .iter()
            .filter(|(_, edition)| several.is_empty() || several.contains(edition))
            .map(|(name, _)| *name)
            .collect();
        names.dedup();
        if !several.is_empty() {
            let message = format!("`{typed}` may be any of {} editions", several.len());
            return AskError::usage(
                "several-editions",
                message,
                format!("write one of these: {}", names.join(", ")),
            );
        }
        let hint = match names.as_slice() {
            [] => "no text that is loaded names its edition".to_owned(),
            names => format!("loaded: {}", names.join(", ")),
        };
        AskError::usage("no-such-edition", format!("there is no edition `{typed}`"), hint)
    })
}

/// True for words in which there is nothing to be seen.
fn is_empty(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}'))
}

/// That there is something to look up or to search for.
pub fn asks_something(text: &str) -> Result<(), AskError> {
    match is_empty(text) {
        true => Err(nothing_asked(
            "write a number, a name or words, such as `702.19b`, `trample` or `card advantage`",
        )),
        false => Ok(()),
    }
}

fn nothing_asked(hint: &str) -> AskError {
    AskError::usage("bad-query", "nothing was asked for: there are no words", hint)
}

/// The word that means no game in particular.
pub const ANY_GAME: &str = "any";

/// The game that is called so.
///
/// # Errors
///
/// [`AskError::Usage`] with the known games when there is none.
pub fn find_game<'g>(games: &'g Games, name: &str) -> Result<&'g Game, AskError> {
    games.find(name).ok_or_else(|| {
        let known: Vec<&str> = games.ids().collect();
        AskError::usage(
            "unknown-game",
            format!("no game is called `{name}`"),
            format!("known games: {}", known.join(", ")),
        )
    })
}

/// A date in the form that rulings carry, `YYYY-MM-DD`; a year or a month stands for its first day.
fn check_date(text: &str) -> Result<String, AskError> {
    let full = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    full.parse::<jiff::civil::Date>()
        .map(|date| date.to_string())
        .map_err(|_| {
            AskError::usage(
                "bad-date",
                format!("`{text}` is no date"),
                "write it as 2024-06-07, 2024-06 or 2024",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_beside_a_number() {
        let dated = |text: &str| dated(text).map(|(rest, date)| format!("{rest} | {date}"));
        assert_eq!(
            dated("Magic CR 704.5a (2024-06-07)").as_deref(),
            Some("Magic CR 704.5a | 2024-06-07")
        );
        assert_eq!(
            dated("2024-06-07: 704.5a").as_deref(),
            Some("704.5a | 2024-06-07")
        );
        for text in [
            "704.5a",
            "2024-06-07",
            "rules of 2024-06-07",
            "704.5a 2024-06-07 2025-01-01",
            "704.5a 2024-13-07",
        ] {
            assert_eq!(dated(text), None, "{text}");
        }
    }

    #[test]
    fn an_edition_is_typed_behind_what_is_asked_for() {
        let cut = |text: &str| -> Vec<String> {
            let asked = by_edition(text).into_iter();
            asked
                .map(|(text, edition)| format!("{text}|{}", edition.unwrap_or_default()))
                .collect()
        };
        assert_eq!(cut("fow 702.3a-1@12.7"), ["fow 702.3a-1|12.7"]);
        assert_eq!(
            cut("702.19b＠2022-06-10, 702.19c"),
            ["702.19b|2022-06-10", "702.19c|"]
        );
        assert_eq!(cut("1.1@1.0 1.1@2.0"), ["1.1|1.0", "1.1|2.0"]);
        assert_eq!(cut("mtg:rule:1.1@2"), ["mtg:rule:1.1|2"]);
        assert_eq!(
            cut("mtg:rule:1.1@2 mtg:rule:1.2"),
            ["mtg:rule:1.1@2 mtg:rule:1.2|"]
        );
        assert_eq!(cut("no@where"), ["no@where|"]);
    }
}
