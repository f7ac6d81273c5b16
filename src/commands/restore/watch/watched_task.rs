//! A watched task: its state, and how changes are shown.

use super::super::conflict::observation_of;
use super::target::WatchTarget;
use crate::client::Task;
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::config::duration::format_duration;
use crate::error::{Error, Kind, Result};
use crate::journal::{Journal, Observation};
use crate::output;
use crate::resources::{Outcome, Record};
use crate::terminal::{Bar, Bars, TaskProgress};
use serde::{Serialize, Serializer};
use std::time::{Duration, Instant};

/// The status of a task before the first response.
const NO_STATUS: &str = "no status yet";
/// The status of a task that a response shows without one.
const UNKNOWN_STATUS: &str = "unknown status";
/// The number of consecutive errors of one kind after which watching stops.
const MAX_ERRORS: u32 = 5;
/// The minimum duration of consecutive errors before watching stops.
const MIN_ERROR_DURATION: Duration = Duration::from_secs(60);
/// The number of consecutive polls that show the end of a task in an unlisted state, after which
/// watching stops.
const MAX_ENDED_POLLS: u32 = 3;

/// A task and its state, as printed on stdout.
#[derive(Serialize)]
pub struct WatchedTask {
    #[serde(flatten)]
    pub target: WatchTarget,
    pub outcome: Outcome,
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
    /// The number of consecutive polls that show the end of the task, but a state that is in
    /// neither list of `task_states`.
    #[serde(skip)]
    ended_polls: u32,
    /// What the last response showed.
    #[serde(skip)]
    last_seen: Option<Observation>,
    /// The last event on stdout.
    #[serde(skip)]
    last_event: Option<VisibleState>,
}

/// The outcome, the status and the progress. A change of these is an event.
type VisibleState = (Outcome, Option<String>, Option<f64>);

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
        let are_lasting = self.count >= MAX_ERRORS && self.since.elapsed() >= MIN_ERROR_DURATION;
        match self.kind {
            Kind::Auth => true,
            Kind::NotFound => !is_known || are_lasting,
            _ => !is_known && are_lasting,
        }
    }
}

impl WatchedTask {
    /// Begins to watch. A restore without a task has the outcome of the journal.
    pub fn new(target: WatchTarget, bars: &Bars) -> Self {
        let outcome = match target.recorded {
            Some(recorded) if recorded.has_ended() => recorded,
            _ if target.task_id.is_some() => Outcome::Running,
            Some(Outcome::Running) => Outcome::Running,
            _ => Outcome::Unknown,
        };
        let bar = bars.add(target.is_announced);
        let task = Self {
            target,
            outcome,
            status: None,
            progress: None,
            task: None,
            bar,
            errors: None,
            ended_polls: 0,
            last_seen: None,
            last_event: None,
        };
        let name = task.target.full_name();
        task.bar.draw(task.target.label(), &name, &task.state());
        task
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
        let mut observation = observation_of(&task);
        self.errors = None;
        if observation.outcome == Outcome::Running && task.looks_ended() {
            self.ended_polls += 1;
        } else {
            self.ended_polls = 0;
        }
        if self.ended_polls == MAX_ENDED_POLLS {
            observation.outcome = Outcome::Unknown;
        }
        self.outcome = observation.outcome;
        self.last_seen = Some(observation);
        self.target.site_id = self.target.site_id.take().or(task.site_id);
        self.status = task.status;
        self.progress = task.progress;
        self.task = Some(task.record);
    }

    /// Takes over what the journal says about a restore whose response has not arrived, or arrives
    /// at another process.
    pub fn update_from_journal(&mut self, journal: &Journal) -> Result<()> {
        let runs = journal.read()?;
        if let Some(id) = &self.target.restore_id
            && let Some(entry) = runs.entry(id)
        {
            self.target.task_id = entry.restore.task_id().map(String::from);
            self.outcome = entry.outcome;
        }
        Ok(())
    }

    fn handle_error(&mut self, error: Error, is_only_task: bool) -> Result<()> {
        let errors = ConsecutiveErrors::with_next(self.errors, error.kind);
        self.errors = Some(errors);
        let is_known = self.was_shown() || self.target.restore_id.is_some();
        if !errors.are_final(is_known) {
            return Ok(());
        }
        if error.kind == Kind::Auth || (is_only_task && !is_known) {
            return Err(error);
        }
        self.outcome = Outcome::Unknown;
        Ok(())
    }

