//! Managed accounts (spec, "Managed accounts"): accounts of others that the caller has been given access to.

use super::answer::Answered;
use super::call::Call;
use super::list;
use super::resource::{Field, Kind, Operator, Resource};

pub(super) const ROLES: &[&str] = &["collaborator", "administrator", "co_owner"];
pub(super) const STATUSES: &[&str] = &["pending", "connected"];

pub(super) static MANAGED_ACCOUNTS: Resource = Resource {
    one: "managed_account",
    many: "managed_accounts",
    table: "managed_accounts",
    stored: true,
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("email", Kind::Text).filter(&[Operator::Contains]),
        Field::new("role", Kind::Choice(ROLES)).filter(&[Operator::Eq, Operator::In]),
        Field::new("company_name", Kind::Text).filter(&[Operator::Contains]),
        Field::new("status", Kind::Choice(STATUSES)).filter(&[Operator::Eq, Operator::In]).sort(),
        Field::new("all_sites_access", Kind::Flag).filter(&[Operator::Eq]),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
};

/// `GET /managed-accounts`
pub(super) fn list(call: &Call) -> Answered {
    list::list(call, &MANAGED_ACCOUNTS, &[])
}

/// `GET /managed-accounts/{managed_account_id}`
pub(super) fn show(call: &Call) -> Answered {
    list::show(call, &MANAGED_ACCOUNTS, call.path("managed_account_id"))
}
