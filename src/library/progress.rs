//! How far the building of an index has come, for whoever wants to show it.

use std::sync::Arc;

/// A step of the building of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// That many of all texts are read.
    Read {
        /// Texts read so far.
        done: usize,
        /// Texts in all.
        total: usize,
    },
    /// All texts are read; that many entries are being indexed.
    Indexing {
        /// Entries in all.
        entries: usize,
    },
    /// The building has ended, well or not.
    Ended,
}

/// Somebody who is told of each step, from whichever thread takes it; by default nobody.
#[derive(Clone, Default)]
pub(super) struct Watcher(Option<Arc<dyn Fn(Progress) + Send + Sync>>);

impl Watcher {
    pub(super) fn new(told: impl Fn(Progress) + Send + Sync + 'static) -> Watcher {
        Watcher(Some(Arc::new(told)))
    }

    pub(super) fn tell(&self, progress: Progress) {
        if let Some(told) = &self.0 {
            told(progress);
        }
    }
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Watcher" } else { "nobody" })
    }
}
