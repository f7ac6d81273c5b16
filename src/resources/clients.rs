//! Clients (spec, "Client" and "List clients").

use super::{CREATED, Field, Flag, Operator, PLAIN, Resource, UPDATED};

const CONTAINS: &[Operator] = &[Operator::Contains];

/// A text field that can be searched and sorted by.
const TEXT: Field = Field { operators: CONTAINS, sortable: true, ..PLAIN };

/// The customers whose sites are managed.
pub static CLIENTS: Resource = Resource {
    plural: "clients",
    envelope: "clients",
    specified: true,
    fields: &[
        Field { name: "id", column: Some("ID"), ..PLAIN },
        Field {
            name: "search",
            recorded: false,
            operators: CONTAINS,
            flags: &[Flag {
                name: "search",
                operator: Operator::Contains,
                help: "Text in the first or last name, email or company name",
            }],
            ..PLAIN
        },
        Field {
            name: "first_name",
            column: Some("FIRST NAME"),
            flags: &[Flag { name: "first-name", operator: Operator::Contains, help: "Text in the first name" }],
            ..TEXT
        },
        Field {
            name: "last_name",
            column: Some("LAST NAME"),
            flags: &[Flag { name: "last-name", operator: Operator::Contains, help: "Text in the last name" }],
            ..TEXT
        },
        Field {
            name: "email",
            column: Some("EMAIL"),
            flags: &[Flag { name: "email", operator: Operator::Contains, help: "Text in the email" }],
            ..TEXT
        },
        Field {
            name: "company_name",
            column: Some("COMPANY"),
            flags: &[Flag { name: "company-name", operator: Operator::Contains, help: "Text in the company name" }],
            ..TEXT
        },
        Field { name: "address", ..PLAIN },
        Field { name: "note", ..PLAIN },
        Field { name: "site_ids", column: Some("SITES"), ..PLAIN },
        CREATED,
        UPDATED,
    ],
    order: &[],
    about: &["email"],
};
