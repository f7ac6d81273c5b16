//! One record per restore: what was decided, and what was seen last. `restore start`, `resume`,
//! `watch` and `history` print it from the journal.

use crate::client::{SiteUrl, Task, TaskState, is_address};
use crate::error::{Error, Kind};
use crate::journal::{
    DecidedRestore, Entry, Observation, RestoreError, RestoreId, RunDetails, Runs,
};
use crate::resources::{Outcome, Record, ServiceTime};
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A restore that a command reports, with what the command knows beside the journal.
#[derive(Default)]
pub struct Selected {
    /// The restore in the journal; None for a task of another machine.
    pub id: Option<RestoreId>,
    /// The last state of a task of another machine.
    pub seen: Option<Observation>,
    /// The site of a task of another machine.
    pub site_id: Option<String>,
    /// The task, as the service last sent it to this command.
    pub task: Option<Record>,
    /// Why this command did not start the restore.
    pub error: Option<Error>,
}

impl Selected {
    pub fn of(entry: &Entry<'_>) -> Self {
        Self {
            id: Some(entry.id()),
            ..Self::default()
        }
    }

    /// A task that the journal does not contain.
    pub fn of_task(task_id: &str) -> Self {
        Self {
            seen: Some(Observation {
                task_id: Some(task_id.into()),
                ..Observation::of(Outcome::Unknown)
            }),
            ..Self::default()
        }
    }

    /// Whether both are the same restore.
    pub fn is_same(&self, other: &Self) -> bool {
        let task_id = |one: &Self| Some(one.seen.as_ref()?.task_id.clone());
        self.id == other.id && task_id(self) == task_id(other)
    }

    /// Whether watching can still show the outcome of the restore.
    pub fn is_open(&self, runs: &Runs) -> bool {
        match self.outcome(runs) {
            Outcome::Running => true,
            Outcome::Unknown => self.reason(runs).is_none(),
            _ => false,
        }
    }

    /// Whether the restore is in doubt without a task, and its site was restored since.
    pub fn is_over(&self, runs: &Runs) -> bool {
        let is_lost = self.outcome(runs) == Outcome::Unknown && self.task_id(runs).is_none();
        let entry = self.entry(runs).filter(|_| is_lost);
        entry.is_some_and(|entry| runs.later_accepted(&entry).is_some())
    }

    pub fn entry<'r>(&self, runs: &'r Runs) -> Option<Entry<'r>> {
        runs.entry(self.id.as_ref()?)
    }

    pub fn seen<'r>(&'r self, runs: &'r Runs) -> Option<&'r Observation> {
        match self.entry(runs) {
            Some(entry) => entry.seen(),
            None => self.seen.as_ref(),
        }
    }

    pub fn outcome(&self, runs: &Runs) -> Outcome {
        match self.entry(runs) {
            Some(entry) => entry.outcome(),
            None => self
                .seen(runs)
                .map_or(Outcome::Unknown, |seen| seen.outcome),
        }
    }

    pub fn task_id<'r>(&'r self, runs: &'r Runs) -> Option<&'r str> {
        self.seen(runs)?.task_id.as_deref()
    }

    pub fn site_id<'r>(&'r self, runs: &'r Runs) -> Option<&'r str> {
        let decided = self
            .entry(runs)
            .map(|entry| entry.decided().site_id.as_str());
        decided.or(self.site_id.as_deref())
    }

    /// Returns the address of the site, its id or, if both are unknown, the id of the task.
    pub fn label<'r>(&'r self, runs: &'r Runs) -> &'r str {
        let decided = self.entry(runs).map(|entry| entry.decided().site_name());
        decided
            .or(self.site_id.as_deref())
            .or(self.task_id(runs))
            .unwrap_or_default()
    }

    /// Returns the site with its task, such as `shop.example (task-7)`.
    pub fn name(&self, runs: &Runs) -> String {
        let label = self.label(runs);
        match self.task_id(runs) {
            Some(task_id) if task_id != label => format!("{label} ({task_id})"),
            _ => label.into(),
        }
    }

    /// Returns why this command did not start the restore, unless another process has.
    pub fn start_error(&self, runs: &Runs) -> Option<&Error> {
        let error = self.error.as_ref();
        error.filter(|_| !self.outcome(runs).was_accepted())
    }

    /// Returns why the restore did not succeed.
    pub fn reason<'r>(&'r self, runs: &'r Runs) -> Option<Cow<'r, RestoreError>> {
        if let Some(error) = self.start_error(runs) {
            return Some(Cow::Owned(problem_of(error)));
        }
        let seen = self.seen(runs).and_then(|seen| seen.error.as_ref());
        seen.map(Cow::Borrowed)
    }

    /// Returns the record on stdout.
    pub fn row<'r>(&'r self, runs: &'r Runs) -> Row<'r> {
        let row = match (self.entry(runs), &self.seen) {
            (Some(entry), _) => Row::of_entry(entry),
            (None, Some(seen)) => Row::of_task(self.site_id.as_deref(), seen),
            (None, None) => Row::default(),
        };
        Row {
            error: self.reason(runs),
            task: self.task.as_ref(),
            ..row
        }
    }
}

/// Whether a restore is one of the site with this id or address, as the journal has them.
pub fn is_of_site(entry: &Entry<'_>, text: &str) -> bool {
    let decided = entry.decided();
    let url = decided.url.as_deref().and_then(SiteUrl::parse);
    let address = SiteUrl::parse(text).filter(|_| is_address(text));
    decided.site_id == text.trim() || (address.is_some() && url == address)
}

