//! Which texts end before all is there that they say they hold? What such an edition lacks is not gone from the rules.

use super::{Loaded, Opened};
use crate::corpus::Damaged;
use crate::diagnostic::Diagnostic;
use crate::parse::Lacking;
use serde::{Deserialize, Serialize};

/// The section of a generation that holds them, as JSON.
pub(super) const CUTS: &str = "cuts";

/// A text that is cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// The game's id.
    pub game: String,
    /// The document's id.
    pub document: String,
    /// Its edition; none for an undated text.
    pub edition: Option<String>,
    /// What is said about it at ingest.
    pub diagnostic: Diagnostic,
}

impl From<Lacking> for Cut {
    fn from(lacking: Lacking) -> Cut {
        Cut {
            game: lacking.game.into(),
            document: lacking.document.into(),
            edition: lacking.edition.map(String::from),
            diagnostic: lacking.diagnostic,
        }
    }
}

impl Opened {
    /// The texts that are cut.
    ///
    /// # Errors
    ///
    /// [`Damaged`] when the index cannot be read.
    pub fn cuts(&self) -> Result<Vec<Cut>, Damaged> {
        match &self.loaded {
            Loaded::Index(index) => {
                serde_json::from_slice(index.extra(CUTS)?).map_err(|error| Damaged(error.to_string()))
            }
            Loaded::Corpus(_) => Ok(Vec::new()),
        }
    }
}
