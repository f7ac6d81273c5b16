//! Points in time as people type them: an RFC 3339 time, a date, a time without an offset, or an age such as `7d`.

use crate::config::duration;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// The forms of a point in time.
pub const TIMES: &str = "use a time (2026-01-31 18:00), RFC 3339 (2026-01-31T18:00:00+01:00), a date (2026-01-31) or an \
    age (12h, 7d, 2w)";

/// Which end of a day a date stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Its first instant (`since`).
    First,
    /// Its last (`until`).
    Last,
}

/// The time and zone that dates and ages refer to.
#[derive(Debug, Clone)]
pub struct Zone {
    now: Timestamp,
    zone: TimeZone,
}

impl Zone {
    /// Reads dates in this IANA zone, or in UTC if it is missing or unknown.
    pub fn new(name: Option<&str>, now: Timestamp) -> Self {
        Self {
            now,
            zone: name
                .and_then(|name| TimeZone::get(name).ok())
                .unwrap_or(TimeZone::UTC),
        }
    }

    /// Reads dates in the time zone of this machine.
    pub fn local(now: Timestamp) -> Self {
        Self {
            now,
            zone: TimeZone::system(),
        }
    }

    /// Returns the point in time; none if the text has another form.
    pub fn moment(&self, text: &str, edge: Edge) -> Option<Timestamp> {
        let text = text.trim();
        text.parse()
            .ok()
            .or_else(|| self.without_offset(text, edge))
            .or_else(|| self.ago(text))
    }

    fn without_offset(&self, text: &str, edge: Edge) -> Option<Timestamp> {
        let at: DateTime = text.parse().ok()?;
        let in_zone = |at: DateTime| Some(at.to_zoned(self.zone.clone()).ok()?.timestamp());
        match edge {
            // Services keep microseconds at most; one more digit is refused by some parsers.
            Edge::Last if !text.contains(':') => {
                Some(in_zone(at.tomorrow().ok()?)? - SignedDuration::from_micros(1))
            }
            _ => in_zone(at),
        }
    }

    fn ago(&self, text: &str) -> Option<Timestamp> {
        let age = SignedDuration::try_from(duration::parse(text).ok()?).ok()?;
        Timestamp::from_second(self.now.checked_sub(age).ok()?.as_second()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(zone: Option<&str>, text: &str, edge: Edge) -> Option<String> {
        let now = "2026-11-21T12:00:00.7Z"
            .parse()
            .unwrap_or(Timestamp::UNIX_EPOCH);
        Zone::new(zone, now)
            .moment(text, edge)
            .map(|at| at.to_string())
    }

    #[test]
    fn every_form_is_a_point_in_time() {
        let cases = [
            (
                None,
                "2026-01-31T08:00:00+02:00",
                Edge::Last,
                "2026-01-31T06:00:00Z",
            ),
            (None, "2026-01-31", Edge::First, "2026-01-31T00:00:00Z"),
            (
                None,
                "2026-01-31",
                Edge::Last,
                "2026-01-31T23:59:59.999999Z",
            ),
            (
                Some("Europe/Berlin"),
                "2026-07-01",
                Edge::First,
                "2026-06-30T22:00:00Z",
            ),
            (
                Some("Europe/Berlin"),
                "2026-10-25",
                Edge::Last,
                "2026-10-25T22:59:59.999999Z",
            ),
            (
                Some("Europe/Berlin"),
                "2026-07-01 18:00",
                Edge::Last,
                "2026-07-01T16:00:00Z",
            ),
            (
                Some("+02:00"),
                "2026-07-01",
                Edge::First,
                "2026-07-01T00:00:00Z",
            ),
            (None, "12h", Edge::First, "2026-11-21T00:00:00Z"),
            (None, "2w", Edge::Last, "2026-11-07T12:00:00Z"),
        ];
        for (zone, text, edge, expected) in cases {
            assert_eq!(
                moment(zone, text, edge).as_deref(),
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
            assert_eq!(moment(None, text, Edge::First), None, "{text}");
        }
    }
}
