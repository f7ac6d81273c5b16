//! `sitectl clients delete`.

use super::changes::{ClientWriter, MAX_IDS_PER_DELETION, NOT_FOUND, is_missing, not_deleted};
use super::columns::{ID_COLUMNS, is_settable};
use super::plan::{Plan, Step};
use super::show::print_plan;
use crate::client::{Api, DeleteError};
use crate::commands::bulk::{Bulk, BulkFailure, Outcomes, bulk_error, failure_kind};
use crate::commands::choose::require_prompt;
use crate::commands::consent::Question;
use crate::commands::context::Context;
use crate::commands::find_clients::{
    client_or_choice, find_clients, looks_like_email, missing_client, name_and_id,
};
use crate::commands::finish_change;
use crate::config::NameOf;
use crate::config::private_files;
use crate::error::{Detail, Error, Hint, Kind, Result};
use crate::input::{Document, InputFormat};
use crate::resources::{CLIENTS, Clients, Record};
use crate::terminal::{join_briefly, pluralize};
use clap::ValueHint;
use serde::Serialize;
use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

const USAGE: &str = "sitectl clients delete [OPTIONS] [CLIENT_ID|EMAIL]...
       sitectl clients delete [OPTIONS] --from-file <FILE|->";

/// The file of `--save` exists when the command is run again.
const RETRY_WITHOUT_SAVE: &str = "run the same command again without --save and with \
     --ignore-not-found: it is safe, because a deletion is idempotent";

const EXAMPLES: &str = "\
Examples:
  sitectl clients delete client-0060
  sitectl clients delete client-0058 client-0059 --json
  sitectl clients list --search nobody -o csv | \\
    sitectl clients delete -";

/// Delete clients.
///
/// Their sites remain, without a client.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct Args {
    /// Ids or emails; omit for a menu; - reads stdin, as --from-file
    #[arg(value_name = "CLIENT_ID|EMAIL")]
    clients: Vec<NameOf<Clients>>,
    /// Read ids or emails from a file, one per line, or records of clients.
    ///
    /// csv, json and ndjson files of clients list are understood.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from_file: Option<String>,
    /// Ignore missing clients
    #[arg(long)]
    ignore_not_found: bool,
    /// Show the clients without deleting them
    #[arg(long)]
    dry_run: bool,
    /// Save the clients to a new .json file before deleting them.
    ///
    /// To create the clients again, pass the file to clients apply.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    save: Option<String>,
}

/// The outcome of all clients.
#[derive(Debug, Default, Serialize)]
struct DeleteResult {
    deleted: Vec<String>,
    /// The missing clients with `--ignore-not-found`.
    ignored: Vec<String>,
    errors: Vec<DeleteError>,
    requested: usize,
    succeeded: usize,
    failed: usize,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    let confirmation = context.confirmation_or_dry_run(args.dry_run)?;
    if let Some(path) = &args.save
        && InputFormat::detect(path, "") != InputFormat::Json
    {
        return Err(Error::usage(format!("--save writes JSON, not '{path}'"))
            .with_hint("pass the path of a new .json file"));
    }
    let mut ids_or_emails = requested_clients(context, args)?;
    let is_unspecified = args.clients.is_empty() && args.from_file.is_none();
    if is_unspecified {
        require_prompt(context, &CLIENTS)?;
    } else if ids_or_emails.is_empty() {
        context.ui.note("no clients specified; nothing to delete");
        if context.output().is_for_people() {
            return Ok(());
        }
        return finish(context, args, &[], None);
    }
    if !args.dry_run {
        let names = match ids_or_emails.as_slice() {
            [] => "client".into(),
            [name] => name.clone(),
            names => format!(
                "{}: {},",
                pluralize(names.len(), "client"),
                join_briefly(names)
            ),
        };
        confirmation.require_person(&format!("Delete {names}"))?;
    }
    let api = context.api().await?;
    if is_unspecified {
        ids_or_emails.push(client_or_choice(context, &api, None).await?);
    }
    // Some services report that they deleted clients that do not exist.
    let FoundClients {
        ids,
        mut clients,
        missing,
    } = FoundClients::look_up(&api, ids_or_emails).await?;
    if args.dry_run && (missing.is_empty() || args.ignore_not_found) {
        let steps = clients.iter().map(Step::deletion).collect();
        let sites = None;
        return print_plan(context, &Plan { steps, sites });
    }
    // If all are missing, no question is asked, and the result reports them at once.
    if confirmation.prompts() && !missing.is_empty() && !ids.is_empty() {
        let missing = missing.join(", ");
        context.ui.warn(&format!("not found: {missing}"));
    }
    let mut bulk_outcomes = Outcomes::default();
    if !ids.is_empty() && !args.dry_run {
        let mut questions = Vec::new();
        if confirmation.prompts() {
            questions.push(delete_question(context, &clients));
        }
        let consent = confirmation.ask(&questions).await?;
        if let Some(path) = &args.save {
            if confirmation.prompts() {
                // The clients can have changed during the question.
                let current = find_clients(&api, &ids).await?;
                for (client, current) in clients.iter_mut().zip(current) {
                    *client = current.unwrap_or_else(|| client.clone());
                }
            }
            save_clients(context, path, &clients)?;
        }
        let writer = ClientWriter {
            context,
            api: &api,
            consent: &consent,
        };
        bulk_outcomes = delete_all(writer, &ids).await;
    }
    let mut outcomes = Vec::new();
    for id in missing {
        let error = not_deleted(&id, NOT_FOUND, "Client not found.");
        outcomes.push((id, Err(error)));
    }
    // The rows are the indexes of `ids`, in ascending order.
    outcomes.extend(ids.into_iter().zip(bulk_outcomes.rows.into_values()));
    finish(context, args, &outcomes, bulk_outcomes.stopped_by.as_ref())
}

