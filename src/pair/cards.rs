//! Which rows of which tables are about one card?
//!
//! Rows with one id are, and rows with one English name where not both have an id of that kind, else rows with one
//! Chinese name that no two cards have. An id of which nobody says whether it is a card's or a printing's joins rows
//! without a name in one language, and parts none. Of several texts of a face in one language, the one in simplified characters
//! comes before the others, then the one printed last, then the first.

use super::same_text_key;
use crate::card::{BETWEEN_FACES, BETWEEN_TEXTS, Card, CardId, CardRow, FaceRow, Property, Tongue, faces};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Bilingual, Lang, Provenance, SourceRef};
use crate::fold::fold_key;
use crate::hash::FastMap;
use crate::name::Name;
use crate::source::Position;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// The most faces that a card is read with.
const MOST_FACES: usize = 8;

/// Joins rows as they come; those without an id that is surely a card's wait for the others.
#[derive(Default)]
pub(super) struct CardPairer {
    drafts: Vec<Draft>,
    by_id: FastMap<(Name, CardId), usize>,
    waiting: Vec<CardRow>,
}

/// A card in the making.
#[derive(Default)]
struct Draft {
    game: Name,
    ids: Vec<CardId>,
    names: Vec<(Tongue, String)>,
    faces: Vec<DraftFace>,
    provenance: Bilingual<Provenance>,
    sources: Vec<SourceRef>,
    left_out: Vec<(SourceRef, SourceRef)>,
}

#[derive(Default)]
struct DraftFace {
    names: Vec<(Tongue, String)>,
    type_line: Bilingual<Kept>,
    text: Bilingual<Kept>,
    facts: Vec<(Property, String)>,
}

/// A text with what it was chosen by.
struct Kept {
    is_other_script: bool,
    released: Option<String>,
    text: String,
    source: SourceRef,
}

/// A text that is left out because another of the same table comes before it: where it stands, and where that one does.
struct LeftOut {
    source: SourceRef,
    kept: SourceRef,
    name: String,
}

impl CardPairer {
    /// Adds the rows of a source.
    pub(super) fn add(&mut self, rows: Vec<CardRow>) {
        for row in rows {
            let Some(id) = row.id.clone().filter(|id| !id.is_weak) else {
                self.waiting.push(row);
                continue;
            };
            let drafts = &mut self.drafts;
            let idx = *self.by_id.entry((row.game.clone(), id)).or_insert_with(|| {
                drafts.push(Draft::default());
                drafts.len() - 1
            });
            self.drafts[idx].add(row);
        }
    }

    /// The cards, in the order of their first rows.
    pub(super) fn finish(self, diagnostics: &mut Vec<Diagnostic>) -> Vec<Card> {
        let mut shelf = Shelf::default();
        for draft in self.drafts {
            shelf.add(draft);
        }
        let (named, nameless): (Vec<CardRow>, Vec<CardRow>) =
            self.waiting.into_iter().partition(CardRow::is_named);
        for row in named.into_iter().chain(nameless) {
            let mut draft = Draft::default();
            draft.add(row);
            shelf.add(draft);
        }
        let mut left_out = Vec::new();
        for draft in &mut shelf.drafts {
            let name = draft.names.first().map_or("", |(_, name)| name).to_owned();
            left_out.extend(draft.left_out.drain(..).map(|(source, kept)| LeftOut {
                source,
                kept,
                name: name.clone(),
            }));
        }
        report(left_out, diagnostics);
        shelf.drafts.into_iter().filter_map(Draft::finish).collect()
    }
}

/// The cards that are known, and what is known of them.
#[derive(Default)]
struct Shelf {
    drafts: Vec<Draft>,
    called: FastMap<(Name, Lang, String), Vec<usize>>,
    by_weak_id: FastMap<(Name, CardId), usize>,
}

