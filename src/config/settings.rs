//! The settings of one invocation. Flags override the environment, which overrides the profile, which overrides defaults.

use super::{
    BaseUrl, CaCert, ConfigFile, Endpoints, Environment, Flags, OutputFormat, Profile, Secret,
    TaskStates,
};
use crate::error::{Error, Result};
use clap::{ColorChoice, ValueEnum};
use std::num::NonZeroU32;

/// The resolved settings.
pub struct Settings {
    /// The profile that the base URL is from; none if it is from a flag or the environment.
    pub profile: Option<String>,
    /// The service.
    pub target: Target,
    /// The output format.
    pub format: OutputFormat,
    /// The CA certificates that replace the system's.
    pub ca_cert: Option<CaCert>,
    /// The profile that belongs to the host of the base URL.
    pub profile_of_host: Option<String>,
    /// Whether changes require typing the profile's name.
    pub protected: bool,
    /// Records per page.
    pub per_page: Option<u32>,
    /// Paths that the API specification does not show.
    pub endpoints: Endpoints,
    /// Final states of tasks.
    pub task_states: TaskStates,
}

/// The service that requests go to. Missing settings are errors only in commands that send requests.
pub enum Target {
    /// The embedded sandbox.
    Sandbox,
    /// A service on the network.
    Service {
        /// The base URL and its origin.
        base_url: Option<(String, Source)>,
        /// The token.
        token: Option<Token>,
        /// The error message and hint if the profile's token belongs to another host.
        refusal: Option<(String, String)>,
        /// The existing profiles, if none is selected.
        unchosen: Vec<String>,
    },
}

/// A token by its source.
pub enum Token {
    /// The value of `SITECTL_TOKEN`, not yet checked.
    Environment(String),
    /// The token of the profile.
    Profile(Secret),
    /// The program that prints the token.
    Command(Vec<String>),
}

impl Settings {
    /// Resolves all settings.
    ///
    /// # Errors
    /// `Usage` for an unknown profile, an invalid variable, or options that conflict.
    pub fn resolve(flags: &Flags, env: &Environment, file: &ConfigFile) -> Result<Self> {
        let sandbox = is_sandboxed(flags, env);
        let named = named_profile(flags, env, file).filter(|_| !sandbox);
        let profile = match named {
            Some((name, place)) => file
                .profile(name)
                .map_err(|error| error.context(place))?
                .clone(),
            None => Profile::default(),
        };
        let name = named.map(|(name, _)| name);
        let target = if sandbox {
            Target::Sandbox
        } else {
            Self::service(flags, env, file, name, &profile)
        };
        let profile_of_host = name.map(String::from).filter(|_| target.is_of(&profile));
        let origin = target.base_url_source();
        Ok(Self {
            target,
            format: format(flags, env, &profile)?,
            ca_cert: ca_cert(flags, env, &profile),
            protected: profile.protected && profile_of_host.is_some(),
            profile_of_host,
            per_page: profile.per_page.map(NonZeroU32::get),
            endpoints: profile.endpoints,
            task_states: profile.task_states,
            profile: name
                .map(String::from)
                .filter(|_| origin == Some(Source::Profile)),
        })
    }

    /// Resolves the base URL and the token. A profile specified by `--profile` overrides the environment. Its token is sent
    /// only to its own host.
    fn service(
        flags: &Flags,
        env: &Environment,
        file: &ConfigFile,
        name: Option<&str>,
        profile: &Profile,
    ) -> Target {
        let unchosen = if name.is_none() {
            file.profiles.keys().cloned().collect()
        } else {
            Vec::new()
        };
        let base_url = find_base_url(flags, env, profile);
        let environment_token = env.token.clone().map(Token::Environment);
        let token_command = || profile.token_command.clone().map(Token::Command);
        let profile_token = profile
            .token
            .clone()
            .map(Token::Profile)
            .or_else(token_command);
        let refusal = base_url
            .as_ref()
            .and_then(|(url, origin)| refusal(url, *origin, name?, profile));
        let token = match flags.profile {
            Some(_) if refusal.is_none() => profile_token.or(environment_token),
            _ => environment_token.or(profile_token),
        };
        let refusal =
            refusal.filter(|_| matches!(token, Some(Token::Profile(_) | Token::Command(_))));
        Target::Service {
            base_url,
            token,
            refusal,
            unchosen,
        }
    }
}

