//! Asks for consent to a change. Every changing request requires a [`Consent`], and only the
//! questions here return one: a command that does not ask does not compile.
//!
//! `create` and `update` ask no question, as if `--yes` were specified. A protected account requires
//! its name in these commands, too.

use crate::client::Consent;
use crate::commands::context::Context;
use crate::config::{NameOf, Profile, Target};
use crate::error::{Error, Hint, Result};
use crate::shell::shell_option;
use crate::terminal::Ui;

/// The flag that every changing command has.
#[derive(Debug, clap::Args)]
pub struct ConfirmArgs {
    /// Confirm a protected profile, or its host
    #[arg(long, value_name = "NAME")]
    confirm: Option<NameOf<Profile>>,
}

/// A question before a change.
#[derive(Debug)]
pub struct Question {
    /// The change, such as `Delete 2 clients`.
    change: String,
    /// The words that confirm, of which the question shows the first. If none, `y` confirms.
    words: Vec<String>,
}

impl Question {
    /// Asks whether to make a change.
    pub fn new(change: impl Into<String>) -> Self {
        Self {
            change: change.into(),
            words: Vec::new(),
        }
    }

    /// Asks for one of these words, because the change cannot be undone.
    pub fn typed<'w>(change: impl Into<String>, words: impl IntoIterator<Item = &'w str>) -> Self {
        Self {
            change: change.into(),
            words: words.into_iter().map(String::from).collect(),
        }
    }
}

/// Asks for the consent of one invocation.
pub struct Confirmation<'a> {
    ui: &'a Ui,
    /// Where the changes are made, such as `in the sandbox`.
    pub target: String,
    /// Whether `--yes` confirms each question.
    yes: bool,
    /// The name of a protected account, which must be typed.
    protected_name: Option<&'a str>,
    /// Whether the account is a profile.
    is_profile: bool,
}

impl Context {
    /// Returns how to confirm changes. With `yes`, only the name of a protected profile is asked
    /// for.
    ///
    /// # Errors
    /// `Usage` if `--confirm` names another profile than the active one, or no service is
    /// configured.
    pub fn confirmation(&self, yes: bool, args: &ConfirmArgs) -> Result<Confirmation<'_>> {
        let target = self.account_in_words()?;
        let account = &self.settings.account;
        let name = account.name.as_deref();
        let confirmed = args.confirm.as_deref();
        if let Some(confirmed) = confirmed
            && name != Some(confirmed)
        {
            let message =
                format!("--confirm has '{confirmed}', but the change would be made {target}");
            return Err(Error::usage(message).with_hint(Hint::command(
                "No changes were made. Show the account",
                "auth status",
            )));
        }
        Ok(Confirmation {
            ui: &self.ui,
            target,
            yes,
            protected_name: name.filter(|_| account.is_protected && confirmed.is_none()),
            is_profile: account.profile.is_some(),
        })
    }

    /// Returns the account as questions name it, such as `in profile 'live'`.
    ///
    /// # Errors
    /// `Usage` without a usable base URL.
    pub fn account_in_words(&self) -> Result<String> {
        let account = &self.settings.account;
        Ok(match (&self.settings.target, &account.profile) {
            (Target::Sandbox, _) => "in the sandbox".into(),
            (_, Some(name)) => format!("in profile '{name}'"),
            (target, None) => format!("with SITECTL_TOKEN on {}", target.base_url()?.host()),
        })
    }
}

impl Confirmation<'_> {
    /// Whether a question will be asked, so that the command shows the details first.
    pub fn prompts(&self) -> bool {
        !self.yes || self.protected_name.is_some()
    }

    /// Fails before the first request if a question cannot be asked.
    ///
    /// # Errors
    /// `Usage` with the flags that confirm.
    pub fn require_person(&self, change: &str) -> Result<()> {
        if !self.prompts() {
            return Ok(());
        }
        let mut flags = Vec::new();
        if let Some(name) = self.protected_name {
            flags.push(shell_option("--confirm", name));
        }
        if !self.yes {
            flags.push("--yes".into());
        }
        let change = format!("{change} {}", self.target);
        self.ui.require_person(&change, &flags.join(" and "))
    }

    /// Asks these questions in order, and then for the name of a protected profile.
    ///
    /// # Errors
    /// `Usage` if a question cannot be asked; `Error` if the answer is no; `Interrupted` on Ctrl-C.
    pub async fn ask(&self, questions: &[Question]) -> Result<Consent> {
        for Question { change, words } in questions {
            self.require_person(change)?;
            if self.yes {
                continue;
            }
            let question = format!("{change} {}?", self.target);
            if words.is_empty() {
                self.ui.confirm(&question).await?;
            } else {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                self.ui.confirm_by_typing(&question, &words).await?;
            }
        }
        if let Some(name) = self.protected_name {
            let changes: Vec<&str> = questions.iter().map(|one| one.change.as_str()).collect();
            let changes = changes.join("; ");
            self.require_person(&changes)?;
            let account = if self.is_profile { "Profile" } else { "Host" };
            let question = format!(
                "{account} '{name}' is protected. {changes} {}?",
                self.target
            );
            self.ui.confirm_by_typing(&question, &[name]).await?;
        }
        Ok(Consent::confirmed())
    }
}
