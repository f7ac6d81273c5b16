//! Runs of plans: what a run has started, and whether it is finished. Another run of the same text depends on both.

use super::entry::Entry;
use crate::config::digest::sha256;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// One run of a plan of restores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// When it began.
    pub started_at: Timestamp,
    /// The SHA-256 of the plan's text.
    pub plan: String,
    /// How many rows the plan has, one per site.
    pub rows: usize,
}

impl Run {
    /// Begins a run of the plan with this text.
    pub fn new(text: &str, rows: usize) -> Self {
        Self { started_at: Timestamp::now(), plan: sha256(text), rows }
    }

    /// Returns the last run of the same plan on this service, if it has accepted or unknown restores and not all of its
    /// rows have started and ended.
    pub fn unfinished(&self, entries: &[Entry], service: &str) -> Option<Self> {
        let of_service = entries.iter().rev().filter(|entry| entry.service == service);
        let run = of_service.filter_map(|entry| entry.intent.run.as_ref()).find(|run| run.plan == self.plan)?;
        let of_run = entries.iter().filter(|entry| entry.intent.run.as_ref() == Some(run));
        let by_site: HashMap<&str, &Entry> = of_run.map(|entry| (&*entry.intent.site_id, entry)).collect();
        let ended = by_site.values().filter(|entry| entry.has_ended()).count();
        let has_begun = by_site.values().any(|entry| !entry.was_refused());
        (has_begun && ended < run.rows).then(|| run.clone())
    }

    /// Returns the restore of a site that this run sent last.
    pub fn restore<'e>(&self, entries: &'e [Entry], site_id: &str) -> Option<&'e Entry> {
        let is_it = |entry: &&Entry| entry.intent.site_id == site_id && entry.intent.run.as_ref() == Some(self);
        entries.iter().rev().find(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::journal::{Journal, Outcome, tests::intent};

    #[test]
    fn a_run_is_finished_when_every_row_has_started_and_ended() -> Result<()> {
        let directory =
            tempfile::tempdir().map_err(|error| crate::error::Error::file("make", "tmp".as_ref(), &error))?;
        let journal = Journal::new(directory.path());
        let (run, other) = (Run::new("plan", 2), Run::new("other plan", 1));
        let unfinished = |run: &Run| journal.entries().map(|entries| run.unfinished(&entries, "sandbox"));
        let begin = |run: &Run, site: &str| {
            let run = Some(run.clone());
            journal.begin(crate::journal::Intent { run, ..intent(site) }, |_| Ok(()))
        };
        assert_eq!(unfinished(&run)?, None);
        let refused = begin(&run, "site-1")?;
        journal.ended(&refused, Outcome::Refused)?;
        assert_eq!(unfinished(&run)?, None, "nothing was started");
        let one = begin(&run, "site-1")?;
        assert_eq!(unfinished(&Run::new("plan", 2))?, Some(run.clone()), "it may have been started");
        assert_eq!(unfinished(&other)?, None);
        journal.accepted(&one, Some("task-1".into()))?;
        journal.ended(&one, Outcome::Succeeded)?;
        assert_eq!(unfinished(&run)?, Some(run.clone()), "a row has not started");
        let two = begin(&run, "site-2")?;
        journal.ended(&two, Outcome::Refused)?;
        assert_eq!(unfinished(&run)?, Some(run.clone()), "a row that was refused has not started");
        let two = begin(&run, "site-2")?;
        journal.accepted(&two, None)?;
        assert_eq!(unfinished(&run)?, Some(run.clone()), "a row has not ended");
        journal.ended(&two, Outcome::Failed)?;
        assert_eq!(unfinished(&run)?, None);
        assert_eq!(run.restore(&journal.entries()?, "site-2").map(|entry| entry.restore.clone()), Some(two));
        assert!(other.restore(&journal.entries()?, "site-2").is_none());
        Ok(())
    }
}
