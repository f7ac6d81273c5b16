//! `sitectl snapshots latest`: the newest usable snapshot of each site.

use super::reading::read_snapshots;
use crate::client::{
    Api, are_newest_first, has_ended, latest_snapshot, newer_unusable_snapshots,
    require_snapshot_of_site, taken_at,
};
use crate::commands::context::Context;
use crate::commands::list::contains_text;
use crate::commands::restore::Time;
use crate::commands::sites::find::{AccountSites, Site};
use crate::config::{NameOf, duration};
use crate::error::{Error, Kind, Result};
use crate::output;
use crate::resources::{LATEST_SNAPSHOTS, Record, SITES, ServiceTime, Sites, scanner_word};
use crate::terminal::{fold_for_search, pluralize};
use clap::builder::NonEmptyStringValueParser;
use jiff::Timestamp;
use serde::Serialize;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  sitectl snapshots latest
  sitectl snapshots latest site-0001 site-0002.example.com
  sitectl snapshots latest --older-than 2d -o ids
  sitectl snapshots latest --search bakery --before 2d -o csv > plan.csv
  sitectl restore start --plan plan.csv --full --dry-run

A site without such a snapshot has no snapshot_id; --older-than shows it too. passed_over is the
number of newer snapshots that failed or are infected; with --before, only those before that time.
-o ids prints the ids of the sites.";

/// Show the newest snapshot of each site that can be restored.
///
/// It has succeeded, and the scanner does not call it infected. Without sites and --search, checks
/// all sites of the account, with at least one request per site. The CSV or JSON output is a plan
/// for restore start --plan.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Ids, URLs or host names of sites [default: all]
    #[arg(value_name = "SITE")]
    sites: Vec<NameOf<Sites>>,
    /// Use the latest snapshot taken before this local time, date or age
    #[arg(long, value_name = "TIME")]
    before: Option<Time>,
    /// Show only sites whose snapshot is older, such as 36h or 2d
    #[arg(long, value_name = "AGE", value_parser = duration::parse)]
    older_than: Option<Duration>,
    /// Search ids, titles and URLs of sites
    #[arg(
        long,
        value_name = "TEXT",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with = "sites"
    )]
    search: Option<String>,
}

impl Args {
    /// Returns the sites of the command line, or those of the account that contain the text of
    /// `--search`; each once.
    ///
    /// # Errors
    /// The errors of sites that are not found, or of the list.
    async fn select_sites(&self, context: &Context, api: &Api) -> Result<Vec<Site>> {
        if !self.sites.is_empty() {
            let texts: Vec<&str> = self.sites.iter().map(|site| &**site).collect();
            let sites = AccountSites::read_for(context, api, &texts).await?;
            let sites = sites.find_all(&texts)?.into_iter();
            return Ok(sites.map(Site::from_record).collect());
        }
        let text = self.search.as_deref().map(fold_for_search);
        let is_selected = |site: &&Record| {
            text.as_ref()
                .is_none_or(|text| contains_text(&SITES, site, text))
        };
        let sites = AccountSites::read(context, api).await?;
        let sites = sites.list()?.iter().filter(is_selected);
        Ok(sites.map(Site::from_record).collect())
    }

    /// Whether a row is selected. A snapshot of unknown age is not known to be recent.
    fn selects(&self, row: &LatestRow<'_>) -> bool {
        match (self.older_than, row.age_seconds) {
            (Some(limit), Some(age)) => {
                i64::try_from(limit.as_secs()).is_ok_and(|limit| age > limit)
            }
            _ => true,
        }
    }
}

/// A site and its newest usable snapshot.
#[derive(Serialize)]
struct LatestRow<'s> {
    site_id: &'s str,
    url: Option<&'s str>,
    snapshot_id: Option<String>,
    taken_at: Option<ServiceTime>,
    age_seconds: Option<i64>,
    scanner: Option<String>,
    /// The number of newer snapshots that ended and are not usable; None if the time of the
    /// snapshot is unknown.
    passed_over: Option<usize>,
}

impl<'s> LatestRow<'s> {
    /// Finds the snapshot of a site.
    ///
    /// # Errors
    /// If it is not known which snapshot is the newest.
    fn new(
        site: &'s Site,
        snapshots: &[Record],
        before: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Self> {
        let latest = latest_snapshot(snapshots, before)?;
        let mut row = Self {
            site_id: &site.id,
            url: site.url.as_deref(),
            snapshot_id: None,
            taken_at: None,
            age_seconds: None,
            scanner: latest.as_ref().and_then(scanner_word),
            passed_over: None,
        };
        let mut newer_than = Some(Timestamp::MIN);
        if let Some(snapshot) = &latest {
            require_snapshot_of_site(snapshot, &site.id)?;
            row.snapshot_id = snapshot.id();
            row.taken_at = taken_at(snapshot);
            newer_than = row.taken_at.as_ref().map(|time| time.instant);
            row.age_seconds = newer_than.map(|at| now.duration_since(at).as_secs());
        }
        row.passed_over = newer_than.map(|time| {
            let newer = newer_unusable_snapshots(snapshots, time, before);
            newer.iter().filter(|snapshot| has_ended(snapshot)).count()
        });
        Ok(row)
    }
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    context
        .output_options()
        .check_fields(&LATEST_SNAPSHOTS, &[])?;
    let api = context.api().await?;
    let sites = args.select_sites(context, &api).await?;
    let site_ids = sites.iter().map(|site| site.id.as_str()).collect();
    let before = args.before.as_ref().map(|time| time.timestamp);
    let is_enough = |page: &[Record]| {
        are_newest_first(page) && latest_snapshot(page, before).is_ok_and(|latest| latest.is_some())
    };
    let hint = "; for ages alone, sitectl sites check takes fewer";
    let mut snapshots = read_snapshots(context, &api, site_ids, is_enough, hint).await?;
    let now = Timestamp::now();
    let mut rows = Vec::new();
    let mut errors = Vec::new();
    for site in &sites {
        let Some(list) = snapshots.remove(&site.id) else {
            continue;
        };
        match list.and_then(|list| LatestRow::new(site, &list, before, now)) {
            Ok(row) => rows.push(row),
            Err(error) => errors.push(error.context(&site.id)),
        }
    }
    rows.retain(|row| args.selects(row));
    let ids: Vec<String> = rows.iter().map(|row| row.site_id.into()).collect();
    output::print_rows(
        &LATEST_SNAPSHOTS,
        &rows,
        &ids,
        false,
        context.output_options(),
    )?;
    if sites.is_empty() {
        context.ui.note("no sites found");
    } else if rows.is_empty() && errors.is_empty() {
        context.ui.note("all snapshots are recent enough");
    }
    let missing = rows.iter().filter(|row| row.snapshot_id.is_none()).count();
    if missing > 0 {
        let sites = pluralize(missing, "site");
        let note = format!("no usable snapshot found for {sites}");
        context.ui.note(&note);
    }
    let is_partial = errors.len() < sites.len();
    match Error::combine(errors) {
        // The other sites are known.
        Some(error) if is_partial => Err(error.with_kind(Kind::Incomplete)),
        Some(error) => Err(error),
        None => Ok(()),
    }
}
