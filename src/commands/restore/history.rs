//! `sitectl restore history`: prints the journal, newest first. It sends no request.

use super::args::Time;
use super::watch::took;
use crate::client::{Address, is_url};
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
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = PossibleValuesParser::new(OUTCOMES))]
    outcome: Vec<String>,
    /// Show only restores since this time, date or age, such as 7d
    #[arg(long, value_name = "TIME")]
    since: Option<Time>,
    /// Show only the newest N
    #[arg(long, value_name = "N", value_parser = number::within(1_usize..))]
    limit: Option<usize>,
}

/// One restore on stdout.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    intent: Intent,
    task_id: Option<String>,
    outcome: &'static str,
    finished_at: Option<Timestamp>,
    /// In a table only, as `took`.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<String>,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<()> {
    context.output_options().check_fields(&RESTORES, &[])?;
    let urls = known_urls(context);
    let sites: Vec<String> = args
        .site
        .iter()
        .map(|site| site_id(context, &urls, site))
        .collect::<Result<_>>()?;
    let entries = context.journal()?.entries()?;
    let any = |list: &[String], text: &str| list.is_empty() || list.iter().any(|one| one == text);
    let is_asked_for = |entry: &&Entry| {
        any(&sites, &entry.intent.site_id)
            && any(&args.outcome, entry.standing())
            && args
                .since
                .as_ref()
                .is_none_or(|since| entry.intent.started_at >= since.at)
    };
    let mut found: Vec<&Entry> = entries.iter().rev().filter(is_asked_for).collect();
    // Restores that began at the same time may be in another order.
    found.sort_by_key(|entry| Reverse(entry.intent.started_at));
    found.truncate(args.limit.unwrap_or(usize::MAX));
    print(context, &urls, &found)?;
    if found.is_empty() {
        context.ui.note("no restores found");
    }
    let is_running = |entry: &&Entry| {
        entry.standing() == "running" && entry.intent.profile == context.settings.profile
    };
    if context.settings.format == OutputFormat::Table && found.iter().any(is_running) {
        context.ui.hint(&format!(
            "watch the running restores: {} restore watch",
            context.program()
        ));
    }
    Ok(())
}

/// Returns the id of a site; that of a URL or host name is looked up among the sites that lists have shown.
fn site_id(context: &Context, urls: &HashMap<String, String>, text: &str) -> Result<String> {
    let address = Address::parse(text).filter(|_| is_url(text) || text.contains('.'));
    let found = address.and_then(|address| {
        urls.iter()
            .find(|(_, url)| Address::parse(url).as_ref() == Some(&address))
    });
    match found {
        Some((id, _)) => Ok(id.clone()),
        None if is_url(text) => Err(Error::usage(format!("--site: unknown site '{text}'"))
            .with_hint(format!("list the sites: {} sites list", context.program()))),
        None => Ok(text.trim().into()),
    }
}

fn print(context: &Context, urls: &HashMap<String, String>, found: &[&Entry]) -> Result<()> {
    if context.settings.format == OutputFormat::Ids {
        let tasks: Vec<String> = found
            .iter()
            .filter_map(|entry| entry.task_id.clone())
            .collect();
        return output::result(&(), &tasks, context.output_options());
    }
    let is_table = context.settings.format == OutputFormat::Table;
    let row = |entry: &&Entry| Row {
        intent: Intent {
            run: None,
            ..entry.intent.clone()
        },
        task_id: entry.task_id.clone(),
        outcome: entry.standing(),
        finished_at: entry.finished_at,
        url: urls
            .get(&entry.intent.site_id)
            .filter(|_| is_table)
            .cloned(),
        took: entry
            .finished_at
            .filter(|_| is_table && entry.has_ended())
            .map(|end| took(entry.intent.started_at, end)),
    };
    output::table(
        &RESTORES,
        &found.iter().map(row).collect::<Vec<_>>(),
        context.output_options(),
    )
}
