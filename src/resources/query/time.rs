//! Points in time as people type them: an RFC 3339 time, a local date and time, a date, `today`,
//! `yesterday`, or an age such as `7d`.

use crate::config::duration;
use jiff::civil::{DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp, Zoned};

/// The forms of a point in time, for hints.
pub const TIME_FORMS: &str = "use a time (2026-01-31 18:00), an RFC 3339 time (2026-01-31T18:00:00+01:00), \
    a date (2026-01-31), today, yesterday or an age (12h, 7d, 2w)";

/// The instant of a day that a date stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayBoundary {
    /// The first instant, for `since`.
    Start,
    /// The last instant, for `until`.
    End,
}

/// Parses points in time, with the time zone of dates and the time that ages refer to.
#[derive(Debug, Clone)]
pub struct TimeParser {
    now: Timestamp,
    time_zone: TimeZone,
}

impl TimeParser {
    /// Reads dates in this IANA zone, or in the time zone of this machine if the name is missing or
    /// unknown.
    pub fn in_zone(name: Option<&str>, now: Timestamp) -> Self {
        match name.and_then(|name| TimeZone::get(name).ok()) {
            Some(time_zone) => Self { now, time_zone },
            None => Self::local(now),
        }
    }

    /// Reads dates in the time zone of this machine.
    pub fn local(now: Timestamp) -> Self {
        Self {
            now,
            time_zone: TimeZone::system(),
        }
    }

    /// Returns the point in time; none if the text has another form.
    pub fn parse(&self, text: &str, boundary: DayBoundary) -> Option<Timestamp> {
        let text = text.trim();
        if text.contains('[') {
            let zoned: Zoned = text.parse().ok()?;
            return Some(zoned.timestamp());
        }
        text.parse()
            .ok()
            .or_else(|| self.parse_date(text, boundary))
            .or_else(|| self.timestamp(text.parse().ok()?))
            .or_else(|| self.parse_age(text))
    }

    fn parse_date(&self, text: &str, boundary: DayBoundary) -> Option<Timestamp> {
        let today = self.now.to_zoned(self.time_zone.clone()).date();
        let date = match text {
            "today" => today,
            "yesterday" => today.yesterday().ok()?,
            _ if text.contains(':') => return None,
            _ => text.parse().ok()?,
        };
        if boundary == DayBoundary::Start {
            return self.timestamp(date.to_datetime(Time::midnight()));
        }
        let next_day = date.tomorrow().ok()?.to_datetime(Time::midnight());
        // Services keep microseconds at most; one more digit is refused by some parsers.
        Some(self.timestamp(next_day)? - SignedDuration::from_micros(1))
    }

    /// Returns the instant of a local time: the first of a repeated one, and the change of the
    /// clocks for a time that they skipped.
    fn timestamp(&self, time: DateTime) -> Option<Timestamp> {
        let local = self.time_zone.to_ambiguous_timestamp(time);
        if let AmbiguousOffset::Gap { .. } = local.offset() {
            let before = local.earlier().ok()?;
            let change = self.time_zone.following(before).next()?;
            return Some(change.timestamp());
        }
        local.compatible().ok()
    }

    fn parse_age(&self, text: &str) -> Option<Timestamp> {
        let age = duration::parse(text).ok()?;
        let age = SignedDuration::try_from(age).ok()?;
        let time = self.now.checked_sub(age).ok()?;
        Timestamp::from_second(time.as_second()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(zone: Option<&str>, text: &str, boundary: DayBoundary) -> Option<String> {
        let now = "2026-11-21T12:00:00.7Z"
            .parse()
            .unwrap_or(Timestamp::UNIX_EPOCH);
        TimeParser::in_zone(zone.or(Some("UTC")), now)
            .parse(text, boundary)
            .map(|time| time.to_string())
    }

    #[test]
    fn every_form_is_a_point_in_time() {
        use DayBoundary::{End, Start};
        let berlin = Some("Europe/Berlin");
        for (zone, text, boundary, expected) in [
            (
                None,
                "2026-01-31T08:00:00+02:00",
                End,
                "2026-01-31T06:00:00Z",
            ),
            (None, "2026-01-31", Start, "2026-01-31T00:00:00Z"),
            (None, "2026-01-31", End, "2026-01-31T23:59:59.999999Z"),
            (berlin, "2026-07-01", Start, "2026-06-30T22:00:00Z"),
            (berlin, "2026-10-25", End, "2026-10-25T22:59:59.999999Z"),
            (berlin, "2026-07-01 18:00", End, "2026-07-01T16:00:00Z"),
            (
                berlin,
                "2026-07-01T18:00[Asia/Tokyo]",
                End,
                "2026-07-01T09:00:00Z",
            ),
            // The clocks skip 02:00 to 03:00, and repeat 02:00 to 03:00.
            (berlin, "2026-03-29 02:30", Start, "2026-03-29T01:00:00Z"),
            (berlin, "2026-10-25 02:30", Start, "2026-10-25T00:30:00Z"),
            (Some("Asia/Tokyo"), "today", Start, "2026-11-20T15:00:00Z"),
            (
                Some("Asia/Tokyo"),
                "yesterday",
                End,
                "2026-11-20T14:59:59.999999Z",
            ),
            (None, "12h", Start, "2026-11-21T00:00:00Z"),
            (None, "2w", End, "2026-11-07T12:00:00Z"),
        ] {
            assert_eq!(
                parse(zone, text, boundary).as_deref(),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn other_forms_are_no_time() {
        for text in [
            "",
            "tomorrow",
            "14:30",
            "14:30:00",
            "2026-13-01",
            "2026-02-30",
            "2026-07-01T18:00[Mars/Base]",
            "2026-07-01[",
            "-3d",
            "P3D",
            "7",
            "9999999w",
        ] {
            assert_eq!(parse(None, text, DayBoundary::Start), None, "{text}");
        }
    }
}
