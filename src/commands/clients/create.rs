//! `sitectl clients create`.

use super::changes::ClientWriter;
use super::client_input::{ClientInput, FieldArgs};
use super::columns::{field_of_error_param, trim_texts};
use crate::client::{ClientChange, field_problems};
use crate::commands::consent::Question;
use crate::commands::context::Context;
use crate::commands::find_sites::{AccountSites, find_site_ids};
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::resources::{CLIENTS, Sites};
use serde_json::Map;

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
    fields: FieldArgs,
    /// Assign this site to the client; repeatable
    #[arg(long, value_name = "SITE")]
    site: Vec<NameOf<Sites>>,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation()?.without_question();
    let mut input = ClientInput::from_args(&args.fields, &context.ui)?;
    trim_texts(&mut input.fields);
    let is_email_typed = context.ui.may_prompt() && !input.fields.contains_key("email");
    prompt_for_missing(context, &mut input).await?;
    input.fail_if_invalid(ClientChange::Create)?;
    let question = format!("Create client {}", input.email());
    confirmation.require_person(&question)?;
    let api = context.api().await?;
    if args.site.is_empty() {
        let names = Vec::from_iter(input.sites());
        let sites = AccountSites::read_for_addresses(context, &api, &names).await?;
        input.find_sites(sites.as_ref())?;
    } else {
        input.set_sites(find_site_ids(context, &api, &args.site).await?, "--site");
    }
    let consent = confirmation.ask(&[Question::new(question)]).await?;
    let writer = ClientWriter {
        context,
        api: &api,
        consent: &consent,
    };
    let mut created = writer.create(&input.fields).await;
    while is_email_typed
        && let Err(error) = &created
        && is_about_email(error)
    {
        // The prompt repeats until the service accepts the email or refuses another field.
        for detail in &error.details {
            context.ui.error(&detail.message);
        }
        input.fields.remove("email");
        prompt_for_missing(context, &mut input).await?;
        created = writer.create(&input.fields).await;
    }
    input.print_changed(context, "created", created)
}

/// Whether the error has details, and all are about the email.
fn is_about_email(error: &Error) -> bool {
    let mut params = error.details.iter().map(|detail| &detail.param);
    !error.details.is_empty() && params.all(|param| field_of_error_param(param) == "email")
}

/// Prompts for the required fields that are missing, if prompts are possible.
async fn prompt_for_missing(context: &Context, input: &mut ClientInput) -> Result<()> {
    for (field, rule) in CLIENTS.inputs().filter(|(_, rule)| rule.required) {
        if !context.ui.may_prompt() || input.fields.contains_key(field.name) {
            continue;
        }
        let check = |text: &str| {
            let fields = Map::from_iter([(field.name.into(), text.into())]);
            match field_problems(&fields, ClientChange::Update).pop() {
                Some(problem) => Err(Error::new(Kind::Invalid, problem.message)),
                None => Ok(text.to_string()),
            }
        };
        let answer = context.ui.ask(rule.label, check).await?;
        input.fields.insert(field.name.into(), answer.into());
    }
    Ok(())
}
