//! `sitectl clients update`.

use super::changes::ClientWriter;
use super::client_input::{ClientInput, FieldArgs};
use super::lookup::{AllClients, find_client, looks_like_email};
use super::moving::{SiteRelease, describe_releases, find_site_releases, update_with_moves};
use super::site_args::SiteArgs;
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Result};
use crate::resources::Clients;
use serde_json::{Map, Value};

const EXAMPLES: &str = "\
Examples:
  sitectl clients update client-0001 --company-name 'Example & Sons'
  sitectl clients update client-0001 --add-site site-0036 --json
  sitectl clients update client-0001 --note '' --remove-site site-0036
  sitectl clients update client-0001 --move-site site-0003";

/// Update a client.
///
/// Fields that you do not specify stay unchanged.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Id or email of the client
    #[arg(value_name = "CLIENT_ID|EMAIL")]
    client: NameOf<Clients>,
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    sites: SiteArgs,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation(true, &args.confirm)?;
    let mut input = ClientInput::from_args(&args.fields)?;
    let sites_flag = args.sites.flag_for_problems();
    if input.fields.is_empty() && sites_flag.is_none() {
        return Err(Error::usage("nothing to change")
            .with_hint("specify at least one field, such as --note TEXT or --add-site SITE_ID"));
    }
    if let Some(flag) = sites_flag
        && input.fields.contains_key("site_ids")
    {
        let message =
            format!("the sites are specified twice: as site_ids in the file, and by {flag}");
        return Err(Error::usage(message)
            .with_hint("remove site_ids from the file, or the flag from the command line"));
    }
    let is_new = false;
    input.fail_if_invalid(is_new)?;
    confirmation.require_person(&format!("Update the client {}", args.client))?;
    let api = context.api().await?;
    let mut id = args.client.to_string();
    let mut releases = Vec::new();
    // The service takes a complete list of sites, and only an id in the path.
    if sites_flag.is_some() || looks_like_email(&id) {
        let client = find_client(context, &api, &args.client).await?;
        id = client.id().unwrap_or(id);
        if let Some(flag) = sites_flag {
            let sites = args.sites.with_ids(context, &api).await?;
            input.set_sites(sites.resulting_sites(&client)?, flag);
            if !sites.move_site.is_empty() {
                let moved_sites = sites.move_site.iter().map(ToString::to_string).collect();
                let clients = AllClients::read(&api).await?;
                releases = find_site_releases(&clients, &moved_sites, Some(&id));
            }
        }
    }
    let question = update_question(&args.client, &input.fields, &releases);
    let consent = confirmation.ask(&[question]).await?;
    let writer = ClientWriter {
        context,
        api: &api,
        consent: &consent,
    };
    let updated = update_with_moves(writer, &id, &input.fields, &releases)
        .await
        .map_err(|error| context.hint_list_if_not_found(error, "clients"));
    input
        .print_changed(writer, "updated", updated, &args.client, Some(&id))
        .await
}

fn update_question(
    client: &str,
    fields: &Map<String, Value>,
    releases: &[SiteRelease],
) -> Question {
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    let mut question = format!("Update {} of the client {client}", names.join(", "));
    if !releases.is_empty() {
        question += &format!(", moving {}", describe_releases(releases));
    }
    Question::new(question)
}