/// Returns why a restore is not sent whose site has been restored since it was decided.
pub fn restored_since(later: &Entry<'_>) -> RestoreError {
    RestoreError {
        kind: Kind::Partial,
        message: format!("run {} has restored the site since", later.run.id),
    }
}

/// Returns the error of a request as the journal keeps it.
pub fn problem_of(error: &Error) -> RestoreError {
    let mut texts = vec![error.message.as_str()];
    texts.extend(error.details.iter().map(|detail| detail.message.as_str()));
    let is_unknown = error.has_unknown_outcome();
    RestoreError {
        kind: if is_unknown {
            Kind::UnknownOutcome
        } else {
            error.kind
        },
        message: texts.join("; "),
    }
}

/// Returns the kind of error, and so the exit code, of an outcome that is one.
pub fn kind_of(outcome: Outcome) -> Option<Kind> {
    match outcome {
        Outcome::Failed => Some(Kind::RestoreFailed),
        Outcome::Unknown => Some(Kind::UnknownOutcome),
        Outcome::NotSent | Outcome::Rejected => Some(Kind::Partial),
        Outcome::Running | Outcome::Succeeded => None,
    }
}

/// One restore on stdout. Only the task of another machine lacks what was decided.
#[derive(Default, Serialize)]
pub struct Row<'r> {
    run: Option<&'r str>,
    pub site_id: Option<&'r str>,
    url: Option<&'r str>,
    snapshot_id: Option<&'r str>,
    taken_at: Option<&'r ServiceTime>,
    scope: Option<&'r RawValue>,
    reason: Option<&'r str>,
    /// Null in a dry run.
    pub outcome: Option<Outcome>,
    pub task_id: Option<&'r str>,
    status: Option<&'r str>,
    #[serde(serialize_with = "serialize_percent")]
    progress: Option<f64>,
    started_at: Option<Timestamp>,
    finished_at: Option<&'r ServiceTime>,
    seconds: Option<i64>,
    user: Option<&'r str>,
    ci_url: Option<&'r str>,
    profile: Option<&'r str>,
    base_url: Option<&'r str>,
    error: Option<Cow<'r, RestoreError>>,
    /// As the service last sent it to this command.
    task: Option<&'r Record>,
}

impl<'r> Row<'r> {
    /// A restore that is only decided.
    pub fn decided(details: &'r RunDetails, decided: &'r DecidedRestore) -> Self {
        Self {
            site_id: Some(&decided.site_id),
            url: decided.url.as_deref(),
            snapshot_id: Some(&decided.snapshot_id),
            taken_at: decided.taken_at.as_ref(),
            scope: Some(&decided.scope),
            reason: details.reason.as_deref(),
            user: details.user.as_deref(),
            ci_url: details.ci_url.as_deref(),
            profile: details.profile.as_deref(),
            base_url: Some(&details.base_url),
            ..Self::default()
        }
    }

    /// A restore of the journal.
    pub fn of_entry(entry: Entry<'r>) -> Self {
        Self {
            run: Some(&entry.run.id),
            outcome: Some(entry.outcome()),
            started_at: Some(entry.started_at()),
            ..Self::decided(&entry.run.details, entry.decided()).with_observation(entry.seen())
        }
    }

    /// A task that the journal does not contain.
    pub fn of_task(site_id: Option<&'r str>, seen: &'r Observation) -> Self {
        Self {
            site_id,
            outcome: Some(seen.outcome),
            ..Self::default().with_observation(Some(seen))
        }
    }

    fn with_observation(self, seen: Option<&'r Observation>) -> Self {
        let Some(seen) = seen else { return self };
        Self {
            task_id: seen.task_id.as_deref(),
            status: seen.status.as_deref(),
            progress: seen.progress,
            finished_at: seen.finished_at.as_ref(),
            seconds: seen.seconds,
            error: seen.error.as_ref().map(Cow::Borrowed),
            ..self
        }
    }
}

/// Returns what a response about a task shows. The times are those of the service.
pub fn observation_of(task: &Task) -> Observation {
    let outcome = match task.state {
        TaskState::Running => Outcome::Running,
        TaskState::Succeeded => Outcome::Succeeded,
        TaskState::Failed => Outcome::Failed,
        TaskState::Contradictory => Outcome::Unknown,
    };
    let status = task.status.as_deref().unwrap_or_default();
    let message = match outcome {
        Outcome::Failed => Some(task.failure.clone().unwrap_or("no reason given".into())),
        Outcome::Unknown => Some(format!("the response contradicts its state '{status}'")),
        _ => None,
    };
    // Services name these times differently.
    let time = |fields: &[&str]| {
        let mut texts = fields.iter().filter_map(|field| task.record.text(field));
        texts.find_map(|text| ServiceTime::parse(&text))
    };
    let finished_at =
        time(&["finished_at", "completed_at", "ended_at"]).filter(|_| outcome.has_ended());
    let seconds = match (time(&["started_at", "created_at"]), &finished_at) {
        (Some(from), Some(to)) => Some(to.instant.duration_since(from.instant).as_secs()),
        _ => None,
    };
    Observation {
        outcome,
        task_id: Some(task.id.clone()),
        status: task.status.clone(),
        progress: task.progress,
        finished_at,
        seconds: seconds.filter(|seconds| *seconds >= 0),
        error: message.map(|message| RestoreError {
            kind: kind_of(outcome).unwrap_or_default(),
            message,
        }),
    }
}

/// Writes an integer without its fraction: `40`, not `40.0`.
fn serialize_percent<S: Serializer>(
    percent: &Option<f64>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    match percent {
        Some(percent) if percent.fract() == 0.0 => serializer.serialize_u64(*percent as u64),
        percent => percent.serialize(serializer),
    }
}
