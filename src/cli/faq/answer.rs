//! What a document's directives are answered with.

use super::super::ask::{ANY_GAME, AskError, Asker, Reply, Request};
use super::super::{Failure, LangChoice, Session, in_full};
use crate::diagnostic::{Code, Diagnostic};
use crate::entry::{Bilingual, Entry, Kind, Lang};
use crate::evaluate::Verdict;
use crate::faq::check::Fresh;
use crate::faq::lock::{Quote, Quoted};
use crate::faq::{Ask, Directive, Piece, pieces};
use crate::library::Need;
use crate::lookup::{Answer, Miss, Mode, Via};
use crate::render::message::Ui;
use crate::render::sanitize::sanitize_line;
use crate::source::{SourceFile, Span};

/// A piece of a document, its directive answered.
pub(super) enum Part {
    /// Text that stays as it is.
    Text(Span),
    /// What a directive becomes.
    Answer(Answered),
}

/// A directive and its answer.
pub(super) struct Answered {
    pub directive: Directive,
    /// The language in which to speak of it.
    pub ui: Ui,
    /// None where the directive is wrong, and stays as it is.
    pub reply: Option<Reply>,
}

impl Answered {
    /// What it quotes, as a lock keeps it.
    pub fn quotes(&self) -> Vec<Quote> {
        let Some(reply) = &self.reply else {
            return Vec::new();
        };
        let mut quotes: Vec<Quote> = match reply {
            Reply::Verdict(verdict, _) => vec![verdict_quote(verdict, self.directive.option("lang"))],
            _ => Vec::new(),
        };
        quotes.extend(entries(reply).into_iter().map(Quote::of));
        quotes
    }

    /// What it asks for and was found by its number, name or id.
    pub fn shown(&self) -> Option<&Answer> {
        match &self.reply {
            Some(Reply::Show(answer)) => Some(answer),
            _ => None,
        }
    }

    /// Its answer, as [`crate::faq::check`] compares it with a lock.
    pub fn fresh(&self) -> Fresh<'_> {
        let missing = matches!(&self.reply, Some(Reply::Search { hits, .. }) if hits.is_empty());
        let searched = missing.then(|| Miss::no_such_name(self.directive.to_string(), None));
        let misses = self.shown().map_or(&[][..], |answer| &answer.misses);
        Fresh {
            directive: &self.directive,
            quotes: self.quotes(),
            misses: misses.iter().cloned().chain(searched).collect(),
            several_games: self
                .shown()
                .map(|answer| answer.several_games.clone())
                .unwrap_or_default(),
        }
    }

    /// True when there is nothing to quote.
    pub fn is_empty(&self) -> bool {
        match &self.reply {
            Some(Reply::Show(answer)) => answer.found.is_empty(),
            Some(Reply::Search { hits, .. }) => hits.is_empty(),
            _ => false,
        }
    }
}

/// The entries that a reply quotes, in order.
pub(super) fn entries(reply: &Reply) -> Vec<&Entry> {
    match reply {
        Reply::Show(answer) => in_full(&answer.found).map(|found| &found.entry).collect(),
        Reply::Cards(answer) => {
            let rulings = answer.cards.iter().flat_map(|(_, rulings)| rulings);
            rulings.map(|found| &found.entry).collect()
        }
        Reply::Search { hits, .. } => hits.iter().map(|hit| &hit.entry).collect(),
        Reply::Verdict(_, deciding) => deciding.iter().collect(),
        Reply::Calc(_) => Vec::new(),
    }
}

