//! `shiyi export`: the library, or a selection of it, in reading order, one entry after the other.

use super::args::Format;
use super::ask::{Asker, Request};
use super::{FOUND, Failure, NOTHING, Session};
use crate::entry::Entry;
use crate::game::Games;
use crate::lookup::cards::Fit;
use crate::parse::CARDS;
use crate::render::sanitize::sanitize_line;
use crate::render::{json, markdown};
use std::mem::ManuallyDrop;

impl Session {
    /// Writes out what the options leave of the library. Only one entry at a time is in memory.
    pub(super) fn export(&mut self) -> Result<u8, Failure> {
        let asker = self.asker()?;
        let request = ManuallyDrop::new(self.request(&asker, String::new())?);
        let form = self.options.output.format.unwrap_or(Format::Json);
        let layout = self.layout();
        let (ui, edition) = (self.ui, request.edition.as_deref());
        let mut digest = markdown::Digest::default();
        let mut before = String::new();
        let n = asker.export(&request, |entry, games| {
            if matches!(form, Format::Json | Format::Csv) {
                return self.object(&json::EntryObject::plain(&entry));
            }
            let text = match form {
                Format::EsBulk => {
                    // Of one rule the newest edition comes first, and has its id for itself.
                    let other = edition.is_some() || *entry.id == *before;
                    let action = json::line(&json::BulkAction::index(&bulk_id(&entry, other)));
                    format!("{action}\n{}\n", json::line(&json::EntryObject::plain(&entry)))
                }
                Format::Md => digest.entry(&entry, &place_name(&entry, games), ui),
                Format::Ids => sanitize_line(&entry.id) + "\n",
                _ => layout.entry(&entry, 0, None, &[]),
            };
            before.clear();
            before.push_str(&entry.id);
            Ok(self.out.write(&text)?)
        })?;
        let n = match request.document.as_deref() {
            Some(CARDS) => n + self.export_cards(&asker, &request, form)?,
            _ => n,
        };
        self.say_notices(&asker);
        if n == 0 {
            let text = self.ui.nothing_left();
            self.notice("nothing-found", text);
        }
        Ok(if n == 0 { NOTHING } else { FOUND })
    }
}

impl Session {
    /// Writes out what tables say of cards.
    fn export_cards(&mut self, asker: &Asker, request: &Request, form: Format) -> Result<usize, Failure> {
        let (ui, layout) = (self.ui, self.layout());
        asker.export_cards(request, |card| {
            let object = || json::Object::Card(Box::new(json::CardObject::of(card, Fit::Name)));
            let text = match form {
                Format::Json | Format::Csv => return self.object(&object()),
                Format::EsBulk => {
                    let action = json::line(&json::BulkAction::index(&card.id()));
                    format!("{action}\n{}\n", json::line(&object()))
                }
                Format::Md => markdown::card(card, ui) + "\n",
                Format::Ids => sanitize_line(&card.id()) + "\n",
                _ => layout.card(card),
            };
            Ok(self.out.write(&text)?)
        })
    }
}

/// What a document's line is filed under: its id, with the edition where that alone tells it from another.
fn bulk_id(entry: &Entry, other: bool) -> String {
    match other {
        true => format!(
            "{}@{}",
            entry.id,
            entry.own_editions().next().unwrap_or("undated")
        ),
        false => entry.id.to_string(),
    }
}

/// What people call an entry's game and document: `Magic: The Gathering · mtg cr`.
fn place_name(entry: &Entry, games: &Games) -> String {
    let place = format!("{} {}", entry.game, entry.document);
    match games.get(&entry.game) {
        Some(game) => format!("{} · {place}", game.names.en),
        None => place,
    }
}
