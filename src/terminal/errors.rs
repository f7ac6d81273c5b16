//! Ends the program: the only printer of errors.

use crate::error::{Error, Kind, Report, Result};
use crate::terminal::{Ui, visible_json, visible_lines};
use clap::error::ErrorKind;
use serde_json::json;
use std::borrow::Cow;
use std::io::Write;
use std::process::ExitCode;

/// The exit code of a result; an error is printed first.
pub fn code(ui: &Ui, json: bool, result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if error.kind != Kind::OutputClosed {
                print(ui, json, &error);
            }
            ExitCode::from(error.kind.exit_code())
        }
    }
}

/// Ends the process at once with an error, because the main thread is blocked.
pub fn now(ui: &Ui, json: bool, error: &Error) -> ! {
    print(ui, json, error);
    std::process::exit(error.kind.exit_code().into())
}

/// Help or version, which were asked for.
pub fn asked_for(page: &clap::Error, json: bool, ui: &Ui) -> ExitCode {
    let mut stdout = std::io::stdout();
    let text = painted(page, ui.stdout_color());
    let printed = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    code(ui, json, printed.map_err(|error| Error::stdout(&error)))
}

fn painted(page: &clap::Error, color: bool) -> String {
    let page = page.render();
    if color { page.ansi().to_string() } else { page.to_string() }
}

/// What is wrong with the arguments. `command` is whose help says what is allowed.
pub fn parse_error(error: &clap::Error, command: &str, json: bool, ui: &Ui) -> ExitCode {
    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if json {
        return code(ui, true, Err(as_usage(&painted(error, false), is_help, command)));
    }
    let plain = painted(error, false);
    // What was typed may hold control characters, which clap prints as they are.
    let text = match visible_lines(&plain) {
        Cow::Borrowed(_) => painted(error, ui.stderr_color()),
        Cow::Owned(escaped) => escaped,
    };
    ui.say(text.split(MORE).next().unwrap_or_default().trim_end());
    if !is_help {
        ui.say("");
        ui.hint(&see(command));
    }
    ExitCode::from(Kind::Usage.exit_code())
}

/// How clap sends a person to the help, without the name of the command.
const MORE: &str = "For more information, try";

fn see(command: &str) -> String {
    format!("see {command} --help")
}

/// The same in an error's own parts: the message is what is wrong, the hint what is allowed.
fn as_usage(text: &str, is_help: bool, command: &str) -> Error {
    let first = text.split("\n\n").next().unwrap_or_default();
    let (allowed, problem): (Vec<&str>, Vec<&str>) =
        first.lines().map(str::trim).partition(|line| line.starts_with('['));
    let message = match &problem[..] {
        _ if is_help => "a command is missing".into(),
        [what, which @ ..] => format!("{what} {}", which.join(", ")).trim().trim_start_matches("error: ").to_string(),
        [] => String::new(),
    };
    let tips = text.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).map(str::to_string);
    let usage = text.lines().find_map(|line| line.strip_prefix("Usage: ")).map(|usage| format!("usage: {usage}"));
    let allowed = allowed.into_iter().filter(|_| !is_help).map(|line| line.trim_matches(['[', ']']).to_string());
    let hints: Vec<String> = allowed.chain(tips).chain(usage).chain([see(command)]).collect();
    Error::usage(message).hint(hints.join("; "))
}

fn print(ui: &Ui, json: bool, error: &Report) {
    if json {
        ui.say(&visible_json(&as_json(error).to_string()));
        return;
    }
    ui.error(&error.message);
    for detail in &error.details {
        let about = detail.place.as_deref().or(detail.flag.as_deref()).unwrap_or(&detail.param);
        let code = if detail.code.is_empty() { String::new() } else { format!(" ({})", detail.code) };
        ui.detail(&if about.is_empty() {
            format!("{}{code}", detail.message)
        } else {
            format!("{about}: {}{code}", detail.message)
        });
    }
    if let Some(hint) = &error.hint {
        ui.hint(hint);
    }
}

fn as_json(error: &Report) -> serde_json::Value {
    json!({"error": {
        "kind": error.kind.name(), "exit_code": error.kind.exit_code(), "status": error.status, "code": error.code,
        "message": error.message, "details": error.details, "hint": error.hint,
    }})
}
