//! Prompts on stderr that take effect on Enter. Another thread reads the line, because the main
//! thread handles Ctrl-C.

use super::saved_modes::{SavedModes, discard_typed, resumed};
use super::{Ui, align_rows, visible};
use crate::error::{Error, Kind, Result};
use crate::signal::wait_for_signal;
use console::{Term, truncate_str};
use dialoguer::FuzzySelect;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{BufRead, BufReader, ErrorKind, Result as IoResult};

/// The greatest number of rows of a menu that are visible at a time.
const MAX_ROWS: usize = 15;
/// The width to which the cells of a menu are cut, so that several fit.
const MAX_CELL_WIDTH: usize = 28;
/// The columns that a row of a menu cannot use: two for the marker before it, and a free one at its
/// end, because some terminals wrap a full line.
const MENU_MARGIN: usize = 3;

/// Whether the terminal shows the text that the user types.
#[derive(PartialEq, Eq)]
enum Echo {
    On,
    Off,
}

impl Ui {
    /// Fails if the user can't be prompted for this change; `flags` confirm without a prompt.
    ///
    /// # Errors
    /// `Usage` without a terminal or with `--no-input`.
    pub fn require_person(&self, change: &str, flags: &str) -> Result<()> {
        if self.may_prompt() {
            return Ok(());
        }
        // The change begins a question.
        let change = with_first_letter(change, str::to_lowercase);
        Err(
            Error::usage(format!("confirmation required: {change}")).with_hint(format!(
                "let a person confirm at a terminal, or pass {flags} if a person has said so"
            )),
        )
    }

    /// Asks a yes-no question. No is the default, and becomes an error.
    ///
    /// # Errors
    /// `Error` if the answer is no or Ctrl-D, `Interrupted` on Ctrl-C.
    pub async fn confirm(&self, question: &str) -> Result<()> {
        let parse_answer = |answer: &str| match answer.to_ascii_lowercase().as_str() {
            "y" | "yes" => Some(true),
            "" | "n" | "no" => Some(false),
            _ => None,
        };
        let question = format!("{question} [y/N]");
        self.confirm_with(&question, "Type y or n, then press Enter.", parse_answer)
            .await
    }

    /// Asks the user to type one of `words` in any letter case, to confirm a change that can't be
    /// undone. The question shows the first word.
    ///
    /// # Errors
    /// `Error` if the line is empty or Ctrl-D, `Interrupted` on Ctrl-C.
    pub async fn confirm_by_typing(&self, question: &str, words: &[&str]) -> Result<()> {
        // As the question shows it: escapes of hidden characters can be typed on any keyboard.
        let words: Vec<_> = words.iter().map(|word| visible(word.trim())).collect();
        let parse_answer = |answer: &str| {
            let is_word = |word: &Cow<'_, str>| word.to_lowercase() == answer.to_lowercase();
            match answer {
                "" => Some(false),
                _ => words.iter().any(is_word).then_some(true),
            }
        };
        let word = words.first().map_or("", |word| word);
        let question = format!("{question} Type {word} to confirm:");
        let explanation = format!("Type {word} to confirm, or press Enter to cancel.");
        self.confirm_with(&question, &explanation, parse_answer)
            .await
    }

    /// Asks until `parse_answer` returns a yes or a no. If it returns None, the user sees the
    /// `explanation`. Text typed before the question is discarded, and Ctrl-D is an empty line.
    async fn confirm_with(
        &self,
        question: &str,
        explanation: &str,
        parse_answer: impl Fn(&str) -> Option<bool>,
    ) -> Result<()> {
        loop {
            discard_typed();
            let line = self.ask_line(question).await?.unwrap_or_default();
            match parse_answer(line.trim()) {
                Some(true) => return Ok(()),
                Some(false) => {
                    let message = "canceled; no changes were made";
                    return Err(Error::new(Kind::Error, message));
                }
                None => self.announce(explanation),
            }
        }
    }

