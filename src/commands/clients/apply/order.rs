//! In which order the changes of a plan can succeed: a site is released before another client claims it, and an email
//! given up before another client takes it.

use super::plan::Step;
use crate::commands::clients::moving::Owner;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Two steps: the second takes what the first gives up.
type Pair = (usize, usize);

/// The sites that pass between two steps; none if an email passes too, because it cannot be released ahead.
type Moves = BTreeMap<Pair, BTreeSet<String>>;

/// Sets the steps that each step waits for, and the sites that are released for it ahead of their owners' own changes.
///
/// # Errors
/// Steps that wait for each other's emails: no order makes these succeed.
pub fn arrange(steps: &mut [Step]) -> Result<(), BTreeSet<usize>> {
    let moves = moves(steps);
    let pending = pending(&moves)?;
    let mut released: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for ((from, _), sites) in moves.iter().filter(|(pair, _)| !pending.contains(pair)) {
        released
            .entry(*from)
            .or_default()
            .extend(sites.iter().cloned());
    }
    for ((from, to), sites) in &moves {
        if pending.contains(&(*from, *to)) {
            steps[*to].after.push(*from);
        } else {
            let owner = steps[*from]
                .client
                .as_ref()
                .and_then(|client| Owner::new(client, sites, &released[from]));
            steps[*to].owners.extend(owner);
        }
    }
    Ok(())
}

fn moves(steps: &[Step]) -> Moves {
    let mut moves = Moves::new();
    for field in ["site_ids", "email"] {
        let given = |(from, step): (usize, &Step)| {
            step.given_up(field)
                .into_iter()
                .map(move |item| (item, from))
        };
        let givers: HashMap<String, usize> = steps.iter().enumerate().flat_map(given).collect();
        for (to, step) in steps.iter().enumerate() {
            for item in step.taken(field) {
                let Some(from) = givers.get(&item) else {
                    continue;
                };
                let sites = moves.entry((*from, to)).or_default();
                match field {
                    "email" => sites.clear(),
                    _ => drop(sites.insert(item)),
                }
            }
        }
    }
    moves
}

/// Returns the pairs whose second step waits for the first; the sites of the others are released ahead, so that no steps
/// wait for each other. This releases the fewest sites of each cycle, and none without need.
///
/// # Errors
/// Steps that wait for each other's emails.
fn pending(moves: &Moves) -> Result<BTreeSet<Pair>, BTreeSet<usize>> {
    let mut pending: BTreeSet<Pair> = moves.keys().copied().collect();
    let mut released = Vec::new();
    while let Some(cycle) = cycle(&pending) {
        let ways = cycle.iter().filter(|pair| !moves[pair].is_empty());
        let Some(best) = ways.min_by_key(|pair| moves[pair].len()) else {
            return Err(cycle.iter().map(|(from, _)| *from).collect());
        };
        pending.remove(best);
        released.push(*best);
    }
    for pair in released {
        pending.insert(pair);
        if cycle(&pending).is_some() {
            pending.remove(&pair);
        }
    }
    Ok(pending)
}

/// Returns the pairs of one cycle, if any.
fn cycle(pairs: &BTreeSet<Pair>) -> Option<Vec<Pair>> {
    let mut ended: BTreeSet<usize> = BTreeSet::new();
    let mut path: Vec<Pair> = Vec::new();
    for (start, _) in pairs {
        let mut step = *start;
        loop {
            if let Some(place) = path.iter().position(|(from, _)| *from == step) {
                return Some(path.split_off(place));
            }
            let next = pairs
                .range((step, 0)..=(step, usize::MAX))
                .find(|(_, to)| !ended.contains(to));
            if let Some(pair) = next {
                path.push(*pair);
                step = pair.1;
                continue;
            }
            ended.insert(step);
            let Some((from, _)) = path.pop() else { break };
            step = from;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::clients::apply::plan::Action;
    use crate::commands::clients::difference::Change;
    use crate::commands::clients::moving::described;
    use crate::resources::Record;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// A client that changes a field from one value to another.
    fn step(id: &str, field: &str, from: Value, to: Value) -> Step {
        let client = Record::whole(json!({"id": id, field: from}).to_string());
        let changes = vec![Change {
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
        arrange(&mut steps)?;
        Ok(steps
            .into_iter()
            .map(|step| (step.after, described(&step.owners)))
            .collect())
    }

    #[test]
    fn a_client_gives_up_a_value_before_another_takes_it() {
        let email = |id, from: &str, to: &str| step(id, "email", json!(from), json!(to));
        let steps = vec![
            sites("a", &[], &["s"]),
            sites("b", &["s", "t"], &["t"]),
            email("c", "c@x", "B@x"),
            email("d", "b@x", "d@x"),
            email("e", "E@x", "e@x"),
        ];
        let after = arranged(steps).map(|steps| {
            steps
                .into_iter()
                .map(|(after, _)| after)
                .collect::<Vec<_>>()
        });
        assert_eq!(after, Ok(vec![vec![1], vec![], vec![3], vec![], vec![]]));
        let swap = vec![
            email("a", "a@x", "b@x"),
            email("b", "b@x", "a@x"),
            email("c", "c@x", "d@x"),
        ];
        assert_eq!(arranged(swap), Err(BTreeSet::from([0, 1])));
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

    proptest! {
        /// Any moves of sites succeed, one change after the other, on a service that assigns each site to one client.
        #[test]
        fn sites_can_move_in_any_way(from in prop::collection::vec(0usize..5, 8), to in prop::collection::vec(0usize..5, 8)) {
            let names: Vec<String> = (0..8).map(|site| site.to_string()).collect();
            let of = |owners: &[usize], client| -> Vec<&str> {
                (0..8).filter(|site| owners[*site] == client).map(|site| names[site].as_str()).collect()
            };
            let mut steps: Vec<Step> =
                (0..5).map(|client| sites(&names[client], &of(&from, client), &of(&to, client))).collect();
            prop_assert_eq!(arrange(&mut steps), Ok(()));
            let mut held: Vec<Vec<&str>> = (0..5).map(|client| of(&from, client)).collect();
            let mut done = BTreeSet::new();
            let ready = |done: &BTreeSet<usize>, step: usize| {
                !done.contains(&step) && steps[step].after.iter().all(|before| done.contains(before))
            };
            while let Some(step) = (0..5).find(|step| ready(&done, *step)) {
                for owner in &steps[step].owners {
                    let owner_sites = owner.kept();
                    let number = names.iter().position(|name| *name == owner.id).unwrap_or_default();
                    prop_assert!(!done.contains(&number), "a client keeps what it was given");
                    held[number].retain(|site| owner_sites.iter().any(|kept| kept == site));
                }
                held[step].clear();
                let claimed = of(&to, step);
                prop_assert!(!held.iter().flatten().any(|site| claimed.contains(site)));
                held[step] = claimed;
                done.insert(step);
            }
            prop_assert_eq!(done.len(), 5);
        }
    }
}
