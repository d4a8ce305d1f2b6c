//! Tables of cards and of their rulings: rows of cells ([`delimited`]), or objects of JSON ([`objects`]).
//!
//! ```text
//! card    := id? name* ( type | text )* face*       what a name, a text … is, its column says ([`columns`])
//! face    := name* ( type | text )*                 an object in the card's, or a row that names its side
//! ruling  := ( id | name )+ date? text+             a row of its own, or an object in the card's
//! foreign := language ( name | type | text )*       an object in the card's
//! ```
//!
//! A table is known by its columns, whatever they are called in their languages and in whatever order they stand. Texts
//! stay as they are, but tags of HTML are taken off. A row that cannot be read is reported, and those around it stand.

mod columns;
mod delimited;
mod objects;

use super::build::{Builder, Lines, is_blank};
use super::date::find_date;
use super::detect::{Detected, Detection};
use super::markup::cell_text;
use super::paragraph::View;
use super::translation::is_partial;
use super::{Format, Furniture, Hints, Parsed, Place, json, rulings};
use crate::card::{self, BETWEEN_FACES, BETWEEN_TEXTS, CardId, CardRow, FaceRow, Property, Tongue};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{
    Bilingual, CardRef, Field, Kind, Lang, PairedBy, Pairing, Provenance, ProvenanceClass, SourceRef, text_id,
};
use crate::fold::{fold_key, is_han};
use crate::game::{Game, Games};
use crate::name::Name;
use crate::source::{SourceFile, Span};
use columns::{Column, What};
use delimited::Row;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// The document that cards of tables belong to.
pub(crate) const DOCUMENT: &str = "cards";

/// Objects of a list that are looked at to see whether it is a table.
const SAMPLE: usize = 20;

/// The longest object, in bytes, that is looked at so.
const LONGEST_OBJECT: usize = 64 << 10;

/// What stands between several names in one place.
const BETWEEN_NAMES: &str = " | ";

/// The longest name, in characters; what is longer is none.
const LONGEST_NAME: usize = 200;

/// The longest property, in characters; what is longer is none.
const LONGEST_FACT: usize = 80;

/// Short rows, of a large table one in twenty, that are faults; more are how the table was written.
const FEW_SHORT: usize = 3;

/// Faults that are reported one by one; of more, the first and how many.
const FEW_FAULTS: usize = 5;

/// Lists in the objects of sets that hold no cards, though they look it.
const NO_CARDS: [&str; 1] = ["tokens"];

/// What a table's rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinds {
    Cards,
    Rulings,
}

/// A source that is a table.
enum Table<'s> {
    Cells(delimited::Table<'s>, Kinds),
    Objects(Vec<(Span, Kinds)>, objects::Objects),
}

/// A source that was found to be a table.
pub(super) struct Found<'s>(Table<'s>);

/// Says whether a source is a table of cards or of their rulings.
pub(super) fn find<'s>(source: &'s SourceFile, hints: &Hints) -> Option<Found<'s>> {
    if !matches!(hints.kind, None | Some(Kind::Ruling)) {
        return None;
    }
    let by_place = hints.kind == Some(Kind::Ruling);
    let plain = Plain::of(source, hints);
    let text = source.text().trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with(['{', '[']) {
        let kinds = |columns: &[Column]| kinds(columns.iter().cloned(), by_place);
        let is_table = |columns: &[Column]| kinds(columns).is_some() || plain.is_table(columns);
        let table = delimited::table(source, is_table)?;
        let kinds = kinds(&table.columns).or_else(|| {
            let rows = table.rows.iter().take(SAMPLE);
            let mut names = rows.flat_map(|row| row.cells.iter().zip(&table.columns));
            let are_names = names.all(|(cell, column)| column.what != What::Name || is_plain_name(cell));
            are_names.then_some(Kinds::Cards)
        })?;
        return (!table.rows.is_empty()).then_some(Found(Table::Cells(table, kinds)));
    }
    let mut objects = objects::objects(source);
    let mut known = known_objects(source, &objects, by_place, &plain);
    if known.is_empty() {
        // Each under its own name or id.
        objects = objects::members(source);
        known = known_objects(source, &objects, by_place, &plain);
    }
    (!known.is_empty()).then_some(Found(Table::Objects(known, objects)))
}

/// Tables whose columns say no more than a name and what it is in another language, or what it says. Glossaries and
/// lists of rules look much alike.
struct Plain {
    /// False where the file says of itself that it is something else.
    may_be: bool,
    /// True where it is called after cards.
    of_cards: bool,
}

impl Plain {
    fn of(source: &SourceFile, hints: &Hints) -> Plain {
        let file = source.path().rsplit('/').next().unwrap_or_default();
        let file = fold_key(file.rsplit_once('.').map_or(file, |(stem, _)| stem));
        let is_called = |words: &[&str]| words.iter().any(|word| file.contains(word));
        let is_of_others = is_called(&[
            "glossary", "term", "keyword", "rule", "术语", "名词", "词汇", "词表", "关键", "规则",
        ]);
        let is_elsewhere = hints
            .document
            .as_deref()
            .is_some_and(|document| document != DOCUMENT);
        Plain {
            may_be: !is_of_others && !is_elsewhere && json::detected(source).is_none(),
            of_cards: is_called(&["card", "卡", "牌"]),
        }
    }

