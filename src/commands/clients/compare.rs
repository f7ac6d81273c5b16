//! Compares values of clients: those of the service, those of a file, and those that were sent. All
//! commands compare them in this way.

use crate::commands::find_clients::sites_or_email;
use crate::resources::{Record, scalar_text};
use icu_normalizer::ComposingNormalizerBorrowed;
use serde_json::{Map, Value};
use std::borrow::Cow;

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
    /// Describes the value that the service has instead of the one that was sent.
    pub fn describe_mismatch(&self) -> String {
        if !self.from.is_array() {
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

/// Returns the fields whose values are not those that were sent. Fields that the client lacks are
/// not compared.
pub fn mismatches(client: &Record, sent: &Map<String, Value>) -> Vec<FieldChange> {
    let mut changes = differences(client, sent);
    changes.retain(|change| client.value(&change.field).is_some());
    changes
}

/// Returns the values in `fields` that differ from those of the client.
pub fn differences(client: &Record, fields: &Map<String, Value>) -> Vec<FieldChange> {
    let mut stored = client.fields();
    let mut changes = Vec::new();
    for (field, to) in fields {
        let from = stored.remove(field).unwrap_or(Value::Null);
        if !is_same_value(field, &from, to) {
            changes.push(FieldChange {
                field: field.clone(),
                from,
                to: to.clone(),
            });
        }
    }
    changes
}

/// Whether two values of a field are the same. Blanks around a text, its line ends and its Unicode
/// form do not count, nor does the order of sites. Letter case counts, except in an email.
pub fn is_same_value(field: &str, stored: &Value, other: &Value) -> bool {
    let is_email = field == "email";
    comparable(stored, is_email) == comparable(other, is_email)
}

/// Returns the value in a form that is identical for equal values: scalars are text, lists are
/// sorted without duplicates, and null and an empty list are empty text.
fn comparable(value: &Value, is_email: bool) -> Value {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().map(|item| comparable(item, is_email));
            let mut items: Vec<Value> = items.collect();
            items.sort_by_key(ToString::to_string);
            items.dedup();
            items.into()
        }
        Value::Object(_) => value.clone(),
        value => {
            let text = scalar_text(value).unwrap_or_default();
            let text = normalized(&text);
            if is_email {
                text.to_lowercase().into()
            } else {
                text.into()
            }
        }
    }
}

/// Returns a text without blanks around it, with `\n` at the end of lines, and in the composed form
/// of Unicode.
fn normalized(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.is_ascii() && !text.contains('\r') {
        return text.into();
    }
    let text = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    text.replace("\r\n", "\n").replace('\r', "\n").into()
}

/// Whether a text is `stored` in UTF-8, read as Windows-1252 or Latin-1: a spreadsheet that opened
/// a file in the wrong encoding saves such texts.
pub fn is_misread(stored: &str, text: &str) -> bool {
    // What Windows-1252 has for 0x80 to 0x9f.
    const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let is_byte = |(byte, c): (u8, char)| {
        char::from(byte) == c
            || matches!(byte, 0x80..=0x9f)
                && WINDOWS.chars().nth(usize::from(byte - 0x80)) == Some(c)
    };
    let (stored, text) = (stored.trim(), text.trim());
    // A no-break space at the end is a blank.
    let mut rest = stored.bytes().skip(text.chars().count());
    !stored.is_ascii()
        && stored.len() >= text.chars().count()
        && rest.all(|byte| byte == 0xa0)
        && stored.bytes().zip(text.chars()).all(is_byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_changes() {
        let client = json!({
            "id": "1", "email": "Ada@x.example", "note": null, "site_ids": ["a", "b"],
            "first_name": 7, "address": "Street 1\r\n12345 Town", "last_name": "Zoe\u{308}",
        });
        let client = Record::from_json(client.to_string());
        let changed = |row: Value| {
            let row = row.as_object().cloned().unwrap_or_default();
            let changes = differences(&client, &row).into_iter();
            changes.map(|change| change.field).collect::<Vec<_>>()
        };
        let same = json!({
            "email": " ada@x.example", "note": " ", "site_ids": ["b", "a", "a"], "first_name": "7",
            "address": "Street 1\n12345 Town\n", "last_name": "Zo\u{eb}", "company_name": "",
        });
        assert_eq!(changed(same), [""; 0]);
        let other = json!({
            "email": "ada@y.example", "note": "n", "site_ids": ["a"], "last_name": "zo\u{eb}",
            "address": "Street 1 12345 Town",
        });
        let all = ["email", "note", "site_ids", "last_name", "address"];
        assert_eq!(changed(other), all);
        let no_sites = Map::from_iter([("site_ids".into(), json!([]))]);
        assert_eq!(differences(&Record::from_json("{}".into()), &no_sites), []);
    }

    #[test]
    fn a_text_in_the_wrong_encoding_is_recognized() {
        for (stored, text) in [
            ("Bensaïd", "BensaÃ¯d"),
            ("Malmö", "MalmÃ¶"),
            ("5 €", "5 â‚¬"),
            ("à", "Ã\u{a0}"),
            ("“x”", "â€œxâ€\u{9d}"),
        ] {
            assert!(is_misread(stored, text), "{text}");
        }
        for (stored, text) in [("Ada", "Ada"), ("Malmö", "Malmo"), ("Malmö", "Malmö")] {
            assert!(!is_misread(stored, text), "{text}");
        }
    }

    #[test]
    fn other_values_are_named_and_absent_ones_are_not_compared() {
        let client = Record::from_json(
            json!({"note": null, "address": "x", "site_ids": [1, "b", "c"]}).to_string(),
        );
        let sent = json!({
            "note": "n", "address": "", "site_ids": ["d", "b"], "first_name": "A",
        });
        let sent = sent.as_object().cloned().unwrap_or_default();
        let changes = mismatches(&client, &sent);
        let described = changes.iter().map(FieldChange::describe_mismatch);
        assert_eq!(
            described.collect::<Vec<_>>(),
            [
                r#"Was sent as "n", but the service has null"#,
                r#"Was sent as "", but the service has "x""#,
                "These stayed: 1, c; These are missing: d",
            ]
        );
    }
}
