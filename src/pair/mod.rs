//! Which text translates which, how we know, how sure.
//!
//! Within one source the readers of [`crate::parse`] have paired what stands together. Here the sources meet:
//! what has one id and one edition becomes one entry. Numbered texts meet by number. Glossary terms meet by
//! their place in parallel glossaries ([`terms`]): the Chinese term takes the id of the English headword.
//!
//! Texts of different editions stay apart; lending the last translation to a newer text is for
//! [`crate::corpus`].

mod cards;
mod terms;

use crate::card::Card;
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Bilingual, Entry, Kind, Lang, PairedBy, Pairing};
use crate::fold::fold_key;
use crate::game::Games;
use crate::hash::FastMap;
use crate::name::Name;
use crate::parse::{self, Parsed};
use crate::source::Position;
use std::collections::HashMap;

/// Merges what several sources say of one thing; see [`Pairer`].
pub fn pair(parsed: Vec<Parsed>, _games: &Games) -> (Vec<Entry>, Vec<Diagnostic>) {
    let mut pairer = Pairer::default();
    parsed.into_iter().for_each(|source| pairer.add(source));
    let Paired {
        entries, diagnostics, ..
    } = pairer.finish();
    (entries, diagnostics)
}

/// What all sources say.
#[derive(Debug, Default)]
pub struct Paired {
    /// The entries: those with numbers, then the others, each in the order in which their first source has them.
    pub entries: Vec<Entry>,
    /// The cards of tables.
    pub cards: Vec<Card>,
    /// What was found wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Merges what several sources say of one thing: the texts of one id and edition become one entry.
///
/// Where two sources of one edition disagree, with a `conflicting-text` warning, plain text comes before forms
/// made from it, and else the order in which they are added decides. Two different texts under one id are an
/// `id-clash` error.
///
/// What has a number meets at once, so that no more than the merged entries are in memory; the rest meets when all
/// sources are there.
#[derive(Default)]
pub struct Pairer {
    merged: Merged,
    n_sources: usize,
    /// The unnumbered entries of each source.
    unnumbered: Vec<Vec<Entry>>,
    cards: cards::CardPairer,
    /// Forms made from others, which come last.
    derived: Vec<Parsed>,
    /// What the sources' readers found.
    read: Vec<Diagnostic>,
    found: Vec<Diagnostic>,
}

impl Pairer {
    /// Adds a source.
    pub fn add(&mut self, source: Parsed) {
        match source.derived {
            true => self.derived.push(source),
            false => self.merge(source),
        }
    }

    fn merge(&mut self, source: Parsed) {
        self.read.extend(source.diagnostics);
        self.cards.add(source.cards);
        let mut unnumbered = Vec::new();
        for entry in source.entries {
            match entry.kind.is_numbered() {
                true => self.merged.add(self.n_sources, entry, &mut self.found),
                false => unnumbered.push(entry),
            }
        }
        unnumbered.shrink_to_fit();
        self.unnumbered.push(unnumbered);
        self.n_sources += 1;
    }

