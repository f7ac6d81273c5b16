//! Where sitectl keeps its files on this platform.

use super::Environment;
use crate::error::{Error, Kind, Result};
use directories::ProjectDirs;
use std::path::PathBuf;

/// The config file: `SITECTL_CONFIG`, or `sitectl/config.toml` in the platform's config directory.
///
/// # Errors
/// If the platform names no such directory.
pub fn config_file(env: &Environment) -> Result<PathBuf> {
    match &env.config {
        Some(path) => Ok(path.clone()),
        None => project("SITECTL_CONFIG").map(|dirs| dirs.config_dir().join("config.toml")),
    }
}

/// The directory of the journal and the sandbox's data: `SITECTL_STATE_DIR`, or the platform's state directory.
///
/// # Errors
/// If the platform names no such directory.
pub fn state_dir(env: &Environment) -> Result<PathBuf> {
    match &env.state_dir {
        Some(path) => Ok(path.clone()),
        None => project("SITECTL_STATE_DIR")
            .map(|dirs| dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).to_path_buf()),
    }
}

fn project(variable: &str) -> Result<ProjectDirs> {
    ProjectDirs::from("", "", "sitectl").ok_or_else(|| {
        Error::new(Kind::Error, "there is no home directory to keep files in")
            .hint(format!("set HOME, or {variable} to a path of your choice"))
    })
}
