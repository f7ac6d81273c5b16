//! The declarations of the resources (spec, "Resources and their fields"; the spec does not show
//! sites, snapshots and tasks).

use super::resource::Operator::{Contains, Eq, In};
use super::resource::TextFormat::{Email, MaxLength};
use super::resource::{Field, FieldKind, Parent, Resource};
use super::tasks;

/// The resources with a table. A table references only tables before it.
pub static RESOURCES: &[&Resource] = &[&CLIENTS, &MANAGED_ACCOUNTS, &SITES, &SNAPSHOTS, &TASKS];
/// The lists of what is in a snapshot, which `views.sql` declares.
pub static CONTENT: [&Resource; 2] = [&FILES, &TABLES];

const OF_SITE: Option<Parent> = Some(Parent {
    resource: &SITES,
    id_field: "site_id",
});

pub static CLIENTS: Resource = Resource {
    singular: "client",
    plural: "clients",
    path: "/clients",
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
        Field::json("site_ids").computed(
            "(SELECT json_group_array(id ORDER BY position, id) FROM sites \
             WHERE client_id = clients.id)",
        ),
        Field::time("created_at"),
        Field::time("updated_at"),
        // A filter over several columns.
        Field::text("search")
            .computed("first_name, last_name, email, company_name")
            .filtered_by(&[Contains])
            .hidden(),
    ],
    to_record: None,
};

static MANAGED_ACCOUNTS: Resource = Resource {
    singular: "managed_account",
    plural: "managed_accounts",
    path: "/managed-accounts",
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
        Field::flag("all_sites_access").filtered_by(&[Eq]),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
    to_record: None,
};

pub static SITES: Resource = Resource {
    singular: "site",
    plural: "sites",
    path: "/sites",
    parent: None,
    // `position` is the index of the site in the client's `site_ids`. The `UNIQUE` constraint only
    // provides an index.
    extra_columns: ", position INTEGER NOT NULL DEFAULT 0,
        FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE SET NULL, UNIQUE (client_id, id)",
    fields: &[
        Field::text("id"),
        Field::text("title"),
        Field::text("url").filtered_by(&[Contains]),
        Field::text("home_url").computed("url"),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::text("client_id").nullable().hidden(),
        Field::json("client").computed(
            "(SELECT json_object('id', id, 'name', trim(first_name || ' ' || last_name)) \
             FROM clients WHERE id = client_id)",
        ),
        Field::json("tags"),
        Field::json("connection"),
        Field::json("server"),
        Field::json("sync"),
        Field::json("security"),
        Field::json("backups"),
        Field::json("uptime"),
        Field::json("wp"),
        Field::flag("multisite"),
        Field::json("health"),
        Field::flag("locked"),
        Field::new(
            "connection_status",
            FieldKind::Choice(&["connected", "disconnected"]),
        )
        .computed("connection ->> '$.status'")
        .filtered_by(&[Eq])
        .hidden(),
        Field::new("scanner_status", FieldKind::Choice(&["clean", "hacked"]))
            .computed("security ->> '$.scanner.status'")
            .filtered_by(&[Eq])
            .hidden(),
        Field::flag("backups")
            .computed("backups ->> '$.enabled'")
            .filtered_by(&[Eq])
            .hidden(),
    ],
    to_record: None,
};

static SNAPSHOTS: Resource = Resource {
    singular: "snapshot",
    plural: "snapshots",
    path: "/sites/{site_id}/snapshots",
    parent: OF_SITE,
    extra_columns: ", FOREIGN KEY (site_id) REFERENCES sites (id), UNIQUE (site_id, id)",
    fields: &[
        Field::text("id"),
        Field::text("site_id").hidden(),
        Field::text("created_at").sortable(),
        Field::text("status"),
        Field::text("note").nullable(),
        Field::text("error_message").nullable(),
        Field::json("backups"),
        Field::json("security"),
    ],
    to_record: None,
};

static FILES: Resource = Resource {
    singular: "file",
    plural: "files",
    path: "/sites/{site_id}/files",
    parent: OF_SITE,
    extra_columns: "",
    fields: &[
        Field::text("path").computed("id").sortable(),
        Field::text("type"),
        Field::new("size", FieldKind::Number).sortable(),
        Field::text("modified_at").sortable(),
    ],
    to_record: None,
};

static TABLES: Resource = Resource {
    singular: "table",
    plural: "tables",
    path: "/sites/{site_id}/tables",
    parent: OF_SITE,
    extra_columns: "",
    fields: &[
        Field::text("name").computed("id").sortable(),
        Field::new("rows", FieldKind::Number).sortable(),
        Field::new("size", FieldKind::Number).sortable(),
    ],
    to_record: None,
};

/// The restores and syncs. `ends_at` is when a task succeeds or fails, unless it is canceled.
pub static TASKS: Resource = Resource {
    singular: "task",
    plural: "tasks",
    path: "/tasks",
    parent: None,
    extra_columns: ", FOREIGN KEY (site_id) REFERENCES sites (id),
        FOREIGN KEY (snapshot_id) REFERENCES snapshots (id), UNIQUE (site_id, id)",
    fields: &[
        Field::text("id"),
        Field::text("site_id"),
        Field::text("snapshot_id").nullable(),
        Field::flag("files"),
        Field::flag("database"),
        Field::flag("will_fail"),
        Field::time("created_at"),
        Field::new("ends_at", FieldKind::Time),
        Field::new("canceled_at", FieldKind::Time).nullable(),
    ],
    to_record: Some(tasks::task_from_row),
};
