//! A read-only setting refuses every change before anything is asked, written or sent.

use crate::common::{World, leaf_commands};
use predicates::str::starts_with;

/// The commands that change the service, with arguments. A new command is here or in [`OTHERS`].
const CHANGES: [&str; 10] = [
    "api POST /clients/delete",
    "clients apply -",
    "clients create --from-file -",
    "clients delete client-0001 --save saved.json",
    "clients update client-0001 --note x",
    "restore resume 20261123-081500",
    "restore start site-0001 latest --full --idempotency-key k",
    "restore undo site-0001",
    "sandbox reset",
    "tasks cancel task-1",
];

/// The commands that only read, or change only files of this machine.
const OTHERS: [&str; 23] = [
    "auth login",
    "auth logout",
    "auth status",
    "clients list",
    "clients show",
    "completions",
    "explain",
    "managed-accounts list",
    "managed-accounts show",
    "profiles list",
    "profiles remove",
    "profiles use",
    "restore history",
    "restore watch",
    "sandbox serve",
    "sites check",
    "sites list",
    "sites show",
    "snapshots files",
    "snapshots list",
    "snapshots tables",
    "tasks list",
    "tasks show",
];

#[test]
fn every_command_that_changes_the_service_is_refused() {
    for (name, _) in leaf_commands() {
        let is_name = |line: &&&str| format!("{line} ").starts_with(&format!("{name} "));
        let Some(line) = CHANGES.iter().find(is_name) else {
            assert!(
                OTHERS.contains(&&*name),
                "add '{name}' to CHANGES or OTHERS"
            );
            continue;
        };
        let profile = "base_url = 'http://127.0.0.1:1/api/v6'\ntoken = 't'\nread_only = true";
        let profile = format!("current_profile = 'live'\n[profiles.live]\n{profile}\n");
        let by_profile = World::empty().with_config(&profile);
        let by_variable = World::on("http://127.0.0.1:1/api/v6").with("SITECTL_READ_ONLY", "1");
        for (world, setting) in [
            (by_variable, "SITECTL_READ_ONLY"),
            (by_profile, "read_only of profile 'live'"),
        ] {
            if name == "sandbox reset" && setting != "SITECTL_READ_ONLY" {
                continue;
            }
            let message = format!("error: {setting} turns off changes; no changes were made\n");
            let run = world.run(format!("{line} --yes --confirm live --retries 0"));
            run.assert_stderr(2, starts_with(message));
            assert!(!world.path(".local").exists(), "{line}");
            assert!(!world.path("saved.json").exists(), "{line}");
        }
    }
}
