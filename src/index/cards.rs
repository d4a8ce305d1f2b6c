//! How cards are stored: apart from the entries, and read only when a card is asked for.
//!
//! ```text
//! cards      := rows: { head, id, names, type lines, texts, properties, lines of the sources, entries }
//! card-heads := rows: { game, provenances, files of the sources }       what the cards of a table have in common
//! card-names := a sorted map: the names, as [`crate::corpus::cards::key`] spells them; for each, the cards
//! ```

use crate::card::{Card, Property};
use crate::corpus::{Damaged, EachName};
use crate::entry::{Bilingual, SourceRef};
use crate::index::codec::{Interner, Reader, Table, TableWriter, Writer};
use crate::index::pack::{Pack, Packer};
use crate::index::read_entries;
use crate::index::sorted::{MapWriter, SortedMap};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;

/// Writes the cards and their names.
///
/// # Errors
///
/// When writing fails, or there is more than a table can hold.
pub fn write<F: Read + Write + Seek>(
    cards: Vec<Card>,
    names: BTreeMap<String, Vec<u32>>,
    packer: &mut Packer<F>,
) -> io::Result<()> {
    packer.begin("cards")?;
    let mut table = TableWriter::default();
    let mut heads = Interner::default();
    for card in cards {
        table.row(&record(&card, &mut heads), packer)?;
    }
    table.finish(packer)?;
    packer.begin("card-heads")?;
    heads.write(packer)?;
    let mut map = MapWriter::begin("card-names", packer)?;
    for (name, cards) in names {
        let mut row = Writer::default();
        cards.iter().for_each(|number| row.number(u64::from(*number)));
        map.key(name.as_bytes(), packer)?.0.bytes(&row.finish());
    }
    map.finish("card-firsts", packer)
}

fn record(card: &Card, heads: &mut Interner) -> Vec<u8> {
    // No `..`: a field that is added to cards must be stored.
    let Card {
        game,
        database_id,
        en,
        zh,
        others,
        type_line,
        facts,
        text,
        provenance,
        sources,
        entries,
    } = card;
    let mut head = Writer::default();
    head.text(game);
    head.provenance(provenance.en.as_ref());
    head.provenance(provenance.zh.as_ref());
    head.number(sources.len() as u64);
    for SourceRef { file, line: _, lang } in sources {
        head.text(file);
        head.lang(*lang);
    }
    let mut out = Writer::default();
    out.number(u64::from(heads.bytes(&head.finish())));
    out.inline(database_id.as_deref());
    for names in [en, zh] {
        out.number(names.len() as u64);
        names.iter().for_each(|name| out.text(name));
    }
    out.number(others.len() as u64);
    for (code, name) in others {
        out.text(code);
        out.text(name);
    }
    for texts in [type_line, text] {
        out.inline(texts.en.as_deref());
        out.inline(texts.zh.as_deref());
    }
    out.number(facts.len() as u64);
    for (property, value) in facts {
        out.number(*property as u64);
        out.text(value);
    }
    sources
        .iter()
        .for_each(|source| out.number(u64::from(source.line)));
    entries.iter().for_each(|idx| out.number(u64::from(*idx)));
    out.finish()
}

/// The stored cards.
#[derive(Debug)]
pub struct Shelf {
    cards: Table,
    heads: Table,
    names: SortedMap,
}

impl Shelf {
    /// Reads how many there are.
    ///
    /// # Errors
    ///
    /// When they are damaged.
    pub fn open(pack: &Pack) -> Result<Shelf, Damaged> {
        Ok(Shelf {
            cards: Table::new(pack.expect("cards")?)?,
            heads: Table::new(pack.expect("card-heads")?)?,
            names: SortedMap::new(pack.expect("card-names")?, pack.expect("card-firsts")?)?,
        })
    }

