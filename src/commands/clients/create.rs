//! `sitectl clients create`.

use super::changes::{self, Updated, differences};
use super::fields::{Fields, Given};
use crate::api::{Api, REQUIRED_FIELDS};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resource::Record;
use crate::ui::Ui;
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Map, Value};

const EXAMPLES: &str = "\
Examples:
  sitectl clients create --first-name Ada --email ada@example.com
  sitectl clients create --first-name Grace --email grace@example.com --site site-0036 --json
  sitectl clients create --first-name Grace --email grace@example.com --if-exists skip -o ids
  echo '{\"first_name\": \"Al\", \"email\": \"al@example.com\"}' | sitectl clients create --from-file -";

/// Create a client. On a terminal, what is missing is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    fields: Fields,
    /// A site to group under the client; can be given several times
    #[arg(long, value_name = "SITE_ID", value_parser = NonEmptyStringValueParser::new())]
    site: Vec<String>,
    /// What to do where a client with this email is there already
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = IfExists::Fail)]
    if_exists: IfExists,
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
    let mut given = args.fields.given()?;
    if !args.site.is_empty() {
        given.set("site_ids", args.site.clone(), "--site");
    }
    ask_for_missing(context, &mut given)?;
    given.check(&REQUIRED_FIELDS)?;
    let api = context.api()?;
    let ensured = ensure(&context.ui, &api, &given.fields, args.if_exists).await;
    let ensured = ensured.map_err(|error| given.locate(with_way_out(error, args.if_exists)))?;
    let printed = output::record(&ensured.client, context.shape());
    let all_the_same = || format!("the client was {} all the same", ensured.became);
    ensured.kept.and(printed.map_err(|error| error.or_hint(all_the_same)))
}

/// A client with the email that was asked for.
struct Ensured {
    client: Record,
    /// What was done for it.
    became: &'static str,
    /// Whether it has the sites that were sent.
    kept: Result<()>,
}

impl Ensured {
    fn new(became: &'static str, client: Record) -> Self {
        Self { client, became, kept: Ok(()) }
    }
}

/// The client with this email, made or found.
async fn ensure(ui: &Ui, api: &Api, fields: &Map<String, Value>, if_exists: IfExists) -> Result<Ensured> {
    if if_exists != IfExists::Fail
        && let Some(client) = find(api, fields).await?
    {
        return use_existing(ui, api, client, fields, if_exists).await;
    }
    match changes::create(ui, api, if_exists != IfExists::Fail, fields).await {
        // Someone else was faster.
        Err(error) if if_exists != IfExists::Fail && exists_already(&error) => match find(api, fields).await? {
            Some(client) => use_existing(ui, api, client, fields, if_exists).await,
            None => Err(error),
        },
        answer => answer.map(|client| Ensured::new("created", client)),
    }
}

async fn find(api: &Api, fields: &Map<String, Value>) -> Result<Option<Record>> {
    api.client_by_email(fields.get("email").and_then(Value::as_str).unwrap_or_default()).await
}

async fn use_existing(
    ui: &Ui,
    api: &Api,
    client: Record,
    fields: &Map<String, Value>,
    if_exists: IfExists,
) -> Result<Ensured> {
    let email = client.text("email").unwrap_or_default();
    if if_exists == IfExists::Skip {
        ui.note(&format!("a client with the email '{email}' is there already; it stays as it is"));
        return Ok(Ensured::new("found", client));
    }
    let wanted: Map<_, _> = differences(&client, fields).into_iter().map(|change| (change.field, change.to)).collect();
    if wanted.is_empty() {
        ui.note(&format!("the client with the email '{email}' is as wanted already"));
        return Ok(Ensured::new("found", client));
    }
    let unnamed = || Error::new(Kind::Unavailable, format!("the service sent no id for the client '{email}'"));
    let id = client.id().ok_or_else(unnamed)?;
    let Updated { client, kept } = changes::update(ui, api, &id, Some(&client), &wanted).await?;
    Ok(Ensured { kept, ..Ensured::new("updated", client) })
}

fn exists_already(error: &Error) -> bool {
    error.details.iter().any(|detail| detail.code == "already_exists")
}

fn with_way_out(error: Error, if_exists: IfExists) -> Error {
    if if_exists == IfExists::Fail && exists_already(&error) {
        return error.or_hint(|| "--if-exists skip leaves the client that is there as it is, update changes it".into());
    }
    error
}

fn ask_for_missing(context: &Context, given: &mut Given) -> Result<()> {
    for name in REQUIRED_FIELDS {
        if context.ui.may_prompt() && !given.fields.contains_key(name) {
            let (question, flag) = if name == "email" { ("Email", "--email") } else { ("First name", "--first-name") };
            given.set(name, context.ui.ask(question)?, flag);
        }
    }
    Ok(())
}
