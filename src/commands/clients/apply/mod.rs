//! `sitectl clients apply`: makes the account's clients match a file.

mod execute;
mod order;
mod plan;
mod report;
mod rows;
mod show;
mod sites;

use super::changes::Changes;
use super::columns;
use super::lookup::AllClients;
use crate::client::{Api, Consent, IN_FLIGHT};
use crate::commands::bulk::Outcomes;
use crate::commands::consent::{Asking, ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::config::{Format, number};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat};
use crate::output;
use crate::terminal::count;
use execute::execute;
use plan::{Action, Plan, compare, swapped_emails};
use rows::{ClientRow, Problem};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sitectl clients list -o csv > clients.csv
  sitectl clients apply clients.csv --dry-run
  sitectl clients apply clients.csv --yes --skip-invalid \\
    --failed-to failed.csv

Columns: id, first_name, last_name, email, company_name, address, note, site_ids.

sitectl matches a row by its id, or by its email in any letter case. It creates a client if no client
has the email. Missing fields and empty CSV cells stay unchanged.

site_ids is the complete list of a client's sites. In CSV, separate sites with semicolons; [] removes
all sites. To clear a note or an address, use JSON or YAML with \"\".

To resume after an interruption, run the same command again.";

/// Create and update clients from a file.
///
/// With --prune, sitectl also deletes the clients that are not in the file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// CSV, JSON, NDJSON or YAML file; - reads stdin
    #[arg(value_name = "FILE|-")]
    file: String,
    /// Set the file format [default: from name or content]
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    input_format: Option<InputFormat>,
    /// Print the plan without making changes
    #[arg(long)]
    dry_run: bool,
    /// Delete clients that are not in the file.
    ///
    /// If the input is incomplete, sitectl deletes the missing clients.
    #[arg(long)]
    prune: bool,
    /// Skip rows with errors and apply the others.
    ///
    /// The exit code is then 9. --failed-to keeps the rows.
    #[arg(long, conflicts_with = "prune")]
    skip_invalid: bool,
    /// Show each change of a long plan
    #[arg(long)]
    details: bool,
    /// Skip the confirmation.
    ///
    /// A protected profile also requires --confirm.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
    /// Write failed rows to this file.
    ///
    /// sitectl replaces an existing file, and uses the format of the input.
    #[arg(long, value_name = "FILE")]
    failed_to: Option<PathBuf>,
    /// Set the number of concurrent changes
    #[arg(long, value_name = "N", default_value_t = IN_FLIGHT as u16, value_parser = number::within(1_u16..=64))]
    concurrency: u16,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let document = Document::read(&args.file, args.input_format, &columns::MANY)?;
    let (rows, problems) = rows::read(&document);
    if rows.is_empty() && problems.is_empty() && args.prune {
        let message = format!("{} has no rows: --prune would delete every client", document.name);
        return Err(Error::new(Kind::Invalid, message).hint(format!(
            "No changes were made. Specify the clients to delete: {} clients delete CLIENT_ID",
            context.program()
        )));
    }
    let failed_rows = args.failed_to.as_deref().map(|path| FailedRows::new(path, &args.file)).transpose()?;
    let account = read_account(context).await;
    let (api, clients) = match account {
        Err(error) if problems.is_empty() || error.kind == Kind::Interrupted => return Err(error),
        Err(_) => return Err(refusal(&document, problems)),
        Ok(account) => account,
    };
    let listed = sites::listed(&api, &rows, &clients).await;
    let plan = plan(&document, rows, &clients, listed.as_ref(), problems, args)?;
    if args.dry_run {
        print_plan(context, &plan, args.details)?;
        return report::skipped(&document, &plan);
    }
    let outcomes = if plan.changes() > 0 {
        let consent = confirm(context, &asking, &plan, args, &document.name).await?;
        execute(Changes { context, api: &api, consent: &consent }, &plan, args.concurrency.into()).await
    } else {
        context.ui.note(&format!("nothing to change: {}", show::counts(&plan)));
        Outcomes { rows: BTreeMap::new(), stopped: None }
    };
    report::report(context, &document, &plan, &outcomes, failed_rows.as_ref())
}

