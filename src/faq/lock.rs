//! What did a document quote when it was built?
//!
//! A lock file stands beside its document, `faq.md.lock` beside `faq.md`, and is written by each build. It is TOML: a
//! `[[directive]]` for each directive, as it prints, with a `[[directive.quote]]` for each entry that it quoted, and for
//! each language its edition, a hash of what was quoted, and the words themselves, so that it can be said later which of
//! them changed. The hash decides; a lock without words is as good but for that. It holds no time and no path.

use crate::entry::{Bilingual, Entry, Field, Lang};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The form of lock files that this program reads and writes.
const VERSION: u32 = 1;

/// What a lock file begins with.
const HEADER: &str = "# What the document beside this file quotes. `shiyi faq build` writes it, `shiyi faq check` \
                      compares it with the library.\n";

/// What a document quoted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock {
    /// Its directives, in order.
    pub directives: Vec<Locked>,
}

/// What a directive quoted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locked {
    /// The directive, as it prints.
    #[serde(rename = "as")]
    pub written: String,
    /// What it quoted, in order.
    #[serde(default, rename = "quote", skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<Quote>,
}

/// An entry as it was quoted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The entry's id; of a verdict the game and `eval`.
    pub id: String,
    /// What was quoted in each language.
    #[serde(flatten)]
    pub texts: Bilingual<Quoted>,
}

/// What was quoted in one language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quoted {
    /// The edition, as its publisher names it; none for what has no edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// 32 hex digits of BLAKE3 over the text.
    pub hash: String,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Quoted {
    /// A text of an edition.
    pub fn new(edition: Option<&str>, text: String) -> Quoted {
        Quoted {
            edition: edition.map(str::to_owned),
            hash: hash(&text),
            text: Some(text),
        }
    }

    /// The words that were quoted; none where the lock does not hold them, or holds others than it says.
    pub fn words(&self) -> Option<&str> {
        self.text.as_deref().filter(|text| hash(text) == self.hash)
    }
}

impl Quote {
    /// An entry, as a document quotes it now.
    pub fn of(entry: &Entry) -> Quote {
        let mut texts = Bilingual::default();
        for lang in Lang::ALL {
            let edition = entry.edition.get(lang).map(|edition| edition.as_str());
            *texts.get_mut(lang) = said(entry, lang).map(|text| Quoted::new(edition, text));
        }
        Quote {
            id: entry.id.to_string(),
            texts,
        }
    }
}

/// What a quote of an entry says in a language: its title, text, items, examples and notes, a paragraph each.
fn said(entry: &Entry, lang: Lang) -> Option<String> {
    let title = entry.title.get(lang).map(String::as_str);
    let is_shown = |field: Field, text: &str| match field {
        Field::Title | Field::Item | Field::Example | Field::Note => true,
        Field::Text => Some(text) != title,
        Field::Alias | Field::Tag | Field::Card => false,
    };
    let texts = entry
        .texts()
        .filter(|(field, of, text)| *of == lang && is_shown(*field, text));
    let paragraphs: Vec<&str> = texts.map(|(_, _, text)| text).collect();
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n"))
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

/// Why a lock file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// A newer program wrote it.
    #[error("the lock file was written by a newer shiyi (version {0}; this one reads {VERSION})")]
    Newer(u32),
    /// It is no lock file; where, in bytes, if that is known.
    #[error("this is no lock file: {0}")]
    Malformed(String, Option<usize>),
}

/// A lock file, on its way from and to TOML.
#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    #[serde(default, rename = "directive", skip_serializing_if = "Vec::is_empty")]
    directives: Vec<Locked>,
}

