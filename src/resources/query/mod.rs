//! A list query as values, checked against the resource before anything is sent.

pub mod filter;
mod moment;
pub mod sort;
mod suggest;
pub mod wire;

pub use filter::Filter;
pub use moment::{Edge, Zone};
pub use sort::Sort;
pub use suggest::{did_you_mean, nearest};

/// Which records, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// All of these hold.
    pub filters: Vec<Filter>,
    /// The order; none is the service's own.
    pub sort: Option<Sort>,
    /// Passed on as given (spec: format not shown).
    pub timezone: Option<String>,
}

/// Which page, and how many rows at most; none leaves it to the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// From 1.
    pub number: u64,
    /// Rows.
    pub per_page: Option<u32>,
}
