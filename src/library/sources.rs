//! The files of a library: which there are, what `sources.toml` says of them, and how they are read.
//!
//! `rules/<game>/…` and `rulings/<game>/…` hold texts; a folder's `sources.toml` says what a text does not say
//! of itself:
//!
//! ```toml
//! ["cr-zh.txt"]
//! document = "cr"
//! lang = "zh"
//! edition = "2026-04-17"
//! encoding = "GB18030"
//! provenance = "community"
//! ```

use super::Embedded;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Bilingual, CardRef, Kind, Lang, Provenance, ProvenanceClass, impossible_edition};
use crate::game::stored::Parts;
use crate::game::{Game, Games, file, is_game_id};
use crate::parse::{Detected, Hints, Parsed, parse};
use crate::source::{DecodeError, SourceFile, Span, decode};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes: a bound against a file that is no text at all.
const LARGEST_FILE: u64 = 1 << 30;

/// How deep folders are read below `rules/<game>`.
const DEEPEST: usize = 12;

/// What `sources.toml` says of one file. Every field is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Declared {
    /// The document inside the game.
    #[serde(
        skip_serializing_if = "Option::is_none",
        default,
        deserialize_with = "possible_document"
    )]
    pub document: Option<String>,
    /// What its entries are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Its one language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Lang>,
    /// Its edition, whatever the text says.
    #[serde(
        skip_serializing_if = "Option::is_none",
        default,
        deserialize_with = "possible_edition"
    )]
    pub edition: Option<String>,
    /// Its encoding, by a name of the WHATWG Encoding Standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The card its rulings are about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// Who words it: a class (`official`, `community`, …) or a raw tag (`gpt`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<String>,
}

/// An edition that can be one.
fn possible_edition<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let edition = Option::<String>::deserialize(deserializer)?;
    match edition.as_deref().and_then(impossible_edition) {
        Some(why) => Err(serde::de::Error::custom(why)),
        None => Ok(edition),
    }
}

/// A document that can be one.
fn possible_document<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let document = Option::<String>::deserialize(deserializer)?;
    match document {
        Some(id) if !is_game_id(&id) => Err(serde::de::Error::custom(format!("`{id}` is no document id"))),
        document => Ok(document),
    }
}

impl Declared {
    /// The same as hints for the parser.
    pub fn hints(&self) -> Hints {
        let provenance = self.provenance.as_deref().map(provenance_of);
        Hints {
            game: None,
            unknown_folder: None,
            document: self.document.clone(),
            kind: self.kind,
            lang: self.lang,
            edition: self.edition.clone(),
            card: self.card.as_deref().map(card_named),
            provenance: Bilingual {
                en: provenance.clone(),
                zh: provenance,
            },
        }
    }
}

/// A class by its name, or a raw tag with the class it stands for.
pub fn provenance_of(word: &str) -> Provenance {
    let class = ProvenanceClass::ALL
        .into_iter()
        .find(|class| class.as_str() == word);
    match class {
        Some(class) => Provenance {
            class,
            ..Provenance::default()
        },
        None => Provenance {
            class: ProvenanceClass::from_tag(word).unwrap_or_default(),
            tag: Some(word.to_owned()),
            after: None,
        },
    }
}

/// A card by a name in either language.
fn card_named(name: &str) -> CardRef {
    match Lang::of(name) {
        Lang::En => CardRef {
            en: Some(name.to_owned()),
            ..CardRef::default()
        },
        Lang::Zh => CardRef {
            zh: Some(name.to_owned()),
            ..CardRef::default()
        },
    }
}

/// A file's state when it was read, so that a later change is noticed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Relative to the library, with `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970 of the last change, as the file system has it.
    pub modified: u64,
}

/// What stands in the folders of a library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Every source, in order of path, without what is not a text: `game.toml`, `sources.toml`, `README` files,
    /// hidden files.
    pub sources: Vec<Stamp>,
    /// Every `game.toml` and `sources.toml`, in order of path.
    pub settings: Vec<Stamp>,
    /// Every folder, with its time; nothing of `rules` or `rulings` where it is not there.
    pub folders: Vec<Stamp>,
    /// What could not be listed.
    pub diagnostics: Vec<Diagnostic>,
}