    /// What the sources say together.
    pub fn finish(mut self) -> Paired {
        for source in std::mem::take(&mut self.derived) {
            self.merge(source);
        }
        let Self {
            mut merged,
            mut unnumbered,
            cards,
            read: mut diagnostics,
            mut found,
            ..
        } = self;
        terms::pair(&mut unnumbered, &mut found);
        recognise_rulings(&mut unnumbered);
        for (source_idx, entries) in unnumbered.into_iter().enumerate() {
            for entry in entries {
                merged.add(source_idx, entry, &mut found);
            }
        }
        diagnostics.append(&mut found);
        merged.entries.iter_mut().for_each(Entry::shrink);
        Paired {
            entries: merged.entries,
            cards: cards.finish(&mut diagnostics),
            diagnostics,
        }
    }
}

/// The edition that an entry's texts are of. Texts of one entry are of one edition until the corpus lends.
fn edition(entry: &Entry) -> Option<&Name> {
    entry.edition.iter().map(|(_, edition)| edition).next()
}

#[derive(Default)]
struct Merged {
    entries: Vec<Entry>,
    /// The source that each entry was first read from.
    first_source: Vec<usize>,
    by_key: FastMap<(Name, Option<Name>), usize>,
}

impl Merged {
    fn add(&mut self, source_idx: usize, entry: Entry, diagnostics: &mut Vec<Diagnostic>) {
        let key = (entry.id.clone(), edition(&entry).cloned());
        match self.by_key.get(&key) {
            Some(&idx) => {
                let same_source = self.first_source[idx] == source_idx;
                merge(&mut self.entries[idx], entry, same_source, diagnostics);
            }
            None => {
                self.by_key.insert(key, self.entries.len());
                self.entries.push(entry);
                self.first_source.push(source_idx);
            }
        }
    }
}

/// Gives a ruling in one language the id of a ruling in both that has the same text and date.
fn recognise_rulings(sources: &mut [Vec<Entry>]) {
    type Key = (Name, Option<Name>, Lang, String);
    let key = |entry: &Entry, lang: Lang, text: &str| -> Key {
        (entry.game.clone(), entry.date.clone(), lang, same_text_key(text))
    };
    let rulings = |entry: &&Entry| entry.kind == Kind::Ruling;
    let is_bilingual = |entry: &Entry| entry.text.en.is_some() && entry.text.zh.is_some();
    let mut ids: HashMap<Key, Name> = HashMap::new();
    for entry in sources
        .iter()
        .flatten()
        .filter(rulings)
        .filter(|entry| is_bilingual(entry))
    {
        for (lang, text) in entry.text.iter() {
            ids.entry(key(entry, lang, text))
                .or_insert_with(|| entry.id.clone());
        }
    }
    if ids.is_empty() {
        return;
    }
    for entry in sources
        .iter_mut()
        .flatten()
        .filter(|entry| entry.kind == Kind::Ruling && !is_bilingual(entry))
    {
        let id = entry
            .text
            .iter()
            .find_map(|(lang, text)| ids.get(&key(entry, lang, text)));
        if let Some(id) = id {
            entry.id.clone_from(id);
        }
    }
}

/// A text without what typography varies: two texts with one key say the same, letter by letter.
fn same_text_key(text: &str) -> String {
    fold_key(text).chars().filter(|c| !c.is_whitespace()).collect()
}

/// Joins `new` into `entry`, which has the same id and edition.
fn merge(entry: &mut Entry, new: Entry, same_source: bool, diagnostics: &mut Vec<Diagnostic>) {
    if is_clash(entry, &new) {
        diagnostics.push(
            about(
                &new,
                Code::IdClash,
                format!("`{}` is the id of two different texts", new.id),
            )
            .note(format!("the other one is at {}", place(entry)))
            .hint("change a word of one of them, or take one out; the second is left out"),
        );
        return;
    }
    let languages = |entry: &Entry| entry.provenance.iter().map(|(lang, _)| lang).collect::<Vec<_>>();
    let (before, brought) = (languages(entry), languages(&new));
    for lang in Lang::ALL {
        if !before.contains(&lang) {
            *entry.title.get_mut(lang) = new.title.get(lang).cloned();
            *entry.text.get_mut(lang) = new.text.get(lang).cloned();
            *entry.provenance.get_mut(lang) = new.provenance.get(lang).cloned();
            *entry.edition.get_mut(lang) = new.edition.get(lang).cloned();
            *entry.issued.get_mut(lang) = new.issued.get(lang).cloned();
            add_examples(&mut entry.examples, &new.examples, lang);
            add_examples(&mut entry.items, &new.items, lang);
        } else if brought.contains(&lang) {
            agree(entry, &new, lang, same_source, diagnostics);
        }
    }
    parse::join_languages(&mut entry.examples);
    parse::join_languages(&mut entry.items);
    let is_translation = before.len() == 1 && brought.iter().any(|lang| !before.contains(lang));
    entry.pairing = entry.pairing.or(new.pairing);
    if is_translation && entry.pairing.is_none() {
        entry.pairing = Some(Pairing {
            how: PairedBy::Number,
            certain: true,
            partial: false,
        });
    }
    if is_translation && entry.text.en.is_some() && entry.text.zh.is_some() {
        let partial = parse::is_partial(&all_text(entry, Lang::En), &all_text(entry, Lang::Zh));
        if let Some(pairing) = &mut entry.pairing {
            pairing.partial = partial;
        }
    }
    for note in new.notes {
        if !entry.notes.contains(&note) {
            entry.notes.push(note);
        }
    }
    extend(&mut entry.references, new.references);
    extend(&mut entry.cards, new.cards);
    extend(&mut entry.aliases, new.aliases);
    extend(&mut entry.sources, new.sources);
    entry.label = entry.label.take().or(new.label);
    entry.date = entry.date.take().or(new.date);
    entry.parent = entry.parent.take().or(new.parent);
}

/// What an entry says in a language, whichever of its fields says it: an example in one text may be a paragraph
/// of the rule in the other.
fn all_text(entry: &Entry, lang: Lang) -> String {
    let mut all = entry.text.get(lang).cloned().unwrap_or_default();
    for text in entry
        .examples
        .iter()
        .chain(&entry.items)
        .filter_map(|example| example.get(lang))
    {
        all.push_str(text);
    }
    all
}

fn extend<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for item in more {
        if !list.contains(&item) {
            // There are as many of these lists as entries, and nearly all of them have one item or two.
            list.reserve_exact(1);
            list.push(item);
        }
    }
}

