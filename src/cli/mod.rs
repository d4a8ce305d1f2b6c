//! The command line: the one folder that names clap. One file per subcommand that is more than a request
//! ([`ask`]) and its rendering.

mod add;
mod args;
mod ask;
mod batch;
mod cite;
mod config;
mod doctor;
mod export;
mod faq;
mod files;
mod help;
mod history;
mod library;
mod manual;
mod out;
mod progress;
mod shape;
mod usage;

use crate::diagnostic::{Diagnostic, Severity};
use crate::entry::{Kind, Lang};
use crate::index::{Expansion, Hit, Matched};
use crate::library::{Cut, Library, LibraryError, Notice};
use crate::lookup::cards::{Fit, is_called};
use crate::lookup::{Answer, Found, Mode, Via};
use crate::render::message::Ui;
use crate::render::sanitize::{sanitize, sanitize_line};
use crate::render::text::{Colour, Layout, Mark};
use crate::render::{json, markdown};
#[doc(hidden)]
pub use batch::Batch;

use args::{ColourChoice, Command, FaqCommand, Format, LangChoice, Options, UiLang};
use ask::{AskError, Asker, CardAnswer, Reply, Request};
use out::{Out, Stop, complain};
use shape::{Csv, Template};
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::mem::ManuallyDrop;

/// Exit code: found, yes, nothing wrong.
const FOUND: u8 = 0;
/// Exit code: nothing found, no.
const NOTHING: u8 = 1;
/// Exit code: an error.
const ERROR: u8 = 2;

/// Cards of one name that are shown with their rulings; of more, the names are listed.
const MAX_CARDS_IN_FULL: usize = 3;

/// Runs the program and returns its exit code: 0 found or yes, 1 nothing found or no, 2 error, 3 undecided.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match args::parse(&args) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && wants_json(&args) => {
            let message = error.to_string();
            if !wants_quiet(&args) {
                complain(&json::line(&json::DiagnosticObject::error(
                    "usage",
                    &usage::fault(&message),
                    Some("see `shiyi --help`"),
                )));
            }
            return ERROR;
        }
        Err(error) if error.use_stderr() && wants_quiet(&args) => return ERROR,
        Err(error) => return usage(&error, &args),
    };
    let started = std::time::Instant::now();
    let mut session = Session::new(cli.options);
    let done = session
        .command(cli.command, &cli.typed.words)
        .and_then(|code| Ok(session.out.finish().map(|()| code)?));
    if session.options.output.verbose {
        session.say_circumstances(started.elapsed());
    }
    if done.is_err() {
        // Whoever reads what was answered so far reads it before the error.
        let _ = session.out.finish();
    }
    match done {
        Ok(code) => code,
        Err(Failure::Stop(Stop::ClosedPipe)) => FOUND,
        Err(Failure::Stop(Stop::Failed(error))) => {
            let message = format!("the answer could not be written: {error}");
            if !session.options.output.quiet {
                complain(&match session.says_json() {
                    true => json::line(&json::DiagnosticObject::error("io", &message, None)),
                    false => session.ui.error(&message, None),
                });
            }
            ERROR
        }
        Err(Failure::Ask(error)) => {
            session.error(&error);
            ERROR
        }
    }
}

/// True when the arguments ask for JSON, whatever else is wrong with them.
fn wants_json(args: &[OsString]) -> bool {
    let options = args.iter().take_while(|arg| *arg != "--");
    let mut options = options.map(|arg| arg.to_string_lossy()).peekable();
    std::iter::from_fn(|| options.next().map(|arg| (arg, options.peek().cloned()))).any(|(arg, next)| {
        arg == "--json" || arg == "--format=json" || (arg == "--format" && next.as_deref() == Some("json"))
    })
}

/// True when the arguments ask for silence, whatever else is wrong with them.
fn wants_quiet(args: &[OsString]) -> bool {
    let options = args.iter().skip(1).take_while(|arg| *arg != "--");
    options.filter_map(|arg| arg.to_str()).any(|arg| {
        let flags = arg.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
        // Several may stand behind one dash; what follows one with a value is its value.
        let flags = flags.map(|flags| flags.split(args::takes_value).next().unwrap_or_default());
        arg == "--quiet" || flags.is_some_and(|flags| flags.contains('q'))
    })
}

/// The language of messages that the arguments ask for, whatever else is wrong with them; else that of the locale.
fn wanted_language(args: &[OsString]) -> Lang {
    let options = args.iter().take_while(|arg| *arg != "--");
    let options: Vec<_> = options.map(|arg| arg.to_string_lossy()).collect();
    let separate = options
        .windows(2)
        .filter(|pair| pair[0] == "--ui-lang")
        .map(|pair| pair[1].as_ref());
    let joined = options.iter().filter_map(|arg| arg.strip_prefix("--ui-lang="));
    match separate.chain(joined).last() {
        Some("zh") => Lang::Zh,
        Some("en") => Lang::En,
        _ => locale_language(),
    }
}

