//! The names of query parameters (spec, "Common list query parameters").

pub const PAGE: &str = "page";
pub const PER_PAGE: &str = "perPage";
pub const SORT: &str = "sort";
/// The time zone of dates.
pub const TIMEZONE: &str = "timezone";

/// Returns the name of a filter's parameter.
pub fn filter_parameter(field: &str, operator: &str) -> String {
    format!("filters[{field}:{operator}]")
}
