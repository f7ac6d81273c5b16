//! The context of one invocation: resolved settings, terminal, and on first use the API client and the journal.

use crate::client::id_cache::{IdCache, ShownIds};
use crate::client::{Api, Connection, Exchange, Observer};
use crate::commands::token_command;
use crate::config::{
    BaseUrl, CaCert, ConfigFile, Environment, Flags, Profile, Secret, Settings, Source, Target,
    Token, Trusted, named_profile, paths,
};
use crate::error::{Error, Kind, Result};
use crate::journal::Journal;
use crate::output::OutputOptions;
use crate::sandbox;
use crate::terminal::{Ui, shell_arguments, shell_option};
use std::path::PathBuf;
use std::time::Duration;

/// The context of one invocation.
pub struct Context {
    /// The terminal.
    pub ui: Ui,
    /// The settings from flags, environment and config file.
    pub settings: Settings,
    /// The global options.
    pub flags: Flags,
    /// The environment.
    pub env: Environment,
    /// The config file.
    pub file: ConfigFile,
    output_options: OutputOptions,
}

impl Context {
    /// Resolves the settings, and sends nothing.
    ///
    /// # Errors
    /// If a setting or a filter is wrong.
    pub fn new(flags: Flags, env: Environment, ui: Ui, file: ConfigFile) -> Result<Self> {
        let settings = Settings::resolve(&flags, &env, &file)?;
        Self::with(settings, flags, env, ui, file)
    }

    /// Resolves the settings for a command that can correct the config file: an invalid profile counts as empty.
    ///
    /// # Errors
    /// If something else is wrong.
    pub fn lenient(flags: Flags, env: Environment, ui: Ui, file: ConfigFile) -> Result<Self> {
        let resolved = Settings::resolve(&flags, &env, &file);
        let settings = resolved.or_else(|error| match named_profile(&flags, &env, &file) {
            Some((name, _)) => {
                Settings::resolve(&flags, &env, &file.with(name, Profile::default()))
            }
            None => Err(error),
        })?;
        Self::with(settings, flags, env, ui, file)
    }

    fn with(
        settings: Settings,
        flags: Flags,
        env: Environment,
        ui: Ui,
        file: ConfigFile,
    ) -> Result<Self> {
        settings
            .target
            .known_token()
            .iter()
            .for_each(|token| ui.keep_secret(token));
        let output_options = OutputOptions::new(&flags, settings.format, &ui)?;
        Ok(Self {
            ui,
            settings,
            flags,
            env,
            file,
            output_options,
        })
    }

