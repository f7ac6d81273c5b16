//! `sitectl clients update`.

use super::fields::{Fields, Shown, flag_of, shown, with_hint};
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
    if fields.contains_key("site_ids") && args.sites.any() {
        return Err(Error::usage("the sites are named twice: as site_ids in the file, and by a flag"));
    }
    let flag = |param: &str| args.sites.flag_of(param).or_else(|| flag_of(param));
    let name_flags = |error: Error| with_hint(error.name_flags(flag));
    check_fields(&fields, &[]).map_err(name_flags)?;
    let api = context.api()?;
    let id = if args.sites.any() {
        let client = who::find(&api, &args.client).await?;
        let now = if args.sites.replaces() { Vec::new() } else { sites_now(&client)? };
        fields.insert("site_ids".into(), args.sites.wanted(now).into());
        client.id().unwrap_or_else(|| args.client.clone())
    } else {
        who::id(&api, &args.client).await?
    };
    let client = match api.update_client(&id, &fields).await {
        Err(error) if error.kind == Kind::UnknownOutcome => find_out(context, &api, &id, &fields, error).await?,
        answer => answer.map_err(name_flags)?,
    };
    let printed = output::record(&client, context.shape());
    let printed = printed.map_err(|error| error.or_hint(|| "the client was updated all the same".into()));
    compare_sites(context, &client, &fields).and(printed)
}

/// The answer was lost: the client as it is now tells what became of the change.
async fn find_out(context: &Context, api: &Api, id: &str, fields: &Map<String, Value>, lost: Error) -> Result<Record> {
    let reason = lost.message.clone();
    match api.client(id).await.map(|client| (shown(&client, fields), client)) {
        Ok((Shown::All, client)) => {
            context.ui.note(&format!("the answer was lost ({reason}), but the client has been changed"));
            Ok(client)
        }
        Ok((Shown::None, _)) if !lost.in_flight => {
            Err(Error::new(Kind::Unavailable, format!("the client was not changed ({reason})"))
                .hint("it is safe to run the command again"))
        }
        _ => Err(lost
            .context("it is not known whether the client was changed")
            .hint(format!("look before you repeat it: sitectl clients show {id}"))),
    }
}

/// The sites of a client that are to be changed: what is not known must not be written back.
fn sites_now(client: &Record) -> Result<Vec<String>> {
    let unknown = "the service does not say which sites the client has, so they cannot be added to or taken from";
    client
        .texts("site_ids")
        .ok_or_else(|| Error::new(Kind::Unavailable, unknown).hint("--set-site names the whole list"))
}

/// The spec does not show whether `site_ids` replaces or merges: what the service kept or left out is said.
fn compare_sites(context: &Context, client: &Record, fields: &Map<String, Value>) -> Result<()> {
    let Some(wanted) = fields.get("site_ids").and_then(Value::as_array) else { return Ok(()) };
    let wanted: Vec<String> = wanted.iter().filter_map(crate::resource::scalar).collect();
    let Some(found) = client.texts("site_ids") else {
        context.ui.warn("the answer does not say which sites the client has now");
        return Ok(());
    };
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
