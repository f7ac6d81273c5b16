//! The service, the journal and the account of one restore command.

use super::args::RunArgs;
use super::row::{observation_of, site_names};
use crate::client::{Api, MAX_REQUESTS_IN_FLIGHT, Task};
use crate::commands::consent::Confirmation;
use crate::commands::context::Context;
use crate::commands::find_sites::{AccountSites, fails_other_requests};
use crate::error::{Error, Hint, Kind, Result};
use crate::journal::{Entry, Journal, RestoreId, Run, Runs};
use crate::resources::{RESTORES, Record};
use futures_util::stream::{self, StreamExt};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use tokio::sync::OnceCell;

/// The service and the journal of one restore command.
pub struct Session<'s> {
    pub context: &'s Context,
    pub api: Api,
    pub journal: Journal,
    /// Identifies the account of the command in the journal.
    pub account: String,
    /// Whether the command writes nothing.
    is_dry_run: bool,
    /// All sites of the account, if the command has read their list.
    pub known_sites: OnceCell<AccountSites>,
    /// The tasks that the service has shown to this command.
    pub tasks: RefCell<HashMap<RestoreId, Record>>,
}

impl<'s> Session<'s> {
    /// Reads the journal, and prepares the requests.
    ///
    /// # Errors
    /// An error of the settings or the journal.
    pub async fn open(context: &'s Context) -> Result<Self> {
        let journal = context.journal()?;
        let api = context.api().await?;
        journal.read()?;
        Ok(Self {
            account: api.account_digest(&context.service_key()?),
            context,
            api,
            journal,
            is_dry_run: false,
            known_sites: OnceCell::new(),
            tasks: RefCell::default(),
        })
    }

    /// Prepares a command that sends restores of the journal: reads no input, and asks nothing.
    ///
    /// # Errors
    /// Those of [`Self::open`]; `Usage` for an unknown field, or if changes are turned off.
    pub async fn of_run(context: &'s Context, args: &RunArgs) -> Result<(Self, Confirmation<'s>)> {
        context.output().check_fields(&RESTORES, &[])?;
        let confirmation = context.confirmation_or_dry_run(args.dry_run)?;
        let session = Self::open(context).await?.with_dry_run(args.dry_run);
        Ok((session, confirmation))
    }

    /// Sets whether the command writes nothing.
    pub fn with_dry_run(self, is_dry_run: bool) -> Self {
        Self { is_dry_run, ..self }
    }

    /// Returns all sites of the account, whose list is read once.
    ///
    /// # Errors
    /// An error of the service.
    pub async fn sites(&self) -> Result<&AccountSites> {
        let read = || AccountSites::read(self.context, &self.api);
        self.known_sites.get_or_try_init(read).await
    }

    /// Whether a run was started with the address and the token of this command.
    pub fn owns(&self, run: &Run) -> bool {
        run.details.account.as_ref() == Some(&self.account)
    }

