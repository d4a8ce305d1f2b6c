//! A `game.toml`, read part by part: what is wrong with one part takes away that part and no other, and what
//! contradicts itself is said with its place.

use super::stored::Parts;
use super::{Deferred, Document, Game, GameError, Level, Names, Numbering, is_game_id, loose};
use crate::entry::{Kind, Lang};
use serde::de::DeserializeOwned;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// A `game.toml`, read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The game, without what is wrong; none where neither the file nor its folder gives it an id.
    pub game: Option<Game>,
    /// Its deferred parts, for the index.
    pub parts: Parts,
    /// What is wrong.
    pub faults: Vec<GameError>,
    /// Each word that calls it, with its place: its id, its names and aliases.
    words: Vec<(String, Range<usize>)>,
}

type Value<'t> = Spanned<DeValue<'t>>;

/// What a `game.toml` may say, for the message about what it may not.
const KEYS: &str = "id, names, aliases, languages, [[document]], [numeric] and [calc]";

/// Reads a `game.toml`. `folder` is the folder that it stands in, which the game is called after.
pub fn read(text: &str, folder: Option<&str>) -> Reading {
    let mut reading = Reading {
        parts: ["{}".to_owned(), "{}".to_owned()],
        ..Reading::default()
    };
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let hint = "nothing of the file is used until it is correct TOML";
            reading.fault(error.message(), error.span(), hint);
            return reading;
        }
    };
    let (mut has_id, mut has_names) = (false, false);
    let mut names: Option<Names> = None;
    let (mut id, mut aliases, mut languages) = (None, Vec::new(), Vec::new());
    let (mut documents, mut numeric, mut calc) = (Vec::new(), Deferred::default(), Deferred::default());
    for (key, value) in table {
        let (place, span) = (key.span(), value.span());
        match key.get_ref().as_ref() {
            "id" => {
                has_id = true;
                id = reading.part::<String>(&value, ID_HINT).map(|id| (id, span));
            }
            "names" => {
                has_names = true;
                names = reading.part(&value, NAMES_HINT);
                for lang in ["en", "zh"] {
                    reading.word(at(&value, lang));
                }
            }
            "aliases" => {
                aliases = reading
                    .part(&value, "write `aliases = [\"…\", \"…\"]`")
                    .unwrap_or_default();
                for alias in value.get_ref().as_array().into_iter().flat_map(|all| all.iter()) {
                    reading.word(Some(alias));
                }
            }
            "languages" => {
                languages = reading
                    .part::<Vec<Lang>>(&value, "write `languages = [\"en\", \"zh\"]`")
                    .unwrap_or_default();
            }
            "document" => match value.into_inner() {
                DeValue::Array(all) => documents = reading.documents(all),
                _ => reading.fault(
                    "`document` is no list of documents",
                    Some(span),
                    "head each document with `[[document]]`",
                ),
            },
            "numeric" => (numeric, reading.parts[0]) = reading.deferred(value),
            "calc" => (calc, reading.parts[1]) = reading.deferred(value),
            other => {
                let message = format!("unknown field `{other}`");
                reading.fault(message, Some(place), format!("a game has {KEYS}; take it out"));
            }
        }
    }
    if !has_id {
        reading.fault("the game has no `id`", None, ID_HINT);
    }
    if !has_names {
        reading.fault("the game has no `names`", None, NAMES_HINT);
    }
    reading.game = reading.id(id, folder).map(|id| Game {
        names: names.unwrap_or_else(|| Names {
            en: id.clone(),
            zh: None,
        }),
        id,
        aliases,
        languages,
        documents,
        numeric,
        calc,
    });
    reading.sort();
    reading
}

const ID_HINT: &str = "write `id = \"…\"`: what its folder is called";
const NAMES_HINT: &str = "write `names = { en = \"…\", zh = \"…\" }`";

/// What stands under a key of a table.
fn at<'v, 't>(value: &'v Value<'t>, key: &str) -> Option<&'v Value<'t>> {
    let table = value.get_ref().as_table()?;
    table
        .iter()
        .find_map(|(name, value)| (name.get_ref() == key).then_some(value))
}

impl Reading {
    fn fault(&mut self, message: impl Into<String>, span: Option<Range<usize>>, hint: impl Into<String>) {
        self.faults.push(GameError {
            message: message.into(),
            hint: hint.into(),
            span,
        });
    }

    /// A part of the file as what it should be; none, and a fault, where it is something else.
    fn part<T: DeserializeOwned>(&mut self, value: &Value<'_>, hint: &str) -> Option<T> {
        match T::deserialize(ValueDeserializer::from(value.clone())) {
            Ok(part) => Some(part),
            Err(error) => {
                let span = error.span().unwrap_or(value.span());
                self.fault(error.message(), Some(span), hint);
                None
            }
        }
    }

