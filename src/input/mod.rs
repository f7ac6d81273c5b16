//! Reads csv, json and ndjson files into rows with their positions.

mod csv;
mod json;
mod text;

pub use csv::{heading_letters, is_error_value};
pub use json::read_json;
pub use text::read_text;

use crate::error::{Detail, Error, Kind, Result};
use crate::resources::{allowed_hint, scalar_text};
use crate::terminal::pluralize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use text::FIX_FILE_HINT;

/// The format of a file of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputFormat {
    /// A header row, then one row per record
    Csv,
    /// An array of objects, or one object
    Json,
    /// One JSON object per line
    Ndjson,
}

impl InputFormat {
    /// Returns the format of the path's extension, or else of the text, which is CSV unless it
    /// begins as JSON.
    pub fn detect(path: &str, text: &str) -> Self {
        let extension = Path::new(path).extension().unwrap_or_default();
        let text = text.trim_start();
        match extension.to_ascii_lowercase().to_str() {
            Some("csv") => Self::Csv,
            Some("json") => Self::Json,
            Some("ndjson" | "jsonl") => Self::Ndjson,
            _ if text.starts_with('[') => Self::Json,
            _ if !text.starts_with('{') => Self::Csv,
            // Several lines of NDJSON are not one JSON value.
            _ if serde_json::from_str::<IgnoredAny>(text).is_ok() => Self::Json,
            _ => Self::Ndjson,
        }
    }
}

/// The values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// One value.
    Text,
    /// A list: in a CSV cell a JSON array, or items separated by semicolons. In CSV, only `[]` is an
    /// empty list: a cell of blanks is absent, and one of separators is a problem.
    List,
}

/// The columns of a file.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    /// The columns that are read.
    pub known: &'static [(&'static str, ColumnKind)],
    /// Columns that a file may have, such as those of an export, and whose values are not used.
    pub ignored: &'static [&'static str],
    /// The columns that name the record of a row in messages; the first that has a value does.
    pub keys: &'static [&'static str],
    /// The field of a JSON object that has the list of records.
    pub list_field: Option<&'static str>,
    /// The column of a file without a header that has one value per line, if such a file is
    /// allowed. Lines that begin with `#` are then comments.
    pub list: Option<&'static str>,
}

impl Columns {
    /// Returns the kind of a column that is read.
    pub fn kind(&self, name: &str) -> Option<ColumnKind> {
        let mut known = self.known.iter();
        let (_, kind) = known.find(|(known, _)| *known == name)?;
        Some(*kind)
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

/// The position of a row in its file. All numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowPosition {
    /// The line on which a CSV row begins, and its number in a spreadsheet, where a cell can have
    /// several lines.
    LineAndRow(usize, usize),
    /// The line: NDJSON.
    Line(usize),
    /// The number of the record: JSON.
    Record(usize),
}

impl std::fmt::Display for RowPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::LineAndRow(line, row) if line != row => write!(f, "line {line} (row {row})"),
            Self::LineAndRow(line, _) | Self::Line(line) => write!(f, "line {line}"),
            Self::Record(number) => write!(f, "record {number}"),
        }
    }
}

#[derive(Debug)]
pub struct InputRow {
    pub position: RowPosition,
    /// The fields in the order of the file, those of unknown columns too. An empty CSV cell is no
    /// field.
    pub fields: Map<String, Value>,
}

impl InputRow {
    /// Returns the value of a field; None if it is absent or null.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }
}

/// A problem of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The position of its row; None for a problem of the file itself.
    pub position: Option<RowPosition>,
    pub detail: Detail,
}

/// The rows and problems that the parser of one format found.
#[derive(Debug, Default)]
struct Parsed {
    rows: Vec<InputRow>,
    /// CSV rows with a wrong number of cells. Messages still show their keys.
    rejected: Vec<InputRow>,
    /// The problems by the position of their row. `Document::parse` adds it to the details.
    problems: Vec<(RowPosition, Detail)>,
    csv_header: Option<csv::Header>,
    /// Whether the file is a list of values without a header.
    is_list: bool,
}

