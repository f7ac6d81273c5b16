//! Moments that processes can tell each other: they count from the epoch, and within a process they never go back.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A moment, in microseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(u64);

/// When this process first asked for the time, by both clocks: the one that others know, and the one that only goes on.
static START: LazyLock<(Instant, Moment)> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (Instant::now(), Moment(micros(since)))
});

impl Moment {
    /// Now.
    pub fn now() -> Self {
        let (instant, moment) = *START;
        moment + instant.elapsed()
    }

    /// The same on the clock that timers go by; what is over is now.
    pub fn instant(self) -> Instant {
        Instant::now() + (self - Self::now())
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }
}

impl Sub<Duration> for Moment {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }
}

impl Sub for Moment {
    type Output = Duration;

    /// How long after the other it is; zero where it is before it.
    fn sub(self, other: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(other.0))
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_tell_the_same() {
        let (moment, instant) = (Moment::now(), Instant::now());
        let later = (moment + Duration::from_secs(60)).instant() - instant;
        assert!(later.abs_diff(Duration::from_secs(60)) < Duration::from_secs(1), "{later:?}");
        assert!((moment - Duration::from_secs(60)).instant() <= Instant::now());
    }
}
