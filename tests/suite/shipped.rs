//! What the repository ships in `rules/` and `rulings/`: our own wording, and a profile for every game.

use shiyi::citation::RuleNumber;
use shiyi::game::{Game, Games};
use std::fs;
use std::path::{Path, PathBuf};

/// The repository, which is itself a library.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn folders(parent: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(parent)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn games() -> Games {
    Games::new(folders(&root().join("rules")).iter().map(|folder| {
        let path = root().join("rules").join(folder).join("game.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let game = Game::from_toml(&text).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        assert_eq!(&game.id, folder);
        game
    }))
}

#[test]
fn every_game_has_a_profile_of_its_own() {
    let games = games();
    assert_eq!(games.iter().count(), 13);
    for game in games.iter() {
        for name in [Some(&game.names.en), game.names.zh.as_ref()]
            .into_iter()
            .flatten()
            .chain(&game.aliases)
        {
            assert_eq!(
                games.find(name).map(|found| &found.id),
                Some(&game.id),
                "`{name}` is taken"
            );
        }
        assert!(game.document("cr").is_some(), "{}", game.id);
    }
    for (word, id) in [
        ("ygo", "yugioh"),
        ("one-piece", "onepiece"),
        ("grand-archive", "grandarchive"),
        ("万智牌", "mtg"),
        ("MTG", "mtg"),
        ("力之意志", "fow"),
        ("游戏王", "yugioh"),
        ("航海王", "onepiece"),
    ] {
        assert_eq!(games.find(word).map(|game| game.id.as_str()), Some(id), "{word}");
    }
}

#[test]
fn numbers_fit_their_game_and_no_other_shape() {
    let games = games();
    let fits = |game: &str, document: Option<&str>, number: &str| {
        let number: RuleNumber = number.parse().unwrap();
        games
            .get(game)
            .unwrap()
            .numbering(document)
            .unwrap()
            .fits(&number)
    };
    for (game, document, number) in [
        ("mtg", None, "7"),
        ("mtg", None, "702.19b"),
        ("mtg", None, "704.5aa"),
        ("mtg", Some("mtr"), "6.3"),
        ("mtg", Some("ipg"), "2.1"),
        ("fow", None, "1014.4"),
        ("fow", None, "702.3a-1"),
        ("onepiece", None, "5-2-1-5-1"),
        ("gundam", None, "3-6-4-1"),
        ("digimon", None, "1-2-1"),
        ("fab", None, "1.0.1a"),
        ("lorcana", None, "1.6.1.3"),
        ("riftbound", None, "103.1.b.1"),
        ("riftbound", None, "001"),
    ] {
        assert!(fits(game, document, number), "{game} {number}");
    }
    for (game, number) in [
        ("mtg", "1014.4"),
        ("mtg", "702.3a-1"),
        ("fow", "7"),
        ("onepiece", "1.2"),
        ("fab", "1-2"),
    ] {
        assert!(!fits(game, None, number), "{game} {number}");
    }
}
