//! How a game reads numbers: its conventions, each with the rule that justifies it.

use serde::Deserialize;

/// A game's numeric conventions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Profile {}
