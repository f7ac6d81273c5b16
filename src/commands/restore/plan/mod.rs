//! Many restores from a file: checked whole before anything starts, shown, confirmed once, started several at a time.

mod check;
mod execute;
mod report;
mod row;
mod rows;
mod show;
mod snapshots;

use super::launch::Launcher;
use super::start::Args;
use super::watch::follow;
use crate::commands::context::Context;
use crate::config::number;
use crate::error::{Error, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat};
use crate::journal::Run;
use crate::terminal::{count, option};
use check::{Start, check};
use execute::execute;
use report::Report;
use std::path::PathBuf;

/// Restores from a file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Many restores")]
pub struct PlanArgs {
    /// A file of restores (.csv, .json, .ndjson or .yaml), or - for stdin
    #[arg(
        long = "plan",
        value_name = "FILE|-",
        conflicts_with_all = ["site_id", "snapshot_id", "full", "files", "database", "path", "table", "subsite", "scope_json"]
    )]
    pub file: Option<String>,
    /// Continue the last run of this plan, if it is unfinished: only rows that were not accepted are sent
    #[arg(long, requires = "file", conflicts_with_all = ["site_id", "force"])]
    resume: bool,
    /// The format of the file: csv, json, ndjson or yaml [default: by its name, else by what is in it]
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        hide_possible_values = true,
        requires = "file",
        conflicts_with = "site_id"
    )]
    input_format: Option<InputFormat>,
    /// Requests to start a restore that are sent at the same time
    #[arg(long, value_name = "N", default_value_t = 4, requires = "file", conflicts_with = "site_id", value_parser = number::within(1_u16..=64))]
    concurrency: u16,
    /// Start no more when so many could not be started
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "site_id", value_parser = number::at_least(1_u32))]
    stop_after_failures: Option<u32>,
    /// Write the rows that failed, if any, to this file, in the format of the plan; it is replaced
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with = "site_id")]
    failed_to: Option<PathBuf>,
}

/// Runs the plan in `file`.
pub async fn run(context: &Context, args: &Args, file: &str) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let document = Document::read(file, args.plan.input_format, &rows::COLUMNS)?;
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
