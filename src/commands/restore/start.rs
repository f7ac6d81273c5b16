//! `sitectl restore start`. It overwrites live sites, so each step is in the journal before the
//! next one.

use super::args::Args;
use super::check::check_restores;
use super::choose::{choose_scope, choose_site};
use super::confirm::{confirm_plan, confirm_restore, describe_latest, show_effect};
use super::launch::Launcher;
use super::plan_file::{read_plan, refuse_duplicate_sites};
use super::results::{PlanResult, print_restores};
use super::row::{LATEST, RestoreRow};
use super::watch::{report_outcomes, watch_restores};
use crate::client::Consent;
use crate::commands::bulk::{Bulk, Job};
use crate::commands::context::Context;
use crate::commands::sites::AccountSites;
use crate::error::{Error, Kind, Result};
use crate::input::FailedRows;
use crate::journal::PlanRun;
use crate::resources::{STARTED, WATCHED};
use crate::terminal::{pluralize, shell_arguments};
use std::slice;

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    // A restore is not started if its result cannot be shown with the output options.
    let output_resource = if args.watch && !args.dry_run {
        &WATCHED
    } else {
        &STARTED
    };
    context
        .output_options()
        .check_fields(output_resource, &[])?;
    match &args.plan {
        Some(file) => start_plan(context, args, file).await,
        None => start_one(context, args).await,
    }
}

async fn start_one(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    let row = requested_restore(args)?;
    if !context.ui.may_prompt {
        // Missing parts cannot be prompted for.
        require_complete(context, args, &row)?;
    }
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
    let mut row = resolve_restore(&mut launcher, row).await?;
    // A dry run prints the row even if it cannot be started, and then returns its error.
    if args.dry_run {
        if row.error.is_none() && !context.ui.quiet {
            show_effect(context, &confirmation, &row);
        }
        print_restores(context, args, slice::from_ref(&row))?;
    }
    let with_flags = |error: Error| error.with_flags(|param| args.scope.flag_for_param(param));
    if let Some(error) = row.error.take() {
        return Err(with_flags(error));
    }
    if args.dry_run {
        return Ok(());
    }
    let consent = confirm_restore(context, &confirmation, &row).await?;
    let restore = launcher.launch(&consent, &row).await.map_err(with_flags)?;
    row.accepted = Some(restore.clone());
    row.announce(&context.ui);
    if args.watch {
        let tasks = watch_restores(context, &api, &args.polling, vec![restore]).await?;
        return report_outcomes(context, &args.polling, &tasks);
    }
    print_restores(context, args, slice::from_ref(&row))?;
    if let Some(task_id) = row.task_id() {
        context.ui.hint(&format!(
            "watch the restore: {} restore watch {}",
            context.program(),
            shell_arguments(&[task_id])
        ));
    }
    Ok(())
}

/// Finds the site and the snapshot, and prompts for a missing site, snapshot or scope.
async fn resolve_restore(launcher: &mut Launcher<'_>, mut row: RestoreRow) -> Result<RestoreRow> {
    let context = launcher.context;
    let sites = AccountSites::read(context, launcher.api).await;
    if row.site_id.is_empty() {
        row.site_id = choose_site(&context.ui, &sites).await?;
    }
    // `check_restores` replaces `latest` by an id.
    let is_latest = row.snapshot_id == LATEST;
    check_restores(launcher, &sites, slice::from_mut(&mut row)).await?;
    if row.can_start() && !row.has_scope() {
        row.scope = choose_scope(&context.ui).await?;
    }
    if row.can_start() && is_latest {
        context.ui.announce(&describe_latest(&row));
    }
    Ok(row)
}

/// Returns the restore that the command line specifies or, with `--plan`, the defaults of the rows.
/// A missing site or snapshot is an empty string, and a missing scope is null.
fn requested_restore(args: &Args) -> Result<RestoreRow> {
    let before = args.before.as_ref().map(|time| time.timestamp);
    let site_id = args.site_id.as_deref().unwrap_or_default();
    let mut snapshot_id = args
        .snapshot_id
        .as_deref()
        .or(args.plan_args.snapshot.as_deref())
        .unwrap_or_default()
        .trim();
    if snapshot_id.is_empty() && (before.is_some() || args.plan.is_some()) {
        snapshot_id = LATEST;
    }
    if before.is_some() && snapshot_id != LATEST {
        let error = Error::usage("--before requires the snapshot latest");
        return Err(error.with_hint("specify latest instead of a snapshot id"));
    }
    Ok(RestoreRow {
        site_id: site_id.trim().into(),
        snapshot_id: snapshot_id.into(),
        before,
        scope: args.scope.to_json()?.unwrap_or_default(),
        ..RestoreRow::default()
    })
}

