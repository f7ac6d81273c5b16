//! Compares clients with the values of a file, and with the values that were sent.

use super::lookup::items;
use crate::resources::{Record, scalar};
use serde_json::{Map, Value};

/// A field with another value.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Change {
    /// The service's name for it.
    #[serde(skip)]
    pub field: String,
    /// The value that the client has.
    pub from: Value,
    /// The value of the file, or the one that was sent.
    pub to: Value,
}

impl Change {
    /// Describes the value that the service has instead of the one that was sent.
    pub fn not_kept(&self) -> String {
        if !self.from.is_array() || !self.to.is_array() {
            return format!("Was sent as {}, but the service has {}", self.to, self.from);
        }
        let (from, to) = (items(&self.from), items(&self.to));
        let parts = [
            ("These stayed", &from - &to),
            ("These are missing", &to - &from),
        ];
        let parts = parts.into_iter().filter(|(_, ids)| !ids.is_empty());
        let parts = parts.map(|(what, ids)| {
            format!("{what}: {}", ids.into_iter().collect::<Vec<_>>().join(", "))
        });
        parts.collect::<Vec<_>>().join("; ")
    }
}

/// Returns the fields that have other values than were sent, beyond surrounding blanks and letter case. Fields that the
/// client lacks are not compared.
pub fn not_kept(client: &Record, sent: &Map<String, Value>) -> Vec<Change> {
    let found = client.fields();
    let text = |value: &Value| scalar(value).unwrap_or_default().trim().to_lowercase();
    let alike = |change: &Change| change.to.is_string() && text(&change.from) == text(&change.to);
    let mut changes = differences(client, sent);
    changes.retain(|change| found.contains_key(&change.field) && !alike(change));
    changes
}

/// Returns the fields of the client that differ from these; the order of sites does not matter.
pub fn differences(client: &Record, wanted: &Map<String, Value>) -> Vec<Change> {
    let mut found = client.fields();
    let change = |(field, to): (&String, &Value)| {
        let from = found.remove(field).unwrap_or(Value::Null);
        (!same(&from, to)).then(|| Change {
            field: field.clone(),
            from,
            to: to.clone(),
        })
    };
    wanted.iter().filter_map(change).collect()
}

/// Whether a value of the service equals a value of a file. Text in a file can spell a number, JSON, or in CSV a list.
pub fn same(found: &Value, wanted: &Value) -> bool {
    let plain_found = plain(found);
    let spells = |text: &str| {
        let json =
            serde_json::from_str(text).is_ok_and(|value: Value| plain(&value) == plain_found);
        json || plain(&text.split(';').collect()) == plain_found
    };
    plain_found == plain(wanted)
        || (!found.is_string() && !found.is_null() && wanted.as_str().is_some_and(spells))
}

/// Reduces a value to text, sorted lists and objects; null and an empty list are empty text.
fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let mut items: Vec<Value> = items.iter().map(plain).collect();
            items.sort_by_key(ToString::to_string);
            items.dedup();
            items.into()
        }
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), plain(value)))
            .collect(),
        value => scalar(value).unwrap_or_default().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(found: Value, wanted: Value) -> Vec<String> {
        let Value::Object(wanted) = wanted else {
            return vec!["not an object".into()];
        };
        let changes = differences(&Record::whole(found.to_string()), &wanted);
        changes
            .iter()
            .map(|change| format!("{} {} -> {}", change.field, change.from, change.to))
            .collect()
    }

    #[test]
    fn only_what_differs_changes() {
        let found = json!({"id": "1", "email": "Ada@x.example", "note": null, "site_ids": ["a", "b"], "first_name": 7});
        let same = json!({"email": "Ada@x.example", "note": "", "site_ids": ["b", "a", "a"], "first_name": "7", "address": ""});
        assert!(changed(found.clone(), same).is_empty());
        assert_eq!(
            changed(
                found,
                json!({"email": "ada@x.example", "note": " ", "site_ids": ["a"], "last_name": "L"})
            ),
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
            (json!(null), json!(""), json!("null")),
            (json!(["b", "a"]), json!("a;b"), json!("a")),
            (json!([]), json!("[]"), json!("x")),
            (
                json!({"a": 1, "b": [{"c": null}]}),
                json!({"b": [{"c": null}], "a": "1"}),
                json!({"a": 1}),
            ),
            (json!({"a": ["x"]}), json!("{\"a\":[\"x\"]}"), json!("{}")),
        ] {
            assert!(same(&found, &same_as) && !same(&found, &other), "{found}");
        }
    }

    #[test]
    fn other_values_are_named_and_absent_ones_are_not_compared() {
        let client = json!({"email": "ada@x.example", "note": null, "last_name": " L ", "address": "x", "site_ids": [1, "b", "c"]});
        let compared = |sent: Value| {
            let sent = sent.as_object().cloned().unwrap_or_default();
            let changes = not_kept(&Record::whole(client.to_string()), &sent);
            changes.iter().map(Change::not_kept).collect::<Vec<_>>()
        };
        let same = json!({"email": "ADA@x.example", "note": " ", "last_name": "l", "site_ids": ["c", "b", "1"]});
        assert_eq!(compared(same), [""; 0]);
        assert_eq!(
            compared(
                json!({"note": "n", "address": "", "site_ids": ["d", "b"], "first_name": "A", "company_name": ""})
            ),
            [
                r#"Was sent as "n", but the service has null"#,
                r#"Was sent as "", but the service has "x""#,
                "These stayed: 1, c; These are missing: d",
            ]
        );
    }
}
