//! Declares the columns of files of clients, and finds the column that a problem is about.

use crate::input::{ColumnKind, Columns, InputRow};
use crate::resources::{CLIENTS, ValueKind};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The id, and the fields that a client can be created or updated with.
static ID_AND_INPUTS: LazyLock<Vec<(&str, ColumnKind)>> = LazyLock::new(|| {
    let mut columns = vec![("id", ColumnKind::Text)];
    for (field, input) in CLIENTS.inputs() {
        let kind = match input.kind {
            ValueKind::Ids => ColumnKind::List(&[';', ',']),
            _ => ColumnKind::Text,
        };
        columns.push((field.name, kind));
    }
    columns
});

/// The columns of a file of many clients. The service sets the times of an export, and may have its
/// own fields.
pub static APPLY_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ID_AND_INPUTS,
    ignored: &["created_at", "updated_at"],
    list: None,
});

/// The columns of a file of one client, which the command line specifies.
pub static FROM_FILE_COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ID_AND_INPUTS[1..],
    ignored: &[],
    list: None,
});

/// Returns the fields of a row that a client can be created or updated with; null means absent.
pub fn input_fields(row: &InputRow) -> Map<String, Value> {
    let mut fields = row.fields.clone();
    fields.retain(|name, value| FROM_FILE_COLUMNS.allows(name) && !value.is_null());
    fields
}

/// Returns the field that a problem is about, also if the service calls it `client.email` or
/// `site_ids[0]`.
pub fn field_of_error_param(param: &str) -> &str {
    let mut names = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    names
        .find(|name| FROM_FILE_COLUMNS.allows(name))
        .unwrap_or(param)
}
