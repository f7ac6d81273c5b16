//! `sitectl clients apply`: makes the account's clients match a file.

mod claims;
mod execute;
mod order;
mod plan;
mod result;
mod show;

use super::changes::ClientWriter;
use super::columns::APPLY_COLUMNS;
use super::lookup::AllClients;
use super::moving::{MoveReport, SiteMoves};
use crate::client::Consent;
use crate::commands::bulk::Outcomes;
use crate::commands::consent::{ConfirmArgs, Confirmation, Question};
use crate::commands::context::Context;
use crate::commands::sites::AccountSites;
use crate::commands::up_to;
use crate::config::OutputFormat;
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat, Problem};
use crate::output;
use crate::resources::Record;
use crate::terminal::pluralize;
use claims::{
    claim_problems, document_sites, email_swap_problems, find_site_addresses, has_site_addresses,
    kept_value_problems, listed_sites,
};
use clap::ValueHint;
use execute::execute_plan;
use order::{find_moves, set_dependencies};
use plan::{Action, Plan, PlanOptions, SkippedRow, Step, compare};
use result::ApplyResult;
use show::{action_counts, plan_lines, skipped_lines};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
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

To resume after an interruption, run the same command again.";

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
    /// Write failed rows to this file.
    ///
    /// sitectl replaces an existing file if rows fail, and removes it if all rows succeed. If the
    /// command ends before the changes, such as after an invalid row without --skip-invalid, an
    /// existing file stays as it is. The format is that of the input.
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
        let command = format!("{} clients delete CLIENT_ID", context.program());
        return Err(Error::new(Kind::Invalid, message)
            .with_hint(format!("specify the clients to delete: {command}")));
    }
    let failed_rows = match &args.failed_to {
        Some(path) => Some(FailedRows::new(path, Some(&args.file))?),
        None => None,
    };
    let api = context.api().await?;
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
    let plan = make_plan(&document, &clients, listed_sites.as_ref(), args)?;
    if let Some(cells) = plan.ignored_cells() {
        context
            .ui
            .note(&format!("{cells}; --clear-empty clears the fields"));
    }
    let mut outcomes = Outcomes::default();
    let mut move_report = MoveReport::default();
    if args.dry_run {
        print_plan(context, &plan, args.details)?;
        return ApplyResult::new(context, &document, &plan, &outcomes, move_report)
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
        let known_clients = plan.steps.iter().filter_map(|step| step.client.as_ref());
        let moves = SiteMoves::new(writer, document_sites(&document), known_clients);
        outcomes = execute_plan(writer, &moves, &plan, args.concurrency).await;
        move_report = moves.finish(outcomes.was_interrupted()).await;
        for client in &move_report.restored_clients {
            for outcome in outcomes.rows.values_mut() {
                if let Ok(Some(changed)) = outcome
                    && changed.id() == client.id()
                {
                    *changed = client.clone();
                }
            }
        }
    }
    ApplyResult::new(context, &document, &plan, &outcomes, move_report)
        .finish(args, failed_rows.as_ref())
}

/// Returns the plan. With `--skip-invalid`, rows with problems are skipped.
///
/// # Errors
/// `Invalid` with all problems, also those that depend on the account's clients and sites.
fn make_plan(
    document: &Document,
    clients: &AllClients,
    listed_sites: Option<&HashSet<String>>,
    args: &Args,
) -> Result<Plan> {
    let options = PlanOptions {
        prune: args.prune,
        clear_empty: args.clear_empty,
    };
    let mut problems = document.problems.clone();
    let (mut steps, row_problems) = compare(document, clients, options);
    problems.extend(row_problems);
    problems.extend(claim_problems(document, &steps, clients, listed_sites));
    let mut skipped = BTreeMap::new();
    loop {
        if let Err(stuck) = set_dependencies(&mut steps) {
            problems.extend(email_swap_problems(document, &steps, &stuck));
        }
        if problems.is_empty() {
            let skipped = skipped
                .into_iter()
                .map(|(row, details)| SkippedRow::new(document, row, details))
                .collect();
            return Ok(Plan { steps, skipped });
        }
        if !args.skip_invalid {
            return Err(refuse_problems(document, problems));
        }
        if problems.iter().any(|problem| problem.row.is_none()) {
            problems.retain(|problem| problem.row.is_none());
            return Err(refuse_problems(document, problems).context(CANNOT_SKIP));
        }
        let found = std::mem::take(&mut problems);
        skip_rows(document, &mut steps, &mut skipped, found);
    }
}

/// Skips the rows that have problems, and the rows that claim an email or a site which the client
/// of a skipped row then keeps.
fn skip_rows(
    document: &Document,
    steps: &mut Vec<Step>,
    skipped: &mut BTreeMap<usize, Vec<Detail>>,
    problems: Vec<Problem>,
) {
    let invalid: BTreeSet<usize> = problems.iter().filter_map(|problem| problem.row).collect();
    let moves = find_moves(steps);
    let mut waiting = VecDeque::from(problems);
    while let Some(Problem { row, detail }) = waiting.pop_front() {
        let Some(row) = row else { continue };
        let details: &mut Vec<Detail> = skipped.entry(row).or_default();
        details.push(detail);
        // The steps are in the order of the rows.
        if details.len() == 1
            && let Ok(from) = steps.binary_search_by_key(&Some(row), |step| step.row)
        {
            for ((_, to), _) in moves.range((from, 0)..=(from, usize::MAX)) {
                let mut problems = kept_value_problems(document, &steps[from], &steps[*to]);
                problems.retain(|problem| problem.row.is_some_and(|row| !invalid.contains(&row)));
                waiting.extend(problems);
            }
        }
    }
    steps.retain(|step| step.row.is_none_or(|row| !skipped.contains_key(&row)));
}

/// Returns the error with all problems in the order of the file.
fn refuse_problems(document: &Document, mut problems: Vec<Problem>) -> Error {
    problems.sort_by_key(|problem| Some(document.row(problem.row?)?.position));
    let details = problems.into_iter().map(|problem| problem.detail);
    document.refusal(details.collect())
}

/// Prints the plan: lines for people, a list for programs.
fn print_plan(context: &Context, plan: &Plan, details: bool) -> Result<()> {
    if context.settings.format == OutputFormat::Table {
        let lines = plan_lines(plan, details, context.ui.stdout_color);
        return output::write_stdout(&context.ui.masked(&(lines.join("\n") + "\n")));
    }
    let mut ids = Vec::new();
    for step in &plan.steps {
        if step.action != Action::Unchanged {
            ids.extend(step.id.clone());
        }
    }
    output::print_result(&plan.steps, &ids, context.output_options())
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
    if prompts || (context.settings.format == OutputFormat::Table && !context.ui.quiet) {
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
