//! What may stand on the command line. Options stand before or after the words.

use crate::entry::{Kind, Lang};
use crate::evaluate::calc;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "shiyi",
    version,
    about = "Look up rules by number, search rules and rulings in Chinese or English, settle numeric questions. Offline.",
    long_about = "Look up any trading-card-game rule by number, search rules and card rulings in Chinese or English, and \
                  settle numeric questions (\"exactly N\" or \"N or more\"?), offline, on your own copies of the rules.\n\n\
                  释疑：按编号查规则，用中文或英文搜索规则与释疑，判断数字条件。离线运行。",
    after_help = "Words that are no command are looked up as a rule number, a keyword or a term, and else searched for:\n  \
                  shiyi fow 702.3a-1\n  shiyi 践踏\n  shiyi 显化 双面牌\n  shiyi eval --game fow \"2 power counters\" --value 3\n\n\
                  Exit codes: 0 found or yes, 1 nothing found or no, 2 error, 3 undecided. A closed pipe is 0.",
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// Options for every command.
    #[command(flatten)]
    pub options: Options,
    /// What to do; without one, the words say.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// What was typed without a command.
    #[command(flatten)]
    pub typed: Typed,
}

/// What was typed without a command.
#[derive(Debug, Args)]
pub struct Typed {
    /// A rule number, a keyword, or words to search for.
    #[arg(value_name = "WORDS")]
    pub words: Vec<String>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show rules by number (any spelling, ranges, lists, a pasted sentence), a term, or an id.
    Show(Words),
    /// Search rules, rulings, terms and statements, in either language.
    Search(Words),
    /// Show a card and its rulings, by a name in either language, half of one, or one of its faces.
    Card(Words),
    /// Show a glossary term: both languages, aliases, the rules that define it.
    Term(Words),
    /// Say which numbers meet a condition; with --value, whether that one does.
    Eval(Eval),
    /// Answer another numeric question: OP KEY=VALUE… or OP --input JSON.
    #[command(after_help = calc_keys("The operations and their keys:", "a count for each name"))]
    Calc(Calc),
    /// Follow one rule through the editions that are loaded.
    History(Words),
    /// Compare two editions: what is new, edited, moved, gone; narrow it with --in.
    Diff(Diff),
    /// Find the citations of documents that a new edition made stale, and rewrite them.
    Cite(Cite),
    /// Write documents that quote the rules: draft one, expand its directives, say which quotes have changed since.
    Faq(Faq),
    /// Answer requests on stdin, one JSON object a line. An option holds for every request that does not name it.
    Batch,
    /// Write out the library, or what --game, --document, --kind, --card, --in … leave of it, in reading order: as
    /// JSON lines, as Markdown, or as requests for Elasticsearch's bulk interface (--format ndjson, md, es-bulk). What
    /// tables say of cards is written with --document cards.
    Export,
    /// Write what completes commands and options in a shell.
    Completions(Completions),
    /// Write a page of the manual.
    Man(Man),
    /// Copy texts into the library and ingest it.
    Add(Add),
    /// Build the index from the library's texts.
    Ingest(Ingest),
    /// Say what is loaded.
    Status,
    /// Check the library, its texts and its index, and repair the index; with --rules, audit the rulebooks.
    Doctor(Doctor),
}

/// Some words.
#[derive(Debug, Args)]
pub struct Words {
    /// What to look for.
    #[arg(required = true, value_name = "WORDS")]
    pub words: Vec<String>,
}

/// A condition and what to check.
#[derive(Debug, Args)]
pub struct Eval {
    /// The condition, as a card or rule words it; `-` reads it from stdin.
    #[arg(required = true, value_name = "CONDITION")]
    pub words: Vec<String>,
    /// The value to check: an integer, `inf`, or `a=2,b=1` for two quantities.
    #[arg(long, allow_hyphen_values = true, value_name = "V")]
    pub value: Option<String>,
    /// What is counted, where the text holds several numbers.
    #[arg(long, value_name = "WORDS")]
    pub noun: Option<String>,
}

/// An operation and its input.
#[derive(Debug, Args)]
pub struct Calc {
    /// The operation: `value_change`, `damage`, `deck_size`, …
    #[arg(value_name = "OP")]
    pub op: String,
    /// Its input.
    #[arg(value_name = "KEY=VALUE")]
    pub pairs: Vec<String>,
    /// Its input as one JSON object.
    #[arg(long, value_name = "JSON", conflicts_with = "pairs")]
    pub input: Option<String>,
}

