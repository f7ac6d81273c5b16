//! Watches tasks until they end: one poll loop for `restore watch` and `restore start --watch`.

use super::followed::{End, Followed};
use super::target::{Target, resume};
use crate::client::{Api, Task};
use crate::commands::context::Context;
use crate::config::{Format, positive_duration};
use crate::error::{Error, Kind, Result};
use crate::journal::Journal;
use crate::signal::stopped;
use crate::terminal::Bars;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::time::{Duration, Instant};
use tokio::time::sleep_until;

/// Polls in flight at a time, so that one that hangs holds up no other.
const IN_FLIGHT: usize = 8;
/// The rate limit if the service reports none (spec, "Limits").
const ASSUMED_LIMIT: u64 = 200;

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
/// `Interrupted` on Ctrl-C.
pub async fn follow(
    context: &Context,
    api: &Api,
    journal: &Journal,
    args: &FollowArgs,
    targets: Vec<Target>,
) -> Result<Vec<Followed>> {
    let mut watch = Watch::new(context, api, journal, args, targets);
    let ended = tokio::select! {
        biased;
        ended = watch.run() => ended,
        () = stopped() => Err(Error::new(Kind::Interrupted, "interrupted; the restore continues on the server")),
    };
    let Watch { all, bars, .. } = watch;
    drop(bars);
    let running: Vec<&Target> = all.iter().filter(|one| one.end == End::Running).map(|one| &one.target).collect();
    let hint = || format!("resume watching: {}", resume(context, &running));
    ended.map_err(|error| context.hint_tasks(error).or_hint(hint))?;
    Ok(all)
}

/// The tasks that are watched.
struct Watch<'w> {
    context: &'w Context,
    api: &'w Api,
    journal: &'w Journal,
    deadline: Instant,
    /// When the newest poll was sent.
    polled: Option<Instant>,
    all: Vec<Followed>,
    bars: Bars,
}

impl<'w> Watch<'w> {
    fn new(context: &'w Context, api: &'w Api, journal: &'w Journal, args: &FollowArgs, targets: Vec<Target>) -> Self {
        let bars = context.ui.bars(targets.len(), context.settings.format == Format::Ndjson);
        let all = targets.into_iter().map(|target| Followed::new(target, &bars, args.interval)).collect();
        let deadline = Instant::now() + args.timeout;
        Self { context, api, journal, deadline, polled: None, all, bars }
    }

    async fn run(&mut self) -> Result<()> {
        for one in self.all.iter_mut().filter(|one| one.end != End::Running) {
            one.show(self.context).await?;
        }
        self.api.begin_bulk();
        let mut polls = FuturesUnordered::new();
        while self.count(End::Running) > 0 {
            self.show_total();
            let next = self.next(polls.len()).filter(|(_, at)| *at < self.deadline);
            let wake = next.map_or(self.deadline, |(_, at)| at);
            tokio::select! {
                biased;
                Some((number, response)) = polls.next() => self.take(number, response).await?,
                () = sleep_until(wake.into()) => match next {
                    Some((number, _)) => polls.push(self.poll(number)),
                    None => return self.time_out().await,
                },
            }
        }
        Ok(())
    }

    /// Returns the task to poll next, the one that has waited longest, and when.
    fn next(&self, in_flight: usize) -> Option<(usize, Instant)> {
        if in_flight == IN_FLIGHT {
            return None;
        }
        let (limit, window) = self.api.rate_limit();
        let free_at = self.polled.map(|polled| polled + spacing(limit, window));
        let running = self.all.iter().enumerate().filter(|(_, one)| one.end == End::Running);
        let waiting = running.filter_map(|(number, one)| one.due.map(|due| (number, due)));
        waiting
            .min_by_key(|(_, due)| *due)
            .map(|(number, due)| (number, free_at.map_or(due, |free_at| due.max(free_at))))
    }

    /// Polls a task.
    fn poll(&mut self, number: usize) -> impl Future<Output = (usize, Result<Task>)> + use<'w> {
        self.polled = Some(Instant::now());
        self.all[number].due = None;
        let (api, task_id) = (self.api, self.all[number].target.task_id.clone().unwrap_or_default());
        async move { (number, api.task(&task_id, true).await) }
    }

    async fn take(&mut self, number: usize, response: Result<Task>) -> Result<()> {
        let (now, alone) = (Instant::now(), self.all.len() == 1);
        let one = &mut self.all[number];
        one.take(response, alone, now)?;
        // The journal first: a stdout that is gone must not keep the outcome from it.
        one.record(self.context, self.journal);
        one.show(self.context).await
    }

    async fn time_out(&mut self) -> Result<()> {
        for one in self.all.iter_mut().filter(|one| one.end == End::Running) {
            one.end = End::TimedOut;
            one.show(self.context).await?;
        }
        Ok(())
    }

    fn show_total(&self) {
        if self.all.len() > 1 {
            let (ended, failed) = (self.all.len() - self.count(End::Running), self.count(End::Failed));
            let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
            self.bars.total(ended, format!("{ended} of {} finished{failed}", self.all.len()));
        }
    }

    fn count(&self, end: End) -> usize {
        self.all.iter().filter(|one| one.end == end).count()
    }
}

/// Returns the least time between two polls: all tasks together use at most half of the rate limit. The half is spread
/// over a little more than the window, because polls may arrive closer together than they were sent.
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
        for limit in [None, Some(2), Some(3), Some(5), Some(20), Some(200), Some(10_000)] {
            let half = limit.unwrap_or(200) / 2;
            // A window that begins with a poll holds that one, and those that follow before it ends.
            let polls = 1.0 + (window.as_secs_f64() / spacing(limit, window).as_secs_f64()).floor();
            assert!(polls <= half as f64 && polls >= half as f64 * 0.8, "{limit:?}: {polls}");
        }
        assert!(spacing(Some(1), window) > window * 2);
    }
}
