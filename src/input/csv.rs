//! CSV as spreadsheets and `-o csv` write it: comma, semicolon or tab; a header in any case; then one row per record.

use super::{ColumnKind, Columns, Parsed, Position, Row};
use crate::error::Detail;
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The header row.
#[derive(Debug)]
pub struct Header {
    /// Its position.
    pub position: Position,
    /// The names of the columns.
    pub names: Vec<String>,
    /// Its cells and the delimiter, for the file of failed rows.
    cells: Vec<String>,
    delimiter: u8,
}

impl Header {
    /// Returns these rows under this header.
    pub fn write<'r>(&'r self, rows: impl Iterator<Item = &'r Vec<String>>) -> String {
        let mut writer = WriterBuilder::new()
            .flexible(true)
            .delimiter(self.delimiter)
            .from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = std::iter::once(&self.cells)
            .chain(rows)
            .try_for_each(|cells| writer.write_record(cells));
        writer
            .into_inner()
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .unwrap_or_default()
    }
}

/// A row that is not blank, also the header.
struct Line {
    position: Position,
    cells: Vec<String>,
    /// A problem with its quotes.
    problem: Option<&'static str>,
}

/// Reads all rows.
///
/// # Errors
/// If the columns cannot be recognized.
pub fn parse(text: &str, columns: &Columns) -> Result<Parsed, String> {
    // Old spreadsheets end lines with `\r`.
    let text: Cow<'_, str> = if text.contains('\n') {
        text.into()
    } else {
        text.replace('\r', "\n").into()
    };
    let delimiter = delimiter(
        text.trim_start().lines().next().unwrap_or_default(),
        columns,
    );
    let mut lines = lines(&text, delimiter);
    let Some(Line {
        position,
        cells,
        problem,
    }) = lines.first()
    else {
        return Ok(Parsed::default());
    };
    if let Some(problem) = problem {
        return Err(format!("{position}: {problem}"));
    }
    let (position, cells) = (*position, cells.clone());
    let header = match list(&cells, columns) {
        Some(list) => Header {
            position,
            names: vec![list.into()],
            cells: vec![list.into()],
            delimiter,
        },
        None => Header {
            position,
            names: header(&lines.remove(0).cells, columns)?,
            cells,
            delimiter,
        },
    };
    let mut parsed = Parsed {
        problems: duplicates(&header.names, position),
        ..Parsed::default()
    };
    for line in lines {
        parsed.line(line, &header.names, columns);
    }
    parsed.csv = Some(header);
    Ok(parsed)
}

fn lines(text: &str, delimiter: u8) -> Vec<Line> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    let mut lines = Vec::new();
    loop {
        let (begin, line) = (offset(&reader), reader.position().line() as usize);
        // The text is UTF-8 and rows may have any length: reading cannot fail.
        if !reader.read_record(&mut record).unwrap_or(false) {
            return lines;
        }
        let raw = &text[begin..offset(&reader)];
        let row = raw.trim_start_matches(['\r', '\n']);
        let blank_lines = raw[..raw.len() - row.len()].matches('\n').count();
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            let cells = record.iter().map(str::to_string).collect();
            let problem = quoting_problem(row.trim_end_matches(['\r', '\n']), delimiter);
            lines.push(Line {
                position: Position::Line(line + blank_lines),
                cells,
                problem,
            });
        }
    }
}

fn offset(reader: &csv::Reader<&[u8]>) -> usize {
    usize::try_from(reader.position().byte()).unwrap_or(usize::MAX)
}

impl Parsed {
    /// Adds a row under a header with these names.
    fn line(
        &mut self,
        Line {
            position,
            cells,
            problem,
        }: Line,
        names: &[String],
        columns: &Columns,
    ) {
        if let Some(message) = problem {
            return self.problem(position, "", "invalid_syntax", message);
        }
        if cells.len() != names.len() {
            let (found, named) = (cells.len(), names.len());
            let why = if found > named {
                "; put a value that contains the delimiter in quotes"
            } else {
                ""
            };
            self.problem(
                position,
                "",
                "invalid_row",
                format!("Has {found} cells, but the header has {named}{why}"),
            );
            return self.rejected.push(Row {
                cells,
                ..Row::new(position, Map::new())
            });
        }
        let mut fields = Map::new();
        for (name, cell) in names.iter().zip(&cells) {
            match value(cell, columns.kind(name).unwrap_or(ColumnKind::Text)) {
                Ok(Value::Null) => {}
                Ok(value) => drop(fields.insert(name.clone(), value)),
                Err(message) => self.problem(position, name, "invalid_type", message),
            }
        }
        self.rows.push(Row {
            cells,
            ..Row::new(position, fields)
        });
    }
}