    fn is_table(&self, columns: &[Column]) -> bool {
        let tongues = |what: What| {
            let of = columns.iter().filter(|column| column.what == what);
            of.map(|column| column.tongue.clone()).collect::<BTreeSet<_>>()
        };
        let (names, unsaid) = (tongues(What::Name), tongues(What::Unsaid));
        let is_known = |column: &Column| match column.what {
            What::Name | What::Unsaid => true,
            What::Text => !column.describes,
            _ => false,
        };
        let has_text = columns.iter().any(|column| column.what == What::Text);
        let is_named = !names.is_empty() && (has_text || names.len() + unsaid.len() > 1);
        let is_list = self.of_cards && names.len() + unsaid.len() > 1;
        // A term has a name and a text in each language.
        let is_term = !names.is_disjoint(&unsaid);
        self.may_be && !is_term && columns.iter().all(is_known) && (is_named || is_list)
    }
}

/// True for a name that does not begin as a rule does: `100.1 Draw`.
fn is_plain_name(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = behind.len() < text.len() && behind.starts_with(['.', '．']);
    looks_like_name(text) && !is_numbered
}

/// The objects of lists that are tables.
fn known_objects(
    source: &SourceFile,
    found: &objects::Objects,
    by_place: bool,
    plain: &Plain,
) -> Vec<(Span, Kinds)> {
    let mut known = Vec::new();
    let mut n_called: HashMap<&str, usize> = HashMap::new();
    for name in &found.lists {
        *n_called.entry(name).or_default() += 1;
    }
    for list in found.objects.chunk_by(|a, b| a.0 == b.0) {
        let name = found.lists[list[0].0].as_str();
        let column = Column::called(name);
        if NO_CARDS.contains(&name) || column.what == What::Faces {
            continue;
        }
        // A card is never as long as a chapter of rules.
        let short = list.iter().map(|(_, span)| source.slice(*span));
        let short = short.filter(|object| object.len() <= LONGEST_OBJECT);
        let sample: Vec<Map<String, Value>> = short
            .take(SAMPLE)
            .filter_map(|object| serde_json::from_str(object).ok())
            .collect();
        let columns: Vec<Column> = sample.iter().flat_map(columns_of).collect();
        // One card's names in other languages are no table, in whatever they stand.
        let is_translated = columns.iter().any(|column| column.what == What::Language);
        let is_of_one = !name.is_empty() && !column.of_cards && n_called[name] > 1;
        if is_translated && is_of_one {
            continue;
        }
        let is_plain = || {
            let mut members = sample.iter().flat_map(|object| object.iter());
            let are_names = members.all(|(key, value)| {
                Column::called(key).what != What::Name || value.as_str().is_none_or(is_plain_name)
            });
            plain.is_table(&columns) && are_names
        };
        let is_plain = is_plain();
        let kinds = kinds(columns.into_iter(), by_place).or(is_plain.then_some(Kinds::Cards));
        if let Some(kinds) = kinds {
            known.extend(list.iter().map(|(_, span)| (*span, kinds)));
        }
    }
    known
}

/// The columns of an object, those of one below it among them where they hold ids.
fn columns_of(object: &Map<String, Value>) -> Vec<Column> {
    let own = object
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| {
            let mut column = Column::called(key);
            let is_text = matches!(column.what, What::Type | What::Text | What::Name | What::Unsaid);
            if is_text && !value.is_string() && !is_by_language(value) {
                column.what = What::Other;
            }
            column
        });
    let below = object.values().filter_map(Value::as_object).flat_map(Map::keys);
    let below = below
        .map(|key| Column::called(key))
        .filter(|column| column.what == What::Id(0));
    own.chain(below).collect()
}

/// True for an object whose members are called after languages.
fn is_by_language(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|object| !object.is_empty() && object.keys().all(|key| columns::tongue(key).is_some()))
}

/// What a table with such columns has in its rows, if it is one of cards or rulings.
fn kinds(columns: impl Iterator<Item = Column>, by_place: bool) -> Option<Kinds> {
    let mut has: BTreeSet<u8> = BTreeSet::new();
    let (mut named, mut unsaid) = (BTreeSet::new(), BTreeSet::new());
    let (mut of_cards, mut best_id) = (by_place, None);
    for column in columns {
        of_cards |= column.of_cards || column.what == What::Property;
        match column.what {
            What::Name | What::FaceName => {
                named.insert(column.tongue);
            }
            What::Unsaid => {
                unsaid.insert(column.tongue);
            }
            What::Id(rank) => best_id = Some(best_id.map_or(rank, |best: u8| best.min(rank))),
            What::Text => drop(has.insert(b't')),
            What::Type => drop(has.insert(b'y')),
            What::Date => drop(has.insert(b'd')),
            What::Ruling => drop(has.insert(b'r')),
            _ => {}
        }
    }
    let is_of_cards = of_cards || best_id.is_some_and(|rank| rank < 2) || has.contains(&b'y');
    let is_named = !named.is_empty() || !unsaid.is_empty();
    if has.contains(&b'r') && !has.contains(&b't') && is_of_cards && (is_named || best_id.is_some()) {
        return Some(Kinds::Rulings);
    }
    if !named.is_empty() && !unsaid.is_empty() && has.contains(&b'd') && is_of_cards {
        return Some(Kinds::Rulings);
    }
    let says = has.contains(&b't') || has.contains(&b'y');
    let n_tongues = named.len().max(unsaid.len());
    // What is not named may have its name in another table, by its id.
    let is_known = is_named || best_id.is_some() && has.contains(&b't');
    let is_card = is_known && is_of_cards && (says || n_tongues > 1 || best_id.is_some());
    is_card.then_some(Kinds::Cards)
}

