//! `shiyi add`: copies texts into the library, says what it takes them for, and ingests.

use super::args::Add;
use super::ask::AskError;
use super::library::ingest_code;
use super::{ERROR, Failure, Session};
use crate::diagnostic::Severity;
use crate::entry::{Kind, Lang};
use crate::game::Games;
use crate::library::sources::{Declared, read_bytes};
use crate::library::{Library, LibraryError};
use crate::parse::Detection;
use crate::render::sanitize::sanitize_line;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Session {
    pub(super) fn add(&mut self, add: &Add) -> Result<u8, Failure> {
        // All files are looked at before the first is copied: what cannot be read changes nothing.
        let declared = self.declared(add);
        let mut texts = Vec::new();
        for file in &add.files {
            texts.push((file, read(file)?));
        }
        let known = match &self.options.library {
            Some(named) if !named.is_dir() => Library::embedded(),
            named => Library::locate(named.as_deref())?,
        };
        let (games, _) = known.games();
        let wanted_game = match self.options.game.as_slice() {
            [] => None,
            [one] => Some(super::ask::find_game(&games, one)?.id.clone()),
            _ => {
                return Err(AskError::usage(
                    "several-games",
                    "a text is of one game",
                    "name one with --game",
                )
                .into());
            }
        };
        let mut kept = Vec::new();
        for (file, bytes) in &texts {
            match self.recognise(file, bytes, &declared, wanted_game.as_deref(), &games) {
                Some(text) => kept.push((text, bytes)),
                None => return Ok(ERROR),
            }
        }
        let library = self.watched(Library::locate_or_create(self.options.library.as_deref())?);
        let root = library.root().ok_or(LibraryError::NoPlace)?.to_owned();
        for (text, bytes) in kept {
            let path = keep(&root, &text.folder, &text.name, bytes, &declared)?;
            let notice = self.ui.added(&sanitize_line(&path), &text.what, text.entries);
            self.out.notice(&notice);
        }
        let report = library.ingest()?;
        self.say_report(&report)?;
        Ok(ingest_code(&report, add.strict))
    }

    /// Finds out what a text is and where it belongs; none, and says why, for a text that cannot be read or is of
    /// no known game.
    fn recognise(
        &mut self,
        file: &Path,
        bytes: &[u8],
        declared: &Declared,
        wanted_game: Option<&str>,
        games: &Games,
    ) -> Option<Recognised> {
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
        let parsed = read_bytes(&hinted, bytes, declared, games);
        let detection = &parsed.detection;
        let unreadable = parsed
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
        let game = wanted_game
            .map(str::to_owned)
            .or_else(|| detection.game.as_ref().map(|game| game.value.clone()));
        let Some(game) = game.filter(|_| !unreadable) else {
            for diagnostic in &parsed.diagnostics {
                self.say_diagnostic(diagnostic);
            }
            if !unreadable {
                let text = self
                    .ui
                    .not_recognised(&sanitize_line(&file.display().to_string()));
                self.out.notice(&text);
            }
            return None;
        };
        let rulings =
            !parsed.entries.is_empty() && parsed.entries.iter().all(|entry| entry.kind == Kind::Ruling);
        let folder = if rulings { "rulings" } else { folder };
        Some(Recognised {
            folder: format!("{folder}/{game}"),
            name: kept_name(&name, detection),
            what: what(&game, detection),
            entries: parsed.entries.len(),
        })
    }

    fn declared(&self, add: &Add) -> Declared {
        Declared {
            document: self.options.document.clone(),
            kind: self.options.kind.first().map(|kind| kind.kind()),
            lang: self.options.lang.and_then(super::LangChoice::one),
            edition: self.options.edition.clone(),
            encoding: add.encoding.clone(),
            card: self.options.card.first().cloned(),
            provenance: add.provenance.clone(),
        }
    }
}

/// A text that was recognised: where it goes and what it is.
struct Recognised {
    folder: String,
    name: String,
    what: String,
    entries: usize,
}

fn read(file: &Path) -> Result<Vec<u8>, AskError> {
    let shown = file.display();
    let hint = format!("check the file's name; to search for these words, write `shiyi search add {shown}`");
    let regular = std::fs::metadata(file).map(|metadata| metadata.is_file());
    match regular {
        Ok(true) => {}
        Ok(false) => {
            return Err(AskError::usage(
                "io",
                format!("`{shown}` is not a regular file"),
                hint,
            ));
        }
        Err(error) => {
            return Err(AskError::usage(
                "io",
                format!("`{shown}` cannot be read: {error}"),
                hint,
            ));
        }
    }
    std::fs::read(file)
        .map_err(|error| AskError::usage("io", format!("`{shown}` cannot be read: {error}"), hint))
}

/// Copies the text into its folder under a name that says what it is, unless it is there already, and writes
/// what was declared of it into the folder's `sources.toml`. Returns its path in the library.
fn keep(root: &Path, folder: &str, name: &str, bytes: &[u8], declared: &Declared) -> Result<String, Failure> {
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
    // Another text under the same name stays; this one gets a number.
    for attempt in 1..1000 {
        let name = if attempt == 1 {
            format!("{stem}{extension}")
        } else {
            format!("{stem}-{attempt}{extension}")
        };
        let target: PathBuf = path.join(&name);
        match std::fs::read(&target) {
            Ok(there) if there == bytes => {
                declare(&path, &name, declared).map_err(failed)?;
                return Ok(format!("{folder}/{name}"));
            }
            Ok(_) => continue,
            Err(_) => {
                std::fs::write(&target, bytes).map_err(failed)?;
                declare(&path, &name, declared).map_err(failed)?;
                return Ok(format!("{folder}/{name}"));
            }
        }
    }
    Err(AskError::usage(
        "io",
        format!("`{folder}` has too many files called `{name}`"),
        "remove some",
    )
    .into())
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

fn declare(folder: &Path, name: &str, declared: &Declared) -> std::io::Result<()> {
    if *declared == Declared::default() {
        return Ok(());
    }
    let path = folder.join("sources.toml");
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let mut files: BTreeMap<String, Declared> = toml::from_str(&before).unwrap_or_default();
    if files.insert(name.to_owned(), declared.clone()).as_ref() == Some(declared) {
        return Ok(());
    }
    let text = toml::to_string(&files).map_err(std::io::Error::other)?;
    std::fs::write(path, text)
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