/// Prints clap's help or error.
fn usage(error: &clap::Error, args: &[OsString]) -> u8 {
    let in_chinese = wanted_language(args) == Lang::Zh;
    if let Some(text) = usage::in_chinese(error).filter(|_| in_chinese) {
        complain(&sanitize(&text));
        return ERROR;
    }
    if in_chinese && error.kind() == clap::error::ErrorKind::DisplayHelp {
        let mut out = Out::new(false);
        return match out.write(&help::in_chinese(args)).and_then(|()| out.flush()) {
            Ok(()) | Err(Stop::ClosedPipe) => FOUND,
            Err(Stop::Failed(_)) => ERROR,
        };
    }
    let text = error.render();
    if error.use_stderr() {
        // The words that were typed stand in the message.
        let text = if anstream::stderr().is_terminal() {
            text.ansi().to_string()
        } else {
            text.to_string()
        };
        complain(&sanitize_styled(&text));
        return ERROR;
    }
    let mut out = Out::new(false);
    let text = if std::io::stdout().is_terminal() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    match out.write(&text).and_then(|()| out.flush()) {
        Ok(()) | Err(Stop::ClosedPipe) => FOUND,
        Err(Stop::Failed(_)) => ERROR,
    }
}

/// Makes a message of clap's safe: its own colours stay, all other control characters are shown.
fn sanitize_styled(text: &str) -> String {
    let mut safe = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, code) = rest.split_at(at);
        safe.push_str(&sanitize(before));
        let length = code[2..]
            .bytes()
            .take_while(|b| b.is_ascii_digit() || *b == b';')
            .count()
            + 2;
        if code.as_bytes().get(length) == Some(&b'm') {
            safe.push_str(&code[..=length]);
            rest = &code[length + 1..];
        } else {
            safe.push('␛');
            rest = &code[1..];
        }
    }
    safe.push_str(&sanitize(rest));
    safe
}

/// Why a command ended early.
enum Failure {
    /// Its answer could not be written.
    Stop(Stop),
    /// There is no answer.
    Ask(AskError),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::Stop(stop)
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Failure::Ask(error)
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        Failure::Ask(error.into())
    }
}

/// One run of the program: its options, and where its answers go.
struct Session {
    options: Options,
    ui: Ui,
    out: Out,
    /// The form of the user's own in which objects are written, if any.
    template: Option<Template>,
    table: Csv,
}

impl Session {
    fn new(options: Options) -> Self {
        let ui = Ui(match options.output.ui_lang {
            Some(UiLang::Zh) => Lang::Zh,
            Some(UiLang::En) => Lang::En,
            None => locale_language(),
        });
        let out = Out::paged(options.output.quiet);
        Self {
            options,
            ui,
            out,
            template: None,
            table: Csv::default(),
        }
    }

    fn command(&mut self, command: Option<Command>, words: &[String]) -> Result<u8, Failure> {
        if self.options.output.format == Some(Format::EsBulk) && !matches!(command, Some(Command::Export)) {
            let hint = "write `shiyi export --format es-bulk`, with options for what to export";
            return Err(AskError::usage("usage", "--format es-bulk is for `export` only", hint).into());
        }
        let builds =
            matches!(&command, Some(Command::Faq(faq)) if matches!(faq.command, FaqCommand::Build(_)));
        if self.options.output.format == Some(Format::Html) && !builds {
            let hint = "write `shiyi faq build FILE --format html`";
            return Err(AskError::usage("usage", "--format html is for `faq build` only", hint).into());
        }
        self.check_format(command.as_ref())?;
        let output = &mut self.options.output;
        if let Some(text) = output.template.take() {
            self.template = Some(Template::new(text)?);
        } else if let Some(path) = &output.template_file {
            self.template = Some(Template::read(path)?);
        }
        match command {
            None if words.is_empty() || words == ["help"] => {
                let help = match self.ui.0 {
                    Lang::En => args::whole().render_help().to_string(),
                    Lang::Zh => help::in_chinese(&[]),
                };
                self.out.write(&help)?;
                Ok(if words.is_empty() { ERROR } else { FOUND })
            }
            None if words == ["version"] => {
                self.out.line(concat!("shiyi ", env!("CARGO_PKG_VERSION")))?;
                Ok(FOUND)
            }
            None => self.guess(words),
            Some(Command::Show(words)) => {
                let asker = self.asker_for(&words.words)?;
                let request = self.request(&asker, words.words.join(" "))?;
                let reply = asker
                    .show(&request, Mode::Show)?
                    .unwrap_or_else(|| Reply::Show(Default::default()));
                let reply = ManuallyDrop::new(reply);
                self.reply(&asker, &reply, &request.text)
            }
            Some(Command::Search(words)) => self.search(&words.words),
            Some(Command::Card(words)) => self.simple(&words.words, Asker::card),
            Some(Command::Term(words)) => self.simple(&words.words, Asker::term),
            Some(Command::Eval(eval)) => {
                let asker = self.asker_for(&[])?;
                let mut request = self.request(&asker, text_or_stdin(&eval.words)?)?;
                request.value = eval.value;
                request.noun = eval.noun;
                let reply = ManuallyDrop::new(asker.eval(&request)?);
                self.reply(&asker, &reply, &request.text)
            }
            Some(Command::Calc(calc)) => {
                let asker = self.asker_for(&[])?;
                let mut request = self.request(&asker, calc.op)?;
                request.input = Some(calc_input(&calc.pairs, calc.input.as_deref())?);
                let reply = ManuallyDrop::new(asker.calc(&request)?);
                self.reply(&asker, &reply, &request.text)
            }
            Some(Command::History(words)) => self.history(&words.words),
            Some(Command::Diff(diff)) => self.diff(&diff),
            Some(Command::Cite(cite)) => self.cite(&cite.command),
            Some(Command::Faq(faq)) => self.faq(&faq.command),
            Some(Command::Batch) => self.batch(),
            Some(Command::Export) => self.export(),
            Some(Command::Completions(wanted)) => self.completions(wanted.shell),
            Some(Command::Man(wanted)) => self.man(wanted.command.as_deref()),
            Some(Command::Add(add)) => self.add(&add),
            Some(Command::Ingest(ingest)) => self.ingest(&ingest),
            Some(Command::Status) => self.status(),
            Some(Command::Doctor(doctor)) if doctor.rules => self.audit(),
            Some(Command::Doctor(_)) => self.check_up(),
        }
    }

