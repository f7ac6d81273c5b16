//! `sitectl restore start`. Everything is decided and confirmed once, and then written to the
//! journal as a run, before the first request that changes something.

use super::args::Args;
use super::check::hint_at_plan;
use super::choose::choose_scope;
use super::plan_file::PlanFile;
use super::requested::{Defaults, LATEST, RequestedRestore, RequestedSnapshot};
use super::resume::resume;
use super::session::Session;
use super::source::{Requests, RestoreSource};
use super::submit::Submission;
use crate::client::is_address;
use crate::commands::context::Context;
use crate::commands::find_sites::choose_site;
use crate::config::process_user;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Run, RunDetails, current_time};
use crate::output::ResultShape;
use crate::resources::{RESTORES, RestoreScope, render_scope};
use crate::shell::{shell_arguments_with, shell_option};
use crate::terminal::pluralize;

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    context.output().check_fields(&RESTORES, &[])?;
    let confirmation = context.confirmation_or_dry_run(args.run.dry_run)?;
    let mut requests = read_requests(context, args)?;
    let session = Session::open(context).await?.with_dry_run(args.run.dry_run);
    let shape = match args.plan {
        Some(_) => ResultShape::List,
        None => ResultShape::Object,
    };
    if let Some(run) = find_run_with_key(&session, args, &requests).await? {
        return resume(&session, &args.run, confirmation, run, shape).await;
    }
    if let RestoreSource::Plan(plan) = &requests.source
        && requests.rows.is_empty()
    {
        plan.require_valid(&[])?;
        context
            .ui
            .note(&format!("nothing to start in {}", plan.name()));
        return context
            .output()
            .print_rows(&RESTORES, &[(); 0], ResultShape::List);
    }
    if !args.run.dry_run {
        let target = match args.site_id.as_deref() {
            Some(site) => format!("the live site {site}"),
            None => pluralize(requests.rows.len(), "live site"),
        };
        confirmation.require_person(&format!("Overwrite {target}"))?;
    }
    choose_missing(&session, args, &mut requests).await?;
    refuse_token(&session, &requests)?;
    let submission = Submission {
        session: &session,
        args: &args.run,
        confirmation,
        details: run_details(&session, args.idempotency_key.as_deref())?,
        refuses_repeated: args.plan.is_some() && args.idempotency_key.is_none(),
        shape,
    };
    let started = submission.run(&requests).await;
    let has_started = started.map_err(|error| match requests.source {
        RestoreSource::Arguments => error.with_flags(|param| args.scope.flag_for_param(param)),
        _ => error,
    })?;
    // Another process can have started a run with the key meanwhile.
    if !has_started && let Some(run) = find_run_with_key(&session, args, &requests).await? {
        return resume(&session, &args.run, submission.confirmation, run, shape).await;
    }
    Ok(())
}

/// Reads what the arguments or the plan request.
///
/// # Errors
/// `Usage` if something is missing that cannot be prompted for; `Invalid` if the plan is not of its
/// format.
fn read_requests(context: &Context, args: &Args) -> Result<Requests> {
    let before = args.before.as_ref().map(|time| time.timestamp);
    let snapshot = args
        .snapshot_id
        .as_deref()
        .or(args.plan_args.snapshot.as_deref());
    let defaults = Defaults {
        snapshot: RequestedSnapshot::new(snapshot.unwrap_or_default(), before),
        scope: args.scope.to_scope()?,
        reason: args.new_run.reason(&context.ui),
    };
    let backup_first = args.new_run.backup_first;
    let may_choose = context.ui.may_choose();
    if let Some(file) = &args.plan {
        context.ui.reads_input(file);
        let (plan, rows) = PlanFile::read(file, &defaults, &context.service_key()?)?;
        for site in &plan.not_checked {
            context
                .ui
                .announce(&format!("left out: {site} was not checked"));
        }
        if rows.iter().all(|row| row.scope.is_none()) && !rows.is_empty() {
            plan.require_valid(&[])?;
            if !may_choose {
                return Err(missing_scope(args));
            }
        }
        return Ok(Requests {
            rows,
            source: RestoreSource::Plan(plan),
            backup_first,
        });
    }
    let row = RequestedRestore {
        site: args.site_id.as_deref().unwrap_or_default().trim().into(),
        snapshot: defaults.snapshot,
        scope: defaults.scope,
        reason: defaults.reason,
        earlier: None,
    };
    if !may_choose {
        require_complete(args, &row)?;
    }
    Ok(Requests {
        rows: vec![row],
        source: RestoreSource::Arguments,
        backup_first,
    })
}

