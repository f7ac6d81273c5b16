//! The columns of a table, and how each shows its values.

use super::cell::{simple, simple_items};
use super::json;
use crate::config::duration::local;
use crate::resources::{Field, Record, Resource};
use crate::terminal::{bytes, visible};
use serde_json::value::RawValue;

/// How values are shown.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// As in the response.
    #[default]
    Sent,
    /// Times in the local zone, sizes with a unit.
    Local,
    /// The same, and lists as their first item and the number of the others.
    Short,
}

/// A column of a table.
#[derive(Debug)]
pub struct Column {
    /// The field that it shows.
    pub name: String,
    /// The heading.
    pub heading: String,
    /// Columns of less importance are cut and left out before it.
    pub importance: u8,
    words: Option<fn(&str) -> Option<String>>,
}

impl Column {
    /// Returns the column of an undeclared field.
    pub fn new(name: &str) -> Self {
        let heading = visible(&name.to_uppercase().replace('_', " ")).into_owned();
        let importance = match last_word(name) {
            "id" => 3,
            "email" | "status" | "state" | "outcome" => 2,
            "name" | "title" | "label" | "url" | "domain" | "host" | "user" | "action" => 1,
            _ => 0,
        };
        Self { name: name.into(), heading, importance, words: None }
    }

    /// Returns the column of a declared field.
    pub fn declared(field: &Field) -> Self {
        let column = Self::new(field.name);
        Self {
            heading: field.column.map_or_else(|| column.heading.clone(), String::from),
            words: field.words,
            ..column
        }
    }

    /// Returns the columns of a resource. A declared order is also the order of importance.
    pub fn all(resource: &Resource) -> Vec<Self> {
        let mut columns: Vec<Self> = resource.columns().map(Self::declared).collect();
        if !resource.order.is_empty() {
            columns.iter_mut().for_each(|column| column.importance = 0);
        }
        columns
    }

    /// Whether its values are never cut, because a part of an id or a time is wrong.
    pub fn is_fixed(&self) -> bool {
        matches!(last_word(&self.name), "id" | "ids" | "at")
    }

    /// Returns the text of a value, escaped.
    pub fn text(&self, raw: Option<&RawValue>, values: Values) -> String {
        let Some(raw) = raw.map(RawValue::get) else { return String::new() };
        let local = if values == Values::Sent { None } else { self.local(raw) };
        let text = local.or_else(|| self.words?(raw));
        let text = text.map(Into::into).or_else(|| simple(raw)).or_else(|| {
            let items = simple_items(raw)?;
            match items.as_slice() {
                [first, others @ ..] if values == Values::Short && !others.is_empty() => {
                    Some(format!("{first} +{}", others.len()).into())
                }
                _ => Some(items.join(", ").into()),
            }
        });
        visible(&text.unwrap_or_else(|| json::compact(raw).into())).into_owned()
    }

    fn local(&self, raw: &str) -> Option<String> {
        match last_word(&self.name) {
            "at" => serde_json::from_str(raw).ok().map(local),
            "bytes" => Some(bytes(raw.parse().ok()?)),
            _ => None,
        }
    }
}

fn last_word(name: &str) -> &str {
    name.rsplit(['_', '.', '-']).next().unwrap_or_default()
}

/// Whether a value can be shown without JSON.
pub fn is_text(raw: &str) -> bool {
    simple(raw).is_some() || simple_items(raw).is_some()
}

/// Returns the columns of records whose resource is unknown: the fields with text, in the order of their
/// appearance. A field that is always null has no column.
pub fn of_records(records: &[Record]) -> Vec<Column> {
    struct Field {
        column: Column,
        is_null: bool,
        is_text: bool,
    }
    let mut fields: Vec<Field> = Vec::new();
    for record in records {
        for (name, raw) in record.members() {
            let place = fields.iter().position(|field| field.column.name == name).unwrap_or_else(|| {
                fields.push(Field { column: Column::new(&name), is_null: true, is_text: true });
                fields.len() - 1
            });
            fields[place].is_null &= raw.get() == "null";
            fields[place].is_text &= is_text(raw.get());
        }
    }
    fields.retain(|field| !field.is_null);
    // Without this, a record whose fields have no text would be an empty row.
    if fields.iter().any(|field| field.is_text) {
        fields.retain(|field| field.is_text);
    }
    fields.into_iter().map(|field| field.column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(records: &[&str]) -> String {
        let records: Vec<Record> = records.iter().map(|text| Record::whole((*text).into())).collect();
        of_records(&records).into_iter().map(|column| column.name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn columns_of_unknown_records() {
        let record = r##"{"created_at":"x","color":"#fff","site_ids":["a","b"],"email":"e","state":"s","o":{},
            "site_url":"u","name":"n","id":1,"updated_at":null,"l":[{}]}"##;
        assert_eq!(columns(&[record]), "created_at color site_ids email state site_url name id");
        assert_eq!(columns(&[r#"{"a":null,"b":1}"#, r#"{"c":"x","a":2}"#]), "a b c");
        assert_eq!(columns(&[r#"{"a":{}}"#]), "a");
    }

    #[test]
    fn values_on_a_terminal_are_for_people() {
        let text = |name: &str, raw: &str, values| {
            let raw = serde_json::from_str::<&RawValue>(raw).ok();
            Column::new(name).text(raw, values)
        };
        let time = "\"2026-11-20T02:01:59.123Z\"";
        assert_eq!(text("created_at", time, Values::Sent), "2026-11-20T02:01:59.123Z");
        assert_eq!(text("created_at", "\"soon\"", Values::Local), "soon");
        assert_eq!(text("created_at", time, Values::Local).len(), "2026-11-20 02:01".len());
        assert_eq!(text("size_bytes", "41333332", Values::Sent), "41333332");
        assert_eq!(text("size_bytes", "41333332", Values::Local), "41.33 MB");
        assert_eq!(text("site_ids", r#"["a","b","c"]"#, Values::Local), "a, b, c");
        assert_eq!(text("site_ids", r#"["a","b","c"]"#, Values::Short), "a +2");
        assert_eq!(text("site_ids", r#"["a"]"#, Values::Short), "a");
        assert_eq!(text("x", r#"{"b": [1 , 2]}"#, Values::Local), r#"{"b":[1,2]}"#);
    }
}
