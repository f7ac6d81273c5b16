//! `sitectl clients create`.

use super::changes::{self, Changed, Changes};
use super::difference::differences;
use super::fields::{Fields, Given};
use crate::client::Consent;
use crate::client::{Api, REQUIRED_FIELDS, field_problems};
use crate::commands::consent::{Asking, ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::error::{Error, Kind, LOOK, Result};
use crate::output;
use crate::resources::Record;
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Map, Value};

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
#[command(after_help = EXAMPLES)]
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
    let (question, if_exists) = (format!("Create the client {email}"), args.if_exists);
    asking.require_person(&question)?;
    let api = context.api()?;
    let wish = Wish { context, api: &api, asking: &asking, question, email, fields: &given.fields, if_exists };
    let ensured = wish.ensure().await;
    let ensured = ensured.map_err(|error| given.locate(with_way_out(error, args.if_exists)))?;
    let printed = output::record(&ensured.client, context.shape());
    let all_the_same = format!("the client was {} all the same", ensured.became);
    let kept = ensured.kept.map_err(|error| given.locate(error));
    kept.and(printed.map_err(|error| error.hint_first(&all_the_same)))
}

/// A client with the email that was asked for.
struct Ensured {
    client: Record,
    /// What was done for it.
    became: &'static str,
    /// Whether the service kept what was sent.
    kept: Result<()>,
}

impl Ensured {
    fn new(became: &'static str, client: Record) -> Self {
        Self::changed(became, Changed { client, kept: Ok(()) })
    }

    fn changed(became: &'static str, Changed { client, kept }: Changed) -> Self {
        Self { client, became, kept }
    }
}

/// A client that there is to be, and what it takes.
struct Wish<'w> {
    context: &'w Context,
    api: &'w Api,
    asking: &'w Asking<'w>,
    /// Whether to create it.
    question: String,
    email: &'w str,
    fields: &'w Map<String, Value>,
    if_exists: IfExists,
}

impl Wish<'_> {
    /// The client with this email, made or found.
    async fn ensure(&self) -> Result<Ensured> {
        let fails = self.if_exists == IfExists::Fail;
        if !fails && let Some(client) = self.api.client_by_email(self.email).await? {
            return self.use_existing(client).await;
        }
        let consent = self.asking.ask(&[Question::new(&self.question)]).await?;
        match self.changes(&consent).create(self.fields).await {
            // Someone else was faster: to change their client is another question.
            Err(error) if !fails && exists_already(&error) => match self.api.client_by_email(self.email).await? {
                Some(client) => self.use_existing(client).await,
                None => Err(error),
            },
            answer => answer.map(|changed| Ensured::changed("created", changed)),
        }
    }

    async fn use_existing(&self, client: Record) -> Result<Ensured> {
        let (ui, email) = (&self.context.ui, client.text("email").unwrap_or_default());
        if self.if_exists == IfExists::Skip {
            ui.note(&format!("a client with the email '{email}' is there already; it stays as it is"));
            return Ok(Ensured::new("found", client));
        }
        let changes = differences(&client, self.fields).into_iter();
        let wanted: Map<_, _> = changes.map(|change| (change.field, change.to)).collect();
        if wanted.is_empty() {
            ui.note(&format!("the client with the email '{email}' is as wanted already"));
            return Ok(Ensured::new("found", client));
        }
        let unnamed =
            || Error::new(Kind::Unavailable, format!("the service sent no id for the client '{email}'")).hint(LOOK);
        let id = client.id().ok_or_else(unnamed)?;
        let consent = self.asking.ask(&[changes::question(&email, &wanted)]).await?;
        let changed = self.changes(&consent).update(&id, &wanted).await?;
        Ok(Ensured::changed("updated", changed))
    }

    fn changes<'m>(&'m self, consent: &'m Consent) -> Changes<'m> {
        Changes { ui: &self.context.ui, api: self.api, consent }
    }
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

async fn ask_for_missing(context: &Context, given: &mut Given) -> Result<()> {
    for name in REQUIRED_FIELDS {
        if context.ui.may_prompt() && !given.fields.contains_key(name) {
            let (question, flag) = if name == "email" { ("Email", "--email") } else { ("First name", "--first-name") };
            let check = |text: &str| {
                let problem = field_problems(&Map::from_iter([(name.into(), text.into())]), &[]).pop();
                problem.map_or(Ok(text.to_string()), |problem| Err(Error::new(Kind::Invalid, problem.message)))
            };
            given.set(name, context.ui.ask(question, false, check).await?, flag);
        }
    }
    Ok(())
}
