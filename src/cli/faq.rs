//! `shiyi faq build`: documents with their directives expanded.

use super::args::{FaqBuild, FaqCommand, Format};
use super::ask::{AskError, Asker, Reply, Request};
use super::{ERROR, FOUND, Failure, NOTHING, Session, reply_markdown};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Kind, Lang};
use crate::faq::{Ask, Directive, Piece, pieces};
use crate::lookup::Mode;
use crate::render::markdown::escape;
use crate::render::message::Ui;
use crate::render::sanitize::sanitize_line;
use crate::source::{SourceFile, decode};
use std::path::Path;

impl Session {
    pub(super) fn faq(&mut self, command: &FaqCommand) -> Result<u8, Failure> {
        let FaqCommand::Build(build) = command;
        self.faq_build(build)
    }

    fn faq_build(&mut self, build: &FaqBuild) -> Result<u8, Failure> {
        if build.files.len() > 1 && build.output.as_ref().is_none_or(|output| !output.is_dir()) {
            return Err(AskError::usage(
                "several-files",
                "several documents need a folder to be written to",
                "name it with -o FOLDER",
            )
            .into());
        }
        let other_form = build
            .output
            .as_ref()
            .and_then(|output| output.extension())
            .is_some_and(|extension| {
                extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("json")
            });
        if other_form || matches!(self.format(), Format::Json | Format::Ids) {
            return Err(AskError::usage(
                "format",
                "documents are built as Markdown only",
                "name the output with .md",
            )
            .into());
        }
        let asker = self.asker()?;
        let mut code = FOUND;
        for file in &build.files {
            let shown = file.display().to_string();
            let bytes = std::fs::read(file).map_err(|error| {
                AskError::usage(
                    "io",
                    format!("`{shown}` cannot be read: {error}"),
                    "check the file's name",
                )
            })?;
            let decoded = decode(&bytes, None).map_err(|error| {
                AskError::usage(
                    "not-text",
                    format!("`{shown}`: {error}"),
                    "write the document in UTF-8",
                )
            })?;
            let source = SourceFile::new(&shown, decoded.text);
            let (document, diagnostics) = self.expand(&asker, &source)?;
            for diagnostic in &diagnostics {
                self.say_diagnostic(diagnostic);
                let worse = if diagnostic.code == Code::BadDirective {
                    ERROR
                } else {
                    NOTHING
                };
                code = code.max(worse);
            }
            match &build.output {
                None => self.out.write(&document)?,
                Some(output) => {
                    let name = file.file_name().map(Path::new).unwrap_or(file);
                    let path = if output.is_dir() {
                        output.join(name)
                    } else {
                        output.clone()
                    };
                    if same_file(&path, file) {
                        return Err(AskError::usage(
                            "same-file",
                            format!("`{shown}` would be overwritten"),
                            "write to another name with -o",
                        )
                        .into());
                    }
                    std::fs::write(&path, document).map_err(|error| {
                        AskError::usage(
                            "io",
                            format!("`{}` cannot be written: {error}", path.display()),
                            "check the folder",
                        )
                    })?;
                }
            }
        }
        self.say_notices(&asker);
        Ok(code)
    }

    /// The document with every directive replaced by what it asks for, and what could not be found.
    fn expand(&self, asker: &Asker, source: &SourceFile) -> Result<(String, Vec<Diagnostic>), Failure> {
        let (pieces, mut diagnostics) = pieces(source);
        let mut document = Document {
            text: String::with_capacity(source.text().len() * 2),
            line_end: if source.text().contains("\r\n") {
                "\r\n"
            } else {
                "\n"
            },
            after_quote: false,
        };
        for piece in pieces {
            let directive = match piece {
                Piece::Text(span) => {
                    document.push_text(source.slice(span));
                    continue;
                }
                Piece::Directive(directive) => directive,
            };
            let written = source.slice(directive.span);
            let line = sanitize_line(written.trim());
            match self.answer(asker, &directive) {
                Ok((reply, _)) if reply.code() == NOTHING && is_lookup(&reply) => {
                    diagnostics.push(self.not_found(source, &directive, &reply, &line));
                    let line = line.replace('`', "'");
                    document.push_quote(&format!("> **{}** `{line}`", escape(self.ui.missing())));
                }
                Ok((reply, ui)) => document.push_quote(&reply_markdown(&reply, ui)),
                Err(AskError::Usage { message, hint, .. }) => {
                    let diagnostic = Diagnostic::at(Code::BadDirective, source, directive.span, message);
                    diagnostics.push(match hint {
                        Some(hint) => diagnostic.hint(hint),
                        None => diagnostic,
                    });
                    document.push_text(written);
                }
                Err(error) => return Err(error.into()),
            }
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.position);
        Ok((document.text, diagnostics))
    }

