//! A file mapped into memory: the one place in shiyi where `unsafe` is allowed.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;
use tantivy::directory::OwnedBytes;

/// Maps a whole file, read-only.
///
/// # Errors
///
/// When it cannot be opened, is no regular file, or cannot be mapped.
#[allow(unsafe_code)]
pub fn map(path: &Path) -> io::Result<OwnedBytes> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    // SAFETY: a mapping is undefined behaviour if the file changes under it. A generation is written under
    // another name, synced, and renamed into place; nothing ever writes to it or cuts it afterwards. Removing it
    // is harmless, as the mapping keeps its pages. Bytes that were damaged before are caught by checksum.
    let map = unsafe { Mmap::map(&file)? };
    Ok(OwnedBytes::new(map))
}
