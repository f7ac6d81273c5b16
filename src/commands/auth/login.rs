//! `sitectl auth login`: saves a profile after the service has accepted its token.

use super::refuse_sandbox;
use super::status::Status;
use crate::commands::context::Context;
use crate::config::{BaseUrl, Profile, Secret, Source, edit, find_base_url};
use crate::error::{Error, Kind, Result};
use crate::terminal::{Ui, on_thread, shell_arguments};
use std::path::Path;
use toml_edit::Value;

const PIPE: &str =
    "pipe the token in, or use --token-command: sitectl auth login --with-token < token.txt";

const EXAMPLES: &str = "\
Examples:
  sitectl auth login --base-url https://service.example/api/v6 \\
    --with-token < token.txt
  sitectl auth login --profile test \\
    --token-command 'pass show sitectl/test'

Without --with-token and --token-command, sitectl prompts for the token.
sitectl checks the token before it saves the profile. Other settings of the profile stay.

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
    /// Unexpected arguments, which may contain a token
    #[arg(hide = true)]
    stray: Vec<String>,
}

pub(super) async fn run(context: &Context, args: &Args) -> Result<()> {
    refuse_sandbox(context)?;
    if !args.stray.is_empty() {
        return Err(Error::usage("unexpected argument, which is not shown because it may be a token")
            .with_hint("pipe the token in, because arguments show in the process list: sitectl auth login --with-token"));
    }
    let name = context.profile().unwrap_or("default");
    let given = given(
        context,
        args,
        context.file.profiles.get(name).cloned().unwrap_or_default(),
    )
    .await?;
    let (profile, after, status) = complete(context, name, given, args.no_verify).await?;
    let path = context.config_path()?;
    save(&path, name, &profile)?;
    context
        .ui
        .note(&format!("Saved profile '{name}' to {}", path.display()));
    warn(context, name);
    status.print(&after)
}

/// Returns the profile with the values from the command line, the environment and the saved profile. The values that
/// sitectl can prompt for may be missing.
async fn given(context: &Context, args: &Args, before: Profile) -> Result<Profile> {
    let base_url = base_url(context, &before)?.map(|url| url.as_str().into());
    let token_command = args.token_command.as_deref().map(words).transpose()?;
    let ca_cert = match &context.flags.ca_cert {
        Some(path) => {
            let absolute = std::path::absolute(path)
                .ok()
                .filter(|path| path.to_str().is_some());
            let invalid = || {
                Error::usage("the path of --ca-cert is empty or not valid UTF-8")
                    .with_hint("rename the file")
            };
            Some(absolute.ok_or_else(invalid)?)
        }
        None => before.ca_cert,
    };
    let token = if token_command.is_some() {
        None
    } else {
        token(&context.ui, args).await?
    };
    Ok(Profile {
        base_url,
        token,
        token_command,
        ca_cert,
        ..before
    })
}

/// Prompts for missing values and checks the profile. Prompts again for a typed value that the service refuses.
async fn complete(
    context: &Context,
    name: &str,
    mut profile: Profile,
    no_verify: bool,
) -> Result<(Profile, Context, Status)> {
    let ui = &context.ui;
    let asks_url = profile.base_url.is_none();
    let asks_token = profile.token.is_none() && profile.token_command.is_none();
    loop {
        if profile.base_url.is_none() {
            let url = ui
                .ask("API base URL (ends in /api/v6)", false, |text| {
                    BaseUrl::parse(text, "the input")
                })
                .await?;
            profile.base_url = Some(url.as_str().into());
        }
        if asks_token && profile.token.is_none() {
            profile.token = Some(
                ui.ask("API token (hidden)", true, |text| {
                    Secret::new(text, "the input")
                })
                .await?,
            );
        }
        let after = context.with_profile(name, &profile)?;
        let mut status = Status::default();
        let checked = if no_verify {
            Ok(())
        } else {
            status.check(&after).await
        };
        let Err(error) = checked else {
            return Ok((profile, after, status));
        };
        let error = match error.status {
            Some(401) => error.with_hint(format!(
                "check that the token belongs to {}",
                after.base_url_for_display()?
            )),
            _ => after.explain(error),
        };
        match error.kind {
            Kind::Auth if asks_token => profile.token = None,
            Kind::NotFound | Kind::Unavailable if asks_url => profile.base_url = None,
            Kind::Interrupted => return Err(error),
            _ => return Err(error.context("could not save the profile")),
        }
        ui.error(&error.message);
        error.hint.iter().for_each(|hint| ui.hint(hint));
    }
}

