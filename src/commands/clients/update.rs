//! `sitectl clients update`.

use super::changes::{ChangedClient, ClientWriter};
use super::client_input::{ClientInput, FieldArgs, invalid_values};
use super::compare::differences;
use super::moving::{
    ClientSites, INVALID_ID, describe_releases, find_site_releases, name_released_sites,
    not_released, site_problem, suggest_moving_sites, taken_email,
};
use super::plan::{Action, Plan, Step, changed_during_confirmation};
use super::show::print_plan;
use super::site_args::SiteArgs;
use super::site_lock::SiteLock;
use crate::client::{Api, ClientChange};
use crate::commands::choose::require_prompt;
use crate::commands::consent::Question;
use crate::commands::context::Context;
use crate::commands::find_clients::{
    AllClients, client_or_choice, find_client, looks_like_email, name_and_id, sites_of,
    with_search_hint,
};
use crate::commands::find_sites::AccountSites;
use crate::config::NameOf;
use crate::error::{Detail, Error, Kind, Result};
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
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    if !args.dry_run {
        context.output().check_fields(&CLIENTS, &[])?;
    }
    let confirmation = context
        .confirmation_or_dry_run(args.dry_run)?
        .without_question();
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
    input.fail_if_invalid(ClientChange::Update)?;
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
    if let Some(client) = planned.client() {
        input.require_unknown_fields_of(client)?;
    }
    for site in &planned.not_removed {
        context
            .ui
            .warn(&format!("{} does not have the site '{site}'", planned.id));
    }
    if input.fields.is_empty()
        && let Some(client) = planned.client()
    {
        context.ui.note("nothing to change");
        return context.output().print_record(client);
    }
    if args.dry_run {
        return print_plan(context, &planned.plan);
    }
    let question = planned.question(&input.fields);
    let consent = confirmation.ask(&[question]).await?;
    if asks {
        if changes_sites {
            held = Some(lock.hold().await);
        }
        let current =
            PlannedUpdate::read(context, &api, &client, args, &mut input, must_read).await?;
        if !current.is_same(&planned) {
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
        *error = error.clone().without_hints().with_hint(format!(
            "run the same command again with the id {} instead of the email: \
             it is safe, because an update is idempotent",
            planned.id
        ));
    }
    let updated = updated.map_err(|error| with_search_hint(error, &planned.id));
    input.print_changed(context, "updated", updated)
}

/// The basis of an update.
#[derive(Default)]
struct PlannedUpdate {
    id: String,
    /// When the client was read; None if the update does not depend on it.
    read_at: Option<Instant>,
    /// The updates of the clients that release sites, and last that of the client, if it was read.
    plan: Plan,
    /// The sites to remove that the client does not have.
    not_removed: Vec<String>,
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
        if !changes_sites && !looks_like_email(id_or_email) && !must_read {
            input.require_id(id_or_email)?;
            return Ok(planned);
        }
        // The lists are read first, because the client is read right before its update.
        let names = args.sites.names().map(|name| name.to_string());
        let names: Vec<String> = names.chain(input.sites()).collect();
        let mut account_sites = AccountSites::read_for_addresses(context, api, &names).await?;
        input.find_sites(account_sites.as_ref())?;
        let sites = args.sites.with_ids(account_sites.as_ref())?;
        let mut clients = None;
        if let Some("--add-site" | "--set-site" | "--move-site") = sites_flag {
            clients = Some(AllClients::read(api).await?);
        }
        let mut client = find_client(api, id_or_email).await?;
        planned.read_at = Some(Instant::now());
        match client.id() {
            Some(id) if !looks_like_email(id_or_email) && !id.eq_ignore_ascii_case(id_or_email) => {
                let message = format!(
                    "the service shows the client '{id}' instead of '{id_or_email}'; no changes \
                     were made"
                );
                return Err(Error::new(Kind::Unavailable, message));
            }
            Some(id) => planned.id = id,
            None => client = client.with_id(id_or_email),
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
        let id = Some(&*planned.id);
        let claimed = &input.sites() - &sites_of(&client);
        if !claimed.is_empty() || must_read && input.fields.contains_key("email") {
            let clients = match clients {
                Some(clients) => clients,
                None => AllClients::read(api).await?,
            };
            let has_no_owner = |site: &&str| clients.owner("site_ids", site, id).is_none();
            let unassigned: Vec<&str> = claimed
                .iter()
                .map(|site| &**site)
                .filter(has_no_owner)
                .collect();
            if account_sites.is_none() && !unassigned.is_empty() {
                // Without the list, only the service checks the sites.
                account_sites = AccountSites::read_for(context, api, &unassigned).await.ok();
            }
            let moved = sites.move_site.iter().map(ToString::to_string);
            let moved = BTreeSet::from_iter(moved);
            let sites = account_sites.as_ref();
            let details = problems(&clients, sites, &claimed, &moved, input.email(), id);
            if !details.is_empty() {
                let error = invalid_values(details);
                let refused = &claimed - &moved;
                let error = suggest_moving_sites(error, &clients, sites, &refused, &planned.id);
                return Err(input.with_sources(error));
            }
            planned.plan.steps = find_site_releases(&clients, &(&claimed & &moved), id);
        }
        planned.plan.sites = account_sites;
        let changes = differences(&client, &input.fields);
        planned.plan.steps.push(Step {
            action: if changes.is_empty() {
                Action::Unchanged
            } else {
                Action::Update
            },
            key: id_or_email.into(),
            id: client.id(),
            changes,
            client: Some(client),
            ..Step::default()
        });
        Ok(planned)
    }

