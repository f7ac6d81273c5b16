//! A file that has been read: its rows, and the problems that did not keep the rest from being looked at.

use super::place::{Place, locate};
use super::reading::{Reading, Source};
use super::{Columns, InputFormat, csv, excerpt, json, ndjson, text, yaml};
use crate::error::{Detail, Error, Kind, Result};
use crate::ui::count;
use serde_json::Value;
use std::borrow::Cow;
use std::ops::Range;

/// A file that has been read.
#[derive(Debug)]
pub struct Document {
    /// The path as it was typed, or `stdin`.
    pub name: String,
    /// The rows that could be read, in their order.
    pub rows: Vec<Row>,
    /// What is wrong with the others, and with the names of columns.
    pub problems: Vec<Detail>,
    /// The columns that are not known, where these are read too: each once, as a problem.
    pub unknown: Vec<Detail>,
    pub(super) source: Source,
    pub(super) columns: Columns,
}

/// One row.
#[derive(Debug)]
pub struct Row {
    /// Where it begins.
    pub place: Place,
    /// Its values, in the order of the file. What is empty or null is absent.
    pub cells: Vec<Cell>,
    /// Where the columns stand that are empty or null.
    pub(super) blanks: Vec<(&'static str, Place)>,
    /// Its own text.
    pub(super) span: Range<usize>,
}

/// One value of a row.
#[derive(Debug)]
pub struct Cell {
    /// The name of its column.
    pub column: Cow<'static, str>,
    /// What it holds.
    pub value: Value,
    /// Where it begins.
    pub place: Place,
}

impl Row {
    /// The value in this column.
    pub fn value(&self, column: &str) -> Option<&Value> {
        self.cell(column).map(|cell| &cell.value)
    }

    /// The cell in this column.
    pub fn cell(&self, column: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.column == column)
    }
}

/// Says of a file that cannot be read what is wanted of one.
fn expected(error: Error, format: Option<InputFormat>, columns: &Columns) -> Error {
    if error.kind != Kind::Usage {
        return error;
    }
    let names: Vec<&str> = columns.known.iter().map(|(name, _)| *name).collect();
    let kinds = if format == Some(InputFormat::Json) { "JSON" } else { "CSV, JSON, NDJSON or YAML" };
    error.hint(format!("{}; it is {kinds} with any of: {}", text::READABLE, names.join(", ")))
}

impl Document {
    /// Reads a file, or stdin for `-`. Without a format, its ending or else its text tells.
    ///
    /// # Errors
    /// `Usage` where it cannot be read; `Invalid`, with all problems, where it is not of its format or not UTF-8.
    pub fn read(path: &str, format: Option<InputFormat>, columns: &Columns) -> Result<Self> {
        let (text, name) = text::read(path).map_err(|error| expected(error, format, columns))?;
        let told = format.or_else(|| InputFormat::of_ending(path));
        let format = match told {
            Some(format) => format,
            None => InputFormat::guess(path, &text, columns)?,
        };
        let next = match told {
            None => "mend it, or if it is of another format, name that with --input-format",
            Some(_) => "nothing was changed; mend the file and run it again",
        };
        Self::parse(name, text, format, columns).map_err(|error| error.or_hint(|| next.into()))
    }

    /// Takes text apart.
    ///
    /// # Errors
    /// `Invalid`, with all problems, where it is not of this format.
    pub fn parse(name: &str, mut text: String, format: InputFormat, columns: &Columns) -> Result<Self> {
        let marked = text.starts_with(text::MARK);
        if marked {
            text.drain(..text::MARK.len_utf8());
        }
        let mut reading = Reading::new(name, &text, columns);
        let read = match format {
            InputFormat::Csv => csv::read(&mut reading),
            InputFormat::Json => json::read(&mut reading),
            InputFormat::Ndjson => ndjson::read(&mut reading),
            InputFormat::Yaml => yaml::read(&mut reading),
        };
        let Reading { rows, problems, unknown, header, .. } = reading;
        match read {
            Ok(()) => {
                let source = Source { text, marked, format, header };
                Ok(Self { name: name.into(), rows, problems, unknown, source, columns: *columns })
            }
            Err(wrong) => Err(Error::new(Kind::Invalid, format!("{name}: {wrong}")).details(problems)),
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Whether there is nothing in it at all, not even a header.
    pub fn is_blank(&self) -> bool {
        self.source.text.trim().is_empty()
    }

    /// How a person finds a place: `clients.csv line 12, column 3 (email)`; without a column `clients.csv line 12`.
    pub fn locate(&self, place: Place, column: Option<&str>) -> String {
        locate(&self.name, place, column)
    }

    /// A problem of a row with a field, and where that stands: at its cell, also an empty one, else at the row.
    pub fn detail(&self, row: &Row, field: &str, code: &str, message: impl Into<String>) -> Detail {
        let blank = || row.blanks.iter().find(|(name, _)| *name == field).map(|(_, place)| *place);
        let place = row.cell(field).map(|cell| cell.place).or_else(blank).unwrap_or(row.place);
        Detail { place: Some(self.locate(place, Some(field))), ..Detail::new(code, field, message) }
    }

    /// Fails where there are problems.
    ///
    /// # Errors
    /// `Invalid` with all of them.
    pub fn refuse(&self, problems: Vec<Detail>) -> Result<()> {
        if problems.is_empty() {
            return Ok(());
        }
        Err(Error::new(Kind::Invalid, format!("{} in {}", count(problems.len(), "problem"), self.name))
            .details(problems)
            .hint("nothing was changed; mend what is named above and run it again"))
    }

    /// These rows alone, in the format of the file, ready to be mended and read again: their own text where that can
    /// stand alone.
    pub fn excerpt(&self, rows: &[usize]) -> String {
        let rows: Vec<&Row> = rows.iter().filter_map(|index| self.rows.get(*index)).collect();
        excerpt::write(self, &rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::tests::COLUMNS;

    fn read(name: &str, bytes: &[u8], format: Option<InputFormat>) -> Result<Document> {
        let directory = tempfile::tempdir().unwrap_or_else(|error| unreachable!("{error}"));
        let path = directory.path().join(name);
        assert!(std::fs::write(&path, bytes).is_ok());
        Document::read(&path.to_string_lossy(), format, &COLUMNS)
    }

    #[test]
    fn a_file_is_read_by_its_flag_its_ending_or_its_text() {
        let csv = b"\xef\xbb\xbfemail\na@b\n";
        for (name, format) in [("a.txt", None), ("a.CSV", None), ("a.json", Some(InputFormat::Csv))] {
            let document = read(name, csv, format);
            assert!(document.is_ok_and(|document| document.rows.len() == 1 && document.name.ends_with(name)), "{name}");
        }
        // Only of a format that was guessed it is worth saying that another can be named.
        for (name, guessed) in [("a.json", false), ("a", true)] {
            let error = read(name, b"{]", None).err();
            let hint = error.as_ref().and_then(|error| error.hint.as_deref()).unwrap_or_default();
            assert!(!hint.is_empty() && hint.contains("--input-format") == guessed, "{name}: {hint}");
            assert!(error.is_some_and(|error| error.kind == Kind::Invalid && error.details.len() == 1), "{name}");
        }
        assert!(read("a.csv", b"note\nZo\xeb\n", None).is_err_and(|error| error.kind == Kind::Invalid));
        assert!(Document::read("no/such/file.csv", None, &COLUMNS).is_err_and(|error| error.kind == Kind::Usage));
    }
}
