//! Tests that the output of `sitectl clients list` can be read again.

use super::tests::{COLUMNS, read};
use super::{Document, InputFormat};
use crate::config::OutputFormat;
use crate::output::render_list;
use crate::resources::{CLIENTS, Record};
use proptest::prelude::*;
use serde_json::{Map, Value};

const FORMATS: [(OutputFormat, InputFormat); 3] = [
    (OutputFormat::Csv, InputFormat::Csv),
    (OutputFormat::Json, InputFormat::Json),
    (OutputFormat::Ndjson, InputFormat::Ndjson),
];

/// Texts, separated by bars, that are difficult for some format.
const PIECES: &str = "¦ ¦  ¦\n¦\r\n¦\r¦\t¦\0¦\u{1b}¦\\u{1b}¦\\u001b¦\\¦\"¦'¦a¦é¦007¦=¦;¦,¦:¦: ¦ #¦#¦- \
    ¦-¦---¦...¦? ¦~¦null¦no¦1e3¦👩\u{200d}👧¦\u{202e}¦\u{feff}¦\u{85}¦\u{2028}¦\u{a0}¦\u{fffe}\
    ¦\u{ffff}¦\u{e0041}¦[¦]¦{¦}¦|¦>¦&a¦*a¦!b¦%¦@¦`¦\u{7f}¦\u{3000}¦東京";

fn text() -> impl Strategy<Value = String> {
    let known: Vec<String> = PIECES.split('¦').map(String::from).collect();
    let piece = prop_oneof![8 => proptest::sample::select(known), 1 => any::<String>()];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn value(is_list: bool) -> BoxedStrategy<Value> {
    let text = text().prop_map(Value::from).boxed();
    let value = if is_list {
        proptest::collection::vec(text, 0..4)
            .prop_map(Value::Array)
            .boxed()
    } else {
        text
    };
    prop_oneof![1 => Just(Value::Null), 9 => value].boxed()
}

/// Returns a client with all fields in their order, some of them null.
fn client() -> impl Strategy<Value = Map<String, Value>> {
    let values: Vec<_> = COLUMNS
        .known
        .iter()
        .map(|(name, _)| value(*name == "site_ids"))
        .collect();
    values.prop_map(|values| {
        let names = COLUMNS.known.iter().map(|(name, _)| name.to_string());
        let mut fields: Map<String, Value> = names.zip(values).collect();
        fields.insert("created_at".into(), "2026-10-07T10:30:00.000Z".into());
        fields
    })
}

/// Returns the fields that a format can express: CSV has no empty values, and no texts of blanks.
fn expressible(client: &Map<String, Value>, format: InputFormat) -> Map<String, Value> {
    let mut fields = client.clone();
    fields.retain(|_, value| {
        let is_blank = value.as_str().is_some_and(|text| text.trim().is_empty());
        let is_empty = is_blank || value.as_array().is_some_and(Vec::is_empty);
        let is_lost = value.is_null() || (is_empty && format == InputFormat::Csv);
        !is_lost
    });
    fields
}

fn fields_with_values(document: &Document) -> Vec<Map<String, Value>> {
    let mut rows: Vec<_> = document.rows.iter().map(|row| row.fields.clone()).collect();
    for fields in &mut rows {
        fields.retain(|_, value| !value.is_null());
    }
    rows
}

proptest! {
    #[test]
    fn what_is_printed_is_read(clients in proptest::collection::vec(client(), 1..4)) {
        let records: Vec<Record> = clients
            .iter()
            .map(|client| Record::from_json(Value::from(client.clone()).to_string()))
            .collect();
        for (output_format, format) in FORMATS {
            let text = render_list(output_format, &CLIENTS, &records);
            let document = read(&text, format);
            prop_assert_eq!(&document.problems, &[], "{}", text);
            let expected: Vec<Map<String, Value>> =
                clients.iter().map(|client| expressible(client, format)).collect();
            prop_assert_eq!(&fields_with_values(&document), &expected, "{:?} {}", format, text);
        }
    }
}
