//! Records of an area of the service that the spec only names.

use super::Resource;

/// Records of which nothing is known before they come.
pub static UNKNOWN: Resource =
    Resource { plural: "records", envelope: "", specified: false, fields: &[], order: &[], about: &[] };
