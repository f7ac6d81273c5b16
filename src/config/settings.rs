//! What one invocation runs with: flag beats environment beats profile beats default.

use super::{BaseUrl, CaCert, Color, ConfigFile, Endpoints, Environment, Flags, Format, Profile, Secret, TaskStates};
use crate::error::{Error, Result};
use clap::ValueEnum;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

/// The longest that one request may take, unless told otherwise.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// How often a request that may be repeated is tried again, unless told otherwise.
const RETRIES: u32 = 4;

/// Everything that flags, environment and config file decide together.
pub struct Settings {
    /// The profile that names the service; none where a flag or the environment does.
    pub profile: Option<String>,
    /// Which service.
    pub target: Target,
    /// How results are printed.
    pub format: Format,
    /// The fields that were asked for, in this order; none leaves it to the format.
    pub fields: Vec<String>,
    /// What the JSON result is filtered with.
    pub jq: Option<String>,
    /// Table and csv without their header row.
    pub no_header: bool,
    /// The longest that one request may take.
    pub request_timeout: Duration,
    /// How often a request that may be repeated is tried again.
    pub retries: u32,
    /// The certificates that the service's own is checked against, in place of the system's.
    pub ca_cert: Option<CaCert>,
    /// The profile whose host requests go to.
    pub in_use: Option<String>,
    /// Whether it is protected: each change asks for its name.
    pub protected: bool,
    /// Rows to ask for in one page.
    pub per_page: Option<u32>,
    /// Paths that the interface leaves open.
    pub endpoints: Endpoints,
    /// Words that end a task.
    pub task_states: TaskStates,
}

/// Which service a command talks to. What is missing is only missed by commands that need it.
pub enum Target {
    /// The embedded one.
    Sandbox,
    /// One over the network.
    Service {
        /// The address and where it was found.
        base_url: Option<(String, Origin)>,
        /// The token.
        token: Option<Token>,
        /// Why a profile's token must not be sent to that address, and what to do about it.
        refusal: Option<(String, String)>,
        /// The profiles there are, where none of them is chosen.
        unchosen: Vec<String>,
    },
}

/// A token as found: one from the environment is checked when it is needed.
pub enum Token {
    /// From `SITECTL_TOKEN`.
    Environment(String),
    /// From the profile.
    Profile(Secret),
    /// What the profile's program prints.
    Command(Vec<String>),
}

impl Settings {
    /// Decides everything.
    ///
    /// # Errors
    /// `Usage` for an unknown profile, a variable's value that is not allowed, or options that do not go together.
    pub fn resolve(flags: &Flags, env: &Environment, file: &ConfigFile) -> Result<Self> {
        let sandbox = is_sandboxed(flags, env)?;
        let named = named_profile(flags, env, file).filter(|_| !sandbox);
        let profile = match named {
            Some((name, place)) => file.profile(name).map_err(|error| error.context(place))?.clone(),
            None => Profile::default(),
        };
        let name = named.map(|(name, _)| name);
        let target = if sandbox { Target::Sandbox } else { Self::service(flags, env, file, name, &profile) };
        let in_use = name.map(String::from).filter(|_| target.is_of(&profile));
        let format = format(flags, env, &profile)?;
        let origin = target.origin();
        Ok(Self {
            target,
            format,
            fields: fields(flags, format)?,
            jq: flags.jq.clone(),
            no_header: flags.no_header,
            request_timeout: flags.request_timeout.unwrap_or(REQUEST_TIMEOUT),
            retries: flags.retries.unwrap_or(RETRIES),
            ca_cert: ca_cert(flags, env, &profile),
            protected: profile.protected && in_use.is_some(),
            in_use,
            per_page: profile.per_page.map(NonZeroU32::get),
            endpoints: profile.endpoints,
            task_states: profile.task_states,
            profile: name.map(String::from).filter(|_| origin == Some(Origin::Profile)),
        })
    }

    /// A profile that was named on the command line is a flag: what it holds beats the environment. Its token goes to its
    /// own host only.
    fn service(flags: &Flags, env: &Environment, file: &ConfigFile, name: Option<&str>, profile: &Profile) -> Target {
        let unchosen = if name.is_none() { file.profiles.keys().cloned().collect() } else { Vec::new() };
        let base_url = find_address(flags, env, profile);
        let exported_token = env.token.clone().map(Token::Environment);
        let printed_token = || profile.token_command.clone().map(Token::Command);
        let stored_token = profile.token.clone().map(Token::Profile).or_else(printed_token);
        let refusal = base_url.as_ref().and_then(|(url, origin)| refusal(url, *origin, name?, profile));
        let token = match flags.profile {
            Some(_) if refusal.is_none() => stored_token.or(exported_token),
            _ => exported_token.or(stored_token),
        };
        let refusal = refusal.filter(|_| matches!(token, Some(Token::Profile(_) | Token::Command(_))));
        Target::Service { base_url, token, refusal, unchosen }
    }
}

