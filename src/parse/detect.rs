//! What a source is: game, document, languages, edition, shape.

use super::build::is_blank;
use super::date::find_date;
use super::examples::list_item;
use super::paragraph::{Paragraph, View};
use super::{Hints, glossary, json, rulings, terms};
use crate::citation::RuleNumber;
use crate::condition::read_chinese;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{DEFAULT_DOCUMENT, Kind, Lang};
use crate::fold::is_han;
use crate::game::{Document, Game, Games, Numbering};
use crate::source::SourceFile;

/// Something found out about a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected<T> {
    /// What was found.
    pub value: T,
    /// What gave it away, for people: ``the text says `ver. 12.7` ``.
    pub why: String,
    /// True when it is a guess that a person should confirm.
    pub guessed: bool,
}

impl<T> Detected<T> {
    pub(super) fn sure(value: T, why: impl Into<String>) -> Self {
        Self {
            value,
            why: why.into(),
            guessed: false,
        }
    }

    fn guess(value: T, why: impl Into<String>) -> Self {
        Self {
            guessed: true,
            ..Self::sure(value, why)
        }
    }
}

/// The shape of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Markdown with front matter.
    Markdown,
    /// Numbered rules.
    Numbered,
    /// Dated rulings.
    Rulings,
    /// Unnumbered statements.
    Statements,
    /// A glossary whose headings are terms in both languages.
    Glossary,
    /// Terms in both languages, without definitions.
    Terms,
    /// Numbered rules in both languages as JSON.
    Json,
    /// Cards or their rulings, row by row.
    Table,
}

impl Format {
    /// What it is called in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Markdown => "Markdown with front matter",
            Format::Numbered => "numbered rules",
            Format::Rulings => "rulings",
            Format::Statements => "statements",
            Format::Glossary => "a glossary",
            Format::Terms => "a list of terms",
            Format::Json => "numbered rules as JSON",
            Format::Table => "a table of cards",
        }
    }
}

/// What a source was found to be. What could not be found out is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Detection {
    /// The game's id.
    pub game: Option<Detected<String>>,
    /// The document's id inside the game.
    pub document: Option<Detected<String>>,
    /// Its languages, English first.
    pub langs: Option<Detected<Vec<Lang>>>,
    /// Its edition, as its publisher names it.
    pub edition: Option<Detected<String>>,
    /// What the text says of its edition, where the caller says otherwise: the edition, and the words.
    pub other_edition: Option<(String, String)>,
    /// The date that the text names as its own, `YYYY-MM-DD`.
    pub issued: Option<String>,
    /// Its encoding, where it was read from bytes.
    pub encoding: Option<Detected<String>>,
    /// Its shape.
    pub format: Option<Detected<Format>>,
}

/// One thing that was found out about a source, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Because<'a> {
    /// `game`, `document`, `lang`, `edition`, `format` or `encoding`.
    pub what: &'static str,
    /// What it was found to be, where that is one word or name.
    pub value: Option<&'a str>,
    /// What gave it away, for people.
    pub why: &'a str,
    /// True when it is a guess that a person should confirm.
    pub guessed: bool,
}

