//! Has anything changed that an index was made of?
//!
//! Every call asks, so the answer is cheap while it is no: an index keeps what was seen of each file and folder, as
//! bytes that are compared with what the file system says of them, one question each and nothing read. A file that
//! was edited differs in size or time, a file that is new, gone or renamed shows in the time of its folder. What
//! looks changed is then listed and compared, file by file.
//!
//! ```text
//! meta := length of the program's name u8, the name
//!         1 if this is all there was to see, else 0: u8
//!         for each file and folder: what it is u8, size u64, modified u64 (see [`Stamp`]),
//!                                   length of the path u32, of the game u32, path, 0,
//!                                   the game whose entries alone it holds, if there is one
//! ```
//!
//! The topmost folder that holds entries of one game alone has none there: what is new in it may be of any.

use super::sources::{Listing, Stamp, listing};
use crate::name::Name;
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What a generation says of itself, beside its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meta {
    /// The program that wrote it. Another version may ship other rules or fold otherwise.
    pub(super) program: String,
    /// What it was made of.
    pub(super) seen: Seen,
}

/// What was seen of the files and folders of a library. That of the embedded one alone is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// Every source, in order of path.
    pub(super) sources: Vec<Stamp>,
    /// Every `game.toml` and `sources.toml`.
    pub(super) settings: Vec<Stamp>,
    folders: Vec<Stamp>,
    /// What is in each source, by path; nothing is known of one that is not there.
    pub(super) holdings: BTreeMap<String, Holding>,
    /// False where a change may leave no trace in these: something could not be read, or was written in the very
    /// moment it was listed. Such a library is listed at every call.
    complete: bool,
}

/// What is in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Holding {
    /// The game of its entries; empty where there are several.
    pub(super) game: Name,
    /// A newer edition replaced them all.
    pub(super) is_replaced: bool,
}

impl Seen {
    /// Takes the folders as they are listed now, where they were kept at all.
    pub(super) fn see_folders(&mut self, listing: &Listing) {
        if !self.folders.is_empty() {
            self.folders.clone_from(&listing.folders);
        }
    }

    /// Nothing, of a library that has no files.
    pub(super) fn nothing() -> Seen {
        Seen {
            sources: Vec::new(),
            settings: Vec::new(),
            folders: Vec::new(),
            holdings: BTreeMap::new(),
            complete: true,
        }
    }

    /// The game that all entries below a folder are of; empty where there are several.
    fn game_of(&self, folder: &str) -> &str {
        let below = format!("{folder}/");
        let mut games = self
            .holdings
            .range(below.clone()..)
            .take_while(|(path, _)| path.starts_with(&below))
            .map(|(_, holding)| &*holding.game);
        let first = games.next().unwrap_or_default();
        if games.all(|game| game == first) {
            first
        } else {
            ""
        }
    }

    /// The game of a folder that stands below one of the same game.
    fn game_of_lower(&self, folder: &str) -> &str {
        match folder.rsplit_once('/') {
            Some((above, _)) if self.game_of(above) == self.game_of(folder) => self.game_of(folder),
            _ => "",
        }
    }
}

/// The step of a file system's clock: two changes within one leave the same time behind. Some count whole seconds.
const STEP: Duration = Duration::from_millis(20);
const COARSE_STEP: Duration = Duration::from_secs(2);

/// Lists a library so that whatever changes afterwards shows: where a folder was changed just now, by waiting until
/// the clock has gone on.
pub(super) fn settled_listing(root: &Path) -> (Listing, Seen) {
    let mut listed = listing(root);
    if !is_settled(&listed) {
        std::thread::sleep(STEP);
        listed = listing(root);
    }
    // Folders have the times at which they were made here; whoever wants the same index elsewhere goes without.
    let is_local = std::env::var_os("SOURCE_DATE_EPOCH").is_none();
    let seen = Seen {
        sources: listed.sources.clone(),
        settings: listed.settings.clone(),
        folders: if is_local {
            listed.folders.clone()
        } else {
            Vec::new()
        },
        holdings: BTreeMap::new(),
        complete: is_local && is_settled(&listed) && listed.diagnostics.is_empty(),
    };
    (listed, seen)
}

/// True when no folder was changed within the present step of the clock.
fn is_settled(listing: &Listing) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    listing.folders.iter().all(|folder| {
        let changed = Duration::from_nanos(folder.size.max(folder.modified));
        let step = match changed.subsec_nanos() {
            0 => COARSE_STEP,
            _ => STEP,
        };
        changed + step < now
    })
}

