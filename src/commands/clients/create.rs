//! `sitectl clients create`.

use super::changes::{self, Changed, Changes};
use super::difference::differences;
use super::fields::{Fields, Given};
use super::lookup::without_id;
use crate::client::{Api, REQUIRED_FIELDS, field_problems};
use crate::commands::consent::{Asking, ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resources::CLIENTS;
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Map, Value};

const USAGE: &str = "sitectl clients create [OPTIONS] --first-name <TEXT> --email <EMAIL>
       sitectl clients create [OPTIONS] --from-file <FILE|->";

const EXAMPLES: &str = "\
Examples:
  sitectl clients create --first-name Ada --email ada@example.com
  sitectl clients create --first-name Grace --email grace@example.com \\
    --site site-0036 --json
  sitectl clients create --first-name Grace --email grace@example.com \\
    --if-exists skip -o ids
  echo '{\"first_name\": \"Al\", \"email\": \"al@example.com\"}' | \\
    sitectl clients create --from-file -";

/// Create a client. On a terminal, what is missing is asked for.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    fields: Fields,
    /// A site to group under the client; can be given several times
    #[arg(long, value_name = "SITE_ID", value_parser = NonEmptyStringValueParser::new())]
    site: Vec<String>,
    /// Where a client with this email is there already: fail, skip (leave it as it is, and print it) or update it
    #[arg(long, value_name = "WHAT", value_enum, hide_possible_values = true, default_value_t = IfExists::Fail)]
    if_exists: IfExists,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum IfExists {
    /// End with exit code 5
    Fail,
    /// Leave it as it is, and print it
    Skip,
    /// Change it where it differs from what is given
    Update,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(true, &args.confirm)?;
    let mut given = args.fields.given(&context.program())?;
    if !args.site.is_empty() {
        given.set("site_ids", args.site.clone(), "--site");
    }
    ask_for_missing(context, &mut given).await?;
    given.check(&REQUIRED_FIELDS)?;
    let email = given.fields.get("email").and_then(Value::as_str).unwrap_or_default();
    let question = format!("Create the client {email}");
    asking.require_person(&question)?;
    let api = context.api()?;
    let done = ensure(context, args, &api, &asking, (&question, email, &given.fields)).await;
    let (done, Changed { client, kept }) = done.map_err(|error| given.locate(with_way_out(error, args.if_exists)))?;
    let printed = output::record(&client, context.shape());
    kept.map_err(|error| given.locate(error))
        .and(printed.map_err(|error| error.hint_first(&format!("the client was {done} all the same"))))
}

/// Creates the client, or does with the one that has its email what `--if-exists` says. Returns what was done, too.
async fn ensure(
    context: &Context,
    args: &Args,
    api: &Api,
    asking: &Asking<'_>,
    (question, email, fields): (&str, &str, &Map<String, Value>),
) -> Result<(&'static str, Changed)> {
    let ui = &context.ui;
    let existing = if args.if_exists == IfExists::Fail { None } else { api.client_by_email(email).await? };
    let Some(client) = existing else {
        let consent = asking.ask(&[Question::new(question)]).await?;
        return Ok(("created", Changes { ui, api, consent: &consent }.create(fields).await?));
    };
    if args.if_exists == IfExists::Skip {
        ui.note(&format!("a client with the email '{email}' is there already; it stays as it is"));
        return Ok(("found", Changed { client, kept: Ok(()) }));
    }
    let changes = differences(&client, fields).into_iter();
    let changes: Map<_, _> = changes.map(|change| (change.field, change.to)).collect();
    if changes.is_empty() {
        ui.note(&format!("the client with the email '{email}' is as wanted already"));
        return Ok(("found", Changed { client, kept: Ok(()) }));
    }
    let id = client.id().ok_or_else(|| without_id(email))?;
    let consent = asking.ask(&[changes::question(email, &changes)]).await?;
    Ok(("updated", Changes { ui, api, consent: &consent }.update(&id, &changes).await?))
}

fn with_way_out(error: Error, if_exists: IfExists) -> Error {
    if if_exists == IfExists::Fail && error.details.iter().any(|detail| detail.code == "already_exists") {
        return error.or_hint(|| "--if-exists skip leaves the client that is there as it is, update changes it".into());
    }
    error
}

async fn ask_for_missing(context: &Context, given: &mut Given) -> Result<()> {
    for (field, input) in CLIENTS.inputs().filter(|(_, input)| input.required) {
        if context.ui.may_prompt() && !given.fields.contains_key(field.name) {
            let check = |text: &str| {
                let problem = field_problems(&Map::from_iter([(field.name.into(), text.into())]), &[]).pop();
                problem.map_or(Ok(text.to_string()), |problem| Err(Error::new(Kind::Invalid, problem.message)))
            };
            let answer = context.ui.ask(input.label, false, check).await?;
            given.set(field.name, answer, &format!("--{}", field.flag()));
        }
    }
    Ok(())
}
