//! The command line of `sitectl restore start`.

use super::watch::PollingArgs;
use crate::commands::consent::ConfirmArgs;
use crate::config::{NameOf, number};
use crate::error::Result;
use crate::input::InputFormat;
use crate::resources::query::{DayBoundary, TIME_FORMS, TimeParser};
use crate::resources::{Scope, Sites, Snapshots};
use crate::terminal::shell_option;
use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, ValueHint};
use jiff::Timestamp;
use serde_json::value::RawValue;
use std::path::PathBuf;
use std::str::FromStr;

const USAGE: &str = "sitectl restore start [OPTIONS] <SITE> <SNAPSHOT_ID|latest> <SCOPE>
       sitectl restore start [OPTIONS] --plan <FILE|->";

const EXAMPLES: &str = "\
Examples:
  sitectl restore start site-0001 latest --full --watch --yes
  sitectl restore start site-0004 snap-0004-2 --table wp_posts --yes
  sitectl restore start site-0005.example.com latest --files --yes
  sitectl restore start site-0006 latest --before 1d --full --dry-run
  sitectl sites list -o ids --limit 3 > sites.txt
  sitectl restore start --plan sites.txt --full --before 1d --yes

A plan has one row per site. Its columns: site_id, snapshot_id, before, files,
database (yes or no), paths, tables, subsite_ids (in CSV separated by
semicolons). paths implies files, and tables implies database. A list of
sites, one per line, is also a plan. Rows without a snapshot, a time or a scope
use --snapshot, --before and the scope options.

The text of a plan and the options for its rows identify its runs. A run is
finished when every row has started and ended. --resume starts only the rows
that have not started.";

/// Restore sites from snapshots.
///
/// This overwrites live sites. sitectl checks the site, the snapshot and the scope, shows the
/// content that will be lost, and asks for confirmation.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
#[command(mut_arg("confirm", |arg| arg.hide_short_help(true)))]
#[command(mut_arg("timeout", |arg| arg.requires("watch")))]
#[command(mut_arg("interval", |arg| arg.requires("watch")))]
pub struct Args {
    /// Id, URL or host name of the site.
    ///
    /// On a terminal, sitectl prompts for a missing site.
    #[arg(value_name = "SITE")]
    pub site_id: Option<NameOf<Sites>>,
    /// Id of the snapshot, or latest.
    ///
    /// latest is the newest successful snapshot. On a terminal, sitectl prompts for a missing
    /// snapshot.
    #[arg(value_name = "SNAPSHOT_ID|latest")]
    pub snapshot_id: Option<NameOf<Snapshots>>,
    /// Use the latest snapshot taken before this time.
    ///
    /// TIME is an RFC 3339 time, a local time such as '2026-11-19 18:00', a date, or an age such as
    /// 12h, 7d or 2w. A date means its first instant in the local time zone, as tables on a
    /// terminal show it.
    #[arg(long, value_name = "TIME")]
    pub before: Option<Time>,
    /// Show the effect without making changes.
    ///
    /// sitectl needs no confirmation, and exits with the same code as the start.
    #[arg(long)]
    pub dry_run: bool,
    /// Skip the confirmation.
    ///
    /// A protected profile also requires --confirm.
    #[arg(short, long)]
    pub yes: bool,
    #[command(flatten)]
    pub confirm: ConfirmArgs,
    /// Watch the restore until it finishes.
    ///
    /// The exit code is 0 if it succeeded, 10 if it failed, 11 after --timeout and 12 if the
    /// outcome is unknown.
    #[arg(long)]
    pub watch: bool,
    /// Record a reason in the journal
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Restore despite an unfinished restore or run.
    ///
    /// It is required if the last restore of the site is still running or unknown, or the last run
    /// of the plan is unfinished.
    #[arg(long)]
    pub force: bool,
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
    #[command(flatten, next_help_heading = "With --watch")]
    pub polling: PollingArgs,
}

impl Args {
    /// Returns the options that decide which restores are started, as text to append to a command:
    /// each option begins with a space. `SITE` and `SNAPSHOT_ID` are not options.
    pub fn restore_options(&self) -> String {
        let scope = &self.scope;
        let mut options = String::new();
        for (flag, is_set) in [
            ("--full", scope.full),
            ("--files", scope.files),
            ("--database", scope.database),
        ] {
            if is_set {
                options += &format!(" {flag}");
            }
        }
        for (flag, values) in [
            ("--path", &scope.path),
            ("--table", &scope.table),
            ("--subsite", &scope.subsite),
        ] {
            for value in values {
                options += &format!(" {}", shell_option(flag, value));
            }
        }
        let scope_json = scope.scope_json.as_ref();
        for (flag, value) in [
            ("--scope-json", scope_json.map(|json| json.get())),
            ("--snapshot", self.plan_args.snapshot.as_deref()),
            ("--before", self.before.as_ref().map(|time| &*time.text)),
        ] {
            if let Some(value) = value {
                options += &format!(" {}", shell_option(flag, value));
            }
        }
        options
    }
}

