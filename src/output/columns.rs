//! The columns of a list, and how a table shows their values.

use super::json;
use super::options::{Audience, Output};
use super::scalar::{raw_scalar_text, scalar_items};
use super::sink::PrintedKind;
use crate::config::duration::{format_ago, format_local};
use crate::resources::{
    Field, FieldKind, Member, OUTCOMES, Outcome, Record, ServiceTime, Table, member_value, unquote,
};
use crate::terminal::{format_bytes, visible};
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// How a table shows values.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum ValueStyle {
    /// As in the response.
    #[default]
    AsSent,
    /// Times in the local zone, sizes with a unit.
    Readable,
    /// Readable, and lists as their first item and the number of the others.
    Shortened,
}

impl ValueStyle {
    /// Returns the style of a stream, which may be a terminal.
    pub fn on(is_terminal: bool) -> Self {
        if is_terminal {
            Self::Readable
        } else {
            Self::AsSent
        }
    }
}

/// A column of a list.
#[derive(Debug)]
pub struct Column {
    /// The name of the field.
    pub name: String,
    pub heading: String,
    /// A narrow terminal cuts and leaves out the least important columns first.
    pub importance: u8,
    /// The width in the table that is being drawn. `Table` sets the full widths first; afterwards,
    /// 0 leaves the column out.
    pub width: usize,
    kind: FieldKind,
    /// Renders the JSON value if it has no readable form by its kind in this style.
    render: Option<fn(&str) -> Option<String>>,
}

impl Column {
    fn new(name: &str, kind: FieldKind) -> Self {
        Self {
            name: name.into(),
            heading: visible(&name.to_uppercase().replace('_', " ")).into_owned(),
            importance: importance(kind),
            width: 0,
            kind,
            render: None,
        }
    }

    /// Returns the column of a field that no table declares.
    pub fn undeclared(name: &str) -> Self {
        Self::new(name, guess_kind(name))
    }

    fn declared(field: &Field) -> Self {
        let column = Self::new(field.name, field.kind);
        Self {
            heading: field.column.map_or(column.heading, String::from),
            render: field.render,
            ..column
        }
    }

    /// Returns the columns of a table.
    pub fn of_table(table: &Table) -> Vec<Self> {
        let mut columns: Vec<Self> = table.columns().map(Self::declared).collect();
        let priority = match table.priority {
            [] => table.column_order,
            priority => priority,
        };
        if !priority.is_empty() {
            for column in &mut columns {
                let mut ranks = priority.iter().rev().zip(1..);
                let rank = ranks.find(|(name, _)| **name == column.name);
                column.importance = rank.map_or(0, |(_, rank)| rank);
            }
        }
        columns
    }

    /// Whether the kind needs a width above `ENOUGH_WIDTH` in a narrow terminal.
    pub fn is_important(&self) -> bool {
        importance(self.kind) > 1
    }

    /// Whether its values are never cut: a part of an id or a time would be misleading.
    pub fn is_never_cut(&self) -> bool {
        matches!(
            self.kind,
            FieldKind::Id | FieldKind::Ids | FieldKind::Time | FieldKind::Age
        )
    }

    /// Returns the escaped text of the field in a record; empty if the record lacks the field.
    pub fn cell_text(&self, members: &[Member<'_>], style: ValueStyle) -> String {
        let Some(raw) = member_value(members, &self.name).map(RawValue::get) else {
            return String::new();
        };
        let is_as_sent = style == ValueStyle::AsSent && self.kind == FieldKind::Name;
        let text = self
            .readable_text(raw, style)
            .or_else(|| self.rendered_text(raw).filter(|_| !is_as_sent))
            .map(Cow::from)
            .or_else(|| raw_scalar_text(raw))
            .or_else(|| join_items(raw, style))
            .unwrap_or_else(|| json::compact(raw).into());
        visible(&text).into_owned()
    }

    /// Returns the ANSI color of an outcome; None for other values.
    pub fn color(&self, text: &str) -> Option<&'static str> {
        (self.kind == FieldKind::State(OUTCOMES)).then(|| Outcome::color(text))?
    }

    /// Returns the text of a JSON value, such as a scope; None if its field declares no such text.
    pub fn rendered_text(&self, raw: &str) -> Option<String> {
        self.render?(raw)
    }