/// Prompts for the site, or for the scope of a plan. The snapshot and the scope of a single restore
/// are prompted for later.
async fn choose_missing(session: &Session<'_>, args: &Args, requests: &mut Requests) -> Result<()> {
    let context = session.context;
    if args.plan.is_none() && args.site_id.is_none() {
        requests.rows[0].site = choose_site(context, session.sites().await?).await?;
    }
    if args.plan.is_some() && requests.rows.iter().all(|row| row.scope.is_none()) {
        let scope = choose_scope(&context.ui).await?;
        for row in &mut requests.rows {
            row.scope = Some(scope.clone());
        }
    }
    Ok(())
}

/// Returns the details of a new run, for the journal, which must not contain the token.
pub fn run_details(session: &Session<'_>, key: Option<&str>) -> Result<RunDetails> {
    let context = session.context;
    let env = &context.env;
    let masked = |text: Option<&str>| Some(context.ui.masked(text?));
    Ok(RunDetails {
        started_at: current_time(),
        user: env.user.clone().or_else(process_user),
        ci_url: masked(env.ci_url.as_deref()),
        profile: context.settings.account.profile.clone(),
        base_url: context.service_name()?,
        account: Some(session.account.clone()),
        reason: None,
        idempotency_key: masked(key),
    })
}

/// Refuses a scope with the token, because the journal would keep it.
fn refuse_token(session: &Session<'_>, requests: &Requests) -> Result<()> {
    for scope in requests.rows.iter().flat_map(|row| &row.scope) {
        if session.api.contains_token(scope.to_json()?.get()) {
            let message = "the scope contains the API token, which the journal would keep";
            let error = Error::new(Kind::Invalid, message).without_changes();
            return Err(error.with_hint("remove the token"));
        }
    }
    Ok(())
}

/// Returns the run of the account with the idempotency key of the command, if it has the same
/// restores.
///
/// # Errors
/// The problems of the plan; `Conflict` if the run is old or has other restores, or if another token
/// has started a run with the key and one of the sites.
async fn find_run_with_key(
    session: &Session<'_>,
    args: &Args,
    requests: &Requests,
) -> Result<Option<Run>> {
    let Some(key) = &args.idempotency_key else {
        return Ok(None);
    };
    let key = session.context.ui.masked(key);
    let (own, of_others) = {
        let runs = session.journal.runs();
        let own = session.run_with_key(&runs, &key).cloned();
        let with_key = |run: &&Run| run.details.idempotency_key.as_ref() == Some(&key);
        let with_key = runs.of_service().filter(with_key);
        let of_others: Vec<Run> = with_key.filter(|run| !session.owns(run)).cloned().collect();
        (own, of_others)
    };
    if own.is_none() && of_others.is_empty() {
        return Ok(None);
    }
    if let RestoreSource::Plan(plan) = &requests.source {
        plan.require_valid(&[])?;
    }
    let new_key = "use a new key for each run, such as the id of the pipeline";
    let Some(run) = own else {
        let sites = requested_site_ids(session, requests).await?;
        let mut entries = of_others.iter().flat_map(Run::entries);
        let other = entries.find(|entry| sites.contains(&entry.decided().site_id));
        return other.map_or(Ok(None), |entry| {
            let message = format!(
                "run {} of another account or token has this key, and restores {}",
                entry.run.id,
                entry.decided().site_name()
            );
            Err(Error::new(Kind::Conflict, message).with_hint(new_key))
        });
    };
    let ui = &session.context.ui;
    let time = ui.format_time(run.details.started_at);
    let announcement = format!("run {} of {time} has this key", run.id);
    if !run.is_recent() {
        let message = format!("{announcement}, and is older than 24 hours");
        return Err(Error::new(Kind::Conflict, message).with_hint(new_key));
    }
    ui.announce(&announcement);
    let sites = requested_site_ids(session, requests).await?;
    if let Some(difference) = find_difference(&run, requests, &sites) {
        let message = format!("run {} has this key, but {difference}", run.id);
        return Err(Error::new(Kind::Conflict, message).with_hint(new_key));
    }
    Ok(Some(run))
}

