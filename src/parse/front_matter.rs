//! What a Markdown file says about itself: its front matter, and the `key: value` lists under its headings.
//!
//! Front matter stands at the top of a file, as TOML between lines of `+++`, or as plain `key: value` lines between
//! lines of `---`. Both come down to the same fields ([`Fields`]): a TOML table is a dotted key
//! (`provenance = { class = "official" }` is `provenance.class`), and a list sets its field several times.

use super::Hints;
use crate::citation::RuleNumber;
use crate::entry::{After, Bilingual, CardRef, Kind, Lang, Provenance, ProvenanceClass, impossible_edition};
use crate::game::is_game_id;
use crate::source::Span;
use jiff::civil::Date;
use toml::de::{DeTable, DeValue};

/// What is known about an entry beside its text. A file's fields are the defaults of its entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fields {
    pub game: Option<String>,
    pub kind: Option<Kind>,
    pub document: Option<String>,
    pub edition: Bilingual<String>,
    /// In the order of the file: the first is the language that ids are made from.
    pub languages: Vec<Lang>,
    pub date: Option<String>,
    pub label: Option<String>,
    pub aliases: Vec<String>,
    pub cards: Vec<CardRef>,
    /// The rules that an entry rests on.
    pub rules: Vec<RuleNumber>,
    pub provenance: Bilingual<Provenance>,
}

/// A field that could not be used, with the bytes it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
}

/// The keys that can be written, for hints and for telling a list of fields from other lists.
const KEYS: &[&str] = &[
    "game",
    "kind",
    "document",
    "edition",
    "languages",
    "date",
    "label",
    "aliases",
    "card",
    "rules",
    "provenance",
    "after",
];

/// What to do about an edition that cannot be one.
const WRITE_EDITION: &str = "write it as the publisher does: letters, figures, blanks and any of . - _ + ( )";

/// True when `key` is one of a field's, a part of one (`after.date`) included.
pub(super) fn is_key(key: &str) -> bool {
    KEYS.contains(&key.split('.').next().unwrap_or(key))
}

impl Fields {
    /// What is known before the file is read.
    pub fn from_hints(hints: &Hints) -> Fields {
        let mut fields = Fields {
            game: hints.game.clone(),
            kind: hints.kind,
            document: hints.document.clone(),
            languages: hints.lang.into_iter().collect(),
            cards: hints.card.clone().into_iter().collect(),
            provenance: hints.provenance.clone(),
            ..Fields::default()
        };
        for lang in Lang::ALL {
            *fields.edition.get_mut(lang) = hints.edition.clone();
        }
        fields
    }

