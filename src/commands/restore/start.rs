//! `sitectl restore start`. It overwrites live sites, so each step is in the journal before the next one.

use super::args::{Args, no_scope};
use super::check::check;
use super::choose;
use super::confirm;
use super::launch::{Launcher, Order};
use super::plan;
use super::report::{self, Report};
use super::row::{LATEST, Row};
use super::watch::{conclude, follow};
use crate::client::Consent;
use crate::commands::bulk::{Bulk, Job, Outcome, Outcomes};
use crate::commands::context::Context;
use crate::commands::sites::Sites;
use crate::error::{Error, Kind, Result};
use crate::input::{Document, FailedRows};
use crate::journal::Run;
use crate::resources::{STARTED, WATCHED};
use crate::terminal::{arguments, count};
use serde_json::value::RawValue;

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    // A restore is not started if its result cannot be shown as asked.
    let printed = if args.watch && !args.dry_run { &WATCHED } else { &STARTED };
    context.shape().check_fields(printed, &[])?;
    match &args.plan.file {
        Some(file) => many(context, args, file).await,
        None => one(context, args).await,
    }
}

async fn one(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let order = order(context, args)?;
    if !args.dry_run {
        asking.require_person(&format!("Overwrite the live site {}", order.site_id))?;
    }
    let (api, journal) = (context.api()?, context.journal()?);
    let mut launcher = Launcher { context, api: &api, journal: &journal, args, run: None };
    let with_flags = |error: Error| error.name_flags(|param| args.scope.flag_of(param));
    let mut row = find(&mut launcher, order).await?;
    if args.dry_run {
        return report::dry_run_one(context, row).map_err(with_flags);
    }
    if let Some(error) = row.error.take() {
        return Err(with_flags(error));
    }
    let consent = confirm::one(context, &asking, &row).await?;
    row.accepted = Some(launcher.launch(&consent, &row.order).await.map_err(with_flags)?);
    row.announce(&context.ui);
    if args.watch {
        let followed = follow(context, &api, &journal, &args.follow, row.target().into_iter().collect()).await?;
        return conclude(context, &args.follow, &followed);
    }
    report::one(context, &row)
}

/// Finds the site and the snapshot, and prompts for a missing site, snapshot or scope.
async fn find(launcher: &mut Launcher<'_>, mut order: Order) -> Result<Row> {
    let (context, args) = (launcher.context, launcher.args);
    let sites = Sites::read(context, launcher.api).await;
    if order.site_id.is_empty() {
        order.site_id = choose::site(context, &sites).await?;
    }
    let is_latest = order.snapshot_id == LATEST;
    let mut rows = [Row::new(0, order)];
    check(launcher, &sites, &mut rows).await?;
    let [mut row] = rows;
    if row.is_waiting() && args.scope.read()?.is_none() {
        row.order.scope = choose::scope(&context.ui).await?;
    }
    if row.is_waiting() && is_latest {
        context.ui.announce(&confirm::latest(&row));
    }
    Ok(row)
}

/// Returns the restore that the command line specifies; a missing site, snapshot or scope is empty.
fn order(context: &Context, args: &Args) -> Result<Order> {
    let (program, before, scope) = (context.program(), args.before()?, args.scope.read()?);
    let [site_id, snapshot_id] = [&args.site_id, &args.snapshot_id].map(|text| text.as_deref().map(str::trim));
    if [site_id, snapshot_id].contains(&Some("")) {
        return Err(Error::usage("SITE or SNAPSHOT_ID is blank").hint(format!("list the sites: {program} sites list")));
    }
    let snapshot_id = snapshot_id.or(before.map(|_| LATEST));
    if before.is_some() && snapshot_id != Some(LATEST) {
        let error = Error::usage("--before requires the snapshot latest");
        return Err(error.hint("specify latest instead of a snapshot id"));
    }
    if !context.ui.may_prompt {
        let required = |what| Error::usage(format!("{what} required when not running interactively"));
        match (site_id, snapshot_id) {
            (None, _) => {
                let hint = format!("list the sites: {program} sites list");
                return Err(required("SITE and SNAPSHOT_ID are").hint(hint));
            }
            (Some(site), None) => {
                let list = format!("{program} snapshots list {}", arguments(&[site]));
                return Err(required("SNAPSHOT_ID is").hint(format!("list the snapshots: {list}; or pass latest")));
            }
            (Some(site), Some(snapshot)) if scope.is_none() => {
                let command = format!("restore start {}{}", arguments(&[site, snapshot]), args.defaults());
                let or = "or narrow it with --files, --database, --path, --table or --subsite";
                return Err(
                    no_scope().hint(format!("preview a full restore: {program} {command} --full --dry-run; {or}"))
                );
            }
            _ => {}
        }
    }
    let [site_id, snapshot_id] = [site_id, snapshot_id].map(|text| text.unwrap_or_default().to_string());
    Ok(Order { site_id, snapshot_id, before, scope: scope.unwrap_or_else(|| RawValue::NULL.to_owned()) })
}

