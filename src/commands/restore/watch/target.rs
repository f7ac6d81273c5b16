//! The restores to watch, and the command that continues to watch them.

use crate::commands::context::Context;
use crate::journal::{Entry, Outcome, unfinished};
use crate::terminal::arguments;
use std::collections::HashSet;

/// The most tasks that the command names.
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
    /// How it ended, if the journal knows.
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

/// Returns these tasks, each once, with what the journal knows of them.
pub fn named(tasks: &[String], service: &str, entries: &[Entry]) -> Vec<Target> {
    let mut met = HashSet::new();
    let target = |task_id: &String| {
        let is_it = |entry: &&Entry| entry.service == service && entry.task_id.as_ref() == Some(task_id);
        let known = entries.iter().rev().find(is_it).map(Target::of);
        known.unwrap_or_else(|| Target { task_id: Some(task_id.clone()), ..Target::default() })
    };
    tasks.iter().filter(|task_id| met.insert(task_id.as_str())).map(target).collect()
}

/// Returns the command that continues to watch these tasks. Many that the journal knows need not be named.
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
    fn a_task_that_is_named_twice_is_watched_once() {
        let tasks: Vec<String> = ["b", "a", "b"].map(String::from).into();
        let ids: Vec<_> = named(&tasks, "service", &[]).into_iter().filter_map(|target| target.task_id).collect();
        assert_eq!(ids, ["b", "a"]);
    }
}
