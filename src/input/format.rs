//! Detects the format of a file by its extension, or else by its text.

use super::{Columns, InputFormat};
use crate::error::{Error, Result};
use serde::de::IgnoredAny;

impl InputFormat {
    /// Returns the value of `--input-format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Yaml => "yaml",
        }
    }

    /// Returns the format of a path's extension in any letter case; None if the extension is of no
    /// format.
    pub fn from_extension(path: &str) -> Option<Self> {
        let extension = std::path::Path::new(path).extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "ndjson" | "jsonl" => Some(Self::Ndjson),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }

    /// Detects the format of a text. A text of no known format counts as CSV, whose errors list the
    /// columns, if it is empty, is from stdin, or may be a list without a header.
    ///
    /// # Errors
    /// `Usage` if the format of a file cannot be recognized.
    pub fn detect(path: &str, text: &str, columns: &Columns) -> Result<Self> {
        let text = text.trim_start();
        let first_line = super::csv::first_data_line(text, columns);
        if text.starts_with('[') {
            return Ok(Self::Json);
        }
        if text.starts_with('{') {
            // Several lines of NDJSON are not one JSON value.
            if serde_json::from_str::<IgnoredAny>(text).is_ok() {
                return Ok(Self::Json);
            }
            return Ok(Self::Ndjson);
        }
        if super::csv::has_known_heading(first_line, columns) {
            return Ok(Self::Csv);
        }
        if can_begin_yaml(first_line) {
            return Ok(Self::Yaml);
        }
        if text.is_empty() || path == "-" || columns.list.is_some() {
            return Ok(Self::Csv);
        }
        let error = Error::usage(format!("unknown format of '{path}'"));
        Err(error.with_hint("pass its format with --input-format"))
    }
}

/// Whether a line can be the first of a YAML file: a document, a comment, an item, or a field.
fn can_begin_yaml(line: &str) -> bool {
    line.starts_with(['#', '%', '-']) || line.ends_with(':') || line.contains(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::input::tests::COLUMNS;

    #[test]
    fn the_extension_or_else_the_text_decides() {
        let formats =
            ["A.CSV", "a.jsonl", "x.yml", "a.xlsx", "dir.csv/a"].map(InputFormat::from_extension);
        assert_eq!(
            formats,
            [
                Some(InputFormat::Csv),
                Some(InputFormat::Ndjson),
                Some(InputFormat::Yaml),
                None,
                None
            ]
        );
        for (text, format) in [
            (" [{}]", InputFormat::Json),
            ("{\n\"id\": 1}\n", InputFormat::Json),
            ("\n{}\n{}", InputFormat::Ndjson),
            ("\"ID\"; Email\r\n", InputFormat::Csv),
            ("---\n- email: a", InputFormat::Yaml),
            ("# clients\n- email: a", InputFormat::Yaml),
            ("- email: a", InputFormat::Yaml),
            ("%YAML 1.2\n---\n- email: a", InputFormat::Yaml),
            ("note:\n  x", InputFormat::Yaml),
        ] {
            assert!(
                InputFormat::detect("a.txt", text, &COLUMNS)
                    .is_ok_and(|detected| detected == format),
                "{text}"
            );
        }
        let detected = InputFormat::detect("a.txt", "name,mail\n", &COLUMNS);
        assert!(detected.is_err_and(|error| error.kind == Kind::Usage));
    }
}