/// A verdict as a quote: what a document says of it in each language, whatever the language of messages.
fn verdict_quote(verdict: &Verdict, lang: Option<&str>) -> Quote {
    let mut texts = Bilingual::default();
    for of in Lang::ALL {
        if lang.is_none_or(|lang| lang == "both" || lang == of.as_str()) {
            let ui = Ui(of);
            let mut lines = vec![ui.verdict(verdict)];
            lines.extend(verdict.predicate.iter().map(ToString::to_string));
            lines.extend(verdict.reason.map(|reason| reason.text().get(of).to_owned()));
            lines.extend(verdict.candidates.iter().map(ToString::to_string));
            lines.extend(
                verdict
                    .because
                    .iter()
                    .map(|because| format!("“{}” — {}", because.words, because.meaning.get(of))),
            );
            *texts.get_mut(of) = Some(Quoted::new(None, lines.join("\n")));
        }
    }
    Quote {
        id: format!("{}:eval", verdict.game.as_deref().unwrap_or(ANY_GAME)),
        texts,
    }
}

/// Why a directive cannot be answered: the option that is wrong, where it is one, and what is wrong.
struct Wrong {
    key: Option<&'static str>,
    error: AskError,
}

impl From<AskError> for Wrong {
    fn from(error: AskError) -> Wrong {
        let key = match error.code() {
            "no-such-edition" => Some("edition"),
            "no-such-document" => Some("document"),
            "bad-value" => Some("value"),
            _ => None,
        };
        Wrong { key, error }
    }
}

impl Wrong {
    fn option(key: &'static str, message: String, hint: &str) -> Wrong {
        Wrong {
            key: Some(key),
            error: AskError::usage("bad-directive", message, hint),
        }
    }
}

impl Session {
    /// The document's pieces, each directive answered, and what is wrong with them, in order.
    pub(super) fn answered(
        &self,
        asker: &Asker,
        source: &SourceFile,
    ) -> Result<(Vec<Part>, Vec<Diagnostic>), Failure> {
        let usual_game = self.usual_game()?;
        let (pieces, mut diagnostics) = pieces(source);
        let mut parts = Vec::new();
        for piece in pieces {
            let directive = match piece {
                Piece::Text(span) => {
                    parts.push(Part::Text(span));
                    continue;
                }
                Piece::Directive(directive) => directive,
            };
            let answered = match self.answer(asker, &directive, usual_game.as_deref()) {
                Ok((reply, ui)) => Answered {
                    ui,
                    reply: Some(only_found(reply)),
                    directive,
                },
                Err(Wrong {
                    error: error @ AskError::Library(_),
                    ..
                }) => return Err(error.into()),
                Err(Wrong { key, error }) => {
                    let span = key.map_or(directive.span, |key| directive.option_span(source, key));
                    let diagnostic = Diagnostic::at(Code::BadDirective, source, span, error.to_string());
                    diagnostics.push(match error.hint() {
                        Some(hint) => diagnostic.hint(hint),
                        None => diagnostic,
                    });
                    Answered {
                        ui: self.ui,
                        reply: None,
                        directive,
                    }
                }
            };
            diagnostics.extend(self.doubts(source, &answered));
            parts.push(Part::Answer(answered));
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.position);
        Ok((parts, diagnostics))
    }

    /// That a directive finds nothing, or not all that it asks for, or several things.
    fn doubts(&self, source: &SourceFile, answered: &Answered) -> Vec<Diagnostic> {
        let line = sanitize_line(source.slice(answered.directive.span));
        let at = |code, message| Diagnostic::at(code, source, answered.directive.span, message);
        let mut diagnostics = Vec::new();
        let misses = answered.shown().map_or(&[][..], |answer| &answer.misses);
        if answered.is_empty() || !misses.is_empty() {
            let mut diagnostic = at(Code::NotFound, format!("nothing answers `{line}`"));
            if !answered.is_empty() {
                diagnostic.message = format!("not all of `{line}` is there");
            }
            for miss in misses {
                diagnostic = diagnostic.note(self.ui.miss(miss));
            }
            let hint = "correct the directive, or add the text that has it";
            diagnostics.push(diagnostic.hint(hint));
        }
        let several = answered.shown().map_or(&[][..], |answer| &answer.several_games);
        if let [first, _, ..] = several {
            let message = format!("`{line}` is in several games: {}", several.join(", "));
            let Directive { ask, words, .. } = &answered.directive;
            let named = format!("{{{{{} {first} {}}}}}", ask.as_str(), words.join(" "));
            diagnostics
                .push(at(Code::Ambiguous, message).hint(format!("name one: `{}`", sanitize_line(&named))));
        }
        diagnostics
    }

