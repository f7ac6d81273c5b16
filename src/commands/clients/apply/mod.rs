//! `sitectl clients apply`: a file says which clients there are, and the account is made to match it.

mod execute;
mod order;
mod plan;
mod report;
mod rows;
mod show;

use super::changes::Changes;
use super::columns;
use super::lookup::AllClients;
use crate::client::Consent;
use crate::client::{Api, IN_FLIGHT};
use crate::commands::bulk::Outcomes;
use crate::commands::consent::{Asking, ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::config::Format;
use crate::config::number;
use crate::error::{Error, Kind, Result};
use crate::input::{Document, FailedRows, InputFormat};
use crate::output;
use crate::terminal::count;
use execute::execute;
use plan::{Action, Plan};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  sitectl clients list -o csv > clients.csv
  sitectl clients apply clients.csv --dry-run
  sitectl clients apply clients.csv --yes --failed-to failed.csv

A row is about the client with its id or, where it has none, with its email in any case.
Where there is no client with this email, one is created.
Columns: id, first_name, last_name, email, company_name, address, note, site_ids.
What a row leaves out, or in CSV leaves empty, stays as it is.
site_ids is the whole list: sites that it lacks are taken from the client.
In CSV the sites are separated by semicolons; [] takes them all.
To empty a note or an address, use JSON or YAML with \"\".
After any interruption, running it again goes on where it was.";

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
    /// Print the plan without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Delete clients that are not in the file.
    ///
    /// If the input is incomplete, sitectl deletes the missing clients.
    #[arg(long)]
    prune: bool,
    /// Skip the confirmation.
    ///
    /// A protected profile also requires --confirm.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    confirm: ConfirmArgs,
    /// Write failed rows to this file.
    ///
    /// sitectl replaces an existing file. The format is that of the input.
    #[arg(long, value_name = "FILE")]
    failed_to: Option<PathBuf>,
    /// Set the number of concurrent changes
    #[arg(long, value_name = "N", default_value_t = IN_FLIGHT as u16, value_parser = number::within(1_u16..=64))]
    concurrency: u16,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let document = Document::read(&args.file, args.input_format, &columns::MANY)?;
    if document.is_blank() {
        return Err(Error::new(Kind::Invalid, format!("{} is empty", document.name))
            .hint("did a pipe break? If there are to be no clients at all, write just the header line (CSV) or []"));
    }
    let rows = rows::read(&document)?;
    if rows.is_empty() && args.prune {
        return Err(Error::new(
            Kind::Invalid,
            format!("there are no rows in {}: --prune would delete every client", document.name),
        )
        .hint(format!("nothing was changed; {} clients delete deletes clients by id", context.program())));
    }
    let failed_rows = args.failed_to.as_deref().map(|path| FailedRows::new(path, &args.file)).transpose()?;
    let api = context.api()?;
    let clients = read_all(context, &api).await?;
    let plan = Plan::new(&document, &rows, &clients, args.prune)?;
    let tasks = order::tasks(&plan).map_err(|stuck| plan.swapped_emails(&document, &stuck))?;
    if args.dry_run {
        return print_plan(context, &plan);
    }
    let outcomes = if plan.changes() > 0 {
        let consent = confirm(context, &asking, &plan, &document.name).await?;
        let changes = Changes { ui: &context.ui, api: &api, consent: &consent };
        execute(changes, &plan, &tasks, args.concurrency.into()).await
    } else {
        context.ui.note(&format!("nothing to change: {}", show::counts(&plan)));
        Outcomes { rows: plan.steps.iter().map(|_| None).collect(), stopped: None }
    };
    report::report(context, &document, &plan, &outcomes, failed_rows.as_ref())
}

async fn read_all(context: &Context, api: &Api) -> Result<AllClients> {
    let counter = context.ui.counter("clients", false);
    let clients = counter.while_waiting(AllClients::read(api)).await;
    clients.map_err(|error| match error.kind {
        Kind::Incomplete => error.hint("nothing was changed; try again when the list is at rest"),
        _ => error.or_hint(|| "nothing was changed".into()),
    })
}

/// The plan as data: for people the lines, for programs a list.
fn print_plan(context: &Context, plan: &Plan) -> Result<()> {
    if context.settings.format == Format::Table {
        let lines = show::lines(plan, context.ui.stdout_color());
        return output::write(&lines.into_iter().map(|line| line + "\n").collect::<String>());
    }
    let ids: Vec<String> =
        plan.steps.iter().filter(|step| step.action != Action::Unchanged).filter_map(|step| step.id.clone()).collect();
    output::result(&plan.steps, &ids, context.shape())
}

/// Shows the plan and asks; what is deleted is asked about apart.
async fn confirm(context: &Context, asking: &Asking<'_>, plan: &Plan, file: &str) -> Result<Consent> {
    let asked = asking.asks() && context.ui.may_prompt();
    if asked || (context.settings.format == Format::Table && !context.ui.quiet) {
        show::lines(plan, context.ui.stderr_color()).iter().for_each(|line| context.ui.say(line));
    } else {
        context.ui.note(&format!("plan: {}", show::counts(plan)));
    }
    asking.ask(&questions(plan, file)).await
}

fn questions(plan: &Plan, file: &str) -> Vec<Question> {
    let deleted = plan.count(Action::Delete);
    let delete = || format!("Delete {} not in {file}", count(deleted, "client"));
    let delete = (deleted > 0).then(|| Question::typed(delete(), deleted.to_string()));
    let change = match (plan.count(Action::Create), plan.count(Action::Update)) {
        (0, 0) => None,
        (created, 0) => Some(format!("Create {}", count(created, "client"))),
        (0, updated) => Some(format!("Update {}", count(updated, "client"))),
        (created, updated) => Some(format!("Create {created} and update {}", count(updated, "client"))),
    };
    delete.into_iter().chain(change.map(Question::new)).collect()
}
