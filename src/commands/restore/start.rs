//! `sitectl restore start`. Everything is decided and confirmed once, and then written to the
//! journal as a run, before the first request that changes something.

use super::args::Args;
use super::check::{CheckedRestore, check_restores};
use super::choose::choose_scope;
use super::confirm::{Planned, Preview, announce_latest, announce_passed_over};
use super::conflict::{Conflicts, LookUpErrors, look_up};
use super::plan_file::PlanFile;
use super::requested::{Defaults, RequestedRestore, defaults, missing_scope, require_complete};
use super::resume::{require_same_restores, resume};
use super::row::is_of_site;
use super::send::Submission;
use crate::client::Api;
use crate::commands::consent::Confirmation;
use crate::commands::context::Context;
use crate::commands::sites::find::{AccountSites, choose_site};
use crate::config::process_user;
use crate::error::{Error, Kind, Result};
use crate::journal::{DecidedRestore, Journal, RestoreId, Run, RunDetails, Runs, current_time};
use crate::output;
use crate::resources::{Outcome, RESTORES};
use crate::terminal::pluralize;

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    context.output_options().check_fields(&RESTORES, &[])?;
    let confirmation = context.confirmation(args.run.yes, &args.run.confirm)?;
    let defaults = defaults(args)?;
    let plan = match &args.plan {
        Some(file) => Some(PlanFile::read(file, args, &defaults)?),
        None => None,
    };
    if !context.ui.may_choose() {
        // Missing parts cannot be prompted for.
        match &plan {
            None => require_complete(args, &defaults)?,
            Some(plan) if plan.lacks_scope() => return Err(missing_scope(args)),
            Some(_) => {}
        }
    }
    let journal = context.journal()?;
    journal.read()?;
    // A run that has the key may have nothing left to send.
    let has_run = run_with_key(context, args, &journal.runs()).is_some();
    if !args.run.dry_run && !has_run {
        let target = match &plan {
            None => format!(
                "the live site {}",
                args.site_id.as_deref().unwrap_or_default()
            ),
            Some(plan) => pluralize(plan.document.rows.len(), "live site"),
        };
        confirmation.require_person(&format!("Overwrite {target}"))?;
    }
    let starter = Starter {
        context,
        args,
        confirmation,
        api: context.api().await?,
        journal,
    };
    starter.start(plan, defaults).await
}

/// Starts the restores of one invocation.
struct Starter<'s> {
    context: &'s Context,
    args: &'s Args,
    confirmation: Confirmation<'s>,
    api: Api,
    journal: Journal,
}

