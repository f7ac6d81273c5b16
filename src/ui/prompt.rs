//! Questions to a person. Asked on stderr, so that stdout stays data.

use super::{Ui, visible};
use crate::error::{Error, Kind, Result};
use dialoguer::{Confirm, Input};

impl Ui {
    /// Asks whether to go on; `flag` answers in the person's place. No is the default, and an error.
    ///
    /// # Errors
    /// `Usage` where nobody can be asked; `Error` where the answer is no.
    pub fn confirm(&self, question: &str, flag: &str) -> Result<()> {
        self.require_person(question, flag)?;
        match Confirm::new().with_prompt(visible(question)).default(false).interact() {
            Ok(true) => Ok(()),
            Ok(false) => Err(declined()),
            Err(error) => Err(unanswered(&error)),
        }
    }

    /// Asks the person to type `word`, for what cannot be taken back.
    ///
    /// # Errors
    /// As `confirm`.
    pub fn confirm_by_typing(&self, question: &str, word: &str, flag: &str) -> Result<()> {
        self.require_person(question, flag)?;
        let prompt = format!("{} (type {} to go on)", visible(question), visible(word));
        match Input::<String>::new().with_prompt(prompt).allow_empty(true).interact_text() {
            Ok(typed) if typed.trim() == word => Ok(()),
            Ok(_) => Err(declined()),
            Err(error) => Err(unanswered(&error)),
        }
    }

    /// Asks for a line of text that is not blank.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub fn ask(&self, question: &str) -> Result<String> {
        let blank = |text: &String| if text.trim().is_empty() { Err("it can't be blank") } else { Ok(()) };
        let answer = Input::<String>::new().with_prompt(visible(question)).validate_with(blank).interact_text();
        answer.map_err(|error| unanswered(&error))
    }

    fn require_person(&self, question: &str, flag: &str) -> Result<()> {
        if self.may_prompt() {
            return Ok(());
        }
        let question = question.trim_end_matches('?');
        Err(Error::usage(format!("{question}: this needs a confirmation, and there is no terminal to ask on"))
            .hint(format!("add {flag} to go on without being asked")))
    }
}

fn declined() -> Error {
    Error::new(Kind::Error, "not confirmed; nothing was changed")
}

fn unanswered(error: &dialoguer::Error) -> Error {
    // A prompt that is broken off leaves the cursor hidden.
    let _ = console::Term::stderr().show_cursor();
    let dialoguer::Error::IO(error) = error;
    match error.kind() {
        std::io::ErrorKind::Interrupted | std::io::ErrorKind::UnexpectedEof => {
            Error::new(Kind::Interrupted, "interrupted; nothing was changed")
        }
        _ => Error::new(Kind::Error, format!("could not ask: {error}")),
    }
}