    /// How many cards there are.
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// The card of that number.
    ///
    /// # Errors
    ///
    /// When there is none, or it is damaged.
    pub fn card(&self, number: u32) -> Result<Card, Damaged> {
        let mut reader = Reader::new(self.cards.row(number as usize)?);
        let mut head = Reader::new(self.heads.row(reader.number()?)?);
        let game = head.text()?.into();
        let provenance = Bilingual {
            en: head.provenance()?,
            zh: head.provenance()?,
        };
        let database_id = reader.inline()?;
        let names = |reader: &mut Reader<'_>| -> Result<Vec<String>, Damaged> {
            (0..reader.count()?)
                .map(|_| Ok(reader.text()?.to_owned()))
                .collect()
        };
        let (en, zh) = (names(&mut reader)?, names(&mut reader)?);
        let others = (0..reader.count()?)
            .map(|_| Ok((reader.text()?.into(), reader.text()?.to_owned())))
            .collect::<Result<_, Damaged>>()?;
        let texts = |reader: &mut Reader<'_>| -> Result<Bilingual<String>, Damaged> {
            Ok(Bilingual {
                en: reader.inline()?,
                zh: reader.inline()?,
            })
        };
        let (type_line, text) = (texts(&mut reader)?, texts(&mut reader)?);
        let facts = (0..reader.count()?)
            .map(|_| {
                let at = reader.number()?;
                let property = Property::ALL.get(at).ok_or_else(Reader::cut)?;
                Ok((*property, reader.text()?.to_owned()))
            })
            .collect::<Result<_, Damaged>>()?;
        let sources = (0..head.count()?)
            .map(|_| {
                Ok(SourceRef {
                    file: head.text()?.into(),
                    line: u32::try_from(reader.number()?).map_err(|_| Reader::cut())?,
                    lang: head.lang()?,
                })
            })
            .collect::<Result<_, Damaged>>()?;
        let mut entries = Vec::new();
        while !reader.is_empty() {
            entries.push(u32::try_from(reader.number()?).map_err(|_| Reader::cut())?);
        }
        Ok(Card {
            game,
            database_id,
            en,
            zh,
            others,
            type_line,
            facts,
            text,
            provenance,
            sources,
            entries,
        })
    }

    /// Gives the names that start so, in order, each with what reads its cards.
    ///
    /// # Errors
    ///
    /// When they are damaged, or what `each` returns.
    pub fn called(&self, prefix: &str, each: &mut EachName<'_>) -> Result<(), Damaged> {
        let mut result = Ok(());
        self.names.scan(prefix.as_bytes(), Reader::bytes, |key, row| {
            if !key.starts_with(prefix.as_bytes()) {
                return ControlFlow::Break(());
            }
            result = match std::str::from_utf8(key) {
                Ok(name) => each(name, &|| read_entries(row)),
                Err(_) => Err(Damaged("a stored name is not UTF-8".to_owned())),
            };
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Provenance, ProvenanceClass};
    use std::io::Cursor;
    use tantivy::directory::OwnedBytes;

    #[test]
    fn a_card_survives() {
        let card = Card {
            game: "demo".into(),
            database_id: Some("7".into()),
            en: vec!["Ebb // Flow".into()],
            zh: vec!["涨落".into(), "漲落".into()],
            others: vec![("ja".into(), "潮".into())],
            type_line: Bilingual::both("Spell".into(), "法术".into()),
            facts: vec![(Property::Cost, "2".into()), (Property::Energy, "1 // 3".into())],
            text: Bilingual::one(crate::entry::Lang::En, "Draw.".into()),
            provenance: Bilingual::both(
                Provenance::default(),
                Provenance {
                    class: ProvenanceClass::Official,
                    ..Provenance::default()
                },
            ),
            sources: vec![SourceRef {
                file: "a.tsv".into(),
                line: 700,
                lang: None,
            }],
            entries: vec![3, 1, 70_000],
        };
        let bare = Card {
            game: "demo".into(),
            zh: vec!["无".into()],
            ..Card::default()
        };
        let mut packer = Packer::new(Cursor::new(Vec::new())).unwrap();
        let names = BTreeMap::from([
            ("ebb".to_owned(), vec![0]),
            ("ebb // flow".to_owned(), vec![0, 1]),
        ]);
        write(vec![card.clone(), bare.clone()], names.clone(), &mut packer).unwrap();
        let pack = Pack::open(OwnedBytes::new(packer.finish().unwrap().into_inner())).unwrap();
        let shelf = Shelf::open(&pack).unwrap();
        assert_eq!(
            (shelf.len(), shelf.card(0).unwrap(), shelf.card(1).unwrap()),
            (2, card, bare)
        );
        assert!(shelf.card(2).is_err());
        let called = |prefix: &str| {
            let mut called = BTreeMap::new();
            let mut each = |name: &str, cards: &dyn Fn() -> Result<Vec<u32>, Damaged>| {
                called.insert(name.to_owned(), cards()?);
                Ok(())
            };
            shelf.called(prefix, &mut each).unwrap();
            called
        };
        assert_eq!(
            (called("ebb"), called("ebb /").len(), called("flow").len()),
            (names, 1, 0)
        );
    }
}
