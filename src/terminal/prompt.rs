//! Questions to a person. Asked on stderr, so that stdout stays data; an answer takes effect on Enter.

use super::kept::Kept;
#[cfg(unix)]
use super::kept::discard_typed;
use super::menu::pick;
use super::waiting::{beside, interrupted};
use super::{Ui, visible};
use crate::error::{Error, Kind, Result};
use std::io::BufRead;

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
    /// `Error` where the answer is no or Ctrl-D, `Interrupted` on Ctrl-C.
    pub async fn confirm(&self, question: &str) -> Result<()> {
        loop {
            let answer = self.confirmation(&format!("{question} [y/N]")).await?;
            match answer.unwrap_or_default().trim().to_ascii_lowercase().as_str() {
                "y" | "yes" => return Ok(()),
                "" | "n" | "no" => return Err(declined()),
                _ => self.announce("type y or n, then Enter"),
            }
        }
    }

    /// Asks the person to type `word`, for what cannot be taken back.
    ///
    /// # Errors
    /// As `confirm`.
    pub async fn confirm_by_typing(&self, question: &str, word: &str) -> Result<()> {
        match self.confirmation(&format!("{question} (type {} to go on):", typable(word))).await? {
            Some(typed) if is_meant(&typed, word) => Ok(()),
            _ => Err(declined()),
        }
    }

    /// Asks for a line that `check` accepts; what it refuses is asked for again. What is `secret` does not show.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub async fn ask<T>(&self, question: &str, secret: bool, check: impl Fn(&str) -> Result<T>) -> Result<T> {
        let _kept = secret.then(Kept::without_echo);
        loop {
            let typed = self.line(&format!("{question}:"), secret).await?.ok_or_else(interrupted)?;
            match check(typed.trim()) {
                _ if typed.trim().is_empty() => self.announce("it can't be blank"),
                Ok(value) => return Ok(value),
                Err(error) => {
                    self.error(&error.message);
                    error.hint.iter().for_each(|hint| self.hint(hint));
                }
            }
        }
    }

    /// Lets the person choose one of these rows, with the arrow keys or by typing a part of it, and says which it was.
    ///
    /// # Errors
    /// `Interrupted` where the person gives up.
    pub async fn choose(&self, what: &str, rows: &[Vec<String>]) -> Result<usize> {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| self.shown(cell)).collect()).collect();
        let (what, kept, term) = (self.shown(what), Kept::without_echo(), console::Term::stderr());
        let _ = term.hide_cursor();
        let picked = beside(move || pick(&what, &rows)).await;
        let _ = term.show_cursor();
        drop(kept);
        picked?.map_err(|error| unasked(&error))?.ok_or_else(interrupted)
    }

    /// The answer to what confirms a change. What was typed before it was asked is not meant for it.
    async fn confirmation(&self, question: &str) -> Result<Option<String>> {
        #[cfg(unix)]
        discard_typed();
        self.line(question, false).await
    }

    /// The line that a person types; none where Ctrl-D ends it.
    async fn line(&self, question: &str, secret: bool) -> Result<Option<String>> {
        let term = console::Term::stderr();
        term.write_str(&format!("{} ", self.shown(question))).map_err(|error| unasked(&error))?;
        let typed = beside(move || read(secret)).await;
        if secret || !matches!(typed, Ok(Ok(Some(_)))) {
            let _ = term.write_line("");
        }
        #[cfg(unix)]
        if secret {
            // What follows the line is part of the same secret.
            discard_typed();
        }
        typed?.map_err(|error| unasked(&error))
    }
}

/// Reads to the end of the line.
fn read(#[cfg_attr(unix, expect(unused_variables))] secret: bool) -> std::io::Result<Option<String>> {
    #[cfg(not(unix))]
    if secret {
        return console::Term::stderr().read_secure_line().map(Some);
    }
    let mut line = Vec::new();
    std::io::stdin().lock().read_until(b'\n', &mut line)?;
    Ok(line.ends_with(b"\n").then(|| String::from_utf8_lossy(&line).trim_end().into()))
}

/// Whether what was typed is this word, as it is or as it is shown.
fn is_meant(typed: &str, word: &str) -> bool {
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

fn unasked(error: &std::io::Error) -> Error {
    Error::new(Kind::Error, format!("could not ask: {error}"))
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
