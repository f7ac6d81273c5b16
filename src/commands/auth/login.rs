//! `sitectl auth login`: makes a profile that works, and only then saves it.

use super::report::{Report, is_refused};
use super::wanted::Wanted;
use crate::commands::context::Context;
use crate::commands::invocation::Given;
use crate::config::edit::{self, Edit};
use crate::config::{BaseUrl, ConfigFile, Profile};
use crate::error::{Error, Kind, Result};
use crate::terminal::arguments;

const EXAMPLES: &str = "\
Examples:
  sitectl auth login --base-url https://service.example/api/v6 \\
    --with-token < token.txt
  sitectl auth login --profile test \\
    --token-command 'pass show sitectl/test'

Without --with-token and --token-command, it asks for the token; what is typed does not show.
The token is checked before it is saved; the rest of a profile that is there already stays.

--token-command is split into words as a shell does it, but no shell runs it: for pipes and
variables, write: sh -c '…'

Exit codes: 1 the config file cannot be written, 2 something is missing or wrong, 3 the token is
not accepted, 4, 5, 7 or 8 the service answers otherwise, or not at all; then nothing is saved.";

/// Save a service's address and token as a profile, once the service has accepted them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Read the token from stdin
    #[arg(long, conflicts_with = "token_command")]
    pub with_token: bool,
    /// Save a command that prints the token; each sitectl command that needs the token runs it once
    #[arg(long, value_name = "CMD ARGS", allow_hyphen_values = true)]
    pub token_command: Option<String>,
    /// Save it without asking the service
    #[arg(long)]
    no_verify: bool,
    /// Nothing: no token belongs on the command line
    #[arg(hide = true)]
    pub stray: Vec<String>,
}

pub(super) async fn run(given: &Given, file: &ConfigFile, shown: &Context, args: &Args) -> Result<()> {
    let wanted = Wanted::new(given, file, args)?;
    edit::probe(&given.config_path()?)?;
    let before = file.profiles.get(&wanted.name);
    let profile = wanted.profile(&given.ui, before.cloned().unwrap_or_default()).await?;
    let report = try_out(given, file, &wanted, &profile, args.no_verify).await?;
    let saved = save(given, &wanted, &profile, before.is_some())?;
    saved.tell(given, &wanted.name)?;
    report.print(shown.shape(), shown.settings.format, !shown.settings.fields.is_empty())
}

/// Uses the profile as if it had been saved, and named on the command line.
async fn try_out(
    given: &Given,
    file: &ConfigFile,
    wanted: &Wanted,
    profile: &Profile,
    unasked: bool,
) -> Result<Report> {
    let mut after = file.clone();
    after.profiles.insert(wanted.name.clone(), profile.clone());
    after.current_profile.get_or_insert_with(|| wanted.name.clone());
    let context = given.naming(&wanted.name).context(&after)?;
    let mut report = Report::new(given, &after, &context);
    if unasked {
        context.doubt(&context.settings.target.base_url()?);
        return Ok(report);
    }
    let answer = match context.api() {
        Ok(api) => report.ask(&api).await,
        Err(error) => Err(error),
    };
    answer.map(|()| report).map_err(not_saved)
}

fn not_saved(error: Error) -> Error {
    if error.kind == Kind::Interrupted {
        return error;
    }
    let hint = match (error.status, &error.hint) {
        (Some(401), _) => "check the token, and that it belongs to this address".into(),
        // What was not asked because something is wrong here would not work unasked either.
        (_, Some(hint)) if is_refused(&error) || error.kind == Kind::Usage => hint.clone(),
        (_, Some(hint)) => format!("{hint}; --no-verify saves it unasked"),
        (_, None) => "--no-verify saves it unasked".into(),
    };
    error.context("nothing was saved").hint(hint)
}

/// What a login has changed.
struct Saved {
    /// The address that the profile had, in words.
    old_url: Option<String>,
    new_url: Option<String>,
    /// The profile that is used where none is named.
    current: String,
}

/// Another login may have changed the file meanwhile: of that nothing is lost. A profile that was there when this one
/// began, and is not any more, had settings that nobody would find missing, such as its protection.
fn save(given: &Given, wanted: &Wanted, profile: &Profile, was_there: bool) -> Result<Saved> {
    edit::change(&given.config_path()?, |file| {
        let mut edits = wanted.edits(profile);
        let before = file.profiles.get(&wanted.name);
        if was_there && before.is_none() {
            let gone = format!("nothing was saved: the profile '{}' was removed meanwhile", wanted.name);
            return Err(Error::new(Kind::Error, gone).hint("log in again to make it anew"));
        }
        let current = file.current_profile.as_ref().filter(|current| file.profiles.contains_key(*current));
        if current.is_none() {
            edits.push(Edit::Current(Some(wanted.name.clone())));
        }
        let saved = Saved {
            old_url: before.and_then(|before| before.base_url.as_deref()).map(BaseUrl::in_words),
            new_url: profile.base_url.clone(),
            current: current.unwrap_or(&wanted.name).clone(),
        };
        Ok((edits, saved))
    })
}

impl Saved {
    /// Where it is, and what keeps it from being used.
    fn tell(&self, given: &Given, name: &str) -> Result<()> {
        let (ui, env) = (&given.ui, &given.env);
        ui.note(&format!("profile '{name}' is saved in {}", given.config_path()?.display()));
        if let (Some(old), Some(new)) = (&self.old_url, &self.new_url)
            && old != new
        {
            ui.note(&format!("its address was {old}, and is {new} now"));
        }
        let set = [("SITECTL_BASE_URL", env.base_url.is_some()), ("SITECTL_TOKEN", env.token.is_some())];
        for (variable, _) in set.iter().filter(|(_, is_set)| *is_set) {
            ui.warn(&format!("{variable} is set, and goes before the profile unless --profile names it"));
        }
        match &env.profile {
            Some(other) if other != name => {
                ui.warn(&format!("SITECTL_PROFILE is set, and names the profile '{other}'"));
            }
            None if self.current != name => ui.hint(&format!(
                "the current profile is '{}'; sitectl profiles use {} makes this the current one",
                self.current,
                arguments(&[name])
            )),
            _ => {}
        }
        Ok(())
    }
}