    /// Returns a time or a size for people. None if the style or the kind has no such form.
    fn readable_text(&self, raw: &str, style: ValueStyle) -> Option<String> {
        match self.kind {
            _ if style == ValueStyle::AsSent => None,
            FieldKind::Time => parse_time(raw).map(format_local),
            FieldKind::Age => parse_time(raw).map(format_ago),
            FieldKind::Bytes => Some(format_bytes(raw.parse().ok()?)),
            _ => None,
        }
    }
}

fn parse_time(raw: &str) -> Option<Timestamp> {
    Some(ServiceTime::parse(&unquote(raw))?.instant)
}

/// Guesses the kind of a field from the last word of its name.
fn guess_kind(name: &str) -> FieldKind {
    match name.rsplit(['_', '.', '-']).next().unwrap_or_default() {
        "id" => FieldKind::Id,
        "ids" => FieldKind::Ids,
        "at" => FieldKind::Time,
        "bytes" => FieldKind::Bytes,
        "email" => FieldKind::Email,
        "status" | "state" | "outcome" => FieldKind::State(&[]),
        "name" | "title" | "label" | "url" | "domain" | "host" | "user" | "action" => {
            FieldKind::Name
        }
        _ => FieldKind::Text,
    }
}

fn importance(kind: FieldKind) -> u8 {
    match kind {
        FieldKind::Id => 3,
        FieldKind::Email | FieldKind::State(_) => 2,
        FieldKind::Name => 1,
        _ => 0,
    }
}

/// Returns the columns of a list: those of `--fields`, else the declared ones. None if the records
/// determine them.
pub fn choose_columns(content: PrintedKind, options: &Output) -> Option<Vec<Column>> {
    let table = content.declared_table();
    let column = |name: &str| {
        let field = table.and_then(|table| table.field(name));
        field.map_or_else(|| Column::undeclared(name), Column::declared)
    };
    if let Some(names) = &options.fields {
        return Some(names.iter().map(|name| column(name)).collect());
    }
    match options.format.audience {
        Audience::People => table.map(Column::of_table),
        Audience::Programs => Some(table?.record_fields().map(column).collect()),
    }
}

/// Returns the columns of records whose fields are not declared, in the order of their appearance.
/// For people, only fields that at least one record can show without JSON.
pub fn columns_of_records(records: &[Record], audience: Audience) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut are_text = Vec::new();
    for (name, raw) in records.iter().flat_map(Record::members) {
        let known = columns.iter().position(|column| column.name == name);
        let index = known.unwrap_or(columns.len());
        if known.is_none() {
            columns.push(Column::undeclared(&name));
            are_text.push(false);
        }
        are_text[index] |= raw.get() != "null" && is_text(raw.get());
    }
    // If no field is text, all are shown: otherwise each record would be an empty row.
    if audience == Audience::People && are_text.contains(&true) {
        let mut are_text = are_text.into_iter();
        columns.retain(|_| are_text.next() == Some(true));
    }
    columns
}

/// Whether a value can be shown without JSON.
pub fn is_text(raw: &str) -> bool {
    raw_scalar_text(raw).is_some() || scalar_items(raw).is_some()
}

/// Joins a list of scalars, or shortens it to a form such as `site-1 +2`.
fn join_items(raw: &str, style: ValueStyle) -> Option<Cow<'_, str>> {
    let items = scalar_items(raw)?;
    if style == ValueStyle::Shortened && items.len() > 1 {
        let others = items.len() - 1;
        return Some(format!("{} +{others}", items[0]).into());
    }
    Some(items.join(", ").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(records: &[&str]) -> String {
        let records: Vec<Record> = records
            .iter()
            .map(|text| Record::from_json((*text).into()))
            .collect();
        columns_of_records(&records, Audience::People)
            .into_iter()
            .map(|column| column.name)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn columns_of_unknown_records() {
        let record = r##"{"created_at":"x","color":"#fff","site_ids":["a","b"],"email":"e","state":"s","o":{},
            "site_url":"u","name":"n","id":1,"updated_at":null,"l":[{}]}"##;
        assert_eq!(
            columns(&[record]),
            "created_at color site_ids email state site_url name id"
        );
        assert_eq!(columns(&[r#"{"a":{}}"#]), "a");
        assert_eq!(
            columns(&[r#"{"a":null,"b":1}"#, r#"{"c":"x","a":2}"#]),
            "a b c"
        );
    }
}