/// The names of the files that say what texts do not say of themselves.
const SETTINGS: [&str; 2] = ["game.toml", "sources.toml"];

/// Looks at every folder of a library.
pub fn listing(root: &Path) -> Listing {
    let mut listing = Listing::default();
    for folder in ["rules", "rulings"] {
        walk(&root.join(folder), folder, 0, &mut listing);
    }
    for stamps in [&mut listing.sources, &mut listing.settings, &mut listing.folders] {
        stamps.sort();
    }
    listing
}

/// Every source of a library, in order of path.
pub fn list(root: &Path) -> (Vec<Stamp>, Vec<Diagnostic>) {
    let listing = listing(root);
    (listing.sources, listing.diagnostics)
}

/// Nanoseconds since 1970; 0 before.
pub(super) fn since_1970(time: std::io::Result<std::time::SystemTime>) -> u64 {
    time.ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .map_or(0, |since| since.as_nanos() as u64)
}

/// The state of a folder: in place of a size, when anything of it was last changed, its names or its rights. That
/// time nobody can set back.
fn folder_stamp(path: &str, metadata: &std::fs::Metadata) -> Stamp {
    #[cfg(unix)]
    let changed = {
        use std::os::unix::fs::MetadataExt as _;
        super::watch::nanoseconds(metadata.ctime(), metadata.ctime_nsec())
    };
    #[cfg(not(unix))]
    let changed = 0;
    Stamp {
        path: path.to_owned(),
        size: changed,
        modified: since_1970(metadata.modified()),
    }
}

fn walk(folder: &Path, shown: &str, depth: usize, listing: &mut Listing) {
    // Before it is read: what is added later shows as a change.
    let stamp = match std::fs::metadata(folder) {
        Ok(metadata) => folder_stamp(shown, &metadata),
        Err(_) => Stamp {
            path: shown.to_owned(),
            size: 0,
            modified: 0,
        },
    };
    listing.folders.push(stamp);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => {
            listing.diagnostics.push(unreadable(shown, &error));
            return;
        }
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                listing.diagnostics.push(unreadable(shown, &error));
                continue;
            }
        };
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_setting = SETTINGS.contains(&name.as_str());
        if name.starts_with('.') || is_furniture(&name) && !is_setting {
            continue;
        }
        let path = format!("{shown}/{name}");
        // Links are followed to files only, so that no loop can form.
        match std::fs::symlink_metadata(entry.path()).and_then(|own| {
            if own.is_symlink() {
                std::fs::metadata(entry.path())
            } else {
                Ok(own)
            }
        }) {
            Ok(metadata) if metadata.is_file() || is_setting => {
                let stamps = match is_setting {
                    true => &mut listing.settings,
                    false => &mut listing.sources,
                };
                stamps.push(Stamp {
                    path,
                    size: metadata.len(),
                    modified: since_1970(metadata.modified()),
                });
            }
            Ok(metadata) if metadata.is_dir() && depth < DEEPEST && !is_link(&entry.path()) => {
                walk(&entry.path(), &path, depth + 1, listing);
            }
            // Pipes and devices are no texts, and reading one may never end.
            Ok(_) => listing.diagnostics.push(
                Diagnostic::about_file(Code::UnreadableFile, path, "this is not a regular file")
                    .hint("move it out of the library"),
            ),
            // Whoever reads it says so.
            Err(_) if is_setting => {}
            Err(error) => listing.diagnostics.push(unreadable(&path, &error)),
        }
    }
}

/// The texts in a folder and the folders below it, in order of name, and what could not be listed. What describes a
/// library is no text, and hidden files are none.
pub fn texts_below(folder: &Path) -> (Vec<PathBuf>, Vec<Diagnostic>) {
    let mut listing = Listing::default();
    walk(folder, "", 0, &mut listing);
    listing.sources.sort();
    let below = |path: &str| folder.join(path.trim_start_matches('/'));
    let files = listing.sources.iter().map(|stamp| below(&stamp.path)).collect();
    for diagnostic in &mut listing.diagnostics {
        diagnostic.file = below(&diagnostic.file).display().to_string();
    }
    (files, listing.diagnostics)
}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// True for a file that describes the library and is no text of a game.
fn is_furniture(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with(".toml") || lower.starts_with("readme") || lower.starts_with("license")
}

