//! Runs the program in its own home directory, and serves sandboxes.

#![allow(dead_code, reason = "each binary of tests uses a part of it")]

use assert_cmd::cargo::cargo_bin;
use clap::CommandFactory;
use clap::error::ErrorKind;
use predicates::Predicate;
use regex::Regex;
use rustix::process::{Pid, kill_process};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub use rustix::process::Signal;

/// The limit of every wait, so that a test fails instead of hanging. It is longer than any command takes.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// A home directory and environment variables.
pub struct World {
    home: TempDir,
    env: Vec<(String, String)>,
}

/// The arguments of a command: a list, or a line as in a shell.
pub trait Args {
    fn list(self) -> Vec<String>;
}

impl Args for &str {
    fn list(self) -> Vec<String> {
        shlex::split(self).unwrap()
    }
}

impl Args for String {
    fn list(self) -> Vec<String> {
        self.as_str().list()
    }
}

impl Args for &[&str] {
    fn list(self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }
}

impl<const N: usize> Args for &[&str; N] {
    fn list(self) -> Vec<String> {
        self[..].list()
    }
}

impl Args for &Vec<&str> {
    fn list(self) -> Vec<String> {
        self[..].list()
    }
}

/// The output and exit code of one run.
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl World {
    /// Creates an empty home without settings.
    pub fn empty() -> Self {
        Self {
            home: TempDir::new().unwrap(),
            env: Vec::new(),
        }
    }

    /// Creates a home whose commands use the embedded sandbox.
    pub fn sandbox() -> Self {
        Self::empty().with("SITECTL_SANDBOX", "1")
    }

    /// Creates a home whose commands use this service.
    pub fn on(base_url: &str) -> Self {
        Self::empty()
            .with("SITECTL_BASE_URL", base_url)
            .with("SITECTL_TOKEN", "sandbox-token")
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.into(), value.into()));
        self
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.home.path().join(name)
    }

    /// Writes a config file that only its owner can access.
    pub fn with_config(self, text: &str) -> Self {
        let path = self.config_path();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        for (path, mode) in [(path.parent().unwrap(), 0o700), (path.as_path(), 0o600)] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        self
    }

    pub fn config_path(&self) -> std::path::PathBuf {
        self.path(".config/sitectl/config.toml")
    }

    /// Returns the text of the config file; empty if it is missing.
    pub fn config(&self) -> String {
        std::fs::read_to_string(self.config_path()).unwrap_or_default()
    }

    /// Returns the text of the journals.
    pub fn journal(&self) -> String {
        let state = self.path(".local/state/sitectl");
        let known = [
            state.join("restores.ndjson"),
            state.join("sandbox/restores.ndjson"),
        ];
        known
            .iter()
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .collect()
    }

    /// Prepares the program with these arguments.
    pub fn command(&self, args: impl Args) -> Command {
        let mut command = Command::new(cargo_bin!("sitectl"));
        command
            .args(args.list())
            .env_clear()
            .env("HOME", self.home.path())
            .env("USER", "tester")
            .stdin(Stdio::null());
        // So that the program's own runs count when coverage is measured.
        command.envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)));
        command
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(self.home.path());
        command
    }

    /// Prepares a shell that has the program on its path.
    pub fn shell(&self, args: &[&str]) -> Command {
        let program = self.command("");
        let directory = cargo_bin!("sitectl").parent().unwrap().to_path_buf();
        let path = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell
            .args(args)
            .env_clear()
            .env("PATH", path)
            .current_dir(self.home.path())
            .stdin(Stdio::null());
        shell.envs(
            program
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        shell
    }

    /// Starts the program. `wait` returns its output.
    pub fn start(&self, args: impl Args) -> Child {
        start(&mut self.command(args))
    }

    #[track_caller]
    pub fn run(&self, args: impl Args) -> Run {
        self.run_with(args, "")
    }

    /// Runs the program with this text on stdin.
    #[track_caller]
    pub fn run_with(&self, args: impl Args, stdin: &str) -> Run {
        wait(self.start_with(args, stdin))
    }

    /// Starts the program with this text on stdin.
    pub fn start_with(&self, args: impl Args, stdin: &str) -> Child {
        let mut child = start(self.command(args).stdin(Stdio::piped()));
        let (mut pipe, text) = (child.stdin.take().unwrap(), stdin.to_string());
        // It may end without reading.
        std::thread::spawn(move || pipe.write_all(text.as_bytes()));
        child
    }

    /// Runs this script in a shell that has the program on its path.
    #[track_caller]
    pub fn run_script(&self, script: &str) -> Run {
        wait(start(&mut self.shell(&["-c", script])))
    }
}

