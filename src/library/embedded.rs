//! What is in the program itself?

use super::sources::{self, Declared};
use crate::game::{Games, Unread};
use crate::parse::Parsed;

include!(concat!(env!("OUT_DIR"), "/embedded_library.rs"));

/// What tells this program's texts from another's.
pub(super) const TEXTS_STAMP: &str = STAMP;

/// What marks the path of an embedded source: it is no file of the user's.
pub const EMBEDDED_PREFIX: &str = "built-in:";

/// The library that is compiled into the program: this repository's own `rules/` and `rulings/`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Embedded;

impl Embedded {
    /// Every shipped game.
    pub fn games(&self) -> impl Iterator<Item = Unread> {
        GAMES.iter().map(unread)
    }

    /// The shipped game of that id.
    pub(super) fn game(id: &str) -> Option<Unread> {
        GAMES.iter().find(|(known, _, _)| *known == id).map(unread)
    }

    /// Every text, with its path.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        FILES.iter().copied().filter(|(path, _)| path.ends_with(".md"))
    }

    /// Reads the texts of the games that `wanted` names.
    pub(super) fn parse(&self, games: &Games, wanted: impl Fn(&str) -> bool) -> Vec<Parsed> {
        self.texts()
            .filter(|(path, _)| path.split('/').nth(1).is_some_and(&wanted))
            .map(|(path, text)| {
                let path = format!("{EMBEDDED_PREFIX}{path}");
                sources::read_bytes(&path, text.as_bytes(), &Declared::default(), games)
            })
            .collect()
    }
}

/// A shipped game, as `build.rs` lists it.
pub(super) fn unread(
    &(id, names, [json, numeric, calc]): &(&'static str, &'static [&'static str], [&'static str; 3]),
) -> Unread {
    Unread {
        id,
        names,
        json,
        numeric,
        calc,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Library;
    use super::*;
    use crate::entry::Lang;
    use crate::game::Game;

    #[test]
    fn the_listed_names_are_those_of_the_games() {
        let mut shipped = 0;
        for unread in Embedded.games() {
            let (_, toml) = FILES
                .iter()
                .find(|(path, _)| *path == format!("rules/{}/game.toml", unread.id))
                .unwrap();
            let game = Game::from_toml(toml).unwrap_or_else(|error| panic!("{}: {error}", unread.id));
            assert_eq!(game.id, unread.id);
            let games = Games::over([unread], []);
            assert_eq!(
                format!("{:?}", games.get(unread.id)),
                format!("{:?}", Some(&game))
            );
            for name in game.aliases.iter().chain([&game.names.en]).chain(&game.names.zh) {
                assert!(games.find(name).is_some(), "{}: {name}", game.id);
            }
            shipped += 1;
        }
        assert!(shipped >= 13);
        let (games, stored, _) = Library::new(None, None).games_to_store();
        let stored = Games::stored(std::sync::Arc::new(stored), Embedded::game).unwrap();
        assert_eq!(stored.ids().count(), shipped);
        for game in games.iter() {
            let found = stored.find(game.name(Lang::Zh));
            assert_eq!(format!("{found:?}"), format!("{:?}", Some(game)));
        }
        assert!(Embedded.texts().count() >= 5);
    }
}
