//! A list query: parameters that were checked against the resource before anything is sent.

pub mod filter;
pub mod sort;
mod time;
pub mod wire;

pub use time::{DayBoundary, TIME_FORMS, TimeParser};

use std::collections::HashSet;

/// A parameter of a list's URL, before percent-encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub value: String,
    /// The flag that set the parameter, such as `--email`; none if no flag did.
    pub flag: Option<String>,
}

impl Parameter {
    /// Creates a parameter that no flag set.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
            flag: None,
        }
    }

    #[must_use]
    pub fn with_flag(self, flag: impl Into<String>) -> Self {
        Self {
            flag: Some(flag.into()),
            ..self
        }
    }
}

/// The parameters that select the records of a list and their order.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The parameters except the number and the size of the page.
    pub parameters: Vec<Parameter>,
    /// The text that `--search` looks for, if sitectl filters the list itself; None without a
    /// search, or if the service searches.
    pub search: Option<String>,
    /// The ids that sitectl selects itself; None selects all records.
    pub ids: Option<IdFilter>,
    /// The sites of which a client must have one, or an empty list for clients without sites; None
    /// selects all records.
    pub sites: Option<Vec<String>>,
}

/// Selects records by their ids.
#[derive(Debug, Clone)]
pub enum IdFilter {
    Only(HashSet<String>),
    Except(HashSet<String>),
}

impl IdFilter {
    /// Whether the record with this id is selected.
    pub fn selects(&self, id: &str) -> bool {
        match self {
            Self::Only(ids) => ids.contains(id),
            Self::Except(ids) => !ids.contains(id),
        }
    }
}

impl Query {
    /// Returns the flag that set the parameter of this name, for an error about it; None if no flag
    /// did.
    pub fn flag_of(&self, name: &str) -> Option<String> {
        match name {
            wire::PAGE => return Some("--page".into()),
            wire::PER_PAGE => return Some("--per-page".into()),
            _ => {}
        }
        let mut parameters = self.parameters.iter();
        parameters.find(|one| one.name == name)?.flag.clone()
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// The number of the page, from 1.
    pub number: u64,
    /// The number of rows; None if the service decides.
    pub per_page: Option<u32>,
}

impl PageRequest {
    /// Returns the parameters of this page of a list: its own, and those of the query.
    pub fn parameters(self, query: &Query) -> Vec<Parameter> {
        let mut parameters = vec![Parameter::new(wire::PAGE, self.number.to_string())];
        if let Some(rows) = self.per_page {
            parameters.push(Parameter::new(wire::PER_PAGE, rows.to_string()));
        }
        parameters.extend(query.parameters.iter().cloned());
        parameters
    }
}
