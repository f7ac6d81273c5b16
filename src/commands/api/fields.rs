//! Parses the keys and values of `-f`, `-F`, `--filter` and `--sort`, and builds the JSON object of the first two.

use crate::error::{Error, Result};
use crate::resources::query::{filter, sort, wire};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A key and its value.
#[derive(Debug, Clone)]
pub struct Field {
    /// The key, or the query parameter of a flag.
    pub key: String,
    /// The value in a query.
    pub text: String,
    /// The value in a body, as raw JSON so that numbers keep every digit. None if the field is always in the query.
    pub json: Option<Box<RawValue>>,
    /// The name of the field in error details: the last name of the key.
    pub param: String,
    /// The flag, such as `-f client[email]`.
    pub flag: String,
}

impl Field {
    /// Parses `-f KEY=VALUE`.
    pub fn string(typed: &str) -> Result<Self, String> {
        let (key, value) = split(typed)?;
        let json = serde_json::value::to_raw_value(value).map_err(|error| error.to_string())?;
        Ok(Self::new(key, value, Some(json), format!("-f {key}")))
    }

    /// Parses `-F KEY=JSON`.
    pub fn json(typed: &str) -> Result<Self, String> {
        let (key, value) = split(typed)?;
        let json: &RawValue = serde_json::from_str(value)
            .map_err(|_| format!("'{value}' is not JSON; use -f for text"))?;
        let text = serde_json::from_str::<String>(value).unwrap_or_else(|_| json.get().into());
        Ok(Self::new(
            key,
            &text,
            Some(json.to_owned()),
            format!("-F {key}"),
        ))
    }

    /// Parses `--filter FIELD:OP=VALUE`. The fields and operators of the endpoint are unknown.
    pub fn filter(typed: &str) -> Result<Self, String> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['[', ']', ':']);
        match filter::split_filter(typed)
            .filter(|(field, operator, _)| is_name(field) && is_name(operator))
        {
            Some((_, _, value)) if value.trim().is_empty() => Err("the value is empty".into()),
            Some((field, operator, value)) => {
                let filter = Self::new(
                    &wire::filter_parameter(field, operator),
                    value,
                    None,
                    "--filter".into(),
                );
                Ok(Self {
                    param: field.into(),
                    ..filter
                })
            }
            None => Err("expected FIELD:OP=VALUE, such as name:contains=example".into()),
        }
    }

    /// Parses `--sort FIELD[,asc|desc]`.
    pub fn sort(typed: &str) -> Result<Self, String> {
        let (field, direction) = sort::split_sort(typed);
        if field.is_empty() {
            return Err("expected FIELD[,asc|desc], such as name,desc".into());
        }
        let value = sort::sort_value(field, direction).map_err(|error| error.message.clone())?;
        Ok(Self::new(wire::SORT, &value, None, "--sort".into()))
    }

    fn new(key: &str, text: &str, json: Option<Box<RawValue>>, flag: String) -> Self {
        let param = key
            .split(['[', ']'])
            .rfind(|part| !part.is_empty())
            .unwrap_or_default();
        Self {
            key: key.into(),
            text: text.into(),
            json,
            param: param.into(),
            flag,
        }
    }
}

fn split(typed: &str) -> Result<(&str, &str), String> {
    let parts = typed
        .split_once('=')
        .filter(|(key, _)| !key.trim().is_empty());
    parts.ok_or_else(|| "expected KEY=VALUE".into())
}

