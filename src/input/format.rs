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
            "yaml" | "yml" => Some(Self::Yaml),
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
            _ if names_columns(line, columns) => Ok(Self::Csv),
            _ if begins_yaml(line) => Ok(Self::Yaml),
            _ if text.is_empty() || path == "-" => Ok(Self::Csv),
            _ => Err(Error::usage(format!("can't tell the format of {path} by its name or its text"))
                .hint("name it with --input-format")),
        }
    }
}

/// Whether a line may be the first of a CSV file, also of one with another separator.
fn names_columns(line: &str, columns: &Columns) -> bool {
    line.split([',', ';', '\t']).any(|name| columns.allows(name.trim().trim_matches('"')))
}

/// Whether a line may be the first of a YAML file: of a document, a comment, an item or a name with its value.
fn begins_yaml(line: &str) -> bool {
    let name = line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(line.len());
    let (name, rest) = line.split_at(name);
    let value = rest.strip_prefix(':').is_some_and(|value| value.is_empty() || value.starts_with([' ', '\t']));
    line.starts_with(['#', '%'])
        || name == "---"
        || line == "-"
        || line.starts_with("- ")
        || (!name.is_empty() && value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use crate::input::tests::COLUMNS;

    #[test]
    fn endings_count_in_any_case() {
        let told = |path| InputFormat::of_ending(path);
        assert_eq!(
            ["a.csv", "A.CSV", "x.y.Json"].map(told),
            [InputFormat::Csv, InputFormat::Csv, InputFormat::Json].map(Some)
        );
        assert_eq!(["a.ndjson", "a.jsonl"].map(told), [Some(InputFormat::Ndjson); 2]);
        assert_eq!(["a.yml", "a.yaml"].map(told), [Some(InputFormat::Yaml); 2]);
        assert_eq!(["a.xlsx", "csv", ".csv", "-", "dir.csv/a"].map(told), [None; 5]);
    }

    #[test]
    fn texts_tell() {
        for (text, format) in [
            ("\u{feff} [{}]", InputFormat::Json),
            ("\n{}\n{}", InputFormat::Ndjson),
            ("email\na@b", InputFormat::Csv),
            ("\"id\", email\r\n", InputFormat::Csv),
            ("id;email\n", InputFormat::Csv),
            ("---\n- email: a", InputFormat::Yaml),
            ("- email: a", InputFormat::Yaml),
            ("-\n  email: a", InputFormat::Yaml),
            ("# clients\n", InputFormat::Yaml),
            ("email: a", InputFormat::Yaml),
            ("note:\n  x", InputFormat::Yaml),
            (" \r\n", InputFormat::Csv),
        ] {
            assert!(InputFormat::guess("a.txt", text, &COLUMNS).is_ok_and(|told| told == format), "{text}");
        }
    }

    #[test]
    fn what_tells_nothing() {
        let told = InputFormat::guess("a.txt", "name,mail\n", &COLUMNS);
        assert!(
            told.is_err_and(
                |error| error.kind == Kind::Usage && error.hint.iter().any(|h| h.contains("--input-format"))
            )
        );
        assert!(InputFormat::guess("-", "name,mail\n", &COLUMNS).is_ok_and(|told| told == InputFormat::Csv));
    }
}
