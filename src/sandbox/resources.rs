//! The declarations of the resources (spec, "Resources and their fields"; the spec does not show sites and snapshots).

use super::resource::{Field, Format, Kind, Operator, Resource};

/// All resources. A table references only tables before it.
pub(super) static RESOURCES: [&Resource; 4] = [&CLIENTS, &MANAGED_ACCOUNTS, &SITES, &SNAPSHOTS];

pub(super) static CLIENTS: Resource = Resource {
    one: "client",
    many: "clients",
    path: "/clients",
    shown: true,
    parent: None,
    // The email in lowercase.
    columns: ", email_key TEXT, UNIQUE (account, email_key)",
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("first_name", Kind::Text).filter(&[Operator::Contains]).sort().required(Format::Length(255)),
        Field::new("last_name", Kind::Text).filter(&[Operator::Contains]).sort().optional(Format::Length(255)),
        Field::new("email", Kind::Text).filter(&[Operator::Contains]).sort().required(Format::Email),
        Field::new("company_name", Kind::Text).filter(&[Operator::Contains]).sort().optional(Format::Length(255)),
        Field::new("address", Kind::Text).optional(Format::Length(2000)),
        Field::new("note", Kind::Text).optional(Format::Length(5000)),
        Field::new("site_ids", Kind::Json)
            .sql("(SELECT json_group_array(id ORDER BY position, id) FROM sites WHERE client_id = clients.id)"),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::new("search", Kind::Search)
            .sql("first_name, last_name, email, company_name")
            .filter(&[Operator::Contains]),
    ],
};

pub(super) static MANAGED_ACCOUNTS: Resource = Resource {
    one: "managed_account",
    many: "managed_accounts",
    path: "/managed-accounts",
    shown: true,
    parent: None,
    columns: "",
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("email", Kind::Text).filter(&[Operator::Contains]),
        Field::new(
            "role",
            Kind::Choice(&["collaborator", "administrator", "co_owner"]),
        )
        .filter(&[Operator::Eq, Operator::In]),
        Field::new("company_name", Kind::Text).filter(&[Operator::Contains]),
        Field::new("status", Kind::Choice(&["pending", "connected"]))
            .filter(&[Operator::Eq, Operator::In])
            .sort(),
        Field::new("all_sites_access", Kind::Flag).filter(&[Operator::Eq]),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
};

pub(super) static SITES: Resource = Resource {
    one: "site",
    many: "sites",
    path: "/sites",
    shown: false,
    parent: None,
    // The position in the client's list. The last constraint provides an index.
    columns: ", position INTEGER NOT NULL DEFAULT 0,
        FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE SET NULL, UNIQUE (client_id, id)",
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("url", Kind::Text)
            .filter(&[Operator::Contains])
            .sort(),
        Field::new("name", Kind::Text)
            .filter(&[Operator::Contains])
            .sort(),
        Field::new("multisite", Kind::Flag).filter(&[Operator::Eq]),
        Field::new("client_id", Kind::Text)
            .filter(&[Operator::Eq])
            .nullable(),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::new("search", Kind::Search)
            .sql("url, name")
            .filter(&[Operator::Contains]),
    ],
};

pub(super) static SNAPSHOTS: Resource = Resource {
    one: "snapshot",
    many: "snapshots",
    path: "/sites/{site_id}/snapshots",
    shown: false,
    parent: Some(("site_id", &SITES)),
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
