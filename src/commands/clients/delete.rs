//! `sitectl clients delete`.

use super::changes::{self, Deletion, Fate, Means};
use super::who;
use crate::client::{Api, NotDeleted};
use crate::commands::consent::{Asking, ConfirmArgs, Question};
use crate::commands::context::Context;
use crate::error::{Detail, Error, Kind, Result, UNSET};
use crate::input::read_text;
use crate::output;
use crate::terminal::count;
use serde::Serialize;
use std::collections::HashSet;

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
#[command(after_help = EXAMPLES)]
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
    /// What each of the errors means.
    #[serde(skip)]
    kinds: Vec<Kind>,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    let asking = context.asking(args.yes, &args.confirm)?;
    let named = named(args)?;
    if named.is_empty() {
        context.ui.note("no clients named; nothing to delete");
        return print(context, &Summary::new(args.ignore_not_found));
    }
    asking.require_person(&format!("Delete {}", clients(named.len())))?;
    let api = context.api()?;
    let mut summary = Summary::new(args.ignore_not_found);
    let ids = identify(&api, named, &mut summary).await?;
    let Deletion { fates, stopped } = delete(context, &api, &asking, &ids).await?;
    let stopped = match stopped {
        // Nothing is known of any client: the error says it all.
        Some(error) if fates.iter().all(|fate| matches!(fate, Fate::Failed | Fate::NotSent)) => return Err(error),
        stopped => stopped,
    };
    ids.into_iter().zip(fates).for_each(|(id, fate)| summary.add(id, fate, stopped.as_ref()));
    let done = format!("{} deleted all the same", clients(summary.succeeded));
    let printed = print(context, &summary).map_err(|error| error.hint_first(&done));
    // What became of the clients is said also where stdout does not take it.
    let verdict = stopped.map_or_else(|| summary.verdict(), |error| Err(cut_short(error, &summary)));
    verdict.and(printed)
}

/// Asks, and deletes them.
async fn delete(context: &Context, api: &Api, asking: &Asking<'_>, ids: &[String]) -> Result<Deletion> {
    if ids.is_empty() {
        return Ok(Deletion::default());
    }
    if asking.asks() {
        show_names(context, api, ids).await?;
    }
    let consent = asking.ask(&[Question::new(format!("Delete {}", clients(ids.len())))]).await?;
    Ok(changes::delete(Means { ui: &context.ui, api, consent: &consent }, ids).await)
}

/// What stopped a deletion that had begun.
fn cut_short(error: Error, summary: &Summary) -> Error {
    let kind =
        if error.kind == Kind::UnknownOutcome || error.kind == Kind::Interrupted { error.kind } else { Kind::Partial };
    error.kind(kind).context(format!("{} of {} deleted", summary.succeeded, clients(summary.requested)))
}

impl Summary {
    fn new(ignore_not_found: bool) -> Self {
        Self { ignored: ignore_not_found.then(Vec::new), ..Self::default() }
    }

    fn add(&mut self, id: String, fate: Fate, stopped: Option<&Error>) {
        let (kind, why) = stopped.map_or((Kind::Error, ""), |error| (error.kind, error.message.as_str()));
        match fate {
            Fate::Gone => {
                self.requested += 1;
                self.succeeded += 1;
                self.deleted.push(id);
            }
            Fate::Missing(error) => self.missing(error),
            Fate::Refused(error) => self.fail(Kind::Invalid, error),
            Fate::Failed => self.fail(kind, NotDeleted::new(&id, kind.name(), why)),
            Fate::NotSent => self.fail(kind, NotDeleted::new(&id, "not_sent", "Not sent, after another had failed")),
        }
    }

    fn missing(&mut self, error: NotDeleted) {
        match &mut self.ignored {
            Some(ignored) => {
                self.requested += 1;
                ignored.push(error.id);
            }
            None => self.fail(Kind::NotFound, error),
        }
    }

    fn fail(&mut self, kind: Kind, error: NotDeleted) {
        self.requested += 1;
        self.failed += 1;
        self.errors.push(error);
        self.kinds.push(kind);
    }

    /// What the exit code says: some failed, or all, and then why.
    fn verdict(&self) -> Result<()> {
        let Some(first) = self.kinds.first() else { return Ok(()) };
        let kind = match () {
            () if self.failed < self.requested => Kind::Partial,
            () if self.kinds.iter().all(|kind| kind == first) => *first,
            () => Kind::Invalid,
        };
        let detail = |error: &NotDeleted| Detail::new(&error.code, &error.id, error.message.clone());
        let error = Error::new(kind, format!("{} of {} not deleted", self.failed, clients(self.requested)))
            .details(self.errors.iter().map(detail).collect());
        let missing = self.kinds.iter().all(|kind| *kind == Kind::NotFound);
        Err(error.hint(match missing {
            true => "--ignore-not-found takes a missing client for deleted",
            false => "mend what is named above and run it again; --ignore-not-found passes over those that are gone",
        }))
    }
}

/// What was named, each once.
fn named(args: &Args) -> Result<Vec<String>> {
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

/// The ids that are meant; an email that is nobody's is an error of its own.
async fn identify(api: &Api, names: Vec<String>, summary: &mut Summary) -> Result<Vec<String>> {
    let (mut ids, mut seen) = (Vec::new(), HashSet::new());
    for (name, id) in who::ids(api, names).await? {
        match id {
            Some(id) if seen.insert(id.clone()) => ids.push(id),
            Some(_) => {}
            None => {
                let message = format!("there is no client with the email '{name}'");
                summary.missing(NotDeleted::new(&name, "not_found", message));
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

fn print(context: &Context, summary: &Summary) -> Result<()> {
    output::result(summary, &summary.deleted, context.shape())
}

fn clients(number: usize) -> String {
    count(number, "client")
}
