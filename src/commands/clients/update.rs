//! `sitectl clients update`.

use super::changes::Changes;
use super::fields::Fields;
use super::lookup::{self, AllClients, is_email};
use super::moving::{self, Owner, described};
use super::sites::SiteArgs;
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;
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
    client: String,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    sites: SiteArgs,
    #[command(flatten)]
    confirm: ConfirmArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(true, &args.confirm)?;
    let mut given = args.fields.given(&context.program())?;
    if given.fields.is_empty() && !args.sites.any() {
        return Err(Error::usage("nothing to change")
            .hint("specify at least one field, such as --note TEXT or --add-site SITE_ID"));
    }
    if given.fields.contains_key("site_ids") && args.sites.any() {
        return Err(Error::usage("the sites are specified twice: as site_ids in the file, and by a flag")
            .hint("remove site_ids from the file, or the flag from the command line"));
    }
    given.check(&[])?;
    asking.require_person(&format!("Update the client {}", args.client))?;
    let api = context.api().await?;
    let mut id = args.client.clone();
    let mut owners = Vec::new();
    if args.sites.any() || is_email(&id) {
        let client = lookup::find(context, &api, &args.client).await?;
        id = client.id().unwrap_or(id);
        if args.sites.any() {
            let sites = args.sites.with_ids(context, &api).await?;
            let now = if sites.replaces() { Vec::new() } else { sites_now(&client)? };
            given.set("site_ids", sites.wanted(now), sites.flag());
            if !sites.move_site.is_empty() {
                owners = moving::owners(&AllClients::read(&api).await?, &sites.move_site, Some(&id));
            }
        }
    }
    let consent = asking.ask(&[question(&args.client, &given.fields, &owners)]).await?;
    let changes = Changes { context, api: &api, consent: &consent };
    let mut updated = moving::update(changes, &id, &given.fields, &owners).await;
    if let Err(error) = updated {
        let error = context.hint_list(error, "clients");
        updated = Err(moving::with_owners(context, &api, error, &given.fields, (&args.client, Some(&id))).await);
    }
    given.print(context, "updated", updated)
}

fn question(client: &str, fields: &Map<String, Value>, owners: &[Owner]) -> Question {
    let names: Vec<&str> = fields.keys().map(String::as_str).collect();
    let moved = if owners.is_empty() { String::new() } else { format!(", moving {}", described(owners)) };
    Question::new(format!("Update {} of the client {client}{moved}", names.join(", ")))
}

/// Returns the sites of a client before a change, because unknown sites must not be written back.
fn sites_now(client: &Record) -> Result<Vec<String>> {
    let unknown = "the service does not show which sites the client has, so sites cannot be added or removed";
    client.texts("site_ids").ok_or_else(|| {
        Error::new(Kind::Unavailable, unknown).hint("specify the complete list of sites with --set-site")
    })
}
