//! Reads csv, json, ndjson and yaml files into rows with their positions.

mod csv;
mod failed_rows;
mod format;
mod json;
mod text;
mod yaml;

pub use csv::has_known_heading;
pub use failed_rows::FailedRows;
pub use json::read_json;
pub use text::read_text;

use crate::error::{Detail, Error, Kind, Result};
use crate::resources::{allowed_hint, scalar_text};
use crate::terminal::pluralize;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use text::{BYTE_ORDER_MARK, FIX_FILE_HINT, read_text_with_mark};

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
    /// A list: in a CSV cell a JSON array, or items separated by semicolons. Only an empty cell is
    /// absent; one of separators or blanks is an empty list.
    List,
    /// A list that `[]` clears. In CSV, nothing else clears it: a cell of blanks is absent, and one
    /// of separators is a problem.
    ClearableList,
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
    /// The field of a JSON or YAML object that has the list of records.
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
    /// The number of the record: JSON and YAML.
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

impl RowPosition {
    /// Returns the index in the lines or records of the file, which counts from 0.
    fn index(self) -> usize {
        match self {
            Self::LineAndRow(number, _) | Self::Line(number) | Self::Record(number) => number - 1,
        }
    }
}

#[derive(Debug)]
pub struct InputRow {
    pub position: RowPosition,
    /// The fields in the order of the file, those of unknown columns too. An empty CSV cell is no
    /// field.
    pub fields: Map<String, Value>,
    /// A CSV row as it was read, without its line break; a record that is not an object, as JSON;
    /// else empty.
    text: String,
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
    /// The index of its row, which can be skipped; None for a problem of the file itself.
    pub row: Option<usize>,
    pub detail: Detail,
}

/// The rows and problems that the parser of one format found.
#[derive(Debug, Default)]
struct Parsed {
    rows: Vec<InputRow>,
    /// Rows that are no records, such as lines that are not JSON, or have too many cells.
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
    /// The rows that could be read, in the order of the file, without the rejected ones.
    pub rows: Vec<InputRow>,
    /// The problems of rows and of the header, except unknown columns. The indexes of rejected rows
    /// continue those of `rows`.
    pub problems: Vec<Problem>,
    /// Rows that are no records, for the file of failed rows.
    rejected: Vec<InputRow>,
    /// The unknown columns, each as a problem where it first occurs. The caller decides whether
    /// they are allowed.
    pub unknown_column_problems: Vec<Detail>,
    /// The text with its byte order mark, if it has one.
    text: String,
    pub format: InputFormat,
    csv_header: Option<csv::Header>,
    /// Whether the file is a list of values without a header.
    pub is_list: bool,
    /// The columns that name the record of a row, most important first.
    keys: &'static [&'static str],
    list_field: Option<&'static str>,
}

impl Document {
    /// Reads a file, or stdin for `-`. Without a format, the extension determines it, or else the
    /// text.
    ///
    /// # Errors
    /// `Usage` if it cannot be read; `Invalid`, with all problems, if it is not of its format or
    /// not UTF-8.
    pub fn read(path: &str, format: Option<InputFormat>, columns: &Columns) -> Result<Self> {
        let (text, name) = read_text_with_mark(path)?;
        if text.trim().is_empty() {
            let message = format!("{name} is empty");
            return Err(Error::new(Kind::Invalid, message).with_hint(
                "No changes were made. For a list without records, write only a header, or [].",
            ));
        }
        let mut hint = FIX_FILE_HINT;
        let format = match format.or_else(|| InputFormat::from_extension(path)) {
            Some(format) => format,
            None => {
                let content = without_mark(&text);
                hint = "fix the file, or pass its format with --input-format";
                InputFormat::detect(path, content, columns)?
            }
        };
        Self::parse(name, text, format, columns).map_err(|error| error.with_fallback_hint(hint))
    }

