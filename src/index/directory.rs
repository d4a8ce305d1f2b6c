//! tantivy's files inside the packed file: a directory that can only be read, needs no lock, and checks what it
//! reads.

use crate::corpus::Damaged;
use crate::index::pack::{Pack, Section};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};

/// What the sections of tantivy's files are called: this and the file's name.
pub const PREFIX: &str = "tantivy/";

/// The files of an index.
#[derive(Debug, Clone)]
pub struct PackedDirectory {
    pack: Pack,
}

impl PackedDirectory {
    /// The files in that pack.
    pub fn new(pack: Pack) -> Self {
        Self { pack }
    }

    fn file(&self, path: &Path) -> Option<Section> {
        self.pack.section(&format!("{PREFIX}{}", path.to_str()?))
    }
}

fn damaged(error: Damaged) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

fn read_only() -> io::Error {
    io::Error::new(
        io::ErrorKind::ReadOnlyFilesystem,
        "a packed index is never written to",
    )
}

#[derive(Debug)]
struct PackedFile(Section);

impl HasLen for PackedFile {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl FileHandle for PackedFile {
    fn read_bytes(&self, range: std::ops::Range<usize>) -> io::Result<OwnedBytes> {
        self.0.owned(range).map_err(damaged)
    }
}

impl Directory for PackedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.file(path) {
            Some(section) => Ok(Arc::new(PackedFile(section))),
            None => Err(OpenReadError::FileDoesNotExist(path.to_owned())),
        }
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.file(path).is_some())
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let file = self
            .file(path)
            .ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))?;
        let bytes = file
            .all()
            .map_err(|error| OpenReadError::wrap_io_error(damaged(error), path.to_owned()))?;
        Ok(bytes.to_vec())
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError {
            io_error: Arc::new(read_only()),
            filepath: path.to_owned(),
        })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        // Nothing can change under a reader.
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
