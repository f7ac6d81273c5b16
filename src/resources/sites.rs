//! Sites: the spec shows neither their path nor their fields ("Other resources"), so these columns are a guess, and one
//! that no record has stays empty.

use super::{Field, PLAIN, Resource};

/// The sites of the account.
pub static SITES: Resource = Resource {
    plural: "sites",
    envelope: "sites",
    specified: false,
    fields: &[
        Field { name: "id", column: Some("ID"), ..PLAIN },
        Field { name: "url", column: Some("URL"), ..PLAIN },
        Field { name: "name", column: Some("NAME"), ..PLAIN },
        Field { name: "client_id", column: Some("CLIENT"), ..PLAIN },
        Field { name: "multisite", column: Some("MULTISITE"), ..PLAIN },
    ],
    order: &[],
    about: &["url"],
};
