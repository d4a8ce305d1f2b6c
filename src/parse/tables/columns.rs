//! What the columns of a table, or the keys of its objects, are called: in English or Chinese, in whatever spelling.
//!
//! ```text
//! oracle_id · konami_id · 卡号            an id
//! name · card_en · zh-Hans · 中文名 · 卡名   a name
//! oracle_text · Cardtext · 效果            a text
//! type_line · Type · 类型                  a type line
//! comment_zh · ruling · 裁定               a ruling
//! ```

use crate::card::{Property, Tongue};
use crate::fold::{fold_key, is_han};

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// What a card is called.
    Name,
    /// What one face is called.
    FaceName,
    /// What the card says.
    Text,
    /// Its type line.
    Type,
    /// What belongs to the type line: a subtype, a race.
    Subtype,
    /// An id of the card, the best kind first: made for the purpose, the card's, some id, a number in a set.
    Id(u8),
    /// The language of what else the row says.
    Language,
    /// Which face the row speaks of.
    Side,
    /// When it was printed or said.
    Date,
    /// What is asked in a ruling.
    Question,
    /// What a ruling says.
    Ruling,
    /// Who says it.
    Source,
    /// A figure or property that cards have: a cost, a rarity.
    Property,
    /// A language alone: a name, or a text where the names have columns of their own.
    Unsaid,
    /// The faces of a card, each an object.
    Faces,
    /// Something else.
    Other,
}

/// A column, read by what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// What stands in it.
    pub what: What,
    /// In which language.
    pub tongue: Option<Tongue>,
    /// True where it is called the printed one, in whatever language that is.
    pub printed: bool,
    /// True where it is called a card's.
    pub of_cards: bool,
    /// True where it is called as what terms have, too: a description.
    pub describes: bool,
    /// Which property of a card stands there.
    pub property: Option<Property>,
}

