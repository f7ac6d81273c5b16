//! Runs the program that prints a profile's token, such as a password manager. No shell is in between, and what it
//! prints is never shown.

use crate::config::Secret;
use crate::config::duration;
use crate::error::{Error, Kind, Result};
use crate::signal::stopped;
use crate::terminal::{Kept, interrupted};
use std::io::{ErrorKind, IsTerminal, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// It may ask a person something.
const LONGEST: Duration = Duration::from_secs(60);
/// No token is longer.
pub const MOST_BYTES: usize = 64 << 10;
/// How often it is looked at whether the program has ended.
const STEP: Duration = Duration::from_millis(10);
/// After its end, what it has started may hold its stdout open; what it printed itself is there by then.
const AFTERWARDS: Duration = Duration::from_millis(500);

const NO_SHELL: &str =
    "it is run without a shell: pipes, quotes and $VARIABLES need token_command = [\"sh\", \"-c\", \"…\"]";
const TOO_LONG: &str = "it may have waited for an answer; run it by itself to see what it asks for";

/// The token that this program prints. It may ask on the terminal, and what it says on stderr is seen.
///
/// # Errors
/// `Auth` where it does not run, fails, takes too long, or prints no token; `Interrupted` on Ctrl-C.
pub fn run(command: &[String]) -> Result<Secret> {
    run_within(command, LONGEST)
}

fn run_within(command: &[String], longest: Duration) -> Result<Secret> {
    let refuse = |what: String| {
        let name = command.first().map_or("", String::as_str);
        Error::new(Kind::Auth, format!("the token command '{name}' {what}")).hint(NO_SHELL)
    };
    let ear = Ear::new();
    let mut running = Running::start(command).map_err(|error| refuse(reason(&error)))?;
    let ended = listen(&mut running.child, longest, &ear);
    if ended.is_err() {
        running.end();
    }
    let (status, printed) = ended.map_err(|end| match end {
        End::Interrupted => interrupted(),
        End::TooLong => {
            refuse(format!("took longer than {}, and was ended", duration::describe(longest))).hint(TOO_LONG)
        }
        End::Wrong(what) => refuse(what),
    })?;
    if was_interrupted(status) {
        return Err(interrupted());
    }
    if !status.success() {
        return Err(refuse(format!("failed ({status})")));
    }
    let text = String::from_utf8(printed).map_err(|_| refuse("printed something that is no text".into()))?;
    Secret::new(&text, "what the token command prints")
}

/// Whether it was Ctrl-C that ended it, which was meant for sitectl too.
fn was_interrupted(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status) == Some(2);
    #[cfg(not(unix))]
    return status.code() == Some(0xC000_013A_u32 as i32);
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "was not found".into(),
        _ => format!("could not be started: {error}"),
    }
}

/// The program while it runs.
struct Running {
    child: Child,
    /// Whether it may ask on the terminal. To do so it must stay in sitectl's process group, which the terminal listens
    /// to; otherwise it has one of its own, and all that it has started can be ended with it.
    may_ask: bool,
    /// It may leave a terminal mute that it was ended on.
    _kept: Option<Kept>,
}

impl Running {
    fn start(command: &[String]) -> std::io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(ErrorKind::NotFound)?;
        let stdin_terminal = std::io::stdin().is_terminal();
        // It may open the terminal itself where stdin is data; there it says so on stderr.
        let may_ask = stdin_terminal || std::io::stderr().is_terminal();
        // What is piped in is data for sitectl.
        let stdin = if stdin_terminal { Stdio::inherit() } else { Stdio::null() };
        let mut command = Command::new(program);
        command.args(arguments).env_remove("SITECTL_TOKEN").stdin(stdin).stdout(Stdio::piped());
        #[cfg(unix)]
        if !may_ask {
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        let kept = stdin_terminal.then(Kept::new);
        Ok(Self { child: command.spawn()?, may_ask, _kept: kept })
    }

