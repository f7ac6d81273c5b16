//! The command line of `sitectl restore start`.

use crate::commands::{MANY, up_to};
use crate::config::{NameOf, positive_duration};
use crate::error::{Error, Result};
use crate::resources::query::first_instant;
use crate::resources::{RestoreScope, Sites, Snapshots};
use crate::shell::refuse_rewritten_path;
use crate::terminal::Ui;
use clap::ValueHint;
use clap::builder::NonEmptyStringValueParser;
use jiff::Timestamp;
use std::str::FromStr;
use std::time::Duration;

const USAGE: &str = "sitectl restore start [OPTIONS] <SITE> <SNAPSHOT_ID|latest> <SCOPE>
       sitectl restore start [OPTIONS] --plan <FILE|->";

const EXAMPLES: &str = "\
Examples:
  sitectl restore start site-0001 latest --full
  sitectl restore start site-0004 snap-0004-2 --table wp_posts
  sitectl restore start site-0005.example.com latest --files
  sitectl restore start site-0006 latest --before 1d --full --dry-run
  sitectl sites list -o ids --limit 3 > sites.txt
  sitectl restore start --plan sites.txt --full --before 1d

A plan is a list of sites, one per line, or a table with the columns site_id,
snapshot_id, before, scope (as for --scope-json) and reason. The output of sitectl
sites list, of sitectl restore history and of --dry-run with -o csv is a plan, too.";

/// Restore sites from snapshots.
///
/// This overwrites live sites. sitectl checks the site, the snapshot and the scope. Without --yes,
/// it then shows which content will be lost, and asks for confirmation.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
#[command(mut_arg("concurrency", |arg| arg.requires("plan").conflicts_with("site_id")))]
#[command(mut_arg("stop_after_failures", |arg| arg.requires("plan").conflicts_with("site_id")))]
#[command(mut_arg("idempotency_key", |arg| arg.conflicts_with("force")))]
#[command(mut_arg("snapshot", |arg| arg.requires("plan").conflicts_with("site_id")))]
pub struct Args {
    /// Id, URL or host name of the site; omit for a menu
    #[arg(value_name = "SITE")]
    pub site_id: Option<NameOf<Sites>>,
    /// Id of the snapshot, or latest; omit for a menu.
    ///
    /// latest is the newest successful snapshot that the scanner does not call infected. On a
    /// terminal, sitectl also shows a menu for a missing scope.
    #[arg(value_name = "SNAPSHOT_ID|latest")]
    pub snapshot_id: Option<NameOf<Snapshots>>,
    /// Use the latest snapshot before this local time.
    ///
    /// TIME is an RFC 3339 time, a local time such as '2026-11-19 18:00', a date, today, yesterday,
    /// or an age such as 12h, 7d or 2w. A date means its first instant in the local time zone, as
    /// tables on a terminal show it.
    #[arg(long, value_name = "TIME")]
    pub before: Option<Time>,
    #[command(flatten)]
    pub new_run: NewRunArgs,
    /// Start at most one run with this key.
    ///
    /// If the journal has a run with the key, sitectl resumes and reports that run instead. The key
    /// of a run older than 24 hours is refused. Use a new key for each run, such as the id of the
    /// pipeline.
    #[arg(
        long,
        value_name = "KEY",
        value_parser = NonEmptyStringValueParser::new()
    )]
    pub idempotency_key: Option<String>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// Start the restores in a file; - reads stdin
    #[arg(
        long,
        value_name = "FILE|-",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["site_id", "snapshot_id"],
        help_heading = "Many restores"
    )]
    pub plan: Option<String>,
    #[command(flatten)]
    pub plan_args: PlanArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// The options of `restore start` and `restore undo`.
#[derive(Debug, clap::Args)]
pub struct NewRunArgs {
    /// Record a reason in the journal
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Back up each site first; see restore undo.
    ///
    /// sitectl asks the service to sync the site, waits for the new snapshot, and then sends the
    /// restore. Without a new snapshot, the restore stays unsent. To undo the restore, use
    /// sitectl restore undo.
    #[arg(long)]
    pub backup_first: bool,
}

impl NewRunArgs {
    /// Returns the reason without tokens, for the journal.
    pub fn reason(&self, ui: &Ui) -> Option<String> {
        Some(ui.masked(self.reason.as_deref()?))
    }
}

/// The options of all commands that send restores.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// Show the effect without making changes.
    ///
    /// sitectl needs no confirmation. Exit code 0 means that sitectl found no problem.
    #[arg(help_heading = None, long)]
    pub dry_run: bool,
    /// Watch the restores until they finish.
    ///
    /// The exit code is 0 if all succeeded. Otherwise, it is 10 if one failed, 11 if --timeout
    /// ended the wait, 12 if an outcome is unknown, or 9 if only some were started, in this order.
    #[arg(help_heading = None, long, alias = "wait", conflicts_with = "no_watch")]
    pub watch: bool,
    /// Do not watch after a typed confirmation
    #[arg(help_heading = None, long)]
    pub no_watch: bool,
    /// Restore despite the scanner and earlier restores.
    ///
    /// Without --force, sitectl refuses a site whose last restore is running or has an unknown
    /// outcome, and with --yes a snapshot that the scanner calls infected. It also refuses a plan
    /// without a key in which a site was restored successfully from the same snapshot and scope in
    /// the last 24 hours.
    #[arg(help_heading = None, long)]
    pub force: bool,
    /// Leave out sites that cannot be restored now.
    ///
    /// Without --keep-going, --yes starts no restore if one cannot be started. On a terminal, the
    /// prompt shows the sites that are left out. No command sends them later.
    #[arg(help_heading = "Many restores", long)]
    pub keep_going: bool,
    /// Set the number of concurrent requests
    #[arg(help_heading = "Many restores", hide_short_help = true)]
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = up_to::<usize>(64))]
    pub concurrency: usize,
    /// Send no more restores after this many failed requests
    #[arg(help_heading = "Many restores", hide_short_help = true)]
    #[arg(long, value_name = "N", value_parser = up_to::<u32>(MANY))]
    pub stop_after_failures: Option<u32>,
    #[command(flatten, next_help_heading = "Watching")]
    pub polling: PollingArgs,
}

