//! Makes the changes of a plan: the deletions first, then each change after those that it depends
//! on.

use super::plan::{Action, ClientAfterChange, Plan, Step};
use crate::commands::bulk::{Bulk, Job, Outcomes};
use crate::commands::clients::changes::{ClientWriter, MAX_IDS_PER_DELETION, is_missing};
use crate::commands::clients::moving::SiteMoves;
use crate::error::Result;
use serde_json::Map;

/// Makes the changes of the plan, `concurrency` at the same time. The rows of the jobs and of the
/// outcomes are the indexes of the steps.
pub async fn execute_plan(
    writer: ClientWriter<'_>,
    moves: &SiteMoves<'_>,
    plan: &Plan,
    concurrency: usize,
) -> Outcomes<ClientAfterChange> {
    let mut deletions = Vec::new();
    let mut other_changes = Vec::new();
    for (index, step) in plan.steps.iter().enumerate() {
        match step.action {
            Action::Delete => deletions.push(index),
            Action::Create | Action::Update => other_changes.push(index),
            Action::Unchanged => {}
        }
    }
    let mut jobs = Vec::new();
    let mut first_of_batches = Vec::new();
    for batch in deletions.chunks(MAX_IDS_PER_DELETION) {
        // The rows of a batch get their outcomes together: to wait for one is to wait for all.
        first_of_batches.push(batch[0]);
        jobs.push(Job {
            rows: batch.to_vec(),
            runs_after: Vec::new(),
        });
    }
    for index in other_changes {
        jobs.push(Job {
            rows: vec![index],
            runs_after: [&first_of_batches[..], &plan.steps[index].runs_after].concat(),
        });
    }
    let bulk = Bulk {
        context: writer.context,
        api: writer.api,
        plural: "changes",
        concurrency,
        stop_after_failures: None,
        max_unanswered: 10,
    };
    let start = async |rows: &[usize]| {
        let step = &plan.steps[rows[0]];
        if step.action == Action::Delete {
            delete_steps(moves, plan, rows).await
        } else {
            vec![create_or_update(moves, step).await]
        }
    };
    bulk.run(&jobs, start).await
}

/// Deletes the clients of these steps. A missing client counts as deleted.
async fn delete_steps(
    moves: &SiteMoves<'_>,
    plan: &Plan,
    rows: &[usize],
) -> Vec<Result<ClientAfterChange>> {
    let mut ids = Vec::new();
    for row in rows {
        ids.push(plan.steps[*row].key.clone());
    }
    let mut outcomes = Vec::new();
    for (id, result) in ids.iter().zip(moves.delete(&ids).await) {
        outcomes.push(match result {
            Err(error) if !is_missing(&error, id) => Err(error),
            _ => Ok(None),
        });
    }
    outcomes
}

async fn create_or_update(moves: &SiteMoves<'_>, step: &Step) -> Result<ClientAfterChange> {
    let mut fields = Map::new();
    for change in &step.changes {
        fields.insert(change.field.clone(), change.to.clone());
    }
    let changed = match &step.id {
        Some(id) => moves.update(id, &fields, &step.early_releases).await?,
        None => moves.create(&fields).await?,
    };
    changed.all_values_stored?;
    Ok(Some(changed.client))
}
