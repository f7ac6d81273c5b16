//! Shows the effect of restores, and asks for confirmation.

use super::row::RestoreRow;
use crate::client::Consent;
use crate::commands::consent::{Confirmation, Question};
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::config::duration::{format_age, format_ago};
use crate::error::Result;
use crate::input::Document;
use crate::output;
use crate::resources::Scope;
use crate::terminal::pluralize;
use serde_json::{Value, json};

/// Describes the snapshot of a row and when it was taken.
fn describe_snapshot(row: &RestoreRow) -> String {
    match row.taken_at {
        Some(taken_at) => format!("{}, taken {taken_at:.0}", row.snapshot_id),
        None => row.snapshot_id.clone(),
    }
}

/// Describes the snapshot that `latest` stands for.
pub fn describe_latest(row: &RestoreRow) -> String {
    let before = row
        .before
        .map(|before| format!(" before {before:.0}"))
        .unwrap_or_default();
    let age = row
        .taken_at
        .map(|taken_at| format!(", {}", format_ago(taken_at)))
        .unwrap_or_default();
    format!("latest{before} is {}{age}", describe_snapshot(row))
}

/// Shows the effect of one restore, and asks for the id of the site, unless `--yes` confirms it.
///
/// # Errors
/// If it is not confirmed.
pub async fn confirm_restore(
    context: &Context,
    confirmation: &Confirmation<'_>,
    row: &RestoreRow,
) -> Result<Consent> {
    if confirmation.prompts() {
        show_effect(context, confirmation, row);
    }
    let site_id = &row.site_id;
    let question = Question::typed(format!("Restore {site_id}"), site_id);
    confirmation.ask(&[question]).await
}

/// Shows which site one restore overwrites, and which changes are lost.
pub fn show_effect(context: &Context, confirmation: &Confirmation<'_>, row: &RestoreRow) {
    let ui = &context.ui;
    let site_id = &row.site_id;
    let url = row
        .url
        .as_ref()
        .map(|url| format!(" ({url})"))
        .unwrap_or_default();
    let target = &confirmation.target;
    ui.warn(&format!(
        "this overwrites the live site {site_id}{url} {target}"
    ));
    let scope = Scope::describe(&row.scope);
    let scope = match &*scope {
        "files, database" => "all files and all database tables",
        "files" => "all files",
        "database" => "all database tables",
        parts => parts,
    };
    let snapshot = describe_snapshot(row);
    ui.detail(&format!("restores {scope} from snapshot {snapshot}"));
    match row.taken_at.and_then(format_age) {
        Some(age) => ui.detail(&format!(
            "everything that changed in the last {age} is lost"
        )),
        None => ui.detail("the age of the snapshot is unknown: everything newer is lost"),
    }
}

/// Returns the rows for a table. Before they are sent, the table has the age of each snapshot and
/// the scope.
pub fn restore_table_rows(rows: &[RestoreRow], were_sent: bool) -> Value {
    rows.iter()
        .map(|row| {
            json!({
                "site_id": row.site_id,
                "snapshot_id": row.snapshot_id,
                "taken": row.taken_at.filter(|_| !were_sent).map(format_ago),
                "task_id": row.task_id(),
                "result": row.result_name(),
                "restores": (!were_sent).then(|| Scope::describe(&row.scope)),
            })
        })
        .collect()
}

/// Shows the plan, and asks for the number of restores, unless `--yes` confirms it. Returns none if
/// no row can start.
///
/// # Errors
/// If it is not confirmed.
pub async fn confirm_plan(
    context: &Context,
    confirmation: &Confirmation<'_>,
    document: &Document,
    rows: &[RestoreRow],
) -> Result<Option<Consent>> {
    let ui = &context.ui;
    let start_count = rows.iter().filter(|row| row.can_start()).count();
    let will_prompt = confirmation.prompts() && start_count > 0;
    // With `-o table`, the plan is shown even if nothing is asked.
    let shows_table = context.settings.format == OutputFormat::Table && !ui.quiet;
    if !rows.is_empty() && (will_prompt || shows_table) {
        let were_sent = false;
        let table = output::table_for_stderr(&restore_table_rows(rows, were_sent), ui)?;
        ui.print_line(table.trim_end());
    }
    if start_count == 0 {
        ui.note(&format!("nothing to start in {}", document.name));
        return Ok(None);
    }
    if will_prompt {
        let sites = pluralize(start_count, "live site");
        ui.warn(&format!("this overwrites {sites} {}", confirmation.target));
        ui.detail("everything that changed since the snapshots were taken is lost");
    }
    let sites = pluralize(start_count, "site");
    let question = Question::typed(format!("Restore {sites}"), start_count.to_string());
    confirmation.ask(&[question]).await.map(Some)
}
