//! Runs shell commands as a user of the service.

use crate::service;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// The directory of the user's files, in the target directory.
pub const HOME: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/benches/home");

/// A user of an account.
#[derive(Clone)]
pub struct User {
    /// The number of clients in the account.
    pub clients: usize,
    /// The base URL of the account.
    pub base_url: String,
    /// The content of the journal before each command.
    pub journal: String,
}

impl User {
    pub fn new(clients: usize) -> Self {
        Self {
            clients,
            base_url: service::serve(clients),
            journal: String::new(),
        }
    }

    /// Returns the time of a command in seconds.
    pub fn time(&self, script: &str) -> f64 {
        let mut command = self.command(script);
        let start = Instant::now();
        let status = command.stdout(Stdio::null()).status().unwrap();
        assert!(status.success(), "{script} failed");
        start.elapsed().as_secs_f64()
    }

    /// Returns whether a command prints all clients.
    pub fn is_complete(&self, script: &str) -> bool {
        let Output { status, stdout, .. } = self.command(script).output().unwrap();
        let text = String::from_utf8(stdout).unwrap();
        status.success() && text.matches("@example.com").count() == self.clients
    }

    /// Returns the peak memory of a program in MiB.
    pub fn peak_memory(&self, script: &str) -> f64 {
        let mut command = self.command(&format!("exec {script}"));
        let mut process = command.stdout(Stdio::null()).spawn().unwrap();
        let mut peak = 0.0;
        while process.try_wait().unwrap().is_none() {
            let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
            let size = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            // A process that has just ended has no memory.
            if let Some(kib) = size.and_then(|size| size.trim().strip_suffix(" kB")) {
                peak = kib.parse::<f64>().unwrap() / 1024.0;
            }
        }
        peak
    }

    pub fn journal_path() -> PathBuf {
        Path::new(HOME).join("restores.ndjson")
    }

    fn command(&self, script: &str) -> Command {
        let mut journal = File::create(Self::journal_path()).unwrap();
        journal.write_all(self.journal.as_bytes()).unwrap();
        // Otherwise, the command itself could wait for the disk.
        journal.sync_all().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(HOME).env_clear();
        command
            .env("HOME", HOME)
            .env("PATH", format!("{HOME}/../../../release:{}", env!("PATH")))
            .env(
                "PAGES",
                self.clients.div_ceil(service::PER_PAGE).to_string(),
            )
            .env("SITECTL_BASE_URL", &self.base_url)
            .env("SITECTL_STATE_DIR", HOME)
            .env("SITECTL_TOKEN", "token")
            .stderr(Stdio::null());
        command
    }
}
