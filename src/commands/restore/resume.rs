//! `sitectl restore resume`: sends the restores of a run that are left, as they were decided, and
//! reports the run.

use super::account::require_same_account;
use super::args::RunArgs;
use super::confirm::Preview;
use super::conflict::look_up_sites;
use super::report::RunReport;
use super::requested::{RequestedRestore, RequestedSnapshot};
use super::send::RunCommand;
use crate::client::SiteUrl;
use crate::commands::bulk::Outcomes;
use crate::commands::consent::Confirmation;
use crate::commands::context::Context;
use crate::commands::sites::AccountSites;
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::journal::{DecidedRestore, Journal, Run, Runs, is_same_json};
use crate::resources::{Outcome, Scope};
use crate::terminal::pluralize;

const EXAMPLES: &str = "\
Examples:
  sitectl restore resume --dry-run
  sitectl restore resume 20261123-081500 --watch --yes

sitectl sends only restores that were never sent, or that the service surely did not process. It
sends them as they were decided: the journal has their snapshots and scopes, and the plan is not
read again.";

/// Resume a run of restores.
///
/// Sends the restores of the run that are left, and reports all restores of the run. If none is
/// left, the command sends no restore, and reports the run with its exit code.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Id of the run [default: the newest partly started run of the last 24 hours]
    #[arg(value_name = "RUN")]
    run_id: Option<NameOf<Run>>,
    #[command(flatten)]
    run: RunArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    args.run.check_fields(context)?;
    let confirmation = context.confirmation(args.run.yes, &args.run.confirm)?;
    let journal = context.journal()?;
    let api = context.api().await?;
    let run_id = find_run(context, &journal, args.run_id.as_deref())?;
    let command = RunCommand {
        context,
        api: &api,
        journal: &journal,
        args: &args.run,
        run_id,
        force: false,
        prints_list: true,
    };
    let run = command.run()?;
    require_same_account(context, &run)?;
    let time = context.ui.format_time(run.details.started_at);
    let restores = pluralize(run.restores.len(), "restore");
    let left = command.left_to_send().len();
    let run_id = &run.id;
    context.ui.note(&format!(
        "run {run_id} of {time}: {restores}, {left} left to send"
    ));
    let may_send = true;
    continue_run(&command, &confirmation, may_send).await
}

/// Returns the id of the run with this id or, without an id, of the newest run of the last 24 hours
/// that was interrupted: it has a restore that is left to send, and one that was sent.
///
/// # Errors
/// `NotFound` if there is none.
fn find_run(context: &Context, journal: &Journal, run_id: Option<&str>) -> Result<String> {
    let runs = journal.read()?;
    let program = context.program();
    if let Some(run_id) = run_id {
        let mut known = runs.of_service();
        return known
            .find(|run| run.id == run_id)
            .map(|run| run.id.clone())
            .ok_or_else(|| {
                let message = format!("run '{run_id}' not found in the journal of this service");
                Error::new(Kind::NotFound, message).with_hint(format!(
                    "list the runs: {program} restore history --fields run,site_id,outcome"
                ))
            });
    }
    let mut of_account: Vec<&Run> = runs.of_service().collect();
    of_account.retain(|run| run.details.profile == context.settings.account.profile);
    let is_interrupted = |run: &&&Run| {
        let outcomes: Vec<Outcome> = runs.entries_of_run(run).map(|one| one.outcome).collect();
        run.is_recent()
            && outcomes.contains(&Outcome::NotSent)
            && outcomes
                .iter()
                .any(|outcome| outcome.was_accepted() || *outcome == Outcome::Unknown)
    };
    of_account
        .iter()
        .rev()
        .find(is_interrupted)
        .map(|run| run.id.clone())
        .ok_or_else(|| no_interrupted_run(&program, &runs, &of_account))
}

/// Returns the error that names what there is instead of an interrupted run.
fn no_interrupted_run(program: &str, runs: &Runs, of_account: &[&Run]) -> Error {
    let error = Error::new(
        Kind::NotFound,
        "no interrupted run of the last 24 hours found in the journal of this account",
    );
    let mut newest_first = of_account.iter().rev();
    let unfinished = newest_first.find(|run| runs.is_unfinished(run));
    let Some(run) = unfinished.or(of_account.last()) else {
        return error.with_hint(format!("start restores: {program} restore start --help"));
    };
    let mut entries = runs.entries_of_run(run);
    let verb = match unfinished {
        Some(_) if entries.any(|entry| entry.outcome == Outcome::NotSent) => "continue",
        _ => "report",
    };
    let which = if unfinished.is_some() {
        "last unfinished"
    } else {
        "last"
    };
    let run_id = &run.id;
    error.with_hint(format!(
        "{verb} the {which} run: {program} restore resume {run_id}"
    ))
}

