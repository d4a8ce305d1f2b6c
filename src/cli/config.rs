//! What the user has settled once: `shiyi/config.toml` in the folder for settings, `default_game = "mtg"`.

use super::ask::AskError;
use etcetera::BaseStrategy as _;
use serde::Deserialize;
use std::io::ErrorKind;

/// The settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// The game that is meant where none is named.
    default_game: Option<String>,
}

/// The game that the settings name; none without a file of settings.
///
/// # Errors
///
/// [`AskError::Usage`] when there is a file and it cannot be read.
pub fn default_game() -> Result<Option<String>, AskError> {
    let Ok(base) = etcetera::choose_base_strategy() else {
        return Ok(None);
    };
    let path = base.config_dir().join("shiyi/config.toml");
    let bad = |what: String| {
        let message = format!("`{}` cannot be read: {what}", path.display());
        AskError::usage(
            "bad-configuration",
            message,
            "write `default_game = \"mtg\"`, or take the file away",
        )
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let settings: Settings =
                toml::from_str(&text).map_err(|error| bad(error.message().to_owned()))?;
            Ok(settings.default_game)
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(bad(error.to_string())),
    }
}
