//! `sitectl restore watch`.

use super::polling::{PollingArgs, watch};
use super::report::Report;
use super::resume::require_same_account;
use super::row::{Selected, is_of_site};
use crate::client::{Api, Task, is_address};
use crate::commands::context::Context;
use crate::commands::sites::find::AccountSites;
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Journal, Runs};
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
/// outcome that were sent at least 24 hours ago.
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
    let options = context.output_options();
    options.check_fields(&RESTORES, &[])?;
    let journal = context.journal()?;
    journal.read()?;
    let api = context.api().await?;
    let mut selected = if args.tasks.is_empty() {
        unfinished_restores(context, &journal.runs())
    } else {
        find_restores(context, &api, &args.tasks, &journal).await?
    };
    if selected.is_empty() {
        let service = context.service_name()?;
        let note = format!("no unfinished restores of {service} found in the journal");
        context.ui.note(&note);
    }
    let ended = watch(context, &api, &journal, &args.polling, &mut selected).await?;
    let report = Report {
        context,
        journal: &journal,
        is_printed: options.prints_events(),
        selected: &selected,
        ended,
        is_single: false,
        change: None,
    };
    report.finish().await
}

/// Returns the restores of the account that are running, or in doubt without a later restore.
/// Restores without a task that have been in doubt for more than 24 hours are only counted in a
/// note.
fn unfinished_restores(context: &Context, runs: &Runs) -> Vec<Selected> {
    let mut selected = Vec::new();
    let mut in_doubt = 0;
    for entry in runs.entries_of_service() {
        let one = Selected::of(&entry);
        let is_own = entry.run.details.profile == context.settings.account.profile;
        if !is_own || !entry.outcome().is_unfinished() || one.is_over(runs) {
            continue;
        }
        let age = Timestamp::now().duration_since(entry.started_at());
        let is_lost = entry.outcome() == Outcome::Unknown && entry.task_id().is_none();
        if is_lost && age.as_hours() >= 24 {
            in_doubt += 1;
        } else {
            selected.push(one);
        }
    }
    if in_doubt > 0 {
        let restores = pluralize(in_doubt, "restore");
        context.ui.note(&format!(
            "not watched: {restores} with an unknown outcome for more than 24 hours"
        ));
        context.ui.hint(Hint::command(
            "list them",
            "restore history --outcome unknown",
        ));
    }
    selected
}

/// Returns the restores of these tasks, and the newest restore of each of these sites, each once.
/// The list of sites is read only for an address that the journal does not have. An id that the
/// journal does not have is assumed to be that of a task.
///
/// # Errors
/// `NotFound` with all sites without a restore.
async fn find_restores(
    context: &Context,
    api: &Api,
    tasks_and_sites: &[NameOf<Task>],
    journal: &Journal,
) -> Result<Vec<Selected>> {
    let mut selected: Vec<Selected> = Vec::new();
    let mut errors = Vec::new();
    let mut sites = None;
    for text in tasks_and_sites {
        let found = find_in_journal(context, &journal.runs(), text)?;
        let found = match found {
            Some(found) => Ok(found),
            None if is_address(text) => {
                let sites = match &sites {
                    Some(sites) => sites,
                    None => sites.insert(AccountSites::read(context, api).await?),
                };
                sites.find(text).and_then(|site| {
                    let site_id = site.id().unwrap_or_default();
                    let found = find_in_journal(context, &journal.runs(), &site_id)?;
                    found.ok_or_else(|| no_restore(&site_id))
                })
            }
            None => Ok(Selected::of_task(text)),
        };
        match found {
            Ok(one) if selected.iter().any(|known| known.is_same(&one)) => {}
            Ok(one) => selected.push(one),
            Err(error) if error.kind == Kind::NotFound => errors.push(error),
            Err(error) => return Err(error),
        }
    }
    Error::combine(errors).map_or(Ok(selected), Err)
}

/// Returns the restore of this task, or the newest one of this site, as the journal has them.
///
/// # Errors
/// `Conflict` if another account started it.
fn find_in_journal(context: &Context, runs: &Runs, text: &str) -> Result<Option<Selected>> {
    let mut of_site = runs.entries_of_service().rev();
    let of_site = of_site.find(|entry| is_of_site(entry, text));
    let newest = of_site.and_then(|entry| runs.newest_of_site(&entry.decided().site_id));
    let Some(entry) = runs.of_task(text).or(newest) else {
        return Ok(None);
    };
    require_same_account(context, entry.run)?;
    Ok(Some(Selected::of(&entry)))
}

fn no_restore(site_id: &str) -> Error {
    let message = format!("no restore of {site_id} found in the journal of this service");
    Error::new(Kind::NotFound, message)
        .with_hint(Hint::command("list the restores", "restore history"))
}
