//! In which order the changes of a plan can succeed: a site is released before another client claims it, and an email
//! given up before another client takes it.

use super::plan::{Action, Step, Task};
use crate::resources::scalar;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Two steps: the second takes what the first gives up.
type Pair = (usize, usize);

/// What passes between two steps.
#[derive(Debug, Default)]
struct Move {
    sites: BTreeSet<String>,
    /// An email passes too, which cannot be released ahead.
    email: bool,
}

/// Returns the changes of a plan, except the deletions.
///
/// # Errors
/// The steps that wait for each other's emails: no order makes these succeed.
pub fn tasks(steps: &[Step]) -> Result<Vec<Task>, BTreeSet<usize>> {
    let moves = moves(steps);
    let pending = pending(&moves)?;
    let mut releases: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for ((from, _), next) in moves.iter().filter(|(pair, _)| !pending.contains(pair)) {
        releases.entry(*from).or_default().extend(next.sites.iter().cloned());
    }
    let rows: HashMap<usize, usize> = releases.keys().copied().zip(steps.len()..).collect();
    let mut after: HashMap<usize, Vec<usize>> = HashMap::new();
    for (from, to) in moves.keys() {
        let before = if pending.contains(&(*from, *to)) { *from } else { rows[from] };
        after.entry(*to).or_default().push(before);
    }
    rows.iter().for_each(|(step, row)| after.entry(*step).or_default().push(*row));
    let changes = steps.iter().enumerate().filter(|(_, step)| matches!(step.action, Action::Create | Action::Update));
    let own = changes.map(|(number, step)| {
        let fields = step.changes.iter().map(|change| (change.field.clone(), change.to.clone())).collect();
        let after = after.remove(&number).unwrap_or_default();
        Task { step: number, row: number, fields, releases: BTreeSet::new(), after }
    });
    let mut tasks: Vec<Task> = own.collect();
    tasks.extend(releases.into_iter().map(|(step, sites)| {
        let fields = without(&steps[step], &sites);
        Task { step, row: rows[&step], fields, releases: sites, after: Vec::new() }
    }));
    Ok(tasks)
}

/// Returns the sites that the client has now, except these.
pub fn without(step: &Step, sites: &BTreeSet<String>) -> Map<String, Value> {
    let now = step.change("site_ids").and_then(|change| change.from.as_array());
    let stays = |site: &&Value| scalar(site).is_none_or(|site| !sites.contains(&site));
    let kept = now.into_iter().flatten().filter(stays).cloned().collect();
    Map::from_iter([("site_ids".to_string(), Value::Array(kept))])
}

fn moves(steps: &[Step]) -> BTreeMap<Pair, Move> {
    let mut moves: BTreeMap<Pair, Move> = BTreeMap::new();
    for field in ["email", "site_ids"] {
        let given = steps
            .iter()
            .enumerate()
            .flat_map(|(from, step)| step.given_up(field).into_iter().map(move |item| (item, from)));
        let givers: HashMap<String, usize> = given.collect();
        for (to, step) in steps.iter().enumerate() {
            for item in step.taken(field) {
                let Some(from) = givers.get(&item).filter(|from| **from != to) else { continue };
                let next = moves.entry((*from, to)).or_default();
                match field {
                    "email" => next.email = true,
                    _ => next.sites.extend([item]),
                }
            }
        }
    }
    moves
}

/// Returns the pairs whose second step waits for the first; the sites of the others are released ahead, so that no steps
/// wait for each other. The fewest sites would be a minimum feedback arc set, which takes exponential time: this releases
/// the fewest of each circle, and none without need.
///
/// # Errors
/// The steps that wait for each other's emails.
fn pending(moves: &BTreeMap<Pair, Move>) -> Result<BTreeSet<Pair>, BTreeSet<usize>> {
    let mut pending: BTreeSet<Pair> = moves.keys().copied().collect();
    let mut released = Vec::new();
    while let Some(circle) = circle(&pending) {
        let left = |pair: Pair| stuck(&(&pending - &BTreeSet::from([pair]))).len();
        let ways = circle.into_iter().filter(|pair| !moves[pair].email);
        let Some(best) = ways.min_by_key(|pair| (moves[pair].sites.len(), left(*pair))) else {
            return Err(stuck(&pending.into_iter().filter(|pair| moves[pair].email).collect()));
        };
        pending.remove(&best);
        released.push(best);
    }
    for pair in released {
        pending.insert(pair);
        if circle(&pending).is_some() {
            pending.remove(&pair);
        }
    }
    Ok(pending)
}

/// Returns the steps that wait for each other, or for such.
fn stuck(pending: &BTreeSet<Pair>) -> BTreeSet<usize> {
    let mut waits: BTreeMap<usize, usize> = BTreeMap::new();
    for (from, to) in pending {
        waits.entry(*from).or_default();
        *waits.entry(*to).or_default() += 1;
    }
    let mut free: Vec<usize> = waits.iter().filter(|(_, waits)| **waits == 0).map(|(step, _)| *step).collect();
    while let Some(done) = free.pop() {
        waits.remove(&done);
        for (_, to) in pending.range((done, 0)..=(done, usize::MAX)) {
            let left = waits.entry(*to).and_modify(|waits| *waits -= 1).or_default();
            free.extend((*left == 0).then_some(*to));
        }
    }
    waits.into_keys().collect()
}

