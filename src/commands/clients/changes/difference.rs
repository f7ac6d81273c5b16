//! What would have to change for a client to be as wanted.

use crate::resource::{Record, scalar};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A field that is not as wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The service's name for it.
    pub field: String,
    /// What it is.
    pub from: Value,
    /// What is wanted.
    pub to: Value,
}

/// The fields of the client that differ from what is wanted. A field that is not wanted otherwise stays out of it; the
/// order of sites means nothing.
pub fn differences(client: &Record, wanted: &Map<String, Value>) -> Vec<Change> {
    let mut found = client.fields();
    let change = |(field, to): (&String, &Value)| {
        let from = found.remove(field).unwrap_or(Value::Null);
        (!same(&from, to)).then(|| Change { field: field.clone(), from, to: to.clone() })
    };
    wanted.iter().filter_map(change).collect()
}

/// Whether a value is the wanted one, to the letter: a service that sends a number for a text means its digits, and one
/// that sends nothing means nothing.
fn same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Null, wanted) => wanted.as_str() == Some("") || wanted.as_array().is_some_and(Vec::is_empty),
        (Value::Array(found), Value::Array(wanted)) => as_set(found) == as_set(wanted),
        (found, Value::String(wanted)) => scalar(found).is_some_and(|found| found == *wanted),
        (found, wanted) => found == wanted,
    }
}

fn as_set(items: &[Value]) -> BTreeSet<Option<String>> {
    items.iter().map(scalar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(found: Value, wanted: Value) -> Vec<String> {
        let Value::Object(wanted) = wanted else { return vec!["not an object".into()] };
        let changes = differences(&Record::whole(found.to_string()), &wanted);
        changes.iter().map(|change| format!("{} {} -> {}", change.field, change.from, change.to)).collect()
    }

    #[test]
    fn only_what_differs_changes() {
        let found = json!({"id": "1", "email": "Ada@x.example", "note": null, "site_ids": ["a", "b"], "first_name": 7});
        let same = json!({"email": "Ada@x.example", "note": "", "site_ids": ["b", "a", "a"], "first_name": "7", "address": ""});
        assert!(changed(found.clone(), same).is_empty());
        assert_eq!(
            changed(found, json!({"email": "ada@x.example", "note": " ", "site_ids": ["a"], "last_name": "L"})),
            [
                r#"email "Ada@x.example" -> "ada@x.example""#,
                r#"note null -> " ""#,
                r#"site_ids ["a","b"] -> ["a"]"#,
                r#"last_name null -> "L""#
            ]
        );
        assert!(changed(json!({}), json!({"site_ids": []})).is_empty());
    }
}
