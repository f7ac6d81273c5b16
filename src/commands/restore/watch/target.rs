//! The restores to watch, and the command that continues to watch them.

use crate::commands::context::Context;
use crate::journal::{Entry, Outcome, unfinished};
use crate::terminal::arguments;
use std::collections::HashSet;

/// The most ids in the command.
const FEW: usize = 8;

/// A restore to follow.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// Its task; none if the response that would have named it was lost.
    pub task_id: Option<String>,
    /// The site, if it is known.
    pub site_id: Option<String>,
    /// Its id in the journal, if it is there.
    pub restore: Option<String>,
    /// The outcome in the journal.
    pub ended: Option<Outcome>,
    /// Whether an earlier run of the plan has started it.
    pub resumed: bool,
}

impl Target {
    /// Returns the restore of a journal entry.
    pub fn of(entry: &Entry) -> Self {
        let site_id = Some(entry.intent.site_id.clone());
        let ended = entry.outcome.filter(|_| entry.has_ended());
        Self { task_id: entry.task_id.clone(), site_id, restore: Some(entry.restore.clone()), ended, resumed: false }
    }

    /// Returns its shortest name.
    pub fn label(&self) -> &str {
        self.site_id.as_deref().or(self.task_id.as_deref()).unwrap_or("a restore")
    }

    /// Returns its name for people.
    pub fn name(&self) -> String {
        match (&self.site_id, &self.task_id) {
            (Some(site), Some(task)) => format!("{site} ({task})"),
            _ => self.label().into(),
        }
    }
}

/// Returns the unfinished restores of this service and profile.
pub fn open_ones(context: &Context, service: &str, entries: &[Entry]) -> Vec<Target> {
    let profile = &context.settings.profile;
    let here = |entry: &&Entry| entry.service == service && entry.intent.profile == *profile;
    unfinished(entries).into_iter().filter(here).map(Target::of).collect()
}

/// What to watch.
pub enum Wanted {
    /// The unfinished restores of the site with this id.
    Site(String),
    /// The task with this id, or else a site in the journal. An id that is not in the journal is that of a task.
    Any(String),
}

/// Returns the restores to watch, each once.
pub fn named(wanted: &[Wanted], service: &str, entries: &[Entry]) -> Vec<Target> {
    let here: Vec<&Entry> = entries.iter().filter(|entry| entry.service == service).collect();
    let of_site = |id: &String| -> Vec<Target> {
        let open = unfinished(entries).into_iter().filter(|entry| entry.service == service);
        open.filter(|entry| entry.intent.site_id == *id).map(Target::of).collect()
    };
    let targets = |wanted: &Wanted| match wanted {
        Wanted::Site(id) => of_site(id),
        Wanted::Any(id) => match here.iter().rev().find(|entry| entry.task_id.as_ref() == Some(id)) {
            Some(entry) => vec![Target::of(entry)],
            None if here.iter().any(|entry| entry.intent.site_id == *id) => of_site(id),
            None => vec![Target { task_id: Some(id.clone()), ..Target::default() }],
        },
    };
    let mut met = HashSet::new();
    let all = wanted.iter().flat_map(targets);
    all.filter(|target| met.insert((target.task_id.clone(), target.restore.clone()))).collect()
}

/// Returns the command that resumes watching these tasks. Many tasks of the journal need no ids.
pub fn resume(context: &Context, targets: &[&Target]) -> String {
    let program = format!("{} restore watch", context.program());
    let ids: Vec<&str> = targets.iter().filter_map(|target| target.task_id.as_deref()).collect();
    if ids.is_empty() || (ids.len() > FEW && targets.iter().all(|target| target.restore.is_some())) {
        return program;
    }
    format!("{program} {}", arguments(&ids))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_task_is_watched_once() {
        let tasks = ["b", "a", "b"].map(|id| Wanted::Any(id.into()));
        let ids: Vec<_> = named(&tasks, "service", &[]).into_iter().filter_map(|target| target.task_id).collect();
        assert_eq!(ids, ["b", "a"]);
    }
}
