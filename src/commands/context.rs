//! The context of one invocation: its settings, the API client and the paths of its files.

use crate::client::{
    Api, ChangeLog, Connection, Exchange, ListEndpoint, Observer, check_proxy_variable,
};
#[cfg(feature = "sandbox")]
use crate::commands::embedded_sandbox;
use crate::commands::id_cache::{IdCache, IdCollector};
use crate::commands::token_command;
use crate::config::digest::sha256;
#[cfg(not(feature = "sandbox"))]
use crate::config::without_sandbox;
use crate::config::{
    BaseUrl, ConfigFile, Environment, Flags, Profile, Secret, Settings, Target, Token, Trusted,
    private_files, selected_profile,
};
use crate::error::{Error, Kind, Result};
use crate::journal::Journal;
use crate::output::{self, Output};
use crate::resources::Record;
use crate::shell::shell_arguments;
use crate::terminal::Ui;
use std::path::PathBuf;
use std::time::Duration;

/// The context of one invocation.
pub struct Context {
    pub ui: Ui,
    pub settings: Settings,
    pub flags: Flags,
    pub env: Environment,
    pub file: ConfigFile,
    /// The changes of the command.
    pub changes: ChangeLog,
    output: Output,
}

impl Context {
    /// Resolves the settings, and sends nothing.
    ///
    /// # Errors
    /// If a setting, the `--jq` filter or a name in `--fields` is wrong.
    pub fn new(flags: Flags, env: Environment, ui: Ui, file: ConfigFile) -> Result<Self> {
        let settings = Settings::resolve(&flags, &env, &file)?;
        Self::with_settings(settings, flags, env, ui, file)
    }

    /// Resolves the settings for a command that can correct the config file, and for completion: an
    /// invalid profile counts as empty.
    ///
    /// # Errors
    /// If another setting, the `--jq` filter or a name in `--fields` is wrong.
    pub fn ignoring_invalid_profile(
        flags: Flags,
        env: Environment,
        ui: Ui,
        file: ConfigFile,
    ) -> Result<Self> {
        let settings = Settings::resolve(&flags, &env, &file).or_else(|error| {
            let Some((name, _)) = selected_profile(&flags, &env, &file) else {
                return Err(error);
            };
            Settings::resolve(&flags, &env, &file.with_profile(name, Profile::default()))
        })?;
        Self::with_settings(settings, flags, env, ui, file)
    }

    fn with_settings(
        settings: Settings,
        flags: Flags,
        env: Environment,
        ui: Ui,
        file: ConfigFile,
    ) -> Result<Self> {
        if let Some(token) = settings.target.token_without_command() {
            ui.keep_secret(token);
        }
        Ok(Self {
            output: output::resolve(&flags, settings.format, &ui)?,
            ui,
            settings,
            flags,
            env,
            file,
            changes: ChangeLog::default(),
        })
    }

    /// Returns the context that a command with `--profile NAME` would have if the profile were
    /// saved.
    ///
    /// # Errors
    /// If a setting is wrong.
    pub fn with_profile(&self, name: &str, profile: &Profile) -> Result<Self> {
        let flags = Flags {
            profile: Some(name.to_string().into()),
            base_url: None,
            ..self.flags.clone()
        };
        let file = self.file.with_profile(name, profile.clone());
        Self::new(flags, self.env.clone(), self.ui.clone(), file)
    }

    /// Returns the profile that the command line, the environment or the config file names.
    pub fn profile(&self) -> Option<&str> {
        let (name, _) = selected_profile(&self.flags, &self.env, &self.file)?;
        Some(name)
    }

    /// Returns how to print results.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Returns the API client. With `--sandbox`, starts the sandbox in this process first.
    ///
    /// # Errors
    /// `Usage` without a usable base URL, `Auth` without a token.
    pub async fn api(&self) -> Result<Api> {
        self.api_showing_heads(false).await
    }

    /// Returns the API client, which shows the status and headers of each response if `shows_heads`
    /// is true.
    ///
    /// # Errors
    /// `Usage` without a usable base URL, `Auth` without a token.
    pub async fn api_showing_heads(&self, shows_heads: bool) -> Result<Api> {
        let (base_url, token) = self.base_url_and_token().await?;
        check_proxy_variable(&base_url, &self.env)?;
        let connection = Connection {
            trusted: self.trusted_certificates(&base_url)?,
            base_url,
            observer: Box::new(self.reporter(&token, shows_heads)),
            token,
            request_timeout: self.flags.request_timeout,
            retries: self.flags.retries,
            changes: self.changes.clone(),
        };
        let endpoints = self.settings.endpoints.clone();
        let task_states = self.settings.task_states.clone();
        let per_page = self.settings.per_page;
        Ok(Api::new(connection, endpoints, task_states, per_page))
    }

    /// Returns the base URL and the token of the settings, or those of a sandbox that this starts.
    /// The token is masked from now on.
    async fn base_url_and_token(&self) -> Result<(BaseUrl, Secret)> {
        let (base_url, token) = match &self.settings.target {
            #[cfg(feature = "sandbox")]
            Target::Sandbox => embedded_sandbox::start(self.env.sandbox_database()?)?,
            #[cfg(not(feature = "sandbox"))]
            Target::Sandbox => return Err(without_sandbox()),
            service @ Target::Service { token, .. } => {
                (service.base_url()?, read_token(token.as_ref()).await?)
            }
        };
        self.ui.keep_secret(&token);
        Ok((base_url, token))
    }