    /// True when a directive quotes an entry.
    pub(super) fn quotes(&self, asker: &Asker, directive: &Directive, entry: &Entry) -> bool {
        let answered = self.answer(asker, directive, None);
        answered.is_ok_and(|(reply, _)| entries(&reply).iter().any(|own| own.id == entry.id))
    }

    /// What a directive asks for, and the language in which to speak of it.
    fn answer(
        &self,
        asker: &Asker,
        directive: &Directive,
        usual_game: Option<&str>,
    ) -> Result<(Reply, Ui), Wrong> {
        let games = &asker.opened(Need::Lookup).map_err(AskError::from)?.games;
        let selection = &self.options.selection;
        let mut words = directive.words.as_slice();
        let mut request = Request {
            games: selection.game.clone(),
            lang: selection.lang.and_then(LangChoice::one),
            document: selection.document.clone(),
            edition: selection.edition.clone(),
            only: directive.only,
            limit: self.options.extent.limit,
            ..Request::default()
        };
        if let [first, rest @ ..] = words
            && !rest.is_empty()
            && (games.find(first).is_some() || first == ANY_GAME)
        {
            request.games = vec![first.clone()];
            words = rest;
        }
        request.text = words.join(" ");
        for (key, value) in &directive.options {
            read_option(&mut request, key, value)?;
        }
        let mut request = asker.settled(request, usual_game)?;
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
                    let kind = match directive.ask {
                        Ask::Ruling => Kind::Ruling,
                        _ => Kind::Statement,
                    };
                    request.text = format!("{game}:{}:{}", kind.as_str(), request.text);
                }
                request.games.clear();
                shown(&request)?
            }
            Ask::Term if request.text.contains(":term:") => {
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

/// Reads an option of a directive into a request.
fn read_option(request: &mut Request, key: &str, value: &str) -> Result<(), Wrong> {
    match key {
        "lang" => {
            request.lang = match value {
                "en" => Some(Lang::En),
                "zh" => Some(Lang::Zh),
                "both" => None,
                _ => {
                    let message = format!("`{value}` is no language");
                    return Err(Wrong::option(
                        "lang",
                        message,
                        "write lang=zh, lang=en or lang=both",
                    ));
                }
            };
        }
        "edition" => request.edition = Some(value.to_owned()),
        "document" => request.document = Some(value.to_owned()),
        "limit" => {
            let limit = value.parse();
            let wrong = |_| Wrong::option("limit", format!("`{value}` is no number"), "write limit=3");
            request.limit = Some(limit.map_err(wrong)?);
        }
        "kind" => {
            let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == value);
            let message = || format!("`{value}` is no kind of entry");
            let wrong = || Wrong::option("kind", message(), "write kind=rule, kind=ruling, …");
            request.kinds.push(kind.ok_or_else(wrong)?);
        }
        "value" => request.value = Some(value.to_owned()),
        _ => request.noun = Some(value.to_owned()),
    }
    Ok(())
}

/// A reply without the rules that only had the number once which was asked for and is gone: they are named in what is
/// said of it, and it is for the author to quote them.
fn only_found(reply: Reply) -> Reply {
    let Reply::Show(mut answer) = reply else {
        return reply;
    };
    if !answer.misses.is_empty() {
        // What stands below such a rule goes with it.
        let mut below = None;
        answer.found.retain(|found| {
            below = match found.via {
                Some(Via::Moved) => Some(found.depth),
                _ => below.filter(|depth| found.depth > *depth),
            };
            below.is_none()
        });
    }
    Reply::Show(answer)
}