/// Returns the delimiter that separates most known columns in the header.
fn delimiter(header: &str, columns: &Columns) -> u8 {
    let known = |delimiter: u8| {
        header
            .split(char::from(delimiter))
            .filter(|cell| columns.allows(&name(cell)))
            .count()
    };
    // Of equals, the last one counts.
    [b'\t', b';', b',']
        .into_iter()
        .max_by_key(|delimiter| known(*delimiter))
        .unwrap_or(b',')
}

/// Whether a line can be a header.
pub fn has_header(line: &str, columns: &Columns) -> bool {
    line.split(char::from(delimiter(line, columns)))
        .any(|cell| columns.allows(&name(cell)))
}

/// Returns a heading as a column name: in any case, with blanks or hyphens instead of underscores.
fn name(heading: &str) -> String {
    heading
        .trim()
        .trim_matches('"')
        .trim()
        .to_lowercase()
        .replace([' ', '-'], "_")
}

/// Returns the column of a file that is only a list: its first line is one value, not a header.
fn list(cells: &[String], columns: &Columns) -> Option<&'static str> {
    columns
        .list
        .filter(|_| cells.len() == 1 && !columns.allows(&name(&cells[0])))
}

fn header(cells: &[String], columns: &Columns) -> Result<Vec<String>, String> {
    // A heading that is no column, even when written as one, is reported as it is.
    let as_column = |cell: &String| {
        Some(name(cell))
            .filter(|name| columns.allows(name))
            .unwrap_or_else(|| cell.trim().into())
    };
    let names: Vec<String> = cells.iter().map(as_column).collect();
    match names.iter().any(|name| columns.allows(name)) {
        true => Ok(names),
        false => Err(format!(
            "the first line must name the columns; allowed: {}",
            columns.names().join(", ")
        )),
    }
}

fn duplicates(names: &[String], position: Position) -> Vec<(Position, Detail)> {
    let repeated = names
        .iter()
        .enumerate()
        .filter(|(at, name)| !name.is_empty() && names[..*at].contains(name));
    repeated
        .map(|(_, name)| {
            (
                position,
                Detail::new("duplicate_field", name, "Is in the header twice"),
            )
        })
        .collect()
}

/// Returns the value of a cell; an empty cell, or a list without items, is null. `[]` empties a list.
fn value(cell: &str, kind: ColumnKind) -> Result<Value, String> {
    match kind {
        ColumnKind::Text if cell.is_empty() => Ok(Value::Null),
        ColumnKind::Text => Ok(cell.into()),
        ColumnKind::List(_) if cell.trim_start().starts_with('[') => serde_json::from_str(cell)
            .map_err(|_| "Must be a list separated by semicolons, or a JSON array".into()),
        ColumnKind::List(separators) => {
            let items = cell
                .split(separators)
                .map(str::trim)
                .filter(|item| !item.is_empty());
            let items: Vec<Value> = items.map(Value::from).collect();
            Ok(if items.is_empty() {
                Value::Null
            } else {
                items.into()
            })
        }
    }
}

/// Returns a problem with the quotes in a row, which the parser would accept and read as another value.
fn quoting_problem(row: &str, delimiter: u8) -> Option<&'static str> {
    let mut bytes = row.bytes().peekable();
    loop {
        if bytes.next_if_eq(&b'"').is_some() {
            loop {
                match bytes.next() {
                    None => return Some("Has a quote that is never closed"),
                    Some(b'"') if bytes.next_if_eq(&b'"').is_none() => break,
                    Some(_) => {}
                }
            }
            if bytes.peek().is_some_and(|byte| *byte != delimiter) {
                return Some(
                    "Has text after a closing quote; write a quote inside a quoted value twice",
                );
            }
        }
        bytes.find(|byte| *byte == delimiter)?;
    }
}
