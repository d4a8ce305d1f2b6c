//! Which library is it, and how do its sources become something that answers?
//!
//! A library is a folder with `rules/<game>/`, `rulings/<game>/` and `index/`. The embedded library (this
//! project's own wording, [`Embedded`]) is a layer below every library: its games always, its entries for a
//! game until the library has that game.
//!
//! [`Library::ingest`] builds a new generation beside the old one and switches to it by renaming one file,
//! `CURRENT`, into place. Readers follow `CURRENT`; a crash leaves the previous generation answering.

pub mod audit;
mod disk;
pub mod doctor;
pub mod progress;
pub mod sources;
mod watch;

#[doc(hidden)]
pub use disk::Fault;

use crate::corpus::{Corpus, Damaged, Entries};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::entry::{Kind, Lang};
use crate::game::{Games, Unread, stored};
use crate::index::{self, BuildError, Extra, FORMAT, Index, OpenError};
use crate::jobs;
use crate::name::Name;
use crate::pair::{Pairer, pair};
use crate::parse::Parsed;
use crate::segment::{Cutter, characters};
use disk::{Disk, Lock, NewFile};
use progress::{Progress, Watcher};
use serde::{Deserialize, Serialize};
use sources::{Declared, Stamp};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{Cursor, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use watch::{Holding, Looked, Meta, Seen};

include!(concat!(env!("OUT_DIR"), "/embedded_library.rs"));

/// What marks the path of an embedded source: it is no file of the user's.
pub const EMBEDDED_PREFIX: &str = "built-in:";

/// The library that is compiled into the program: this repository's own `rules/` and `rulings/`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Embedded;

impl Embedded {
    /// Every shipped game.
    pub fn games(&self) -> impl Iterator<Item = Unread> {
        GAMES.iter().map(unread)
    }

    /// The shipped game of that id.
    fn game(id: &str) -> Option<Unread> {
        GAMES.iter().find(|(known, _, _)| *known == id).map(unread)
    }

    /// Every text, with its path.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        FILES.iter().copied().filter(|(path, _)| path.ends_with(".md"))
    }

    /// Reads the texts of the games that `wanted` names.
    fn parse(&self, games: &Games, wanted: impl Fn(&str) -> bool) -> Vec<Parsed> {
        self.texts()
            .filter(|(path, _)| path.split('/').nth(1).is_some_and(&wanted))
            .map(|(path, text)| {
                let path = format!("{EMBEDDED_PREFIX}{path}");
                sources::read_bytes(&path, text.as_bytes(), &Declared::default(), games)
            })
            .collect()
    }
}

/// A shipped game, as `build.rs` lists it.
fn unread(
    &(id, names, [json, numeric, calc]): &(&'static str, &'static [&'static str], [&'static str; 3]),
) -> Unread {
    Unread {
        id,
        names,
        json,
        numeric,
        calc,
    }
}

/// Why a library could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The folder that was named is not there.
    #[error("there is no library at `{0}`")]
    NoSuchLibrary(String),
    /// Neither a data nor a home directory is known, and no library was named.
    #[error("no folder for a library is known")]
    NoPlace,
    /// Another ingest is running.
    #[error("another ingest of this library is running{}", .0.map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    Busy(Option<u32>),
    /// The index is of a newer shiyi.
    #[error("the index was written by a newer shiyi (format {found}; this one reads {known})")]
    NewerFormat {
        /// The index's format.
        found: u32,
        /// The format that this program reads.
        known: u32,
    },
    /// Something could not be read or written.
    #[error("`{path}`: {error}")]
    Io {
        /// The path, as it was given.
        path: String,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The index could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The index is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

impl LibraryError {
    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            LibraryError::NoSuchLibrary(_) => "no-such-library",
            LibraryError::NoPlace => "no-place",
            LibraryError::Busy(_) => "busy",
            LibraryError::NewerFormat { .. } => "newer-format",
            LibraryError::Io { .. } => "io",
            LibraryError::Build(_) => "build",
            LibraryError::Damaged(_) => "damaged",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            LibraryError::NoSuchLibrary(_) => "make the folder, or let `shiyi add FILE` make one",
            LibraryError::NoPlace => "name one with `--library DIR` or `SHIYI_LIBRARY`",
            LibraryError::Busy(_) => "wait for it to end, then try again",
            LibraryError::NewerFormat { .. } => {
                "update shiyi, or run `shiyi ingest` to rebuild the index with this one"
            }
            LibraryError::Build(_) | LibraryError::Damaged(_) => "run `shiyi ingest` to rebuild the index",
            LibraryError::Io { .. } => return None,
        })
    }

    fn io(path: &Path, error: std::io::Error) -> Self {
        LibraryError::Io {
            path: path.display().to_string(),
            error,
        }
    }
}

