//! Asks for consent to a change. Every changing request requires a [`Consent`], and only the
//! questions here return one: a command that does not ask does not compile. Here, too, a read-only
//! setting refuses every change.
//!
//! `create` and `update` ask no question, as if `--yes` were specified. A protected account requires
//! its name in these commands, too.

use crate::client::Consent;
use crate::commands::context::Context;
use crate::config::Target;
use crate::error::{Error, Hint, Result};
use crate::shell::shell_option;

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
    context: &'a Context,
    /// Where the changes are made, such as `in the sandbox`.
    pub target: String,
    /// Whether each question is confirmed, such as by `--yes`.
    yes: bool,
    /// The name of a protected account, which must be typed.
    protected_name: Option<&'a str>,
    /// Whether the account is a profile.
    is_profile: bool,
}

impl Context {
    /// Returns how to confirm changes. Before a command reads its input or asks anything, it calls
    /// this, which refuses changes that are turned off, except in a dry run.
    ///
    /// # Errors
    /// `Usage` if changes are turned off, `--confirm` names another account than the active one, or
    /// no service is configured.
    pub fn confirmation(&self) -> Result<Confirmation<'_>> {
        self.settings.require_writable()?;
        self.confirmation_of_dry_run()
    }

    /// Returns how to confirm changes, unless the command makes none because of `--dry-run`.
    ///
    /// # Errors
    /// Those of [`Self::confirmation`].
    pub fn confirmation_or_dry_run(&self, is_dry_run: bool) -> Result<Confirmation<'_>> {
        if is_dry_run {
            self.confirmation_of_dry_run()
        } else {
            self.confirmation()
        }
    }

    fn confirmation_of_dry_run(&self) -> Result<Confirmation<'_>> {
        let target = self.describe_account()?;
        let account = &self.settings.account;
        let name = account.name.as_deref();
        let confirmed = self.flags.confirm.as_deref();
        if let Some(confirmed) = confirmed
            && name != Some(confirmed)
        {
            let message =
                format!("--confirm has '{confirmed}', but the change would be made {target}");
            let error = Error::usage(message).without_changes();
            return Err(error.with_hint(Hint::command("show the account", "auth status")));
        }
        Ok(Confirmation {
            context: self,
            target,
            yes: self.flags.yes,
            protected_name: name.filter(|_| account.is_protected && confirmed.is_none()),
            is_profile: account.profile.is_some(),
        })
    }

    /// Returns the account as questions name it, such as `in profile 'live'`.
    ///
    /// # Errors
    /// `Usage` without a usable base URL.
    pub fn describe_account(&self) -> Result<String> {
        let account = &self.settings.account;
        Ok(match (&self.settings.target, &account.profile) {
            (Target::Sandbox, _) => "in the sandbox".into(),
            (_, Some(name)) => format!("in profile '{name}'"),
            (target, None) => format!("with SITECTL_TOKEN on {}", target.base_url()?.host()),
        })
    }
}

impl Confirmation<'_> {
    /// Asks for nothing but the name of a protected account.
    #[must_use]
    pub fn without_question(self) -> Self {
        Self { yes: true, ..self }
    }

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
        let ui = &self.context.ui;
        ui.require_person(&change, &flags.join(" and "))
    }

    /// Asks these questions in order, and then for the name of a protected profile.
    ///
    /// # Errors
    /// `Usage` if a question cannot be asked; `Error` if the answer is no; `Interrupted` on Ctrl-C.
    pub async fn ask(&self, questions: &[Question]) -> Result<Consent> {
        let Context { ui, settings, .. } = self.context;
        settings.require_writable()?;
        for Question { change, words } in questions {
            self.require_person(change)?;
            if self.yes {
                continue;
            }
            let question = format!("{change} {}?", self.target);
            if words.is_empty() {
                ui.confirm(&question).await?;
            } else {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                ui.confirm_by_typing(&question, &words).await?;
            }
        }
        if let Some(name) = self.protected_name {
            let changes: Vec<&str> = questions
                .iter()
                .map(|question| question.change.as_str())
                .collect();
            let changes = changes.join("; ");
            self.require_person(&changes)?;
            let account = if self.is_profile { "Profile" } else { "Host" };
            let question = format!(
                "{account} '{name}' is protected. {changes} {}?",
                self.target
            );
            ui.confirm_by_typing(&question, &[name]).await?;
        }
        Ok(Consent::confirmed())
    }
}
