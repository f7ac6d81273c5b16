//! Runs the program that prints a profile's token, such as a password manager, without a shell. The
//! output is never shown.

use crate::config::{Secret, duration};
use crate::error::{Error, Kind, Result, system_error};
use crate::terminal::{SavedModes, interrupted_before_changes};
use std::io::{ErrorKind, IsTerminal};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The maximum run time. It is long because the program can prompt.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// The time for the rest when the program has ended, or has closed its output.
const GRACE: Duration = Duration::from_millis(500);

/// Returns the token that the program prints. The program can prompt on the terminal, and its
/// stderr passes through.
///
/// # Errors
/// `Auth` if it does not run, fails, takes too long or prints no token; `Interrupted` on Ctrl-C.
pub async fn run(command: &[String]) -> Result<Secret> {
    run_within(command, TIME_LIMIT).await
}

async fn run_within(command: &[String], limit: Duration) -> Result<Secret> {
    let failed = |problem: String| {
        let name = command.first().map_or("", String::as_str);
        Error::new(Kind::Auth, format!("the token command '{name}' {problem}"))
            .with_hint("run the token_command of the profile in a shell, and check its output")
    };
    let stdin_terminal = std::io::stdin().is_terminal();
    // Restores the terminal if the program is ended while it hides typed text.
    let _saved_modes = stdin_terminal.then(SavedModes::new);
    let child = spawn(command, stdin_terminal).map_err(|error| match error.kind() {
        ErrorKind::NotFound => failed("was not found".into()).with_hint(
            "use a shell for pipes, quotes and $VARIABLES: token_command = [\"sh\", \"-c\", \"…\"]",
        ),
        _ => failed(format!("could not be started: {}", system_error(&error))),
    })?;
    let output = timeout(limit, read_output(child)).await.map_err(|_| {
        failed(format!(
            "timed out after {}",
            duration::format_duration(limit)
        ))
    })?;
    let (status, printed) = output.map_err(|error| failed(format!("printed no token: {error}")))?;
    match status {
        Some(status) if was_interrupted(status) => Err(interrupted_before_changes()),
        Some(status) if !status.success() => Err(failed(format!("failed ({status})"))),
        _ => Secret::new(&printed, "the output of the token command"),
    }
}

fn spawn(command: &[String], stdin_terminal: bool) -> std::io::Result<Child> {
    let (program, arguments) = command.split_first().ok_or(ErrorKind::NotFound)?;
    // Without a terminal, stdin may be data for sitectl, which the program must not read.
    let stdin = if stdin_terminal {
        Stdio::inherit()
    } else {
        Stdio::null()
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_remove("SITECTL_TOKEN")
        .stdin(stdin)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
}

/// Waits until the program ends or closes its output, and returns its output. Programs that it left
/// behind can keep the output open. No status means that it has not ended.
async fn read_output(mut child: Child) -> std::io::Result<(Option<ExitStatus>, String)> {
    let mut printed = Vec::new();
    let mut stdout = child.stdout.take().ok_or(ErrorKind::BrokenPipe)?;
    let (status, read) = {
        let mut reading = std::pin::pin!(stdout.read_to_end(&mut printed));
        tokio::select! {
            read = &mut reading => (timeout(GRACE, child.wait()).await, Ok(read)),
            status = child.wait() => (Ok(status), timeout(GRACE, &mut reading).await),
        }
    };
    read.unwrap_or(Ok(0))?;
    let printed = String::from_utf8(printed);
    let printed = printed.map_err(|_| std::io::Error::other("the output is not UTF-8"))?;
    Ok((status.ok().transpose()?, printed))
}

/// Whether Ctrl-C ended the program. The terminal sends Ctrl-C to both programs, and the other may
/// end before sitectl notices.
fn was_interrupted(status: ExitStatus) -> bool {
    // SIGINT
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status) == Some(2);
    // STATUS_CONTROL_C_EXIT
    #[cfg(not(unix))]
    return status.code() == Some(0xC000_013A_u32 as i32);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    async fn shell(script: &str) -> Result<String> {
        let limit = Duration::from_millis(if script.contains("sleep") {
            300
        } else {
            60_000
        });
        let token = run_within(&["sh", "-c", script].map(String::from), limit).await;
        token.map(|token| token.expose().into())
    }

    #[tokio::test]
    async fn the_token_is_what_it_prints() {
        assert_eq!(
            shell("cat; printf ' abc\\r\\n'").await.ok().as_deref(),
            Some("abc"),
            "stdin is not data"
        );
    }

    #[tokio::test]
    async fn programs_that_it_leaves_behind_hold_nothing_up() {
        for script in ["echo abc; sleep 100 &", "echo abc; exec >&-; sleep 100"] {
            let command = ["sh", "-c", script].map(String::from);
            let token = run_within(&command, Duration::from_secs(60)).await;
            assert_eq!(
                token.ok().as_ref().map(Secret::expose),
                Some("abc"),
                "{script}"
            );
        }
    }

    #[tokio::test]
    async fn failures_never_show_what_it_prints() {
        for (script, what) in [
            ("echo s3cret; exit 3", "failed (exit status: 3)"),
            ("echo s3 cret", "is not allowed in an HTTP header"),
            ("true", "is empty"),
            (
                "printf 's3cret\\377'",
                "printed no token: the output is not UTF-8",
            ),
            ("echo s3cret; kill -9 $$", "failed (signal: 9"),
            ("echo s3cret; exec sleep 100", "timed out after 300ms"),
        ] {
            let error = shell(script).await.err();
            let message = error.as_ref().map_or("", |error| &error.message);
            assert!(
                message.contains(what) && !message.contains("s3"),
                "{script}: {message}"
            );
        }
        let missing = run(&["no-such-program".into()]).await.err();
        let shown = missing
            .as_ref()
            .map(|error| (error.kind, error.message.as_str()));
        assert_eq!(
            shown,
            Some((
                Kind::Auth,
                "the token command 'no-such-program' was not found"
            ))
        );
    }
}
