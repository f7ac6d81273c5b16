//! What is told of who sitectl is to a service: one object, and for people the same in words.

use crate::client::{Api, Reported};
use crate::commands::context::Context;
use crate::commands::invocation::Given;
use crate::config::{ConfigFile, Format, Setting, Target, Token, sources};
use crate::error::{Error, Kind, Result};
use crate::output::{self, Shape};
use serde::Serialize;
use std::path::PathBuf;

/// What is printed.
#[derive(Serialize)]
pub struct Report {
    profile: Option<String>,
    base_url: Option<String>,
    token_source: Option<&'static str>,
    accepted: Option<bool>,
    rate_limit: Option<Reported>,
    protected: bool,
    config_file: Option<String>,
    state_dir: Option<String>,
    settings: Vec<Setting>,
}

/// What a person sees first of it.
#[derive(Serialize)]
struct Words<'r> {
    profile: Option<&'r str>,
    base_url: Option<&'r str>,
    token_source: Option<&'r str>,
    accepted: Option<bool>,
    rate_limit: Option<String>,
    protected: bool,
    config_file: Option<&'r str>,
    state_dir: Option<&'r str>,
}

impl Report {
    /// What `context` was decided to be, by this file; the service has not been asked.
    pub fn new(given: &Given, file: &ConfigFile, context: &Context) -> Self {
        let settings = &context.settings;
        let shown = |path: PathBuf| path.display().to_string();
        let (base_url, token_source) = match &settings.target {
            Target::Sandbox => (None, Some("sandbox")),
            // An address that is refused may hold a password.
            service @ Target::Service { token, .. } => {
                (service.address().ok().map(|url| url.as_str().to_string()), token.as_ref().map(Token::source))
            }
        };
        Self {
            profile: settings.in_use.clone(),
            base_url,
            token_source,
            accepted: None,
            rate_limit: None,
            protected: settings.protected_by.is_some(),
            config_file: given.config_path().ok().map(shown),
            state_dir: context.state_dir().ok().map(shown),
            settings: sources(&given.flags, &given.env, file, settings),
        }
    }

    /// Asks the service, and writes down what it says.
    ///
    /// # Errors
    /// `Auth` where the token is not accepted; else what became of the request.
    pub async fn ask(&mut self, api: &Api) -> Result<()> {
        let answer = api.check().await;
        self.rate_limit = api.reported_rate_limit();
        self.accepted = match &answer {
            Ok(()) => Some(true),
            Err(error) if is_refused(error) => Some(false),
            Err(_) => None,
        };
        answer
    }

    /// Prints it: to people in words, and the settings as a table of their own.
    ///
    /// # Errors
    /// Where stdout takes no more.
    pub fn print(&self, shape: &Shape, format: Format, whole: bool) -> Result<()> {
        let ids: Vec<String> = self.profile.iter().cloned().collect();
        if format != Format::Table || whole {
            return output::result(self, &ids, shape);
        }
        output::result(&self.words(), &ids, shape)?;
        output::write("\n")?;
        output::result(&self.settings, &ids, shape)
    }

    fn words(&self) -> Words<'_> {
        Words {
            profile: self.profile.as_deref(),
            base_url: self.base_url.as_deref(),
            token_source: self.token_source,
            accepted: self.accepted,
            rate_limit: self.rate_limit.as_ref().map(Reported::words),
            protected: self.protected,
            config_file: self.config_file.as_deref(),
            state_dir: self.state_dir.as_deref(),
        }
    }
}

/// Whether the service has said no to the token.
pub fn is_refused(error: &Error) -> bool {
    error.kind == Kind::Auth && error.status.is_some()
}
