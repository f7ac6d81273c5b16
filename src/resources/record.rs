//! A record exactly as the service sent it, read into only as far as needed.

use serde::de::{MapAccess, Visitor};
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

/// An object's members in their order.
///
/// # Errors
/// Where the text is not an object.
pub fn members(object: &str) -> Result<Vec<Member<'_>>, serde_json::Error> {
    serde_json::from_str::<Members<'_>>(object).map(|members| members.0)
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

/// Levels below which a value that no parser takes whole is taken apart.
const LEVELS: u32 = 64;

/// JSON that passes as raw text may still hold what no `Value` can: half of a surrogate pair, a number beyond every
/// double, more levels than the parser goes down. There the raw text stands for that one value: it must not make the
/// others vanish.
pub fn lenient(raw: &RawValue) -> Value {
    lenient_at(raw, LEVELS)
}

fn lenient_at(raw: &RawValue, levels: u32) -> Value {
    let text = raw.get();
    serde_json::from_str(text).unwrap_or_else(|_| {
        let apart = if levels > 0 { apart(text, levels - 1) } else { None };
        apart.unwrap_or_else(|| Value::String(unquoted(text).into_owned()))
    })
}

fn apart(text: &str, levels: u32) -> Option<Value> {
    match text.as_bytes().first()? {
        b'{' => {
            let members = members(text).ok()?;
            Some(members.into_iter().map(|(name, raw)| (name.into_owned(), lenient_at(raw, levels))).collect())
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            Some(items.into_iter().map(|raw| lenient_at(raw, levels)).collect())
        }
        _ => None,
    }
}

/// An object's members in their order, each value as it came.
struct Members<'r>(Vec<Member<'r>>);

impl<'de> serde::Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(16);
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
struct Name<'r>(Cow<'r, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Self(unquoted(raw.get())))
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
}
