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
    fn of(order: &'s Order) -> Self {
        let Order { site_id, snapshot_id, scope, .. } = order;
        Self { site_id, snapshot_id, task_id: None, scope: scope.raw(), task: None, resumed: false, error: None }
    }

    /// The service accepted it.
    pub fn now(order: &'s Order, launched: &'s Launched) -> Self {
        let task = &launched.task;
        Self { task_id: Some(task.id.as_deref()), task: Some(Some(&task.record)), ..Self::of(order) }
    }

    /// An earlier run has started it as this task; `error` says whether it has failed since.
    pub fn resumed(order: &'s Order, task_id: Option<&'s str>, error: Option<&'s Error>) -> Self {
        let started = match error {
            Some(error) => Self::failed(order, error),
            None => Self { task_id: Some(task_id), task: Some(None), ..Self::of(order) },
        };
        Self { resumed: true, ..started }
    }

    /// It was not started, as far as is known.
    pub fn failed(order: &'s Order, error: &'s Error) -> Self {
        let failure = Failure {
            kind: error.kind.name(),
            status: error.status,
            code: error.code.as_deref(),
            message: &error.message,
            details: &error.details,
        };
        Self { error: Some(failure), ..Self::of(order) }
    }

    /// Its task, where it has one.
    pub fn task_id(&self) -> Option<&str> {
        self.task_id.flatten()
    }
}
