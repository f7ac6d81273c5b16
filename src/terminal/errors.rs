//! Ends the program: the only printer of errors.

use crate::error::{Error, ErrorBody, Kind, Result};
use crate::terminal::{Ui, visible_json};
use serde_json::json;
use std::process::ExitCode;

/// Prints the error of a result, and returns the exit code.
pub fn report(ui: &Ui, json: bool, result: Result<()>) -> ExitCode {
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
pub fn exit_now(ui: &Ui, json: bool, error: &Error) -> ! {
    print(ui, json, error);
    std::process::exit(error.kind.exit_code().into())
}

fn print(ui: &Ui, json: bool, error: &ErrorBody) {
    if json {
        ui.say(&visible_json(
            &json!({"error": error.as_json()}).to_string(),
        ));
        return;
    }
    ui.error(&error.message);
    details(ui, error);
    if let Some(hint) = &error.hint {
        ui.hint(hint);
    }
}

/// Shows each problem with its place, flag or field.
pub fn details(ui: &Ui, error: &ErrorBody) {
    for detail in &error.details {
        let about = detail
            .position
            .as_deref()
            .or(detail.flag.as_deref())
            .unwrap_or(&detail.param);
        let code = if detail.code.is_empty() {
            String::new()
        } else {
            format!(" ({})", detail.code)
        };
        let colon = if about.is_empty() { "" } else { ": " };
        ui.detail(&format!("{about}{colon}{}{code}", detail.message));
    }
}
