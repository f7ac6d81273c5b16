//! Records as raw JSON, of which only the needed parts are parsed.

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// One object of a response, unchanged: unknown fields, key order and long numbers survive. The records of a page share
/// its body, so that a record needs no copy.
#[derive(Debug, Clone)]
pub struct Record {
    body: Arc<String>,
    span: Range<usize>,
}

impl Record {
    /// Wraps valid JSON.
    pub fn new(raw: Box<RawValue>) -> Self {
        Self::whole(String::from(Box::<str>::from(raw)))
    }

    /// Wraps text that was composed from valid JSON.
    pub fn whole(text: String) -> Self {
        Self {
            span: 0..text.len(),
            body: Arc::new(text),
        }
    }

    /// Wraps the part of a body that is a value.
    pub fn part(body: &Arc<String>, span: Range<usize>) -> Self {
        Self {
            body: Arc::clone(body),
            span,
        }
    }

    /// Returns the JSON text.
    pub fn json(&self) -> &str {
        &self.body[self.span.clone()]
    }

    /// Returns the fields in their order; none if it is not an object.
    pub fn fields(&self) -> Map<String, Value> {
        self.members()
            .into_iter()
            .map(|(name, raw)| (name.into_owned(), lenient(raw)))
            .collect()
    }

    /// Returns the value of a field.
    pub fn value(&self, name: &str) -> Option<Value> {
        last(&self.members(), name).map(lenient)
    }

    /// Returns the text of a field, or its number or boolean as it is spelled; none if it is absent or null.
    pub fn text(&self, name: &str) -> Option<String> {
        let raw = last(&self.members(), name)?.get();
        match raw.as_bytes().first()? {
            b'{' | b'[' | b'n' => None,
            _ => Some(unquoted(raw).into_owned()),
        }
    }

    /// Returns its id.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// Returns a list of ids or words; none if it is absent or has other items.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        self.value(name)?.as_array()?.iter().map(scalar).collect()
    }

    /// Returns the fields as raw JSON in their order; none if it is not an object.
    pub fn members(&self) -> Vec<Member<'_>> {
        members(self.json()).unwrap_or_default()
    }
}

/// A member of an object: its name and its raw value.
pub type Member<'r> = (Cow<'r, str>, &'r RawValue);

/// Returns an object's members in their order.
///
/// # Errors
/// If the text is not an object.
pub fn members(object: &str) -> Result<Vec<Member<'_>>, serde_json::Error> {
    members_and_items(object, None).map(|(members, _)| members)
}

/// The members of an object without its list, and the items of the list.
pub type MembersAndItems<'r> = (Vec<Member<'r>>, Option<Vec<&'r RawValue>>);

/// Returns an object's members in their order, and the items of the list with this name among them, in one pass.
///
/// # Errors
/// If the text is not an object, or the member with this name is not a list.
pub fn members_and_items<'r>(
    object: &'r str,
    list: Option<&str>,
) -> Result<MembersAndItems<'r>, serde_json::Error> {
    let mut text = serde_json::Deserializer::from_str(object);
    let found = text.deserialize_map(Members { list })?;
    text.end().map(|()| found)
}

/// Returns the JSON text of an object's first `id`, unless it is null. It doesn't read the rest, because that would be
/// most of the work for 100,000 records.
pub fn raw_id(object: &str) -> Option<&str> {
    let mut rest = object.strip_prefix('{')?;
    loop {
        let (name, after) = first_value(rest)?;
        let (value, after) = first_value(after.strip_prefix(':')?)?;
        if unquoted(name) == "id" {
            return Some(value).filter(|id| *id != "null");
        }
        rest = after.strip_prefix(',')?;
    }
}

/// Returns the first JSON value of a text, and the text after it.
fn first_value(text: &str) -> Option<(&str, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let value = values.next()?.ok()?;
    Some((value.get(), text[values.byte_offset()..].trim_start()))
}

