//! One restore, from the command line or the row of a plan to the report.

use super::launch::{Accepted, Order};
use super::watch::Target;
use crate::error::{Detail, Error, Kind};
use crate::input::{ColumnKind, Columns, Document};
use crate::journal::{Entry, Outcome};
use crate::terminal::Ui;
use jiff::Timestamp;

/// The word for the newest successful snapshot.
pub const LATEST: &str = "latest";

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
#[derive(Debug)]
pub struct Row {
    /// Its number in the plan.
    pub number: usize,
    /// The order; `check` replaces a URL and `latest` by ids.
    pub order: Order,
    /// The URL of the site, if it is known.
    pub url: Option<String>,
    /// When the snapshot was taken, if that is known.
    pub taken_at: Option<Timestamp>,
    /// Its restore, once the service has accepted it.
    pub accepted: Option<Accepted>,
    /// The error of a row that was not started, may not have been started, or has failed since.
    pub error: Option<Error>,
    /// Whether it was not sent because of an error of other rows.
    pub is_left: bool,
}

impl Row {
    /// Returns a row that has not been checked.
    pub fn new(number: usize, order: Order) -> Self {
        Self { number, order, url: None, taken_at: None, accepted: None, error: None, is_left: false }
    }

    /// Whether it can be sent.
    pub fn is_waiting(&self) -> bool {
        self.accepted.is_none() && self.error.is_none()
    }

    /// Whether an earlier run of the plan has started it.
    pub fn is_resumed(&self) -> bool {
        self.accepted.as_ref().is_some_and(|accepted| accepted.is_earlier)
    }

    /// Returns its task, unless it has failed since.
    pub fn task_id(&self) -> Option<&str> {
        self.accepted.as_ref().filter(|_| self.error.is_none())?.task_id.as_deref()
    }

    /// Records that an earlier run has started it; it may have failed since.
    pub fn resume(&mut self, entry: &Entry) {
        if entry.outcome == Some(Outcome::Failed) {
            let task = entry.task_id.as_deref().unwrap_or_default();
            let message = format!("the restore started {:.0} as task {task} failed", entry.intent.started_at);
            let hint = "check the site, then restore it in a new plan, which --failed-to FILE writes";
            self.error = Some(Error::new(Kind::RestoreFailed, message).hint(hint));
        }
        let (restore, task_id) = (entry.restore.clone(), entry.task_id.clone());
        let ended = entry.outcome.filter(|_| entry.has_ended());
        self.accepted = Some(Accepted { restore, task_id, task: None, is_earlier: true, ended });
    }

    /// Records the error that keeps it from being started; the error is about `column`.
    pub fn refuse(&mut self, column: &str, code: &str, error: Error) {
        let Order { site_id, snapshot_id, .. } = &self.order;
        self.error = Some(match error.kind {
            Kind::NotFound => error,
            _ => Error::new(Kind::Invalid, format!("{site_id} cannot be restored from {snapshot_id}"))
                .details(vec![Detail::new(code, column, error.message.clone())])
                .hint(error.hint.as_deref().unwrap_or("No changes were made. Fix the values above and retry.")),
        });
    }

    /// Shows on stderr which task restores the site.
    pub fn announce(&self, ui: &Ui) {
        let Order { site_id, snapshot_id, .. } = &self.order;
        if let Some(id) = self.task_id().filter(|_| !self.is_resumed()) {
            ui.note(&format!("restoring {site_id} from {snapshot_id}: task {id}"));
        }
    }

    /// Returns the restore to watch, also if it may not have been started.
    pub fn target(&self) -> Option<Target> {
        let site_id = Some(self.order.site_id.clone());
        match &self.accepted {
            Some(Accepted { restore, task_id, is_earlier, ended, .. }) => {
                let (restore, task_id) = (Some(restore.clone()), task_id.clone());
                Some(Target { task_id, site_id, restore, ended: *ended, resumed: *is_earlier })
            }
            None if self.error.as_ref().is_some_and(|error| error.is_in_doubt()) => {
                Some(Target { site_id, ..Target::default() })
            }
            None => None,
        }
    }

    /// Returns its result in a word or two.
    pub fn word(&self) -> &'static str {
        match (&self.accepted, &self.error) {
            (Some(accepted), _) if !accepted.is_earlier => "started",
            (Some(_), None) => "resumed",
            (Some(_), Some(_)) => "failed before",
            (None, Some(error)) if error.is_in_doubt() => "unknown",
            (None, Some(_)) => "not started",
            (None, None) => "start",
        }
    }

    /// Returns its problems in the plan: the details of its error or, without details, the error itself.
    pub fn problems(&self, document: &Document) -> Vec<Detail> {
        let place = &document.rows[self.number];
        let at = |detail: &Detail| document.detail(place, column_of(&detail.param), &detail.code, &*detail.message);
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
