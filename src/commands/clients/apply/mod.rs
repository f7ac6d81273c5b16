//! `sitectl clients apply`: makes the account's clients match a file.

mod claims;
mod execute;
mod planner;
mod result;

use super::changes::ClientWriter;
use super::columns::APPLY_COLUMNS;
use super::lookup::AllClients;
use super::plan::{Action, Plan, SkippedRow};
use super::show::{action_counts, plan_lines, print_plan, skipped_lines};
use crate::client::Consent;
use crate::commands::consent::{ConfirmArgs, Confirmation, Question};
use crate::commands::context::Context;
use crate::commands::sites::find::AccountSites;
use crate::commands::up_to;
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat, Problem};
use crate::resources::Record;
use crate::terminal::pluralize;
use claims::{claim_problems, find_site_addresses, has_site_addresses, listed_sites};
use clap::ValueHint;
use execute::{Execution, execute_plan};
use planner::{Comparison, PlanOptions, compare};
use result::ApplyResult;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// The number of changes that are sent at the same time.
const DEFAULT_CONCURRENCY: usize = 8;

/// Begins the message of a problem that is not of one row.
const CANNOT_SKIP: &str = "--skip-invalid cannot skip this";

const EXAMPLES: &str = "\
Examples:
  sitectl clients list -o csv > clients.csv
  sitectl clients apply clients.csv --dry-run
  sitectl clients apply clients.csv --skip-invalid \\
    --failed-to failed.csv

Columns: {columns}.

sitectl matches a row by its id or, without an id, by its email in any letter case. It creates a
client if no client has the email. Missing fields and empty CSV cells stay unchanged; with
--clear-empty, empty CSV cells clear optional fields.

site_ids is the complete list of a client's sites. In CSV, separate sites with semicolons; [] removes
all sites. In JSON and YAML, \"\" clears a note or an address.

sitectl deletes first, then releases sites, then assigns released ones. After an interruption or a
failure, run the same command again.";

/// Create and update clients from a file.
///
/// With --prune, sitectl also deletes the clients that are not in the file.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// CSV, JSON, NDJSON or YAML file; - reads stdin
    #[arg(value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    file: String,
    /// Set the file format [default: from name or content]
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    input_format: Option<InputFormat>,
    /// Print the plan without making changes
    #[arg(long)]
    dry_run: bool,
    /// Delete clients that are not in the file.
    ///
    /// If the input is incomplete, sitectl also deletes the missing clients.
    #[arg(long)]
    prune: bool,
    /// Clear the fields of empty CSV cells.
    ///
    /// Required fields and the fields of new clients stay as they are.
    #[arg(long)]
    clear_empty: bool,
    /// Skip rows with errors and apply the others.
    ///
    /// If rows are skipped, the exit code is usually 9, or 5 if the other rows need no change. To
    /// save the skipped rows, pass --failed-to.
    #[arg(long, conflicts_with = "prune")]
    skip_invalid: bool,
    /// Show each change of a long plan
    #[arg(long)]
    details: bool,
    /// Skip the confirmation.
    ///
    /// A protected profile still requires its name.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
    /// Write the failed rows to this file.
    ///
    /// sitectl always writes the file, and replaces an existing one. CSV and NDJSON keep their
    /// format; other formats become JSON.
    #[arg(long, value_name = "FILE")]
    failed_to: Option<PathBuf>,
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
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    let document = Document::read(&args.file, args.input_format, &APPLY_COLUMNS);
    let mut document = document.map_err(|error| match error.kind {
        Kind::Invalid if args.skip_invalid => error.context(CANNOT_SKIP),
        _ => error,
    })?;
    if document.rows.is_empty() && document.problems.is_empty() && args.prune {
        let message = format!(
            "{} has no rows: --prune would delete every client",
            document.name
        );
        return Err(Error::new(Kind::Invalid, message).with_hint(Hint::command(
            "specify the clients to delete",
            "clients delete CLIENT_ID",
        )));
    }
    let failed_rows = match &args.failed_to {
        Some(path) => Some(FailedRows::new(path, &args.file)?),
        None => None,
    };
    let api = context.api().await?;
    api.begin_bulk();
    let counter = context.ui.counter("clients");
    let clients = counter
        .while_waiting(AllClients::read(&api))
        .await
        .map_err(|error| error.prefix_hint("No changes were made"))?;
    let listed_sites = if has_site_addresses(&document) {
        let sites = AccountSites::read(context, &api).await?;
        find_site_addresses(&mut document, &sites);
        Some(sites.list()?.iter().filter_map(Record::id).collect())
    } else {
        listed_sites(&api, &document, &clients).await
    };
    let plan = match make_plan(context, &document, &clients, listed_sites.as_ref(), args) {
        Ok(plan) => plan,
        Err(problems) => {
            let rows = problems.iter().filter_map(|problem| problem.row).collect();
            let written = failed_rows.map_or(Ok(()), |file| file.write(&document, rows));
            let refusal = refuse_problems(&document, problems, args);
            return Err(match written {
                Ok(()) => refusal,
                Err(error) => refusal.append_to_message(&error.message),
            });
        }
    };
    if let Some(cells) = plan.ignored_cells() {
        context
            .ui
            .note(&format!("{cells}; --clear-empty clears the fields"));
    }
    let mut execution = Execution::default();
    if args.dry_run {
        print_plan(context, &plan, args.details)?;
        return ApplyResult::new(context, &document, &plan, &execution)
            .fail_if_any_failed("invalid");
    }
    if plan.change_count() == 0 {
        let counts = action_counts(&plan);
        context.ui.note(&format!("nothing to change: {counts}"));
    } else {
        let consent = confirm(context, &confirmation, &plan, args, &document.name).await?;
        let writer = ClientWriter {
            context,
            api: &api,
            consent: &consent,
        };
        if confirmation.prompts() {
            plan.require_unchanged(&document, &AllClients::read(&api).await?)?;
        }
        execution = execute_plan(writer, &plan, args.concurrency).await;
    }
    ApplyResult::new(context, &document, &plan, &execution).finish(args, failed_rows.as_ref())
}

