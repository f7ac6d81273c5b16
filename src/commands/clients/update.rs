//! `sitectl clients update`.

use super::changes::Changes;
use super::fields::Fields;
use super::lookup::{self, AllClients, is_email};
use super::moving::{self, Owner, described};
use super::sites::SiteArgs;
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
    fields: Fields,
    #[command(flatten)]
    sites: SiteArgs,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation(true, &args.confirm)?;
    let mut given = args.fields.given()?;
    if given.fields.is_empty() && args.sites.flag().is_none() {
        return Err(Error::usage("nothing to change")
            .with_hint("specify at least one field, such as --note TEXT or --add-site SITE_ID"));
    }
    if let Some(flag) = args
        .sites
        .flag()
        .filter(|_| given.fields.contains_key("site_ids"))
    {
        return Err(Error::usage(format!(
            "the sites are specified twice: as site_ids in the file, and by {flag}"
        ))
        .with_hint("remove site_ids from the file, or the flag from the command line"));
    }
    given.check(false)?;
    confirmation.require_person(&format!("Update the client {}", args.client))?;
    let api = context.api().await?;
    let mut id = args.client.to_string();
    let mut owners = Vec::new();
    if args.sites.flag().is_some() || is_email(&id) {
        let client = lookup::find(context, &api, &args.client).await?;
        id = client.id().unwrap_or(id);
        if let Some(flag) = args.sites.flag() {
            let sites = args.sites.with_ids(context, &api).await?;
            given.set_sites(sites.wanted(&client)?, flag);
            if !sites.move_site.is_empty() {
                let moved = sites.move_site.iter().map(ToString::to_string).collect();
                owners = moving::owners(&AllClients::read(&api).await?, &moved, Some(&id));
            }
        }
    }
    let consent = confirmation
        .ask(&[question(&args.client, &given.fields, &owners)])
        .await?;
    let changes = Changes {
        context,
        api: &api,
        consent: &consent,
    };
    let updated = moving::update(changes, &id, &given.fields, &owners).await;
    let updated = updated.map_err(|error| context.hint_list(error, "clients"));
    given
        .print(changes, "updated", updated, (&args.client, Some(&id)))
        .await
}

fn question(client: &str, fields: &Map<String, Value>, owners: &[Owner]) -> Question {
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    let moved = if owners.is_empty() {
        String::new()
    } else {
        format!(", moving {}", described(owners))
    };
    Question::new(format!(
        "Update {} of the client {client}{moved}",
        names.join(", ")
    ))
}
