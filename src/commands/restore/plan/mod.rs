//! Many restores from a file: checked whole before anything starts, shown, confirmed once, started several at a time.

mod check;
mod execute;
mod report;
mod row;
mod rows;
mod show;
mod snapshots;

use super::args::Args;
use super::launch::Launcher;
use super::watch::follow;
use crate::commands::context::Context;
use crate::error::{Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::journal::Run;
use crate::terminal::{count, option};
use check::{Start, check};
use execute::execute;
use report::Report;
use row::COLUMNS;

/// Runs the plan in `file`.
pub async fn run(context: &Context, args: &Args, file: &str) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let document = Document::read(file, args.plan.input_format, &COLUMNS)?;
    if document.is_blank() {
        return Err(Error::new(Kind::Invalid, format!("{} is empty", document.name))
            .hint("nothing was started; a plan of no restores has a header, or is []; a pipe may have broken"));
    }
    let mut rows = rows::read(&document)?;
    asking.require_person(&format!("Overwrite {}", count(rows.len(), "live site")))?;
    let failed_rows = args.plan.failed_to.as_deref().map(|path| FailedRows::new(path, file)).transpose()?;
    let (api, journal) = (context.api()?, context.journal()?);
    let reason = args.reason.as_deref();
    let mut launcher = Launcher { context, api: &api, journal: &journal, reason, force: args.force, run: None };
    let command = format!("{} restore start {}", context.program(), option("--plan", file));
    let run = Run::new(document.text(), rows.len());
    check(&mut launcher, Start { run, resume: args.plan.resume, command: &command }, &document, &mut rows).await?;
    let (in_flight, most_failures) = (args.plan.concurrency.into(), args.plan.stop_after_failures);
    let stopped = match show::confirm(context, &asking, &document, &rows).await? {
        Some(consent) => execute(&launcher, &consent, &mut rows, in_flight, most_failures).await,
        None => None,
    };
    let rows = rows.into_iter().map(|row| row.located(&document)).collect();
    let report = Report { context, document: &document, failed_rows: failed_rows.as_ref(), command, rows, stopped };
    if !args.watch || report.is_interrupted() {
        return report.print();
    }
    report.say();
    // However the watching ends, the rows that failed to start are on disk. Where they can't be, its end says so.
    report.keep(Vec::new()).ok();
    let followed = follow(context, &api, &journal, &args.follow, report.targets()).await?;
    report.watched(&args.follow, &followed)
}
