//! `sitectl sites check`: which sites need attention, from the list of sites.

use crate::client::{Api, MAX_REQUESTS_IN_FLIGHT, created_at};
use crate::commands::context::Context;
use crate::commands::find_sites::{AccountSites, TagArgs, fails_other_requests};
use crate::config::{NameOf, duration};
use crate::error::{Error, Hint, Kind, Result};
use crate::output::ResultShape;
use crate::resources::{Record, SITE_CHECKS, Sites, has_succeeded, is_infection, is_scanner_off};
use crate::terminal::pluralize;
use clap::ValueEnum;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  sitectl sites check
  sitectl sites check --older-than 7d
  sitectl sites check --only hacked,vulnerable -o ids
  sitectl sites check --untagged
  sitectl sites check site-0021.example.com --json

Problems:
  hacked            the scanner calls the site hacked
  vulnerable        the core is vulnerable, or updates of high risk wait
  disconnected      the service has no connection to the site
  backups_off       backups are not enabled
  no_recent_backup  no snapshot younger than --older-than has succeeded,
                    whether backups are enabled or not
  sync_failed       the last synchronization failed
  not_checked       the record lacks a field that other records have, a
                    request failed or, with --only hacked, the scanner is off

The exit code is 13 if a check could be made on no site, and it was chosen with --only or no
other check could be made. Otherwise, it is 14 if a site needs attention, or 0.";

/// Show the sites that need attention.
///
/// Reads the list of sites, hacked ones first. A site takes another request only if the list does
/// not show that its newest snapshot succeeded. Without sites, checks all sites of the account.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("tag", |arg| arg.conflicts_with("sites")))]
#[command(mut_arg("untagged", |arg| arg.conflicts_with("sites")))]
pub struct Args {
    /// Ids, URLs or host names of sites [default: all]
    #[arg(value_name = "SITE")]
    sites: Vec<NameOf<Sites>>,
    #[command(flatten)]
    tags: TagArgs,
    /// Require a successful snapshot that is not older
    #[arg(long, value_name = "AGE", default_value = "2d", value_parser = duration::parse)]
    older_than: Duration,
    /// Check only these problems; separate several with commas
    #[arg(long, value_name = "PROBLEM", value_enum, value_delimiter = ',')]
    #[arg(hide_possible_values = true)]
    only: Vec<SiteProblem>,
}

/// A reason why a site needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
enum SiteProblem {
    Hacked,
    Vulnerable,
    Disconnected,
    BackupsOff,
    NoRecentBackup,
    SyncFailed,
    #[value(skip)]
    NotChecked,
}

/// What the record of a site shows of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    Found,
    NotFound,
    /// Nothing: it lacks the field, or has a word in it that nobody knows.
    Unknown,
    /// The snapshots of the site show it.
    InSnapshots,
}

impl From<Option<bool>> for Finding {
    fn from(is_found: Option<bool>) -> Self {
        match is_found {
            Some(true) => Self::Found,
            Some(false) => Self::NotFound,
            None => Self::Unknown,
        }
    }
}

impl SiteProblem {
    /// The name in results and for `--only`.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or("not_checked".into(), |value| value.get_name().into())
    }

    fn find_in(self, site: &Record) -> Finding {
        let word_at = |path| Some(site.text_at(path)?.to_lowercase());
        let one_of = |path, bad: &str, good: &str| match word_at(path)? {
            word if word == bad => Some(true),
            word if word == good => Some(false),
            _ => None,
        };
        let is_hacked = |word: String| {
            let is_hacked = is_infection(&word);
            let is_known = is_hacked || (word == "clean" && !is_scanner_off(site));
            is_known.then_some(is_hacked)
        };
        let is_found = match self {
            Self::Hacked => word_at("security.scanner.status").and_then(is_hacked),
            Self::Vulnerable => is_vulnerable(site),
            Self::Disconnected => one_of("connection.status", "disconnected", "connected"),
            Self::BackupsOff => one_of("backups.enabled", "false", "true"),
            Self::NoRecentBackup
                if site
                    .value("backups")
                    .is_some_and(|backups| backups.is_object()) =>
            {
                return Finding::InSnapshots;
            }
            Self::SyncFailed => one_of("sync.last_sync_status", "failed", "succeeded"),
            Self::NoRecentBackup | Self::NotChecked => None,
        };
        is_found.into()
    }
}

/// Returns the problems that a record shows without a request.
pub fn shown_problems(site: &Record) -> String {
    let problems = SiteProblem::value_variants().iter().copied();
    let found = problems.filter(|problem| problem.find_in(site) == Finding::Found);
    join(&found.collect::<Vec<_>>())
}

/// Whether the core of a site is vulnerable, or updates of high risk wait; None if the record shows
/// neither.
fn is_vulnerable(site: &Record) -> Option<bool> {
    let core = site
        .text_at("wp.core.vulnerable")
        .map(|core| core == "true");
    let high = ["plugins", "themes"]
        .iter()
        .filter_map(|kind| site.text_at(&format!("wp.updates.{kind}.risk.high")))
        .filter_map(|number| number.parse::<u64>().ok())
        .reduce(u64::saturating_add)
        .map(|number| number > 0);
    match (core, high) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (None, None) => None,
        _ => Some(false),
    }
}

