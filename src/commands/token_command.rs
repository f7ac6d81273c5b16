//! Runs the program that prints a profile's token, such as a password manager, without a shell. The output is never shown.

use crate::config::Secret;
use crate::config::duration;
use crate::error::{Error, Kind, Result};
use crate::signal::is_stopped;
use crate::terminal::{Kept, interrupted};
use std::io::{ErrorKind, IsTerminal, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Maximum run time, because the program can prompt.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// How often to look for Ctrl-C, because the thread is blocked meanwhile.
const POLL: Duration = Duration::from_millis(50);
/// Maximum size of the output.
const MAX_BYTES: u64 = 64 << 10;

const NO_SHELL: &str = "for pipes, quotes and $VARIABLES, use a shell: token_command = [\"sh\", \"-c\", \"…\"]";
const TOO_LONG: &str = "run the command in a terminal to see whether it prompts";

/// Returns the token that this program prints. It can prompt on the terminal, and its stderr passes through.
///
/// # Errors
/// `Auth` if it does not run, fails, takes too long or prints no token; `Interrupted` on Ctrl-C.
pub fn run(command: &[String]) -> Result<Secret> {
    run_within(command, TIME_LIMIT)
}

fn run_within(command: &[String], limit: Duration) -> Result<Secret> {
    let failed = |what: String| {
        let name = command.first().map_or("", String::as_str);
        Error::new(Kind::Auth, format!("the token command '{name}' {what}")).hint(NO_SHELL)
    };
    let stdin_terminal = std::io::stdin().is_terminal();
    let _kept = stdin_terminal.then(Kept::new);
    let mut child = start(command, stdin_terminal).map_err(|error| match error.kind() {
        ErrorKind::NotFound => failed("was not found".into()),
        _ => failed(format!("could not be started: {error}")),
    })?;
    let too_long = || failed(format!("timed out after {}", duration::describe(limit))).hint(TOO_LONG);
    let printed = wait(&output(&mut child), limit).and_then(|printed| printed.ok_or_else(too_long));
    let printed = printed.and_then(|printed| match printed.len() as u64 > MAX_BYTES {
        true => Err(failed("printed more than 64 KiB".into())),
        false => Ok(printed),
    });
    if printed.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| failed(format!("could not be run: {error}")))?;
    let printed = printed?;
    match status {
        status if status.success() => {}
        status if was_interrupted(status) => return Err(interrupted()),
        status => return Err(failed(format!("failed ({status})"))),
    }
    let text = String::from_utf8(printed).map_err(|_| failed("printed a value that is not text".into()))?;
    Secret::new(&text, "the output of the token command")
}

fn start(command: &[String], stdin_terminal: bool) -> std::io::Result<Child> {
    let (program, arguments) = command.split_first().ok_or(ErrorKind::NotFound)?;
    // Piped stdin is data for sitectl.
    let stdin = if stdin_terminal { Stdio::inherit() } else { Stdio::null() };
    Command::new(program).args(arguments).env_remove("SITECTL_TOKEN").stdin(stdin).stdout(Stdio::piped()).spawn()
}

/// Reads the output of the program on another thread.
fn output(child: &mut Child) -> Receiver<Vec<u8>> {
    let (sender, received) = channel();
    let stdout = child.stdout.take();
    std::thread::spawn(move || {
        let mut printed = Vec::new();
        let _ = stdout.map(|stdout| stdout.take(MAX_BYTES + 1).read_to_end(&mut printed));
        sender.send(printed)
    });
    received
}

/// Waits for the output; none if it takes longer than the limit.
fn wait(output: &Receiver<Vec<u8>>, limit: Duration) -> Result<Option<Vec<u8>>> {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        match output.recv_timeout(POLL) {
            _ if is_stopped() => return Err(interrupted()),
            Err(RecvTimeoutError::Timeout) => {}
            printed => return Ok(Some(printed.unwrap_or_default())),
        }
    }
    Ok(None)
}

/// Whether Ctrl-C ended the program, which the terminal sends to sitectl too.
fn was_interrupted(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status) == Some(2);
    #[cfg(not(unix))]
    return status.code() == Some(0xC000_013A_u32 as i32);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: u64) -> Result<String> {
        let token = run_within(&["sh", "-c", script].map(String::from), Duration::from_millis(limit));
        token.map(|token| token.expose().into())
    }

    /// The kind, message and hint of the error.
    fn error<T>(result: Result<T>) -> Option<(Kind, String, Option<String>)> {
        result.err().map(|error| (error.kind, error.message.clone(), error.hint.clone()))
    }

    #[test]
    fn the_token_is_what_it_prints() {
        assert_eq!(shell("cat; printf ' abc\\r\\n'", 60_000).ok().as_deref(), Some("abc"), "stdin is not data");
    }

    #[test]
    fn failures_never_show_what_it_prints() {
        for (script, what) in [
            ("echo s3cret; exit 3", "failed (exit status: 3)"),
            ("echo s3 cret", "is not allowed in an HTTP header"),
            ("true", "is empty"),
            ("printf 's3cret\\377'", "not text"),
            ("yes s3cret", "more than 64 KiB"),
            ("echo s3cret; kill -9 $$", "failed (signal: 9"),
        ] {
            let (kind, message, _) = error(shell(script, 60_000)).unwrap_or_else(|| unreachable!("{script}"));
            assert!(kind == Kind::Auth && message.contains(what) && !message.contains("s3"), "{script}: {message}");
        }
        let message = "the token command 'sh' timed out after 300ms";
        let expected = Some((Kind::Auth, message.into(), Some(TOO_LONG.into())));
        assert_eq!(error(shell("echo s3cret; exec sleep 100", 300)), expected);
        let message = error(run(&["no-such-program".into()])).map(|(_, message, _)| message);
        assert_eq!(message.as_deref(), Some("the token command 'no-such-program' was not found"));
    }
}