    /// Asks for a line until `check` accepts it. Only `Usage`, `Invalid` and `Auth` errors of
    /// `check` lead to another prompt.
    ///
    /// # Errors
    /// `Interrupted` if the user cancels, and any other error of `check`.
    pub async fn ask<T>(&self, question: &str, check: impl Fn(&str) -> Result<T>) -> Result<T> {
        self.ask_until_valid(question, Echo::On, check).await
    }

    /// Asks as `ask` does, but does not show what the user types.
    ///
    /// # Errors
    /// The errors of `ask`.
    pub async fn ask_secret<T>(
        &self,
        question: &str,
        check: impl Fn(&str) -> Result<T>,
    ) -> Result<T> {
        self.ask_until_valid(question, Echo::Off, check).await
    }

    async fn ask_until_valid<T>(
        &self,
        question: &str,
        echo: Echo,
        check: impl Fn(&str) -> Result<T>,
    ) -> Result<T> {
        loop {
            let line = if echo == Echo::Off {
                let line = self.ask_hidden_line(question).await?;
                line.ok_or_else(|| {
                    let message = "nothing was entered; no changes were made";
                    Error::new(Kind::Interrupted, message)
                })?
            } else {
                let line = self.ask_line(&format!("{question}:")).await?;
                line.ok_or_else(interrupted_before_changes)?
            };
            if line.trim().is_empty() {
                self.announce("Enter a value.");
                continue;
            }
            match check(line.trim()) {
                Err(error) if matches!(error.kind, Kind::Usage | Kind::Invalid | Kind::Auth) => {
                    self.error(&error.message);
                    for hint in &error.hints {
                        self.hint(hint.clone());
                    }
                }
                result => return result,
            }
        }
    }

    /// Lets the user choose a row, with the arrow keys from the row `first` or by typing letters of
    /// it, and returns its index.
    ///
    /// # Errors
    /// `Interrupted` if the user cancels.
    pub async fn choose(&self, prompt: &str, rows: &[Vec<String>], first: usize) -> Result<usize> {
        let term = Term::stderr();
        let (height, width) = term.size();
        let lines = self.menu_lines(rows, width.into());
        // Two lines are left for the prompt above the rows and the cursor below them.
        let shown = usize::from(height).saturating_sub(2).clamp(1, MAX_ROWS);
        let count = rows.len();
        let menu_prompt = format!(
            "{prompt} ({} of {count}, type to search):",
            shown.min(count)
        );
        let items = lines.clone();
        let _saved_modes = SavedModes::without_echo();
        let picked = on_thread(move || {
            FuzzySelect::new()
                .with_prompt(menu_prompt)
                .items(items)
                .default(first)
                .max_length(shown)
                .highlight_matches(false)
                .report(false)
                .interact_opt()
        })
        .await;
        let _ = term.show_cursor();
        let picked = picked?.map_err(|dialoguer::Error::IO(error)| prompt_error(&error))?;
        let index = picked.ok_or_else(interrupted_before_changes)?;
        let cells = rows[index].iter().filter(|cell| !cell.is_empty());
        let cells: Vec<&str> = cells.map(String::as_str).collect();
        self.announce(&format!("{prompt}: {}", cells.join("  ")));
        Ok(index)
    }

    /// Returns a line for each row, cut to the terminal, with aligned columns. Rows that would look
    /// the same are not cut.
    fn menu_lines(&self, rows: &[Vec<String>], width: usize) -> Vec<String> {
        let draw = |cell_width| {
            let cells = |row: &Vec<String>| {
                let cells = row.iter().map(|cell| self.safe_text(cell));
                let cut = cells.map(|cell| truncate_str(&cell, cell_width, "…").into_owned());
                cut.collect()
            };
            align_rows(rows.iter().map(cells).collect(), None)
        };
        let width = width.saturating_sub(MENU_MARGIN).max(1);
        let lines = draw(MAX_CELL_WIDTH).into_iter();
        let lines: Vec<String> = lines
            .map(|line| truncate_str(&line, width, "…").into_owned())
            .collect();
        let different: HashSet<&String> = lines.iter().collect();
        if different.len() == rows.len() {
            lines
        } else {
            draw(usize::MAX)
        }
    }

