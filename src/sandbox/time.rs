//! Times in milliseconds since the epoch, formatted as RFC 3339 in UTC.

use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use std::time::Duration;

/// Milliseconds since 1970-01-01T00:00:00Z, or of a duration.
pub type Millis = i64;

pub fn now_millis() -> Millis {
    Timestamp::now().as_millisecond()
}

pub fn duration_millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

/// Formats a time, such as `2026-11-21T08:30:00.000Z`; the epoch if it is out of range.
pub fn format_time(millis: Millis) -> String {
    let timestamp = Timestamp::from_millisecond(millis).unwrap_or_default();
    format!("{timestamp:.3}")
}

/// Formats a time in whole seconds, such as `2026-11-21T08:30:00Z`.
pub fn format_seconds(millis: Millis) -> String {
    let timestamp = Timestamp::from_millisecond(millis).unwrap_or_default();
    format!("{timestamp:.0}")
}

/// Parses an ISO 8601 date and time; without an offset, it is in `time_zone`.
pub fn parse_time(value: &str, time_zone: &TimeZone) -> Option<Millis> {
    let pieces = Pieces::parse(value).ok()?;
    // `[Europe/Berlin]` after the time is not ISO 8601.
    if pieces.time_zone_annotation().is_some() {
        return None;
    }
    let local = pieces.date().to_datetime(pieces.time()?);
    let timestamp = match pieces.to_numeric_offset() {
        Some(offset) => offset.to_timestamp(local),
        None => time_zone.to_timestamp(local),
    };
    Some(timestamp.ok()?.as_millisecond())
}