impl Parsed {
    fn add_problem(
        &mut self,
        position: RowPosition,
        field: &str,
        code: &str,
        message: impl Into<String>,
    ) {
        let detail = Detail::new(code, field, message);
        self.problems.push((position, detail));
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct Document {
    /// The path as it was typed, or `stdin`.
    pub name: String,
    /// The rows that could be read, in the order of the file.
    pub rows: Vec<InputRow>,
    /// The problems of rows and of the header, except unknown columns.
    pub problems: Vec<Problem>,
    /// The unknown columns, each as a problem where it first occurs. The caller decides whether
    /// they are allowed.
    pub unknown_column_problems: Vec<Detail>,
    csv_header: Option<csv::Header>,
    /// Whether the file is a list of values without a header.
    pub is_list: bool,
    /// The columns that name the record of a row, most important first.
    keys: &'static [&'static str],
}

impl Document {
    /// Reads a file, or stdin for `-`. An empty text is refused, because a program that failed
    /// leaves one.
    ///
    /// # Errors
    /// `Usage` if it cannot be read; `Invalid`, with all problems, if it is empty, not of its format
    /// or not UTF-8.
    pub fn read(path: &str, columns: &Columns) -> Result<Self> {
        let (text, name) = read_text(path)?;
        if text.trim().is_empty() {
            let message = format!("{name} is empty");
            let error = Error::new(Kind::Invalid, message).without_changes();
            return Err(error.with_hint(
                "print a list that may be empty as csv or json: a header, or [], is an empty list",
            ));
        }
        Self::parse(name, &text, InputFormat::detect(path, &text), columns)
            .map_err(|error| error.with_fallback_hint(FIX_FILE_HINT))
    }

    /// Parses text of this format. `name` is the name of the file in messages.
    ///
    /// # Errors
    /// `Invalid`, with all problems, if the text is not of this format.
    pub fn parse(name: &str, text: &str, format: InputFormat, columns: &Columns) -> Result<Self> {
        let parsed = match format {
            InputFormat::Csv => csv::parse(text, columns),
            InputFormat::Json => json::parse(text, columns),
            InputFormat::Ndjson => Ok(json::parse_lines(text, columns)),
        };
        let parsed = parsed.map_err(|problem| {
            let message = format!("{name}: {problem}");
            Error::new(Kind::Invalid, message).without_changes()
        })?;
        let mut document = Self {
            name: name.into(),
            rows: parsed.rows,
            problems: Vec::new(),
            unknown_column_problems: Vec::new(),
            csv_header: parsed.csv_header,
            is_list: parsed.is_list,
            keys: columns.keys,
        };
        let rows = document.rows.iter().chain(&parsed.rejected);
        let rows: HashMap<RowPosition, &InputRow> = rows.map(|row| (row.position, row)).collect();
        let mut problems = Vec::new();
        for (position, mut detail) in parsed.problems {
            let row = rows.get(&position);
            let field = &detail.param;
            detail.position = Some(match row {
                Some(row) => document.locate_value(row, field),
                None => document.locate(position, field),
            });
            if let Some(key) = row.and_then(|row| document.key(row)) {
                detail.param = key;
            } else if detail.param.is_empty() {
                detail.param = position.to_string();
            }
            problems.push(Problem {
                position: Some(position),
                detail,
            });
        }
        document.problems = problems;
        document.unknown_column_problems = document.find_unknown_columns(columns);
        Ok(document)
    }

    /// Returns each unknown column as a problem at the first row that has it. A header comes first.
    fn find_unknown_columns(&self, columns: &Columns) -> Vec<Detail> {
        let header = self.csv_header.iter().flat_map(|header| {
            let names = header.names.iter().filter(|name| !name.is_empty());
            names.map(|name| (header.position, name))
        });
        let fields = self
            .rows
            .iter()
            .flat_map(|row| row.fields.keys().map(|name| (row.position, name)));
        let names = header.chain(fields);
        let mut reported = HashSet::new();
        let mut details = Vec::new();
        for (position, name) in names {
            if columns.allows(name) || !reported.insert(name) {
                continue;
            }
            let suggestion = allowed_hint(name, &columns.names());
            let message = format!("Is not a known column; {suggestion}");
            details.push(Detail {
                position: Some(self.locate(position, name)),
                ..Detail::new("unknown_field", name, message)
            });
        }
        details
    }