/// The clients to delete, and the ids and emails for which there is none.
#[derive(Default)]
struct FoundClients {
    /// The ids, without duplicates.
    ids: Vec<String>,
    /// The client of each id in `ids`.
    clients: Vec<Record>,
    /// The ids and emails that no client has.
    missing: Vec<String>,
}

impl FoundClients {
    async fn look_up(api: &Api, ids_or_emails: Vec<String>) -> Result<Self> {
        let clients = find_clients(api, &ids_or_emails).await?;
        let mut found = Self::default();
        let mut seen = HashSet::new();
        for (id_or_email, client) in ids_or_emails.into_iter().zip(clients) {
            let Some(client) = client else {
                if !found.missing.contains(&id_or_email) {
                    found.missing.push(id_or_email);
                }
                continue;
            };
            // An id is deleted as it was specified, whatever client the service shows for it.
            let id = client.id().filter(|_| looks_like_email(&id_or_email));
            let id = id.unwrap_or(id_or_email);
            if seen.insert(id.clone()) {
                found.ids.push(id);
                found.clients.push(client);
            }
        }
        Ok(found)
    }
}

/// Returns the question, with the clients and their numbers of sites. Shows several clients on
/// stderr first.
fn delete_question(context: &Context, clients: &[Record]) -> Question {
    // The service may not show the sites.
    let sites = |client: &Record| match client.texts("site_ids") {
        Some(sites) if sites.is_empty() => "no sites".into(),
        Some(sites) => pluralize(sites.len(), "site"),
        None => "an unknown number of sites".into(),
    };
    if let [client] = clients {
        let name = name_and_id(client);
        return Question::new(format!("Delete {name}, which has {},", sites(client)));
    }
    for client in clients {
        let name = name_and_id(client);
        context.ui.detail(&format!("{name}, {}", sites(client)));
    }
    Question::new(format!("Delete {}", pluralize(clients.len(), "client")))
}

/// Writes the clients to a new file that `clients apply` reads to create them again, so without the
/// fields that the service sets.
///
/// # Errors
/// `Usage` if the file exists or can't be written. An existing file is not replaced, because it may
/// have the clients of an earlier deletion.
fn save_clients(context: &Context, path: &str, clients: &[Record]) -> Result<()> {
    let mut saved = Vec::new();
    for client in clients {
        let mut fields = client.fields();
        fields.retain(|name, value| !value.is_null() && is_settable(name));
        saved.push(fields);
    }
    let text = serde_json::to_string_pretty(&saved)? + "\n";
    let path = Path::new(path);
    let mut options = OpenOptions::new();
    let opened = private_files::open(options.write(true).create_new(true), path);
    let written = opened.and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| {
        Error::file("save the clients to", path, &error)
            .with_kind(Kind::Usage)
            .without_changes()
            .with_hint("pass the path of a new file to --save")
    })?;
    let path = path.display();
    let count = pluralize(saved.len(), "client");
    context.ui.note(&format!("Saved {count} to {path}"));
    let is_hidden = |client: &&Record| client.value("site_ids").is_none();
    let hidden = clients.iter().filter(is_hidden).count();
    if hidden > 0 {
        let hidden = pluralize(hidden, "client");
        context.ui.warn(&format!(
            "{path} lacks the sites of {hidden}, because the service does not show them"
        ));
    }
    Ok(())
}