/// A site with problems.
#[derive(Serialize)]
struct SiteCheck {
    site_id: String,
    url: Option<String>,
    title: Option<String>,
    client_id: Option<String>,
    /// The name of the client.
    client: Option<String>,
    problems: Vec<SiteProblem>,
    /// The checks that could not be made.
    #[serde(skip)]
    unchecked: Vec<SiteProblem>,
    #[serde(skip)]
    lacks_scanner: bool,
    /// When the scanner found malware, if the site is hacked.
    hacked_since: Option<String>,
    /// The time of the newest snapshot, whatever its status is.
    snapshot_at: Option<String>,
    snapshot_status: Option<String>,
    /// When the last successful restore of the journal ended.
    restored_at: Option<String>,
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    context.output().check_fields(&SITE_CHECKS, &[])?;
    let api = context.api().await?;
    let sites = select_sites(context, &api, args).await?;
    let chosen: Vec<SiteProblem> = SiteProblem::value_variants()
        .iter()
        .copied()
        .filter(|problem| args.only.is_empty() || args.only.contains(problem))
        .collect();
    // A scanner that is off shows nothing, but the field is there.
    let is_in_record = |problem: &SiteProblem, site| {
        let is_off = *problem == SiteProblem::Hacked && is_scanner_off(site);
        is_off || problem.find_in(site) != Finding::Unknown
    };
    let is_in_records = |problem: &SiteProblem| {
        sites.is_empty() || sites.iter().any(|site| is_in_record(problem, site))
    };
    let (problems, left_out): (Vec<_>, Vec<_>) =
        chosen.iter().partition(|problem| is_in_records(problem));
    let checker = Checker {
        api: &api,
        problems: &problems,
        needs_scanner: args.only.contains(&SiteProblem::Hacked),
        older_than: args.older_than,
        now: Timestamp::now(),
    };
    let counter = context
        .ui
        .counter_with_total("sites checked", sites.len() as u64);
    let checks = stream::iter(&sites)
        .map(|site| checker.check(site))
        .buffered(MAX_REQUESTS_IN_FLIGHT)
        .try_collect();
    let mut checks: Vec<SiteCheck> = counter.while_waiting(checks).await?;
    let summary = summary(&problems, &left_out, &checks);
    let is_unmade = |problem: &&SiteProblem| {
        let mut checks = checks.iter();
        left_out.contains(problem) || checks.all(|check| check.unchecked.contains(problem))
    };
    let unmade: Vec<SiteProblem> = chosen.iter().filter(is_unmade).copied().collect();
    let is_incomplete = !checks.is_empty()
        && !unmade.is_empty()
        && (!args.only.is_empty() || unmade.len() == chosen.len());
    checks.retain(|check| !check.problems.is_empty());
    let journal = context.journal()?;
    match journal.read() {
        Ok(runs) => {
            for check in &mut checks {
                check.restored_at = runs.last_success_of_site(&check.site_id);
            }
        }
        Err(error) => context.ui.warn(&error.message),
    }
    checks.sort_by_key(|check| !check.problems.contains(&SiteProblem::Hacked));
    let output = context.output();
    let is_checked = |check: &&SiteCheck| check.problems != [SiteProblem::NotChecked];
    let is_printed = |check: &&SiteCheck| is_checked(check) || !output.prints_ids();
    let printed: Vec<&SiteCheck> = checks.iter().filter(is_printed).collect();
    output.print_rows(&SITE_CHECKS, &printed, ResultShape::List)?;
    if left_out.is_empty() {
        context.ui.note(&summary);
    } else {
        context.ui.announce(&summary);
    }
    if is_incomplete {
        let message = format!("no site could be checked for {}", join(&unmade));
        return Err(
            Error::new(Kind::Incomplete, message).with_hint(Hint::command(
                "show the fields of a site",
                "sites list --limit 1 --json",
            )),
        );
    }
    if checks.is_empty() {
        return Ok(());
    }
    let sites = pluralize(sites.len(), "site");
    let verb = if checks.len() == 1 { "needs" } else { "need" };
    let message = format!("{} of {sites} {verb} attention", checks.len());
    let hint = Hint::command("show a site", "sites show SITE");
    Err(Error::new(Kind::Attention, message).with_hint(hint))
}

/// Returns the records of the sites of the command line, each once, or of all sites.
async fn select_sites(context: &Context, api: &Api, args: &Args) -> Result<Vec<Record>> {
    if args.sites.is_empty() {
        let sites = AccountSites::read(context, api).await?;
        let mut sites = sites.list()?.to_vec();
        if let Some(mut tags) = args.tags.filter() {
            tags.apply(&mut sites);
            tags.require_existing()?;
        }
        return Ok(sites);
    }
    let texts: Vec<&str> = args.sites.iter().map(|site| &**site).collect();
    let sites = AccountSites::read_for(context, api, &texts).await?;
    Ok(sites.find_all(&texts)?.into_iter().cloned().collect())
}

