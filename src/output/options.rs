//! The options that apply to every output format.

use super::fields::find;
use super::jq::Filter;
use crate::config::{Flags, OutputFormat};
use crate::error::{Error, Result};
use crate::resources::{Record, Resource, allowed_hint};
use crate::terminal::{Ui, visible_json, visible_lines};
use std::borrow::Cow;
use std::sync::Arc;

/// Makes text safe to print.
pub type Escape = fn(&str) -> Cow<'_, str>;

/// The options of the output.
pub struct OutputOptions {
    pub(super) format: OutputFormat,
    pub(super) no_header: bool,
    /// `--fields`
    pub(super) fields: Option<Arc<[String]>>,
    /// `--jq`
    pub(super) filter: Option<Arc<Filter>>,
    pub(super) ui: Ui,
}

impl OutputOptions {
    /// Returns the options of this invocation.
    ///
    /// # Errors
    /// `Usage` if the filter or a field is invalid.
    pub fn new(flags: &Flags, format: OutputFormat, ui: &Ui) -> Result<Self> {
        let names = &flags.fields;
        if !names.is_empty() && format == OutputFormat::Ids {
            let refused = Error::usage("--fields cannot be combined with -o ids");
            return Err(refused.with_hint("print fields without a header: -o csv --no-header"));
        }
        if let Some((_, name)) = names
            .iter()
            .enumerate()
            .find(|(place, name)| names[..*place].contains(name))
        {
            return Err(Error::usage(format!("--fields contains '{name}' twice"))
                .with_hint("specify each field once"));
        }
        let filter = flags
            .jq
            .as_deref()
            .map(Filter::compile)
            .transpose()?
            .map(Arc::new);
        let fields = (!names.is_empty()).then(|| names.iter().map(ToString::to_string).collect());
        Ok(Self {
            format,
            no_header: flags.no_header,
            fields,
            filter,
            ui: ui.clone(),
        })
    }

    /// Checks `--fields` against a resource whose fields the spec shows. A service may have fields of its own: `records` are
    /// some that it sent.
    ///
    /// # Errors
    /// `Usage` with each field that is neither specified nor in one of the records.
    pub fn check_fields(&self, resource: &Resource, records: &[Record]) -> Result<()> {
        let specified: Vec<&str> = resource.record_fields().collect();
        let is_specified = |name: &str| specified.contains(&name.split('.').next().unwrap_or(name));
        let is_sent = |name: &str| {
            records
                .iter()
                .any(|record| find(&record.members(), name).is_some())
        };
        let problem = |name: &String| {
            Error::usage(format!(
                "--fields: {} have no field '{name}'",
                resource.plural
            ))
            .with_hint(allowed_hint(name, &specified))
        };
        let names = self.fields.iter().flat_map(|names| names.iter());
        let unknown = names.filter(|name| !is_specified(name) && !is_sent(name));
        Error::combine(unknown.map(problem).collect()).map_or(Ok(()), Err)
    }

    /// Whether a response is printed unchanged, and not record by record.
    pub fn is_whole(&self) -> bool {
        self.format == OutputFormat::Json && self.fields.is_none()
    }

    /// Whether a result is printed as a table of all or the most important fields.
    pub fn is_for_people(&self) -> bool {
        self.format == OutputFormat::Table && self.fields.is_none()
    }

    /// Whether a result is printed as data, and not as text for people.
    pub fn is_value(&self) -> bool {
        matches!(
            self.format,
            OutputFormat::Json | OutputFormat::Ndjson | OutputFormat::Yaml
        )
    }

    /// Whether a row has fields, so that a single value needs a name.
    pub(super) fn needs_fields(&self) -> bool {
        self.fields.is_some() || matches!(self.format, OutputFormat::Table | OutputFormat::Csv)
    }

    /// Returns how text is escaped for a terminal. A table escapes each cell itself, also in a pipe.
    pub(super) fn escape(&self) -> Escape {
        match self.format {
            _ if !self.ui.stdout_terminal => |text| text.into(),
            OutputFormat::Table => |text| text.into(),
            OutputFormat::Json | OutputFormat::Ndjson => visible_json,
            OutputFormat::Csv | OutputFormat::Yaml | OutputFormat::Ids => visible_lines,
        }
    }
}
