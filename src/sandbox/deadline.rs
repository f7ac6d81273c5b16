//! How long a connection may keep the sandbox waiting: nobody holds one for good without asking anything.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// The waits that are allowed.
#[derive(Debug, Clone, Copy)]
pub struct Waits {
    /// From the start of a connection, or of a further request on it, to the whole request.
    pub request: Duration,
    /// From an answer to the next request, and for a caller to take in more of an answer.
    pub rest: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Waits { request: Duration::from_secs(30), rest: Duration::from_secs(60) }
    }
}

/// The end of the present wait of one connection.
pub(super) struct Deadline {
    waits: Waits,
    sleep: Pin<Box<Sleep>>,
    resting: bool,
}

impl Deadline {
    /// For a connection that begins.
    pub(super) fn new(waits: Waits) -> Deadline {
        Deadline { waits, sleep: Box::pin(sleep(waits.request)), resting: false }
    }

    /// The caller sent something. After a rest, that begins a request; within one, it wins no more time.
    pub(super) fn heard(&mut self, context: &mut Context<'_>) {
        if self.resting {
            self.resting = false;
            self.restart(self.waits.request, context);
        }
    }

    /// The caller was sent something.
    pub(super) fn said(&mut self, context: &mut Context<'_>) {
        self.resting = true;
        self.restart(self.waits.rest, context);
    }

    /// Ready when the caller waited for too long.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.sleep.as_mut().poll(context)
    }

    fn restart(&mut self, wait: Duration, context: &mut Context<'_>) {
        if let Some(end) = Instant::now().checked_add(wait) {
            self.sleep.as_mut().reset(end);
        }
        // The HTTP layer need not ask again before it is woken: so this must wake it.
        let _ = self.poll(context);
    }
}
