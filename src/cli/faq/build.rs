//! `shiyi faq build`: documents with their directives expanded, as Markdown, a page of HTML, or objects; and the lock of
//! each.

use super::super::args::{FaqBuild, Format};
use super::super::ask::{AskError, Asker, Reply};
use super::super::files::{is_same, replace};
use super::super::out::Stop;
use super::super::{ERROR, FOUND, Failure, NOTHING, Session, reply_markdown};
use super::Document;
use super::answer::{Answered, Part, entries};
use crate::diagnostic::{Code, Severity};
use crate::entry::Lang;
use crate::faq::lock::{Lock, Locked};
use crate::parse::markdown::{BlockKind, blocks, html};
use crate::render::markdown::escape;
use crate::render::message::Ui;
use crate::render::sanitize::sanitize_line;
use crate::render::{self, json};
use crate::source::SourceFile;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a document becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Markdown,
    Html,
    Json,
}

impl Form {
    /// The form that a file's name calls for.
    fn of(path: &Path) -> Form {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "html" | "htm" => Form::Html,
            "json" | "ndjson" | "jsonl" => Form::Json,
            _ => Form::Markdown,
        }
    }
}

impl Session {
    pub(super) fn faq_build(&mut self, build: &FaqBuild) -> Result<u8, Failure> {
        let form = self.form(build)?;
        let outputs = outputs(build, form)?;
        let asker = self.asker()?;
        let mut code = FOUND;
        for (path, output) in build.files.iter().zip(&outputs) {
            match self.build_one(&asker, path, output.as_deref(), form) {
                Ok(built) => code = code.max(built),
                // What is wrong with one document is not wrong with the others.
                Err(Failure::Ask(error @ AskError::Usage { .. })) => {
                    self.error(&error);
                    code = ERROR;
                }
                Err(other) => return Err(other),
            }
        }
        self.say_notices(&asker);
        Ok(code)
    }

    /// The form that is asked for: the option's, else that of the output's name.
    fn form(&self, build: &FaqBuild) -> Result<Form, AskError> {
        let named = build
            .output
            .as_ref()
            .map_or(Form::Markdown, |output| Form::of(output));
        let format = match (self.options.output.json, self.options.output.format) {
            (true, _) => Some(Format::Json),
            (false, format) => format,
        };
        match format {
            None if self.template.is_none() => Ok(named),
            Some(Format::Md) => Ok(Form::Markdown),
            Some(Format::Html) => Ok(Form::Html),
            Some(Format::Json) => Ok(Form::Json),
            _ => Err(AskError::usage(
                "format",
                "a document is built as Markdown, HTML or JSON",
                "write --format md, html or json",
            )),
        }
    }

    /// Builds a document, and renews its lock.
    fn build_one(
        &mut self,
        asker: &Asker,
        path: &Path,
        output: Option<&Path>,
        form: Form,
    ) -> Result<u8, Failure> {
        let document = Document::read(path)?;
        // One that is broken is written anew; one of a newer program is not.
        let old = match document.lock() {
            Err(error) if error.hint() == Some(super::UPDATE) => return Err(error.into()),
            old => old.ok().flatten(),
        };
        let (parts, diagnostics) = self.answered(asker, &document.source)?;
        let mut code = FOUND;
        for diagnostic in &diagnostics {
            self.say_diagnostic(diagnostic);
            code = code.max(match (diagnostic.severity, diagnostic.code) {
                (Severity::Error, _) => ERROR,
                (_, Code::NotFound) => NOTHING,
                _ => FOUND,
            });
        }
        let text = match form {
            Form::Markdown => self.as_markdown(&document, &parts),
            Form::Html => self.as_html(&document, &parts),
            Form::Json => as_json(&document.source, &parts),
        };
        let written = match output {
            Some(output) => {
                replace(output, &text)?;
                Ok(())
            }
            None => self.out.write(&text).and_then(|()| self.out.flush()),
        };
        // Who reads no further has got the document all the same.
        if !matches!(written, Err(Stop::Failed(_))) {
            let lock = lock(&parts);
            let has_changed = match &old {
                Some(old) => *old != lock,
                None => !lock.directives.is_empty() || Lock::path(path).exists(),
            };
            if has_changed {
                replace(&Lock::path(path), &lock.to_text())?;
            }
        }
        written?;
        Ok(code)
    }

