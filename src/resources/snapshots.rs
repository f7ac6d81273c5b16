//! Snapshots: the spec names `status` alone ("Other resources"), so the other columns are a guess.

use super::{Field, PLAIN, Resource};

/// The saved recovery points of a site.
pub static SNAPSHOTS: Resource = Resource {
    plural: "snapshots",
    envelope: "snapshots",
    specified: false,
    fields: &[
        Field { name: "id", column: Some("ID"), ..PLAIN },
        Field { name: "status", column: Some("STATUS"), ..PLAIN },
        Field { name: "created_at", column: Some("CREATED"), ..PLAIN },
        Field { name: "size_bytes", column: Some("SIZE"), ..PLAIN },
    ],
    order: &[],
    about: &["created_at", "status"],
};
