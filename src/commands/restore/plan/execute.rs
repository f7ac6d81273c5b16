//! Starts the restores of a plan, several at a time, in the order of the file.

use super::{Standing, Step};
use crate::commands::restore::launch::{Launched, Launcher};
use crate::consent::Consent;
use crate::error::{Error, Kind};
use crate::journal::{self, Entry};
use crate::ui::{Counter, count, stopped};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::collections::VecDeque;

/// So many failures to reach the service, one after the other, and the rest is not tried.
const GONE: usize = 10;

/// What became of a row.
#[derive(Debug)]
pub enum Outcome {
    /// It was started.
    Started(Launched),
    /// A run before has started it; and it is known to have failed, where there is an error.
    Skipped(Box<Entry>, Option<Error>),
    /// It was not started, or nobody knows whether it was.
    Failed(Error),
    /// It was not tried, and why.
    NotTried(Error),
}

/// What became of a plan.
pub struct Outcomes {
    /// Of each step, in its order.
    pub of_steps: Vec<Outcome>,
    /// What ended it before its end.
    pub stopped: Option<Error>,
}

/// Starts what is to be started.
pub async fn execute(
    launcher: &Launcher<'_>,
    consent: &Consent,
    steps: &[Step],
    in_flight: usize,
    most_failures: Option<u32>,
) -> Outcomes {
    let queue: VecDeque<usize> =
        (0..steps.len()).filter(|step| matches!(steps[*step].standing, Standing::Start)).collect();
    let counter = launcher.context.ui.tally("restores started", queue.len() as u64);
    launcher.api.begin_bulk();
    let outcomes = steps.iter().map(before).collect();
    let mut run = Run {
        launcher,
        consent,
        steps,
        outcomes,
        stopped: None,
        most_failures,
        failures: 0,
        misses: 0,
        finished: 0,
        counter: &counter,
    };
    counter.while_waiting(run.start_all(queue, in_flight)).await;
    let Run { outcomes, stopped, .. } = run;
    Outcomes::after(outcomes, stopped)
}

impl Outcomes {
    /// What is known where nothing is to be started.
    pub fn before(steps: &[Step]) -> Self {
        Self::after(steps.iter().map(before).collect(), None)
    }

    fn after(outcomes: Vec<Option<Outcome>>, stopped: Option<Error>) -> Self {
        let left = |outcome: Option<Outcome>| outcome.unwrap_or_else(|| Outcome::NotTried(not_tried(stopped.as_ref())));
        Self { of_steps: outcomes.into_iter().map(left).collect(), stopped }
    }
}

/// What is known of a step before any is started.
fn before(step: &Step) -> Option<Outcome> {
    match &step.standing {
        Standing::Start => None,
        Standing::Started(entry) => Some(Outcome::Skipped(entry.clone(), failed_before(entry))),
        Standing::Blocked(error) => Some(Outcome::Failed(error.brief())),
    }
}

/// What is to be said of a restore that was started before, and failed.
fn failed_before(entry: &Entry) -> Option<Error> {
    let task = entry.task_id.as_deref().unwrap_or_default();
    let message = format!("its restore, started {:.0} as task {task}, failed", entry.intent.started_at);
    let error =
        || Error::new(Kind::RestoreFailed, message).hint("start it again with --force, or in a plan of its own");
    (entry.outcome == Some(journal::Outcome::Failed)).then(error)
}

/// Why a restore was not tried.
fn not_tried(stopped: Option<&Error>) -> Error {
    let (kind, why) = stopped.map_or((Kind::Error, "nothing was started"), |stopped| (stopped.kind, &stopped.message));
    // What was not sent is in no doubt.
    let kind = if kind == Kind::UnknownOutcome { Kind::Unavailable } else { kind };
    Error::new(kind, format!("not started, after this: {why}"))
}

struct Run<'r> {
    launcher: &'r Launcher<'r>,
    consent: &'r Consent,
    steps: &'r [Step],
    outcomes: Vec<Option<Outcome>>,
    stopped: Option<Error>,
    most_failures: Option<u32>,
    failures: u32,
    /// Failures to reach the service since it was last reached.
    misses: usize,
    finished: u64,
    counter: &'r Counter,
}

impl Run<'_> {
    async fn start_all(&mut self, mut queue: VecDeque<usize>, in_flight: usize) {
        let (launcher, consent, steps) = (self.launcher, self.consent, self.steps);
        let mut running = FuturesUnordered::new();
        loop {
            while self.stopped.is_none()
                && running.len() < in_flight
                && let Some(number) = queue.pop_front()
            {
                // Until it answers, nobody knows what became of it.
                let unknown = Error::new(Kind::Interrupted, "interrupted before the answer came");
                self.outcomes[number] = Some(Outcome::Failed(unknown.in_flight(true)));
                running.push(async move { (number, launcher.launch(consent, &steps[number].order).await) });
            }
            let done = tokio::select! {
                biased;
                () = stopped() => break,
                done = running.next() => done,
            };
            let Some((number, result)) = done else { return };
            self.take(number, result);
        }
        // Each request that is out has heard of the interruption too, and the journal of where it was.
        self.stopped = Some(Error::new(Kind::Interrupted, "interrupted"));
        while let Some(Some((number, result))) = running.next().now_or_never() {
            self.take(number, result);
        }
    }

    fn take(&mut self, number: usize, result: Result<Launched, Error>) {
        let outcome = match result {
            Ok(launched) => {
                self.misses = 0;
                Outcome::Started(launched)
            }
            Err(error) => {
                self.failures += 1;
                self.learn(&error);
                Outcome::Failed(error)
            }
        };
        self.outcomes[number] = Some(outcome);
        self.finished += 1;
        self.counter.reached(self.finished);
    }

    /// Where a failure shows that others will fail too, or there were as many as are allowed, no more are started.
    fn learn(&mut self, error: &Error) {
        let missed = matches!(error.kind, Kind::Unavailable | Kind::UnknownOutcome);
        self.misses = if missed { self.misses + 1 } else { 0 };
        // Kind::Error: the journal can't be written.
        let hopeless = matches!(error.kind, Kind::Auth | Kind::RateLimited | Kind::Interrupted | Kind::Error);
        let gone = || Error::new(Kind::Unavailable, format!("{GONE} restores in a row could not be started"));
        let enough = |most| Error::new(Kind::Partial, format!("{} to start", count(most as usize, "failure")));
        let stopped = match self.most_failures {
            _ if hopeless => Some(error.brief()),
            Some(most) if self.failures >= most => Some(enough(most)),
            _ => (self.misses >= GONE).then(gone),
        };
        self.stopped = self.stopped.take().or(stopped);
    }
}
