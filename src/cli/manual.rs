//! `shiyi completions` and `shiyi man`: made of the command line itself, so that they cannot lag behind it.

use super::args::{command_names, whole};
use super::ask::AskError;
use super::{FOUND, Failure, Session};

impl Session {
    /// What completes commands and options in a shell.
    pub(super) fn completions(&mut self, shell: clap_complete::Shell) -> Result<u8, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut whole(), "shiyi", &mut script);
        self.out.write(&String::from_utf8_lossy(&script))?;
        Ok(FOUND)
    }

    /// A page of the manual, as `man` reads it: of the program, or of one of its commands.
    pub(super) fn man(&mut self, command: Option<&str>) -> Result<u8, Failure> {
        let mut page = whole();
        page.build();
        if let Some(name) = command {
            let Some(found) = page.find_subcommand(name) else {
                let message = format!("there is no command `{name}`");
                let known = command_names().join(", ");
                return Err(AskError::usage("usage", message, format!("known: {known}")).into());
            };
            page = found.clone();
        }
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = clap_mangen::Man::new(page).render(&mut text);
        self.out.write(&String::from_utf8_lossy(&text))?;
        Ok(FOUND)
    }
}
