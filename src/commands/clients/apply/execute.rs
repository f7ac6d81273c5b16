//! Makes the changes of a plan, in three phases: the deletions; the changes that need nothing from
//! other clients of the plan, and releases of what others need; the changes that claim it.

use crate::commands::bulk::{Bulk, Job, Outcomes};
use crate::commands::clients::changes::{ClientWriter, MAX_IDS_PER_DELETION, is_missing};
use crate::commands::clients::moving::{
    not_released, require_sites, sites_of, unclaimed_site, update_sites,
};
use crate::commands::clients::plan::{Action, Plan};
use crate::commands::clients::site_lock::SiteLock;
use crate::error::{Detail, Error, Result};
use crate::resources::Record;
use serde_json::{Map, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The fields whose values only one client can have.
const CLAIMED_FIELDS: [&str; 2] = ["site_ids", "email"];
/// The second phase.
const RELEASES: usize = 1;

/// The outcome of a plan.
#[derive(Default)]
pub struct Execution {
    /// The outcomes; the rows are the indexes of the steps.
    pub outcomes: Outcomes<()>,
    /// The clients that were created or changed, at least in part, as they are now, by the indexes
    /// of their steps.
    pub changed: BTreeMap<usize, Record>,
    /// The steps whose claims may have been sent.
    claimed: BTreeSet<usize>,
}

impl Execution {
    /// Returns a note for each site that was released for a step, and that its client did not get
    /// because of this error, or may not have got. `givers` are those of the plan's sites.
    pub fn unclaimed_sites(
        &self,
        plan: &Plan,
        givers: &HashMap<String, usize>,
        index: usize,
        error: &Error,
    ) -> Vec<Detail> {
        let may_be_claimed = self.claimed.contains(&index) && error.has_unknown_outcome();
        let mut missing = plan.steps[index].gained("site_ids");
        if let Some(client) = self.changed.get(&index) {
            missing = &missing - &sites_of(client);
        }
        let mut notes = Vec::new();
        for site in missing {
            let Some(giver) = givers.get(&site) else {
                continue;
            };
            let is_certain = match (self.changed.get(giver), self.outcomes.rows.get(giver)) {
                (Some(client), _) if sites_of(client).contains(&site) => continue,
                (Some(_), _) | (None, Some(Ok(()))) => !may_be_claimed,
                (None, Some(Err(release))) if release.has_unknown_outcome() => false,
                _ => continue,
            };
            let from = plan.steps[*giver].id.as_deref().unwrap_or_default();
            notes.push(unclaimed_site(&site, from, is_certain));
        }
        notes
    }
}

/// Makes the changes of the plan, `concurrency` at the same time.
pub async fn execute_plan(writer: ClientWriter<'_>, plan: &Plan, concurrency: usize) -> Execution {
    let executor = Executor::new(writer, plan);
    let phases = executor.phases();
    let bulk = Bulk {
        context: writer.context,
        api: writer.api,
        plural: "changes",
        concurrency,
        stop_after_failures: None,
        max_unanswered: 10,
    };
    let outcomes = bulk.run(&phases, async |phase, rows: &[usize]| {
        let results = match plan.steps[rows[0]].action {
            Action::Delete => executor.delete(rows).await,
            _ => vec![executor.change(rows[0], phase).await],
        };
        let mut failed = executor.failed.borrow_mut();
        if phase <= RELEASES {
            for (row, result) in rows.iter().zip(&results) {
                failed.extend(result.as_ref().err().map(|error| (*row, error.clone())));
            }
        }
        results
    });
    let outcomes = outcomes.await;
    Execution {
        outcomes,
        ..executor.execution.into_inner()
    }
}

struct Executor<'e> {
    plan: &'e Plan,
    writer: ClientWriter<'e>,
    lock: SiteLock<'e>,
    /// The step that gives up each value of each of [`CLAIMED_FIELDS`].
    givers: [HashMap<String, usize>; 2],
    /// The sites that some client gains.
    gained_sites: BTreeSet<String>,
    /// The changes so far, without the outcomes.
    execution: RefCell<Execution>,
    /// Why steps did not give up what others gain.
    failed: RefCell<HashMap<usize, Error>>,
}

