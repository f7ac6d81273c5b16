//! What one invocation runs with: flag beats environment beats profile beats default.

use super::{BaseUrl, CaCert, Color, ConfigFile, Endpoints, Environment, Flags, Format, Profile, Secret, TaskStates};
use crate::error::{Error, Result};
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;

/// The longest that one request may take, unless told otherwise.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// How often a request that may be repeated is tried again, unless told otherwise.
const RETRIES: u32 = 4;

/// Everything that flags, environment and config file decide together.
#[derive(Debug)]
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
#[derive(Debug)]
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
#[derive(Debug)]
pub enum Token {
    /// From `SITECTL_TOKEN`.
    Environment(super::Unread),
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
        let (name, profile) = if sandbox { (None, Profile::default()) } else { choose_profile(flags, env, file)? };
        let unchosen = if name.is_none() { file.profiles.keys().cloned().collect() } else { Vec::new() };
        let named = name.as_deref().unwrap_or_default();
        let target = if sandbox { Target::Sandbox } else { Self::service(flags, env, named, &profile, unchosen) };
        let in_use = name.clone().filter(|_| target.is_of(&profile));
        // A profile whose address is not the one in use is not the service that is talked to.
        let name = name.filter(|_| target.origin() == Some(Origin::Profile));
        let format = format(flags, env, &profile)?;
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
            per_page: profile.per_page,
            endpoints: profile.endpoints,
            task_states: profile.task_states,
            profile: name,
        })
    }

    /// A profile that was named on the command line is a flag: what it holds beats the environment. Its token goes to its
    /// own host only.
    fn service(flags: &Flags, env: &Environment, name: &str, profile: &Profile, unchosen: Vec<String>) -> Target {
        let base_url = find_address(flags, env, profile);
        let exported_token = env.token.clone().map(Token::Environment);
        let printed_token = || profile.token_command.clone().map(Token::Command);
        let stored_token = profile.token.clone().map(Token::Profile).or_else(printed_token);
        let refusal = base_url.as_ref().and_then(|(url, origin)| refusal(url, *origin, name, profile));
        let token = match flags.profile {
            Some(_) if refusal.is_none() => stored_token.or(exported_token),
            _ => exported_token.or(stored_token),
        };
        let refusal = refusal.filter(|_| token.as_ref().is_some_and(Token::is_profiles));
        Target::Service { base_url, token, refusal, unchosen }
    }
}

/// Why the token of a profile must not be sent to this address; none where it is of the profile's own host.
fn refusal(url: &str, origin: Origin, name: &str, profile: &Profile) -> Option<(String, String)> {
    let host = host(url)?;
    let own = profile.base_url.as_deref().and_then(self::host);
    if own.as_ref() == Some(&host) {
        return None;
    }
    let (own, other_way) = match own {
        Some(own) => (own, format!("leave {} out: sitectl --profile {name}", origin.name())),
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
            Self::Service { token: Some(Token::Environment(text)), .. } => Secret::new(&text.0, "SITECTL_TOKEN").ok(),
            _ => None,
        }
    }

    /// The address of a service over the network.
    ///
    /// # Errors
    /// `Usage` where there is none, or where it is refused: by itself, or for the token that would be sent there.
    pub fn base_url(&self) -> Result<BaseUrl> {
        match self {
            Self::Service { refusal: Some((what, hint)), .. } => Err(Error::usage(what).hint(hint)),
            _ => self.address(),
        }
    }

    /// The same to be shown: nothing is sent there.
    ///
    /// # Errors
    /// `Usage` where there is none, or where it is refused by itself.
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
    /// Whether it is the profile's, and not the environment's.
    fn is_profiles(&self) -> bool {
        !matches!(self, Self::Environment(_))
    }

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
    /// `Auth` where it cannot be one, or what `run` says.
    pub fn secret(&self, run: impl FnOnce(&[String]) -> Result<Secret>) -> Result<Secret> {
        match self {
            Self::Command(command) => run(command),
            Self::Environment(text) => Secret::new(&text.0, "SITECTL_TOKEN"),
            Self::Profile(secret) => Ok(secret.clone()),
        }
    }
}