    /// That the command has an answer in the form that was asked for.
    fn check_format(&self, command: Option<&Command>) -> Result<(), AskError> {
        let Some(format) = self.options.output.format else {
            return Ok(());
        };
        let (name, known): (_, &[Format]) = match command {
            Some(Command::Status) => ("status", &[Format::Text, Format::Json, Format::Csv]),
            Some(Command::Ingest(_)) => ("ingest", &[Format::Text, Format::Json, Format::Csv]),
            Some(Command::Add(_)) => ("add", &[Format::Text, Format::Json]),
            Some(Command::Doctor(_)) => ("doctor", &[Format::Text, Format::Json]),
            Some(Command::Batch) => ("batch", &[Format::Json]),
            _ => return Ok(()),
        };
        if known.contains(&format) {
            return Ok(());
        }
        let names = |formats: &[Format]| {
            let values = formats.iter().filter_map(clap::ValueEnum::to_possible_value);
            let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
            names.join(", ")
        };
        Err(AskError::usage(
            "usage",
            format!("`{name}` does not answer with --format {}", names(&[format])),
            format!("known: {}", names(known)),
        ))
    }

    fn library(&self) -> Result<Library, LibraryError> {
        Ok(self.watched(Library::locate(self.options.place.library.as_deref())?))
    }

    /// The library, with a bar for whoever waits for its index.
    fn watched(&self, library: Library) -> Library {
        match progress::shower(self.ui) {
            Some(shower) if !self.options.output.quiet => library.watched(shower),
            _ => library,
        }
    }

    /// Answers from the library. Neither it nor an answer is ever taken apart: the process ends with the command, and
    /// the operating system is quicker at it.
    fn asker(&self) -> Result<ManuallyDrop<Asker>, Failure> {
        Ok(ManuallyDrop::new(Asker::new(self.library()?)))
    }

    /// The same for what is in force, unless an edition is named by option or after an `@`.
    fn asker_for(&self, words: &[String]) -> Result<ManuallyDrop<Asker>, Failure> {
        if self.options.selection.edition.is_some() || words.iter().any(|word| word.contains('@')) {
            return self.asker();
        }
        Ok(ManuallyDrop::new(Asker::new(self.library()?.in_force())))
    }

    /// The options as a request for `text`.
    fn request(&self, asker: &Asker, text: String) -> Result<Request, Failure> {
        let request = Request {
            text,
            ..self.optional()
        };
        Ok(asker.settled(request, self.usual_game()?.as_deref())?)
    }

    /// The game that is meant where neither the options nor the words name one.
    fn usual_game(&self) -> Result<Option<String>, Failure> {
        if !self.options.selection.game.is_empty() {
            return Ok(None);
        }
        match std::env::var("SHIYI_GAME").ok().filter(|game| !game.is_empty()) {
            Some(game) => Ok(Some(game)),
            None => Ok(config::default_game()?),
        }
    }

    /// What the options say of a request, with games and documents as they were typed.
    fn optional(&self) -> Request {
        let options = &self.options;
        Request {
            games: options.selection.game.clone(),
            lang: options.selection.lang.and_then(LangChoice::one),
            document: options.selection.document.clone(),
            edition: options.selection.edition.clone(),
            kinds: options.selection.kind.iter().map(|kind| kind.kind()).collect(),
            sources: options.selection.source.clone(),
            cards: options.selection.card.clone(),
            since: options.selection.since.clone(),
            until: options.selection.until.clone(),
            within: options.selection.r#in.clone(),
            limit: options.extent.limit,
            offset: options.extent.offset.unwrap_or_default(),
            exact: options.extent.exact,
            marks: self.shows_marks(),
            only: options.extent.only,
            tree: options.extent.tree,
            context: options.extent.context.unwrap_or_default(),
            expand: options.extent.expand.unwrap_or_default(),
            refs: options.extent.refs,
            explain: options.extent.explain,
            ..Request::default()
        }
    }

