//! Owns stderr, prompts and progress, and decides which streams are terminals.

pub mod errors;
mod progress;
mod prompt;
mod saved_modes;
mod text;
mod trace;
mod visible;

use progress::Drawing;
pub use progress::lock;
pub use progress::{Bar, Bars, Counter, TaskProgress};
pub use prompt::{interrupted_before_changes, on_thread, with_first_letter};
pub use saved_modes::SavedModes;
use text::wrap;
pub use text::{fold_for_search, format_bytes, join_briefly, pluralize};
pub use visible::{visible, visible_json, visible_lines};

use crate::config::duration::format_local;
use crate::config::{BaseUrl, Environment, Flags, Secret, use_color};
use crate::error::Hint;
use crate::passwords::hide_passwords;
use crate::shell::shell_option;
use comfy_table::ColumnConstraint::Absolute;
use comfy_table::presets::NOTHING;
use comfy_table::{Row, Table, Width};
use console::Term;
use jiff::Timestamp;
use std::borrow::Cow;
use std::fs::File;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The standard streams of the program, and the settings that decide what the user sees there.
#[derive(Debug, Clone)]
pub struct Ui {
    /// Hides progress and hints.
    pub quiet: bool,
    /// The number of `-v` flags. Of each HTTP exchange, 0 shows nothing, 1 shows one line, and 2
    /// shows headers and bodies, too.
    pub verbose: u8,
    /// Whether passwords in records are printed.
    show_secrets: bool,
    /// Whether prompts are allowed: stderr is a terminal, without `--no-input`.
    allows_prompts: bool,
    /// Whether stdin is the input of the command, so that prompts read the terminal itself.
    stdin_is_input: Arc<AtomicBool>,
    pub stderr_color: bool,
    pub stdin_terminal: bool,
    pub stdout_color: bool,
    pub stdout_terminal: bool,
    /// The width of stdout in columns; None if stdout is not a terminal or the width is unknown.
    pub stdout_width: Option<usize>,
    pub stderr_terminal: bool,
    /// The width of stderr in columns; None if stderr is not a terminal or the width is unknown.
    pub stderr_width: Option<usize>,
    /// sitectl with the global options of this command that select the service and the account. The
    /// environment and the config file are the same for the next command.
    pub program: String,
    drawing: Drawing,
    /// The tokens to mask.
    secrets: Arc<Mutex<Vec<Secret>>>,
}

impl Ui {
    /// Inspects the three streams.
    pub fn new(flags: &Flags, env: &Environment) -> Self {
        // From the beginning, because errors quote the command line.
        let env_token = env
            .token
            .as_ref()
            .and_then(|token| token.as_ref().ok())
            .cloned();
        let stdin_terminal = std::io::stdin().is_terminal();
        let stdout_terminal = std::io::stdout().is_terminal();
        let stderr_terminal = std::io::stderr().is_terminal();
        let width = |terminal: Term| {
            let (_, columns) = terminal.size_checked()?;
            Some(usize::from(columns))
        };
        let color = |terminal| use_color(flags.color, env, shows_color(&terminal));
        Self {
            quiet: flags.quiet,
            verbose: flags.verbose,
            show_secrets: flags.show_secrets,
            allows_prompts: !flags.no_input && stderr_terminal,
            stdin_is_input: Arc::default(),
            stderr_color: color(Term::stderr()),
            stdout_color: color(Term::stdout()),
            stdin_terminal,
            stdout_terminal,
            stdout_width: width(Term::stdout()),
            stderr_terminal,
            stderr_width: width(Term::stderr()),
            program: program(flags, env),
            drawing: Drawing::default(),
            secrets: Arc::new(Mutex::new(env_token.into_iter().collect())),
        }
    }

    /// Makes prompts read the terminal if this input of the command is stdin.
    pub fn reads_input(&self, path: &str) {
        self.stdin_is_input.fetch_or(path == "-", Ordering::Relaxed);
    }

    /// Whether the user can be prompted: on stdin, or on the terminal if stdin is the input.
    pub fn may_prompt(&self) -> bool {
        let has_terminal = || self.stdin_terminal || self.terminal_for_prompts().is_some();
        self.allows_prompts && has_terminal()
    }

    /// Returns the terminal, if stdin is the input of the command.
    fn terminal_for_prompts(&self) -> Option<File> {
        let path = if cfg!(windows) { "CONIN$" } else { "/dev/tty" };
        let is_used = self.stdin_is_input.load(Ordering::Relaxed);
        is_used.then(|| File::open(path).ok()).flatten()
    }

    /// Whether menus can be drawn: prompts are possible on stdin, and the terminal can move the
    /// cursor.
    pub fn may_choose(&self) -> bool {
        self.allows_prompts && self.stdin_terminal && !console::is_dumb()
    }

    /// Masks this token from now on in all text for the user.
    pub fn keep_secret(&self, token: &Secret) {
        let mut secrets = lock(&self.secrets);
        if !secrets.contains(token) {
            secrets.push(token.clone());
        }
    }

    /// Returns the text without tokens.
    pub fn masked(&self, text: &str) -> String {
        let mut text = text.to_string();
        for token in lock(&self.secrets).iter() {
            text = token.mask(&text).into_owned();
        }
        text
    }

