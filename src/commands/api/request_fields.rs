//! Parses the keys and values of `-f` and `-F`, and builds a JSON object from them.

use crate::error::{Error, Result};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// A key and its value.
#[derive(Debug, Clone)]
pub struct RequestField {
    pub key: String,
    /// The value in a query.
    pub text: String,
    /// The value in a body, as raw JSON so that numbers keep every digit.
    pub json: Box<RawValue>,
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
        Ok(Self::new(key, value, json, format!("-f {key}")))
    }

    /// Parses `-F KEY=JSON`.
    pub fn parse_json(argument: &str) -> Result<Self, String> {
        let (key, value) = split_key(argument)?;
        let json: &RawValue = serde_json::from_str(value)
            .map_err(|_| format!("'{value}' is not JSON; use -f for text"))?;
        let text = serde_json::from_str::<String>(value).unwrap_or_else(|_| json.get().into());
        Ok(Self::new(key, &text, json.to_owned(), format!("-F {key}")))
    }

    fn new(key: &str, text: &str, json: Box<RawValue>, flag: String) -> Self {
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
        let flag = &field.flag;
        let names = key_names(&field.key).ok_or_else(|| {
            Error::usage(format!(
                "{flag}: invalid key; expected name, name[member] or name[]"
            ))
            .with_hint("quote the key: -f 'client[email]=ada@example.com'")
        })?;
        insert_value(&mut root, &names, &field.json).ok_or_else(|| {
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
}
