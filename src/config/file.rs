//! The config file: named profiles in TOML.

use super::broken;
use super::secret::Secret;
use crate::error::{Error, Result};
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The largest file, in bytes: what is larger was not written as one.
const LARGEST: u64 = 1 << 20;
/// What is said of a device, a pipe or a directory.
pub(super) const NO_FILE: &str = "it is not a file";
/// How many rows can be asked for in one page.
pub const PER_PAGE: RangeInclusive<u32> = 1..=1_000_000;

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// The profile that is used where none is named.
    pub current_profile: Option<String>,
    /// The profiles by name.
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
}

/// One service and how to use it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
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
    #[serde(deserialize_with = "per_page")]
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
        Self::parse(&Self::text(path)?).map_err(|error| error.context(path.display()))
    }

    /// The file's text; that of a missing one is empty.
    ///
    /// # Errors
    /// Where it cannot be read, or is no text.
    pub(super) fn text(path: &Path) -> Result<String> {
        match contents(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            Err(error) => {
                Err(Error::file("read the config file", path, &error).hint("SITECTL_CONFIG names another one"))
            }
            Ok(bytes) => String::from_utf8(bytes).map_err(|error| broken::no_text(&error).context(path.display())),
        }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Where it is not that of a config file.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let file = toml_edit::de::from_str(text).map_err(|error| broken::unreadable(text, &error))?;
        broken::contradiction(text, &file).map_or(Ok(file), Err)
    }

    /// The profile of this name.
    ///
    /// # Errors
    /// `Usage` with the names there are.
    pub fn profile(&self, name: &str) -> Result<&Profile> {
        self.profiles.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.profiles.keys().map(String::as_str).collect();
            let hint = if names.is_empty() {
                "the config file has no profiles; sitectl auth login makes one".into()
            } else {
                format!("there are: {}", names.join(", "))
            };
            Error::usage(format!("there is no profile named '{name}'")).hint(hint)
        })
    }
}

/// A number of rows that `--per-page` takes too.
fn per_page<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let rows = u32::deserialize(deserializer)?;
    let expected = format!("a number from {} to {}", PER_PAGE.start(), PER_PAGE.end());
    let refused = || D::Error::invalid_value(Unexpected::Unsigned(rows.into()), &expected.as_str());
    PER_PAGE.contains(&rows).then_some(Some(rows)).ok_or_else(refused)
}

/// What is in the file. From a device or a pipe there might be no end; `/dev/null` is how to say that there is no file.
fn contents(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !std::fs::metadata(path)?.is_file() {
        let is_null = std::fs::canonicalize(path).is_ok_and(|path| path == Path::new("/dev/null"));
        return if is_null { Ok(bytes) } else { Err(std::io::Error::other(NO_FILE)) };
    }
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => Err(std::io::Error::other(format!("it is larger than {} MiB", LARGEST >> 20))),
        false => Ok(bytes),
    }
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
}