/// True when nothing of a library was written so lately that another change might leave the same time behind.
pub(super) fn is_at_rest(listing: &Listing) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let stamps = listing.sources.iter().chain(&listing.settings);
    let files = stamps.map(|stamp| stamp.modified);
    let folders = listing
        .folders
        .iter()
        .map(|folder| folder.size.max(folder.modified));
    files
        .chain(folders)
        .all(|time| Duration::from_nanos(time) + COARSE_STEP < now)
}

/// What a row is of.
const FOLDER: u8 = 0;
const SOURCE: u8 = 1;
const SETTING: u8 = 2;
const REPLACED: u8 = 3;

/// Bytes of a row before its path.
const NUMBERS: usize = 25;

impl Meta {
    /// As it is stored.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let Meta { program, seen } = self;
        let mut bytes = vec![program.len() as u8];
        bytes.extend(program.as_bytes());
        bytes.push(u8::from(seen.complete));
        for (kind, stamps) in [
            (FOLDER, &seen.folders),
            (SOURCE, &seen.sources),
            (SETTING, &seen.settings),
        ] {
            for Stamp { path, size, modified } in stamps {
                let holding = seen.holdings.get(path).filter(|_| kind == SOURCE);
                let is_replaced = holding.is_some_and(|holding| holding.is_replaced);
                let game = match kind {
                    FOLDER => seen.game_of_lower(path),
                    _ => holding.map_or("", |holding| &holding.game),
                };
                bytes.push(if is_replaced { REPLACED } else { kind });
                bytes.extend(size.to_le_bytes());
                bytes.extend(modified.to_le_bytes());
                for text in [path, game] {
                    bytes.extend((text.len() as u32).to_le_bytes());
                }
                bytes.extend(path.as_bytes());
                bytes.push(0);
                bytes.extend(game.as_bytes());
            }
        }
        bytes
    }

    /// Reads it whole; none where it is no such thing.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Meta> {
        let (program, rest) = program(bytes)?;
        let (complete, mut rows) = rest.split_first()?;
        let mut seen = Seen {
            complete: *complete == 1,
            ..Seen::nothing()
        };
        while !rows.is_empty() {
            let row = Row::first(&mut rows)?;
            let stamps = match row.kind {
                FOLDER => &mut seen.folders,
                SOURCE | REPLACED => &mut seen.sources,
                SETTING => &mut seen.settings,
                _ => return None,
            };
            let path = row.path()?.to_str().ok()?.to_owned();
            let holding = Holding {
                game: std::str::from_utf8(row.game).ok()?.into(),
                is_replaced: row.kind == REPLACED,
            };
            if row.kind != FOLDER && (!holding.game.is_empty() || holding.is_replaced) {
                seen.holdings.insert(path.clone(), holding);
            }
            stamps.push(Stamp {
                path,
                size: row.size,
                modified: row.modified,
            });
        }
        Some(Meta {
            program: program.to_owned(),
            seen,
        })
    }
}

/// The program that wrote a generation, from its stored [`Meta`], and what follows.
pub(super) fn program(meta: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = meta.split_first()?;
    let (program, rest) = rest.split_at_checked(usize::from(*length))?;
    Some((std::str::from_utf8(program).ok()?, rest))
}

/// A row of the stored form.
struct Row<'m> {
    kind: u8,
    size: u64,
    modified: u64,
    /// With the 0 that ends it.
    path: &'m [u8],
    game: &'m [u8],
}

impl<'m> Row<'m> {
    /// Takes the first row off.
    fn first(rows: &mut &'m [u8]) -> Option<Row<'m>> {
        let (numbers, rest) = rows.split_at_checked(NUMBERS)?;
        let length = |at: usize| Some(u32::from_le_bytes(*numbers[at..].first_chunk()?) as usize);
        let (path, rest) = rest.split_at_checked(length(17)?.checked_add(1)?)?;
        let (game, rest) = rest.split_at_checked(length(21)?)?;
        *rows = rest;
        Some(Row {
            kind: numbers[0],
            size: u64::from_le_bytes(*numbers[1..].first_chunk()?),
            modified: u64::from_le_bytes(*numbers[9..].first_chunk()?),
            path,
            game,
        })
    }

    fn path(&self) -> Option<&'m CStr> {
        CStr::from_bytes_with_nul(self.path).ok()
    }
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) enum Looked<'g> {
    /// Every file and folder.
    All,
    /// The settings, and the folders that are not of one game alone: they show a game that is new or gone.
    Frame,
    /// The folders of these games, or of all, which show a source that is new, gone or renamed, and the sources that are
    /// in force: whoever edits a replaced edition in place changes no rule that is.
    InForce(Option<&'g [Name]>),
}

