//! `shiyi add`: copies texts into the library, says what it takes them for, and ingests.

use super::args::{Add, Format};
use super::ask::AskError;
use super::library::ingest_code;
use super::{ERROR, Failure, Session};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::entry::{Entry, Kind, Lang, impossible_edition};
use crate::fold::fold_key;
use crate::game::{Games, is_document_id};
use crate::hash::FastSet;
use crate::library::sources::{self, Declared, read_bytes};
use crate::library::{Library, LibraryError, Need};
use crate::parse::{Detected, Detection};
use crate::render::json;
use crate::render::sanitize::sanitize_line;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Session {
    pub(super) fn add(&mut self, add: &Add) -> Result<u8, Failure> {
        // All files are looked at before the first is copied.
        let mut declared = self.declared(add);
        declared.check()?;
        let known = match &self.options.place.library {
            Some(named) if !named.is_dir() => Library::embedded(),
            named => Library::locate(named.as_deref())?,
        };
        let (games, faults) = known.games();
        let wanted_game = match self.options.selection.game.as_slice() {
            [] => None,
            [one] if !is_plain(one) => {
                let message = format!("`{one}` is no game id");
                let hint = "use up to 32 of a-z, 0-9 and `-`, and call the folder the same";
                return Err(AskError::usage("unknown-game", message, hint).into());
            }
            [one] => match super::ask::find_game(&games, one) {
                Ok(game) => Some(game.id.clone()),
                Err(_) => {
                    let error = unknown_game(one, &games);
                    // The game may be one whose file is at fault.
                    self.say_all(&faults);
                    return Err(error.into());
                }
            },
            _ => {
                return Err(AskError::usage(
                    "several-games",
                    "a text is of one game",
                    "name one with --game",
                )
                .into());
            }
        };
        declared.document = declared
            .document
            .map(|name| document_id(name, wanted_game.as_deref(), &games))
            .transpose()?;
        let mut kept = Vec::new();
        let mut refused = 0;
        let mut numbered_like = Vec::new();
        for file in self.texts(&add.files) {
            let file_and_bytes = file.and_then(|file| Ok((read(&file)?, file)));
            let (bytes, file) = match file_and_bytes {
                Ok(file_and_bytes) => file_and_bytes,
                Err(diagnostics) => {
                    refused += 1;
                    self.say_all(&diagnostics);
                    continue;
                }
            };
            match recognise(&file, &bytes, &declared, wanted_game.as_deref(), &games) {
                Ok(text) => kept.push((file, bytes, text)),
                Err(diagnostics) => {
                    let like = match wanted_game {
                        None => sources::games_like(&bytes, &declared, &games),
                        Some(_) => Vec::new(),
                    };
                    if !like.is_empty() {
                        numbered_like.push((file, bytes, like, diagnostics));
                        continue;
                    }
                    refused += 1;
                    self.say_all(&diagnostics);
                }
            }
        }
        // A part of a rulebook may not name its game. The numbers do not tell, and the wording of the others does.
        let mut wordings = Wordings::default();
        for (file, bytes, like, diagnostics) in numbered_like {
            let best = like.into_iter().filter_map(|game| {
                let text = recognise(&file, &bytes, &declared, Some(&game.id), &games).ok()?;
                let texts = kept.iter().map(|(_, _, text)| text);
                Some((wordings.shared(&text, texts, &known), text))
            });
            match best.max_by_key(|(shared, _)| *shared) {
                Some((shared, mut text)) if shared >= FEWEST_SHARED => {
                    let why = format!("{shared} of its rules are worded as in other texts of that game");
                    self.say_diagnostic(&guessed(&file, &text.game, &why));
                    text.detection.game = Some(Detected {
                        value: text.game.clone(),
                        why,
                        guessed: true,
                    });
                    kept.push((file, bytes, text));
                }
                _ => {
                    refused += 1;
                    self.say_all(&diagnostics);
                }
            }
        }
        if kept.is_empty() || add.strict && refused > 0 {
            // Nothing is ingested that would say it.
            self.say_all(&faults);
            if !kept.is_empty() {
                let message = format!(
                    "nothing was added: {refused} of {} files were refused",
                    refused + kept.len()
                );
                self.error(&AskError::usage(
                    "refused",
                    message,
                    "leave those files out, or leave --strict out to add the others",
                ));
            }
            return Ok(ERROR);
        }
        let library = self.watched(Library::locate_or_create(self.options.place.library.as_deref())?);
        let root = library.root().ok_or(LibraryError::NoPlace)?.to_owned();
        let mut added = Vec::new();
        for (file, bytes, text) in kept {
            match keep(&root, &text.folder, &text.name, &bytes, &declared)? {
                Ok(path) => {
                    self.say_added(&file, &path, &text)?;
                    added.push(path);
                }
                Err(diagnostic) => {
                    refused += 1;
                    self.say_diagnostic(&diagnostic);
                }
            }
        }
        let report = library.ingest()?;
        self.say_report_on(&report, &added)?;
        Ok(match refused {
            0 => ingest_code(&report, add.strict),
            _ => ERROR,
        })
    }

    fn say_all(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.say_diagnostic(diagnostic);
        }
    }

    /// Says where a text is kept, what it was taken for, and why.
    fn say_added(&mut self, file: &Path, path: &str, text: &Recognised) -> Result<(), Failure> {
        if self.format() == Format::Json {
            let file = file.display().to_string();
            let object = json::AddedObject::of(&file, path, &text.game, text.counts, &text.detection);
            self.object(&object)?;
            return Ok(());
        }
        let what = what(&text.game, &text.detection);
        let mut notice = self.ui.added(&sanitize_line(path), &what, text.counts);
        // What one thing gave away is said once.
        let mut reasons: Vec<(Vec<String>, &str)> = Vec::new();
        for because in text.detection.because() {
            let mut said = self.ui.detected(because.what).to_owned();
            // The line above says the others.
            if let ("format" | "encoding", Some(value)) = (because.what, because.value) {
                said = format!("{said} {}", self.ui.said(value));
            }
            match reasons.last_mut() {
                Some((whats, why)) if *why == because.why => whats.push(said),
                _ => reasons.push((vec![said], because.why)),
            }
        }
        let reasons = reasons
            .into_iter()
            .map(|(whats, why)| self.ui.reason(&whats, why));
        let reasons = reasons.collect::<Vec<_>>().join(self.ui.between_reasons());
        if !reasons.is_empty() {
            notice.push_str("\n  ");
            notice.push_str(&sanitize_line(&reasons));
        }
        self.out.notice(&notice);
        Ok(())
    }

    /// The files that are meant: those named, and those in a folder that is named, in order of name.
    fn texts(&mut self, named: &[PathBuf]) -> Vec<Result<PathBuf, Vec<Diagnostic>>> {
        let mut texts = Vec::new();
        for path in named {
            if !path.is_dir() {
                texts.push(Ok(path.clone()));
                continue;
            }
            let (files, faults) = sources::texts_below(path);
            if files.is_empty() && faults.is_empty() {
                let message = "there is no text in this folder";
                texts.push(Err(vec![
                    Diagnostic::about_file(Code::UnreadableFile, path.display().to_string(), message)
                        .hint("name the texts themselves, or a folder that holds some"),
                ]));
            }
            texts.extend(faults.into_iter().map(|fault| Err(vec![fault])));
            texts.extend(files.into_iter().map(Ok));
        }
        texts
    }

    fn declared(&self, add: &Add) -> Declared {
        Declared {
            document: self.options.selection.document.clone(),
            kind: self.options.selection.kind.first().map(|kind| kind.kind()),
            lang: self.options.selection.lang.and_then(super::LangChoice::one),
            edition: self.options.selection.edition.clone(),
            encoding: add.encoding.clone(),
            card: self.options.selection.card.first().cloned(),
            provenance: add.provenance.clone(),
        }
    }
}