    /// Sets one field.
    ///
    /// # Errors
    ///
    /// What is wrong with the key or the value, and what to do about it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), (String, Option<String>)> {
        let value = value.trim();
        if value.is_empty() {
            return Err((format!("`{key}` has no value"), None));
        }
        let mut steps = key.split('.');
        let field = steps.next().unwrap_or(key);
        let mut rest: Vec<&str> = steps.collect();
        let langs: Vec<Lang> = match rest.first().and_then(|step| lang(step)) {
            Some(lang) => {
                rest.remove(0);
                vec![lang]
            }
            None => Lang::ALL.to_vec(),
        };
        match (field, rest.as_slice()) {
            ("game", []) => self.game = Some(value.to_owned()),
            ("kind", []) => {
                let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == value);
                self.kind = Some(kind.ok_or_else(|| {
                    let kinds = Kind::ALL.map(Kind::as_str).join("`, `");
                    (
                        format!("`{value}` is no kind of entry"),
                        Some(format!("write one of `{kinds}`")),
                    )
                })?);
            }
            ("document", []) => {
                if !is_game_id(value) {
                    let hint = "use up to 32 of a-z, 0-9 and `-`: `cr`";
                    return Err((format!("`{value}` is no document id"), Some(hint.to_owned())));
                }
                self.document = Some(value.to_owned());
            }
            ("edition", []) => {
                if let Some(why) = impossible_edition(value) {
                    return Err((why, Some(WRITE_EDITION.to_owned())));
                }
                for lang in langs {
                    *self.edition.get_mut(lang) = Some(value.to_owned());
                }
            }
            ("languages", []) => {
                for word in listed(value) {
                    let lang = lang(word).ok_or_else(|| {
                        (
                            format!("`{word}` is no language"),
                            Some("write `en` or `zh`".to_owned()),
                        )
                    })?;
                    if !self.languages.contains(&lang) {
                        self.languages.push(lang);
                    }
                }
            }
            ("date", []) => self.date = Some(date(value)?),
            ("label", []) => self.label = Some(value.to_owned()),
            ("aliases", []) => self.aliases.extend(listed(value).map(str::to_owned)),
            ("card", []) => self.cards.push(card(value)),
            ("rules", []) => {
                for word in listed(value) {
                    let number = word.parse().map_err(|error| {
                        (format!("{error}"), Some("write a number such as `702.3a`".into()))
                    })?;
                    self.rules.push(number);
                }
            }
            ("provenance", []) => {
                let (class, tag) = class_and_tag(value)?;
                for lang in langs {
                    let provenance = self.provenance_mut(lang);
                    provenance.class = class;
                    provenance.tag = tag.clone();
                }
            }
            ("provenance", ["class"]) => {
                let (class, _) = class_and_tag(value)?;
                langs
                    .into_iter()
                    .for_each(|lang| self.provenance_mut(lang).class = class);
            }
            ("provenance", ["tag"]) => {
                for lang in langs {
                    self.provenance_mut(lang).tag = Some(value.to_owned());
                }
            }
            ("after", part) | ("provenance", ["after", part @ ..]) => {
                for lang in langs {
                    let after = self.provenance_mut(lang).after.get_or_insert_with(|| {
                        Box::new(After {
                            class: ProvenanceClass::Unknown,
                            tag: None,
                            date: None,
                        })
                    });
                    match part {
                        [] => **after = read_after(value)?,
                        ["class"] => after.class = class_and_tag(value)?.0,
                        ["tag"] => after.tag = Some(value.to_owned()),
                        ["date"] => after.date = Some(date(value)?),
                        _ => return Err(unknown_key(key)),
                    }
                }
            }
            _ => return Err(unknown_key(key)),
        }
        Ok(())
    }

    fn provenance_mut(&mut self, lang: Lang) -> &mut Provenance {
        self.provenance.get_mut(lang).get_or_insert_default()
    }
}

fn unknown_key(key: &str) -> (String, Option<String>) {
    let near = KEYS
        .iter()
        .map(|known| (strsim::damerau_levenshtein(key, known), known))
        .min()
        .filter(|(distance, _)| *distance <= 2);
    let hint = match near {
        Some((_, known)) => format!("did you mean `{known}`?"),
        None => format!("the keys are `{}`", KEYS.join("`, `")),
    };
    (format!("`{key}` is no key"), Some(hint))
}

fn lang(word: &str) -> Option<Lang> {
    Lang::ALL.into_iter().find(|lang| lang.as_str() == word)
}

/// The parts of a list written in one line. Names may hold a comma followed by a blank, so a list of such names
/// is separated with `;`.
fn listed(value: &str) -> impl Iterator<Item = &str> {
    let separators: &[char] = if value.contains([';', '；']) {
        &[';', '；']
    } else {
        &[',', '，', '、']
    };
    value
        .trim_matches(['[', ']'])
        .split(separators)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// A date, `YYYY-MM-DD`.
pub(super) fn date(value: &str) -> Result<String, (String, Option<String>)> {
    match value.parse::<Date>() {
        Ok(date) if value.len() == 10 => Ok(date.to_string()),
        _ => Err((
            format!("`{value}` is no date"),
            Some("write it as `2024-06-07`".to_owned()),
        )),
    }
}

/// A class, or a source's own tag that stands for one; then the tag, if it is not the class itself.
fn class_and_tag(value: &str) -> Result<(ProvenanceClass, Option<String>), (String, Option<String>)> {
    let mut words = value.split_whitespace();
    let first = words.next().unwrap_or_default();
    let class = ProvenanceClass::from_tag(first).ok_or_else(|| {
        let classes = ProvenanceClass::ALL.map(ProvenanceClass::as_str).join("`, `");
        (
            format!("`{first}` is no class of provenance"),
            Some(format!(
                "write one of `{classes}`, then the source's own tag if there is one"
            )),
        )
    })?;
    let rest: Vec<&str> = words.collect();
    let tag = match rest.is_empty() {
        false => Some(rest.join(" ")),
        true => (first != class.as_str()).then(|| first.to_owned()),
    };
    Ok((class, tag))
}

/// What our own words restate: `official 2024-06-07`, `machine gpt 2022-06-10`.
fn read_after(value: &str) -> Result<After, (String, Option<String>)> {
    let (words, day) = match value.rsplit_once(char::is_whitespace) {
        Some((words, last)) if last.starts_with(|c: char| c.is_ascii_digit()) => (words, Some(date(last)?)),
        _ => (value, None),
    };
    let (class, tag) = class_and_tag(words)?;
    Ok(After {
        class,
        tag,
        date: day,
    })
}

/// A card: `English name / 中文名`, either alone, in either order.
fn card(value: &str) -> CardRef {
    let names = titles(value);
    CardRef {
        en: names.en,
        zh: names.zh,
        id: None,
        inferred: false,
    }
}

/// A name or heading in two languages, ` / ` between them. Parts in one language stay one.
pub(super) fn titles(text: &str) -> Bilingual<String> {
    let mut titles: Bilingual<String> = Bilingual::default();
    let parts = text.split(" / ").flat_map(|part| part.split('／'));
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        match titles.get_mut(Lang::of(part)) {
            Some(title) => {
                title.push_str(" / ");
                title.push_str(part);
            }
            empty => *empty = Some(part.to_owned()),
        }
    }
    titles
}