impl Looked<'_> {
    /// True for a source that is looked at; what is in it is known of those that hold entries.
    pub(super) fn includes_source(self, holding: Option<&Holding>) -> bool {
        match (self, holding) {
            (Looked::All, _) => true,
            (Looked::Frame, _) => false,
            (Looked::InForce(_), None) => true,
            (Looked::InForce(_), Some(holding)) if holding.is_replaced => false,
            (Looked::InForce(None), Some(_)) => true,
            (Looked::InForce(Some(games)), Some(holding)) => {
                holding.game.is_empty() || games.contains(&holding.game)
            }
        }
    }

    fn includes(self, row: &Row<'_>) -> bool {
        let is_frame = row.kind == SETTING || row.kind == FOLDER && row.game.is_empty();
        match self {
            Looked::All => true,
            Looked::Frame => is_frame,
            Looked::InForce(_) if is_frame || row.kind == REPLACED => false,
            Looked::InForce(None) => true,
            Looked::InForce(Some(games)) => {
                row.game.is_empty() || games.iter().any(|game| game.as_bytes() == row.game)
            }
        }
    }
}

/// True when everything in a stored [`Meta`] that is looked at looks as it did. False says little: the folder may have
/// been written to without a source changing.
pub(super) fn looks_unchanged(root: &Path, meta: &[u8], looked: Looked<'_>) -> bool {
    let look_all = || {
        let (_, rest) = program(meta)?;
        let (complete, mut rows) = rest.split_first()?;
        if *complete == 0 {
            return None;
        }
        let eyes = Eyes::at(root)?;
        while !rows.is_empty() {
            let row = Row::first(&mut rows)?;
            if !looked.includes(&row) {
                continue;
            }
            let (size, changed, modified) = eyes.look(row.path()?);
            let size = if row.kind == FOLDER { changed } else { size };
            if (size, modified) != (row.size, row.modified) {
                return None;
            }
        }
        Some(())
    };
    look_all().is_some()
}

/// Seconds and nanoseconds since 1970, of whatever type the platform has for them, as nanoseconds; 0 before.
#[cfg(unix)]
pub(super) fn nanoseconds(seconds: impl TryInto<u64>, nanoseconds: impl TryInto<u64>) -> u64 {
    let (Ok(seconds), Ok(nanoseconds)) = (seconds.try_into(), nanoseconds.try_into()) else {
        return 0;
    };
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// A folder below which files are looked at. Relative to an open folder that costs the system, too, the least.
struct Eyes {
    #[cfg(unix)]
    folder: rustix::fd::OwnedFd,
    #[cfg(not(unix))]
    folder: std::path::PathBuf,
}

#[cfg(unix)]
impl Eyes {
    fn at(root: &Path) -> Option<Eyes> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(root, flags, Mode::empty()).ok()?;
        Some(Eyes { folder })
    }

    /// Size, change and modification of what is there; nothing of what is not.
    fn look(&self, path: &CStr) -> (u64, u64, u64) {
        match rustix::fs::statat(&self.folder, path, rustix::fs::AtFlags::empty()) {
            Ok(stat) => (
                stat.st_size as u64,
                nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
                nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
            ),
            Err(_) => (0, 0, 0),
        }
    }
}

#[cfg(not(unix))]
impl Eyes {
    fn at(root: &Path) -> Option<Eyes> {
        Some(Eyes {
            folder: root.to_owned(),
        })
    }

