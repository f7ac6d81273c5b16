//! Tests for every platform. The transcripts in `tests/cli/` have directories and error messages of Linux.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use tempfile::TempDir;

/// An empty home, on the embedded sandbox.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, line: &str) -> Assert {
        let mut command = Command::cargo_bin("sitectl").unwrap();
        for name in ["BASE_URL", "TOKEN", "PROFILE", "OUTPUT"] {
            command.env_remove(format!("SITECTL_{name}"));
        }
        command
            .env("SITECTL_CONFIG", self.path("config.toml"))
            .env("SITECTL_STATE_DIR", self.path("state"));
        command
            .args(line.split(' '))
            .current_dir(&self.0)
            .env("SITECTL_SANDBOX", "1")
            .assert()
    }

    /// Returns the output of a successful command.
    #[track_caller]
    fn stdout(&self, line: &str) -> String {
        String::from_utf8(self.run(line).success().get_output().stdout.clone()).unwrap()
    }
}

#[test]
fn a_list_is_complete_in_every_format() {
    let home = Home::new();
    let json: serde_json::Value =
        serde_json::from_str(&home.stdout("clients list --json")).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 60);
    // One address has two lines.
    for (format, lines) in [("ids", 60), ("ndjson", 60), ("csv", 62), ("table", 61)] {
        let text = home.stdout(&format!("clients list -q -o {format}"));
        assert_eq!(text.lines().count(), lines, "{format}: {text}");
        assert!(
            !text.contains('\r'),
            "{format}: lines end the same everywhere"
        );
    }
}

#[test]
fn a_file_with_any_line_ends_is_applied() {
    let home = Home::new();
    std::fs::write(
        home.path("clients.csv"),
        "email,first_name\r\nnew@example.com,Ada\r\n",
    )
    .unwrap();
    let apply = "clients apply clients.csv --yes --json";
    let applied = |text: String| {
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        (
            report["created"].as_array().unwrap().len(),
            report["unchanged"].as_u64().unwrap(),
        )
    };
    assert_eq!(applied(home.stdout(apply)), (1, 0));
    assert_eq!(applied(home.stdout(apply)), (0, 1));
}

#[test]
fn a_restore_is_in_the_journal_with_its_outcome() {
    let home = Home::new();
    home.stdout("restore start site-0001 latest --full --watch --yes --json");
    home.run("restore start site-0013 latest --full --watch --yes")
        .code(10);
    let journal: serde_json::Value =
        serde_json::from_str(&home.stdout("restore history --json")).unwrap();
    let outcomes: Vec<_> = journal
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["failed", "succeeded"]);
}

#[test]
fn the_config_file_is_replaced() {
    let home = Home::new();
    let config = "# kept\ncurrent_profile = \"a\"\n[profiles.a]\nbase_url = \"http://127.0.0.1:1\"\n[profiles.b]\nbase_url = \"http://127.0.0.1:2\"\n";
    std::fs::write(home.path("config.toml"), config).unwrap();
    home.stdout("profiles use b");
    let changed = std::fs::read_to_string(home.path("config.toml")).unwrap();
    assert_eq!(
        changed,
        config.replace("current_profile = \"a\"", "current_profile = \"b\"")
    );
}