/// The front matter at the top of `text`: the bytes it takes up, fences included. None when there is none, or
/// when its second fence is missing.
pub(super) fn find(text: &str) -> Option<Span> {
    let fence = text.get(..3).filter(|fence| matches!(*fence, "+++" | "---"))?;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == fence && at > 0 {
            return Some(Span::new(0, at + line.len()));
        }
        if at == 0 && line.trim_end() != fence {
            return None;
        }
        at += line.len();
    }
    None
}

/// Reads front matter found by [`find`] into `fields`; whatever can be read is, and the rest are faults.
pub(super) fn read(text: &str, front: Span, fields: &mut Fields) -> Vec<Fault> {
    let block = &text[front.range()];
    let start = block.find('\n').map_or(block.len(), |at| at + 1);
    let end = block.trim_end().len().saturating_sub(3).max(start);
    let inside = &block[start..end];
    let start = front.start + start;
    let mut faults = Vec::new();
    let mut settings = Vec::new();
    if block.starts_with('+') {
        let (table, errors) = DeTable::parse_recoverable(inside);
        for error in errors {
            let range = error.span().unwrap_or(0..0);
            faults.push(Fault {
                span: Span::new(start + range.start, start + range.end),
                message: format!("the front matter is no TOML: {}", error.message()),
                hint: None,
            });
        }
        flatten("", table.get_ref(), &mut settings);
    } else {
        plain_settings(inside, &mut settings, &mut faults, start);
    }
    // A list replaces what the folder or an option said.
    if settings.iter().any(|(key, _, _)| key == "languages") {
        fields.languages.clear();
    }
    for (key, value, range) in settings {
        let outcome = match key.as_str() {
            "label" | "aliases" => Err((
                format!("`{key}` is an entry's own"),
                Some("write it under the entry's heading".to_owned()),
            )),
            _ => fields.set(&key, &value),
        };
        if let Err((message, hint)) = outcome {
            let span = Span::new(start + range.start, start + range.end);
            faults.push(Fault { span, message, hint });
        }
    }
    faults
}

type Setting = (String, String, std::ops::Range<usize>);

/// A TOML table as dotted keys with plain values.
fn flatten(prefix: &str, table: &DeTable<'_>, settings: &mut Vec<Setting>) {
    for (key, value) in table {
        let name = if prefix.is_empty() {
            key.get_ref().to_string()
        } else {
            format!("{prefix}.{}", key.get_ref())
        };
        flatten_value(name, value.get_ref(), value.span(), settings);
    }
}

fn flatten_value(
    name: String,
    value: &DeValue<'_>,
    span: std::ops::Range<usize>,
    settings: &mut Vec<Setting>,
) {
    match value {
        DeValue::Table(inner) => flatten(&name, inner, settings),
        DeValue::Array(items) => {
            for item in items.iter() {
                flatten_value(name.clone(), item.get_ref(), item.span(), settings);
            }
        }
        DeValue::String(text) => settings.push((name, text.to_string(), span)),
        DeValue::Integer(number) => settings.push((name, number.to_string(), span)),
        DeValue::Float(number) => settings.push((name, number.to_string(), span)),
        DeValue::Boolean(flag) => settings.push((name, flag.to_string(), span)),
        DeValue::Datetime(date) => settings.push((name, date.to_string(), span)),
    }
}

