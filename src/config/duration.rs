//! Durations as people type them: `500ms`, `30s`, `2h`, `1h30m`, `7d`, `2w`.

use jiff::tz::TimeZone;
use jiff::{Span, SpanRelativeTo, Timestamp};
use std::time::Duration;

/// Parses a duration. A day is 24 hours; months and years are refused because their length varies.
///
/// # Errors
/// The allowed values.
pub fn parse(text: &str) -> Result<Duration, String> {
    let expected = "expected a duration such as 500ms, 30s, 15m, 2h, 7d or 2w";
    // The library also reads words and clock times.
    let is_allowed = |c: char| c.is_ascii_digit() || "smhdw".contains(c);
    if !text.starts_with(|c: char| c.is_ascii_digit()) || !text.chars().all(is_allowed) {
        return Err(expected.into());
    }
    parse_span(text).map_err(|_| expected.into())
}

fn parse_span(text: &str) -> Result<Duration, jiff::Error> {
    let span: Span = text.parse()?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours())?;
    Duration::try_from(duration)
}

/// Formats a duration in its largest unit and the next one, unless that is zero, such as `2d 3h`,
/// `4m 10s` or `31d`; below one second, in milliseconds; zero as `0s`.
pub fn format_duration(duration: Duration) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];
    if duration < Duration::from_secs(1) && !duration.is_zero() {
        return format!("{}ms", duration.as_millis());
    }
    let mut rest = duration.as_secs();
    let parts = UNITS.map(|(seconds, unit)| {
        let number = rest / seconds;
        rest %= seconds;
        (number > 0).then(|| format!("{number}{unit}"))
    });
    let largest = parts.iter().skip_while(|part| part.is_none()).take(2);
    let largest: Vec<&str> = largest.flatten().map(String::as_str).collect();
    match largest.as_slice() {
        [] => "0s".into(),
        largest => largest.join(" "),
    }
}

/// Formats how long ago `time` was, such as `2d 3h`; none if it is in the future.
pub fn format_age(time: Timestamp) -> Option<String> {
    let age = Timestamp::now().duration_since(time);
    let age = Duration::try_from(age).ok()?;
    Some(format_duration(age))
}

/// Formats how long ago `time` was, as `2d 3h ago` or `in the future`.
pub fn format_ago(time: Timestamp) -> String {
    match format_age(time) {
        Some(age) => format!("{age} ago"),
        None => "in the future".into(),
    }
}

/// Formats a time in the local time zone, to the minute, for tables and menus on a terminal.
pub fn format_local(time: Timestamp) -> String {
    let local = time.to_zoned(TimeZone::system());
    local.strftime("%Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_type() {
        for (text, seconds) in [
            ("30s", 30),
            ("1h30m", 5400),
            ("7d", 604_800),
            ("2w", 1_209_600),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "30", "-5s", "soon", "1mo", "2 weeks", "1.5h", "14:30"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn describes_in_two_units() {
        for (seconds, text) in [
            (0, "0s"),
            (59, "59s"),
            (250, "4m 10s"),
            (86_400 * 2 + 3 * 3600 + 5, "2d 3h"),
        ] {
            assert_eq!(format_duration(Duration::from_secs(seconds)), text);
        }
    }
}