/// The id of the document that a name means, in that game or in any; or the name itself where it can be an id.
fn document_id(name: String, game: Option<&str>, games: &Games) -> Result<String, AskError> {
    let known = match game {
        Some(id) => games.get(id).and_then(|game| game.document_called(&name)),
        None => games.iter().find_map(|game| game.document_called(&name)),
    };
    match known {
        Some(document) => Ok(document.id.clone()),
        None if is_document_id(&name.to_ascii_lowercase()) => Ok(name.to_ascii_lowercase()),
        None => Err(AskError::usage(
            "bad-value",
            format!("`{name}` is no document id"),
            "use up to 32 of a-z, 0-9 and `-`: `cr`",
        )),
    }
}

/// The error on a game that a text is said to be of, where there is none of that name.
fn unknown_game(name: &str, games: &Games) -> AskError {
    let known: Vec<&str> = games.ids().collect();
    AskError::usage(
        "unknown-game",
        format!("no game is called `{name}`"),
        format!(
            "known games: {}; a new one is described by `rules/<game>/game.toml` in the library (see rules/README.md)",
            known.join(", ")
        ),
    )
}

/// The warning on a text whose game was found by its wording.
fn guessed(file: &Path, game: &str, why: &str) -> Diagnostic {
    let message = format!("the game was taken to be `{game}`: {why}");
    Diagnostic::about_file(Code::Guessed, file.display().to_string(), message)
        .hint("if it is not, take the text out of the library, and say so with `--game`")
}