/// Two editions.
#[derive(Debug, Args)]
pub struct Diff {
    /// The older edition, as its publisher names it.
    pub old: String,
    /// The newer edition.
    pub new: String,
}

/// What to do with citations.
#[derive(Debug, Args)]
pub struct Cite {
    /// What to do.
    #[command(subcommand)]
    pub command: CiteCommand,
}

/// What to do with citations.
#[derive(Debug, Subcommand)]
pub enum CiteCommand {
    /// Say which are gone, moved or another rule's now; --edition names the edition that the documents were written
    /// for [default: the one before the newest].
    Check(CiteCheck),
    /// Write the number that a rule has now in place of the one that it had, and say so of each.
    Upgrade(CiteUpgrade),
}

/// Which documents.
#[derive(Debug, Args)]
pub struct CiteCheck {
    /// Texts in which rules are cited; `-` reads one from stdin.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Which documents, and between which editions.
#[derive(Debug, Args)]
pub struct CiteUpgrade {
    /// Texts in which rules are cited.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The edition that they were written for.
    #[arg(long, value_name = "A")]
    pub from: String,
    /// The edition that they are to cite [default: the newest].
    #[arg(long, value_name = "B")]
    pub to: Option<String>,
    /// Change no file.
    #[arg(long)]
    pub dry_run: bool,
}

/// What to do with documents.
#[derive(Debug, Args)]
pub struct Faq {
    /// What to do.
    #[command(subcommand)]
    pub command: FaqCommand,
}

/// What to do with documents.
#[derive(Debug, Subcommand)]
pub enum FaqCommand {
    /// Write the documents with their directives expanded, as Markdown, HTML or JSON (--format md, html, json; by the
    /// name of OUT, else Markdown), and keep what was quoted in FILE.lock.
    Build(FaqBuild),
    /// Say which quotes are no longer what FILE.lock holds, word by word.
    Check(FaqFiles),
    /// Draft a document: a heading and a directive for each rule, term and ruling that the words name or find.
    New(FaqNew),
}

/// Which documents, and where to.
#[derive(Debug, Args)]
pub struct FaqBuild {
    /// Markdown documents.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write; a folder for several files. Without it, stdout.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Which documents.
#[derive(Debug, Args)]
pub struct FaqFiles {
    /// Markdown documents.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// What to draft a document of.
#[derive(Debug, Args)]
pub struct FaqNew {
    /// Rule numbers, a name, or what to search for.
    #[arg(required = true, value_name = "WORDS")]
    pub words: Vec<String>,
    /// A new file to write to. Without it, stdout.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// For which shell.
#[derive(Debug, Args)]
pub struct Completions {
    /// Which shell: `shiyi completions bash` writes to stdout what its start-up file reads.
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Of what.
#[derive(Debug, Args)]
pub struct Man {
    /// A command; without one, the page is about the program. `shiyi man search | man -l -` shows it.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// Texts to bring in, and what they are.
#[derive(Debug, Args)]
pub struct Add {
    /// Texts as their publisher gives them, or folders of such texts.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Their encoding, where it is guessed wrong: `GB18030`, `Big5`, `windows-1252`.
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// Who words them: `official`, `community`, `machine`, or a tag of your own.
    #[arg(long, value_name = "WHO")]
    pub provenance: Option<String>,
    /// Add none where one is refused, and exit with 2 when there is a warning, too.
    #[arg(long)]
    pub strict: bool,
}

/// What to check.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Audit the rulebooks instead: numbers that stand twice, are missing or out of order, citations that lead
    /// nowhere, entries in one language only. Narrow it with --game, --document, --edition.
    #[arg(long)]
    pub rules: bool,
}

/// How to build the index.
#[derive(Debug, Args)]
pub struct Ingest {
    /// Exit with 2 when there is a warning, too.
    #[arg(long)]
    pub strict: bool,
    /// How many texts to read at once [default: one for each core].
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
}

/// Options with one meaning everywhere: [`whole`] gives them to every command. They stand in groups, since a command
/// line is read with those groups alone that it names an option of.
///
/// What an option is by default stands in its text, not in clap's attribute, which would be read at every call.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Where the library is.
    #[command(flatten)]
    pub place: Place,
    /// Which entries are meant.
    #[command(flatten)]
    pub selection: Selection,
    /// How many of them to show, and what beside them.
    #[command(flatten)]
    pub extent: Extent,
    /// How to show them.
    #[command(flatten)]
    pub output: Output,
}

/// Where the library is.
#[derive(Debug, Clone, Args)]
pub struct Place {
    /// The library's folder.
    // An empty name names nothing: `SHIYI_LIBRARY=`.
    #[arg(long, env = "SHIYI_LIBRARY", value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub library: Option<PathBuf>,
}

/// Which entries are meant.
#[derive(Debug, Clone, Default, Args)]
pub struct Selection {
    /// A game, by id or name; may be given several times.
    #[arg(long, value_name = "ID")]
    pub game: Vec<String>,
    /// Which texts to show; for a search, which language must be there.
    #[arg(long, value_enum, value_name = "LANG")]
    pub lang: Option<LangChoice>,
    /// A document of the game: `cr`, `mtr`, …
    #[arg(long, value_name = "D")]
    pub document: Option<String>,
    /// An edition, as its publisher names it: `12.7`, `2026-04-17`.
    #[arg(long, value_name = "E")]
    pub edition: Option<String>,
    /// What kind of entry.
    #[arg(long, value_enum, value_name = "KIND")]
    pub kind: Vec<KindChoice>,
    /// Who words it: official, machine, community, own-words, unknown, or a raw tag.
    #[arg(long, value_name = "WHO")]
    pub source: Vec<String>,
    /// A card whose rulings to search.
    #[arg(long, value_name = "NAME")]
    pub card: Vec<String>,
    /// The earliest date of a ruling.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// The latest date of a ruling.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Search inside a chapter, section or range.
    #[arg(long, value_name = "CITATION")]
    pub r#in: Option<String>,
}

/// How many entries to show, and what beside them.
#[derive(Debug, Clone, Default, Args)]
pub struct Extent {
    /// How many hits, entries or changes to show.
    #[arg(short = 'n', long, value_name = "N")]
    pub limit: Option<usize>,
    /// How many of the first to leave out [default: 0].
    #[arg(long, value_name = "N")]
    pub offset: Option<usize>,
    /// The characters as typed: no folding, no aliases, no segmentation.
    #[arg(long)]
    pub exact: bool,
    /// Rules without their subrules.
    #[arg(long)]
    pub only: bool,
    /// Everything below a section or chapter.
    #[arg(long, conflicts_with = "only")]
    pub tree: bool,
    /// How many neighbours to show on each side, with what the rule stands below [default: 0].
    #[arg(long, value_name = "N")]
    pub context: Option<usize>,
    /// How many steps of cited rules to show [default: 0].
    #[arg(long, value_name = "N")]
    pub expand: Option<usize>,
    /// Who cites what was asked for, as well.
    #[arg(long)]
    pub refs: bool,
    /// For a search, what else was looked up, and how each hit matches and is ranked.
    #[arg(long)]
    pub explain: bool,
}

/// How to show entries.
#[derive(Debug, Clone, Default, Args)]
pub struct Output {
    /// The form of the answer.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Writes each object of the answer so: '{{ citation }} {{ text.zh }}'.
    #[arg(short, long, value_name = "T", conflicts_with_all = ["format", "json", "template_file"])]
    pub template: Option<String>,
    /// The same, with a template of several lines.
    #[arg(long, value_name = "F", conflicts_with_all = ["format", "json"])]
    pub template_file: Option<PathBuf>,
    /// When to use colours [default: auto].
    #[arg(long, value_enum, value_name = "WHEN")]
    pub color: Option<ColourChoice>,
    /// Columns to wrap at.
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,
    /// Say nothing; the exit code answers.
    #[arg(short, long)]
    pub quiet: bool,
    /// Say on stderr which library answers, and how long it takes.
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// The language of messages; default from the locale.
    #[arg(long, value_enum, value_name = "LANG")]
    pub ui_lang: Option<UiLang>,
}

/// Which texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LangChoice {
    /// Chinese.
    Zh,
    /// English.
    En,
    /// Both where both are there.
    Both,
}

impl LangChoice {
    /// The one language, where it is one.
    pub fn one(self) -> Option<Lang> {
        match self {
            LangChoice::Zh => Some(Lang::Zh),
            LangChoice::En => Some(Lang::En),
            LangChoice::Both => None,
        }
    }
}

/// The language of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UiLang {
    /// Chinese.
    Zh,
    /// English.
    En,
}

/// What kind of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the same names as entry::Kind")]
pub enum KindChoice {
    Rule,
    Section,
    Chapter,
    Ruling,
    Term,
    Statement,
}

impl KindChoice {
    /// The kind.
    pub fn kind(self) -> Kind {
        match self {
            KindChoice::Rule => Kind::Rule,
            KindChoice::Section => Kind::Section,
            KindChoice::Chapter => Kind::Chapter,
            KindChoice::Ruling => Kind::Ruling,
            KindChoice::Term => Kind::Term,
            KindChoice::Statement => Kind::Statement,
        }
    }
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One object a line.
    #[value(alias = "ndjson")]
    Json,
    /// Markdown.
    Md,
    /// A page; for `faq build`.
    Html,
    /// Ids alone, one a line.
    Ids,
    /// A table of comma-separated values.
    Csv,
    /// Requests for Elasticsearch's bulk interface; for `export`.
    EsBulk,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb; with CLICOLOR_FORCE always.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Adds arguments to a command.
type Augment = fn(clap::Command) -> clap::Command;

/// The commands, and what each adds to the command line.
const COMMANDS: &[(&str, Augment)] = &[
    ("show", Words::augment_args),
    ("search", Words::augment_args),
    ("card", Words::augment_args),
    ("term", Words::augment_args),
    ("eval", Eval::augment_args),
    ("calc", Calc::augment_args),
    ("history", Words::augment_args),
    ("diff", Diff::augment_args),
    ("cite", Cite::augment_args),
    ("faq", Faq::augment_args),
    ("batch", |command| command),
    ("export", |command| command),
    ("completions", Completions::augment_args),
    ("man", Man::augment_args),
    ("add", Add::augment_args),
    ("ingest", Ingest::augment_args),
    ("status", |command| command),
    ("doctor", Doctor::augment_args),
];

/// The operations of `calc` and the keys of each, under a heading; `named` says what those take whose keys are names.
pub fn calc_keys(heading: &str, named: &str) -> String {
    let mut text = heading.to_owned();
    for op in calc::OPERATIONS {
        let keys = match calc::keys(op) {
            [] => named.to_owned(),
            keys => keys.join(" "),
        };
        text.push_str(&format!("\n  {op:<22}{keys}"));
    }
    text
}

/// Common options that are made only where a command line names one of them.
trait Group: Args + Default {
    /// What they are called there.
    const NAMES: &'static [&'static str];