    /// Returns the text that names the record of a row: its id, for example.
    pub fn key(&self, row: &InputRow) -> Option<String> {
        let mut keys = self.keys.iter();
        keys.find_map(|key| scalar_text(row.value(key)?).filter(|key| !key.is_empty()))
    }

    /// Whether the file, or the row of a file without a header, has this column.
    pub fn has_column(&self, row: &InputRow, name: &str) -> bool {
        match &self.csv_header {
            Some(header) => header.names.iter().any(|column| column == name),
            None => row.fields.contains_key(name),
        }
    }

    /// Returns the columns whose cell of this row is empty, if the file is CSV.
    pub fn empty_columns<'d>(&'d self, row: &'d InputRow) -> impl Iterator<Item = &'d String> {
        let names = self.csv_header.iter().flat_map(|header| &header.names);
        names.filter(|name| !row.fields.contains_key(*name))
    }

    /// Returns the position for people: `clients.csv line 12, column email`, or
    /// `clients.json record 3, field email`. An empty field is the whole row.
    pub fn locate(&self, position: RowPosition, field: &str) -> String {
        let name = &self.name;
        if field.is_empty() {
            return format!("{name} {position}");
        }
        let column = if self.csv_header.is_some() {
            "column"
        } else {
            "field"
        };
        format!("{name} {position}, {column} {field}")
    }

    /// Returns the position of a field with the key of its row and its value:
    /// `clients.csv line 12, column email (client-0012, 'ada')`.
    pub fn locate_value(&self, row: &InputRow, field: &str) -> String {
        let mut text = self.locate(row.position, field);
        // A heading can be empty, and a long number has lost digits.
        let value = row.value(field);
        let value = value.filter(|value| !field.is_empty() && !value.is_f64());
        let value = value.and_then(scalar_text);
        let key = self.key(row).filter(|key| value.as_ref() != Some(key));
        let value = value.map(|value| quote_briefly(&value));
        let parts: Vec<String> = key.into_iter().chain(value).collect();
        if !parts.is_empty() {
            text += &format!(" ({})", parts.join(", "));
        }
        text
    }

    /// Returns a problem with a field of the row with this index.
    pub fn problem(
        &self,
        row: usize,
        field: &str,
        code: &str,
        message: impl Into<String>,
    ) -> Problem {
        let row = &self.rows[row];
        Problem {
            position: Some(row.position),
            detail: self.detail(row, field, code, message),
        }
    }

    /// Returns a problem with a field of a row as a detail of an error. An empty field is the whole
    /// row.
    pub fn detail(
        &self,
        row: &InputRow,
        field: &str,
        code: &str,
        message: impl Into<String>,
    ) -> Detail {
        Detail {
            position: Some(self.locate_value(row, field)),
            ..Detail::new(code, self.key(row).as_deref().unwrap_or(field), message)
        }
    }

    /// Fails if there are problems.
    ///
    /// # Errors
    /// `Invalid` with all of them.
    pub fn refuse(&self, problems: Vec<Detail>) -> Result<()> {
        if problems.is_empty() {
            return Ok(());
        }
        let count = pluralize(problems.len(), "problem");
        let error = Error::new(Kind::Invalid, format!("{count} in {}", self.name));
        let error = error.without_changes().with_details(problems);
        Err(error.with_hint("fix the values above and retry"))
    }
}

/// Returns a value in quotes, and cuts a long one.
fn quote_briefly(value: &str) -> String {
    const MAX_CHARS: usize = 40;
    if value.chars().count() <= MAX_CHARS {
        return format!("'{value}'");
    }
    let start: String = value.chars().take(MAX_CHARS).collect();
    format!("'{start}…'")
}

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;
