//! A row of a plan, from the file to the report.

use crate::commands::restore::launch::{Launched, Order};
use crate::commands::restore::started::Started;
use crate::commands::restore::watch::Target;
use crate::error::{Detail, Error, Kind};
use crate::input::{ColumnKind, Columns, Document};
use crate::journal::{Entry, Outcome};
use jiff::Timestamp;

/// The columns of a plan.
pub const COLUMNS: Columns = Columns {
    known: &[
        ("site_id", ColumnKind::Text),
        ("snapshot_id", ColumnKind::Text),
        ("files", ColumnKind::Text),
        ("database", ColumnKind::Text),
        ("paths", ColumnKind::List(&[';'])),
        ("tables", ColumnKind::List(&[';'])),
        ("subsite_ids", ColumnKind::List(&[';'])),
    ],
    ignored: &[],
    open: false,
};

/// A row of a plan.
#[derive(Debug)]
pub struct Row {
    /// Its number in the file.
    pub number: usize,
    /// What it restores: as the file says it, then with the ids of the site and the snapshot.
    pub order: Order,
    /// When the snapshot was taken, if that is known.
    pub taken_at: Option<Timestamp>,
    /// Its state.
    pub state: State,
}

/// The state of a row.
#[derive(Debug)]
pub enum State {
    /// It has not been sent.
    Waiting,
    /// An earlier run has started it; it has failed since if there is an error.
    Resumed(Box<Entry>, Option<Error>),
    /// This run has started it.
    Started(Launched),
    /// It was not started, or its outcome is unknown.
    Failed(Error),
    /// It was not tried, because of this.
    NotTried(Error),
}

impl State {
    /// A row that an earlier run has started.
    pub fn resumed(entry: &Entry) -> Self {
        let task = entry.task_id.as_deref().unwrap_or_default();
        let message = format!("its restore, started {:.0} as task {task}, failed", entry.intent.started_at);
        let error = || {
            Error::new(Kind::RestoreFailed, message)
                .hint("look at the site, then restore it in a plan of its own: --failed-to FILE writes one")
        };
        Self::Resumed(Box::new(entry.clone()), (entry.outcome == Some(Outcome::Failed)).then(error))
    }
}

impl Row {
    /// Whether it has yet to be sent.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    /// Whether an earlier run has started it.
    pub fn is_resumed(&self) -> bool {
        matches!(self.state, State::Resumed(..))
    }

    /// Returns why it was not started, or may not have been, or has failed since.
    pub fn error(&self) -> Option<&Error> {
        match &self.state {
            State::Waiting | State::Started(_) => None,
            State::Resumed(_, error) => error.as_ref(),
            State::Failed(error) | State::NotTried(error) => Some(error),
        }
    }

    /// Returns the id of its restore in the journal.
    pub fn restore(&self) -> Option<&str> {
        match &self.state {
            State::Started(launched) => Some(&launched.restore),
            State::Resumed(entry, _) => Some(&entry.restore),
            State::Waiting | State::Failed(_) | State::NotTried(_) => None,
        }
    }

    /// Returns the restore to watch.
    pub fn target(&self) -> Option<Target> {
        match &self.state {
            State::Started(launched) => Some(launched.target(&self.order)),
            State::Resumed(entry, _) => Some(Target { resumed: true, ..Target::of(entry) }),
            State::Failed(error) if is_in_doubt(error) => {
                Some(Target { site_id: Some(self.order.site_id.clone()), ..Target::default() })
            }
            State::Waiting | State::Failed(_) | State::NotTried(_) => None,
        }
    }

    /// Returns what is printed of it.
    pub fn started(&self) -> Option<Started<'_>> {
        let order = &self.order;
        match &self.state {
            State::Waiting => None,
            State::Started(launched) => Some(Started::now(order, launched)),
            State::Resumed(_, Some(error)) => Some(Started::failed(order, error).resumed()),
            State::Resumed(entry, None) => Some(Started::accepted(order, entry.task_id.as_deref(), None).resumed()),
            State::Failed(error) | State::NotTried(error) => Some(Started::failed(order, error)),
        }
    }

    /// Returns its state in a word or two.
    pub fn word(&self) -> &'static str {
        match &self.state {
            State::Started(_) => "started",
            State::Resumed(_, None) => "resumed",
            State::Resumed(_, Some(_)) => "failed before",
            State::Failed(error) if is_in_doubt(error) => "unknown",
            State::Failed(_) => "failed",
            State::Waiting | State::NotTried(_) => "not started",
        }
    }

    /// Its problems, each with its place in the file: the details of its error or, without details, the error itself.
    pub fn problems(&self, document: &Document) -> Vec<Detail> {
        let Some(error) = self.error() else { return Vec::new() };
        if !error.details.is_empty() {
            return error.details.clone();
        }
        let place = Some(document.locate(document.rows[self.number].position, None));
        vec![Detail { place, ..Detail::new(error.kind.name(), "", &*error.message) }]
    }

    /// Adds the place in the file to each detail of the service's error.
    pub fn located(self, document: &Document) -> Self {
        let at = |detail: &Detail| {
            let row = &document.rows[self.number];
            document.detail(row, column_of(&detail.param), &detail.code, &*detail.message)
        };
        let state = match self.state {
            State::Failed(error) => {
                let details = error.details.iter().map(at).collect();
                State::Failed(error.details(details))
            }
            state => state,
        };
        Self { state, ..self }
    }
}

/// Whether the restore may have been started.
pub fn is_in_doubt(error: &Error) -> bool {
    error.kind == Kind::UnknownOutcome || error.in_flight
}

/// The column that a problem is about, also if the service calls it `restore.scope.paths[0]`.
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
