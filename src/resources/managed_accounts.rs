//! Managed accounts (spec, "Managed account" and "List managed accounts").

use super::{CREATED, Field, FieldKind, Flag, Operator, PLAIN, Resource, UPDATED};

const CONTAINS: &[Operator] = &[Operator::Contains];
const ONE_OR_MORE: &[Operator] = &[Operator::Eq, Operator::In];

/// Accounts of others that the caller may use, and invitations to them.
pub static MANAGED_ACCOUNTS: Resource = Resource {
    plural: "managed accounts",
    envelope: "managed_accounts",
    specified: true,
    fields: &[
        Field { name: "id", column: Some("ID"), ..PLAIN },
        Field {
            name: "email",
            operators: CONTAINS,
            column: Some("EMAIL"),
            flags: &[Flag { name: "email", operator: Operator::Contains, help: "Text in the owner's email" }],
            ..PLAIN
        },
        Field {
            name: "role",
            kind: FieldKind::Choice(&["collaborator", "administrator", "co_owner"]),
            operators: ONE_OR_MORE,
            column: Some("ROLE"),
            flags: &[Flag {
                name: "role",
                operator: Operator::Eq,
                help: "The caller's role; several, separated by commas",
            }],
            ..PLAIN
        },
        Field {
            name: "company_name",
            operators: CONTAINS,
            column: Some("COMPANY"),
            flags: &[Flag { name: "company-name", operator: Operator::Contains, help: "Text in the company name" }],
            ..PLAIN
        },
        Field {
            name: "status",
            kind: FieldKind::Choice(&["pending", "connected"]),
            operators: ONE_OR_MORE,
            sortable: true,
            column: Some("STATUS"),
            flags: &[Flag { name: "status", operator: Operator::Eq, help: "The status; several, separated by commas" }],
            ..PLAIN
        },
        Field {
            name: "all_sites_access",
            kind: FieldKind::Boolean,
            operators: &[Operator::Eq],
            column: Some("ALL SITES"),
            flags: &[Flag {
                name: "all-sites-access",
                operator: Operator::Eq,
                help: "Whether access covers every site",
            }],
            ..PLAIN
        },
        CREATED,
        UPDATED,
    ],
    order: &[],
    about: &["email"],
};