fn unreadable(path: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::about_file(Code::UnreadableFile, path, format!("cannot be read: {error}"))
        .hint("check that the file is there and that you may read it")
}

/// The known games: the shipped ones, with the library's own `rules/<game>/game.toml` over them.
pub fn games(root: Option<&Path>, embedded: &Embedded) -> (Games, Vec<Diagnostic>) {
    let (own, diagnostics) = own_games(root, embedded);
    let own = own.into_iter().map(|(game, _)| game);
    (Games::over(embedded.games(), own), diagnostics)
}

/// The library's own games, each with the parts of it that are read later.
pub fn own_games(root: Option<&Path>, embedded: &Embedded) -> (Vec<(Game, Parts)>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut read = Vec::new();
    let mut folders: Vec<PathBuf> = root
        .and_then(|root| std::fs::read_dir(root.join("rules")).ok())
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    for folder in folders {
        let path = folder.join("game.toml");
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        let shown = format!("rules/{name}/game.toml");
        match read_toml(&path, &shown) {
            Ok(Some(text)) => read.push((file::read(&text, Some(&name)), text, shown)),
            Ok(None) => {}
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    // What a word means already: for a shipped game whose own file replaces it, nothing.
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    if !read.is_empty() {
        let replaced: BTreeSet<String> = read
            .iter()
            .filter_map(|(reading, ..)| Some(reading.game.as_ref()?.id.clone()))
            .collect();
        for game in embedded.games().filter(|game| !replaced.contains(game.id)) {
            for name in game.names.iter().chain([&game.id]) {
                taken.insert((*name).to_owned(), game.id.to_owned());
            }
        }
    }
    let mut own = Vec::new();
    for (mut reading, text, shown) in read {
        reading.compare_names(|word| taken.get(word).cloned());
        for fault in reading.faults {
            diagnostics.push(bad_toml(&shown, &text, fault.span, fault.message, &fault.hint));
        }
        if let Some(game) = reading.game {
            for word in game.words() {
                taken.entry(word).or_insert_with(|| game.id.clone());
            }
            own.push((game, reading.parts));
        }
    }
    (own, diagnostics)
}

/// The text of a TOML file; none where there is none.
fn read_toml(path: &Path, shown: &str) -> Result<Option<String>, Box<Diagnostic>> {
    let bad = |message: String| {
        let diagnostic = Diagnostic::about_file(Code::BadConfiguration, shown, message);
        Box::new(diagnostic.hint("write it as a TOML file in UTF-8"))
    };
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let source = SourceFile::new(shown, String::from_utf8_lossy(error.as_bytes()));
            let place = Span::new(valid, valid + 1);
            let diagnostic = Diagnostic::at(Code::BadConfiguration, &source, place, "not UTF-8 from here");
            Box::new(diagnostic.hint("save it as UTF-8"))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        // A path through something that is no folder is no file of ours.
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(None),
        Err(error) => Err(bad(format!("cannot be read: {error}"))),
    }
}

fn bad_toml(
    path: &str,
    text: &str,
    span: Option<std::ops::Range<usize>>,
    message: String,
    hint: &str,
) -> Diagnostic {
    let message = message.lines().next().unwrap_or_default().to_owned();
    match span {
        Some(span) => {
            let source = SourceFile::new(path, text);
            Diagnostic::at(
                Code::BadConfiguration,
                &source,
                Span::new(span.start, span.end),
                message,
            )
        }
        None => Diagnostic::about_file(Code::BadConfiguration, path, message),
    }
    .hint(hint)
}

/// What the `sources.toml` files of a library say, by path of the file it is about.
pub fn declared(root: &Path, stamps: &[Stamp]) -> (BTreeMap<String, Declared>, Vec<Diagnostic>) {
    let mut declared = BTreeMap::new();
    let mut diagnostics = Vec::new();
    let mut folders: Vec<&str> = stamps
        .iter()
        .filter_map(|stamp| Some(stamp.path.rsplit_once('/')?.0))
        .collect();
    folders.dedup();
    for folder in folders {
        let path = format!("{folder}/sources.toml");
        let text = match read_toml(&root.join(&path), &path) {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                continue;
            }
        };
        match toml::from_str::<BTreeMap<String, Declared>>(&text) {
            Ok(files) => {
                for (name, file) in files {
                    let about = format!("{folder}/{name}");
                    if stamps.iter().all(|stamp| stamp.path != about) {
                        let message = format!("it speaks of `{name}`, which is not there");
                        let diagnostic = Diagnostic::about_file(Code::MissingSource, &path, message);
                        diagnostics.push(diagnostic.hint("correct the name, or remove the section"));
                    }
                    declared.insert(about, file);
                }
            }
            Err(error) => {
                let hint = "write `[\"file name\"]` and below it document, kind, lang, edition, encoding, card or provenance";
                diagnostics.push(bad_toml(
                    &path,
                    &text,
                    error.span(),
                    error.message().to_owned(),
                    hint,
                ));
            }
        }
    }
    (declared, diagnostics)
}

