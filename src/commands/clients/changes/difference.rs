//! What would have to change for a client to be as wanted.

use crate::resources::{Record, scalar};
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

/// Whether a value is the wanted one. What a file spells as text means the value that the service has: its digits, its
/// JSON, and in CSV the items of a list between semicolons. Null and absent mean empty.
pub fn same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Null, wanted) => {
            wanted.is_null() || wanted.as_str() == Some("") || wanted.as_array().is_some_and(Vec::is_empty)
        }
        (Value::Array(found), Value::Array(wanted)) => match (as_set(found), as_set(wanted)) {
            (Some(found), Some(wanted)) => found == wanted,
            _ => found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, wanted)| same(found, wanted)),
        },
        (Value::Object(found), Value::Object(wanted)) => {
            found.len() == wanted.len()
                && found.iter().all(|(name, found)| wanted.get(name).is_some_and(|wanted| same(found, wanted)))
        }
        (Value::String(found), wanted) => wanted.as_str() == Some(found),
        (found, Value::String(text)) => {
            let items = || Value::from(text.split(';').collect::<Vec<_>>());
            scalar(found).is_some_and(|found| found == *text)
                || serde_json::from_str(text).is_ok_and(|wanted| same(found, &wanted))
                || (found.is_array() && same(found, &items()))
        }
        (found, wanted) => found == wanted,
    }
}

/// A list of single values, whose order means nothing.
fn as_set(items: &[Value]) -> Option<BTreeSet<String>> {
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

    #[test]
    fn text_means_the_value_that_it_spells() {
        for (found, same_as, other) in [
            (json!(1.5), json!("1.50"), json!("1.6")),
            (json!(true), json!("true"), json!("yes")),
            (json!("007"), json!("007"), json!("7")),
            (json!(["b", "a"]), json!("a;b"), json!("a")),
            (json!([]), json!("[]"), json!("x")),
            (json!({"a": 1, "b": [{"c": null}]}), json!({"b": [{"c": null}], "a": "1"}), json!({"a": 1})),
            (json!({"a": ["x"]}), json!("{\"a\":[\"x\"]}"), json!("{}")),
        ] {
            assert!(same(&found, &same_as) && !same(&found, &other), "{found}");
        }
    }
}
