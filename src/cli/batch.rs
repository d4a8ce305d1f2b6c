//! `shiyi batch`: one JSON request a line on stdin, one answer a line on stdout, in the same order.

use super::ask::{AskError, Asker, Reply, Request};
use super::{ERROR, FOUND, Failure, Session};
use crate::entry::{Kind, Lang};
use crate::library::Library;
use crate::lookup::Mode;
use crate::render::json;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::{BufRead, Read};

/// The longest request that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A request as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    id: Value,
    r#do: Do,
    query: Option<String>,
    text: Option<String>,
    op: Option<String>,
    input: Option<Map<String, Value>>,
    value: Option<Value>,
    noun: Option<String>,
    game: Option<OneOrMany<String>>,
    kind: Option<OneOrMany<String>>,
    source: Option<OneOrMany<String>>,
    card: Option<OneOrMany<String>>,
    lang: Option<String>,
    document: Option<String>,
    edition: Option<String>,
    since: Option<String>,
    until: Option<String>,
    r#in: Option<String>,
    limit: Option<Count>,
    offset: Option<Count>,
    exact: Option<bool>,
    only: Option<bool>,
    tree: Option<bool>,
    context: Option<Count>,
    expand: Option<Count>,
    refs: Option<bool>,
    explain: Option<bool>,
}

/// How many.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "Value")]
struct Count(usize);

impl TryFrom<Value> for Count {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        count
            .map(Count)
            .ok_or_else(|| format!("`{value}` is no number from 0"))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Do {
    Show,
    Search,
    Card,
    Term,
    Eval,
    Calc,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    fn into_vec(self) -> Vec<T> {
        match self {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        }
    }
}

/// What holds where a request does not say otherwise.
#[derive(Debug, Default)]
struct Usual {
    /// The options, as they were typed.
    options: Request,
    /// The game that is meant where neither options nor words name one.
    game: Option<String>,
}

impl Session {
    /// Answers every request of stdin. The exit code is 0 when every one could be read.
    pub(super) fn batch(&mut self) -> Result<u8, Failure> {
        let asker = self.asker()?;
        let usual = Usual {
            options: self.optional(),
            game: self.usual_game()?,
        };
        let all_read = answer_all(&asker, &usual, &mut std::io::stdin().lock(), |line| {
            self.out.line(line)?;
            Ok(self.out.flush()?)
        })?;
        self.say_notices(&asker);
        Ok(if all_read { FOUND } else { ERROR })
    }
}

/// `shiyi batch` without a process: who answers, for tests that ask many times.
#[doc(hidden)]
pub struct Batch(Asker);

impl Batch {
    /// Answers from this library.
    pub fn new(library: Library) -> Self {
        Self(Asker::new(library))
    }

    /// The answers to these requests, a line each.
    pub fn answers(&self, mut requests: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        // Bytes in memory are always read, and keeping a line does not fail.
        let _ = answer_all(&self.0, &Usual::default(), &mut requests, |line| {
            lines.push(line.to_owned());
            Ok(())
        });
        lines
    }
}

/// Hands over an answer for every line that is not blank; true when each was a request.
fn answer_all(
    asker: &Asker,
    usual: &Usual,
    requests: &mut impl BufRead,
    mut answer: impl FnMut(&str) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let mut all_read = true;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = Read::take(&mut *requests, LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
            .map_err(unreadable)?;
        if read == 0 {
            return Ok(all_read);
        }
        let cut = bytes.last() != Some(&b'\n') && read as u64 == LONGEST_LINE;
        if cut {
            skip_line(requests)?;
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let line = match read_line(&bytes, cut) {
            Ok(line) => {
                let id = line.id.clone();
                answer_line(&id, &reply(asker, usual, line))
            }
            Err((id, error)) => {
                all_read = false;
                answer_line(&id, &Err(error))
            }
        };
        answer(&line)?;
    }
}

fn unreadable(error: std::io::Error) -> AskError {
    AskError::usage(
        "io",
        format!("stdin cannot be read: {error}"),
        "write one JSON object a line",
    )
}

fn skip_line(requests: &mut impl BufRead) -> Result<(), AskError> {
    loop {
        let buffered = requests.fill_buf().map_err(unreadable)?;
        let line_end = buffered.iter().position(|b| *b == b'\n');
        let used = line_end.map_or(buffered.len(), |at| at + 1);
        let ended = line_end.is_some() || used == 0;
        requests.consume(used);
        if ended {
            return Ok(());
        }
    }
}

/// Reads a request; one that cannot be read still gives its id, where it has one.
fn read_line(bytes: &[u8], cut: bool) -> Result<Line, (Value, AskError)> {
    if cut {
        let error = AskError::usage(
            "bad-request",
            "the line is longer than 1 MiB",
            "ask for less at once",
        );
        return Err((Value::Null, error));
    }
    // Some editors begin a file with a byte order mark.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let message = format!("the line is no JSON: {error}");
        (
            Value::Null,
            AskError::usage("bad-request", message, "write one JSON object a line"),
        )
    })?;
    if !value.is_object() {
        let error = AskError::usage(
            "bad-request",
            "a request is a JSON object",
            "write {\"id\":1,\"do\":\"show\",\"query\":\"…\"}",
        );
        return Err((Value::Null, error));
    }
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    Line::deserialize(value).map_err(|error| {
        let hint = "keys are id, do, query, text, op, input, value and the long names of the options";
        (id, AskError::usage("bad-request", error.to_string(), hint))
    })
}

