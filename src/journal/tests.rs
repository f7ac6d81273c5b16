//! Tests of the journal.

use super::{DecidedRestore, Journal, Observation, RestoreId, RunDetails};
use crate::error::{Error, Result};
use crate::resources::Outcome;
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const SERVICE: &str = "sandbox";
const TIMEOUT: Duration = Duration::from_secs(30);

fn silent() -> Box<dyn Fn(&str)> {
    Box::new(|_| {})
}

fn details() -> RunDetails {
    RunDetails {
        started_at: Timestamp::now(),
        user: None,
        ci_url: None,
        profile: None,
        base_url: SERVICE.into(),
        account: Some("0123abcd".into()),
        reason: None,
        idempotency_key: None,
    }
}

/// A restore of this site.
fn decided(site_id: &str) -> DecidedRestore {
    DecidedRestore {
        site_id: site_id.into(),
        url: None,
        title: None,
        snapshot_id: Some("snapshot".into()),
        taken_at: None,
        scope: RawValue::from_string("{}".into()).unwrap_or_default(),
        reason: Some("a \"reason\"\nof two lines".into()),
        refusal: None,
        backup_first: false,
    }
}

fn accepted(task_id: &str, outcome: Outcome) -> Observation {
    Observation {
        task_id: Some(task_id.into()),
        ..Observation::of(outcome)
    }
}

fn state() -> Result<(TempDir, Journal)> {
    let directory = tempfile::tempdir().map_err(fail)?;
    let journal = Journal::new(
        &directory.path().join("new/state"),
        SERVICE.into(),
        silent(),
    );
    Ok((directory, journal))
}

/// Returns the journal as another process reads it.
fn open_again(journal: &Journal) -> Journal {
    Journal::new(
        journal.path.parent().unwrap_or(Path::new("")),
        SERVICE.into(),
        silent(),
    )
}

fn fail(error: std::io::Error) -> Error {
    Error::file("write", Path::new("tmp"), &error)
}

/// Records a run with a restore of each of these sites, and returns their ids.
async fn record_run(journal: &Journal, site_ids: &[&str]) -> Result<Vec<RestoreId>> {
    let restores = site_ids.iter().map(|site_id| decided(site_id)).collect();
    let run = journal.record_run(details(), restores, |_| Ok(())).await?;
    let id = |index| RestoreId {
        run: run.clone(),
        index,
    };
    Ok((0..site_ids.len()).map(id).collect())
}

async fn send(journal: &Journal, id: &RestoreId) -> Result<()> {
    journal
        .record_request(id.clone(), TIMEOUT, |_| Ok(()))
        .await
}

fn outcome(journal: &Journal, id: &RestoreId) -> Result<Option<Outcome>> {
    Ok(journal.read()?.entry(id).map(|entry| entry.outcome()))
}

#[tokio::test]
async fn a_restore_has_the_outcome_of_its_last_event() -> Result<()> {
    let (_directory, journal) = state()?;
    let reader = open_again(&journal);
    let ids = record_run(&journal, &["site-1", "site-2"]).await?;
    let id = &ids[0];
    assert_eq!(outcome(&reader, id)?, Some(Outcome::NotSent));
    send(&journal, id).await?;
    assert_eq!(
        outcome(&reader, id)?,
        Some(Outcome::Unknown),
        "it has no response"
    );
    for (seen, expected) in [
        (Outcome::Running, Outcome::Running),
        (Outcome::Unknown, Outcome::Unknown),
        (Outcome::Failed, Outcome::Failed),
        // Nothing replaces what is final.
        (Outcome::Succeeded, Outcome::Failed),
        (Outcome::Unknown, Outcome::Failed),
    ] {
        let observation = accepted("task-1", seen);
        journal.record_observation(id.clone(), observation).await;
        assert_eq!(outcome(&reader, id)?, Some(expected));
    }
    send(&journal, id).await?;
    assert_eq!(
        outcome(&reader, id)?,
        Some(Outcome::Unknown),
        "the earlier outcome is not that of the repeated request"
    );
    assert_eq!(outcome(&reader, &ids[1])?, Some(Outcome::NotSent));
    Ok(())
}