    /// A part that is read when it is needed, with its stored form.
    fn deferred<T: Default + DeserializeOwned>(&mut self, value: Value<'_>) -> (Deferred<T>, String) {
        let hint = "this whole part of the file is left out until it is corrected";
        let json = || serde_json::to_string(&self_describing(&value)?).ok();
        match self.part(&value, hint).zip(json()) {
            Some((part, json)) => (Deferred::known(part), json),
            None => (Deferred::default(), "{}".to_owned()),
        }
    }

    fn word(&mut self, value: Option<&Value<'_>>) {
        if let Some((word, value)) = value.and_then(|value| Some((value.get_ref().as_str()?, value))) {
            self.words.push((word.to_owned(), value.span()));
        }
    }

    /// The game's id: what the file says, or what its folder is called where the file says nothing that can be one.
    fn id(&mut self, written: Option<(String, Range<usize>)>, folder: Option<&str>) -> Option<String> {
        let folder = folder.filter(|folder| is_game_id(folder));
        let Some((id, span)) = written else {
            return folder.map(str::to_owned);
        };
        if !is_game_id(&id) {
            let hint = match folder {
                Some(folder) => format!("write `id = \"{folder}\"`: what its folder is called"),
                None => "use up to 32 of a-z, 0-9 and `-`, and call the folder the same".to_owned(),
            };
            self.fault(format!("`{id}` is no game id"), Some(span), hint);
            return folder.map(str::to_owned);
        }
        if let Some(folder) = folder.filter(|folder| *folder != id) {
            let message = format!("the game's id is `{id}`, but its folder is called `{folder}`");
            let hint = format!("write `id = \"{folder}\"`, or rename the folder to `{id}`");
            self.fault(message, Some(span), hint);
            // The texts in the folder are of the game that the folder is called after.
            return Some(folder.to_owned());
        }
        self.words.insert(0, (id.clone(), span));
        Some(id)
    }

    fn documents<'t>(&mut self, all: impl IntoIterator<Item = Value<'t>>) -> Vec<Document> {
        let mut documents: Vec<Document> = Vec::new();
        let hint = "this document is left out until it is corrected";
        for value in all {
            let Some(document) = self.part::<Document>(&value, hint) else {
                continue;
            };
            let place = at(&value, "id").map(|id| id.span());
            let id = &document.id;
            if !is_game_id(id) {
                let message = format!("`{id}` is no document id");
                self.fault(message, place, "use up to 32 of a-z, 0-9 and `-`: `cr`");
                continue;
            }
            if documents.iter().any(|other| other.id == *id) {
                let message = format!("the game has two documents `{id}`");
                self.fault(
                    message,
                    place,
                    "give each document an id of its own, or make one of the two",
                );
                continue;
            }
            let numbering = at(&value, "numbering");
            let faults = document.numbering.as_ref().map_or_else(Vec::new, contradictions);
            let sound = faults.is_empty();
            for (key, message, hint) in faults {
                let place = numbering.map(|table| at(table, key).unwrap_or(table).span());
                self.fault(message, place, hint);
            }
            let print = &*document.print;
            let is_empty = |text: &str| text.trim().is_empty();
            let some_empty = |texts: &[String]| texts.iter().any(|text| is_empty(text));
            for (key, some_empty) in [
                ("names", document.names.iter().any(is_empty)),
                ("signatures", some_empty(&print.signatures)),
                ("glossary", some_empty(&print.glossary)),
                ("back-matter", some_empty(&print.back_matter)),
            ] {
                if some_empty {
                    let place = at(&value, key).map(|list| list.span());
                    self.fault(format!("an empty text among the `{key}`"), place, "take it out");
                }
            }
            if sound {
                documents.push(document);
            }
        }
        documents
    }

    /// Compares what calls the game with what calls others: `taken` gives the game that a word already means. An
    /// alias that does is dropped.
    pub fn compare_names(&mut self, taken: impl Fn(&str) -> Option<String>) {
        let Some(game) = &mut self.game else { return };
        for (word, span) in std::mem::take(&mut self.words) {
            let Some(other) = taken(&loose(&word)).filter(|other| *other != game.id) else {
                continue;
            };
            game.aliases.retain(|alias| *alias != word);
            self.faults.push(GameError {
                message: format!("`{word}` already means the game `{other}`"),
                hint: "choose another word, or take it out".to_owned(),
                span: Some(span),
            });
        }
        self.sort();
    }

    /// Puts the faults in the order of the text.
    fn sort(&mut self) {
        self.faults
            .sort_by_key(|fault| fault.span.as_ref().map_or(0, |span| span.start));
    }
}

