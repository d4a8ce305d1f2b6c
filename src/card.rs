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

/// A property of a card that is no text: what it costs, how strong it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// What it costs.
    Cost,
    /// The sum of that, where a table has both.
    TotalCost,
    /// Its attribute.
    Attribute,
    /// Its level.
    Level,
    /// Its rank.
    Rank,
    /// Its power.
    Power,
    /// Its toughness.
    Toughness,
    /// What it attacks with.
    Attack,
    /// What it defends with.
    Defense,
    /// Its loyalty.
    Loyalty,
    /// Its life.
    Life,
    /// Its might.
    Might,
    /// Its energy.
    Energy,
}

impl Property {
    /// Every one, in the order in which they are shown.
    pub const ALL: [Property; 13] = [
        Property::Cost,
        Property::TotalCost,
        Property::Attribute,
        Property::Level,
        Property::Rank,
        Property::Power,
        Property::Toughness,
        Property::Attack,
        Property::Defense,
        Property::Loyalty,
        Property::Life,
        Property::Might,
        Property::Energy,
    ];

    /// The stable spelling: `total-cost`.
    pub fn as_str(self) -> &'static str {
        match self {
            Property::Cost => "cost",
            Property::TotalCost => "total-cost",
            Property::Attribute => "attribute",
            Property::Level => "level",
            Property::Rank => "rank",
            Property::Power => "power",
            Property::Toughness => "toughness",
            Property::Attack => "attack",
            Property::Defense => "defense",
            Property::Loyalty => "loyalty",
            Property::Life => "life",
            Property::Might => "might",
            Property::Energy => "energy",
        }
    }
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
    /// Its properties; those of a whole card are its first face's.
    pub facts: Vec<(Property, String)>,
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
            face.facts.shrink_to_fit();
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
    /// Its properties, each once and in their order; those of several faces are joined by [`BETWEEN_FACES`].
    pub facts: Vec<(Property, String)>,
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

    /// A property, where it is known.
    pub fn fact(&self, property: Property) -> Option<&str> {
        let mut facts = self.facts.iter().filter(|(own, _)| *own == property);
        facts.next().map(|(_, value)| value.as_str())
    }

    /// What it costs.
    pub fn cost(&self) -> Option<&str> {
        self.fact(Property::Cost).or(self.fact(Property::TotalCost))
    }

    /// Its other properties: power and toughness of each face together, `2/3`, as a value without a name.
    pub fn stats(&self) -> Vec<(Option<Property>, String)> {
        use Property::{Attack, Cost, Defense, Power, TotalCost, Toughness};
        let pair = [(Power, Toughness), (Attack, Defense), (Power, Defense)]
            .into_iter()
            .find_map(|(first, second)| {
                let (strong, tough) = (self.fact(first)?, self.fact(second)?);
                let (strong, tough): (Vec<&str>, Vec<&str>) =
                    (faces(strong).collect(), faces(tough).collect());
                let joined = strong
                    .iter()
                    .zip(&tough)
                    .map(|(strong, tough)| format!("{strong}/{tough}"));
                let joined = joined.collect::<Vec<_>>().join(BETWEEN_FACES);
                (strong.len() == tough.len()).then_some((first, second, joined))
            });
        let mut stats = Vec::new();
        for (property, value) in &self.facts {
            match &pair {
                _ if matches!(property, Cost | TotalCost) => {}
                Some((first, _, joined)) if first == property => stats.push((None, joined.clone())),
                Some((_, second, _)) if second == property => {}
                _ => stats.push((Some(*property), value.clone())),
            }
        }
        stats
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
    fn stats_are_told_together() {
        let mut card = Card {
            facts: vec![
                (Property::Cost, "{1}".into()),
                (Property::Level, "4".into()),
                (Property::Power, "1 // 3".into()),
                (Property::Toughness, "1 // 2".into()),
            ],
            ..Card::default()
        };
        let stats = [
            (Some(Property::Level), "4".to_owned()),
            (None, "1/1 // 3/2".to_owned()),
        ];
        assert_eq!((card.cost(), card.stats()), (Some("{1}"), stats.to_vec()));
        card.facts.pop();
        assert_eq!(card.stats()[1], (Some(Property::Power), "1 // 3".to_owned()));
    }

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