impl Shelf {
    /// Adds a card, or joins it to the one that it is.
    fn add(&mut self, draft: Draft) {
        // Ids of another kind may be of a card that is there.
        let may_be = |known: &Draft| {
            let strong = |draft: &Draft| {
                draft
                    .ids
                    .iter()
                    .filter(|id| !id.is_weak)
                    .cloned()
                    .collect::<Vec<_>>()
            };
            let known = strong(known);
            strong(&draft)
                .iter()
                .all(|id| known.iter().all(|own| own.kind != id.kind || own.id == id.id))
        };
        let names = draft.whole_names();
        let by_name = known_as(&names, &draft.game, &self.called, |idx| may_be(&self.drafts[idx]));
        let weak = || {
            draft
                .ids
                .iter()
                .filter(|id| id.is_weak)
                .map(|id| (draft.game.clone(), id.clone()))
        };
        let by_id = || {
            let idx = weak().find_map(|id| self.by_weak_id.get(&id).copied())?;
            let own = self.drafts[idx].whole_names();
            let is_other =
                |(tongue, _): &(Tongue, String)| own.iter().any(|(known, _)| known.lang() == tongue.lang());
            Some(idx).filter(|_| !names.iter().any(is_other))
        };
        let known = by_name.or_else(by_id);
        let idx = known.unwrap_or(self.drafts.len());
        for id in weak() {
            self.by_weak_id.entry(id).or_insert(idx);
        }
        match known {
            Some(idx) => self.drafts[idx].join(draft),
            None => self.drafts.push(draft),
        }
        let draft = &self.drafts[idx];
        for (tongue, name) in draft.whole_names() {
            if let Some(lang) = tongue.lang() {
                let known = self
                    .called
                    .entry((draft.game.clone(), lang, fold_key(&name)))
                    .or_default();
                if !known.contains(&idx) {
                    known.push(idx);
                }
            }
        }
    }
}

/// The card that has one of these names and may be meant.
fn known_as(
    names: &[(Tongue, String)],
    game: &Name,
    called: &FastMap<(Name, Lang, String), Vec<usize>>,
    may_be: impl Fn(usize) -> bool,
) -> Option<usize> {
    let of = |lang: Lang| {
        names
            .iter()
            .filter(move |(tongue, _)| tongue.lang() == Some(lang))
    };
    let find = |name: &str, lang: Lang| {
        let known = called.get(&(game.clone(), lang, fold_key(name)))?;
        Some(
            known
                .iter()
                .copied()
                .filter(|idx| may_be(*idx))
                .collect::<Vec<usize>>(),
        )
    };
    if of(Lang::En).next().is_some() {
        return of(Lang::En).find_map(|(_, name)| find(name, Lang::En)?.first().copied());
    }
    of(Lang::Zh).find_map(|(_, name)| match find(name, Lang::Zh)?.as_slice() {
        [one] => Some(*one),
        _ => None,
    })
}

fn add_name(names: &mut Vec<(Tongue, String)>, name: (Tongue, String)) {
    if !names.contains(&name) {
        // There are as many of these lists as cards, and most have one name or two.
        names.reserve_exact(1);
        names.push(name);
    }
}

impl Draft {
    fn add(&mut self, row: CardRow) {
        let CardRow {
            game,
            id,
            names,
            faces: said,
            released,
            provenance,
            source,
        } = row;
        self.game = game;
        if let Some(id) = id.filter(|id| !self.ids.contains(id)) {
            self.ids.push(id);
        }
        for (tongue, name) in names {
            let parts: Vec<&str> = faces(&name).collect();
            // A face called as the card is tells nothing.
            let is_same = parts.len() > 1 && parts.iter().all(|part| *part == parts[0]);
            if parts.len() > 1 && !is_same {
                for (at, part) in parts.iter().enumerate().take(MOST_FACES) {
                    add_name(&mut self.face(at).names, (tongue.clone(), (*part).to_owned()));
                }
            }
            let name = if is_same {
                parts[0].to_owned()
            } else {
                parts.join(BETWEEN_FACES)
            };
            if !name.is_empty() {
                add_name(&mut self.names, (tongue, name));
            }
        }
        for FaceRow {
            at,
            names,
            types,
            texts,
            facts,
        } in said.into_iter().filter(|face| face.at < MOST_FACES)
        {
            let face = self.face(at);
            names.into_iter().for_each(|name| add_name(&mut face.names, name));
            add_facts(&mut face.facts, facts);
            let mut left_out = Vec::new();
            for (kept, said) in [(&mut face.type_line, types), (&mut face.text, texts)] {
                for (tongue, text) in said {
                    let Some(lang) = tongue.lang() else { continue };
                    let new = Kept {
                        is_other_script: tongue == Tongue::Traditional,
                        released: released.clone(),
                        text,
                        source: source.clone(),
                    };
                    left_out.extend(keep(kept.get_mut(lang), new));
                }
            }
            self.left_out.extend(left_out);
        }
        self.add_provenance(provenance);
        self.sources.reserve_exact(1);
        self.sources.push(source);
    }

