//! The process environment, read once into a value, so that everything after it is a pure function.

use std::path::PathBuf;

/// The variables that sitectl reads. An empty one counts as absent.
#[derive(Debug, Default)]
pub struct Environment {
    /// `SITECTL_PROFILE`
    pub profile: Option<String>,
    /// `SITECTL_BASE_URL`
    pub base_url: Option<String>,
    /// `SITECTL_TOKEN`; it becomes a `Secret` as soon as it is needed.
    pub token: Option<Unread>,
    /// `SITECTL_SANDBOX`
    pub sandbox: Option<String>,
    /// `SITECTL_OUTPUT`
    pub output: Option<String>,
    /// `SITECTL_CONFIG`
    pub config: Option<PathBuf>,
    /// `SITECTL_STATE_DIR`
    pub state_dir: Option<PathBuf>,
    /// `NO_COLOR`
    pub no_color: bool,
    /// `CLICOLOR_FORCE`
    pub force_color: bool,
    /// The address of the CI job that runs this, where the environment names one.
    pub ci_url: Option<String>,
    /// The local user's name.
    pub user: Option<String>,
}

/// A token that nobody has looked at yet.
#[derive(Clone)]
pub struct Unread(pub(super) String);

impl std::fmt::Debug for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl Environment {
    /// Reads the process environment.
    pub fn read() -> Self {
        Self::from(&|name| std::env::var_os(name).filter(|value| !value.is_empty()))
    }

    fn from(get: &dyn Fn(&str) -> Option<std::ffi::OsString>) -> Self {
        let text = |name: &str| get(name).map(|value| value.to_string_lossy().into_owned());
        Self {
            profile: text("SITECTL_PROFILE"),
            base_url: text("SITECTL_BASE_URL"),
            token: text("SITECTL_TOKEN").map(Unread),
            sandbox: text("SITECTL_SANDBOX"),
            output: text("SITECTL_OUTPUT"),
            config: get("SITECTL_CONFIG").map(PathBuf::from),
            state_dir: get("SITECTL_STATE_DIR").map(PathBuf::from),
            no_color: get("NO_COLOR").is_some(),
            force_color: get("CLICOLOR_FORCE").is_some_and(|value| value != "0"),
            ci_url: ci_url(&text),
            user: text("USER").or_else(|| text("LOGNAME")).or_else(|| text("USERNAME")),
        }
    }
}

/// GitLab and Jenkins name the job's address; GitHub names its parts.
fn ci_url(text: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let github = || {
        let (server, repository) = (text("GITHUB_SERVER_URL")?, text("GITHUB_REPOSITORY")?);
        Some(format!("{server}/{repository}/actions/runs/{}", text("GITHUB_RUN_ID")?))
    };
    text("CI_JOB_URL").or_else(github).or_else(|| text("BUILD_URL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Environment {
        Environment::from(&|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into()))
    }

    #[test]
    fn a_ci_job_is_named_by_its_address() {
        assert_eq!(with(&[("CI_JOB_URL", "https://ci/1")]).ci_url.as_deref(), Some("https://ci/1"));
        let github = [("GITHUB_SERVER_URL", "https://g"), ("GITHUB_REPOSITORY", "o/r"), ("GITHUB_RUN_ID", "7")];
        assert_eq!(with(&github).ci_url.as_deref(), Some("https://g/o/r/actions/runs/7"));
        assert_eq!(with(&[]).ci_url, None);
    }

    #[test]
    fn a_token_is_not_shown() {
        assert!(!format!("{:?}", with(&[("SITECTL_TOKEN", "abc123")])).contains("abc123"));
    }
}