/// Returns the error message and hint if the URL does not belong to the profile's host.
fn refusal(url: &str, origin: Source, name: &str, profile: &Profile) -> Option<(String, String)> {
    let host = host(url).filter(|_| !is_own(url, profile))?;
    let origin = origin.name();
    Some((
        format!(
            "the token of profile '{name}' is sent only to the profile's own host, and {origin} specifies {host}"
        ),
        format!(
            "set SITECTL_TOKEN to a token for {host}, or omit {origin}: sitectl --profile {name}"
        ),
    ))
}

/// Whether the URL belongs to the profile's host, whatever its origin.
fn is_own(url: &str, profile: &Profile) -> bool {
    host(url).is_some_and(|host| profile.base_url.as_deref().and_then(self::host) == Some(host))
}

/// Returns the host of a URL; none if it is invalid.
fn host(url: &str) -> Option<String> {
    BaseUrl::parse(url, "").ok().map(|url| url.origin())
}

/// Returns the base URL with the highest precedence, and its origin. `--profile` overrides the environment.
pub fn find_base_url(
    flags: &Flags,
    env: &Environment,
    profile: &Profile,
) -> Option<(String, Source)> {
    let of = |url: &Option<String>, origin| url.clone().map(|url| (url, origin));
    let exported = of(&env.base_url, Source::Environment).filter(|_| flags.profile.is_none());
    of(&flags.base_url, Source::Flag)
        .or(exported)
        .or_else(|| of(&profile.base_url, Source::Profile))
}

/// The origin of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `--base-url`
    Flag,
    /// `SITECTL_BASE_URL`
    Environment,
    /// The profile.
    Profile,
}

impl Source {
    /// Returns the name in error messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag => "--base-url",
            Self::Environment => "SITECTL_BASE_URL",
            Self::Profile => "the profile",
        }
    }
}

impl Target {
    /// Returns the origin of the base URL.
    pub fn base_url_source(&self) -> Option<Source> {
        match self {
            Self::Service {
                base_url: Some((_, origin)),
                ..
            } => Some(*origin),
            _ => None,
        }
    }

    /// Whether requests go to the profile's host.
    fn is_of(&self, profile: &Profile) -> bool {
        matches!(self, Self::Service { base_url: Some((url, origin)), .. } if *origin == Source::Profile || is_own(url, profile))
    }

    /// Returns the token, unless a program prints it.
    pub fn known_token(&self) -> Option<Secret> {
        match self {
            Self::Service {
                token: Some(Token::Profile(secret)),
                ..
            } => Some(secret.clone()),
            Self::Service {
                token: Some(Token::Environment(text)),
                ..
            } => Secret::new(text, "SITECTL_TOKEN").ok(),
            _ => None,
        }
    }

    /// Returns the base URL for requests.
    ///
    /// # Errors
    /// `Usage` if the URL is missing or invalid, or if the token belongs to another host.
    pub fn base_url(&self) -> Result<BaseUrl> {
        match self {
            Self::Service {
                refusal: Some((what, hint)),
                ..
            } => Err(Error::usage(what).with_hint(hint)),
            _ => self.base_url_for_display(),
        }
    }

    /// Returns the base URL for display.
    ///
    /// # Errors
    /// `Usage` if the URL is missing or invalid.
    pub fn base_url_for_display(&self) -> Result<BaseUrl> {
        match self {
            Self::Service { base_url: Some((url, origin)), .. } => BaseUrl::parse(url, origin.name()),
            Self::Service { unchosen, .. } if !unchosen.is_empty() => Err(Error::usage("no profile is selected")
                .with_hint(format!("select one of {}: sitectl profiles use {}", unchosen.join(", "), unchosen[0]))),
            _ => Err(Error::usage("no service is configured").with_hint(
                "log in, set SITECTL_BASE_URL and SITECTL_TOKEN, or add --sandbox to try sitectl out: sitectl auth login",
            )),
        }
    }
}

impl Token {
    /// Returns the `token_source` in results.
    pub fn source(&self) -> &'static str {
        match self {
            Self::Environment(_) => "environment",
            Self::Profile(_) => "profile",
            Self::Command(_) => "token_command",
        }
    }
}

