//! Which library is it, and how do its sources become something that answers?
//!
//! A library is a folder with `rules/<game>/`, `rulings/<game>/` and `index/`. The embedded library (this
//! project's own wording, [`Embedded`]) is a layer below every library: its games always, its entries for a
//! game until the library has that game.
//!
//! [`Library::ingest`] builds a new generation beside the old one and switches to it by renaming one file,
//! `CURRENT`, into place. Readers follow `CURRENT`; a crash leaves the previous generation answering.

pub mod audit;
mod cut;
mod disk;
pub mod doctor;
mod embedded;
mod generation;
pub mod progress;
mod report;
pub mod sources;
mod touched;
mod watch;

pub use cut::Cut;
#[doc(hidden)]
pub use disk::Fault;
pub use embedded::{EMBEDDED_PREFIX, Embedded};
pub use report::{Counts, Report, StatusRow};

use generation::{CURRENT, KNOWN_GAMES, META, REPORT, meta_of, open_generation, program_stamp};

use crate::corpus::{Corpus, Damaged, Entries};
use crate::diagnostic::Diagnostic;
use crate::game::{Games, stored};
use crate::index::{self, BuildError, Index};
use crate::jobs;
use crate::name::Name;
use crate::pair::pair;
use crate::parse::Parsed;
use crate::segment::{Cutter, characters};
use disk::{Disk, Lock};
use progress::{Progress, Watcher};
use std::collections::{BTreeSet, HashMap};
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use watch::{Looked, Meta};

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
    /// The folder that the index is kept in; none of one that is not kept.
    folder: Option<PathBuf>,
}

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
    /// The same library, for whoever asks for what is in force: [`Library::open`] looks at the settings and for new games
    /// only, and [`Library::changes`] at the folders and files of the games that an answer is from.
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
                    folder: None,
                });
            }
        }
        let (index, games, folder, report) = match self.kept_index(&mut notices)? {
            Some((index, games, folder)) => (index, games, Some(folder), None),
            None => {
                let (index, report, kept) = self.build_for_reading()?;
                notices.push(Notice::Built { kept });
                (index, self.games().0, None, Some(report))
            }
        };
        Ok(Opened {
            loaded: Loaded::Index(Box::new(index)),
            games,
            notices,
            report,
            folder,
        })
    }

    /// Builds the index again in which damage was found, and opens it.
    ///
    /// # Errors
    ///
    /// That damage, when sources are gone that the index had been made of; else as for [`Library::open`].
    pub fn repair(&self, damaged: Damaged) -> Result<Opened, LibraryError> {
        for folder in self.index_folders() {
            match open_generation(&folder) {
                Ok(Some(index)) => {
                    let meta = meta_of(&index);
                    self.has_sources(meta.as_ref(), damaged)?;
                    break;
                }
                // It is so damaged that it does not even open.
                Err(LibraryError::Damaged(damaged)) => self.has_sources(None, damaged)?,
                Ok(None) | Err(_) => {}
            }
        }
        let (games, _) = self.games();
        let (index, report, kept) = self.build_for_reading()?;
        Ok(Opened {
            loaded: Loaded::Index(Box::new(index)),
            games,
            notices: vec![Notice::Built { kept }],
            report: Some(report),
            folder: None,
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

    /// The index that is there, if it is of use, with the known games, and its folder.
    fn kept_index(&self, notices: &mut Vec<Notice>) -> Result<Option<(Index, Games, PathBuf)>, LibraryError> {
        for folder in self.index_folders() {
            match open_generation(&folder) {
                Ok(Some(index)) => match self.kept_games(&index, &folder, notices) {
                    Ok(Some(games)) => return Ok(Some((index, games, folder))),
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
    fn kept_games(
        &self,
        index: &Index,
        folder: &Path,
        notices: &mut Vec<Notice>,
    ) -> Result<Option<Games>, Damaged> {
        let bytes = index.extra(META)?;
        if watch::program(bytes).is_none_or(|(program, _)| program != program_stamp()) {
            return Ok(None);
        }
        let looked = match self.looks_late {
            true => Looked::Frame,
            false => Looked::All,
        };
        let changes = self.changes_since(index, Some(folder), looked)?;
        if changes.settings || changes.sources {
            notices.push(Notice::Stale);
        }
        if changes.settings {
            return Ok(Some(self.games().0));
        }
        Ok(Games::stored(index.shared_extra(KNOWN_GAMES)?, Embedded::game))
    }

    /// Whether a file has changed from which texts in force of these games are, or of any; only where
    /// [`Library::open`] did not look at them.
    pub fn changes(&self, opened: &Opened, games: Option<&[Name]>) -> Option<Notice> {
        let (Loaded::Index(index), true) = (&opened.loaded, self.looks_late) else {
            return None;
        };
        let changes = self.changes_since(index, opened.folder.as_deref(), Looked::InForce(games));
        changes
            .is_ok_and(|changes| changes.sources || changes.settings)
            .then_some(Notice::Stale)
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