    /// Returns the context of a command with `--profile NAME` after the profile has been saved.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_profile(&self, name: &str, profile: &Profile) -> Result<Self> {
        let flags = Flags {
            profile: Some(name.into()),
            base_url: None,
            ..self.flags.clone()
        };
        Self::new(
            flags,
            self.env.clone(),
            self.ui.clone(),
            self.file.with(name, profile.clone()),
        )
    }

    /// Returns the profile that the command line, the environment or the config file names.
    pub fn profile(&self) -> Option<&str> {
        named_profile(&self.flags, &self.env, &self.file).map(|(name, _)| name)
    }

    /// Returns how to print results.
    pub fn output_options(&self) -> &OutputOptions {
        &self.output_options
    }

    /// Returns the API client. With `--sandbox`, starts the sandbox in this process first.
    ///
    /// # Errors
    /// `Usage` without a usable base URL, `Auth` without a token.
    pub async fn api(&self) -> Result<Api> {
        self.api_showing(false).await
    }

    /// Returns the API client; `heads` shows the status and headers of each response.
    ///
    /// # Errors
    /// As [`Self::api`].
    pub async fn api_showing(&self, heads: bool) -> Result<Api> {
        let (base_url, token) = match &self.settings.target {
            Target::Sandbox => self.start_sandbox()?,
            service @ Target::Service { token, .. } => {
                (service.base_url()?, secret(token.as_ref()).await?)
            }
        };
        self.ui.keep_secret(&token);
        if base_url.suggestion().is_some() {
            self.ui.warn(&format!(
                "the base URL {} does not end in /api/v6",
                base_url.as_str()
            ));
        }
        let ids = ShownIds::new(
            self.id_cache()
                .ok()
                .filter(|_| !self.env.keeps_nothing_seen),
            token.clone(),
        );
        let connection = Connection {
            trusted: self.trusted(&base_url)?,
            base_url,
            token,
            request_timeout: self.flags.request_timeout,
            retries: self.flags.retries,
            observer: Box::new(Watcher(self.ui.clone(), heads)),
        };
        let (endpoints, task_states) = (
            self.settings.endpoints.clone(),
            self.settings.task_states.clone(),
        );
        Ok(Api::new(connection, endpoints, task_states, ids))
    }

    /// Returns the base URL; with `--sandbox`, that of `sandbox serve`.
    ///
    /// # Errors
    /// `Usage` without a usable base URL.
    pub fn base_url(&self) -> Result<BaseUrl> {
        match &self.settings.target {
            Target::Sandbox => BaseUrl::parse(&sandbox::usual_base_url(), "the sandbox"),
            service @ Target::Service { .. } => service.base_url(),
        }
    }

    /// Returns the certificates to trust instead of the system's, if any and if the connection uses TLS.
    fn trusted(&self, base_url: &BaseUrl) -> Result<Option<Trusted>> {
        let named = self
            .settings
            .ca_cert
            .as_ref()
            .filter(|_| base_url.is_encrypted());
        named.map(CaCert::read).transpose()
    }

    /// Returns the path of the config file, which need not exist.
    ///
    /// # Errors
    /// If the platform has no place for it.
    pub fn config_path(&self) -> Result<PathBuf> {
        paths::config_file(&self.env)
    }

    /// Returns the journal.
    ///
    /// # Errors
    /// If no state directory is known.
    pub fn journal(&self) -> Result<Journal> {
        self.state_dir().map(|directory| Journal::new(&directory))
    }

    /// Returns the cached ids of this account.
    ///
    /// # Errors
    /// If no state directory is known, or no usable base URL.
    pub fn id_cache(&self) -> Result<IdCache> {
        let (directory, service) = (self.state_dir()?, self.base_url_for_display()?);
        let token = self.settings.target.known_token();
        Ok(IdCache::of(
            &directory,
            &service,
            token.as_ref(),
            self.settings.profile_of_host.as_deref(),
        ))
    }

    /// Returns the configured base URL.
    ///
    /// # Errors
    /// `Usage` without a usable base URL.
    pub fn base_url_for_display(&self) -> Result<String> {
        match &self.settings.target {
            Target::Sandbox => Ok("sandbox".into()),
            service @ Target::Service { .. } => Ok(service.base_url()?.as_str().to_string()),
        }
    }

    /// Returns the canonical base URL, which identifies the service in the journal.
    ///
    /// # Errors
    /// `Usage` without a usable base URL.
    pub fn service_key(&self) -> Result<String> {
        self.base_url_for_display()
            .map(|name| BaseUrl::canonical(&name))
    }

    /// Returns the directory of the journal and the cached ids. The sandbox has its own, which a reset clears.
    fn state_dir(&self) -> Result<PathBuf> {
        match self.settings.target {
            Target::Sandbox => self.sandbox_dir(),
            Target::Service { .. } => paths::state_dir(&self.env),
        }
    }

    /// Clears the cached ids of all services, so that completion offers none of a removed account.
    pub fn clear_ids(&self) {
        if let Ok(directory) = paths::state_dir(&self.env) {
            IdCache::clear(&directory);
        }
    }

    /// Returns the directory of the sandbox.
    ///
    /// # Errors
    /// If no state directory is known.
    pub fn sandbox_dir(&self) -> Result<PathBuf> {
        Ok(paths::state_dir(&self.env)?.join("sandbox"))
    }

    /// Returns the database of `--sandbox` and `sandbox serve`.
    ///
    /// # Errors
    /// If no state directory is known.
    pub fn sandbox_database(&self) -> Result<PathBuf> {
        Ok(self.sandbox_dir()?.join("sandbox.db"))
    }

    /// Returns the beginning of a command line for the same service, for hints that can be pasted.
    pub fn program(&self) -> String {
        match (&self.settings.target, &self.settings.profile) {
            (Target::Sandbox, _) => "sitectl --sandbox".into(),
            (_, Some(profile)) => format!("sitectl {}", shell_option("--profile", profile)),
            (target, None) if target.base_url_source() == Some(Source::Flag) => {
                self.base_url_for_display().map_or("sitectl".into(), |url| {
                    format!("sitectl {}", shell_option("--base-url", &url))
                })
            }
            _ => "sitectl".into(),
        }
    }

    /// Adds to the error of a missing record the command that lists such records.
    pub fn hint_list(&self, error: Error, noun: &str) -> Error {
        match error.kind {
            Kind::NotFound => error.with_fallback_hint(|| {
                format!("list the existing {noun}: {} {noun} list", self.program())
            }),
            _ => error,
        }
    }

    /// Adds to the error of a missing task the command that lists tasks.
    pub fn hint_tasks(&self, error: Error) -> Error {
        match error.kind {
            Kind::NotFound => error.with_hint(format!(
                "list the tasks of restores: {} restore history",
                self.program()
            )),
            _ => error,
        }
    }

    fn start_sandbox(&self) -> Result<(BaseUrl, Secret)> {
        let database = self.sandbox_database()?;
        let options = sandbox::Options {
            database,
            ..sandbox::Options::default()
        };
        let start = || {
            let sandbox = sandbox::Sandbox::bind(options)?;
            let base_url = sandbox.base_url();
            sandbox.spawn().map(|()| base_url)
        };
        let base_url = start().map_err(|error: anyhow::Error| sandbox_error("start", &error))?;
        Ok((
            BaseUrl::parse(&base_url, "the sandbox")?,
            Secret::new(sandbox::TOKEN, "the sandbox")?,
        ))
    }
}