#[tokio::test]
async fn a_backup_is_of_the_site_before_its_restore() -> Result<()> {
    let (_directory, journal) = state()?;
    let reader = open_again(&journal);
    let id = &record_run(&journal, &["site-1"]).await?[0];
    let synced = |snapshot: &str| journal.record_synced(id.clone(), Some(snapshot.into()));
    // Two processes make a backup, and one of them sends the restore.
    journal.record_sync_request(id.clone(), None).await?;
    journal.record_sync_request(id.clone(), None).await?;
    synced("first").await?;
    send(&journal, id).await?;
    let running = accepted("task-1", Outcome::Running);
    journal.record_observation(id.clone(), running).await;
    assert_eq!(reader.read()?.open_syncs("site-1").count(), 1);
    synced("late").await?;
    let again = journal.record_sync_request(id.clone(), None).await;
    assert!(again.is_err());
    let runs = reader.read()?;
    let entry = runs.entry(id);
    assert_eq!(entry.and_then(|entry| entry.backup_id()), Some("first"));
    assert!(runs.is_backup("site-1", "late") && runs.open_syncs("site-1").next().is_none());
    Ok(())
}

#[tokio::test]
async fn a_restore_is_recent_by_its_own_time() -> Result<()> {
    let (_directory, journal) = state()?;
    let mut run = details();
    run.started_at = Timestamp::now() - jiff::SignedDuration::from_hours(25);
    let id = RestoreId {
        run: journal
            .record_run(run, vec![decided("site-1")], |_| Ok(()))
            .await?,
        index: 0,
    };
    send(&journal, &id).await?;
    let succeeded = accepted("task-1", Outcome::Succeeded);
    journal.record_observation(id, succeeded).await;
    let runs = journal.read()?;
    assert!(runs.restored_recently(&decided("site-1")).is_some());
    let other = DecidedRestore {
        snapshot_id: Some("other".into()),
        ..decided("site-1")
    };
    assert!(runs.restored_recently(&other).is_none());
    Ok(())
}

#[tokio::test]
async fn a_response_is_awaited_until_its_timeout() -> Result<()> {
    let (_directory, journal) = state()?;
    let ids = record_run(&journal, &["site-1", "site-2"]).await?;
    send(&journal, &ids[0]).await?;
    journal
        .record_request(ids[1].clone(), Duration::ZERO, |_| Ok(()))
        .await?;
    let runs = journal.read()?;
    let entries = ids.iter().filter_map(|id| runs.entry(id));
    let is_in_flight: Vec<bool> = entries.map(|entry| entry.is_in_flight()).collect();
    assert_eq!(is_in_flight, [true, false]);
    Ok(())
}

/// The facts that a command knows are kept, and nothing is written to the other journal.
#[tokio::test]
async fn a_journal_that_was_replaced_is_an_error() -> Result<()> {
    let (_directory, journal) = state()?;
    let ids = record_run(&journal, &["site-1"]).await?;
    send(&journal, &ids[0]).await?;
    journal.clear()?;
    assert!(journal.read().is_err());
    let other = open_again(&journal);
    record_run(&other, &["site-2", "site-3"]).await?;
    let running = accepted("task-1", Outcome::Running);
    journal.record_observation(ids[0].clone(), running).await;
    assert!(journal.write_rest().await.is_err());
    assert!(record_run(&journal, &["site-4"]).await.is_err());
    let entry_outcome = journal.runs().entry(&ids[0]).map(|entry| entry.outcome());
    assert_eq!(entry_outcome, Some(Outcome::Running));
    assert_eq!(open_again(&journal).read()?.entries().count(), 2);
    Ok(())
}

/// Linux cannot sync this device, so that only a missing sync is no error.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_event_that_cannot_be_synced_is_an_error() -> Result<()> {
    let directory = tempfile::tempdir().map_err(fail)?;
    let journal = Journal::new(directory.path(), SERVICE.into(), silent());
    std::os::unix::fs::symlink("/dev/null", &journal.path).map_err(fail)?;
    let error = record_run(&journal, &["site-1"]).await.err();
    assert!(error.is_some_and(|error| error.message.starts_with("could not write the journal")));
    Ok(())
}

#[tokio::test]
async fn a_refused_event_is_not_written() -> Result<()> {
    let (_directory, journal) = state()?;
    let refuse = |_: &_| Err(Error::usage("no"));
    let run = journal.record_run(details(), vec![decided("site-1")], refuse);
    assert!(run.await.is_err());
    let ids = record_run(&journal, &["site-1"]).await?;
    let request = journal.record_request(ids[0].clone(), TIMEOUT, refuse);
    assert!(request.await.is_err());
    assert_eq!(outcome(&journal, &ids[0])?, Some(Outcome::NotSent));
    assert_eq!(journal.read()?.entries().count(), 1);
    Ok(())
}

