//! One restore, from the command line or the row of a plan to the report.

use super::watch::Target;
use crate::error::{Detail, Error, Kind};
use crate::input::{ColumnKind, Columns, Document};
use crate::journal::{Entry, Outcome};
use crate::terminal::Ui;
use jiff::Timestamp;
use serde_json::value::RawValue;

/// The word for the newest successful snapshot.
pub const LATEST: &str = "latest";

/// The result of a row that was not started.
pub const NOT_STARTED: &str = "not started";
/// The result of a row that may have been started.
pub const UNKNOWN: &str = "unknown";
/// The result of a row that an earlier run started, and that failed.
pub const FAILED_BEFORE: &str = "failed before";

/// The columns of a plan.
pub const COLUMNS: Columns = Columns {
    known: &[
        ("site_id", ColumnKind::Text),
        ("snapshot_id", ColumnKind::Text),
        ("before", ColumnKind::Text),
        ("files", ColumnKind::Text),
        ("database", ColumnKind::Text),
        ("paths", ColumnKind::List(&[';'])),
        ("tables", ColumnKind::List(&[';'])),
        ("subsite_ids", ColumnKind::List(&[';'])),
    ],
    ignored: &[],
    list: Some("site_id"),
};

/// One restore.
#[derive(Debug, Default)]
pub struct Row {
    /// Its number in the plan.
    pub number: usize,
    /// The site that is overwritten; `check` replaces a URL by the id.
    pub site_id: String,
    /// The snapshot that it is overwritten with; `check` replaces `latest` by the id.
    pub snapshot_id: String,
    /// For `latest`, the time before which the snapshot was taken.
    pub before: Option<Timestamp>,
    /// The scope as it is sent; null if it was not specified.
    pub scope: Box<RawValue>,
    /// The URL of the site, if it is known.
    pub url: Option<String>,
    /// When the snapshot was taken, if that is known.
    pub taken_at: Option<Timestamp>,
    /// Its restore, once the service has accepted it.
    pub accepted: Option<Target>,
    /// The error of a row that was not started, may not have been started, or has failed since.
    pub error: Option<Error>,
    /// Whether it was not sent because of an error of other rows.
    pub is_left: bool,
}

impl Row {
    /// Whether its scope was specified.
    pub fn has_scope(&self) -> bool {
        self.scope.get() != RawValue::NULL.get()
    }

    /// Whether it can be sent.
    pub fn is_waiting(&self) -> bool {
        self.accepted.is_none() && self.error.is_none()
    }

    /// Whether an earlier run of the plan has started it.
    pub fn is_resumed(&self) -> bool {
        self.accepted
            .as_ref()
            .is_some_and(|accepted| accepted.resumed)
    }

    /// Returns its task, unless it has failed since.
    pub fn task_id(&self) -> Option<&str> {
        self.accepted
            .as_ref()
            .filter(|_| self.error.is_none())?
            .task_id
            .as_deref()
    }

    /// Records that an earlier run has started it; it may have failed since.
    pub fn resume(&mut self, entry: &Entry) {
        if entry.outcome == Some(Outcome::Failed) {
            let task = entry.task_id.as_deref().unwrap_or_default();
            let message = format!(
                "the restore started {:.0} as task {task} failed",
                entry.intent.started_at
            );
            let hint =
                "check the site, then restore it in a new plan, which --failed-to FILE writes";
            self.error = Some(Error::new(Kind::RestoreFailed, message).with_hint(hint));
        }
        self.accepted = Some(Target {
            resumed: true,
            ..Target::of(entry)
        });
    }

    /// Records the error that keeps it from being started; the error is about `column`.
    pub fn refuse(&mut self, column: &str, code: &str, error: Error) {
        self.error = Some(match error.kind {
            Kind::NotFound => error,
            _ => Error::new(
                Kind::Invalid,
                format!(
                    "{} cannot be restored from {}",
                    self.site_id, self.snapshot_id
                ),
            )
            .with_details(vec![Detail::new(code, column, error.message.clone())])
            .with_hint(
                error
                    .hint
                    .as_deref()
                    .unwrap_or("No changes were made. Fix the values above and retry."),
            ),
        });
    }

    /// Shows on stderr which task restores the site.
    pub fn announce(&self, ui: &Ui) {
        if let Some(id) = self.task_id().filter(|_| !self.is_resumed()) {
            ui.note(&format!(
                "restoring {} from {}: task {id}",
                self.site_id, self.snapshot_id
            ));
        }
    }

    /// Returns the restore to watch, also if it may not have been started.
    pub fn target(&self) -> Option<Target> {
        let is_in_doubt = self.error.as_ref().is_some_and(Error::is_in_doubt);
        let in_doubt = || Target {
            site_id: Some(self.site_id.clone()),
            ..Target::default()
        };
        self.accepted.clone().or_else(|| is_in_doubt.then(in_doubt))
    }

    /// Returns its result in a word or two.
    pub fn word(&self) -> &'static str {
        match (&self.accepted, &self.error) {
            (Some(accepted), _) if !accepted.resumed => "started",
            (Some(_), None) => "resumed",
            (Some(_), Some(_)) => FAILED_BEFORE,
            (None, Some(error)) if error.is_in_doubt() => UNKNOWN,
            (None, Some(_)) => NOT_STARTED,
            (None, None) => "start",
        }
    }

    /// Returns its problems in the plan: the details of its error or, without details, the error itself.
    pub fn problems(&self, document: &Document) -> Vec<Detail> {
        let place = &document.rows[self.number];
        let at = |detail: &Detail| {
            document.detail(
                place,
                column_of(&detail.param),
                &detail.code,
                &*detail.message,
            )
        };
        match &self.error {
            None => Vec::new(),
            Some(error) if error.details.is_empty() => {
                vec![document.detail(place, "", error.kind.name(), &*error.message)]
            }
            Some(error) => error.details.iter().map(at).collect(),
        }
    }
}

/// Returns the column that a problem is about, also if the service calls it `restore.scope.paths[0]`.
fn column_of(param: &str) -> &str {
    let known = |word: &&str| COLUMNS.kind(word).is_some();
    let mut words = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    match words.find(|word| known(word) || word.starts_with("include_")) {
        Some("include_files") => "files",
        Some("include_database") => "database",
        Some(word) => word,
        None => param,
    }
}
