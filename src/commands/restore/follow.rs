//! Follows tasks to their end: one poll loop for `restore watch` and `restore start --watch`.

use crate::api::{Api, State, Task};
use crate::config::Format;
use crate::context::Context;
use crate::duration::describe;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Journal, Outcome};
use crate::output;
use crate::ui::{Bar, Bars};
use serde::Serialize;
use serde_json::value::RawValue;
use std::time::{Duration, Instant};

/// The limit that is assumed where the service has not said its own (spec, "Limits").
const ASSUMED_LIMIT: u64 = 200;
/// A poll that is refused, or finds no task, so often in a row is believed.
const BELIEVED: u32 = 5;

/// How long and how often to look.
#[derive(Debug, clap::Args)]
pub struct FollowArgs {
    /// Stop waiting after this long; the restore goes on
    #[arg(long, value_name = "DUR", default_value = "2h", value_parser = crate::config::positive_duration)]
    timeout: Duration,
    /// Look at each task this often [default: from 1s to 10s, as things move]
    #[arg(long, value_name = "DUR", value_parser = crate::config::positive_duration)]
    interval: Option<Duration>,
}

/// A task to follow.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its id.
    pub task_id: String,
    /// The site that it restores, where that is known.
    pub site_id: Option<String>,
    /// The journal's name for the restore, where it has one.
    pub restore: Option<String>,
}

impl Target {
    /// The target that a journal entry names, where it has a task.
    pub fn of(entry: &Entry) -> Option<Self> {
        let task_id = entry.task_id.clone()?;
        Some(Self { task_id, site_id: Some(entry.intent.site_id.clone()), restore: Some(entry.restore.clone()) })
    }
}

/// How following a task ended, or that it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum End {
    Running,
    Succeeded,
    Failed,
    TimedOut,
    Unknown,
}

/// One task being followed.
struct Followed {
    target: Target,
    bar: Bar,
    task: Option<Task>,
    end: End,
    due: Instant,
    pace: Duration,
    troubles: u32,
}

/// What is printed of a task.
#[derive(Serialize)]
struct Report<'f> {
    task_id: &'f str,
    site_id: Option<&'f str>,
    outcome: End,
    status: Option<&'f str>,
    progress: Option<serde_json::Number>,
    task: Option<&'f RawValue>,
}

/// Follows the tasks until each has ended or the time is up, prints the result, and tells the journal.
///
/// # Errors
/// `RestoreFailed`, `TimedOut`, `UnknownOutcome` by how the tasks ended; `Interrupted` on Ctrl-C.
pub async fn follow(
    context: &Context,
    api: &Api,
    journal: &Journal,
    args: &FollowArgs,
    targets: Vec<Target>,
) -> Result<()> {
    let ids: Vec<String> = targets.iter().map(|target| target.task_id.clone()).collect();
    let followed = tokio::select! {
        ended = watch_all(context, api, journal, args, targets) => ended?,
        _ = tokio::signal::ctrl_c() => return Err(interrupted(&ids)),
    };
    print(context, &followed)?;
    verdict(&followed, args)
}

async fn watch_all(
    context: &Context,
    api: &Api,
    journal: &Journal,
    args: &FollowArgs,
    targets: Vec<Target>,
) -> Result<Vec<Followed>> {
    let bars = context.ui.bars();
    let deadline = Instant::now() + args.timeout;
    let alone = targets.len() == 1;
    let mut all: Vec<Followed> = targets.into_iter().map(|target| Followed::new(target, &bars, args)).collect();
    while let Some(next) = all.iter_mut().filter(|one| one.end == End::Running).min_by_key(|one| one.due) {
        tokio::time::sleep_until(next.due.min(deadline).into()).await;
        if Instant::now() >= deadline {
            break;
        }
        let answer = api.task(&next.target.task_id).await;
        let changed = next.take(answer, alone)?;
        next.pace = args.interval.unwrap_or_else(|| pace(next.pace, changed));
        if changed {
            next.tell(context)?;
        }
        if next.end != End::Running {
            next.record(context, journal);
        }
        let spacing = spacing(api);
        next.due = Instant::now() + next.pace.max(spacing);
        // All tasks together keep to half of the rate, so that others can work beside them.
        tokio::time::sleep(spacing).await;
    }
    for one in all.iter_mut().filter(|one| one.end == End::Running) {
        one.end = End::TimedOut;
        one.tell(context)?;
    }
    Ok(all)
}

/// Quick while things move, slower while they do not.
fn pace(before: Duration, changed: bool) -> Duration {
    if changed { Duration::from_secs(1) } else { (before * 3 / 2).min(Duration::from_secs(10)) }
}

/// The least time between two polls, whatever the number of tasks. A small limit is all that makes it felt.
fn spacing(api: &Api) -> Duration {
    let half = api.rate_limit().unwrap_or(ASSUMED_LIMIT).div_ceil(2).max(1);
    Duration::from_secs(60) / u32::try_from(half).unwrap_or(u32::MAX)
}

impl Followed {
    fn new(target: Target, bars: &Bars, args: &FollowArgs) -> Self {
        let name =
            target.site_id.as_ref().map_or(target.task_id.clone(), |site| format!("{site} ({})", target.task_id));
        let pace = args.interval.unwrap_or(Duration::from_secs(1));
        Self { bar: bars.add(&name), target, task: None, end: End::Running, due: Instant::now(), pace, troubles: 0 }
    }

