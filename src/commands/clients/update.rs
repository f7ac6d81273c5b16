//! `sitectl clients update`.

use super::changes::{ChangedClient, ClientWriter};
use super::client_input::{ClientInput, FieldArgs};
use super::compare::{differences, is_same_value};
use super::moving::{
    describe_releases, find_site_releases, not_released, require_sites, sites_of, unclaimed_site,
    update_sites,
};
use super::plan::{Action, Plan, Step, changed_during_confirmation};
use super::show::print_plan;
use super::site_args::SiteArgs;
use super::site_lock::SiteLock;
use crate::client::Api;
use crate::commands::choose::require_prompt;
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::commands::find_clients::{
    AllClients, client_or_choice, find_client, looks_like_email, sites_or_email, with_search_hint,
};
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
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
    let mut input = ClientInput::from_args(&args.fields, &context.ui)?;
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
    let id = &planned.id;
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
    let mut lost = Vec::new();
    let mut updated = planned.send(writer, &input.fields, &mut lost).await;
    drop(held);
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
        lost.retain(|lost| !lost.sites.is_empty());
        *error = name_lost_sites(error.clone(), &lost);
    }
    let updated = updated.map_err(|error| with_search_hint(error, id));
    input
        .print_changed(writer, "updated", updated, &client, Some(id))
        .await
}

/// The sites that a client released, or may have released, and that no other client is known to
/// have.
struct LostSites<'r> {
    /// The id of the client.
    from: &'r str,
    sites: BTreeSet<String>,
    /// Whether the client released the sites, and no other client has them.
    is_certain: bool,
}

impl<'r> LostSites<'r> {
    /// Returns the sites that the result of a release leaves without a client.
    fn of(release: &'r Step, result: &Result<ChangedClient>) -> Option<Self> {
        let mut lost = Self {
            from: &release.key,
            sites: release.given_up("site_ids"),
            is_certain: true,
        };
        if matches!(result, Err(error) if !error.has_unknown_outcome()) {
            return None;
        }
        lost.claim(result);
        Some(lost)
    }

    /// Removes the sites that a client has after its change.
    fn claim(&mut self, changed: &Result<ChangedClient>) {
        match changed {
            Ok(changed) => self.sites = &self.sites - &sites_of(&changed.client),
            Err(error) => self.is_certain &= !error.has_unknown_outcome(),
        }
    }
}

/// Adds the sites that were released and not claimed to the error of a move, and the commands that
/// give them back.
fn name_lost_sites(error: Error, lost: &[LostSites<'_>]) -> Error {
    if lost.is_empty() {
        return error;
    }
    let mut details = error.details.clone();
    let mut hints = Vec::new();
    for lost in lost {
        let mut hint = Hint::command("give the site back", "clients update").ids(&[lost.from]);
        for site in &lost.sites {
            details.push(unclaimed_site(site, lost.from, lost.is_certain));
            hint = hint.option("--add-site", site);
        }
        if lost.is_certain {
            hints.push(hint);
        }
    }
    hints.extend(error.hints.clone());
    let kind = match error.kind {
        Kind::Interrupted | Kind::UnknownOutcome => error.kind,
        _ if lost.iter().all(|lost| lost.is_certain) => Kind::Partial,
        _ => Kind::UnknownOutcome,
    };
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
    /// The updates of the clients that release sites.
    releases: Vec<Step>,
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
            && releases.all(|(one, other)| one.id == other.id && one.changes == other.changes)
            && replaced.all(|field| is_same_value(field, &value(self, field), &value(other, field)))
    }

    /// Makes the updates: of the clients that release sites, if they still have the same sites, and
    /// of the client. Adds to `lost` the sites that are left without a client.
    async fn send<'p>(
        &'p self,
        writer: ClientWriter<'_>,
        fields: &Map<String, Value>,
        lost: &mut Vec<LostSites<'p>>,
    ) -> Result<ChangedClient> {
        for release in &self.releases {
            let (id, client) = (&release.key, release.client.as_ref());
            let released = match require_sites(writer, id, client).await {
                Ok(()) => update_sites(writer, id, client, &release.fields()).await,
                Err(error) => Err(error),
            };
            lost.extend(LostSites::of(release, &released));
            let all_released = released.and_then(|changed| changed.all_values_stored);
            all_released.map_err(|error| {
                let sites = Vec::from_iter(release.given_up("site_ids"));
                let error = not_released(&error, id, &sites);
                error.append_to_message(&format!("client {} was not changed", self.id))
            })?;
        }
        let updated = update_sites(writer, &self.id, self.client.as_ref(), fields).await;
        lost.iter_mut().for_each(|lost| lost.claim(&updated));
        updated
    }

    /// Returns the updates: of the clients that release sites, and of the client.
    fn plan(&self, key: &str, fields: &Map<String, Value>) -> Plan {
        let mut steps = self.releases.clone();
        steps.extend(self.client.iter().map(|client| Step {
            action: Action::Update,
            key: key.into(),
            id: client.id(),
            changes: differences(client, fields),
            client: Some(client.clone()),
            ..Step::default()
        }));
        Plan { steps }
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
            let releases = self.releases.iter();
            let released = releases
                .flat_map(|release| release.given_up("site_ids"))
                .collect();
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
