//! `sitectl restore history`: prints the journal, newest first. It sends no request.

use super::args::Time;
use crate::client::{SiteUrl, is_address};
use crate::commands::context::Context;
use crate::commands::{MANY, up_to};
use crate::config::{NameOf, OutputFormat};
use crate::error::{Error, Result};
use crate::journal::{Entry, Run};
use crate::output;
use crate::resources::query::{DayBoundary, TIME_FORMS, TimeParser};
use crate::resources::{OUTCOMES, Outcome, RESTORES, ServiceTime, Sites};
use crate::terminal::fold_for_search;
use clap::builder::PossibleValuesParser;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use std::cmp::Reverse;

const EXAMPLES: &str = "\
Examples:
  sitectl restore history
  sitectl restore history --site site-0001 --since 7d
  sitectl restore history --outcome running,unknown -o ids
  sitectl restore history --limit 20 -o csv \\
    --fields started_at,user,site_id,outcome
  sitectl restore history --jq 'map(select(.profile == \"live\")) | length'

Outcomes:
  not_sent    not sent, or surely not processed
  rejected    rejected by the service
  running     not finished when sitectl last checked
  succeeded   finished successfully
  failed      finished with a failure
  unknown     sent, but sitectl cannot determine the result
  superseded  not sent or unknown, and a later restore of the site was accepted

finished_at and seconds are the times of the service.";

/// Show the restores in the journal.
///
/// Lists the restores of all profiles, newest first. The command sends no request.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Show only restores of this site (id, URL or host name); repeatable
    #[arg(long, value_name = "SITE")]
    site: Vec<NameOf<Sites>>,
    /// Show only restores of this run
    #[arg(long, value_name = "RUN")]
    run: Option<NameOf<Run>>,
    /// Show only restores whose reason contains this text, in any letter case
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Show only these outcomes, separated by commas
    #[arg(
        long,
        value_name = "OUTCOME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(OUTCOMES)
    )]
    outcome: Vec<String>,
    /// Show only restores since this local time, date or age, such as 7d
    #[arg(long, value_name = "TIME")]
    since: Option<Time>,
    /// Show only restores until this local time, date or age
    #[arg(long, value_name = "TIME", value_parser = last_instant)]
    until: Option<Timestamp>,
    /// Show only the newest N
    #[arg(long, value_name = "N", value_parser = up_to::<usize>(MANY))]
    limit: Option<usize>,
}

impl Args {
    /// Whether a restore matches all filters.
    fn selects(&self, entry: &Entry<'_>) -> bool {
        let started_at = entry.started_at();
        let is_in_time = self
            .since
            .as_ref()
            .is_none_or(|since| started_at >= since.timestamp)
            && self.until.is_none_or(|until| started_at <= until);
        let has_reason = self.reason.as_ref().is_none_or(|text| {
            let reason = entry.run.details.reason.as_deref().unwrap_or_default();
            fold_for_search(reason).contains(&fold_for_search(text))
        });
        let outcome = entry.outcome.name();
        is_in_time
            && has_reason
            && self.run.as_ref().is_none_or(|run| **run == *entry.run.id)
            && (self.site.is_empty() || self.site.iter().any(|site| is_of_site(entry, site)))
            && (self.outcome.is_empty() || self.outcome.iter().any(|name| name == outcome))
    }
}

/// Parses a time of which a date means its last instant.
fn last_instant(text: &str) -> Result<Timestamp, String> {
    TimeParser::local(Timestamp::now())
        .parse(text, DayBoundary::End)
        .ok_or_else(|| TIME_FORMS.into())
}

/// One restore on stdout.
#[derive(Serialize)]
struct HistoryRow<'r> {
    run: &'r str,
    started_at: Timestamp,
    user: Option<&'r str>,
    ci_url: Option<&'r str>,
    profile: Option<&'r str>,
    base_url: &'r str,
    site_id: &'r str,
    url: Option<&'r str>,
    snapshot_id: &'r str,
    taken_at: Option<&'r ServiceTime>,
    scope: &'r RawValue,
    reason: Option<&'r str>,
    task_id: Option<&'r str>,
    outcome: Outcome,
    finished_at: Option<&'r ServiceTime>,
    seconds: Option<i64>,
}

impl<'r> HistoryRow<'r> {
    fn new(entry: &Entry<'r>) -> Self {
        let details = &entry.run.details;
        let decided = &entry.restore.decided;
        let observation = entry.restore.observation();
        Self {
            run: &entry.run.id,
            started_at: entry.started_at(),
            user: details.user.as_deref(),
            ci_url: details.ci_url.as_deref(),
            profile: details.profile.as_deref(),
            base_url: &details.base_url,
            site_id: &decided.site_id,
            url: decided.url.as_deref(),
            snapshot_id: &decided.snapshot_id,
            taken_at: decided.taken_at.as_ref(),
            scope: &decided.scope,
            reason: details.reason.as_deref(),
            task_id: entry.restore.task_id(),
            outcome: entry.outcome,
            finished_at: observation.and_then(|seen| seen.finished_at.as_ref()),
            seconds: observation.and_then(|seen| seen.seconds),
        }
    }
}

pub fn run(context: &Context, args: &Args) -> Result<()> {
    context.output_options().check_fields(&RESTORES, &[])?;
    if let (Some(since), Some(until)) = (&args.since, args.until)
        && since.timestamp > until
    {
        let [since, until] = [since.timestamp, until].map(|time| context.ui.format_time(time));
        let message = format!("--since {since} is after --until {until}");
        return Err(Error::usage(message).with_hint("swap the two times"));
    }
    let journal = context.journal()?;
    let runs = journal.read()?;
    let mut selected: Vec<Entry<'_>> = runs
        .entries()
        .rev()
        .filter(|entry| args.selects(entry))
        .collect();
    // The journal is only roughly in this order, because several processes write to it. Restores
    // with equal times stay in reverse order of the journal, because the sort is stable.
    selected.sort_by_key(|entry| Reverse(entry.started_at()));
    selected.truncate(args.limit.unwrap_or(usize::MAX));
    print_history(context, &selected)?;
    if selected.is_empty() {
        context.ui.note("no restores found");
    }
    // `restore watch` watches only the restores of the active service.
    let any_running = selected
        .iter()
        .any(|entry| entry.outcome == Outcome::Running && runs.is_of_service(entry.run));
    if context.settings.format == OutputFormat::Table && any_running {
        let program = context.program();
        let hint = format!("watch the running restores: {program} restore watch");
        context.ui.hint(&hint);
    }
    Ok(())
}

/// Whether a restore is one of the site with this id or address, as the journal has them.
fn is_of_site(entry: &Entry<'_>, text: &str) -> bool {
    let url = entry
        .restore
        .decided
        .url
        .as_deref()
        .and_then(SiteUrl::parse);
    let address = SiteUrl::parse(text).filter(|_| is_address(text));
    entry.site_id() == text.trim() || (address.is_some() && url == address)
}

fn print_history(context: &Context, entries: &[Entry<'_>]) -> Result<()> {
    let mut task_ids = Vec::new();
    for entry in entries {
        task_ids.extend(entry.restore.task_id().map(String::from));
    }
    let rows: Vec<_> = entries.iter().map(HistoryRow::new).collect();
    output::print_rows(&RESTORES, &rows, &task_ids, context.output_options())
}
