//! The lists of the service: one declaration per list, one line per field.

use super::FieldKind::{Age, Boolean, Bytes, Choice, Email, Id, Ids, Name, State, Text, Time};
use super::ValueKind::MaxChars;
use super::{
    Field, ListResource, RESOURCE, Record, Resource, ServiceTime, TABLE, Table, ValueKind,
};
use crate::config::duration::format_age;
use serde_json::Value;

/// Declares a type for each list that has a command, and [`LISTS`].
macro_rules! lists {
    ($($name:ident: $resource:ident,)*) => {
        $(
            #[derive(Debug, Clone)]
            pub struct $name;

            impl ListResource for $name {
                const RESOURCE: &'static Resource = &$resource;
            }
        )*

        /// All lists that have a command.
        pub static LISTS: &[&Resource] = &[$(&$resource),*];
    };
}

lists! {
    Clients: CLIENTS,
    ManagedAccounts: MANAGED_ACCOUNTS,
    Sites: SITES,
    Snapshots: SNAPSHOTS,
    Files: FILES,
    Tables: TABLES,
    Tasks: TASKS,
}

/// Clients (spec, "Client" and "List clients").
pub static CLIENTS: Resource = Resource {
    table: Table {
        plural: "clients",
        fields: &[
            Field::with_column("id", "ID").with_kind(Id),
            Field::new("search")
                .not_in_records()
                .with_filter(Text, "first or last name, email or company name"),
            Field::with_column("first_name", "FIRST NAME")
                .with_filter(Name, "first name")
                .with_sort()
                .with_required_input("First name", MaxChars(255)),
            Field::with_column("last_name", "LAST NAME")
                .with_filter(Name, "last name")
                .with_sort()
                .with_input("Last name", MaxChars(255)),
            Field::with_column("email", "EMAIL")
                .with_filter(Email, "email")
                .with_sort()
                .with_required_input("Email", ValueKind::Email),
            Field::with_column("company_name", "COMPANY")
                .with_filter(Name, "company name")
                .with_sort()
                .with_input("Company name", MaxChars(255)),
            Field::new("address").with_input("Postal address", MaxChars(2000)),
            Field::new("note").with_input("Note", MaxChars(5000)),
            Field::with_column("site_ids", "SITES")
                .with_kind(Ids)
                .with_input("Sites", ValueKind::Ids),
            Field::with_column("created_at", "CREATED")
                .with_filter(Time, "created")
                .with_sort(),
            Field::new("updated_at")
                .with_filter(Time, "updated")
                .with_sort(),
        ],
        priority: &[
            "email",
            "last_name",
            "first_name",
            "company_name",
            "created_at",
            "site_ids",
            "id",
        ],
        ..TABLE
    },
    singular: "client",
    path: |_| "/clients",
    specified: true,
    description_fields: &["email"],
    examples: "\
Examples:
  sitectl clients list --search smith --sort last_name
  sitectl clients list --created-since 2026-01-01 --json
  sitectl clients list --filter email:contains=example.com -o ids
  sitectl clients list --fields id,email,note -o csv
  sitectl clients list --jq '.[] | select(.site_ids == []) | .email'",
    ..RESOURCE
};

/// Accounts that the caller may use, and invitations (spec, "Managed account" and "List managed
/// accounts").
pub static MANAGED_ACCOUNTS: Resource = Resource {
    table: Table {
        plural: "managed accounts",
        fields: &[
            Field::with_column("id", "ID").with_kind(Id),
            Field::with_column("email", "EMAIL").with_filter(Email, "owner's email"),
            Field::with_column("role", "ROLE").with_filter(
                Choice(&["collaborator", "administrator", "co_owner"]),
                "role",
            ),
            Field::with_column("company_name", "COMPANY").with_filter(Name, "company name"),
            Field::with_column("status", "STATUS")
                .with_filter(State(&["pending", "connected"]), "status")
                .with_sort(),
            Field::with_column("all_sites_access", "ALL SITES")
                .with_filter(Boolean, "access to all sites"),
            Field::with_column("created_at", "CREATED")
                .with_filter(Time, "created")
                .with_sort(),
            Field::new("updated_at")
                .with_filter(Time, "updated")
                .with_sort(),
        ],
        ..TABLE
    },
    singular: "managed account",
    path: |_| "/managed-accounts",
    specified: true,
    description_fields: &["email"],
    examples: "\
Examples:
  sitectl managed-accounts list
  sitectl managed-accounts list --status pending
  sitectl managed-accounts list --role administrator,co_owner \\
    --sort status,desc --json",
    ..RESOURCE
};

