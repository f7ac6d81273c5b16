//! Makes the changes of a plan: the deletions first, then each change after those that it depends on.

use super::order::without;
use super::plan::{Action, Plan, Step, Task};
use crate::commands::bulk::{Bulk, Job, Outcome, Outcomes};
use crate::commands::clients::changes::{BATCH, Changed, Changes};
use crate::error::{Detail, Error, Result};
use crate::resources::Record;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The client after its change; none if it was deleted.
type Done = Option<Record>;

/// Makes the changes of the plan, `concurrency` at the same time. The outcomes have the numbers of the steps.
pub async fn execute(changes: Changes<'_>, plan: &Plan, concurrency: usize) -> Outcomes<Done> {
    let deletions: Vec<usize> = plan.steps_to(Action::Delete).map(|(number, _)| number).collect();
    let batches: Vec<&[usize]> = deletions.chunks(BATCH).collect();
    // The rows of a batch end at the same time.
    let deleted: Vec<usize> = batches.iter().map(|rows| rows[0]).collect();
    let deletes = batches.iter().map(|rows| Job { rows: rows.to_vec(), after: Vec::new() });
    let tasks = plan.tasks.iter().map(|task| {
        let after = [&deleted[..], &task.after].concat();
        Job { rows: vec![task.row], after }
    });
    let jobs: Vec<Job> = deletes.chain(tasks).collect();
    let batches = &batches;
    let start = |job: usize| async move {
        match job.checked_sub(batches.len()).map(|number| &plan.tasks[number]) {
            None => delete(changes, plan, batches[job]).await,
            Some(task) => vec![change(changes, &plan.steps[task.step], &task.fields).await],
        }
    };
    let bulk =
        Bulk { ui: &changes.context.ui, api: changes.api, plural: "changes", concurrency, stop_after_failures: None };
    let mut outcomes = bulk.run(&jobs, start).await;
    give_back(changes, plan, &mut outcomes).await;
    outcomes
}

async fn delete(changes: Changes<'_>, plan: &Plan, steps: &[usize]) -> Vec<Result<Done>> {
    let ids: Vec<String> = steps.iter().map(|step| plan.steps[*step].key.clone()).collect();
    changes.delete(&ids).await.into_iter().map(|deletion| deletion.map(|_| None)).collect()
}

async fn change(changes: Changes<'_>, step: &Step, fields: &Map<String, Value>) -> Result<Done> {
    let Changed { client, kept } = match &step.id {
        Some(id) => changes.update(id, fields).await?,
        None => changes.create(fields).await?,
    };
    kept.map(|()| Some(client))
}

/// Gives released sites back to the clients whose own change failed, unless another client has them by now.
async fn give_back(changes: Changes<'_>, plan: &Plan, outcomes: &mut Outcomes<Done>) {
    for task in plan.tasks.iter().filter(|task| !task.releases.is_empty()) {
        let released = outcomes.rows.remove(&task.row);
        let Some(Outcome::Failed(error) | Outcome::NotSent(error)) = outcomes.rows.get(&task.step) else { continue };
        let error = match released {
            Some(Outcome::Done(_)) => give_back_to(changes, plan, task, &free(plan, task, outcomes), error).await,
            // The change failed because the release did.
            Some(Outcome::Failed(error)) => error,
            Some(Outcome::NotSent(_)) | None => continue,
        };
        outcomes.rows.insert(task.step, Outcome::Failed(error));
    }
}

/// Returns the released sites that no client has taken since.
fn free(plan: &Plan, task: &Task, outcomes: &Outcomes<Done>) -> BTreeSet<String> {
    let refused = plan.steps.iter().enumerate().filter(|(number, _)| match outcomes.rows.get(number) {
        Some(Outcome::Failed(error)) => !error.is_in_doubt(),
        Some(Outcome::NotSent(_)) => true,
        _ => false,
    });
    refused.flat_map(|(_, step)| &step.taken("site_ids") & &task.releases).collect()
}

/// Gives the free sites back, and returns the error of the client's own change.
async fn give_back_to(changes: Changes<'_>, plan: &Plan, task: &Task, free: &BTreeSet<String>, error: &Error) -> Error {
    let (step, names) = (&plan.steps[task.step], listed(free));
    if free.is_empty() {
        let names = listed(&task.releases);
        return noted(error, format!("{} has released {names}; run the same command again to finish", step.key));
    }
    match change(changes, step, &without(step, &(&task.releases - free))).await {
        Ok(_) => noted(error, format!("{names} was given back")),
        Err(error) => error.context(format!("{names} was released and could not be given back")),
    }
}

/// Adds a note to the message and the details.
fn noted(error: &Error, note: String) -> Error {
    let mut details = error.details.clone();
    if details.is_empty() {
        details.push(Detail::new(error.kind.name(), "", &*error.message));
    }
    let message = format!("{}; {note}", error.message);
    details.push(Detail::new("", "", note));
    Error::new(error.kind, message).in_flight(error.in_flight).details(details)
}

fn listed(sites: &BTreeSet<String>) -> String {
    sites.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