    /// True when one of them may be among the arguments.
    fn is_named(args: &[OsString]) -> bool {
        let mut options = args.iter().filter_map(|arg| arg.to_str()?.strip_prefix('-'));
        options.any(|option| match option.strip_prefix('-') {
            Some(long) => Self::NAMES.contains(&long.split('=').next().unwrap_or_default()),
            // Several may stand behind one dash.
            None => Self::NAMES
                .iter()
                .any(|name| name.len() == 1 && option.contains(name)),
        })
    }

    /// Adds them to a command where they are named.
    fn add(command: clap::Command, args: &[OsString]) -> clap::Command {
        match Self::is_named(args) {
            true => Self::augment_args(command),
            false => command,
        }
    }

    /// What was read of them; the defaults where they are not named.
    fn read(matches: &mut clap::ArgMatches, args: &[OsString]) -> Result<Self, clap::Error> {
        match Self::is_named(args) {
            true => Self::from_arg_matches_mut(matches),
            false => Ok(Self::default()),
        }
    }
}

impl Group for Selection {
    const NAMES: &'static [&'static str] = &[
        "game", "lang", "document", "edition", "kind", "source", "card", "since", "until", "in",
    ];
}

impl Group for Extent {
    const NAMES: &'static [&'static str] = &[
        "n", "limit", "offset", "exact", "only", "tree", "context", "expand", "refs", "explain",
    ];
}