/// Sites. The spec shows neither their path nor their fields ("Other resources"). A field that a
/// record lacks, or that has another type, is empty.
pub static SITES: Resource = Resource {
    table: Table {
        plural: "sites",
        fields: &[
            Field::with_column("site", "SITE")
                .with_kind(Name)
                .computed_by(|site| site_name(site, "id"))
                .rendered_by(render_url)
                .not_in_records(),
            Field::new("id").with_kind(Id),
            Field::new("url").with_kind(Name).at("url"),
            Field::with_column("title", "TITLE")
                .with_kind(Name)
                .at("title"),
            Field::new("client_id").with_kind(Id).at("client.id"),
            Field::with_column("client", "CLIENT")
                .with_kind(Name)
                .at("client.name"),
            Field::with_column("connection", "CONNECTION").at("connection.status"),
            Field::with_column("scanner", "SCANNER")
                .computed_by(|site| Some(Value::from(scanner_finding(site)?).to_string())),
            Field::with_column("backup_at", "LAST BACKUP")
                .with_kind(Age)
                .at("backups.latest_snapshot.created_at"),
            Field::with_column("backup_status", "STATUS")
                .with_kind(State(&[]))
                .at("backups.latest_snapshot.status"),
            Field::with_column("tags", "TAGS")
                .computed_by(|site| Some(Value::from(tags_of(site)?).to_string())),
            Field::with_column("site_id", "ID")
                .with_kind(Id)
                .at("id")
                .not_in_records(),
        ],
        priority: &[
            "site",
            "backup_at",
            "scanner",
            "connection",
            "backup_status",
            "client",
            "title",
            "tags",
        ],
        ..TABLE
    },
    singular: "site",
    path: |endpoints| &endpoints.sites,
    setting: Some("sites"),
    search_fields: &["id", "title", "url", "home_url"],
    belongs_to_clients: true,
    description_fields: &["url"],
    examples: "\
Examples:
  sitectl sites list
  sitectl sites list --search bakery
  sitectl sites list --search shop.example.com -o ids
  sitectl sites list --client chloe@atelier-lefevre.example
  sitectl sites list --unassigned -o ids
  sitectl sites list --tag shop --tag DEV

The API specification does not show the path of this list. By default, sitectl uses /sites.",
    ..RESOURCE
};

/// Snapshots of a site. The spec names only `status` ("Other resources"): the other fields are
/// assumed.
pub static SNAPSHOTS: Resource = Resource {
    table: Table {
        plural: "snapshots",
        fields: &[
            Field::with_column("id", "ID").with_kind(Id),
            Field::with_column("created_at", "TAKEN")
                .with_kind(Time)
                .at("created_at"),
            Field::with_column("age", "AGE")
                .computed_by(|snapshot| {
                    let taken_at = ServiceTime::parse(&snapshot.text("created_at")?)?;
                    Some(Value::from(format_age(taken_at.instant)?).to_string())
                })
                .not_in_records(),
            Field::with_column("status", "STATUS")
                .with_kind(State(&[]))
                .at("status"),
            Field::with_column("scanner", "SCANNER").computed_by(|snapshot| {
                let word = scanner_word(snapshot)?;
                Some(Value::from(word).to_string())
            }),
            Field::with_column("size_bytes", "SIZE")
                .with_kind(Bytes)
                .computed_by(|snapshot| Some(stored_size(snapshot)?.to_string())),
            Field::with_column("note", "NOTE").at("note"),
            Field::with_column("error_message", "ERROR").at("error_message"),
        ],
        column_order: &["created_at", "age", "status", "scanner", "size_bytes", "id"],
        priority: &["created_at", "age", "status", "scanner", "id"],
        ..TABLE
    },
    singular: "snapshot",
    path: |endpoints| &endpoints.snapshots,
    setting: Some("snapshots"),
    parent: Some(&SITES),
    description_fields: &["created_at", "status"],
    examples: "\
Examples:
  sitectl snapshots list site-0001
  sitectl snapshots list site-0001 --json

sitectl restore start refuses a listed snapshot with another status than 'succeeded'. The API
specification does not show the path of this list. By default, sitectl uses
/sites/{site_id}/snapshots.",
    ..RESOURCE
};

/// The files and folders in a folder of a snapshot. The spec shows neither their path nor their
/// fields.
pub static FILES: Resource = Resource {
    table: Table {
        plural: "files",
        id_field: "path",
        fields: &[
            Field::with_column("path", "PATH").with_kind(Name),
            Field::with_column("type", "TYPE"),
            Field::with_column("size", "SIZE").with_kind(Bytes),
            Field::with_column("modified_at", "MODIFIED").with_kind(Time),
        ],
        ..TABLE
    },
    path: |endpoints| &endpoints.files,
    setting: Some("files"),
    parent: Some(&SNAPSHOTS),
    examples: "\
Examples:
  sitectl snapshots files site-0001 snap-0001-3
  sitectl snapshots files site-0001 snap-0001-3 ./wp-content/uploads/
  sitectl restore start site-0001 snap-0001-3 --path ./wp-content/

The API specification does not show the path of this list. By default, sitectl uses
/sites/{site_id}/files.",
    ..RESOURCE
};