/// A list of words, and what they mean.
type Words<T> = &'static [(&'static [&'static str], T)];

/// What makes a column none of ours, whatever else it is called: `set name`, `flavor text`.
const OF_OTHERS: &[&str] = &[
    "set",
    "sets",
    "setname",
    "setcode",
    "image",
    "img",
    "picture",
    "art",
    "artist",
    "artwork",
    "illustrator",
    "illustration",
    "file",
    "url",
    "uri",
    "uris",
    "link",
    "links",
    "flavor",
    "flavour",
    "edition",
    "block",
    "frame",
    "border",
    "pack",
    "product",
    "series",
    "ascii",
    "watermark",
    "expansion",
    "score",
    "price",
    "prices",
    "legalities",
    "deck",
    "multiverse",
    "mtgo",
    "tcgplayer",
    "cardmarket",
    "mcm",
    "arena",
    "keyword",
    "keywords",
];
const OF_OTHERS_IN_CHINESE: &[&str] = &[
    "系列",
    "图",
    "画",
    "风味",
    "背景",
    "收录",
    "卡包",
    "扩充",
    "价格",
    "链接",
    "网址",
    "名词",
    "术语",
    "关键",
    "规则名",
    "章节",
];

/// The head words, of which the last in a name counts: the `text` of a `type text`.
const HEADS: Words<What> = &[
    (&["name", "names", "cardname"], What::Name),
    (
        &[
            "text",
            "cardtext",
            "rulestext",
            "oracletext",
            "effect",
            "effects",
            "ability",
            "abilities",
            "desc",
            "description",
        ],
        What::Text,
    ),
    (&["type", "types", "typeline", "cardtype"], What::Type),
    (
        &["subtype", "subtypes", "race", "trait", "traits", "tribe"],
        What::Subtype,
    ),
    (&["oracleid"], What::Id(0)),
    (
        &[
            "konami", "password", "passcode", "cardid", "cardno", "cid", "code",
        ],
        What::Id(1),
    ),
    (&["id", "no", "number", "num", "uuid"], What::Id(2)),
    (
        &["date", "released", "release", "published", "updated"],
        What::Date,
    ),
    (&["lang", "language", "locale"], What::Language),
    (&["side"], What::Side),
    (&["question"], What::Question),
    (&["ruling", "rulings", "comment", "answer"], What::Ruling),
    (&["source", "provenance"], What::Source),
    (&["faces", "halves"], What::Faces),
];

/// The same in Chinese, where they stand inside a word; the first that does counts.
const HEADS_IN_CHINESE: Words<What> = &[
    (&["问题", "提问"], What::Question),
    (&["裁定", "释疑", "回答", "解答", "判例"], What::Ruling),
    (&["种族", "副类", "子类", "副种"], What::Subtype),
    (&["类型", "类别", "种类", "分类"], What::Type),
    (
        &["效果", "文本", "文字", "叙述", "描述", "异能", "能力", "内文"],
        What::Text,
    ),
    (&["编号", "卡号", "密码", "代码", "编码"], What::Id(1)),
    (&["日期", "时间"], What::Date),
    (&["语言", "语种"], What::Language),
    (&["来源", "译者"], What::Source),
    (&["名"], What::Name),
    (
        &[
            "费用", "费", "攻", "守", "防御", "力量", "稀有", "等级", "属性", "星", "颜色", "忠诚",
        ],
        What::Property,
    ),
];

/// Properties that cards have.
const PROPERTIES: &[&str] = &[
    "cost",
    "mana",
    "cmc",
    "atk",
    "attack",
    "def",
    "defense",
    "defence",
    "power",
    "toughness",
    "loyalty",
    "rarity",
    "attribute",
    "attributes",
    "level",
    "rank",
    "color",
    "colour",
    "colors",
    "colours",
    "hp",
    "life",
    "element",
    "ink",
    "might",
    "energy",
    "layout",
];

/// Those that are kept.
const KEPT: Words<Property> = &[
    (&["cost", "mana"], Property::Cost),
    (&["attribute", "attributes", "element"], Property::Attribute),
    (&["level"], Property::Level),
    (&["rank"], Property::Rank),
    (&["toughness"], Property::Toughness),
    (&["power"], Property::Power),
    (&["atk", "attack"], Property::Attack),
    (&["def", "defense", "defence"], Property::Defense),
    (&["loyalty"], Property::Loyalty),
    (&["hp", "life"], Property::Life),
    (&["might"], Property::Might),
    (&["energy"], Property::Energy),
];
const KEPT_IN_CHINESE: Words<Property> = &[
    (&["总费"], Property::TotalCost),
    (&["费"], Property::Cost),
    (&["属性"], Property::Attribute),
    (&["等级", "星"], Property::Level),
    (&["攻"], Property::Attack),
    (&["守", "防"], Property::Defense),
    (&["力量"], Property::Power),
    (&["忠诚"], Property::Loyalty),
];

/// The words for languages; of Chinese those for traditional characters first, which are said beside the others.
const LANGUAGES: Words<&str> = &[
    (
        &["zht", "zhtw", "cht", "hant", "zhhant", "tw", "hk", "traditional"],
        "zh-Hant",
    ),
    (
        &[
            "zh",
            "cn",
            "zhs",
            "zhcn",
            "chs",
            "chn",
            "hans",
            "zhhans",
            "chinese",
            "simplified",
        ],
        "zh-Hans",
    ),
    (&["en", "eng", "english"], "en"),
    (&["ja", "jp", "jpn", "japanese"], "ja"),
    (&["ko", "kr", "korean"], "ko"),
    (&["de", "german"], "de"),
    (&["fr", "french"], "fr"),
    (&["it", "italian"], "it"),
    (&["es", "spanish"], "es"),
    (&["pt", "portuguese"], "pt"),
    (&["ru", "russian"], "ru"),
];
const LANGUAGES_IN_CHINESE: Words<&str> = &[
    (&["繁"], "zh-Hant"),
    (&["简", "中文", "中"], "zh-Hans"),
    (&["英"], "en"),
    (&["日"], "ja"),
    (&["韩"], "ko"),
];

/// The longest name that a column has, in bytes; what is longer is no column's.
const LONGEST: usize = 60;

impl Column {
    /// Reads what a column is called.
    pub fn called(name: &str) -> Column {
        let words = words(name);
        let latin: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|word| !word.contains(is_han))
            .collect();
        let han: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|word| word.contains(is_han))
            .collect();
        let is_any = |all: &[&str]| latin.iter().any(|word| all.contains(word));
        let holds_any = |all: &[&str]| all.iter().any(|one| holds(&han, one));
        let of_cards = is_any(&[
            "card",
            "cards",
            "cardname",
            "cardtext",
            "cardtype",
            "cardid",
            "cardno",
            "oracle",
            "oracletext",
        ]) || holds_any(&["卡", "牌"]);
        let mut column = Column {
            what: What::Other,
            tongue: tongue_in(&latin, &han),
            printed: is_any(&[
                "printed",
                "original",
                "localized",
                "localised",
                "foreign",
                "translated",
            ]),
            of_cards,
            property: None,
            describes: is_any(&["desc", "description", "ability", "abilities"])
                || holds_any(&["叙述", "描述", "异能", "能力"]),
        };
        let too_much = name.len() > LONGEST || words.is_empty();
        if too_much || is_any(OF_OTHERS) || holds_any(OF_OTHERS_IN_CHINESE) {
            return column;
        }
        let head = latin
            .iter()
            .rev()
            .find_map(|word| meaning(HEADS, |one| one == *word));
        let head = head.or_else(|| meaning(HEADS_IN_CHINESE, |one| holds(&han, one)));
        column.what = match head {
            Some(What::Id(_)) if is_any(&["oracle"]) => What::Id(0),
            Some(What::Id(2)) if is_any(&["konami", "card"]) => What::Id(1),
            // A number in a set is as good as none.
            Some(What::Id(2)) if is_any(&["collector", "number", "num", "no"]) => What::Id(3),
            Some(What::Name) if is_any(&["face"]) => What::FaceName,
            Some(What::Date)
                if is_any(&["published", "released", "release", "updated", "date"]) || !han.is_empty() =>
            {
                What::Date
            }
            Some(what) => what,
            None if is_any(PROPERTIES) => What::Property,
            None if is_any(&["card"]) || holds_any(&["卡片", "卡牌"]) => What::Name,
            None if column.tongue.is_some() && words.len() <= 3 => What::Unsaid,
            None => What::Other,
        };
        if column.what == What::Property {
            let kept = meaning(KEPT, |one| latin.contains(&one));
            let kept = kept.or_else(|| meaning(KEPT_IN_CHINESE, |one| holds(&han, one)));
            column.property = match kept {
                // The sum of a cost, under whatever name.
                Some(Property::Cost) if is_any(&["value", "converted", "t", "total"]) => {
                    Some(Property::TotalCost)
                }
                kept => kept,
            };
        }
        column
    }
}

