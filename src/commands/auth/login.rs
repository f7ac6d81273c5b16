//! `sitectl auth login`: saves a profile after the service has accepted its token.

use super::refuse_sandbox;
use super::status::Status;
use crate::commands::context::Context;
use crate::commands::profiles::warn_of_variables;
use crate::config::edit::edit_config;
use crate::config::{Account, BaseUrl, Profile, Secret, Source, find_base_url};
use crate::error::{Error, Kind, Result};
use crate::shell::{shell_arguments, shell_option};
use crate::terminal::{Ui, on_thread};
use std::path::{Path, PathBuf};
use toml_edit::Value;

const PIPE: &str =
    "pipe the token in, or use --token-command: sitectl auth login --with-token < token.txt";

const EXAMPLES: &str = "\
Examples:
  sitectl auth login --base-url https://service.example/api/v6 \\
    --with-token < token.txt
  sitectl auth login --profile test \\
    --token-command 'pass show sitectl/test'

Without --with-token and --token-command, sitectl prompts for the token on a terminal.
Without --no-verify, sitectl checks the token before it saves the profile. Other settings of the
profile stay.

--token-command runs without a shell. For pipes and variables, use: sh -c '…'";

/// Save a base URL and a token as a profile
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Read the token from stdin
    #[arg(long, conflicts_with = "token_command")]
    with_token: bool,
    /// Save a command that prints the token
    #[arg(long, value_name = "CMD ARGS", allow_hyphen_values = true)]
    token_command: Option<String>,
    /// Save the token without checking it
    #[arg(long)]
    no_verify: bool,
    /// Require the profile's name for each change
    #[arg(long)]
    protected: bool,
    /// End the protection; requires the profile's name
    #[arg(long, conflicts_with = "protected", hide_short_help = true)]
    no_protected: bool,
    /// Refuse each change while the profile is selected
    #[arg(long)]
    read_only: bool,
    /// Allow changes again; requires the profile's name
    #[arg(long, conflicts_with = "read_only", hide_short_help = true)]
    no_read_only: bool,
    /// Unexpected arguments, which may contain a token
    #[arg(hide = true)]
    stray: Vec<String>,
}