/// Why the token of a profile must not be sent to this address; none where it is of the profile's own host.
fn refusal(url: &str, origin: Origin, name: &str, profile: &Profile) -> Option<(String, String)> {
    let host = host(url)?;
    let own = profile.base_url.as_deref().and_then(|stored| Some((stored, self::host(stored)?)));
    if own.as_ref().is_some_and(|(_, own)| *own == host) {
        return None;
    }
    let (own, other_way) = match own {
        Some((own, _)) => {
            (format!("the host of {own}"), format!("leave {} out: sitectl --profile {name}", origin.name()))
        }
        None => (
            "its own base_url, which is missing or refused".into(),
            format!("save the address: sitectl auth login --profile {name} --base-url {host}/api/v6"),
        ),
    };
    Some((
        format!("the token of profile '{name}' is sent only to {own}, and {} specifies {host}", origin.name()),
        format!("set SITECTL_TOKEN to a token for {host}, or {other_way}"),
    ))
}

/// The host of an address; none where it is refused anyway.
fn host(url: &str) -> Option<String> {
    BaseUrl::parse(url, "").ok().map(|url| url.host())
}

/// The address that goes before all others. That of a profile that was named on the command line stands alone.
pub fn find_address(flags: &Flags, env: &Environment, profile: &Profile) -> Option<(String, Origin)> {
    let of = |url: &Option<String>, origin| url.clone().map(|url| (url, origin));
    let exported = of(&env.base_url, Origin::Environment).filter(|_| flags.profile.is_none());
    of(&flags.base_url, Origin::Flag).or(exported).or_else(|| of(&profile.base_url, Origin::Profile))
}

/// Where an address was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `--base-url`
    Flag,
    /// `SITECTL_BASE_URL`
    Environment,
    /// The profile.
    Profile,
}

impl Origin {
    /// It in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag => "--base-url",
            Self::Environment => "SITECTL_BASE_URL",
            Self::Profile => "the profile",
        }
    }
}

impl Target {
    /// Where the address of a service over the network was found.
    pub fn origin(&self) -> Option<Origin> {
        match self {
            Self::Service { base_url: Some((_, origin)), .. } => Some(*origin),
            _ => None,
        }
    }

    /// Whether requests go to the profile's host, wherever the address was found.
    fn is_of(&self, profile: &Profile) -> bool {
        let Self::Service { base_url: Some((url, origin)), .. } = self else { return false };
        *origin == Origin::Profile
            || host(url).is_some_and(|host| profile.base_url.as_deref().and_then(self::host) == Some(host))
    }

    /// The token, where no program has to be run for it.
    pub fn known_token(&self) -> Option<Secret> {
        match self {
            Self::Service { token: Some(Token::Profile(secret)), .. } => Some(secret.clone()),
            Self::Service { token: Some(Token::Environment(text)), .. } => Secret::new(text, "SITECTL_TOKEN").ok(),
            _ => None,
        }
    }

    /// The address of a service over the network.
    ///
    /// # Errors
    /// `Usage` if there is none, or if it is refused: by itself, or for the token that would be sent there.
    pub fn base_url(&self) -> Result<BaseUrl> {
        match self {
            Self::Service { refusal: Some((what, hint)), .. } => Err(Error::usage(what).hint(hint)),
            _ => self.address(),
        }
    }

    /// The same to be shown: nothing is sent there.
    ///
    /// # Errors
    /// `Usage` if there is none, or if it is refused by itself.
    pub fn address(&self) -> Result<BaseUrl> {
        match self {
            Self::Service { base_url: Some((url, origin)), .. } => BaseUrl::parse(url, origin.name()),
            Self::Service { unchosen, .. } if !unchosen.is_empty() => Err(Error::usage("no profile is chosen")
                .hint(format!("sitectl profiles use NAME chooses one of: {}", unchosen.join(", ")))),
            _ => Err(Error::usage("no service is configured").hint(
                "sitectl auth login asks for one; or set SITECTL_BASE_URL and SITECTL_TOKEN, or add --sandbox to practise on the embedded service",
            )),
        }
    }
}

