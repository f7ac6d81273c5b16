//! Declares the fields of the service's lists and of sitectl's own records. Flags, help, checks,
//! columns and completion are derived from the declarations.

mod hidden;
mod local;
mod outcome;
pub mod query;
mod record;
mod scope;
mod service;
mod similar;
mod time;

pub use hidden::is_hidden;
pub use local::{EXIT_CODE_TABLE, PROFILES, RESTORES, SITE_CHECKS, STEPS};
pub use outcome::{OUTCOMES, Outcome};
pub use record::{
    Member, Record, member_value, members, members_and_items, raw_member, scalar_text,
    split_first_value, unquote,
};
pub use scope::{RestoreScope, is_same_scope, render_scope};
pub use service::*;
pub use similar::{allowed_hint, most_similar};
pub use time::ServiceTime;

use crate::config::Endpoints;
use crate::error::{Error, Hint};
use std::ops::Deref;

/// Records that sitectl prints: those of a list of the service, or its own.
#[derive(Debug)]
pub struct Table {
    /// The plural in words.
    pub plural: &'static str,
    /// The field that `-o ids` prints.
    pub id_field: &'static str,
    /// The fields, in the order of the columns in CSV.
    pub fields: &'static [Field],
    /// The names of the first columns; empty if the columns have the order of the fields.
    pub column_order: &'static [&'static str],
    /// The names of the columns that a narrow terminal cuts and leaves out last, the most important
    /// one first. If it is empty, they are those of `column_order`.
    pub priority: &'static [&'static str],
}

/// A list of the service. The plural of its table, with hyphens, is the name of the command.
#[derive(Debug)]
pub struct Resource {
    pub table: Table,
    /// The singular in words, such as `managed account`.
    pub singular: &'static str,
    /// Returns the path of the list. A profile can set the paths that the spec does not define.
    pub path: fn(&Endpoints) -> &str,
    /// The resource that the list belongs to: its id is part of the path or of the query.
    pub parent: Option<&'static Resource>,
    /// Whether the spec defines this list; the others are assumed ("Other operations").
    pub specified: bool,
    /// The setting of `[profiles.NAME.endpoints]` that replaces an assumed path.
    pub setting: Option<&'static str>,
    /// The fields that `--search` looks in. sitectl applies this search itself, because the service
    /// has none.
    pub search_fields: &'static [&'static str],
    /// Whether clients have these records in their `site_ids`.
    pub belongs_to_clients: bool,
    /// The names of the fields that describe a record in addition to its id.
    pub description_fields: &'static [&'static str],
    /// The examples and notes in the help of the list command.
    pub examples: &'static str,
}

/// The defaults of the properties that a declaration leaves out.
const TABLE: Table = Table {
    plural: "records",
    id_field: "id",
    fields: &[],
    column_order: &[],
    priority: &[],
};

/// The same of a list.
const RESOURCE: Resource = Resource {
    table: TABLE,
    singular: "record",
    path: |_| "",
    parent: None,
    specified: false,
    setting: None,
    search_fields: &[],
    belongs_to_clients: false,
    description_fields: &[],
    examples: "",
};

/// Records of an endpoint that is not declared.
pub static UNKNOWN: Resource = RESOURCE;

/// A type that stands for a resource with a list command, so that the command's arguments, help and
/// request follow from its declaration.
pub trait ListResource {
    const RESOURCE: &'static Resource;
}

/// A field of a record, or a field that only filters, such as `search`.
#[derive(Debug)]
pub struct Field {
    /// The service's name for the field.
    pub name: &'static str,
    /// Whether records have the field; if not, it is only a name to filter by, or a column that a
    /// table adds.
    pub in_records: bool,
    pub kind: FieldKind,
    /// The names of the filter operators in the spec's table; empty if lists cannot be filtered by
    /// the field.
    pub operators: &'static [&'static str],
    /// The name of the field in the help of its filter flags; empty without filters.
    filter_label: &'static str,
    /// Whether the spec names it as a sort field.
    pub sortable: bool,
    /// The heading of its column; None if tables do not show the field.
    pub column: Option<&'static str>,
    /// Where a table and CSV find its value.
    pub source: FieldSource,
    /// Renders its JSON value for a table; returns None if the value has an unexpected form.
    pub render: Option<fn(&str) -> Option<String>>,
    /// The values that it can be set to; None if it cannot be set.
    pub input: Option<FieldInput>,
}

/// Where a table and CSV find the value of a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldSource {
    /// The member with the name of the field.
    Member,
    /// The text, number or boolean at this path, such as `client.name`.
    Path(&'static str),
    /// The JSON that this function returns.
    Computed(fn(&Record) -> Option<String>),
}

