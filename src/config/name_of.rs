//! Names that users type for what the program knows by name.

use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A name that a user types for a `T`, such as an id, an email or a URL. Completion finds the
/// candidates of an argument by this type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameOf<T>(String, PhantomData<T>);

impl<T: Clone + Send + Sync + 'static> NameOf<T> {
    /// Returns the parser of an argument that cannot be empty.
    pub fn non_empty() -> impl TypedValueParser<Value = Self> {
        NonEmptyStringValueParser::new().map(Self::from)
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
