//! What the service's lists and the journal hold: one declaration a resource. Flags, help, checks and columns all come
//! from it.

mod clients;
mod id;
mod managed_accounts;
mod profiles;
pub mod query;
mod record;
mod restores;
mod sites;
mod snapshots;
mod unknown;

pub use clients::CLIENTS;
pub use id::raw_id;
pub use managed_accounts::MANAGED_ACCOUNTS;
pub use profiles::PROFILES;
pub use record::{Member, Record, last, members, scalar, unquoted};
pub use restores::{OUTCOMES, RESTORES, Scope};
pub use sites::SITES;
pub use snapshots::SNAPSHOTS;
pub use unknown::{UNKNOWN, known};

/// A kind of record that is listed.
#[derive(Debug)]
pub struct Resource {
    /// The plural in words, such as `managed accounts`.
    pub plural: &'static str,
    /// The key of the array in a list's envelope.
    pub envelope: &'static str,
    /// Whether the spec defines this list; the others are assumed ("Other operations").
    pub specified: bool,
    /// The fields, in the spec's order, which is that of the columns.
    pub fields: &'static [Field],
    /// The names of the columns in another order, where that of the fields does not suit a table: on a narrow terminal,
    /// what comes last is left out first.
    pub order: &'static [&'static str],
    /// The names of what a record is known by beside its id.
    pub about: &'static [&'static str],
}

/// A field of a record, or (`search`) a name to filter by that no record has.
#[derive(Debug)]
pub struct Field {
    /// The service's name for it.
    pub name: &'static str,
    /// Whether records have it: not so where it is only a name to filter by.
    pub recorded: bool,
    /// What values it takes.
    pub kind: FieldKind,
    /// The filter operators that the spec's table names.
    pub operators: &'static [Operator],
    /// Whether the spec names it as a sort field.
    pub sortable: bool,
    /// The heading of its column, where the table shows it.
    pub column: Option<&'static str>,
    /// How a table words its JSON value, where the value itself is not for reading; none for a value that it cannot word.
    pub words: Option<fn(&str) -> Option<String>>,
    /// Named flags that filter by it.
    pub flags: &'static [Flag],
}

/// A field that can neither be filtered by nor sorted by, and has no column.
const PLAIN: Field = Field {
    name: "",
    recorded: true,
    kind: FieldKind::Text,
    operators: &[],
    sortable: false,
    column: None,
    words: None,
    flags: &[],
};

/// What values a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// An ISO 8601 timestamp.
    Time,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A filter operator (spec, "Common list query parameters").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// The text occurs in the field.
    Contains,
    /// Equal.
    Eq,
    /// One of several.
    In,
    /// At or after.
    Gte,
    /// At or before.
    Lte,
}

impl Operator {
    /// All of them.
    #[cfg(test)]
    pub const ALL: [Self; 5] = [Self::Contains, Self::Eq, Self::In, Self::Gte, Self::Lte];

    /// The service's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contains => "contains",
            Self::Eq => "eq",
            Self::In => "in",
            Self::Gte => "gte",
            Self::Lte => "lte",
        }
    }
}

/// A flag that filters by a field.
#[derive(Debug)]
pub struct Flag {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// The operator that it stands for; `Eq` becomes `In` where several values are given.
    pub operator: Operator,
    /// One line of help.
    pub help: &'static str,
}

impl Resource {
    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The fields that have a column, in the order of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &'static Field> {
        let mut columns: Vec<&Field> = self.fields.iter().filter(|field| field.column.is_some()).collect();
        columns.sort_by_key(|field| self.order.iter().position(|name| *name == field.name));
        columns.into_iter()
    }

    /// The names of all fields that its records have.
    pub fn recorded(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().filter(|field| field.recorded).map(|field| field.name)
    }

    /// Whether its lists can be filtered at all.
    pub fn filterable(&self) -> bool {
        self.fields.iter().any(|field| !field.operators.is_empty())
    }
}

/// The four flags that both specified lists have for their timestamps.
const CREATED: Field = Field {
    name: "created_at",
    kind: FieldKind::Time,
    operators: &[Operator::Gte, Operator::Lte],
    sortable: true,
    column: Some("CREATED"),
    flags: &[
        Flag {
            name: "created-since",
            operator: Operator::Gte,
            help: "Created at or after this time, date or age (12h, 7d)",
        },
        Flag { name: "created-until", operator: Operator::Lte, help: "Created at or before this time, date or age" },
    ],
    ..PLAIN
};

const UPDATED: Field = Field {
    name: "updated_at",
    column: None,
    flags: &[
        Flag {
            name: "updated-since",
            operator: Operator::Gte,
            help: "Changed at or after this time, date or age (12h, 7d)",
        },
        Flag { name: "updated-until", operator: Operator::Lte, help: "Changed at or before this time, date or age" },
    ],
    ..CREATED
};
