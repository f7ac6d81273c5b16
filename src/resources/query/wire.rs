//! The names of query parameters (spec, "Common list query parameters").

/// The number of the page.
pub const PAGE: &str = "page";
/// The number of its rows.
pub const PER_PAGE: &str = "perPage";
/// The order.
pub const SORT: &str = "sort";
/// The time zone of dates.
pub const TIMEZONE: &str = "timezone";

/// Returns the parameter of a filter.
pub fn filter(field: &str, operator: &str) -> String {
    format!("filters[{field}:{operator}]")
}