/// Returns the checked token.
async fn secret(token: Option<&Token>) -> Result<Secret> {
    match token {
        Some(Token::Command(command)) => token_command::run(command).await,
        Some(Token::Environment(text)) => Secret::new(text, "SITECTL_TOKEN"),
        Some(Token::Profile(secret)) => Ok(secret.clone()),
        None => Err(Error::new(Kind::Auth, "no API token specified")
            .with_hint("set SITECTL_TOKEN, or save a token: sitectl auth login")),
    }
}

/// Creates an error of the sandbox itself.
pub fn sandbox_error(doing: &str, error: &anyhow::Error) -> Error {
    Error::new(
        Kind::Error,
        format!("could not {doing} the sandbox: {error:#}"),
    )
    .with_hint("use another state directory: export SITECTL_STATE_DIR=DIR")
}

/// Reads the config file, and warns if other users can access it. Without a place for the file, it is empty.
///
/// # Errors
/// If it is broken or cannot be read.
pub fn config(env: &Environment, ui: &Ui) -> Result<ConfigFile> {
    let Ok(path) = paths::config_file(env) else {
        return Ok(ConfigFile::default());
    };
    #[cfg(unix)]
    if let Ok(found) = std::fs::metadata(&path)
        && std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0
        && found.is_file()
    {
        let path = path.display().to_string();
        ui.warn(&format!(
            "other users can access {path}; fix its mode: chmod 600 {}",
            shell_arguments(&[&path])
        ));
    }
    ConfigFile::read(&path)
}

/// Shows the reports of the client on stderr.
struct Watcher(Ui, bool);

impl Observer for Watcher {
    fn on_exchange(&self, exchange: &Exchange<'_>) {
        let details = if self.0.verbose > 1 {
            exchange.headers_and_bodies()
        } else {
            Vec::new()
        };
        self.0.trace(&exchange.summary(), &details);
        if self.1 {
            exchange
                .response_head()
                .iter()
                .for_each(|line| self.0.announce(line));
        }
    }

    fn on_wait(&self, why: &'static str, duration: Duration) {
        self.0.pausing(why, duration);
    }
}
