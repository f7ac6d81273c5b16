//! `sitectl restore history`: prints the journal, newest first. It sends no request.

use super::row::{Row, is_of_site};
use crate::commands::context::Context;
use crate::commands::{MANY, up_to};
use crate::config::NameOf;
use crate::error::{Error, Hint, Result};
use crate::journal::{Entry, Run};
use crate::output::ResultShape;
use crate::resources::query::{first_instant, last_instant};
use crate::resources::{OUTCOMES, RESTORES, Sites};
use crate::terminal::fold_for_search;
use clap::builder::PossibleValuesParser;
use jiff::Timestamp;
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
  not_sent    not sent, or not processed by the service
  rejected    rejected by the service
  running     not finished when sitectl last checked
  succeeded   finished successfully
  failed      finished with a failure
  unknown     sent, but sitectl cannot determine the result

finished_at and seconds are the times of the service or, if it sends none, those of sitectl.";

/// Show the restores in the journal.
///
/// Lists the restores of all profiles that were started on this machine, newest first. The command
/// sends no request.
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
    #[arg(long, value_name = "TIME", value_parser = first_instant)]
    since: Option<Timestamp>,
    /// Show only restores until this local time, date or age
    #[arg(long, value_name = "TIME", value_parser = last_instant)]
    until: Option<Timestamp>,
    /// Show only the newest N
    #[arg(long, short_aliases = ['n', 'L'], value_name = "N", value_parser = up_to::<usize>(MANY))]
    limit: Option<usize>,
}

impl Args {
    /// Whether a restore matches all filters.
    fn selects(&self, entry: &Entry<'_>) -> bool {
        let started_at = entry.started_at();
        let is_in_time = self.since.is_none_or(|since| started_at >= since)
            && self.until.is_none_or(|until| started_at <= until);
        let has_reason = self.reason.as_ref().is_none_or(|text| {
            let reason = entry.decided().reason.as_deref().unwrap_or_default();
            fold_for_search(reason).contains(&fold_for_search(text))
        });
        let outcome = entry.outcome().name();
        is_in_time
            && has_reason
            && self.run.as_ref().is_none_or(|run| **run == *entry.run.id)
            && (self.site.is_empty() || self.site.iter().any(|site| is_of_site(entry, site)))
            && (self.outcome.is_empty() || self.outcome.iter().any(|name| name == outcome))
    }
}

pub fn run(context: &Context, args: &Args) -> Result<()> {
    context.output().check_fields(&RESTORES, &[])?;
    if let (Some(since), Some(until)) = (args.since, args.until)
        && since > until
    {
        let [since, until] = [since, until].map(|time| context.ui.format_time(time));
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
    let rows: Vec<Row<'_>> = selected.iter().map(|entry| Row::of_entry(*entry)).collect();
    context
        .output()
        .print_rows(&RESTORES, &rows, ResultShape::List)?;
    if selected.is_empty() {
        context
            .ui
            .note("no restores found in the journal of this machine");
        let hint = Hint::command("list the service's tasks", "tasks list");
        context.ui.hint(hint);
    }
    Ok(())
}
