//! `sitectl auth status`: the service and token in use, and whether the service accepts the token.

use crate::client::Reported;
use crate::commands::context::Context;
use crate::commands::invocation::Invocation;
use crate::config::{ConfigFile, Target, Token};
use crate::error::{Kind, Result};
use crate::output;
use serde::Serialize;
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  sitectl auth status
  sitectl auth status --profile live --json
  sitectl auth status --offline --fields profile,base_url

sitectl requests one client to check the token and the rate limit. JSON output has more fields.

Exit codes:
  2  no base URL, or the profile's token belongs to another host
  3  no token, or the service does not accept it
  8  the service is unavailable";

/// Show the base URL, token source and rate limit
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
    checked.map_err(|error| context.explain(error))
}

/// The result of `auth status` and `auth login`.
#[derive(Serialize)]
pub struct Status {
    profile: Option<String>,
    base_url: Option<String>,
    token_source: Option<&'static str>,
    #[serde(skip)]
    token_origin: Option<String>,
    accepted: Option<bool>,
    rate_limit: Option<Reported>,
    protected: bool,
    config_file: Option<String>,
}

impl Status {
    /// Describes the settings, before any request.
    pub fn new(invocation: &Invocation, context: &Context) -> Self {
        let settings = &context.settings;
        let (base_url, token_source) = match &settings.target {
            Target::Sandbox => (None, Some("sandbox")),
            // An invalid URL may contain a password, so it is not shown.
            service @ Target::Service { token, .. } => {
                (service.address().ok().map(|url| url.as_str().to_string()), token.as_ref().map(Token::source))
            }
        };
        Self {
            profile: settings.in_use.clone(),
            base_url,
            token_source,
            token_origin: context.token_origin(),
            accepted: None,
            rate_limit: None,
            protected: settings.protected,
            config_file: invocation.config_path().ok().map(|path| path.display().to_string()),
        }
    }

    /// Checks whether the service accepts the token.
    ///
    /// # Errors
    /// `Auth` if it does not, or the error of the request.
    pub async fn check(&mut self, context: &Context) -> Result<()> {
        let api = context.api()?;
        let checked = api.check().await;
        self.rate_limit = api.reported_rate_limit();
        self.accepted = match &checked {
            Ok(()) => Some(true),
            Err(error) => (error.kind == Kind::Auth && error.status.is_some()).then_some(false),
        };
        checked
    }

    /// Prints the status. A table shows only the most important fields.
    ///
    /// # Errors
    /// If stdout cannot be written.
    pub fn print(&self, context: &Context) -> Result<()> {
        match context.shape().is_for_people() {
            true => output::result(&self.in_words(), &[], context.shape()),
            false => output::result(self, self.profile.as_slice(), context.shape()),
        }
    }

    fn in_words(&self) -> serde_json::Value {
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".into());
        let accepted = match self.accepted {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        };
        json!({
            "profile": or_none(&self.profile),
            "base_url": or_none(&self.base_url),
            "token_source": or_none(&self.token_origin),
            "accepted": accepted,
            "rate_limit": self.rate_limit.as_ref().map_or("unknown".into(), Reported::words),
        })
    }
}
