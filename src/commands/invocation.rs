//! One invocation before its settings are decided. Commands that edit the config file decide them later than others, or
//! against another file.

use crate::client::id_cache::IdCache;
use crate::commands::context::Context;
use crate::config::{BaseUrl, ConfigFile, Environment, Flags, Profile, named_profile, paths};
use crate::error::Result;
use crate::terminal::Ui;
use std::path::PathBuf;

/// The global options, the environment and the terminal.
#[derive(Clone)]
pub struct Invocation {
    pub flags: Flags,
    pub env: Environment,
    pub ui: Ui,
}

impl Invocation {
    /// Returns the path of the config file, which need not exist.
    ///
    /// # Errors
    /// If the platform has no place for it.
    pub fn config_path(&self) -> Result<PathBuf> {
        paths::config_file(&self.env)
    }

    /// Reads the config file, and warns if other users can access it. Without a place for the file, it is empty.
    ///
    /// # Errors
    /// If it is broken or cannot be read.
    pub fn config(&self) -> Result<ConfigFile> {
        let Ok(path) = self.config_path() else { return Ok(ConfigFile::default()) };
        #[cfg(unix)]
        if let Ok(found) = std::fs::metadata(&path)
            && std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0
            && found.is_file()
        {
            let path = path.display().to_string();
            let fix = format!("chmod 600 {}", crate::terminal::arguments(&[&path]));
            self.ui.warn(&format!("other users can access {path}; fix its mode: {fix}"));
        }
        ConfigFile::read(&path)
    }

    /// Decides everything that needs no network.
    ///
    /// # Errors
    /// If a setting or a filter is wrong.
    pub fn context(&self, file: &ConfigFile) -> Result<Context> {
        Context::new(&self.flags, self.env.clone(), self.ui.clone(), file)
    }

    /// Decides the same for a command that can correct the config file: wrong settings in it are ignored.
    ///
    /// # Errors
    /// If something else is wrong.
    pub fn lenient_context(&self, file: &ConfigFile) -> Result<Context> {
        self.context(file).or_else(|_| {
            let flags = Flags { profile: None, ..self.flags.clone() };
            let env = Environment { profile: None, ..self.env.clone() };
            Context::new(&flags, env, self.ui.clone(), &ConfigFile::default())
        })
    }

    /// Returns the profile that the command line, the environment or the config file names.
    pub fn profile<'a>(&'a self, file: &'a ConfigFile) -> Option<&'a str> {
        named_profile(&self.flags, &self.env, file).map(|(name, _)| name)
    }

    /// Clears the cached ids of this profile's account.
    pub fn clear_ids(&self, name: &str, profile: &Profile) {
        let address = profile.base_url.as_deref().and_then(|url| BaseUrl::parse(url, name).ok());
        let (Some(address), Ok(directory)) = (address, paths::state_dir(&self.env)) else { return };
        IdCache::of(&directory, address.as_str(), profile.token.as_ref(), Some(name)).clear();
    }

    /// Returns the invocation with `--profile NAME` and without `--base-url`.
    pub fn with_profile(&self, name: &str) -> Self {
        let flags = Flags { profile: Some(name.into()), base_url: None, ..self.flags.clone() };
        Self { flags, ..self.clone() }
    }
}
