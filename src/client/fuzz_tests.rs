//! The fuzz targets for responses of a service.

use super::clients::DeleteResponse;
use super::envelope::{Envelope, single_object};
use super::evidence::{ExpectedTask, SiteNames, read_evidence};
use super::failure::{ChangeLog, error_from_status, final_error};
use super::page::Page;
use super::reading::{Decision, Reading};
use super::request::Effect;
use super::retry::{FailedAttempt, Failure};
use super::tasks;
use crate::config::TaskStates;
use crate::error::Kind;
use crate::resources::{CLIENTS, SITES, UNKNOWN, raw_member};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::hash::RandomState;

/// Reads a list, whose pages are separated by NUL. No record is returned twice, and a list is never
/// complete with fewer records than its total.
pub fn list(bytes: &[u8]) {
    for resource in [&CLIENTS, &SITES, &UNKNOWN] {
        let hasher = RandomState::new();
        let mut reading = Reading::new(None);
        let mut returned = HashSet::new();
        let mut count = 0_u64;
        for body in bytes.split(|byte| *byte == 0) {
            let Ok(page) = Page::read(body.to_vec(), resource, &hasher) else {
                break;
            };
            let total = page.pagination.total_items;
            assert!(total.is_some() || !resource.specified);
            assert_eq!(page.keys.len(), page.records.len());
            let (new_records, decision) = reading.add_page(page);
            for record in new_records {
                assert!(serde_json::from_str::<&RawValue>(record.json()).is_ok());
                let id = raw_member(record.json(), "id").map(str::to_owned);
                let is_new = id.is_none_or(|id| returned.insert(id));
                assert!(is_new, "a record is returned twice");
                count += 1;
            }
            if decision == Decision::Done {
                assert!(
                    total.is_none_or(|total| count >= total),
                    "{count} of {total:?}"
                );
            }
            if matches!(decision, Decision::Done | Decision::Incomplete) {
                break;
            }
        }
    }
}

/// Reads the body of an error under the status in its first two bytes. The status decides the kind,
/// unless the body is not from the API.
pub fn error(bytes: &[u8]) {
    let Some(([high, low], body)) = bytes.split_first_chunk() else {
        return;
    };
    let status = 300 + u16::from_be_bytes([*high, *low]) % 300;
    let error = error_from_status(status, body);
    let kind_of_status = error_from_status(status, b"").kind;
    assert!(error.kind == kind_of_status || error.kind == Kind::Unavailable);
    assert!(!error.message.is_empty());
    let kind = error.kind;
    let failure = Failure::Status(status);
    let failed = FailedAttempt { failure, error };
    let change = final_error(failed, Effect::Change, &ChangeLog::default());
    assert_eq!(
        change.kind,
        if failure.surely_not_processed() {
            kind
        } else {
            Kind::UnknownOutcome
        }
    );
}

/// Reads a response with one object. A record is taken out of its envelope unchanged.
pub fn record(bytes: &[u8]) {
    for (name, envelope) in [("client", Envelope::Required), ("task", Envelope::Optional)] {
        let Ok(record) = single_object(bytes, name, envelope) else {
            continue;
        };
        assert!(
            String::from_utf8_lossy(bytes).contains(record.json()),
            "{}",
            record.json()
        );
        for (name, _) in record.members() {
            let _ = (record.text(&name), record.texts(&name));
        }
    }
    let states = TaskStates::default();
    let site = &SiteNames {
        id: "s1".into(),
        ..SiteNames::default()
    };
    let start = ExpectedTask::Started { site };
    if let Ok(evidence) = read_evidence(bytes, start, &states) {
        assert!(!evidence.id.trim().is_empty());
    }
    let poll = ExpectedTask::Polled {
        task_id: "t1",
        site: None,
    };
    if let Ok(evidence) = read_evidence(bytes, poll, &states) {
        assert_eq!(evidence.id, "t1");
        let progress = evidence.record.value("progress");
        let percent = progress.as_ref().and_then(tasks::percent);
        assert!(
            percent.is_none_or(|percent| (0.0..=100.0).contains(&percent)),
            "{percent:?}"
        );
    }
    let _ = DeleteResponse::read(bytes);
}