    /// Parses text of this format. `name` is the name of the file in messages.
    ///
    /// # Errors
    /// `Invalid`, with all problems, if the text is not of this format.
    pub fn parse(name: &str, text: String, format: InputFormat, columns: &Columns) -> Result<Self> {
        let content = without_mark(&text);
        let parsed = match format {
            InputFormat::Csv => csv::parse(content, columns),
            InputFormat::Json => json::parse(content, columns),
            InputFormat::Ndjson => Ok(json::parse_lines(content, columns)),
            InputFormat::Yaml => yaml::parse(content, columns),
        };
        let parsed = parsed.map_err(|problem| {
            let message = format!("{name}: {problem}");
            Error::new(Kind::Invalid, message)
        })?;
        let mut document = Self {
            name: name.into(),
            rows: parsed.rows,
            rejected: parsed.rejected,
            problems: Vec::new(),
            unknown_column_problems: Vec::new(),
            text,
            format,
            csv_header: parsed.csv_header,
            is_list: parsed.is_list,
            keys: columns.keys,
            list_field: columns.list_field,
        };
        let positions = document.all_rows().map(|row| row.position);
        let indexes: HashMap<RowPosition, usize> = positions.zip(0..).collect();
        for (position, mut detail) in parsed.problems {
            let row = indexes.get(&position).copied();
            let field = &detail.param;
            let input_row = row.and_then(|row| document.row(row));
            detail.position = Some(match input_row {
                Some(row) => document.locate_value(row, field),
                None => document.locate(position, field),
            });
            if let Some(key) = input_row.and_then(|row| document.key(row)) {
                detail.param = key;
            } else if detail.param.is_empty() {
                detail.param = position.to_string();
            }
            document.problems.push(Problem { row, detail });
        }
        document.unknown_column_problems = document.find_unknown_columns(columns);
        Ok(document)
    }

    /// Returns all problems, those of unknown columns too.
    pub fn all_problems(&self) -> impl Iterator<Item = &Detail> {
        let problems = self.problems.iter().map(|problem| &problem.detail);
        problems.chain(&self.unknown_column_problems)
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

    fn all_rows(&self) -> impl Iterator<Item = &InputRow> {
        self.rows.iter().chain(&self.rejected)
    }

    /// Returns the row with this index, which may be a rejected row.
    pub fn row(&self, index: usize) -> Option<&InputRow> {
        self.all_rows().nth(index)
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
        Problem {
            row: Some(row),
            detail: self.detail(&self.rows[row], field, code, message),
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
            Ok(())
        } else {
            Err(self.refusal(problems))
        }
    }

    /// Returns the error of a file with these problems.
    pub fn refusal(&self, problems: Vec<Detail>) -> Error {
        let count = pluralize(problems.len(), "problem");
        Error::new(Kind::Invalid, format!("{count} in {}", self.name))
            .with_details(problems)
            .with_hint("No changes were made. Fix the values above and retry.")
    }

    /// Returns the rows with these indexes, in the order of the file, as they were: CSV with its
    /// header, lines of NDJSON, else a JSON array.
    pub fn excerpt(&self, mut rows: Vec<usize>) -> String {
        rows.sort_by_key(|row| self.row(*row).map(|row| row.position));
        rows.dedup();
        let selected: Vec<&InputRow> = rows.iter().filter_map(|row| self.row(*row)).collect();
        let text = without_mark(&self.text);
        match (self.format, &self.csv_header) {
            (InputFormat::Csv, None) => String::new(),
            (InputFormat::Csv, Some(header)) => {
                // Without the mark, a spreadsheet would expect another encoding than UTF-8.
                let mark = &self.text[..self.text.len() - text.len()];
                format!("{mark}{}", header.write(&selected))
            }
            (InputFormat::Json, _) => json::write(text, self.list_field, &selected),
            (InputFormat::Ndjson, _) => json::write_lines(text, &selected),
            (InputFormat::Yaml, _) => json::write_fields(&selected),
        }
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

fn without_mark(text: &str) -> &str {
    text.trim_start_matches(BYTE_ORDER_MARK)
}

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;
