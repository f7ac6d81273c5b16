//! The times of the service.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// A time that the service sent. Results have its text, and comparisons use its instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ServiceTime {
    text: String,
    pub instant: Timestamp,
}

impl ServiceTime {
    /// Parses a time; None if it is unreadable. A time without an offset is UTC.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self {
            instant: parse_instant(text)?,
            text: text.into(),
        })
    }
}

fn parse_instant(text: &str) -> Option<Timestamp> {
    if let Ok(timestamp) = text.parse() {
        return Some(timestamp);
    }
    // The parser would ignore a zone in brackets.
    if text.contains('[') {
        return None;
    }
    let date_time: DateTime = text.parse().ok()?;
    let utc = date_time.to_zoned(TimeZone::UTC).ok()?;
    Some(utc.timestamp())
}

impl TryFrom<String> for ServiceTime {
    type Error = String;

    /// Parses a time of the journal.
    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("'{text}' is not a time"))
    }
}

impl From<ServiceTime> for String {
    fn from(time: ServiceTime) -> Self {
        time.text
    }
}