/// How many rules a text must word as others of a game do to be of that game.
const FEWEST_SHARED: usize = 10;

/// Characters from which on a wording is hardly the same by chance.
const SHORTEST_WORDING: usize = 40;

/// How the texts of the library word their rules, game by game; read when it is first asked.
#[derive(Default)]
struct Wordings(BTreeMap<String, FastSet<String>>);

impl Wordings {
    /// How many rules of a text stand word for word in others of its game: in the library, or added with it.
    fn shared<'a>(
        &mut self,
        text: &Recognised,
        others: impl Iterator<Item = &'a Recognised>,
        library: &Library,
    ) -> usize {
        let known = self.0.entry(text.game.clone()).or_insert_with(|| {
            let others = others.filter(|other| other.game == text.game);
            let added = others.flat_map(|other| other.wordings.iter().cloned());
            added.chain(wordings_in(library, &text.game)).collect()
        });
        text.wordings
            .iter()
            .filter(|wording| known.contains(*wording))
            .count()
    }
}

/// The wordings of a game's rules in a library. One that cannot be read has none.
fn wordings_in(library: &Library, game: &str) -> Vec<String> {
    let Ok(opened) = library.open(Need::Lookup) else {
        return Vec::new();
    };
    let entries = opened.loaded.entries();
    let all = (0u32..)
        .take(entries.len())
        .filter_map(|idx| entries.entry(idx).ok());
    wordings(all.filter(|entry| entry.game == *game))
}

/// The wordings of rules that are long enough to be their own.
fn wordings(entries: impl IntoIterator<Item = Entry>) -> Vec<String> {
    let texts = entries
        .into_iter()
        .filter(|entry| entry.kind == Kind::Rule)
        .flat_map(|entry| [entry.text.en, entry.text.zh]);
    let folded = texts.flatten().map(|text| fold_key(&text));
    folded
        .filter(|text| text.chars().count() >= SHORTEST_WORDING)
        .collect()
}

