//! Profiles of the config file: sitectl's own records, not the service's.

use super::{Field, FieldKind, PLAIN, Resource};

/// A service and how it is used; its token is never part of it.
pub static PROFILES: Resource = Resource {
    plural: "profiles",
    envelope: "profiles",
    specified: true,
    fields: &[
        Field { name: "name", column: Some("NAME"), ..PLAIN },
        Field { name: "current", kind: FieldKind::Boolean, column: Some("CURRENT"), words: Some(mark), ..PLAIN },
        Field { name: "base_url", column: Some("BASE URL"), ..PLAIN },
        Field { name: "token_source", column: Some("TOKEN"), ..PLAIN },
        Field { name: "protected", kind: FieldKind::Boolean, column: Some("PROTECTED"), words: Some(mark), ..PLAIN },
        Field { name: "output", column: Some("OUTPUT"), ..PLAIN },
        Field { name: "per_page", column: Some("PER PAGE"), ..PLAIN },
    ],
    order: &["name", "current", "base_url", "token_source", "protected", "output", "per_page"],
    about: &[],
};

/// What is so is seen at a glance where what is not is not said.
fn mark(raw: &str) -> Option<String> {
    match raw {
        "true" => Some("yes".into()),
        "false" => Some(String::new()),
        _ => None,
    }
}
