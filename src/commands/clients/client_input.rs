//! Reads the fields of a client from flags or a JSON file, for `create` and `update`.

use super::changes::ChangedClient;
use super::columns::{APPLY_COLUMNS, field_of_error_param, settable_fields};
use super::compare::is_same_value;
use super::moving::INVALID_ID;
use crate::client::{ClientChange, field_problems};
use crate::commands::context::Context;
use crate::commands::find_clients::sites_or_email;
use crate::commands::find_sites::AccountSites;
use crate::commands::finish_change;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, InputFormat, read_text};
use crate::passwords::refuse_hidden_passwords;
use crate::resources::{CLIENTS, Field, FieldInput, Record, ValueKind, scalar_text};
use crate::terminal::Ui;
use clap::{Arg, ArgMatches, Command, FromArgMatches, ValueHint};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashSet};

/// The flags of `create` and `update`: one per field, and `--from-file`. clap gets them from the
/// declaration of the fields. An empty address or note clears the field.
#[derive(Debug)]
pub struct FieldArgs(ArgMatches);

/// Returns the fields that have one flag each: all except the sites, which have several.
fn fields_with_flag() -> impl Iterator<Item = (&'static Field, &'static FieldInput)> {
    CLIENTS
        .inputs()
        .filter(|(_, input)| input.kind != ValueKind::Ids)
}

