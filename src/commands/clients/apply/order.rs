//! In which order the changes of a plan can succeed: a site is released before another client claims it, and an email
//! given up before another client takes it.

use super::plan::{Action, Step, Task};
use crate::resources::scalar;
use serde_json::{Map, Value};
use std::cmp::Reverse;
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

/// Returns the pairs whose second step waits for the first. A pair that would close a circle is not one of them: its sites
/// are released ahead. It is the pair of the circle with the fewest sites.
///
/// # Errors
/// The steps that wait for each other's emails.
fn pending(moves: &BTreeMap<Pair, Move>) -> Result<BTreeSet<Pair>, BTreeSet<usize>> {
    let (mut pending, mut stuck) = (BTreeSet::new(), BTreeSet::new());
    let mut pairs: Vec<_> = moves.iter().collect();
    pairs.sort_by_key(|(_, next)| (!next.email, Reverse(next.sites.len())));
    for ((from, to), next) in pairs {
        let waiting = waiting(&pending, *to);
        if !waiting.contains(from) {
            pending.insert((*from, *to));
        } else if next.email {
            stuck.extend(waiting.into_iter().filter(|step| self::waiting(&pending, *step).contains(from)));
        }
    }
    if stuck.is_empty() { Ok(pending) } else { Err(stuck) }
}

/// Returns this step and those that wait for it.
fn waiting(pending: &BTreeSet<Pair>, step: usize) -> BTreeSet<usize> {
    let (mut found, mut next) = (BTreeSet::new(), vec![step]);
    while let Some(step) = next.pop() {
        if found.insert(step) {
            next.extend(pending.range((step, 0)..=(step, usize::MAX)).map(|(_, to)| *to));
        }
    }
    found
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
    }

    #[test]
    fn clients_cannot_swap_emails() {
        let swap = [
            step("a", &[("email", json!("a@x"), json!("b@x"))]),
            step("b", &[("email", json!("b@x"), json!("a@x"))]),
            step("c", &[("note", json!(""), json!("n"))]),
            step("d", &[("email", json!("d@x"), json!("e@x"))]),
            step("e", &[("email", json!("e@x"), json!("d@x"))]),
        ];
        assert_eq!(tasks(&swap), Err(BTreeSet::from([0, 1, 3, 4])));
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
