//! Declares the columns of files of clients, and finds the column that a problem is about.

use crate::input::{ColumnKind, Columns, InputRow};
use crate::resources::{CLIENTS, ValueKind};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::sync::LazyLock;

/// The id, and the fields that a client can be created or updated with.
static ID_AND_SETTABLE_FIELDS: LazyLock<Vec<(&str, ColumnKind)>> = LazyLock::new(|| {
    let mut columns = vec![("id", ColumnKind::Text)];
    for (field, rule) in CLIENTS.inputs() {
        let kind = match rule.kind {
            ValueKind::Ids => ColumnKind::List,
            _ => ColumnKind::Text,
        };
        columns.push((field.name, kind));
    }
    columns
});

/// The columns of a file of clients. An export also has the times, which only the service
/// sets.
pub static APPLY_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ID_AND_SETTABLE_FIELDS,
    ignored: &["created_at", "updated_at"],
    keys: &["id", "email"],
    list_field: Some("clients"),
    list: None,
});

/// Returns the fields of a row that sitectl can set: without the id, unknown fields and null, which
/// means absent, without blanks around texts, and each site once.
pub fn settable_fields(row: &InputRow) -> Map<String, Value> {
    let mut fields = row.fields.clone();
    fields.retain(|name, value| is_settable(name) && !value.is_null());
    for value in fields.values_mut() {
        if let Value::String(text) = value {
            *text = text.trim().to_string();
        }
    }
    if let Some(Value::Array(sites)) = fields.get_mut("site_ids") {
        let mut seen = HashSet::new();
        sites.retain(|site| seen.insert(site.clone()));
    }
    fields
}

/// Returns the value that clears a field; None if the field is required, or sitectl cannot set it.
pub fn empty_value(name: &str) -> Option<Value> {
    let (_, rule) = CLIENTS.inputs().find(|(field, _)| field.name == name)?;
    match rule.kind {
        _ if rule.required => None,
        ValueKind::Ids => Some(json!([])),
        _ => Some("".into()),
    }
}

fn is_settable(name: &str) -> bool {
    CLIENTS.inputs().any(|(field, _)| field.name == name)
}

/// Returns the name of the field in the `param` of a problem, also if the service sends
/// `client.email` or `site_ids[0]`. Empty for a problem of the whole client.
pub fn field_of_error_param(param: &str) -> &str {
    if matches!(param, "base" | "client") {
        return "";
    }
    let mut names = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    names.find(|name| is_settable(name)).unwrap_or(param)
}
