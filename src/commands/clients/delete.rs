//! `sitectl clients delete`.

use super::changes::{self, UNREPORTED};
use super::count;
use super::who;
use crate::api::{Api, Deleted, NotDeleted};
use crate::context::Context;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::read_text;
use crate::output;
use serde::Serialize;
use std::collections::HashSet;

const EXAMPLES: &str = "\
Examples:
  sitectl clients delete client-0060 --yes
  sitectl clients delete client-0058 client-0059 --yes --json
  sitectl clients list --search nobody -o ids | sitectl clients delete - --yes";

/// Names shown when asking.
const MOST_NAMES: usize = 10;

/// Delete clients; their sites stay, and belong to no client.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Ids or emails, or - for a list on stdin, one a line
    #[arg(value_name = "CLIENT_ID|EMAIL", required_unless_present = "from_file")]
    clients: Vec<String>,
    /// A file of ids or emails, one a line
    #[arg(long, value_name = "FILE")]
    from_file: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// A client that does not exist is no error
    #[arg(long)]
    ignore_not_found: bool,
}

/// What is printed.
#[derive(Debug, Serialize)]
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
    let named = named(args)?;
    if named.is_empty() {
        context.ui.note("no clients named; nothing to delete");
        return print(context, &summarise(0, Deleted::default(), args.ignore_not_found));
    }
    if !args.yes && !context.ui.may_prompt() {
        context.ui.confirm(&format!("Delete {}?", clients(named.len())), "--yes")?;
    }
    let api = context.api()?;
    let mut done = Deleted::default();
    let ids = identify(&api, named, &mut done.errors).await?;
    let requested = ids.len() + done.errors.len();
    if !args.yes && !ids.is_empty() {
        show_names(context, &api, &ids).await?;
        context.ui.confirm(&format!("Delete {}?", clients(ids.len())), "--yes")?;
    }
    let stopped = changes::delete(&context.ui, &api, &ids, &mut done).await;
    let summary = summarise(requested, done, args.ignore_not_found);
    if let Err((0, error)) = stopped {
        return Err(error);
    }
    let done = format!("{} deleted all the same", clients(summary.succeeded));
    let printed = print(context, &summary).map_err(|error| error.or_hint(|| done));
    // What became of the clients is said also where stdout does not take it.
    stopped.map_err(|(_, error)| cut_short(error, &summary)).and_then(|()| verdict(&summary)).and(printed)
}

/// What stopped a deletion that had begun.
fn cut_short(error: Error, summary: &Summary) -> Error {
    let kind =
        if error.kind == Kind::UnknownOutcome || error.kind == Kind::Interrupted { error.kind } else { Kind::Partial };
    error.kind(kind).context(format!("{} of {} not deleted", summary.failed, clients(summary.requested)))
}

/// What was named, each once.
fn named(args: &Args) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let stdin = args.clients.iter().filter(|name| *name == "-");
    for source in stdin.chain(&args.from_file) {
        names.extend(read_text(source)?.0.lines().map(|line| line.trim().to_string()));
    }
    if args.clients.iter().any(|name| name.trim().is_empty()) {
        return Err(Error::usage("an id is empty").hint("a variable in the command line may be unset"));
    }
    names.extend(args.clients.iter().filter(|name| *name != "-").cloned());
    let mut seen = HashSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    Ok(names)
}

/// The ids that are meant; an email that is nobody's is an error of its own.
async fn identify(api: &Api, names: Vec<String>, errors: &mut Vec<NotDeleted>) -> Result<Vec<String>> {
    let (mut ids, mut seen) = (Vec::new(), HashSet::new());
    for (name, id) in who::ids(api, names).await? {
        match id {
            Some(id) if seen.insert(id.clone()) => ids.push(id),
            Some(_) => {}
            None => {
                let message = format!("there is no client with the email '{name}'");
                errors.push(NotDeleted { id: name, code: "not_found".into(), message });
            }
        }
    }
    Ok(ids)
}

/// Shows a person who is about to go: ids alone say little.
async fn show_names(context: &Context, api: &Api, ids: &[String]) -> Result<()> {
    for id in ids.iter().take(MOST_NAMES) {
        let name = match api.client(id).await {
            Ok(client) => [client.text("first_name"), client.text("last_name"), client.text("email")]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" "),
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

fn summarise(requested: usize, done: Deleted, ignore_not_found: bool) -> Summary {
    let (missing, errors): (Vec<_>, Vec<_>) =
        done.errors.into_iter().partition(|error| ignore_not_found && error.code == "not_found");
    Summary {
        requested,
        succeeded: done.ids.len(),
        failed: errors.len(),
        deleted: done.ids,
        errors,
        ignored: ignore_not_found.then(|| missing.into_iter().map(|error| error.id).collect()),
    }
}

fn print(context: &Context, summary: &Summary) -> Result<()> {
    output::result(summary, &summary.deleted, context.shape())
}

/// What the exit code says: some failed, or all, and then why.
fn verdict(summary: &Summary) -> Result<()> {
    if summary.errors.is_empty() {
        return Ok(());
    }
    let missing = summary.errors.iter().all(|error| error.code == "not_found");
    let kind = match () {
        () if summary.succeeded > 0 || summary.ignored.as_ref().is_some_and(|ignored| !ignored.is_empty()) => {
            Kind::Partial
        }
        () if missing => Kind::NotFound,
        () if summary.errors.iter().all(|error| error.code == UNREPORTED) => Kind::Unavailable,
        () => Kind::Invalid,
    };
    let details =
        summary.errors.iter().map(|error| Detail::new(&error.code, &error.id, error.message.clone())).collect();
    let error =
        Error::new(kind, format!("{} of {} not deleted", summary.failed, clients(summary.requested))).details(details);
    Err(if missing { error.hint("--ignore-not-found takes a missing client for deleted") } else { error })
}

fn clients(number: usize) -> String {
    count(number, "client")
}