/// Adds the examples or items that there are in a language.
fn add_examples(list: &mut Vec<Bilingual<String>>, more: &[Bilingual<String>], lang: Lang) {
    list.extend(
        more.iter()
            .filter_map(|example| example.get(lang))
            .map(|text| Bilingual::one(lang, text.clone())),
    );
}

/// True when two entries under one id cannot be the same thing. What has a number is what its number says;
/// what has none is its text.
fn is_clash(entry: &Entry, new: &Entry) -> bool {
    if entry.citation.is_some() || new.citation.is_some() {
        return entry.citation != new.citation;
    }
    if entry.kind != new.kind {
        return true;
    }
    let of_text = matches!(entry.kind, Kind::Ruling | Kind::Statement) && entry.label.is_none();
    let mut shared = entry
        .text
        .iter()
        .filter_map(|(lang, text)| Some((text, new.text.get(lang)?)))
        .peekable();
    of_text && shared.peek().is_some() && shared.all(|(a, b)| same_text_key(a) != same_text_key(b))
}

/// Compares two texts of one language, title and all. The first one stands.
fn agree(entry: &mut Entry, new: &Entry, lang: Lang, same_source: bool, diagnostics: &mut Vec<Diagnostic>) {
    let fields = [(&entry.title, &new.title), (&entry.text, &new.text)];
    let differ = |(a, b): &(&Bilingual<String>, &Bilingual<String>)| match (a.get(lang), b.get(lang)) {
        (Some(a), Some(b)) => a != b && same_text_key(a) != same_text_key(b),
        _ => false,
    };
    // A statement or ruling is its text; under which heading it stands, each source says for itself.
    let has_title_of_its_own = !matches!(entry.kind, Kind::Statement | Kind::Ruling);
    if fields.iter().skip(usize::from(!has_title_of_its_own)).any(differ) {
        if same_source && entry.kind == Kind::Term {
            // A headword that stands twice: no definition is lost.
            if lang == Lang::Zh && new.title.en.is_none() {
                let headword = new.title.zh.as_deref().unwrap_or_default();
                diagnostics.push(
                    about(
                        new,
                        Code::DuplicateTerm,
                        format!("the term `{headword}` stands twice in the glossary"),
                    )
                    .note(format!("first at {}", place(entry)))
                    .hint("its definition is kept with the first one; give one of them another headword"),
                );
            }
            if let (Some(text), Some(more)) = (entry.text.get_mut(lang), new.text.get(lang)) {
                text.push('\n');
                text.push_str(more);
            }
        } else {
            diagnostics.push(
                about(
                    new,
                    Code::ConflictingText,
                    format!("another text of `{}` in the same edition", new.id),
                )
                .note(format!("the text that is kept is at {}", place(entry)))
                .hint("say in `sources.toml` which source comes first, or take one out"),
            );
        }
    }
    for (mine, theirs) in [(&mut entry.title, &new.title), (&mut entry.text, &new.text)] {
        let mine = mine.get_mut(lang);
        *mine = mine.take().or_else(|| theirs.get(lang).cloned());
    }
    for (mine, theirs) in [
        (&mut entry.examples, &new.examples),
        (&mut entry.items, &new.items),
    ] {
        if !mine.iter().any(|example| example.get(lang).is_some()) {
            add_examples(mine, theirs, lang);
        }
    }
}

