//! A word that can be explained, as the parser takes it: any, since one that is none has a better answer than the
//! parser's. What there is, it knows for completion.

use super::page;
use crate::error::Kind;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use std::ffi::OsStr;

/// Takes any text.
#[derive(Debug, Clone)]
pub struct Word;

impl TypedValueParser for Word {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let kinds = Kind::ALL.into_iter().map(|kind| PossibleValue::new(kind.name()).help(kind.when()));
        let code = |(code, kind, _)| PossibleValue::new(code).help(format!("a detail of {kind}"));
        Some(Box::new(kinds.chain(page::codes().map(code))))
    }
}
