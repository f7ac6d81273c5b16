//! The details of a client as flags or as a JSON file: what `create` and `update` share.

use super::columns::{self, field_of};
use crate::client::{CLIENT_FIELDS, field_problems};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, InputFormat};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A client's details. An empty address or note clears it.
#[derive(Debug, clap::Args)]
pub struct Fields {
    /// First name, at most 255 characters
    #[arg(long, value_name = "TEXT")]
    first_name: Option<String>,
    /// Last name, at most 255 characters
    #[arg(long, value_name = "TEXT")]
    last_name: Option<String>,
    /// Email, which no other client may have
    #[arg(long, value_name = "EMAIL")]
    email: Option<String>,
    /// Company name, at most 255 characters
    #[arg(long, value_name = "TEXT")]
    company_name: Option<String>,
    /// Postal address, at most 2000 characters
    #[arg(long, value_name = "TEXT")]
    address: Option<String>,
    /// Anything worth remembering, at most 5000 characters
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Take the fields from a JSON object in a file, or - for stdin; flags go before it
    #[arg(long, value_name = "FILE|-")]
    from_file: Option<String>,
}

impl Fields {
    /// The fields that were given. `program` begins a command line for a hint.
    ///
    /// # Errors
    /// `Usage` where the file cannot be read, `Invalid` where it is no JSON object.
    pub fn given(&self, program: &str) -> Result<Given> {
        let read = |path| read_object(program, path);
        let mut given = self.from_file.as_deref().map(read).transpose()?.unwrap_or_default();
        let flags = [
            ("first_name", &self.first_name),
            ("last_name", &self.last_name),
            ("email", &self.email),
            ("company_name", &self.company_name),
            ("address", &self.address),
            ("note", &self.note),
        ];
        for (name, value) in flags {
            if let Some(value) = value {
                given.set(name, value.clone(), &format!("--{}", name.replace('_', "-")));
            }
        }
        Ok(given)
    }
}

/// The fields of a client as they were given, and where.
#[derive(Debug, Default)]
pub struct Given {
    /// In the service's names.
    pub fields: Map<String, Value>,
    flags: BTreeMap<&'static str, String>,
    places: BTreeMap<String, String>,
    /// What is wrong with the file.
    problems: Vec<Detail>,
}

impl Given {
    /// Takes a field from a flag, which goes before the file.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>, flag: &str) {
        self.fields.insert(name.into(), value.into());
        self.flags.insert(name, flag.into());
        self.places.remove(name);
    }

    /// Fails with all problems that can be told without the service.
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

    /// Says of each problem where it comes from, and what to do. What was not given can be given by its flag.
    pub fn locate(&self, error: Error) -> Error {
        let flag = |param: &str| self.flags.get(field_of(param)).cloned().or_else(|| flag_of(field_of(param)));
        let error = error.name_flags(flag).name_places(|param| self.places.get(field_of(param)).cloned());
        match error.kind {
            Kind::Invalid => error.or_hint(|| "nothing was changed; mend what is named above and run it again".into()),
            _ => error,
        }
    }
}

/// The fields of one JSON object; a null says as much as an absent field.
fn read_object(program: &str, path: &str) -> Result<Given> {
    let file = Document::read(path, Some(InputFormat::Json), &columns::ONE)?;
    let [row] = &file.rows[..] else {
        return Err(Error::new(Kind::Invalid, format!("{}: expected one JSON object", file.name))
            .hint(format!("nothing was changed; many clients in one file are for: {program} clients apply")));
    };
    let fields: Map<String, Value> = row
        .fields
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let places = fields.keys().map(|name| (name.clone(), file.locate(row.position, Some(name)))).collect();
    Ok(Given { fields, places, problems: file.problems, ..Given::default() })
}

fn flag_of(param: &str) -> Option<String> {
    let known = CLIENT_FIELDS.contains(&param) && param != "site_ids";
    known.then(|| format!("--{}", param.replace('_', "-")))
}
