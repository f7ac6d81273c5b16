//! Prompts for a snapshot or a scope that was not specified.

use super::requested::{Backups, count_reasons, reason_unusable};
use crate::client::created_at;
use crate::config::duration::{format_ago, format_local};
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, RestoreScope, has_succeeded, scanner_word, stored_size};
use crate::terminal::{Ui, format_bytes};
use jiff::Timestamp;
use std::cmp::Reverse;

/// Prompts for a snapshot of a site, newest first, beginning at what `latest` means.
///
/// # Errors
/// `NotFound` if no snapshot can be restored; `Interrupted` if the user cancels.
pub async fn choose_snapshot(ui: &Ui, snapshots: &[Record], backups: &Backups) -> Result<Record> {
    let succeeded = snapshots.iter().filter(|snapshot| has_succeeded(snapshot));
    let mut choices: Vec<&Record> = succeeded.collect();
    choices.sort_by_key(|snapshot| Reverse(created_at(snapshot)));
    if choices.is_empty() {
        // `--before` implies `latest`, for which sitectl does not prompt.
        return Err(no_usable_snapshot(ui, snapshots, None, backups));
    }
    let mut menu = Vec::new();
    for snapshot in &choices {
        menu.push(snapshot_menu_row(snapshot));
    }
    let is_usable = |snapshot: &&Record| reason_unusable(snapshot, backups).is_none();
    let latest = choices.iter().position(is_usable).unwrap_or_default();
    let index = ui.choose("Snapshot", &menu, latest).await?;
    Ok(choices[index].clone())
}

/// Returns the error of a site without a usable snapshot: without any, or without one before a time.
pub fn no_usable_snapshot(
    ui: &Ui,
    snapshots: &[Record],
    before: Option<Timestamp>,
    backups: &Backups,
) -> Error {
    let mut message = String::from("no usable snapshot");
    if let Some(before) = before {
        message += &format!(" taken before {}", ui.format_time(before));
    }
    let is_older = |snapshot: &&Record| before.is_none() || created_at(snapshot) < before;
    let older = snapshots.iter().filter(is_older);
    let reasons = count_reasons(older.filter_map(|snapshot| reason_unusable(snapshot, backups)));
    let reasons = match snapshots.iter().filter_map(created_at).min() {
        _ if !reasons.is_empty() => reasons,
        Some(oldest) => format!("the oldest is of {}", ui.format_time(oldest)),
        None => "there are none".into(),
    };
    Error::new(Kind::NotFound, format!("{message}: {reasons}"))
}

/// Prompts for a scope.
///
/// # Errors
/// `Interrupted` if the user cancels.
pub async fn choose_scope(ui: &Ui) -> Result<RestoreScope> {
    let menu = [
        ["full", "everything"],
        ["files", "all files"],
        ["database", "all database tables"],
    ];
    let rows = menu.map(|row| row.map(String::from).into());
    let index = ui.choose("Scope", &rows, 0).await?;
    let choice = menu[index][0];
    // `full` includes both parts.
    Ok(RestoreScope {
        include_files: choice != "database",
        include_database: choice != "files",
        ..RestoreScope::default()
    })
}

/// Returns the menu row of a snapshot: time, age, the scanner's word, size and id.
fn snapshot_menu_row(snapshot: &Record) -> Vec<String> {
    let mut row = Vec::new();
    let taken = created_at(snapshot).map(|at| [format_local(at), format_ago(at)]);
    row.extend(taken.unwrap_or_default());
    row.push(scanner_word(snapshot).unwrap_or_default());
    let size = stored_size(snapshot).map(format_bytes);
    row.push(size.unwrap_or_default());
    row.extend(snapshot.id());
    row
}