async fn delete_all(writer: ClientWriter<'_>, ids: &[String]) -> Outcomes<()> {
    let rows: Vec<usize> = (0..ids.len()).collect();
    let batches = rows.chunks(MAX_IDS_PER_DELETION);
    let phases = [batches.map(<[usize]>::to_vec).collect()];
    let bulk = Bulk {
        context: writer.context,
        api: writer.api,
        plural: "clients deleted",
        concurrency: 1,
        stop_after_failures: None,
        max_unanswered: 10,
    };
    let delete = async |_, rows: &[usize]| {
        let first = rows[0];
        writer.delete(&ids[first..first + rows.len()]).await
    };
    bulk.run(&phases, delete).await
}

/// Prints the outcome of each client.
///
/// # Errors
/// That of the clients that were not deleted; else that of the output.
fn finish(
    context: &Context,
    args: &Args,
    outcomes: &[(String, Result<()>)],
    stopped_by: Option<&Error>,
) -> Result<()> {
    let mut result = DeleteResult {
        requested: outcomes.len(),
        ..DeleteResult::default()
    };
    let mut failures = Vec::new();
    for (id, outcome) in outcomes {
        match outcome {
            Ok(()) => result.deleted.push(id.clone()),
            Err(error) if args.ignore_not_found && is_missing(error, id) => {
                result.ignored.push(id.clone());
            }
            Err(error) => {
                let detail = error.details.first();
                result.errors.push(DeleteError {
                    id: id.clone(),
                    code: detail.map_or(error.kind.name(), Detail::code).into(),
                    message: error.message.clone(),
                });
                failures.push(BulkFailure {
                    subject: id,
                    name: id.clone(),
                    error: error.clone(),
                });
            }
        }
    }
    result.succeeded = result.deleted.len();
    result.failed = result.errors.len();
    let output = context.output();
    // A table about one missing client would only repeat the error.
    if let ([(id, Err(error))], [_]) = (outcomes, &*failures)
        && output.is_for_people()
        && is_missing(error, id)
    {
        return Err(missing_client(id));
    }
    let printed = output.print_result(&result, &result.deleted);
    let errors: Vec<&Error> = failures.iter().map(|failure| &failure.error).collect();
    let changes = result.succeeded + result.failed;
    let outcome = match failure_kind(&errors, changes, stopped_by) {
        None => Ok(()),
        Some(kind) => {
            let unknown = errors.iter().filter(|error| error.has_unknown_outcome());
            let unknown = unknown.count();
            let counts = [
                (errors.len() - unknown, "not deleted"),
                (unknown, "with an unknown outcome"),
            ];
            let requested = pluralize(result.requested, "client");
            let error = bulk_error(kind, &requested, &counts, &failures);
            let with_hints = errors.iter().find(|error| !error.hints.is_empty());
            Err(if args.save.is_some() && unknown > 0 {
                error.with_hint(RETRY_WITHOUT_SAVE)
            } else if let Some(first) = with_hints {
                error.with_hints(first.hints.clone())
            } else if errors.iter().all(|error| error.kind == Kind::NotFound) {
                error
                    .with_hint(Hint::command("list the existing clients", "clients list"))
                    .with_hint("to ignore missing clients, add --ignore-not-found")
            } else {
                error
            })
        }
    };
    let deleted = (result.succeeded > 0)
        .then(|| format!("deleted {}", pluralize(result.succeeded, "client")));
    finish_change(deleted, outcome, printed)
}

/// Returns the ids and emails.
///
/// # Errors
/// `Invalid` with each one that has several, or `Usage` if it was typed: with --ignore-not-found,
/// they would count as one missing client.
fn requested_clients(context: &Context, args: &Args) -> Result<Vec<String>> {
    let is_single = |text: &str| !text.contains([' ', '\t', ',', ';']);
    let mut files = Vec::from_iter(args.from_file.as_deref());
    let mut ids_or_emails = Vec::new();
    for text in &args.clients {
        match &**text {
            "-" => files.push("-"),
            text if is_single(text) => ids_or_emails.push(text.to_string()),
            text => {
                let error = Error::usage(format!("'{text}' is not one id or email"));
                return Err(error.with_hint("pass each as an argument of its own"));
            }
        }
    }
    for file in files {
        context.ui.reads_input(file);
        let document = Document::read(file, &ID_COLUMNS)?;
        let problems = document.problems.iter();
        let mut problems: Vec<_> = problems.map(|problem| problem.detail.clone()).collect();
        for row in &document.rows {
            match document.key(row).map(|key| key.trim().to_string()) {
                Some(id) if is_single(&id) => ids_or_emails.push(id),
                _ => {
                    let message = "Is not one id or email";
                    problems.push(document.detail(row, "id", "invalid_id", message));
                }
            }
        }
        document.refuse(problems)?;
    }
    Ok(ids_or_emails)
}
