//! In which order the changes of a plan can succeed: a site is released before another client claims it, and an email
//! given up before another takes it.

use super::plan::{Action, Plan, Step};
use crate::commands::clients::difference::Change;
use crate::resources::scalar;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One request to make.
#[derive(Debug, PartialEq)]
pub struct Task {
    /// The number of its step in the plan.
    pub step: usize,
    /// The fields to send.
    pub fields: Map<String, Value>,
    /// The sites that it releases ahead of the step's own change; empty for that change itself.
    pub releases: BTreeSet<String>,
    /// The numbers of the tasks that come before it.
    pub after: Vec<usize>,
}

/// A site or email that passes from one task's client to another's.
struct Move {
    from: usize,
    to: usize,
    /// None for an email, which cannot be released.
    site: Option<String>,
}

/// The changes of a plan, but for the clients that go: those go first, and so release what they have.
///
/// # Errors
/// The steps that wait for each other's emails: no order makes these succeed.
pub fn tasks(plan: &Plan) -> Result<Vec<Task>, Vec<usize>> {
    let mut tasks: Vec<Task> = plan
        .steps
        .iter()
        .enumerate()
        .filter(|(_, step)| matches!(step.action, Action::Create | Action::Update))
        .map(|(number, step)| whole(number, step))
        .collect();
    let moves = moves(plan, &tasks);
    let released = released(tasks.len(), &moves)
        .map_err(|stuck| stuck.into_iter().map(|task| tasks[task].step).collect::<Vec<_>>())?;
    let mut of_giver: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for next in &moves {
        if let Some(site) = next.site.as_ref().filter(|site| released.contains(site.as_str())) {
            of_giver.entry(next.from).or_default().insert(site.clone());
        }
    }
    let numbers: HashMap<usize, usize> = of_giver.keys().copied().zip(tasks.len()..).collect();
    for (giver, sites) in of_giver {
        tasks[giver].after.push(numbers[&giver]);
        let step = tasks[giver].step;
        let fields = without(&plan.steps[step], &sites);
        tasks.push(Task { step, fields, releases: sites, after: Vec::new() });
    }
    for next in &moves {
        let early = next.site.as_ref().is_some_and(|site| released.contains(site.as_str()));
        tasks[next.to].after.push(if early { numbers[&next.from] } else { next.from });
    }
    for task in &mut tasks {
        task.after.sort_unstable();
        task.after.dedup();
    }
    Ok(tasks)
}

fn whole(number: usize, step: &Step) -> Task {
    let field = |change: &Change| (change.field.clone(), change.to.clone());
    let fields = step.changes.iter().map(field).collect();
    Task { step: number, fields, releases: BTreeSet::new(), after: Vec::new() }
}

/// The sites that the client has now, without some.
pub fn without(step: &Step, sites: &BTreeSet<String>) -> Map<String, Value> {
    let now = step.change("site_ids").and_then(|change| change.from.as_array());
    let stays = |site: &&Value| scalar(site).is_none_or(|site| !sites.contains(&site));
    let kept = now.into_iter().flatten().filter(stays).cloned().collect();
    Map::from_iter([("site_ids".to_string(), Value::Array(kept))])
}

fn moves(plan: &Plan, tasks: &[Task]) -> Vec<Move> {
    let numbered = || tasks.iter().enumerate().map(|(number, task)| (number, &plan.steps[task.step]));
    let mut moves = Vec::new();
    for field in ["email", "site_ids"] {
        let given = numbered().flat_map(|(from, step)| step.given_up(field).into_iter().map(move |item| (item, from)));
        let givers: HashMap<String, usize> = given.collect();
        for (to, step) in numbered() {
            let taken = step.taken(field).into_iter().filter_map(|item| Some((*givers.get(&item)?, item)));
            let site = |item| (field == "site_ids").then_some(item);
            moves.extend(taken.filter(|(from, _)| *from != to).map(|(from, item)| Move { from, to, site: site(item) }));
        }
    }
    moves
}

/// The sites to release ahead, so that no tasks wait for each other. The fewest in all would be a minimum feedback arc
/// set, which takes exponential time: this takes the fewest of each circle, and none without which it stays open.
///
/// # Errors
/// The tasks that wait for each other's emails.
fn released(tasks: usize, moves: &[Move]) -> Result<BTreeSet<&str>, Vec<usize>> {
    let mut released = BTreeSet::new();
    loop {
        let stuck = stuck(tasks, moves, &released);
        if stuck.is_empty() {
            break;
        }
        let circle = circle(&stuck, moves, &released);
        let ways = circle.iter().filter_map(|(from, to)| sites_between(*from, *to, moves, &released));
        let left = |sites: &BTreeSet<&str>| self::stuck(tasks, moves, &(&released | sites)).len();
        let best = ways.min_by_key(|sites| (sites.len(), left(sites)));
        released.extend(best.ok_or_else(|| {
            let all = moves.iter().filter_map(|next| next.site.as_deref()).collect();
            self::stuck(tasks, moves, &all)
        })?);
    }
    for site in released.clone() {
        released.remove(site);
        if !stuck(tasks, moves, &released).is_empty() {
            released.insert(site);
        }
    }
    Ok(released)
}

