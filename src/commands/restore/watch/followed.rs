//! A watched task: its state, and how changes are shown.

use super::target::Target;
use crate::client::{State, Task};
use crate::commands::context::Context;
use crate::config::Format;
use crate::config::duration::describe;
use crate::error::{Error, Kind, Result};
use crate::journal::{Journal, Outcome};
use crate::output;
use crate::resources::Record;
use crate::terminal::{Bar, Bars};
use jiff::Timestamp;
use serde::Serialize;
use std::collections::HashMap;
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

/// A task and its state.
pub struct Followed {
    /// The restore of the task.
    pub target: Target,
    /// The outcome.
    pub end: End,
    bar: Bar,
    task: Option<Task>,
    errors: Option<Errors>,
    /// The last event on stdout.
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
    fn after(before: Option<Self>, kind: Kind, now: Instant) -> Self {
        match before.filter(|before| before.kind == kind) {
            Some(before) => Self { count: before.count + 1, ..before },
            None => Self { kind, count: 1, since: now },
        }
    }

    /// Whether they end the watching. A task is known if it was seen, or is in the journal.
    fn are_final(self, is_known: bool, now: Instant) -> bool {
        let is_often = self.count >= FINAL_COUNT;
        let lasts = is_often && now - self.since >= FINAL_TIME;
        match self.kind {
            Kind::Usage => true,
            Kind::NotFound | Kind::Auth if !is_known => true,
            Kind::NotFound => is_often,
            Kind::Auth => lasts,
            _ => !is_known && lasts,
        }
    }
}

/// The result of a task on stdout.
#[derive(Serialize)]
pub struct Report<'f> {
    task_id: Option<&'f str>,
    site_id: Option<&'f str>,
    outcome: End,
    status: Option<&'f str>,
    progress: Option<serde_json::Number>,
    task: Option<&'f Record>,
    /// An earlier run of the plan has started it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resumed: bool,
    /// In a table only, as `took`.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<String>,
}

impl Followed {
    /// Begins to watch. A restore without a task is not polled.
    pub(super) fn new(target: Target, bars: &Bars) -> Self {
        let end = if target.task_id.is_some() { End::Running } else { End::Unknown };
        let bar = bars.add();
        bar.draw(target.label(), None, UNSEEN);
        Self { target, end, bar, task: None, errors: None, printed: None }
    }

    /// Handles the response to a poll, and returns whether the task has changed.
    ///
    /// # Errors
    /// The service's error, if it does not accept the token, or if the only task that is watched does not exist.
    pub(super) fn take(&mut self, response: Result<Task>, alone: bool) -> Result<bool> {
        let before = self.seen();
        match response {
            Ok(task) => self.take_task(task),
            Err(error) => self.take_error(error, alone, Instant::now())?,
        }
        Ok(self.errors.is_none() && self.seen() != before)
    }

    fn take_task(&mut self, task: Task) {
        self.errors = None;
        self.end = match task.state {
            State::Running => End::Running,
            State::Succeeded => End::Succeeded,
            State::Failed => End::Failed,
        };
        self.target.site_id = self.target.site_id.take().or(task.site_id.clone());
        self.task = Some(task);
    }