/// Returns the base URL that other commands would use, or the environment's for a profile without one. None if sitectl can
/// prompt.
fn base_url(context: &Context, before: &Profile) -> Result<Option<BaseUrl>> {
    let found = find_base_url(&context.flags, &context.env, before);
    let Some((url, origin)) =
        found.or_else(|| Some((context.env.base_url.clone()?, Source::Environment)))
    else {
        return match context.ui.may_prompt {
            true => Ok(None),
            false => Err(Error::usage("no base URL specified").with_hint(
                "add the base URL: sitectl auth login --base-url https://service.example/api/v6",
            )),
        };
    };
    let url = BaseUrl::parse(&url, origin.name())?;
    // Because the token is sent to a URL that the person did not type.
    if origin != Source::Flag {
        context.ui.note(&format!(
            "Logging in to {} ({})",
            url.as_str(),
            origin.name()
        ));
    }
    Ok(Some(url))
}

/// Reads the token from stdin. None if sitectl can prompt.
async fn token(ui: &Ui, args: &Args) -> Result<Option<Secret>> {
    if args.with_token && !ui.stdin_terminal {
        let piped = on_thread(|| std::io::read_to_string(std::io::stdin().lock())).await?;
        let fail = |error| {
            Error::new(
                Kind::Auth,
                format!("could not read the token from stdin: {error}"),
            )
            .with_hint(PIPE)
        };
        return Secret::new(&piped.map_err(fail)?, "stdin").map(Some);
    }
    match ui.may_prompt {
        true => Ok(None),
        false => Err(Error::usage("no token specified").with_hint(PIPE)),
    }
}

/// Splits a command line into words like a shell, without expansions.
fn words(line: &str) -> Result<Vec<String>> {
    match shlex::split(line) {
        Some(words) if !words.is_empty() => Ok(words),
        _ => Err(
            Error::usage("--token-command is empty or has an unclosed quote").with_hint(
                "specify a program and its arguments: --token-command 'pass show sitectl/live'",
            ),
        ),
    }
}

/// Saves the profile, and selects it if no profile is selected.
fn save(path: &Path, name: &str, profile: &Profile) -> Result<()> {
    edit::change(path, |config| {
        config.set(name, "base_url", profile.base_url.as_deref());
        config.set(name, "token", profile.token.as_ref().map(Secret::expose));
        config.set(
            name,
            "token_command",
            profile
                .token_command
                .as_ref()
                .map(|words| words.iter().collect::<Value>()),
        );
        config.set(
            name,
            "ca_cert",
            profile.ca_cert.as_deref().and_then(Path::to_str),
        );
        if config.file.current_profile.is_none() {
            config.set_current(Some(name));
        }
        Ok(())
    })
}

/// Warns of variables that override the profile, and shows how to select it.
fn warn(context: &Context, name: &str) {
    let (ui, env) = (&context.ui, &context.env);
    for (variable, is_set) in [
        ("SITECTL_BASE_URL", env.base_url.is_some()),
        ("SITECTL_TOKEN", env.token.is_some()),
    ] {
        if is_set {
            ui.warn(&format!(
                "{variable} is set and overrides the profile, except with --profile"
            ));
        }
    }
    let current = env
        .profile
        .as_ref()
        .or(context.file.current_profile.as_ref());
    if let Some(current) = current.filter(|current| *current != name) {
        let command = format!("sitectl profiles use {}", shell_arguments(&[name]));
        ui.hint(&format!(
            "the current profile is '{current}'; switch to this one: {command}"
        ));
    }
}
