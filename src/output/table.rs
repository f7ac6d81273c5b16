//! Tables for people: aligned columns, no lines. Fitted to a terminal; off a terminal nothing is cut.

use super::Shape;
use super::cell::cell;
use comfy_table::presets::NOTHING;
use comfy_table::{Cell, ColumnConstraint, ContentArrangement, Row, Table};
use serde_json::{Map, Value};

/// Rows under headings. The columns named in `whole` are never cut.
pub fn columns(headings: &[&str], whole: &[usize], rows: Vec<Vec<String>>, shape: Shape) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    if !shape.no_header {
        let mut header = Row::from(headings.to_vec());
        header.max_height(1);
        table.set_header(header);
    }
    for row in rows {
        let mut row = Row::from(row.into_iter().map(|text| Cell::new(cut(text, shape.width))).collect::<Vec<_>>());
        row.max_height(1);
        table.add_row(row);
    }
    fit(&mut table, whole, shape.width);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines = table.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

/// Laying out a text that is far longer than the terminal takes long, and none of it would be seen.
fn cut(text: String, width: Option<usize>) -> String {
    match width {
        Some(width) if text.len() > width => text.chars().take(width + 1).collect(),
        _ => text,
    }
}

fn fit(table: &mut Table, whole: &[usize], width: Option<usize>) {
    let Some(width) = width else { return };
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for column in whole {
        if let Some(column) = table.column_mut(*column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
}

/// One record: a field a line.
pub fn sheet(fields: &Map<String, Value>, shape: Shape) -> String {
    let rows =
        fields.iter().map(|(name, value)| vec![crate::ui::visible(name).into_owned(), cell(Some(value))]).collect();
    columns(&["FIELD", "VALUE"], &[0, 1], rows, Shape { no_header: true, ..shape })
}

/// One result of sitectl's own: its simple fields, a line each.
pub fn simple_sheet(mut fields: Map<String, Value>, shape: Shape) -> String {
    fields.retain(|_, value| is_simple(value));
    sheet(&fields, shape)
}

/// Results of sitectl's own: the fields that are simple in every one are the columns.
pub fn grid(items: &[Map<String, Value>], shape: Shape) -> String {
    let Some(first) = items.first() else { return String::new() };
    let simple = |name: &String| items.iter().all(|item| item.get(name).is_none_or(is_simple));
    // What is null throughout could be anything, and says nothing.
    let said = |name: &String| items.iter().any(|item| item.get(name).is_some_and(|value| !value.is_null()));
    let names: Vec<&String> = first.keys().filter(|name| simple(name) && said(name)).collect();
    let headings: Vec<String> = names.iter().map(|name| name.to_uppercase().replace('_', " ")).collect();
    let rows = items.iter().map(|item| names.iter().map(|name| cell(item.get(name.as_str()))).collect()).collect();
    columns(&headings.iter().map(String::as_str).collect::<Vec<_>>(), &[0, 1], rows, shape)
}

fn is_simple(value: &Value) -> bool {
    match value {
        Value::Object(_) => false,
        Value::Array(items) => items.iter().all(|item| !item.is_object()),
        _ => true,
    }
}