/// Returns the value of the last member with this name, as JSON readers do.
pub fn last<'r>(members: &[Member<'r>], name: &str) -> Option<&'r RawValue> {
    members
        .iter()
        .rev()
        .find(|(known, _)| known == name)
        .map(|(_, raw)| *raw)
}

/// Returns the text of a JSON string, and any other value unchanged. A string that no `String` can hold, such as half
/// of a surrogate pair, stays as it is spelled.
pub fn unquoted(raw: &str) -> Cow<'_, str> {
    let Some(inside) = raw
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    else {
        return raw.into();
    };
    match memchr::memchr(b'\\', inside.as_bytes()) {
        None => inside.into(),
        Some(_) => serde_json::from_str::<String>(raw).map_or(inside.into(), Cow::Owned),
    }
}

/// Parses a value. If no `Value` can hold it, such as half of a surrogate pair or a huge number, its text is the value,
/// so that other fields can be read.
fn lenient(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get())
        .unwrap_or_else(|_| Value::String(unquoted(raw.get()).into_owned()))
}

struct Members<'n> {
    list: Option<&'n str>,
}

impl<'r> Visitor<'r> for Members<'_> {
    type Value = MembersAndItems<'r>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'r>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut members, mut items) = (Vec::with_capacity(16), None);
        // Raw, because a name with half of a surrogate pair is no `String`.
        while let Some(name) = map.next_key::<&RawValue>()? {
            match unquoted(name.get()) {
                name if Some(&*name) == self.list => items = Some(map.next_value()?),
                name => members.push((name, map.next_value()?)),
            }
        }
        Ok((members, items))
    }
}

/// Returns the text of a value that is not a list, an object or null.
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

impl serde::Serialize for Record {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue =
            serde_json::from_str(self.json()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        Record::new(
            RawValue::from_string(text.into()).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        )
    }

    #[test]
    fn an_odd_value_does_not_hide_the_others() {
        let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
        for odd in [r#""caf\ud83d""#, "1e400", &deep] {
            let record = record(&format!(
                r#"{{"a":1,"odd":{odd},"id":"x","site_ids":["s1",2]}}"#
            ));
            assert_eq!(record.id().as_deref(), Some("x"), "{odd}");
            assert_eq!(
                record.texts("site_ids"),
                Some(vec!["s1".to_string(), "2".into()])
            );
            assert_eq!(
                record.fields().keys().collect::<Vec<_>>(),
                ["a", "odd", "id", "site_ids"]
            );
        }
        let record = record(r#"{"caf\ud83d":1,"id":"x","\u0061b":2,"caf\ud83e":3}"#);
        assert_eq!(
            (record.id().as_deref(), record.text("ab").as_deref()),
            (Some("x"), Some("2"))
        );
        assert_eq!(
            record.fields().keys().collect::<Vec<_>>(),
            [r"caf\ud83d", "id", "ab", r"caf\ud83e"]
        );
    }

    #[test]
    fn a_list_with_other_items_is_no_list_of_ids() {
        for sites in ["null", r#"[{"id":"s1"}]"#, r#"["s1",null]"#, r#""s1""#] {
            assert_eq!(
                record(&format!(r#"{{"site_ids":{sites}}}"#)).texts("site_ids"),
                None,
                "{sites}"
            );
        }
        assert_eq!(record("{}").texts("site_ids"), None);
    }

    #[test]
    fn the_id_is_found_in_any_place() {
        let cases = [
            (r#"{"id":"a","x":1}"#, Some(r#""a""#)),
            (r#"{ "x" : {"id":"no"} , "i\u0064" : 7 }"#, Some("7")),
            (r#"{"caf\ud83d":1,"id":"x"}"#, Some(r#""x""#)),
            (r#"{"id":null}"#, None),
            (r#"{"ID":"a"}"#, None),
            ("{}", None),
            ("[]", None),
        ];
        for (object, id) in cases {
            assert_eq!(raw_id(object), id, "{object}");
        }
    }
}
