//! A watched task: its state, and how changes are shown.

use super::target::Target;
use crate::client::{Task, TaskState};
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::config::duration::describe;
use crate::error::{Error, Kind, Result};
use crate::journal::{Journal, Outcome};
use crate::output;
use crate::resources::Record;
use crate::terminal::{Bar, Bars};
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use std::time::{Duration, Instant};

/// The status of a task before the first response.
const UNSEEN: &str = "no response yet";
/// Errors of one kind in a row that end the watching of a task.
const FINAL_COUNT: u32 = 5;
/// How long they must have lasted, unless it is that the task is missing.
const FINAL_TIME: Duration = Duration::from_secs(60);

/// The outcome of a watched task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It is still running.
    Running,
    /// The task succeeded.
    Succeeded,
    /// The task failed.
    Failed,
    /// The time was up.
    TimedOut,
    /// The outcome is unknown.
    Unknown,
}

/// A task and its state, as printed on stdout.
#[derive(Serialize)]
pub struct Followed {
    /// The restore of the task.
    #[serde(flatten)]
    pub target: Target,
    /// The outcome.
    #[serde(rename = "outcome")]
    pub end: End,
    status: Option<String>,
    #[serde(serialize_with = "number")]
    progress: Option<f64>,
    task: Option<Record>,
    #[serde(skip)]
    bar: Bar,
    #[serde(skip)]
    errors: Option<Errors>,
    /// The last event on stdout.
    #[serde(skip)]
    printed: Option<Seen>,
}

/// A change of these is an event.
type Seen = (End, Option<String>, Option<f64>);

/// The errors since the last response that showed the task.
#[derive(Debug, Clone, Copy)]
struct Errors {
    kind: Kind,
    /// How many of this kind in a row.
    count: u32,
    since: Instant,
}

impl Errors {
    fn after(before: Option<Self>, kind: Kind) -> Self {
        match before.filter(|before| before.kind == kind) {
            Some(before) => Self {
                count: before.count + 1,
                ..before
            },
            None => Self {
                kind,
                count: 1,
                since: Instant::now(),
            },
        }
    }

    /// Whether they end the watching. A task is known if it was seen, or is in the journal.
    fn are_final(self, is_known: bool) -> bool {
        let is_often = self.count >= FINAL_COUNT;
        let lasts = is_often && self.since.elapsed() >= FINAL_TIME;
        match self.kind {
            Kind::NotFound | Kind::Auth if !is_known => true,
            Kind::NotFound => is_often,
            Kind::Auth => lasts,
            _ => !is_known && lasts,
        }
    }
}

impl Followed {
    /// Begins to watch. A restore without a task is not polled.
    pub(super) fn new(target: Target, bars: &Bars) -> Self {
        let end = if target.task_id.is_some() {
            End::Running
        } else {
            End::Unknown
        };
        let bar = bars.add();
        bar.draw(target.label(), None, UNSEEN);
        Self {
            target,
            end,
            status: None,
            progress: None,
            task: None,
            bar,
            errors: None,
            printed: None,
        }
    }

    /// Handles the response to a poll, and returns whether the task has changed.
    ///
    /// # Errors
    /// The service's error, if it does not accept the token, or if the only task that is watched does not exist.
    pub(super) fn take(&mut self, response: Result<Task>, alone: bool) -> Result<bool> {
        let before = self.seen();
        match response {
            Ok(task) => self.take_task(task),
            Err(error) => self.take_error(error, alone)?,
        }
        Ok(self.errors.is_none() && self.seen() != before)
    }

    fn take_task(&mut self, task: Task) {
        self.errors = None;
        self.end = match task.state {
            TaskState::Running => End::Running,
            TaskState::Succeeded => End::Succeeded,
            TaskState::Failed => End::Failed,
        };
        self.target.site_id = self.target.site_id.take().or(task.site_id);
        (self.status, self.progress, self.task) = (task.status, task.progress, Some(task.record));
    }

    fn take_error(&mut self, error: Error, alone: bool) -> Result<()> {
        let errors = self.errors.insert(Errors::after(self.errors, error.kind));
        let is_known = self.task.is_some() || self.target.restore.is_some();
        if !errors.are_final(is_known) {
            return Ok(());
        }
        if error.kind == Kind::Auth || (alone && !is_known) {
            return Err(error);
        }
        // The journal may know how it ended.
        self.end = match self.target.ended {
            Some(Outcome::Succeeded) => End::Succeeded,
            Some(Outcome::Failed) => End::Failed,
            _ => End::Unknown,
        };
        Ok(())
    }

