//! Is every part of the library as it should be? Looks at all of it, and puts right what can be.

use super::generation::{HASHES, Hashes};
use super::{
    CURRENT, Library, LibraryError, META, Meta, REPORT, Report, open_generation, program_stamp, sources,
};
use crate::corpus::{Damaged, Entries as _};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::index::Index;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A part of a library, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What kind of part.
    pub part: Part,
    /// Its path, relative to the library where it is in it.
    pub name: String,
    /// How it is.
    pub state: State,
    /// For a source, how many remarks the newest ingest made about it.
    pub diagnostics: usize,
}

/// A kind of part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The folder of the library.
    Library,
    /// A text, or a file that says something about texts.
    Source,
    /// An index.
    Index,
    /// The lock that one ingest at a time holds.
    Lock,
    /// A file beside the index that nothing refers to.
    Leftover,
}

impl Part {
    /// The stable spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Library => "library",
            Part::Source => "source",
            Part::Index => "index",
            Part::Lock => "lock",
            Part::Leftover => "leftover",
        }
    }
}

/// How a part was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Sound,
    /// A source that changed since the newest ingest.
    Changed,
    /// A source that came after the newest ingest.
    New,
    /// A source that was there at the newest ingest.
    Gone,
    /// A text that lacks a part of what its table of contents names; the remark about it.
    CutShort(Box<Diagnostic>),
    /// A file that cannot be read, and why.
    Unreadable(String),
    /// There is no index yet.
    Missing,
    /// An index of another version of this program.
    OtherVersion,
    /// An index of a newer format.
    Newer(u32),
    /// An index that is damaged: the damages that were found first, and how many there are.
    Damaged(Vec<Damaged>, usize),
    /// Another process holds the lock; its number, where it is known.
    Held(Option<u32>),
    /// A leftover that cannot be removed now.
    Left,
    /// A leftover that was removed.
    Removed,
}

impl State {
    /// The stable spelling.
    pub fn as_str(&self) -> &'static str {
        match self {
            State::Sound => "sound",
            State::Changed => "changed",
            State::New => "new",
            State::Gone => "gone",
            State::CutShort(_) => "cut-short",
            State::Unreadable(_) => "unreadable",
            State::Missing => "missing",
            State::OtherVersion => "other-version",
            State::Newer(_) => "newer",
            State::Damaged(..) => "damaged",
            State::Held(_) => "held",
            State::Left => "left",
            State::Removed => "removed",
        }
    }
}

impl Check {
    fn new(part: Part, name: impl Into<String>, state: State) -> Check {
        Check {
            part,
            name: name.into(),
            state,
            diagnostics: 0,
        }
    }

    /// True for something that is wrong. An index that is not there yet or of another version is built at the
    /// next call in any case, and an ingest that is running is nothing wrong, either.
    pub fn is_finding(&self) -> bool {
        !matches!(
            self.state,
            State::Sound | State::Missing | State::OtherVersion | State::Held(_)
        )
    }
}

/// What a check of a library found and did.
#[derive(Debug, Clone, Default)]
pub struct Checkup {
    /// Every part.
    pub checks: Vec<Check>,
    /// Entries, blocks with a checksum and bytes of the index that is sound, if one was.
    pub index: Option<IndexSize>,
    /// What the ingest found that built the index again, if it had to be.
    pub rebuilt: Option<Report>,
}

/// How large an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSize {
    /// Entries that were read back.
    pub entries: usize,
    /// Blocks whose checksum was compared.
    pub blocks: usize,
}

impl Checkup {
    /// How many parts are not as they should be.
    pub fn n_findings(&self) -> usize {
        self.checks.iter().filter(|check| check.is_finding()).count()
    }
}

/// Damages that are named one by one; the rest is counted.
const NAMED_DAMAGES: usize = 3;

/// What the first look at an index gave.
struct Looked {
    state: State,
    name: String,
    sources: Option<Vec<sources::Stamp>>,
    hashes: Option<Hashes>,
    report: Option<Report>,
    size: Option<IndexSize>,
}