    /// Who words the texts: whoever is said to, before nobody.
    fn add_provenance(&mut self, provenance: Bilingual<Provenance>) {
        for (lang, said) in provenance.iter() {
            let known = self.provenance.get_mut(lang);
            if known.as_ref().is_none_or(|known| *known == Provenance::default()) {
                *known = Some(said.clone());
            }
        }
    }

    fn join(&mut self, other: Draft) {
        let Draft {
            game: _,
            ids,
            names,
            faces,
            provenance,
            sources,
            mut left_out,
        } = other;
        self.ids.extend(
            ids.into_iter()
                .filter(|id| !self.ids.contains(id))
                .collect::<Vec<_>>(),
        );
        names.into_iter().for_each(|name| add_name(&mut self.names, name));
        for (at, other) in faces.into_iter().enumerate() {
            let face = self.face(at);
            other
                .names
                .into_iter()
                .for_each(|name| add_name(&mut face.names, name));
            add_facts(&mut face.facts, other.facts);
            for (kept, said) in [
                (&mut face.type_line, other.type_line),
                (&mut face.text, other.text),
            ] {
                let Bilingual { en, zh } = said;
                left_out.extend(en.and_then(|new| keep(&mut kept.en, new)));
                left_out.extend(zh.and_then(|new| keep(&mut kept.zh, new)));
            }
        }
        self.left_out.extend(left_out);
        self.add_provenance(provenance);
        self.sources.extend(sources);
    }

    fn face(&mut self, at: usize) -> &mut DraftFace {
        while self.faces.len() <= at {
            self.faces.reserve_exact(1);
            self.faces.push(DraftFace::default());
        }
        &mut self.faces[at]
    }

    /// What the whole card is called: what rows say, and where they say it of each face alone, those names together.
    fn whole_names(&self) -> Vec<(Tongue, String)> {
        let mut whole = self.names.clone();
        let mut tongues: Vec<&Tongue> = self
            .faces
            .iter()
            .flat_map(|face| &face.names)
            .map(|(tongue, _)| tongue)
            .collect();
        tongues.sort();
        tongues.dedup();
        for tongue in tongues {
            let of = |face: &DraftFace| {
                let mut names = face.names.iter().filter(|(own, _)| own == tongue);
                names.next().map(|(_, name)| name.clone())
            };
            if let [face] = self.faces.as_slice() {
                for (tongue, name) in &face.names {
                    add_name(&mut whole, (tongue.clone(), name.clone()));
                }
                continue;
            }
            if whole.iter().any(|(own, _)| own == tongue) {
                continue;
            }
            let parts: Vec<String> = self.faces.iter().filter_map(of).collect();
            add_name(&mut whole, (tongue.clone(), parts.join(BETWEEN_FACES)));
        }
        // One face's name in a row without its side.
        let whole_has_faces = whole.iter().any(|(_, name)| name.contains(BETWEEN_FACES));
        if whole_has_faces {
            let joined: Vec<(Tongue, String)> = whole
                .iter()
                .filter(|(_, name)| name.contains(BETWEEN_FACES))
                .cloned()
                .collect();
            whole.retain(|(tongue, name)| {
                let mut of_tongue = joined.iter().filter(|(own, _)| own == tongue);
                name.contains(BETWEEN_FACES) || !of_tongue.any(|(_, all)| faces(all).any(|face| face == name))
            });
        }
        whole
    }

