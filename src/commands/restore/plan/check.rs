//! Holds a plan against the service and the journal, whole, before anything starts.

use super::rows::{Wanted, doubles};
use super::snapshots::{Snapshots, Wrong};
use super::{Standing, Step};
use crate::commands::restore::choose::Choice;
use crate::commands::restore::launch::{Launcher, Order};
use crate::commands::restore::{LATEST, choose, guard};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::Document;
use crate::journal::Entry;
use crate::ui::{count, stopped};
use std::collections::HashMap;

/// The rows, each with what is to be done about it.
///
/// # Errors
/// `Invalid` with every problem at once; else where the service or the journal cannot be read.
pub async fn steps(launcher: &Launcher<'_>, document: &Document, wanted: Vec<Wanted>) -> Result<Vec<Step>> {
    tokio::select! {
        biased;
        steps = look(launcher, document, wanted) => steps.map_err(unstarted),
        () = stopped() => Err(Error::new(Kind::Interrupted, "interrupted; nothing was started")),
    }
}

fn unstarted(error: Error) -> Error {
    if error.kind == Kind::Invalid { error } else { error.context("nothing was started") }
}

async fn look(launcher: &Launcher<'_>, document: &Document, wanted: Vec<Wanted>) -> Result<Vec<Step>> {
    let wanted = with_ids(launcher, document, wanted).await?;
    let service = launcher.context.service_name()?;
    let mut check = Check { launcher, service, entries: Vec::new(), blocked: HashMap::new() };
    check.refresh(&wanted).await?;
    let rows = wanted.iter().map(|wanted| check.row(wanted)).collect::<Result<Vec<Row>>>()?;
    check.guard(&rows);
    let snapshots = check.snapshots(&rows).await?;
    let mut problems = Vec::new();
    let steps = rows.into_iter().map(|row| check.step(document, &snapshots, row, &mut problems)).collect();
    document.refuse(problems)?;
    if let Some((sites, why)) = snapshots.unread() {
        let sites = count(sites, "site");
        launcher.context.ui.warn(&format!("the snapshots of {sites} could not be checked before the start: {why}"));
    }
    Ok(steps)
}

/// The rows with the ids of their sites in place of their URLs.
async fn with_ids(launcher: &Launcher<'_>, document: &Document, mut wanted: Vec<Wanted>) -> Result<Vec<Wanted>> {
    let texts: Vec<&str> = wanted.iter().map(|wanted| wanted.site.as_str()).collect();
    let sites = choose::sites_named(launcher.context, launcher.api, &texts).await?;
    let mut problems = Vec::new();
    for (wanted, site) in wanted.iter_mut().zip(sites) {
        match site {
            Ok(site) => wanted.site = site.id,
            Err(error) => {
                let row = &document.rows[wanted.row];
                problems.push(document.detail(row, "site_id", "invalid_id", error.message.clone()));
            }
        }
    }
    problems.extend(doubles(document, wanted.iter().map(|wanted| (wanted.row, wanted.site.as_str()))));
    document.refuse(problems).map(|()| wanted)
}

/// A row, and the restore that this plan has started for it.
struct Row {
    number: usize,
    /// What it asks for; its snapshot may yet be `latest`.
    order: Order,
    what: String,
    started: Option<Entry>,
}

impl Row {
    /// Whether its snapshot has yet to be looked at.
    fn is_unsure(&self) -> bool {
        self.started.is_none() || self.order.latest
    }
}

struct Check<'c> {
    launcher: &'c Launcher<'c>,
    service: String,
    entries: Vec<Entry>,
    /// The sites whose last restore may still be at work.
    blocked: HashMap<String, Error>,
}

