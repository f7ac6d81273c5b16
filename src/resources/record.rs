//! Records as raw JSON, of which only the needed parts are parsed.

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// One object of a response, unchanged: unknown fields, key order and long numbers survive. The
/// records of a page share its body, so that a record needs no copy.
#[derive(Debug, Clone)]
pub struct Record {
    body: Arc<String>,
    span: Range<usize>,
}

impl Record {
    pub fn new(json: Box<RawValue>) -> Self {
        Self::from_json(String::from(Box::<str>::from(json)))
    }

    /// Wraps text that was composed from valid JSON.
    pub fn from_json(json: String) -> Self {
        Self {
            span: 0..json.len(),
            body: Arc::new(json),
        }
    }

    /// Wraps the value in this part of a body, without a copy.
    pub fn from_body(body: &Arc<String>, span: Range<usize>) -> Self {
        Self {
            body: Arc::clone(body),
            span,
        }
    }

    pub fn json(&self) -> &str {
        &self.body[self.span.clone()]
    }

    /// Returns the parsed fields in their order; empty if the record is not an object.
    pub fn fields(&self) -> Map<String, Value> {
        let members = self.members();
        let mut fields = Map::with_capacity(members.len());
        for (name, json) in members {
            fields.insert(name.into_owned(), parse_leniently(json));
        }
        fields
    }

    /// Returns the value of a field; None if it is absent.
    pub fn value(&self, name: &str) -> Option<Value> {
        member_value(&self.members(), name).map(parse_leniently)
    }

    /// Returns the text of a field, or its number or boolean as it is spelled; None if it is
    /// absent, null, a list or an object.
    pub fn text(&self, name: &str) -> Option<String> {
        let json = member_value(&self.members(), name)?.get();
        match json.as_bytes().first()? {
            b'{' | b'[' | b'n' => None,
            _ => Some(unquote(json).into_owned()),
        }
    }

    /// Returns the text at a path, such as `security.scanner.status`, as [`Self::text`] does.
    pub fn text_at(&self, path: &str) -> Option<String> {
        let (names, name) = path.rsplit_once('.').unwrap_or(("", path));
        let mut object = self.clone();
        for name in names.split('.').filter(|name| !name.is_empty()) {
            let nested = member_value(&object.members(), name)?.to_owned();
            object = Self::new(nested);
        }
        object.text(name)
    }

    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// Returns the record with this id as its first field.
    pub fn with_id(&self, id: &str) -> Self {
        let mut members = vec![format!("\"id\":{}", Value::from(id))];
        for (name, json) in self.members() {
            if name != "id" {
                members.push(format!("{}:{json}", Value::from(&*name)));
            }
        }
        Self::from_json(format!("{{{}}}", members.join(",")))
    }

    /// Returns the items of a list of ids or words; None if the field is absent, is not a list, or
    /// has other items.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        let value = self.value(name)?;
        value.as_array()?.iter().map(scalar_text).collect()
    }

    /// Returns the fields as raw JSON in their order; empty if the record is not an object.
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
    let (members, _) = members_and_items(object, None)?;
    Ok(members)
}

/// The members of an object without one list, and the items of this list; None if it is absent.
pub type MembersAndItems<'r> = (Vec<Member<'r>>, Option<Vec<&'r RawValue>>);

/// Returns an object's members in their order, except the member named `list`, and the items of
/// that member, in one pass.
///
/// # Errors
/// If the text is not an object, or the member with this name is not a list.
pub fn members_and_items<'r>(
    object: &'r str,
    list: Option<&str>,
) -> Result<MembersAndItems<'r>, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(object);
    let members_and_items = json.deserialize_map(MembersVisitor { list })?;
    json.end()?;
    Ok(members_and_items)
}

/// Returns the JSON text of an object's first member with this name; None if it is absent or null.
/// The members after it are not read, because that would be most of the work for a long list.
pub fn raw_member<'r>(object: &'r str, name: &str) -> Option<&'r str> {
    let mut rest = object.strip_prefix('{')?;
    loop {
        let (raw_name, after_name) = split_first_value(rest)?;
        let (value, after_value) = split_first_value(after_name.strip_prefix(':')?)?;
        if unquote(raw_name) == name {
            return Some(value).filter(|value| *value != "null");
        }
        rest = after_value.strip_prefix(',')?;
    }
}

/// Splits a text into its first JSON value and the text after it.
pub fn split_first_value(text: &str) -> Option<(&str, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let value = values.next()?.ok()?;
    Some((value.get(), text[values.byte_offset()..].trim_start()))
}

/// Returns the value of the last member with this name, because most JSON readers use the last one.
pub fn member_value<'r>(members: &[Member<'r>], name: &str) -> Option<&'r RawValue> {
    for (known, value) in members.iter().rev() {
        if known == name {
            return Some(value);
        }
    }
    None
}

/// Returns the text of a JSON string, and any other value unchanged. A string that no `String` can
/// hold, such as half of a surrogate pair, keeps its escapes, without the quotes.
pub fn unquote(json: &str) -> Cow<'_, str> {
    let quoted = json
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let Some(inside) = quoted else {
        return json.into();
    };
    if memchr::memchr(b'\\', inside.as_bytes()).is_none() {
        return inside.into();
    }
    match serde_json::from_str::<String>(json) {
        Ok(text) => text.into(),
        Err(_) => inside.into(),
    }
}

/// Parses a value. If no `Value` can hold it, such as half of a surrogate pair or a huge number,
/// its text is the value, so that other fields can be read.
fn parse_leniently(json: &RawValue) -> Value {
    let json = json.get();
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(unquote(json).into_owned()))
}

/// Reads the members of an object, and the items of the member named `list`.
struct MembersVisitor<'n> {
    list: Option<&'n str>,
}

impl<'r> Visitor<'r> for MembersVisitor<'_> {
    type Value = MembersAndItems<'r>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'r>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::with_capacity(16);
        let mut items = None;
        // Names are read raw, because half of a surrogate pair in a name is no `String`.
        while let Some(raw_name) = map.next_key::<&RawValue>()? {
            let name = unquote(raw_name.get());
            if Some(&*name) == self.list {
                items = Some(map.next_value()?);
            } else {
                members.push((name, map.next_value()?));
            }
        }
        Ok((members, items))
    }
}

/// Returns the text of a value that is not a list, an object or null.
pub fn scalar_text(value: &Value) -> Option<String> {
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
            assert_eq!(raw_member(object, "id"), id, "{object}");
        }
    }
}
