//! The order of a list: `FIELD[,asc|desc]`.

use super::did_you_mean;
use crate::error::{Error, Result};
use crate::resource::Resource;

/// A field to sort by and the direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// The service's name of the field.
    pub field: &'static str,
    /// Largest first.
    pub descending: bool,
}

impl Sort {
    /// Reads what was typed after `--sort`; without a direction it is ascending.
    ///
    /// # Errors
    /// `Usage` with what is allowed.
    pub fn parse(resource: &Resource, text: &str) -> Result<Self> {
        let (name, direction) = text.split_once(',').unwrap_or((text, "asc"));
        let sortable: Vec<&'static str> =
            resource.fields.iter().filter(|field| field.sortable).map(|field| field.name).collect();
        let Some(field) = sortable.iter().find(|field| **field == name.trim()) else {
            return Err(Error::usage(format!("--sort: {} cannot be sorted by '{}'", resource.plural, name.trim()))
                .hint(allowed(name.trim(), &sortable)));
        };
        match direction.trim() {
            "asc" => Ok(Self { field, descending: false }),
            "desc" => Ok(Self { field, descending: true }),
            other => Err(Error::usage(format!("--sort: '{other}' is not a direction"))
                .hint(did_you_mean(other, &["asc", "desc"]))),
        }
    }
}

/// What is allowed in its place; others write a descending order with a hyphen.
fn allowed(name: &str, sortable: &[&str]) -> String {
    match name.strip_prefix('-').filter(|name| sortable.contains(name)) {
        Some(field) => format!("for a descending order: --sort {field},desc"),
        None => did_you_mean(name, sortable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::{CLIENTS, MANAGED_ACCOUNTS};

    #[test]
    fn a_direction_may_be_left_out() -> Result<()> {
        assert_eq!(Sort::parse(&CLIENTS, "email")?, Sort { field: "email", descending: false });
        assert_eq!(Sort::parse(&CLIENTS, "created_at,desc")?, Sort { field: "created_at", descending: true });
        Ok(())
    }

    #[test]
    fn only_the_sort_fields_of_the_spec_are_taken() {
        for (resource, text) in [
            (&CLIENTS, "note"),
            (&CLIENTS, "search"),
            (&CLIENTS, "email,down"),
            (&CLIENTS, ""),
            (&CLIENTS, "email,asc,desc"),
            (&MANAGED_ACCOUNTS, "email"),
        ] {
            assert!(Sort::parse(resource, text).is_err(), "{text}");
        }
    }
}