/// Reads one file of a library into entries, and says what its bytes hash to if it could be read. What goes wrong
/// is a diagnostic.
pub fn read(
    root: &Path,
    stamp: &Stamp,
    declared: Option<&Declared>,
    games: &Games,
) -> (Parsed, Option<String>) {
    let failed = |diagnostic| {
        let parsed = Parsed {
            diagnostics: vec![diagnostic],
            ..Parsed::default()
        };
        (parsed, None)
    };
    if stamp.size > LARGEST_FILE {
        return failed(
            Diagnostic::about_file(Code::UnreadableFile, &stamp.path, "the file is larger than 1 GiB")
                .hint("split it"),
        );
    }
    let bytes = match std::fs::read(root.join(&stamp.path)) {
        Ok(bytes) => bytes,
        Err(error) => return failed(unreadable(&stamp.path, &error)),
    };
    let nothing = Declared::default();
    let declared = declared.unwrap_or(&nothing);
    let parsed = read_bytes(&stamp.path, &bytes, declared, games);
    (parsed, Some(blake3::hash(&bytes).to_string()))
}

/// What the bytes of a source hash to; none when it cannot be read.
pub fn hash(root: &Path, stamp: &Stamp) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    let mut file = std::fs::File::open(root.join(&stamp.path)).ok()?;
    std::io::copy(&mut file, &mut hasher).ok()?;
    Some(hasher.finalize().to_string())
}

/// One hash of every file that describes texts: each `game.toml`, and the `sources.toml` beside each source.
pub fn settings_hash(root: &Path, stamps: &[Stamp]) -> String {
    let mut paths: BTreeSet<PathBuf> = stamps
        .iter()
        .filter_map(|stamp| Some(root.join(stamp.path.rsplit_once('/')?.0).join("sources.toml")))
        .collect();
    let folders = std::fs::read_dir(root.join("rules"));
    paths.extend(
        folders
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
            .map(|entry| entry.path().join("game.toml")),
    );
    let mut hasher = blake3::Hasher::new();
    for path in paths {
        if let Ok(bytes) = std::fs::read(&path) {
            let name = path.strip_prefix(root).unwrap_or(&path);
            hasher.update(blake3::hash(name.as_os_str().as_encoded_bytes()).as_bytes());
            hasher.update(blake3::hash(&bytes).as_bytes());
        }
    }
    hasher.finalize().to_string()
}

/// The games that a text of no known game is numbered like; it may still be none of theirs.
pub fn games_like<'g>(bytes: &[u8], declared: &Declared, games: &'g Games) -> Vec<&'g Game> {
    let Ok(decoded) = decode(bytes, declared.encoding.as_deref()) else {
        return Vec::new();
    };
    crate::parse::games_like(&SourceFile::new("", decoded.text), games)
}

