//! The declarations of the resources (spec, "Resources and their fields"; the spec does not show
//! sites and snapshots).

use super::resource::Operator::{Contains, Eq, In};
use super::resource::TextFormat::{Email, MaxLength};
use super::resource::{Field, FieldKind, Parent, Resource};

/// All resources. A table references only tables before it.
pub static RESOURCES: &[&Resource] = &[&CLIENTS, &MANAGED_ACCOUNTS, &SITES, &SNAPSHOTS];

pub static CLIENTS: Resource = Resource {
    singular: "client",
    plural: "clients",
    path: "/clients",
    has_show_endpoint: true,
    parent: None,
    // `email_key` is the email in the form of `fold_case`, because emails differ by more than case.
    extra_columns: ", email_key TEXT, UNIQUE (account, email_key)",
    fields: &[
        Field::text("id"),
        Field::text("first_name")
            .filtered_by(&[Contains])
            .sortable()
            .required_input(MaxLength(255)),
        Field::text("last_name")
            .filtered_by(&[Contains])
            .sortable()
            .optional_input(MaxLength(255)),
        Field::text("email")
            .filtered_by(&[Contains])
            .sortable()
            .required_input(Email),
        Field::text("company_name")
            .filtered_by(&[Contains])
            .sortable()
            .optional_input(MaxLength(255)),
        Field::text("address").optional_input(MaxLength(2000)),
        Field::text("note").optional_input(MaxLength(5000)),
        Field::new("site_ids", FieldKind::Json).computed(
            "(SELECT json_group_array(id ORDER BY position, id) FROM sites \
             WHERE client_id = clients.id)",
        ),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::new("search", FieldKind::Search)
            .computed("first_name, last_name, email, company_name")
            .filtered_by(&[Contains]),
    ],
};

static MANAGED_ACCOUNTS: Resource = Resource {
    singular: "managed_account",
    plural: "managed_accounts",
    path: "/managed-accounts",
    has_show_endpoint: true,
    parent: None,
    extra_columns: "",
    fields: &[
        Field::text("id"),
        Field::text("email").filtered_by(&[Contains]),
        Field::new(
            "role",
            FieldKind::Choice(&["collaborator", "administrator", "co_owner"]),
        )
        .filtered_by(&[Eq, In]),
        Field::text("company_name").filtered_by(&[Contains]),
        Field::new("status", FieldKind::Choice(&["pending", "connected"]))
            .filtered_by(&[Eq, In])
            .sortable(),
        Field::new("all_sites_access", FieldKind::Flag).filtered_by(&[Eq]),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
};

static SITES: Resource = Resource {
    singular: "site",
    plural: "sites",
    path: "/sites",
    has_show_endpoint: false,
    parent: None,
    // `position` is the index of the site in the client's `site_ids`. The `UNIQUE` constraint only
    // provides an index.
    extra_columns: ", position INTEGER NOT NULL DEFAULT 0,
        FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE SET NULL, UNIQUE (client_id, id)",
    fields: &[
        Field::text("id"),
        Field::text("url").filtered_by(&[Contains]).sortable(),
        Field::text("name").filtered_by(&[Contains]).sortable(),
        Field::new("multisite", FieldKind::Flag).filtered_by(&[Eq]),
        Field::text("client_id").filtered_by(&[Eq]).nullable(),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::new("search", FieldKind::Search)
            .computed("url, name")
            .filtered_by(&[Contains]),
    ],
};

static SNAPSHOTS: Resource = Resource {
    singular: "snapshot",
    plural: "snapshots",
    path: "/sites/{site_id}/snapshots",
    has_show_endpoint: false,
    parent: Some(Parent {
        resource: &SITES,
        id_field: "site_id",
    }),
    extra_columns: ", FOREIGN KEY (site_id) REFERENCES sites (id), UNIQUE (site_id, id)",
    fields: &[
        Field::text("id"),
        Field::text("site_id"),
        Field::new(
            "status",
            FieldKind::Choice(&["running", "succeeded", "failed"]),
        )
        .filtered_by(&[Eq, In])
        .sortable(),
        Field::new("size_bytes", FieldKind::Integer).nullable(),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
};