    /// The document in Markdown. Without directives it is what it was, byte for byte.
    fn as_markdown(&self, document: &Document, parts: &[Part]) -> String {
        let source = &document.source;
        let mut text = Text::new(source);
        if document.has_mark {
            text.text.push('\u{feff}');
        }
        for part in parts {
            match part {
                Part::Text(span) => text.push(source.slice(*span)),
                Part::Answer(answered) => match markdown(answered, source) {
                    Some(quote) => {
                        text.push_quote(&quote, source.slice(answered.directive.indent));
                    }
                    None => text.push(source.slice(answered.directive.line)),
                },
            }
        }
        text.text
    }

    /// The document as a page that needs nothing beside it.
    fn as_html(&self, document: &Document, parts: &[Part]) -> String {
        let source = &document.source;
        let mut text = Text::new(source);
        let mut quotes: Vec<(usize, String)> = Vec::new();
        for part in parts {
            match part {
                Part::Text(span) => text.push(source.slice(*span)),
                Part::Answer(answered) => match page_quote(answered, source) {
                    Some(quote) => {
                        let at = text.push_quote(PLACEHOLDER, source.slice(answered.directive.indent));
                        quotes.push((at, quote));
                    }
                    None => text.push(source.slice(answered.directive.line)),
                },
            }
        }
        let own: String = parts
            .iter()
            .filter_map(|part| match part {
                Part::Text(span) => Some(source.slice(*span)),
                Part::Answer(_) => None,
            })
            .collect();
        let lang = match own.chars().any(char::is_alphabetic) {
            true => Lang::of(&own),
            false => self.ui.0,
        };
        let title = blocks(&own)
            .into_iter()
            .find(|block| matches!(block.kind, BlockKind::Heading(_)))
            .map(|heading| heading.text)
            .filter(|title| !title.is_empty());
        let stem = || {
            document
                .path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        render::html::page(&title.unwrap_or_else(stem), lang, &html(&text.text, &quotes))
    }
}

/// Stands for a quote until Markdown has become HTML: a block of its own anywhere.
const PLACEHOLDER: &str = "<!---->";

/// Where each document is written to; nowhere for stdout. Nothing that is read is written over.
fn outputs(build: &FaqBuild, form: Form) -> Result<Vec<Option<PathBuf>>, AskError> {
    let Some(output) = &build.output else {
        return match build.files.as_slice() {
            [_] => Ok(vec![None]),
            _ => Err(several_files()),
        };
    };
    if build.files.len() > 1 && !output.is_dir() {
        return Err(several_files());
    }
    let mut outputs: Vec<PathBuf> = Vec::new();
    for file in &build.files {
        let path = match (output.is_dir(), file.file_name()) {
            (true, Some(name)) => match form {
                Form::Markdown => output.join(name),
                Form::Html => output.join(Path::new(name).with_extension("html")),
                Form::Json => output.join(Path::new(name).with_extension("json")),
            },
            _ => output.clone(),
        };
        let read = build.files.iter().find(|read| {
            let lock = Lock::path(read);
            is_same(&path, read) || is_same(&path, &lock)
        });
        if let Some(read) = read {
            return Err(AskError::usage(
                "same-file",
                format!("`{}` or its lock would be overwritten", read.display()),
                "write to another name or folder with -o",
            ));
        }
        if outputs.iter().any(|other| is_same(other, &path)) {
            return Err(AskError::usage(
                "same-file",
                format!("two documents would be written to `{}`", path.display()),
                "build them one by one, or give them different names",
            ));
        }
        outputs.push(path);
    }
    Ok(outputs.into_iter().map(Some).collect())
}

fn several_files() -> AskError {
    AskError::usage(
        "several-files",
        "several documents need a folder to be written to",
        "name it with -o FOLDER",
    )
}

/// What the document quotes.
fn lock(parts: &[Part]) -> Lock {
    let answers = parts.iter().filter_map(|part| match part {
        Part::Answer(answered) => Some(answered),
        Part::Text(_) => None,
    });
    let directives = answers
        .filter(|answered| answered.reply.is_some())
        .map(|answered| Locked {
            written: answered.directive.to_string(),
            quotes: answered.quotes(),
        });
    Lock {
        directives: directives.collect(),
    }
}

/// What a directive becomes in Markdown; none where it stays as it is.
fn markdown(answered: &Answered, source: &SourceFile) -> Option<String> {
    let reply = answered.reply.as_ref()?;
    if answered.is_empty() {
        let line = sanitize_line(source.slice(answered.directive.span)).replace('`', "'");
        return Some(format!("> **{}** `{line}`", escape(answered.ui.missing())));
    }
    Some(reply_markdown(reply, answered.ui))
}

/// What a directive becomes on a page; none where it stays as it is.
fn page_quote(answered: &Answered, source: &SourceFile) -> Option<String> {
    let reply = answered.reply.as_ref()?;
    let ui: Ui = answered.ui;
    if answered.is_empty() {
        return Some(render::html::missing(source.slice(answered.directive.span), ui));
    }
    let mut quotes = match reply {
        Reply::Verdict(verdict, _) => vec![render::html::verdict(verdict, ui)],
        _ => Vec::new(),
    };
    quotes.extend(
        entries(reply)
            .into_iter()
            .map(|entry| render::html::entry(entry, ui)),
    );
    Some(quotes.concat())
}

/// The document as objects: its blocks in order, and behind each directive what it is answered with.
fn as_json(source: &SourceFile, parts: &[Part]) -> String {
    let mut lines = String::new();
    let mut line = |object: String| {
        lines.push_str(&object);
        lines.push('\n');
    };
    for part in parts {
        match part {
            Part::Text(span) => {
                let text = source.slice(*span);
                for block in blocks(text) {
                    let from = span.start + block.span.start;
                    let at = source.position(from);
                    line(json::line(&json::BlockObject::of(
                        &block,
                        &text[block.span.range()],
                        at.line,
                    )));
                }
            }
            Part::Answer(answered) => {
                let at = source.position(answered.directive.span.start);
                let written = answered.directive.to_string();
                let objects = answered.reply.as_ref().map(quoted_objects).unwrap_or_default();
                line(json::line(&json::BlockObject::directive(
                    &written,
                    at.line,
                    objects.len(),
                )));
                objects.iter().for_each(|object| line(json::line(object)));
            }
        }
    }
    lines
}

/// The objects of what is quoted: a verdict, then entries, then what is not there.
fn quoted_objects(reply: &Reply) -> Vec<json::Object<'_>> {
    let mut objects = match reply {
        Reply::Verdict(..) => reply.objects(),
        _ => Vec::new(),
    };
    let entries = entries(reply).into_iter();
    objects.extend(entries.map(|entry| json::Object::Entry(Box::new(json::EntryObject::plain(entry)))));
    if let Reply::Show(answer) = reply {
        objects.extend(
            answer
                .misses
                .iter()
                .map(|miss| json::Object::Miss(json::MissObject::of(miss))),
        );
    }
    objects
}