impl Detection {
    /// Why the source was taken for what it was.
    pub fn because(&self) -> impl Iterator<Item = Because<'_>> {
        fn because<'a, T>(
            what: &'static str,
            found: Option<&'a Detected<T>>,
            value: impl FnOnce(&'a T) -> Option<&'a str>,
        ) -> Option<Because<'a>> {
            found.map(|found| Because {
                what,
                value: value(&found.value),
                why: &found.why,
                guessed: found.guessed,
            })
        }
        let text = |value| Some(String::as_str(value));
        [
            because("game", self.game.as_ref(), text),
            because("document", self.document.as_ref(), text),
            because("lang", self.langs.as_ref(), |_| None),
            because("edition", self.edition.as_ref(), text),
            because("format", self.format.as_ref(), |format| Some(format.as_str())),
            because("encoding", self.encoding.as_ref(), text),
        ]
        .into_iter()
        .flatten()
    }

    /// A `guessed` diagnostic for each guess, and for an edition that the text contradicts.
    pub(super) fn guesses(&self, source: &SourceFile, hints: &Hints) -> Vec<Diagnostic> {
        let mut guesses = Vec::new();
        if let (Some(folder), Some(game)) = (&hints.unknown_folder, &self.game) {
            let message = format!(
                "the folder `{folder}` is no known game's; the game was taken to be `{}`: {}",
                game.value, game.why
            );
            guesses.push(Diagnostic::about_file(Code::Guessed, source.path(), message).hint(NAME_THE_FOLDER));
        }
        let mut guess = |what: &str, value: &str, why: &str, option: &str| {
            guesses.push(
                Diagnostic::about_file(
                    Code::Guessed,
                    source.path(),
                    format!("the {what} was taken to be `{value}`: {why}"),
                )
                .hint(format!(
                    "if it is not, say so with `--{option}` or in `sources.toml`"
                )),
            );
        };
        if let Some(Detected {
            value,
            why,
            guessed: true,
        }) = &self.game
        {
            guess("game", value, why, "game");
        }
        if let Some(Detected {
            value,
            why,
            guessed: true,
        }) = &self.document
        {
            guess("document", value, why, "document");
        }
        if let Some(Detected {
            value,
            why,
            guessed: true,
        }) = &self.edition
        {
            guess("edition", value, why, "edition");
        }
        if let Some(Detected {
            value,
            why,
            guessed: true,
        }) = &self.format
        {
            guess("kind of text", value.as_str(), why, "kind");
        }
        if let (Some(edition), Some((other, words))) = (&self.edition, &self.other_edition) {
            guesses.push(contradicted(source, &edition.value, other, words));
        }
        guesses
    }
}

/// What to do about a text in a folder that is no known game's.
pub(super) const NAME_THE_FOLDER: &str = "call the folder as its game is called; a new game is described by a `game.toml` in it (see rules/README.md)";

/// The remark on an edition that the caller named and the text contradicts, with the words of the text.
pub(super) fn contradicted(source: &SourceFile, edition: &str, other: &str, words: &str) -> Diagnostic {
    let message = format!("the edition is `{edition}`, as was said of the text, which itself says `{words}`");
    Diagnostic::about_file(Code::Guessed, source.path(), message).hint(format!(
        "if the text is right, say `{other}`, or nothing, with `--edition` or in `sources.toml`"
    ))
}

/// How many headings with a name in both languages make a glossary.
const FEWEST_TERMS: usize = 5;

/// How many paragraphs count as a text's first, and how many as its last.
const FIRST: usize = 40;
const LAST: usize = 20;

/// Finds out what a source is. What the hints say stands; an edition comes else from the text, else from the file's
/// name.
pub fn detect(source: &SourceFile, games: &Games, hints: &Hints) -> Detection {
    detect_in(&View::of(source), source, games, hints)
}

/// The same, of a source that has been cut into paragraphs.
pub(super) fn detect_in(view: &View<'_>, source: &SourceFile, games: &Games, hints: &Hints) -> Detection {
    let paragraphs = &view.paragraphs;
    let (game, document) = game_and_document(source, paragraphs, games, hints);
    let known = game.as_ref().and_then(|game| games.get(&game.value));
    let known = known.and_then(|game| {
        let id = document
            .as_ref()
            .map_or(DEFAULT_DOCUMENT, |document| &document.value);
        game.document(id)
    });
    let in_text = edition_in_text(paragraphs);
    let other_edition = in_text
        .clone()
        .filter(|(edition, _)| hints.edition.as_ref().is_some_and(|said| said != edition));
    Detection {
        langs: languages(paragraphs, hints),
        edition: edition(in_text, hints, source.path()),
        other_edition,
        issued: date_in_text(paragraphs).map(|(date, _)| date),
        encoding: None,
        format: json::detected(source)
            .or_else(|| terms::detected(source, hints))
            .or_else(|| format(source, paragraphs, known, document.is_some(), hints)),
        game,
        document,
    }
}

type Found = (Option<Detected<String>>, Option<Detected<String>>);

