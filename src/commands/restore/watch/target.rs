//! The restores to watch, and the command that continues to watch them.

use crate::client::{Api, Task, is_address};
use crate::commands::context::Context;
use crate::commands::restore::account::require_same_account;
use crate::commands::sites::AccountSites;
use crate::config::NameOf;
use crate::error::{Error, Kind, Result};
use crate::journal::{Entry, Journal, Observation, RestoreId, Runs};
use crate::resources::{Outcome, short_url};
use crate::shell::shell_arguments;
use crate::terminal::pluralize;
use jiff::Timestamp;
use serde::Serialize;
use std::collections::HashSet;

/// The maximum number of ids in the command that resumes watching. If there are more, and all
/// restores are in the journal, the command has no ids, and watches all unfinished restores.
const MAX_IDS: usize = 8;

/// A restore to watch.
#[derive(Debug, Clone, Default, Serialize)]
pub struct WatchTarget {
    /// The id of the task; None if no response has shown it.
    pub task_id: Option<String>,
    /// The site, if it is known.
    pub site_id: Option<String>,
    /// The restore in the journal; None if another machine or program started it.
    #[serde(skip)]
    pub restore_id: Option<RestoreId>,
    /// The outcome in the journal.
    #[serde(skip)]
    pub recorded: Option<Outcome>,
    /// The URL of the site, as the journal says.
    #[serde(skip)]
    pub url: Option<String>,
    /// What the journal says was seen last.
    #[serde(skip)]
    pub seen: Option<Observation>,
    /// Whether an earlier command has sent the restore of a run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
    /// Whether a line has shown that the restore was started.
    #[serde(skip)]
    pub is_announced: bool,
}

impl WatchTarget {
    pub fn new(entry: &Entry<'_>) -> Self {
        Self {
            task_id: entry.restore.task_id().map(String::from),
            site_id: Some(entry.site_id().into()),
            restore_id: Some(entry.id()),
            recorded: Some(entry.outcome),
            url: entry.restore.decided.url.clone(),
            seen: entry.restore.observation().cloned(),
            resumed: false,
            is_announced: false,
        }
    }

    /// Returns the address of the site, its id or, if both are unknown, the id of the task.
    pub fn label(&self) -> &str {
        let url = self.url.as_deref().map(short_url);
        url.or(self.site_id.as_deref())
            .or(self.task_id.as_deref())
            .unwrap_or("a restore")
    }

    /// Returns the site with its task, such as `site-0001 (task-7)`.
    pub fn full_name(&self) -> String {
        match (&self.site_id, &self.task_id) {
            (Some(_), Some(task)) => format!("{} ({task})", self.label()),
            _ => self.label().into(),
        }
    }
}

/// Returns the unfinished restores of the account. Restores without a task that have been in doubt
/// for more than 24 hours are only counted in a note.
pub fn unfinished_restores(context: &Context, runs: &Runs) -> Vec<WatchTarget> {
    let mut targets = Vec::new();
    let mut in_doubt = 0;
    for entry in runs.entries_of_service() {
        if entry.run.details.profile != context.settings.account.profile {
            continue;
        }
        let age = Timestamp::now().duration_since(entry.started_at());
        let has_task = entry.restore.task_id().is_some();
        if entry.outcome == Outcome::Unknown && !has_task && age.as_hours() >= 24 {
            in_doubt += 1;
        } else if entry.is_unfinished() {
            targets.push(WatchTarget::new(&entry));
        }
    }
    if in_doubt > 0 {
        let restores = pluralize(in_doubt, "restore");
        let program = context.program();
        context.ui.note(&format!(
            "not watched: {restores} with an unknown outcome for more than 24 hours \
             (list them: {program} restore history --outcome unknown)"
        ));
    }
    targets
}

