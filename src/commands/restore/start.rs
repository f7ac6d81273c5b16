//! `sitectl restore start`. It overwrites live sites, so each step is in the journal before the next one.

use super::args::Args;
use super::check::check;
use super::choose;
use super::confirm;
use super::launch::Launcher;
use super::plan;
use super::report::{self, Report};
use super::row::{LATEST, Row};
use super::watch::{conclude, follow};
use crate::client::Consent;
use crate::commands::bulk::{Bulk, Job};
use crate::commands::context::Context;
use crate::commands::sites::Sites;
use crate::error::{Error, Kind, Result};
use crate::input::FailedRows;
use crate::journal::Run;
use crate::resources::{STARTED, WATCHED};
use crate::terminal::{pluralize, shell_arguments};

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    // A restore is not started if its result cannot be shown as asked.
    let printed = if args.watch && !args.dry_run {
        &WATCHED
    } else {
        &STARTED
    };
    context.output_options().check_fields(printed, &[])?;
    match &args.plan {
        Some(file) => many(context, args, file).await,
        None => one(context, args).await,
    }
}

async fn one(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    let row = specified(args)?;
    require_all(context, args, &row)?;
    if !args.dry_run {
        confirmation.require_person(&format!("Overwrite the live site {}", row.site_id))?;
    }
    let api = context.api().await?;
    let mut launcher = Launcher {
        context,
        api: &api,
        journal: context.journal()?,
        args,
        run: None,
    };
    let with_flags = |error: Error| error.with_flags(|param| args.scope.flag_of(param));
    let mut row = find(&mut launcher, row).await?;
    if args.dry_run {
        if row.error.is_none() && !context.ui.quiet {
            confirm::describe(context, &confirmation, &row);
        }
        report::print(context, args, std::slice::from_ref(&row))?;
    }
    if let Some(error) = row.error.take() {
        return Err(with_flags(error));
    }
    if args.dry_run {
        return Ok(());
    }
    let consent = confirm::one(context, &confirmation, &row).await?;
    row.accepted = Some(launcher.launch(&consent, &row).await.map_err(with_flags)?);
    row.announce(&context.ui);
    if args.watch {
        let followed = follow(
            context,
            &api,
            &args.follow,
            row.target().into_iter().collect(),
        )
        .await?;
        return conclude(context, &args.follow, &followed);
    }
    report::print(context, args, std::slice::from_ref(&row))?;
    if let Some(id) = row.task_id() {
        context.ui.hint(&format!(
            "watch the restore: {} restore watch {}",
            context.program(),
            shell_arguments(&[id])
        ));
    }
    Ok(())
}

/// Finds the site and the snapshot, and prompts for a missing site, snapshot or scope.
async fn find(launcher: &mut Launcher<'_>, mut row: Row) -> Result<Row> {
    let context = launcher.context;
    let sites = Sites::read(context, launcher.api).await;
    if row.site_id.is_empty() {
        row.site_id = choose::site(&context.ui, &sites).await?;
    }
    let is_latest = row.snapshot_id == LATEST;
    check(launcher, &sites, std::slice::from_mut(&mut row)).await?;
    if row.is_waiting() && !row.has_scope() {
        row.scope = choose::scope(&context.ui).await?;
    }
    if row.is_waiting() && is_latest {
        context.ui.announce(&confirm::latest(&row));
    }
    Ok(row)
}

/// Returns the restore, or the defaults of a plan's rows, that the options specify; what is missing is empty.
fn specified(args: &Args) -> Result<Row> {
    let before = args.before.as_ref().map(|time| time.at);
    let site_id = args.site_id.as_deref().unwrap_or_default().trim();
    let snapshot_id = args
        .snapshot_id
        .as_deref()
        .or(args.many.snapshot.as_deref())
        .map(|id| id.trim())
        .unwrap_or_default();
    let is_latest = snapshot_id.is_empty() && (before.is_some() || args.plan.is_some());
    let snapshot_id = if is_latest { LATEST } else { snapshot_id };
    if before.is_some() && snapshot_id != LATEST {
        let error = Error::usage("--before requires the snapshot latest");
        return Err(error.with_hint("specify latest instead of a snapshot id"));
    }
    let scope = args.scope.read()?.unwrap_or_default();
    Ok(Row {
        site_id: site_id.into(),
        snapshot_id: snapshot_id.into(),
        before,
        scope,
        ..Row::default()
    })
}