    fn seen(&self) -> Seen {
        (self.end, self.status.clone(), self.progress)
    }

    /// Whether the service has shown the task.
    pub(super) fn was_seen(&self) -> bool {
        self.task.is_some()
    }

    /// Returns how long the task took, as the service reports it.
    pub(super) fn took(&self) -> Option<String> {
        let task = self
            .task
            .as_ref()
            .filter(|_| matches!(self.end, End::Succeeded | End::Failed))?;
        let time = |field: &str| task.text(field)?.parse().ok();
        Some(took(time("created_at")?, time("updated_at")?))
    }

    /// Shows a change in a bar or a line, and as an event in ndjson. An error is not an event.
    ///
    /// # Errors
    /// If stdout cannot be written.
    pub(super) async fn show(&mut self, context: &Context) -> Result<()> {
        let (name, words, percent) = (self.target.name(), self.words(), self.progress);
        match self.end {
            End::Running => self
                .bar
                .update((self.target.label(), &name), percent, &words),
            _ => self.bar.finish(&name, percent, &words),
        }
        let seen = Some(self.seen());
        if context.settings.format != OutputFormat::Ndjson || self.printed == seen {
            return Ok(());
        }
        self.printed = seen;
        output::print_event(self, context.output_options()).await
    }

    fn words(&self) -> String {
        let status = self.status.as_deref().unwrap_or(if self.task.is_some() {
            "unknown status"
        } else {
            UNSEEN
        });
        match (self.end, self.errors.map(|errors| errors.kind.name())) {
            (End::Running, Some(kind)) => format!("{status}, retrying ({kind})"),
            (End::Running | End::Succeeded | End::Failed, _) => status.into(),
            (End::TimedOut, _) => format!("{status}, timed out"),
            (End::Unknown, Some(kind)) => format!("outcome unknown ({kind})"),
            (End::Unknown, None) => "outcome unknown".into(),
        }
    }

    /// Records the outcome in the journal, also if the task is missing.
    pub(super) fn record(&self, context: &Context, journal: &Journal) {
        let outcome = match self.end {
            End::Succeeded => Outcome::Succeeded,
            End::Failed => Outcome::Failed,
            End::Unknown
                if self
                    .errors
                    .is_some_and(|errors| errors.kind == Kind::NotFound) =>
            {
                Outcome::Unknown
            }
            End::Running | End::TimedOut | End::Unknown => return,
        };
        if let Some(Err(error)) = self
            .target
            .restore
            .as_deref()
            .map(|restore| journal.ended(restore, outcome))
        {
            context.ui.warn(&error.message);
        }
    }
}

/// Describes the time from one instant to another, in seconds and longer units.
pub fn took(from: Timestamp, to: Timestamp) -> String {
    describe(Duration::from_secs(
        u64::try_from(to.duration_since(from).as_secs()).unwrap_or_default(),
    ))
}

/// Writes an integer without its fraction: `40`, not `40.0`.
fn number<S: Serializer>(
    percent: &Option<f64>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    match percent {
        Some(percent) if percent.fract() == 0.0 => serializer.serialize_u64(*percent as u64),
        percent => percent.serialize(serializer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_a_row_end_the_watching() {
        let minute_ago = Instant::now()
            .checked_sub(FINAL_TIME)
            .unwrap_or_else(Instant::now);
        let errors = |kind, count, since| Errors { kind, count, since };
        for (kind, often, lasting, unknown) in [
            (Kind::NotFound, true, true, true),
            (Kind::Auth, false, true, true),
            (Kind::Unavailable, false, false, false),
            (Kind::RateLimited, false, false, false),
        ] {
            let now = Instant::now();
            assert!(
                !errors(kind, 4, minute_ago).are_final(true),
                "{kind:?}: too few, however long apart"
            );
            assert_eq!(errors(kind, 5, now).are_final(true), often, "{kind:?}");
            assert_eq!(
                errors(kind, 5, minute_ago).are_final(true),
                lasting,
                "{kind:?}"
            );
            assert_eq!(errors(kind, 1, now).are_final(false), unknown, "{kind:?}");
            assert!(errors(kind, 5, minute_ago).are_final(false), "{kind:?}");
        }
        let two = Errors::after(Some(Errors::after(None, Kind::Auth)), Kind::Auth);
        assert_eq!(
            (two.count, Errors::after(Some(two), Kind::NotFound).count),
            (2, 1)
        );
    }
}
