//! Makes the changes of a plan: the deletions first, then each change after those that it depends on.

use super::order::{Task, without};
use super::plan::{Action, Plan, Step};
use crate::commands::bulk::{Bulk, Job, Outcome, Outcomes};
use crate::commands::clients::changes::{BATCH, Changed, Changes};
use crate::error::{Detail, Error, Kind, Result};
use crate::resources::{Record, scalar};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What was done with a client.
#[derive(Debug)]
pub enum Done {
    /// It was created.
    Created(Record),
    /// It was updated.
    Updated(Record),
    /// It was deleted, here or by someone else.
    Deleted,
    /// These sites were taken from it, ahead of its own change, because another client gets them.
    Released(BTreeSet<String>),
}

/// Makes the changes of the plan, `concurrency` at the same time.
pub async fn execute(changes: Changes<'_>, plan: &Plan, tasks: &[Task], concurrency: usize) -> Outcomes<Done> {
    let deletions: Vec<usize> = plan.steps_to(Action::Delete).map(|(number, _)| number).collect();
    let batches: Vec<&[usize]> = deletions.chunks(BATCH).collect();
    let deletes = batches.iter().map(|steps| Job { rows: steps.to_vec(), after: Vec::new() });
    let all_deletes = 0..batches.len();
    let others = tasks.iter().map(|task| {
        let after = task.after.iter().map(|before| before + batches.len());
        Job { rows: vec![task.step], after: all_deletes.clone().chain(after).collect() }
    });
    let jobs: Vec<Job> = deletes.chain(others).collect();
    // The details of the error because of which no more clients can be created.
    let full: RefCell<Option<Vec<Detail>>> = RefCell::default();
    let full = &full;
    // The sites that clients were to take and, as a response shows, did not.
    let not_taken: RefCell<BTreeSet<String>> = RefCell::default();
    let not_taken = &not_taken;
    let start = |job: usize, outcomes: &[Option<Outcome<Done>>]| {
        let task = job.checked_sub(batches.len()).map(|number| &tasks[number]);
        let step = task.map(|task| (&plan.steps[task.step], task));
        let released = task.map(|task| released(plan, task.step, outcomes, &not_taken.borrow())).unwrap_or_default();
        let ids: Vec<String> = match task {
            None => batches[job].iter().map(|step| plan.steps[*step].key.clone()).collect(),
            Some(_) => Vec::new(),
        };
        async move {
            match step {
                None => changes.delete(&ids).await.into_iter().map(|result| result.map(|_| Done::Deleted)).collect(),
                Some((step, _)) if step.action == Action::Create && full.borrow().is_some() => {
                    let error = Error::new(Kind::Invalid, "not sent, because the service accepts no more clients");
                    vec![Err(error.details(full.borrow().clone().unwrap_or_default()))]
                }
                Some((step, task)) => {
                    vec![change(changes, step, task, released, not_taken).await.inspect_err(|error| {
                        if error.details.iter().any(|detail| detail.code == "max_quota") {
                            full.replace(Some(error.details.clone()));
                        }
                    })]
                }
            }
        }
    };
    let bulk = Bulk { ui: changes.ui, api: changes.api, plural: "changes", concurrency, stop_after_failures: None };
    let mut outcomes = bulk.run(&jobs, plan.steps.len(), start).await;
    // A run that stopped early has not sent the changes that would have given back what was not taken.
    let unfinished =
        (0..plan.steps.len()).map(|step| (step, released(plan, step, &outcomes.rows, &not_taken.borrow())));
    let unfinished: Vec<_> = unfinished.collect();
    for (number, released) in unfinished {
        let Some((_, free)) = released.free else { continue };
        let (step, not_sent) = (&plan.steps[number], outcomes.not_sent());
        let error = give_back(changes, step, &released.sites, &free, &not_sent, not_taken).await;
        outcomes.rows[number] = Some(Outcome::Failed(error));
    }
    outcomes
}

/// The sites that a client has released ahead of its own change.
#[derive(Default)]
struct Released {
    sites: BTreeSet<String>,
    /// Those of them that another client should have taken and has not, and the kind of the error that says so.
    free: Option<(Kind, BTreeSet<String>)>,
}

