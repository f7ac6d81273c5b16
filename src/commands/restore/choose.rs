//! Prompts for a snapshot or a scope that was not specified.

use crate::client::{created_at, usable_snapshots};
use crate::config::duration::{format_ago, format_local};
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, Scope};
use crate::terminal::{Ui, format_bytes};
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::cmp::Reverse;

/// Prompts for a snapshot of a site, newest first.
///
/// # Errors
/// `NotFound` if no snapshot can be restored; `Interrupted` if the user cancels.
pub async fn choose_snapshot(ui: &Ui, site_id: &str, snapshots: &[Record]) -> Result<Record> {
    let mut choices = usable_snapshots(snapshots);
    choices.sort_by_key(|snapshot| Reverse(created_at(snapshot)));
    if choices.is_empty() {
        // `--before` implies `latest`, for which sitectl does not prompt.
        return Err(no_usable_snapshot(ui, site_id, None));
    }
    let mut menu = Vec::new();
    for snapshot in &choices {
        menu.push(snapshot_menu_row(snapshot));
    }
    let index = ui.choose("Snapshot", &menu).await?;
    Ok(choices[index].clone())
}

/// Returns the error of a site without a usable snapshot: without any, or without one before a time.
pub fn no_usable_snapshot(ui: &Ui, site_id: &str, before: Option<Timestamp>) -> Error {
    let mut message = format!("site '{site_id}' has no snapshot with status 'succeeded'");
    if let Some(before) = before {
        message += &format!(" taken before {}", ui.format_time(before));
    }
    Error::new(Kind::NotFound, message)
}

/// Prompts for a scope.
///
/// # Errors
/// `Interrupted` if the user cancels.
pub async fn choose_scope(ui: &Ui) -> Result<Box<RawValue>> {
    let menu = [
        ["full", "everything"],
        ["files", "all files"],
        ["database", "all database tables"],
    ];
    let rows = menu.map(|row| row.map(String::from).into());
    let index = ui.choose("Scope", &rows).await?;
    let choice = menu[index][0];
    // `full` includes both parts.
    Scope {
        include_files: choice != "database",
        include_database: choice != "files",
        ..Scope::default()
    }
    .json()
}

/// Returns the menu row of a snapshot: id, time, age, name, type and size.
fn snapshot_menu_row(snapshot: &Record) -> Vec<String> {
    let mut row = Vec::new();
    row.extend(snapshot.id());
    let taken = created_at(snapshot).map(|at| [format_local(at), format_ago(at)]);
    row.extend(taken.unwrap_or_default());
    for field in ["name", "type"] {
        row.extend(snapshot.text(field).filter(|text| !text.is_empty()));
    }
    if let Some(size) = snapshot.text("size_bytes")
        && let Ok(bytes) = size.parse()
    {
        row.push(format_bytes(bytes));
    }
    row
}