/// Reads one text, given as bytes.
pub fn read_bytes(path: &str, bytes: &[u8], declared: &Declared, games: &Games) -> Parsed {
    let decoded = match decode(bytes, declared.encoding.as_deref()) {
        Ok(decoded) => decoded,
        Err(error) => {
            let hint = match &error {
                DecodeError::Binary => "convert it to text first; for a PDF use `pdftotext -layout`",
                DecodeError::UnknownEncoding(_) => "use a name such as UTF-8, GB18030, Big5 or windows-1252",
            };
            let diagnostic = Diagnostic::about_file(Code::NotText, path, error.to_string()).hint(hint);
            return Parsed {
                diagnostics: vec![diagnostic],
                ..Parsed::default()
            };
        }
    };
    let source = SourceFile::new(path, decoded.text);
    let mut parsed = parse(
        &source,
        games,
        &declared.hints().or(Hints::from_path(path, games)),
    );
    parsed.detection.encoding = Some(Detected {
        value: decoded.encoding.to_owned(),
        why: match bytes {
            _ if declared.encoding.is_some() => "the caller says so".to_owned(),
            [0xef, 0xbb, 0xbf, ..] | [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "a byte order mark".to_owned(),
            _ if decoded.guessed => "a guess from its bytes".to_owned(),
            _ => "all its bytes are".to_owned(),
        },
        guessed: decoded.guessed,
    });
    add_provenance(&mut parsed, &source, games);
    let mut first = Vec::new();
    if decoded.guessed {
        first.push(
            Diagnostic::about_file(
                Code::EncodingGuessed,
                path,
                format!("read as {}: nothing in the file says so", decoded.encoding),
            )
            .hint("if the text looks wrong, name the encoding with `--encoding` or in `sources.toml`"),
        );
    }
    if let Some(&at) = decoded.unreadable.first() {
        let diagnostic = Diagnostic::at(
            Code::BadByte,
            &source,
            Span::new(at, at + '\u{fffd}'.len_utf8()),
            match decoded.unreadable.len() {
                1 => format!("a byte is no {}; it is shown as `\u{fffd}`", decoded.encoding),
                n => format!(
                    "{n} bytes are no {}; each is shown as `\u{fffd}`",
                    decoded.encoding
                ),
            },
        );
        first.push(diagnostic.hint("repair the file, or name its encoding with `--encoding`"));
    }
    parsed.diagnostics.splice(0..0, first);
    parsed
}

/// Characters at the start of a text in which its title stands.
const OPENING: usize = 2000;

/// Says who words the texts that do not say so themselves, where the document is known by its signature.
fn add_provenance(parsed: &mut Parsed, source: &SourceFile, games: &Games) {
    let game = parsed
        .detection
        .game
        .as_ref()
        .and_then(|game| games.get(&game.value));
    let opening: String = source.text().chars().take(OPENING).collect();
    let Some(document) = game.and_then(|game| game.signed_document(&opening)) else {
        return;
    };
    for entry in &mut parsed.entries {
        for (lang, class) in document.print.provenance.iter() {
            let has_text = entry.text.get(lang).or(entry.title.get(lang)).is_some();
            let slot = entry.provenance.get_mut(lang);
            if has_text && slot.as_ref().is_none_or(|known| *known == Provenance::default()) {
                *slot = Some(Provenance {
                    class: *class,
                    ..Provenance::default()
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_survives_storage() {
        let declared = Declared {
            lang: Some(Lang::Zh),
            edition: Some("12.7".into()),
            ..Declared::default()
        };
        let text = toml::to_string(&BTreeMap::from([("a b.txt", &declared)])).unwrap();
        assert_eq!(text, "[\"a b.txt\"]\nlang = \"zh\"\nedition = \"12.7\"\n");
        let read: BTreeMap<String, Declared> = toml::from_str(&text).unwrap();
        assert_eq!(read["a b.txt"], declared);
        assert_eq!(provenance_of("gpt").class, ProvenanceClass::Machine);
        assert_eq!(provenance_of("official").tag, None);
    }
}
