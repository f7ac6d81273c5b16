//! `sitectl auth status`: the service and token in use, and whether the service accepts the token.

use crate::client::RateLimitHeaders;
use crate::commands::context::Context;
use crate::config::{Target, Token};
use crate::error::{Hint, Kind, Result};
use serde_json::{Map, Value, json};

const EXAMPLES: &str = "\
Examples:
  sitectl auth status
  sitectl auth status --profile live --json
  sitectl auth status --fields profile,base_url

sitectl requests one client to check the token and the rate limit. JSON output has more fields.";

/// Show the base URL, token source and rate limit
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

pub async fn run(context: &Context) -> Result<()> {
    let mut status = Status::default();
    let checked = status.check(context).await;
    let printed = status.print(context);
    let hints_at_this = |hint: &Hint| matches!(hint, Hint::AuthStatus(..));
    checked.map_err(|error| match error.kind {
        // The usual hint is to run this command. That of a proxy or a certificate stays.
        Kind::Unavailable if error.hints.iter().all(hints_at_this) => error
            .without_hints()
            .with_hint("check the base URL and the network, or add -v to show each request"),
        Kind::RateLimited => error.without_hints().with_hint("retry in a minute"),
        _ => error,
    })?;
    printed
}

/// The service's response to the token.
#[derive(Default)]
pub struct Status {
    /// Whether the service accepts the token. None if it was not checked, or the request failed for
    /// another reason.
    accepted: Option<bool>,
    rate_limit: Option<RateLimitHeaders>,
}

impl Status {
    /// Checks whether the service accepts the token.
    ///
    /// # Errors
    /// `Auth` if the service rejects the token, or the error of the request.
    pub async fn check(&mut self, context: &Context) -> Result<()> {
        let api = context.api().await?;
        let checked = api.check_token().await;
        self.rate_limit = api.reported_rate_limit();
        self.accepted = match &checked {
            Ok(()) => Some(true),
            Err(error) => (error.kind == Kind::Auth && error.status.is_some()).then_some(false),
        };
        checked
    }

    /// Prints the settings and the response. A table shows only the most important fields.
    ///
    /// # Errors
    /// If stdout cannot be written.
    pub fn print(&self, context: &Context) -> Result<()> {
        let profile = context.settings.account.profile.as_slice();
        // An invalid URL may contain a password, so it is not shown.
        let base_url = context.settings.target.configured_url().ok();
        let base_url = base_url.map(|url| url.as_str().to_string());
        let output = context.output();
        let status = if output.is_for_people() {
            self.summary(context, base_url).into()
        } else {
            self.all_fields(context, base_url)
        };
        output.print_result(&status, profile)
    }

    /// Returns the most important fields, for people.
    fn summary(&self, context: &Context, base_url: Option<String>) -> Map<String, Value> {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".into());
        let accepted = match self.accepted {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        };
        let rate_limit = self.rate_limit.as_ref();
        let rate_limit = rate_limit.map_or("unknown".into(), RateLimitHeaders::summary);
        let settings = &context.settings;
        let account = &settings.account;
        let variables = settings.deciding_variables(&context.flags, &context.env);
        let is_protected = if account.is_protected { "yes" } else { "no" };
        let read_only = settings.read_only.clone();
        let fields = [
            ("profile", or_none(account.profile.clone())),
            ("same_token", account.same_token.join(", ")),
            ("base_url", or_none(base_url)),
            ("token_source", or_none(context.token_source())),
            ("variables", variables.join(", ")),
            ("protected", is_protected.into()),
            (
                "read_only",
                read_only.map_or("no".into(), |setting| format!("yes ({setting})")),
            ),
            ("accepted", accepted.into()),
            ("rate_limit", rate_limit),
        ];
        fields
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(name, text)| (name.into(), text.into()))
            .collect()
    }

    /// Returns all fields, for programs.
    fn all_fields(&self, context: &Context, base_url: Option<String>) -> Value {
        let token_source = match &context.settings.target {
            Target::Sandbox => Some("sandbox"),
            Target::Service { token, .. } => token.as_ref().map(Token::source),
        };
        json!({
            "profile": context.settings.account.profile,
            "base_url": base_url,
            "token_source": token_source,
            "accepted": self.accepted,
            "rate_limit": self.rate_limit,
            "protected": context.settings.account.is_protected,
            "read_only": context.settings.read_only.is_some(),
            "same_token": context.settings.account.same_token,
            "variables": context.settings.deciding_variables(&context.flags, &context.env),
            "config_file": context.env.config_file().ok(),
        })
    }
}
