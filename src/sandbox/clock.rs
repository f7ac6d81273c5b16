//! Time as the sandbox keeps it: whole milliseconds since the epoch, written as RFC 3339 in UTC.

use jiff::Timestamp;

/// Milliseconds since 1970-01-01T00:00:00Z.
pub(super) type Millis = i64;

/// The present.
pub(super) fn now() -> Millis {
    Timestamp::now().as_millisecond()
}

/// `2026-11-21T08:30:00.000Z`. A value that no calendar holds, which only a damaged database has, is the epoch.
pub(super) fn text(millis: Millis) -> String {
    format!("{:.3}", Timestamp::from_millisecond(millis).unwrap_or_default())
}