fn is_pending(next: &Move, released: &BTreeSet<&str>) -> bool {
    next.site.as_deref().is_none_or(|site| !released.contains(site))
}

/// The tasks that wait for each other, or for such.
fn stuck(tasks: usize, moves: &[Move], released: &BTreeSet<&str>) -> Vec<usize> {
    let mut followers = vec![Vec::new(); tasks];
    let mut waits = vec![0_usize; tasks];
    for next in moves.iter().filter(|next| is_pending(next, released)) {
        followers[next.from].push(next.to);
        waits[next.to] += 1;
    }
    let mut free: Vec<usize> = (0..tasks).filter(|task| waits[*task] == 0).collect();
    while let Some(done) = free.pop() {
        for follower in &followers[done] {
            waits[*follower] -= 1;
            free.extend((waits[*follower] == 0).then_some(*follower));
        }
    }
    (0..tasks).filter(|task| waits[*task] > 0).collect()
}

/// One circle of tasks: of each pair, the second waits for the first.
fn circle(stuck: &[usize], moves: &[Move], released: &BTreeSet<&str>) -> Vec<(usize, usize)> {
    let waiting = |next: &&Move| is_pending(next, released) && stuck.binary_search(&next.from).is_ok();
    let giver: HashMap<usize, usize> = moves.iter().filter(waiting).map(|next| (next.to, next.from)).collect();
    let mut path = Vec::new();
    let mut next = stuck.first();
    while let Some(task) = next {
        if let Some(start) = path.iter().position(|(_, to)| to == task) {
            return path.split_off(start);
        }
        next = giver.get(task);
        path.extend(next.map(|from| (*from, *task)));
    }
    path
}

/// The sites that one task still waits for of another; none if it waits for an email too.
fn sites_between<'m>(
    from: usize,
    to: usize,
    moves: &'m [Move],
    released: &BTreeSet<&str>,
) -> Option<BTreeSet<&'m str>> {
    let between = moves.iter().filter(|next| (next.from, next.to) == (from, to) && is_pending(next, released));
    between.map(|next| next.site.as_deref()).collect()
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

    /// Which sites are released by whom, and after which tasks each task comes.
    fn told(steps: Vec<Step>) -> Vec<(usize, Value, Vec<usize>)> {
        let tasks = tasks(&Plan { steps, prune: false }).unwrap_or_default();
        tasks.into_iter().map(|task| (task.step, json!(task.fields), task.after)).collect()
    }

    #[test]
    fn a_swap_is_opened_by_one_release() {
        let swap = vec![
            step("a", &[("site_ids", json!(["s", "u", "x"]), json!(["t", "x"])), ("note", json!(""), json!("n"))]),
            step("b", &[("site_ids", json!(["t"]), json!(["s", "u"]))]),
        ];
        assert_eq!(
            told(swap),
            [
                (0, json!({"site_ids": ["t", "x"], "note": "n"}), vec![2]),
                (1, json!({"site_ids": ["s", "u"]}), vec![0, 2]),
                (1, json!({"site_ids": []}), vec![]),
            ]
        );
    }

    #[test]
    fn a_release_that_opens_two_circles_is_the_only_one() {
        let two = vec![
            step("a", &[("site_ids", json!(["s", "v"]), json!(["t", "w"]))]),
            step("b", &[("site_ids", json!(["t", "u"]), json!(["s"]))]),
            step("c", &[("site_ids", json!(["w"]), json!(["u"]))]),
        ];
        let releases: Vec<_> = told(two).into_iter().skip(3).collect();
        assert_eq!(releases, [(0, json!({"site_ids": ["v"]}), vec![])]);
        let ring = (0..5)
            .map(|n| step(&n.to_string(), &[("site_ids", json!([n.to_string()]), json!([((n + 1) % 5).to_string()]))]));
        assert_eq!(told(ring.collect()).len(), 6);
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
            let steps: Vec<Step> = steps.collect();
            let plan = Plan { steps, prune: false };
            let tasks = tasks(&plan).unwrap_or_default();
            let moves = moves(&plan, &tasks[..5]);
            let released = released(5, &moves).unwrap_or_default();
            for site in &released {
                let others = released.iter().copied().filter(|other| other != site).collect();
                prop_assert!(!stuck(5, &moves, &others).is_empty(), "{site} is released in vain");
            }
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