impl Found<'_> {
    /// Reads the table.
    pub(super) fn read(self, source: &SourceFile, games: &Games, hints: &Hints) -> Parsed {
        let mut detection = Detection::default();
        // Names and texts do not say of which game they are.
        let Some((word, game)) = hints
            .game
            .as_ref()
            .and_then(|word| Some((word, games.find(word)?)))
        else {
            return super::unknown(source, None, detection, hints);
        };
        let why = format!("the folder or an option says `{word}`");
        detection.game = Some(Detected::sure(game.id.clone(), why));
        self.read_for(source, game, detection, hints)
    }

    fn read_for(self, source: &SourceFile, game: &Game, mut detection: Detection, hints: &Hints) -> Parsed {
        let (format, why, all) = match &self.0 {
            Table::Cells(table, kinds) => {
                let names = table.names.iter().zip(&table.columns);
                let names = names
                    .filter(|(_, column)| column.what != What::Other)
                    .map(|(name, _)| format!("`{name}`"));
                let why = format!("its columns are called {}", names.collect::<Vec<_>>().join(", "));
                (Format::Table, why, vec![*kinds])
            }
            Table::Objects(objects, _) => {
                let why = format!("{} objects have a card's names or texts", objects.len());
                (
                    Format::Table,
                    why,
                    objects.iter().map(|(_, kinds)| *kinds).collect(),
                )
            }
        };
        detection.format = Some(Detected::sure(format, why));
        let document = hints
            .document
            .as_deref()
            .unwrap_or(match all.contains(&Kinds::Cards) {
                true => DOCUMENT,
                false => rulings::DOCUMENT,
            });
        detection.document = Some(Detected::sure(
            document.to_owned(),
            "it holds cards or their rulings",
        ));
        let of_rulings = Detection {
            document: Some(Detected::sure(rulings::DOCUMENT.to_owned(), "it holds rulings")),
            ..detection.clone()
        };
        let mut builder = Builder::new(source, game, of_rulings, hints, &View::default());
        builder.edition = hints.edition.as_deref().map(Name::from);
        let mut reader = Reader {
            source,
            hints,
            builder,
            file: source.path().into(),
            game: game.id.as_str().into(),
            cards: Vec::new(),
            columns: HashMap::new(),
            places: Vec::new(),
            faults: Vec::new(),
            undated: Vec::new(),
            cut: None,
        };
        match self.0 {
            Table::Cells(table, kinds) => reader.cells(table, kinds),
            Table::Objects(objects, found) => {
                reader.cut = found.cut;
                reader.objects(objects, found.broken);
            }
        }
        reader.finish(detection)
    }
}

/// What a row, or an object in one, says.
#[derive(Debug, Default)]
struct Said<'v> {
    id: Option<(u8, CardId)>,
    names: Vec<(Tongue, String)>,
    face_names: Vec<(Tongue, String)>,
    types: Vec<(Tongue, bool, String)>,
    subtypes: Vec<String>,
    facts: Vec<(Property, String)>,
    texts: Vec<(Tongue, bool, String)>,
    unsaid: Vec<(Tongue, String)>,
    questions: Vec<(Tongue, String)>,
    rulings: Vec<(Tongue, String)>,
    language: Option<Tongue>,
    side: Option<usize>,
    date: Option<String>,
    bad_date: Option<String>,
    source: Option<String>,
    /// The names of all faces, where the row is of one.
    all_faces: Vec<String>,
    faces: Vec<&'v Map<String, Value>>,
    foreign: Vec<&'v Map<String, Value>>,
    ruling_objects: Vec<&'v Map<String, Value>>,
    /// What cannot be told before the rest is read: a text in the row's language or in that of its letters.
    open: Vec<(Column, String)>,
}

struct Reader<'a> {
    source: &'a SourceFile,
    hints: &'a Hints,
    builder: Builder<'a>,
    file: Name,
    game: Name,
    cards: Vec<CardRow>,
    /// What keys of objects mean.
    columns: HashMap<String, Column>,
    /// Where the lines of rows went, by first and last line.
    places: Vec<((u32, u32), Place)>,
    faults: Vec<(Span, String)>,
    undated: Vec<Span>,
    /// Where the source breaks off.
    cut: Option<usize>,
}

