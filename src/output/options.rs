//! The options that apply to every output format, and the properties that each format has.

use super::fields::find_value;
use super::jq::{Filter, JqInput};
use super::sink::{Escape, PrintedKind, Sink};
use crate::config::Flags;
use crate::error::{Error, Result};
use crate::resources::{Record, Table, allowed_hint};
use crate::terminal::Ui;
use std::sync::Arc;

/// The properties of an output format. No property has a default, so that no format forgets one.
pub struct FormatProperties {
    pub audience: Audience,
    pub layout: Layout,
    /// The input of `--jq`, if the format supports it.
    pub jq_input: Option<JqInput>,
    /// Whether a record that is watched is printed again each time it changes.
    pub prints_events: bool,
    /// Escapes text on a terminal. In a pipe, only what the sink itself escapes is escaped.
    pub escape: Escape,
    pub new_sink: fn(PrintedKind, &Output) -> Box<dyn Sink>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// They see the declared columns, or else the fields that can be shown without JSON.
    People,
    /// They receive every field and value.
    Programs,
}

/// How a format lays out a record or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// As the JSON of the response, unchanged.
    Json,
    /// As a value that keeps its structure.
    Structured,
    /// As a row of fields; a value without fields becomes the field `value`.
    Columns,
    /// As its id.
    Ids,
}

/// How this invocation prints results.
pub struct Output {
    pub format: FormatProperties,
    pub no_header: bool,
    pub bom: bool,
    /// The names in `--fields`; None without the flag.
    pub fields: Option<Arc<[String]>>,
    /// The filter of `--jq`; None without the flag.
    pub filter: Option<Arc<Filter>>,
    pub ui: Ui,
}

impl Output {
    pub fn new(flags: &Flags, format: FormatProperties, ui: &Ui) -> Result<Self> {
        let names = &flags.fields;
        if !names.is_empty() && format.layout == Layout::Ids {
            return Err(Error::usage("--fields cannot be combined with -o ids")
                .with_hint("print fields without a header: -o csv --no-header"));
        }
        for (index, name) in names.iter().enumerate() {
            if names[..index].contains(name) {
                return Err(Error::usage(format!("--fields contains '{name}' twice"))
                    .with_hint("specify each field once"));
            }
        }
        let filter = flags.jq.as_deref().map(Filter::compile).transpose()?;
        Ok(Self {
            format,
            no_header: flags.no_header,
            bom: flags.bom,
            fields: (!names.is_empty()).then(|| names.iter().map(ToString::to_string).collect()),
            filter: filter.map(Arc::new),
            ui: ui.clone(),
        })
    }

    /// Checks that each name in `--fields` is a field of the table, or of one of `records`,
    /// which the service has sent: a service may have fields that the spec does not define.
    ///
    /// # Errors
    /// `Usage` with each field that neither has.
    pub fn check_fields(&self, table: &Table, records: &[Record]) -> Result<()> {
        let mut specified: Vec<&str> = table.record_fields().collect();
        if self.format.layout == Layout::Columns {
            specified.extend(table.added_columns());
        }
        let mut errors = Vec::new();
        for name in self.fields.iter().flat_map(|names| names.iter()) {
            let is_specified = specified.contains(&name.split('.').next().unwrap_or(name));
            let mut records = records.iter();
            if !is_specified && !records.any(|record| find_value(&record.members(), name).is_some())
            {
                let plural = table.plural;
                let error = Error::usage(format!("--fields: {plural} have no field '{name}'"));
                errors.push(error.with_hint(allowed_hint(name, &specified)));
            }
        }
        Error::combine(errors).map_or(Ok(()), Err)
    }

    /// Whether a response is printed unchanged, and not record by record.
    pub fn prints_unchanged(&self) -> bool {
        self.format.layout == Layout::Json && self.fields.is_none()
    }

    /// Whether a result is printed as text for people. With `--fields` it is a table, because
    /// sentences have no fields.
    pub fn is_for_people(&self) -> bool {
        self.format.audience == Audience::People && self.fields.is_none()
    }

    /// Whether a list is printed as rows that commands can read again.
    pub fn prints_rows_for_programs(&self) -> bool {
        self.format.layout == Layout::Columns && self.format.audience == Audience::Programs
    }

    /// Whether only ids are printed.
    pub fn prints_ids(&self) -> bool {
        self.format.layout == Layout::Ids
    }

    /// Whether a result is printed as a value that keeps its structure.
    pub fn is_structured(&self) -> bool {
        matches!(self.format.layout, Layout::Json | Layout::Structured)
    }

    /// Whether a record is printed again each time it changes.
    pub fn prints_events(&self) -> bool {
        self.format.prints_events
    }

    /// Whether each record must be an object, so that another value becomes the field `value`.
    pub fn needs_fields(&self) -> bool {
        self.fields.is_some() || self.format.layout == Layout::Columns
    }

    /// Whether rows may be printed before the list is complete: a table needs all rows.
    pub fn streams(&self) -> bool {
        self.format.audience == Audience::Programs
    }

    /// Returns the escaping of the format for a terminal, and none for a pipe or a file.
    pub fn escape(&self) -> Escape {
        if self.ui.stdout_terminal {
            self.format.escape
        } else {
            |text| text.into()
        }
    }
}