impl FromArgMatches for FieldArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for FieldArgs {
    fn augment_args(mut command: Command) -> Command {
        for (field, input) in fields_with_flag() {
            let value_name = if input.kind == ValueKind::Email {
                "EMAIL"
            } else {
                "TEXT"
            };
            command = command.arg(
                Arg::new(field.name)
                    .long(field.flag_name())
                    .value_name(value_name)
                    .help(input.help()),
            );
        }
        command.arg(
            Arg::new("from_file")
                .long("from-file")
                .value_name("FILE|-")
                .value_hint(ValueHint::FilePath)
                .help("Read fields from a JSON file, or - for stdin; flags override text fields"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The fields of a client from flags and a file, and their sources for messages.
#[derive(Debug, Default)]
pub struct ClientInput {
    /// The fields, in the service's names.
    pub fields: Map<String, Value>,
    /// The id in the file, if any.
    id: Option<String>,
    /// The flag that set `site_ids`, if any.
    sites_flag: Option<&'static str>,
    file: Option<Document>,
}

impl ClientInput {
    /// Returns the fields of the file and of the flags, which override the file.
    ///
    /// # Errors
    /// `Usage` if the file cannot be read, `Invalid` if it is not a JSON object.
    pub fn from_args(args: &FieldArgs, ui: &Ui) -> Result<Self> {
        let text = |id| args.0.get_one::<String>(id);
        let mut input = match text("from_file") {
            Some(path) => {
                ui.reads_input(path);
                Self::from_file(path)?
            }
            None => Self::default(),
        };
        for (field, _) in fields_with_flag() {
            if let Some(value) = text(field.name) {
                input.fields.insert(field.name.into(), value.clone().into());
            }
        }
        Ok(input)
    }

    /// Reads the fields of one JSON object; null means absent.
    fn from_file(path: &str) -> Result<Self> {
        let hint = "pass a file with one JSON object; for CSV or several clients: \
                    sitectl clients apply FILE";
        let (text, name) = read_text(path)?;
        refuse_hidden_passwords(&text)?;
        let file = Document::parse(name, &text, InputFormat::Json, &APPLY_COLUMNS)
            .map_err(|error| error.without_hints().with_hint(hint))?;
        let [row] = &file.rows[..] else {
            let message = format!("{name}: expected one JSON object");
            let error = Error::new(Kind::Invalid, message).without_changes();
            return Err(error.with_hint(hint));
        };
        Ok(Self {
            fields: settable_fields(row),
            id: row
                .value("id")
                .map(|id| scalar_text(id).unwrap_or_else(|| id.to_string())),
            file: Some(file),
            sites_flag: None,
        })
    }

    /// Returns the email, or an empty text without one.
    pub fn email(&self) -> &str {
        let email = self.fields.get("email").and_then(Value::as_str);
        email.unwrap_or_default()
    }

    /// Returns the sites that the client is to have.
    pub fn sites(&self) -> BTreeSet<String> {
        let sites = self.fields.get("site_ids").map(sites_or_email);
        sites.unwrap_or_default()
    }

    /// Replaces the addresses of sites of the file by their ids.
    ///
    /// # Errors
    /// `Invalid` with each address of no site.
    pub fn find_sites(&mut self, sites: Option<&AccountSites>) -> Result<()> {
        let errors = AccountSites::find_in_fields(sites, &mut self.fields).into_iter();
        let details = errors.map(|error| Detail::new(INVALID_ID, "site_ids", &*error.message));
        self.refuse(details.collect())
    }

    /// Sets the sites, each once, from a flag, which overrides the file.
    pub fn set_sites(&mut self, mut sites: Vec<String>, flag: &'static str) {
        let mut seen = HashSet::new();
        sites.retain(|site| seen.insert(site.clone()));
        self.fields.insert("site_ids".into(), sites.into());
        self.sites_flag = Some(flag);
    }

    /// Fails with all problems that can be found without a request. A new client must have the
    /// required fields.
    ///
    /// # Errors
    /// `Invalid`, each problem with its flag or position.
    pub fn fail_if_invalid(&self, change: ClientChange) -> Result<()> {
        let file_problems = self.file.iter().flat_map(|file| &file.problems);
        let mut details: Vec<Detail> = file_problems
            .map(|problem| problem.detail.clone())
            .collect();
        let is_new = change == ClientChange::Create;
        if is_new {
            details.extend(self.unknown_fields().cloned());
        }
        details.extend(field_problems(&self.fields, change));
        if is_new && let Some(id) = &self.id {
            let message = format!("Is '{id}'; remove the id to create a client");
            details.push(Detail::new(INVALID_ID, "id", message));
        }
        self.refuse(details)
    }

    /// Fails if there are problems.
    ///
    /// # Errors
    /// `Invalid`, each problem with its flag or position.
    fn refuse(&self, details: Vec<Detail>) -> Result<()> {
        if details.is_empty() {
            return Ok(());
        }
        Err(self.with_sources(invalid_values(details)))
    }

    /// Returns a problem for each field of the file that sitectl does not know. An update may
    /// repeat the value of the client.
    fn unknown_fields(&self) -> impl Iterator<Item = &Detail> {
        let files = self.file.iter();
        files.flat_map(|file| &file.unknown_column_problems)
    }

    pub fn has_unknown_fields(&self) -> bool {
        self.unknown_fields().next().is_some()
    }

    /// Refuses the unknown fields whose value is not that of the client.
    ///
    /// # Errors
    /// `Invalid`, each field with its position.
    pub fn require_unknown_fields_of(&self, client: &Record) -> Result<()> {
        let row = self.file.iter().flat_map(|file| &file.rows).next();
        let mut details = Vec::new();
        for unknown in self.unknown_fields() {
            let value = row.and_then(|row| row.value(&unknown.param));
            let stored = client.value(&unknown.param).unwrap_or_default();
            if value.is_some_and(|value| !is_same_value(&unknown.param, &stored, value)) {
                details.push(unknown.clone());
            }
        }
        self.refuse(details)
    }

    /// Refuses a file with the id of another client than this one.
    ///
    /// # Errors
    /// `Invalid` with the position of the id.
    pub fn require_id(&self, id: &str) -> Result<()> {
        match &self.id {
            Some(other) if other != id => {
                let message = format!("Is '{other}', but the client to update is '{id}'");
                self.refuse(vec![Detail::new(INVALID_ID, "id", message)])
            }
            _ => Ok(()),
        }
    }

    /// Adds the flag and the position of each detail, and a hint to an `Invalid` error.
    pub fn with_sources(&self, error: Error) -> Error {
        let error = error
            .with_flags(|param| self.flag_of(param))
            .with_positions(|param| self.position_of(param));
        if error.kind != Kind::Invalid || !error.hints.is_empty() {
            return error;
        }
        let error = match error.status {
            Some(_) => error.without_changes(),
            None => error,
        };
        error.with_hint("fix the values above and retry")
    }

    /// Returns the flag of a field, also if the field is missing or from the file: it can set the
    /// field.
    fn flag_of(&self, param: &str) -> Option<String> {
        let name = field_of_error_param(param);
        if name == "site_ids" {
            return self.sites_flag.map(Into::into);
        }
        let (field, _) = fields_with_flag().find(|(field, _)| field.name == name)?;
        Some(format!("--{}", field.flag_name()))
    }

    /// Returns the position of a field's value, if it is from the file.
    fn position_of(&self, param: &str) -> Option<String> {
        let file = self.file.as_ref()?;
        let row = file.rows.first()?;
        let name = field_of_error_param(param);
        let value = row.value(name)?;
        if !matches!(name, "id" | "site_ids") && self.fields.get(name) != Some(value) {
            return None;
        }
        Some(file.locate(row.position, name))
    }

    /// Prints a client that was created or updated, or returns the error of the change. `done` is
    /// `created` or `updated`.
    ///
    /// # Errors
    /// The error of the change, or of a value that the service did not store.
    pub fn print_changed(
        &self,
        context: &Context,
        done: &str,
        changed: Result<ChangedClient>,
    ) -> Result<()> {
        let changed = changed.map_err(|error| self.with_sources(error))?;
        let printed = context.output().print_record(&changed.client);
        let outcome = changed.all_values_stored;
        let outcome = outcome.map_err(|error| self.with_sources(error));
        finish_change(Some(format!("the client was {done}")), outcome, printed)
    }
}

/// Returns the error of values that cannot be sent.
pub fn invalid_values(details: Vec<Detail>) -> Error {
    let error = Error::new(Kind::Invalid, "invalid values").without_changes();
    error.with_details(details)
}
