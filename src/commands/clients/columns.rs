//! Declares the columns of files of clients, and finds the column that a problem is about.

use crate::input::{ColumnKind, Columns, Row};
use crate::resources::{CLIENTS, ValueKind};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The id, and the fields that a client can be created or updated with.
static ALL: LazyLock<Vec<(&str, ColumnKind)>> = LazyLock::new(|| {
    let inputs = CLIENTS.inputs().map(|(field, input)| match input.format {
        ValueKind::Ids => (field.name, ColumnKind::List(&[';', ','])),
        _ => (field.name, ColumnKind::Text),
    });
    std::iter::once(("id", ColumnKind::Text))
        .chain(inputs)
        .collect()
});

/// The columns of a file of many clients. The service sets the times of an export, and may have its own fields.
pub static MANY: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ALL,
    ignored: &["created_at", "updated_at"],
    list: None,
});

/// The columns of a file of one client, which the command line specifies.
pub static ONE: LazyLock<Columns> = LazyLock::new(|| Columns {
    known: &ALL[1..],
    ignored: &[],
    list: None,
});

/// Returns the fields of a row that a client can be created or updated with; null means absent.
pub fn known_fields(row: &Row) -> Map<String, Value> {
    let given = row
        .fields
        .iter()
        .filter(|(name, value)| ONE.allows(name) && !value.is_null());
    given
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Returns the field that a problem is about, also if the service calls it `client.email` or `site_ids[0]`.
pub fn field_of(param: &str) -> &str {
    let mut words = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| ONE.allows(word)).unwrap_or(param)
}