/// The tongue that a language is: by its code or its name.
pub(super) fn tongue(language: &str) -> Option<Tongue> {
    let words = words(language);
    let (han, latin): (Vec<&str>, Vec<&str>) = words
        .iter()
        .map(String::as_str)
        .partition(|word| word.contains(is_han));
    tongue_in(&latin, &han)
}

fn tongue_in(latin: &[&str], han: &[&str]) -> Option<Tongue> {
    let code = meaning(LANGUAGES, |one| latin.contains(&one));
    let code = code.or_else(|| meaning(LANGUAGES_IN_CHINESE, |one| holds(han, one)));
    Some(match code? {
        "en" => Tongue::English,
        "zh-Hans" => Tongue::Simplified,
        "zh-Hant" => Tongue::Traditional,
        other => Tongue::Other(other.into()),
    })
}

/// True where one of the words holds a Chinese one, in either script.
fn holds(words: &[&str], one: &str) -> bool {
    !words.is_empty() && {
        let one = fold_key(one);
        words.iter().any(|word| word.contains(&one))
    }
}

fn meaning<T: Copy>(all: Words<T>, is_meant: impl Fn(&str) -> bool) -> Option<T> {
    let found = all
        .iter()
        .find(|(words, _)| words.iter().any(|word| is_meant(word)));
    found.map(|(_, meaning)| *meaning)
}

