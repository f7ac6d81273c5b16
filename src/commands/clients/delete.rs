//! `sitectl clients delete`.

use super::changes::{BATCH, Changes, Deletion};
use super::lookup::{self, full_name};
use crate::client::{Api, NotDeleted};
use crate::commands::bulk::{self, Bulk, Job, Outcome, Outcomes};
use crate::commands::consent::{Asking, ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::error::{Detail, Error, Kind, Result, UNSET};
use crate::input::read_text;
use crate::output;
use crate::terminal::count;
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

/// Names shown when asking.
const MOST_NAMES: usize = 10;

/// Delete clients; their sites stay, and belong to no client.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct Args {
    /// Ids or emails, or - for a list on stdin, one a line
    #[arg(value_name = "CLIENT_ID|EMAIL", required_unless_present = "from_file")]
    clients: Vec<String>,
    /// A file of ids or emails, one a line
    #[arg(long, value_name = "FILE")]
    from_file: Option<String>,
    /// Do not ask; a protected profile still asks for its name
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
    /// A client that does not exist is no error
    #[arg(long)]
    ignore_not_found: bool,
}

/// What is printed.
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
    let asking = context.asking(args.yes, &args.confirm)?;
    let names = names(args)?;
    if names.is_empty() {
        context.ui.note("no clients named; nothing to delete");
        let ignored = args.ignore_not_found.then(Vec::new);
        return output::result(&Summary { ignored, ..Summary::default() }, &[], context.shape());
    }
    asking.require_person(&format!("Delete {}", clients(names.len())))?;
    let api = context.api()?;
    let mut seen = HashSet::new();
    let found = lookup::ids(&api, names).await?.into_iter();
    let (missing, found): (Vec<_>, Vec<_>) = found.partition(|(_, id)| id.is_none());
    let ids: Vec<String> = found.into_iter().filter_map(|(_, id)| id).filter(|id| seen.insert(id.clone())).collect();
    let Outcomes { rows, stopped } = delete(context, &api, &asking, &ids).await?;
    let missing = missing.into_iter().map(|(email, _)| {
        let message = format!("there is no client with the email '{email}'");
        (email, Outcome::Done(Deletion::Missing(message)))
    });
    report(context, args, missing.chain(ids.into_iter().zip(rows.into_iter().flatten())), stopped.as_ref())
}

/// Asks, and deletes them.
async fn delete(context: &Context, api: &Api, asking: &Asking<'_>, ids: &[String]) -> Result<Outcomes<Deletion>> {
    if ids.is_empty() {
        return Ok(Outcomes { rows: Vec::new(), stopped: None });
    }
    if asking.asks() {
        show_names(context, api, ids).await?;
    }
    let consent = asking.ask(&[Question::new(format!("Delete {}", clients(ids.len())))]).await?;
    let changes = Changes { ui: &context.ui, api, consent: &consent };
    let batches: Vec<&[String]> = ids.chunks(BATCH).collect();
    let rows: Vec<usize> = (0..ids.len()).collect();
    let jobs: Vec<Job> = rows.chunks(BATCH).map(|rows| Job { rows: rows.to_vec(), after: Vec::new() }).collect();
    let bulk = Bulk { ui: &context.ui, api, plural: "clients deleted", concurrency: 1, stop_after_failures: None };
    let start = |batch: usize, _: &[Option<Outcome<_>>]| changes.delete(batches[batch]);
    Ok(bulk.run(&jobs, ids.len(), start).await)
}

