//! Reads the rows of a file of clients, and checks them as far as that needs no request.

use crate::client::{CLIENT_FIELDS, field_problems};
use crate::commands::clients::columns::field_of;
use crate::error::Detail;
use crate::input::{Document, Row};
use crate::resources::scalar;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// A row, which is about one client.
#[derive(Debug)]
pub struct ClientRow {
    /// The row's number in the file.
    pub number: usize,
    /// The id, if the row has one.
    pub id: Option<String>,
    /// The fields that the row has.
    pub fields: Map<String, Value>,
    /// Problems with its fields. In a row with an id they count only if the field changes: a value that the service has
    /// already, as an export shows it, is not a problem.
    pub problems: Vec<Detail>,
}

/// A problem, and the number of its row; none for a problem of the file itself.
pub type Problem = (Option<usize>, Detail);

impl ClientRow {
    /// The client's new email.
    pub fn email(&self) -> Option<&str> {
        self.fields.get("email").and_then(Value::as_str)
    }

    /// Returns the sites that the row lists.
    pub fn sites(&self) -> Vec<String> {
        let sites = self.fields.get("site_ids").and_then(Value::as_array);
        sites.into_iter().flatten().filter_map(scalar).collect()
    }

    /// Returns the id, or else the email.
    pub fn key(&self) -> String {
        self.id.as_deref().or(self.email()).unwrap_or_default().to_string()
    }
}

/// Returns the rows of the file, and all problems that need no request.
pub fn read(document: &Document) -> (Vec<ClientRow>, Vec<Problem>) {
    let rows: Vec<_> =
        document.rows.iter().enumerate().map(|(number, row)| client_row(document, number, row)).collect();
    let mut problems = document.problems.clone();
    for (client, row) in rows.iter().zip(&document.rows) {
        let own = if client.id.is_none() { client.problems.clone() } else { Vec::new() };
        let key = if row.value("id").is_some_and(|id| !id.is_string() && !id.is_number()) {
            Some(document.detail(row, "id", "invalid_type", "Must be a string"))
        } else if client.key().is_empty() && own.iter().all(|problem| problem.param != "email") {
            Some(document.detail(row, "email", "blank", "Can't be blank without an id"))
        } else {
            None
        };
        problems.extend(own.into_iter().chain(key).map(|problem| (Some(client.number), problem)));
    }
    (rows, problems)
}

fn client_row(document: &Document, number: usize, row: &Row) -> ClientRow {
    let known = |name: &str| CLIENT_FIELDS.contains(&name);
    let cells = row.fields.iter().filter(|(name, value)| known(name) && !value.is_null());
    let fields: Map<_, _> = cells.map(|(name, value)| (name.clone(), deduplicated(value.clone()))).collect();
    let problems = field_problems(&fields, &[]).into_iter().map(|problem| at(document, row, problem)).collect();
    ClientRow { number, id: row.value("id").and_then(scalar).filter(|id| !id.is_empty()), fields, problems }
}

/// Removes repeated sites.
fn deduplicated(value: Value) -> Value {
    let Value::Array(items) = value else { return value };
    let mut seen = HashSet::new();
    Value::Array(items.into_iter().filter(|item| seen.insert(item.to_string())).collect())
}

/// Returns a problem with a field at its place in the file.
pub fn at(document: &Document, row: &Row, problem: Detail) -> Detail {
    document.detail(row, field_of(&problem.param), &problem.code, problem.message)
}
