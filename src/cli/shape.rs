//! Answers in a form of the user's own: `--template`, and `--format csv`. Both are made of the objects that programs
//! read, one after the other.

use super::ask::AskError;
use crate::render::sanitize::sanitize;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use std::path::Path;

/// A template, read.
pub struct Template(Environment<'static>);

/// How many steps a template may take for one object: a loop without end is one.
const FUEL: u64 = 1_000_000;

/// What the only template is called, in messages.
const NAME: &str = "template";

impl Template {
    /// Reads a template. A field that an object does not have, and one that is null, is written as nothing.
    ///
    /// # Errors
    ///
    /// [`AskError`] with the line where it is wrong.
    pub fn new(text: String) -> Result<Template, AskError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        environment.set_fuel(Some(FUEL));
        environment.set_formatter(
            |out, state, value| match value.is_none() || value.is_undefined() {
                true => Ok(()),
                false => minijinja::escape_formatter(out, state, value),
            },
        );
        environment
            .add_template_owned(NAME, text)
            .map_err(|error| fault(&error))?;
        Ok(Template(environment))
    }

    /// Reads the template of a file.
    ///
    /// # Errors
    ///
    /// [`AskError`] when it cannot be read, or is wrong.
    pub fn read(path: &Path) -> Result<Template, AskError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("`{}` cannot be read: {error}", path.display());
            AskError::usage("io", message, "check the file's name")
        })?;
        Template::new(text)
    }

    /// What an object looks like: at least a line.
    ///
    /// # Errors
    ///
    /// [`AskError`] when the template asks for what cannot be done with the object.
    pub fn render(&self, object: &serde_json::Value) -> Result<String, AskError> {
        let template = self.0.get_template(NAME).map_err(|error| fault(&error))?;
        let text = template.render(Serde(object)).map_err(|error| fault(&error))?;
        let mut text = sanitize(&text).into_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Ok(text)
    }
}

fn fault(error: &minijinja::Error) -> AskError {
    let place = error
        .line()
        .map(|line| format!(" (line {line})"))
        .unwrap_or_default();
    let what = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    let message = format!("the template is wrong{place}: {what}");
    AskError::usage(
        "bad-template",
        message,
        "write the fields of the JSON objects: '{{ citation }} {{ text.zh }}'",
    )
}

/// The columns of an entry's row, by where the values stand in its object.
const ENTRY: &[&str] = &[
    "id",
    "game",
    "document",
    "kind",
    "citation",
    "title.en",
    "title.zh",
    "edition.en",
    "edition.zh",
    "text.en",
    "text.zh",
    "provenance.en.class",
    "provenance.zh.class",
    "date",
    "cards",
    "via",
];

/// What of a card stands in the columns of entries.
const CARD: &[&str] = &[
    "id",
    "game",
    "document",
    "kind",
    "citation",
    "names.en",
    "names.zh",
    "edition.en",
    "edition.zh",
    "text.en",
    "text.zh",
    "provenance.en.class",
    "provenance.zh.class",
    "date",
    "cards",
    "via",
];

/// The columns for each type of object; other objects have no row.
const COLUMNS: &[(&str, &[&str])] = &[
    ("entry", ENTRY),
    ("hit", ENTRY),
    (
        "verdict",
        &["text", "game", "status", "predicate", "value", "holds", "reason"],
    ),
    ("calc", &["op", "game", "status", "result", "reason"]),
    (
        "status",
        &[
            "game",
            "document",
            "edition",
            "lang",
            "counts.chapters",
            "counts.sections",
            "counts.rules",
            "counts.terms",
            "counts.rulings",
            "counts.statements",
            "counts.examples",
            "counts.cards",
            "pairs",
            "diagnostics",
        ],
    ),
    (
        "change",
        &[
            "game",
            "document",
            "citation",
            "what",
            "from.edition",
            "from.citation",
            "to.edition",
            "to.citation",
        ],
    ),
    ("stale", &["file", "line", "column", "citation", "why", "now"]),
    (
        "finding",
        &[
            "file", "line", "column", "id", "input", "what", "now", "from.en", "from.zh", "to.en", "to.zh",
        ],
    ),
];

