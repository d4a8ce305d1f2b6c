//! `shiyi faq build`: documents with their directives expanded.

use super::args::{FaqBuild, FaqCommand};
use super::ask::{AskError, Asker, Reply, Request};
use super::{ERROR, FOUND, Failure, NOTHING, Session, reply_markdown};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Kind, Lang};
use crate::faq::{Ask, Directive, Piece, pieces};
use crate::lookup::Mode;
use crate::render::markdown::escape;
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
        let mut document = String::with_capacity(source.text().len() * 2);
        for piece in pieces {
            match piece {
                Piece::Text(span) => document.push_str(source.slice(span)),
                Piece::Directive(directive) => {
                    let line = sanitize_line(source.slice(directive.span).trim());
                    match self.answer(asker, &directive) {
                        Ok(reply) if reply.code() == NOTHING && is_lookup(&reply) => {
                            diagnostics.push(self.not_found(source, &directive, &reply, &line));
                            document.push_str(&format!(
                                "> **{}** `{}`",
                                escape(self.ui.missing()),
                                line.replace('`', "'")
                            ));
                        }
                        Ok(reply) => document.push_str(reply_markdown(&reply, self.ui).trim_end()),
                        Err(AskError::Usage { message, hint, .. }) => {
                            let diagnostic =
                                Diagnostic::at(Code::BadDirective, source, directive.span, message);
                            diagnostics.push(match hint {
                                Some(hint) => diagnostic.hint(hint),
                                None => diagnostic,
                            });
                            document.push_str(source.slice(directive.span));
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.position);
        Ok((document, diagnostics))
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

    fn answer(&self, asker: &Asker, directive: &Directive) -> Result<Reply, AskError> {
        let games = &asker.opened(crate::library::Need::Lookup)?.games;
        let mut words = directive.words.as_slice();
        let mut request = Request {
            only: directive.only,
            limit: self.options.limit,
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
        request.lang = self.options.lang.and_then(super::LangChoice::one);
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
                "document" => request.document = Some(value.clone()),
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
        match directive.ask {
            Ask::Rule => Ok(asker
                .show(&request, Mode::Show)?
                .unwrap_or_else(|| Reply::Show(Default::default()))),
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
                Ok(asker
                    .show(&request, Mode::Show)?
                    .unwrap_or_else(|| Reply::Show(Default::default())))
            }
            Ask::Term => asker.term(&request),
            Ask::Search => asker.search(&request),
            Ask::Eval => asker.eval(&request),
        }
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
