//! Declares the columns of files of clients, and finds the column that a problem is about.

use crate::client::CLIENT_FIELDS;
use crate::input::{ColumnKind, Columns};
use crate::resources::{CLIENTS, Format};
use std::sync::LazyLock;

/// The id, and the fields that a client can be created or updated with.
static ALL: LazyLock<Vec<(&str, ColumnKind)>> = LazyLock::new(|| {
    let inputs = CLIENTS.inputs().map(|(field, input)| match input.format {
        Format::Ids => (field.name, ColumnKind::List(&[';', ','])),
        _ => (field.name, ColumnKind::Text),
    });
    std::iter::once(("id", ColumnKind::Text)).chain(inputs).collect()
});

/// The columns of a file of many clients. The service sets the times of an export, and may have its own fields.
pub static MANY: LazyLock<Columns> =
    LazyLock::new(|| Columns { known: &ALL, ignored: &["created_at", "updated_at"], list: None });

/// The columns of a file of one client, which the command line specifies.
pub static ONE: LazyLock<Columns> = LazyLock::new(|| Columns { known: &ALL[1..], ignored: &[], list: None });

/// Returns the field that a problem is about, also if the service calls it `client.email` or `site_ids[0]`.
pub fn field_of(param: &str) -> &str {
    let mut words = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| CLIENT_FIELDS.contains(word)).unwrap_or(param)
}
