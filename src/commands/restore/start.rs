//! `sitectl restore start`. Everything is decided and confirmed once, and then written to the
//! journal as a run, before the first request that changes something.

use super::args::Args;
use super::check::{CheckedRestore, check_restores};
use super::choose::choose_scope;
use super::confirm::{Preview, announce_latest, announce_passed_over, last_restores};
use super::conflict::{Conflicts, look_up_sites};
use super::plan_file::{problems_of_rows, read_plan};
use super::report::RunReport;
use super::requested::{RequestedRestore, requested_restore, require_complete};
use super::resume::{continue_run, require_same_restores, site_in_run};
use super::send::RunCommand;
use crate::client::Api;
use crate::commands::consent::Confirmation;
use crate::commands::context::Context;
use crate::commands::sites::{AccountSites, choose_site};
use crate::config::process_user;
use crate::error::{Error, Kind, Result};
use crate::input::Document;
use crate::journal::{DecidedRestore, Journal, RunDetails, Runs};
use crate::output;
use crate::terminal::pluralize;
use jiff::Timestamp;

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    args.run.check_fields(context)?;
    let confirmation = context.confirmation(args.run.yes, &args.run.confirm)?;
    let request = requested_restore(args)?;
    let (document, requests) = match &args.plan {
        Some(file) => {
            let (document, requests) = read_plan(file, args, &request)?;
            (Some(document), requests)
        }
        None => {
            if !context.ui.may_prompt {
                // Missing parts cannot be prompted for.
                require_complete(context, args, &request)?;
            }
            (None, vec![request])
        }
    };
    let journal = context.journal()?;
    journal.read()?;
    // A run that has the key may have nothing left to send.
    if !args.run.dry_run && run_with_key(context, args, &journal.runs()).is_none() {
        let target = match (&document, requests.as_slice()) {
            (None, [request]) => format!("the live site {}", request.site),
            _ => pluralize(requests.len(), "live site"),
        };
        confirmation.require_person(&format!("Overwrite {target}"))?;
    }
    let starter = Starter {
        context,
        args,
        confirmation,
        api: context.api().await?,
        journal,
        document,
    };
    starter.start(requests).await
}

/// Starts the restores of one invocation.
struct Starter<'s> {
    context: &'s Context,
    args: &'s Args,
    confirmation: Confirmation<'s>,
    api: Api,
    journal: Journal,
    /// The plan; None for a single restore.
    document: Option<Document>,
}

