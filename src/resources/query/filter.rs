//! A filter: field, operator and value, checked against the tables of the spec.

use super::{Edge, Parameter, TIMES, Zone, did_you_mean, wire};
use crate::error::{EMPTY_VALUE_HINT, Error, Result};
use crate::resources::{Field, FieldKind, Flag, Resource};

/// Parses the value of `--filter`: `FIELD:OP=VALUE`.
///
/// # Errors
/// `Usage` with the allowed values.
pub fn parse(resource: &Resource, text: &str, zone: &Zone) -> Result<Parameter> {
    let malformed = || {
        let refused = Error::usage(format!(
            "--filter: '{text}' is not of the form FIELD:OP=VALUE"
        ));
        let forms: Vec<String> = resource.filterable().map(Field::filter_form).collect();
        refused.with_hint(format!("use one of: {}", forms.join(", ")))
    };
    let (name, operator, value) = split(text).ok_or_else(malformed)?;
    let unknown = || {
        let names: Vec<&str> = resource.filterable().map(|field| field.name).collect();
        Error::usage(format!(
            "--filter: {} have no filter field '{name}'",
            resource.plural
        ))
        .with_hint(did_you_mean(name, &names))
    };
    let field = resource
        .filterable()
        .find(|field| field.name == name)
        .ok_or_else(unknown)?;
    if !field.operators.contains(&operator) {
        return Err(
            Error::usage(format!("--filter: '{name}' has no operator '{operator}'"))
                .with_hint(did_you_mean(operator, field.operators)),
        );
    }
    checked(field, operator, value, "--filter", zone)
}

/// Returns the filter of a flag such as `--email`. Several values of an `eq` flag, separated by commas, become `in`.
///
/// # Errors
/// `Usage` with the allowed values.
pub fn of_flag(field: &Field, flag: &Flag, value: &str, zone: &Zone) -> Result<Parameter> {
    let several = flag.operator == "eq" && value.contains(',') && field.operators.contains(&"in");
    let operator = if several { "in" } else { flag.operator };
    checked(field, operator, value, &format!("--{}", flag.name), zone)
}

fn checked(
    field: &Field,
    operator: &str,
    value: &str,
    flag: &str,
    zone: &Zone,
) -> Result<Parameter> {
    let value = checked_value(field, operator, value, zone).map_err(|error| error.context(flag))?;
    Ok((wire::filter(field.name, operator), value))
}

/// Splits `FIELD:OP=VALUE` without checks.
pub fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (key, value) = text.split_once('=')?;
    let (field, operator) = key.split_once(':')?;
    Some((field.trim(), operator.trim(), value))
}

fn checked_value(field: &Field, operator: &str, value: &str, zone: &Zone) -> Result<String> {
    match field.kind {
        _ if value.trim().is_empty() => Err(Error::usage(format!(
            "the value for '{}' is empty",
            field.name
        ))
        .with_hint(EMPTY_VALUE_HINT)),
        FieldKind::Text
        | FieldKind::Name
        | FieldKind::Email
        | FieldKind::Id
        | FieldKind::Ids
        | FieldKind::Bytes => Ok(value.to_string()),
        FieldKind::Time => {
            let edge = if operator == "lte" {
                Edge::Last
            } else {
                Edge::First
            };
            let unknown = || Error::usage(format!("'{value}' is not a time")).with_hint(TIMES);
            zone.moment(value, edge)
                .map(|at| at.to_string())
                .ok_or_else(unknown)
        }
        FieldKind::Boolean => one_of(field.name, value, &["true", "false"]),
        FieldKind::Choice(allowed) | FieldKind::State(allowed) if operator == "in" => {
            let values: Result<Vec<_>> = value
                .split(',')
                .map(|value| one_of(field.name, value, allowed))
                .collect();
            values.map(|values| values.join(","))
        }
        FieldKind::Choice(allowed) | FieldKind::State(allowed) => {
            one_of(field.name, value, allowed)
        }
    }
}

fn one_of(field: &str, value: &str, allowed: &[&str]) -> Result<String> {
    let value = value.trim();
    if allowed.contains(&value) {
        return Ok(value.to_string());
    }
    Err(
        Error::usage(format!("'{value}' is not a value of '{field}'"))
            .with_hint(did_you_mean(value, allowed)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::MANAGED_ACCOUNTS;
    use jiff::Timestamp;

    fn read(resource: &Resource, text: &str) -> Result<Parameter> {
        parse(resource, text, &Zone::new(None, Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn a_wrong_filter_is_refused_with_the_allowed_values() {
        let cases = [
            (
                "email=x",
                "--filter: 'email=x' is not of the form FIELD:OP=VALUE",
                Some("email:contains"),
            ),
            (
                "emial:contains=x",
                "--filter: managed accounts have no filter field 'emial'",
                Some("did you mean 'email'?"),
            ),
            (
                "role:is=x",
                "--filter: 'role' has no operator 'is'",
                Some("in"),
            ),
            (
                "role:eq=coowner",
                "'coowner' is not a value of 'role'",
                Some("did you mean 'co_owner'?"),
            ),
            ("role:in=co_owner,", "'' is not a value of 'role'", None),
            (
                "all_sites_access:eq=yes",
                "--filter: 'yes' is not a value of",
                Some("use one of: true, false"),
            ),
            (
                "created_at:gte=soon",
                "'soon' is not a time",
                Some("an age"),
            ),
            ("email:contains=", "the value for 'email' is empty", None),
        ];
        for (text, message, hint) in cases {
            let error = read(&MANAGED_ACCOUNTS, text)
                .err()
                .unwrap_or_else(|| unreachable!("{text} was taken"));
            assert!(error.message.contains(message), "{text}: {}", error.message);
            assert!(
                hint.is_none_or(|hint| error.hint.as_deref().unwrap_or("").contains(hint)),
                "{:?}",
                error.hint
            );
        }
    }
}