/// Returns the table of the records that the command with this path prints.
pub fn table_of_command(path: &[&str]) -> Option<&'static Table> {
    match path {
        ["profiles", "list"] => Some(&PROFILES),
        ["restore", _] => Some(&RESTORES),
        ["sites", "check"] => Some(&SITE_CHECKS),
        ["snapshots", noun @ ("files" | "tables")]
        | [noun, "create" | "list" | "show" | "update"] => {
            let mut lists = LISTS.iter();
            let list = lists.find(|resource| resource.command_name() == *noun)?;
            Some(&list.table)
        }
        _ => None,
    }
}

/// Adds the setting of `[profiles.NAME.endpoints]` to the error of a 404 at an assumed path.
pub fn name_assumed_path(error: Error, setting: &'static str, path: &str) -> Error {
    if error.status != Some(404) {
        return error;
    }
    error
        .context(format!(
            "{path}, a path that the API specification does not show"
        ))
        .without_hints()
        .with_hint(Hint::Endpoint(setting))
}

/// The values of a field. The kind decides how lists are filtered by it, and how a table shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
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
    /// An ISO 8601 timestamp that people read as an age.
    Age,
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The state or outcome of a record: one of these words, or any if there are none.
    State(&'static [&'static str]),
}

impl FieldKind {
    /// Returns the only values that a field of this kind can have; None if any value is allowed.
    pub fn allowed_values(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Boolean => Some(&["true", "false"]),
            Self::Choice(allowed) | Self::State(allowed) if !allowed.is_empty() => Some(allowed),
            _ => None,
        }
    }
}

/// The values that a field can be set to.
#[derive(Debug, Clone, Copy)]
pub struct FieldInput {
    /// The name of the field in help and prompts.
    pub label: &'static str,
    /// Whether a record requires a value that is not blank.
    pub required: bool,
    pub kind: ValueKind,
}

/// The kind of a value that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Text of at most this many characters.
    MaxChars(usize),
    /// An email address, unique among all records.
    Email,
    /// A list of ids.
    Ids,
}

/// A flag of a list command that filters by a field, such as `--email` or `--created-since`.
#[derive(Debug, Clone, Copy)]
pub struct FilterFlag {
    pub field: &'static Field,
    /// The operator of the filter; `eq` becomes `in` for several values.
    pub operator: &'static str,
}

impl Table {
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the fields that have a column: first those of `column_order`, then the others in the
    /// order of the declaration.
    pub fn columns(&self) -> impl Iterator<Item = &'static Field> {
        let fields = self.fields.iter();
        let mut columns: Vec<&Field> = fields.filter(|field| field.column.is_some()).collect();
        columns.sort_by_key(|field| {
            let mut order = self.column_order.iter();
            order
                .position(|name| *name == field.name)
                .unwrap_or(usize::MAX)
        });
        columns.into_iter()
    }

    /// Whether a column has another source than the member with its name.
    pub fn has_sources(&self) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| !matches!(field.source, FieldSource::Member))
    }

    /// Returns the names of all fields that its records have.
    pub fn record_fields(&self) -> impl Iterator<Item = &'static str> {
        self.fields
            .iter()
            .filter(|field| field.in_records)
            .map(|field| field.name)
    }

    /// Returns the names of the columns that a table adds to the fields of the records.
    pub fn added_columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns()
            .filter(|field| !field.in_records)
            .map(|field| field.name)
    }

    /// Returns the fields that its lists can be filtered by.
    pub fn filter_fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields
            .iter()
            .filter(|field| !field.operators.is_empty())
    }

    /// Returns the names of the fields that its lists can be sorted by.
    pub fn sort_fields(&self) -> Vec<&'static str> {
        self.fields
            .iter()
            .filter(|field| field.sortable)
            .map(|field| field.name)
            .collect()
    }

    /// Returns the flags that filter its lists.
    pub fn filter_flags(&self) -> impl Iterator<Item = FilterFlag> {
        self.fields.iter().flat_map(Field::filter_flags)
    }

    /// Returns the fields that can be set, with their values.
    pub fn inputs(&self) -> impl Iterator<Item = (&'static Field, &'static FieldInput)> {
        self.fields
            .iter()
            .filter_map(|field| Some((field, field.input.as_ref()?)))
    }
}

impl Deref for Resource {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl Resource {
    /// Returns the name of the command that manages these records.
    pub fn command_name(&self) -> String {
        self.plural.replace(' ', "-")
    }

    /// Returns the key of the array in a list's envelope.
    pub fn envelope_key(&self) -> String {
        self.plural.replace(' ', "_")
    }

