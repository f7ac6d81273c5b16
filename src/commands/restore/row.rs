//! One restore, from the command line or the row of a plan to the result.

use super::watch::SentRestore;
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

pub const PLAN_COLUMNS: Columns = Columns {
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
    // A file may also be a list of sites.
    list: Some("site_id"),
};

/// One restore. A missing site or snapshot is empty until the user has chosen it.
#[derive(Debug, Default)]
pub struct RestoreRow {
    /// The index of the row in the plan; 0 without a plan.
    pub index: usize,
    /// The site that is overwritten; `check_restores` replaces a URL by the id.
    pub site_id: String,
    /// The snapshot that replaces the site's content; `check_restores` replaces `latest` by the id.
    pub snapshot_id: String,
    /// For `latest`, the time before which the snapshot was taken.
    pub before: Option<Timestamp>,
    /// The scope as it is sent; null if it was not specified.
    pub scope: Box<RawValue>,
    /// The URL of the site, if it is known.
    pub url: Option<String>,
    /// When the snapshot was taken, if that is known.
    pub taken_at: Option<Timestamp>,
    /// The restore, once the service has accepted it.
    pub accepted: Option<SentRestore>,
    /// The error of a row that was not started, may not have been started, or has failed since.
    pub error: Option<Error>,
    /// Whether the row was not sent because of an error of other rows. It has an error, too.
    pub is_skipped: bool,
}

impl RestoreRow {
    pub fn has_scope(&self) -> bool {
        self.scope.get() != RawValue::NULL.get()
    }

    /// Whether the restore is neither accepted nor refused.
    pub fn can_start(&self) -> bool {
        self.accepted.is_none() && self.error.is_none()
    }

    /// Whether an earlier run of the plan has started the restore.
    pub fn is_resumed(&self) -> bool {
        self.accepted
            .as_ref()
            .is_some_and(|restore| restore.resumed)
    }

    /// Returns the id of the task, unless the restore has failed since.
    pub fn task_id(&self) -> Option<&str> {
        match (&self.accepted, &self.error) {
            (Some(restore), None) => restore.task_id.as_deref(),
            _ => None,
        }
    }

    /// Records that an earlier run has started the restore. If the restore has failed since, the
    /// row gets an error, too.
    pub fn mark_resumed(&mut self, entry: &Entry) {
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
        self.accepted = Some(SentRestore {
            resumed: true,
            ..SentRestore::from_entry(entry)
        });
    }

    /// Records the error that prevents the start, as a problem with `column`. `NotFound` stays as
    /// it is, because its kind sets the exit code.
    pub fn refuse(&mut self, column: &str, code: &str, error: Error) {
        if error.kind == Kind::NotFound {
            self.error = Some(error);
            return;
        }
        let message = format!(
            "{} cannot be restored from {}",
            self.site_id, self.snapshot_id
        );
        let hint = error
            .hint
            .as_deref()
            .unwrap_or("No changes were made. Fix the values above and retry.");
        self.error = Some(
            Error::new(Kind::Invalid, message)
                .with_details(vec![Detail::new(code, column, error.message.clone())])
                .with_hint(hint),
        );
    }

    /// Shows on stderr which task restores the site.
    pub fn announce(&self, ui: &Ui) {
        if let Some(task_id) = self.task_id()
            && !self.is_resumed()
        {
            ui.note(&format!(
                "restoring {} from {}: task {task_id}",
                self.site_id, self.snapshot_id
            ));
        }
    }

    /// Returns the restore to watch, even if its start is unconfirmed.
    pub fn restore_to_watch(&self) -> Option<SentRestore> {
        if self.accepted.is_some() {
            return self.accepted.clone();
        }
        let has_unknown_outcome = self.error.as_ref().is_some_and(Error::has_unknown_outcome);
        has_unknown_outcome.then(|| SentRestore {
            site_id: Some(self.site_id.clone()),
            ..SentRestore::default()
        })
    }

    /// Returns the result for people.
    pub fn result_name(&self) -> &'static str {
        match (&self.accepted, &self.error) {
            (Some(restore), _) if !restore.resumed => "started",
            (Some(_), None) => "resumed",
            (Some(_), Some(_)) => FAILED_BEFORE,
            (None, Some(error)) if error.has_unknown_outcome() => UNKNOWN,
            (None, Some(_)) => NOT_STARTED,
            (None, None) => "start",
        }
    }

    /// Returns the problems in the plan: the details of the error or, without details, the error
    /// itself.
    pub fn problems(&self, document: &Document) -> Vec<Detail> {
        let row = &document.rows[self.index];
        match &self.error {
            None => Vec::new(),
            Some(error) if error.details.is_empty() => {
                vec![document.detail(row, "", error.kind.name(), &*error.message)]
            }
            Some(error) => error
                .details
                .iter()
                .map(
                    |Detail {
                         param,
                         code,
                         message,
                         ..
                     }| {
                        document.detail(row, column_of_param(param), code, message.as_str())
                    },
                )
                .collect(),
        }
    }
}

/// Returns the column that a problem is about, such as `paths` for `restore.scope.paths[0]`. A
/// `param` without a column stays unchanged.
fn column_of_param(param: &str) -> &str {
    param
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .find_map(|name| match name {
            "include_files" => Some("files"),
            "include_database" => Some("database"),
            _ => {
                (PLAN_COLUMNS.kind(name).is_some() || name.starts_with("include_")).then_some(name)
            }
        })
        .unwrap_or(param)
}
