//! Prompts on stderr that take effect on Enter. Another thread reads the line, because the main thread handles Ctrl-C.

use super::menu::pick;
use super::saved_modes::{SavedModes, discard_typed};
use super::{Ui, visible};
use crate::error::{Error, Kind, Result};
use crate::signal::stopped;
use dialoguer::Password;
use std::io::{BufRead, Result as IoResult};

impl Ui {
    /// Fails if the user can't be prompted; `flags` confirm without a prompt.
    ///
    /// # Errors
    /// `Usage` without a terminal or with `--no-input`.
    pub fn require_person(&self, what: &str, flags: &str) -> Result<()> {
        if self.may_prompt {
            return Ok(());
        }
        Err(Error::usage(format!("confirmation required: {what}"))
            .with_hint(format!("pass {flags} when not running interactively")))
    }

    /// Asks a yes-no question. No is the default, and an error.
    ///
    /// # Errors
    /// `Error` if the answer is no or Ctrl-D, `Interrupted` on Ctrl-C.
    pub async fn confirm(&self, question: &str) -> Result<()> {
        let decide = |answer: &str| match answer.to_ascii_lowercase().as_str() {
            "y" | "yes" => Some(true),
            "" | "n" | "no" => Some(false),
            _ => None,
        };
        self.decide(
            &format!("{question} [y/N]"),
            "Type y or n, then press Enter.",
            decide,
        )
        .await
    }

    /// Asks the user to type `word`, to confirm a change that can't be undone.
    ///
    /// # Errors
    /// As `confirm`.
    pub async fn confirm_by_typing(&self, question: &str, word: &str) -> Result<()> {
        // The word as it is shown, which any keyboard can type.
        let word = visible(word.trim());
        let decide = |typed: &str| (typed.is_empty() || typed == word).then_some(typed == word);
        let again = format!("Type {word} to confirm, or press Enter to cancel.");
        self.decide(
            &format!("{question} Type {word} to confirm:"),
            &again,
            decide,
        )
        .await
    }

    /// Asks until `decide` understands the line; text typed before the question is discarded, and Ctrl-D is empty.
    async fn decide(
        &self,
        question: &str,
        again: &str,
        decide: impl Fn(&str) -> Option<bool>,
    ) -> Result<()> {
        loop {
            discard_typed();
            match decide(self.line(question).await?.unwrap_or_default().trim()) {
                Some(true) => return Ok(()),
                Some(false) => {
                    return Err(
                        Error::new(Kind::Error, "not confirmed").with_hint("No changes were made.")
                    );
                }
                None => self.announce(again),
            }
        }
    }

    /// Asks for a line until `check` accepts it. A `secret` doesn't show. Only `Usage`, `Invalid` and `Auth` errors of
    /// `check` lead to another prompt.
    ///
    /// # Errors
    /// `Interrupted` if the user cancels, and any other error of `check`.
    pub async fn ask<T>(
        &self,
        question: &str,
        secret: bool,
        check: impl Fn(&str) -> Result<T>,
    ) -> Result<T> {
        loop {
            let typed = match secret {
                true => self.hidden_line(question).await?,
                false => self.line(&format!("{question}:")).await?,
            };
            let typed = typed.ok_or_else(interrupted)?;
            if typed.trim().is_empty() {
                self.announce("Enter a value.");
                continue;
            }
            match check(typed.trim()) {
                Err(error) if matches!(error.kind, Kind::Usage | Kind::Invalid | Kind::Auth) => {
                    self.error(&error.message);
                    error.hint.iter().for_each(|hint| self.hint(hint));
                }
                checked => return checked,
            }
        }
    }

    /// Lets the user choose a row, with the arrow keys or by typing a part of it, and returns its number.
    ///
    /// # Errors
    /// `Interrupted` if the user cancels.
    pub async fn choose(&self, what: &str, rows: &[Vec<String>]) -> Result<usize> {
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| self.shown(cell)).collect())
            .collect();
        let (what, kept, term) = (
            self.shown(what),
            SavedModes::without_echo(),
            console::Term::stderr(),
        );
        let _ = term.hide_cursor();
        let picked = on_thread(move || pick(&what, &rows)).await;
        let _ = term.show_cursor();
        drop(kept);
        picked?
            .map_err(|error| unasked(&error))?
            .ok_or_else(interrupted)
    }

    /// Asks for a line; none if Ctrl-D ends it.
    async fn line(&self, question: &str) -> Result<Option<String>> {
        let term = console::Term::stderr();
        term.write_str(&format!("{} ", self.shown(question)))
            .map_err(|error| unasked(&error))?;
        let typed = on_thread(read_line).await;
        if !matches!(typed, Ok(Ok(Some(_)))) {
            let _ = term.write_line("");
        }
        typed?.map_err(|error| unasked(&error))
    }

    /// Asks for a line that doesn't show; none if it is empty, or Ctrl-D ends it.
    async fn hidden_line(&self, question: &str) -> Result<Option<String>> {
        let _kept = SavedModes::without_echo();
        let question = self.shown(question);
        let typed = on_thread(|| {
            Password::new()
                .with_prompt(question)
                .allow_empty_password(true)
                .interact()
        })
        .await;
        // The text after the line is part of the same secret.
        discard_typed();
        let line = typed?.map_err(|dialoguer::Error::IO(error)| unasked(&error))?;
        Ok(Some(line).filter(|line| !line.trim().is_empty()))
    }
}

fn read_line() -> IoResult<Option<String>> {
    let mut line = Vec::new();
    std::io::stdin().lock().read_until(b'\n', &mut line)?;
    Ok(line
        .ends_with(b"\n")
        .then(|| String::from_utf8_lossy(&line).trim_end().into()))
}

fn unasked(error: &std::io::Error) -> Error {
    Error::new(Kind::Error, format!("could not prompt: {error}"))
}

/// Runs the work on another thread. On Ctrl-C the work is abandoned and ends with the program.
///
/// # Errors
/// `Interrupted` on Ctrl-C.
pub async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::select! {
        // In this order, because the work itself may send the signal, which must not end the program.
        biased;
        () = stopped() => Err(interrupted()),
        done = async { tokio::task::spawn_blocking(work).await } => Ok(done?),
    }
}

/// Returns the error of Ctrl-C before any request was sent.
pub fn interrupted() -> Error {
    Error::new(Kind::Interrupted, "interrupted; no changes were made")
}