impl Check<'_> {
    fn row(&self, wanted: &Wanted) -> Result<Row> {
        let Wanted { row, site, snapshot, selection } = wanted;
        let (site_id, snapshot_id, latest) = (site.clone(), snapshot.clone(), snapshot == LATEST);
        let order = Order { site_id, snapshot_id, latest, scope: selection.scope()? };
        let plan = self.launcher.plan.as_ref().filter(|_| !self.launcher.force);
        let started = plan.and_then(|plan| guard::started(&self.entries, &self.service, plan, &order));
        Ok(Row { number: *row, order, what: selection.describe(), started: started.cloned() })
    }

    /// Brings up to date what the journal knows of these sites.
    async fn refresh(&mut self, wanted: &[Wanted]) -> Result<()> {
        let Launcher { api, journal, force, .. } = self.launcher;
        if !force {
            let sites: Vec<&str> = wanted.iter().map(|wanted| &*wanted.site).collect();
            guard::refresh(api, journal, &self.service, &sites).await?;
        }
        self.entries = journal.entries()?;
        Ok(())
    }

    /// Finds the sites whose last restore may still be at work.
    fn guard(&mut self, rows: &[Row]) {
        let Launcher { context, force, .. } = self.launcher;
        for row in rows.iter().filter(|row| row.started.is_none() && !force) {
            let site = &row.order.site_id;
            if let Err(error) = guard::permit(&context.program(), &self.entries, &self.service, site) {
                self.blocked.insert(site.clone(), error);
            }
        }
    }

    /// What there is to know of the snapshots; which one is the latest has to be known.
    async fn snapshots(&self, rows: &[Row]) -> Result<Snapshots> {
        let unsure = rows.iter().filter(|row| row.is_unsure() && !self.blocked.contains_key(&row.order.site_id));
        let sites = unsure.map(|row| row.order.site_id.as_str()).collect();
        let snapshots = Snapshots::read(self.launcher.context, self.launcher.api, sites).await?;
        let mut latest = rows.iter().filter(|row| row.order.latest && row.started.is_none());
        latest.try_for_each(|row| snapshots.require(&row.order.site_id)).map(|()| snapshots)
    }

    fn step(&mut self, document: &Document, snapshots: &Snapshots, row: Row, problems: &mut Vec<Detail>) -> Step {
        let Row { number, order, what, started } = row;
        let unchecked = || Choice { id: order.snapshot_id.clone(), taken_at: None };
        let (found, standing) = match (started, self.blocked.remove(&order.site_id)) {
            (Some(entry), _) => started_before(entry, &order, snapshots),
            (None, Some(error)) => (unchecked(), Standing::Blocked(error)),
            (None, None) => {
                let wrong = |(field, code, message): Wrong| {
                    problems.push(document.detail(&document.rows[number], field, code, message));
                    unchecked()
                };
                (snapshots.find(&order.site_id, &order.snapshot_id).unwrap_or_else(wrong), Standing::Start)
            }
        };
        let order = Order { snapshot_id: found.id, ..order };
        let standing = if let Standing::Start = standing { self.known(&order) } else { standing };
        Step { row: number, order, what, taken_at: found.taken_at, standing }
    }

    /// What is known of an order whose snapshot has been found.
    fn known(&self, order: &Order) -> Standing {
        let Some(plan) = self.launcher.plan.as_ref().filter(|_| !self.launcher.force) else { return Standing::Start };
        match guard::started(&self.entries, &self.service, plan, order) {
            Some(entry) => Standing::Started(Box::new(entry.clone())),
            None => guard::permit_anew(&self.entries, &self.service, plan, order)
                .map_or_else(Standing::Blocked, |()| Standing::Start),
        }
    }
}

/// What was started stays started, unless `latest` means another snapshot now.
fn started_before(entry: Entry, order: &Order, snapshots: &Snapshots) -> (Choice, Standing) {
    let intent = &entry.intent;
    let newest = snapshots.find(&order.site_id, LATEST).ok().filter(|_| order.latest);
    let found = newest.unwrap_or_else(|| Choice { id: intent.snapshot_id.clone(), taken_at: None });
    let standing = match found.id == intent.snapshot_id {
        true => Standing::Started(Box::new(entry)),
        false => Standing::Blocked(newer(&entry, &found.id)),
    };
    (found, standing)
}

/// Restoring again could lose what was done since; leaving it out could be taken for done.
fn newer(entry: &Entry, id: &str) -> Error {
    let intent = &entry.intent;
    Error::new(
        Kind::Conflict,
        format!(
            "this plan restored {} from its latest snapshot, then {}, at {:.0}; the latest is {id} now",
            intent.site_id, intent.snapshot_id, intent.started_at
        ),
    )
    .hint("name the snapshot that is meant, or start it again with --force")
}
