//! The only writer to stdout and stderr.
//!
//! A closed pipe ends the program quietly with 0; any other failure to write (a full disk) is exit code 2.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// Why writing stopped.
#[derive(Debug)]
pub enum Stop {
    /// Nobody reads any more.
    ClosedPipe,
    /// It could not be written.
    Failed(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::ClosedPipe,
            _ => Stop::Failed(error),
        }
    }
}

/// Answers go to stdout, notices to stderr; with `quiet` neither. What is longer than a screen is paged at a terminal.
pub struct Out {
    sink: Sink,
    quiet: bool,
    /// What is said once the pager has left the terminal.
    notices: Vec<String>,
}

/// Where answers go.
enum Sink {
    Stdout(BufWriter<io::Stdout>),
    /// A terminal that has not been written to yet: it may become too much for one screen.
    Screen(Vec<u8>),
    Pager(Pager),
}

/// Lines of the smallest usual terminal, but for the prompt.
const SCREEN: usize = 23;

impl Out {
    /// A writer; one that says nothing when `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self {
            sink: Sink::Stdout(BufWriter::new(io::stdout())),
            quiet,
            notices: Vec::new(),
        }
    }

    /// A writer that pages, where a terminal reads it.
    pub fn paged(quiet: bool) -> Self {
        let mut out = Self::new(quiet);
        if io::stdout().is_terminal() {
            out.sink = Sink::Screen(Vec::new());
        }
        out
    }

    /// Writes a part of an answer.
    ///
    /// # Errors
    ///
    /// [`Stop`] when it cannot be written.
    pub fn write(&mut self, text: &str) -> Result<(), Stop> {
        if self.quiet {
            return Ok(());
        }
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write_all(text.as_bytes())?,
            Sink::Pager(pager) => pager.input.write_all(text.as_bytes())?,
            Sink::Screen(held) => {
                held.extend_from_slice(text.as_bytes());
                if held.iter().filter(|byte| **byte == b'\n').count() > SCREEN {
                    let held = std::mem::take(held);
                    self.sink = Pager::start()
                        .map_or_else(|| Sink::Stdout(BufWriter::new(io::stdout())), Sink::Pager);
                    match &mut self.sink {
                        Sink::Pager(pager) => pager.input.write_all(&held)?,
                        Sink::Stdout(stdout) => stdout.write_all(&held)?,
                        Sink::Screen(_) => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a line of an answer.
    ///
    /// # Errors
    ///
    /// [`Stop`] when it cannot be written.
    pub fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.write(text)?;
        self.write("\n")
    }

    /// Hands over what was written so far.
    ///
    /// # Errors
    ///
    /// [`Stop`] when it cannot be written.
    pub fn flush(&mut self) -> Result<(), Stop> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush()?,
            Sink::Pager(pager) => pager.input.flush()?,
            Sink::Screen(held) => {
                let mut stdout = BufWriter::new(io::stdout());
                stdout.write_all(held)?;
                stdout.flush()?;
                if !held.is_empty() {
                    self.sink = Sink::Stdout(stdout);
                }
            }
        }
        Ok(())
    }

    /// Hands over everything, and waits until it was read where it is paged.
    ///
    /// # Errors
    ///
    /// [`Stop`] when it cannot be written.
    pub fn finish(&mut self) -> Result<(), Stop> {
        let written = self.flush();
        if let Sink::Pager(_) = self.sink {
            let stdout = Sink::Stdout(BufWriter::new(io::stdout()));
            if let Sink::Pager(pager) = std::mem::replace(&mut self.sink, stdout) {
                pager.wait();
            }
            for notice in self.notices.drain(..) {
                complain(&notice);
            }
        }
        written
    }

    /// Says something to the person at the terminal. That it cannot be said is no error.
    pub fn notice(&mut self, text: &str) {
        if self.quiet {
            return;
        }
        if let Sink::Pager(_) = self.sink {
            self.notices.push(text.to_owned());
            return;
        }
        // What was answered before stands before it.
        let _ = self.flush();
        complain(text);
    }
}

/// The program that shows an answer screen by screen: `PAGER`, else `less`.
struct Pager {
    child: Child,
    input: BufWriter<ChildStdin>,
}

impl Pager {
    /// Starts it; none where there is none or none is wanted.
    fn start() -> Option<Pager> {
        let named = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
        let mut words = named.split_whitespace();
        let mut command = Command::new(words.next().filter(|name| *name != "cat")?);
        command.args(words).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            // Colours as they are; what fits on the screen needs no pager and stays there.
            command.env("LESS", "FRX");
        }
        let mut child = command.spawn().ok()?;
        let input = BufWriter::new(child.stdin.take()?);
        Some(Pager { child, input })
    }

    /// Waits until its reader has done.
    fn wait(mut self) {
        drop(self.input);
        let _ = self.child.wait();
    }
}

/// Writes a line to stderr; used where there is no [`Out`] or it is quiet and this is an error.
pub fn complain(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = writeln!(stderr, "{}", text.trim_end());
}
