//! Hints that need the settings of the command.

use crate::commands::context::Context;
use crate::config::{Target, Token};
use crate::error::{Error, Hint, Kind};
use crate::shell::shell_option;

impl Context {
    /// Adds to the error of a missing task that the path of tasks is assumed, unless the journal has
    /// a task that the service showed. A wrong path cannot be distinguished from an unknown id.
    pub fn hint_task_path_if_not_found(&self, error: Error) -> Error {
        if error.kind != Kind::NotFound {
            return error;
        }
        let error = error.without_hints().with_hint(Hint::command(
            "list the tasks of restores",
            "restore history",
        ));
        let has_read_task = self.journal().is_ok_and(|journal| {
            let runs = journal.read();
            runs.is_ok_and(|runs| {
                runs.entries_of_service()
                    .any(|entry| entry.seen().is_some())
            })
        });
        if has_read_task {
            error
        } else {
            error.with_hint(Hint::Endpoint("task"))
        }
    }

    /// Adds to an error of the service the hint to correct the token or the base URL, if that may
    /// be the cause; otherwise a general hint, if the error has none.
    pub fn hint_wrong_setting(&self, mut error: Error) -> Error {
        if matches!(self.settings.target, Target::Sandbox) {
            error = error.without_endpoint_hints();
        }
        if error.status.is_none() {
            return error;
        }
        let error = self.hint_rejected_token(error);
        let fallback = if error.kind == Kind::NotFound {
            Hint::command("check the path and the base URL", "auth status")
        } else if error.details.is_empty() {
            Hint::from("add -vv to show the request and the response")
        } else {
            Hint::from("fix the values above, or add -vv to show the request and the response")
        };
        error.with_fallback_hint(fallback)
    }

    /// Adds to the error of a rejected token the command that replaces the token.
    pub fn hint_rejected_token(&self, error: Error) -> Error {
        if error.kind != Kind::Auth || error.status != Some(401) {
            return error;
        }
        match self.hint_to_replace_token() {
            Some(hint) if !error.hints.contains(&hint) => error.without_hints().with_hint(hint),
            _ => error,
        }
    }

    /// Returns the source of the token, as people read it. None if no token is configured.
    pub fn token_source(&self) -> Option<String> {
        let Target::Service { token, .. } = &self.settings.target else {
            return Some("the sandbox".into());
        };
        let name = self.profile().unwrap_or_default();
        let file = self.env.config_file().unwrap_or_default();
        let profile = format!("profile '{name}' in {}", file.display());
        Some(match token.as_ref()? {
            Token::Environment(_) => "SITECTL_TOKEN".into(),
            Token::Profile(_) => profile,
            Token::Command(_) => format!("the token_command of {profile}"),
        })
    }

    /// Returns none for the sandbox, and without a token.
    fn hint_to_replace_token(&self) -> Option<Hint> {
        let Target::Service { token, .. } = &self.settings.target else {
            return None;
        };
        let source = self.token_source()?;
        let command = match (token, self.profile()) {
            (Some(Token::Profile(_) | Token::Command(_)), Some(name)) => {
                format!("sitectl auth login {}", shell_option("--profile", name))
            }
            _ => return Some(format!("set {source} to a valid token").into()),
        };
        Some(format!("replace the token from {source}: {command}").into())
    }
}
