//! Tracks the rate limit (spec, "Limits") that responses report. The transport asks it before each
//! request and updates it after each response. It does no I/O. Other processes that use the same
//! account use up the same limit, because the service counts per account.

use reqwest::header::HeaderMap;
use serde::Serialize;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The longest single wait.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// The longest usable time until the reset, in seconds.
const LONGEST_RESET: f64 = 3600.0;
/// The default window (spec, "Limits").
pub const DEFAULT_WINDOW: Duration = Duration::from_secs(60);
/// Requests per window that bulk work leaves unused.
const BULK_RESERVE: u64 = 5;
/// The smallest reset treated as an epoch time in seconds (September 2001), not as seconds from
/// now.
const MIN_EPOCH: f64 = 1e9;

/// The rate limit that one response reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RateLimitHeaders {
    /// Requests allowed per window.
    limit: Option<u64>,
    /// Requests remaining in this window.
    remaining: u64,
    /// Seconds until the window ends.
    reset: Option<u64>,
}

/// The known rate limit, and the requests in flight.
#[derive(Debug, Default)]
pub struct RateLimit {
    /// Requests allowed per window, if a response reported them.
    pub limit: Option<u64>,
    /// Requests remaining in this window, if a response reported them.
    remaining: Option<u64>,
    /// The end of this window, if a response reported it.
    window_end: Option<Instant>,
    /// The estimated length of a window: the longest time until a reset that a response has
    /// reported. The first response of a window reports almost the full length.
    pub window: Option<Duration>,
    /// Requests that were granted, and whose response headers have not arrived.
    in_flight: u64,
    /// Whether to leave the last requests of each window unused, for other users of the account.
    pub keeps_reserve: bool,
    /// The values of the newest response.
    pub newest: Option<RateLimitHeaders>,
}

/// Whether a request can be sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Yes; the request is in flight from now on.
    Granted,
    /// No, until a response arrives or the window ends; None if the window's end is unknown.
    AfterResponse(Option<Instant>),
    /// No, until the window ends.
    At(Instant),
}

impl RateLimitHeaders {
    /// Reads the headers of a response. Those of a 5xx are ignored because another server can have
    /// sent them.
    pub fn read(status: u16, headers: &HeaderMap) -> Option<Self> {
        if status >= 500 {
            return None;
        }
        let number = |name| header_text(headers, name)?.parse().ok();
        Some(Self {
            limit: number("x-ratelimit-limit"),
            remaining: number("x-ratelimit-remaining")?,
            reset: header_text(headers, "x-ratelimit-reset").and_then(seconds_left),
        })
    }

    /// Describes the remaining requests.
    pub fn summary(&self) -> String {
        let mut summary = self.remaining.to_string();
        if let Some(limit) = self.limit {
            summary += &format!(" of {limit}");
        }
        summary += " requests left";
        if let Some(reset) = self.reset {
            summary += &format!(", resets in {reset} s");
        }
        summary
    }
}

impl RateLimit {
    /// Decides whether a request can be sent, and counts it as in flight if it can.
    pub fn admit(&mut self, now: Instant) -> Admission {
        self.window_end = self.window_end.filter(|end| now < *end);
        if self.window_end.is_none() {
            self.remaining = None;
        }
        // Includes the requests in flight.
        let available = match self.remaining {
            Some(remaining) => remaining.saturating_sub(self.reserve()),
            // Until a response of this window arrives, other processes may use most of the window.
            None => match self.limit {
                Some(limit) => (limit / 10).max(1),
                None => u64::MAX,
            },
        };
        match self.window_end {
            // No response makes requests available in this window, so this case comes first.
            Some(window_end) if available == 0 => Admission::At(window_end),
            window_end if self.in_flight >= available => Admission::AfterResponse(window_end),
            _ => {
                self.in_flight += 1;
                Admission::Granted
            }
        }
    }

    /// Ends a granted request. Without a report, the request is subtracted from the remaining ones,
    /// because the service may have counted it.
    pub fn finish(&mut self, reported: Option<RateLimitHeaders>, now: Instant) {
        self.in_flight = self.in_flight.saturating_sub(1);
        let Some(RateLimitHeaders {
            limit,
            remaining,
            reset: seconds,
        }) = reported
        else {
            self.remaining = self.remaining.map(|remaining| remaining.saturating_sub(1));
            return;
        };
        self.newest = reported;
        self.limit = limit.or(self.limit);
        let time_left = seconds.map(Duration::from_secs);
        self.window = self.window.max(time_left.filter(|time| !time.is_zero()));
        let window_end = time_left.map(|time| now + time.min(LONGEST_WAIT));
        // Responses of one window arrive in any order and round their reset, so the smallest
        // numbers are the newest.
        match self.window_end.filter(|end| now < *end) {
            Some(known_end) => {
                self.remaining = Some(remaining.min(self.remaining.unwrap_or(remaining)));
                self.window_end = Some(known_end.min(window_end.unwrap_or(known_end)));
            }
            None => {
                self.remaining = Some(remaining);
                self.window_end = window_end;
            }
        }
    }

    /// Returns the number of requests to leave unused: at most half of those that a window allows.
    fn reserve(&self) -> u64 {
        match self.limit {
            _ if !self.keeps_reserve => 0,
            Some(limit) => BULK_RESERVE.min(limit / 2),
            None => BULK_RESERVE,
        }
    }
}

