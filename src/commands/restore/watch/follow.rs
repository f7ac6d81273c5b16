//! Follows tasks to their end: one poll loop for `restore watch` and `restore start --watch`.

use super::followed::{End, Followed, Report, Target};
use crate::api::Api;
use crate::config::{Format, positive_duration};
use crate::context::Context;
use crate::duration::describe;
use crate::error::{Error, Kind, Result};
use crate::journal::Journal;
use crate::output;
use std::time::{Duration, Instant};
use tokio::time::{sleep_until, timeout_at};

/// The limit that is assumed where the service has not said its own (spec, "Limits").
const ASSUMED_LIMIT: u64 = 200;

/// How long and how often to look.
#[derive(Debug, clap::Args)]
pub struct FollowArgs {
    /// Stop waiting after this long; the restore goes on
    #[arg(long, value_name = "DUR", default_value = "2h", value_parser = positive_duration)]
    timeout: Duration,
    /// Look at each task this often [default: from 1s to 10s, as things move]
    #[arg(long, value_name = "DUR", value_parser = positive_duration)]
    interval: Option<Duration>,
}

/// Follows the tasks until each has ended or the time is up, and tells the journal.
///
/// # Errors
/// `Interrupted` on Ctrl-C.
pub async fn follow(
    context: &Context,
    api: &Api,
    journal: &Journal,
    args: &FollowArgs,
    targets: Vec<Target>,
) -> Result<Vec<Followed>> {
    let ids: Vec<String> = targets.iter().filter_map(|target| target.task_id.clone()).collect();
    let resume = format!("{} restore watch {}", context.program(), ids.join(" "));
    tokio::select! {
        ended = watch_all(context, api, journal, args, targets) => {
            ended.map_err(|error| match error.kind {
                Kind::Usage => error,
                _ => error.or_hint(|| format!("the restore goes on; watch it with: {resume}")),
            })
        }
        _ = tokio::signal::ctrl_c() => {
            let error = Error::new(Kind::Interrupted, "interrupted; what was started goes on");
            Err(error.hint(format!("pick it up again with: {resume}")))
        }
    }
}

/// Prints what became of the tasks.
///
/// # Errors
/// `RestoreFailed`, `TimedOut`, `UnknownOutcome` by how they ended.
pub fn conclude(context: &Context, args: &FollowArgs, followed: &[Followed]) -> Result<()> {
    let printed = print(context, followed);
    // How the tasks ended is said also where stdout does not take it.
    verdict(context, followed, args).and(printed)
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
    let first_pace = args.interval.unwrap_or(Duration::from_secs(1));
    let mut all: Vec<Followed> = targets.into_iter().map(|target| Followed::new(target, &bars, first_pace)).collect();
    // All tasks together keep to half of the rate, so that others can work beside them.
    let mut free_at = Instant::now();
    while let Some(next) = all.iter_mut().filter(|one| one.end == End::Running).min_by_key(|one| one.due) {
        sleep_until(next.due.max(free_at).min(deadline).into()).await;
        let Some(task_id) = next.target.task_id.clone().filter(|_| Instant::now() < deadline) else { break };
        let answer = match timeout_at(hang_up(deadline, alone).into(), api.poll_task(&task_id)).await {
            Ok(answer) => answer,
            Err(_) if Instant::now() >= deadline => break,
            Err(_) => Err(Error::new(Kind::Unavailable, "no answer in time")),
        };
        let changed = next.take(answer, alone)?;
        // The journal first: a stdout that is gone must not keep the outcome from it.
        if next.end != End::Running {
            next.record(context, journal);
        }
        if changed {
            next.tell(context)?;
        }
        next.pace = args.interval.unwrap_or_else(|| pace(next.pace, changed));
        next.due = Instant::now() + next.pace;
        free_at = Instant::now() + spacing(api);
    }
    for one in all.iter_mut().filter(|one| one.end == End::Running) {
        one.end = End::TimedOut;
        one.tell(context)?;
    }
    Ok(all)
}

/// When to give up on one poll: among several tasks, one that hangs must not keep the others waiting.
fn hang_up(deadline: Instant, alone: bool) -> Instant {
    if alone { deadline } else { deadline.min(Instant::now() + Duration::from_secs(10)) }
}

/// Quick while things move, slower while they do not.
fn pace(before: Duration, changed: bool) -> Duration {
    if changed { Duration::from_secs(1) } else { (before * 3 / 2).min(Duration::from_secs(10)) }
}

/// The least time between two polls, whatever the number of tasks. A small limit is all that makes it felt.
fn spacing(api: &Api) -> Duration {
    let half = (api.rate_limit().unwrap_or(ASSUMED_LIMIT) / 2).max(1);
    Duration::from_secs(60) / u32::try_from(half).unwrap_or(u32::MAX)
}

fn print(context: &Context, followed: &[Followed]) -> Result<()> {
    if context.settings.format == Format::Ndjson {
        return Ok(());
    }
    let reports: Vec<Report<'_>> = followed.iter().map(Followed::report).collect();
    let ids: Vec<String> = followed.iter().filter_map(|one| one.target.task_id.clone()).collect();
    output::result(&reports, &ids, context.shape())
}

/// What the exit code says: any that failed, else any that timed out, else any that is unknown.
fn verdict(context: &Context, followed: &[Followed], args: &FollowArgs) -> Result<()> {
    let those = |end: End| followed.iter().filter(move |one| one.end == end).map(|one| &one.target);
    let names = |end: End| those(end).map(Target::name).collect::<Vec<_>>().join(", ");
    let tasks = |end: End| those(end).filter_map(|target| target.task_id.clone()).collect::<Vec<_>>();
    let has = |end: End| those(end).next().is_some();
    let program = context.program();
    match () {
        () if has(End::Failed) => {
            let looks = tasks(End::Failed).iter().map(|id| format!("{program} tasks show {id}")).collect::<Vec<_>>();
            Err(Error::new(Kind::RestoreFailed, format!("the restore failed: {}", names(End::Failed)))
                .hint(format!("see its steps with: {}", looks.join("; "))))
        }
        () if has(End::TimedOut) => {
            let message =
                format!("not finished within {}: {}; it goes on", describe(args.timeout), names(End::TimedOut));
            Err(Error::new(Kind::TimedOut, message)
                .hint(format!("go on watching with: {program} restore watch {}", tasks(End::TimedOut).join(" "))))
        }
        () if followed.iter().all(|one| one.trouble() == Some(Kind::Auth)) => {
            Err(Error::new(Kind::Auth, "the service does not accept the token (401, 403)")
                .hint("check SITECTL_TOKEN or the profile's token; what was started goes on"))
        }
        () if has(End::Unknown) => {
            Err(Error::new(Kind::UnknownOutcome, format!("it is not known what became of: {}", names(End::Unknown)))
                .hint("look at the site itself; another restore of it wants --force"))
        }
        () => Ok(()),
    }
}
