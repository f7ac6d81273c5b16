//! Which format a file has, where nobody said so: its ending tells, else what it begins with.

use super::{Columns, InputFormat, text::MARK};
use crate::error::{Error, Result};

impl InputFormat {
    /// By the ending of a file's name, in any case.
    pub fn of_ending(path: &str) -> Option<Self> {
        let ending = std::path::Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "ndjson" | "jsonl" => Some(Self::Ndjson),
            _ => None,
        }
    }

    /// By its text. What can't be told from stdin is taken for CSV, whose errors say what columns there are.
    ///
    /// # Errors
    /// `Usage` where the text of a file can't be told.
    pub fn guess(path: &str, text: &str, columns: &Columns) -> Result<Self> {
        let text = text.trim_start_matches(MARK).trim_start();
        let line = text.lines().next().unwrap_or_default();
        match text.as_bytes().first() {
            Some(b'[') => Ok(Self::Json),
            Some(b'{') => Ok(Self::Ndjson),
            _ if text.is_empty() || path == "-" || names_columns(line, columns) => Ok(Self::Csv),
            _ => Err(Error::usage(format!("can't tell the format of {path} by its name or its text"))
                .hint("name it with --input-format")),
        }
    }
}

/// Whether a line may be the first of a CSV file, also of one with another separator.
fn names_columns(line: &str, columns: &Columns) -> bool {
    line.split([',', ';', '\t']).any(|name| columns.allows(name.trim().trim_matches('"')))
}
