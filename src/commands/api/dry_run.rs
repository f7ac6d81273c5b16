//! `--dry-run`: the request as it would be sent, without its headers, so without the token.

use super::call::Call;
use super::wrong;
use crate::client::Plan;
use crate::commands::context::Context;
use crate::config::BaseUrl;
use crate::error::{Error, Kind, Result};
use crate::output;
use serde::Serialize;
use serde_json::value::RawValue;

/// The request as a value.
#[derive(Serialize)]
struct Request<'r> {
    method: &'static str,
    url: &'r str,
    body: Option<Box<RawValue>>,
}

/// Prints the request: the method and the URL on a line, then the body.
///
/// # Errors
/// As any result, and `Usage` where the path tells the token, as far as that is known.
pub fn print(context: &Context, base: &BaseUrl, mut call: Call, plan: Option<Plan>) -> Result<()> {
    if let Some(plan) = plan {
        call.place.add_page(1, plan.rows_at_first());
    }
    context.doubt(base);
    wrong::refuse_known_token(context, &call)?;
    let mask = |text: &str| context.ui.masked(text).into_owned();
    let method = call.method.name();
    let url = mask(&format!("{}{}", base.as_str(), call.place.target()));
    let body = call.body.as_deref().map(mask);
    if context.shape().is_value() {
        let unread = |error: serde_json::Error| Error::new(Kind::Error, format!("could not write the body: {error}"));
        let body = body.as_deref().map(as_json).transpose().map_err(unread)?;
        output::result(&Request { method, url: &url, body }, &[], context.shape())?;
    } else {
        let body = body.as_deref().map(|body| format!("\n{}\n", body.trim_end())).unwrap_or_default();
        output::write(&format!("{method} {url}\n{body}"))?;
    }
    context.ui.note(match plan {
        Some(_) => "nothing was sent; --paginate sends this for page 1, and the same for each page after it",
        None => "nothing was sent",
    });
    if body != call.body {
        context.ui.note("*** in the body stands for the token");
    }
    Ok(())
}

/// The body; where the mask fell on something else than a string, as a text.
fn as_json(body: &str) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(body.into()).or_else(|_| serde_json::value::to_raw_value(body))
}
