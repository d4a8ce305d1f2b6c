//! What an ingest does to the disk: each step by itself, so that a test can make any of them fail.
//!
//! A file is written under a passing name, synced, and renamed into place; a step that fails leaves what was there
//! before. What a killed ingest leaves behind has a passing name, and the next one removes it.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::NamedTempFile;

/// What the names of files that are being written begin with.
const PASSING: &str = ".writing-";

/// Which steps fail on purpose; steps are counted from 1. For tests.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// That one.
    Once(u64),
    /// That one and all after it, so that nothing is tidied up: what a crash leaves.
    From(u64),
}

/// The disk, and what is wrong with it.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    faults: Option<Arc<Faults>>,
}

#[derive(Debug)]
struct Faults {
    fault: Fault,
    steps: AtomicU64,
}

impl Disk {
    /// A disk that fails on purpose.
    pub(super) fn failing(fault: Fault) -> Disk {
        Disk {
            faults: Some(Arc::new(Faults {
                fault,
                steps: AtomicU64::new(0),
            })),
        }
    }

    /// Steps taken on a disk that fails on purpose.
    pub(super) fn steps(&self) -> u64 {
        let steps = self
            .faults
            .as_ref()
            .map(|faults| faults.steps.load(Ordering::Relaxed));
        steps.unwrap_or_default()
    }

    /// Counts a step; an error when it is one that fails.
    fn step(&self) -> io::Result<()> {
        let Some(faults) = &self.faults else {
            return Ok(());
        };
        let step = 1 + faults.steps.fetch_add(1, Ordering::Relaxed);
        let fails = match faults.fault {
            Fault::Once(one) => step == one,
            Fault::From(first) => step >= first,
        };
        match fails {
            true => Err(io::Error::other("a fault on purpose")),
            false => Ok(()),
        }
    }

    /// True after a crash.
    fn is_dead(&self) -> bool {
        self.faults.as_ref().is_some_and(|faults| match faults.fault {
            Fault::Once(_) => false,
            Fault::From(first) => faults.steps.load(Ordering::Relaxed) >= first,
        })
    }

    /// Makes a folder and those above it.
    pub(super) fn create_folder(&self, folder: &Path) -> io::Result<()> {
        self.step()?;
        std::fs::create_dir_all(folder)
    }

    /// Opens the file that is locked while an ingest runs.
    pub(super) fn open_lock(&self, folder: &Path) -> io::Result<Lock> {
        self.step()?;
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(folder.join("lock"))?;
        Ok(Lock(file))
    }

    /// Takes the lock, if nobody has it, and writes down whose it is.
    pub(super) fn lock(&self, lock: &Lock) -> Result<(), TryLockError> {
        let mut file = &lock.0;
        file.try_lock()?;
        // Who has it is for messages only.
        let _ = self.step().and_then(|()| file.set_len(0));
        let _ = self
            .step()
            .and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
        Ok(())
    }

    /// A new file in a folder, without a lasting name.
    pub(super) fn create(&self, folder: &Path) -> io::Result<NewFile> {
        self.step()?;
        Ok(NewFile {
            file: tempfile::Builder::new().prefix(PASSING).tempfile_in(folder)?,
            folder: folder.to_owned(),
            disk: self.clone(),
        })
    }

    /// Removes a file. Where something still holds it, a later ingest tries again.
    pub(super) fn remove(&self, path: &Path) {
        let _ = self.step().and_then(|()| std::fs::remove_file(path));
    }

    /// Removes what ingests have left that were killed: files without a lasting name, and generations other than
    /// the one that the file of that name leads to. Only who has the lock may do this.
    pub(super) fn tidy(&self, folder: &Path, current: &str) {
        let current = std::fs::read_to_string(folder.join(current)).unwrap_or_default();
        let current = current.trim();
        let answers = current.starts_with("generation-") && folder.join(current).is_file();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(PASSING) || answers && name.starts_with("generation-") && name != current {
                self.remove(&entry.path());
            }
        }
    }
}

/// The lock of an index folder, taken or not; it is the operating system's and ends with its process.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Takes the lock, however long that takes.
    pub(super) fn wait(&self) -> io::Result<()> {
        self.0.lock()
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just being started may hold the same open file for a moment.
        let _ = self.0.unlock();
    }
}

/// A file that is being written. Dropped, it is gone.
#[derive(Debug)]
pub(super) struct NewFile {
    file: NamedTempFile,
    folder: PathBuf,
    disk: Disk,
}

impl NewFile {
    /// Gives the file its lasting name in its folder, when all of it is on the disk.
    pub(super) fn persist(mut self, name: &str) -> io::Result<()> {
        self.disk.step()?;
        self.file.as_file().sync_all()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            self.disk.step()?;
            // A library may be shared: readable by whoever may read the folder.
            self.file
                .as_file()
                .set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        self.disk.step()?;
        std::fs::rename(self.file.path(), self.folder.join(name))?;
        self.file.disable_cleanup(true);
        #[cfg(unix)]
        {
            self.disk.step()?;
            File::open(&self.folder)?.sync_all()?;
        }
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.disk.step() {
            // A disk that fails has often taken a part.
            let _ = self.file.write(&bytes[..bytes.len() / 2]);
            return Err(error);
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Read for NewFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if self.disk.is_dead() {
            self.file.disable_cleanup(true);
        }
    }
}
