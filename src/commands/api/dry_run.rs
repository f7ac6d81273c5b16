//! `--dry-run`: the request as a command that anybody can run, without the token.

use super::call::Call;
use super::method::Method;
use super::wrong;
use crate::api::Plan;
use crate::config::{BaseUrl, Target, Token};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::ui::quoted;
use serde::Serialize;
use serde_json::value::RawValue;

/// A longer body is piped in: there are shells and systems that take no longer word.
const LONGEST: usize = 64 << 10;

/// How the command comes by the body.
#[derive(Clone, Copy)]
enum Body<'b> {
    None,
    /// It stands in the command.
    Here(&'b str),
    /// It is that of a file, to the last byte.
    File(&'b str),
    /// It is piped in.
    Piped,
}

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
/// As any result, and `Usage` where the path tells the token, as far as that is known.
pub fn print(context: &Context, base: &BaseUrl, input: Option<&str>, mut call: Call, plan: Option<Plan>) -> Result<()> {
    if let Some(plan) = plan {
        call.place.add_page(1, plan.rows_at_first());
    }
    context.doubt(base);
    wrong::refuse_known_token(context, &call)?;
    let mask = |text: &str| context.ui.masked(text).into_owned();
    let url = mask(&format!("{}{}", base.as_str(), call.place.target()));
    let body = call.body.as_deref().map(mask);
    let sent = sent(input, call.body.as_deref(), body.as_deref());
    let curl = curl(context, base, &call, &url, sent);
    if context.shape().is_value() {
        let unread = |error: serde_json::Error| Error::new(Kind::Error, format!("could not write the body: {error}"));
        let body = body.as_deref().map(as_json).transpose().map_err(unread)?;
        output::result(&Request { method: call.method.name(), url: &url, body, curl: &curl }, &[], context.shape())?;
    } else {
        output::write(&format!("{curl}\n"))?;
    }
    tell(context, plan.is_some());
    tell_of_body(context, sent, body != call.body);
    Ok(())
}

/// How the body is sent; `shown` is what may be shown of it.
fn sent<'b>(input: Option<&'b str>, body: Option<&'b str>, shown: Option<&'b str>) -> Body<'b> {
    match (input, body, shown) {
        (Some(file), Some(body), _) if file != "-" && holds(file, body) => Body::File(file),
        (_, Some(body), _) if body.len() > LONGEST => Body::Piped,
        (_, _, Some(shown)) => Body::Here(shown),
        _ => Body::None,
    }
}

/// Whether a file holds just what is sent. A byte order mark is not, and a pipe can be read but once.
fn holds(file: &str, body: &str) -> bool {
    std::fs::metadata(file).is_ok_and(|found| found.is_file())
        && std::fs::read(file).is_ok_and(|bytes| bytes == body.as_bytes())
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
        Target::Service { token: Some(Token::Environment(_)), .. } => {
            context.ui.note("the token is not shown: the command takes it from SITECTL_TOKEN");
        }
        Target::Service { .. } => {
            context.ui.note("the token is not shown: set SITECTL_TOKEN to it, from which the command takes it");
        }
    }
}

fn tell_of_body(context: &Context, sent: Body<'_>, is_masked: bool) {
    if matches!(sent, Body::Piped) {
        context.ui.note("the body is too long for a command line: pipe it into the command");
    }
    if is_masked && !matches!(sent, Body::File(_)) {
        context.ui.note("*** in the body stands for the token: sitectl sends the token, the command would send ***");
    }
}

fn curl(context: &Context, base: &BaseUrl, call: &Call, url: &str, body: Body<'_>) -> String {
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
    if !matches!(body, Body::None) {
        words.extend(["-H".into(), quoted("Content-Type: application/json")]);
    }
    words.extend(match body {
        Body::None if call.method.reads() => Vec::new(),
        Body::None => vec!["-H".into(), quoted("Content-Length: 0")],
        Body::Here(text) => vec!["--data".into(), quoted(text)],
        Body::File(file) => vec!["--data-binary".into(), quoted(&format!("@{file}"))],
        Body::Piped => vec!["--data-binary".into(), "@-".into()],
    });
    words.push(quoted(url));
    words.join(" ")
}

/// A length of time as curl takes it.
fn seconds(duration: std::time::Duration) -> String {
    let text = format!("{:.3}", duration.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