    /// Takes in an answer, and says whether anything changed. Trouble on the way does not end a task: only once a
    /// task has never been seen, alone, is its error the command's.
    fn take(&mut self, answer: Result<Task>, alone: bool) -> Result<bool> {
        let task = match answer {
            Ok(task) => task,
            Err(error) => return self.take_trouble(error, alone).map(|()| self.end != End::Running),
        };
        self.troubles = 0;
        let seen = |task: &Task| (task.status.clone(), task.progress, task.step.clone());
        let changed = self.task.as_ref().map(seen) != Some(seen(&task));
        self.end = match task.state {
            State::Running => End::Running,
            State::Succeeded => End::Succeeded,
            State::Failed => End::Failed,
        };
        self.target.site_id = task.site_id.clone().or(self.target.site_id.take());
        self.task = Some(task);
        Ok(changed)
    }

    fn take_trouble(&mut self, error: Error, alone: bool) -> Result<()> {
        self.troubles += 1;
        let started_here = self.target.restore.is_some();
        match error.kind {
            _ if self.task.is_none() && !started_here && alone => Err(error),
            Kind::NotFound if self.task.is_none() && !started_here => {
                self.end = End::Unknown;
                Ok(())
            }
            Kind::NotFound if self.troubles >= BELIEVED => {
                self.end = End::Unknown;
                Ok(())
            }
            Kind::Auth if self.troubles >= BELIEVED => Err(error
                .hint(format!("the restore goes on; watch it with: sitectl restore watch {}", self.target.task_id))),
            _ => Ok(()),
        }
    }

    fn status(&self) -> Option<&str> {
        self.task.as_ref()?.status.as_deref()
    }

    fn progress(&self) -> Option<f64> {
        self.task.as_ref()?.progress
    }

    fn report(&self) -> Report<'_> {
        Report {
            task_id: &self.target.task_id,
            site_id: self.target.site_id.as_deref(),
            outcome: self.end,
            status: self.status(),
            progress: self.progress().and_then(number),
            task: self.task.as_ref().map(|task| task.record.raw()),
        }
    }

    /// Shows a change: a bar or a line for people, an event for ndjson.
    fn tell(&mut self, context: &Context) -> Result<()> {
        if context.settings.format == Format::Ndjson {
            return output::result(&self.report(), &[], context.shape());
        }
        let step =
            self.task.as_ref().and_then(|task| task.step.clone()).map(|step| format!(" ({step})")).unwrap_or_default();
        let status = self.status().unwrap_or("status not shown").to_string();
        let progress = self.progress();
        match self.end {
            End::Running => self.bar.update(progress, &format!("{status}{step}")),
            End::TimedOut => self.bar.finish(progress, &format!("{status}, not waited for any longer")),
            End::Unknown => self.bar.finish(progress, "unknown: the service has no such task"),
            End::Succeeded | End::Failed => self.bar.finish(progress, &format!("{status}{step}")),
        }
        Ok(())
    }

    /// Tells the journal how it ended. A journal that cannot be written does not change what happened.
    fn record(&self, context: &Context, journal: &Journal) {
        let outcome = match self.end {
            End::Succeeded => Outcome::Succeeded,
            End::Failed => Outcome::Failed,
            End::Running | End::TimedOut | End::Unknown => return,
        };
        let written = self.target.restore.as_deref().map(|restore| journal.ended(restore, outcome));
        if let Some(Err(error)) = written {
            context.ui.warn(&error.message);
        }
    }
}

/// A whole number without its fraction: `40`, not `40.0`.
fn number(percent: f64) -> Option<serde_json::Number> {
    if percent.fract() == 0.0 { Some((percent as u64).into()) } else { serde_json::Number::from_f64(percent) }
}

fn print(context: &Context, followed: &[Followed]) -> Result<()> {
    if context.settings.format == Format::Ndjson {
        return Ok(());
    }
    let reports: Vec<Report<'_>> = followed.iter().map(Followed::report).collect();
    let ids: Vec<String> = followed.iter().map(|one| one.target.task_id.clone()).collect();
    output::result(&reports, &ids, context.shape())
}

/// What the exit code says: any that failed, else any that timed out, else any that is unknown.
fn verdict(followed: &[Followed], args: &FollowArgs) -> Result<()> {
    let names = |end: End| -> Vec<String> {
        let those = followed.iter().filter(|one| one.end == end);
        those.map(|one| one.target.site_id.clone().unwrap_or_else(|| format!("task {}", one.target.task_id))).collect()
    };
    let ids = |end: End| {
        let those: Vec<&str> =
            followed.iter().filter(|one| one.end == end).map(|one| one.target.task_id.as_str()).collect();
        those.join(" ")
    };
    let (failed, timed_out, unknown) = (names(End::Failed), names(End::TimedOut), names(End::Unknown));
    match () {
        () if !failed.is_empty() => {
            Err(Error::new(Kind::RestoreFailed, format!("the restore failed: {}", failed.join(", ")))
                .hint(format!("see the steps with: sitectl tasks show {}", ids(End::Failed))))
        }
        () if !timed_out.is_empty() => Err(Error::new(
            Kind::TimedOut,
            format!("not finished within {}: {}; it goes on", describe(args.timeout), timed_out.join(", ")),
        )
        .hint(format!("go on watching with: sitectl restore watch {}", ids(End::TimedOut)))),
        () if !unknown.is_empty() => Err(Error::new(
            Kind::UnknownOutcome,
            format!("the service no longer knows what became of: {}", unknown.join(", ")),
        )
        .hint("look at the site itself")),
        () => Ok(()),
    }
}

fn interrupted(ids: &[String]) -> Error {
    Error::new(Kind::Interrupted, "interrupted; what was started goes on")
        .hint(format!("pick it up again with: sitectl restore watch {}", ids.join(" ")))
}
