//! Sites. The spec does not show them; this is as much as clients and restores need.

use super::answer::Answered;
use super::call::Call;
use super::list;
use super::resource::{Field, Kind, Operator, Resource};

pub(super) static SITES: Resource = Resource {
    one: "site",
    many: "sites",
    table: "sites",
    stored: true,
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("url", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("name", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("multisite", Kind::Flag).filter(&[Operator::Eq]),
        Field::new("client_id", Kind::Text).filter(&[Operator::Eq]).nullable(),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::new("search", Kind::Search).sql("url, name").filter(&[Operator::Contains]),
    ],
};

/// `GET /sites`
pub(super) fn list(call: &Call) -> Answered {
    list::list(call, &SITES, &[])
}
