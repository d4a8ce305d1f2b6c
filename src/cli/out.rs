//! The only writer to stdout and stderr.
//!
//! A closed pipe ends the program quietly with 0; any other failure to write (a full disk) is exit code 2.

use std::io::{self, BufWriter, Write};

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

/// Answers go to stdout, notices to stderr; with `quiet` neither.
pub struct Out {
    answers: BufWriter<io::Stdout>,
    quiet: bool,
}

impl Out {
    /// A writer; one that says nothing when `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self {
            answers: BufWriter::new(io::stdout()),
            quiet,
        }
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
        Ok(self.answers.write_all(text.as_bytes())?)
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
        Ok(self.answers.flush()?)
    }

    /// Says something to the person at the terminal. That it cannot be said is no error.
    pub fn notice(&mut self, text: &str) {
        if !self.quiet {
            // What was answered before stands before it.
            let _ = self.answers.flush();
            complain(text);
        }
    }
}

/// Writes a line to stderr; used where there is no [`Out`] or it is quiet and this is an error.
pub fn complain(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = writeln!(stderr, "{}", text.trim_end());
}