impl Library {
    /// Looks at every part of the library: its sources, its index (every checksum, every entry read back), the
    /// lock and what is left over. An index that is missing, damaged or another version's is built again, and
    /// leftovers are removed, unless another ingest is running.
    ///
    /// # Errors
    ///
    /// [`LibraryError`] when the index must be built again and cannot be.
    pub fn check_up(&self) -> Result<Checkup, LibraryError> {
        let mut checkup = Checkup::default();
        let root = self.root().map(|root| root.display().to_string());
        let name = root.unwrap_or_else(|| "built-in".to_owned());
        checkup.checks.push(Check::new(Part::Library, name, State::Sound));

        let folders: Vec<PathBuf> = self.index_folders().collect();
        let kept: Vec<&PathBuf> = folders.iter().filter(|folder| holds_index(folder)).collect();
        let looked: Vec<Looked> = kept.iter().map(|folder| self.look_at(folder)).collect();
        let answering = looked.iter().find(|looked| looked.state == State::Sound);
        checkup.index = answering.and_then(|looked| looked.size);
        self.check_sources(answering, &mut checkup.checks);
        let mut rebuild = answering.is_none();
        for (folder, looked) in kept.iter().zip(&looked) {
            // One that cannot be written over is left as it is as long as another one answers.
            rebuild |= looked.state != State::Sound && can_be_written(folder);
            let check = Check::new(Part::Index, looked.name.clone(), looked.state.clone());
            checkup.checks.push(check);
        }
        if kept.is_empty() {
            let folder = folders.first().map(|folder| self.shown(folder));
            let check = Check::new(Part::Index, folder.unwrap_or_default(), State::Missing);
            checkup.checks.push(check);
        }
        let held = folders.iter().find_map(|folder| {
            let Lock::Held(pid) = Lock::of(folder) else {
                return None;
            };
            Some((self.shown(&folder.join("lock")), pid))
        });
        let newer = looked
            .iter()
            .any(|looked| matches!(looked.state, State::Newer(_)));
        let busy = held.is_some();
        let (name, state) = match held {
            Some((name, pid)) => (name, State::Held(pid)),
            None => ("lock".to_owned(), State::Sound),
        };
        checkup.checks.push(Check::new(Part::Lock, name, state));
        let leftovers: Vec<(&PathBuf, PathBuf)> = folders
            .iter()
            .flat_map(|folder| leftovers(folder).into_iter().map(move |path| (folder, path)))
            .collect();
        // What a newer program wrote is its own to repair.
        if rebuild && !newer && !busy {
            checkup.rebuilt = Some(self.rebuild()?);
        }
        for (folder, path) in leftovers {
            let state = match Lock::of(folder) {
                // It is what the running ingest is writing.
                Lock::Held(_) => continue,
                _ if !path.exists() || std::fs::remove_file(&path).is_ok() => State::Removed,
                _ => State::Left,
            };
            let name = self.shown(&path);
            checkup.checks.push(Check::new(Part::Leftover, name, state));
        }
        Ok(checkup)
    }

    /// A path as it is shown: relative to the library where it is in it.
    fn shown(&self, path: &Path) -> String {
        let inside = self.root().and_then(|root| path.strip_prefix(root).ok());
        let shown = inside.unwrap_or(path).display().to_string();
        if inside.is_some() {
            shown.replace('\\', "/")
        } else {
            shown
        }
    }

    /// Reads an index that `CURRENT` names, all of it.
    fn look_at(&self, folder: &Path) -> Looked {
        let current = std::fs::read_to_string(folder.join(CURRENT));
        let mut looked = Looked {
            state: State::Sound,
            name: self.shown(folder),
            sources: None,
            hashes: None,
            report: None,
            size: None,
        };
        match &current {
            Ok(current) if is_generation(current.trim()) => {
                looked.name = self.shown(&folder.join(current.trim()));
            }
            Ok(_) => {}
            Err(error) => {
                let damaged = Damaged(format!("`{CURRENT}` cannot be read: {error}"));
                looked.state = State::Damaged(vec![damaged], 1);
                return looked;
            }
        }
        let index = match open_generation(folder) {
            Ok(Some(index)) => index,
            Ok(None) => {
                looked.state = State::OtherVersion;
                return looked;
            }
            Err(LibraryError::NewerFormat { found, .. }) => {
                looked.state = State::Newer(found);
                return looked;
            }
            Err(LibraryError::Damaged(damaged)) => {
                looked.state = State::Damaged(vec![damaged], 1);
                return looked;
            }
            Err(error) => {
                looked.state = State::Unreadable(error.to_string());
                return looked;
            }
        };
        let mut damages = index.damages();
        let n = damages.len();
        if n > 0 {
            damages.truncate(NAMED_DAMAGES);
            looked.state = State::Damaged(damages, n);
            return looked;
        }
        match stored(&index) {
            Ok((meta, _)) if meta.program != program_stamp() => looked.state = State::OtherVersion,
            Ok((meta, report)) => {
                looked.sources = Some(meta.seen.sources);
                looked.hashes = index
                    .extra(HASHES)
                    .ok()
                    .and_then(|hashes| serde_json::from_slice(hashes).ok());
                looked.report = Some(report);
                looked.size = Some(IndexSize {
                    entries: index.len(),
                    blocks: index.n_blocks(),
                });
            }
            Err(damaged) => looked.state = State::Damaged(vec![damaged], 1),
        }
        looked
    }

