//! Hints with a command that can be pasted. It uses the same service as the failed command, or
//! corrects a setting.

use crate::commands::context::Context;
use crate::config::{Target, Token};
use crate::error::{Error, Kind};
use crate::shell::{set_variable, shell_option};

impl Context {
    /// Returns `sitectl` with the typed options that select the service and the account. The
    /// environment and the config file are the same for the next command.
    pub fn program(&self) -> String {
        let flags = &self.flags;
        let mut program = String::from("sitectl");
        if matches!(self.settings.target, Target::Sandbox) {
            program += " --sandbox";
        }
        if let Some(path) = &flags.ca_cert {
            let path = path.display().to_string();
            program += &format!(" {}", shell_option("--ca-cert", &path));
        }
        if let Some(profile) = &flags.profile {
            program += &format!(" {}", shell_option("--profile", profile));
        }
        // An invalid URL may contain a password.
        if let (Some(_), Ok(url)) = (&flags.base_url, self.base_url_for_display()) {
            program += &format!(" {}", shell_option("--base-url", &url));
        }
        program
    }

    /// Adds to the error of a missing record the command that lists such records.
    pub fn hint_list_if_not_found(&self, error: Error, noun: &str) -> Error {
        if error.kind != Kind::NotFound {
            return error;
        }
        error.with_fallback_hint(|| {
            let plural = noun.replace('-', " ");
            format!("list the existing {plural}: {} {noun} list", self.program())
        })
    }

    /// Adds to the error of a missing task that the path of tasks is assumed. A wrong path cannot be
    /// told from an unknown id.
    pub fn hint_task_path_if_not_found(&self, error: Error) -> Error {
        if error.kind != Kind::NotFound {
            return error;
        }
        let profile = self.profile().unwrap_or("NAME");
        error.with_hint(format!(
            "list the tasks of restores: {} restore history; the path of a task is an assumption, \
             and endpoints.task of [profiles.{profile}.endpoints] sets it",
            self.program()
        ))
    }

    /// Adds to an error of the service the hint to correct the token or the base URL, if that may
    /// be the cause; otherwise a general hint, if the error has none.
    pub fn hint_wrong_setting(&self, error: Error) -> Error {
        if error.status.is_none() {
            return error;
        }
        let error = self.hint_rejected_token(error);
        let fallback = if error.kind == Kind::NotFound {
            "check the path and the base URL: sitectl auth status"
        } else if error.details.is_empty() {
            "add -vv to show the request and the response"
        } else {
            "fix the values above, or add -vv to show the request and the response"
        };
        error.with_fallback_hint(|| fallback.into())
    }

    /// Adds to the error of a rejected token the command that replaces the token.
    pub fn hint_rejected_token(&self, error: Error) -> Error {
        if error.kind != Kind::Auth || error.status != Some(401) {
            return error;
        }
        match self.hint_to_replace_token() {
            // Another hint may add how to go on.
            Some(hint) if !error.hints.contains(&hint) => error.with_hint(hint),
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
    fn hint_to_replace_token(&self) -> Option<String> {
        let Target::Service { token, .. } = &self.settings.target else {
            return None;
        };
        let source = self.token_source()?;
        let command = match (token, &self.settings.account.profile) {
            (Some(Token::Profile(_) | Token::Command(_)), Some(name)) => {
                format!("sitectl auth login {}", shell_option("--profile", name))
            }
            _ => set_variable(&source, "TOKEN"),
        };
        Some(format!("replace the token from {source}: {command}"))
    }
}