/// A value without its places.
fn self_describing(value: &Value<'_>) -> Option<toml::Value> {
    serde::Deserialize::deserialize(ValueDeserializer::from(value.clone())).ok()
}

/// What a numbering says against itself: the key, what is wrong, and what to do.
fn contradictions(numbering: &Numbering) -> Vec<(&'static str, String, String)> {
    let mut found = Vec::new();
    let mut say = |key, message: String, hint: &str| found.push((key, message, hint.to_owned()));
    let Numbering {
        levels,
        kinds,
        digits: [least, most],
        chapter_size,
        skip_letters,
    } = numbering;
    match levels.first() {
        None => say(
            "levels",
            "a numbering without levels".to_owned(),
            "write one for each part of a number, `[\"n\", \".n\"]`; leave `numbering` out for a document without numbers",
        ),
        Some(Level {
            joint: None,
            letters: false,
            bracketed: false,
        }) => {}
        Some(first) => say(
            "levels",
            format!("a rule's number cannot begin with `{first}`"),
            "the first level is `n`: numbers that begin with a letter or a sign are not read; a `§` before a number needs no level",
        ),
    }
    let mut pairs = levels.windows(2).map(|pair| (pair[0], pair[1]));
    let untold = |(above, level): &(Level, Level)| {
        level.letters == above.letters && (level.letters || level.joint.is_none())
    };
    if let Some((above, level)) = pairs.find(untold) {
        if level.letters {
            say(
                "levels",
                format!("`{level}` after `{above}`: letters cannot follow letters"),
                "put a level of numbers between them",
            );
        } else {
            say(
                "levels",
                format!("`{level}` after `{above}`: nothing tells the one number from the next"),
                "write what joins them: `.n`, `-n` or `(n)`",
            );
        }
    }
    if *least == 0 || least > most || *most > 9 {
        say(
            "digits",
            format!("no number has at least {least} and at most {most} digits"),
            "write the least first and then the most, each from 1 to 9: `digits = [1, 3]`",
        );
    }
    // Two are the default, whatever the levels.
    if kinds.is_empty() || kinds.len() > levels.len().max(2) {
        say(
            "kinds",
            format!("{} kinds for {} levels", kinds.len(), levels.len()),
            "write what a number of one part is, of two, …: the last serves for all that are longer",
        );
    }
    if let Some(kind) = kinds
        .iter()
        .find(|kind| !matches!(kind, Kind::Chapter | Kind::Section | Kind::Rule))
    {
        say(
            "kinds",
            format!("a number is no {}", kind.as_str()),
            "use `chapter`, `section` and `rule`",
        );
    }
    match chapter_size {
        Some(0 | 1) => say(
            "chapter-size",
            "a chapter of no more than one section".to_owned(),
            "write how many sections a chapter spans: 100, where section 702 stands in chapter 7",
        ),
        Some(_) if *least < 2 => say(
            "chapter-size",
            "sections may have one digit, so a chapter's number cannot be told from theirs".to_owned(),
            "let `digits` begin with 2 or more, or leave `chapter-size` out",
        ),
        _ => {}
    }
    if let Some(c) = skip_letters.chars().find(|c| !c.is_ascii_lowercase()) {
        say(
            "skip-letters",
            format!("`{c}` is no letter that a number can have"),
            "write the letters in lower case, one after another: `lo`",
        );
    } else if !skip_letters.is_empty() && !levels.iter().any(|level| level.letters) {
        say(
            "skip-letters",
            "the numbers have no letters to leave out".to_owned(),
            "take it out, or add a level of letters",
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "id = \"demo\"\nnames = { en = \"Demo\" }\n";

    /// The words of `text` that each fault is about, with its message.
    fn faults(text: &str, folder: Option<&str>) -> Vec<(String, String)> {
        let about = |fault: GameError| (text[fault.span.unwrap_or(0..0)].to_owned(), fault.message);
        read(text, folder).faults.into_iter().map(about).collect()
    }

    #[test]
    fn what_contradicts_itself_is_said_with_its_place() {
        for (numbering, place, message) in [
            ("levels = []", "[]", "without levels"),
            (r#"levels = ["n", "n", "n"]"#, "", "nothing tells"),
            (
                r#"levels = ["n", ".n", "a", ".a"]"#,
                "",
                "letters cannot follow letters",
            ),
            (r#"levels = ["a", "-n"]"#, "", "cannot begin with `a`"),
            (r#"levels = [".n", ".n"]"#, "", "cannot begin with `.n`"),
            (r#"levels = ["A", "-n"]"#, "[\"A\", \"-n\"]", "`A` is no level"),
            (
                r#"levels = ["n", ".n"], digits = [3, 1]"#,
                "[3, 1]",
                "at least 3 and at most 1",
            ),
            (r#"levels = ["n", ".n"], digits = [0, 1]"#, "[0, 1]", "at least 0"),
            (r#"levels = ["n", ".n"], kinds = []"#, "[]", "0 kinds"),
            (
                r#"levels = ["n", ".n"], kinds = ["chapter", "section", "rule"]"#,
                "",
                "3 kinds for 2 levels",
            ),
            (
                r#"levels = ["n", ".n"], kinds = ["ruling"]"#,
                "[\"ruling\"]",
                "no ruling",
            ),
            (r#"levels = ["n", ".n"], chapter-size = 100"#, "100", "one digit"),
            (
                r#"levels = ["n", ".n"], digits = [3, 3], chapter-size = 0"#,
                "0",
                "no more than one section",
            ),
            (
                r#"levels = ["n", ".n"], skip-letters = "lo""#,
                "\"lo\"",
                "no letters to leave out",
            ),
            (
                r#"levels = ["n", "a"], skip-letters = "L""#,
                "\"L\"",
                "no letter that",
            ),
            (
                r#"levels = ["n", ".n"], sections = 3"#,
                "sections",
                "unknown field",
            ),
        ] {
            let text = format!(
                "{HEAD}[[document]]\nid = \"cr\"\nnumbering = {{ {numbering} }}\n[[document]]\nid = \"tr\"\n"
            );
            let found = faults(&text, Some("demo"));
            assert_eq!(found.len(), 1, "{numbering}: {found:?}");
            assert!(found[0].1.contains(message), "{numbering}: {found:?}");
            assert!(place.is_empty() || found[0].0 == place, "{numbering}: {found:?}");
            assert!(found[0].0.len() < 40, "{numbering}: {found:?}");
            // The other document is there, and texts of the faulty one are not read by a part of what it says.
            let game = read(&text, Some("demo")).game.unwrap();
            assert!(
                game.document("tr").is_some() && game.document("cr").is_none(),
                "{numbering}"
            );
        }
    }

    #[test]
    fn one_faulty_part_takes_no_other_away() {
        let text = format!(
            "{HEAD}aliases = [\"d\"]\ncolour = 1\n[[document]]\nid = \"cr\"\n[[document]]\nid = \"cr\"\n\
             [[document]]\nid = \"house rules\"\n[[document]]\nname = \"x\"\n[numeric]\nbare = 1\n[calc]\nnone = 1\n"
        );
        let found = faults(&text, Some("demo"));
        let places: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
        assert!(
            places.contains(&"colour") && places.contains(&"\"house rules\""),
            "{found:?}"
        );
        assert_eq!(found.len(), 6, "{found:?}");
        let reading = read(&text, Some("demo"));
        let game = reading.game.unwrap();
        assert!(game.is_called("d") && game.documents.len() == 1);
        assert_eq!(reading.parts, ["{}", "{}"]);
    }

    #[test]
    fn a_game_is_called_after_its_folder() {
        for (text, folder, id, n) in [
            (HEAD, Some("demo"), Some("demo"), 0),
            (HEAD, None, Some("demo"), 0),
            (HEAD, Some("other"), Some("other"), 1),
            (
                "id = \"Demo!\"\nnames = { en = \"D\" }",
                Some("demo"),
                Some("demo"),
                1,
            ),
            ("id = \"Demo!\"\nnames = { en = \"D\" }", None, None, 1),
            ("id = 3\nnames = { en = \"D\" }", Some("demo"), Some("demo"), 1),
            ("names = { en = \"D\" }", Some("demo"), Some("demo"), 1),
            ("id = \"demo\"", Some("demo"), Some("demo"), 1),
            (
                "id = \"demo\"\nnames = { zh = \"示范\" }",
                Some("demo"),
                Some("demo"),
                1,
            ),
            ("id = demo", Some("demo"), None, 1),
        ] {
            let reading = read(text, folder);
            assert_eq!(reading.game.map(|game| game.id).as_deref(), id, "{text}");
            assert_eq!(reading.faults.len(), n, "{text}: {:?}", reading.faults);
            assert!(reading.faults.iter().all(|fault| !fault.hint.is_empty()));
        }
    }

    #[test]
    fn a_word_means_one_game() {
        let text = "id = \"demo\"\nnames = { en = \"Demo\" }\naliases = [\"d\", \"Oth-er\"]\n";
        let mut reading = read(text, Some("demo"));
        reading.compare_names(|word| (word == "other" || word == "demo").then(|| "other".to_owned()));
        let places: Vec<&str> = reading
            .faults
            .iter()
            .map(|fault| &text[fault.span.clone().unwrap()])
            .collect();
        assert_eq!(places, ["\"demo\"", "\"Demo\"", "\"Oth-er\""]);
        let game = reading.game.unwrap();
        assert!(game.is_called("demo") && game.is_called("d") && !game.is_called("other"));
    }
}
