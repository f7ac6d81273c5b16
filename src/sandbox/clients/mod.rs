//! Clients (spec, "Clients"): the record and its list; each verb that changes them has its own file.

mod create;
mod delete;
mod details;
mod rules;
mod update;

pub(super) use create::create;
pub(super) use delete::delete;
pub(super) use details::TEXT_FIELDS;
pub(super) use update::update;

use super::answer::Answered;
use super::call::Call;
use super::list;
use super::resource::{Field, Kind, Operator, Resource};

pub(super) static CLIENTS: Resource = Resource {
    one: "client",
    many: "clients",
    table: "clients",
    stored: true,
    fields: &[
        Field::new("id", Kind::Text),
        Field::new("first_name", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("last_name", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("email", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("company_name", Kind::Text).filter(&[Operator::Contains]).sort(),
        Field::new("address", Kind::Text),
        Field::new("note", Kind::Text),
        Field::new("site_ids", Kind::Strings)
            .sql("(SELECT json_group_array(id ORDER BY position, id) FROM sites WHERE client_id = clients.id)"),
        Field::time("created_at"),
        Field::time("updated_at"),
        Field::new("search", Kind::Search)
            .sql("first_name, last_name, email, company_name")
            .filter(&[Operator::Contains]),
    ],
};

/// `GET /clients`
pub(super) fn list(call: &Call) -> Answered {
    list::list(call, &CLIENTS, &[])
}

/// `GET /clients/{client_id}`
pub(super) fn show(call: &Call) -> Answered {
    list::show(call, &CLIENTS, call.path("client_id"))
}