/// A node of the object.
#[derive(Serialize)]
#[serde(untagged)]
enum Node<'f> {
    Value(&'f RawValue),
    Object(BTreeMap<&'f str, Node<'f>>),
    Array(Vec<Node<'f>>),
}

/// Returns the JSON object of the fields; none without fields.
///
/// # Errors
/// `Usage` if a key is invalid or contradicts an earlier key.
pub fn object(fields: &[&Field]) -> Result<Option<String>> {
    let mut root = None;
    for (field, json) in fields
        .iter()
        .filter_map(|field| Some((field, field.json.as_deref()?)))
    {
        let names = names(&field.key).ok_or_else(|| {
            Error::usage(format!(
                "{}: invalid key; expected name, name[member] or name[]",
                field.flag
            ))
            .with_hint("quote the key: -f 'client[email]=ada@example.com'")
        })?;
        put(&mut root, &names, json).ok_or_else(|| {
            Error::usage(format!("{} contradicts an earlier field", field.flag))
                .with_hint("pass the complete body as JSON with --input -")
        })?;
    }
    Ok(root.map(|root| serde_json::to_string(&root)).transpose()?)
}

/// Returns the names in a key such as `client[email]` or `ids[]`, of which the last is empty.
fn names(key: &str) -> Option<Vec<&str>> {
    let (name, rest) = key.split_at(key.find('[').unwrap_or(key.len()));
    let members = rest
        .split_inclusive(']')
        .map(|part| part.strip_prefix('[')?.strip_suffix(']'));
    let names = std::iter::once(Some(name))
        .chain(members)
        .collect::<Option<Vec<_>>>()?;
    let is_sound = !name.is_empty() && !names.iter().any(|name| name.contains(['[', ']']));
    is_sound.then_some(names)
}

/// Puts a value below a node; none if the node has another type or a value.
fn put<'f>(node: &mut Option<Node<'f>>, names: &[&'f str], value: &'f RawValue) -> Option<()> {
    let Some((name, rest)) = names.split_first() else {
        return node.replace(Node::Value(value)).is_none().then_some(());
    };
    let mut child = None;
    match node.get_or_insert_with(|| {
        if name.is_empty() {
            Node::Array(Vec::new())
        } else {
            Node::Object(BTreeMap::new())
        }
    }) {
        Node::Array(items) if name.is_empty() => {
            put(&mut child, rest, value)?;
            items.extend(child);
        }
        Node::Object(members) if !name.is_empty() => {
            child = members.remove(name);
            put(&mut child, rest, value)?;
            members.extend(child.map(|child| (*name, child)));
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(typed: &[&str]) -> String {
        let fields: Vec<Field> = typed
            .iter()
            .filter_map(|text| Field::json(text).ok())
            .collect();
        assert_eq!(fields.len(), typed.len());
        let made = object(&fields.iter().collect::<Vec<_>>());
        made.map_or_else(|error| error.message.clone(), Option::unwrap_or_default)
    }

    #[test]
    fn keys_nest_and_values_keep_every_digit() {
        for (typed, object) in [
            (&[][..], ""),
            (
                &["b=1e400", "a=12345678901234567890123"],
                r#"{"a":12345678901234567890123,"b":1e400}"#,
            ),
            (
                &["client[name]=\"Ada\"", "client[note]=null"],
                r#"{"client":{"name":"Ada","note":null}}"#,
            ),
            (
                &["ids[]=\"a\"", "ids[]=2", "a[b][c][]=[1]"],
                r#"{"a":{"b":{"c":[[1]]}},"ids":["a",2]}"#,
            ),
            (&["a\"b[c:d]=1"], r#"{"a\"b":{"c:d":1}}"#),
        ] {
            assert_eq!(made(typed), object, "{typed:?}");
        }
    }

    #[test]
    fn contradictions_and_other_keys_are_refused() {
        for typed in [
            ["a=1", "a=2"],
            ["a=1", "a[b]=2"],
            ["a={}", "a[b]=2"],
            ["a[b]=1", "a=2"],
            ["a[]=1", "a[b]=2"],
        ] {
            assert!(
                made(&typed).ends_with("contradicts an earlier field"),
                "{typed:?}"
            );
        }
        for typed in ["a[b=1", "a]b=1", "[a]=1", "a[b]c=1", "a[[b]]=1", "a[b]]=1"] {
            assert!(made(&[typed]).contains("invalid key"), "{typed}");
        }
    }

    #[test]
    fn the_form_of_each_flag_is_checked() {
        let query = |field: Result<Field, String>| {
            field.map(|field| format!("{}={}", field.key, field.text))
        };
        assert_eq!(
            query(Field::string("a[b:c]=x=\"y\"")).as_deref(),
            Ok(r#"a[b:c]=x="y""#)
        );
        assert_eq!(query(Field::json(r#"a="x y""#)).as_deref(), Ok("a=x y"));
        assert_eq!(
            query(Field::filter("name:contains=a=b")).as_deref(),
            Ok("filters[name:contains]=a=b")
        );
        assert_eq!(
            query(Field::sort("name, desc")).as_deref(),
            Ok("sort=name,desc")
        );
        assert_eq!(query(Field::sort("name")).as_deref(), Ok("sort=name,asc"));
        assert!(
            Field::string("a").is_err()
                && Field::string(" =b").is_err()
                && Field::json("a=x").is_err()
        );
        assert!(Field::sort("name,down").is_err() && Field::sort(",asc").is_err());
        for typed in [
            "name=a",
            "name:contains",
            ":eq=a",
            "name:=a",
            "a[b]:eq=c",
            "a:b:c=d",
            "a:eq= ",
        ] {
            assert!(Field::filter(typed).is_err(), "{typed}");
        }
    }
}
