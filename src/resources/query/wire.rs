//! The query parameters of a list (spec, "Common list query parameters").

use super::{PageRequest, Query};

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

/// Returns the value of an order.
pub fn order(field: &str, descending: bool) -> String {
    format!("{field},{}", if descending { DESCENDING } else { ASCENDING })
}

/// Smallest first.
pub const ASCENDING: &str = "asc";
/// Largest first.
pub const DESCENDING: &str = "desc";

/// Returns the parameters of a query before percent-encoding.
pub fn parameters(query: &Query, page: PageRequest) -> Vec<(String, String)> {
    let mut pairs = vec![(PAGE.to_string(), page.number.to_string())];
    if let Some(rows) = page.per_page {
        pairs.push((PER_PAGE.into(), rows.to_string()));
    }
    if let Some(sort) = &query.sort {
        pairs.push((SORT.into(), order(sort.field, sort.descending)));
    }
    if let Some(timezone) = &query.timezone {
        pairs.push((TIMEZONE.into(), timezone.clone()));
    }
    for filter in &query.filters {
        pairs.push((self::filter(filter.field, filter.operator.name()), filter.value.clone()));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::Operator;
    use crate::resources::query::{Filter, Sort};

    #[test]
    fn parameters_are_those_of_the_spec() {
        let query = Query {
            filters: vec![Filter { field: "email", operator: Operator::Contains, value: "a&b=ü".into() }],
            sort: Some(Sort { field: "created_at", descending: true }),
            timezone: Some("Europe/Berlin".into()),
            search: None,
        };
        let pairs = parameters(&query, PageRequest { number: 2, per_page: Some(1000) });
        let text: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(
            text,
            [
                "page=2",
                "perPage=1000",
                "sort=created_at,desc",
                "timezone=Europe/Berlin",
                "filters[email:contains]=a&b=ü"
            ]
        );
        let pairs = parameters(&Query::default(), PageRequest { number: 1, per_page: None });
        assert_eq!(pairs, [("page".to_string(), "1".to_string())]);
    }
}
