//! Questions to a person. Asked on stderr, so that stdout stays data.

use super::menu::{Menu, lines};
use super::waiting::{beside, interrupted};
use super::{Kept, Ui, visible};
use crate::error::{Error, Kind, Result};
use dialoguer::{Confirm, FuzzySelect, Input};

/// Rows of a list that are seen at a time.
const MOST_ROWS: usize = 15;

/// Why nobody is asked who has to confirm something.
pub const NOBODY: &str = "this needs a confirmation, and there is no terminal to ask on";

impl Ui {
    /// Refuses what nobody can be asked about, and why; `flags` answer in the person's place.
    ///
    /// # Errors
    /// `Usage` where there is no terminal, or nothing may be asked.
    pub fn require_person(&self, what: &str, why: &str, flags: &str) -> Result<()> {
        if self.may_prompt() {
            return Ok(());
        }
        Err(Error::usage(format!("{what}: {why}")).hint(format!("add {flags} to go on without being asked")))
    }

    /// Asks whether to go on. No is the default, and an error.
    ///
    /// # Errors
    /// `Error` where the answer is no, `Interrupted` where the person gives up.
    pub async fn confirm(&self, question: &str) -> Result<()> {
        let prompt = match self.fits(question, " [y/N] yes") {
            true => self.shown(question),
            false => "Go on?".into(),
        };
        match answered(|| Confirm::new().with_prompt(prompt).default(false).interact()).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(declined()),
            Err(error) => Err(broken_off(error)),
        }
    }

    /// Asks the person to type `word`, for what cannot be taken back.
    ///
    /// # Errors
    /// As `confirm`.
    pub async fn confirm_by_typing(&self, question: &str, word: &str) -> Result<()> {
        let wanted = format!("(type {} to go on)", typable(word));
        let prompt = match self.fits(question, &format!(" {wanted}: {word}")) {
            true => format!("{} {wanted}", self.shown(question)),
            false => wanted,
        };
        match answered(|| Input::<String>::new().with_prompt(prompt).allow_empty(true).interact_text()).await {
            Ok(typed) if is_meant(&typed, word) => Ok(()),
            Ok(_) => Err(declined()),
            Err(error) => Err(broken_off(error)),
        }
    }

    /// Whether a question and what follows it fit on one line, which is all that dialoguer clears when it has an answer. A
    /// longer question is said before the prompt.
    fn fits(&self, question: &str, rest: &str) -> bool {
        let width = usize::from(console::Term::stderr().size().1);
        let fits = console::measure_text_width(&format!("{}{}", self.shown(question), visible(rest))) < width;
        if !fits {
            self.announce(question);
        }
        fits
    }

    /// Asks for a line of text that is not blank.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub async fn ask(&self, question: &str) -> Result<String> {
        let blank = |text: &String| if text.trim().is_empty() { Err("it can't be blank") } else { Ok(()) };
        let prompt = self.shown(question);
        let answer = answered(move || Input::new().with_prompt(prompt).validate_with(blank).interact_text());
        answer.await.map_err(broken_off)
    }

    /// Lets the person choose one of these rows, with the arrow keys or by typing a part of it, and says which it was.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub async fn choose(&self, what: &str, rows: &[Vec<String>]) -> Result<usize> {
        let width = usize::from(console::Term::stderr().size().1);
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| self.masked(cell).into_owned()).collect()).collect();
        let (lines, color) = (lines(&rows, width), self.color);
        let (prompt, items) = (self.shown(what), lines.clone());
        let chosen = answered(move || {
            let theme = Menu { width };
            let list = FuzzySelect::with_theme(&theme).with_prompt(prompt).items(&items).default(0);
            list.max_length(MOST_ROWS).highlight_matches(color).interact_opt()
        });
        let place = chosen.await?.ok_or_else(interrupted)?;
        // Of lines that were cut to the same, dialoguer names the first.
        if lines.iter().filter(|line| **line == lines[place]).count() > 1 {
            let what = "several look like this here; make the terminal wider, or name it by its id";
            return Err(Error::new(Kind::Error, what));
        }
        Ok(place)
    }
}

/// Whether what was typed is this word, as it is or as it is shown.
pub fn is_meant(typed: &str, word: &str) -> bool {
    typed.trim() == typable(word) || (typed.trim() == word.trim() && !typed.trim().is_empty())
}

/// The word as it is shown, which any keyboard can type; of a blank one, that it is blank.
fn typable(word: &str) -> String {
    match visible(word.trim()).as_ref() {
        "" => "''".into(),
        word => word.into(),
    }
}

fn declined() -> Error {
    Error::new(Kind::Error, "not confirmed; nothing was changed")
}

/// What the person answers to this question of dialoguer's.
pub(super) async fn answered<T: Send + 'static>(
    question: impl FnOnce() -> dialoguer::Result<T> + Send + 'static,
) -> Result<T> {
    let kept = Kept::new();
    let answer =
        beside(question).await.and_then(|answer| answer.map_err(|dialoguer::Error::IO(error)| unasked(&error)));
    drop(kept);
    if answer.is_err() {
        // A prompt that is broken off leaves the cursor hidden.
        let _ = console::Term::stderr().show_cursor();
    }
    answer
}

/// A question that is broken off leaves its line open.
fn broken_off(error: Error) -> Error {
    let _ = console::Term::stderr().write_line("");
    error
}

pub(super) fn unasked(error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::Interrupted | std::io::ErrorKind::UnexpectedEof => interrupted(),
        _ => Error::new(Kind::Error, format!("could not ask: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::is_meant;

    #[test]
    fn a_word_is_typed_as_it_is_or_as_it_is_shown() {
        for (typed, word) in [
            ("live", "live"),
            (" live ", "live"),
            ("live", " live"),
            ("東京", "東京"),
            (r"a\u{1b}b", "a\u{1b}b"),
            ("a\u{1b}b", "a\u{1b}b"),
            (r"a\tb", "a\tb"),
            ("''", ""),
            ("''", " "),
        ] {
            assert!(is_meant(typed, word), "{typed} {word:?}");
        }
        for (typed, word) in [
            ("", ""),
            (" ", " "),
            ("", "live"),
            ("Live", "live"),
            ("liv", "live"),
            ("live live", "live"),
            ("ab", "a\u{1b}b"),
        ] {
            assert!(!is_meant(typed, word), "{typed:?} {word:?}");
        }
    }
}
