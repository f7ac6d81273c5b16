//! `sitectl clients apply`: makes the account's clients match a file.

mod claims;
mod execute;
mod order;
mod plan;
mod report;
mod show;

use super::changes::Changes;
use super::columns;
use super::lookup::AllClients;
use crate::client::{Consent, IN_FLIGHT};
use crate::commands::bulk::Outcomes;
use crate::commands::consent::{ConfirmArgs, Confirmation, Question};
use crate::commands::context::Context;
use crate::config::{OutputFormat, number};
use crate::error::{Detail, Error, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat};
use crate::output;
use crate::terminal::pluralize;
use clap::ValueHint;
use execute::execute;
use plan::{Action, Done, Plan, Problem, Step, compare};
use report::Report;
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
    let confirmation = context.confirmation(args.yes, &args.confirm)?;
    let document = Document::read(&args.file, args.input_format, &columns::MANY)?;
    if document.rows.is_empty() && document.problems.is_empty() && args.prune {
        let message = format!(
            "{} has no rows: --prune would delete every client",
            document.name
        );
        let command = format!("{} clients delete CLIENT_ID", context.program());
        return Err(Error::new(Kind::Invalid, message)
            .with_hint(format!("specify the clients to delete: {command}")));
    }
    let failed_rows = args
        .failed_to
        .as_deref()
        .map(|path| FailedRows::new(path, &args.file))
        .transpose()?;
    let api = context.api().await?;
    let counter = context.ui.counter("clients", false);
    let clients = counter.while_waiting(AllClients::read(&api)).await;
    let clients = clients.map_err(|error| error.prefix_hint("No changes were made"))?;
    let listed = claims::listed_sites(&api, &document, &clients).await;
    let (plan, mut outcomes) = plan(&document, &clients, listed.as_ref(), args)?;
    if args.dry_run {
        print_plan(context, &plan, args.details)?;
    } else if plan.changes() == plan.count(Action::Skip) {
        context
            .ui
            .note(&format!("nothing to change: {}", show::counts(&plan)));
    } else {
        let consent = confirm(context, &confirmation, &plan, args, &document.name).await?;
        let changes = Changes {
            context,
            api: &api,
            consent: &consent,
        };
        let skipped = outcomes.rows;
        outcomes = execute(changes, &plan, args.concurrency.into()).await;
        outcomes.rows.extend(skipped);
    }
    let report = Report::new(context, &document, &plan, &outcomes);
    if args.dry_run {
        report.verdict("invalid")
    } else {
        report.finish(failed_rows.as_ref())
    }
}

/// Returns the plan. With `--skip-invalid`, rows with problems are left out, until the others have none: their outcome is
/// known.
///
/// # Errors
/// `Invalid` with all problems, those that need the clients and sites of the account too.
fn plan(
    document: &Document,
    clients: &AllClients,
    listed: Option<&HashSet<String>>,
    args: &Args,
) -> Result<(Plan, Outcomes<Done>)> {
    let mut problems: Vec<Problem> = document.problems.clone();
    let mut skipped: BTreeMap<usize, Vec<Detail>> = BTreeMap::new();
    loop {
        let (mut steps, more) = compare(document, clients, args.prune, &skipped);
        problems.extend(more);
        problems.extend(claims::problems(document, &steps, clients, listed));
        if let Err(stuck) = order::arrange(&mut steps) {
            problems.extend(claims::swapped_emails(document, &steps, &stuck));
        }
        if problems.is_empty() {
            let mut outcomes = Outcomes::default();
            for (row, problems) in skipped {
                let error = Error::new(Kind::Invalid, "invalid row").with_details(problems);
                outcomes.rows.insert(steps.len(), Err(error));
                steps.push(Step::skipped(document, row));
            }
            return Ok((Plan { steps }, outcomes));
        }
        if !args.skip_invalid || problems.iter().any(|(row, _)| row.is_none()) {
            problems.sort_by_key(|(row, _)| row.and_then(|row| document.position(row)));
            return Err(document.refusal(problems.into_iter().map(|(_, detail)| detail).collect()));
        }
        for (row, problem) in problems
            .drain(..)
            .filter_map(|(row, problem)| Some((row?, problem)))
        {
            skipped.entry(row).or_default().push(problem);
        }
    }
}

/// Prints the plan: lines for people, a list for programs.
fn print_plan(context: &Context, plan: &Plan, details: bool) -> Result<()> {
    if context.settings.format == OutputFormat::Table {
        let lines = show::lines(plan, details, context.ui.stdout_color);
        return output::write_stdout(
            &lines
                .into_iter()
                .map(|line| line + "\n")
                .collect::<String>(),
        );
    }
    let steps: Vec<&Step> = plan
        .steps
        .iter()
        .filter(|step| step.action != Action::Skip)
        .collect();
    let changed = steps.iter().filter(|step| step.action != Action::Unchanged);
    let ids: Vec<String> = changed.filter_map(|step| step.id.clone()).collect();
    output::print_result(&steps, &ids, context.output_options())
}

/// Shows the plan and asks; deletions are a question of their own.
async fn confirm(
    context: &Context,
    confirmation: &Confirmation<'_>,
    plan: &Plan,
    args: &Args,
    file: &str,
) -> Result<Consent> {
    let asked = confirmation.prompts() && context.ui.may_prompt;
    if asked || (context.settings.format == OutputFormat::Table && !context.ui.quiet) {
        show::lines(plan, args.details, context.ui.stderr_color)
            .iter()
            .for_each(|line| context.ui.say(line));
    } else {
        context.ui.note(&format!("plan: {}", show::counts(plan)));
    }
    let (deleted, changed) = (
        plan.count(Action::Delete),
        plan.count(Action::Create) + plan.count(Action::Update),
    );
    let delete = format!("Delete {} (not in {file})", pluralize(deleted, "client"));
    let delete = (deleted > 0).then(|| Question::typed(delete, deleted.to_string()));
    let change = (changed > 0)
        .then(|| Question::new(format!("Create or update {}", pluralize(changed, "client"))));
    confirmation
        .ask(&delete.into_iter().chain(change).collect::<Vec<_>>())
        .await
}