    /// Returns the run of the account with this idempotency key.
    pub fn run_with_key<'r>(&self, runs: &'r Runs, key: &str) -> Option<&'r Run> {
        let has_key = |run: &&Run| run.details.idempotency_key.as_deref() == Some(key);
        let mut of_account = runs.of_service().filter(|run| self.owns(run));
        of_account.find(has_key)
    }

    /// Requires access to a run that another token may have started: the service must show the
    /// sites of these restores to this token, and the tasks that are unfinished, or else the last
    /// task. Then the token was replaced, and the run belongs to this one from now on, if these are
    /// all its restores.
    ///
    /// # Errors
    /// `Conflict` with the account of the run; an error of the service.
    pub async fn require_access(&self, run: &Run, entries: &[Entry<'_>]) -> Result<()> {
        if self.owns(run) {
            return Ok(());
        }
        let refuse = |missing: &str| {
            let profile = run.details.profile.as_deref();
            let account =
                profile.map_or("another token".into(), |name| format!("profile '{name}'"));
            let run_id = &run.id;
            let message = format!(
                "run {run_id} was started with {account}, and the service does not show its \
                 {missing} to this token"
            );
            Error::new(Kind::Conflict, message).with_hint(Hint::command(
                "show the run, and use its account",
                format!("restore history --run {run_id}"),
            ))
        };
        let ids: Vec<&str> = entries
            .iter()
            .map(|entry| entry.decided().site_id.as_str())
            .collect();
        let sites = AccountSites::read_for(self.context, &self.api, &ids).await?;
        if let Some(id) = ids.iter().find(|id| sites.find(id).is_err()) {
            return Err(refuse(&format!("site {id}")));
        }
        let with_task = entries.iter().filter(|entry| entry.task_id().is_some());
        let mut tasks: Vec<&Entry<'_>> = with_task.collect();
        if tasks.iter().any(|entry| entry.outcome().is_unfinished()) {
            tasks.retain(|entry| entry.outcome().is_unfinished());
        } else {
            tasks.drain(..tasks.len().saturating_sub(1));
        }
        let mut shown = Vec::new();
        for entry in tasks {
            let task_id = entry.task_id().unwrap_or_default();
            let site = site_names(entry.decided());
            match self.api.task(task_id, Some(&site)).await {
                Ok(task) => shown.push((entry.id(), task)),
                Err(error) if error.kind == Kind::NotFound => {
                    return Err(refuse(&format!("task {task_id}")));
                }
                Err(error) => return Err(error),
            }
        }
        // Of a part of the run, the rest may belong to the other token.
        let is_complete = entries.len() == run.restores.len();
        if is_complete && !self.is_dry_run {
            let account = self.account.clone();
            self.journal
                .record_transfer(run.id.clone(), account)
                .await?;
        }
        for (id, task) in shown {
            self.record(id, task).await;
        }
        Ok(())
    }

    /// Records what a response shows of the task of a restore. A dry run only remembers it.
    async fn record(&self, id: RestoreId, task: Task) {
        let observation = observation_of(&task);
        self.tasks.borrow_mut().insert(id.clone(), task.record);
        if self.is_dry_run {
            self.journal.assume_observation(id, observation);
        } else {
            self.journal.record_observation(id, observation).await;
        }
    }

    /// Reads the tasks of these restores once, as far as they are unfinished and this command has not
    /// read them, and records what became of them. Returns why tasks could not be read.
    ///
    /// # Errors
    /// An error that would fail all other requests too.
    pub async fn refresh(&self, ids: &[RestoreId]) -> Result<HashMap<RestoreId, Error>> {
        let mut requests = Vec::new();
        let ids: HashSet<&RestoreId> = ids.iter().collect();
        for id in ids {
            let runs = self.journal.runs();
            let entry = runs.entry(id);
            let is_read = self.tasks.borrow().contains_key(id);
            let entry = entry.filter(|entry| entry.outcome().is_unfinished() && !is_read);
            let Some(entry) = entry else {
                continue;
            };
            let site = site_names(entry.decided());
            if let Some(task_id) = entry.task_id().map(String::from) {
                let api = &self.api;
                requests.push(async move { (id, api.task(&task_id, Some(&site)).await) });
            }
        }
        let mut errors = HashMap::new();
        let mut responses = stream::iter(requests).buffer_unordered(MAX_REQUESTS_IN_FLIGHT);
        while let Some((id, response)) = responses.next().await {
            match response {
                Ok(task) => self.record(id.clone(), task).await,
                Err(error) if fails_other_requests(&error) => return Err(error),
                Err(error) => drop(errors.insert(id.clone(), error)),
            }
        }
        Ok(errors)
    }
}

/// Records what a response shows of a task, if the journal has its restore. A run of another token
/// is left alone, unless the task names its site.
pub async fn record_task(context: &Context, api: &Api, task: &Task) {
    let Ok(journal) = context.journal() else {
        return;
    };
    let account = context
        .service_key()
        .map(|key| api.account_digest(&key))
        .ok();
    let id = journal.read().ok().and_then(|runs| {
        let entry = runs.of_task(&task.id)?;
        let is_own = entry.run.details.account == account
            || task.site_id.as_ref() == Some(&entry.decided().site_id);
        is_own.then(|| entry.id())
    });
    if let Some(id) = id {
        journal.record_observation(id, observation_of(task)).await;
        if let Err(error) = journal.write_rest().await {
            context.ui.warn(&error.message);
        }
    }
}
