//! `--fields`, and the columns of a table and CSV: reduces a record to these fields before it is
//! formatted. Values stay as in the response.

use crate::resources::{
    Field, FieldSource, Member, Record, Table, allowed_hint, member_value, members,
};
use serde_json::value::RawValue;
use std::sync::Arc;

/// The selected fields.
pub struct Selection {
    fields: Vec<SelectedField>,
    /// The names of all fields of the first record, which warnings suggest; None before it.
    first_record_fields: Option<Vec<String>>,
}

struct SelectedField {
    name: String,
    source: FieldSource,
    /// Whether a record had the field.
    was_seen: bool,
}

impl Selection {
    /// Selects these fields, in this order. The fields of `table` have the sources that it
    /// declares.
    pub fn new(names: &Arc<[String]>, table: Option<&'static Table>) -> Self {
        let source = |name: &str| {
            let field = table.and_then(|table| table.field(name));
            field.map_or(FieldSource::Member, |field| field.source)
        };
        let fields = names.iter().map(|name| (name.clone(), source(name)));
        Self::from_fields(fields)
    }

    /// Selects all fields of a table.
    pub fn of_table(table: &'static Table) -> Self {
        let fields = table.fields.iter();
        Self::from_fields(fields.map(|Field { name, source, .. }| (name.to_string(), *source)))
    }

    fn from_fields(fields: impl Iterator<Item = (String, FieldSource)>) -> Self {
        let field = |(name, source)| SelectedField {
            name,
            source,
            was_seen: false,
        };
        Self {
            fields: fields.map(field).collect(),
            first_record_fields: None,
        }
    }

    /// Returns the record with only the selected fields; a missing field is null.
    pub fn reduce(&mut self, record: &Record) -> Record {
        let members = record.members();
        self.first_record_fields
            .get_or_insert_with(|| members.iter().map(|(name, _)| name.to_string()).collect());
        let mut text = String::with_capacity(record.json().len());
        for field in &mut self.fields {
            let computed;
            let value = match field.source {
                FieldSource::Member => find_value(&members, &field.name).map(RawValue::get),
                FieldSource::Path(path) => find_value(&members, path)
                    .map(RawValue::get)
                    .filter(|value| !value.starts_with(['{', '['])),
                FieldSource::Computed(compute) => {
                    computed = compute(record);
                    computed.as_deref()
                }
            };
            field.was_seen |= value.is_some();
            text.push(if text.is_empty() { '{' } else { ',' });
            text.push_str(&serde_json::Value::from(field.name.as_str()).to_string());
            text.push(':');
            text.push_str(value.unwrap_or("null"));
        }
        text.push('}');
        Record::from_json(text)
    }

    /// Returns a warning for each field that no record had.
    pub fn warnings(&self) -> Vec<String> {
        let Some(first_record_fields) = &self.first_record_fields else {
            return Vec::new();
        };
        let known: Vec<&str> = first_record_fields.iter().map(String::as_str).collect();
        let mut warnings = Vec::new();
        for SelectedField { name, .. } in self.fields.iter().filter(|field| !field.was_seen) {
            let suggestion = allowed_hint(name, &known);
            warnings.push(format!("no record has a field '{name}'; {suggestion}"));
        }
        warnings
    }
}

/// Returns the value of the field with exactly this name, else the value at this path,
/// such as `client.id`.
pub fn find_value<'r>(fields: &[Member<'r>], name: &str) -> Option<&'r RawValue> {
    if let Some(value) = member_value(fields, name) {
        return Some(value);
    }
    let (first, path) = name.split_once('.')?;
    let mut value = member_value(fields, first)?;
    for name in path.split('.') {
        let inner_fields = members(value.get()).ok()?;
        value = member_value(&inner_fields, name)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduce_all(names: &[&str], records: &[&str]) -> (Vec<String>, Vec<String>) {
        let names: Arc<[String]> = names.iter().map(ToString::to_string).collect();
        let mut selection = Selection::new(&names, None);
        let reduced = records
            .iter()
            .map(|text| {
                selection
                    .reduce(&Record::from_json((*text).into()))
                    .json()
                    .into()
            })
            .collect();
        (reduced, selection.warnings())
    }

    #[test]
    fn values_are_unchanged() {
        let record =
            r#"{"a":1,"big":12345678901234567890123,"x":{"y":{"z":"\u00e9"},"n":null},"a":2}"#;
        let (reduced, warnings) = reduce_all(&["x.y.z", "big", "a", "x.n", "x.y"], &[record]);
        let expected = r#"{"x.y.z":"\u00e9","big":12345678901234567890123,"a":2,"x.n":null,"x.y":{"z":"\u00e9"}}"#;
        assert_eq!((reduced, warnings), (vec![expected.to_string()], vec![]));
        assert_eq!(
            reduce_all(&["a.b"], &[r#"{"a":{"b":1},"a.b":2}"#]).0,
            [r#"{"a.b":2}"#]
        );
    }

    #[test]
    fn fields_without_a_record_are_reported() {
        let records = [r#"{"id":1,"email":"x"}"#, r#"{"id":2,"note":"y"}"#, "7"];
        let (reduced, warnings) = reduce_all(&["note", "emial", "id.x", "id.0"], &records);
        assert_eq!(
            reduced[0],
            r#"{"note":null,"emial":null,"id.x":null,"id.0":null}"#
        );
        assert_eq!(warnings.len(), 3);
        assert_eq!(
            warnings[0],
            "no record has a field 'emial'; did you mean 'email'? use one of: id, email"
        );
        assert!(
            reduce_all(&["x"], &[]).1.is_empty(),
            "an empty list causes no warning"
        );
    }
}
