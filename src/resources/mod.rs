//! Declares the fields of the service's lists and of sitectl's own records. Flags, help, checks, columns and completion
//! are derived from the declarations.

mod local;
pub mod query;
mod record;
mod service;

pub use local::{OUTCOMES, PROFILES, RESTORES, STARTED, Scope, WATCHED};
pub use record::{Member, Record, last, members, members_and_items, raw_id, scalar, unquoted};
pub use service::{CLIENTS, LISTS, MANAGED_ACCOUNTS, SITES, SNAPSHOTS};

use crate::config::Endpoints;

/// A kind of record.
#[derive(Debug)]
pub struct Resource {
    /// The singular in words, such as `managed account`.
    pub singular: &'static str,
    /// The plural in words; with hyphens, the name of the command.
    pub plural: &'static str,
    /// The path of the list. A profile can set a path that the spec does not show.
    pub path: fn(&Endpoints) -> &str,
    /// The resource whose id is part of the path.
    pub parent: Option<&'static Resource>,
    /// Whether the spec defines this list; the others are assumed ("Other operations").
    pub specified: bool,
    /// The fields, in the spec's order, which is that of the columns.
    pub fields: &'static [Field],
    /// The names of the first columns, if a table has another order. A narrow terminal leaves out the last columns.
    pub column_order: &'static [&'static str],
    /// The fields that `--search` looks in. sitectl applies this search itself, because the service has none.
    pub search_fields: &'static [&'static str],
    /// The names of the fields that describe a record in addition to its id.
    pub description_fields: &'static [&'static str],
    /// Examples of that command.
    pub examples: &'static str,
}

/// The defaults of the declarations.
const RESOURCE: Resource = Resource {
    singular: "record",
    plural: "records",
    path: |_| "",
    parent: None,
    specified: false,
    fields: &[],
    column_order: &[],
    search_fields: &[],
    description_fields: &[],
    examples: "",
};

/// Records of an endpoint that is not declared.
pub static UNKNOWN: Resource = RESOURCE;

/// A field of a record, or a name to filter by that no record has, such as `search`.
#[derive(Debug)]
pub struct Field {
    /// The service's name for it.
    pub name: &'static str,
    /// Whether records have it; if not, it is only a name to filter by, or a column that a table adds.
    pub in_records: bool,
    /// The values that it can have.
    pub kind: FieldKind,
    /// The names of the filter operators in the spec's table; none if lists cannot be filtered by it.
    pub operators: &'static [&'static str],
    /// The name of the field in the help of its filter flags.
    filter: &'static str,
    /// Whether the spec names it as a sort field.
    pub sortable: bool,
    /// The heading of its column, if the table shows it.
    pub column: Option<&'static str>,
    /// Returns its JSON value in words for a table, or none.
    pub render: Option<fn(&str) -> Option<String>>,
    /// The values that it can be set to, if it can be set.
    pub input: Option<Input>,
}

/// The values of a field. The kind decides how lists are filtered by it, and how a table shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// A name, a URL or another text by which people recognize a record.
    Name,
    Email,
    Id,
    /// A list of ids.
    Ids,
    /// A size in bytes.
    Bytes,
    /// An ISO 8601 timestamp.
    Time,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The state or outcome of a record: one of these words, or any if there are none.
    State(&'static [&'static str]),
}

/// The values that a field can be set to.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// The name of the field in help and prompts.
    pub label: &'static str,
    /// Whether a record requires a value that is not blank.
    pub required: bool,
    /// The format of the value.
    pub format: ValueKind,
}

/// The format of a value that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Text of at most this many characters.
    Max(usize),
    /// An email address, unique among all records.
    Email,
    /// A list of ids.
    Ids,
}

/// A flag that filters by a field.
#[derive(Debug)]
pub struct Flag {
    /// Its name, without the dashes.
    pub name: String,
    /// Its operator; `eq` becomes `in` for several values.
    pub operator: &'static str,
    /// One line of help.
    pub help: String,
}

impl Resource {
    /// Returns the command that manages these records.
    pub fn noun(&self) -> String {
        self.plural.replace(' ', "-")
    }

    /// Returns the key of the array in a list's envelope.
    pub fn envelope(&self) -> String {
        self.plural.replace(' ', "_")
    }

    /// Returns the name of an id of these records in a path.
    pub fn id_name(&self) -> String {
        format!("{}_id", self.singular.replace(' ', "_"))
    }