impl<'a> Reader<'a> {
    fn cells(&mut self, table: delimited::Table<'_>, kinds: Kinds) {
        self.places
            .push(((table.header, table.header), Place::Furniture(Furniture::Heading)));
        let n_columns = table.columns.len();
        let n_whole = table
            .rows
            .iter()
            .filter(|row| row.cells.len() >= n_columns)
            .count();
        // An editor may have taken the blanks off the ends of lines; then there are many short rows.
        let n_short = table.rows.len() - n_whole;
        let may_be_short = n_short > FEW_SHORT && n_short * 20 > table.rows.len();
        for row in table.rows {
            let n_cells = row
                .cells
                .iter()
                .rposition(|cell| !cell.is_empty())
                .map_or(0, |last| last + 1);
            if let Some(at) = row.open_quote {
                let end = self.source.text()[at..]
                    .chars()
                    .next()
                    .map_or(at, |c| at + c.len_utf8());
                self.fault(
                    Span::new(at, end),
                    "a quote that is never closed".to_owned(),
                    None,
                );
            }
            let is_short = row.cells.len() < n_columns && !may_be_short;
            if is_short || n_cells > n_columns {
                let message = format!(
                    "a row of {} cells, where the table has {n_columns}",
                    row.cells.len()
                );
                self.fault(row.span, message, Some(row.lines));
                continue;
            }
            self.cell_row(&row, &table.columns, &table.names, kinds);
        }
    }

    fn cell_row(&mut self, row: &Row<'_>, columns: &[Column], names: &[String], kinds: Kinds) {
        let mut said = Said::default();
        for ((cell, column), name) in row.cells.iter().zip(columns).zip(names) {
            let text = cell.trim();
            if !text.is_empty() {
                said.take(column, name, Cow::Borrowed(text));
            }
        }
        self.row(said, kinds, row.span, row.lines, true);
    }

    fn objects(&mut self, objects: Vec<(Span, Kinds)>, broken: Vec<Span>) {
        for span in broken {
            let line = self.source.line_number(span.start);
            self.fault(span, "an object that is no JSON".to_owned(), Some((line, line)));
        }
        for (span, kinds) in objects {
            let lines = (
                self.source.line_number(span.start),
                self.source.line_number(span.end.saturating_sub(1)),
            );
            match serde_json::from_str::<Map<String, Value>>(self.source.slice(span)) {
                Ok(object) => {
                    let mut columns = std::mem::take(&mut self.columns);
                    let said = Said::of(&object, &mut columns);
                    self.columns = columns;
                    self.row(said, kinds, span, lines, false);
                }
                Err(error) => {
                    let line = self.source.line(lines.0).map_or(span, |line| line.span);
                    let shown = Span::new(span.start, span.end.min(line.end));
                    self.fault(shown, format!("an object that is no JSON: {error}"), Some(lines));
                }
            }
        }
    }

    fn fault(&mut self, span: Span, message: String, lines: Option<(u32, u32)>) {
        self.faults.push((span, message));
        if let Some(lines) = lines {
            self.places.push((lines, Place::Reported(Code::BadRow)));
        }
    }

    /// Takes a row for what it says.
    fn row(&mut self, mut said: Said<'_>, kinds: Kinds, span: Span, lines: (u32, u32), in_cells: bool) {
        said.settle();
        if kinds == Kinds::Cards {
            // Where nothing else is a name and nothing a text, these are names whatever they look like.
            let are_names = said.names.is_empty() && said.face_names.is_empty() && said.texts.is_empty();
            for (tongue, text) in std::mem::take(&mut said.unsaid) {
                match are_names || looks_like_name(&text) {
                    true => said.names.push((tongue, text)),
                    false => said.texts.push((tongue, false, text)),
                }
            }
        }
        let line = lines.0;
        let begins = Span::new(
            span.start,
            self.source
                .line(line)
                .map_or(span.end, |line| span.end.min(line.span.end)),
        );
        if let Some(date) = &said.bad_date {
            self.fault(begins, format!("`{date}` is no date"), None);
        }
        if kinds == Kinds::Rulings {
            said.rulings.append(&mut said.unsaid);
            let card = said.card();
            let places = self.ruling(&said, card, line, begins);
            match places {
                Some(entry_idx) => {
                    let lang = said
                        .rulings
                        .first()
                        .and_then(|(tongue, _)| tongue.lang())
                        .unwrap_or(Lang::En);
                    let field = Field::Text;
                    self.places.push((
                        lines,
                        Place::Entry {
                            entry_idx,
                            field,
                            lang,
                        },
                    ));
                }
                None => self.fault(
                    begins,
                    "a ruling without a card or a text".to_owned(),
                    Some(lines),
                ),
            }
            return;
        }
        let mut columns = std::mem::take(&mut self.columns);
        let row = self.card_row(&mut said, line, in_cells, &mut columns);
        let rulings: Vec<Said<'_>> = said
            .ruling_objects
            .iter()
            .map(|object| Said::of(object, &mut columns))
            .collect();
        self.columns = columns;
        let Some(mut row) = row else {
            self.fault(begins, "a card without a name".to_owned(), Some(lines));
            return;
        };
        row.shrink();
        let card = CardRef {
            en: first_in(&row.names, Lang::En),
            zh: first_in(&row.names, Lang::Zh),
            id: row.id.as_ref().map(|id| id.id.clone()),
            inferred: false,
        };
        self.places.push((
            lines,
            Place::Card {
                row_idx: self.cards.len(),
            },
        ));
        self.cards.push(row);
        for mut ruling in rulings {
            ruling.settle();
            ruling
                .rulings
                .extend(ruling.texts.drain(..).map(|(tongue, _, text)| (tongue, text)));
            if self.ruling(&ruling, card.clone(), line, begins).is_none() {
                self.fault(begins, "a ruling without a text".to_owned(), None);
            }
        }
    }

