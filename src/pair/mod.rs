//! Which text translates which, how we know, how sure.
//!
//! Within one source the readers of [`crate::parse`] have paired what stands together. Here the sources meet:
//! what has one id and one edition becomes one entry. Numbered texts meet by number. Glossary terms meet by
//! their place in parallel glossaries ([`terms`]): the Chinese term takes the id of the English headword.
//!
//! Texts of different editions stay apart; lending the last translation to a newer text is for
//! [`crate::corpus`].

mod terms;

use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Bilingual, Entry, Kind, Lang, PairedBy, Pairing};
use crate::fold::fold_key;
use crate::game::Games;
use crate::parse::{self, Parsed};
use crate::source::Position;
use std::collections::HashMap;

/// Merges what several sources say of one thing: the texts of one id and edition become one entry.
///
/// The order of `parsed` decides where two sources of one edition disagree, with a `conflicting-text` warning.
/// Entries come in the order in which their first source has them. Two different texts under one id are an
/// `id-clash` error.
pub fn pair(parsed: Vec<Parsed>, _games: &Games) -> (Vec<Entry>, Vec<Diagnostic>) {
    let (mut sources, mut diagnostics) = (Vec::with_capacity(parsed.len()), Vec::new());
    for source in parsed {
        diagnostics.extend(source.diagnostics);
        sources.push(source.entries);
    }
    terms::pair(&mut sources, &mut diagnostics);
    recognise_rulings(&mut sources);
    let mut merged = Merged::default();
    for (source_idx, entries) in sources.into_iter().enumerate() {
        for entry in entries {
            merged.add(source_idx, entry, &mut diagnostics);
        }
    }
    (merged.entries, diagnostics)
}

/// The edition that an entry's texts are of. Texts of one entry are of one edition until the corpus lends.
fn edition(entry: &Entry) -> Option<&str> {
    entry.edition.iter().map(|(_, edition)| edition.as_str()).next()
}

#[derive(Default)]
struct Merged {
    entries: Vec<Entry>,
    /// The source that each entry was first read from.
    first_source: Vec<usize>,
    by_key: HashMap<(String, Option<String>), usize>,
}

impl Merged {
    fn add(&mut self, source_idx: usize, entry: Entry, diagnostics: &mut Vec<Diagnostic>) {
        let key = (entry.id.clone(), edition(&entry).map(str::to_owned));
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
    type Key = (String, Option<String>, Lang, String);
    let key = |entry: &Entry, lang: Lang, text: &str| -> Key {
        (entry.game.clone(), entry.date.clone(), lang, same_text_key(text))
    };
    let rulings = |entry: &&Entry| entry.kind == Kind::Ruling;
    let is_bilingual = |entry: &Entry| entry.text.en.is_some() && entry.text.zh.is_some();
    let mut ids: HashMap<Key, String> = HashMap::new();
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
            // A headword that stands twice: the reader has said so, and no definition is lost.
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
    let file = source.map(|source| source.file.clone()).unwrap_or_default();
    Diagnostic {
        position: source.map(|source| Position {
            line: source.line,
            column: 1,
        }),
        ..Diagnostic::about_file(code, file, message)
    }
}
