//! Compares clients with the values of a file, and with the values that were sent.

use super::lookup::sites_or_email;
use crate::resources::{Record, scalar_text};
use serde_json::{Map, Value};

/// A field whose value differs.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FieldChange {
    /// The service's name of the field.
    #[serde(skip)]
    pub field: String,
    /// The value that the client has; null if it has none.
    pub from: Value,
    /// The value of the file, or the one that was sent.
    pub to: Value,
}

impl FieldChange {
    /// Whether two texts differ only in surrounding blanks and letter case, which the service may
    /// normalize.
    pub fn is_normalization(&self) -> bool {
        let folded = |value| scalar_text(value).unwrap_or_default().trim().to_lowercase();
        self.to.is_string() && folded(&self.from) == folded(&self.to)
    }

    /// Whether the client has the text without its surrounding blanks. A missing text is empty.
    pub fn is_trimmed(&self) -> bool {
        let stored = match &self.from {
            Value::Null => Some(String::new()),
            from => scalar_text(from),
        };
        let text = self.to.as_str().map(str::trim);
        stored.is_some_and(|stored| text == Some(&*stored))
    }

    /// Describes the value that the service has instead of the one that was sent.
    pub fn describe_mismatch(&self) -> String {
        if !self.from.is_array() || !self.to.is_array() {
            return format!("Was sent as {}, but the service has {}", self.to, self.from);
        }
        let stored = sites_or_email(&self.from);
        let sent = sites_or_email(&self.to);
        let mut parts = Vec::new();
        for (label, ids) in [
            ("These stayed", &stored - &sent),
            ("These are missing", &sent - &stored),
        ] {
            if !ids.is_empty() {
                let ids: Vec<String> = ids.into_iter().collect();
                parts.push(format!("{label}: {}", ids.join(", ")));
            }
        }
        parts.join("; ")
    }
}

/// Returns the fields whose values are not those that were sent, except normalized texts. Fields
/// that the client lacks are not compared.
pub fn mismatches(client: &Record, sent: &Map<String, Value>) -> Vec<FieldChange> {
    let mut changes = differences(client, sent);
    changes.retain(|change| client.value(&change.field).is_some() && !change.is_normalization());
    changes
}

/// Returns the values in `fields` that differ from those of the client. The order of sites does not
/// matter.
pub fn differences(client: &Record, fields: &Map<String, Value>) -> Vec<FieldChange> {
    let mut stored = client.fields();
    let mut changes = Vec::new();
    for (field, to) in fields {
        let from = stored.remove(field).unwrap_or(Value::Null);
        if !is_same_value(&from, to) {
            changes.push(FieldChange {
                field: field.clone(),
                from,
                to: to.clone(),
            });
        }
    }
    changes
}

/// Whether a value of the service equals a value of a file. A file may contain a number or another
/// JSON value as text, and CSV a list as text with semicolons.
pub fn is_same_value(stored: &Value, input: &Value) -> bool {
    let comparable_stored = comparable(stored);
    if comparable_stored == comparable(input) {
        return true;
    }
    // Only values of other types can have another spelling as text.
    if stored.is_string() || stored.is_null() {
        return false;
    }
    let Some(text) = input.as_str() else {
        return false;
    };
    if let Ok(json) = serde_json::from_str(text)
        && comparable(&json) == comparable_stored
    {
        return true;
    }
    let list: Value = text.split(';').collect();
    comparable(&list) == comparable_stored
}

/// Returns the value in a form that is identical for equal values: scalars are text, lists are
/// sorted without duplicates, and null and an empty list are empty text.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let mut items: Vec<Value> = items.iter().map(comparable).collect();
            items.sort_by_key(ToString::to_string);
            items.dedup();
            items.into()
        }
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), comparable(value)))
            .collect(),
        value => scalar_text(value).unwrap_or_default().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns the differences of a client from a row of a file.
    fn described(client: Value, row: Value) -> Vec<String> {
        let Value::Object(row) = row else {
            return vec!["not an object".into()];
        };
        let changes = differences(&Record::from_json(client.to_string()), &row);
        changes
            .iter()
            .map(|change| format!("{} {} -> {}", change.field, change.from, change.to))
            .collect()
    }

    #[test]
    fn only_what_differs_changes() {
        let client = json!({
            "id": "1", "email": "Ada@x.example", "note": null, "site_ids": ["a", "b"],
            "first_name": 7,
        });
        let same = json!({
            "email": "Ada@x.example", "note": "", "site_ids": ["b", "a", "a"], "first_name": "7",
            "address": "",
        });
        assert!(described(client.clone(), same).is_empty());
        let other = json!({
            "email": "ada@x.example", "note": " ", "site_ids": ["a"], "last_name": "L",
        });
        assert_eq!(
            described(client, other),
            [
                r#"email "Ada@x.example" -> "ada@x.example""#,
                r#"note null -> " ""#,
                r#"site_ids ["a","b"] -> ["a"]"#,
                r#"last_name null -> "L""#
            ]
        );
        assert!(described(json!({}), json!({"site_ids": []})).is_empty());
    }

    #[test]
    fn text_is_equal_to_the_value_that_it_spells() {
        for (stored, same, other) in [
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
            assert!(is_same_value(&stored, &same), "{stored}");
            assert!(!is_same_value(&stored, &other), "{stored}");
        }
    }

    #[test]
    fn an_empty_text_is_a_missing_text_without_blanks_but_no_empty_list() {
        for (from, is_trimmed) in [
            (json!(null), true),
            (json!(""), true),
            (json!(["s"]), false),
        ] {
            let change = FieldChange {
                field: "x".into(),
                from,
                to: json!(" "),
            };
            assert_eq!(change.is_trimmed(), is_trimmed, "{}", change.from);
        }
    }

    #[test]
    fn other_values_are_named_and_absent_ones_are_not_compared() {
        let client = json!({
            "email": "ada@x.example", "note": null, "last_name": " L ", "address": "x",
            "site_ids": [1, "b", "c"],
        });
        let client = Record::from_json(client.to_string());
        let described = |sent: Value| {
            let sent = sent.as_object().cloned().unwrap_or_default();
            let changes = mismatches(&client, &sent);
            changes
                .iter()
                .map(FieldChange::describe_mismatch)
                .collect::<Vec<_>>()
        };
        let same = json!({
            "email": "ADA@x.example", "note": " ", "last_name": "l", "site_ids": ["c", "b", "1"],
        });
        assert_eq!(described(same), [""; 0]);
        let other = json!({
            "note": "n", "address": "", "site_ids": ["d", "b"], "first_name": "A",
            "company_name": "",
        });
        assert_eq!(
            described(other),
            [
                r#"Was sent as "n", but the service has null"#,
                r#"Was sent as "", but the service has "x""#,
                "These stayed: 1, c; These are missing: d",
            ]
        );
    }
}
