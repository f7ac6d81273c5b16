//! Snapshots of a site. The spec shows of them only that `succeeded` marks a completed one.

use super::answer::{Answered, Refusal};
use super::call::Call;
use super::list;
use super::resource::{Field, Kind, Operator, Resource};
use super::sites::SITES;
use rusqlite::Transaction;

pub(super) const STATUSES: &[&str] = &["running", "succeeded", "failed"];

pub(super) static SNAPSHOTS: Resource = Resource {
    one: "snapshot",
    many: "snapshots",
    table: "snapshots",
    stored: true,
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("site_id", Kind::Text),
        Field::new("status", Kind::Choice(STATUSES)).filter(&[Operator::Eq, Operator::In]).sort(),
        Field::new("size_bytes", Kind::Integer).nullable(),
        Field::time("created_at"),
        Field::time("updated_at"),
    ],
};

/// `GET /sites/{site_id}/snapshots`
pub(super) fn list(call: &Call) -> Answered {
    let site = call.path("site_id");
    call.read(|db| require_site(db, call.account.key, site))?;
    list::list(call, &SNAPSHOTS, &[("site_id", site)])
}

/// 404 where the account has no such site.
fn require_site(db: &Transaction<'_>, account: i64, site: &str) -> Result<(), Refusal> {
    list::one(db, &SITES, account, site).map(drop)
}