/// Where an entry was first read from.
fn place(entry: &Entry) -> String {
    let source = entry.sources.first();
    source.map_or_else(String::new, |source| format!("{}:{}", source.file, source.line))
}

/// A diagnostic about an entry, at its first source.
fn about(entry: &Entry, code: Code, message: String) -> Diagnostic {
    let source = entry.sources.first();
    let file = source.map(|source| source.file.to_string()).unwrap_or_default();
    Diagnostic {
        position: source.map(|source| Position {
            line: source.line,
            column: 1,
        }),
        ..Diagnostic::about_file(code, file, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::parse::{Hints, parse};
    use crate::source::SourceFile;

    fn games() -> Games {
        Games::new([Game::from_toml(
            r#"
            id = "demo"
            names = { en = "Demo", zh = "示范" }
            [[document]]
            id = "cr"
            numbering = { levels = ["n", ".n", "a"], digits = [3, 3], chapter-size = 100 }
            glossary = ["Glossary", "词汇表"]
            "#,
        )
        .unwrap()])
    }

    fn read(place: &str, text: &str) -> Parsed {
        let games = games();
        let source = SourceFile::new(place, text);
        parse(&source, &games, &Hints::from_path(place, &games))
    }

    /// Pairs files of `rules/demo`, each a name and a text.
    fn paired(files: &[(&str, &str)]) -> (Vec<Entry>, Vec<&'static str>) {
        let parsed = files
            .iter()
            .map(|(name, text)| read(&format!("rules/demo/{name}"), text))
            .collect();
        let (entries, diagnostics) = pair(parsed, &games());
        (
            entries,
            diagnostics.iter().map(|found| found.code.as_str()).collect(),
        )
    }

    const EN: &str = "effective as of May 2, 2031\n\n100.1. Draw two cards. See rule 100.2.\nExample: One, two.\n\n100.2. Stop.\n";
    const ZH: &str =
        "2031年5月2日起生效\n\n100.1. 抓两张牌。参见规则100.3。\n例如：一、二。\n\n100.2. 停。\n";

    #[test]
    fn languages_of_one_edition_meet_by_number() {
        let (entries, codes) = paired(&[("a.txt", EN), ("b.txt", ZH)]);
        assert_eq!((entries.len(), codes.len()), (2, 0));
        let rule = &entries[0];
        assert_eq!(
            rule.text,
            Bilingual::both(
                "Draw two cards. See rule 100.2.".into(),
                "抓两张牌。参见规则100.3。".into()
            )
        );
        assert_eq!(
            rule.examples,
            [Bilingual::both("One, two.".to_owned(), "一、二。".to_owned())]
        );
        assert_eq!(rule.references, ["demo:rule:100.2", "demo:rule:100.3"]);
        let pairing = rule.pairing.unwrap();
        assert_eq!(
            (pairing.how, pairing.certain, pairing.partial),
            (PairedBy::Number, true, false)
        );
        assert_eq!(rule.sources.len(), 2);
        assert!(rule.edition.iter().all(|(_, edition)| edition == "2031-05-02"));
    }

    #[test]
    fn editions_stay_apart() {
        let older = ZH.replace("2031", "2030");
        let (entries, codes) = paired(&[("a.txt", EN), ("b.txt", &older)]);
        assert_eq!((entries.len(), codes.len()), (4, 0));
        assert!(entries.iter().all(|entry| entry.pairing.is_none()));
    }

    #[test]
    fn one_text_from_several_files_is_one_entry() {
        let again = EN.replace("two cards", "two  cards");
        let (entries, codes) = paired(&[("a.txt", EN), ("b.txt", &again)]);
        assert_eq!((entries.len(), codes.len(), entries[0].sources.len()), (2, 0, 2));
    }

    #[test]
    fn the_first_of_two_texts_stands_and_plain_text_comes_first() {
        let other = EN.replace("two", "three");
        let (entries, codes) = paired(&[("a.txt", EN), ("b.txt", &other)]);
        assert_eq!(codes, ["conflicting-text"]);
        assert!(entries[0].text.en.as_deref().unwrap().contains("two"));
        let (entries, codes) = paired(&[("a.md", &other), ("b.txt", EN)]);
        assert_eq!(codes, ["conflicting-text"]);
        assert!(entries[0].text.en.as_deref().unwrap().contains("two"));
    }

    #[test]
    fn glossaries_meet_by_place_and_swapped_neighbours_by_what_they_cite() {
        let en = format!(
            "{EN}\nGlossary\n\nAlpha\nSee rule 100.1.\n\nBeta\nSee rule 100.2.\n\nGamma\nA letter.\n"
        );
        let zh = format!("{ZH}\n词汇表\n\n乙\n参见规则100.2。\n\n甲\n参见规则100.1。\n\n丙\n一个字母。\n");
        let (entries, codes) = paired(&[("a.txt", &en), ("b.txt", &zh)]);
        assert_eq!(codes.len(), 0);
        let terms: Vec<_> = entries
            .iter()
            .filter(|entry| entry.kind == Kind::Term)
            .map(|entry| {
                let pairing = entry.pairing.unwrap();
                (
                    entry.id.as_str(),
                    entry.title.zh.as_deref().unwrap(),
                    pairing.how,
                    pairing.certain,
                )
            })
            .collect();
        assert_eq!(
            terms,
            [
                ("demo:term:alpha", "甲", PairedBy::Content, true),
                ("demo:term:beta", "乙", PairedBy::Content, true),
                ("demo:term:gamma", "丙", PairedBy::Position, true),
            ]
        );
    }

    #[test]
    fn a_glossary_with_a_term_more_keeps_the_others_together() {
        let en = format!("{EN}\nGlossary\n\nAlpha\nSee rule 100.1.\n\nBeta\nSee rule 100.2.\n");
        let zh = format!("{ZH}\n词汇表\n\n甲\n参见规则100.1。\n\n丁\n参见规则100。\n\n乙\n参见规则100.2。\n");
        let (entries, codes) = paired(&[("a.txt", &en), ("b.txt", &zh)]);
        assert_eq!(codes, ["unpaired"]);
        let title = |id: &str| {
            entries
                .iter()
                .find(|entry| entry.id == id)
                .unwrap()
                .title
                .zh
                .as_deref()
        };
        assert_eq!(
            (title("demo:term:alpha"), title("demo:term:beta")),
            (Some("甲"), Some("乙"))
        );
        assert_eq!(title("demo:term:丁"), Some("丁"));
    }

    #[test]
    fn a_ruling_is_recognised_in_one_language() {
        let both = read(
            "rulings/demo/a.txt",
            "• (2031-05-02 official)\n\n点灯。\n\nLight the lamp.\n",
        );
        let one = read(
            "rulings/demo/b.txt",
            "# Lamp\n\n• (2031-05-02 official)\n\nLight  the lamp.\n",
        );
        let (entries, diagnostics) = pair(vec![both, one], &games());
        assert_eq!((entries.len(), diagnostics.len()), (1, 0));
        assert_eq!((entries[0].cards.len(), entries[0].sources.len()), (1, 2));
    }

    #[test]
    fn two_texts_under_one_id_are_an_error() {
        let mut parsed = read(
            "rulings/demo/a.txt",
            "• (2031-05-02 official)\n\nLight the lamp.\n\n• (2031-05-02 official)\n\nSnuff it.\n",
        );
        parsed.entries[1].id = parsed.entries[0].id.clone();
        let (entries, diagnostics) = pair(vec![parsed], &games());
        assert_eq!((entries.len(), diagnostics[0].code), (1, Code::IdClash));
    }
}
