//! A filter: field, operator and value, checked against the tables of the spec.

use super::{DayBoundary, Parameter, TIME_FORMS, TimeParser, wire};
use crate::error::{EMPTY_VALUE_HINT, Error, Result};
use crate::resources::{Field, FieldKind, FilterFlag, Resource, allowed_hint};

/// Parses the value of `--filter`: `FIELD:OP=VALUE`.
///
/// # Errors
/// `Usage` with the allowed values.
pub fn parse_filter(resource: &Resource, text: &str, times: &TimeParser) -> Result<Parameter> {
    let Some((name, operator, value)) = split_filter(text) else {
        let forms: Vec<String> = resource.filter_fields().map(Field::filter_syntax).collect();
        return Err(Error::usage(format!(
            "--filter: '{text}' is not of the form FIELD:OP=VALUE"
        ))
        .with_hint(format!("use one of: {}", forms.join(", "))));
    };
    let Some(field) = resource.filter_fields().find(|field| field.name == name) else {
        let names: Vec<&str> = resource.filter_fields().map(|field| field.name).collect();
        return Err(Error::usage(format!(
            "--filter: {} have no filter field '{name}'",
            resource.plural
        ))
        .with_hint(allowed_hint(name, &names)));
    };
    if !field.operators.contains(&operator) {
        return Err(
            Error::usage(format!("--filter: '{name}' has no operator '{operator}'"))
                .with_hint(allowed_hint(operator, field.operators)),
        );
    }
    let value = convert_value(field, operator, value, times);
    build_filter(field, operator, value, "--filter".into())
}

/// Returns the filter of a flag such as `--email`. Several values become `in`.
///
/// # Errors
/// `Usage` if the field cannot have the value.
pub fn filter_of_flag(
    flag: FilterFlag,
    values: &[String],
    times: &TimeParser,
) -> Result<Parameter> {
    let operator = if values.len() > 1 {
        "in"
    } else {
        flag.operator
    };
    let value = values.join(",");
    // The parser of the command line has split and checked the values of a choice.
    let value = match flag.field.kind.allowed_values() {
        Some(_) => Ok(value),
        None => convert_value(flag.field, operator, &value, times),
    };
    build_filter(flag.field, operator, value, format!("--{}", flag.name()))
}

/// Returns the filter with a converted value, or the error of its conversion, with the flag's name.
fn build_filter(
    field: &Field,
    operator: &str,
    value: Result<String>,
    flag: String,
) -> Result<Parameter> {
    let value = value.map_err(|error| error.context(&flag))?;
    let name = wire::filter_parameter(field.name, operator);
    Ok(Parameter::new(name, value).with_flag(flag))
}

/// Splits `FIELD:OP=VALUE` into its three parts without checks; None if a separator is missing.
pub fn split_filter(text: &str) -> Option<(&str, &str, &str)> {
    let (key, value) = text.split_once('=')?;
    let (field, operator) = key.split_once(':')?;
    Some((field, operator, value))
}

/// Checks a value and returns it as it is sent: times as timestamps.
fn convert_value(field: &Field, operator: &str, value: &str, times: &TimeParser) -> Result<String> {
    if value.trim().is_empty() {
        let message = format!("the value for '{}' is empty", field.name);
        return Err(Error::usage(message).with_hint(EMPTY_VALUE_HINT));
    }
    if let Some(allowed) = field.kind.allowed_values() {
        let several = operator == "in";
        let mut values = value.split(|c| several && c == ',');
        if let Some(wrong) = values.find(|value| !allowed.contains(value)) {
            let message = format!("'{wrong}' is not a value of '{}'", field.name);
            return Err(Error::usage(message).with_hint(allowed_hint(wrong, allowed)));
        }
    }
    if field.kind != FieldKind::Time {
        return Ok(value.to_string());
    }
    // A date means its first moment with `gte`, and its last one with `lte`.
    let boundary = if operator == "lte" {
        DayBoundary::End
    } else {
        DayBoundary::Start
    };
    match times.parse(value, boundary) {
        Some(time) => Ok(time.to_string()),
        None => Err(Error::usage(format!("'{value}' is not a time")).with_hint(TIME_FORMS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::MANAGED_ACCOUNTS;
    use jiff::Timestamp;

    fn parse(resource: &Resource, text: &str) -> Result<Parameter> {
        let times = TimeParser::local(Timestamp::UNIX_EPOCH);
        parse_filter(resource, text, &times)
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
            let error = parse(&MANAGED_ACCOUNTS, text)
                .err()
                .unwrap_or_else(|| unreachable!("{text} was accepted"));
            assert!(error.message.contains(message), "{text}: {}", error.message);
            assert!(
                hint.is_none_or(|hint| error.hint_texts("").concat().contains(hint)),
                "{:?}",
                error.hints
            );
        }
    }
}
