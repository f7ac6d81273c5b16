//! The config file: named profiles in TOML.

use super::decode_utf_8;
use super::secret::Secret;
use crate::error::{Error, Result};
use crate::shell::set_variable;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// The config file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// The default profile.
    pub current_profile: Option<String>,
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
}

/// The settings of a service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    pub base_url: Option<String>,
    pub token: Option<Secret>,
    /// A program and its arguments that print the token, instead of `token`.
    pub token_command: Option<Vec<String>>,
    /// Whether changes require typing the profile's name.
    pub protected: bool,
    /// Whether changes are refused while the profile is selected.
    pub read_only: bool,
    /// The CA certificates that replace the system's.
    pub ca_cert: Option<PathBuf>,
    pub output: Option<String>,
    /// Records per page.
    pub per_page: Option<NonZeroU32>,
    pub endpoints: Endpoints,
    pub task_states: TaskStates,
}

/// Paths that the spec does not show ("Other operations").
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Endpoints {
    /// Lists the sites.
    pub sites: String,
    /// Shows a site; `{site_id}` stands for its id.
    pub site: String,
    /// Lists a site's snapshots; `{site_id}` stands for its id.
    pub snapshots: String,
    /// Lists the files of a site's snapshot; `{site_id}` stands for the id of the site.
    pub files: String,
    /// Lists the database tables of a site's snapshot; `{site_id}` stands for the id of the site.
    pub tables: String,
    /// Starts a sync of a site; `{site_id}` stands for its id.
    pub sync: String,
    /// Lists the tasks.
    pub tasks: String,
    /// Shows a task; `{task_id}` stands for its id.
    pub task: String,
    /// Cancels a task; `{task_id}` stands for its id.
    pub task_cancel: String,
}

impl Default for Endpoints {
    fn default() -> Self {
        Self {
            sites: "/sites".into(),
            site: "/sites/{site_id}".into(),
            snapshots: "/sites/{site_id}/snapshots".into(),
            files: "/sites/{site_id}/files".into(),
            tables: "/sites/{site_id}/tables".into(),
            sync: "/sites/{site_id}/sync".into(),
            tasks: "/tasks".into(),
            task: "/tasks/{task_id}".into(),
            task_cancel: "/tasks/{task_id}/cancel".into(),
        }
    }
}

impl Endpoints {
    /// Describes the first path that lacks its placeholder, or is not a path with only that one.
    fn problem(&self) -> Option<String> {
        [
            ("sites", &self.sites, ""),
            ("site", &self.site, "{site_id}"),
            ("snapshots", &self.snapshots, "{site_id}"),
            ("files", &self.files, "{site_id}"),
            ("tables", &self.tables, "{site_id}"),
            ("sync", &self.sync, "{site_id}"),
            ("tasks", &self.tasks, ""),
            ("task", &self.task, "{task_id}"),
            ("task_cancel", &self.task_cancel, "{task_id}"),
        ]
        .into_iter()
        .find_map(|(name, path, placeholder)| {
            let rest = path.split_once(placeholder);
            let is_plain = |part: &str| !part.contains(['{', '}']) && !part.contains("://");
            let is_valid = rest.is_some_and(|(start, end)| is_plain(start) && is_plain(end));
            let with = if placeholder.is_empty() {
                "no placeholder"
            } else {
                placeholder
            };
            (!is_valid).then(|| format!("endpoints.{name} is not a path with {with}"))
        })
    }
}

/// Final states of tasks, in any letter case (the spec shows none). A task in any other state is
/// running.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskStates {
    pub succeeded: Vec<String>,
    pub failed: Vec<String>,
}

impl Default for TaskStates {
    fn default() -> Self {
        let succeeded = "succeeded success successful completed complete done finished ok";
        let failed = "failed failure error errored rejected denied refused canceled cancelled \
                      aborted timed_out";
        let states = |names: &str| names.split(' ').map(String::from).collect();
        Self {
            succeeded: states(succeeded),
            failed: states(failed),
        }
    }
}

impl ConfigFile {
    /// Reads the file. A missing file counts as empty. Paths in the file are relative to its
    /// directory.
    ///
    /// # Errors
    /// If the file cannot be read, or is invalid. The error has a line and column, and never shows
    /// the content.
    pub fn read(path: &Path) -> Result<Self> {
        let text = Self::text(path)?;
        let mut file = Self::parse(&text).map_err(|error| error.context(path.display()))?;
        for profile in file.profiles.values_mut() {
            if let Some(ca_cert) = &mut profile.ca_cert {
                *ca_cert = path.with_file_name(&ca_cert);
            }
        }
        Ok(file)
    }

