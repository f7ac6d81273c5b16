//! Reads csv, json, ndjson and yaml files into rows with their positions.

mod csv;
mod failed_rows;
mod format;
mod json;
mod text;
mod yaml;

pub use failed_rows::FailedRows;
pub use json::read_json;
pub use text::read_text;

use crate::error::{Detail, Error, Kind, Result};
use crate::resources::allowed_hint;
use crate::terminal::pluralize;
use serde_json::{Map, Value};
use std::collections::HashSet;
use text::{BYTE_ORDER_MARK, READABLE};

/// The format of a file of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum InputFormat {
    /// A header row, then one row per record
    Csv,
    /// An array of objects, or one object
    Json,
    /// One JSON object per line
    Ndjson,
    /// A sequence of mappings, or one mapping
    Yaml,
}

/// The values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// One value.
    Text,
    /// A list: in a CSV cell a JSON array, or items separated by one of these characters.
    List(&'static [char]),
}

/// The columns of a file.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    /// The columns that are read.
    pub known: &'static [(&'static str, ColumnKind)],
    /// The columns that are ignored.
    pub ignored: &'static [&'static str],
    /// The column of a file without a header that has one value per line, if such a file is allowed.
    pub list: Option<&'static str>,
}

impl Columns {
    /// Returns the kind of a column that is read.
    pub fn kind(&self, name: &str) -> Option<ColumnKind> {
        self.known
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, kind)| *kind)
    }

    /// Whether a file may have this column.
    pub fn allows(&self, name: &str) -> bool {
        self.kind(name).is_some() || self.ignored.contains(&name)
    }

    /// Returns the names of the columns that are read.
    pub fn names(&self) -> Vec<&'static str> {
        self.known.iter().map(|(name, _)| *name).collect()
    }
}

/// The position of a row in its file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// The line on which it begins: CSV and NDJSON.
    Line(usize),
    /// Its number: JSON and YAML.
    Record(usize),
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Record(number) => write!(f, "record {number}"),
        }
    }
}

/// One row.
#[derive(Debug)]
pub struct Row {
    /// Its position.
    pub position: Position,
    /// Its fields in the order of the file, those of unknown columns too. An empty CSV cell has none.
    pub fields: Map<String, Value>,
    /// The cells of a CSV row as they were read.
    cells: Vec<String>,
}

impl Row {
    fn new(position: Position, fields: Map<String, Value>) -> Self {
        Self {
            position,
            fields,
            cells: Vec::new(),
        }
    }

    /// Returns the value of a field; none if it is absent or null.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }
}

/// The result of the reader of one format.
#[derive(Debug, Default)]
struct Parsed {
    rows: Vec<Row>,
    /// CSV rows whose cells do not match the header.
    rejected: Vec<Row>,
    /// Their places are added when the name of the file is known.
    problems: Vec<(Position, Detail)>,
    csv: Option<csv::Header>,
}