    /// Returns the updates of the clients that release sites, and that of the client, if it was
    /// read.
    fn steps(&self) -> (&[Step], Option<&Step>) {
        match self.plan.steps.split_last() {
            Some((own, releases)) => (releases, Some(own)),
            None => (&[], None),
        }
    }

    fn client(&self) -> Option<&Record> {
        self.steps().1?.client.as_ref()
    }

    /// Whether `other`, which was read earlier, makes the same changes.
    fn is_same(&self, other: &Self) -> bool {
        let mut steps = self.plan.steps.iter().zip(&other.plan.steps);
        self.plan.steps.len() == other.plan.steps.len()
            && steps.all(|(one, other)| one.id == other.id && one.changes == other.changes)
    }

    /// Makes the updates: of the clients that release sites, and of the client. Its update is held
    /// back if a site was surely not released. The error names the sites that were released for it.
    async fn send(
        &self,
        writer: ClientWriter<'_>,
        fields: &Map<String, Value>,
    ) -> Result<ChangedClient> {
        let (releases, own) = self.steps();
        let mut sites = ClientSites::new(&self.id, own.and_then(|step| step.client.as_ref()));
        sites.read_at = self.read_at.filter(|_| releases.is_empty());
        let mut releasing = Vec::new();
        let mut held_back = None;
        for step in releases {
            let sites = ClientSites::new(&step.key, step.client.as_ref());
            let updated = sites.update(writer, &step.fields()).await;
            let mut kept = Vec::from_iter(step.released_sites());
            kept.retain(|site| sites.keeps(site));
            held_back = updated.and_then(|changed| changed.all_values_stored).err();
            held_back = held_back
                .filter(|error| !kept.is_empty() || error.kind == Kind::Interrupted)
                .map(|error| match kept.join(", ") {
                    kept if kept.is_empty() => error,
                    kept => not_released(&error, &sites.name, &kept),
                });
            releasing.push(sites);
            if held_back.is_some() {
                break;
            }
        }
        let updated = match held_back {
            Some(error) => {
                Err(error.append_to_message(&format!("client {} was not changed", self.id)))
            }
            None => sites.update(writer, fields).await,
        };
        let updated = updated.map_err(|error| self.name_own_sites(&error));
        let moved = releases.iter().flat_map(Step::released_sites).collect();
        let missing = sites.missing(&moved);
        let name_sites = |error| name_released_sites(error, &releasing, &missing);
        let mut changed = updated.map_err(name_sites)?;
        changed.all_values_stored = changed.all_values_stored.map_err(name_sites);
        Ok(changed)
    }

    /// Names the sites that the client had in the problems that the service reports: they are not
    /// those of a flag, but the complete list is sent.
    fn name_own_sites(&self, error: &Error) -> Error {
        let own = self.client().map(sites_of).unwrap_or_default();
        let mut details = error.details.clone();
        for detail in &mut details {
            let mut words = detail
                .message
                .split(|c: char| c.is_whitespace() || "\"',".contains(c));
            if detail.code() == INVALID_ID
                && let Some(site) = words.find(|word| own.contains(*word))
            {
                detail.param = site.into();
            }
        }
        error.clone().with_details(details)
    }

    /// Returns the question, with the sites that the client gets and loses.
    fn question(&self, fields: &Map<String, Value>) -> Question {
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let client = self.client().map_or(self.id.clone(), name_and_id);
        let mut question = format!("Update the {} of {client}", names.join(", "));
        let (releases, own) = self.steps();
        let moved = releases.iter().flat_map(Step::released_sites).collect();
        let site_name = |site: &String| self.plan.site_name(site);
        for (change, sites) in [
            ("adding", own.map(|own| &own.claimed_sites() - &moved)),
            ("removing", own.map(Step::released_sites)),
        ] {
            let sites: Vec<String> = sites.iter().flatten().map(site_name).collect();
            if !sites.is_empty() {
                question += &format!(", {change} {}", sites.join(", "));
            }
        }
        if !releases.is_empty() {
            let moved = describe_releases(releases, site_name);
            question += &format!(", moving {moved}");
        }
        Question::new(question)
    }
}

/// Returns the problems of the sites and the email that the client with this id gets. Another client
/// releases the sites that are moved.
fn problems(
    clients: &AllClients,
    sites: Option<&AccountSites>,
    claimed: &BTreeSet<String>,
    moved: &BTreeSet<String>,
    email: &str,
    id: Option<&str>,
) -> Vec<Detail> {
    let mut details = Vec::new();
    for site in claimed {
        let problem = site_problem(clients, sites, site, id, moved.contains(site));
        details.extend(problem.map(|(code, message)| Detail::new(code, "site_ids", message)));
    }
    let problem = taken_email(clients, email, id);
    details.extend(problem.map(|(code, message)| Detail::new(code, "email", message)));
    details
}
