//! The command line of `sitectl restore start`.

use super::watch::FollowArgs;
use crate::commands::consent::ConfirmArgs;
use crate::config::number;
use crate::error::{Error, Result};
use crate::input::InputFormat;
use crate::resources::Scope;
use clap::builder::NonEmptyStringValueParser;
use serde_json::value::RawValue;
use std::path::PathBuf;

const USAGE: &str = "sitectl restore start [OPTIONS] <SITE_ID|URL> <SNAPSHOT_ID|latest> <SCOPE>
       sitectl restore start [OPTIONS] --plan <FILE|->";

const EXAMPLES: &str = "\
Examples:
  sitectl restore start site-0001 latest --full --watch --yes
  sitectl restore start site-0004 snap-0004-2 --table wp_posts --yes
  sitectl restore start site-0005 latest --path wp-content/uploads \\
    --reason hacked --yes
  sitectl restore start https://site-0006.example.com latest \\
    --files --yes
  printf '%s\\n' site_id,snapshot_id,files \\
    site-0007,latest,yes site-0008,latest,yes > plan.csv
  sitectl restore start --plan plan.csv --watch --yes \\
    --failed-to failed.csv

A plan has one row per site. Its columns: site_id, snapshot_id, files, database (yes or no), paths,
tables, subsite_ids (in CSV separated by semicolons). paths implies files, tables implies database.

A run of a plan is identified by the text of the plan. It is finished when every row has started and
ended. --resume sends only the rows that an unfinished run has not started.";

/// Restore a site from a snapshot.
///
/// This overwrites the live site.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
#[command(mut_arg("timeout", |arg| arg.requires("watch")), mut_arg("interval", |arg| arg.requires("watch")))]
pub struct Args {
    /// Id, URL or host name of the site.
    ///
    /// On a terminal, sitectl prompts for a missing site.
    #[arg(value_name = "SITE_ID|URL")]
    pub site_id: Option<String>,
    /// Id of the snapshot, or latest.
    ///
    /// latest is the newest successful snapshot. On a terminal, sitectl prompts for a missing snapshot.
    #[arg(value_name = "SNAPSHOT_ID|latest")]
    pub snapshot_id: Option<String>,
    /// Skip the confirmation.
    ///
    /// A protected profile also requires --confirm.
    #[arg(short, long)]
    pub yes: bool,
    #[command(flatten)]
    pub confirm: ConfirmArgs,
    /// Watch the restore until it finishes.
    ///
    /// The exit code is 0 if it succeeded, 10 if it failed, 11 after --timeout and 12 if the outcome is unknown.
    #[arg(long)]
    pub watch: bool,
    /// Record a reason in the journal
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Restore despite an unfinished restore or run.
    ///
    /// The last restore of the site is still running or unknown, or the last run of the plan is unfinished.
    #[arg(long)]
    pub force: bool,
    /// Show what would be restored
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub scope: ScopeArgs,
    #[command(flatten)]
    pub plan: PlanArgs,
    #[command(flatten, next_help_heading = "With --watch")]
    pub follow: FollowArgs,
}

/// The scope of a restore.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scope")]
pub struct ScopeArgs {
    /// Restore all files and the database
    #[arg(long, conflicts_with_all = ["files", "database", "path", "table", "subsite", "scope_json"])]
    full: bool,
    /// Restore the files
    #[arg(long)]
    files: bool,
    /// Restore the database
    #[arg(long)]
    database: bool,
    /// Restore only this path; repeatable, implies --files
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    path: Vec<String>,
    /// Restore only this table; repeatable, implies --database
    #[arg(long, value_name = "TABLE", value_parser = NonEmptyStringValueParser::new())]
    table: Vec<String>,
    /// Restore only this subsite of a multisite; repeatable
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    subsite: Vec<String>,
    /// Send this JSON object as the scope
    #[arg(long, value_name = "JSON", conflicts_with_all = ["files", "database", "path", "table", "subsite"])]
    scope_json: Option<String>,
}

impl ScopeArgs {
    /// Returns the scope as it is sent.
    ///
    /// # Errors
    /// `Usage` if there is none, or if it is not a JSON object.
    pub fn json(&self) -> Result<Box<RawValue>> {
        if let Some(text) = &self.scope_json {
            let refused = |why: String| {
                Error::usage(format!("--scope-json is not {why}"))
                    .hint(r#"it is an object such as {"include_files":true,"include_database":false}"#)
            };
            let json: Box<RawValue> = serde_json::from_str(text).map_err(|error| refused(format!("JSON: {error}")))?;
            return if json.get().starts_with('{') { Ok(json) } else { Err(refused("a JSON object".into())) };
        }
        let scope = Scope {
            include_files: self.full || self.files || !self.path.is_empty(),
            include_database: self.full || self.database || !self.table.is_empty(),
            paths: self.path.clone(),
            tables: self.table.clone(),
            subsite_ids: self.subsite.clone(),
        };
        if scope.include_files || scope.include_database {
            return scope.json();
        }
        Err(Error::usage("no restore scope specified")
            .hint("add --full for everything, or --files and/or --database, narrowed by --path, --table or --subsite"))
    }

    /// Returns the flag that a problem with this field of the request is about.
    pub fn flag_of(&self, param: &str) -> Option<String> {
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

/// Restores from a file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Many restores")]
pub struct PlanArgs {
    /// Start the restores in a file; - reads stdin
    #[arg(
        long = "plan",
        value_name = "FILE|-",
        conflicts_with_all = ["site_id", "snapshot_id", "full", "files", "database", "path", "table", "subsite", "scope_json"]
    )]
    pub file: Option<String>,
    /// Resume the last run of this plan.
    ///
    /// sitectl sends only rows that were not accepted.
    #[arg(long, requires = "file", conflicts_with_all = ["site_id", "force"])]
    pub resume: bool,
    /// Set the file format [default: from name or content]
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        hide_possible_values = true,
        requires = "file",
        conflicts_with = "site_id"
    )]
    pub input_format: Option<InputFormat>,
    /// Set the number of concurrent requests
    #[arg(long, value_name = "N", default_value_t = 4, requires = "file", conflicts_with = "site_id", value_parser = number::within(1_u16..=64))]
    pub concurrency: u16,
    /// Stop after this many failures
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "site_id", value_parser = number::at_least(1_u32))]
    pub stop_after_failures: Option<u32>,
    /// Write failed rows to this file.
    ///
    /// sitectl replaces an existing file. The format is that of the plan.
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with = "site_id")]
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
    fn there_is_exactly_one_way_to_say_the_scope() {
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
            assert!(!command.is_ok_and(|command| command.scope.json().is_ok()), "{flags:?}");
        }
    }
}