    fn take_error(&mut self, error: Error, alone: bool, now: Instant) -> Result<()> {
        let errors = self.errors.insert(Errors::after(self.errors, error.kind, now));
        let is_known = self.task.is_some() || self.target.restore.is_some();
        if !errors.are_final(is_known, now) {
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
        (self.end, self.status().map(Into::into), self.progress())
    }

    fn status(&self) -> Option<&str> {
        self.task.as_ref()?.status.as_deref()
    }

    fn progress(&self) -> Option<f64> {
        self.task.as_ref()?.progress
    }

    /// Returns its result for stdout. `urls` are those of the sites, for a table.
    pub(super) fn report<'f>(&'f self, urls: Option<&'f HashMap<String, String>>) -> Report<'f> {
        Report {
            task_id: self.target.task_id.as_deref(),
            site_id: self.target.site_id.as_deref(),
            outcome: self.end,
            status: self.status(),
            progress: self.progress().and_then(number),
            task: self.task.as_ref().map(|task| &task.record),
            resumed: self.target.resumed,
            url: urls.and_then(|urls| urls.get(self.target.site_id.as_ref()?)).map(String::as_str),
            took: urls.and_then(|_| self.took()),
        }
    }

    /// Returns how long the task took, as the service reports it.
    fn took(&self) -> Option<String> {
        let record =
            self.task.as_ref().filter(|_| matches!(self.end, End::Succeeded | End::Failed)).map(|task| &task.record)?;
        let time = |field: &str| record.text(field)?.parse().ok();
        Some(took(time("created_at")?, time("updated_at")?))
    }

    /// Shows a change in a bar or a line, and as an event in ndjson. An error is not an event.
    ///
    /// # Errors
    /// If stdout cannot be written.
    pub(super) async fn show(&mut self, context: &Context) -> Result<()> {
        let (name, words, percent) = (self.target.name(), self.words(), self.progress());
        match self.end {
            End::Running => self.bar.update((self.target.label(), &name), percent, &words),
            _ => self.bar.finish(&name, percent, &words),
        }
        let seen = Some(self.seen());
        if context.settings.format != Format::Ndjson || self.printed == seen {
            return Ok(());
        }
        self.printed = seen;
        output::event(&self.report(None), context.shape()).await
    }

    fn words(&self) -> String {
        let status = self.status().unwrap_or(if self.task.is_some() { "unknown status" } else { UNSEEN });
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
            End::Unknown if self.errors.is_some_and(|errors| errors.kind == Kind::NotFound) => Outcome::Unknown,
            End::Running | End::TimedOut | End::Unknown => return,
        };
        if let Some(Err(error)) = self.target.restore.as_deref().map(|restore| journal.ended(restore, outcome)) {
            context.ui.warn(&error.message);
        }
    }
}

/// Describes the time from one instant to another, in seconds and longer units.
pub fn took(from: Timestamp, to: Timestamp) -> String {
    describe(Duration::from_secs(u64::try_from(to.duration_since(from).as_secs()).unwrap_or_default()))
}

/// Returns an integer without its fraction: `40`, not `40.0`.
fn number(percent: f64) -> Option<serde_json::Number> {
    if percent.fract() == 0.0 { Some((percent as u64).into()) } else { serde_json::Number::from_f64(percent) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many of these errors, one every ten seconds, end the watching of a task.
    fn given_up(known: bool, kinds: &[Kind]) -> Option<usize> {
        let begun = Instant::now();
        let mut errors = None;
        let place = kinds.iter().enumerate().position(|(number, kind)| {
            let now = begun + Duration::from_secs(10) * number as u32;
            errors.insert(Errors::after(errors, *kind, now)).are_final(known, now)
        });
        place.map(|place| place + 1)
    }

    #[test]
    fn a_missing_task_ends_it() {
        assert_eq!(given_up(true, &[Kind::NotFound; 9]), Some(5));
        assert_eq!(given_up(false, &[Kind::NotFound; 9]), Some(1));
        let passing = [[Kind::NotFound; 4].as_slice(), &[Kind::Unavailable], &[Kind::NotFound; 4]].concat();
        assert_eq!(given_up(true, &passing), None);
    }

    #[test]
    fn a_refused_token_ends_it_after_a_minute() {
        assert_eq!(given_up(true, &[Kind::Auth; 9]), Some(7));
        assert_eq!(given_up(false, &[Kind::Auth; 9]), Some(1));
        let passing = [[Kind::Auth; 6].as_slice(), &[Kind::Unavailable], &[Kind::Auth; 6]].concat();
        assert_eq!(given_up(true, &passing), None);
        let start = Instant::now();
        let later = start + FINAL_TIME;
        let rare = Errors::after(Some(Errors::after(None, Kind::Auth, start)), Kind::Auth, later);
        assert!(!rare.are_final(true, later), "two are too few, however long apart");
    }

    #[test]
    fn nothing_else_ends_a_known_task() {
        for kind in [Kind::Unavailable, Kind::RateLimited, Kind::Invalid, Kind::Conflict, Kind::Error] {
            assert_eq!(given_up(true, &[kind; 100]), None, "{kind:?}");
            assert_eq!(given_up(false, &[kind; 100]), Some(7), "{kind:?}");
        }
        assert_eq!(given_up(true, &[Kind::Usage]), Some(1));
    }
}
