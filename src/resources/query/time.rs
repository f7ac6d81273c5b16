//! Points in time as people type them: an RFC 3339 time, a local date and time, a date, `today` or
//! `yesterday` with or without a time, or an age such as `7d`. Nothing else is a time.

use crate::config::duration;
use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// The forms of a point in time, for hints.
pub const TIME_FORMS: &str = "use a time (2026-01-31 18:00), an RFC 3339 time (2026-01-31T18:00:00+01:00), \
    a date (2026-01-31), today, yesterday, either with a time (yesterday 18:00), or an age (12h, 7d, 2w)";

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

/// Parses a local time, of which a date means its first instant.
///
/// # Errors
/// The allowed forms.
pub fn first_instant(text: &str) -> Result<Timestamp, String> {
    let time = TimeParser::local(Timestamp::now()).parse(text, DayBoundary::Start);
    time.ok_or_else(|| TIME_FORMS.into())
}

/// Parses a local time, of which a date means its last instant.
///
/// # Errors
/// The allowed forms.
pub fn last_instant(text: &str) -> Result<Timestamp, String> {
    let time = TimeParser::local(Timestamp::now()).parse(text, DayBoundary::End);
    time.ok_or_else(|| TIME_FORMS.into())
}

impl TimeParser {
    /// Reads dates in this IANA zone; None if the name is unknown.
    pub fn in_zone(name: &str, now: Timestamp) -> Option<Self> {
        let time_zone = DateTimeParser::new().parse_time_zone(name).ok()?;
        Some(Self { now, time_zone })
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
        let today = self.now.to_zoned(self.time_zone.clone()).date();
        let with_t = text.split_once('T');
        let with_t = with_t.filter(|(day, _)| shape(day) == "0000-00-00");
        let (name, time) = with_t
            .or_else(|| text.split_once(' '))
            .unwrap_or((text, ""));
        let day: Date = match shape(name).as_str() {
            "today" => today,
            "yesterday" => today.yesterday().ok()?,
            "0000-00-00" => name.parse().ok()?,
            _ => return self.parse_age(text),
        };
        match shape(time).as_str() {
            "" if name == text => self.boundary_of(day, boundary),
            "00:00" | "00:00:00" => self.timestamp(day.to_datetime(time.parse().ok()?)),
            time if with_t.is_some() && is_rfc_3339(time) => text.parse().ok(),
            _ => None,
        }
    }

    fn boundary_of(&self, date: Date, boundary: DayBoundary) -> Option<Timestamp> {
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

/// Returns the text with each digit replaced by 0.
fn shape(text: &str) -> String {
    text.replace(|c: char| c.is_ascii_digit(), "0")
}

/// Whether this is the shape of a time with an offset (RFC 3339).
fn is_rfc_3339(shape: &str) -> bool {
    let rest = shape.strip_prefix("00:00:00").unwrap_or_default();
    let rest = rest
        .strip_prefix(".0")
        .unwrap_or(rest)
        .trim_start_matches('0');
    matches!(rest, "Z" | "+00:00" | "-00:00")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(zone: Option<&str>, text: &str, boundary: DayBoundary) -> Option<String> {
        let now = "2026-11-21T12:00:00.7Z"
            .parse()
            .unwrap_or(Timestamp::UNIX_EPOCH);
        TimeParser::in_zone(zone.unwrap_or("UTC"), now)?
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
            (berlin, "yesterday 18:00", Start, "2026-11-20T17:00:00Z"),
            (berlin, "today 14:30:05", End, "2026-11-21T13:30:05Z"),
            (
                None,
                "2026-01-31T18:00:00.25-01:30",
                End,
                "2026-01-31T19:30:00.25Z",
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
            "2026-07-01T18:00[Asia/Tokyo]",
            "2026-11-21T1800",
            "2026-11-21 18",
            "2026-11-21T18",
            "2026-11-21 183000",
            "20261121T180000",
            "20261121",
            "2026-11-21T1800+0100",
            "2026-11-21T18:00Z",
            "2026-11-21T18:00:00.+01:00",
            "2026-11-21  18:00",
            "yesterdayT18:00",
            "yesterday 18",
            "2 weeks",
            "-3d",
            "P3D",
            "7",
            "9999999w",
        ] {
            assert_eq!(parse(None, text, DayBoundary::Start), None, "{text}");
        }
    }
}
