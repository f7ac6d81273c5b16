//! Makes the changes of a plan, in three phases: the deletions; the changes that need nothing from
//! other clients of the plan, and releases of sites that others claim; the changes that claim them.

use crate::commands::bulk::{Bulk, Job, Outcomes};
use crate::commands::clients::changes::{ClientWriter, MAX_IDS_PER_DELETION, is_missing};
use crate::commands::clients::moving::{ClientSites, not_released};
use crate::commands::clients::plan::{Action, Plan};
use crate::commands::clients::site_lock::SiteLock;
use crate::error::{Error, Result};
use crate::resources::Record;
use serde_json::{Map, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    /// The sites of the client of each step.
    sites: Vec<ClientSites>,
    /// The step that releases each site.
    releasing_steps: HashMap<String, usize>,
}

impl Execution {
    /// Describes the sites that were released for a step and that its client did not get.
    pub fn released_sites(&self, plan: &Plan, index: usize) -> Vec<String> {
        let missing = self.sites[index].missing(&plan.steps[index].claimed_sites());
        let steps = missing
            .iter()
            .filter_map(|site| self.releasing_steps.get(site));
        let steps = BTreeSet::from_iter(steps).into_iter();
        steps
            .filter_map(|step| self.sites[*step].describe_release(&missing))
            .collect()
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
        for (row, result) in rows.iter().zip(&results) {
            failed.extend(result.as_ref().err().map(|error| (*row, error.clone())));
        }
        results
    });
    let outcomes = outcomes.await;
    Execution {
        outcomes,
        changed: executor.changed.into_inner(),
        sites: executor.sites,
        releasing_steps: executor.releasing_steps,
    }
}

struct Executor<'e> {
    plan: &'e Plan,
    writer: ClientWriter<'e>,
    lock: SiteLock<'e>,
    sites: Vec<ClientSites>,
    releasing_steps: HashMap<String, usize>,
    /// The sites that some client claims.
    claimed_sites: BTreeSet<String>,
    changed: RefCell<BTreeMap<usize, Record>>,
    /// The errors of the steps so far.
    failed: RefCell<HashMap<usize, Error>>,
}

impl<'e> Executor<'e> {
    fn new(writer: ClientWriter<'e>, plan: &'e Plan) -> Self {
        let steps = plan.steps.iter();
        let mut releasing_steps = HashMap::new();
        for (index, step) in steps.clone().enumerate() {
            let released = step.released_sites().into_iter();
            releasing_steps.extend(released.map(|site| (site, index)));
        }
        Self {
            plan,
            writer,
            lock: SiteLock::new(writer.context),
            sites: steps
                .clone()
                .map(|step| {
                    let id = step.id.as_deref().unwrap_or_default();
                    ClientSites::new(id, step.client.as_ref())
                })
                .collect(),
            releasing_steps,
            claimed_sites: steps.flat_map(|step| step.claimed_sites()).collect(),
            changed: RefCell::default(),
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
            } else if self.waits_for_release(index) {
                if !self.sites_for_others(index).is_empty() {
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

    /// Whether a step claims a site that an update of another client releases.
    fn waits_for_release(&self, index: usize) -> bool {
        let claimed = self.plan.steps[index].claimed_sites();
        let mut steps = claimed
            .iter()
            .filter_map(|site| self.releasing_steps.get(site));
        steps.any(|step| self.plan.steps[*step].action != Action::Delete)
    }

    /// Returns the sites that the client releases and another client claims.
    fn sites_for_others(&self, index: usize) -> BTreeSet<String> {
        &self.plan.steps[index].released_sites() & &self.claimed_sites
    }

    /// Deletes the clients of these steps. A missing client counts as deleted.
    async fn delete(&self, rows: &[usize]) -> Vec<Result<()>> {
        let ids = rows.iter().map(|row| self.plan.steps[*row].key.clone());
        let ids: Vec<String> = ids.collect();
        rows.iter()
            .for_each(|row| self.sites[*row].begin(BTreeSet::new()));
        let results = self.writer.delete(&ids).await;
        let mut outcomes = Vec::new();
        for ((row, id), result) in rows.iter().zip(&ids).zip(results) {
            let result = match result {
                Err(error) if is_missing(&error, id) => Ok(()),
                result => result,
            };
            self.sites[*row].end(result.as_ref().map(|()| None));
            outcomes.push(result);
        }
        outcomes
    }

    /// Makes the change of a step, or only the release if its other part comes later.
    async fn change(&self, index: usize, phase: usize) -> Result<()> {
        let step = &self.plan.steps[index];
        let sites = &self.sites[index];
        let mut fields = Map::new();
        if phase == RELEASES && self.waits_for_release(index) {
            let kept = step
                .client
                .as_ref()
                .and_then(|client| client.texts("site_ids"));
            let mut kept = kept.unwrap_or_default();
            let released = self.sites_for_others(index);
            kept.retain(|site| !released.contains(site));
            fields.insert("site_ids".into(), json!(kept));
        } else {
            for site in step.claimed_sites() {
                if let Some(step) = self.releasing_steps.get(&site)
                    && self.sites[*step].keeps(&site)
                    && let Some(error) = self.failed.borrow().get(step)
                {
                    return Err(not_released(error, &self.sites[*step].name, &site));
                }
            }
            fields = step.fields();
        }
        let changed = if step.id.is_none() {
            let created = self.writer.create(&fields).await;
            sites.end(created.as_ref().map(|created| Some(&created.client)));
            created?
        } else if fields.contains_key("site_ids") {
            let _lock = self.lock.hold().await;
            sites.update(self.writer, &fields).await?
        } else {
            sites.update(self.writer, &fields).await?
        };
        self.changed.borrow_mut().insert(index, changed.client);
        changed.all_values_stored
    }
}
