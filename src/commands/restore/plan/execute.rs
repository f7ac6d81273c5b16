//! Starts the restores of a plan, several at a time, in the order of the file.

use super::row::{Row, State};
use crate::client::Consent;
use crate::commands::restore::launch::{Launched, Launcher, Order};
use crate::error::{Error, Kind, Result};
use crate::signal::stopped;
use crate::terminal::{Counter, count};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};

/// So many failures to reach the service, one after the other, and the rest is not tried.
const GONE: usize = 10;

/// Starts the restores of the rows that wait. Returns what ended it early.
pub async fn execute(
    launcher: &Launcher<'_>,
    consent: &Consent,
    rows: &mut [Row],
    in_flight: usize,
    most_failures: Option<u32>,
) -> Option<Error> {
    let waiting = rows.iter_mut().filter(|row| row.is_waiting());
    let (orders, states): (Vec<&Order>, Vec<&mut State>) = waiting.map(|row| (&row.order, &mut row.state)).unzip();
    let counter = launcher.context.ui.tally("restores started", orders.len() as u64);
    launcher.api.begin_bulk();
    let mut execution = Execution {
        launcher,
        consent,
        orders,
        states,
        stopped: None,
        most_failures,
        failures: 0,
        misses: 0,
        finished: 0,
        counter: &counter,
    };
    counter.while_waiting(execution.start_all(in_flight)).await;
    let Execution { states, stopped, .. } = execution;
    for state in states.into_iter().filter(|state| matches!(state, State::Waiting)) {
        *state = State::NotTried(not_tried(stopped.as_ref()));
    }
    stopped
}

/// Why a restore was not tried.
fn not_tried(stopped: Option<&Error>) -> Error {
    let (kind, why) = stopped.map_or((Kind::Error, "nothing was started"), |stopped| (stopped.kind, &stopped.message));
    // What was not sent is in no doubt.
    let kind = if kind == Kind::UnknownOutcome { Kind::Unavailable } else { kind };
    Error::new(kind, format!("not started, after this: {why}"))
}

struct Execution<'r> {
    launcher: &'r Launcher<'r>,
    consent: &'r Consent,
    orders: Vec<&'r Order>,
    states: Vec<&'r mut State>,
    stopped: Option<Error>,
    most_failures: Option<u32>,
    failures: u32,
    /// Failures to reach the service since it was last reached.
    misses: usize,
    finished: u64,
    counter: &'r Counter,
}

impl<'r> Execution<'r> {
    async fn start_all(&mut self, in_flight: usize) {
        let mut queue = self.orders.clone().into_iter().enumerate();
        let mut running = FuturesUnordered::new();
        loop {
            while self.stopped.is_none()
                && running.len() < in_flight
                && let Some((number, order)) = queue.next()
            {
                // Until it answers, nobody knows what became of it.
                let unknown = Error::new(Kind::Interrupted, "interrupted before the answer came");
                *self.states[number] = State::Failed(unknown.in_flight(true));
                running.push(self.start(number, order));
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

    fn start(&self, number: usize, order: &'r Order) -> impl Future<Output = (usize, Result<Launched>)> + use<'r> {
        let (launcher, consent) = (self.launcher, self.consent);
        async move { (number, launcher.launch(consent, order).await) }
    }

    fn take(&mut self, number: usize, result: Result<Launched>) {
        *self.states[number] = match result {
            Ok(launched) => {
                self.misses = 0;
                State::Started(launched)
            }
            Err(error) => {
                self.failures += 1;
                self.learn(&error);
                State::Failed(error)
            }
        };
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
