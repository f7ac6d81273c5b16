//! Asks for consent to a change. Every changing request requires a [`Consent`], and only the questions here return one: a
//! command that does not ask does not compile.
//!
//! `create`, `update` and `api` ask no question of their own, as if `--yes` were given. A protected profile asks for its name
//! there too.

use crate::client::Consent;
use crate::commands::context::Context;
use crate::config::{Settings, Target};
use crate::error::{Error, Result};
use crate::terminal::{Ui, shell_option};
use clap::builder::NonEmptyStringValueParser;

/// The flag that every changing command has.
#[derive(Debug, clap::Args)]
pub struct ConfirmArgs {
    /// Require this profile to be active
    #[arg(long, value_name = "PROFILE", value_parser = NonEmptyStringValueParser::new())]
    confirm: Option<String>,
}

/// A question before a change.
#[derive(Debug)]
pub struct Question {
    what: String,
    /// The word to type; otherwise, y confirms.
    word: Option<String>,
}

impl Question {
    /// Asks whether to do this, such as `Delete 2 clients`.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            word: None,
        }
    }

    /// Asks for this word, because the change cannot be undone.
    pub fn typed(what: impl Into<String>, word: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            word: Some(word.into()),
        }
    }
}

/// Asks for the consent of one invocation.
pub struct Confirmation<'a> {
    ui: &'a Ui,
    /// The target, such as `in the sandbox`.
    pub target: String,
    /// Whether `--yes` confirms each question.
    yes: bool,
    /// The protected profile whose name must be typed.
    protected_profile: Option<&'a str>,
}

impl Context {
    /// Returns how to confirm changes. With `yes`, only the name of a protected profile is asked for.
    ///
    /// # Errors
    /// `Usage` if `--confirm` names another profile than the one in use, or no service is configured.
    pub fn confirmation(&self, yes: bool, args: &ConfirmArgs) -> Result<Confirmation<'_>> {
        let target = describe_target(&self.settings)?;
        let profile_of_host = self.settings.profile_of_host.as_deref();
        if let Some(named) = args
            .confirm
            .as_ref()
            .filter(|named| profile_of_host != Some(named.as_str()))
        {
            let message = format!(
                "--confirm requires the profile '{named}', but the change would be made {target}"
            );
            return Err(Error::usage(message).with_hint(format!(
                "No changes were made. Select the profile: {}",
                shell_option("--profile", named)
            )));
        }
        let protected_profile =
            profile_of_host.filter(|_| self.settings.protected && args.confirm.is_none());
        Ok(Confirmation {
            ui: &self.ui,
            target,
            yes,
            protected_profile,
        })
    }
}

impl Confirmation<'_> {
    /// Whether a question will be asked, so that the command shows the details first.
    pub fn prompts(&self) -> bool {
        !self.yes || self.protected_profile.is_some()
    }

    /// Fails before the first request if a question cannot be asked.
    ///
    /// # Errors
    /// `Usage` with the flags that confirm.
    pub fn require_person(&self, what: &str) -> Result<()> {
        if !self.prompts() {
            return Ok(());
        }
        let confirm = self
            .protected_profile
            .map(|name| shell_option("--confirm", name));
        let flags: Vec<String> = confirm
            .into_iter()
            .chain((!self.yes).then(|| "--yes".into()))
            .collect();
        self.ui
            .require_person(&format!("{what} {}", self.target), &flags.join(" and "))
    }

    /// Asks these questions in order, and then for the name of a protected profile.
    ///
    /// # Errors
    /// `Usage` if a question cannot be asked; `Error` if the answer is no; `Interrupted` on Ctrl-C.
    pub async fn ask(&self, questions: &[Question]) -> Result<Consent> {
        for Question { what, word } in questions {
            self.require_person(what)?;
            let question = format!("{what} {}?", self.target);
            match word {
                _ if self.yes => {}
                Some(word) => self.ui.confirm_by_typing(&question, word).await?,
                None => self.ui.confirm(&question).await?,
            }
        }
        if let Some(name) = self.protected_profile {
            let what = questions
                .iter()
                .map(|question| question.what.as_str())
                .collect::<Vec<_>>()
                .join("; ");
            self.require_person(&what)?;
            let question = format!("{what} {}, which is protected?", self.target);
            self.ui.confirm_by_typing(&question, name).await?;
        }
        Ok(Consent::confirmed())
    }
}

/// Returns the target of a change: the active profile, or else the base URL.
fn describe_target(settings: &Settings) -> Result<String> {
    match (&settings.target, &settings.profile_of_host) {
        (Target::Sandbox, _) => Ok("in the sandbox".into()),
        (_, Some(name)) if settings.profile.is_some() => Ok(format!("in profile '{name}'")),
        (target, name) => {
            let profile = name
                .as_ref()
                .map_or(String::new(), |name| format!("in profile '{name}' "));
            Ok(format!("{profile}on {}", target.base_url()?.as_str()))
        }
    }
}
