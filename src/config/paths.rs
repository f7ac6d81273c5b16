//! The directories of sitectl's files on this platform.

use super::Environment;
use crate::error::{Error, Kind, Result};
use directories::ProjectDirs;
use std::path::PathBuf;

/// Returns the path of the config file: `SITECTL_CONFIG`, or `sitectl/config.toml` in the platform's config directory.
///
/// # Errors
/// If no home directory is known.
pub fn config_file(env: &Environment) -> Result<PathBuf> {
    let default = || project("SITECTL_CONFIG").map(|dirs| dirs.config_dir().join("config.toml"));
    env.config.clone().map_or_else(default, Ok)
}

/// Returns the directory of the journal and the sandbox's data: `SITECTL_STATE_DIR`, or the platform's state directory.
///
/// # Errors
/// If no home directory is known.
pub fn state_dir(env: &Environment) -> Result<PathBuf> {
    let directory = |dirs: ProjectDirs| {
        dirs.state_dir()
            .unwrap_or_else(|| dirs.data_local_dir())
            .to_path_buf()
    };
    env.state_dir
        .clone()
        .map_or_else(|| project("SITECTL_STATE_DIR").map(directory), Ok)
}

fn project(variable: &str) -> Result<ProjectDirs> {
    ProjectDirs::from("", "", "sitectl").ok_or_else(|| {
        Error::new(Kind::Error, "no home directory found")
            .with_hint(format!("set HOME or {variable}"))
    })
}
