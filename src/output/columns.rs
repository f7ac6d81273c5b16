//! The columns of a table, and how each shows its values.

use super::cell::{simple, simple_items};
use super::json;
use crate::config::duration::format_local;
use crate::resources::{Field, Member, Record, Resource, last};
use crate::terminal::{format_bytes, visible};
use serde_json::value::RawValue;
use std::borrow::Cow;

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
    /// Its width in the table that is being drawn.
    pub width: usize,
    render: Option<fn(&str) -> Option<String>>,
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
        Self {
            name: name.into(),
            heading,
            importance,
            width: 0,
            render: None,
        }
    }

    /// Returns the column of a declared field.
    pub fn declared(field: &Field) -> Self {
        let column = Self::new(field.name);
        Self {
            heading: field.column.map_or(column.heading, String::from),
            render: field.render,
            ..column
        }
    }

    /// Returns the columns of a resource. A declared order is also the order of importance.
    pub fn all(resource: &Resource) -> Vec<Self> {
        let mut columns: Vec<Self> = resource.columns().map(Self::declared).collect();
        if !resource.column_order.is_empty() {
            columns.iter_mut().for_each(|column| column.importance = 0);
        }
        columns
    }

    /// Whether its values are never cut, because a part of an id or a time is wrong.
    pub fn is_fixed(&self) -> bool {
        matches!(last_word(&self.name), "id" | "ids" | "at")
    }

    /// Returns the text of its value in a record, escaped.
    pub fn cell(&self, members: &[Member<'_>], values: Values) -> String {
        let Some(raw) = last(members, &self.name).map(RawValue::get) else {
            return String::new();
        };
        let local = if values == Values::Sent {
            None
        } else {
            self.local(raw)
        };
        let text = local.or_else(|| self.render?(raw)).map(Cow::from);
        let text = text.or_else(|| simple(raw)).or_else(|| list(raw, values));
        visible(&text.unwrap_or_else(|| json::compact(raw).into())).into_owned()
    }

    fn local(&self, raw: &str) -> Option<String> {
        match last_word(&self.name) {
            "at" => serde_json::from_str(raw).ok().map(format_local),
            "bytes" => Some(format_bytes(raw.parse().ok()?)),
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

/// Returns the text of a list of simple values.
fn list(raw: &str, values: Values) -> Option<Cow<'_, str>> {
    let items = simple_items(raw)?;
    match items.as_slice() {
        [first, _, ..] if values == Values::Short => {
            Some(format!("{first} +{}", items.len() - 1).into())
        }
        _ => Some(items.join(", ").into()),
    }
}

/// Returns the columns of records whose resource is unknown: the fields that are text in any of them, in the order of
/// their appearance.
pub fn of_records(records: &[Record]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut are_text = Vec::new();
    for (name, raw) in records.iter().flat_map(Record::members) {
        let place = columns
            .iter()
            .position(|column| column.name == name)
            .unwrap_or_else(|| {
                columns.push(Column::new(&name));
                are_text.push(false);
                columns.len() - 1
            });
        are_text[place] |= raw.get() != "null" && is_text(raw.get());
    }
    // Without this, a record whose fields have no text would be an empty row.
    let any_is_text = are_text.contains(&true);
    let shown = columns
        .into_iter()
        .zip(are_text)
        .filter(|(_, is_text)| *is_text || !any_is_text);
    shown.map(|(column, _)| column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(records: &[&str]) -> String {
        let records: Vec<Record> = records
            .iter()
            .map(|text| Record::whole((*text).into()))
            .collect();
        of_records(&records)
            .into_iter()
            .map(|column| column.name)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn columns_of_unknown_records() {
        let record = r##"{"created_at":"x","color":"#fff","site_ids":["a","b"],"email":"e","state":"s","o":{},
            "site_url":"u","name":"n","id":1,"updated_at":null,"l":[{}]}"##;
        assert_eq!(
            columns(&[record]),
            "created_at color site_ids email state site_url name id"
        );
        assert_eq!(columns(&[r#"{"a":{}}"#]), "a");
        assert_eq!(
            columns(&[r#"{"a":null,"b":1}"#, r#"{"c":"x","a":2}"#]),
            "a b c"
        );
    }

    #[test]
    fn values_on_a_terminal_are_for_people() {
        let text = |name: &str, raw: &str, values| {
            let record = Record::whole(format!(r#"{{"{name}":{raw}}}"#));
            Column::new(name).cell(&record.members(), values)
        };
        let time = "\"2026-11-20T02:01:59.123Z\"";
        assert_eq!(
            text("created_at", time, Values::Sent),
            "2026-11-20T02:01:59.123Z"
        );
        assert_eq!(text("created_at", "\"soon\"", Values::Local), "soon");
        assert_eq!(
            text("created_at", time, Values::Local).len(),
            "2026-11-20 02:01".len()
        );
        assert_eq!(text("size_bytes", "41333332", Values::Sent), "41333332");
        assert_eq!(text("size_bytes", "41333332", Values::Local), "41.33 MB");
        assert_eq!(
            text("site_ids", r#"["a","b","c"]"#, Values::Local),
            "a, b, c"
        );
        assert_eq!(text("site_ids", r#"["a","b","c"]"#, Values::Short), "a +2");
        assert_eq!(text("site_ids", r#"["a"]"#, Values::Short), "a");
        assert_eq!(
            text("x", r#"{"b": [1 , 2]}"#, Values::Local),
            r#"{"b":[1,2]}"#
        );
    }
}
