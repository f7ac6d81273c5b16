//! Questions to a person. Asked on stderr, so that stdout stays data.

use super::menu::{Menu, lines};
use super::{Ui, visible};
use crate::error::{Error, Kind, Result};
use dialoguer::{Confirm, FuzzySelect, Input};

/// Rows of a list that are seen at a time.
const MOST_ROWS: usize = 15;

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
            Err(error) => Err(broken_off(&error)),
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
            Err(error) => Err(broken_off(&error)),
        }
    }

    /// Asks for a line of text that is not blank.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub fn ask(&self, question: &str) -> Result<String> {
        let blank = |text: &String| if text.trim().is_empty() { Err("it can't be blank") } else { Ok(()) };
        let answer = Input::<String>::new().with_prompt(visible(question)).validate_with(blank).interact_text();
        answer.map_err(|error| broken_off(&error))
    }

    /// Lets the person choose one of these rows, with the arrow keys or by typing a part of it, and says which it was.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub fn choose(&self, what: &str, rows: &[Vec<String>]) -> Result<usize> {
        let width = usize::from(console::Term::stderr().size().1);
        let (lines, theme) = (lines(rows, width), Menu { width });
        let list = FuzzySelect::with_theme(&theme).with_prompt(visible(what)).items(&lines).default(0);
        match list.max_length(MOST_ROWS).highlight_matches(self.color).interact_opt() {
            // Of lines that were cut to the same, dialoguer names the first.
            Ok(Some(place)) if lines.iter().filter(|line| **line == lines[place]).count() > 1 => Err(Error::new(
                Kind::Error,
                "several look like this here; make the terminal wider, or name it by its id",
            )),
            Ok(Some(place)) => Ok(place),
            Ok(None) => Err(interrupted()),
            Err(error) => Err(unanswered(&error)),
        }
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

fn interrupted() -> Error {
    Error::new(Kind::Interrupted, "interrupted; nothing was changed")
}

/// A question that is broken off leaves its line open.
fn broken_off(error: &dialoguer::Error) -> Error {
    let _ = console::Term::stderr().write_line("");
    unanswered(error)
}

fn unanswered(error: &dialoguer::Error) -> Error {
    // A prompt that is broken off leaves the cursor hidden.
    let _ = console::Term::stderr().show_cursor();
    let dialoguer::Error::IO(error) = error;
    match error.kind() {
        std::io::ErrorKind::Interrupted | std::io::ErrorKind::UnexpectedEof => interrupted(),
        _ => Error::new(Kind::Error, format!("could not ask: {error}")),
    }
}
