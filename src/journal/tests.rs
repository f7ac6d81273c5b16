//! Tests of the journal.

use super::{Intent, Journal, Outcome, PlanRun};
use crate::error::{Error, Result};
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::path::Path;
use tempfile::TempDir;

/// An intent to restore this site.
fn intent(site_id: &str) -> Intent {
    Intent {
        started_at: Timestamp::now(),
        user: None,
        ci_url: None,
        profile: None,
        base_url: "sandbox".into(),
        site_id: site_id.into(),
        snapshot_id: "latest".into(),
        scope: RawValue::from_string("{}".into()).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        reason: Some("a \"reason\"\nof two lines".into()),
        run: None,
    }
}

fn state() -> Result<(TempDir, Journal)> {
    let directory = tempfile::tempdir().map_err(fail)?;
    let journal = Journal::new(&directory.path().join("new/state"));
    Ok((directory, journal))
}

fn fail(error: std::io::Error) -> Error {
    Error::file("write", Path::new("tmp"), &error)
}

#[test]
fn a_restore_has_its_task_and_outcome() -> Result<()> {
    let (_directory, journal) = state()?;
    assert!(journal.entries()?.is_empty());
    assert!(
        journal
            .record_intent(intent("site-0"), |_| Err(Error::usage("no")))
            .is_err()
    );
    let one = journal.record_intent(intent("site-1"), |_| Ok(()))?;
    let two = journal.record_intent(intent("site-2"), |_| Ok(()))?;
    journal.record_acceptance(&one, Some("task-1".into()))?;
    journal.record_outcome(&one, Outcome::Succeeded)?;
    let entries = journal.entries()?;
    assert_eq!(
        (entries[0].task_id.as_deref(), entries[0].outcome),
        (Some("task-1"), Some(Outcome::Succeeded))
    );
    assert!(
        entries[1].restore_id == two
            && entries[1].outcome.is_none()
            && !entries[1].is_accepted
            && entries.len() == 2
    );
    journal.clear()?;
    assert!(journal.entries()?.is_empty());
    Ok(())
}

#[test]
fn incomplete_lines_are_ignored_and_damaged_lines_are_errors() -> Result<()> {
    let (_directory, journal) = state()?;
    journal.record_intent(intent("site-1"), |_| Ok(()))?;
    let whole = std::fs::read(&journal.path).map_err(fail)?;
    for cut in 1..whole.len() {
        std::fs::write(&journal.path, [&whole[..], &whole[..cut]].concat()).map_err(fail)?;
        journal.record_intent(intent("site-2"), |_| Ok(()))?;
        // The longest cut lacks only the end of the line.
        assert_eq!(
            journal.entries()?.len(),
            if cut == whole.len() - 1 { 3 } else { 2 },
            "{cut}"
        );
    }
    std::fs::write(&journal.path, [&whole[..], &[0; 100]].concat()).map_err(fail)?;
    journal.record_intent(intent("site-2"), |_| Ok(()))?;
    assert_eq!(journal.entries()?.len(), 2, "a crash may leave zeros");
    std::fs::write(&journal.path, &whole).map_err(fail)?;
    let restore = journal.record_intent(intent("site-2"), |_| Ok(()))?;
    journal.record_acceptance(&restore, Some("task-1".into()))?;
    let text = std::fs::read_to_string(&journal.path).map_err(fail)?;
    let intended = text.lines().nth(1).unwrap_or_default();
    std::fs::write(
        &journal.path,
        text.replace(intended, &intended[..intended.len() / 2]),
    )
    .map_err(fail)?;
    assert!(
        journal
            .entries()
            .is_err_and(|error| error.message.contains("line 2 of")),
        "it was sent"
    );
    std::fs::write(&journal.path, b"{\"restore\":7}\n").map_err(fail)?;
    assert!(journal.entries().is_err());
    Ok(())
}

#[test]
fn a_run_is_finished_when_every_row_has_started_and_ended() -> Result<()> {
    let (_directory, journal) = state()?;
    let run = PlanRun::new("plan", 2);
    let other = PlanRun::new("other plan", 1);
    let unfinished = |run: &PlanRun| {
        journal
            .entries()
            .map(|entries| run.last_unfinished(&entries))
    };
    let begin = |run: &PlanRun, site: &str| {
        let run = Some(run.clone());
        journal.record_intent(
            Intent {
                run,
                ..intent(site)
            },
            |_| Ok(()),
        )
    };
    assert_eq!(unfinished(&run)?, None);
    let refused = begin(&run, "site-1")?;
    journal.record_outcome(&refused, Outcome::Refused)?;
    assert_eq!(unfinished(&run)?, None, "nothing was started");
    let one = begin(&run, "site-1")?;
    assert_eq!(
        unfinished(&PlanRun::new("plan", 2))?,
        Some(run.clone()),
        "it may have been started"
    );
    assert_eq!(unfinished(&other)?, None);
    journal.record_acceptance(&one, Some("task-1".into()))?;
    journal.record_outcome(&one, Outcome::Succeeded)?;
    assert_eq!(
        unfinished(&run)?,
        Some(run.clone()),
        "a row has not started"
    );
    let two = begin(&run, "site-2")?;
    journal.record_outcome(&two, Outcome::Refused)?;
    assert_eq!(
        unfinished(&run)?,
        Some(run.clone()),
        "a row that was refused has not started"
    );
    let two = begin(&run, "site-2")?;
    journal.record_acceptance(&two, None)?;
    assert_eq!(unfinished(&run)?, Some(run.clone()), "a row has not ended");
    journal.record_outcome(&two, Outcome::Failed)?;
    assert_eq!(unfinished(&run)?, None);
    assert_eq!(
        run.last_restore(&journal.entries()?, "site-2")
            .map(|entry| entry.restore_id.clone()),
        Some(two)
    );
    assert!(other.last_restore(&journal.entries()?, "site-2").is_none());
    Ok(())
}
