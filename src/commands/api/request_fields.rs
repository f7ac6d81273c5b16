//! Parses the keys and values of `-f`, `-F`, `--filter` and `--sort`, and builds a JSON object from
//! those of `-f` and `-F`.

use crate::error::{Error, Result};
use crate::resources::query::{filter, sort, wire};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// A key and its value.
#[derive(Debug, Clone)]
pub struct RequestField {
    /// The key of `-f` or `-F`; the query parameter that `--filter` or `--sort` sets.
    pub key: String,
    /// The value in a query.
    pub text: String,
    /// The value in a body, as raw JSON so that numbers keep every digit. None if the field is
    /// always in the query.
    pub json: Option<Box<RawValue>>,
    /// The name of the field in error details: the last name of the key.
    pub param: String,
    /// The flag, such as `-f client[email]`.
    pub flag: String,
}

impl RequestField {
    /// Parses `-f KEY=VALUE`.
    pub fn parse_string(argument: &str) -> Result<Self, String> {
        let (key, value) = split_key(argument)?;
        let json = to_raw_value(value).map_err(|error| error.to_string())?;
        Ok(Self::new(key, value, Some(json), format!("-f {key}")))
    }

    /// Parses `-F KEY=JSON`.
    pub fn parse_json(argument: &str) -> Result<Self, String> {
        let (key, value) = split_key(argument)?;
        let json: &RawValue = serde_json::from_str(value)
            .map_err(|_| format!("'{value}' is not JSON; use -f for text"))?;
        let text = serde_json::from_str::<String>(value).unwrap_or_else(|_| json.get().into());
        let json = Some(json.to_owned());
        Ok(Self::new(key, &text, json, format!("-F {key}")))
    }