    /// Words without a command: a citation or a name, else a search.
    fn guess(&mut self, words: &[String]) -> Result<u8, Failure> {
        let text = words.join(" ");
        let asker = self.asker_for(words)?;
        let request = self.request(&asker, text)?;
        let filtered = !request.cards.is_empty() || !request.sources.is_empty() || request.within.is_some();
        if !request.exact
            && !filtered
            && let Some(reply) = asker.show(&request, Mode::Guess)?
        {
            let code = self.reply(&asker, &reply, &request.text)?;
            self.more_by_search(&asker, &reply, &request)?;
            return Ok(code);
        }
        if let Some((typed, command)) = near_command(words)
            && !asker.occurs(typed, &request)?
        {
            let hint = self.ui.near_command(&sanitize_line(typed), &command);
            self.notice("near-command", &hint);
        }
        let reply = asker.search(&request)?;
        let is_respelt = matches!(&reply, Reply::Search { respelt, .. } if !respelt.is_empty());
        if (reply.code() == NOTHING || is_respelt)
            && let Some(shown) = asker
                .show(&request, Mode::Show)?
                .filter(|shown| shown.code() == FOUND || !is_respelt && shown.is_of_other_editions())
        {
            return self.reply(&asker, &shown, &request.text);
        }
        if asker.is_card(&request)? {
            let hint = self.ui.card_called_so(&sanitize_line(request.text.trim()));
            self.notice("near-command", &hint);
        }
        self.searched(&asker, &reply, &request)
    }

    /// Prints what a search found; where that is nothing, what is called nearly so.
    fn searched(&mut self, asker: &Asker, reply: &Reply, request: &Request) -> Result<u8, Failure> {
        let code = self.reply(asker, reply, &request.text)?;
        if code == NOTHING {
            let near = asker.near_names(request)?;
            if !near.is_empty() {
                let hint = sanitize_line(&self.ui.near_names(&near));
                self.notice("near-names", &hint);
            }
        }
        Ok(code)
    }

    /// For a name that was looked up: how much more a search finds. Only where it costs no building of an index.
    fn more_by_search(&mut self, asker: &Asker, reply: &Reply, request: &Request) -> Result<(), Failure> {
        let Reply::Show(answer) = reply else { return Ok(()) };
        let opened = asker.opened(crate::library::Need::Lookup)?;
        let has_index = matches!(opened.loaded, crate::library::Loaded::Index(_));
        if !answer.by_name || !has_index || self.format() != Format::Text || self.options.output.quiet {
            return Ok(());
        }
        if let Reply::Search { total, .. } = asker.search(&Request {
            limit: Some(1),
            ..request.clone()
        })? {
            let more = total.saturating_sub(answer.found.len() + answer.left_out);
            if more > 0 {
                let text = self.ui.more_by_search(more, &sanitize_line(&request.text));
                let text = self.layout().remark(&text, 0);
                self.out.write(&text)?;
            }
        }
        Ok(())
    }

    fn search(&mut self, words: &[String]) -> Result<u8, Failure> {
        let asker = self.asker_for(words)?;
        let request = self.request(&asker, words.join(" "))?;
        let reply = ManuallyDrop::new(asker.search(&request)?);
        self.searched(&asker, &reply, &request)
    }

    fn simple(
        &mut self,
        words: &[String],
        answer: impl Fn(&Asker, &Request) -> Result<Reply, AskError>,
    ) -> Result<u8, Failure> {
        let asker = self.asker_for(words)?;
        let request = self.request(&asker, words.join(" "))?;
        let reply = ManuallyDrop::new(answer(&asker, &request)?);
        self.reply(&asker, &reply, &request.text)
    }

    /// The form of the answer. Templates and tables are made of the objects that programs read.
    fn format(&self) -> Format {
        if self.options.output.json
            || self.template.is_some()
            || self.options.output.format == Some(Format::Csv)
        {
            Format::Json
        } else {
            self.options.output.format.unwrap_or(Format::Text)
        }
    }

    /// Whether an answer says where its hits match: programs read it, people see it in colour.
    fn shows_marks(&self) -> bool {
        match self.format() {
            Format::Json | Format::Csv => true,
            Format::Text | Format::EsBulk => self.layout().colour == Colour::On,
            Format::Md | Format::Html | Format::Ids => false,
        }
    }

    /// True when what is said beside the answer is for programs, too.
    fn says_json(&self) -> bool {
        self.options.output.json || self.options.output.format == Some(Format::Json)
    }

    /// Writes an object of an answer: as a line of JSON, or in the form that the user wants. There, what is said about the
    /// answer has no place.
    fn object<T: serde::Serialize>(&mut self, object: &T) -> Result<(), Failure> {
        if self.template.is_none() && self.options.output.format != Some(Format::Csv) {
            return Ok(self.out.line(&json::line(object))?);
        }
        // Every wire type is made of strings, numbers, lists and structs; none of them can fail.
        let object = serde_json::to_value(object).unwrap_or_default();
        if object["type"] == "miss" || object["type"] == "summary" {
            return Ok(());
        }
        let text = match &self.template {
            Some(template) => template.render(&object)?,
            None => self.table.row(&object),
        };
        Ok(self.out.write(&text)?)
    }

    fn layout(&self) -> Layout {
        let terminal = std::io::stdout().is_terminal();
        let width = match self.options.output.width {
            Some(0) => None,
            Some(width) => Some(width),
            None => terminal.then(textwrap::termwidth),
        };
        Layout {
            width,
            colour: colour(self.options.output.color.unwrap_or(ColourChoice::Auto), terminal),
            ui: self.ui,
        }
    }

