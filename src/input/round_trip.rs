//! Tests that the output of `sitectl clients list` can be read again, also in part.

use super::tests::{COLUMNS, read};
use super::{Document, InputFormat};
use crate::config::OutputFormat;
use crate::output::render_list;
use crate::resources::{CLIENTS, Record};
use proptest::prelude::*;
use serde_json::{Map, Value};

const FORMATS: [(OutputFormat, InputFormat); 4] = [
    (OutputFormat::Csv, InputFormat::Csv),
    (OutputFormat::Json, InputFormat::Json),
    (OutputFormat::Ndjson, InputFormat::Ndjson),
    (OutputFormat::Yaml, InputFormat::Yaml),
];

/// Texts, separated by bars, that are difficult for some format.
const PIECES: &str = "¦ ¦  ¦\n¦\r\n¦\r¦\t¦\0¦\u{1b}¦\\u{1b}¦\\u001b¦\\¦\"¦'¦a¦é¦007¦=¦;¦,¦:¦: ¦ #¦#¦- ¦-¦---¦...¦? ¦~¦null¦no¦1e3\
    ¦👩\u{200d}👧¦\u{202e}¦\u{feff}¦\u{85}¦\u{2028}¦\u{a0}¦\u{fffe}¦\u{ffff}¦\u{e0041}¦[¦]¦{¦}¦|¦>¦&a¦*a¦!b¦%¦@¦`¦\u{7f}¦\u{3000}¦東京";

fn text() -> impl Strategy<Value = String> {
    let known: Vec<String> = PIECES.split('¦').map(String::from).collect();
    let piece = prop_oneof![8 => proptest::sample::select(known), 1 => any::<String>()];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn value(list: bool) -> BoxedStrategy<Value> {
    let items = proptest::collection::vec(text().prop_map(Value::from), 0..4)
        .prop_map(Value::Array)
        .boxed();
    let one = if list {
        items
    } else {
        text().prop_map(Value::from).boxed()
    };
    prop_oneof![1 => Just(Value::Null), 9 => one].boxed()
}

/// Returns a client with all fields in their order, some of them null.
fn client() -> impl Strategy<Value = Map<String, Value>> {
    let fields: Vec<_> = COLUMNS
        .known
        .iter()
        .map(|(name, _)| value(*name == "site_ids"))
        .collect();
    fields.prop_map(|values| {
        let mut fields: Map<String, Value> = COLUMNS
            .known
            .iter()
            .map(|(name, _)| name.to_string())
            .zip(values)
            .collect();
        fields.insert("created_at".into(), "2026-10-07T10:30:00.000Z".into());
        fields
    })
}

/// Returns a value as a format can express it: CSV has no empty values.
fn expressed(value: &Value, format: InputFormat) -> Option<Value> {
    let empty = value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
    let silent = value.is_null() || (empty && format == InputFormat::Csv);
    (!silent).then(|| value.clone())
}

fn held(document: &Document) -> Vec<Map<String, Value>> {
    document.rows.iter().map(|row| row.fields.clone()).collect()
}

proptest! {
    #[test]
    fn what_is_printed_is_read(clients in proptest::collection::vec(client(), 1..4), chosen in any::<[bool; 4]>()) {
        let records: Vec<Record> =
            clients.iter().map(|client| Record::whole(Value::from(client.clone()).to_string())).collect();
        let chosen: Vec<usize> = (0..clients.len()).filter(|index| chosen[*index]).collect();
        for (printed, format) in FORMATS {
            let text = render_list(printed, &CLIENTS, &records);
            let document = read(&text, format);
            prop_assert_eq!(&document.problems, &[], "{}", text);
            let expected: Vec<Map<String, Value>> = clients.iter().map(|client| {
                client.iter().filter_map(|(name, value)| Some((name.clone(), expressed(value, format)?))).collect()
            }).collect();
            let with_values = |document: &Document| -> Vec<Map<String, Value>> {
                held(document).into_iter().map(|fields| {
                    fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
                }).collect()
            };
            prop_assert_eq!(&with_values(&document), &expected, "{:?} {}", format, text);
            let excerpt = document.excerpt(&chosen);
            let part: Vec<_> = chosen.iter().map(|index| expected[*index].clone()).collect();
            prop_assert_eq!(with_values(&read(&excerpt, format)), part, "{}", excerpt);
        }
    }
}
