//! The order of a list: `FIELD[,asc|desc]`.

use super::{Parameter, wire};
use crate::error::{Error, Result};
use crate::resources::{Resource, allowed_hint};

const DIRECTIONS: [&str; 2] = ["asc", "desc"];

/// Parses the value of `--sort`; without a direction it is ascending.
///
/// # Errors
/// `Usage` with the allowed values.
pub fn parse_sort(resource: &Resource, text: &str) -> Result<Parameter> {
    let (field, direction) = split_sort(text);
    let allowed = resource.sort_fields();
    if !allowed.contains(&field) {
        let name = field
            .trim_start_matches('-')
            .split(':')
            .next()
            .unwrap_or(field);
        let hint = if allowed.contains(&name) {
            format!("write the direction after a comma, as in {name},desc")
        } else {
            allowed_hint(field, &allowed)
        };
        let plural = resource.plural;
        let message = format!("--sort: {plural} cannot be sorted by '{field}'");
        return Err(Error::usage(message).with_hint(hint));
    }
    let value = sort_value(field, direction)?;
    Ok(Parameter::new(wire::SORT, value).with_flag("--sort"))
}

/// Splits `FIELD[,asc|desc]` without checks. The default direction is ascending.
pub fn split_sort(text: &str) -> (&str, &str) {
    text.split_once(',').unwrap_or((text, DIRECTIONS[0]))
}

/// Returns the value of the parameter [`wire::SORT`].
///
/// # Errors
/// `Usage` if the direction is unknown.
pub fn sort_value(field: &str, direction: &str) -> Result<String> {
    if !DIRECTIONS.contains(&direction) {
        return Err(
            Error::usage(format!("--sort: '{direction}' is not a direction"))
                .with_hint(allowed_hint(direction, &DIRECTIONS)),
        );
    }
    Ok(format!("{field},{direction}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::CLIENTS;

    #[test]
    fn other_forms_are_refused() {
        for text in ["", "search", "email,down", "email,asc,desc"] {
            assert!(parse_sort(&CLIENTS, text).is_err(), "{text}");
        }
    }
}
