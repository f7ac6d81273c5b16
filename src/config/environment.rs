//! The process environment, read once into a value.

use super::secret::Secret;
use crate::error::Result;
use jiff::tz::TimeZone;
use std::path::PathBuf;

/// The variables that sitectl reads. An empty variable counts as unset. The struct has no `Debug`,
/// because it contains a token.
#[derive(Clone, Default)]
pub struct Environment {
    /// `SITECTL_PROFILE`
    pub profile: Option<String>,
    /// `SITECTL_BASE_URL`
    pub base_url: Option<String>,
    /// `SITECTL_TOKEN`. A wrong value is an error only in commands that need it.
    pub token: Option<Result<Secret>>,
    /// `TZ`, if it is not a time zone.
    pub unknown_time_zone: Option<String>,
    /// `SITECTL_SANDBOX`
    pub sandbox: Option<String>,
    /// `SITECTL_READ_ONLY`, except 0.
    pub read_only: Option<String>,
    /// `SITECTL_OUTPUT`
    pub output: Option<String>,
    /// `SITECTL_CONFIG`
    pub config: Option<PathBuf>,
    /// `SITECTL_STATE_DIR`
    pub state_dir: Option<PathBuf>,
    /// `SSL_CERT_FILE`
    pub ca_cert: Option<PathBuf>,
    /// The first variable of those that specify the proxy, and its value.
    pub proxy: Option<(&'static str, String)>,
    /// `NO_PROXY`
    pub no_proxy: Option<String>,
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// Yes if `CLICOLOR_FORCE` is set, and not to 0. Otherwise, no if `CLICOLOR` is 0.
    pub color: Option<bool>,
    /// The URL of the CI job, if the environment contains one.
    pub ci_url: Option<String>,
    /// The local user's name; with sudo, that of the user who ran it. None if no variable names it.
    pub user: Option<String>,
}

impl Environment {
    /// Reads the process environment.
    pub fn read() -> Self {
        Self::from(&|name| std::env::var_os(name).filter(|value| !value.is_empty()))
    }

    /// Reads the variables with `get`, which returns none for an unset or empty variable.
    fn from(get: &dyn Fn(&str) -> Option<std::ffi::OsString>) -> Self {
        let text = |name: &str| get(name).map(|value| value.to_string_lossy().into_owned());
        Self {
            profile: text("SITECTL_PROFILE"),
            base_url: text("SITECTL_BASE_URL"),
            token: text("SITECTL_TOKEN").map(|token| Secret::new(&token, "SITECTL_TOKEN")),
            unknown_time_zone: text("TZ").filter(|_| TimeZone::try_system().is_err()),
            sandbox: text("SITECTL_SANDBOX"),
            read_only: text("SITECTL_READ_ONLY").filter(|value| value != "0"),
            output: text("SITECTL_OUTPUT"),
            config: get("SITECTL_CONFIG").map(PathBuf::from),
            state_dir: get("SITECTL_STATE_DIR").map(PathBuf::from),
            ca_cert: get("SSL_CERT_FILE").map(PathBuf::from),
            proxy: ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
                .into_iter()
                .find_map(|name| Some((name, text(name)?))),
            no_proxy: text("NO_PROXY").or_else(|| text("no_proxy")),
            no_color: get("NO_COLOR").is_some(),
            color: match (get("CLICOLOR_FORCE"), get("CLICOLOR")) {
                (Some(force), _) if force != "0" => Some(true),
                (_, Some(color)) if color == "0" => Some(false),
                _ => None,
            },
            ci_url: CI_JOBS
                .iter()
                .find_map(|template| fill_template(template, &text)),
            user: ["SUDO_USER", "USER", "LOGNAME", "USERNAME"]
                .into_iter()
                .find_map(text),
        }
    }
}

/// Returns the name of the user who runs this process or, if there is none, as in some containers,
/// the user id. None on Windows, where a variable always names the user.
pub fn process_user() -> Option<String> {
    #[cfg(unix)]
    {
        Some(user_name(nix::unistd::getuid()))
    }
    #[cfg(not(unix))]
    {
        None
    }
}

#[cfg(unix)]
fn user_name(uid: nix::unistd::Uid) -> String {
    match nix::unistd::User::from_uid(uid) {
        Ok(Some(user)) => user.name,
        Ok(None) | Err(_) => uid.to_string(),
    }
}

/// Templates of the URL of a CI job, per CI service. Variables with ambiguous names come last.
const CI_JOBS: [&str; 10] = [
    // GitLab
    "{CI_JOB_URL}",
    // GitHub
    "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}",
    // CircleCI
    "{CIRCLE_BUILD_URL}",
    // Buildkite
    "{BUILDKITE_BUILD_URL}",
    // Travis CI
    "{TRAVIS_JOB_WEB_URL}",
    // Azure Pipelines; the first part ends in a slash
    "{SYSTEM_TEAMFOUNDATIONCOLLECTIONURI}{SYSTEM_TEAMPROJECT}/_build/results?buildId={BUILD_BUILDID}",
    // Bitbucket Pipelines
    "{BITBUCKET_GIT_HTTP_ORIGIN}/addon/pipelines/home#!/results/{BITBUCKET_BUILD_NUMBER}",
    // Drone
    "{DRONE_BUILD_LINK}",
    // Woodpecker
    "{CI_STEP_URL}",
    // Jenkins
    "{BUILD_URL}",
];

/// Fills a template; none if a variable is unset.
fn fill_template(template: &str, text: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let Some((before, rest)) = template.split_once('{') else {
        return Some(template.to_string());
    };
    let (name, after) = rest.split_once('}')?;
    // Project names can contain spaces.
    let value = text(name)?.replace(' ', "%20");
    let after = fill_template(after, text)?;
    Some(format!("{before}{value}{after}"))
}

#[cfg(test)]
impl Environment {
    /// Creates an environment of these variables.
    pub fn of(pairs: &[(&str, &str)]) -> Self {
        Self::from(&|name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).into())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_of_a_ci_job_is_found() {
        let github = [
            ("GITHUB_SERVER_URL", "https://g"),
            ("GITHUB_REPOSITORY", "o r"),
            ("GITHUB_RUN_ID", "7"),
        ];
        let gitlab = [
            ("CI_JOB_URL", "https://ci/1"),
            ("CI_PIPELINE_URL", "https://ci/0"),
        ];
        for (pairs, url) in [
            (&gitlab[..], Some("https://ci/1")),
            (&github, Some("https://g/o%20r/actions/runs/7")),
            (&github[..2], None),
        ] {
            assert_eq!(Environment::of(pairs).ci_url.as_deref(), url);
        }
    }

    #[test]
    fn the_user_is_the_one_behind_sudo() {
        let sudo = [("USER", "root"), ("LOGNAME", "root"), ("SUDO_USER", "ada")];
        let user = |pairs| Environment::of(pairs).user;
        assert_eq!(user(&sudo).as_deref(), Some("ada"));
        assert_eq!(user(&sudo[..2]).as_deref(), Some("root"));
        assert_eq!(user(&[]), None);
    }
}