/// Finds out what became of the sites that the client of this step has released.
fn released(plan: &Plan, step: usize, outcomes: &[Option<Outcome<Done>>], not_taken: &BTreeSet<String>) -> Released {
    let Some(Outcome::Done(Done::Released(sites))) = &outcomes[step] else { return Released::default() };
    let mut free = None;
    for (step, outcome) in plan.steps.iter().zip(outcomes) {
        let claimed = &step.taken("site_ids") & sites;
        let (kind, claimed) = match outcome {
            // An error that leaves the outcome open does not say that the site is free; a response that lacks it does.
            Some(Outcome::Failed(error))
                if error.in_flight || matches!(error.kind, Kind::UnknownOutcome | Kind::Interrupted | Kind::Error) =>
            {
                (error.kind, &claimed & not_taken)
            }
            Some(Outcome::Failed(error) | Outcome::NotSent(error)) => (error.kind, claimed),
            // The claim itself was not sent.
            Some(Outcome::Done(Done::Released(_))) => (Kind::Error, claimed),
            _ => continue,
        };
        if !claimed.is_empty() {
            free.get_or_insert((kind, BTreeSet::new())).1.extend(claimed);
        }
    }
    Released { sites: sites.clone(), free }
}

/// Gives the free ones of its released sites back to a client whose own change was not sent, and returns the error of
/// that change.
async fn give_back(
    changes: Changes<'_>,
    step: &Step,
    released: &BTreeSet<String>,
    free: &BTreeSet<String>,
    not_sent: &Error,
    not_taken: &RefCell<BTreeSet<String>>,
) -> Error {
    let names = listed(free);
    match make(changes, step, &without(step, &(released - free)), not_taken).await {
        Ok(_) => Error::new(not_sent.kind, format!("{}; {names} was given back", not_sent.message)),
        Err(error) => error.context(format!("{names} was released and could not be given back")),
    }
}

async fn change(
    changes: Changes<'_>,
    step: &Step,
    task: &Task,
    released: Released,
    not_taken: &RefCell<BTreeSet<String>>,
) -> Result<Done> {
    // The client takes part in the circles of these sites, so its own change cannot succeed either.
    if let Some((kind, free)) = released.free {
        let why = format!("not sent, because the change that takes {} was refused", listed(&free));
        let not_sent = Error::new(kind, why);
        return Err(give_back(changes, step, &released.sites, &free, &not_sent, not_taken).await);
    }
    match make(changes, step, &task.fields, not_taken).await {
        Ok(_) if !task.releases.is_empty() => Ok(Done::Released(task.releases.clone())),
        Ok(client) if step.action == Action::Create => Ok(Done::Created(client)),
        Ok(client) => Ok(Done::Updated(client)),
        Err(error) if released.sites.is_empty() => Err(error),
        Err(error) => Err(half_done(&error, step, &released.sites)),
    }
}

async fn make(
    changes: Changes<'_>,
    step: &Step,
    fields: &Map<String, Value>,
    not_taken: &RefCell<BTreeSet<String>>,
) -> Result<Record> {
    let Changed { client, kept } = match &step.id {
        None => changes.create(fields).await?,
        Some(id) => changes.update(id, fields).await?,
    };
    if kept.is_err()
        && let Some(shown) = client.value("site_ids")
    {
        let shown = shown.as_array().into_iter().flatten().filter_map(scalar).collect();
        not_taken.borrow_mut().extend(&step.taken("site_ids") - &shown);
    }
    kept.map(|()| client)
}

/// Adds that the client released sites, and the rest of its change was not made.
pub fn half_done(error: &Error, step: &Step, sites: &BTreeSet<String>) -> Error {
    let half = format!("{} has released {} already; running it again makes the rest", step.key, listed(sites));
    let mut details = error.details.clone();
    if details.is_empty() {
        details.push(Detail::new(error.kind.name(), "", &*error.message));
    }
    details.push(Detail::new("", "", &*half));
    let message = format!("{}; {half}", error.message);
    Error::new(error.kind, message).in_flight(error.in_flight).details(details)
}

fn listed(sites: &BTreeSet<String>) -> String {
    sites.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
