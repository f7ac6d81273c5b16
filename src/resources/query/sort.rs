//! The order of a list: `FIELD[,asc|desc]`.

use super::did_you_mean;
use super::wire::{ASCENDING, DESCENDING};
use crate::error::{Error, Result};
use crate::resources::Resource;

/// A field to sort by and the direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// The service's name of the field.
    pub field: &'static str,
    /// Largest first.
    pub descending: bool,
}

impl Sort {
    /// Parses the value of `--sort`; without a direction it is ascending.
    ///
    /// # Errors
    /// `Usage` with the allowed values.
    pub fn parse(resource: &Resource, text: &str) -> Result<Self> {
        let (name, direction) = split(text);
        let sortable = resource.sortable();
        let Some(field) = sortable.iter().find(|field| **field == name) else {
            return Err(Error::usage(format!("--sort: {} cannot be sorted by '{name}'", resource.plural))
                .hint(allowed(name, &sortable)));
        };
        is_descending(direction).map(|descending| Self { field, descending })
    }
}

/// Splits `FIELD[,asc|desc]` without checks.
pub fn split(text: &str) -> (&str, &str) {
    let (field, direction) = text.split_once(',').unwrap_or((text, ASCENDING));
    (field.trim(), direction.trim())
}

/// Whether a direction is descending.
///
/// # Errors
/// `Usage` if it is unknown.
pub fn is_descending(direction: &str) -> Result<bool> {
    match direction {
        ASCENDING => Ok(false),
        DESCENDING => Ok(true),
        other => Err(Error::usage(format!("--sort: '{other}' is not a direction"))
            .hint(did_you_mean(other, &[ASCENDING, DESCENDING]))),
    }
}

/// Returns the allowed fields; other tools write a descending order with a hyphen.
fn allowed(name: &str, sortable: &[&str]) -> String {
    match name.strip_prefix('-').filter(|name| sortable.contains(name)) {
        Some(field) => format!("for a descending order: --sort {field},desc"),
        None => did_you_mean(name, sortable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::CLIENTS;

    #[test]
    fn a_direction_may_be_left_out() -> Result<()> {
        assert_eq!(Sort::parse(&CLIENTS, "email")?, Sort { field: "email", descending: false });
        assert_eq!(Sort::parse(&CLIENTS, "created_at,desc")?, Sort { field: "created_at", descending: true });
        Ok(())
    }

    #[test]
    fn other_forms_are_refused() {
        for text in ["", "search", "email,down", "email,asc,desc"] {
            assert!(Sort::parse(&CLIENTS, text).is_err(), "{text}");
        }
    }
}
