//! In which order the changes of a plan can succeed: a site is released before another client claims it, and an email
//! given up before another takes it.

use super::plan::{Action, Plan, Step};
use crate::commands::clients::changes::Change;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// One request to make.
#[derive(Debug, PartialEq)]
pub struct Task {
    /// The number of its step in the plan.
    pub step: usize,
    /// The fields to send.
    pub fields: Map<String, Value>,
    /// Whether this is all that the step needs: not so of sites that are released ahead of the rest.
    pub last: bool,
    /// The numbers of the tasks that come before it.
    pub after: Vec<usize>,
}

/// The changes of a plan, but for the clients that go: those go first, and so release what they have.
///
/// # Errors
/// The steps that wait for each other's emails: no order makes these succeed.
pub fn tasks(plan: &Plan) -> Result<Vec<Task>, Vec<usize>> {
    let changing = |step: &Step| matches!(step.action, Action::Create | Action::Update);
    let steps = plan.steps.iter().enumerate().filter(|(_, step)| changing(step));
    let mut tasks: Vec<Task> = steps.map(|(number, step)| whole(number, step)).collect();
    connect(plan, &mut tasks);
    let stuck = stuck(&tasks);
    if stuck.is_empty() {
        return Ok(tasks);
    }
    // Clients that swap sites: each releases first what others want of it.
    let releases: Vec<Task> = stuck.iter().filter_map(|task| release(plan, tasks[*task].step)).collect();
    tasks.extend(releases);
    connect(plan, &mut tasks);
    match self::stuck(&tasks) {
        none if none.is_empty() => Ok(tasks),
        stuck => Err(stuck.into_iter().map(|task| tasks[task].step).collect()),
    }
}

fn whole(number: usize, step: &Step) -> Task {
    let field = |change: &Change| (change.field.clone(), change.to.clone());
    Task { step: number, fields: step.changes.iter().map(field).collect(), last: true, after: Vec::new() }
}

/// Sends the sites that stay, and so releases the others, ahead of the whole.
fn release(plan: &Plan, number: usize) -> Option<Task> {
    let step = &plan.steps[number];
    let given_up = step.given_up("site_ids");
    let sites = step.change("site_ids").filter(|_| !given_up.is_empty())?.from.as_array()?;
    let stays = |site: &&Value| crate::resource::scalar(site).is_some_and(|site| !given_up.contains(&site));
    let kept = Value::Array(sites.iter().filter(stays).cloned().collect());
    let fields = Map::from_iter([("site_ids".to_string(), kept)]);
    Some(Task { step: number, fields, last: false, after: Vec::new() })
}

/// Says for each task which others come before it.
fn connect(plan: &Plan, tasks: &mut [Task]) {
    let mut givers: HashMap<(&str, String), usize> = HashMap::new();
    let mut releases: HashMap<usize, usize> = HashMap::new();
    // Releases come last in the list, and so take the place of the whole as the giver of a site.
    for (number, task) in tasks.iter().enumerate() {
        let step = &plan.steps[task.step];
        for field in ["email", "site_ids"].into_iter().filter(|field| task.last || *field == "site_ids") {
            givers.extend(step.given_up(field).into_iter().map(|item| ((field, item), number)));
        }
        if !task.last {
            releases.insert(task.step, number);
        }
    }
    for (number, task) in tasks.iter_mut().enumerate().filter(|(_, task)| task.last) {
        let step = &plan.steps[task.step];
        let taken = ["email", "site_ids"].map(|field| (field, step.taken(field)));
        let taken = taken.into_iter().flat_map(|(field, items)| items.into_iter().map(move |item| (field, item)));
        let before = taken.filter_map(|key| givers.get(&key)).chain(releases.get(&task.step)).copied();
        task.after = before.filter(|before| *before != number).collect();
        task.after.sort_unstable();
        task.after.dedup();
    }
}

/// For each task those that wait for it.
pub fn followers(tasks: &[Task]) -> Vec<Vec<usize>> {
    let mut followers = vec![Vec::new(); tasks.len()];
    for (number, task) in tasks.iter().enumerate() {
        task.after.iter().for_each(|before| followers[*before].push(number));
    }
    followers
}

