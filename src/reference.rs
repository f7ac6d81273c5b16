//! What the manuals and the README tell in tables, each declared once: they are made from this, or held to it by a test.

use crate::error::Kind;
use crate::exit::exit_code;

/// How a run can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The exit code.
    pub code: u8,
    /// The kind of error; none where there was none.
    pub kind: Option<&'static str>,
    /// When a run ends so.
    pub when: &'static str,
}

/// The ways in which a run can end, by their exit code.
pub fn endings() -> Vec<Ending> {
    let done = Ending { code: 0, kind: None, when: "done" };
    let failed = |kind: Kind| Ending { code: exit_code(kind), kind: Some(kind.name()), when: kind.when() };
    std::iter::once(done).chain(Kind::ALL.map(failed)).collect()
}

/// Variables of the environment that mean one thing, and what that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name; the first of several that is set counts.
    pub names: &'static [&'static str],
    /// What it does.
    pub meaning: &'static str,
}

const fn variable(names: &'static [&'static str], meaning: &'static str) -> Variable {
    Variable { names, meaning }
}

/// What is read of the environment. A variable that is empty counts as absent.
pub const VARIABLES: [Variable; 17] = [
    variable(&["SITECTL_PROFILE"], "The profile of the config file to use, as with --profile."),
    variable(
        &["SITECTL_BASE_URL"],
        "The service's address, as with --base-url. --profile takes precedence. A profile's token is not sent to an \
         address of another host.",
    ),
    variable(
        &["SITECTL_TOKEN"],
        "The API token. There is no flag for it, since a flag shows in the list of processes. With SITECTL_BASE_URL, no \
         config file is needed.",
    ),
    variable(
        &["SITECTL_SANDBOX"],
        "1, true, yes or on: run against the embedded practice service, as with --sandbox. An address or a profile on the \
         command line goes before it.",
    ),
    variable(&["SITECTL_OUTPUT"], "How results are printed, as with --output."),
    variable(&["SITECTL_CONFIG"], "The config file, in place of the platform's."),
    variable(&["SITECTL_STATE_DIR"], "The state directory, in place of the platform's."),
    variable(&["SITECTL_SEEN"], "0: what lists show is not kept for completion."),
    variable(
        &["SSL_CERT_FILE"],
        "A PEM file of the certificates to trust instead of the system's, as with --ca-cert. The profile's ca_cert takes \
         precedence.",
    ),
    variable(&["NO_COLOR"], "Where it is set, nothing is coloured, unless --color says otherwise."),
    variable(
        &["CLICOLOR_FORCE"],
        "Where it is set to anything but 0, output is coloured also where it is no terminal.",
    ),
    variable(
        &["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"],
        "The proxy on the way to the service. None is used for addresses of this machine.",
    ),
    variable(&["NO_PROXY", "no_proxy"], "The hosts, separated by commas, that need no proxy; * stands for all."),
    variable(&["USER", "LOGNAME", "USERNAME"], "Who the journal says has started a restore."),
    variable(
        &[
            "CI_JOB_URL",
            "GITHUB_SERVER_URL",
            "GITHUB_REPOSITORY",
            "GITHUB_RUN_ID",
            "CIRCLE_BUILD_URL",
            "BUILDKITE_BUILD_URL",
            "TRAVIS_JOB_WEB_URL",
            "TRAVIS_BUILD_WEB_URL",
            "SYSTEM_TEAMFOUNDATIONCOLLECTIONURI",
            "SYSTEM_TEAMPROJECT",
            "BUILD_BUILDID",
            "BITBUCKET_GIT_HTTP_ORIGIN",
            "BITBUCKET_BUILD_NUMBER",
            "DRONE_BUILD_LINK",
            "CI_STEP_URL",
            "CI_PIPELINE_URL",
            "BUILD_URL",
        ],
        "Set by CI services: the address of the job, which the journal keeps with each restore.",
    ),
    variable(&["HOME"], "Where the platform's directories are."),
    variable(
        &["XDG_CONFIG_HOME", "XDG_STATE_HOME"],
        "On Linux, where the directories of the config file and of the state are, in place of ~/.config and ~/.local/state.",
    ),
];