/// Whether the command runs on the sandbox. `--base-url` and `--profile` override `SITECTL_SANDBOX`.
pub fn is_sandboxed(flags: &Flags, env: &Environment) -> bool {
    flags.sandbox || (env.sandbox && flags.base_url.is_none() && flags.profile.is_none())
}

/// Returns the selected profile and the setting that selects it.
pub fn named_profile<'a>(
    flags: &'a Flags,
    env: &'a Environment,
    file: &'a ConfigFile,
) -> Option<(&'a str, &'static str)> {
    let places = [
        (&flags.profile, "--profile"),
        (&env.profile, "SITECTL_PROFILE"),
        (&file.current_profile, "current_profile"),
    ];
    places
        .into_iter()
        .find_map(|(name, place)| Some((name.as_deref()?, place)))
}

/// Resolves the output format. `--jq` requires JSON, and overrides other formats of the environment and the profile.
///
/// # Errors
/// `Usage` if `--jq` is combined with another format, or a variable or the profile has an unknown format.
pub fn format(flags: &Flags, env: &Environment, profile: &Profile) -> Result<OutputFormat> {
    let typed = if flags.json {
        Some(OutputFormat::Json)
    } else {
        flags.output
    };
    let from = |value: &Option<String>, origin: &str| {
        value.as_deref().map(|value| named_format(value, origin))
    };
    let saved = || {
        from(&env.output, "SITECTL_OUTPUT")
            .or_else(|| from(&profile.output, "the profile's output"))
    };
    match (typed, &flags.jq) {
        (Some(format), Some(_)) if !format.is_json() => {
            Err(Error::usage("--jq requires -o json or -o ndjson")
                .with_hint("omit --output or --jq"))
        }
        (Some(format), _) => Ok(format),
        (None, None) => saved().unwrap_or(Ok(OutputFormat::Table)),
        (None, Some(_)) => Ok(saved()
            .transpose()?
            .filter(|format| format.is_json())
            .unwrap_or(OutputFormat::Json)),
    }
}

/// Resolves the CA certificates. The profile overrides `SSL_CERT_FILE`, because images set it for all programs.
fn ca_cert(flags: &Flags, env: &Environment, profile: &Profile) -> Option<CaCert> {
    let places = [
        (&flags.ca_cert, "--ca-cert"),
        (&profile.ca_cert, "the profile's ca_cert"),
        (&env.ca_cert, "SSL_CERT_FILE"),
    ];
    places.into_iter().find_map(|(path, origin)| {
        Some(CaCert {
            path: path.clone()?,
            origin,
        })
    })
}

fn named_format(value: &str, origin: &str) -> Result<OutputFormat> {
    OutputFormat::from_str(value, true).map_err(|_| {
        let allowed = OutputFormat::value_variants()
            .iter()
            .filter_map(ValueEnum::to_possible_value);
        let allowed: Vec<String> = allowed.map(|value| value.get_name().to_string()).collect();
        Error::usage(format!("unknown output format '{value}' in {origin}"))
            .with_hint(format!("use one of: {}", allowed.join(", ")))
    })
}

