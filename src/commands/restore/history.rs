//! `sitectl restore history`: prints the journal, newest first. It sends no request.

use super::args::Time;
use super::watch::format_elapsed;
use crate::client::{SiteUrl, is_url};
use crate::commands::context::Context;
use crate::commands::sites::known_urls;
use crate::config::{NameOf, OutputFormat, number};
use crate::error::{Error, Result};
use crate::journal::{Entry, Intent};
use crate::output;
use crate::resources::{OUTCOMES, RESTORES, Sites};
use clap::builder::PossibleValuesParser;
use jiff::Timestamp;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

const EXAMPLES: &str = "\
Examples:
  sitectl restore history
  sitectl restore history --site site-0001 --since 7d
  sitectl restore history --outcome running,unknown -o ids
  sitectl restore history --limit 20 -o csv \\
    --fields started_at,user,site_id,outcome
  sitectl restore history --jq 'map(select(.profile == \"live\")) | length'

Outcomes:
  running    not finished when sitectl last checked
  succeeded  finished successfully
  failed     finished with a failure
  refused    not started
  unknown    no response received

finished_at is the time when sitectl received the outcome.";

/// Show the restores started from this machine.
///
/// Lists the restores of all profiles, newest first.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Show only restores of this site (id, URL or host name); repeatable
    #[arg(long, value_name = "SITE")]
    site: Vec<NameOf<Sites>>,
    /// Show only these outcomes, separated by commas
    #[arg(
        long,
        value_name = "OUTCOME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(OUTCOMES)
    )]
    outcome: Vec<String>,
    /// Show only restores since this time, date or age, such as 7d
    #[arg(long, value_name = "TIME")]
    since: Option<Time>,
    /// Show only the newest N
    #[arg(long, value_name = "N", value_parser = number::within(1_usize..))]
    limit: Option<usize>,
}

impl Args {
    /// Whether a restore matches all filters. `site_ids` are the ids of the sites of `--site`; an
    /// empty list selects all sites.
    fn selects(&self, entry: &Entry, site_ids: &[String]) -> bool {
        let outcome = entry.outcome_name();
        let started_at = entry.intent.started_at;
        if let Some(since) = &self.since
            && started_at < since.timestamp
        {
            return false;
        }
        (site_ids.is_empty() || site_ids.contains(&entry.intent.site_id))
            && (self.outcome.is_empty() || self.outcome.iter().any(|name| name == outcome))
    }
}

/// One restore on stdout.
#[derive(Serialize)]
struct HistoryRow {
    #[serde(flatten)]
    intent: Intent,
    task_id: Option<String>,
    outcome: &'static str,
    finished_at: Option<Timestamp>,
    /// The URL of the site; only in a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// How long the restore took; only in a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<String>,
}

pub fn run(context: &Context, args: &Args) -> Result<()> {
    context.output_options().check_fields(&RESTORES, &[])?;
    let urls = known_urls(context);
    let mut site_ids = Vec::new();
    for site in &args.site {
        site_ids.push(resolve_known_site(context, &urls, site)?);
    }
    let entries = context.journal()?.entries()?;
    let mut selected = Vec::new();
    for entry in entries.iter().rev() {
        if args.selects(entry, &site_ids) {
            selected.push(entry);
        }
    }
    // The journal is only roughly in this order, because several processes write to it. Restores
    // with equal times stay in reverse order of the journal, because the sort is stable.
    selected.sort_by_key(|entry| Reverse(entry.intent.started_at));
    selected.truncate(args.limit.unwrap_or(usize::MAX));
    print_history(context, &urls, &selected)?;
    if selected.is_empty() {
        context.ui.note("no restores found");
    }
    // `restore watch` watches only the restores of the active profile.
    let any_running = selected.iter().any(|entry| {
        entry.outcome_name() == "running" && entry.intent.profile == context.settings.profile
    });
    if context.settings.format == OutputFormat::Table && any_running {
        let program = context.program();
        let hint = format!("watch the running restores: {program} restore watch");
        context.ui.hint(&hint);
    }
    Ok(())
}

/// Returns the id of a site. A URL or host name is looked up in the saved URLs of earlier lists.
/// Any other text, and an unknown host name, is returned as an id.
///
/// # Errors
/// `Usage` if the URL is unknown.
fn resolve_known_site(
    context: &Context,
    urls: &HashMap<String, String>,
    text: &str,
) -> Result<String> {
    let address = SiteUrl::parse(text).filter(|_| is_url(text) || text.contains('.'));
    let site = address.and_then(|address| {
        urls.iter()
            .find(|(_, url)| SiteUrl::parse(url).as_ref() == Some(&address))
    });
    match site {
        Some((id, _)) => Ok(id.clone()),
        None if is_url(text) => {
            let hint = format!("list the sites: {} sites list", context.program());
            Err(Error::usage(format!("--site: unknown site '{text}'")).with_hint(hint))
        }
        None => Ok(text.trim().into()),
    }
}

fn print_history(
    context: &Context,
    urls: &HashMap<String, String>,
    entries: &[&Entry],
) -> Result<()> {
    if context.settings.format == OutputFormat::Ids {
        let mut task_ids = Vec::new();
        for entry in entries {
            task_ids.extend(entry.task_id.clone());
        }
        // The first argument is the value for other formats.
        return output::print_result(&(), &task_ids, context.output_options());
    }
    let is_table = context.settings.format == OutputFormat::Table;
    let mut rows = Vec::new();
    for entry in entries {
        rows.push(history_row(entry, urls, is_table));
    }
    output::print_list(&RESTORES, &rows, context.output_options())
}

fn history_row(entry: &Entry, urls: &HashMap<String, String>, is_table: bool) -> HistoryRow {
    let intent = Intent {
        // The digest of a plan is only for `--resume`.
        run: None,
        ..entry.intent.clone()
    };
    let mut row = HistoryRow {
        intent,
        task_id: entry.task_id.clone(),
        outcome: entry.outcome_name(),
        finished_at: entry.finished_at,
        url: None,
        took: None,
    };
    if is_table {
        row.url = urls.get(&entry.intent.site_id).cloned();
        // The outcomes refused and unknown have a time, too, but it is not the end of a restore.
        if let Some(finished_at) = entry.finished_at
            && entry.has_ended()
        {
            row.took = Some(format_elapsed(entry.intent.started_at, finished_at));
        }
    }
    row
}