/// Whether the sandbox is meant: what names a service on the command line goes before the environment.
///
/// # Errors
/// `Usage` where `SITECTL_SANDBOX` says neither yes nor no.
pub fn is_sandboxed(flags: &Flags, env: &Environment) -> Result<bool> {
    Ok(flags.sandbox || (sandbox_wanted(env)? && flags.base_url.is_none() && flags.profile.is_none()))
}

fn sandbox_wanted(env: &Environment) -> Result<bool> {
    match env.sandbox.as_deref().map(str::to_ascii_lowercase).as_deref() {
        None | Some("0" | "false" | "no" | "off") => Ok(false),
        Some("1" | "true" | "yes" | "on") => Ok(true),
        Some(other) => Err(Error::usage(format!("SITECTL_SANDBOX is '{other}'")).hint("allowed: 1, 0")),
    }
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

fn choose_profile(flags: &Flags, env: &Environment, file: &ConfigFile) -> Result<(Option<String>, Profile)> {
    match named_profile(flags, env, file) {
        Some((name, place)) => {
            let profile = file.profile(name).map_err(|error| error.context(place))?;
            Ok((Some(name.into()), profile.clone()))
        }
        None => Ok((None, Profile::default())),
    }
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
        let allowed: Vec<String> = Format::value_variants()
            .iter()
            .filter_map(|format| format.to_possible_value().map(|value| value.get_name().to_string()))
            .collect();
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

    fn file() -> ConfigFile {
        let profile = |url: &str, output: &str| Profile {
            base_url: Some(url.into()),
            output: Some(output.into()),
            token: Secret::new("from-profile", "a test").ok(),
            ..Profile::default()
        };
        ConfigFile {
            current_profile: Some("live".into()),
            profiles: [
                ("live".into(), profile("https://live", "ids")),
                ("test".into(), profile("https://test", "json")),
            ]
            .into(),
        }
    }

    fn url(settings: &Settings) -> &str {
        match &settings.target {
            Target::Service { base_url: Some((url, _)), .. } => url,
            Target::Service { .. } => "none",
            Target::Sandbox => "sandbox",
        }
    }

    #[test]
    fn flag_beats_environment_beats_profile_beats_default() -> Result<()> {
        let mut flags = Flags::default();
        let mut env = Environment::default();
        let defaults = Settings::resolve(&flags, &env, &ConfigFile::default())?;
        assert_eq!((url(&defaults), defaults.format, &defaults.profile), ("none", Format::Table, &None));
        let settings = Settings::resolve(&flags, &env, &file())?;
        assert_eq!((url(&settings), settings.format), ("https://live", Format::Ids));
        (env.base_url, env.output) = (Some("https://env".into()), Some("ndjson".into()));
        let settings = Settings::resolve(&flags, &env, &file())?;
        assert_eq!((url(&settings), settings.format), ("https://env", Format::Ndjson));
        (flags.base_url, flags.output) = (Some("https://flag".into()), Some(Format::Table));
        let settings = Settings::resolve(&flags, &env, &file())?;
        assert_eq!((url(&settings), settings.format), ("https://flag", Format::Table));
        Ok(())
    }

    #[test]
    fn certificates_come_from_the_flag_the_profile_or_the_environment() -> Result<()> {
        let mut flags = Flags::default();
        let mut env = Environment::default();
        let mut file = file();
        let found = |flags: &Flags, env: &Environment, file: &ConfigFile| {
            Settings::resolve(flags, env, file).map(|settings| settings.ca_cert.map(|cert| cert.origin))
        };
        assert_eq!(found(&flags, &env, &file)?, None);
        env.ca_cert = Some("a.pem".into());
        assert_eq!(found(&flags, &env, &file)?, Some(Origin::Environment));
        file.profiles.values_mut().for_each(|profile| profile.ca_cert = Some("b.pem".into()));
        assert_eq!(found(&flags, &env, &file)?, Some(Origin::Profile));
        flags.ca_cert = Some("c.pem".into());
        assert_eq!(found(&flags, &env, &file)?, Some(Origin::Flag));
        Ok(())
    }

    #[test]
    fn a_profile_that_is_typed_beats_the_environment() -> Result<()> {
        let env = Environment { base_url: Some("https://env".into()), ..Environment::default() };
        let typed = Flags { profile: Some("test".into()), ..Flags::default() };
        let settings = Settings::resolve(&typed, &env, &file())?;
        assert_eq!((url(&settings), settings.profile.as_deref()), ("https://test", Some("test")));
        let settings = Settings::resolve(&Flags::default(), &env, &file())?;
        assert_eq!((url(&settings), settings.profile.as_deref()), ("https://env", None));
        let exported = Environment { profile: Some("test".into()), ..env };
        assert_eq!(url(&Settings::resolve(&Flags::default(), &exported, &file())?), "https://env");
        Ok(())
    }

    #[test]
    fn a_profile_is_in_use_where_requests_go_to_its_host() -> Result<()> {
        let live = |token: Option<&str>| Profile {
            base_url: Some("https://live.example/api/v6".into()),
            token: token.and_then(|token| Secret::new(token, "a test").ok()),
            protected: true,
            ..Profile::default()
        };
        let used = |name: &str, token: Option<&str>, env: [Option<&str>; 2], flag: Option<&str>| {
            let test = Profile { protected: false, ..live(Some("test")) };
            let profiles = [("live".into(), live(token)), ("test".into(), test)].into();
            let file = ConfigFile { current_profile: Some(name.into()), profiles };
            let [base_url, token] = env.map(|text| text.map(String::from));
            let env = Environment { base_url, token: token.map(crate::config::Unread), ..Environment::default() };
            let flags = Flags { base_url: flag.map(Into::into), ..Flags::default() };
            let settings = Settings::resolve(&flags, &env, &file)?;
            Ok::<_, Error>((settings.in_use, settings.protected))
        };
        let live = (Some("live".to_string()), true);
        let other = Some("https://other.example/api/v6");
        assert_eq!(used("live", Some("secret"), [None, None], None)?, live);
        assert_eq!(used("live", None, [None, Some("exported")], None)?, live, "its address");
        for spelled in
            ["https://live.example/api/v6/", "HTTPS://LIVE.example.:443/api/v6", " https://live.example/other "]
        {
            assert_eq!(used("live", None, [Some(spelled), Some("exported")], None)?, live, "{spelled}");
            assert_eq!(used("live", None, [None, Some("exported")], Some(spelled))?, live, "{spelled}");
        }
        assert_eq!(used("live", Some("secret"), [other, Some("exported")], None)?, (None, false));
        assert_eq!(used("test", None, [None, None], None)?, (Some("test".into()), false));
        Ok(())
    }

    #[test]
    fn a_command_that_prints_the_token_is_the_profile_s_token() -> Result<()> {
        let mut file = file();
        for profile in file.profiles.values_mut() {
            (profile.token, profile.token_command) = (None, Some(vec!["pass".into()]));
        }
        let source = |flags: &Flags, env: &Environment| {
            let settings = Settings::resolve(flags, env, &file)?;
            let Target::Service { token, .. } = &settings.target else { return Ok((None, false)) };
            Result::Ok((token.as_ref().map(Token::source), settings.target.base_url().is_err()))
        };
        let (typed, mut env) = (Flags { profile: Some("test".into()), ..Flags::default() }, Environment::default());
        assert_eq!(source(&Flags::default(), &env)?, (Some("token_command"), false));
        env.base_url = Some("https://env".into());
        assert_eq!(source(&Flags::default(), &env)?, (Some("token_command"), true));
        env.token = Some(super::super::Unread("x".into()));
        assert_eq!(source(&Flags::default(), &env)?, (Some("environment"), false));
        assert_eq!(source(&typed, &env)?, (Some("token_command"), false));
        Ok(())
    }

    #[test]
    fn a_profile_s_token_goes_to_its_own_host_only() -> Result<()> {
        let own = Some("https://live.example/api/v6");
        let sent = |own: Option<&str>, typed: bool, flag: Option<&str>, env: Option<&str>, token: Option<&str>| {
            let profile = Profile {
                base_url: own.map(Into::into),
                token: Secret::new("from-profile", "a test").ok(),
                ..Profile::default()
            };
            let file = ConfigFile { current_profile: Some("live".into()), profiles: [("live".into(), profile)].into() };
            let flags =
                Flags { profile: typed.then(|| "live".into()), base_url: flag.map(Into::into), ..Flags::default() };
            let token = token.map(|token| super::super::Unread(token.into()));
            let env = Environment { base_url: env.map(Into::into), token, ..Environment::default() };
            let target = Settings::resolve(&flags, &env, &file)?.target;
            let base_url = target.base_url()?;
            Ok::<_, Error>((base_url.host(), target.known_token().map(|token| token.expose().to_string())))
        };
        let is = |host: &str, token: &str| Some((host.to_string(), Some(token.to_string())));
        let other = Some("https://other.example/api/v6");
        for typed in [false, true] {
            assert_eq!(sent(own, typed, None, None, None).ok(), is("https://live.example", "from-profile"));
            for same in ["https://live.example", "https://LIVE.example.:443/api/v6/"] {
                assert_eq!(sent(own, typed, Some(same), None, None).ok(), is("https://live.example", "from-profile"));
            }
            for foreign in ["https://other.example/api/v6", "https://live.example:8443/api/v6", "http://localhost"] {
                let refused = sent(own, typed, Some(foreign), None, None).err();
                assert_eq!(refused.map(|error| error.kind), Some(crate::error::Kind::Usage), "{foreign}");
            }
            assert!(sent(None, typed, other, None, None).is_err(), "it has no host of its own");
            assert_eq!(sent(own, typed, other, None, Some("beside")).ok(), is("https://other.example", "beside"));
        }
        assert!(sent(own, false, None, other, None).is_err());
        assert_eq!(sent(own, false, None, other, Some("beside")).ok(), is("https://other.example", "beside"));
        // A profile on the command line beats the environment.
        assert_eq!(sent(own, true, None, other, Some("beside")).ok(), is("https://live.example", "from-profile"));
        Ok(())
    }

    #[test]
    fn the_sandbox_wins_over_profile_and_environment_but_not_over_a_flag() -> Result<()> {
        let mut env = Environment { base_url: Some("https://env".into()), ..Environment::default() };
        let typed = Flags { sandbox: true, ..Flags::default() };
        assert_eq!(url(&Settings::resolve(&typed, &env, &file())?), "sandbox");
        env.sandbox = Some("1".into());
        assert_eq!(url(&Settings::resolve(&Flags::default(), &env, &file())?), "sandbox");
        let typed = Flags { base_url: Some("https://flag".into()), ..Flags::default() };
        assert_eq!(url(&Settings::resolve(&typed, &env, &file())?), "https://flag");
        Ok(())
    }

    #[test]
    fn a_filter_wants_json() -> Result<()> {
        let resolve = |output: Option<Format>, exported: Option<&str>| {
            let flags = Flags { jq: Some(".".into()), output, ..Flags::default() };
            let env = Environment { output: exported.map(Into::into), ..Environment::default() };
            Settings::resolve(&flags, &env, &ConfigFile::default()).map(|settings| settings.format)
        };
        assert_eq!(resolve(None, None)?, Format::Json);
        assert_eq!(resolve(None, Some("csv"))?, Format::Json);
        assert_eq!(resolve(None, Some("ndjson"))?, Format::Ndjson);
        assert_eq!(resolve(Some(Format::Ndjson), Some("json"))?, Format::Ndjson);
        assert!(resolve(Some(Format::Csv), None).is_err() && resolve(None, Some("xml")).is_err());
        Ok(())
    }

    #[test]
    fn fields_are_named_once_and_not_with_ids() {
        let resolve = |fields: &[&str], output| {
            let fields = fields.iter().map(ToString::to_string).collect();
            Settings::resolve(&Flags { fields, output, ..Flags::default() }, &Environment::default(), &file())
        };
        assert!(resolve(&["a", "b.c"], Some(Format::Csv)).is_ok());
        assert!(resolve(&["a", "b", "a"], Some(Format::Csv)).is_err());
        assert!(resolve(&["a"], None).is_err(), "the profile says ids");
    }

    #[test]
    fn a_wrong_value_is_refused_with_what_is_allowed() {
        let env = Environment { output: Some("xml".into()), ..Environment::default() };
        let error = Settings::resolve(&Flags::default(), &env, &file()).err();
        let told = error.map(|error| (error.message.clone(), error.hint.clone().unwrap_or_default()));
        let wanted = ("SITECTL_OUTPUT is 'xml', which is no format", "allowed: table, json, ndjson, csv, yaml, ids");
        assert_eq!(told, Some((wanted.0.into(), wanted.1.into())));
        let env = Environment { profile: Some("gone".into()), ..Environment::default() };
        assert!(Settings::resolve(&Flags::default(), &env, &file()).is_err());
    }
}
