//! The directories of sitectl's files on this platform.

use super::Environment;
use crate::error::{Error, Kind, Result};
use directories::ProjectDirs;
use std::path::PathBuf;

/// The paths of sitectl's own files. Each returns an error if no home directory is known and no
/// variable specifies the path.
impl Environment {
    /// Returns the path of the config file, which need not exist: `SITECTL_CONFIG`, or
    /// `sitectl/config.toml` in the platform's config directory.
    pub fn config_file(&self) -> Result<PathBuf> {
        match &self.config {
            Some(path) => Ok(path.clone()),
            None => Ok(platform("SITECTL_CONFIG")?.config_dir().join("config.toml")),
        }
    }

    /// Returns the directory of the journal and of the sandbox: `SITECTL_STATE_DIR`, or the
    /// platform's state directory.
    pub fn state_dir(&self) -> Result<PathBuf> {
        if let Some(path) = &self.state_dir {
            if path.is_absolute() {
                return Ok(path.clone());
            }
            // In another directory, the journal would be another file.
            let message = format!(
                "SITECTL_STATE_DIR is not an absolute path: {}",
                path.display()
            );
            return Err(Error::usage(message).with_hint("set an absolute path"));
        }
        let platform = platform("SITECTL_STATE_DIR")?;
        let directory = platform.state_dir();
        Ok(directory.unwrap_or(platform.data_local_dir()).into())
    }

    /// Returns the directory of the sandbox, which has a journal and cached ids of its own.
    pub fn sandbox_dir(&self) -> Result<PathBuf> {
        Ok(self.state_dir()?.join("sandbox"))
    }

    /// Returns the database of `--sandbox` and `sandbox serve`.
    #[cfg(feature = "sandbox")]
    pub fn sandbox_database(&self) -> Result<PathBuf> {
        Ok(self.sandbox_dir()?.join("sandbox.db"))
    }
}

fn platform(variable: &str) -> Result<ProjectDirs> {
    ProjectDirs::from("", "", "sitectl").ok_or_else(|| {
        Error::new(Kind::Error, "no home directory found")
            .with_hint(format!("set HOME or {variable}"))
    })
}
