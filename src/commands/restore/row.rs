//! One record per restore: what was decided, and what was seen last. `restore start`, `resume`,
//! `watch` and `history` print it from the journal.

use crate::client::{SiteNames, SiteUrl, Task, TaskState, is_address};
use crate::error::{Error, Kind};
use crate::journal::{
    DecidedRestore, Entry, Observation, RestoreError, RestoreId, RunDetails, Runs,
};
use crate::resources::{Outcome, Record, ServiceTime};
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A restore that a command reports, with what the command knows besides the journal.
pub struct ReportedRestore {
    pub origin: Origin,
    /// The task, as the service last sent it to this command.
    pub task: Option<Record>,
    /// Why this command did not start the restore.
    pub error: Option<Error>,
}

/// Where a restore that is reported is known from.
pub enum Origin {
    Journal(RestoreId),
    /// A task that the journal does not have.
    Elsewhere {
        site_id: Option<String>,
        seen: Observation,
    },
}

impl ReportedRestore {
    pub fn of(entry: &Entry<'_>) -> Self {
        Self {
            origin: Origin::Journal(entry.id()),
            task: None,
            error: None,
        }
    }

    /// A task that the journal does not have.
    pub fn of_task(task_id: &str) -> Self {
        Self {
            origin: Origin::Elsewhere {
                site_id: None,
                seen: Observation {
                    task_id: Some(task_id.into()),
                    ..Observation::of(Outcome::Unknown)
                },
            },
            task: None,
            error: None,
        }
    }

    /// Returns the restore as it is now.
    pub fn view<'r>(&'r self, runs: &'r Runs) -> RestoreView<'r> {
        let (entry, site_id, seen) = match &self.origin {
            Origin::Journal(id) => {
                let entry = runs.entry(id);
                let site_id = entry.map(|entry| entry.decided().site_id.as_str());
                (entry, site_id, entry.and_then(|entry| entry.seen()))
            }
            Origin::Elsewhere { site_id, seen } => (None, site_id.as_deref(), Some(seen)),
        };
        RestoreView {
            entry,
            site_id,
            seen,
            task: self.task.as_ref(),
            error: self.error.as_ref(),
        }
    }
}

/// A restore that is reported, as it is now.
#[derive(Clone, Copy)]
pub struct RestoreView<'r> {
    /// None for a task that the journal does not have.
    pub entry: Option<Entry<'r>>,
    pub site_id: Option<&'r str>,
    pub seen: Option<&'r Observation>,
    task: Option<&'r Record>,
    error: Option<&'r Error>,
}

impl<'r> RestoreView<'r> {
    /// Whether watching can still show the outcome of the restore.
    pub fn is_watchable(&self) -> bool {
        match self.outcome() {
            Outcome::Running => true,
            Outcome::Unknown => self.reason().is_none() || self.is_in_flight(),
            _ => false,
        }
    }

    /// Whether a process may still be waiting for the response.
    pub fn is_in_flight(&self) -> bool {
        self.entry.is_some_and(|entry| entry.is_in_flight())
    }

    pub fn outcome(&self) -> Outcome {
        match (self.entry, self.seen) {
            (Some(entry), _) => entry.outcome(),
            (None, seen) => seen.map_or(Outcome::Unknown, |seen| seen.outcome),
        }
    }

    pub fn task_id(&self) -> Option<&'r str> {
        self.seen?.task_id.as_deref()
    }

    /// Returns the address of the site, its id or, if both are unknown, the id of the task.
    pub fn label(&self) -> &'r str {
        let name = self.entry.map(|entry| entry.decided().site_name());
        name.or(self.site_id).or(self.task_id()).unwrap_or_default()
    }

    /// Returns the site with its task, such as `shop.example (task-7)`.
    pub fn name(&self) -> String {
        let label = self.label();
        match self.task_id() {
            Some(task_id) if task_id != label => format!("{label} ({task_id})"),
            _ => label.into(),
        }
    }

    /// Returns why this command did not start the restore, unless another process has.
    pub fn start_error(&self) -> Option<&'r Error> {
        self.error.filter(|_| !self.outcome().was_accepted())
    }

    /// Returns why the restore did not succeed.
    pub fn reason(&self) -> Option<Cow<'r, RestoreError>> {
        if let Some(error) = self.start_error() {
            return Some(Cow::Owned(problem_of(error)));
        }
        match self.entry {
            Some(entry) => entry.error(),
            None => self.seen?.error.as_ref().map(Cow::Borrowed),
        }
    }

    /// Returns the record on stdout.
    pub fn row(&self) -> Row<'r> {
        let row = match (self.entry, self.seen) {
            (Some(entry), _) => Row::of_entry(entry),
            (None, seen) => Row {
                site_id: self.site_id,
                outcome: Some(self.outcome()),
                ..Row::default().with_observation(seen)
            },
        };
        Row {
            error: self.reason(),
            task: self.task,
            ..row
        }
    }
}

/// Returns all that a response can call the site of a restore.
pub fn site_names(decided: &DecidedRestore) -> SiteNames {
    SiteNames {
        id: decided.site_id.clone(),
        url: decided.url.clone(),
        title: decided.title.clone(),
    }
}

/// Whether a restore is one of the site with this id or address, as the journal has them.
pub fn is_of_site(entry: &Entry<'_>, text: &str) -> bool {
    let decided = entry.decided();
    let url = decided.url.as_deref().and_then(SiteUrl::parse);
    let address = SiteUrl::parse(text).filter(|_| is_address(text));
    decided.site_id == text.trim() || (address.is_some() && url == address)
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
    backup_id: Option<&'r str>,
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
            snapshot_id: decided.snapshot_id.as_deref(),
            taken_at: decided.taken_at.as_ref(),
            scope: Some(&decided.scope),
            reason: decided.reason.as_deref(),
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
            backup_id: entry.backup_id(),
            error: entry.error(),
            ..Self::decided(&entry.run.details, entry.decided()).with_observation(entry.seen())
        }
    }

    /// Sets why the restore cannot be started.
    #[must_use]
    pub fn with_error(mut self, error: Option<RestoreError>) -> Self {
        self.error = error.map(Cow::Owned);
        self
    }

    fn with_observation(self, seen: Option<&'r Observation>) -> Self {
        let Some(seen) = seen else { return self };
        Self {
            task_id: seen.task_id.as_deref(),
            status: seen.status.as_deref(),
            progress: seen.progress,
            finished_at: seen.finished_at.as_ref(),
            seconds: seen.seconds,
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
    let failure = task.failure.as_deref();
    let message = match outcome {
        Outcome::Failed => {
            let reason = failure.unwrap_or("no reason given");
            let steps = task.ended_steps.join(", ");
            Some(match reason.trim_end_matches('.') {
                _ if steps.is_empty() => reason.into(),
                reason => format!("{reason}; the site may be half restored, after {steps}"),
            })
        }
        Outcome::Unknown => {
            let what = failure.unwrap_or_default();
            Some(format!(
                "the response contradicts its state '{status}': {what}"
            ))
        }
        _ => None,
    };
    let finished_at = task.finished_at().filter(|_| outcome.has_ended());
    // Services name this time differently.
    let mut started = ["started_at", "created_at"].iter();
    let started_at = started.find_map(|field| ServiceTime::parse(&task.record.text(field)?));
    let seconds = match (started_at, &finished_at) {
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
