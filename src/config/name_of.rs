//! Names that users type for what the program knows by name.

use clap::builder::{ValueParser, ValueParserFactory};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A name that a user types for a `T`, such as an id, an email or a URL. Completion finds the
/// candidates of an argument by this type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameOf<T>(String, PhantomData<T>);

impl<T: Clone + Send + Sync + 'static> ValueParserFactory for NameOf<T> {
    type Parser = ValueParser;

    /// Returns the parser of the argument, which refuses an empty name: usually, a variable of a
    /// script is not set.
    fn value_parser() -> ValueParser {
        ValueParser::new(|text: &str| match text.trim() {
            "" => Err("the value is empty; check that the variables in the command line are set"),
            _ => Ok(Self::from(text.to_string())),
        })
    }
}

impl<T> From<String> for NameOf<T> {
    fn from(name: String) -> Self {
        Self(name, PhantomData)
    }
}

impl<T> Deref for NameOf<T> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<T> fmt::Display for NameOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