fn answer_line(id: &Value, reply: &Result<Reply, AskError>) -> String {
    match reply {
        Ok(reply) => json::line(&json::BatchAnswer {
            id,
            ok: true,
            code: reply.code(),
            results: Some(reply.objects()),
            error: None,
        }),
        Err(error) => {
            let message = error.to_string();
            json::line(&json::BatchAnswer {
                id,
                ok: false,
                code: ERROR,
                results: None,
                error: Some(json::DiagnosticObject::error(
                    error.code(),
                    &message,
                    error.hint(),
                )),
            })
        }
    }
}

fn reply(asker: &Asker, usual: &Usual, line: Line) -> Result<Reply, AskError> {
    let (wanted, text) = match line.r#do {
        Do::Show | Do::Search | Do::Card | Do::Term => ("query", line.query.as_ref()),
        Do::Eval => ("text", line.text.as_ref().or(line.query.as_ref())),
        Do::Calc => ("op", line.op.as_ref()),
    };
    let text = text
        .ok_or_else(|| {
            AskError::usage(
                "bad-request",
                format!("`{wanted}` is missing"),
                "see the key `do`",
            )
        })?
        .clone();
    let options = usual.options.clone();
    let lang = match line.lang.as_deref() {
        None => options.lang,
        Some("both") => None,
        Some("en") => Some(Lang::En),
        Some("zh") => Some(Lang::Zh),
        Some(other) => {
            return Err(AskError::usage(
                "bad-request",
                format!("`{other}` is no language"),
                "write zh, en or both",
            ));
        }
    };
    let kinds = line.kind.map(|kinds| {
        let kinds = kinds.into_vec();
        kinds.iter().map(|kind| kind_named(kind)).collect()
    });
    let count = |count: Option<Count>, usual| count.map_or(usual, |Count(count)| count);
    let request = Request {
        text,
        games: line.game.map_or(options.games, OneOrMany::into_vec),
        lang,
        document: line.document.or(options.document),
        edition: line.edition.or(options.edition),
        kinds: kinds.unwrap_or(Ok(options.kinds))?,
        sources: line.source.map_or(options.sources, OneOrMany::into_vec),
        cards: line.card.map_or(options.cards, OneOrMany::into_vec),
        since: line.since.or(options.since),
        until: line.until.or(options.until),
        within: line.r#in.or(options.within),
        limit: line.limit.map(|Count(limit)| limit).or(options.limit),
        offset: count(line.offset, options.offset),
        exact: line.exact.unwrap_or(options.exact),
        marks: true,
        only: line.only.unwrap_or(options.only),
        tree: line.tree.unwrap_or(options.tree),
        context: count(line.context, options.context),
        expand: count(line.expand, options.expand),
        refs: line.refs.unwrap_or(options.refs),
        explain: line.explain.unwrap_or(options.explain),
        value: line.value.as_ref().map(value_text).transpose()?,
        noun: line.noun,
        input: line.input,
    };
    let request = asker.settled(request, usual.game.as_deref())?;
    match line.r#do {
        Do::Show => Ok(asker
            .show(&request, Mode::Show)?
            .unwrap_or_else(|| Reply::Show(Default::default()))),
        Do::Search => asker.search(&request),
        Do::Card => asker.card(&request),
        Do::Term => asker.term(&request),
        Do::Eval => asker.eval(&request),
        Do::Calc => asker.calc(&request),
    }
}

fn kind_named(name: &str) -> Result<Kind, AskError> {
    Kind::ALL
        .into_iter()
        .find(|kind| kind.as_str() == name)
        .ok_or_else(|| {
            let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
            AskError::usage(
                "bad-request",
                format!("`{name}` is no kind of entry"),
                format!("known: {}", known.join(", ")),
            )
        })
}

/// A value as the command line writes it: an integer, `inf`, or `a=2,b=1`.
fn value_text(value: &Value) -> Result<String, AskError> {
    match value {
        Value::Number(number) => Ok(number.to_string()),
        Value::String(text) => Ok(text.clone()),
        Value::Object(named) => {
            let parts = named
                .iter()
                .map(|(name, value)| Ok(format!("{name}={}", value_text(value)?)));
            Ok(parts.collect::<Result<Vec<_>, AskError>>()?.join(","))
        }
        _ => Err(AskError::usage(
            "bad-value",
            format!("`{value}` is no value"),
            "write an integer, \"inf\", or an object of them",
        )),
    }
}