/// The tasks that wait for each other, or for such.
fn stuck(tasks: &[Task]) -> Vec<usize> {
    let followers = followers(tasks);
    let mut waits: Vec<usize> = tasks.iter().map(|task| task.after.len()).collect();
    let mut free: Vec<usize> = (0..tasks.len()).filter(|task| waits[*task] == 0).collect();
    while let Some(done) = free.pop() {
        for follower in &followers[done] {
            waits[*follower] -= 1;
            free.extend((waits[*follower] == 0).then_some(*follower));
        }
    }
    (0..tasks.len()).filter(|task| waits[*task] > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn step(key: &str, changes: &[(&str, Value, Value)]) -> Step {
        let change = |(field, from, to): &(&str, Value, Value)| Change {
            field: (*field).into(),
            from: from.clone(),
            to: to.clone(),
        };
        Step {
            action: Action::Update,
            key: key.into(),
            id: Some(key.into()),
            row: None,
            client: None,
            changes: changes.iter().map(change).collect(),
        }
    }

    fn after(steps: Vec<Step>) -> Result<Vec<Vec<usize>>, Vec<usize>> {
        tasks(&Plan { steps, prune: false }).map(|tasks| tasks.into_iter().map(|task| task.after).collect())
    }

    #[test]
    fn what_is_given_up_comes_before_what_is_taken() {
        let moved = vec![
            step("a", &[("site_ids", json!([]), json!(["s"]))]),
            step("b", &[("site_ids", json!(["s", "t"]), json!(["t"]))]),
            step("c", &[("email", json!("c@x"), json!("B@x"))]),
            step("d", &[("email", json!("b@x"), json!("d@x")), ("note", json!(null), json!("n"))]),
            step("e", &[("email", json!("E@x"), json!("e@x"))]),
        ];
        assert_eq!(after(moved), Ok(vec![vec![1], vec![], vec![3], vec![], vec![]]));
    }

    #[test]
    fn clients_that_swap_sites_release_them_first() {
        let swap = || {
            vec![
                step("a", &[("site_ids", json!(["s", "x"]), json!(["t", "x"])), ("note", json!(""), json!("n"))]),
                step("b", &[("site_ids", json!(["t"]), json!(["s"]))]),
            ]
        };
        let tasks = tasks(&Plan { steps: swap(), prune: false }).unwrap_or_default();
        let told: Vec<_> = tasks.iter().map(|task| (task.step, json!(task.fields), &task.after[..])).collect();
        let expected = [
            (0, json!({"site_ids": ["t", "x"], "note": "n"}), &[2, 3][..]),
            (1, json!({"site_ids": ["s"]}), &[2, 3]),
            (0, json!({"site_ids": ["x"]}), &[]),
            (1, json!({"site_ids": []}), &[]),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn clients_cannot_swap_emails() {
        let swap = vec![
            step("a", &[("email", json!("a@x"), json!("b@x"))]),
            step("b", &[("email", json!("b@x"), json!("a@x"))]),
            step("c", &[("note", json!(""), json!("n"))]),
        ];
        assert_eq!(after(swap), Err(vec![0, 1]));
    }

    proptest! {
        /// Any way to hand sites round succeeds, one request after the other, on a service that lets no site have two
        /// clients.
        #[test]
        fn sites_can_be_handed_round_in_any_way(from in prop::collection::vec(0usize..5, 8), to in prop::collection::vec(0usize..5, 8)) {
            let sites = |owners: &[usize], client| {
                let owned = (0..owners.len()).filter(|site| owners[*site] == client);
                owned.map(|site| site.to_string()).collect::<Vec<_>>()
            };
            let steps = (0..5).map(|client| {
                step(&client.to_string(), &[("site_ids", json!(sites(&from, client)), json!(sites(&to, client)))])
            });
            let tasks = tasks(&Plan { steps: steps.collect(), prune: false }).unwrap_or_default();
            let mut held: BTreeMap<usize, Vec<Value>> = (0..5).map(|client| {
                (client, sites(&from, client).into_iter().map(Value::from).collect())
            }).collect();
            let mut done = vec![false; tasks.len()];
            while let Some(next) = (0..tasks.len()).find(|task| !done[*task] && tasks[*task].after.iter().all(|before| done[*before])) {
                let (step, sites) = (tasks[next].step, tasks[next].fields["site_ids"].as_array().cloned().unwrap_or_default());
                for (client, others) in &held {
                    prop_assert!(*client == step || !sites.iter().any(|site| others.contains(site)), "{tasks:?}");
                }
                held.insert(step, sites);
                done[next] = true;
            }
            prop_assert!(done.iter().all(|done| *done), "{tasks:?}");
            for client in 0..5 {
                let wanted: Vec<Value> = sites(&to, client).into_iter().map(Value::from).collect();
                prop_assert_eq!(&held[&client], &wanted);
            }
        }
    }
}
