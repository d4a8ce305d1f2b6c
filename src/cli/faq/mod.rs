//! `shiyi faq`: documents that quote the rules, built, checked and drafted.

mod answer;
mod build;
mod check;
mod draft;

use super::args::FaqCommand;
use super::ask::AskError;
use super::{Failure, Session};
use crate::faq::lock::{Lock, LockError};
use crate::source::SourceFile;
use std::path::{Path, PathBuf};

impl Session {
    pub(super) fn faq(&mut self, command: &FaqCommand) -> Result<u8, Failure> {
        match command {
            FaqCommand::Build(build) => self.faq_build(build),
            FaqCommand::Check(check) => self.faq_check(check),
            FaqCommand::New(new) => self.faq_new(new),
        }
    }
}

/// What to do about the lock of a newer program.
const UPDATE: &str = "update shiyi";

/// A document on disk.
struct Document {
    path: PathBuf,
    source: SourceFile,
    /// True where the file begins with a byte order mark; the source does not.
    has_mark: bool,
}

impl Document {
    /// Reads a document. It must be UTF-8: what is no directive is written as it was read.
    fn read(path: &Path) -> Result<Document, AskError> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = sound.iter().filter(|byte| **byte == b'\n').count() + 1;
            AskError::usage(
                "not-text",
                format!("`{shown}` is not UTF-8 from line {line} on"),
                "write the document in UTF-8",
            )
        })?;
        let unmarked = text.strip_prefix('\u{feff}');
        Ok(Document {
            path: path.to_owned(),
            has_mark: unmarked.is_some(),
            source: SourceFile::new(shown, unmarked.unwrap_or(&text)),
        })
    }

    /// What the document quoted when it was built; none when it has not been built.
    fn lock(&self) -> Result<Option<Lock>, AskError> {
        let path = Lock::path(&self.path);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(&path, &error)),
        };
        let lock = Lock::parse(&text).map_err(|error| {
            let hint = match &error {
                LockError::Newer(_) => UPDATE,
                LockError::Malformed(..) => "build the document again; that writes it anew",
            };
            let place = match &error {
                LockError::Malformed(_, Some(at)) => {
                    let position = SourceFile::new("", text.as_str()).position(*at);
                    format!("{}:{}:{}", path.display(), position.line, position.column)
                }
                _ => path.display().to_string(),
            };
            AskError::usage("bad-lock", format!("`{place}`: {error}"), hint)
        })?;
        Ok(Some(lock))
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> AskError {
    AskError::usage(
        "io",
        format!("`{}` cannot be read: {error}", path.display()),
        "check the file's name",
    )
}