/// The database tables of a snapshot. The spec shows neither their path nor their fields.
pub static TABLES: Resource = Resource {
    table: Table {
        plural: "tables",
        id_field: "name",
        fields: &[
            Field::with_column("name", "NAME").with_kind(Name),
            Field::with_column("rows", "ROWS"),
            Field::with_column("size", "SIZE").with_kind(Bytes),
        ],
        ..TABLE
    },
    path: |endpoints| &endpoints.tables,
    setting: Some("tables"),
    parent: Some(&SNAPSHOTS),
    examples: "\
Examples:
  sitectl snapshots tables site-0001 snap-0001-3
  sitectl restore start site-0001 snap-0001-3 --table wp_posts

The API specification does not show the path of this list. By default, sitectl uses
/sites/{site_id}/tables.",
    ..RESOURCE
};

/// Background tasks. The spec shows neither their path nor their fields ("Other resources"): an
/// assumed column that no record has stays empty.
pub static TASKS: Resource = Resource {
    table: Table {
        plural: "tasks",
        fields: &[
            Field::with_column("id", "ID").with_kind(Id),
            Field::with_column("type", "TYPE"),
            Field::with_column("status", "STATUS").with_kind(State(&[])),
            Field::with_column("progress", "PROGRESS"),
            Field::with_column("site_id", "SITE")
                .with_kind(Name)
                .computed_by(task_site)
                .rendered_by(render_url),
            Field::with_column("message", "MESSAGE"),
            Field::with_column("created_at", "CREATED").with_kind(Time),
        ],
        ..TABLE
    },
    singular: "task",
    path: |endpoints| &endpoints.tasks,
    setting: Some("tasks"),
    description_fields: &["type", "status"],
    examples: "\
Examples:
  sitectl tasks list
  sitectl tasks list --limit 20 --json
  sitectl tasks list --jq '.[] | select(.status == \"running\") | .id'

The API specification does not show the path of this list. By default, sitectl uses /tasks.",
    ..RESOURCE
};

/// Returns the JSON of the site of a task, in whatever form the service shows it.
fn task_site(task: &Record) -> Option<String> {
    let shown = ["site_id", "site"].iter().find_map(|name| task.text(name));
    let nested = || {
        ["site.url", "site.id"]
            .iter()
            .find_map(|path| task.text_at(path))
    };
    Some(Value::from(shown.or_else(nested)?).to_string())
}

/// Whether a snapshot can be restored: its status is `succeeded` (spec, "Site restore", rule 1).
pub fn has_succeeded(snapshot: &Record) -> bool {
    snapshot
        .text("status")
        .is_some_and(|status| status.eq_ignore_ascii_case("succeeded"))
}

/// Returns the scanner's word on the content of a snapshot. None if the snapshot has not succeeded,
/// because then nothing was scanned.
pub fn scanner_word(snapshot: &Record) -> Option<String> {
    scanner_finding(snapshot).filter(|_| has_succeeded(snapshot))
}

/// Returns the scanner's word on a site or a snapshot. If the scanner was off, only an infection is
/// one.
pub fn scanner_finding(record: &Record) -> Option<String> {
    let word = record.text_at("security.scanner.status")?;
    (is_infection(&word) || !is_scanner_off(record)).then_some(word)
}

/// Whether the scanner of a site was off, or when a snapshot was taken.
pub fn is_scanner_off(record: &Record) -> bool {
    record.text_at("security.enabled").as_deref() == Some("false")
}

/// Whether a word of the scanner means an infection.
pub fn is_infection(word: &str) -> bool {
    ["hacked", "infected", "malicious"].contains(&word.to_lowercase().as_str())
}

/// Returns the number of stored bytes of a snapshot.
pub fn stored_size(snapshot: &Record) -> Option<u64> {
    let sizes = ["backups.files.size.synced", "backups.database.size.synced"]
        .map(|path| snapshot.text_at(path)?.parse::<u64>().ok());
    let [files, database] = sizes;
    files?.checked_add(database?)
}

/// Returns the names of a site's tags; None if it lacks them.
pub fn tags_of(site: &Record) -> Option<Vec<String>> {
    let tags = site.value("tags")?;
    let name = |tag: &Value| Some(tag.get("name")?.as_str()?.to_string());
    Some(tags.as_array()?.iter().filter_map(name).collect())
}

/// Returns the JSON of a site's URL or, without one, of its id.
pub fn site_name(record: &Record, id: &str) -> Option<String> {
    let url = record.text("url").filter(|url| !url.is_empty());
    Some(Value::from(url.or_else(|| record.text(id))?).to_string())
}

/// Returns a URL without `https://` and a slash at its end.
pub fn short_url(url: &str) -> &str {
    url.trim_start_matches("https://").trim_end_matches('/')
}

pub fn render_url(json: &str) -> Option<String> {
    let url: String = serde_json::from_str(json).ok()?;
    Some(short_url(&url).into())
}
