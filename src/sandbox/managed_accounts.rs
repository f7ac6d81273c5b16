//! Managed accounts (spec, "Managed accounts"): accounts of others that the caller has access to.

use super::resource::{Field, Kind, Operator, Resource};

pub(super) static MANAGED_ACCOUNTS: Resource = Resource {
    one: "managed_account",
    many: "managed_accounts",
    path: "/managed-accounts",
    shown: true,
    parent: None,
    source: "managed_accounts",
    columns: "",
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("email", Kind::Text).filter(&[Operator::Contains]),
        Field::new("role", Kind::Choice(&["collaborator", "administrator", "co_owner"]))
            .filter(&[Operator::Eq, Operator::In]),
        Field::new("company_name", Kind::Text).filter(&[Operator::Contains]),
        Field::new("status", Kind::Choice(&["pending", "connected"])).filter(&[Operator::Eq, Operator::In]).sort(),
        Field::new("all_sites_access", Kind::Flag).filter(&[Operator::Eq]),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
};