    /// Every source: can it be read, and is it what was ingested?
    fn check_sources(&self, answering: Option<&Looked>, checks: &mut Vec<Check>) {
        let Some(root) = self.root() else { return };
        let (_, mut faults) = self.games();
        let (listed, listing) = sources::list(root);
        let (_, declaring) = sources::declared(root, &listed);
        faults.extend(listing.into_iter().chain(declaring));
        let mut remarks: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
        let report = answering.and_then(|looked| looked.report.as_ref());
        for diagnostic in report.iter().flat_map(|report| &report.diagnostics) {
            remarks.entry(&diagnostic.file).or_default().push(diagnostic);
        }
        let ingested = answering.and_then(|looked| looked.sources.as_ref());
        let hashes = answering.and_then(|looked| looked.hashes.as_ref());
        let hash_of = |path: &str| {
            let idx = ingested?.iter().position(|before| before.path == path)?;
            hashes?.sources.get(idx)?.clone()
        };
        for stamp in &listed {
            let before = ingested.map(|ingested| ingested.iter().find(|before| before.path == stamp.path));
            let remarks = remarks.get(stamp.path.as_str()).map_or(&[][..], Vec::as_slice);
            let fault = remarks
                .iter()
                .find(|remark| remark.severity == Severity::Error)
                .map(|remark| remark.message.clone());
            let state = match (std::fs::read(root.join(&stamp.path)), before) {
                (Err(error), _) => State::Unreadable(error.to_string()),
                (Ok(_), Some(None)) => State::New,
                (Ok(bytes), Some(Some(before)))
                    if before != stamp && hash_of(&stamp.path) != Some(blake3::hash(&bytes).to_string()) =>
                {
                    State::Changed
                }
                (Ok(_), _) => match (fault, remarks.iter().find(|remark| remark.code == Code::CutShort)) {
                    (Some(fault), _) => State::Unreadable(fault),
                    (None, Some(cut)) => State::CutShort(Box::new((*cut).clone())),
                    (None, None) => State::Sound,
                },
            };
            checks.push(Check {
                diagnostics: remarks.len(),
                ..Check::new(Part::Source, &stamp.path, state)
            });
        }
        let there: BTreeSet<&str> = listed.iter().map(|stamp| stamp.path.as_str()).collect();
        for gone in ingested.into_iter().flatten() {
            if !there.contains(gone.path.as_str()) {
                checks.push(Check::new(Part::Source, &gone.path, State::Gone));
            }
        }
        for fault in faults {
            let why = match fault.position {
                Some(_) => format!("{}: {}", fault.location(), fault.message),
                None => fault.message.clone(),
            };
            checks.push(Check::new(Part::Source, fault.file, State::Unreadable(why)));
        }
    }
}

/// What the names of files begin with that are not yet written to their end.
const UNFINISHED: &str = ".writing-";

fn is_generation(name: &str) -> bool {
    name.starts_with("generation-") && !name.contains(['/', '\\'])
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// True for a folder that an index was kept in, whatever became of it.
fn holds_index(folder: &Path) -> bool {
    names_in(folder)
        .iter()
        .any(|name| name == CURRENT || is_generation(name))
}

/// Files that nothing refers to: what an ingest that was ended in the middle had written, and generations beside
/// the one that answers.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let current = std::fs::read_to_string(folder.join(CURRENT)).unwrap_or_default();
    let names = names_in(folder);
    let answers = names.iter().any(|name| name == current.trim());
    names
        .iter()
        .filter(|name| {
            name.starts_with(UNFINISHED) || answers && is_generation(name) && *name != current.trim()
        })
        .map(|name| folder.join(name))
        .collect()
}

/// What a generation says of itself.
pub(super) fn stored(index: &Index) -> Result<(Meta, Report), Damaged> {
    let unread = |error: serde_json::Error| Damaged(error.to_string());
    let meta = Meta::from_bytes(index.extra(META)?)
        .ok_or_else(|| Damaged("what the index says of itself cannot be read".to_owned()))?;
    let report = serde_json::from_slice(index.extra(REPORT)?).map_err(unread)?;
    Ok((meta, report))
}

/// The lock of an index.
enum Lock {
    /// Nobody holds it; it is ours until this value is dropped.
    #[expect(dead_code, reason = "the lock is held as long as the file is open")]
    Ours(File),
    /// There is none, or this file system has no locks.
    None,
    /// Another process holds it.
    Held(Option<u32>),
}

impl Lock {
    fn of(folder: &Path) -> Lock {
        let path = folder.join("lock");
        let Ok(file) = File::options().write(true).open(&path) else {
            return Lock::None;
        };
        match file.try_lock() {
            Ok(()) => Lock::Ours(file),
            Err(std::fs::TryLockError::WouldBlock) => {
                let pid = std::fs::read_to_string(&path).ok();
                Lock::Held(pid.and_then(|pid| pid.trim().parse().ok()))
            }
            Err(std::fs::TryLockError::Error(_)) => Lock::None,
        }
    }
}

/// True when a new generation can be written there.
fn can_be_written(folder: &Path) -> bool {
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)
        .is_ok()
}
