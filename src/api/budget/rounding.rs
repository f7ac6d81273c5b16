//! How the service rounds the seconds that it names, as far as it has shown.

use super::seconds::Reset;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How a service writes down times unless it shows otherwise.
const SECOND: Duration = Duration::from_secs(1);
/// In a window of this length a second is little, and a request that is held back might cost a whole window.
const LONG: Duration = Duration::from_secs(20);
/// A request in so few is too many to hold back.
const FEW: u64 = 4;

/// How seconds are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
enum Way {
    /// Nothing has shown it.
    #[default]
    Unknown,
    /// The moment that is named is never too early.
    Up,
    /// It may be a second too early.
    Down,
}

/// What is known of it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Rounding {
    way: Way,
    /// What the last time was written in.
    unit: Duration,
    /// The longest time that was named.
    longest: Duration,
}

impl Rounding {
    /// Takes note of a time that was named. Where none is left of a second that is not over, it was rounded down.
    pub fn hear(&mut self, reset: Reset) {
        self.unit = reset.unit;
        self.longest = self.longest.max(reset.after);
        if reset.after.is_zero() && reset.unit == SECOND {
            self.way = Way::Down;
        }
    }

    /// It has been shown that seconds are rounded up.
    pub fn is_up(&mut self) {
        self.way = Way::Up;
    }

    /// They are taken to be rounded down, as nothing shows that they are not.
    pub fn may_be_down(&mut self) {
        self.way = Way::Down;
    }

    /// Whether a moment that was named is never too early.
    pub fn goes_up(&self) -> bool {
        self.way == Way::Up
    }

    /// Whether it is worth one of so many requests to find out.
    pub fn is_worth_a_test(&self, limit: Option<u64>) -> bool {
        self.way == Way::Unknown
            && self.unit == SECOND
            && self.longest < LONG
            && limit.is_some_and(|limit| limit >= FEW)
    }
}
