//! Tests for every platform. The transcripts in `tests/cli/` have directories and error messages of Linux.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};
use tempfile::TempDir;

/// An empty home, on the embedded sandbox.
struct World(TempDir);

impl World {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitectl"));
        command.args(args).current_dir(self.0.path()).stdin(std::process::Stdio::null());
        for name in ["BASE_URL", "TOKEN", "PROFILE", "OUTPUT"] {
            command.env_remove(format!("SITECTL_{name}"));
        }
        command.env("SITECTL_CONFIG", self.path("config.toml")).env("SITECTL_STATE_DIR", self.path("state"));
        command.env("SITECTL_SANDBOX", "1").output().unwrap()
    }

    /// Returns the output of a successful command.
    #[track_caller]
    fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {} {stderr}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn a_list_is_complete_in_every_format() {
    let world = World::new();
    let json: serde_json::Value = serde_json::from_str(&world.stdout(&["clients", "list", "--json"])).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 60);
    for (format, lines) in [("ids", 60), ("ndjson", 60), ("csv", 61), ("table", 61)] {
        let text = world
            .stdout(&["clients", "list", "-q", "-o", format, "--fields", "id"][..if format == "ids" { 5 } else { 7 }]);
        assert_eq!(text.lines().count(), lines, "{format}: {text}");
        assert!(!text.contains('\r'), "{format}: lines end the same everywhere");
    }
}

#[test]
fn a_restore_is_in_the_journal_with_its_outcome() {
    let world = World::new();
    world.stdout(&["restore", "start", "site-0001", "latest", "--full", "--watch", "--yes", "--json"]);
    let failed = world.run(&["restore", "start", "site-0013", "latest", "--full", "--watch", "--yes"]);
    assert_eq!(failed.status.code(), Some(10));
    let journal: serde_json::Value = serde_json::from_str(&world.stdout(&["restore", "history", "--json"])).unwrap();
    let outcomes: Vec<_> = journal.as_array().unwrap().iter().map(|row| row["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["failed", "succeeded"]);
}

#[test]
fn the_config_file_is_replaced() {
    let world = World::new();
    let config = "# kept\ncurrent_profile = \"a\"\n[profiles.a]\nbase_url = \"http://127.0.0.1:1\"\n[profiles.b]\nbase_url = \"http://127.0.0.1:2\"\n";
    std::fs::write(world.path("config.toml"), config).unwrap();
    world.stdout(&["profiles", "use", "b"]);
    let changed = std::fs::read_to_string(world.path("config.toml")).unwrap();
    assert_eq!(changed, config.replace("current_profile = \"a\"", "current_profile = \"b\""));
}
