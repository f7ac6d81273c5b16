//! Translates the filters and the sort of a list query to SQL.
//!
//! Names and operators in the SQL come only from the declarations. Values from the caller are
//! always bound.

use super::resource::{Field, FieldKind, Operator, Resource};
use super::time;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::Value;
use serde_json::json;

/// A condition of a WHERE clause: SQL with a `?` for its value.
#[derive(Debug)]
pub struct Condition {
    pub sql: String,
    pub value: Value,
}

impl Condition {
    pub fn equal(column: &str, value: impl Into<Value>) -> Condition {
        Condition {
            sql: format!("{column} = ?"),
            value: value.into(),
        }
    }
}

/// The detail code and message of an invalid parameter.
pub type ParameterError = (&'static str, String);

/// Parses `filters[field:operator]=value`.
pub fn parse_filter(
    resource: &Resource,
    key: &str,
    value: &str,
    time_zone: &TimeZone,
) -> Result<Condition, ParameterError> {
    let (field, operator) = parse_filter_key(resource, key)?;
    // The time zone applies only to created_at (spec).
    let time_zone = if field.name == "created_at" {
        time_zone
    } else {
        &TimeZone::UTC
    };
    filter_condition(field, operator, value, time_zone)
        .map_err(|message| ("invalid_value", message))
}

/// Returns the field and operator of a filter's key, which the resource must declare.
fn parse_filter_key(
    resource: &Resource,
    key: &str,
) -> Result<(&'static Field, Operator), ParameterError> {
    let Some((name, operator_name)) = key
        .strip_prefix("filters[")
        .and_then(|rest| rest.strip_suffix(']'))
        .and_then(|inside| inside.split_once(':'))
    else {
        let message = "Must be written filters[field:operator]".to_owned();
        return Err(("invalid_format", message));
    };
    let mut fields = resource.fields.iter();
    let Some(field) = fields.find(|field| field.name == name && !field.operators.is_empty()) else {
        let message = format!("Can't be filtered by {name:?}");
        return Err(("unsupported_field", message));
    };
    let mut operators = field.operators.iter();
    let Some(operator) = operators.find(|operator| operator.name() == operator_name) else {
        let message = format!("{name} does not support the operator {operator_name:?}");
        return Err(("unsupported_operator", message));
    };
    Ok((field, *operator))
}

fn filter_condition(
    field: &Field,
    operator: Operator,
    value: &str,
    time_zone: &TimeZone,
) -> Result<Condition, String> {
    let column = field.sql;
    let (sql, value) = match operator {
        Operator::Contains if value.is_empty() => return Err("Can't be blank".to_owned()),
        // The field `search` has several columns, which are several arguments here.
        Operator::Contains => (
            format!("contains_text(?, {column})"),
            fold_case(value).into(),
        ),
        Operator::Eq => (
            format!("{column} = ?"),
            parse_exact_value(field.kind, value)?,
        ),
        Operator::Gte => (
            format!("{column} >= ?"),
            parse_time_value(value, time_zone)?,
        ),
        Operator::Lte => (
            format!("{column} <= ?"),
            parse_time_value(value, time_zone)?,
        ),
        Operator::In => {
            let items: Vec<&str> = value.split(',').collect();
            for item in &items {
                parse_exact_value(field.kind, item)?;
            }
            (
                format!("{column} IN (SELECT value FROM json_each(?))"),
                json!(items).to_string().into(),
            )
        }
    };
    Ok(Condition { sql, value })
}

/// Checks a value of `eq` or `in`.
fn parse_exact_value(kind: FieldKind, value: &str) -> Result<Value, String> {
    match (kind, value) {
        (FieldKind::Flag, "true") => Ok(Value::from(true)),
        (FieldKind::Flag, "false") => Ok(Value::from(false)),
        (FieldKind::Flag, _) => Err("Must be true or false".to_owned()),
        (FieldKind::Choice(choices), _) if !choices.contains(&value) => {
            Err(format!("Must be one of {}", choices.join(", ")))
        }
        (_, "") => Err("Can't be blank".to_owned()),
        _ => Ok(Value::from(value.to_owned())),
    }
}

fn parse_time_value(value: &str, time_zone: &TimeZone) -> Result<Value, String> {
    time::parse_time(value, time_zone)
        .map(Value::from)
        .ok_or_else(|| "Must be an ISO 8601 timestamp, such as 2026-01-31T08:00:00Z".to_owned())
}

/// Adds the SQL function `contains_text(needle, text, …)`: whether any text contains the needle,
/// which must be in the form of `fold_case`.
pub fn register_contains_text(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    // -1 allows any number of arguments.
    connection.create_scalar_function("contains_text", -1, flags, |arguments| {
        let needle = arguments.get_raw(0).as_str()?;
        for index in 1..arguments.len() {
            let text = arguments.get_raw(index).as_str()?;
            if fold_case(text).contains(needle) {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// Converts a text to lowercase, in any script, so that texts compare without regard to case.
pub fn fold_case(text: &str) -> String {
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
pub fn parse_sort(resource: &Resource, value: &str) -> Result<String, ParameterError> {
    let (name, direction) = value.split_once(',').unwrap_or((value, ""));
    if !matches!(direction, "asc" | "desc") {
        let message = "Must be field,direction, where direction is asc or desc".to_owned();
        return Err(("invalid_value", message));
    }
    let mut fields = resource.fields.iter();
    let Some(field) = fields.find(|field| field.name == name && field.is_sortable) else {
        let message = format!("Can't be sorted by {name:?}");
        return Err(("unsupported_field", message));
    };
    Ok(format!("{} {direction}, id {direction}", field.sql))
}
