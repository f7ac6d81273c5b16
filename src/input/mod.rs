//! Files that a person or another program wrote: rows of named values, each with the place where it stands.

#[cfg(test)]
mod any_text;
mod csv;
mod document;
mod excerpt;
mod failed_rows;
mod format;
mod json;
mod json_text;
mod ndjson;
mod place;
mod reading;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;
mod text;
mod yaml;

pub use document::{Document, Row};
pub use failed_rows::FailedRows;
pub use json_text::read_json;
pub use text::read_text;

/// The format of a file of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum InputFormat {
    /// A line that names the columns, then a row a line
    Csv,
    /// An array of objects, or one object
    Json,
    /// A JSON object a line
    Ndjson,
    /// A sequence of mappings, or one mapping
    Yaml,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// One value.
    Text,
    /// A list: in CSV with semicolons between its items, or a JSON array.
    List,
}

/// The columns that a file may have.
#[derive(Debug, Clone, Copy)]
pub struct Columns {
    /// Those that are read.
    pub known: &'static [(&'static str, ColumnKind)],
    /// Those that may be there and say nothing.
    pub ignored: &'static [&'static str],
    /// Whether others are read too, for the caller to judge.
    pub open: bool,
}

impl Columns {
    /// The column of this name, of those that are read.
    pub fn find(&self, name: &str) -> Option<(&'static str, ColumnKind)> {
        self.known.iter().find(|(known, _)| *known == name).copied()
    }

    /// Whether a file may have it.
    pub fn allows(&self, name: &str) -> bool {
        self.find(name).is_some() || self.ignored.contains(&name)
    }
}