/// Refuses a restore with missing parts if sitectl cannot prompt for them.
fn require_all(context: &Context, args: &Args, row: &Row) -> Result<()> {
    if context.ui.may_prompt {
        return Ok(());
    }
    let (program, site, snapshot) = (
        context.program(),
        shell_arguments(&[&row.site_id]),
        shell_arguments(&[&row.snapshot_id]),
    );
    let (what, hint) = if row.site_id.is_empty() {
        let list = format!("list the sites: {program} sites list");
        (
            "SITE and SNAPSHOT_ID are required when not running interactively",
            list,
        )
    } else if row.snapshot_id.is_empty() {
        let list = format!("list the snapshots: {program} snapshots list {site}; or pass latest");
        (
            "SNAPSHOT_ID is required when not running interactively",
            list,
        )
    } else if !row.has_scope() {
        let command = format!(
            "{program} restore start {site} {snapshot}{} --full --dry-run",
            args.defaults()
        );
        let or = "or narrow it with --files, --database, --path, --table or --subsite";
        (
            "no restore scope specified",
            format!("preview a full restore: {command}; {or}"),
        )
    } else {
        return Ok(());
    };
    Err(Error::usage(what).with_hint(hint))
}

async fn many(context: &Context, args: &Args, file: &str) -> Result<()> {
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    let (document, mut rows) = plan::read(file, args, &specified(args)?)?;
    if !args.dry_run {
        confirmation
            .require_person(&format!("Overwrite {}", pluralize(rows.len(), "live site")))?;
    }
    let failed_rows = args
        .many
        .failed_to
        .as_deref()
        .map(|path| FailedRows::new(path, file))
        .transpose()?;
    let api = context.api().await?;
    let run = Some(Run::new(
        &format!("{}{}", document.text(), args.defaults()),
        rows.len(),
    ));
    let mut launcher = Launcher {
        context,
        api: &api,
        journal: context.journal()?,
        args,
        run,
    };
    if !rows.is_empty() {
        let sites = Sites::read(context, &api).await;
        check(&mut launcher, &sites, &mut rows).await?;
    }
    plan::refuse_doubles(&document, &mut rows);
    let mut report = Report {
        launcher: &launcher,
        document: &document,
        failed_rows,
        rows,
        stopped: None,
    };
    if args.dry_run {
        return report.dry_run();
    }
    report.refuse()?;
    if let Some(consent) = confirm::many(context, &confirmation, &document, &report.rows).await? {
        report.stopped = execute(&launcher, &consent, &mut report.rows).await;
    }
    let is_interrupted = report
        .stopped
        .as_ref()
        .is_some_and(|stopped| stopped.kind == Kind::Interrupted);
    if args.watch && !is_interrupted {
        report.watch().await
    } else {
        report.print()
    }
}

/// Starts the restores of the rows that wait, several at a time. Returns the error that ended it early.
async fn execute(launcher: &Launcher<'_>, consent: &Consent, rows: &mut [Row]) -> Option<Error> {
    let options = &launcher.args.many;
    let (concurrency, stop_after_failures) =
        (options.concurrency.into(), options.stop_after_failures);
    let (ui, api) = (&launcher.context.ui, launcher.api);
    let bulk = Bulk {
        ui,
        api,
        plural: "restores started",
        concurrency,
        stop_after_failures,
    };
    let waiting = (0..rows.len()).filter(|row| rows[*row].is_waiting());
    let jobs: Vec<Job> = waiting
        .map(|row| Job {
            rows: vec![row],
            after: Vec::new(),
        })
        .collect();
    let start = |started: &[usize]| {
        let row = &rows[started[0]];
        async move { vec![launcher.launch(consent, row).await] }
    };
    let outcomes = bulk.run(&jobs, start).await;
    for (number, outcome) in outcomes.rows {
        let row = &mut rows[number];
        row.is_left = outcomes.left.contains(&number);
        match outcome {
            Ok(restore) => row.accepted = Some(restore),
            Err(error) => row.error = Some(error),
        }
    }
    outcomes.stopped
}