impl Run {
    pub fn of(output: Output) -> Self {
        // A program that was killed can leave a part of a character.
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let stderr = text(&output.stderr);
        hinted_commands(&stderr);
        Self {
            stdout: text(&output.stdout),
            stderr,
            code: exit_code(output.status),
        }
    }

    /// Fails unless the exit code is this one, and stdout matches.
    #[track_caller]
    pub fn assert_stdout(&self, code: i32, expected: impl Predicate<str>) {
        self.assert_output(code, &self.stdout, &expected);
    }

    /// Fails unless the exit code is this one, and stderr matches.
    #[track_caller]
    pub fn assert_stderr(&self, code: i32, expected: impl Predicate<str>) {
        self.assert_output(code, &self.stderr, &expected);
    }

    #[track_caller]
    fn assert_output(&self, code: i32, output: &str, expected: &impl Predicate<str>) {
        assert!(
            self.code == code && expected.eval(output),
            "expected exit {code} and {expected}:\n{}",
            self.transcript()
        );
    }

    /// Parses stdout as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.transcript()))
    }

    /// Parses the error object on the last line of stderr.
    pub fn error(&self) -> serde_json::Value {
        let line = self.stderr.lines().last().unwrap_or_default();
        serde_json::from_str::<serde_json::Value>(line)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.transcript()))["error"]
            .take()
    }

    /// Returns stdout, stderr and exit code, with placeholders for values that differ between runs.
    pub fn transcript(&self) -> String {
        let part = |name: &str, text: &str| {
            if text.is_empty() {
                String::new()
            } else {
                format!("[{name}]\n{text}")
            }
        };
        steady(&format!(
            "{}{}exit {}\n",
            part("stdout", &self.stdout),
            part("stderr", &self.stderr),
            self.code
        ))
    }
}

/// Returns the arguments of the commands in the hints of this text, and fails if the parser rejects
/// one. Only a correction of a wrong command line may lack an argument.
#[track_caller]
pub fn hinted_commands(text: &str) -> Vec<Vec<String>> {
    let command = regex(r"(?:: |see |\| )(sitectl [^;<>|]*)");
    let mut commands = Vec::new();
    // A program that was killed can leave a part of a line.
    for line in text
        .split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
    {
        let object = serde_json::from_str::<serde_json::Value>(line).unwrap_or_default();
        let listed = object["error"]["hints"].as_array();
        let listed = listed
            .into_iter()
            .flatten()
            .filter_map(|hint| hint.as_str());
        let hints: Vec<&str> = line
            .strip_prefix("hint: ")
            .into_iter()
            .chain(listed)
            .collect();
        for found in hints.iter().flat_map(|hint| command.captures_iter(hint)) {
            let words = shlex::split(&found[1]);
            let words = words.unwrap_or_else(|| panic!("a shell rejects the command: {line}"));
            let parsed = sitectl::cli::Cli::command().try_get_matches_from(&words);
            if let Err(error) = parsed {
                let is_incomplete = error.kind() == ErrorKind::MissingRequiredArgument;
                let is_valid = is_incomplete && line.contains("did you mean: ");
                assert!(is_valid || !error.use_stderr(), "{line}\n{error}");
            }
            commands.push(words[1..].to_vec());
        }
    }
    commands
}

