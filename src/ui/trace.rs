//! What `-v` shows of each HTTP exchange, and the countdown while the rate limit makes sitectl wait.

use super::{Ui, visible};
use std::time::{Duration, Instant};

/// An exchange in words; nothing in it holds the token.
pub struct Trace<'t> {
    /// Such as `GET https://…`.
    pub request: String,
    /// The status, or what went wrong.
    pub outcome: String,
    /// From sending to the whole answer.
    pub elapsed: Duration,
    /// What is left of the rate limit.
    pub remaining: Option<u64>,
    /// Lines of headers and bodies, for `-vv`.
    pub more: &'t [String],
}

impl Ui {
    /// Shows an exchange to whoever asked for it.
    pub fn trace(&self, trace: &Trace<'_>) {
        if self.verbose == 0 {
            return;
        }
        let left = trace.remaining.map(|left| format!(", {left} requests left")).unwrap_or_default();
        self.say(&visible(&format!("{} -> {} ({:.0?}{left})", trace.request, trace.outcome, trace.elapsed)));
        for line in trace.more {
            self.say(&format!("  {}", visible(line)));
        }
    }

    /// Tells a person why nothing seems to happen: once, however many requests wait for the same.
    pub fn pausing(&self, why: &str, duration: Duration) {
        let news = self.line.pause(why, Instant::now() + duration);
        let worth_telling = self.stderr_terminal && duration > Duration::from_secs(1) && !self.line.tells();
        if news && (worth_telling || self.verbose > 0) {
            self.note(&format!("{why}; going on in {duration:.0?}"));
        }
    }
}
