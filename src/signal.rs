//! One listener for Ctrl-C, SIGTERM (a job was canceled) and SIGHUP (the terminal was closed).
//!
//! A thread waits for signals. When a signal arrives, it sets `STOPPED` and wakes the main thread
//! with `ARRIVED`. The main thread answers with `NOTICED`, and wakes with `WAITERS` the tasks that
//! wait for a signal. Without an answer, the main thread is blocked, and the listener ends the
//! process.

use std::pin::pin;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio::sync::Notify;
use tokio::time::timeout;

/// Signals within this time count as one, because some wrappers pass on the Ctrl-C that the
/// terminal has sent already.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

/// A main thread that does not notice a signal within this time is blocked.
const NOTICE_TIMEOUT: Duration = Duration::from_secs(1);

/// Whether an unhandled signal has arrived.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// Wakes [`until_stopped`].
static ARRIVED: Notify = Notify::const_new();
/// Shows the listener that the main thread is not blocked.
static NOTICED: Notify = Notify::const_new();
/// Wakes the waiters in [`wait_for_signal`].
static WAITERS: Notify = Notify::const_new();

/// Drives the work to its end, and returns its result. Returns none if a signal arrives and the
/// work neither ends nor calls [`mark_signal_handled`]. If the work blocks the thread, or a second
/// signal arrives before the first is handled, calls `end_process`.
pub async fn until_stopped<T>(
    work: impl Future<Output = T>,
    end_process: impl Fn() + Send + 'static,
) -> Option<T> {
    static LISTENER: Once = Once::new();
    LISTENER.call_once(|| start_listener(end_process));
    let mut work = pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return Some(done),
            () = ARRIVED.notified() => {
                NOTICED.notify_one();
                WAITERS.notify_waiters();
            }
        }
        // The waiters inside the work are ready now. They run first, so that they can handle the
        // signal.
        tokio::select! {
            biased;
            done = &mut work => return Some(done),
            () = async {} => if signal_arrived() { return None },
        }
    }
}

/// Waits for a signal.
pub async fn wait_for_signal() {
    loop {
        // Created before the check, so that no signal is missed between the check and the wait.
        let woken = WAITERS.notified();
        if signal_arrived() {
            // This waiter may mark the signal as handled before the main thread wakes the others.
            return WAITERS.notify_waiters();
        }
        woken.await;
    }
}

/// Whether a signal has arrived, for work that blocks the thread.
pub fn signal_arrived() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Marks the signal as handled, so that the remaining work continues until another signal arrives.
pub fn mark_signal_handled() {
    STOPPED.store(false, Ordering::Relaxed);
}

/// Ends the process by the signal that has stopped it, so that a shell ends its loop, too. Returns if
/// no signal can end it: on Windows, and as process 1.
pub fn end_by_signal() {
    #[cfg(unix)]
    if std::process::id() != 1 {
        let number = os::STOPPED_BY.load(Ordering::Relaxed);
        // If it fails, the exit code says the same.
        let _ = signal_hook::low_level::emulate_default_handler(number);
    }
}

/// Registers for signals, and starts the thread that waits for them, because the main thread can be
/// blocked. If either fails, a signal ends the program as usual.
fn start_listener(end_process: impl Fn() + Send + 'static) {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else {
        return;
    };
    let guard = runtime.enter();
    let signals = os::Signals::new();
    drop(guard);
    let _ = std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || runtime.block_on(listen(signals, end_process)));
}

/// Whether a signal that arrives `now` counts as one with `last`, the last one that counted.
/// Otherwise, it becomes the last one.
fn is_same_signal(last: &mut Option<Instant>, now: Instant) -> bool {
    if last.is_some_and(|last| now.duration_since(last) < SAME_SIGNAL) {
        return true;
    }
    *last = Some(now);
    false
}

async fn listen(mut signals: os::Signals, end_process: impl Fn()) {
    let mut last_signal = None;
    loop {
        signals.next().await;
        if is_same_signal(&mut last_signal, Instant::now()) {
            continue;
        }
        let is_second_signal = STOPPED.swap(true, Ordering::Relaxed);
        ARRIVED.notify_one();
        if is_second_signal || timeout(NOTICE_TIMEOUT, NOTICED.notified()).await.is_err() {
            end_process();
        }
    }
}

#[cfg(windows)]
mod os {
    pub struct Signals;

    impl Signals {
        pub fn new() -> Self {
            Self
        }

        /// Waits for Ctrl-C.
        pub async fn next(&mut self) {
            // Without a listener, Ctrl-C ends the program as usual.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

#[cfg(unix)]
mod os {
    use futures_util::future::select_all;
    use std::sync::atomic::{AtomicI32, Ordering};
    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// The number of the last signal. A prompt notices Ctrl-C before its signal arrives.
    pub static STOPPED_BY: AtomicI32 = AtomicI32::new(SignalKind::interrupt().as_raw_value());

    /// The signals, each with its kind.
    pub struct Signals(Vec<(SignalKind, Signal)>);

    impl Signals {
        /// Registers for the signals. SIGHUP is left out if it is ignored, as with nohup, because a
        /// listener would make the program end with its terminal.
        pub fn new() -> Self {
            let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
            if !ignores_hang_up() {
                kinds.push(SignalKind::hangup());
            }
            let signals = kinds.into_iter();
            let signals = signals.filter_map(|kind| Some((kind, signal(kind).ok()?)));
            Self(signals.collect())
        }

        /// Waits for the next signal of any kind.
        pub async fn next(&mut self) {
            let signals = self.0.iter_mut();
            let (_, index, _) =
                select_all(signals.map(|(_, signal)| Box::pin(signal.recv()))).await;
            let kind = self.0[index].0;
            STOPPED_BY.store(kind.as_raw_value(), Ordering::Relaxed);
        }
    }

    /// Whether the parent process has made the program ignore SIGHUP. Must be called before a
    /// listener for SIGHUP exists.
    #[cfg(target_os = "linux")]
    fn ignores_hang_up() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored_signals = u64::from_str_radix(mask.unwrap_or_default().trim(), 16);
        let hang_up_bit = 1 << (SignalKind::hangup().as_raw_value() - 1);
        ignored_signals.is_ok_and(|signals| signals & hang_up_bit != 0)
    }

    /// Assumes nohup if no stream is a terminal.
    #[cfg(not(target_os = "linux"))]
    fn ignores_hang_up() -> bool {
        use std::io::{IsTerminal, stderr, stdin, stdout};
        !stdin().is_terminal() && !stdout().is_terminal() && !stderr().is_terminal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_within_a_short_time_count_as_one() {
        let (start, mut last) = (Instant::now(), None);
        let counted = [0, 0, 299, 300, 599, 600]
            .map(|time| !is_same_signal(&mut last, start + Duration::from_millis(time)));
        assert_eq!(counted, [true, false, false, true, false, true]);
    }
}