/// Says what was checked on how many sites, and what could not be.
fn summary(problems: &[SiteProblem], left_out: &[SiteProblem], checks: &[SiteCheck]) -> String {
    let sites = pluralize(checks.len(), "site");
    let mut summary = format!("checked {sites} for {}", join(problems));
    if problems.is_empty() {
        summary = format!("checked nothing on {sites}");
    }
    let unchecked = problems.iter().filter_map(|problem| {
        let lacks = |check: &&SiteCheck| check.unchecked.contains(problem);
        let count = checks.iter().filter(lacks).count();
        (count > 0).then(|| format!("{} on {}", problem.name(), pluralize(count, "site")))
    });
    let unchecked: Vec<String> = unchecked.collect();
    if !unchecked.is_empty() {
        summary += &format!("; could not check {}", unchecked.join(", "));
    }
    let without_scanner = checks.iter().filter(|check| check.lacks_scanner).count();
    if problems.contains(&SiteProblem::Hacked) && without_scanner > 0 {
        summary += &format!("; no scanner on {}", pluralize(without_scanner, "site"));
    }
    if !left_out.is_empty() {
        summary += &format!("; no record has the fields for {}", join(left_out));
    }
    summary
}

fn join(problems: &[SiteProblem]) -> String {
    let names: Vec<String> = problems.iter().map(|problem| problem.name()).collect();
    names.join(", ")
}

/// Checks sites, one at a time.
struct Checker<'c> {
    api: &'c Api,
    problems: &'c [SiteProblem],
    /// Whether a site without a scanner is not checked.
    needs_scanner: bool,
    older_than: Duration,
    now: Timestamp,
}

impl Checker<'_> {
    /// Returns the problems of a site. A request that failed is one of them.
    ///
    /// # Errors
    /// An error that would fail all other requests too.
    async fn check(&self, site: &Record) -> Result<SiteCheck> {
        let mut problems = Vec::new();
        let backups = site.value("backups").unwrap_or_default();
        let mut newest = Record::from_json(backups["latest_snapshot"].to_string());
        let mut unchecked = Vec::new();
        for problem in self.problems {
            let finding = match problem.find_in(site) {
                Finding::InSnapshots => self.find_recent_backup(site, &mut newest).await?,
                finding => finding,
            };
            let is_hacked = *problem == SiteProblem::Hacked;
            match finding {
                Finding::Found => problems.push(*problem),
                Finding::NotFound => {}
                _ if is_hacked && is_scanner_off(site) && !self.needs_scanner => {}
                _ => unchecked.push(*problem),
            }
        }
        if !unchecked.is_empty() {
            problems.push(SiteProblem::NotChecked);
        }
        let is_hacked = problems.contains(&SiteProblem::Hacked);
        let since = site.text_at("security.scanner.malware_detected_at");
        Ok(SiteCheck {
            site_id: site.id().unwrap_or_default(),
            url: site.text("url"),
            title: site.text("title"),
            client_id: site.text_at("client.id"),
            client: site.text_at("client.name"),
            problems,
            unchecked,
            lacks_scanner: is_scanner_off(site),
            hacked_since: since.filter(|_| is_hacked),
            snapshot_at: newest.text("created_at"),
            snapshot_status: newest.text("status"),
            restored_at: None,
        })
    }

    /// Finds out whether a site lacks a recent successful snapshot. Only a site whose newest snapshot
    /// did not succeed takes a request: if backups are off, only a recent one. Sets `newest`, the
    /// newest snapshot of the record, if the record has none.
    async fn find_recent_backup(&self, site: &Record, newest: &mut Record) -> Result<Finding> {
        if has_succeeded(newest) && created_at(newest).is_some() {
            return Ok(Some(!self.is_recent(newest)).into());
        }
        let backups_are_off = site.text_at("backups.enabled").as_deref() == Some("false");
        // Nothing succeeded since, because this is the newest one, if there is one.
        if backups_are_off && !self.is_recent(newest) {
            return Ok(Finding::Found);
        }
        let id = site.id().unwrap_or_default();
        let snapshots = match self.api.snapshots_until(&id, |_| true).await {
            Ok(snapshots) => snapshots,
            Err(error) if fails_other_requests(&error) => return Err(error),
            Err(_) => return Ok(Finding::Unknown),
        };
        if newest.text("created_at").is_none()
            && newest.text("status").is_none()
            && let Some(snapshot) = snapshots.iter().max_by_key(|snapshot| created_at(snapshot))
        {
            *newest = snapshot.clone();
        }
        let mut succeeded = snapshots.iter().filter(|snapshot| has_succeeded(snapshot));
        Ok(Some(!succeeded.any(|snapshot| self.is_recent(snapshot))).into())
    }

    fn is_recent(&self, snapshot: &Record) -> bool {
        let limit = SignedDuration::try_from(self.older_than).unwrap_or(SignedDuration::MAX);
        created_at(snapshot).is_some_and(|at| self.now.duration_since(at) <= limit)
    }
}
