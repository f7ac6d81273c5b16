//! How a list resource is declared: its fields, where each lives, and what may be asked of it.
//!
//! The one list mechanism (`list.rs`, `filter.rs`) and the OpenAPI document read these declarations.

use super::clock;
use rusqlite::Row;
use serde_json::Value;

/// A kind of record that can be listed and shown.
pub(super) struct Resource {
    /// The name of one record, as in `{"client": …}`, also the title in "Client not found."
    pub(super) one: &'static str,
    /// The name of a list of them, as in `{"clients": […]}`.
    pub(super) many: &'static str,
    pub(super) table: &'static str,
    /// Whether all fields are as they were written; those of a task move with the clock.
    pub(super) stored: bool,
    pub(super) fields: &'static [Field],
}

/// One field of a record, or (where it is not shown) one that can only be filtered by.
pub(super) struct Field {
    pub(super) name: &'static str,
    /// What it is in SQL; for a text search, several columns separated by commas.
    pub(super) sql: &'static str,
    pub(super) kind: Kind,
    pub(super) operators: &'static [Operator],
    pub(super) sortable: bool,
    pub(super) nullable: bool,
}

/// What a field holds.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Text,
    /// Milliseconds in the database, RFC 3339 outside.
    Time,
    /// 0 or 1 in the database.
    Flag,
    Choice(&'static [&'static str]),
    Integer,
    /// A JSON array of strings, made by the database.
    Strings,
    /// A JSON array of a task's steps, made by the database.
    Steps,
    /// Not part of the record: text columns that are searched.
    Search,
}

/// A filter operator (spec, "Common list query parameters").
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Operator {
    Contains,
    Eq,
    In,
    Gte,
    Lte,
}

impl Operator {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Operator::Contains => "contains",
            Operator::Eq => "eq",
            Operator::In => "in",
            Operator::Gte => "gte",
            Operator::Lte => "lte",
        }
    }
}

impl Field {
    pub(super) const fn new(name: &'static str, kind: Kind) -> Field {
        Field { name, sql: name, kind, operators: &[], sortable: false, nullable: false }
    }

    /// `created_at` and `updated_at` are the same everywhere.
    pub(super) const fn time(name: &'static str) -> Field {
        Field::new(name, Kind::Time).filter(&[Operator::Gte, Operator::Lte]).sort()
    }

    pub(super) const fn sql(self, sql: &'static str) -> Field {
        Field { sql, ..self }
    }

    pub(super) const fn filter(self, operators: &'static [Operator]) -> Field {
        Field { operators, ..self }
    }

    pub(super) const fn sort(self) -> Field {
        Field { sortable: true, ..self }
    }

    pub(super) const fn nullable(self) -> Field {
        Field { nullable: true, ..self }
    }

    pub(super) fn is_shown(&self) -> bool {
        self.kind != Kind::Search
    }
}

impl Resource {
    pub(super) fn shown(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|field| field.is_shown())
    }

    /// The select list of a record's columns, in the order that `write` expects.
    pub(super) fn columns(&self) -> String {
        self.shown().map(|field| field.sql).collect::<Vec<_>>().join(", ")
    }

    /// Appends the record as a JSON object; straight to bytes, since a page holds up to a thousand.
    pub(super) fn write(&self, row: &Row<'_>, out: &mut Vec<u8>) -> rusqlite::Result<()> {
        for (index, field) in self.shown().enumerate() {
            out.push(if index == 0 { b'{' } else { b',' });
            write_text(field.name, out);
            out.push(b':');
            write_value(row, index, field.kind, out)?;
        }
        out.push(b'}');
        Ok(())
    }
}

fn write_value(row: &Row<'_>, index: usize, kind: Kind, out: &mut Vec<u8>) -> rusqlite::Result<()> {
    let value = row.get_ref(index)?;
    match kind {
        _ if value == rusqlite::types::ValueRef::Null => out.extend_from_slice(b"null"),
        Kind::Time => write_text(&clock::text(value.as_i64()?), out),
        Kind::Flag => out.extend_from_slice(if value.as_i64()? == 0 { b"false" } else { b"true" }),
        Kind::Integer => out.extend_from_slice(value.as_i64()?.to_string().as_bytes()),
        Kind::Strings | Kind::Steps => out.extend_from_slice(value.as_bytes()?),
        Kind::Text | Kind::Choice(_) | Kind::Search => write_text(value.as_str()?, out),
    }
    Ok(())
}

/// Appends a JSON string.
fn write_text(text: &str, out: &mut Vec<u8>) {
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(Value::from(text).to_string().as_bytes());
    }
}
