//! What files of clients may hold, and which column a problem is about.

use crate::client::CLIENT_FIELDS;
use crate::input::{ColumnKind, Columns};

/// The id, then the fields that a client can be created or updated with.
const ALL: [(&str, ColumnKind); 8] = [
    ("id", ColumnKind::Text),
    ("first_name", ColumnKind::Text),
    ("last_name", ColumnKind::Text),
    ("email", ColumnKind::Text),
    ("company_name", ColumnKind::Text),
    ("address", ColumnKind::Text),
    ("note", ColumnKind::Text),
    ("site_ids", ColumnKind::List(&[';', ','])),
];

/// A file of many clients. The service sets the times of an export itself, and may have fields of its own.
pub const MANY: Columns = Columns { known: &ALL, ignored: &["created_at", "updated_at"], open: true };

/// A file of one client: which one it is, the command line says.
pub const ONE: Columns = Columns { known: ALL.split_at(1).1, ignored: &[], open: false };

/// The field that a problem is about, also where the service calls it `client.email` or `site_ids[0]`.
pub fn field_of(param: &str) -> &str {
    let mut words = param.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| CLIENT_FIELDS.contains(word)).unwrap_or(param)
}
