//! `sitectl clients update`.

use super::changes::ClientWriter;
use super::client_input::{ClientInput, FieldArgs};
use super::difference::is_same_value;
use super::lookup::{AllClients, find_client, looks_like_email};
use super::moving::{
    SiteMoves, SiteRelease, changed_during_confirmation, describe_releases, find_site_releases,
};
use super::site_args::SiteArgs;
use crate::client::Api;
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::resources::{Clients, Record};
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
    if input.fields.is_empty() && sites_flag.is_none() {
        return Err(Error::usage("nothing to change")
            .with_hint("specify at least one field, such as --note TEXT or --add-site SITE_ID"));
    }
    confirmation.require_person(&format!("Update the client {}", args.client))?;
    let api = context.api().await?;
    let planned = PlannedUpdate::read(context, &api, args, &mut input).await?;
    let PlannedUpdate { id, releases, .. } = &planned;
    input.require_id(id)?;
    let question = update_question(&args.client, &input.fields, releases);
    let consent = confirmation.ask(&[question]).await?;
    if confirmation.prompts() {
        let current = PlannedUpdate::read(context, &api, args, &mut input).await?;
        if !current.is_same(&planned, &input.fields) {
            return Err(changed_during_confirmation());
        }
    }
    let writer = ClientWriter {
        context,
        api: &api,
        consent: &consent,
    };
    let moves = SiteMoves::for_update(writer, planned.client.as_ref(), releases);
    let mut updated = moves.update(id, &input.fields, releases).await;
    let failure = match &mut updated {
        Ok(changed) => changed.all_values_stored.as_mut().err(),
        Err(error) => Some(error),
    };
    let was_interrupted = matches!(&failure, Some(error) if error.kind == Kind::Interrupted);
    let report = moves.finish(was_interrupted).await;
    if let Some(error) = failure {
        *error = report.add_to_error(error.clone());
        if error.kind == Kind::Invalid && report.has_notes() {
            // Unlike the hint of other invalid values, this does not deny changes.
            *error = error
                .clone()
                .with_fallback_hint(|| "fix the values above and retry".into());
        }
    }
    if !report.moved.is_empty() {
        context
            .ui
            .note(&format!("moved {}", describe_releases(releases)));
    }
    let updated = updated.map_err(|error| context.hint_list_if_not_found(error, "clients"));
    input
        .print_changed(writer, "updated", updated, &args.client, Some(id))
        .await
}

/// What an update is based on.
struct PlannedUpdate {
    id: String,
    /// The client before the update, if the update depends on it.
    client: Option<Record>,
    releases: Vec<SiteRelease>,
}

impl PlannedUpdate {
    /// Reads the client and the clients that release sites, and sets the sites of the input.
    async fn read(
        context: &Context,
        api: &Api,
        args: &Args,
        input: &mut ClientInput,
    ) -> Result<Self> {
        let mut planned = Self {
            id: args.client.to_string(),
            client: None,
            releases: Vec::new(),
        };
        let sites_flag = args.sites.flag_for_problems();
        // The service takes a complete list of sites, and only an id in the path.
        if sites_flag.is_none() && !looks_like_email(&planned.id) {
            return Ok(planned);
        }
        let client = find_client(context, api, &args.client).await?;
        planned.id = client.id().unwrap_or(planned.id);
        if let Some(flag) = sites_flag {
            let sites = args.sites.with_ids(context, api).await?;
            input.set_sites(sites.resulting_sites(&client)?, flag);
            if !sites.move_site.is_empty() {
                let moved_sites = sites.move_site.iter().map(ToString::to_string).collect();
                let clients = AllClients::read(api).await?;
                planned.releases = find_site_releases(&clients, &moved_sites, Some(&planned.id));
            }
        }
        planned.client = Some(client);
        Ok(planned)
    }

    /// Whether the fields that are replaced, and the releases, are the same as in `other`.
    fn is_same(&self, other: &Self, fields: &Map<String, Value>) -> bool {
        let value = |planned: &Self, field: &str| {
            let client = planned.client.as_ref();
            client
                .and_then(|client| client.value(field))
                .unwrap_or_default()
        };
        let mut replaced = fields.keys();
        self.id == other.id
            && self.releases == other.releases
            && replaced.all(|field| is_same_value(&value(self, field), &value(other, field)))
    }
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
