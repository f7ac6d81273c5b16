//! The lists of the service: one declaration per list, one line per field.

use super::FieldKind::{Boolean, Bytes, Choice, Email, Id, Ids, Name, State, Text, Time};
use super::ValueKind::Max;
use super::{Field, RESOURCE, Resource, ValueKind};

/// All lists that have a command.
pub static LISTS: [&Resource; 4] = [&CLIENTS, &MANAGED_ACCOUNTS, &SITES, &SNAPSHOTS];

/// Clients (spec, "Client" and "List clients").
pub static CLIENTS: Resource = Resource {
    singular: "client",
    plural: "clients",
    path: |_| "/clients",
    specified: true,
    fields: &[
        Field::shown("id", "ID").with_kind(Id),
        Field::new("search")
            .not_in_records()
            .filter(Text, "first or last name, email or company name"),
        Field::shown("first_name", "FIRST NAME")
            .filter(Name, "first name")
            .sort()
            .required("First name", Max(255)),
        Field::shown("last_name", "LAST NAME")
            .filter(Name, "last name")
            .sort()
            .input("Last name", Max(255)),
        Field::shown("email", "EMAIL")
            .filter(Email, "email")
            .sort()
            .required("Email", ValueKind::Email),
        Field::shown("company_name", "COMPANY")
            .filter(Name, "company name")
            .sort()
            .input("Company name", Max(255)),
        Field::new("address").input("Postal address", Max(2000)),
        Field::new("note").input("Note", Max(5000)),
        Field::shown("site_ids", "SITES")
            .with_kind(Ids)
            .input("Sites", ValueKind::Ids),
        Field::shown("created_at", "CREATED")
            .filter(Time, "created")
            .sort(),
        Field::new("updated_at").filter(Time, "updated").sort(),
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

/// Accounts that the caller may use, and invitations (spec, "Managed account" and "List managed accounts").
pub static MANAGED_ACCOUNTS: Resource = Resource {
    singular: "managed account",
    plural: "managed accounts",
    path: |_| "/managed-accounts",
    specified: true,
    fields: &[
        Field::shown("id", "ID").with_kind(Id),
        Field::shown("email", "EMAIL").filter(Email, "owner's email"),
        Field::shown("role", "ROLE").filter(
            Choice(&["collaborator", "administrator", "co_owner"]),
            "role",
        ),
        Field::shown("company_name", "COMPANY").filter(Name, "company name"),
        Field::shown("status", "STATUS")
            .filter(State(&["pending", "connected"]), "status")
            .sort(),
        Field::shown("all_sites_access", "ALL SITES").filter(Boolean, "access to all sites"),
        Field::shown("created_at", "CREATED")
            .filter(Time, "created")
            .sort(),
        Field::new("updated_at").filter(Time, "updated").sort(),
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

/// Sites. The spec shows neither their path nor their fields ("Other resources"): an assumed column that no record has
/// stays empty.
pub static SITES: Resource = Resource {
    singular: "site",
    plural: "sites",
    path: |endpoints| &endpoints.sites,
    fields: &[
        Field::shown("id", "ID").with_kind(Id),
        Field::shown("url", "URL").with_kind(Name),
        Field::shown("name", "NAME").with_kind(Name),
        Field::shown("client_id", "CLIENT").with_kind(Id),
        Field::shown("multisite", "MULTISITE"),
    ],
    search_fields: &["id", "name", "url", "site_url", "home_url", "domain"],
    description_fields: &["url"],
    examples: "\
Examples:
  sitectl sites list
  sitectl sites list --search bakery
  sitectl sites list --search shop.example.com -o ids

The API specification does not include this list. sitectl assumes /sites.",
    ..RESOURCE
};

/// Snapshots of a site. The spec names only `status` ("Other resources"): the other columns are assumed.
pub static SNAPSHOTS: Resource = Resource {
    singular: "snapshot",
    plural: "snapshots",
    path: |endpoints| &endpoints.snapshots,
    parent: Some(&SITES),
    fields: &[
        Field::shown("id", "ID").with_kind(Id),
        Field::shown("status", "STATUS").with_kind(State(&[])),
        Field::shown("created_at", "CREATED").with_kind(Time),
        Field::shown("size_bytes", "SIZE").with_kind(Bytes),
    ],
    description_fields: &["created_at", "status"],
    examples: "\
Examples:
  sitectl snapshots list site-0001
  sitectl snapshots list site-0001 --json

You can restore only snapshots with the status 'succeeded'. The API specification does not include
this list. sitectl assumes /sites/{site_id}/snapshots.",
    ..RESOURCE
};
