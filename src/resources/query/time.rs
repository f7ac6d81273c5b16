//! Points in time as people type them: an RFC 3339 time, a date, a time without an offset, or an
//! age such as `7d`.

use crate::config::duration;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// The forms of a point in time, for hints.
pub const TIME_FORMS: &str = "use a time (2026-01-31 18:00), RFC 3339 (2026-01-31T18:00:00+01:00), \
    a date (2026-01-31) or an age (12h, 7d, 2w)";

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
    /// Reads dates in this IANA zone, or in UTC if it is missing or unknown.
    pub fn in_zone(name: Option<&str>, now: Timestamp) -> Self {
        let time_zone = name.and_then(|name| TimeZone::get(name).ok());
        Self {
            now,
            time_zone: time_zone.unwrap_or(TimeZone::UTC),
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
        text.parse()
            .ok()
            .or_else(|| self.parse_without_offset(text, boundary))
            .or_else(|| self.parse_age(text))
    }

    fn parse_without_offset(&self, text: &str, boundary: DayBoundary) -> Option<Timestamp> {
        let typed: DateTime = text.parse().ok()?;
        let is_date = !text.contains(':');
        if is_date && boundary == DayBoundary::End {
            let next_day = self.timestamp(typed.tomorrow().ok()?)?;
            // Services keep microseconds at most; one more digit is refused by some parsers.
            return Some(next_day - SignedDuration::from_micros(1));
        }
        self.timestamp(typed)
    }

    fn timestamp(&self, time: DateTime) -> Option<Timestamp> {
        Some(time.to_zoned(self.time_zone.clone()).ok()?.timestamp())
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
        TimeParser::in_zone(zone, now)
            .parse(text, boundary)
            .map(|time| time.to_string())
    }

    #[test]
    fn every_form_is_a_point_in_time() {
        let cases = [
            (
                None,
                "2026-01-31T08:00:00+02:00",
                DayBoundary::End,
                "2026-01-31T06:00:00Z",
            ),
            (
                None,
                "2026-01-31",
                DayBoundary::Start,
                "2026-01-31T00:00:00Z",
            ),
            (
                None,
                "2026-01-31",
                DayBoundary::End,
                "2026-01-31T23:59:59.999999Z",
            ),
            (
                Some("Europe/Berlin"),
                "2026-07-01",
                DayBoundary::Start,
                "2026-06-30T22:00:00Z",
            ),
            (
                Some("Europe/Berlin"),
                "2026-10-25",
                DayBoundary::End,
                "2026-10-25T22:59:59.999999Z",
            ),
            (
                Some("Europe/Berlin"),
                "2026-07-01 18:00",
                DayBoundary::End,
                "2026-07-01T16:00:00Z",
            ),
            (
                Some("+02:00"),
                "2026-07-01",
                DayBoundary::Start,
                "2026-07-01T00:00:00Z",
            ),
            (None, "12h", DayBoundary::Start, "2026-11-21T00:00:00Z"),
            (None, "2w", DayBoundary::End, "2026-11-07T12:00:00Z"),
        ];
        for (zone, text, boundary, expected) in cases {
            assert_eq!(
                parse(zone, text, boundary).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-30",
            "-3d",
            "7",
            "9999999w",
        ] {
            assert_eq!(parse(None, text, DayBoundary::Start), None, "{text}");
        }
    }
}
