//! What is known of a card: what it is called, what it says, and which entries speak of it. Plain data.
//!
//! Tables say it row by row ([`CardRow`]): one has the names, another the texts of one language, a third those of one
//! face. [`crate::pair`] joins the rows of a card, [`crate::corpus`] adds the rulings that name it ([`Card`]).

use crate::entry::{Bilingual, Lang, Provenance, SourceRef, card_id};
use crate::name::Name;

/// What stands between the names, and the type lines, of two faces.
pub const BETWEEN_FACES: &str = " // ";

/// The line between the texts of two faces.
pub const BETWEEN_TEXTS: &str = "\n//\n";

/// The language of a name, as tables tell them apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tongue {
    /// English.
    English,
    /// Chinese in simplified characters, or nobody said in which.
    Simplified,
    /// Chinese in traditional characters.
    Traditional,
    /// Another language, by its code: `ja`. Cards are found by such names, and nothing else is kept of it.
    Other(Name),
}

impl Tongue {
    /// The language that shiyi reads it in.
    pub fn lang(&self) -> Option<Lang> {
        match self {
            Tongue::English => Some(Lang::En),
            Tongue::Simplified | Tongue::Traditional => Some(Lang::Zh),
            Tongue::Other(_) => None,
        }
    }

    /// The tongue of a name that nothing is said of.
    pub fn of(text: &str) -> Tongue {
        let is_kana = |c: char| matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}');
        let is_hangul = |c: char| matches!(c, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}');
        if text.contains(is_kana) {
            Tongue::Other("ja".into())
        } else if text.contains(is_hangul) {
            Tongue::Other("ko".into())
        } else {
            match Lang::of(text) {
                Lang::En => Tongue::English,
                Lang::Zh => Tongue::Simplified,
            }
        }
    }
}

/// The id that a table gives a card. Ids are compared with those of the same kind alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardId {
    /// What the table calls it, without case and marks: `oracleid`, `konamiid`.
    pub kind: Name,
    /// The id itself.
    pub id: String,
    /// True for one of which nobody says that it is the card's: it may be a printing's.
    pub is_weak: bool,
}

/// What a row says of one face.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaceRow {
    /// Which face, from 0.
    pub at: usize,
    /// What it is called.
    pub names: Vec<(Tongue, String)>,
    /// Its type line.
    pub types: Vec<(Tongue, String)>,
    /// Its text. Lines are separated by `\n`.
    pub texts: Vec<(Tongue, String)>,
}

/// What one row of a table says of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardRow {
    /// The game's id.
    pub game: Name,
    /// The card's id in the table.
    pub id: Option<CardId>,
    /// What the whole card is called: two faces with [`BETWEEN_FACES`].
    pub names: Vec<(Tongue, String)>,
    /// What it says of each face that it speaks of; of a card with one, of that.
    pub faces: Vec<FaceRow>,
    /// When the card was printed so, `YYYY-MM-DD`.
    pub released: Option<String>,
    /// Who words the texts.
    pub provenance: Bilingual<Provenance>,
    /// Where the row stands.
    pub source: SourceRef,
}

impl CardRow {
    /// Gives back memory that its lists grew by but do not fill.
    pub fn shrink(&mut self) {
        self.names.shrink_to_fit();
        for face in &mut self.faces {
            for list in [&mut face.names, &mut face.types, &mut face.texts] {
                list.iter_mut().for_each(|(_, text)| text.shrink_to_fit());
                list.shrink_to_fit();
            }
        }
        self.faces.shrink_to_fit();
    }

    /// True where it says what the card or a face is called.
    pub fn is_named(&self) -> bool {
        !self.names.is_empty() || self.faces.iter().any(|face| !face.names.is_empty())
    }
}

/// A card: what tables say of it, and the entries that name it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Card {
    /// Its game.
    pub game: Name,
    /// The publisher's or a database's id.
    pub database_id: Option<String>,
    /// Its English names, as the texts spell them; of several faces joined by [`BETWEEN_FACES`].
    pub en: Vec<String>,
    /// Its Chinese names, those in simplified characters first.
    pub zh: Vec<String>,
    /// Its names in other languages, each with the language's code.
    pub others: Vec<(Name, String)>,
    /// Its type line.
    pub type_line: Bilingual<String>,
    /// What it says; faces are parted by [`BETWEEN_TEXTS`].
    pub text: Bilingual<String>,
    /// Who words that.
    pub provenance: Bilingual<Provenance>,
    /// The rows of tables that say so; none of a card that is known by its rulings alone.
    pub sources: Vec<SourceRef>,
    /// The entries that name it: those about it alone before those that it shares, each in reading order.
    pub entries: Vec<u32>,
}

impl Card {
    /// `mtg:card:kozilek-the-great-distortion`: of its English name if it has one.
    pub fn id(&self) -> String {
        card_id(&self.game, self.names().next().map_or("", String::as_str))
    }

    /// Its names, English first and Chinese next.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let others = self.others.iter().map(|(_, name)| name);
        self.en.iter().chain(&self.zh).chain(others)
    }

    /// Its first name in that language, or in another where it has none.
    pub fn name_in(&self, lang: Lang) -> Option<&String> {
        let own = match lang {
            Lang::En => self.en.first(),
            Lang::Zh => self.zh.first(),
        };
        own.or_else(|| self.names().next())
    }
}

/// The names of the faces in the name of a whole card.
pub fn faces(name: &str) -> impl Iterator<Item = &str> {
    name.split("//").map(str::trim).filter(|face| !face.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tongues_and_faces() {
        let tongues: Vec<Tongue> = ["Ebb // Flow", "涨落", "潮の満ち引き", "밀물"]
            .map(Tongue::of)
            .to_vec();
        let langs: Vec<_> = tongues.iter().map(Tongue::lang).collect();
        assert_eq!(langs, [Some(Lang::En), Some(Lang::Zh), None, None]);
        assert_eq!(faces("Ebb // Flow").collect::<Vec<_>>(), ["Ebb", "Flow"]);
        assert_eq!(faces("Ebb").collect::<Vec<_>>(), ["Ebb"]);
    }
}