fn game_and_document(
    source: &SourceFile,
    paragraphs: &[Paragraph<'_>],
    games: &Games,
    hints: &Hints,
) -> Found {
    let named = hints
        .document
        .clone()
        .map(|id| Detected::sure(id, "the caller says so"));
    if let Some(word) = &hints.game {
        let Some(game) = games.find(word) else {
            return (None, named);
        };
        let found = Detected::sure(game.id.clone(), format!("the folder or an option says `{word}`"));
        let document = named
            .or_else(|| {
                signature(source, game).map(|(document, why)| Detected::sure(document.id.clone(), why))
            })
            .or_else(|| by_fit(paragraphs, game));
        return (Some(found), document);
    }
    for game in games.iter() {
        if let Some((document, why)) = signature(source, game) {
            let document = named.or_else(|| Some(Detected::sure(document.id.clone(), why.clone())));
            return (Some(Detected::sure(game.id.clone(), why)), document);
        }
    }
    // A numbering like another game's is no sign: many have one (see `like`).
    (None, named)
}

/// The document of a game that a text's first lines give away.
fn signature<'a>(source: &SourceFile, game: &'a Game) -> Option<(&'a Document, String)> {
    let first: Vec<String> = source
        .lines()
        .filter(|line| !is_blank(line.text))
        .take(FIRST)
        .map(|line| line.text.replace(['_', '*'], "").to_lowercase())
        .collect();
    // A text names itself before it names the documents that it speaks of.
    first.iter().find_map(|line| {
        game.documents.iter().find_map(|document| {
            let phrase = document.print.signatures.iter().find(|phrase| {
                let wanted = phrase.to_lowercase();
                !wanted.is_empty() && line.contains(&wanted)
            })?;
            Some((document, format!("the text says `{phrase}`")))
        })
    })
}

/// True for a line that says which edition the text is.
pub(super) fn names_edition(text: &str, edition: Option<&str>) -> bool {
    [version_in(text), effective_date(text)]
        .into_iter()
        .flatten()
        .any(|(found, _)| edition == Some(&found))
}

/// True for a short line that holds a signature of one of the game's documents: its title.
pub(super) fn names_document(text: &str, game: &Game) -> bool {
    const LONGEST: usize = 100;
    text.chars().count() <= LONGEST
        && game
            .documents
            .iter()
            .flat_map(|document| &document.print.signatures)
            .any(|phrase| !phrase.is_empty() && text.to_lowercase().contains(&phrase.to_lowercase()))
}

/// The document of a game whose numbers a text uses, where that is not the default one.
fn by_fit(paragraphs: &[Paragraph<'_>], game: &Game) -> Option<Detected<String>> {
    let fit = |document: &Document| fitting(paragraphs, document);
    let default = game.document(DEFAULT_DOCUMENT).map_or(0, fit);
    let best = game.documents.iter().max_by_key(|document| fit(document))?;
    // The default document needs no reason, and another one a good one.
    (best.id != DEFAULT_DOCUMENT && fit(best) >= 5 && default * 4 < fit(best)).then(|| {
        Detected::guess(
            best.id.clone(),
            format!("{} lines begin with a number of its shape", fit(best)),
        )
    })
}

/// The games whose default document numbers its rules most as a text does. They are those to compare the text with; it
/// may be of none of them.
pub(super) fn like<'g>(source: &SourceFile, games: &'g Games) -> Vec<&'g Game> {
    let view = View::of(source);
    let fits = games.iter().filter_map(|game| {
        let fit = fitting(&view.paragraphs, game.document(DEFAULT_DOCUMENT)?);
        (fit > 0).then_some((fit, game))
    });
    let fits: Vec<(usize, &Game)> = fits.collect();
    let most = fits.iter().map(|(fit, _)| *fit).max();
    let best = fits.into_iter().filter(|(fit, _)| Some(*fit) == most);
    best.map(|(_, game)| game).collect()
}

