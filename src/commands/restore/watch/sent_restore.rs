//! The restores to watch, and the command that continues to watch them.

use crate::client::{Api, Task, is_url};
use crate::commands::context::Context;
use crate::commands::sites::AccountSites;
use crate::config::NameOf;
use crate::error::{Kind, Result};
use crate::journal::{Entry, Outcome, unfinished_restores};
use crate::resources::Record;
use crate::terminal::shell_arguments;
use serde::Serialize;
use std::collections::HashSet;

/// The maximum number of ids in the command that resumes watching. If there are more, and all
/// restores are in the journal, the command has no ids, and watches all unfinished restores.
const MAX_IDS: usize = 8;

/// A restore that was sent, or may have been.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SentRestore {
    /// The id of the task; none if the response was lost, or had no id.
    pub task_id: Option<String>,
    /// The site, if it is known.
    pub site_id: Option<String>,
    /// The id in the journal; none if another machine or program started the restore.
    #[serde(skip)]
    pub restore_id: Option<String>,
    /// The outcome in the journal, if the restore has ended.
    #[serde(skip)]
    pub recorded_outcome: Option<Outcome>,
    /// Whether an earlier run of the plan has started the restore.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
    /// The task as the service sent it when it accepted the restore; none if an earlier command
    /// started the restore, or the response was lost.
    #[serde(skip)]
    pub task: Option<Record>,
}

impl SentRestore {
    pub fn from_entry(entry: &Entry) -> Self {
        Self {
            task_id: entry.task_id.clone(),
            site_id: Some(entry.intent.site_id.clone()),
            restore_id: Some(entry.restore_id.clone()),
            recorded_outcome: entry.outcome.filter(|_| entry.has_ended()),
            ..Self::default()
        }
    }

    /// Returns the id of the site or, if it is unknown, of the task.
    pub fn label(&self) -> &str {
        self.site_id
            .as_deref()
            .or(self.task_id.as_deref())
            .unwrap_or("a restore")
    }

    /// Returns the site with its task, such as `site-0001 (task-7)`.
    pub fn full_name(&self) -> String {
        match (&self.site_id, &self.task_id) {
            (Some(site), Some(task)) => format!("{site} ({task})"),
            _ => self.label().into(),
        }
    }
}

/// Returns the unfinished restores of the active profile, among all restores of a service.
pub fn unfinished_of_profile(context: &Context, entries: &[Entry]) -> Vec<SentRestore> {
    unfinished_restores(entries)
        .into_iter()
        .filter(|entry| entry.intent.profile == context.settings.profile)
        .map(SentRestore::from_entry)
        .collect()
}

/// Returns the restores of these tasks, and the unfinished restores of these sites, without
/// duplicates. An id that the journal does not contain is assumed to be that of a task. The list of
/// sites is read only if a URL or a host name is specified.
pub async fn find_restores(
    context: &Context,
    api: &Api,
    tasks_and_sites: &[NameOf<Task>],
    entries: &[Entry],
) -> Result<Vec<SentRestore>> {
    let entry_of_task = |id: &str| {
        entries
            .iter()
            .rev()
            .find(|entry| entry.task_id.as_deref() == Some(id))
    };
    let is_address =
        |text: &NameOf<Task>| (is_url(text) || text.contains('.')) && entry_of_task(text).is_none();
    let sites = if tasks_and_sites.iter().any(is_address) {
        Some(AccountSites::read(context, api).await)
    } else {
        None
    };
    let mut restores = Vec::new();
    for task_or_site in tasks_and_sites {
        if let Some(entry) = entry_of_task(task_or_site) {
            restores.push(SentRestore::from_entry(entry));
            continue;
        }
        let searched_sites = sites.as_ref().filter(|_| is_address(task_or_site));
        match find_site_id(task_or_site, searched_sites, entries)? {
            Some(site_id) => {
                let mut unfinished = unfinished_restores(entries);
                unfinished.retain(|entry| entry.intent.site_id == site_id);
                restores.extend(unfinished.into_iter().map(SentRestore::from_entry));
            }
            None => restores.push(SentRestore {
                task_id: Some(task_or_site.to_string()),
                ..SentRestore::default()
            }),
        }
    }
    let mut seen = HashSet::new();
    restores.retain(|restore| seen.insert((restore.task_id.clone(), restore.restore_id.clone())));
    Ok(restores)
}

/// Returns the id of the site with this id, URL or host name; none if `text` may be a task's id.
/// `sites` is set only for a URL or a host name. An id must be in the journal.
fn find_site_id(
    text: &str,
    sites: Option<&AccountSites>,
    entries: &[Entry],
) -> Result<Option<String>> {
    match sites.map(|sites| sites.find(text)) {
        Some(Ok(site)) => return Ok(Some(site.id)),
        // Other text that is not found may be the id of a task, which may contain a dot.
        Some(Err(error)) if error.kind != Kind::NotFound || is_url(text) => return Err(error),
        Some(Err(_)) | None => {}
    }
    let is_in_journal = entries.iter().any(|entry| entry.intent.site_id == text);
    Ok(is_in_journal.then(|| text.into()))
}

/// Returns the command that resumes watching these restores. See `MAX_IDS`.
pub fn resume_command(context: &Context, restores: &[&SentRestore]) -> String {
    let command = format!("{} restore watch", context.program());
    let ids: Vec<&str> = restores
        .iter()
        .filter_map(|restore| restore.task_id.as_deref())
        .collect();
    let are_in_journal = restores.iter().all(|restore| restore.restore_id.is_some());
    if ids.is_empty() || (ids.len() > MAX_IDS && are_in_journal) {
        return command;
    }
    format!("{command} {}", shell_arguments(&ids))
}
