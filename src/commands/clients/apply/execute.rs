//! Makes the changes of a plan: the deletions first, then each change after those that it depends on.

use super::plan::{Action, Done, Plan, Step};
use crate::commands::bulk::{Bulk, Job, Outcomes};
use crate::commands::clients::changes::{BATCH, Changed, Changes, is_missing};
use crate::commands::clients::moving;
use crate::error::Result;

/// Makes the changes of the plan, `concurrency` at the same time. The outcomes have the numbers of the steps.
pub async fn execute(changes: Changes<'_>, plan: &Plan, concurrency: usize) -> Outcomes<Done> {
    let numbered = || plan.steps.iter().enumerate();
    let deletions = numbered().filter(|(_, step)| step.action == Action::Delete);
    let deletions: Vec<usize> = deletions.map(|(number, _)| number).collect();
    // The rows of a batch end at the same time.
    let deleted: Vec<usize> = deletions.chunks(BATCH).map(|batch| batch[0]).collect();
    let deletes = deletions.chunks(BATCH).map(|batch| Job {
        rows: batch.to_vec(),
        after: Vec::new(),
    });
    let others =
        numbered().filter(|(_, step)| matches!(step.action, Action::Create | Action::Update));
    let others = others.map(|(number, step)| Job {
        rows: vec![number],
        after: [&deleted[..], &step.after].concat(),
    });
    let jobs: Vec<Job> = deletes.chain(others).collect();
    let start = async |rows: &[usize]| match &plan.steps[rows[0]] {
        step if step.action == Action::Delete => delete(changes, plan, rows).await,
        step => vec![change(changes, step).await],
    };
    let (ui, plural) = (&changes.context.ui, "changes");
    Bulk {
        ui,
        api: changes.api,
        plural,
        concurrency,
        stop_after_failures: None,
    }
    .run(&jobs, start)
    .await
}

/// Deletes clients. A missing client counts as deleted.
async fn delete(changes: Changes<'_>, plan: &Plan, rows: &[usize]) -> Vec<Result<Done>> {
    let ids: Vec<String> = rows
        .iter()
        .map(|row| plan.steps[*row].key.clone())
        .collect();
    let done = |(id, result): (&String, Result<()>)| match result {
        Err(error) if !is_missing(&error, id) => Err(error),
        _ => Ok(None),
    };
    ids.iter()
        .zip(changes.delete(&ids).await)
        .map(done)
        .collect()
}

async fn change(changes: Changes<'_>, step: &Step) -> Result<Done> {
    let fields = step
        .changes
        .iter()
        .map(|change| (change.field.clone(), change.to.clone()))
        .collect();
    let Changed { client, kept } = match &step.id {
        Some(id) => moving::update(changes, id, &fields, &step.owners).await?,
        None => changes.create(&fields).await?,
    };
    kept.map(|()| Some(client))
}