    fn visible_state(&self) -> VisibleState {
        (self.outcome, self.status.clone(), self.progress)
    }

    /// Whether the service has shown the task.
    pub fn was_shown(&self) -> bool {
        self.task.is_some()
    }

    /// Whether anything is known of the restore: from a response, from the journal, or because the
    /// time to watch it is over.
    pub fn is_known(&self) -> bool {
        self.outcome != Outcome::Running || self.was_shown() || self.target.restore_id.is_some()
    }

    /// Whether an event on stdout has shown the restore.
    pub fn has_event(&self) -> bool {
        self.last_event.is_some()
    }

    /// Returns the name of the restore, and why it failed or why its outcome is unknown, as far as
    /// the service shows it.
    pub fn name_with_reason(&self) -> String {
        let name = self.target.full_name();
        match self.reason() {
            Some(reason) => format!("{name}: {reason}"),
            None => name,
        }
    }

    fn reason(&self) -> Option<String> {
        if self.outcome == Outcome::Failed {
            return self.seen()?.failure.clone();
        }
        if self.is_missing() {
            return Some("not found".into());
        }
        self.task.as_ref().filter(|_| self.errors.is_none())?;
        let status = self.status.as_deref().unwrap_or_default();
        Some(if self.has_unlisted_state() {
            format!("its state '{status}' is in neither list of task_states")
        } else {
            format!("the response contradicts its state '{status}'")
        })
    }

    /// Whether the task has ended in a state that is in neither list of `task_states`.
    pub fn has_unlisted_state(&self) -> bool {
        self.ended_polls == MAX_ENDED_POLLS
    }

    /// Whether the last response was that the task does not exist.
    pub fn is_missing(&self) -> bool {
        self.errors
            .is_some_and(|errors| errors.kind == Kind::NotFound)
    }

    /// Returns the name of the restore, and what the last response that showed it said.
    pub fn name_with_last_state(&self) -> String {
        let name = self.target.full_name();
        let Some(status) = self.task.as_ref().map(|_| self.status.as_deref()) else {
            return format!("{name}, not seen");
        };
        let status = status.unwrap_or(UNKNOWN_STATUS);
        match self.progress {
            Some(percent) => format!("{name}, last seen {status} {}%", percent.floor()),
            None => format!("{name}, last seen {status}"),
        }
    }

    /// Returns what the last response showed, of this command or of an earlier one.
    fn seen(&self) -> Option<&Observation> {
        self.last_seen.as_ref().or(self.target.seen.as_ref())
    }

    /// Returns how long a finished task took, as the service reports it.
    pub fn duration(&self) -> Option<String> {
        let seconds = self.seen()?.seconds.filter(|_| self.outcome.has_ended())?;
        Some(format_duration(Duration::from_secs(seconds.unsigned_abs())))
    }

    /// Shows a change in a bar or a line, and as an event in ndjson. An error is not an event.
    ///
    /// # Errors
    /// If stdout cannot be written.
    pub async fn show(&mut self, context: &Context) -> Result<()> {
        let name = self.target.full_name();
        let state = self.state();
        if self.outcome == Outcome::Running {
            self.bar.update(self.target.label(), &name, &state);
        } else {
            self.bar.finish(&name, &state, self.duration());
        }
        let event = Some(self.visible_state());
        if context.settings.format != OutputFormat::Ndjson || self.last_event == event {
            return Ok(());
        }
        self.last_event = event;
        output::print_event(self, context.output_options()).await
    }

    fn state(&self) -> TaskProgress {
        let status = match &self.status {
            _ if self.outcome == Outcome::Unknown => "outcome unknown",
            _ if self.outcome.has_ended() && !self.was_shown() => self.outcome.name(),
            Some(status) => status,
            None if self.was_shown() => UNKNOWN_STATUS,
            None => NO_STATUS,
        };
        let error = self.errors.map(|errors| errors.kind.name());
        let remark = match (self.outcome, error) {
            (Outcome::Running, Some(error)) => format!(", retrying ({error})"),
            (Outcome::TimedOut, _) => ", timed out".into(),
            (Outcome::Unknown, Some(error)) => format!(" ({error})"),
            _ => String::new(),
        };
        TaskProgress {
            status: status.into(),
            percent: self.progress,
            remark,
        }
    }

