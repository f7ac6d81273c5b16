//! Many restores from a file: checked whole before anything starts, shown, confirmed once, started several at a time.

mod check;
mod ended;
mod execute;
mod report;
mod rows;
mod show;
mod snapshots;

use super::launch::{Launcher, Order};
use super::start::Args;
use super::watch::follow;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat};
use crate::journal::{Entry, PlanMark};
use crate::number;
use crate::ui::count;
use execute::{Outcomes, execute};
use jiff::Timestamp;
use report::Report;
use std::path::PathBuf;

/// Restores from a file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Many restores")]
pub struct PlanArgs {
    /// A file of restores (.csv, .json, .ndjson or .yaml), or - for stdin; what it has started is not started again
    #[arg(
        long = "plan",
        value_name = "FILE|-",
        conflicts_with_all = ["site_id", "snapshot_id", "full", "files", "database", "path", "table", "subsite", "scope_json"]
    )]
    pub file: Option<String>,
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

/// A row of the plan, checked.
#[derive(Debug)]
pub struct Step {
    /// The row's number in the file.
    pub row: usize,
    /// What it asks for, with ids.
    pub order: Order,
    /// The same in words.
    pub what: String,
    /// When the snapshot was taken, where that is known.
    pub taken_at: Option<Timestamp>,
    /// What is to be done about it.
    pub standing: Standing,
}

/// What is to be done about a row.
#[derive(Debug)]
pub enum Standing {
    /// It is to be started.
    Start,
    /// A run of this plan has started it.
    Started(Box<Entry>),
    /// It can't be started, and why.
    Blocked(Error),
}

/// Runs the plan in `file`.
pub async fn run(context: &Context, args: &Args, file: &str) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let document = Document::read(file, args.plan.input_format, &rows::COLUMNS)?;
    if document.is_blank() {
        return Err(Error::new(Kind::Invalid, format!("{} is empty", document.name))
            .hint("nothing was started; a plan of no restores has a header, or is []; a pipe may have broken"));
    }
    let wanted = rows::wanted(&document)?;
    asking.require_person(&format!("Overwrite {}", count(wanted.len(), "live site")))?;
    let failed_rows = args.plan.failed_to.as_deref().map(|path| FailedRows::new(path, file)).transpose()?;
    let (api, journal) = (context.api()?, context.journal()?);
    let mark = PlanMark::new(file, document.text());
    let reason = args.reason.as_deref();
    let launcher = Launcher { context, api: &api, journal: &journal, reason, force: args.force, plan: Some(mark) };
    let steps = check::steps(&launcher, &document, wanted).await?;
    let consent = show::confirm(context, &asking, &document, &steps).await?;
    let (in_flight, most_failures) = (args.plan.concurrency.into(), args.plan.stop_after_failures);
    let outcomes = match &consent {
        Some(consent) => execute(&launcher, consent, &steps, in_flight, most_failures).await,
        None => Outcomes::before(&steps),
    };
    let report = Report::new(context, &document, &steps, outcomes, failed_rows.as_ref());
    if !args.watch || report.is_interrupted() {
        return report.print();
    }
    report.say();
    // However the watching ends, the rows that failed to start are on disk. Where they can't be, its end says so.
    report.keep(Vec::new()).ok();
    let followed = follow(context, &api, &journal, &args.follow, report.targets()).await?;
    report.watched(&args.follow, &followed)
}