async fn many(context: &Context, args: &Args, file: &str) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let (document, mut rows) = plan::read(file, args)?;
    if !args.dry_run {
        asking.require_person(&format!("Overwrite {}", count(rows.len(), "live site")))?;
    }
    let failed_rows = args.plan.failed_to.as_deref().map(|path| FailedRows::new(path, file)).transpose()?;
    let (api, journal) = (context.api()?, context.journal()?);
    let run = Some(Run::new(&format!("{}{}", document.text(), args.defaults()), rows.len()));
    let mut launcher = Launcher { context, api: &api, journal: &journal, args, run };
    check_plan(&mut launcher, &document, &mut rows).await?;
    let refused = refuse(&document, &rows);
    if args.dry_run {
        report::dry_run(context, &rows)?;
        context.ui.note(report::DRY_RUN);
        let report = Report { launcher: &launcher, document: &document, failed_rows: None, rows: &rows, stopped: None };
        return refused.and_then(|()| report.verdict(false));
    }
    refused?;
    let stopped = match confirm::many(context, &asking, &document, &rows).await? {
        Some(consent) => execute(&launcher, &consent, &mut rows).await,
        None => None,
    };
    let (failed_rows, stopped) = (failed_rows.as_ref(), stopped.as_ref());
    let report = Report { launcher: &launcher, document: &document, failed_rows, rows: &rows, stopped };
    if !args.watch || stopped.is_some_and(|stopped| stopped.kind == Kind::Interrupted) {
        return report.print();
    }
    report.begin_watching();
    let targets = rows.iter().filter_map(Row::target).collect();
    let followed = follow(context, &api, &journal, &args.follow, targets).await?;
    report.end_watching(&args.follow, &followed)
}

async fn check_plan(launcher: &mut Launcher<'_>, document: &Document, rows: &mut [Row]) -> Result<()> {
    if !rows.is_empty() {
        let sites = Sites::read(launcher.context, launcher.api).await;
        check(launcher, &sites, rows).await?;
    }
    plan::refuse_doubles(document, rows);
    Ok(())
}

/// Refuses the plan if a row is wrong. An error of the journal only keeps its own row from being started.
fn refuse(document: &Document, rows: &[Row]) -> Result<()> {
    let is_wrong = |error: &Error| matches!(error.kind, Kind::NotFound | Kind::Invalid);
    let wrong = rows.iter().filter(|row| row.error.as_ref().is_some_and(is_wrong));
    document.refuse(wrong.flat_map(|row| row.problems(document)).collect())
}

/// Starts the restores of the rows that wait, several at a time. Returns the error that ended it early.
async fn execute(launcher: &Launcher<'_>, consent: &Consent, rows: &mut [Row]) -> Option<Error> {
    let plan = &launcher.args.plan;
    let (concurrency, stop_after_failures) = (plan.concurrency.into(), plan.stop_after_failures);
    let (ui, api) = (&launcher.context.ui, launcher.api);
    let bulk = Bulk { ui, api, plural: "restores started", concurrency, stop_after_failures };
    let waiting = (0..rows.len()).filter(|row| rows[*row].is_waiting());
    let jobs: Vec<Job> = waiting.map(|row| Job { rows: vec![row], after: Vec::new() }).collect();
    let start = |started: &[usize]| {
        let order = &rows[started[0]].order;
        async move { vec![launcher.launch(consent, order).await] }
    };
    let Outcomes { rows: outcomes, stopped } = bulk.run(&jobs, start).await;
    for (row, outcome) in outcomes {
        let row = &mut rows[row];
        row.is_left = matches!(outcome, Outcome::NotSent(_));
        match outcome {
            Outcome::Done(launched) => row.accepted = Some(launched),
            Outcome::Failed(error) | Outcome::NotSent(error) => row.error = Some(error),
        }
    }
    stopped
}