/// `key: value` lines.
fn plain_settings(inside: &str, settings: &mut Vec<Setting>, faults: &mut Vec<Fault>, start: usize) {
    let mut at = 0;
    for line in inside.split_inclusive('\n') {
        let range = at..at + line.trim_end().len();
        at += line.len();
        let text = line.trim();
        if text.is_empty() || text.starts_with(['#', '%']) || text.starts_with("//") {
            continue;
        }
        match split_field(text) {
            Some((key, value)) => settings.push((key.to_owned(), unquoted(value).to_owned(), range)),
            None => faults.push(Fault {
                span: Span::new(start + range.start, start + range.end),
                message: format!("`{text}` is no field"),
                hint: Some("write `key: value`, or TOML between lines of `+++`".to_owned()),
            }),
        }
    }
}

/// The two sides of `key: value`.
pub(super) fn split_field(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once([':', '：'])?;
    let key = key.trim();
    let plain = |c: char| c.is_ascii_lowercase() || matches!(c, '.' | '-' | '_');
    (!key.is_empty() && key.chars().all(plain)).then(|| (key, value.trim()))
}

fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = value
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
        {
            return inner;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> (Fields, Vec<Fault>) {
        let mut fields = Fields::default();
        let front = find(text).expect("front matter");
        let faults = read(text, front, &mut fields);
        (fields, faults)
    }

    #[test]
    fn toml_and_plain_lines_say_the_same() {
        let (toml, faults) = read_all(
            "+++\ngame = \"demo\"\nkind = \"ruling\"\nlanguages = [\"zh\", \"en\"]\ndate = 2024-01-02\n\
             provenance = { class = \"own-words\", after = { class = \"machine\", tag = \"gpt\", date = \"2024-01-01\" } }\n+++\n",
        );
        assert_eq!(faults, []);
        let (plain, faults) = read_all(
            "---\ngame: demo\nkind: ruling\nlanguages: zh, en\ndate: 2024-01-02\n\
             provenance: own-words\nafter: gpt 2024-01-01\n---\n",
        );
        assert_eq!(faults, []);
        assert_eq!(toml, plain);
        assert_eq!(toml.languages, [Lang::Zh, Lang::En]);
        let after = toml
            .provenance
            .en
            .and_then(|provenance| provenance.after)
            .unwrap();
        assert_eq!(
            (after.class, after.tag.as_deref(), after.date.as_deref()),
            (ProvenanceClass::Machine, Some("gpt"), Some("2024-01-01"))
        );
    }

    #[test]
    fn a_language_can_differ() {
        let (fields, faults) =
            read_all("---\nprovenance.en: official\nprovenance.zh: machine gpt\nedition.zh: 1.0\n---\n");
        assert_eq!(faults, []);
        assert_eq!(fields.provenance.en.unwrap().class, ProvenanceClass::Official);
        assert_eq!(fields.provenance.zh.unwrap().tag.as_deref(), Some("gpt"));
        assert_eq!(fields.edition, Bilingual::one(Lang::Zh, "1.0".to_owned()));
    }

    #[test]
    fn one_bad_field_leaves_the_others() {
        let text = "+++\ngame = \"demo\"\ndate = \"yesterday\"\nkidn = \"rule\"\nx = = 3\ndocument = \"faq\"\n+++\nx";
        let (fields, faults) = read_all(text);
        assert_eq!(
            (fields.game.as_deref(), fields.document.as_deref()),
            (Some("demo"), Some("faq"))
        );
        assert!(faults.len() >= 3, "{faults:?}");
        let about = |what: &str| faults.iter().find(|fault| fault.message.contains(what)).unwrap();
        assert_eq!(&text[about("no date").span.range()], "\"yesterday\"");
        assert_eq!(about("`kidn`").hint.as_deref(), Some("did you mean `kind`?"));
    }

    #[test]
    fn only_whole_fences_count() {
        assert_eq!(find("+++\na\n+++\nb"), Some(Span::new(0, 10)));
        assert_eq!(find("+++\r\na\r\n+++\r\nb"), Some(Span::new(0, 13)));
        for text in [
            "",
            "+++",
            "+++\nnever closed",
            "text\n+++\n",
            "---- \n---\n",
            "规则",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
        let mut fields = Fields::default();
        assert_eq!(read("+++\n+++", Span::new(0, 7), &mut fields), []);
    }

    #[test]
    fn cards_and_titles_in_either_order() {
        let both = Bilingual::both("Sun, Rising".to_owned(), "初升之日".to_owned());
        assert_eq!(titles("Sun, Rising / 初升之日"), both);
        assert_eq!(titles("初升之日／Sun, Rising"), both);
        assert_eq!(titles("Tap / Untap").en.as_deref(), Some("Tap / Untap"));
    }
}