/// Finds out what a text is and where it belongs.
///
/// # Errors
///
/// Why it is refused: it cannot be read, is empty, or is of no known game.
fn recognise(
    file: &Path,
    bytes: &[u8],
    declared: &Declared,
    wanted_game: Option<&str>,
    games: &Games,
) -> Result<Recognised, Vec<Diagnostic>> {
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    // The folder is a hint like any other; where no game is named, the text says.
    let folder = if declared.kind == Some(Kind::Ruling) {
        "rulings"
    } else {
        "rules"
    };
    let hinted = match wanted_game {
        Some(game) => format!("{folder}/{game}/{name}"),
        None => name.clone(),
    };
    let mut parsed = read_bytes(&hinted, bytes, declared, games);
    let game = wanted_game
        .map(str::to_owned)
        .or_else(|| parsed.detection.game.as_ref().map(|game| game.value.clone()));
    let empty = parsed.lines.is_empty() && parsed.entries.is_empty() && parsed.cards.is_empty();
    let unreadable = empty
        || parsed
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
    let Some(game) = game.filter(|_| !unreadable) else {
        let mut why = parsed.diagnostics;
        why.retain(|diagnostic| {
            diagnostic.severity == Severity::Error || diagnostic.code == Code::UnknownKind
        });
        for diagnostic in &mut why {
            diagnostic.severity = Severity::Error;
            diagnostic.file = file.display().to_string();
        }
        return Err(why);
    };
    // Where the text does not say which document it is, the folder that it comes from may.
    let mut document = None;
    if parsed
        .detection
        .document
        .as_ref()
        .is_none_or(|document| document.guessed)
        && declared.document.is_none()
    {
        let above = file.parent().and_then(Path::file_name);
        let called = above.and_then(|above| games.get(&game)?.document_called(&above.to_string_lossy()));
        if let Some(called) = called {
            document = Some(called.id.clone());
            parsed = read_bytes(
                &format!("{folder}/{game}/{}/{name}", called.id),
                bytes,
                declared,
                games,
            );
        }
    }
    let is_of_cards = !parsed.entries.is_empty() || !parsed.cards.is_empty();
    let rulings = is_of_cards && parsed.entries.iter().all(|entry| entry.kind == Kind::Ruling);
    let folder = if rulings { "rulings" } else { folder };
    let below = document.map(|id| format!("/{id}")).unwrap_or_default();
    Ok(Recognised {
        folder: format!("{folder}/{game}{below}"),
        name: kept_name(&name, &parsed.detection),
        game,
        counts: [parsed.entries.len(), parsed.cards.len()],
        detection: parsed.detection,
        wordings: wordings(parsed.entries),
    })
}

impl Declared {
    /// That each can be what it is said to be.
    fn check(&self) -> Result<(), AskError> {
        if let Some(why) = self.edition.as_deref().and_then(impossible_edition) {
            let hint = "write it as the publisher does: letters, figures, blanks and any of . - _ + ( )";
            return Err(AskError::usage("bad-value", why, hint));
        }
        let said = [
            ("--card", &self.card),
            ("--provenance", &self.provenance),
            ("--encoding", &self.encoding),
        ];
        for (option, value) in said {
            let Some(value) = value else { continue };
            let is_name = !value.trim().is_empty()
                && value.chars().count() <= LONGEST_VALUE
                && *value == sanitize_line(value);
            if !is_name {
                return Err(AskError::usage(
                    "bad-value",
                    format!("{option} is empty, too long, or has characters that cannot be seen"),
                    "write a name",
                ));
            }
        }
        Ok(())
    }
}

/// True for a name that could be in no path and is no option, and in which everything can be seen.
fn is_plain(name: &str) -> bool {
    !name.trim().is_empty()
        && !name.starts_with(['-', '.'])
        && !name.contains(['/', '\\'])
        && *name == sanitize_line(name)
}

/// The longest name that an option says, in characters.
const LONGEST_VALUE: usize = 200;

/// A text that was recognised: where it goes and what it is.
struct Recognised {
    folder: String,
    name: String,
    game: String,
    /// How many entries it has, and how many rows about cards.
    counts: [usize; 2],
    detection: Detection,
    /// How it words its rules.
    wordings: Vec<String>,
}

fn read(file: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let shown = file.display().to_string();
    let refused = |message: String| {
        let hint =
            format!("check the file's name; to search for these words, write `shiyi search add {shown}`");
        vec![Diagnostic::about_file(Code::UnreadableFile, &shown, message).hint(hint)]
    };
    // A pipe may never end.
    match std::fs::metadata(file) {
        Ok(metadata) if !metadata.is_file() => return Err(refused("this is not a regular file".to_owned())),
        _ => {}
    }
    std::fs::read(file).map_err(|error| refused(format!("cannot be read: {error}")))
}

