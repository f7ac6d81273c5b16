//! The error type: the failure, its kind and exit code, and a hint.

use crate::shell::{SHOW_FREE_SPACE, shell_arguments, shell_option};
use std::ops::Deref;
use std::time::Duration;

/// The result of an operation that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The hint for an empty value.
pub const EMPTY_VALUE_HINT: &str = "check that the variables in the command line are set";

/// The most hints of an error that combines others.
pub const MAX_HINTS: usize = 3;

/// The kind of an error. The variants have the order of [`EXIT_CODES`], because a variant is the
/// index of its row there.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The reader of stdout stopped early (`| head`), which is not a failure.
    OutputClosed,
    /// Any other error.
    #[default]
    Error,
    /// Invalid usage.
    Usage,
    /// Missing or rejected token, or no access (401, 403).
    Auth,
    /// Resource not found (404).
    NotFound,
    /// Values rejected by sitectl or the service (400, 422).
    Invalid,
    /// Conflict with other work (409).
    Conflict,
    /// Rate limit exceeded (429).
    RateLimited,
    /// No valid response.
    Unavailable,
    /// Some items of a bulk operation failed.
    Partial,
    /// A restore failed.
    RestoreFailed,
    /// The wait timed out.
    TimedOut,
    /// A change was sent, but its outcome is unknown.
    UnknownOutcome,
    /// The list is incomplete.
    Incomplete,
    /// Sites need attention.
    Attention,
    /// Ctrl-C, SIGTERM or SIGHUP.
    Interrupted,
}

impl Kind {
    /// Returns the name in error objects.
    pub fn name(self) -> &'static str {
        EXIT_CODES[self as usize].kind.unwrap_or_default()
    }

    pub fn exit_code(self) -> u8 {
        EXIT_CODES[self as usize].exit_code
    }
}

/// A row of the table of exit codes.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct ExitCode {
    pub exit_code: u8,
    /// The kind of error; none for success.
    pub kind: Option<&'static str>,
    /// When the program exits with this code, in a few words.
    pub when: &'static str,
}

const fn exit_code(exit_code: u8, kind: &'static str, when: &'static str) -> ExitCode {
    ExitCode {
        exit_code,
        kind: Some(kind),
        when,
    }
}

/// The table of exit codes, which the documents, the manual pages and `sitectl explain` show.
pub const EXIT_CODES: [ExitCode; 16] = [
    ExitCode {
        exit_code: 0,
        kind: None,
        when: "success",
    },
    exit_code(1, "error", "any other error"),
    exit_code(2, "usage", "invalid usage, or a missing confirmation"),
    exit_code(
        3,
        "auth",
        "missing or rejected token, or no access (401, 403)",
    ),
    exit_code(4, "not_found", "resource not found (404)"),
    exit_code(
        5,
        "invalid",
        "values rejected by sitectl or the service (400, 422)",
    ),
    exit_code(6, "conflict", "conflict with other work (409)"),
    exit_code(7, "rate_limited", "rate limit exceeded (429)"),
    exit_code(
        8,
        "unavailable",
        "no valid response, such as a timeout, 5xx or 405",
    ),
    exit_code(9, "partial", "some items of a bulk operation failed"),
    exit_code(10, "restore_failed", "a restore failed"),
    exit_code(
        11,
        "timed_out",
        "the wait timed out; the restore may still be running",
    ),
    exit_code(
        12,
        "unknown_outcome",
        "a change was sent, but its outcome is unknown",
    ),
    exit_code(13, "incomplete", "the list is incomplete"),
    exit_code(14, "attention", "sites need attention"),
    exit_code(
        130,
        "interrupted",
        "interrupted by Ctrl-C, SIGTERM or SIGHUP",
    ),
];

