//! When room comes back, as far as an answer tells.

use super::seconds::LONGEST_WAIT;
use std::time::{Duration, Instant};

/// Clocks differ, and timers are not exact.
pub const GRACE: Duration = Duration::from_millis(20);

/// What an answer promises. It was counted at some moment between its request's sending and its coming.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    /// When the answer came.
    pub came: Instant,
    /// Room comes back at this moment or later.
    pub earliest: Instant,
    /// What was named, counted from when the request was sent: if seconds are rounded down, not too late.
    pub early: Instant,
    /// What was named, counted from the answer: if seconds are rounded up, not too early.
    pub late: Instant,
    /// Room has come back by then, however seconds are rounded.
    pub latest: Instant,
}

/// What one answer says, or the newest of several.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    /// Requests left.
    pub left: u64,
    /// When there will be more.
    pub promise: Option<Promise>,
}

impl Promise {
    /// Of room `after` so long, to the nearest `unit`.
    pub fn new(sent: Instant, came: Instant, after: Duration, unit: Duration) -> Self {
        Self {
            came,
            earliest: sent + after.saturating_sub(unit),
            early: sent + after,
            late: came + after.min(LONGEST_WAIT - GRACE),
            latest: came + (after + unit + GRACE).min(LONGEST_WAIT),
        }
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