/// The words of a name, folded: parted by marks, by capitals, and where Chinese begins or ends.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars().take(LONGEST) {
        let begins = !before.is_alphanumeric()
            || before.is_lowercase() && c.is_uppercase()
            || is_han(before) != is_han(c);
        if c.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.push(c);
            }
        }
        before = c;
    }
    let mut folded: Vec<String> = words.iter().map(|word| fold_key(word)).collect();
    // `enname`, `nameen`: a head word and a language in one.
    let mut parts = Vec::new();
    for word in &folded {
        let head = ["name", "text", "type"].iter().find_map(|head| {
            let language = word.strip_suffix(head).or_else(|| word.strip_prefix(head))?;
            let is_language = meaning(LANGUAGES, |one| one == language).is_some();
            is_language.then(|| [language.to_owned(), (*head).to_owned()])
        });
        parts.extend(head.into_iter().flatten());
    }
    folded.extend(parts);
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_columns_are_called() {
        let hans = Some(Tongue::Simplified);
        let hant = Some(Tongue::Traditional);
        let en = Some(Tongue::English);
        for (name, what, tongue) in [
            ("oracle_id", What::Id(0), None),
            ("scryfallOracleId", What::Id(0), None),
            ("konami_id", What::Id(1), None),
            ("password", What::Id(1), None),
            ("id", What::Id(2), None),
            ("Number", What::Id(3), None),
            ("collector_number", What::Id(3), None),
            ("卡号", What::Id(1), None),
            ("name", What::Name, None),
            ("Card Name", What::Name, None),
            ("card_en", What::Name, en.clone()),
            ("card_zh", What::Name, hans.clone()),
            ("zhname", What::Name, hans.clone()),
            ("Chinese name", What::Name, hans.clone()),
            ("卡名", What::Name, None),
            ("英文名", What::Name, en.clone()),
            ("简体中文名称", What::Name, hans.clone()),
            ("繁體名稱", What::Name, hant.clone()),
            ("faceName", What::FaceName, None),
            ("en", What::Unsaid, en.clone()),
            ("zh-Hans", What::Unsaid, hans.clone()),
            ("zh-TW", What::Unsaid, hant.clone()),
            ("Chinese Traditional", What::Unsaid, hant.clone()),
            ("英文", What::Unsaid, en),
            ("日文", What::Unsaid, Some(Tongue::Other("ja".into()))),
            ("oracle_text", What::Text, None),
            ("Cardtext", What::Text, None),
            ("中文效果", What::Text, hans.clone()),
            ("效果", What::Text, None),
            ("type_line", What::Type, None),
            ("Subtype/Race", What::Subtype, None),
            ("类型", What::Type, None),
            ("comment_zh", What::Ruling, hans),
            ("published_at", What::Date, None),
            ("T.Cost", What::Property, None),
            ("费用", What::Property, None),
            ("card_faces", What::Faces, None),
            ("Set", What::Other, None),
            ("set_name", What::Other, None),
            ("ImageFile", What::Other, None),
            ("flavorText", What::Other, None),
            ("originalText", What::Text, None),
            ("", What::Other, None),
        ] {
            let column = Column::called(name);
            assert_eq!((column.what, column.tongue.clone()), (what, tongue), "{name}");
        }
        assert!(Column::called("printed_name").printed && Column::called("originalType").printed);
        assert!(Column::called("卡片名称").of_cards && !Column::called("name").of_cards);
        for (name, property) in [
            ("mana_cost", Some(Property::Cost)),
            ("manaCost", Some(Property::Cost)),
            ("T.Cost", Some(Property::TotalCost)),
            ("convertedManaCost", Some(Property::TotalCost)),
            ("法术力费用", Some(Property::Cost)),
            ("power", Some(Property::Power)),
            ("ATK", Some(Property::Attack)),
            ("攻击力", Some(Property::Attack)),
            ("守备力", Some(Property::Defense)),
            ("rarity", None),
            ("name", None),
        ] {
            assert_eq!(Column::called(name).property, property, "{name}");
        }
        assert!(Column::called("描述").describes && !Column::called("效果").describes);
        for of_others in ["术语名", "英文名词", "关键词名", "规则名"] {
            assert_eq!(Column::called(of_others).what, What::Other, "{of_others}");
        }
        assert_eq!(tongue("Chinese Simplified"), Some(Tongue::Simplified));
        assert_eq!(tongue("zht"), Some(Tongue::Traditional));
        assert_eq!(tongue("Klingon"), None);
    }
}
