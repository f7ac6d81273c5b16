//! The settings of one invocation. Flags override the environment, which overrides the profile,
//! which overrides defaults.

use super::{
    BaseUrl, CaCert, ConfigFile, Endpoints, Environment, Flags, OutputFormat, Profile, Secret,
    TaskStates,
};
use crate::error::{Error, Result};
use crate::shell::unset_variable;
use clap::{ColorChoice, ValueEnum};
use std::num::NonZeroU32;

/// The account of a command: its address and its token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// The profile whose token is used at its own host; None for another token. Of several, a
    /// protected one counts first, and then the selected one.
    pub profile: Option<String>,
    /// The other profiles with this token and host.
    pub same_token: Vec<String>,
    /// The name that `--confirm` takes: the profile, or else the host with a port that is not the
    /// default. None for the sandbox, and without a usable base URL.
    pub name: Option<String>,
    /// Whether changes require the name.
    pub is_protected: bool,
}

impl Account {
    /// Finds the profiles with the host and the token of the target. Only a selected profile is known
    /// by its `token_command`, because the token is not known yet.
    fn of(target: &Target, selected: Option<&str>, file: &ConfigFile) -> Self {
        let Some((url, _)) = target.url_and_source() else {
            return Self::default();
        };
        let at_host = file.profiles.iter();
        let mut at_host = at_host.filter(|(_, profile)| is_own(url, profile));
        let protects_host = at_host.clone().any(|(_, profile)| profile.protected);
        let is_selected = |name: &str| Some(name) == selected;
        let token = target.token_without_command();
        let has_token = |profile: &Profile| token.is_some() && profile.token.as_ref() == token;
        let mut profiles: Vec<_> = at_host.clone().filter(|(_, own)| has_token(own)).collect();
        profiles.sort_by_key(|(name, profile)| (!profile.protected, !is_selected(name)));
        if let Some(Token::Command(_)) = target.token() {
            profiles.extend(at_host.find(|(name, _)| is_selected(name)));
        }
        let mut names = profiles.iter().map(|(name, _)| (*name).clone());
        let profile = names.next();
        Self {
            name: profile
                .clone()
                .or_else(|| Some(BaseUrl::parse(url, "").ok()?.host())),
            is_protected: profiles
                .first()
                .map_or(protects_host, |(_, profile)| profile.protected),
            same_token: names.collect(),
            profile,
        }
    }
}

/// The resolved settings.
pub struct Settings {
    pub account: Account,
    /// The setting that turns off changes.
    pub read_only: Option<String>,
    pub target: Target,
    pub format: OutputFormat,
    /// The CA certificates that replace the system's.
    pub ca_cert: Option<CaCert>,
    /// Records per page.
    pub per_page: Option<u32>,
    pub endpoints: Endpoints,
    pub task_states: TaskStates,
}

/// The service that requests go to. Missing settings are errors only in commands that send
/// requests.
pub enum Target {
    /// The embedded sandbox.
    Sandbox,
    /// A service on the network.
    Service {
        base_url: Option<(String, Source)>,
        token: Option<Token>,
        /// The error if the profile's token belongs to another host.
        wrong_host: Option<Error>,
        /// Whether there are profiles, and none is selected.
        needs_selection: bool,
    },
}

