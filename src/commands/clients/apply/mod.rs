//! `sitectl clients apply`: makes the account's clients match a file.

mod addresses;
mod execute;
mod planner;
mod result;

use super::changes::ClientWriter;
use super::columns::APPLY_COLUMNS;
use super::plan::{Action, Plan};
use super::show::{action_counts, plan_lines, print_plan};
use crate::client::Consent;
use crate::commands::consent::{Confirmation, Question};
use crate::commands::context::Context;
use crate::commands::find_clients::AllClients;
use crate::commands::find_sites::AccountSites;
use crate::commands::up_to;
use crate::error::{Error, Hint, Kind, Result};
use crate::input::Document;
use crate::terminal::{pluralize, with_first_letter};
use addresses::find_addresses;
use clap::ValueHint;
use execute::{Execution, execute_plan};
use planner::{Comparison, PlanOptions, compare};
use result::ApplyResult;

/// The number of changes that are sent at the same time.
const DEFAULT_CONCURRENCY: usize = 8;

const EXAMPLES: &str = "\
Examples:
  sitectl clients list -o csv > clients.csv
  sitectl clients apply clients.csv --dry-run
  sitectl clients apply clients.csv

Columns: {columns}.

sitectl matches a row by its id or, without an id, by its email in any letter case. It creates a
client if no client has the email. Missing fields and empty CSV cells stay unchanged; with
--clear-empty, empty CSV cells clear optional fields.

site_ids is the complete list of a client's sites. In CSV, separate sites with semicolons; [] removes
all sites. In JSON, \"\" clears an optional text field.

sitectl deletes first, then releases sites, then assigns released ones. After an interruption or a
failure, run the same command again.";

/// Create and update clients from a file.
///
/// With --prune, sitectl also deletes the clients that are not in the file.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// CSV, JSON or NDJSON file; - reads stdin
    #[arg(value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    file: String,
    /// Print the plan without making changes
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    plan: PlanOptions,
    /// Set the number of concurrent changes
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CONCURRENCY)]
    #[arg(value_parser = up_to::<usize>(64))]
    concurrency: usize,
}

/// Returns the examples and notes with the names of the columns.
fn after_help() -> String {
    EXAMPLES.replace("{columns}", &APPLY_COLUMNS.names().join(", "))
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation_or_dry_run(args.dry_run)?;
    context.ui.reads_input(&args.file);
    let mut document = Document::read(&args.file, &APPLY_COLUMNS)?;
    if document.rows.is_empty() && document.problems.is_empty() && args.plan.prune {
        let name = &document.name;
        let message = format!("{name} has no rows: --prune would delete every client");
        return Err(Error::new(Kind::Invalid, message).with_hint(Hint::command(
            "specify the clients to delete",
            "clients delete CLIENT_ID",
        )));
    }
    let api = context.api().await?;
    api.begin_bulk();
    let counter = context.ui.counter("clients");
    let clients = counter
        .while_waiting(AllClients::read(&api))
        .await
        .map_err(Error::without_changes)?;
    let sites = find_addresses(context, &api, &mut document, &clients).await?;
    let plan = make_plan(context, &document, &clients, sites, args)?;
    if let Some(cells) = plan.ignored_cells() {
        context
            .ui
            .note(&format!("{cells}; --clear-empty clears the fields"));
    }
    if args.dry_run {
        return print_plan(context, &plan);
    }
    let mut execution = Execution::default();
    if plan.change_count() == 0 {
        let counts = action_counts(&plan);
        context.ui.note(&format!("nothing to change: {counts}"));
    } else {
        let consent = confirm(context, &confirmation, &plan, &document.name).await?;
        let writer = ClientWriter {
            context,
            api: &api,
            consent: &consent,
        };
        if confirmation.prompts() {
            let clients = AllClients::read(&api).await?;
            let current = compare(&document, &clients, plan.sites.as_ref(), args.plan);
            plan.require_unchanged(&document, &current.steps)?;
        }
        execution = execute_plan(writer, &plan, args.concurrency).await;
    }
    ApplyResult::new(context, &document, &plan, &execution).finish()
}

/// Returns the plan.
///
/// # Errors
/// `Invalid` with all problems in the order of the file, also those that depend on the account's
/// clients and sites.
fn make_plan(
    context: &Context,
    document: &Document,
    clients: &AllClients,
    sites: Option<AccountSites>,
    args: &Args,
) -> Result<Plan> {
    let Comparison {
        steps,
        problems: row_problems,
        ignored_columns,
    } = compare(document, clients, sites.as_ref(), args.plan);
    if !ignored_columns.is_empty() {
        let columns = ignored_columns.join(", ");
        context.ui.note(&format!("columns left out: {columns}"));
    }
    let mut problems = document.problems.clone();
    problems.extend(row_problems);
    problems.sort_by_key(|problem| problem.position);
    let details = problems.into_iter().map(|problem| problem.detail);
    document.refuse(details.collect())?;
    Ok(Plan { steps, sites })
}

/// Shows the plan and asks for confirmation. Deletions are a question of their own, which is
/// answered with their number.
async fn confirm(
    context: &Context,
    confirmation: &Confirmation<'_>,
    plan: &Plan,
    file: &str,
) -> Result<Consent> {
    let ui = &context.ui;
    let prompts = confirmation.prompts() && ui.may_prompt();
    if prompts || (context.output().is_for_people() && !ui.quiet) {
        for line in plan_lines(plan, ui.stderr_color) {
            ui.print_line(&line);
        }
    } else {
        let counts = action_counts(plan);
        ui.note(&format!("plan: {counts}"));
    }
    let mut questions = Vec::new();
    let deleted = plan.count(Action::Delete);
    if deleted > 0 {
        let question = format!("Delete {} (not in {file})", pluralize(deleted, "client"));
        questions.push(Question::typed(question, [&*deleted.to_string()]));
    }
    let mut changes = Vec::new();
    for (verb, action) in [("create", Action::Create), ("update", Action::Update)] {
        match plan.count(action) {
            0 => {}
            count => changes.push(format!("{verb} {}", pluralize(count, "client"))),
        }
    }
    if !changes.is_empty() {
        let question = with_first_letter(&changes.join(" and "), str::to_uppercase);
        questions.push(Question::new(question));
    }
    confirmation.ask(&questions).await
}
