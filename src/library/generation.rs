//! How does what a library holds become a generation, and when is there need of a new one?
//!
//! A generation is one packed file; `CURRENT` says which one answers. It is written beside the old one and switched to by
//! a rename, so that a reader has one of the two whatever happens.

use super::cut::{CUTS, Cut};
use super::disk::NewFile;
use super::embedded::{Embedded, TEXTS_STAMP};
use super::progress::Progress;
use super::report::{Report, rows};
use super::sources::{self, Stamp};
use super::watch::{self, Holding, Meta, Seen};
use super::{Library, LibraryError};
use crate::corpus::{Corpus, Damaged, Entries as _};
use crate::diagnostic::{Code, Diagnostic};
use crate::index::{self, BuildError, Extra, FORMAT, Index, OpenError};
use crate::jobs;
use crate::name::Name;
use crate::pair::{Paired, Pairer};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// What tells whether an ingest would find anything new.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hashes {
    /// Of everything that describes the texts: `game.toml`, `sources.toml`.
    pub(super) settings: String,
    /// Of each source, in the order of [`Seen::sources`]; none for one that could not be read.
    pub(super) sources: Vec<Option<String>>,
}

/// The extra sections of a generation: what every reader of it reads, [`watch`] and [`stored`]; the report, which is
/// long where much was found wrong; and what only an ingest asks for.
pub(super) const META: &str = "meta";
pub(super) const KNOWN_GAMES: &str = "games";
pub(super) const REPORT: &str = "report";
pub(super) const HASHES: &str = "hashes";

/// The program, as a generation names it: its version and what it embeds.
pub(super) fn program_stamp() -> String {
    format!("{} {TEXTS_STAMP}", env!("CARGO_PKG_VERSION"))
}

/// The name of the file that says which generation answers.
pub(super) const CURRENT: &str = "CURRENT";

impl Library {
    /// The report of the generation that is there, if an ingest would make the same one again.
    pub(super) fn unchanged(&self, folder: &Path) -> Result<Option<Report>, LibraryError> {
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
    pub(super) fn write_generation(&self, folder: &Path) -> Result<Report, LibraryError> {
        let written = self.gather_and_write(folder);
        self.watcher.tell(Progress::Ended);
        written
    }

    pub(super) fn gather_and_write(&self, folder: &Path) -> Result<Report, LibraryError> {
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
    pub(super) fn switch_to(
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
    pub(super) fn gather(&self, jobs: NonZeroUsize) -> Result<Gathered, LibraryError> {
        // Listed before anything is read: what is changed meanwhile shows as changed.
        let (listing, mut seen) = match self.root() {
            Some(root) => watch::settled_listing(root),
            None => (sources::Listing::default(), Seen::nothing()),
        };
        let (games, known_games, mut diagnostics) = self.games_to_store();
        let mut pairer = Pairer::default();
        let mut own: BTreeSet<String> = BTreeSet::new();
        let (mut hashes, mut files) = (Vec::new(), 0);
        let mut lacking = Vec::new();
        let mut settings = String::new();
        if let Some(root) = self.root() {
            let listed = listing.sources;
            let (declared, declaring) = sources::declared(root, &listed);
            settings = sources::settings_hash(root, &listed);
            let mut read = Vec::new();
            let total = listed.len();
            let mut n_cards = 0;
            let everything = jobs::in_order(
                jobs,
                &listed,
                || |stamp: &Stamp| sources::read(root, stamp, declared.get(&stamp.path), &games),
                |(mut parsed, hash)| {
                    hashes.push(hash);
                    self.watcher.tell(Progress::Read { done: files, total });
                    files += 1;
                    read.append(&mut parsed.diagnostics);
                    lacking.extend(parsed.lacking.take());
                    for entry in &parsed.entries {
                        if !own.contains(entry.game.as_str()) {
                            own.insert(entry.game.to_string());
                        }
                    }
                    n_cards += parsed.cards.len();
                    pairer.add(parsed);
                    Ok::<(), LibraryError>(())
                },
            );
            everything?;
            diagnostics.extend(listing.diagnostics.into_iter().chain(declaring));
            if own.is_empty() && n_cards == 0 {
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
        let Paired {
            entries,
            cards,
            diagnostics: pairing,
        } = pairer.finish();
        let (corpus, linking) = Corpus::build_with(jobs, entries, cards, &games);
        diagnostics.extend(pairing.into_iter().chain(linking));
        lacking.retain(|lacking| !lacking.is_made_good(corpus.entries().iter()));
        let cuts: Vec<Cut> = lacking.into_iter().map(Cut::from).collect();
        diagnostics.extend(cuts.iter().map(|cut| cut.diagnostic.clone()));
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
            cuts: to_json(&cuts)?,
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
pub(super) fn holdings(corpus: &Corpus) -> BTreeMap<String, Holding> {
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
    for card in corpus.cards() {
        for source in &card.sources {
            holdings.entry(&source.file).or_insert_with(|| Holding {
                game: card.game.clone(),
                is_replaced: false,
            });
        }
    }
    let holdings = holdings.into_iter();
    holdings
        .map(|(path, holding)| (path.to_string(), holding))
        .collect()
}

/// What a generation is made of.
pub(super) struct Gathered {
    pub(super) corpus: Corpus,
    pub(super) report: Report,
    pub(super) extras: Extras,
}

/// The extra sections, as they are stored.
pub(super) struct Extras {
    meta: Vec<u8>,
    games: Vec<u8>,
    report: Vec<u8>,
    cuts: Vec<u8>,
    hashes: Vec<u8>,
}

impl Extras {
    pub(super) fn each(&self) -> [Extra<'_>; 5] {
        [
            (META, &self.meta),
            (KNOWN_GAMES, &self.games),
            (REPORT, &self.report),
            (CUTS, &self.cuts),
            (HASHES, &self.hashes),
        ]
    }
}

pub(super) fn to_json(value: &impl Serialize) -> Result<Vec<u8>, LibraryError> {
    Ok(serde_json::to_vec(value).map_err(|error| Damaged(error.to_string()))?)
}

/// What a generation says of itself; none where that is damaged or another program wrote it.
pub(super) fn meta_of(index: &Index) -> Option<Meta> {
    let meta = Meta::from_bytes(index.extra(META).ok()?)?;
    (meta.program == program_stamp()).then_some(meta)
}

/// Seconds since 1970; what `SOURCE_DATE_EPOCH` says where a build is to be the same another time.
pub(super) fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
    fixed.and_then(|fixed| fixed.parse().ok()).unwrap_or_else(|| {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs())
    })
}

/// Opens the generation that `CURRENT` names; none where there is no `CURRENT`.
pub(super) fn open_generation(folder: &Path) -> Result<Option<Index>, LibraryError> {
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