impl Token {
    /// Where it is from, in the word that results have for it.
    pub fn source(&self) -> &'static str {
        match self {
            Self::Environment(_) => "environment",
            Self::Profile(_) => "profile",
            Self::Command(_) => "token_command",
        }
    }

    /// The token, checked; `run` runs the program that prints it.
    ///
    /// # Errors
    /// `Auth` if it cannot be one, or what `run` says.
    pub fn secret(&self, run: impl FnOnce(&[String]) -> Result<Secret>) -> Result<Secret> {
        match self {
            Self::Command(command) => run(command),
            Self::Environment(text) => Secret::new(text, "SITECTL_TOKEN"),
            Self::Profile(secret) => Ok(secret.clone()),
        }
    }
}

/// Whether the command runs on the sandbox. `--base-url` and `--profile` override `SITECTL_SANDBOX`.
///
/// # Errors
/// `Usage` if `SITECTL_SANDBOX` is not a yes or a no.
pub fn is_sandboxed(flags: &Flags, env: &Environment) -> Result<bool> {
    let is_set = match env.sandbox.as_deref() {
        None | Some("0" | "false") => false,
        Some("1" | "true") => true,
        Some(other) => return Err(Error::usage(format!("SITECTL_SANDBOX is '{other}'")).hint("allowed: 1, 0")),
    };
    Ok(flags.sandbox || (is_set && flags.base_url.is_none() && flags.profile.is_none()))
}

/// The profile that is named, and by what.
pub fn named_profile<'a>(
    flags: &'a Flags,
    env: &'a Environment,
    file: &'a ConfigFile,
) -> Option<(&'a str, &'static str)> {
    let places =
        [(&flags.profile, "--profile"), (&env.profile, "SITECTL_PROFILE"), (&file.current_profile, "current_profile")];
    places.into_iter().find_map(|(name, place)| Some((name.as_deref()?, place)))
}

/// With `--jq`, what was typed must be JSON, and everything else gives way to it.
fn format(flags: &Flags, env: &Environment, profile: &Profile) -> Result<Format> {
    let typed = if flags.json { Some(Format::Json) } else { flags.output };
    let from = |value: &Option<String>, origin: &str| value.as_deref().map(|value| named_format(value, origin));
    let saved = || from(&env.output, "SITECTL_OUTPUT").or_else(|| from(&profile.output, "the profile's output"));
    match (typed, &flags.jq) {
        (Some(format), Some(_)) if !format.is_json() => {
            Err(Error::usage("--jq filters JSON: it goes with -o json and -o ndjson")
                .hint("leave --output away, or --jq"))
        }
        (Some(format), _) => Ok(format),
        (None, None) => saved().unwrap_or(Ok(Format::Table)),
        (None, Some(_)) => Ok(saved().transpose()?.filter(|format| format.is_json()).unwrap_or(Format::Json)),
    }
}

/// A variable that an image sets for every program must not widen what a profile trusts.
fn ca_cert(flags: &Flags, env: &Environment, profile: &Profile) -> Option<CaCert> {
    let from = |path: &Option<PathBuf>, origin| path.clone().map(|path| CaCert { path, origin });
    from(&flags.ca_cert, Origin::Flag)
        .or_else(|| from(&profile.ca_cert, Origin::Profile))
        .or_else(|| from(&env.ca_cert, Origin::Environment))
}

fn fields(flags: &Flags, format: Format) -> Result<Vec<String>> {
    let names = &flags.fields;
    if !names.is_empty() && format == Format::Ids {
        let refused = Error::usage("--fields does not go with -o ids, which prints ids alone");
        return Err(refused.hint("leave one of them away; -o csv --no-header prints fields alone"));
    }
    match names.iter().enumerate().find(|(place, name)| names[..*place].contains(name)) {
        Some((_, name)) => Err(Error::usage(format!("--fields names '{name}' twice")).hint("name each field once")),
        None => Ok(names.clone()),
    }
}

fn named_format(value: &str, origin: &str) -> Result<Format> {
    Format::from_str(value, true).map_err(|_| {
        let allowed = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let allowed: Vec<String> = allowed.map(|value| value.get_name().to_string()).collect();
        Error::usage(format!("{origin} is '{value}', which is no format"))
            .hint(format!("allowed: {}", allowed.join(", ")))
    })
}

