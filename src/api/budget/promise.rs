//! When room comes back, as far as an answer tells.

use super::moment::Moment;
use super::seconds::{ABSURD, LONGEST_WAIT};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Clocks differ, and timers are not exact.
pub const GRACE: Duration = Duration::from_millis(20);

/// Promises that are kept: a service that names another moment each time keeps naming them.
const MOST: usize = 256;

/// What an answer promises. It was counted at some moment between its request's sending and its coming.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Promise {
    /// When the answer came.
    pub came: Moment,
    /// Room comes back at this moment or later.
    pub earliest: Moment,
    /// What was named, counted from when the request was sent: if seconds are rounded down, not too late.
    pub early: Moment,
    /// What was named, counted from the answer: if seconds are rounded up, not too early.
    pub late: Moment,
    /// Room has come back by then, however seconds are rounded.
    pub latest: Moment,
}

/// The promises of all answers since room last came back.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Promises(Vec<Promise>);

/// What one answer says, or the newest of several.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Word {
    /// Requests left.
    pub left: u64,
    /// When there will be more.
    pub promise: Option<Promise>,
}

impl Promise {
    /// Of room `after` so long, to the nearest `unit`.
    pub fn new(sent: Moment, came: Moment, after: Duration, unit: Duration) -> Self {
        Self {
            came,
            earliest: sent + after.saturating_sub(unit),
            early: sent + after,
            late: came + after.min(LONGEST_WAIT - GRACE),
            latest: came + (after + unit + GRACE).min(LONGEST_WAIT),
        }
    }

    /// Whether an answer that came by `now` can have promised this.
    pub fn is_possible(&self, now: Moment) -> bool {
        let waits = [self.late, self.latest].into_iter().all(|moment| moment <= now + LONGEST_WAIT);
        let named = [self.earliest, self.early].into_iter().all(|moment| moment <= now + ABSURD);
        self.came <= now && waits && named
    }

    /// Whether two answers speak of so nearly the same that one of them can stand for both.
    fn is_near(&self, other: &Self) -> bool {
        let near = |one: Moment, other: Moment| (one - other).max(other - one) < GRACE;
        near(self.earliest, other.earliest) && near(self.late, other.late) && near(self.latest, other.latest)
    }

    /// The promise of one of two.
    fn or(self, other: Self) -> Self {
        Self {
            came: self.came.max(other.came),
            earliest: self.earliest.min(other.earliest),
            early: self.early.min(other.early),
            late: self.late.max(other.late),
            latest: self.latest.max(other.latest),
        }
    }
}

impl Promises {
    /// Takes note of one more. There may be very many: of those that are nearly the same the first stands for all.
    pub fn add(&mut self, promise: Promise) {
        if let Some(known) = self.0.iter_mut().find(|known| known.is_near(&promise)) {
            known.came = known.came.max(promise.came);
        } else if self.0.len() < MOST {
            self.0.push(promise);
        }
    }

    /// Whether answers that came by `now` can have promised all of them.
    pub fn are_possible(&self, now: Moment) -> bool {
        self.0.len() <= MOST && self.0.iter().all(|promise| promise.is_possible(now))
    }

    /// The least of these moments of all of them.
    pub fn first(&self, of: impl Fn(&Promise) -> Moment) -> Option<Moment> {
        self.0.iter().map(of).min()
    }

    /// The greatest of these moments of all of them.
    pub fn last(&self, of: impl Fn(&Promise) -> Moment) -> Option<Moment> {
        self.0.iter().map(of).max()
    }

    /// Forgets those that may have come true by `now`.
    pub fn settle(&mut self, now: Moment) {
        self.0.retain(|promise| promise.earliest >= now);
    }
}

impl Word {
    /// What is true whichever of two is the newer.
    pub fn or(self, other: Self) -> Self {
        let promise = self.promise.zip(other.promise).map(|(one, other)| one.or(other));
        Self { left: self.left.min(other.left), promise }
    }

    /// The same after so many requests more.
    pub fn less(self, requests: u64) -> Self {
        Self { left: self.left.saturating_sub(requests), ..self }
    }
}
