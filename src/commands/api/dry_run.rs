//! `--dry-run`: the request as a command that anybody can run, without the token.

use super::call::Call;
use super::method::Method;
use crate::api::Plan;
use crate::config::{BaseUrl, Target};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::ui::quoted;
use serde::Serialize;
use serde_json::value::RawValue;

/// The request as a value.
#[derive(Serialize)]
struct Request<'r> {
    method: &'static str,
    url: &'r str,
    body: Option<Box<RawValue>>,
    curl: &'r str,
}

/// Prints the request. `input` is the name of the file that the body is from.
///
/// # Errors
/// As any result.
pub fn print(context: &Context, base: &BaseUrl, input: Option<&str>, mut call: Call, plan: Option<Plan>) -> Result<()> {
    if let Some(plan) = plan {
        call.place.add_page(1, plan.rows_at_first());
    }
    context.doubt(base);
    let mask = |text: &str| context.ui.masked(text).into_owned();
    let url = mask(&format!("{}{}", base.as_str(), call.place.target()));
    let body = call.body.as_deref().map(mask);
    let curl = curl(context, base, input, &call, &url, body.as_deref());
    if context.shape().is_value() {
        let unread = |error: serde_json::Error| Error::new(Kind::Error, format!("could not write the body: {error}"));
        let body = body.as_deref().map(as_json).transpose().map_err(unread)?;
        output::result(&Request { method: call.method.name(), url: &url, body, curl: &curl }, &[], context.shape())?;
    } else {
        output::write(&format!("{curl}\n"))?;
    }
    tell(context, plan.is_some());
    Ok(())
}

/// The body; where the mask fell on something else than a string, as a text.
fn as_json(body: &str) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(body.into()).or_else(|_| serde_json::value::to_raw_value(body))
}

fn tell(context: &Context, paginated: bool) {
    if paginated {
        context.ui.note("nothing was sent; --paginate sends this for page 1, and the same for each page after it");
    } else {
        context.ui.note("nothing was sent");
    }
    match context.settings.target {
        Target::Sandbox => context.ui.note(
            "before you run it, start the service with sitectl sandbox serve and set SITECTL_TOKEN to sandbox-token",
        ),
        Target::Service { .. } => context.ui.note("the token is not shown: the command takes it from SITECTL_TOKEN"),
    }
}

fn curl(context: &Context, base: &BaseUrl, input: Option<&str>, call: &Call, url: &str, body: Option<&str>) -> String {
    let mut words = vec!["curl".to_string(), "-sS".into()];
    match call.method {
        Method::Get => {}
        // With -X HEAD, curl would wait for a body.
        Method::Head => words.push("--head".into()),
        method => words.extend(["-X".into(), method.name().into()]),
    }
    words.extend(["--max-time".into(), seconds(context.settings.request_timeout)]);
    if let Some(file) = context.ca_cert_file(base) {
        words.extend(["--cacert".into(), quoted(&file.to_string_lossy())]);
    }
    words.extend(["-H".into(), "\"Authorization: Bearer $SITECTL_TOKEN\"".into()]);
    words.extend(["-H".into(), quoted("Accept: application/json")]);
    if let Some(body) = body {
        words.extend(["-H".into(), quoted("Content-Type: application/json")]);
        words.extend(match input.filter(|file| *file != "-") {
            Some(file) => ["--data-binary".into(), quoted(&format!("@{file}"))],
            None => ["--data".into(), quoted(body)],
        });
    }
    words.push(quoted(url));
    words.join(" ")
}

/// A length of time as curl takes it.
fn seconds(duration: std::time::Duration) -> String {
    let text = format!("{:.3}", duration.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
