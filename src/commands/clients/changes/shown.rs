//! Whether a record shows what was sent: how the outcome of a change is known whose answer was lost. A service may keep
//! a text without some of its white space, and an email in another case: that counts as what was sent.

use crate::resource::{Record, scalar};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How much of what was sent a record shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Every field.
    All,
    /// Every field, and more sites than were sent.
    More,
    /// Some fields, and some not; or nothing is told of any.
    Some,
    /// No field.
    None,
}

/// How much of what was sent the record shows. Fields that it lacks tell nothing.
pub fn shown(record: &Record, sent: &Map<String, Value>) -> Shown {
    let found = record.fields();
    let signs: Vec<Shown> =
        sent.iter().filter_map(|(name, wanted)| Some(sign(name, found.get(name)?, wanted))).collect();
    let all = |kinds: &[Shown]| signs.iter().all(|sign| kinds.contains(sign));
    match () {
        () if signs.is_empty() => Shown::Some,
        () if all(&[Shown::All]) => Shown::All,
        () if all(&[Shown::All, Shown::More]) => Shown::More,
        () if all(&[Shown::None]) => Shown::None,
        () => Shown::Some,
    }
}

fn sign(name: &str, found: &Value, wanted: &Value) -> Shown {
    let Value::Array(wanted) = wanted else {
        let squashed = |value: &Value| squash(name, &scalar(value).unwrap_or_default());
        return if squashed(found) == squashed(wanted) { Shown::All } else { Shown::None };
    };
    let set = |items: &[Value]| items.iter().filter_map(scalar).collect::<BTreeSet<_>>();
    let (found, wanted) = (found.as_array().map(|found| set(found)).unwrap_or_default(), set(wanted));
    match () {
        () if found == wanted => Shown::All,
        () if found.is_superset(&wanted) => Shown::More,
        () => Shown::None,
    }
}

fn squash(name: &str, text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name == "email" { words.to_lowercase() } else { words }
}

/// Whether a client is as it was, as far as both records tell.
pub fn unchanged(before: &Record, after: &Record) -> bool {
    let after = after.fields();
    before.fields().iter().all(|(name, value)| after.get(name).is_none_or(|now| now == value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_record_shows() {
        let record = Record::whole(
            json!({"email": "ada@x.example", "note": "two words", "last_name": null, "site_ids": [1, "b"]}).to_string(),
        );
        for (sent, expected) in [
            (
                json!({"email": "Ada@x.example", "note": " two  words\n", "last_name": "", "site_ids": ["b", "1"]}),
                Shown::All,
            ),
            (json!({"note": "two words", "address": "untold"}), Shown::All),
            (json!({"note": "two words", "site_ids": ["b"]}), Shown::More),
            (json!({"note": "other", "site_ids": ["b"]}), Shown::Some),
            (json!({"note": "Two words", "site_ids": ["c"]}), Shown::None),
            (json!({"address": "untold"}), Shown::Some),
        ] {
            assert_eq!(shown(&record, sent.as_object().unwrap_or(&Map::new())), expected, "{sent}");
        }
    }

    #[test]
    fn a_client_is_as_it_was() {
        let record = |value: Value| Record::whole(value.to_string());
        let before = record(json!({"id": "1", "note": "n", "updated_at": "t"}));
        assert!(unchanged(&before, &record(json!({"note": "n", "id": "1"}))));
        assert!(!unchanged(&before, &record(json!({"id": "1", "note": "n", "updated_at": "u"}))));
    }
}
