//! Ctrl-C during a filter, which may never end and blocks the thread that handles signals.

use crate::error::{Error, Kind};
use crate::signal::stopped;
use crate::terminal::Ui;
use crate::terminal::errors;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A filter that ends within this time leaves the signal to its command.
const GRACE: Duration = Duration::from_millis(200);

/// Counts starts and ends: odd while a filter runs.
static TURN: AtomicU64 = AtomicU64::new(0);

/// Does the work. On Ctrl-C, if the work does not end, the process does.
pub fn interruptible<T>(ui: &Ui, work: impl FnOnce() -> T) -> T {
    static WATCH: OnceLock<()> = OnceLock::new();
    WATCH.get_or_init(|| {
        let ui = ui.clone();
        let _ = std::thread::Builder::new().name("interrupt".into()).spawn(move || watch(&ui));
    });
    TURN.fetch_add(1, Ordering::Relaxed);
    let done = work();
    TURN.fetch_add(1, Ordering::Relaxed);
    done
}

/// Waits for the signal on a runtime of its own, because the command's is blocked while a filter runs.
fn watch(ui: &Ui) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    runtime.block_on(stopped());
    loop {
        let turn = TURN.load(Ordering::Relaxed);
        std::thread::sleep(GRACE);
        if turn % 2 == 1 && turn == TURN.load(Ordering::Relaxed) {
            let error = Error::new(Kind::Interrupted, "--jq: interrupted before the filter ended");
            let error = error.hint("what the command has done stays done; only its result was not printed completely");
            errors::now(ui, &error);
        }
    }
}
