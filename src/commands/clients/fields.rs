//! Reads the fields of a client from flags or a JSON file, for `create` and `update`.

use super::changes::{Changed, Changes};
use super::columns::{self, field_of, known_fields};
use super::moving;
use crate::client::field_problems;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, InputFormat};
use crate::output;
use crate::resources::{CLIENTS, Field, Input, ValueKind};
use clap::{Arg, ArgMatches, Command, FromArgMatches, ValueHint};
use serde_json::{Map, Value};

/// A client's details: one flag per field that can be set. An empty address or note clears it.
#[derive(Debug)]
pub struct Fields(ArgMatches);

/// Returns the fields with one flag each; sites have several flags.
fn flags() -> impl Iterator<Item = (&'static Field, &'static Input)> {
    CLIENTS
        .inputs()
        .filter(|(_, input)| input.format != ValueKind::Ids)
}

impl FromArgMatches for Fields {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Fields {
    fn augment_args(command: Command) -> Command {
        let flag = |(field, input): (&'static Field, &'static Input)| {
            let value = if input.format == ValueKind::Email {
                "EMAIL"
            } else {
                "TEXT"
            };
            Arg::new(field.name)
                .long(field.flag_name())
                .value_name(value)
                .help(input.help())
        };
        let help = "Read fields from a JSON object; - reads stdin; flags override it";
        command.args(flags().map(flag)).arg(
            Arg::new("from_file")
                .long("from-file")
                .value_name("FILE|-")
                .value_hint(ValueHint::FilePath)
                .help(help),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Fields {
    /// Returns the given fields.
    ///
    /// # Errors
    /// `Usage` if the file cannot be read, `Invalid` if it is not a JSON object.
    pub fn given(&self) -> Result<Given> {
        let text = |id| self.0.get_one::<String>(id);
        let mut given = text("from_file")
            .map(|path| read_object(path))
            .transpose()?
            .unwrap_or_default();
        let values = flags()
            .filter_map(|(field, _)| Some((field.name.into(), text(field.name)?.clone().into())));
        given.fields.extend(values);
        Ok(given)
    }
}

/// The given fields of a client, and where they come from.
#[derive(Debug, Default)]
pub struct Given {
    /// In the service's names.
    pub fields: Map<String, Value>,
    sites_flag: Option<&'static str>,
    file: Option<Document>,
}

impl Given {
    /// Sets the sites from a flag, which overrides the file.
    pub fn set_sites(&mut self, sites: Vec<String>, flag: &'static str) {
        self.fields.insert("site_ids".into(), sites.into());
        self.sites_flag = Some(flag);
    }

    /// Fails with all problems that need no request.
    ///
    /// # Errors
    /// `Invalid`, each problem with its flag or place.
    pub fn check(&self, is_new: bool) -> Result<()> {
        let of_file = self.file.iter().flat_map(Document::all_problems).cloned();
        let details: Vec<Detail> = of_file
            .chain(field_problems(&self.fields, is_new))
            .collect();
        if details.is_empty() {
            return Ok(());
        }
        Err(self.locate(Error::new(Kind::Invalid, "Invalid parameters.").with_details(details)))
    }

    /// Adds the flag or the place of each problem, and a hint. A missing field has the name of its flag.
    fn locate(&self, error: Error) -> Error {
        let flag = |param: &str| match field_of(param) {
            "site_ids" => self.sites_flag.map(Into::into),
            field => flags()
                .find(|(known, _)| known.name == field)
                .map(|(known, _)| format!("--{}", known.flag_name())),
        };
        let place = |param: &str| {
            let (file, field) = (self.file.as_ref()?, field_of(param));
            let row = file.rows.first().filter(|row| {
                row.value(field)
                    .is_some_and(|value| self.fields.get(field) == Some(value))
            });
            row.map(|row| file.locate(row.position, Some(field)))
        };
        let error = error.with_flags(flag).with_positions(place);
        match error.kind {
            Kind::Invalid => error.with_fallback_hint(|| {
                "No changes were made. Fix the values above and retry.".into()
            }),
            _ => error,
        }
    }

    /// Prints a client that was created or updated. `name` and `id` are the client's, if it existed.
    ///
    /// # Errors
    /// The error of the change, or of a value that the service did not keep.
    pub async fn print(
        &self,
        changes: Changes<'_>,
        done: &str,
        changed: Result<Changed>,
        client: (&str, Option<&str>),
    ) -> Result<()> {
        let Changed { client, kept } = match changed {
            Err(error) => {
                return Err(
                    self.locate(moving::with_owners(changes, error, &self.fields, client).await)
                );
            }
            Ok(changed) => changed,
        };
        let printed = output::print_record(&client, changes.context.output_options());
        kept.map_err(|error| self.locate(error)).and(
            printed.map_err(|error| error.prefix_hint(&format!("the client was {done} anyway"))),
        )
    }
}

/// Reads the fields of one JSON object; null means absent.
fn read_object(path: &str) -> Result<Given> {
    let file = Document::read(path, Some(InputFormat::Json), &columns::ONE)?;
    let [row] = &file.rows[..] else {
        return Err(Error::new(
            Kind::Invalid,
            format!("{}: expected one JSON object", file.name),
        )
        .with_hint(
            "No changes were made. Apply a file of many clients: sitectl clients apply FILE",
        ));
    };
    Ok(Given {
        fields: known_fields(row),
        file: Some(file),
        ..Given::default()
    })
}