    /// Returns the text of the file; an empty text if the file is missing.
    ///
    /// # Errors
    /// If the file cannot be read, or is not text.
    pub fn text(path: &Path) -> Result<String> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            read => read.map_err(|error| {
                Error::file("read the config file", path, &error).with_hint(format!(
                    "use another config file: {}",
                    set_variable("SITECTL_CONFIG", "FILE")
                ))
            }),
        }?;
        decode_utf_8(&path.display().to_string(), bytes)
            .map_err(|problem| Error::usage(problem).with_hint("save the file as UTF-8"))
    }

    /// Parses a config file.
    ///
    /// # Errors
    /// If the text is invalid.
    pub fn parse(text: &str) -> Result<Self> {
        let file: Self =
            toml_edit::de::from_str(text).map_err(|error| describe_problem(text, &error))?;
        for (name, profile) in &file.profiles {
            let problem = match (&profile.token, profile.token_command.as_deref()) {
                (Some(_), Some(_)) => {
                    format!("profile '{name}' has a token and a token_command: remove one")
                }
                (None, Some([])) => format!("the token_command of profile '{name}' is empty"),
                _ => match profile.endpoints.problem() {
                    Some(problem) => format!("profile '{name}': {problem}"),
                    None => continue,
                },
            };
            return Err(invalid_file(&problem));
        }
        Ok(file)
    }

    /// Returns a copy in which this profile replaces the one with the name, or is added.
    pub fn with_profile(&self, name: &str, profile: Profile) -> Self {
        let mut file = self.clone();
        file.profiles.insert(name.into(), profile);
        file
    }

    /// Returns the profile with this name.
    ///
    /// # Errors
    /// `Usage`, with the existing names.
    pub fn profile(&self, name: &str) -> Result<&Profile> {
        self.profiles.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
            let hint = if names.is_empty() {
                "save a profile: sitectl auth login".into()
            } else {
                format!("use one of: {}", names.join(", "))
            };
            Error::usage(format!("profile '{name}' does not exist")).with_hint(hint)
        })
    }
}

fn invalid_file(problem: &str) -> Error {
    Error::usage(problem).with_hint("correct the file manually; sitectl did not change it")
}

/// Returns the position of the problem and the expected value. The message never shows the actual
/// value, because it may be a token.
fn describe_problem(text: &str, error: &toml_edit::de::Error) -> Error {
    let before = error
        .span()
        .and_then(|span| text.get(..span.start))
        .unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let line_start = before.rsplit('\n').next().unwrap_or_default();
    let column = line_start.chars().count() + 1;
    // serde quotes the actual value before the expected one.
    let message = match error.message().rsplit_once(", expected ") {
        Some((found, expected)) if found.starts_with("invalid ") && found.contains(": ") => {
            format!("expected {expected}")
        }
        _ => error.message().replace('\n', "; "),
    };
    let error = invalid_file(&format!("line {line}, column {column}: {message}"));
    let line = text.lines().nth(line - 1).unwrap_or_default();
    if line.contains('\\') {
        return error.prefix_hint("put a value with a backslash in single quotes");
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        ConfigFile::parse(text)
            .err()
            .map(|error| error.message.clone())
            .unwrap_or_default()
    }

    #[test]
    fn a_value_with_a_backslash_needs_single_quotes() {
        for (value, hints) in [(r#""C:\Users\me""#, 2), ("1", 1)] {
            let error = ConfigFile::parse(&format!("[profiles.a]\nca_cert = {value}\n")).err();
            assert_eq!(error.map(|error| error.hints.len()), Some(hints), "{value}");
        }
    }

    #[test]
    fn an_invalid_file_is_reported_with_its_position() {
        let cases = [
            ("[profiles.a]\ntoken = \"s3cret\n", "line 2"),
            (
                "[profiles.a]\nper_page = 0\n",
                "line 2, column 12: expected a nonzero u32",
            ),
            (
                "[profiles.a]\n\ncolour = 1\n",
                "line 3, column 1: unknown field `colour`",
            ),
            (
                "[profiles.a]\ntoken = \"a\"\ntoken_command = [\"b\"]\n",
                "profile 'a' has a token and a token_command",
            ),
            (
                "[profiles.a]\ntoken_command = []\n",
                "the token_command of profile 'a' is empty",
            ),
            (
                "[profiles.a.endpoints]\nsnapshots = \"/snapshots\"\n",
                "profile 'a': endpoints.snapshots is not a path with {site_id}",
            ),
            (
                "[profiles.a.endpoints]\ntask = \"https://b.example/{task_id}\"\n",
                "endpoints.task is not a path",
            ),
        ];
        for (text, position) in cases {
            assert!(
                message(text).contains(position),
                "{text}: {}",
                message(text)
            );
        }
    }

    #[test]
    fn errors_never_show_the_content() {
        let keys = [
            "current_profile",
            "profiles",
            "a.token",
            "a.token_command",
            "a.protected",
            "a.per_page",
            "a.nothing",
        ];
        let values = [
            "\"s3cret\"",
            "'s3cret",
            "s3cret",
            "[[\"s3cret\"]]",
            "{ x = \"s3cret\" }",
            "73937",
            "\"a s3cret\"",
        ];
        for (key, value) in keys
            .iter()
            .flat_map(|key| values.iter().map(move |value| (key, value)))
        {
            let table = if key.contains('.') { "profiles." } else { "" };
            let message = message(&format!("{table}{key} = {value}\n"));
            assert!(
                !message.contains("s3cret") && !message.contains("73937"),
                "{key} = {value}: {message}"
            );
        }
        assert!(message("profiles.a.token = 73937\n").contains("column 20: expected a string"));
    }
}
