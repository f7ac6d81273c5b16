//! `sitectl restore watch`.

use super::args::PollingArgs;
use super::polling::watch;
use super::report::Report;
use super::row::{ReportedRestore, is_of_site};
use super::session::Session;
use crate::client::{Task, is_address};
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Entry, RestoreId, Runs};
use crate::output::ResultShape;
use crate::resources::{Outcome, RESTORES};
use crate::terminal::pluralize;
use jiff::Timestamp;

const EXAMPLES: &str = "\
Examples:
  sitectl restore watch
  TASK=$(sitectl restore start site-0003 latest --full -o ids)
  sitectl restore watch $TASK
  sitectl restore start site-0004 latest --files
  sitectl restore watch site-0004 --timeout 30m --json

The exit code is 0 if all restores succeeded. Otherwise, it is 10 if one failed, 11 if --timeout \
ended the wait, or 12 if an outcome is unknown, in this order.";

/// Watch restores.
///
/// For a site, sitectl watches its newest restore in the journal. If that restore has ended,
/// sitectl reports its outcome again. Without an argument, sitectl skips restores with an unknown
/// outcome and no task id that were sent at least 24 hours ago.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Tasks, or sites by id, URL or host name [default: unfinished restores of this account]
    #[arg(value_name = "TASK_ID|SITE")]
    tasks: Vec<NameOf<Task>>,
    #[command(flatten)]
    polling: PollingArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let output = context.output();
    output.check_fields(&RESTORES, &[])?;
    let session = Session::open(context).await?;
    let mut restores = if args.tasks.is_empty() {
        unfinished_restores(&session)?
    } else {
        find_restores(&session, &args.tasks).await?
    };
    let ended = watch(&session, &args.polling, &mut restores).await?;
    let report = Report {
        session: &session,
        is_printed: output.prints_events(),
        reported: &restores,
        ended,
        shape: ResultShape::List,
        change: None,
    };
    report.finish().await
}

/// Returns the restores of the account that are running, or whose outcome is unknown and that have
/// no later restore. Those without a task that have been unknown for more than 24 hours, and those
/// of other accounts, are only counted in a note.
fn unfinished_restores(session: &Session<'_>) -> Result<Vec<ReportedRestore>> {
    let context = session.context;
    let runs = session.journal.runs();
    let mut restores = Vec::new();
    let [mut old, mut of_others] = [0, 0];
    for entry in runs.entries_of_service() {
        let is_lost = entry.outcome() == Outcome::Unknown && entry.task_id().is_none();
        if !entry.outcome().is_unfinished() || is_lost && runs.later_accepted(&entry).is_some() {
            continue;
        }
        let age = Timestamp::now().duration_since(entry.started_at());
        if !session.owns(entry.run) {
            of_others += 1;
        } else if is_lost && age.as_hours() >= 24 {
            old += 1;
        } else {
            restores.push(ReportedRestore::of(&entry));
        }
    }
    let list = |outcomes: &str| {
        let command = format!("restore history --outcome {outcomes}");
        context.ui.hint(Hint::command("list them", command));
    };
    if old > 0 {
        let count = pluralize(old, "restore");
        context.ui.note(&format!(
            "not watched: {count} with an unknown outcome for more than 24 hours"
        ));
        list("unknown");
    }
    if restores.is_empty() {
        let account = context.describe_account()?;
        let note = format!("no unfinished restores {account} found in the journal");
        context.ui.note(&note);
    }
    if of_others > 0 {
        let count = pluralize(of_others, "unfinished restore");
        let note = format!("not watched: {count} that other accounts or tokens started");
        context.ui.note(&note);
        list("running,unknown");
    }
    Ok(restores)
}

/// Returns the restores of these tasks, and the newest restore of each of these sites, each once. An
/// id that the journal does not have is assumed to be that of a task.
///
/// # Errors
/// `NotFound` with all sites without a restore; `Usage` for an id of a site and a task; `Conflict`
/// for a restore of another account.
async fn find_restores(
    session: &Session<'_>,
    tasks_and_sites: &[NameOf<Task>],
) -> Result<Vec<ReportedRestore>> {
    let mut ids: Vec<RestoreId> = Vec::new();
    let mut tasks: Vec<&str> = Vec::new();
    let mut errors = Vec::new();
    for text in tasks_and_sites {
        match find_restore(session, text).await {
            Ok(Some(id)) if !ids.contains(&id) => ids.push(id),
            Ok(None) if !tasks.contains(&&**text) => tasks.push(text),
            Ok(_) => {}
            Err(error) if error.kind == Kind::NotFound => errors.push(error),
            Err(error) => return Err(error),
        }
    }
    if let Some(error) = Error::combine(errors) {
        return Err(error);
    }
    for id in &ids {
        let run = session.journal.runs().run(&id.run).cloned();
        if let Some(run) = run {
            let entries: Vec<Entry<'_>> = run.entries().skip(id.index).take(1).collect();
            session.require_access(&run, &entries).await?;
        }
    }
    let runs = session.journal.runs();
    let entries = ids.iter().filter_map(|id| runs.entry(id));
    let shown = session.tasks.borrow();
    let restores = entries.map(|entry| ReportedRestore {
        task: shown.get(&entry.id()).cloned(),
        ..ReportedRestore::of(&entry)
    });
    Ok(restores
        .chain(tasks.into_iter().map(ReportedRestore::of_task))
        .collect())
}

/// Returns the restore of this task or site. The list of sites is read only for an address that the
/// journal does not have.
///
/// # Errors
/// Those of [`find_in_journal`]; `NotFound` for an address without a site or a restore.
async fn find_restore(session: &Session<'_>, text: &str) -> Result<Option<RestoreId>> {
    let found = find_in_journal(&session.journal.runs(), text)?;
    if found.is_some() || !is_address(text) {
        return Ok(found);
    }
    let site_id = session.sites().await?.find(text)?.id().unwrap_or_default();
    let found = find_in_journal(&session.journal.runs(), &site_id)?;
    found.ok_or_else(|| no_restore(text)).map(Some)
}

/// Returns the restore of this task, or the newest one of this site, as the journal has them.
///
/// # Errors
/// `Usage` if the journal knows the text as the id of a task and of another restore's site.
pub fn find_in_journal(runs: &Runs, text: &str) -> Result<Option<RestoreId>> {
    let mut of_site = runs.entries_of_service().rev();
    let of_site = of_site.find(|entry| is_of_site(entry, text));
    let newest = of_site.and_then(|entry| runs.newest_of_site(&entry.decided().site_id));
    match (runs.of_task(text), newest) {
        (Some(task), Some(newest)) if task.id() != newest.id() => {
            let sites = [task, newest].map(|entry| entry.decided().site_name());
            let [of_task, of_site] = sites;
            let message = format!(
                "'{text}' is the task of the restore of {of_task}, and the id of the site {of_site}"
            );
            let url = newest.decided().url.as_deref().unwrap_or("URL");
            Err(Error::usage(message).with_hint(
                Hint::command("specify the site by its URL", "restore watch").ids(&[url]),
            ))
        }
        (found, newest) => Ok(found.or(newest).map(|entry| entry.id())),
    }
}

fn no_restore(site: &str) -> Error {
    let message = format!("no restore of {site} found in the journal of this service");
    Error::new(Kind::NotFound, message)
        .with_hint(Hint::command("list the restores", "restore history"))
}
