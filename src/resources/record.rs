//! A record exactly as the service sent it, read into only as far as needed.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// One object of the service, verbatim: unknown fields, key order and long numbers survive. The records of one page
/// share its body, so that a record costs no copy.
#[derive(Debug, Clone)]
pub struct Record {
    body: Arc<String>,
    span: Range<usize>,
}

impl Record {
    /// Takes text that has been found to be JSON.
    pub fn new(raw: Box<RawValue>) -> Self {
        Self::whole(String::from(Box::<str>::from(raw)))
    }

    /// Takes text that was put together from JSON.
    pub fn whole(text: String) -> Self {
        Self { span: 0..text.len(), body: Arc::new(text) }
    }

    /// Takes the part of a body that has been found to be a value of its own.
    pub fn part(body: &Arc<String>, span: Range<usize>) -> Self {
        Self { body: Arc::clone(body), span }
    }

    /// The service's own text.
    pub fn json(&self) -> &str {
        &self.body[self.span.clone()]
    }

    /// The fields, in the service's order; none where it is not an object.
    pub fn fields(&self) -> Map<String, Value> {
        self.members().into_iter().map(|(name, raw)| (name.into_owned(), lenient(raw))).collect()
    }

    /// The value of a field, where there is one.
    pub fn value(&self, name: &str) -> Option<Value> {
        last(&self.members(), name).map(lenient)
    }

    /// A text field, or a number or boolean in the spelling it came in; none where it is absent or null.
    pub fn text(&self, name: &str) -> Option<String> {
        let raw = last(&self.members(), name)?.get();
        match raw.as_bytes().first()? {
            b'{' | b'[' | b'n' => None,
            _ => Some(unquoted(raw).into_owned()),
        }
    }

    /// The record's id.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// A list of ids or words; none where it is absent, or not a list of such throughout.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        self.value(name)?.as_array()?.iter().map(scalar).collect()
    }

    /// The fields as they came, in the service's order; none where it is not an object.
    pub fn members(&self) -> Vec<Member<'_>> {
        members(self.json()).unwrap_or_default()
    }
}

/// A member of an object: its name, and its value as it came.
pub type Member<'r> = (Cow<'r, str>, &'r RawValue);

/// Returns an object's members in their order.
///
/// # Errors
/// If the text is not an object.
pub fn members(object: &str) -> Result<Vec<Member<'_>>, serde_json::Error> {
    let mut members = Vec::with_capacity(16);
    let mut text = serde_json::Deserializer::from_str(object);
    Visit(|name, value| {
        members.push((name, value));
        true
    })
    .deserialize(&mut text)?;
    text.end().map(|()| members)
}

/// Returns the JSON text of an object's first `id`, unless it is null. What follows it is not read: among 100,000
/// records that is most of the work.
pub fn raw_id(object: &str) -> Option<&str> {
    let mut id = None;
    let find = Visit(|name: Cow<'_, str>, value| {
        id = (name == "id").then_some(value);
        id.is_none()
    });
    // The parser takes the unread rest for an error.
    let _ = find.deserialize(&mut serde_json::Deserializer::from_str(object));
    id.map(RawValue::get).filter(|id| *id != "null")
}

/// The value of the member of this name: of several, the last, as JSON readers have it.
pub fn last<'r>(members: &[Member<'r>], name: &str) -> Option<&'r RawValue> {
    members.iter().rev().find(|(known, _)| known == name).map(|(_, raw)| *raw)
}

/// The text of a JSON string, and any other value as it came. Where a string holds what no `String` can, such as half
/// of a surrogate pair, it stays as the service spelled it.
pub fn unquoted(raw: &str) -> Cow<'_, str> {
    let Some(inside) = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return raw.into() };
    match inside.contains('\\') {
        false => inside.into(),
        true => serde_json::from_str::<String>(raw).map_or(inside.into(), Cow::Owned),
    }
}

/// Reads a value. JSON that passes as raw text may still hold what no `Value` can, such as half of a surrogate pair or a
/// number beyond every double: there the raw text stands for the value, so that the others do not vanish.
fn lenient(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| Value::String(unquoted(raw.get()).into_owned()))
}

/// Passes an object's members to a function until it returns false.
struct Visit<F>(F);

impl<'r, F: FnMut(Cow<'r, str>, &'r RawValue) -> bool> DeserializeSeed<'r> for Visit<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'r>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'r, F: FnMut(Cow<'r, str>, &'r RawValue) -> bool> Visitor<'r> for Visit<F> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'r>>(mut self, mut map: A) -> Result<(), A::Error> {
        // Raw, because a name with half of a surrogate pair is no `String`.
        while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            if !self.0(unquoted(name.get()), value) {
                break;
            }
        }
        Ok(())
    }
}

/// The text of a value that is a single one.
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
        let raw: &RawValue = serde_json::from_str(self.json()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        Record::new(RawValue::from_string(text.into()).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    #[test]
    fn an_odd_value_does_not_hide_the_others() {
        let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
        for odd in [r#""caf\ud83d""#, "1e400", &deep] {
            let record = record(&format!(r#"{{"a":1,"odd":{odd},"id":"x","site_ids":["s1",2]}}"#));
            assert_eq!(record.id().as_deref(), Some("x"), "{odd}");
            assert_eq!(record.texts("site_ids"), Some(vec!["s1".to_string(), "2".into()]));
            assert_eq!(record.fields().keys().collect::<Vec<_>>(), ["a", "odd", "id", "site_ids"]);
        }
        let record = record(r#"{"caf\ud83d":1,"id":"x","\u0061b":2,"caf\ud83e":3}"#);
        assert_eq!((record.id().as_deref(), record.text("ab").as_deref()), (Some("x"), Some("2")));
        assert_eq!(record.fields().keys().collect::<Vec<_>>(), [r"caf\ud83d", "id", "ab", r"caf\ud83e"]);
    }

    #[test]
    fn a_list_is_only_believed_whole() {
        for sites in ["null", r#"[{"id":"s1"}]"#, r#"["s1",null]"#, r#""s1""#] {
            assert_eq!(record(&format!(r#"{{"site_ids":{sites}}}"#)).texts("site_ids"), None, "{sites}");
        }
        assert_eq!(record("{}").texts("site_ids"), None);
    }

    #[test]
    fn finds_the_id_wherever_it_is() {
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