impl Group for Output {
    const NAMES: &'static [&'static str] = &[
        "format",
        "json",
        "t",
        "template",
        "template-file",
        "color",
        "width",
        "q",
        "quiet",
        "v",
        "verbose",
        "ui-lang",
    ];
}

/// Reads the command line.
///
/// clap makes every command and copies every common option into each of them, which costs more than a lookup. So
/// those options are moved before the command first, and only what this command line names is made. When that
/// does not parse, and for help, the whole command line is made, so that messages and help texts are clap's own.
///
/// Only the first word is taken for a command: `shiyi can I search my library` is no search for "my library".
///
/// # Errors
///
/// clap's, for what it cannot read and for `--help` and `--version`.
pub fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    let mut cli = parse_named(args).or_else(|_| parse_whole(args))?;
    let named = &mut cli.options.place.library;
    *named = named.take().filter(|path| !path.as_os_str().is_empty());
    Ok(cli)
}

fn parse_named(args: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = Typed::augment_args(Place::augment_args(clap::Command::new("shiyi")));
    command = Selection::add(command, args);
    command = Extent::add(command, args);
    command = Output::add(command, args);
    let (mut line, rest) = hoist(&command, args);
    let first = rest.first().and_then(|word| word.to_str());
    if let Some(&(name, add)) = first.and_then(|first| COMMANDS.iter().find(|(name, _)| *name == first)) {
        command = command.subcommand(add(clap::Command::new(name)));
    }
    line.extend(rest);
    let matches = command.try_get_matches_from_mut(line);
    // The process ends soon: taking the command line apart again would cost as much as building it.
    std::mem::forget(command);
    let mut matches = matches?;
    Ok(Cli {
        options: Options {
            place: Place::from_arg_matches_mut(&mut matches)?,
            selection: Selection::read(&mut matches, args)?,
            extent: Extent::read(&mut matches, args)?,
            output: Output::read(&mut matches, args)?,
        },
        command: match matches.subcommand_name() {
            Some(_) => Some(Command::from_arg_matches_mut(&mut matches)?),
            None => None,
        },
        typed: Typed::from_arg_matches_mut(&mut matches)?,
    })
}

