//! What went wrong with a request by hand, in terms of what was typed.

use super::call::Call;
use super::method::Method;
use crate::client::Api;
use crate::commands::context::Context;
use crate::config::{BaseUrl, Target};
use crate::error::{Error, Kind, Result};
use crate::terminal::quoted;
use std::borrow::Cow;

/// Refuses to put the token where it is logged.
///
/// # Errors
/// `Usage` where the address tells it.
pub fn refuse_token(api: &Api, call: &Call) -> Result<()> {
    if api.tells_token(&call.place.target()) { Err(told_token()) } else { Ok(()) }
}

/// The same with whatever token is known before anything is sent.
///
/// # Errors
/// As [`refuse_token`].
pub fn refuse_known_token(context: &Context, call: &Call) -> Result<()> {
    let is_known = matches!(context.ui.masked(&call.place.target()), Cow::Owned(_));
    if is_known { Err(told_token()) } else { Ok(()) }
}

fn told_token() -> Error {
    Error::usage("the path or query holds the token; nothing was sent")
        .hint("the token goes into a header by itself; addresses are written into logs")
}

/// The error with the flags that its details came from, and what to do next.
pub fn explained(error: Error, context: &Context, base: &BaseUrl, call: &Call) -> Error {
    let flag_of = |param: &str| call.given.iter().find(|given| given.is(param)).map(|given| given.flag.clone());
    let error = error.name_flags(flag_of);
    let lost = error.kind == Kind::UnknownOutcome || error.in_flight;
    match error.kind {
        _ if lost => error.or_hint(|| look(context, call)),
        Kind::NotFound => error.or_hint(|| {
            // The embedded sandbox has another address each time.
            let base = if matches!(context.settings.target, Target::Sandbox) { "" } else { base.as_str() };
            format!("{base}{} was asked for; a path is relative to the base URL", call.place.target())
        }),
        _ if error.status == Some(405) => {
            error.hint(format!("the path does not take {}; trying again does not help", call.method.name()))
        }
        _ if error.status.is_some() => {
            error.or_hint(|| "the service refused it; -vv shows what was sent, and what it answered".into())
        }
        _ => error,
    }
}

/// How to find out what became of a change. What is put somewhere can be looked for there.
fn look(context: &Context, call: &Call) -> String {
    let look = "look what became of it before you send it again";
    match call.method {
        Method::Put | Method::Patch | Method::Delete => {
            format!("{look}: {} api {}", context.program(), quoted(&call.place.target()))
        }
        _ => look.into(),
    }
}
