//! `sitectl sandbox serve` as a process of a test's own, for every test that needs a service.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A served sandbox, killed with the test.
pub struct Server {
    pub process: Child,
    pub base_url: String,
}

impl Server {
    /// Starts the command, which becomes `sandbox serve`, and waits for its two lines.
    pub fn of(mut command: Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
        let line = lines.next().expect("sandbox serve prints its address");
        let base_url = line.strip_prefix("export SITECTL_BASE_URL=").unwrap().to_string();
        assert_eq!(lines.next().as_deref(), Some("export SITECTL_TOKEN=sandbox-token"));
        Self { process, base_url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends a signal, such as `-INT`, to a process. Every shell can do that; a `kill` program is not always installed.
#[cfg(unix)]
#[track_caller]
pub fn signal(name: &str, process: u32) {
    let sent = Command::new("sh").args(["-c", &format!("kill {name} {process}")]).status();
    assert!(sent.unwrap().success());
}
