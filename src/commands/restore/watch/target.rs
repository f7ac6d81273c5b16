//! The restores to watch, and the command that continues to watch them.

use crate::client::{Api, is_url};
use crate::commands::context::Context;
use crate::commands::sites::Sites;
use crate::error::{Kind, Result};
use crate::journal::{Entry, Outcome, unfinished};
use crate::resources::Record;
use crate::terminal::shell_arguments;
use serde::Serialize;
use std::collections::HashSet;

/// The most ids in the command.
const FEW: usize = 8;

/// A restore that was sent, or may have been.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Target {
    /// Its task; none if the response that would have named it was lost.
    pub task_id: Option<String>,
    /// The site, if it is known.
    pub site_id: Option<String>,
    /// Its id in the journal, if it is there.
    #[serde(skip)]
    pub restore: Option<String>,
    /// The outcome in the journal.
    #[serde(skip)]
    pub ended: Option<Outcome>,
    /// Whether an earlier run of the plan has started it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resumed: bool,
    /// The task as the service sent it when it accepted the restore.
    #[serde(skip)]
    pub task: Option<Record>,
}

impl Target {
    /// Returns the restore of a journal entry.
    pub fn of(entry: &Entry) -> Self {
        Self {
            task_id: entry.task_id.clone(),
            site_id: Some(entry.intent.site_id.clone()),
            restore: Some(entry.restore.clone()),
            ended: entry.outcome.filter(|_| entry.has_ended()),
            ..Self::default()
        }
    }

    /// Returns its shortest name.
    pub fn label(&self) -> &str {
        self.site_id
            .as_deref()
            .or(self.task_id.as_deref())
            .unwrap_or("a restore")
    }

    /// Returns its name for people.
    pub fn name(&self) -> String {
        match (&self.site_id, &self.task_id) {
            (Some(site), Some(task)) => format!("{site} ({task})"),
            _ => self.label().into(),
        }
    }
}

/// Returns the unfinished restores of this profile among those of a service.
pub fn open_ones(context: &Context, entries: &[Entry]) -> Vec<Target> {
    let is_ours = |entry: &&Entry| entry.intent.profile == context.settings.profile;
    unfinished(entries)
        .into_iter()
        .filter(is_ours)
        .map(Target::of)
        .collect()
}

/// Returns the restores that these words name, each once: tasks, and sites with unfinished restores. An id that is not in
/// the journal is that of a task. The list of sites is read only for a URL or a host name.
///
/// # Errors
/// As [`Sites::find`].
pub async fn named(
    context: &Context,
    api: &Api,
    words: &[String],
    entries: &[Entry],
) -> Result<Vec<Target>> {
    let task = |word: &String| {
        entries
            .iter()
            .rev()
            .find(|entry| entry.task_id.as_ref() == Some(word))
    };
    let is_address = |word: &String| (is_url(word) || word.contains('.')) && task(word).is_none();
    let has_address = words.iter().any(is_address);
    let sites = if has_address {
        Some(Sites::read(context, api).await)
    } else {
        None
    };
    let site = |word: &String| match sites
        .as_ref()
        .filter(|_| is_address(word))
        .map(|sites| sites.find(word))
    {
        Some(Ok(site)) => Ok(Some(site.id)),
        // A task's id may contain a dot.
        Some(Err(error)) if error.kind != Kind::NotFound || is_url(word) => Err(error),
        _ => Ok(entries
            .iter()
            .any(|entry| entry.intent.site_id == *word)
            .then(|| word.clone())),
    };
    let mut targets = Vec::new();
    for word in words {
        match (task(word), site(word)?) {
            (Some(entry), _) => targets.push(Target::of(entry)),
            (None, Some(id)) => {
                let open = unfinished(entries)
                    .into_iter()
                    .filter(|entry| entry.intent.site_id == id);
                targets.extend(open.map(Target::of));
            }
            (None, None) => targets.push(Target {
                task_id: Some(word.clone()),
                ..Target::default()
            }),
        }
    }
    let mut met = HashSet::new();
    targets.retain(|target| met.insert((target.task_id.clone(), target.restore.clone())));
    Ok(targets)
}

/// Returns the command that resumes watching these tasks. Many tasks of the journal need no ids.
pub fn resume(context: &Context, targets: &[&Target]) -> String {
    let program = format!("{} restore watch", context.program());
    let ids: Vec<&str> = targets
        .iter()
        .filter_map(|target| target.task_id.as_deref())
        .collect();
    if ids.is_empty() || (ids.len() > FEW && targets.iter().all(|target| target.restore.is_some()))
    {
        return program;
    }
    format!("{program} {}", shell_arguments(&ids))
}