    /// Ends it, and what it has started where that can be known. It may have ended by itself meanwhile.
    fn end(&mut self) {
        if !self.may_ask {
            end_group(&self.child);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends it and all that it has started, in a process group of its own.
#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// Other systems have no such groups: what it has started goes on.
#[cfg(not(unix))]
fn end_group(_child: &Child) {}

/// Hears Ctrl-C on a runtime of its own, since the command's stands still while the program runs.
struct Ear {
    heard: Arc<AtomicBool>,
    /// Nobody listens any more when this is dropped.
    _over: oneshot::Sender<()>,
}

impl Ear {
    fn new() -> Self {
        let heard = Arc::new(AtomicBool::new(false));
        let ((over, is_over), (ready, is_ready)) = (oneshot::channel(), channel());
        let told = Arc::clone(&heard);
        let thread = std::thread::Builder::new().name("token command".into());
        let thread = thread.spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
            runtime.block_on(async {
                tokio::select! {
                    // In this order: looked at once, it is listened for.
                    biased;
                    () = stopped() => told.store(true, Ordering::Relaxed),
                    _ = async { (ready.send(()), is_over.await) } => {}
                }
            });
            Some(())
        });
        // Where nobody listens, Ctrl-C is for the program alone.
        let _ = thread.map(|_| is_ready.recv());
        Self { heard, _over: over }
    }

    fn has_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}

/// Why the program was ended.
enum End {
    Interrupted,
    TooLong,
    Wrong(String),
}

/// Waits until it has ended, and gives what it printed.
fn listen(child: &mut Child, longest: Duration, ear: &Ear) -> Result<(ExitStatus, Vec<u8>), End> {
    let pieces = pieces(child);
    let (mut printed, start) = (Vec::new(), Instant::now());
    let mut ended: Option<(ExitStatus, Instant)> = None;
    loop {
        let closed = match pieces.recv_timeout(STEP) {
            Ok(piece) => {
                printed.extend(piece);
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        if ear.has_heard() {
            return Err(End::Interrupted);
        }
        if printed.len() > MOST_BYTES {
            return Err(End::Wrong("printed more than 64 KiB".into()));
        }
        if ended.is_none() {
            let status = child.try_wait().map_err(|error| End::Wrong(format!("could not be waited for: {error}")))?;
            ended = status.map(|status| (status, Instant::now()));
        }
        match ended {
            Some((status, at)) if closed || at.elapsed() > AFTERWARDS => return Ok((status, printed)),
            None if start.elapsed() > longest => return Err(End::TooLong),
            None if closed => std::thread::sleep(STEP),
            _ => {}
        }
    }
}

/// What it prints, read beside all else: it may print nothing for long.
fn pieces(child: &mut Child) -> Receiver<Vec<u8>> {
    let (sender, pieces) = channel();
    let stdout = child.stdout.take();
    std::thread::spawn(move || {
        let (mut stdout, mut buffer) = (stdout?, [0; 4096]);
        while let Ok(length @ 1..) = stdout.read(&mut buffer) {
            sender.send(buffer[..length].to_vec()).ok()?;
        }
        Some(())
    });
    pieces
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<String> {
        run(&["sh".into(), "-c".into(), script.into()]).map(|token| token.expose().into())
    }

    #[test]
    fn the_token_is_what_it_prints() {
        assert_eq!(shell("printf ' abc\\r\\n'").ok().as_deref(), Some("abc"));
        // Something that it leaves behind holds its stdout open.
        assert_eq!(shell("sleep 5 & echo abc").ok().as_deref(), Some("abc"));
        assert_eq!(shell("cat; echo abc").ok().as_deref(), Some("abc"), "stdin is not data");
    }

    #[test]
    fn one_that_takes_too_long_is_ended() {
        let command: Vec<String> = ["sh", "-c", "echo s3cret; exec sleep 100"].map(String::from).into();
        let error = run_within(&command, Duration::from_millis(300)).err();
        let error = error.map(|error| (error.message.clone(), error.hint.clone()));
        let message = "the token command 'sh' took longer than 300ms, and was ended";
        assert_eq!(error, Some((message.into(), Some(TOO_LONG.into()))));
    }

    #[test]
    fn what_it_prints_is_not_shown_where_it_is_no_token() {
        let cases = [
            ("echo s3cret; exit 3", "failed (exit status: 3)"),
            ("echo s3 cret", "holds a space"),
            ("true", "is empty"),
            ("printf 's3cret\\377'", "no text"),
            ("yes s3cret", "more than 64 KiB"),
            ("echo s3cret; kill -9 $$", "failed (signal: 9"),
        ];
        for (script, what) in cases {
            let error = shell(script).err().map(|error| (error.kind, error.message.clone()));
            let (kind, message) = error.unwrap_or_else(|| unreachable!("{script}"));
            assert!(kind == Kind::Auth && message.contains(what) && !message.contains("s3"), "{script}: {message}");
        }
        let missing = run(&["no-such-program".into()]).err().map(|error| error.message.clone());
        assert_eq!(missing.as_deref(), Some("the token command 'no-such-program' was not found"));
    }
}
