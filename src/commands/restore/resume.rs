//! `sitectl restore resume`: sends the restores of a run that are left, as they were decided, and
//! reports the run.

use super::args::RunArgs;
use super::confirm::{Planned, Preview};
use super::conflict::look_up;
use super::requested::{RequestedRestore, RequestedSnapshot};
use super::row::is_of_site;
use super::send::Submission;
use crate::client::{Api, Consent};
use crate::commands::consent::Confirmation;
use crate::commands::context::Context;
use crate::commands::sites::find::AccountSites;
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Journal, Run, Runs, is_same_json};
use crate::resources::{Outcome, RESTORES, Scope};
use crate::shell::shell_option;
use crate::terminal::pluralize;

const EXAMPLES: &str = "\
Examples:
  sitectl restore resume --dry-run
  sitectl restore resume 20261123-081500

sitectl sends only restores that were never sent, or that the service did not process. It
sends them as they were decided: the journal has their snapshots and scopes, and the plan is not
read again.";

/// Resume a run of restores.
///
/// Sends the restores of the run that are left, and reports all restores of the run. If none is
/// left, the command sends no restore, and reports the run with its exit code.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Id of the run [default: the newest run, if it has restores to send]
    #[arg(value_name = "RUN")]
    run_id: Option<NameOf<Run>>,
    #[command(flatten)]
    run: RunArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    context.output_options().check_fields(&RESTORES, &[])?;
    let confirmation = context.confirmation(args.run.yes, &args.run.confirm)?;
    let journal = context.journal()?;
    let api = context.api().await?;
    journal.read()?;
    let run = find_run(context, &journal.runs(), args.run_id.as_deref())?.clone();
    require_same_account(context, &run)?;
    let is_single = false;
    resume(
        context,
        &api,
        &journal,
        &args.run,
        &confirmation,
        &run,
        is_single,
    )
    .await
}

/// Returns the run with this id or, without an id, the newest run of the account, if it is at most
/// 24 hours old and has restores to send.
///
/// # Errors
/// `NotFound` if there is none.
fn find_run<'r>(context: &Context, runs: &'r Runs, run_id: Option<&str>) -> Result<&'r Run> {
    if let Some(run_id) = run_id {
        let run = runs.of_service().find(|run| run.id == run_id);
        return run.ok_or_else(|| {
            let message = format!("run '{run_id}' not found in the journal of this service");
            Error::new(Kind::NotFound, message).with_hint(Hint::command(
                "list the runs",
                "restore history --fields run,site_id,outcome",
            ))
        });
    }
    let is_own = |run: &&Run| run.details.profile == context.settings.account.profile;
    let newest = runs.of_service().rfind(is_own);
    if let Some(run) = newest.filter(|run| run.is_recent() && runs.has_left(run)) {
        return Ok(run);
    }
    let message = "nothing to resume: the newest run, if there is one, is older than 24 hours, \
         or has no restores to send";
    let error = Error::new(Kind::NotFound, message);
    let left = runs.of_service().rev().filter(is_own);
    let left = left.filter(|run| runs.has_left(run));
    let ids: Vec<&str> = left.map(|run| run.id.as_str()).collect();
    Err(match ids.as_slice() {
        [] => error.with_hint(Hint::command("start restores", "restore start --help")),
        [newest, ..] => error
            .append_to_message(&format!("runs that have: {}", ids.join(", ")))
            .with_hint(Hint::command("resume one", "restore resume").words(newest)),
    })
}

/// Refuses to resume or watch a run of another account.
///
/// # Errors
/// `Conflict` with the option that selects the account.
pub fn require_same_account(context: &Context, run: &Run) -> Result<()> {
    let profile = &run.details.profile;
    if *profile == context.settings.account.profile {
        return Ok(());
    }
    let run_id = &run.id;
    let account = match profile {
        Some(name) => format!("with the profile '{name}'"),
        None => "without a profile".into(),
    };
    let message = format!("run {run_id} was started {account}");
    let hint = match profile {
        Some(name) => {
            let option = shell_option("--profile", name);
            format!("use the same account: sitectl {option} restore resume {run_id}")
        }
        None => "select its service and token with SITECTL_BASE_URL and SITECTL_TOKEN".into(),
    };
    Err(Error::new(Kind::Conflict, message).with_hint(hint))
}

/// Sends what is left of a run after a confirmation, and reports the run.
///
/// # Errors
/// The outcome of the run.
pub async fn resume(
    context: &Context,
    api: &Api,
    journal: &Journal,
    args: &RunArgs,
    confirmation: &Confirmation<'_>,
    run: &Run,
    is_single: bool,
) -> Result<()> {
    let ids: Vec<_> = run.entries().map(|entry| entry.id()).collect();
    let command = Submission {
        context,
        api,
        journal,
        args,
        run_id: run.id.clone(),
        force: false,
        is_single,
        look_up_errors: look_up(api, journal, &ids, args.dry_run).await?,
    };
    let selected = command.select()?;
    let left: Vec<usize> = {
        let runs = journal.runs();
        let left = selected
            .iter()
            .enumerate()
            .filter(|(_, one)| one.outcome(&runs) == Outcome::NotSent && one.error.is_none());
        left.map(|(index, _)| index).collect()
    };
    let time = context.ui.format_time(run.details.started_at);
    let restores = pluralize(run.restores.len(), "restore");
    let count = left.len();
    let note = format!("run {} of {time}: {restores}, {count} left to send", run.id);
    context.ui.note(&note);
    if left.is_empty() {
        return command.report(selected, None, false, false).await;
    }
    let planned = |index: &usize| Planned {
        restore: run.restores[*index].decided.clone(),
        scanner: None,
        notes: Vec::new(),
    };
    let planned: Vec<Planned> = left.iter().map(planned).collect();
    let preview = Preview {
        context,
        confirmation,
        details: &run.details,
        restores: &planned,
        is_plan: count > 1,
        is_single,
    };
    if args.dry_run {
        preview.print()?;
        let blocked: Vec<Error> = selected.into_iter().filter_map(|one| one.error).collect();
        let blocked = Error::combine(blocked).map(|error| error.with_kind(Kind::Partial));
        return blocked.map_or(Ok(()), Err);
    }
    let consent: Consent = preview.confirm().await?;
    command
        .send(&consent, selected, &left, confirmation.prompts())
        .await
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
    let mut found = Vec::new();
    for request in requests {
        let mut site_id = request.site.clone();
        if let Some(sites) = sites {
            match sites.find(&request.site) {
                Ok(site) => site_id = site.id().unwrap_or_default(),
                Err(error) if error.kind == Kind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let Some(entry) = run.entries().find(|entry| is_of_site(entry, &site_id)) else {
            return error(format!("does not restore {site_id}"));
        };
        let restore = entry.decided();
        found.push(entry.index);
        if let Some(RequestedSnapshot::Id { id, .. }) = &request.snapshot
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
    found.sort_unstable();
    found.dedup();
    if found.len() != run.restores.len() {
        let count = run.restores.len();
        return error(format!("restores {}", pluralize(count, "site")));
    }
    Ok(())
}
