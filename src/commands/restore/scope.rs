//! What of a site is restored: exactly one way to say it.

use super::selection::Selection;
use crate::client::Scope;
use crate::error::{Error, Result, UNSET};

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
    #[arg(long, value_name = "PATH")]
    path: Vec<String>,
    /// Of the database only this table; can be given several times, implies --database
    #[arg(long, value_name = "TABLE")]
    table: Vec<String>,
    /// Of a multisite only this subsite; can be given several times
    #[arg(long, value_name = "ID")]
    subsite: Vec<String>,
    /// The scope as the service takes it, sent as it is
    #[arg(long, value_name = "JSON", conflicts_with_all = ["files", "database", "path", "table", "subsite"])]
    scope_json: Option<String>,
}

/// What of the site is restored.
#[derive(Debug)]
pub enum Wanted {
    /// Said with flags.
    Selected(Selection),
    /// Written by hand, so that no single flag can be blamed.
    ByHand(Scope),
}

impl Wanted {
    /// The scope that is sent.
    ///
    /// # Errors
    /// None in practice: every string is JSON.
    pub fn scope(&self) -> Result<Scope> {
        match self {
            Self::Selected(selection) => selection.scope(),
            Self::ByHand(scope) => Ok(scope.clone()),
        }
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Selected(selection) => selection.describe(),
            Self::ByHand(scope) => format!("the scope {}", scope.raw().get()),
        }
    }

    /// The flag that a problem with this field of the scope is about.
    pub fn flag_of(&self, param: &str) -> Option<String> {
        if matches!(self, Self::ByHand(_)) {
            return Some("--scope-json".into());
        }
        let flag = match param.rsplit('.').next()? {
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

impl ScopeArgs {
    /// What was asked for.
    ///
    /// # Errors
    /// `Usage` where nothing was, or where it cannot be meant.
    pub fn wanted(&self) -> Result<Wanted> {
        if let Some(text) = &self.scope_json {
            return Scope::from_json(text).map(Wanted::ByHand);
        }
        for (flag, values) in [("--path", &self.path), ("--table", &self.table), ("--subsite", &self.subsite)] {
            if values.iter().any(|value| value.trim().is_empty()) {
                return Err(Error::usage(format!("{flag}: the value is empty")).hint(UNSET));
            }
        }
        let selection = Selection {
            files: self.full || self.files || !self.path.is_empty(),
            database: self.full || self.database || !self.table.is_empty(),
            paths: self.path.clone(),
            tables: self.table.clone(),
            subsite_ids: self.subsite.clone(),
        };
        if selection.files || selection.database {
            return Ok(Wanted::Selected(selection));
        }
        Err(match self.subsite.is_empty() {
            false => {
                Error::usage("--subsite narrows a scope, and none is given").hint("add --files, --database or both")
            }
            true => Error::usage("what is to be restored is not said").hint(
                "add --full for everything, or --files and/or --database, narrowed by --path, --table or --subsite",
            ),
        })
    }
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

    fn scope(flags: &[&str]) -> Option<String> {
        let command = Command::try_parse_from([&["x"], flags].concat()).ok()?;
        let scope = command.scope.wanted().and_then(|wanted| wanted.scope());
        scope.ok().map(|scope| scope.raw().get().to_string())
    }

    #[test]
    fn each_way_to_say_it_has_its_body() {
        let cases: [(&[&str], &str); 8] = [
            (&["--full"], r#"{"include_files":true,"include_database":true}"#),
            (&["--files"], r#"{"include_files":true,"include_database":false}"#),
            (&["--database"], r#"{"include_files":false,"include_database":true}"#),
            (&["--files", "--database"], r#"{"include_files":true,"include_database":true}"#),
            (
                &["--path", "a", "--path", "b c"],
                r#"{"include_files":true,"include_database":false,"paths":["a","b c"]}"#,
            ),
            (&["--table", "t", "--files"], r#"{"include_files":true,"include_database":true,"tables":["t"]}"#),
            (
                &["--database", "--subsite", "2"],
                r#"{"include_files":false,"include_database":true,"subsite_ids":["2"]}"#,
            ),
            (&["--scope-json", r#"{"x": 1}"#], r#"{"x": 1}"#),
        ];
        for (flags, body) in cases {
            assert_eq!(scope(flags).as_deref(), Some(body), "{flags:?}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let cases: [&[&str]; 9] = [
            &[],
            &["--full", "--files"],
            &["--full", "--path", "a"],
            &["--subsite", "1"],
            &["--path", ""],
            &["--table", " "],
            &["--full", "--scope-json", "{}"],
            &["--scope-json", "[]"],
            &["--scope-json", "{}", "--subsite", "1"],
        ];
        for flags in cases {
            assert_eq!(scope(flags), None, "{flags:?}");
        }
    }
}
