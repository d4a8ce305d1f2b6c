//! Parses its arguments and does nothing.

use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Show { words: Vec<String> },
    Search { words: Vec<String> },
    Card { words: Vec<String> },
    Term { words: Vec<String> },
    Eval { words: Vec<String> },
    Ingest,
    Status,
}

fn main() {
    match Arguments::parse().command {
        Some(
            Command::Show { words }
            | Command::Search { words }
            | Command::Card { words }
            | Command::Term { words }
            | Command::Eval { words },
        ) => drop(words),
        Some(Command::Ingest | Command::Status) | None => {}
    }
}
