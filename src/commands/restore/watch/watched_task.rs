//! A watched task: its state, and how changes are shown.

use super::sent_restore::SentRestore;
use crate::client::{Task, TaskState};
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::config::duration::format_duration;
use crate::error::{Error, Kind, Result};
use crate::journal::{Journal, Outcome};
use crate::output;
use crate::resources::Record;
use crate::terminal::{Bar, Bars};
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use std::time::{Duration, Instant};

/// The status of a task before the first response.
const NO_RESPONSE: &str = "no response yet";
/// The number of consecutive errors of one kind after which watching stops.
const MAX_ERRORS: u32 = 5;
/// The minimum duration of consecutive errors before watching stops. A missing task needs no
/// minimum.
const MIN_ERROR_DURATION: Duration = Duration::from_secs(60);

/// The outcome of a watched task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchOutcome {
    Running,
    Succeeded,
    Failed,
    TimedOut,
    Unknown,
}

/// A task and its state, as printed on stdout.
#[derive(Serialize)]
pub struct WatchedTask {
    #[serde(flatten)]
    pub restore: SentRestore,
    pub outcome: WatchOutcome,
    status: Option<String>,
    /// Percent done.
    #[serde(serialize_with = "serialize_percent")]
    progress: Option<f64>,
    task: Option<Record>,
    #[serde(skip)]
    bar: Bar,
    #[serde(skip)]
    /// None after a response that showed the task.
    errors: Option<ConsecutiveErrors>,
    /// The last event on stdout.
    #[serde(skip)]
    last_event: Option<VisibleState>,
}

/// The outcome, the status and the progress. A change of these is an event.
type VisibleState = (WatchOutcome, Option<String>, Option<f64>);

/// The errors since the last response that showed the task.
#[derive(Debug, Clone, Copy)]
struct ConsecutiveErrors {
    kind: Kind,
    /// The number of consecutive errors of this kind.
    count: u32,
    since: Instant,
}

impl ConsecutiveErrors {
    /// Adds an error. An error of another kind begins a new count.
    fn with_next(previous: Option<Self>, kind: Kind) -> Self {
        match previous {
            Some(previous) if previous.kind == kind => Self {
                count: previous.count + 1,
                ..previous
            },
            _ => Self {
                kind,
                count: 1,
                since: Instant::now(),
            },
        }
    }

    /// Whether the errors end the watching of the task. A task is known if the service has shown
    /// it, or it is in the journal. An unavailable service never ends the watching of a known task.
    fn are_final(self, is_known: bool) -> bool {
        let are_many = self.count >= MAX_ERRORS;
        let are_lasting = are_many && self.since.elapsed() >= MIN_ERROR_DURATION;
        match self.kind {
            Kind::NotFound | Kind::Auth if !is_known => true,
            Kind::NotFound => are_many,
            Kind::Auth => are_lasting,
            _ => !is_known && are_lasting,
        }
    }
}

impl WatchedTask {
    /// Begins to watch. A restore without a task is not polled.
    pub fn new(restore: SentRestore, bars: &Bars) -> Self {
        let outcome = if restore.task_id.is_some() {
            WatchOutcome::Running
        } else {
            WatchOutcome::Unknown
        };
        let bar = bars.add();
        bar.draw(restore.label(), None, NO_RESPONSE);
        Self {
            restore,
            outcome,
            status: None,
            progress: None,
            task: None,
            bar,
            errors: None,
            last_event: None,
        }
    }

    /// Handles the response to a poll, and returns whether the task has changed.
    ///
    /// # Errors
    /// The service's error, if it does not accept the token, or if the only task that is watched is
    /// unknown, and missing or unreachable.
    pub fn handle_response(&mut self, response: Result<Task>, is_only_task: bool) -> Result<bool> {
        let before = self.visible_state();
        match response {
            Ok(task) => self.update(task),
            Err(error) => self.handle_error(error, is_only_task)?,
        }
        Ok(self.visible_state() != before)
    }

    fn update(&mut self, task: Task) {
        self.errors = None;
        self.outcome = match task.state {
            TaskState::Running => WatchOutcome::Running,
            TaskState::Succeeded => WatchOutcome::Succeeded,
            TaskState::Failed => WatchOutcome::Failed,
        };
        self.restore.site_id = self.restore.site_id.take().or(task.site_id);
        self.status = task.status;
        self.progress = task.progress;
        self.task = Some(task.record);
    }

