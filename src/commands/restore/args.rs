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

/// Restore a site from a snapshot. This overwrites the live site.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
#[command(mut_arg("timeout", |arg| arg.requires("watch")), mut_arg("interval", |arg| arg.requires("watch")))]
pub struct Args {
    /// The site's id or its URL; without it, on a terminal and with a scope, a list to choose from
    #[arg(value_name = "SITE_ID|URL")]
    pub site_id: Option<String>,
    /// The snapshot's id, or latest: the newest that has succeeded; without it, on a terminal and with a scope, a list to
    /// choose from
    #[arg(value_name = "SNAPSHOT_ID|latest")]
    pub snapshot_id: Option<String>,
    /// Do not ask; a protected profile still asks for its name
    #[arg(short, long)]
    pub yes: bool,
    #[command(flatten)]
    pub confirm: ConfirmArgs,
    /// Watch it until it ends; the exit code tells how
    #[arg(long)]
    pub watch: bool,
    /// Why; kept in the journal
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Start it even if the last restore of the site is still running or unknown, or the last run of the plan is unfinished
    #[arg(long)]
    pub force: bool,
    /// Show what would be restored, without starting anything
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
#[command(next_help_heading = "Scope (one of --full, --files and/or --database, --scope-json)")]
pub struct ScopeArgs {
    /// All files and the whole database
    #[arg(long, conflicts_with_all = ["files", "database", "path", "table", "subsite", "scope_json"])]
    full: bool,
    /// The files
    #[arg(long)]
    files: bool,
    /// The database
    #[arg(long)]
    database: bool,
    /// Of the files only this path; can be given several times, implies --files
    #[arg(long, value_name = "PATH", value_parser = NonEmptyStringValueParser::new())]
    path: Vec<String>,
    /// Of the database only this table; can be given several times, implies --database
    #[arg(long, value_name = "TABLE", value_parser = NonEmptyStringValueParser::new())]
    table: Vec<String>,
    /// Of a multisite only this subsite; can be given several times
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    subsite: Vec<String>,
    /// The scope as the service takes it, sent as it is
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
    /// A file of restores (.csv, .json, .ndjson or .yaml), or - for stdin
    #[arg(
        long = "plan",
        value_name = "FILE|-",
        conflicts_with_all = ["site_id", "snapshot_id", "full", "files", "database", "path", "table", "subsite", "scope_json"]
    )]
    pub file: Option<String>,
    /// Continue the last run of this plan, if it is unfinished: only rows that were not accepted are sent
    #[arg(long, requires = "file", conflicts_with_all = ["site_id", "force"])]
    pub resume: bool,
    /// The format of the file: csv, json, ndjson or yaml [default: by its name, else by what is in it]
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        hide_possible_values = true,
        requires = "file",
        conflicts_with = "site_id"
    )]
    pub input_format: Option<InputFormat>,
    /// Requests to start a restore that are sent at the same time
    #[arg(long, value_name = "N", default_value_t = 4, requires = "file", conflicts_with = "site_id", value_parser = number::within(1_u16..=64))]
    pub concurrency: u16,
    /// Start no more when so many could not be started
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "site_id", value_parser = number::at_least(1_u32))]
    pub stop_after_failures: Option<u32>,
    /// Write the rows that failed, if any, to this file, in the format of the plan; it is replaced
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
