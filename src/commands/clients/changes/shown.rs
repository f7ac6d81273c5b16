//! What a record shows of what was sent: how the outcome of a change is known whose answer was lost. Nothing is taken
//! for done that could have been so before.

use super::differences;
use crate::resource::{Record, scalar};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What a record shows of one field that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// It, to the letter.
    Same,
    /// It but for white space, or for the case of an email: a service may keep it so.
    Alike,
    /// The sites that were sent, and others.
    More,
    /// Something else.
    Other,
    /// Nothing: the record lacks the field.
    Untold,
}

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It was made.
    Made,
    /// It was not made.
    NotMade,
    /// Nobody knows.
    Unknown,
}

/// Whether an update was made, from the client as it is now and, where that is known, as it was before.
pub fn updated(before: Option<&Record>, now: &Record, sent: &Map<String, Value>) -> Verdict {
    let signs = signs(now, sent);
    let all = |kinds: &[Sign]| signs.iter().all(|sign| kinds.contains(sign));
    let Some(before) = before else {
        return match () {
            () if all(&[Sign::Same]) => Verdict::Made,
            () if all(&[Sign::Other, Sign::Untold]) && signs.contains(&Sign::Other) => Verdict::NotMade,
            () => Verdict::Unknown,
        };
    };
    let dated = [before, now].iter().all(|record| record.text("updated_at").is_some());
    match unchanged(before, now) {
        _ if all(&[Sign::Same]) => Verdict::Made,
        // A change that a service keeps otherwise may not show, but in the time of the last one.
        true if dated || signs.contains(&Sign::Other) => Verdict::NotMade,
        true => Verdict::Unknown,
        false if all(&[Sign::Untold]) || signs.contains(&Sign::Other) => Verdict::Unknown,
        false => Verdict::Made,
    }
}

/// Whether a client was created, from the one that has its email now. `absent`: there was none shortly before.
pub fn created(absent: bool, now: &Record, sent: &Map<String, Value>) -> Verdict {
    // It was found by its email, in whatever case the service keeps that.
    let others: Map<_, _> =
        sent.iter().filter(|(name, _)| *name != "email").map(|(n, v)| (n.clone(), v.clone())).collect();
    let signs = signs(now, &others);
    let all = |kinds: &[Sign]| signs.iter().all(|sign| kinds.contains(sign));
    match () {
        () if all(&[Sign::Same]) => Verdict::Made,
        () if absent && all(&[Sign::Same, Sign::Alike, Sign::Untold]) => Verdict::Made,
        () if signs.contains(&Sign::Other) || signs.contains(&Sign::More) => Verdict::NotMade,
        () => Verdict::Unknown,
    }
}

fn signs(record: &Record, sent: &Map<String, Value>) -> Vec<Sign> {
    let found = record.fields();
    let differ = differences(record, sent);
    let sign = |(name, wanted): (&String, &Value)| match found.get(name) {
        // What is empty may well be left out.
        None if !is_empty(wanted) => Sign::Untold,
        _ if !differ.iter().any(|change| change.field == *name) => Sign::Same,
        found => like(name, found.unwrap_or(&Value::Null), wanted),
    };
    sent.iter().map(sign).collect()
}

fn like(name: &str, found: &Value, wanted: &Value) -> Sign {
    let Value::Array(wanted) = wanted else {
        let squashed = |value: &Value| squash(name, &scalar(value).unwrap_or_default());
        return if squashed(found) == squashed(wanted) { Sign::Alike } else { Sign::Other };
    };
    let set = |items: &[Value]| items.iter().filter_map(scalar).collect::<BTreeSet<_>>();
    let found = found.as_array().map(|found| set(found)).unwrap_or_default();
    if found.is_superset(&set(wanted)) { Sign::More } else { Sign::Other }
}

fn squash(name: &str, text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name == "email" { words.to_lowercase() } else { words }
}

fn is_empty(value: &Value) -> bool {
    value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty)
}

/// Whether a client is as it was, as far as both records tell.
fn unchanged(before: &Record, now: &Record) -> bool {
    let now = now.fields();
    before.fields().iter().all(|(name, value)| now.get(name).is_none_or(|now| now == value))
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Made, NotMade, Unknown};
    use super::*;
    use serde_json::json;

    fn record(value: Value) -> Record {
        Record::whole(value.to_string())
    }

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn without_knowing_what_was_before() {
        let now =
            record(json!({"email": "ada@x.example", "note": "two words", "last_name": null, "site_ids": [1, "b"]}));
        for (sent, expected) in [
            (json!({"email": "ada@x.example", "note": "two words", "last_name": "", "site_ids": ["b", "1"]}), Made),
            (json!({"note": "two words", "address": ""}), Made),
            // It may have been like this before.
            (json!({"email": "Ada@x.example"}), Unknown),
            (json!({"note": "two  words"}), Unknown),
            (json!({"note": "two words", "address": "untold"}), Unknown),
            (json!({"address": "untold"}), Unknown),
            (json!({"site_ids": ["b"]}), Unknown),
            (json!({"note": "other", "email": "ada@x.example"}), Unknown),
            (json!({"note": "other", "site_ids": ["c"]}), NotMade),
        ] {
            assert_eq!(updated(None, &now, &map(sent.clone())), expected, "{sent}");
        }
    }

    #[test]
    fn knowing_what_was_before() {
        let client = |note: &str, sites: Value, at: &str| {
            record(json!({"id": "1", "email": "ada@x.example", "note": note, "site_ids": sites, "updated_at": at}))
        };
        let before = client("old", json!(["s1"]), "t0");
        for (now, sent, expected) in [
            (client("old", json!(["s1"]), "t0"), json!({"note": "new"}), NotMade),
            (client("old", json!(["s1"]), "t0"), json!({"note": "old"}), Made),
            (client("old", json!(["s1"]), "t0"), json!({"email": "Ada@x.example"}), NotMade),
            (client("old", json!(["s1"]), "t1"), json!({"email": "Ada@x.example"}), Made),
            (client("old", json!(["s1", "s2"]), "t1"), json!({"site_ids": ["s2"]}), Made),
            (client("other", json!(["s1"]), "t1"), json!({"note": "new"}), Unknown),
            (client("old", json!(["s1"]), "t1"), json!({"address": "untold"}), Unknown),
        ] {
            assert_eq!(updated(Some(&before), &now, &map(sent.clone())), expected, "{sent}");
        }
        let undated = || record(json!({"id": "1", "email": "ada@x.example", "note": "old"}));
        for (sent, expected) in
            [(json!({"email": "Ada@x.example"}), Unknown), (json!({"email": "Ada@x.example", "note": "new"}), NotMade)]
        {
            assert_eq!(updated(Some(&undated()), &undated(), &map(sent.clone())), expected, "{sent}");
        }
    }

    #[test]
    fn a_client_that_is_there_may_have_been_there_before() {
        let now = record(json!({"email": "ada@x.example", "first_name": "Ada", "note": "a b"}));
        for (sent, before_unknown, absent) in [
            (json!({"email": "Ada@x.example", "first_name": "Ada", "note": "a b", "site_ids": []}), Made, Made),
            (json!({"email": "ada@x.example", "first_name": "Ada", "note": "a  b"}), Unknown, Made),
            (json!({"email": "ada@x.example", "first_name": "Ada", "address": "untold"}), Unknown, Made),
            (json!({"email": "ada@x.example", "first_name": "Eve"}), NotMade, NotMade),
        ] {
            let told = [false, true].map(|absent| created(absent, &now, &map(sent.clone())));
            assert_eq!(told, [before_unknown, absent], "{sent}");
        }
    }
}
