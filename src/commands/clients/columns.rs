//! Declares the columns of files of clients, and finds the column that a problem is about.

use crate::input::{ColumnKind, Columns, InputRow};
use crate::resources::{CLIENTS, ValueKind};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The id, and the fields that a client can be created or updated with.
static ID_AND_SETTABLE_FIELDS: LazyLock<Vec<(&str, ColumnKind)>> = LazyLock::new(|| {
    let mut columns = vec![("id", ColumnKind::Text)];
    for (field, rule) in CLIENTS.inputs() {
        let kind = match rule.kind {
            ValueKind::Ids => ColumnKind::List(&[';', ',']),
            _ => ColumnKind::Text,
        };
        columns.push((field.name, kind));
    }
    columns
});

/// The columns of a file of many clients. An export also has the times, which only the service
/// sets.
pub static APPLY_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ID_AND_SETTABLE_FIELDS,
    ignored: &["created_at", "updated_at"],
    list: None,
});

/// The columns of a file with the fields of one client. There is no id, because the command line
/// specifies the client.
pub static FROM_FILE_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ID_AND_SETTABLE_FIELDS[1..],
    ignored: &[],
    list: None,
});

/// Returns the fields of a row that sitectl can set: without the id, unknown fields and null, which
/// means absent.
pub fn settable_fields(row: &InputRow) -> Map<String, Value> {
    let mut fields = row.fields.clone();
    fields.retain(|name, value| FROM_FILE_COLUMNS.allows(name) && !value.is_null());
    fields
}

/// Returns the name of the field in the `param` of a problem, also if the service sends
/// `client.email` or `site_ids[0]`.
pub fn field_of_error_param(param: &str) -> &str {
    let mut names = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    names
        .find(|name| FROM_FILE_COLUMNS.allows(name))
        .unwrap_or(param)
}