    fn not_found(&self, source: &SourceFile, directive: &Directive, reply: &Reply, line: &str) -> Diagnostic {
        let mut diagnostic = Diagnostic::at(
            Code::NotFound,
            source,
            directive.span,
            format!("nothing answers `{line}`"),
        );
        if let Reply::Show(answer) = reply {
            for miss in &answer.misses {
                diagnostic = diagnostic.note(self.ui.miss(miss));
            }
        }
        diagnostic.hint("correct the directive, or add the text that has it")
    }

    /// What a directive asks for, and the language in which to speak of it.
    fn answer(&self, asker: &Asker, directive: &Directive) -> Result<(Reply, Ui), AskError> {
        let games = &asker.opened(crate::library::Need::Lookup)?.games;
        let mut words = directive.words.as_slice();
        let mut request = Request {
            only: directive.only,
            limit: self.options.extent.limit,
            ..Request::default()
        };
        if let [first, rest @ ..] = words
            && !rest.is_empty()
            && (games.find(first).is_some() || first == super::ask::ANY_GAME)
        {
            request.games = vec![
                games
                    .find(first)
                    .map_or_else(|| first.clone(), |game| game.id.clone()),
            ];
            words = rest;
        }
        request.text = words.join(" ");
        request.lang = self.options.selection.lang.and_then(super::LangChoice::one);
        for (key, value) in &directive.options {
            match key.as_str() {
                "lang" => {
                    request.lang = match value.as_str() {
                        "en" => Some(Lang::En),
                        "zh" => Some(Lang::Zh),
                        "both" => None,
                        _ => {
                            return Err(AskError::usage(
                                "bad-directive",
                                format!("`{value}` is no language"),
                                "write lang=zh, lang=en or lang=both",
                            ));
                        }
                    };
                }
                "edition" => request.edition = Some(value.clone()),
                "document" => request.document = asker.document(&request.games, Some(value))?,
                "limit" => {
                    let limit = value.parse().map_err(|_| {
                        AskError::usage(
                            "bad-directive",
                            format!("`{value}` is no number"),
                            "write limit=3",
                        )
                    })?;
                    request.limit = Some(limit);
                }
                "kind" => {
                    let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == value);
                    request.kinds.push(kind.ok_or_else(|| {
                        AskError::usage(
                            "bad-directive",
                            format!("`{value}` is no kind of entry"),
                            "write kind=rule, kind=ruling, …",
                        )
                    })?);
                }
                "value" => request.value = Some(value.clone()),
                _ => request.noun = Some(value.clone()),
            }
        }
        let ui = request.lang.map_or(self.ui, Ui);
        let shown = |request: &Request| -> Result<Reply, AskError> {
            Ok(asker
                .show(request, Mode::Show)?
                .unwrap_or_else(|| Reply::Show(Default::default())))
        };
        let reply = match directive.ask {
            Ask::Rule => shown(&request)?,
            Ask::Ruling | Ask::Statement => {
                // A label stands for the id it shortens: `{{statement fow bare-number}}`.
                if let ([game], false) = (request.games.as_slice(), request.text.contains(':')) {
                    let kind = if directive.ask == Ask::Ruling {
                        Kind::Ruling
                    } else {
                        Kind::Statement
                    };
                    request.text = format!("{game}:{}:{}", kind.as_str(), request.text);
                }
                request.games.clear();
                shown(&request)?
            }
            Ask::Term => asker.term(&request)?,
            Ask::Search => asker.search(&request)?,
            Ask::Eval => asker.eval(&request)?,
        };
        Ok((reply, ui))
    }
}

/// A document while it is written. A quote stands apart: what follows right below it would be read as its last
/// paragraph, and two quotes would be one.
struct Document {
    text: String,
    line_end: &'static str,
    after_quote: bool,
}

impl Document {
    fn push_quote(&mut self, quote: &str) {
        let before = self.text.trim_end_matches(['\n', '\r']);
        let line_ends = self.text[before.len()..].matches('\n').count();
        if !before.is_empty() && line_ends < 2 {
            self.text.push_str(self.line_end);
        }
        self.text.push_str(&quote.trim_end().replace('\n', self.line_end));
        self.after_quote = true;
    }

    fn push_text(&mut self, text: &str) {
        let mut text = text;
        if std::mem::take(&mut self.after_quote)
            && let Some(below) = text
                .strip_prefix(self.line_end)
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

fn is_lookup(reply: &Reply) -> bool {
    matches!(reply, Reply::Show(_) | Reply::Search { .. })
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
