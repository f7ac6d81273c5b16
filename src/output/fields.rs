//! `--fields`: reduces a record to these fields before it is formatted. Values stay as in the response.

use crate::resources::{Member, Record, allowed_hint, last, members};
use serde_json::value::RawValue;
use std::sync::Arc;

/// The fields, and if any record had them.
pub struct Selection {
    names: Arc<[String]>,
    seen: Vec<bool>,
    /// The names that the first record had; none without records.
    known: Option<Vec<String>>,
}

impl Selection {
    /// Selects these fields, in this order.
    pub fn new(names: &Arc<[String]>) -> Self {
        Self {
            names: Arc::clone(names),
            seen: vec![false; names.len()],
            known: None,
        }
    }

    /// Returns the record with only these fields; a missing field is null.
    pub fn of(&mut self, record: &Record) -> Record {
        let members = record.members();
        self.known
            .get_or_insert_with(|| members.iter().map(|(name, _)| name.to_string()).collect());
        let mut text = String::with_capacity(record.json().len());
        for (name, seen) in self.names.iter().zip(&mut self.seen) {
            let found = find(&members, name);
            *seen |= found.is_some();
            text.push(if text.is_empty() { '{' } else { ',' });
            text.push_str(&serde_json::Value::from(name.as_str()).to_string());
            text.push(':');
            text.push_str(found.map_or("null", RawValue::get));
        }
        text.push('}');
        Record::whole(text)
    }

    /// Returns a warning for each field that no record had.
    pub fn missed(&self) -> Vec<String> {
        let Some(known) = &self.known else {
            return Vec::new();
        };
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let missed = self
            .names
            .iter()
            .zip(&self.seen)
            .filter(|(_, seen)| !**seen);
        missed
            .map(|(name, _)| {
                format!(
                    "no record has a field '{name}'; {}",
                    allowed_hint(name, &known)
                )
            })
            .collect()
    }
}

/// Returns the field with exactly this name, else the value at this path.
pub(super) fn find<'r>(members_of: &[Member<'r>], name: &str) -> Option<&'r RawValue> {
    last(members_of, name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        rest.split('.')
            .try_fold(last(members_of, first)?, |value, name| {
                last(&members(value.get()).ok()?, name)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(names: &[&str], records: &[&str]) -> (Vec<String>, Vec<String>) {
        let names: Arc<[String]> = names.iter().map(ToString::to_string).collect();
        let mut selection = Selection::new(&names);
        let chosen = records
            .iter()
            .map(|text| selection.of(&Record::whole((*text).into())).json().into())
            .collect();
        (chosen, selection.missed())
    }

    #[test]
    fn values_are_unchanged() {
        let record =
            r#"{"a":1,"big":12345678901234567890123,"x":{"y":{"z":"\u00e9"},"n":null},"a":2}"#;
        let (chosen, missed) = choose(&["x.y.z", "big", "a", "x.n", "x.y"], &[record]);
        let wanted = r#"{"x.y.z":"\u00e9","big":12345678901234567890123,"a":2,"x.n":null,"x.y":{"z":"\u00e9"}}"#;
        assert_eq!((chosen, missed), (vec![wanted.to_string()], vec![]));
        assert_eq!(
            choose(&["a.b"], &[r#"{"a":{"b":1},"a.b":2}"#]).0,
            [r#"{"a.b":2}"#]
        );
    }

    #[test]
    fn fields_without_a_record_are_reported() {
        let records = [r#"{"id":1,"email":"x"}"#, r#"{"id":2,"note":"y"}"#, "7"];
        let (chosen, missed) = choose(&["note", "emial", "id.x", "id.0"], &records);
        assert_eq!(
            chosen[0],
            r#"{"note":null,"emial":null,"id.x":null,"id.0":null}"#
        );
        assert_eq!(missed.len(), 3);
        assert_eq!(
            missed[0],
            "no record has a field 'emial'; did you mean 'email'? use one of: id, email"
        );
        assert!(
            choose(&["x"], &[]).1.is_empty(),
            "an empty list causes no warning"
        );
    }
}