/// Replaces values that differ between runs with placeholders.
pub fn steady(text: &str) -> String {
    let home = format!(
        "{}/[^/ ]+",
        ::regex::escape(std::env::temp_dir().to_str().unwrap().trim_end_matches('/'))
    );
    let rules = [
        (r"TASK ID +SITE ID", "TASK ID  SITE ID"),
        (r"task-[0-9a-f]{16}", "task-ID"),
        (r"snap-[0-9a-f]{16}", "snap-ID"),
        (r"client-[0-9a-f]{16}", "client-NEW"),
        (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
        (r"(\d+[dhms] ?)+ago", "AGE ago"),
        (r"of the last (\d+[dhms] ?)+to", "of the last AGE to"),
        (r"\b\d+[dhm] \d+[hms]\b", "AGE"),
        (r"\b\d+[dhm] older", "AGE older"),
        (r"\b\d+[dhm]  ", "AGE  "),
        // The width of a column of ages depends on the time of the day.
        (r"AGE( ago)? {2,}", "AGE$1  "),
        (r"started [0-9T:Z-]+", "started TIME"),
        (r"sent 20[0-9T:Z-]+", "sent TIME"),
        // The nights before the reset of the sandbox, in which its snapshots were taken, at full minutes.
        (r"20\d\d-\d\d-\d\d([T ]02:\d\d(?::00Z|[^:]|$))", "NIGHT$1"),
        // Right after a night, the age has only minutes or seconds.
        (
            r"(NIGHT\S* +)\d+s( +(?:clean|hacked|succeeded|failed))",
            "${1}AGE$2",
        ),
        (
            r"of the last \d+[dhms] are lost",
            "of the last AGE are lost",
        ),
        (r"20\d{6}-\d{6}(-\d+)?", "RUN"),
        (r#"("hacked_since":")20[0-9T:Z-]+"#, "${1}TIME"),
        (r"(taken_at +)20[0-9T:.Z-]+", "${1}TIME"),
        (
            r#"("(created|updated)_at": "|(created|updated)_at +)[0-9T:.Z-]+"#,
            "${1}TIME",
        ),
        (r"resets in \d+ s", "resets in TIME"),
        (home.as_str(), "HOME"),
    ];
    let replace = |text: String, (pattern, name): &(&str, &str)| {
        regex(pattern).replace_all(&text, *name).into_owned()
    };
    rules.iter().fold(text.to_string(), replace)
}

/// Returns the regular expression, which is compiled once: that takes longer than most searches.
pub fn regex(pattern: &str) -> &'static Regex {
    static COMPILED: Mutex<BTreeMap<String, &'static Regex>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap();
    compiled
        .entry(pattern.into())
        .or_insert_with(|| Box::leak(Box::new(Regex::new(pattern).unwrap())))
}

/// Returns how long a test with random commands runs; `None` for the short form in every `cargo test`.
pub fn soak_time() -> Option<Duration> {
    let time: jiff::SignedDuration = std::env::var("SITECTL_SOAK").ok()?.parse().unwrap();
    Some(time.unsigned_abs())
}

/// Does this work for all items, a few at a time, and returns the results in order.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    const AT_A_TIME: usize = 6;
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(item) = items.get(index) else {
                return done;
            };
            done.push((index, work(item)));
        }
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(worker)).collect();
        let workers = workers.into_iter();
        workers.flat_map(|worker| worker.join().unwrap()).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Waits until `poll` returns a value, and returns the value.
#[track_caller]
pub fn wait_for<T>(what: &str, poll: impl FnMut() -> Option<T>) -> T {
    wait_up_to(PATIENCE, what, poll)
}

/// Waits at most this time until `poll` returns a value, and returns the value.
#[track_caller]
pub fn wait_up_to<T>(time: Duration, what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + time;
    loop {
        if let Some(value) = poll() {
            return value;
        }
        assert!(
            Instant::now() < deadline,
            "waited {time:?}, but never: {what}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the condition is met.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    wait_for(what, || is_so().then_some(()));
}

/// Starts a command. `wait` returns its output.
pub fn start(command: &mut Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a program has ended. A program that does not end is killed, and fails the test.
#[track_caller]
pub fn wait(child: Child) -> Run {
    let process = child.id();
    let (sender, output) = channel();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    if let Ok(output) = output.recv_timeout(PATIENCE) {
        return Run::of(output);
    }
    signal(Signal::KILL, process);
    let printed = output.recv_timeout(PATIENCE).map(Run::of);
    let printed = printed.map_or(String::new(), |run| run.transcript());
    panic!("waited {PATIENCE:?}, but never: the program ends\n{printed}");
}

/// The lines that a running program prints.
pub struct Lines(Receiver<String>);

impl Lines {
    /// Reads the lines of stdout or stderr.
    pub fn of(pipe: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(pipe).lines().map_while(Result::ok);
            lines.try_for_each(|line| sender.send(line))
        });
        Self(lines)
    }

    /// Waits for a line with this text.
    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        let found = self.any(|line| line.contains(text));
        assert!(found, "the program never printed '{text}'");
    }
}

