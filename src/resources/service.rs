//! The lists of the service: one declaration per list, one line per field.

use super::FieldKind::{Boolean, Bytes, Choice, Email, Id, Ids, Name, State, Text, Time};
use super::ValueKind::MaxChars;
use super::{Field, ListResource, RESOURCE, Resource, ValueKind};

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
}

/// Clients (spec, "Client" and "List clients").
pub static CLIENTS: Resource = Resource {
    singular: "client",
    plural: "clients",
    path: |_| "/clients",
    specified: true,
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
    singular: "managed account",
    plural: "managed accounts",
    path: |_| "/managed-accounts",
    specified: true,
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
    description_fields: &["email"],
    examples: "\
Examples:
  sitectl managed-accounts list
  sitectl managed-accounts list --status pending
  sitectl managed-accounts list --role administrator,co_owner \\
    --sort status,desc --json",
    ..RESOURCE
};

/// Sites. The spec shows neither their path nor their fields ("Other resources"): an assumed column
/// that no record has stays empty.
pub static SITES: Resource = Resource {
    singular: "site",
    plural: "sites",
    path: |endpoints| &endpoints.sites,
    fields: &[
        Field::with_column("id", "ID").with_kind(Id),
        Field::with_column("url", "URL").with_kind(Name),
        Field::with_column("name", "NAME").with_kind(Name),
        Field::with_column("client_id", "CLIENT").with_kind(Id),
        Field::with_column("multisite", "MULTISITE"),
    ],
    search_fields: &["id", "name", "url", "site_url", "home_url", "domain"],
    belongs_to_clients: true,
    description_fields: &["url"],
    examples: "\
Examples:
  sitectl sites list
  sitectl sites list --search bakery
  sitectl sites list --search shop.example.com -o ids
  sitectl sites list --client chloe@atelier-lefevre.example
  sitectl sites list --unassigned -o ids

The API specification does not show the path of this list. By default, sitectl uses /sites.",
    ..RESOURCE
};

/// Snapshots of a site. The spec names only `status` ("Other resources"): the other columns are
/// assumed.
pub static SNAPSHOTS: Resource = Resource {
    singular: "snapshot",
    plural: "snapshots",
    path: |endpoints| &endpoints.snapshots,
    parent: Some(&SITES),
    fields: &[
        Field::with_column("id", "ID").with_kind(Id),
        Field::with_column("status", "STATUS").with_kind(State(&[])),
        Field::with_column("created_at", "CREATED").with_kind(Time),
        Field::with_column("size_bytes", "SIZE").with_kind(Bytes),
    ],
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