/// Returns the ids of the requested sites. Reads the list of sites only for an address: a site may
/// have got the one that another site had when it was restored.
async fn requested_site_ids(session: &Session<'_>, requests: &Requests) -> Result<Vec<String>> {
    let sites = || requests.rows.iter().map(|request| &request.site);
    if !sites().any(|site| is_address(site)) {
        return Ok(sites().cloned().collect());
    }
    let found = super::check::find_sites(requests, session.sites().await?)?;
    let found = found.into_iter().filter_map(|(_, site)| site.ok());
    Ok(found.map(|site| site.id).collect())
}

/// Returns the difference between the restores of a run and those of a command with these sites, in
/// the order of its requests. `latest` and times are not compared.
fn find_difference(run: &Run, requests: &Requests, sites: &[String]) -> Option<String> {
    let mut found = Vec::new();
    for (request, site_id) in requests.rows.iter().zip(sites) {
        let mut entries = run.entries();
        let Some(entry) = entries.find(|entry| entry.decided().site_id == *site_id) else {
            return Some(format!("does not restore {site_id}"));
        };
        let restore = entry.decided();
        let site = restore.site_name();
        found.push(entry.index);
        if requests.backup_first && !restore.backup_first {
            return Some(format!("does not back up {site} first"));
        }
        if let Some(RequestedSnapshot::Id { id, .. }) = &request.snapshot
            && let Some(snapshot_id) = &restore.snapshot_id
            && id != snapshot_id
        {
            return Some(format!("restores {site} from {snapshot_id}"));
        }
        if let Some(scope) = &request.scope
            && RestoreScope::parse(restore.scope.get()).ok().as_ref() != Some(scope)
        {
            let json = restore.scope.get();
            let scope = render_scope(json).unwrap_or_else(|| json.into());
            return Some(format!("restores {scope} of {site}"));
        }
    }
    let mut missing = run.entries().filter(|entry| !found.contains(&entry.index));
    let missing = missing.next()?;
    Some(format!("also restores {}", missing.decided().site_name()))
}

/// Refuses a restore without a site, a snapshot or a scope.
///
/// # Errors
/// `Usage` with the command that shows what can be specified.
fn require_complete(args: &Args, row: &RequestedRestore) -> Result<()> {
    let (message, hint) = if row.site == LATEST && args.snapshot_id.is_none() {
        (
            "SITE is required before latest",
            Hint::command("list the sites", "sites list"),
        )
    } else if args.site_id.is_none() {
        (
            "SITE and SNAPSHOT_ID are required when not running interactively",
            Hint::command("list the sites", "sites list"),
        )
    } else if row.snapshot.is_none() {
        let list = Hint::command("pass latest, or list the snapshots", "snapshots list");
        (
            "SNAPSHOT_ID is required when not running interactively",
            hint_at_plan(&row.site).unwrap_or_else(|| list.ids(&[&row.site])),
        )
    } else if row.scope.is_none() {
        return Err(missing_scope(args));
    } else {
        return Ok(());
    };
    Err(Error::usage(message).with_hint(hint))
}

/// Returns the error of a restore or a plan without a scope, with the options that set it.
fn missing_scope(args: &Args) -> Error {
    let mut options = "--full --dry-run".to_string();
    if let Some(before) = &args.before {
        options = format!("{} {options}", shell_option("--before", &before.text));
    }
    let arguments = match &args.plan {
        Some(file) => format!("{} {options}", shell_option("--plan", file)),
        None => {
            let names = [args.site_id.as_deref(), args.snapshot_id.as_deref()];
            let names: Vec<&str> = names.into_iter().flatten().collect();
            shell_arguments_with(&names, &options)
        }
    };
    Error::usage("no restore scope specified").with_hints(vec![
        Hint::command("preview a full restore", "restore start").words(&arguments),
        "restore a part with --files, --database, --path, --table or --subsite".into(),
    ])
}