    /// Asks for a line; None if Ctrl-D ends it.
    async fn ask_line(&self, question: &str) -> Result<Option<String>> {
        let terminal = self.terminal_for_prompts();
        let read = || match terminal {
            Some(terminal) => read_line(BufReader::new(terminal)),
            None => read_line(std::io::stdin().lock()),
        };
        self.ask_with(question, read).await
    }

    /// Asks for a line that doesn't show; None if it is empty, or Ctrl-D ends it.
    async fn ask_hidden_line(&self, question: &str) -> Result<Option<String>> {
        let _saved_modes = SavedModes::without_echo();
        let question = format!("{question}:");
        let line = self.ask_with(&question, || {
            let line = read_hidden_line()?;
            Ok(line.filter(|line| !line.trim().is_empty()))
        });
        let line = line.await;
        // Text that was pasted after the line is part of the same secret: no later prompt may read
        // it.
        discard_typed();
        line
    }

    /// Shows the question, also each time that the user suspends and resumes the program, and
    /// returns what `read` reads.
    async fn ask_with(
        &self,
        question: &str,
        read: impl FnOnce() -> IoResult<Option<String>> + Send + 'static,
    ) -> Result<Option<String>> {
        let question = format!("{} ", self.wrapped(&self.safe_text(question)));
        let show = || Term::stderr().write_str(&question);
        show().map_err(|error| prompt_error(&error))?;
        let reading = on_thread(read);
        tokio::pin!(reading);
        let line = loop {
            tokio::select! {
                line = &mut reading => break line,
                () = resumed() => show().map_err(|error| prompt_error(&error))?,
            }
        };
        // The cursor is still behind the question.
        if !matches!(line, Ok(Ok(Some(_)))) {
            let _ = Term::stderr().write_line("");
        }
        line?.map_err(|error| prompt_error(&error))
    }
}

/// Returns a text whose first letter is changed.
pub fn with_first_letter(text: &str, change: fn(&str) -> String) -> String {
    let (first, rest) = text.split_at_checked(1).unwrap_or_default();
    change(first) + rest
}

/// Reads a line; None if the input ends before a line break.
fn read_line(mut input: impl BufRead) -> IoResult<Option<String>> {
    let mut line = Vec::new();
    input.read_until(b'\n', &mut line)?;
    Ok(line
        .ends_with(b"\n")
        .then(|| String::from_utf8_lossy(&line).trim_end().into()))
}

/// Reads a line that doesn't show. On Unix, [`SavedModes`] keeps the echo off: a thread that turned it
/// off itself could do so after Ctrl-C.
fn read_hidden_line() -> IoResult<Option<String>> {
    if cfg!(unix) {
        let line = read_line(std::io::stdin().lock())?;
        Term::stderr().write_line("")?;
        Ok(line)
    } else {
        Term::stderr().read_secure_line().map(Some)
    }
}

fn prompt_error(error: &std::io::Error) -> Error {
    match error.kind() {
        // Ctrl-C in a menu, whose signal may come later.
        ErrorKind::Interrupted => interrupted_before_changes(),
        _ => Error::new(Kind::Error, format!("could not prompt: {error}")),
    }
}

/// Runs the work on another thread. On Ctrl-C the work is abandoned and ends with the program.
///
/// # Errors
/// `Interrupted` on Ctrl-C.
pub async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::select! {
        // In this order, so that `wait_for_signal` listens before the work starts: a hidden prompt sends
        // the signal of Ctrl-C itself, which would end the program if nothing listened.
        biased;
        () = wait_for_signal() => Err(interrupted_before_changes()),
        result = async { tokio::task::spawn_blocking(work).await } => Ok(result?),
    }
}

/// Returns the error of Ctrl-C before any request that changes something.
pub fn interrupted_before_changes() -> Error {
    Error::new(Kind::Interrupted, "interrupted; no changes were made")
}
