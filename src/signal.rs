//! One listener for Ctrl-C, SIGTERM (a job is cancelled) and SIGHUP (its terminal is gone).

use std::pin::pin;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio::sync::Notify;
use tokio::time::timeout;

/// Signals within this time count as one, because some wrappers pass on the Ctrl-C that the terminal has sent already.
const SAME: Duration = Duration::from_millis(300);

/// A main thread that does not notice a signal within this time is blocked.
const GRACE: Duration = Duration::from_secs(1);

/// Whether an unhandled signal has arrived.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// Wakes [`until_stopped`].
static ARRIVED: Notify = Notify::const_new();
/// Shows the listener that the main thread is not blocked.
static NOTICED: Notify = Notify::const_new();
/// Wakes the waiters in [`stopped`].
static WAITERS: Notify = Notify::const_new();

/// Drives the work to its end. Returns none if a signal arrived that nothing inside the work handles. If the work blocks the
/// thread, or a second signal arrives, `end` ends the process.
pub async fn until_stopped<T>(
    work: impl Future<Output = T>,
    end: impl Fn() + Send + 'static,
) -> Option<T> {
    static LISTENER: Once = Once::new();
    LISTENER.call_once(|| start(end));
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
        // Waiters inside the work are ready now, and come first.
        tokio::select! {
            biased;
            done = &mut work => return Some(done),
            () = async {} => if is_stopped() { return None },
        }
    }
}

/// Waits for a signal.
pub async fn stopped() {
    loop {
        let woken = WAITERS.notified();
        if is_stopped() {
            return WAITERS.notify_waiters();
        }
        woken.await;
    }
}

/// Whether a signal has arrived, for work that blocks the thread.
pub fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Marks the signal as handled. The remaining work is stopped only by the next signal.
pub fn handled() {
    STOPPED.store(false, Ordering::Relaxed);
}

/// Starts to listen, and then the thread that waits for signals, also while the main thread is blocked.
fn start(end: impl Fn() + Send + 'static) {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else {
        return;
    };
    let inside = runtime.enter();
    let signals = os::Signals::new();
    drop(inside);
    let _ = std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || runtime.block_on(listen(signals, end)));
}

async fn listen(mut signals: os::Signals, end: impl Fn()) {
    let mut last: Option<Instant> = None;
    loop {
        signals.next().await;
        if last.is_some_and(|last| last.elapsed() < SAME) {
            continue;
        }
        last = Some(Instant::now());
        let is_second = STOPPED.swap(true, Ordering::Relaxed);
        ARRIVED.notify_one();
        if is_second || timeout(GRACE, NOTICED.notified()).await.is_err() {
            end();
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
    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub struct Signals(Vec<Signal>);

    impl Signals {
        /// Leaves out SIGHUP if the program was started to outlive its terminal, with nohup: a listener would end that.
        pub fn new() -> Self {
            let hang_up = Some(SignalKind::hangup()).filter(|_| !ignores_hang_up());
            let kinds = [SignalKind::interrupt(), SignalKind::terminate()]
                .into_iter()
                .chain(hang_up);
            Self(kinds.filter_map(|kind| signal(kind).ok()).collect())
        }

        /// Waits for any of them.
        pub async fn next(&mut self) {
            select_all(self.0.iter_mut().map(|signal| Box::pin(signal.recv()))).await;
        }
    }

    /// Reads the handling that the parent process has set, before a listener changes it.
    #[cfg(target_os = "linux")]
    fn ignores_hang_up() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
        ignored.is_some_and(|bits| bits & 1 << (SignalKind::hangup().as_raw_value() - 1) != 0)
    }

    /// Assumes nohup if no stream is a terminal.
    #[cfg(not(target_os = "linux"))]
    fn ignores_hang_up() -> bool {
        use std::io::{IsTerminal, stderr, stdin, stdout};
        !stdin().is_terminal() && !stdout().is_terminal() && !stderr().is_terminal()
    }
}
