//! Hints that name the setting to correct: a token that the service refused, or a base URL with a wrong path.

use crate::commands::context::Context;
use crate::config::{Target, Token};
use crate::error::{Error, Kind};
use crate::terminal::shell_option;

impl Context {
    /// Returns where the token comes from, for people; none without a token.
    pub fn token_origin(&self) -> Option<String> {
        let Target::Service { token, .. } = &self.settings.target else {
            return Some("the sandbox".into());
        };
        let name = self.settings.profile_of_host.as_deref().unwrap_or_default();
        let file = self.config_path().unwrap_or_default();
        let profile = || format!("profile '{name}' in {}", file.display());
        token.as_ref().map(|token| match token {
            Token::Environment(_) => "SITECTL_TOKEN".into(),
            Token::Profile(_) => profile(),
            Token::Command(_) => format!("the token_command of {}", profile()),
        })
    }

    /// Adds a hint to an error that a wrong setting may have caused, and to an error of the service without a hint.
    pub fn explain(&self, error: Error) -> Error {
        let Some(status) = error.status else {
            return error;
        };
        let setting = match error.kind {
            _ if status == 401 => self.refused_token(),
            Kind::NotFound | Kind::Unavailable => self.wrong_path(),
            _ => None,
        };
        match (setting, error.kind) {
            (Some(hint), _) => error.with_hint(hint),
            (None, Kind::NotFound) => error.with_fallback_hint(|| {
                "check the path and the base URL: sitectl auth status".into()
            }),
            (None, _) => {
                error.with_fallback_hint(|| "show the request and the response with -vv".into())
            }
        }
    }

    fn refused_token(&self) -> Option<String> {
        let Target::Service { token, .. } = &self.settings.target else {
            return None;
        };
        let origin = self.token_origin()?;
        Some(match (token, &self.settings.profile_of_host) {
            (Some(Token::Profile(_) | Token::Command(_)), Some(name)) => {
                format!(
                    "replace the token from {origin}: sitectl auth login {}",
                    shell_option("--profile", name)
                )
            }
            _ => format!("replace the token from {origin}: export {origin}=TOKEN"),
        })
    }

    fn wrong_path(&self) -> Option<String> {
        let meant = self
            .settings
            .target
            .base_url_for_display()
            .ok()?
            .suggestion()?;
        Some(format!(
            "did you mean {meant}? sitectl auth status --base-url {meant}"
        ))
    }
}