/// What a reader is about to do: a lookup on the embedded library needs no index at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Entries by key.
    Lookup,
    /// Hits of a search.
    Search,
}

/// Something a person should know; the answer stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// There is no library of the user's; the embedded one answers.
    Embedded,
    /// Sources have changed since the index was built.
    Stale,
    /// There was no usable index, so one was built; or it could be built in memory only.
    Built {
        /// True when it could be kept.
        kept: bool,
    },
}

/// What answers.
#[derive(Debug)]
pub enum Loaded {
    /// A generation on disk, or one built in memory.
    Index(Box<Index>),
    /// Entries only; nothing to search with.
    Corpus(Corpus),
}

impl Loaded {
    /// The entries.
    pub fn entries(&self) -> &dyn Entries {
        match self {
            Loaded::Index(index) => index.as_ref(),
            Loaded::Corpus(corpus) => corpus,
        }
    }

    /// Cuts texts into words: Chinese by the library's dictionary where there is one, else by character.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when the dictionary cannot be read.
    pub fn cutter(&self) -> Result<Cutter<'_>, Damaged> {
        match self {
            Loaded::Index(index) => index.cutter(),
            Loaded::Corpus(_) => Ok(Box::new(characters)),
        }
    }
}

/// A library that is open.
#[derive(Debug)]
pub struct Opened {
    /// What answers.
    pub loaded: Loaded,
    /// The known games.
    pub games: Games,
    /// What a person should know.
    pub notices: Vec<Notice>,
    /// What ingest found, when it had to run first.
    pub report: Option<Report>,
}

/// What is loaded of one game, document and edition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusRow {
    /// The game's id.
    pub game: String,
    /// The document's id.
    pub document: String,
    /// The edition; none for undated texts.
    pub edition: Option<String>,
    /// The languages there are texts in.
    pub lang: Vec<Lang>,
    /// The files they were read from.
    pub files: Vec<String>,
    /// How many entries of each kind, and examples.
    pub counts: Counts,
    /// How many entries have both languages.
    pub pairs: usize,
    /// How many remarks about those files.
    pub diagnostics: usize,
}

/// How many of each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Chapters.
    pub chapters: usize,
    /// Sections.
    pub sections: usize,
    /// Rules and subrules.
    pub rules: usize,
    /// Examples.
    pub examples: usize,
    /// Glossary terms.
    pub terms: usize,
    /// Rulings.
    pub rulings: usize,
    /// Statements.
    pub statements: usize,
}

impl Counts {
    /// How many entries there are in all; examples are parts of entries.
    pub fn entries(&self) -> usize {
        let Counts {
            chapters,
            sections,
            rules,
            examples: _,
            terms,
            rulings,
            statements,
        } = self;
        chapters + sections + rules + terms + rulings + statements
    }

    fn count(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Chapter => &mut self.chapters,
            Kind::Section => &mut self.sections,
            Kind::Rule => &mut self.rules,
            Kind::Term => &mut self.terms,
            Kind::Statement => &mut self.statements,
            Kind::Ruling => &mut self.rulings,
        }
    }
}

/// What ingest found.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// What is loaded.
    pub rows: Vec<StatusRow>,
    /// Everything that was found wrong or had to be guessed.
    pub diagnostics: Vec<Diagnostic>,
    /// Files read.
    pub files: usize,
    /// Seconds since 1970 at which it ran.
    pub ingested: u64,
    /// The format of the index.
    pub format: u32,
    /// True when nothing had changed since, so that nothing was done.
    #[serde(skip)]
    pub unchanged: bool,
}

impl Report {
    /// True when something could not be read at all.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// What tells whether an ingest would find anything new.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Hashes {
    /// Of everything that describes the texts: `game.toml`, `sources.toml`.
    settings: String,
    /// Of each source, in the order of [`Seen::sources`]; none for one that could not be read.
    sources: Vec<Option<String>>,
}

/// The extra sections of a generation: what every reader of it reads, [`watch`] and [`stored`]; the report, which is
/// long where much was found wrong; and what only an ingest asks for.
const META: &str = "meta";
const KNOWN_GAMES: &str = "games";
const REPORT: &str = "report";
const HASHES: &str = "hashes";

/// The program, as a generation names it: its version and what it embeds.
fn program_stamp() -> String {
    format!("{} {STAMP}", env!("CARGO_PKG_VERSION"))
}

/// The name of the file that says which generation answers.
const CURRENT: &str = "CURRENT";

/// A library: a folder of the user's, or the embedded one alone.
#[derive(Debug, Clone)]
pub struct Library {
    root: Option<PathBuf>,
    cache: Option<PathBuf>,
    watcher: Watcher,
    /// Whether files are looked at when it is known of which games an answer is.
    looks_late: bool,
    jobs: Option<NonZeroUsize>,
    disk: Disk,
}

