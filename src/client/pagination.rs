//! Reads the total of a list from a response. The spec has `meta.pagination.totalItems`
//! ("Pagination envelope"). A list that the spec does not show can have the total in `pagination` or
//! `meta`, or none.

use crate::resources::{Member, member_value, members, unquote};
use serde_json::value::RawValue;

/// The names of the total.
const TOTAL_ITEMS: [&str; 3] = ["totalItems", "total_items", "total"];

/// The length of a list, as a response reports it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pagination {
    /// The number of records of the list.
    pub total_items: Option<u64>,
    /// Whether the response has `has_more`, or a member whose name begins with `next`, that is not
    /// empty.
    pub announces_more: bool,
}

impl Pagination {
    /// Reads the members of a response.
    pub fn from_members(top: &[Member<'_>]) -> Self {
        let meta = nested_members(top, "meta");
        let objects = [
            &nested_members(&meta, "pagination"),
            &nested_members(top, "pagination"),
            &meta,
        ];
        Self {
            total_items: objects.into_iter().find_map(|object| total_in(object)),
            announces_more: objects.into_iter().flatten().chain(top).any(announces_more),
        }
    }
}

/// Returns the members of the object `name` in an object; no members if it does not exist.
fn nested_members<'r>(object: &[Member<'r>], name: &str) -> Vec<Member<'r>> {
    let object = member_value(object, name).map(RawValue::get);
    object
        .and_then(|json| members(json).ok())
        .unwrap_or_default()
}

/// Returns a total such as `70` or `"70"`.
fn total_in(object: &[Member<'_>]) -> Option<u64> {
    TOTAL_ITEMS.iter().find_map(|name| {
        let total = member_value(object, name)?;
        unquote(total.get()).trim().parse().ok()
    })
}

fn announces_more((name, raw): &Member<'_>) -> bool {
    let is_empty = matches!(
        unquote(raw.get()).trim(),
        "" | "null" | "false" | "0" | "{}" | "[]"
    );
    (name == "has_more" || name.starts_with("next")) && !is_empty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_and_the_announcement_of_more_records_are_read() {
        for (body, total_items, announces_more) in [
            (
                r#"{"pagination":{"totalItems":1},"meta":{"pagination":{"totalItems":70}}}"#,
                Some(70),
                false,
            ),
            (
                r#"{"pagination":{"totalItems":"70"},"meta":{"total":1}}"#,
                Some(70),
                false,
            ),
            (
                r#"{"meta":{"pagination":{"totalItems":-1},"total":70}}"#,
                Some(70),
                false,
            ),
            (r#"{"total":70,"list":[{"next":1}]}"#, None, false),
            (r#"{"has_more":true}"#, None, true),
            (r#"{"meta":{"next_cursor":"abc"}}"#, None, true),
            (
                r#"{"has_more":false,"next":null,"next_page":""}"#,
                None,
                false,
            ),
        ] {
            let pagination = Pagination::from_members(&members(body).unwrap_or_default());
            let expected = Pagination {
                total_items,
                announces_more,
            };
            assert_eq!(pagination, expected, "{body}");
        }
    }
}
