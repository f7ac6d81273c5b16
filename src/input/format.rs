//! Detects the format of a file by its extension, or else by its text.

use super::{Columns, InputFormat};
use crate::error::{Error, Result};
use serde::de::IgnoredAny;

impl InputFormat {
    /// Returns the format of a path's extension in any letter case; None if the extension is of no
    /// format.
    ///
    /// # Errors
    /// `Usage` if the extension is of YAML, which other formats could be read from.
    pub fn from_extension(path: &str) -> Result<Option<Self>> {
        let extension = std::path::Path::new(path).extension();
        let extension = extension.unwrap_or_default().to_ascii_lowercase();
        Ok(match extension.to_str() {
            Some("csv") => Some(Self::Csv),
            Some("json") => Some(Self::Json),
            Some("ndjson" | "jsonl") => Some(Self::Ndjson),
            Some("yaml" | "yml") => {
                let error = Error::usage(format!("unknown format of '{path}'"));
                return Err(error.with_hint("use csv, json or ndjson"));
            }
            _ => None,
        })
    }

    /// Detects the format of a text. A text of no known format counts as CSV, whose errors list the
    /// columns, if it is from stdin, or may be a list without a header.
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
        if path == "-" || columns.list.is_some() {
            return Ok(Self::Csv);
        }
        let error = Error::usage(format!("unknown format of '{path}'"));
        Err(error.with_hint("pass its format with --input-format"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::input::tests::COLUMNS;

    #[test]
    fn the_extension_or_else_the_text_decides() {
        for (path, format) in [
            ("A.CSV", Some(InputFormat::Csv)),
            ("a.jsonl", Some(InputFormat::Ndjson)),
            ("a.xlsx", None),
            ("dir.csv/a", None),
        ] {
            let found = InputFormat::from_extension(path);
            assert!(found.is_ok_and(|found| found == format), "{path}");
        }
        for path in ["a.yaml", "a.YML"] {
            let refused = InputFormat::from_extension(path);
            assert!(refused.is_err_and(|error| error.kind == Kind::Usage));
        }
        for (text, format) in [
            (" [{}]", InputFormat::Json),
            ("{\n\"id\": 1}\n", InputFormat::Json),
            ("\n{}\n{}", InputFormat::Ndjson),
            ("\"ID\"; Email\r\n", InputFormat::Csv),
        ] {
            assert!(
                InputFormat::detect("a.txt", text, &COLUMNS)
                    .is_ok_and(|detected| detected == format),
                "{text}"
            );
        }
        for text in ["name,mail\n", "- email: a"] {
            let detected = InputFormat::detect("a.txt", text, &COLUMNS);
            assert!(detected.is_err_and(|error| error.kind == Kind::Usage));
        }
    }
}
