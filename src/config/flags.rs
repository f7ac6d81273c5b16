//! The global options, as parsed. `settings.rs` resolves them.

use crate::config::{NameOf, Profile};
use clap::ColorChoice;
use std::path::PathBuf;
use std::time::Duration;

/// Global options, accepted before or after the command.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct Flags {
    /// Use this profile [env: SITECTL_PROFILE]
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        alias = "context",
        value_name = "NAME"
    )]
    pub profile: Option<NameOf<Profile>>,

    /// Use this base URL [env: SITECTL_BASE_URL]
    #[arg(long, global = true, hide_short_help = true, value_name = "URL")]
    pub base_url: Option<String>,

    /// Use the embedded sandbox [env: SITECTL_SANDBOX=1]
    #[arg(long, global = true, hide_short_help = true, conflicts_with_all = ["base_url", "profile"])]
    #[cfg_attr(not(feature = "sandbox"), arg(hide = true))]
    pub sandbox: bool,

    /// Trust this PEM file instead of the system's CAs [env: SSL_CERT_FILE]
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE")]
    pub ca_cert: Option<PathBuf>,

    /// Set the output format [env: SITECTL_OUTPUT] [default: table]
    #[arg(
        short,
        long,
        global = true,
        hide_short_help = true,
        alias = "format",
        value_name = "FORMAT"
    )]
    pub output: Option<OutputFormat>,

    /// Print JSON, as with --output json
    #[arg(long, global = true, hide_short_help = true, conflicts_with = "output")]
    pub json: bool,

    /// Print these fields; use dots for nested fields
    #[arg(
        long,
        global = true, hide_short_help = true,
        value_name = "A,B,C",
        value_delimiter = ',',
        value_parser = field_name,
    )]
    pub fields: Vec<NameOf<RecordField>>,

    /// Filter JSON with jq; print strings without quotes
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        value_name = "FILTER",
        allow_hyphen_values = true
    )]
    pub jq: Option<String>,

    /// Print passwords in records instead of ***
    #[arg(long, global = true, hide_short_help = true)]
    pub show_secrets: bool,

    /// Omit the header row of table and csv
    #[arg(long, global = true, hide_short_help = true)]
    pub no_header: bool,

    /// Begin csv with a byte order mark, for Excel
    #[arg(long, global = true, hide_short_help = true)]
    pub bom: bool,

    /// Use color [env: NO_COLOR, CLICOLOR_FORCE, CLICOLOR]
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub color: ColorChoice,

    /// Hide progress, notes and hint lines
    #[arg(short, long, global = true, hide_short_help = true)]
    pub quiet: bool,

    /// Show HTTP requests; -vv adds headers and bodies
    #[arg(short, long, global = true, hide_short_help = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Never prompt; the default without a terminal
    #[arg(long, global = true, hide_short_help = true)]
    pub no_input: bool,

    /// Skip questions, except for a protected name
    #[arg(short, long, global = true, hide_short_help = true)]
    pub yes: bool,

    /// Confirm a protected profile, or its host
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub confirm: Option<NameOf<Profile>>,

    /// Set the timeout of a request
    #[arg(
        long,
        global = true, hide_short_help = true,
        value_name = "DUR",
        default_value = "30s",
        value_parser = positive_duration,
    )]
    pub request_timeout: Duration,

    /// Set the maximum number of retries of a request.
    ///
    /// Waits for the rate limit do not count. 0 also turns off these waits, except while sitectl
    /// watches restores.
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        value_name = "N",
        default_value_t = 4,
        value_parser = whole_number,
    )]
    pub retries: u32,
}

/// The value of `--output`: `table` for people, `json` one value, `ndjson` one object per line,
/// `csv` for spreadsheets, `yaml`, and `ids` one id per line. `output/mod.rs` has their properties.
/// The variants have no docs, because those would lengthen every help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum OutputFormat {
    Table,
    Json,
    Ndjson,
    Csv,
    Yaml,
    Ids,
}

impl OutputFormat {
    /// Whether errors are printed as JSON, and `--jq` can filter the output.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Ndjson)
    }
}

/// A field of a record, as `--fields` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordField;

/// Parses the name of a field, without surrounding spaces.
fn field_name(text: &str) -> Result<NameOf<RecordField>, String> {
    match text.trim() {
        "" => Err("a field name is missing".into()),
        name => Ok(name.to_string().into()),
    }
}

/// Parses a number of retries.
fn whole_number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a whole number".into())
}

/// Parses a duration above zero.
pub fn positive_duration(text: &str) -> Result<Duration, String> {
    match crate::config::duration::parse(text)? {
        Duration::ZERO => Err("must be longer than zero".into()),
        duration => Ok(duration),
    }
}
