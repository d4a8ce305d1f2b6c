//! Files that look changed and say what they said: a library that was copied, or whose files were touched.
//!
//! Where [`watch`] sees a difference, the files that differ are read and compared by hash with what was ingested: only
//! those that an answer is from, and only until somebody remembers that they are the same. That is kept beside the index,
//! where it can be:
//!
//! ```text
//! touched := hash of the generation's own meta, 32 bytes
//!            the meta with what the files look like now (see [`watch`])
//! ```

use super::generation::{HASHES, Hashes, META};
use super::watch::{self, Looked, Meta};
use super::{Library, sources};
use crate::corpus::Damaged;
use crate::index::Index;
use std::io::Write as _;
use std::path::Path;

/// The file beside the index.
pub(super) const TOUCHED: &str = "touched";

/// Bytes of a hash.
const HASH: usize = 32;

/// What of a library says something else than when it was ingested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// A file that describes texts.
    pub(super) settings: bool,
    /// A text that is new, gone or reworded.
    pub(super) sources: bool,
}

impl Library {
    /// What has changed of what is looked at. `folder` is where the index is kept; none of one in memory.
    pub(super) fn changes_since(
        &self,
        index: &Index,
        folder: Option<&Path>,
        looked: Looked<'_>,
    ) -> Result<Changes, Damaged> {
        let Some(root) = self.root() else {
            return Ok(Changes::default());
        };
        let own = index.extra(META)?;
        if watch::looks_unchanged(root, own, looked) {
            return Ok(Changes::default());
        }
        let remembered = folder.and_then(|folder| remembered(folder, own));
        if let Some(meta) = &remembered
            && watch::looks_unchanged(root, meta, looked)
        {
            return Ok(Changes::default());
        }
        let Some(mut meta) = Meta::from_bytes(remembered.as_deref().unwrap_or(own)) else {
            return Err(Damaged("what the index says of itself cannot be read".to_owned()));
        };
        let listing = sources::listing(root);
        let before = meta.seen.clone();
        let seen = &mut meta.seen;
        let hashes: Option<Hashes> = serde_json::from_slice(index.extra(HASHES)?).ok();
        let mut changes = Changes {
            settings: false,
            sources: listing.sources.len() != seen.sources.len()
                || listing
                    .sources
                    .iter()
                    .zip(&seen.sources)
                    .any(|(now, then)| now.path != then.path),
        };
        if listing.settings != seen.settings {
            let same = hashes
                .as_ref()
                .is_some_and(|hashes| sources::settings_hash(root, &listing.sources) == hashes.settings);
            changes.settings = !same;
            seen.settings.clone_from(&listing.settings);
        }
        if !changes.sources {
            for (idx, now) in listing.sources.iter().enumerate() {
                let then = &seen.sources[idx];
                if now == then || !looked.includes_source(seen.holdings.get(&now.path)) {
                    continue;
                }
                let hash = hashes
                    .as_ref()
                    .and_then(|hashes| hashes.sources.get(idx)?.clone());
                if now.size == then.size && hash.is_some() && sources::hash(root, now) == hash {
                    seen.sources[idx] = now.clone();
                } else {
                    changes.sources = true;
                    break;
                }
            }
        }
        if changes == Changes::default() && listing.diagnostics.is_empty() && watch::is_at_rest(&listing) {
            seen.see_folders(&listing);
            if *seen != before
                && let Some(folder) = folder
            {
                // Where it cannot be kept, it is found out again.
                let _ = self.remember(folder, own, &meta);
            }
        }
        Ok(changes)
    }

    fn remember(&self, folder: &Path, own: &[u8], meta: &Meta) -> std::io::Result<()> {
        let mut file = self.disk.create(folder)?;
        file.write_all(blake3::hash(own).as_bytes())?;
        file.write_all(&meta.to_bytes())?;
        file.persist(TOUCHED)
    }
}

/// What is remembered of the generation with this meta.
fn remembered(folder: &Path, own: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = std::fs::read(folder.join(TOUCHED)).ok()?;
    let meta = bytes.split_off(HASH.min(bytes.len()));
    (bytes == blake3::hash(own).as_bytes()).then_some(meta)
}
