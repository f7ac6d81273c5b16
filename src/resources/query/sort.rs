//! The order of a list: `FIELD[,asc|desc]`.

use super::{Parameter, did_you_mean, wire};
use crate::error::{Error, Result};
use crate::resources::Resource;

const DIRECTIONS: [&str; 2] = ["asc", "desc"];

/// Parses the value of `--sort`; without a direction it is ascending.
///
/// # Errors
/// `Usage` with the allowed values.
pub fn parse(resource: &Resource, text: &str) -> Result<Parameter> {
    let (name, direction) = split(text);
    let sortable = resource.sortable();
    if !sortable.contains(&name) {
        return Err(Error::usage(format!(
            "--sort: {} cannot be sorted by '{name}'",
            resource.plural
        ))
        .with_hint(did_you_mean(name, &sortable)));
    }
    order(name, direction)
}

/// Splits `FIELD[,asc|desc]` without checks.
pub fn split(text: &str) -> (&str, &str) {
    let (field, direction) = text.split_once(',').unwrap_or((text, DIRECTIONS[0]));
    (field.trim(), direction.trim())
}

/// Returns the parameter of an order.
///
/// # Errors
/// `Usage` if the direction is unknown.
pub fn order(field: &str, direction: &str) -> Result<Parameter> {
    if !DIRECTIONS.contains(&direction) {
        return Err(
            Error::usage(format!("--sort: '{direction}' is not a direction"))
                .with_hint(did_you_mean(direction, &DIRECTIONS)),
        );
    }
    Ok((wire::SORT.into(), format!("{field},{direction}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::CLIENTS;

    #[test]
    fn other_forms_are_refused() {
        for text in ["", "search", "email,down", "email,asc,desc"] {
            assert!(parse(&CLIENTS, text).is_err(), "{text}");
        }
    }
}
