//! One task that is being followed: what is known of it, and what a person or a script is told of each change.

use super::patience::Trouble;
use super::rhythm::Rhythm;
use super::target::Target;
use crate::client::{State, Step, Task, random_share};
use crate::commands::context::Context;
use crate::config::Format;
use crate::error::{Error, Kind, Result};
use crate::journal::{Journal, Outcome};
use crate::output;
use crate::resources::Record;
use crate::terminal::{Bar, Bars};
use serde::Serialize;
use std::time::{Duration, Instant};

/// What is said of a task that no answer has told of.
const UNSEEN: &str = "not seen yet";

/// How following a task ended, or that it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It goes on.
    Running,
    /// The task did what it was started for.
    Succeeded,
    /// The task failed.
    Failed,
    /// It was not waited for any longer.
    TimedOut,
    /// Nobody knows.
    Unknown,
}

/// A task and what is known of it.
pub struct Followed {
    /// What is followed.
    pub target: Target,
    /// How it ended.
    pub end: End,
    /// When to look next; none while the answer to a look is waited for.
    pub(super) due: Option<Instant>,
    rhythm: Rhythm,
    bar: Bar,
    task: Option<Task>,
    trouble: Option<Trouble>,
    /// What stdout was last told.
    told: Option<Seen>,
}

/// What of a task is worth telling when it changes.
type Seen = (End, Option<(Option<String>, Option<f64>, Option<Step>)>);

/// What is printed of a task.
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
}

impl Followed {
    /// Nothing is known yet; what has no task has nothing to follow.
    pub(super) fn new(target: Target, bars: &Bars, interval: Option<Duration>) -> Self {
        let end = if target.task_id.is_some() { End::Running } else { End::Unknown };
        let bar = bars.add(&target.name(), UNSEEN);
        let rhythm = Rhythm::new(interval);
        Self { target, end, due: Some(Instant::now()), rhythm, bar, task: None, trouble: None, told: None }
    }

    /// Takes in the answer to a look, and decides when to look next.
    ///
    /// # Errors
    /// What the service said of a task that nobody knows, the only one that is watched: there is nothing to wait for.
    pub(super) fn take(&mut self, answer: Result<Task>, alone: bool, now: Instant) -> Result<()> {
        let before = self.seen();
        match answer {
            Ok(task) => self.take_task(task),
            Err(error) => self.take_trouble(error, alone, now)?,
        }
        let moved = self.trouble.is_none() && self.seen() != before;
        self.due = Some(now + self.rhythm.wait(moved, random_share()));
        Ok(())
    }

    fn take_task(&mut self, task: Task) {
        self.trouble = None;
        self.end = match task.state {
            State::Running => End::Running,
            State::Succeeded => End::Succeeded,
            State::Failed => End::Failed,
        };
        // What the journal knows of it, it knows better.
        self.target.site_id = self.target.site_id.take().or(task.site_id.clone());
        self.task = Some(task);
    }

    /// Trouble on the way does not end a task; a service that keeps saying no does.
    fn take_trouble(&mut self, error: Error, alone: bool, now: Instant) -> Result<()> {
        let trouble = Trouble::after(self.trouble, error.kind, now);
        self.trouble = Some(trouble);
        match (trouble.is_believed(self.is_known(), now), alone && !self.is_known()) {
            (false, _) => return Ok(()),
            (true, true) => return Err(error),
            (true, false) => self.end = self.known_end(),
        }
        Ok(())
    }

    /// What is known of a task that the service does not show: how it ended, where the journal saw that.
    fn known_end(&self) -> End {
        match self.target.ended {
            Some(Outcome::Succeeded) => End::Succeeded,
            Some(Outcome::Failed) => End::Failed,
            _ => End::Unknown,
        }
    }

    /// Whether the service has ever shown the task.
    pub(super) fn was_seen(&self) -> bool {
        self.task.is_some()
    }

    fn is_known(&self) -> bool {
        self.was_seen() || self.target.restore.is_some()
    }

    /// The trouble that came last, where no answer has come since.
    pub(super) fn trouble(&self) -> Option<Kind> {
        self.trouble.map(|trouble| trouble.kind)
    }

    fn seen(&self) -> Seen {
        let seen = |task: &Task| (task.status.clone(), task.progress, task.step.clone());
        (self.end, self.task.as_ref().map(seen))
    }

    fn status(&self) -> Option<&str> {
        self.task.as_ref()?.status.as_deref()
    }

    fn progress(&self) -> Option<f64> {
        self.task.as_ref()?.progress
    }

    /// What is printed of it.
    pub(super) fn report(&self) -> Report<'_> {
        Report {
            task_id: self.target.task_id.as_deref(),
            site_id: self.target.site_id.as_deref(),
            outcome: self.end,
            status: self.status(),
            progress: self.progress().and_then(number),
            task: self.task.as_ref().map(|task| &task.record),
            resumed: self.target.resumed,
        }
    }

    /// Shows a change: a bar or a line for people, an event for ndjson. Trouble is no event, since nothing is known of
    /// the task that was not known before.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub(super) async fn tell(&mut self, context: &Context) -> Result<()> {
        let words = self.words();
        self.bar.rename(&self.target.name());
        match self.end {
            End::Running => self.bar.update(self.progress(), &words),
            _ => self.bar.finish(self.progress(), &words),
        }
        let seen = Some(self.seen());
        if context.settings.format != Format::Ndjson || self.told == seen {
            return Ok(());
        }
        self.told = seen;
        output::event(&self.report(), context.shape()).await
    }

    fn words(&self) -> String {
        let status = self.status().unwrap_or(if self.task.is_some() { "status not shown" } else { UNSEEN });
        let step = self.task.as_ref().and_then(|task| task.step.as_ref());
        let steps = step.map(|step| format!(" ({}, {} of {} done)", step.name, step.done, step.of)).unwrap_or_default();
        match (self.end, self.trouble()) {
            (End::Running, Some(kind)) => format!("{status}, asking again ({})", kind.name()),
            (End::Running | End::Succeeded | End::Failed, _) => format!("{status}{steps}"),
            (End::TimedOut, _) => format!("{status}{steps}, not waited for any longer"),
            (End::Unknown, Some(kind)) => format!("what became of it is not known ({})", kind.name()),
            (End::Unknown, None) => "what became of it is not known".into(),
        }
    }

    /// Tells the journal how it ended, also that the service has forgotten it. A journal that cannot be written does not
    /// change what happened.
    pub(super) fn record(&self, context: &Context, journal: &Journal) {
        let outcome = match self.end {
            End::Succeeded => Outcome::Succeeded,
            End::Failed => Outcome::Failed,
            End::Unknown if self.trouble() == Some(Kind::NotFound) => Outcome::Unknown,
            End::Running | End::TimedOut | End::Unknown => return,
        };
        if let Some(Err(error)) = self.target.restore.as_deref().map(|restore| journal.ended(restore, outcome)) {
            context.ui.warn(&error.message);
        }
    }
}

/// A whole number without its fraction: `40`, not `40.0`.
fn number(percent: f64) -> Option<serde_json::Number> {
    if percent.fract() == 0.0 { Some((percent as u64).into()) } else { serde_json::Number::from_f64(percent) }
}
