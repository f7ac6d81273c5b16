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

fn details() -> RunDetails {
    RunDetails {
        started_at: Timestamp::now(),
        user: None,
        ci_url: None,
        profile: None,
        base_url: SERVICE.into(),
        reason: Some("a \"reason\"\nof two lines".into()),
        idempotency_key: None,
    }
}

/// A restore of this site.
fn decided(site_id: &str) -> DecidedRestore {
    DecidedRestore {
        site_id: site_id.into(),
        url: None,
        snapshot_id: "snapshot".into(),
        taken_at: None,
        scope: RawValue::from_string("{}".into()).unwrap_or_default(),
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
    let journal = Journal::new(&directory.path().join("new/state"), SERVICE.into());
    Ok((directory, journal))
}

/// Returns the journal as another process reads it.
fn open_again(journal: &Journal) -> Journal {
    Journal::new(
        journal.path.parent().unwrap_or(Path::new("")),
        SERVICE.into(),
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
    Ok(journal.read()?.entry(id).map(|entry| entry.outcome))
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
        Some(Outcome::Running),
        "another process may be waiting for the response"
    );
    for (seen, expected) in [
        (Outcome::Running, Outcome::Running),
        (Outcome::Unknown, Outcome::Unknown),
        (Outcome::Failed, Outcome::Failed),
        // Nothing replaces the end of a task.
        (Outcome::Succeeded, Outcome::Failed),
    ] {
        let observation = accepted("task-1", seen);
        journal.record_observation(id.clone(), observation).await?;
        assert_eq!(outcome(&reader, id)?, Some(expected));
    }
    send(&journal, id).await?;
    assert_eq!(
        outcome(&reader, id)?,
        Some(Outcome::Running),
        "the earlier outcome is not that of the repeated request"
    );
    assert_eq!(outcome(&reader, &ids[1])?, Some(Outcome::NotSent));
    journal.clear()?;
    assert_eq!(outcome(&reader, id)?, None);
    Ok(())
}

#[tokio::test]
async fn a_request_without_a_response_is_unknown_after_its_timeout() -> Result<()> {
    let (_directory, journal) = state()?;
    let ids = record_run(&journal, &["site-1"]).await?;
    journal
        .record_request(ids[0].clone(), Duration::ZERO, |_| Ok(()))
        .await?;
    assert_eq!(outcome(&journal, &ids[0])?, Some(Outcome::Unknown));
    Ok(())
}

/// Linux cannot sync this device, so that only a missing sync is no error.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_event_that_cannot_be_synced_is_an_error() -> Result<()> {
    let directory = tempfile::tempdir().map_err(fail)?;
    let journal = Journal::new(directory.path(), SERVICE.into());
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

/// A restore that was not sent, and one in doubt, are superseded by a restore that was sent and
/// accepted later; a restore that ended is not.
#[tokio::test]
async fn a_later_accepted_restore_of_the_site_supersedes() -> Result<()> {
    let (_directory, journal) = state()?;
    let sites = ["left", "doubt", "ended", "silent"];
    let first = record_run(&journal, &[&sites[..], &["other"]].concat()).await?;
    for id in &first[1..3] {
        send(&journal, id).await?;
    }
    // Its response never arrives.
    journal
        .record_request(first[3].clone(), Duration::ZERO, |_| Ok(()))
        .await?;
    let unknown = Observation::of(Outcome::Unknown);
    journal
        .record_observation(first[1].clone(), unknown)
        .await?;
    let succeeded = accepted("task-1", Outcome::Succeeded);
    journal
        .record_observation(first[2].clone(), succeeded)
        .await?;
    let second = record_run(&journal, &sites).await?;
    for id in &second {
        send(&journal, id).await?;
        assert_eq!(
            outcome(&journal, &first[0])?,
            Some(Outcome::NotSent),
            "no later restore was accepted yet"
        );
    }
    for id in &second {
        let running = accepted("task-2", Outcome::Running);
        journal.record_observation(id.clone(), running).await?;
    }
    let mut outcomes = Vec::new();
    for id in first.iter().chain(&second) {
        outcomes.extend(outcome(&journal, id)?);
    }
    assert_eq!(
        outcomes,
        [
            Outcome::Superseded,
            Outcome::Superseded,
            Outcome::Succeeded,
            Outcome::Superseded,
            Outcome::NotSent,
            Outcome::Running,
            Outcome::Running,
            Outcome::Running,
            Outcome::Running,
        ]
    );
    // A restore that was accepted before is not later.
    let third = record_run(&journal, &["left"]).await?;
    assert_eq!(outcome(&journal, &third[0])?, Some(Outcome::NotSent));
    let runs = journal.read()?;
    let newest = runs.newest_of_site("left");
    assert_eq!(newest.map(|entry| entry.id()), Some(third[0].clone()));
    Ok(())
}

/// It is as old as its decision, although its request was sent after the other one.
#[tokio::test]
async fn a_restore_that_was_not_processed_is_superseded_by_one_that_was_decided_later() -> Result<()>
{
    let (_directory, journal) = state()?;
    let first = record_run(&journal, &["site-1"]).await?;
    let second = record_run(&journal, &["site-1"]).await?;
    send(&journal, &second[0]).await?;
    send(&journal, &first[0]).await?;
    let accepted = accepted("task-1", Outcome::Succeeded);
    journal
        .record_observation(second[0].clone(), accepted)
        .await?;
    let not_sent = Observation::of(Outcome::NotSent);
    journal
        .record_observation(first[0].clone(), not_sent)
        .await?;
    assert_eq!(outcome(&journal, &first[0])?, Some(Outcome::Superseded));
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
    std::fs::write(&journal.path, [&whole[..], &[0; 100]].concat()).map_err(fail)?;
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
    let old = r#"{"restore":"1","event":{"accepted":{"task_id":null}}}"#;
    std::fs::write(&journal.path, format!("{old}\n")).map_err(fail)?;
    assert!(
        read_again()
            .read()
            .is_err_and(|error| error.message.ends_with("the format of an earlier version"))
    );
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
        written = written => assert!(written.is_err(), "the journal is locked"),
        () = other_work => {}
    }
    other.unlock().map_err(fail)?;
    journal.write_rest().await?;
    let reader = open_again(&journal);
    let runs = reader.read()?;
    let entry = runs.entry(&ids[0]);
    let task_id = entry.and_then(|entry| entry.restore.task_id().map(String::from));
    assert_eq!(task_id.as_deref(), Some("task-1"));
    Ok(())
}