/// A token by its source.
pub enum Token {
    /// The value of `SITECTL_TOKEN`. A wrong value is an error only in commands that need it.
    Environment(Result<Secret>),
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
        let is_sandbox = match env.sandbox.as_deref() {
            Some("1") => true,
            Some("0") | None => flags.sandbox,
            Some(value) => {
                let message = format!("SITECTL_SANDBOX is '{value}'");
                return Err(Error::usage(message).with_hint("set it to 1, or to 0 to turn it off"));
            }
        };
        if is_sandbox && !cfg!(feature = "sandbox") {
            return Err(without_sandbox());
        }
        if is_sandbox && (flags.base_url.is_some() || flags.profile.is_some()) {
            let message = "the sandbox cannot be combined with --profile or --base-url";
            return Err(Error::usage(message).with_hint(omit_sandbox()));
        }
        let selected = selected_profile(flags, env, file).filter(|_| !is_sandbox);
        let mut name = None;
        let mut profile = Profile::default();
        if let Some((selected, source)) = selected {
            let found = file.profile(selected);
            profile = found.map_err(|error| error.context(source))?.clone();
            name = Some(selected);
        }
        let target = if is_sandbox {
            Target::Sandbox
        } else {
            Target::service(flags, env, file, name, &profile)
        };
        let account = Account::of(&target, name, file);
        let read_only = match env.read_only.as_deref() {
            Some("1" | "true") => Some(READ_ONLY_VARIABLE.into()),
            None => name
                .filter(|_| profile.read_only)
                .map(|name| format!("read_only of profile '{name}'")),
            Some(value) => {
                let message = format!("{READ_ONLY_VARIABLE} is '{value}'");
                return Err(Error::usage(message).with_hint("set it to 1, or to 0 to turn it off"));
            }
        };
        let format = output_format(flags, env, &profile)?;
        // The settings of a profile apply where its address is used.
        let of_account = account
            .profile
            .as_ref()
            .and_then(|name| file.profiles.get(name));
        let mut profiles = [Some(&profile), of_account].into_iter().flatten();
        let profile = profiles.find(|profile| target.is_address_of(profile));
        let profile = profile.cloned().unwrap_or_default();
        Ok(Self {
            format,
            ca_cert: ca_cert(flags, env, &profile),
            account,
            read_only,
            per_page: profile.per_page.map(NonZeroU32::get),
            endpoints: profile.endpoints,
            task_states: profile.task_states,
            target,
        })
    }
}

/// Refuses every change if it is set.
const READ_ONLY_VARIABLE: &str = "SITECTL_READ_ONLY";

impl Settings {
    /// Fails if a setting turns off changes.
    ///
    /// # Errors
    /// `Usage`, naming the setting. The hint leads to a person, and not past the setting.
    pub fn require_writable(&self) -> Result<()> {
        let Some(setting) = &self.read_only else {
            return Ok(());
        };
        let error = Error::usage(format!("{setting} turns off changes"));
        Err(error.without_changes().with_hint(
            "let a person make the change; --dry-run shows it, if the command has this option",
        ))
    }

    /// Returns the variables that decide which account is used, and whether it can be changed.
    pub fn deciding_variables(&self, flags: &Flags, env: &Environment) -> Vec<&'static str> {
        let is_sandbox = matches!(self.target, Target::Sandbox);
        let url_source = self.target.url_and_source().map(|(_, source)| source);
        let is_of_environment = matches!(self.target.token(), Some(Token::Environment(_)));
        let selects_profile = env.profile.is_some() && flags.profile.is_none();
        [
            ("SITECTL_SANDBOX", is_sandbox && !flags.sandbox),
            ("SITECTL_PROFILE", selects_profile && !is_sandbox),
            ("SITECTL_BASE_URL", url_source == Some(&Source::Environment)),
            ("SITECTL_TOKEN", is_of_environment),
            (READ_ONLY_VARIABLE, env.read_only.is_some()),
        ]
        .into_iter()
        .filter_map(|(variable, decides)| decides.then_some(variable))
        .collect()
    }
}

/// Returns the error of a program that was built without the sandbox. It must not use another
/// service instead.
pub fn without_sandbox() -> Error {
    Error::usage("this sitectl was built without the sandbox").with_hint(omit_sandbox())
}

/// Returns the hint to use a service instead of the sandbox.
pub fn omit_sandbox() -> String {
    let command = unset_variable("SITECTL_SANDBOX");
    format!("omit --sandbox and unset the variable: {command}")
}

/// Returns the error if the URL does not belong to the profile's host.
fn wrong_host(url: &str, source: Source, name: &str, profile: &Profile) -> Option<Error> {
    let origin = origin(url)?;
    if is_own(url, profile) {
        return None;
    }
    let source = source.name();
    let message = format!(
        "the token of profile '{name}' is sent only to the profile's own scheme, host and port, and \
         {source} specifies {origin}"
    );
    Some(Error::usage(message).with_hint(format!(
        "set SITECTL_TOKEN to a token for {origin}, or use the profile's service: omit --base-url, \
         and unset the variable: {}",
        unset_variable("SITECTL_BASE_URL")
    )))
}

/// Whether the URL has the host of the profile's own base URL.
fn is_own(url: &str, profile: &Profile) -> bool {
    let own = profile.base_url.as_deref().and_then(origin);
    own.is_some() && own == origin(url)
}

