//! Prints the error that ends the program: no other code does.

use crate::error::{Error, ErrorBody, Kind, Result};
use crate::signal::end_by_signal;
use crate::terminal::{Ui, pluralize, visible_json};
use serde_json::json;
use std::process::ExitCode;

/// Prints the error of a result, and returns the exit code.
pub fn report(ui: &Ui, as_json: bool, result: Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    // The reader of stdout, such as `head`, has ended on purpose.
    if error.kind != Kind::OutputClosed {
        print_error(ui, as_json, &error);
    }
    end_if_interrupted(&error);
    ExitCode::from(error.kind.exit_code())
}

/// Ends the process at once with an error: the main thread is blocked and cannot return it.
pub fn exit_now(ui: &Ui, as_json: bool, error: &Error) -> ! {
    print_error(ui, as_json, error);
    end_if_interrupted(error);
    std::process::exit(error.kind.exit_code().into())
}

/// Ends the process by its signal, after the error of an interruption.
fn end_if_interrupted(error: &Error) {
    if error.kind == Kind::Interrupted {
        end_by_signal();
    }
}

fn print_error(ui: &Ui, as_json: bool, error: &ErrorBody) {
    if as_json {
        let json = json!({"error": error.as_json(&ui.program)}).to_string();
        return ui.print_line(&visible_json(&json));
    }
    ui.error(&error.message);
    print_details(ui, error);
    for hint in &error.hints {
        ui.hint(hint.clone());
    }
}

/// The most problems that are shown one by one.
const MAX_SHOWN: usize = 50;

/// Shows each problem after its position, else its flag, else its parameter. Of many problems, only
/// the first are shown; notes are all shown.
pub fn print_details(ui: &Ui, error: &ErrorBody) {
    let mut count = 0;
    for detail in &error.details {
        let Some(code) = &detail.code else {
            ui.detail(&detail.message);
            continue;
        };
        count += 1;
        if count > MAX_SHOWN {
            continue;
        }
        let name = detail.position.as_ref().or(detail.flag.as_ref());
        let name = match name.unwrap_or(&detail.param) {
            name if name.is_empty() => String::new(),
            name => format!("{name}: "),
        };
        ui.detail(&format!("{name}{} ({code})", detail.message));
    }
    if count > MAX_SHOWN {
        let more = pluralize(count - MAX_SHOWN, "more problem");
        ui.detail(&format!("and {more}; --json shows all"));
    }
}
