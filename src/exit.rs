//! How the program ends: the exit code of each kind, and the only printer of errors.

use crate::error::{Error, Kind, Report, Result};
use crate::ui::{Ui, visible_json};
use clap::error::ErrorKind;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// The exit code of a kind.
pub fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::Error => 1,
        Kind::Usage => 2,
        Kind::Auth => 3,
        Kind::NotFound => 4,
        Kind::Invalid => 5,
        Kind::Conflict => 6,
        Kind::RateLimited => 7,
        Kind::Unavailable => 8,
        Kind::Partial => 9,
        Kind::RestoreFailed => 10,
        Kind::TimedOut => 11,
        Kind::UnknownOutcome => 12,
        Kind::Incomplete => 13,
        Kind::Interrupted => 130,
        Kind::OutputClosed => 0,
    }
}

/// The exit code of a result; an error is printed first.
pub fn code(ui: &Ui, json: bool, result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if error.kind != Kind::OutputClosed {
                print(ui, json, &error);
            }
            ExitCode::from(exit_code(error.kind))
        }
    }
}

/// Ends the process at once with an error as JSON, where nobody is left to return it to.
pub fn now(ui: &Ui, error: &Error) -> ! {
    print(ui, true, error);
    std::process::exit(exit_code(error.kind).into())
}

/// What clap says of the arguments: help and version are data, the rest is a usage error.
pub fn parse_error(error: &clap::Error, json: bool, ui: &Ui) -> ExitCode {
    let page = error.render();
    let painted = |color: bool| if color { page.ansi().to_string() } else { page.to_string() };
    if !error.use_stderr() {
        let mut stdout = std::io::stdout();
        let printed = stdout.write_all(painted(ui.stdout_color()).as_bytes()).and_then(|()| stdout.flush());
        return code(ui, json, printed.map_err(|error| Error::stdout(&error)));
    }
    if !json {
        ui.say(painted(ui.stderr_color()).trim_end());
        return ExitCode::from(exit_code(Kind::Usage));
    }
    let text = page.to_string();
    let message = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing",
        _ => text.lines().next().unwrap_or_default().trim_start_matches("error: "),
    };
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    let hint = tip.unwrap_or("see sitectl --help").to_string();
    code(ui, true, Err(Error::usage(message).hint(hint)))
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
        "kind": error.kind.name(), "exit_code": exit_code(error.kind), "status": error.status, "code": error.code,
        "message": error.message, "details": error.details, "hint": error.hint,
    }})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_code_of_its_own() {
        let codes: Vec<u8> = Kind::ALL.iter().map(|kind| exit_code(*kind)).collect();
        let wanted: Vec<u8> = (1..=13).chain([130]).collect();
        assert_eq!(codes, wanted);
    }
}
