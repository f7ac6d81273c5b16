//! `sitectl clients create`.

use super::fields::{Fields, Shown, flag_of, shown, with_hint};
use crate::api::{Api, check_fields};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resource::Record;
use serde_json::{Map, Value};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  sitectl clients create --first-name Ada --email ada@example.com
  sitectl clients create --first-name Grace --email grace@example.com --site site-0036 --json
  echo '{\"first_name\": \"Al\", \"email\": \"al@example.com\"}' | sitectl clients create --from-file -";

const REQUIRED: [&str; 2] = ["first_name", "email"];

/// Create a client. On a terminal, what is missing is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    fields: Fields,
    /// A site to group under the client; can be given several times
    #[arg(long, value_name = "SITE_ID")]
    site: Vec<String>,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let mut fields = args.fields.given()?;
    if !args.site.is_empty() {
        fields.insert("site_ids".into(), args.site.clone().into());
    }
    ask_for_missing(context, &mut fields)?;
    let name_flags = |error: Error| with_hint(error.name_flags(flag));
    check_fields(&fields, &REQUIRED).map_err(name_flags)?;
    let api = context.api()?;
    let client = match api.create_client(&fields).await {
        Err(error) if error.kind == Kind::UnknownOutcome => find_out(context, &api, &fields, error).await?,
        answer => answer.map_err(name_flags)?,
    };
    output::record(&client, context.shape())
        .map_err(|error| error.or_hint(|| "the client was created all the same".into()))
}

fn flag(param: &str) -> Option<String> {
    if param == "site_ids" { Some("--site".into()) } else { flag_of(param) }
}

fn ask_for_missing(context: &Context, fields: &mut Map<String, Value>) -> Result<()> {
    for name in REQUIRED {
        if context.ui.may_prompt() && !fields.contains_key(name) {
            let question = if name == "email" { "Email" } else { "First name" };
            fields.insert(name.into(), context.ui.ask(question)?.into());
        }
    }
    Ok(())
}

/// How long a service that broke off gets to finish what it may have begun.
const SETTLING: Duration = Duration::from_millis(1500);

/// The answer was lost: the email tells what became of it, since no two clients share one.
async fn find_out(context: &Context, api: &Api, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    let email = fields.get("email").and_then(Value::as_str).unwrap_or_default();
    let reason = lost.message.clone();
    let mut found = api.client_by_email(email).await;
    if matches!(found, Ok(None)) {
        tokio::time::sleep(SETTLING).await;
        found = api.client_by_email(email).await;
    }
    match found {
        Ok(Some(client)) if shown(&client, fields) == Shown::All => {
            context.ui.note(&format!("the answer was lost ({reason}), but the client has been created"));
            Ok(client)
        }
        Ok(Some(_)) => Err(Error::new(
            Kind::Invalid,
            format!("a client with the email '{email}' exists, with other details than were sent ({reason})"),
        )
        .hint(format!("sitectl clients show {email}"))),
        Ok(None) if !lost.in_flight => {
            Err(Error::new(Kind::Unavailable, format!("the client was not created ({reason})"))
                .hint("it is safe to run the command again"))
        }
        _ => Err(lost
            .context("it is not known whether the client was created")
            .hint(format!("look before you repeat it: sitectl clients show {email}"))),
    }
}