/// The command line with everything that may stand on it.
pub fn whole() -> clap::Command {
    Cli::command().mut_args(|arg| match arg.is_positional() {
        true => arg,
        false => arg.global(true),
    })
}

fn parse_whole(args: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = whole();
    let mut matches = command.try_get_matches_from_mut(args)?;
    let cli = Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
    if cli.command.is_some() && !cli.typed.words.is_empty() {
        let message = "a command stands before all other words";
        return Err(command.error(clap::error::ErrorKind::ArgumentConflict, message));
    }
    Ok(cli)
}

/// The program's name with the common options that stand anywhere before a `--`, and the rest, each in their order.
fn hoist(command: &clap::Command, args: &[OsString]) -> (Vec<OsString>, Vec<OsString>) {
    let takes_value = |arg: &clap::Arg| arg.get_action().takes_values();
    let long = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
    let short = |name: char| command.get_arguments().find(|arg| arg.get_short() == Some(name));
    let (mut front, mut rest) = (Vec::new(), Vec::new());
    front.extend(args.first().cloned());
    let mut args = args.iter().skip(1);
    while let Some(arg) = args.next() {
        let text = arg.to_str().unwrap_or_default();
        if text == "--" {
            rest.push(arg.clone());
            rest.extend(args.cloned());
            break;
        }
        // Whether it is a common option, and whether its value is the next argument.
        let (common, value_follows) = match (text.strip_prefix("--"), text.strip_prefix('-')) {
            (Some(name), _) => match name.split_once('=') {
                Some((name, _)) => (long(name).is_some(), false),
                None => (long(name).is_some(), long(name).is_some_and(takes_value)),
            },
            (None, Some(name)) => {
                let first = name.chars().next().and_then(short);
                let alone = name.chars().count() == 1;
                (
                    first.is_some_and(|arg| alone || takes_value(arg)),
                    alone && first.is_some_and(takes_value),
                )
            }
            (None, None) => (false, false),
        };
        // `-1/-1=2` is a KEY=VALUE.
        let signed = text.starts_with('-')
            && text[1..].starts_with(|c: char| c.is_ascii_digit())
            && text.contains('=');
        if signed && !rest.iter().any(|arg| arg == "--") {
            rest.push("--".into());
        }
        let list = if common { &mut front } else { &mut rest };
        list.push(arg.clone());
        if value_follows {
            list.extend(args.next().cloned());
        }
    }
    (front, rest)
}

