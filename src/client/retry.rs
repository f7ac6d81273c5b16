//! The retry policy: a pure value that decides whether and when a request is retried.

use super::request::Effect;
use crate::error::{Error, Kind};
use std::time::Duration;

/// Why an attempt got no usable response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// No connection was made, so nothing was processed. A retry can succeed.
    NotSent,
    /// TLS failed or the certificate was rejected, so nothing was processed. A retry cannot
    /// succeed.
    Tls,
    /// The request was sent, but the connection failed before the end of the response.
    Lost,
    /// The request was sent, but the response timed out. The service may still process the request.
    TimedOut,
    /// The response does not match the API specification.
    Unreadable,
    /// The service responded with this status.
    Status(u16),
}

impl Failure {
    /// Whether the service surely did not process the request.
    pub fn surely_not_processed(self) -> bool {
        match self {
            Self::NotSent | Self::Tls => true,
            Self::Lost | Self::TimedOut | Self::Unreadable => false,
            // 408 is missing because a proxy may have forwarded the request before it timed out.
            // 301 to 303 are missing because many services redirect after a successful change.
            Self::Status(status) => matches!(status, 300 | 304..=407 | 409..=499),
        }
    }
}

/// An attempt without a usable response.
#[derive(Debug)]
pub struct FailedAttempt {
    pub failure: Failure,
    /// The error if the request was a read. `final_error` adapts it to a change.
    pub error: Error,
}

impl FailedAttempt {
    /// Creates an attempt that failed without a usable response.
    pub fn new(failure: Failure, message: impl Into<String>) -> Self {
        Self {
            failure,
            error: Error::new(Kind::Unavailable, message),
        }
    }

    /// Sets a hint that is more specific than that of the failure.
    #[must_use]
    pub fn with_hint(self, hint: &str) -> Self {
        Self {
            error: self.error.with_hint(hint),
            ..self
        }
    }
}

/// The statuses after which reads are retried. Changes are retried only after 429.
pub const RETRIED_STATUSES: [u16; 6] = [408, 429, 500, 502, 503, 504];

/// Whether a request can be retried. A change is retried only if it was surely not processed,
/// because two requests can make two changes.
fn can_retry(effect: Effect, failure: Failure) -> bool {
    let can_succeed = match failure {
        Failure::Tls => false,
        Failure::Status(status) => RETRIED_STATUSES.contains(&status),
        _ => true,
    };
    can_succeed && (effect == Effect::Read || failure.surely_not_processed())
}

/// The most retries after 429, because other users of the token can use up window after window.
/// Without a usable wait, their backoff takes less than two minutes.
pub const MAX_RATE_LIMIT_RETRIES: u32 = 10;

/// Returns the wait before a retry; None if the request must not be retried. `retry` counts the
/// retries from 1. `max_retries` 0 also turns off retries after 429. `jitter` is from 0 to 1.
pub fn retry_delay(
    effect: Effect,
    failed: &FailedAttempt,
    retry: u32,
    max_retries: u32,
    jitter: f64,
) -> Option<Duration> {
    let (most_retries, first_delay) = match failed.failure {
        Failure::Status(429) if max_retries > 0 => (MAX_RATE_LIMIT_RETRIES, Duration::from_secs(1)),
        _ => (max_retries, Duration::from_millis(250)),
    };
    if retry > most_retries || !can_retry(effect, failed.failure) {
        return None;
    }
    let requested = failed.error.retry_after;
    Some(requested.unwrap_or_else(|| backoff(retry, first_delay, jitter)))
}

/// Returns the wait before a retry that the service requests no wait for. The step doubles with
/// each retry, and `jitter` selects a wait between half of the step and all of it.
fn backoff(retry: u32, first_delay: Duration, jitter: f64) -> Duration {
    const LONGEST: Duration = Duration::from_secs(15);
    let doublings = retry.saturating_sub(1).min(10);
    let step = first_delay.saturating_mul(1 << doublings).min(LONGEST);
    step.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_retried_only_if_it_was_surely_not_processed() {
        let retried = |failure| {
            (
                can_retry(Effect::Read, failure),
                can_retry(Effect::Change, failure),
            )
        };
        for failure in [Failure::NotSent, Failure::Status(429)] {
            assert_eq!(retried(failure), (true, true), "{failure:?}");
        }
        let statuses = [408, 500, 502, 503, 504].map(Failure::Status);
        for failure in [Failure::Lost, Failure::TimedOut, Failure::Unreadable]
            .into_iter()
            .chain(statuses)
        {
            assert_eq!(retried(failure), (true, false), "{failure:?}");
        }
        for failure in [301, 400, 401, 404, 409, 418, 422, 425, 505]
            .map(Failure::Status)
            .into_iter()
            .chain([Failure::Tls])
        {
            assert_eq!(retried(failure), (false, false), "{failure:?}");
        }
    }

    /// Returns the waits of a read that always fails with this status.
    fn waits(
        status: u16,
        retry_after: Option<Duration>,
        retries: u32,
        jitter: f64,
    ) -> Vec<Duration> {
        let failed = FailedAttempt {
            failure: Failure::Status(status),
            error: Error::new(Kind::Unavailable, "no").with_retry_after(retry_after),
        };
        (1..)
            .map_while(|retry| retry_delay(Effect::Read, &failed, retry, retries, jitter))
            .collect()
    }

    #[test]
    fn waits_grow_and_stay_bounded() {
        assert_eq!(
            waits(503, None, 3, 1.0),
            [250, 500, 1000].map(Duration::from_millis)
        );
        assert_eq!(
            waits(503, None, 2, 0.0),
            [125, 250].map(Duration::from_millis)
        );
        assert_eq!(
            waits(503, None, 99, 7.0).last(),
            Some(&Duration::from_secs(15))
        );
        let requested = Duration::from_secs(7);
        assert_eq!(waits(503, Some(requested), 2, 0.5), [requested; 2]);
    }

    #[test]
    fn a_429_is_waited_out_and_without_a_time_for_two_minutes_in_all() {
        let minute = Duration::from_secs(60);
        assert_eq!(waits(429, Some(minute), 1, 0.5), [minute; 10]);
        assert!(waits(429, Some(minute), 0, 0.5).is_empty());
        let backoffs = |jitter| waits(429, None, 1, jitter).iter().sum::<Duration>();
        assert!(
            backoffs(1.0) <= minute * 2 && backoffs(0.5) > minute,
            "{:?}",
            backoffs(0.5)
        );
    }
}
