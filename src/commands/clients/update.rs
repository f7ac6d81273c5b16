//! `sitectl clients update`.

use super::changes::ClientWriter;
use super::client_input::{ClientInput, FieldArgs};
use super::compare::{differences, is_same_value};
use super::lookup::{
    AllClients, client_or_choice, find_client, looks_like_email, sites_or_email, with_search_hint,
};
use super::moving::{
    SiteRelease, SiteReport, SiteWriter, changed_during_confirmation, describe_releases,
    find_site_releases,
};
use super::plan::{Action, Plan, Step};
use super::show::print_plan;
use super::site_args::SiteArgs;
use super::site_lock::SiteLock;
use crate::client::Api;
use crate::commands::choose::require_prompt;
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resources::{CLIENTS, Clients, Record};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

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
#[command(mut_arg("from_file", |arg| arg.requires("client")))]
pub struct Args {
    /// Id or email of the client; omit for a menu
    #[arg(value_name = "CLIENT_ID|EMAIL")]
    client: Option<NameOf<Clients>>,
    #[command(flatten)]
    fields: FieldArgs,
    #[command(flatten)]
    sites: SiteArgs,
    /// Print the changes without making them
    #[arg(long)]
    dry_run: bool,
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
    args.sites.fail_if_contradictory()?;
    if input.fields.is_empty() && sites_flag.is_none() && !input.has_unknown_fields() {
        return Err(Error::usage("nothing to change")
            .with_hint("specify at least one field, such as --note TEXT or --add-site SITE_ID"));
    }
    match &args.client {
        Some(_) if args.dry_run => {}
        Some(client) => confirmation.require_person(&format!("Update {client}"))?,
        None => require_prompt(context, &CLIENTS)?,
    }
    let api = context.api().await?;
    let client = client_or_choice(context, &api, args.client.as_deref()).await?;
    // The question shows what changes, and after the question the client is compared.
    let asks = confirmation.prompts() && !args.dry_run;
    let must_read = asks || args.dry_run || input.has_unknown_fields();
    let changes_sites = sites_flag.is_some() || input.fields.contains_key("site_ids");
    let lock = SiteLock::new(context);
    let mut held = None;
    if changes_sites && !asks && !args.dry_run {
        held = Some(lock.hold().await);
    }
    let planned = PlannedUpdate::read(context, &api, &client, args, &mut input, must_read).await?;
    let PlannedUpdate { id, releases, .. } = &planned;
    input.require_id(id)?;
    if let Some(client) = &planned.client {
        input.require_unknown_fields_of(client)?;
    }
    for site in &planned.not_removed {
        context
            .ui
            .warn(&format!("{id} does not have the site '{site}'"));
    }
    if input.fields.is_empty()
        && let Some(client) = &planned.client
    {
        context.ui.note("nothing to change");
        return output::print_record(client, context.output_options());
    }
    if args.dry_run {
        let plan = planned.plan(&client, &input.fields);
        return print_plan(context, &plan, true);
    }
    let question = planned.question(&client, &input.fields);
    let consent = confirmation.ask(&[question]).await?;
    if asks {
        if changes_sites {
            held = Some(lock.hold().await);
        }
        let current =
            PlannedUpdate::read(context, &api, &client, args, &mut input, must_read).await?;
        if !current.is_same(&planned, &input.fields) {
            return Err(changed_during_confirmation());
        }
    }
    let writer = ClientWriter {
        context,
        api: &api,
        consent: &consent,
    };
    let releasing = releases.iter().map(|release| &release.client);
    let sites = SiteWriter::new(writer, planned.client.iter().chain(releasing));
    let mut released = Ok(());
    for release in releases {
        if released.is_ok() {
            released = sites.release(release).await;
        }
    }
    // The client was read just before.
    let checks_sites = false;
    let mut updated = match released {
        Ok(()) => sites.update(id, &input.fields, checks_sites).await,
        Err(error) => Err(error.append_to_message(&format!("client {id} was not changed"))),
    };
    drop(held);
    let report = sites.finish();
    let failure = match &mut updated {
        Ok(changed) => changed.all_values_stored.as_mut().err(),
        Err(error) => Some(error),
    };
    if let Some(error) = failure {
        let changes_name = looks_like_email(&client) && input.fields.contains_key("email");
        if changes_name && error.has_unknown_outcome() {
            // The client may no longer have the email that the command line names.
            *error = error.clone().with_hint(format!(
                "run the same command again with the id {id} instead of the email: \
                 it is safe, because an update is idempotent"
            ));
        }
        *error = name_lost_sites(error.clone(), &report, releases);
    }
    if !report.moved.is_empty() {
        context
            .ui
            .note(&format!("moved {}", describe_releases(releases)));
    }
    let updated = updated.map_err(|error| with_search_hint(error, id));
    input
        .print_changed(writer, "updated", updated, &client, Some(id))
        .await
}