    /// Prints an answer in the wanted form and returns its exit code.
    fn reply(&mut self, asker: &Asker, reply: &Reply, asked: &str) -> Result<u8, Failure> {
        self.say_notices(asker);
        asker
            .changes(reply)
            .iter()
            .for_each(|notice| self.say_notice(notice));
        if let Reply::Show(answer) = reply
            && !answer.misses.is_empty()
        {
            let games: Vec<&str> = answer
                .misses
                .iter()
                .filter_map(|miss| miss.game.as_deref())
                .collect();
            for cut in asker.cuts(&games)? {
                self.say_cut(&cut);
            }
        }
        match self.format() {
            Format::Json | Format::Csv => {
                for object in reply.objects() {
                    self.object(&object)?;
                }
                if !self.says_json() {
                    self.say_misses(reply, asked);
                }
            }
            Format::Text | Format::Html | Format::EsBulk => self.reply_text(asker, reply, asked)?,
            Format::Md => {
                let text = reply_markdown(reply, self.ui);
                self.out.write(&text)?;
                self.say_misses(reply, asked);
            }
            Format::Ids => {
                for id in reply_ids(reply) {
                    self.out.line(&sanitize_line(&id))?;
                }
                self.say_misses(reply, asked);
            }
        }
        Ok(reply.code())
    }

    fn reply_text(&mut self, asker: &Asker, reply: &Reply, asked: &str) -> Result<(), Failure> {
        let layout = self.layout();
        match reply {
            Reply::Show(answer) => {
                let there = answer.found.iter().any(|found| found.depth == 0);
                if !there {
                    self.say_misses(reply, asked);
                }
                self.entries_text(asker, answer)?;
                let is_cited = answer.found.iter().any(|found| found.via == Some(Via::Citing));
                if self.options.extent.refs && there && !is_cited {
                    let text = self.ui.no_refs();
                    self.notice("no-references", text);
                }
                if !answer.several_games.is_empty() {
                    let text = self.ui.several_games(&answer.several_games);
                    self.notice("in-several-games", &text);
                }
                if there {
                    self.say_misses(reply, asked);
                }
            }
            Reply::Cards(answer) => self.cards_text(answer, asked)?,
            Reply::Search {
                hits,
                total,
                first_rank,
                expansions,
                respelt,
                ..
            } => {
                for other in respelt {
                    let text = sanitize_line(&self.ui.respelt(other));
                    self.notice("respelt", &text);
                }
                for expansion in expansions.iter().flatten() {
                    let text = self.ui.expansion(expansion);
                    self.out.write(&layout.remark(&sanitize_line(&text), 0))?;
                }
                let is_full = |hit: &Hit| hit.matched != Matched::Fallback;
                let n_full = hits.iter().take_while(|hit| is_full(hit)).count();
                let are_tiers = n_full > 0 && !hits[n_full..].iter().any(is_full);
                let is_slip = |other: &Expansion| other.how == Matched::Fallback;
                if !hits.is_empty() && !hits.iter().any(is_full) && !respelt.iter().any(is_slip) {
                    let text = self.ui.fallback();
                    self.notice("fallback", text);
                }
                for (idx, hit) in hits.iter().enumerate() {
                    if idx > 0 {
                        self.out.line("")?;
                    }
                    if are_tiers && idx == n_full {
                        let text = layout.remark(self.ui.fallback_follows(), 0);
                        self.out.write(&text)?;
                        self.out.line("")?;
                    }
                    let marks: Vec<Mark> = hit
                        .highlights
                        .iter()
                        .map(|mark| Mark {
                            field: mark.field,
                            item: mark.item,
                            lang: mark.lang,
                            bytes: mark.byte.clone(),
                        })
                        .collect();
                    let text = layout.entry(&hit.entry, 0, Some(first_rank + idx), &marks);
                    self.out.write(&text)?;
                    if expansions.is_some() {
                        let text = self.ui.ranked(hit.score, hit.matched);
                        self.out.write(&layout.remark(&text, 2))?;
                    }
                }
                if hits.is_empty() && *total > 0 {
                    let text = self.ui.past_the_end(*total);
                    self.notice("past-the-end", &text);
                } else if *total > hits.len() {
                    let text = layout.remark(&self.ui.more_hits(hits.len(), *total), 0);
                    self.out.line("")?;
                    self.out.write(&text)?;
                } else if *total == 0 {
                    let text = self.ui.nothing(&sanitize_line(asked));
                    self.notice("nothing-found", &text);
                }
            }
            Reply::Verdict(verdict, deciding) => {
                let text = layout.verdict(verdict, deciding);
                self.out.write(&text)?;
            }
            Reply::Calc(outcome) => {
                let text = layout.calc(outcome);
                self.out.write(&text)?;
            }
        }
        Ok(())
    }

