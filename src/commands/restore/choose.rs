//! Prompts for a site, a snapshot or a scope that was not specified.

use crate::client::{created_at, no_usable_snapshot, site_urls, usable_snapshots};
use crate::commands::sites::Sites;
use crate::config::duration::{ago, local};
use crate::error::{Error, Kind, Result};
use crate::resources::{Record, Scope};
use crate::terminal::{Ui, format_bytes};
use serde_json::value::RawValue;
use std::cmp::Reverse;

/// Prompts for a site, and returns its id.
///
/// # Errors
/// The error of the list; `NotFound` if it is empty; `Interrupted` if the user cancels.
pub async fn site(ui: &Ui, sites: &Sites) -> Result<String> {
    let sites = sites.list()?;
    if sites.is_empty() {
        let error = Error::new(Kind::NotFound, "the account has no sites");
        return Err(error.with_hint("check the account: sitectl auth status"));
    }
    let row = |site: &Record| {
        [
            site.id(),
            site_urls(site).into_iter().next(),
            site.text("name"),
        ]
    };
    let rows: Vec<Vec<String>> = sites
        .iter()
        .map(|site| row(site).map(Option::unwrap_or_default).into())
        .collect();
    Ok(sites[ui.choose("Site", &rows).await?]
        .id()
        .unwrap_or_default())
}

/// Prompts for a snapshot of a site.
///
/// # Errors
/// `NotFound` if no snapshot can be restored.
pub async fn snapshot(ui: &Ui, site_id: &str, snapshots: &[Record]) -> Result<Record> {
    let mut offered = usable_snapshots(snapshots);
    offered.sort_by_key(|snapshot| Reverse(created_at(snapshot)));
    if offered.is_empty() {
        return Err(no_usable_snapshot(site_id, None));
    }
    let rows: Vec<Vec<String>> = offered.iter().map(|snapshot| row(snapshot)).collect();
    Ok(offered[ui.choose("Snapshot", &rows).await?].clone())
}

/// Prompts for a scope.
///
/// # Errors
/// `Interrupted` if the user cancels.
pub async fn scope(ui: &Ui) -> Result<Box<RawValue>> {
    const SCOPES: [(&str, &str, bool, bool); 3] = [
        ("full", "everything", true, true),
        ("files", "all files", true, false),
        ("database", "all database tables", false, true),
    ];
    let rows = SCOPES.map(|(name, words, ..)| vec![name.to_string(), words.to_string()]);
    let (_, _, include_files, include_database) = SCOPES[ui.choose("Scope", &rows).await?];
    Scope {
        include_files,
        include_database,
        ..Scope::default()
    }
    .json()
}

/// Returns the menu row of a snapshot: id, time, age, name, type and size.
fn row(snapshot: &Record) -> Vec<String> {
    let taken = created_at(snapshot).map(|at| [local(at), ago(at)]);
    let size = snapshot
        .text("size_bytes")
        .and_then(|text| text.parse().ok())
        .map(format_bytes);
    let about = [snapshot.text("name"), snapshot.text("type"), size]
        .into_iter()
        .flatten();
    snapshot
        .id()
        .into_iter()
        .chain(taken.unwrap_or_default())
        .chain(about.filter(|text| !text.is_empty()))
        .collect()
}