/// One problem of a rejected request (spec, "Error body").
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Detail {
    /// The kind of problem, such as `too_long`; None for a note.
    pub code: Option<String>,
    /// The field, as the service names it. In bulk commands the id, site or email that the detail
    /// is about. Empty if it is about none.
    pub param: String,
    /// The description of the problem.
    pub message: String,
    /// The flag of the field, such as `--first-name`.
    #[serde(skip)]
    pub flag: Option<String>,
    /// The position in a file, such as `clients.csv line 12, column email`.
    #[serde(rename = "place", skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

impl Detail {
    /// Creates a problem with `param`, without a flag and a position.
    pub fn new(code: &str, param: &str, message: impl Into<String>) -> Self {
        Self {
            code: Some(code.into()),
            param: param.into(),
            ..Self::note(message)
        }
    }

    /// Creates a note.
    pub fn note(message: impl Into<String>) -> Self {
        Self {
            code: None,
            param: String::new(),
            message: message.into(),
            flag: None,
            position: None,
        }
    }

    /// Returns the code; empty for a note.
    pub fn code(&self) -> &str {
        self.code.as_deref().unwrap_or_default()
    }
}

/// A next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    Text(String),
    /// The setting of `[profiles.NAME.endpoints]` for an assumed path that was not found.
    Endpoint(&'static str),
    /// The purpose of `auth status`, and the flags with which it is run.
    AuthStatus(&'static str, &'static str),
    /// A command of sitectl that can be pasted.
    Command {
        /// The purpose of the command, such as `list the sites`.
        purpose: String,
        /// The words after the program and its global options, quoted for the shell.
        words: String,
    },
}

impl Hint {
    pub fn command(purpose: impl Into<String>, words: impl Into<String>) -> Self {
        Self::Command {
            purpose: purpose.into(),
            words: words.into(),
        }
    }

    /// Adds ids to the command.
    #[must_use]
    pub fn ids(self, ids: &[&str]) -> Self {
        self.words(&shell_arguments(ids))
    }

    /// Adds an option with its value to the command.
    #[must_use]
    pub fn option(self, name: &str, value: &str) -> Self {
        self.words(&shell_option(name, value))
    }

    /// Adds words to the command that need no quotes.
    #[must_use]
    pub fn words(mut self, more: &str) -> Self {
        if let Self::Command { words, .. } = &mut self {
            *words += &format!(" {more}");
        }
        self
    }

    /// Returns the text for people. `program` is sitectl with the global options that select the
    /// same service and account.
    pub fn text(&self, program: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Endpoint(setting) => format!(
                "if the service has another path, set {setting} in [profiles.NAME.endpoints]: \
                 {program} explain not_found"
            ),
            Self::AuthStatus(purpose, flags) => {
                format!("{purpose}: {program} auth status{flags}")
            }
            Self::Command { purpose, words } => format!("{purpose}: {program} {words}"),
        }
    }
}

impl<T: Into<String>> From<T> for Hint {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

/// The content of an [`Error`].
#[derive(Debug, Default, Clone)]
pub struct ErrorBody {
    pub kind: Kind,
    /// The failure, in one line.
    pub message: String,
    /// The HTTP status, if the service responded.
    pub status: Option<u16>,
    /// The service's error code, if the response has one.
    pub code: Option<String>,
    pub details: Vec<Detail>,
    /// The next steps.
    pub hints: Vec<Hint>,
    /// Whether the service may still process the request, because no response arrived.
    pub possibly_processed: bool,
    /// The wait before a retry that the service requests; None leaves it to the backoff.
    pub retry_after: Option<Duration>,
}

impl ErrorBody {
    /// Returns the text of each hint. `program` is that of [`Hint::text`].
    pub fn hint_texts(&self, program: &str) -> Vec<String> {
        self.hints.iter().map(|hint| hint.text(program)).collect()
    }