/// The options of watching.
#[derive(Debug, clap::Args)]
pub struct PollingArgs {
    /// Stop watching after this time
    #[arg(long, value_name = "DUR", default_value = "2h", value_parser = positive_duration)]
    pub timeout: Duration,
    /// Set the minimum time between polls of a restore [default: 1s to 10s]
    #[arg(long, value_name = "DUR", hide_short_help = true, value_parser = positive_duration)]
    pub interval: Option<Duration>,
}

/// A point in time, which the user wrote as a time, a date (its first instant) or an age. Without
/// an offset, it is in the local time zone.
#[derive(Debug, Clone)]
pub struct Time {
    /// The value as the user wrote it.
    pub text: String,
    pub timestamp: Timestamp,
}

impl FromStr for Time {
    /// The allowed forms of a time, for the error message.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self {
            timestamp: first_instant(text)?,
            text: text.trim().into(),
        })
    }
}

/// The scope of a restore.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scope")]
pub struct ScopeArgs {
    /// Restore all files and all database tables
    #[arg(
        long,
        conflicts_with_all = ["files", "database", "path", "table", "subsite", "scope_json"]
    )]
    full: bool,
    /// Restore the files
    #[arg(long)]
    files: bool,
    /// Restore the database
    #[arg(long)]
    database: bool,
    /// Narrow the files to this path; implies --files
    #[arg(long, value_name = "PATH", value_parser = parse_path)]
    path: Vec<String>,
    /// Narrow the database to this table; implies --database
    #[arg(
        long,
        value_name = "TABLE",
        value_delimiter = ',',
        value_parser = NonEmptyStringValueParser::new()
    )]
    table: Vec<String>,
    /// Restore only this subsite; add --files or --database.
    ///
    /// --path and --table are also sufficient, because they imply --files and --database.
    #[arg(
        long,
        value_name = "ID",
        value_delimiter = ',',
        value_parser = NonEmptyStringValueParser::new()
    )]
    subsite: Vec<String>,
    /// Send this JSON object as the scope
    #[arg(
        hide_short_help = true,
        long,
        value_name = "JSON",
        value_parser = RestoreScope::parse,
        conflicts_with_all = ["files", "database", "path", "table", "subsite"]
    )]
    scope_json: Option<RestoreScope>,
}

impl ScopeArgs {
    /// Returns the scope; none if no option specifies it. `--scope-json` excludes the other options.
    ///
    /// # Errors
    /// `Usage` if the options contradict each other.
    pub fn to_scope(&self) -> Result<Option<RestoreScope>> {
        if self.scope_json.is_some() {
            return Ok(self.scope_json.clone());
        }
        let scope = RestoreScope {
            include_files: self.full || self.files || !self.path.is_empty(),
            include_database: self.full || self.database || !self.table.is_empty(),
            paths: self.path.clone(),
            tables: self.table.clone(),
            subsite_ids: self.subsite.clone(),
        };
        if scope == RestoreScope::default() {
            return Ok(None);
        }
        if !scope.include_files && !scope.include_database {
            let message = "--subsite requires --files, --database, --path or --table";
            return Err(Error::usage(message)
                .with_hint("add --files or --database, the part of the subsite to restore"));
        }
        scope.check().map_err(|problem| {
            Error::usage(problem)
                .with_hint("make two restores: one of the files, and one of the database")
        })?;
        Ok(Some(scope))
    }

    /// Returns the option or argument that sets this field of the request, such as
    /// `restore.scope.paths`; none for an unknown field. `--scope-json` sets all fields.
    pub fn flag_for_param(&self, param: &str) -> Option<String> {
        let flag = match member_name(param)? {
            "snapshot_id" => "SNAPSHOT_ID",
            _ if self.scope_json.is_some() => "--scope-json",
            "paths" => "--path",
            "tables" => "--table",
            "subsite_ids" => "--subsite",
            "include_files" => "--files",
            "include_database" => "--database",
            _ => return None,
        };
        Some(flag.into())
    }
}

/// Returns the column of a plan that sets this field of the request, such as
/// `restore.scope.paths[0]`; None for an unknown field.
pub fn plan_column(param: &str) -> Option<&'static str> {
    match member_name(param)? {
        "snapshot_id" => Some("snapshot_id"),
        "scope" | "include_files" | "include_database" | "paths" | "tables" | "subsite_ids" => {
            Some("scope")
        }
        _ => None,
    }
}

/// Returns the name of a field without what it is in, such as `paths`.
pub fn member_name(param: &str) -> Option<&str> {
    param.rsplit('.').next()?.split('[').next()
}

fn parse_path(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("the value is empty".into());
    }
    refuse_rewritten_path(text)?;
    Ok(text.into())
}

/// The options of a plan.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Many restores")]
pub struct PlanArgs {
    /// Set the snapshot of rows [default: latest]
    #[arg(long, value_name = "ID|latest", value_parser = NonEmptyStringValueParser::new())]
    pub snapshot: Option<String>,
}
