//! The shapes that output can take.

/// The value of `--output`: `table` for people, `json` one value, `ndjson` one object a line, `csv` for spreadsheets,
/// `yaml`, and `ids` one id a line. The variants carry no docs of their own, which would stretch every command's help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Table,
    Json,
    Ndjson,
    Csv,
    Yaml,
    Ids,
}

impl Format {
    /// Whether errors are JSON objects too.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Ndjson)
    }
}