/// A table of comma-separated values: a line with the names of the columns, then a row for each object.
#[derive(Default)]
pub struct Csv {
    columns: Option<&'static [&'static str]>,
}

impl Csv {
    /// The row of an object, with the names above the first; nothing for one that has no row there.
    pub fn row(&mut self, object: &serde_json::Value) -> String {
        // A card is a row among those of its rulings.
        let is_card = object["type"] == "card";
        let of_type = COLUMNS.iter().find(|(name, _)| object["type"] == *name);
        let columns = match of_type {
            Some((_, columns)) => columns,
            None if is_card => ENTRY,
            None => return String::new(),
        };
        let mut out = String::new();
        if self.columns.is_none() {
            self.columns = Some(columns);
            out.push_str(&columns.join(",").replace('.', "_"));
            out.push('\n');
        }
        if self.columns == Some(columns) {
            let places = if is_card { CARD } else { columns };
            let cells: Vec<String> = places.iter().map(|place| cell(object, place)).collect();
            out.push_str(&cells.join(","));
            out.push('\n');
        }
        out
    }
}

/// A value of an object, quoted where commas, quotes or line ends call for it.
fn cell(object: &serde_json::Value, column: &str) -> String {
    let mut value = object;
    for key in column.split('.') {
        value = &value[key];
    }
    let text = sanitize(&plain(value)).into_owned();
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// A value as text: of a card its name, of a list its values.
fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join("; "),
        serde_json::Value::Object(card) if card.contains_key("inferred") => {
            let names = ["en", "zh"].iter().filter_map(|lang| card.get(*lang)?.as_str());
            names.collect::<Vec<_>>().join(" / ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn templates_write_fields() {
        let object = json!({"citation": "7.1", "title": {"en": "Swift"}, "date": null, "list": ["a", "b"]});
        for (template, expected) in [
            ("{{ citation }}: {{ title.en }}", "7.1: Swift\n"),
            ("{{ date }}{{ nothing.at.all }}|", "|\n"),
            ("{{ list | join('+') }}\n", "a+b\n"),
            ("{% for one in list %}{{ one }}\n{% endfor %}", "a\nb\n"),
            ("{{ '\u{1b}[2J' }}", "␛[2J\n"),
        ] {
            let text = Template::new(template.to_owned()).and_then(|template| template.render(&object));
            assert_eq!(text.unwrap(), expected, "{template}");
        }
    }

    #[test]
    fn wrong_templates_are_errors() {
        let wrong = |text: &str| {
            let rendered = Template::new(text.to_owned()).and_then(|template| template.render(&json!({})));
            rendered.expect_err(text).to_string()
        };
        assert!(wrong("a\n{{ b").starts_with("the template is wrong (line 2): "));
        assert!(
            wrong("{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}")
                .contains("fuel")
        );
    }

    #[test]
    fn cells_are_quoted_where_they_must() {
        let mut csv = Csv::default();
        let row = csv
            .row(&json!({"type": "stale", "file": "a,b", "line": 1, "citation": "say \"7\"", "now": null}));
        assert_eq!(
            row,
            "file,line,column,citation,why,now\n\"a,b\",1,,\"say \"\"7\"\"\",,\n"
        );
        assert_eq!(csv.row(&json!({"type": "summary"})), "");
        let card = json!({"type": "card", "id": "demo:card:ink", "kind": "card", "names": {"en": ["Ink", "Inc"], "zh": ["墨"]}});
        let row = Csv::default().row(&card);
        assert_eq!(
            row.lines().nth(1),
            Some("demo:card:ink,,,card,,Ink; Inc,墨,,,,,,,,,")
        );
    }
}