    /// Cards with their rulings; of many, the names alone.
    fn cards_text(&mut self, answer: &CardAnswer, asked: &str) -> Result<(), Failure> {
        let layout = self.layout();
        self.say_card_misses(answer, asked);
        let brief = answer.cards.len() > MAX_CARDS_IN_FULL;
        for (at, (card, rulings)) in answer.cards.iter().enumerate() {
            if at > 0 && !brief {
                self.out.line("")?;
            }
            self.out.write(&if brief {
                layout.card_heading(card)
            } else {
                layout.card(card)
            })?;
            let is_place = if brief {
                at + 1 == answer.cards.len()
            } else {
                at == 0
            };
            if is_place && !answer.others.is_empty() {
                let others = sanitize_line(&self.ui.other_cards(&answer.others));
                self.out.write(&layout.remark(&others, 2))?;
            }
            for found in rulings.iter().filter(|_| !brief) {
                let mut ruling = found.entry.clone();
                // The heading names it.
                ruling.cards.retain(|named| !is_called(card, named));
                self.out.write(&layout.entry(&ruling, 1, None, &[]))?;
            }
        }
        if brief {
            let text = self.ui.many_cards(answer.cards.len());
            self.notice("many-cards", &text);
        }
        Ok(())
    }

    fn say_card_misses(&mut self, answer: &CardAnswer, asked: &str) {
        if answer.fit == Some(Fit::Near) {
            let text = self.ui.nearest_card(&sanitize_line(asked));
            self.notice("nearest-card", &text);
        }
        for miss in &answer.misses {
            let text = sanitize_line(&self.ui.miss(miss));
            self.notice("miss", &text);
        }
    }

    /// What was looked up, each with what stands below and around it. A rule that only had the number once takes a
    /// line, unless the words beside the number are its own or no rule has the number now.
    fn entries_text(&mut self, asker: &Asker, answer: &Answer) -> Result<(), Failure> {
        let layout = self.layout();
        if answer.contents {
            for found in &answer.found {
                let heading = layout.entry_heading(&found.entry, found.depth as usize);
                self.out.write(&heading)?;
            }
            return Ok(());
        }
        let mut before: Option<&Found> = None;
        let mut asked = None;
        let mut heading = None;
        let mut in_brief = false;
        for (at, found) in answer.found.iter().enumerate() {
            // What stands below a rule that is shown in brief is not shown.
            if in_brief && found.depth > 1 {
                continue;
            }
            in_brief = found.meant.as_ref().is_some_and(|meant| !meant.likely);
            if found.depth == 0 {
                if before.is_some() {
                    self.out.line("")?;
                }
                asked = found.entry.citation.as_ref();
                // A subrule alone does not say what it is about.
                let same = before.is_some_and(|before| before.entry.parent == found.entry.parent);
                heading = self.heading(asker, found)?;
                if let Some(heading) = heading.as_ref().filter(|_| !same) {
                    let text = layout.remark(&sanitize_line(heading), 0);
                    self.out.write(&text)?;
                }
                // What was meant stands below all that belongs to the rule: say so where it is seen.
                if let Some((now, until)) = meant_by_words(&answer.found[at + 1..]) {
                    let text = layout.remark(&sanitize_line(&self.ui.meant(now, until)), 0);
                    self.out.write(&text)?;
                }
            }
            let goes_on = before.is_some_and(|before| {
                before.via == found.via
                    && before.meant.as_ref().map(|meant| meant.likely)
                        == found.meant.as_ref().map(|meant| meant.likely)
            });
            before = Some(found);
            if in_brief {
                if let Some(number) = asked.filter(|_| !goes_on) {
                    let text = layout.remark(&self.ui.once(number.as_str()), 2);
                    self.out.write(&text)?;
                }
                let until = found.meant.as_ref().and_then(|meant| meant.until.as_deref());
                let under = self
                    .heading(asker, found)?
                    .filter(|under| Some(under) != heading.as_ref());
                let name = under.as_deref().and_then(|under| under.split_once(' '));
                let line = layout.once(&found.entry, name.map(|(_, name)| name), until);
                self.out.write(&line)?;
                continue;
            }
            let why = found
                .via
                .filter(|via| !goes_on && (*via != Via::Moved || asked.is_some()));
            if let Some(why) = why.and_then(|via| self.ui.via(via)) {
                let text = layout.remark(why, 2);
                self.out.write(&text)?;
            }
            let text = layout.entry(&found.entry, found.depth as usize, None, &[]);
            self.out.write(&text)?;
        }
        Ok(())
    }

    /// What a rule without a name stands under.
    fn heading(&self, asker: &Asker, found: &Found) -> Result<Option<String>, Failure> {
        if found.entry.kind != Kind::Rule || !found.entry.title.is_empty() {
            return Ok(None);
        }
        Ok(asker.heading_above(found)?)
    }

    fn say_misses(&mut self, reply: &Reply, asked: &str) {
        match reply {
            Reply::Show(answer) => {
                for miss in &answer.misses {
                    let text = sanitize_line(&self.ui.miss(miss));
                    self.notice("miss", &text);
                }
            }
            Reply::Cards(answer) => self.say_card_misses(answer, asked),
            Reply::Search { total: 0, .. } => {
                let text = self.ui.nothing(&sanitize_line(asked));
                self.notice("nothing-found", &text);
            }
            _ => {}
        }
    }

    fn say_notices(&mut self, asker: &Asker) {
        asker.notices().iter().for_each(|notice| self.say_notice(notice));
        let faults: Vec<Diagnostic> = asker
            .diagnostics()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .cloned()
            .collect();
        for diagnostic in &faults {
            self.say_diagnostic(diagnostic);
        }
    }

