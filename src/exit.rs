//! How the program ends: the exit code of each kind, and the only printer of errors.

use crate::error::{Error, Kind, Report, Result};
use crate::ui::Ui;
use serde_json::json;
use std::process::ExitCode;

/// The name and the exit code of a kind.
pub fn meaning(kind: Kind) -> (&'static str, u8) {
    match kind {
        Kind::Error => ("error", 1),
        Kind::Usage => ("usage", 2),
        Kind::Auth => ("auth", 3),
        Kind::NotFound => ("not_found", 4),
        Kind::Invalid => ("invalid", 5),
        Kind::Conflict => ("conflict", 6),
        Kind::RateLimited => ("rate_limited", 7),
        Kind::Unavailable => ("unavailable", 8),
        Kind::Partial => ("partial", 9),
        Kind::RestoreFailed => ("restore_failed", 10),
        Kind::TimedOut => ("timed_out", 11),
        Kind::UnknownOutcome => ("unknown_outcome", 12),
        Kind::Incomplete => ("incomplete", 13),
        Kind::Interrupted => ("interrupted", 130),
        Kind::OutputClosed => ("output_closed", 0),
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
            ExitCode::from(meaning(error.kind).1)
        }
    }
}

/// What clap says of the arguments: help and version are data, the rest is a usage error.
pub fn parse_error(error: &clap::Error, json: bool, ui: &Ui) -> ExitCode {
    if !error.use_stderr() || !json {
        // A closed stdout ends quietly here too.
        let _ = error.print();
        return if error.use_stderr() { ExitCode::from(meaning(Kind::Usage).1) } else { ExitCode::SUCCESS };
    }
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    let hint = tip.unwrap_or("see sitectl --help").to_string();
    code(ui, true, Err(Error::usage(message).hint(hint)))
}

fn print(ui: &Ui, json: bool, error: &Report) {
    if json {
        ui.say(&as_json(error).to_string());
        return;
    }
    ui.error(&error.message);
    for detail in &error.details {
        let about = detail.flag.as_deref().unwrap_or(&detail.param);
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
    let (kind, exit_code) = meaning(error.kind);
    let details: Vec<_> = error
        .details
        .iter()
        .map(|detail| json!({"code": detail.code, "param": detail.param, "message": detail.message}))
        .collect();
    json!({"error": {
        "kind": kind, "exit_code": exit_code, "status": error.status, "code": error.code,
        "message": error.message, "details": details, "hint": error.hint,
    }})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_code_of_its_own() {
        let kinds = [
            Kind::Error,
            Kind::Usage,
            Kind::Auth,
            Kind::NotFound,
            Kind::Invalid,
            Kind::Conflict,
            Kind::RateLimited,
            Kind::Unavailable,
            Kind::Partial,
            Kind::RestoreFailed,
            Kind::TimedOut,
            Kind::UnknownOutcome,
            Kind::Incomplete,
        ];
        let codes: Vec<u8> = kinds.iter().map(|kind| meaning(*kind).1).collect();
        assert_eq!(codes, (1..=13).collect::<Vec<u8>>());
        assert_eq!(meaning(Kind::Interrupted).1, 130);
    }
}
