//! Declares the columns of files of clients, and finds the column that a problem is about.

use crate::input::{ColumnKind, Columns, InputRow, heading_letters};
use crate::resources::{CLIENTS, ValueKind, most_similar};
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

/// The parts that files of clients have in common. An export also has the times, which only the
/// service sets.
const CLIENT_COLUMNS: Columns = Columns {
    known: &[],
    ignored: &["created_at", "updated_at"],
    keys: &["id", "email"],
    list_field: Some("clients"),
    list: None,
};

/// The columns of a file of clients.
pub static APPLY_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ID_AND_SETTABLE_FIELDS,
    ..CLIENT_COLUMNS
});

/// The columns of a file of clients to delete: their ids or emails, one per line, or records.
pub static ID_COLUMNS: Columns = Columns {
    known: &[("id", ColumnKind::Text), ("email", ColumnKind::Text)],
    list: Some("id"),
    ..CLIENT_COLUMNS
};

/// Fields, each with the headings by which other programs call it.
const USUAL_HEADINGS: &str = "\
    first_name givenname forename firstnames name fullname contactname
    last_name surname familyname
    email emailaddress mail mailaddress primaryemail email1value
    company_name company organization organisation organizationname business businessname
    address street streetaddress postaladdress billingaddress
    note notes description comment comments remark remarks
    site_ids sites site website websites url siteurl domain domains domainname
    id clientid customerid";

/// Returns the field that an unknown heading may mean, in any letter case.
pub fn meant_field(heading: &str) -> Option<&'static str> {
    let heading = heading_letters(heading);
    for line in USUAL_HEADINGS.lines() {
        let (field, headings) = line.trim().split_once(' ')?;
        if headings.split(' ').any(|usual| usual == heading) {
            return Some(field);
        }
    }
    most_similar(&heading, &APPLY_COLUMNS.names())
}

/// Returns the fields of a row that sitectl can set: without the id, unknown fields and null, which
/// means absent, and each site once.
pub fn settable_fields(row: &InputRow) -> Map<String, Value> {
    let mut fields = row.fields.clone();
    fields.retain(|name, value| is_settable(name) && !value.is_null());
    if let Some(Value::Array(sites)) = fields.get_mut("site_ids") {
        let mut seen = HashSet::new();
        sites.retain(|site| seen.insert(site.clone()));
    }
    fields
}

/// Removes the blanks around texts.
pub fn trim_texts(fields: &mut Map<String, Value>) {
    for value in fields.values_mut() {
        if let Value::String(text) = value {
            *text = text.trim().into();
        }
    }
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

pub fn is_settable(name: &str) -> bool {
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