impl Starter<'_> {
    async fn start(&self, mut requests: Vec<RequestedRestore>) -> Result<()> {
        let ui = &self.context.ui;
        // What another command sends after these lines is not part of the decision.
        let known_lines = self.journal.runs().lines;
        if let Some(document) = &self.document
            && requests.is_empty()
        {
            ui.note(&format!("nothing to start in {}", document.name));
            return output::print_result(&Vec::<()>::new(), &[], self.context.output_options());
        }
        let earlier_run = run_with_key(self.context, self.args, &self.journal.runs());
        if let Some(run_id) = earlier_run {
            return self.attach(run_id, &requests).await;
        }
        let sites = match requests.as_mut_slice() {
            [request] if request.site.is_empty() => {
                let sites = AccountSites::read(self.context, &self.api).await?;
                request.site = choose_site(self.context, &sites).await?;
                sites
            }
            requests => {
                let texts: Vec<&str> = requests.iter().map(|one| one.site.as_str()).collect();
                AccountSites::read_for(self.context, &self.api, &texts).await?
            }
        };
        let run = &self.args.run;
        let refuses_infected = run.yes && !run.dry_run && !self.args.force;
        let (context, api) = (self.context, &self.api);
        let results = check_restores(context, api, &sites, &requests, refuses_infected).await?;
        let mut checked = self.require_valid(results)?;
        self.refuse_conflicts(&checked).await?;
        if let [only] = checked.as_mut_slice()
            && requests[0].scope.is_none()
        {
            only.restore.scope = choose_scope(ui).await?;
        }
        for restore in &checked {
            match &self.document {
                None => announce_latest(ui, restore),
                Some(_) => announce_passed_over(ui, restore),
            }
        }
        let scanners = checked.iter().map(|one| one.scanner.clone()).collect();
        let restores: Vec<DecidedRestore> = checked.into_iter().map(|one| one.restore).collect();
        let preview = self.preview(&restores, scanners);
        if self.args.run.dry_run {
            return preview.print();
        }
        let details = self.run_details(&restores)?;
        let consent = preview.confirm().await?;
        let recorded = self
            .journal
            .record_run(details, restores.clone(), |runs| {
                self.refuse_changes(runs, &restores, known_lines)
            })
            .await;
        let run_id = match recorded {
            Ok(run_id) => run_id,
            Err(error) => {
                // Another process may have started a run with the key just now.
                let other_run = run_with_key(self.context, self.args, &self.journal.runs());
                let Some(run_id) = other_run else {
                    return Err(error);
                };
                return self.attach(run_id, &requests).await;
            }
        };
        let command = self.command(run_id);
        let indexes: Vec<usize> = (0..restores.len()).collect();
        let sent = command.send(&consent, &indexes).await?;
        let report = RunReport::new(&command, sent)?;
        let result = report.finish().await;
        result.map_err(|error| self.with_flags(error))
    }

    /// Names the flags that the problems of a single restore are about.
    fn with_flags(&self, error: Error) -> Error {
        match self.document {
            Some(_) => error,
            None => error.with_flags(|param| self.args.scope.flag_for_param(param)),
        }
    }

    fn preview<'p>(
        &'p self,
        restores: &'p [DecidedRestore],
        scanners: Vec<Option<String>>,
    ) -> Preview<'p> {
        let last_restores = last_restores(&self.context.ui, &self.journal.runs(), restores);
        Preview {
            context: self.context,
            confirmation: &self.confirmation,
            restores,
            is_plan: self.document.is_some(),
            prints_list: self.document.is_some(),
            last_restores,
            scanners,
        }
    }

    fn command(&self, run_id: String) -> RunCommand<'_> {
        RunCommand {
            context: self.context,
            api: &self.api,
            journal: &self.journal,
            args: &self.args.run,
            run_id,
            force: self.args.force,
            prints_list: self.document.is_some(),
        }
    }

    /// Continues and reports the run that has the idempotency key.
    async fn attach(&self, run_id: String, requests: &[RequestedRestore]) -> Result<()> {
        let command = self.command(run_id);
        let run = command.run()?;
        let time = self.context.ui.format_time(run.details.started_at);
        let announcement = format!("run {} of {time} has this key", run.id);
        self.context.ui.announce(&announcement);
        let sites = if requests
            .iter()
            .all(|request| site_in_run(&run, &request.site).is_some())
        {
            None
        } else {
            Some(AccountSites::read(self.context, &self.api).await?)
        };
        require_same_restores(&run, requests, sites.as_ref())?;
        // An older run is only reported.
        let may_send = run.is_recent();
        continue_run(&command, &self.confirmation, may_send).await
    }

    /// Returns the restores, if each of them can be started.
    ///
    /// # Errors
    /// `Invalid` with the problems of all rows of a plan; the error of a single restore.
    fn require_valid(&self, results: Vec<Result<CheckedRestore>>) -> Result<Vec<CheckedRestore>> {
        let Some(document) = &self.document else {
            let checked: Result<Vec<CheckedRestore>> = results.into_iter().collect();
            return checked.map_err(|error| self.with_flags(error));
        };
        document.refuse(problems_of_rows(document, &results))?;
        results.into_iter().collect()
    }

    /// Refuses restores because of earlier ones in the journal, unless `--force` is set. The tasks
    /// of running restores are looked up before.
    async fn refuse_conflicts(&self, checked: &[CheckedRestore]) -> Result<()> {
        let restores: Vec<DecidedRestore> = checked.iter().map(|one| one.restore.clone()).collect();
        let is_dry_run = self.args.run.dry_run;
        look_up_sites(&self.api, &self.journal, &restores, is_dry_run).await?;
        if self.args.force {
            return Ok(());
        }
        let runs = self.journal.runs();
        self.conflicts(&runs)
            .refuse(&restores, self.document.is_some())
    }

    fn conflicts<'c>(&'c self, runs: &'c Runs) -> Conflicts<'c> {
        Conflicts {
            context: self.context,
            runs,
            reason: self.args.reason.as_deref(),
            watch: self.args.run.watch,
        }
    }

    /// Refuses a run if the journal has changed since the restores were checked. `known_lines` is
    /// the number of its lines then.
    fn refuse_changes(
        &self,
        runs: &Runs,
        restores: &[DecidedRestore],
        known_lines: usize,
    ) -> Result<()> {
        if run_with_key(self.context, self.args, runs).is_some() {
            return Err(Error::new(Kind::Conflict, "another run has the same key"));
        }
        let conflicts = self.conflicts(runs);
        conflicts.refuse_newer(restores, known_lines)?;
        if self.args.force {
            return Ok(());
        }
        conflicts.refuse(restores, self.document.is_some())
    }

    /// Returns what the restores have in common, for the journal.
    ///
    /// # Errors
    /// `Invalid` if it would contain the API token.
    fn run_details(&self, restores: &[DecidedRestore]) -> Result<RunDetails> {
        let reason = self.args.reason.clone();
        let contains_token = |text: &str| self.api.contains_token(text);
        let key = self.args.idempotency_key.clone();
        let texts = [&reason, &key].into_iter().flatten().map(String::as_str);
        let scopes = restores.iter().map(|restore| restore.scope.get());
        if texts.chain(scopes).any(contains_token) {
            let message = "the reason, the key or the scope contains the API token, \
                           which the journal would keep";
            return Err(Error::new(Kind::Invalid, message)
                .with_hint("No changes were made. Remove the token."));
        }
        let env = &self.context.env;
        Ok(RunDetails {
            started_at: Timestamp::now(),
            user: env.user.clone().or_else(process_user),
            ci_url: env.ci_url.clone().filter(|url| !contains_token(url)),
            profile: self.context.settings.account.profile.clone(),
            base_url: self.context.base_url_for_display()?,
            reason,
            idempotency_key: key,
        })
    }
}

/// Returns the run of the account with the idempotency key of the command.
fn run_with_key(context: &Context, args: &Args, runs: &Runs) -> Option<String> {
    let key = args.idempotency_key.as_ref()?;
    let profile = &context.settings.account.profile;
    runs.of_service()
        .find(|run| {
            run.details.idempotency_key.as_ref() == Some(key) && run.details.profile == *profile
        })
        .map(|run| run.id.clone())
}