/// Refuses a restore without a site, a snapshot or a scope.
fn require_complete(context: &Context, args: &Args, row: &RestoreRow) -> Result<()> {
    let program = context.program();
    let site = shell_arguments(&[&row.site_id]);
    let (message, hint) = if row.site_id.is_empty() {
        (
            "SITE and SNAPSHOT_ID are required when not running interactively",
            format!("list the sites: {program} sites list"),
        )
    } else if row.snapshot_id.is_empty() {
        (
            "SNAPSHOT_ID is required when not running interactively",
            format!("list the snapshots: {program} snapshots list {site}; or pass latest"),
        )
    } else if !row.has_scope() {
        let snapshot = shell_arguments(&[&row.snapshot_id]);
        let options = args.restore_options();
        (
            "no restore scope specified",
            format!(
                "preview a full restore: \
                 {program} restore start {site} {snapshot}{options} --full --dry-run; \
                 or narrow it with --files, --database, --path, --table or --subsite"
            ),
        )
    } else {
        return Ok(());
    };
    Err(Error::usage(message).with_hint(hint))
}

async fn start_plan(context: &Context, args: &Args, file: &str) -> Result<()> {
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    let (document, mut rows) = read_plan(file, args, &requested_restore(args)?)?;
    if !args.dry_run {
        let sites = pluralize(rows.len(), "live site");
        confirmation.require_person(&format!("Overwrite {sites}"))?;
    }
    let failed_rows = match &args.plan_args.failed_to {
        Some(path) => Some(FailedRows::new(path, file)?),
        None => None,
    };
    let api = context.api().await?;
    // A changed file, or the same file with other options, is another plan.
    let text_and_options = format!("{}{}", document.text(), args.restore_options());
    let mut launcher = Launcher {
        context,
        api: &api,
        journal: context.journal()?,
        args,
        run: Some(PlanRun::new(&text_and_options, rows.len())),
    };
    if !rows.is_empty() {
        let sites = AccountSites::read(context, &api).await;
        check_restores(&mut launcher, &sites, &mut rows).await?;
    }
    // After the check, which replaces URLs by ids.
    refuse_duplicate_sites(&document, &mut rows);
    let mut result = PlanResult {
        launcher: &launcher,
        document: &document,
        failed_rows,
        rows,
        stopped: None,
    };
    if args.dry_run {
        return result.print_dry_run();
    }
    result.require_valid_rows()?;
    if let Some(consent) = confirm_plan(context, &confirmation, &document, &result.rows).await? {
        result.stopped = start_rows(&launcher, &consent, &mut result.rows).await;
    }
    // After Ctrl-C, the started restores are printed, but not watched.
    let is_interrupted = result
        .stopped
        .as_ref()
        .is_some_and(|error| error.kind == Kind::Interrupted);
    if args.watch && !is_interrupted {
        result.watch().await
    } else {
        result.print()
    }
}

/// Starts the restores of the rows that can start, several at a time. Returns the error that ended
/// the run early.
async fn start_rows(
    launcher: &Launcher<'_>,
    consent: &Consent,
    rows: &mut [RestoreRow],
) -> Option<Error> {
    let options = &launcher.args.plan_args;
    let bulk = Bulk {
        ui: &launcher.context.ui,
        api: launcher.api,
        plural: "restores started",
        concurrency: options.concurrency.into(),
        stop_after_failures: options.stop_after_failures,
    };
    let jobs: Vec<Job> = (0..rows.len())
        .filter(|index| rows[*index].can_start())
        .map(|index| Job {
            rows: vec![index],
            runs_after: Vec::new(),
        })
        .collect();
    let outcomes = bulk
        .run(&jobs, async |indexes: &[usize]| {
            // Each job has one row.
            vec![launcher.launch(consent, &rows[indexes[0]]).await]
        })
        .await;
    for (index, outcome) in outcomes.rows {
        let row = &mut rows[index];
        row.is_skipped = outcomes.not_sent.contains(&index);
        match outcome {
            Ok(restore) => row.accepted = Some(restore),
            Err(error) => row.error = Some(error),
        }
    }
    outcomes.stopped_by
}
