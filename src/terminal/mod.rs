//! Owns stdout, stderr, prompts and progress, and decides which streams are terminals.

pub mod errors;
mod menu;
mod progress;
mod prompt;
mod saved_modes;
mod text;
mod trace;
mod visible;

use progress::Drawing;
pub use progress::{Bar, Bars, Counter};
pub use prompt::{interrupted, on_thread};
pub use saved_modes::SavedModes;
pub use text::{
    fold_for_search, format_bytes, pluralize, shell_arguments, shell_option, shell_quoted,
};
pub use visible::{is_hidden, visible, visible_json, visible_lines};

use crate::config::{Environment, Flags, Secret, use_color};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Talks to the user.
#[derive(Debug, Clone)]
pub struct Ui {
    /// Hides progress and hints.
    pub quiet: bool,
    /// How much of each HTTP exchange is shown: nothing, one line, or headers and bodies, too.
    pub verbose: u8,
    /// Whether the user can be prompted.
    pub may_prompt: bool,
    /// Whether stderr is colored.
    pub stderr_color: bool,
    /// Whether stdin is a terminal.
    pub stdin_terminal: bool,
    /// Whether stdout is colored.
    pub stdout_color: bool,
    /// Whether stdout is a terminal.
    pub stdout_terminal: bool,
    /// The width of stdout if it is a terminal.
    pub stdout_width: Option<usize>,
    stderr_terminal: bool,
    drawing: Drawing,
    /// The tokens, which are masked.
    secrets: Arc<Mutex<Vec<Secret>>>,
}

impl Ui {
    /// Inspects the three streams.
    pub fn new(flags: &Flags, env: &Environment) -> Self {
        let stdin_terminal = std::io::stdin().is_terminal();
        let stdout_terminal = std::io::stdout().is_terminal();
        let stderr_terminal = std::io::stderr().is_terminal();
        let width = || {
            console::Term::stdout()
                .size_checked()
                .map(|(_, columns)| usize::from(columns))
        };
        Self {
            quiet: flags.quiet,
            verbose: flags.verbose,
            may_prompt: !flags.no_input && stdin_terminal && stderr_terminal,
            stderr_color: use_color(flags.color, env, stderr_terminal),
            stdout_color: use_color(flags.color, env, stdout_terminal),
            stdin_terminal,
            stdout_terminal,
            stdout_width: if stdout_terminal { width() } else { None },
            stderr_terminal,
            drawing: Drawing::default(),
            secrets: Arc::default(),
        }
    }

    /// Masks this token from now on in all text for the user.
    pub fn keep_secret(&self, token: &Secret) {
        let mut secrets = self.secrets();
        if !secrets.contains(token) {
            secrets.push(token.clone());
        }
    }

    fn secrets(&self) -> MutexGuard<'_, Vec<Secret>> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the text without tokens.
    pub fn masked(&self, text: &str) -> String {
        self.secrets()
            .iter()
            .fold(text.into(), |text: String, token| {
                token.mask(&text).into_owned()
            })
    }

    /// Returns the text without tokens and without characters that would drive the terminal.
    fn shown(&self, text: &str) -> String {
        visible(&self.masked(text)).into_owned()
    }

    /// Prints a line that `--quiet` doesn't hide.
    pub fn announce(&self, text: &str) {
        self.say(&visible(text));
    }

    /// Prints a line on stderr.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.say(&visible(text));
        }
    }

    /// Prints what to do next.
    pub fn hint(&self, text: &str) {
        if !self.quiet {
            self.say(&format!("{} {}", self.paint("hint:", "36"), visible(text)));
        }
    }

    /// Prints a warning.
    pub fn warn(&self, text: &str) {
        self.say(&format!(
            "{} {}",
            self.paint("warning:", "33"),
            visible(text)
        ));
    }

    /// Prints what failed.
    pub fn error(&self, text: &str) {
        self.say(&format!(
            "{} {}",
            self.paint("error:", "1;31"),
            visible(text)
        ));
    }

    /// Prints a line below an error.
    pub fn detail(&self, text: &str) {
        self.say(&format!("  {}", visible(text)));
    }

    /// Prints a line on stderr that is already escaped.
    pub fn say(&self, line: &str) {
        self.drawing.say(&self.masked(line));
    }

    fn paint(&self, text: &str, code: &str) -> String {
        painted(self.stderr_color, text, code)
    }
}

/// Returns the text in the color of this code, if colors are on.
pub fn painted(color: bool, text: &str, code: &str) -> String {
    if color {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_string()
    }
}
