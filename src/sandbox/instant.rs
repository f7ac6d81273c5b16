//! Time filters: ISO 8601 timestamps as bounds in whole milliseconds, and the time zones that they may be read in.

use super::clock::Millis;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The bundled database, never the host's: what is a time zone must not depend on the machine.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The names of all time zones.
pub(super) fn zone_names() -> impl Iterator<Item = String> {
    // That one means that the zone is not known, so it says nothing.
    ZONES.available().map(|name| name.to_string()).filter(|name| name != "Etc/Unknown")
}

/// The time zone of exactly that name.
pub(super) fn zone(name: &str) -> Option<TimeZone> {
    zone_names().find(|known| known == name).and_then(|known| ZONES.get(&known).ok())
}

/// The first whole millisecond from there on. Bounds finer than what is stored are rounded inwards, so they stay exact.
pub(super) fn from(value: &str, zone: &TimeZone) -> Option<Millis> {
    timestamp(value, zone).map(|instant| {
        let part = instant.as_nanosecond().rem_euclid(1_000_000);
        floor(instant) + Millis::from(part != 0)
    })
}

/// The last whole millisecond up to there.
pub(super) fn until(value: &str, zone: &TimeZone) -> Option<Millis> {
    timestamp(value, zone).map(floor)
}

fn floor(instant: Timestamp) -> Millis {
    // `as_millisecond` rounds towards 1970.
    instant.as_millisecond() - Millis::from(instant.as_nanosecond() % 1_000_000 < 0)
}

/// An ISO 8601 date and time; without an offset it is read in `zone`. What lies beyond all timestamps is the last one.
fn timestamp(value: &str, zone: &TimeZone) -> Option<Timestamp> {
    let value = nanoseconds(value);
    let (value, beyond) = within_calendar(&value);
    let pieces = Pieces::parse(&*value).ok()?;
    if pieces.time_zone_annotation().is_some() {
        return None;
    }
    let local = pieces.date().to_datetime(pieces.time()?);
    let instant = match pieces.offset() {
        None => zone.to_ambiguous_timestamp(local).compatible(),
        Some(PiecesOffset::Numeric(offset)) => offset.offset().to_timestamp(local),
        Some(_) => TimeZone::UTC.to_timestamp(local),
    };
    Some(instant.ok().filter(|_| !beyond).unwrap_or_else(|| last(local)))
}

/// The timestamp at that end of time.
fn last(local: DateTime) -> Timestamp {
    if local.year() < 0 { Timestamp::MIN } else { Timestamp::MAX }
}

/// Drops the digits of a second's fraction after the ninth, which is as fine as it gets.
fn nanoseconds(value: &str) -> Cow<'_, str> {
    let Some((whole, fraction)) = value.find(['.', ',']).map(|point| value.split_at(point + 1)) else {
        return Cow::Borrowed(value);
    };
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        ..=9 => Cow::Borrowed(value),
        _ => Cow::Owned([whole, &fraction[..9], &fraction[digits..]].concat()),
    }
}

/// Replaces a year of six digits that the calendar does not reach by one with the same days; says whether it did.
fn within_calendar(value: &str) -> (Cow<'_, str>, bool) {
    let year = value.get(1..7).filter(|_| value.starts_with(['+', '-']));
    let year = year.filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    match year.and_then(|year| year.parse::<u32>().ok()) {
        Some(year) if year > 9999 => {
            (Cow::Owned(format!("{}{:06}{}", &value[..1], 9200 + year % 400, &value[7..])), true)
        }
        _ => (Cow::Borrowed(value), false),
    }
}
