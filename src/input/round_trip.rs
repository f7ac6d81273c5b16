//! What `sitectl clients list` prints can be read back, whatever the clients hold, and so can any part of it.

use super::document::Cell;
use super::tests::{COLUMNS, rows};
use super::{Document, InputFormat};
use crate::config::Format;
use crate::output::listed;
use crate::resource::{CLIENTS, Record};
use proptest::prelude::*;
use serde_json::{Map, Value};
use std::borrow::Cow;

const FORMATS: [(Format, InputFormat); 4] = [
    (Format::Csv, InputFormat::Csv),
    (Format::Json, InputFormat::Json),
    (Format::Ndjson, InputFormat::Ndjson),
    (Format::Yaml, InputFormat::Yaml),
];

/// Parts between bars that some format might stumble over.
const PIECES: &str = "¦ ¦  ¦\n¦\r\n¦\r¦\t¦\0¦\u{1b}¦\\u{1b}¦\\u001b¦\\¦\"¦'¦a¦é¦007¦=¦;¦,¦:¦: ¦ #¦#¦- ¦-¦---¦...¦? ¦~¦null¦no¦1e3\
    ¦👩\u{200d}👧¦\u{202e}¦\u{feff}¦\u{85}¦\u{2028}¦\u{a0}¦\u{fffe}¦\u{ffff}¦\u{e0041}¦[¦]¦{¦}¦|¦>¦&a¦*a¦!b¦%¦@¦`¦\u{7f}¦\u{3000}¦東京";

fn text() -> impl Strategy<Value = String> {
    let known: Vec<String> = PIECES.split('¦').map(String::from).collect();
    let piece = prop_oneof![8 => proptest::sample::select(known), 1 => any::<String>()];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn value(list: bool) -> BoxedStrategy<Value> {
    let items = proptest::collection::vec(text().prop_map(Value::from), 0..4).prop_map(Value::Array).boxed();
    let one = if list { items } else { text().prop_map(Value::from).boxed() };
    prop_oneof![1 => Just(Value::Null), 9 => one].boxed()
}

/// A client as the service might hold it: all its fields in their order, some of them null.
fn client() -> impl Strategy<Value = Map<String, Value>> {
    let fields: Vec<_> = COLUMNS.known.iter().map(|(name, _)| value(*name == "site_ids")).collect();
    fields.prop_map(|values| {
        let mut fields: Map<String, Value> =
            COLUMNS.known.iter().map(|(name, _)| name.to_string()).zip(values).collect();
        fields.insert("created_at".into(), "2026-10-07T10:30:00.000Z".into());
        fields
    })
}

/// What a format can tell of a value: in CSV, nothing is nothing.
fn told(value: &Value, format: InputFormat) -> Option<Value> {
    let empty = value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
    let silent = value.is_null() || (empty && format == InputFormat::Csv);
    (!silent).then(|| value.clone())
}

/// Whether a text stands where its cell says, plain or in quotes.
fn stands(source: &str, cell: &Cell) -> bool {
    let Some(text) = cell.value.as_str() else { return true };
    let line = source.split('\n').nth(cell.place.line - 1).unwrap_or_default();
    let rest: String = line.chars().skip(cell.place.column.unwrap_or_default() - 1).collect();
    rest.starts_with('"') || rest.starts_with(text)
}

fn held(document: &Document) -> Vec<Vec<(Cow<'static, str>, Value)>> {
    let cells = |row: &super::Row| row.cells.iter().map(|cell| (cell.column.clone(), cell.value.clone())).collect();
    document.rows.iter().map(cells).collect()
}

proptest! {
    #[test]
    fn what_is_printed_is_read(clients in proptest::collection::vec(client(), 0..4)) {
        let records: Vec<Record> = clients.iter().map(|client| Record::whole(Value::from(client.clone()).to_string())).collect();
        for (printed, read) in FORMATS {
            let text = listed(printed, &CLIENTS, &records);
            let document = rows(&text, read);
            prop_assert_eq!(&document.problems, &[], "{}", text);
            let expected: Vec<Vec<(Cow<'_, str>, Value)>> = clients.iter().map(|client| {
                let known = COLUMNS.known.iter().map(|(name, _)| (*name, &client[*name]));
                known.filter_map(|(name, value)| Some((name.into(), told(value, read)?))).collect()
            }).collect();
            prop_assert_eq!(held(&document), expected, "{:?} {}", read, text);
            let mut cells = document.rows.iter().flat_map(|row| &row.cells);
            prop_assert!(read == InputFormat::Csv || cells.all(|cell| stands(&text, cell)), "{}", text);
        }
    }

    #[test]
    fn a_part_stands_alone(clients in proptest::collection::vec(client(), 1..4), chosen in any::<[bool; 4]>()) {
        let records: Vec<Record> = clients.iter().map(|client| Record::whole(Value::from(client.clone()).to_string())).collect();
        let chosen: Vec<usize> = (0..clients.len()).filter(|index| chosen[*index]).collect();
        for (printed, read) in FORMATS {
            let document = rows(&listed(printed, &CLIENTS, &records), read);
            let excerpt = document.excerpt(&chosen);
            let all = held(&document);
            let expected: Vec<_> = chosen.iter().map(|index| all[*index].clone()).collect();
            prop_assert_eq!(held(&rows(&excerpt, read)), expected, "{}", excerpt);
        }
    }
}