    /// Returns JSON without passwords, unless `--show-secrets` prints them.
    pub fn hide_passwords<'j>(&self, json: &'j str) -> Cow<'j, str> {
        if self.show_secrets {
            json.into()
        } else {
            hide_passwords(json)
        }
    }

    /// Returns the text without tokens and without characters that would drive the terminal.
    fn safe_text(&self, text: &str) -> String {
        visible(&self.masked(text)).into_owned()
    }

    /// Formats a time for a text on stderr: on a terminal local and to the minute, otherwise in
    /// UTC.
    pub fn format_time(&self, time: Timestamp) -> String {
        if self.stderr_terminal {
            format_local(time)
        } else {
            format!("{time:.0}")
        }
    }

    /// Prints a line that `--quiet` doesn't hide.
    pub fn announce(&self, text: &str) {
        self.print_line(&self.wrapped(&visible(text)));
    }

    /// Prints a line unless `--quiet` hides it.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.announce(text);
        }
    }

    /// Prints what to do next.
    pub fn hint(&self, hint: impl Into<Hint>) {
        if !self.quiet {
            // A command that is broken into lines could not be pasted.
            let label = painted(self.stderr_color, "hint:", "36");
            let text = hint.into().text(&self.program);
            self.print_line(&format!("{label} {}", visible(&text)));
        }
    }

    pub fn warn(&self, text: &str) {
        self.print_labeled("warning:", "33", text);
    }

    pub fn error(&self, text: &str) {
        self.print_labeled("error:", "1;31", text);
    }

    /// Prints a line below an error.
    pub fn detail(&self, text: &str) {
        self.print_line(&self.wrapped(&format!("  {}", visible(text))));
    }

    fn print_labeled(&self, label: &str, color: &str, text: &str) {
        let label = painted(self.stderr_color, label, color);
        self.print_line(&self.wrapped(&format!("{label} {}", visible(text))));
    }

    /// Breaks a line between words, where a terminal would break it inside of one.
    fn wrapped(&self, line: &str) -> String {
        if !self.stderr_terminal {
            return line.into();
        }
        wrap(line, Term::stderr().size().1.into())
    }

    /// Prints a line on stderr that is already escaped, and masks tokens in it.
    pub fn print_line(&self, line: &str) {
        self.drawing.print_line(&self.masked(line));
    }
}

fn program(flags: &Flags, env: &Environment) -> String {
    let mut program = String::from("sitectl");
    if flags.sandbox || env.sandbox.as_deref() == Some("1") {
        program += " --sandbox";
    }
    let ca_cert = flags
        .ca_cert
        .as_ref()
        .map(|path| path.display().to_string());
    // The URL may contain a password.
    let base_url = flags
        .base_url
        .as_deref()
        .and_then(BaseUrl::parse_for_display);
    for (name, value) in [
        ("--ca-cert", ca_cert.as_deref()),
        ("--profile", flags.profile.as_deref()),
        ("--base-url", base_url.as_deref()),
    ] {
        if let Some(value) = value {
            program += &format!(" {}", shell_option(name, value));
        }
    }
    program
}

/// Whether this is a terminal with colors. On Windows, this makes a console understand the codes of
/// [`painted`].
fn shows_color(terminal: &Term) -> bool {
    let understands_codes = !cfg!(windows) || terminal.features().colors_supported();
    terminal.is_term() && !console::is_dumb() && understands_codes
}

/// The space between columns: the padding of comfy-table, one space on either side of a cell.
pub const GAP: usize = 2;

/// Returns a line for each row, in columns without borders. Cells are cut to these widths; without
/// widths, each column is as wide as its longest cell.
pub fn align_rows(rows: Vec<Vec<String>>, widths: Option<&[usize]>) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(NOTHING);
    for row in rows {
        let mut row = Row::from(row);
        row.max_height(1);
        table.add_row(row);
    }
    table.set_constraints(widths.into_iter().flatten().map(|width| {
        let width = u16::try_from(width + GAP).unwrap_or(u16::MAX);
        Absolute(Width::Fixed(width))
    }));
    let lines = table.lines();
    let lines = lines.map(|line| {
        let line = line.strip_prefix(' ').unwrap_or(&line);
        line.trim_end().to_string()
    });
    lines.collect()
}

/// Returns the text in a color if `has_color`. `code` is an ANSI code, such as `31` for red.
pub fn painted(has_color: bool, text: &str, code: &str) -> String {
    if has_color {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_reach_the_same_service() {
        let mut flags = Flags {
            ca_cert: Some("my ca.pem".into()),
            profile: Some(String::from("live").into()),
            base_url: Some("https://shop.example/api/v6/".into()),
            ..Flags::default()
        };
        assert_eq!(
            program(&flags, &Environment::default()),
            "sitectl --ca-cert 'my ca.pem' --profile live --base-url https://shop.example/api/v6"
        );
        flags = Flags {
            sandbox: true,
            ..Flags::default()
        };
        assert_eq!(
            program(&flags, &Environment::default()),
            "sitectl --sandbox"
        );
    }
}
