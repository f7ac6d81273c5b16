//! `sitectl restore undo`: restores what earlier restores have replaced.

use super::args::{NewRunArgs, RunArgs};
use super::session::Session;
use super::source::Requests;
use super::start::run_details;
use super::submit::Submission;
use crate::client::is_address;
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Entry, Run, Runs};
use crate::output::ResultShape;
use crate::resources::Outcome;

const EXAMPLES: &str = "\
Examples:
  sitectl restore undo site-0001 --dry-run
  sitectl restore undo 20261123-081500 --backup-first";

/// Undo restores.
///
/// Restores each site of a run, or a site after its last restore, from the snapshot that
/// --backup-first made before the restore, in the same scope. Without such a snapshot, sitectl uses
/// the newest successful one from before the restore, and says how much older it is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Id of the run, or id, URL or host name of the site
    #[arg(value_name = "RUN|SITE")]
    target: NameOf<Run>,
    #[command(flatten)]
    new_run: NewRunArgs,
    #[command(flatten)]
    run: RunArgs,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let (session, confirmation) = Session::of_run(context, &args.run).await?;
    let (run, indexes) = find_undone(&session, &args.target).await?;
    let entries = run.entries().filter(|entry| indexes.contains(&entry.index));
    let entries: Vec<Entry<'_>> = entries.collect();
    session.require_access(&run, &entries).await?;
    let reason = args.new_run.reason(&context.ui);
    let requests = Requests::undo(&entries, reason.as_deref(), args.new_run.backup_first);
    let submission = Submission {
        session: &session,
        args: &args.run,
        confirmation,
        details: run_details(&session, None)?,
        refuses_repeated: false,
        shape: ResultShape::List,
    };
    submission.run(&requests).await.map(drop)
}

/// Returns the restores of this run, or the last one of this site, that the service has processed or
/// may have: their run, and their indexes in it.
///
/// # Errors
/// `NotFound` if there is none; an error of the service.
async fn find_undone(session: &Session<'_>, text: &str) -> Result<(Run, Vec<usize>)> {
    // A site may have got the address that another one had when it was restored.
    let id = if is_address(text) {
        session.sites().await?.find(text)?.id().unwrap_or_default()
    } else {
        text.into()
    };
    let found = undone_in_journal(&session.journal.runs(), &id);
    found.ok_or_else(|| {
        let message = format!("no restore of '{text}' in the journal that can be undone");
        Error::new(Kind::NotFound, message)
            .with_hint(Hint::command("list the restores", "restore history"))
    })
}

fn undone_in_journal(runs: &Runs, text: &str) -> Option<(Run, Vec<usize>)> {
    let run = runs.run(text).filter(|run| runs.is_of_service(run));
    let entries: Vec<Entry<'_>> = match run {
        Some(run) => run.entries().collect(),
        None => Vec::from_iter(runs.last_of_site(text.trim())),
    };
    let is_processed = |outcome: Outcome| outcome.was_accepted() || outcome == Outcome::Unknown;
    let processed = entries.iter().filter(|entry| is_processed(entry.outcome()));
    let indexes: Vec<usize> = processed.map(|entry| entry.index).collect();
    let run = entries.first()?.run.clone();
    (!indexes.is_empty()).then_some((run, indexes))
}
