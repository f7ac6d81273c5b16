//! A list query: parameters that were checked against the resource before anything is sent.

pub mod filter;
pub mod sort;
mod time;
pub mod wire;

pub use time::{DayBoundary, TIME_FORMS, TimeParser, first_instant, last_instant};

use super::{Record, tags_of};
use crate::error::{Error, Kind, Result};
use jiff::Timestamp;
use std::collections::{BTreeSet, HashSet};

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
    /// The words that a client must have in a name, the email or the company, folded; none select
    /// all records.
    pub words: Vec<String>,
    /// The ids that sitectl selects itself; None selects all records.
    pub ids: Option<IdFilter>,
    /// The sites of which a client must have one, or an empty list for clients without sites; None
    /// selects all records.
    pub sites: Option<Vec<String>>,
    /// The tags that sitectl selects itself; None selects all records.
    pub tags: Option<TagFilter>,
    /// The times between which a snapshot was taken.
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

/// Selects sites by their tags.
#[derive(Debug, Clone)]
pub struct TagFilter {
    /// The names of which a site has one; none for sites without tags.
    pub names: Vec<String>,
    /// The names that sites have.
    pub existing: BTreeSet<String>,
}

impl TagFilter {
    /// Keeps the sites that are selected.
    pub fn apply(&mut self, sites: &mut Vec<Record>) {
        sites.retain(|site| {
            let tags = tags_of(site).unwrap_or_default();
            let mut names = self.names.iter();
            let is_selected = if self.names.is_empty() {
                tags.is_empty()
            } else {
                names.any(|name| tags.iter().any(|tag| is_same_tag(tag, name)))
            };
            self.existing.extend(tags);
            is_selected
        });
    }

    /// Refuses names that no site has.
    ///
    /// # Errors
    /// `NotFound` with the names that exist.
    pub fn require_existing(&self) -> Result<()> {
        let exists = |name: &&String| self.existing.iter().any(|tag| is_same_tag(tag, name));
        let Some(unknown) = self.names.iter().find(|name| !exists(name)) else {
            return Ok(());
        };
        let existing: Vec<&str> = self.existing.iter().map(String::as_str).collect();
        let error = Error::new(Kind::NotFound, format!("no site has the tag '{unknown}'"));
        Err(match existing.as_slice() {
            [] => error.with_hint("no site has a tag"),
            existing => error.with_hint(format!("use one of: {}", existing.join(", "))),
        })
    }
}

fn is_same_tag(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
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
    /// Whether sitectl selects records itself.
    pub fn selects_locally(&self) -> bool {
        self.search.is_some()
            || self.ids.is_some()
            || self.sites.is_some()
            || self.tags.is_some()
            || !self.words.is_empty()
            || self.since.is_some()
            || self.until.is_some()
    }

    /// Returns the query with an array for each filter that has several values, a form that the spec
    /// does not show; None if there is none.
    pub fn with_arrays(&self) -> Option<Self> {
        let is_list = |parameter: &&Parameter| parameter.name.ends_with(":in]");
        self.parameters.iter().find(is_list)?;
        let parameters = self.parameters.iter().flat_map(|parameter| {
            let values: Vec<&str> = match is_list(&parameter) {
                true => parameter.value.split(',').collect(),
                false => vec![&parameter.value],
            };
            let brackets = if is_list(&parameter) { "[]" } else { "" };
            let of_value = |value: &str| Parameter {
                name: format!("{}{brackets}", parameter.name),
                value: value.into(),
                ..parameter.clone()
            };
            values.into_iter().map(of_value).collect::<Vec<_>>()
        });
        Some(Self {
            parameters: parameters.collect(),
            ..self.clone()
        })
    }

    /// Returns the query for the longest of several words that `--search` looks for; None for one
    /// word. No field of a client has the first and the last name.
    pub fn by_longest_word(&self, fold: impl Fn(&str) -> String) -> Option<Self> {
        let mut query = self.clone();
        let is_search = |parameter: &&mut Parameter| parameter.flag.as_deref() == Some("--search");
        let search = query.parameters.iter_mut().find(is_search)?;
        let words: Vec<&str> = search.value.split_whitespace().collect();
        let longest = words
            .iter()
            .max_by_key(|word| word.chars().count())?
            .to_string();
        query.words = words.iter().map(|word| fold(word)).collect();
        search.value = longest;
        (query.words.len() > 1).then_some(query)
    }

    /// Returns the flag that set the parameter of this name, for an error about it; None if no flag
    /// did.
    pub fn flag_of(&self, name: &str) -> Option<String> {
        match name {
            wire::PAGE => return Some("--page".into()),
            wire::PER_PAGE => return Some("--per-page".into()),
            _ => {}
        }
        let mut parameters = self.parameters.iter();
        parameters
            .find(|parameter| parameter.name == name)?
            .flag
            .clone()
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
