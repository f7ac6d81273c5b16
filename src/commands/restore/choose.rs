//! Prompts for a site, a snapshot or a scope that was not specified.

use crate::client::{created_at, no_usable_snapshot, site_urls, usable_snapshots};
use crate::commands::sites::AccountSites;
use crate::config::duration::{format_ago, format_local};
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, Scope};
use crate::terminal::{Ui, format_bytes};
use serde_json::value::RawValue;
use std::cmp::Reverse;

/// Prompts for a site, and returns its id.
///
/// # Errors
/// The error of the list; `NotFound` if it is empty; `Interrupted` if the user cancels.
pub async fn choose_site(ui: &Ui, sites: &AccountSites) -> Result<String> {
    let sites = sites.list()?;
    if sites.is_empty() {
        let error = Error::new(Kind::NotFound, "the account has no sites");
        return Err(error.with_hint("check the account: sitectl auth status"));
    }
    let menu: Vec<Vec<String>> = sites
        .iter()
        .map(|site| {
            // The columns of the menu: id, URL and name.
            let address = site_urls(site).into_iter().next();
            [site.id(), address, site.text("name")]
                .map(Option::unwrap_or_default)
                .into()
        })
        .collect();
    let index = ui.choose("Site", &menu).await?;
    Ok(sites[index].id().unwrap_or_default())
}

/// Prompts for a snapshot of a site, newest first.
///
/// # Errors
/// `NotFound` if no snapshot can be restored; `Interrupted` if the user cancels.
pub async fn choose_snapshot(ui: &Ui, site_id: &str, snapshots: &[Record]) -> Result<Record> {
    let mut choices = usable_snapshots(snapshots);
    choices.sort_by_key(|snapshot| Reverse(created_at(snapshot)));
    if choices.is_empty() {
        // `--before` implies `latest`, for which sitectl does not prompt.
        return Err(no_usable_snapshot(site_id, None));
    }
    let menu: Vec<Vec<String>> = choices
        .iter()
        .map(|snapshot| snapshot_menu_row(snapshot))
        .collect();
    let index = ui.choose("Snapshot", &menu).await?;
    Ok(choices[index].clone())
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
    let index = ui
        .choose("Scope", &menu.map(|row| row.map(String::from).into()))
        .await?;
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
    let taken = created_at(snapshot).map(|at| [format_local(at), format_ago(at)]);
    let size = snapshot
        .text("size_bytes")
        .and_then(|text| text.parse().ok())
        .map(format_bytes);
    let description = [snapshot.text("name"), snapshot.text("type"), size]
        .into_iter()
        .flatten()
        .filter(|text| !text.is_empty());
    snapshot
        .id()
        .into_iter()
        .chain(taken.unwrap_or_default())
        .chain(description)
        .collect()
}