/// Returns one circle, if any: the pairs of steps that wait for each other.
fn circle(pending: &BTreeSet<Pair>) -> Option<Vec<Pair>> {
    let stuck = stuck(pending);
    let givers: HashMap<usize, usize> =
        pending.iter().filter(|(from, _)| stuck.contains(from)).map(|(from, to)| (*to, *from)).collect();
    let mut path: Vec<Pair> = Vec::new();
    let mut step = *stuck.first()?;
    loop {
        if let Some(start) = path.iter().position(|(_, to)| *to == step) {
            return Some(path.split_off(start));
        }
        let from = *givers.get(&step)?;
        path.push((from, step));
        step = from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::clients::difference::Change;
    use proptest::prelude::*;
    use serde_json::json;

    fn step(key: &str, changes: &[(&str, Value, Value)]) -> Step {
        let change = |(field, from, to): &(&str, Value, Value)| {
            let (from, to) = (from.clone(), to.clone());
            Change { field: (*field).into(), from, to }
        };
        let changes = changes.iter().map(change).collect();
        Step { action: Action::Update, key: key.into(), id: Some(key.into()), row: None, client: None, changes }
    }

    /// The row, the fields and the rows before it of each task.
    fn ordered(steps: &[Step]) -> Vec<(usize, Value, Vec<usize>)> {
        let tasks = tasks(steps).unwrap_or_default();
        tasks.into_iter().map(|task| (task.row, json!(task.fields), task.after)).collect()
    }

    #[test]
    fn a_client_gives_up_a_value_before_another_takes_it() {
        let moved = [
            step("a", &[("site_ids", json!([]), json!(["s"]))]),
            step("b", &[("site_ids", json!(["s", "t"]), json!(["t"]))]),
            step("c", &[("email", json!("c@x"), json!("B@x"))]),
            step("d", &[("email", json!("b@x"), json!("d@x")), ("note", json!(null), json!("n"))]),
            step("e", &[("email", json!("E@x"), json!("e@x"))]),
        ];
        let after: Vec<_> = ordered(&moved).into_iter().map(|(_, _, after)| after).collect();
        assert_eq!(after, [vec![1], vec![], vec![3], vec![], vec![]]);
    }

    #[test]
    fn a_circle_is_opened_by_the_fewest_releases() {
        let swap = [
            step("a", &[("site_ids", json!(["s", "u", "x"]), json!(["t", "x"])), ("note", json!(""), json!("n"))]),
            step("b", &[("site_ids", json!(["t"]), json!(["s", "u"]))]),
        ];
        assert_eq!(
            ordered(&swap),
            [
                (0, json!({"site_ids": ["t", "x"], "note": "n"}), vec![2]),
                (1, json!({"site_ids": ["s", "u"]}), vec![0, 2]),
                (2, json!({"site_ids": []}), vec![]),
            ]
        );
        let two_circles = [
            step("a", &[("site_ids", json!(["s", "v"]), json!(["t", "w"]))]),
            step("b", &[("site_ids", json!(["t", "u"]), json!(["s"]))]),
            step("c", &[("site_ids", json!(["w"]), json!(["u"]))]),
        ];
        assert_eq!(ordered(&two_circles)[3..], [(3, json!({"site_ids": ["v"]}), vec![])]);
    }

    #[test]
    fn clients_cannot_swap_emails() {
        let swap = [
            step("a", &[("email", json!("a@x"), json!("b@x"))]),
            step("b", &[("email", json!("b@x"), json!("a@x"))]),
            step("c", &[("note", json!(""), json!("n"))]),
        ];
        assert_eq!(tasks(&swap), Err(BTreeSet::from([0, 1])));
    }

    proptest! {
        /// Any moves of sites succeed, one request after the other, on a service that assigns each site to one client.
        #[test]
        fn sites_can_move_in_any_way(from in prop::collection::vec(0usize..5, 8), to in prop::collection::vec(0usize..5, 8)) {
            let sites = |owners: &[usize], client| -> Vec<String> {
                (0..owners.len()).filter(|site| owners[*site] == client).map(|site| site.to_string()).collect()
            };
            let site_ids = |client| ("site_ids", json!(sites(&from, client)), json!(sites(&to, client)));
            let steps: Vec<Step> = (0..5).map(|client| step(&client.to_string(), &[site_ids(client)])).collect();
            let mut tasks = tasks(&steps).unwrap_or_default();
            let mut held: BTreeMap<usize, Value> = (0..5).map(|client| (client, json!(sites(&from, client)))).collect();
            let mut done = BTreeSet::new();
            while let Some(next) = tasks.iter().position(|task| task.after.iter().all(|row| done.contains(row))) {
                let Task { step, row, fields, .. } = tasks.remove(next);
                let claimed = fields["site_ids"].as_array().cloned().unwrap_or_default();
                for (_, others) in held.iter().filter(|(client, _)| **client != step) {
                    prop_assert!(!claimed.iter().any(|site| others.as_array().is_some_and(|held| held.contains(site))));
                }
                held.insert(step, json!(claimed));
                done.insert(row);
            }
            prop_assert!(tasks.is_empty(), "{tasks:?}");
            for client in 0..5 {
                prop_assert_eq!(&held[&client], &json!(sites(&to, client)));
            }
        }
    }
}
