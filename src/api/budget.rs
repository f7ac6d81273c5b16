//! What is left of the rate limit (spec, "Limits"), from the headers of each answer: when nothing is, sitectl waits
//! for the reset rather than provoke a 429.

use reqwest::header::HeaderMap;
use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// No single wait is longer.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// A larger number of seconds until the reset is not believed.
const ABSURD: u64 = 3600;
/// A number that can only be an epoch time in seconds (September 2001).
const EPOCH: u64 = 1_000_000_000;

/// The rate limit as last seen.
#[derive(Debug, Default)]
pub struct Budget {
    limit: Cell<Option<u64>>,
    remaining: Cell<Option<u64>>,
    resets_at: Cell<Option<Instant>>,
    /// The longest that a window was seen to last.
    window: Cell<Duration>,
}

impl Budget {
    /// Takes in an answer's headers. Of several requests on their way the answers may be older than the last request:
    /// within a window what is left only falls.
    pub fn learn(&self, headers: &HeaderMap) {
        let remaining = number(headers, "x-ratelimit-remaining");
        let reset = reset_in(headers).map(|wait| wait.min(LONGEST_WAIT));
        let resets_at = reset.map(|wait| Instant::now() + wait);
        let known = self.remaining.get().filter(|_| self.is_same_window(resets_at));
        self.limit.set(number(headers, "x-ratelimit-limit").or(self.limit.get()));
        self.remaining.set(remaining.map(|remaining| known.map_or(remaining, |known| known.min(remaining))));
        self.resets_at.set(resets_at);
        self.window.set(self.window.get().max(reset.unwrap_or_default()));
    }

    /// Whether a window that ends then is the one that is known: the service counts in whole seconds.
    fn is_same_window(&self, resets_at: Option<Instant>) -> bool {
        match (self.resets_at.get(), resets_at) {
            (Some(known), Some(new)) => Instant::now() < known && new <= known + Duration::from_secs(2),
            _ => false,
        }
    }

    /// Counts a request that is about to be sent. The first after a window's end opens the next, which is taken to be as
    /// long: those that are sent before an answer tells more may not be more than a window allows either.
    pub fn spend(&self) {
        let now = Instant::now();
        if self.resets_at.get().is_some_and(|reset| now >= reset) {
            self.resets_at.set(Some(now + self.window.get()));
            self.remaining.set(self.limit());
        }
        self.remaining.set(self.remaining.get().map(|left| left.saturating_sub(1)));
    }

    /// How long to wait before the next request.
    pub fn wait(&self) -> Duration {
        match (self.remaining.get(), self.resets_at.get()) {
            (Some(0), Some(reset)) => reset.saturating_duration_since(Instant::now()).min(LONGEST_WAIT),
            _ => Duration::ZERO,
        }
    }

    /// Requests allowed in a window, where the service has said so.
    pub fn limit(&self) -> Option<u64> {
        self.limit.get().filter(|limit| *limit > 0)
    }

    /// Requests left in this window, where the service has said so.
    pub fn remaining(&self) -> Option<u64> {
        self.remaining.get()
    }
}

/// How long a 429 asks to wait, where it says so believably.
pub fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let some = |wait: &Duration| !wait.is_zero();
    reset_in(headers).filter(some).or_else(|| retry_after(headers).filter(some)).map(|wait| wait.min(LONGEST_WAIT))
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

fn reset_in(headers: &HeaderMap) -> Option<Duration> {
    believable(number(headers, "x-ratelimit-reset")?)
}

/// `Retry-After`: seconds or an HTTP date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    if let Some(seconds) = number(headers, "retry-after") {
        return believable(seconds);
    }
    let date = jiff::fmt::rfc2822::parse(headers.get("retry-after")?.to_str().ok()?).ok()?;
    believable(u64::try_from(date.timestamp().as_second()).ok()?)
}

/// Seconds from now; a number that can only be an epoch time is read as one.
fn believable(value: u64) -> Option<Duration> {
    let seconds = if value >= EPOCH {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let at = if value >= EPOCH * 1000 { Duration::from_millis(value) } else { Duration::from_secs(value) };
        at.checked_sub(now)?
    } else {
        Duration::from_secs(value)
    };
    (seconds <= Duration::from_secs(ABSURD)).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn headers(pairs: &[(&'static str, String)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""));
        pairs.iter().map(|(name, text)| (HeaderName::from_static(name), value(text))).collect()
    }

    fn now() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs())
    }

    #[test]
    fn waits_only_when_nothing_is_left() {
        let budget = Budget::default();
        assert_eq!(budget.wait(), Duration::ZERO);
        for (remaining, waits) in [("5", false), ("0", true)] {
            budget.learn(&headers(&[("x-ratelimit-remaining", remaining.into()), ("x-ratelimit-reset", "30".into())]));
            assert_eq!(budget.wait() > Duration::from_secs(29), waits, "{remaining}");
        }
    }

    #[test]
    fn no_more_are_sent_in_the_next_window_than_it_allows() {
        let budget = Budget::default();
        let answer = |remaining: &str, reset: &str| {
            headers(&[
                ("x-ratelimit-limit", "2".into()),
                ("x-ratelimit-remaining", remaining.into()),
                ("x-ratelimit-reset", reset.into()),
            ])
        };
        budget.learn(&answer("1", "30"));
        budget.learn(&answer("0", "0"));
        for waits in [false, true] {
            assert_eq!(budget.wait(), Duration::ZERO);
            budget.spend();
            assert_eq!(budget.wait() > Duration::from_secs(29), waits);
        }
    }

    #[test]
    fn a_far_reset_is_asked_about_before_it_comes() {
        let budget = Budget::default();
        budget.learn(&headers(&[("x-ratelimit-remaining", "0".into()), ("x-ratelimit-reset", "3000".into())]));
        let reset = budget.resets_at.get().map_or(Duration::ZERO, |reset| reset - Instant::now());
        assert!((119..=120).contains(&reset.as_secs()), "{reset:?}");
    }

    #[test]
    fn a_reset_is_believed_only_where_it_can_be_true() {
        let cases = [
            ("30".to_string(), Some(30)),
            ("600".into(), Some(120)),
            ((now() + 45).to_string(), Some(45)),
            ((now() * 1000 + 45_000).to_string(), Some(45)),
            ((now() - 10).to_string(), None),
            ("0".into(), None),
            ("-5".into(), None),
            ("99999".into(), None),
            ("soon".into(), None),
        ];
        for (text, expected) in cases {
            let wait = asked_wait(&headers(&[("x-ratelimit-reset", text.clone())]))
                .map(|wait| wait.as_secs_f64().ceil() as u64);
            assert_eq!(wait.is_some(), expected.is_some(), "{text}");
            assert!(wait.unwrap_or(0).abs_diff(expected.unwrap_or(0)) <= 1, "{text}: {wait:?}");
        }
    }

    #[test]
    fn retry_after_is_the_second_choice() {
        assert_eq!(asked_wait(&headers(&[("retry-after", "7".into())])), Some(Duration::from_secs(7)));
        let both = headers(&[("retry-after", "7".into()), ("x-ratelimit-reset", "3".into())]);
        assert_eq!(asked_wait(&both), Some(Duration::from_secs(3)));
        let zero = headers(&[("retry-after", "7".into()), ("x-ratelimit-reset", "0".into())]);
        assert_eq!(asked_wait(&zero), Some(Duration::from_secs(7)));
        assert_eq!(asked_wait(&headers(&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT".into())])), None);
    }
}