/// Adds the sites that were released and not claimed to the error of a move.
fn name_lost_sites(error: Error, report: &SiteReport, releases: &[SiteRelease]) -> Error {
    let sites = releases.iter().flat_map(|release| &release.sites);
    let notes = report.notes(sites.clone());
    let Some(kind) = report.kind().filter(|_| !notes.is_empty()) else {
        return error;
    };
    let mut hints = report.hints(sites);
    hints.extend(error.hints.clone());
    let kind = match error.kind {
        Kind::Interrupted | Kind::UnknownOutcome => error.kind,
        _ => kind,
    };
    let details = [&error.details[..], &notes].concat();
    error
        .with_kind(kind)
        .with_details(details)
        .with_hints(hints)
}

/// The basis of an update.
struct PlannedUpdate {
    id: String,
    /// The client before the update, if it was read.
    client: Option<Record>,
    releases: Vec<SiteRelease>,
    /// The sites to remove that the client does not have.
    not_removed: Vec<String>,
}

impl PlannedUpdate {
    /// Reads the client if the update depends on it or with `must_read`, and the clients that
    /// release sites. Sets the sites of the input, unless they stay unchanged.
    async fn read(
        context: &Context,
        api: &Api,
        id_or_email: &str,
        args: &Args,
        input: &mut ClientInput,
        must_read: bool,
    ) -> Result<Self> {
        let mut planned = Self {
            id: id_or_email.into(),
            client: None,
            releases: Vec::new(),
            not_removed: Vec::new(),
        };
        let sites_flag = args.sites.flag_for_problems();
        // The service takes a complete list of sites, and only an id in the path.
        if sites_flag.is_none() && !looks_like_email(&planned.id) && !must_read {
            return Ok(planned);
        }
        // Site names are looked up first, because the client is read right before its update.
        let sites = args.sites.with_ids(context, api).await?;
        let clients = if sites.move_site.is_empty() {
            None
        } else {
            Some(AllClients::read(api).await?)
        };
        let mut client = find_client(api, id_or_email).await?;
        match client.id() {
            Some(id) if !looks_like_email(&planned.id) && !id.eq_ignore_ascii_case(&planned.id) => {
                let message = format!(
                    "the service shows the client '{id}' instead of '{}'; no changes were made",
                    planned.id
                );
                return Err(Error::new(Kind::Unavailable, message));
            }
            Some(id) => planned.id = id,
            None => client = client.with_id(&planned.id),
        }
        if let Some(flag) = sites_flag {
            let resulting_sites = sites.resulting_sites(&client)?;
            planned.not_removed = sites.missing_sites(&client);
            let current = client.texts("site_ids").map(BTreeSet::from_iter);
            if current != Some(resulting_sites.iter().cloned().collect()) {
                input.set_sites(resulting_sites, flag);
            }
            if let Some(clients) = clients {
                let moved_sites = sites.move_site.iter().map(ToString::to_string).collect();
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
        let mut releases = self.releases.iter().zip(&other.releases);
        self.id == other.id
            && self.releases.len() == other.releases.len()
            && releases.all(|(one, other)| one.is_same(other))
            && replaced.all(|field| is_same_value(field, &value(self, field), &value(other, field)))
    }

    /// Returns the updates: of the clients that release sites, and of the client.
    fn plan(&self, key: &str, fields: &Map<String, Value>) -> Plan {
        let step = |key: &str, client: &Record, fields: &Map<String, Value>| Step {
            action: Action::Update,
            key: key.into(),
            id: client.id(),
            changes: differences(client, fields),
            client: Some(client.clone()),
            ..Step::default()
        };
        let releases = self.releases.iter().map(|release| {
            let id = release.client.id().unwrap_or_default();
            step(&id, &release.client, &release.fields())
        });
        let mut steps: Vec<Step> = releases.collect();
        steps.extend(self.client.iter().map(|client| step(key, client, fields)));
        Plan {
            steps,
            skipped: Vec::new(),
        }
    }

    /// Returns the question, with the sites that the client gets and loses.
    fn question(&self, client: &str, fields: &Map<String, Value>) -> Question {
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let mut question = format!("Update the {} of {client}", names.join(", "));
        let current = self.client.as_ref();
        if let Some(sites) = fields.get("site_ids").map(sites_or_email)
            && let Some(current) = current.and_then(|client| client.texts("site_ids"))
        {
            let current = BTreeSet::from_iter(current);
            let released = self.releases.iter().flat_map(|release| &release.sites);
            let released = released.cloned().collect();
            for (change, sites) in [
                ("adding", &(&sites - &current) - &released),
                ("removing", &current - &sites),
            ] {
                if !sites.is_empty() {
                    let sites: Vec<String> = sites.into_iter().collect();
                    question += &format!(", {change} {}", sites.join(", "));
                }
            }
        }
        if !self.releases.is_empty() {
            question += &format!(", moving {}", describe_releases(&self.releases));
        }
        Question::new(question)
    }
}