/// Whether to colour what goes to a stream that is, or is not, a terminal.
pub fn use_color(choice: Color, env: &Environment, terminal: bool) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if env.no_color => false,
        Color::Auto => terminal || env.force_color,
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

    /// Resolves options and variables, separated by spaces.
    fn resolve(line: &str, env: &str) -> Result<Settings> {
        let line = Line::try_parse_from(["sitectl"].into_iter().chain(line.split_whitespace()));
        let flags = line.unwrap_or_else(|error| unreachable!("{error}")).flags;
        let pairs: Vec<(&str, &str)> = env.split_whitespace().filter_map(|pair| pair.split_once('=')).collect();
        Settings::resolve(&flags, &Environment::of(&pairs), &ConfigFile::parse(CONFIG)?)
    }

    /// Address, source of the token, profile, profile in use (`!` if it is protected) and format; else the error.
    fn resolved(line: &str, env: &str) -> String {
        let settings = match resolve(line, env) {
            Ok(settings) => settings,
            Err(error) => return error.message.clone(),
        };
        let Target::Service { token, .. } = &settings.target else { return "sandbox".into() };
        let address = settings.target.base_url().map_or("refused".into(), |url| url.as_str().to_string());
        let token = token.as_ref().map_or("-", Token::source);
        let [profile, in_use] = [&settings.profile, &settings.in_use].map(|name| name.as_deref().unwrap_or("-"));
        let mark = if settings.protected { "!" } else { "" };
        format!("{address} {token} {profile} {in_use}{mark} {:?}", settings.format)
    }

    #[test]
    fn flag_beats_environment_beats_profile_beats_default() {
        let live = "https://live.example/api/v6 profile live live! Ids";
        let test = "https://test.example/api/v6 token_command test test Json";
        let other = "SITECTL_BASE_URL=https://o.example/api/v6";
        for (line, env, expected) in [
            ("", "", live),
            ("--profile test", "", test),
            ("", "SITECTL_PROFILE=test", test),
            ("", "SITECTL_OUTPUT=ndjson", &live.replace("Ids", "Ndjson")),
            ("-o table", "SITECTL_OUTPUT=ndjson", &live.replace("Ids", "Table")),
            ("", "SITECTL_TOKEN=t", &live.replace(" profile", " environment")),
            ("", &format!("{other} SITECTL_TOKEN=t"), "https://o.example/api/v6 environment - - Ids"),
            // A profile on the command line beats the environment.
            ("--profile live", &format!("{other} SITECTL_TOKEN=t"), live),
            ("--profile test", "SITECTL_TOKEN=t", test),
            // A profile's token goes to its own host only.
            ("", other, "refused profile - - Ids"),
            ("--profile live --base-url https://o.example", "", "refused profile - - Ids"),
            ("--base-url https://live.example:8443", "", "refused profile - - Ids"),
            ("--base-url http://localhost", "SITECTL_PROFILE=test", "refused token_command - - Json"),
            ("--base-url https://o.example --profile bare", "", "refused profile - - Table"),
            ("--base-url https://LIVE.example.:443/x/", "", "https://live.example./x profile - live! Ids"),
            ("--base-url https://o.example", "SITECTL_TOKEN=t", "https://o.example environment - - Ids"),
            ("--profile live --base-url https://o.example", "SITECTL_TOKEN=t", "https://o.example environment - - Ids"),
            ("--sandbox", other, "sandbox"),
            ("", "SITECTL_SANDBOX=1", "sandbox"),
            ("--profile live", "SITECTL_SANDBOX=1", live),
            ("", "SITECTL_PROFILE=gone", "SITECTL_PROFILE: there is no profile named 'gone'"),
            // --jq requires JSON.
            ("--jq .", "", &live.replace("Ids", "Json")),
            ("--jq .", "SITECTL_OUTPUT=ndjson", &live.replace("Ids", "Ndjson")),
            ("--jq . -o csv", "", "--jq filters JSON: it goes with -o json and -o ndjson"),
            ("--jq .", "SITECTL_OUTPUT=xml", "SITECTL_OUTPUT is 'xml', which is no format"),
            ("--fields a", "", "--fields does not go with -o ids, which prints ids alone"),
        ] {
            assert_eq!(resolved(line, env), expected, "{line} {env}");
        }
    }

    #[test]
    fn certificates_come_from_the_flag_the_profile_or_the_environment() -> Result<()> {
        for (line, env, origin) in [
            ("", "", None),
            ("", "SSL_CERT_FILE=e.pem", Some(Origin::Environment)),
            ("--profile test", "SSL_CERT_FILE=e.pem", Some(Origin::Profile)),
            ("--profile test --ca-cert f.pem", "SSL_CERT_FILE=e.pem", Some(Origin::Flag)),
        ] {
            assert_eq!(resolve(line, env)?.ca_cert.map(|cert| cert.origin), origin, "{line} {env}");
        }
        Ok(())
    }
}