    /// The card that a row tells of; none where it has no name, and no id by which another may give it one.
    fn card_row(
        &self,
        said: &mut Said<'_>,
        line: u32,
        in_cells: bool,
        columns: &mut HashMap<String, Column>,
    ) -> Option<CardRow> {
        let mut faces: Vec<FaceRow> = Vec::new();
        let objects = std::mem::take(&mut said.faces);
        for (at, object) in objects.into_iter().enumerate() {
            let mut face = Said::of(object, columns);
            face.settle();
            let mut names = std::mem::take(&mut face.names);
            face.face_names.append(&mut names);
            faces.push(face.face(at, in_cells));
        }
        let only = |names: &[(Tongue, String)], faces: &[String]| {
            let (_, name) = names.iter().find(|(tongue, _)| *tongue == Tongue::English)?;
            faces.iter().position(|face| face == name)
        };
        // A row of one face that lists all of them is called after that face.
        if said.all_faces.len() > 1 && said.face_names.is_empty() {
            said.side = said.side.or(only(&said.names, &said.all_faces));
            said.face_names = std::mem::take(&mut said.names);
            said.names
                .push((Tongue::of(&said.all_faces[0]), said.all_faces.join(BETWEEN_FACES)));
        }
        let whole = said.names.iter().find(|(tongue, _)| *tongue == Tongue::English);
        let of_whole: Vec<String> = whole
            .into_iter()
            .flat_map(|(_, name)| crate::card::faces(name))
            .map(str::to_owned)
            .collect();
        let side = said.side.or(only(&said.face_names, &of_whole));
        let of_one = side.is_some() || !said.face_names.is_empty();
        let at = side.unwrap_or(0);
        match faces.first_mut() {
            None => faces.push(said.face(at, in_cells)),
            // What the whole card has is said before what its faces have.
            Some(_) => {
                let whole = std::mem::take(&mut said.facts);
                for face in &mut faces {
                    face.facts
                        .retain(|(own, _)| !whole.iter().any(|(known, _)| known == own));
                }
                faces[0].facts.extend(whole);
            }
        }
        for object in std::mem::take(&mut said.foreign) {
            let mut foreign = Said::of(object, columns);
            foreign.settle();
            let Some(tongue) = foreign.language.clone() else {
                continue;
            };
            let names = foreign.names.drain(..).map(|(_, name)| (tongue.clone(), name));
            match of_one && said.all_faces.len() > 1 && foreign.face_names.is_empty() {
                true => faces[0].names.extend(names),
                false => said.names.extend(names),
            }
            let face = foreign.face(at, in_cells);
            let into = &mut faces[0];
            if tongue.lang() == Some(Lang::Zh) {
                into.names.extend(face.names);
                into.types.extend(face.types);
                into.texts.extend(face.texts);
            }
        }
        // Of a card with one face, its name is the card's; of a row of one face, it is not.
        if side.is_some() && said.face_names.is_empty() && of_whole.len() < 2 {
            faces[0].names.append(&mut said.names);
        }
        let mut names = std::mem::take(&mut said.names);
        drop_untranslated(&mut names);
        faces
            .iter_mut()
            .for_each(|face| drop_untranslated(&mut face.names));
        let is_named = !names.is_empty() || faces.iter().any(|face| !face.names.is_empty());
        let has_text = faces
            .iter()
            .any(|face| !face.texts.is_empty() || !face.types.is_empty());
        let id = said.id.take().map(|(_, id)| id);
        if !is_named && (id.is_none() || !has_text) {
            return None;
        }
        let mut provenance = Bilingual::default();
        for lang in Lang::ALL {
            let says =
                |texts: &[(Tongue, String)]| texts.iter().any(|(tongue, _)| tongue.lang() == Some(lang));
            if faces.iter().any(|face| says(&face.texts) || says(&face.types)) {
                *provenance.get_mut(lang) = Some(self.provenance(said.source.as_deref(), lang));
            }
        }
        Some(CardRow {
            game: self.game.clone(),
            id,
            names,
            faces,
            released: said.date.take(),
            provenance,
            source: SourceRef {
                file: self.file.clone(),
                line,
                lang: None,
            },
        })
    }

    /// Who words a text: what the row says if that is known, else what was said of the source.
    fn provenance(&self, tag: Option<&str>, lang: Lang) -> Provenance {
        let tagged = tag.and_then(|tag| {
            Some(Provenance {
                class: ProvenanceClass::from_tag(tag)?,
                tag: Some(tag.to_owned()),
                after: None,
            })
        });
        tagged
            .or_else(|| self.hints.provenance.get(lang).cloned())
            .unwrap_or_default()
    }