impl Starter<'_> {
    async fn start(&self, mut plan: Option<PlanFile>, defaults: Defaults) -> Result<()> {
        let (context, api, args) = (self.context, &self.api, &self.args.run);
        let mut sites = None;
        let requests = match &mut plan {
            None => {
                let site = match self.args.site_id.as_deref() {
                    Some(text) => text.trim().into(),
                    None => {
                        let sites = sites.insert(AccountSites::read(context, api).await?);
                        choose_site(context, sites).await?
                    }
                };
                vec![RequestedRestore {
                    site,
                    snapshot: defaults.snapshot,
                    scope: defaults.scope,
                }]
            }
            Some(plan) if plan.document.rows.is_empty() => {
                plan.require_valid(Vec::new())?;
                context
                    .ui
                    .note(&format!("nothing to start in {}", plan.document.name));
                return output::print_list(&RESTORES, &[(); 0], context.output_options());
            }
            Some(plan) => {
                if plan.lacks_scope() {
                    let scope = choose_scope(&context.ui).await?;
                    for (_, request) in &mut plan.requests {
                        request.scope = Some(scope.clone());
                    }
                }
                plan.requests.iter().map(|(_, one)| one.clone()).collect()
            }
        };
        let earlier_run = run_with_key(context, self.args, &self.journal.runs()).cloned();
        if let Some(run) = earlier_run {
            return self.attach(&run, &requests).await;
        }
        let sites = match sites {
            Some(sites) => sites,
            None => {
                let texts: Vec<&str> = requests.iter().map(|one| one.site.as_str()).collect();
                AccountSites::read_for(context, api, &texts).await?
            }
        };
        let refuses_infected = args.yes && !args.dry_run && !self.args.force;
        let results = check_restores(context, api, &sites, &requests, refuses_infected).await?;
        let checked = match &plan {
            Some(plan) => plan.require_valid(results)?,
            None => {
                let checked: Result<Vec<CheckedRestore>> = results.into_iter().collect();
                let scope = &self.args.scope;
                checked.map_err(|error| error.with_flags(|param| scope.flag_for_param(param)))?
            }
        };
        let restores: Vec<DecidedRestore> = checked.iter().map(|one| one.restore.clone()).collect();
        let mut scopes = restores.iter().map(|restore| restore.scope.get());
        if scopes.any(|scope| api.contains_token(scope)) {
            let message = "the scope contains the API token, which the journal would keep";
            return Err(Error::new(Kind::Invalid, message)
                .with_hint("No changes were made. Remove the token."));
        }
        let last_restores = last_restores(&self.journal.runs(), &restores);
        let ids: Vec<RestoreId> = last_restores.iter().flatten().cloned().collect();
        let look_up_errors = look_up(api, &self.journal, &ids, args.dry_run).await?;
        let planned = self.plan(checked, &look_up_errors, plan.is_some())?;
        let details = self.run_details()?;
        let is_single = plan.is_none();
        let preview = Preview {
            context,
            confirmation: &self.confirmation,
            details: &details,
            restores: &planned,
            is_plan: !is_single,
            is_single,
        };
        if args.dry_run {
            return preview.print();
        }
        let consent = preview.confirm().await?;
        let recorded = self.journal.record_run(details, restores.clone(), |runs| {
            if run_with_key(context, self.args, runs).is_some() {
                return Err(Error::new(Kind::Conflict, "another run has the same key"));
            }
            if !self.args.force {
                let conflicts = self.conflicts(runs, &look_up_errors);
                conflicts.refuse(&restores, !is_single)?;
            }
            if last_restores != self::last_restores(runs, &restores) {
                let message = "another command has restored a site meanwhile";
                return Err(Error::new(Kind::Conflict, message));
            }
            Ok(())
        });
        let recorded = recorded.await;
        let run_id = match recorded {
            Ok(run_id) => run_id,
            Err(error) => {
                // Another process may have started a run with the key just now.
                let other_run = run_with_key(context, self.args, &self.journal.runs()).cloned();
                return match other_run {
                    Some(run) => self.attach(&run, &requests).await,
                    None => Err(error),
                };
            }
        };
        let command = Submission {
            context,
            api,
            journal: &self.journal,
            args,
            run_id,
            force: self.args.force,
            is_single,
            look_up_errors,
        };
        let selected = command.select()?;
        let indexes: Vec<usize> = (0..restores.len()).collect();
        let has_typed = self.confirmation.prompts();
        let result = command.send(&consent, selected, &indexes, has_typed).await;
        result.map_err(|error| {
            if is_single {
                error.with_flags(|param| self.args.scope.flag_for_param(param))
            } else {
                error
            }
        })
    }

    /// Continues and reports the run that has the idempotency key.
    async fn attach(&self, run: &Run, requests: &[RequestedRestore]) -> Result<()> {
        let ui = &self.context.ui;
        let time = ui.format_time(run.details.started_at);
        let announcement = format!("run {} of {time} has this key", run.id);
        if !run.is_recent() {
            let message = format!("{announcement}, and is older than 24 hours");
            return Err(Error::new(Kind::Conflict, message)
                .with_hint("use a new key for each run, such as the id of the pipeline"));
        }
        ui.announce(&announcement);
        let is_known = |request: &RequestedRestore| {
            let mut entries = run.entries();
            entries.any(|entry| is_of_site(&entry, &request.site))
        };
        let sites = if requests.iter().all(is_known) {
            None
        } else {
            Some(AccountSites::read(self.context, &self.api).await?)
        };
        require_same_restores(run, requests, sites.as_ref())?;
        let (api, journal, args) = (&self.api, &self.journal, &self.args.run);
        let is_single = self.args.plan.is_none();
        resume(
            self.context,
            api,
            journal,
            args,
            &self.confirmation,
            run,
            is_single,
        )
        .await
    }

    /// Returns the restores as they will be confirmed. Names the snapshots that `latest` stands
    /// for, and those that were passed over.
    ///
    /// # Errors
    /// `Conflict` if earlier restores prevent them, unless `--force` is set.
    fn plan(
        &self,
        checked: Vec<CheckedRestore>,
        look_up_errors: &LookUpErrors,
        is_plan: bool,
    ) -> Result<Vec<Planned>> {
        let ui = &self.context.ui;
        let runs = self.journal.runs();
        let conflicts = self.conflicts(&runs, look_up_errors);
        let mut errors = Vec::new();
        let mut planned = Vec::new();
        for one in checked {
            if is_plan {
                announce_passed_over(ui, &one);
            } else {
                announce_latest(ui, &one);
            }
            let mut notes = Vec::new();
            let forces = self.args.force;
            match conflicts.find(&one.restore, is_plan) {
                Some(error) if forces => {
                    notes.push(format!("--force overrides: {}", error.message))
                }
                Some(error) => errors.push(error),
                None => notes.extend(self.last_restore(&runs, &one.restore)),
            }
            let word = one.scanner.as_deref().unwrap_or_default();
            if one.is_infected && forces {
                notes.push(format!(
                    "--force overrides: the scanner calls the snapshot {word}"
                ));
            } else if one.is_infected {
                notes.push("an infected snapshot needs a typed answer, or --force".into());
            }
            planned.push(Planned {
                restore: one.restore,
                scanner: one.scanner,
                notes,
            });
        }
        Error::combine(errors).map_or(Ok(planned), Err)
    }

    /// Describes the last restore of the site, if it was sent in the last 24 hours.
    fn last_restore(&self, runs: &Runs, restore: &DecidedRestore) -> Option<String> {
        let last = runs.last_of_site(&restore.site_id)?;
        let last = Some(last).filter(|entry| entry.run.is_recent())?;
        let time = self.context.ui.format_time(last.started_at());
        let outcome = match last.outcome() {
            Outcome::Succeeded => "restored",
            outcome => outcome.name(),
        };
        Some(format!("{outcome} {time} by run {}", last.run.id))
    }

    fn conflicts<'c>(&'c self, runs: &'c Runs, look_up_errors: &'c LookUpErrors) -> Conflicts<'c> {
        Conflicts {
            context: self.context,
            runs,
            look_up_errors,
        }
    }

    /// Returns what the restores have in common, for the journal, which must not contain the token.
    fn run_details(&self) -> Result<RunDetails> {
        let env = &self.context.env;
        let masked = |text: &Option<String>| Some(self.context.ui.masked(text.as_deref()?));
        Ok(RunDetails {
            started_at: current_time(),
            user: env.user.clone().or_else(process_user),
            ci_url: masked(&env.ci_url),
            profile: self.context.settings.account.profile.clone(),
            base_url: self.context.service_name()?,
            reason: masked(&self.args.reason),
            idempotency_key: masked(&self.args.idempotency_key),
        })
    }
}

/// Returns the last restore of each site.
fn last_restores(runs: &Runs, restores: &[DecidedRestore]) -> Vec<Option<RestoreId>> {
    let sites = restores.iter().map(|one| &one.site_id);
    let last = sites.map(|site_id| runs.last_of_site(site_id));
    last.map(|entry| Some(entry?.id())).collect()
}

/// Returns the run of the account with the idempotency key of the command.
fn run_with_key<'r>(context: &Context, args: &Args, runs: &'r Runs) -> Option<&'r Run> {
    let key = context.ui.masked(args.idempotency_key.as_ref()?);
    let profile = &context.settings.account.profile;
    runs.of_service().find(|run| {
        run.details.idempotency_key.as_ref() == Some(&key) && run.details.profile == *profile
    })
}