/// The part of it that every version has.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl Lock {
    /// Where the lock of a document stands.
    pub fn path(document: &Path) -> PathBuf {
        let mut name = document.as_os_str().to_owned();
        name.push(".lock");
        name.into()
    }

    /// Reads a lock file.
    ///
    /// # Errors
    ///
    /// [`LockError`] when it is none that this program reads.
    pub fn parse(text: &str) -> Result<Lock, LockError> {
        let malformed = |error: toml::de::Error| {
            let said = error.message().lines().next().unwrap_or_default().to_owned();
            LockError::Malformed(said, error.span().map(|span| span.start))
        };
        let Version { version } = toml::from_str(text).map_err(malformed)?;
        if version > VERSION {
            return Err(LockError::Newer(version));
        }
        let File { directives, .. } = toml::from_str(text).map_err(malformed)?;
        Ok(Lock { directives })
    }

    /// The lock as a file holds it. The same lock is always the same text.
    pub fn to_text(&self) -> String {
        let file = File {
            version: VERSION,
            directives: self.directives.clone(),
        };
        // Strings, lists and tables of them; none of it can fail.
        let text = toml::to_string(&file).unwrap_or_default();
        format!("{HEADER}{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Kind, Note, NoteClass, SourceRef};
    use proptest::prelude::*;

    #[test]
    fn a_quote_is_what_the_document_shows() {
        let source = SourceRef {
            file: "a".into(),
            line: 1,
            lang: None,
        };
        let mut rule = Entry::new("demo:rule:1.1", "demo", "cr", Kind::Rule, source);
        rule.title = Bilingual::both("Dawn".into(), "黎明".into());
        rule.text = Bilingual::both("One.\nTwo.".into(), "一。".into());
        rule.aliases.push("Morning".into());
        rule.examples.push(Bilingual::one(Lang::En, "Three.".into()));
        rule.notes.push(Note {
            lang: Lang::Zh,
            text: "注。".into(),
            class: NoteClass::Translator,
            tag: Some("译注".into()),
            covers: Vec::new(),
        });
        rule.edition.en = Some("2".into());
        let Quote { id, texts } = Quote::of(&rule);
        let (en, zh) = (texts.en.unwrap(), texts.zh.unwrap());
        assert_eq!(id, "demo:rule:1.1");
        assert_eq!(en.words(), Some("Dawn\nOne.\nTwo.\nThree."));
        assert_eq!(zh.words(), Some("黎明\n一。\n注。"));
        assert_eq!((en.edition.as_deref(), zh.edition), (Some("2"), None));
        let other = Quoted {
            text: Some("Dusk".into()),
            ..en
        };
        assert_eq!(other.words(), None);
    }

    #[test]
    fn what_is_no_lock_says_where() {
        assert_eq!(Lock::parse("version = 1\n"), Ok(Lock::default()));
        assert_eq!(Lock::parse("version = 2\nx = 1\n"), Err(LockError::Newer(2)));
        for (text, line) in [
            ("version = 1\n<<<<<<< ours\n", 2),
            ("version = 1\n[[directive]]\nas = 3\n", 3),
        ] {
            match Lock::parse(text) {
                Err(LockError::Malformed(_, Some(found))) => {
                    assert_eq!(text[..found].matches('\n').count() + 1, line, "{text}");
                }
                other => panic!("{other:?}: {text}"),
            }
        }
        assert!(matches!(Lock::parse(""), Err(LockError::Malformed(..))));
        assert_eq!(Lock::path(Path::new("a/faq.md")), Path::new("a/faq.md.lock"));
    }

    fn quoted() -> impl Strategy<Value = Option<Quoted>> {
        let text = "([a甲\"'\\\\#=\\[\\]\u{1b}\u{0}]|\r?\n|'''|\"\"\"){0,12}";
        let edition = proptest::option::of("[0-9.\"-]{0,6}");
        let quoted = (edition, text, any::<bool>()).prop_map(|(edition, text, has_text)| {
            let mut quoted = Quoted::new(edition.as_deref(), text);
            quoted.text.take_if(|_| !has_text);
            quoted
        });
        proptest::option::of(quoted)
    }

    fn lock() -> impl Strategy<Value = Lock> {
        let quote = ("[a-z:0-9甲]{1,8}", quoted(), quoted()).prop_map(|(id, en, zh)| Quote {
            id,
            texts: Bilingual { en, zh },
        });
        let locked = (
            "\\{\\{[a \"“”=]{0,8}\\}\\}",
            proptest::collection::vec(quote, 0..3),
        )
            .prop_map(|(written, quotes)| Locked { written, quotes });
        proptest::collection::vec(locked, 0..3).prop_map(|directives| Lock { directives })
    }

    proptest! {
        #[test]
        fn a_lock_is_read_as_it_was_written(lock in lock()) {
            prop_assert_eq!(Lock::parse(&lock.to_text()), Ok(lock));
        }
    }
}