/// How many paragraphs begin with a number that a document's numbering reads to its end, less those it cuts short.
fn fitting(paragraphs: &[Paragraph<'_>], document: &Document) -> usize {
    let (mut fits, mut misfits) = (0usize, 0usize);
    for paragraph in paragraphs {
        let Some((number, _)) = RuleNumber::read_prefix(without_sign(paragraph.text())) else {
            continue;
        };
        if number.depth() < 2 {
            continue;
        }
        match rule_number(paragraph.text(), document) {
            Some((read, _)) if read.as_str() == number.as_str() => fits += 1,
            _ => misfits += 1,
        }
    }
    fits.saturating_sub(misfits)
}

/// A rule's number at the start of a paragraph, with the bytes up to the text behind it. None for a number
/// that the text goes on with: `100.6b, or`.
///
/// The document's name may stand before the number: `MTR 2.1`.
pub(super) fn rule_number(text: &str, document: &Document) -> Option<(RuleNumber, usize)> {
    let numbering = document.numbering.as_ref()?;
    let named = document
        .names
        .iter()
        .find_map(|name| text.strip_prefix(name)?.strip_prefix(' '));
    let start = text.len() - without_sign(named.unwrap_or(text)).len();
    if let Some(chapter) = chapter_in_words(&text[start..], numbering) {
        let (number, length) = chapter;
        return Some((number, start + length));
    }
    let (number, length) = numbering.read_prefix(&text[start..])?;
    let rest = &text[start + length..];
    let dot = usize::from(rest.starts_with(['.', '．']));
    let after = if dot > 0 {
        rest.trim_start_matches(['.', '．'])
    } else {
        rest
    };
    let goes_on = match after.chars().next() {
        None => false,
        Some(c) if c.is_whitespace() => false,
        // A number that is longer than the numbering knows, or a decimal.
        Some(c) if c.is_ascii_digit() => true,
        Some(c) if c.is_ascii_lowercase() => dot == 0,
        Some(c) if c.is_alphabetic() => false,
        Some(c) => !matches!(
            c,
            '“' | '"' | '「' | '《' | '«' | '[' | '{' | '(' | '（' | '【' | '‘' | '\'' | '*' | '：'
        ),
    };
    (!goes_on).then(|| (number, text.len() - after.trim_start().len()))
}

/// A text without the `§` that may stand before a rule's number.
fn without_sign(text: &str) -> &str {
    text.strip_prefix('§').map_or(text, str::trim_start)
}

/// A chapter's or section's number in a heading of words, `第一章 …`, `第3节：…`, with the bytes up to the title.
fn chapter_in_words(text: &str, numbering: &Numbering) -> Option<(RuleNumber, usize)> {
    const LONGEST_NUMERAL: usize = 8;
    let rest = text.strip_prefix('第')?;
    let (end, _) = rest
        .char_indices()
        .take(LONGEST_NUMERAL)
        .find(|(_, c)| matches!(c, '章' | '节' | '節'))?;
    let numeral = rest[..end].trim();
    let number = match numeral.parse::<u32>() {
        Ok(number) => i64::from(number),
        Err(_) => read_chinese(&numeral.chars().collect::<Vec<char>>()).ok()?,
    };
    let number: RuleNumber = number.to_string().parse().ok()?;
    // A sentence goes on behind the word: `第一章所述…`.
    let title =
        rest[end + '章'.len_utf8()..].strip_prefix([' ', '\u{3000}', '\t', '：', ':', '、', '.', '．'])?;
    let digits = number.as_str().len();
    let is_heading = numbering.is_chapter(&number)
        || (numbering.digits[0]..=numbering.digits[1]).contains(&digits)
            && numbering.kind(&number) != Kind::Rule;
    is_heading.then(|| (number, text.len() - title.trim_start().len()))
}

fn languages(paragraphs: &[Paragraph<'_>], hints: &Hints) -> Option<Detected<Vec<Lang>>> {
    if let Some(lang) = hints.lang {
        return Some(Detected::sure(vec![lang], "the caller says so"));
    }
    // A few lines of the other language (names, credits) do not make a text bilingual.
    const SHORTEST: usize = 10;
    const FEW_PERCENT: usize = 1;
    let mut lines = [0usize; 2];
    for paragraph in paragraphs {
        if paragraph
            .text()
            .chars()
            .filter(|c| c.is_alphabetic())
            .take(SHORTEST)
            .count()
            == SHORTEST
            || paragraph.text().chars().any(is_han)
        {
            lines[Lang::of(paragraph.text()) as usize] += 1;
        }
    }
    let all: usize = lines.iter().sum();
    if all == 0 {
        return None;
    }
    let langs: Vec<Lang> = Lang::ALL
        .into_iter()
        // But Chinese does not come into an English text by chance.
        .filter(|&lang| {
            lines[lang as usize] * 100 > all * FEW_PERCENT || lang == Lang::Zh && lines[lang as usize] > 0
        })
        .collect();
    let why = format!("{} lines are English, {} Chinese", lines[0], lines[1]);
    Some(Detected::sure(langs, why))
}

/// The edition that a text names, with its words.
fn edition_in_text(paragraphs: &[Paragraph<'_>]) -> Option<(String, String)> {
    let first = &paragraphs[..paragraphs.len().min(FIRST)];
    let last = &paragraphs[paragraphs.len().saturating_sub(LAST)..];
    first
        .iter()
        .find_map(|paragraph| version_in(paragraph.text()))
        .or_else(|| date_in_text(paragraphs))
        .or_else(|| {
            first
                .iter()
                .chain(last)
                .find_map(|paragraph| updated_to(paragraph.text()))
        })
}

/// The date that a text names as its own, with its words.
fn date_in_text(paragraphs: &[Paragraph<'_>]) -> Option<(String, String)> {
    let first = &paragraphs[..paragraphs.len().min(FIRST)];
    first
        .iter()
        .find_map(|paragraph| effective_date(paragraph.text()))
}

fn edition(in_text: Option<(String, String)>, hints: &Hints, path: &str) -> Option<Detected<String>> {
    if let Some(edition) = &hints.edition {
        return Some(Detected::sure(edition.clone(), "the caller says so"));
    }
    if let Some((edition, words)) = in_text {
        return Some(Detected::sure(edition, format!("the text says `{words}`")));
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    edition_in_name(name).map(|edition| Detected::guess(edition, format!("the file is called `{name}`")))
}

/// A version that a line names: `ver. 12.7`, `Version 1.2.0`, `v1.3`, `版本 1.2`; with the words.
fn version_in(text: &str) -> Option<(String, String)> {
    // A title or an imprint is short; a rule that speaks of versions is not.
    const LONGEST: usize = 120;
    if text.chars().count() > LONGEST {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    for word in ["version", "ver.", "ver", "v", "版本", "版"] {
        for (at, _) in lower.match_indices(word) {
            let starts = !lower[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            let after = &lower[at + word.len()..];
            let number = after.trim_start_matches([' ', ':', '：', '\u{a0}']);
            let length = version_length(number);
            if starts && length > 0 {
                let start = text.len() - number.len();
                return Some((
                    text[start..start + length].to_owned(),
                    text[at..start + length].to_owned(),
                ));
            }
        }
    }
    None
}

/// How many bytes of `text` are a version: numbers joined by dots, at most a letter at the end (`6.3a`).
fn version_length(text: &str) -> usize {
    let mut length = text
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b'.')
        .count();
    length = text[..length].trim_end_matches('.').len();
    let version = &text[..length];
    let joined = version.contains('.') && version.split('.').all(|part| (1..=4).contains(&part.len()));
    if !joined {
        return 0;
    }
    let letter = text[length..].bytes().take_while(u8::is_ascii_lowercase).count();
    match (letter, text[length + letter..].chars().next()) {
        (_, Some(c)) if c.is_ascii_digit() => 0,
        (1, _) => length + 1,
        (0, _) => length,
        _ => 0,
    }
}

/// The date from which a text says it holds, or of its last update; with the words.
fn effective_date(text: &str) -> Option<(String, String)> {
    const LONGEST: usize = 200;
    if text.chars().count() > LONGEST {
        return None;
    }
    let lower = text.to_lowercase();
    for word in [
        "effective",
        "valid from",
        "last update",
        "updated",
        "revised",
        "生效",
        "更新",
        "修订",
        "修訂",
    ] {
        let Some(at) = lower.find(word) else { continue };
        // English names the date after the word, Chinese before or after.
        let found = text
            .get(at..)
            .and_then(|rest| find_date(rest).map(|(date, range)| (date, rest[range].to_owned())))
            .or_else(|| find_date(text).map(|(date, range)| (date, text[range].to_owned())));
        if let Some((date, words)) = found {
            return Some((date.to_string(), words));
        }
    }
    // `2025年3月1日版`
    let (date, range) = find_date(text).filter(|(_, range)| text[range.end..].starts_with('版'))?;
    Some((
        date.to_string(),
        text[range.start..range.end + '版'.len_utf8()].to_owned(),
    ))
}

/// `最后更新至T2`: the set or edition a text is up to date with; with the words.
fn updated_to(text: &str) -> Option<(String, String)> {
    ["最后更新至", "最後更新至", "更新至", "updated to ", "Updated to "]
        .iter()
        .find_map(|words| {
            let at = text.find(words)?;
            let rest = text[at + words.len()..].trim_start();
            let length = rest
                .char_indices()
                .find(|(_, c)| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')))
                .map_or(rest.len(), |(at, _)| at);
            let edition = rest[..length].trim_end_matches('.');
            (!edition.is_empty() && edition.len() <= 16)
                .then(|| (edition.to_owned(), format!("{words}{edition}")))
        })
}

/// A date or a version in a file's name.
fn edition_in_name(name: &str) -> Option<String> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if let Some((date, _)) = find_date(stem) {
        return Some(date.to_string());
    }
    for word in stem.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.')) {
        if word.len() == 8 && word.bytes().all(|b| b.is_ascii_digit()) {
            let dashed = format!("{}-{}-{}", &word[..4], &word[4..6], &word[6..]);
            if let Some((date, _)) = find_date(&dashed) {
                return Some(date.to_string());
            }
        }
        let version = word.trim_start_matches(['v', 'V']);
        if version_length(version) == version.len() && !version.is_empty() {
            return Some(version.to_owned());
        }
    }
    None
}

fn format(
    source: &SourceFile,
    paragraphs: &[Paragraph<'_>],
    document: Option<&Document>,
    is_named: bool,
    hints: &Hints,
) -> Option<Detected<Format>> {
    let bullets = paragraphs
        .iter()
        .filter(|paragraph| rulings::opens_ruling(paragraph.text()))
        .count();
    let said = "the caller says so";
    match hints.kind {
        Some(Kind::Statement) => return Some(Detected::sure(Format::Statements, said)),
        // A ruling is a bullet and what it says in each language; more is something else under bullets.
        Some(Kind::Ruling) if bullets > 0 && paragraphs.len() <= bullets * 3 + 2 => {
            return Some(Detected::sure(
                Format::Rulings,
                format!("{bullets} lines are a ruling's bullet"),
            ));
        }
        _ => {}
    }
    let dated = paragraphs
        .iter()
        .filter(|paragraph| rulings::opens_dated_ruling(paragraph.text()))
        .count();
    let numbers: Vec<RuleNumber> = document.map_or_else(Vec::new, |document| {
        let numbers = paragraphs
            .iter()
            .filter_map(|paragraph| Some(rule_number(paragraph.text(), document)?.0));
        numbers.filter(|number| number.depth() > 1).collect()
    });
    let numbered = numbers.len();
    // Where the caller says what the text is, a line that looks like another kind's changes nothing.
    let may_rule = match hints.kind {
        None => dated >= numbered,
        Some(kind) => kind == Kind::Ruling,
    };
    if dated > 0 && may_rule {
        return Some(Detected::sure(
            Format::Rulings,
            format!("{dated} lines are a ruling's bullet with a date"),
        ));
    }
    // An article that quotes rules is no rulebook: few of its lines are numbered, and in no order.
    const FEW: usize = 8;
    const MANY: usize = 3;
    let ordered = numbers.windows(2).filter(|pair| pair[0] <= pair[1]).count();
    let is_rulebook = numbered * MANY >= paragraphs.len()
        || numbered * FEW >= paragraphs.len() && (numbered - ordered) * 4 <= numbered.max(4);
    let said = matches!(hints.kind, Some(Kind::Rule | Kind::Section | Kind::Chapter));
    if numbered > 0 && (is_rulebook || said) {
        return Some(Detected::sure(
            Format::Numbered,
            format!("{numbered} lines begin with a rule's number"),
        ));
    }
    if let Some(document) = document.filter(|_| is_named) {
        let headings = paragraphs
            .iter()
            .filter(|paragraph| paragraph.heading && rule_number(paragraph.text(), document).is_some())
            .count();
        if headings > 0 {
            return Some(Detected::sure(
                Format::Numbered,
                format!("{headings} headings begin with a rule's number"),
            ));
        }
    }
    let terms = paragraphs
        .iter()
        .filter(|paragraph| glossary::is_headword(paragraph))
        .count();
    let page = document.is_some_and(|document| glossary::is_page(paragraphs, document));
    if page || terms >= FEWEST_TERMS || hints.kind == Some(Kind::Term) && terms > 0 {
        return Some(Detected::sure(
            Format::Glossary,
            format!("{terms} headings name a term in both languages, or the page says so"),
        ));
    }
    // Headings and the points of a list are none, and belong to the sentences above or below them.
    let (sentences, others): (Vec<&Paragraph<'_>>, _) = paragraphs
        .iter()
        .filter(|paragraph| !paragraph.heading)
        .partition(|paragraph| is_sentence(paragraph.text()));
    let points = others
        .iter()
        .filter(|paragraph| is_point(source.slice(paragraph.span)))
        .count();
    let (sentences, others) = (sentences.len(), others.len() - points);
    (hints.kind != Some(Kind::Ruling) && sentences > others).then(|| {
        Detected::sure(
            Format::Statements,
            format!("{sentences} of {} paragraphs are sentences", sentences + others),
        )
    })
}

/// True for a point of a list, with its mark.
fn is_point(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.strip_prefix(['*', '-', '•', '+']);
    rest.is_some_and(|rest| rest.starts_with(' ')) || list_item(text).is_some()
}

/// True for what may stand behind a heading's number that has no dot: a few words that begin as a title does.
pub(super) fn is_title(text: &str) -> bool {
    const LONGEST: usize = 60;
    let begins = |c: char| c.is_uppercase() || is_han(c) || matches!(c, '[' | '【' | '《' | '“' | '"' | '<');
    text.starts_with(begins) && text.chars().count() <= LONGEST && !is_sentence(text)
}

/// True for a paragraph that ends as sentences do.
pub(super) fn is_sentence(text: &str) -> bool {
    text.trim_end_matches(['”', '"', '」', '』', '）', ')', ' '])
        .ends_with(['。', '.', '！', '!', '？', '?', '：', ':', '；', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editions_in_texts() {
        let found = |text: &str| {
            let source = SourceFile::new("x.txt", text);
            edition_in_text(&View::of(&source).paragraphs).map(|(edition, _)| edition)
        };
        for (text, edition) in [
            ("Demo Rules ver. 12.7\nLast Update: Sep 18th, 2025", Some("12.7")),
            ("Demo Rules Version 1.2.0", Some("1.2.0")),
            (
                "Demo\nThese rules are effective as of April 17, 2026.",
                Some("2026-04-17"),
            ),
            ("此规则于2026年4月17日起生效。", Some("2026-04-17")),
            ("最后更新至T2，一共有314个种族。", Some("T2")),
            ("规则版本6.3a", Some("6.3a")),
            ("示范规则书\n2025年3月1日版", Some("2025-03-01")),
            ("Demo Rules\nRevised January 5, 2026", Some("2026-01-05")),
            ("示范规则 2025年3月修订", None),
            ("In this version 2 players", None),
            ("702.3. A rule.", None),
        ] {
            assert_eq!(found(text).as_deref(), edition, "{text}");
        }
    }

    #[test]
    fn a_text_names_itself_before_others() {
        let toml = r#"
            id = "demo"
            names = { en = "Demo" }
            [[document]]
            id = "cr"
            numbering = { levels = ["n", ".n"], digits = [1, 2] }
            signatures = ["Demo Comprehensive Rules"]
            [[document]]
            id = "guide"
            numbering = { levels = ["n", ".n"], digits = [1, 2] }
            signatures = ["Demo Guide"]
        "#;
        let games = Games::new([Game::from_toml(toml).unwrap()]);
        let text = "Back to the Demo Guide\n\n2.0 Errors\n\nErrors break the Demo Comprehensive Rules.\n";
        let source = SourceFile::new("a.txt", text);
        let found = detect(&source, &games, &Hints::default());
        assert_eq!(found.document.unwrap().value, "guide");
    }

    #[test]
    fn editions_in_names() {
        for (name, edition) in [
            ("2026-04-17.txt", Some("2026-04-17")),
            ("20260417_En.txt", Some("2026-04-17")),
            ("MagicCompRules 20110204.txt", Some("2011-02-04")),
            ("12.7-layout.txt", Some("12.7")),
            ("rules-v1.3.md", Some("1.3")),
            ("000_d6dc3697bd13db64.txt", None),
            ("12345678.txt", None),
            ("chapter7.txt", None),
        ] {
            assert_eq!(edition_in_name(name).as_deref(), edition, "{name}");
        }
    }
}
