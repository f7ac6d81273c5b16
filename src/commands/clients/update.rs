//! `sitectl clients update`.

use super::changes::{ChangedClient, ClientWriter};
use super::client_input::{ClientInput, FieldArgs};
use super::compare::{differences, is_same_value};
use super::moving::{
    ALREADY_ASSIGNED, ClientSites, INVALID_ID, describe_releases, find_site_releases,
    name_released_sites, not_released, sites_of, suggest_moving_sites,
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
    AllClients, client_or_choice, email_key, find_client, looks_like_email, name_and_id,
    sites_or_email, with_search_hint,
};
use crate::commands::find_sites::AccountSites;
use crate::config::NameOf;
use crate::error::{Detail, Error, Kind, Result};
use crate::output;
use crate::resources::{CLIENTS, Clients, Record};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::time::Instant;

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
    let read = PlannedUpdate::read(context, &api, &client, args, &mut input, must_read);
    let mut planned = read.await?;
    if let Some(client) = &planned.client {
        input.require_unknown_fields_of(client)?;
    }
    for site in &planned.not_removed {
        context
            .ui
            .warn(&format!("{} does not have the site '{site}'", planned.id));
    }
    if input.fields.is_empty()
        && let Some(client) = &planned.client
    {
        context.ui.note("nothing to change");
        return output::print_record(client, context.output_options());
    }
    if args.dry_run {
        let plan = planned.into_plan(&client, &input.fields);
        return print_plan(context, &plan, true);
    }
    let question = planned.question(context, &client, &input.fields);
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
        planned = current;
    }
    let writer = ClientWriter {
        context,
        api: &api,
        consent: &consent,
    };
    let mut updated = planned.send(writer, &input.fields).await;
    drop(held);
    let failure = match &mut updated {
        Ok(changed) => changed.all_values_stored.as_mut().err(),
        Err(error) => Some(error),
    };
    let changes_name = looks_like_email(&client) && input.fields.contains_key("email");
    if let Some(error) = failure.filter(|error| changes_name && error.has_unknown_outcome()) {
        // The client may no longer have the email that the command line names.
        *error = error.clone().with_hint(format!(
            "run the same command again with the id {} instead of the email: \
             it is safe, because an update is idempotent",
            planned.id
        ));
    }
    let updated = updated.map_err(|error| with_search_hint(error, &planned.id));
    input
        .print_changed(writer, "updated", updated, &client, Some(&planned.id))
        .await
}

/// The basis of an update.
#[derive(Default)]
struct PlannedUpdate {
    id: String,
    /// The client before the update, if it was read.
    client: Option<Record>,
    read_at: Option<Instant>,
    /// The updates of the clients that release sites.
    releases: Vec<Step>,
    /// The sites to remove that the client does not have.
    not_removed: Vec<String>,
    /// The sites of the account, if they were read.
    sites: Option<AccountSites>,
}

