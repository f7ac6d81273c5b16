//! What the headers of an answer say of the limit, as far as it can be believed.

use reqwest::header::HeaderMap;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// No single wait is longer.
pub const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// A longer time until the reset is not believed.
pub const ABSURD: Duration = Duration::from_secs(3600);
/// An epoch time that is no longer ago than this names a moment that is to come or has just come.
const JUST_NOW: Duration = Duration::from_secs(2);
/// A number that can only be an epoch time in seconds (September 2001).
const EPOCH: f64 = 1e9;

/// More requests than this are as good as no limit, and can be added up.
pub const MOST: u64 = 1 << 40;

/// What an answer says of the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Said {
    /// Requests allowed in a window.
    pub limit: Option<u64>,
    /// Requests left in this window, as the service has counted so far.
    pub remaining: u64,
    /// When there will be more.
    pub reset: Option<Reset>,
}

/// A time until the reset, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reset {
    /// From now.
    pub after: Duration,
    /// The last digit's worth: rounded up or down, it may be so far off the truth.
    pub unit: Duration,
}

/// What an answer says of the limit; none where it says nothing.
pub fn said(headers: &HeaderMap) -> Option<Said> {
    let count = |name| number(headers, name).map(|count: u64| count.min(MOST));
    let limit = count("x-ratelimit-limit");
    let remaining = count("x-ratelimit-remaining")?;
    Some(Said { limit, remaining, reset: reset(headers, "x-ratelimit-reset") })
}

/// How long a 429 asks to wait, where it says so believably.
pub fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    let some = |wait: &Duration| !wait.is_zero();
    let asked = reset(headers, "x-ratelimit-reset").map(|reset| reset.after).filter(some);
    asked.or_else(|| retry_after(headers).filter(some)).map(|wait| wait.min(LONGEST_WAIT))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn number<N: FromStr>(headers: &HeaderMap, name: &str) -> Option<N> {
    text(headers, name)?.parse().ok()
}

/// `Retry-After`: seconds or an HTTP date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    if let Some(reset) = reset(headers, "retry-after") {
        return Some(reset.after);
    }
    let date = jiff::fmt::rfc2822::parse(text(headers, "retry-after")?).ok()?;
    believable(date.timestamp().as_second() as f64)
}

fn reset(headers: &HeaderMap, name: &str) -> Option<Reset> {
    let text = text(headers, name)?;
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let unit = Duration::from_secs_f64(0.1_f64.powi(i32::try_from(decimals).ok()?));
    let value: f64 = text.parse().ok()?;
    let exact = value >= EPOCH * 1e3 && value % 1e3 != 0.0;
    let unit = if exact { Duration::from_millis(1) } else { unit };
    Some(Reset { after: believable(value)?, unit })
}

/// Seconds from now; a number that can only be an epoch time is read as one, in seconds or in milliseconds.
fn believable(value: f64) -> Option<Duration> {
    let value = Duration::try_from_secs_f64(if value >= EPOCH * 1e3 { value / 1e3 } else { value }).ok()?;
    let after = if value.as_secs_f64() >= EPOCH {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        // In whole seconds, the one that is not over yet lies in the past.
        value.checked_sub(now).or_else(|| (now - value < JUST_NOW).then_some(Duration::ZERO))?
    } else {
        value
    };
    (after <= ABSURD).then_some(after)
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
    fn a_reset_is_believed_only_where_it_can_be_true() {
        let cases = [
            ("30".to_string(), Some(30)),
            ("30.2".into(), Some(31)),
            ("600".into(), Some(120)),
            ((now() + 45).to_string(), Some(45)),
            ((now() * 1000 + 45_000).to_string(), Some(45)),
            ((now() - 10).to_string(), None),
            ("0".into(), None),
            ("-5".into(), None),
            ("99999".into(), None),
            ("soon".into(), None),
            ("NaN".into(), None),
            ("inf".into(), None),
            ("1e99".into(), None),
        ];
        for (text, expected) in cases {
            let wait = asked_wait(&headers(&[("x-ratelimit-reset", text.clone())]))
                .map(|wait| wait.as_secs_f64().ceil() as u64);
            assert_eq!(wait.is_some(), expected.is_some(), "{text}");
            assert!(wait.unwrap_or(0).abs_diff(expected.unwrap_or(0)) <= 1, "{text}: {wait:?}");
        }
    }

    #[test]
    fn numbers_without_end_are_cut() {
        let many =
            headers(&[("x-ratelimit-limit", u64::MAX.to_string()), ("x-ratelimit-remaining", u64::MAX.to_string())]);
        assert_eq!(said(&many).map(|said| (said.limit, said.remaining)), Some((Some(MOST), MOST)));
    }

    #[test]
    fn what_is_written_says_how_exact_it_is() {
        let epoch = |millis: u64| (now() * 1000 + 30_000 + millis).to_string();
        for (text, unit) in [(epoch(7), 1), (epoch(0), 1000), ((now() + 30).to_string(), 1000)] {
            let reset = reset(&headers(&[("x-ratelimit-reset", text.clone())]), "x-ratelimit-reset");
            assert_eq!(reset.map(|reset| reset.unit.as_millis()), Some(unit), "{text}");
        }
        let past = reset(&headers(&[("x-ratelimit-reset", now().to_string())]), "x-ratelimit-reset");
        assert_eq!(past.map(|reset| reset.after), Some(Duration::ZERO), "this second is not over yet");
        for (text, after, unit) in [("12", 12_000, 1000), ("12.3", 12_300, 100), ("12.345", 12_345, 1), ("0", 0, 1000)]
        {
            let reset = reset(&headers(&[("x-ratelimit-reset", text.into())]), "x-ratelimit-reset");
            let near = |is: Duration, expected| is.abs_diff(Duration::from_millis(expected)).as_micros() < 10;
            assert!(reset.is_some_and(|reset| near(reset.after, after) && near(reset.unit, unit)), "{text}: {reset:?}");
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
