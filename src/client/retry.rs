//! Which requests may be sent again, and when: a pure policy. The transport asks it and does what it says.

use super::request::Effect;
use std::time::Duration;

/// How one attempt ended without a usable answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Miss {
    /// No connection was made: nothing was processed, and perhaps the next attempt finds one.
    NotSent,
    /// No connection can be made: the certificate was refused.
    Refused,
    /// It was sent, and the connection broke before a whole answer came back.
    Lost,
    /// It was sent, and no whole answer came in time: the service may still be at it.
    TimedOut,
    /// An answer came that is not what the interface promises.
    Unreadable,
    /// The service answered with this status.
    Status(u16),
}

impl Miss {
    /// Whether the service surely did nothing.
    pub fn surely_not_processed(self) -> bool {
        match self {
            Self::NotSent | Self::Refused => true,
            Self::Lost | Self::TimedOut | Self::Unreadable => false,
            // 408 comes from proxies that may have passed the request on; many a service redirects after a change that
            // it has made.
            Self::Status(status) => matches!(status, 300 | 304..=407 | 409..=499),
        }
    }

    /// Whether another attempt could end better.
    fn is_passing(self) -> bool {
        match self {
            Self::NotSent | Self::Lost | Self::TimedOut | Self::Unreadable => true,
            Self::Refused => false,
            Self::Status(status) => matches!(status, 408 | 429 | 500 | 502 | 503 | 504),
        }
    }
}

/// Whether a request may be sent again after such a miss. A change is repeated only where it was surely not
/// processed: sent twice, it could act twice.
pub fn may_repeat(effect: Effect, miss: Miss) -> bool {
    miss.is_passing() && (effect == Effect::Read || miss.surely_not_processed())
}

/// Refusals with 429 that one request waits out: others who use the token may be faster, window after window.
const MOST_REFUSALS: u32 = 10;
/// How long one request backs off in all from refusals that name no usable time.
const LONGEST_BACKOFF: Duration = Duration::from_secs(120);

/// How often one request has failed so far.
#[derive(Debug, Default)]
pub struct Failures {
    /// Refusals with 429.
    refused: u32,
    /// The time spent on those that named none.
    backed_off: Duration,
    other: u32,
}

impl Failures {
    /// Takes in one more. Returns how long to wait before the request is sent again; none if it must not be. `named`
    /// is how long the service asks to wait; `jitter` is from 0 to 1.
    pub fn wait(
        &mut self,
        effect: Effect,
        miss: Miss,
        named: Option<Duration>,
        retries: u32,
        jitter: f64,
    ) -> Option<Duration> {
        if retries == 0 || !may_repeat(effect, miss) {
            return None;
        }
        if miss == Miss::Status(429) {
            self.refused += 1;
            return match named {
                Some(named) => (self.refused <= MOST_REFUSALS).then_some(named),
                None => self.back_off(jitter),
            };
        }
        self.other += 1;
        let wait = || named.unwrap_or_else(|| backoff(self.other, Duration::from_millis(250), jitter));
        (self.other <= retries).then(wait)
    }

    fn back_off(&mut self, jitter: f64) -> Option<Duration> {
        let wait = backoff(self.refused, Duration::from_secs(1), jitter).min(LONGEST_BACKOFF - self.backed_off);
        self.backed_off += wait;
        (!wait.is_zero()).then_some(wait)
    }
}

/// How long to wait before attempt `attempt` (1 for the first repetition), between half and all of an exponential
/// step.
fn backoff(attempt: u32, first: Duration, jitter: f64) -> Duration {
    const LONGEST: Duration = Duration::from_secs(20);
    let step = first.saturating_mul(1 << attempt.saturating_sub(1).min(10)).min(LONGEST);
    step.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_retried_only_if_it_was_surely_not_processed() {
        let repeated = |miss| (may_repeat(Effect::Read, miss), may_repeat(Effect::Change, miss));
        for miss in [Miss::NotSent, Miss::Status(429)] {
            assert_eq!(repeated(miss), (true, true), "{miss:?}");
        }
        let statuses = [408, 500, 502, 503, 504].map(Miss::Status);
        for miss in [Miss::Lost, Miss::TimedOut, Miss::Unreadable].into_iter().chain(statuses) {
            assert_eq!(repeated(miss), (true, false), "{miss:?}");
        }
        for miss in [301, 400, 401, 404, 409, 418, 422, 425, 505].map(Miss::Status).into_iter().chain([Miss::Refused]) {
            assert_eq!(repeated(miss), (false, false), "{miss:?}");
        }
    }

    /// How long a read waits before each repetition, if it fails in this way again and again.
    fn waits(status: u16, named: Option<Duration>, retries: u32, jitter: f64) -> Vec<Duration> {
        let mut failures = Failures::default();
        let next = || failures.wait(Effect::Read, Miss::Status(status), named, retries, jitter);
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn waits_grow_and_stay_bounded() {
        assert_eq!(waits(503, None, 3, 1.0), [250, 500, 1000].map(Duration::from_millis));
        assert_eq!(waits(503, None, 2, 0.0), [125, 250].map(Duration::from_millis));
        assert_eq!(waits(503, None, 99, 7.0).last(), Some(&Duration::from_secs(20)));
        let named = Duration::from_secs(7);
        assert_eq!(waits(503, Some(named), 2, 0.5), [named; 2]);
    }

    #[test]
    fn a_429_is_waited_out_and_without_a_time_for_two_minutes_in_all() {
        let minute = Duration::from_secs(60);
        assert_eq!(waits(429, Some(minute), 1, 0.5), [minute; 10]);
        assert!(waits(429, Some(minute), 0, 0.5).is_empty());
        for jitter in [0.0, 0.3, 1.0] {
            let waits = waits(429, None, 1, jitter);
            assert_eq!(waits.iter().sum::<Duration>(), Duration::from_secs(120), "{waits:?}");
            assert!(waits.len() < 20 && waits[0] <= Duration::from_secs(1), "{waits:?}");
        }
    }
}