/// One of the two directories of the platform that files are kept in, and where each platform has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directory {
    /// What it is called in the list of files.
    pub name: &'static str,
    /// The variable that names another.
    pub variable: &'static str,
    /// On Linux.
    pub linux: &'static str,
    /// On macOS.
    pub macos: &'static str,
    /// On Windows.
    pub windows: &'static str,
}

/// Where the config file is.
pub const CONFIG: Directory = Directory {
    name: "CONFIG",
    variable: "SITECTL_CONFIG",
    linux: "~/.config/sitectl",
    macos: "~/Library/Application Support/sitectl",
    windows: "%APPDATA%\\sitectl\\config",
};

/// Where all else is.
pub const STATE: Directory = Directory {
    name: "STATE",
    variable: "SITECTL_STATE_DIR",
    linux: "~/.local/state/sitectl",
    macos: "~/Library/Application Support/sitectl",
    windows: "%LOCALAPPDATA%\\sitectl\\data",
};

/// A file, and what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileKept {
    /// The directory.
    pub directory: Directory,
    /// The path in it.
    pub name: &'static str,
    /// What it is for.
    pub meaning: &'static str,
}

/// The files that are kept.
pub const FILES: [FileKept; 7] = [
    FileKept {
        directory: CONFIG,
        name: "config.toml",
        meaning: "The profiles: addresses, tokens or the commands that print them, settings. Where commands change it, comments \
                  and layout of the rest stay.",
    },
    FileKept {
        directory: STATE,
        name: "restores.ndjson",
        meaning: "The journal of restores, which restore history shows: a line for each intent, task and outcome.",
    },
    FileKept {
        directory: STATE,
        name: "rate.json",
        meaning: "What is left of the rate limit, shared by all sitectl processes of this machine. It holds no token.",
    },
    FileKept {
        directory: STATE,
        name: "learned.json",
        meaning: "The lists that refuse a page size, by service; forgotten after a month.",
    },
    FileKept {
        directory: STATE,
        name: "seen.json",
        meaning: "The ids of sites, snapshots, clients and managed accounts that were seen last, with addresses and emails, \
                  which completion offers. It may be deleted at any time; auth logout and profiles remove forget the \
                  account's, and SITECTL_SEEN=0 keeps none.",
    },
    FileKept { directory: STATE, name: "sandbox/sandbox.db", meaning: "The data of the sandbox." },
    FileKept {
        directory: STATE,
        name: "sandbox/restores.ndjson",
        meaning: "The journal of restores on the sandbox, which sandbox reset forgets.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;
    use std::collections::BTreeSet;

    #[test]
    fn the_readme_has_the_table_of_endings() {
        let row = |ending: &Ending| {
            let kind = ending.kind.map(|kind| format!("`{kind}`")).unwrap_or_default();
            format!("| {} | {kind} | {} |", ending.code, ending.when).replace("|  |", "| |")
        };
        let readme = include_str!("../README.md");
        let lost: Vec<_> = endings().iter().map(row).filter(|row| !readme.contains(row)).collect();
        assert!(lost.is_empty(), "the README lacks {lost:#?}");
    }

    /// Read by the libraries that find directories and proxies.
    const READ_ELSEWHERE: [&str; 9] = [
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
    ];

    #[test]
    fn the_variables_are_those_that_are_read() {
        let told: BTreeSet<&str> = VARIABLES.iter().flat_map(|variable| variable.names).copied().collect();
        let read: BTreeSet<String> = Environment::names();
        let read: BTreeSet<&str> = read.iter().map(String::as_str).chain(READ_ELSEWHERE).collect();
        assert_eq!(told, read);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_directories_are_where_the_table_says() -> crate::error::Result<()> {
        let env = Environment::default();
        let config = crate::config::paths::config_file(&env)?;
        let state = crate::config::paths::state_dir(&env)?;
        let place = |directory: Directory, name: &str| directory.linux.replace('~', "") + name;
        if std::env::var_os("XDG_CONFIG_HOME").is_none() {
            assert!(config.ends_with(place(CONFIG, "/config.toml").trim_start_matches('/')), "{}", config.display());
        }
        if std::env::var_os("XDG_STATE_HOME").is_none() {
            assert!(state.ends_with(place(STATE, "").trim_start_matches('/')), "{}", state.display());
        }
        Ok(())
    }
}
