//! Orders the changes of a plan so that each can succeed: a site is released before another client
//! claims it, and so is an email.

use super::plan::Step;
use crate::commands::clients::moving::SiteRelease;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The indexes of two steps: the second gains what the first gives up.
type StepPair = (usize, usize);

/// The sites that move between the clients of two steps. The set is empty if an email moves, with
/// or without sites: an email cannot be released early, so the second step must wait for the first.
pub type Moves = BTreeMap<StepPair, BTreeSet<String>>;

/// Sets `runs_after` and `early_releases` of the steps.
///
/// # Errors
/// The indexes of steps that wait for each other's emails: no order makes these succeed.
pub fn set_dependencies(steps: &mut [Step]) -> Result<(), BTreeSet<usize>> {
    for step in steps.iter_mut() {
        step.runs_after.clear();
        step.early_releases.clear();
    }
    let moves = find_moves(steps);
    let waiting = waiting_pairs(&moves)?;
    // All sites that the client of a step releases early, for any other step.
    let mut released_early: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for (pair, sites) in &moves {
        if !waiting.contains(pair) {
            let released = released_early.entry(pair.0).or_default();
            released.extend(sites.iter().cloned());
        }
    }
    for pair in moves.keys() {
        let (from, to) = *pair;
        if waiting.contains(pair) {
            steps[to].runs_after.push(from);
        } else if let Some(client) = &steps[from].client {
            // One request releases the sites for all steps.
            let release = SiteRelease::new(client, &released_early[&from]);
            steps[to].early_releases.extend(release);
        }
    }
    Ok(())
}

/// Returns what moves between the clients of the steps.
pub fn find_moves(steps: &[Step]) -> Moves {
    let mut moves = Moves::new();
    // Emails come last: they clear the sites of their pairs.
    for field in ["site_ids", "email"] {
        let mut step_giving_up: HashMap<String, usize> = HashMap::new();
        for (from, step) in steps.iter().enumerate() {
            for value in step.given_up(field) {
                step_giving_up.insert(value, from);
            }
        }
        for (to, step) in steps.iter().enumerate() {
            for value in step.gained(field) {
                let Some(from) = step_giving_up.get(&value) else {
                    continue;
                };
                let sites = moves.entry((*from, to)).or_default();
                if field == "email" {
                    sites.clear();
                } else {
                    sites.insert(value);
                }
            }
        }
    }
    moves
}

/// Returns the pairs whose second step waits for the first. The sites of the other pairs are
/// released early, so that no steps wait for each other: of each cycle, those of the pair with the
/// fewest sites, unless that turns out to be unnecessary.
///
/// # Errors
/// The indexes of steps that wait for each other's emails.
fn waiting_pairs(moves: &Moves) -> Result<BTreeSet<StepPair>, BTreeSet<usize>> {
    let mut waiting: BTreeSet<StepPair> = moves.keys().copied().collect();
    let mut stuck = BTreeSet::new();
    let removed = open_cycles(waiting.clone(), |cycle| {
        // The sites of a pair are empty if an email moves.
        let candidates = cycle.iter().filter(|pair| !moves[pair].is_empty());
        let fewest = candidates.min_by_key(|pair| moves[pair].len());
        *fewest.unwrap_or_else(|| {
            stuck.extend(cycle.iter().map(|(from, _)| *from));
            &cycle[0]
        })
    });
    if !stuck.is_empty() {
        return Err(stuck);
    }
    waiting.retain(|pair| !removed.contains(pair));
    // A pair that was removed first may no longer be in a cycle.
    for (from, to) in removed {
        if !is_reachable(&waiting, to, from) {
            waiting.insert((from, to));
        }
    }
    Ok(waiting)
}

/// Searches cycles depth first and returns the pairs without which there are none: `choose` gets
/// each cycle that is found, and chooses one of its pairs.
fn open_cycles(
    mut unexplored: BTreeSet<StepPair>,
    mut choose: impl FnMut(&[StepPair]) -> StepPair,
) -> Vec<StepPair> {
    let mut removed = Vec::new();
    // The steps from which no cycle can be reached.
    let mut finished = HashSet::new();
    while let Some((start, _)) = unexplored.first() {
        let mut step = *start;
        // The pairs from `start` to `step`.
        let mut path: Vec<StepPair> = Vec::new();
        loop {
            let Some(pair) = pairs_from(&unexplored, step).next().copied() else {
                finished.insert(step);
                let Some((from, _)) = path.pop() else { break };
                step = from;
                continue;
            };
            unexplored.remove(&pair);
            if finished.contains(&pair.1) {
                continue;
            }
            path.push(pair);
            step = pair.1;
            if let Some(index) = path.iter().position(|(from, _)| *from == step) {
                let chosen = choose(&path[index..]);
                removed.push(chosen);
                // The search goes back to the step before the removed pair.
                while let Some(pair) = path.pop() {
                    step = pair.0;
                    if pair == chosen {
                        break;
                    }
                    unexplored.insert(pair);
                }
            }
        }
    }
    removed
}

