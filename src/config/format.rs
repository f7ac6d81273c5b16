//! The shapes that output can take.

/// The value of `--output`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Columns for people
    Table,
    /// One JSON value
    Json,
    /// One JSON object a line
    Ndjson,
    /// One id a line
    Ids,
}

impl Format {
    /// Whether errors are JSON objects too.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Ndjson)
    }
}
