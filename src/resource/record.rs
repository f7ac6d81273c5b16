//! A record exactly as the service sent it, read into only as far as needed.

use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
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
        let text = String::from(Box::<str>::from(raw));
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
        self.members().into_iter().map(|(name, raw)| (name, lenient(raw))).collect()
    }

    /// The value of a field, where there is one.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.members().into_iter().rev().find(|(known, _)| known == name).map(|(_, raw)| lenient(raw))
    }

    /// A text field, or a number or boolean in the spelling it came in; none where it is absent or null.
    pub fn text(&self, name: &str) -> Option<String> {
        scalar(&self.value(name)?)
    }

    /// The record's id.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// A list of ids or words; none where it is absent, or not a list of such throughout.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        self.value(name)?.as_array()?.iter().map(scalar).collect()
    }

    fn members(&self) -> Vec<(String, &RawValue)> {
        members(self.json()).unwrap_or_default()
    }
}

/// An object's members in their order, each value as it came.
///
/// # Errors
/// Where the text is not an object.
pub fn members(object: &str) -> Result<Vec<(String, &RawValue)>, serde_json::Error> {
    serde_json::from_str::<Members<'_>>(object).map(|members| members.0)
}

/// Levels below which a value that no parser takes whole is taken apart.
const LEVELS: u32 = 64;

/// JSON that passes as raw text may still hold what no `Value` can: half of a surrogate pair, a number beyond every
/// double, more levels than the parser goes down. There the raw text stands for that one value: it must not make the
/// others vanish.
fn lenient(raw: &RawValue) -> Value {
    lenient_at(raw, LEVELS)
}

fn lenient_at(raw: &RawValue, levels: u32) -> Value {
    let text = raw.get();
    serde_json::from_str(text).unwrap_or_else(|_| {
        let apart = if levels > 0 { apart(text, levels - 1) } else { None };
        apart.unwrap_or_else(|| Value::String(text.trim_matches('"').to_string()))
    })
}

fn apart(text: &str, levels: u32) -> Option<Value> {
    match text.as_bytes().first()? {
        b'{' => {
            let members = members(text).ok()?;
            Some(members.into_iter().map(|(name, raw)| (name, lenient_at(raw, levels))).collect())
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            Some(items.into_iter().map(|raw| lenient_at(raw, levels)).collect())
        }
        _ => None,
    }
}

/// An object's members in their order, each value as it came.
struct Members<'r>(Vec<(String, &'r RawValue)>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// A member's name, also where it holds half of a surrogate pair, which no `String` can.
pub struct Name(pub String);

impl<'de> serde::Deserialize<'de> for Name {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lossy;
        impl Visitor<'_> for Lossy {
            type Value = Name;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a name")
            }

            fn visit_bytes<E: serde::de::Error>(self, name: &[u8]) -> Result<Name, E> {
                Ok(Name(String::from_utf8_lossy(name).into_owned()))
            }
        }
        deserializer.deserialize_bytes(Lossy)
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
        let record = record(r#"{"caf\ud83d":1,"id":"x","\u0061b":2}"#);
        assert_eq!((record.id().as_deref(), record.text("ab").as_deref()), (Some("x"), Some("2")));
    }

    #[test]
    fn a_list_is_only_believed_whole() {
        for sites in ["null", r#"[{"id":"s1"}]"#, r#"["s1",null]"#, r#""s1""#] {
            assert_eq!(record(&format!(r#"{{"site_ids":{sites}}}"#)).texts("site_ids"), None, "{sites}");
        }
        assert_eq!(record("{}").texts("site_ids"), None);
    }
}