impl Library {
    /// The same library, for whoever asks for what is in force: [`Library::open`] looks for new and missing files only,
    /// and [`Library::changes`] at those that an answer is from.
    #[must_use]
    pub fn in_force(mut self) -> Library {
        self.looks_late = true;
        self
    }

    /// The same library, with somebody who is told how far the building of its index has come.
    #[must_use]
    pub fn watched(mut self, told: impl Fn(Progress) + Send + Sync + 'static) -> Library {
        self.watcher = Watcher::new(told);
        self
    }

    /// The library that was named, else the one in the platform's data directory if it is there, else none of
    /// the user's: the embedded one alone.
    ///
    /// # Errors
    ///
    /// [`LibraryError::NoSuchLibrary`] when the named folder is not there.
    pub fn locate(named: Option<&Path>) -> Result<Library, LibraryError> {
        let places = Places::of_user();
        let root = match named {
            Some(path) if path.is_dir() => Some(path.to_owned()),
            Some(path) => return Err(LibraryError::NoSuchLibrary(path.display().to_string())),
            None => places.data.filter(|path| path.is_dir()),
        };
        Ok(Library::new(root, places.cache))
    }

    /// The embedded library alone.
    pub fn embedded() -> Library {
        Library::new(None, Places::of_user().cache)
    }

    /// The library to add texts to: the named folder or the platform's data directory, made if it is not there.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] when there is no place for one, or it cannot be made.
    pub fn locate_or_create(named: Option<&Path>) -> Result<Library, LibraryError> {
        let places = Places::of_user();
        let root = named
            .map(Path::to_owned)
            .or(places.data)
            .ok_or(LibraryError::NoPlace)?;
        for folder in ["rules", "rulings", "index"] {
            let path = root.join(folder);
            std::fs::create_dir_all(&path).map_err(|error| LibraryError::io(&path, error))?;
        }
        Ok(Library::new(Some(root), places.cache))
    }

    fn new(root: Option<PathBuf>, cache: Option<PathBuf>) -> Library {
        Library {
            root,
            cache,
            watcher: Watcher::default(),
            looks_late: false,
            jobs: None,
            disk: Disk::default(),
        }
    }

    /// The same library, ingested by that many jobs at once and not by one for each core.
    #[must_use]
    pub fn with_jobs(self, jobs: NonZeroUsize) -> Library {
        Library {
            jobs: Some(jobs),
            ..self
        }
    }

    /// The same library, with another folder for the index of one that cannot be written; with none, such an index
    /// is kept in memory.
    #[must_use]
    pub fn with_cache(self, cache: Option<PathBuf>) -> Library {
        Library { cache, ..self }
    }