/// The words of a command line, without the options that are common to all commands.
pub fn words_of(args: &[OsString]) -> Vec<String> {
    let (_, rest) = hoist(&Options::augment_args(clap::Command::new("shiyi")), args);
    let words = rest.iter().filter_map(|word| word.to_str());
    words
        .filter(|word| !word.starts_with('-'))
        .map(str::to_owned)
        .collect()
}

/// True for the letter of an option that has a value, of any command.
pub fn takes_value(letter: char) -> bool {
    let of = |command: clap::Command| {
        let mut args = command.get_arguments();
        args.any(|arg| arg.get_short() == Some(letter) && arg.get_action().takes_values())
    };
    of(Options::augment_args(clap::Command::new("shiyi")))
        || of(FaqBuild::augment_args(clap::Command::new("build")))
}

/// The names of all commands, for hints.
pub fn command_names() -> Vec<String> {
    COMMANDS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_quick_way_reads_what_clap_reads() {
        for line in [
            "shiyi cite check --edition 2 a.md b.md",
            "shiyi --json cite upgrade a.md --from 1 --to 2 --dry-run",
            "shiyi fow 702.3a",
            "shiyi --library L show X",
            "shiyi X --json -n 3",
            "shiyi search a b -n3 --kind rule --kind=term -q",
            "shiyi eval x --value -3 --game fow --noun y",
            "shiyi -- -1/-1",
            "shiyi search -- --json",
            "shiyi calc damage base=1 --game fow",
            "shiyi --lang zh faq build a.md -o b.md --ui-lang en",
            "shiyi faq check --json a.md b.md",
            "shiyi faq new fow x y -n 3 -o a.md",
            "shiyi ingest --strict --library L",
            "shiyi status",
            "shiyi show 1 -t x --explain",
            "shiyi completions bash",
            "shiyi man show",
            "shiyi export --format es-bulk --game fow -n 2",
            "shiyi doctor --rules --game mtg",
        ] {
            let quick = format!("{:?}", parse_named(&args(line)).unwrap());
            assert_eq!(
                quick,
                format!("{:?}", parse_whole(&args(line)).unwrap()),
                "{line}"
            );
        }
        for line in [
            "shiyi --only --tree x",
            "shiyi show",
            "shiyi --kind",
            "shiyi search x --colour red",
            "shiyi x search y --colour red",
            "shiyi x eval y --noun z",
        ] {
            assert!(parse(&args(line)).is_err(), "{line}");
        }
    }

    #[test]
    fn a_group_has_the_names_of_its_options() {
        fn assert_named<G: Group>() {
            let made = G::augment_args(clap::Command::new("shiyi"));
            let names: Vec<String> = made
                .get_arguments()
                .flat_map(|arg| {
                    let short = arg.get_short().map(String::from);
                    short.into_iter().chain(arg.get_long().map(str::to_owned))
                })
                .collect();
            assert_eq!(names, G::NAMES);
        }
        assert_named::<Selection>();
        assert_named::<Extent>();
        assert_named::<Output>();
        assert!(Output::is_named(&args("shiyi a -xq")) && !Output::is_named(&args("shiyi json - -n")));
    }

    #[test]
    fn a_key_may_begin_with_a_sign() {
        let cli = parse(&args("shiyi calc cancel_counters +1/+1=4 -1/-1=6 --json")).unwrap();
        let Some(Command::Calc(calc)) = cli.command else {
            panic!("{cli:?}")
        };
        assert_eq!(calc.pairs, ["+1/+1=4", "-1/-1=6"]);
        assert!(cli.options.output.json);
    }

    #[test]
    fn every_command_has_its_arguments() {
        let whole = Cli::command();
        let names: Vec<&str> = whole.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, command_names());
        for (name, add) in COMMANDS {
            let ids = |command: &clap::Command| -> Vec<String> {
                let commands = command
                    .get_subcommands()
                    .map(|command| command.get_name().to_owned());
                let args = command.get_arguments().map(|arg| arg.get_id().to_string());
                commands.chain(args).collect()
            };
            let made = add(clap::Command::new(*name));
            assert_eq!(ids(&made), ids(whole.find_subcommand(name).unwrap()), "{name}");
        }
    }

    #[test]
    fn only_the_first_word_is_a_command() {
        let cli = parse(&args("shiyi can I search my library --json")).unwrap();
        assert!(cli.command.is_none() && cli.options.output.json);
        assert_eq!(cli.typed.words, ["can", "I", "search", "my", "library"]);
    }
}