    /// Returns the name of an id of these records in a path, such as `site_id`.
    pub fn id_parameter(&self) -> String {
        format!("{}_id", self.singular.replace(' ', "_"))
    }

    /// Adds the setting of an assumed path to the error of a 404.
    pub fn name_assumed_path(&self, error: Error, path: &str) -> Error {
        match self.setting {
            Some(setting) if error.status == Some(404) => {
                let error = name_assumed_path(error, setting, path);
                match self.parent {
                    Some(parent) => {
                        let of_site = parent.parent.map_or("", |_| " SITE");
                        let list = format!("{} list{of_site}", parent.command_name());
                        error.prefix_hint(Hint::command(
                            format!("check the {}", parent.singular),
                            list,
                        ))
                    }
                    None => error,
                }
            }
            _ => error,
        }
    }
}

impl Field {
    /// Declares a text field without a column.
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            in_records: true,
            kind: FieldKind::Text,
            operators: &[],
            filter_label: "",
            sortable: false,
            column: None,
            source: FieldSource::Member,
            render: None,
            input: None,
        }
    }

    /// Declares a text field with a column.
    const fn with_column(name: &'static str, heading: &'static str) -> Self {
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

    /// Declares that a table and CSV find its value at this path.
    const fn at(self, path: &'static str) -> Self {
        Self {
            source: FieldSource::Path(path),
            ..self
        }
    }

    /// Declares the function that computes its value for a table and CSV.
    const fn computed_by(self, compute: fn(&Record) -> Option<String>) -> Self {
        Self {
            source: FieldSource::Computed(compute),
            ..self
        }
    }

    const fn rendered_by(self, render: fn(&str) -> Option<String>) -> Self {
        Self {
            render: Some(render),
            ..self
        }
    }

    /// Sets the kind of the field, and adds the filters that the spec has for this kind. `label` is
    /// the field's name in their help.
    const fn with_filter(self, kind: FieldKind, label: &'static str) -> Self {
        let operators: &[&str] = match kind {
            FieldKind::Time => &["gte", "lte"],
            FieldKind::Boolean => &["eq"],
            FieldKind::Choice(_) | FieldKind::State(_) => &["eq", "in"],
            _ => &["contains"],
        };
        Self {
            kind,
            operators,
            filter_label: label,
            ..self
        }
    }

    const fn with_sort(self) -> Self {
        Self {
            sortable: true,
            ..self
        }
    }

    const fn with_input(self, label: &'static str, kind: ValueKind) -> Self {
        Self {
            input: Some(FieldInput {
                label,
                kind,
                required: false,
            }),
            ..self
        }
    }

    const fn with_required_input(self, label: &'static str, kind: ValueKind) -> Self {
        Self {
            input: Some(FieldInput {
                label,
                kind,
                required: true,
            }),
            ..self
        }
    }

    /// Returns the name of the flag that sets the field, without the dashes.
    pub fn flag_name(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Returns the flags that filter by the field.
    pub fn filter_flags(&'static self) -> impl Iterator<Item = FilterFlag> {
        // `in` has no flag of its own, because the flag of `eq` accepts several values.
        let operators = self.operators.iter().filter(|operator| **operator != "in");
        operators.map(move |operator| FilterFlag {
            field: self,
            operator,
        })
    }

    /// Returns the syntax of a filter by the field, such as `role:eq|in`.
    pub fn filter_syntax(&self) -> String {
        format!("{}:{}", self.name, self.operators.join("|"))
    }
}

impl FilterFlag {
    /// Returns the name of the flag, without the dashes.
    pub fn name(&self) -> String {
        let name = self.field.flag_name();
        let stem = name.trim_end_matches("-at");
        match self.operator {
            "gte" => format!("{stem}-since"),
            "lte" => format!("{stem}-until"),
            _ => name,
        }
    }

    /// Returns one line of help.
    pub fn help(&self) -> String {
        let label = self.field.filter_label;
        match self.operator {
            "contains" => format!("Search the {label}"),
            "gte" => format!("List records {label} since this time, date or age (7d)"),
            "lte" => format!("List records {label} until this time, date or age"),
            _ if self.takes_several() => {
                format!("Filter by {label}; separate several with commas")
            }
            _ => format!("Filter by {label}"),
        }
    }

    fn takes_several(&self) -> bool {
        self.field.operators.contains(&"in")
    }
}

impl FieldInput {
    /// Returns the help of the flag that sets the field.
    pub fn help(&self) -> String {
        match self.kind {
            ValueKind::MaxChars(longest) => format!(
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