impl PlannedUpdate {
    /// Reads the client if the update depends on it or with `must_read`, and checks the sites and,
    /// with `must_read`, the email that it gets. Sets the sites of the input, unless they stay
    /// unchanged.
    ///
    /// # Errors
    /// `Invalid` with all problems that the lists of clients and sites show.
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
            ..Self::default()
        };
        let sites_flag = args.sites.flag_for_problems();
        let changes_sites = sites_flag.is_some() || input.fields.contains_key("site_ids");
        // The service takes a complete list of sites, and only an id in the path.
        if !changes_sites && !looks_like_email(&planned.id) && !must_read {
            input.require_id(&planned.id)?;
            return Ok(planned);
        }
        // Site names are looked up first, because the client is read right before its update.
        let names = args.sites.names().map(|name| name.to_string());
        let names: Vec<String> = names.chain(input.sites()).collect();
        planned.sites = AccountSites::read_for_addresses(context, api, &names).await?;
        input.find_sites(planned.sites.as_ref())?;
        let sites = args.sites.with_ids(planned.sites.as_ref())?;
        let mut clients = None;
        if sites.adds_sites() {
            clients = Some(AllClients::read(api).await?);
        }
        let mut client = find_client(api, id_or_email).await?;
        planned.read_at = Some(Instant::now());
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
        input.require_id(&planned.id)?;
        if let Some(flag) = sites_flag {
            let resulting_sites = sites.resulting_sites(&client)?;
            planned.not_removed = sites.missing_sites(&client);
            let current = client.texts("site_ids").map(BTreeSet::from_iter);
            if current != Some(resulting_sites.iter().cloned().collect()) {
                input.set_sites(resulting_sites, flag);
            }
        }
        let claimed = &input.sites() - &sites_of(&client);
        planned.client = Some(client);
        if !claimed.is_empty() || must_read && input.fields.contains_key("email") {
            let clients = match clients {
                Some(clients) => clients,
                None => AllClients::read(api).await?,
            };
            let moved = sites.move_site.iter().map(ToString::to_string).collect();
            let checked = planned.check(context, api, &clients, &claimed, &moved, input.email());
            checked.await.map_err(|error| input.with_sources(error))?;
            let moved = &claimed & &moved;
            planned.releases = find_site_releases(&clients, &moved, Some(&planned.id));
        }
        Ok(planned)
    }

    /// Checks that the client can have these sites, some of them moved, and this email, which may be
    /// empty.
    ///
    /// # Errors
    /// `Invalid` with all problems that the lists of clients and sites show.
    async fn check(
        &mut self,
        context: &Context,
        api: &Api,
        clients: &AllClients,
        claimed: &BTreeSet<String>,
        moved: &BTreeSet<String>,
        email: &str,
    ) -> Result<()> {
        let id = self.id.clone();
        let owner_of = |field, value: &str| {
            let indexes = clients.indexes_with_value(field, value).iter();
            let mut owners = indexes.map(|index| &clients.list[*index]);
            owners.find(|owner| owner.id().as_ref() != Some(&id))
        };
        let sites = claimed.iter().map(String::as_str);
        let without_owner: Vec<&str> = sites
            .filter(|site| owner_of("site_ids", site).is_none())
            .collect();
        if !without_owner.is_empty() && self.sites.is_none() {
            // Without the list, only the service checks the sites.
            self.sites = AccountSites::read_for(context, api, &without_owner)
                .await
                .ok();
        }
        let mut details = Vec::new();
        for site in claimed {
            let name = self.site_name(context, site);
            let (code, message) = match (owner_of("site_ids", site), &self.sites) {
                (Some(owner), _) if !moved.contains(site) => {
                    let owner = name_and_id(owner);
                    (ALREADY_ASSIGNED, format!("'{name}' is assigned to {owner}"))
                }
                (None, Some(sites)) if !sites.may_have(site) => {
                    (INVALID_ID, format!("'{name}' is not a site of the account"))
                }
                _ => continue,
            };
            details.push(Detail::new(code, "site_ids", message));
        }
        if let Some(owner) = owner_of("email", &email_key(email)) {
            let message = format!("'{email}' is the email of {}", name_and_id(owner));
            details.push(Detail::new("already_exists", "email", message));
        }
        if details.is_empty() {
            return Ok(());
        }
        let error = Error::new(Kind::Invalid, "Invalid parameters.").with_details(details);
        let refused = claimed - moved;
        Err(suggest_moving_sites(
            error,
            clients,
            &refused,
            &id,
            Some(&id),
        ))
    }

    /// Returns the name of a site for a person.
    fn site_name(&self, context: &Context, id: &str) -> String {
        let sites = self.sites.as_ref();
        sites.map_or(id.into(), |sites| {
            sites.name(id, context.ui.stderr_terminal)
        })
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

    /// Makes the updates: of the clients that release sites, and of the client. Its update is held
    /// back if a site was surely not released. The error names the sites that were released for it.
    async fn send(
        &self,
        writer: ClientWriter<'_>,
        fields: &Map<String, Value>,
    ) -> Result<ChangedClient> {
        let mut releasing = Vec::new();
        let mut moved = BTreeSet::new();
        let mut held_back = None;
        for (release, client) in self
            .releases
            .iter()
            .filter_map(|one| Some((one, one.client.as_ref()?)))
        {
            if held_back.is_some() {
                break;
            }
            let sites = ClientSites::new(client);
            let updated = sites.update(writer, &release.fields()).await;
            let mut released = release.released_sites();
            let kept: Vec<&str> = released
                .iter()
                .map(|site| &**site)
                .filter(|site| sites.keeps(site))
                .collect();
            if let Err(error) = updated.and_then(|changed| changed.all_values_stored)
                && (!kept.is_empty() || error.kind == Kind::Interrupted)
            {
                let error = not_released(&error, &sites.name, &kept.join(", "));
                held_back =
                    Some(error.append_to_message(&format!("client {} was not changed", self.id)));
            }
            moved.append(&mut released);
            releasing.push(sites);
        }
        let client = self
            .client
            .clone()
            .unwrap_or_else(|| Record::from_json("{}".into()).with_id(&self.id));
        let mut sites = ClientSites::new(&client);
        sites.read_at = self.read_at.filter(|_| releasing.is_empty());
        let updated = match held_back {
            Some(error) => Err(error),
            None => sites.update(writer, fields).await,
        };
        let missing = sites.missing(&moved);
        let name_sites = |error| name_released_sites(error, &releasing, &missing);
        let mut changed = updated.map_err(name_sites)?;
        changed.all_values_stored = changed.all_values_stored.map_err(name_sites);
        Ok(changed)
    }

    /// Returns the updates: of the clients that release sites, and of the client.
    fn into_plan(self, key: &str, fields: &Map<String, Value>) -> Plan {
        let mut steps = self.releases;
        steps.extend(self.client.map(|client| {
            let changes = differences(&client, fields);
            Step {
                action: if changes.is_empty() {
                    Action::Unchanged
                } else {
                    Action::Update
                },
                key: key.into(),
                id: client.id(),
                changes,
                client: Some(client),
                ..Step::default()
            }
        }));
        let sites = self.sites;
        Plan { steps, sites }
    }

    /// Returns the question, with the sites that the client gets and loses.
    fn question(&self, context: &Context, client: &str, fields: &Map<String, Value>) -> Question {
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let current = self.client.as_ref();
        let client = current.map_or(client.into(), name_and_id);
        let mut question = format!("Update the {} of {client}", names.join(", "));
        let site_name = |site: &String| self.site_name(context, site);
        if let Some(sites) = fields.get("site_ids").map(sites_or_email)
            && let Some(current) = current.map(sites_of)
        {
            let released = self
                .releases
                .iter()
                .flat_map(Step::released_sites)
                .collect();
            for (change, sites) in [
                ("adding", &(&sites - &current) - &released),
                ("removing", &current - &sites),
            ] {
                if !sites.is_empty() {
                    let sites: Vec<String> = sites.iter().map(site_name).collect();
                    question += &format!(", {change} {}", sites.join(", "));
                }
            }
        }
        if !self.releases.is_empty() {
            let moved = describe_releases(&self.releases, site_name);
            question += &format!(", moving {moved}");
        }
        Question::new(question)
    }
}