/// Copies the text into its folder under a name that says what it is, unless it is there already, and writes
/// what was declared of it into the folder's `sources.toml`. Returns its path in the library, or why it cannot be kept.
fn keep(
    root: &Path,
    folder: &str,
    name: &str,
    bytes: &[u8],
    declared: &Declared,
) -> Result<Result<String, Diagnostic>, Failure> {
    let path = root.join(folder);
    let failed = |error| LibraryError::Io {
        path: path.display().to_string(),
        error,
    };
    std::fs::create_dir_all(&path).map_err(failed)?;
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) => (stem, format!(".{extension}")),
        None => (name, String::new()),
    };
    let about = format!("{folder}/sources.toml");
    let mut declarations = match Declarations::read(&path) {
        Ok(declarations) => declarations,
        Err(error) if *declared != Declared::default() => {
            let message = format!("cannot be read, so `{name}` is not added: {}", error.trim_end());
            return Ok(Err(Diagnostic::about_file(
                Code::BadConfiguration,
                about,
                message,
            )
            .hint("correct the file, and add the text again")));
        }
        Err(_) => Declarations::default(),
    };
    // Another text under the same name stays; this one gets a number.
    for attempt in 1..1000 {
        let name = if attempt == 1 {
            format!("{stem}{extension}")
        } else {
            format!("{stem}-{attempt}{extension}")
        };
        let target: PathBuf = path.join(&name);
        match std::fs::read(&target) {
            Ok(there) if there != bytes => continue,
            Ok(_) => {}
            Err(_) => std::fs::write(&target, bytes).map_err(failed)?,
        }
        if *declared != Declared::default() {
            declarations.declare(&path, &name, declared).map_err(failed)?;
        }
        return Ok(Ok(format!("{folder}/{name}")));
    }
    let message = format!("there are too many files called `{name}`");
    Ok(Err(
        Diagnostic::about_file(Code::UnreadableFile, folder, message).hint("remove some")
    ))
}

/// What a folder's `sources.toml` says.
#[derive(Default)]
struct Declarations(BTreeMap<String, Declared>);

impl Declarations {
    fn read(folder: &Path) -> Result<Declarations, String> {
        match std::fs::read_to_string(folder.join("sources.toml")) {
            Ok(text) => toml::from_str(&text)
                .map(Declarations)
                .map_err(|error| error.message().to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Declarations::default()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn declare(&mut self, folder: &Path, name: &str, declared: &Declared) -> std::io::Result<()> {
        if self.0.insert(name.to_owned(), declared.clone()).as_ref() == Some(declared) {
            return Ok(());
        }
        let text = toml::to_string(&self.0).map_err(std::io::Error::other)?;
        std::fs::write(folder.join("sources.toml"), text)
    }
}

/// A name that two editions or languages of one document do not share: `cr-en-2026-04-17.txt`.
fn kept_name(name: &str, detection: &Detection) -> String {
    let extension = name.rsplit_once('.').map_or("txt", |(_, extension)| extension);
    let parts: Option<Vec<String>> = [
        detection.document.as_ref().map(|document| document.value.clone()),
        detection.langs.as_ref().map(|langs| languages(&langs.value)),
        detection.edition.as_ref().map(|edition| edition.value.clone()),
    ]
    .into_iter()
    .collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    match parts {
        Some(parts) if parts.iter().all(|part| part.chars().all(plain)) => {
            format!("{}.{extension}", parts.join("-"))
        }
        _ => name.to_owned(),
    }
}

/// `mtg cr, en, edition 2026-04-17`
fn what(game: &str, detection: &Detection) -> String {
    let mut parts = vec![game.to_owned()];
    parts.extend(detection.document.as_ref().map(|document| document.value.clone()));
    parts.extend(detection.langs.as_ref().map(|langs| languages(&langs.value)));
    parts.extend(detection.edition.as_ref().map(|edition| edition.value.clone()));
    sanitize_line(&parts.join(" "))
}

/// `en`, `zh`, `en-zh`
fn languages(langs: &[Lang]) -> String {
    langs
        .iter()
        .map(|lang| lang.as_str())
        .collect::<Vec<_>>()
        .join("-")
}