/// Returns the restores of these tasks, and the newest restore of each of these sites, without
/// duplicates. An id that the journal does not contain is assumed to be that of a task. The list of
/// sites is read only if a URL or a host name is specified.
///
/// Adds to `not_sent` an error for each site whose newest restore was rejected or not sent.
///
/// # Errors
/// `NotFound` if a URL is unknown; the error of the list.
pub async fn find_restores(
    context: &Context,
    api: &Api,
    tasks_and_sites: &[NameOf<Task>],
    journal: &Journal,
    not_sent: &mut Vec<Error>,
) -> Result<Vec<WatchTarget>> {
    let is_task = |id: &str| journal.runs().of_task(id).is_some();
    let is_searched = |text: &NameOf<Task>| is_address(text) && !is_task(text);
    let sites = if tasks_and_sites.iter().any(is_searched) {
        Some(AccountSites::read(context, api).await?)
    } else {
        None
    };
    let runs = journal.runs();
    let mut targets = Vec::new();
    for task_or_site in tasks_and_sites {
        if let Some(entry) = runs.of_task(task_or_site) {
            require_same_account(context, entry.run)?;
            targets.push(WatchTarget::new(&entry));
            continue;
        }
        let searched_sites = sites.as_ref().filter(|_| is_searched(task_or_site));
        let site_id = find_site_id(task_or_site, searched_sites)?;
        let newest = runs.newest_of_site(&site_id);
        if let Some(error) = newest.and_then(|entry| not_sent_error(context, &entry)) {
            not_sent.push(error);
            continue;
        }
        targets.push(match newest {
            Some(entry) => {
                require_same_account(context, entry.run)?;
                WatchTarget::new(&entry)
            }
            None if site_id != **task_or_site => return Err(no_restore(context, &site_id)),
            None => WatchTarget {
                task_id: Some(site_id),
                ..WatchTarget::default()
            },
        });
    }
    let mut seen = HashSet::new();
    targets.retain(|target| seen.insert((target.task_id.clone(), target.site_id.clone())));
    Ok(targets)
}

/// Returns the id of the site with this URL or host name; other text unchanged. `sites` is set only
/// for a URL or a host name.
fn find_site_id(text: &str, sites: Option<&AccountSites>) -> Result<String> {
    match sites.map(|sites| sites.find(text)) {
        Some(Ok(site)) => Ok(site.id().unwrap_or_default()),
        // Text that is not found may be the id of a task, which may contain a dot.
        Some(Err(error)) if error.kind != Kind::NotFound || text.contains('/') => Err(error),
        Some(Err(_)) | None => Ok(text.into()),
    }
}

/// Returns the error of a site whose newest restore was not started.
fn not_sent_error(context: &Context, entry: &Entry<'_>) -> Option<Error> {
    let what = match entry.outcome {
        Outcome::Rejected => "was rejected",
        Outcome::NotSent => "was not sent",
        _ => return None,
    };
    let site_id = entry.site_id();
    let run_id = &entry.run.id;
    let program = context.program();
    let message = format!("the newest restore of {site_id}, of run {run_id}, {what}");
    Some(Error::new(Kind::NotFound, message).with_hint(format!(
        "show the run: {program} restore resume {run_id} --dry-run"
    )))
}

fn no_restore(context: &Context, site_id: &str) -> Error {
    let program = context.program();
    let message = format!("no restore of {site_id} found in the journal of this service");
    Error::new(Kind::NotFound, message)
        .with_hint(format!("list the restores: {program} restore history"))
}

/// Returns the command that resumes watching these restores. See `MAX_IDS`.
pub fn watch_command(context: &Context, targets: &[&WatchTarget]) -> String {
    let command = format!("{} restore watch", context.program());
    let ids: Vec<&str> = targets
        .iter()
        .filter_map(|target| target.task_id.as_deref().or(target.site_id.as_deref()))
        .collect();
    let are_in_journal = targets.iter().all(|target| target.restore_id.is_some());
    if ids.is_empty() || (ids.len() > MAX_IDS && are_in_journal) {
        return command;
    }
    format!("{command} {}", shell_arguments(&ids))
}
