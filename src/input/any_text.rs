//! No text makes a reader panic, every place that it names lies inside the file, and what it reads it can write again.

use super::place::Place;
use super::tests::COLUMNS;
use super::{Document, InputFormat, Row};
use proptest::prelude::*;
use serde_json::Value;

const FORMATS: [InputFormat; 4] = [InputFormat::Csv, InputFormat::Json, InputFormat::Ndjson, InputFormat::Yaml];

/// A file of each format, to be spoiled.
const FILES: [&str; 5] = [
    "id,email,note,site_ids\r\n1,a@b,\"one\r\ntwo \"\"three\"\"\",s1;s2\r\n,c@d,\\u{1b},\"[\"\"x\"\"]\"\r\n",
    "[\n  {\"email\": \"a@b\", \"note\": \"é\\n\\u00e9\", \"site_ids\": [\"s1\", \"s2\"]},\n  {\"id\": \"2\", \"x\": {\"y\": 1.5e3}}\n]",
    "{\"email\":\"a@b\",\"note\":null}\n{\"email\":\"c@d\",\n \"note\":\"x\"}\n\n{\"email\":\"e\"} {}\n",
    "# clients\n- email: a@b\n  note: |\n    one\n\n    two\n  site_ids:\n    - s1\n    - &s \"s2\"\n\n# é\n- email: 'c@d'\n  note: >-\n   x\n   y\n  site_ids: [*s, b]\n- {id: 007, note: \"\\u00e9\\\n    z\"}\n",
    "---\nemail: a@b\nnote: &n no\n...\n---\n? email\n: c@d\nnote: *n\n",
];

/// Parts between bars that mean something to some format.
const PIECES: &str = "\n¦\r¦\r\n¦\t¦ ¦  ¦\"¦'¦,¦;¦:¦- ¦? ¦[¦]¦{¦}¦&a ¦*a ¦!x ¦!!str ¦|¦>¦---\n¦...\n¦#¦%¦\0¦\u{feff}¦\u{85}¦\u{2028}¦é\
    ¦👩¦\\¦id¦email¦null¦~";

fn pieces() -> impl Strategy<Value = String> {
    let known: Vec<String> = PIECES.split('¦').map(String::from).collect();
    prop_oneof![6 => proptest::sample::select(known), 1 => any::<String>()]
}

/// Any text, or a file with parts cut out and others put in.
fn text() -> impl Strategy<Value = String> {
    let edit = (any::<proptest::sample::Index>(), 0..12usize, pieces());
    let edited =
        (proptest::sample::select(&FILES[..]), proptest::collection::vec(edit, 0..6)).prop_map(|(file, edits)| {
            edits.into_iter().fold(file.to_string(), |text, (at, cut, piece)| {
                let mut chars: Vec<char> = text.chars().collect();
                let at = at.index(chars.len() + 1);
                let end = (at + cut.saturating_sub(6)).min(chars.len());
                chars.splice(at..end, piece.chars());
                chars.into_iter().collect()
            })
        });
    let bytes = proptest::collection::vec(any::<u8>(), 0..60).prop_map(|bytes| String::from_utf8_lossy(&bytes).into());
    let any_pieces = proptest::collection::vec(pieces(), 0..30).prop_map(|pieces| pieces.concat());
    prop_oneof![6 => edited, 1 => bytes, 3 => any_pieces]
}

/// Whether there is such a place, where columns are characters.
fn is_inside(text: &str, place: Place, csv: bool) -> bool {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let line = text.split('\n').nth(place.line.wrapping_sub(1));
    let column =
        |line: &str| place.column.is_none_or(|column| column > 0 && (csv || column <= line.chars().count() + 1));
    line.is_some_and(column)
}

fn places(row: &Row) -> impl Iterator<Item = Place> {
    let blanks = row.blanks.iter().map(|(_, place)| *place);
    std::iter::once(row.place).chain(row.cells.iter().map(|cell| cell.place)).chain(blanks)
}

/// The place in the words for it.
fn place_of(place: &str) -> Option<Place> {
    let rest = place.strip_prefix("a line ")?;
    let (line, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let column =
        rest.strip_prefix(", column ").map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    Some(Place { line: line.parse().ok()?, column: column.and_then(|column| column.parse().ok()) })
}

fn values(document: &Document) -> Vec<Vec<(std::borrow::Cow<'static, str>, Value)>> {
    let cells = |row: &Row| row.cells.iter().map(|cell| (cell.column.clone(), cell.value.clone())).collect();
    document.rows.iter().map(cells).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_text_is_read_or_refused(text in text()) {
        for format in FORMATS {
            let csv = format == InputFormat::Csv;
            let details = match Document::parse("a", text.clone(), format, &COLUMNS) {
                Ok(document) => {
                    prop_assert!(document.rows.iter().flat_map(places).all(|place| is_inside(&text, place, csv)));
                    let all: Vec<usize> = (0..document.rows.len()).collect();
                    let excerpt = document.excerpt(&all);
                    let again = Document::parse("a", excerpt.clone(), format, &COLUMNS);
                    prop_assert!(again.is_ok(), "{:?} {:?} became {:?}: {:?}", format, text, excerpt, again.err());
                    prop_assert_eq!(again.map(|again| values(&again)).unwrap_or_default(), values(&document), "{}", excerpt);
                    document.problems
                }
                Err(error) => {
                    prop_assert!(!error.details.is_empty());
                    error.details.clone()
                }
            };
            for detail in details {
                let place = detail.place.as_deref().and_then(place_of);
                prop_assert!(place.is_some_and(|place| is_inside(&text, place, csv)), "{:?} {:?}", format, detail);
            }
        }
    }
}
