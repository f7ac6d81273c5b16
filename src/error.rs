//! One error for the whole program: what happened, what it means for a script (its kind), and what to do next.

use std::ops::Deref;

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What an error means to a script: its name, exit code and meaning are in `Kind::row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Anything that has no kind of its own.
    Error,
    /// The command line is wrong.
    Usage,
    /// No token, or one that the service does not accept (401, 403).
    Auth,
    /// The named thing does not exist (404).
    NotFound,
    /// Values were refused, here or by the service (400, 422).
    Invalid,
    /// Existing work is in the way (409).
    Conflict,
    /// The rate limit was still exceeded after waiting (429).
    RateLimited,
    /// No connection, no answer, or an answer that is not what the interface promises.
    Unavailable,
    /// Some items of a bulk operation failed.
    Partial,
    /// A watched restore ended in failure.
    RestoreFailed,
    /// The wait ended before the task did.
    TimedOut,
    /// A change was sent and nobody knows what became of it.
    UnknownOutcome,
    /// A list could not be read whole.
    Incomplete,
    /// Ctrl-C, SIGTERM or SIGHUP.
    Interrupted,
    /// The reader of stdout went away (`| head`): the end, but no failure.
    OutputClosed,
}

/// What may have left a value empty.
pub const UNSET: &str = "a variable in the command line may be unset";
/// How to see what an answer lacks.
pub const LOOK: &str = "-vv shows what the service sent";

impl Kind {
    /// All that end a run with an exit code of their own, in the order of those.
    pub const ALL: [Self; 14] = [
        Self::Error,
        Self::Usage,
        Self::Auth,
        Self::NotFound,
        Self::Invalid,
        Self::Conflict,
        Self::RateLimited,
        Self::Unavailable,
        Self::Partial,
        Self::RestoreFailed,
        Self::TimedOut,
        Self::UnknownOutcome,
        Self::Incomplete,
        Self::Interrupted,
    ];

    /// Returns the name in error objects, the exit code and the meaning.
    const fn row(self) -> (&'static str, u8, &'static str) {
        match self {
            Self::Error => ("error", 1, "any other error"),
            Self::Usage => ("usage", 2, "invalid usage, or a missing confirmation"),
            Self::Auth => ("auth", 3, "missing or rejected token (401, 403)"),
            Self::NotFound => ("not_found", 4, "resource not found (404)"),
            Self::Invalid => ("invalid", 5, "values rejected by sitectl or the service (400, 422)"),
            Self::Conflict => ("conflict", 6, "conflict with other work (409)"),
            Self::RateLimited => ("rate_limited", 7, "rate limit still exceeded after retries (429)"),
            Self::Unavailable => ("unavailable", 8, "no valid response: connection error, timeout, 5xx"),
            Self::Partial => ("partial", 9, "some items of a bulk operation failed"),
            Self::RestoreFailed => ("restore_failed", 10, "a watched restore failed"),
            Self::TimedOut => ("timed_out", 11, "the wait timed out; the restore continues"),
            Self::UnknownOutcome => ("unknown_outcome", 12, "a change was sent, but its outcome is unknown"),
            Self::Incomplete => ("incomplete", 13, "the list is incomplete"),
            Self::Interrupted => ("interrupted", 130, "interrupted by Ctrl-C, SIGTERM or SIGHUP"),
            Self::OutputClosed => ("output_closed", 0, "the reader of stdout stopped early"),
        }
    }

    /// Returns the name in error objects.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the exit code.
    pub const fn exit_code(self) -> u8 {
        self.row().1
    }

    /// Returns the meaning, in a few words.
    pub const fn meaning(self) -> &'static str {
        self.row().2
    }
}

/// A row of the table of exit codes.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub struct ExitCode {
    /// The exit code.
    pub exit_code: u8,
    /// The kind of error; none for success.
    pub kind: Option<&'static str>,
    /// The meaning, in a few words.
    pub when: &'static str,
}

/// Returns the table of exit codes in ascending order: the one that the documents, the manual pages and `sitectl explain`
/// show.
pub fn exit_codes() -> Vec<ExitCode> {
    let row = |kind: Kind| ExitCode { exit_code: kind.exit_code(), kind: Some(kind.name()), when: kind.meaning() };
    let success = ExitCode { exit_code: 0, kind: None, when: "success" };
    std::iter::once(success).chain(Kind::ALL.map(row)).collect()
}

/// One problem among those of a refused request (spec, "Error body").
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Detail {
    /// The kind of problem, such as `too_long`.
    pub code: String,
    /// The field that it is about, in the service's spelling.
    pub param: String,
    /// The problem in words.
    pub message: String,
    /// What the person typed it as, such as `--first-name`.
    #[serde(skip)]
    pub flag: Option<String>,
    /// Where it stands in a file, such as `clients.csv line 12, column email`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl Detail {
    /// A detail about `param`, not yet tied to a flag or a place.
    pub fn new(code: &str, param: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), param: param.into(), message: message.into(), flag: None, place: None }
    }
}

/// What an [`Error`] holds.
#[derive(Debug)]
pub struct Report {
    /// What it means to a script.
    pub kind: Kind,
    /// What happened, in one line.
    pub message: String,
    /// The HTTP status, where the service answered.
    pub status: Option<u16>,
    /// The service's own error code, where it sent one.
    pub code: Option<String>,
    /// The single problems, where there are several.
    pub details: Vec<Detail>,
    /// What to do next.
    pub hint: Option<String>,
    /// Whether the service may still be working on the request that this is about: nobody heard it end.
    pub in_flight: bool,
}

/// An error, boxed so that results stay small.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Error(Box<Report>);

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
    type Target = Report;

    fn deref(&self) -> &Report {
        &self.0
    }
}

impl Error {
    /// An error of this kind with this one-line message.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Report {
            kind,
            message,
            status: None,
            code: None,
            details: Vec::new(),
            hint: None,
            in_flight: false,
        }))
    }

    /// A mistake on the command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// All of these at once: none is no error, and one stands for itself.
    pub fn all(mut errors: Vec<Self>) -> Option<Self> {
        if errors.len() < 2 {
            return errors.pop();
        }
        let text = |error: &Self| match &error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message.clone(),
        };
        let details = errors.iter().map(|error| Detail::new("", "", text(error))).collect();
        Some(Self::new(errors[0].kind, format!("there are {} problems", errors.len())).details(details))
    }

    /// Says what to do next. A later hint replaces an earlier one.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Says what to do next where nothing closer to the cause has said it already.
    #[must_use]
    pub fn or_hint(mut self, hint: impl FnOnce() -> String) -> Self {
        self.0.hint.get_or_insert_with(hint);
        self
    }

    /// Says first what must not be overlooked, and then what to do next, where that has been said already.
    #[must_use]
    pub fn hint_first(mut self, hint: &str) -> Self {
        let next = self.0.hint.take().map(|next| format!("; {next}")).unwrap_or_default();
        self.0.hint = Some(format!("{hint}{next}"));
        self
    }

    /// Names the record that a 404 was about; any other error stays as it is.
    #[must_use]
    pub fn not_found(mut self, noun: &str, id: &str) -> Self {
        if self.0.kind == Kind::NotFound {
            self.0.message = format!("{noun} '{id}' not found");
            self.0.hint = None;
        }
        self
    }

    /// Whether the outcome of the request is unknown.
    pub fn is_in_doubt(&self) -> bool {
        self.kind == Kind::UnknownOutcome || self.in_flight
    }

    /// The same error seen as another kind: what a failure means can depend on what was being done.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same error with what was being done said first.
    #[must_use]
    pub fn context(mut self, doing: impl std::fmt::Display) -> Self {
        self.0.message = format!("{doing}: {}", self.0.message);
        self
    }

    /// The service may still be working on it.
    #[must_use]
    pub fn in_flight(mut self, in_flight: bool) -> Self {
        self.0.in_flight = in_flight;
        self
    }

    /// The answer's HTTP status and error code.
    #[must_use]
    pub fn status(mut self, status: u16, code: Option<String>) -> Self {
        self.0.status = Some(status);
        self.0.code = code;
        self
    }

    /// The single problems.
    #[must_use]
    pub fn details(mut self, details: Vec<Detail>) -> Self {
        self.0.details = details;
        self
    }

    /// Names for each detail the flag that its `param` was typed as.
    #[must_use]
    pub fn name_flags(mut self, flag_of: impl Fn(&str) -> Option<String>) -> Self {
        for detail in &mut self.0.details {
            detail.flag = flag_of(&detail.param);
        }
        self
    }

    /// Names for each detail the place in a file that its `param` came from.
    #[must_use]
    pub fn name_places(mut self, place_of: impl Fn(&str) -> Option<String>) -> Self {
        for detail in self.0.details.iter_mut().filter(|detail| detail.place.is_none()) {
            detail.place = place_of(&detail.param);
        }
        self
    }

    /// The same error with every text passed through `map`, for text that must not be printed as it is.
    #[must_use]
    pub fn map_text(mut self, map: impl Fn(&str) -> String) -> Self {
        self.0.message = map(&self.0.message);
        self.0.code = self.0.code.as_deref().map(&map);
        for detail in &mut self.0.details {
            detail.code = map(&detail.code);
            detail.param = map(&detail.param);
            detail.message = map(&detail.message);
        }
        self
    }

    /// The same without its details and cause, to be told of each thing that it is about.
    #[must_use]
    pub fn brief(&self) -> Self {
        let brief = Self::new(self.kind, self.message.clone()).in_flight(self.in_flight);
        match &self.hint {
            Some(hint) => brief.hint(hint.clone()),
            None => brief,
        }
    }

    /// A file or directory that could not be used.
    pub fn file(doing: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(Kind::Error, format!("could not {doing} {}: {error}", path.display()))
    }

    /// What a failed write to stdout means: a closed reader ends quietly, a full device is an error.
    pub fn stdout(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::new(Kind::OutputClosed, "stdout was closed"),
            _ => Self::new(Kind::Error, format!("could not write to stdout: {error}"))
                .hint("see whether there is room where the output goes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn every_kind_has_its_exit_code() {
        assert!(Kind::ALL.map(Kind::exit_code).into_iter().eq((1..=13).chain([130])));
    }
}
