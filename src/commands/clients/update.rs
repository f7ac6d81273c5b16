//! `sitectl clients update`.

use super::changes::Changes;
use super::fields::Fields;
use super::lookup::{self, is_email};
use super::sites::SiteArgs;
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::resources::Record;

const EXAMPLES: &str = "\
Examples:
  sitectl clients update client-0001 --company-name 'Example & Sons'
  sitectl clients update client-0001 --add-site site-0036 --json
  sitectl clients update client-0001 --note '' --remove-site site-0036";

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
    let api = context.api()?;
    let mut id = args.client.clone();
    if args.sites.any() || is_email(&id) {
        let client = lookup::find(context, &api, &args.client).await?;
        if args.sites.any() {
            let now = if args.sites.replaces() { Vec::new() } else { sites_now(&client)? };
            given.set("site_ids", args.sites.wanted(now), args.sites.flag());
        }
        id = client.id().unwrap_or(id);
    }
    let names: Vec<&str> = given.fields.keys().map(String::as_str).collect();
    let question = Question::new(format!("Update {} of the client {}", names.join(", "), args.client));
    let consent = asking.ask(&[question]).await?;
    let updated = Changes { context, api: &api, consent: &consent }.update(&id, &given.fields).await;
    given.print(context, "updated", updated.map_err(|error| context.hint_list(error, "clients")))
}

/// Returns the sites of a client that are to be changed: unknown sites must not be written back.
fn sites_now(client: &Record) -> Result<Vec<String>> {
    let unknown = "the service does not show which sites the client has, so sites cannot be added or removed";
    client.texts("site_ids").ok_or_else(|| {
        Error::new(Kind::Unavailable, unknown).hint("specify the complete list of sites with --set-site")
    })
}
