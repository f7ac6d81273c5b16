//! `sitectl restore history`: prints the journal, newest first. It sends no request.

use super::watch::{site_urls, took};
use crate::client::{Address, is_url};
use crate::commands::context::Context;
use crate::config::Format;
use crate::config::number;
use crate::error::{Error, Result};
use crate::journal::{Entry, unfinished};
use crate::output::{self, Rows};
use crate::resources::query::{Edge, Zone, did_you_mean};
use crate::resources::{OUTCOMES, RESTORES, Record};
use crate::terminal::{count, option};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

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
/// Newest first, of all profiles.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Show only restores of this site (id, URL or host name); repeatable
    #[arg(long, value_name = "SITE")]
    site: Vec<String>,
    /// Show only these outcomes, separated by commas [possible values: running, succeeded, failed, refused, unknown]
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',')]
    outcome: Vec<String>,
    /// Show only restores since this time, date or age, such as 7d
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Show only the newest N
    #[arg(long, value_name = "N", value_parser = number::at_least(1_u64))]
    limit: Option<u64>,
}

/// One restore on stdout.
#[derive(Serialize)]
struct Row<'e> {
    started_at: Timestamp,
    user: Option<&'e str>,
    ci_url: Option<&'e str>,
    profile: Option<&'e str>,
    base_url: &'e str,
    site_id: &'e str,
    snapshot_id: &'e str,
    scope: &'e RawValue,
    reason: Option<&'e str>,
    task_id: Option<&'e str>,
    outcome: &'static str,
    finished_at: Option<Timestamp>,
    /// In a table only, as `took`.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took: Option<String>,
}

pub(super) fn run(context: &Context, args: &Args) -> Result<()> {
    context.shape().check_fields(&RESTORES, &[])?;
    let mut problems: Vec<Error> = args.outcome.iter().filter_map(|word| unknown_outcome(word)).collect();
    let urls = site_urls(context);
    let sites: Vec<Result<String>> = args.site.iter().map(|site| site_id(context, &urls, site)).collect();
    let sites: Vec<String> =
        sites.into_iter().filter_map(|site| site.map_err(|error| problems.push(error)).ok()).collect();
    let since = args.since.as_deref().map(moment).transpose();
    let since = since.map_err(|error| problems.push(error)).unwrap_or_default();
    if let Some(error) = Error::all(problems) {
        return Err(error);
    }
    let entries = context.journal()?.entries()?;
    let any = |list: &[String], text: &str| list.is_empty() || list.iter().any(|one| one.trim() == text);
    let is_asked_for = |entry: &&Entry| {
        any(&sites, &entry.intent.site_id)
            && any(&args.outcome, entry.standing())
            && since.is_none_or(|since| entry.intent.started_at >= since)
    };
    let mut found: Vec<&Entry> = entries.iter().rev().filter(is_asked_for).collect();
    // Restores that began at the same time may be in another order.
    found.sort_by_key(|entry| Reverse(entry.intent.started_at));
    let total = found.len();
    found.truncate(args.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX));
    print(context, &urls, &found)?;
    match found.len() {
        0 => context.ui.note("no restores found"),
        shown if shown < total => context.ui.note(&format!("showing the newest {shown} of {total} restores")),
        _ => {}
    }
    if context.settings.format == Format::Table {
        hint_at_unfinished(context, &entries, &found);
    }
    Ok(())
}

fn unknown_outcome(word: &str) -> Option<Error> {
    let word = word.trim();
    let problem = || Error::usage(format!("--outcome: '{word}' is not an outcome")).hint(did_you_mean(word, OUTCOMES));
    (!OUTCOMES.contains(&word)).then(problem)
}

/// Returns the id of a site; that of a URL or host name is looked up among the sites that lists have shown.
fn site_id(context: &Context, urls: &HashMap<String, String>, text: &str) -> Result<String> {
    let address = Address::parse(text).filter(|_| is_url(text) || text.contains('.'));
    let found = address.and_then(|address| urls.iter().find(|(_, url)| Address::parse(url).as_ref() == Some(&address)));
    match found {
        Some((id, _)) => Ok(id.clone()),
        None if is_url(text) => Err(Error::usage(format!("--site: unknown site '{text}'"))
            .hint(format!("list the sites: {} sites list", context.program()))),
        None => Ok(text.trim().into()),
    }
}

fn moment(text: &str) -> Result<Timestamp> {
    let moment = Zone::new(None, Timestamp::now()).moment(text, Edge::First);
    let parse = |text: String| text.parse().map_err(|error: jiff::Error| Error::usage(error.to_string()));
    moment.and_then(parse).map_err(|error| error.context("--since"))
}

fn print(context: &Context, urls: &HashMap<String, String>, found: &[&Entry]) -> Result<()> {
    if context.settings.format == Format::Ids {
        let tasks: Vec<String> = found.iter().filter_map(|entry| entry.task_id.clone()).collect();
        return output::result(&(), &tasks, context.shape());
    }
    let is_table = context.settings.format == Format::Table;
    let mut rows = Rows::new(&RESTORES, context.shape());
    for entry in found {
        let mut row = row(entry);
        if is_table {
            row.url = urls.get(row.site_id).map(String::as_str);
            row.took = row.finished_at.filter(|_| entry.has_ended()).map(|end| took(row.started_at, end));
        }
        rows.row(&Record::whole(serde_json::to_string(&row)?))?;
    }
    rows.finish()
}

fn row(entry: &Entry) -> Row<'_> {
    let intent = &entry.intent;
    Row {
        started_at: intent.started_at,
        user: intent.user.as_deref(),
        ci_url: intent.ci_url.as_deref(),
        profile: intent.profile.as_deref(),
        base_url: &intent.base_url,
        site_id: &intent.site_id,
        snapshot_id: &intent.snapshot_id,
        scope: &intent.scope,
        reason: intent.reason.as_deref(),
        task_id: entry.task_id.as_deref(),
        outcome: entry.standing(),
        // The restore did not end when its response was given up as lost.
        finished_at: entry.finished_at.filter(|_| !entry.is_open()),
        url: None,
        took: None,
    }
}

/// Shows how to watch the unfinished restores, with the profile that each was started with.
fn hint_at_unfinished(context: &Context, entries: &[Entry], shown: &[&Entry]) {
    let mut open = unfinished(entries);
    open.retain(|entry| shown.iter().any(|shown| shown.restore == entry.restore));
    let watch = |entry: &&Entry| match &entry.intent.profile {
        Some(profile) => format!("sitectl {} restore watch", option("--profile", profile)),
        None => format!("{} restore watch", context.program()),
    };
    let commands: BTreeSet<String> = open.iter().map(watch).collect();
    if !commands.is_empty() {
        let commands = commands.into_iter().collect::<Vec<_>>().join("; ");
        context.ui.hint(&format!("watch {}: {commands}", count(open.len(), "unfinished restore")));
    }
}
