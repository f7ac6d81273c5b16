//! Reads the fields of a client from flags or a JSON file, for `create` and `update`.

use super::changes::Changed;
use super::columns::{self, field_of};
use crate::client::field_problems;
use crate::commands::context::Context;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, InputFormat};
use crate::output;
use crate::resources::{CLIENTS, Field, Format, Input};
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A client's details: one flag per field that can be set. An empty address or note clears it.
#[derive(Debug)]
pub struct Fields {
    values: Vec<(&'static Field, String)>,
    from_file: Option<String>,
}

/// Returns the fields with one flag each; sites have several flags.
fn flags() -> impl Iterator<Item = (&'static Field, &'static Input)> {
    CLIENTS.inputs().filter(|(_, input)| input.format != Format::Ids)
}

impl FromArgMatches for Fields {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let text = |id: &str| matches.get_one::<String>(id).cloned();
        let values = flags().filter_map(|(field, _)| text(field.name).map(|value| (field, value))).collect();
        Ok(Self { values, from_file: text("from_file") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Fields {
    fn augment_args(command: Command) -> Command {
        let flag = |(field, input): (&'static Field, &'static Input)| {
            let value = if input.format == Format::Email { "EMAIL" } else { "TEXT" };
            Arg::new(field.name).long(field.flag()).value_name(value).help(input.help())
        };
        let help = "Read fields from a JSON object; - reads stdin; flags override it";
        command.args(flags().map(flag)).arg(Arg::new("from_file").long("from-file").value_name("FILE|-").help(help))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Fields {
    /// Returns the given fields. `program` begins a command line in a hint.
    ///
    /// # Errors
    /// `Usage` if the file cannot be read, `Invalid` if it is not a JSON object.
    pub fn given(&self, program: &str) -> Result<Given> {
        let read = |path| read_object(program, path);
        let mut given = self.from_file.as_deref().map(read).transpose()?.unwrap_or_default();
        for (field, value) in &self.values {
            given.set(field.name, value.clone(), &format!("--{}", field.flag()));
        }
        Ok(given)
    }
}

/// The given fields of a client, and where they come from.
#[derive(Debug, Default)]
pub struct Given {
    /// In the service's names.
    pub fields: Map<String, Value>,
    flags: BTreeMap<&'static str, String>,
    places: BTreeMap<String, String>,
    /// The problems of the file.
    problems: Vec<Detail>,
}

impl Given {
    /// Sets a field from a flag, which overrides the file.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>, flag: &str) {
        self.fields.insert(name.into(), value.into());
        self.flags.insert(name, flag.into());
        self.places.remove(name);
    }

    /// Fails with all problems that need no request.
    ///
    /// # Errors
    /// `Invalid`, each problem with its flag or place.
    pub fn check(&self, required: &[&str]) -> Result<()> {
        let details = [self.problems.clone(), field_problems(&self.fields, required)].concat();
        match details.is_empty() {
            true => Ok(()),
            false => Err(self.locate(Error::new(Kind::Invalid, "Invalid parameters.").details(details))),
        }
    }

    /// Adds the flag or the place of each problem, and a hint. A missing field has the name of its flag.
    pub fn locate(&self, error: Error) -> Error {
        let flag = |param: &str| self.flags.get(field_of(param)).cloned().or_else(|| flag_of(field_of(param)));
        let error = error.name_flags(flag).name_places(|param| self.places.get(field_of(param)).cloned());
        match error.kind {
            Kind::Invalid => error.or_hint(|| "No changes were made. Fix the values above and retry.".into()),
            _ => error,
        }
    }

    /// Prints a client that was created or updated.
    ///
    /// # Errors
    /// The error of the change, or of a value that the service did not keep.
    pub fn print(&self, context: &Context, done: &str, changed: Result<Changed>) -> Result<()> {
        let Changed { client, kept } = changed.map_err(|error| self.locate(error))?;
        let printed = output::record(&client, context.shape());
        kept.map_err(|error| self.locate(error))
            .and(printed.map_err(|error| error.hint_first(&format!("the client was {done} anyway"))))
    }
}

/// Reads the fields of one JSON object; null means absent.
fn read_object(program: &str, path: &str) -> Result<Given> {
    let file = Document::read(path, Some(InputFormat::Json), &columns::ONE)?;
    let [row] = &file.rows[..] else {
        return Err(Error::new(Kind::Invalid, format!("{}: expected one JSON object", file.name))
            .hint(format!("No changes were made. Apply a file of many clients: {program} clients apply FILE")));
    };
    let fields: Map<String, Value> = row
        .fields
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let places = fields.keys().map(|name| (name.clone(), file.locate(row.position, Some(name)))).collect();
    let problems = file.problems.into_iter().map(|(_, problem)| problem).chain(file.unknown).collect();
    Ok(Given { fields, places, problems, ..Given::default() })
}

fn flag_of(param: &str) -> Option<String> {
    flags().find(|(field, _)| field.name == param).map(|(field, _)| format!("--{}", field.flag()))
}