    pub(super) fn say_notice(&mut self, notice: &Notice) {
        match notice {
            Notice::Stale => {
                let text = self.ui.stale();
                self.notice("stale", text);
            }
            Notice::Built { kept: false } => {
                let text = self.ui.index_in_memory();
                self.notice("not-kept", text);
            }
            Notice::Embedded | Notice::Built { kept: true } => {}
        }
    }

    /// Says that a text is cut which is compared, or may have had what was not found.
    fn say_cut(&mut self, cut: &Cut) {
        let text = sanitize_line(&self.ui.cut_short(cut));
        self.notice("cut-short", &text);
    }

    /// Says which library answered, and how long it took.
    fn say_circumstances(&mut self, took: std::time::Duration) {
        let library = Library::locate(self.options.place.library.as_deref());
        let root = library
            .as_ref()
            .ok()
            .and_then(Library::root)
            .map(|root| root.display().to_string());
        let text = self.ui.circumstances(root.as_deref(), took.as_micros());
        self.notice("circumstances", &sanitize_line(&text));
    }

    /// Says on stderr what a person should know of an answer that stands, as text or as an object.
    fn notice(&mut self, code: &'static str, text: &str) {
        match self.says_json() {
            true => {
                let text = json::line(&json::DiagnosticObject::notice(code, text));
                self.out.notice(&text);
            }
            false => self.out.notice(text),
        }
    }

    /// Prints a diagnostic on stderr, as text or as an object.
    fn say_diagnostic(&mut self, diagnostic: &Diagnostic) {
        let text = match self.says_json() {
            true => json::line(&json::DiagnosticObject::of(diagnostic)),
            false => sanitize(&self.ui.diagnostic(diagnostic)).into_owned(),
        };
        self.out.notice(&text);
    }

    /// Prints an error on stderr, unless only the exit code shall speak.
    fn error(&mut self, error: &AskError) {
        let _ = self.out.flush();
        let message = error.to_string();
        let text = match self.says_json() {
            true => json::line(&json::DiagnosticObject::error(
                error.code(),
                &message,
                error.hint(),
            )),
            false => sanitize(&self.ui.error(&message, error.hint())).into_owned(),
        };
        if !self.options.output.quiet {
            complain(&text);
        }
    }
}

/// The entries of an answer as Markdown.
fn reply_markdown(reply: &Reply, ui: Ui) -> String {
    let mut parts: Vec<String> = Vec::new();
    match reply {
        Reply::Show(answer) => {
            parts.extend(in_full(&answer.found).map(|found| markdown::entry(&found.entry, ui)))
        }
        Reply::Cards(answer) => {
            for (card, rulings) in &answer.cards {
                parts.push(markdown::card(card, ui));
                parts.extend(rulings.iter().map(|found| markdown::entry(&found.entry, ui)));
            }
        }
        Reply::Search { hits, .. } => parts.extend(hits.iter().map(|hit| markdown::entry(&hit.entry, ui))),
        Reply::Verdict(verdict, deciding) => {
            parts.push(markdown::verdict(verdict, ui));
            parts.extend(deciding.iter().map(|entry| markdown::entry(entry, ui)));
        }
        Reply::Calc(outcome) => parts.push(markdown::calc(outcome, ui)),
    }
    parts.join("\n")
}

fn reply_ids(reply: &Reply) -> Vec<String> {
    match reply {
        Reply::Show(answer) => answer
            .found
            .iter()
            .map(|found| found.entry.id.to_string())
            .collect(),
        Reply::Cards(answer) => {
            let cards = answer.cards.iter().flat_map(|(card, rulings)| {
                let rulings = rulings.iter().map(|found| found.entry.id.to_string());
                std::iter::once(card.id()).chain(rulings)
            });
            cards.collect()
        }
        Reply::Search { hits, .. } => hits.iter().map(|hit| hit.entry.id.to_string()).collect(),
        Reply::Verdict(verdict, _) => verdict
            .because
            .iter()
            .filter_map(|because| because.id.clone())
            .collect(),
        Reply::Calc(outcome) => outcome
            .because
            .iter()
            .filter_map(|because| because.id.clone())
            .collect(),
    }
}

/// Whether to write escape codes: the option, else the conventions of NO_COLOR, CLICOLOR_FORCE and TERM.
fn colour(choice: ColourChoice, terminal: bool) -> Colour {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let on = match choice {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto if set("NO_COLOR") => false,
        ColourChoice::Auto
            if set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0") =>
        {
            true
        }
        ColourChoice::Auto => {
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            let refused = std::env::var_os("CLICOLOR").is_some_and(|value| value == "0");
            terminal && !dumb && !refused
        }
    };
    if on { Colour::On } else { Colour::Off }
}

/// The language of the locale: the first of LC_ALL, LC_MESSAGES and LANG that is set.
fn locale_language() -> Lang {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    match set {
        Some(locale) if locale.to_ascii_lowercase().starts_with("zh") => Lang::Zh,
        _ => Lang::En,
    }
}

