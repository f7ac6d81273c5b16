//! The promises of every output format, also a format that is added later.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::printer::RecordWriter;
use super::sink::PrintedKind;
use super::{Output, resolve};
use crate::config::{Environment, Flags, OutputFormat};
use crate::error::{Error, Result};
use crate::resources::{CLIENTS, Record, Resource, STEPS, UNKNOWN};
use crate::terminal::Ui;
use clap::ValueEnum;
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    Pipe,
    Terminal,
}

#[derive(Clone, Copy)]
enum End {
    Complete,
    Incomplete,
}

/// The output of a list whose pages have one record each.
struct Rendered {
    text: String,
    error: Option<Error>,
}

fn formats() -> impl Iterator<Item = OutputFormat> {
    OutputFormat::value_variants().iter().copied()
}

fn options_for(format: OutputFormat, destination: Destination, fields: &[&str]) -> Result<Output> {
    let flags = Flags {
        fields: fields.iter().map(|name| name.to_string().into()).collect(),
        ..Flags::default()
    };
    let mut ui = Ui::new(&flags, &Environment::default());
    ui.stdout_terminal = destination == Destination::Terminal;
    ui.stdout_width = None;
    ui.stdout_color = false;
    resolve(&flags, format, &ui)
}

fn render_with(options: &Output, content: PrintedKind, records: &[Record], end: End) -> Rendered {
    let mut writer = RecordWriter::new(content, options, Vec::new());
    let added = records
        .iter()
        .try_for_each(|record| writer.write_page(std::slice::from_ref(record)));
    let ended = match end {
        End::Complete => writer.finish(),
        End::Incomplete => writer.finish_incomplete(),
    };
    Rendered {
        text: String::from_utf8(writer.out.stream).unwrap(),
        error: added.and(ended).err(),
    }
}

fn records<const N: usize>(values: [Value; N]) -> [Record; N] {
    values.map(|value| Record::from_json(value.to_string()))
}

/// Renders a list in a pipe.
fn render(
    format: OutputFormat,
    resource: &'static Resource,
    records: &[Record],
    end: End,
) -> Rendered {
    let options = options_for(format, Destination::Pipe, &[]).unwrap();
    render_with(&options, PrintedKind::List(resource), records, end)
}

/// Returns a complete list in a pipe, for tests of its readers.
pub fn render_list(
    format: OutputFormat,
    resource: &'static Resource,
    records: &[Record],
) -> String {
    let rendered = render(format, resource, records, End::Complete);
    assert!(rendered.error.is_none(), "{format:?}");
    rendered.text
}

#[track_caller]
fn assert_shows(format: OutputFormat, rendered: &Rendered, values: &[&str]) {
    for value in values {
        let text = &rendered.text;
        assert!(text.contains(value), "{format:?} lost {value:?}:\n{text}");
    }
}

#[test]
fn an_incomplete_list_has_every_record_and_no_end() {
    let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
    let without_id = records([json!({"name": "x"})]);
    let records = records([json!({"id": "id-1"}), json!({"id": "id-2"})]);
    for format in formats() {
        for resource in [&CLIENTS, &UNKNOWN] {
            let complete = render(format, resource, &records, End::Complete).text;
            let incomplete = render(format, resource, &records, End::Incomplete);
            assert_shows(format, &incomplete, &["id-1", "id-2"]);
            let text = incomplete.text;
            assert!(complete.starts_with(&text), "{format:?}: {text}");
            assert!(!is_json(&complete) || !is_json(&text), "{format:?}: {text}");
            // Without records, it does not look like an empty list.
            let nothing = render(format, resource, &[], End::Incomplete).text;
            assert_eq!(nothing, "", "{format:?}");
        }
        // The error that ended the list is not replaced by another one.
        let incomplete = render(format, &UNKNOWN, &without_id, End::Incomplete);
        assert!(incomplete.error.is_none(), "{format:?}");
    }
}

/// Text that sets the title, moves the cursor, reverses and hides text, and erases.
const HOSTILE: &str =
    "\u{1b}]0;owned\u{7}\u{9b}5Aup\u{202e}round\u{2066}\u{200b}hidden\u{7f}\r\u{8}\u{feff}end";

fn hostile_records() -> [Record; 3] {
    records([
        json!({"id": HOSTILE, "email": HOSTILE, "site_ids": [HOSTILE], HOSTILE: HOSTILE}),
        json!({"id": "id-2", "note": {HOSTILE: [HOSTILE]}, "created_at": HOSTILE}),
        json!(HOSTILE),
    ])
}

/// Whether a terminal obeys the character. The list is independent of the code under test.
fn drives_terminal(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{feff}')
}

#[test]
fn no_control_character_reaches_a_terminal() {
    for format in formats() {
        let options = options_for(format, Destination::Terminal, &[]).unwrap();
        for content in [
            PrintedKind::List(&CLIENTS),
            PrintedKind::List(&UNKNOWN),
            PrintedKind::Record,
            PrintedKind::OwnResult,
            PrintedKind::Rows(&STEPS),
        ] {
            for record in hostile_records() {
                let text = render_with(&options, content, &[record], End::Complete).text;
                assert!(!text.contains(drives_terminal), "{format:?}: {text:?}");
            }
        }
    }
}

#[test]
fn a_line_break_in_a_value_forges_no_record() {
    let as_record: fn(&str) -> Value = |id| json!({"id": id});
    let as_value: fn(&str) -> Value = |id| json!(id);
    for format in formats() {
        for destination in [Destination::Pipe, Destination::Terminal] {
            let options = options_for(format, destination, &[]).unwrap();
            for to_json in [as_record, as_value] {
                let render = |id: &str| {
                    let records = records([to_json(id)]);
                    render_with(
                        &options,
                        PrintedKind::List(&UNKNOWN),
                        &records,
                        End::Complete,
                    )
                };
                let genuine = render("forged").text;
                let genuine_line = genuine.lines().find(|line| line.contains("forged"));
                assert!(genuine_line.is_some(), "{format:?}: {genuine}");
                let rendered = render("x\nforged");
                let text = &rendered.text;
                let is_forged = text.lines().any(|line| Some(line) == genuine_line);
                assert!(!is_forged, "{format:?}: {text}");
                // A record that cannot be expressed is left out, which is reported.
                let is_shown = text.contains("forged");
                assert!(is_shown || rendered.error.is_some(), "{format:?}: {text}");
            }
        }
    }
}