/// Whether to use color on a stream.
pub fn use_color(choice: ColorChoice, env: &Environment, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if env.no_color => false,
        ColorChoice::Auto => terminal || env.force_color,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    const CONFIG: &str = "
        current_profile = 'live'
        [profiles.live]
        base_url = 'https://live.example/api/v6'
        token = 'live-token'
        output = 'ids'
        protected = true
        [profiles.test]
        base_url = 'https://test.example/api/v6'
        token_command = ['pass']
        output = 'json'
        ca_cert = 'profile.pem'
        [profiles.bare]
        token = 'bare-token'";

    /// Resolves options and variables that are separated by spaces.
    fn resolve(line: &str, env: &str) -> Result<Settings> {
        let line = Line::try_parse_from(["sitectl"].into_iter().chain(line.split_whitespace()));
        let flags = line.unwrap_or_else(|error| unreachable!("{error}")).flags;
        let pairs: Vec<(&str, &str)> = env
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='))
            .collect();
        Settings::resolve(
            &flags,
            &Environment::of(&pairs),
            &ConfigFile::parse(CONFIG)?,
        )
    }

    /// Returns URL, token source, profile, profile in use (`!` if protected), format and source of certificates, or the
    /// error.
    fn resolved(line: &str, env: &str) -> String {
        let settings = match resolve(line, env) {
            Ok(settings) => settings,
            Err(error) => return error.message.clone(),
        };
        let Target::Service { token, .. } = &settings.target else {
            return "sandbox".into();
        };
        let address = settings
            .target
            .base_url()
            .map_or("refused".into(), |url| url.as_str().to_string());
        let token = token.as_ref().map_or("-", Token::source);
        let [profile, profile_of_host] = [&settings.profile, &settings.profile_of_host]
            .map(|name| name.as_deref().unwrap_or("-"));
        let mark = if settings.protected { "!" } else { "" };
        let ca_cert = settings
            .ca_cert
            .map(|ca_cert| format!(" {}", ca_cert.origin))
            .unwrap_or_default();
        format!(
            "{address} {token} {profile} {profile_of_host}{mark} {:?}{ca_cert}",
            settings.format
        )
    }

    #[test]
    fn flags_override_environment_profile_and_defaults() {
        let live = "https://live.example/api/v6 profile live live! Ids";
        let test = "https://test.example/api/v6 token_command test test Json the profile's ca_cert";
        let other = "SITECTL_BASE_URL=https://o.example/api/v6";
        for (line, env, expected) in [
            ("", "", live),
            ("--profile test", "", test),
            ("", "SITECTL_PROFILE=test", test),
            ("", "SITECTL_OUTPUT=ndjson", &live.replace("Ids", "Ndjson")),
            (
                "-o table",
                "SITECTL_OUTPUT=ndjson",
                &live.replace("Ids", "Table"),
            ),
            (
                "",
                "SITECTL_TOKEN=t",
                &live.replace(" profile", " environment"),
            ),
            (
                "",
                &format!("{other} SITECTL_TOKEN=t"),
                "https://o.example/api/v6 environment - - Ids",
            ),
            // --profile overrides the environment.
            ("--profile live", &format!("{other} SITECTL_TOKEN=t"), live),
            ("--profile test", "SITECTL_TOKEN=t", test),
            // A profile's token is sent only to its own host.
            ("", other, "refused profile - - Ids"),
            (
                "--profile live --base-url https://o.example",
                "",
                "refused profile - - Ids",
            ),
            (
                "--base-url https://live.example:8443",
                "",
                "refused profile - - Ids",
            ),
            (
                "--base-url http://localhost",
                "SITECTL_PROFILE=test",
                "refused token_command - - Json the profile's ca_cert",
            ),
            (
                "--base-url https://o.example --profile bare",
                "",
                "refused profile - - Table",
            ),
            (
                "--base-url https://LIVE.example.:443/x/",
                "",
                "https://live.example./x profile - live! Ids",
            ),
            (
                "--base-url https://o.example",
                "SITECTL_TOKEN=t",
                "https://o.example environment - - Ids",
            ),
            (
                "--profile live --base-url https://o.example",
                "SITECTL_TOKEN=t",
                "https://o.example environment - - Ids",
            ),
            ("--sandbox", other, "sandbox"),
            ("", "SITECTL_SANDBOX=1", "sandbox"),
            ("--profile live", "SITECTL_SANDBOX=1", live),
            (
                "",
                "SITECTL_PROFILE=gone",
                "SITECTL_PROFILE: profile 'gone' does not exist",
            ),
            ("", "SSL_CERT_FILE=e.pem", &format!("{live} SSL_CERT_FILE")),
            ("--profile test", "SSL_CERT_FILE=e.pem", test),
            (
                "--profile test --ca-cert f.pem",
                "",
                &test.replace("the profile's ca_cert", "--ca-cert"),
            ),
            // --jq requires JSON.
            ("--jq .", "", &live.replace("Ids", "Json")),
            (
                "--jq .",
                "SITECTL_OUTPUT=ndjson",
                &live.replace("Ids", "Ndjson"),
            ),
            ("--jq . -o csv", "", "--jq requires -o json or -o ndjson"),
            (
                "--jq .",
                "SITECTL_OUTPUT=xml",
                "unknown output format 'xml' in SITECTL_OUTPUT",
            ),
        ] {
            assert_eq!(resolved(line, env), expected, "{line} {env}");
        }
    }
}