    fn handle_error(&mut self, error: Error, is_only_task: bool) -> Result<()> {
        let errors = ConsecutiveErrors::with_next(self.errors, error.kind);
        self.errors = Some(errors);
        let is_known = self.was_shown() || self.restore.restore_id.is_some();
        if !errors.are_final(is_known) {
            return Ok(());
        }
        if error.kind == Kind::Auth || (is_only_task && !is_known) {
            return Err(error);
        }
        // The journal may know the outcome of a task that the service does not show.
        self.outcome = match self.restore.recorded_outcome {
            Some(Outcome::Succeeded) => WatchOutcome::Succeeded,
            Some(Outcome::Failed) => WatchOutcome::Failed,
            _ => WatchOutcome::Unknown,
        };
        Ok(())
    }

    fn visible_state(&self) -> VisibleState {
        (self.outcome, self.status.clone(), self.progress)
    }

    /// Whether the service has shown the task.
    pub fn was_shown(&self) -> bool {
        self.task.is_some()
    }

    /// Returns how long a finished task took, as the service reports it.
    pub fn duration(&self) -> Option<String> {
        if !matches!(self.outcome, WatchOutcome::Succeeded | WatchOutcome::Failed) {
            return None;
        }
        let task = self.task.as_ref()?;
        let time = |field: &str| task.text(field)?.parse().ok();
        Some(format_elapsed(time("created_at")?, time("updated_at")?))
    }

    /// Shows a change in a bar or a line, and as an event in ndjson. An error is not an event.
    ///
    /// # Errors
    /// If stdout cannot be written.
    pub async fn show(&mut self, context: &Context) -> Result<()> {
        let name = self.restore.full_name();
        let status = self.status_text();
        if self.outcome == WatchOutcome::Running {
            self.bar
                .update(self.restore.label(), &name, self.progress, &status);
        } else {
            self.bar.finish(&name, self.progress, &status);
        }
        let event = Some(self.visible_state());
        if context.settings.format != OutputFormat::Ndjson || self.last_event == event {
            return Ok(());
        }
        self.last_event = event;
        output::print_event(self, context.output_options()).await
    }

    fn status_text(&self) -> String {
        let status = match &self.status {
            Some(status) => status,
            None if self.was_shown() => "unknown status",
            None => NO_RESPONSE,
        };
        let error = self.errors.map(|errors| errors.kind.name());
        match (self.outcome, error) {
            (WatchOutcome::Running, Some(error)) => format!("{status}, retrying ({error})"),
            (WatchOutcome::Running | WatchOutcome::Succeeded | WatchOutcome::Failed, _) => {
                status.into()
            }
            (WatchOutcome::TimedOut, _) => format!("{status}, timed out"),
            (WatchOutcome::Unknown, Some(error)) => format!("outcome unknown ({error})"),
            (WatchOutcome::Unknown, None) => "outcome unknown".into(),
        }
    }

    /// Records the outcome in the journal. Of the unknown outcomes, only that of a missing task is
    /// recorded: after another error, the task may still be running.
    pub fn record_outcome(&self, context: &Context, journal: &Journal) {
        let is_missing = self
            .errors
            .is_some_and(|errors| errors.kind == Kind::NotFound);
        let outcome = match self.outcome {
            WatchOutcome::Succeeded => Outcome::Succeeded,
            WatchOutcome::Failed => Outcome::Failed,
            WatchOutcome::Unknown if is_missing => Outcome::Unknown,
            WatchOutcome::Running | WatchOutcome::TimedOut | WatchOutcome::Unknown => return,
        };
        if let Some(restore_id) = &self.restore.restore_id
            && let Err(error) = journal.record_outcome(restore_id, outcome)
        {
            context.ui.warn(&error.message);
        }
    }
}

/// Formats the time from one instant to another, in seconds and longer units.
pub fn format_elapsed(from: Timestamp, to: Timestamp) -> String {
    let seconds = to.duration_since(from).as_secs();
    format_duration(Duration::from_secs(seconds.try_into().unwrap_or_default()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_a_row_end_the_watching() {
        let minute_ago = Instant::now()
            .checked_sub(MIN_ERROR_DURATION)
            .unwrap_or_else(Instant::now);
        let errors = |kind, count, since| ConsecutiveErrors { kind, count, since };
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
        let one = ConsecutiveErrors::with_next(None, Kind::Auth);
        let two = ConsecutiveErrors::with_next(Some(one), Kind::Auth);
        let other_kind = ConsecutiveErrors::with_next(Some(two), Kind::NotFound);
        assert_eq!((two.count, other_kind.count), (2, 1));
    }
}
