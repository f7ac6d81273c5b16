//! The config file: named profiles in TOML.

use super::secret::Secret;
use crate::error::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// The profile that is used where none is named.
    pub current_profile: Option<String>,
    /// The profiles by name.
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
}

/// One service and how to use it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// The service's address.
    pub base_url: Option<String>,
    /// The API token.
    pub token: Option<Secret>,
    /// A program and its arguments that print the token, in place of one that is kept here.
    pub token_command: Option<Vec<String>>,
    /// Whether each change asks for the profile's name.
    pub protected: bool,
    /// The certificates that the service's own is checked against, in place of the system's.
    pub ca_cert: Option<PathBuf>,
    /// The output format.
    pub output: Option<String>,
    /// Rows to ask for in one page.
    pub per_page: Option<u32>,
    /// Paths that the interface leaves open.
    pub endpoints: Endpoints,
    /// Words that end a task.
    pub task_states: TaskStates,
}

/// Where the operations are whose paths the spec does not show ("Other operations").
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Endpoints {
    /// Show a task; `{task_id}` stands for its id.
    pub task: String,
    /// List the sites.
    pub sites: String,
    /// List a site's snapshots; `{site_id}` stands for its id.
    pub snapshots: String,
}

impl Default for Endpoints {
    fn default() -> Self {
        Self { task: "/tasks/{task_id}".into(), sites: "/sites".into(), snapshots: "/sites/{site_id}/snapshots".into() }
    }
}

/// Which task states are final (the spec shows none). Compared ignoring case; any other state is still running.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskStates {
    /// The task did what it was started for.
    pub succeeded: Vec<String>,
    /// The task ended without.
    pub failed: Vec<String>,
}

impl Default for TaskStates {
    fn default() -> Self {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        Self {
            succeeded: words(&["succeeded", "success", "successful", "completed", "complete", "done", "finished"]),
            failed: words(&["failed", "failure", "error", "errored", "canceled", "cancelled", "aborted", "timed_out"]),
        }
    }
}

impl ConfigFile {
    /// Reads the file; a missing one is an empty one.
    ///
    /// # Errors
    /// Where it cannot be read, or is not a config file: then with line and column, and never with its content.
    pub fn read(path: &Path) -> Result<Self> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map_err(|error| error.context(path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(Error::file("read the config file", path, &error)),
        }
    }

    fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error| {
            let (line, column) = position(text, error.span().map_or(0, |span| span.start));
            Error::usage(format!("line {line}, column {column}: {}", error.message().replace('\n', "; ")))
                .hint("mend the file by hand; sitectl has not changed it")
        })
    }

    /// The profile of this name.
    ///
    /// # Errors
    /// `Usage` with the names there are.
    pub fn profile(&self, name: &str) -> Result<&Profile> {
        self.profiles.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
            let hint = if names.is_empty() {
                "the config file has no profiles".into()
            } else {
                format!("there are: {}", names.join(", "))
            };
            Error::usage(format!("there is no profile named '{name}'")).hint(hint)
        })
    }
}

/// The line and column, both from 1, of a byte offset.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_profiles_and_fills_in_what_is_absent() -> Result<()> {
        let file = ConfigFile::parse(
            "current_profile = \"live\"\n[profiles.live]\nbase_url = \"https://service.example/api/v6\"\ntoken = \"abc\"\n\
             [profiles.live.endpoints]\ntask = \"/jobs/{task_id}\"\n[profiles.live.task_states]\nfailed = [\"broken\"]\n",
        )?;
        let profile = file.profile("live")?;
        assert_eq!(profile.endpoints.task, "/jobs/{task_id}");
        assert_eq!(profile.endpoints.sites, "/sites");
        assert_eq!(profile.task_states.failed, ["broken"]);
        assert_eq!(profile.task_states.succeeded, TaskStates::default().succeeded);
        assert!(file.profile("test").is_err());
        Ok(())
    }

    #[test]
    fn says_where_it_is_broken_and_never_shows_the_token() {
        let cases = [
            ("[profiles.a]\ntoken = \"s3cret\n", "line 2"),
            ("[profiles.a]\ntoken = 73937\n", "line 2"),
            ("[profiles.a]\ntoken = [\"s3cret\"]\n", "line 2"),
            ("[profiles.a]\nper_page = \"many\"\n", "line 2, column 12"),
            ("[profiles.a]\n\ncolour = 1\n", "line 3, column 1"),
        ];
        for (text, place) in cases {
            let message = ConfigFile::parse(text).err().map(|error| error.message.clone()).unwrap_or_default();
            assert!(message.contains(place), "{text}: {message}");
            assert!(!message.contains("s3cret") && !message.contains("73937"), "{message}");
        }
    }
}