    /// Returns the observer of the API client. It caches no ids if there is no directory for them.
    fn reporter(&self, token: &Secret, shows_heads: bool) -> Reporter {
        Reporter {
            ui: self.ui.clone(),
            shows_heads,
            id_collector: IdCollector::new(self.id_cache().ok(), token.clone()),
        }
    }

    /// Returns the certificates to trust instead of the system's, if the connection uses TLS.
    fn trusted_certificates(&self, base_url: &BaseUrl) -> Result<Option<Trusted>> {
        match &self.settings.ca_cert {
            Some(ca_cert) if base_url.is_encrypted() => ca_cert.read().map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the base URL without connecting, to validate or show a request. With `--sandbox`,
    /// the default URL of `sandbox serve` stands in, because no sandbox is started.
    ///
    /// # Errors
    /// `Usage` without a usable base URL.
    pub fn base_url_without_connecting(&self) -> Result<BaseUrl> {
        match &self.settings.target {
            #[cfg(feature = "sandbox")]
            Target::Sandbox => BaseUrl::parse(&crate::sandbox::default_base_url(), "the sandbox"),
            #[cfg(not(feature = "sandbox"))]
            Target::Sandbox => Err(without_sandbox()),
            service @ Target::Service { .. } => service.base_url(),
        }
    }

    /// Returns the configured base URL; `sandbox` with `--sandbox`.
    ///
    /// # Errors
    /// `Usage` without a usable base URL.
    pub fn service_name(&self) -> Result<String> {
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
        Ok(BaseUrl::canonical(&self.service_name()?))
    }

    /// Returns the journal.
    ///
    /// # Errors
    /// If no state directory is known.
    pub fn journal(&self) -> Result<Journal> {
        // Without a service, the history of all services can still be shown.
        let service_key = self.service_key().unwrap_or_default();
        let ui = self.ui.clone();
        let on_wait = Box::new(move |text: &str| ui.announce(text));
        Ok(Journal::new(&self.data_dir()?, service_key, on_wait))
    }

    /// Returns the file that is locked while the sites of a client are changed. Services have
    /// different ones.
    ///
    /// # Errors
    /// If no state directory is known, or no usable base URL.
    pub fn site_lock_file(&self) -> Result<PathBuf> {
        let name = format!("sites-{}.lock", &sha256(&self.service_key()?)[..16]);
        Ok(self.data_dir()?.join(name))
    }

    /// Returns the cached ids of this service.
    ///
    /// # Errors
    /// If no state directory is known, or no usable base URL.
    pub fn id_cache(&self) -> Result<IdCache> {
        Ok(IdCache::new(&self.data_dir()?, &self.service_key()?))
    }

    /// Clears the cached ids of all services, so that completion no longer offers those of a
    /// removed account.
    pub fn clear_ids(&self) {
        if let Ok(directory) = self.env.state_dir() {
            IdCache::clear(&directory);
        }
    }

    /// Returns the directory of the journal and the cached ids. With `--sandbox` this is the
    /// sandbox's directory, which `sandbox reset` clears.
    fn data_dir(&self) -> Result<PathBuf> {
        match self.settings.target {
            Target::Sandbox => self.env.sandbox_dir(),
            Target::Service { .. } => self.env.state_dir(),
        }
    }
}

/// Returns the token. Runs the token command if the settings have one. A wrong `SITECTL_TOKEN` is
/// an error only here, where it is needed.
async fn read_token(token: Option<&Token>) -> Result<Secret> {
    match token {
        Some(Token::Command(command)) => token_command::run(command).await,
        Some(Token::Environment(token)) => token.clone(),
        Some(Token::Profile(token)) => Ok(token.clone()),
        None => Err(Error::new(Kind::Auth, "no API token specified")
            .with_hint("set SITECTL_TOKEN, or save a token: sitectl auth login")),
    }
}

/// Reads the config file, and warns if other users can access it. A missing file counts as empty,
/// as does the file if no home directory is known.
///
/// # Errors
/// If it is broken or cannot be read.
pub fn read_config(env: &Environment, ui: &Ui) -> Result<ConfigFile> {
    let Ok(path) = env.config_file() else {
        return Ok(ConfigFile::default());
    };
    if private_files::others_can_access(&path) {
        let path = path.display().to_string();
        let argument = shell_arguments(&[&path]);
        ui.warn(&format!(
            "other users can access {path}; fix its mode: chmod 600 {argument}"
        ));
    }
    ConfigFile::read(&path)
}

/// Shows requests, responses and waits on stderr, and caches the ids of lists.
struct Reporter {
    ui: Ui,
    /// Whether the status and headers of each response are shown.
    shows_heads: bool,
    id_collector: IdCollector,
}

impl Observer for Reporter {
    fn on_exchange(&self, exchange: &Exchange<'_>) {
        // -vv
        let details = if self.ui.verbose > 1 {
            exchange.headers_and_bodies()
        } else {
            Vec::new()
        };
        self.ui.trace(&exchange.summary(), &details);
        if self.shows_heads {
            for line in exchange.response_head() {
                self.ui.announce(&line);
            }
        }
    }

    fn on_wait(&self, reason: &str, duration: Duration) {
        self.ui.report_pause(reason, duration);
    }

    fn on_records(&self, endpoint: &ListEndpoint, records: &[Record]) {
        self.id_collector.add(endpoint, records);
    }
}
