//! Values that a shell may complete, for an argument that takes more than those: what is right is decided by the query.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use std::ffi::OsStr;

/// Takes any text, and suggests these.
#[derive(Debug, Clone)]
pub struct Suggested(pub Vec<&'static str>);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let known = self.0.iter().copied().map(PossibleValue::new);
        if self.0.is_empty() { None } else { Some(Box::new(known)) }
    }
}
