//! What is printed of a restore that was to be started.

use super::launch::{Launched, Order};
use crate::error::{Detail, Error};
use crate::resources::Record;
use serde::Serialize;
use serde_json::value::RawValue;

/// A restore that was to be started: its task, or why it has none.
#[derive(Serialize)]
pub struct Started<'s> {
    site_id: &'s str,
    snapshot_id: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<Option<&'s str>>,
    scope: &'s RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<Option<&'s Record>>,
    /// An earlier run of the plan has started it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resumed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure<'s>>,
}

/// Why a restore was not started.
#[derive(Serialize)]
struct Failure<'s> {
    kind: &'static str,
    status: Option<u16>,
    code: Option<&'s str>,
    message: &'s str,
    details: &'s [Detail],
}

impl<'s> Started<'s> {
    /// Returns an accepted restore.
    pub fn accepted(order: &'s Order, task_id: Option<&'s str>, task: Option<&'s Record>) -> Self {
        let Order { site_id, snapshot_id, scope } = order;
        Self { site_id, snapshot_id, task_id: Some(task_id), scope, task: Some(task), resumed: false, error: None }
    }

    /// Returns a restore that was accepted now.
    pub fn now(order: &'s Order, launched: &'s Launched) -> Self {
        Self::accepted(order, launched.task.id.as_deref(), Some(&launched.task.record))
    }

    /// Returns a restore that was not started, as far as is known.
    pub fn failed(order: &'s Order, error: &'s Error) -> Self {
        let (kind, code) = (error.kind.name(), error.code.as_deref());
        let error = Failure { kind, status: error.status, code, message: &error.message, details: &error.details };
        Self { task_id: None, task: None, error: Some(error), ..Self::accepted(order, None, None) }
    }

    /// Marks the restore as started by an earlier run.
    pub fn resumed(self) -> Self {
        Self { resumed: true, ..self }
    }

    /// Returns its task, if it has one.
    pub fn task_id(&self) -> Option<&str> {
        self.task_id.flatten()
    }
}