/// Whether the pairs lead from one step to another.
fn is_reachable(pairs: &BTreeSet<StepPair>, from: usize, to: usize) -> bool {
    let mut seen = HashSet::from([from]);
    let mut waiting = vec![from];
    while let Some(step) = waiting.pop() {
        if step == to {
            return true;
        }
        for (_, next) in pairs_from(pairs, step) {
            if seen.insert(*next) {
                waiting.push(*next);
            }
        }
    }
    false
}

fn pairs_from(pairs: &BTreeSet<StepPair>, step: usize) -> impl Iterator<Item = &StepPair> {
    pairs.range((step, 0)..=(step, usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::clients::apply::plan::Action;
    use crate::commands::clients::difference::FieldChange;
    use crate::commands::clients::moving::describe_releases;
    use crate::resources::Record;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// A client that changes a field from one value to another.
    fn step(id: &str, field: &str, from: Value, to: Value) -> Step {
        let client = Record::from_json(json!({"id": id, field: from}).to_string());
        let changes = vec![FieldChange {
            field: field.into(),
            from,
            to,
        }];
        Step {
            changes,
            action: Action::Update,
            client: Some(client),
            ..Step::default()
        }
    }

    fn sites(id: &str, from: &[&str], to: &[&str]) -> Step {
        step(id, "site_ids", json!(from), json!(to))
    }

    /// The steps before each step, and the sites that are released for it.
    fn arranged(mut steps: Vec<Step>) -> Result<Vec<(Vec<usize>, String)>, BTreeSet<usize>> {
        set_dependencies(&mut steps)?;
        Ok(steps
            .into_iter()
            .map(|step| (step.runs_after, describe_releases(&step.early_releases)))
            .collect())
    }

    #[test]
    fn a_client_releases_a_value_before_another_claims_it() {
        let email = |id, from: &str, to: &str| step(id, "email", json!(from), json!(to));
        let steps = vec![
            sites("a", &[], &["s"]),
            sites("b", &["s", "t"], &["t"]),
            email("c", "c@x", "B@x"),
            email("d", "b@x", "d@x"),
            email("e", "E@x", "e@x"),
        ];
        let runs_after = arranged(steps).map(|steps| {
            steps
                .into_iter()
                .map(|(runs_after, _)| runs_after)
                .collect::<Vec<_>>()
        });
        let expected = vec![vec![1], vec![], vec![3], vec![], vec![]];
        assert_eq!(runs_after, Ok(expected));
        let swap = vec![
            email("a", "a@x", "b@x"),
            email("b", "b@x", "a@x"),
            email("c", "c@x", "d@x"),
            email("e", "e@x", "f@x"),
            email("f", "f@x", "e@x"),
        ];
        assert_eq!(arranged(swap), Err(BTreeSet::from([0, 1, 3, 4])));
    }

    #[test]
    fn a_cycle_is_opened_by_the_fewest_releases() {
        let swap = vec![
            sites("a", &["s", "u", "x"], &["t", "x"]),
            sites("b", &["t"], &["s", "u"]),
        ];
        assert_eq!(
            arranged(swap),
            Ok(vec![(vec![], "t from b".into()), (vec![0], String::new())])
        );
    }

    const CLIENTS: usize = 5;
    const SITES: usize = 8;

    /// The client of each site.
    fn assignment() -> impl Strategy<Value = Vec<usize>> {
        prop::collection::vec(0..CLIENTS, SITES)
    }

    proptest! {
        /// Any moves of sites succeed, one change after the other, on a service that assigns each
        /// site to one client.
        #[test]
        fn sites_can_move_in_any_way(from in assignment(), to in assignment()) {
            let names: Vec<String> = (0..SITES).map(|site| site.to_string()).collect();
            let sites_of = |assignment: &[usize], client| -> Vec<&str> {
                (0..SITES)
                    .filter(|site| assignment[*site] == client)
                    .map(|site| names[site].as_str())
                    .collect()
            };
            let change = |client: usize| {
                sites(&names[client], &sites_of(&from, client), &sites_of(&to, client))
            };
            let mut steps: Vec<Step> = (0..CLIENTS).map(change).collect();
            prop_assert_eq!(set_dependencies(&mut steps), Ok(()));
            let mut stored: Vec<Vec<&str>> =
                (0..CLIENTS).map(|client| sites_of(&from, client)).collect();
            let mut done = BTreeSet::new();
            let is_ready = |done: &BTreeSet<usize>, step: usize| {
                let mut earlier = steps[step].runs_after.iter();
                !done.contains(&step) && earlier.all(|step| done.contains(step))
            };
            while let Some(step) = (0..CLIENTS).find(|step| is_ready(&done, *step)) {
                for release in &steps[step].early_releases {
                    let index = names.iter().position(|name| *name == release.id).unwrap_or_default();
                    prop_assert!(!done.contains(&index), "a client keeps the sites that it claims");
                    stored[index].retain(|site| !release.sites.iter().any(|other| other == site));
                }
                stored[step].clear();
                let claimed = sites_of(&to, step);
                prop_assert!(!stored.iter().flatten().any(|site| claimed.contains(site)));
                stored[step] = claimed;
                done.insert(step);
            }
            prop_assert_eq!(done.len(), CLIENTS);
        }
    }
}