    /// Returns the object of the error in JSON output. `program` is that of [`Hint::text`].
    pub fn as_json(&self, program: &str) -> serde_json::Value {
        serde_json::json!({
            "kind": self.kind.name(),
            "exit_code": self.kind.exit_code(),
            "status": self.status,
            "code": self.code,
            "message": self.message,
            "details": self.details,
            "hints": self.hint_texts(program),
        })
    }
}

/// An error, boxed so that results stay small.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Error(Box<ErrorBody>);

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::new(Kind::Error, format!("could not write JSON: {error}"))
    }
}

impl From<tokio::task::JoinError> for Error {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::new(Kind::Error, format!("a thread did not finish: {error}"))
    }
}

impl Deref for Error {
    type Target = ErrorBody;

    fn deref(&self) -> &ErrorBody {
        &self.0
    }
}

impl Error {
    /// Creates an error of this kind with a message of one line.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorBody {
            kind,
            message: message.into(),
            ..ErrorBody::default()
        }))
    }

    /// Creates an error of invalid usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// Returns one error that lists all errors in its details and has the kind of the first; the
    /// error itself if it is the only one; none if there are no errors. Texts that differ are added
    /// to the details; the first of the other hints stay hints.
    pub fn combine(mut errors: Vec<Self>) -> Option<Self> {
        if errors.len() < 2 {
            return errors.pop();
        }
        let mut details = Vec::new();
        let mut hints = Vec::new();
        let message = format!("{} problems found", errors.len());
        let kind = errors[0].kind;
        let is_common = errors.iter().all(|error| error.hints == errors[0].hints);
        for Self(error) in errors {
            let mut message = error.message;
            for hint in error.hints {
                match hint {
                    Hint::Text(text) if !is_common => message += &format!("; {text}"),
                    hint if hints.len() < MAX_HINTS && !hints.contains(&hint) => hints.push(hint),
                    _ => {}
                }
            }
            details.push(Detail::note(message));
        }
        let combined = Self::new(kind, message).with_details(details);
        Some(combined.with_hints(hints))
    }

    /// Adds a hint after the others.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<Hint>) -> Self {
        self.with_hints(vec![hint.into()])
    }

    /// Adds hints after the others.
    #[must_use]
    pub fn with_hints(mut self, hints: Vec<Hint>) -> Self {
        self.0.hints.extend(hints);
        self
    }

    /// Adds a hint if the error has none.
    #[must_use]
    pub fn with_fallback_hint(self, hint: impl Into<Hint>) -> Self {
        if self.hints.is_empty() {
            self.with_hint(hint)
        } else {
            self
        }
    }

    /// Removes the hints.
    #[must_use]
    pub fn without_hints(mut self) -> Self {
        self.0.hints.clear();
        self
    }

    /// Puts a hint in front of the others.
    #[must_use]
    pub fn prefix_hint(mut self, hint: impl Into<Hint>) -> Self {
        self.0.hints.insert(0, hint.into());
        self
    }

    /// Names the missing record in the message of a 404, and removes the hint. Other errors stay
    /// unchanged.
    #[must_use]
    pub fn name_record_if_not_found(mut self, noun: &str, id: &str) -> Self {
        if self.0.kind == Kind::NotFound {
            self.0.message = format!("{noun} '{id}' not found");
            self.0.hints.clear();
        }
        self
    }

    /// Adds to the error of a missing record the command that lists such records.
    #[must_use]
    pub fn hint_list_if_not_found(self, noun: &str) -> Self {
        if self.kind != Kind::NotFound {
            return self;
        }
        let plural = noun.replace('-', " ");
        let purpose = format!("list the existing {plural}");
        self.with_fallback_hint(Hint::command(purpose, format!("{noun} list")))
    }

    /// Whether the outcome of the request is unknown. An interrupted or failed request can have
    /// another kind than `UnknownOutcome`, and may still be processed.
    pub fn has_unknown_outcome(&self) -> bool {
        self.kind == Kind::UnknownOutcome || self.possibly_processed
    }

    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Puts the failed operation in front of the message.
    #[must_use]
    pub fn context(mut self, operation: impl std::fmt::Display) -> Self {
        self.0.message = format!("{operation}: {}", self.0.message);
        self
    }

    /// Sets whether the service may still process the request.
    #[must_use]
    pub fn with_possibly_processed(mut self, possibly_processed: bool) -> Self {
        self.0.possibly_processed = possibly_processed;
        self
    }

    /// Sets the HTTP status of the response and the service's error code.
    #[must_use]
    pub fn with_status(mut self, status: u16, code: Option<String>) -> Self {
        self.0.status = Some(status);
        self.0.code = code;
        self
    }

    /// Sets the wait before a retry that the service requests.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.0.retry_after = wait;
        self
    }

    #[must_use]
    pub fn with_details(mut self, details: Vec<Detail>) -> Self {
        self.0.details = details;
        self
    }

    /// Sets the flag of each detail; `flag_of` returns the flag of a field.
    #[must_use]
    pub fn with_flags(mut self, flag_of: impl Fn(&str) -> Option<String>) -> Self {
        for detail in &mut self.0.details {
            detail.flag = flag_of(&detail.param);
        }
        self
    }

    /// Sets the position in a file of each detail that has none; `position_of` returns the position
    /// of a field.
    #[must_use]
    pub fn with_positions(mut self, position_of: impl Fn(&str) -> Option<String>) -> Self {
        for detail in &mut self.0.details {
            if detail.position.is_none() {
                detail.position = position_of(&detail.param);
            }
        }
        self
    }

    /// Appends a fact to the message.
    #[must_use]
    pub fn append_to_message(mut self, fact: &str) -> Self {
        let message = self.0.message.trim_end_matches('.');
        self.0.message = format!("{message}; {fact}");
        self
    }

    /// Removes the hints at paths, which are no settings of the sandbox.
    #[must_use]
    pub fn without_endpoint_hints(mut self) -> Self {
        self.0
            .hints
            .retain(|hint| !matches!(hint, Hint::Endpoint(_)));
        self
    }

    /// Adds to the message that the service has not changed.
    #[must_use]
    pub fn without_changes(mut self) -> Self {
        let end = self.0.message.trim_end_matches('.').len();
        self.0.message.truncate(end);
        self.append_to_message("no changes were made")
    }

    /// Returns a copy without the status, code and details of the response, for rows that failed
    /// because the request of another row failed.
    #[must_use]
    pub fn clone_without_details(&self) -> Self {
        Self(Box::new(ErrorBody {
            status: None,
            code: None,
            details: Vec::new(),
            ..ErrorBody::clone(self)
        }))
    }

    /// Creates the error of a file or directory that could not be used.
    pub fn file(operation: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        let text = system_error(error);
        Self::new(
            Kind::Error,
            format!("could not {operation} {}: {text}", path.display()),
        )
    }

    /// Creates the error of a failed write to stdout. If the reader has closed stdout, the kind is
    /// `OutputClosed`, which is not a failure.
    pub fn stdout(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::new(Kind::OutputClosed, "stdout was closed"),
            _ => Self::new(
                Kind::Error,
                format!("could not write to stdout: {}", system_error(error)),
            )
            .with_hint(format!("check the free space: {SHOW_FREE_SPACE}")),
        }
    }
}

/// Returns the text of an error without the system's number, which is for programmers.
pub fn system_error(error: &(impl std::fmt::Display + ?Sized)) -> String {
    let mut text = error.to_string();
    text.truncate(text.find(" (os error").unwrap_or(text.len()));
    text
}

#[cfg(test)]
mod tests {
    use super::{EXIT_CODES, Kind};

    #[test]
    fn each_kind_is_the_index_of_its_row() {
        assert_eq!(Kind::OutputClosed.exit_code(), 0);
        for row in &EXIT_CODES[1..] {
            let name = serde_json::Value::from(row.kind.unwrap_or_default());
            let kind = serde_json::from_value::<Kind>(name).map(Kind::exit_code);
            assert_eq!(kind.ok(), Some(row.exit_code), "{row:?}");
        }
    }
}