    /// The same library on a disk that fails on purpose. For tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_fault(self, fault: Fault) -> Library {
        Library {
            disk: Disk::failing(fault),
            ..self
        }
    }

    /// Steps that ingests took on a disk that fails on purpose. For tests.
    #[doc(hidden)]
    pub fn disk_steps(&self) -> u64 {
        self.disk.steps()
    }

    /// The folder, where there is one.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The known games, and what is wrong with their files.
    pub fn games(&self) -> (Games, Vec<Diagnostic>) {
        sources::games(self.root(), &Embedded)
    }

    /// The known games, what an index keeps of them, and what is wrong with their files.
    fn games_to_store(&self) -> (Games, Vec<u8>, Vec<Diagnostic>) {
        let (own, diagnostics) = sources::own_games(self.root(), &Embedded);
        let (own, parts): (Vec<_>, HashMap<_, _>) = own
            .into_iter()
            .map(|(game, parts)| {
                let id = game.id.clone();
                (game, (id, parts))
            })
            .unzip();
        let games = Games::over(Embedded.games(), own);
        let bytes = stored::write(games.iter(), &parts);
        (games, bytes, diagnostics)
    }

    /// The folders an index may be in, the preferred one first.
    fn index_folders(&self) -> impl Iterator<Item = PathBuf> {
        let own = self.root.iter().map(|root| root.join("index"));
        // Hashed when it is come to, which with an index in the library is never.
        own.chain(self.cache.iter().map(|cache| match &self.root {
            None => cache.join("embedded"),
            Some(root) => {
                let absolute = std::path::absolute(root).unwrap_or_else(|_| root.clone());
                cache.join(&blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex()[..16])
            }
        }))
    }

    /// Opens the library for reading. Builds the index where there is none or an older one, in memory where it
    /// cannot be kept.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] when the index is of a newer program, or cannot be read or built.
    pub fn open(&self, need: Need) -> Result<Opened, LibraryError> {
        let mut notices = Vec::new();
        if self.root.is_none() {
            notices.push(Notice::Embedded);
            if need == Need::Lookup {
                let (games, _) = self.games();
                let corpus = build_corpus(Embedded.parse(&games, |_| true), &games).0;
                return Ok(Opened {
                    loaded: Loaded::Corpus(corpus),
                    games,
                    notices,
                    report: None,
                });
            }
        }
        let (index, games, report) = match self.kept_index(&mut notices)? {
            Some((index, games)) => (index, games, None),
            None => {
                let (index, report, kept) = self.build_for_reading()?;
                notices.push(Notice::Built { kept });
                (index, self.games().0, Some(report))
            }
        };
        Ok(Opened {
            loaded: Loaded::Index(Box::new(index)),
            games,
            notices,
            report,
        })
    }

    /// Builds the index again in which damage was found, and opens it.
    ///
    /// # Errors
    ///
    /// That damage, when sources are gone that the index had been made of; else as for [`Library::open`].
    pub fn repair(&self, damaged: Damaged) -> Result<Opened, LibraryError> {
        for folder in self.index_folders() {
            if let Ok(Some(index)) = open_generation(&folder) {
                let meta = meta_of(&index);
                self.has_sources(meta.as_ref(), damaged)?;
                break;
            }
        }
        let (games, _) = self.games();
        let (index, report, kept) = self.build_for_reading()?;
        Ok(Opened {
            loaded: Loaded::Index(Box::new(index)),
            games,
            notices: vec![Notice::Built { kept }],
            report: Some(report),
        })
    }

    /// An error when sources are gone: an index that is made of the others would give other answers.
    fn has_sources(&self, meta: Option<&Meta>, damaged: Damaged) -> Result<(), Damaged> {
        let Some(root) = self.root() else {
            return Ok(());
        };
        let (listed, _) = sources::list(root);
        let there: BTreeSet<&str> = listed.iter().map(|stamp| stamp.path.as_str()).collect();
        let gone = match meta {
            Some(meta) => meta
                .seen
                .sources
                .iter()
                .any(|known| !there.contains(known.path.as_str())),
            // What it was made of is not known any more.
            None => there.is_empty(),
        };
        if gone { Err(damaged) } else { Ok(()) }
    }

    /// The index that is there, if it is of use, with the known games.
    fn kept_index(&self, notices: &mut Vec<Notice>) -> Result<Option<(Index, Games)>, LibraryError> {
        for folder in self.index_folders() {
            match open_generation(&folder) {
                Ok(Some(index)) => match self.kept_games(&index, notices) {
                    Ok(Some(games)) => return Ok(Some((index, games))),
                    Ok(None) => {}
                    Err(damaged) => self.has_sources(None, damaged)?,
                },
                Ok(None) => {}
                // Built again, if it can be.
                Err(LibraryError::Damaged(damaged)) => self.has_sources(None, damaged)?,
                // Older, or not to be read by this user: built again.
                Err(LibraryError::Io { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The games that are known beside an index, which keeps them as long as nothing has changed; none where another
    /// program wrote it.
    fn kept_games(&self, index: &Index, notices: &mut Vec<Notice>) -> Result<Option<Games>, Damaged> {
        let bytes = index.extra(META)?;
        if watch::program(bytes).is_none_or(|(program, _)| program != program_stamp()) {
            return Ok(None);
        }
        let looked = match self.looks_late {
            true => Looked::Frame,
            false => Looked::All,
        };
        if let Some(root) = self.root()
            && !watch::looks_unchanged(root, bytes, looked)
        {
            let Some(Meta { seen, .. }) = Meta::from_bytes(bytes) else {
                return Ok(None);
            };
            let listing = sources::listing(root);
            let same_settings = listing.settings == seen.settings;
            if !same_settings || listing.sources != seen.sources {
                notices.push(Notice::Stale);
            }
            if !same_settings {
                return Ok(Some(self.games().0));
            }
        }
        Ok(Games::stored(index.shared_extra(KNOWN_GAMES)?, Embedded::game))
    }

    /// Whether a file has changed from which texts in force of these games are, or of any; only where
    /// [`Library::open`] did not look at them.
    pub fn changes(&self, opened: &Opened, games: Option<&[Name]>) -> Option<Notice> {
        let (Loaded::Index(index), Some(root), true) = (&opened.loaded, self.root(), self.looks_late) else {
            return None;
        };
        let bytes = index.extra(META).ok()?;
        if watch::looks_unchanged(root, bytes, Looked::InForce(games)) {
            return None;
        }
        let seen = Meta::from_bytes(bytes)?.seen;
        (sources::listing(root).sources != seen.sources).then_some(Notice::Stale)
    }

    /// What the newest ingest found.
    ///
    /// # Errors
    ///
    /// As [`Library::open`].
    pub fn status(&self) -> Result<(Report, Vec<Notice>), LibraryError> {
        let opened = self.open(Need::Search)?;
        let report = match (&opened.report, &opened.loaded) {
            (Some(report), _) => report.clone(),
            (None, Loaded::Index(index)) => {
                serde_json::from_slice(index.extra(REPORT)?).map_err(|error| Damaged(error.to_string()))?
            }
            (None, Loaded::Corpus(_)) => Report::default(),
        };
        Ok((report, opened.notices))
    }

    /// Reads every source, builds a new generation and switches to it. Where nothing has changed since the last
    /// time, and the index is sound, it only says so.
    ///
    /// The new generation is the same, byte for byte, whatever the number of jobs.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] when another ingest is running, or nothing could be written. What is wrong with a source
    /// is a diagnostic of the report.
    pub fn ingest(&self) -> Result<Report, LibraryError> {
        for folder in self.index_folders() {
            let Some(_lock) = self.lock(&folder)? else {
                continue;
            };
            return match self.unchanged(&folder)? {
                Some(report) => Ok(report),
                None => self.write_generation(&folder),
            };
        }
        Err(self.cannot_be_written())
    }

    /// As [`Library::ingest`], but builds the index whatever is there.
    ///
    /// # Errors
    ///
    /// As for [`Library::ingest`].
    pub fn rebuild(&self) -> Result<Report, LibraryError> {
        for folder in self.index_folders() {
            if let Some(_lock) = self.lock(&folder)? {
                return self.write_generation(&folder);
            }
        }
        Err(self.cannot_be_written())
    }

    fn cannot_be_written(&self) -> LibraryError {
        let path = self.index_folders().next().unwrap_or_default();
        let error = std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            "the index cannot be written here",
        );
        LibraryError::io(&path, error)
    }

    /// Builds an index where there is none to read: it is kept in the first folder that can be written, else in
    /// memory. Returns true with it when it was kept.
    fn build_for_reading(&self) -> Result<(Index, Report, bool), LibraryError> {
        for folder in self.index_folders() {
            let _lock = match self.lock(&folder) {
                Ok(Some(lock)) => lock,
                Ok(None) => continue,
                Err(LibraryError::Busy(_)) => {
                    // Somebody else is building it. What they build is as good.
                    let waited = self
                        .disk
                        .open_lock(&folder)
                        .and_then(|lock| lock.wait().map(|()| lock));
                    match (waited, open_generation(&folder)) {
                        (Ok(_), Ok(Some(index))) if meta_of(&index).is_some() => {
                            let report = serde_json::from_slice(index.extra(REPORT)?)
                                .map_err(|error| Damaged(error.to_string()))?;
                            return Ok((index, report, true));
                        }
                        (Ok(lock), _) => lock,
                        (Err(error), _) => return Err(LibraryError::io(&folder, error)),
                    }
                }
                Err(error) => return Err(error),
            };
            let built = self.write_generation(&folder).and_then(|report| {
                let index = open_generation(&folder)?
                    .ok_or_else(|| Damaged("the generation just written is not there".to_owned()))?;
                Ok((index, report, true))
            });
            match built {
                // A full disk, say: there may be room elsewhere.
                Err(LibraryError::Io { .. } | LibraryError::Build(BuildError::Io(_))) => {}
                built => return built,
            }
        }
        let gathered = self.gather(self.jobs())?;
        let file = index::build_to(
            gathered.corpus,
            &gathered.extras.each(),
            self.jobs(),
            Cursor::default(),
        )?;
        self.watcher.tell(Progress::Ended);
        match Index::from_bytes(file.into_inner()) {
            Ok(index) => Ok((index, gathered.report, false)),
            Err(error) => Err(Damaged(error.to_string()).into()),
        }
    }

    fn jobs(&self) -> NonZeroUsize {
        self.jobs.unwrap_or_else(jobs::available)
    }

    /// Makes a folder for an index and locks it until what is returned is dropped; none where it cannot be written.
    fn lock(&self, folder: &Path) -> Result<Option<Lock>, LibraryError> {
        let opened = self
            .disk
            .create_folder(folder)
            .and_then(|()| self.disk.open_lock(folder));
        let Ok(lock) = opened else {
            return Ok(None);
        };
        match self.disk.lock(&lock) {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                let pid = std::fs::read_to_string(folder.join("lock")).ok();
                return Err(LibraryError::Busy(pid.and_then(|pid| pid.trim().parse().ok())));
            }
            // A file system without locks: the rename alone keeps readers safe.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        self.disk.tidy(folder, CURRENT);
        Ok(Some(lock))
    }

    /// The report of the generation that is there, if an ingest would make the same one again.
    fn unchanged(&self, folder: &Path) -> Result<Option<Report>, LibraryError> {
        let Ok(Some(index)) = open_generation(folder) else {
            return Ok(None);
        };
        let read = |name| index.extra(name).ok();
        let Some((meta, hashes, report)) = meta_of(&index).and_then(|meta| {
            let hashes: Hashes = serde_json::from_slice(read(HASHES)?).ok()?;
            let report: Report = serde_json::from_slice(read(REPORT)?).ok()?;
            Some((meta, hashes, report))
        }) else {
            return Ok(None);
        };
        // What could not be read may be readable now, without a trace in its date.
        let unread = |diagnostic: &Diagnostic| diagnostic.code == Code::UnreadableFile;
        if report.diagnostics.iter().any(unread) {
            return Ok(None);
        }
        let mut seen = Seen::nothing();
        if let Some(root) = self.root() {
            let (listing, seen_now) = watch::settled_listing(root);
            let listed = listing.sources;
            if !listing.diagnostics.is_empty() || sources::settings_hash(root, &listed) != hashes.settings {
                return Ok(None);
            }
            let same = |(stamp, (known, hash)): (&Stamp, (&Stamp, &Option<String>))| {
                stamp == known
                    || stamp.path == known.path
                        && stamp.size == known.size
                        && hash.is_some()
                        && sources::hash(root, stamp) == *hash
            };
            let known = meta.seen.sources.iter().zip(&hashes.sources);
            if listed.len() != hashes.sources.len() || !listed.iter().zip(known).all(same) {
                return Ok(None);
            }
            seen = seen_now;
            seen.holdings.clone_from(&meta.seen.holdings);
        }
        // Whoever ingests may do so because something is wrong with the index.
        if index.check().is_err() {
            return Ok(None);
        }
        if seen != meta.seen {
            // The files were only touched; readers are to see that nothing is new.
            let meta = Meta { seen, ..meta }.to_bytes();
            self.switch_to(folder, |file| Ok(index.copy_with((META, &meta), file)?))?;
        }
        Ok(Some(Report {
            unchanged: true,
            ..report
        }))
    }

    /// Builds a generation and switches to it.
    fn write_generation(&self, folder: &Path) -> Result<Report, LibraryError> {
        let written = self.gather_and_write(folder);
        self.watcher.tell(Progress::Ended);
        written
    }

    fn gather_and_write(&self, folder: &Path) -> Result<Report, LibraryError> {
        let jobs = self.jobs();
        let Gathered {
            corpus,
            report,
            extras,
        } = self.gather(jobs)?;
        self.switch_to(folder, |file| {
            Ok(index::build_to(corpus, &extras.each(), jobs, file)?)
        })?;
        Ok(report)
    }

    /// Writes a new generation, switches `CURRENT` to it by one rename, and removes the older ones.
    fn switch_to(
        &self,
        folder: &Path,
        write: impl FnOnce(NewFile) -> Result<NewFile, LibraryError>,
    ) -> Result<(), LibraryError> {
        let failed = |error| LibraryError::io(folder, error);
        let number = |name: &str| -> Option<u64> {
            name.strip_prefix("generation-")?
                .strip_suffix(".shiyi")?
                .parse()
                .ok()
        };
        let existing: Vec<(u64, PathBuf)> = std::fs::read_dir(folder)
            .map_err(failed)?
            .flatten()
            .filter_map(|entry| Some((number(entry.file_name().to_str()?)?, entry.path())))
            .collect();
        let next = existing.iter().map(|(number, _)| number + 1).max().unwrap_or(1);
        let name = format!("generation-{next}.shiyi");
        let generation = self.disk.create(folder).map_err(failed)?;
        let generation = write(generation).map_err(|error| match error {
            LibraryError::Build(BuildError::Io(error)) => failed(error),
            error => error,
        })?;
        generation.persist(&name).map_err(failed)?;
        let mut current = self.disk.create(folder).map_err(failed)?;
        current
            .write_all(format!("{name}\n").as_bytes())
            .and_then(|()| current.persist(CURRENT))
            .map_err(failed)?;
        // Readers that have an old one open keep it.
        for (_, path) in existing {
            self.disk.remove(&path);
        }
        Ok(())
    }

    /// Reads every source and arranges what they hold.
    fn gather(&self, jobs: NonZeroUsize) -> Result<Gathered, LibraryError> {
        // Listed before anything is read: what is changed meanwhile shows as changed.
        let (listing, mut seen) = match self.root() {
            Some(root) => watch::settled_listing(root),
            None => (sources::Listing::default(), Seen::nothing()),
        };
        let (games, known_games, mut diagnostics) = self.games_to_store();
        let mut pairer = Pairer::default();
        let mut own: BTreeSet<String> = BTreeSet::new();
        let (mut hashes, mut files) = (Vec::new(), 0);
        let mut settings = String::new();
        if let Some(root) = self.root() {
            let listed = listing.sources;
            let (declared, declaring) = sources::declared(root, &listed);
            settings = sources::settings_hash(root, &listed);
            let mut read = Vec::new();
            let total = listed.len();
            let everything = jobs::in_order(
                jobs,
                &listed,
                || |stamp: &Stamp| sources::read(root, stamp, declared.get(&stamp.path), &games),
                |(mut parsed, hash)| {
                    hashes.push(hash);
                    self.watcher.tell(Progress::Read { done: files, total });
                    files += 1;
                    read.append(&mut parsed.diagnostics);
                    for entry in &parsed.entries {
                        if !own.contains(entry.game.as_str()) {
                            own.insert(entry.game.to_string());
                        }
                    }
                    pairer.add(parsed);
                    Ok::<(), LibraryError>(())
                },
            );
            everything?;
            diagnostics.extend(listing.diagnostics.into_iter().chain(declaring));
            if own.is_empty() {
                diagnostics.push(
                    Diagnostic::about_file(
                        Code::EmptyLibrary,
                        "",
                        "the library holds no rules or rulings yet",
                    )
                    .hint("bring texts in with `shiyi add FILE`; until then the built-in library answers"),
                );
            }
            diagnostics.append(&mut read);
        }
        for mut parsed in Embedded.parse(&games, |game| !own.contains(game)) {
            files += 1;
            diagnostics.append(&mut parsed.diagnostics);
            pairer.add(parsed);
        }
        let (entries, pairing) = pairer.finish();
        let (corpus, linking) = Corpus::build_with(jobs, entries, &games);
        diagnostics.extend(pairing.into_iter().chain(linking));
        seen.holdings = holdings(&corpus);
        let entries = corpus.entries().len();
        self.watcher.tell(Progress::Indexing { entries });
        let report = Report {
            rows: rows(&corpus, &diagnostics),
            diagnostics,
            files,
            ingested: now(),
            format: FORMAT,
            unchanged: false,
        };
        let extras = Extras {
            meta: Meta {
                program: program_stamp(),
                seen,
            }
            .to_bytes(),
            games: known_games,
            report: to_json(&report)?,
            hashes: to_json(&Hashes {
                settings,
                sources: hashes,
            })?,
        };
        Ok(Gathered {
            corpus,
            report,
            extras,
        })
    }
}

/// What is in each source that holds entries.
fn holdings(corpus: &Corpus) -> BTreeMap<String, Holding> {
    let mut holdings: HashMap<&Name, Holding> = HashMap::new();
    for (idx, entry) in (0u32..).zip(corpus.entries()) {
        let is_replaced = !corpus.is_current(idx).unwrap_or(true);
        for source in &entry.sources {
            let game = &entry.game;
            let holding = holdings.entry(&source.file).or_insert_with(|| Holding {
                game: game.clone(),
                is_replaced,
            });
            holding.is_replaced &= is_replaced;
            if holding.game != *game {
                holding.game = Name::default();
            }
        }
    }
    let holdings = holdings.into_iter();
    holdings
        .map(|(path, holding)| (path.to_string(), holding))
        .collect()
}

/// What a generation is made of.
struct Gathered {
    corpus: Corpus,
    report: Report,
    extras: Extras,
}

/// The extra sections, as they are stored.
struct Extras {
    meta: Vec<u8>,
    games: Vec<u8>,
    report: Vec<u8>,
    hashes: Vec<u8>,
}

impl Extras {
    fn each(&self) -> [Extra<'_>; 4] {
        [
            (META, &self.meta),
            (KNOWN_GAMES, &self.games),
            (REPORT, &self.report),
            (HASHES, &self.hashes),
        ]
    }
}

fn to_json(value: &impl Serialize) -> Result<Vec<u8>, LibraryError> {
    Ok(serde_json::to_vec(value).map_err(|error| Damaged(error.to_string()))?)
}

/// What a generation says of itself; none where that is damaged or another program wrote it.
fn meta_of(index: &Index) -> Option<Meta> {
    let meta = Meta::from_bytes(index.extra(META).ok()?)?;
    (meta.program == program_stamp()).then_some(meta)
}

/// Seconds since 1970; what `SOURCE_DATE_EPOCH` says where a build is to be the same another time.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
    fixed.and_then(|fixed| fixed.parse().ok()).unwrap_or_else(|| {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs())
    })
}

/// Pairs what was parsed and arranges it.
fn build_corpus(mut parsed: Vec<Parsed>, games: &Games) -> (Corpus, Vec<Diagnostic>) {
    let mut diagnostics: Vec<Diagnostic> = parsed
        .iter_mut()
        .flat_map(|parsed| std::mem::take(&mut parsed.diagnostics))
        .collect();
    let (entries, pairing) = pair(parsed, games);
    let (corpus, linking) = Corpus::build(entries, games);
    diagnostics.extend(pairing.into_iter().chain(linking));
    (corpus, diagnostics)
}

/// Counts what a corpus holds, by game, document and edition.
fn rows(corpus: &Corpus, diagnostics: &[Diagnostic]) -> Vec<StatusRow> {
    let mut rows: BTreeMap<(Name, Name, Option<Name>), StatusRow> = BTreeMap::new();
    for entry in corpus.entries() {
        let edition = entry.edition.en.clone().or_else(|| entry.edition.zh.clone());
        let key = (entry.game.clone(), entry.document.clone(), edition.clone());
        let row = rows.entry(key).or_insert_with(|| StatusRow {
            game: entry.game.to_string(),
            document: entry.document.to_string(),
            edition: edition.map(String::from),
            lang: Vec::new(),
            files: Vec::new(),
            counts: Counts::default(),
            pairs: 0,
            diagnostics: 0,
        });
        *row.counts.count(entry.kind) += 1;
        row.counts.examples += entry.examples.len();
        let has = |lang: Lang| entry.text.get(lang).or(entry.title.get(lang)).is_some();
        for lang in Lang::ALL.into_iter().filter(|&lang| has(lang)) {
            if !row.lang.contains(&lang) {
                row.lang.push(lang);
            }
        }
        row.pairs += usize::from(has(Lang::En) && has(Lang::Zh));
        for source in &entry.sources {
            if row.files.iter().all(|file| *file != source.file) {
                row.files.push(source.file.to_string());
            }
        }
    }
    for row in rows.values_mut() {
        row.lang.sort();
        row.files.sort();
        row.diagnostics = diagnostics
            .iter()
            .filter(|diagnostic| row.files.contains(&diagnostic.file))
            .count();
    }
    rows.into_values().collect()
}

/// Opens the generation that `CURRENT` names; none where there is no `CURRENT`.
fn open_generation(folder: &Path) -> Result<Option<Index>, LibraryError> {
    let current = folder.join(CURRENT);
    // A new generation may take the place of the one just read of: follow `CURRENT` again.
    for _ in 0..8 {
        let name = match std::fs::read_to_string(&current) {
            Ok(name) => name.trim().to_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                return Err(Damaged(format!("`{CURRENT}` is no text")).into());
            }
            Err(error) => return Err(LibraryError::io(&current, error)),
        };
        if !name.starts_with("generation-") || name.contains(['/', '\\']) {
            return Err(Damaged(format!("`{CURRENT}` names no generation")).into());
        }
        match Index::open(&folder.join(&name)) {
            Ok(index) => return Ok(Some(index)),
            Err(OpenError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(OpenError::Io(error)) => return Err(LibraryError::io(&folder.join(&name), error)),
            Err(OpenError::OlderFormat(_)) => return Ok(None),
            Err(OpenError::NewerFormat(found)) => {
                return Err(LibraryError::NewerFormat { found, known: FORMAT });
            }
            Err(OpenError::Damaged(damaged)) => return Err(damaged.into()),
        }
    }
    Err(Damaged(format!("the generation that `{CURRENT}` names is not there")).into())
}

/// Where the platform keeps a user's data and caches.
struct Places {
    data: Option<PathBuf>,
    cache: Option<PathBuf>,
}

impl Places {
    fn of_user() -> Places {
        use etcetera::BaseStrategy as _;
        match etcetera::choose_base_strategy() {
            Ok(base) => Places {
                data: Some(base.data_dir().join("shiyi")),
                cache: Some(base.cache_dir().join("shiyi")),
            },
            Err(_) => Places {
                data: None,
                cache: None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_listed_names_are_those_of_the_games() {
        let mut shipped = 0;
        for unread in Embedded.games() {
            let (_, toml) = FILES
                .iter()
                .find(|(path, _)| *path == format!("rules/{}/game.toml", unread.id))
                .unwrap();
            let game = Game::from_toml(toml).unwrap_or_else(|error| panic!("{}: {error}", unread.id));
            assert_eq!(game.id, unread.id);
            let games = Games::over([unread], []);
            assert_eq!(
                format!("{:?}", games.get(unread.id)),
                format!("{:?}", Some(&game))
            );
            for name in game.aliases.iter().chain([&game.names.en]).chain(&game.names.zh) {
                assert!(games.find(name).is_some(), "{}: {name}", game.id);
            }
            shipped += 1;
        }
        assert!(shipped >= 13);
        let (games, stored, _) = Library::new(None, None).games_to_store();
        let stored = Games::stored(std::sync::Arc::new(stored), Embedded::game).unwrap();
        assert_eq!(stored.ids().count(), shipped);
        for game in games.iter() {
            let found = stored.find(game.name(Lang::Zh));
            assert_eq!(format!("{found:?}"), format!("{:?}", Some(game)));
        }
        assert!(Embedded.texts().count() >= 5);
    }
}