/// Returns the scheme, host and port of a URL; none if it is invalid.
fn origin(url: &str) -> Option<String> {
    let url = BaseUrl::parse(url, "").ok()?;
    Some(url.origin())
}

/// Returns the base URL with the highest precedence, and its source. `--profile` overrides the
/// environment.
pub fn find_base_url(
    flags: &Flags,
    env: &Environment,
    profile: &Profile,
) -> Option<(String, Source)> {
    let exported = env.base_url.as_ref().filter(|_| flags.profile.is_none());
    let candidates = [
        (flags.base_url.as_ref(), Source::Flag),
        (exported, Source::Environment),
        (profile.base_url.as_ref(), Source::Profile),
    ];
    candidates
        .into_iter()
        .find_map(|(url, source)| Some((url?.clone(), source)))
}

/// The source of a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Flag,
    Environment,
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
    /// Resolves the base URL and the token. `--profile` overrides the environment. The token of a
    /// profile is sent only to the profile's own host.
    fn service(
        flags: &Flags,
        env: &Environment,
        file: &ConfigFile,
        name: Option<&str>,
        profile: &Profile,
    ) -> Self {
        let base_url = find_base_url(flags, env, profile);
        let wrong_host = base_url
            .as_ref()
            .and_then(|(url, source)| wrong_host(url, *source, name?, profile));
        let environment_token = env.token.clone().map(Token::Environment);
        let token = profile.token.clone().map(Token::Profile);
        let command = profile.token_command.clone().map(Token::Command);
        let profile_token = token.or(command);
        let token = if flags.profile.is_some() && wrong_host.is_none() {
            profile_token.or(environment_token)
        } else {
            environment_token.or(profile_token)
        };
        let is_of_profile = matches!(token, Some(Token::Profile(_) | Token::Command(_)));
        Self::Service {
            base_url,
            token,
            wrong_host: wrong_host.filter(|_| is_of_profile),
            needs_selection: name.is_none() && !file.profiles.is_empty(),
        }
    }

    fn url_and_source(&self) -> Option<&(String, Source)> {
        match self {
            Self::Service { base_url, .. } => base_url.as_ref(),
            Self::Sandbox => None,
        }
    }

    /// Whether requests go to the profile's base URL.
    fn is_address_of(&self, profile: &Profile) -> bool {
        let own = profile.base_url.as_deref().map(BaseUrl::canonical);
        let url = self.url_and_source();
        own.is_some() && own == url.map(|(url, _)| BaseUrl::canonical(url))
    }

    fn token(&self) -> Option<&Token> {
        match self {
            Self::Service { token, .. } => token.as_ref(),
            Self::Sandbox => None,
        }
    }

    /// Returns the token. None if there is none, it is invalid, or a program prints it.
    pub fn token_without_command(&self) -> Option<&Secret> {
        match self.token()? {
            Token::Environment(token) => token.as_ref().ok(),
            Token::Profile(token) => Some(token),
            Token::Command(_) => None,
        }
    }

    /// Returns the base URL for requests.
    ///
    /// # Errors
    /// `Usage` if the URL is missing or invalid, or if the token belongs to another host.
    pub fn base_url(&self) -> Result<BaseUrl> {
        match self {
            Self::Service {
                wrong_host: Some(error),
                ..
            } => Err(error.clone()),
            _ => self.configured_url(),
        }
    }

    /// Returns the base URL of the settings, even if the token must not be sent to it.
    ///
    /// # Errors
    /// `Usage` if the URL is missing or invalid.
    pub fn configured_url(&self) -> Result<BaseUrl> {
        if let Some((url, source)) = self.url_and_source() {
            return BaseUrl::parse(url, source.name());
        }
        match self {
            Self::Service {
                needs_selection: true,
                ..
            } => Err(Error::usage("no profile is selected").with_hint(
                "list the profiles and select one: sitectl profiles list; sitectl profiles use NAME",
            )),
            _ => Err(Error::usage("no service is configured").with_hint(
                if cfg!(feature = "sandbox") {
                    "log in with sitectl auth login, or set SITECTL_BASE_URL and SITECTL_TOKEN; \
                     to try sitectl out, add --sandbox"
                } else {
                    "log in with sitectl auth login, or set SITECTL_BASE_URL and SITECTL_TOKEN"
                },
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

/// Returns the name of the selected profile, and the setting that selects it.
pub fn selected_profile<'a>(
    flags: &'a Flags,
    env: &'a Environment,
    file: &'a ConfigFile,
) -> Option<(&'a str, &'static str)> {
    let candidates = [
        (flags.profile.as_deref(), "--profile"),
        (env.profile.as_deref(), "SITECTL_PROFILE"),
        (file.current_profile.as_deref(), "current_profile"),
    ];
    candidates
        .into_iter()
        .find_map(|(name, setting)| Some((name?, setting)))
}

/// Resolves the output format. `--jq` requires JSON, and overrides other formats of the environment
/// and the profile.
///
/// # Errors
/// `Usage` if `--jq` is combined with another format, or a variable or the profile has an unknown
/// format.
pub fn output_format(flags: &Flags, env: &Environment, profile: &Profile) -> Result<OutputFormat> {
    let typed = if flags.json {
        Some(OutputFormat::Json)
    } else {
        flags.output
    };
    let filters_json = flags.jq.is_some();
    if let Some(format) = typed {
        if filters_json && !format.is_json() {
            return Err(Error::usage("--jq requires -o json or -o ndjson")
                .with_hint("omit --output or --jq"));
        }
        return Ok(format);
    }
    let saved = match (&env.output, &profile.output) {
        (Some(name), _) => Some(parse_format(name, "SITECTL_OUTPUT")?),
        (None, Some(name)) => Some(parse_format(name, "the profile's output")?),
        (None, None) => None,
    };
    Ok(match saved {
        Some(format) if !filters_json || format.is_json() => format,
        _ if filters_json => OutputFormat::Json,
        _ => OutputFormat::Table,
    })
}

fn parse_format(name: &str, setting: &str) -> Result<OutputFormat> {
    OutputFormat::from_str(name, false).map_err(|_| {
        let mut allowed = Vec::new();
        for value in OutputFormat::value_variants() {
            let value = value.to_possible_value();
            allowed.extend(value.map(|value| value.get_name().to_string()));
        }
        Error::usage(format!("unknown output format '{name}' in {setting}"))
            .with_hint(format!("use one of: {}", allowed.join(", ")))
    })
}

/// Resolves the CA certificates. The profile overrides `SSL_CERT_FILE`, because images set it for
/// all programs.
fn ca_cert(flags: &Flags, env: &Environment, profile: &Profile) -> Option<CaCert> {
    let candidates = [
        (&flags.ca_cert, "--ca-cert"),
        (&profile.ca_cert, "the profile's ca_cert"),
        (&env.ca_cert, "SSL_CERT_FILE"),
    ];
    candidates.into_iter().find_map(|(path, setting)| {
        Some(CaCert {
            path: path.clone()?,
            setting,
        })
    })
}

/// Whether to use color on a stream. `shows_color` is whether it is a terminal with colors.
pub fn use_color(choice: ColorChoice, env: &Environment, shows_color: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if env.no_color => false,
        ColorChoice::Auto => env.color.unwrap_or(shows_color),
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
        token = 'bare-token'
        [profiles.twin]
        base_url = 'https://live.example/api/v6'
        token = 'live-token'
        read_only = true
        [profiles.x]
        base_url = 'https://x.example/api/v6'
        token = 'x-token'
        [profiles.y]
        base_url = 'https://x.example/api/v6'
        token = 'x-token'";

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

    /// Returns URL, token source, profile and name of the account, its protection (`!`), the other
    /// profiles with its token, format, source of certificates and what turns off changes, or the
    /// error.
    fn resolved(line: &str, env: &str) -> String {
        let settings = match resolve(line, env) {
            Ok(settings) => settings,
            Err(error) => return error.message.clone(),
        };
        let Target::Service { token, .. } = &settings.target else {
            return "sandbox".into();
        };
        let base_url = settings.target.base_url();
        let base_url = base_url.map_or("refused".into(), |url| url.as_str().to_string());
        let token = token.as_ref().map_or("-", Token::source);
        let Account {
            profile,
            name,
            is_protected,
            same_token,
        } = settings.account;
        let [profile, name] = [profile, name].map(|name| name.unwrap_or("-".into()));
        let mark = if is_protected { "!" } else { "" };
        let others: String = same_token.iter().map(|name| format!("+{name}")).collect();
        let read_only = settings.read_only.map(|setting| format!(" ({setting})"));
        let read_only = read_only.unwrap_or_default();
        let ca_cert = settings
            .ca_cert
            .map(|ca_cert| format!(" {}", ca_cert.setting))
            .unwrap_or_default();
        format!(
            "{base_url} {token} {profile} {name}{mark}{others} {:?}{ca_cert}{read_only}",
            settings.format
        )
    }

    #[test]
    fn flags_override_environment_profile_and_defaults() {
        let live = "https://live.example/api/v6 profile live live!+twin Ids";
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
                "https://live.example/api/v6 environment - live.example! Ids",
            ),
            (
                "",
                &format!("{other} SITECTL_TOKEN=t"),
                "https://o.example/api/v6 environment - o.example Ids",
            ),
            // --profile overrides the environment.
            ("--profile live", &format!("{other} SITECTL_TOKEN=t"), live),
            ("--profile test", "SITECTL_TOKEN=t", test),
            // A profile's token is sent only to its own host.
            ("", other, "refused profile - o.example Ids"),
            (
                "--profile live --base-url https://o.example/api/v6",
                "",
                "refused profile - o.example Ids",
            ),
            (
                "--base-url https://live.example:8443/api/v6",
                "",
                "refused profile - live.example:8443 Ids",
            ),
            (
                "--base-url http://localhost/api/v6",
                "SITECTL_PROFILE=test",
                "refused token_command - localhost Json",
            ),
            (
                "--base-url https://o.example/api/v6 --profile bare",
                "",
                "refused profile - o.example Table",
            ),
            (
                "--base-url https://LIVE.example:443/x/api/v6/",
                "",
                "https://live.example/x/api/v6 profile live live!+twin Ids",
            ),
            (
                "--base-url https://o.example/api/v6",
                "SITECTL_TOKEN=t",
                "https://o.example/api/v6 environment - o.example Ids",
            ),
            (
                "--profile live --base-url https://o.example/api/v6",
                "SITECTL_TOKEN=t",
                "https://o.example/api/v6 environment - o.example Ids",
            ),
            // A protected profile also protects its host if another profile is selected.
            (
                "--base-url https://live.example/api/v6",
                "SITECTL_PROFILE=test SITECTL_TOKEN=t",
                "https://live.example/api/v6 environment - live.example! Json",
            ),
            (
                "",
                "SITECTL_BASE_URL=https://test.example/api/v6 SITECTL_TOKEN=t",
                "https://test.example/api/v6 environment - test.example Ids",
            ),
            // A variable that equals a token of the config is the account of that profile.
            (
                "",
                "SITECTL_PROFILE=test SITECTL_BASE_URL=https://live.example/api/v6 SITECTL_TOKEN=live-token",
                "https://live.example/api/v6 environment live live!+twin Json",
            ),
            // So is another profile with the token. Protected profiles count first, then the
            // selected one.
            (
                "--profile twin",
                "",
                "https://live.example/api/v6 profile live live!+twin Table (read_only of profile 'twin')",
            ),
            (
                "--profile x",
                "",
                "https://x.example/api/v6 profile x x+y Table",
            ),
            (
                "",
                "SITECTL_PROFILE=y",
                "https://x.example/api/v6 profile y y+x Table",
            ),
            // The selected profile turns off changes, with any token, but not in the sandbox.
            (
                "",
                "SITECTL_PROFILE=twin SITECTL_TOKEN=t",
                "https://live.example/api/v6 environment - live.example! Table (read_only of profile 'twin')",
            ),
            ("--sandbox", "SITECTL_PROFILE=twin", "sandbox"),
            (
                "",
                "SITECTL_READ_ONLY=1",
                &format!("{live} (SITECTL_READ_ONLY)"),
            ),
            (
                "",
                "SITECTL_READ_ONLY=true",
                &format!("{live} (SITECTL_READ_ONLY)"),
            ),
            ("", "SITECTL_READ_ONLY=0", live),
            ("", "SITECTL_READ_ONLY=yes", "SITECTL_READ_ONLY is 'yes'"),
            ("--sandbox", other, "sandbox"),
            ("", "SITECTL_SANDBOX=1", "sandbox"),
            ("", "SITECTL_SANDBOX=0", live),
            ("", "SITECTL_SANDBOX=true", "SITECTL_SANDBOX is 'true'"),
            (
                "--profile live",
                "SITECTL_SANDBOX=1",
                "the sandbox cannot be combined with --profile or --base-url",
            ),
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