/// Sends what is left of a run after a confirmation, if `may_send`, and reports the run.
///
/// # Errors
/// The error of the run.
pub async fn continue_run(
    command: &RunCommand<'_>,
    confirmation: &Confirmation<'_>,
    may_send: bool,
) -> Result<()> {
    let args = command.args;
    let run = command.run()?;
    let all: Vec<DecidedRestore> = run.restores.iter().map(|one| one.decided.clone()).collect();
    let mut left = command.left_to_send();
    // Watching looks up the others.
    let looked_up = if args.watches() {
        left.iter().map(|index| all[*index].clone()).collect()
    } else {
        all.clone()
    };
    look_up_sites(command.api, command.journal, &looked_up, args.dry_run).await?;
    let mut sent = Outcomes::default();
    if may_send && !left.is_empty() {
        sent.rows = command.conflicts_of(&left);
        left.retain(|index| !sent.rows.contains_key(index));
        for error in sent
            .rows
            .values()
            .filter_map(|result| result.as_ref().err())
        {
            command.context.ui.warn(&error.message);
        }
    }
    if may_send && !left.is_empty() {
        let restores: Vec<DecidedRestore> = left.iter().map(|index| all[*index].clone()).collect();
        let preview = Preview {
            context: command.context,
            confirmation,
            restores: &restores,
            is_plan: restores.len() > 1,
            prints_list: command.prints_list,
            last_restores: Vec::new(),
            scanners: Vec::new(),
        };
        if args.dry_run {
            preview.print()?;
            let conflicts: Vec<Error> = sent.rows.into_values().filter_map(Result::err).collect();
            let is_partial = conflicts.len() < all.len();
            return match Error::combine(conflicts) {
                Some(error) if is_partial => Err(error.with_kind(Kind::Partial)),
                Some(error) => Err(error),
                None => Ok(()),
            };
        }
        let consent = preview.confirm().await?;
        let conflicts = sent.rows;
        sent = command.send(&consent, &left).await?;
        sent.rows.extend(conflicts);
    } else if !left.is_empty() {
        let hint = format!("resume the run: {}", command.resume_command());
        let message = "not sent: the run is older than 24 hours";
        let error = Error::new(Kind::Conflict, message).with_hint(hint);
        let refused = left.iter().map(|index| (*index, Err(error.clone())));
        sent.rows.extend(refused);
        sent.stopped_by = Some(error);
    }
    let report = RunReport::new(command, sent)?;
    report.finish().await
}

/// Returns the restore of a run whose site has this id or URL.
pub fn site_in_run<'r>(run: &'r Run, site: &str) -> Option<&'r DecidedRestore> {
    let url = SiteUrl::parse(site);
    let mut restores = run.restores.iter().map(|restore| &restore.decided);
    restores.find(|restore| {
        let restore_url = restore.url.as_deref().and_then(SiteUrl::parse);
        restore.site_id == site || (url.is_some() && restore_url == url)
    })
}

/// Refuses a command whose restores are not those of the run with its idempotency key. `latest` and
/// times are not compared. `sites` is set if the run does not know a site of the command.
///
/// # Errors
/// `Conflict` with the difference.
pub fn require_same_restores(
    run: &Run,
    requests: &[RequestedRestore],
    sites: Option<&AccountSites>,
) -> Result<()> {
    let run_id = &run.id;
    let error = |difference: String| {
        let message = format!("run {run_id} has this key, but {difference}");
        Err(Error::new(Kind::Conflict, message)
            .with_hint("use a new key for each run, such as the id of the pipeline"))
    };
    if requests.len() != run.restores.len() {
        let count = run.restores.len();
        return error(format!("restores {}", pluralize(count, "site")));
    }
    for request in requests {
        let mut site_id = request.site.clone();
        if let Some(sites) = sites {
            match sites.find(&request.site) {
                Ok(site) => site_id = site.id().unwrap_or_default(),
                Err(error) if error.kind == Kind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let Some(restore) = site_in_run(run, &site_id) else {
            return error(format!("does not restore {site_id}"));
        };
        if let RequestedSnapshot::Id(id) = &request.snapshot
            && *id != restore.snapshot_id
        {
            let snapshot_id = &restore.snapshot_id;
            return error(format!("restores {site_id} from {snapshot_id}"));
        }
        if let Some(scope) = &request.scope
            && !is_same_json(scope, &restore.scope)
        {
            let scope = Scope::describe(&restore.scope);
            return error(format!("restores {scope} of {site_id}"));
        }
    }
    Ok(())
}
