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

/// How long to wait before attempt `attempt` (1 for the first repetition), between half and all of an exponential
/// step. `jitter` is from 0 to 1.
pub fn backoff(attempt: u32, jitter: f64) -> Duration {
    const FIRST: Duration = Duration::from_millis(250);
    const LONGEST: Duration = Duration::from_secs(20);
    let step = FIRST.saturating_mul(1 << attempt.saturating_sub(1).min(10)).min(LONGEST);
    step.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_repeated_only_where_it_was_surely_not_processed() {
        let misses = [Miss::NotSent, Miss::Refused, Miss::Lost, Miss::TimedOut, Miss::Unreadable];
        let statuses = [301, 400, 401, 404, 408, 409, 418, 422, 425, 429, 500, 502, 503, 504, 505].map(Miss::Status);
        for miss in misses.into_iter().chain(statuses) {
            let repeated = may_repeat(Effect::Change, miss);
            assert!(!repeated || miss.surely_not_processed(), "{miss:?}");
        }
        assert!(may_repeat(Effect::Change, Miss::Status(429)));
        assert!(may_repeat(Effect::Change, Miss::NotSent));
        for miss in
            [Miss::Lost, Miss::TimedOut, Miss::Unreadable, Miss::Status(500), Miss::Status(503), Miss::Status(408)]
        {
            assert!(!may_repeat(Effect::Change, miss), "{miss:?}");
            assert!(may_repeat(Effect::Read, miss), "{miss:?}");
        }
    }

    #[test]
    fn what_cannot_pass_is_not_repeated() {
        for miss in [Miss::Refused, Miss::Status(400), Miss::Status(401), Miss::Status(404), Miss::Status(302)] {
            assert!(!may_repeat(Effect::Read, miss), "{miss:?}");
        }
    }

    #[test]
    fn waits_grow_and_stay_bounded() {
        assert_eq!(backoff(1, 1.0), Duration::from_millis(250));
        assert_eq!(backoff(1, 0.0), Duration::from_millis(125));
        assert_eq!(backoff(3, 1.0), Duration::from_secs(1));
        assert_eq!(backoff(u32::MAX, 7.0), Duration::from_secs(20));
    }
}
