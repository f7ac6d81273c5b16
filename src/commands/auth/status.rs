//! `sitectl auth status`: the service and token in use, and whether the service accepts the token.

use crate::client::Reported;
use crate::commands::context::Context;
use crate::commands::invocation::Invocation;
use crate::config::{ConfigFile, Format, Settings, Target, Token};
use crate::error::{Error, Kind, Result};
use crate::output;
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  sitectl auth status
  sitectl auth status --profile live --json
  sitectl auth status --offline --fields profile,base_url

sitectl requests one client to check the token and the rate limit. If the check fails, sitectl still
prints the settings.";

/// Show the address, token source and rate limit
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Send no request
    #[arg(long)]
    offline: bool,
}

pub(super) async fn run(invocation: &Invocation, file: &ConfigFile, args: &Args) -> Result<()> {
    let context = invocation.context(file)?;
    let mut status = Status::new(invocation, &context);
    let checked = if args.offline { Ok(()) } else { status.check(&context).await };
    status.print(&context)?;
    checked.map_err(|error| match (error.kind, &error.hint) {
        (Kind::Auth, Some(hint)) if !hint.contains("auth login") => {
            let hint = format!("{hint}; sitectl auth login saves another token");
            error.hint(hint)
        }
        _ => error,
    })
}

/// The result of `auth status` and `auth login`.
#[derive(Serialize)]
pub struct Status {
    profile: Option<String>,
    base_url: Option<String>,
    token_source: Option<&'static str>,
    accepted: Option<bool>,
    rate_limit: Option<Reported>,
    protected: bool,
    config_file: Option<String>,
}

impl Status {
    /// Describes the settings, before the service is asked.
    pub fn new(invocation: &Invocation, context: &Context) -> Self {
        let settings = &context.settings;
        let (base_url, token_source) = match &settings.target {
            Target::Sandbox => (None, Some("sandbox")),
            // A refused address may hold a password.
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
            protected: settings.protected,
            config_file: invocation.config_path().ok().map(|path| path.display().to_string()),
        }
    }

    /// Asks the service whether it accepts the token.
    ///
    /// # Errors
    /// `Auth` if it does not; else why there was no answer.
    pub async fn check(&mut self, context: &Context) -> Result<()> {
        let api = context.api()?;
        let checked = api.check().await;
        self.rate_limit = api.reported_rate_limit();
        self.accepted = match &checked {
            Ok(()) => Some(true),
            Err(error) => is_rejected(error).then_some(false),
        };
        checked
    }

    /// Prints it in the format of this context, for people with the rate limit in words.
    ///
    /// # Errors
    /// If stdout cannot be written.
    pub fn print(&self, context: &Context) -> Result<()> {
        let Settings { format, fields, .. } = &context.settings;
        let mut value = serde_json::to_value(self).unwrap_or_default();
        if *format == Format::Table && fields.is_empty() {
            value["rate_limit"] = self.rate_limit.as_ref().map(Reported::words).into();
        }
        output::result(&value, self.profile.as_slice(), context.shape())
    }
}

/// Whether the service rejected the token.
pub fn is_rejected(error: &Error) -> bool {
    error.kind == Kind::Auth && error.status.is_some()
}
