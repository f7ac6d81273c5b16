//! What files of clients may hold, and which column a problem is about.

use crate::client::CLIENT_FIELDS;
use crate::input::{ColumnKind, Columns};
use crate::resources::{CLIENTS, Format};
use std::sync::LazyLock;

/// The id, then the fields that a client can be created or updated with.
static ALL: LazyLock<Vec<(&str, ColumnKind)>> = LazyLock::new(|| {
    let inputs = CLIENTS.inputs().map(|(field, input)| match input.format {
        Format::Ids => (field.name, ColumnKind::List(&[';', ','])),
        _ => (field.name, ColumnKind::Text),
    });
    std::iter::once(("id", ColumnKind::Text)).chain(inputs).collect()
});

/// A file of many clients. The service sets the times of an export itself, and may have fields of its own.
pub static MANY: LazyLock<Columns> =
    LazyLock::new(|| Columns { known: &ALL, ignored: &["created_at", "updated_at"], open: true, list: None });

/// A file of one client: which one it is, the command line says.
pub static ONE: LazyLock<Columns> =
    LazyLock::new(|| Columns { known: &ALL[1..], ignored: &[], open: false, list: None });

/// The field that a problem is about, also where the service calls it `client.email` or `site_ids[0]`.
pub fn field_of(param: &str) -> &str {
    let mut words = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| CLIENT_FIELDS.contains(word)).unwrap_or(param)
}
