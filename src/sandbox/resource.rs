//! The form of a resource declaration.
//!
//! The tables, lists and checks of input follow from the declarations.

use super::time;
use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

/// A resource.
pub(super) struct Resource {
    /// The name of one record, such as `client`.
    pub(super) one: &'static str,
    /// The name of the list and of the table, such as `clients`.
    pub(super) many: &'static str,
    /// The path of the list.
    pub(super) path: &'static str,
    /// Whether the path of the list and an id returns one record.
    pub(super) shown: bool,
    /// The path parameter, which is also a column, and the resource that it identifies.
    pub(super) parent: Option<(&'static str, &'static Resource)>,
    /// More columns and constraints of the table.
    pub(super) columns: &'static str,
    pub(super) fields: &'static [Field],
}

/// One field of a record.
pub(super) struct Field {
    pub(super) name: &'static str,
    /// The value in SQL: the column, unless it is computed.
    pub(super) sql: &'static str,
    pub(super) kind: Kind,
    pub(super) operators: &'static [Operator],
    pub(super) sortable: bool,
    nullable: bool,
    /// The format of texts from callers, if they can set the field.
    pub(super) input: Option<Format>,
    /// Required on create, and never blank.
    pub(super) required: bool,
}

/// The type of a field.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Text,
    /// Milliseconds in the database, RFC 3339 in JSON.
    Time,
    /// 0 or 1 in the database.
    Flag,
    Choice(&'static [&'static str]),
    Integer,
    /// JSON that the database computes.
    Json,
    /// A filter over several text columns, which are separated by commas. Not part of the record.
    Search,
}

/// The format of a text from a caller.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Email,
    /// Maximum number of characters.
    Length(usize),
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
        Field {
            name,
            sql: name,
            kind,
            operators: &[],
            sortable: false,
            nullable: false,
            input: None,
            required: false,
        }
    }

    /// Declares `created_at` or `updated_at`.
    pub(super) const fn time(name: &'static str) -> Field {
        Field::new(name, Kind::Time)
            .filter(&[Operator::Gte, Operator::Lte])
            .sort()
    }

    pub(super) const fn sql(self, sql: &'static str) -> Field {
        Field { sql, ..self }
    }

    pub(super) const fn filter(self, operators: &'static [Operator]) -> Field {
        Field { operators, ..self }
    }

    pub(super) const fn sort(self) -> Field {
        Field {
            sortable: true,
            ..self
        }
    }

    pub(super) const fn nullable(self) -> Field {
        Field {
            nullable: true,
            ..self
        }
    }

    pub(super) const fn required(self, format: Format) -> Field {
        Field {
            input: Some(format),
            required: true,
            ..self
        }
    }

    pub(super) const fn optional(self, format: Format) -> Field {
        Field {
            input: Some(format),
            ..self
        }
    }

    fn is_stored(&self) -> bool {
        self.sql == self.name
    }

    /// Returns the declaration of the column.
    fn column(&self) -> String {
        let (name, null) = (self.name, if self.nullable { "" } else { " NOT NULL" });
        match self.kind {
            _ if name == "id" => "id TEXT PRIMARY KEY".to_owned(),
            Kind::Time | Kind::Flag | Kind::Integer => format!("{name} INTEGER{null}"),
            _ if self.nullable => format!("{name} TEXT"),
            _ => format!("{name} TEXT NOT NULL DEFAULT ''"),
        }
    }
}

impl Resource {
    fn stored(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|field| field.is_stored())
    }

    fn in_record(&self) -> impl Iterator<Item = &'static Field> {
        self.fields
            .iter()
            .filter(|field| field.kind != Kind::Search)
    }

    /// Returns the SQL that creates the table and an index per sort field.
    pub(super) fn schema(&self) -> String {
        let Resource { many, columns, .. } = self;
        let fields: String = self
            .stored()
            .map(|field| format!(", {}", field.column()))
            .collect();
        let mut schema =
            format!("CREATE TABLE {many} (account INTEGER NOT NULL{fields}{columns}) STRICT;\n");
        for Field { name, .. } in self.stored().filter(|field| field.sortable) {
            schema += &format!("CREATE INDEX {many}_{name} ON {many} (account, {name}, id);\n");
        }
        schema
    }

    /// Returns the columns of a SELECT in the order that `record` expects.
    pub(super) fn select(&self) -> String {
        self.in_record()
            .map(|field| field.sql)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Converts a row of `select` to a record.
    pub(super) fn record(&self, row: &Row<'_>) -> rusqlite::Result<Value> {
        let fields = self.in_record().enumerate();
        let record = fields.map(|(index, field)| {
            Ok((
                field.name.to_owned(),
                value(row.get_ref(index)?, field.kind)?,
            ))
        });
        record
            .collect::<rusqlite::Result<Map<_, _>>>()
            .map(Value::Object)
    }
}

fn value(value: ValueRef<'_>, kind: Kind) -> rusqlite::Result<Value> {
    Ok(match kind {
        _ if value == ValueRef::Null => Value::Null,
        Kind::Time => time::text(value.as_i64()?).into(),
        Kind::Flag => (value.as_i64()? != 0).into(),
        Kind::Integer => value.as_i64()?.into(),
        Kind::Json => serde_json::from_slice(value.as_bytes()?).unwrap_or_default(),
        Kind::Text | Kind::Choice(_) | Kind::Search => value.as_str()?.into(),
    })
}
