//! Points in time as people type them: an RFC 3339 time, a date, or an age such as `7d`.

use crate::error::{Error, Result};
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

const EXPECTED: &str = "expected RFC 3339 (2026-01-31T08:00:00Z), a date (2026-01-31) or an age (12h, 7d, 2w)";

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
        Self { now, zone: name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC) }
    }

    /// Reads dates in the time zone of this machine.
    pub fn local(now: Timestamp) -> Self {
        Self { now, zone: TimeZone::system() }
    }

    /// Returns `text` as an RFC 3339 time; a full time stays as it was typed.
    ///
    /// # Errors
    /// `Usage` with the allowed forms.
    pub fn moment(&self, text: &str, edge: Edge) -> Result<String> {
        let text = text.trim();
        if text.contains(['T', 't']) && !text.contains('[') && text.parse::<Timestamp>().is_ok() {
            return Ok(text.to_string());
        }
        if let Some(date) = text.parse::<Date>().ok().filter(|_| text.len() == "2026-01-31".len()) {
            let out_of_range = |_| Error::usage(format!("'{text}' is out of range")).hint(EXPECTED);
            return self.edge_of(date, edge).map_err(out_of_range);
        }
        let age = crate::config::duration::parse(text).ok().and_then(|age| SignedDuration::try_from(age).ok());
        match age.and_then(|age| self.now.checked_sub(age).ok()) {
            Some(time) => Ok(format!("{time:.0}")),
            None => Err(Error::usage(format!("'{text}' is not a time")).hint(EXPECTED)),
        }
    }

    fn edge_of(&self, date: Date, edge: Edge) -> std::result::Result<String, jiff::Error> {
        let start = |date: Date| date.to_datetime(Time::midnight()).to_zoned(self.zone.clone());
        Ok(match edge {
            Edge::First => format!("{}", start(date)?.timestamp()),
            // Services keep microseconds at most; one more digit is refused by some parsers.
            Edge::Last => format!("{:.6}", start(date.tomorrow()?)?.timestamp() - SignedDuration::from_micros(1)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: Option<&str>) -> Zone {
        Zone::new(name, "2026-11-21T12:00:00Z".parse().unwrap_or(Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn every_form_becomes_rfc_3339() {
        let cases = [
            (None, "2026-01-31T08:00:00+02:00", Edge::First, "2026-01-31T08:00:00+02:00"),
            (None, "2026-01-31", Edge::First, "2026-01-31T00:00:00Z"),
            (None, "2026-01-31", Edge::Last, "2026-01-31T23:59:59.999999Z"),
            (Some("Europe/Berlin"), "2026-07-01", Edge::First, "2026-06-30T22:00:00Z"),
            (Some("Europe/Berlin"), "2026-10-25", Edge::Last, "2026-10-25T22:59:59.999999Z"),
            (Some("+02:00"), "2026-07-01", Edge::First, "2026-07-01T00:00:00Z"),
            (None, "12h", Edge::First, "2026-11-21T00:00:00Z"),
            (None, "2w", Edge::Last, "2026-11-07T12:00:00Z"),
        ];
        for (name, text, edge, expected) in cases {
            assert_eq!(zone(name).moment(text, edge).ok().as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "yesterday", "2026-13-01", "2026-02-30", "2026-01-31T08:00:00", "-3d", "7", "9999999w"] {
            assert!(zone(None).moment(text, Edge::First).is_err(), "{text}");
        }
    }
}