impl Args {
    /// Returns the settings that guard an account, with their new values.
    fn guards(&self) -> [(&'static str, Option<bool>); 2] {
        let value = |on: bool, off: bool| (on || off).then_some(on);
        [
            ("protected", value(self.protected, self.no_protected)),
            ("read_only", value(self.read_only, self.no_read_only)),
        ]
    }
}

pub async fn run(context: &Context, args: &Args) -> Result<()> {
    refuse_sandbox(context)?;
    if !args.stray.is_empty() {
        return Err(Error::usage(
            "unexpected argument, which is not shown because it may be a token",
        )
        .with_hint(
            "pipe the token in, because arguments show in the process list: \
             sitectl auth login --with-token",
        ));
    }
    let name = context.profile().unwrap_or("default");
    if args.no_protected || args.no_read_only {
        confirm_name(context, name).await?;
    }
    let saved = context.file.profiles.get(name).cloned();
    let profile = merge_saved(context, args, name, saved.unwrap_or_default()).await?;
    let (profile, context_after, status) =
        complete_and_check(context, name, profile, args.no_verify).await?;
    let path = context.env.config_file()?;
    save(&path, name, &profile, args)?;
    let path = path.display();
    context
        .ui
        .note(&format!("Saved profile '{name}' to {path}"));
    warn_of_same_token(&context.ui, name, &context_after.settings.account);
    warn_of_overrides(context, name);
    status.print(&context_after)
}

/// Asks for the name of the profile before changes with it are made easier.
///
/// # Errors
/// `Usage` if it cannot be asked for; `Error` if it is not typed.
async fn confirm_name(context: &Context, name: &str) -> Result<()> {
    let change = format!("Reduce the protection of profile '{name}'");
    if context.flags.confirm.as_deref() == Some(name) {
        return Ok(());
    }
    let ui = &context.ui;
    ui.require_person(&change, &shell_option("--confirm", name))?;
    ui.confirm_by_typing(&format!("{change}?"), &[name]).await
}

/// Returns the profile with the values from the command line, the environment and the saved
/// profile. The values that sitectl can prompt for may be missing.
async fn merge_saved(
    context: &Context,
    args: &Args,
    name: &str,
    saved: Profile,
) -> Result<Profile> {
    let base_url = choose_base_url(context, name, &saved)?.map(|url| url.as_str().into());
    let token_command = args.token_command.as_deref();
    let token_command = token_command.map(split_command).transpose()?;
    let ca_cert = match &context.flags.ca_cert {
        Some(path) => Some(absolute_path(path)?),
        None => saved.ca_cert,
    };
    let token = match token_command {
        Some(_) => None,
        None => read_piped_token(&context.ui, args).await?,
    };
    let [(_, protected), (_, read_only)] = args.guards();
    Ok(Profile {
        base_url,
        token,
        token_command,
        ca_cert,
        protected: protected.unwrap_or(saved.protected),
        read_only: read_only.unwrap_or(saved.read_only),
        ..saved
    })
}

fn absolute_path(path: &Path) -> Result<PathBuf> {
    match std::path::absolute(path) {
        Ok(path) if path.to_str().is_some() => Ok(path),
        _ => {
            let message = "the path of --ca-cert is empty or not valid UTF-8";
            Err(Error::usage(message).with_hint("rename the file"))
        }
    }
}

/// Prompts for missing values and checks the profile. Prompts again for a typed value that the
/// service refuses.
async fn complete_and_check(
    context: &Context,
    name: &str,
    mut profile: Profile,
    no_verify: bool,
) -> Result<(Profile, Context, Status)> {
    let ui = &context.ui;
    let prompts_for_url = profile.base_url.is_none();
    let prompts_for_token = profile.token.is_none() && profile.token_command.is_none();
    loop {
        if profile.base_url.is_none() {
            profile.base_url = Some(prompt_for_url(ui).await?);
        }
        if prompts_for_token && profile.token.is_none() {
            profile.token = Some(prompt_for_token(ui).await?);
        }
        let context_after = context.with_profile(name, &profile)?;
        let mut status = Status::default();
        let checked = if no_verify {
            Ok(())
        } else {
            status.check(&context_after).await
        };
        let Err(error) = checked else {
            return Ok((profile, context_after, status));
        };
        let error = if error.kind == Kind::Auth && error.status == Some(401) {
            let base_url = context_after.service_name()?;
            error
                .without_hints()
                .with_hint(format!("check that the token belongs to {base_url}"))
        } else {
            context_after.hint_wrong_setting(error)
        };
        match error.kind {
            Kind::Auth if prompts_for_token => profile.token = None,
            Kind::NotFound | Kind::Unavailable if prompts_for_url => profile.base_url = None,
            Kind::Interrupted => return Err(error),
            _ => return Err(error.context("could not save the profile")),
        }
        ui.error(&error.message);
        for hint in &error.hints {
            ui.hint(hint.clone());
        }
    }
}

async fn prompt_for_url(ui: &Ui) -> Result<String> {
    let parse = |text: &str| BaseUrl::parse(text, "your input");
    let url = ui.ask("API base URL (ends in /api/v6)", parse);
    Ok(url.await?.as_str().into())
}

async fn prompt_for_token(ui: &Ui) -> Result<Secret> {
    let parse = |text: &str| Secret::new(text, "the input");
    ui.ask_secret("API token (hidden)", parse).await
}

/// Returns the base URL that other commands would use. If there is none, returns the one of the
/// environment, which `--profile` overrides in other commands. None if sitectl must prompt for it.
fn choose_base_url(context: &Context, name: &str, saved: &Profile) -> Result<Option<BaseUrl>> {
    let exported = context.env.base_url.clone();
    let found = find_base_url(&context.flags, &context.env, saved)
        .or_else(|| Some((exported?, Source::Environment)));
    let Some((url, source)) = found else {
        if context.ui.may_prompt() {
            return Ok(None);
        }
        return Err(Error::usage("no base URL specified").with_hint(
            "add the base URL: sitectl auth login --base-url https://service.example/api/v6",
        ));
    };
    let url = BaseUrl::parse(&url, source.name())?;
    let is_named = context.flags.profile.is_some() || context.env.profile.is_some();
    if let Some(own) = &saved.base_url
        && !is_named
        && BaseUrl::canonical(own) != BaseUrl::canonical(url.as_str())
    {
        return Err(other_base_url(name, own, &url));
    }
    let shown_source = match source {
        Source::Profile if context.flags.profile.is_some() => format!("profile '{name}'"),
        Source::Profile => format!("profile '{name}'; --profile NAME adds another"),
        _ => source.name().into(),
    };
    // The token is sent to a URL that the person did not type, so it is shown.
    if source != Source::Flag {
        let url = url.as_str();
        context
            .ui
            .note(&format!("Logging in to {url} ({shown_source})"));
    }
    Ok(Some(url))
}

/// Returns the error of a login that would replace the base URL of the current profile, which the
/// command line does not name.
fn other_base_url(name: &str, own: &str, url: &BaseUrl) -> Error {
    let own = BaseUrl::parse_for_display(own).unwrap_or_else(|| "another base URL".into());
    let url = url.as_str();
    let replace = shell_option("--profile", name);
    Error::usage(format!(
        "the current profile '{name}' is for {own}, not for {url}"
    ))
    .with_hint(format!(
        "add a profile: sitectl auth login --profile NAME --base-url {url}; \
         to replace the base URL of '{name}', pass {replace}"
    ))
}

/// Reads the token from stdin with `--with-token`. None if sitectl must prompt for it.
async fn read_piped_token(ui: &Ui, args: &Args) -> Result<Option<Secret>> {
    if args.with_token && !ui.stdin_terminal {
        let piped = on_thread(|| std::io::read_to_string(std::io::stdin().lock())).await?;
        let piped = piped.map_err(|error| {
            let message = format!("could not read the token from stdin: {error}");
            Error::new(Kind::Auth, message).with_hint(PIPE)
        })?;
        return Secret::new(&piped, "stdin").map(Some);
    }
    if ui.may_prompt() {
        return Ok(None);
    }
    Err(Error::usage("no token specified").with_hint(PIPE))
}

/// Splits a command line into arguments like a shell, without expansions.
fn split_command(line: &str) -> Result<Vec<String>> {
    match shlex::split(line) {
        Some(argv) if !argv.is_empty() => Ok(argv),
        _ => Err(
            Error::usage("--token-command is empty or has an unclosed quote").with_hint(
                "specify a program and its arguments: --token-command 'pass show sitectl/live'",
            ),
        ),
    }
}

/// Saves the profile, and selects it if no profile is selected.
fn save(path: &Path, name: &str, profile: &Profile, args: &Args) -> Result<()> {
    let token = profile.token.as_ref().map(Secret::expose);
    let token_command: Option<Value> = profile
        .token_command
        .as_ref()
        .map(|argv| argv.iter().collect());
    let ca_cert = profile.ca_cert.as_deref().and_then(Path::to_str);
    edit_config(path, |config| {
        config.set(name, "base_url", profile.base_url.as_deref());
        config.set(name, "token", token);
        config.set(name, "token_command", token_command);
        config.set(name, "ca_cert", ca_cert);
        for (key, value) in args.guards() {
            if let Some(value) = value {
                config.set(name, key, Some(value));
            }
        }
        if config.file.current_profile.is_none() {
            config.set_current(Some(name));
        }
        Ok(())
    })
}

/// Warns of variables that decide instead of the profile, and shows how to select the profile.
fn warn_of_overrides(context: &Context, name: &str) {
    warn_of_variables(context, name);
    let current = context.file.current_profile.as_ref();
    if let Some(current) = current.filter(|_| context.env.profile.is_none())
        && current != name
    {
        let command = format!("sitectl profiles use {}", shell_arguments(&[name]));
        context.ui.hint(format!(
            "the current profile is '{current}'; switch to this one: {command}"
        ));
    }
}

/// Warns of the other profiles whose account this profile has, too.
fn warn_of_same_token(ui: &Ui, name: &str, account: &Account) {
    let mut others = account.same_token.clone();
    others.extend(account.profile.clone());
    others.retain(|other| other != name);
    if !others.is_empty() {
        let others = others.join("', '");
        ui.warn(&format!(
            "the account of profile '{name}' is also that of profile '{others}'"
        ));
    }
}