    /// Returns what the last response showed. Of the errors, only that of a missing task shows
    /// something, and only after watching has ended: after another error, the task may still be
    /// running.
    fn observation(&self) -> Option<Observation> {
        match (&self.last_seen, self.errors) {
            (Some(seen), None) => Some(seen.clone()),
            (_, Some(errors))
                if errors.kind == Kind::NotFound && self.outcome == Outcome::Unknown =>
            {
                Some(Observation {
                    task_id: self.target.task_id.clone(),
                    ..Observation::of(Outcome::Unknown)
                })
            }
            _ => None,
        }
    }

    /// Records what the last response showed.
    pub async fn record(&mut self, context: &Context, journal: &Journal) {
        let Some(restore_id) = self.target.restore_id.clone() else {
            return;
        };
        let Some(observation) = self.observation() else {
            return;
        };
        self.target.recorded = Some(observation.outcome);
        if let Err(error) = journal.record_observation(restore_id, observation).await {
            context.ui.warn(&error.message);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::TaskState;
    use crate::config::{Environment, Flags};
    use crate::journal::RestoreId;
    use crate::terminal::Ui;

    #[test]
    fn errors_in_a_row_end_the_watching() {
        let minute_ago = Instant::now()
            .checked_sub(MIN_ERROR_DURATION)
            .unwrap_or_else(Instant::now);
        let errors = |kind, count, since| ConsecutiveErrors { kind, count, since };
        for (kind, often, lasting, unknown) in [
            (Kind::NotFound, false, true, true),
            (Kind::Auth, true, true, true),
            (Kind::Unavailable, false, false, false),
            (Kind::RateLimited, false, false, false),
        ] {
            let now = Instant::now();
            assert_eq!(
                errors(kind, 4, minute_ago).are_final(true),
                kind == Kind::Auth,
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

    /// Returns a running task of the journal.
    fn task_of_journal() -> WatchedTask {
        let target = WatchTarget {
            task_id: Some("t1".into()),
            restore_id: Some(RestoreId {
                run: "run".into(),
                index: 0,
            }),
            recorded: Some(Outcome::Running),
            ..WatchTarget::default()
        };
        let ui = Ui::new(&Flags::default(), &Environment::default());
        let prints_events = true;
        WatchedTask::new(target, &ui.bars(1, prints_events))
    }

    fn running_task(progress: Option<f64>) -> Task {
        Task {
            record: Record::from_json("{}".into()),
            id: "t1".into(),
            status: None,
            state: TaskState::Running,
            progress,
            site_id: None,
            failure: None,
        }
    }

    #[test]
    fn a_response_with_new_progress_is_a_change() -> Result<()> {
        let mut task = task_of_journal();
        for (progress, has_changed) in [(Some(1.0), true), (Some(1.0), false), (Some(2.0), true)] {
            let response = Ok(running_task(progress));
            assert_eq!(task.handle_response(response, true)?, has_changed);
        }
        Ok(())
    }

    /// Handles this error until it is final.
    fn fail_for_a_minute(task: &mut WatchedTask, error: &Error) -> Result<()> {
        let is_only_task = true;
        for _ in 0..MAX_ERRORS {
            task.handle_response(Err(error.clone()), is_only_task)?;
            assert_eq!((task.outcome, task.observation()), (Outcome::Running, None));
        }
        if let Some(errors) = &mut task.errors
            && let Some(minute_ago) = errors.since.checked_sub(MIN_ERROR_DURATION)
        {
            errors.since = minute_ago;
        }
        task.handle_response(Err(error.clone()), is_only_task)?;
        Ok(())
    }

    #[test]
    fn a_task_of_the_journal_is_unknown_after_it_was_missing_for_a_minute() -> Result<()> {
        let unknown = Observation {
            task_id: Some("t1".into()),
            ..Observation::of(Outcome::Unknown)
        };
        for was_shown in [false, true] {
            let mut task = task_of_journal();
            if was_shown {
                task.handle_response(Ok(running_task(None)), true)?;
            }
            fail_for_a_minute(&mut task, &Error::new(Kind::NotFound, "not found"))?;
            assert_eq!(task.outcome, Outcome::Unknown, "{was_shown}");
            assert_eq!(task.observation(), Some(unknown.clone()), "{was_shown}");
        }
        Ok(())
    }
}