/// Returns the plan. With `--skip-invalid`, rows with problems are skipped.
///
/// # Errors
/// All problems, also those that depend on the account's clients and sites.
fn make_plan(
    context: &Context,
    document: &Document,
    clients: &AllClients,
    listed_sites: Option<&HashSet<String>>,
    args: &Args,
) -> Result<Plan, Vec<Problem>> {
    let options = PlanOptions {
        prune: args.prune,
        clear_empty: args.clear_empty,
    };
    let Comparison {
        mut steps,
        problems: row_problems,
        ignored_columns,
    } = compare(document, clients, options);
    if !ignored_columns.is_empty() {
        let columns = ignored_columns.join(", ");
        context.ui.note(&format!(
            "columns that sitectl cannot change are ignored: {columns}"
        ));
    }
    let mut problems = document.problems.clone();
    problems.extend(row_problems);
    problems.extend(claim_problems(document, &steps, clients, listed_sites));
    let is_of_file = |problem: &Problem| problem.row.is_none();
    if problems
        .iter()
        .any(|problem| !args.skip_invalid || is_of_file(problem))
    {
        return Err(problems);
    }
    let mut skipped: BTreeMap<usize, Vec<Detail>> = BTreeMap::new();
    for Problem { row, detail } in problems {
        skipped
            .entry(row.unwrap_or_default())
            .or_default()
            .push(detail);
    }
    steps.retain(|step| step.row.is_none_or(|row| !skipped.contains_key(&row)));
    let skipped = skipped.into_iter();
    let skipped = skipped.map(|(row, details)| SkippedRow::new(document, row, details));
    Ok(Plan {
        steps,
        skipped: skipped.collect(),
    })
}

/// Returns the error with all problems in the order of the file.
fn refuse_problems(document: &Document, mut problems: Vec<Problem>, args: &Args) -> Error {
    if args.skip_invalid {
        problems.retain(|problem| problem.row.is_none());
    }
    problems.sort_by_key(|problem| Some(document.row(problem.row?)?.position));
    let details = problems.into_iter().map(|problem| problem.detail);
    let error = document.refusal(details.collect());
    if args.skip_invalid {
        error.context(CANNOT_SKIP)
    } else {
        error
    }
}

/// Shows the plan and asks for confirmation. Deletions are a question of their own, which is
/// answered with their number.
async fn confirm(
    context: &Context,
    confirmation: &Confirmation<'_>,
    plan: &Plan,
    args: &Args,
    file: &str,
) -> Result<Consent> {
    let prompts = confirmation.prompts() && context.ui.may_prompt;
    if prompts || (context.output_options().is_for_people() && !context.ui.quiet) {
        for line in plan_lines(plan, args.details, context.ui.stderr_color) {
            context.ui.print_line(&line);
        }
        if prompts {
            for line in skipped_lines(plan, args.details) {
                context.ui.detail(&line);
            }
        }
    } else {
        let counts = action_counts(plan);
        context.ui.note(&format!("plan: {counts}"));
    }
    let mut questions = Vec::new();
    let deleted = plan.count(Action::Delete);
    if deleted > 0 {
        let question = format!("Delete {} (not in {file})", pluralize(deleted, "client"));
        questions.push(Question::typed(question, [&*deleted.to_string()]));
    }
    let created = plan.count(Action::Create);
    let updated = plan.count(Action::Update);
    if created + updated > 0 {
        let mut parts = Vec::new();
        for (verb, count, noun) in [
            ("skip", plan.skipped.len(), "invalid row"),
            ("create", created, "client"),
            ("update", updated, "client"),
        ] {
            if count > 0 {
                parts.push(format!("{verb} {}", pluralize(count, noun)));
            }
        }
        let mut question = parts.join(" and ");
        question[..1].make_ascii_uppercase();
        questions.push(Question::new(question));
    }
    confirmation.ask(&questions).await
}
