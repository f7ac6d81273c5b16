//! Filters and sort of a list query: parsed strictly against the resource, turned into SQL.
//!
//! Names and operators in the SQL come from the declarations only; what the caller sent is always a bound value.

use super::answer::Problems;
use super::resource::{Field, Kind, Operator, Resource};
use jiff::Timestamp;
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::TimeZone;
use rusqlite::types::Value;

/// A condition of a WHERE clause: SQL with `?` in place of each of its values.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

/// Reads `filters[field:operator]=value`; `None` where it was a problem.
pub(super) fn parse(
    resource: &Resource,
    key: &str,
    value: &str,
    zone: &TimeZone,
    problems: &mut Problems,
) -> Option<Condition> {
    let Some((name, operator)) = key
        .strip_prefix("filters[")
        .and_then(|key| key.strip_suffix(']')?.split_once(':'))
    else {
        problems.add(
            "invalid_format",
            key,
            "Must be written filters[field:operator]",
        );
        return None;
    };
    let Some(field) = resource
        .fields
        .iter()
        .find(|field| field.name == name && !field.operators.is_empty())
    else {
        problems.add(
            "unsupported_field",
            key,
            format!("Can't be filtered by {name:?}"),
        );
        return None;
    };
    let Some(&operator) = field
        .operators
        .iter()
        .find(|known| known.name() == operator)
    else {
        problems.add(
            "unsupported_operator",
            key,
            format!("{name} does not support the operator {operator:?}"),
        );
        return None;
    };
    // The spec lets the time zone speak for created_at alone.
    let zone = if field.name == "created_at" {
        zone
    } else {
        &TimeZone::UTC
    };
    match condition(field, operator, value, zone) {
        Ok(condition) => Some(condition),
        Err(message) => {
            problems.add("invalid_value", key, message);
            None
        }
    }
}

fn condition(
    field: &Field,
    operator: Operator,
    value: &str,
    zone: &TimeZone,
) -> Result<Condition, String> {
    let sql = field.sql;
    let one = |sql, value| {
        Ok(Condition {
            sql,
            values: vec![value],
        })
    };
    match operator {
        Operator::Contains if value.is_empty() => Err("Can't be blank".to_owned()),
        Operator::Contains => one(format!("holds(?, {sql})"), fold(value).into()),
        Operator::Eq => one(format!("{sql} = ?"), exact(field.kind, value)?),
        Operator::Gte => one(
            format!("{sql} >= ?"),
            instant(value, zone)?.div_ceil_millis().into(),
        ),
        Operator::Lte => one(
            format!("{sql} <= ?"),
            instant(value, zone)?.div_floor_millis().into(),
        ),
        Operator::In => {
            let values = value
                .split(',')
                .map(|item| exact(field.kind, item))
                .collect::<Result<Vec<_>, _>>()?;
            let marks = vec!["?"; values.len()].join(", ");
            Ok(Condition {
                sql: format!("{sql} IN ({marks})"),
                values,
            })
        }
    }
}

/// A value that is compared as it is.
fn exact(kind: Kind, value: &str) -> Result<Value, String> {
    match (kind, value) {
        (Kind::Flag, "true") => Ok(Value::from(true)),
        (Kind::Flag, "false") => Ok(Value::from(false)),
        (Kind::Flag, _) => Err("Must be true or false".to_owned()),
        (Kind::Choice(known), _) if !known.contains(&value) => {
            Err(format!("Must be one of {}", known.join(", ")))
        }
        (_, "") => Err("Can't be blank".to_owned()),
        _ => Ok(Value::from(value.to_owned())),
    }
}

/// An ISO 8601 timestamp: date and time; without an offset it is read in `zone`.
fn instant(value: &str, zone: &TimeZone) -> Result<Timestamp, String> {
    timestamp(value, zone)
        .ok_or_else(|| "Must be an ISO 8601 timestamp, such as 2026-01-31T08:00:00Z".to_owned())
}

fn timestamp(value: &str, zone: &TimeZone) -> Option<Timestamp> {
    let pieces = Pieces::parse(value).ok()?;
    if pieces.time_zone_annotation().is_some() {
        return None;
    }
    let local = pieces.date().to_datetime(pieces.time()?);
    match pieces.offset() {
        None => zone.to_ambiguous_timestamp(local).compatible().ok(),
        Some(PiecesOffset::Numeric(offset)) => offset.offset().to_timestamp(local).ok(),
        Some(_) => TimeZone::UTC.to_timestamp(local).ok(),
    }
}

/// Bounds finer than the stored milliseconds are rounded inwards, so that a bound stays inclusive and exact.
trait WholeMillis {
    fn div_ceil_millis(self) -> i64;
    fn div_floor_millis(self) -> i64;
}

impl WholeMillis for Timestamp {
    fn div_ceil_millis(self) -> i64 {
        self.div_floor_millis() + i64::from(self.as_nanosecond().rem_euclid(1_000_000) != 0)
    }

    fn div_floor_millis(self) -> i64 {
        self.as_millisecond() - i64::from(self.as_nanosecond() % 1_000_000 < 0)
    }
}

/// Text as `contains` and the uniqueness of emails compare it: letter case does not count, in any script.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Σ has two small forms; which one is written depends on the place in the word.
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| if letter == 'ς' { 'σ' } else { letter })
        .collect()
}

/// Reads `field,direction`; `None` where it was a problem. The result is an ORDER BY clause in which the id breaks ties.
pub(super) fn order(resource: &Resource, value: &str, problems: &mut Problems) -> Option<String> {
    let (name, direction) = value.split_once(',').unwrap_or((value, ""));
    let field = resource
        .fields
        .iter()
        .find(|field| field.name == name && field.sortable);
    if field.is_none() {
        problems.add(
            "unsupported_field",
            "sort",
            format!("Can't be sorted by {name:?}"),
        );
    }
    let direction = match direction {
        "asc" => Some("ASC"),
        "desc" => Some("DESC"),
        _ => {
            problems.add(
                "invalid_value",
                "sort",
                "Must be field,direction, where direction is asc or desc",
            );
            None
        }
    };
    let (sql, direction) = (field?.sql, direction?);
    Some(format!("{sql} {direction}, id {direction}"))
}
