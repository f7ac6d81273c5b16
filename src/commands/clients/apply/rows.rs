//! Reads the rows of a file of clients, and checks them as far as that can be done without the service.

use crate::client::{CLIENT_FIELDS, field_problems};
use crate::commands::clients::columns::field_of;
use crate::error::{Detail, Result};
use crate::input::{Document, Row};
use crate::resources::scalar;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// A row, which is about one client.
#[derive(Debug)]
pub struct ClientRow {
    /// The row's number in the file.
    pub number: usize,
    /// Its id, where the row names one.
    pub id: Option<String>,
    /// Its fields, where the row has them.
    pub fields: Map<String, Value>,
    /// Problems with its fields. Of a row with an id they count only where the field changes: what the service has
    /// already, as an export shows it, is no problem.
    pub problems: Vec<Detail>,
}

impl ClientRow {
    /// The email that it is to have.
    pub fn email(&self) -> Option<&str> {
        self.fields.get("email").and_then(Value::as_str)
    }

    /// What the row is called: by its id, else by its email.
    pub fn key(&self) -> String {
        self.id.as_deref().or(self.email()).unwrap_or_default().to_string()
    }
}

/// The clients that the file asks for.
///
/// # Errors
/// `Invalid` with every problem of the file at once.
pub fn read(document: &Document) -> Result<Vec<ClientRow>> {
    let rows: Vec<_> = document.rows.iter().enumerate().map(|(number, row)| of_row(document, number, row)).collect();
    let mut problems = document.problems.clone();
    for client in &rows {
        if client.id.is_none() {
            problems.extend(client.problems.iter().cloned());
        }
        let row = &document.rows[client.number];
        if row.value("id").is_some_and(|id| !id.is_string() && !id.is_number()) {
            problems.push(document.detail(row, "id", "invalid_type", "Must be a string"));
        } else if client.key().is_empty() {
            problems.push(document.detail(row, "email", "blank", "Can't be blank where there is no id"));
        }
    }
    problems.extend(doubles(document, &rows));
    if !problems.is_empty() {
        let with_id = rows.iter().filter(|client| client.id.is_some());
        problems.extend(with_id.flat_map(|client| client.problems.iter().cloned()));
        problems.splice(0..0, document.unknown.iter().cloned());
    }
    document.refuse(problems).map(|()| rows)
}

fn of_row(document: &Document, number: usize, row: &Row) -> ClientRow {
    let known = |name: &str| CLIENT_FIELDS.contains(&name);
    let cells = row.fields.iter().filter(|(name, value)| known(name) && !value.is_null());
    let fields: Map<_, _> = cells.map(|(name, value)| (name.clone(), deduplicated(value.clone()))).collect();
    let problems = field_problems(&fields, &[]).into_iter().map(|problem| at(document, row, problem)).collect();
    ClientRow { number, id: row.value("id").and_then(scalar).filter(|id| !id.is_empty()), fields, problems }
}

/// A site that is named twice is named.
fn deduplicated(value: Value) -> Value {
    let Value::Array(items) = value else { return value };
    let mut seen = std::collections::HashSet::new();
    Value::Array(items.into_iter().filter(|item| seen.insert(item.to_string())).collect())
}

/// A problem with a field, at its place in the file.
pub fn at(document: &Document, row: &Row, problem: Detail) -> Detail {
    document.detail(row, field_of(&problem.param), &problem.code, problem.message)
}

/// Keys that two rows have: ids, and where there are none, emails in any case.
fn doubles(document: &Document, rows: &[ClientRow]) -> Vec<Detail> {
    let mut first: HashMap<(&str, String), usize> = HashMap::new();
    let mut doubles = Vec::new();
    for client in rows.iter().filter(|client| !client.key().is_empty()) {
        let field = if client.id.is_some() { "id" } else { "email" };
        let key = if client.id.is_some() { client.key() } else { client.key().to_lowercase() };
        match first.entry((field, key)) {
            std::collections::hash_map::Entry::Vacant(entry) => drop(entry.insert(client.number)),
            std::collections::hash_map::Entry::Occupied(entry) => {
                let position = document.rows[*entry.get()].position;
                let message = format!("'{}' is in {position} too", client.key());
                doubles.push(document.detail(&document.rows[client.number], field, "duplicate", message));
            }
        }
    }
    doubles
}