impl Iterator for Lines {
    type Item = String;

    /// Waits for the next line; `None` if the program has closed the stream.
    fn next(&mut self) -> Option<String> {
        match self.0.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                panic!("waited {PATIENCE:?}, but never: the program prints a line")
            }
        }
    }
}

/// Sends Ctrl-C to a running program.
pub fn interrupt(child: &Child) {
    signal(Signal::INT, child.id());
}

/// Kills a program. It may have ended.
#[track_caller]
pub fn kill(mut child: Child) {
    child.kill().unwrap();
    wait(child);
}

/// Sends a signal to a process.
#[track_caller]
pub fn signal(signal: Signal, process: u32) {
    let process = Pid::from_raw(process.try_into().unwrap()).unwrap();
    kill_process(process, signal).unwrap();
}

/// A served sandbox, killed at the end of the test.
pub struct Server {
    pub process: Child,
    pub base_url: String,
}

impl Server {
    /// Starts a sandbox in memory with these options.
    pub fn start(options: impl Args) -> Self {
        Self::serve(&World::empty(), "--db :memory:", options)
    }

    /// Starts a sandbox on the file `sandbox.db` of the returned world, whose commands use it.
    pub fn on_file(options: impl Args) -> (Self, World) {
        let world = World::empty();
        let server = Self::serve(&world, "--db sandbox.db", options);
        let url = server.base_url.clone();
        (
            server,
            world
                .with("SITECTL_BASE_URL", &url)
                .with("SITECTL_TOKEN", "sandbox-token"),
        )
    }

    /// Starts a sandbox in this world.
    pub fn serve(world: &World, database: &str, options: impl Args) -> Self {
        let mut command = world.command("sandbox serve --listen 127.0.0.1:0");
        command.args(database.list()).args(options.list());
        Self::of(command)
    }

    /// Returns the server and a world whose commands use it.
    pub fn world_kept(self) -> (Self, World) {
        let world = self.world();
        (self, world)
    }

    /// Returns a world whose commands use the server.
    pub fn world(&self) -> World {
        World::on(&self.base_url)
    }

    /// Starts the command, which becomes `sandbox serve`, and waits for its two lines.
    pub fn of(mut command: Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = Lines::of(process.stdout.take().unwrap());
        let line = lines.next().expect("sandbox serve prints its address");
        let base_url = line.strip_prefix("export SITECTL_BASE_URL=").unwrap();
        let base_url = base_url.to_string();
        let token = lines.next();
        assert_eq!(token.as_deref(), Some("export SITECTL_TOKEN=sandbox-token"));
        Self { process, base_url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the commands without subcommands and their names, such as `clients list`.
pub fn leaf_commands() -> Vec<(String, clap::Command)> {
    let mut leaves = Vec::new();
    let mut rest = vec![(String::new(), sitectl::cli::Cli::command())];
    while let Some((name, command)) = rest.pop() {
        if !command.has_subcommands() {
            leaves.push((name, command));
            continue;
        }
        for subcommand in command.get_subcommands() {
            let name = format!("{name} {}", subcommand.get_name());
            rest.push((name.trim_start().into(), subcommand.clone()));
        }
    }
    leaves
}

/// Returns the names of the commands that list records of the service.
pub fn list_commands() -> Vec<String> {
    let lists = leaf_commands().into_iter().filter(|(_, command)| {
        let mut arguments = command.get_arguments();
        arguments.any(|argument| argument.get_id() == "per_page")
    });
    lists.map(|(name, _)| name).collect()
}

/// Returns the exit code as a shell has it; -1 after SIGKILL.
pub fn exit_code(status: std::process::ExitStatus) -> i32 {
    let signal = status
        .signal()
        .filter(|signal| *signal != Signal::KILL.as_raw());
    status
        .code()
        .or(signal.map(|signal| 128 + signal))
        .unwrap_or(-1)
}
