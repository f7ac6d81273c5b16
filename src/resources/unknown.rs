//! Records of an area of the service that the spec only names.

use super::{CLIENTS, MANAGED_ACCOUNTS, Resource, SITES, SNAPSHOTS};

/// Records of which nothing is known before they come.
pub static UNKNOWN: Resource =
    Resource { plural: "records", envelope: "", specified: false, fields: &[], order: &[], about: &[] };

/// What a list of this name in an envelope holds, where that is known.
pub fn known(envelope: &str) -> Option<&'static Resource> {
    [&CLIENTS, &MANAGED_ACCOUNTS, &SITES, &SNAPSHOTS].into_iter().find(|resource| resource.envelope == envelope)
}