/// A document while it is written. A quote stands apart: what follows right below it would be read as its last
/// paragraph, and two quotes would be one.
struct Text {
    text: String,
    line_end: &'static str,
    after_quote: bool,
}

impl Text {
    fn new(source: &SourceFile) -> Text {
        let text = source.text();
        let line_end = match text.find(['\r', '\n']) {
            Some(at) if text[at..].starts_with("\r\n") => "\r\n",
            Some(at) if text[at..].starts_with('\r') && !text.contains('\n') => "\r",
            _ => "\n",
        };
        Text {
            text: String::with_capacity(text.len() * 2),
            line_end,
            after_quote: false,
        }
    }

    /// Writes a quote, each line behind `indent`, and returns where it begins.
    fn push_quote(&mut self, quote: &str, indent: &str) -> usize {
        let before = self.text.trim_end_matches(['\n', '\r']);
        let line_ends = self.text[before.len()..].matches(self.line_end).count();
        let is_first = before.trim_start_matches('\u{feff}').is_empty();
        if !is_first && line_ends < 2 {
            self.text.push_str(self.line_end);
        }
        let at = self.text.len() + indent.len();
        for (idx, line) in quote.trim_end().split('\n').enumerate() {
            if idx > 0 {
                self.text.push_str(self.line_end);
            }
            if !line.is_empty() {
                self.text.push_str(indent);
            }
            self.text.push_str(line);
        }
        self.after_quote = true;
        at
    }

    fn push(&mut self, text: &str) {
        let mut text = text;
        if std::mem::take(&mut self.after_quote)
            && let Some(below) = text
                .strip_prefix(self.line_end)
                .or_else(|| text.strip_prefix("\r\n"))
                .or_else(|| text.strip_prefix('\n'))
        {
            self.text.push_str(self.line_end);
            if !below.is_empty() && !below.starts_with(['\n', '\r']) {
                self.text.push_str(self.line_end);
            }
            text = below;
        }
        self.text.push_str(text);
    }
}