    /// The card; none where nothing names it.
    fn finish(self) -> Option<Card> {
        let mut names = self.whole_names();
        if names.is_empty() {
            return None;
        }
        names.sort_by_key(|(tongue, _)| matches!(tongue, Tongue::Traditional));
        let mut card = Card {
            game: self.game,
            database_id: self.ids.into_iter().find(|id| !id.is_weak).map(|id| id.id),
            provenance: self.provenance,
            sources: self.sources,
            ..Card::default()
        };
        for (tongue, name) in names {
            match tongue {
                Tongue::English => card.en.push(name),
                Tongue::Simplified | Tongue::Traditional if card.zh.contains(&name) => {}
                Tongue::Simplified | Tongue::Traditional => card.zh.push(name),
                Tongue::Other(code) => card.others.push((code, name)),
            }
        }
        for lang in Lang::ALL {
            *card.type_line.get_mut(lang) = joined(
                self.faces.iter().map(|face| face.type_line.get(lang)),
                BETWEEN_FACES,
            );
            *card.text.get_mut(lang) =
                joined(self.faces.iter().map(|face| face.text.get(lang)), BETWEEN_TEXTS);
        }
        let is_told_in_full = |property: Property| {
            property == Property::TotalCost
                && self
                    .faces
                    .iter()
                    .any(|face| face.facts.iter().any(|(own, _)| *own == Property::Cost))
        };
        for property in Property::ALL
            .into_iter()
            .filter(|property| !is_told_in_full(*property))
        {
            let value = joined_facts(&self.faces, property);
            card.facts.extend(value.map(|value| (property, value)));
        }
        card.facts.shrink_to_fit();
        card.sources.dedup();
        card.sources.shrink_to_fit();
        Some(card)
    }
}

/// Adds properties that are not known yet: of two rows the first counts.
fn add_facts(known: &mut Vec<(Property, String)>, facts: Vec<(Property, String)>) {
    for (property, value) in facts {
        if known.iter().all(|(own, _)| *own != property) {
            known.reserve_exact(1);
            known.push((property, value));
        }
    }
}

/// A property of all faces: where one row says it of the whole card, that.
fn joined_facts(of_faces: &[DraftFace], property: Property) -> Option<String> {
    let values = of_faces.iter().filter_map(|face| {
        let mut facts = face.facts.iter().filter(|(own, _)| *own == property);
        facts.next().map(|(_, value)| value.as_str())
    });
    let values: Vec<&str> = values.collect();
    let whole = values.iter().find(|value| value.contains(BETWEEN_FACES));
    whole
        .map(|whole| (*whole).to_owned())
        .or_else(|| (!values.is_empty()).then(|| values.join(BETWEEN_FACES)))
}

/// The texts of all faces as one; none where no face has one.
fn joined<'k>(faces: impl Iterator<Item = Option<&'k Kept>>, between: &str) -> Option<String> {
    let texts: Vec<&str> = faces
        .map(|kept| kept.map_or("", |kept| kept.text.as_str()))
        .collect();
    let last = texts.iter().rposition(|text| !text.is_empty())?;
    Some(texts[..=last].join(between))
}

/// Keeps the better of two texts. What is left out for no other reason than that another of the same table comes
/// before it is returned, with that one's place.
fn keep(kept: &mut Option<Kept>, new: Kept) -> Option<(SourceRef, SourceRef)> {
    let rank = |kept: &Kept| (kept.is_other_script, Reverse(kept.released.clone()));
    let Some(known) = kept else {
        *kept = Some(new);
        return None;
    };
    match rank(&new).cmp(&rank(known)) {
        Ordering::Less => *known = new,
        Ordering::Equal
            if known.source.file == new.source.file
                && known.source.line != new.source.line
                && same_text_key(&known.text) != same_text_key(&new.text) =>
        {
            return Some((new.source, known.source.clone()));
        }
        _ => {}
    }
    None
}

/// Says which texts were left out: of each table the first, and how many more.
fn report(left_out: Vec<LeftOut>, diagnostics: &mut Vec<Diagnostic>) {
    let mut of_file: BTreeMap<Name, Vec<LeftOut>> = BTreeMap::new();
    for text in left_out {
        of_file.entry(text.source.file.clone()).or_default().push(text);
    }
    for (file, mut texts) in of_file {
        texts.sort_by_key(|text| text.source.line);
        let Some(first) = texts.first() else { continue };
        let message = format!("another text of the card `{}` in the same table", first.name);
        let mut diagnostic = Diagnostic::about_file(Code::ConflictingText, file.as_str(), message)
            .note(format!("the text that is kept is at {file}:{}", first.kept.line))
            .hint("take one of them out, or give each card an id");
        if texts.len() > 1 {
            diagnostic = diagnostic.note(format!("{} more texts are left out so", texts.len() - 1));
        }
        diagnostic.position = Some(Position {
            line: first.source.line,
            column: 1,
        });
        diagnostics.push(diagnostic);
    }
}
