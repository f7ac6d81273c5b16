//! `sitectl clients delete`.

use super::changes::{BATCH, Changes, MISSING, is_missing, not_deleted};
use super::lookup::{self, is_email, short_name};
use crate::client::{Api, NotDeleted};
use crate::commands::bulk::{self, Bulk, Job, Outcomes};
use crate::commands::consent::{ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::config::NameOf;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::read_text;
use crate::output;
use crate::resources::Clients;
use crate::terminal::pluralize;
use clap::ValueHint;
use serde::Serialize;
use std::collections::HashSet;

const USAGE: &str = "sitectl clients delete [OPTIONS] <CLIENT_ID|EMAIL>...
       sitectl clients delete [OPTIONS] --from-file <FILE|->";

const EXAMPLES: &str = "\
Examples:
  sitectl clients delete client-0060 --yes
  sitectl clients delete client-0058 client-0059 --yes --json
  sitectl clients list --search nobody -o ids | \\
    sitectl clients delete - --yes";

/// Delete clients.
///
/// Their sites remain, without a client.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct Args {
    /// Ids or emails; - reads stdin, one per line
    #[arg(value_name = "CLIENT_ID|EMAIL", required_unless_present = "from_file")]
    #[arg(value_parser = NameOf::<Clients>::non_empty())]
    clients: Vec<NameOf<Clients>>,
    /// Read ids or emails from a file, one per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from_file: Option<String>,
    /// Skip the confirmation.
    ///
    /// A protected profile also requires --confirm.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
    /// Ignore missing clients
    #[arg(long)]
    ignore_not_found: bool,
}

/// The result.
#[derive(Debug, Default, Serialize)]
struct Summary {
    deleted: Vec<String>,
    errors: Vec<NotDeleted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored: Option<Vec<String>>,
    requested: usize,
    succeeded: usize,
    failed: usize,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    let names = names(args)?;
    if names.is_empty() {
        context.ui.note("no clients specified; nothing to delete");
        return report(context, args, std::iter::empty(), None);
    }
    confirmation.require_person(&format!("Delete {}", clients(names.len())))?;
    let api = context.api().await?;
    let Targets {
        ids,
        shown,
        missing,
    } = match confirmation.prompts() || names.iter().any(|name| is_email(name)) {
        true => Targets::find(context, &api, names).await?,
        false => Targets {
            ids: names,
            ..Targets::default()
        },
    };
    // With clients that exist, the question would hide them.
    if confirmation.prompts() && !missing.is_empty() && !ids.is_empty() {
        context
            .ui
            .warn(&format!("not found: {}", missing.join(", ")));
    }
    let mut outcomes = Outcomes::default();
    if !ids.is_empty() {
        let question = confirmation.prompts().then(|| question(context, &shown));
        let consent = confirmation.ask(question.as_slice()).await?;
        outcomes = delete(
            Changes {
                context,
                api: &api,
                consent: &consent,
            },
            &ids,
        )
        .await;
    }
    let missing = missing
        .into_iter()
        .map(|id| (Err(not_deleted(&id, MISSING, "Client not found.")), id));
    let rows = outcomes.rows.into_values().zip(ids);
    report(
        context,
        args,
        missing.chain(rows),
        outcomes.stopped.as_ref(),
    )
}

/// The clients to delete.
#[derive(Default)]
struct Targets {
    /// Each once.
    ids: Vec<String>,
    /// Their names, if they are looked up.
    shown: Vec<String>,
    /// The ids and emails that no client has.
    missing: Vec<String>,
}

impl Targets {
    async fn find(context: &Context, api: &Api, names: Vec<String>) -> Result<Self> {
        let found = lookup::find_all(context, api, &names).await?;
        let (mut targets, mut seen) = (Self::default(), HashSet::new());
        for (name, client) in names.into_iter().zip(found) {
            let Some(client) = client else {
                targets.missing.push(name);
                continue;
            };
            let id = client.id().unwrap_or(name);
            if seen.insert(id.clone()) {
                targets.ids.push(id);
                targets.shown.push(short_name(&client));
            }
        }
        Ok(targets)
    }
}

