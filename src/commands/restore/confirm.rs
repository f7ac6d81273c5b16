//! Shows the effect of restores, and asks for confirmation.

use super::row::Row;
use crate::client::Consent;
use crate::commands::consent::{Confirmation, Question};
use crate::commands::context::Context;
use crate::config::OutputFormat;
use crate::config::duration::{age, ago};
use crate::error::Result;
use crate::input::Document;
use crate::output;
use crate::resources::Scope;
use crate::terminal::pluralize;
use serde_json::{Value, json};

/// Describes the snapshot of a row and when it was taken.
fn snapshot(row: &Row) -> String {
    let taken = row.taken_at.map(|at| format!(", taken {at:.0}"));
    format!("{}{}", row.snapshot_id, taken.unwrap_or_default())
}

/// Describes the snapshot that `latest` stands for.
pub fn latest(row: &Row) -> String {
    let age = row
        .taken_at
        .map(|at| format!(", {}", ago(at)))
        .unwrap_or_default();
    let before = row
        .before
        .map(|before| format!(" before {before:.0}"))
        .unwrap_or_default();
    format!("latest{before} is {}{age}", snapshot(row))
}

/// Shows the effect of one restore, and asks for the id of the site.
///
/// # Errors
/// If it is not confirmed.
pub async fn one(context: &Context, confirmation: &Confirmation<'_>, row: &Row) -> Result<Consent> {
    if confirmation.prompts() {
        describe(context, confirmation, row);
    }
    confirmation
        .ask(&[Question::typed(
            format!("Restore {}", row.site_id),
            &row.site_id,
        )])
        .await
}

/// Shows which site one restore overwrites, and which changes are lost.
pub fn describe(context: &Context, confirmation: &Confirmation<'_>, row: &Row) {
    let url = row
        .url
        .as_ref()
        .map(|url| format!(" ({url})"))
        .unwrap_or_default();
    let (site_id, scope) = (&row.site_id, Scope::describe(&row.scope));
    let scope = match &*scope {
        "files, database" => "all files and all database tables",
        "files" => "all files",
        "database" => "all database tables",
        scope => scope,
    };
    context.ui.warn(&format!(
        "this overwrites the live site {site_id}{url} {}",
        confirmation.target
    ));
    context
        .ui
        .detail(&format!("restores {scope} from snapshot {}", snapshot(row)));
    context.ui.detail(&match row.taken_at.and_then(age) {
        Some(age) => format!("everything that changed in the last {age} is lost"),
        None => "the age of the snapshot is unknown: everything newer is lost".into(),
    });
}

/// Returns the rows for people, before or after they were sent.
pub fn lines(rows: &[Row], sent: bool) -> Value {
    let line = |row: &Row| {
        json!({
            "site_id": row.site_id,
            "snapshot_id": row.snapshot_id,
            "taken": row.taken_at.filter(|_| !sent).map(ago),
            "task_id": row.task_id(),
            "result": row.word(),
            "restores": (!sent).then(|| Scope::describe(&row.scope)),
        })
    };
    rows.iter().map(line).collect()
}

/// Shows the plan, and asks for the number of restores. Returns none if no row can start.
///
/// # Errors
/// If it is not confirmed.
pub async fn many(
    context: &Context,
    confirmation: &Confirmation<'_>,
    document: &Document,
    rows: &[Row],
) -> Result<Option<Consent>> {
    let starts = rows.iter().filter(|row| row.is_waiting()).count();
    let asked = confirmation.prompts() && starts > 0;
    if !rows.is_empty()
        && (asked || (context.settings.format == OutputFormat::Table && !context.ui.quiet))
    {
        context
            .ui
            .say(output::table_for_stderr(&lines(rows, false), &context.ui)?.trim_end());
    }
    if starts == 0 {
        context
            .ui
            .note(&format!("nothing to start in {}", document.name));
        return Ok(None);
    }
    if asked {
        let sites = pluralize(starts, "live site");
        context
            .ui
            .warn(&format!("this overwrites {sites} {}", confirmation.target));
        context
            .ui
            .detail("everything that changed since the snapshots were taken is lost");
    }
    let question = Question::typed(
        format!("Restore {}", pluralize(starts, "site")),
        starts.to_string(),
    );
    confirmation.ask(&[question]).await.map(Some)
}