impl<'e> Executor<'e> {
    fn new(writer: ClientWriter<'e>, plan: &'e Plan) -> Self {
        let gained = plan.steps.iter().flat_map(|step| step.gained("site_ids"));
        Self {
            plan,
            writer,
            lock: SiteLock::new(writer.context),
            givers: CLAIMED_FIELDS.map(|field| plan.givers(field)),
            gained_sites: gained.collect(),
            execution: RefCell::default(),
            failed: RefCell::default(),
        }
    }

    fn phases(&self) -> [Vec<Job>; 3] {
        let mut deletions = Vec::new();
        let [mut changes, mut claims] = [const { Vec::new() }; 2];
        for (index, step) in self.plan.steps.iter().enumerate() {
            if step.action == Action::Delete {
                deletions.push(index);
            } else if step.action == Action::Unchanged {
                continue;
            } else if self.waits_for_a_change(index) {
                if !self.released_sites(index).is_empty() {
                    changes.push(vec![index]);
                }
                claims.push(vec![index]);
            } else {
                changes.push(vec![index]);
            }
        }
        let batches = deletions.chunks(MAX_IDS_PER_DELETION);
        [batches.map(<[usize]>::to_vec).collect(), changes, claims]
    }

    /// Returns the steps that give up what this step gains, each with the values.
    fn givers_of(&self, index: usize) -> BTreeMap<usize, Vec<String>> {
        let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (field, givers) in CLAIMED_FIELDS.iter().zip(&self.givers) {
            for value in self.plan.steps[index].gained(field) {
                if let Some(giver) = givers.get(&value) {
                    found.entry(*giver).or_default().push(value);
                }
            }
        }
        found
    }

    fn waits_for_a_change(&self, index: usize) -> bool {
        let givers = self.givers_of(index);
        let mut actions = givers.keys().map(|giver| self.plan.steps[*giver].action);
        actions.any(|action| action != Action::Delete)
    }

    /// Returns the sites that the client gives up and another client gains.
    fn released_sites(&self, index: usize) -> BTreeSet<String> {
        &self.plan.steps[index].given_up("site_ids") & &self.gained_sites
    }

    /// Deletes the clients of these steps. A missing client counts as deleted.
    async fn delete(&self, rows: &[usize]) -> Vec<Result<()>> {
        let ids = rows.iter().map(|row| self.plan.steps[*row].key.clone());
        let ids: Vec<String> = ids.collect();
        let results = self.writer.delete(&ids).await;
        let mut outcomes = Vec::new();
        for (id, result) in ids.iter().zip(results) {
            outcomes.push(match result {
                Err(error) if is_missing(&error, id) => Ok(()),
                result => result,
            });
        }
        outcomes
    }

    /// Makes the change of a step, or only the release if its other part comes later.
    async fn change(&self, index: usize, phase: usize) -> Result<()> {
        let step = &self.plan.steps[index];
        let mut fields = Map::new();
        if phase == RELEASES && self.waits_for_a_change(index) {
            let sites = step
                .client
                .as_ref()
                .and_then(|client| client.texts("site_ids"));
            let mut sites = sites.unwrap_or_default();
            let released = self.released_sites(index);
            sites.retain(|site| !released.contains(site));
            fields.insert("site_ids".into(), json!(sites));
        } else {
            for (giver, values) in self.givers_of(index) {
                if let Some(error) = self.failed.borrow().get(&giver) {
                    return Err(not_released(error, &self.plan.steps[giver].key, &values));
                }
            }
            fields = step.fields();
            self.execution.borrow_mut().claimed.insert(index);
        }
        let changed = match &step.id {
            Some(id) if fields.contains_key("site_ids") => {
                let _lock = self.lock.hold().await;
                // This run may have released some of them.
                let released = self.execution.borrow().changed.get(&index).cloned();
                let client = released.as_ref().or(step.client.as_ref());
                require_sites(self.writer, id, client).await?;
                update_sites(self.writer, id, client, &fields).await?
            }
            Some(id) => self.writer.update(id, &fields).await?,
            None => self.writer.create(&fields).await?,
        };
        let mut execution = self.execution.borrow_mut();
        execution.changed.insert(index, changed.client);
        changed.all_values_stored
    }
}