/// Prints what became of each client.
fn report(
    context: &Context,
    args: &Args,
    outcomes: impl Iterator<Item = (String, Outcome<Deletion>)>,
    stopped: Option<&Error>,
) -> Result<()> {
    let mut summary = Summary { ignored: args.ignore_not_found.then(Vec::new), ..Summary::default() };
    let (mut failed, mut not_sent) = (Vec::new(), 0);
    for (id, outcome) in outcomes {
        summary.requested += 1;
        let (code, error) = match (outcome, &mut summary.ignored) {
            (Outcome::Done(Deletion::Gone), _) => {
                summary.deleted.push(id);
                continue;
            }
            (Outcome::Done(Deletion::Missing(_)), Some(ignored)) => {
                ignored.push(id);
                continue;
            }
            (Outcome::Done(Deletion::Missing(message)), None) => ("not_found", Error::new(Kind::NotFound, message)),
            (Outcome::Failed(error), _) => (error.kind.name(), error),
            (Outcome::NotSent(error), _) => {
                not_sent += 1;
                ("not_sent", error)
            }
        };
        let code = error.details.first().map_or(code, |detail| &detail.code).to_string();
        summary.errors.push(NotDeleted { id, code, message: error.message.clone() });
        failed.push(error);
    }
    (summary.succeeded, summary.failed) = (summary.deleted.len(), summary.errors.len());
    let printed = output::result(&summary, &summary.deleted, context.shape());
    let printed =
        printed.map_err(|error| error.hint_first(&format!("{} deleted all the same", clients(summary.succeeded))));
    let errors: Vec<&Error> = failed.iter().collect();
    let Some(kind) = bulk::failure(&errors, summary.requested, stopped) else { return printed };
    let mut details = Vec::new();
    for (error, NotDeleted { id, code, message }) in
        errors.iter().zip(&summary.errors).filter(|(_, error)| error.code != "not_sent")
    {
        match error.details.is_empty() {
            // All clients of a lost request are in doubt alike.
            true if error.kind == Kind::UnknownOutcome || error.in_flight => {
                details.push(Detail::new(code, "", message.clone()));
            }
            true => details.push(Detail::new(code, id, message.clone())),
            false => details.extend(error.details.iter().cloned()),
        }
    }
    details.dedup();
    if not_sent > 0 {
        details.push(Detail::new("", "", format!("{} not sent, after this", clients(not_sent))));
    }
    let hint = errors.iter().find_map(|error| error.hint.clone()).unwrap_or_else(|| {
        match errors.iter().all(|error| error.kind == Kind::NotFound) {
            true => "--ignore-not-found takes a missing client for deleted".into(),
            false => {
                "mend what is named above and run it again; --ignore-not-found passes over those that are gone".into()
            }
        }
    });
    let all = clients(summary.requested);
    let error = match kind {
        Kind::Interrupted => {
            Error::new(kind, format!("interrupted: {} of {all} not confirmed as deleted", summary.failed))
        }
        Kind::UnknownOutcome => Error::new(kind, format!("{} of {all} not confirmed as deleted", summary.failed)),
        _ => Error::new(kind, format!("{} of {all} not deleted", summary.failed)),
    };
    Err(error.details(details).hint(hint))
}

/// Returns what was named, each once.
fn names(args: &Args) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let stdin = args.clients.iter().filter(|name| *name == "-");
    for source in stdin.chain(&args.from_file) {
        names.extend(read_text(source)?.0.lines().map(|line| line.trim().to_string()));
    }
    if args.clients.iter().any(|name| name.trim().is_empty()) {
        return Err(Error::usage("an id is empty").hint(UNSET));
    }
    names.extend(args.clients.iter().filter(|name| *name != "-").cloned());
    let mut seen = HashSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    Ok(names)
}

/// Shows whose ids these are.
async fn show_names(context: &Context, api: &Api, ids: &[String]) -> Result<()> {
    for id in ids.iter().take(MOST_NAMES) {
        let name = match api.client(id).await {
            Ok(client) => full_name(&client),
            Err(error) if error.kind == Kind::NotFound => "does not exist".into(),
            Err(error) => return Err(error),
        };
        context.ui.detail(&format!("{id}  {name}"));
    }
    if ids.len() > MOST_NAMES {
        context.ui.detail(&format!("and {} more", ids.len() - MOST_NAMES));
    }
    Ok(())
}

fn clients(number: usize) -> String {
    count(number, "client")
}