impl Parsed {
    fn problem(&mut self, position: Position, field: &str, code: &str, message: impl Into<String>) {
        self.problems
            .push((position, Detail::new(code, field, message)));
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct Document {
    /// The path as it was typed, or `stdin`.
    pub name: String,
    /// The rows that could be read, in the order of the file.
    pub rows: Vec<Row>,
    /// The other problems of rows and of the header, each with the number of its row, if the row can be written again. Rejected
    /// rows follow the others.
    pub problems: Vec<(Option<usize>, Detail)>,
    rejected: Vec<Row>,
    /// The unknown columns, each as a problem where it first occurs. They are left to the caller.
    pub unknown: Vec<Detail>,
    text: String,
    format: InputFormat,
    csv: Option<csv::Header>,
}

impl Document {
    /// Reads a file, or stdin for `-`. Without a format, the extension decides, or else the text.
    ///
    /// # Errors
    /// `Usage` if it cannot be read; `Invalid`, with all problems, if it is not of its format or not UTF-8.
    pub fn read(path: &str, format: Option<InputFormat>, columns: &Columns) -> Result<Self> {
        let (text, name) = text::read(path).map_err(|error| {
            let names = columns.names().join(", ");
            error.with_fallback_hint(|| {
                format!("{READABLE}; CSV, JSON, NDJSON or YAML with any of the columns {names}")
            })
        })?;
        let (format, next) = match format.or_else(|| InputFormat::of_extension(path)) {
            Some(format) => (format, "No changes were made. Fix the file and retry."),
            None => (
                InputFormat::guess(path, text.trim_start_matches(BYTE_ORDER_MARK), columns)?,
                "fix the file, or pass its format with --input-format",
            ),
        };
        Self::parse(name, text, format, columns)
            .map_err(|error| error.with_fallback_hint(|| next.into()))
    }

    /// Parses text of this format.
    ///
    /// # Errors
    /// `Invalid`, with all problems, if it is not of this format.
    pub fn parse(name: &str, text: String, format: InputFormat, columns: &Columns) -> Result<Self> {
        let content = text.trim_start_matches(BYTE_ORDER_MARK);
        let parsed = match format {
            InputFormat::Csv => csv::parse(content, columns),
            InputFormat::Json => json::parse(content),
            InputFormat::Ndjson => Ok(json::parse_lines(content)),
            InputFormat::Yaml => yaml::parse(content),
        };
        let parsed =
            parsed.map_err(|problem| Error::new(Kind::Invalid, format!("{name}: {problem}")))?;
        let mut document = Self {
            name: name.into(),
            rows: parsed.rows,
            rejected: parsed.rejected,
            problems: Vec::new(),
            unknown: Vec::new(),
            text,
            format,
            csv: parsed.csv,
        };
        let located = |(position, problem): (Position, Detail)| {
            let row = document.all_rows().position(|row| row.position == position);
            (
                row,
                Detail {
                    position: Some(document.locate(position, Some(&problem.param))),
                    ..problem
                },
            )
        };
        document.problems = parsed.problems.into_iter().map(located).collect();
        document.unknown = document.unknown_columns(columns);
        Ok(document)
    }

    /// Returns all problems, those of unknown columns too.
    pub fn all_problems(&self) -> impl Iterator<Item = &Detail> {
        self.problems
            .iter()
            .map(|(_, problem)| problem)
            .chain(&self.unknown)
    }

    /// Returns the unknown columns as problems where they first occur.
    fn unknown_columns(&self, columns: &Columns) -> Vec<Detail> {
        let mut reported = HashSet::new();
        let header = self
            .csv
            .iter()
            .flat_map(|header| header.names.iter().map(|name| (header.position, name)));
        let header = header.filter(|(_, name)| !name.is_empty());
        let all = header.chain(
            self.rows
                .iter()
                .flat_map(|row| row.fields.keys().map(|name| (row.position, name))),
        );
        let unknown =
            all.filter(|(_, name)| !columns.allows(name) && reported.insert(name.as_str()));
        let detail = |(position, name): (Position, &String)| {
            let message = format!(
                "Is not a known column; {}",
                allowed_hint(name, &columns.names())
            );
            Detail {
                position: Some(self.locate(position, Some(name))),
                ..Detail::new("unknown_field", name, message)
            }
        };
        unknown.map(detail).collect()
    }

    fn all_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().chain(&self.rejected)
    }

    /// Returns the position of a row, or of a rejected row.
    pub fn position(&self, row: usize) -> Option<Position> {
        self.all_rows().nth(row).map(|row| row.position)
    }

    /// Returns its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is empty, without even a header.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Returns the position for people: `clients.csv line 12, column email`, or `clients.json record 3, field email`.
    pub fn locate(&self, position: Position, field: Option<&str>) -> String {
        let field = match (field.unwrap_or_default(), &self.csv) {
            ("" | "base" | "client", _) => String::new(),
            (field, None) => format!(", field {field}"),
            (field, Some(_)) => format!(", column {field}"),
        };
        format!("{} {position}{field}", self.name)
    }

    /// Returns a problem with a field of a row.
    pub fn detail(&self, row: &Row, field: &str, code: &str, message: impl Into<String>) -> Detail {
        Detail {
            position: Some(self.locate(row.position, Some(field))),
            ..Detail::new(code, field, message)
        }
    }

    /// Fails if there are problems.
    ///
    /// # Errors
    /// `Invalid` with all of them.
    pub fn refuse(&self, problems: Vec<Detail>) -> Result<()> {
        if problems.is_empty() {
            Ok(())
        } else {
            Err(self.refusal(problems))
        }
    }

    /// Returns the error of a file with these problems.
    pub fn refusal(&self, problems: Vec<Detail>) -> Error {
        Error::new(
            Kind::Invalid,
            format!("{} in {}", pluralize(problems.len(), "problem"), self.name),
        )
        .with_details(problems)
        .with_hint("No changes were made. Fix the values above and retry.")
    }

    /// Returns these rows as a file of the same format, ready to be fixed and read again.
    pub fn excerpt(&self, rows: &[usize]) -> String {
        let rows: Vec<&Row> = rows
            .iter()
            .filter_map(|index| self.all_rows().nth(*index))
            .collect();
        match (self.format, &self.csv) {
            (InputFormat::Csv, Some(header)) => {
                // Without the mark, a spreadsheet reads another encoding.
                let mark = if self.text.starts_with(BYTE_ORDER_MARK) {
                    "\u{feff}"
                } else {
                    ""
                };
                format!("{mark}{}", header.write(rows.iter().map(|row| &row.cells)))
            }
            (InputFormat::Csv, None) => String::new(),
            (InputFormat::Json, _) => json::write(&rows),
            (InputFormat::Ndjson, _) => rows.iter().map(|row| json::write_line(row)).collect(),
            (InputFormat::Yaml, _) => yaml::write(&rows),
        }
    }
}

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;