/// Shows the names of several clients, and returns the question.
fn question(context: &Context, names: &[String]) -> Question {
    if let [name] = names {
        return Question::new(format!("Delete {name}"));
    }
    names.iter().for_each(|name| context.ui.detail(name));
    Question::new(format!("Delete {}", clients(names.len())))
}

async fn delete(changes: Changes<'_>, ids: &[String]) -> Outcomes<()> {
    let rows: Vec<usize> = (0..ids.len()).collect();
    let jobs: Vec<Job> = rows
        .chunks(BATCH)
        .map(|rows| Job {
            rows: rows.to_vec(),
            after: Vec::new(),
        })
        .collect();
    let (ui, plural) = (&changes.context.ui, "clients deleted");
    let bulk = Bulk {
        ui,
        api: changes.api,
        plural,
        concurrency: 1,
        stop_after_failures: None,
    };
    bulk.run(&jobs, |rows| changes.delete(&ids[rows[0]..][..rows.len()]))
        .await
}

/// Prints the outcome of each client.
fn report(
    context: &Context,
    args: &Args,
    outcomes: impl Iterator<Item = (Result<()>, String)>,
    stopped: Option<&Error>,
) -> Result<()> {
    let mut summary = Summary {
        ignored: args.ignore_not_found.then(Vec::new),
        ..Summary::default()
    };
    let mut errors = Vec::new();
    for (outcome, id) in outcomes {
        summary.requested += 1;
        match (outcome, &mut summary.ignored) {
            (Ok(()), _) => summary.deleted.push(id),
            (Err(error), Some(ignored)) if is_missing(&error, &id) => ignored.push(id),
            (Err(error), _) => {
                let code = error
                    .details
                    .first()
                    .map_or(error.kind.name(), |detail| &detail.code)
                    .to_string();
                summary.errors.push(NotDeleted {
                    id,
                    code,
                    message: error.message.clone(),
                });
                errors.push(error);
            }
        }
    }
    (summary.succeeded, summary.failed) = (summary.deleted.len(), summary.errors.len());
    let printed = output::print_result(&summary, &summary.deleted, context.output_options());
    let printed = printed.map_err(|error| {
        error.prefix_hint(&format!("{} deleted anyway", clients(summary.succeeded)))
    });
    verdict(&summary, &errors, stopped).map_or(printed, Err)
}

/// Returns the error of the command, if a client was not deleted.
fn verdict(summary: &Summary, errors: &[Error], stopped: Option<&Error>) -> Option<Error> {
    let kind = bulk::failure(
        &errors.iter().collect::<Vec<_>>(),
        summary.requested,
        stopped,
    )?;
    let not = match kind {
        Kind::Interrupted | Kind::UnknownOutcome => "with an unknown outcome",
        _ => "not deleted",
    };
    let mut details: Vec<Detail> = Vec::new();
    for (error, reported) in errors.iter().zip(&summary.errors) {
        // A request that failed failed for all of its clients.
        let own = error
            .details
            .is_empty()
            .then(|| Detail::new(&reported.code, "", &*error.message));
        details.extend(error.details.iter().cloned().chain(own));
    }
    details.dedup();
    let error = Error::new(
        kind,
        format!("{} of {} {not}", summary.failed, clients(summary.requested)),
    );
    let error = if kind == Kind::Interrupted {
        error.context("interrupted")
    } else {
        error
    }
    .with_details(details);
    let is_missing = errors.iter().all(|error| error.kind == Kind::NotFound);
    let missing =
        is_missing.then(|| "add --ignore-not-found to ignore missing clients".to_string());
    match errors
        .iter()
        .find_map(|error| error.hint.clone())
        .or(missing)
    {
        Some(hint) => Some(error.with_hint(hint)),
        None => Some(error),
    }
}

/// Returns the ids and emails, each once.
fn names(args: &Args) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let typed = || args.clients.iter().map(|name| &**name);
    let stdin = typed().filter(|name| *name == "-");
    for source in stdin.chain(args.from_file.as_deref()) {
        names.extend(
            read_text(source)?
                .0
                .lines()
                .map(|line| line.trim().to_string()),
        );
    }
    names.extend(typed().filter(|name| *name != "-").map(String::from));
    let mut seen = HashSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    Ok(names)
}

fn clients(number: usize) -> String {
    pluralize(number, "client")
}
