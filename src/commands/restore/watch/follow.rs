//! Watches tasks until they end: one poll loop for `restore watch` and `restore start --watch`.

use super::followed::{End, Followed};
use super::target::{Target, resume};
use crate::client::{Api, Task};
use crate::commands::context::Context;
use crate::config::{OutputFormat, positive_duration};
use crate::error::{Error, Kind, Result};
use crate::journal::Journal;
use crate::signal::stopped;
use crate::terminal::Bars;
use futures_util::future::try_join_all;
use std::cell::Cell;
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Polls in flight at a time, because those that wait for the rate limit are sent together.
const POLLS_IN_FLIGHT: usize = 8;
/// The rate limit if the service reports none (spec, "Limits").
const ASSUMED_LIMIT: u64 = 200;
/// The time between two polls while the task changes.
const QUICK: Duration = Duration::from_secs(1);
/// The longest time between two polls.
const SLOW: Duration = Duration::from_secs(10);

/// The options of watching.
#[derive(Debug, clap::Args)]
pub struct FollowArgs {
    /// Stop watching after this time.
    ///
    /// The restore continues on the server.
    #[arg(long, value_name = "DUR", default_value = "2h", value_parser = positive_duration)]
    pub(super) timeout: Duration,
    /// Set the time between polls [default: 1s to 10s]
    #[arg(long, value_name = "DUR", hide_short_help = true, value_parser = positive_duration)]
    interval: Option<Duration>,
}

/// Watches the tasks until each has finished or the time is up, and records the outcomes.
///
/// # Errors
/// `Interrupted` on Ctrl-C; the service's error, if it does not accept the token, or if the only task does not exist.
pub async fn follow(
    context: &Context,
    api: &Api,
    args: &FollowArgs,
    targets: Vec<Target>,
) -> Result<Vec<Followed>> {
    let bars = context.ui.bars(
        targets.len(),
        context.settings.format == OutputFormat::Ndjson,
    );
    let mut all: Vec<Followed> = targets
        .into_iter()
        .map(|target| Followed::new(target, &bars))
        .collect();
    let watch = Watch {
        context,
        api,
        journal: context.journal()?,
        interval: args.interval,
        in_flight: Semaphore::new(POLLS_IN_FLIGHT),
        polled: Mutex::new(None),
        bars,
        total: all.len(),
        ended: Cell::new(0),
        failed: Cell::new(0),
    };
    api.begin_bulk();
    watch.show_total();
    let polls = try_join_all(all.iter_mut().map(|one| watch.follow(one)));
    let ended = tokio::select! {
        biased;
        ended = timeout(args.timeout, polls) => match ended {
            Ok(ended) => ended.map(drop),
            Err(_) => time_out(context, &mut all).await,
        },
        () = stopped() => Err(Error::new(Kind::Interrupted, "interrupted; the restore continues on the server")),
    };
    drop(watch);
    let running: Vec<&Target> = all
        .iter()
        .filter(|one| one.end == End::Running)
        .map(|one| &one.target)
        .collect();
    let hint = || format!("resume watching: {}", resume(context, &running));
    ended.map_err(|error| context.hint_tasks(error).with_fallback_hint(hint))?;
    Ok(all)
}

async fn time_out(context: &Context, all: &mut [Followed]) -> Result<()> {
    for one in all.iter_mut().filter(|one| one.end == End::Running) {
        one.end = End::TimedOut;
        one.show(context).await?;
    }
    Ok(())
}

/// What the polls of all tasks share.
struct Watch<'w> {
    context: &'w Context,
    api: &'w Api,
    journal: Journal,
    /// The fixed time between two polls of a task, if there is one.
    interval: Option<Duration>,
    in_flight: Semaphore,
    /// When the newest poll was sent. The tasks wait for it in turn.
    polled: Mutex<Option<Instant>>,
    bars: Bars,
    total: usize,
    ended: Cell<usize>,
    failed: Cell<usize>,
}

impl Watch<'_> {
    /// Polls one task until it ends. A poll that hangs delays no other task.
    async fn follow(&self, one: &mut Followed) -> Result<()> {
        let mut pause = Duration::ZERO;
        if one.end != End::Running {
            one.show(self.context).await?;
        }
        while one.end == End::Running {
            sleep(pause).await;
            let response = self
                .poll(one.target.task_id.as_deref().unwrap_or_default())
                .await;
            let has_changed = one.take(response, self.total == 1)?;
            // The journal first: a stdout that is gone must not keep the outcome from it.
            one.record(self.context, &self.journal);
            one.show(self.context).await?;
            let next = if has_changed {
                QUICK
            } else {
                (pause * 3 / 2).clamp(QUICK, SLOW)
            };
            pause = self.interval.unwrap_or(next);
        }
        self.ended.set(self.ended.get() + 1);
        self.failed
            .set(self.failed.get() + usize::from(one.end == End::Failed));
        self.show_total();
        Ok(())
    }

    /// Polls when it is the task's turn: all tasks together use at most half of the rate limit.
    async fn poll(&self, task_id: &str) -> Result<Task> {
        let _in_flight = self.in_flight.acquire().await;
        let mut polled = self.polled.lock().await;
        if let Some(polled) = *polled {
            let (limit, window) = self.api.rate_limit();
            sleep_until(polled + spacing(limit, window)).await;
        }
        *polled = Some(Instant::now());
        drop(polled);
        self.api.task(task_id, true).await
    }

    fn show_total(&self) {
        if self.total > 1 {
            let (ended, failed) = (self.ended.get(), self.failed.get());
            let failed = if failed > 0 {
                format!(", {failed} failed")
            } else {
                String::new()
            };
            self.bars
                .total(ended, format!("{ended} of {} finished{failed}", self.total));
        }
    }
}

/// Returns the least time between two polls. Half of the rate limit is spread over a little more than the window, because
/// polls may arrive closer together than they were sent.
fn spacing(limit: Option<u64>, window: Duration) -> Duration {
    match limit.unwrap_or(ASSUMED_LIMIT) / 2 {
        0 => window.mul_f64(2.2),
        half => window.mul_f64(1.1 / half as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polls_use_at_most_half_of_the_rate_limit() {
        let window = Duration::from_secs(60);
        for limit in [
            None,
            Some(2),
            Some(3),
            Some(5),
            Some(20),
            Some(200),
            Some(10_000),
        ] {
            let half = limit.unwrap_or(200) / 2;
            // A window that begins with a poll holds that one, and those that follow before it ends.
            let polls = 1.0 + (window.as_secs_f64() / spacing(limit, window).as_secs_f64()).floor();
            assert!(
                polls <= half as f64 && polls >= half as f64 * 0.8,
                "{limit:?}: {polls}"
            );
        }
        assert!(spacing(Some(1), window) > window * 2);
    }
}