/// A point in time, which the user wrote as a time, a date (its first instant) or an age. Without
/// an offset, it is in the local time zone.
#[derive(Debug, Clone)]
pub struct Time {
    /// The value as the user wrote it.
    text: String,
    pub timestamp: Timestamp,
}

impl FromStr for Time {
    /// The allowed forms of a time, for the error message.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let timestamp = TimeParser::local(Timestamp::now())
            .parse(text, DayBoundary::Start)
            .ok_or(TIME_FORMS)?;
        Ok(Self {
            text: text.trim().into(),
            timestamp,
        })
    }
}

/// The scope of a restore.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scope")]
// Without one of these parts, `--subsite` would select nothing.
#[command(group = ArgGroup::new("part")
    .args(["files", "database", "path", "table"])
    .multiple(true))]
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
    /// Restore only this path; implies --files
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    path: Vec<String>,
    /// Restore only this table; implies --database
    #[arg(long, value_name = "TABLE", value_parser = NonEmptyStringValueParser::new())]
    table: Vec<String>,
    /// Restore only this subsite of a multisite; repeatable
    #[arg(
        long,
        value_name = "ID",
        requires = "part",
        value_parser = NonEmptyStringValueParser::new()
    )]
    subsite: Vec<String>,
    /// Send this JSON object as the scope
    #[arg(
        hide_short_help = true,
        long,
        value_name = "JSON",
        value_parser = parse_json_object,
        conflicts_with_all = ["files", "database", "path", "table", "subsite"]
    )]
    scope_json: Option<Box<RawValue>>,
}

impl ScopeArgs {
    /// Returns the scope as it is sent; none if no option specifies it. `--scope-json` is sent
    /// unchanged, and excludes the other options.
    pub fn to_json(&self) -> Result<Option<Box<RawValue>>> {
        let scope = Scope {
            include_files: self.full || self.files || !self.path.is_empty(),
            include_database: self.full || self.database || !self.table.is_empty(),
            paths: self.path.clone(),
            tables: self.table.clone(),
            subsite_ids: self.subsite.clone(),
        };
        if scope.include_files || scope.include_database {
            scope.json().map(Some)
        } else {
            Ok(self.scope_json.clone())
        }
    }

    /// Returns the option or argument that sets this field of the request, such as
    /// `restore.scope.paths`; none for an unknown field. `--scope-json` sets all fields.
    pub fn flag_for_param(&self, param: &str) -> Option<String> {
        let flag = match param.rsplit('.').next()? {
            _ if self.scope_json.is_some() => "--scope-json",
            "paths" => "--path",
            "tables" => "--table",
            "subsite_ids" => "--subsite",
            "include_files" => "--files",
            "include_database" => "--database",
            "snapshot_id" => "SNAPSHOT_ID",
            _ => return None,
        };
        Some(flag.into())
    }
}

fn parse_json_object(text: &str) -> Result<Box<RawValue>, String> {
    match serde_json::from_str::<Box<RawValue>>(text) {
        Ok(json) if json.get().starts_with('{') => Ok(json),
        _ => Err(
            r#"expected a JSON object such as {"include_files":true,"include_database":false}"#
                .into(),
        ),
    }
}

/// The options of a plan.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Many restores")]
#[group(requires = "plan", conflicts_with = "site_id")]
pub struct PlanArgs {
    /// Set the snapshot of rows [default: latest]
    #[arg(long, value_name = "ID|latest", value_parser = NonEmptyStringValueParser::new())]
    pub snapshot: Option<String>,
    /// Resume the last run of this plan.
    ///
    /// sitectl starts only the rows that have not started.
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// Set the file format [default: from name or content]
    #[arg(
        hide_short_help = true,
        long,
        value_name = "FORMAT",
        value_enum,
        hide_possible_values = true
    )]
    pub input_format: Option<InputFormat>,
    /// Set the number of concurrent requests
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::within(1_u16..=64))]
    pub concurrency: u16,
    /// Stop after this many failures
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = number::within(1_u32..))]
    pub stop_after_failures: Option<u32>,
    /// Write failed rows to this file.
    ///
    /// sitectl replaces an existing file, and uses the format of the plan.
    #[arg(long, value_name = "FILE")]
    pub failed_to: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        scope: ScopeArgs,
    }

    #[test]
    fn refuses_a_missing_or_contradictory_scope() {
        let cases: [&[&str]; 9] = [
            &[],
            &["--full", "--files"],
            &["--full", "--path", "a"],
            &["--subsite", "1"],
            &["--path", ""],
            &["--full", "--scope-json", "{}"],
            &["--scope-json", "[]"],
            &["--scope-json", "{}x"],
            &["--scope-json", "{}", "--subsite", "1"],
        ];
        for flags in cases {
            let command = Command::try_parse_from([&["x"], flags].concat());
            assert!(
                !command.is_ok_and(|command| matches!(command.scope.to_json(), Ok(Some(_)))),
                "{flags:?}"
            );
        }
    }

    #[test]
    fn reads_a_time_a_date_or_an_age() {
        let time = |text: &str| text.parse::<Time>().map(|time| time.timestamp);
        assert!(time("2h").is_ok_and(|at| at < Timestamp::now()) && time("soon").is_err());
    }
}
