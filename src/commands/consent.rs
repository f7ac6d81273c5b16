//! Consent to a change. No request that changes anything can be made without a [`Consent`], and only the questions here
//! give one: a command that does not ask does not compile.
//!
//! For `api` the person has typed the method, which says that it is a change: no question repeats that, as if `--yes` were
//! given. A protected profile asks for its name there too.

use crate::client::Consent;
use crate::config::{Settings, Target};
use crate::error::{Error, Result};
use crate::terminal::{NOBODY, Ui, is_meant, option};
use clap::builder::NonEmptyStringValueParser;

/// The flag that every command has that changes something.
#[derive(Debug, clap::Args)]
pub struct ConfirmArgs {
    /// The profile that is meant: answers where a protected one asks for its name; refused where another is in use
    #[arg(long, value_name = "PROFILE", value_parser = NonEmptyStringValueParser::new())]
    confirm: Option<String>,
}

/// What is asked before a change, where nothing answers in the person's place.
#[derive(Debug)]
pub struct Question {
    what: String,
    /// What has to be typed; without it, y answers.
    word: Option<String>,
}

impl Question {
    /// Whether to do this, such as `Delete 2 clients`.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), word: None }
    }

    /// The same for what cannot be taken back: the answer is this word, typed.
    pub fn typed(what: impl Into<String>, word: impl Into<String>) -> Self {
        Self { what: what.into(), word: Some(word.into()) }
    }
}

/// How one invocation comes by consent.
pub struct Asking<'a> {
    ui: &'a Ui,
    /// What would be changed.
    place: String,
    /// Whether each question is answered already.
    yes: bool,
    /// The protected profile that nobody has named yet.
    unnamed: Option<&'a str>,
}

impl<'a> Asking<'a> {
    /// With `yes`, the name of a protected profile is all that is asked for.
    ///
    /// # Errors
    /// `Usage` where `--confirm` names another profile than the one in use, or where no service is configured.
    pub fn new(ui: &'a Ui, settings: &'a Settings, yes: bool, args: &ConfirmArgs) -> Result<Self> {
        let place = place(settings)?;
        let in_use = settings.in_use.as_deref();
        if let Some(named) = &args.confirm
            && !in_use.is_some_and(|name| is_meant(named, name))
        {
            return Err(misnamed(settings, named, &place));
        }
        let unnamed = settings.protected_by.as_deref().filter(|_| args.confirm.is_none());
        Ok(Self { ui, place, yes, unnamed })
    }

    /// Whether anything will be asked, so that there is something to show first.
    pub fn asks(&self) -> bool {
        !self.yes || self.unnamed.is_some()
    }

    /// Refuses, before the first request, what nobody could be asked about.
    ///
    /// # Errors
    /// `Usage` with the flags that answer.
    pub fn require_person(&self, what: &str) -> Result<()> {
        if !self.asks() {
            return Ok(());
        }
        let needs = match self.unnamed {
            Some(_) => "the profile is protected, and there is no terminal to ask for its name on",
            None => NOBODY,
        };
        let confirm = self.unnamed.map(|name| option("--confirm", name));
        let flags: Vec<String> = confirm.into_iter().chain((!self.yes).then(|| "--yes".into())).collect();
        self.ui.require_person(&format!("{what} ({})", self.place), needs, &flags.join(" and "))
    }

    /// Asks these questions, one after the other, and last for the name of a protected profile.
    ///
    /// # Errors
    /// `Usage` where nobody can be asked; `Error` where the answer is no; `Interrupted` where the person gives up.
    pub async fn ask(&self, questions: &[Question]) -> Result<Consent> {
        for Question { what, word } in questions {
            self.require_person(what)?;
            let question = format!("{what} ({})?", self.place);
            match word {
                _ if self.yes => {}
                Some(word) => self.ui.confirm_by_typing(&question, word).await?,
                None => self.ui.confirm(&question).await?,
            }
        }
        if let Some(name) = self.unnamed {
            let what = questions.iter().map(|question| question.what.as_str()).collect::<Vec<_>>().join("; ");
            self.require_person(&what)?;
            let question = format!("{what} ({}, which is protected)?", self.place);
            self.ui.confirm_by_typing(&question, name).await?;
        }
        Ok(Consent::confirmed())
    }
}

/// The profile that was named is not the one whose name is asked for.
fn misnamed(settings: &Settings, named: &str, place: &str) -> Error {
    let is_chosen = settings.profile.as_deref().is_some_and(|chosen| is_meant(named, chosen));
    match settings.protected_by.as_deref().filter(|_| is_chosen) {
        Some(owner) => {
            let why = format!("the profile '{named}' uses the token of '{owner}', which is protected");
            Error::usage(format!("--confirm: {why}, so that name is asked for"))
                .hint(format!("nothing was changed; {} says that it is meant", option("--confirm", owner)))
        }
        None => Error::usage(format!("--confirm names the profile '{named}', but this is about {place}"))
            .hint(format!("nothing was changed; {} chooses that profile", option("--profile", named))),
    }
}

/// What a change would be made to, in the words of every question: the profile in use, else the address.
fn place(settings: &Settings) -> Result<String> {
    let address = || settings.target.base_url().map(|url| url.as_str().to_string());
    match (&settings.target, &settings.in_use, &settings.profile) {
        (Target::Sandbox, ..) => Ok("the sandbox".into()),
        (_, Some(name), Some(of_address)) if name == of_address => Ok(format!("profile {name}")),
        // The address was found elsewhere.
        (_, Some(name), _) => Ok(format!("profile {name} on {}", address()?)),
        (_, None, _) => address(),
    }
}
