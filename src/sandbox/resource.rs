//! The form of a resource declaration.
//!
//! The table, the list and the checks of input follow from the declaration.

use super::time::{self, Millis};
use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

pub struct Resource {
    /// The key of a record in responses, such as `client`.
    pub singular: &'static str,
    /// The key of the list in responses and the name of the table, such as `clients`.
    pub plural: &'static str,
    /// The path of the list.
    pub path: &'static str,
    /// Without a parent, `GET {path}/{id}` returns a record.
    pub parent: Option<Parent>,
    /// The SQL of columns and constraints of the table that do not follow from the fields.
    pub extra_columns: &'static str,
    pub fields: &'static [Field],
    /// Converts a row to the record at this time; `None` if the record consists of the fields.
    pub to_record: Option<fn(&Row<'_>, Millis) -> rusqlite::Result<Value>>,
}

/// The resource that a list belongs to.
pub struct Parent {
    pub resource: &'static Resource,
    /// The name of the parent's id, both as the parameter in the path and as the column.
    pub id_field: &'static str,
}

/// A field of a record.
pub struct Field {
    pub name: &'static str,
    /// The value in SQL: the column, unless it is computed.
    pub sql: &'static str,
    pub kind: FieldKind,
    pub operators: &'static [Operator],
    pub is_sortable: bool,
    is_nullable: bool,
    is_hidden: bool,
    /// The format of the text in a request body; `None` if callers can't set the field.
    pub input_format: Option<TextFormat>,
    /// Whether the field is required on create, and never blank.
    pub is_required: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub enum FieldKind {
    Text,
    /// Milliseconds in the database, RFC 3339 in JSON.
    Time,
    /// 0 or 1 in the database.
    Flag,
    Number,
    Choice(&'static [&'static str]),
    /// JSON as text in the database.
    Json,
}

/// The format of a text from a caller.
#[derive(Clone, Copy)]
pub enum TextFormat {
    Email,
    /// At most this number of characters.
    MaxLength(usize),
}

/// A filter operator (spec, "Common list query parameters").
#[derive(Clone, Copy, PartialEq)]
pub enum Operator {
    Contains,
    Eq,
    In,
    Gte,
    Lte,
}

impl Operator {
    pub const fn name(self) -> &'static str {
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
    pub const fn new(name: &'static str, kind: FieldKind) -> Field {
        Field {
            name,
            sql: name,
            kind,
            operators: &[],
            is_sortable: false,
            is_nullable: false,
            is_hidden: false,
            input_format: None,
            is_required: false,
        }
    }

    pub const fn text(name: &'static str) -> Field {
        Field::new(name, FieldKind::Text)
    }

    pub const fn flag(name: &'static str) -> Field {
        Field::new(name, FieldKind::Flag)
    }

    pub const fn json(name: &'static str) -> Field {
        Field::new(name, FieldKind::Json)
    }

    /// Declares `created_at` or `updated_at`.
    pub const fn time(name: &'static str) -> Field {
        Field::new(name, FieldKind::Time)
            .filtered_by(&[Operator::Gte, Operator::Lte])
            .sortable()
    }

    pub const fn computed(self, sql: &'static str) -> Field {
        Field { sql, ..self }
    }

    pub const fn filtered_by(self, operators: &'static [Operator]) -> Field {
        Field { operators, ..self }
    }

    pub const fn sortable(self) -> Field {
        Field {
            is_sortable: true,
            ..self
        }
    }

    pub const fn nullable(self) -> Field {
        Field {
            is_nullable: true,
            ..self
        }
    }

    /// Leaves the field out of the record.
    pub const fn hidden(self) -> Field {
        Field {
            is_hidden: true,
            ..self
        }
    }

    /// Lets callers set the field, and requires it on create.
    pub const fn required_input(self, format: TextFormat) -> Field {
        Field {
            is_required: true,
            ..self.optional_input(format)
        }
    }

    /// Lets callers set the field.
    pub const fn optional_input(self, format: TextFormat) -> Field {
        Field {
            input_format: Some(format),
            ..self
        }
    }

    /// Whether the field is a column of the table.
    fn is_stored(&self) -> bool {
        self.sql == self.name
    }

    /// Returns the SQL that declares the column.
    fn column_sql(&self) -> String {
        let name = self.name;
        if name == "id" {
            return "id TEXT PRIMARY KEY".to_owned();
        }
        let not_null = if self.is_nullable { "" } else { " NOT NULL" };
        match self.kind {
            FieldKind::Time | FieldKind::Flag => format!("{name} INTEGER{not_null}"),
            _ if self.is_nullable => format!("{name} TEXT"),
            _ => format!("{name} TEXT NOT NULL DEFAULT ''"),
        }
    }
}

impl Resource {
    /// Whether the list shows what is in a snapshot.
    pub fn is_content(&self) -> bool {
        self.fields[0].name != "id"
    }

    fn stored_fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|field| field.is_stored())
    }

    /// Returns the fields in responses.
    fn record_fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|field| !field.is_hidden)
    }

    /// Returns the SQL that creates the table and an index per sort field.
    pub fn schema(&self) -> String {
        let table = self.plural;
        let mut schema = format!("CREATE TABLE {table} (account INTEGER NOT NULL");
        for field in self.stored_fields() {
            schema += &format!(", {}", field.column_sql());
        }
        schema += &format!("{}) STRICT;\n", self.extra_columns);
        for Field { name, .. } in self.stored_fields().filter(|field| field.is_sortable) {
            schema += &format!("CREATE INDEX {table}_{name} ON {table} (account, {name}, id);\n");
        }
        schema
    }

    /// Returns the columns of a SELECT in the order that `record_from_row` expects.
    pub fn select_columns(&self) -> String {
        let columns: Vec<_> = self.record_fields().map(|field| field.sql).collect();
        columns.join(", ")
    }

    /// Converts a row of `select_columns` to the record at this time.
    pub fn record_from_row(&self, row: &Row<'_>, now: Millis) -> rusqlite::Result<Value> {
        if let Some(to_record) = self.to_record {
            return to_record(row, now);
        }
        let mut record = Map::new();
        for (index, field) in self.record_fields().enumerate() {
            let value = json_value(row.get_ref(index)?, field.kind)?;
            record.insert(field.name.to_owned(), value);
        }
        Ok(Value::Object(record))
    }
}

fn json_value(value: ValueRef<'_>, kind: FieldKind) -> rusqlite::Result<Value> {
    if value == ValueRef::Null {
        return Ok(Value::Null);
    }
    Ok(match kind {
        FieldKind::Time => time::format_time(value.as_i64()?).into(),
        FieldKind::Flag => (value.as_i64()? != 0).into(),
        FieldKind::Number => value.as_i64()?.into(),
        FieldKind::Json => serde_json::from_slice(value.as_bytes()?).unwrap_or_default(),
        FieldKind::Text | FieldKind::Choice(_) => value.as_str()?.into(),
    })
}