    /// Adds a ruling; none where it has no text, or nothing says of which card it is.
    fn ruling(&mut self, said: &Said<'_>, card: CardRef, line: u32, span: Span) -> Option<usize> {
        let card = Some(card)
            .filter(|card| *card != CardRef::default())
            .or_else(|| self.hints.card.clone())?;
        let mut texts: Bilingual<String> = Bilingual::default();
        // The other script says the same again.
        let other_script = said
            .rulings
            .iter()
            .any(|(tongue, _)| *tongue == Tongue::Simplified);
        for (tongue, text) in said.questions.iter().chain(&said.rulings) {
            let Some(lang) = tongue
                .lang()
                .filter(|_| !(other_script && *tongue == Tongue::Traditional))
            else {
                continue;
            };
            let text = cell_text(text);
            let kept = texts.get_mut(lang).get_or_insert_default();
            if !kept.is_empty() {
                kept.push('\n');
            }
            kept.push_str(text.trim());
        }
        if said.rulings.iter().all(|(tongue, _)| tongue.lang().is_none()) {
            return None;
        }
        let (_, text) = texts.iter().next()?;
        let id = text_id(&self.builder.game.id, Kind::Ruling, said.date.as_deref(), text);
        let entry_idx = self.builder.add(id, Kind::Ruling, line);
        let nowhere = Lines { first: 1, last: 0 };
        let both = texts.en.is_some() && texts.zh.is_some();
        let source = said.source.as_deref();
        let provenance = |lang: Lang, reader: &Reader<'_>| {
            // A machine translates the official text.
            let tag = source.filter(|tag| {
                let is_machine = ProvenanceClass::from_tag(tag) == Some(ProvenanceClass::Machine);
                !(is_machine && both && lang == Lang::En)
            });
            reader.provenance(tag, lang)
        };
        let words: Vec<(Lang, Provenance)> = texts
            .iter()
            .map(|(lang, _)| (lang, provenance(lang, self)))
            .collect();
        for (lang, text) in texts.iter() {
            self.builder.put(entry_idx, Field::Text, lang, text, nowhere);
        }
        let entry = &mut self.builder.entries[entry_idx];
        for (lang, provenance) in words {
            *entry.provenance.get_mut(lang) = Some(provenance);
        }
        entry.date = said.date.as_deref().map(Name::from);
        entry.cards.push(card);
        if let (true, Some(en), Some(zh)) = (both, &texts.en, &texts.zh) {
            entry.pairing = Some(Pairing {
                how: PairedBy::Order,
                certain: true,
                partial: is_partial(en, zh),
            });
        }
        if said.date.is_none() && said.bad_date.is_none() {
            self.undated.push(span);
        }
        Some(entry_idx)
    }

    fn finish(mut self, detection: Detection) -> Parsed {
        rulings::report_undated(&mut self.builder, &self.undated);
        let mut parsed = self.builder.finish();
        let n_faults = self.faults.len();
        let shown = if n_faults > FEW_FAULTS { 1 } else { n_faults };
        self.faults.sort_by_key(|(span, _)| span.start);
        for (span, message) in self.faults.into_iter().take(shown) {
            let mut diagnostic = Diagnostic::at(Code::BadRow, self.source, span, message)
                .hint("correct it, or take it out; the rows around it were loaded");
            if n_faults > FEW_FAULTS {
                diagnostic = diagnostic.note(format!("{} more rows are at fault", n_faults - 1));
            }
            parsed.diagnostics.push(diagnostic);
        }
        if let Some(at) = self.cut {
            let (n_rows, span) = (self.cards.len() + parsed.entries.len(), Span::new(at, at));
            let message = format!("the file ends within a list, behind {n_rows} rows");
            let diagnostic = Diagnostic::at(Code::CutShort, self.source, span, message);
            parsed
                .diagnostics
                .push(diagnostic.hint("what stands there was loaded; get a whole copy of the file"));
        }
        parsed.lines = lines(self.source, self.places);
        parsed.detection = detection;
        let mut langs: BTreeSet<Lang> = BTreeSet::new();
        for row in &self.cards {
            let faces = row
                .faces
                .iter()
                .flat_map(|face| face.names.iter().chain(&face.types).chain(&face.texts));
            langs.extend(
                row.names
                    .iter()
                    .chain(faces)
                    .filter_map(|(tongue, _)| tongue.lang()),
            );
        }
        for entry in &parsed.entries {
            langs.extend(entry.text.iter().map(|(lang, _)| lang));
        }
        if !langs.is_empty() {
            let langs = langs.into_iter().collect();
            parsed.detection.langs = Some(Detected::sure(langs, "its names and texts are"));
        }
        parsed.cards = self.cards;
        parsed
    }
}

/// Where each line that is not blank went: into a row, or into nothing.
fn lines(source: &SourceFile, mut places: Vec<((u32, u32), Place)>) -> Vec<(u32, Place)> {
    places.sort_by_key(|(lines, _)| *lines);
    let mut lines = Vec::new();
    let mut next = 0;
    for line in source.lines().filter(|line| !is_blank(line.text)) {
        while places
            .get(next + 1)
            .is_some_and(|((first, _), _)| *first <= line.number)
        {
            next += 1;
        }
        let of_row = places
            .get(next)
            .filter(|((first, last), _)| (*first..=*last).contains(&line.number));
        let place = of_row.map_or(Place::Furniture(Furniture::Markup), |(_, place)| place.clone());
        lines.push((line.number, place));
    }
    lines
}

