//! What one invocation was given: flags, environment, a person. What follows from it is decided against a config file,
//! by a `Context`; commands that see to the config file itself decide later than others, or against another one.

use crate::client::id_cache::IdCache;
use crate::commands::context::Context;
use crate::commands::permissions;
use crate::config::{BaseUrl, ConfigFile, Environment, Flags, Profile, named_profile, paths};
use crate::error::Result;
use crate::terminal::Ui;
use std::path::PathBuf;

/// One invocation, before anything is decided.
#[derive(Clone)]
pub struct Given {
    /// The global options.
    pub flags: Flags,
    /// The environment.
    pub env: Environment,
    /// The person at the terminal.
    pub ui: Ui,
}

impl Given {
    /// Where the config file is, or would be.
    ///
    /// # Errors
    /// Where the platform names no place for it.
    pub fn config_path(&self) -> Result<PathBuf> {
        paths::config_file(&self.env)
    }

    /// Reads the config file, and warns where others may read it too. Where there is no place for one, there is none.
    ///
    /// # Errors
    /// Where it is broken, or cannot be read.
    pub fn config(&self) -> Result<ConfigFile> {
        let Ok(path) = self.config_path() else { return Ok(ConfigFile::default()) };
        for warning in permissions::warnings(&path, self.env.config.is_none()) {
            self.ui.warn(&warning);
        }
        ConfigFile::read(&path)
    }

    /// Decides everything that needs no network.
    ///
    /// # Errors
    /// Where a setting or a filter is wrong.
    pub fn context(&self, file: &ConfigFile) -> Result<Context> {
        Context::new(&self.flags, self.env.clone(), self.ui.clone(), file)
    }

    /// The same for a command that mends the config file: where that leads nowhere, it says nothing.
    ///
    /// # Errors
    /// Where something else is wrong.
    pub fn lenient_context(&self, file: &ConfigFile) -> Result<Context> {
        self.context(file).or_else(|_| {
            let flags = Flags { profile: None, ..self.flags.clone() };
            let env = Environment { profile: None, ..self.env.clone() };
            Context::new(&flags, env, self.ui.clone(), &ConfigFile::default())
        })
    }

    /// The profile that is named: on the command line, in the environment or as the current one.
    pub fn profile<'a>(&'a self, file: &'a ConfigFile) -> Option<&'a str> {
        named_profile(&self.flags, &self.env, file).map(|(name, _)| name)
    }

    /// Clears the cached ids of this profile's account.
    pub fn clear_ids(&self, name: &str, profile: &Profile) {
        let address = profile.base_url.as_deref().and_then(|url| BaseUrl::parse(url, name).ok());
        let (Some(address), Ok(directory)) = (address, paths::state_dir(&self.env)) else { return };
        IdCache::of(&directory, address.as_str(), profile.token.as_ref(), Some(name)).clear_account();
    }

    /// The same as if the command line had named this profile, and no other address than the profile's.
    pub fn naming(&self, profile: &str) -> Self {
        let flags = Flags { profile: Some(profile.into()), base_url: None, ..self.flags.clone() };
        Self { flags, ..self.clone() }
    }
}