/// The entries of an answer without those that only had a number once which is another rule's now.
fn in_full(found: &[Found]) -> impl Iterator<Item = &Found> {
    let mut in_brief = false;
    found.iter().filter(move |found| {
        if !in_brief || found.depth < 2 {
            in_brief = found.meant.as_ref().is_some_and(|meant| !meant.likely);
        }
        !in_brief
    })
}

/// The number, and until when it was another, of the first rule around an entry that the words beside the entry's
/// number are about.
fn meant_by_words(around: &[Found]) -> Option<(&str, Option<&str>)> {
    let own = around.iter().take_while(|found| found.depth > 0);
    let mut meant = own.filter_map(|found| Some((found, found.meant.as_ref()?)));
    let (found, meant) = meant.find(|(_, meant)| meant.likely)?;
    Some((found.entry.citation.as_ref()?.as_str(), meant.until.as_deref()))
}

/// A first word that is a slip of the fingers away from a command, with more words behind it. A plural is a word of
/// its own (`cards in hand`), and so is whatever is more than one slip away. Few slip at the first letter (`how many`),
/// and one of four letters in place of another mostly makes another word (`hard counter`).
fn near_command(words: &[String]) -> Option<(&str, String)> {
    let first = words.first().filter(|_| words.len() > 1)?;
    let lower = first.to_ascii_lowercase();
    let near = |command: &String| {
        command.len() > 3
            && strsim::osa_distance(command, &lower) == 1
            && (lower.get(..1) == command.get(..1) || is_transposed(&lower, command))
            && (command.len() > 4 || lower.len() != command.len() || is_transposed(&lower, command))
            && lower.strip_suffix('s') != Some(command.as_str())
    };
    args::command_names()
        .into_iter()
        .find(near)
        .map(|command| (first.as_str(), command))
}

/// True for the same letters in another order.
fn is_transposed(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(a) == sorted(b)
}

/// The words, or, for a lone `-`, what stdin holds.
fn text_or_stdin(words: &[String]) -> Result<String, AskError> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    std::io::read_to_string(std::io::stdin())
        .map(|text| text.trim().to_owned())
        .map_err(|error| {
            AskError::usage(
                "bad-input",
                format!("stdin cannot be read: {error}"),
                "give the condition as UTF-8 text",
            )
        })
}

/// The input of an operation: `KEY=VALUE` words, or one JSON object.
fn calc_input(
    pairs: &[String],
    object: Option<&str>,
) -> Result<serde_json::Map<String, serde_json::Value>, AskError> {
    if let Some(text) = object {
        return serde_json::from_str(text).map_err(|error| {
            AskError::usage(
                "bad-input",
                format!("--input is no JSON object: {error}"),
                "write it as '{\"old\":1,\"new\":3}'",
            )
        });
    }
    let mut input = serde_json::Map::new();
    for pair in pairs {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(AskError::usage(
                "bad-input",
                format!("`{pair}` is no KEY=VALUE"),
                "write it as old=1 new=3",
            ));
        };
        // Lists are written with commas: modifiers=double,"plus 200" or triggers=1,2.
        let one =
            |text: &str| serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::from(text.trim()));
        let value = match serde_json::from_str(value) {
            Ok(value) => value,
            // A text is asked about as it stands.
            Err(_) if value.contains(',') && key != "text" => value.split(',').map(one).collect(),
            Err(_) => one(value),
        };
        if input.insert(key.to_owned(), value).is_some() {
            return Err(AskError::usage(
                "bad-input",
                format!("`{key}` is given twice"),
                "give each KEY once; a list is written with commas: triggers=1,2",
            ));
        }
    }
    Ok(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_finds_no_fault() {
        args::whole().debug_assert();
    }

    #[test]
    fn near_misses_of_commands() {
        let near = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            near_command(&words).map(|(_, command)| command)
        };
        assert_eq!(near(&["serach", "trample"]), Some("search".into()));
        assert_eq!(near(&["trample", "lifelink"]), None);
        assert_eq!(near(&["serach"]), None);
        assert_eq!(near(&["hsow", "702.1"]), Some("show".into()));
        assert_eq!(near(&["satus", "x"]), Some("status".into()));
        assert_eq!(near(&["exporr", "x"]), Some("export".into()));
        for words in [
            ["can", "attack"],
            ["cant", "block"],
            ["state", "based"],
            ["cards", "drawn"],
            ["how", "many"],
            ["hard", "counter"],
            ["shop", "cards"],
        ] {
            assert_eq!(near(&words), None);
        }
    }

    #[test]
    fn lists_in_pairs() {
        let input = calc_input(
            &[
                "base=500".into(),
                "modifiers=double,plus 200".into(),
                "a=inf".into(),
            ],
            None,
        )
        .unwrap();
        assert_eq!(
            serde_json::Value::Object(input).to_string(),
            r#"{"a":"inf","base":500,"modifiers":["double","plus 200"]}"#
        );
    }

    #[test]
    fn a_message_keeps_its_own_colours_only() {
        assert_eq!(
            sanitize_styled("\u{1b}[1mx\u{1b}[0m\u{1b}]0;evil\u{7}"),
            "\u{1b}[1mx\u{1b}[0m␛]0;evil␇"
        );
        assert_eq!(sanitize_styled("\u{1b}[2J"), "␛[2J");
    }
}
