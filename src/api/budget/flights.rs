//! Requests on their way, as all processes that use the account see them. A process that is no more ends none of its
//! own: after a while they count as given up, and nobody waits for them.

use super::moment::Moment;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// So long others wait for an answer that they depend on, before they ask themselves.
const OTHERS_PATIENCE: Duration = Duration::from_secs(2);
/// However patient its process is, nobody counts with a request for longer.
const LONGEST: Duration = Duration::from_secs(3600);
/// A process may come late to what it does on time.
const SLACK: Duration = Duration::from_secs(2);

/// Who sends a request.
#[derive(Debug, Clone, Copy)]
pub struct Sender {
    /// Which process it is.
    pub process: u64,
    /// The requests that it knows it has to send, this one among them.
    pub ahead: u64,
    /// How long it waits for an answer.
    pub patience: Duration,
}

/// A request on its way.
#[derive(Debug, Serialize, Deserialize)]
struct Flight {
    process: u64,
    number: u64,
    at: Moment,
    /// Its process has given it up by then.
    until: Moment,
    /// Whether others wait for its answer before they send any.
    asks: bool,
}

/// All of them.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flights(Vec<Flight>);

impl Flights {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Whether all of them can have begun by `now`.
    pub fn are_possible(&self, now: Moment) -> bool {
        self.0.iter().all(|flight| flight.at <= now && flight.until <= now + LONGEST + SLACK)
    }

    /// One begins.
    pub fn begin(&mut self, sender: Sender, number: u64, at: Moment, asks: bool) {
        let until = at + sender.patience.min(LONGEST) + SLACK;
        self.0.push(Flight { process: sender.process, number, at, until, asks });
    }

    /// One ends; says whether it was still there.
    pub fn end(&mut self, process: u64, number: u64) -> bool {
        let before = self.0.len();
        self.0.retain(|flight| (flight.process, flight.number) != (process, number));
        self.0.len() < before
    }

    /// Ends those whose processes must have given them up; how many these were.
    pub fn give_up(&mut self, now: Moment) -> u64 {
        let before = self.count();
        self.0.retain(|flight| now < flight.until);
        before - self.count()
    }

    /// Whether this sender waits for an answer to any of them, or to one that asks.
    pub fn awaited(&self, sender: Sender, only_asking: bool, now: Moment) -> bool {
        let until = |flight: &Flight| match flight.process == sender.process {
            true => flight.until,
            false => flight.until.min(flight.at + OTHERS_PATIENCE),
        };
        self.0.iter().any(|flight| (flight.asks || !only_asking) && now < until(flight))
    }
}
