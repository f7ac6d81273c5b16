//! What asks the program to end: Ctrl-C, and what a job that is cancelled gets (SIGTERM) or one whose terminal has gone
//! (SIGHUP). All are heard in the same way, wherever something is waited for.

use std::sync::atomic::{AtomicBool, Ordering};

static CLEANING_UP: AtomicBool = AtomicBool::new(false);

/// Does work that the signal which ended the rest does not end. The work itself listens to the next one.
pub async fn cleanup<T>(work: impl Future<Output = T>) -> T {
    CLEANING_UP.store(true, Ordering::Relaxed);
    let done = work.await;
    CLEANING_UP.store(false, Ordering::Relaxed);
    done
}

/// Whether such work goes on.
pub fn is_cleaning_up() -> bool {
    CLEANING_UP.load(Ordering::Relaxed)
}

/// Waits until the program is asked to end. From the first time on, nothing else ends it: whoever waits for anything
/// waits for this too.
#[cfg(unix)]
pub async fn stopped() {
    unix::stopped().await;
}

/// Waits for Ctrl-C or Ctrl-Break.
#[cfg(windows)]
pub async fn stopped() {
    use std::future::pending;
    let by_break = async {
        match tokio::signal::windows::ctrl_break() {
            Ok(mut heard) => drop(heard.recv().await),
            Err(_) => pending().await,
        }
    };
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => {}
        () = by_break => {}
    }
}

#[cfg(unix)]
mod unix {
    use std::future::pending;
    use std::sync::OnceLock;
    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub async fn stopped() {
        let [mut interrupt, mut terminate] =
            [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok());
        let mut hang_up = hang_up();
        tokio::select! {
            () = heard(&mut interrupt) => {}
            () = heard(&mut terminate) => {}
            () = heard(&mut hang_up) => {}
        }
    }

    /// Waits for the signal; for ever where it cannot be listened to.
    async fn heard(signal: &mut Option<Signal>) {
        match signal {
            Some(signal) => drop(signal.recv().await),
            None => pending().await,
        }
    }

    /// What tells of SIGHUP; nothing where the program was started so as to outlive its terminal, with nohup: who
    /// listens to a signal ends its being ignored.
    fn hang_up() -> Option<Signal> {
        static IGNORED: OnceLock<bool> = OnceLock::new();
        match IGNORED.get_or_init(is_ignored) {
            true => None,
            false => signal(SignalKind::hangup()).ok(),
        }
    }

    /// As Linux tells it; asked before anybody listens.
    #[cfg(target_os = "linux")]
    fn is_ignored() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
        ignored.is_some_and(|bits| bits & 1 << (SignalKind::hangup().as_raw_value() - 1) != 0)
    }

    /// Elsewhere by what nohup leaves: no stream that is a terminal.
    #[cfg(not(target_os = "linux"))]
    fn is_ignored() -> bool {
        use std::io::{IsTerminal, stderr, stdin, stdout};
        !stdin().is_terminal() && !stdout().is_terminal() && !stderr().is_terminal()
    }
}
