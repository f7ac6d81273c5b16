//! `sitectl clients update`.

use super::fields::{Fields, flag_of, has_all};
use super::sites::SiteArgs;
use super::who;
use crate::api::{Api, check_fields};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resource::Record;
use serde_json::{Map, Value};

const EXAMPLES: &str = "\
Examples:
  sitectl clients update client-0001 --company-name 'Example & Sons'
  sitectl clients update client-0001 --add-site site-0036 --json
  sitectl clients update client-0001 --note '' --remove-site site-0036";

/// Change a client's details, note or sites; what is not named stays as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The client's id or email
    #[arg(value_name = "CLIENT_ID|EMAIL")]
    client: String,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    sites: SiteArgs,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let mut fields = args.fields.given()?;
    if fields.is_empty() && !args.sites.any() {
        return Err(Error::usage("nothing to change")
            .hint("name at least one field, such as --note TEXT or --add-site SITE_ID"));
    }
    let name_flags = |error: Error| error.name_flags(|param| args.sites.flag_of(param).or_else(|| flag_of(param)));
    check_fields(&fields, &[]).map_err(name_flags)?;
    let api = context.api()?;
    let id = if args.sites.any() {
        let client = who::find(&api, &args.client).await?;
        fields.insert("site_ids".into(), args.sites.wanted(client.texts("site_ids").unwrap_or_default()).into());
        client.id().unwrap_or_else(|| args.client.clone())
    } else {
        who::id(&api, &args.client).await?
    };
    let client = match api.update_client(&id, &fields).await {
        Err(error) if error.kind == Kind::UnknownOutcome => find_out(context, &api, &id, &fields, error).await?,
        answer => answer.map_err(name_flags)?,
    };
    output::record(&client, context.shape())?;
    compare_sites(&client, &fields)
}

/// The answer was lost: the client as it is now tells what became of the change.
async fn find_out(context: &Context, api: &Api, id: &str, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    match api.client(id).await {
        Ok(found) if has_all(&found, fields) => {
            context.ui.note(&format!("the answer was lost ({}), but the client has been changed", lost.message));
            Ok(found)
        }
        Ok(_) if !lost.in_flight => Err(lost
            .kind(Kind::Unavailable)
            .context("the client was not changed")
            .hint("it is safe to run the command again")),
        _ => Err(lost.hint(format!("look before you repeat it: sitectl clients show {id}"))),
    }
}

/// The spec does not show whether `site_ids` replaces or merges: what the service kept or left out is said.
fn compare_sites(client: &Record, fields: &Map<String, Value>) -> Result<()> {
    let Some(wanted) = fields.get("site_ids").and_then(Value::as_array) else { return Ok(()) };
    let wanted: Vec<String> = wanted.iter().filter_map(crate::resource::scalar).collect();
    let found = client.texts("site_ids").unwrap_or_default();
    let missing_from = |these: &[String], those: &[String]| {
        these.iter().filter(|id| !those.contains(id)).cloned().collect::<Vec<_>>().join(", ")
    };
    let (stayed, lacking) = (missing_from(&found, &wanted), missing_from(&wanted, &found));
    let complaint = match (stayed.is_empty(), lacking.is_empty()) {
        (true, true) => return Ok(()),
        (false, true) => format!("these stayed: {stayed}"),
        (true, false) => format!("these are missing: {lacking}"),
        (false, false) => format!("these stayed: {stayed}; these are missing: {lacking}"),
    };
    Err(Error::new(Kind::Error, format!("the service did not keep the list of sites as it was sent; {complaint}"))
        .hint("the other fields were changed; the service may add sites to the list instead of replacing it"))
}
