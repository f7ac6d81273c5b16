//! One task that is being followed: what is known of it, and what a person or a script is told of each change.

use crate::api::{State, Task};
use crate::config::Format;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Journal, Outcome};
use crate::output;
use crate::resource::Record;
use crate::ui::{Bar, Bars};
use serde::Serialize;
use std::time::{Duration, Instant};

/// A refusal, or a missing task, that comes so often in a row is believed.
const BELIEVED: u32 = 5;
/// A task that was never seen is given up when nothing has answered for so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A restore to follow.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its task; none where the answer that would have named it was lost.
    pub task_id: Option<String>,
    /// The site that it restores, where that is known.
    pub site_id: Option<String>,
    /// The journal's name for it, where it has one.
    pub restore: Option<String>,
}

impl Target {
    /// The restore that a journal entry tells of.
    pub fn of(entry: &Entry) -> Self {
        let site_id = Some(entry.intent.site_id.clone());
        Self { task_id: entry.task_id.clone(), site_id, restore: Some(entry.restore.clone()) }
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match (&self.site_id, &self.task_id) {
            (Some(site), Some(task)) => format!("{site} ({task})"),
            (Some(name), None) | (None, Some(name)) => name.clone(),
            (None, None) => "a restore".into(),
        }
    }
}

/// How following a task ended, or that it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    Running,
    Succeeded,
    Failed,
    TimedOut,
    Unknown,
}

/// A task and what is known of it.
pub struct Followed {
    /// What is followed.
    pub target: Target,
    /// How it ended.
    pub end: End,
    /// When to look next.
    pub due: Instant,
    /// How long to wait between two looks.
    pub pace: Duration,
    bar: Bar,
    task: Option<Task>,
    begun: Instant,
    /// The trouble that came last, and how often in a row.
    trouble: Option<(Kind, u32)>,
}

/// What is printed of a task.
#[derive(Serialize)]
pub struct Report<'f> {
    task_id: Option<&'f str>,
    site_id: Option<&'f str>,
    outcome: End,
    status: Option<&'f str>,
    progress: Option<serde_json::Number>,
    task: Option<&'f Record>,
}

impl Followed {
    /// Nothing is known yet; what has no task has nothing to follow.
    pub fn new(target: Target, bars: &Bars, pace: Duration) -> Self {
        let end = if target.task_id.is_some() { End::Running } else { End::Unknown };
        let bar = bars.add(&target.name());
        let now = Instant::now();
        Self { target, end, due: now, pace, bar, task: None, begun: now, trouble: None }
    }

    /// Takes in an answer, and says whether anything changed. `alone` makes a task that cannot be had an error.
    pub fn take(&mut self, answer: Result<Task>, alone: bool) -> Result<bool> {
        let task = match answer {
            Ok(task) => task,
            Err(error) => return self.take_trouble(error, alone).map(|()| true),
        };
        let seen = |task: &Task| (task.status.clone(), task.progress, task.step.clone());
        let changed = self.task.as_ref().map(seen) != Some(seen(&task)) || self.trouble.is_some();
        self.trouble = None;
        self.end = match task.state {
            State::Running => End::Running,
            State::Succeeded => End::Succeeded,
            State::Failed => End::Failed,
        };
        self.target.site_id = task.site_id.clone().or(self.target.site_id.take());
        self.task = Some(task);
        Ok(changed)
    }

    /// Trouble on the way does not end a task; a service that keeps saying no does.
    fn take_trouble(&mut self, error: Error, alone: bool) -> Result<()> {
        let count = self.trouble.filter(|(kind, _)| *kind == error.kind).map_or(0, |(_, count)| count) + 1;
        self.trouble = Some((error.kind, count));
        let known = self.task.is_some() || self.target.restore.is_some();
        let over = match error.kind {
            Kind::Usage => true,
            Kind::NotFound | Kind::Auth => !known || count >= BELIEVED,
            _ => !known && self.begun.elapsed() >= PATIENCE,
        };
        match over {
            false => Ok(()),
            true if alone && (!known || error.kind == Kind::Auth) => Err(error),
            true => {
                self.end = End::Unknown;
                Ok(())
            }
        }
    }

    /// The trouble that came last, where no answer has come since.
    pub fn trouble(&self) -> Option<Kind> {
        self.trouble.map(|(kind, _)| kind)
    }

    fn status(&self) -> Option<&str> {
        self.task.as_ref()?.status.as_deref()
    }

    fn progress(&self) -> Option<f64> {
        self.task.as_ref()?.progress
    }

    /// What is printed of it.
    pub fn report(&self) -> Report<'_> {
        Report {
            task_id: self.target.task_id.as_deref(),
            site_id: self.target.site_id.as_deref(),
            outcome: self.end,
            status: self.status(),
            progress: self.progress().and_then(number),
            task: self.task.as_ref().map(|task| &task.record),
        }
    }

    /// Shows a change: a bar or a line for people, an event for ndjson.
    pub fn tell(&mut self, context: &Context) -> Result<()> {
        if context.settings.format == Format::Ndjson {
            return output::result(&self.report(), &[], context.shape());
        }
        let (progress, words) = (self.progress(), self.words());
        match self.end {
            End::Running => self.bar.update(progress, &words),
            End::TimedOut => self.bar.finish(progress, &format!("{words}, not waited for any longer")),
            End::Unknown => {
                let why = self.trouble().map(|kind| format!(" ({})", kind.name())).unwrap_or_default();
                self.bar.finish(progress, &format!("what became of it is not known{why}"));
            }
            End::Succeeded | End::Failed => self.bar.finish(progress, &words),
        }
        Ok(())
    }

    fn words(&self) -> String {
        let status = self.status().unwrap_or("status not shown");
        let step = self.task.as_ref().and_then(|task| task.step.as_ref());
        let shown = step.map_or(status.to_string(), |step| format!("{status} ({step})"));
        match &self.trouble {
            Some((kind, _)) => format!("{shown}, asking again ({})", kind.name()),
            None => shown,
        }
    }

    /// Tells the journal how it ended. A journal that cannot be written does not change what happened.
    pub fn record(&self, context: &Context, journal: &Journal) {
        let outcome = match self.end {
            End::Succeeded => Outcome::Succeeded,
            End::Failed => Outcome::Failed,
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
