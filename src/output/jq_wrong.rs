//! What is wrong with a filter, and where, in one line.

use crate::error::Error;
use jaq_core::load::Error as LoadError;
use jaq_core::{compile, load};

/// What is wrong with a filter: the words, and the part of it that they are about.
pub type Wrong<'c> = (String, &'c str);

/// Of a filter that could not be parsed.
pub fn load_error<'c>(errors: load::Errors<&'c str, ()>) -> Option<Wrong<'c>> {
    let (_, error) = errors.into_iter().next()?;
    match error {
        LoadError::Io(found) => found.into_iter().next().map(|(path, message)| (message, path)),
        LoadError::Lex(found) => {
            found.into_iter().next().map(|(expected, found)| (format!("expected {}", expected.as_str()), found))
        }
        LoadError::Parse(found) => {
            found.into_iter().next().map(|(expected, found)| (format!("expected {}", expected.as_str()), found))
        }
    }
}

/// Of a filter that names what is not there.
pub fn compile_error<'c>(errors: compile::Errors<&'c str, ()>) -> Option<Wrong<'c>> {
    let (name, undefined) = errors.into_iter().next()?.1.into_iter().next()?;
    let arguments = match undefined {
        compile::Undefined::Filter(1) => " with 1 argument".into(),
        compile::Undefined::Filter(arguments) if arguments > 1 => format!(" with {arguments} arguments"),
        _ => String::new(),
    };
    Some((format!("there is no {} '{name}'{arguments}", undefined.as_str()), name))
}

/// The error that says so.
pub fn wrong(code: &str, wrong: Option<Wrong<'_>>) -> Error {
    let (message, part) = wrong.unwrap_or(("it is no filter".into(), code));
    let start = part.as_ptr().addr().saturating_sub(code.as_ptr().addr());
    let place = match code.get(..start) {
        Some(before) if start < code.len() => format!("character {}", before.chars().count() + 1),
        _ => "the end".into(),
    };
    Error::usage(format!("--jq: {message}, at {place} of '{code}'"))
        .hint("this is jq without env, input, debug and halt; see https://jqlang.org/manual")
}