/// Returns the wait that an error response requests: the reset of a 429, or else `Retry-After`.
/// None if the response requests no wait, or one of 0.
pub fn requested_wait(status: u16, headers: &HeaderMap) -> Option<Duration> {
    if status != 429 && status < 500 {
        return None;
    }
    let mut wait = 0;
    if status == 429
        && let Some(text) = header_text(headers, "x-ratelimit-reset")
    {
        wait = seconds_left(text).unwrap_or(0);
    }
    if wait == 0 {
        let text = header_text(headers, "retry-after")?;
        wait = seconds_left(text)?;
    }
    if wait == 0 {
        return None;
    }
    Some(Duration::from_secs(wait).min(LONGEST_WAIT))
}

fn header_text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Parses seconds from now, or an epoch time in seconds, into seconds from now.
/// None if they are negative or more than `LONGEST_RESET`.
fn seconds_left(text: &str) -> Option<u64> {
    let mut seconds: f64 = text.parse().ok()?;
    if seconds >= MIN_EPOCH {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        seconds -= now.as_secs_f64();
    }
    let seconds = seconds.ceil();
    if (0.0..=LONGEST_RESET).contains(&seconds) {
        Some(seconds as u64)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    const SECOND: Duration = Duration::from_secs(1);

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let value =
            |text: &str| HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""));
        pairs
            .iter()
            .map(|(name, text)| (HeaderName::from_static(name), value(text)))
            .collect()
    }

    fn reported(limit: u64, remaining: u64, seconds: u64) -> Option<RateLimitHeaders> {
        Some(RateLimitHeaders {
            limit: Some(limit),
            remaining,
            reset: Some(seconds),
        })
    }

    #[test]
    fn only_usable_values_set_a_wait() {
        let wait = |reset: &str, after: &str| {
            let wait = requested_wait(
                429,
                &headers(&[("x-ratelimit-reset", reset), ("retry-after", after)]),
            );
            wait.map(|wait| wait.as_secs())
        };
        for (reset, after, expected) in [
            ("30", "7", Some(30)),
            ("30.2", "", Some(31)),
            ("600", "", Some(120)),
            ("0", "7", Some(7)),
            ("0", "", None),
            ("99999", "", None),
            ("1000000000", "", None),
            ("-5", "soon", None),
        ] {
            assert_eq!(wait(reset, after), expected, "{reset} {after}");
        }
        let soon = jiff::Timestamp::now() + SECOND * 45;
        let wait = wait(&soon.as_second().to_string(), "");
        assert!(
            wait.is_some_and(|wait| (43..=46).contains(&wait)),
            "{wait:?}"
        );
    }

    #[test]
    fn rate_headers_of_a_5xx_are_ignored() {
        let used_up = [
            ("x-ratelimit-limit", "200"),
            ("x-ratelimit-remaining", "0"),
            ("x-ratelimit-reset", "60"),
        ];
        for status in [500, 502, 503, 504] {
            assert_eq!(requested_wait(status, &headers(&used_up)), None);
            assert_eq!(RateLimitHeaders::read(status, &headers(&used_up)), None);
            assert_eq!(
                requested_wait(status, &headers(&[("retry-after", "7")])),
                Some(SECOND * 7)
            );
        }
        assert_eq!(
            RateLimitHeaders::read(200, &headers(&used_up)),
            reported(200, 0, 60)
        );
    }

    #[test]
    fn requests_in_flight_count_against_the_window() {
        let (mut limit, now) = (RateLimit::default(), Instant::now());
        assert_eq!(limit.admit(now), Admission::Granted);
        limit.finish(reported(200, 2, 30), now);
        assert_eq!(
            [limit.admit(now), limit.admit(now)],
            [Admission::Granted; 2]
        );
        let end = now + SECOND * 30;
        assert_eq!(limit.admit(now), Admission::AfterResponse(Some(end)));
        // A request without a response counts, too.
        limit.finish(None, now);
        assert_eq!(limit.admit(now), Admission::AfterResponse(Some(end)));
        limit.finish(reported(200, 0, 30), now);
        // This response was overtaken.
        limit.finish(reported(200, 1, 31), now);
        assert_eq!(limit.admit(now), Admission::At(end));
        let earlier_end = end - SECOND;
        limit.finish(reported(200, 0, 29), now);
        assert_eq!(limit.admit(now), Admission::At(earlier_end));
        assert_eq!(limit.admit(earlier_end), Admission::Granted);
    }

    #[test]
    fn requests_are_sent_if_no_limit_is_known() {
        let (mut limit, now) = (RateLimit::default(), Instant::now());
        assert!((0..1000).all(|_| limit.admit(now) == Admission::Granted));
        let no_reset = RateLimitHeaders {
            limit: Some(0),
            remaining: 0,
            reset: None,
        };
        let mut limit = RateLimit::default();
        limit.finish(Some(no_reset), now);
        assert_eq!(limit.admit(now), Admission::Granted);
    }

    #[test]
    fn bulk_work_leaves_the_last_requests_unused() {
        for (allowed, reserved) in [(200, 5), (3, 1), (1, 0)] {
            let now = Instant::now();
            let (mut person, mut bulk) = (RateLimit::default(), RateLimit::default());
            bulk.keeps_reserve = true;
            bulk.finish(reported(allowed, reserved + 1, 30), now);
            assert_eq!(bulk.admit(now), Admission::Granted, "{allowed}");
            bulk.finish(reported(allowed, reserved, 30), now);
            person.finish(reported(allowed, reserved, 30), now);
            assert_eq!(
                bulk.admit(now),
                Admission::At(now + SECOND * 30),
                "{allowed}"
            );
            assert_eq!(
                person.admit(now) == Admission::Granted,
                reserved > 0,
                "{allowed}"
            );
        }
    }
}
