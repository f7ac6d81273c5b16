//! Sites and their snapshots. The spec does not show them; this is what clients and restores need.

use super::resource::{Field, Kind, Operator, Resource};

pub(super) static SITES: Resource = Resource {
    one: "site",
    many: "sites",
    path: "/sites",
    shown: false,
    parent: None,
    source: "sites",
    // The position among its client's sites. The last constraint is there for its index.
    columns: ", position INTEGER NOT NULL DEFAULT 0,
        FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE SET NULL, UNIQUE (client_id, id)",
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("url", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("name", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("multisite", Kind::Flag).filter(&[Operator::Eq]),
        Field::new("client_id", Kind::Text).filter(&[Operator::Eq]).nullable(),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::new("search", Kind::Search).sql("url, name").filter(&[Operator::Contains]),
    ],
};

pub(super) static SNAPSHOTS: Resource = Resource {
    one: "snapshot",
    many: "snapshots",
    path: "/sites/{site_id}/snapshots",
    shown: false,
    parent: Some(("site_id", &SITES)),
    source: "snapshots",
    columns: ", FOREIGN KEY (site_id) REFERENCES sites (id), UNIQUE (site_id, id)",
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("site_id", Kind::Text),
        Field::new("status", Kind::Choice(&["running", "succeeded", "failed"]))
            .filter(&[Operator::Eq, Operator::In])
            .sort(),
        Field::new("size_bytes", Kind::Integer).nullable(),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
};