/// True for what is a name rather than a sentence, in a column that says but the language.
fn looks_like_name(text: &str) -> bool {
    const LONGEST: usize = 80;
    const MOST_WORDS: usize = 6;
    // An abbreviation ends so, too.
    let is_sentence = text.ends_with('。') || text.ends_with('.') && text.split(' ').count() > MOST_WORDS;
    text.chars().count() <= LONGEST && !is_sentence
}

/// The first name in a language.
fn first_in(names: &[(Tongue, String)], lang: Lang) -> Option<String> {
    let mut names = names.iter().filter(|(tongue, _)| tongue.lang() == Some(lang));
    names.next().map(|(_, name)| name.clone())
}

/// Takes away what is called Chinese and is the English name again.
fn drop_untranslated(names: &mut Vec<(Tongue, String)>) {
    let english: Vec<String> = names
        .iter()
        .filter(|(tongue, _)| *tongue == Tongue::English)
        .map(|(_, name)| fold_key(name))
        .collect();
    names.retain(|(tongue, name)| {
        tongue.lang() != Some(Lang::Zh) || name.contains(is_han) || !english.contains(&fold_key(name))
    });
}

impl<'v> Said<'v> {
    /// What an object says.
    fn of(object: &'v Map<String, Value>, columns: &mut HashMap<String, Column>) -> Said<'v> {
        let mut said = Said::default();
        for (key, value) in object {
            let column = match columns.get(key) {
                Some(column) => column.clone(),
                None => {
                    let column = Column::called(key);
                    columns.insert(key.clone(), column.clone());
                    column
                }
            };
            said.take_value(&column, key, value);
        }
        said
    }

    fn take_value(&mut self, column: &Column, key: &str, value: &'v Value) {
        match value {
            Value::String(text) if !text.trim().is_empty() => {
                self.take(column, key, Cow::Borrowed(text.trim()))
            }
            Value::Number(number) if matches!(column.what, What::Id(_) | What::Property) => {
                self.take(column, key, Cow::Owned(number.to_string()));
            }
            Value::Array(values) => self.take_list(column, values),
            Value::Object(object) if is_by_language(value) => {
                for (language, value) in object {
                    let text = value.as_str().filter(|text| !text.trim().is_empty());
                    if let (Some(tongue), Some(text)) = (columns::tongue(language), text) {
                        let column = Column {
                            tongue: Some(tongue),
                            ..column.clone()
                        };
                        self.take(&column, key, Cow::Borrowed(text.trim()));
                    }
                }
            }
            Value::Object(object) => {
                for (key, value) in object {
                    let column = Column::called(key);
                    if column.what == What::Id(0) {
                        self.take_value(&column, key, value);
                    }
                }
            }
            _ => {}
        }
    }

    fn take_list(&mut self, column: &Column, values: &'v [Value]) {
        let objects: Vec<&Map<String, Value>> = values.iter().filter_map(Value::as_object).collect();
        let has = |wanted: &[What]| {
            let mut keys = objects.iter().flat_map(|object| object.keys());
            keys.any(|key| wanted.contains(&Column::called(key).what))
        };
        if objects.is_empty() {
            if column.what == What::Name {
                self.all_faces
                    .extend(values.iter().filter_map(Value::as_str).map(str::to_owned));
            }
        } else if column.what == What::Ruling {
            self.ruling_objects = objects;
        } else if column.what == What::Faces && has(&[What::Name, What::Text, What::Type]) {
            self.faces = objects;
        } else if has(&[What::Language]) && has(&[What::Name, What::Text]) {
            self.foreign = objects;
        }
    }

    /// Takes what stands in a column.
    fn take(&mut self, column: &Column, called: &str, text: Cow<'_, str>) {
        match column.what {
            What::Id(rank) => {
                let is_none = text.chars().all(|c| matches!(c, '0' | '-'));
                let is_better = self.id.as_ref().is_none_or(|(best, _)| rank < *best);
                // A number in a set is another card's in the next.
                if is_better && !is_none && rank < 3 {
                    let kind: String = called.chars().filter(|c| c.is_alphanumeric()).collect();
                    let kind = if rank == 0 {
                        "oracleid".to_owned()
                    } else {
                        fold_key(&kind)
                    };
                    self.id = Some((
                        rank,
                        CardId {
                            kind: kind.into(),
                            id: text.into_owned(),
                            is_weak: rank > 1,
                        },
                    ));
                }
            }
            What::Language => self.language = columns::tongue(&text).or(self.language.take()),
            What::Side => {
                let side = match text.to_ascii_lowercase().as_str() {
                    "front" => Some(0),
                    "back" => Some(1),
                    letter if letter.len() == 1 => {
                        let at = letter.bytes().next().map(|byte| byte.wrapping_sub(b'a'));
                        at.filter(|at| *at < 8).map(usize::from)
                    }
                    _ => None,
                };
                self.side = side;
            }
            What::Date => match find_date(&text) {
                Some((date, _)) => self.date = Some(date.to_string()),
                None => self.bad_date = Some(text.into_owned()),
            },
            What::Source => self.source = Some(text.into_owned()),
            What::Subtype => self.subtypes.push(text.into_owned()),
            What::Property => self.take_fact(column.property, &text),
            What::Faces | What::Other => {}
            _ => self.open.push((column.clone(), text.into_owned())),
        }
    }

    fn take_fact(&mut self, property: Option<Property>, text: &str) {
        let Some(property) = property.filter(|property| self.facts.iter().all(|(own, _)| own != property))
        else {
            return;
        };
        let value = card::faces(&cell_text(text))
            .collect::<Vec<_>>()
            .join(BETWEEN_FACES);
        let is_none = value.chars().all(|c| matches!(c, '-' | '–' | '—'));
        if !is_none && !value.contains('\n') && value.chars().count() <= LONGEST_FACT {
            self.facts.push((property, value));
        }
    }

    /// Says in which language each text is, now that the row's is known.
    fn settle(&mut self) {
        let is_printed = self.open.iter().any(|(column, _)| column.printed);
        for (column, text) in std::mem::take(&mut self.open) {
            let own = Tongue::of(&text);
            let tongue = match (&column.tongue, &self.language) {
                (Some(tongue), _) => tongue.clone(),
                (None, Some(language)) if column.printed || !is_printed => language.clone(),
                (None, Some(Tongue::Traditional)) if own == Tongue::Simplified => Tongue::Traditional,
                (None, _) => own,
            };
            match column.what {
                What::Name | What::FaceName | What::Unsaid => {
                    let into = match column.what {
                        What::Name => &mut self.names,
                        What::FaceName => &mut self.face_names,
                        _ => &mut self.unsaid,
                    };
                    // What may turn out to be a text stays whole.
                    if column.what == What::Unsaid && text.chars().count() > LONGEST_NAME {
                        into.push((tongue, text));
                        continue;
                    }
                    for name in text.split(BETWEEN_NAMES).map(str::trim) {
                        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
                        if !name.is_empty() && name.chars().count() <= LONGEST_NAME {
                            into.push((tongue.clone(), name));
                        }
                    }
                }
                What::Type => self.types.push((tongue, column.printed, text)),
                What::Text => self.texts.push((tongue, column.printed, text)),
                What::Question => self.questions.push((tongue, text)),
                What::Ruling => self.rulings.push((tongue, text)),
                _ => {}
            }
        }
    }

    /// The card that the row names.
    fn card(&self) -> CardRef {
        CardRef {
            en: first_in(&self.names, Lang::En),
            zh: first_in(&self.names, Lang::Zh),
            id: self.id.as_ref().map(|(_, id)| id.id.clone()),
            inferred: false,
        }
    }

    /// What it says of one face.
    fn face(&mut self, at: usize, in_cells: bool) -> FaceRow {
        let mut types = one_each(std::mem::take(&mut self.types), ", ");
        for (_, line) in &mut types {
            for subtype in &self.subtypes {
                if !line.contains(subtype.as_str()) {
                    line.push_str(" — ");
                    line.push_str(subtype);
                }
            }
            *line = cell_text(line).split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let mut texts = one_each(std::mem::take(&mut self.texts), "\n");
        for (_, text) in &mut texts {
            *text = plain_text(text, in_cells);
        }
        texts.retain(|(_, text)| !text.is_empty());
        FaceRow {
            at,
            names: std::mem::take(&mut self.face_names),
            types,
            texts,
            facts: std::mem::take(&mut self.facts),
        }
    }
}

/// One text for each tongue: of several columns one after the other, and a printed one only where there is no other.
fn one_each(all: Vec<(Tongue, bool, String)>, between: &str) -> Vec<(Tongue, String)> {
    let mut each: Vec<(Tongue, bool, String)> = Vec::new();
    for (tongue, printed, text) in all {
        match each.iter_mut().find(|(own, ..)| *own == tongue) {
            None => each.push((tongue, printed, text)),
            Some((_, was_printed, kept)) if *was_printed && !printed => {
                (*was_printed, *kept) = (printed, text)
            }
            Some((_, was_printed, kept)) if *was_printed == printed => {
                kept.push_str(between);
                kept.push_str(&text);
            }
            Some(_) => {}
        }
    }
    each.into_iter().map(|(tongue, _, text)| (tongue, text)).collect()
}

/// A card's text: tags taken off, lines trimmed, and in cells two strokes as what parts two faces.
fn plain_text(text: &str, in_cells: bool) -> String {
    let text = cell_text(text);
    let mut plain = String::with_capacity(text.len());
    let parts: Vec<&str> = match in_cells && !text.contains("://") {
        true => text.split("//").collect(),
        false => vec![&text],
    };
    for part in parts {
        if !plain.is_empty() {
            plain.push_str(BETWEEN_TEXTS);
        }
        let mut is_first = true;
        for line in part.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if !is_first {
                plain.push('\n');
            }
            is_first = false;
            plain.push_str(line);
        }
    }
    plain
}

#[cfg(test)]
mod tests;
