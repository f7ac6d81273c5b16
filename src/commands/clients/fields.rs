//! The details of a client as flags or as a JSON file: what `create` and `update` share.

use crate::error::{Error, Kind, Result};
use crate::input::read_text;
use serde_json::{Map, Value};

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
    /// The fields that were given, in the service's names.
    ///
    /// # Errors
    /// `Usage` where the file cannot be read, `Invalid` where it is no JSON object.
    pub fn given(&self) -> Result<Map<String, Value>> {
        let mut fields = self.from_file.as_deref().map(read_object).transpose()?.unwrap_or_default();
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
                fields.insert(name.into(), Value::String(value.clone()));
            }
        }
        Ok(fields)
    }
}

/// A null says as much as an absent field.
fn read_object(path: &str) -> Result<Map<String, Value>> {
    let (text, name) = read_text(path)?;
    match serde_json::from_str(&text) {
        Ok(Value::Object(fields)) => Ok(fields.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        Ok(_) => Err(Error::new(Kind::Invalid, format!("{name}: expected one JSON object"))),
        Err(error) => Err(Error::new(Kind::Invalid, format!("{name}: not JSON: {error}"))),
    }
}

/// The flag that a field of the service was typed as.
pub fn flag_of(param: &str) -> Option<String> {
    let known = crate::api::CLIENT_FIELDS.contains(&param) && param != "site_ids";
    known.then(|| format!("--{}", param.replace('_', "-")))
}

/// What to do about values that were refused.
pub fn with_hint(error: Error) -> Error {
    match error.kind {
        Kind::Invalid => error.or_hint(|| "nothing was changed; mend what is named above and run it again".into()),
        _ => error,
    }
}