    /// Parses `--filter FIELD:OP=VALUE`. The fields and operators of the endpoint are unknown.
    pub fn parse_filter(argument: &str) -> Result<Self, String> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['[', ']', ':']);
        let (field, operator, value) = filter::split_filter(argument)
            .filter(|(field, operator, _)| is_name(field) && is_name(operator))
            .ok_or("expected FIELD:OP=VALUE, such as name:contains=example")?;
        if value.trim().is_empty() {
            return Err("the value is empty".into());
        }
        let key = wire::filter_parameter(field, operator);
        Ok(Self {
            param: field.into(),
            ..Self::new(&key, value, None, "--filter".into())
        })
    }

    /// Parses `--sort FIELD[,asc|desc]`.
    pub fn parse_sort(argument: &str) -> Result<Self, String> {
        let (field, direction) = sort::split_sort(argument);
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

fn split_key(argument: &str) -> Result<(&str, &str), String> {
    argument
        .split_once('=')
        .filter(|(key, _)| !key.trim().is_empty())
        .ok_or_else(|| "expected KEY=VALUE".into())
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
pub fn build_object(fields: &[&RequestField]) -> Result<Option<String>> {
    let mut root = None;
    for field in fields {
        let Some(json) = field.json.as_deref() else {
            continue;
        };
        let flag = &field.flag;
        let names = key_names(&field.key).ok_or_else(|| {
            Error::usage(format!(
                "{flag}: invalid key; expected name, name[member] or name[]"
            ))
            .with_hint("quote the key: -f 'client[email]=ada@example.com'")
        })?;
        insert_value(&mut root, &names, json).ok_or_else(|| {
            Error::usage(format!("{flag} contradicts an earlier field"))
                .with_hint("pass the complete body as JSON with --input -")
        })?;
    }
    Ok(root.map(|root| serde_json::to_string(&root)).transpose()?)
}

/// Returns the names in a key: `client` and `email` for `client[email]`; `ids` and an empty name
/// for `ids[]`. None if the key is invalid.
fn key_names(key: &str) -> Option<Vec<&str>> {
    let (name, rest) = key.split_at(key.find('[').unwrap_or(key.len()));
    let mut names = vec![name];
    for part in rest.split_inclusive(']') {
        names.push(part.strip_prefix('[')?.strip_suffix(']')?);
    }
    let is_valid = !name.is_empty() && !names.iter().any(|name| name.contains(['[', ']']));
    is_valid.then_some(names)
}

/// Inserts a value below a node at the path of these names; an empty name appends to an array. None
/// if a node on the path is a value or has another type.
fn insert_value<'f>(
    node: &mut Option<Node<'f>>,
    names: &[&'f str],
    value: &'f RawValue,
) -> Option<()> {
    let Some((name, rest)) = names.split_first() else {
        return node.replace(Node::Value(value)).is_none().then_some(());
    };
    let node = node.get_or_insert_with(|| {
        if name.is_empty() {
            Node::Array(Vec::new())
        } else {
            Node::Object(BTreeMap::new())
        }
    });
    match node {
        Node::Array(items) if name.is_empty() => {
            let mut item = None;
            insert_value(&mut item, rest, value)?;
            items.extend(item);
        }
        Node::Object(members) if !name.is_empty() => {
            let mut member = members.remove(name);
            insert_value(&mut member, rest, value)?;
            members.extend(member.map(|member| (*name, member)));
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the object of `-F` fields, or the error.
    fn object_of(arguments: &[&str]) -> String {
        let fields: Vec<RequestField> = arguments
            .iter()
            .filter_map(|argument| RequestField::parse_json(argument).ok())
            .collect();
        assert_eq!(fields.len(), arguments.len());
        let object = build_object(&fields.iter().collect::<Vec<_>>());
        object.map_or_else(|error| error.message.clone(), Option::unwrap_or_default)
    }

    #[test]
    fn keys_nest_and_values_keep_every_digit() {
        for (arguments, object) in [
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
            assert_eq!(object_of(arguments), object, "{arguments:?}");
        }
    }

    #[test]
    fn contradictions_and_other_keys_are_refused() {
        for arguments in [
            ["a=1", "a=2"],
            ["a=1", "a[b]=2"],
            ["a={}", "a[b]=2"],
            ["a[b]=1", "a=2"],
            ["a[]=1", "a[b]=2"],
        ] {
            assert!(
                object_of(&arguments).ends_with("contradicts an earlier field"),
                "{arguments:?}"
            );
        }
        for argument in ["a[b=1", "a]b=1", "[a]=1", "a[b]c=1", "a[[b]]=1", "a[b]]=1"] {
            assert!(object_of(&[argument]).contains("invalid key"), "{argument}");
        }
    }

    #[test]
    fn the_form_of_each_flag_is_checked() {
        let query = |field: Result<RequestField, String>| {
            field.map(|field| format!("{}={}", field.key, field.text))
        };
        assert_eq!(
            query(RequestField::parse_string("a[b:c]=x=\"y\"")).as_deref(),
            Ok(r#"a[b:c]=x="y""#)
        );
        assert_eq!(
            query(RequestField::parse_json(r#"a="x y""#)).as_deref(),
            Ok("a=x y")
        );
        assert_eq!(
            query(RequestField::parse_filter("name:contains=a=b")).as_deref(),
            Ok("filters[name:contains]=a=b")
        );
        assert_eq!(
            query(RequestField::parse_sort("name, desc")).as_deref(),
            Ok("sort=name,desc")
        );
        assert_eq!(
            query(RequestField::parse_sort("name")).as_deref(),
            Ok("sort=name,asc")
        );
        assert!(RequestField::parse_string("a").is_err());
        assert!(RequestField::parse_string(" =b").is_err());
        assert!(RequestField::parse_json("a=x").is_err());
        assert!(RequestField::parse_sort("name,down").is_err());
        assert!(RequestField::parse_sort(",asc").is_err());
        for argument in [
            "name=a",
            "name:contains",
            ":eq=a",
            "name:=a",
            "a[b]:eq=c",
            "a:b:c=d",
            "a:eq= ",
        ] {
            assert!(RequestField::parse_filter(argument).is_err(), "{argument}");
        }
    }
}
