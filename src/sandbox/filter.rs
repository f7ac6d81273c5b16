//! Translates the filters and the sort of a list query to SQL.
//!
//! Names and operators in the SQL come only from the declarations. Values from the caller are always bound.

use super::resource::{Field, Kind, Operator, Resource};
use super::time;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::Value;

/// A condition of a WHERE clause: SQL with a `?` for each of its values.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Condition {
    pub(super) fn equal(column: &str, value: impl Into<Value>) -> Condition {
        Condition {
            sql: format!("{column} = ?"),
            values: vec![value.into()],
        }
    }
}

/// The detail code and message of an invalid parameter.
pub(super) type Reason = (&'static str, String);

/// Parses `filters[field:operator]=value`.
pub(super) fn parse(
    resource: &Resource,
    key: &str,
    value: &str,
    zone: &TimeZone,
) -> Result<Condition, Reason> {
    let (field, operator) = named(resource, key)?;
    // The time zone applies only to created_at (spec).
    let zone = if field.name == "created_at" {
        zone
    } else {
        &TimeZone::UTC
    };
    condition(field, operator, value, zone).map_err(|message| ("invalid_value", message))
}

/// Returns the field and operator of a filter's key, which the resource must declare.
fn named(resource: &Resource, key: &str) -> Result<(&'static Field, Operator), Reason> {
    let inside = key
        .strip_prefix("filters[")
        .and_then(|key| key.strip_suffix(']'));
    let (name, operator) = inside
        .and_then(|inside| inside.split_once(':'))
        .ok_or_else(|| {
            (
                "invalid_format",
                "Must be written filters[field:operator]".to_owned(),
            )
        })?;
    let mut fields = resource.fields.iter();
    let field = fields
        .find(|field| field.name == name && !field.operators.is_empty())
        .ok_or_else(|| {
            (
                "unsupported_field",
                format!("Can't be filtered by {name:?}"),
            )
        })?;
    let mut operators = field.operators.iter().copied();
    let operator = operators
        .find(|known| known.name() == operator)
        .ok_or_else(|| {
            (
                "unsupported_operator",
                format!("{name} does not support the operator {operator:?}"),
            )
        })?;
    Ok((field, operator))
}

fn condition(
    field: &Field,
    operator: Operator,
    value: &str,
    zone: &TimeZone,
) -> Result<Condition, String> {
    let sql = field.sql;
    let (sql, values) = match operator {
        Operator::Contains if value.is_empty() => return Err("Can't be blank".to_owned()),
        Operator::Contains => (format!("contains_text(?, {sql})"), vec![fold(value).into()]),
        Operator::Eq => (format!("{sql} = ?"), vec![exact(field.kind, value)?]),
        Operator::Gte => (format!("{sql} >= ?"), vec![time(value, zone)?]),
        Operator::Lte => (format!("{sql} <= ?"), vec![time(value, zone)?]),
        Operator::In => {
            let values = value.split(',').map(|item| exact(field.kind, item));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            (
                format!("{sql} IN ({})", vec!["?"; values.len()].join(", ")),
                values,
            )
        }
    };
    Ok(Condition { sql, values })
}

/// Checks a value that is compared exactly.
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

fn time(value: &str, zone: &TimeZone) -> Result<Value, String> {
    let time = time::parse(value, zone).map(Value::from);
    time.ok_or_else(|| "Must be an ISO 8601 timestamp, such as 2026-01-31T08:00:00Z".to_owned())
}

/// Adds the SQL function `contains_text(needle, text, …)`: whether any text contains the folded needle.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("contains_text", -1, flags, |context| {
        let needle = context.get_raw(0).as_str()?;
        for index in 1..context.len() {
            if fold(context.get_raw(index).as_str()?).contains(needle) {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// Removes differences of letter case, in any script.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Σ has two lowercase forms, depending on its position in the word.
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|letter| if letter == 'ς' { 'σ' } else { letter })
        .collect()
}

/// Returns the ORDER BY clause of `field,direction`, a total order by the field and the id.
pub(super) fn order(resource: &Resource, value: &str) -> Result<String, Reason> {
    let (name, direction) = value.split_once(',').unwrap_or((value, ""));
    if !matches!(direction, "asc" | "desc") {
        return Err((
            "invalid_value",
            "Must be field,direction, where direction is asc or desc".to_owned(),
        ));
    }
    let field = resource
        .fields
        .iter()
        .find(|field| field.name == name && field.sortable);
    let field =
        field.ok_or_else(|| ("unsupported_field", format!("Can't be sorted by {name:?}")))?;
    Ok(format!("{} {direction}, id {direction}", field.sql))
}
