//! `sitectl restore resume`: sends the unsent restores of a run as they were decided, and
//! reports the run.

use super::args::RunArgs;
use super::session::Session;
use super::source::Requests;
use super::submit::Submission;
use crate::commands::consent::Confirmation;
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Entry, Run};
use crate::output::ResultShape;
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
/// Sends the unsent restores of the run, and reports all its restores. If all were sent, the command
/// only reports the run, with its exit code.
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
    let (session, confirmation) = Session::of_run(context, &args.run).await?;
    let run = find_run(&session, args.run_id.as_deref())?;
    let entries: Vec<Entry<'_>> = run.entries().collect();
    session.require_access(&run, &entries).await?;
    resume(&session, &args.run, confirmation, run, ResultShape::List).await
}

/// Sends what is left of a run after a confirmation, and reports the run.
///
/// # Errors
/// The outcome of the run.
pub async fn resume(
    session: &Session<'_>,
    args: &RunArgs,
    confirmation: Confirmation<'_>,
    run: Run,
    shape: ResultShape,
) -> Result<()> {
    let details = run.details.clone();
    let ui = &session.context.ui;
    let time = ui.format_time(details.started_at);
    let (run_id, total) = (&run.id, pluralize(run.restores.len(), "restore"));
    let unsent = run.entries().filter(Entry::is_unsent).count();
    ui.note(&format!("run {run_id} of {time}: {total}, {unsent} unsent"));
    let submission = Submission {
        session,
        args,
        confirmation,
        details,
        refuses_repeated: false,
        shape,
    };
    submission.run(&Requests::unsent(run)).await.map(drop)
}

/// Returns the run with this id or, without an id, the newest run of the account, if it is at most
/// 24 hours old and has restores to send.
///
/// # Errors
/// `NotFound` if there is none.
fn find_run(session: &Session<'_>, run_id: Option<&str>) -> Result<Run> {
    let runs = session.journal.runs();
    if let Some(run_id) = run_id {
        let run = runs.run(run_id).filter(|run| runs.is_of_service(run));
        return run.cloned().ok_or_else(|| {
            let message = format!("run '{run_id}' not found in the journal of this service");
            Error::new(Kind::NotFound, message).with_hint(Hint::command(
                "list the runs",
                "restore history --fields run,site_id,outcome",
            ))
        });
    }
    let (own, others): (Vec<&Run>, Vec<&Run>) =
        runs.of_service().partition(|run| session.owns(run));
    if let Some(run) = own
        .last()
        .filter(|run| run.is_recent() && runs.has_unsent(run))
    {
        return Ok((*run).clone());
    }
    let account = session.context.describe_account()?;
    let reason = match own.last() {
        None => "the journal has no run".into(),
        Some(run) if runs.has_unsent(run) => format!("run {} is older than 24 hours", run.id),
        Some(run) => format!("run {} has no unsent restores", run.id),
    };
    let message = format!("nothing to resume {account}: {reason}");
    let error = Error::new(Kind::NotFound, message);
    let ids = |runs_of: &[&Run]| {
        let left = runs_of.iter().rev().filter(|run| runs.has_unsent(run));
        left.map(|run| run.id.clone()).collect::<Vec<String>>()
    };
    let (left, others) = (ids(&own), ids(&others));
    let error = match others.len() {
        0 => error,
        count => {
            let runs = pluralize(count, "run");
            let others = others.join(", ");
            error.append_to_message(&format!("{runs} of other accounts or tokens: {others}"))
        }
    };
    Err(match left.as_slice() {
        [] if own.is_empty() => {
            error.with_hint(Hint::command("start restores", "restore start --help"))
        }
        [] => error.with_hint(Hint::command("watch unfinished restores", "restore watch")),
        [newest, ..] => error
            .append_to_message(&format!("runs that have: {}", left.join(", ")))
            .with_hint(Hint::command("resume one", "restore resume").words(newest)),
    })
}