    /// Size, change and modification of what is there; nothing of what is not. Times of change are not known here.
    fn look(&self, path: &CStr) -> (u64, u64, u64) {
        let metadata = path
            .to_str()
            .ok()
            .and_then(|path| std::fs::metadata(self.folder.join(path)).ok());
        metadata.map_or((0, 0, 0), |metadata| {
            (metadata.len(), 0, super::sources::since_1970(metadata.modified()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Whether a library of two folders and three files, one of them of a replaced edition, looks unchanged after a
    /// change: all of it, what is in force of its game, and of another; and whether its files are.
    fn after(change: impl FnOnce(&Path)) -> ([bool; 3], bool) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("rules/demo/old")).unwrap();
        for file in [
            "rules/demo/en.txt",
            "rules/demo/old/en.txt",
            "rules/demo/game.toml",
        ] {
            fs::write(root.join(file), "text").unwrap();
        }
        let (_, mut seen) = settled_listing(root);
        for (path, is_replaced) in [("rules/demo/en.txt", false), ("rules/demo/old/en.txt", true)] {
            let game = "demo".into();
            seen.holdings
                .insert(path.to_owned(), Holding { game, is_replaced });
        }
        let meta = Meta {
            program: "demo 1".to_owned(),
            seen,
        };
        let bytes = meta.to_bytes();
        assert_eq!(Meta::from_bytes(&bytes).as_ref(), Some(&meta));
        let looks = || {
            let in_force = |game: &str| {
                [Looked::Frame, Looked::InForce(Some(&[game.into()]))]
                    .iter()
                    .all(|looked| looks_unchanged(root, &bytes, *looked))
            };
            let all = looks_unchanged(root, &bytes, Looked::All);
            [all, in_force("demo"), in_force("other")]
        };
        assert_eq!(looks(), [true; 3]);
        change(root);
        let now = listing(root);
        let is_same = now.sources == meta.seen.sources && now.settings == meta.seen.settings;
        (looks(), is_same)
    }

    #[test]
    fn every_change_is_seen() {
        let set_back = |path: &Path| {
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(9)).unwrap();
        };
        assert_eq!(after(|_| ()), ([true; 3], true));
        let changes: &[fn(&Path)] = &[
            |root| fs::write(root.join("rules/demo/en.txt"), "texts").unwrap(),
            |root| fs::write(root.join("rules/demo/game.toml"), "texts").unwrap(),
            |root| fs::write(root.join("rules/demo/sources.toml"), "").unwrap(),
            |root| fs::write(root.join("rules/demo/old/new.txt"), "").unwrap(),
            |root| fs::remove_file(root.join("rules/demo/old/en.txt")).unwrap(),
            |root| fs::remove_file(root.join("rules/demo/game.toml")).unwrap(),
            |root| fs::rename(root.join("rules/demo/en.txt"), root.join("rules/demo/old/zh.txt")).unwrap(),
            |root| fs::rename(root.join("rules/demo"), root.join("rules/other")).unwrap(),
            |root| {
                fs::create_dir_all(root.join("rulings/demo")).unwrap();
                fs::write(root.join("rulings/demo/zh.txt"), "").unwrap();
            },
            |root| fs::remove_dir_all(root.join("rules")).unwrap(),
        ];
        for (at, change) in changes.iter().enumerate() {
            let (looks, is_same) = after(change);
            // Whoever asks for another game sees what changed in the settings, and which games there are.
            let is_seen = [1, 5, 7, 8, 9].contains(&at);
            assert_eq!((looks, is_same), ([false, false, !is_seen], false), "change {at}");
        }
        assert_eq!(
            after(|root| set_back(&root.join("rules/demo/en.txt"))),
            ([false, false, true], false)
        );
        let edited = |root: &Path| fs::write(root.join("rules/demo/old/en.txt"), "texts").unwrap();
        assert_eq!(after(edited), ([false, true, true], false));
        // What is no source is looked at more closely, and is no change.
        let note = |root: &Path| fs::write(root.join("rules/demo/README.md"), "").unwrap();
        assert_eq!(after(note), ([false, false, true], true));
    }

    #[test]
    fn a_folder_is_of_the_game_that_all_below_it_is_of() {
        let mut seen = Seen::nothing();
        for (path, game) in [
            ("rules/a/en/1.txt", "a"),
            ("rules/a/en/2.txt", "a"),
            ("rules/a-b/1.txt", "b"),
            ("rules/mixed/old/1.txt", ""),
            ("rulings/1.txt", "a"),
        ] {
            let (game, is_replaced) = (game.into(), false);
            seen.holdings
                .insert(path.to_owned(), Holding { game, is_replaced });
        }
        let of = [
            "rules",
            "rules/a",
            "rules/a/en",
            "rules/a-b",
            "rules/mixed/old",
            "rulings",
        ];
        assert_eq!(
            of.map(|folder| seen.game_of(folder)),
            ["", "a", "a", "b", "", "a"]
        );
        assert_eq!(
            of.map(|folder| seen.game_of_lower(folder)),
            ["", "", "a", "", "", ""]
        );
    }

    #[test]
    fn what_cannot_be_read_is_always_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let (_, seen) = settled_listing(folder.path());
        let meta = Meta {
            program: String::new(),
            seen: Seen {
                complete: false,
                ..seen
            },
        };
        assert!(!looks_unchanged(folder.path(), &meta.to_bytes(), Looked::Frame));
        assert_eq!(Meta::from_bytes(b"\x04pr"), None);
    }
}