/// A restore that was not sent, or not processed, is as old as its decision.
#[tokio::test]
async fn a_later_accepted_restore_of_the_site_is_found() -> Result<()> {
    let (_directory, journal) = state()?;
    let first = record_run(&journal, &["left", "doubt", "busy", "other"]).await?;
    let second = record_run(&journal, &["left", "doubt", "busy"]).await?;
    for id in [&first[1], &second[0], &second[1], &second[2], &first[2]] {
        send(&journal, id).await?;
    }
    let not_sent = Observation::of(Outcome::NotSent);
    journal.record_observation(first[2].clone(), not_sent).await;
    let later = |id: &RestoreId| {
        let runs = journal.runs();
        let later = runs.entry(id).and_then(|entry| runs.later_accepted(&entry));
        later.map(|entry| entry.id())
    };
    assert_eq!(later(&first[0]), None, "no later restore was accepted yet");
    for id in &second {
        let running = accepted("task-2", Outcome::Running);
        journal.record_observation(id.clone(), running).await;
    }
    for index in 0..3 {
        assert_eq!(later(&first[index]), Some(second[index].clone()));
    }
    assert_eq!(later(&first[3]), None);
    assert_eq!(later(&second[0]), None);
    // A restore that was accepted before is not later.
    let third = record_run(&journal, &["left"]).await?;
    assert_eq!(later(&third[0]), None);
    let runs = journal.read()?;
    let id_of = |entry: Option<super::Entry<'_>>| entry.map(|entry| entry.id());
    assert_eq!(id_of(runs.newest_of_site("left")), Some(third[0].clone()));
    assert_eq!(id_of(runs.last_of_site("left")), Some(second[0].clone()));
    Ok(())
}

#[tokio::test]
async fn incomplete_lines_are_ignored_and_damaged_lines_are_errors() -> Result<()> {
    let (_directory, journal) = state()?;
    let read_again = || open_again(&journal);
    record_run(&journal, &["site-1"]).await?;
    let whole = std::fs::read(&journal.path).map_err(fail)?;
    let line = String::from_utf8_lossy(&whole)
        .replace(r#""20"#, r#""30"#)
        .into_bytes();
    for cut in 1..line.len() {
        std::fs::write(&journal.path, [&whole[..], &line[..cut]].concat()).map_err(fail)?;
        let journal = read_again();
        let ids = record_run(&journal, &["site-2"]).await?;
        // The longest cut lacks only the end of the line.
        let runs = if cut == line.len() - 1 { 3 } else { 2 };
        assert_eq!(journal.read()?.entries().count(), runs, "{cut}");
        assert_eq!(outcome(&read_again(), &ids[0])?, Some(Outcome::NotSent));
    }
    let half = &line[..line.len() / 2];
    std::fs::write(&journal.path, [&whole[..], half, &[0; 100]].concat()).map_err(fail)?;
    let journal = read_again();
    let ids = record_run(&journal, &["site-2"]).await?;
    send(&journal, &ids[0]).await?;
    assert_eq!(
        journal.read()?.entries().count(),
        2,
        "a crash may leave zeros"
    );
    let text = std::fs::read_to_string(&journal.path).map_err(fail)?;
    let decided = text.lines().nth(2).unwrap_or_default();
    let damaged = text.replace(decided, &decided[..decided.len() / 2]);
    std::fs::write(&journal.path, damaged).map_err(fail)?;
    let damaged = read_again();
    for _ in 0..2 {
        assert!(
            damaged
                .read()
                .is_err_and(|error| error.message.contains("line 4 of")),
            "it was sent"
        );
    }
    Ok(())
}

/// While another program holds the lock, other work continues, and what was seen is written later.
#[tokio::test]
async fn a_locked_journal_blocks_no_other_work_and_is_written_later() -> Result<()> {
    let (_directory, journal) = state()?;
    let ids = record_run(&journal, &["site-1"]).await?;
    send(&journal, &ids[0]).await?;
    let other = std::fs::File::open(&journal.path).map_err(fail)?;
    other.lock().map_err(fail)?;
    let running = accepted("task-1", Outcome::Running);
    let written = journal.record_observation(ids[0].clone(), running);
    let other_work = tokio::time::sleep(Duration::from_millis(20));
    tokio::select! {
        () = written => unreachable!("the journal is locked"),
        () = other_work => {}
    }
    other.unlock().map_err(fail)?;
    journal.write_rest().await?;
    let reader = open_again(&journal);
    let runs = reader.read()?;
    let entry = runs.entry(&ids[0]);
    let task_id = entry.and_then(|entry| entry.task_id().map(String::from));
    assert_eq!(task_id.as_deref(), Some("task-1"));
    Ok(())
}