    /// Returns the field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the fields that have a column, in the order of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &'static Field> {
        let mut columns: Vec<&Field> = self
            .fields
            .iter()
            .filter(|field| field.column.is_some())
            .collect();
        let place = |name| {
            self.column_order
                .iter()
                .position(|first| *first == name)
                .unwrap_or(usize::MAX)
        };
        columns.sort_by_key(|field| place(field.name));
        columns.into_iter()
    }

    /// Returns the names of all fields that its records have.
    pub fn record_fields(&self) -> impl Iterator<Item = &'static str> {
        self.fields
            .iter()
            .filter(|field| field.in_records)
            .map(|field| field.name)
    }

    /// Returns the fields that its lists can be filtered by.
    pub fn filterable(&self) -> impl Iterator<Item = &'static Field> {
        self.fields
            .iter()
            .filter(|field| !field.operators.is_empty())
    }

    /// Returns the names of the fields that its lists can be sorted by.
    pub fn sortable(&self) -> Vec<&'static str> {
        self.fields
            .iter()
            .filter(|field| field.sortable)
            .map(|field| field.name)
            .collect()
    }

    /// Returns the flags that filter its lists.
    pub fn flags(&self) -> impl Iterator<Item = (&'static Field, Flag)> {
        self.fields
            .iter()
            .flat_map(|field| field.flags().into_iter().map(move |flag| (field, flag)))
    }

    /// Returns the fields that can be set, with their formats.
    pub fn inputs(&self) -> impl Iterator<Item = (&'static Field, &'static Input)> {
        self.fields
            .iter()
            .filter_map(|field| Some((field, field.input.as_ref()?)))
    }
}

impl Field {
    /// Declares a field without a column.
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            in_records: true,
            kind: FieldKind::Text,
            operators: &[],
            filter: "",
            sortable: false,
            column: None,
            render: None,
            input: None,
        }
    }

    /// Declares a field with a column.
    const fn shown(name: &'static str, heading: &'static str) -> Self {
        Self {
            column: Some(heading),
            ..Self::new(name)
        }
    }

    const fn with_kind(self, kind: FieldKind) -> Self {
        Self { kind, ..self }
    }

    const fn not_in_records(self) -> Self {
        Self {
            in_records: false,
            ..self
        }
    }

    const fn rendered_by(self, render: fn(&str) -> Option<String>) -> Self {
        Self {
            render: Some(render),
            ..self
        }
    }

    /// Declares the filters of this kind of field in the spec, and its name in help.
    const fn filter(self, kind: FieldKind, filter: &'static str) -> Self {
        let operators: &[&str] = match kind {
            FieldKind::Text
            | FieldKind::Name
            | FieldKind::Email
            | FieldKind::Id
            | FieldKind::Ids
            | FieldKind::Bytes => &["contains"],
            FieldKind::Time => &["gte", "lte"],
            FieldKind::Boolean => &["eq"],
            FieldKind::Choice(_) | FieldKind::State(_) => &["eq", "in"],
        };
        Self {
            kind,
            operators,
            filter,
            ..self
        }
    }

    const fn sort(self) -> Self {
        Self {
            sortable: true,
            ..self
        }
    }

    const fn input(self, label: &'static str, format: ValueKind) -> Self {
        Self {
            input: Some(Input {
                label,
                format,
                required: false,
            }),
            ..self
        }
    }

    const fn required(self, label: &'static str, format: ValueKind) -> Self {
        Self {
            input: Some(Input {
                label,
                format,
                required: true,
            }),
            ..self
        }
    }

    /// Returns the name of its flag, without the dashes.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Returns the flags that filter by it.
    pub fn flags(&self) -> Vec<Flag> {
        let (name, filter) = (self.flag(), self.filter);
        let at = |end: &str| format!("{}-{end}", name.trim_end_matches("-at"));
        let flag = |name, operator, help| Flag {
            name,
            operator,
            help,
        };
        match self.kind {
            _ if self.operators.is_empty() => vec![],
            FieldKind::Text
            | FieldKind::Name
            | FieldKind::Email
            | FieldKind::Id
            | FieldKind::Ids
            | FieldKind::Bytes => {
                vec![flag(name, "contains", format!("Search the {filter}"))]
            }
            FieldKind::Boolean => vec![flag(name, "eq", format!("Filter by {filter}"))],
            FieldKind::Choice(_) | FieldKind::State(_) => {
                vec![flag(
                    name,
                    "eq",
                    format!("Filter by {filter}; separate several with commas"),
                )]
            }
            FieldKind::Time => vec![
                flag(
                    at("since"),
                    "gte",
                    format!("List records {filter} since this time, date or age (7d)"),
                ),
                flag(
                    at("until"),
                    "lte",
                    format!("List records {filter} until this time, date or age"),
                ),
            ],
        }
    }

    /// Returns the form of a filter by it, such as `role:eq|in`.
    pub fn filter_form(&self) -> String {
        format!("{}:{}", self.name, self.operators.join("|"))
    }
}

impl Input {
    /// Returns the help of the flag that sets the field.
    pub fn help(&self) -> String {
        match self.format {
            ValueKind::Max(longest) => format!(
                "Set the {}, at most {longest} characters",
                self.label.to_lowercase()
            ),
            ValueKind::Email => format!(
                "Set the {}, which must be unique",
                self.label.to_lowercase()
            ),
            ValueKind::Ids => self.label.into(),
        }
    }
}