async fn read_account(context: &Context) -> Result<(Api, AllClients)> {
    let api = context.api().await?;
    let counter = context.ui.counter("clients", false);
    let clients = counter.while_waiting(AllClients::read(&api)).await;
    let clients = clients.map_err(|error| match error.kind {
        Kind::Incomplete => error.hint("No changes were made. Retry when the list stops changing."),
        _ => error.or_hint(|| "No changes were made.".into()),
    })?;
    Ok((api, clients))
}

/// Returns the plan. With `--skip-invalid`, rows with problems are left out, until the others have none.
///
/// # Errors
/// `Invalid` with all problems: these, and those that need the clients and sites of the account.
fn plan(
    document: &Document,
    mut rows: Vec<ClientRow>,
    clients: &AllClients,
    listed: Option<&HashSet<String>>,
    mut problems: Vec<Problem>,
    args: &Args,
) -> Result<Plan> {
    let mut skipped: BTreeMap<usize, Vec<Detail>> = BTreeMap::new();
    loop {
        let (steps, more) = compare(document, &rows, clients, args.prune);
        problems.extend(more);
        problems.extend(sites::problems(document, &rows, &steps, clients, listed));
        let tasks = order::tasks(&steps).unwrap_or_else(|stuck| {
            problems.extend(swapped_emails(document, &steps, &stuck));
            Vec::new()
        });
        if problems.is_empty() {
            return Ok(Plan { steps, tasks, skipped });
        }
        if !args.skip_invalid || problems.iter().any(|(row, _)| row.is_none()) {
            return Err(refusal(document, problems));
        }
        for (row, problem) in problems.drain(..) {
            row.into_iter().for_each(|row| skipped.entry(row).or_default().push(problem.clone()));
        }
        rows.retain(|row| !skipped.contains_key(&row.number));
    }
}

/// Returns the error of a file with these problems, in the order of the file.
fn refusal(document: &Document, mut problems: Vec<Problem>) -> Error {
    problems.sort_by_key(|(row, _)| row.and_then(|row| document.position(row)));
    document.refusal(problems.into_iter().map(|(_, detail)| detail).collect())
}

/// Prints the plan: lines for people, a list for programs.
fn print_plan(context: &Context, plan: &Plan, details: bool) -> Result<()> {
    if context.settings.format == Format::Table {
        let lines = show::lines(plan, details, context.ui.stdout_color);
        return output::write(&lines.into_iter().map(|line| line + "\n").collect::<String>());
    }
    let ids: Vec<String> =
        plan.steps.iter().filter(|step| step.action != Action::Unchanged).filter_map(|step| step.id.clone()).collect();
    output::result(&plan.steps, &ids, context.shape())
}

/// Shows the plan and asks; deletions are a question of their own.
async fn confirm(context: &Context, asking: &Asking<'_>, plan: &Plan, args: &Args, file: &str) -> Result<Consent> {
    let asked = asking.asks() && context.ui.may_prompt;
    if asked || (context.settings.format == Format::Table && !context.ui.quiet) {
        show::lines(plan, args.details, context.ui.stderr_color).iter().for_each(|line| context.ui.say(line));
    } else {
        context.ui.note(&format!("plan: {}", show::counts(plan)));
    }
    asking.ask(&questions(plan, file)).await
}

fn questions(plan: &Plan, file: &str) -> Vec<Question> {
    let deleted = plan.count(Action::Delete);
    let delete = || format!("Delete {} (not in {file})", count(deleted, "client"));
    let delete = (deleted > 0).then(|| Question::typed(delete(), deleted.to_string()));
    let change = match (plan.count(Action::Create), plan.count(Action::Update)) {
        (0, 0) => None,
        (created, 0) => Some(format!("Create {}", count(created, "client"))),
        (0, updated) => Some(format!("Update {}", count(updated, "client"))),
        (created, updated) => Some(format!("Create {created} and update {}", count(updated, "client"))),
    };
    delete.into_iter().chain(change.map(Question::new)).collect()
}
