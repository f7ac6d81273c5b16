//! `sitectl clients create`.

use super::fields::{Fields, flag_of, has_all};
use crate::api::{Api, check_fields};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resource::Record;
use serde_json::{Map, Value};

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
    let name_flags = |error: Error| error.name_flags(flag);
    check_fields(&fields, &REQUIRED).map_err(name_flags)?;
    let api = context.api()?;
    let client = match api.create_client(&fields).await {
        Err(error) if error.kind == Kind::UnknownOutcome => find_out(context, &api, &fields, error).await?,
        answer => answer.map_err(name_flags)?,
    };
    output::record(&client, context.shape())
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

/// The answer was lost: the email tells what became of it, since no two clients share one.
async fn find_out(context: &Context, api: &Api, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    let email = fields.get("email").and_then(Value::as_str).unwrap_or_default();
    let in_doubt = |lost: Error| lost.hint(format!("look before you repeat it: sitectl clients show {email}"));
    match api.client_by_email(email).await {
        Ok(Some(found)) if has_all(&found, fields) => {
            context.ui.note(&format!("the answer was lost ({}), but the client has been created", lost.message));
            Ok(found)
        }
        Ok(Some(_)) => Err(lost
            .kind(Kind::Invalid)
            .context(format!("a client with the email '{email}' exists with other details"))
            .hint(format!("sitectl clients show {email}"))),
        Ok(None) if lost.in_flight => Err(in_doubt(lost)),
        Ok(None) => Err(lost
            .kind(Kind::Unavailable)
            .context("the client was not created")
            .hint("it is safe to run the command again")),
        Err(_) => Err(in_doubt(lost)),
    }
}
