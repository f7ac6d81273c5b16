//! `sitectl clients create`.

use super::changes::Changes;
use super::columns::field_of;
use super::fields::{Fields, Given};
use crate::client::field_problems;
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::commands::sites::find_site_ids;
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::resources::{CLIENTS, Sites};
use serde_json::{Map, Value};

const USAGE: &str = "sitectl clients create [OPTIONS] --first-name <TEXT> --email <EMAIL>
       sitectl clients create [OPTIONS] --from-file <FILE|->";

const EXAMPLES: &str = "\
Examples:
  sitectl clients create --first-name Ada --email ada@example.com
  sitectl clients create --first-name Grace --email grace@example.com \\
    --site site-0036 --json
  echo '{\"first_name\": \"Al\", \"email\": \"al@example.com\"}' | \\
    sitectl clients create --from-file -";

/// Create a client
///
/// On a terminal, sitectl prompts for missing required fields.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    fields: Fields,
    /// Assign this site to the client; repeatable
    #[arg(long, value_name = "SITE", value_parser = NameOf::<Sites>::non_empty())]
    site: Vec<NameOf<Sites>>,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation(true, &args.confirm)?;
    let mut given = args.fields.given()?;
    let asks_email = context.ui.may_prompt && !given.fields.contains_key("email");
    ask_for_missing(context, &mut given).await?;
    given.check(true)?;
    let question = format!("Create the client {}", email(&given));
    confirmation.require_person(&question)?;
    let api = context.api().await?;
    if !args.site.is_empty() {
        given.set_sites(find_site_ids(context, &api, &args.site).await?, "--site");
    }
    let consent = confirmation.ask(&[Question::new(question)]).await?;
    let changes = Changes {
        context,
        api: &api,
        consent: &consent,
    };
    loop {
        match changes.create(&given.fields).await {
            Err(error) if asks_email && is_about_email(&error) => {
                error
                    .details
                    .iter()
                    .for_each(|detail| context.ui.error(&detail.message));
                given.fields.remove("email");
                ask_for_missing(context, &mut given).await?;
            }
            created => {
                return given
                    .print(changes, "created", created, (email(&given), None))
                    .await;
            }
        }
    }
}

fn email(given: &Given) -> &str {
    given
        .fields
        .get("email")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Whether the service refused nothing but the email.
fn is_about_email(error: &Error) -> bool {
    !error.details.is_empty()
        && error
            .details
            .iter()
            .all(|detail| field_of(&detail.param) == "email")
}

/// Prompts for the required fields that are missing.
async fn ask_for_missing(context: &Context, given: &mut Given) -> Result<()> {
    for (field, input) in CLIENTS.inputs().filter(|(_, input)| input.required) {
        if context.ui.may_prompt && !given.fields.contains_key(field.name) {
            let check = |text: &str| {
                let problem =
                    field_problems(&Map::from_iter([(field.name.into(), text.into())]), false)
                        .pop();
                problem.map_or(Ok(text.to_string()), |problem| {
                    Err(Error::new(Kind::Invalid, problem.message))
                })
            };
            let answer = context.ui.ask(input.label, false, check).await?;
            given.fields.insert(field.name.into(), answer.into());
        }
    }
    Ok(())
}
